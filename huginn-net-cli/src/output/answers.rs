//! Outputs of commands that answer questions.

use super::sink::Sink;
use super::{FormatName, InUse, OutputSpec, name_of, open_all};
use crate::exit::Outcome;
use crate::messages::Messages;

/// Adds a line to the text of an answer.
macro_rules! line {
    ($text:expr) => {
        $text.push('\n')
    };
    ($text:expr, $($what:tt)*) => {{
        use core::fmt::Write as _;
        // A string takes everything.
        let _ = writeln!($text, $($what)*);
    }};
}

pub(crate) use line;

/// Outputs that take answers, each in its format.
pub(crate) struct Answers<'a> {
    sinks: Vec<(FormatName, Sink)>,
    messages: &'a Messages,
    outcome: Outcome,
}

impl<'a> Answers<'a> {
    /// Opens and empties the outputs. What is wrong has been said when this fails.
    pub(crate) fn open(
        specs: &[OutputSpec],
        in_use: &InUse,
        messages: &'a Messages,
    ) -> Result<Self, Outcome> {
        let mut sinks = Vec::new();
        for target in open_all(specs, in_use, messages)? {
            let (name, format) = (name_of(&target.spec), target.spec.format);
            let sink = target.into_sink(messages).map_err(|error| {
                messages.failed(name, &error);
                Outcome::OutputFailed
            })?;
            sinks.push((format, sink));
        }
        Ok(Self { sinks, messages, outcome: Outcome::Success })
    }

    /// Writes an answer, which ends with a line end, to each output.
    pub(crate) fn write(&mut self, text: impl Fn() -> String, json: impl Fn() -> Vec<u8>) {
        for (format, sink) in &mut self.sinks {
            if !sink.is_open() {
                continue;
            }
            let answer = match format {
                FormatName::Text => text().into_bytes(),
                FormatName::Json => json(),
            };
            sink.lines().extend_from_slice(&answer);
            let written = sink.after_record();
            check(sink, written, self.messages, &mut self.outcome);
        }
    }

    /// Writes the same text to each output, whatever its format.
    pub(crate) fn write_text(&mut self, text: &str) {
        for (_, sink) in self.sinks.iter_mut().filter(|(_, sink)| sink.is_open()) {
            sink.lines().extend_from_slice(text.as_bytes());
            let written = sink.after_record();
            check(sink, written, self.messages, &mut self.outcome);
        }
    }

    /// Whether nobody reads the answers any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.sinks.iter().all(|(_, sink)| !sink.is_open())
    }

    /// Writes what is held back, and tells how it went.
    pub(crate) fn finish(mut self) -> Outcome {
        for (_, sink) in &mut self.sinks {
            let written = sink.flush();
            check(sink, written, self.messages, &mut self.outcome);
        }
        self.outcome
    }
}

fn check(sink: &Sink, written: std::io::Result<()>, messages: &Messages, outcome: &mut Outcome) {
    if let Err(error) = written {
        messages.failed(sink.name(), &error);
        outcome.add(Outcome::OutputFailed);
    }
}
