//! Tunnels over UDP.

use super::captured::Captured;
use super::capwap;
use super::layout::Encapsulation;
use super::link::ether_type;
use super::walk::{Next, Walk};
use super::{IpProtocol, Undecoded, plausible};
use crate::Reader;

/// UDP ports of tunnels (IANA registry; 8472 is what Linux used for VXLAN before 4789 was assigned).
pub(crate) mod port {
    pub(super) const VXLAN: u16 = 4789;
    pub(super) const VXLAN_LINUX: u16 = 8472;
    pub(super) const GENEVE: u16 = 6081;
    pub(super) const GTP_U: u16 = 2152;
    pub(super) const TEREDO: u16 = 3544;
    pub(super) const L2TP: u16 = 1701;
    pub(super) const LISP: u16 = 4341;
    pub(super) const GRE: u16 = 4754;
    pub(super) const VXLAN_GPE: u16 = 4790;
    pub(super) const GUE: u16 = 6080;
    pub(super) const MPLS: u16 = 6635;
    pub(super) const TZSP: u16 = 37_008;
    pub(super) const CAPWAP_DATA: u16 = 5247;

    /// Destinations of tunnels.
    pub(crate) const DESTINATIONS: [u16; 13] =
        [VXLAN, VXLAN_LINUX, GENEVE, GTP_U, TEREDO, L2TP, LISP, GRE, VXLAN_GPE, GUE, MPLS, TZSP, CAPWAP_DATA];
    /// Sources of tunnels, whose other end has a port of its choice.
    pub(crate) const SOURCES: [u16; 3] = [TEREDO, L2TP, CAPWAP_DATA];
}

impl Walk<'_> {
    /// What a UDP datagram carries if its port is that of a tunnel and the tunnel's header is there. Ports are
    /// chosen freely, so that anything else is the payload of an ordinary datagram. The cursor is at the payload, of
    /// which `sent_len` bytes were sent.
    #[inline]
    pub(super) fn udp_tunnel(
        &mut self,
        source_port: u16,
        destination_port: u16,
        sent_len: usize,
    ) -> Result<Option<Next>, Undecoded> {
        if !may_be_on((source_port, destination_port)) {
            return Ok(None);
        }
        let missing = sent_len.saturating_sub(self.rest.len());
        let by_port = |port| match port {
            port::TEREDO => Some(teredo as Recognise),
            port::L2TP => Some(l2tp as Recognise),
            port::CAPWAP_DATA => Some(capwap::data as Recognise),
            _ => None,
        };
        let header = match destination_port {
            port::VXLAN | port::VXLAN_LINUX => vxlan,
            port::GENEVE => geneve,
            port::GTP_U => gtp_u,
            port::LISP => lisp,
            port::GRE if holds_gre(self.rest, self.cut) => return Ok(Some(Next::Gre)),
            port::VXLAN_GPE => vxlan_gpe,
            port::GUE => gue,
            port::MPLS => mpls,
            port::TZSP => tzsp,
            other => match by_port(other).or_else(|| by_port(source_port)) {
                Some(header) => header,
                None => return Ok(None),
            },
        };
        let mut reader = self.reader();
        let Some(tunnel) = header(&mut reader, missing) else { return Ok(None) };
        self.advance(&reader);
        if let Some(len) = tunnel.len {
            // What is missing was cut.
            let _ = self.shorten(len);
        }
        self.enter_tunnel(tunnel.layer)?;
        match tunnel.network {
            Network::Identified(network) => self.separate(tunnel.layer, network),
            Network::BetweenEnds => self.separate_by_ends(),
            Network::Global => {}
        }
        Ok(Some(tunnel.next))
    }
}

