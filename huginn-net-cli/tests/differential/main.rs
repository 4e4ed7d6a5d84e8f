//! Every capture of the repository, read by p0f 3.09b, by tshark and by this project.
//!
//! Not part of `cargo test`, as it needs both programs: `cargo test -p huginn-net-cli --test differential`.
#![cfg(test)]

mod export;
mod http;
mod tls;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use testkit::corpus::{self, Table};

/// Signatures file of Debian's p0f; only the raw signatures of its answers are compared.
const P0F_SIGNATURES: &str = "/etc/p0f/p0f.fp";

/// Recorded captures in which p0f misses `ack+`: because of a slip in operator precedence it looks at one bit of the
/// acknowledgment number only.
const WITHOUT_ACK_PLUS_IN_P0F: &[&str] = &["scan_hping3", "scan_nmap_O6"];

/// A recorded capture in which p0f takes the SYNs for those of a tool and gives up the connections, and so the
/// answers.
const WITHOUT_ANSWERS_IN_P0F: &str = "scan_nmap_O";

/// Captures in which tshark sees other handshakes, and why.
const DEVIATIONS_OF_TSHARK: &[(&str, &str)] = &[
    ("f11_doff_past", "it takes ports from a header whose length is impossible"),
    ("i08_synack_c2s", "a client does not answer its own SYN"),
];

fn output(program: &str, args: &[&str]) -> String {
    let output = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{program} is needed here: {error}"));
    assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

fn ours(capture: &Path, unpaired: bool) -> Vec<serde_json::Value> {
    let path = capture.to_str().expect("paths of the repository are UTF-8");
    let mut args = vec!["read", "-q", "-o", "json", path];
    args.extend(unpaired.then_some("--unpaired"));
    let jsonl = output(env!("CARGO_BIN_EXE_huginn-net"), &args);
    jsonl.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
}

/// SYN and SYN+ACK signatures in the order of the packets.
fn signatures_of_ours(capture: &Path) -> Vec<String> {
    let has_answers = name(capture) != WITHOUT_ANSWERS_IN_P0F;
    let mut seen: Vec<_> = ours(capture, false)
        .into_iter()
        .filter(|record| has_answers || record["event.dataset"] == "huginn.tcp.syn")
        .filter_map(|record| {
            Some((record["huginn.frame"].as_u64()?, record["huginn.tcp.signature"].as_str()?.to_owned()))
        })
        .collect();
    seen.sort_by_key(|(frame, _)| *frame);
    seen.into_iter().map(|(_, signature)| signature).collect()
}

/// The lines of p0f's log, each with the values of its fields.
fn records_of_p0f(capture: &Path, signatures: &Path) -> Vec<BTreeMap<String, String>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log");
    let [capture, signatures, log_path] =
        [capture, signatures, &log].map(|path| path.to_str().expect("paths are UTF-8"));
    output("p0f", &["-f", signatures, "-o", log_path, "-r", capture]);
    // It writes values as they were sent.
    let log = fs::read(log_path).expect("p0f writes a log");
    let log = String::from_utf8_lossy(&log);
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    log.lines()
        .filter_map(|line| {
            let (_time, line) = line.split_once("] ")?;
            Some(line.split('|').filter_map(|field| field.split_once('=')).map(owned).collect())
        })
        .collect()
}

fn signatures_of_p0f(capture: &Path) -> Vec<String> {
    let records = records_of_p0f(capture, Path::new(P0F_SIGNATURES)).into_iter();
    // It has names of its own for what its companion program sends and gets.
    let of_tcp = records.filter(|record| {
        matches!(record["mod"].as_str(), "syn" | "syn+ack" | "sendsyn probe" | "sendsyn response")
    });
    of_tcp.map(|mut record| record.remove("raw_sig").expect("a signature")).collect()
}

fn name(capture: &Path) -> &str {
    capture.file_stem().and_then(|stem| stem.to_str()).expect("captures have names")
}

fn recorded() -> Vec<PathBuf> {
    corpus::captures("real")
}

