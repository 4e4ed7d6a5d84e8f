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

/// `grpc-java-netty/1.3.0` starts as 1.70.0, which was recorded.
#[test]
fn a_start_tells_versions_where_others_are_known_to_start_otherwise_and_not_else() {
    let database = Database::bundled();
    let start = |text: &str| {
        let record =
            database.http2_clients().iter().find(|record| record.signature.akamai().to_string() == text);
        database.match_akamai_hash(record.unwrap().signature.akamai().hash()).unwrap()
    };
    for (text, label) in [
        ("2:0;3:0;4:1048576;6:8192|983041|0|a,p,m,s", "gRPC of Java with Netty"),
        ("4:65535|00|0|a,m,p,s", "gRPC of Node.js"),
        ("|00|0|m,s,p,a", "gRPC of Go"),
        ("|00|0|s,a,m,p", "Node.js http2 before 16"),
        ("|00|0|p,m,a,s", "Node.js http2 after 14"),
        ("2:0;4:4194304;6:10485760|1073741824|0|a,m,p,s", "Go before 1.26"),
        ("2:0;4:4194304;5:16384;6:10485760|1073741824|0|a,m,p,s", "Go after 1.19"),
        ("3:100;4:65535|00|3:0:0:201,5:0:0:101,7:0:0:1,9:0:7:1,11:0:3:1|m,p,s,a", "nghttp"),
    ] {
        assert_eq!(start(text).label.to_string(), label, "{text}");
    }
    let curl = start("3:100;4:33554432;2:0|33488897|0|m,p,s,a").label.to_string();
    assert!(curl.starts_with("curl before 8.14.1, git with libcurl before 8.14.1"), "{curl}");
}
