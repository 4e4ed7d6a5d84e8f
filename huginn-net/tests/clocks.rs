//! Frames that have the times of several clocks, as those of interfaces on several machines do.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::io::Cursor;

use huginn_net::{CaptureFile, HuginnNet};
use testkit::capture::{Capture, Endian, Record};
use testkit::container::{self, Pcap};
use testkit::encap::link;
use testkit::packet::{IpHeader, Ipv4, Udp};
use testkit::rng::Rng;
use testkit::trace::{Kind, Trace};

const SECOND: u64 = 1_000_000_000;
const START: u64 = 1_700_000_000 * SECOND;

/// Two minutes of what there is on one interface.
fn interface(kind: Kind, seed: u64) -> Vec<Record> {
    let (capture, _) = Trace::new(kind, seed, 600_000).into_capture();
    let [first, .., last] = &capture.records[..] else { panic!("more than two records") };
    let (first, took) = (first.ts_nanos, last.ts_nanos - first.ts_nanos);
    let at = |nanos: u64| START + ((nanos - first) as f64 / took as f64 * 120e9) as u64;
    capture.records.into_iter().map(|record| Record { ts_nanos: at(record.ts_nanos), ..record }).collect()
}

/// How many events of each kind are reported of records, and what was given up.
fn found(records: Vec<Record>) -> (BTreeMap<String, usize>, Vec<(&'static str, u64)>) {
    let capture = Capture { link_type: 1, records };
    let bytes = container::pcap(Pcap::Nanos, Endian::Little, &capture);
    let capture = CaptureFile::from_reader(Cursor::new(bytes)).expect("a capture");
    let mut events = HuginnNet::new().analyze(capture);
    let mut found = BTreeMap::new();
    for event in events.by_ref() {
        let event = format!("{:?}", event.expect("a readable capture"));
        let kind = event.split('(').next().unwrap_or_default().to_owned();
        *found.entry(kind).or_default() += 1;
    }
    (found, events.stats().analysis.limits_hit)
}

#[test]
fn interfaces_whose_clocks_differ_are_analyzed_as_if_they_did_not() {
    for kind in [Kind::Handshakes, Kind::Hellos, Kind::Http, Kind::Quic] {
        let interfaces = [interface(kind, 1), interface(kind, 2)];
        let mut in_order = interfaces.concat();
        in_order.sort_by_key(|record| record.ts_nanos);
        let expected = found(in_order);
        assert!(expected.0.values().sum::<usize>() > 50, "{kind:?}: {expected:?}");
        for ahead in [-1_000_000_000, -7_200, -1_800, -60, -20, 5, 20, 60, 1_800, 7_200] {
            let ahead = ahead * SECOND as i64;
            let mut rng = Rng::new(3);
            // Two frames each before any connection, as a far time is believed with the second.
            let datagram =
                link::ethernet(&Ipv4::new([10, 9, 9, 9], [10, 9, 9, 8]).udp(&Udp::new(53, 53, b"x")));
            let lead = [START, START, START.wrapping_add_signed(ahead), START.wrapping_add_signed(ahead)];
            let mut records: Vec<_> =
                lead.into_iter().map(|ts_nanos| Record::whole(ts_nanos, datagram.clone())).collect();
            // In the order in which they come, whichever clock each has; some late by a few milliseconds.
            let all = interfaces
                .iter()
                .enumerate()
                .flat_map(|(index, records)| records.iter().map(move |record| (index, record.clone())));
            let mut all: Vec<_> =
                all.map(|(index, record)| (record.ts_nanos + rng.below(2) as u64, index, record)).collect();
            all.sort_by_key(|(at, index, _)| (*at, *index));
            records.extend(all.into_iter().map(|(_, index, record)| {
                let shift = if index == 1 { ahead } else { 0 };
                Record { ts_nanos: record.ts_nanos.wrapping_add_signed(shift), ..record }
            }));
            assert_eq!(found(records), expected, "{kind:?}, {} s", ahead / SECOND as i64);
        }
    }
}
