//! The same traffic in every wrapping: what an analysis reports must not depend on it.

mod all;

use crate::capture::{Capture, Record};
use crate::encap::ether_type;
use crate::encap::link::{self, link_type};

/// One way to wrap every frame of an Ethernet capture.
///
/// A frame that a wrapping has no place for (one that is not IP in a tunnel for IP, one that is too long) stays as it is
/// where the result is Ethernet, and is left out otherwise.
#[derive(Debug, Clone, Copy)]
pub struct Wrapping {
    /// Short name, for messages.
    pub name: &'static str,
    link_type: u16,
    how: How,
    /// Whether `how` makes datagrams, which then go into Ethernet frames.
    makes_datagrams: bool,
}

/// What a wrapping takes of a frame, and what it makes of that.
#[derive(Debug, Clone, Copy)]
enum How {
    /// The whole frame.
    Frame(fn(&[u8]) -> Vec<u8>),
    /// EtherType and payload.
    Payload(fn(u16, &[u8]) -> Vec<u8>),
    /// An IP datagram.
    Datagram(fn(&[u8]) -> Vec<u8>),
    /// An IP datagram that a length of 802.3 can count.
    ShortDatagram(fn(&[u8]) -> Vec<u8>),
    /// An IPv4 datagram.
    Ipv4(fn(&[u8]) -> Vec<u8>),
    /// An IPv6 datagram.
    Ipv6(fn(&[u8]) -> Vec<u8>),
    /// A whole IPv4 datagram, which comes out in pieces.
    Ipv4Pieces(fn(&[u8]) -> Vec<Vec<u8>>),
    /// A whole IPv6 datagram, which comes out in pieces.
    Ipv6Pieces(fn(&[u8]) -> Vec<Vec<u8>>),
}

/// Bytes of a datagram that fit into an 802.3 frame behind LLC and SNAP headers.
const LONGEST_IN_8023: usize = 1_500 - 8;
/// Bytes of a frame that fit into a datagram with the headers of any wrapping here.
const LONGEST_IN_TUNNEL: usize = 65_535 - 256;

impl Wrapping {
    const fn new(name: &'static str, link_type: u16, how: How) -> Self {
        Self { name, link_type, how, makes_datagrams: false }
    }

    const fn frame(name: &'static str, wrap: fn(&[u8]) -> Vec<u8>) -> Self {
        Self::new(name, link_type::ETHERNET, How::Frame(wrap))
    }

    const fn whole(name: &'static str, link_type: u16, wrap: fn(&[u8]) -> Vec<u8>) -> Self {
        Self::new(name, link_type, How::Frame(wrap))
    }

    const fn payload(name: &'static str, link_type: u16, wrap: fn(u16, &[u8]) -> Vec<u8>) -> Self {
        Self::new(name, link_type, How::Payload(wrap))
    }

    const fn datagram(name: &'static str, link_type: u16, wrap: fn(&[u8]) -> Vec<u8>) -> Self {
        Self::new(name, link_type, How::Datagram(wrap))
    }

    const fn tunnel(name: &'static str, how: How) -> Self {
        Self { name, link_type: link_type::ETHERNET, how, makes_datagrams: true }
    }

    const fn frame_tunnel(name: &'static str, wrap: fn(&[u8]) -> Vec<u8>) -> Self {
        Self::tunnel(name, How::Frame(wrap))
    }

    const fn ip_tunnel(name: &'static str, wrap: fn(&[u8]) -> Vec<u8>) -> Self {
        Self::tunnel(name, How::Datagram(wrap))
    }

    /// The same frames in this wrapping, at the same times.
    ///
    /// # Panics
    /// If the capture is not of Ethernet.
    #[must_use]
    pub fn apply(&self, capture: &Capture) -> Capture {
        assert_eq!(capture.link_type, link_type::ETHERNET, "only Ethernet captures are wrapped");
        let mut records = Vec::new();
        for record in &capture.records {
            match self.wrap(record) {
                Some(wrapped) => records.extend(wrapped),
                None if self.link_type == link_type::ETHERNET => records.push(record.clone()),
                None => {}
            }
        }
        Capture { link_type: self.link_type, records }
    }

