//! HTTP/2 in packets.

use std::fs;

use core::time::Duration;
use huginn_net_core::{Analyzer, Timestamp};
use huginn_net_http::{CLIENT_PREFACE, HttpEvent, HttpSettings};
use serde_json::Value;
use testkit::capture::Capture;
use testkit::corpus;
use testkit::recut::recut;
use testkit::shuffle::Plan;

use crate::belonging::reset;
use crate::conversation::Conversation;
use crate::watch::{SECOND, START, Watch, watch};

struct Client {
    name: String,
    bytes: Vec<u8>,
    is_upgrade: bool,
    expected: Value,
}

/// The clients of `pcaps/http2`, but for the one whose begin is missing.
fn clients() -> Vec<Client> {
    let folder = corpus::path("http2");
    let text = fs::read_to_string(folder.join("clients.json")).unwrap();
    let mut table: Value = serde_json::from_str(&text).unwrap();
    let Value::Array(entries) = table["vectors"].take() else { panic!("no list of vectors") };
    let client = |mut entry: Value| Client {
        name: entry["name"].as_str().unwrap().to_owned(),
        bytes: fs::read(folder.join(entry["file"].as_str().unwrap())).unwrap(),
        is_upgrade: entry["upgrade"].as_bool().unwrap_or_default(),
        expected: entry["expected"].take(),
    };
    entries.into_iter().map(client).filter(|client| client.name != "hand-no-preface").collect()
}

/// The fingerprints that are reported of a stream of a client, however it is cut.
fn fingerprints(bytes: &[u8]) -> Vec<String> {
    let original = Conversation::new(1).client(bytes).capture();
    let seen = |capture: &Capture| -> Vec<String> {
        let watch = watch(capture);
        let seen = watch.requests().into_iter().filter_map(|seen| seen.fingerprint());
        seen.map(|seen| seen.akamai().to_string()).collect()
    };
    let expected = seen(&original);
    for (how, plan) in Plan::ALL {
        assert_eq!(seen(&recut(&original, plan, 3).unwrap()), expected, "{how}");
    }
    expected
}

#[test]
fn every_client_has_its_fingerprint() {
    let mut complete = 0;
    for client in clients().iter().filter(|client| !client.is_upgrade) {
        let expected: Vec<&str> = client.expected["akamai"].as_str().into_iter().collect();
        assert_eq!(fingerprints(&client.bytes), expected, "{}", client.name);
        complete += expected.len();
    }
    assert_eq!(complete, 109);
}

/// One frame.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut frame = (payload.len() as u32).to_be_bytes()[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const PUSH_PROMISE: u8 = 5;
const SETTINGS: u8 = 4;
const END_HEADERS: u8 = 4;
/// `:method: GET`, `:authority: a`, `:scheme: http`, `:path: /`; the authority goes to the table.
const GET: [u8; 6] = [0x82, 0x41, 1, b'a', 0x86, 0x84];
/// `:status: 200`, `server: s`.
const OK: [u8; 4] = [0x88, 0x76, 1, b's'];

fn request(stream: u32) -> Vec<u8> {
    frame(HEADERS, END_HEADERS, stream, &GET)
}

fn response(stream: u32) -> Vec<u8> {
    frame(HEADERS, END_HEADERS, stream, &OK)
}

/// A client that begins, with these frames behind its empty settings.
fn begin(frames: &[Vec<u8>]) -> Vec<u8> {
    [&CLIENT_PREFACE[..], &frame(SETTINGS, 0, 0, &[]), &frames.concat()].concat()
}

fn server_settings() -> Vec<u8> {
    frame(SETTINGS, 0, 0, &[0, 3, 0, 0, 0, 9])
}

/// Numbers of requests and responses, and the status of these.
fn exchanges(watch: &Watch) -> Vec<(u32, Option<u16>)> {
    let number = |event: &HttpEvent| match event {
        HttpEvent::Request(seen) => Some((seen.exchange, None)),
        HttpEvent::Response(seen) => Some((seen.exchange, seen.status())),
        _ => None,
    };
    watch.events.iter().filter_map(number).collect()
}

const UPGRADE: &str = "GET / HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\
                       HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";
const SWITCHED: &str = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";

