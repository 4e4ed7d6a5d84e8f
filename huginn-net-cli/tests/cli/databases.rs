//! Signature files.

use std::fs;

use crate::run::{records_of, run, run_with_stdin};

const LINUX: &str = "pcaps/tcp/a01_linux_syn.pcap";

fn own_signatures(flavor: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    let sig = "*:64:0:*:mss*44,7:mss,sok,ts,nop,ws:df,id+:0";
    fs::write(&file, format!("classes = unix\n[tcp:request]\nlabel = s:unix:Mine:{flavor}\nsig = {sig}\n"))
        .unwrap();
    file
}

fn names(stdout: &str) -> Vec<String> {
    let syns = records_of(stdout, "huginn.tcp.syn");
    let name = |syn: &serde_json::Value| match (&syn["huginn.os.name"], &syn["huginn.os.flavor"]) {
        (serde_json::Value::String(name), serde_json::Value::String(flavor)) => format!("{name} {flavor}"),
        (name, _) => name.to_string(),
    };
    syns.iter().map(name).collect()
}

#[test]
fn own_signatures_come_before_the_bundled_ones_and_the_first_file_first() {
    let (one, other) = (own_signatures("one"), own_signatures("other"));
    let args = |files: &[&tempfile::NamedTempFile]| {
        let mut args = vec!["read".to_owned(), "-o".to_owned(), "json".to_owned(), LINUX.to_owned()];
        for file in files {
            args.extend(["--db".to_owned(), file.path().display().to_string()]);
        }
        args
    };
    assert_eq!(names(&run(args(&[&one, &other])).stdout), ["Mine one"]);
    assert_eq!(names(&run(args(&[&other, &one])).stdout), ["Mine other"]);
}

#[test]
fn without_any_signature_nothing_has_a_name() {
    let finished = run(["read", "-o", "json", "--no-bundled-db", LINUX]);
    assert_eq!((finished.status, names(&finished.stdout)), (Some(0), vec!["null".to_owned()]));
}

#[test]
fn a_bad_signature_file_is_refused_with_the_place() {
    let finished = run(["read", "--db", "pcaps/db/bad_mss.fp", LINUX]);
    let message = "huginn-net: pcaps/db/bad_mss.fp:4:14: error[E005]: an MSS is a number from 0 to 65535\n  \
                   |\n4 | sig = *:64:0:65536:1,*:mss:df:0\n  |              ^^^^^\n";
    assert_eq!(finished.stderr, message);
    assert_eq!((finished.status, finished.stdout.as_str()), (Some(2), ""));
}

#[cfg(unix)]
#[test]
fn a_signature_file_is_read_only_once() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("signatures");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let to = pipe.clone();
    // Opening waits for the reader; a second reader would wait for a writer that does not come.
    let writer = std::thread::spawn(move || fs::write(to, "[mtu]\nlabel = x\nsig = 15oo\n").unwrap());
    let finished = run(["read", "--db", pipe.to_str().unwrap(), LINUX]);
    writer.join().unwrap();
    assert!(finished.stderr.ends_with("\n3 | sig = 15oo\n  |       ^^^^\n"), "{}", finished.stderr);
    assert_eq!(finished.status, Some(2));
}

#[test]
fn carets_stand_right_in_a_file_that_is_not_utf_8() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(&file, b"; \xe9\xe8\n[mtu]\nlabel = x\nsig = 15oo\n").unwrap();
    let path = file.path().to_str().unwrap();
    let (check, read) = (run(["db", "check", path]), run(["read", "--db", path, LINUX]));
    for text in [check.stdout, read.stderr] {
        assert!(text.contains("\n4 | sig = 15oo\n  |       ^^^^\n"), "{text}");
    }
}

#[test]
fn packets_of_something_else_are_told_of_where_warnings_are_shown() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let sig = "4:64:0:*:mss*44,10:mss,sok,ts,nop,ws:df,id+:0";
    fs::write(&file, format!("classes = unix\n[tcp:request]\nlabel = s:unix:Plan 9:\nsig = {sig}\n"))
        .unwrap();
    let path = file.path().to_str().unwrap();
    assert!(run(["db", "check", path]).stdout.contains(":4:7: warning[W110]: "));
    assert!(run(["read", "-v", "--db", path, LINUX]).stderr.contains(":4:7: warning[W110]: "));
    assert!(!run(["read", "--db", path, LINUX]).stderr.contains("W110"));
}

