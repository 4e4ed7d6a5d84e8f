//! Writes a trace: `cargo run -p testkit --release --example trace -- KIND SIZE FILE [SEED]`.
//!
//! SIZE is in bytes, or in MB or GB with `M` or `G` behind it. What there is to find in the trace goes to standard output.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use std::fs::File;
use std::io::BufWriter;
use std::process::ExitCode;

use testkit::trace::{Kind, Trace};

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let (kind, size, file, seed) = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [kind, size, file] => (Kind::parse(kind), parse_size(size), file, Some(1)),
        [kind, size, file, seed] => (Kind::parse(kind), parse_size(size), file, seed.parse().ok()),
        _ => (None, None, "", None),
    };
    let (Some(kind), Some(size), Some(seed)) = (kind, size, seed) else {
        let kinds = Kind::ALL.map(Kind::name).join(", ");
        eprintln!("usage: trace KIND SIZE FILE [SEED]\nkinds: {kinds}\nsizes: bytes, or 10M, 2G");
        return ExitCode::from(2);
    };
    let written = File::create(file)
        .and_then(|out| Trace::new(kind, seed, size).write_pcap(BufWriter::with_capacity(1 << 20, out)));
    match written {
        Ok(events) => {
            println!("{events:#?}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse_size(text: &str) -> Option<u64> {
    let (number, unit) = match text.char_indices().next_back()? {
        (at, 'M') => (text.get(..at)?, 1_000_000),
        (at, 'G') => (text.get(..at)?, 1_000_000_000),
        _ => (text, 1),
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}
