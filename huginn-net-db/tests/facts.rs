//! Signatures that ask for facts beside the raw signature.
#![cfg(test)]

mod recorded;

use huginn_net_core::IpVersion;
use huginn_net_db::{
    Database, Fingerprint, KnownRecord, LeftOut, Quality, SignatureFile, TcpFactSet, TcpMatcher,
};
use huginn_net_tcp::{IpIdClass, TcpObservation};

/// A file with these lines of requests below its first line.
fn file(section: &str, lines: &str) -> String {
    format!("classes = unix\n[{section}]\nlabel = s:unix:A:\n{lines}")
}

/// Code, line and column of all findings, with the signature in line 4, whose text starts in column 7.
fn findings(section: &str, signature: &str) -> Vec<String> {
    let (_, found) = SignatureFile::parse(&file(section, &format!("sig = {signature}\n")), "my.fp");
    found.iter().map(|found| format!("{} {}:{}", found.code, found.line, found.column)).collect()
}

fn database(lines: &str) -> Database {
    Database::parse(&file("x-tcp:request", lines), "my.fp").unwrap()
}

/// A SYN without options and quirks.
fn bare(window: u16) -> TcpObservation {
    TcpObservation::new(IpVersion::V4, 64, window)
}

fn line_of(database: &Database, seen: &TcpObservation) -> Option<u32> {
    database.match_syn(seen).map(|found| found.record.line)
}

#[test]
fn facts_stand_behind_the_payload() {
    for facts in ["seq_is_destination", "ip_id_zmap", "ip_id_masscan", "seq_is_destination,ip_id_masscan"] {
        let signature = format!("4:64:0:0:*,0:::0:{facts}");
        assert_eq!(findings("x-tcp:request", &signature), [""; 0]);
        let read =
            Database::parse(&file("x-tcp:response", &format!("sig = {signature}\n")), "my.fp").unwrap();
        let record = &read.tcp_responses()[0];
        assert_eq!(record.signature.to_string(), signature);
        let named = record.signature.facts.names().collect::<Vec<_>>();
        assert_eq!(named.join(","), facts);
    }
}

#[test]
fn facts_in_another_order_are_written_in_that_of_the_table() {
    let text = file("x-tcp:request", "sig = 4:64:0:0:*,0:::0:ip_id_zmap,seq_is_destination\n");
    let (read, found) = SignatureFile::parse(&text, "my.fp");
    assert_eq!(read.to_string(), text, "what is read comes back");
    assert_eq!(found.iter().map(|found| found.code.as_str()).collect::<Vec<_>>(), ["W113"]);
    assert!(read.canonical().contains(":::0:seq_is_destination,ip_id_zmap\n"));
}

#[test]
fn what_is_wrong_with_facts_is_told_with_its_place() {
    for (section, signature, expected) in [
        ("tcp:request", "4:64:0:0:*,0:::0:seq_is_destination", "E001 4:23"),
        ("x-tcp:request", "4:64:0:0:*,0:::0:seq_is_destination:", "E001 4:42"),
        ("x-tcp:request", "4:64:0:0:*,0:::0:", "E001 4:24"),
        ("x-tcp:request", "4:64:0:0:*,0:::0:ip_id_zmap,", "E001 4:35"),
        ("x-tcp:request", "4:64:0:0:*,0:::0:seq,ip_id_zmap", "E006 4:24"),
        ("x-tcp:request", "4:64:0:0:*,0:::0:Seq_is_destination", "E006 4:24"),
        ("x-tcp:request", "4:64:0:0:*,0:::0:ip_id_zmap,ip_id_masscan", "E001 4:24"),
        ("x-tcp:request", "6:64:0:0:*,0:::0:seq_is_destination", "E007 4:24"),
        ("x-tcp:request", "*:64:0:0:*,0:::0:seq_is_destination", "E007 4:24"),
    ] {
        assert_eq!(findings(section, signature), [expected], "{signature}");
    }
    let (_, found) =
        SignatureFile::parse(&file("tcp:request", "sig = 4:64:0:0:*,0:::0:ip_id_zmap\n"), "my.fp");
    assert!(found[0].help.as_deref().is_some_and(|help| help.contains("[x-tcp:request]")));
}

