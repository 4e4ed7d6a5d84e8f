//! Which connection a segment belongs to, which end of it sends requests, and what ends it.

use huginn_net_http::HttpSettings;
use testkit::encap::link::ethernet;
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::connections::wanted;
use crate::conversation::{CLIENT_START, Conversation, GET, OK, SERVER_START, exchanges};
use crate::watch::{SECOND, START, Watch};

#[test]
fn the_ports_of_a_connection_may_be_used_again() {
    let first = Conversation::new(1).client(GET).server(OK);
    let mut again = Conversation::mid_flow(1);
    let syn = Tcp::new(1, 80).sequence(CLIENT_START + 19).flags(flags::SYN);
    again = again.client_lost(19);
    let all = again.frame(ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&syn))).client(GET);
    let mut watch = first.watch();
    watch.capture(&all.capture());
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200", "0> GET /a"]);
    // No SYN was captured, but the numbers are others.
    let mut watch = first.watch();
    watch.capture(&Conversation::mid_flow(1).client_lost(1 << 25).client(GET).capture());
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200", "0> GET /a"]);
    // Of a connection that only began nothing is missing, either.
    let watch = Conversation::new(1).client_lost(1 << 25).client(GET).server(OK).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200"]);
    assert_eq!(watch.limit("http_lost_bytes"), 0);
}

/// As of a host that numbers all of its connections alike.
#[test]
fn ports_and_numbers_that_are_used_again_are_told_by_the_answer_of_the_server() {
    let first = Conversation::new(1).client(GET).server(OK);
    // How far the server has got does not matter: bytes that go by unseen are not counted.
    let big = Conversation::new(1).client(GET).server("HTTP/1.1 200 x\r\nContent-Length: 90000000\r\n\r\n");
    let in_body = big.server_lost(3_000_000).server([b'x'; 100]);
    let again = |before: &Conversation, server_start: u32| {
        let segment =
            |sequence: u32| Tcp::new(80, 1).sequence(sequence).acknowledgment(CLIENT_START.wrapping_add(1));
        let syn_ack = segment(server_start).flags(flags::SYN | flags::ACK);
        let response = segment(server_start.wrapping_add(1)).flags(flags::ACK).payload(OK.as_bytes());
        let server = |segment: &Tcp| ethernet(&Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1]).tcp(segment));
        let [syn, request] = [0, 2].map(|at| before.frames[at].clone());
        let again = before.clone().frame(syn).frame(server(&syn_ack)).frame(request);
        again.frame(server(&response))
    };
    let (once, twice) = (["0> GET /a", "0< 200"], ["0> GET /a", "0< 200", "0> GET /a", "0< 200"]);
    for before in [&first, &in_body] {
        assert_eq!(exchanges(&again(before, SERVER_START).watch()), once, "sent again");
        for other in [1, 100, 3_000_000, 1 << 30, u32::MAX].map(|far| SERVER_START.wrapping_add(far)) {
            let second = again(before, other);
            assert_eq!(exchanges(&second.watch()), twice, "{other}");
            let third = again(&second, other.wrapping_add(1_000));
            assert_eq!(exchanges(&third.watch()), [&twice[..], &once].concat(), "{other}, a third time");
        }
    }
    // An answer alone, without a SYN before it, may be forged.
    let forged = Tcp::new(80, 1).sequence(77).acknowledgment(CLIENT_START.wrapping_add(1));
    let forged = Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1]).tcp(&forged.flags(flags::SYN | flags::ACK));
    let talk = first.frame(ethernet(&forged)).client(GET).server(OK);
    assert_eq!(exchanges(&talk.watch()), ["0> GET /a", "0< 200", "1> GET /a", "1< 200"]);
}

#[test]
fn what_is_sent_again_is_reported_once() {
    let once = Conversation::new(1).client(GET).server(OK).client(GET).server(OK);
    let mut twice = once.clone();
    twice.frames = once.frames.iter().flat_map(|frame| [frame.clone(), frame.clone()]).collect();
    assert_eq!(exchanges(&twice.watch()), exchanges(&once.watch()));
    // Behind something else, too.
    let odd = Conversation::new(1).client([GET, "(what is this)"].concat());
    let mut twice = odd.clone();
    twice.frames.push(odd.frames[2].clone());
    assert_eq!(exchanges(&twice.watch()), ["0> GET /a"]);
    assert_eq!(exchanges(&twice.client(GET).watch()), ["0> GET /a", "1> GET /a"]);
    // As a whole, as by a second capture whose clock is late: also of a connection of which no more is wanted.
    let close = "HTTP/1.1 200 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    for whole in [once.clone(), Conversation::new(1).client(GET).server(close)] {
        let mut twice = whole.clone();
        twice.frames.extend_from_within(..);
        assert_eq!(exchanges(&twice.watch()), exchanges(&whole.watch()));
    }
    // After a reset, too.
    let reset = Tcp::new(1, 80).flags(flags::RST);
    let again = once.clone().frame(ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&reset)));
    let again = again.frame(once.frames[2].clone());
    assert_eq!(exchanges(&again.watch()), exchanges(&once.watch()));
}

