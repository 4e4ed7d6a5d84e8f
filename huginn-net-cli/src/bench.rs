//! `huginn-net bench`: what the analysis of a capture costs on this machine.

use core::hash::Hasher;
use core::num::NonZero;
use core::time::Duration;
use std::hash::DefaultHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use huginn_net::core::capacity::{CapacityTable, LinkRate, Load};
use huginn_net::source::{FrameStore, Read, SourceStats};
use huginn_net::{CaptureFile, Database, Event, HuginnNet, PoolConfig, Settings, Source, SourceError, Step};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

use crate::args::BenchArgs;
use crate::exit::{Ended, Outcome};
use crate::inputs::{is_stdin, read_once, shown_input};
use crate::messages::{Messages, describe_damage, failure_of};
use crate::output::{Answers, InUse, Json};
use crate::signatures;

/// Runs the command.
pub(crate) fn run(args: &BenchArgs, messages: &Messages) -> Ended {
    let database = signatures::load(&args.signatures, false, messages)?;
    read_once(&args.captures, messages)?;
    let mut in_use = InUse::default();
    in_use.add_files(&args.captures, "is a capture to be read, not an output");
    in_use.add_signatures(&args.signatures.db);
    let mut answers = Answers::open(&args.output, &in_use, messages)?;
    let mut outcome = Outcome::Success;
    let room = usize::try_from(args.memory.saturating_mul(1 << 20)).unwrap_or(usize::MAX);
    let store = Arc::new(load(&args.captures, room, messages, &mut outcome));
    if store.is_empty() {
        if outcome == Outcome::Success {
            messages.error("the captures have no packets");
            outcome = Outcome::Damaged;
        }
        return Ok(outcome);
    }
    let mut rows: Vec<Measured> = Vec::new();
    for case in Case::ALL {
        let alone = rows.iter().find(|of| of.case == Case::All).map(|of| of.found);
        match case.measure(&store, &database, args.rounds, alone) {
            Ok(measured) => rows.push(measured),
            Err(reason) => {
                messages.error(format_args!("{}: {reason}", case.name()));
                outcome.add(Outcome::Damaged);
            }
        }
    }
    answers.write(|| text(&store, args.rounds, &rows), || json_lines(&store, &rows));
    outcome.add(answers.finish());
    Ok(outcome)
}

/// The frames of all captures, as many as there is room for.
fn load(captures: &[PathBuf], room: usize, messages: &Messages, outcome: &mut Outcome) -> FrameStore {
    let mut store = FrameStore::default();
    for path in captures {
        match open(path).and_then(|capture| append(capture, &mut store, room)) {
            Ok(Appended::All { damage: None }) => {}
            Ok(Appended::All { damage: Some(damage) }) => {
                messages.error(format_args!("{}: {damage}", shown_input(path)));
                outcome.add(Outcome::Damaged);
            }
            Ok(Appended::NoRoom) => {
                messages.say(format_args!(
                    "{}: more than --memory allows; the first {} packets are used",
                    shown_input(path),
                    store.len()
                ));
                break;
            }
            Err(error) => {
                messages.error(format_args!("{}: {}", shown_input(path), failure_of(&error)));
                outcome.add(Outcome::of(&error));
            }
        }
    }
    store
}

fn open(path: &Path) -> Result<CaptureFile, SourceError> {
    if is_stdin(path) { CaptureFile::from_reader(io::stdin()) } else { CaptureFile::open(path) }
}

/// What became of a capture.
enum Appended {
    /// All frames that can be read are stored; `damage` is the first that there is, for a message.
    All { damage: Option<String> },
    /// There was no room for more.
    NoRoom,
}

/// Stores the frames of a capture.
fn append(mut capture: CaptureFile, store: &mut FrameStore, room: usize) -> Result<Appended, SourceError> {
    loop {
        match capture.read()? {
            Read::Frame(frame) => {
                store.push(&frame);
                if store.held_bytes() > room {
                    return Ok(Appended::NoRoom);
                }
            }
            Read::Idle => {}
            Read::End => {
                let SourceStats { damage, format, .. } = capture.stats();
                let damage = damage.first().map(|damage| describe_damage(damage, *format));
                return Ok(Appended::All { damage });
            }
        }
    }
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Decode,
    Tcp,
    TcpNamed,
    Tls,
    TlsNamed,
    Http,
    HttpNamed,
    All,
    AllAsJson,
    /// Everything, by so many threads: each reads where there are cores for all, and another one for them otherwise.
    Workers(usize),
}

