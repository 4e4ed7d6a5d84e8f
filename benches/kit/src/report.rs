//! What a bench leaves behind.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use huginn_net_core::capacity::{LinkRate, Load};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Machine;

/// The folder of reports: `huginn-bench` in the target folder of the build that runs, whatever started it.
#[must_use]
pub fn folder() -> PathBuf {
    let built = std::env::current_exe().unwrap_or_default();
    // target/release/deps/bench, or target/release/program
    let profile = built
        .ancestors()
        .find(|path| path.file_name().is_some_and(|name| name == "release" || name == "debug"));
    profile.and_then(Path::parent).unwrap_or(Path::new("target")).join("huginn-bench")
}

/// What was measured of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Part of the bench it belongs to.
    pub section: String,
    /// Name within the section.
    pub name: String,
    /// Packets of a round.
    pub packets: u64,
    /// Events of a round, where they are known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub events: Option<u64>,
    /// Median time of a round, in nanoseconds.
    pub nanoseconds: f64,
    /// Allocations of a round.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub allocations: Option<u64>,
    /// Instructions of one packet.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instructions_per_packet: Option<f64>,
    /// Workers that shared the packets.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub workers: Option<u32>,
}

impl Measured {
    /// A case of which nothing but its time is known.
    #[must_use]
    pub const fn new(section: String, name: String, packets: u64, nanoseconds: f64) -> Self {
        Self {
            section,
            name,
            packets,
            events: None,
            nanoseconds,
            allocations: None,
            instructions_per_packet: None,
            workers: None,
        }
    }
}

impl From<&Measured> for Load {
    fn from(measured: &Measured) -> Self {
        Self {
            packets: measured.packets,
            events: measured.events.unwrap_or_default(),
            nanoseconds: measured.nanoseconds,
        }
    }
}

/// The cases of a bench, and where they were measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name of the bench.
    pub protocol: String,
    /// Where it ran.
    pub machine: Machine,
    /// What was measured.
    pub cases: Vec<Measured>,
}

impl Report {
    /// A report from this machine.
    #[must_use]
    pub fn new(protocol: &str, cases: Vec<Measured>) -> Self {
        Self { protocol: protocol.to_owned(), machine: Machine::here(), cases }
    }

    /// Reads the report of a bench.
    ///
    /// # Errors
    /// The file cannot be read or is no report.
    pub fn read(folder: &Path, protocol: &str) -> io::Result<Self> {
        Ok(serde_json::from_slice(&fs::read(file(folder, protocol))?)?)
    }

    /// Writes the report as JSON, with what each case means for full links beside it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        let mut report = serde_json::to_value(self)?;
        let cases = report.get_mut("cases").and_then(|cases| cases.as_array_mut());
        for (case, measured) in cases.into_iter().flatten().zip(&self.cases) {
            let load = Load::from(measured);
            let Some(case) = case.as_object_mut() else { continue };
            case.insert("nanoseconds_per_packet".into(), json!(load.nanoseconds_per_packet()));
            case.insert("packets_per_second".into(), json!(load.packets_per_second()));
            if measured.events.is_some() {
                case.insert("effectiveness".into(), json!(load.effectiveness()));
            }
            case.insert("cpu_share_1_gbps".into(), json!(load.cpu_share(LinkRate::GBPS_1)));
            case.insert("cpu_share_10_gbps".into(), json!(load.cpu_share(LinkRate::GBPS_10)));
        }
        fs::create_dir_all(folder)?;
        let path = file(folder, &self.protocol);
        fs::write(&path, serde_json::to_string_pretty(&report)? + "\n")?;
        Ok(path)
    }

    /// What several runs on one machine show of each case: the run with the least median, as what else a machine does only adds
    /// to it. Instructions are those of any run that counted them.
    ///
    /// # Errors
    /// The runs are of different machines, or of different commits.
    pub fn least_of(runs: Vec<Self>) -> Result<Option<Self>, RunsDiffer> {
        let mut runs = runs.into_iter();
        let Some(mut least) = runs.next() else { return Ok(None) };
        for run in runs {
            if run.machine != least.machine {
                return Err(RunsDiffer);
            }
            for case in run.cases {
                let is_same =
                    |known: &&mut Measured| known.section == case.section && known.name == case.name;
                let Some(known) = least.cases.iter_mut().find(is_same) else {
                    least.cases.push(case);
                    continue;
                };
                let counted = known.instructions_per_packet.or(case.instructions_per_packet);
                if case.nanoseconds < known.nanoseconds {
                    *known = case;
                }
                known.instructions_per_packet = counted;
            }
        }
        Ok(Some(least))
    }

    /// The cases of a section, in the order in which they ran.
    pub fn section<'a>(&'a self, section: &'a str) -> impl Iterator<Item = &'a Measured> {
        self.cases.iter().filter(move |case| case.section == section)
    }
}

/// Runs of different machines or commits do not compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunsDiffer;

impl fmt::Display for RunsDiffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the runs are of different machines or commits")
    }
}

impl std::error::Error for RunsDiffer {}

fn file(folder: &Path, protocol: &str) -> PathBuf {
    folder.join(format!("{protocol}.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_runs_each_case_is_told_by_the_one_with_the_least_median() {
        let case = |name: &str, nanoseconds| Measured::new("analysis".into(), name.into(), 100, nanoseconds);
        let counted = Measured { instructions_per_packet: Some(120.0), ..case("SYN", 5_000.0) };
        let runs = vec![
            Report::new("tcp", vec![counted, case("data", 900.0)]),
            Report::new("tcp", vec![case("SYN", 4_000.0), case("data", 1_000.0), case("ARP", 300.0)]),
        ];
        let expected = vec![
            Measured { instructions_per_packet: Some(120.0), ..case("SYN", 4_000.0) },
            case("data", 900.0),
            case("ARP", 300.0),
        ];
        assert_eq!(Report::least_of(runs.clone()), Ok(Some(Report::new("tcp", expected))));
        assert_eq!(Report::least_of(Vec::new()), Ok(None));
        let mut elsewhere = runs;
        elsewhere[1].machine.processor = "another".into();
        assert_eq!(Report::least_of(elsewhere), Err(RunsDiffer));
    }

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let case = Measured {
            section: "analysis".into(),
            name: "SYN".into(),
            packets: 100,
            events: Some(100),
            nanoseconds: 4_000.0,
            allocations: Some(0),
            instructions_per_packet: Some(120.0),
            workers: None,
        };
        let report = Report::new("tcp", vec![case]);
        let folder = tempfile::tempdir().unwrap();
        let path = report.write(folder.path()).unwrap();
        assert_eq!(Report::read(folder.path(), "tcp").unwrap(), report);
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains("\"nanoseconds_per_packet\": 40.0"), "{text}");
    }
}
