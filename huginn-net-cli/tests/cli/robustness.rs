//! Damaged captures: bounded time, no panic, and as much as there is.

use std::fs;
use std::path::PathBuf;

use testkit::capture::Capture;
use testkit::container::Container;
use testkit::corpus;
use testkit::rng::Rng;

use crate::run::{Finished, records_of, run};

/// Writes these files and reads all of them in one run; files that are no longer captures are named.
fn read_all(files: impl IntoIterator<Item = Vec<u8>>) -> (Finished, usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut paths: Vec<PathBuf> = Vec::new();
    for (index, bytes) in files.into_iter().enumerate() {
        let path = folder.path().join(format!("{index:04}"));
        fs::write(&path, bytes).unwrap();
        paths.push(path);
    }
    let args = ["read", "-q", "-o", "json"].map(PathBuf::from);
    let finished = run(args.iter().chain(&paths));
    (finished, paths.len())
}

/// Every file has its record, or a message that it is no capture.
#[track_caller]
fn account_for_all(name: &str, finished: &Finished, files: usize) {
    let status = finished.status;
    assert!(status == Some(0) || status == Some(3), "{name}: {status:?}: {}", finished.stderr);
    let read = records_of(&finished.stdout, "huginn.input").len();
    let refused = finished
        .stderr
        .lines()
        .filter(|line| line.contains(": not a capture of") || line.contains(": empty: "))
        .count();
    assert_eq!(read + refused, files, "{name}: {}", finished.stderr);
}

fn capture(relative: &str) -> Capture {
    Capture::open(&corpus::path(relative))
}

#[test]
fn a_capture_cut_at_every_byte_is_read_as_far_as_it_goes() {
    let capture = capture("real/v4.pcap");
    for container in Container::ALL {
        let whole = container.write(&capture);
        let (finished, files) = read_all((0..whole.len()).map(|len| whole[..len].to_vec()));
        account_for_all(container.name, &finished, files);
        assert_eq!(finished.status, Some(3), "{}", container.name);
    }
}

#[test]
fn a_cut_capture_keeps_the_events_before_the_cut() {
    let whole = fs::read(corpus::path("real/v4.pcap")).unwrap();
    let syn_ends = 24 + 16 + 74;
    let (finished, files) = read_all((syn_ends..whole.len()).map(|len| whole[..len].to_vec()));
    assert_eq!(records_of(&finished.stdout, "huginn.tcp.syn").len(), files);
}

#[test]
fn captures_with_flipped_bytes_are_read_to_their_end() {
    const SEEDS: u64 = 1_000;
    let sources: Vec<Vec<u8>> = ["real/tsoff.pcap", "real/scan_nmap_O.pcap", "tcp/n13_vxlan.pcap"]
        .into_iter()
        .flat_map(|relative| Container::ALL.iter().map(move |container| container.write(&capture(relative))))
        .collect();
    let (finished, files) = read_all((0..SEEDS).map(|seed| {
        let mut rng = Rng::new(seed);
        let mut bytes = sources[rng.below(sources.len())].clone();
        for _ in 0..=rng.below(16) {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
        bytes
    }));
    account_for_all("flipped", &finished, files);
}

#[test]
fn files_of_random_bytes_behind_a_magic_are_read_to_their_end() {
    let magics: [&[u8]; 5] = [
        &[0xd4, 0xc3, 0xb2, 0xa1],
        &[0x4d, 0x3c, 0xb2, 0xa1],
        &[0x0a, 0x0d, 0x0d, 0x0a],
        &[0x1f, 0x8b, 8, 0],
        &[0x28, 0xb5, 0x2f, 0xfd],
    ];
    let (finished, files) = read_all((0..200).map(|seed| {
        let mut rng = Rng::new(seed);
        let mut bytes = magics[rng.below(magics.len())].to_vec();
        let len = rng.below(4_096);
        bytes.extend(rng.bytes(len));
        bytes
    }));
    account_for_all("random", &finished, files);
}
