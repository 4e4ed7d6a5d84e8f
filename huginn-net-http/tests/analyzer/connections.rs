//! Exchanges of a connection: which is reported, with which number, and where bodies end.

use huginn_net_core::{Analyzer, Frame, LinkType, Packet};
use huginn_net_http::HttpSettings;
use testkit::encap::link::ethernet;
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::conversation::{CLIENT_START, Conversation, GET, OK, exchanges};
use crate::watch::{SECOND, START, Watch};

/// A body that looks like heads.
const DECOY: &str = "HTTP/1.1 200 OK\r\n\r\nGET / HTTP/1.1\r\n\r\n";

#[test]
fn a_request_and_its_response_are_reported_as_they_were_sent() {
    let response = "HTTP/1.1 404 Not Found\nServer: s\nDate: Tue, 14 Nov 2023 22:13:29 GMT\n\n";
    let watch = Conversation::new(4_000).client(GET).server(response).watch();
    let (requests, responses) = (watch.requests(), watch.responses());
    let request = requests[0].http1().unwrap();
    assert_eq!(request.bytes(), GET.as_bytes());
    assert_eq!((request.method(), request.target()), (&b"GET"[..], &b"/a"[..]));
    assert_eq!(requests[0].origin.source.to_string(), "10.0.0.1:4000");
    assert_eq!((requests[0].origin.frame, requests[0].version().to_string()), (3, "1.1".to_owned()));
    assert_eq!(requests[0].host().as_deref(), Some(&b"h"[..]));
    let parsed = responses[0].http1().unwrap();
    assert_eq!((parsed.bytes(), parsed.reason()), (response.as_bytes(), &b"Not Found"[..]));
    assert_eq!(parsed.quirks().names().collect::<Vec<_>>(), ["lf_only"]);
    assert_eq!(responses[0].origin.source.to_string(), "10.0.0.2:80");
    // Captured at 22:13:20 and 3 ms.
    assert_eq!(responses[0].clock_offset(), Some(9));
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 404"]);
}

#[test]
fn an_owned_head_says_the_same_as_a_borrowed_one() {
    let head = "\r\nPOST http://h/ x HTTP/1.0\r\nHost : h\r\n folded\r\nX\r\n\r\n";
    let watch = Conversation::new(1).client(head).server("HTTP/1.1 99\r\nServer:\tx\r\n\r\n").watch();
    let requests = watch.requests();
    let (owned, borrowed) = (requests[0].http1().unwrap(), crate::http1_request(head.as_bytes()));
    assert_eq!(format!("{owned:?}"), format!("{borrowed:?}"));
    assert_eq!(owned.quirks(), borrowed.quirks());
    let responses = watch.responses();
    assert_eq!((responses[0].status(), responses[0].http1().unwrap().reason()), (None, &b""[..]));
}

#[test]
fn a_connection_that_stays_open_has_one_exchange_behind_the_other() {
    let chunked = format!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{DECOY}\r\n0\r\nX: y\r\n\r\n",
        DECOY.len()
    );
    let sized = format!("HTTP/1.1 201 OK\r\nContent-Length: {}\r\n\r\n{DECOY}", DECOY.len());
    let post = format!("POST /b HTTP/1.1\r\nContent-Length: {}\r\n\r\n{DECOY}", DECOY.len());
    let put = format!(
        "PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{:X};x\r\n{DECOY}\r\n0\r\n\r\n",
        DECOY.len()
    );
    let conversation = Conversation::new(1)
        .client(GET)
        .server(&chunked)
        .client(&post)
        .server(&sized)
        .client(&put)
        .server("HTTP/1.1 204 x\r\nContent-Length: 9\r\n\r\n")
        .client(GET)
        .server(OK);
    let expected =
        ["0> GET /a", "0< 200", "1> POST /b", "1< 201", "2> PUT /c", "2< 204", "3> GET /a", "3< 200"];
    assert_eq!(exchanges(&conversation.watch()), expected);
    // Heads and bodies in segments of their own.
    let cut = Conversation::new(1)
        .client(GET)
        .server(&sized[..sized.len() - DECOY.len()])
        .server(DECOY)
        .client(GET)
        .server(OK);
    assert_eq!(exchanges(&cut.watch()), ["0> GET /a", "0< 201", "1> GET /a", "1< 200"]);
}

