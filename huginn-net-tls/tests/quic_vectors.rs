//! Recorded and hand-made Initial packets of `pcaps/tls/quic.json`.

#![cfg(test)]

mod datagrams;

use huginn_net_core::Progress;
use huginn_net_tls::{
    QuicError, QuicHello, QuicInitialReader, QuicLimits, QuicVersion, TransportParameterId,
    TransportParameters,
};
use serde_json::Value;
use testkit::corpus;
use testkit::rng::Rng;

/// One entry of `quic.json`.
struct Vector {
    name: String,
    datagrams: Vec<Vec<u8>>,
    /// The handshake message, where the entry has it.
    message: Option<Vec<u8>>,
    entry: Value,
}

/// What a hello was found to be.
#[derive(Debug, PartialEq)]
struct Found {
    message: Vec<u8>,
    ja4: String,
    ja3: String,
}

fn vectors() -> Vec<Vector> {
    let root = corpus::path("tls");
    let read = |file: &Value| std::fs::read(root.join(file.as_str().unwrap())).unwrap();
    let table: Value = serde_json::from_slice(&read(&Value::from("quic.json"))).unwrap();
    let entries = table["vectors"].as_array().unwrap();
    assert_eq!(entries.len(), 33);
    let vector = |entry: &Value| Vector {
        name: entry["name"].as_str().unwrap().to_owned(),
        datagrams: entry["datagrams"].as_array().unwrap().iter().map(read).collect(),
        message: entry.get("hello").map(read),
        entry: entry.clone(),
    };
    entries.iter().map(vector).collect()
}

fn named(name: &str) -> Vector {
    vectors().into_iter().find(|vector| vector.name == name).unwrap()
}

impl Vector {
    /// The port-to-port traffic in the capture of this entry.
    fn captured(&self) -> Vec<Vec<u8>> {
        datagrams::of_client(&format!("quic-pcap/{}.pcap", self.name), None)
    }

    /// That these are the hellos expected: one, or none.
    fn check(&self, found: &[Found], how: &str) {
        let expected = &self.entry["expected"];
        assert_eq!(found.len(), usize::from(!expected.is_null()), "{} {how}", self.name);
        for found in found {
            assert_eq!(found.ja4, expected["ja4"], "{} {how}", self.name);
            assert_eq!(found.ja3, expected["ja3"], "{} {how}", self.name);
            assert!(self.message.as_ref().is_none_or(|message| *message == found.message), "{}", self.name);
        }
    }
}

fn found(hello: &QuicHello<'_>) -> Found {
    let parsed = hello.client_hello().unwrap();
    Found { message: hello.message.to_vec(), ja4: parsed.ja4().to_string(), ja3: parsed.ja3().to_string() }
}

/// All hellos of these datagrams.
fn read<'a>(datagrams: impl IntoIterator<Item = &'a Vec<u8>>) -> Vec<Found> {
    let limits = QuicLimits::default().with_max_packets(64).with_max_decryptions(32);
    let mut reader = QuicInitialReader::with_limits(limits);
    let mut hellos = Vec::new();
    for datagram in datagrams {
        if let Ok(Progress::Done(hello)) = reader.push(datagram) {
            hellos.push(found(&hello));
        }
    }
    hellos
}

#[test]
fn every_vector_gives_its_hello_once_or_none_within_the_default_limits() {
    for vector in vectors() {
        let mut reader = QuicInitialReader::new();
        let mut hellos = Vec::new();
        for datagram in &vector.datagrams {
            match reader.push(datagram) {
                Ok(Progress::Done(hello)) => hellos.push(found(&hello)),
                Ok(Progress::NeedMore) => {}
                Err(error) => assert!(vector.entry["expected"].is_null(), "{}: {error}", vector.name),
            }
        }
        vector.check(&hellos, "in order");
    }
}

#[test]
fn every_capture_gives_its_hello_once() {
    for vector in vectors() {
        let captured = vector.captured();
        assert!(captured.len() >= vector.datagrams.len(), "{}", vector.name);
        vector.check(&read(&captured), "captured");
    }
}

#[test]
fn the_order_and_number_of_datagrams_change_nothing() {
    for vector in vectors() {
        let mut repeated = [&vector.datagrams[..], &vector.datagrams].concat();
        vector.check(&read(repeated.iter().rev()), "backwards, twice");
        let mut rng = Rng::new(9);
        for _ in 0..4 {
            rng.shuffle(&mut repeated);
            vector.check(&read(&repeated), "shuffled, twice");
        }
    }
}

#[test]
fn says_why_vectors_without_a_hello_have_none() {
    let first = |name: &str| {
        let mut reader = QuicInitialReader::new();
        reader.push(&named(name).datagrams[0]).map(|progress| progress.map(|hello| hello.message.len()))
    };
    assert_eq!(first("hand-bad-tag"), Err(QuicError::NotAuthentic));
    assert_eq!(first("hand-unknown-version"), Err(QuicError::UnknownVersion(QuicVersion(0x1a2a_3a4a))));
    assert_eq!(first("hand-truncated-datagram"), Err(QuicError::Truncated { what: "packet", at: 18 }));
    assert_eq!(first("hand-never-complete"), Ok(Progress::NeedMore));
}

