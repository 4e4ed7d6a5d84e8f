//! Every hello of `pcaps/tls` through the command: what is expected of it, in JSON, and once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use testkit::capture::{Capture, Endian, Record};
use testkit::container::{Pcap, pcap};
use testkit::corpus;
use testkit::encap::link::link_type;
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::run::{records, records_of, run, run_with_stdin};

const CLIENT_HELLO: &str = "huginn.tls.client_hello";
const SERVER_HELLO: &str = "huginn.tls.server_hello";

/// The keys of fingerprints, and what the tables of the corpus call them.
pub(crate) const FINGERPRINTS: [(&str, &str); 9] = [
    ("tls.client.ja4", "ja4"),
    ("tls.client.ja3", "ja3"),
    ("huginn.tls.ja4_r", "ja4_r"),
    ("huginn.tls.ja4_o", "ja4_o"),
    ("huginn.tls.ja4_ro", "ja4_ro"),
    ("huginn.tls.ja4_s1", "ja4_s1"),
    ("huginn.tls.ja4_s1r", "ja4_s1r"),
    ("huginn.tls.ja3_full", "ja3_full"),
    ("huginn.tls.ja3n", "ja3n"),
];

const SECOND: u64 = 1_000_000_000;

fn table(file: &str, list: &str) -> Vec<Value> {
    let text = fs::read_to_string(corpus::path("tls").join(file)).unwrap();
    let table: Value = serde_json::from_str(&text).unwrap();
    table[list].as_array().unwrap().clone()
}

/// The records of all captures by their path below `pcaps/tls`.
struct Seen(BTreeMap<String, Vec<Value>>);

impl Seen {
    fn in_folder(folder: &str) -> Self {
        let finished =
            run(["read", "-q", "-R", "--only", "tls", "-o", "json", &format!("pcaps/tls/{folder}")]);
        // In the folder of all, tables are beside them.
        let status = if folder.is_empty() { 3 } else { 0 };
        assert_eq!(finished.status, Some(status), "{}", finished.stderr);
        let mut seen: BTreeMap<_, Vec<Value>> = BTreeMap::new();
        for record in records(&finished.stdout) {
            if let Some(capture) = record["log.file.path"].as_str() {
                let capture = capture.strip_prefix("pcaps/tls/").unwrap().to_owned();
                seen.entry(capture).or_default().push(record);
            }
        }
        Self(seen)
    }

    fn of(&self, capture: &str, dataset: &str) -> Vec<&Value> {
        let all = self.0.get(capture).unwrap_or_else(|| panic!("{capture} was not read"));
        all.iter().filter(|record| record["event.dataset"] == dataset).collect()
    }

    /// The fingerprinted ClientHellos of a capture.
    fn hellos(&self, capture: &str) -> Vec<&Value> {
        let mut hellos = self.of(capture, CLIENT_HELLO);
        hellos.retain(|record| record.get("tls.client.ja4").is_some());
        hellos
    }
}

fn has_fingerprints(record: &Value, expected: &Value) -> bool {
    FINGERPRINTS.iter().all(|(key, form)| record[key] == expected[form])
}

#[test]
fn every_hello_is_recorded_once_with_all_its_fingerprints() {
    let seen = Seen::in_folder("");
    let entries = table("hello.json", "vectors");
    assert_eq!(entries.len(), 254);
    for entry in entries {
        let (name, capture) = (&entry["name"], entry["pcap"].as_str().unwrap());
        let hellos = seen.hellos(capture);
        if entry["expected"].is_null() {
            assert_eq!(hellos, [&Value::Null; 0], "{name}");
            continue;
        }
        let transport = if entry["transport"] == "tls" { &json!("tcp") } else { &entry["transport"] };
        let of_entry = |record: &&&Value| {
            has_fingerprints(record, &entry["expected"])
                && record["huginn.tls.transport"] == *transport
                && record["huginn.tls.hello_index"] == entry["hello_index"].as_u64().unwrap_or(0)
                && entry.get("src_port").is_none_or(|port| record["source.port"] == *port)
        };
        assert_eq!(hellos.iter().filter(of_entry).count(), 1, "{name}: {hellos:#?}");
        assert!(hellos.len() == 1 || entry["origin"] == "recorded", "{name}: {hellos:#?}");
    }
}