#[test]
fn every_client_that_asked_for_an_upgrade_has_its_opening() {
    let mut upgrades = 0;
    for client in clients().iter().filter(|client| client.is_upgrade) {
        let at = client.bytes.windows(24).position(|window| window == CLIENT_PREFACE).unwrap();
        let (request, frames) = client.bytes.split_at(at);
        let server = [server_settings(), response(1)].concat();
        let original =
            Conversation::new(1).client(request).server(SWITCHED).client(frames).server(server).capture();
        for (how, plan) in Plan::ALL {
            let mut watch = watch(&recut(&original, plan, 3).unwrap());
            assert_eq!(exchanges(&watch), [(0, None), (0, Some(101)), (0, Some(200))], "{how}");
            let now = Timestamp::from_nanos(START + 2 * SECOND);
            watch.analyzer.on_time(now, &mut |event| watch.events.push(event));
            let openings = watch.starts();
            assert_eq!((openings.len(), openings[0].upgraded), (1, Some(0)), "{how}");
            let seen = openings[0].fingerprint.akamai().to_string();
            assert_eq!(seen, client.expected["akamai"].as_str().unwrap(), "{} {how}", client.name);
        }
        upgrades += 1;
    }
    assert_eq!(upgrades, 2);
}

#[test]
fn an_opening_is_reported_after_a_second_and_its_request_when_it_comes() {
    let conversation = Conversation::new(1).client(UPGRADE).server(SWITCHED).client(begin(&[]));
    let mut watch = conversation.watch();
    let later = Capture::of_frames(1, conversation.client(request(3)).frames.split_off(5));
    watch.analyzer.on_time(Timestamp::from_nanos(START + SECOND), &mut drop);
    assert_eq!(watch.starts().len(), 0);
    let mut opened = Vec::new();
    watch.analyzer.on_time(Timestamp::from_nanos(START + 2 * SECOND), &mut |event| opened.push(event));
    assert!(matches!(&opened[..], [HttpEvent::Start(seen)] if seen.origin.frame == 5), "{opened:?}");
    watch.capture(&later);
    watch.end();
    let last = watch.requests()[1];
    assert_eq!(
        (last.exchange, last.fingerprint().unwrap().akamai().to_string()),
        (1, "|00|0|m,a,s,p".to_owned())
    );
    assert!(watch.starts().is_empty(), "reported once");
}

const WINDOW_UPDATE: u8 = 8;

/// What counts may be in the bytes that are missing: an update of the window, priorities, and the request itself.
#[test]
fn there_is_no_opening_of_a_client_that_has_sent_more_than_was_read() {
    let update = frame(WINDOW_UPDATE, 0, 0, &[0, 0, 1, 0]);
    let acknowledged = frame(SETTINGS, 1, 0, &[]);
    let [short, whole] = [begin(&[]), begin(core::slice::from_ref(&update))];
    let openings = |conversation: &Conversation| {
        let mut later = conversation.watch();
        let now = Timestamp::from_nanos(START + 2 * SECOND);
        later.analyzer.on_time(now, &mut |event| later.events.push(event));
        let [later, closed] = [later, conversation.clone().closed().watch()].map(|mut watch| {
            watch.end();
            let openings = watch.starts().into_iter();
            openings.map(|seen| seen.fingerprint.akamai().to_string()).collect::<Vec<_>>()
        });
        assert_eq!(later, closed);
        later
    };
    let upgraded = || Conversation::new(1).client(UPGRADE).server(SWITCHED);
    assert_eq!(openings(&upgraded().client(&whole).client(&acknowledged)), ["|256|0|"]);
    let missing = upgraded().client(&short).client_lost(update.len() as u32).client(&acknowledged);
    assert!(openings(&missing).is_empty(), "lost");
    assert!(openings(&missing.clone().client_lost(60_000).client("x")).is_empty(), "more was lost");
    for cut in [short.len() + 1, short.len() + 9, whole.len() - 1] {
        assert!(openings(&upgraded().client(&whole[..cut])).is_empty(), "half a frame");
    }
    let begun = frame(HEADERS, 0, 3, &GET[..1]);
    assert!(openings(&upgraded().client(&whole).client(&begun)).is_empty(), "half a request");
    let late = upgraded().client(&short);
    let behind = late.client_segment(update.len() as u32, &acknowledged);
    assert_eq!(openings(&late.clone().frame(behind).client(&update)), ["|256|0|"], "out of order");
    let far = late.client_segment(500_000_000, b"x");
    assert_eq!(openings(&late.client(&update).frame(far)), ["|256|0|"], "no receiver takes it");

    let mut capture = upgraded().client(&whole).capture();
    let last = capture.records.last_mut().unwrap();
    let kept = last.bytes.len() - update.len();
    last.bytes.truncate(kept);
    let mut watch = watch(&capture);
    watch.analyzer.on_time(Timestamp::from_nanos(START + 2 * SECOND), &mut |event| watch.events.push(event));
    assert!(watch.starts().is_empty(), "cut by the capture, between two frames");
}

