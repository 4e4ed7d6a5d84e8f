//! Hellos over QUIC and DTLS, from packets.

use huginn_net_tls::{Carrier, QuicVersion, TlsSettings};
use testkit::capture::Capture;
use testkit::packet::{IpHeader, Ipv4, Udp};
use testkit::rng::Rng;

use crate::captures::{open, table};
use crate::watch::{MILLISECOND, SECOND, Watch, watch};

const CLIENT: [u8; 4] = [10, 0, 0, 1];
const SERVER: [u8; 4] = [10, 0, 0, 2];

/// The client's payloads of a vector and its JA4.
fn vector(name: &str) -> (Vec<Vec<u8>>, String) {
    let entries = table("tls/quic.json", "vectors");
    let entry = entries.iter().find(|entry| entry["name"] == name).unwrap();
    let read = |file: &serde_json::Value| {
        std::fs::read(testkit::corpus::path("tls").join(file.as_str().unwrap())).unwrap()
    };
    let datagrams = entry["datagrams"].as_array().unwrap().iter().map(read).collect();
    (datagrams, entry["expected"]["ja4"].as_str().unwrap().to_owned())
}

fn from_client(payload: &[u8]) -> Vec<u8> {
    Ipv4::new(CLIENT, SERVER).udp(&Udp::new(50_000, 443, payload))
}

fn from_server(payload: &[u8]) -> Vec<u8> {
    Ipv4::new(SERVER, CLIENT).udp(&Udp::new(443, 50_000, payload))
}

#[test]
fn tells_what_quic_tells_besides_the_hello() {
    let watch = watch(&open("quic-pcap/q-chromium-156.0.8078.79-1.pcap"));
    let [seen] = watch.hellos()[..] else { panic!() };
    let quic = seen.quic.unwrap();
    assert_eq!(seen.hello.carrier(), Carrier::Quic);
    assert_eq!((quic.version, quic.destination_id_len, quic.initials), (QuicVersion::V1, 8, 2));
    assert_eq!((quic.token_len, quic.in_order, seen.packets, seen.hello_index), (0, false, 2, 0));
    assert!(quic.crypto_pieces > 10);
    assert!(seen.first.frame < seen.origin.frame);
    assert_eq!(seen.hello.transport_parameters().unwrap().iter().count(), 12);
    assert_eq!(watch.seen("tls_quic"), 1);
}

#[test]
fn datagrams_in_any_order_and_number_bring_one_event() {
    let (datagrams, ja4) = vector("q-chromium-156.0.8078.79-2");
    let mut rng = Rng::new(1);
    for _ in 0..8 {
        let mut order = [&datagrams[..], &datagrams].concat();
        rng.shuffle(&mut order);
        let mut watch = Watch::new(TlsSettings::default());
        for (index, payload) in order.iter().enumerate() {
            watch.datagram(&from_client(payload), index as u64 * MILLISECOND);
        }
        assert_eq!(watch.ja4(), [ja4.as_str()]);
    }
}

#[test]
fn a_client_that_tries_again_when_its_first_attempt_is_forgotten_brings_no_second_event() {
    let (datagrams, ja4) = vector("q-curl-8.14.1-ngtcp2-openssl");
    let mut watch = Watch::new(TlsSettings::default());
    for attempt in 0..3 {
        for payload in &datagrams {
            watch.datagram(&from_client(payload), attempt * 15 * SECOND);
        }
    }
    assert_eq!(watch.ja4(), [ja4]);
}

#[test]
fn what_a_server_sends_is_neither_decrypted_nor_counted_once_its_client_is_known() {
    let (datagrams, ja4) = vector("q-quic-go-v1");
    let mut watch = Watch::new(TlsSettings::default());
    watch.datagram(&from_client(&datagrams[0]), 0);
    // An Initial packet, as far as anybody can see.
    watch.datagram(&from_server(&datagrams[1]), 1);
    watch.datagram(&from_client(&datagrams[1]), 2);
    assert_eq!(watch.ja4(), [ja4]);
    assert_eq!(watch.stats().malformed, []);
}

#[test]
fn quic_that_cannot_be_read_is_counted_by_reason() {
    for (name, reason) in
        [("hand-bad-tag", "quic_not_authentic"), ("hand-never-complete", ""), ("hand-unknown-version", "")]
    {
        let watch = watch(&open(&format!("quic-pcap/{name}.pcap")));
        let counted: Vec<_> = watch.stats().malformed.iter().map(|(reason, _)| *reason).collect();
        assert_eq!(counted, Vec::from_iter(Some(reason).filter(|reason| !reason.is_empty())), "{name}");
    }
}

fn dtls() -> [(&'static str, Capture); 2] {
    ["openssl-3.0.19-dtls1_2-frag", "gnutls-3.7.9-dtls"]
        .map(|name| (name, open(&format!("pcap/{name}.pcap"))))
}

#[test]
fn dtls_is_joined_from_fragments_and_told_with_the_hello_that_brings_the_cookie() {
    for (name, capture) in dtls() {
        let watch = watch(&capture);
        let [first, second] = watch.hellos()[..] else { panic!("{name}: {:?}", watch.events) };
        assert_eq!((first.hello_index, second.hello_index, second.after_hrr), (0, 1, false), "{name}");
        assert_eq!(first.hello.carrier(), Carrier::Dtls);
        assert_eq!(first.hello.ja4(), second.hello.ja4());
        assert!(first.hello.parsed().cookie().is_empty() && !second.hello.parsed().cookie().is_empty());
        assert_eq!(first.packets > 1, name.ends_with("frag"), "{name}: {}", first.packets);
        assert_eq!(watch.seen("tls_dtls"), 2);
    }
}

#[test]
fn dtls_in_any_order_and_number_brings_each_hello_once() {
    for (name, capture) in dtls() {
        let mut rng = Rng::new(2);
        for _ in 0..8 {
            let mut records = [&capture.records[..], &capture.records].concat();
            rng.shuffle(&mut records);
            let watch = watch(&Capture { records, ..capture });
            let mut indices: Vec<_> = watch.hellos().iter().map(|seen| seen.hello_index).collect();
            indices.sort_unstable();
            assert_eq!(indices, [0, 1], "{name}");
        }
    }
}
