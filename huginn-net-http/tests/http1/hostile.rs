//! Heads without end, and as much of everything as is allowed.

use huginn_net_core::Progress;
use huginn_net_http::{Http1Error, Http1Limits, Http1Request, Http1Scanner};
use testkit::alloc::{Allocations, measure};

use crate::request;

fn refused(bytes: &[u8], limits: Http1Limits) -> Option<(&'static str, usize)> {
    match Http1Request::parse_within(bytes, limits) {
        Err(Http1Error::Limit { what, limit }) => Some((what, limit)),
        _ => None,
    }
}

#[test]
fn each_limit_refuses_the_first_byte_or_field_beyond_it_and_nothing_before() {
    let limits = Http1Limits::default();
    let head = |fields: &str| format!("GET / HTTP/1.1\r\n{fields}\r\n").into_bytes();
    let fields = |count: usize| head(&"A: b\r\n".repeat(count));
    let name = |len: usize| head(&format!("{}: b\r\n", "N".repeat(len)));
    let value = |len: usize| head(&format!("A: {}\r\n", "v".repeat(len)));
    let unspaced = |len: usize| head(&format!("A:{}\n", "v".repeat(len)));
    let folded = |len: usize| head(&format!("A: {}\r\n {}\r\n", "v".repeat(100), "v".repeat(len - 101)));
    let no_colon = |len: usize| head(&format!("{}\r\n", "v".repeat(len)));
    let line = |len: usize| format!("GET /{} HTTP/1.1\r\n\r\n", "u".repeat(len - 16)).into_bytes();
    let whole = |len: usize| head(&"A: b\r\n".repeat((len - 18) / 6));
    let small = limits.with_max_head_bytes(60);
    for (bytes, limits, over) in [
        (fields(128), limits, None),
        (fields(129), limits, Some(("fields", 128))),
        (name(256), limits, None),
        (name(257), limits, Some(("name_bytes", 256))),
        (value(16 * 1024), limits, None),
        (value(16 * 1024 + 1), limits, Some(("value_bytes", 16 * 1024))),
        (unspaced(16 * 1024), limits, None),
        (unspaced(16 * 1024 + 1), limits, Some(("value_bytes", 16 * 1024))),
        (folded(16 * 1024), limits, None),
        (folded(16 * 1024 + 1), limits, Some(("value_bytes", 16 * 1024))),
        (no_colon(16 * 1024), limits, None),
        (no_colon(16 * 1024 + 1), limits, Some(("value_bytes", 16 * 1024))),
        (line(8 * 1024), limits, None),
        (line(8 * 1024 + 1), limits, Some(("start_line_bytes", 8 * 1024))),
        (whole(60), small, None),
        (whole(66), small, Some(("head_bytes", 60))),
    ] {
        assert_eq!(refused(&bytes, limits), over, "{} bytes", bytes.len());
        assert!(over.is_some() || matches!(Http1Request::parse(&bytes), Ok(Progress::Done(_))));
    }
}

#[test]
fn lines_without_end_are_refused_at_their_limits() {
    let endless = |begin: &str| [begin.as_bytes(), &vec![b'a'; 100_000]].concat();
    let limits = Http1Limits::default();
    assert_eq!(refused(&endless("GET /"), limits), Some(("start_line_bytes", 8 * 1024)));
    assert_eq!(refused(&endless("GET / HTTP/1.1\r\nA:"), limits), Some(("head_bytes", 64 * 1024)));
    assert_eq!(refused(&endless("GET / HTTP/1.1\r\n"), limits), Some(("head_bytes", 64 * 1024)));
    assert_eq!(Http1Request::parse(&endless("")).unwrap_err(), Http1Error::NotHttp1);
}

#[test]
fn a_start_line_that_is_none_is_refused_before_one_that_is_too_long() {
    let limits = Http1Limits::default().with_max_start_line_bytes(60);
    let read = |line: &str| Http1Request::parse_within(format!("{line}\r\n\r\n").as_bytes(), limits).err();
    let too_long = Some(Http1Error::Limit { what: "start_line_bytes", limit: 60 });
    let (none, long) = (Some(Http1Error::NotHttp1), "/".repeat(60));
    assert_eq!(read(&format!("{} / HTTP/1.1", "M".repeat(32))), None);
    assert_eq!(read(&format!("{} / HTTP/1.1", "M".repeat(33))), none);
    assert_eq!(read("GET /\x01 HTTP/1.1"), None);
    assert_eq!(read("GE\x01T / HTTP/1.1"), none);
    assert_eq!(read(&format!("GET {long} HTTP/1.1")), too_long);
    assert_eq!(read(&format!("G@T {long} HTTP/1.1")), none);
    assert_eq!(read(&format!("GET\x01{long} HTTP/1.1")), none);
    assert_eq!(read(&format!("GET \x01{long} HTTP/1.1")), none);
    assert_eq!(read(&format!("GET /\x01{long} HTTP/1.1")), too_long);
    assert_eq!(read(&format!("GET {long} HTTP/7.1")), too_long, "nobody looks behind the limit");
}

#[test]
fn a_scanner_refuses_64_kib_byte_by_byte_and_stays_refused() {
    let line = format!("A: {}\r\n", "v".repeat(1_000));
    let bytes = ["GET / HTTP/1.1\r\n", &line.repeat(70)].concat().into_bytes();
    let mut scanner = Http1Scanner::request(Http1Limits::default());
    let refused = (0..=bytes.len()).find_map(|end| Some((end, scanner.scan(&bytes[..end]).err()?)));
    let error = Http1Error::Limit { what: "head_bytes", limit: 64 * 1024 };
    assert_eq!(refused, Some((64 * 1024, error)));
    assert_eq!(scanner.scan(b"GET / HTTP/1.1\r\n\r\n"), Err(error));
}

#[test]
fn reading_a_head_allocates_nothing() {
    let bytes =
        b"GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\nVia: 1.1 a\r\n\r\n";
    let ((), used) = measure(|| {
        let seen = request(bytes);
        assert!(seen.quirks().is_empty());
        assert_eq!(seen.intermediaries().count(), 1);
        assert!(seen.host().is_some() && seen.user_agent().is_some());
        assert_eq!(seen.signature().unwrap().absent().count(), 5);
    });
    assert_eq!(used, Allocations::NONE);
}
