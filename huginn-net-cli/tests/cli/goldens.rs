//! Records as they were when somebody last looked at them, and the schema they all follow.

use std::ffi::OsStr;
use std::path::Path;

use jsonschema::Validator;
use testkit::capture::{Capture, Endian};
use testkit::container::{Pcap, pcap};
use testkit::encap::link;
use testkit::packet::{IpHeader, Ipv4, Udp};
use testkit::wrap::Wrapping;
use testkit::{corpus, golden};

use crate::run::run;

/// Captures whose records are kept in `pcaps/expected`.
const CAPTURES: &[&str] = &[
    "http/h13_fold",
    "http/h21_bin_url",
    "http/h26_utf8",
    "http/h47_pipeline",
    "http/h51_h2",
    "http/m24_forwarded",
    "real/browser_chromium_lo",
    "real/browser_webkitgtk",
    "real/browsers_lo",
    "real/browsers_net",
    "real/ecn1_v6",
    "real/http2_clear",
    "real/http2_grpc",
    "real/http_callers",
    "real/http_clients",
    "real/http_frameworks",
    "real/http_proxies",
    "real/http_servers",
    "real/http_tools",
    "real/lo6",
    "real/mptcp",
    "real/nopmtud",
    "real/scan_masscan",
    "real/scan_nmap_O",
    "real/scan_zmap",
    "real/tfo",
    "real/tsoff",
    "real/v4",
    "real/v4_mtu1400",
    "real/v6",
    "tcp/a02_win10_syn",
    "tcp/a04_synack",
    "tcp/a05_v6_syn",
    "tcp/c06_v6_frag",
    "tcp/d16_all_quirks",
    "tcp/f03_frag_mf",
    "tcp/l35_locked",
    "tcp/l03_1000hz",
    "tcp/m02_ip_sharing",
    "tcp/n06_vlan",
    "tcp/n07_qinq",
    "tcp/n08_pppoe",
    "tcp/n10_ipip",
    "tcp/n12_6in4",
    "tcp/n13_vxlan",
    "tcp/n17_gtpu",
    "tcp/n18_geneve",
    "tls/pcap/chromium-156.0.8078.79",
    "tls/pcap/curl-7.88.1-hrr",
    "tls/pcap/tunnel-http-connect",
    "tls/pcap/tunnel-proxy-v2",
    "tls/pcap-hand/alpn-hex-abcd",
    "tls/pcap-hand/dtls13",
    "tls/pcap-hand/sni-nonutf8",
    "tls/pcap-hand/sslv2-pure",
    "tls/quic-pcap/q-quic-go-v2",
    "tls/relayed",
    "tls/tcp/two-hellos-one-flow",
];

fn schema() -> Validator {
    let finished = run(["schema"]);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    let schema = serde_json::from_str(&finished.stdout).expect("the schema is JSON");
    jsonschema::meta::validate(&schema).expect("the schema is one");
    jsonschema::validator_for(&schema).expect("the schema can be used")
}

#[track_caller]
fn follows(schema: &Validator, name: &str, jsonl: &str) {
    for line in jsonl.lines() {
        let record = serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"));
        let errors: Vec<_> = schema.iter_errors(&record).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {line}\n{}", errors.join("\n"));
    }
}

#[test]
fn records_are_those_expected() {
    for capture in CAPTURES {
        let finished = run(["read", "-q", "-o", "json", &format!("pcaps/{capture}.pcap")]);
        assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""), "{capture}");
        let name = Path::new(capture).file_name().unwrap().to_str().unwrap();
        golden::check(&corpus::path(&format!("expected/{name}.jsonl")), &finished.stdout);
    }
}

#[test]
fn expected_records_follow_the_schema() {
    let schema = schema();
    for capture in CAPTURES {
        let name = Path::new(capture).file_name().unwrap().to_str().unwrap();
        let jsonl = std::fs::read_to_string(corpus::path(&format!("expected/{name}.jsonl"))).unwrap();
        follows(&schema, name, &jsonl);
    }
}

#[test]
fn records_of_all_captures_follow_the_schema() {
    let schema = schema();
    let finished = run(["read", "-q", "-R", "--unpaired", "-o", "json", "pcaps"]);
    // Signature files, hellos and tables are beside them.
    assert_eq!(finished.status, Some(3));
    assert!(finished.stderr.ends_with(" files of directories are no captures\n"), "{}", finished.stderr);
    assert_eq!(finished.stderr.lines().count(), 1);
    assert!(finished.stdout.lines().count() > 1_000);
    follows(&schema, "all", &finished.stdout);
}

#[test]
fn records_of_packets_in_every_wrapping_and_of_dtls_in_capwap_follow_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, capture: &Capture| {
        let bytes = pcap(Pcap::Micros, Endian::Little, capture);
        std::fs::write(folder.path().join(format!("{name}.pcap")), bytes).unwrap();
    };
    for original in ["a01_linux_syn", "a05_v6_syn"] {
        let capture = Capture::open(&corpus::path(&format!("tcp/{original}.pcap")));
        for wrapping in Wrapping::ALL {
            write(&format!("{original}-{}", wrapping.name), &wrapping.apply(&capture));
        }
    }
    let dtls = Capture::open(&corpus::path("tls/pcap-hand/dtls13.pcap"));
    let in_capwap = dtls.records.iter().map(|record| {
        // Behind Ethernet, IPv4 and UDP.
        let encrypted = [&[1, 0, 0, 0], &record.bytes[42..]].concat();
        link::ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).udp(&Udp::new(50_000, 5_246, &encrypted)))
    });
    write("dtls", &Capture::of_frames(1, in_capwap));
    let args = [OsStr::new("read"), OsStr::new("-qR"), OsStr::new("-ojson"), folder.path().as_os_str()];
    let finished = run(args);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    for told in [r#""huginn.tunnel":["capwap"]"#, r#""huginn.tls.via":{"kind":"capwap"}"#] {
        assert!(finished.stdout.contains(told), "{told}");
    }
    follows(&schema(), "wrappings", &finished.stdout);
}

#[test]
fn the_schema_refuses_records_that_do_not_follow_it() {
    let schema = schema();
    let syn = std::fs::read_to_string(corpus::path("expected/v4.jsonl")).unwrap();
    let syn: serde_json::Value = serde_json::from_str(syn.lines().next().unwrap()).unwrap();
    assert!(schema.is_valid(&syn));
    for (key, value) in [
        ("huginn.os.quality", serde_json::json!("perfect")),
        ("huginn.unheard_of", serde_json::json!(1)),
        ("event.dataset", serde_json::json!("huginn.tcp.uptime")),
        ("huginn.tcp.mss", serde_json::Value::Null),
        ("@timestamp", serde_json::json!("2023-11-14T22:13:20Z")),
    ] {
        let mut other = syn.clone();
        other[key] = value;
        assert!(!schema.is_valid(&other), "{other}");
    }
}