#[test]
fn a_datagram_cut_anywhere_is_refused_and_the_whole_one_still_read() {
    let vector = named("q-curl-8.14.1-ngtcp2-openssl");
    let limits = QuicLimits::default().with_max_decryptions(10_000).with_max_packets(10_000);
    let mut reader = QuicInitialReader::with_limits(limits);
    let first = &vector.datagrams[0];
    for len in 0..first.len() {
        assert!(reader.push(&first[..len]).is_err(), "{len} bytes");
    }
    let hellos = vector
        .datagrams
        .iter()
        .filter_map(|datagram| reader.push(datagram).unwrap().map(|hello| found(&hello)).done());
    vector.check(&hellos.collect::<Vec<_>>(), "after cut ones");
}

#[test]
fn tells_how_the_packets_of_recorded_hellos_were() {
    for vector in vectors().into_iter().filter(|vector| vector.message.is_some()) {
        let mut reader = QuicInitialReader::new();
        let (last, before) = vector.datagrams.split_last().unwrap();
        for datagram in before {
            assert_eq!(reader.push(datagram), Ok(Progress::NeedMore));
        }
        let hello = reader.push(last).unwrap().done().expect("the last datagram completes the hello");
        let (facts, expected) = (hello.facts, &vector.entry);
        let frames = expected["frames_without_padding"].as_array().unwrap();
        let frames: Vec<&Value> = frames.iter().flat_map(|frames| frames.as_array().unwrap()).collect();
        let crypto: Vec<_> = frames.iter().filter_map(|frame| frame.as_array()).collect();
        let offsets: Vec<u64> = crypto.iter().map(|frame| frame[1].as_u64().unwrap()).collect();
        assert_eq!(facts.crypto_pieces as usize, crypto.len(), "{}", vector.name);
        assert_eq!(facts.in_order, offsets.is_sorted(), "{}", vector.name);
        assert_eq!(facts.initials as usize, vector.datagrams.len(), "{}", vector.name);
        assert_eq!(facts.version.to_string(), expected["version"], "{}", vector.name);
        assert_eq!(facts.token_len as u64, expected["token_len"], "{}", vector.name);
        let id = expected["dcid"].as_str().unwrap();
        assert_eq!(usize::from(facts.destination_id_len), id.len() / 2, "{}", vector.name);
        assert_eq!(hello.hello_index, 0, "{}", vector.name);
    }
}

/// The numbers of parameters, sorted, and some values, read from the messages with another program.
#[test]
fn reports_the_transport_parameters_of_recorded_clients() {
    let check = |name: &str, ids: &[u64], idle: Option<u64>, data: u64, versions: &[QuicVersion]| {
        let vector = named(name);
        let mut reader = QuicInitialReader::new();
        let mut seen = false;
        for datagram in &vector.datagrams {
            let Progress::Done(hello) = reader.push(datagram).unwrap() else { continue };
            let hello = hello.client_hello().unwrap();
            let parameters = TransportParameters::of_hello(&hello).unwrap().unwrap();
            let mut found: Vec<u64> = parameters.iter().map(|parameter| parameter.id.0).collect();
            found.sort_unstable();
            assert_eq!(found, ids, "{name}");
            let integer = |id| parameters.find(id).and_then(|parameter| parameter.integer());
            assert_eq!(integer(TransportParameterId::MAX_IDLE_TIMEOUT), idle, "{name}");
            assert_eq!(integer(TransportParameterId::INITIAL_MAX_DATA), Some(data), "{name}");
            let listed: Vec<_> = parameters.iter().flat_map(|parameter| parameter.versions()).collect();
            assert_eq!(listed, versions, "{name}");
            seen = true;
        }
        assert!(seen, "{name}");
    };
    let (v1, v2) = (QuicVersion::V1, QuicVersion::V2);
    check(
        "q-chromium-156.0.8078.79-1",
        &[0x01, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0f, 0x11, 0x20, 0x3128],
        Some(30_000),
        15_728_640,
        &[v1, v1],
    );
    check(
        "q-curl_cffi-0.16.3-safari2601",
        &[0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0f, 0x11],
        None,
        0x3e80_0000,
        &[v1, v1],
    );
    check(
        "q-quic-go-v2",
        &[0x01, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x0e, 0x0f],
        Some(30_000),
        786_432,
        &[],
    );
    check(
        "q-aioquic-1.7.2-v1-to-v2",
        &[0x01, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0e, 0x0f, 0x11],
        Some(60_000),
        1_048_576,
        &[v1, v2, v1],
    );
}