#[test]
fn pipelined_requests_are_answered_in_their_order() {
    let requests = "HEAD /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n";
    let head = "HTTP/1.1 200 x\r\nContent-Length: 500\r\n\r\n";
    let watch =
        Conversation::new(1).client(requests).server([head, OK, "HTTP/1.1 304 x\r\n\r\n"].concat()).watch();
    assert_eq!(exchanges(&watch), ["0> HEAD /1", "1> GET /2", "2> GET /3", "0< 200", "1< 200", "2< 304"]);
}

#[test]
fn of_many_exchanges_the_first_four_are_reported() {
    let mut conversation = Conversation::new(1);
    for _ in 0..6 {
        conversation = conversation.client(GET).server(OK);
    }
    let watch = conversation.watch();
    assert_eq!((watch.requests().len(), watch.responses().len()), (4, 4));
    assert_eq!(watch.limit("http_exchanges"), 1);
    let watch = conversation.watch_with(HttpSettings::default().with_max_exchanges(1));
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200"]);
    let watch = conversation.watch_with(HttpSettings::default().with_max_exchanges(200));
    assert_eq!(watch.responses().len(), 6);
}

#[test]
fn more_than_32_requests_without_response_end_the_connection() {
    let watch = Conversation::new(1)
        .client(GET.repeat(33))
        .server(OK)
        .watch_with(HttpSettings::default().with_max_exchanges(255));
    assert_eq!((watch.requests().len(), watch.limit("http_pipelined")), (32, 1));
}

#[test]
fn interim_responses_answer_nothing_but_101_does() {
    let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    let watch =
        Conversation::new(1).client(GET).server([interim, OK].concat()).client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200", "1> GET /a", "1< 200"]);
    assert_eq!(watch.seen("http_interim"), 2);

    let switch = "HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    let watch = Conversation::new(1).client(GET).server(switch).server(OK).client(GET).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 101"]);
    assert_eq!(watch.seen("http_switched"), 1);
}

#[test]
fn behind_a_granted_connect_is_a_tunnel_and_behind_a_refused_one_is_none() {
    let connect = "CONNECT h:443 HTTP/1.1\r\n\r\n";
    let watch = Conversation::new(1).client(connect).server("HTTP/1.1 200 x\r\n\r\n").client(GET).watch();
    assert_eq!(exchanges(&watch), ["0> CONNECT h:443", "0< 200"]);
    // A client need not wait for the answer, nor for one to what it asked before, and may send what looks like a head.
    for sent in
        ["\x16\x03\x01\x02\x00\x01\x00\x01\u{7f}\x03\x03", "GET / HTTP/1.1\r\nA\0: b\r\n : c\r\nX\r\n"]
    {
        let watch = Conversation::new(1).client([GET, connect, sent].concat()).server(OK).watch();
        assert_eq!(watch.stats().malformed, [], "{sent}");
    }
    let hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
    for together in [true, false] {
        let sent =
            Conversation::new(1).client([connect.as_bytes(), if together { hello } else { b"" }].concat());
        let sent = if together { sent } else { sent.client(hello) };
        let watch = sent.server("HTTP/1.1 200 x\r\n\r\n").watch();
        assert_eq!(exchanges(&watch), ["0> CONNECT h:443", "0< 200"]);
        assert_eq!(watch.stats().malformed, [], "{together}");
    }
    let refused = "HTTP/1.1 407 x\r\nContent-Length: 0\r\n\r\n";
    let watch = Conversation::new(1).client(connect).server(refused).client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0> CONNECT h:443", "0< 407", "1> GET /a", "1< 200"]);
}

#[test]
fn behind_a_body_that_ends_with_the_connection_is_nothing() {
    for response in
        ["HTTP/1.1 200 x\r\n\r\n", "HTTP/1.1 200 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"]
    {
        let watch = Conversation::new(1).client(GET).server(response).server(OK).client(GET).watch();
        assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200"], "{response:?}");
    }
}

#[test]
fn a_capture_may_start_between_a_request_and_its_response_or_in_a_body() {
    let watch = Conversation::mid_flow(1).server(OK).client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0< 200 to nothing seen", "1> GET /a", "1< 200"]);
    let watch = Conversation::mid_flow(1).server("of a body").client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200"]);
    let watch = Conversation::mid_flow(1).client("of a body").server(OK).client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0< 200 to nothing seen", "1> GET /a", "1< 200"]);
}

