//! Where something was measured.

use std::fs;
use std::process::Command;
use std::thread::available_parallelism;

use serde::{Deserialize, Serialize};

/// The machine and the code of a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Model of the processor.
    pub processor: String,
    /// Threads it runs at once.
    pub threads: usize,
    /// System and release.
    pub system: String,
    /// Version of the compiler.
    pub compiler: String,
    /// Abbreviated commit, with `+` if files differ from it.
    pub commit: String,
}

impl Machine {
    /// This machine, and what is checked out. What cannot be told is empty.
    #[must_use]
    pub fn here() -> Self {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let changed = !output("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty();
        let commit = output("git", &["rev-parse", "--short", "HEAD"]);
        Self {
            processor: model.map(|(_, name)| name.to_owned()).unwrap_or_default(),
            threads: available_parallelism().map_or(1, usize::from),
            system: output("uname", &["-sr"]),
            compiler: output("rustc", &["--version"]),
            commit: if changed { format!("{commit}+") } else { commit },
        }
    }
}

/// What a command prints, without the end of its line.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let printed = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    printed.unwrap_or_default()
}