#[test]
fn a_fact_is_one_of_the_things_that_tell_systems_apart() {
    assert_eq!(findings("x-tcp:request", "4:64-:0:*:*,0:mss::*"), ["W109 4:7"]);
    assert_eq!(findings("x-tcp:request", "4:64:0:*:*,0:mss::*:ip_id_zmap"), [""; 0]);
}

#[test]
fn a_packet_has_all_facts_of_its_signature_and_perhaps_others() {
    let database = database(
        "sig = 4:64:0:0:*,0:::0:seq_is_destination,ip_id_zmap\nsig = 4:64:0:0:*,0:::0:seq_is_destination\n\
         sig = 4:64:0:0:*,0:::0\n",
    );
    let mut matcher = TcpMatcher::new(database.clone().into());
    for (seq_is_destination, ip_id, expected) in [
        (true, Some(IpIdClass::Zmap), 4),
        (true, Some(IpIdClass::Masscan), 5),
        (true, None, 5),
        (false, Some(IpIdClass::Zmap), 6),
        (false, Some(IpIdClass::Zero), 6),
        (false, None, 6),
        (true, Some(IpIdClass::Other), 5),
    ] {
        let mut seen = bare(1_000);
        (seen.facts.seq_is_destination, seen.facts.ip_id) = (seq_is_destination, ip_id);
        let found = database.match_syn(&seen);
        assert_eq!(found.map(|found| (found.record.line, found.quality)), Some((expected, Quality::Exact)));
        assert_eq!(matcher.match_syn(&seen), found, "with those before remembered");
    }
}

#[test]
fn a_packet_without_the_fact_is_not_named_at_any_cost() {
    let database = database("sig = 4:64:0:1460:1024,0:mss,nop,nop:df:0:seq_is_destination\n");
    let fuzzy = "4:64+0:0:1460:1024,0:mss,nop,nop::0:seq_is_destination";
    for (signature, named) in [
        (fuzzy, true),
        (fuzzy.trim_end_matches(":seq_is_destination"), false),
        (&fuzzy.replace("::", ":df:"), true),
    ] {
        let Ok(Fingerprint::Tcp(seen)) = Fingerprint::parse(signature) else { panic!("{signature}") };
        assert_eq!(database.match_syn(&seen).is_some(), named, "{signature}");
        assert_eq!(database.match_syn_top(&seen).count(), usize::from(named), "{signature}");
    }
}

#[test]
fn no_ipv6_packet_matches_whatever_it_claims() {
    let database = database("sig = 4:64:0:0:*,0:::0:seq_is_destination\n");
    let mut seen = TcpObservation::new(IpVersion::V6, 64, 1_000);
    seen.facts.seq_is_destination = true;
    assert_eq!(database.match_syn(&seen), None);
}

