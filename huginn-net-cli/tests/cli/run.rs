//! Running the command.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

/// What a run of the command left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finished {
    /// Exit status; `None` if a signal ended it.
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Where the command is.
pub(crate) const HUGINN_NET: &str = env!("CARGO_BIN_EXE_huginn-net");

/// The command in the root of the repository, with nothing on standard input.
pub(crate) fn command<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    command_by(HUGINN_NET, args)
}

/// As [`command`], for a program that starts it.
pub(crate) fn command_by<S: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command.env_remove("NO_COLOR").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command to its end.
pub(crate) fn run<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Finished {
    finish(command(args).spawn().expect("the command starts"))
}

/// Runs the command to its end with these bytes on standard input.
pub(crate) fn run_with_stdin<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>, stdin: &[u8]) -> Finished {
    let mut child = command(args).stdin(Stdio::piped()).spawn().expect("the command starts");
    let mut pipe = child.stdin.take().expect("standard input is a pipe");
    thread::scope(|scope| {
        scope.spawn(move || {
            // It may end before it has read everything.
            let _ = pipe.write_all(stdin);
        });
        finish(child)
    })
}

/// Waits for the end.
pub(crate) fn finish(child: Child) -> Finished {
    let output = child.wait_with_output().expect("the command ends");
    Finished {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("records are UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
    }
}

/// The records of `-o json`.
pub(crate) fn records(jsonl: &str) -> Vec<serde_json::Value> {
    jsonl.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
}

/// The records of one dataset.
pub(crate) fn records_of(jsonl: &str, dataset: &str) -> Vec<serde_json::Value> {
    let mut records = records(jsonl);
    records.retain(|record| record["event.dataset"] == dataset);
    records
}

/// The event lines without what tells where they were read.
pub(crate) fn without_paths(jsonl: &str) -> Vec<serde_json::Value> {
    let mut records = records(jsonl);
    for record in &mut records {
        record.as_object_mut().expect("a record is an object").remove("log.file.path");
    }
    records
}
