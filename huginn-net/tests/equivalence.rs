//! The same events in the same order, however many workers there are, and the same events from shards.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use std::io::Cursor;
use std::path::{Path, PathBuf};

use huginn_net::source::Read;
use huginn_net::{
    CaptureFile, Event, Events, Frame, HuginnNet, LinkType, PoolConfig, Settings, Source, SourceError,
    SourceStats, TcpSettings, Timestamp,
};
use huginn_net_core::{Decoder, FlowKey};
use testkit::capture::{Capture, Endian, Record};
use testkit::container::{self, Pcap};
use testkit::shuffle::Plan;
use testkit::{corpus, recut};

const WORKERS: [usize; 5] = [1, 2, 3, 4, 8];
const SHARDS: [usize; 5] = WORKERS;
/// An answer that is too late by the time that packets of other connections tell, as in p0f: a shard that has none of them
/// pairs it.
const LATE_BY_OTHERS: &str = "tcp/o03_expire_30s.pcap";

/// The files that are captures, with their bytes.
fn captures() -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    let read = |path: PathBuf| std::fs::read(&path).map(|bytes| (path, bytes)).expect("a file");
    corpus::files().into_iter().map(read).filter(|(_, bytes)| CaptureFile::from_bytes(bytes.clone()).is_ok())
}

fn pipeline() -> HuginnNet {
    let mut settings = Settings::default();
    settings.tcp = Some(TcpSettings::default().with_report_unpaired(true));
    HuginnNet::with_settings(settings)
}

/// Batches so small that each capture takes several rounds, and queues that are soon full.
fn pool(workers: usize) -> HuginnNet {
    let config = PoolConfig::new(workers, 2).with_batch(3, 10_000);
    // However many cores there are.
    pipeline().with_pool(config.with_max_threads(workers))
}

/// The same with queues that take all: of what is live, packets would be dropped.
fn live_pool(workers: usize) -> HuginnNet {
    pipeline().with_pool(PoolConfig::new(workers, 4_096).with_batch(32, 10_000))
}

fn lines(events: Events<Event>) -> Vec<String> {
    events.map(|event| format!("{event:?}")).collect()
}

fn open(bytes: &[u8]) -> CaptureFile {
    CaptureFile::from_bytes(bytes.to_vec()).expect("a capture")
}

/// The same from a pipe, which is not read ahead.
fn open_pipe(bytes: &[u8]) -> CaptureFile {
    CaptureFile::from_reader(Cursor::new(bytes.to_vec())).expect("a capture")
}

/// The same as packets that arrive as they happen.
fn open_live(bytes: &[u8]) -> Live {
    Live(open(bytes))
}

/// Checks that a capture gives the same with workers, whether they take turns in reading or one reads for them, and tells how many
/// events that were.
fn is_same_with_workers(name: &str, bytes: &[u8]) -> usize {
    let expected = lines(pipeline().analyze(open(bytes)));
    for workers in WORKERS {
        let runs = [
            pool(workers).analyze(open(bytes)),
            pool(workers).analyze(open_pipe(bytes)),
            live_pool(workers).analyze(open_live(bytes)),
        ];
        for run in runs {
            let found = lines(run);
            assert!(found == expected, "{name}, {workers} workers: {found:#?} instead of {expected:#?}");
        }
    }
    expected.len()
}

#[test]
fn every_capture_gives_the_same_events_in_the_same_order_with_any_number_of_workers() {
    let events = captures().map(|(path, bytes)| is_same_with_workers(&path.to_string_lossy(), &bytes));
    let (captures, events) = events.fold((0, 0), |(captures, sum), events| (captures + 1, sum + events));
    assert!(captures > 600 && events > 2_000, "{captures} captures, {events} events");
}

/// All Ethernet captures one after the other, as one that goes on for some hours.
fn everything() -> Capture {
    const ETHERNET: u16 = 1;
    let mut records: Vec<Record> = Vec::new();
    let mut end = 1_700_000_000_000_000_000;
    for (_, bytes) in captures().filter(|(_, bytes)| is_classic(bytes)) {
        let capture = Capture::parse(&bytes);
        if capture.link_type != ETHERNET {
            continue;
        }
        let start = capture.records.iter().map(|record| record.ts_nanos).min().unwrap_or_default();
        let begin = end;
        for mut record in capture.records {
            record.ts_nanos = begin + (record.ts_nanos - start).min(3_600_000_000_000);
            end = end.max(record.ts_nanos + 1_000_000_000);
            records.push(record);
        }
    }
    Capture { link_type: ETHERNET, records }
}

#[test]
fn a_long_capture_gives_the_same_events_in_the_same_order_with_any_number_of_workers() {
    let capture = everything();
    let bytes = container::pcap(Pcap::Nanos, Endian::Little, &capture);
    assert!(is_same_with_workers("everything", &bytes) > 1_500);
    let expected = lines(pipeline().analyze(open(&bytes)));
    for config in [PoolConfig::new(2, 100), PoolConfig::new(4, 1).with_batch(1, 1), PoolConfig::new(64, 3)] {
        for source in [open(&bytes), open_pipe(&bytes)] {
            let pool = pipeline().with_pool(config.with_max_threads(config.workers));
            assert!(lines(pool.analyze(source)) == expected, "{config:?}");
        }
    }
}