    /// Whether [`Wrapping::apply`] wraps every IP datagram of a capture.
    #[must_use]
    pub fn wraps_all(&self, capture: &Capture) -> bool {
        let is_ip = |record: &&Record| Parts::of(&record.bytes).is_some_and(|parts| parts.is_ip());
        capture.records.iter().filter(is_ip).all(|record| self.wrap(record).is_some())
    }

    /// The records one becomes, or `None` if there is no place for it.
    fn wrap(&self, record: &Record) -> Option<Vec<Record>> {
        // What the capture cut off is put back as zeros, so that the lengths in the new headers are those of the
        // wire, and cut off again behind.
        let mut frame = record.bytes.clone();
        frame.resize(record.wire_len as usize, 0);
        let missing = frame.len() - record.bytes.len();
        let parts = Parts::of(&frame)?;
        if self.makes_datagrams && frame.len() > LONGEST_IN_TUNNEL {
            return None;
        }
        let wrapped = match self.how {
            How::Frame(wrap) => vec![wrap(&frame)],
            How::Payload(wrap) => vec![wrap(parts.ether_type, parts.payload)],
            How::Datagram(wrap) if parts.is_ip() => vec![wrap(parts.payload)],
            How::ShortDatagram(wrap) if parts.is_ip() && parts.payload.len() <= LONGEST_IN_8023 => {
                vec![wrap(parts.payload)]
            }
            How::Ipv4(wrap) if parts.is_ipv4() => vec![wrap(parts.payload)],
            How::Ipv6(wrap) if parts.is_ipv6() => vec![wrap(parts.payload)],
            How::Ipv4Pieces(cut) if parts.is_whole_ipv4() && missing == 0 => cut(parts.payload),
            How::Ipv6Pieces(cut) if parts.is_whole_ipv6() && missing == 0 => cut(parts.payload),
            _ => return None,
        };
        let to_record = |bytes: Vec<u8>| {
            let mut bytes = if self.makes_datagrams { link::ethernet(&bytes) } else { bytes };
            let wire_len = bytes.len() as u32;
            bytes.truncate(bytes.len() - missing);
            Record { ts_nanos: record.ts_nanos, bytes, wire_len }
        };
        Some(wrapped.into_iter().map(to_record).collect())
    }
}

/// An Ethernet II frame in two.
struct Parts<'a> {
    ether_type: u16,
    payload: &'a [u8],
}

impl<'a> Parts<'a> {
    /// `None` for 802.3 and for less than a header.
    fn of(frame: &'a [u8]) -> Option<Self> {
        let ether_type = u16::from_be_bytes([*frame.get(12)?, *frame.get(13)?]);
        (ether_type >= 0x600).then(|| Self { ether_type, payload: &frame[14..] })
    }

    fn is_ipv4(&self) -> bool {
        self.ether_type == ether_type::IPV4 && self.payload.first().is_some_and(|byte| byte >> 4 == 4)
    }

    fn is_ipv6(&self) -> bool {
        self.ether_type == ether_type::IPV6 && self.payload.first().is_some_and(|byte| byte >> 4 == 6)
    }

    fn is_ip(&self) -> bool {
        self.is_ipv4() || self.is_ipv6()
    }

    /// Whether the lengths in the IPv4 header can be believed.
    fn is_whole_ipv4(&self) -> bool {
        let header_len = self.payload.first().map_or(0, |byte| usize::from(byte & 15) * 4);
        let total_length = self.length_at(2);
        self.is_ipv4() && header_len >= 20 && header_len < total_length && total_length <= self.payload.len()
    }

    /// Whether the length in the IPv6 header can be believed.
    fn is_whole_ipv6(&self) -> bool {
        let length = self.length_at(4);
        self.is_ipv6() && length > 0 && 40 + length <= self.payload.len()
    }

