//! Workers that each read the capture: the same events in the same order, and an end to everything.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use huginn_net_core::source::FrameStore;
use huginn_net_core::{
    Filter, Frame, LinkType, Pipeline, PoolConfig, Read, Source, SourceError, SourceStats,
};

use crate::counting::{Counted, Gate, Kind, NOBODY, Settings, When, in_time, rest};
use crate::pool::{datagrams, mixture};
use crate::script::{Script, Step, datagram};

/// A script that can be read any number of times; what it says may depend on who reads, from 0.
struct Copies {
    script: Script,
    write: Arc<dyn Fn(u64) -> Script + Send + Sync>,
    copies: Arc<AtomicU64>,
}

impl Copies {
    fn of<I>(steps: impl Fn(u64) -> I + Send + Sync + 'static) -> Self
    where
        I: IntoIterator<Item = Step, IntoIter: Send + 'static>,
    {
        let write = Arc::new(move |copy| Script::new(steps(copy)));
        Self { script: write(0), write, copies: Arc::new(AtomicU64::new(1)) }
    }
}

impl Source for Copies {
    fn read(&mut self) -> Result<Read<'_>, SourceError> {
        self.script.read()
    }

    fn stats(&self) -> &SourceStats {
        self.script.stats()
    }

    fn fork(&self) -> Option<Box<dyn Source>> {
        Some(Box::new((self.write)(self.copies.fetch_add(1, Ordering::Relaxed))))
    }
}

/// However many cores there are, with a thread less than workers, as the caller is one.
fn pipeline(settings: Settings, workers: usize, batch: usize) -> Pipeline<Counted> {
    with_threads(workers - 1, settings, workers, batch)
}

fn with_threads(threads: usize, settings: Settings, workers: usize, batch: usize) -> Pipeline<Counted> {
    let config = PoolConfig::new(workers, 100).with_batch(batch, usize::MAX);
    Pipeline::with_settings(settings).with_pool(config.with_max_readers(threads + 1))
}

/// How many lines tell of packets.
fn packets(lines: &[String]) -> u64 {
    lines.iter().filter(|line| line.contains("Packet")).count() as u64
}

#[test]
fn packets_that_belong_together_meet_whatever_that_means_to_each_analyzer() {
    for lanes in [
        vec![Kind::Flow],
        vec![Kind::Host, Kind::Flow, Kind::Any],
        vec![Kind::Any, Kind::Flow],
        [[Kind::Flow, Kind::Host, Kind::Any]; 15].concat(),
    ] {
        let settings = Settings { lanes, ..Settings::default() };
        let mut alone = Pipeline::<Counted>::with_settings(settings.clone()).analyze(Script::new(mixture()));
        let expected = rest(&mut alone);
        for (threads, workers, batch) in
            [(0, 1, 2), (1, 1, 1), (1, 2, 1), (2, 2, 3), (2, 3, 7), (7, 8, 512), (63, 64, 3), (64, 64, 1)]
        {
            let pool = with_threads(threads, settings.clone(), workers, batch);
            let (found, stats) = in_time(move || {
                let mut events = pool.analyze(Copies::of(|_| mixture()));
                (rest(&mut events), events.stats())
            });
            assert!(
                found == expected,
                "{threads} {workers} {batch} {:?}: {found:#?} instead of {expected:#?}",
                settings.lanes
            );
            let of_one = alone.stats();
            assert_eq!((stats.source, stats.decode), (of_one.source, of_one.decode));
            assert_eq!(stats.analysis, of_one.analysis);
            let of_workers = stats.pool.expect("workers").workers;
            assert_eq!(of_workers.len(), workers);
            for worker in of_workers {
                assert!((1..=4).contains(&worker.queue_high_water) && worker.dropped == 0, "{worker:?}");
            }
        }
    }
}

