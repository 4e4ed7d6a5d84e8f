//! What is written: formats, and where their records go.

mod address;
#[cfg(test)]
mod alike;
mod answers;
mod clock;
mod json;
mod kept;
mod number;
mod places;
mod room;
mod sink;
mod stacks;
mod text;

use core::fmt;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, PathBufValueParser, TypedValueParser};
use huginn_net::{Distance, Event, SourceStats, Stack};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

pub(crate) use self::answers::{Answers, line};
pub use self::json::Json;
pub(crate) use self::json::{client_hello, known_client, where_read};
pub(crate) use self::places::{InUse, SIGNATURES, name_of, open_all};
use self::sink::{Pieces, Sink};
use self::text::Text;
use crate::args::When;
use crate::exit::Outcome;
use crate::messages::Messages;
use crate::totals::Totals;

/// JSON Schema of the records of `-o json`.
pub(crate) const SCHEMA: &str = include_str!("schema.json");

/// A format of records. Each method appends whole lines, or nothing where the format has no such record.
pub(crate) trait Format: Send {
    /// Says that what follows comes from this capture; `None` for standard input.
    fn begin(&mut self, capture: Option<&Path>);

    /// An event.
    fn event(&mut self, event: &Event, lines: &mut Vec<u8>);

    /// The end of a capture.
    fn input(&mut self, stats: &SourceStats, lines: &mut Vec<u8>);

    /// The end of the run.
    fn stats(&mut self, totals: &Totals, lines: &mut Vec<u8>);
}

/// The argument of `-o`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputSpec {
    format: FormatName,
    /// `None` for standard output.
    pub(crate) path: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormatName {
    Text,
    Json,
}

impl OutputSpec {
    /// Reads arguments; a path is any bytes.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        OsStringValueParser::new().try_map(|argument| Self::parse(argument.as_bytes()))
    }

    fn parse(argument: &[u8]) -> Result<Self, String> {
        let mut parts = argument.splitn(2, |&byte| byte == b':');
        let format = match parts.next() {
            Some(b"text") => FormatName::Text,
            Some(b"json") => FormatName::Json,
            _ => return Err("there are the formats text and json".to_owned()),
        };
        match parts.next() {
            None => Ok(Self { format, path: None }),
            Some(b"") => Err("the path after the colon is missing".to_owned()),
            Some(path) => Ok(Self::to(format, OsStr::from_bytes(path))),
        }
    }

    /// Reads paths to which text goes.
    pub(crate) fn text_parser() -> impl TypedValueParser<Value = Self> {
        PathBufValueParser::new().map(|path| Self::to(FormatName::Text, path.as_os_str()))
    }

    /// Output to a path, of which `-` is standard output.
    fn to(format: FormatName, path: &OsStr) -> Self {
        Self { format, path: (path != "-").then(|| path.into()) }
    }

    /// Whether records appear on a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.path.is_none() && io::stdout().is_terminal()
    }

    /// Opens the output. A file keeps what it has until [`Target::start`].
    pub(crate) fn open(&self) -> io::Result<Target> {
        let file = match &self.path {
            Some(path) => OpenOptions::new().write(true).create(true).truncate(false).open(path)?,
            None => io::stdout().as_fd().try_clone_to_owned()?.into(),
        };
        Ok(Target { spec: self.clone(), place: Place::of(&file)?, file })
    }
}

/// Where a file lies, by whatever name it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    device: u64,
    node: u64,
}

impl Place {
    /// The place of a file or a pipe; `None` for a terminal and other devices, which nobody can overwrite.
    pub(crate) fn of(file: &File) -> io::Result<Option<Self>> {
        Ok(Self::by(&file.metadata()?))
    }

    /// As [`Place::of`].
    pub(crate) fn by(metadata: &Metadata) -> Option<Self> {
        let kind = metadata.file_type();
        let place = Self { device: metadata.dev(), node: metadata.ino() };
        (kind.is_file() || kind.is_fifo()).then_some(place)
    }
}