#[test]
fn a_response_to_a_head_that_was_not_captured_does_not_hide_the_next() {
    for body in ["Content-Length: 5000", "Transfer-Encoding: chunked", "Connection: keep-alive"] {
        let head = format!("HTTP/1.1 200 x\r\n{body}\r\n\r\n");
        let watch = Conversation::mid_flow(1).server(&head).client(GET).server(OK).watch();
        assert_eq!(exchanges(&watch), ["0< 200 to nothing seen", "1> GET /a", "1< 200"], "{body}");
        let watch = Conversation::new(1).client(GET).server(&head).server(OK).watch();
        assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200"], "{body}: to a GET it is the body");
    }
    for body in ["Content-Length: 5000", "Connection: keep-alive"] {
        let head = format!("HTTP/1.1 200 x\r\n{body}\r\n\r\n");
        for (head, begin) in [(head.clone(), "of a body"), (format!("{head}of a body"), "")] {
            let watch = Conversation::mid_flow(1).server(head).server(begin).server(OK).watch();
            assert_eq!(exchanges(&watch), ["0< 200 to nothing seen"], "{body}: a body has begun");
        }
    }
}

#[test]
fn a_head_captured_behind_its_response_tells_that_there_was_no_body() {
    for body in ["Content-Length: 5000", "Transfer-Encoding: chunked", "Connection: keep-alive"] {
        let head = format!("HTTP/1.1 200 x\r\n{body}\r\n\r\n");
        let asked = Conversation::new(1).server(&head).client("HEAD /a HTTP/1.1\r\n\r\n").client(GET);
        // Too short to be known for the begin of a head.
        let watch = asked.server("HT").server(&OK[2..]).watch();
        let expected = ["0< 200 to nothing seen", "0> HEAD /a", "1> GET /a", "1< 200"];
        assert_eq!(exchanges(&watch), expected, "{body}");
    }
}

#[test]
fn one_direction_alone_is_enough() {
    let watch = Conversation::mid_flow(1).client(GET).client(GET).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "1> GET /a"]);
    let watch = Conversation::mid_flow(1).server(OK).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0< 200 to nothing seen", "1< 200 to nothing seen"]);
}

#[test]
fn a_response_that_was_captured_before_its_request_has_its_number() {
    let watch = Conversation::new(1).server(OK).client(GET).client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0< 200 to nothing seen", "0> GET /a", "1> GET /a", "1< 200"]);
}

#[test]
fn a_request_is_reported_even_if_the_last_response_was_captured_before_it() {
    for last in [
        "HTTP/1.1 200 x\r\n\r\nall",
        "HTTP/1.1 200 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x01\x02",
    ] {
        let watch = Conversation::new(1).server(last).client(GET).client(GET).watch();
        let [answer, request] = &exchanges(&watch)[..] else { panic!("{last:?}: {:?}", exchanges(&watch)) };
        assert!(answer.starts_with("0< ") && request == "0> GET /a", "{last:?}");
    }
    // Both answers came first, the second of which is the last.
    let close = "HTTP/1.1 200 x\r\n\r\n";
    let watch = Conversation::new(1).server([OK, close].concat()).client(GET).client(GET).client(GET).watch();
    assert_eq!(exchanges(&watch)[2..], ["0> GET /a", "1> GET /a"]);
    // As many as are reported.
    let watch =
        Conversation::new(1).server(OK).client(GET).watch_with(HttpSettings::default().with_max_exchanges(1));
    assert_eq!(exchanges(&watch), ["0< 200 to nothing seen", "0> GET /a"]);
    // Where the begin was not seen nobody knows that there is one to come.
    let watch = Conversation::mid_flow(1).server(close).client(GET).watch();
    assert_eq!(exchanges(&watch), ["0< 200 to nothing seen"]);
}

#[test]
fn bytes_that_are_missing_in_a_body_matter_to_nobody() {
    let big = "HTTP/1.1 200 x\r\nContent-Length: 100000\r\n\r\n";
    let conversation = Conversation::new(1).client(GET).server(big).server_lost(90_000).server([b'x'; 9_000]);
    let watch = conversation.server_lost(1_000).client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200", "1> GET /a", "1< 200"]);
    assert_eq!((watch.limit("http_lost_bytes"), watch.seen("http_out_of_order")), (0, 0));
}