#[test]
fn every_hello_of_quic_is_recorded_once_with_how_it_came() {
    let seen = Seen::in_folder("quic-pcap");
    let entries = table("quic.json", "vectors");
    assert_eq!((entries.len(), seen.0.len()), (33, 33));
    for entry in entries {
        let name = entry["name"].as_str().unwrap();
        let hellos = seen.hellos(&format!("quic-pcap/{name}.pcap"));
        if entry["expected"].is_null() {
            assert_eq!(hellos, [&Value::Null; 0], "{name}");
            continue;
        }
        let [hello] = hellos[..] else { panic!("{name}: {hellos:#?}") };
        assert!(has_fingerprints(hello, &entry["expected"]), "{name}: {hello:#}");
        assert_eq!(
            (&hello["huginn.tls.transport"], &hello["network.transport"]),
            (&json!("quic"), &json!("udp"))
        );
        let quic = &hello["huginn.tls.quic"];
        // Those made by hand do not say it.
        if entry["origin"] == "recorded" {
            assert_eq!(quic["version"], entry["version"], "{name}");
            assert_eq!(quic["token_len"], entry["token_len"], "{name}");
            assert_eq!(quic["dcid_len"], entry["dcid"].as_str().unwrap().len() / 2, "{name}");
        }
    }
}

#[test]
fn every_delivery_over_tcp_gives_its_fingerprints_in_order() {
    let seen = Seen::in_folder("tcp");
    let cases = table("tcp.json", "cases");
    assert_eq!((cases.len(), seen.0.len()), (26, 26));
    for case in cases {
        let file = case["file"].as_str().unwrap();
        let ja4: Vec<_> = seen.hellos(file).iter().map(|record| record["tls.client.ja4"].clone()).collect();
        assert_eq!(Value::from(ja4), case["expected_ja4"], "{file}");
    }
}

fn stream(frames: impl IntoIterator<Item = (u64, Vec<u8>)>) -> Vec<u8> {
    let records =
        frames.into_iter().map(|(nanos, bytes)| Record::whole(1_700_000_000 * SECOND + nanos, bytes));
    pcap(Pcap::Nanos, Endian::Little, &Capture { link_type: link_type::RAW, records: records.collect() })
}

/// Not each of these answers is in a capture; each is one here.
#[test]
fn every_server_hello_is_recorded_once_with_its_ja3s() {
    let entries = table("ja3s.json", "vectors");
    assert_eq!(entries.len(), 11);
    let frames = entries.iter().zip(10_000..).map(|(entry, port)| {
        let message = fs::read(corpus::path("tls").join(entry["file"].as_str().unwrap())).unwrap();
        let record =
            [&[22, 3, 3][..], &u16::try_from(message.len()).unwrap().to_be_bytes(), &message].concat();
        let segment = Tcp::new(443, port).sequence(1).flags(flags::ACK).payload(&record);
        (0, Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1]).tcp(&segment))
    });
    let finished = run_with_stdin(["read", "-q", "-o", "json", "-"], &stream(frames));
    let seen = records_of(&finished.stdout, SERVER_HELLO);
    let told: Vec<_> = seen
        .iter()
        .map(|record| {
            (record["destination.port"].clone(), &record["tls.server.ja3s"], &record["huginn.tls.ja3s_full"])
        })
        .collect();
    let expected: Vec<_> = entries
        .iter()
        .zip(10_000..)
        .map(|(entry, port)| (json!(port), &entry["ja3s"], &entry["ja3s_full"]))
        .collect();
    assert_eq!(told, expected);
}

#[test]
fn server_hellos_of_captures_have_the_ja3s_that_are_expected() {
    let seen = Seen::in_folder("pcap");
    let mut compared = 0;
    for entry in table("ja3s.json", "vectors") {
        let capture = format!("pcap/{}.pcap", entry["name"].as_str().unwrap().trim_end_matches("-0"));
        if seen.0.contains_key(&capture) {
            let [answer] = seen.of(&capture, SERVER_HELLO)[..] else { panic!("{capture}") };
            assert_eq!(answer["tls.server.ja3s"], entry["ja3s"], "{capture}");
            assert_eq!(answer["huginn.tls.ja3s_full"], entry["ja3s_full"], "{capture}");
            compared += 1;
        }
    }
    assert_eq!(compared, 7);
}

