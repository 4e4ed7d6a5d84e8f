//! HTTP/1: heads, and bodies in chunks.

use huginn_net_core::{Progress, Reader};
use huginn_net_db::{Channel, Database};
use huginn_net_http::{
    AcceptLanguage, ChunkScanner, Headers, Http1Error, Http1Limits, Http1Request, Http1Response,
    Http1Scanner, PassedOver, RawSignature, UserAgent,
};

use crate::judgments::check_judgment;

/// Reads heads, whole and in pieces, and chunks.
///
/// The first byte is the size of the pieces. The same bytes are read as a request, as a response, as chunks, and as values
/// of fields.
pub fn http1(data: &[u8]) {
    let mut reader = Reader::new(data);
    let Ok(first) = reader.u8("size of pieces") else { return };
    let bytes = reader.rest();
    let size = usize::from(first) + 1;
    let limits = Http1Limits::default()
        .with_max_head_bytes(4_000)
        .with_max_start_line_bytes(1_000)
        .with_max_fields(50)
        .with_max_name_bytes(100)
        .with_max_value_bytes(2_000)
        .with_max_chunk_line_bytes(20)
        .with_max_trailer_bytes(30);
    let end = scan(Http1Scanner::request(limits), bytes, size);
    match Http1Request::parse_within(bytes, limits) {
        Ok(Progress::Done(seen)) => {
            assert_eq!(end, Ok(Progress::Done(seen.bytes().len())));
            assert!((1..=32).contains(&seen.method().len()) && !seen.target().is_empty());
            check_fields(seen.headers(), seen.bytes());
            check_signature(seen.signature(), "[http:request]");
            assert!(seen.intermediaries().count() <= seen.headers().len());
            let _ = (seen.quirks(), seen.host(), seen.body(), seen.upgrade(), seen.is_persistent());
            check_judgment(&Database::bundled().judge_request(&seen, Channel::Tls));
        }
        Ok(Progress::NeedMore) => assert_eq!(end, Ok(Progress::NeedMore)),
        Err(error) => assert_eq!(end, Err(error)),
    }
    let end = scan(Http1Scanner::response(limits), bytes, size);
    match Http1Response::parse_within(bytes, limits) {
        Ok(Progress::Done(seen)) => {
            assert_eq!(end, Ok(Progress::Done(seen.bytes().len())));
            check_fields(seen.headers(), seen.bytes());
            check_signature(seen.signature(), "[http:response]");
            let _ = (seen.quirks(), seen.date(), seen.body(b"GET"), seen.upgrade(), seen.is_persistent());
            check_judgment(&Database::bundled().judge_response(&seen));
        }
        Ok(Progress::NeedMore) => assert_eq!(end, Ok(Progress::NeedMore)),
        Err(error) => assert_eq!(end, Err(error)),
    }
    let whole = ChunkScanner::with_limits(limits).scan(bytes);
    assert_eq!(chunks(ChunkScanner::with_limits(limits), bytes, size), whole);
    check_values(bytes);
}

/// The end of a head of which more and more is there.
fn scan(mut scanner: Http1Scanner, bytes: &[u8], size: usize) -> Result<Progress<usize>, Http1Error> {
    for len in (0..bytes.len()).step_by(size) {
        match scanner.scan(bytes.get(..len).unwrap_or_default()) {
            Ok(Progress::NeedMore) => {}
            done => {
                assert_eq!(scanner.scan(bytes), done);
                return done;
            }
        }
    }
    scanner.scan(bytes)
}

fn chunks(mut scanner: ChunkScanner, bytes: &[u8], size: usize) -> Result<PassedOver, Http1Error> {
    let mut total = 0;
    let mut is_end = false;
    while let Some(rest) = usize::try_from(total).ok().and_then(|total| bytes.get(total..)) {
        let given = rest.get(..size).unwrap_or(rest);
        let passed = scanner.scan(given)?;
        assert!(passed.is_end || passed.bytes >= given.len() as u64);
        total = passed.bytes.saturating_add(total);
        is_end = passed.is_end;
        if is_end || given.is_empty() {
            break;
        }
    }
    Ok(PassedOver { bytes: total, is_end })
}

/// Fields are what is between the start line and the empty line, in order and without gaps.
fn check_fields(headers: Headers<'_>, head: &[u8]) {
    assert!(headers.len() <= 50);
    assert_eq!(headers.iter().count(), headers.len());
    let mut rest = head;
    for header in headers.iter() {
        let line = header.as_sent();
        // With what ends the line before it: the start line may have the same text in it.
        let part = [b"\n", line].concat();
        let at = rest.windows(part.len()).position(|window| window == part).filter(|_| !line.is_empty());
        rest = rest.get(at.expect("a field is in the head") + part.len()..).unwrap_or_default();
        assert!(header.name().len() <= 100 && header.value().len() <= line.len());
        let _ = header.quirks();
    }
    let is_end = rest.iter().all(|byte| matches!(byte, b'\r' | b'\n'));
    assert!(is_end || headers.is_empty(), "{}", rest.escape_ascii());
}

/// What a signature promises of its texts.
fn check_signature(signature: Option<RawSignature<'_>>, section: &str) {
    let Some(signature) = signature else { return };
    let text = signature.to_string();
    assert!(text.is_ascii() && !text.contains(['\r', '\n']));
    assert!(signature.escaped().to_string().bytes().all(|byte| (b' '..=b'~').contains(&byte)));
    if signature.can_be_read_back() {
        let file = format!("classes = win\n{section}\nlabel = s:!:name:flavor\nsys = @win\nsig = {text}\n");
        if let Err(error) = Database::parse(&file, "fuzz.fp") {
            panic!("{text}: {error}");
        }
    }
}

/// The bytes as values of fields.
fn check_values(bytes: &[u8]) {
    let languages = AcceptLanguage::new(bytes);
    assert!(languages.ranges().all(|range| range.weight() <= 1_000 && !range.language().is_empty()));
    assert!(languages.best().is_none_or(|best| {
        languages.ranges().all(|range| range.weight() <= best.weight() || range.tag() == b"*")
    }));
    let _ = languages.p0f();
    let claimed = UserAgent::parse(bytes);
    assert!(claimed.system_version.is_none() || claimed.system.is_some());
    assert!(claimed.device.is_none() || claimed.system.is_some());
}
