//! Flows and networks by number.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::OnceLock;

use super::{Direction, FlowFilter};
use crate::key::Key;
use crate::{Endpoint, IpHeader, IpProtocol, IpVersion, Origin, Packet, TcpHeader};

/// A number that stands for a flow: two endpoints, a transport protocol and the address space (see
/// [`Layout::domain`](crate::Layout::domain)), in either direction.
///
/// It takes 8 bytes where a [`FlowKey`](super::FlowKey) takes 48. That two flows share a tag is about as unlikely as that
/// two random numbers of 64 bits are equal, and nobody can raise the odds who does not know the key of the
/// [`FlowTagger`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlowTag(u64);

impl FlowTag {
    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    /// Its upper bits, which are as good as any.
    #[inline]
    pub(super) const fn upper_bits(self, count: u32) -> u64 {
        self.0 >> (u64::BITS - count)
    }

    /// What stands for one direction of the flow in a [`FlowFilter`](super::FlowFilter) that holds directions; both lie side
    /// by side there.
    #[inline]
    #[must_use]
    pub const fn of_way(self, direction: Direction) -> Self {
        Self(self.0 ^ (matches!(direction, Direction::FromHigher) as u64) << (u64::BITS - FlowFilter::BITS))
    }

    /// A tag like any other, for places of a table in which none is.
    pub(super) const ZERO: Self = Self(0);

    /// The number.
    #[inline]
    #[cfg(feature = "capture")]
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

/// Maps the range of `hash` to one of `shares` numbers from 0, by its upper bits.
#[inline]
#[cfg(feature = "capture")]
#[expect(clippy::cast_possible_truncation, reason = "the product is less than `shares` times 2^64")]
pub(crate) const fn share(hash: u64, shares: u32) -> u32 {
    ((hash as u128 * shares as u128) >> 64) as u32
}

/// A number that stands for a network within its address space, as a [`FlowTag`] does for a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NetworkTag(u64);

impl NetworkTag {
    /// One of 256 shares of about the same size that networks fall into by their tag.
    #[inline]
    #[must_use]
    pub const fn share(self) -> u8 {
        let [share, ..] = self.0.to_be_bytes();
        share
    }
}

/// Makes tags under a random key, which is that of the process: all taggers give a flow the same tag. No result may depend
/// on their values or their order.
#[derive(Clone, Debug)]
pub struct FlowTagger {
    address: Key,
    endpoint: Key,
    pair: Key,
    flow: Key,
    address_v4: Key,
    network_v6: Key,
}

impl FlowTagger {
    /// A tagger with the key of the process, which comes from the operating system by way of the standard library.
    pub fn random() -> Self {
        static TAGGER: OnceLock<FlowTagger> = OnceLock::new();
        TAGGER.get_or_init(Self::with_new_key).clone()
    }

    fn with_new_key() -> Self {
        let [address, endpoint, pair, flow, address_v4, network_v6] = Key::random();
        Self { address, endpoint, pair, flow, address_v4, network_v6 }
    }

    /// The flow of a TCP or UDP packet and the way the packet goes; `None` for other protocols.
    ///
    /// Directions are those of this tagger, not of [`FlowKey::of`](super::FlowKey::of).
    // Inlined so that what the caller has read of the packet is not read again.
    #[inline(always)]
    #[must_use]
    pub fn flow(&self, packet: &Packet<'_>) -> Option<(FlowTag, Direction)> {
        let (source_port, destination_port) = packet.ports()?;
        let ports = (source_port.to_be(), destination_port.to_be());
        Some(self.flow_of_parts(&packet.ip()?, packet.protocol(), ports, packet.layout().domain()))
    }

    /// The same of a packet whose headers the caller has.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn flow_of_headers(
        &self,
        packet: &Packet<'_>,
        ip: &IpHeader<'_>,
        tcp: &TcpHeader<'_>,
    ) -> (FlowTag, Direction) {
        let &[a, b, c, d, ..] = tcp.bytes();
        let ports = (u16::from_ne_bytes([a, b]), u16::from_ne_bytes([c, d]));
        self.flow_of_parts(ip, IpProtocol::TCP, ports, packet.layout().domain())
    }

    /// Addresses and ports are numbers as they lie in memory, as it matters only that different ones differ.
    #[inline(always)]
    fn flow_of_parts(
        &self,
        ip: &IpHeader<'_>,
        protocol: IpProtocol,
        (source_port, destination_port): (u16, u16),
        domain: u64,
    ) -> (FlowTag, Direction) {
        // Not of the version as a number: to shift what was just written as a byte takes a load of more, which waits.
        let (source, destination) = match ip {
            IpHeader::V4(header) => {
                let kind = kind(IpVersion::V4, protocol);
                (
                    Self::endpoint_v4(header.source(), u64::from(source_port) | kind),
                    Self::endpoint_v4(header.destination(), u64::from(destination_port) | kind),
                )
            }
            IpHeader::V6(header) => {
                let kind = kind(IpVersion::V6, protocol);
                (
                    self.endpoint_v6(header.source(), u64::from(source_port) | kind),
                    self.endpoint_v6(header.destination(), u64::from(destination_port) | kind),
                )
            }
        };
        self.flow_between(source, destination, domain)
    }

