//! Which captures are read, and in what order.

use std::fs;
use std::path::Path;

use testkit::capture::Capture;
use testkit::container::Container;
use testkit::corpus;

use crate::run::{Finished, command, finish, records, records_of, run, run_with_stdin, without_paths};

const CAPTURE: &str = "pcaps/real/tsoff.pcap";

fn paths(finished: &Finished) -> Vec<String> {
    let inputs = records_of(&finished.stdout, "huginn.input");
    inputs.iter().map(|input| input["log.file.path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_directory_is_read_in_order_and_what_is_no_capture_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("b")).unwrap();
    for (name, of) in
        [("c", "real/v4.pcap"), ("b/z.txt", "real/v6.pcap"), ("a.pcap", "tcp/index.tsv"), ("d", "")]
    {
        if of.is_empty() {
            fs::write(folder.path().join(name), "").unwrap();
        } else {
            fs::copy(corpus::path(of), folder.path().join(name)).unwrap();
        }
    }
    let finished = run([Path::new("read"), Path::new("-Rojson"), folder.path()]);
    assert_eq!(finished.status, Some(3));
    let expected = ["b/z.txt", "c"].map(|name| folder.path().join(name).display().to_string());
    assert_eq!(paths(&finished), expected);
    assert!(finished.stderr.contains("\n  passed over  2 files\n"), "{}", finished.stderr);
}

/// Runs the command on what is found, with an output among it, and says how often that was left out.
#[track_caller]
fn left_out(found: &[&Path], output: &Path) -> usize {
    let option = format!("json:{}", output.display());
    let args = ["read", "-v", "-R", "-o", &option].map(Path::new);
    let finished = run(args.iter().chain(found));
    assert_eq!(finished.status, Some(0), "{}", finished.stderr);
    let written = fs::read_to_string(output).unwrap();
    assert_eq!(records_of(&written, "huginn.tcp.syn").len(), 1, "{written}");
    let told = format!("{}: left out, as it is an output\n", output.display());
    finished.stderr.matches(&told).count()
}

#[test]
fn an_output_among_the_files_that_are_found_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let (capture, output) = (folder.path().join("a.pcap"), folder.path().join("all.jsonl"));
    fs::copy(corpus::path("real/v4.pcap"), &capture).unwrap();
    for times in [0, 1] {
        assert_eq!(left_out(&[folder.path()], &output), times);
    }
    assert_eq!(left_out(&[&folder.path().join("a*")], &output), 1, "a pattern");

    let child = command([Path::new("read"), Path::new("-qRojson"), folder.path()])
        .stdout(fs::File::create(&output).unwrap())
        .spawn();
    let finished = finish(child.unwrap());
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    assert_eq!(records_of(&fs::read_to_string(&output).unwrap(), "huginn.tcp.syn").len(), 1);
}

#[test]
fn a_file_that_is_found_is_written_over_only_if_it_holds_records() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("output");
    let capture = fs::read(corpus::path("real/v4.pcap")).unwrap();
    fs::write(folder.path().join("a.pcap"), &capture).unwrap();
    let option = format!("text:{}", output.display());
    let run_over = |content: &[u8]| {
        fs::write(&output, content).unwrap();
        let finished = run([Path::new("read"), Path::new("-Ro"), Path::new(&option), folder.path()]);
        (finished.status, fs::read(&output).unwrap())
    };
    // Captures, also compressed, of other programs, and damaged; and the notes of somebody.
    let foreign: [&[u8]; 6] =
        [&capture, b"\xfd7zXZ\0", b"BZh9", b"snoop\0\0\0", b"\0\0\0\0\x02\0\x04\0", b"12 hosts\n"];
    for content in foreign {
        assert_eq!(run_over(content), (Some(2), content.to_vec()), "{}", content.escape_ascii());
    }
    let records = run_over(b"").1;
    assert!(records.contains(&b'\n'), "{}", records.escape_ascii());
    for content in [&*records, b"{\"@timestamp\":"] {
        assert_eq!(run_over(content), (Some(0), records.clone()), "{}", content.escape_ascii());
    }
}

#[test]
fn a_folder_that_holds_nothing_but_an_output_is_status_4() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("all.jsonl");
    fs::write(&output, "{\"old\":1}\n").unwrap();
    let option = format!("json:{}", output.display());
    let finished = run([Path::new("read"), Path::new("-Ro"), Path::new(&option), folder.path()]);
    assert_eq!(finished.stderr, "huginn-net: there is no file but those to be written\n");
    assert_eq!(finished.status, Some(4));
    assert_eq!(fs::read_to_string(&output).unwrap(), "{\"old\":1}\n");
}

#[test]
fn patterns_are_expanded_and_arguments_keep_their_order() {
    let finished = run(["read", "-ojson", "pcaps/real/v6_mtu*.pcap", "pcaps/real/lo4.pcap"]);
    let expected = ["v6_mtu1280", "v6_mtu1420", "lo4"].map(|name| format!("pcaps/real/{name}.pcap"));
    assert_eq!(paths(&finished), expected);
}

#[test]
fn standard_input_gives_what_the_file_gives_but_for_the_path() {
    let of_file = run(["read", "-o", "json", CAPTURE]);
    let bytes = fs::read(corpus::path("real/tsoff.pcap")).unwrap();
    let of_stdin = run_with_stdin(["read", "-o", "json", "-"], &bytes);
    assert!(of_file.stdout.contains("log.file.path") && !of_stdin.stdout.contains("log.file.path"));
    assert_eq!(without_paths(&of_stdin.stdout), without_paths(&of_file.stdout));
}

