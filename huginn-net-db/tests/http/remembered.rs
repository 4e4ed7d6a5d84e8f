//! A matcher with a memory answers as its database does.

use std::sync::Arc;

use huginn_net_core::{Analyzer, Frame, LinkType, Packet, Progress};
use huginn_net_db::{Channel, Database, HttpJudgment, HttpMatcher};
use huginn_net_http::{Http1Request, Http1Response, HttpAnalyzer, HttpEvent, HttpRequest, HttpSettings};
use testkit::alloc::{Allocations, measure};
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::stream::connections;

const CAPTURES: [&str; 4] =
    ["real/http_clients.pcap", "real/http_servers.pcap", "real/browsers_lo.pcap", "real/browsers_net.pcap"];

/// All that a judgment tells.
fn told(judgment: &HttpJudgment<'_>) -> String {
    let found = judgment.found.as_ref().map(|found| {
        let others: Vec<_> = found.alternatives().map(|(record, score)| (record.line, score)).collect();
        (found.record.line, found.quality, found.score, others)
    });
    format!("{found:?} {:?} {:?}", judgment.assessment, judgment.system)
}

fn matcher() -> HttpMatcher {
    HttpMatcher::new(Arc::clone(Database::bundled()))
}

#[track_caller]
fn check_request(matcher: &mut HttpMatcher, request: &Http1Request<'_>, channel: Channel) {
    let expected = told(&Database::bundled().judge_request(request, channel));
    assert_eq!(told(&matcher.judge_request(request, channel)), expected, "{request:?}");
}

#[track_caller]
fn check_response(matcher: &mut HttpMatcher, response: &Http1Response<'_>) {
    let expected = told(&Database::bundled().judge_response(response));
    assert_eq!(told(&matcher.judge_response(response)), expected, "{response:?}");
}

#[test]
fn recorded_heads_are_judged_as_without_a_memory() {
    let mut matcher = matcher();
    let recorded: Vec<_> = CAPTURES.into_iter().flat_map(connections).collect();
    // The second time most of them are remembered.
    for connection in recorded.iter().chain(&recorded) {
        for request in connection.requests() {
            check_request(&mut matcher, &request, Channel::Cleartext);
            check_request(&mut matcher, &request, Channel::Tls);
        }
        if let Some(response) = connection.response() {
            check_response(&mut matcher, &response);
        }
    }
}

/// Bytes that end, begin and continue what a head is made of.
const OTHERS: &[u8] = b"\n\r :,aZ1\xff";

/// Calls `check` with a head, and with each that differs from it in one byte or lacks one.
fn for_each_change(head: &[u8], mut check: impl FnMut(&[u8])) {
    for at in 0..head.len() {
        let mut changed = head.to_vec();
        for &other in OTHERS {
            changed[at] = other;
            check(&changed);
        }
        changed.remove(at);
        check(&changed);
    }
}

/// Reports what begins with a head, each time in a connection of its own.
struct Heads {
    analyzer: HttpAnalyzer,
    connections: u32,
}

impl Heads {
    fn new() -> Self {
        Self { analyzer: HttpAnalyzer::new(HttpSettings::default()), connections: 0 }
    }

    fn read(&mut self, bytes: &[u8]) -> Option<HttpEvent> {
        self.connections += 1;
        let [_, a, b, c] = self.connections.to_be_bytes();
        let segment = Tcp::new(4_000, 80).flags(flags::ACK).payload(bytes);
        let datagram = Ipv4::new([10, a, b, c], [11, 0, 0, 1]).tcp(&segment);
        let Ok(packet) = Packet::decode(&Frame::new(&datagram, LinkType::RAW)) else { panic!("a packet") };
        let mut read = None;
        self.analyzer.offer(&packet, &mut |event| read = Some(event));
        read
    }
}

const RESPONSES: [&str; 2] = [
    "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Tue, 14 Nov 2023 22:13:20 GMT\r\nContent-Type: text/html\r\n\
     Content-Length: 5\r\nConnection: keep-alive\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\n\r\n",
    "HTTP/1.0 404 Not Found\r\nserver: uvicorn\r\ncontent-length: 9\r\nconnection: close\r\n\r\n",
];

#[test]
fn a_head_of_an_analyzer_that_differs_in_one_byte_from_one_judged_by_its_shape_has_its_own_answer() {
    let (mut matcher, mut heads) = (matcher(), Heads::new());
    for head in REQUESTS.into_iter().chain(RESPONSES) {
        let mut shapes = 0;
        for_each_change(head.as_bytes(), |changed| {
            // The second time by its shape alone, if it has one.
            for bytes in [head.as_bytes(), head.as_bytes(), changed] {
                let event = heads.read(bytes);
                if let Some(request) = event.as_ref().and_then(|event| event.request()?.http1()) {
                    shapes += u32::from(request.shape().is_some());
                    check_request(&mut matcher, &request, Channel::Cleartext);
                    check_request(&mut matcher, &request, Channel::Tls);
                }
                if let Some(response) = event.as_ref().and_then(|event| event.response()?.http1()) {
                    shapes += u32::from(response.shape().is_some());
                    check_response(&mut matcher, &response);
                }
            }
        });
        assert!(shapes > 0, "{head}");
    }
}

