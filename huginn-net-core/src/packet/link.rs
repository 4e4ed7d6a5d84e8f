//! Link layers: from the first byte of a frame to an IP header.

use super::captured::Captured;
use super::layout::Encapsulation;
use super::rare_link::RareLink;
use super::walk::{Next, Walk};
use super::{Undecoded, plausible};
use crate::{LinkType, Reader};

/// EtherTypes ([IANA registry](https://www.iana.org/assignments/ieee-802-numbers/)).
pub(crate) mod ether_type {
    pub(crate) const IPV4: u16 = 0x0800;
    pub(crate) const IPV6: u16 = 0x86dd;
    pub(in crate::packet) const VLAN: u16 = 0x8100;
    pub(in crate::packet) const VLAN_SERVICE: u16 = 0x88a8;
    /// Stacked tags before IEEE 802.1ad.
    pub(super) const VLAN_STACKED: u16 = 0x9100;
    pub(super) const VLAN_STACKED_2: u16 = 0x9200;
    pub(super) const VLAN_STACKED_3: u16 = 0x9300;
    pub(in crate::packet) const MPLS: u16 = 0x8847;
    pub(in crate::packet) const MPLS_UPSTREAM: u16 = 0x8848;
    pub(in crate::packet) const PPPOE_SESSION: u16 = 0x8864;
    pub(super) const CISCO_METADATA: u16 = 0x8909;
    /// Transparent Ethernet bridging ([RFC 1701](https://www.rfc-editor.org/rfc/rfc1701)).
    pub(in crate::packet) const BRIDGED: u16 = 0x6558;
    pub(in crate::packet) const PPP: u16 = 0x880b;
    pub(in crate::packet) const PBB: u16 = 0x88e7;
    pub(in crate::packet) const MACSEC: u16 = 0x88e5;
    pub(in crate::packet) const VN_TAG: u16 = 0x8926;
    pub(in crate::packet) const E_TAG: u16 = 0x893f;
    pub(in crate::packet) const FABRIC_PATH: u16 = 0x8903;
    pub(in crate::packet) const TRILL: u16 = 0x22f3;
    pub(in crate::packet) const NSH: u16 = 0x894f;
    /// High-availability Seamless Redundancy (IEC 62439-3).
    pub(super) const HSR: u16 = 0x892f;
    pub(super) const ARISTA: u16 = 0xd28b;
    /// Smaller values are lengths of IEEE 802.3 frames.
    pub(crate) const MIN: u16 = 0x0600;
    const ARP: u16 = 0x0806;
    const PPPOE_DISCOVERY: u16 = 0x8863;

    /// Those of tags, behind which is another one of these numbers.
    pub(crate) const TAGS: [u16; 5] = [VLAN, VLAN_SERVICE, VLAN_STACKED, VLAN_STACKED_2, VLAN_STACKED_3];
    /// Those of headers behind which IP may be, other than tags.
    pub(crate) const CARRIERS: [u16; 14] = [
        MPLS,
        MPLS_UPSTREAM,
        PPPOE_SESSION,
        CISCO_METADATA,
        BRIDGED,
        PBB,
        MACSEC,
        VN_TAG,
        E_TAG,
        FABRIC_PATH,
        TRILL,
        NSH,
        HSR,
        ARISTA,
    ];

    /// Whether IP may be behind it: a length, a tag or a header that carries IP, or IP itself.
    #[inline]
    pub(in crate::packet) fn may_lead_to_ip(value: u16) -> bool {
        matches!(value, IPV4 | IPV6) || value < MIN || TAGS.contains(&value) || CARRIERS.contains(&value)
    }

    /// Whether this is a type that overlay networks carry, rather than any number.
    pub(in crate::packet) fn is_common(value: u16) -> bool {
        may_lead_to_ip(value) || matches!(value, ARP | PPPOE_DISCOVERY)
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
            LinkType::PPP | LinkType::PPP_HDLC => Self::PppSerial,
            LinkType::PPP_ETHER => Self::PppoeSession,
            LinkType::C_HDLC => Self::CiscoHdlc,
            LinkType::PFLOG => Self::Pflog,
            LinkType::IEEE802_11 => Self::Ieee80211 { padded: false },
            LinkType::IEEE802_11_RADIOTAP => Self::Radiotap,
            LinkType::TOKEN_RING => Self::TokenRing,
            LinkType::FDDI => Self::Fddi,
            LinkType::ATM_RFC1483 | LinkType::ATM_RFC1483_BSD => Self::Llc,
            LinkType::FRELAY => Self::FrameRelay,
            LinkType::PPP_PPPD | LinkType::PPP_WITH_DIR => Self::PppWithDirection,
            LinkType::MPLS => Self::Mpls,
            other => match Captured::of_link_type(other) {
                Some(by) => Self::Captured(by),
                None => Self::RareLink(RareLink::of_link_type(other)?),
            },
        })
    }
}

