//! Keeps what Criterion measures.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use huginn_net_core::{CapacityTable, Load};

use crate::report::{Measured, Report, folder};

/// What is measured of a case.
#[derive(Clone, Debug)]
pub struct Case {
    section: &'static str,
    name: String,
    packets: u64,
    events: u64,
    allocations: Option<u64>,
    workers: Option<u32>,
}

impl Case {
    /// A case of one packet and no event per round.
    #[must_use]
    pub fn new(section: &'static str, name: impl Into<String>) -> Self {
        Self { section, name: name.into(), packets: 1, events: 0, allocations: None, workers: None }
    }

    /// Packets that one round takes.
    #[must_use]
    pub fn packets(self, packets: u64) -> Self {
        Self { packets, ..self }
    }

    /// Events that come out of one round.
    #[must_use]
    pub fn events(self, events: u64) -> Self {
        Self { events, ..self }
    }

    /// Allocations of one round, where they were counted.
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
    measured: Mutex<Vec<Measured>>,
}

impl Recorder {
    /// Nothing recorded yet. `protocol` names the report.
    #[must_use]
    pub const fn new(protocol: &'static str) -> Self {
        Self { protocol, measured: Mutex::new(Vec::new()) }
    }

    /// Takes samples of a case; when they are dropped, the case is recorded, unless there were none.
    pub const fn case(&'static self, case: Case) -> Samples {
        Samples { recorder: self, case, nanoseconds: Vec::new() }
    }

    /// Prints what the cases mean for full links, and writes the report to [`folder`]. A pass that only tests the bench
    /// (`--test`) measures nothing and leaves the report of the last one.
    ///
    /// # Panics
    /// If the report cannot be written.
    pub fn finish(&self) {
        let cases = std::mem::take(&mut *self.measured.lock().unwrap_or_else(PoisonError::into_inner));
        if cases.is_empty() || std::env::args().any(|argument| argument == "--test") {
            return;
        }
        let rows: Vec<_> =
            cases.iter().map(|case| (format!("{}: {}", case.section, case.name), Load::from(case))).collect();
        println!("\nOne core, medians:\n{}", CapacityTable(&rows));
        let path = Report::new(self.protocol, cases).write(&folder()).expect("the report can be written");
        println!("Written to {}", path.display());
    }
}

/// Times of rounds of a case.
#[derive(Debug)]
pub struct Samples {
    recorder: &'static Recorder,
    case: Case,
    /// Per round.
    nanoseconds: Vec<f64>,
}

impl Samples {
    /// Takes how long so many rounds took, and gives it back for Criterion.
    pub fn add(&mut self, rounds: u64, taken: Duration) -> Duration {
        #[allow(clippy::cast_precision_loss, reason = "counts of rounds")]
        self.nanoseconds.push(taken.as_secs_f64() * 1e9 / rounds.max(1) as f64);
        taken
    }
}

impl Drop for Samples {
    fn drop(&mut self) {
        let Some(nanoseconds) = median(&mut self.nanoseconds) else { return };
        let Case { section, name, packets, events, allocations, workers } = self.case.clone();
        let measured = Measured {
            section: section.to_owned(),
            name,
            packets,
            events,
            nanoseconds,
            allocations,
            workers,
        };
        self.recorder.measured.lock().unwrap_or_else(PoisonError::into_inner).push(measured);
    }
}

/// The value in the middle, or the lower of two; those of warming up are few enough not to matter.
fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_one_of_the_values() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 3.0, 1.0, 2.0]), Some(2.0));
    }

    #[test]
    fn a_case_without_samples_is_not_recorded() {
        static RECORDER: Recorder = Recorder::new("none");
        drop(RECORDER.case(Case::new("section", "skipped")));
        let mut samples = RECORDER.case(Case::new("section", "run").packets(10).events(5));
        samples.add(2, Duration::from_nanos(400));
        drop(samples);
        let measured = RECORDER.measured.lock().unwrap();
        let [case] = &measured[..] else { panic!("{measured:?}") };
        assert_eq!((case.name.as_str(), case.nanoseconds), ("run", 200.0));
        assert_eq!(Load::from(case).nanoseconds_per_packet(), 20.0);
    }
}
