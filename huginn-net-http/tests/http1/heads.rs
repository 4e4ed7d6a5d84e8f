//! What is read of a head, and how oddities are kept.

use huginn_net_core::Progress;
use huginn_net_http::{Http1Error, Http1Limits, Http1Request, Http1Response, Http1Scanner, TargetForm};

use crate::{request, response, with_fields};

fn quirks(bytes: &[u8]) -> Vec<&'static str> {
    request(bytes).quirks().names().collect()
}

#[test]
fn any_method_and_any_form_of_target_is_read() {
    for (line, method, target, form) in [
        ("GET /a?b HTTP/1.1", "GET", "/a?b", TargetForm::Origin),
        ("M-SEARCH * HTTP/1.1", "M-SEARCH", "*", TargetForm::Asterisk),
        ("CONNECT a.example:443 HTTP/1.1", "CONNECT", "a.example:443", TargetForm::Authority),
        ("GET http://a.example/x HTTP/1.0", "GET", "http://a.example/x", TargetForm::Absolute),
        ("get index.html HTTP/1.1", "get", "index.html", TargetForm::Other),
        ("GET 1http://a HTTP/1.1", "GET", "1http://a", TargetForm::Other),
    ] {
        let bytes = format!("{line}\r\n\r\n");
        let seen = request(bytes.as_bytes());
        assert_eq!((seen.method(), seen.target()), (method.as_bytes(), target.as_bytes()), "{line}");
        assert_eq!(seen.target_form(), form, "{line}");
    }
}

#[test]
fn the_host_is_that_of_the_target_before_that_of_the_field() {
    for (line, host) in [
        ("GET / HTTP/1.1", Some("field.example")),
        ("GET http://u:p@a.example:8080/x HTTP/1.1", Some("a.example")),
        ("GET http://a.example?x HTTP/1.1", Some("a.example")),
        ("CONNECT [2001:db8::1]:443 HTTP/1.1", Some("[2001:db8::1]")),
        ("CONNECT :443 HTTP/1.1", None),
    ] {
        let bytes = format!("{line}\r\nHost: field.example:80\r\n\r\n");
        assert_eq!(request(bytes.as_bytes()).host().as_deref(), host.map(str::as_bytes), "{line}");
    }
    assert_eq!(request(b"GET / HTTP/1.0\r\n\r\n").host(), None);
    for (field, host) in [
        ("[2001:db8::1]:80", "[2001:db8::1]"),
        ("2001:db8::1", "2001:db8::1"),
        ("a.example:", "a.example"),
        ("u@a.example:80", "a.example"),
    ] {
        let bytes = format!("GET / HTTP/1.1\r\nHost: {field}\r\n\r\n");
        assert_eq!(request(bytes.as_bytes()).host().as_deref(), Some(host.as_bytes()), "{field}");
    }
}

#[test]
fn every_oddity_of_a_field_is_a_quirk_and_the_field_is_read() {
    for (fields, name, value, quirk) in [
        ("A : b\r\n", "A", "b", "sp_before_colon"),
        ("A:b\r\n", "A", "b", "no_space"),
        ("A:  b\r\n", "A", "b", "multi_space"),
        ("A:\tb\r\n", "A", "b", "tab"),
        ("A b\r\n", "", "A b", "no_colon"),
        ("A(: b\r\n", "A(", "b", "bad_name"),
        (": b\r\n", "", "b", "bad_name"),
        ("A: b\0c\r\n", "A", "b\0c", "nul"),
        ("A: b\x01c\r\n", "A", "b\x01c", "control"),
        ("A: b\x7fc\r\n", "A", "b\x7fc", "control"),
        ("A: \u{e9}\r\n", "A", "\u{e9}", "high_bytes"),
        ("A: b\rc\r\n", "A", "b\rc", "bare_cr"),
        ("A: b\r\n c\r\n", "A", "b c", "obs_fold"),
        ("A: b \r\n\t c\r\n", "A", "b c", "obs_fold"),
        ("A: b\n", "A", "b", "mixed_eol"),
    ] {
        let bytes = with_fields(fields);
        let seen = request(&bytes);
        let header = seen.headers().iter().next().unwrap();
        assert_eq!((header.name(), &*header.value()), (name.as_bytes(), value.as_bytes()), "{fields:?}");
        assert_eq!(seen.quirks().names().collect::<Vec<_>>(), [quirk], "{fields:?}");
        assert!(fields.trim_end_matches(['\r', '\n']).as_bytes() == header.as_sent(), "{fields:?}");
    }
}

