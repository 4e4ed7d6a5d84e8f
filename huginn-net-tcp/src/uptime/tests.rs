//! Uptimes that are proven, and what does not prove one.

use huginn_net_core::{Endpoint, Frame, LinkType, Packet};

use super::*;

/// A connection of 10.0.0.1 to the host 10.0.0.`peer`, whose counter of 1000 Hz was `ticks` at `millis`.
fn connection(port: u16, peer: u8, millis: u64, ticks: u32) -> TcpEvent {
    let [high, low] = port.to_be_bytes();
    let datagram = [
        0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, peer, //
        high, low, 0, 80, 0, 0, 0, 1, 0, 0, 0, 0, 0x50, 0x10, 0, 0, 0, 0, 0, 0,
    ];
    let captured_at = Timestamp::from_nanos(1_700_000_000_000_000_000 + millis * 1_000_000);
    let frame = Frame { captured_at, ..Frame::new(&datagram, LinkType::RAW) };
    let packet = Packet::decode(&frame).expect("a packet");
    TcpEvent::Uptime(Uptime {
        origin: Origin::of(&packet),
        started_at: captured_at,
        frequency_hz: 1000.0,
        frequency_error_hz: 1.0,
        packets: 3,
        ticks,
        state: UptimeState::SingleConnection,
        several_peers: false,
        measured_together: false,
    })
}

fn reported(connections: &[TcpEvent]) -> Vec<Uptime> {
    let mut conclusion = UptimeConclusion::new(10);
    let mut reported = Vec::new();
    let mut report = |event: TcpEvent| match event {
        TcpEvent::Uptime(uptime) => reported.push(uptime),
        other => panic!("{other:?}"),
    };
    for &event in connections {
        conclusion.on_event(event, &mut report);
    }
    conclusion.on_end(&mut report);
    reported
}

fn states(connections: &[TcpEvent]) -> Vec<UptimeState> {
    reported(connections).iter().map(|uptime| uptime.state).collect()
}

fn reliable(connections: &[TcpEvent]) -> Vec<bool> {
    reported(connections).iter().map(Uptime::is_reliable).collect()
}

#[test]
fn connections_that_share_a_counter_are_consistent_and_prove_the_uptime_once_they_are_to_several_peers() {
    let shared =
        [connection(1, 2, 0, 70_000), connection(2, 2, 5_000, 75_003), connection(3, 9, 9_000, 79_000)];
    assert_eq!(states(&shared), [UptimeState::Consistent; 2]);
    assert_eq!(reliable(&shared), [false, true]);
    assert!(reported(&shared).iter().all(|uptime| uptime.seconds().is_some()));
}

#[test]
fn connections_to_one_peer_are_consistent_until_those_to_another_are_not() {
    let one_peer = [connection(1, 2, 0, 70_000), connection(2, 2, 5_000, 75_003)];
    assert_eq!(states(&one_peer), [UptimeState::Consistent]);
    let of_its_own = [one_peer[0], one_peer[1], connection(3, 9, 9_000, 3_000_000_000)];
    assert_eq!(states(&of_its_own), [UptimeState::Consistent, UptimeState::PerPeerOffset]);
    assert_eq!(reliable(&of_its_own), [false, false]);
}

#[test]
fn an_uptime_that_was_proved_is_not_reported_again_when_the_other_peers_are_forgotten() {
    let mut shared = vec![connection(1, 2, 0, 70_000), connection(2, 9, 5_000, 75_000)];
    for later in 3..20 {
        let seconds = u32::from(later) * 5;
        shared.push(connection(later, 9, u64::from(seconds) * 1_000, 70_000 + seconds * 1_000));
    }
    assert_eq!(reliable(&shared), [true]);
}

#[test]
fn connections_of_two_packets_need_another_of_their_rate() {
    let of_two = |event, frequency_hz| {
        let TcpEvent::Uptime(uptime) = event else { panic!("an uptime") };
        TcpEvent::Uptime(Uptime { packets: 2, frequency_hz, ..uptime })
    };
    let (first, second) = (connection(1, 2, 0, 70_000), connection(2, 9, 5_000, 3_000_000_000));
    assert_eq!(states(&[of_two(first, 1000.0)]), []);
    assert_eq!(states(&[of_two(first, 1000.0), of_two(second, 700.0)]), []);
    let agreeing = [of_two(first, 1000.0), of_two(second, 1000.0)];
    assert_eq!(states(&agreeing), [UptimeState::Randomised]);
    assert_eq!(states(&[of_two(first, 1000.0), second]), [UptimeState::Randomised]);
    assert_eq!(states(&[of_two(first, 700.0), second]), [UptimeState::SingleConnection]);
}

