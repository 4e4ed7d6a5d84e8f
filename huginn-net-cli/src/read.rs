//! `huginn-net read`: captures in, records out.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Read as _};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use huginn_net::source::Compression;
use huginn_net::{CaptureFile, Event, Events, HuginnNet, Source, SourceError, SourceStats, Stats, Step};
use rustix::fs::OFlags;

use crate::args::{ReadArgs, When};
use crate::count::Count;
use crate::exit::{Ended, Outcome};
use crate::inputs::{self, Input};
use crate::messages::{Messages, describe_damage, failure_of, shown};
use crate::output::{InUse, OutputSpec, Outputs, Place, Target, name_of, open_all};
use crate::progress::Progress;
use crate::signals::{Hangup, Signals};
use crate::source::{InputReader, Limited, SoFar};
use crate::totals::Totals;
use crate::{analysis, lock};

/// Places of damage that are named of one capture.
const MAX_DAMAGE_NAMED: usize = 8;

/// Length of a capture from which on several threads are quicker than one, with starting them: between 100 and 200 KiB where
/// there are two, more where there are more.
const WORTH_THREADS: u64 = 256 << 10;

/// What is wrong with an output, behind its name.
const NO_OUTPUT: &str = "is a capture to be read, not an output";
/// What is wrong with an output that was found where captures are, and was no output before.
const NOT_OURS: &str = "holds something else than records, and is not written over";

/// Runs the command.
pub(crate) fn run(args: &ReadArgs) -> Ended {
    let progress = if shows_progress(args) { Progress::shown() } else { Progress::hidden() };
    let messages = Messages::beside(progress.bar());
    let prepared = Run::prepare(args, &progress, &messages);
    let ended = prepared.map(|(mut run, inputs)| run.read_all(&inputs));
    progress.finish();
    ended
}

fn shows_progress(args: &ReadArgs) -> bool {
    let is_wanted = match args.progress {
        When::Auto => !args.output.iter().any(OutputSpec::is_terminal),
        When::Always => true,
        When::Never => false,
    };
    is_wanted && !args.quiet && io::stderr().is_terminal()
}

/// A run of the command.
struct Run<'a> {
    /// Analyzes in this thread.
    alone: HuginnNet,
    /// Analyzes in several, if that is asked for.
    pool: Option<HuginnNet>,
    outputs: Arc<Mutex<Outputs>>,
    messages: &'a Messages,
    progress: &'a Progress,
    signals: Signals,
    totals: Totals,
    so_far: Arc<SoFar>,
    outcome: Outcome,
    count: Count,
    started: Instant,
    quiet: bool,
    verbose: bool,
}

impl<'a> Run<'a> {
    /// Opens signatures and outputs and finds the captures. What is wrong has been said when this fails.
    fn prepare(
        args: &ReadArgs,
        progress: &'a Progress,
        messages: &'a Messages,
    ) -> Result<(Self, Vec<Input>), Outcome> {
        let filter = analysis::filter(&args.analysis, messages)?;
        let settings = analysis::settings(&args.analysis, args.verbose, messages)?;
        let (inputs, outcome) = find_inputs(args, messages)?;
        let mut in_use = InUse::default();
        let named = inputs.iter().filter(|input| !input.is_found());
        in_use.add(named.filter_map(place_of), NO_OUTPUT);
        in_use.add_signatures(&args.analysis.signatures.db);
        let targets = open_all(&args.output, &in_use, messages)?;
        let inputs = without_targets(inputs, &targets, args.verbose, messages)?;
        let outputs = Outputs::start(targets, args.color, messages)?;
        let signals = Signals::start(args.analysis.stats_interval, Hangup::of_process(), messages)?;

        let started = Instant::now();
        let pool = args.analysis.jobs.pool();
        let run = Self {
            alone: analysis::pipeline(settings.clone(), filter.clone(), None),
            pool: pool.map(|pool| analysis::pipeline(settings, filter.clone(), Some(pool))),
            outputs: Arc::new(Mutex::new(outputs)),
            messages,
            progress,
            signals,
            totals: Totals::default(),
            so_far: Arc::new(SoFar::new(started, messages.clone())),
            outcome,
            count: Count::new(args.count, filter),
            started,
            quiet: args.quiet,
            verbose: args.verbose,
        };
        Ok((run, inputs))
    }

