//! Segments, times and connections that are not what they look like.

use huginn_net_core::{Analyzer, CaptureFile, Frame, LinkType, Packet, PoolConfig, Timestamp};
use huginn_net_tcp::{HuginnNetTcp, TcpEvent, TcpSettings};
use testkit::capture::{Capture, Endian, Record};
use testkit::container::{self, Pcap};
use testkit::encap::link::link_type;
use testkit::packet::{IpHeader, Ipv4, Tcp, TcpOption, flags, protocol};
use testkit::rng::Rng;

use crate::{
    CLIENT, MILLISECOND, SECOND, SERVER, START, Watch, data, from_client, from_server, mould_of, options,
    syn, syn_ack,
};

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
fn a_syn_that_is_sent_again_keeps_its_connection_waiting() {
    let mut watch = Watch::new(TcpSettings::default());
    // When Linux sends it again, as long as the next one comes within the timeout.
    for (at, ticks) in [(0, 1_000), (1, 2_000), (3, 4_000), (7, 8_000), (15, 16_000), (31, 32_000)] {
        let again = Tcp::new(40_000, 80).sequence(7).options(options(ticks));
        watch.push(&from_client(&again), at * SECOND);
        watch.time(at * SECOND);
    }
    watch.push(&from_server(&syn_ack(8)), 31 * SECOND + 20 * MILLISECOND);
    assert_eq!(watch.words(), ["syn", "syn+ack"]);
    watch.push(&from_client(&data(32_500)), 31 * SECOND + 500 * MILLISECOND);
    watch.push(&from_client(&data(33_000)), 32 * SECOND);
    let Some(TcpEvent::Uptime(uptime)) = watch.events.pop() else { panic!("an uptime") };
    assert_eq!((uptime.frequency_hz, uptime.packets), (1_000.0, 3));
}

#[test]
fn a_clock_begins_with_the_first_syn_that_has_the_last_ticks() {
    // Some stacks send the very same bytes again, and a SYN may arrive behind a later one.
    for ticks in [4_000, 1_000, 500] {
        let mut watch = Watch::new(TcpSettings::default());
        watch.push(&from_client(&syn(7)), 0);
        watch.push(&from_client(&Tcp::new(40_000, 80).sequence(7).options(options(ticks))), 3 * SECOND);
        watch.push(&from_server(&syn_ack(8)), 3 * SECOND + 1);
        watch.push(&from_client(&data(4_300)), 3 * SECOND + 300 * MILLISECOND);
        watch.push(&from_client(&data(4_500)), 3 * SECOND + 500 * MILLISECOND);
        watch.push(&from_server(&Tcp::new(80, 40_000).flags(flags::RST)), 4 * SECOND);
        let clocks = watch.events.into_iter().filter_map(|event| match event {
            TcpEvent::Uptime(uptime) => Some(uptime.frequency_hz),
            _ => None,
        });
        assert_eq!(clocks.collect::<Vec<_>>(), [1_000.0], "{ticks}");
    }
}

#[test]
fn an_answer_must_acknowledge_the_syn_alone_or_with_all_of_its_data() {
    for (acknowledged, answers) in [
        (6, false),
        (7, false),
        (8, true),
        (9, false),
        (12, true),
        (13, false),
        (u32::MAX, false),
        (0, false),
    ] {
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
        let pool = HuginnNetTcp::new().with_pool(PoolConfig::new(workers, 2).with_batch(3, 10_000));
        assert_eq!(run(pool), alone, "{workers} workers");
    }
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
