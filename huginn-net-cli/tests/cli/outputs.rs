//! What is written, and where.

use std::fs;

use crate::run::{command, finish, records, records_of, run};

const CAPTURE: &str = "pcaps/real/v4.pcap";

#[test]
fn text_has_one_line_per_event() {
    let finished = run(["read", "-q", "--no-bundled-db", CAPTURE]);
    let expected = "08:02:43.167  10.9.0.1:60414 → 10.9.0.2:9000  SYN    unknown  dist 0  -  \
                    4:64+0:0:1460:mss*44,10:mss,sok,ts,nop,ws:df,id+:0\n\
                    08:02:43.167  10.9.0.2:9000 → 10.9.0.1:60414  SYN+ACK  unknown  dist 0  -  \
                    4:64+0:0:1460:mss*45,10:mss,sok,ts,nop,ws:df:0\n";
    assert_eq!(finished.stdout, expected);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
}

#[test]
fn text_gives_label_and_quality_where_a_signature_fits() {
    let finished =
        run(["read", "-q", "--no-bundled-db", "--db", "pcaps/fp/match.fp", "pcaps/tcp/c08_v6_star_df.pcap"]);
    assert!(finished.stdout.contains("  SYN    OSany star  dist 0  "), "{}", finished.stdout);
}

#[test]
fn text_gives_uptimes_in_days_and_hours_or_says_why_not() {
    let finished = run(["read", "-q", "pcaps/tcp/l35_locked.pcap"]);
    let expected = "UPTIME  100 Hz  perhaps up 2 days 3 h, modulo 497 days (unverified: single connection)\n";
    assert!(finished.stdout.ends_with(expected), "{}", finished.stdout);
}

#[test]
fn text_gives_ja4_the_name_of_the_server_and_the_client() {
    let finished = run(["read", "-q", "--only", "tls", "pcaps/tls/pcap/tunnel-proxy-v2.pcap"]);
    let lines: Vec<_> = finished.stdout.lines().collect();
    let [hello, answer] = lines[..] else { panic!("{}", finished.stdout) };
    assert!(
        hello.contains("  TLS    t13d")
            && hello.contains("  www.example.test  curl with OpenSSL before 3.2 or another program with OpenSSL  via proxy_v2 from "),
        "{hello}"
    );
    assert!(answer.contains("  SERVER  ") && answer.contains("  version 0304  cipher suite 13"), "{answer}");
}

#[test]
fn text_keeps_names_from_driving_a_terminal_and_from_looking_like_others() {
    let finished = run(["read", "-q", "--only", "tls", "pcaps/tls/pcap-hand/sni-nonutf8.pcap"]);
    assert!(finished.stdout.contains(r"  \xff\xfe.test  "), "{}", finished.stdout);
    assert!(!finished.stdout.trim_end().contains(char::is_control), "{}", finished.stdout);
}

#[test]
fn several_outputs_get_the_same_events() {
    let folder = tempfile::tempdir().unwrap();
    let [json, text] = ["a.jsonl", "b:c.txt"].map(|name| folder.path().join(name));
    let outputs = [format!("json:{}", json.display()), format!("text:{}", text.display())];
    let finished = run(["read", "-q", "-o", &outputs[0], "-o", &outputs[1], "-o", "json", CAPTURE]);
    assert_eq!(finished.status, Some(0));
    assert_eq!(fs::read_to_string(&json).unwrap(), finished.stdout);
    assert_eq!(fs::read_to_string(&text).unwrap(), run(["read", "-q", CAPTURE]).stdout);
}

#[test]
fn nothing_is_left_of_what_a_file_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.jsonl");
    fs::write(&path, vec![b'x'; 1 << 20]).unwrap();
    run(["read", "-q", "-o", &format!("json:{}", path.display()), CAPTURE]);
    assert_eq!(fs::read_to_string(&path).unwrap(), run(["read", "-q", "-o", "json", CAPTURE]).stdout);
}

