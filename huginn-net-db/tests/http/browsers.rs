//! Every kind of request that browsers make.

use std::collections::{BTreeMap, BTreeSet};

use huginn_net_core::Progress;
use huginn_net_db::{Channel, Database, Quality, Verdict, VerdictReason};
use huginn_net_http::{Http1Request, UserAgentSystem};

use crate::recorded::CAPTURES;
use crate::stream::connections;

/// Calls `seen` with the requests of a capture in `pcaps/real`.
fn each_request(capture: &str, mut seen: impl FnMut(&Http1Request<'_>)) {
    for connection in connections(&format!("real/{capture}.pcap")) {
        connection.requests().iter().for_each(&mut seen);
    }
}

/// Checks that all requests of a capture are of a program that is called what it says, and returns how many there are of
/// each label.
#[track_caller]
fn labels(capture: &str, program: &str) -> BTreeMap<String, usize> {
    let database = Database::bundled();
    let mut labels = BTreeMap::new();
    each_request(capture, |request| {
        let judgment = database.judge_request(request, Channel::Cleartext);
        let bytes = request.bytes().escape_ascii();
        let Some(found) = judgment.found else { panic!("{bytes}") };
        assert_eq!(found.record.label.name, program, "{bytes}");
        assert_eq!(judgment.assessment.verdict, Verdict::Consistent, "{bytes}");
        assert!(!judgment.assessment.is_automation, "{bytes}");
        *labels.entry(found.record.label.flavor.clone()).or_default() += 1;
    });
    labels
}

#[track_caller]
fn check(capture: &str, program: &str, expected: &[(&str, usize)]) {
    let expected = expected.iter().map(|&(flavor, count)| (flavor.to_owned(), count)).collect();
    assert_eq!(labels(capture, program), expected);
}

#[test]
fn whatever_chromium_asks_another_host_for_is_named() {
    check(
        "browser_chromium_net",
        "Chromium",
        &[
            ("or a browser built on it, WebSocket", 1),
            ("or a browser built on it, asking whether another site may be asked", 1),
            ("or a browser built on it, file to keep, report, or rules for proxies", 3),
            ("or a browser built on it, page", 4),
            ("or a browser built on it, part of a page", 12),
        ],
    );
}

#[test]
fn whatever_chromium_asks_its_own_host_for_is_named() {
    check(
        "browser_chromium_lo",
        "Chromium",
        &[
            ("or a browser built on it, WebSocket", 1),
            ("or a browser built on it, asking whether another site may be asked", 1),
            ("or a browser built on it, page over TLS or of the own host", 2),
            ("or a browser built on it, part of a page over TLS or of the own host", 11),
        ],
    );
}

#[test]
fn whatever_firefox_asks_for_is_named() {
    check(
        "browser_firefox_net",
        "Firefox",
        &[
            ("WebSocket", 1),
            ("or a program with the fields of a browser", 6),
            ("page", 4),
            ("part of a page", 12),
        ],
    );
    check(
        "browser_firefox_lo",
        "Firefox",
        &[
            ("WebSocket", 1),
            ("page over TLS or of the own host", 2),
            ("part of a page", 2),
            ("part of a page over TLS or of the own host", 13),
        ],
    );
}

#[test]
fn browsers_on_old_versions_of_chromium_are_named() {
    let labels = labels("browser_qtwebengine", "Chromium");
    assert_eq!(labels.values().sum::<usize>(), 25);
    assert!(labels.contains_key("QtWebEngine of qutebrowser"), "{labels:?}");
}

/// surf lets curl fetch the files to keep, under its own name.
#[test]
fn webkit_is_named_by_the_library_it_asks_with() {
    let database = Database::bundled();
    let mut seen = BTreeMap::<_, usize>::new();
    each_request("browser_webkitgtk", |request| {
        let judgment = database.judge_request(request, Channel::Cleartext);
        let Some(found) = judgment.found else { panic!("{}", request.bytes().escape_ascii()) };
        let flags: Vec<_> = judgment.assessment.flags().collect();
        let told = (found.record.label.name.as_str(), judgment.assessment.verdict, flags);
        *seen.entry(format!("{told:?}")).or_default() += 1;
    });
    let expected = [
        (r#"("WebKitGTK", Consistent, [])"#.to_owned(), 20),
        (r#"("curl", Unverifiable, ["automation"])"#.to_owned(), 1),
    ];
    assert_eq!(seen, BTreeMap::from(expected));
}

#[test]
fn small_browsers_are_named() {
    let database = Database::bundled();
    let mut names = Vec::new();
    each_request("browsers_small", |request| {
        let judgment = database.judge_request(request, Channel::Cleartext);
        let found = judgment.found.filter(|found| found.quality == Quality::Exact).unwrap();
        assert_eq!(judgment.assessment.verdict, Verdict::Consistent);
        names.push(found.record.label.name.as_str());
    });
    assert_eq!(names, ["Dillo", "Dillo", "Dillo", "NetSurf", "NetSurf", "NetSurf"]);
}

/// A telephone of Android is Chromium, too. One of Apple would send other fields, which nobody has recorded.
#[test]
fn chromium_that_emulates_a_telephone_is_refuted_by_nothing() {
    let database = Database::bundled();
    let mut seen = BTreeSet::new();
    each_request("browser_emulated", |request| {
        let judgment = database.judge_request(request, Channel::Cleartext);
        let found = judgment.found.unwrap();
        assert_eq!(found.record.label.name, "Chromium", "{}", request.bytes().escape_ascii());
        let system = judgment.system.map(UserAgentSystem::name);
        let reasons: Vec<_> = judgment.assessment.reasons().collect();
        seen.insert((system, judgment.assessment.verdict.name(), reasons));
    });
    let expected = [
        (Some("Android"), "consistent", vec![VerdictReason::ClaimMatches]),
        // The worker for services asks in the name of the browser itself.
        (Some("Linux"), "consistent", vec![VerdictReason::ClaimMatches]),
        (Some("iOS"), "unverifiable", vec![VerdictReason::NotCharacteristic]),
    ];
    assert_eq!(seen, BTreeSet::from(expected));
}

/// What a capture was recorded of, if that is one program.
fn recorded_of(capture: &str, agent: &[u8]) -> &'static str {
    match capture {
        "browser_chromium_lo" | "browser_chromium_net" | "browser_emulated" | "browser_qtwebengine" => {
            "Chromium"
        }
        "browser_firefox_lo" | "browser_firefox_net" => "Firefox",
        "browsers_lo" | "browsers_net" if agent.ends_with(b"Firefox/153.0") => "Firefox",
        "browsers_lo" | "browsers_net" => "Chromium",
        _ => "another",
    }
}

/// An order accuses who has it and claims to be another browser. That takes at least 0.9 for its own browser and less than
/// 0.02 for all others, by the rule of succession: (n + 1) / (m + 2) for n of m heads.
#[test]
fn the_orders_that_accuse_are_of_one_browser_in_every_recorded_head() {
    let database = Database::bundled();
    for browser in ["Chromium", "Firefox"] {
        let (mut own, mut others) = (0, 0);
        for capture in CAPTURES {
            each_request(capture, |request| {
                let found = database.match_request(request);
                if found.is_some_and(|found| found.record.label.name == browser) {
                    let agent = request.user_agent().unwrap_or_default();
                    let is_own = recorded_of(capture, &agent) == browser;
                    *(if is_own { &mut own } else { &mut others }) += 1;
                }
            });
        }
        let share = |count: i32| f64::from(count + 1) / f64::from(own + others + 2);
        assert!(share(own) >= 0.9 && share(others) < 0.02, "{browser}: {own} of its own, {others} of others");
    }
}

/// Whoever calls himself Firefox there lies, but where others send the same.
#[test]
fn every_kind_of_request_of_chromium_refutes_the_name_of_firefox() {
    let database = Database::bundled();
    for capture in ["browser_chromium_net", "browser_chromium_lo"] {
        each_request(capture, |request| {
            let agent = request.user_agent().unwrap().into_owned();
            let firefox = b"Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";
            let at = request.bytes().windows(agent.len()).position(|window| *window == *agent).unwrap();
            let (before, behind) = request.bytes().split_at(at);
            let bytes = [before, firefox, &behind[agent.len()..]].concat();
            let Ok(Progress::Done(lie)) = Http1Request::parse(&bytes) else { panic!() };
            let judgment = database.judge_request(&lie, Channel::Cleartext);
            let is_generic = judgment.found.is_some_and(|found| found.quality == Quality::Generic);
            let expected = if is_generic { Verdict::Unverifiable } else { Verdict::Contradiction };
            assert_eq!(judgment.assessment.verdict, expected, "{}", bytes.escape_ascii());
        });
    }
}
