//! What the units of a kind have in common.

use std::collections::HashMap;

use super::Events;
use crate::capture::Capture;
use crate::corpus;
use crate::encap::{ether_type, link::link_type};
use crate::packet::{flags, protocol};

/// The frames of a unit before it has an identity: sequence numbers begin at 0.
pub(super) struct Template {
    pub(super) frames: Vec<TemplateFrame>,
    /// What there is to find in one unit.
    pub(super) events: Events,
}

#[derive(Debug, Clone)]
pub(super) struct TemplateFrame {
    /// An Ethernet frame of IPv4 without options or IPv6 without extension headers, and TCP or UDP.
    pub(super) bytes: Vec<u8>,
    pub(super) from_client: bool,
    /// Nanoseconds since the frame before it.
    pub(super) wait: u64,
    /// Offset of the random of a ClientHello, if all of it is in this frame.
    pub(super) random_at: Option<usize>,
}

/// Where the parts of a frame are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts {
    pub(super) is_v6: bool,
    pub(super) protocol: u8,
    /// Offset of the transport header.
    pub(super) transport_at: usize,
    /// Offset of what follows it.
    pub(super) payload_at: usize,
}

impl Parts {
    /// Offset of the IP header.
    pub(super) const IP_AT: usize = 14;

    /// `None` for frames that are not as those of a template.
    pub(super) fn of(frame: &[u8]) -> Option<Self> {
        let (is_v6, protocol_at, transport_at) = match be_u16(frame, 12)? {
            // No options, and no fragment: neither more of them nor an offset.
            ether_type::IPV4 if *frame.get(14)? == 0x45 && be_u16(frame, 20)? & 0x3fff == 0 => {
                (false, 23, 34)
            }
            ether_type::IPV6 => (true, 20, 54),
            _ => return None,
        };
        let protocol = *frame.get(protocol_at)?;
        let payload_at = match protocol {
            protocol::TCP => transport_at + usize::from(*frame.get(transport_at + 12)? >> 4) * 4,
            protocol::UDP => transport_at + 8,
            _ => return None,
        };
        (payload_at <= frame.len()).then_some(Self { is_v6, protocol, transport_at, payload_at })
    }

    /// Source and destination, addresses and ports.
    fn ends<'a>(&self, frame: &'a [u8]) -> [(&'a [u8], &'a [u8]); 2] {
        let (at, len) = if self.is_v6 { (22, 16) } else { (26, 4) };
        let port = |index: usize| &frame[self.transport_at + 2 * index..][..2];
        [(&frame[at..][..len], port(0)), (&frame[at + len..][..len], port(1))]
    }

    pub(super) fn tcp_flags(&self, frame: &[u8]) -> u16 {
        u16::from_be_bytes([frame[self.transport_at + 12] & 0x0f, frame[self.transport_at + 13]])
    }
}

fn be_u16(frame: &[u8], at: usize) -> Option<u16> {
    frame.get(at..at + 2)?.try_into().ok().map(u16::from_be_bytes)
}

/// Adds to a big-endian number of 32 bits in a frame.
pub(super) fn add(frame: &mut [u8], at: usize, amount: u32) {
    let number: &mut [u8; 4] = (&mut frame[at..at + 4]).try_into().expect("four bytes");
    *number = u32::from_be_bytes(*number).wrapping_add(amount).to_be_bytes();
}

impl Template {
    /// A template of these frames, so far apart, in which the first one is the client's.
    pub(super) fn new(frames: Vec<Vec<u8>>, wait: u64) -> Self {
        let first = frames.first().expect("a frame");
        let client = Parts::of(first).expect("TCP or UDP over IP").ends(first)[0];
        let (client, client_port) = (client.0.to_vec(), client.1.to_vec());
        let mut events = Events { units: 1, ..Events::default() };
        let make = |bytes: Vec<u8>| {
            let parts = Parts::of(&bytes).expect("TCP or UDP over IP");
            let from_client = parts.ends(&bytes)[0] == (&client[..], &client_port[..]);
            let payload = &bytes[parts.payload_at..];
            let is_tcp = parts.protocol == protocol::TCP;
            events.packets += 1;
            events.bytes += bytes.len() as u64;
            if is_tcp {
                let kind = parts.tcp_flags(&bytes) & (flags::SYN | flags::ACK);
                events.syns += u64::from(kind == flags::SYN);
                events.syn_acks += u64::from(kind == flags::SYN | flags::ACK);
            }
            let hello = is_tcp.then(|| hello_type(payload)).flatten();
            events.client_hellos += u64::from(hello == Some(1));
            events.server_hellos += u64::from(hello == Some(2));
            events.http_requests += u64::from(payload.starts_with(b"GET "));
            events.http_responses += u64::from(payload.starts_with(b"HTTP/1.1 "));
            // Record header, message header, version.
            let random_at = parts.payload_at + 11;
            let has_random = hello == Some(1) && bytes.len() >= random_at + 32;
            TemplateFrame { bytes, from_client, wait, random_at: has_random.then_some(random_at) }
        };
        let frames = frames.into_iter().map(make).collect();
        Self { frames, events }
    }