/// What is left of a connection when the capture ends, and what a second of capture time brings then.
fn starts_at_end_and_later(conversation: &Conversation) -> [usize; 2] {
    [0, 2].map(|seconds| {
        let mut watch = conversation.watch();
        if seconds > 0 {
            let now = Timestamp::from_nanos(START + seconds * SECOND);
            watch.analyzer.on_time(now, &mut |event| watch.events.push(event));
        }
        watch.end();
        watch.starts().len()
    })
}

#[test]
fn a_client_that_is_open_when_the_capture_ends_within_its_first_second_has_no_opening() {
    let opened = Conversation::new(1).client(begin(&[])).server(server_settings());
    assert_eq!(starts_at_end_and_later(&opened), [0, 1]);
    assert_eq!(starts_at_end_and_later(&opened.clone().closed()), [1, 1], "closed");
    assert_eq!(starts_at_end_and_later(&reset(opened, true, 0)), [1, 1], "reset");
}

#[test]
fn a_second_that_ends_with_a_packet_of_the_connection_need_not_have_been_told() {
    for (millis, starts) in [(900, 0), (1_100, 1)] {
        let opened = Conversation::new(1).client(begin(&[]));
        let mut watch = opened.watch();
        let answered = opened.server(server_settings());
        let answer = answered.frames.last().unwrap();
        watch.frame(answer, 1, START + millis * SECOND / 1_000);
        watch.end();
        assert_eq!(watch.starts().len(), starts, "{millis} ms");
    }
}

/// Its HEADERS were lost: the server has answered them, or the numbers of either end say that there were more bytes.
#[test]
fn there_is_no_opening_of_a_client_whose_request_was_not_captured() {
    let opened = Conversation::new(1).client(begin(&[])).server(server_settings());
    let lost = opened.clone().client_lost(request(1).len() as u32);
    let acknowledged = frame(SETTINGS, 1, 0, &[]);
    assert_eq!(starts_at_end_and_later(&opened.clone().server(response(1)).closed()), [0, 0], "answered");
    assert_eq!(starts_at_end_and_later(&lost.clone().server(&acknowledged).closed()), [0, 0], "acknowledged");
    assert_eq!(starts_at_end_and_later(&lost.clone().closed()), [0, 0], "behind its FIN");
    for from_client in [true, false] {
        let ended = reset(lost.clone(), from_client, 0);
        assert_eq!(starts_at_end_and_later(&ended), [0, 0], "reset {from_client}");
    }
    let closed = opened.clone().closed();
    let behind = closed.client_lost(1).server(&acknowledged);
    assert_eq!(starts_at_end_and_later(&behind), [1, 1], "a FIN is no frame");
    let acknowledged_fin = opened.clone().client_lost(1).server(&acknowledged);
    assert_eq!(starts_at_end_and_later(&acknowledged_fin), [1, 1], "a FIN that was not captured");
    let late = lost.clone().server(&acknowledged);
    let mut ordered = opened.client(&acknowledged).server(&acknowledged);
    let last = ordered.frames.len() - 1;
    ordered.frames.swap(last - 1, last);
    assert_eq!(starts_at_end_and_later(&ordered), [0, 1], "captured behind its acknowledgment");
    let far = late.client_lost(500_000_000).server_segment(0, &acknowledged);
    let ends = Conversation::new(1).client(begin(&[])).server(server_settings()).frame(far);
    assert_eq!(starts_at_end_and_later(&ends), [0, 1], "no receiver takes it");
    let forged = lost.server_segment(700_000, b"x");
    let ends = Conversation::new(1).client(begin(&[])).server(server_settings()).frame(forged);
    assert_eq!(starts_at_end_and_later(&ends), [0, 1], "it is ahead of what was captured of the server");
}

/// The response on stream 1 is that to the request of HTTP/1.
#[test]
fn the_response_to_an_upgraded_request_is_no_sign_of_another() {
    let server = [server_settings(), response(1)].concat();
    let upgraded = Conversation::new(1).client(UPGRADE).server(SWITCHED).client(begin(&[]));
    assert_eq!(starts_at_end_and_later(&upgraded.clone().server(&server)), [0, 1]);
    let other = [&server[..], &response(3)].concat();
    assert_eq!(starts_at_end_and_later(&upgraded.server(other)), [0, 0]);
    let begins_later = Conversation::mid_flow(1).client(begin(&[]));
    assert_eq!(starts_at_end_and_later(&begins_later.server(&server)), [0, 1], "it may be upgraded");
}