#[test]
fn every_kind_of_file_gives_the_same_events_whatever_its_name() {
    let capture = Capture::open(&corpus::path("real/tsoff.pcap"));
    let folder = tempfile::tempdir().unwrap();
    let events = |path: &Path| {
        let finished = run([Path::new("read"), Path::new("-ojson"), path]);
        assert_eq!(finished.status, Some(0), "{}", finished.stderr);
        let mut records = without_paths(&finished.stdout);
        let format = records.iter().find_map(|record| record.get("huginn.input.format")).cloned();
        records.retain(|record| record["event.dataset"] != "huginn.input");
        (records, format.unwrap().as_str().unwrap().to_owned())
    };
    let (expected, _) = events(&corpus::path("real/tsoff.pcap"));
    let mut formats = Vec::new();
    for container in Container::ALL {
        let path = folder.path().join("capture.txt");
        fs::write(&path, container.write(&capture)).unwrap();
        let (actual, format) = events(&path);
        assert_eq!(actual, expected, "{}", container.name);
        formats.push(format);
    }
    for format in ["pcap", "pcap-ns", "pcap-kuznetzov", "pcapng", "pcap.gz", "pcapng.zst"] {
        assert!(formats.iter().any(|seen| seen == format), "{format} is not among {formats:?}");
    }
}

#[test]
fn a_count_ends_the_run_after_so_many_packets_of_all_captures() {
    let finished = run(["read", "-ojson", "-c", "9", "pcaps/real/v4.pcap", "pcaps/real/v6.pcap", CAPTURE]);
    assert_eq!(finished.status, Some(0));
    let inputs = records_of(&finished.stdout, "huginn.input");
    let packets: Vec<_> =
        inputs.iter().map(|input| input["huginn.input.packets"].as_u64().unwrap()).collect();
    assert_eq!(packets, [7, 2], "and the third capture is not opened");
    assert_eq!(records(&finished.stdout).last().unwrap()["huginn.stats.packets"], 9);
}

#[test]
fn only_the_protocols_asked_for_are_analyzed() {
    let datasets = |args: &[&str]| {
        let finished = run([&["read", "-ojson", "pcaps/tls/pcap/tunnel-proxy-v2.pcap"], args].concat());
        let mut names: Vec<_> = records(&finished.stdout)
            .iter()
            .map(|record| record["event.dataset"].as_str().unwrap().to_owned())
            .filter(|name| name != "huginn.input" && name != "huginn.stats")
            .collect();
        names.sort();
        names.dedup();
        names
    };
    let (tcp, tls) =
        (["huginn.tcp.syn", "huginn.tcp.syn_ack"], ["huginn.tls.client_hello", "huginn.tls.server_hello"]);
    assert_eq!(datasets(&["--only", "tcp"]), tcp);
    assert_eq!(datasets(&["--only", "tls"]), tls);
    assert_eq!(datasets(&["--only", "tcp,tls"]), [tcp, tls].concat());
    assert_eq!(datasets(&[]), [tcp, tls].concat());
}

#[test]
fn unpaired_syn_acks_are_reported_on_request() {
    let stray = "pcaps/tcp/a07_stray_synack.pcap";
    assert_eq!(run(["read", "-q", stray]).stdout, "");
    let left_out = "\n  not reported 1 SYN+ACK without a SYN, which --unpaired reports\n";
    assert!(run(["read", stray]).stderr.contains(left_out));
    let finished = run(["read", "-q", "--unpaired", stray]);
    assert!(
        finished.stdout.contains("SYN+ACK") && finished.stdout.contains(" unpaired "),
        "{}",
        finished.stdout
    );
    assert!(!run(["read", "--unpaired", stray]).stderr.contains("not reported"));
}

#[test]
fn a_count_with_a_filter_is_one_of_the_packets_that_it_wants() {
    let bytes = fs::read(corpus::path("real/v4.pcap")).unwrap();
    for jobs in ["1", "3"] {
        for (filter, read) in [("tcp", 1), ("src port 9000", 2), ("udp", 7)] {
            let args = ["read", "-q", "-ojson", "-c", "1", "-f", filter, "-j", jobs, "-"];
            let finished = run_with_stdin(args, &bytes);
            let stats = records_of(&finished.stdout, "huginn.stats").remove(0);
            // The SYN stands before the answer from port 9000.
            assert_eq!(stats["huginn.stats.packets"], read, "-f {filter} -j {jobs}");
        }
    }
}

#[test]
fn one_flow_at_a_time_loses_answers_and_the_limit_is_counted() {
    let finished = run(["read", "-ojson", "--max-flows", "1", "pcaps/real/browsers_net.pcap"]);
    let records = records(&finished.stdout);
    let stats = records.last().unwrap();
    assert!(stats["huginn.stats.limits_hit"]["tcp_flows"].as_u64() > Some(0), "{stats}");
}

#[test]
fn a_connection_is_given_up_after_the_time_set() {
    let late = "pcaps/tcp/o04_expire_exact30.pcap";
    let answers = |args: &[&str]| records_of(&run(args).stdout, "huginn.tcp.syn_ack").len();
    assert_eq!(answers(&["read", "-ojson", "--flow-timeout", "10s", late]), 0);
    assert!(answers(&["read", "-ojson", "--flow-timeout", "5m", late]) > 0);
}
