//! What the bundled signatures say of a fingerprint in text, and what resembles it.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that meets something unexpected has failed"
)]

use std::fs;

use huginn_net_db::{
    Database, Fingerprint, Found, HeaderPattern, HttpMatch, HttpRecord, KnownRecord, Neighbour,
};
use huginn_net_http::{HttpRequest, HttpResponse, HuginnNetHttp, RawSignature};
use serde_json::Value;

/// What is expected of a recorded hello, by the forms of its fingerprint.
fn expected_of(name: &str) -> Value {
    let table = fs::read_to_string(testkit::corpus::path("tls/hello.json")).unwrap();
    let table: Value = serde_json::from_str(&table).unwrap();
    let mut hellos = table["vectors"].as_array().unwrap().iter();
    hellos.find(|hello| hello["name"] == name).unwrap()["expected"].clone()
}

/// What was found by a value, and by what.
#[track_caller]
fn found(value: &str) -> Vec<(&'static str, String)> {
    let value = Fingerprint::parse(value).unwrap();
    let found = Database::bundled().match_fingerprint(&value);
    found
        .iter()
        .map(|found| match found {
            Found::Tls(found) => (found.key.name(), found.label.to_string()),
            Found::Http2(found) => (found.key.name(), found.label.to_string()),
            Found::Syn(found) => ("syn", found.record.label.to_string()),
            Found::SynAck(found) => ("syn_ack", found.record.label.to_string()),
            Found::HttpRequest(found) => ("request", found.record.label.to_string()),
            Found::HttpResponse(found) => ("response", found.record.label.to_string()),
            _ => unreachable!(),
        })
        .collect()
}

#[test]
fn one_client_is_found_by_each_of_its_fingerprints() {
    let expected = expected_of("curl-8.14.1-http1.1");
    for (form, key) in [
        ("ja4", "ja4"),
        ("ja4_r", "ja4"),
        ("ja4_ro", "ja4"),
        ("ja4_o", "ja4_o"),
        ("ja4_s1", "ja4_s1"),
        ("ja4_s1r", "ja4"),
        ("ja3", "ja3"),
        ("ja3_full", "ja3"),
        ("ja3n", "ja3n"),
    ] {
        let found = found(expected[form].as_str().unwrap());
        let by_key = found.iter().find(|(by, _)| *by == key);
        let (_, label) = by_key.unwrap_or_else(|| panic!("{form}: {found:?}"));
        assert!(label.contains("curl with OpenSSL 3.5 or newer"), "{form}: {label}");
    }
}

#[test]
fn a_shuffled_hello_is_found_by_its_sorted_text() {
    let found = found(expected_of("chromium-156.0.8078.79")["ja3_full"].as_str().unwrap());
    assert_eq!(found[0].0, "ja3n");
    assert!(found[0].1.contains("151 or newer, Chromium"), "{}", found[0].1);
}

#[test]
fn a_tcp_signature_is_read_as_syn_and_as_syn_ack() {
    let found = found("4:64+0:0:1460:mss*44,10:mss,sok,ts,nop,ws:df,id+:0");
    assert_eq!(
        found[0],
        ("syn", "Linux 6.16 or newer, or older with a larger limit of the receive buffer".to_owned())
    );
    assert_eq!(self::found("4:54+?:0:1460:mss*44,10:mss,sok,ts,nop,ws:df,id+:0")[0].0, "syn");
}

#[test]
fn what_is_not_known_is_found_nowhere() {
    assert_eq!(found("t13i010203_000000000001_000000000002"), []);
    assert_eq!(found("00112233445566778899aabbccddeeff"), []);
    assert_eq!(found("7:1|5|0|m"), []);
}

#[test]
fn values_of_no_known_form_are_refused_with_the_place() {
    for (value, at, what) in [
        ("", 0, "no JA4, no JA3"),
        ("hello", 0, "no JA4, no JA3"),
        ("0011223344556677889900aabbccddeeff", 0, "no JA4, no JA3"),
        ("t13d1516h2_8daaf6152771_02713d6af86", 35, "12 hexadecimal digits"),
        ("t13d1516h2_8daaf615277X_02713d6af862", 22, "12 hexadecimal digits"),
        ("t13d1516h2_8daaf6152771", 23, "12 hexadecimal digits"),
        ("x13d1516h2_8daaf6152771_02713d6af862", 0, "part a"),
        ("t13d1516h2_8daaf6152771_02713d6af862_0403", 36, "three parts"),
        ("t13d0200h2_1301,13x2_", 18, "four hexadecimal digits"),
        ("771,4865-,,,", 9, "a number"),
        ("1:65536;2|00|0|m", 8, "a setting"),
        ("1:1|00|0|m|p", 10, "4 fields"),
        ("1:1|00|3:0:0|m", 7, "4 numbers"),
        ("1:1|2147483648|0|m", 4, "the increment"),
        ("4:64+0:0:*:1024,0:mss::0", 9, "wildcard"),
        ("*:64+0:0:1460:1024,0:mss::0", 0, "wildcard"),
        ("4:64-:0:1460:1024,0:mss::0", 2, "TTL and the distance"),
        ("4:64+0:0:1460:*,0:mss::0", 14, "wildcard"),
        ("4:64+0:0:1460:1024,0:mss:huh:0", 25, "no quirk"),
    ] {
        let error = Fingerprint::parse(value).unwrap_err();
        assert_eq!(error.at, at, "{value}: {error}");
        assert!(error.reason.to_string().contains(what), "{value}: {error}");
    }
    let long = "1".repeat(Fingerprint::MAX_LEN + 1);
    assert_eq!(Fingerprint::parse(&long).unwrap_err().at, Fingerprint::MAX_LEN);
}

