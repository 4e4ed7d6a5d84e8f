//! Counts the instructions that a packet takes, which do not depend on what else the machine does.
//!
//! ```sh
//! cargo run -p benchkit --release --features instructions --bin bench-instructions
//! ```
//!
//! needs `valgrind`, takes the kinds of traffic of `cargo bench -p huginn-net`, 4 MB of each, and adds the counts to what that
//! bench recorded. Valgrind knows neither AVX-512 nor SHA-NI: hashing takes more instructions there than it does without it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::error::Error;
use std::hint::black_box;
use std::io;
use std::process::{Command, ExitCode};

use benchkit::{Report, Traffic, folder};
use huginn_net::{Database, HttpSettings, HuginnNet, Settings};
use testkit::trace::Kind;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Bytes of traffic: enough for the tables of names to be warm.
const SIZE: u64 = 4_000_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match arguments.next().as_deref() {
        Some("--pass") => one_pass(arguments.next().as_deref()),
        _ => count_all(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Counts each kind, and notes the counts.
fn count_all() -> Outcome<()> {
    let mut report = Report::read(&folder(), "facade")
        .map_err(|error| format!("{error}: run `cargo bench -p huginn-net` before"))?;
    for kind in Kind::ALL {
        let per_packet = count(kind)?;
        println!("{:<12} {per_packet:>8.0} instructions a packet", kind.name());
        let mut of_kind = report.cases.iter_mut().filter(|case| case.section == "traffic");
        if let Some(case) = of_kind.find(|case| case.name == kind.name()) {
            case.instructions_per_packet = Some(per_packet);
        }
    }
    println!("Written to {}", report.write(&folder())?.display());
    Ok(())
}

/// Runs this program under Valgrind, which counts within [`pass`] only.
fn count(kind: Kind) -> Outcome<f64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"])
        .arg("--toggle-collect=*bench_instructions::pass*")
        .arg(std::env::current_exe()?)
        .args(["--pass", kind.name()])
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : "));
    let instructions: f64 = collected.ok_or_else(|| said.to_string())?.1.trim().parse()?;
    let packets: f64 = String::from_utf8(output.stdout)?.trim().parse()?;
    Ok(instructions / packets)
}

/// Prints the number of packets.
fn one_pass(kind: Option<&str>) -> Outcome<()> {
    let kind = kind.and_then(Kind::parse).ok_or("no such kind of traffic")?;
    let (traffic, said) = Traffic::of_kind(kind, SIZE);
    let mut settings = Settings::default();
    settings.http = Some(HttpSettings::default().with_max_exchanges(6));
    // Otherwise signatures are read and arranged at the first packet that needs them, which is not a cost of packets.
    Database::bundled().prepare();
    let pipeline = HuginnNet::with_settings(settings);
    let found = pass(&pipeline, &traffic);
    let expected = said.syns
        + said.syn_acks
        + said.clocks
        + said.client_hellos
        + said.server_hellos
        + said.http_requests
        + said.http_responses;
    if found != expected {
        return Err(io::Error::other(format!("{found} events in place of {expected}")).into());
    }
    println!("{}", traffic.packets());
    Ok(())
}

/// What is counted; the events that came out. It has no closure, the name of which would be that of another function to
/// begin and end counting at.
#[inline(never)]
fn pass(pipeline: &HuginnNet, traffic: &Traffic) -> u64 {
    let mut found = 0;
    for event in pipeline.analyze(traffic.source()) {
        found += u64::from(black_box(event).is_ok());
    }
    found
}
