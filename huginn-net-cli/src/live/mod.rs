//! `huginn-net live`: network interfaces in, records out.

mod metrics;
mod privileges;
mod source;

use std::collections::HashSet;
use std::io;
use std::net::SocketAddr;
use std::time::Instant;

use huginn_net::source::LiveOptions;
use huginn_net::{Event, Events, HuginnNet, Interest, LiveCapture, SourceError, Step};

use self::metrics::{Counters, Server};
use self::privileges::User;
use self::source::{Limited, Limits};
use crate::analysis;
use crate::args::LiveArgs;
use crate::count::Count;
use crate::exit::{Ended, Outcome};
use crate::messages::{Messages, Printable, failure_of, shown};
use crate::output::{InUse, Outputs, open_all};
use crate::signals::{Hangup, Signals};
use crate::totals::Totals;

/// Runs the command.
pub(crate) fn run(args: &LiveArgs, messages: &Messages) -> Ended {
    let (mut run, captures) = Run::prepare(args, messages)?;
    Ok(run.capture(captures))
}

/// A run of the command.
struct Run<'a> {
    args: &'a LiveArgs,
    pipeline: HuginnNet,
    outputs: Outputs,
    messages: &'a Messages,
    signals: Signals,
    count: Count,
    totals: Totals,
    started: Instant,
    /// Interfaces whose removal has been said.
    removed: u64,
    /// Where counters are told, if anybody may ask for them.
    counters: Option<Counters>,
}

impl<'a> Run<'a> {
    /// Opens signatures, outputs and interfaces, gives up the privileges that this took, and begins to capture. What is
    /// wrong has been said when this fails.
    fn prepare(args: &'a LiveArgs, messages: &'a Messages) -> Result<(Self, Vec<LiveCapture>), Outcome> {
        let mut names = HashSet::new();
        if let Some(twice) = args.interface.iter().find(|name| !names.insert(name.as_str())) {
            messages.error(format_args!("-i {}: named twice, and would be captured twice", Printable(twice)));
            return Err(Outcome::Usage);
        }
        let filter = analysis::filter(&args.analysis, messages)?;
        let settings = analysis::settings(&args.analysis, args.verbose, messages)?;
        // Packets that come in the meantime would be lost.
        if let Some(database) = &settings.database {
            database.prepare();
        }
        let pipeline = analysis::pipeline(settings, filter.clone(), args.analysis.jobs.pool());
        let user = args.user.as_deref().map(|name| find(name, messages)).transpose()?;
        let mut in_use = InUse::default();
        in_use.add_signatures(&args.analysis.signatures.db);
        let targets = open_all(&args.output, &in_use, messages)?;
        let mut captures = open(args, messages)?;
        let server = args.metrics.map(|address| listen(address, messages)).transpose()?;
        // Before files are out of reach.
        let hangup = Hangup::of_process();
        // While there is one thread: some privileges are those of a thread, and later ones inherit what it has left.
        let kept = privileges::give_up(user.as_ref(), !args.no_sandbox).map_err(|error| {
            messages.error(format_args!("cannot give up privileges: {error}"));
            Outcome::NotOpened
        })?;
        if args.verbose {
            messages.say(format_args!("privileges: {kept}"));
        }
        let signals = Signals::start(args.analysis.stats_interval, hangup, messages)?;
        let counters = server.map(|server| serve(server, args.verbose, messages)).transpose()?;
        // Of packets that are left out nobody knows how many there were.
        let everything = filter.clone().unwrap_or_default();
        let program = |link_type| match args.count {
            Some(_) => everything.to_bpf_for(link_type, Interest::Everything),
            None => pipeline.program(link_type),
        };
        captures.iter_mut().try_for_each(|capture| capture.start_with(program)).map_err(|error| {
            messages.error(Printable(&failure_of(&error)));
            Outcome::NotOpened
        })?;
        // Last, so that a run that cannot begin leaves files as they are.
        let outputs = Outputs::start(targets, args.color, messages)?;
        let started = Instant::now();
        let mut totals = Totals::default();
        totals.interfaces = args.interface.len() as u64;
        let count = Count::new(args.count, filter);
        let run =
            Self { args, pipeline, outputs, messages, signals, count, totals, started, removed: 0, counters };
        Ok((run, captures))
    }

    fn capture(&mut self, captures: Vec<LiveCapture>) -> Outcome {
        if self.args.verbose {
            let interfaces = self.args.interface.join(", ");
            self.messages.say(format_args!("capturing {}", Printable(&interfaces)));
        }
        let ends_at = self.args.duration.and_then(|duration| self.started.checked_add(duration));
        let limits = Limits::new(self.count.clone(), ends_at, self.signals.clone());
        let mut sources = captures.into_iter().map(|capture| Limited::new(capture, limits.clone()));
        let events = match sources.next() {
            Some(source) if sources.len() == 0 => self.pipeline.analyze(source),
            first => self.pipeline.analyze_shards(first.into_iter().chain(sources)),
        };
        let mut outcome = self.analyze(events);
        if self.outputs.end(&mut self.totals) {
            outcome.add(Outcome::OutputFailed);
        }
        if let Some(interrupted) = self.signals.interrupted() {
            outcome.add(interrupted);
        }
        // As a reader that went away has all it wants, it is not told what came after.
        if !self.args.quiet && !self.outputs.was_left() {
            self.say_summary(&self.totals);
        }
        outcome
    }

