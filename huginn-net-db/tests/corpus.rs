//! The packets that signatures are checked against are those of the captures.
#![cfg(test)]

mod recorded;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use huginn_net_db::{Database, Diagnostic, TcpFactSet};
use testkit::golden;

use recorded::Recorded;

/// What sent a packet of a capture.
///
/// The other end of every connection is Linux.
fn sender(capture: &str, is_syn_ack: bool) -> &'static str {
    const STACKS: [(&str, &str); 3] = [("gvisor_", "gVisor"), ("lwip_", "lwIP"), ("smoltcp_", "smoltcp")];
    const SCANNERS: [(&str, &str); 6] = [
        // This scan leaves the packets to the system.
        ("scan_nmap_sT", "Linux"),
        ("scan_nmap_", "nmap"),
        ("scan_hping3", "hping3"),
        ("scan_masscan", "masscan"),
        ("scan_zmap", "zmap"),
        ("", "Linux"),
    ];
    let stack = STACKS.iter().find(|(prefix, _)| capture.starts_with(prefix));
    match stack {
        Some((_, stack)) if capture.contains("_client") != is_syn_ack => stack,
        None if !is_syn_ack => {
            SCANNERS.iter().find(|(prefix, _)| capture.starts_with(prefix)).map_or("Linux", |(_, name)| name)
        }
        _ => "Linux",
    }
}

#[test]
fn the_corpus_is_that_of_the_captures() {
    let mut captures = BTreeMap::new();
    for Recorded { capture, is_syn_ack, seen } in recorded::packets("real") {
        let family = sender(&capture, is_syn_ack);
        let section = if is_syn_ack { "tcp:response" } else { "tcp:request" };
        let mut signature = seen.to_string();
        let facts = TcpFactSet::of(&seen.facts);
        if !facts.is_empty() {
            write!(signature, ":{facts}").unwrap();
        }
        let packet = (family, section, signature, seen.window, seen.syn_mss.unwrap_or(0));
        captures.entry(packet).or_insert(capture);
    }
    let mut text = "family\tsection\tsignature\twindow\tsyn_mss\tcapture\n".to_owned();
    for ((family, section, signature, window, syn_mss), capture) in captures {
        writeln!(text, "{family}\t{section}\t{signature}\t{window}\t{syn_mss}\t{capture}.pcap").unwrap();
    }
    golden::check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/corpus.tsv"), &text);
}

fn findings(text: &str) -> Vec<Diagnostic> {
    Database::check_bytes(text.as_bytes(), "my.fp").unwrap().warnings().to_vec()
}

/// As they are printed, without the name of the file.
fn strangers(text: &str) -> Vec<String> {
    let findings = findings(text);
    let strangers = findings.iter().filter(|finding| finding.code.as_str() == "W110");
    strangers.map(|finding| finding.to_string().replace("my.fp:", "")).collect()
}

const LINUX: &str = "4:64:0:*:mss*44,10:mss,sok,ts,nop,ws:df,id+:0";

#[test]
fn a_specific_signature_that_another_system_was_recorded_with_is_named() {
    let text = format!("classes = unix\n[tcp:request]\nlabel = s:unix:Plan 9:\n\tsig =  {LINUX}\n");
    assert_eq!(
        strangers(&text),
        [
            "4:9: warning[W110]: packets that something else sent match this exactly: of Linux (browser_chromium_net.pcap)"
        ]
    );
    let found = findings(&text);
    assert_eq!(&text[found[0].span.clone()], LINUX);
}

#[test]
fn whoever_only_uses_a_file_does_not_pay_for_the_comparison() {
    let text = format!("classes = unix\n[tcp:request]\nlabel = s:unix:Plan 9:\nsig = {LINUX}\n");
    assert_eq!(Database::parse(&text, "my.fp").unwrap().warnings(), []);
}

