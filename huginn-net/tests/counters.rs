//! What is counted, and that the documents explain it.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use huginn_net::{CaptureFile, HuginnNet, Undecoded};
use testkit::corpus;
use testkit::rng::Rng;

/// Names in the documents, which stand between backticks.
fn explained() -> BTreeSet<&'static str> {
    let documents = [include_str!("../../docs/counters.md"), include_str!("../../docs/limits.md")];
    documents.iter().flat_map(|text| text.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_name_that_captures_and_damaged_ones_bring_is_explained() {
    let (explained, mut rng) = (explained(), Rng::new(7));
    let mut counted: BTreeSet<_> = Undecoded::ALL.iter().map(|reason| reason.name()).collect();
    for path in corpus::files() {
        let whole = std::fs::read(&path).expect("a file");
        if CaptureFile::from_bytes(&*whole).is_err() {
            continue;
        }
        // As it is, and with bytes changed, so that more is wrong with it.
        for changed in [0, 16, 256] {
            let mut bytes = whole.clone();
            for _ in 0..changed {
                // Behind the header of a file and a record.
                let at = 40 + rng.below(bytes.len().saturating_sub(40).max(1));
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.below(8);
                }
            }
            let Ok(capture) = CaptureFile::from_bytes(bytes) else { continue };
            let mut events = HuginnNet::new().analyze(capture);
            events.by_ref().for_each(drop);
            let analysis = events.stats().analysis;
            for counts in [&analysis.malformed, &analysis.seen, &analysis.limits_hit] {
                counted.extend(counts.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name));
            }
        }
    }
    assert!(counted.len() > 50, "{counted:?}");
    let missing: Vec<_> = counted.difference(&explained).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
