//! Clients of HTTP/2 by the bytes they begin with.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that meets something unexpected has failed"
)]

use std::collections::BTreeSet;
use std::fs;

use huginn_net_core::Progress;
use huginn_net_db::{Client, ClientKey, Database};
use huginn_net_http::{AkamaiFingerprint, AkamaiReader, Http2Setting, Http2SettingId, Http2Settings};
use serde_json::Value;
use testkit::alloc::{Allocations, measure};
use testkit::corpus;

/// Names and recordings of clients, with what was read of them. A stream that asks for an upgrade begins with HTTP/1.1.
fn recorded() -> Vec<(String, String, AkamaiFingerprint)> {
    let table: Value =
        serde_json::from_str(&fs::read_to_string(corpus::path("http2/clients.json")).unwrap()).unwrap();
    let vectors = table["vectors"].as_array().unwrap().iter().filter(|vector| vector["origin"] == "recorded");
    let read = |vector: &Value| {
        let text = |key: &str| vector[key].as_str().unwrap_or_default().to_owned();
        let bytes = fs::read(corpus::path(&format!("http2/{}", text("file")))).unwrap();
        let mut reader = AkamaiReader::new();
        let Ok(Progress::Done(seen)) = reader.push(&bytes) else { return None };
        assert_eq!(seen.akamai().to_string(), vector["expected"]["akamai"].as_str().unwrap());
        Some((text("name"), text("client"), seen.clone()))
    };
    vectors.filter_map(read).collect()
}

/// Whether the text names the client, as a program or as what a library imitates.
fn names(text: &str, client: &Client) -> bool {
    let first = client.name.split(' ').next().unwrap_or_default();
    text.to_ascii_lowercase()
        .replace('_', "-")
        .contains(&first.to_ascii_lowercase().replace(".js", "").replace('_', "-"))
}

#[test]
fn every_recorded_client_is_among_those_that_begin_so() {
    let database = Database::bundled();
    let mut seen_labels = BTreeSet::new();
    for (name, client, seen) in recorded() {
        let found = database.match_akamai(&seen).unwrap_or_else(|| panic!("{name}: {}", seen.akamai()));
        assert_eq!(found.key, ClientKey::Akamai);
        let mut clients = found.records().flat_map(|record| record.clients.iter());
        assert!(
            clients.any(|attribution| names(&format!("{name} {client}"), &attribution.client)),
            "{name}: {client} is {}",
            found.label
        );
        assert_eq!(
            database.match_akamai_hash(seen.akamai_n().hash()).map(|found| found.label.to_string()),
            Some(found.label.to_string())
        );
        seen_labels.insert(found.label.to_string());
    }
    assert!(seen_labels.len() >= 20, "{seen_labels:?}");
}

#[test]
fn grease_is_not_compared_and_nothing_is_allocated() {
    let (_, _, mut seen) = recorded().into_iter().find(|(name, ..)| name.starts_with("chromium")).unwrap();
    let database = Database::bundled();
    let label = database.match_akamai(&seen).unwrap().label.to_string();
    let mut settings = seen.settings.as_ref().unwrap().list().to_vec();
    settings.insert(1, Http2Setting { id: Http2SettingId(0x7a9a), value: 5 });
    seen.settings = Some(Http2Settings::from(settings));
    let (found, allocations) = measure(|| database.match_akamai(&seen));
    assert_eq!(found.map(|found| found.label.to_string()), Some(label));
    assert_eq!(allocations, Allocations::NONE);
}
