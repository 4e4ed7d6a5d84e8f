//! Link layers that are seldom captured, and headers between Ethernet and IP that few networks have.

use super::Undecoded;
use super::walk::{Next, Walk};
use crate::LinkType;

/// A link layer that is seldom captured ([link types of tcpdump](https://www.tcpdump.org/linktypes.html)).
#[derive(Clone, Copy, Debug)]
pub(super) enum RareLink {
    Slip,
    FibreChannel,
    SunAtm,
    FireWire,
    SolarisIp,
    Infiniband,
    MPacket,
    Broadcom,
    BroadcomInFront,
    Marvell,
    MarvellEtherType,
}

impl RareLink {
    pub(super) fn of_link_type(link_type: LinkType) -> Option<Self> {
        match link_type {
            LinkType::SLIP => Some(Self::Slip),
            LinkType::IP_OVER_FC => Some(Self::FibreChannel),
            LinkType::SUNATM => Some(Self::SunAtm),
            LinkType::APPLE_IP_OVER_IEEE1394 => Some(Self::FireWire),
            LinkType::IPNET => Some(Self::SolarisIp),
            LinkType::IPOIB => Some(Self::Infiniband),
            LinkType::ETHERNET_MPACKET => Some(Self::MPacket),
            LinkType::DSA_TAG_BRCM => Some(Self::Broadcom),
            LinkType::DSA_TAG_BRCM_PREPEND => Some(Self::BroadcomInFront),
            LinkType::DSA_TAG_DSA => Some(Self::Marvell),
            LinkType::DSA_TAG_EDSA => Some(Self::MarvellEtherType),
            _ => None,
        }
    }
}

impl Walk<'_> {
    pub(super) fn rare_link(&mut self, link: RareLink) -> Result<Next, Undecoded> {
        match link {
            // Direction, kind of compression and a header of the link; IP is not compressed any more.
            RareLink::Slip => self.behind(16, Next::Ip),
            // RFC 2625 §3.2: two addresses of 8 bytes.
            RareLink::FibreChannel => self.behind(16, Next::Llc),
            RareLink::SunAtm => self.sun_atm(),
            // Two addresses of 8 bytes and an EtherType.
            RareLink::FireWire => self.type_at(16, 0),
            RareLink::SolarisIp => self.solaris_ip(),
            // Two hardware addresses of 20 bytes, EtherType, 2 bytes of no use (RFC 4391 §6).
            RareLink::Infiniband => self.type_at(40, 2),
            RareLink::MPacket => self.mpacket(),
            // Ports of a switch (Documentation/networking/dsa of Linux): 4 bytes behind the addresses, or 8 that begin with an EtherType of
            // their own, or in front of all.
            RareLink::Broadcom | RareLink::Marvell => self.type_at(12 + 4, 0),
            RareLink::BroadcomInFront => self.behind(4, Next::Ethernet),
            RareLink::MarvellEtherType => self.type_at(12 + 8, 0),
        }
    }

    /// Passes over a header of this length.
    fn behind(&mut self, len: usize, next: Next) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        reader.skip(len, "link-layer header")?;
        self.advance(&reader);
        Ok(next)
    }

    /// Passes over a header that has a type, or a length of LLC, behind so many bytes, and so many behind that.
    fn type_at(&mut self, before: usize, behind: usize) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        reader.skip(before, "link-layer header")?;
        let value = reader.u16("EtherType")?;
        reader.skip(behind, "link-layer header")?;
        self.advance(&reader);
        Ok(self.type_or_length(value))
    }

    /// Direction and kind of traffic, path and channel.
    fn sun_atm(&mut self) -> Result<Next, Undecoded> {
        const LAN_EMULATION: u8 = 1;
        const LLC: u8 = 2;
        let mut reader = self.reader();
        let [kind, ..] = reader.array::<4>("SunATM header")?;
        let next = match kind & 0x0f {
            LLC => Next::Llc,
            // The marker of control frames (LAN Emulation over ATM 1.0 §4.1.4), or the number of a client.
            LAN_EMULATION => match reader.u16("LAN emulation header")? {
                0xff00 => return Err(Undecoded::NotIp),
                _ => Next::Ethernet,
            },
            _ => return Err(Undecoded::NotIp),
        };
        self.advance(&reader);
        Ok(next)
    }

    /// Version, address family of Solaris, hook, length, interfaces and zones.
    fn solaris_ip(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let [version, family, ..] = reader.array::<24>("IPNET header")?;
        let next = match (version, family) {
            (1 | 2, 2) => Next::IPV4,
            (1 | 2, 26) => Next::IPV6,
            _ => return Err(Undecoded::NotIp),
        };
        self.advance(&reader);
        Ok(next)
    }

    /// IEEE 802.3 §99.3: preamble and a delimiter that says whether a frame begins here, all of it or perhaps its first fragment; a check
    /// sequence behind it. What goes on with a frame has its delimiter one byte earlier, and a count in place of this one.
    fn mpacket(&mut self) -> Result<Next, Undecoded> {
        const EXPRESS: u8 = 0xd5;
        const BEGINS: [u8; 4] = [0xe6, 0x4c, 0x7f, 0xb3];
        const PREAMBLE: u8 = 0x55;
        let mut reader = self.reader();
        let [.., before, delimiter] = reader.array::<8>("preamble")?;
        if before != PREAMBLE || delimiter != EXPRESS && !BEGINS.contains(&delimiter) {
            return Err(Undecoded::Fragment);
        }
        self.advance(&reader);
        self.strip_frame_check(true, false)?;
        // The rest may come in other fragments.
        self.cut |= delimiter != EXPRESS;
        Ok(Next::Ethernet)
    }

    /// IEC 62439-3, High-availability Seamless Redundancy: path, size and sequence number, then a type.
    pub(super) fn seamless_redundancy(&mut self) -> Result<Next, Undecoded> {
        self.type_at(4, 0)
    }

    /// The time at which a switch of Arista passed a frame on: kind, form and time, then a type.
    pub(super) fn arista_time(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let kind_and_form = (reader.u16("kind of Arista header")?, reader.u16("form of Arista header")?);
        // By atomic time or UTC.
        let len = match kind_and_form {
            (1, 0x0010 | 0x0110) => 8,
            (1, 0x0020 | 0x0120) => 6,
            _ => return Err(Undecoded::NotIp),
        };
        self.type_at(4 + len, 0)
    }
}
