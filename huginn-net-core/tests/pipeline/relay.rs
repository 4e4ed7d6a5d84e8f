//! Threads that take turns in reading, and those of a live source: what holds for workers however they get their packets.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use huginn_net_core::source::{FrameStore, ReadAt};
use huginn_net_core::{CaptureFile, Frame, LinkType, Pipeline, PoolConfig};
use testkit::capture::{Capture, Endian, Record};
use testkit::container::{self, Container, Pcap};

use crate::counting::{Counted, Gate, Kind, NOBODY, Settings, When, in_time, rest};
use crate::pool::{datagrams, mixture};
use crate::script::{Script, Step, datagram};

/// However many cores there are, with a thread less than workers, as the caller is one.
fn pipeline(settings: Settings, workers: usize, batch: usize) -> Pipeline<Counted> {
    with_threads(workers - 1, settings, workers, batch)
}

fn with_threads(threads: usize, settings: Settings, workers: usize, batch: usize) -> Pipeline<Counted> {
    let config = PoolConfig::new(workers, 100).with_batch(batch, usize::MAX);
    Pipeline::with_settings(settings).with_pool(config.with_max_threads(threads + 1))
}

/// How many lines tell of packets.
fn packets(lines: &[String]) -> u64 {
    lines.iter().filter(|line| line.contains("Packet")).count() as u64
}

#[test]
fn any_number_of_threads_gives_what_one_gives() {
    for lanes in [
        vec![Kind::Flow],
        vec![Kind::Host, Kind::Flow, Kind::Any],
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
                let mut events = pool.analyze(Script::new(mixture()));
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
            assert_eq!(of_workers.len(), workers.min(threads + 1));
            let limit = 2 * threads as u64 + 4;
            for worker in of_workers {
                assert!((1..=limit).contains(&worker.queue_high_water) && worker.dropped == 0, "{worker:?}");
            }
        }
    }
}

#[test]
fn no_more_threads_work_than_may_and_no_more_workers() {
    for (max_threads, workers, of_workers) in [(0, 3, 1), (1, 3, 1), (2, 3, 2), (3, 3, 3), (9, 2, 2)] {
        let seen = Arc::new(Mutex::new(BTreeSet::new()));
        let noting = {
            let seen = Arc::clone(&seen);
            Settings::before(move |_| {
                seen.lock().expect("not poisoned").insert(format!("{:?}", thread::current().id()));
            })
        };
        let config = PoolConfig::new(workers, 100).with_batch(2, usize::MAX).with_max_threads(max_threads);
        let pool = Pipeline::<Counted>::with_settings(noting).with_pool(config);
        let (found, counted) = in_time(move || {
            let mut events = pool.analyze(Script::new(datagrams(500)));
            (rest(&mut events), events.stats().pool.expect("workers").workers.len())
        });
        assert_eq!((packets(&found), counted), (500, of_workers));
        // Who takes the events is one more where there are fewer workers.
        let threads = seen.lock().expect("not poisoned").len();
        assert!((1..=max_threads.clamp(1, workers + 1)).contains(&threads), "{threads} of {max_threads}");
    }
}

#[test]
fn threads_go_on_as_far_as_they_may_while_the_caller_asks_for_nothing() {
    const BATCH: usize = 4;
    // Six rounds of two threads, of which the caller is one.
    const LEAD: u64 = 6 * BATCH as u64;
    for port in [None, Some(NOBODY)] {
        let read = Arc::new(AtomicU64::new(0));
        let steps = {
            let read = Arc::clone(&read);
            datagrams(3_000)
                .map(move |step| match (step, port) {
                    (Step::Datagram(_, millis), Some(port)) => Step::Datagram(port, millis),
                    (step, _) => step,
                })
                .inspect(move |_| {
                    read.fetch_add(1, Ordering::SeqCst);
                })
        };
        let found = in_time(move || {
            let mut events = with_threads(1, Settings::default(), 2, BATCH).analyze(Script::new(steps));
            while read.load(Ordering::SeqCst) < LEAD {
                thread::yield_now();
            }
            thread::sleep(std::time::Duration::from_millis(50));
            assert_eq!(read.load(Ordering::SeqCst), LEAD);
            rest(&mut events)
        });
        assert_eq!(packets(&found), if port.is_none() { 3_000 } else { 0 });
    }
}

