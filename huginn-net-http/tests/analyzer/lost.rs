//! What is lost is counted.

use huginn_net_http::HttpSettings;
use testkit::encap::link::ethernet;
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::conversation::{CLIENT_START, Conversation};
use crate::watch::{SECOND, START, Watch};

const GET: &str = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// A client of whose requests the first was not captured.
fn without_first(port: u16) -> Conversation {
    Conversation::new(port).client_lost(GET.len() as u32).server(OK).client(GET).server(OK)
}

/// Feeds frames, all at the same time after the start.
fn feed(watch: &mut Watch, frames: &[Vec<u8>], after: u64) {
    frames.iter().for_each(|frame| watch.frame(frame, 1, START + after));
}

#[test]
fn a_request_behind_lost_bytes_is_counted_when_the_capture_ends() {
    for cut in [GET.len(), 5] {
        let mut watch = without_first(1).client(&GET[..cut]).watch();
        assert_eq!((watch.requests().len(), watch.limit("http_lost_bytes")), (0, 0));
        watch.end();
        assert_eq!(watch.limit("http_lost_bytes"), 1);
    }
    let mut cut = Conversation::new(1).client(GET).server(&OK[..20]).watch();
    cut.end();
    assert_eq!(cut.limit("http_lost_bytes"), 1, "the end of a head");
    let mut whole = Conversation::new(1).client(GET).server(&OK[..40]).watch();
    whole.end();
    assert_eq!((whole.responses().len(), whole.limit("http_lost_bytes")), (1, 0), "of a body");
}

#[test]
fn a_request_behind_lost_bytes_is_counted_when_its_connection_ends() {
    let sent = CLIENT_START.wrapping_add(1 + 2 * GET.len() as u32);
    let reset = Tcp::new(1, 80).sequence(sent).flags(flags::RST);
    let reset = ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&reset));
    let mut watch = without_first(1).frame(reset).watch();
    assert_eq!(watch.limit("http_lost_bytes"), 1);
    watch.end();
    assert_eq!(watch.limit("http_lost_bytes"), 1, "once");
    // Another connection has its ports.
    let syn = Tcp::new(1, 80).sequence(77).flags(flags::SYN);
    let syn = ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&syn));
    assert_eq!(without_first(1).frame(syn).watch().limit("http_lost_bytes"), 1);
}

#[test]
fn a_request_behind_lost_bytes_is_counted_once_when_it_has_waited_too_long() {
    let mut watch = Watch::new(HttpSettings::default());
    feed(&mut watch, &without_first(1).frames, 0);
    feed(&mut watch, &Conversation::new(2).frames, 60 * SECOND);
    watch.end();
    assert_eq!((watch.limit("http_pending_time"), watch.limit("http_lost_bytes")), (1, 0));
}

#[test]
fn a_request_behind_more_than_two_empty_lines_is_counted() {
    for (lines, found) in [(0, 1), (2, 1), (3, 0), (9, 0)] {
        for line in ["\r\n", "\n"] {
            let first = line.repeat(lines) + GET;
            let watch = Conversation::new(1).client(&first).server(OK).client(GET).server(OK).watch();
            let seen = (watch.requests().len(), watch.limit("http1_limit"));
            assert_eq!(seen, (1 + found, 1 - found as u64), "{lines}");
            let by_bytes = first.bytes().fold(Conversation::new(1), |sent, byte| sent.client([byte]));
            assert_eq!(by_bytes.watch().limit("http1_limit"), 1 - found as u64, "{lines}");
        }
    }
}
