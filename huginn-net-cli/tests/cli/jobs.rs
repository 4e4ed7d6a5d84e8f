//! Several threads.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::thread;

use testkit::capture::{Capture, Endian};
use testkit::container::{Pcap, gzip, pcap};
use testkit::corpus;
use testkit::encap::link;
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::run::{Finished, records, records_of, run, run_with_stdin};

/// All captures below a folder whose files can be joined. A pipe may bring any number of bytes, so that what comes from it
/// is given to as many threads as are asked for.
fn joined(folder: &Path) -> Vec<u8> {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut bytes = Vec::new();
    for path in entries {
        if path.is_dir() {
            bytes.extend(joined(&path));
            continue;
        }
        let file = fs::read(path).unwrap();
        if file.starts_with(&[0xd4, 0xc3, 0xb2, 0xa1]) {
            bytes.extend(file);
        }
    }
    bytes
}

#[test]
fn records_are_the_same_byte_for_byte_with_any_number_of_threads() {
    let captures = joined(&corpus::path(""));
    let with = |jobs| run_with_stdin(["read", "--unpaired", "-o", "json", "-q", "-j", jobs, "-"], &captures);
    let one = with("1");
    assert!(one.stdout.lines().count() > 2_000);
    for jobs in ["2", "3", "8", "auto"] {
        let several = with(jobs);
        assert!(several == one, "-j {jobs}");
    }
}

#[test]
fn the_records_of_a_folder_are_the_same_byte_for_byte_with_any_number_of_threads() {
    let with = |jobs| run(["read", "-R", "--unpaired", "-o", "json", "-q", "-j", jobs, "pcaps"]);
    let one = with("1");
    assert!(one.stdout.lines().count() > 2_000);
    assert!(with("3") == one);
}

/// A capture of SYNs of as many hosts.
fn syns(count: u32) -> Vec<u8> {
    let frame = |host: u32| {
        let [_, a, b, c] = host.to_be_bytes();
        let syn = Tcp::new(40_000, 443).flags(flags::SYN);
        link::ethernet(&Ipv4::new([10, a, b, c], [192, 0, 2, 1]).tcp(&syn))
    };
    pcap(Pcap::Micros, Endian::Little, &Capture::of_frames(1, (0..count).map(frame)))
}

