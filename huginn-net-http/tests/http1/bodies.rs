//! Where bodies end.

use huginn_net_http::{BodyLength, ChunkScanner, Http1Error, Http1Limits, PassedOver};

use crate::{request, response, with_fields};

#[test]
fn a_request_has_a_body_if_it_says_so() {
    for (fields, length) in [
        ("", BodyLength::Known(0)),
        ("Content-Length: 5\r\n", BodyLength::Known(5)),
        ("content-length: 5\r\nCONTENT-LENGTH: 5\r\n", BodyLength::Known(5)),
        ("Content-Length: 5, 5\r\n", BodyLength::Known(5)),
        ("Content-Length: 18446744073709551615\r\n", BodyLength::Known(u64::MAX)),
        ("Content-Length: 18446744073709551616\r\n", BodyLength::Unknown),
        ("Content-Length: 5, 6\r\n", BodyLength::Unknown),
        ("Content-Length: 5\r\nContent-Length: 6\r\n", BodyLength::Unknown),
        ("Content-Length: +5\r\n", BodyLength::Unknown),
        ("Content-Length:\r\n", BodyLength::Unknown),
        ("Connection: keep-alive\r\n", BodyLength::Known(0)),
        ("Content-Length: 5\r\nConnection: keep-alive\r\n", BodyLength::Known(5)),
        ("A: b\r\nContent-Length : 5\r\nA: b\r\n", BodyLength::Known(5)),
        ("A: b\r\nContent-Length:\r\n\t5\r\n ,5\r\nA: b\r\n", BodyLength::Known(5)),
        ("Content-Length: 5\r\nA: b\r\n\tc\r\nContent-Length: 6\r\n 7\r\n", BodyLength::Unknown),
        ("Transfer-Encoding: gzip, Chunked\r\n", BodyLength::Chunked),
        ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", BodyLength::Chunked),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", BodyLength::Chunked),
        ("Transfer-Encoding: chunked, gzip\r\n", BodyLength::Unknown),
        // A list may have empty items (RFC 9110 §5.6.1), which name no coding.
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: ,\r\n", BodyLength::Chunked),
        ("Content-Length: 5\r\nTransfer-Encoding:\r\n", BodyLength::Known(5)),
    ] {
        assert_eq!(request(&with_fields(fields)).body(), length, "{fields:?}");
    }
}

