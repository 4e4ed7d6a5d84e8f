//! Traffic made to wear the analyzer out or to mislead it.

#![cfg(test)]
#![allow(clippy::cast_possible_truncation, reason = "numbers of tests fit")]

use core::time::Duration;

use huginn_net_core::{Analyzer, AnalyzerStats, CaptureFile, Frame, LinkType, Packet, PoolConfig, Timestamp};
use huginn_net_tcp::{HuginnNetTcp, TcpAnalyzer, TcpEvent, TcpSettings};
use testkit::alloc;
use testkit::capture::{Capture, Endian, Record};
use testkit::container::{self, Pcap};
use testkit::encap::link::link_type;
use testkit::packet::{IpHeader, Ipv4, Ipv6, Mould, Tcp, TcpOption, flags, protocol};
use testkit::rng::Rng;

const CLIENT: [u8; 4] = [10, 0, 0, 1];
const SERVER: [u8; 4] = [10, 0, 0, 2];
const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MILLISECOND;
const START: u64 = 1_700_000_000 * SECOND;

/// An analyzer, and what it reported.
struct Watch {
    analyzer: TcpAnalyzer,
    events: Vec<TcpEvent>,
}

impl Watch {
    fn new(settings: TcpSettings) -> Self {
        Self { analyzer: TcpAnalyzer::new(settings), events: Vec::new() }
    }

    /// Feeds a datagram, `nanos` after [`START`].
    fn push(&mut self, datagram: &[u8], nanos: u64) {
        self.push_cut(datagram, 0, nanos);
    }

    /// Feeds a datagram of which the capture left the last bytes out.
    fn push_cut(&mut self, datagram: &[u8], missing: usize, nanos: u64) {
        let captured_at = Timestamp::from_nanos(START + nanos);
        let captured = Frame::new(&datagram[..datagram.len() - missing], LinkType::RAW);
        let frame = Frame { captured_at, wire_len: datagram.len() as u32, ..captured };
        let packet = Packet::decode(&frame).expect("a packet");
        self.analyzer.on_packet(&packet, &mut |event| self.events.push(event));
    }

    fn time(&mut self, nanos: u64) {
        let now = Timestamp::from_nanos(START + nanos);
        self.analyzer.on_time(now, &mut |event| self.events.push(event));
    }

    /// What was reported since the last call, as words.
    fn words(&mut self) -> Vec<&'static str> {
        let word = |event: TcpEvent| match event {
            TcpEvent::Syn(_) => "syn",
            TcpEvent::SynAck(seen) if seen.observation.facts.unpaired => "unpaired",
            TcpEvent::SynAck(_) => "syn+ack",
            TcpEvent::Uptime(_) => "uptime",
            other => panic!("{other:?}"),
        };
        self.events.drain(..).map(word).collect()
    }

    fn stats(&self) -> AnalyzerStats {
        let mut stats = AnalyzerStats::default();
        self.analyzer.count(&mut stats);
        stats
    }

    fn limit(&self, name: &str) -> u64 {
        self.stats().limits_hit.iter().find(|(limit, _)| *limit == name).map_or(0, |(_, count)| *count)
    }
}

fn from_client(segment: &Tcp) -> Vec<u8> {
    Ipv4::new(CLIENT, SERVER).tcp(segment)
}

fn from_server(segment: &Tcp) -> Vec<u8> {
    Ipv4::new(SERVER, CLIENT).tcp(segment)
}

fn options(ticks: u32) -> [TcpOption; 4] {
    [
        TcpOption::Mss(1_460),
        TcpOption::SackPermitted,
        TcpOption::Timestamps(ticks, 0),
        TcpOption::WindowScale(7),
    ]
}

fn syn(isn: u32) -> Tcp {
    Tcp::new(40_000, 80).sequence(isn).options(options(1_000))
}

fn syn_ack(acknowledged: u32) -> Tcp {
    let flags = flags::SYN | flags::ACK;
    Tcp::new(80, 40_000).sequence(9).acknowledgment(acknowledged).flags(flags).options(options(2_000))
}

/// A segment after the handshake, from the client.
fn data(ticks: u32) -> Tcp {
    let timestamps = [TcpOption::Nop, TcpOption::Nop, TcpOption::Timestamps(ticks, 1)];
    Tcp::new(40_000, 80).sequence(2).acknowledgment(10).flags(flags::ACK).options(timestamps).payload(b"data")
}

