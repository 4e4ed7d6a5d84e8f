//! Whole programs.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use huginn_net_core::source::{Read, Source};
use huginn_net_core::{CaptureFile, Frame};

use crate::{Outcome, Row};

/// Clock ticks of `/proc` in a second (proc(5)); Linux has had no other value on any machine this runs on.
const TICKS_PER_SECOND: u64 = 100;

/// Calls `on_frame` with each frame of a capture.
pub(crate) fn for_each_frame(capture: &Path, mut on_frame: impl FnMut(&Frame<'_>)) -> Outcome<()> {
    let mut source = CaptureFile::open(capture)?;
    loop {
        match source.read()? {
            Read::Frame(frame) => on_frame(&frame),
            Read::Idle => {}
            Read::End => return Ok(()),
        }
    }
}

/// Packets of a capture.
pub(crate) fn packets(capture: &Path) -> Outcome<u64> {
    let mut packets = 0;
    for_each_frame(capture, |_| packets += 1)?;
    if packets == 0 { Err("no packets".into()) } else { Ok(packets) }
}

/// What each program takes for a packet, and what it finds; ours first.
pub(crate) fn rows(capture: &Path, packets: u64) -> Outcome<Vec<Row>> {
    let folder = std::env::temp_dir().join(format!("huginn-peers-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let rows = rows_with(capture, packets, &folder);
    fs::remove_dir_all(&folder)?;
    rows
}

fn rows_with(capture: &Path, packets: u64, folder: &Path) -> Outcome<Vec<Row>> {
    let out = |name: &str| folder.join(name);
    let row = |who, found: String, taken: Duration| {
        #[allow(clippy::cast_precision_loss, reason = "counts of packets")]
        let nanoseconds = taken.as_secs_f64() * 1e9 / packets as f64;
        Row { who, found, unit: "packet", nanoseconds }
    };
    let mut rows = Vec::new();

    let ours = std::env::var_os("HUGINN_NET").ok_or("the variable HUGINN_NET does not name the command")?;
    let output = out("huginn.jsonl");
    let to = format!("json:{}", output.display());
    let taken =
        time(&ours, [OsStr::new("read"), "-q".as_ref(), "-o".as_ref(), to.as_ref(), capture.as_ref()])?;
    rows.push(row("huginn-net read", counts(&fs::read_to_string(&output)?, dataset), taken));

    if let Some(p0f) = find("p0f") {
        let output = out("p0f.log");
        let taken = time(&p0f, [OsStr::new("-o"), output.as_ref(), "-r".as_ref(), capture.as_ref()])?;
        rows.push(row("p0f", counts(&fs::read_to_string(&output)?, module_of_p0f), taken));
    }
    if let Some(tshark) = find("tshark") {
        let output = out("tshark.tsv");
        let fields = ["tcp.flags.syn", "tls.handshake.ja3", "http.request.method", "http.response.code"];
        let mut arguments = vec!["-n", "-T", "fields"];
        for field in fields {
            arguments.extend(["-e", field]);
        }
        let arguments: Vec<&OsStr> = [OsStr::new("-r"), capture.as_ref()]
            .into_iter()
            .chain(arguments.iter().map(OsStr::new))
            .collect();
        let taken = time_to_file(&tshark, arguments, &output)?;
        rows.push(row("tshark -T fields", columns_of_tshark(&fs::read_to_string(&output)?), taken));
    }
    if let Some(ndpi) = find("ndpiReader") {
        let output = out("ndpi.csv");
        let taken =
            time(&ndpi, [OsStr::new("-q"), "-i".as_ref(), capture.as_ref(), "-C".as_ref(), output.as_ref()])?;
        rows.push(row("ndpiReader", rows_of_ndpi(&fs::read_to_string(&output)?), taken));
    }
    Ok(rows)
}

/// Where a program is, if it is installed; p0f is where not everybody searches.
fn find(program: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([Path::new("/usr/sbin").to_owned()]);
    folders.map(|folder| folder.join(program)).find(|path| path.is_file())
}

fn time<'a>(program: impl AsRef<OsStr>, arguments: impl IntoIterator<Item = &'a OsStr>) -> Outcome<Duration> {
    let mut command = Command::new(program);
    time_of(command.args(arguments).stdout(Stdio::null()))
}

fn time_to_file<'a>(
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = &'a OsStr>,
    output: &Path,
) -> Outcome<Duration> {
    let mut command = Command::new(program);
    time_of(command.args(arguments).stdout(fs::File::create(output)?))
}

/// Runs a program to its end; the time that it used of processors.
fn time_of(command: &mut Command) -> Outcome<Duration> {
    let before = children_time()?;
    let ended = command.stdin(Stdio::null()).stderr(Stdio::null()).status()?;
    if !ended.success() {
        return Err(format!("{}: {ended}", command.get_program().display()).into());
    }
    Ok(children_time()?.saturating_sub(before))
}

/// User and system time of all children that have ended: `cutime` and `cstime` of proc(5).
fn children_time() -> Outcome<Duration> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, after_name) = stat.rsplit_once(") ").ok_or("/proc/self/stat is not as expected")?;
    // `state` is the third field, `cutime` the sixteenth.
    let times = after_name.split(' ').skip(13).take(2).map(str::parse::<u64>);
    let ticks = times.sum::<Result<u64, _>>()?;
    Ok(Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND))
}