#[test]
fn a_body_of_5_gib_is_passed_over() {
    let big = format!("HTTP/1.1 200 x\r\nContent-Length: {}\r\n\r\n", 5_u64 << 30);
    let mut conversation = Conversation::new(1).client(GET).server(big);
    for _ in 0..5 {
        conversation =
            conversation.server_lost((1 << 30) - 1_000).server(&DECOY.repeat(100).as_bytes()[..1_000]);
    }
    let watch = conversation.client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200", "1> GET /a", "1< 200"]);
}

#[test]
fn where_a_part_of_a_head_never_comes_the_next_head_is_found() {
    // Far behind what is missing.
    let lost = Conversation::new(1).client("GET /lost HTTP/1.1\r\n").client_lost(70_000);
    let watch = lost.client("x").client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200"]);
    assert_eq!(watch.limit("http_lost_bytes"), 1);
    // As much as waits arrives behind what is missing, heads too.
    let lost = Conversation::new(1).client(GET).server("HTTP/1.1 200 x\r\n").server_lost(10);
    let watch = lost.server(OK).client(GET).server([b'x'; 40_000]).server([b'x'; 40_000]).watch();
    assert_eq!(watch.limit("http_out_of_order"), 1);
    assert_eq!(exchanges(&watch)[..2], ["0> GET /a", "1> GET /a"]);
    assert_eq!(exchanges(&watch)[2], "1< 200 to nothing seen", "of two requests, nobody knows which");
}

#[test]
fn a_request_that_is_refused_before_its_body_is_followed_by_the_next_one() {
    let post = |fields: &str| format!("POST /p HTTP/1.1\r\nExpect: 100-Continue\r\n{fields}\r\n\r\n");
    let refused = "HTTP/1.1 417 x\r\nContent-Length: 0\r\n\r\n";
    for fields in ["Content-Length: 3000", "Transfer-Encoding: chunked"] {
        let asked = Conversation::new(1).client(post(fields));
        // Three times, as heads that were seen before are read in another way.
        let again = asked.clone().server(refused).client(post(fields)).server(refused).client(GET).server(OK);
        let expected = ["0> POST /p", "0< 417", "1> POST /p", "1< 417", "2> GET /a", "2< 200"];
        assert_eq!(exchanges(&again.watch()), expected, "{fields}");
    }
    // A body that looks like a request is one where the server did not refuse it, or had let the client go on.
    let body = format!("{GET}{}", "x".repeat(3000 - GET.len()));
    let asked = Conversation::new(1).client(post("Content-Length: 3000"));
    let expected = ["0> POST /p", "0< 200", "1> GET /a", "1< 200"];
    for before in ["", "HTTP/1.1 100 x\r\n\r\n"] {
        let watch = asked.clone().server(before).client(&body).server(OK).client(GET).server(OK).watch();
        assert_eq!(exchanges(&watch), expected, "{before:?}");
    }
    let watch =
        asked.server("HTTP/1.1 100 x\r\n\r\n").server(OK).client(&body).client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), expected);
    // Without the field the body comes whatever was answered.
    let post = "POST /p HTTP/1.1\r\nContent-Length: 3000\r\n\r\n";
    let watch = Conversation::new(1).client(post).server(OK).client(&body).client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), expected);
}

#[test]
fn what_is_missing_is_waited_for_three_seconds() {
    let conversation = Conversation::new(1).client(GET).server_lost(100).server(OK).client(GET).server(OK);
    let run = |late: u64| {
        let mut watch = Watch::new(HttpSettings::default());
        let (first, rest) = conversation.frames.split_at(4);
        first.iter().for_each(|frame| watch.frame(frame, 1, START));
        rest.iter().for_each(|frame| watch.frame(frame, 1, START + late));
        exchanges(&watch)
    };
    assert_eq!(run(3 * SECOND), ["0> GET /a", "1> GET /a"]);
    assert_eq!(run(3 * SECOND + 1), ["0> GET /a", "1> GET /a", "0< 200", "1< 200"]);
}

