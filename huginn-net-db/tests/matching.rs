//! The rules of matching that p0f does not have.
#![cfg(test)]

mod observe;

use huginn_net_db::{Database, Quality, TcpMatch};

use observe::observation;

const HEAD: &str = "classes = unix,win\n";

fn database(requests: &str) -> Database {
    Database::parse(&format!("{HEAD}[x-tcp:request]\n{requests}"), "test.fp").unwrap()
}

fn one(signature: &str) -> Database {
    database(&format!("label = s:unix:One:\nevidence = test\nsig = {signature}\n"))
}

#[track_caller]
fn check(database: &Database, raw_sig: &str, expected: Option<(&str, Quality, u8)>) {
    let seen = observation(raw_sig, false);
    let found = database.match_syn(&seen).map(|found| {
        let TcpMatch { record, quality, cost, .. } = found;
        (record.label.to_string(), quality, cost.in_quarters())
    });
    let found = found.as_ref().map(|(label, quality, cost)| (label.as_str(), *quality, *cost));
    assert_eq!(found, expected, "{raw_sig}");
}

#[test]
fn each_deviation_has_its_price() {
    let database = one("*:64:0:*:fill65536,7:mss,sok,ts,nop,ws:df,id+:0");
    for (raw_sig, quarters) in [
        ("4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df,id+,ecn:0", 1),
        ("4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df:0", 2),
        ("4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws::0", 6),
        ("4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:id-:0", 8),
        ("4:64+0:0:1460:mss*44,9:mss,sok,ts,nop,ws:df,id+:0", 4),
        ("4:64+0:0:1360:64240,7:mss,sok,ts,nop,ws:df,id+:0", 2),
        ("4:128+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df,id+:0", 12),
        ("4:128+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df:0", 14),
        ("6:64+0:0:1440:mss*45,7:mss,sok,ts,nop,ws:flow:0", 0),
    ] {
        check(&database, raw_sig, Some(("One", Quality::Fuzzy, quarters)));
    }
}

#[test]
fn a_packet_that_costs_more_than_four_is_no_match() {
    let database = one("*:64:0:*:fill65536,7:mss,sok,ts,nop,ws:df:0");
    let four = "4:128+0:0:1460:mss*44,7:mss,sok,ts,nop,ws::0";
    check(&database, four, Some(("One", Quality::Fuzzy, 16)));
    check(&database, "4:128+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:ecn:0", None);
}

#[test]
fn what_no_path_does_to_a_packet_excludes_a_signature() {
    let database = one("4:64:0:*:fill65536,7:mss,sok,ts,nop,ws:df:0");
    for raw_sig in [
        "4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df,id+:0",
        "4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df,pushf+:0",
        "4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df,seq-:0",
        "4:64+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df:+",
        "4:64+0:8:1460:mss*44,7:mss,sok,ts,nop,ws:df:0",
        "4:64+0:0:1460:mss*43,7:mss,sok,ts,nop,ws:df:0",
        "6:64+0:0:1440:mss*45,7:mss,sok,ts,nop,ws::0",
        // Scale and TTL of another stack.
        "4:128+0:0:1460:mss*44,9:mss,sok,ts,nop,ws:df:0",
    ] {
        check(&database, raw_sig, None);
    }
}

#[test]
fn a_signature_of_ipv6_compares_the_flow_label() {
    let database = one("6:64:0:*:fill65536,7:mss,sok,ts,nop,ws:flow:0");
    check(&database, "6:64+0:0:1440:mss*45,7:mss,sok,ts,nop,ws:flow:0", Some(("One", Quality::Exact, 0)));
    check(&database, "6:64+0:0:1440:mss*45,7:mss,sok,ts,nop,ws::0", None);
}

#[test]
fn a_distant_ttl_of_the_same_class_is_cheaper_than_one_of_another() {
    let database = one("*:255:0:*:4128,0:mss,sok,eol+1:df:0");
    check(&database, "4:200+?:0:1460:4128,0:mss,sok,eol+1:df:0", Some(("One", Quality::Fuzzy, 4)));
    check(&database, "4:64+0:0:1460:4128,0:mss,sok,eol+1:df:0", Some(("One", Quality::Fuzzy, 12)));
}