/// An output that has been opened, and into which nothing has been written.
pub(crate) struct Target {
    pub(crate) spec: OutputSpec,
    pub(crate) place: Option<Place>,
    file: File,
}

impl Target {
    /// Makes a file empty and takes what comes.
    pub(crate) fn start(self, color: When, messages: &Messages) -> io::Result<Output> {
        let spec = &self.spec;
        let colored = match color {
            When::Always => spec.path.is_none(),
            When::Never => false,
            When::Auto => spec.path.is_none() && shows_color(),
        };
        let written = Written { format: spec.format, colored };
        let is_stdout = spec.path.is_none();
        Ok(Output { written, format: written.start(), is_stdout, sink: self.into_sink(messages)? })
    }

    /// As [`start`](Self::start), for who brings a format of their own.
    fn into_sink(self, messages: &Messages) -> io::Result<Sink> {
        let Self { spec, file, .. } = self;
        let name = name_of(&spec);
        if spec.is_terminal() {
            return Ok(Sink::new(name, BesideBar { messages: messages.clone() }, Pieces::RECORDS));
        }
        let metadata = file.metadata()?;
        // ext4 writes a file out when it is closed if it was cut to nothing, even if it had nothing.
        if spec.path.is_some() && metadata.is_file() && metadata.len() > 0 {
            file.set_len(0)?;
        }
        let pieces = if metadata.is_file() { Pieces::OF_FILE } else { Pieces::OF_STREAM };
        Ok(Sink::new(name, file, pieces))
    }
}

/// Whether standard output is a terminal that shows colors, as far as the environment tells (<https://no-color.org>).
pub(crate) fn shows_color() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_able = !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb");
    is_able && io::stdout().is_terminal()
}

/// Standard output on a terminal that may show a progress bar, too.
struct BesideBar {
    messages: Messages,
}