/// The IP version of an address family number, which each system chose for itself.
pub(super) fn ip_of_address_family(family: u32) -> Result<Next, Undecoded> {
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
    pub(super) fn type_or_length(&mut self, value: u16) -> Next {
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
            other => self.seldom_ether_type(other),
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

    #[cold]
    fn seldom_ether_type(&mut self, ether_type: u16) -> Result<Next, Undecoded> {
        match ether_type {
            ether_type::VLAN_STACKED_2 | ether_type::VLAN_STACKED_3 => self.vlan_tag(),
            ether_type::BRIDGED => Ok(Next::Ethernet),
            ether_type::PBB => self.pbb(),
            ether_type::MACSEC => self.macsec(),
            ether_type::VN_TAG => self.vn_tag(),
            ether_type::E_TAG => self.e_tag(),
            ether_type::FABRIC_PATH => self.fabric_path(),
            ether_type::TRILL => self.trill(),
            ether_type::NSH => Ok(Next::Nsh),
            ether_type::HSR => self.seamless_redundancy(),
            ether_type::ARISTA => self.arista_time(),
            _ => Err(Undecoded::NotIp),
        }
    }

    pub(super) fn mpls(&mut self) -> Result<Next, Undecoded> {
        self.enter(Encapsulation::Mpls)?;
        self.labels()
    }

    /// RFC 3032 §2.1: label (20 bits), traffic class (3), bottom of stack (1), TTL (8). What follows the last label
    /// is not written anywhere; its first nibble tells (RFC 4928 §3), 0 being the control word of a pseudowire
    /// (RFC 4385 §3). An Ethernet pseudowire may do without one (RFC 4448 §4.6), and then an address comes first, of
    /// any nibble: the type behind the addresses and the IP header behind that tell.
    pub(super) fn labels(&mut self) -> Result<Next, Undecoded> {
        /// 12 bits to be ignored and a sequence number (RFC 4448 §4.6).
        const CONTROL_WORD: usize = 4;
        let mut reader = self.reader();
        while reader.u32("MPLS label")? & 0x100 == 0 {}
        let carried = reader.rest();
        let next = match reader.peek().map(|first| first >> 4) {
            Some(4 | 6)
                if !plausible::whole_ip(carried, self.cut) && plausible::ethernet(carried, self.cut) =>
            {
                Next::Ethernet
            }
            Some(4) => Next::IPV4,
            Some(6) => Next::IPV6,
            Some(0) => {
                let behind_word = carried.get(CONTROL_WORD..).unwrap_or_default();
                // Of a frame with a tag and no word, what is behind 4 bytes looks like a frame, too; behind a word, few
                // source addresses look like a tag.
                let is_frame = plausible::ethernet(carried, self.cut)
                    || plausible::tagged(carried)
                    || plausible::ethernet_header(carried) && !plausible::ethernet_header(behind_word);
                if !is_frame {
                    reader.skip(CONTROL_WORD, "pseudowire control word")?;
                }
                Next::Ethernet
            }
            Some(_) if plausible::ethernet(carried, self.cut) => Next::Ethernet,
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
            [0xaa, 0xaa, UNNUMBERED_INFORMATION] => snap(&mut reader)?,
            [0x06, 0x06, UNNUMBERED_INFORMATION] => Next::IPV4,
            // Routed PDUs, by their NLPID ([RFC 2684 §4.1](https://www.rfc-editor.org/rfc/rfc2684#section-4.1)).
            [0xfe, 0xfe, UNNUMBERED_INFORMATION] => ip_of_nlpid(reader.u8("NLPID")?)?,
            _ => return Err(Undecoded::NotIp),
        };
        self.advance(&reader);
        Ok(next)
    }

    /// RFC 2427 §2 and §4: an address of 2 to 4 bytes, the last of which is odd, then control, padding and NLPID. Cisco's
    /// kind has an EtherType behind the address.
    pub(super) fn frame_relay(&mut self) -> Result<Next, Undecoded> {
        const UNNUMBERED_INFORMATION: u8 = 0x03;
        const PADDING: u8 = 0;
        const SNAP: u8 = 0x80;
        const LONGEST_ADDRESS: usize = 4;
        let mut reader = self.reader();
        while reader.u8("Q.922 address")? & 1 == 0 {
            if reader.position() == LONGEST_ADDRESS {
                return Err(Undecoded::Encapsulation);
            }
        }
        let next = if reader.peek() == Some(UNNUMBERED_INFORMATION) {
            reader.skip(1, "control")?;
            match reader.u8("NLPID")? {
                PADDING if reader.u8("NLPID")? == SNAP => snap(&mut reader)?,
                PADDING => return Err(Undecoded::NotIp),
                SNAP => snap(&mut reader)?,
                nlpid => ip_of_nlpid(nlpid)?,
            }
        } else {
            Next::EtherType(reader.u16("frame relay protocol")?)
        };
        self.advance(&reader);
        Ok(next)
    }

    /// IEEE 802.5: access and frame control, two addresses, and the route if the source says that there is one.
    pub(super) fn token_ring(&mut self) -> Result<Next, Undecoded> {
        const LLC: u8 = 0b01;
        const ROUTED: u8 = 0x80;
        let mut reader = self.reader();
        let [_, control] = reader.array("token ring control")?;
        reader.skip(6, "token ring destination")?;
        let [source, ..] = reader.array::<6>("token ring source")?;
        if control >> 6 != LLC {
            return Err(Undecoded::NotIp);
        }
        if source & ROUTED != 0 {
            let len = reader.peek().ok_or(Undecoded::Cut)? & 0x1f;
            if len < 2 {
                return Err(Undecoded::Encapsulation);
            }
            reader.skip(usize::from(len), "token ring route")?;
        }
        self.advance(&reader);
        Ok(Next::Llc)
    }

    /// ISO 9314-2: frame control and two addresses.
    pub(super) fn fddi(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let control = reader.u8("FDDI control")?;
        reader.skip(12, "FDDI addresses")?;
        // Asynchronous LLC frames, whatever their priority.
        if control & 0xf0 != 0x50 {
            return Err(Undecoded::NotIp);
        }
        self.advance(&reader);
        Ok(Next::Llc)
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
        match reader.rest() {
            // No protocol has this number.
            [0xff] => return Err(Undecoded::Cut),
            [0xff, 0x03, ..] => reader.skip(2, "PPP address and control")?,
            _ => {}
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

    /// A byte for the direction, in place of the address or before it.
    pub(super) fn ppp_with_direction(&mut self) -> Result<Next, Undecoded> {
        const CONTROL: u8 = 0x03;
        let mut reader = self.reader();
        reader.skip(1, "PPP direction")?;
        if reader.peek() == Some(CONTROL) {
            reader.skip(1, "PPP control")?;
        }
        self.advance(&reader);
        Ok(Next::Ppp)
    }

    /// The first byte tells PPP, in HDLC-like framing or without, from Cisco HDLC, unicast or multicast: no protocol begins so.
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

/// The organisation and the protocol behind an LLC header of SNAP.
fn snap(reader: &mut Reader<'_>) -> Result<Next, Undecoded> {
    const ETHER_TYPE: u32 = 0x00_0000;
    /// IEEE 802.1H.
    const BRIDGE_TUNNEL: u32 = 0x00_00f8;
    /// IEEE 802.1 ([RFC 2684 §5.2](https://www.rfc-editor.org/rfc/rfc2684#section-5.2)): Ethernet with its check sequence or
    /// without, padded by two bytes on ATM alone.
    const BRIDGED: u32 = 0x00_80c2;
    match (reader.u24("SNAP organisation")?, reader.u16("SNAP protocol")?) {
        (ETHER_TYPE | BRIDGE_TUNNEL, ether_type) => Ok(Next::EtherType(ether_type)),
        (BRIDGED, 0x0001 | 0x0007) => {
            if reader.rest().starts_with(&[0, 0]) && !plausible::ethernet(reader.rest(), true) {
                reader.skip(2, "padding")?;
            }
            Ok(Next::Ethernet)
        }
        _ => Err(Undecoded::NotIp),
    }
}

/// Network layer protocol identifiers (ISO/IEC TR 9577).
fn ip_of_nlpid(nlpid: u8) -> Result<Next, Undecoded> {
    match nlpid {
        0xcc => Ok(Next::IPV4),
        0x8e => Ok(Next::IPV6),
        _ => Err(Undecoded::NotIp),
    }
}