#[test]
fn each_packet_is_analyzed_once_and_what_a_filter_leaves_out_is_counted_once() {
    let filter = || Filter::parse("dst port 53 and host 10.0.0.3").expect("an expression");
    let mut alone = Pipeline::<Counted>::new().with_filter(filter()).analyze(Script::new(mixture()));
    let expected = rest(&mut alone);
    let pool = pipeline(Settings::default(), 3, 4).with_filter(filter());
    let mut forks = pool.analyze(Copies::of(|_| mixture()));
    assert_eq!(rest(&mut forks), expected);
    let stats = forks.stats();
    let analyzed: u64 = stats.pool.expect("workers").workers.iter().map(|worker| worker.packets).sum();
    assert!(stats.filtered > 100 && analyzed > 50);
    assert_eq!((stats.filtered, analyzed + stats.filtered), (alone.stats().filtered, stats.decode.decoded));
}

#[test]
fn a_live_source_and_one_that_cannot_be_read_again_are_read_once() {
    let reads = Arc::new(AtomicU64::new(0));
    for live in [false, true] {
        let counted = Arc::clone(&reads);
        let script = Script::new(datagrams(10).inspect(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
        }));
        let script = if live { script.live() } else { script };
        let found = in_time(move || rest(&mut pipeline(Settings::default(), 2, 1).analyze(script)));
        assert_eq!((packets(&found), reads.swap(0, Ordering::SeqCst)), (10, 10));
    }
}

