//! What a match costs, and what is left out of it.

use huginn_net_core::Progress;
use huginn_net_db::{Channel, Database};
use huginn_net_http::Http1Request;
use testkit::alloc::{Allocations, measure};

use crate::stream::connections;

const FILE: &str =
    "classes = unix\n[http:request]\nlabel = s:unix:A:\nsig = *:Host,X-Known,X-Value=[end],Accept::\n";

fn name(database: &Database, fields: &str) -> Option<String> {
    let bytes = format!("GET / HTTP/1.1\r\n{fields}\r\n");
    let Ok(Progress::Done(request)) = Http1Request::parse(bytes.as_bytes()) else { panic!("{bytes}") };
    database.match_request(&request).map(|found| found.record.label.name.clone())
}

#[test]
fn a_match_allocates_nothing_with_what_was_prepared() {
    let database = Database::bundled();
    database.prepare();
    for connection in
        connections("real/http_clients.pcap").iter().chain(&connections("real/browsers_lo.pcap"))
    {
        for request in connection.requests() {
            let (_, allocations) = measure(|| database.judge_request(&request, Channel::Cleartext));
            assert_eq!(allocations, Allocations::NONE);
        }
        let response = connection.response().unwrap();
        assert_eq!(measure(|| database.judge_response(&response)).1, Allocations::NONE);
    }
}

#[test]
fn a_head_with_more_known_fields_than_are_compared_is_unknown() {
    let database = Database::parse(FILE, "").unwrap();
    let many =
        |count: usize| format!("Host: a\r\n{}X-Value: end\r\nAccept: a\r\n", "X-Known: 1\r\n".repeat(count));
    assert_eq!(name(&database, &many(125)).as_deref(), Some("A"));
    // One more than the parser takes by default.
    let bytes = format!("GET / HTTP/1.1\r\n{}\r\n", many(126));
    let limits = huginn_net_http::Http1Limits::default().with_max_fields(200);
    let Ok(Progress::Done(request)) = Http1Request::parse_within(bytes.as_bytes(), limits) else { panic!() };
    assert!(database.match_request(&request).is_none());
    // Fields that no signature has do not count.
    let bytes = bytes.replacen("X-Known: 1\r\n", "X-Other: 1\r\n", 20);
    let Ok(Progress::Done(request)) = Http1Request::parse_within(bytes.as_bytes(), limits) else { panic!() };
    assert!(database.match_request(&request).is_some());
}

#[test]
fn a_value_is_compared_by_its_first_1024_bytes() {
    let database = Database::parse(FILE, "").unwrap();
    let with = |before: usize| {
        name(
            &database,
            &format!("Host: a\r\nX-Known: 1\r\nX-Value: {}end\r\nAccept: a\r\n", "x".repeat(before)),
        )
    };
    assert_eq!(with(1021).as_deref(), Some("A"));
    assert_eq!(with(1022), None);
}

/// p0f does not read them at all.
#[test]
fn a_folded_field_has_no_value_to_compare() {
    let database = Database::parse(FILE, "").unwrap();
    let with = |known: &str, value: &str| {
        name(&database, &format!("Host: a\r\nX-Known:{known}\r\nX-Value:{value}\r\nAccept: a\r\n"))
    };
    assert_eq!(with(" a\r\n b", " end").as_deref(), Some("A"));
    assert_eq!(with(" a", " end\r\n end"), None);
}

#[test]
fn names_beyond_the_first_128_of_a_database_count_as_well() {
    let records = (0..200).map(|n| format!("label = s:unix:N{n}:\nsig = *:A,B,C,X-{n}=[v],?Y-{n}:Z-{n}:\n"));
    let text = format!("classes = unix\n[http:request]\n{}", records.collect::<String>());
    let database = Database::parse(&text, "").unwrap();
    for n in 0..200 {
        let with = |more: &str| {
            name(&database, &format!("A: 1\r\nB: 1\r\nC: 1\r\n{}", more.replace('#', &n.to_string())))
        };
        let expected = format!("N{n}");
        assert_eq!(with("X-#: v\r\n").as_ref(), Some(&expected));
        assert_eq!(with("X-#: v\r\nY-#: 1\r\n").as_ref(), Some(&expected));
        assert_eq!(with("Y-#: 1\r\nX-#: v\r\n"), None, "misplaced");
        assert_eq!(with("X-#: w\r\n"), None, "other value");
        assert_eq!(with("X-#: v\r\nZ-#: 1\r\n"), None, "must be absent");
        assert_eq!(with("Q: 1\r\n"), None);
    }
}