/// Files of these names in a folder.
fn folder_of(files: &[(&str, Vec<u8>)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Reads a folder with each number of threads, which has to make no difference but for the time that it took.
#[track_caller]
fn is_read_alike(folder: &Path, args: &[&str]) -> Finished {
    let with = |jobs: &str| {
        let args = ["read", "-R", "-j", jobs].into_iter().chain(args.iter().copied()).map(OsStr::new);
        let mut finished = run(args.chain([folder.as_os_str()]));
        if let Some((before, rest)) = finished.stderr.split_once(" in ") {
            let behind = rest.split_once(" s\n").map_or(rest, |(_, behind)| behind);
            finished.stderr = [before, behind].join("\n");
        }
        finished
    };
    let one = with("1");
    for jobs in ["2", "5"] {
        let several = with(jobs);
        assert!(several == one, "-j {jobs}: {:?}, {}", several.status, several.stderr);
    }
    one
}

#[test]
fn captures_that_are_read_side_by_side_are_told_of_in_their_order() {
    let browsers = fs::read(corpus::path("real/browsers_net.pcap")).unwrap();
    let mut cut = fs::read(corpus::path("real/v4.pcap")).unwrap();
    cut.truncate(cut.len() - 10);
    let folder = folder_of(&[
        ("a", browsers.clone()),
        ("b", cut),
        ("c", b"no capture".to_vec()),
        ("d", gzip(&browsers)),
        ("e", syns(0)),
        ("f", Vec::new()),
        ("g", browsers),
    ]);
    let finished = is_read_alike(folder.path(), &["-v", "-o", "json", "-o", "text:/dev/null"]);
    assert_eq!(finished.status, Some(3));
    for told in [
        "b: the file ends within a record at byte 532",
        "c: passed over",
        "5 captures, ",
        "2 files of directories are no captures",
    ] {
        assert!(finished.stderr.contains(told), "{told}: {}", finished.stderr);
    }
    assert_eq!(records_of(&finished.stdout, "huginn.input").len(), 5);
}

#[test]
fn records_of_captures_ahead_of_their_turn_are_written_when_it_comes() {
    // Many pieces of records each.
    let many = syns(7_000);
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let folder = folder_of(&names.map(|name| (name, many.clone())));
    let finished = is_read_alike(folder.path(), &["-q", "-o", "json"]);
    assert_eq!(records_of(&finished.stdout, "huginn.tcp.syn").len(), 7 * 7_000);
    assert!(finished.stdout.len() > 20 << 20, "{} bytes", finished.stdout.len());
}

#[test]
fn limits_are_those_of_each_capture_where_several_are_read_side_by_side() {
    let folder = folder_of(&["a", "b", "c"].map(|name| (name, syns(3_000))));
    let finished = is_read_alike(folder.path(), &["-q", "-o", "json", "--max-flows", "1"]);
    let stats = records(&finished.stdout).pop().unwrap();
    assert_eq!(stats["huginn.stats.limits_hit"]["tcp_flows"], 3 * 2_999);
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_fails_is_told_of_where_captures_are_read_side_by_side() {
    let browsers = fs::read(corpus::path("real/browsers_net.pcap")).unwrap();
    let folder = folder_of(&["a", "b", "c"].map(|name| (name, browsers.clone())));
    let finished = is_read_alike(folder.path(), &["-o", "text:/dev/full", "-o", "json"]);
    assert_eq!(finished.status, Some(5));
    assert!(finished.stderr.starts_with("huginn-net: /dev/full: no space left on device\n"), "{finished:?}");
    // Alone, it ends the run.
    let finished = run(["read", "-R", "-j", "2", "-o", "json:/dev/full"]
        .map(OsStr::new)
        .into_iter()
        .chain([folder.path().as_os_str()]));
    assert_eq!(finished.status, Some(5));
    let summary = finished.stderr.lines().find(|line| line.starts_with("1 capture, "));
    assert!(summary.is_some() && finished.stderr.contains("not written "), "{}", finished.stderr);
}

/// What `--max-flows 1` loses of a capture: the fewer, the more threads there are to hold a connection each.
fn lost(path: &Path, jobs: &str) -> serde_json::Value {
    let args = ["read", "-q", "-o", "json", "--only", "tcp", "--max-flows", "1", "-j", jobs];
    let Finished { stdout, stderr, .. } = run(args.map(OsStr::new).into_iter().chain([path.as_os_str()]));
    assert_eq!(stderr, "");
    records(&stdout).last().unwrap()["huginn.stats.limits_hit"]["tcp_flows"].clone()
}

#[test]
fn a_file_that_is_no_work_for_several_threads_gets_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("capture");
    let (small, large) = (syns(1_000), syns(32_000));
    assert!(large.len() > 2 << 20);
    // None gets more than there are cores.
    let has_one_core = thread::available_parallelism().is_ok_and(|cores| cores.get() == 1);
    // How much there is in a compressed file is not known before.
    for (bytes, gets_one) in [(&small, true), (&large, has_one_core), (&gzip(&small), has_one_core)] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(lost(&path, "4") == lost(&path, "1"), gets_one, "{} bytes", bytes.len());
    }
}

#[test]
fn text_and_summaries_are_the_same_with_several_threads_but_for_the_time_they_took() {
    let bytes = fs::read(corpus::path("real/browsers_net.pcap")).unwrap();
    let with = |jobs| {
        let mut finished = run_with_stdin(["read", "--only", "tcp,tls", "-j", jobs, "-"], &bytes);
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
    let bytes = fs::read(corpus::path("real/v4.pcap")).unwrap();
    let finished = run_with_stdin(["read", "-q", "-c", "1", "-j", "4", "-o", "json", "-"], &bytes);
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
