//! With workers: the same events in the same order, and an end to everything, of a live source and of one that waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use huginn_net_core::{Events, Filter, Pipeline, PoolConfig, WorkerStats};
use testkit::encap::fragment;
use testkit::packet::{IpHeader, Ipv4, Udp};

use crate::counting::{Counted, Gate, Kind, NOBODY, Settings, in_time, rest};
use crate::script::{Script, Step};

fn pipeline(settings: Settings, config: PoolConfig) -> Pipeline<Counted> {
    Pipeline::with_settings(settings).with_pool(config)
}

/// The batch of a packet is sent at once.
fn one_by_one(workers: usize, queue: usize) -> PoolConfig {
    PoolConfig::new(workers, queue).with_batch(1, 1)
}

/// A source that waits for workers, and a live one, of which nothing is dropped where queues are long.
fn sources<I>(steps: impl Fn() -> I) -> [Script; 2]
where
    I: IntoIterator<Item = Step, IntoIter: Send + 'static>,
{
    [Script::new(steps()), Script::new(steps()).live()]
}

/// Datagrams to some ports in turn, 100 milliseconds apart.
pub(crate) fn datagrams(count: u64) -> impl Iterator<Item = Step> {
    (0..count).map(|number| Step::Datagram(100 + (number * number % 11) as u16, number * 100))
}

/// Datagrams of several hosts and ports, fragments, aggregates, and frames that nobody wants.
pub(crate) fn mixture() -> Vec<Step> {
    let mut steps = Vec::new();
    for number in 0..300_u64 {
        let host = (number * 7 % 5) as u8;
        let udp = Udp::new(1_000 + (number % 13) as u16, 53, &[host; 700]);
        let packet = Ipv4::new([10, 0, 0, host], [10, 0, 0, 7 - host])
            .identification((number % 1_000) as u16)
            .udp(&udp);
        match number % 10 {
            0 => steps
                .extend(fragment::ipv4(&packet, 256).into_iter().map(|piece| Step::Raw(piece, number * 90))),
            1 => steps.push(Step::Aggregate([1, NOBODY, 2])),
            2 => steps.push(Step::Datagram(NOBODY, number * 90)),
            3 => steps.push(Step::Garbage(number * 90)),
            _ => steps.push(Step::Raw(packet, number * 90)),
        }
    }
    steps
}

fn stats_of(events: &Events<Counted>) -> Vec<WorkerStats> {
    events.stats().pool.expect("there are workers").workers
}

#[test]
fn packets_that_belong_together_meet_whatever_that_means_to_each_analyzer() {
    let kinds = [
        vec![Kind::Flow],
        vec![Kind::Host, Kind::Flow, Kind::Any],
        vec![Kind::Any, Kind::Any],
        vec![Kind::Any, Kind::Flow, Kind::Host, Kind::Flow],
        // More than have a place of their own in the set of those that want a packet.
        [[Kind::Flow, Kind::Host, Kind::Any]; 15].concat(),
    ];
    for lanes in kinds {
        let settings = Settings { lanes, ..Settings::default() };
        let mut alone = Pipeline::<Counted>::with_settings(settings.clone()).analyze(Script::new(mixture()));
        let expected = rest(&mut alone);
        let waiting = [(one_by_one(1, 1), false), (PoolConfig::new(2, 1).with_batch(7, 2_000), false)];
        let live = [(one_by_one(3, 4_096), true), (PoolConfig::new(8, 4_096).with_batch(7, 2_000), true)];
        for (config, is_live) in [waiting, live].concat() {
            let pool = pipeline(settings.clone(), config);
            let (found, stats) = in_time(move || {
                let [waiting, live] = sources(mixture);
                let mut events = pool.analyze(if is_live { live } else { waiting });
                (rest(&mut events), events.stats())
            });
            assert!(
                found == expected,
                "{config:?} {:?}: {found:#?} instead of {expected:#?}",
                settings.lanes
            );
            let of_one = alone.stats();
            assert_eq!((stats.source, stats.decode), (of_one.source, of_one.decode));
            assert_eq!(stats.analysis, of_one.analysis);
        }
    }
}