    fn length_at(&self, at: usize) -> usize {
        self.payload.get(at..at + 2).map_or(0, |bytes| usize::from(u16::from_be_bytes([bytes[0], bytes[1]])))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::packet::{IpHeader as _, Ipv4, Ipv6, Tcp, TcpOption};

    fn syn() -> Tcp {
        Tcp::new(40_000, 80).options([TcpOption::Mss(1_460), TcpOption::SackPermitted, TcpOption::Nop])
    }

    fn capture() -> Capture {
        let four = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&syn());
        let six = Ipv6::new([1; 8], [2; 8]).tcp(&syn());
        let arp = link::ethernet_of(0x0806, &[0; 28]);
        Capture::of_frames(link_type::ETHERNET, [link::ethernet(&four), link::ethernet(&six), arp])
    }

    #[test]
    fn names_differ() {
        let names: HashSet<_> = Wrapping::ALL.iter().map(|wrapping| wrapping.name).collect();
        assert_eq!(names.len(), Wrapping::ALL.len());
    }

    #[test]
    fn every_wrapping_still_holds_the_datagram() {
        let capture = capture();
        for wrapping in Wrapping::ALL {
            let wrapped = wrapping.apply(&capture);
            for record in &capture.records[..2] {
                if wrapping.wrap(record).is_none_or(|records| records.len() > 1) {
                    continue;
                }
                let datagram = &record.bytes[14..];
                let holds =
                    |wrapped: &Record| wrapped.bytes.windows(datagram.len()).any(|window| window == datagram);
                assert!(wrapped.records.iter().any(holds), "{}", wrapping.name);
            }
        }
    }

    #[test]
    fn only_wrappings_named_so_leave_a_family_out() {
        let capture = capture();
        for wrapping in Wrapping::ALL {
            let one_family =
                ["raw-ipv", "teredo", "ipv4-", "ipv6-"].iter().any(|part| wrapping.name.starts_with(part));
            assert_eq!(wrapping.wraps_all(&capture), !one_family, "{}", wrapping.name);
        }
    }

    #[test]
    fn frames_without_a_place_stay_on_ethernet_and_go_elsewhere() {
        let arp = capture().records.pop().unwrap();
        let named = |name| Wrapping::ALL.iter().find(|wrapping| wrapping.name == name).unwrap();
        assert_eq!(named("gre").apply(&capture()).records.last(), Some(&arp));
        assert_eq!(named("raw-101").apply(&capture()).records.len(), 2);
        assert_eq!(named("sll2").apply(&capture()).records.len(), 3);
    }

    #[test]
    fn frames_too_long_for_a_length_field_stay_as_they_are() {
        let header = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
        let long = |len: usize| Capture::of_frames(1, [link::ethernet(&header.carry(6, &vec![0; len - 20]))]);
        let named = |name| Wrapping::ALL.iter().find(|wrapping| wrapping.name == name).unwrap();
        assert!(named("llc-snap").wraps_all(&long(1_492)));
        assert!(!named("llc-snap").wraps_all(&long(1_493)));
        for wrapping in Wrapping::ALL.iter().filter(|wrapping| wrapping.makes_datagrams) {
            assert_eq!(wrapping.apply(&long(65_535)), long(65_535), "{}", wrapping.name);
        }
    }

    #[test]
    fn cut_frames_stay_cut_at_the_same_byte() {
        let mut cut = capture();
        for record in &mut cut.records {
            record.bytes.truncate(record.bytes.len() - 5);
        }
        let whole = capture();
        for wrapping in Wrapping::ALL.iter().filter(|wrapping| wrapping.name != "radiotap-qos-fcs") {
            for (cut, whole) in wrapping.apply(&cut).records.iter().zip(&wrapping.apply(&whole).records) {
                if wrapping.name.contains("fragments") {
                    continue;
                }
                assert_eq!(cut.wire_len, whole.wire_len, "{}", wrapping.name);
                assert_eq!(cut.bytes.len() + 5, whole.bytes.len(), "{}", wrapping.name);
            }
        }
    }

    #[test]
    fn fragments_come_in_order_or_backwards() {
        let named =
            |name| Wrapping::ALL.iter().find(|wrapping| wrapping.name == name).unwrap().apply(&capture());
        let forwards = named("ipv4-fragments").records;
        let backwards = named("ipv4-fragments-reversed").records;
        assert_eq!(forwards.len(), 2 + 2);
        assert_eq!(forwards[..2], [backwards[1].clone(), backwards[0].clone()]);
    }
}
