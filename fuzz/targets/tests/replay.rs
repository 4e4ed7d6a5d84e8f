//! The corpora of the fuzz targets, on any compiler.

#![cfg(test)]

use std::path::{Path, PathBuf};

use fuzz_targets::ALL;
use testkit::rng::Rng;

/// The files of a folder below that of this workspace, with their names.
fn inputs(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be listed").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(&path).expect("an input"))).collect()
}

/// The inputs of a target: its corpus, and for signature files those that other tests use.
fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = inputs(&Path::new("fuzz/corpus").join(target));
    if target == "signature_file" {
        let folders = ["pcaps/db", "pcaps/fp"];
        all.extend(folders.into_iter().flat_map(|folder| inputs(Path::new(folder))));
    }
    all
}

#[test]
fn every_target_takes_every_input_of_its_corpus() {
    for (name, target) in ALL {
        let inputs = corpus(name);
        assert!(inputs.len() >= 10, "{name}: {} inputs", inputs.len());
        for (path, input) in inputs {
            // The name of the input is the last line before a failure.
            println!("{name}: {}", path.display());
            target(&input);
        }
    }
}

#[test]
fn every_target_takes_its_inputs_cut_anywhere() {
    for (name, target) in ALL {
        for (_, input) in corpus(name) {
            // Every byte of short ones, and some of long ones.
            for end in (0..input.len()).step_by(1 + input.len() / 128) {
                target(&input[..end]);
            }
        }
    }
}

#[test]
fn every_target_takes_its_inputs_with_bytes_changed_repeated_and_left_out() {
    for (name, target) in ALL {
        for (index, (_, input)) in corpus(name).into_iter().enumerate() {
            let mut rng = Rng::new(index as u64);
            for _ in 0..40 {
                target(&mutated(&input, &mut rng));
            }
        }
    }
}

fn mutated(input: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=rng.below(6) {
        if bytes.is_empty() {
            return bytes;
        }
        let at = rng.below(bytes.len());
        let len = 1 + rng.below((bytes.len() - at).min(32));
        match rng.below(5) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][rng.below(5)],
            2 => bytes[at] = bytes[rng.below(bytes.len())],
            3 => {
                let repeated = bytes[at..at + len].to_vec();
                bytes.splice(at..at, repeated);
            }
            _ => drop(bytes.drain(at..at + len)),
        }
    }
    bytes
}