fn is_classic(bytes: &[u8]) -> bool {
    matches!(
        bytes.first_chunk(),
        Some([0xd4, 0xc3, 0xb2, 0xa1] | [0x4d, 0x3c, 0xb2, 0xa1] | [0xa1, 0xb2, 0xc3, 0xd4])
    )
}

/// A capture as a file, if its frames can be cut anew.
fn cut_anew(bytes: &[u8], plan: &Plan) -> Option<Vec<u8>> {
    let capture = is_classic(bytes).then(|| Capture::parse(bytes));
    let capture = capture.filter(|capture| !capture.records.is_empty())?;
    let anew = recut::recut(&capture, plan, 7)?;
    Some(container::pcap(Pcap::Nanos, Endian::Little, &anew))
}

/// Whether a capture has streams to cut, as those of TLS and HTTP have; in the others are hardly more than handshakes.
fn has_streams(path: &Path) -> bool {
    let in_folder = |name: &str| path.components().any(|part| part.as_os_str() == name);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    in_folder("tls") || in_folder("http") || name.starts_with("http") || name.starts_with("browser")
}

#[test]
fn streams_cut_anew_give_the_same_events_with_any_number_of_workers_and_from_shards() {
    for (name, plan) in [("cut", Plan::CUT), ("chaos", Plan::CHAOS)] {
        let mut count = 0;
        for (path, bytes) in captures().filter(|(path, _)| has_streams(path)) {
            let Some(anew) = cut_anew(&bytes, &plan) else { continue };
            let name = format!("{} {name}", path.display());
            is_same_from_shards(&name, &anew);
            count += is_same_with_workers(&name, &anew);
        }
        assert!(count > 1_500, "{name}: {count} events");
    }
}

/// A frame as it is in a capture.
#[derive(Clone)]
struct Captured {
    link_type: LinkType,
    captured_at: Timestamp,
    wire_len: u32,
    number: u64,
    bytes: Vec<u8>,
}

impl Captured {
    fn of(frame: &Frame<'_>) -> Self {
        let Frame { link_type, captured_at, wire_len, number, bytes, .. } = *frame;
        Self { link_type, captured_at, wire_len, number, bytes: bytes.to_vec() }
    }

    fn frame(&self) -> Frame<'_> {
        let Self { link_type, captured_at, wire_len, number, ref bytes } = *self;
        Frame { captured_at, wire_len, number, ..Frame::new(bytes, link_type) }
    }
}

/// A capture whose frames arrive as they happen.
struct Live(CaptureFile);

impl Source for Live {
    fn read(&mut self) -> Result<Read<'_>, SourceError> {
        self.0.read()
    }

    fn stats(&self) -> &SourceStats {
        self.0.stats()
    }

    fn is_live(&self) -> bool {
        true
    }
}

/// Some frames of a capture.
struct Part {
    frames: std::vec::IntoIter<Captured>,
    read: Option<Captured>,
    stats: SourceStats,
}

impl Source for Part {
    fn read(&mut self) -> Result<Read<'_>, SourceError> {
        self.read = self.frames.next();
        let Some(read) = &self.read else { return Ok(Read::End) };
        self.stats.count_frame(read.bytes.len(), read.captured_at);
        Ok(Read::Frame(read.frame()))
    }

    fn stats(&self) -> &SourceStats {
        &self.stats
    }
}

/// Deals the frames of a capture by flow; those without one go to the first part.
fn split(capture: &[u8], parts: usize) -> Vec<Part> {
    let mut dealt = vec![Vec::new(); parts];
    let mut decoder = Decoder::default();
    let mut source = open(capture);
    while let Ok(Read::Frame(frame)) = source.read() {
        let key = decoder.decode(&frame).ok().and_then(|packet| FlowKey::of(&packet));
        let ports = key.map_or(0, |(key, direction)| {
            usize::from(key.source(direction).port() ^ key.destination(direction).port())
        });
        dealt[ports % parts].push(Captured::of(&frame));
    }
    let part =
        |frames: Vec<_>| Part { frames: frames.into_iter(), read: None, stats: SourceStats::default() };
    dealt.into_iter().map(part).collect()
}

/// Checks that a capture gives the same from shards, and tells how many events that were.
fn is_same_from_shards(name: &str, bytes: &[u8]) -> usize {
    let mut expected = lines(pipeline().analyze(open(bytes)));
    expected.sort();
    for shards in SHARDS {
        let mut found = lines(pipeline().analyze_shards(split(bytes, shards)));
        found.sort();
        assert!(found == expected, "{name}, {shards} shards: {found:#?} instead of {expected:#?}");
    }
    expected.len()
}

#[test]
fn every_capture_gives_the_same_events_from_any_number_of_shards() {
    let shared = captures().filter(|(path, _)| !path.ends_with(LATE_BY_OTHERS));
    let count: usize = shared.map(|(path, bytes)| is_same_from_shards(&path.to_string_lossy(), &bytes)).sum();
    assert!(count > 2_000, "{count}");
}