/// Nothing else is captured in between. A capture may have the begin of neither, or only the answer of the server.
#[test]
fn a_connection_with_the_same_numbers_is_another_one_once_the_first_is_forgotten() {
    let close = "HTTP/1.1 200 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    let done = Conversation::new(1).client(GET).server(close);
    let open = Conversation::new(1).client(GET).server(OK).client(GET).server(OK);
    let waits = Conversation::new(1).client_lost(5).client(GET);
    for (name, whole) in [("done", done), ("open", open), ("waits", waits)] {
        let told = |copies: &[(usize, u64)]| {
            let mut watch = Watch::new(HttpSettings::default());
            for &(from, second) in copies {
                let frames = whole.frames[from..].iter();
                frames.for_each(|frame| watch.frame(frame, 1, START + second * SECOND));
            }
            watch.end();
            exchanges(&watch)
        };
        for (from, next_from) in [(0, 0), (1, 1), (2, 2), (2, 0), (1, 0), (0, 2)] {
            // Of what waits, bytes without a SYN may be those that were not captured.
            if name == "waits" && next_from > from {
                continue;
            }
            let once = told(&[(from, 0)]);
            assert_eq!(told(&[(from, 0), (next_from, 30)]), once, "{name} from {from} on, sent again");
            for later in [31, 3_700, 100_000] {
                let twice = told(&[(from, 0), (next_from, later)]);
                assert_eq!(
                    twice,
                    [once.clone(), once.clone()].concat(),
                    "{name} from {from}, {next_from} on"
                );
            }
        }
    }
}

/// Decision 4: on a quiet link, what comes late still belongs to what was before it.
#[test]
fn what_goes_on_late_belongs_to_its_connection_if_nothing_else_was_captured_in_between() {
    let talk = Conversation::new(1).client(GET).server(OK).client(GET).server(OK);
    let mut answered_late = Conversation::new(1).client(GET).server(OK);
    answered_late.frames.swap(1, 2);
    for (talk, late) in [(&talk, 3), (&talk, 4), (&talk, 5), (&answered_late, 2)] {
        let mut watch = Watch::new(HttpSettings::default());
        for (at, frame) in talk.frames.iter().enumerate() {
            watch.frame(frame, 1, START + if at < late { 0 } else { 40 * SECOND });
        }
        assert_eq!(exchanges(&watch), exchanges(&talk.watch()), "{late}");
    }
}

/// A connection so far, with a reset of one of its ends, behind so many bytes that were not captured.
pub(crate) fn reset(conversation: Conversation, from_client: bool, lost: u32) -> Conversation {
    let mut reset = if from_client {
        conversation.client_segment(lost, b"")
    } else {
        conversation.server_segment(lost, b"")
    };
    // The flags, behind Ethernet, IP and 13 bytes of TCP.
    reset[14 + 20 + 13] |= flags::RST as u8;
    conversation.frame(reset)
}

#[test]
fn what_an_end_sent_before_a_reset_of_the_other_reached_it_is_told_once() {
    let asked = || Conversation::new(1).client(GET);
    for lost in [0, 200] {
        let twice = reset(reset(asked(), true, lost), true, lost).server(OK);
        let again = twice.frames.last().unwrap().clone();
        assert_eq!(exchanges(&twice.frame(again).watch()), ["0> GET /a", "0< 200"]);
        let pipelined = reset(asked().client(GET), true, lost).server([OK, OK].concat());
        assert_eq!(exchanges(&pipelined.watch()), ["0> GET /a", "1> GET /a", "0< 200", "1< 200"]);
        let answered = reset(asked().server(OK), false, lost).client(GET);
        assert_eq!(exchanges(&answered.watch()), ["0> GET /a", "0< 200", "1> GET /a"]);
        // Whoever has reset a connection has nothing to add.
        assert_eq!(exchanges(&reset(asked(), false, lost).server(OK).watch()), ["0> GET /a"]);
        assert_eq!(
            exchanges(&reset(asked().server(OK), true, lost).client(GET).watch()),
            ["0> GET /a", "0< 200"]
        );
    }
}

