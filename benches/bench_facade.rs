//! All protocols, and each alone, with 0 (the thread of the caller), 1, 2, 4 and 8 workers, from a capture in memory to
//! events.
//!
//! `cargo bench -p huginn-net`. Criterion's `elem/s` are packets per second. Every pass gives as many events as the first
//! one without workers, so that no dropped work is timed. Before the timing, the time that each thread spent on one pass
//! is printed: on a machine with other work, it says more than the time that went by.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench fails by panicking"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use huginn_net::{CaptureFile, HuginnNet, PoolConfig, Settings};
use testkit::capture::{Capture, Endian, Record};
use testkit::container::{self, Pcap};
use testkit::corpus;
use testkit::encap::ether_type;

/// Connections of the capture: enough for some hundred milliseconds.
const CONNECTIONS: u32 = 4_000;
const WORKERS: [usize; 5] = [0, 1, 2, 4, 8];

/// Recorded connections of TLS clients, again and again from other networks.
fn handshakes() -> (Vec<u8>, u64) {
    let recorded: Vec<_> =
        corpus::captures("tls/pcap").iter().map(|path| Capture::open(path)).filter(is_plain).collect();
    let mut capture = Capture { link_type: 1, records: Vec::new() };
    for (connection, recorded) in (0..CONNECTIONS).zip(recorded.iter().cycle()) {
        let [_, _, high, low] = connection.to_be_bytes();
        for record in &recorded.records {
            let mut bytes = record.bytes.clone();
            // The second and third byte of both addresses.
            for at in [27, 31] {
                if let Some(part) = bytes.get_mut(at..at + 2) {
                    part.copy_from_slice(&[high, low]);
                }
            }
            let ts_nanos = 1_700_000_000_000_000_000 + capture.records.len() as u64 * 20_000;
            capture.records.push(Record::whole(ts_nanos, bytes));
        }
    }
    let packets = capture.records.len() as u64;
    (container::pcap(Pcap::Nanos, Endian::Little, &capture), packets)
}

/// Whether all frames are IPv4 in Ethernet.
fn is_plain(capture: &Capture) -> bool {
    let is_plain = |record: &Record| record.bytes.get(12..14) == Some(&ether_type::IPV4.to_be_bytes());
    capture.link_type == 1 && capture.records.iter().all(is_plain)
}

fn pipeline(protocol: &str, workers: usize) -> HuginnNet {
    let mut settings = Settings::default();
    if protocol != "all" {
        settings.http = None;
    }
    if protocol == "tcp" {
        settings.tls = None;
    } else if protocol == "tls" {
        settings.tcp = None;
    }
    let pipeline = HuginnNet::with_settings(settings);
    match workers {
        0 => pipeline,
        _ => pipeline.pool(PoolConfig::new(workers, 100)),
    }
}

fn open(bytes: Vec<u8>) -> CaptureFile {
    CaptureFile::from_bytes(bytes).expect("a capture")
}

/// Time that the threads of this process have spent, by their names; of those that are still there.
fn spent() -> BTreeMap<String, Duration> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let of_task = |path: &Path| {
        let name = fs::read_to_string(path.join("comm")).ok()?.trim().to_owned();
        // The first number of this file: nanoseconds on a processor.
        let spent = fs::read_to_string(path.join("schedstat")).ok()?.split(' ').next()?.parse().ok()?;
        Some((name, Duration::from_nanos(spent)))
    };
    tasks.filter_map(|task| of_task(&task.path())).collect()
}

/// What each thread spends on a packet in one pass.
fn split(pipeline: &HuginnNet, bytes: &[u8], expected: usize, packets: u64) -> String {
    // Threads end with the pass: a look in time shows most of it, as none is far ahead of the others.
    let last_look = expected - expected / 16;
    let before = spent();
    let mut events = pipeline.analyze(open(bytes.to_vec()));
    for event in events.by_ref().take(last_look) {
        event.expect("a capture that can be read");
    }
    let after = spent();
    assert_eq!(last_look + events.count(), expected);
    let per_packet = |(name, time): (&String, &Duration)| {
        let time = time.saturating_sub(before.get(name).copied().unwrap_or_default());
        format!("{name} {:.0} ns", time.as_secs_f64() * 1e9 * 16.0 / 15.0 / packets as f64)
    };
    after.iter().map(per_packet).collect::<Vec<_>>().join(", ")
}

fn threads(criterion: &mut Criterion) {
    let (bytes, packets) = handshakes();
    for protocol in ["all", "tcp", "tls"] {
        let expected = pipeline(protocol, 0).analyze(open(bytes.clone())).count();
        assert!(expected > CONNECTIONS as usize, "{expected} events");
        let mut group = criterion.benchmark_group(format!("threads_{protocol}"));
        group.throughput(Throughput::Elements(packets)).sample_size(10);
        for workers in WORKERS {
            let pipeline = pipeline(protocol, workers);
            println!("{protocol}, {workers} workers: {}", split(&pipeline, &bytes, expected, packets));
            group.bench_function(format!("{workers}_workers"), |bencher| {
                bencher.iter_batched(
                    || open(bytes.clone()),
                    |capture| assert_eq!(pipeline.analyze(capture).count(), expected),
                    BatchSize::PerIteration,
                );
            });
        }
        group.finish();
    }
}

criterion_group!(benches, threads);
criterion_main!(benches);
