//! Heads that are like others, told with their shapes and without.

use huginn_net_core::Progress;

use super::*;
use crate::http1::{Http1Error, Http1Request, Http1Response};

const GET: &str = "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: keep-alive\r\nUser-Agent: p/1\r\nCookie: a\r\n\
                   Content-Length: 12\r\nX-A: \r\nAccept: */*\r\n\r\n";
const OK: &str = "HTTP/1.1 200 OK\r\nServer: s/1\r\nDate: Sat, 21 Nov 2026 08:11:25 GMT\r\nContent-Length: 5\r\n\
                  Content-Type: text/html\r\nConnection: close\r\nETag: \"1\"\r\n\r\n";

/// All that a scanner tells of a head.
fn told(
    scanned: Result<Progress<usize>, Http1Error>,
    scanner: &mut Http1Scanner,
    bytes: &[u8],
) -> Result<Option<String>, Http1Error> {
    let Progress::Done(len) = scanned? else { return Ok(None) };
    let known = scanner.known_framing();
    let head = match scanner.request_line() {
        Some(_) => {
            let request = Http1Request::of_scanned(bytes, scanner)?;
            format!("{:?} {request:?}", known.unwrap_or_else(|| request.framing()))
        }
        None => {
            let response = Http1Response::of_scanned(bytes, scanner)?;
            format!("{:?} {response:?}", known.unwrap_or_else(|| response.framing()))
        }
    };
    // Its shape is nothing that a head says.
    let parts = head.split(", ").filter(|part| !part.starts_with("shape: "));
    Ok(Some(format!("{len} {:?} {}", scanner.fields(), parts.collect::<String>())))
}

fn scanner(head: &str, limits: Http1Limits) -> Http1Scanner {
    match head.starts_with("HTTP/") {
        true => Http1Scanner::response(limits),
        false => Http1Scanner::request(limits),
    }
}

/// What is told of bytes by one who has read `before`, which is what everybody tells; whether it was known.
#[track_caller]
fn check(before: &str, bytes: &[u8], limits: Http1Limits) -> bool {
    let mut shapes = HeadShapes::new();
    let mut reader = scanner(before, limits);
    assert!(matches!(reader.scan_beside(before.as_bytes(), &mut shapes), Ok(Progress::Done(_))));
    let learnt = reader.shape().expect("a shape");

    let (mut alone, mut beside) = (scanner(before, limits), scanner(before, limits));
    let scanned = (alone.scan(bytes), beside.scan_beside(bytes, &mut shapes));
    let is_known = beside.shape() == Some(learnt);
    let told = (told(scanned.0, &mut alone, bytes), told(scanned.1, &mut beside, bytes));
    assert_eq!(told.1, told.0, "{}", bytes.escape_ascii());
    is_known
}

#[test]
fn a_head_that_differs_in_a_byte_from_one_that_was_read_is_read_as_if_alone() {
    for head in [GET, OK] {
        let bytes = [head.as_bytes(), b"body: \r\n\r\n"].concat();
        let mut known = 0;
        for at in 0..head.len() {
            let (before, behind) = bytes.split_at(at);
            for other in [&b"\n"[..], b"\r", b" ", b":", b"9", b"a", b"\0", b"", b"\r\n", b"\r\n ", b"1x"] {
                let changed = [before, other, behind.get(1..).unwrap_or_default()].concat();
                known += u32::from(check(head, &changed, Http1Limits::default()));
                let inserted = [before, other, behind].concat();
                known += u32::from(check(head, &inserted, Http1Limits::default()));
            }
        }
        assert!(known > 400, "many are of the same shape: {known}");
    }
}

#[test]
fn shapes_that_share_a_set_are_told_apart_wherever_they_begin_to_differ() {
    let variants = [
        ("", ""),
        ("text/html", "text/css"),
        ("text/html", "text/css;"),
        ("text/html", "image/png"),
        ("Date: ", "DATE: "),
        ("Date: ", "Age: 1\r\nDate: "),
        ("Content-Length: 5\r\n", ""),
        ("ETag", "Etag"),
        ("Connection: close\r\n", ""),
        ("Server: s/1\r\n", "Server: s/1\r\nVia: a\r\n"),
        ("Server: s/1\r\nDate", "X-A: 1\r\nServer: s/1\r\nDate"),
    ];
    let heads = variants.map(|(from, to)| OK.replace(from, to));
    for turn in 0..heads.len() {
        let mut shapes = HeadShapes::new();
        // Of so many that share a set those are known that came last, unless what came between them took too long.
        for (number, head) in heads.iter().cycle().skip(turn).take(heads.len() * 3).enumerate() {
            let (mut alone, mut beside) = (scanner(OK, limits()), scanner(OK, limits()));
            let scanned = (alone.scan(head.as_bytes()), beside.scan_beside(head.as_bytes(), &mut shapes));
            let told =
                (told(scanned.0, &mut alone, head.as_bytes()), told(scanned.1, &mut beside, head.as_bytes()));
            assert_eq!(told.1, told.0, "{head}");
            if number < PLACES {
                let mut again = scanner(OK, limits());
                assert!(again.scan_beside(head.as_bytes(), &mut shapes).is_ok());
                assert_eq!(again.shape(), beside.shape(), "it was remembered: {head}");
            }
        }
    }
}