#[test]
fn a_ttl_is_far_away_up_to_a_distance_of_64() {
    let database = one("*:255:0:*:fill65536,7:mss,sok,ts,nop,ws:df,id+:0");
    for (ttl, quality, quarters) in [
        (220, Quality::Exact, 0),
        (219, Quality::Fuzzy, 4),
        (191, Quality::Fuzzy, 4),
        (190, Quality::Fuzzy, 12),
    ] {
        let raw_sig = format!("4:{ttl}+0:0:1460:mss*44,7:mss,sok,ts,nop,ws:df,id+:0");
        check(&database, &raw_sig, Some(("One", quality, quarters)));
    }
}

#[test]
fn a_generic_signature_means_the_scale_it_names() {
    let database = database("label = g:unix:Any:\nevidence = test\nsig = *:64:0:*:*,8:mss,ws,nop:df,id+:0\n");
    check(&database, "4:64+0:0:1460:1,8:mss,ws,nop:df:0", Some(("Any", Quality::Fuzzy, 2)));
    check(&database, "4:64+0:0:1460:1,7:mss,ws,nop:df,id+:0", None);
}

#[test]
fn few_options_and_the_ttl_of_another_class_are_no_match() {
    for layout in ["mss", "mss,nop,nop,sok", "mss,sok,ts", "mss,nop,nop,ts"] {
        let database = one(&format!("*:255:0:*:4128,0:{layout}:df:0"));
        let raw_sig = |ttl: &str| format!("4:{ttl}:0:1460:4128,0:{layout}:df:0");
        check(&database, &raw_sig("250+5"), Some(("One", Quality::Exact, 0)));
        check(&database, &raw_sig("200+?"), Some(("One", Quality::Fuzzy, 4)));
        check(&database, &raw_sig("64+0"), None);
    }
}

#[test]
fn a_generic_signature_does_not_stand_against_the_ttl() {
    let database = database("label = g:unix:Any:\nevidence = test\nsig = *:64:0:*:*,*:mss,ws,nop:df,id+:0\n");
    check(&database, "4:60+4:0:1460:1,2:mss,ws,nop:df,id+:0", Some(("Any", Quality::Generic, 0)));
    check(&database, "4:60+4:0:1460:1,2:mss,ws,nop:df:0", Some(("Any", Quality::Fuzzy, 2)));
    check(&database, "4:128+0:0:1460:1,2:mss,ws,nop:df,id+:0", None);
}

#[test]
fn of_equally_near_signatures_the_specific_one_wins_and_then_the_first() {
    let database = database(
        "label = g:unix:Generic:\nevidence = test\nsig = *:64:0:*:5000,*:mss,ws,nop:df,id+:0\n\
         label = s:unix:First:\nevidence = test\nsig = *:64:0:*:5000,1:mss,ws,nop:df,id+:0\n\
         label = s:unix:Second:\nevidence = test\nsig = *:64:0:*:5000,3:mss,ws,nop:df,id+:0\n",
    );
    check(&database, "4:64+0:0:1460:5000,1:mss,ws,nop:df:0", Some(("First", Quality::Fuzzy, 2)));
    check(&database, "4:64+0:0:1460:5000,2:mss,ws,nop:df,id+:0", Some(("Generic", Quality::Generic, 0)));
    check(&database, "4:64+0:0:1460:5000,3:mss,ws,nop:df,id+:0", Some(("Second", Quality::Exact, 0)));
}

#[test]
fn a_window_from_before_a_clamp_says_more_than_a_generic_signature() {
    let database = database(
        "label = g:unix:Generic:\nevidence = test\nsig = *:64:0:*:*,*:mss,ws,nop:df,id+:0\n\
         label = s:unix:Clamped:\nevidence = test\nsig = *:64:0:*:fill65536,7:mss,ws,nop:df,id+:0\n",
    );
    let seen = observation("4:64+0:0:1360:64240,7:mss,ws,nop:df,id+:0", false);
    let found = database.match_syn(&seen).unwrap();
    assert_eq!(found.record.label.to_string(), "Clamped");
    assert_eq!((found.quality, found.mss_origin), (Quality::Fuzzy, Some(1460)));
    assert_eq!(found.cost.to_string(), "0.5");

    check(&database, "4:64+0:0:1360:64241,7:mss,ws,nop:df,id+:0", Some(("Generic", Quality::Generic, 0)));
    check(&database, "4:64+0:0:1360:64240,6:mss,ws,nop:df,id+:0", Some(("Generic", Quality::Generic, 0)));
}