#[test]
fn who_takes_events_does_not_wait_for_a_source_while_there_are_others_to_come() {
    // The source has the eleventh once the tenth was taken.
    let gate = Gate::default();
    let wait = {
        let gate = gate.clone();
        Step::Do(Box::new(move || gate.wait()))
    };
    let steps = datagrams(10).chain([wait]).chain(datagrams(1));
    let found = in_time(move || {
        let mut events = pipeline(Settings::default(), 2, 1).analyze(Script::new(steps));
        let mut before = 0;
        while before < 10 {
            before += u64::from(events.next().expect("more").expect("an event").when == When::Packet);
        }
        gate.open();
        rest(&mut events)
    });
    assert_eq!(packets(&found), 1);
}

#[test]
fn a_run_that_nobody_asks_for_events_ends_when_it_is_dropped() {
    for (port, taken) in [(1_024, 0), (1_024, 1), (1_024, 100), (NOBODY, 0)] {
        in_time(move || {
            let endless = (0..).map(move |number| Step::Datagram(port, number));
            let mut events = pipeline(Settings::default(), 3, 2).analyze(Script::new(endless));
            for _ in 0..taken {
                assert!(matches!(events.next(), Some(Ok(_))));
            }
        });
    }
}

#[test]
fn a_stopped_run_is_one_over_as_many_packets_as_have_been_read() {
    fn endless() -> impl Iterator<Item = Step> + Send {
        (0..).map(|number: u64| Step::Datagram((number * number % 50) as u16, number * 10))
    }
    for (workers, batch, taken) in [(2, 3, 1), (5, 3, 700), (3, 512, 5_000), (1, 4, 10)] {
        let (found, stats) = in_time(move || {
            let mut events = pipeline(Settings::default(), workers, batch).analyze(Script::new(endless()));
            let mut found = Vec::new();
            for _ in 0..taken {
                found.extend(events.next().map(|event| format!("{:?}", event.expect("an event"))));
            }
            events.stopper().stop();
            found.extend(rest(&mut events));
            (found, events.stats())
        });
        let read = usize::try_from(stats.decode.decoded).expect("not that many");
        let mut alone = Pipeline::<Counted>::new().analyze(Script::new(endless().take(read)));
        assert_eq!(found, rest(&mut alone));
        let of_one = alone.stats();
        assert_eq!((stats.source, stats.analysis), (of_one.source, of_one.analysis));
        let analyzed: u64 = stats.pool.expect("workers").workers.iter().map(|worker| worker.packets).sum();
        assert_eq!(analyzed, stats.decode.decoded);
    }
}

#[test]
fn a_batch_spans_many_seconds_in_which_little_happens() {
    let sparse = || (0..3_000).map(|number| Step::Datagram(NOBODY, number * 5_000));
    let mut alone = Pipeline::<Counted>::new().analyze(Script::new(sparse()));
    let mut events = pipeline(Settings::default(), 2, 512).analyze(Script::new(sparse()));
    assert_eq!(rest(&mut events), rest(&mut alone));
    let workers = events.stats().pool.expect("workers").workers;
    assert!(workers.iter().all(|worker| worker.batches < 10), "{workers:?}");
}

