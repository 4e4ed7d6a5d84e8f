//! Puts what the benches measured into the READMEs of `benches`, and draws the plots beside them.
//!
//! ```sh
//! cargo run -p benchkit --features report --bin bench-report [-- FOLDER…]
//! ```
//!
//! takes the reports of the folders, each of one run, and without any those of the last run. A case that was run several times is
//! shown by its least median.
//!
//! A README marks what is made: everything between `<!-- begin NAME -->` and `<!-- end NAME -->` is replaced. `machine` is
//! where it was measured; `capacity` what all cases mean for full links; `findings` what stands out; any other name is that of
//! a section, as a table.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use benchkit::{Measured, Report, folder};
use huginn_net_core::capacity::{LinkRate, Load};

#[path = "report/findings.rs"]
mod findings;
#[path = "report/plots.rs"]
mod plots;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The benches, and the README of each.
const BENCHES: [(&str, &str); 4] =
    [("facade", "README.md"), ("tcp", "README-TCP.md"), ("tls", "README-TLS.md"), ("http", "README-HTTP.md")];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Outcome<()> {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<_> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        folders.push(folder());
    }
    for (protocol, readme) in BENCHES {
        let runs = folders.iter().filter_map(|folder| Report::read(folder, protocol).ok()).collect();
        let Some(report) = Report::least_of(runs)? else {
            println!("{protocol}: not measured, {readme} stays as it is");
            continue;
        };
        let path = benches.join(readme);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        fs::write(&path, filled(&text, &report)?)?;
        for plot in plots::draw(&report, &benches.join("plots"))? {
            println!("{}", plot.display());
        }
        println!("{}", path.display());
    }
    Ok(())
}

/// The text with everything between marks made anew.
fn filled(text: &str, report: &Report) -> Outcome<String> {
    let mut made = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!-- begin ") {
        let (name, after) = after.split_once(" -->").ok_or("a mark without an end")?;
        let end = format!("<!-- end {name} -->");
        let (_, after) = after.split_once(&end).ok_or_else(|| format!("{end} is missing"))?;
        let block = block(name, report).ok_or_else(|| format!("nothing was measured of {name}"))?;
        write!(made, "{before}<!-- begin {name} -->\n{block}{end}")?;
        rest = after;
    }
    made.push_str(rest);
    Ok(made)
}

/// What stands between the marks of a name; `None` if nothing was measured of it.
fn block(name: &str, report: &Report) -> Option<String> {
    match name {
        "machine" => {
            let machine = &report.machine;
            Some(format!(
                "{}, {} threads; {}; {}; commit {}\n",
                machine.processor, machine.threads, machine.system, machine.compiler, machine.commit
            ))
        }
        "findings" => findings::list(report),
        "capacity" => capacity(&report.cases.iter().collect::<Vec<_>>()),
        section => table(&report.section(section).collect::<Vec<_>>()),
    }
}

fn table(cases: &[&Measured]) -> Option<String> {
    let counts_instructions = cases.iter().any(|case| case.instructions_per_packet.is_some());
    let mut text = String::from("| case | ns a packet | packets/s | events | allocations |");
    let mut line = String::from("\n|---|---:|---:|---:|---:|");
    if counts_instructions {
        text.push_str(" instructions |");
        line.push_str("---:|");
    }
    text.push_str(&line);
    text.push('\n');
    for case in cases {
        let load = Load::from(*case);
        let events = case.events.map_or("".into(), |_| format!("{:.1} %", load.effectiveness() * 100.0));
        let allocations = case
            .allocations
            .map_or("".into(), |allocations| format!("{:.2}", per_packet(allocations, case.packets)));
        write!(
            text,
            "| {} | {:.1} | {} | {events} | {allocations} |",
            case.name,
            load.nanoseconds_per_packet(),
            millions(load.packets_per_second()),
        )
        .ok()?;
        if counts_instructions {
            let count = case.instructions_per_packet.map_or("".into(), |count| format!("{count:.0}"));
            write!(text, " {count} |").ok()?;
        }
        text.push('\n');
    }
    (!cases.is_empty()).then_some(text)
}

fn capacity(cases: &[&Measured]) -> Option<String> {
    let mut text = String::from("| case | packets/s | 1 Gbps | 10 Gbps | |\n|---|---:|---:|---:|---|\n");
    for case in cases {
        let load = Load::from(*case);
        let overload = if load.cpu_share(LinkRate::GBPS_10) > 1.0 { "OVERLOAD" } else { "" };
        writeln!(
            text,
            "| {}: {} | {} | {:.2} % | {:.1} % | {overload} |",
            case.section,
            case.name,
            millions(load.packets_per_second()),
            load.cpu_share(LinkRate::GBPS_1) * 100.0,
            load.cpu_share(LinkRate::GBPS_10) * 100.0,
        )
        .ok()?;
    }
    (!cases.is_empty()).then_some(text)
}

#[allow(clippy::cast_precision_loss, reason = "counts of a round")]
fn per_packet(count: u64, packets: u64) -> f64 {
    count as f64 / packets.max(1) as f64
}

fn millions(rate: f64) -> String {
    format!("{:.2} M", rate / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let case = |section: &str, name: &str, nanoseconds| Measured {
            section: section.into(),
            name: name.into(),
            packets: 10,
            events: Some(5),
            nanoseconds,
            allocations: Some(1),
            instructions_per_packet: None,
            workers: None,
        };
        Report::new("tcp", vec![case("analysis", "SYN", 400.0), case("pool", "2 workers", 20_000.0)])
    }

    #[test]
    fn what_stands_between_marks_is_replaced_and_nothing_else() {
        let text = "before\n<!-- begin analysis -->\nold\n<!-- end analysis -->\nafter\n";
        let expected = "before\n<!-- begin analysis -->\n| case | ns a packet | packets/s | events | allocations |\n\
            |---|---:|---:|---:|---:|\n| SYN | 40.0 | 25.00 M | 50.0 % | 0.10 |\n<!-- end analysis -->\nafter\n";
        assert_eq!(filled(text, &report()).unwrap(), expected);
        assert_eq!(filled(expected, &report()).unwrap(), expected);
    }

    #[test]
    fn instructions_have_a_column_where_they_were_counted() {
        let mut report = report();
        report.cases[0].instructions_per_packet = Some(1_234.4);
        let text = block("analysis", &report).unwrap();
        assert!(text.contains("| allocations | instructions |\n|---|---:|---:|---:|---:|---:|\n"), "{text}");
        assert!(text.contains("| SYN | 40.0 | 25.00 M | 50.0 % | 0.10 | 1234 |\n"), "{text}");
        assert!(!block("pool", &report).unwrap().contains("instructions"));
    }

    #[test]
    fn a_link_that_takes_more_than_a_core_is_marked() {
        let text = block("capacity", &report()).unwrap();
        assert!(text.contains("| analysis: SYN | 25.00 M | 0.33 % | 3.3 % |  |"), "{text}");
        assert!(text.contains("| pool: 2 workers | 0.50 M | 16.25 % | 162.5 % | OVERLOAD |"), "{text}");
    }

    #[test]
    fn a_section_that_was_not_measured_is_an_error_not_an_empty_table() {
        let missing = filled("<!-- begin live -->\n<!-- end live -->", &report()).unwrap_err();
        assert_eq!(missing.to_string(), "nothing was measured of live");
        let open = filled("<!-- begin analysis -->\nold", &report()).unwrap_err();
        assert_eq!(open.to_string(), "<!-- end analysis --> is missing");
    }
}
