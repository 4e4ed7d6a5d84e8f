//! ServerHellos in pieces, and over DTLS.

use testkit::capture::{Capture, Record};
use testkit::packet::{IpHeader, Ipv4, Tcp, Udp, flags};
use testkit::rng::Rng;

use huginn_net_tls::TlsSettings;

use crate::captures::{open, table};
use crate::connections::{Connection, ISN, SERVER_ISN, hello, retry_request, server_hello};
use crate::watch::{MILLISECOND, SECOND, Watch, watch};

/// A handshake message in records of so many bytes.
fn in_records(message: &[u8], length: usize) -> Vec<u8> {
    let record = |part: &[u8]| [&[22, 3, 3, 0, part.len() as u8][..], part].concat();
    message.chunks(length).flat_map(record).collect()
}

#[test]
fn an_answer_over_several_records_and_segments_is_joined() {
    for entry in table("tls/ja3s.json", "vectors") {
        let message = &server_hello(entry["name"].as_str().unwrap())[5..];
        for (record, segment) in [(2, 1), (3, 7), (20, 1_000), (40, 30)] {
            for with_client in [true, false] {
                let records = in_records(message, record);
                let mut connection = Connection::opened();
                if with_client {
                    connection.sends(0, &hello());
                }
                for (index, part) in records.chunks(segment).enumerate() {
                    connection.answers(index * segment, part);
                }
                let [seen] = connection.watch.server_hellos()[..] else { panic!("{record} {segment}") };
                assert_eq!(seen.ja3s.to_string(), entry["ja3s"], "{record} {segment}");
            }
        }
    }
}

#[test]
fn a_retry_in_several_records_is_one_and_the_answer_behind_it_is_found() {
    let (hello, mut connection) = (hello(), Connection::opened());
    connection.sends(0, &hello);
    let retry = in_records(&retry_request()[5..], 9);
    connection.answers(0, &retry);
    connection.sends(hello.len(), &hello);
    connection
        .answers(retry.len(), &in_records(&server_hello("dec-tls13-TLS_AES_128_GCM_SHA256-0")[5..], 50));
    let [seen] = connection.watch.server_hellos()[..] else { panic!() };
    assert!(seen.after_hrr);
    assert_eq!(connection.watch.seen("tls_hello_retry_request"), 1);
    assert_eq!(connection.watch.hellos().len(), 2);
}

#[test]
fn an_answer_captured_before_the_second_hello_does_not_hide_it() {
    let (hello, mut connection) = (hello(), Connection::opened());
    let change_cipher_spec = [20, 3, 3, 0, 1, 1];
    connection.sends(0, &hello);
    connection.answers(0, &retry_request());
    connection.answers(retry_request().len(), &server_hello("dec-tls13-TLS_AES_128_GCM_SHA256-0"));
    connection.sends(hello.len(), &[&change_cipher_spec[..], &hello].concat());
    let told: Vec<_> = connection.watch.hellos().iter().map(|seen| seen.after_hrr).collect();
    assert_eq!(told, [false, true]);
    assert_eq!(connection.watch.server_hellos().len(), 1);
}

#[test]
fn a_hello_captured_behind_the_retry_that_it_was_answered_by_is_the_first() {
    let hello = hello();
    let second = ISN + 1 + hello.len() as u32;
    let told = |hellos: &[u32], cut: usize| -> Vec<_> {
        let mut connection = Connection::opened();
        let retry = Tcp::new(443, 40_000).sequence(SERVER_ISN + 1).acknowledgment(second).flags(flags::ACK);
        connection.push(&Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1]).tcp(&retry.payload(&retry_request())));
        for &at in hellos {
            connection.client(at + cut as u32, flags::ACK, &hello[cut..]);
            connection.client(at, flags::ACK, &hello[..cut]);
        }
        connection.watch.hellos().iter().map(|seen| (seen.hello_index, seen.after_hrr)).collect()
    };
    for cut in [1, 100] {
        assert_eq!(told(&[ISN + 1, second], cut), [(0, false), (1, true)]);
        assert_eq!(told(&[second], cut), [(0, true)], "the first was not captured");
    }
}