#[test]
fn a_signature_of_what_was_recorded_is_not() {
    for label in ["s:unix:Linux:6.18", "s:unix:linux:", "s:unix:Android:or another LINUX", "g:unix:Plan 9:"] {
        let text = format!("classes = unix\n[tcp:request]\nlabel = {label}\nsig = {LINUX}\n");
        assert_eq!(strangers(&text), [""; 0], "{label}");
    }
    // Nothing was recorded with this one, nor with the other as an answer.
    for (section, signature) in [
        ("tcp:request", "4:64:0:*:mss*44,12:mss,sok,ts,nop,ws:df,id+:0"),
        ("tcp:request", "6:64:0:*:mss*44,10:mss,sok,ts,nop,ws:flow:0"),
        ("tcp:request", "4:32:0:*:mss*44,10:mss,sok,ts,nop,ws:df,id+:0"),
        ("tcp:response", LINUX),
    ] {
        let text = format!("classes = unix\n[{section}]\nlabel = s:unix:Plan 9:\nsig = {signature}\n");
        assert_eq!(strangers(&text), [""; 0], "{signature}");
    }
}

#[test]
fn a_signature_above_that_names_the_system_answers_for_it() {
    let labels = |first: &str, second: &str| {
        let narrow = "4:64:0:1460:mss*44,10:mss,sok,ts,nop,ws:df,id+:0";
        strangers(&format!(
            "classes = unix\n[tcp:request]\nlabel = {first}\nsig = {narrow}\nlabel = {second}\nsig = {LINUX}\n"
        ))
    };
    assert_eq!(labels("s:unix:Linux:", "s:unix:Plan 9:"), [""; 0]);
    assert_eq!(labels("s:unix:Plan 9:", "s:unix:Linux:").len(), 1);
}

#[test]
fn a_signature_that_asks_for_facts_is_held_against_those_of_the_packets() {
    let found = |facts: &str| {
        let signature = format!("4:255-:0:0:*,0:::0:{facts}");
        strangers(&format!("classes = unix\n[x-tcp:request]\nlabel = s:unix:Plan 9:\nsig = {signature}\n"))
    };
    let [masscan] = &found("ip_id_masscan")[..] else { panic!() };
    assert!(masscan.ends_with("exactly: of masscan (scan_masscan.pcap)"), "{masscan}");
    assert!(found("ip_id_zmap")[0].contains("of zmap (scan_zmap"), "{:?}", found("ip_id_zmap"));
    assert_eq!(found("seq_is_destination"), [""; 0]);
}

#[test]
fn all_families_that_were_recorded_with_a_signature_are_named_once() {
    let text = "classes = unix\n[x-tcp:response]\nfamily = x:mss:mss,sok,ts\nlabel = s:unix:Plan 9:\n\
                sig = 4:64:0:1460:%2,0:@x::0\nsig = 4:64:0:1460:*,0:@x:df:0\n";
    let found = strangers(text);
    let [first, second] = &found[..] else { panic!("{found:?}") };
    assert!(first.ends_with("exactly: of gVisor (gvisor_server_ts1_sack1_ws0.pcap)"), "{first}");
    let both = "of Linux (opt_ts0_sack0_ws0.pcap), of smoltcp (smoltcp_stamps_ts1_sack1_ws0.pcap)";
    assert!(second.ends_with(both), "{second}");
}

#[test]
fn a_window_that_follows_the_peers_mss_is_recognised() {
    let text = "classes = unix\n[x-tcp:response]\nlabel = s:unix:Plan 9:\n\
                sig = 4:64:0:*:fill65536,10:mss,sok,ts,nop,ws:df:0\n";
    assert_eq!(strangers(text).len(), 1);
}

/// Signatures that are for the same packets and differ in what they leave open.
#[test]
fn a_large_file_for_few_packets_has_a_limited_number_of_warnings() {
    let mut text = "classes = unix\n[x-tcp:request]\nlabel = s:unix:Plan 9:\n".to_owned();
    let mut count = 0;
    // Windows of 44 and of 22 segments; no more signatures than may be alike.
    for space in (64_240..65_536).chain(32_120..33_580) {
        for mss in ["*", "1460"] {
            for payload in ["*", "0"] {
                let rest = "mss,sok,ts,nop,ws:df,id+";
                writeln!(text, "sig = 4:64:0:{mss}:fill{space},*:{rest}:{payload}").unwrap();
                count += 1;
            }
        }
    }
    assert!(count > 11_000);
    assert_eq!(findings(&text).len(), 10_000);
}