/// Counts lines by kind.
fn counts<'a>(text: &'a str, kind: impl Fn(&'a str) -> Option<&'a str>) -> String {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for kind in text.lines().filter_map(kind) {
        *counts.entry(kind).or_default() += 1;
    }
    in_words(counts)
}

fn in_words<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> String {
    let words: Vec<_> = counts.into_iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

/// `event.dataset` of a record of ours, without what all begin with; none for those about the input and the run.
fn dataset(line: &str) -> Option<&str> {
    let (_, after) = line.split_once(r#""event.dataset":"huginn."#)?;
    let (dataset, _) = after.split_once('"')?;
    (!matches!(dataset, "input" | "stats")).then_some(dataset)
}

fn module_of_p0f(line: &str) -> Option<&str> {
    line.split_once("mod=")?.1.split('|').next()
}

fn columns_of_tshark(text: &str) -> String {
    let mut counts = [("SYN", 0_u64), ("JA3", 0), ("request", 0), ("response", 0)];
    for line in text.lines() {
        for (index, ((_, count), column)) in counts.iter_mut().zip(line.split('\t')).enumerate() {
            let is_seen = match index {
                0 => matches!(column, "1" | "True"),
                _ => !column.is_empty(),
            };
            *count += u64::from(is_seen);
        }
    }
    in_words(counts)
}

/// Flows, and how many of them have a fingerprint of TLS: 32 hexadecimal digits in a column that says so.
fn rows_of_ndpi(text: &str) -> String {
    let mut lines = text.lines();
    let names = lines.next().unwrap_or_default().trim_start_matches('#');
    let separator = if names.contains(',') { ',' } else { '|' };
    let fingerprints: Vec<usize> = names
        .split(separator)
        .enumerate()
        .filter(|(_, name)| name.to_ascii_lowercase().contains("ja3c") || name.contains("client_hash"))
        .map(|(index, _)| index)
        .collect();
    let (mut flows, mut hellos) = (0, 0);
    for line in lines {
        flows += 1;
        let columns: Vec<&str> = line.split(separator).collect();
        let has_hash = |&index: &usize| columns.get(index).is_some_and(|column| column.len() == 32);
        hellos += u64::from(fingerprints.iter().any(has_hash));
    }
    in_words([("flows", flows), ("JA3", hellos)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_counted_by_kind() {
        let ours = "{\"event.dataset\":\"huginn.tcp.syn\"}\n{\"event.dataset\":\"huginn.tcp.syn\"}\n\
            {\"event.dataset\":\"huginn.stats\"}\n";
        assert_eq!(counts(ours, dataset), "2 tcp.syn");
        let p0f =
            "[2026/01/01 00:00:00] mod=syn|cli=10.0.0.1/1\n[2026/01/01 00:00:00] mod=mtu|cli=10.0.0.1/1\n";
        assert_eq!(counts(p0f, module_of_p0f), "1 mtu, 1 syn");
        assert_eq!(counts("", dataset), "nothing");
        assert_eq!(
            columns_of_tshark("1\t\t\t\n0\tabc\t\t\n0\t\tGET\t\n"),
            "1 SYN, 1 JA3, 1 request, 0 response"
        );
    }

    #[test]
    fn the_time_of_children_is_read_and_grows() {
        let before = children_time().unwrap();
        time("/bin/true", []).unwrap();
        assert!(children_time().unwrap() >= before);
    }
}