#[test]
fn packets_that_a_filter_leaves_out_are_counted_and_not_sent() {
    let filter = || Filter::parse("dst port 53 and host 10.0.0.3").expect("an expression");
    let mut alone = Pipeline::<Counted>::new().with_filter(filter()).analyze(Script::new(mixture()));
    let expected = rest(&mut alone);
    for source in sources(mixture) {
        let pool = pipeline(Settings::default(), one_by_one(2, 4_096)).with_filter(filter());
        let mut pool = pool.analyze(source);
        assert_eq!(rest(&mut pool), expected);
        let (filtered, analyzed) =
            (pool.stats().filtered, stats_of(&pool).iter().map(|worker| worker.packets).sum::<u64>());
        assert!(filtered > 100 && analyzed > 50);
        assert_eq!((filtered, analyzed + filtered), (alone.stats().filtered, pool.stats().decode.decoded));
    }
}

#[test]
fn packets_of_a_live_source_that_nobody_wants_are_not_sent() {
    let mut events = pipeline(Settings::default(), PoolConfig::new(2, 4))
        .analyze(Script::new((0..50).map(|_| Step::Datagram(NOBODY, 0))).live());
    let _ = rest(&mut events);
    assert_eq!(stats_of(&events).iter().map(|worker| worker.packets).sum::<u64>(), 0);
    assert_eq!(events.stats().decode.decoded, 50);
}

#[test]
fn workers_of_a_live_source_are_told_the_time_while_it_has_nothing_that_somebody_wants() {
    const SECONDS: u64 = 10;
    let unwanted = (0..=SECONDS * 10).map(|tenths| Step::Datagram(NOBODY, tenths * 100));
    let mut events =
        pipeline(Settings::default(), PoolConfig::new(2, 100)).analyze(Script::new(unwanted).live());
    let _ = rest(&mut events);
    // One with each full second, and the end in one of its own.
    assert!(stats_of(&events).iter().all(|worker| worker.batches > SECONDS), "{:?}", stats_of(&events));
}

#[test]
fn a_capture_waits_for_a_full_queue_and_loses_nothing() {
    const PACKETS: u64 = 500;
    let events = in_time(|| {
        let mut events =
            pipeline(Settings::default(), one_by_one(2, 1)).analyze(Script::new(datagrams(PACKETS)));
        let _ = rest(&mut events);
        events
    });
    let stats = stats_of(&events);
    assert_eq!(stats.iter().map(|worker| worker.packets).sum::<u64>(), PACKETS);
    assert_eq!(
        stats.iter().map(|worker| (worker.dropped, worker.queue_high_water)).collect::<Vec<_>>(),
        [(0, 1); 2]
    );
}

#[test]
fn a_live_source_drops_what_finds_a_full_queue_and_counts_it_by_worker() {
    const PACKETS: u64 = 1_000;
    let gate = Gate::default();
    let before = {
        let gate = gate.clone();
        Settings::before(move |_| gate.wait())
    };
    // Workers get on when everything has been read.
    let open = Step::Do(Box::new(move || gate.open()));
    let source = Script::new(datagrams(PACKETS).chain([open])).live();
    let (events, found) = in_time(move || {
        let mut events = pipeline(before, one_by_one(3, 4)).analyze(source);
        let found = rest(&mut events).iter().filter(|line| line.contains("Packet")).count();
        (events, found)
    });
    let stats = stats_of(&events);
    let (packets, dropped) =
        (stats.iter().map(|worker| worker.packets), stats.iter().map(|worker| worker.dropped));
    let analyzed: u64 = packets.sum();
    assert_eq!(analyzed + dropped.sum::<u64>(), PACKETS);
    assert_eq!((found as u64, events.stats().source.packets), (analyzed, PACKETS));
    for worker in stats {
        // A place in the queue may be taken by a time that was told.
        assert!(worker.packets <= 4 && worker.queue_high_water <= 5, "{worker:?}");
    }
    assert_eq!(events.stats().pool.expect("workers").dropped(), PACKETS - analyzed);
}