#[test]
fn a_connection_that_both_ends_have_reset_is_wanted_no_more_and_one_that_is_forgotten() {
    let asked = Conversation::new(1).client(GET);
    let half = reset(asked, true, 0);
    let both = reset(half.clone(), false, 0).watch();
    assert_eq!(wanted(&half, &both), (false, false));
    let mut watch = half.watch();
    assert!(wanted(&half, &watch).1);
    watch.frame(&Conversation::new(2).frames[0], 1, START + 40 * SECOND);
    assert_eq!(wanted(&half, &watch), (false, false));
}

/// As of a host that numbers all of its connections alike, where the SYN+ACK was not captured.
#[test]
fn numbers_that_are_used_again_behind_a_reset_are_of_another_connection() {
    let mut asked = Conversation::new(1).client(GET);
    asked.frames.remove(1);
    let mut twice = reset(asked.clone(), true, 0);
    twice.frames.extend(asked.frames);
    assert_eq!(exchanges(&twice.server(OK).watch()), ["0> GET /a", "0> GET /a", "0< 200"]);
}

/// RFC 9293 §3.10.7.4: the receiver does not take it.
#[test]
fn a_segment_far_ahead_of_a_head_that_was_cut_does_not_hide_it() {
    let begun = Conversation::new(1).client(&GET[..10]);
    let far = begun.client_segment(200_000, b"anything");
    assert_eq!(exchanges(&begun.frame(far).client(&GET[10..]).server(OK).watch()), ["0> GET /a", "0< 200"]);
}

/// RFC 9293 §3.10.7.4: the receiver does not take it.
#[test]
fn a_reset_with_a_number_far_from_what_is_awaited_ends_no_connection() {
    let reset = |ahead: u32| {
        let sequence = CLIENT_START.wrapping_add(1 + 10 + ahead);
        let reset = Tcp::new(1, 80).sequence(sequence).flags(flags::RST);
        ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&reset))
    };
    for (ahead, expected) in [(0, 0), (3_000_000, 1), (u32::MAX - 3_000_000, 1)] {
        let begun = Conversation::new(1).client(&GET[..10]).frame(reset(ahead)).client(&GET[10..]);
        assert_eq!(begun.watch().requests().len(), expected, "{ahead}");
    }
}

/// As where a middlebox or a forger sends it. What the other end has begun, and what comes later, is still read.
#[test]
fn a_reset_with_a_number_far_from_the_next_one_ends_no_connection_between_heads() {
    for from_client in [true, false] {
        let far = |conversation: Conversation| {
            let (sent, answer) =
                (conversation.client_segment(3_000_000, b""), conversation.server_segment(3_000_000, b""));
            let mut reset = if from_client { sent } else { answer };
            // The flags, behind Ethernet, IP and 13 bytes of TCP.
            reset[14 + 20 + 13] = flags::RST as u8;
            conversation.frame(reset)
        };
        let idle = far(Conversation::new(1).client(GET).server(OK)).client(GET).server(OK);
        assert_eq!(exchanges(&idle.watch()), ["0> GET /a", "0< 200", "1> GET /a", "1< 200"]);
        let begun = far(Conversation::new(1).client(&GET[..10])).client(&GET[10..]).server(OK);
        assert_eq!(exchanges(&begun.watch()), ["0> GET /a", "0< 200"]);
    }
}

/// RFC 5961 §3.2: whoever gets one whose number is not exactly the next does not believe it.
#[test]
fn a_reset_before_the_first_byte_ends_a_connection_only_with_exactly_the_next_number() {
    // A method that is known only if it is known where the connection begins.
    let odd = "ODD / HTTP/1.1\r\n\r\n";
    for (number, expected) in [(1, 0), (0, 1), (2, 1), (3_000_000, 1)] {
        let from_client = Tcp::new(1, 80).sequence(CLIENT_START.wrapping_add(number)).flags(flags::RST);
        let from_server = Tcp::new(80, 1).sequence(SERVER_START.wrapping_add(number)).flags(flags::RST);
        for reset in [
            Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&from_client),
            Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1]).tcp(&from_server),
        ] {
            let watch = Conversation::new(1).frame(ethernet(&reset)).client(odd).watch();
            assert_eq!(watch.requests().len(), expected, "{number}");
        }
    }
}

/// RFC 9293 §3.10.7.3: who sent a SYN does not believe a SYN+ACK that acknowledges another.
#[test]
fn an_answer_to_another_syn_does_not_make_a_reset_exact() {
    const FORGED: u32 = 0x7777_0000;
    let odd = "ODD / HTTP/1.1\r\n\r\n";
    let forge = |segment: Tcp| ethernet(&Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1]).tcp(&segment));
    let answer = Tcp::new(80, 1).sequence(FORGED).acknowledgment(FORGED).flags(flags::SYN | flags::ACK);
    let reset = Tcp::new(80, 1).sequence(FORGED + 1).flags(flags::RST);
    let watch = Conversation::new(1).frame(forge(answer)).frame(forge(reset)).client(odd).watch();
    assert_eq!(watch.requests().len(), 1);
}

