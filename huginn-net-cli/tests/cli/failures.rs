//! Inputs that cannot be read, and outputs that cannot be written.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use testkit::container::gzip;
use testkit::corpus;

use crate::run::{HUGINN_NET, command, command_by, finish, records, records_of, run, run_with_stdin};

const CAPTURE: &str = "pcaps/real/v4.pcap";

/// One line on standard error, no record, and this status.
#[track_caller]
fn fails(args: &[&str], status: i32, message: &str) {
    let finished = run(args);
    assert_eq!(finished.stderr, format!("huginn-net: {message}\n"));
    assert_eq!((finished.status, finished.stdout.as_str()), (Some(status), ""));
}

#[test]
fn a_missing_file_is_status_4() {
    fails(&["read", "none.pcap"], 4, "none.pcap: no such file or directory");
    fails(&["read", "none*.pcap"], 4, "none*.pcap: no file matches this pattern");
}

#[test]
fn a_path_through_a_file_is_status_4() {
    fails(&["read", "Cargo.toml/x"], 4, "Cargo.toml/x: not a directory");
}

#[test]
fn a_directory_without_the_option_for_it_is_status_4() {
    fails(&["read", "pcaps"], 4, "pcaps: is a directory (-R reads the captures in it)");
}

#[test]
fn a_directory_without_a_file_is_status_4() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty_too")).unwrap();
    let path = folder.path().to_str().unwrap();
    fails(&["read", "-R", path], 4, &format!("{path}: there is no file in this directory"));
}

#[test]
fn a_directory_without_a_capture_is_status_3() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes"), "no capture").unwrap();
    fails(&["read", "-qR", folder.path().to_str().unwrap()], 3, "no file was a capture");
}

#[cfg(unix)]
#[test]
fn a_file_one_may_not_read_is_status_4() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    const NOBODY: u32 = 65_534;
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    allow(folder.path(), 0o755);
    let capture = folder.path().join("secret.pcap");
    fs::write(&capture, "").unwrap();
    allow(&capture, 0o000);
    // Whoever may read everything becomes somebody else, who may not be allowed where the command was built.
    let program = folder.path().join("huginn-net");
    // Copied by another process: what is open for writing is no program to be started, and whatever another test starts at
    // this moment would have it open, too.
    assert!(Command::new("cp").args([HUGINN_NET.as_ref(), program.as_os_str()]).status().unwrap().success());
    allow(&program, 0o755);
    let mut command = command_by(&program, ["read", "secret.pcap"]);
    if fs::File::open(&capture).is_ok() {
        command.uid(NOBODY);
    }
    let finished = finish(command.current_dir(folder.path()).spawn().unwrap());
    assert_eq!(finished.stderr, "huginn-net: secret.pcap: permission denied\n");
    assert_eq!((finished.status, finished.stdout.as_str()), (Some(4), ""));
}

#[test]
fn a_file_that_is_no_capture_is_status_3() {
    let message = "Cargo.toml: not a capture of a known format (first bytes: 5b 77 6f 72)";
    fails(&["read", "Cargo.toml"], 3, message);
    fails(&["read", "Cargo.t?ml"], 3, message);
}

#[test]
fn a_file_of_a_directory_that_is_no_capture_is_status_3() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(corpus::path("real/v4.pcap"), folder.path().join("a.pcap")).unwrap();
    let path = folder.path().to_str().unwrap();
    let whole = run(["read", "-qR", path]);
    assert_eq!((whole.status, whole.stderr.as_str()), (Some(0), ""));
    for (notes, message) in
        [(1, "1 file of a directory is no capture"), (2, "2 files of directories are no captures")]
    {
        fs::write(folder.path().join(format!("notes{notes}")), "no capture").unwrap();
        let finished = run(["read", "-qR", path]);
        assert_eq!(finished.stderr, format!("huginn-net: {message}\n"));
        assert_eq!((finished.status, &finished.stdout), (Some(3), &whole.stdout));
    }
}

#[test]
fn an_empty_input_is_status_3() {
    fails(&["read", "-"], 3, "standard input: empty: not even a capture header");
}

#[test]
fn other_captures_are_read_nevertheless_and_the_gravest_failure_counts() {
    let finished = run(["read", "-o", "json", "none.pcap", "Cargo.toml", CAPTURE]);
    assert_eq!(finished.status, Some(4));
    assert_eq!(records_of(&finished.stdout, "huginn.tcp.syn").len(), 1);
}

