//! `huginn-net bench`: what the analysis of a capture costs on this machine.

use core::time::Duration;
use std::path::Path;
use std::sync::Arc;

use huginn_net::core::capacity::{CapacityTable, LinkRate, Load};
use huginn_net::source::{FrameStore, Read, SourceStats};
use huginn_net::{CaptureFile, Database, HuginnNet, Settings, Source, SourceError, Step};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

use crate::args::BenchArgs;
use crate::exit::{Ended, Outcome};
use crate::messages::{Messages, describe_damage, failure_of, shown};
use crate::output::{Answers, InUse, Json};
use crate::signatures;

/// Runs the command.
pub(crate) fn run(args: &BenchArgs, messages: &Messages) -> Ended {
    let database = signatures::load(&args.signatures, false, messages)?;
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
    let mut rows = Vec::new();
    for case in Case::ALL {
        match case.measure(&store, &database, args.rounds) {
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
fn load(
    captures: &[impl AsRef<Path>],
    room: usize,
    messages: &Messages,
    outcome: &mut Outcome,
) -> FrameStore {
    let mut store = FrameStore::default();
    for path in captures.iter().map(AsRef::as_ref) {
        match CaptureFile::open(path).and_then(|capture| append(capture, &mut store, room)) {
            Ok(Appended::All { damage: None }) => {}
            Ok(Appended::All { damage: Some(damage) }) => {
                messages.error(format_args!("{}: {damage}", shown(path)));
                outcome.add(Outcome::Damaged);
            }
            Ok(Appended::NoRoom) => {
                messages.say(format_args!(
                    "{}: more than --memory allows; the first {} packets are used",
                    shown(path),
                    store.len()
                ));
                break;
            }
            Err(error) => {
                messages.error(format_args!("{}: {}", shown(path), failure_of(&error)));
                outcome.add(Outcome::of(&error));
            }
        }
    }
    store
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
}

impl Case {
    const ALL: [Self; 9] = [
        Self::Decode,
        Self::Tcp,
        Self::TcpNamed,
        Self::Tls,
        Self::TlsNamed,
        Self::Http,
        Self::HttpNamed,
        Self::All,
        Self::AllAsJson,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Tcp => "TCP",
            Self::TcpNamed => "TCP, named",
            Self::Tls => "TLS",
            Self::TlsNamed => "TLS, named",
            Self::Http => "HTTP",
            Self::HttpNamed => "HTTP, named",
            Self::All => "everything",
            Self::AllAsJson => "everything, as JSON",
        }
    }

    fn settings(self, database: &Arc<Database>) -> Settings {
        let is_all = matches!(self, Self::All | Self::AllAsJson);
        let is_named = !matches!(self, Self::Tcp | Self::Tls | Self::Http);
        let mut settings = Settings::default().with_database(is_named.then(|| Arc::clone(database)));
        settings.tcp = settings.tcp.filter(|_| is_all || matches!(self, Self::Tcp | Self::TcpNamed));
        settings.tls = settings.tls.filter(|_| is_all || matches!(self, Self::Tls | Self::TlsNamed));
        settings.http = settings.http.filter(|_| is_all || matches!(self, Self::Http | Self::HttpNamed));
        settings
    }

    fn measure(
        self,
        store: &Arc<FrameStore>,
        database: &Arc<Database>,
        rounds: u32,
    ) -> Result<Measured, String> {
        let pipeline = HuginnNet::with_settings(self.settings(database));
        let (events, nanoseconds) = self.median(&pipeline, store, rounds)?;
        let (_, nanoseconds_of_none) = self.median(&pipeline, &Arc::default(), rounds)?;
        let packets = u64::try_from(store.len()).unwrap_or(u64::MAX);
        let load = Load { packets, events, nanoseconds };
        Ok(Measured { case: self, load, nanoseconds_of_none })
    }

    /// Events, and the median of nanoseconds over the rounds, each by an analysis that has seen nothing.
    fn median(
        self,
        pipeline: &HuginnNet,
        store: &Arc<FrameStore>,
        rounds: u32,
    ) -> Result<(u64, f64), String> {
        // The first pass brings code and data into the caches.
        let (events, _) = self.pass(pipeline, store)?;
        let mut times = Vec::new();
        for _ in 0..rounds {
            let (found, taken) = self.pass(pipeline, store)?;
            if found != events {
                return Err(format!(
                    "{found} events, and {events} before: the analysis differs between rounds"
                ));
            }
            times.push(taken);
        }
        times.sort();
        let median = times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or_default();
        Ok((events, median.as_secs_f64() * 1e9))
    }

    /// Events, and the time of the processor it took to find them, from the begin of an analysis to its end.
    fn pass(self, pipeline: &HuginnNet, store: &Arc<FrameStore>) -> Result<(u64, Duration), String> {
        let (mut json, mut lines) = (Json::default(), Vec::new());
        let mut found = 0;
        let started = processor_time();
        let mut events = pipeline.analyze(Arc::clone(store).source());
        loop {
            match events.step() {
                Ok(Step::Event(event)) => {
                    found += 1;
                    if self == Self::AllAsJson {
                        lines.clear();
                        json.event(&event, &mut lines);
                    }
                }
                Ok(Step::Idle) => {}
                Ok(Step::End) => break,
                Err(error) => return Err(error.to_string()),
            }
        }
        drop(events);
        Ok((found, processor_time().saturating_sub(started)))
    }
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
    load: Load,
    /// What of it an analysis without a packet takes.
    nanoseconds_of_none: f64,
}

/// The table, and how far to trust it.
fn text(store: &FrameStore, rounds: u32, measured: &[Measured]) -> String {
    let rows: Vec<_> = measured.iter().map(|of| (of.case.name().to_owned(), of.load)).collect();
    let shares = measured.iter().map(|of| of.nanoseconds_of_none / of.load.nanoseconds);
    // A pass too short for the clock counts as all of it.
    let share = shares.map(|share| if share.is_finite() { share.min(1.0) } else { 1.0 }).fold(0.0, f64::max);
    format!(
        "{} packets, {} bytes, in memory; one core, median of {rounds} rounds, CPU time\n{}\
         Begin and end of an analysis take up to {:.1} % of these times, less with more packets.\n",
        store.len(),
        store.bytes(),
        CapacityTable(&rows),
        share * 100.0
    )
}

/// One object per case.
fn json_lines(store: &FrameStore, measured: &[Measured]) -> Vec<u8> {
    let mut lines = Vec::new();
    for Measured { case, load, nanoseconds_of_none } in measured {
        let object = json!({
            "case": case.name(),
            "packets": load.packets,
            "bytes": store.bytes(),
            "events": load.events,
            "nanoseconds": load.nanoseconds,
            "nanoseconds_without_packets": nanoseconds_of_none,
            "nanoseconds_per_packet": load.nanoseconds_per_packet(),
            "packets_per_second": load.packets_per_second(),
            "effectiveness": load.effectiveness(),
            "cpu_share_1_gbps": load.cpu_share(LinkRate::GBPS_1),
            "cpu_share_10_gbps": load.cpu_share(LinkRate::GBPS_10),
        });
        lines.extend_from_slice(object.to_string().as_bytes());
        lines.push(b'\n');
    }
    lines
}
