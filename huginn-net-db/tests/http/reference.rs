//! Matching by the index against reading all signatures in order.

use std::sync::LazyLock;

use huginn_net_core::Progress;
use huginn_net_db::{Database, HttpRecord, HttpSignature, HttpVersion, Specificity};
use huginn_net_http::{Http1Request, Http1Version};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;

type Field = (String, String);

/// p0f's rule, as its file format tells it: each header behind the one before, optional ones there or nowhere.
fn matches(signature: &HttpSignature, version: HttpVersion, fields: &[Field]) -> bool {
    let has = |name: &str| fields.iter().any(|(field, _)| field == name);
    let mut rest = fields;
    for header in &signature.headers {
        match rest.iter().position(|(name, _)| *name == header.name) {
            Some(at) => {
                if header.value.as_ref().is_some_and(|value| !rest[at].1.contains(value.as_str())) {
                    return false;
                }
                rest = &rest[at + 1..];
            }
            None if !header.optional || has(&header.name) => return false,
            None => {}
        }
    }
    signature.version.is_none_or(|wanted| wanted == version) && !signature.absent.iter().any(|name| has(name))
}

/// In quarters.
fn score(signature: &HttpSignature, known: &[&str], fields: &[Field]) -> i32 {
    let named = |name: &str| signature.headers.iter().any(|header| header.name == name);
    let unnamed =
        fields.iter().filter(|(name, _)| known.contains(&name.as_str()) && !named(name.as_str())).count();
    let required = signature.required().map(|header| 1 + 2 * i32::from(header.value.is_some()));
    4 * required.sum::<i32>() + 2 * signature.absent.len() as i32 - unnamed as i32
}

/// The scores and lines of all that match, best first.
fn all_matches(records: &[HttpRecord], version: HttpVersion, fields: &[Field]) -> Vec<(i32, u32)> {
    let names = |record: &'_ HttpRecord| {
        let headers = record.signature.headers.iter().map(|header| header.name.clone());
        headers.chain(record.signature.absent.clone()).collect::<Vec<_>>()
    };
    let known: Vec<_> = records.iter().flat_map(names).collect();
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    let mut found: Vec<_> = records
        .iter()
        .filter(|record| matches(&record.signature, version, fields))
        .map(|record| {
            let is_generic = record.label.specificity == Specificity::Generic;
            (-score(&record.signature, &known, fields), is_generic, record.line)
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(score, _, line)| (-score, line)).collect()
}

fn head(version: HttpVersion, fields: &[Field]) -> Vec<u8> {
    let mut bytes = format!("GET / HTTP/1.{version}\r\n");
    for (name, value) in fields {
        bytes.push_str(&format!("{name}: {value}\r\n"));
    }
    bytes.push_str("\r\n");
    bytes.into_bytes()
}

fn check(database: &Database, version: HttpVersion, fields: &[Field]) -> TestCaseResult {
    let bytes = head(version, fields);
    let Ok(Progress::Done(request)) = Http1Request::parse(&bytes) else { panic!("{}", bytes.escape_ascii()) };
    prop_assert!(request.version() <= Http1Version::HTTP_1_1);
    let expected = all_matches(database.http_requests(), version, fields);
    let found = database.match_request(&request);
    prop_assert_eq!(
        found.map(|found| (found.score.in_quarters(), found.record.line)),
        expected.first().copied(),
        "{}",
        bytes.escape_ascii()
    );
    let Some(found) = found else { return Ok(()) };
    for (record, score) in found.alternatives() {
        prop_assert!(expected.contains(&(score.in_quarters(), record.line)));
        prop_assert!(score.in_quarters() + 4 >= found.score.in_quarters());
        prop_assert_ne!(record.label.to_string(), found.record.label.to_string());
    }
    Ok(())
}

/// The fields of a head that `signature` matches, with something for each value.
fn fields_of(signature: &HttpSignature, optional: &[bool]) -> Vec<Field> {
    let mut wanted = optional.iter().cycle();
    let headers = signature.headers.iter().filter(|header| !header.optional || *wanted.next().unwrap());
    headers
        .map(|header| (header.name.clone(), format!("a{}b", header.value.as_deref().unwrap_or_default())))
        .collect()
}

#[derive(Clone, Debug)]
enum Change {
    Insert(Index, &'static str, &'static str),
    Remove(Index),
    Swap(Index, Index),
    Repeat(Index, Index),
}

