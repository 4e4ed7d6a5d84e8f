//! What is lost is counted.

use huginn_net_http::HttpSettings;
use testkit::encap::link::ethernet;
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::conversation::{CLIENT_START, Conversation, GET, OK};
use crate::watch::{SECOND, START, Watch};

/// A client of whose requests the first was not captured.
fn without_first(port: u16) -> Conversation {
    Conversation::new(port).client_lost(GET.len() as u32).server(OK).client(GET).server(OK)
}

/// Feeds frames, all at the same time after the start.
fn feed(watch: &mut Watch, frames: &[Vec<u8>], after: u64) {
    frames.iter().for_each(|frame| watch.frame(frame, 1, START + after));
}

#[test]
fn what_is_missing_before_a_request_is_counted_when_the_capture_ends_and_the_request_reported_if_it_is_whole()
{
    for (cut, requests) in [(GET.len(), 2), (5, 1)] {
        let mut watch = without_first(1).client(&GET[..cut]).watch();
        assert_eq!((watch.requests().len(), watch.limit("http_lost_bytes")), (0, 0));
        watch.end();
        assert_eq!((watch.requests().len(), watch.limit("http_lost_bytes")), (requests, 1));
    }
    let mut cut = Conversation::new(1).client(GET).server(&OK[..20]).watch();
    cut.end();
    assert_eq!(cut.limit("http_lost_bytes"), 1, "the end of a head");
    let mut whole = Conversation::new(1).client(GET).server(&OK[..40]).watch();
    whole.end();
    assert_eq!((whole.responses().len(), whole.limit("http_lost_bytes")), (1, 0), "of a body");
}

#[test]
fn what_is_missing_before_a_request_is_counted_when_its_connection_ends_and_the_request_reported() {
    let sent = CLIENT_START.wrapping_add(1 + 2 * GET.len() as u32);
    let reset = Tcp::new(1, 80).sequence(sent).flags(flags::RST);
    let reset = ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&reset));
    let mut watch = without_first(1).frame(reset).watch();
    assert_eq!((watch.requests().len(), watch.limit("http_lost_bytes")), (1, 1));
    watch.end();
    assert_eq!(watch.limit("http_lost_bytes"), 1, "once");
    // Another connection has its ports.
    let syn = Tcp::new(1, 80).sequence(77).flags(flags::SYN);
    let syn = ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&syn));
    let watch = without_first(1).frame(syn).watch();
    assert_eq!((watch.requests().len(), watch.limit("http_lost_bytes")), (1, 1));
}

#[test]
fn a_request_that_has_waited_too_long_for_what_is_before_it_is_reported_and_what_is_missing_counted_once() {
    let mut watch = Watch::new(HttpSettings::default());
    feed(&mut watch, &without_first(1).frames, 0);
    feed(&mut watch, &Conversation::new(2).frames, 60 * SECOND);
    assert_eq!(watch.requests().len(), 1);
    watch.end();
    assert_eq!((watch.limit("http_pending_time"), watch.limit("http_lost_bytes")), (1, 0));
}

#[test]
fn what_is_no_head_and_waits_at_the_end_is_not_counted() {
    let post = "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab";
    for begin in ["\r\n", "\r", "x"] {
        // Some clients end a body with CR LF that is not counted (RFC 9112 §2.2).
        let mut watch = Conversation::new(1).client(post).client(begin).server(OK).watch();
        watch.end();
        assert_eq!((watch.responses().len(), watch.limit("http_lost_bytes")), (1, 0), "{begin:?}");
    }
    for (client, server) in [("hello", ""), ("", "H"), ("\r\n", "login: ")] {
        let mut watch = Conversation::new(1).client(client).server(server).watch();
        watch.end();
        assert_eq!(watch.limit("http_lost_bytes"), 0, "{client:?} {server:?}");
    }
    let mut watch = Conversation::new(1).client_lost(5).client("no head").watch();
    watch.end();
    assert_eq!(watch.limit("http_lost_bytes"), 0);
}

#[test]
fn a_head_that_waited_and_was_read_is_not_counted() {
    let late = Conversation::new(1).client_segment(0, GET.as_bytes());
    let waiting = Conversation::new(1).client_lost(GET.len() as u32).client(GET);
    for (behind, found, lost) in [("no head", 2, 0), (GET, 3, 1)] {
        let mut watch = waiting.clone().client_lost(5).client(behind).frame(late.clone()).watch();
        assert_eq!(watch.requests().len(), 2);
        watch.end();
        assert_eq!((watch.requests().len(), watch.limit("http_lost_bytes")), (found, lost), "{behind:?}");
    }
}

#[test]
fn a_head_behind_lost_bytes_is_counted_however_many_places_of_heads_there_were() {
    // The second request comes before the first, four times and each time more of it.
    let early = Conversation::new(1).client_lost(GET.len() as u32);
    let pieces = [8, 12, 16, GET.len()].map(|len| early.client_segment(0, &GET.as_bytes()[..len]));
    let again = pieces.iter().fold(early.clone(), |early, piece| early.frame(piece.clone()));
    let again = again.client_lost(GET.len() as u32);
    // A body of four segments that look like requests comes before its head.
    let post = format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", 4 * GET.len());
    let body = Conversation::new(1).client_lost(post.len() as u32);
    let body = body.client(GET).client(GET).client(GET).client(GET);
    for (waiting, first, requests) in [(again, GET, 3), (body, post.as_str(), 2)] {
        let first = Conversation::new(1).client_segment(0, first.as_bytes());
        let read = waiting.clone().frame(first.clone()).client_lost(5).client(GET);
        for order in [read, waiting.client_lost(5).client(GET).frame(first)] {
            let mut watch = order.watch();
            watch.end();
            assert_eq!((watch.requests().len(), watch.limit("http_lost_bytes")), (requests, 1));
        }
    }
}

