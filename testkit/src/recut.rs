//! Cuts the TCP streams of a capture anew.

use std::collections::{BTreeMap, HashMap};

use crate::capture::{Capture, Record};
use crate::encap::ether_type;
use crate::packet::{flags, protocol};
use crate::shuffle::Plan;

/// Where the headers of a TCP segment in Ethernet are.
struct Segment<'a> {
    /// Everything before the payload.
    headers: &'a [u8],
    ip_at: usize,
    tcp_at: usize,
    payload: &'a [u8],
}

/// Addresses and ports of one direction.
type Endpoints = (Vec<u8>, Vec<u8>);

/// What one end sent before the other answered or the connection changed its state.
struct Turn<'a> {
    /// Where it goes in the new capture.
    place: usize,
    headers: &'a [u8],
    ip_at: usize,
    tcp_at: usize,
    first: u32,
    ts_nanos: u64,
    /// By the distance from `first`; the first bytes to arrive win.
    bytes: BTreeMap<i32, u8>,
}

/// The same streams in other segments. What the other end waited for still comes before its answer, and packets without
/// data and those with SYN stay where they are. `None` if not all frames are plain Ethernet with IP.
#[must_use]
pub fn recut(capture: &Capture, plan: &Plan, seed: u64) -> Option<Capture> {
    const ETHERNET: u16 = 1;
    if capture.link_type != ETHERNET {
        return None;
    }
    let mut turns: Vec<Turn<'_>> = Vec::new();
    let mut latest: HashMap<Endpoints, usize> = HashMap::new();
    let mut places: Vec<Vec<Record>> = vec![Vec::new(); capture.records.len()];
    for (place, record) in capture.records.iter().enumerate() {
        let Some(segment) = Segment::of(&record.bytes) else {
            match record.bytes.get(12..14)? {
                tag if tag == ether_type::IPV4.to_be_bytes() || tag == ether_type::IPV6.to_be_bytes() => {}
                _ => return None,
            }
            places[place].push(record.clone());
            continue;
        };
        let (direction, opposite) = (segment.endpoints(), segment.reversed());
        let is_data = !segment.payload.is_empty() && segment.flags() & flags::SYN == 0;
        if is_data {
            let turn = *latest.entry(direction).or_insert_with(|| {
                turns.push(Turn {
                    place,
                    headers: segment.headers,
                    ip_at: segment.ip_at,
                    tcp_at: segment.tcp_at,
                    first: segment.sequence(),
                    ts_nanos: record.ts_nanos,
                    bytes: BTreeMap::new(),
                });
                turns.len() - 1
            });
            let from = segment.sequence().wrapping_sub(turns[turn].first).cast_signed();
            for (at, byte) in (from..).zip(segment.payload) {
                turns[turn].bytes.entry(at).or_insert(*byte);
            }
            latest.remove(&opposite);
        }
        let ends = segment.flags() & (flags::SYN | flags::FIN | flags::RST) != 0;
        if ends {
            latest.remove(&segment.endpoints());
            latest.remove(&opposite);
        }
        if !is_data {
            places[place].push(record.clone());
        } else if ends {
            let sequence = segment.sequence().wrapping_add(segment.payload.len() as u32);
            let bytes = rebuild(segment.headers, segment.ip_at, segment.tcp_at, sequence, &[]);
            places[place].push(Record::whole(record.ts_nanos, bytes));
        }
    }
    for turn in &turns {
        let mut new = Vec::new();
        for (start, bytes) in turn.runs() {
            for piece in plan.cut(&bytes, seed) {
                let sequence = turn.first.wrapping_add_signed(start).wrapping_add(piece.offset as u32);
                let mut frame = rebuild(turn.headers, turn.ip_at, turn.tcp_at, sequence, &piece.bytes);
                // What ends the connection comes behind.
                frame[turn.tcp_at + 13] &= !((flags::FIN | flags::RST) as u8);
                new.push(Record::whole(turn.ts_nanos + new.len() as u64 * 1_000, frame));
            }
        }
        new.append(&mut places[turn.place]);
        places[turn.place] = new;
    }
    Some(Capture { link_type: capture.link_type, records: places.concat() })
}

impl<'a> Segment<'a> {
    fn of(frame: &'a [u8]) -> Option<Self> {
        let ip_at = 14;
        let kind = u16::from_be_bytes(frame.get(12..14)?.try_into().ok()?);
        let (tcp_at, end, carried) = match kind {
            ether_type::IPV4 => {
                let header = usize::from(frame.get(ip_at)? & 0x0f) * 4;
                let total = u16::from_be_bytes(frame.get(ip_at + 2..ip_at + 4)?.try_into().ok()?);
                (ip_at + header, ip_at + usize::from(total), *frame.get(ip_at + 9)?)
            }
            ether_type::IPV6 => {
                let length = u16::from_be_bytes(frame.get(ip_at + 4..ip_at + 6)?.try_into().ok()?);
                (ip_at + 40, ip_at + 40 + usize::from(length), *frame.get(ip_at + 6)?)
            }
            _ => return None,
        };
        if carried != protocol::TCP {
            return None;
        }
        let payload_at = tcp_at + usize::from(frame.get(tcp_at + 12)? >> 4) * 4;
        Some(Self { headers: frame.get(..payload_at)?, ip_at, tcp_at, payload: frame.get(payload_at..end)? })
    }

