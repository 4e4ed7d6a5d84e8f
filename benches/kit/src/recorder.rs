//! Keeps what Criterion measures.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use huginn_net_core::capacity::{CapacityTable, Load};
use serde::Deserialize;

use crate::report::{Measured, Report, folder};

/// What is known of a case besides its time.
#[derive(Clone, Debug)]
pub struct Note {
    section: String,
    name: String,
    events: Option<u64>,
    allocations: Option<u64>,
    workers: Option<u32>,
}

impl Note {
    /// A note on the function `name` in the Criterion group `section`.
    #[must_use]
    pub fn on(section: impl Into<String>, name: impl Into<String>) -> Self {
        Self { section: section.into(), name: name.into(), events: None, allocations: None, workers: None }
    }

    /// Events that come out of one round.
    #[must_use]
    pub fn events(self, events: u64) -> Self {
        Self { events: Some(events), ..self }
    }

    /// Allocations of one round.
    #[must_use]
    pub fn allocations(self, allocations: u64) -> Self {
        Self { allocations: Some(allocations), ..self }
    }

    /// Workers that share the packets.
    #[must_use]
    pub fn workers(self, workers: u32) -> Self {
        Self { workers: Some(workers), ..self }
    }
}

/// The cases of one bench.
#[derive(Debug)]
pub struct Recorder {
    protocol: &'static str,
    notes: Mutex<Vec<Note>>,
}

impl Recorder {
    /// Nothing recorded yet. `protocol` names the report.
    #[must_use]
    pub const fn new(protocol: &'static str) -> Self {
        Self { protocol, notes: Mutex::new(Vec::new()) }
    }

    /// Remembers what is known of a case.
    pub fn note(&self, note: Note) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }

    /// Runs the groups of a bench, prints what their cases mean for full links, and writes the report to [`folder`]: for
    /// every case that has a throughput in elements, which are packets, or what else the group counts. A pass that only
    /// tests the bench (`--test`) measures nothing and leaves the report of the last one.
    ///
    /// # Panics
    /// If what Criterion left cannot be read, or the report cannot be written.
    pub fn run(&self, benches: impl FnOnce()) {
        let started = SystemTime::now();
        benches();
        let criterion = folder().with_file_name("criterion");
        let mut cases = measured_since(started, &criterion).expect("what Criterion measured can be read");
        let notes = std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner));
        for case in &mut cases {
            let of_case = |note: &&Note| note.section == case.section && note.name == case.name;
            if let Some(note) = notes.iter().find(of_case) {
                (case.events, case.allocations, case.workers) = (note.events, note.allocations, note.workers);
            }
        }
        if cases.is_empty() {
            return;
        }
        let rows: Vec<_> =
            cases.iter().map(|case| (format!("{}: {}", case.section, case.name), Load::from(case))).collect();
        println!("\nMedians:\n{}", CapacityTable(&rows));
        let path = Report::new(self.protocol, cases).write(&folder()).expect("the report can be written");
        println!("Written to {}", path.display());
    }
}

/// `benchmark.json` of Criterion.
#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
    throughput: Option<Throughput>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Throughput {
    elements: Option<u64>,
}

/// `estimates.json` of Criterion.
#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

/// The cases measured since then, in the order in which they ran.
fn measured_since(started: SystemTime, criterion: &Path) -> io::Result<Vec<Measured>> {
    let mut found = Vec::new();
    visit(criterion, &mut |folder| {
        let Ok(modified) = fs::metadata(folder.join("estimates.json")).and_then(|file| file.modified())
        else {
            return Ok(());
        };
        if modified >= started {
            let benchmark: Benchmark = serde_json::from_slice(&fs::read(folder.join("benchmark.json"))?)?;
            let estimates: Estimates = serde_json::from_slice(&fs::read(folder.join("estimates.json"))?)?;
            if let Some(packets) = benchmark.throughput.and_then(|throughput| throughput.elements) {
                let name = benchmark.function_id.or(benchmark.value_str).unwrap_or_default();
                let nanoseconds = estimates.median.point_estimate;
                found.push((modified, Measured::new(benchmark.group_id, name, packets, nanoseconds)));
            }
        }
        Ok(())
    })?;
    found.sort_by_key(|(modified, _)| *modified);
    Ok(found.into_iter().map(|(_, measured)| measured).collect())
}

/// Calls `on_result` with every folder `new` below this one, where Criterion puts what it measured last.
fn visit(folder: &Path, on_result: &mut impl FnMut(&Path) -> io::Result<()>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    for path in paths.into_iter().filter(|path| path.is_dir()) {
        if path.ends_with("new") {
            on_result(&path)?;
        } else {
            visit(&path, on_result)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_criterion_are_read_unless_they_are_old() {
        let folder = tempfile::tempdir().unwrap();
        let result = folder.path().join("decode/syn/new");
        fs::create_dir_all(&result).unwrap();
        let benchmark =
            r#"{"group_id":"decode","function_id":"syn","value_str":null,"throughput":{"Elements":256}}"#;
        fs::write(result.join("benchmark.json"), benchmark).unwrap();
        let estimates = r#"{"mean":{"point_estimate":1600.0},"median":{"point_estimate":1536.0}}"#;
        fs::write(result.join("estimates.json"), estimates).unwrap();
        let cases = measured_since(SystemTime::UNIX_EPOCH, folder.path()).unwrap();
        assert_eq!(cases, [Measured::new("decode".into(), "syn".into(), 256, 1_536.0)]);
        assert_eq!(Load::from(&cases[0]).nanoseconds_per_packet(), 6.0);
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        assert_eq!(measured_since(later, folder.path()).unwrap(), []);
    }

    #[test]
    fn before_anything_was_measured_there_is_nothing() {
        let nowhere = Path::new("/nowhere/criterion");
        assert_eq!(measured_since(SystemTime::UNIX_EPOCH, nowhere).unwrap(), []);
    }
}
