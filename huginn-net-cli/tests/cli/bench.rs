//! `huginn-net bench`.

use std::fs::File;

use crate::run::{command, finish, records, run, run_with_stdin};

#[test]
fn every_case_tells_its_packets_and_events() {
    let finished = run(["bench", "-o", "json", "--rounds", "1", "pcaps/real/v4.pcap"]);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    let cases = records(&finished.stdout);
    let of = |name: &str| cases.iter().find(|case| case["case"] == name).expect("the case is there");
    let packets = of("decode")["packets"].as_u64().unwrap();
    assert!(packets > 0 && cases.iter().all(|case| case["packets"] == packets));
    assert_eq!((of("decode")["events"].as_u64(), of("TLS")["events"].as_u64()), (Some(0), Some(0)));
    let events = run(["read", "-q", "--only", "tcp", "pcaps/real/v4.pcap"]).stdout.lines().count();
    assert_eq!(of("TCP")["events"], events);
    assert_eq!(of("TCP, named")["events"], events);
    assert!(of("everything")["nanoseconds_per_packet"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_table_tells_what_a_full_link_would_take() {
    let finished = run(["bench", "--rounds", "1", "pcaps/real/v4.pcap"]);
    let lines: Vec<_> = finished.stdout.lines().collect();
    let heads: Vec<_> = (0..lines.len()).filter(|&at| lines[at].starts_with("case")).collect();
    assert_eq!((heads.as_slice(), lines.len()), (&[3, 20][..], 26), "{}", finished.stdout);
    assert!(heads.iter().all(|&at| lines[at].ends_with("10 Gbps")), "{}", finished.stdout);
    assert!(lines[2].starts_with("CPU time of all threads together, "), "{}", lines[2]);
    assert!(lines[19].starts_with("Time by the clock on "), "{}", lines[19]);
}

#[test]
fn workers_find_what_one_thread_does_and_are_measured_by_the_clock_too() {
    let finished = run(["bench", "-o", "json", "--rounds", "1", "pcaps/real/http_servers.pcap"]);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    let cases = records(&finished.stdout);
    let all = cases.iter().find(|case| case["case"] == "everything").unwrap();
    assert!(all["workers"] == 0 && all["events"].as_u64() > Some(0), "{all}");
    for (name, workers) in [("1 worker", 1), ("2 workers", 2), ("4 workers", 4), ("8 workers", 8)] {
        let case = cases.iter().find(|case| case["workers"] == workers).unwrap();
        assert_eq!(case["case"], format!("everything, {name}"));
        assert_eq!(case["events"], all["events"]);
        let packets = case["packets"].as_f64().unwrap();
        let seconds = case["clock_nanoseconds"].as_f64().unwrap() / 1e9;
        let rate = case["clock_packets_per_second"].as_f64().unwrap();
        assert!(seconds > 0.0 && (rate * seconds / packets - 1.0).abs() < 1e-6, "{case}");
    }
}

#[test]
fn a_capture_may_come_from_standard_input_and_is_never_written_over() {
    let path = testkit::corpus::path("real/v4.pcap");
    let capture = std::fs::read(&path).unwrap();
    let args = ["bench", "-o", "json", "--rounds", "1", "-"];
    let finished = run_with_stdin(args, &capture);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    let packets =
        &records(&run(["bench", "-o", "json", "--rounds", "1", "pcaps/real/v4.pcap"]).stdout)[0]["packets"];
    assert_eq!(&records(&finished.stdout)[0]["packets"], packets);

    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.pcap");
    std::fs::copy(&path, &copy).unwrap();
    for verb in ["bench", "hello"] {
        let args = [verb, "-", "-o", &format!("text:{}", copy.display())];
        let refused = finish(command(args).stdin(File::open(&copy).unwrap()).spawn().unwrap());
        assert_eq!(refused.status, Some(2), "{}", refused.stderr);
        assert_eq!(std::fs::read(&copy).unwrap(), capture);
    }
    let twice = run(["bench", "-", "-"]);
    let told = "huginn-net: standard input can be read only once\n";
    assert_eq!((twice.status, twice.stderr.as_str()), (Some(2), told));
}

#[test]
fn what_an_analysis_takes_without_a_packet_is_told_beside_what_it_takes() {
    let json = run(["bench", "-o", "json", "--rounds", "1", "pcaps/real/v4.pcap"]);
    for case in records(&json.stdout) {
        let of = |field: &str| case[field].as_f64().unwrap();
        assert!(of("nanoseconds_without_packets") > 0.0, "{case}");
        let in_all = of("nanoseconds_per_packet") * of("packets");
        assert!((of("nanoseconds") - in_all).abs() < 1.0, "{case}");
    }
    let table = run(["bench", "--rounds", "1", "pcaps/real/v4.pcap"]).stdout;
    const TOLD: &str = "Begin and end of an analysis take up to ";
    let last = table.lines().find(|line| line.starts_with(TOLD)).unwrap();
    let share = last.strip_prefix(TOLD).unwrap();
    let (share, rest) = share.split_once(" % of these times").unwrap();
    assert!((0.0..=100.0).contains(&share.parse::<f64>().unwrap()), "{last}");
    assert_eq!(rest, ", less with more packets.");
}

#[test]
fn what_cannot_be_measured_is_an_error() {
    let missing = run(["bench", "no-such.pcap"]);
    assert_eq!((missing.status, missing.stdout.as_str()), (Some(4), ""));
    assert_eq!(missing.stderr.lines().count(), 1, "{}", missing.stderr);
    let text = run(["bench", "README.md"]);
    assert!(matches!(text.status, Some(3 | 4)) && text.stdout.is_empty());
}

#[test]
fn a_damaged_capture_is_measured_as_far_as_it_goes_and_the_byte_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.pcap");
    let whole = std::fs::read(testkit::corpus::path("real/v4.pcap")).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let finished = run(["bench", "-o", "json", "--rounds", "1", path.to_str().unwrap()]);
    assert_eq!(finished.status, Some(3));
    assert!(finished.stderr.contains("the file ends within a record at byte "), "{}", finished.stderr);
    assert!(records(&finished.stdout)[0]["packets"].as_u64().unwrap() > 0);
}

#[test]
fn no_more_packets_are_held_than_memory_allows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.pcap");
    let mut pcap = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0];
    for _ in 0..40 {
        pcap.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x80, 0, 0]);
        pcap.extend([0; 0x8000]);
    }
    std::fs::write(&path, pcap).unwrap();
    let finished = run(["bench", "-o", "json", "--rounds", "1", "--memory", "1", path.to_str().unwrap()]);
    assert!(finished.stderr.contains("the first 32 packets are used"), "{}", finished.stderr);
    assert_eq!(records(&finished.stdout)[0]["packets"], 32);
}