/// As where the captures of both directions were joined and their clocks differ.
#[test]
fn responses_behind_a_syn_ack_that_was_captured_late_have_the_numbers_of_their_requests() {
    let small = |status: u16| format!("HTTP/1.1 {status} x\r\nContent-Length: 0\r\n\r\n");
    let to_head = "HTTP/1.1 200 x\r\nContent-Length: 5000\r\n\r\n";
    let in_time = Conversation::new(1).client(GET).client("HEAD /b HTTP/1.1\r\n\r\n").client(GET);
    let in_time = in_time.server([OK, to_head, small(202).as_str()].concat()).client(GET).server(small(203));
    let answers = |conversation: &Conversation| {
        let watch = conversation.watch();
        let numbers =
            watch.responses().into_iter().map(|seen| (seen.exchange, seen.status(), seen.is_answer));
        numbers.collect::<Vec<_>>()
    };
    let expected =
        [(0, 200), (1, 200), (2, 202), (3, 203)].map(|(number, status)| (number, Some(status), true));
    assert_eq!(answers(&in_time), expected);
    let with_order = |order: &[usize]| {
        let mut ordered = in_time.clone();
        ordered.frames = order.iter().map(|&at| in_time.frames[at].clone()).collect();
        answers(&ordered)
    };
    assert_eq!(with_order(&[0, 2, 3, 4, 1, 5, 6, 7]), expected);
    assert_eq!(with_order(&[0, 2, 3, 4, 6, 1, 5, 7]), expected, "behind all that the client has sent");
    // One that does not answer the SYN, although its number is near, tells nothing.
    let other = Tcp::new(80, 1).sequence(1).acknowledgment(CLIENT_START + 9).flags(flags::SYN | flags::ACK);
    let mut misled = in_time.clone();
    let answer = misled.frames.remove(1);
    misled.frames.splice(4..4, [ethernet(&Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1]).tcp(&other)), answer]);
    assert_eq!(answers(&misled), expected);
    // Without the SYN nobody knows what was asked before.
    assert_eq!(with_order(&[2, 3, 4, 1, 5, 6, 7])[0], (0, Some(200), false));
}

#[test]
fn a_request_behind_the_header_of_a_proxy_is_reported() {
    let text = b"PROXY TCP4 192.0.2.1 198.51.100.2 40000 80\r\n".as_slice();
    let binary = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\x02\x01\xc6\x33\x64\x02\x9c\x40\0\x50".as_slice();
    for header in [text, binary] {
        let both = [header, GET.as_bytes()].concat();
        let at_once = Conversation::new(1).client(&both).server(OK);
        let apart = Conversation::new(1).client(header).client(GET).server(OK);
        let cut = Conversation::new(1).client(&both[..header.len() + 3]).client(&both[header.len() + 3..]);
        for conversation in [at_once, apart, cut.server(OK)] {
            let watch = conversation.watch();
            assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200"]);
            assert_eq!(watch.seen("http1_not_http1"), 0);
        }
        for at in 1..header.len() {
            let in_header = Conversation::new(1).client(&both[..at]).client(&both[at..]).server(OK);
            assert_eq!(exchanges(&in_header.watch()), ["0> GET /a", "0< 200"], "cut at {at}");
        }
    }
    let behind = Conversation::new(1).client(GET).server(OK).client([text, GET.as_bytes()].concat());
    assert_eq!(exchanges(&behind.watch()), ["0> GET /a", "0< 200"]);
}

#[test]
fn pipelined_requests_tell_where_their_responses_begin_if_the_syn_ack_was_not_captured() {
    let small = |status: u16| format!("HTTP/1.1 {status} x\r\nContent-Length: 0\r\n\r\n");
    let mut conversation = Conversation::new(1).client(GET.repeat(3));
    conversation.frames.remove(1);
    let watch = conversation.server([small(200), small(201), small(202)].concat()).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "1> GET /a", "2> GET /a", "0< 200", "1< 201", "2< 202"]);
    assert!(watch.responses().iter().all(|seen| seen.is_answer));
}