/// RFC 4302 §2: what is read as a TCP header at its place would be chosen by whoever writes the check value.
#[test]
fn an_authentication_header_is_not_taken_for_that_of_tcp() {
    let behind = |authentication: &[u8; 24], segment: &[u8]| {
        Ipv4::new(CLIENT, SERVER).carry(protocol::AUTHENTICATION, &[authentication, &segment[20..]].concat())
    };
    let mut like_a_syn = [0; 24];
    like_a_syn[..2].copy_from_slice(&[protocol::TCP, 4]);
    like_a_syn[12..14].copy_from_slice(&[0x50, flags::SYN as u8]);
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&behind(&like_a_syn, &from_client(&data(1))), 0);
    assert_eq!(watch.words(), [""; 0]);
    let mut plain = [0; 24];
    plain[..2].copy_from_slice(&[protocol::TCP, 4]);
    watch.push(&behind(&plain, &from_client(&syn(1))), 0);
    let [TcpEvent::Syn(seen)] = watch.events.as_slice() else { panic!("{:?}", watch.events) };
    assert_eq!((seen.origin.source.port(), seen.origin.destination.port()), (40_000, 80));
    watch.push(&from_server(&syn_ack(2)), MILLISECOND);
    assert_eq!(watch.words(), ["syn", "syn+ack"], "the same connection");
}

/// Segments to the server, by the address of who sends them.
fn mould_of(segment: &Tcp) -> Mould {
    Mould::new(Ipv4::new([0; 4], SERVER).tcp(segment))
}

/// Bytes a table of this many connections takes: per connection tag, state, list and hash, and a count of its source;
/// and while it is doubled, half as much again. The counting filter takes 16 KiB.
fn most_bytes(max_flows: usize, per_flow: usize) -> u64 {
    (max_flows * per_flow * 3 / 2 + 64 * 1_024) as u64
}

/// Feeds a million SYNs, and gives reports, peak of memory, and the analyzer.
fn flood(settings: TcpSettings, mut source: impl FnMut(u32) -> u32) -> (u64, u64, TcpAnalyzer) {
    const SYNS: u32 = 1_000_000;
    let mut mould = mould_of(&syn(1));
    let mut reports = 0;
    let (analyzer, allocations) = alloc::measure(|| {
        let mut analyzer = TcpAnalyzer::new(settings);
        for index in 0..SYNS {
            let bytes = mould.cast(source(index), index as u16, index);
            // All within three seconds, so that nothing goes out by its age.
            let captured_at = Timestamp::from_nanos(START + u64::from(index) * 3_000);
            let frame = Frame { captured_at, ..Frame::new(bytes, LinkType::RAW) };
            analyzer.on_packet(&Packet::decode(&frame).expect("a packet"), &mut |_| reports += 1);
        }
        analyzer
    });
    (reports, allocations.peak_bytes, analyzer)
}

fn limits_hit(analyzer: &TcpAnalyzer) -> Vec<(&'static str, u64)> {
    let mut stats = AnalyzerStats::default();
    analyzer.count(&mut stats);
    stats.limits_hit
}

#[test]
fn a_million_syns_of_random_sources_take_the_memory_of_the_flow_table_and_no_more() {
    let settings = TcpSettings::default();
    let mut rng = Rng::new(1);
    let (reports, peak, analyzer) = flood(settings, |_| rng.next_u64() as u32);
    assert_eq!(reports, 1_000_000);
    assert_eq!(limits_hit(&analyzer), [("tcp_flows", 1_000_000 - settings.max_flows as u64)]);
    assert!(peak < most_bytes(settings.max_flows, 160), "{peak} bytes");
}

#[test]
fn a_million_syns_of_a_thousand_sources_are_held_as_far_as_each_source_may() {
    let settings = TcpSettings::default().with_max_pending_per_source(8);
    let (reports, peak, analyzer) = flood(settings, |index| 0x0a00_0000 + index % 1_000);
    assert_eq!(reports, 1_000_000, "what is not held is reported all the same");
    let [("tcp_pending_per_source", refused)] = limits_hit(&analyzer)[..] else {
        panic!("{:?}", limits_hit(&analyzer));
    };
    // Sources may be counted together, in pairs now and then.
    let held = 1_000_000 - refused;
    assert!((7_000..=8_000).contains(&held), "{held} held");
    assert!(peak < most_bytes(8_192, 72), "{peak} bytes");
}