#[test]
fn a_signature_file_beyond_the_limit_is_not_checked() {
    let file = tempfile::NamedTempFile::new().unwrap();
    // Sparse, and thus made at once.
    file.as_file().set_len((16 << 20) + 1).unwrap();
    let finished = run(["db", "check", file.path().to_str().unwrap()]);
    assert!(finished.stderr.contains("longer than 16 MiB"), "{}", finished.stderr);
    assert_eq!(finished.status, Some(4));
}

#[test]
fn a_missing_signature_file_is_refused() {
    let finished = run(["read", "--db", "pcaps/db/none.fp", LINUX]);
    assert_eq!(finished.stderr, "huginn-net: pcaps/db/none.fp: no such file or directory\n");
    assert_eq!((finished.status, finished.stdout.as_str()), (Some(2), ""));
}

#[test]
fn check_tells_good_files_from_bad_ones() {
    let good = run(["db", "check", "pcaps/db/ok_minimal.fp"]);
    assert_eq!((good.status, good.stdout.as_str()), (Some(0), ""));
    assert_eq!(good.stderr, "pcaps/db/ok_minimal.fp: 0 errors, 0 warnings\n");

    let bad = run(["db", "check", "pcaps/db/ok_minimal.fp", "pcaps/db/bad_mss.fp"]);
    assert_eq!(bad.status, Some(3));
    assert!(bad.stdout.contains("4 | sig = *:64:0:65536:1,*:mss:df:0\n  |              ^^^^^\n"));

    let missing = run(["db", "check", "pcaps/db/none.fp", "pcaps/db/bad_mss.fp"]);
    assert_eq!(missing.status, Some(4));
    assert!(missing.stdout.contains("error[E005]"), "the other file is checked nevertheless");
}

#[test]
fn signature_files_may_come_from_standard_input() {
    for (file, status) in [("pcaps/db/ok_minimal.fp", 0), ("pcaps/db/bad_mss.fp", 3)] {
        let bytes = fs::read(testkit::corpus::path(file.trim_start_matches("pcaps/"))).unwrap();
        let named = run(["db", "check", file]);
        let piped = run_with_stdin(["db", "check", "-"], &bytes);
        assert_eq!(piped.stdout, named.stdout.replace(file, "standard input"));
        assert_eq!(piped.stderr, named.stderr.replace(file, "standard input"));
        assert_eq!((piped.status, named.status), (Some(status), Some(status)));
        let export = run_with_stdin(["db", "export", "--p0f", "-q", "-"], &bytes);
        assert_eq!(export.stdout, run(["db", "export", "--p0f", "-q", file]).stdout);
        assert_eq!(export.status, Some(status));
    }
    for args in [&["db", "check", "-", "-"][..], &["db", "export", "--p0f", "-", "-"]] {
        let twice = run(args);
        let told = "huginn-net: standard input can be read only once\n";
        assert_eq!((twice.status, twice.stderr.as_str()), (Some(2), told));
    }
}

#[test]
fn check_gives_findings_to_programs_too() {
    let finished = run(["db", "check", "-q", "--json", "pcaps/db/bad_mss.fp"]);
    let finding: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
    let expected = serde_json::json!({
        "file": "pcaps/db/bad_mss.fp", "line": 4, "column": 14, "code": "E005", "severity": "error",
        "message": "an MSS is a number from 0 to 65535", "span": finding["span"],
    });
    assert_eq!(finding, expected);
    assert_eq!(finished.stderr, "");
}

#[test]
fn list_gives_every_signature_a_line_of_five_fields() {
    let file = own_signatures("one");
    let finished = run(["db", "list", "--db", file.path().to_str().unwrap()]);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    let lines: Vec<Vec<&str>> = finished.stdout.lines().map(|line| line.split('\t').collect()).collect();
    assert!(lines.iter().all(|fields| fields.len() == 5));
    let place = format!("{}:4", file.path().display());
    let first =
        ["tcp:request", "s:unix:Mine:one", "*:64:0:*:mss*44,7:mss,sok,ts,nop,ws:df,id+:0", &place, ""];
    assert_eq!(lines[0], first);
    assert!(lines.iter().any(|fields| fields[0] == "mtu" && fields[2] == "1500"), "bundled ones follow");
}