/// What `hello` says of bytes and what `read` says of a packet that brings them.
#[test]
fn a_hello_is_the_same_in_both_commands_but_for_its_delivery() {
    let bytes = fs::read(corpus::path("tls/hello/chromium-156.0.8078.79-resumption.bin")).unwrap();
    let segment = Tcp::new(40_000, 443).sequence(1).flags(flags::ACK).payload(&bytes);
    let packet = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&segment);
    let read = run_with_stdin(["read", "-q", "-o", "json", "-"], &stream([(0, packet)]));
    let [mut seen] = records_of(&read.stdout, CLIENT_HELLO).try_into().unwrap();
    let explained = run_with_stdin(["hello", "-o", "json", "-"], &bytes);
    let [mut explained] = records(&explained.stdout).try_into().unwrap();

    let seen = seen.as_object_mut().unwrap();
    let about_hello =
        |key: &str| ["tls.", "huginn.tls.", "huginn.client."].iter().any(|prefix| key.starts_with(prefix));
    seen.retain(|key, _| about_hello(key));
    for of_delivery in ["huginn.tls.packets", "huginn.tls.hello_index", "huginn.tls.after_hrr"] {
        assert!(seen.remove(of_delivery).is_some(), "{of_delivery}");
    }
    assert!(explained.as_object_mut().unwrap().remove("huginn.explain").is_some());
    assert_eq!(Value::Object(seen.clone()), explained);
}

/// A line of the summary, by how it is headed.
fn line_of(summary: &str, title: &str) -> Option<String> {
    let line = summary.lines().find_map(|line| line.strip_prefix("  ")?.strip_prefix(title))?;
    Some(line.trim_start().to_owned())
}

#[test]
fn the_summary_tells_how_hellos_came() {
    let captures = [
        "pcap/chromium-156.0.8078.79",
        "pcap/gnutls-3.7.9-dtls",
        "pcap-hand/sslv2-pure",
        "quic-pcap/q-quic-go-v2",
        "quic-pcap/hand-bad-tag",
        "pcap-hand/ech-outer",
    ];
    let mut args = vec!["read".to_owned(), "-o".to_owned(), "json".to_owned()];
    args.extend(captures.map(|capture| format!("pcaps/tls/{capture}.pcap")));
    let finished = run(args);
    let line = |title| line_of(&finished.stderr, title);
    assert_eq!(
        line("TLS client").as_deref(),
        Some("7, 5 named: in one segment 1, in several 2, QUIC 1, DTLS 2, SSLv2 1"),
        "{}",
        finished.stderr
    );
    assert_eq!(line("malformed").as_deref(), Some("1: quic_not_authentic 1"));
    let [stats] = records_of(&finished.stdout, "huginn.stats").try_into().unwrap();
    assert_eq!(stats["huginn.stats.events"][CLIENT_HELLO], 7);
    assert_eq!(stats["huginn.stats.malformed"], json!({ "quic_not_authentic": 1 }));
    assert!(stats.as_object().unwrap().keys().all(|key| !key.contains("seen")), "{stats}");
}

/// 257 hellos that one source begins, of which 256 wait, and a packet when they have waited too long.
#[test]
fn the_summary_tells_which_hellos_were_given_up_and_why() {
    let hello = fs::read(corpus::path("tls/hello/hand-base-tls13.bin")).unwrap();
    let part = |port: u16, flags: u16, payload: &[u8]| {
        let segment = Tcp::new(port, 443).sequence(1).flags(flags).payload(payload);
        Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&segment)
    };
    let begun = (1..=257).map(|port| (0, part(port, flags::ACK, &hello[..100])));
    let later = [(20 * SECOND, part(1_000, flags::ACK, &hello)), (40 * SECOND, part(1_000, flags::ACK, b""))];
    let finished = run_with_stdin(["read", "-o", "json", "-"], &stream(begun.chain(later)));
    assert_eq!(
        line_of(&finished.stderr, "limits hit").as_deref(),
        Some("257: tls_pending_per_source 1, tls_pending_time 256"),
        "{}",
        finished.stderr
    );
    assert_eq!(line_of(&finished.stderr, "TLS client").as_deref(), Some("1, 0 named: in one segment 1"));
    let [stats] = records_of(&finished.stdout, "huginn.stats").try_into().unwrap();
    let expected = json!({ "tls_pending_per_source": 1, "tls_pending_time": 256 });
    assert_eq!(stats["huginn.stats.limits_hit"], expected);
}

#[test]
fn no_capture_of_the_corpus_is_left_out() {
    let seen = Seen::in_folder("");
    for folder in ["pcap", "pcap-hand", "quic-pcap", "tcp"] {
        for capture in corpus::captures(&format!("tls/{folder}")) {
            let name = Path::new(folder).join(capture.file_name().unwrap());
            assert!(seen.0.contains_key(name.to_str().unwrap()), "{}", name.display());
        }
    }
}