#[test]
fn a_source_that_floods_leaves_others_their_answers() {
    let settings = TcpSettings::default().with_max_flows(100).with_max_pending_per_source(50);
    let mut watch = Watch::new(settings);
    watch.push(&from_client(&syn(7)), 0);
    let mut mould = mould_of(&syn(1));
    for port in 0..1_000 {
        watch.push(mould.cast(0xc633_6401, port, 1), 1);
    }
    watch.words();
    watch.push(&from_server(&syn_ack(8)), 2);
    assert_eq!(watch.words(), ["syn+ack"]);
    assert_eq!(watch.stats().limits_hit, [("tcp_pending_per_source", 950)]);
}

#[test]
fn a_host_with_a_network_of_addresses_is_one_source() {
    let settings = TcpSettings::default().with_max_flows(100).with_max_pending_per_source(50);
    let mut watch = Watch::new(settings);
    watch.push(&from_client(&syn(7)), 0);
    let mut source = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    for host in 0..1_000_u16 {
        source[14..].copy_from_slice(&host.to_be_bytes());
        watch.push(&Ipv6::new(source, [2; 16]).tcp(&syn(1)), 1);
    }
    watch.words();
    watch.push(&from_server(&syn_ack(8)), 2);
    assert_eq!(watch.words(), ["syn+ack"]);
    assert_eq!(watch.stats().limits_hit, [("tcp_pending_per_source", 950)]);
}

#[test]
fn a_source_at_its_limit_costs_no_other_source_its_answer_in_any_run() {
    let settings = TcpSettings::default().with_max_pending_per_source(10);
    for _ in 0..4 {
        let mut watch = Watch::new(settings);
        let mut mould = mould_of(&syn(1));
        for port in 1..=20 {
            watch.push(mould.cast(0xc000_0201, port, 1), 1);
        }
        for source in 0..20_000 {
            watch.push(mould.cast(0x0a00_0000 + source, 7, 1), 1);
        }
        assert_eq!(watch.limit("tcp_pending_per_source"), 10);
    }
}

#[test]
fn a_flow_that_shares_a_place_in_the_filter_changes_nothing() {
    let client = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
    let server = Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1]);
    let without_clocks = |segment: Tcp| segment.options([TcpOption::Mss(1_460)]);
    // The ports of the other flow differ by the same bits.
    let other = client.tcp(&without_clocks(Tcp::new(40_001, 81)));
    let mut runs = Vec::new();
    for with_other in [false, true] {
        let mut watch = Watch::new(TcpSettings::default());
        watch.push(&client.tcp(&without_clocks(Tcp::new(40_000, 80).sequence(5))), 1);
        watch.push(
            &server
                .tcp(&without_clocks(Tcp::new(80, 40_000).flags(flags::SYN | flags::ACK).acknowledgment(6))),
            1,
        );
        if with_other {
            watch.push(&other, 1);
        }
        watch.words();
        watch.push(&client.tcp(&Tcp::new(40_000, 80).flags(flags::FIN | flags::ACK)), 1);
        watch.push(&client.tcp(&without_clocks(Tcp::new(40_000, 80).sequence(5))), 1);
        runs.push(watch.words());
    }
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn connections_that_were_answered_reset_or_forgotten_count_no_more_against_their_source() {
    let settings = TcpSettings::default().with_max_pending_per_source(2);
    for end in ["answered", "reset", "gone on without an answer", "opened anew and reset", "forgotten"] {
        let mut watch = Watch::new(settings);
        watch.push(&from_client(&syn(7)), 0);
        let reset = from_server(&Tcp::new(80, 40_000).flags(flags::RST | flags::ACK));
        match end {
            "answered" => watch.push(&from_server(&syn_ack(8)), 1),
            "reset" => watch.push(&reset, 1),
            "opened anew and reset" => {
                watch.push(&from_client(&syn(99)), 1);
                watch.push(&reset, 2);
            }
            "forgotten" => watch.time(31 * SECOND),
            _ => watch.push(&from_client(&Tcp::new(40_000, 80).flags(flags::ACK)), 1),
        }
        for (port, refused) in [(1, 0), (2, 0), (3, 1)] {
            watch.push(&from_client(&Tcp::new(port, 80)), 31 * SECOND);
            assert_eq!(watch.limit("tcp_pending_per_source"), refused, "{end}");
        }
    }
}