impl Case {
    const ALL: [Self; 13] = [
        Self::Decode,
        Self::Tcp,
        Self::TcpNamed,
        Self::Tls,
        Self::TlsNamed,
        Self::Http,
        Self::HttpNamed,
        Self::All,
        Self::AllAsJson,
        Self::Workers(1),
        Self::Workers(2),
        Self::Workers(4),
        Self::Workers(8),
    ];

    fn name(self) -> String {
        let name = match self {
            Self::Decode => "decode",
            Self::Tcp => "TCP",
            Self::TcpNamed => "TCP, named",
            Self::Tls => "TLS",
            Self::TlsNamed => "TLS, named",
            Self::Http => "HTTP",
            Self::HttpNamed => "HTTP, named",
            Self::All => "everything",
            Self::AllAsJson => "everything, as JSON",
            Self::Workers(1) => "everything, 1 worker",
            Self::Workers(count) => return format!("everything, {count} workers"),
        };
        name.to_owned()
    }

    const fn workers(self) -> usize {
        match self {
            Self::Workers(count) => count,
            _ => 0,
        }
    }

    fn pipeline(self, database: &Arc<Database>) -> HuginnNet {
        let pipeline = HuginnNet::with_settings(self.settings(database));
        match self {
            Self::Workers(count) => pipeline.with_pool(PoolConfig::new(count, PoolConfig::default().queue)),
            _ => pipeline,
        }
    }

    fn settings(self, database: &Arc<Database>) -> Settings {
        let is_all = matches!(self, Self::All | Self::AllAsJson | Self::Workers(_));
        let is_named = !matches!(self, Self::Tcp | Self::Tls | Self::Http);
        let mut settings = Settings::default().with_database(is_named.then(|| Arc::clone(database)));
        settings.tcp = settings.tcp.filter(|_| is_all || matches!(self, Self::Tcp | Self::TcpNamed));
        settings.tls = settings.tls.filter(|_| is_all || matches!(self, Self::Tls | Self::TlsNamed));
        settings.http = settings.http.filter(|_| is_all || matches!(self, Self::Http | Self::HttpNamed));
        settings
    }

    /// `alone` is what one thread has found in everything, which workers have to find, too.
    fn measure(
        self,
        store: &Arc<FrameStore>,
        database: &Arc<Database>,
        rounds: u32,
        alone: Option<Found>,
    ) -> Result<Measured, String> {
        let pipeline = self.pipeline(database);
        // The first pass brings code and data into the caches.
        let found = Found::by(&pipeline, store)?;
        if self.workers() > 0 && alone != Some(found) {
            return Err("not the records of one thread".to_owned());
        }
        let taken = self.median(&pipeline, store, rounds, found.events)?;
        let taken_by_none = self.median(&pipeline, &Arc::default(), rounds, 0)?;
        let packets = u64::try_from(store.len()).unwrap_or(u64::MAX);
        let load = |taken: Duration| Load { packets, events: found.events, nanoseconds: nanoseconds(taken) };
        let nanoseconds_of_none = nanoseconds(taken_by_none.processor);
        Ok(Measured {
            case: self,
            found,
            load: load(taken.processor),
            clock: load(taken.clock),
            nanoseconds_of_none,
        })
    }

    /// The medians of times over the rounds, each by an analysis that has seen nothing and has to find so many events.
    fn median(
        self,
        pipeline: &HuginnNet,
        store: &Arc<FrameStore>,
        rounds: u32,
        events: u64,
    ) -> Result<Taken, String> {
        let (mut processor, mut clock) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let (found, taken) = self.pass(pipeline, store)?;
            if found != events {
                return Err(format!(
                    "{found} events, and {events} before: the analysis differs between rounds"
                ));
            }
            processor.push(taken.processor);
            clock.push(taken.clock);
        }
        let median = |mut times: Vec<Duration>| {
            times.sort();
            times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or_default()
        };
        Ok(Taken { processor: median(processor), clock: median(clock) })
    }

    /// Events, and the time it took to find them, from the begin of an analysis to its end.
    fn pass(self, pipeline: &HuginnNet, store: &Arc<FrameStore>) -> Result<(u64, Taken), String> {
        let (mut json, mut lines) = (Json::default(), Vec::new());
        let mut found = 0;
        let (started, started_at) = (processor_time(), Instant::now());
        analyze(pipeline, store, |event| {
            found += 1;
            if self == Self::AllAsJson {
                lines.clear();
                json.event(event, &mut lines);
            }
        })?;
        let taken =
            Taken { clock: started_at.elapsed(), processor: processor_time().saturating_sub(started) };
        Ok((found, taken))
    }
}

