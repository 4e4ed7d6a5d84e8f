//! Link layers: from the first byte of a frame to an IP header.

use super::Undecoded;
use super::layout::Encapsulation;
use super::walk::{Next, Walk};
use crate::LinkType;

/// EtherTypes ([IANA registry](https://www.iana.org/assignments/ieee-802-numbers/)).
pub(crate) mod ether_type {
    pub(crate) const IPV4: u16 = 0x0800;
    pub(crate) const IPV6: u16 = 0x86dd;
    pub(super) const VLAN: u16 = 0x8100;
    pub(super) const VLAN_SERVICE: u16 = 0x88a8;
    /// Stacked tags before IEEE 802.1ad.
    pub(super) const VLAN_STACKED: u16 = 0x9100;
    pub(super) const MPLS: u16 = 0x8847;
    pub(super) const MPLS_UPSTREAM: u16 = 0x8848;
    pub(super) const PPPOE_SESSION: u16 = 0x8864;
    pub(super) const CISCO_METADATA: u16 = 0x8909;
    /// Transparent Ethernet bridging ([RFC 1701](https://www.rfc-editor.org/rfc/rfc1701)).
    pub(in crate::packet) const BRIDGED: u16 = 0x6558;
    pub(in crate::packet) const PPP: u16 = 0x880b;
    /// Smaller values are lengths of IEEE 802.3 frames.
    pub(crate) const MIN: u16 = 0x0600;
    const ARP: u16 = 0x0806;
    const PPPOE_DISCOVERY: u16 = 0x8863;

    /// Those of tags, behind which is another one of these numbers.
    pub(crate) const TAGS: [u16; 3] = [VLAN, VLAN_SERVICE, VLAN_STACKED];
    /// Those of headers behind which IP may be, other than tags.
    pub(crate) const CARRIERS: [u16; 4] = [MPLS, MPLS_UPSTREAM, PPPOE_SESSION, CISCO_METADATA];

    /// Whether IP may be behind it: a length, a tag or a header that carries IP, or IP itself.
    #[inline]
    pub(in crate::packet) fn may_lead_to_ip(value: u16) -> bool {
        matches!(value, IPV4 | IPV6) || value < MIN || TAGS.contains(&value) || CARRIERS.contains(&value)
    }

    /// Whether this is a type that overlay networks carry, rather than any number.
    pub(in crate::packet) fn is_common(value: u16) -> bool {
        matches!(
            value,
            IPV4 | IPV6 | ARP | VLAN | VLAN_SERVICE | VLAN_STACKED | MPLS | MPLS_UPSTREAM | PPPOE_DISCOVERY
        ) || value == PPPOE_SESSION
            || value == CISCO_METADATA
            || value < MIN
    }
}

/// PPP protocol numbers ([RFC 1661 §2](https://www.rfc-editor.org/rfc/rfc1661#section-2), IANA registry).
mod ppp {
    pub(super) const IPV4: u16 = 0x0021;
    pub(super) const IPV6: u16 = 0x0057;
    pub(super) const MPLS: u16 = 0x0281;
    pub(super) const MPLS_MULTICAST: u16 = 0x0283;
}

impl Next {
    /// What a frame of this link type starts with.
    #[inline]
    pub(super) fn of_link_type(link_type: LinkType) -> Option<Self> {
        Some(match link_type {
            LinkType::ETHERNET => Self::Ethernet,
            LinkType::RAW | LinkType::RAW_BSD | LinkType::RAW_OPENBSD => Self::Ip,
            LinkType::IPV4 => Self::IPV4,
            LinkType::IPV6 => Self::IPV6,
            LinkType::LINUX_SLL => Self::Sll,
            LinkType::LINUX_SLL2 => Self::Sll2,
            LinkType::NULL | LinkType::LOOP => Self::Loopback,
            LinkType::PPP => Self::Ppp,
            LinkType::PPP_HDLC => Self::PppSerial,
            LinkType::PPP_ETHER => Self::PppoeSession,
            LinkType::C_HDLC => Self::CiscoHdlc,
            LinkType::PFLOG => Self::Pflog,
            LinkType::IEEE802_11 => Self::Ieee80211 { padded: false },
            LinkType::IEEE802_11_RADIOTAP => Self::Radiotap,
            _ => return None,
        })
    }
}

/// The IP version of an address family number, which each system chose for itself.
fn ip_of_address_family(family: u32) -> Result<Next, Undecoded> {
    match family {
        2 => Ok(Next::IPV4),
        // Linux; Windows; NetBSD and OpenBSD; FreeBSD; macOS.
        10 | 23 | 24 | 28 | 30 => Ok(Next::IPV6),
        _ => Err(Undecoded::NotIp),
    }
}