#[test]
fn a_server_of_http2_need_not_wait_for_its_client() {
    let watch = Conversation::new(1)
        .server(server_settings())
        .client(begin(&[request(1)]))
        .server(response(1))
        .watch();
    assert_eq!(exchanges(&watch), [(0, None), (0, Some(200))]);
    assert_eq!(watch.responses()[0].server_settings().unwrap().to_string(), "3:9");
}

#[test]
fn a_server_of_http2_that_speaks_first_is_read_though_its_syn_ack_is_missing_or_late() {
    let conversation =
        Conversation::new(1).server(server_settings()).client(begin(&[request(1)])).server(response(1));
    for order in [&[0, 2, 3, 4][..], &[0, 2, 1, 3, 4]] {
        let mut ordered = conversation.clone();
        ordered.frames = order.iter().map(|&at| conversation.frames[at].clone()).collect();
        assert_eq!(exchanges(&ordered.watch()), [(0, None), (0, Some(200))], "{order:?}");
    }
}

/// Whose SETTINGS nobody knew to be HTTP/2, as they came before the client's preface.
#[test]
fn a_server_of_http2_that_spoke_before_the_capture_knew_it_is_read_from_its_acknowledgment_on() {
    let acknowledgment = frame(4, 1, 0, &[]);
    let told = |asked: Conversation, answer: &[Vec<u8>]| {
        exchanges(&asked.client(begin(&[request(1)])).server(answer.concat()).watch())
    };
    let both = [(0, None), (0, Some(200))];
    let mid_flow = || Conversation::mid_flow(1).server(server_settings());
    assert_eq!(told(mid_flow(), &[acknowledgment.clone(), response(1)]), both);
    assert_eq!(
        told(Conversation::mid_flow(1), &[server_settings(), acknowledgment.clone(), response(1)]),
        both
    );
    // What the client sends like it, also in the name of one, hides nothing.
    for settings in [server_settings(), acknowledgment.clone()] {
        let forged = Conversation::mid_flow(1).client(settings);
        assert_eq!(told(forged, &[server_settings(), acknowledgment.clone(), response(1)]), both);
    }
    // Nor does one in the middle of a connection, of which the start was not captured, make a start.
    let middle = Conversation::mid_flow(1).server(server_settings()).server(response(9)).watch();
    assert_eq!((middle.events.len(), middle.stats().malformed), (0, vec![]));
}

#[test]
fn data_is_passed_over_whether_it_was_captured_or_not() {
    let half = frame(DATA, 0, 1, &[b'x'; 50_000]);
    let server = [server_settings(), response(1), half[..9].to_vec()].concat();
    let watch = Conversation::new(1)
        .client(begin(&[request(1)]))
        .server(server)
        .server_lost(30_000)
        .server([&half[30_009..], &response(3)].concat())
        .client(request(3))
        .server(response(5))
        .watch();
    let numbers = [(0, None), (0, Some(200)), (1, Some(200)), (1, None), (2, Some(200))];
    assert_eq!(exchanges(&watch), numbers, "a response without request has a number of its own");
    assert_eq!(watch.limit("http_lost_bytes"), 0);
}

#[test]
fn fields_behind_bodies_promises_and_interim_responses_are_no_responses() {
    let promise = frame(PUSH_PROMISE, END_HEADERS, 1, &[0, 0, 0, 2, 0x82, 0x41, 1, b'p']);
    let trailers = frame(HEADERS, END_HEADERS | 1, 1, &[0x40, 1, b't', 1, b'v']);
    // `:status: 103`, and the field of the table that the promise brought in, `:authority: p`.
    let interim = frame(HEADERS, END_HEADERS, 1, &[8, 3, b'1', b'0', b'3', 0xbe]);
    let server = [server_settings(), promise, interim, response(1), trailers.clone(), response(3)];
    let client = begin(&[request(1), trailers, request(3)]);
    let watch = Conversation::new(1).client(client).server(server.concat()).watch();
    assert_eq!(exchanges(&watch), [(0, None), (1, None), (0, Some(200)), (1, Some(200))]);
    assert_eq!((watch.seen("http_interim"), watch.stats().malformed), (1, vec![]));
}

