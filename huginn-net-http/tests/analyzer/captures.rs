//! Every capture of HTTP and what is expected of it.

use std::collections::BTreeMap;

use testkit::capture::Capture;
use testkit::corpus::{self, Table};
use testkit::recut::recut;
use testkit::shuffle::Plan;

use crate::watch::watch;

/// Recorded exchanges of programs.
pub(crate) const REAL: [&str; 4] =
    ["real/http_clients.pcap", "real/http_servers.pcap", "real/browsers_lo.pcap", "real/browsers_net.pcap"];

/// Others, with more of a connection than is reported.
const MORE: [&str; 3] = ["real/http2_clear.pcap", "real/http_libraries.pcap", "real/http_proxies.pcap"];

pub(crate) fn open(relative: &str) -> Capture {
    Capture::open(&corpus::path(relative))
}

/// All captures with HTTP in them.
fn all() -> Vec<String> {
    let table = Table::open("http/index.tsv");
    let vectors = table.rows().map(|row| format!("http/{}", row.field("pcap")));
    vectors.chain(REAL.map(str::to_owned)).chain(MORE.map(str::to_owned)).collect()
}

#[test]
fn every_capture_gives_the_same_events_however_it_is_cut() {
    let mut cuts = 0;
    for name in all() {
        let original = open(&name);
        let expected = watch(&original).told();
        for (how, plan) in Plan::ALL {
            let Some(capture) = recut(&original, plan, 7) else { continue };
            assert_eq!(sorted(watch(&capture).told()), sorted(expected.clone()), "{name} {how}");
            cuts += 1;
        }
    }
    assert!(cuts > 250, "{cuts}");
}

/// Requests that come at once may be complete before or behind the answer to the first. A start names the packet before
/// it, which is another one when they are cut.
fn sorted(mut told: Vec<String>) -> Vec<String> {
    told.retain(|event| !event.starts_with("Start("));
    told.sort();
    told
}

/// As many as tshark 4.4.18 shows, but for what is pushed and what comes behind the fourth exchange.
#[test]
fn recorded_connections_of_http2_have_their_requests_and_responses() {
    let watch = watch(&open("real/http2_clear.pcap"));
    let mut seen = BTreeMap::<u16, (usize, usize)>::new();
    for request in watch.requests() {
        seen.entry(request.origin.source.port()).or_default().0 += 1;
    }
    for response in watch.responses() {
        assert!(response.is_answer);
        seen.entry(response.origin.destination.port()).or_default().1 += 1;
    }
    // An upgrade has two responses: that to it, and that to the request.
    let upgraded = [(2, 3), (2, 2), (1, 2)];
    let expected = [&[(4, 4), (1, 1), (1, 1), (3, 3), (3, 3)][..], &upgraded, &[(1, 1)]].concat();
    // The clients of nghttpd have lower ports than those of Apache.
    assert_eq!(seen.into_values().collect::<Vec<_>>(), expected);
    assert_eq!(watch.stats().malformed, []);
}

#[test]
fn every_recorded_response_answers_a_request_but_one_to_something_else() {
    let mut exchanges = 0;
    for name in REAL {
        let watch = watch(&open(name));
        let strays = watch.responses().into_iter().filter(|seen| !seen.is_answer);
        let statuses: Vec<_> = strays.map(|seen| seen.status().unwrap()).collect();
        let expected = if name == "real/http_servers.pcap" { vec![400] } else { vec![] };
        assert_eq!(statuses, expected, "{name}");
        assert_eq!(watch.requests().len() + statuses.len(), watch.responses().len(), "{name}");
        assert_eq!(watch.stats().limits_hit, [], "{name}");
        exchanges += watch.requests().len();
    }
    assert_eq!(exchanges, 254);
}
