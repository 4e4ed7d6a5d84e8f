//! Captures of one question each, and recorded ones, with the signatures that p0f 3.09b gives them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use huginn_net_core::Progress;
use huginn_net_http::{Http1Error, Http1Quirks, Http1Request, Http1Response};
use serde_json::Value;
use testkit::corpus::Table;

use crate::stream::connections;

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

fn signatures(capture: &str) -> Vec<String> {
    let mut signatures = Vec::new();
    for connection in connections(capture) {
        let requests = connection.requests();
        signatures.extend(requests.iter().filter_map(Http1Request::signature).map(|seen| seen.to_string()));
        signatures.extend(connection.response().and_then(|seen| Some(seen.signature()?.to_string())));
    }
    signatures
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
        assert_eq!(
            signatures(&format!("http/{}", row.field("pcap"))),
            wanted,
            "{id}: {}",
            row.field("required")
        );
        rows += 1;
    }
    assert_eq!(rows, 53);
}

#[test]
fn every_vector_gives_the_language_of_p0f_and_is_anonymous_where_p0f_says_so() {
    let table = Table::open("http/index.tsv");
    let mut compared = 0;
    for row in table.rows() {
        let (id, capture) = (row.field("id"), format!("http/{}", row.field("pcap")));
        let observations: Vec<Value> = serde_json::from_str(row.field("observations")).unwrap();
        let of =
            |kind: &str| observations.iter().filter(|seen| seen["mod"] == kind).cloned().collect::<Vec<_>>();
        let connections = connections(&capture);
        for (wanted, connection) in of("http request").iter().zip(&connections) {
            let request = connection.requests()[0];
            assert_eq!(wanted["lang"], request.p0f_language(), "{id}");
            let anonymous = request.signature().map(|seen| seen.software().is_none());
            let wanted = wanted["params"].as_str().unwrap().contains("anonymous");
            assert!(anonymous.is_none_or(|anonymous| anonymous == wanted), "{id}");
            compared += 1;
        }
        for (wanted, connection) in of("http response").iter().zip(&connections) {
            let anonymous = connection.response().unwrap().signature().unwrap().software().is_none();
            assert_eq!(wanted["params"].as_str().unwrap().contains("anonymous"), anonymous, "{id}");
        }
    }
    assert_eq!(compared, 47);
}

/// The quirks of the first request in a capture of `pcaps/http`.
fn quirks(id: &str) -> Vec<&'static str> {
    let connections = connections(&format!("http/{id}.pcap"));
    connections[0].requests()[0].quirks().names().collect()
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
    let connections = connections("http/h22_ver2.pcap");
    let requests = connections[0].requests();
    assert_eq!(requests[0].version().to_string(), "1.2");
    assert!(requests[0].signature().is_none());
}

#[test]
fn the_best_language_is_the_one_with_the_highest_weight() {
    for (capture, language, region) in [
        ("h34_lang0", "en", Some("US")),
        ("h34_lang3", "en", Some("us")),
        ("h34_lang6", "fr", None),
        ("h34_lang7", "zh", Some("CN")),
    ] {
        let connections = connections(&format!("http/{capture}.pcap"));
        let asked = connections[0].requests()[0].accept_language().unwrap();
        let best = asked.best().unwrap();
        assert_eq!((&best.language()[..], best.region()), (language, region.map(str::as_bytes)), "{capture}");
    }
}

#[test]
fn http2_and_tls_are_told_from_http1() {
    let http2 = connections("http/h51_h2.pcap");
    assert_eq!(Http1Request::parse(http2[0].client()).unwrap_err(), Http1Error::Http2Preface);
    let tls = connections("http/h52_tls.pcap");
    assert!(!tls[0].client().is_empty());
    assert_eq!(Http1Request::parse(tls[0].client()).unwrap_err(), Http1Error::NotHttp1);
}

#[test]
fn forwarded_and_via_tell_of_intermediaries() {
    let named = |capture: &str| {
        let connections = connections(capture);
        let requests = connections[0].requests();
        let response = connections[0].response();
        let all = requests[0].intermediaries().chain(response.iter().flat_map(Http1Response::intermediaries));
        all.map(|seen| (seen.kind.name(), seen.name.map(Cow::into_owned))).collect::<Vec<_>>()
    };
    assert_eq!(named("http/m24_forwarded.pcap"), [("proxy", None)]);
    assert_eq!(named("http/m25_resp_via.pcap"), [("proxy", Some(b"varnish".to_vec()))]);
    assert_eq!(named("http/h01_basic.pcap"), []);
}

#[test]
fn heads_cut_anywhere_are_the_same_as_whole_ones() {
    for row in Table::open("http/index.tsv").rows() {
        for connection in connections(&format!("http/{}", row.field("pcap"))) {
            for request in connection.requests() {
                let bytes = request.bytes();
                for end in 0..bytes.len() {
                    assert!(matches!(Http1Request::parse(&bytes[..end]), Ok(Progress::NeedMore)), "{end}");
                }
                assert_eq!(crate::request(bytes).headers().iter().count(), request.headers().len());
            }
            if let Some(response) = connection.response() {
                let bytes = response.bytes();
                for end in 0..bytes.len() {
                    assert!(matches!(Http1Response::parse(&bytes[..end]), Ok(Progress::NeedMore)), "{end}");
                }
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
        let connections = connections(&format!("real/{capture}"));
        let requests: BTreeSet<_> = connections
            .iter()
            .flat_map(|connection| {
                connection
                    .requests()
                    .into_iter()
                    .filter_map(|seen| Some(seen.signature()?.to_string()))
                    .collect::<Vec<_>>()
            })
            .collect();
        let responses: BTreeSet<_> = connections
            .iter()
            .filter_map(|connection| Some(connection.response()?.signature()?.to_string()))
            .collect();
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
    for capture in ["http_clients", "http_servers", "browsers_lo", "browsers_net"] {
        for connection in connections(&format!("real/{capture}.pcap")) {
            for request in connection.requests() {
                assert_eq!(request.quirks(), Http1Quirks::NONE, "{}", request.bytes().escape_ascii());
            }
            if let Some(response) = connection.response() {
                assert_eq!(response.quirks(), Http1Quirks::NONE, "{}", response.bytes().escape_ascii());
            }
        }
    }
}
