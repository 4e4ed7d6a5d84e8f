//! What stands out in a report, in words: so that no figure in a sentence is typed by hand, either.

use std::collections::HashSet;
use std::fmt::Write as _;

use benchkit::{Measured, Report};
use huginn_net_core::capacity::{LinkRate, Load};

/// How often a case happens on a full link of 10 Gbps, at most.
const PACKETS: &str = "812,740 a second, the packets of 10 Gbps,";

/// A list of what stands out; `None` if nothing was measured.
pub(crate) fn list(report: &Report) -> Option<String> {
    let lines = [links(report), names(report), tables(report), threads(report)];
    let text = lines.into_iter().flatten().fold(String::new(), |mut text, line| {
        // Writing to a text does not fail.
        let _ = writeln!(text, "* {line}");
        text
    });
    (!text.is_empty()).then_some(text)
}

fn cost(case: &Measured) -> f64 {
    Load::from(case).nanoseconds_per_packet()
}

fn share(case: &Measured) -> f64 {
    Load::from(case).cpu_share(LinkRate::GBPS_10)
}

/// Whether one thread can follow a full link.
fn links(report: &Report) -> Option<String> {
    let single = || report.cases.iter().filter(|case| case.workers.is_none());
    let beyond: Vec<_> = single().filter(|case| share(case) > 1.0).map(title).collect();
    if !beyond.is_empty() {
        return Some(format!("At {PACKETS} more than a core is needed for {}.", beyond.join("; ")));
    }
    let dearest = single().max_by(|one, other| share(one).total_cmp(&share(other)))?;
    Some(format!(
        "At {PACKETS} no case needs more than a core; the dearest is {}, {:.1} %.",
        title(dearest),
        share(dearest) * 100.0
    ))
}

/// What naming adds to cases that do the same without.
fn names(report: &Report) -> Option<String> {
    added(
        "Naming adds",
        pairs(report, |name| {
            let plain = name.strip_suffix(", names").or_else(|| name.strip_suffix(", matched"));
            plain.map(str::to_owned).or_else(|| match name {
                "everything" => Some("everything, no names".to_owned()),
                "all" | "systems" | "links" | "clients" | "servers" => Some("none".to_owned()),
                _ => name.contains(", matched, ").then(|| name.replace(", matched, ", ", not matched, ")),
            })
        }),
    )
}

/// What larger tables of connections cost.
fn tables(report: &Report) -> Option<String> {
    let smaller = |name: &str| name.strip_suffix(", 10000 flows").map(|kind| format!("{kind}, 100 flows"));
    added("A table of connections with 10,000 places instead of 100 adds", pairs(report, smaller))
}

/// How much faster the best number of threads is than one.
fn threads(report: &Report) -> Option<String> {
    let mut sections: Vec<_> = report.cases.iter().map(|case| &*case.section).collect();
    let mut seen = HashSet::new();
    sections.retain(|section| seen.insert(*section));
    let gains = sections.into_iter().filter_map(|section| {
        let alone = report.section(section).find(|case| case.name == "sequential")?;
        let many = report.section(section).filter(|case| case.workers.is_some());
        let best = many.min_by(|one, other| cost(one).total_cmp(&cost(other)))?;
        Some(format!("{section}: {} ({:.2})", best.name, cost(alone) / cost(best)))
    });
    let gains: Vec<_> = gains.collect();
    let text = "Most packets a second, as a multiple of the one thread";
    (!gains.is_empty()).then(|| format!("{text}: {}.", gains.join("; ")))
}

/// Each case for which `plain` names another one of its section, and that one.
fn pairs(report: &Report, plain: impl Fn(&str) -> Option<String>) -> Vec<(&Measured, &Measured)> {
    let other = |case: &Measured| {
        let plain = plain(&case.name)?;
        report.cases.iter().find(|other| other.section == case.section && other.name == plain)
    };
    report.cases.iter().filter_map(|case| Some((case, other(case)?))).collect()
}

fn added(what: &str, pairs: Vec<(&Measured, &Measured)>) -> Option<String> {
    let texts: Vec<_> = pairs
        .into_iter()
        .map(|(case, plain)| format!("{:+.1} ns to {}", cost(case) - cost(plain), title(case)))
        .collect();
    (!texts.is_empty()).then(|| format!("{what}: {}.", texts.join("; ")))
}

fn title(case: &Measured) -> String {
    format!("`{}: {}`", case.section, case.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(section: &str, name: &str, nanoseconds: f64, workers: Option<u32>) -> Measured {
        Measured { workers, ..Measured::new(section.into(), name.into(), 10, nanoseconds) }
    }

    #[test]
    fn what_names_tables_and_threads_change_is_told_of_cases_that_are_alike_otherwise() {
        let report = Report::new(
            "tcp",
            vec![
                case("analysis", "syn, not matched, 100 flows", 400.0, None),
                case("analysis", "syn, matched, 100 flows", 655.0, None),
                case("analysis", "syn, matched, 10000 flows", 645.0, None),
                case("names", "none", 100.0, None),
                case("names", "links", 120.0, None),
                case("other", "links", 120.0, None),
                case("workers", "sequential", 1_000.0, None),
                case("workers", "1 worker", 1_500.0, Some(1)),
                case("workers", "2 workers", 625.0, Some(2)),
            ],
        );
        let expected = "\
            * At 812,740 a second, the packets of 10 Gbps, no case needs more than a core; the dearest is `workers: sequential`, 8.1 %.\n\
            * Naming adds: +25.5 ns to `analysis: syn, matched, 100 flows`; +2.0 ns to `names: links`.\n\
            * A table of connections with 10,000 places instead of 100 adds: -1.0 ns to `analysis: syn, matched, 10000 flows`.\n\
            * Most packets a second, as a multiple of the one thread: workers: 2 workers (1.60).\n";
        assert_eq!(list(&report).unwrap(), expected);
    }

    #[test]
    fn cases_that_one_core_is_not_enough_for_are_named() {
        let cases = vec![
            case("heads", "signature", 20_000.0, None),
            case("heads", "request", 100.0, None),
            case("workers", "8 workers", 20_000.0, Some(8)),
        ];
        let found = list(&Report::new("http", cases)).unwrap();
        assert_eq!(
            found,
            "* At 812,740 a second, the packets of 10 Gbps, more than a core is needed for `heads: signature`.\n"
        );
        assert_eq!(list(&Report::new("http", Vec::new())), None);
    }
}