#[test]
fn a_cut_capture_is_status_3_and_the_byte_is_named() {
    let whole = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(CAPTURE)).unwrap();
    let cut = &whole[..whole.len() - 1];
    let finished = run_with_stdin(["read", "-q", "-o", "json", "-"], cut);
    let inputs = records_of(&finished.stdout, "huginn.input");
    let damage = &inputs[0]["huginn.input.damage"][0];
    assert_eq!(damage["reason"], "cut_record");
    let message =
        format!("huginn-net: standard input: the file ends within a record at byte {}\n", damage["offset"]);
    assert_eq!((finished.status, finished.stderr), (Some(3), message));
    assert_eq!(records_of(&finished.stdout, "huginn.tcp.syn").len(), 1);
}

#[test]
fn the_byte_of_damage_in_a_compressed_capture_is_one_behind_its_decompression() {
    let cut = &fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(CAPTURE)).unwrap()[..30];
    let unfinished = [&gzip(b"")[..10], &[0, 30, 0, !30, 0xff], cut].concat();
    for (bytes, told) in [
        (gzip(cut), "the file ends within a record at byte 24"),
        // A stored block that is not the last one (RFC 1951 §3.2.4).
        (unfinished, "corrupt or cut compressed data at byte 30"),
    ] {
        let finished = run_with_stdin(["read", "-q", "-"], &bytes);
        let message = format!("huginn-net: standard input: {told} after decompression\n");
        assert_eq!((finished.status, finished.stderr), (Some(3), message));
    }
}

#[test]
fn an_output_that_cannot_be_opened_is_status_5() {
    fails(&["read", "-o", "json:no/such/folder", CAPTURE], 5, "no/such/folder: no such file or directory");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_fails_is_status_5_and_the_others_go_on() {
    let finished = run(["read", "-q", "-o", "text:/dev/full", "-o", "json", CAPTURE]);
    assert_eq!(finished.stderr, "huginn-net: /dev/full: no space left on device\n");
    assert_eq!(finished.status, Some(5));
    let records = records(&finished.stdout);
    let stats = records.last().unwrap();
    assert_eq!(stats["huginn.stats.events"]["huginn.tcp.syn_ack"], 1);
    assert_eq!(stats["huginn.stats.dropped"]["output"], 3, "a SYN, a SYN+ACK and the end of the capture");
}

#[cfg(target_os = "linux")]
#[test]
fn records_that_are_lost_at_the_end_count_in_the_statistics_and_with_these_in_the_summary() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("records");
    // The first record is written at once, and all others in one piece at the end, over the limit for the size of a file.
    let script = "ulimit -f 8; exec \"$0\" read -o \"json:$1\" -o json pcaps/real/v4.pcap pcaps/real/v6.pcap";
    let mut shell =
        command_by("sh", [OsStr::new("-c"), OsStr::new(script), OsStr::new(HUGINN_NET), path.as_os_str()]);
    let finished = finish(shell.spawn().unwrap());
    assert_eq!(finished.status, Some(5));
    let written = fs::read_to_string(&path).unwrap().matches('\n').count();
    let all = records(&finished.stdout);
    let stats = all.last().unwrap();
    assert_eq!(stats["huginn.stats.dropped"]["output"], all.len() - 1 - written);
    let told = format!("not written  {} records", all.len() - written);
    assert!(finished.stderr.contains(&told), "{}", finished.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn reading_ends_when_nothing_can_be_written() {
    let finished = run(["read", "-o", "json:/dev/full", "pcaps/real/http_servers.pcap"]);
    assert_eq!(finished.status, Some(5));
    assert!(finished.stderr.contains("1 capture, 1 packet, "), "{}", finished.stderr);
}

#[test]
fn a_file_over_the_limit_of_its_size_is_status_5() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schema.json");
    let script = "ulimit -f 1; exec \"$0\" schema > \"$1\"";
    let mut shell =
        command_by("sh", [OsStr::new("-c"), OsStr::new(script), OsStr::new(HUGINN_NET), path.as_os_str()]);
    let finished = finish(shell.spawn().unwrap());
    assert_eq!(
        (finished.status, finished.stderr.as_str()),
        (Some(5), "huginn-net: standard output: file too large\n")
    );
}

#[test]
fn a_pipe_closed_by_its_reader_ends_the_run_in_silence() {
    // Also where files that are no captures were passed over.
    for args in [&["read", "pcaps/real/http_servers.pcap"][..], &["read", "-R", "pcaps/real"]] {
        let mut child = command(args).spawn().unwrap();
        drop(child.stdout.take());
        let finished = finish(child);
        assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    }
}