#[test]
fn ordinary_fields_have_no_quirks() {
    for fields in ["", "A: b\r\n", "A:\r\n", "A: \r\n", "A: b \r\n", "A: b\tc\r\nA: d\r\n"] {
        assert_eq!(quirks(&with_fields(fields)), [""; 0], "{fields:?}");
    }
}

#[test]
fn what_is_before_and_in_the_request_line_is_a_quirk() {
    assert_eq!(quirks(b"\r\n\nGET / HTTP/1.1\r\n\r\n"), ["leading_empty_line", "mixed_eol"]);
    assert_eq!(quirks(b"GET /a b HTTP/1.1\r\n\r\n"), ["space_in_target"]);
    assert_eq!(quirks(b"GET /\r HTTP/1.1\r\n\r\n"), ["bare_cr"]);
    assert_eq!(quirks(b"GET http://a/ HTTP/1.1\r\n\r\n"), ["proxy_form"]);
    assert_eq!(quirks(b"GET / HTTP/1.1\n\n"), ["lf_only"]);
    // p0f 3.09b, too, ends a head at a line of CRs.
    assert_eq!(quirks(b"GET / HTTP/1.1\r\n\r\r\n"), ["bare_cr"]);
}

#[test]
fn a_line_that_begins_with_a_blank_before_any_field_is_one_of_its_own() {
    let bytes = with_fields(" A: b\r\n");
    let seen = request(&bytes);
    assert_eq!(seen.headers().iter().next().unwrap().name(), b" A");
    assert_eq!(seen.quirks().names().collect::<Vec<_>>(), ["bad_name"]);
}

#[test]
fn names_are_found_whatever_their_case_and_repeated_ones_in_order() {
    let bytes = with_fields("X: 1\r\nHOST: a\r\nx: 2\r\n");
    let headers = request(&bytes).headers();
    let values: Vec<_> = headers.get_all("X").map(|header| header.value().into_owned()).collect();
    assert_eq!(values, [b"1", b"2"]);
    assert_eq!(headers.get("host").unwrap().name(), b"HOST");
    assert_eq!((headers.len(), headers.is_empty()), (3, false));
    assert!(headers.get("hos").is_none());
}

#[test]
fn a_program_that_is_named_behind_an_empty_field_is_named() {
    for (lines, expected) in [
        ("User-Agent:\r\nuser-agent: a\r\nUser-Agent: b\r\n", Some("a")),
        ("User-Agent: \t\r\nAccept: */*\r\nUser-Agent: a\r\n", Some("a")),
        ("User-Agent: a\r\nUser-Agent: b\r\n", Some("a")),
        ("User-Agent:\r\nUser-Agent:\r\n", Some("")),
        ("Host: a\r\n", None),
    ] {
        let (asks, answers) =
            (format!("GET / HTTP/1.1\r\n{lines}\r\n"), format!("HTTP/1.1 200 OK\r\n{lines}\r\n"));
        let answers = answers.replace("User-Agent", "Server").replace("user-agent", "server");
        assert_eq!(
            request(asks.as_bytes()).user_agent().as_deref(),
            expected.map(str::as_bytes),
            "{lines:?}"
        );
        assert_eq!(
            response(answers.as_bytes()).server().as_deref(),
            expected.map(str::as_bytes),
            "{lines:?}"
        );
    }
}

#[test]
fn a_head_is_kept_byte_for_byte_and_ends_at_the_empty_line() {
    let bytes = b"\r\nGET / HTTP/1.1\r\nA:\xff\r\n b\r\n\r\nGET /2 HTTP/1.1\r\n\r\n";
    let seen = request(bytes);
    assert_eq!(seen.bytes(), &bytes[..bytes.len() - 19]);
    assert_eq!(seen.headers().iter().next().unwrap().as_sent(), b"A:\xff\r\n b");
}

#[test]
fn a_status_line_may_lack_reason_and_code() {
    for (line, status, reason) in [
        ("HTTP/1.1 200 OK", Some(200), "OK"),
        ("HTTP/1.0 404 Not Found", Some(404), "Not Found"),
        ("HTTP/1.1 204", Some(204), ""),
        ("HTTP/1.1 999 ", Some(999), ""),
        ("HTTP/1.1 2000 x", None, "x"),
        ("HTTP/1.1 OK", None, ""),
        ("HTTP/1.1", None, ""),
    ] {
        let bytes = format!("{line}\r\n\r\n");
        let seen = response(bytes.as_bytes());
        assert_eq!((seen.status(), seen.reason()), (status, reason.as_bytes()), "{line}");
    }
}

