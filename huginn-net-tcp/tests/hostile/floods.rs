//! More than the limits allow: memory stays within them, and who keeps to them is not harmed.

use core::time::Duration;

use huginn_net_core::{Analyzer, AnalyzerStats, CaptureFile, Frame, LinkType, Packet, Timestamp};
use huginn_net_tcp::{HuginnNetTcp, TcpAnalyzer, TcpEvent, TcpSettings};
use testkit::alloc;
use testkit::capture::{Capture, Endian, Record};
use testkit::container::{self, Pcap};
use testkit::encap::link::link_type;
use testkit::packet::{IpHeader, Ipv4, Ipv6, Mould, Tcp, TcpOption, flags};
use testkit::rng::Rng;

use crate::{
    MILLISECOND, SECOND, SERVER, START, Watch, data, from_client, from_server, mould_of, syn, syn_ack,
};

/// Bytes a table of this many connections takes: per connection tag, state, list and hash, and a count of its source;
/// and while it is doubled, half as much again. The counting filter takes 16 KiB, places of ends that are passed over 32, and
/// what is remembered of observations the rest.
fn most_bytes(max_flows: usize, per_flow: usize) -> u64 {
    (max_flows * per_flow * 3 / 2 + 104 * 1_024) as u64
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

/// Counts by source are exact from the first one that was refused.
#[test]
fn a_source_that_was_refused_has_room_for_one_more_when_one_of_its_connections_ends() {
    let settings = TcpSettings::default().with_max_pending_per_source(2);
    // In a table of two, the next connection displaces another one of the source.
    for (end, max_flows, room) in
        [("answered", 9, 1), ("reset", 9, 1), ("gone on without an answer", 9, 1), ("displaced", 2, 2)]
    {
        let mut watch = Watch::new(settings.with_max_flows(max_flows));
        watch.push(&from_client(&syn(7)), 0);
        watch.push(&from_client(&Tcp::new(1, 80)), 0);
        watch.push(&from_client(&Tcp::new(2, 80)), 0);
        assert_eq!(watch.limit("tcp_pending_per_source"), 1);
        match end {
            "answered" => watch.push(&from_server(&syn_ack(8)), 1),
            "reset" => watch.push(&from_server(&Tcp::new(80, 40_000).flags(flags::RST | flags::ACK)), 1),
            "displaced" => watch.push(&Ipv4::new([10, 9, 9, 9], SERVER).tcp(&Tcp::new(1, 80)), 1),
            _ => watch.push(&from_client(&Tcp::new(40_000, 80).flags(flags::ACK)), 1),
        }
        for port in 3..3 + room {
            watch.push(&from_client(&Tcp::new(port, 80)), 2);
            assert_eq!(watch.limit("tcp_pending_per_source"), 1, "{end}");
        }
        watch.push(&from_client(&Tcp::new(3 + room, 80)), 2);
        assert_eq!(watch.limit("tcp_pending_per_source"), 2, "{end}");
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
    let (mut syns, mut later) = (mould_of(&syn(1)), mould_of(&data(1_001)));
    let mut answer = from_server(&syn_ack(2));
    for max_flows in [1, 1_000] {
        let (_, allocations) = alloc::measure(|| {
            let mut analyzer = TcpAnalyzer::new(TcpSettings::default().with_max_flows(max_flows));
            for index in 0..20_000_u32 {
                let (syn, later) = (syns.cast(index, 40_000, 1), later.cast(index, 40_000, 2));
                answer[16..20].copy_from_slice(&index.to_be_bytes());
                // So many later ones that the end is passed over for a while.
                for (millis, bytes) in (0..).zip([syn, &answer, later, later, later]) {
                    let captured_at = Timestamp::from_nanos(START + millis * 6 * MILLISECOND);
                    let frame = Frame { captured_at, ..Frame::new(bytes, LinkType::RAW) };
                    analyzer.on_packet(&Packet::decode(&frame).expect("a packet"), &mut |_| {});
                }
            }
            analyzer
        });
        // The state of two clocks besides.
        assert!(allocations.peak_bytes < most_bytes(max_flows, 72 + 200), "{max_flows}: {allocations:?}");
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