#[test]
fn a_host_waits_from_its_first_slope_on() {
    let mut conclusion = UptimeConclusion::new(10);
    let mut count = 0;
    let TcpEvent::Uptime(first) = connection(1, 2, 0, 70_000) else { panic!("an uptime") };
    conclusion.on_event(TcpEvent::Uptime(Uptime { packets: 2, ..first }), &mut |_| count += 1);
    conclusion.on_time(Timestamp::from_parts(1_700_000_040, 0), &mut |_| count += 1);
    assert_eq!((count, conclusion.waiting.len()), (0, 0));
    let TcpEvent::Uptime(other) = connection(1, 2, 40_000, 110_000) else { panic!("an uptime") };
    conclusion.on_event(TcpEvent::Uptime(other), &mut |_| count += 1);
    conclusion.on_time(Timestamp::from_parts(1_700_000_071, 0), &mut |_| count += 1);
    assert_eq!(count, 1);
}

#[test]
fn connections_with_counters_of_their_own_disprove_it() {
    let random = [connection(1, 2, 0, 70_000), connection(2, 2, 5_000, 3_000_000_000)];
    assert_eq!(states(&random), [UptimeState::Randomised]);
}

#[test]
fn connections_captured_again_by_another_clock_disprove_nothing() {
    let twice = [
        connection(1, 2, 0, 70_000),
        connection(1, 2, 3_000, 70_000),
        connection(2, 9, 8_000, 78_000),
        connection(2, 9, 11_000, 78_000),
    ];
    assert_eq!(states(&twice), [UptimeState::Consistent]);
    // The ports are used again.
    assert_eq!(
        states(&[twice[0], connection(1, 2, 3_000, 3_000_000_000), twice[2]]),
        [UptimeState::Randomised]
    );
}

#[test]
fn of_a_connection_captured_twice_the_capture_with_a_slope_counts() {
    let whole = connection(1, 2, 3_000, 70_000);
    let TcpEvent::Uptime(cut) = connection(1, 2, 0, 70_000) else { panic!("an uptime") };
    let cut = TcpEvent::Uptime(Uptime { packets: 2, ..cut });
    assert_eq!(states(&[cut, whole]), [UptimeState::SingleConnection]);
    assert_eq!(states(&[whole, cut]), [UptimeState::SingleConnection]);
}

#[test]
fn a_counter_per_peer_is_told_from_one_per_connection() {
    let per_peer = [
        connection(1, 2, 0, 70_000),
        connection(2, 9, 5_000, 3_000_000_000),
        connection(3, 2, 9_000, 79_001),
    ];
    assert_eq!(states(&per_peer), [UptimeState::Randomised, UptimeState::PerPeerOffset]);
}

#[test]
fn a_single_connection_is_reported_at_the_end_as_such() {
    assert_eq!(states(&[connection(1, 2, 0, 70_000)]), [UptimeState::SingleConnection]);
}

#[test]
fn a_burst_of_connections_proves_nothing() {
    let burst = [connection(1, 2, 0, 70_000), connection(2, 2, 400, 70_400)];
    assert_eq!(states(&burst), [UptimeState::SingleConnection]);
}

#[test]
fn connections_prove_something_from_a_second_apart_on() {
    assert_eq!(
        states(&[connection(1, 2, 0, 0), connection(2, 9, 999, 999)]),
        [UptimeState::SingleConnection]
    );
    assert_eq!(states(&[connection(1, 2, 0, 0), connection(2, 9, 1_000, 1_000)]), [UptimeState::Consistent]);
}