#[test]
fn what_a_server_pushes_answers_no_request_and_takes_no_number() {
    let promise = |stream: u8| frame(PUSH_PROMISE, END_HEADERS, 1, &[0, 0, 0, stream, 0x82, 0x41, 1, b'p']);
    let server = [server_settings(), promise(2), response(2), promise(4), response(4), response(1)].concat();
    let client = begin(&(0..4).map(|number| request(1 + 2 * number)).collect::<Vec<_>>());
    let watch = Conversation::new(1).server(server).client(client).watch();
    assert_eq!((watch.requests().len(), watch.seen("http_interim")), (4, 2));
    let told: Vec<_> = watch.responses().iter().map(|seen| (seen.exchange, seen.status())).collect();
    assert_eq!(told, [(0, Some(200))]);
}

#[test]
fn of_many_requests_the_first_four_are_reported_and_their_responses() {
    let client = begin(&(0..6).map(|number| request(1 + 2 * number)).collect::<Vec<_>>());
    let server = (0..6).rev().map(|number| response(1 + 2 * number)).collect::<Vec<_>>().concat();
    let watch = Conversation::new(1).client(client).server(server_settings()).server(server).watch();
    assert_eq!((watch.requests().len(), watch.limit("http_exchanges")), (4, 1));
    let answers = watch.responses().into_iter().filter(|seen| seen.is_answer).map(|seen| seen.exchange);
    assert_eq!(answers.collect::<Vec<_>>(), [3, 2, 1, 0]);
}

#[test]
fn of_responses_to_nothing_no_more_are_reported_than_of_others() {
    // The second request has no answer.
    let client = begin(&[request(1), request(3)]);
    let server: Vec<_> = (0..1_000).map(|number| response(101 + 2 * number)).collect();
    let server = [response(1), server.concat()].concat();
    let watch = Conversation::new(1).client(client).server(server_settings()).server(server).watch();
    assert_eq!((watch.requests().len(), watch.responses().len()), (2, 3));
    assert_eq!(watch.limit("http_exchanges"), 1);
    let whole = begin(&(0..4).map(|number| request(1 + 2 * number)).collect::<Vec<_>>());
    let server: Vec<_> = (0..1_000).map(|number| response(101 + 2 * number)).collect();
    let watch = Conversation::new(1).client(whole).server(server_settings()).server(server.concat()).watch();
    assert_eq!((watch.requests().len(), watch.responses().len()), (4, 0));
}

#[test]
fn responses_that_are_captured_before_their_requests_have_their_numbers_and_leave_none_out() {
    let all = |number: fn(u32) -> Vec<u8>| (0..6).map(|at| number(1 + 2 * at)).collect::<Vec<_>>();
    let whole = Conversation::new(1);
    let whole =
        whole.server([server_settings(), all(response).concat()].concat()).client(begin(&all(request)));
    let watch = whole.watch();
    let numbers = |events: &[(u32, bool)], is_request| {
        let of = events.iter().filter(|(_, request)| *request == is_request);
        of.map(|&(number, _)| number).collect::<Vec<_>>()
    };
    let events: Vec<_> =
        exchanges(&watch).into_iter().map(|(number, status)| (number, status.is_none())).collect();
    assert_eq!((numbers(&events, true), numbers(&events, false)), (vec![0, 1, 2, 3], vec![0, 1, 2, 3]));
    assert_eq!(watch.limit("http_exchanges"), 1);
    // One overtakes at the limit.
    let watch = Conversation::new(1)
        .client(begin(&all(request)[..3]))
        .server([server_settings(), response(7), response(1), response(3), response(5)].concat())
        .client(all(request)[3..].concat())
        .watch();
    assert_eq!((watch.requests().len(), watch.responses().len()), (4, 4));
    let told: Vec<_> = watch.responses().iter().map(|seen| seen.exchange).collect();
    assert_eq!((told, watch.requests()[3].exchange), (vec![3, 0, 1, 2], 3));
}

#[test]
fn the_grant_of_an_upgrade_may_be_captured_behind_what_follows_it() {
    let watch = Conversation::new(1)
        .client(UPGRADE)
        .client(begin(&[]))
        .server(SWITCHED)
        .server([server_settings(), response(1)].concat())
        .watch();
    assert_eq!(exchanges(&watch), [(0, None), (0, Some(101)), (0, Some(200))]);
    assert!(watch.responses()[1].is_answer);
}

#[test]
fn the_response_to_an_upgraded_request_that_was_not_captured_answers_nothing_seen() {
    let watch = Conversation::mid_flow(1)
        .server(SWITCHED)
        .client(begin(&[request(3)]))
        .server([server_settings(), response(1), response(3)].concat())
        .watch();
    let answers = watch.responses().into_iter().map(|seen| (seen.exchange, seen.is_answer));
    assert_eq!(answers.collect::<Vec<_>>(), [(0, false), (0, false), (1, true)]);
}

