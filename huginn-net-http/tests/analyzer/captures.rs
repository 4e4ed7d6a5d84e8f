//! Every capture of HTTP and what is expected of it.

use testkit::capture::Capture;
use testkit::corpus::{self, Table};
use testkit::recut::recut;
use testkit::shuffle::Plan;

use crate::watch::watch;

/// Recorded exchanges of programs.
pub(crate) const REAL: [&str; 4] =
    ["real/http_clients.pcap", "real/http_servers.pcap", "real/browsers_lo.pcap", "real/browsers_net.pcap"];

pub(crate) fn open(relative: &str) -> Capture {
    Capture::open(&corpus::path(relative))
}

/// All captures with HTTP in them.
fn all() -> Vec<String> {
    let table = Table::open("http/index.tsv");
    let vectors = table.rows().map(|row| format!("http/{}", row.field("pcap")));
    vectors.chain(REAL.map(str::to_owned)).collect()
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

/// Requests that come at once may be complete before or behind the answer to the first.
fn sorted(mut told: Vec<String>) -> Vec<String> {
    told.sort();
    told
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
