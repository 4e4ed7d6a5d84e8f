//! Heads of any kind, and what another parser makes of them.

use huginn_net_core::Progress;
use huginn_net_http::{Http1Limits, Http1Request, Http1Response, Http1Scanner};
use proptest::collection::vec;
use proptest::prelude::*;

const TOKEN: &str = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}";

prop_compose! {
    /// Fields that every parser reads: name, blanks, value.
    fn fields()(fields in vec((TOKEN, "[ \t]{0,2}", "([!-~\u{80}-\u{ff}]([ -~]{0,30}[!-~])?)?"), 0..20)) -> Vec<(String, String, String)> {
        fields
    }
}

fn text(start: &str, fields: &[(String, String, String)], end: &str) -> Vec<u8> {
    let fields = fields.iter().map(|(name, blanks, value)| format!("{name}:{blanks}{value}{end}"));
    format!("{start}{end}{}{end}", fields.collect::<String>()).into_bytes()
}

proptest! {
    #[test]
    fn requests_read_as_httparse_reads_them(
        method in "[A-Z]{1,10}",
        target in "/[!-~]{0,30}",
        minor in 0..2,
        fields in fields(),
        end in prop::sample::select(vec!["\r\n", "\n"]),
        behind in vec(any::<u8>(), 0..10),
    ) {
        let mut bytes = text(&format!("{method} {target} HTTP/1.{minor}"), &fields, end);
        let len = bytes.len();
        bytes.extend(behind);
        let mut slots = [httparse::EMPTY_HEADER; 32];
        let mut oracle = httparse::Request::new(&mut slots);
        prop_assume!(oracle.parse(&bytes) == Ok(httparse::Status::Complete(len)));
        let seen = crate::request(&bytes);
        prop_assert_eq!(seen.bytes().len(), len);
        prop_assert_eq!(seen.method(), oracle.method.unwrap().as_bytes());
        prop_assert_eq!(seen.target(), oracle.path.unwrap().as_bytes());
        prop_assert_eq!(Some(seen.version().0), oracle.version);
        let ours: Vec<_> = seen.headers().iter().map(|header| (header.name(), header.value().into_owned())).collect();
        let theirs: Vec<_> = oracle.headers.iter().map(|header| (header.name.as_bytes(), header.value.to_vec())).collect();
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn responses_read_as_httparse_reads_them(
        status in 100..1000,
        reason in "( [ -~]{0,20})?",
        minor in 0..2,
        fields in fields(),
    ) {
        let bytes = text(&format!("HTTP/1.{minor} {status}{reason}"), &fields, "\r\n");
        let mut slots = [httparse::EMPTY_HEADER; 32];
        let mut oracle = httparse::Response::new(&mut slots);
        prop_assume!(oracle.parse(&bytes) == Ok(httparse::Status::Complete(bytes.len())));
        let seen = crate::response(&bytes);
        prop_assert_eq!(seen.bytes(), &bytes[..]);
        prop_assert_eq!(seen.status(), oracle.code);
        prop_assert_eq!(seen.reason(), oracle.reason.unwrap().as_bytes());
        prop_assert_eq!(Some(seen.version().0), oracle.version);
        let ours: Vec<_> = seen.headers().iter().map(|header| (header.name(), header.value().into_owned())).collect();
        let theirs: Vec<_> = oracle.headers.iter().map(|header| (header.name.as_bytes(), header.value.to_vec())).collect();
        prop_assert_eq!(ours, theirs);
    }

    /// What httparse reads, which is stricter, is read here, whatever the bytes.
    #[test]
    fn whatever_httparse_reads_is_read(
        start in prop::sample::select(vec!["GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n"]),
        lines in vec("[ -~\t]{0,12}(\r\n|\n)", 0..6),
    ) {
        let bytes = format!("{start}{}\r\n", lines.concat()).into_bytes();
        let mut slots = [httparse::EMPTY_HEADER; 32];
        let theirs = match start.starts_with("GET") {
            true => httparse::Request::new(&mut slots).parse(&bytes),
            false => httparse::Response::new(&mut slots).parse(&bytes),
        };
        if let Ok(httparse::Status::Complete(len)) = theirs {
            let ours = match start.starts_with("GET") {
                true => crate::request(&bytes).bytes(),
                false => crate::response(&bytes).bytes(),
            };
            prop_assert_eq!(ours.len(), len);
        }
    }

    #[test]
    fn a_scanner_gives_the_same_in_pieces_as_at_once(
        lines in vec("[ -~\t\r\0]{0,12}(\r\n|\n)", 0..6),
        sizes in vec(1_usize..9, 1..9),
    ) {
        let bytes = format!("GET / HTTP/1.1\r\n{}", lines.concat()).into_bytes();
        let whole = Http1Scanner::request(Http1Limits::default()).scan(&bytes);
        let mut scanner = Http1Scanner::request(Http1Limits::default());
        let (mut end, mut last) = (0, Ok(Progress::NeedMore));
        for size in sizes.iter().cycle() {
            end = (end + size).min(bytes.len());
            last = scanner.scan(&bytes[..end]);
            if end == bytes.len() || last != Ok(Progress::NeedMore) {
                break;
            }
        }
        prop_assert_eq!(last, whole);
    }

    #[test]
    fn no_bytes_do_any_harm(bytes in vec(any::<u8>(), 0..80), is_response: bool) {
        let start: &[u8] = if is_response { b"HTTP/1.1 200 OK\r\n" } else { b"GET / HTTP/1.1\r\n" };
        let bytes = [start, &bytes, b"\r\n\r\n"].concat();
        if let Ok(Progress::Done(seen)) = Http1Request::parse(&bytes) {
            let lines: usize = seen.headers().iter().map(|header| header.as_sent().len()).sum();
            prop_assert!(lines + start.len() < seen.bytes().len());
            let _ = (seen.quirks(), seen.host(), seen.body(), seen.upgrade(), seen.p0f_language());
            prop_assert!(seen.signature().unwrap().to_string().is_ascii());
            prop_assert!(seen.signature().unwrap().escaped().to_string().bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        }
        if let Ok(Progress::Done(seen)) = Http1Response::parse(&bytes) {
            let _ = (seen.quirks(), seen.date(), seen.body(b"GET"), seen.intermediaries().count());
            prop_assert!(seen.signature().unwrap().to_string().is_ascii());
        }
    }
}
