//! Wrong usage, and commands that read no capture.

use std::fs::{self, File};
use std::process::Stdio;

use testkit::corpus;

use crate::run::{Finished, command, finish, records, run};

/// One line on standard error, none on standard output, and status 2.
#[track_caller]
fn refuses(args: &str, message: &str) {
    let finished = run(args.split(' '));
    assert_eq!(finished.stderr, format!("huginn-net: {message}\n"));
    assert_eq!((finished.status, finished.stdout.as_str()), (Some(2), ""));
}

#[test]
fn refuses_an_unknown_command_and_names_a_similar_one() {
    refuses("raed x.pcap", "unrecognized subcommand 'raed'; a similar subcommand exists: 'read'");
}

#[test]
fn names_the_command_that_reads_a_file_if_there_is_none() {
    let told = "unrecognized subcommand 'pcaps/real/v4.pcap'; `huginn-net read FILE` analyzes a file";
    refuses("pcaps/real/v4.pcap", told);
    refuses("no-file.pcap", "unrecognized subcommand 'no-file.pcap'; --help lists what there is");
}

#[test]
fn refuses_an_option_of_tcpdump_without_taking_it_for_a_file() {
    refuses("read -r x.pcap", "unexpected argument '-r' found; --help lists what there is");
}

#[test]
fn refuses_a_missing_path() {
    refuses("read", "the following required arguments were not provided: <PATH>...");
}

#[test]
fn refuses_an_unknown_option() {
    refuses("read --fast x.pcap", "unexpected argument '--fast' found; --help lists what there is");
}

#[test]
fn refuses_an_unknown_format() {
    refuses(
        "read -o xml x.pcap",
        "invalid value 'xml' for '--output <FORMAT[:PATH]>': there are the formats text and json",
    );
}

#[test]
fn refuses_an_output_without_the_path_it_announces() {
    refuses(
        "read -o json: x.pcap",
        "invalid value 'json:' for '--output <FORMAT[:PATH]>': the path after the colon is missing",
    );
}

#[test]
fn refuses_a_value_that_is_none_of_a_few_words() {
    refuses(
        "read --color green x.pcap",
        "invalid value 'green' for '--color <WHEN>'; there are auto, always, never",
    );
}

#[test]
fn refuses_protocols_there_are_none_of() {
    let message =
        "invalid value 'smtp' for '--only <PROTOCOL,…>': no such protocol; there are tcp, tls and http";
    refuses("read --only tcp,smtp x.pcap", message);
}

#[test]
fn refuses_a_filter_that_is_none_and_marks_where() {
    let finished = run(["read", "-f", "tcp port 99999 or udp", "x.pcap"]);
    let message = "huginn-net: --filter: expected a port, 0 to 65535 (names are not looked up) at column 10\n  \
                   tcp port 99999 or udp\n           ^^^^^\n";
    assert_eq!(finished.stderr, message);
    assert_eq!((finished.status, finished.stdout.as_str()), (Some(2), ""));
}

#[test]
fn of_an_option_given_twice_the_last_one_counts() {
    let finished = run("read -q -q -c 9 -c 1 -o json pcaps/real/v4.pcap".split(' '));
    let packets = |record: &serde_json::Value| record["huginn.stats.packets"].as_u64();
    let stats = records(&finished.stdout).last().and_then(packets);
    assert_eq!((finished.status, stats), (Some(0), Some(1)));
}

#[test]
fn refuses_two_outputs_in_one_place() {
    refuses("read -o json -o text x.pcap", "standard output: two outputs cannot go to the same place");
}

#[test]
fn refuses_to_write_over_a_capture_it_reads() {
    refuses(
        "read -o json:pcaps/../pcaps/real/v4.pcap pcaps/real/v4.pcap",
        "pcaps/../pcaps/real/v4.pcap: is a capture to be read, not an output",
    );
}

/// Status 2, with this message about this path.
#[track_caller]
fn refuses_to_write(finished: &Finished, path: &str, reason: &str) {
    assert_eq!(finished.stderr, format!("huginn-net: {path}: {reason}\n"));
    assert_eq!((finished.status, finished.stdout.as_str()), (Some(2), ""));
}

const NO_OUTPUT: &str = "is a capture to be read, not an output";

#[cfg(unix)]
#[test]
fn refuses_to_write_over_a_capture_by_another_name_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name| folder.path().join(name).display().to_string();
    let (capture, hard, soft) = (path("capture"), path("hard"), path("soft"));
    let bytes = fs::copy(corpus::path("real/v4.pcap"), &capture).unwrap();
    fs::hard_link(&capture, &hard).unwrap();
    std::os::unix::fs::symlink(&capture, &soft).unwrap();
    for other in [&hard, &soft] {
        refuses_to_write(&run(["read", "-o", &format!("json:{other}"), &capture]), other, NO_OUTPUT);
    }

    let reads_it = || Stdio::from(File::open(&capture).unwrap());
    let child = command(["read", "-o", &format!("json:{capture}"), "-"]).stdin(reads_it()).spawn();
    refuses_to_write(&finish(child.unwrap()), &capture, NO_OUTPUT);
    let appends_to_it = File::options().append(true).open(&hard).unwrap();
    let child = command(["read", &capture]).stdout(appends_to_it).spawn();
    refuses_to_write(&finish(child.unwrap()), "standard output", NO_OUTPUT);
    assert_eq!(fs::metadata(&capture).unwrap().len(), bytes, "the capture is as it was");
}