    /// The first connection or exchange of datagrams in a capture of Ethernet.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn of_capture(name: &str, wait: u64) -> Self {
        Self::new(frames_of(name), wait)
    }

    /// The same with other frames to find in it, which the bytes do not show.
    pub(super) fn with(mut self, change: impl FnOnce(&mut Events)) -> Self {
        change(&mut self.events);
        self
    }
}

/// Type of the message at the begin of a segment, if a TLS record of handshake messages is there.
fn hello_type(payload: &[u8]) -> Option<u8> {
    match payload {
        [22, 3, _, _, _, message, ..] => Some(*message),
        _ => None,
    }
}

/// The frames of the first connection or exchange of datagrams in a capture, with sequence numbers that begin at 0.
pub(super) fn frames_of(name: &str) -> Vec<Vec<u8>> {
    units_of(name).into_iter().next().unwrap_or_else(|| panic!("{name}: no connection"))
}

/// The frames of each connection and exchange of datagrams in a capture, in the order in which they begin, with sequence
/// numbers that begin at 0. Frames that are of none are left out.
pub(super) fn units_of(name: &str) -> Vec<Vec<Vec<u8>>> {
    let capture = Capture::open(&corpus::path(name));
    assert_eq!(capture.link_type, link_type::ETHERNET, "{name}");
    let mut units: Vec<Vec<Vec<u8>>> = Vec::new();
    let mut unit_of = HashMap::new();
    for frame in capture.records.into_iter().map(|record| record.bytes) {
        let Some(parts) = Parts::of(&frame) else { continue };
        let mut ends = parts.ends(&frame).map(|(address, port)| [address, port].concat());
        ends.sort();
        let index = *unit_of.entry((parts.protocol, ends)).or_insert(units.len());
        match units.get_mut(index) {
            Some(unit) => unit.push(frame),
            None => units.push(vec![frame]),
        }
    }
    units.iter_mut().for_each(|unit| rebase(unit));
    units
}

/// Lets the sequence numbers of a connection begin at 0 in both directions.
fn rebase(frames: &mut [Vec<u8>]) {
    let sequence = |frame: &[u8]| {
        let parts = Parts::of(frame)?;
        let at = parts.transport_at + 4;
        (parts.protocol == protocol::TCP && parts.tcp_flags(frame) & flags::SYN != 0)
            .then(|| u32::from_be_bytes(frame[at..at + 4].try_into().expect("four bytes")))
    };
    let source = |frame: &[u8]| {
        Parts::of(frame).map(|parts| {
            let [(address, port), _] = parts.ends(frame);
            [address, port].concat()
        })
    };
    let client = source(&frames[0]);
    let isn_of = |is_client: bool| {
        frames.iter().filter(|frame| (source(frame) == client) == is_client).find_map(|frame| sequence(frame))
    };
    let (client_isn, server_isn) = (isn_of(true).unwrap_or(0), isn_of(false).unwrap_or(0));
    for frame in frames {
        let is_client = source(frame) == client;
        let (own, other) = if is_client { (client_isn, server_isn) } else { (server_isn, client_isn) };
        super::unit::shift(frame, own.wrapping_neg(), other.wrapping_neg());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encap::{fragment, link};
    use crate::packet::{IpHeader, Ipv4, Tcp};

    #[test]
    fn a_fragment_and_a_frame_that_was_cut_are_none_of_a_template() {
        let segment = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&Tcp::new(1, 2).payload(&[0x50; 64]));
        let whole = link::ethernet(&segment);
        assert!(Parts::of(&whole).is_some());
        for piece in fragment::ipv4(&segment, 64) {
            assert!(Parts::of(&link::ethernet(&piece)).is_none());
        }
        let headers = 14 + 20 + 20;
        for len in 0..whole.len() {
            assert_eq!(Parts::of(&whole[..len]).is_some(), len >= headers, "{len}");
        }
    }

    #[test]
    fn the_ends_of_a_connection_are_told_apart_if_both_have_the_same_port() {
        let (client, server) = ([10, 0, 0, 1], [10, 0, 0, 2]);
        let segment = Tcp::new(179, 179);
        let mut frames = vec![
            Ipv4::new(client, server).tcp(&segment.clone().flags(flags::SYN).sequence(1_000)),
            Ipv4::new(server, client)
                .tcp(&segment.clone().flags(flags::SYN | flags::ACK).sequence(5_000).acknowledgment(1_001)),
            Ipv4::new(client, server).tcp(&segment.flags(flags::ACK).sequence(1_001).acknowledgment(5_001)),
        ];
        frames.iter_mut().for_each(|frame| *frame = link::ethernet(frame));
        rebase(&mut frames);
        let number = |frame: &[u8], at: usize| u32::from_be_bytes(frame[at..at + 4].try_into().unwrap());
        let numbers: Vec<_> = frames.iter().map(|frame| (number(frame, 38), number(frame, 42))).collect();
        assert_eq!(numbers, [(0, 0), (0, 1), (1, 1)]);
    }
}