#[test]
fn a_thread_that_panics_is_reported_after_all_that_came_before() {
    let in_analysis: Vec<Step> = datagrams(300).chain([Step::Datagram(666, 29_999)]).collect();
    let in_source: Vec<Step> = datagrams(300).chain([Step::Panic]).collect();
    let burning = Settings::before(|port| assert_ne!(port, 666, "the cable burns"));
    for (settings, steps) in [(burning, in_analysis), (Settings::default(), in_source)] {
        let steps = steps.into_iter().chain(datagrams(10_000));
        let found = in_time(move || rest(&mut pipeline(settings, 3, 1).analyze(Script::new(steps))));
        assert_eq!(packets(&found), 300, "{found:#?}");
        let last = found.last().expect("an error");
        assert!(
            last.starts_with("error: a thread of the analysis panicked: ") && last.contains("burns"),
            "{last}"
        );
        assert_eq!(found.iter().filter(|line| line.starts_with("error")).count(), 1);
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

/// Datagrams of many lengths, one in some hundred longer than what lies before a piece, with damage in between.
fn of_many_lengths() -> Capture {
    let record = |number: u64| {
        let length = if number % 211 == 210 { 200_000 } else { (number * number % 1_400) as usize };
        let mut data = datagram(100 + (number % 7) as u16);
        data.resize(data.len() + length, 0);
        let wire_len = u32::try_from(data.len()).expect("a short one");
        Record { ts_nanos: 1_700_000_000_000_000_000 + number * 50_000_000, wire_len, bytes: data }
    };
    Capture { link_type: 101, records: (0..700).map(record).collect() }
}

#[test]
fn a_capture_that_is_read_ahead_in_pieces_gives_what_one_reader_gives_damaged_or_not() {
    for container in Container::ALL {
        let whole = container.write(&of_many_lengths());
        let mut captures = vec![whole.clone()];
        if !container.name.ends_with("gz") && !container.name.ends_with("zst") {
            // What is of another kind than most: the headers of files that were joined.
            let short = |number: u64| {
                let frames = (0..40).map(|frame| datagram((number * frame % 700) as u16));
                container.write(&Capture::of_frames(101, frames))
            };
            captures.push((0..150).flat_map(short).collect());
            let mut damaged = whole;
            let middle = damaged.len() / 2;
            damaged.splice(middle..middle + 5_000, [0xee; 4_000]);
            damaged.truncate(damaged.len() - 3);
            captures.push(damaged);
        }
        for bytes in captures {
            let mut alone = Pipeline::<Counted>::new()
                .analyze(CaptureFile::from_bytes(bytes.clone()).expect("a capture"));
            let expected = rest(&mut alone);
            assert!(packets(&expected) > 300, "{}", container.name);
            for (workers, batch) in [(2, 1), (3, 40), (2, 1_024), (5, 3)] {
                let bytes = bytes.clone();
                let (found, stats) = in_time(move || {
                    let capture = CaptureFile::from_bytes(bytes).expect("a capture");
                    let mut events = pipeline(Settings::default(), workers, batch).analyze(capture);
                    (rest(&mut events), events.stats())
                });
                assert!(found == expected, "{} {workers} {batch}", container.name);
                assert_eq!(stats.source, alone.stats().source, "{} {workers} {batch}", container.name);
            }
        }
    }
}

/// Bytes of which those behind some cannot be read.
struct Broken {
    bytes: Vec<u8>,
    from: u64,
}

impl ReadAt for Broken {
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = usize::try_from(self.from.saturating_sub(offset)).expect("not that many");
        if left == 0 {
            return Err(io::Error::other("the disk burns"));
        }
        let len = into.len().min(left);
        self.bytes.read_at(&mut into[..len], offset)
    }
}

#[test]
fn a_capture_that_cannot_be_read_further_gives_what_was_before_then_the_error() {
    let bytes = container::pcap(Pcap::Nanos, Endian::Little, &of_many_lengths());
    for from in [30, 100_000, 400_001, bytes.len() as u64 - 1] {
        let open = |bytes| CaptureFile::from_read_at(Broken { bytes, from }).expect("a header");
        let expected = rest(&mut Pipeline::<Counted>::new().analyze(open(bytes.clone())));
        assert_eq!(expected.last().map(String::as_str), Some("error: the capture cannot be read"));
        for (workers, batch) in [(2, 1), (3, 40), (2, 1_024)] {
            let capture = open(bytes.clone());
            let found =
                in_time(move || rest(&mut pipeline(Settings::default(), workers, batch).analyze(capture)));
            assert!(found == expected, "{from} {workers} {batch}");
        }
    }
}

#[test]
fn memory_is_bounded_however_the_records_of_a_capture_are_put_together() {
    // Joined files, of which the header of each is no record, and empty frames that are seconds apart.
    let short = |number: u64| {
        let frames = (0..40).map(|frame| datagram((number * frame % 700) as u16));
        container::pcap(Pcap::Micros, Endian::Little, &Capture::of_frames(101, frames))
    };
    let joined: Vec<u8> = (0..1_500).flat_map(short).collect();
    let ticking = |number: u64| Record::whole(1_700_000_000_000_000_000 + number * 2_000_000_000, vec![0; 1]);
    let records = (0..150_000).map(ticking).collect();
    let ticking = container::pcap(Pcap::Micros, Endian::Little, &Capture { link_type: 101, records });
    for bytes in [joined, ticking] {
        assert!(bytes.len() > 2_500_000);
        let capture = CaptureFile::from_bytes(bytes).expect("a capture");
        // All in this thread, whose allocations are counted.
        let config = PoolConfig::new(1, 100).with_max_threads(1);
        let pool = Pipeline::<Counted>::new().with_pool(config);
        let info = allocation_counter::measure(|| assert!(pool.analyze(capture).all(|event| event.is_ok())));
        assert!(info.bytes_max < 3_000_000, "{info:?}");
    }
}