#[test]
fn a_packet_started_from_its_ttl_and_the_hops_to_it() {
    let ttls = |capture: &str| -> Vec<[Option<u64>; 3]> {
        let finished = run(["read", "-q", "-o", "json", "--only", "tcp", capture]);
        let keys = ["huginn.tcp.ttl", "huginn.tcp.distance", "huginn.tcp.initial_ttl"];
        records_of(&finished.stdout, "huginn.tcp.syn")
            .iter()
            .map(|record| keys.map(|key| record[key].as_u64()))
            .collect()
    };
    assert_eq!(ttls("pcaps/real/v4.pcap"), [[Some(64), Some(0), Some(64)]]);
    // A Linux that starts from 128, and a tool whose TTLs are random.
    assert_eq!(ttls("pcaps/real/ttl128.pcap"), [[Some(128), Some(0), Some(128)]]);
    assert_eq!(ttls("pcaps/real/scan_nmap_sS.pcap")[0], [Some(53), Some(11), Some(64)]);
    assert_eq!(ttls("pcaps/tcp/g065_ttl.pcap"), [[Some(65), Some(63), Some(128)]]);
}

#[test]
fn records_end_with_those_of_the_captures_and_of_the_run() {
    let finished = run(["read", "-ojson", CAPTURE, "pcaps/real/v6.pcap"]);
    let datasets: Vec<_> = records(&finished.stdout)
        .iter()
        .map(|record| record["event.dataset"].as_str().unwrap().to_owned())
        .collect();
    let of_capture = ["huginn.tcp.syn", "huginn.tcp.syn_ack", "huginn.input"];
    assert_eq!(datasets, [&of_capture[..], &of_capture[..], &["huginn.stats"]].concat());
}

#[test]
fn colors_appear_only_where_they_are_wanted() {
    let is_colored = |args: &[&str]| run(args).stdout.contains('\x1b');
    assert!(!is_colored(&["read", CAPTURE]));
    assert!(!is_colored(&["read", "--color", "never", CAPTURE]));
    assert!(is_colored(&["read", "--color", "always", CAPTURE]));
    assert!(!is_colored(&["read", "--color", "always", "-ojson", CAPTURE]));
}

#[test]
fn the_summary_says_what_was_seen_and_can_be_left_out() {
    let finished = run(["read", "-ojson", CAPTURE]);
    let (first, rest) = finished.stderr.split_once(" in ").unwrap();
    assert_eq!(first, "1 capture, 7 packets, 478 bytes");
    assert!(
        rest.ends_with(" s\n  SYN          1, 1 named\n  SYN+ACK      1, 1 named\n  decoded      7\n"),
        "{rest}"
    );
    assert_eq!(run(["read", "-q", CAPTURE]).stderr, "");
}

#[test]
fn only_packets_that_fit_the_filter_are_analyzed_and_the_others_are_counted() {
    let events = |filter: &str| {
        let finished = run(["read", "-ojson", "-f", filter, CAPTURE]);
        let of = |dataset| records_of(&finished.stdout, dataset).len();
        let (syn, syn_ack) = (of("huginn.tcp.syn"), of("huginn.tcp.syn_ack"));
        let left_out = finished.stderr.lines().find_map(|line| line.strip_prefix("  filtered out "));
        (syn, syn_ack, left_out.map(str::to_owned))
    };
    assert_eq!(events("tcp port 9000"), (1, 1, None));
    assert_eq!(events("src host 10.9.0.1"), (1, 0, Some("3".to_owned())));
    assert_eq!(events("not tcp"), (0, 0, Some("7".to_owned())));
}

#[test]
fn verbose_tells_about_each_capture() {
    let finished = run(["read", "-v", CAPTURE]);
    assert!(
        finished.stderr.starts_with("pcaps/real/v4.pcap: pcap, 7 packets, 7 decoded\n"),
        "{}",
        finished.stderr
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_may_have_any_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"a b:c\n\xff.txt");
    let argument = [b"text:", name.as_bytes()].concat();
    let capture = testkit::corpus::path("real/v4.pcap");
    let args =
        [OsStr::new("read"), "-q".as_ref(), "-o".as_ref(), OsStr::from_bytes(&argument), capture.as_os_str()];
    let finished = finish(command(args).current_dir(folder.path()).spawn().unwrap());
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    let written = fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(written, run(["read", "-q", CAPTURE]).stdout);
}
