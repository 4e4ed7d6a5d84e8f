//! Raw signatures that are looked up.
#![cfg(test)]

mod recorded;

use huginn_net_db::{Database, Fingerprint, Found, KnownRecord, Quality, TcpMatch};
use recorded::Recorded;

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
    for Recorded { capture, is_syn_ack, mut seen } in recorded::packets() {
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
    assert_eq!(label(answer, true).as_deref(), Some("Linux 6.16 or newer"));
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