/// Nobody knows whether the first of them is the first that waits. As many responses as requests are told, and of none is said what
/// it answers.
#[test]
fn responses_to_requests_pipelined_where_the_capture_begins_are_told_as_they_come() {
    let small = |status: u16| format!("HTTP/1.1 {status} OK\r\nContent-Length: 0\r\n\r\n");
    let asked = Conversation::mid_flow(1).client([GET, "GET /b HTTP/1.1\r\n\r\n", GET].concat());
    let expected = ["0> GET /a", "1> GET /b", "2> GET /a"];
    let answers = |numbers: &[(u32, u16)]| {
        let answers = numbers.iter().map(|(number, status)| format!("{number}< {status} to nothing seen"));
        expected.iter().map(|request| (*request).to_owned()).chain(answers).collect::<Vec<_>>()
    };
    let all = asked.clone().server([OK, &small(201), &small(202)].concat());
    assert_eq!(exchanges(&all.watch()), answers(&[(0, 200), (1, 201), (2, 202)]));
    // Nobody knows how many are missing.
    let lost = asked.server_lost(100).server(small(202)).watch();
    assert_eq!(exchanges(&lost), answers(&[(2, 202)]));
    // HEAD, whose response has no body, behind a request that was not captured, and what is asked later.
    let behind = Conversation::mid_flow(1).client("HEAD /b HTTP/1.1\r\n\r\n").client(GET).server(OK);
    let behind = behind.client(GET).server("HTTP/1.1 201 OK\r\nContent-Length: 9\r\n\r\n").server(small(202));
    let watch = behind.server(small(203)).watch();
    let statuses: Vec<_> = watch.responses().iter().map(|seen| seen.status().unwrap()).collect();
    assert_eq!((statuses, watch.stats().malformed), (vec![200, 201, 202, 203], vec![]));
}

#[test]
fn other_protocols_are_refused_by_their_first_bytes() {
    let watch = Conversation::new(1).client(b"\x16\x03\x01\x02\x00").server(b"\x16\x03\x03").watch();
    assert_eq!((watch.events.len(), watch.seen("http_not_http")), (0, 1));
    // HTTP behind the handshake of a proxy is found by its looks.
    let watch =
        Conversation::new(1).client(b"\x05\x01\x00").server(b"\x05\x00").client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200"]);
    assert_eq!(watch.stats().malformed, []);
    // Its second half does not look like anything.
    let watch = Conversation::new(1).client(b"\x05\x01\x00").client(&GET[..9]).client(&GET[9..]).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a"]);
}

#[test]
fn what_begins_like_a_head_and_is_none_is_counted_by_its_reason() {
    let watch = Conversation::new(1).client("GET /\r\n").watch();
    assert_eq!((watch.events.len(), watch.malformed("http1_not_http1")), (0, 1));
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz";
    let watch = Conversation::new(1).client(GET).server(chunked).client(GET).server(OK).watch();
    assert_eq!(watch.malformed("http1_chunk_size"), 1);
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200", "1> GET /a", "1< 200"]);
    let unknown = "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n";
    let watch = Conversation::new(1).client(unknown).client("x").client(GET).watch();
    assert_eq!(exchanges(&watch), ["0> POST /", "1> GET /a"]);
}

/// What is seen of a body of which a segment comes `gap` milliseconds behind the head, and the end with the next head 30.5
/// seconds behind it, while a crowd sends bodies, too.
fn exchanges_beside(crowd: u16, gap: u64) -> Vec<String> {
    const MILLISECOND: u64 = SECOND / 1_000;
    /// Within a second.
    const BEGIN: u64 = START + 300 * MILLISECOND;
    let head = |length: usize| format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\nx");
    let known = Conversation::new(65_000).client(GET).server(head(1_001)).server([b'y'; 500]);
    let known = known.server([&[b'z'; 500], OK.as_bytes()].concat());
    let mut watch = Watch::new(HttpSettings::default());
    let (last, others) = known.frames.split_last().unwrap();
    let (second, first) = others.split_last().unwrap();
    for frame in first {
        watch.frame(frame, 1, BEGIN);
    }
    for port in 1..=crowd {
        for frame in &Conversation::mid_flow(port).server(head(1 << 20)).frames {
            watch.frame(frame, 1, BEGIN + MILLISECOND);
        }
    }
    watch.frame(second, 1, BEGIN + gap * MILLISECOND);
    watch.frame(last, 1, BEGIN + 30_500 * MILLISECOND);
    watch.events.retain(|event| {
        event.origin().source.port() == 65_000 || event.origin().destination.port() == 65_000
    });
    exchanges(&watch)
}

