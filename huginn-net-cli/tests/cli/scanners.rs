//! Scanners by what they leave in their packets beside the raw signature.

use std::net::Ipv4Addr;

use serde_json::Value;
use testkit::capture::{Capture, Endian};
use testkit::container::{Pcap, pcap};
use testkit::encap::link;
use testkit::packet::{IpHeader, Ipv4, Ipv6, Tcp, TcpOption};

use crate::run::{records_of, run_with_stdin};

const TARGET: Ipv4Addr = Ipv4Addr::new(198, 51, 100, 7);

/// A SYN of a bot: no options, no DF, and this sequence number.
fn probe(source_port: u16, sequence: u32) -> Vec<u8> {
    let syn = Tcp::new(source_port, 23).sequence(sequence).window(4_660);
    link::ethernet(
        &Ipv4::new([192, 0, 2, 1], TARGET).ttl(50).dont_fragment(false).identification(777).tcp(&syn),
    )
}

/// The SYNs that the command reports of these frames.
fn syns(frames: &[Vec<u8>]) -> Vec<Value> {
    let file = pcap(Pcap::Micros, Endian::Little, &Capture::of_frames(1, frames.iter().cloned()));
    let finished = run_with_stdin(["read", "-q", "-o", "json", "-"], &file);
    assert_eq!(finished.status, Some(0), "{}", finished.stderr);
    records_of(&finished.stdout, "huginn.tcp.syn")
}

/// Source port and label of each.
fn labels(frames: &[Vec<u8>]) -> Vec<(u64, Option<String>)> {
    let label = |syn: &Value| {
        (syn["source.port"].as_u64().unwrap(), syn["huginn.os.name"].as_str().map(str::to_owned))
    };
    syns(frames).iter().map(label).collect()
}

fn mirai(source_port: u64) -> (u64, Option<String>) {
    (source_port, Some("Mirai".to_owned()))
}

#[test]
fn a_syn_whose_sequence_number_is_its_destination_is_of_mirai() {
    let [syn] = &syns(&[probe(40_000, TARGET.to_bits())])[..] else { panic!() };
    assert_eq!(syn["huginn.tcp.signature"], "4:50+14:0:0:4660,0:::0");
    assert_eq!(syn["huginn.os.name"], "Mirai");
    assert_eq!(syn["huginn.os.flavor"], "SYN scan, also of its descendants");
    assert_eq!((&syn["huginn.os.class"], &syn["huginn.os.quality"]), (&"!".into(), &"exact".into()));
    assert_eq!((&syn["huginn.tcp.initial_ttl"], &syn["huginn.tcp.distance"]), (&64.into(), &14.into()));
}

#[test]
fn what_was_seen_of_one_syn_does_not_name_the_next() {
    let own = TARGET.to_bits();
    // The byte order of another machine, one more, one bit, and a zero.
    let others = [own.swap_bytes(), own + 1, own ^ 1 << 31, 0];
    let frames: Vec<_> = others
        .iter()
        .zip((40_000..).step_by(2))
        .flat_map(|(&other, port)| [probe(port, own), probe(port + 1, other)])
        .collect();
    let expected: Vec<_> =
        (40_000..40_008).map(|port| if port % 2 == 0 { mirai(port) } else { (port, None) }).collect();
    assert_eq!(labels(&frames), expected);
    let backwards: Vec<_> = frames.into_iter().rev().collect();
    assert_eq!(labels(&backwards), expected.into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn a_retransmitted_syn_is_reported_once() {
    let syn = probe(40_000, TARGET.to_bits());
    assert_eq!(labels(&[syn.clone(), probe(40_001, 5), syn.clone(), syn]), [mirai(40_000), (40_001, None)]);
}

#[test]
fn a_linux_host_keeps_its_label_with_such_a_sequence_number() {
    let linux = |port, sequence| {
        let syn = Tcp::new(port, 80).sequence(sequence).window(64_240).options([
            TcpOption::Mss(1_460),
            TcpOption::SackPermitted,
            TcpOption::Timestamps(1, 0),
            TcpOption::Nop,
            TcpOption::WindowScale(10),
        ]);
        link::ethernet(&Ipv4::new([192, 0, 2, 1], TARGET).tcp(&syn))
    };
    let own = TARGET.to_bits();
    let [seen, usual] = &syns(&[linux(40_000, own), linux(40_001, 5)])[..] else { panic!() };
    assert_eq!(seen["huginn.os.name"], "Linux");
    for member in ["huginn.os.flavor", "huginn.os.quality", "huginn.tcp.signature"] {
        assert_eq!(seen[member], usual[member]);
    }
}

#[test]
fn no_part_of_an_ipv6_address_is_taken_for_it() {
    let target = [0x2001, 0xdb8, 0xc633, 0x6407, 1, 2, 3, 4];
    let words = [0x2001_0db8, 0xc633_6407, 0x0001_0002, 0x0003_0004];
    let probe = |(sequence, port)| {
        let syn = Tcp::new(port, 23).sequence(sequence).window(4_660);
        let header = Ipv6::new([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], target).hop_limit(50);
        link::ethernet(&header.tcp(&syn))
    };
    let frames: Vec<_> = words.into_iter().zip(40_000..).map(probe).collect();
    assert_eq!(labels(&frames), [40_000, 40_001, 40_002, 40_003].map(|port| (port, None)));
}