fn limits() -> Http1Limits {
    Http1Limits::default()
}

#[test]
fn of_what_follows_a_head_and_of_a_part_of_it_nothing_is_told() {
    for head in [GET, OK] {
        for len in 0..head.len() {
            assert!(!check(head, head.as_bytes().get(..len).unwrap_or_default(), Http1Limits::default()));
        }
        let lengths = (0..40).map(|len| [head.as_bytes(), &[b'\n'; 40][..len]].concat());
        assert!(lengths.into_iter().all(|bytes| check(head, &bytes, Http1Limits::default())));
    }
}

#[test]
fn limits_hold_for_heads_that_are_known() {
    let limits = Http1Limits::default().with_max_head_bytes(250).with_max_value_bytes(40);
    for len in 1..=140 {
        let host = format!("Host: {}", "a".repeat(len));
        check(GET, GET.replace("Host: a.example", &host).as_bytes(), limits);
    }
}

#[test]
fn what_is_left_out_may_be_anything_and_what_is_kept_may_not() {
    let is_known = |from: &str, to: &str| check(OK, OK.replace(from, to).as_bytes(), Http1Limits::default());
    assert!(is_known("200 OK", "404 Not Found"));
    assert!(is_known("Sat, 21 Nov 2026 08:11:25 GMT", "never"));
    assert!(is_known(" 5\r\n", "\r\n"), "a length that is none, too");
    for (from, to) in [("s/1", "s/2"), ("close", "keep-alive"), ("ETag", "Etag"), ("Date: ", "Date : ")] {
        assert!(!is_known(from, to), "{to}");
    }
}

#[test]
fn heads_with_other_line_ends_or_with_too_many_or_too_long_fields_have_no_shape() {
    let shape = |head: &str| {
        let mut scanner = scanner(head, Http1Limits::default());
        let scanned = scanner.scan_beside(head.as_bytes(), &mut HeadShapes::new());
        assert_eq!(scanned, Ok(Progress::Done(head.len())), "{head:?}");
        scanner.shape()
    };
    let with = |fields: &str| format!("GET / HTTP/1.1\r\n{fields}\r\n");
    assert!(shape(&with("")).is_some());
    assert!(shape(&with(&"A: 1\r\n".repeat(MAX_GAPS))).is_some());
    assert!(shape(&with(&"A: 1\r\n".repeat(MAX_GAPS + 1))).is_none());
    let agent = |len: usize| with(&format!("User-Agent:{}\r\n", "a".repeat(len)));
    assert!(shape(&agent(MAX_TEXT - 15)).is_some());
    assert!(shape(&agent(MAX_TEXT - 14)).is_none());
    assert!(shape(&with(&format!("A: {}\r\n", "1".repeat(10_000)))).is_some());
    for fields in ["A: 1\n", "A: 1\r\n 2\r\n", "A: 1\r\n\r"] {
        assert!(shape(&with(fields)).is_none(), "{fields:?}");
    }
}

#[test]
fn of_more_heads_than_are_remembered_the_latest_are_known_in_bounded_memory() {
    let mut shapes = HeadShapes::new();
    let mut read = |number: u32| {
        let agent = format!("p{number}/{}", "x".repeat(900));
        let head = format!("GET / HTTP/1.1\r\nUser-Agent: {agent}\r\nHost: a\r\n\r\n");
        let mut scanner = Http1Scanner::request(Http1Limits::default());
        assert_eq!(scanner.scan_beside(head.as_bytes(), &mut shapes), Ok(Progress::Done(head.len())));
        scanner.shape()
    };
    let numbers: Vec<_> = (0..2_000).map(&mut read).collect();
    assert_eq!(read(1_999), numbers[1_999]);
    assert!(read(0) != numbers[0], "it has been forgotten");
    let shapes = shapes.requests;
    assert!(shapes.sets.len() == SETS && shapes.sets.iter().all(|set| set.shapes.len() <= PLACES));
    let texts = shapes.sets.iter().flat_map(|set| &set.shapes).map(|shape| shape.text.len());
    assert!(texts.sum::<usize>() <= SETS * PLACES * MAX_TEXT);
}

#[test]
fn fields_that_keep_their_value_are_listed_in_order() {
    assert!(HeadShape::KEPT.is_sorted_by(|one, other| one < other));
    assert!(HeadShape::keeps_value(b"USER-Agent") && !HeadShape::keeps_value(b"Cookie"));
}