#[test]
fn how_long_a_connection_is_held_does_not_depend_on_others() {
    for gap in [400, 501, 999, 1_100] {
        // Enough to take the places of all others in the table of unwanted bytes.
        let (alone, beside_others) = (exchanges_beside(0, gap), exchanges_beside(8_000, gap));
        assert_eq!(alone, beside_others, "{gap} ms");
    }
}

/// Whether segments of this kind are wanted in which no head begins: one of the client, and one of the server.
pub(crate) fn wanted(conversation: &Conversation, watch: &Watch) -> (bool, bool) {
    let filter = watch.analyzer.held().unwrap();
    let is_wanted = |frame: Vec<u8>| {
        let packet = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET)).unwrap();
        let (flow, direction) = packet.flow().unwrap();
        filter.may_hold(flow.of_way(direction))
    };
    (is_wanted(conversation.client_segment(0, b"x")), is_wanted(conversation.server_segment(0, b"x")))
}

#[test]
fn of_a_server_that_begins_with_something_else_only_heads_are_wanted_until_one_comes() {
    let opened = Conversation::new(1);
    assert_eq!(wanted(&opened, &opened.watch()), (true, true));
    let greeted = opened.server("\x01\x02\x03\x04");
    assert_eq!(wanted(&greeted, &greeted.watch()), (true, false));
    let half = Conversation::mid_flow(1).client("PRI * HTTP/2.0\r\n");
    assert_eq!(wanted(&half, &half.watch()), (true, true), "frames of the server may follow");
    let other = greeted.clone().client("\x05\x06\x07\x08");
    assert_eq!(wanted(&other, &other.watch()), (false, false));
    // What lets segments pass again has to show it by itself: the reader of a pool does not know what a worker holds.
    let in_pieces = greeted.clone().client("GE").client(GET.trim_start_matches("GE"));
    assert_eq!(wanted(&in_pieces, &in_pieces.watch()), (true, false));
    for asked in [greeted.client(GET), in_pieces] {
        let answered = asked.server("more of it").server(OK);
        let watch = answered.watch();
        assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200"]);
        assert_eq!(wanted(&answered, &watch), (true, true));
    }
}

#[test]
fn segments_that_go_by_unseen_leave_no_place_in_the_filter_behind() {
    let settings = HttpSettings::default();
    for talk in [
        Conversation::new(1).server("\x01\x02"),
        Conversation::new(1).server("\x01\x02").client(GET).server(OK),
        Conversation::new(1).server("\x01\x02").client("GE").client("T / HTTP/1.1\r\n\r\n"),
        Conversation::new(1).client(GET).server(OK),
        Conversation::new(1),
    ] {
        let mut watch = talk.watch();
        watch.datagram(&[], 2 * settings.flow_timeout.as_nanos() as u64);
        assert_eq!(wanted(&talk, &watch), (false, false));
    }
}

#[test]
fn a_body_that_arrives_behind_the_response_after_it_is_passed_over() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 120\r\n\r\n";
    let next = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";
    // If the next bytes were looked for behind the response that came early, they would be these.
    let inner = b"HTTP/1.1 500 Inner\r\nContent-Length: 0\r\n\r\n";
    let body = [&[b'x'; 60][..], inner, &[b'x'; 60]].concat();
    let sent = [&head[..], &body[..120], next].concat();
    let (before, behind) = (head.len() + 10, head.len() + 115);
    let mut conversation = Conversation::new(1);
    for request in ["GET /0 HTTP/1.1\r\n\r\n", "GET /1 HTTP/1.1\r\n\r\n", "GET /2 HTTP/1.1\r\n\r\n"] {
        conversation = conversation.client(request);
    }
    // The begin of the head comes behind both, then what is missing of the body.
    for (start, end) in [(5, before), (behind, sent.len()), (0, 5), (before, behind)] {
        let segment = conversation.server_segment(start as u32, &sent[start..end]);
        conversation = conversation.frame(segment);
    }
    let last = conversation.server_segment(sent.len() as u32, b"HTTP/1.1 204 No Content\r\n\r\n");
    let watch = conversation.frame(last).watch();
    let told: Vec<_> = watch.responses().iter().map(|seen| (seen.exchange, seen.status())).collect();
    assert_eq!(told, [(0, Some(200)), (1, Some(201)), (2, Some(204))]);
    assert_eq!((watch.stats().malformed, watch.limit("http_lost_bytes")), (vec![], 0));
}