fn neighbours<'a>(database: &'a Database, value: &str) -> Vec<Neighbour<'a>> {
    database.nearest(&Fingerprint::parse(value).unwrap(), 5)
}

fn line_and_distance(neighbours: &[Neighbour<'_>]) -> Vec<(u32, u32)> {
    let line = |neighbour: &Neighbour<'_>| match neighbour.record {
        KnownRecord::Tls(record) => record.line,
        KnownRecord::Http2(record) => record.line,
        KnownRecord::Syn(record) | KnownRecord::SynAck(record) => record.line,
        _ => unreachable!(),
    };
    neighbours.iter().map(|neighbour| (line(neighbour), neighbour.distance)).collect()
}

fn parts<'a>(neighbour: &'a Neighbour<'_>) -> Vec<(&'a str, &'a str, &'a str)> {
    neighbour.differences.iter().map(|it| (it.part, it.value.as_str(), it.record.as_str())).collect()
}

#[test]
fn a_ja4_is_nearest_to_those_it_has_most_parts_in_common_with() {
    let database = Database::parse(
        "[x-tls:client]
label = client:A:
sig = ja4=t13d1516h2_aaaaaaaaaaaa_cccccccccccc
sig = ja4=t13d1516h2_bbbbbbbbbbbb_cccccccccccc
sig = ja4=q13i1617h3_aaaaaaaaaaaa_bbbbbbbbbbbb
sig = ja4=t12i0101h1_111111111111_222222222222
sig = ja4=t13d1516h1_aaaaaaaaaaaa_bbbbbbbbbbbb
sig = ja4=t13d1516h2_aaaaaaaaaaaa_bbbbbbbbbbbb
",
        "",
    )
    .unwrap();
    let near = neighbours(&database, "t13d1516h2_aaaaaaaaaaaa_bbbbbbbbbbbb");
    // Line 6 has no part in common, line 8 is equal.
    assert_eq!(line_and_distance(&near), [(7, 1), (5, 5), (3, 6), (4, 12)]);
    assert_eq!(parts(&near[0]), [("alpn", "h2", "h1")]);
    assert_eq!(parts(&near[2]), [("extensions", "bbbbbbbbbbbb", "cccccccccccc")]);
    let near = neighbours(&database, "t13d1516h2_000000000000_000000000000");
    assert_eq!(line_and_distance(&near), [(3, 12), (4, 12), (8, 12)]);
}

#[test]
fn a_value_is_compared_with_a_stable_form_only_if_it_can_be_one() {
    let signature = "ja4=t13d1518h2_aaaaaaaaaaaa_cccccccccccc ja4_s1=t13d1517h2_aaaaaaaaaaaa_dddddddddddd";
    let database =
        Database::parse(&format!("[x-tls:client]\nlabel = client:A:\nsig = {signature}\n"), "").unwrap();
    let near = neighbours(&database, "t13d1517h2_aaaaaaaaaaaa_bbbbbbbbbbbb");
    let expected = [("extension_count", "17", "18"), ("extensions", "bbbbbbbbbbbb", "cccccccccccc")];
    assert_eq!((near[0].distance, parts(&near[0])), (7, expected.to_vec()));
    let near = neighbours(&database, "t13d1517h2_bbbbbbbbbbbb_dddddddddddd");
    assert_eq!(parts(&near[0]), [("ciphers", "bbbbbbbbbbbb", "aaaaaaaaaaaa")]);
}

#[test]
fn lists_are_nearest_to_those_with_the_same_items() {
    let database = Database::parse(
        "[x-tls:client]
label = client:A:
sig = ja4_r=t13d0203h2_1301,1302_000a_0403,0804
sig = ja4_r=t13d0204h2_1301,1302_000a,0015_0403
sig = ja4_r=t12d0203h2_1301,1302_000a_0403
sig = ja4=t13d0203h2_aaaaaaaaaaaa_bbbbbbbbbbbb
",
        "",
    )
    .unwrap();
    let near = neighbours(&database, "t13d0203h2_1302,1301_0010,000a,0000_0804,0403");
    assert_eq!(line_and_distance(&near), [(3, 1), (4, 2), (5, 2)]);
    assert_eq!(parts(&near[0]), [("signature_algorithm_order", "0804,0403", "0403,0804")]);
    assert_eq!(parts(&near[1]), [("extensions", "", "0015"), ("signature_algorithms", "0804", "")]);
    let near = neighbours(&database, "771,4865-4866-255,0-10-16,29,0");
    assert_eq!(line_and_distance(&near), [(3, 1), (5, 1), (4, 2)]);
    assert_eq!(parts(&near[0]), [("cipher_suites", "00ff", "")]);
}

