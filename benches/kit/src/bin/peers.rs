//! Runs what one would use instead of huginn-net on the same captures, one after the other, and prints what each found and
//! what it took.
//!
//! ```sh
//! benches/peers/run.sh CAPTURE…
//! ```
//!
//! Programs are whole processes, with reading, output and all they do beside; their time is what they and the system
//! used of processors for them, in steps of a hundredth of a second, so a capture should take them seconds. Crates do
//! one part of the work, in memory. What was found stands beside the time: a fast program that finds nothing is no peer.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[path = "peers/parts.rs"]
mod parts;
#[path = "peers/programs.rs"]
mod programs;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What somebody did with a capture.
struct Row {
    who: &'static str,
    /// What was found, in words.
    found: String,
    /// Of what the time is: `packet`, `hello`, …
    unit: &'static str,
    nanoseconds: f64,
}

fn main() -> ExitCode {
    let captures: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if captures.is_empty() {
        eprintln!("usage: peers CAPTURE…");
        return ExitCode::from(2);
    }
    for capture in &captures {
        if let Err(error) = compare(capture) {
            eprintln!("error: {}: {error}", capture.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn compare(capture: &Path) -> Outcome<()> {
    println!("{}", capture.display());
    let packets = programs::packets(capture)?;
    println!("  {packets} packets; whole processes, user and system time");
    print(&programs::rows(capture, packets)?);
    for (part, rows) in parts::rows(capture)? {
        println!("  {part}, in memory");
        print(&rows);
    }
    Ok(())
}

/// Each row with its ratio to the first one, which is that of huginn-net.
fn print(rows: &[Row]) {
    let ours = rows.first().map_or(f64::NAN, |row| row.nanoseconds);
    for Row { who, found, unit, nanoseconds } in rows {
        let ratio = nanoseconds / ours;
        let ratio = if ratio.is_finite() { format!("{ratio:.1} ×") } else { "too short".to_owned() };
        println!("    {who:<26} {nanoseconds:>11.1} ns a {unit:<7} {ratio:>10}   {found}");
    }
}