#[test]
fn the_end_that_accepted_a_connection_may_send_the_requests() {
    let watch = Conversation::new(1).server(GET).client(OK).watch();
    assert_eq!(exchanges(&watch), ["0> GET /a", "0< 200"]);
    assert_eq!(watch.requests()[0].origin.source.port(), 80);
}

/// Whoever opens a connection is a server only of what the other end asks.
#[test]
fn a_client_that_begins_with_a_response_is_no_server() {
    let sources =
        |watch: &Watch| watch.responses().iter().map(|seen| seen.origin.source.port()).collect::<Vec<_>>();
    assert_eq!(sources(&Conversation::new(1).client(OK).watch()), [0; 0]);
    assert_eq!(sources(&Conversation::new(1).client(OK).server(OK).watch()), [80]);
    let asked_late = Conversation::new(1).client(OK).server(GET).client(OK).watch();
    assert_eq!(
        (exchanges(&asked_late), sources(&asked_late)),
        (vec!["0> GET /a".into(), "0< 200".into()], vec![1])
    );
}

/// TCP Fast Open (RFC 7413).
#[test]
fn a_request_on_a_syn_is_reported_with_its_response() {
    let segment = |offset: u32| Tcp::new(1, 80).sequence(CLIENT_START.wrapping_add(offset));
    let client = |segment: &Tcp| ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(segment));
    let answer = Tcp::new(80, 1)
        .sequence(SERVER_START)
        .acknowledgment(CLIENT_START.wrapping_add(1 + GET.len() as u32))
        .flags(flags::SYN | flags::ACK);
    let answer = ethernet(&Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1]).tcp(&answer));
    let syn = client(&segment(0).flags(flags::SYN).payload(GET.as_bytes()));
    for frames in [[syn.clone(), answer.clone()], [answer, syn]] {
        let [first, second] = frames;
        let opened = Conversation::mid_flow(1).frame(first).frame(second).client_lost(GET.len() as u32);
        assert_eq!(exchanges(&opened.server(OK).client(GET).watch()), ["0> GET /a", "0< 200", "1> GET /a"]);
    }
}

/// A host that gets such a segment answers with an ACK and drops it (RFC 9293 §3.10.7.4), data included.
#[test]
fn a_response_behind_data_of_the_client_that_says_syn_and_ack_is_reported_when_it_comes() {
    let syn = Tcp::new(1, 80).sequence(CLIENT_START).flags(flags::SYN);
    let damaged = Tcp::new(1, 80)
        .sequence(CLIENT_START.wrapping_add(0x29))
        .acknowledgment(SERVER_START.wrapping_add(1))
        .flags(flags::SYN | flags::PSH | flags::ACK)
        .payload(b"ser-Agent: curl/7.68.0\r\n\r\n");
    let client = |segment: &Tcp| ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(segment));
    let begun = Conversation::mid_flow(1).frame(client(&syn)).frame(client(&damaged));
    let once = begun.server(OK);
    assert_eq!(exchanges(&once.watch()), ["0< 200 to nothing seen"]);
    let twice = once.clone().frame(once.frames[2].clone());
    assert_eq!(exchanges(&twice.watch()), exchanges(&once.watch()));
}

#[test]
fn a_request_of_which_a_segment_begins_like_a_response_is_a_request() {
    let in_order =
        Conversation::new(1).client("GET /a HTTP/1.1\r\nHost: h\r\nX: ").client("HTTP/1.1 200 OK\r\n\r\n");
    let mut reordered = in_order.clone();
    let last = reordered.frames.len() - 1;
    reordered.frames.swap(last - 1, last);
    for conversation in [in_order, reordered] {
        assert_eq!(exchanges(&conversation.watch()), ["0> GET /a"]);
    }
}

#[test]
fn a_head_that_begins_with_the_number_of_the_syn_is_reported_once() {
    let syn = Tcp::new(1, 80).sequence(CLIENT_START.wrapping_add(1)).flags(flags::SYN);
    let syn = ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&syn));
    let once = Conversation::mid_flow(1).frame(syn).client(GET);
    assert_eq!(exchanges(&once.watch()), ["0> GET /a"]);
    let twice = once.clone().frame(once.frames[1].clone());
    assert_eq!(exchanges(&twice.watch()), ["0> GET /a"]);
}
