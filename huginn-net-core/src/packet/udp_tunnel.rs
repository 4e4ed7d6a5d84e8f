//! Tunnels over UDP.

use super::Undecoded;
use super::layout::Encapsulation;
use super::link::ether_type;
use super::walk::{Next, Walk};
use crate::Reader;

/// UDP ports of tunnels (IANA registry; 8472 is what Linux used for VXLAN before 4789 was assigned).
pub(crate) mod port {
    pub(super) const VXLAN: u16 = 4789;
    pub(super) const VXLAN_LINUX: u16 = 8472;
    pub(super) const GENEVE: u16 = 6081;
    pub(super) const GTP_U: u16 = 2152;
    pub(crate) const TEREDO: u16 = 3544;

    /// Destinations of tunnels; the source of one may be [`TEREDO`].
    pub(crate) const ALL: [u16; 5] = [VXLAN, VXLAN_LINUX, GENEVE, GTP_U, TEREDO];
}

impl Walk<'_> {
    /// What a UDP datagram carries if its port is that of a tunnel and the tunnel's header is there. Ports are
    /// chosen freely, so that anything else is the payload of an ordinary datagram. The cursor is at the payload.
    #[inline]
    pub(super) fn udp_tunnel(
        &mut self,
        source_port: u16,
        destination_port: u16,
    ) -> Result<Option<Next>, Undecoded> {
        let is_teredo = source_port == port::TEREDO;
        let header = match destination_port {
            port::VXLAN | port::VXLAN_LINUX => vxlan,
            port::GENEVE => geneve,
            port::GTP_U => gtp_u,
            port::TEREDO => teredo,
            _ if is_teredo => teredo,
            _ => return Ok(None),
        };
        let mut reader = self.reader();
        let Some(tunnel) = header(&mut reader, self.cut) else { return Ok(None) };
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

/// Whether a datagram of these source and destination ports may carry a tunnel.
#[inline]
pub(super) const fn may_be_on((source_port, destination_port): (u16, u16)) -> bool {
    matches!(destination_port, port::VXLAN | port::VXLAN_LINUX | port::GENEVE | port::GTP_U | port::TEREDO)
        || source_port == port::TEREDO
}

/// A tunnel header that was recognised. Its parser is told whether the capture cut the datagram.
struct Tunnel {
    layer: Encapsulation,
    network: Network,
    next: Next,
    /// Length of what it carries, if its header states it.
    len: Option<usize>,
}

/// What tells the addresses inside a tunnel from equal ones elsewhere.
enum Network {
    /// An identifier of the virtual network, the same in both directions.
    Identified(u32),
    /// The two ends of the tunnel.
    BetweenEnds,
    /// Nothing, as the addresses are unique.
    Global,
}

/// RFC 7348 §5: flags with the bit "I" set, 24-bit network identifier; all other bits are to be ignored, so that the
/// type of the frame inside has to tell whether this is VXLAN.
fn vxlan(reader: &mut Reader<'_>, _cut: bool) -> Option<Tunnel> {
    const NETWORK_PRESENT: u8 = 0x08;
    let flags = reader.u8("VXLAN flags").ok()?;
    reader.skip(3, "VXLAN reserved").ok()?;
    let network = reader.u24("VXLAN network").ok()?;
    reader.skip(1, "VXLAN reserved").ok()?;
    let mut inside = *reader;
    inside.skip(12, "Ethernet addresses").ok()?;
    let is_frame = ether_type::is_common(inside.u16("EtherType").ok()?);
    (flags & NETWORK_PRESENT != 0 && is_frame).then_some(Tunnel {
        layer: Encapsulation::Vxlan,
        network: Network::Identified(network),
        next: Next::Ethernet,
        len: None,
    })
}

/// RFC 8926 §3.4: version 0, length of options in 4 bytes, flags, protocol, 24-bit network identifier; the other bits
/// are to be ignored.
fn geneve(reader: &mut Reader<'_>, _cut: bool) -> Option<Tunnel> {
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
fn gtp_u(reader: &mut Reader<'_>, cut: bool) -> Option<Tunnel> {
    const OPTIONAL_FIELDS: u8 = 0b111;
    const EXTENSION: u8 = 0b100;
    let [flags, message] = reader.array("GTP-U header").ok()?;
    let len = reader.u16("GTP-U length").ok()?;
    reader.skip(4, "GTP-U endpoint").ok()?;
    let start = reader.position();
    if flags >> 4 != 0b0011 || message != 255 || (usize::from(len) > reader.remaining() && !cut) {
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
fn teredo(reader: &mut Reader<'_>, cut: bool) -> Option<Tunnel> {
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
    (first >> 28 == 6 && (is_whole || cut)).then_some(Tunnel {
        layer: Encapsulation::Teredo,
        network: Network::Global,
        next: Next::IPV6,
        len: None,
    })
}