#[test]
fn interim_responses_are_those_another_one_follows() {
    let is_interim = |status: u16| response(format!("HTTP/1.1 {status} x\r\n\r\n").as_bytes()).is_interim();
    assert!([100, 102, 103].into_iter().all(is_interim));
    assert!(![101, 200, 304].into_iter().any(is_interim));
}

#[test]
fn the_clock_of_a_server_is_read() {
    let seen = response(b"HTTP/1.1 200 OK\r\ndate: Tue, 14 Nov 2023 22:13:20 GMT\r\n\r\n").date();
    assert_eq!(seen.unwrap().to_string(), "2023-11-14T22:13:20.000000000Z");
    assert_eq!(response(b"HTTP/1.1 200 OK\r\nDate: today\r\n\r\n").date(), None);
}

#[test]
fn any_byte_but_lf_may_stand_in_a_target_or_reason_and_is_kept() {
    for len in 1..40 {
        for at in 0..len {
            for (byte, in_target, in_reason) in [
                (0, "nul", "nul"),
                (1, "control", "control"),
                (b'\t', "space_in_target", ""),
                (b'\r', "bare_cr", "bare_cr"),
                (0x1b, "control", "control"),
                (b'!', "", ""),
                (0x7f, "control", "control"),
                (0xff, "high_bytes", "high_bytes"),
            ] {
                let mut text = vec![b'a'; len];
                text[at] = byte;
                let head = [b"GET /", &text[..], b" HTTP/1.1\r\n\r\n"].concat();
                let seen = request(&head);
                assert_eq!(seen.target(), [b"/", &text[..]].concat(), "{}", head.escape_ascii());
                assert_eq!(seen.quirks().names().collect::<String>(), in_target, "{}", head.escape_ascii());
                // The CR before an LF ends the line.
                text.push(b'.');
                let head = [b"HTTP/1.1 200 ", &text[..], b"\r\n\r\n"].concat();
                let seen = response(&head);
                assert_eq!(seen.reason(), text, "{}", head.escape_ascii());
                assert_eq!(seen.quirks().names().collect::<String>(), in_reason, "{}", head.escape_ascii());
            }
        }
    }
}

#[test]
fn what_is_no_request_is_refused_at_the_first_byte_that_shows_it() {
    for (bytes, at) in [
        (&b"\x16\x03\x01"[..], 0),
        (b"\0", 0),
        (b" GET / HTTP/1.1", 0),
        (b"GE(T / HTTP/1.1", 2),
        (b"SSH-2.0-OpenSSH_9.2\r\n", 19),
        (b"GET\t/ HTTP/1.1", 3),
        (b"GET\0/ HTTP/1.1", 3),
        (b"AB \0\x01GET / HTTP/1.1", 3),
        (b"GET /\tHTTP/1.1\r\n", 15),
        (b"GET / HTTP/2.0\r\n", 15),
        (b"GET / HTTP/1.11\r\n", 16),
        (b"GET / http/1.1\r\n", 15),
        (b"GET /HTTP/1.1\r\n", 14),
        (b"GET  HTTP/1.1\r\n", 14),
        (b"\r\n\r\n\r\n", 5),
        (b"\rG", 1),
    ] {
        for end in 0..=bytes.len() {
            let refused = Http1Request::parse(&bytes[..end]).is_err();
            assert_eq!(refused, end > at, "{} at {end}", bytes.escape_ascii());
        }
    }
    assert_eq!(Http1Request::parse(b"PRI * HTTP/2.0\r\n").unwrap_err(), Http1Error::Http2Preface);
}

#[test]
fn what_is_no_response_is_refused_at_the_first_byte_that_shows_it() {
    for (bytes, at) in [
        (&b"GET"[..], 0),
        (b"HTTP/2", 5),
        (b"HTTP/1.x 200\r\n", 7),
        (b"HTTP/1.11 200\r\n", 8),
        (b"\r\nHTTP/1.1", 0),
        (b"HTTP/1.1\0", 8),
    ] {
        for end in 0..=bytes.len() {
            let refused = Http1Response::parse(&bytes[..end]).is_err();
            assert_eq!(refused, end > at, "{} at {end}", bytes.escape_ascii());
        }
    }
}

#[test]
fn a_scanner_finds_the_end_byte_by_byte_as_at_once() {
    let bytes = b"\r\nGET / HTTP/1.1\r\nA: b\n c\r\n\r\nmore";
    let mut scanner = Http1Scanner::request(Http1Limits::default());
    for end in 0..=bytes.len() {
        let expected = if end < 29 { Progress::NeedMore } else { Progress::Done(29) };
        assert_eq!(scanner.scan(&bytes[..end]), Ok(expected), "{end}");
    }
    assert_eq!(request(bytes).bytes().len(), 29);
}
