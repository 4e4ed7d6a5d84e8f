//! Every capture of `pcaps/tls` and what is expected of it.

use std::collections::BTreeMap;

use serde_json::Value;
use testkit::capture::Capture;
use testkit::corpus;

use crate::watch::{Watch, watch};

pub(crate) fn open(relative: &str) -> Capture {
    Capture::open(&corpus::path("tls").join(relative))
}

pub(crate) fn table(relative: &str, list: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(corpus::path(relative)).unwrap();
    let mut table: Value = serde_json::from_str(&text).unwrap();
    match table[list].take() {
        Value::Array(entries) => entries,
        other => panic!("{relative}: {other}"),
    }
}

/// The captures of `tcp.json` with the fingerprints that are expected, in order.
pub(crate) fn tcp_cases() -> Vec<(String, Vec<String>)> {
    let cases = table("tls/tcp.json", "cases");
    assert_eq!(cases.len(), 26);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    cases
        .iter()
        .map(|case| {
            (text(&case["file"]), case["expected_ja4"].as_array().unwrap().iter().map(text).collect())
        })
        .collect()
}

/// The captures of `hello.json` with the entries that were taken from them.
pub(crate) fn hello_captures() -> BTreeMap<String, Vec<Value>> {
    let mut captures: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for entry in table("tls/hello.json", "vectors") {
        captures.entry(entry["pcap"].as_str().unwrap().to_owned()).or_default().push(entry);
    }
    assert_eq!(captures.len(), 242);
    captures
}

/// That a capture gives every entry once: the same message, which is more than the same fingerprint.
pub(crate) fn check_entries(capture: &str, entries: &[Value], watch: &Watch, how: &str) {
    for entry in entries {
        let (name, expected) = (&entry["name"], &entry["expected"]);
        if expected.is_null() {
            assert!(watch.hellos().is_empty(), "{capture} {how}: {name}");
            continue;
        }
        let from_port = entry["src_port"].as_u64();
        let matches = watch.hellos().into_iter().filter(|seen| {
            seen.hello.ja4().as_str() == expected["ja4"]
                && seen.hello.parsed().ja3().to_string() == expected["ja3"]
                && from_port.is_none_or(|port| u64::from(seen.origin.source.port()) == port)
                && u64::from(seen.hello_index) == entry["hello_index"].as_u64().unwrap_or(0)
        });
        assert_eq!(matches.count(), 1, "{capture} {how}: {name} {:?}", watch.ja4());
    }
}

#[test]
fn every_tcp_case_gives_its_fingerprints_in_order() {
    for (file, expected) in tcp_cases() {
        let watch = watch(&open(&file));
        assert_eq!(watch.ja4(), expected, "{file}");
        assert_eq!(watch.stats().malformed, [], "{file}");
    }
}

#[test]
fn every_capture_of_a_hello_gives_each_hello_once() {
    for (capture, entries) in hello_captures() {
        check_entries(&capture, &entries, &watch(&open(&capture)), "as recorded");
    }
}

#[test]
fn every_capture_of_quic_gives_its_hello_once_or_none() {
    let entries = table("tls/quic.json", "vectors");
    assert_eq!(entries.len(), 33);
    for entry in entries {
        let name = entry["name"].as_str().unwrap();
        let watch = watch(&open(&format!("quic-pcap/{name}.pcap")));
        let expected: Vec<&str> = entry["expected"]["ja4"].as_str().into_iter().collect();
        assert_eq!(watch.ja4(), expected, "{name}");
    }
}

#[test]
fn dtls_in_channels_of_turn_is_that_between_relay_and_peer() {
    let watch = watch(&open("relayed.pcap"));
    assert_eq!(watch.ja4(), ["dd2i040700_3c189222c1bc_a5adb184b783"; 4]);
    let hellos = watch.hellos();
    let is_relayed: Vec<_> = hellos.iter().map(|seen| seen.via.is_some()).collect();
    assert_eq!(is_relayed, [false, true, true, false]);
    let of_server = |index: usize| hellos[index].origin.source.port() == 3478;
    assert!(of_server(1) && !of_server(2));
    for legs in hellos.chunks(2) {
        assert_eq!(legs[0].hello.message(), legs[1].hello.message());
    }
    assert_eq!(watch.server_hellos().len(), 4);
}

#[test]
fn hellos_and_answers_in_packets_of_tds_are_read() {
    let watch = watch(&open("sql-server.pcap"));
    assert_eq!(watch.ja4(), ["t13i291100_723694b0fccc_5671b5df5029", "t12d270800_a2460661a67a_36cef8aed422"]);
    let via: Vec<_> = watch.hellos().iter().map(|seen| seen.via.as_ref().unwrap().kind.name()).collect();
    assert_eq!(via, ["tds", "tds"]);
    let answers: Vec<_> = watch.server_hellos().iter().map(|seen| seen.ja3s_full.to_string()).collect();
    assert_eq!(answers, ["771,4866,43-51", "771,49200,65281-11-35-23"]);
}