    /// The flow of the packet that an event is of, as [`flow`](Self::flow) tells it, and the way that packet went.
    #[inline]
    #[must_use]
    pub fn flow_of(&self, origin: &Origin) -> (FlowTag, Direction) {
        let version = if origin.source.ip().is_ipv4() { IpVersion::V4 } else { IpVersion::V6 };
        let kind = kind(version, origin.protocol);
        let endpoint = |end: Endpoint| {
            let port = u64::from(end.port().to_be()) | kind;
            match end.ip() {
                IpAddr::V4(address) => Self::endpoint_v4(address, port),
                IpAddr::V6(address) => self.endpoint_v6(address, port),
            }
        };
        self.flow_between(endpoint(origin.source), endpoint(origin.destination), origin.domain)
    }

    /// An address, and a port of which the upper half is free.
    #[inline]
    fn endpoint_v4(address: Ipv4Addr, port: u64) -> u64 {
        u64::from(u32::from_ne_bytes(address.octets())) << 32 | port
    }

    #[inline]
    fn endpoint_v6(&self, address: Ipv6Addr, port: u64) -> u64 {
        self.endpoint.fold(self.fold_address(address), port)
    }

    /// The flow of two endpoints, each of which is all that tells it from others of its address space.
    #[inline]
    fn flow_between(&self, source: u64, destination: u64, domain: u64) -> (FlowTag, Direction) {
        let direction = if source <= destination { Direction::FromLower } else { Direction::FromHigher };
        // Not their sum, which is the same either way too: numbers of neighbouring endpoints differ by nearly the same
        // amounts, which a sum lets cancel out.
        let pair = self.pair.fold(source.min(destination), source.max(destination));
        (FlowTag(self.flow.fold(pair, domain)), direction)
    }

    /// The network that sent a packet: the address for IPv4, its first 64 bits for IPv6, as a host may use any address
    /// of its network ([RFC 4291 §2.5.1](https://www.rfc-editor.org/rfc/rfc4291#section-2.5.1)).
    #[inline]
    #[must_use]
    pub fn source_network(&self, packet: &Packet<'_>) -> Option<NetworkTag> {
        Some(self.source_network_of(&packet.ip()?, packet.layout().domain()))
    }

    /// The same by the IP header of a packet and its [address space](crate::Layout::domain).
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn source_network_of(&self, ip: &IpHeader<'_>, domain: u64) -> NetworkTag {
        NetworkTag(match ip {
            IpHeader::V4(header) => {
                let address = u32::from_ne_bytes(header.source().octets());
                self.address_v4.fold(address.into(), domain)
            }
            IpHeader::V6(header) => {
                let &[a, b, c, d, e, f, g, h, ..] = &header.source().octets();
                self.network_v6.fold(u64::from_ne_bytes([a, b, c, d, e, f, g, h]), domain)
            }
        })
    }

    #[inline]
    fn fold_address(&self, address: Ipv6Addr) -> u64 {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = address.octets();
        let network = u64::from_ne_bytes([a, b, c, d, e, f, g, h]);
        self.address.fold(u64::from_ne_bytes([i, j, k, l, m, n, o, p]), network)
    }
}