#[test]
fn what_waits_for_a_slow_caller_is_bounded() {
    // Rounds of five, of which three are on their way, and one that is being read.
    const STALLED: u64 = 3 * 5 + 5;
    let (read, taken) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let lead = Arc::new(AtomicU64::new(0));
    let reads = {
        let (read, taken, lead) = (Arc::clone(&read), Arc::clone(&taken), Arc::clone(&lead));
        datagrams(2_000).inspect(move |_| {
            let ahead = read.fetch_add(1, Ordering::SeqCst) + 1 - taken.load(Ordering::SeqCst);
            lead.fetch_max(ahead, Ordering::SeqCst);
        })
    };
    in_time(move || {
        let config = PoolConfig::new(2, 3).with_batch(5, usize::MAX);
        let events = pipeline(Settings::default(), config).analyze(Script::new(reads));
        for event in events {
            if event.expect("a source that works").when == crate::counting::When::Packet {
                taken.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    assert_eq!(read.load(Ordering::SeqCst), 2_000);
    let lead = lead.load(Ordering::SeqCst);
    assert!(lead <= STALLED, "{lead} packets ahead");
}

#[test]
fn a_run_that_nobody_asks_for_events_ends_when_it_is_dropped() {
    // Endless; full queues, idle for ever, and not even begun.
    let endless = || (0..).map(|number| Step::Datagram(1_024 + (number % 5_000) as u16, number));
    let sources = [
        Script::new(endless()),
        Script::new(endless()).live(),
        Script::new(std::iter::repeat_with(|| Step::Idle)),
        Script::new(std::iter::repeat_with(|| Step::Idle)).live(),
        Script::new([]),
    ];
    for source in sources {
        let alive = Arc::clone(&source.alive);
        in_time(move || drop(pipeline(Settings::default(), one_by_one(2, 2)).analyze(source)));
        assert_eq!(Arc::strong_count(&alive), 1, "the thread that reads has ended");
    }
}

#[test]
fn a_run_that_is_dropped_after_some_events_ends() {
    for source in sources(|| (0..).map(|number| Step::Datagram(1_024 + (number % 5_000) as u16, number))) {
        let alive = Arc::clone(&source.alive);
        in_time(move || {
            let mut events = pipeline(Settings::default(), one_by_one(3, 2)).analyze(source);
            for _ in 0..100 {
                assert!(matches!(events.next(), Some(Ok(_))));
            }
        });
        assert_eq!(Arc::strong_count(&alive), 1);
    }
}

#[test]
fn a_worker_that_panics_is_reported_after_all_that_came_before() {
    let steps = || datagrams(30).chain([Step::Datagram(666, 2_999)]).chain(datagrams(3_000));
    let [short, long] = [PoolConfig::new(2, 2).with_batch(3, usize::MAX), one_by_one(4, 4_096)];
    let [waiting, live] = sources(steps);
    for (config, source) in [(short, waiting), (long, live)] {
        let settings = Settings::before(|port| assert_ne!(port, 666, "a number it cannot stand"));
        let alive = Arc::clone(&source.alive);
        let found = in_time(move || rest(&mut pipeline(settings, config).analyze(source)));
        assert_eq!(Arc::strong_count(&alive), 1);
        let expected = rest(&mut Pipeline::<Counted>::new().analyze(Script::new(datagrams(30))));
        // What is lost is less than the round of the packet.
        let kept = found.iter().zip(&expected).take_while(|(found, expected)| found == expected).count();
        let events = expected.len() - 12;
        assert!(kept + 2 * config.batch_packets * config.workers >= events, "{config:?}: {kept} of {events}");
        let last = found.last().expect("an error");
        assert!(
            last.starts_with("error: a thread of the analysis panicked: ") && last.contains("cannot stand"),
            "{last}"
        );
        assert_eq!(found.iter().filter(|line| line.starts_with("error")).count(), 1);
    }
}

#[test]
fn a_source_that_panics_is_reported_after_all_that_came_before() {
    for source in sources(|| datagrams(10).chain([Step::Panic])) {
        let pool = pipeline(Settings::default(), one_by_one(2, 100));
        let found = in_time(move || rest(&mut pool.analyze(source)));
        assert_eq!(found.iter().filter(|line| line.contains("Packet")).count(), 10);
        assert_eq!(
            found.last().map(String::as_str),
            Some("error: a thread of the analysis panicked: the cable burns")
        );
    }
}

#[test]
fn a_source_that_fails_gives_what_was_read_then_the_error() {
    let steps = || datagrams(25).chain([Step::Fail]).chain(datagrams(5));
    let expected = rest(&mut Pipeline::<Counted>::new().analyze(Script::new(steps())));
    for source in sources(steps) {
        let pool = pipeline(Settings::default(), PoolConfig::new(3, 100));
        let found = in_time(move || rest(&mut pool.analyze(source)));
        assert!(found == expected, "{found:#?}");
        assert_eq!(found.last().map(String::as_str), Some("error: the cable is out"));
    }
}

#[test]
fn all_that_was_read_is_reported_before_an_idle_moment() {
    for is_live in [false, true] {
        is_reported_before_an_idle_moment(is_live);
    }
}

fn is_reported_before_an_idle_moment(is_live: bool) {
    let gate = Gate::default();
    let wait = {
        let gate = gate.clone();
        Step::Do(Box::new(move || gate.wait()))
    };
    let steps = datagrams(10).chain([Step::Idle, wait]).chain(datagrams(1));
    let mut source = Script::new(steps);
    source.is_live = is_live;
    let (before, stats, after) = in_time(move || {
        let mut events = pipeline(Settings::default(), PoolConfig::new(2, 100)).analyze(source);
        let mut before = Vec::new();
        loop {
            match events.step().expect("a source that works") {
                huginn_net_core::Step::Event(event) => before.push(event),
                huginn_net_core::Step::Idle => break,
                huginn_net_core::Step::End => panic!("it goes on"),
            }
        }
        let stats = events.stats();
        gate.open();
        (before, stats, rest(&mut events))
    });
    assert_eq!(before.iter().filter(|event| event.when == crate::counting::When::Packet).count(), 10);
    assert_eq!((stats.source.packets, stats.decode.decoded), (10, 10));
    assert_eq!(stats.analysis.seen, [("packets", 10)]);
    assert!(after.iter().any(|line| line.contains("Packet")));
}

#[test]
fn a_live_source_is_told_after_the_linger_although_it_goes_on() {
    let gate = Gate::default();
    let wait = {
        let gate = gate.clone();
        Step::Do(Box::new(move || gate.wait()))
    };
    // The second one is captured 20 ms later: both are on their way before the third is read.
    let steps = [Step::Datagram(1, 0), Step::Datagram(1, 20), wait, Step::Datagram(1, 21)];
    let count = in_time(move || {
        let config = PoolConfig::new(2, 4);
        let mut events = pipeline(Settings::default(), config).analyze(Script::new(steps).live());
        let mut next = || events.next().expect("an event").expect("a source that works");
        while next().origin.is_none_or(|origin| origin.frame != 2) {}
        gate.open();
        rest(&mut events).iter().filter(|line| line.contains("Packet")).count()
    });
    assert_eq!(count, 1);
}

#[test]
fn a_stopped_run_reports_what_was_read_and_ends() {
    for source in sources(|| (0..).map(|number| Step::Datagram(1, number * 10))) {
        let (stats, reported) = in_time(move || {
            let mut events = pipeline(Settings::default(), PoolConfig::new(2, 2)).analyze(source);
            assert!(events.next().is_some());
            events.stopper().stop();
            let reported = 1 + rest(&mut events).iter().filter(|line| line.contains("Packet")).count();
            (events.stats(), reported)
        });
        let dropped = stats.pool.expect("workers").dropped();
        assert_eq!(stats.source.packets, reported as u64 + dropped);
    }
}
