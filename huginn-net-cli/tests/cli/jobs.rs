//! Several threads.

use std::fs;

use testkit::corpus;

use crate::run::{records_of, run, run_with_stdin};

#[test]
fn records_are_the_same_byte_for_byte_with_any_number_of_threads() {
    let with = |jobs| run(["read", "-R", "--unpaired", "-o", "json", "-q", "-j", jobs, "pcaps"]);
    let one = with("1");
    assert!(one.stdout.lines().count() > 2_000);
    for jobs in ["2", "3", "8", "auto"] {
        let several = with(jobs);
        assert!(several == one, "-j {jobs}");
    }
}

#[test]
fn text_and_summaries_are_the_same_with_several_threads_but_for_the_time_they_took() {
    let with = |jobs| {
        let mut finished = run(["read", "--only", "tcp,tls", "-j", jobs, "pcaps/real/browsers_net.pcap"]);
        let (first, rest) = finished.stderr.split_once('\n').expect("a summary of several lines");
        finished.stderr = [first.split(" in ").next().unwrap_or_default(), rest].join("\n");
        finished
    };
    assert_eq!(with("4"), with("1"));
}

#[test]
fn a_damaged_capture_is_told_with_several_threads_too() {
    let bytes = fs::read(corpus::path("real/v4.pcap")).unwrap();
    let with =
        |jobs| run_with_stdin(["read", "-q", "-j", jobs, "-o", "json", "-"], &bytes[..bytes.len() - 10]);
    let finished = with("2");
    assert_eq!(finished.status, Some(3));
    assert_eq!(finished, with("1"));
}

#[test]
fn a_count_of_packets_holds_with_several_threads_too() {
    let args = ["read", "-q", "-c", "1", "-j", "4", "-o", "json", "pcaps/real/v4.pcap"];
    let finished = run(args);
    let stats = records_of(&finished.stdout, "huginn.stats");
    assert_eq!(
        (&stats[0]["huginn.stats.packets"], records_of(&finished.stdout, "huginn.tcp.syn").len()),
        (&1.into(), 1)
    );
}

#[test]
fn a_number_of_threads_that_makes_no_sense_is_refused() {
    for jobs in ["0", "65", "many"] {
        let finished = run(["read", "-j", jobs, "pcaps/real/v4.pcap"]);
        assert_eq!(finished.status, Some(2));
        assert!(finished.stderr.contains("neither auto nor a number from 1 to 64"), "{}", finished.stderr);
    }
}