#[test]
fn a_source_at_its_limit_is_not_refused_what_is_held_already() {
    let settings = TcpSettings::default().with_max_pending_per_source(1).with_report_unpaired(true);
    let mut watch = Watch::new(settings);
    let answer_first = Tcp::new(80, 1).acknowledgment(8).flags(flags::SYN | flags::ACK);
    watch.push(&from_server(&answer_first), 0);
    watch.push(&from_client(&syn(7)), 1);
    assert_eq!(watch.words(), ["unpaired", "syn"]);
    // A retransmission, and a SYN captured after its answer with its own retransmission.
    watch.push(&from_client(&syn(7)), 2);
    watch.push(&from_client(&Tcp::new(1, 80).sequence(7)), 3);
    watch.push(&from_client(&Tcp::new(1, 80).sequence(7)), 4);
    assert_eq!((watch.words(), watch.limit("tcp_pending_per_source")), (vec!["syn"], 0));
    watch.push(&from_client(&Tcp::new(2, 80)), 5);
    assert_eq!((watch.words(), watch.limit("tcp_pending_per_source")), (vec!["syn"], 1));
}

#[test]
fn a_flood_of_answers_to_nothing_holds_and_costs_nothing() {
    let mut analyzer = TcpAnalyzer::new(TcpSettings::default());
    let mut mould = Mould::new(from_server(&syn_ack(1)));
    let mut reports = 0;
    let ((), allocations) = alloc::measure(|| {
        for index in 0..100_000_u32 {
            let frame =
                Frame::new(mould.cast(index.wrapping_mul(0x9e37_79b9), index as u16, index), LinkType::RAW);
            analyzer.on_packet(&Packet::decode(&frame).expect("a packet"), &mut |_| reports += 1);
        }
    });
    assert_eq!((reports, allocations), (0, alloc::Allocations::NONE));
}

#[test]
fn answers_to_nothing_are_counted_unless_they_are_reported() {
    for reported in [false, true] {
        let mut watch = Watch::new(TcpSettings::default().with_report_unpaired(reported));
        watch.push(&from_server(&syn_ack(8)), 1);
        watch.push(&from_client(&syn(7)), 2);
        // Answers something else.
        watch.push(&from_server(&syn_ack(99)), 3);
        let expected: &[_] = if reported { &["unpaired", "syn"] } else { &["syn"] };
        assert_eq!(watch.words(), expected);
        let counted: &[_] = if reported { &[] } else { &[("tcp_unpaired", 2)] };
        assert_eq!(watch.stats().seen, counted);
    }
}

#[test]
fn a_syn_captured_after_its_answer_is_reported_once_and_measures_no_clock() {
    for reported in [false, true] {
        let mut watch = Watch::new(TcpSettings::default().with_report_unpaired(reported));
        watch.push(&from_server(&syn_ack(8)), 1);
        watch.push(&from_client(&syn(7)), MILLISECOND);
        watch.push(&from_client(&data(1_001)), 2 * MILLISECOND);
        watch.push(&from_client(&data(1_500)), 500 * MILLISECOND);
        watch.push(&from_client(&data(2_000)), SECOND);
        watch.time(60 * SECOND);
        let expected: &[_] = if reported { &["unpaired", "syn"] } else { &["syn"] };
        assert_eq!(watch.words(), expected);
    }
}

#[test]
fn unpaired_answers_are_held_within_the_flow_limit_and_reported_once() {
    let settings = TcpSettings::default().with_report_unpaired(true).with_max_flows(1_000);
    let mut analyzer = TcpAnalyzer::new(settings);
    let mut mould = Mould::new(from_server(&syn_ack(1)));
    let mut reports = 0;
    let ((), allocations) = alloc::measure(|| {
        for index in 0..40_000_u32 {
            // Each one twice in a row.
            let frame = Frame::new(mould.cast(index / 2, 80, 5), LinkType::RAW);
            analyzer.on_packet(&Packet::decode(&frame).expect("a packet"), &mut |_| reports += 1);
        }
    });
    assert_eq!(reports, 20_000);
    assert_eq!(limits_hit(&analyzer), [("tcp_flows", 19_000)]);
    assert!(allocations.peak_bytes < most_bytes(1_000, 72), "{allocations:?}");
}

