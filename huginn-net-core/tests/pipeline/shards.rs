//! Several sources side by side.

use std::sync::Arc;

use huginn_net_core::{Pipeline, PoolConfig};

use crate::counting::{Counted, Gate, Settings, in_time, rest};
use crate::script::{Script, Step};

fn pipeline(settings: Settings) -> Pipeline<Counted> {
    Pipeline::with_settings(settings).with_pool(PoolConfig::new(1, 2))
}

/// Datagrams to a port, at times in milliseconds.
fn at(port: u16, millis: &[u64]) -> Vec<Step> {
    millis.iter().map(|&millis| Step::Datagram(port, millis)).collect()
}

/// Capture time in milliseconds and port of each packet event.
fn packets(lines: &[String]) -> Vec<String> {
    let cut = |line: &String| {
        let nanos = line.split("Timestamp(").nth(1)?.split(')').next()?.strip_suffix("000000")?.to_owned();
        let port = line.split("destination: 10.0.0.2:").nth(1)?.split(',').next()?.to_owned();
        line.contains("Packet").then(|| format!("{nanos}:{port}"))
    };
    lines.iter().filter_map(cut).collect()
}

#[test]
fn events_of_all_shards_come_in_the_order_of_capture_time() {
    let shards = || {
        [at(1, &[1, 400, 2_000, 2_001]), at(2, &[2, 3, 1_999, 5_000]), vec![], at(3, &[2_002])]
            .map(Script::new)
    };
    let found = in_time(move || rest(&mut pipeline(Settings::default()).analyze_shards(shards())));
    assert_eq!(
        packets(&found),
        ["1:1", "2:2", "3:2", "400:1", "1999:2", "2000:1", "2001:1", "2002:3", "5000:2"]
    );
    assert_eq!(found.iter().filter(|line| line.contains("End")).count(), 3);
    let last = found.last().expect("the total");
    assert!(last.contains("Concluded"), "{last}");
}

#[test]
fn stats_are_those_of_all_shards() {
    let mut events =
        pipeline(Settings::default()).analyze_shards([at(1, &[1, 2, 3]), at(2, &[0, 9])].map(Script::new));
    let _ = rest(&mut events);
    let stats = events.stats();
    assert_eq!((stats.source.packets, stats.decode.decoded), (5, 5));
    let millis = |time: Option<huginn_net_core::Timestamp>| time.map(|time| time.as_nanos() / 1_000_000);
    assert_eq!((millis(stats.source.first), millis(stats.source.last)), (Some(0), Some(9)));
    assert_eq!(stats.analysis.seen, [("packets", 5)]);
    let workers = stats.pool.expect("threads").workers;
    assert_eq!(workers.iter().map(|worker| worker.packets).collect::<Vec<_>>(), [3, 2]);
}

#[test]
fn a_shard_that_is_idle_is_not_waited_for() {
    let gate = Gate::default();
    let wait = {
        let gate = gate.clone();
        Step::Do(Box::new(move || gate.wait()))
    };
    let quiet = Script::new([Step::Datagram(2, 0), Step::Idle, wait]);
    let busy = Script::new(at(1, &[1, 2_000, 4_000]));
    let found = in_time(move || {
        let mut events = pipeline(Settings::default()).analyze_shards([quiet, busy]);
        let mut next = || events.next().expect("an event").expect("sources that work");
        while next().origin.is_none_or(|origin| origin.captured_at.as_nanos() != 4_000_000_000) {}
        gate.open();
        rest(&mut events)
    });
    assert!(found.iter().any(|line| line.contains("End")));
}

#[test]
fn a_shard_without_events_is_not_waited_for_beyond_where_it_has_got_to() {
    let gate = Gate::default();
    let wait = {
        let gate = gate.clone();
        Step::Do(Box::new(move || gate.wait()))
    };
    // A live one tells how far it has got after the time that batches linger.
    let quiet = Script::new([Step::Datagram(2, 0), Step::Garbage(500), wait]).live();
    let busy = Script::new(at(1, &[1, 400]));
    let found = in_time(move || {
        let mut events = pipeline(Settings::default()).analyze_shards([quiet, busy]);
        let mut next = || events.next().expect("an event").expect("sources that work");
        while next().origin.is_none_or(|origin| origin.captured_at.as_nanos() != 400_000_000) {}
        gate.open();
        rest(&mut events)
    });
    assert!(found.iter().any(|line| line.contains("End")));
}

