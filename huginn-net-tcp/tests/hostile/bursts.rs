//! Packets that are passed over, as their end has just had some that counted.

use huginn_net_tcp::{TcpEvent, TcpSettings};
use proptest::prelude::*;
use testkit::packet::{Tcp, TcpOption, flags};

use super::{MILLISECOND, SECOND, Watch, data, from_client, from_server, syn, syn_ack};

/// What one end of a connection sends next.
#[derive(Clone, Copy, Debug)]
struct Step {
    by_client: bool,
    flags: u16,
    /// Which of two numbers a SYN has, or its answer acknowledges.
    number: u32,
    /// In milliseconds after the packet before it.
    later: i64,
    /// What its counter is off by.
    noise: u32,
    has_timestamps: bool,
}

fn step() -> impl Strategy<Value = Step> {
    let kinds = prop_oneof![
        1 => Just((true, flags::SYN)),
        1 => Just((false, flags::SYN | flags::ACK)),
        12 => any::<bool>().prop_map(|by_client| (by_client, flags::ACK)),
        1 => any::<bool>().prop_map(|by_client| (by_client, flags::FIN | flags::ACK)),
        1 => any::<bool>().prop_map(|by_client| (by_client, flags::RST)),
    ];
    let later = prop_oneof![
        8 => 0..8_i64,
        2 => 8..400_i64,
        1 => prop_oneof![Just(-1_000_i64), Just(1_000_i64), Just(-3_i64)],
    ];
    let noise = prop_oneof![6 => 0..2_u32, 1 => Just(40_000_u32)];
    let rest = (0..2_u32, noise, prop::bool::weighted(0.9));
    (kinds, later, rest).prop_map(|((by_client, flags), later, (number, noise, has_timestamps))| Step {
        by_client,
        flags,
        number,
        later,
        noise,
        has_timestamps,
    })
}

/// A connection from its handshake on, and what may follow.
fn script() -> impl Strategy<Value = Vec<Step>> {
    let of =
        |by_client, flags| Step { by_client, flags, number: 0, later: 1, noise: 0, has_timestamps: true };
    let handshake = [
        of(true, flags::SYN),
        of(false, flags::SYN | flags::ACK),
        of(true, flags::ACK),
        of(false, flags::ACK),
    ];
    prop::collection::vec(step(), 0..60).prop_map(move |steps| [&handshake[..], &steps[..]].concat())
}

/// The packets of a script, with a port that stands for it, and when they come.
fn packets(port: u16, steps: &[Step]) -> Vec<(Vec<u8>, u64)> {
    let mut millis = 20_000_u64;
    let packet = |step: &Step| {
        millis = millis.saturating_add_signed(step.later);
        let ticks = millis as u32 + step.noise;
        let isn = 100 + step.number * 5_000;
        let ports = if step.by_client { (port, 80) } else { (80, port) };
        let segment = Tcp::new(ports.0, ports.1)
            .sequence(isn)
            .acknowledgment(isn + 1)
            .flags(step.flags)
            .options(step.has_timestamps.then_some(TcpOption::Timestamps(ticks, 1)));
        let datagram = if step.by_client { from_client(&segment) } else { from_server(&segment) };
        (datagram, millis * MILLISECOND)
    };
    steps.iter().map(packet).collect()
}

fn port_of(event: &TcpEvent) -> u16 {
    let origin = match event {
        TcpEvent::Syn(seen) | TcpEvent::SynAck(seen) => seen.origin,
        TcpEvent::Uptime(uptime) => uptime.origin,
        other => panic!("{other:?}"),
    };
    origin.source.port().max(origin.destination.port())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(30) })]

    /// Connections share places in the tables that say which packets are passed over.
    #[test]
    fn a_connection_is_told_alike_alone_and_among_others(scripts in prop::collection::vec(script(), 60)) {
        let all: Vec<_> = (40_000..).zip(&scripts).map(|(port, steps)| (port, packets(port, steps))).collect();
        let mut crowd = Watch::new(TcpSettings::default());
        for turn in 0..all.iter().map(|(_, packets)| packets.len()).max().unwrap_or(0) {
            for (datagram, nanos) in all.iter().filter_map(|(_, packets)| packets.get(turn)) {
                crowd.push(datagram, *nanos);
            }
        }
        crowd.end();
        for (port, packets) in &all {
            let mut alone = Watch::new(TcpSettings::default());
            packets.iter().for_each(|(datagram, nanos)| alone.push(datagram, *nanos));
            alone.end();
            let of_it = crowd.events.iter().filter(|event| port_of(event) == *port);
            let told: Vec<_> = of_it.map(|event| format!("{event:?}")).collect();
            let expected: Vec<_> = alone.events.iter().map(|event| format!("{event:?}")).collect();
            prop_assert_eq!(told, expected);
        }
    }
}

