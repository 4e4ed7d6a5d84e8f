//! Cuts the TCP streams of a capture anew.

mod segment;

use std::collections::{BTreeMap, HashMap};

use self::segment::{Endpoints, Headers, find};
use crate::capture::{Capture, Record};
use crate::packet::flags;
use crate::shuffle::Plan;

/// What one end sent before the other answered or the connection changed its state.
struct Turn<'a> {
    /// Where it goes in the new capture.
    place: usize,
    headers: Headers<'a>,
    first: u32,
    ts_nanos: u64,
    /// By the distance from `first`; the first bytes to arrive win.
    bytes: BTreeMap<i32, u8>,
}

/// The same streams in other segments. What the other end waited for still comes before its answer, and packets without
/// data and those with SYN stay where they are.
///
/// Frames may be Ethernet, with tags or PPPoE, Linux cooked of either version, BSD loopback or raw IP, and hold IP in
/// IP, GRE or VXLAN. `None` if one of them is anything else.
#[must_use]
pub fn recut(capture: &Capture, plan: &Plan, seed: u64) -> Option<Capture> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    let mut latest: HashMap<Endpoints, usize> = HashMap::new();
    let mut places: Vec<Vec<Record>> = vec![Vec::new(); capture.records.len()];
    for (place, record) in capture.records.iter().enumerate() {
        let Some(segment) = find(capture.link_type, &record.bytes)? else {
            places[place].push(record.clone());
            continue;
        };
        let (sequence, headers) = (segment.sequence(), segment.headers);
        let (direction, opposite) = (headers.endpoints(), headers.reversed());
        let is_data = !segment.payload.is_empty() && headers.flags() & flags::SYN == 0;
        if is_data {
            let turn = *latest.entry(direction.clone()).or_insert_with(|| {
                turns.push(Turn {
                    place,
                    headers: headers.clone(),
                    first: sequence,
                    ts_nanos: record.ts_nanos,
                    bytes: BTreeMap::new(),
                });
                turns.len() - 1
            });
            let from = sequence.wrapping_sub(turns[turn].first).cast_signed();
            for (at, byte) in (from..).zip(segment.payload) {
                turns[turn].bytes.entry(at).or_insert(*byte);
            }
            latest.remove(&opposite);
        }
        let changes = headers.is_begin_or_end();
        if changes {
            latest.remove(&direction);
            latest.remove(&opposite);
        }
        if !is_data {
            places[place].push(record.clone());
        } else if changes {
            let end = sequence.wrapping_add(segment.payload.len() as u32);
            places[place].push(Record::whole(record.ts_nanos, headers.rebuild(end, &[], 0)));
        }
    }
    for turn in &turns {
        let mut new = Vec::new();
        for (start, bytes) in turn.runs() {
            for piece in plan.cut(&bytes, seed) {
                let sequence = turn.first.wrapping_add_signed(start).wrapping_add(piece.offset as u32);
                // What ends the connection comes behind.
                let frame = turn.headers.rebuild(sequence, &piece.bytes, flags::FIN | flags::RST);
                new.push(Record::whole(turn.ts_nanos + new.len() as u64 * 1_000, frame));
            }
        }
        new.append(&mut places[turn.place]);
        places[turn.place] = new;
    }
    Some(Capture { link_type: capture.link_type, records: places.concat() })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encap::link::ethernet;
    use crate::packet::{IpHeader, Ipv4, Tcp};
    use crate::wrap::Wrapping;

    fn data(from: u8, sequence: u32, payload: &[u8]) -> Vec<u8> {
        let (ports, to) = if from == 1 { ((40_000, 443), 2) } else { ((443, 40_000), 1) };
        let segment = Tcp::new(ports.0, ports.1).sequence(sequence).flags(flags::ACK).payload(payload);
        ethernet(&Ipv4::new([10, 0, 0, from], [10, 0, 0, to]).tcp(&segment))
    }

    /// Sender, sequence number and payload of each segment.
    fn segments(capture: &Capture) -> Vec<(u8, u32, Vec<u8>)> {
        let segment = |record: &Record| {
            let segment = find(capture.link_type, &record.bytes).unwrap().unwrap();
            let (source, _) = segment.headers.endpoints();
            (source[3], segment.sequence(), segment.payload.to_vec())
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
    fn segments_are_cut_the_same_whatever_is_around_them() {
        let frames = [data(1, 7, b"abcdefgh"), data(2, 70, b"12345"), data(1, 15, b"ij")];
        let plain = Capture::of_frames(1, frames);
        let names = [
            "vlan",
            "qinq-9100",
            "pppoe",
            "vlan-pppoe",
            "sll",
            "sll2",
            "raw-101",
            "null-be",
            "ip-in-ipv6",
            "gre",
            "gre-all-fields",
            "gre-ethernet",
            "vxlan",
            "vxlan-vlan",
            "vxlan-in-gre",
        ];
        for name in names {
            let wrapping = Wrapping::ALL.iter().find(|wrapping| wrapping.name == name).unwrap();
            for (how, plan) in Plan::ALL {
                let cut = recut(&wrapping.apply(&plain), plan, 3).unwrap();
                assert_eq!(segments(&cut), segments(&recut(&plain, plan, 3).unwrap()), "{name} {how}");
            }
        }
    }

    #[test]
    fn frames_that_are_not_known_are_left_to_others() {
        let mpls =
            crate::encap::link::mpls(&[16], &Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&Tcp::new(1, 2)));
        assert_eq!(recut(&Capture::of_frames(1, [mpls]), &Plan::WHOLE, 0), None);
    }
}