#[test]
fn recorded_stacks_keep_their_labels_when_their_sequence_number_is_the_destination() {
    let database = Database::bundled();
    let mut compared = 0;
    for recorded in recorded::packets("real") {
        let mut seen = recorded.seen;
        seen.facts.seq_is_destination |= seen.ip_version == IpVersion::V4;
        let label = |seen: &TcpObservation| {
            let found =
                if recorded.is_syn_ack { database.match_syn_ack(seen) } else { database.match_syn(seen) };
            found.map(|found| found.record.label.to_string())
        };
        let bare = !recorded.is_syn_ack && seen.layout.kinds().is_empty() && seen.quirks.is_empty();
        if bare {
            assert_eq!(label(&seen).as_deref(), Some("Mirai SYN scan, also of its descendants"));
        } else {
            assert_eq!(label(&seen), label(&recorded.seen), "{}: {seen}", recorded.capture);
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn the_window_of_another_scanner_does_not_hide_mirai() {
    for (ttl, window, distance) in
        [(50, 4_660, 14), (29, 512, 35), (28, 7, 227), (255, 1_024, 0), (245, 65_535, 10)]
    {
        let mut seen = bare(window);
        seen.ttl = ttl;
        seen.facts.seq_is_destination = true;
        let found = Database::bundled().match_syn(&seen).unwrap();
        assert_eq!(found.record.label.name, "Mirai");
        assert_eq!((found.distance, found.distance_at_most), (distance, !(29..=64).contains(&ttl)));
        seen.facts.seq_is_destination = false;
        let other = Database::bundled().match_syn(&seen);
        assert!(other.is_none_or(|other| other.record.label.name != "Mirai"), "{seen}");
    }
}

#[test]
fn a_signature_is_hidden_by_one_that_asks_for_no_more() {
    let codes = |lines: &str| {
        let (_, found) = SignatureFile::parse(&file("x-tcp:request", lines), "my.fp");
        found.iter().map(|found| format!("{} {}", found.code, found.line)).collect::<Vec<_>>()
    };
    let plain = "sig = 4:64:0:0:*,0:::0\n";
    let [asks, asks_both] = [
        "sig = 4:64:0:0:*,0:::0:seq_is_destination\n",
        "sig = 4:64:0:0:*,0:::0:seq_is_destination,ip_id_zmap\n",
    ];
    assert_eq!(codes(&format!("{plain}{asks}")), ["W102 5"]);
    assert_eq!(codes(&format!("sig = *:64:0:0:*,0:::0\n{asks}")), ["W102 5"]);
    assert_eq!(codes(&format!("{asks}{asks_both}")), ["W102 5"]);
    assert_eq!(codes(&format!("{asks}{asks}")), ["E008 5"]);
    assert_eq!(codes(&format!("{asks_both}{asks}{plain}")), [""; 0]);
    assert_eq!(codes(&format!("{asks}sig = 4:64:0:0:*,0:::0:ip_id_zmap\n")), [""; 0]);
}

#[test]
fn a_family_hands_its_facts_to_each_layout() {
    let text = "classes = unix\n[x-tcp:response]\nfamily = a:mss:mss,sok,nop,nop\nlabel = s:unix:A:\n\
                sig = 4:64:0:*:*,0:@a:df:0:ip_id_masscan\n";
    let database = Database::parse(text, "my.fp").unwrap();
    let facts: Vec<_> = database.tcp_responses().iter().map(|record| record.signature.facts).collect();
    assert_eq!(facts, [TcpFactSet::IP_ID_MASSCAN; 2]);
    assert_eq!(
        SignatureFile::parse(text, "my.fp").0.canonical().lines().last().unwrap(),
        "sig   = 4:64:0:*:*,0:@a:df:0:ip_id_masscan"
    );
}

#[test]
fn p0f_gets_no_signature_that_asks_for_facts() {
    let database = database("sig = 4:64:0:0:*,0:::0:seq_is_destination\nsig = 4:64:0:0:7,0:::0\n");
    let export = database.to_p0f();
    assert_eq!((export.signatures, export.left_out.get(&LeftOut::TcpFacts)), (1, Some(&1)));
    assert!(!export.text.contains("seq_is_destination"));
}

#[test]
fn a_raw_signature_with_facts_is_looked_up_with_them() {
    let found = |text: &str| {
        let value = Fingerprint::parse(text).unwrap();
        let Fingerprint::Tcp(seen) = &value else { panic!("{text}") };
        let near = Database::bundled().nearest(&value, 3);
        let near = near.into_iter().find_map(|near| match near.record {
            KnownRecord::Syn(record) if record.label.name == "Mirai" => near.differences.first().cloned(),
            _ => None,
        });
        (line_of(Database::bundled(), seen).is_some(), near)
    };
    assert_eq!(found("4:52+12:0:0:4660,0:::0:seq_is_destination"), (true, None));
    let (is_known, near) = found("4:52+12:0:0:4660,0:::0:ip_id_zmap");
    let difference = near.unwrap();
    assert!(!is_known);
    assert_eq!(
        (difference.part, &*difference.value, &*difference.record),
        ("facts", "ip_id_zmap", "seq_is_destination")
    );
    let error = Fingerprint::parse("6:52+12:0:0:4660,0:::0:seq_is_destination").unwrap_err();
    assert_eq!(error.at, 23);
}
