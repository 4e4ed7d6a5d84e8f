//! A SYN+ACK is judged by what the client offered.
#![cfg(test)]

mod observe;

use huginn_net_db::{Database, Quality, TcpMatch};
use huginn_net_tcp::{HuginnNetTcp, OptionKind, SynOffer, TcpEvent, TcpObservation};
use testkit::corpus;

use observe::observation;

const LINUX: &str = "\
family = linux:mss:mss,nop,ws:mss,nop,nop,sok:mss,nop,nop,sok,nop,ws:mss,nop,nop,ts:mss,nop,nop,ts,nop,ws:mss,sok,ts:\
mss,sok,ts,nop,ws:mss,sok,ts,nop,ws,?30
";

/// What Linux 6.18 answers to each offer of window scale, SACK and timestamps, as recorded.
const ANSWERS: [([bool; 3], &str); 8] = [
    ([false, false, false], "mss"),
    ([true, false, false], "mss,nop,ws"),
    ([false, true, false], "mss,nop,nop,sok"),
    ([true, true, false], "mss,nop,nop,sok,nop,ws"),
    ([false, false, true], "mss,nop,nop,ts"),
    ([true, false, true], "mss,nop,nop,ts,nop,ws"),
    ([false, true, true], "mss,sok,ts"),
    ([true, true, true], "mss,sok,ts,nop,ws"),
];

fn database(responses: &str) -> Database {
    let text = format!("classes = unix\n[x-tcp:response]\n{responses}");
    Database::parse(&text, "test.fp").unwrap()
}

/// One system, whose signature has these options.
fn one(options: &str) -> Database {
    database(&format!("{LINUX}label = s:unix:One:\nsig = *:64:0:*:5000,7:{options}:df:0\n"))
}

fn offer([window_scale, sack, timestamps]: [bool; 3]) -> SynOffer {
    let mut offer = SynOffer::default();
    (offer.window_scale, offer.sack, offer.timestamps) = (window_scale, sack, timestamps);
    offer
}

fn answer(layout: &str, offer: Option<SynOffer>) -> TcpObservation {
    let scale = if layout.contains("ws") { 7 } else { 0 };
    let mut seen = observation(&format!("4:64+0:0:1460:5000,{scale}:{layout}:df:0"), true);
    seen.syn_offer = offer;
    seen
}

/// Quality and cost in quarters.
fn verdict(database: &Database, layout: &str, offer: Option<SynOffer>) -> Option<(Quality, u8)> {
    let found = database.match_syn_ack(&answer(layout, offer));
    found.map(|TcpMatch { quality, cost, .. }| (quality, cost.in_quarters()))
}

#[test]
fn each_offer_makes_one_layout_exact() {
    let database = one("@linux");
    for (offered, expected) in ANSWERS {
        for (taken, layout) in ANSWERS {
            let exceeds = taken.iter().zip(offered).any(|(&taken, offered)| taken && !offered);
            let wanted = match layout == expected {
                true => Some((Quality::Exact, 0)),
                // A server answers nothing that was not offered.
                false if exceeds => None,
                // It may have turned something off, or the path may have taken it out of the SYN.
                false => Some((Quality::Fuzzy, 4)),
            };
            assert_eq!(verdict(&database, layout, Some(offer(offered))), wanted, "{layout} to {offered:?}");
        }
    }
}

#[test]
fn without_the_syn_every_layout_is_admissible() {
    let database = one("@linux");
    for (_, layout) in ANSWERS {
        assert_eq!(verdict(&database, layout, None), Some((Quality::Exact, 0)), "{layout}");
    }
}

#[test]
fn a_signature_without_a_family_is_for_every_offer() {
    let database = one("mss,nop,ws");
    for (offered, _) in ANSWERS {
        let verdict = verdict(&database, "mss,nop,ws", Some(offer(offered)));
        assert_eq!(verdict, Some((Quality::Exact, 0)), "{offered:?}");
    }
}

