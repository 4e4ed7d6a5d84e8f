//! `huginn-net hello`: one ClientHello, its fingerprints, and where each part of them comes from.

mod explain;
mod input;
mod json;
mod text;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use huginn_net::Database;
use huginn_net::tls::ClientHello;

use self::explain::Explanation;
use self::input::{Found, Origin};
use crate::args::{AnswerFormat, HelloArgs};
use crate::exit::Outcome;
use crate::inputs::describe;
use crate::messages::{Messages, shown};
use crate::signatures;

/// Longest input in bytes: as hexadecimal digits in lines, a hello of the greatest length has some 100 KB.
const MAX_INPUT: u64 = 1 << 20;

/// Runs the command.
pub(crate) fn run(args: &HelloArgs, messages: &Messages) -> Outcome {
    let database = match signatures::load(&args.signatures, false, messages) {
        Ok(database) => database,
        Err(outcome) => return outcome,
    };
    let is_stdin = args.file.as_os_str() == "-";
    let name = if is_stdin { "standard input".to_owned() } else { shown(&args.file) };
    let bytes = match read(&args.file, is_stdin) {
        Ok(bytes) => bytes,
        Err(error) => {
            messages.error(format_args!("{name}: {}", describe(&error)));
            return Outcome::NotOpened;
        }
    };
    if bytes.len() as u64 > MAX_INPUT {
        messages.error(format_args!("{name}: longer than 1 MiB"));
        return Outcome::Damaged;
    }
    let answer = input::find(&bytes, args.hex, args.carrier.map(Into::into)).and_then(|found| match found {
        Found::Hello { message, carrier, origin } => {
            answer(&message, carrier, origin, &database, args.output)
        }
        Found::Sslv2 { version, cipher_specs } => Ok(match args.output {
            AnswerFormat::Text => text::sslv2(version, &cipher_specs),
            AnswerFormat::Json => json::sslv2(version, &cipher_specs),
        }),
    });
    match answer {
        Ok(answer) => crate::print(answer.as_bytes(), messages),
        Err(reason) => {
            messages.error(format_args!("{name}: {reason}"));
            Outcome::Damaged
        }
    }
}

fn read(path: &Path, is_stdin: bool) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_stdin {
        io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn answer(
    message: &[u8],
    carrier: huginn_net::tls::Carrier,
    origin: Origin,
    database: &Database,
    format: AnswerFormat,
) -> Result<String, String> {
    let hello = ClientHello::parse(message, carrier)
        .map_err(|error| error.to_string())?
        .done()
        .ok_or("the hello is not complete")?;
    let explanation = Explanation::of(&hello);
    let found = database.match_hello(&hello);
    Ok(match format {
        AnswerFormat::Text => text::hello(&hello, origin, &explanation, found.as_ref()),
        AnswerFormat::Json => json::hello(&hello, origin, &explanation, found.as_ref()),
    })
}
