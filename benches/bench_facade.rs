//! Everything at once: what each kind of traffic costs a packet, what each protocol and its labels add, and what further
//! workers bring.
//!
//! `cargo bench -p huginn-net`. The traffic is generated, is larger than the caches, and lies in memory; no connection is
//! in it twice. Each pass goes through the driver, from the frames to the events, with an analysis that has seen nothing,
//! and checks that all events came out that are in the traffic. Times are of all threads together in `workers`, as they
//! pass, and of the one thread elsewhere. At the end stands what it means for full links; the same goes to
//! `huginn-bench/facade.json` in the target folder.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench fails by panicking"
)]

use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use benchkit::{Note, Recorder};
use criterion::{Criterion, Throughput, criterion_group};
use huginn_net::source::FrameStore;
use huginn_net::{Event, Frame, HttpSettings, HuginnNet, LinkType, PoolConfig, Settings, Timestamp};
use testkit::alloc;
use testkit::trace::{Events, Kind, Trace};

static RECORDER: Recorder = Recorder::new("facade");

/// Bytes of one trace: several times the last cache of most machines.
const SIZE: u64 = 96 << 20;
/// The same for a pass that only tests the bench.
const SIZE_OF_TEST: u64 = 1 << 20;
const SEED: u64 = 7;

/// Traffic of a kind, and what is in it.
struct Traffic {
    frames: Arc<FrameStore>,
    said: Events,
}

impl Traffic {
    fn new(kind: Kind) -> Self {
        let is_test = std::env::args().any(|argument| argument == "--test");
        let mut trace = Trace::new(kind, SEED, if is_test { SIZE_OF_TEST } else { SIZE });
        let mut store = FrameStore::default();
        let mut number = 0;
        while let Some(frame) = trace.next_frame() {
            number += 1;
            let captured_at = Timestamp::from_nanos(frame.ts_nanos);
            store.push(&Frame { captured_at, number, ..Frame::new(frame.bytes, LinkType::ETHERNET) });
        }
        Self { frames: Arc::new(store), said: trace.events() }
    }

    fn packets(&self) -> u64 {
        self.frames.len() as u64
    }
}

/// What is switched on. Requests and responses are all looked at, not the first four of a connection.
#[derive(Clone, Copy)]
struct Parts {
    tcp: bool,
    tls: bool,
    http: bool,
    names: bool,
}

impl Parts {
    const NONE: Self = Self { tcp: false, tls: false, http: false, names: false };
    const ALL: Self = Self { tcp: true, tls: true, http: true, names: true };

    fn settings(self) -> Settings {
        let mut settings = Settings::default();
        settings.database = settings.database.filter(|_| self.names);
        settings.tcp = settings.tcp.filter(|_| self.tcp);
        settings.tls = settings.tls.filter(|_| self.tls);
        settings.http = self.http.then(|| HttpSettings::default().with_max_exchanges(6));
        settings
    }

    /// Events that must come out.
    fn expected(self, said: &Events) -> u64 {
        let of = |is_on: bool, events: u64| if is_on { events } else { 0 };
        of(self.tcp, said.syns + said.syn_acks + said.clocks)
            + of(self.tls, said.client_hellos + said.server_hellos)
            + of(self.http, said.http_requests + said.http_responses)
    }
}

/// One pass; the events that came out.
fn pass(pipeline: &HuginnNet, frames: &Arc<FrameStore>) -> u64 {
    let mut events = pipeline.analyze(Arc::clone(frames).source());
    let mut found = 0;
    for event in events.by_ref() {
        let event: Event = event.expect("frames in memory can be read");
        std::hint::black_box(&event);
        found += 1;
    }
    let stats = events.stats();
    assert_eq!(stats.decode.decoded, frames.len() as u64);
    assert_eq!(stats.pool.map_or(0, |pool| pool.dropped()), 0, "packets were dropped");
    found
}

fn measure(
    criterion: &mut Criterion,
    section: &'static str,
    name: &str,
    traffic: &Traffic,
    parts: Parts,
    workers: Option<u32>,
) {
    let mut pipeline = HuginnNet::with_settings(parts.settings());
    if let Some(workers) = workers.filter(|&workers| workers > 0) {
        pipeline = pipeline.pool(PoolConfig::new(workers as usize, 100));
    }
    let expected = parts.expected(&traffic.said);
    let note = Note::on(section, name).events(expected);
    RECORDER.note(match workers {
        Some(workers) => note.workers(workers),
        None => {
            let (found, allocations) = alloc::measure(|| pass(&pipeline, &traffic.frames));
            assert_eq!(found, expected, "{section}, {name}");
            note.allocations(allocations.count)
        }
    });
    let mut group = criterion.benchmark_group(section);
    group.throughput(Throughput::Elements(traffic.packets())).sample_size(10);
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|rounds| {
            let mut taken = Duration::ZERO;
            for _ in 0..rounds {
                let started = Instant::now();
                let found = pass(&pipeline, &traffic.frames);
                taken += started.elapsed();
                assert_eq!(found, expected, "{section}, {name}");
            }
            taken
        });
    });
    group.finish();
}

fn traffic_of_each_kind(criterion: &mut Criterion) {
    for kind in Kind::ALL {
        measure(criterion, "traffic", kind.name(), &Traffic::new(kind), Parts::ALL, None);
    }
}

fn cost_of_each_part(criterion: &mut Criterion) {
    let traffic = Traffic::new(Kind::Mixed);
    for (name, parts) in [
        ("decode", Parts::NONE),
        ("TCP", Parts { tcp: true, ..Parts::NONE }),
        ("TCP, names", Parts { tcp: true, names: true, ..Parts::NONE }),
        ("TLS", Parts { tls: true, ..Parts::NONE }),
        ("TLS, names", Parts { tls: true, names: true, ..Parts::NONE }),
        ("HTTP", Parts { http: true, ..Parts::NONE }),
        ("HTTP, names", Parts { http: true, names: true, ..Parts::NONE }),
        ("everything, no names", Parts { names: false, ..Parts::ALL }),
        ("everything", Parts::ALL),
    ] {
        measure(criterion, "parts", name, &traffic, parts, None);
    }
}

fn workers(criterion: &mut Criterion) {
    for (kind, section) in [
        (Kind::Hellos, "workers, hellos"),
        (Kind::Handshakes, "workers, handshakes"),
        (Kind::Mixed, "workers, mixed"),
    ] {
        let traffic = Traffic::new(kind);
        for workers in [0, 1, 2, 4, 8] {
            let name = if workers == 0 { "sequential".to_owned() } else { format!("{workers} workers") };
            measure(criterion, section, &name, &traffic, Parts::ALL, Some(workers));
        }
    }
}

criterion_group!(benches, traffic_of_each_kind, cost_of_each_part, workers);

fn main() {
    RECORDER.run(benches);
    Criterion::default().configure_from_args().final_summary();
}