#[test]
fn records_that_hold_nothing_are_no_begin_of_a_hello() {
    let (alert, change_cipher_spec) = ([21, 3, 3, 0, 2, 2, 40], [20, 3, 3, 0, 1, 1]);
    let (hello, mut connection) = (hello(), Connection::opened());
    connection.sends(0, &hello);
    connection.answers(0, &change_cipher_spec);
    connection.answers(6, &alert);
    connection.sends(hello.len(), &[&change_cipher_spec[..], &alert].concat());
    connection.wait(11 * SECOND);
    connection.client(ISN, flags::RST, b"");
    assert_eq!(connection.watch.limit("tls_pending_time"), 0);
    // A part of one waits, as it may be that of any record.
    let mut connection = Connection::opened();
    connection.sends(0, &hello);
    connection.answers(0, &alert[..6]);
    connection.answers(6, &[&alert[6..], &server_hello("dec-tls13-TLS_AES_128_GCM_SHA256-0")].concat());
    assert_eq!(connection.watch.server_hellos().len(), 1);
}

#[test]
fn an_answer_in_more_records_than_the_limit_is_counted_and_does_not_hide_the_client() {
    let mut connection = Connection::opened();
    // A message of 200 bytes, one in each record.
    let message = [&[2, 0, 0, 196, 3, 3][..], &[7; 194]].concat();
    connection.answers(0, &in_records(&message, 1));
    assert_eq!(connection.watch.server_hellos().len(), 0);
    assert_eq!(connection.watch.limit("tls_too_long"), 1);
    connection.sends(0, &hello());
    assert_eq!(connection.watch.hellos().len(), 1);
}

/// Captures of DTLS and the JA3S that tshark 4.4 finds in them.
const DTLS: [(&str, &str); 3] = [
    ("pcap/gnutls-3.7.9-dtls.pcap", "51e03b04c8c77175b5562a0e94e39f1c"),
    ("pcap/openssl-3.0.19-dtls1_0.pcap", "a451b0339630ceb3e246407263b3cc54"),
    ("pcap/openssl-3.0.19-dtls1_2-frag.pcap", "51e03b04c8c77175b5562a0e94e39f1c"),
];

#[test]
fn answers_of_dtls_are_told_once_whatever_the_order_and_number_of_their_datagrams() {
    for (name, ja3s) in DTLS {
        let original = open(name);
        let mut rng = Rng::new(6);
        for round in 0..8 {
            let mut records = original.records.clone();
            if round > 0 {
                records.extend(original.records.clone());
                rng.shuffle(&mut records);
            }
            let watch = watch(&Capture { records, ..original });
            let [seen] = watch.server_hellos()[..] else { panic!("{name}: {:?}", watch.events) };
            assert_eq!(seen.ja3s.to_string(), ja3s, "{name}");
            assert_ne!(seen.origin.source, watch.hellos()[0].origin.source, "{name}");
            assert_eq!(watch.hellos().len(), 2, "{name}");
        }
    }
}

/// Captures of QUIC, in each of which tshark 4.4 finds the same JA3S.
const QUIC: [&str; 16] = [
    "q-aioquic-1.7.2-hq",
    "q-aioquic-1.7.2-ip-nosni",
    "q-aioquic-1.7.2-v1-to-v2",
    "q-aioquic-1.7.2-v2",
    "q-chromium-156.0.8078.79-1",
    "q-chromium-156.0.8078.79-2",
    "q-chromium-156.0.8078.79-3",
    "q-curl-8.14.1-ngtcp2-openssl",
    "q-curl_cffi-0.16.3-chrome145",
    "q-curl_cffi-0.16.3-chrome146",
    "q-curl_cffi-0.16.3-safari2601",
    "q-curl_cffi-0.16.3-safari260_ios",
    "q-deno-2.9.6-quinn",
    "q-gtlsclient-ngtcp2-1.11-gnutls",
    "q-quic-go-v1",
    "q-quic-go-v2",
];