#[test]
fn a_signature_of_one_mss_fits_a_lowered_one_by_the_segments_of_its_window() {
    let database = database(
        "label = g:unix:Generic:\nevidence = test\nsig = *:64:0:*:*,*:mss,ws,nop:df,id+:0\n\
         label = s:unix:Jumbo:\nevidence = test\nsig = 4:64:0:8961:mss*3,7:mss,ws,nop:df,id+:0\n\
         label = s:unix:One:\nevidence = test\nsig = 4:64:0:8960:mss*1,7:mss,ws,nop:df,id+:0\n\
         label = s:unix:Fill:\nevidence = test\nsig = 4:64:0:*:fill33280,7:mss,ws,nop:df,id+:0\n",
    );
    let raw_sig = |mss_window: &str| format!("4:64+0:0:{mss_window}:mss,ws,nop:df,id+:0");
    check(&database, &raw_sig("8961:mss*3,7"), Some(("Jumbo", Quality::Exact, 0)));
    check(&database, &raw_sig("1360:26883,7"), Some(("Jumbo", Quality::Fuzzy, 2)));
    // Three segments of 8960 are not those of 8961, and too few to tell a space; one segment may be any number.
    check(&database, &raw_sig("1360:26880,7"), Some(("Generic", Quality::Generic, 0)));
    check(&database, &raw_sig("1360:8960,7"), Some(("Generic", Quality::Generic, 0)));
    // An MSS is not raised.
    check(&database, &raw_sig("8990:26883,7"), Some(("Generic", Quality::Generic, 0)));
    check(&database, &raw_sig("1360:32120,7"), Some(("Fill", Quality::Fuzzy, 2)));
}

#[test]
fn a_tool_neither_matches_fuzzily_nor_hides_a_system_that_does() {
    let database = database(
        "label = s:!:Tool:\nsys = @unix\nevidence = test\nsig = *:64:0:*:5000,0:mss,ws,nop:df,id+:0\n\
         label = s:unix:System:\nevidence = test\nsig = *:128:0:*:5000,0:mss,ws,nop:df,id+:0\n",
    );
    check(&database, "4:64+0:0:1460:5000,0:mss,ws,nop:df,id+:0", Some(("Tool", Quality::Exact, 0)));
    check(&database, "4:64+0:0:1460:5000,0:mss,ws,nop:df,id+,ecn:0", Some(("System", Quality::Fuzzy, 13)));
    // Of the flow label a signature for both versions says nothing.
    check(&database, "6:64+0:0:1440:5000,0:mss,ws,nop:flow:0", Some(("Tool", Quality::Fuzzy, 0)));
    check(&database, "6:64+0:0:1440:5000,0:mss,ws,nop:flow,ecn:0", Some(("System", Quality::Fuzzy, 13)));
}

#[test]
fn timestamps_overwritten_with_nops_are_put_back() {
    let database = database(
        "label = s:unix:Linux:\nevidence = test\nsig = *:64:0:*:65535,8:mss,sok,ts,nop,ws:df,id+:0\n\
         label = s:unix:Apple:\nevidence = test\nsig = *:64:0:*:65535,6:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0\n",
    );
    let nops = |count| vec!["nop"; count].join(",");
    for (raw_sig, expected) in [
        (format!("4:64+0:0:1400:65535,8:mss,sok,{},ws:df,id+:0", nops(11)), Some(("Linux", 4))),
        (format!("4:64+0:0:1400:65535,6:mss,nop,ws,{},sok,eol+1:df:0", nops(12)), Some(("Apple", 4))),
        ("4:64+0:0:1400:65535,8:mss,sok,nop,nop,nop,ws:df,id+:0".to_owned(), Some(("Linux", 4))),
        (format!("4:64+0:0:1400:65535,8:mss,sok,{},ws:df:0", nops(11)), Some(("Linux", 6))),
        (format!("4:64+0:0:1400:65535,8:mss,sok,{},ws:df,id+:0", nops(10)), None),
        (format!("4:64+0:0:1400:65535,6:mss,nop,ws,{},sok,eol+2:df:0", nops(12)), None),
    ] {
        let seen = observation(&raw_sig, false);
        let found = database.match_syn(&seen);
        assert!(found.is_none_or(|found| found.timestamps_stripped && found.quality == Quality::Fuzzy));
        let found = found.map(|found| (found.record.label.to_string(), found.cost.in_quarters()));
        let found = found.as_ref().map(|(label, cost)| (label.as_str(), *cost));
        assert_eq!(found, expected, "{raw_sig}");
    }
}