#[test]
fn no_worker_gets_far_ahead_of_a_slow_caller_or_of_another_worker() {
    const BATCH: usize = 4;
    // Four batches of events; of packets that nobody wants, as many as are told together.
    const LEAD: u64 = 4 * BATCH as u64 * 32;
    for port in [None, Some(NOBODY)] {
        let (gate, read) = (Gate::default(), Arc::new(AtomicU64::new(0)));
        let steps = {
            let (gate, read) = (gate.clone(), Arc::clone(&read));
            move |copy| {
                let (gate, read) = (gate.clone(), Arc::clone(&read));
                let first = Step::Do(Box::new(move || {
                    if copy == 1 {
                        gate.wait();
                    }
                }));
                let all = datagrams(3_000).map(move |step| match (step, port) {
                    (Step::Datagram(_, millis), Some(port)) => Step::Datagram(port, millis / 1_000),
                    (step, _) => step,
                });
                let read_by_first = all.inspect(move |_| {
                    read.fetch_add(u64::from(copy == 0), Ordering::SeqCst);
                });
                [first].into_iter().chain(read_by_first)
            }
        };
        let found = in_time(move || {
            let mut events = with_threads(2, Settings::default(), 2, BATCH).analyze(Copies::of(steps));
            // The second worker reads nothing yet; the first one goes on for as long as it may.
            let mut before = 0;
            while before == 0 || before != read.load(Ordering::SeqCst) {
                before = read.load(Ordering::SeqCst);
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            assert!(before <= LEAD, "{before} packets");
            gate.open();
            rest(&mut events)
        });
        assert_eq!(packets(&found), if port.is_none() { 3_000 } else { 0 });
    }
}

#[test]
fn one_thread_goes_on_with_all_workers_while_the_caller_asks_for_nothing() {
    let read = Arc::new([const { AtomicU64::new(0) }; 2]);
    let steps = {
        let read = Arc::clone(&read);
        move |copy: u64| {
            let read = Arc::clone(&read);
            datagrams(3_000).inspect(move |_| {
                read[usize::from(copy == 1)].fetch_add(1, Ordering::SeqCst);
            })
        }
    };
    let found = in_time(move || {
        let mut events = pipeline(Settings::default(), 2, 4).analyze(Copies::of(steps));
        while read.iter().any(|frames| frames.load(Ordering::SeqCst) < 4) {
            std::thread::yield_now();
        }
        rest(&mut events)
    });
    assert_eq!(packets(&found), 3_000);
}

#[test]
fn a_run_that_nobody_asks_for_events_ends_when_it_is_dropped() {
    for port in [1_024, NOBODY] {
        for taken in [0, 1, 100] {
            in_time(move || {
                let endless = move |_| (0..).map(move |number| Step::Datagram(port, number));
                let mut events = pipeline(Settings::default(), 3, 2).analyze(Copies::of(endless));
                for _ in 0..taken {
                    assert!(matches!(events.next(), Some(Ok(_))));
                }
            });
        }
    }
}

#[test]
fn a_stopped_run_is_one_over_as_many_packets_as_all_workers_have_read() {
    fn endless(_: u64) -> impl Iterator<Item = Step> + Send {
        (0..).map(|number: u64| Step::Datagram((number * number % 50) as u16, number * 10))
    }
    for (workers, batch, taken) in [(2, 3, 1), (5, 3, 700), (3, 512, 5_000), (1, 4, 10)] {
        let (found, stats) = in_time(move || {
            let mut events = pipeline(Settings::default(), workers, batch).analyze(Copies::of(endless));
            let mut found = Vec::new();
            for _ in 0..taken {
                found.extend(events.next().map(|event| format!("{:?}", event.expect("an event"))));
            }
            events.stopper().stop();
            found.extend(rest(&mut events));
            (found, events.stats())
        });
        let read = usize::try_from(stats.decode.decoded).expect("not that many");
        let mut alone = Pipeline::<Counted>::new().analyze(Script::new(endless(0).take(read)));
        assert_eq!(found, rest(&mut alone));
        let of_one = alone.stats();
        assert_eq!((stats.source, stats.analysis), (of_one.source, of_one.analysis));
        let analyzed: u64 = stats.pool.expect("workers").workers.iter().map(|worker| worker.packets).sum();
        assert_eq!(analyzed, stats.decode.decoded);
    }
}

#[test]
fn a_batch_spans_many_seconds_in_which_little_happens() {
    let sparse = |_| (0..3_000).map(|number| Step::Datagram(NOBODY, number * 5_000));
    let mut alone = Pipeline::<Counted>::new().analyze(Script::new(sparse(0)));
    let mut events = pipeline(Settings::default(), 2, 512).analyze(Copies::of(sparse));
    assert_eq!(rest(&mut events), rest(&mut alone));
    let workers = events.stats().pool.expect("workers").workers;
    assert!(workers.iter().all(|worker| worker.batches < 10), "{workers:?}");
}

#[test]
fn no_more_workers_are_started_than_may_read_and_where_none_may_one_thread_reads_for_all() {
    for (max_readers, of_workers, reading) in [(2, 2, 2), (1, 1, 2), (0, 3, 1), (9, 3, 3)] {
        let copies = Copies::of(|_| datagrams(10));
        let forked = Arc::clone(&copies.copies);
        let config = PoolConfig::new(3, 100).with_max_readers(max_readers);
        let pool = Pipeline::<Counted>::new().with_pool(config);
        let (found, workers) = in_time(move || {
            let mut events = pool.analyze(copies);
            (rest(&mut events), events.stats().pool.expect("workers").workers.len())
        });
        assert_eq!((packets(&found), workers), (10, of_workers), "{max_readers}");
        // Whether it can be read again is found out by trying.
        assert_eq!(forked.load(Ordering::Relaxed), reading, "{max_readers}");
    }
}

#[test]
fn a_source_that_fails_gives_what_was_read_then_the_error() {
    let steps = |_| datagrams(25).chain([Step::Fail]).chain(datagrams(5));
    let expected = rest(&mut Pipeline::<Counted>::new().analyze(Script::new(steps(0))));
    let found = in_time(move || rest(&mut pipeline(Settings::default(), 3, 2).analyze(Copies::of(steps))));
    assert_eq!(found, expected);
    assert_eq!(found.last().map(String::as_str), Some("error: the cable is out"));
}

#[test]
fn where_the_source_of_one_worker_fails_the_run_ends_there() {
    for copy in [0, 1, 2] {
        let steps = move |by| {
            let fails = (by == copy).then_some(Step::Fail);
            datagrams(200).take(25).chain(fails).chain(datagrams(200).skip(25))
        };
        let expected = rest(
            &mut Pipeline::<Counted>::new().analyze(Script::new(datagrams(200).take(25).chain([Step::Fail]))),
        );
        let settings = Settings { lanes: vec![Kind::Flow], ..Settings::default() };
        let (found, stats) = in_time(move || {
            let mut events = pipeline(settings, 3, 1).analyze(Copies::of(steps));
            (rest(&mut events), events.stats())
        });
        let until_end =
            |lines: &[String]| lines.iter().filter(|line| !line.contains("End")).cloned().collect::<Vec<_>>();
        assert_eq!(packets(&found), 25);
        assert_eq!(until_end(&found).last(), until_end(&expected).last());
        assert_eq!(stats.source.packets, 25);
    }
}

#[test]
fn workers_that_do_not_read_the_same_are_an_error() {
    // One ends before the others; one has other times.
    let cut = |copy| datagrams(if copy == 1 { 30 } else { 300 });
    let delayed =
        |copy| (0..300).map(move |number| Step::Datagram(5, number * if copy == 1 { 10 } else { 900 }));
    for copies in [Copies::of(cut), Copies::of(delayed)] {
        let found = in_time(move || rest(&mut pipeline(Settings::default(), 3, 4).analyze(copies)));
        assert_eq!(found.last().map(String::as_str), Some("error: it was changed while it was read"));
        assert!(packets(&found) <= 30, "{found:#?}");
    }
}

#[test]
fn a_thread_that_panics_is_reported_after_all_that_came_before() {
    let in_analysis = |_| datagrams(300).chain([Step::Datagram(666, 29_999)]).chain(datagrams(10_000));
    let settings = Settings::before(|port| assert_ne!(port, 666, "the cable burns"));
    let in_source = |copy| datagrams(300).chain((copy == 1).then_some(Step::Panic)).chain(datagrams(10_000));
    let runs: [(Settings, Copies); 2] =
        [(settings, Copies::of(in_analysis)), (Settings::default(), Copies::of(in_source))];
    for (settings, source) in runs {
        let found = in_time(move || rest(&mut pipeline(settings, 3, 1).analyze(source)));
        // A thread reports after 32 frames in any case; those behind its last report may be lost with it.
        assert!((268..=300).contains(&packets(&found)), "{found:#?}");
        let last = found.last().expect("an error");
        assert!(
            last.starts_with("error: a thread of the analysis panicked: ") && last.contains("burns"),
            "{last}"
        );
        assert_eq!(found.iter().filter(|line| line.starts_with("error")).count(), 1);
    }
}

#[test]
fn all_that_was_read_is_reported_before_the_first_source_says_that_it_is_idle() {
    let steps = |copy| datagrams(10).chain((copy == 0).then_some(Step::Idle)).chain(datagrams(20).skip(10));
    let found = in_time(move || rest(&mut pipeline(Settings::default(), 2, 512).analyze(Copies::of(steps))));
    let idle = found.iter().position(|line| line == "idle").expect("a moment");
    assert_eq!((packets(&found[..idle]), packets(&found)), (10, 20));
}

#[test]
fn events_of_each_time_and_of_the_end_are_those_of_one_worker() {
    let count = |when: When| {
        let mut events = pipeline(Settings::default(), 4, 512).analyze(Copies::of(|_| datagrams(60)));
        let found = rest(&mut events);
        found.iter().filter(|line| line.contains(&format!("{when:?}"))).count()
    };
    let expected = rest(&mut Pipeline::<Counted>::new().analyze(Script::new(datagrams(60))));
    for when in [When::Time, When::End, When::Concluded] {
        let name = format!("{when:?}");
        assert_eq!(count(when), expected.iter().filter(|line| line.contains(&name)).count(), "{name}");
    }
}

#[test]
fn numbers_of_frames_may_begin_again() {
    let mut store = FrameStore::default();
    for (port, number) in [(1, 7), (2, 8), (3, 9), (4, 1), (1, 2)] {
        let bytes = datagram(port);
        store.push(&Frame { number, ..Frame::new(&bytes, LinkType::RAW) });
    }
    let store = Arc::new(store);
    let expected = rest(&mut Pipeline::<Counted>::new().analyze(Arc::clone(&store).source()));
    let found = in_time(move || rest(&mut pipeline(Settings::default(), 3, 2).analyze(store.source())));
    assert_eq!(found, expected);
}