#[test]
fn answered_connections_with_clocks_take_bounded_memory() {
    // Both ends are made up by one sender, so that no limit per source helps.
    let settings = TcpSettings::default().with_max_flows(1_000);
    let mut analyzer = TcpAnalyzer::new(settings);
    let (mut syns, mut later) = (mould_of(&syn(1)), mould_of(&data(1_001)));
    let mut answer = from_server(&syn_ack(2));
    let ((), allocations) = alloc::measure(|| {
        for index in 0..20_000_u32 {
            let (syn, later) = (syns.cast(index, 40_000, 1), later.cast(index, 40_000, 2));
            answer[16..20].copy_from_slice(&index.to_be_bytes());
            for bytes in [syn, &answer, later] {
                let frame = Frame::new(bytes, LinkType::RAW);
                analyzer.on_packet(&Packet::decode(&frame).expect("a packet"), &mut |_| {});
            }
        }
    });
    // The state of two clocks besides.
    assert!(allocations.peak_bytes < most_bytes(1_000, 72 + 200), "{allocations:?}");
}

#[test]
fn time_far_ahead_forgets_what_is_held_and_spares_what_follows() {
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&from_client(&syn(7)), 0);
    watch.time(1_000 * SECOND);
    watch.push(&from_server(&syn_ack(8)), 1);
    assert_eq!(watch.words(), ["syn"]);
    watch.push(&from_client(&syn(70)), 2);
    watch.time(3);
    watch.push(&from_server(&syn_ack(71)), 4);
    assert_eq!(watch.words(), ["syn", "syn+ack"]);
}

#[test]
fn time_far_back_leaves_no_connection_waiting_for_ever() {
    let settings = TcpSettings::default().with_max_pending_per_source(1);
    let mut watch = Watch::new(settings);
    watch.push(&from_client(&syn(7)), 100_000 * SECOND);
    watch.time(0);
    let mut mould = mould_of(&syn(1));
    watch.push(mould.cast(u32::from_be_bytes(CLIENT), 5, 5), 1);
    assert_eq!(watch.limit("tcp_pending_per_source"), 0, "the one of another time was forgotten");
}

#[test]
fn timestamps_at_both_ends_of_their_range_break_nothing() {
    let mut watch = Watch::new(TcpSettings::default());
    let at = |watch: &mut Watch, datagram: &[u8], nanos| {
        let captured_at = Timestamp::from_nanos(nanos);
        let frame = Frame { captured_at, ..Frame::new(datagram, LinkType::RAW) };
        let packet = Packet::decode(&frame).expect("a packet");
        watch.analyzer.on_packet(&packet, &mut |event| watch.events.push(event));
        watch.analyzer.on_time(captured_at, &mut |event| watch.events.push(event));
    };
    for (isn, [first, second, third]) in [
        (1, [0, u64::MAX, 0]),
        (20, [u64::MAX, 0, u64::MAX]),
        (300, [0, 0, u64::MAX]),
        (4_000, [u64::MAX; 3]),
    ] {
        at(&mut watch, &from_client(&syn(isn)), first);
        at(&mut watch, &from_server(&syn_ack(isn + 1)), second);
        at(&mut watch, &from_client(&data(u32::MAX)), third);
        at(&mut watch, &from_client(&data(0)), third);
    }
    watch.analyzer.on_end(&mut |_| {});
    assert_eq!(watch.words().iter().filter(|word| **word == "syn").count(), 4);
}

#[test]
fn ports_used_again_are_a_new_connection() {
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&from_client(&syn(7)), 0);
    watch.push(&from_client(&syn(7)), 1);
    watch.push(&from_client(&syn(900)), 2);
    assert_eq!(watch.words(), ["syn", "syn"], "the second one is a retransmission");
    watch.push(&from_server(&syn_ack(8)), 3);
    assert_eq!(watch.words(), [""; 0], "an answer to the first one");
    watch.push(&from_server(&syn_ack(901)), 4);
    watch.push(&from_server(&syn_ack(901)), 5);
    assert_eq!(watch.words(), ["syn+ack"]);
    // And the other way round.
    watch.push(&from_server(&Tcp::new(80, 40_000).sequence(3).options(options(1))), 6);
    let back = Tcp::new(40_000, 80).sequence(1).acknowledgment(4).flags(flags::SYN | flags::ACK);
    watch.push(&from_client(&back), 7);
    assert_eq!(watch.words(), ["syn", "syn+ack"]);
}

