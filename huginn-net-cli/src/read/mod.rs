//! `huginn-net read`: captures in, records out.

mod files;
mod side_by_side;
mod turns;

use std::fs;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use huginn_net::source::Compression;
use huginn_net::{CaptureFile, Event, Events, HuginnNet, Source, SourceError, SourceStats, Stats, Step};

use self::files::{find_inputs, place_of, without_targets};
use crate::args::{ReadArgs, When};
use crate::count::Count;
use crate::exit::{Ended, Outcome};
use crate::inputs::Input;
use crate::messages::{Messages, describe_damage, failure_of, shown};
use crate::output::{InUse, OutputSpec, Outputs, open_all};
use crate::progress::Progress;
use crate::signals::{Hangup, Signals};
use crate::source::{InputReader, Limited, SoFar};
use crate::totals::{Counted, Totals};
use crate::{analysis, lock};

/// Places of damage that are named of one capture.
const MAX_DAMAGE_NAMED: usize = 8;

/// Length of a capture from which on several threads are about as quick as one, with starting them.
const WORTH_THREADS: u64 = 2 << 20;

/// What is wrong with an output, behind its name.
const NO_OUTPUT: &str = "is a capture to be read, not an output";

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
    alone: Arc<HuginnNet>,
    /// Analyzes in several, if that is asked for.
    pool: Option<HuginnNet>,
    /// How many these are.
    workers: Option<usize>,
    around: Around,
    messages: &'a Messages,
    progress: &'a Progress,
    totals: Totals,
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
            alone: Arc::new(analysis::pipeline(settings.clone(), filter.clone(), None)),
            pool: pool.map(|pool| analysis::pipeline(settings, filter.clone(), Some(pool))),
            workers: pool.map(|pool| pool.workers),
            around: Around {
                outputs: Arc::new(Mutex::new(outputs)),
                signals,
                progress: progress.clone(),
                so_far: Arc::new(SoFar::new(started, messages.clone())),
            },
            messages,
            progress,
            totals: Totals::default(),
            outcome,
            count: Count::new(args.count, filter),
            started,
            quiet: args.quiet,
            verbose: args.verbose,
        };
        Ok((run, inputs))
    }

    fn outputs(&self) -> MutexGuard<'_, Outputs> {
        lock(&self.around.outputs)
    }

    fn read_all(&mut self, inputs: &[Input]) -> Outcome {
        let size = |input: &Input| fs::metadata(input.path()?).ok().filter(fs::Metadata::is_file);
        let sizes: Option<Vec<u64>> = inputs.iter().map(|input| Some(size(input)?.len())).collect();
        if let Some(sizes) = &sizes {
            self.progress.expect(sizes.iter().sum());
        }
        match self.threads_side_by_side(sizes.as_deref()) {
            Some(threads) if self.read_side_by_side(inputs, threads).is_ok() => {}
            // There is no thread to be had.
            Some(_) => {
                self.pool = None;
                self.read_one_by_one(inputs);
            }
            None => self.read_one_by_one(inputs),
        }
        self.progress.finish();

        if self.end_outputs() {
            self.outcome.add(Outcome::OutputFailed);
        }
        if let Some(interrupted) = self.around.signals.interrupted() {
            self.outcome.add(interrupted);
        }
        // As a reader that went away has all it wants, it is not told what came after.
        if !self.outputs().was_left() {
            self.say_passed_over();
            let has_read = self.totals.captures + self.totals.passed_over > 0;
            if has_read && !self.quiet {
                self.messages.say(self.totals.summary(self.started.elapsed()));
            }
        }
        self.outcome
    }

    /// Says how many files that were found are no captures. They may be captures whose beginning was lost.
    fn say_passed_over(&mut self) {
        match (self.totals.passed_over, self.totals.captures) {
            (0, _) => return,
            (_, 0) => self.messages.error("no file was a capture"),
            (1, _) => self.messages.error("1 file of a directory is no capture"),
            (more, _) => self.messages.error(format_args!("{more} files of directories are no captures")),
        }
        self.outcome.add(Outcome::Damaged);
    }

    /// Writes what is left to be written; whether any output failed.
    fn end_outputs(&mut self) -> bool {
        lock(&self.around.outputs).end(&mut self.totals)
    }

    /// By how many threads several captures are read at a time, if they are: where none of them has more than three fifths of all
    /// bytes, so that it is not one thread that reads on while the others have nothing left to do. What comes from a pipe,
    /// whose size is not known, is told when it comes, and packets are counted in one order.
    fn threads_side_by_side(&self, sizes: Option<&[u64]>) -> Option<usize> {
        let workers = self.workers.filter(|_| !self.count.is_limited())?;
        let sizes = sizes.filter(|sizes| sizes.len() > 1)?;
        let (all, largest) = (sizes.iter().sum::<u64>(), sizes.iter().max()?);
        (u128::from(*largest) * 5 <= u128::from(all) * 3).then(|| workers.min(sizes.len()))
    }

    fn read_one_by_one(&mut self, inputs: &[Input]) {
        for (done, input) in inputs.iter().enumerate() {
            let is_interrupted = self.around.signals.interrupted().is_some();
            if self.count.is_used_up() || is_interrupted || self.outputs().is_closed() {
                break;
            }
            self.progress.on_file(done, inputs.len());
            self.read(input);
        }
    }

    /// Reads a capture in its turn.
    fn read(&mut self, input: &Input) {
        let end = match self.around.open(input) {
            Ok(opened) => End::Read(Box::new(self.analyze(opened, input))),
            Err(end) => end,
        };
        self.on_end(input, end);
    }

    /// Analyzes a capture to its end, and writes what is found at once.
    fn analyze(&self, opened: Opened, input: &Input) -> Analyzed {
        let Opened { capture, len, may_wait } = opened;
        let shared = Arc::clone(&self.around.outputs);
        let mut outputs = Hold::of(&shared, may_wait);
        let is_small = is_small(len, capture.stats());
        let pipeline = self.pool.as_ref().filter(|_| !is_small).unwrap_or(&self.alone);
        let events = pipeline.analyze(self.around.limited(capture, &self.count));
        outputs.with(|outputs| outputs.begin(input.path()));
        let mut taker = AtOnce { outputs, counted: Counted::default(), run: self };
        let (stats, failure) = take(events, &self.around.signals, &mut taker);
        Analyzed { counted: taker.counted, stats, failure }
    }

    /// Takes what is left of a capture behind its records.
    fn on_end(&mut self, input: &Input, end: End) {
        let name = input.path().map_or_else(|| "standard input".to_owned(), shown);
        match end {
            End::NotOpened(error) => {
                self.messages.failed(name, &error);
                self.outcome.add(Outcome::NotOpened);
            }
            End::NoCapture(_) if self.is_ended() => {}
            End::NoCapture(error) => self.on_no_capture(input, &name, &error),
            End::Read(analyzed) => self.on_analyzed(&analyzed, &name),
        }
    }

    /// Whether a source fails because the run is over.
    fn is_ended(&self) -> bool {
        self.around.signals.interrupted().is_some() || self.outputs().is_closed()
    }

    fn on_no_capture(&mut self, input: &Input, name: &str, error: &SourceError) {
        let is_something_else = matches!(
            error,
            SourceError::UnknownFormat { .. } | SourceError::OtherFormat { .. } | SourceError::Empty
        );
        if is_something_else && matches!(input, Input::Found(_)) {
            self.totals.passed_over += 1;
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

    fn on_analyzed(&mut self, analyzed: &Analyzed, name: &str) {
        let Analyzed { counted, stats, failure } = analyzed;
        if let Some(error) = failure.as_ref().filter(|_| !self.is_ended()) {
            self.on_source_error(name, error);
            self.outcome.add(Outcome::of_analysis(error));
        }
        self.totals.counted.add(counted);
        self.totals.add(stats);
        self.around.so_far.set(self.totals.clone());
        self.outputs().input(&stats.source);
        self.on_stats(stats, name);
    }

    /// Says what a capture was, and where it is damaged.
    fn on_stats(&mut self, stats: &Stats, name: &str) {
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

/// What all captures of a run are read with.
#[derive(Clone)]
struct Around {
    outputs: Arc<Mutex<Outputs>>,
    signals: Signals,
    progress: Progress,
    so_far: Arc<SoFar>,
}

/// A capture whose beginning has been read.
struct Opened {
    capture: CaptureFile,
    /// How long its file is, if it is one.
    len: Option<u64>,
    /// Whether its reader waits for bytes, and needs the outputs then.
    may_wait: bool,
}

/// What is told of a capture behind its records.
enum End {
    NotOpened(io::Error),
    NoCapture(SourceError),
    Read(Box<Analyzed>),
}

/// What became of a capture.
struct Analyzed {
    /// The events that were taken.
    counted: Counted,
    stats: Stats,
    /// Why it could not be read to its end.
    failure: Option<SourceError>,
}

impl Around {
    fn open(&self, input: &Input) -> Result<Opened, End> {
        let file = files::open(input).map_err(End::NotOpened)?;
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
        let capture = reader.capture().map_err(End::NoCapture)?;
        Ok(Opened { capture, len, may_wait })
    }

    fn limited(&self, capture: CaptureFile, count: &Count) -> Limited {
        let (signals, progress) = (self.signals.clone(), self.progress.clone());
        Limited::new(capture, count.counter(), signals, progress, self.so_far.clone())
    }
}

/// Who takes the events of a capture.
trait Taker {
    /// Takes an event; whether no more are wanted.
    fn on_event(&mut self, event: &Event) -> bool;

    /// Does what is to be done when there are none for the moment.
    fn on_idle(&mut self, events: &Events<Event>);
}

/// Takes events until there are no more. Gives what was done, and why the capture could not be read to its end.
fn take(
    mut events: Events<Event>,
    signals: &Signals,
    taker: &mut impl Taker,
) -> (Stats, Option<SourceError>) {
    let stopper = events.stopper();
    let mut failure = None;
    loop {
        let step = events.step();
        // Events are large, and looked at where they lie.
        match &step {
            Ok(Step::Event(event)) => {
                if taker.on_event(event) {
                    stopper.stop();
                }
            }
            Ok(Step::Idle) => {
                if signals.interrupted().is_some() {
                    stopper.stop();
                }
                taker.on_idle(&events);
            }
            Ok(Step::End) => return (events.stats(), failure),
            Err(_) => failure = step.err(),
        }
    }
}

/// Writes events when they are found.
struct AtOnce<'a> {
    outputs: Hold<'a>,
    counted: Counted,
    run: &'a Run<'a>,
}

impl Taker for AtOnce<'_> {
    #[inline]
    fn on_event(&mut self, event: &Event) -> bool {
        self.counted.count(event);
        self.outputs.with(|outputs| {
            outputs.event(event);
            outputs.is_closed()
        })
    }

    fn on_idle(&mut self, events: &Events<Event>) {
        let Around { signals, so_far, .. } = &self.run.around;
        let stats = events.stats();
        let mut totals = self.run.totals.with(&stats);
        totals.counted.add(&self.counted);
        so_far.set(totals);
        if stats.pool.is_some() {
            // Another thread reads. Otherwise it is written before the next packet is waited for.
            self.outputs.with(Outputs::flush);
        }
        if signals.takes_summary() {
            so_far.say();
        }
        if signals.takes_stats() {
            self.outputs.with(|outputs| so_far.write(outputs));
        }
    }
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
