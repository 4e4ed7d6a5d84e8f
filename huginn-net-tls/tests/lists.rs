//! List forms read back from text: every form of the corpus leads to the hashed forms that are expected.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that meets something unexpected has failed"
)]

use huginn_net_tls::{Ja3Lists, Ja4ListHashes, Ja4Lists};
use serde_json::Value;

fn expected() -> Vec<Value> {
    ["tls/hello.json", "tls/quic.json"]
        .into_iter()
        .flat_map(|table| {
            let text = std::fs::read_to_string(testkit::corpus::path(table)).unwrap();
            let table: Value = serde_json::from_str(&text).unwrap();
            table["vectors"].as_array().unwrap().clone()
        })
        .map(|vector| vector["expected"].clone())
        .filter(|expected| !expected.is_null())
        .collect()
}

fn text<'a>(expected: &'a Value, form: &str) -> &'a str {
    expected[form].as_str().unwrap()
}

#[test]
fn every_list_form_of_ja4_leads_to_the_hashed_forms() {
    for expected in expected() {
        let (r, ro, s1r) = (text(&expected, "ja4_r"), text(&expected, "ja4_ro"), text(&expected, "ja4_s1r"));
        let sorted = Ja4Lists::parse(r).unwrap();
        let sent = Ja4Lists::parse(ro).unwrap();
        let stable = Ja4Lists::parse(s1r).unwrap();
        for (lists, text) in [(&sorted, r), (&sent, ro), (&stable, s1r)] {
            assert_eq!(lists.to_string(), text);
        }
        for lists in [&sorted, &sent] {
            assert_eq!(lists.ja4().as_str(), text(&expected, "ja4"), "{lists}");
        }
        assert!(!sorted.is_as_sent(), "{r}");
        // A list that happens to be sorted, without server name and ALPN, may be either form.
        if let Some(ja4_o) = sent.ja4_o() {
            assert_eq!(ja4_o.as_str(), text(&expected, "ja4_o"), "{ro}");
        }
        let ja4_s1 = text(&expected, "ja4_s1");
        for lists in [&sorted, &sent, &stable] {
            // With 99 extensions or more it is not known how many are left.
            let derived = lists.ja4_s1();
            if derived.is_some() || lists.part_a().get(6..8) != Some("99") {
                assert_eq!(derived.unwrap().as_str(), ja4_s1, "{lists}");
            }
        }
        assert_eq!(stable.ja4().as_str(), ja4_s1, "{s1r}");
    }
}

#[test]
fn hashes_that_are_remembered_are_those_of_each_list_alone() {
    let mut hashes = Ja4ListHashes::default();
    for expected in expected() {
        for form in ["ja4_r", "ja4_ro", "ja4_s1r"] {
            let lists = Ja4Lists::parse(text(&expected, form)).unwrap();
            assert_eq!((hashes.ja4(&lists), hashes.ja4_s1(&lists)), (lists.ja4(), lists.ja4_s1()));
        }
    }
}

#[test]
fn the_text_of_every_ja3_leads_to_its_hashes() {
    let mut malformed = 0;
    for expected in expected() {
        let lists = Ja3Lists::parse(text(&expected, "ja3_full")).unwrap();
        assert_eq!(lists.to_string(), text(&expected, "ja3_full"));
        assert_eq!(lists.ja3().to_string(), text(&expected, "ja3"));
        assert_eq!(lists.ja3n().to_string(), text(&expected, "ja3n"));
        malformed += u32::from(lists.cipher_suites().is_empty());
    }
    assert!(malformed > 0, "hellos without cipher suites are among them");
}