#[test]
fn signatures_are_those_of_p0f_where_they_must_be() {
    let mut differences = Vec::new();
    let mut compared = 0;
    for row in Table::open("tcp/index.tsv").rows() {
        let capture = corpus::path("tcp").join(row.field("pcap"));
        // The other rows say in words what p0f should have answered; `huginn-net-tcp` tests them.
        if !row.field("required").starts_with('=') {
            continue;
        }
        let (ours, theirs) = (signatures_of_ours(&capture), signatures_of_p0f(&capture));
        compared += theirs.len();
        if ours != theirs {
            differences.push(format!("{}: p0f {theirs:?}, ours {ours:?}", row.field("id")));
        }
    }
    assert!(compared > 200, "{compared} signatures");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn signatures_of_recorded_captures_are_those_of_p0f() {
    let without = |signatures: Vec<String>| -> Vec<String> {
        signatures.iter().map(|signature| signature.replace(",ack+", "").replace("ack+", "")).collect()
    };
    for capture in recorded() {
        let (ours, theirs) = (signatures_of_ours(&capture), signatures_of_p0f(&capture));
        if WITHOUT_ACK_PLUS_IN_P0F.contains(&name(&capture)) {
            assert_ne!(ours, theirs, "{}: no longer a deviation", name(&capture));
            assert_eq!(without(ours), without(theirs), "{}", name(&capture));
        } else {
            assert_eq!(ours, theirs, "{}", name(&capture));
        }
    }
}

/// Addresses and ports of the sender and the receiver, and whether it is a SYN+ACK.
type Handshake = (String, String, String, String, bool);

fn handshakes_of_ours(capture: &Path) -> BTreeSet<Handshake> {
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    ours(capture, true)
        .iter()
        .filter(|record| record.get("huginn.tcp.signature").is_some())
        .map(|record| {
            let [source, source_port, destination, destination_port] =
                ["source.ip", "source.port", "destination.ip", "destination.port"]
                    .map(|key| text(&record[key]));
            (
                source,
                source_port,
                destination,
                destination_port,
                record["event.dataset"] == "huginn.tcp.syn_ack",
            )
        })
        .collect()
}

fn handshakes_of_tshark(capture: &Path) -> BTreeSet<Handshake> {
    const FIELDS: [&str; 8] = [
        "frame.protocols",
        "ip.src",
        "ipv6.src",
        "ip.dst",
        "ipv6.dst",
        "tcp.srcport",
        "tcp.dstport",
        "tcp.flags.ack",
    ];
    let mut args =
        vec!["-n", "-r", capture.to_str().expect("paths are UTF-8"), "-T", "fields", "-E", "occurrence=l"];
    args.extend(["-Y", "tcp.flags.syn==1 && tcp.flags.fin==0 && tcp.flags.reset==0"]);
    args.extend(FIELDS.iter().flat_map(|field| ["-e", field]));
    let is_set = |flag: &str| matches!(flag, "1" | "True");
    output("tshark", &args)
        .lines()
        .map(|line| {
            let fields: Vec<_> = line.split('\t').map(str::to_owned).collect();
            let [protocols, ip, ip6, to_ip, to_ip6, port, to_port, ack] =
                fields.try_into().expect("as many fields as asked for");
            // The innermost header counts; in a tunnel there may be one of each version.
            let innermost = protocols.split(':').rfind(|protocol| matches!(*protocol, "ip" | "ipv6"));
            let (source, destination) = if innermost == Some("ipv6") { (ip6, to_ip6) } else { (ip, to_ip) };
            (source, port, destination, to_port, is_set(&ack))
        })
        .collect()
}

#[test]
fn handshakes_are_those_that_tshark_sees() {
    let mut deviating = BTreeSet::new();
    let mut compared = 0;
    for capture in corpus::captures("tcp").into_iter().chain(recorded()) {
        let (ours, theirs) = (handshakes_of_ours(&capture), handshakes_of_tshark(&capture));
        compared += ours.len();
        if ours != theirs {
            println!("{}: tshark {theirs:?}, ours {ours:?}", name(&capture));
            deviating.insert(name(&capture).to_owned());
        }
    }
    assert!(compared > 300, "{compared} handshakes");
    let known = DEVIATIONS_OF_TSHARK.iter().map(|(name, _reason)| (*name).to_owned()).collect();
    assert_eq!(deviating, known);
}