#[test]
fn whether_there_is_an_opening_does_not_depend_on_packets_of_others() {
    let request_only = |conversation: &Conversation| {
        let before = conversation.frames.len();
        conversation.clone().client(request(3)).frames.split_off(before)
    };
    // Half a second after the first packet; time is told once a second.
    for other in [None, Some(1_400_000_000), Some(1_500_000_000)] {
        let conversation = Conversation::new(1).client(UPGRADE).server(SWITCHED);
        let mut watch = Watch::new(HttpSettings::default());
        conversation.frames.iter().for_each(|frame| watch.frame(frame, 1, START));
        let before = conversation.frames.len();
        let conversation = conversation.client(begin(&[]));
        watch.frame(&conversation.frames[before], 1, START + SECOND / 2);
        if let Some(late) = other {
            watch.frame(&Conversation::new(2).frames[0], 1, START + late);
        }
        watch.frame(&request_only(&conversation)[0], 1, START + 3 * SECOND / 2);
        watch.end();
        assert_eq!((watch.starts().len(), watch.requests().len()), (1, 2), "{other:?}");
    }
}

#[test]
fn what_cannot_be_read_ends_the_connection_and_is_counted() {
    let bad = frame(HEADERS, END_HEADERS, 1, &[0x80]);
    let watch = Conversation::new(1).client(begin(&[bad])).client(request(3)).watch();
    assert_eq!((watch.events.len(), watch.malformed("hpack_index")), (0, 1));
    let watch = Conversation::new(1).client(begin(&[request(1)])).server("HTTP/1.1 400 x\r\n\r\n").watch();
    assert_eq!(exchanges(&watch), [(0, None), (0, Some(400))], "a server that does not know HTTP/2");
    let lost = Conversation::new(1)
        .client(begin(&[request(1)]))
        .client_lost(60_000)
        .client("GET / HTTP/1.1\r\n\r\n");
    assert_eq!(lost.watch().requests().len(), 1, "it stays one of HTTP/2");
}

/// RFC 9293 §3.10.7.4: the receiver does not take it.
#[test]
fn a_segment_far_ahead_between_frames_does_not_hide_what_follows() {
    let begun =
        Conversation::new(1).client(begin(&[request(1)])).server([server_settings(), response(1)].concat());
    let expected = [(0, None), (0, Some(200)), (1, None), (1, Some(200))];
    for payload in
        [&b"anything"[..], b"HTTP/1.1 200 x\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", &server_settings()]
    {
        for ahead in [50_000, 200_000, 900_000, 1_100_000, 500_000_000, u32::MAX - 1_999_999] {
            let of_client = begun.client_segment(ahead, payload);
            let of_server = begun.server_segment(ahead, payload);
            for far in [vec![of_client.clone()], vec![of_server.clone()], vec![of_client, of_server]] {
                for late in [0, 5 * SECOND] {
                    let before = begun.frames.len() + far.len();
                    let talk = far.iter().fold(begun.clone(), |talk, frame| talk.frame(frame.clone()));
                    let talk = talk.client(request(3)).server(response(3));
                    let mut watch = Watch::new(HttpSettings::default());
                    for (at, frame) in talk.frames.iter().enumerate() {
                        watch.frame(frame, 1, START + if at < before { 0 } else { late });
                    }
                    assert_eq!(exchanges(&watch), expected, "{payload:?} {ahead} {late}");
                    assert_eq!(watch.limit("http_lost_bytes"), 0);
                }
            }
        }
    }
}

/// A single one of them would tell nothing: what waits for 3 seconds without a packet is given up.
#[test]
fn segments_far_ahead_in_a_quiet_direction_do_not_end_it() {
    let begun = Conversation::new(1).client(begin(&[request(1)])).server(server_settings());
    let far = (0..4).map(|number| begun.client_segment(50_000 + number, b"anything"));
    let talk = far.fold(begun.clone(), Conversation::frame).client(request(3)).server(response(3));
    let mut watch = Watch::new(HttpSettings::default());
    for (at, frame) in (0..).zip(&talk.frames) {
        watch.frame(frame, 1, START + at * 5 * SECOND);
    }
    assert_eq!(exchanges(&watch), [(0, None), (1, None), (1, Some(200))]);
    assert_eq!(watch.limit("http_lost_bytes"), 0);
}

