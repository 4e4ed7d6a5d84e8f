//! Signature files that are written for p0f, as p0f takes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use testkit::corpus::{self, Table};

use crate::{name, ours, output, recorded, records_of_p0f};

/// Captures whose packets the exported signatures do not name as we do, and why.
const DEVIATIONS: &[(&str, &str)] = &[
    ("maxseg1200", "no link of the list has this MSS"),
    ("scan_hping3", "p0f looks at one bit of the acknowledgment number"),
    ("scan_nmap_O6", "p0f looks at one bit of the acknowledgment number"),
];

/// Whether p0f loads a file.
fn loads(signatures: &Path) -> bool {
    let capture = corpus::path("real/v4.pcap");
    let mut p0f = Command::new("p0f");
    p0f.arg("-f").arg(signatures).arg("-r").arg(capture).stdin(Stdio::null());
    p0f.output().expect("p0f is needed here").status.success()
}

/// Whether it is a SYN+ACK and the port of the client, with the name.
type Names = BTreeMap<(bool, String), String>;

fn names_of_p0f(capture: &Path, signatures: &Path) -> Names {
    let records = records_of_p0f(capture, signatures).into_iter();
    let handshakes = records.filter(|record| matches!(record["mod"].as_str(), "syn" | "syn+ack"));
    let named = handshakes.map(|mut record| {
        let port = record["cli"].rsplit('/').next().expect("an address has a port").to_owned();
        let name = record.remove("os").or_else(|| record.remove("app")).expect("p0f names all, if only ???");
        ((record["mod"] == "syn+ack", port), name.trim().to_owned())
    });
    named.collect()
}

fn names_of_ours(capture: &Path) -> Names {
    let records = ours(capture, false).into_iter();
    let handshakes = records.filter(|record| record.get("huginn.tcp.signature").is_some());
    let named = handshakes.map(|record| {
        let is_syn_ack = record["event.dataset"] == "huginn.tcp.syn_ack";
        let port = &record[if is_syn_ack { "destination.port" } else { "source.port" }];
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        let (name, flavor) = (text("huginn.os.name"), text("huginn.os.flavor"));
        ((is_syn_ack, port.to_string()), format!("{name} {flavor}").trim().to_owned())
    });
    named.collect()
}

#[test]
fn p0f_names_recorded_packets_by_the_exported_signatures_as_we_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let signatures = folder.path().join("p0f.fp");
    let path = signatures.to_str().expect("paths are UTF-8");
    output(env!("CARGO_BIN_EXE_huginn-net"), &["db", "export", "--p0f", "-o", path]);
    let (mut compared, mut deviating) = (0, Vec::new());
    for capture in recorded() {
        let (theirs, ours) = (names_of_p0f(&capture, &signatures), names_of_ours(&capture));
        compared += theirs.len();
        // p0f reports no answer of a connection whose SYN a tool sent.
        let differ = theirs.iter().filter(|(packet, name)| ours.get(*packet) != Some(*name));
        if differ.count() > 0 {
            deviating.push(name(&capture).to_owned());
        }
    }
    assert!(compared > 700, "{compared} packets");
    let known: Vec<_> = DEVIATIONS.iter().map(|(name, _reason)| (*name).to_owned()).collect();
    assert_eq!(deviating, known);
}

#[test]
fn p0f_refuses_the_signatures_that_are_left_out_and_no_others() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("pair.fp");
    for row in Table::open("fp/covered.tsv").rows() {
        let lines = [row.field("earlier"), row.field("later")].join(" / ").replace(" / ", "\n");
        fs::write(&file, format!("classes = unix\n[tcp:request]\n{lines}\n")).expect("a file can be written");
        assert_eq!(loads(&file), row.field("p0f_result") == "OK", "{}", row.field("description"));
    }
}

#[test]
fn p0f_loads_what_is_exported_of_the_files_it_loads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let exported = folder.path().join("exported.fp");
    let path = exported.to_str().expect("paths are UTF-8");
    let accepted = Table::open("db/index.tsv");
    let accepted = accepted.rows().filter(|row| row.field("p0f_result").starts_with("OK"));
    let files = accepted.map(|row| corpus::path("db").join(row.field("file")));
    for file in
        files.chain([crate::P0F_SIGNATURES.into(), corpus::path("fp/match.fp"), corpus::path("fp/http.fp")])
    {
        output(
            env!("CARGO_BIN_EXE_huginn-net"),
            &["db", "export", "--p0f", "-o", path, file.to_str().expect("paths are UTF-8")],
        );
        assert!(loads(&exported), "{}", file.display());
    }
}