#[test]
fn answers_of_quic_are_told_once_behind_their_client() {
    for name in QUIC {
        let original = open(&format!("quic-pcap/{name}.pcap"));
        let repeated = [&original.records[..], &original.records].concat();
        for records in [original.records.clone(), repeated] {
            let watch = watch(&Capture { records, ..original });
            let [seen] = watch.server_hellos()[..] else { panic!("{name}: {:?}", watch.events) };
            assert_eq!(seen.ja3s.to_string(), "15af977ce25de452b96affa2addb1036", "{name}");
            assert_eq!(&*seen.ja3s_full, "771,4866,43-51", "{name}");
            assert_eq!(seen.origin.source, watch.hellos()[0].origin.destination, "{name}");
            assert_eq!((watch.hellos().len(), watch.seen("tls_server_hello")), (1, 1), "{name}");
            // What the client sends behind the answer is not opened, with whatever keys.
            assert_eq!(watch.stats().malformed, [], "{name}");
        }
    }
}

/// Keys of both come from a connection ID that only the client sends.
#[test]
fn a_client_of_quic_captured_behind_its_server_is_told_and_the_server_when_it_is_captured_again() {
    for name in QUIC {
        let original = open(&format!("quic-pcap/{name}.pcap"));
        let source = |record: &Record| record.bytes[26..30].to_vec();
        let client = source(&original.records[0]);
        let (of_client, of_server): (Vec<_>, Vec<_>) =
            original.records.iter().cloned().partition(|record| source(record) == client);
        assert!(!of_server.is_empty(), "{name}");
        let told = |parts: &[&[Record]]| {
            let watch = watch(&Capture { records: parts.concat(), ..original.clone() });
            (watch.hellos().len(), watch.server_hellos().len())
        };
        assert_eq!(told(&[&of_server, &of_client]), (1, 0), "{name}");
        assert_eq!(told(&[&of_server, &of_client, &of_server]), (1, 1), "{name}");
    }
}

#[test]
fn forged_answers_of_quic_do_not_use_up_what_may_be_spent_on_the_server() {
    let original = open("quic-pcap/q-quic-go-v1.pcap");
    let source = |record: &Record| record.bytes[26..30].to_vec();
    let client = source(&original.records[0]);
    let answer = original.records.iter().position(|record| source(record) != client).unwrap();
    let mut forged = original.records[answer].clone();
    // The sixth byte behind the header of QUIC.
    forged.bytes[70] ^= 1;
    let mut records = original.records.clone();
    records.splice(answer..answer, core::iter::repeat_n(forged, 100));
    let watch = watch(&Capture { records, ..original });
    assert_eq!((watch.malformed("quic_not_authentic"), watch.malformed("quic_limit")), (100, 0));
    assert_eq!(watch.server_hellos().len(), 1);
}

#[test]
fn answers_of_two_connections_of_a_flow_are_told_once_in_whatever_order_they_are_sent_again() {
    let names = ["dec-tls13-TLS_AES_128_GCM_SHA256-0", "openssl-3.0.19-tls1_1-0"];
    let mut watch = Watch::new(TlsSettings::default());
    for round in 0..4 {
        for (name, after) in names.into_iter().zip([0, 12 * SECOND]) {
            let datagrams = dtls_datagrams(&server_hello(name)[5..], 200);
            // Long enough for their reader to be given up in between.
            feed_after(round * 24 * SECOND + after, &mut watch, &datagrams);
        }
        assert_eq!(watch.server_hellos().len(), 2, "round {round}");
    }
}

/// A handshake message of a server in DTLS fragments of so many bytes, each in its own datagram.
fn dtls_datagrams(message: &[u8], size: usize) -> Vec<Vec<u8>> {
    let (header, body) = message.split_at(4);
    let fragments = body.chunks(size).enumerate();
    fragments
        .map(|(index, data)| {
            let (offset, len) = ((index * size) as u8, data.len() as u8);
            let record = [22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, index as u8, 0, 12 + len];
            [&record[..], header, &[0, 0, 0, 0, offset, 0, 0, len], data].concat()
        })
        .collect()
}

