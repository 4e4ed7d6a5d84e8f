//! `huginn-net match`: what a fingerprint or signature is, whose it is, and what resembles it.

mod json;
mod text;

use std::io::{self, Read, Write};

use huginn_net::Database;
use huginn_net::db::{Fingerprint, Found, Neighbour};

use crate::args::{AnswerFormat, MatchArgs};
use crate::exit::Outcome;
use crate::inputs::describe;
use crate::messages::{Messages, Printable};
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
pub(crate) fn run(args: &MatchArgs, messages: &Messages) -> Outcome {
    let database = match signatures::load(&args.signatures, false, messages) {
        Ok(database) => database,
        Err(outcome) => return outcome,
    };
    let from_stdin = args.values.iter().filter(|value| *value == "-").count();
    if from_stdin > 1 {
        messages.error("standard input can be read only once");
        return Outcome::Usage;
    }
    let stdin = match if from_stdin == 1 { read_stdin() } else { Ok(String::new()) } {
        Ok(stdin) => stdin,
        Err(error) => {
            messages.error(format_args!("standard input: {}", describe(&error)));
            return Outcome::NotOpened;
        }
    };

    let mut outcome = Outcome::Success;
    let mut out = io::BufWriter::new(io::stdout().lock());
    for (name, value) in values(&args.values, &stdin) {
        let answer = match Fingerprint::parse(value) {
            Ok(fingerprint) => answer(value, &fingerprint, &database, args.output),
            Err(error) => {
                messages.error(format_args!("{name}: {error}"));
                outcome.add(Outcome::Usage);
                continue;
            }
        };
        if let Err(error) = out.write_all(answer.as_bytes()) {
            return crate::output_outcome(&error, messages);
        }
    }
    if let Err(error) = out.flush() {
        return crate::output_outcome(&error, messages);
    }
    outcome
}

fn answer(value: &str, fingerprint: &Fingerprint, database: &Database, format: AnswerFormat) -> String {
    let answer = Answer {
        value,
        form: fingerprint.description(),
        found: database.match_fingerprint(fingerprint),
        near: database.nearest(fingerprint, NEIGHBOURS),
    };
    match format {
        AnswerFormat::Text => text::answer(&answer),
        AnswerFormat::Json => json::answer(&answer),
    }
}

/// The values with what messages call them; `-` stands for the lines of standard input, empty ones left out.
fn values<'a>(args: &'a [String], stdin: &'a str) -> impl Iterator<Item = (String, &'a str)> {
    args.iter().flat_map(move |arg| {
        let lines = if arg == "-" { stdin } else { "" }.lines().zip(1_usize..);
        let lines = lines
            .map(|(line, number)| (format!("standard input, line {number}"), line.trim()))
            .filter(|(_, line)| !line.is_empty());
        let own = (arg != "-").then(|| (format!("\"{}\"", Printable(shortened(arg))), arg.trim()));
        own.into_iter().chain(lines)
    })
}

/// As much of a value as a message shows.
fn shortened(value: &str) -> &str {
    value.char_indices().nth(100).and_then(|(at, _)| value.get(..at)).unwrap_or(value)
}

fn read_stdin() -> io::Result<String> {
    let mut text = String::new();
    io::stdin().lock().take(MAX_INPUT + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_INPUT {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "longer than 16 MiB"));
    }
    Ok(text)
}
