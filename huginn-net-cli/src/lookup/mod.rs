//! `huginn-net match`: what a fingerprint or signature is, whose it is, and what resembles it.

mod json;
mod text;

use std::io::{self, Read};
use std::path::PathBuf;

use huginn_net::Database;
use huginn_net::db::{Fingerprint, Found, Neighbour};

use crate::args::MatchArgs;
use crate::exit::{Ended, Outcome};
use crate::messages::{Messages, Printable};
use crate::output::{Answers, InUse};
use crate::signatures;

/// Neighbours that are told of a value.
const NEIGHBOURS: usize = 5;
/// Longest standard input in bytes.
const MAX_INPUT: u64 = 16 << 20;

/// What is told of one value.
struct Answer<'a> {
    value: &'a str,
    form: &'static str,
    found: Vec<Found<'a>>,
    near: Vec<Neighbour<'a>>,
}

/// Runs the command. Values that have no known form are named, and the others answered nevertheless.
pub(crate) fn run(args: &MatchArgs, messages: &Messages) -> Ended {
    let database = signatures::load(&args.signatures, false, messages)?;
    let from_stdin = args.values.iter().filter(|value| *value == "-").count();
    if from_stdin > 1 {
        messages.error("standard input can be read only once");
        return Err(Outcome::Usage);
    }
    let mut in_use = InUse::default();
    let list = (from_stdin == 1).then(|| PathBuf::from("-"));
    in_use.add_files(&list, "is a list to be read, not an output");
    in_use.add_signatures(&args.signatures.db);
    let mut answers = Answers::open(&args.output, &in_use, messages)?;
    let stdin = if from_stdin == 1 { read_stdin() } else { Ok(String::new()) };
    let stdin = stdin.map_err(|error| {
        messages.failed("standard input", &error);
        Outcome::NotOpened
    })?;

    let mut outcome = Outcome::Success;
    for (name, written) in values(&args.values, &stdin) {
        if answers.is_closed() {
            break;
        }
        let value = bare(written);
        match Fingerprint::parse(value) {
            Ok(fingerprint) => {
                let answer = answer(value, &fingerprint, &database);
                answers.write(|| text::answer(&answer), || json::answer(&answer).into_bytes());
            }
            Err(error) => {
                let column = column(written, value, error.at);
                messages.error(format_args!("{name}: column {column}: {}", error.reason));
                outcome.add(Outcome::Usage);
            }
        }
    }
    outcome.add(answers.finish());
    Ok(outcome)
}

fn answer<'a>(value: &'a str, fingerprint: &Fingerprint, database: &'a Database) -> Answer<'a> {
    Answer {
        value,
        form: fingerprint.description(),
        found: database.match_fingerprint(fingerprint),
        near: database.nearest(fingerprint, NEIGHBOURS),
    }
}

/// The values as they are written, with what messages call them; `-` stands for the lines of standard input, empty ones
/// left out.
fn values<'a>(args: &'a [String], stdin: &'a str) -> impl Iterator<Item = (String, &'a str)> {
    args.iter().flat_map(move |arg| {
        let lines = if arg == "-" { stdin } else { "" }.lines().zip(1_usize..);
        let lines = lines
            .map(|(line, number)| (format!("standard input, line {number}"), line))
            .filter(|(_, line)| !line.trim().is_empty());
        let own = (arg != "-").then(|| (format!("\"{}\"", Printable(shortened(arg))), arg.as_str()));
        own.into_iter().chain(lines)
    })
}

/// A value without blanks around it, and without one pair of quotes.
fn bare(written: &str) -> &str {
    let value = written.trim();
    let quoted = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    quoted('"').or_else(|| quoted('\'')).or_else(|| quoted('`')).unwrap_or(value).trim()
}

/// The column of a byte of the bare value in what was written, in characters from 1.
fn column(written: &str, value: &str, at: usize) -> usize {
    let start = written.find(value).unwrap_or_default();
    written.get(..start.saturating_add(at)).map_or(0, |before| before.chars().count()).saturating_add(1)
}

/// As much of a value as a message shows.
fn shortened(value: &str) -> &str {
    value.char_indices().nth(100).and_then(|(at, _)| value.get(..at)).unwrap_or(value)
}

/// What is no UTF-8 becomes a character that no value has, so that its line is named.
fn read_stdin() -> io::Result<String> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "longer than 16 MiB"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