#[test]
fn connections_that_began_a_second_apart_prove_something_though_they_ended_together() {
    let TcpEvent::Uptime(second) = connection(2, 2, 5_400, 3_000_000_000) else { panic!("an uptime") };
    let began_at = |millis: u64| Timestamp::from_nanos(1_700_000_000_000_000_000 + millis * 1_000_000);
    for (began, state) in [(5_000_u64, UptimeState::Randomised), (4_999, UptimeState::SingleConnection)] {
        let TcpEvent::Uptime(first) = connection(1, 2, 5_000, 70_000) else { panic!("an uptime") };
        let first = Uptime { started_at: began_at(4_000), ..first };
        let second = Uptime { started_at: began_at(began), ..second };
        assert_eq!(states(&[TcpEvent::Uptime(first), TcpEvent::Uptime(second)]), [state]);
    }
}

#[test]
fn it_makes_no_difference_which_of_two_connections_is_reported_first() {
    let consistent = [connection(1, 2, 0, 70_000), connection(2, 9, 10_000, 80_000)];
    let randomised = [connection(1, 2, 0, 70_000), connection(2, 9, 10_000, 3_000_000_000)];
    for (pair, state) in [(consistent, UptimeState::Consistent), (randomised, UptimeState::Randomised)] {
        let [one, other] = pair;
        assert_eq!([states(&[one, other]), states(&[other, one])], [[state], [state]]);
    }
    // Their rates differ, and only at one of them they agree.
    let TcpEvent::Uptime(slow) = connection(2, 9, 10_000, 10_500) else { panic!("an uptime") };
    let (fast, slow) = (connection(1, 2, 0, 0), TcpEvent::Uptime(Uptime { frequency_hz: 100.0, ..slow }));
    assert_eq!([states(&[fast, slow]), states(&[slow, fast])], [[UptimeState::Consistent]; 2]);
}

#[test]
fn a_counter_per_peer_stays_one_when_the_connections_to_the_other_peer_are_forgotten() {
    let mut connections = vec![
        connection(1, 2, 0, 70_000),
        connection(2, 2, 5_000, 75_000),
        connection(3, 9, 9_000, 3_000_000_000),
    ];
    for later in 4..20 {
        let seconds = u32::from(later) * 5;
        connections.push(connection(later, 2, u64::from(seconds) * 1_000, 70_000 + seconds * 1_000));
    }
    assert_eq!(states(&connections), [UptimeState::Consistent, UptimeState::PerPeerOffset]);
}

#[test]
fn a_counter_is_shared_if_it_is_off_by_no_more_than_two_ticks_a_second_and_a_half_and_the_rate() {
    // At 1000 Hz, off by 1 at most, after four seconds: 2 ticks, 1,500, and 4 for the rate.
    let second = |ticks| states(&[connection(1, 2, 0, 0), connection(2, 9, 4_000, ticks)]);
    assert_eq!([5_506, 2_494].map(second), [[UptimeState::Consistent]; 2]);
    assert_eq!([5_507, 2_493].map(second), [[UptimeState::Randomised]; 2]);
}

#[test]
fn a_slope_that_is_a_little_wrong_does_not_disprove_a_counter_that_the_other_one_measures() {
    let TcpEvent::Uptime(second) = connection(2, 9, 20_000, 90_000) else { panic!("an uptime") };
    let wrong = Uptime { frequency_hz: 960.0, frequency_error_hz: 20.0, ..second };
    let first = connection(1, 2, 0, 70_000);
    assert_eq!(states(&[first, TcpEvent::Uptime(wrong)]), [UptimeState::Consistent]);
    assert_eq!(states(&[TcpEvent::Uptime(wrong), first]), [UptimeState::Consistent]);
}

