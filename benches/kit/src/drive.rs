//! Whole analyses, from frames in memory to events.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use huginn_net_core::{Pipeline, PoolConfig, Protocol};
use rustix::time::{ClockId, clock_gettime};
use testkit::alloc;

use crate::{Note, Recorder, Replayed, Traffic};

/// How the packets are shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// One thread does it all; its time on the processor counts.
    Sequential,
    /// A thread reads, and so many analyze; the time that passes counts.
    Workers(u32),
    /// So many threads each read a part of the packets and analyze it; the time that passes counts.
    Shards(u32),
}

impl Driver {
    /// What a table on workers compares.
    pub const WORKERS: [Self; 5] =
        [Self::Sequential, Self::Workers(1), Self::Workers(2), Self::Workers(4), Self::Workers(8)];
    /// What a table on shards compares.
    pub const SHARDS: [Self; 5] =
        [Self::Sequential, Self::Shards(1), Self::Shards(2), Self::Shards(4), Self::Shards(8)];

    /// Names a case.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Sequential => "sequential".into(),
            Self::Workers(1) => "1 worker".into(),
            Self::Workers(count) => format!("{count} workers"),
            Self::Shards(1) => "1 shard".into(),
            Self::Shards(count) => format!("{count} shards"),
        }
    }
}

/// Times whole analyses for the report of a bench.
#[derive(Clone, Copy, Debug)]
pub struct Analyses<'r> {
    /// The group of Criterion, and the section of the report.
    pub section: &'static str,
    /// Where it is noted.
    pub recorder: &'r Recorder,
}

impl Analyses<'_> {
    /// Times an analysis that has seen nothing before, and checks in every pass that `expected` events come out and that no
    /// packet is lost. Allocations are counted before the clock runs.
    ///
    /// # Panics
    /// If another number of events comes out, or packets are lost.
    pub fn measure<E: Protocol + 'static>(
        self,
        criterion: &mut Criterion,
        name: &str,
        (traffic, expected): (&Traffic, u64),
        settings: E::Settings,
        driver: Driver,
    ) {
        let Self { section, recorder } = self;
        let pipeline = Pipeline::<E>::with_settings(settings);
        let runner = match driver {
            Driver::Sequential => Runner { pipeline, traffic: vec![traffic.clone()], is_sharded: false },
            Driver::Workers(count) => Runner {
                pipeline: pipeline.with_pool(PoolConfig::new(count as usize, 100)),
                traffic: vec![traffic.clone()],
                is_sharded: false,
            },
            Driver::Shards(count) => {
                Runner { pipeline, traffic: traffic.shards(count as usize), is_sharded: true }
            }
        };
        let note = Note::on(section, name).events(expected);
        recorder.note(match driver {
            Driver::Sequential => {
                let (found, allocations) = alloc::measure(|| runner.pass(traffic.packets()));
                assert_eq!(found, expected, "{section}, {name}");
                note.allocations(allocations.count)
            }
            Driver::Workers(count) | Driver::Shards(count) => note.workers(count),
        });
        let clock = if driver == Driver::Sequential { on_processor } else { passed };
        let mut group = criterion.benchmark_group(section);
        group.throughput(Throughput::Elements(traffic.packets())).sample_size(10);
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|rounds| {
                let mut taken = Duration::ZERO;
                for _ in 0..rounds {
                    let started = clock();
                    let found = runner.pass(traffic.packets());
                    taken += clock() - started;
                    assert_eq!(found, expected, "{section}, {name}");
                }
                taken
            });
        });
        group.finish();
    }

    /// Times a replayed capture: its events are those of the capture as often as it is replayed.
    ///
    /// # Panics
    /// As [`measure`](Self::measure).
    pub fn measure_replayed<E: Protocol + 'static>(
        self,
        criterion: &mut Criterion,
        name: &str,
        replayed: &Replayed,
        settings: E::Settings,
    ) where
        E::Settings: Clone,
    {
        let pipeline = Pipeline::<E>::with_settings(settings.clone());
        let once = Runner { pipeline, traffic: vec![replayed.once.clone()], is_sharded: false };
        let expected = once.pass(replayed.once.packets()) * replayed.times;
        assert!(expected > 0, "{}, {name}: nothing to find", self.section);
        self.measure::<E>(criterion, name, (&replayed.all, expected), settings, Driver::Sequential);
    }
}

struct Runner<E> {
    pipeline: Pipeline<E>,
    traffic: Vec<Traffic>,
    is_sharded: bool,
}

impl<E: Protocol + 'static> Runner<E> {
    /// One pass over all packets, of which there are so many; the events that came out.
    fn pass(&self, packets: u64) -> u64 {
        let mut sources = self.traffic.iter().map(Traffic::source);
        let mut events = match sources.next() {
            Some(only) if !self.is_sharded => self.pipeline.analyze(only),
            first => self.pipeline.analyze_shards(first.into_iter().chain(sources)),
        };
        let mut found = 0;
        for event in events.by_ref() {
            black_box(&event.expect("frames in memory can be read"));
            found += 1;
        }
        let stats = events.stats();
        assert_eq!(stats.decode.decoded, packets, "packets were not decoded");
        assert_eq!(stats.pool.map_or(0, |pool| pool.dropped()), 0, "packets were dropped");
        found
    }
}

/// Time that this thread has had a processor.
fn on_processor() -> Duration {
    read(ClockId::ThreadCPUTime)
}

/// Time that has passed since some moment.
fn passed() -> Duration {
    read(ClockId::Monotonic)
}

fn read(clock: ClockId) -> Duration {
    Duration::try_from(clock_gettime(clock)).expect("a clock that does not run before its begin")
}