/// Whether a datagram of these source and destination ports may carry a tunnel. Every datagram is asked, so that one bit
/// for the ports of each remainder of 64 spares most of them the comparisons.
#[inline]
pub(super) fn may_be_on((source_port, destination_port): (u16, u16)) -> bool {
    const SOURCES: u64 = remainders(&port::SOURCES);
    const DESTINATIONS: u64 = remainders(&port::DESTINATIONS);
    let is_source = SOURCES >> (source_port % 64) & 1;
    let is_destination = DESTINATIONS >> (destination_port % 64) & 1;
    is_source | is_destination != 0
        && (port::SOURCES.contains(&source_port) || port::DESTINATIONS.contains(&destination_port))
}

/// The bits of the remainders that these ports leave.
const fn remainders(ports: &[u16]) -> u64 {
    let (mut rest, mut bits) = (ports, 0);
    while let [first, others @ ..] = rest {
        bits |= 1 << (*first % 64);
        rest = others;
    }
    bits
}

/// Reads a tunnel header, if it is there; is told how many bytes the capture cut off the datagram.
type Recognise = fn(&mut Reader<'_>, usize) -> Option<Tunnel>;

/// A tunnel header that was recognised.
pub(super) struct Tunnel {
    pub(super) layer: Encapsulation,
    pub(super) network: Network,
    pub(super) next: Next,
    /// Length of what it carries, if its header states it.
    pub(super) len: Option<usize>,
}

/// What tells the addresses inside a tunnel from equal ones elsewhere.
pub(super) enum Network {
    /// An identifier of the virtual network, the same in both directions.
    Identified(u32),
    /// The two ends of the tunnel.
    BetweenEnds,
    /// Nothing, as the addresses are unique.
    Global,
}

/// RFC 7348 §5: flags with the bit "I" set, 24-bit network identifier; all other bits are to be ignored, so that the
/// type of the frame inside has to tell whether this is VXLAN.
fn vxlan(reader: &mut Reader<'_>, missing: usize) -> Option<Tunnel> {
    const NETWORK_PRESENT: u8 = 0x08;
    let flags = reader.u8("VXLAN flags").ok()?;
    reader.skip(3, "VXLAN reserved").ok()?;
    let network = reader.u24("VXLAN network").ok()?;
    reader.skip(1, "VXLAN reserved").ok()?;
    (flags & NETWORK_PRESENT != 0 && plausible::frame(reader.rest(), missing > 0)).then_some(Tunnel {
        layer: Encapsulation::Vxlan,
        network: Network::Identified(network),
        next: Next::Ethernet,
        len: None,
    })
}

/// RFC 8926 §3.4: version 0, length of options in 4 bytes, flags, protocol, 24-bit network identifier; the other bits
/// are to be ignored.
fn geneve(reader: &mut Reader<'_>, _missing: usize) -> Option<Tunnel> {
    let [version_and_len, _] = reader.array("Geneve header").ok()?;
    let protocol = reader.u16("Geneve protocol").ok()?;
    let network = reader.u24("Geneve network").ok()?;
    reader.skip(1, "Geneve reserved").ok()?;
    // Unlike behind Ethernet addresses, a number that is no EtherType is no length either.
    let is_known =
        protocol == ether_type::BRIDGED || protocol >= ether_type::MIN && ether_type::is_common(protocol);
    if version_and_len >> 6 != 0 || !is_known {
        return None;
    }
    reader.skip(usize::from(version_and_len & 0x3f) * 4, "Geneve options").ok()?;
    let next = match protocol {
        ether_type::BRIDGED => Next::Ethernet,
        _ => Next::EtherType(protocol),
    };
    Some(Tunnel { layer: Encapsulation::Geneve, network: Network::Identified(network), next, len: None })
}

/// 3GPP TS 29.281 §5.1: version 1, protocol type 1, message type 255 (G-PDU), length of what follows the first 8
/// bytes, tunnel endpoint; then, if one of three flags is set, 4 bytes and extension headers (§5.2).
fn gtp_u(reader: &mut Reader<'_>, missing: usize) -> Option<Tunnel> {
    const OPTIONAL_FIELDS: u8 = 0b111;
    const EXTENSION: u8 = 0b100;
    let [flags, message] = reader.array("GTP-U header").ok()?;
    let len = reader.u16("GTP-U length").ok()?;
    reader.skip(4, "GTP-U endpoint").ok()?;
    let start = reader.position();
    if flags >> 4 != 0b0011 || message != 255 || (usize::from(len) > reader.remaining() && missing == 0) {
        return None;
    }
    if flags & OPTIONAL_FIELDS != 0 {
        reader.skip(3, "GTP-U sequence number").ok()?;
        let mut extension = reader.u8("GTP-U extension type").ok()?;
        while flags & EXTENSION != 0 && extension != 0 {
            let units = reader.u8("GTP-U extension length").ok()?;
            reader.skip((usize::from(units) * 4).checked_sub(2)?, "GTP-U extension").ok()?;
            extension = reader.u8("GTP-U extension type").ok()?;
        }
    }
    let len = usize::from(len).checked_sub(reader.position() - start)?;
    matches!(reader.peek()? >> 4, 4 | 6).then_some(Tunnel {
        layer: Encapsulation::GtpU,
        // Each endpoint identifier names one direction.
        network: Network::BetweenEnds,
        next: Next::Ip,
        len: Some(len),
    })
}

/// RFC 4380 §5.1.1: an authentication and an origin indication may stand before the IPv6 packet, and trailers behind it
/// (RFC 6081 §4). With them, its length must be that of the rest, as the header has nothing else to recognise it by.
fn teredo(reader: &mut Reader<'_>, missing: usize) -> Option<Tunnel> {
    const AUTHENTICATION: [u8; 2] = [0, 1];
    const ORIGIN: [u8; 2] = [0, 0];
    if reader.rest().starts_with(&AUTHENTICATION) {
        reader.skip(2, "authentication indication").ok()?;
        let [client_len, value_len] = reader.array("authentication lengths").ok()?;
        // Nonce and confirmation follow the two variable fields.
        reader.skip(usize::from(client_len) + usize::from(value_len) + 9, "authentication").ok()?;
    }
    if reader.rest().starts_with(&ORIGIN) {
        reader.skip(8, "origin indication").ok()?;
    }
    let mut header = *reader;
    let first = header.u32("IPv6 header").ok()?;
    let len = header.u16("IPv6 length").ok()?;
    let mut trailers = *reader;
    let is_whole = trailers.skip(usize::from(len) + 40, "IPv6 packet").is_ok();
    while is_whole && !trailers.is_empty() {
        trailers.skip(1, "trailer type").ok()?;
        trailers.sub_u8("trailer").ok()?;
    }
    (first >> 28 == 6 && (is_whole || missing > 0)).then_some(Tunnel {
        layer: Encapsulation::Teredo,
        network: Network::Global,
        next: Next::IPV6,
        len: None,
    })
}

/// draft-ietf-nvo3-vxlan-gpe §3.1: flags (version, identifier present, next protocol present, OAM), next protocol, 24-bit
/// network identifier. Without a next protocol it is that of VXLAN.
fn vxlan_gpe(reader: &mut Reader<'_>, missing: usize) -> Option<Tunnel> {
    const VERSION: u8 = 0x30;
    const NETWORK_PRESENT: u8 = 0x08;
    const PROTOCOL_PRESENT: u8 = 0x04;
    const OAM: u8 = 0x01;
    if reader.peek()? & PROTOCOL_PRESENT == 0 {
        return vxlan(reader, missing);
    }
    let [flags, _, _, protocol] = reader.array("VXLAN-GPE flags").ok()?;
    let network = reader.u24("VXLAN-GPE network").ok()?;
    reader.skip(1, "VXLAN-GPE reserved").ok()?;
    if flags & (VERSION | OAM) != 0 || flags & NETWORK_PRESENT == 0 {
        return None;
    }
    Some(Tunnel {
        layer: Encapsulation::VxlanGpe,
        network: Network::Identified(network),
        next: Next::of_service_protocol(protocol)?,
        len: None,
    })
}

/// draft-ietf-intarea-gue §3: version 0 has a control flag, a length of optional fields in 4 bytes, a protocol of IP and flags;
/// of version 1, the bits are those of an IP version. The protocols are those of tunnels, for a transport header would
/// be in no IP packet.
fn gue(reader: &mut Reader<'_>, missing: usize) -> Option<Tunnel> {
    const VERSION_1: u8 = 0b01;
    const CONTROL: u8 = 0x20;
    let next = if reader.peek()? >> 6 == VERSION_1 {
        plausible::only_ip(reader.rest(), missing).then_some(Next::Ip)?
    } else {
        let [first, protocol] = reader.array("GUE header").ok()?;
        reader.skip(2 + usize::from(first & 0x1f) * 4, "GUE fields").ok()?;
        let protocol = IpProtocol(protocol);
        let is_known = match protocol {
            IpProtocol::IPV4 | IpProtocol::IPV6 => plausible::only_ip(reader.rest(), missing),
            IpProtocol::GRE => holds_gre(reader.rest(), missing > 0),
            _ => false,
        };
        (first >> 6 == 0 && first & CONTROL == 0 && is_known).then_some(Next::Carried(protocol))?
    };
    Some(Tunnel { layer: Encapsulation::Gue, network: Network::BetweenEnds, next, len: None })
}

/// RFC 9300 §5.1: flags and nonce, then an instance (24 of 32 bits) if a flag says so; an IP packet. Nothing but that packet
/// can be recognised.
fn lisp(reader: &mut Reader<'_>, missing: usize) -> Option<Tunnel> {
    const INSTANCE_PRESENT: u8 = 0x08;
    let [flags, ..] = reader.array::<4>("LISP header").ok()?;
    let instance = reader.u24("LISP instance").ok()?;
    reader.skip(1, "LISP locator status").ok()?;
    plausible::only_ip(reader.rest(), missing).then_some(Tunnel {
        layer: Encapsulation::Lisp,
        network: match flags & INSTANCE_PRESENT {
            0 => Network::BetweenEnds,
            _ => Network::Identified(instance),
        },
        next: Next::Ip,
        len: None,
    })
}

/// RFC 7510 §3: a stack of labels, and IP or a pseudowire.
fn mpls(reader: &mut Reader<'_>, missing: usize) -> Option<Tunnel> {
    let mut inside = *reader;
    while inside.u32("MPLS label").ok()? & 0x100 == 0 {}
    let carried = inside.rest();
    let behind_word = carried.get(4..).unwrap_or_default();
    let cut = missing > 0;
    let is_known = plausible::only_ip(carried, missing)
        || plausible::ethernet(carried, cut)
        || carried.first().is_some_and(|first| first >> 4 == 0) && plausible::ethernet(behind_word, cut);
    is_known.then_some(Tunnel {
        layer: Encapsulation::Mpls,
        network: Network::BetweenEnds,
        next: Next::Labels,
        len: None,
    })
}

/// RFC 2661 §3.1: flags and version, then, by the flags, length; tunnel and session; sequence numbers; an offset and its
/// padding. PPP follows, and nothing but IP in it is looked for. Version 3 over UDP (RFC 3931 §4.1.2.1) has its session
/// behind the flags.
fn l2tp(reader: &mut Reader<'_>, missing: usize) -> Option<Tunnel> {
    const CONTROL: u16 = 0x8000;
    const LENGTH: u16 = 0x4000;
    const SEQUENCE: u16 = 0x0800;
    const OFFSET: u16 = 0x0200;
    const RESERVED: u16 = 0x34f0;
    let start = reader.position();
    let flags = reader.u16("L2TP flags").ok()?;
    if flags & (CONTROL | RESERVED) != 0 {
        return None;
    }
    let (next, len) = match flags & 0x000f {
        2 => {
            let len = if flags & LENGTH != 0 { Some(reader.u16("L2TP length").ok()?) } else { None };
            reader.skip(4, "L2TP tunnel and session").ok()?;
            if flags & SEQUENCE != 0 {
                reader.skip(4, "L2TP sequence numbers").ok()?;
            }
            if flags & OFFSET != 0 {
                let offset = reader.u16("L2TP offset").ok()?;
                reader.skip(usize::from(offset), "L2TP offset").ok()?;
            }
            let header_len = reader.position() - start;
            let len = len.map(|len| usize::from(len).checked_sub(header_len));
            let len = if let Some(len) = len { Some(len?) } else { None };
            let is_all_there = missing > 0 || len.is_none_or(|len| len <= reader.remaining());
            (is_all_there && plausible::ppp(reader.rest(), missing > 0)).then_some((Next::Ppp, len))?
        }
        3 => {
            reader.skip(2 + 4, "L2TP session").ok()?;
            (l2tp_pseudowire(reader, missing > 0)?, None)
        }
        _ => return None,
    };
    // Each end numbers tunnels and sessions by itself.
    Some(Tunnel { layer: Encapsulation::L2tp, network: Network::BetweenEnds, next, len })
}

/// Moves `reader`, which stands behind the session of L2TP version 3, to the Ethernet frame. Cookie (4 or 8 bytes) and sublayer
/// (4 bytes) are agreed upon beforehand, and nothing says whether they are there but where the frame is.
pub(super) fn l2tp_pseudowire(reader: &mut Reader<'_>, cut: bool) -> Option<Next> {
    let behind = reader.rest();
    let at = [0, 4, 8, 12]
        .into_iter()
        .find(|&at| behind.get(at..).is_some_and(|bytes| plausible::ethernet(bytes, cut)))?;
    reader.skip(at, "L2TP cookie").ok()?;
    Some(Next::Ethernet)
}

/// Version and type; what is carried; tags of type, length and value, of which the first two types are one byte.
fn tzsp(reader: &mut Reader<'_>, _missing: usize) -> Option<Tunnel> {
    const RECEIVED: u8 = 0;
    const TO_TRANSMIT: u8 = 1;
    const PADDING: u8 = 0;
    const END: u8 = 1;
    let [version, kind] = reader.array("TZSP header").ok()?;
    let carried = reader.u16("TZSP protocol").ok()?;
    if version != 1 || !matches!(kind, RECEIVED | TO_TRANSMIT) {
        return None;
    }
    loop {
        match reader.u8("TZSP tag").ok()? {
            PADDING => {}
            END => break,
            _ => drop(reader.sub_u8("TZSP tag").ok()?),
        }
    }
    Some(Tunnel {
        layer: Encapsulation::Tzsp,
        network: Network::BetweenEnds,
        next: match carried {
            1 => Next::Ethernet,
            18 => Next::Ieee80211 { padded: false },
            119 => Next::Captured(Captured::Prism),
            127 => Next::Captured(Captured::Avs),
            _ => return None,
        },
        len: None,
    })
}

/// Whether a GRE header of version 0 is here that carries something known (RFC 8086 §3 for UDP).
fn holds_gre(bytes: &[u8], cut: bool) -> bool {
    const FLAGS: u16 = 0xb000;
    let Some(&[a, b, c, d]) = bytes.first_chunk() else { return false };
    let (flags, protocol) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
    // Each flag is one of a field of 4 bytes.
    let fields_len = (flags & FLAGS).count_ones() as usize * 4;
    let carried = bytes.get(4 + fields_len..).unwrap_or_default();
    let is_known = match protocol {
        ether_type::IPV4 | ether_type::IPV6 => plausible::ip(carried, cut),
        ether_type::BRIDGED => plausible::frame(carried, cut),
        _ => protocol >= ether_type::MIN && ether_type::is_common(protocol),
    };
    flags & !FLAGS == 0 && is_known
}