fn feed(watch: &mut Watch, datagrams: &[Vec<u8>]) {
    feed_after(0, watch, datagrams);
}

fn feed_after(nanos: u64, watch: &mut Watch, datagrams: &[Vec<u8>]) {
    for (number, payload) in datagrams.iter().enumerate() {
        let datagram = Ipv4::new([10, 0, 0, 2], [10, 0, 0, 1]).udp(&Udp::new(443, 50_000, payload));
        watch.datagram(&datagram, nanos + number as u64 * MILLISECOND);
    }
}

#[test]
fn an_answer_of_dtls_is_joined_from_fragments_and_a_retry_before_it_is_none() {
    let mut watch = Watch::new(TlsSettings::default());
    feed(&mut watch, &dtls_datagrams(&retry_request()[5..], 10));
    assert_eq!((watch.server_hellos().len(), watch.seen("tls_hello_retry_request")), (0, 1));
    let entries = table("tls/ja3s.json", "vectors");
    let answer = &server_hello(entries[0]["name"].as_str().unwrap())[5..];
    let mut fragments = dtls_datagrams(answer, 11);
    fragments.reverse();
    for _ in 0..2 {
        feed(&mut watch, &fragments);
    }
    let [seen] = watch.server_hellos()[..] else { panic!("{:?}", watch.stats()) };
    assert_eq!(
        (seen.ja3s.to_string().as_str(), seen.after_hrr),
        (entries[0]["ja3s"].as_str().unwrap(), true)
    );
    assert_eq!(watch.seen("tls_server_hello"), 1);
}

#[test]
fn each_association_of_dtls_on_the_same_ports_has_its_own_retry() {
    let names = ["dec-tls13-TLS_AES_128_GCM_SHA256-0", "openssl-3.0.19-tls1_1-0"];
    let mut watch = Watch::new(TlsSettings::default());
    for (second, name) in (0..).zip(names) {
        let at = second * SECOND;
        watch.datagram(&dtls_hello(u8::try_from(second).unwrap()), at);
        feed_after(at + MILLISECOND, &mut watch, &dtls_datagrams(&retry_request()[5..], 200));
        feed_after(at + 2 * MILLISECOND, &mut watch, &dtls_datagrams(&server_hello(name)[5..], 200));
    }
    assert_eq!(watch.hellos().len(), 2);
    let retried: Vec<_> = watch.server_hellos().iter().map(|seen| seen.after_hrr).collect();
    assert_eq!(retried, [true; 2]);
}

/// The hello of a client of DTLS, with a random of such bytes, to the server of these tests.
fn dtls_hello(random: u8) -> Vec<u8> {
    let body = [&[0xfe, 0xfd][..], &[random; 32], &[0, 0, 0, 2, 0x13, 0x01, 1, 0, 0, 0]].concat();
    let len = u8::try_from(body.len()).unwrap();
    let header =
        [22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12 + len, 1, 0, 0, len, 0, 0, 0, 0, 0, 0, 0, len];
    Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).udp(&Udp::new(50_000, 443, &[&header[..], &body].concat()))
}

#[test]
fn a_fragment_in_the_name_of_a_server_of_dtls_does_not_hide_its_answer() {
    let name = "openssl-3.0.19-tls1_1-0";
    let honest = dtls_datagrams(&server_hello(name)[5..], 11);
    let mut forged = honest[0].clone();
    // The version, which is before the random.
    forged[13 + 12 + 1] ^= 1;
    for times in 1..3 {
        let mut watch = Watch::new(TlsSettings::default());
        feed(&mut watch, &[forged.clone()]);
        for _ in 0..times {
            feed_after(SECOND, &mut watch, &honest);
        }
        let versions: Vec<u16> = watch.server_hellos().iter().map(|seen| seen.version.0).collect();
        assert_eq!(versions, [0x0303, 0x0302], "{times}");
        assert_eq!(watch.seen("tls_overlap_conflict"), 1);
    }
}
