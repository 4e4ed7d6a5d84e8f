//! HTTP/2 in packets.

use std::fs;

use huginn_net_http::CLIENT_PREFACE;
use serde_json::Value;
use testkit::corpus;
use testkit::recut::recut;
use testkit::shuffle::Plan;

use crate::conversation::Conversation;
use crate::watch::watch;

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
    let seen = |capture: &testkit::capture::Capture| -> Vec<String> {
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