/// A connection whose client has just had a packet that counted, and one that is passed over.
fn in_a_burst() -> Watch {
    let mut watch = Watch::new(TcpSettings::default());
    watch.push(&from_client(&syn(1)), 0);
    watch.push(&from_server(&syn_ack(2)), MILLISECOND);
    for millis in [300, 600, 601] {
        watch.push(&from_client(&data(1_000 + millis as u32)), millis * MILLISECOND);
    }
    assert_eq!(watch.words(), ["syn", "syn+ack", "uptime"]);
    watch
}

#[test]
fn ports_that_are_used_again_within_a_burst_are_heard_of_at_once() {
    for last in [flags::RST, flags::FIN | flags::ACK] {
        let mut watch = in_a_burst();
        watch.push(&from_client(&data(1_602).flags(last)), 602 * MILLISECOND);
        watch.push(&from_client(&syn(7_000)), 603 * MILLISECOND);
        // Before its answer, so that the connection is not what it seems.
        watch.push(&from_client(&data(1_604)), 604 * MILLISECOND);
        watch.push(&from_server(&syn_ack(7_001)), 605 * MILLISECOND);
        assert_eq!(watch.words(), ["syn"], "{last:x}");
    }
}

/// A segment of the server after the handshake.
fn answer(ticks: u32) -> Tcp {
    Tcp::new(80, 40_000).flags(flags::ACK).options([TcpOption::Timestamps(ticks, 1)])
}

#[test]
fn ports_that_are_used_again_when_both_clocks_are_known_are_heard_of_at_once() {
    let mut watch = in_a_burst();
    for millis in [610, 620, 630] {
        watch.push(&from_server(&answer(2_000 + millis as u32)), millis * MILLISECOND);
    }
    assert_eq!(watch.words(), ["uptime"]);
    watch.push(&from_client(&syn(7_000)), 640 * MILLISECOND);
    watch.push(&from_client(&data(1_641)), 641 * MILLISECOND);
    watch.push(&from_server(&syn_ack(7_001)), 642 * MILLISECOND);
    assert_eq!(watch.words(), ["syn"]);
}

#[test]
fn a_connection_in_use_is_heard_of_though_time_went_back_meanwhile() {
    let mut watch = Watch::new(TcpSettings::default().with_max_flows(2));
    let other = |port, ticks| Tcp::new(port, 80).options(super::options(ticks));
    watch.push(&from_client(&syn(1)), 0);
    watch.push(&from_server(&syn_ack(2)), MILLISECOND);
    for millis in [500, 1_000] {
        watch.push(&from_client(&data(1_000 + millis as u32)), millis * MILLISECOND);
    }
    // No packet of the client is wanted in this second now.
    watch.push(&from_client(&other(50_000, 5)), 1_100 * MILLISECOND);
    watch.push(&from_server(&answer(2_900)), 900 * MILLISECOND);
    watch.push(&from_client(&other(50_000, 6)), 1_150 * MILLISECOND);
    watch.push(&from_client(&data(2_200)), 1_200 * MILLISECOND);
    watch.push(&from_client(&other(50_001, 5)), 1_250 * MILLISECOND);
    let _ = watch.words();
    watch.push(&from_server(&answer(3_500)), 1_500 * MILLISECOND);
    assert_eq!(watch.words(), ["uptime"], "the other connection was given up");
}

#[test]
fn a_connection_in_use_is_heard_of_once_a_second_though_its_packets_are_passed_over() {
    let mut watch = Watch::new(TcpSettings::default().with_max_flows(2));
    let other = |port| Tcp::new(port, 80).options(super::options(5));
    watch.push(&from_client(&syn(1)), 0);
    watch.push(&from_server(&syn_ack(2)), MILLISECOND);
    watch.push(&from_client(&other(50_000)), 500 * MILLISECOND);
    // The second settles the clock of the client, of which no other is wanted in this second.
    for millis in [998, 999, 1_000] {
        watch.push(&from_client(&data(1_000 + millis as u32)), millis * MILLISECOND);
    }
    // The oldest is given up, and that is not the one that was heard of in this second.
    watch.push(&from_client(&other(50_001)), SECOND + MILLISECOND);
    let _ = watch.words();
    for millis in [1_500, 2_000] {
        watch.push(&from_server(&answer(2_000 + millis as u32)), millis * MILLISECOND);
    }
    assert_eq!(watch.words(), ["uptime"], "its server has a clock, too");
}