#[test]
fn multipath_tcp_may_stay_unanswered_but_not_be_answered_unasked() {
    let database = one("@linux");
    let all = offer([true; 3]);
    let mut multipath = all;
    multipath.multipath = true;
    assert_eq!(verdict(&database, "mss,sok,ts,nop,ws", Some(multipath)), Some((Quality::Exact, 0)));
    assert_eq!(verdict(&database, "mss,sok,ts,nop,ws,?30", Some(multipath)), Some((Quality::Exact, 0)));
    assert_eq!(verdict(&database, "mss,sok,ts,nop,ws,?30", Some(all)), None);
}

#[test]
fn an_optional_option_may_stay_unanswered() {
    let database = database(
        "family = windows,?ts:mss:mss,nop,ws:mss,nop,ws,nop,nop,ts\n\
         label = s:unix:One:\nsig = *:64:0:*:5000,7:@windows:df:0\n",
    );
    assert_eq!(verdict(&database, "mss,nop,ws", Some(offer([true, false, true]))), Some((Quality::Exact, 0)));
    assert_eq!(verdict(&database, "mss", Some(offer([true, false, true]))), Some((Quality::Fuzzy, 4)));
    // The family knows no SACK, so that its offer says nothing.
    assert_eq!(verdict(&database, "mss,nop,ws", Some(offer([true, true, false]))), Some((Quality::Exact, 0)));
}

#[test]
fn a_selection_stands_for_the_layouts_with_and_without_its_options() {
    for (selection, expected) in [
        ("@linux", 9),
        ("@linux+ws", 5),
        ("@linux-ws", 4),
        ("@linux+ws-?30", 4),
        ("@linux+?30", 1),
        ("@linux+sok-ws-ts", 1),
    ] {
        let database = one(selection);
        let layouts: Vec<_> = database.tcp_responses().iter().map(|record| record.signature.layout).collect();
        assert_eq!(layouts.len(), expected, "{selection}: {layouts:?}");
    }
    // What is left out still belongs to the family: this is an answer to clients that offered no window scale.
    let database = one("@linux-ws");
    assert_eq!(verdict(&database, "mss,sok,ts", Some(offer([false, true, true]))), Some((Quality::Exact, 0)));
    assert_eq!(verdict(&database, "mss,sok,ts", Some(offer([true; 3]))), Some((Quality::Fuzzy, 4)));
}

#[test]
fn layouts_without_window_scale_have_a_scale_of_zero() {
    for record in one("@linux").tcp_responses() {
        let has_scale = record.signature.layout.kinds().contains(&OptionKind::WINDOW_SCALE.0);
        assert_eq!(record.signature.window_scale, Some(if has_scale { 7 } else { 0 }));
        assert_eq!(record.family.as_ref().map(|family| family.name()), Some("linux"));
        assert_eq!(record.line, 5);
    }
}

#[test]
fn the_offer_chooses_among_systems_that_answer_alike() {
    let database = database(
        "family = small:mss:mss,nop,ws\nfamily = large:mss:mss,nop,nop,sok\n\
         label = s:unix:Small:\nsig = *:64:0:*:5000,0:@small:df:0\n\
         label = s:unix:Large:\nsig = *:64:0:*:5000,0:@large:df:0\n",
    );
    for (offered, expected) in [([true, false, false], "Large"), ([false, true, false], "Small")] {
        let seen = answer("mss", Some(offer(offered)));
        let found = database.match_syn_ack(&seen).unwrap();
        assert_eq!((found.record.label.name.as_str(), found.quality), (expected, Quality::Exact));
    }
}

#[test]
fn every_recorded_answer_keeps_its_label_with_its_syn_in_hand() {
    let mut answers = 0;
    for path in corpus::captures("real") {
        for event in HuginnNetTcp::new().analyze_pcap(&path).unwrap() {
            let TcpEvent::SynAck(seen) = event.unwrap() else { continue };
            let seen = seen.observation;
            let mut alone = seen;
            alone.syn_offer = None;
            assert!(seen.syn_offer.is_some(), "{}: {seen}", path.display());
            let database = Database::bundled();
            let (with, without) = (database.match_syn_ack(&seen), database.match_syn_ack(&alone));
            assert_eq!(with, without, "{}: {seen}", path.display());
            answers += 1;
        }
    }
    assert!(answers > 200, "{answers}");
}
