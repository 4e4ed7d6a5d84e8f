//! Flows and networks by number.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use super::{Direction, FlowFilter};
use crate::key::Key;
use crate::{Endpoint, IpHeader, IpProtocol, IpVersion, Origin};

/// A number that stands for a flow: two endpoints, a transport protocol and the address space (see
/// [`Layout::domain`](crate::Layout::domain)), in either direction.
///
/// It takes 8 bytes where a [`FlowKey`](super::FlowKey) takes 48. That two flows share a tag is about as unlikely as that
/// two random numbers of 64 bits are equal, and nobody can raise the odds who does not know the key that this process has
/// chosen. [`Packet::flow`](crate::Packet::flow) and [`Origin::flow`](crate::Origin::flow) give it.
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

    /// What stands for one of several flows that this one carries, by a number that tells them apart.
    #[must_use]
    pub fn of_part(self, number: u64) -> Self {
        Self(KEYS.part.fold(self.0, number))
    }

    /// A tag like any other, for places in which none is.
    pub(crate) const ZERO: Self = Self(0);

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

/// A number that stands for a network within its address space, as a [`FlowTag`] does for a flow;
/// [`Packet::source_network`](crate::Packet::source_network) gives it.
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

/// What tags are made under, at random and the same for the whole process, so that all agree on them. No result may depend on
/// the values of tags or their order.
struct Keys {
    address: Key,
    endpoint: Key,
    pair: Key,
    flow: Key,
    part: Key,
    address_v4: Key,
    network_v6: Key,
}

static KEYS: LazyLock<Keys> = LazyLock::new(Keys::random);

impl FlowTag {
    /// The flow of two endpoints, and the way from the first to the second. Ports are as they lie in memory, as are addresses: it
    /// matters only that different ones differ.
    #[inline(always)]
    pub(crate) fn of_headers(
        ip: &IpHeader<'_>,
        protocol: IpProtocol,
        ports: (u16, u16),
        domain: u64,
    ) -> (Self, Direction) {
        KEYS.flow_of_headers(ip, protocol, ports, domain)
    }

    /// The flow of the packet that an event is of, and the way that packet went.
    #[inline]
    pub(crate) fn of_origin(origin: &Origin) -> (Self, Direction) {
        KEYS.flow_of_origin(origin)
    }
}

impl NetworkTag {
    /// The network that sent a packet with this header, in its [address space](crate::Layout::domain).
    #[inline(always)]
    pub(crate) fn of_source(ip: &IpHeader<'_>, domain: u64) -> Self {
        match ip {
            IpHeader::V4(header) => KEYS.network_v4(header.source(), domain),
            IpHeader::V6(header) => KEYS.network_v6(header.source(), domain),
        }
    }

    /// The network that a packet with this header was sent to.
    pub(crate) fn of_destination(ip: &IpHeader<'_>, domain: u64) -> Self {
        match ip {
            IpHeader::V4(header) => KEYS.network_v4(header.destination(), domain),
            IpHeader::V6(header) => KEYS.network_v6(header.destination(), domain),
        }
    }
}

impl Keys {
    /// They come from the operating system by way of the standard library.
    fn random() -> Self {
        let [address, endpoint, pair, flow, part, address_v4, network_v6] = Key::random();
        Self { address, endpoint, pair, flow, part, address_v4, network_v6 }
    }

    #[inline(always)]
    fn flow_of_headers(
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
                    endpoint_v4(header.source(), u64::from(source_port) | kind),
                    endpoint_v4(header.destination(), u64::from(destination_port) | kind),
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

    #[inline]
    fn flow_of_origin(&self, origin: &Origin) -> (FlowTag, Direction) {
        let version = if origin.source.ip().is_ipv4() { IpVersion::V4 } else { IpVersion::V6 };
        let kind = kind(version, origin.protocol);
        let endpoint = |end: Endpoint| {
            let port = u64::from(end.port().to_be()) | kind;
            match end.ip() {
                IpAddr::V4(address) => endpoint_v4(address, port),
                IpAddr::V6(address) => self.endpoint_v6(address, port),
            }
        };
        self.flow_between(endpoint(origin.source), endpoint(origin.destination), origin.domain)
    }

    /// An address, and a port of which the upper half is free.
    #[inline]
    fn endpoint_v6(&self, address: Ipv6Addr, port: u64) -> u64 {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = address.octets();
        let network = u64::from_ne_bytes([a, b, c, d, e, f, g, h]);
        let address = self.address.fold(u64::from_ne_bytes([i, j, k, l, m, n, o, p]), network);
        self.endpoint.fold(address, port)
    }

    /// The flow of two endpoints, each of which is all that tells it from others of its address space.
    #[inline(always)]
    fn flow_between(&self, source: u64, destination: u64, domain: u64) -> (FlowTag, Direction) {
        let direction = if source <= destination { Direction::FromLower } else { Direction::FromHigher };
        // Not their sum, which is the same either way too: numbers of neighbouring endpoints differ by nearly the same
        // amounts, which a sum lets cancel out.
        let pair = self.pair.fold(source.min(destination), source.max(destination));
        (FlowTag(self.flow.fold(pair, domain)), direction)
    }

    #[inline(always)]
    fn network_v4(&self, address: Ipv4Addr, domain: u64) -> NetworkTag {
        NetworkTag(self.address_v4.fold(u32::from_ne_bytes(address.octets()).into(), domain))
    }

    #[inline(always)]
    fn network_v6(&self, address: Ipv6Addr, domain: u64) -> NetworkTag {
        let [a, b, c, d, e, f, g, h, ..] = address.octets();
        NetworkTag(self.network_v6.fold(u64::from_ne_bytes([a, b, c, d, e, f, g, h]), domain))
    }
}

/// An address, and a port of which the upper half is free.
#[inline]
fn endpoint_v4(address: Ipv4Addr, port: u64) -> u64 {
    u64::from(u32::from_ne_bytes(address.octets())) << 32 | port
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
    use crate::{Frame, LinkType, Packet};

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

    fn decoded(datagram: &[u8]) -> Packet<'_> {
        Packet::decode(&Frame::new(datagram, LinkType::RAW)).expect("a packet")
    }

