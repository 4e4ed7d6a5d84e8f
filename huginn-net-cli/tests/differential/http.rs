//! Heads of HTTP/1, read by p0f and by this project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use testkit::corpus;

use crate::{P0F_SIGNATURES, name, ours, records_of_p0f};

/// Captures of which p0f has signatures that we have not, and why.
const DEVIATIONS: &[(&str, &str)] = &[
    ("h22_ver2", "it takes HTTP/1.2 for HTTP/1.0"),
    ("http_minimal", "of a head in several segments it loses the field that each begins with"),
];

/// How often each raw signature was seen.
type Signatures = BTreeMap<String, u64>;

fn counted(signatures: impl Iterator<Item = String>) -> Signatures {
    let mut counts = Signatures::new();
    signatures.for_each(|signature| *counts.entry(signature).or_default() += 1);
    counts
}

fn of_ours(capture: &Path) -> Signatures {
    let signature = |record: serde_json::Value| Some(record["huginn.http.signature"].as_str()?.to_owned());
    counted(ours(capture, false).into_iter().filter_map(signature))
}

fn of_p0f(capture: &Path) -> Signatures {
    let of_http = |fields: BTreeMap<String, String>| {
        matches!(fields["mod"].as_str(), "http request" | "http response").then(|| fields["raw_sig"].clone())
    };
    counted(records_of_p0f(capture, Path::new(P0F_SIGNATURES)).into_iter().filter_map(of_http))
}

/// p0f sees the first request and response of a connection, of few methods; we see more, but nothing that it sees otherwise.
#[test]
fn every_signature_of_p0f_is_one_of_ours() {
    let folders = ["http", "real", "tcp", "tls/pcap"];
    let captures = folders.into_iter().flat_map(corpus::captures);
    let (mut compared, mut deviating) = (0, Vec::new());
    for capture in captures.collect::<Vec<PathBuf>>() {
        let (ours, theirs) = (of_ours(&capture), of_p0f(&capture));
        compared += theirs.values().sum::<u64>();
        let missing =
            |(signature, count): &(&String, &u64)| ours.get(*signature).is_none_or(|ours| ours < *count);
        let missing: Vec<_> = theirs.iter().filter(missing).collect();
        if !missing.is_empty() {
            println!("{}: p0f {missing:?}, ours {ours:?}", name(&capture));
            deviating.push(name(&capture).to_owned());
        }
    }
    assert!(compared > 300, "{compared} signatures");
    let known: Vec<_> = DEVIATIONS.iter().map(|(name, _reason)| (*name).to_owned()).collect();
    assert_eq!(deviating, known);
}