    /// Takes events until there are no more.
    fn analyze(&mut self, mut events: Events<Event>) -> Outcome {
        let mut outcome = Outcome::Success;
        let stopper = events.stopper();
        let (mut said, mut are_all_removed) = (String::new(), false);
        self.outputs.begin(None);
        loop {
            match events.step() {
                Ok(Step::Event(event)) => {
                    self.totals.counted.count(&event);
                    self.outputs.event(&event);
                }
                Ok(Step::Idle) => self.on_idle(&events),
                Ok(Step::End) => break,
                Err(error) => {
                    are_all_removed |= matches!(error, SourceError::Removed { .. });
                    // Each of several sockets of an interface fails when that is removed.
                    let failure = failure_of(&error);
                    if failure != said {
                        self.messages.error(Printable(&failure));
                        said = failure;
                    }
                    outcome.add(Outcome::of_analysis(&error));
                }
            }
            if self.outputs.is_closed() {
                stopper.stop();
            }
        }
        let stats = events.stats();
        self.totals.add(&stats);
        self.outputs.input(&stats.source);
        self.say_removed(self.totals.live.removed);
        if are_all_removed {
            self.totals.live.removed = self.totals.interfaces;
        }
        if self.totals.live.removed > 0 {
            outcome.add(Outcome::Damaged);
        }
        outcome
    }

    /// Writes what has been found, and says what is asked for.
    fn on_idle(&mut self, events: &Events<Event>) {
        let mut totals = self.totals.with(&events.stats());
        totals.dropped = self.outputs.dropped();
        self.say_removed(totals.live.removed);
        if self.signals.takes_summary() {
            self.say_summary(&totals);
        }
        if self.signals.takes_stats() {
            self.outputs.stats(&totals);
        }
        if let Some(counters) = &self.counters {
            counters.set(totals);
        }
        self.outputs.flush();
        self.outputs.look_for_reader();
    }

    /// Says that interfaces were removed, when there are more of them than before. The run goes on with the others.
    fn say_removed(&mut self, removed: u64) {
        if removed > self.removed {
            let all = self.args.interface.len();
            self.messages.error(format_args!("{removed} of {all} interfaces removed"));
            self.removed = removed;
        }
    }

    fn say_summary(&self, totals: &Totals) {
        self.messages.say(totals.summary(self.started.elapsed()));
    }
}

/// Opens the interfaces, once for each thread that is to read them.
fn open(args: &LiveArgs, messages: &Messages) -> Result<Vec<LiveCapture>, Outcome> {
    let options = LiveOptions::default()
        .with_snaplen(args.snaplen)
        .with_promiscuous(!args.no_promisc)
        .with_buffer_len(args.buffer);
    let interfaces: Vec<_> = args.interface.iter().map(String::as_str).collect();
    LiveCapture::open_group(&interfaces, args.fanout, &options).map_err(|error| {
        match &error {
            SourceError::Capture { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                messages.error("no permission to capture; this gives it to whoever may run the command:");
                messages.say(format_args!("  sudo setcap cap_net_raw=eip {}", this_command()));
            }
            SourceError::NoInterface { .. } => {
                let told = format!("{}; `huginn-net ifaces` lists them", failure_of(&error));
                messages.error(Printable(&told));
            }
            _ => messages.error(Printable(&failure_of(&error))),
        }
        Outcome::NotOpened
    })
}

/// Looks up the user of `--user`.
fn find(name: &str, messages: &Messages) -> Result<User, Outcome> {
    User::find(name).map_err(|error| {
        messages.error(format_args!("--user: {error}"));
        Outcome::Usage
    })
}

/// Listens for those who ask for counters.
fn listen(address: SocketAddr, messages: &Messages) -> Result<Server, Outcome> {
    Server::bind(address).map_err(|error| {
        messages.failed(format_args!("metrics at {address}"), &error);
        Outcome::OutputFailed
    })
}

/// Answers those who ask for counters, from now on.
fn serve(server: Server, verbose: bool, messages: &Messages) -> Result<Counters, Outcome> {
    let counters = Counters::default();
    let served = server.address().and_then(|address| {
        if verbose {
            messages.say(format_args!("metrics at http://{address}/metrics"));
        }
        server.serve(counters.clone())
    });
    served.map(|()| counters).map_err(|error| {
        messages.failed("metrics", &error);
        Outcome::OutputFailed
    })
}

/// The path of this command, as a shell takes it.
fn this_command() -> String {
    let path = std::env::current_exe().map_or_else(|_| "huginn-net".to_owned(), |path| shown(&path));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}