    fn flags(&self) -> u16 {
        u16::from(self.headers[self.tcp_at + 13])
    }

    fn sequence(&self) -> u32 {
        u32::from_be_bytes(self.headers[self.tcp_at + 4..self.tcp_at + 8].try_into().unwrap())
    }

    fn endpoints(&self) -> Endpoints {
        let addresses = match self.tcp_at - self.ip_at {
            40 if self.headers[self.ip_at] >> 4 == 6 => &self.headers[self.ip_at + 8..self.ip_at + 40],
            _ => &self.headers[self.ip_at + 12..self.ip_at + 20],
        };
        let (source, destination) = addresses.split_at(addresses.len() / 2);
        let ports = &self.headers[self.tcp_at..self.tcp_at + 4];
        ([source, &ports[..2]].concat(), [destination, &ports[2..]].concat())
    }

    fn reversed(&self) -> Endpoints {
        let (source, destination) = self.endpoints();
        (destination, source)
    }
}

impl Turn<'_> {
    /// Bytes without gaps, and where they begin.
    fn runs(&self) -> Vec<(i32, Vec<u8>)> {
        let mut runs: Vec<(i32, Vec<u8>)> = Vec::new();
        for (&at, &byte) in &self.bytes {
            match runs.last_mut() {
                Some((start, run)) if *start + run.len() as i32 == at => run.push(byte),
                _ => runs.push((at, vec![byte])),
            }
        }
        runs
    }
}

/// A frame with other bytes and lengths. Checksums stay as they were.
fn rebuild(headers: &[u8], ip_at: usize, tcp_at: usize, sequence: u32, payload: &[u8]) -> Vec<u8> {
    let mut frame = [headers, payload].concat();
    let (length_at, counted_from) =
        if frame[ip_at] >> 4 == 6 { (ip_at + 4, ip_at + 40) } else { (ip_at + 2, ip_at) };
    let length = u16::try_from(frame.len() - counted_from).expect("turns are shorter than 64 KiB");
    frame[length_at..length_at + 2].copy_from_slice(&length.to_be_bytes());
    frame[tcp_at + 4..tcp_at + 8].copy_from_slice(&sequence.to_be_bytes());
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encap::link::ethernet;
    use crate::packet::{IpHeader, Ipv4, Tcp};

    fn data(from: u8, sequence: u32, payload: &[u8]) -> Vec<u8> {
        let (ports, to) = if from == 1 { ((40_000, 443), 2) } else { ((443, 40_000), 1) };
        let segment = Tcp::new(ports.0, ports.1).sequence(sequence).flags(flags::ACK).payload(payload);
        ethernet(&Ipv4::new([10, 0, 0, from], [10, 0, 0, to]).tcp(&segment))
    }

    /// Sender, sequence number and payload of each segment.
    fn segments(capture: &Capture) -> Vec<(u8, u32, Vec<u8>)> {
        let segment = |record: &Record| {
            let segment = Segment::of(&record.bytes).unwrap();
            (record.bytes[29], segment.sequence(), segment.payload.to_vec())
        };
        capture.records.iter().map(segment).collect()
    }

    #[test]
    fn each_end_keeps_its_turn_and_the_first_bytes_win() {
        let frames = [
            data(1, u32::MAX, b"ab"),
            data(1, 1, b"cd"),
            data(1, 2, b"XE"),
            data(2, 7, b"12"),
            data(1, 5, b"f"),
        ];
        let whole = recut(&Capture::of_frames(1, frames.clone()), &Plan::WHOLE, 0).unwrap();
        let expected = [(1, u32::MAX, b"abcdE".to_vec()), (2, 7, b"12".to_vec()), (1, 5, b"f".to_vec())];
        // Sequence number 4 is missing.
        assert_eq!(segments(&whole), expected);
        let single = recut(&Capture::of_frames(1, frames), &Plan::SINGLE_BYTES, 0).unwrap();
        assert_eq!(segments(&single).len(), 8);
        assert_eq!(segments(&single)[1], (1, 0, b"b".to_vec()));
    }

    #[test]
    fn tagged_frames_are_left_to_others() {
        let tagged = crate::encap::link::vlan(
            &[crate::encap::link::Tag::vlan(7)],
            &Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&Tcp::new(1, 2)),
        );
        assert_eq!(recut(&Capture::of_frames(1, [tagged]), &Plan::WHOLE, 0), None);
    }
}