#[test]
fn a_browser_that_asks_its_own_host_is_told_apart_by_its_shape_as_well() {
    let (mut matcher, mut heads) = (matcher(), Heads::new());
    for host in ["localhost", "a.example", "a.example", "127.0.0.1", "a.localhost", "b.example", "[::1]"] {
        let event = heads.read(REQUESTS[1].replace("localhost", host).as_bytes());
        let request = event.as_ref().and_then(HttpEvent::request).and_then(HttpRequest::http1);
        let Some(request) = request else { panic!("{host}") };
        check_request(&mut matcher, &request, Channel::Cleartext);
    }
}

const REQUESTS: [&str; 6] = [
    "GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: Wget/1.21.3\r\nAccept: */*\r\nAccept-Encoding: identity\r\n\
     Connection: Keep-Alive\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) \
     AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36\r\nAccept: text/html\r\nCookie: a=b\r\n\
     Accept-Encoding: gzip, deflate, br\r\nAccept-Language: en\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: localhost\r\nCONNECTION: keep-alive\r\nuser-agent: Mozilla/5.0 (X11; Linux x86_64) \
     AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36\r\nACCEPT-ENCODING: gzip, zstd\r\n\
     accept: */*\r\n\r\n",
    "GET / HTTP/1.0\r\nuser-agent: curl/7\r\nHost: 127.0.0.1\r\nUser-Agent: Firefox/3\r\nVia: 1.1 a\r\n\r\n",
    "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\nProxy-Connection: Keep-Alive\r\nUser-Agent: curl/8.5.0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n folded\r\nX-Other: 1\r\n\r\n",
];

#[test]
fn a_request_that_differs_in_one_byte_from_a_remembered_one_has_its_own_answer() {
    let mut matcher = matcher();
    for head in REQUESTS {
        let Ok(Progress::Done(original)) = Http1Request::parse(head.as_bytes()) else { panic!("{head}") };
        for_each_change(head.as_bytes(), |changed| {
            matcher.judge_request(&original, Channel::Cleartext);
            if let Ok(Progress::Done(request)) = Http1Request::parse(changed) {
                check_request(&mut matcher, &request, Channel::Cleartext);
            }
        });
    }
}

#[test]
fn a_response_that_differs_in_one_byte_from_a_remembered_one_has_its_own_answer() {
    let mut matcher = matcher();
    for head in RESPONSES {
        let Ok(Progress::Done(original)) = Http1Response::parse(head.as_bytes()) else { panic!("{head}") };
        for_each_change(head.as_bytes(), |changed| {
            matcher.judge_response(&original);
            if let Ok(Progress::Done(response)) = Http1Response::parse(changed) {
                check_response(&mut matcher, &response);
            }
        });
    }
}

#[test]
fn a_browser_that_asks_its_own_host_is_not_taken_for_one_that_asks_another() {
    let mut matcher = matcher();
    let head = |host: &str| REQUESTS[1].replace("localhost", host);
    for host in ["localhost", "a.example", "127.0.0.1", "a.localhost", "b.example", "[::1]", "localhost"] {
        let head = head(host);
        let Ok(Progress::Done(request)) = Http1Request::parse(head.as_bytes()) else { panic!("{head}") };
        check_request(&mut matcher, &request, Channel::Cleartext);
        check_request(&mut matcher, &request, Channel::Tls);
    }
}

#[test]
fn more_kinds_of_heads_than_are_remembered_and_heads_that_are_too_long_are_judged_all_the_same() {
    let mut matcher = matcher();
    for _ in 0..2 {
        for number in 0..1_000 {
            let name = "x".repeat(number % 7 * 300);
            let head =
                format!("GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: p{number}{name}\r\nAccept: */*\r\n\r\n");
            let Ok(Progress::Done(request)) = Http1Request::parse(head.as_bytes()) else { panic!("{head}") };
            check_request(&mut matcher, &request, Channel::Cleartext);
        }
    }
}

#[test]
fn an_answer_that_is_remembered_allocates_nothing() {
    let mut matcher = matcher();
    let Ok(Progress::Done(request)) = Http1Request::parse(REQUESTS[1].as_bytes()) else { panic!() };
    matcher.judge_request(&request, Channel::Cleartext);
    let (_, allocations) = measure(|| matcher.judge_request(&request, Channel::Cleartext).found.is_some());
    assert_eq!(allocations, Allocations::NONE);
}

#[test]
fn long_heads_leave_no_more_behind_than_short_ones() {
    /// What a matcher holds at most, by its documentation: 256 answers, and what finds them.
    const MOST: i64 = 256 * 1_536 + 4_096;
    let (_matcher, allocations) = measure(|| {
        let mut matcher = matcher();
        for number in 0..2_000 {
            // One that is remembered makes the next place of its set due.
            for filler in [900, 15_000] {
                let agent = "x".repeat(filler);
                let head = format!(
                    "GET / HTTP/1.1\r\nUser-Agent: p{}{agent}\r\nHost: {number}\r\n\r\n",
                    number % 256
                );
                let Ok(Progress::Done(request)) = Http1Request::parse(head.as_bytes()) else {
                    panic!("{head}")
                };
                matcher.judge_request(&request, Channel::Cleartext);
            }
        }
        matcher
    });
    assert!(allocations.kept_bytes < MOST, "{allocations:?}");
}