/// As a segment with other numbers may be forged, nothing but time tells them from one that is.
#[test]
fn ports_of_http2_that_are_used_again_without_a_syn_are_told_by_three_quiet_seconds() {
    let first = Conversation::new(1).client(begin(&[request(1)])).server(server_settings());
    let other = Conversation::mid_flow(1).client_lost(1 << 25).client(begin(&[request(1)]));
    // A head that is not believed does not make the connection any less quiet.
    for (early, late, requests) in [(0, 2, 1), (0, 3, 1), (0, 4, 2), (2, 4, 2)] {
        let mut watch = Watch::new(HttpSettings::default());
        first.frames.iter().for_each(|frame| watch.frame(frame, 1, START));
        watch.frame(&other.frames[0], 1, START + early * SECOND);
        watch.frame(&other.frames[0], 1, START + late * SECOND);
        assert_eq!(watch.requests().len(), requests, "{early} {late}");
    }
}

#[test]
fn what_is_missing_between_frames_is_waited_for_as_long_as_the_connection_is_followed() {
    let begun = Conversation::new(1).client(begin(&[request(1)])).client_lost(60_000);
    for (millis, lost) in [(900, 0), (1_100, 0), (5_900, 0), (6_100, 1)] {
        let mut watch = Watch::new(HttpSettings::default());
        let before = begun.frames.len();
        let talk = (0..11).fold(begun.clone(), |talk, _| talk.client(request(3)));
        for (at, frame) in talk.frames.iter().enumerate() {
            let late = at.saturating_sub(before) as u64 * millis * SECOND / 1_000;
            watch.frame(frame, 1, START + late);
        }
        assert_eq!((watch.requests().len(), watch.limit("http_lost_bytes")), (1, lost), "{millis}");
    }
}

#[test]
fn a_connection_is_followed_for_a_minute() {
    let run = |late: u64| {
        let conversation = Conversation::new(1).client(begin(&[request(1)])).client(request(3));
        let mut watch = Watch::new(HttpSettings::default().with_flow_timeout(Duration::from_secs(100)));
        let (first, rest) = conversation.frames.split_at(3);
        first.iter().for_each(|frame| watch.frame(frame, 1, START));
        rest.iter().for_each(|frame| watch.frame(frame, 1, START + late));
        (watch.requests().len(), watch.limit("http2_connection_time"))
    };
    assert_eq!(run(60 * SECOND), (2, 0));
    assert_eq!(run(61 * SECOND), (1, 1));
}

/// Over the time for which it is followed by its own packet, or by the first packet of another.
#[test]
fn an_opening_is_reported_however_late_the_next_packet_comes() {
    let opened = Conversation::new(1).client(begin(&[]));
    let closed = opened.clone().closed();
    let answered = opened.clone().server(server_settings());
    let other = opened.clone().frame(Conversation::new(2).frames[0].clone());
    for (name, next) in [("FIN", closed), ("answer", answered), ("another", other)] {
        for late in [2, 29, 59, 61, 90, 3_000] {
            let mut watch = Watch::new(HttpSettings::default());
            let (first, rest) = next.frames.split_at(opened.frames.len());
            first.iter().for_each(|frame| watch.frame(frame, 1, START));
            rest.iter().for_each(|frame| watch.frame(frame, 1, START + late * SECOND));
            let now = Timestamp::from_nanos(START + late * SECOND);
            watch.analyzer.on_time(now, &mut |event| watch.events.push(event));
            assert_eq!(watch.starts().len(), 1, "{name} after {late} seconds");
        }
    }
}

#[test]
fn what_an_end_of_http2_sent_before_a_reset_of_the_other_reached_it_is_told() {
    let asked = Conversation::new(1).client(begin(&[request(1)])).server(server_settings());
    let answered = reset(asked.clone(), true, 0).server(response(1)).watch();
    assert_eq!(exchanges(&answered), [(0, None), (0, Some(200))]);
    let asked_again = reset(asked, false, 0).client(request(3)).watch();
    assert_eq!(exchanges(&asked_again), [(0, None), (1, None)]);
    let upgraded = Conversation::new(1).client(UPGRADE).server(SWITCHED).client(begin(&[]));
    let mut watch = reset(upgraded, true, 0).server([server_settings(), response(1)].concat()).watch();
    watch.end();
    assert_eq!(exchanges(&watch), [(0, None), (0, Some(101)), (0, Some(200))]);
    assert_eq!(watch.starts().len(), 1);
    // It counts no longer for its client.
    let asks = begin(&[request(1)]);
    assert_eq!(of_300(|connection| reset(connection.client(&asks), true, 0)), (300, 0, 0));
}

