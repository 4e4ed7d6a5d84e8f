//! Headers that bridges of providers and data centres put between an Ethernet header and what it carries.

use super::Undecoded;
use super::layout::Encapsulation;
use super::walk::{Next, Walk};

impl Walk<'_> {
    /// IEEE 802.1Q-2018 §9.7 (802.1ah): flags (8 bits) and service identifier (24), then the customer's frame.
    pub(super) fn pbb(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        reader.skip(1, "I-TAG flags")?;
        let service = reader.u24("I-TAG service")?;
        self.advance(&reader);
        self.enter(Encapsulation::Pbb)?;
        self.separate(Encapsulation::Pbb, service);
        Ok(Next::Ethernet)
    }

    /// IEEE 802.1AE-2018 §9.3: flags, short length, packet number (4 bytes), and the secure channel (8) if a flag says so.
    /// Behind what it protects stands the integrity check value, 16 bytes with every cipher suite there is (§14).
    pub(super) fn macsec(&mut self) -> Result<Next, Undecoded> {
        const VERSION: u8 = 0x80;
        const CHANNEL: u8 = 0x20;
        const ENCRYPTED: u8 = 0x08;
        const CHANGED: u8 = 0x04;
        const CHECK_LEN: usize = 16;
        let mut reader = self.reader();
        let [flags, short_len] = reader.array("SecTAG")?;
        reader.skip(4, "packet number")?;
        if flags & VERSION != 0 {
            return Err(Undecoded::Encapsulation);
        }
        if flags & (ENCRYPTED | CHANGED) != 0 {
            return Err(Undecoded::Encrypted);
        }
        if flags & CHANNEL != 0 {
            reader.skip(8, "secure channel")?;
        }
        self.advance(&reader);
        let data_len = match short_len & 0x3f {
            // A cut frame has lost the check value.
            0 if self.cut => self.rest.len(),
            0 => self.rest.len().checked_sub(CHECK_LEN).ok_or(Undecoded::Encapsulation)?,
            // Data of less than 48 bytes: the frame was filled up behind the check value.
            short => usize::from(short),
        };
        if data_len != self.rest.len() {
            let _ = self.shorten(data_len);
        }
        let mut reader = self.reader();
        let value = reader.u16("EtherType after a SecTAG")?;
        self.advance(&reader);
        self.enter(Encapsulation::Macsec)?;
        Ok(self.type_or_length(value))
    }

    /// IEEE 802.1Qbh: direction and the interfaces at both ends of the extender (4 bytes), then the type of what follows.
    pub(super) fn vn_tag(&mut self) -> Result<Next, Undecoded> {
        self.tag_of(Encapsulation::VnTag, 4)
    }

    /// IEEE 802.1BR-2012 §7.5: priority and the ports at both ends (6 bytes), then the type of what follows.
    pub(super) fn e_tag(&mut self) -> Result<Next, Undecoded> {
        self.tag_of(Encapsulation::ETag, 6)
    }

    fn tag_of(&mut self, layer: Encapsulation, len: usize) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        reader.skip(len, "tag of an extender")?;
        let value = reader.u16("EtherType after a tag")?;
        self.advance(&reader);
        self.enter(layer)?;
        Ok(self.type_or_length(value))
    }

    /// Cisco FabricPath: tree (10 bits) and TTL (6), then the whole frame.
    pub(super) fn fabric_path(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        reader.skip(2, "FabricPath tag")?;
        self.advance(&reader);
        self.enter(Encapsulation::FabricPath)?;
        Ok(Next::Ethernet)
    }

    /// RFC 6325 §3: version (2 bits), reserved (2), multicast (1), length of options in 4 bytes (5), hops (6), and two
    /// nicknames; then the whole frame.
    pub(super) fn trill(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let first = reader.u16("TRILL header")?;
        reader.skip(4, "TRILL nicknames")?;
        if first >> 14 != 0 {
            return Err(Undecoded::Encapsulation);
        }
        reader.skip(usize::from(first >> 6 & 0x1f) * 4, "TRILL options")?;
        self.advance(&reader);
        self.enter(Encapsulation::Trill)?;
        Ok(Next::Ethernet)
    }

    /// RFC 8300 §2.2 and §2.3: version (2 bits), OAM (1), reserved (1), TTL (6), length in 4 bytes (6), reserved (4),
    /// type of metadata (4), next protocol; service path and metadata within that length.
    pub(super) fn nsh(&mut self) -> Result<Next, Undecoded> {
        const OAM: u8 = 0x20;
        let mut reader = self.reader();
        let [first, second, _, protocol] = reader.array("NSH base header")?;
        let len = usize::from(second & 0x3f) * 4;
        if first >> 6 != 0 {
            return Err(Undecoded::Encapsulation);
        }
        if first & OAM != 0 {
            return Err(Undecoded::NotIp);
        }
        reader.skip(len.checked_sub(4).ok_or(Undecoded::Encapsulation)?, "NSH headers")?;
        self.advance(&reader);
        self.enter(Encapsulation::Nsh)?;
        Next::of_service_protocol(protocol).ok_or(Undecoded::NotIp)
    }
}

impl Next {
    /// What NSH (RFC 8300 §9.1.5) and VXLAN-GPE (draft-ietf-nvo3-vxlan-gpe §8.2) call their next protocols.
    pub(super) fn of_service_protocol(protocol: u8) -> Option<Self> {
        match protocol {
            1 => Some(Self::IPV4),
            2 => Some(Self::IPV6),
            3 => Some(Self::Ethernet),
            4 => Some(Self::Nsh),
            5 => Some(Self::Mpls),
            _ => None,
        }
    }
}