#[test]
fn a_rate_taken_for_a_known_one_is_corrected_by_connections_that_lie_further_apart() {
    // 1024 Hz, measured within 5 %.
    let event = |port, peer, millis: u64| {
        let ticks = u32::try_from(millis * 1_024 / 1_000).unwrap();
        let TcpEvent::Uptime(uptime) = connection(port, peer, millis, ticks) else { panic!("an uptime") };
        TcpEvent::Uptime(Uptime { frequency_error_hz: 50.0, ..uptime })
    };
    let [uptime] = reported(&[event(1, 2, 0), event(2, 9, 100_000)])[..] else { panic!("one") };
    assert_eq!(uptime.state, UptimeState::Consistent);
    assert!((uptime.frequency_hz - 1_024.0).abs() < 0.01, "{uptime:?}");
    assert!((uptime.seconds().unwrap() - 100.0).abs() < 0.01 && uptime.frequency_error_hz < 17.0);
    // What was told of connections that lie too near to tell it is corrected, once, and reliable only then.
    let told = reported(&[event(1, 2, 0), event(2, 9, 5_000), event(3, 9, 100_000), event(4, 2, 110_000)]);
    let seconds = |uptime: &Uptime| uptime.seconds().unwrap().round();
    let told: Vec<_> = told.iter().map(|uptime| (uptime.is_reliable(), seconds(uptime))).collect();
    assert_eq!(told, [(false, 5.0), (true, 100.0)]);
    // A second too late, which over ten seconds would be 1100 Hz.
    let late = [connection(1, 2, 0, 0), connection(2, 9, 10_000, 11_000)];
    assert_eq!(reported(&late)[0].frequency_hz, 1_000.0);
}

#[test]
fn a_shared_counter_may_wrap_between_two_connections() {
    let wrapped = [connection(1, 2, 0, u32::MAX - 999), connection(2, 9, 2_000, 1_000)];
    assert_eq!(states(&wrapped), [UptimeState::Consistent]);
}

#[test]
fn a_measured_rate_is_as_uncertain_when_it_happens_to_be_a_whole_number() {
    let at_rate = |event, frequency_hz| {
        let TcpEvent::Uptime(uptime) = event else { panic!("an uptime") };
        TcpEvent::Uptime(Uptime { frequency_hz, frequency_error_hz: 0.5, ..uptime })
    };
    for frequency in [98.9, 99.0] {
        // A clock of 98.9 Hz, from two connections 1,000 seconds apart.
        let connections = [connection(1, 2, 0, 0), connection(2, 9, 1_000_000, 98_900)];
        let connections = connections.map(|event| at_rate(event, frequency));
        assert_eq!(states(&connections), [UptimeState::Consistent], "{frequency}");
    }
}

#[test]
fn a_host_is_reported_when_the_patience_is_over_and_not_again_at_the_end() {
    let mut conclusion = UptimeConclusion::new(10);
    let mut count = 0;
    conclusion.on_event(connection(1, 2, 0, 70_000), &mut |_| count += 1);
    let patience_ends = Timestamp::from_parts(1_700_000_030, 0);
    conclusion.on_time(patience_ends, &mut |_| count += 1);
    assert_eq!(count, 0);
    conclusion.on_time(Timestamp::from_parts(1_700_000_031, 0), &mut |_| count += 1);
    assert_eq!(count, 1);
    conclusion.on_end(&mut |_| count += 1);
    assert_eq!(count, 1);
}

#[test]
fn more_hosts_than_the_limit_report_the_oldest_and_keep_no_trace_of_it() {
    let mut conclusion = UptimeConclusion::new(1);
    let mut count = 0;
    conclusion.on_event(connection(1, 2, 0, 70_000), &mut |_| count += 1);
    let TcpEvent::Uptime(mut other) = connection(1, 2, 0, 70_000) else { panic!("an uptime") };
    other.origin.source = Endpoint::new(IpAddr::from([10, 0, 0, 77]), other.origin.source.port());
    conclusion.on_event(TcpEvent::Uptime(other), &mut |_| count += 1);
    assert_eq!((count, conclusion.hosts.len(), conclusion.waiting.len()), (1, 1, 1));
}

#[test]
fn equal_addresses_of_different_networks_are_different_hosts() {
    let mut conclusion = UptimeConclusion::new(10);
    let mut states = Vec::new();
    for (domain, event) in [(1, connection(1, 2, 0, 70_000)), (2, connection(2, 2, 5_000, 3_000_000_000))] {
        let TcpEvent::Uptime(mut uptime) = event else { panic!("an uptime") };
        uptime.origin.domain = domain;
        conclusion.on_event(TcpEvent::Uptime(uptime), &mut |_| panic!("nothing to compare with"));
    }
    conclusion.on_end(&mut |event| match event {
        TcpEvent::Uptime(uptime) => states.push(uptime.state),
        other => panic!("{other:?}"),
    });
    assert_eq!(states, [UptimeState::SingleConnection; 2]);
}