    fn outputs(&self) -> MutexGuard<'_, Outputs> {
        lock(&self.outputs)
    }

    fn read_all(&mut self, inputs: &[Input]) -> Outcome {
        let sizes = inputs.iter().map(|input| fs::metadata(input.path()?).ok().filter(fs::Metadata::is_file));
        if let Some(bytes) = sizes.map(|metadata| metadata.map(|metadata| metadata.len())).sum() {
            self.progress.expect(bytes);
        }
        for (done, input) in inputs.iter().enumerate() {
            if self.count.is_used_up() || self.signals.interrupted().is_some() || self.outputs().is_closed() {
                break;
            }
            self.progress.on_file(done, inputs.len());
            self.read(input);
        }
        self.progress.finish();

        if self.end_outputs() {
            self.outcome.add(Outcome::OutputFailed);
        }
        if let Some(interrupted) = self.signals.interrupted() {
            self.outcome.add(interrupted);
        }
        match (self.totals.passed_over, self.totals.captures) {
            (0, _) => {}
            (_, 0) => self.messages.error("no file was a capture"),
            (1, _) => self.messages.error("1 file of a directory is no capture"),
            (more, _) => self.messages.error(format_args!("{more} files of directories are no captures")),
        }
        let has_read = self.totals.captures + self.totals.passed_over > 0;
        // As a reader that went away has all it wants, it is not told what came after.
        if has_read && !self.quiet && !self.outputs().was_left() {
            self.messages.say(self.totals.summary(self.started.elapsed()));
        }
        self.outcome
    }

    /// Writes what is left to be written; whether any output failed.
    fn end_outputs(&mut self) -> bool {
        let mut outputs = lock(&self.outputs);
        self.totals.dropped = outputs.dropped();
        outputs.stats(&self.totals);
        outputs.flush();
        outputs.has_failed()
    }

    fn read(&mut self, input: &Input) {
        let name = input.path().map_or_else(|| "standard input".to_owned(), shown);
        let file = match open(input) {
            Ok(file) => file,
            Err(error) => {
                self.messages.failed(name, &error);
                self.outcome.add(Outcome::NotOpened);
                return;
            }
        };
        let metadata = file.metadata();
        let len = metadata.ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
        let reader = InputReader::new(
            file,
            self.outputs.clone(),
            self.signals.clone(),
            self.progress.clone(),
            self.so_far.clone(),
        );
        let may_wait = reader.may_wait();
        match reader.capture() {
            Ok(capture) => {
                let is_small = is_small(len, capture.stats());
                let opened = Opened { capture, may_wait, is_small, path: input.path(), name: &name };
                self.analyze(opened);
            }
            Err(_) if self.signals.interrupted().is_some() => {}
            Err(error) => self.on_no_capture(input, &name, &error),
        }
    }

    fn on_no_capture(&mut self, input: &Input, name: &str, error: &SourceError) {
        let is_something_else = matches!(
            error,
            SourceError::UnknownFormat { .. } | SourceError::OtherFormat { .. } | SourceError::Empty
        );
        if is_something_else && matches!(input, Input::Found(_)) {
            self.totals.passed_over += 1;
            // It may be a capture whose beginning was lost.
            self.outcome.add(Outcome::Damaged);
            if self.verbose {
                self.messages.say(format_args!("{name}: passed over, {error}"));
            }
            return;
        }
        // A capture whose first bytes are damaged is not to be told from something else, and was opened.
        self.outcome.add(Outcome::of(error));
        self.on_source_error(name, error);
    }

    fn on_source_error(&self, name: &str, error: &SourceError) {
        self.messages.error(format_args!("{name}: {}", failure_of(error)));
    }

    /// Reads a capture to its end.
    fn analyze(&mut self, opened: Opened<'_>) {
        let Opened { capture, may_wait, is_small, path, name } = opened;
        let shared = Arc::clone(&self.outputs);
        let mut outputs = Hold::of(&shared, may_wait);
        let pipeline = self.pool.as_ref().filter(|_| !is_small).unwrap_or(&self.alone);
        let (signals, progress) = (self.signals.clone(), self.progress.clone());
        let source = Limited::new(capture, self.count.counter(), signals, progress, self.so_far.clone());
        let mut events = pipeline.analyze(source);
        outputs.with(|outputs| outputs.begin(path));
        self.take(&mut events, &mut outputs, name);
        let stats = events.stats();
        self.totals.add(&stats);
        self.so_far.set(self.totals.clone());
        outputs.with(|outputs| outputs.input(&stats.source));
        self.on_end(&stats, name);
    }

    /// Takes events until there are no more.
    fn take(&mut self, events: &mut Events<Event>, outputs: &mut Hold<'_>, name: &str) {
        let stopper = events.stopper();
        loop {
            // Events are large, and looked at where they lie.
            match &events.step() {
                Ok(Step::Event(event)) => {
                    self.totals.count(event);
                    let is_closed = outputs.with(|outputs| {
                        outputs.event(event);
                        outputs.is_closed()
                    });
                    if is_closed {
                        stopper.stop();
                    }
                }
                Ok(Step::Idle) => {
                    if self.signals.interrupted().is_some() {
                        stopper.stop();
                    }
                    self.on_idle(events, outputs);
                }
                Ok(Step::End) => break,
                Err(_)
                    if self.signals.interrupted().is_some()
                        || outputs.with(|outputs| outputs.is_closed()) => {}
                Err(error) => {
                    self.on_source_error(name, error);
                    self.outcome.add(Outcome::Damaged);
                }
            }
        }
    }

    /// Writes what has been found, and says what is asked for.
    fn on_idle(&self, events: &Events<Event>, outputs: &mut Hold<'_>) {
        let stats = events.stats();
        self.so_far.set(self.totals.with(&stats));
        if stats.pool.is_some() {
            // Another thread reads. Otherwise it is written before the next packet is waited for.
            outputs.with(Outputs::flush);
        }
        if self.signals.takes_summary() {
            self.so_far.say();
        }
        if self.signals.takes_stats() {
            outputs.with(|outputs| self.so_far.write(outputs));
        }
    }

    /// Says what a capture was, and where it is damaged.
    fn on_end(&mut self, stats: &Stats, name: &str) {
        let source = &stats.source;
        if self.verbose {
            let format = source.format.map(|format| format!("{format}, ")).unwrap_or_default();
            let (packets, decoded) = (source.packets, stats.decode.decoded);
            self.messages.say(format_args!("{name}: {format}{packets} packets, {decoded} decoded"));
        }
        for damage in source.damage.iter().take(MAX_DAMAGE_NAMED) {
            self.messages.error(format_args!("{name}: {}", describe_damage(damage, source.format)));
        }
        let unnamed = source.damage_total.saturating_sub(MAX_DAMAGE_NAMED as u64);
        if unnamed > 0 {
            self.messages.error(format_args!("{name}: damaged in {unnamed} more places"));
        }
        if source.damage_total > 0 {
            self.outcome.add(Outcome::Damaged);
        }
    }
}

