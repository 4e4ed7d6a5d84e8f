//! Recorded and hand-made DTLS of `pcaps/tls`, through their captures.

#![cfg(test)]
#![allow(clippy::cast_possible_truncation, reason = "numbers of tests fit")]

mod datagrams;

use huginn_net_core::Progress;
use huginn_net_tls::{DtlsHelloReader, DtlsLimits};
use serde_json::Value;
use testkit::corpus;
use testkit::rng::Rng;

/// A capture of one client, and what its hellos are.
struct Vector {
    capture: &'static str,
    datagrams: Vec<Vec<u8>>,
    hellos: Vec<Found>,
}

/// What a hello was found to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    message_seq: u64,
    message: Vec<u8>,
    ja4: String,
}

/// The captures, the port of the client, and the hellos in them by their names in
/// `hello.json`.
const CAPTURES: [(&str, u16, &[&str]); 6] = [
    ("pcap/gnutls-3.7.9-dtls", 49_611, &["gnutls-3.7.9-dtls", "gnutls-3.7.9-dtls__2"]),
    ("pcap/openssl-3.0.19-dtls1_0", 46_794, &["openssl-3.0.19-dtls1_0", "openssl-3.0.19-dtls1_0__2"]),
    (FRAGMENTED, 46_839, &["openssl-3.0.19-dtls1_2-frag"]),
    ("pcap-hand/dtls10", 40_000, &["hand-dtls10"]),
    ("pcap-hand/dtls12-in-sv", 40_000, &["hand-dtls12-in-sv"]),
    ("pcap-hand/dtls13", 40_000, &["hand-dtls13"]),
];

/// A capture whose second hello is not in `hello.json`: the first, in fragments too, with this cookie.
const FRAGMENTED: &str = "pcap/openssl-3.0.19-dtls1_2-frag";
const COOKIE: [u8; 20] = *b"\xe9\x7f\xbd\x3f\x71\xc9\xb5\x19\x57\xb2\x17\xb9\x57\x78\xf8\x7d\x7b\xff\x9b\x03";

impl Found {
    /// The answer to a HelloVerifyRequest.
    fn answering(&self, cookie: &[u8; 20]) -> Self {
        // Header, version, random and an empty session id; then the cookie with its length, which was 0.
        let (before, after) = self.message.split_at(4 + 2 + 32 + 1);
        let mut message = [before, &[20], cookie, &after[1..]].concat();
        message[3] += 20;
        Self { message_seq: 1, message, ja4: self.ja4.clone() }
    }
}

fn vectors() -> Vec<Vector> {
    let root = corpus::path("tls");
    let table: Value = serde_json::from_slice(&std::fs::read(root.join("hello.json")).unwrap()).unwrap();
    let entries = table["vectors"].as_array().unwrap();
    let dtls = entries.iter().filter(|entry| entry["transport"] == "dtls");
    assert_eq!(dtls.count(), CAPTURES.iter().flat_map(|(_, _, hellos)| *hellos).count());
    let hello = |(index, name): (usize, &&'static str)| {
        let entry = entries.iter().find(|entry| entry["name"] == *name).unwrap();
        Found {
            message_seq: index as u64,
            message: std::fs::read(root.join(entry["file"].as_str().unwrap())).unwrap(),
            ja4: entry["expected"]["ja4"].as_str().unwrap().to_owned(),
        }
    };
    let vector = |&(capture, port, hellos): &(&'static str, u16, &'static [&'static str])| Vector {
        capture,
        datagrams: datagrams::of_client(&format!("{capture}.pcap"), Some(port)),
        hellos: hellos.iter().enumerate().map(hello).collect(),
    };
    let mut vectors: Vec<_> = CAPTURES.iter().map(vector).collect();
    let fragmented = vectors.iter_mut().find(|vector| vector.capture == FRAGMENTED).unwrap();
    fragmented.hellos.push(fragmented.hellos[0].answering(&COOKIE));
    vectors
}

/// All hellos of these datagrams.
fn read<'a>(datagrams: impl IntoIterator<Item = &'a Vec<u8>>) -> Vec<Found> {
    let mut reader = DtlsHelloReader::with_limits(DtlsLimits::default().with_max_records(1_000));
    let mut hellos = Vec::new();
    for datagram in datagrams {
        if let Ok(Progress::Done(hello)) = reader.push(datagram) {
            hellos.push(Found {
                message_seq: hello.message_seq.into(),
                message: hello.message.to_vec(),
                ja4: hello.client_hello().unwrap().ja4().to_string(),
            });
        }
    }
    hellos
}

#[test]
fn every_capture_gives_its_hellos_once_and_in_order() {
    for vector in vectors() {
        assert_eq!(read(&vector.datagrams), vector.hellos, "{}", vector.capture);
    }
}

#[test]
fn the_order_and_number_of_datagrams_change_no_hello() {
    for vector in vectors() {
        let mut repeated = [&vector.datagrams[..], &vector.datagrams].concat();
        let mut rng = Rng::new(9);
        for _ in 0..8 {
            rng.shuffle(&mut repeated);
            let mut hellos = read(&repeated);
            hellos.sort();
            assert_eq!(hellos, vector.hellos, "{}", vector.capture);
        }
    }
}

#[test]
fn a_second_hello_has_the_cookie_and_the_random_of_the_first() {
    for vector in vectors().iter().filter(|vector| vector.hellos.len() == 2) {
        let mut reader = DtlsHelloReader::new();
        let mut seen = Vec::new();
        for datagram in &vector.datagrams {
            if let Ok(Progress::Done(hello)) = reader.push(datagram) {
                let hello = hello.client_hello().unwrap();
                seen.push((*hello.random(), hello.cookie().len()));
            }
        }
        let [(first, no_cookie), (second, cookie)] = seen[..] else { panic!("{}: {seen:?}", vector.capture) };
        assert_eq!((no_cookie, first), (0, second), "{}", vector.capture);
        assert!(cookie > 0, "{}", vector.capture);
    }
}

/// Each hello, cut into fragments of 7 bytes or more, one to a datagram.
#[test]
fn hellos_cut_into_small_fragments_are_the_same() {
    let mut rng = Rng::new(9);
    for found in vectors().into_iter().flat_map(|vector| vector.hellos) {
        let body = &found.message[4..];
        let step = 7.max(body.len() / 50);
        let mut datagrams: Vec<Vec<u8>> = body
            .chunks(step)
            .enumerate()
            .map(|(at, part)| {
                let [_, offset @ ..] = ((at * step) as u32).to_be_bytes();
                let len = part.len() as u8;
                let record = [22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12 + len];
                let seq = found.message_seq as u8;
                [&record[..], &found.message[..4], &[0, seq], &offset, &[0, 0, len], part].concat()
            })
            .collect();
        rng.shuffle(&mut datagrams);
        assert_eq!(read(&datagrams), [found]);
    }
}