/// Analyzes all frames, of which none may be dropped.
fn analyze(
    pipeline: &HuginnNet,
    store: &Arc<FrameStore>,
    mut on_event: impl FnMut(&Event),
) -> Result<(), String> {
    let mut events = pipeline.analyze(Arc::clone(store).source());
    loop {
        match events.step() {
            Ok(Step::Event(event)) => on_event(&event),
            Ok(Step::Idle) => {}
            Ok(Step::End) => break,
            Err(error) => return Err(error.to_string()),
        }
    }
    match events.stats().pool.map(|pool| pool.dropped()) {
        None | Some(0) => Ok(()),
        Some(dropped) => Err(format!("{dropped} packets dropped")),
    }
}

/// What an analysis finds.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Found {
    events: u64,
    /// Of the records of all events, in their order.
    digest: u64,
}

impl Found {
    fn by(pipeline: &HuginnNet, store: &Arc<FrameStore>) -> Result<Self, String> {
        let (mut json, mut lines) = (Json::default(), Vec::new());
        let (mut events, mut digest) = (0, DefaultHasher::new());
        analyze(pipeline, store, |event| {
            events += 1;
            lines.clear();
            json.event(event, &mut lines);
            digest.write(&lines);
        })?;
        Ok(Self { events, digest: digest.finish() })
    }
}

/// How long an analysis took.
#[derive(Clone, Copy)]
struct Taken {
    /// The time of processors, of all threads together.
    processor: Duration,
    /// The time that passed.
    clock: Duration,
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}

/// What the process has used of processors.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// What one case took.
struct Measured {
    case: Case,
    found: Found,
    /// By the time of processors.
    load: Load,
    /// By the clock.
    clock: Load,
    /// What of it an analysis without a packet takes.
    nanoseconds_of_none: f64,
}

/// The table, and how far to trust it.
fn text(store: &FrameStore, rounds: u32, measured: &[Measured]) -> String {
    let rows: Vec<_> = measured.iter().map(|of| (of.case.name(), of.load)).collect();
    let by_clock = measured.iter().filter(|of| of.case == Case::All || of.case.workers() > 0);
    let by_clock: Vec<_> = by_clock.map(|of| (of.case.name(), of.clock)).collect();
    let shares = measured.iter().map(|of| of.nanoseconds_of_none / of.load.nanoseconds);
    // A pass too short for the clock counts as all of it.
    let share = shares.map(|share| if share.is_finite() { share.min(1.0) } else { 1.0 }).fold(0.0, f64::max);
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!(
        "{} packets, {} bytes, in memory; median of {rounds} round{}\n\n\
         CPU time of all threads together, and the share of one core that a full link takes:\n{}\
         Begin and end of an analysis take up to {:.1} % of these times, less with more packets.\n\n\
         Time by the clock on {cores} core{}, and the share of it that a full link takes:\n{}",
        store.len(),
        store.bytes(),
        plural(rounds as usize),
        CapacityTable(&rows),
        share * 100.0,
        plural(cores),
        CapacityTable(&by_clock),
    )
}

/// One object per case.
fn json_lines(store: &FrameStore, measured: &[Measured]) -> Vec<u8> {
    let mut lines = Vec::new();
    for Measured { case, load, clock, nanoseconds_of_none, .. } in measured {
        let object = json!({
            "case": case.name(),
            "workers": case.workers(),
            "packets": load.packets,
            "bytes": store.bytes(),
            "events": load.events,
            "nanoseconds": load.nanoseconds,
            "nanoseconds_without_packets": nanoseconds_of_none,
            "nanoseconds_per_packet": load.nanoseconds_per_packet(),
            "packets_per_second": load.packets_per_second(),
            "clock_nanoseconds": clock.nanoseconds,
            "clock_packets_per_second": clock.packets_per_second(),
            "effectiveness": load.effectiveness(),
            "cpu_share_1_gbps": load.cpu_share(LinkRate::GBPS_1),
            "cpu_share_10_gbps": load.cpu_share(LinkRate::GBPS_10),
        });
        lines.extend_from_slice(object.to_string().as_bytes());
        lines.push(b'\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_that_find_something_else_than_one_thread_are_not_measured() {
        let (store, database) = (Arc::default(), Database::bundled());
        let alone = Case::All.measure(&store, database, 1, None).ok().map(|measured| measured.found);
        assert!(alone.is_some() && Case::Workers(2).measure(&store, database, 1, alone).is_ok());
        for other in [Found { events: 1, digest: 0 }, Found { events: 0, digest: 0 }] {
            let refused = Case::Workers(2).measure(&store, database, 1, Some(other)).err();
            assert!(refused.is_some_and(|why| why.starts_with("not the records of one thread")));
        }
    }
}