#[test]
fn starts_of_http2_differ_by_settings_and_parts() {
    let database = Database::parse(
        "[x-http2:client]
label = client:A:
sig = 1:65536;4:1|00|0|m,p
sig = 4:1;1:65536|00|0|m,p
sig = 1:65536;4:2|00|0|m,p
sig = 1:65536;4:1|5|3:0:0:201|p,m
",
        "",
    )
    .unwrap();
    let near = neighbours(&database, "2570:7;1:65536;4:1|00|0|m,p");
    assert_eq!(line_and_distance(&near), [(4, 1), (5, 2), (6, 3)]);
    assert_eq!(parts(&near[1]), [("settings", "4:1", "4:2")]);
    assert_eq!(
        parts(&near[2]),
        [("window", "00", "5"), ("priorities", "0", "3:0:0:201"), ("pseudo_headers", "m,p", "p,m")]
    );
}

#[test]
fn tcp_signatures_differ_by_their_fields() {
    let database = Database::parse(
        "classes = unix
[tcp:request]
label = s:unix:A:
sig = *:64:0:*:mss*44,7:mss,sok,ts,nop,ws:df,id+:0
sig = *:64:0:*:mss*20,10:mss,sok,ts,nop,ws:df,id+:0
sig = *:128:0:*:mss*44,10:mss,nop,ws:df,id+:0
sig = *:255:4:1400:%8192,1:mss,sok,ts,nop,ws:df,id+:+
",
        "",
    )
    .unwrap();
    let near = neighbours(&database, "4:60+4:0:1460:mss*44,10:mss,sok,ts,nop,ws:df:0");
    // Line 6 has other options, line 7 differs in more than three fields.
    assert_eq!(line_and_distance(&near), [(4, 2), (5, 2)]);
    assert_eq!(parts(&near[0]), [("window_scale", "mss*44,10", "mss*44,7"), ("quirks", "df", "df,id+")]);
}

#[test]
fn nothing_is_near_to_an_md5() {
    assert!(neighbours(Database::bundled(), "00112233445566778899aabbccddeeff").is_empty());
}

/// The raw signatures of the heads of a capture, each with what the head itself matches.
fn heads_of(capture: &str) -> Vec<(String, &'static str, Option<HttpRecord>)> {
    let database = Database::bundled();
    let record = |found: Option<HttpMatch<'_>>| found.map(|found| found.record.clone());
    let mut heads = Vec::new();
    for event in HuginnNetHttp::new().analyze_pcap(testkit::corpus::path(capture)).unwrap() {
        let event = event.unwrap();
        let (signature, kind, record) = if let Some(head) = event.request().and_then(HttpRequest::http1) {
            (head.signature(), "request", record(database.match_request(&head)))
        } else if let Some(head) = event.response().and_then(HttpResponse::http1) {
            (head.signature(), "response", record(database.match_response(&head)))
        } else {
            continue;
        };
        let signature = signature.filter(RawSignature::can_be_read_back).unwrap();
        heads.push((signature.to_string(), kind, record));
    }
    heads
}

#[test]
fn a_raw_signature_of_a_head_finds_what_the_head_does_unless_that_takes_a_value_it_does_not_print() {
    for capture in ["real/http_tools.pcap", "real/http_servers.pcap", "real/http_clients.pcap"] {
        let mut known = 0;
        for (signature, kind, record) in heads_of(capture) {
            let found = found(&signature).into_iter().find(|(of, _)| *of == kind).map(|(_, label)| label);
            let is_printed = |header: &HeaderPattern| {
                header.value.is_none() || signature.contains(&format!("{}=[", header.name))
            };
            match record {
                Some(record) if !record.signature.required().all(is_printed) => {}
                record => {
                    known += usize::from(record.is_some());
                    let label = record.map(|record| record.label.to_string());
                    assert_eq!(found, label, "{kind} {signature}");
                }
            }
        }
        assert!(known >= 10, "{capture}: {known}");
    }
}

#[test]
fn a_raw_signature_of_a_head_is_told_from_a_start_of_http2_and_from_tcp() {
    for (text, expected) in [
        ("1:Host,User-Agent,Accept=[*/*]:Connection:curl/8.0", "raw HTTP signature"),
        ("0:::", "raw HTTP signature"),
        ("1:X=[1|2]::", "raw HTTP signature"),
        ("1:65536;2:0|15663105|0|m,a,s,p", "Akamai string"),
        ("4:64+0:0:1460:8192,0:mss:df:0", "raw TCP signature"),
    ] {
        assert_eq!(Fingerprint::parse(text).unwrap().description(), expected, "{text}");
    }
    for (text, at) in [
        ("*:Host::", 0),
        ("1:Host", 6),
        ("1:Host:", 7),
        ("1:Host,=[x]::", 7),
        ("1:Host=[x::", 7),
        ("0:Host:a b:", 8),
    ] {
        assert_eq!(Fingerprint::parse(text).map_err(|error| error.at), Err(at), "{text}");
    }
}