#[test]
fn a_layout_with_a_signature_is_not_taken_for_a_damaged_one() {
    let database = database(
        "label = s:unix:Linux:\nevidence = test\nsig = *:64:0:*:65535,8:mss,sok,ts,nop,ws:df,id+:0\n\
         label = s:unix:Other:\nevidence = test\nsig = *:64:0:*:65535,*:mss,sok,nop,nop,nop,ws:df,id+:0\n",
    );
    let raw_sig = "4:64+0:0:1400:65535,8:mss,sok,nop,nop,nop,ws:df,id+:0";
    check(&database, raw_sig, Some(("Other", Quality::Exact, 0)));
}

#[test]
fn the_nearest_three_labels_come_in_order() {
    let database = database(
        "label = g:unix:Generic:\nevidence = test\nsig = *:64:0:*:*,*:mss,ws,nop:df,id+:0\n\
         label = s:unix:A:\nevidence = test\nsig = *:64:0:*:5000,1:mss,ws,nop:df,id+:0\n\
         sig = *:64:0:*:5000,2:mss,ws,nop:df,id+:0\n\
         label = s:win:B:\nevidence = test\nsig = *:128:0:*:5000,2:mss,ws,nop:df,id+:0\n\
         label = s:win:C:\nevidence = test\nsig = *:128:0:*:5000,3:mss,ws,nop:df,id+:0\n",
    );
    let seen = observation("4:64+0:0:1460:5000,2:mss,ws,nop:df,id+:0", false);
    let top: Vec<_> = database
        .match_syn_top(&seen)
        .map(|found| (found.record.label.to_string(), found.quality, found.cost.to_string()))
        .collect();
    assert_eq!(
        top,
        [
            ("A".to_owned(), Quality::Exact, "0".to_owned()),
            ("Generic".to_owned(), Quality::Generic, "0".to_owned()),
            ("B".to_owned(), Quality::Fuzzy, "3".to_owned()),
        ]
    );
    assert_eq!(database.match_syn_top(&seen).next(), database.match_syn(&seen));

    let strange = observation("4:64+0:0:1460:5000,2:mss,ws:df,id+:0", false);
    assert_eq!(database.match_syn_top(&strange).count(), 0);
}

#[test]
fn a_fuzzy_match_takes_the_distance_from_its_signature_only_when_it_is_plausible() {
    let database = one("*:64:0:*:5000,0:mss,ws,nop:df,id+:0");
    let distance = |raw_sig| database.match_syn(&observation(raw_sig, false)).unwrap().distance;
    assert_eq!(distance("4:50+14:0:1460:5000,0:mss,ws,nop:df:0"), 14);
    assert_eq!(distance("4:30+2:0:1460:5000,0:mss,ws,nop:df:0"), 34);
    assert_eq!(distance("4:28+4:0:1460:5000,0:mss,ws,nop:df,id+:0"), 4);
    assert_eq!(distance("4:120+8:0:1460:5000,0:mss,ws,nop:df,id+:0"), 8);
}

#[test]
fn a_full_packet_of_options_is_looked_up_like_any_other() {
    let database = one("*:64:0:*:5000,0:mss,ws,nop:df,id+:0");
    let options = vec!["nop"; 40].join(",");
    assert!(database.match_syn(&observation(&format!("4:64+0:0:0:5000,0:{options}:df:0"), false)).is_none());
}
