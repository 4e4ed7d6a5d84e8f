//! Captures of one question each, and recorded ones, with the signatures that p0f 3.09b gives them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use huginn_net_core::Progress;
use huginn_net_http::{Http1Quirks, Http1Request, Http1Response, HttpEvent, HttpRequest, HttpResponse};
use serde_json::Value;
use testkit::corpus::Table;

use crate::captures::{REAL, open};
use crate::watch::{Watch, watch};

const CURL: &str = "1:Host,User-Agent,Accept=[*/*]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:curl/7.68.0";
const NGINX: &str = "1:Server,Date,Content-Type,?Content-Length,Connection=[keep-alive]:Keep-Alive,Accept-Ranges:nginx/1.18.0";

/// Rows where this project answers otherwise than p0f, as the table's column `required` asks.
const OURS: &[(&str, &[&str])] = &[
    // Any method.
    (
        "h04_post",
        &[
            "1:Host,User-Agent,Accept=[*/*],Content-Length=[0]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:curl/7.68.0",
            NGINX,
        ],
    ),
    ("h05_options", &[CURL, NGINX]),
    ("h09_lead_crlf", &[CURL, NGINX]),
    // Malformed fields are read.
    (
        "h12_sp_before_colon",
        &[
            "1:Host,User-Agent:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:u",
            NGINX,
        ],
    ),
    (
        "h13_fold",
        &[
            "1:Host,X-F=[one two],User-Agent:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:u",
            NGINX,
        ],
    ),
    (
        "h18_33hdrs",
        &[
            "1:X-00=[v],X-01=[v],X-02=[v],X-03=[v],X-04=[v],X-05=[v],X-06=[v],X-07=[v],X-08=[v],X-09=[v],X-10=[v],X-11=[v],X-12=[v],X-13=[v],X-14=[v],X-15=[v],X-16=[v],X-17=[v],X-18=[v],X-19=[v],X-20=[v],X-21=[v],X-22=[v],X-23=[v],X-24=[v],X-25=[v],X-26=[v],X-27=[v],X-28=[v],X-29=[v],X-30=[v],X-31=[v],X-32=[v]:Host,User-Agent,Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:",
            NGINX,
        ],
    ),
    (
        "h21_bin_url",
        &[
            "1:Host,User-Agent:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:u",
            NGINX,
        ],
    ),
    // A version that does not exist has no signature.
    ("h22_ver2", &[NGINX]),
    // Every request of a connection.
    (
        "h47_pipeline",
        &[
            CURL,
            "1:Host,User-Agent:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:wget/1",
            NGINX,
        ],
    ),
];

/// The signatures of all heads, in the order in which they were complete.
fn signatures(watch: &Watch) -> Vec<String> {
    let signature = |event: &HttpEvent| match (event.request(), event.response()) {
        (Some(seen), _) => seen.http1()?.signature().map(|seen| seen.to_string()),
        (_, Some(seen)) => seen.http1()?.signature().map(|seen| seen.to_string()),
        _ => None,
    };
    watch.events.iter().filter_map(signature).collect()
}

fn vector(id: &str) -> Watch {
    watch(&open(&format!("http/{id}.pcap")))
}

/// The first request of a capture.
fn first_request(watch: &Watch) -> Http1Request<'_> {
    watch.requests()[0].http1().unwrap()
}

#[test]
fn every_vector_gives_the_signatures_of_p0f_or_the_better_ones_asked_for() {
    let table = Table::open("http/index.tsv");
    let mut rows = 0;
    for row in table.rows() {
        let id = row.field("id");
        let expected: Vec<_> = row.field("raw_sig").split(" ; ").filter(|text| !text.is_empty()).collect();
        let ours = OURS.iter().find(|(known, _)| *known == id).map(|(_, wanted)| wanted.to_vec());
        assert!(ours.is_none() || row.field("required") != "=", "{id} is to be as p0f has it");
        let wanted = ours.unwrap_or(expected);
        let watch = watch(&open(&format!("http/{}", row.field("pcap"))));
        assert_eq!(signatures(&watch), wanted, "{id}: {}", row.field("required"));
        rows += 1;
    }
    assert_eq!(rows, 53);
}

#[test]
fn every_vector_gives_the_language_of_p0f_and_is_anonymous_where_p0f_says_so() {
    let table = Table::open("http/index.tsv");
    let mut compared = 0;
    for row in table.rows() {
        let id = row.field("id");
        let observations: Vec<Value> = serde_json::from_str(row.field("observations")).unwrap();
        let of =
            |kind: &str| observations.iter().filter(|seen| seen["mod"] == kind).cloned().collect::<Vec<_>>();
        let watch = watch(&open(&format!("http/{}", row.field("pcap"))));
        let requests = watch.requests().into_iter().filter(|seen| seen.exchange == 0);
        for (wanted, request) in of("http request").iter().zip(requests) {
            let request = request.http1().unwrap();
            assert_eq!(wanted["lang"], request.p0f_language(), "{id}");
            let anonymous = request.signature().map(|seen| seen.software().is_none());
            let wanted = wanted["params"].as_str().unwrap().contains("anonymous");
            assert!(anonymous.is_none_or(|anonymous| anonymous == wanted), "{id}");
            compared += 1;
        }
        let responses = watch.responses().into_iter().filter(|seen| seen.exchange == 0);
        for (wanted, response) in of("http response").iter().zip(responses) {
            let anonymous = response.http1().unwrap().signature().unwrap().software().is_none();
            assert_eq!(wanted["params"].as_str().unwrap().contains("anonymous"), anonymous, "{id}");
        }
    }
    assert_eq!(compared, 47);
}

