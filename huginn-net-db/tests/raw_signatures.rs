//! Raw signatures that are looked up.
#![cfg(test)]

mod recorded;

use std::collections::BTreeSet;
use std::fs;

use huginn_net_db::{Database, Fingerprint, Found, KnownRecord, Quality, TcpMatch};
use recorded::Recorded;
use serde_json::Value;
use testkit::corpus;

fn looked_up(raw_sig: &str, is_syn_ack: bool) -> Option<TcpMatch<'static>> {
    let value = Fingerprint::parse(raw_sig).unwrap();
    let found = Database::bundled().match_fingerprint(&value);
    found.into_iter().find_map(|found| match found {
        Found::Syn(found) if !is_syn_ack => Some(found),
        Found::SynAck(found) if is_syn_ack => Some(found),
        _ => None,
    })
}

#[test]
fn the_signature_of_every_recorded_packet_is_looked_up_as_that_packet() {
    let database = Database::bundled();
    let (mut wrong, mut answers) = (Vec::new(), 0);
    for Recorded { capture, is_syn_ack, mut seen } in recorded::packets("real") {
        // What the packet before it was, no signature tells.
        (seen.syn_offer, seen.syn_mss) = (None, None);
        let found = if is_syn_ack { database.match_syn_ack(&seen) } else { database.match_syn(&seen) };
        let place = |found: Option<TcpMatch<'_>>| found.map(|found| (found.record.line, found.quality));
        let (expected, found) = (place(found), place(looked_up(&seen.to_string(), is_syn_ack)));
        if found != expected {
            wrong.push(format!("{capture} {seen}: {found:?} instead of {expected:?}"));
        }
        answers += u32::from(is_syn_ack);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(answers > 100, "{answers}");
}

#[test]
fn a_window_of_other_segments_than_the_mss_is_understood() {
    let label =
        |raw_sig, is_syn_ack| looked_up(raw_sig, is_syn_ack).map(|found| found.record.label.to_string());
    // 45 times 1,460 bytes are no window, 45 times 1,448 are.
    let answer = "4:64+0:0:1460:mss*45,10:mss,sok,ts,nop,ws:df:0";
    assert_eq!(
        label(answer, true).as_deref(),
        Some("Linux 6.16 or newer, or older with a larger limit of the receive buffer")
    );
    // 44 times 1,460 bytes, of which a router left 1,400.
    let clamped = looked_up("4:57+7:0:1400:mss*44,8:mss,nop,ws,nop,nop,sok:df,id+:0", false).unwrap();
    assert_eq!((clamped.record.label.name.as_str(), clamped.mss_origin), ("Windows", Some(1_460)));
    // 22 times 1,460 in a SYN, 22 times 1,448 in an answer.
    let either = "4:64+0:0:1460:mss*22,7:mss,sok,ts,nop,ws:df,id+:0";
    assert_eq!(label(either, false), label(&either.replace(",id+", ""), true));
    // Of the MSS of a peer, which is not told: no window is made up.
    let unknown = looked_up("4:64+0:0:1460:mss*99,8:mss,sok,ts,nop,ws:df,id+:0", false).unwrap();
    assert_eq!((unknown.record.label.to_string().as_str(), unknown.quality), ("Linux", Quality::Generic));
}

#[test]
fn what_a_signature_is_looked_up_as_is_not_called_near() {
    let value = Fingerprint::parse("4:64+0:0:1460:mss*45,10:mss,sok,ts,nop,ws:df:0").unwrap();
    let near = Database::bundled().nearest(&value, 100);
    let line = looked_up("4:64+0:0:1460:mss*45,10:mss,sok,ts,nop,ws:df:0", true).unwrap().record.line;
    assert!(near.iter().all(|near| match near.record {
        KnownRecord::SynAck(record) => record.line != line,
        _ => true,
    }));
}

/// Those of tools and of packets made by hand, too, some of which have a TTL of 0.
#[test]
fn every_signature_that_is_written_is_read_back_as_what_was_seen() {
    let mut signatures: BTreeSet<String> = golden_signatures().collect();
    for folder in ["random", "real", "tcp"] {
        signatures.extend(recorded::packets(folder).iter().map(|packet| packet.seen.to_string()));
    }
    let read_back = |signature: &str| match Fingerprint::parse(signature) {
        Ok(Fingerprint::Tcp(seen)) => seen.to_string(),
        other => format!("{other:?}"),
    };
    for signature in &signatures {
        assert_eq!(read_back(signature), *signature);
    }
    assert!(signatures.len() > 1_000, "{}", signatures.len());
}

#[test]
fn as_many_options_as_a_packet_has_room_for_are_read_back() {
    let signature = |count: usize| format!("4:64+0:0:0:1024,0:{}::0", ["nop"; 41][..count].join(","));
    let Ok(Fingerprint::Tcp(seen)) = Fingerprint::parse(&signature(40)) else { panic!() };
    assert_eq!(seen.to_string(), signature(40));
    assert!(Fingerprint::parse(&signature(41)).is_err());
}

#[test]
fn a_ttl_of_zero_is_one_that_was_seen_and_none_that_a_signature_starts_from() {
    let Ok(Fingerprint::Tcp(seen)) = Fingerprint::parse("4:0+32:0:0:0,0::df,ecn:0") else { panic!() };
    assert_eq!(seen.ttl, 0);
    let file = "classes = unix\n[tcp:request]\nlabel = s:unix:a:\nsig = 4:0+32:0:0:0,0::df,ecn:0\n";
    assert!(Database::parse(file, "my.fp").is_err());
    for (refused, at) in [("4:256+0:0:0:0,0:::0", 2), ("4:200+56:0:0:0,0:::0", 2), ("4:64+x:0:0:0,0:::0", 5)]
    {
        assert_eq!(Fingerprint::parse(refused).unwrap_err().at, at, "{refused}");
    }
}

/// The signatures in the records of `pcaps/expected`.
fn golden_signatures() -> impl Iterator<Item = String> {
    let files = fs::read_dir(corpus::path("expected")).unwrap();
    let records = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    records.flat_map(|records| {
        let values = records.lines().map(|record| serde_json::from_str::<Value>(record).unwrap());
        let signatures = values.filter_map(|value| Some(value["huginn.tcp.signature"].as_str()?.to_owned()));
        signatures.collect::<Vec<_>>()
    })
}