/// What tells flows apart whose addresses and ports have the same bits, for the upper half of a port.
#[inline]
fn kind(version: IpVersion, protocol: IpProtocol) -> u64 {
    u64::from(protocol.0) << 16 | (version as u64) << 24
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Frame, LinkType};

    /// A TCP or UDP datagram between two endpoints, each given by its last address byte and its port.
    fn datagram(v6: bool, protocol: u8, from: (u8, u16), to: (u8, u16)) -> Vec<u8> {
        let mut datagram = if v6 {
            let mut header = vec![0x60, 0, 0, 0, 0, 20, protocol, 64];
            for (last, _) in [from, to] {
                header.extend([0x20, 0x01, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);
            }
            header
        } else {
            vec![0x45, 0, 0, 40, 0, 0, 0, 0, 64, protocol, 0, 0, 10, 0, 0, from.0, 10, 0, 0, to.0]
        };
        datagram.extend(from.1.to_be_bytes());
        datagram.extend(to.1.to_be_bytes());
        // Length and checksum of UDP; of TCP, a sequence number.
        datagram.extend([0, 20, 0, 0, 0, 0, 0, 0, 0x50, 0x10, 0, 0, 0, 0, 0, 0]);
        datagram
    }

    fn tag(tagger: &FlowTagger, datagram: &[u8]) -> (FlowTag, Direction) {
        let frame = Frame::new(datagram, LinkType::RAW);
        tagger.flow(&Packet::decode(&frame).expect("a packet")).expect("ports")
    }

    #[test]
    fn both_directions_of_a_flow_have_one_tag_and_two_directions() {
        let tagger = FlowTagger::random();
        for (v6, protocol) in [(false, 6), (false, 17), (true, 6), (true, 17)] {
            let (there, way) = tag(&tagger, &datagram(v6, protocol, (1, 40), (2, 80)));
            let (back, way_back) = tag(&tagger, &datagram(v6, protocol, (2, 80), (1, 40)));
            assert_eq!((there, way), (back, way_back.reversed()));
        }
    }

    #[test]
    fn whatever_differs_between_flows_differs_in_their_tags() {
        let tagger = FlowTagger::random();
        let mut tags = HashSet::new();
        let mut flows = 0;
        for (v6, protocol) in [(false, 6), (false, 17), (true, 6), (true, 17)] {
            // Ports swapped between the same two hosts are another flow.
            for flow in [
                ((1, 40), (2, 80)),
                ((1, 80), (2, 40)),
                ((1, 40), (3, 80)),
                ((1, 41), (2, 80)),
                ((1, 40), (1, 40)),
            ] {
                tags.insert(tag(&tagger, &datagram(v6, protocol, flow.0, flow.1)).0);
                flows += 1;
            }
        }
        assert_eq!(tags.len(), flows);
    }

    #[test]
    fn flows_between_neighbours_whose_ports_run_against_each_other_have_tags_of_their_own() {
        for _ in 0..40 {
            let tagger = FlowTagger::with_new_key();
            let tag = |step: u64| {
                let (source, destination) =
                    (0x0a00_0002 << 32 | (40_000 + step), 0x0a00_0003 << 32 | (20_000 - step));
                tagger.flow_between(source, destination, 0).0
            };
            assert_eq!((0..20_000).map(tag).collect::<HashSet<_>>().len(), 20_000);
        }
    }

    #[test]
    fn the_sender_of_a_packet_has_a_tag_whatever_its_port() {
        let tagger = FlowTagger::random();
        let source = |datagram: &[u8]| {
            tagger.source_network(&Packet::decode(&Frame::new(datagram, LinkType::RAW)).expect("a packet"))
        };
        for v6 in [false, true] {
            let tag = source(&datagram(v6, 6, (1, 40), (2, 80)));
            assert_eq!(tag, source(&datagram(v6, 17, (1, 41), (3, 80))));
        }
    }

    #[test]
    fn hosts_of_an_ipv6_network_have_the_tag_of_the_network() {
        let tagger = FlowTagger::random();
        let network = |datagram: &[u8]| {
            tagger.source_network(&Packet::decode(&Frame::new(datagram, LinkType::RAW)).expect("a packet"))
        };
        let v6 = datagram(true, 6, (1, 40), (2, 80));
        let mut elsewhere = v6.clone();
        elsewhere[15] = 1;
        assert_eq!(network(&v6), network(&datagram(true, 6, (3, 40), (2, 80))));
        assert_ne!(network(&v6), network(&elsewhere));
        let v4 = |host| datagram(false, 6, (host, 40), (9, 80));
        assert_ne!(network(&v4(1)), network(&v4(2)));
    }

    #[test]
    fn headers_that_the_caller_has_tell_the_same_as_the_packet() {
        let tagger = FlowTagger::random();
        for v6 in [false, true] {
            for (from, to) in [((1, 40), (2, 80)), ((2, 80), (1, 40))] {
                let datagram = datagram(v6, 6, from, to);
                let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
                let (ip, segment) = (packet.ip().expect("a header"), packet.tcp().expect("a segment"));
                let flow = tagger.flow(&packet).expect("ports");
                assert_eq!(tagger.flow_of_headers(&packet, &ip, &segment), flow);
                assert_eq!(tagger.flow_of(&Origin::of(&packet)), flow);
                assert_eq!(Origin::of_headers(&packet, &ip, &segment), Origin::of(&packet));
            }
        }
    }

    #[test]
    fn all_taggers_agree_and_another_key_would_not() {
        let datagram = datagram(false, 6, (1, 40), (2, 80));
        let known = tag(&FlowTagger::random(), &datagram).0;
        assert_eq!(tag(&FlowTagger::random(), &datagram).0, known);
        assert_ne!(tag(&FlowTagger::with_new_key(), &datagram).0, known);
    }
}