#[test]
fn a_shard_reads_no_further_ahead_than_the_queue_is_long() {
    // A report for each frame: two of the queue, one that is filled, and what was taken but not asked for.
    const AHEAD: u64 = 8;
    let endless = Script::new((0..).map(|second| Step::Datagram(1, second * 2_000)));
    in_time(move || {
        let mut events = pipeline(Settings::default()).analyze_shards([endless]);
        for taken in 1..=200 {
            assert!(matches!(events.next(), Some(Ok(_))));
            assert!(events.stats().source.packets <= taken + AHEAD);
        }
    });
}

#[test]
fn shards_that_are_idle_in_turn_are_idle_for_the_caller() {
    let [first, second] = [Gate::default(), Gate::default()];
    let open = |gate: &Gate| {
        let gate = gate.clone();
        Step::Do(Box::new(move || gate.open()))
    };
    let wait = |gate: &Gate| {
        let gate = gate.clone();
        Step::Do(Box::new(move || gate.wait()))
    };
    // A frame each second is told at once: the first one is busy again before the second one is idle.
    let one = [Step::Idle, Step::Datagram(1, 0), Step::Datagram(1, 2_000), open(&first), wait(&second)];
    let other = [Step::Datagram(2, 0), wait(&first), Step::Idle, Step::Datagram(2, 2_000), open(&second)];
    let shards = [one.into_iter().collect::<Vec<_>>(), other.into_iter().collect()];
    let shards = shards.map(|steps| Script::new(steps).live());
    let found = in_time(move || rest(&mut pipeline(Settings::default()).analyze_shards(shards)));
    assert_eq!(found.iter().filter(|line| *line == "idle").count(), 1, "{found:#?}");
}

#[test]
fn a_live_shard_reads_on_when_another_one_is_behind_for_long() {
    const SECONDS: u64 = 50;
    let gate = Gate::default();
    let [open, wait] = [gate.clone(), gate];
    let ahead = (1..=SECONDS).map(|second| Step::Datagram(1, second * 1_000));
    let ahead = Script::new(ahead.chain([Step::Do(Box::new(move || open.open()))])).live();
    // As one is that has much to read, or whose clock was set back.
    let behind = Script::new([Step::Datagram(2, 1), Step::Do(Box::new(move || wait.wait()))]).live();
    let found = in_time(move || rest(&mut pipeline(Settings::default()).analyze_shards([ahead, behind])));
    assert_eq!(packets(&found).len() as u64, SECONDS + 1);
}

#[test]
fn a_shard_that_fails_ends_the_others_and_is_reported_last() {
    let endless = Script::new((0..).map(|millis| Step::Datagram(1, millis)));
    let failing = Script::new(at(2, &[1, 50]).into_iter().chain([Step::Fail]));
    let found = in_time(move || rest(&mut pipeline(Settings::default()).analyze_shards([endless, failing])));
    assert_eq!(found.last().map(String::as_str), Some("error: the cable is out"));
    assert_eq!(packets(&found).iter().filter(|packet| packet.ends_with(":2")).count(), 2);
}

#[test]
fn a_shard_that_panics_ends_the_others_and_is_reported_last() {
    let settings = Settings::before(|port| assert_ne!(port, 666, "a number it cannot stand"));
    let endless = Script::new((0..).map(|millis| Step::Datagram(1, millis)));
    let panicking = Script::new(at(666, &[20]));
    let found = in_time(move || rest(&mut pipeline(settings).analyze_shards([endless, panicking])));
    assert!(found.last().is_some_and(|line| line.contains("panicked") && line.contains("cannot stand")));
}

#[test]
fn shards_that_are_dropped_end() {
    let endless = || Script::new((0..).map(|millis| Step::Datagram(1, millis)));
    let idle = Script::new(std::iter::repeat_with(|| Step::Idle)).live();
    let shards = [endless(), endless().live(), idle];
    let alive: Vec<_> = shards.iter().map(|shard| Arc::clone(&shard.alive)).collect();
    in_time(move || {
        let mut events = pipeline(Settings::default()).analyze_shards(shards);
        for _ in 0..100 {
            assert!(matches!(events.next(), Some(Ok(_))));
        }
    });
    assert!(alive.iter().all(|alive| Arc::strong_count(alive) == 1));
}

#[test]
fn no_shards_end_at_once() {
    let found = in_time(|| rest(&mut pipeline(Settings::default()).analyze_shards(Vec::<Script>::new())));
    assert_eq!(found.len(), 1);
}
