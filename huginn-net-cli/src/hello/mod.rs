//! `huginn-net hello`: ClientHellos, their fingerprints, and where each part of them comes from.

mod explain;
pub(crate) mod hex;
mod input;
mod json;
mod text;

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use huginn_net::tls::{Carrier, ClientHello};
use huginn_net::{CaptureFile, Database, Event, HuginnNet, Progress, Settings, SourceError, Step};

use self::explain::Explanation;
use self::input::{Found, HELLO_GOES_ON, Inputs, Origin};
use crate::args::HelloArgs;
use crate::exit::{Ended, Outcome};
use crate::inputs::{is_stdin, read_once, shown_input};
use crate::messages::{Messages, describe, describe_damage, failure_of};
use crate::output::{Answers, InUse};
use crate::signatures;

/// Longest input in bytes that is no capture: as hexadecimal digits in lines, a hello of the greatest length has some
/// 100 KB.
const MAX_INPUT: u64 = 1 << 20;

/// Runs the command.
pub(crate) fn run(args: &HelloArgs, messages: &Messages) -> Ended {
    let database = signatures::load(&args.signatures, false, messages)?;
    read_once(&args.files, messages)?;
    let mut in_use = InUse::default();
    in_use.add_files(&args.files, "is a file to be read, not an output");
    in_use.add_signatures(&args.signatures.db);
    let answers = Answers::open(&args.output, &in_use, messages)?;
    let outcome = Outcome::Success;
    let mut run = Run { answers, database, messages, outcome, heads: args.files.len() > 1, count: 0 };

    let mut inputs = Inputs::new(args.hex, args.carrier.map(Into::into));
    let mut begun = Path::new("");
    for file in &args.files {
        if run.answers.is_closed() {
            break;
        }
        if !inputs.is_waiting() {
            begun = file;
        }
        run.file(file, &mut begun, &mut inputs);
    }
    if inputs.is_waiting() {
        run.fails(begun, HELLO_GOES_ON, Outcome::Damaged);
    }
    run.outcome.add(run.answers.finish());
    Ok(run.outcome)
}

/// A run of the command.
struct Run<'a> {
    answers: Answers<'a>,
    database: Arc<Database>,
    messages: &'a Messages,
    outcome: Outcome,
    /// Whether answers begin with the name of their file.
    heads: bool,
    /// Answers so far.
    count: u64,
}

impl Run<'_> {
    fn fails(&mut self, file: &Path, reason: impl core::fmt::Display, outcome: Outcome) {
        self.messages.error(format_args!("{}: {reason}", shown_input(file)));
        self.outcome.add(outcome);
    }

    /// Explains what is in a file; `begun` is where the hello begins that it may have the rest of. One that it cannot have
    /// the rest of is given up, and what the file has stands for itself.
    fn file<'f>(&mut self, file: &'f Path, begun: &mut &'f Path, inputs: &mut Inputs) {
        let read = open(file).and_then(|mut rest| {
            let mut bytes = Vec::new();
            rest.by_ref().take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
            Ok((bytes, rest))
        });
        let (bytes, rest) = match read {
            Ok(read) => read,
            Err(error) => return self.fails(file, describe(&error), Outcome::NotOpened),
        };
        match CaptureFile::from_reader(Cursor::new(bytes.clone()).chain(rest)) {
            Ok(capture) => return self.capture(capture, file),
            Err(SourceError::UnknownFormat { .. } | SourceError::Empty) => {}
            Err(error) => return self.fails(file, failure_of(&error), Outcome::Damaged),
        }
        if bytes.len() as u64 > MAX_INPUT {
            return self.fails(file, "longer than 1 MiB", Outcome::Damaged);
        }
        let bytes = match inputs.bytes_of(&bytes) {
            Ok(bytes) => bytes,
            Err(reason) => return self.fails(file, reason, Outcome::Damaged),
        };
        if inputs.give_up_before(&bytes) {
            self.fails(begun, HELLO_GOES_ON, Outcome::Damaged);
            *begun = file;
        }
        match inputs.push(&bytes) {
            Ok(Progress::Done(found)) => self.answer(begun, &found),
            Ok(Progress::NeedMore) => {}
            Err(reason) => self.fails(file, reason, Outcome::Damaged),
        }
    }

    /// Explains every hello of a capture.
    fn capture(&mut self, capture: CaptureFile, file: &Path) {
        let before = self.count;
        let settings = Settings::default().with_database(None).with_tcp(None).with_http(None);
        let pipeline = HuginnNet::with_settings(settings);
        let mut events = pipeline.analyze(capture);
        loop {
            match events.step() {
                Ok(Step::Event(event)) => {
                    if let Some(found) = found_in(&event) {
                        self.answer(file, &found);
                    }
                }
                Ok(Step::Idle) => {}
                Ok(Step::End) => break,
                Err(error) => self.fails(file, failure_of(&error), Outcome::Damaged),
            }
            if self.answers.is_closed() {
                return;
            }
        }
        let source = &events.stats().source;
        if let Some(damage) = source.damage.first() {
            self.fails(file, describe_damage(damage, source.format), Outcome::Damaged);
        }
        if self.count == before {
            self.fails(file, "no hello in this capture", Outcome::Damaged);
        }
    }

    fn answer(&mut self, file: &Path, found: &Found) {
        let (name, path) = (shown_input(file), (!is_stdin(file)).then_some(file));
        let head = match (self.count > 0, self.heads) {
            (false, false) => String::new(),
            (true, false) => "\n".to_owned(),
            (false, true) => format!("{name}\n"),
            (true, true) => format!("\n{name}\n"),
        };
        self.count += 1;
        match found {
            Found::Sslv2 { version, cipher_specs, origin } => self.answers.write(
                || head.clone() + &text::sslv2(*version, cipher_specs),
                || json::sslv2((path, *origin), *version, cipher_specs),
            ),
            Found::Hello { message, carrier, origin } => match parsed(message, *carrier) {
                Ok(hello) => {
                    let explanation = Explanation::of(&hello);
                    let found = self.database.match_hello(&hello);
                    self.answers.write(
                        || head.clone() + &text::hello(&hello, *origin, &explanation, found.as_ref()),
                        || json::hello((path, *origin), &hello, &explanation, found.as_ref()),
                    );
                }
                Err(reason) => self.fails(file, reason, Outcome::Damaged),
            },
        }
    }
}

fn open(file: &Path) -> io::Result<Box<dyn Read + Send>> {
    if is_stdin(file) {
        return Ok(Box::new(io::stdin()));
    }
    Ok(Box::new(File::open(file)?))
}

fn parsed(message: &[u8], carrier: Carrier) -> Result<ClientHello<'_>, String> {
    let hello = ClientHello::parse(message, carrier).map_err(|error| error.to_string())?;
    hello.done().ok_or_else(|| "the hello is not complete".to_owned())
}

/// The hello that an event is about.
fn found_in(event: &Event) -> Option<Found> {
    match event {
        Event::TlsClientHello(client) => {
            let (hello, origin) = (&client.seen.hello, Origin::Packet(client.seen.origin));
            Some(Found::Hello { message: hello.message().to_vec(), carrier: hello.carrier(), origin })
        }
        Event::TlsSslv2Hello(seen) => {
            let origin = Origin::Packet(seen.origin);
            Some(Found::Sslv2 { version: seen.version, cipher_specs: seen.cipher_specs.to_vec(), origin })
        }
        _ => None,
    }
}