fn change() -> impl Strategy<Value = Change> {
    let names =
        vec!["Host", "User-Agent", "Accept", "Accept-Encoding", "Connection", "Via", "X-Other", "Priority"];
    let values = vec!["", "*/*", "gzip, deflate", "keep-alive", "close", "u=1"];
    prop_oneof![
        (any::<Index>(), select(names), select(values))
            .prop_map(|(at, name, value)| Change::Insert(at, name, value)),
        any::<Index>().prop_map(Change::Remove),
        any::<(Index, Index)>().prop_map(|(one, other)| Change::Swap(one, other)),
        any::<(Index, Index)>().prop_map(|(one, other)| Change::Repeat(one, other)),
    ]
}

fn changed(mut fields: Vec<Field>, changes: &[Change]) -> Vec<Field> {
    for change in changes {
        let len = fields.len();
        match change {
            Change::Insert(at, name, value) => {
                fields.insert(at.index(len + 1), ((*name).to_owned(), (*value).to_owned()));
            }
            _ if len == 0 => {}
            Change::Remove(at) => {
                fields.remove(at.index(len));
            }
            Change::Swap(one, other) => fields.swap(one.index(len), other.index(len)),
            Change::Repeat(one, at) => {
                let field = fields[one.index(len)].clone();
                fields.insert(at.index(len), field);
            }
        }
    }
    fields
}

/// The bundled requests in another order.
fn reordered(seed: u64) -> Database {
    static GROUPS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let text = include_str!("../../data/http.fp");
        let requests =
            text.split("[x-http:request]\n").nth(1).unwrap().split("[x-http:response]").next().unwrap();
        let groups = requests.split("\n\n").map(|group| {
            group
                .lines()
                .filter(|line| !line.starts_with(';'))
                .map(|line| format!("{line}\n"))
                .collect::<String>()
        });
        groups.filter(|group| group.contains("sig ")).collect()
    });
    let mut groups = GROUPS.clone();
    let mut random = testkit::rng::Rng::new(seed);
    random.shuffle(&mut groups);
    Database::parse(&format!("classes = win,unix,other\n[x-http:request]\n{}", groups.concat()), "").unwrap()
}

proptest! {
    #[test]
    fn the_index_finds_what_a_walk_over_all_signatures_finds(
        at in any::<Index>(),
        optional in proptest::collection::vec(any::<bool>(), 1..8),
        old in any::<bool>(),
        changes in proptest::collection::vec(change(), 0..4),
    ) {
        let database = Database::bundled();
        let records = database.http_requests();
        let record = &records[at.index(records.len())];
        let fields = changed(fields_of(&record.signature, &optional), &changes);
        let version = if old { HttpVersion::Http10 } else { HttpVersion::Http11 };
        check(database, version, &fields)?;
        check(database, record.signature.version.unwrap_or(version), &fields)?;
    }

    #[test]
    fn an_answer_depends_on_no_order_but_among_equals(
        at in any::<Index>(),
        optional in proptest::collection::vec(any::<bool>(), 1..8),
        changes in proptest::collection::vec(change(), 0..3),
        seed in any::<u64>(),
    ) {
        let database = Database::bundled();
        let records = database.http_requests();
        let record = &records[at.index(records.len())];
        let fields = changed(fields_of(&record.signature, &optional), &changes);
        let bytes = head(record.signature.version.unwrap_or(HttpVersion::Http11), &fields);
        let Ok(Progress::Done(request)) = Http1Request::parse(&bytes) else { panic!() };
        let other = reordered(seed);
        prop_assert_eq!(other.http_requests().len(), records.len());
        let (one, other) = (database.match_request(&request), other.match_request(&request));
        prop_assert_eq!(one.map(|found| found.score), other.map(|found| found.score));
        if let (Some(one), Some(other)) = (one, other) {
            let is_tie = one.alternatives().any(|(_, score)| score == one.score);
            prop_assert!(is_tie || one.record.label.to_string() == other.record.label.to_string());
        }
    }
}

#[test]
fn every_signature_is_found_by_the_head_it_describes() {
    let database = Database::bundled();
    for record in database.http_requests() {
        let fields = fields_of(&record.signature, &[true]);
        let version = record.signature.version.unwrap_or(HttpVersion::Http11);
        let expected = all_matches(database.http_requests(), version, &fields);
        assert!(expected.iter().any(|(_, line)| *line == record.line), "line {}", record.line);
        check(database, version, &fields).unwrap();
    }
}