/// A capture whose beginning has been read.
struct Opened<'a> {
    capture: CaptureFile,
    /// Whether its reader waits for bytes, and needs the outputs then.
    may_wait: bool,
    /// Whether threads of its own would cost more than they spare.
    is_small: bool,
    path: Option<&'a Path>,
    name: &'a str,
}

/// Whether a capture is known to be small: by the length of its file, if it has one, and if that is not compressed.
fn is_small(len: Option<u64>, stats: &SourceStats) -> bool {
    let is_plain = stats.format.is_some_and(|format| format.compression == Compression::None);
    is_plain && len.is_some_and(|len| len < WORTH_THREADS)
}

/// Access to the outputs.
struct Hold<'a> {
    shared: &'a Mutex<Outputs>,
    /// While nobody else needs them.
    held: Option<MutexGuard<'a, Outputs>>,
}

impl<'a> Hold<'a> {
    /// They are locked for as long as a capture is read that never waits. To lock them for each event would cost as much as
    /// what is found in it: before a processor takes a lock it finishes all that it has begun to store.
    fn of(shared: &'a Mutex<Outputs>, may_wait: bool) -> Self {
        Self { shared, held: (!may_wait).then(|| lock(shared)) }
    }

    #[inline(always)]
    fn with<T>(&mut self, then: impl FnOnce(&mut Outputs) -> T) -> T {
        match &mut self.held {
            Some(outputs) => then(outputs),
            None => then(&mut lock(self.shared)),
        }
    }
}