#[test]
fn refuses_to_write_over_a_capture_that_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let capture = folder.path().join("a.pcap").display().to_string();
    let bytes = fs::copy(corpus::path("real/v4.pcap"), &capture).unwrap();
    let (output, found) = (format!("json:{capture}"), folder.path().display().to_string());
    let pattern = format!("{found}/*.pcap");
    let not_ours = "holds something else than records, and is not written over";
    for (paths, reason) in
        [(&[&found][..], not_ours), (&[&pattern], not_ours), (&[&found, &capture], NO_OUTPUT)]
    {
        let args = ["read", "-R", "-o", &output].into_iter().chain(paths.iter().map(|path| path.as_str()));
        refuses_to_write(&run(args), &capture, reason);
    }
    assert_eq!(fs::metadata(&capture).unwrap().len(), bytes, "the capture is as it was");
}

#[test]
fn refuses_to_write_over_a_file_that_is_found_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pcap").display().to_string();
    // Of which nobody but who named it knows that it is a capture.
    fs::write(&path, "damaged").unwrap();
    let found = folder.path().display().to_string();
    let output = format!("json:{path}");
    for paths in [[&found, &path], [&path, &found]] {
        refuses_to_write(&run(["read", "-R", "-o", &output, paths[0], paths[1]]), &path, NO_OUTPUT);
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "damaged");
}

#[cfg(unix)]
#[test]
fn refuses_two_outputs_in_a_file_that_has_two_names() {
    const REASON: &str = "two outputs cannot go to the same place";
    let folder = tempfile::tempdir().unwrap();
    let path = |name| folder.path().join(name).display().to_string();
    let (file, soft) = (path("new"), path("soft"));
    std::os::unix::fs::symlink(&file, &soft).unwrap();
    for other in [&soft, &path("./new")] {
        let outputs = [format!("json:{file}"), format!("text:{other}")];
        let finished = run(["read", "-o", &outputs[0], "-o", &outputs[1], "pcaps/real/v4.pcap"]);
        refuses_to_write(&finished, other, REASON);
    }
    let child = command(["read", "-o", &format!("json:{file}"), "-otext", "pcaps/real/v4.pcap"])
        .stdout(File::create(&file).unwrap())
        .spawn();
    refuses_to_write(&finish(child.unwrap()), "standard output", REASON);
}

#[test]
fn refuses_to_read_standard_input_twice() {
    refuses("read - -", "standard input can be read only once");
}

#[test]
fn prints_help_where_there_is_no_command() {
    let finished = run::<&str>([]);
    assert_eq!((finished.status, finished.stdout.as_str()), (Some(2), ""));
    assert!(finished.stderr.contains("Usage: huginn-net <COMMAND>"), "{}", finished.stderr);
}

#[test]
fn prints_help_that_was_asked_for_on_standard_output() {
    let finished = run(["read", "--help"]);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    assert!(finished.stdout.contains("Exit status: 0 success"));
}

#[test]
fn prints_its_version() {
    let finished = run(["--version"]);
    assert_eq!(finished.stdout, concat!("huginn-net ", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!(finished.status, Some(0));
}

#[test]
fn prints_completions_for_shells() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let finished = run(["completions", shell]);
        assert_eq!(finished.status, Some(0));
        assert!(finished.stdout.contains("no-bundled-db"), "{shell}");
    }
}

#[test]
fn bash_knows_the_options_of_every_command_that_it_recognises() {
    let script = run(["completions", "bash"]).stdout;
    let recognised: Vec<_> =
        script.lines().filter_map(|line| line.trim().strip_prefix("cmd=\"")?.strip_suffix('"')).collect();
    assert!(recognised.contains(&"huginn__net__subcmd__read"), "{recognised:?}");
    for command in recognised.iter().filter(|command| !command.is_empty()) {
        let has_options = script.lines().any(|line| line.trim().strip_suffix(')') == Some(command));
        assert!(has_options, "{command}");
    }
}

#[test]
fn prints_manual_pages() {
    let all = run(["man"]);
    assert!(all.status == Some(0) && all.stdout.contains(".TH huginn-net 1"));
    let read = run(["man", "read"]);
    assert!(read.status == Some(0) && read.stdout.contains(".TH huginn-net-read 1"));
    assert_eq!(run(["man", "nothing"]).status, Some(2));
}

#[test]
fn a_manual_page_names_the_program_and_those_below_a_command_have_one() {
    // What the page of `db` refers to as huginn-net-db-check(1).
    let check = run(["man", "db", "check"]);
    assert_eq!(check.status, Some(0));
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        check.stdout.contains(&format!(".TH huginn-net-db-check 1  \"huginn-net {version}\"")),
        "{}",
        check.stdout
    );
    refuses("man db chek", "there is no command \"db chek\"");
}

#[test]
fn a_value_that_is_none_is_told_those_there_are_and_a_similar_one() {
    refuses(
        "completions fsh",
        "invalid value 'fsh' for '<SHELL>'; there are bash, elvish, fish, powershell, zsh; a similar value exists: 'fish'",
    );
}

#[test]
fn what_resembles_no_command_is_told_where_they_are_listed() {
    refuses("analyse x.pcap", "unrecognized subcommand 'analyse'; --help lists what there is");
    refuses("ifaces eth0", "unexpected argument 'eth0' found; --help lists what there is");
}