/// The quirks of the first request in a capture of `pcaps/http`.
fn quirks(id: &str) -> Vec<&'static str> {
    first_request(&vector(id)).quirks().names().collect()
}

#[test]
fn what_p0f_refuses_is_a_quirk() {
    assert_eq!(quirks("h01_basic"), [""; 0]);
    assert_eq!(quirks("h08_lf"), ["lf_only"]);
    assert_eq!(quirks("h09_lead_crlf"), ["leading_empty_line"]);
    assert_eq!(quirks("h10_empty_val"), ["multi_space"]);
    assert_eq!(quirks("h12_sp_before_colon"), ["sp_before_colon"]);
    assert_eq!(quirks("h13_fold"), ["obs_fold"]);
    assert_eq!(quirks("h21_bin_url"), ["high_bytes"]);
}

#[test]
fn a_version_that_does_not_exist_is_reported_as_it_is() {
    let watch = vector("h22_ver2");
    let request = first_request(&watch);
    assert_eq!(request.version().to_string(), "1.2");
    assert!(request.signature().is_none());
}

#[test]
fn the_best_language_is_the_one_with_the_highest_weight() {
    for (capture, language, region) in [
        ("h34_lang0", "en", Some("US")),
        ("h34_lang3", "en", Some("us")),
        ("h34_lang6", "fr", None),
        ("h34_lang7", "zh", Some("CN")),
    ] {
        let watch = vector(capture);
        let asked = watch.requests()[0].accept_language().unwrap();
        let best = asked.best().unwrap();
        assert_eq!((&best.language()[..], best.region()), (language, region.map(str::as_bytes)), "{capture}");
    }
}

#[test]
fn http2_and_tls_are_told_from_http1() {
    let http2 = vector("h51_h2");
    assert!(http2.requests().iter().all(|seen| seen.http1().is_none()));
    assert_eq!(http2.stats().malformed, []);
    let tls = vector("h52_tls");
    assert_eq!((tls.events.len(), tls.stats().malformed.len()), (0, 0));
}

#[test]
fn forwarded_and_via_tell_of_intermediaries() {
    let named = |capture: &str| {
        let watch = vector(capture);
        let requests = watch.requests().into_iter().filter_map(HttpRequest::http1);
        let responses = watch.responses().into_iter().filter_map(HttpResponse::http1);
        let of_responses = responses.flat_map(|seen| seen.intermediaries());
        let all = requests.flat_map(|seen| seen.intermediaries()).chain(of_responses);
        all.map(|seen| (seen.kind.name(), seen.name.map(Cow::into_owned))).collect::<Vec<_>>()
    };
    assert_eq!(named("m24_forwarded"), [("proxy", None)]);
    assert_eq!(named("m25_resp_via"), [("proxy", Some(b"varnish".to_vec()))]);
    assert_eq!(named("h01_basic"), []);
}

#[test]
fn heads_cut_anywhere_are_the_same_as_whole_ones() {
    for row in Table::open("http/index.tsv").rows() {
        let watch = watch(&open(&format!("http/{}", row.field("pcap"))));
        for seen in watch.requests().into_iter().filter_map(HttpRequest::http1) {
            for end in 0..seen.bytes().len() {
                assert!(matches!(Http1Request::parse(&seen.bytes()[..end]), Ok(Progress::NeedMore)), "{end}");
            }
            assert_eq!(seen.headers().iter().count(), seen.headers().len());
        }
        for seen in watch.responses().into_iter().filter_map(HttpResponse::http1) {
            for end in 0..seen.bytes().len() {
                assert!(
                    matches!(Http1Response::parse(&seen.bytes()[..end]), Ok(Progress::NeedMore)),
                    "{end}"
                );
            }
        }
    }
}

#[test]
fn recorded_programs_have_the_signatures_that_p0f_gives_them() {
    let table = Table::open("real/index.tsv");
    let mut captures: Vec<_> = table.rows().map(|row| row.field("pcap")).collect();
    captures.dedup();
    let mut compared = 0;
    for capture in captures {
        let of = |kind| {
            let rows =
                table.rows().filter(move |row| row.field("pcap") == capture && row.field("mod") == kind);
            rows.map(|row| row.field("raw_sig").to_owned()).collect::<BTreeSet<_>>()
        };
        let watch = watch(&open(&format!("real/{capture}")));
        let requests = watch.requests().into_iter().filter_map(HttpRequest::http1);
        let requests = requests.filter_map(|seen| Some(seen.signature()?.to_string())).collect();
        let responses = watch.responses().into_iter().filter_map(HttpResponse::http1);
        let responses =
            responses.filter_map(|seen| Some(seen.signature()?.to_string())).collect::<BTreeSet<_>>();
        for (kind, seen) in [("http request", requests), ("http response", responses)] {
            let wanted = of(kind);
            assert_eq!(wanted.difference(&seen).collect::<Vec<_>>(), [""; 0], "{kind} of {capture}");
            compared += wanted.len();
        }
    }
    assert_eq!(compared, 132);
}

#[test]
fn no_recorded_request_or_response_is_malformed() {
    for capture in REAL {
        let watch = watch(&open(capture));
        for request in watch.requests().into_iter().filter_map(HttpRequest::http1) {
            assert_eq!(request.quirks(), Http1Quirks::NONE, "{}", request.bytes().escape_ascii());
        }
        for response in watch.responses().into_iter().filter_map(HttpResponse::http1) {
            assert_eq!(response.quirks(), Http1Quirks::NONE, "{}", response.bytes().escape_ascii());
        }
    }
}