impl Walk<'_> {
    /// IEEE 802.3: a length in place of an EtherType means that LLC follows.
    #[inline]
    pub(super) fn ethernet(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let [.., high, low] = reader.array::<14>("Ethernet header")?;
        self.advance(&reader);
        Ok(self.type_or_length(u16::from_be_bytes([high, low])))
    }

    #[inline]
    fn type_or_length(&mut self, value: u16) -> Next {
        if value >= ether_type::MIN {
            Next::EtherType(value)
        } else {
            // A frame that ends earlier than its length says has no padding.
            let _ = self.shorten(usize::from(value));
            Next::Llc
        }
    }

    /// Walks IP headers right away, as nearly every frame leads to one.
    #[inline]
    pub(super) fn ether_type(&mut self, ether_type: u16) -> Result<Next, Undecoded> {
        match ether_type {
            ether_type::IPV4 => self.ipv4(),
            ether_type::IPV6 => self.ipv6(),
            ether_type::VLAN | ether_type::VLAN_SERVICE | ether_type::VLAN_STACKED => self.vlan_tag(),
            ether_type::MPLS | ether_type::MPLS_UPSTREAM => self.mpls(),
            ether_type::PPPOE_SESSION => Ok(Next::PppoeSession),
            ether_type::CISCO_METADATA => self.cisco_metadata(),
            _ => Err(Undecoded::NotIp),
        }
    }

    /// IEEE 802.1Q §9.6: priority (3 bits), drop eligible (1), VLAN id (12), and the type of what follows.
    fn vlan_tag(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let id = reader.u16("tag control information")? & 0x0fff;
        let value = reader.u16("EtherType after a tag")?;
        self.advance(&reader);
        self.enter(Encapsulation::Vlan)?;
        self.tag(id);
        // Id 0 gives a priority only (§9.6), often in one direction only, and names no network.
        if id != 0 {
            self.separate(Encapsulation::Vlan, u32::from(id));
        }
        Ok(self.type_or_length(value))
    }

    /// RFC 3032 §2.1: label (20 bits), traffic class (3), bottom of stack (1), TTL (8). What follows the last label
    /// is not written anywhere; its first nibble tells (RFC 4928 §3), 0 being the control word of a pseudowire
    /// (RFC 4385 §3).
    fn mpls(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        while reader.u32("MPLS label")? & 0x100 == 0 {}
        self.enter(Encapsulation::Mpls)?;
        let next = match reader.peek().map(|first| first >> 4) {
            Some(4) => Next::IPV4,
            Some(6) => Next::IPV6,
            Some(0) => {
                // Ethernet pseudowire: 12 bits to be ignored and a sequence number (RFC 4448 §4.6).
                reader.skip(4, "pseudowire control word")?;
                Next::Ethernet
            }
            Some(_) => return Err(Undecoded::NotIp),
            None => return Err(Undecoded::Cut),
        };
        self.advance(&reader);
        Ok(next)
    }

    /// Cisco metadata: version, number of 4-byte options, the options (a security group tag as a rule), and the
    /// type of what follows.
    fn cisco_metadata(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        reader.skip(1, "metadata version")?;
        let options = reader.u8("metadata length")?;
        reader.skip(usize::from(options) * 4, "metadata options")?;
        let value = reader.u16("EtherType after metadata")?;
        self.advance(&reader);
        Ok(self.type_or_length(value))
    }

    /// IEEE 802.2 logical link control, with SNAP ([RFC 1042](https://www.rfc-editor.org/rfc/rfc1042)) or without.
    pub(super) fn llc(&mut self) -> Result<Next, Undecoded> {
        const UNNUMBERED_INFORMATION: u8 = 0x03;
        let mut reader = self.reader();
        let header = reader.array::<3>("LLC header")?;
        let next = match header {
            [0xaa, 0xaa, UNNUMBERED_INFORMATION] => match reader.u24("SNAP organisation")? {
                // EtherTypes as they are, and those of bridged Ethernet (IEEE 802.1H).
                0x00_0000 | 0x00_00f8 => Next::EtherType(reader.u16("SNAP protocol")?),
                _ => return Err(Undecoded::NotIp),
            },
            [0x06, 0x06, UNNUMBERED_INFORMATION] => Next::IPV4,
            _ => return Err(Undecoded::NotIp),
        };
        self.advance(&reader);
        Ok(next)
    }

    /// RFC 2516 §4: version and type 1, code 0 in a session, session id, length; PPP follows.
    pub(super) fn pppoe_session(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let [version_and_type, code] = reader.array("PPPoE header")?;
        let session = reader.u16("PPPoE session")?;
        let len = reader.u16("PPPoE length")?;
        if version_and_type != 0x11 {
            return Err(Undecoded::Encapsulation);
        }
        if code != 0 {
            return Err(Undecoded::NotIp);
        }
        self.advance(&reader);
        let _ = self.shorten(usize::from(len));
        self.enter(Encapsulation::Pppoe)?;
        self.separate(Encapsulation::Pppoe, u32::from(session));
        Ok(Next::Ppp)
    }

    /// RFC 1661 §2 and RFC 1662 §3.1: address and control may be left out, and the protocol takes one byte when
    /// that byte is odd.
    pub(super) fn ppp(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        if reader.rest().starts_with(&[0xff, 0x03]) {
            reader.skip(2, "PPP address and control")?;
        }
        let first = reader.u8("PPP protocol")?;
        let protocol = if first & 1 == 1 {
            u16::from(first)
        } else {
            u16::from_be_bytes([first, reader.u8("PPP protocol")?])
        };
        self.advance(&reader);
        match protocol {
            ppp::IPV4 => Ok(Next::IPV4),
            ppp::IPV6 => Ok(Next::IPV6),
            ppp::MPLS | ppp::MPLS_MULTICAST => self.mpls(),
            _ => Err(Undecoded::NotIp),
        }
    }

    /// The first byte tells PPP in HDLC-like framing from Cisco HDLC, unicast or multicast.
    pub(super) fn ppp_serial(&mut self) -> Result<Next, Undecoded> {
        match self.reader().peek() {
            Some(0x0f | 0x8f) => self.cisco_hdlc(),
            Some(_) => Ok(Next::Ppp),
            None => Err(Undecoded::Cut),
        }
    }

    pub(super) fn cisco_hdlc(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        reader.skip(2, "HDLC address and control")?;
        let ether_type = reader.u16("HDLC protocol")?;
        self.advance(&reader);
        Ok(Next::EtherType(ether_type))
    }

    /// The address family is in the byte order of the host that captured, or in network order: families are small,
    /// so that whichever reading is small is the right one.
    pub(super) fn loopback(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let family = reader.u32("address family")?;
        self.advance(&reader);
        ip_of_address_family(family.min(family.swap_bytes()))
    }

    /// Packet type, ARPHRD type, address length, address (8 bytes) and protocol, which some devices do not fill in.
    pub(super) fn sll(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        reader.skip(2, "cooked packet type")?;
        let device = reader.u16("cooked device type")?;
        reader.skip(10, "cooked address")?;
        let protocol = reader.u16("cooked protocol")?;
        self.advance(&reader);
        Ok(cooked(device, protocol))
    }

    /// Protocol, reserved, interface, ARPHRD type, packet type, address length and address (8 bytes).
    pub(super) fn sll2(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let protocol = reader.u16("cooked protocol")?;
        reader.skip(6, "cooked interface")?;
        let device = reader.u16("cooked device type")?;
        reader.skip(10, "cooked address")?;
        self.advance(&reader);
        Ok(cooked(device, protocol))
    }

    /// Header length without padding, address family, and more; padded to a multiple of 4.
    pub(super) fn pflog(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let [len, family] = reader.array("packet filter header")?;
        let padded = usize::from(len).next_multiple_of(4);
        let rest = padded.checked_sub(2).ok_or(Undecoded::Encapsulation)?;
        reader.skip(rest, "packet filter header")?;
        self.advance(&reader);
        ip_of_address_family(u32::from(family))
    }
}

/// What a device of this type (`ARPHRD_`) carries under this protocol (`ETH_P_`), both as Linux numbers them.
fn cooked(device: u16, protocol: u16) -> Next {
    const DEVICE_80211: u16 = 801;
    const DEVICE_RADIOTAP: u16 = 803;
    const PROTOCOL_LLC: u16 = 4;
    match (device, protocol) {
        (DEVICE_80211, _) => Next::Ieee80211 { padded: false },
        (DEVICE_RADIOTAP, _) => Next::Radiotap,
        (_, PROTOCOL_LLC) => Next::Llc,
        (_, ether_type::BRIDGED) => Next::Ethernet,
        (_, protocol) => Next::EtherType(protocol),
    }
}