#[test]
fn a_response_knows_its_request_by_its_stream() {
    let client = [&CLIENT_PREFACE[..], &frame(SETTINGS, 0, 0, &[]), &request(1), &request(3)].concat();
    let server =
        [frame(SETTINGS, 0, 0, &[0, 3, 0, 0, 0, 9]), response(3), frame(DATA, 1, 3, &[0; 100]), response(1)];
    let watch = Conversation::new(1).client(client).server(server.concat()).watch();
    let responses = watch.responses();
    let told = responses.iter().map(|seen| (seen.exchange, seen.is_answer, seen.status()));
    assert_eq!(told.collect::<Vec<_>>(), [(1, true, Some(200)), (0, true, Some(200))]);
    assert_eq!(responses[0].server().as_deref(), Some(&b"s"[..]));
    assert_eq!(responses[0].server_settings().unwrap().to_string(), "3:9");
    assert!(responses[1].server_settings().is_none(), "the first response has them");
    let requests = watch.requests();
    assert!(requests[0].fingerprint().is_some() && requests[1].fingerprint().is_none());
    assert_eq!(requests[1].host().as_deref(), Some(&b"a"[..]));
}

/// How many requests and responses are told of 300 connections of one client, each behind the one before it, and how many
/// connections its limit of 256 left out.
fn of_300(connection: impl Fn(Conversation) -> Conversation) -> (usize, usize, u64) {
    let mut watch = Watch::new(HttpSettings::default());
    for port in 1..=300 {
        for frame in connection(Conversation::new(port)).frames {
            watch.frame(&frame, 1, START + u64::from(port));
        }
    }
    (watch.requests().len(), watch.responses().len(), watch.limit("http2_connections_per_source"))
}

#[test]
fn a_client_may_have_256_connections_open_and_any_number_closed() {
    let (asks, answers) = (begin(&[request(1)]), [server_settings(), response(1)].concat());
    let exchange = |connection: Conversation| connection.client(&asks).server(&answers);
    assert_eq!(of_300(exchange), (256, 256, 44));
    assert_eq!(of_300(|connection| exchange(connection).closed()), (300, 300, 0));
    // The FIN may be in the segment that begins with HTTP/2.
    let at_once = |connection: Conversation| {
        let mut closed = exchange(connection);
        closed.frames[2..].iter_mut().for_each(|frame| frame[14 + 20 + 13] |= 1);
        closed
    };
    assert_eq!(of_300(at_once), (300, 300, 0));
    // One end alone may go on.
    let half = |connection: Conversation| {
        let mut half = exchange(connection).closed();
        half.frames.pop();
        half
    };
    assert_eq!(of_300(half), (256, 256, 44));
}

#[test]
fn the_connections_of_a_server_that_speaks_first_are_those_of_its_clients() {
    let connection = Conversation::new(1).server(server_settings());
    let mut watch = Watch::new(HttpSettings::default());
    for client in 0..300_u16 {
        let [high, low] = client.to_be_bytes();
        for frame in &connection.frames {
            // The address of the client, 10.0.0.1, is the one that ends in 1.
            let mut frame = frame.clone();
            let at = if frame[29] == 1 { 26 } else { 30 };
            frame[at + 1..at + 3].copy_from_slice(&[high, low]);
            watch.frame(&frame, 1, START);
        }
    }
    assert_eq!(watch.limit("http2_connections_per_source"), 0);
    assert_eq!(of_300(|connection| connection.server(server_settings())).2, 44);
}

#[test]
fn http2_that_waited_behind_lost_bytes_is_not_read_on_behind_others() {
    let asked = Conversation::new(1).client(begin(&[request(1), request(3)]));
    let [first, second] = [1, 3].map(|stream| [server_settings(), response(stream)].concat());
    let mut watch = asked.server_lost(9).server(first).server_lost(9).server(second).watch();
    watch.end();
    assert_eq!((watch.requests().len(), watch.responses().len()), (2, 1));
}

#[test]
fn a_start_of_http2_of_which_bytes_are_missing_is_not_told() {
    const WINDOW_UPDATE: u8 = 8;
    let update = frame(WINDOW_UPDATE, 0, 0, &[0, 1, 0, 0]);
    let started = Conversation::new(1).client_lost(5).client(begin(&[]));
    let lost = started.clone().client_lost(update.len() as u32).client(request(1));
    for (conversation, starts) in [(started.client(update), 1), (lost, 0)] {
        let mut watch = conversation.watch();
        // What is missing is given up, and then a request is waited for.
        for seconds in [11, 13] {
            let now = Timestamp::from_nanos(START + seconds * SECOND);
            watch.analyzer.on_time(now, &mut |event| watch.events.push(event));
        }
        assert_eq!((watch.starts().len(), watch.requests().len()), (starts, 0));
    }
}