#[test]
fn an_answer_must_acknowledge_the_syn_and_at_most_its_data() {
    for (acknowledged, answers) in
        [(6, false), (7, false), (8, true), (9, true), (12, true), (13, false), (u32::MAX, false), (0, false)]
    {
        let expected = if answers { &["syn", "syn+ack"][..] } else { &["syn"] };
        for missing in [0, 1, 4] {
            let mut watch = Watch::new(TcpSettings::default());
            watch.push_cut(&from_client(&syn(7).payload(b"data")), missing, 0);
            watch.push(&from_server(&syn_ack(acknowledged)), 1);
            assert_eq!(watch.words(), expected, "{acknowledged}, {missing} bytes cut");
        }
    }
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&from_client(&syn(u32::MAX)), 0);
    watch.push(&from_server(&syn_ack(0)), 1);
    assert_eq!(watch.words(), ["syn", "syn+ack"], "sequence numbers wrap");
}

#[test]
fn whatever_comes_before_the_answer_ends_the_connection() {
    for (flags, from_the_client) in [
        (flags::ACK, true),
        (flags::ACK | flags::PSH, false),
        (flags::RST, true),
        (flags::RST | flags::ACK, false),
        (flags::FIN | flags::ACK, true),
    ] {
        let mut watch = Watch::new(TcpSettings::default());
        watch.push(&from_client(&syn(7)), 0);
        let datagram = if from_the_client {
            from_client(&Tcp::new(40_000, 80).flags(flags))
        } else {
            from_server(&Tcp::new(80, 40_000).flags(flags))
        };
        watch.push(&datagram, 1);
        watch.push(&from_server(&syn_ack(8)), 2);
        assert_eq!(watch.words(), ["syn"], "{flags:#x}");
    }
}

#[test]
fn flags_that_no_stack_sends_are_counted_and_change_nothing() {
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&from_client(&syn(7)), 0);
    let impossible = [
        flags::SYN | flags::FIN,
        flags::SYN | flags::RST,
        flags::FIN | flags::RST,
        0,
        flags::PSH,
        flags::URG | flags::ECE,
    ];
    for flags in impossible {
        watch.push(&from_client(&Tcp::new(40_000, 80).flags(flags)), 1);
    }
    watch.push(&from_server(&syn_ack(8)), 2);
    assert_eq!(watch.words(), ["syn", "syn+ack"]);
    assert_eq!(watch.stats().malformed, [("tcp_flags", impossible.len() as u64)]);
}

#[test]
fn a_syn_from_a_host_to_itself_and_its_own_answer_are_one_syn() {
    let mut watch = Watch::new(TcpSettings::default());
    let header = Ipv4::new(CLIENT, CLIENT);
    watch.push(&header.tcp(&Tcp::new(80, 80).sequence(7)), 0);
    watch.push(&header.tcp(&Tcp::new(80, 80).acknowledgment(8).flags(flags::SYN | flags::ACK)), 1);
    watch.push(&header.tcp(&Tcp::new(80, 80).flags(flags::RST)), 2);
    assert_eq!(watch.words(), ["syn"]);
}

#[test]
fn the_clocks_of_both_ends_are_measured_from_data_in_both_directions() {
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&from_client(&syn(7)), 0);
    watch.push(&from_server(&syn_ack(8)), 10 * MILLISECOND);
    for step in 1..=3_u32 {
        let millis = u64::from(step) * 400;
        watch.push(&from_client(&data(1_000 + step * 400)), millis * MILLISECOND);
        let answer = [TcpOption::Nop, TcpOption::Nop, TcpOption::Timestamps(2_000 + step * 100, 1)];
        let answer = Tcp::new(80, 40_000).sequence(10).acknowledgment(9).flags(flags::ACK).options(answer);
        watch.push(&from_server(&answer), (millis + 10) * MILLISECOND);
    }
    let clocks: Vec<_> = watch
        .events
        .iter()
        .filter_map(|event| match event {
            TcpEvent::Uptime(uptime) => Some((uptime.origin.source.ip().to_string(), uptime.frequency_hz)),
            _ => None,
        })
        .collect();
    assert_eq!(clocks, [("10.0.0.1".to_owned(), 1_000.0), ("10.0.0.2".to_owned(), 250.0)]);
}