/// What is told of a keep-alive connection, one packet of which was not captured: numbers and frames of requests and responses.
fn without_packet(missing: usize, end: fn(&mut Watch)) -> [Vec<(u32, u64)>; 2] {
    let conversation =
        (0..4).fold(Conversation::new(1), |conversation, _| conversation.client(GET).server(OK));
    let mut watch = Watch::new(HttpSettings::default());
    // Each a fifth of a second behind the one before; the packet that is missing keeps its number.
    for (number, frame) in conversation.frames.iter().enumerate() {
        let frame = if number == missing { &[][..] } else { frame };
        watch.frame(frame, 1, START + number as u64 * SECOND / 5);
    }
    end(&mut watch);
    let requests = watch.requests().into_iter().map(|seen| (seen.exchange, seen.origin.frame));
    let responses = watch.responses().into_iter().map(|seen| (seen.exchange, seen.origin.frame));
    [requests.collect(), responses.collect()]
}

#[test]
fn heads_behind_a_packet_that_is_missing_are_told_with_their_numbers_and_packets_whatever_ends_the_waiting() {
    let [requests, responses] = without_packet(usize::MAX, |_| {});
    assert_eq!((requests.len(), responses.len()), (4, 4));
    let reset = |watch: &mut Watch| {
        let sent = CLIENT_START.wrapping_add(1 + 4 * GET.len() as u32);
        let reset = Tcp::new(1, 80).sequence(sent).flags(flags::RST);
        watch.frame(&ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&reset)), 1, START + 2 * SECOND);
    };
    let time = |watch: &mut Watch| feed(watch, &Conversation::new(2).frames, 60 * SECOND);
    for end in [reset, time, Watch::end] {
        for exchange in 0..4 {
            let without = |seen: &[(u32, u64)]| {
                seen.iter().copied().filter(|(number, _)| *number != exchange).collect::<Vec<_>>()
            };
            let packet = |seen: &[(u32, u64)]| seen[exchange as usize].1 as usize - 1;
            let found = without_packet(packet(&requests), end);
            assert_eq!(found, [without(&requests), responses.clone()], "without request {exchange}");
            let found = without_packet(packet(&responses), end);
            assert_eq!(found, [requests.clone(), without(&responses)], "without response {exchange}");
        }
    }
}

/// Paths of requests and statuses of responses, with the numbers of their frames, in the order in which they are told.
fn told(watch: &Watch) -> Vec<(String, u64)> {
    let told = watch.events.iter().map(|event| match (event.request(), event.response()) {
        (Some(seen), _) => (String::from_utf8_lossy(seen.target().unwrap()).into_owned(), seen.origin.frame),
        (_, Some(seen)) => (seen.status().unwrap().to_string(), seen.origin.frame),
        _ => ("start".to_owned(), 0),
    });
    told.collect()
}

#[test]
fn a_head_that_waited_until_a_reset_is_told_once_although_its_segment_comes_again() {
    let waiting = Conversation::new(1).client_lost(5).client(GET);
    let sent = CLIENT_START.wrapping_add(1 + 5 + GET.len() as u32);
    let reset = Tcp::new(1, 80).sequence(sent).flags(flags::RST);
    let again = waiting.frames.last().unwrap().clone();
    let watch =
        waiting.frame(ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&reset))).frame(again).watch();
    assert_eq!(told(&watch), [("/a".to_owned(), 3)]);
}

#[test]
fn each_of_many_heads_that_waited_is_told_of_the_packet_that_began_it() {
    let path = |number: u32| format!("GET /{number} HTTP/1.1\r\n\r\n");
    let mut conversation = Conversation::new(1).client_lost(5);
    for number in 3..23 {
        // Each third head begins within a segment, and ends in the next one.
        let (head, next) = (path(number), path(number + 1));
        conversation = match number % 3 {
            0 => conversation.client(head + &next[..4]),
            1 => conversation.client(&head[4..]),
            _ => conversation.client(head),
        };
    }
    let settings = HttpSettings::default().with_max_exchanges(50);
    let mut watch = conversation.watch_with(settings);
    watch.end();
    let begun = |number: u64| if number % 3 == 1 { number - 1 } else { number };
    let expected: Vec<_> = (3..23).map(|number| (format!("/{number}"), begun(number))).collect();
    assert_eq!(told(&watch), expected);
}

#[test]
fn a_body_that_follows_a_head_that_waited_is_no_head_however_far_ahead_it_is_captured() {
    let post = "POST /p HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n";
    let mut watch = Conversation::new(1).client_lost(5).client(post).client_lost(47_000).client(GET).watch();
    watch.end();
    assert_eq!(told(&watch), [("/p".to_owned(), 3)]);
}

#[test]
fn what_is_missing_of_a_body_in_chunks_is_no_response() {
    let chunked = "HTTP/1.1 201 x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab";
    let decoy = "HTTP/1.1 299 x\r\nContent-Length: 0\r\n\r\n";
    let answer = format!("HTTP/1.1 202 x\r\nContent-Length: {}\r\n\r\n", decoy.len());
    let asked = Conversation::new(1).client(GET).server_lost(25).server(chunked).server_lost(10);
    let asked = asked.client(format!("{GET}HEAD /h HTTP/1.1\r\n\r\n"));
    let mut watch = asked.server(answer).server(decoy).watch();
    watch.end();
    let found = watch.responses();
    assert_eq!([found[0].status(), found[1].status()], [Some(201), Some(202)]);
    assert_eq!(found.len(), 2);
}