#[test]
fn export_writes_a_file_that_can_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p0f.fp");
    let path = path.to_str().unwrap();
    let bundled = run(["db", "export", "--p0f", "-o", path]);
    assert_eq!((bundled.status, bundled.stdout.as_str()), (Some(0), ""));
    assert!(bundled.stderr.contains(" signatures for p0f\nleft out: "), "{}", bundled.stderr);
    assert!(bundled.stderr.contains(" clients by their TLS, which p0f does not look at ([x-tls:client])\n"));
    assert_eq!(run(["db", "check", "-q", path]).status, Some(0));
    let quiet = run(["db", "export", "--p0f", "-q"]);
    assert_eq!((quiet.status, quiet.stderr.as_str()), (Some(0), ""));
    assert_eq!(quiet.stdout, fs::read_to_string(path).unwrap());
}

#[test]
fn export_puts_files_one_behind_the_other() {
    let (one, other) = (own_signatures("one"), own_signatures("other"));
    let [one, other] = [&one, &other].map(|file| file.path().to_str().unwrap());
    let finished = run(["db", "export", "--p0f", one, "pcaps/db/ok_minimal.fp", other]);
    let sig = "sig   = *:64:0:*:mss*44,7:mss,sok,ts,nop,ws:df,id+:0";
    let ours = format!("label = s:unix:Mine:one\n{sig}\n");
    assert!(finished.stdout.contains(&ours), "{}", finished.stdout);
    assert_eq!(finished.status, Some(0));
    assert!(finished.stdout.find("Mine:one") < finished.stdout.find("Mine:other"));
}

#[test]
fn export_writes_nothing_of_files_with_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p0f.fp");
    let bad = run(["db", "export", "--p0f", "-o", path.to_str().unwrap(), "pcaps/db/bad_mss.fp"]);
    assert!(bad.stderr.contains("pcaps/db/bad_mss.fp:4:14: error[E005]"), "{}", bad.stderr);
    assert_eq!((bad.status, path.exists()), (Some(3), false));
    let missing = run(["db", "export", "--p0f", "pcaps/db/none.fp", "pcaps/db/bad_mss.fp"]);
    assert!(missing.stderr.contains("none.fp: no such file") && missing.stderr.contains("error[E005]"));
    assert_eq!((missing.status, missing.stdout.as_str()), (Some(4), ""));
}

#[test]
fn export_does_not_write_over_what_it_reads() {
    let file = own_signatures("one");
    let before = fs::read(&file).unwrap();
    let path = file.path().to_str().unwrap();
    let finished = run(["db", "export", "--p0f", "-o", path, path]);
    let message = format!("huginn-net: {path}: is a signature file to be read, not an output\n");
    assert_eq!((finished.status, finished.stderr), (Some(2), message));
    assert_eq!(fs::read(&file).unwrap(), before);
    let full = run(["db", "export", "--p0f", "-q", "-o", "/dev/full"]);
    assert_eq!(
        (full.status, full.stderr.as_str()),
        (Some(5), "huginn-net: /dev/full: no space left on device\n")
    );
    assert_eq!(run(["db", "export"]).status, Some(2), "for which program?");
}

/// A JA3 tells less than a JA4, so whoever reads the label must know.
#[test]
fn lines_say_if_a_client_was_not_found_by_its_ja4() {
    let capture = "pcaps/tls/pcap/curl-7.88.1-hrr.pcap";
    let file = tempfile::NamedTempFile::new().unwrap();
    let hello = run(["hello", "-o", "json", capture]).stdout;
    let hello: serde_json::Value = serde_json::from_str(hello.lines().next().unwrap()).unwrap();
    let line = |key: &str, value: &serde_json::Value| {
        let text = format!("[x-tls:client]\nlabel = client:Ours:\nsig = {key}={}\n", value.as_str().unwrap());
        fs::write(&file, text).unwrap();
        let path = file.path().to_str().unwrap();
        let read = run(["read", "-q", "--only", "tls", "--no-bundled-db", "--db", path, capture]).stdout;
        read.lines().find(|line| line.contains("Ours")).unwrap().to_owned()
    };
    assert!(line("ja4", &hello["tls.client.ja4"]).ends_with("  Ours"));
    assert!(line("ja3", &hello["tls.client.ja3"]).ends_with("  Ours  by ja3"));
    assert!(line("ja3n", &hello["huginn.tls.ja3n"]).ends_with("  Ours  by ja3n"));
}
