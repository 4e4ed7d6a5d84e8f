//! Captures of one question each, with what p0f 3.09b answers.

use std::fs;

use huginn_net_db::{Channel, Class, Database, HttpJudgment};
use serde_json::Value;
use testkit::corpus::{self, Table};

use crate::stream::{Connection, connections};

/// The file that comes with p0f's package; it is not part of this project.
const P0F_SIGNATURES: &str = "/etc/p0f/p0f.fp";

/// What p0f would report: kind of the label, label, `dishonest` and `anonymous`.
fn ours(judgment: &HttpJudgment<'_>) -> (&'static str, String, bool, bool) {
    let (kind, label) = match judgment.found {
        Some(found) if matches!(found.record.label.class, Class::Os(_)) => {
            ("os", found.record.label.to_string())
        }
        Some(found) => ("app", found.record.label.to_string()),
        None => ("app", "???".to_owned()),
    };
    (kind, label, judgment.assessment.verdict.is_dishonest(), judgment.assessment.is_anonymous)
}

fn p0f(seen: &Value) -> (&'static str, String, bool, bool) {
    let kind = if seen["os"].is_string() { "os" } else { "app" };
    let has = |param: &str| seen["params"].as_str().unwrap().split(' ').any(|found| found == param);
    (kind, seen[kind].as_str().unwrap().to_owned(), has("dishonest"), has("anonymous"))
}

/// Compares the rows that ask about a signature file, but for those in `others`; returns how many answers were compared.
fn compare(file: &str, database: &Database, others: &[&str]) -> usize {
    let table = Table::open("http/index.tsv");
    let mut compared = 0;
    for row in table.rows().filter(|row| row.field("database") == file) {
        let id = row.field("id");
        if others.contains(&id) {
            assert_ne!(row.field("required"), "=", "{id}");
            continue;
        }
        let observations: Vec<Value> = serde_json::from_str(row.field("observations")).unwrap();
        let of =
            |kind: &str| observations.iter().filter(|seen| seen["mod"] == kind).map(p0f).collect::<Vec<_>>();
        let connections = connections(&format!("http/{}", row.field("pcap")));
        let requests = connections.iter().filter_map(|connection| {
            let requests = connection.requests();
            requests.first().map(|request| ours(&database.judge_request(request, Channel::Cleartext)))
        });
        let requests: Vec<_> = requests.collect();
        let responses = connections.iter().filter_map(Connection::response);
        let responses: Vec<_> = responses.map(|response| ours(&database.judge_response(&response))).collect();
        assert_eq!(requests, of("http request"), "{id}: {}", row.field("description"));
        assert_eq!(responses, of("http response"), "{id}: {}", row.field("description"));
        compared += requests.len() + responses.len();
    }
    compared
}

#[test]
fn every_question_about_matching_is_answered_as_by_p0f() {
    let text = fs::read_to_string(corpus::path("fp/http.fp")).unwrap();
    let database = Database::parse(&text, "http.fp").unwrap();
    assert_eq!(compare("http.fp", &database, &[]), 30);
}

/// Heads that p0f does not read, and the version that it takes for HTTP/1.0.
const READ_BY_US_ONLY: &[&str] = &[
    "h04_post",
    "h05_options",
    "h09_lead_crlf",
    "h12_sp_before_colon",
    "h13_fold",
    "h18_33hdrs",
    "h21_bin_url",
    "h22_ver2",
];

#[test]
fn every_question_about_heads_is_answered_as_by_p0f_where_its_file_is() {
    let Ok(text) = fs::read_to_string(P0F_SIGNATURES) else { return };
    let database = Database::parse(&text, "p0f.fp").unwrap();
    assert_eq!(compare("p0f.fp", &database, READ_BY_US_ONLY), 44);
}

/// Programs that p0f takes for others, and servers that it calls liars, with its own file in front of ours.
#[test]
fn the_file_of_p0f_does_not_hide_recorded_programs() {
    let Ok(text) = fs::read_to_string(P0F_SIGNATURES) else { return };
    let mut database = Database::parse(&text, "p0f.fp").unwrap();
    database.append(Database::bundled());
    let of_request = |port: u16| {
        let connections = connections("real/http_clients.pcap");
        let connection = connections.iter().find(|connection| connection.server_port == port).unwrap();
        ours(&database.judge_request(&connection.requests()[0], Channel::Cleartext))
    };
    // p0f: xxxterm, Epiphany.
    assert_eq!(of_request(9401).1, "curl or another program with libcurl, with compression");
    assert_eq!(of_request(9434).1, "git");
    let mut servers = 0;
    for connection in connections("real/http_servers.pcap") {
        let Some(response) = connection.response() else { continue };
        let judgment = database.judge_response(&response);
        assert!(!judgment.assessment.verdict.is_dishonest(), "{}: {judgment:?}", connection.server_port);
        if (9615..9616).contains(&connection.server_port) {
            assert_eq!(ours(&judgment).1, "Werkzeug");
            servers += 1;
        }
    }
    assert_eq!(servers, 8);
}
