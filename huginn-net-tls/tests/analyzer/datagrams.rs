//! Hellos over QUIC and DTLS, from packets.

use huginn_net_tls::{Carrier, ClientHelloSeen, QuicVersion, TlsSettings};
use testkit::capture::Capture;
use testkit::packet::{IpHeader, Ipv4, Udp};
use testkit::rng::Rng;

use crate::captures::{open, table};
use crate::hostile::forged_initial;
use crate::watch::{MILLISECOND, SECOND, Watch, watch};

const CLIENT: [u8; 4] = [10, 0, 0, 1];
const SERVER: [u8; 4] = [10, 0, 0, 2];

/// The client's payloads of a vector and its JA4.
pub(crate) fn vector(name: &str) -> (Vec<Vec<u8>>, String) {
    let entries = table("tls/quic.json", "vectors");
    let entry = entries.iter().find(|entry| entry["name"] == name).unwrap();
    let read = |file: &serde_json::Value| {
        std::fs::read(testkit::corpus::path("tls").join(file.as_str().unwrap())).unwrap()
    };
    let datagrams = entry["datagrams"].as_array().unwrap().iter().map(read).collect();
    (datagrams, entry["expected"]["ja4"].as_str().unwrap().to_owned())
}

pub(crate) fn from_client(payload: &[u8]) -> Vec<u8> {
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

/// A packet of QUIC v1 with this first byte, to the connection ID of the packet before which it is put.
fn long_packet(first: u8, before: &[u8]) -> Vec<u8> {
    let ids = 5 + 1 + usize::from(before[5]);
    let ids = &before[5..ids + 1 + usize::from(before[ids])];
    [&[first, 0, 0, 0, 1], ids, &[0x40, 60], &[0xa5; 60]].concat()
}

/// RFC 9000 §12.2: packets may be coalesced in any order.
#[test]
fn a_hello_behind_other_packets_of_its_datagram_is_found() {
    const ZERO_RTT: u8 = 0xd0;
    const HANDSHAKE: u8 = 0xe0;
    const RETRY: u8 = 0xf0;
    let (datagrams, ja4) = vector("q-quic-go-v1");
    for (before, is_found) in [
        (&[ZERO_RTT][..], true),
        (&[HANDSHAKE], true),
        (&[ZERO_RTT, ZERO_RTT, HANDSHAKE], true),
        // Which has no length: all that follows belongs to it.
        (&[RETRY], false),
    ] {
        let mut watch = Watch::new(TlsSettings::default());
        for payload in &datagrams {
            let mut datagram: Vec<u8> =
                before.iter().flat_map(|&first| long_packet(first, payload)).collect();
            datagram.extend(payload);
            watch.datagram(&from_client(&datagram), 0);
        }
        assert_eq!(watch.ja4(), if is_found { vec![ja4.as_str()] } else { Vec::new() }, "{before:02x?}");
        assert_eq!(watch.stats().malformed, [], "{before:02x?}");
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
fn a_connection_on_ports_used_again_is_read_behind_its_retry() {
    let watch = watch(&open("quic-retry-ports-again.pcap"));
    let told: Vec<_> = watch.hellos().iter().map(|seen| seen.quic.unwrap().token_len).collect();
    assert_eq!(told, [0, 61, 0, 61], "this client makes another hello for a Retry");
    assert_eq!((watch.server_hellos().len(), watch.stats().malformed), (2, vec![]));
}

/// An Initial packet of a server, as far as anybody can see: to the connection ID that the client chose for itself.
fn answer_to(datagram: &[u8]) -> Vec<u8> {
    let source_at = 6 + usize::from(datagram[5]);
    let source = &datagram[source_at..=source_at + usize::from(datagram[source_at])];
    [&[0xc3, 0, 0, 0, 1], source, b"\x06server", &[0, 0x44, 0x9e], &[7; 1_182]].concat()
}

#[test]
fn an_authentic_packet_in_the_name_of_a_server_does_not_hide_its_client() {
    let (datagrams, ja4) = vector("q-chromium-156.0.8078.79-1");
    let mut watch = Watch::new(TlsSettings::default());
    watch.datagram(&from_server(&vector("q-quic-go-v1").0[0]), 0);
    for payload in &datagrams {
        watch.datagram(&from_client(payload), MILLISECOND);
    }
    assert_eq!(watch.ja4(), [ja4]);
}

#[test]
fn what_is_not_authentic_in_the_name_of_a_server_is_counted_and_does_not_hide_its_client() {
    let (datagrams, ja4) = vector("q-quic-go-v1");
    let mut watch = Watch::new(TlsSettings::default());
    watch.datagram(&from_client(&datagrams[0]), 0);
    watch.datagram(&from_server(&answer_to(&datagrams[0])), 1);
    watch.datagram(&from_client(&datagrams[1]), 2);
    assert_eq!(watch.ja4(), [ja4]);
    assert_eq!(watch.stats().malformed, [("quic_not_authentic", 1)]);
    assert!(watch.server_hellos().is_empty());
}

#[test]
fn quic_that_cannot_be_read_is_counted_by_reason() {
    for (name, reason) in [
        ("hand-bad-tag", "quic_not_authentic"),
        ("hand-truncated-datagram", "quic_truncated"),
        ("hand-never-complete", ""),
        ("hand-unknown-version", ""),
    ] {
        let watch = watch(&open(&format!("quic-pcap/{name}.pcap")));
        let counted: Vec<_> = watch.stats().malformed.iter().map(|(reason, _)| *reason).collect();
        assert_eq!(counted, Vec::from_iter(Some(reason).filter(|reason| !reason.is_empty())), "{name}");
    }
}

pub(crate) fn dtls() -> [(&'static str, Capture); 2] {
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

#[test]
fn forged_packets_before_a_client_do_not_use_up_what_may_be_spent_on_it() {
    let (datagrams, ja4) = vector("q-chromium-156.0.8078.79-1");
    let (mut watch, mut rng) = (Watch::new(TlsSettings::default()), Rng::new(4));
    for _ in 0..100 {
        watch.datagram(&from_client(&forged_initial(&mut rng)), 0);
    }
    for payload in &datagrams {
        watch.datagram(&from_client(payload), MILLISECOND);
    }
    assert_eq!(watch.ja4(), [ja4]);
}

#[test]
fn authentic_packets_in_the_name_of_a_client_do_not_use_up_what_may_be_spent_on_it() {
    let (datagrams, ja4) = vector("q-chromium-156.0.8078.79-1");
    // The first half of the hello of somebody else, each under keys of its own.
    let spoofed = [
        "q-chromium-156.0.8078.79-2",
        "q-chromium-156.0.8078.79-3",
        "q-curl-8.14.1-ngtcp2-openssl",
        "q-quic-go-v1",
    ]
    .map(|name| vector(name).0.swap_remove(0));
    for packets in 1..=40 {
        let mut watch = Watch::new(TlsSettings::default());
        for payload in spoofed.iter().cycle().take(packets) {
            watch.datagram(&from_client(payload), 0);
        }
        for payload in &datagrams {
            watch.datagram(&from_client(payload), MILLISECOND);
        }
        assert_eq!(watch.ja4(), [ja4.as_str()], "{packets} packets");
    }
}

#[test]
fn a_client_whose_packets_are_spent_is_not_begun_anew_by_what_is_not_authentic() {
    let (datagrams, ja4) = vector("q-chromium-156.0.8078.79-1");
    let (mut watch, mut rng) = (Watch::new(TlsSettings::default()), Rng::new(8));
    watch.datagram(&from_client(&datagrams[0]), 0);
    for _ in 0..2 {
        watch.datagram(&from_client(&forged_initial(&mut rng)), 0);
    }
    // The keys of three connections have been derived; this one finds none.
    watch.datagram(&from_client(&forged_initial(&mut rng)), 0);
    assert_eq!(watch.malformed("quic_limit"), 1);
    watch.datagram(&from_client(&datagrams[1]), MILLISECOND);
    assert_eq!(watch.ja4(), [ja4]);
}

#[test]
fn dtls_is_found_behind_what_else_shares_the_port() {
    let capture = open("pcap-hand/dtls13.pcap");
    let mut watch = Watch::new(TlsSettings::default());
    let stun = b"\x00\x01\x00\x00\x21\x12\xa4\x42abcdefghijkl";
    let rtp = b"\x80\x60\x12\x34\x00\x00\x00\x00\x00\x00\x00\x00voice";
    for number in 0..50 {
        watch.datagram(&from_client(if number % 2 == 0 { stun } else { rtp }), number * MILLISECOND);
    }
    watch.capture(&capture);
    assert_eq!(watch.hellos().len(), 1);
    assert_eq!(watch.stats().malformed, []);
}

/// A ClientHello of DTLS in one record, with a cookie field and a sequence number.
pub(crate) fn dtls_hello(message_seq: u8, cookie: &[u8]) -> Vec<u8> {
    dtls_hello_of([5; 32], message_seq, cookie)
}

fn dtls_hello_of(random: [u8; 32], message_seq: u8, cookie: &[u8]) -> Vec<u8> {
    let rest = [0, 2, 0x13, 0x01, 1, 0];
    let body = [&[0xfe, 0xfd][..], &random, &[0], &[cookie.len() as u8], cookie, &rest].concat();
    let length = body.len() as u8;
    let fragment = [&[1, 0, 0, length, 0, message_seq, 0, 0, 0, 0, 0, length][..], &body].concat();
    [&[22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, message_seq, 0, fragment.len() as u8][..], &fragment].concat()
}

#[test]
fn a_second_hello_of_dtls_1_3_without_a_cookie_of_its_own_answers_a_retry() {
    // `supported_versions` with DTLS 1.3 and 1.2, and with the latter.
    let (both, old) = ([0, 43, 0, 5, 4, 0xfe, 0xfc, 0xfe, 0xfd], [0, 43, 0, 3, 2, 0xfe, 0xfd]);
    for (cookie, extensions, after_hrr) in [
        (&b"cookie"[..], &[][..], false),
        (b"cookie", &both, false),
        (b"", &both, true),
        // A HelloVerifyRequest may ask for a cookie without bytes.
        (b"", &old, false),
        (b"", &[], false),
    ] {
        let mut watch = Watch::new(TlsSettings::default());
        watch.datagram(&from_client(&dtls_hello_with(0, b"", extensions)), 0);
        watch.datagram(&from_client(&dtls_hello_with(1, cookie, extensions)), MILLISECOND);
        let told: Vec<_> = watch.hellos().iter().map(|seen| (seen.hello_index, seen.after_hrr)).collect();
        assert_eq!(told, [(0, false), (1, after_hrr)], "{cookie:?} {extensions:?}");
    }
}

/// With these extensions, if there are any.
fn dtls_hello_with(message_seq: u8, cookie: &[u8], extensions: &[u8]) -> Vec<u8> {
    let mut hello = dtls_hello(message_seq, cookie);
    if !extensions.is_empty() {
        let added = [&[0, extensions.len() as u8][..], extensions].concat();
        // The lengths of the record, of the message and of its fragment.
        for at in [12, 16, 24] {
            hello[at] += added.len() as u8;
        }
        hello.extend(added);
    }
    hello
}

#[test]
fn hellos_of_dtls_in_the_name_of_a_client_do_not_use_up_what_may_be_spent_on_it() {
    let mut watch = Watch::new(TlsSettings::default());
    for random in 1..=20 {
        watch.datagram(&from_client(&dtls_hello_of([random; 32], 0, b"")), 0);
    }
    // Behind the begin of a hello of another length, 200 records that hold nothing.
    let begin = [22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13, 1, 0, 9, 9, 0, 0, 0, 0, 0, 0, 0, 1, 7];
    let empty = [22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0].repeat(50);
    for _ in 0..4 {
        watch.datagram(&from_client(&[&begin[..], &empty].concat()), 0);
    }
    assert_eq!(watch.malformed("dtls_limit"), 0);
    watch.datagram(&from_client(&dtls_hello_of([99; 32], 0, b"")), MILLISECOND);
    let randoms: Vec<_> = watch.hellos().iter().map(|seen| seen.hello.parsed().random()[0]).collect();
    assert_eq!(randoms, (1..=20).chain([99]).collect::<Vec<u8>>());
}

/// The bytes `from..to` of the body of a hello that is whole in its record, as a fragment.
pub(crate) fn dtls_fragment(hello: &[u8], from: u8, to: u8) -> Vec<u8> {
    let (header, body) = hello.split_at(13 + 12);
    let (start, len) = (&header[..13 + 6], to - from);
    let mut fragment = [start, &[0, 0, from, 0, 0, len], &body[usize::from(from)..usize::from(to)]].concat();
    fragment[12] = 12 + len;
    fragment
}

#[test]
fn a_fragment_in_the_name_of_a_client_of_dtls_does_not_hide_its_hello() {
    let hello = dtls_hello(0, b"cookie in a first hello");
    let mut other = hello.clone();
    // A cipher suite: version, random, session ID, and cookie are before the length of the list.
    let suite_at = 13 + 12 + 2 + 32 + 1 + 1 + 23 + 2;
    other[suite_at + 1] = 0x02;
    let len = u8::try_from(hello.len() - 25).unwrap();
    let forged = dtls_fragment(&other, 50, len);
    let suites = |datagrams: &[Vec<u8>]| -> Vec<u16> {
        let mut watch = Watch::new(TlsSettings::default());
        for (datagram, number) in datagrams.iter().zip(0..) {
            watch.datagram(&from_client(datagram), number * MILLISECOND);
        }
        let first = |seen: &&ClientHelloSeen| seen.hello.parsed().cipher_suites().iter().next().unwrap().0;
        watch.hellos().iter().map(first).collect()
    };
    assert_eq!(suites(&[forged.clone(), hello.clone(), hello.clone()]), [0x1301], "whole");
    let parts = [dtls_fragment(&hello, 0, 40), dtls_fragment(&hello, 40, len)];
    for times in 1..4 {
        let sent: Vec<_> =
            [&forged].into_iter().chain(parts.iter().cycle().take(2 * times)).cloned().collect();
        assert_eq!(suites(&sent), [0x1302, 0x1301], "both are told, sent {times} times");
    }
}

/// A client repeats its first hello until the server has asked for a cookie.
#[test]
fn a_hello_of_dtls_that_is_sent_again_is_no_packet_of_the_next_one() {
    let mut watch = Watch::new(TlsSettings::default());
    for number in 0..3 {
        watch.datagram(&from_client(&dtls_hello(0, b"")), number * MILLISECOND);
    }
    watch.datagram(&from_client(&dtls_hello(1, b"cookie")), 3 * MILLISECOND);
    let told: Vec<_> =
        watch.hellos().iter().map(|seen| (seen.hello_index, seen.packets, seen.first.frame)).collect();
    assert_eq!(told, [(0, 1, 1), (1, 1, 4)]);
}

#[test]
fn hellos_of_two_connections_of_a_flow_are_told_once_in_whatever_order_they_are_sent_again() {
    let told = |randoms: &[u8]| {
        let mut watch = Watch::new(TlsSettings::default());
        for (number, random) in (0..).zip(randoms) {
            // Long enough for their reader to be given up in between.
            watch.datagram(&from_client(&dtls_hello_of([*random; 32], 0, b"")), number * 12 * SECOND);
        }
        watch.hellos().len()
    };
    assert_eq!(told(&[5, 6, 5, 6, 6, 5]), 2);
    assert_eq!(told(&[5, 6, 7, 7, 6]), 3);
    assert_eq!(told(&[5, 6, 7, 5]), 4, "what was told of more than two is not known");
}

#[test]
fn flows_that_are_forgotten_for_others_are_counted() {
    let mut watch = Watch::new(TlsSettings::default().with_max_flows(1));
    for (number, client) in [CLIENT, [10, 0, 0, 3]].into_iter().enumerate() {
        let datagram = Ipv4::new(client, SERVER).udp(&Udp::new(50_000, 443, &dtls_hello(0, b"")));
        watch.datagram(&datagram, number as u64);
    }
    assert_eq!((watch.hellos().len(), watch.limit("tls_flows")), (2, 1));
}
