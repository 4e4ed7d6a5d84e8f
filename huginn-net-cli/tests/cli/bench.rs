//! `huginn-net bench`.

use crate::run::{records, run};

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
    assert!(lines[1].starts_with("case") && lines[1].ends_with("10 Gbps"), "{}", finished.stdout);
    assert_eq!(lines.len(), 2 + 9 + 1);
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
    let last = table.lines().last().unwrap();
    let share = last.strip_prefix("Begin and end of an analysis take up to ").unwrap();
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