/// The captures that the paths stand for, and how well these could be followed. What is wrong with them has been said.
fn find_inputs(args: &ReadArgs, messages: &Messages) -> Result<(Vec<Input>, Outcome), Outcome> {
    inputs::read_once(&args.paths, messages)?;
    let mut outcome = Outcome::Success;
    let mut inputs = Vec::new();
    for input in inputs::expand(&args.paths, args.recursive) {
        match input {
            Ok(input) => inputs.push(input),
            Err((path, reason)) => {
                messages.error(format_args!("{}: {reason}", shown(&path)));
                outcome.add(Outcome::NotOpened);
            }
        }
    }
    Ok((inputs, outcome))
}

/// Leaves out files that were found and are outputs, as those of the run before this one. Nobody means to write over anything
/// else that lies among captures.
fn without_targets(
    inputs: Vec<Input>,
    targets: &[Target],
    verbose: bool,
    messages: &Messages,
) -> Result<Vec<Input>, Outcome> {
    let found = inputs.len();
    let mut left = Vec::with_capacity(found);
    for input in inputs {
        let place = if input.is_found() { place_of(&input) } else { None };
        let target = targets.iter().find(|target| place.is_some() && target.place == place);
        match (target, input.path()) {
            (Some(target), _) if !is_written_anew(&input) => {
                messages.error(format_args!("{}: {NOT_OURS}", name_of(&target.spec)));
                return Err(Outcome::Usage);
            }
            (Some(_), Some(path)) => {
                if verbose {
                    messages.say(format_args!("{}: left out, as it is an output", shown(path)));
                }
            }
            _ => left.push(input),
        }
    }
    if left.is_empty() && found > 0 {
        messages.error("there is no file but those to be written");
        return Err(Outcome::NotOpened);
    }
    Ok(left)
}

/// Whether writing over a file loses nothing but what a run before wrote: it is empty, begins as records do, or is no regular
/// file.
fn is_written_anew(input: &Input) -> bool {
    let begin = |mut file: File| {
        let is_regular = file.metadata()?.is_file();
        let mut begin = Vec::new();
        if is_regular {
            file.by_ref().take(3).read_to_end(&mut begin)?;
        }
        io::Result::Ok(begin)
    };
    open(input).and_then(begin).is_ok_and(|begin| match *begin {
        [] | [b'{', b'"', ..] => true,
        // The time of day, in text.
        [tens, ones, b':'] => tens.is_ascii_digit() && ones.is_ascii_digit(),
        _ => false,
    })
}

fn open(input: &Input) -> io::Result<File> {
    match input.path() {
        // Without waiting for somebody who opens a named pipe to write, which no signal would end.
        Some(path) => {
            let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
            OpenOptions::new().read(true).custom_flags(flags).open(path)
        }
        // Without the buffer of `io::stdin`, so that waiting for the descriptor means waiting for bytes.
        None => Ok(io::stdin().as_fd().try_clone_to_owned()?.into()),
    }
}

/// Where a capture lies.
fn place_of(input: &Input) -> Option<Place> {
    match input.path() {
        Some(path) => Place::by(&fs::metadata(path).ok()?),
        None => Place::of(&open(input).ok()?).ok()?,
    }
}