impl Write for BesideBar {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.messages.beside_bar(|| io::stdout().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// How records are written.
#[derive(Clone, Copy)]
struct Written {
    format: FormatName,
    colored: bool,
}

impl Written {
    fn start(self) -> Box<dyn Format> {
        match self.format {
            FormatName::Text => Box::new(Text::new(self.colored)),
            FormatName::Json => Box::<Json>::default(),
        }
    }
}

/// One format and where it goes.
pub(crate) struct Output {
    written: Written,
    format: Box<dyn Format>,
    is_stdout: bool,
    sink: Sink,
}

/// All outputs of a run.
pub(crate) struct Outputs {
    outputs: Vec<Output>,
    messages: Messages,
    failed: bool,
    /// Records that came after their output had failed.
    dropped: u64,
}

impl Outputs {
    /// Makes files empty and takes what comes. What is wrong has been said when this fails.
    pub(crate) fn start(targets: Vec<Target>, color: When, messages: &Messages) -> Result<Self, Outcome> {
        let mut outputs = Vec::new();
        for target in targets {
            let name = name_of(&target.spec);
            outputs.push(target.start(color, messages).map_err(|error| {
                messages.failed(name, &error);
                Outcome::OutputFailed
            })?);
        }
        Ok(Self { outputs, messages: messages.clone(), failed: false, dropped: 0 })
    }

    /// Says that what follows comes from this capture; `None` for standard input.
    pub(crate) fn begin(&mut self, capture: Option<&Path>) {
        for output in &mut self.outputs {
            output.format.begin(capture);
        }
    }

    /// Writes an event.
    pub(crate) fn event(&mut self, event: &Event) {
        self.write(|format, lines| format.event(event, lines));
    }

    /// The formats of all outputs, for who writes records elsewhere and [appends](Self::append) them.
    pub(crate) fn formats(&self) -> Vec<Box<dyn Format>> {
        self.outputs.iter().map(|output| output.written.start()).collect()
    }

    /// Writes records that are lines already, of each output its own.
    pub(crate) fn append(&mut self, records: &[Vec<u8>]) {
        for (Output { sink, .. }, records) in self.outputs.iter_mut().zip(records) {
            if !sink.is_open() {
                self.dropped += if sink.has_failed() { sink::count(records) } else { 0 };
                continue;
            }
            let written = sink.append(records);
            self.failed |= has_failed(written, sink, &self.messages);
        }
    }

    /// Writes the end of a capture.
    pub(crate) fn input(&mut self, stats: &SourceStats) {
        self.write(|format, lines| format.input(stats, lines));
    }

    /// Writes the end of the run.
    pub(crate) fn stats(&mut self, totals: &Totals) {
        self.write(|format, lines| format.stats(totals, lines));
    }

    #[inline]
    fn write(&mut self, mut record: impl FnMut(&mut dyn Format, &mut Vec<u8>)) {
        for Output { format, sink, .. } in &mut self.outputs {
            if !sink.is_open() {
                self.dropped += u64::from(sink.has_failed());
                continue;
            }
            record(format.as_mut(), sink.lines());
            let written = sink.after_record();
            self.failed |= has_failed(written, sink, &self.messages);
        }
    }

    /// Writes what is held back.
    pub(crate) fn flush(&mut self) {
        for Output { sink, .. } in &mut self.outputs {
            let written = sink.flush();
            self.failed |= has_failed(written, sink, &self.messages);
        }
    }

    /// Writes what is held back, and statistics behind it, which count what could not be written of that. Behind it, all that
    /// could not be written is in the totals. Whether any output has failed.
    pub(crate) fn end(&mut self, totals: &mut Totals) -> bool {
        self.flush();
        totals.dropped = self.dropped();
        self.stats(totals);
        self.flush();
        totals.dropped = self.dropped();
        self.has_failed()
    }

    /// Finds out whether standard output is a pipe whose reader went away, which only who writes is told. An output with a path may
    /// be a pipe with a name, and have another reader soon.
    pub(crate) fn look_for_reader(&mut self) {
        let stdout = io::stdout();
        let mut polled = [PollFd::new(&stdout, PollFlags::empty())];
        let told = poll(&mut polled, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        // A terminal that went away has hung up, too, which is an error.
        let is_left = |polled: &PollFd<'_>| {
            polled.revents().contains(PollFlags::ERR) && !polled.revents().contains(PollFlags::HUP)
        };
        if told.is_ok() && polled.iter().any(is_left) {
            let written = self.outputs.iter_mut().filter(|output| output.is_stdout);
            written.for_each(|output| output.sink.close());
        }
    }

    /// Whether nobody reads what is written.
    pub(crate) fn is_closed(&self) -> bool {
        self.outputs.iter().all(|output| !output.sink.is_open())
    }

    /// Whether nobody reads what is written, because all who did went away.
    pub(crate) fn was_left(&self) -> bool {
        self.is_closed() && !self.failed
    }

    /// Whether an output failed, other than by having been closed by its reader.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Records that were not written because their output had failed.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped + self.outputs.iter().map(|output| output.sink.lost()).sum::<u64>()
    }
}

/// Whether writing to an output has failed; says so.
fn has_failed(written: io::Result<()>, sink: &Sink, messages: &Messages) -> bool {
    written.inspect_err(|error| messages.failed(sink.name(), error)).is_err()
}

/// The distance to the sender, unless it is a guess that nobody should believe.
fn known_distance(stack: &Stack) -> Option<Distance> {
    (stack.labels.os.is_some() || stack.observation.ttl_guess().is_plausible()).then_some(stack.distance)
}

/// A measured value, to a thousandth.
fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

/// Appends what something displays as.
fn append(lines: &mut Vec<u8>, text: impl fmt::Display) {
    struct Lines<'a>(&'a mut Vec<u8>);

    impl fmt::Write for Lines<'_> {
        #[inline]
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.extend_from_slice(text.as_bytes());
            Ok(())
        }
    }

    // A vector takes everything. Other than its `io::Write`, this needs no adapter that keeps errors.
    let _ = fmt::Write::write_fmt(&mut Lines(lines), format_args!("{text}"));
}