#[test]
fn an_answer_to_something_else_leaves_the_clock_at_the_time_of_the_syn() {
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&from_client(&syn(7)), 0);
    watch.push(&from_server(&syn_ack(3_000)), 5 * SECOND);
    watch.push(&from_server(&syn_ack(8)), 5 * SECOND + 1);
    watch.push(&from_client(&data(7_000)), 6 * SECOND);
    watch.push(&from_client(&data(8_000)), 7 * SECOND);
    let Some(TcpEvent::Uptime(uptime)) = watch.events.pop() else { panic!("an uptime") };
    assert_eq!(uptime.frequency_hz, 1_000.0);
}

#[test]
fn a_reset_reports_the_clock_as_far_as_it_is_known_and_ends_it() {
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&from_client(&syn(7)), 0);
    watch.push(&from_server(&syn_ack(8)), 1);
    watch.push(&from_client(&data(2_000)), SECOND);
    watch.push(&from_server(&Tcp::new(80, 40_000).flags(flags::RST)), SECOND + 1);
    assert_eq!(watch.words(), ["syn", "syn+ack", "uptime"]);
    watch.push(&from_client(&data(3_000)), 2 * SECOND);
    watch.analyzer.on_end(&mut |_| panic!("nothing is left"));
}

#[test]
fn a_late_packet_leaves_the_clock_at_the_time_of_its_ticks() {
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&from_client(&syn(7)), 0);
    watch.push(&from_server(&syn_ack(8)), 1);
    watch.push(&from_client(&data(2_000)), SECOND);
    watch.push(&from_client(&data(1_999)), SECOND + 90_000_000);
    watch.push(&from_server(&Tcp::new(80, 40_000).flags(flags::RST)), SECOND + 95_000_000);
    let Some(TcpEvent::Uptime(uptime)) = watch.events.pop() else { panic!("an uptime") };
    assert_eq!(uptime.ticks, 2_000);
    assert_eq!(uptime.origin.captured_at, Timestamp::from_nanos(START + SECOND));
}

#[test]
fn padding_behind_a_length_of_zero_is_no_payload() {
    let mut padded =
        Ipv4::new(CLIENT, SERVER).total_length(0).tcp(&Tcp::new(1, 2).options([TcpOption::Mss(9)]));
    // The shortest frame of Ethernet, up to which zeros are padding.
    padded.resize(60, 0);
    let longer = [&padded[..], &[0]].concat();
    let mut filled = padded.clone();
    filled[59] = 7;
    for (datagram, has_payload) in [(&padded, false), (&longer, true), (&filled, true)] {
        let mut watch = Watch::new(TcpSettings::default());
        watch.push(datagram, 0);
        let Some(TcpEvent::Syn(seen)) = watch.events.pop() else { panic!("a SYN") };
        assert_eq!(seen.observation.has_payload, has_payload, "{datagram:?}");
        watch.push(&longer, 0);
        assert!(watch.events.is_empty(), "the same SYN");
    }
}