    fn flow(datagram: &[u8]) -> (FlowTag, Direction) {
        decoded(datagram).flow().expect("ports")
    }

    #[test]
    fn both_directions_of_a_flow_have_one_tag_and_two_directions() {
        for (v6, protocol) in [(false, 6), (false, 17), (true, 6), (true, 17)] {
            let (there, way) = flow(&datagram(v6, protocol, (1, 40), (2, 80)));
            let (back, way_back) = flow(&datagram(v6, protocol, (2, 80), (1, 40)));
            assert_eq!((there, way), (back, way_back.reversed()));
        }
    }

    #[test]
    fn whatever_differs_between_flows_differs_in_their_tags() {
        let mut tags = HashSet::new();
        let mut flows = 0;
        for (v6, protocol) in [(false, 6), (false, 17), (true, 6), (true, 17)] {
            // Ports swapped between the same two hosts are another flow.
            for (from, to) in [
                ((1, 40), (2, 80)),
                ((1, 80), (2, 40)),
                ((1, 40), (3, 80)),
                ((1, 41), (2, 80)),
                ((1, 40), (1, 40)),
            ] {
                tags.insert(flow(&datagram(v6, protocol, from, to)).0);
                flows += 1;
            }
        }
        assert_eq!(tags.len(), flows);
    }

    #[test]
    fn flows_between_neighbours_whose_ports_run_against_each_other_have_tags_of_their_own() {
        for _ in 0..40 {
            let keys = Keys::random();
            let tag = |step: u64| {
                let (source, destination) =
                    (0x0a00_0002 << 32 | (40_000 + step), 0x0a00_0003 << 32 | (20_000 - step));
                keys.flow_between(source, destination, 0).0
            };
            assert_eq!((0..20_000).map(tag).collect::<HashSet<_>>().len(), 20_000);
        }
    }

    #[test]
    fn the_sender_of_a_packet_has_a_tag_whatever_its_port() {
        let source = |datagram: &[u8]| decoded(datagram).source_network();
        for v6 in [false, true] {
            let tag = source(&datagram(v6, 6, (1, 40), (2, 80)));
            assert_eq!(tag, source(&datagram(v6, 17, (1, 41), (3, 80))));
        }
    }

    #[test]
    fn hosts_of_an_ipv6_network_have_the_tag_of_the_network() {
        let network = |datagram: &[u8]| decoded(datagram).source_network();
        let v6 = datagram(true, 6, (1, 40), (2, 80));
        let mut elsewhere = v6.clone();
        elsewhere[15] = 1;
        assert_eq!(network(&v6), network(&datagram(true, 6, (3, 40), (2, 80))));
        assert_ne!(network(&v6), network(&elsewhere));
        let v4 = |host| datagram(false, 6, (host, 40), (9, 80));
        assert_ne!(network(&v4(1)), network(&v4(2)));
    }

    #[test]
    fn an_event_has_the_flow_of_its_packet() {
        for v6 in [false, true] {
            for (from, to) in [((1, 40), (2, 80)), ((2, 80), (1, 40))] {
                let datagram = datagram(v6, 6, from, to);
                let packet = decoded(&datagram);
                assert_eq!(Some(Origin::of(&packet).flow()), packet.flow());
                let (ip, segment) = packet.tcp_headers().expect("a segment");
                assert_eq!(Origin::of_headers(&packet, &ip, &segment), Origin::of(&packet));
            }
        }
    }

    #[test]
    fn parts_of_flows_have_tags_of_their_own() {
        let flows = [40, 41].map(|port| flow(&datagram(false, 17, (1, port), (2, 80))).0);
        let parts = flows.into_iter().flat_map(|flow| (0..100).map(move |number| flow.of_part(number)));
        assert_eq!(parts.chain(flows).collect::<HashSet<_>>().len(), 202);
        assert_eq!(flows[0].of_part(7), flows[0].of_part(7));
    }

    #[test]
    fn a_packet_without_ports_has_no_flow() {
        let mut datagram = datagram(false, 6, (1, 40), (2, 80));
        datagram[9] = 1;
        assert_eq!(decoded(&datagram).flow(), None);
    }

    #[test]
    fn another_process_has_other_tags() {
        let datagram = datagram(false, 6, (1, 40), (2, 80));
        let origin = Origin::of(&decoded(&datagram));
        assert_eq!(KEYS.flow_of_origin(&origin), flow(&datagram));
        assert_ne!(Keys::random().flow_of_origin(&origin), flow(&datagram));
    }
}