#[test]
fn the_body_of_a_response_depends_on_status_and_method() {
    for (status, fields, method, length) in [
        (200, "Content-Length: 5\r\n", "GET", BodyLength::Known(5)),
        (200, "Content-Length: 5\r\n", "HEAD", BodyLength::Known(0)),
        (304, "Content-Length: 5\r\n", "GET", BodyLength::Known(0)),
        (204, "", "GET", BodyLength::Known(0)),
        (100, "", "POST", BodyLength::Known(0)),
        (101, "", "GET", BodyLength::Switched),
        (200, "Content-Length: 5\r\n", "CONNECT", BodyLength::Switched),
        (299, "Content-Length: 5\r\n", "CONNECT", BodyLength::Switched),
        (300, "Content-Length: 5\r\n", "CONNECT", BodyLength::Known(5)),
        (407, "Content-Length: 5\r\n", "CONNECT", BodyLength::Known(5)),
        (200, "", "GET", BodyLength::UntilClose),
        (200, "Transfer-Encoding: gzip\r\n", "GET", BodyLength::UntilClose),
        (200, "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "GET", BodyLength::Chunked),
        (200, "Content-Length: 5, 6\r\n", "GET", BodyLength::Unknown),
    ] {
        let bytes = format!("HTTP/1.1 {status} x\r\n{fields}\r\n");
        assert_eq!(
            response(bytes.as_bytes()).body(method.as_bytes()),
            length,
            "{status} {fields:?} {method}"
        );
    }
}

#[test]
fn connections_stay_open_by_version_and_field() {
    for (bytes, persistent) in [
        ("GET / HTTP/1.1\r\n\r\n", true),
        ("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nConnection: TE, close\r\n\r\n", false),
        ("GET / HTTP/1.0\r\n\r\n", false),
        ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n", false),
    ] {
        assert_eq!(request(bytes.as_bytes()).is_persistent(), persistent, "{bytes:?}");
    }
    assert!(response(b"HTTP/1.1 200 OK\r\n\r\n").is_persistent());
    assert!(!response(b"HTTP/1.0 200 OK\r\n\r\n").is_persistent());
}

#[test]
fn an_upgrade_counts_only_if_the_connection_names_it() {
    let offered = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n";
    assert_eq!(request(&with_fields(offered)).upgrade().as_deref(), Some(&b"h2c"[..]));
    assert_eq!(request(&with_fields("Upgrade: h2c\r\n")).upgrade(), None);
    let switched = b"HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
    assert_eq!(response(switched).upgrade().as_deref(), Some(&b"websocket"[..]));
}

/// Bytes of a body in chunks, from its first to what follows it.
fn body_bytes(body: &[u8], piece: usize) -> Result<(u64, bool), Http1Error> {
    let mut scanner = ChunkScanner::new();
    let mut total = 0;
    while let Some(rest) = usize::try_from(total).ok().and_then(|total| body.get(total..)) {
        let given = &rest[..piece.min(rest.len())];
        let PassedOver { bytes, is_end } = scanner.scan(given)?;
        total += bytes;
        if is_end || given.is_empty() {
            return Ok((total, is_end));
        }
    }
    Ok((total, false))
}

#[test]
fn the_end_of_chunks_is_found_however_they_are_cut() {
    for (body, end) in [
        (&b"0\r\n\r\n"[..], 5),
        (b"5\r\nhello\r\n0\r\n\r\n", 15),
        (b"5\nhello\n0\n\n", 11),
        (b"005;a=\"b\"\r\nhello\r\nA \r\n0123456789\r\n0;x\r\nT: 1\r\nU: 2\r\n\r\n", 53),
        (b"2\r\n\r\n\r\n0\r\n\r\n", 12),
    ] {
        let and_more = [body, b"HTTP/1.1 200 OK"].concat();
        for piece in 1..=and_more.len() {
            assert_eq!(body_bytes(&and_more, piece), Ok((end, true)), "{} by {piece}", body.escape_ascii());
        }
        for cut in 0..body.len() {
            assert!(
                matches!(body_bytes(&body[..cut], cut + 1), Ok((_, false))),
                "{} cut at {cut}",
                body.escape_ascii()
            );
        }
    }
}

#[test]
fn a_chunk_that_is_not_there_is_passed_over_at_once() {
    let mut scanner = ChunkScanner::new();
    let passed = scanner.scan(b"ffffffffffffffff\r\nx").unwrap();
    assert_eq!(passed, PassedOver { bytes: u64::MAX, is_end: false });
}

#[test]
fn what_is_no_chunk_is_refused_again_and_again() {
    for (body, error) in [
        (&b"\r\n"[..], Http1Error::ChunkSize),
        (b"g\r\n", Http1Error::ChunkSize),
        (b"-1\r\n", Http1Error::ChunkSize),
        (b"10000000000000000\r\n", Http1Error::ChunkSize),
        (b"1\r\nabc", Http1Error::ChunkEnd),
        (b"1\r\na\r\r\n", Http1Error::ChunkEnd),
    ] {
        let mut scanner = ChunkScanner::new();
        assert_eq!(scanner.scan(body), Err(error), "{}", body.escape_ascii());
        assert_eq!(scanner.scan(b"0\r\n\r\n"), Err(error), "{}", body.escape_ascii());
    }
}

#[test]
fn lines_of_chunks_and_trailers_end_at_their_limits() {
    let limits = Http1Limits::default().with_max_chunk_line_bytes(10).with_max_trailer_bytes(8);
    let scan = |body: &[u8]| ChunkScanner::with_limits(limits).scan(body).map(|passed| passed.is_end);
    assert_eq!(scan(b"0;aaaaaaa\r\n\r\n"), Ok(true));
    assert_eq!(scan(b"0;aaaaaaaa\r\n"), Err(Http1Error::Limit { what: "chunk_line_bytes", limit: 10 }));
    assert_eq!(scan(b"00000000000"), Err(Http1Error::Limit { what: "chunk_line_bytes", limit: 10 }));
    assert_eq!(scan(b"0\r\nA: bcd\r\n\r\n"), Err(Http1Error::Limit { what: "trailer_bytes", limit: 8 }));
    assert_eq!(scan(b"0\r\nA: bc\r\n\r\n"), Ok(true));
}