#[test]
fn more_hosts_with_clocks_than_the_limit_take_bounded_memory_though_time_stands_still() {
    // Each host connects at the same second and has sent what settles its clock half a second later; then time goes
    // back for the next host, so that no host is ever old.
    let hosts = 3_000_u32;
    let mut records = Vec::new();
    for host in 0..hosts {
        let address = (0x0a01_0000 + host).to_be_bytes();
        let there = |segment: &Tcp| Ipv4::new(address, SERVER).tcp(segment);
        let answer = Ipv4::new(SERVER, address).tcp(&syn_ack(8).options([TcpOption::Mss(1_460)]));
        records.push(Record::whole(START, there(&syn(7))));
        records.push(Record::whole(START + MILLISECOND, answer));
        for step in 1..=3 {
            let millis = step * 200;
            let datagram = there(&data(1_000 + millis as u32));
            records.push(Record::whole(START + millis * MILLISECOND, datagram));
        }
    }
    let capture = Capture { link_type: link_type::RAW, records };
    let file = container::pcap(Pcap::Micros, Endian::Little, &capture);
    let kept = |max_hosts: usize| {
        let settings = TcpSettings::default().with_max_hosts(max_hosts).with_max_flows(16);
        let source = CaptureFile::from_bytes(file.clone()).expect("a capture");
        let pipeline = HuginnNetTcp::with_settings(settings);
        let (uptimes, allocations) = alloc::measure(|| {
            let events = pipeline.analyze(source).map(|event| event.expect("a readable capture"));
            events.filter(|event| matches!(event, TcpEvent::Uptime(_))).count()
        });
        assert_eq!(uptimes, hosts as usize, "each host is reported once");
        allocations.peak_bytes
    };
    let (few, many) = (kept(10), kept(1_000));
    assert!(few < 100_000, "{few} bytes for 10 hosts");
    assert!(many < 100_000 + 1_000 * 1_000, "{many} bytes for 1,000 hosts");
}

#[test]
fn where_time_runs_back_workers_pair_the_same_answers_as_one_thread() {
    // Pairs of SYN and answer, at times that run ahead by more than the timeout, and back by less and by more.
    let mut rng = Rng::new(7);
    let mut records = Vec::new();
    let mut time = START;
    let mut waiting: Vec<u32> = Vec::new();
    for host in 0..600_u32 {
        time = match rng.next_u64() % 8 {
            0 => time - rng.next_u64() % (29 * SECOND),
            1 => time - 45 * SECOND,
            2 => time + rng.next_u64() % (40 * SECOND),
            _ => time + rng.next_u64() % (4 * SECOND),
        };
        let address = |host: u32| (0x0a01_0000 + host).to_be_bytes();
        records.push(Record::whole(time, Ipv4::new(address(host), SERVER).tcp(&syn(7))));
        waiting.push(host);
        if host % 2 == 1 {
            let chosen = waiting.len() - 1 - rng.next_u64() as usize % waiting.len().min(10);
            let host = waiting.swap_remove(chosen);
            records.push(Record::whole(time, Ipv4::new(SERVER, address(host)).tcp(&syn_ack(8))));
        }
    }
    let capture = Capture { link_type: link_type::RAW, records };
    let file = container::pcap(Pcap::Micros, Endian::Little, &capture);
    let run = |pipeline: HuginnNetTcp| {
        let source = CaptureFile::from_bytes(file.clone()).expect("a capture");
        let events = pipeline.analyze(source).map(|event| event.expect("a readable capture"));
        events.map(|event| format!("{event:?}")).collect::<Vec<_>>()
    };
    let alone = run(HuginnNetTcp::new());
    let paired = alone.len() - 600;
    assert!((50..250).contains(&paired), "{paired} of 300 answers came in time");
    for workers in [1, 2, 3, 8] {
        let pool = HuginnNetTcp::new().pool(PoolConfig::new(workers, 2).with_batch(3, 10_000));
        assert_eq!(run(pool), alone, "{workers} workers");
    }
}

#[test]
fn limits_of_zero_hold_as_little_as_can_be_and_break_nothing() {
    let settings = TcpSettings::default()
        .with_max_flows(0)
        .with_max_pending_per_source(0)
        .with_flow_timeout(Duration::ZERO)
        .with_max_hosts(0)
        .with_report_unpaired(true);
    let mut watch = Watch::new(settings);
    watch.push(&from_client(&syn(7)), 0);
    watch.push(&from_server(&syn_ack(8)), 1);
    watch.push(&from_client(&data(5)), 2);
    watch.time(3);
    assert_eq!(watch.words(), ["syn", "unpaired"]);
}

#[test]
fn an_answer_knows_what_the_syn_offered() {
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&from_client(&syn(7).flags(flags::SYN | flags::ECE | flags::CWR)), 0);
    watch.push(&from_server(&syn_ack(8)), 1);
    let Some(TcpEvent::SynAck(answer)) = watch.events.pop() else { panic!("an answer") };
    let offer = answer.observation.syn_offer.expect("the SYN was seen");
    assert!(offer.window_scale && offer.sack && offer.timestamps && offer.ecn);
    assert!(!offer.fast_open && !offer.multipath);
}
