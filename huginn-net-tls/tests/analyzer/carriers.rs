//! How many packets carried a hello, and which of them was the first.

use huginn_net_tls::TlsSettings;
use testkit::packet::{IpHeader, Ipv4, Udp, flags};

use crate::connections::{Connection, ISN, JA4, hello, retry_request};
use crate::datagrams::{dtls_fragment, dtls_hello, from_client, vector};
use crate::watch::{MILLISECOND, Watch};

const CHANGE_CIPHER_SPEC: [u8; 6] = [20, 3, 3, 0, 1, 1];

/// The number of packets that carried the only hello of a connection, and the number of the first of them among these
/// segments, each with its offset, that a client sends.
fn carriers(segments: &[(usize, &[u8])]) -> (u32, usize) {
    let mut connection = Connection::opened();
    for &(at, payload) in segments {
        connection.sends(at, payload);
    }
    assert_eq!(connection.watch.ja4(), [JA4]);
    let [seen] = connection.watch.hellos()[..] else { panic!() };
    // Behind SYN and SYN+ACK.
    (seen.packets, usize::try_from(seen.first.frame).unwrap() - 3)
}

#[test]
fn a_packet_that_brought_only_what_stands_before_a_hello_did_not_carry_it() {
    let hello = hello();
    let stream = [&CHANGE_CIPHER_SPEC[..], &hello].concat();
    for cut in 1..=6 {
        let (before, behind) = stream.split_at(cut);
        assert_eq!(carriers(&[(0, before), (cut, behind)]), (1, 1), "{cut}");
        assert_eq!(
            carriers(&[(0, before), (cut, &behind[..50]), (cut + 50, &behind[50..])]),
            (2, 1),
            "{cut}"
        );
    }
    assert_eq!(carriers(&[(0, &stream[..2]), (2, &stream[2..4]), (4, &stream[4..])]), (1, 2));
    assert_eq!(carriers(&[(0, &stream[..3]), (6, &hello), (3, &stream[3..6])]), (1, 1), "it waits");
    assert_eq!(
        carriers(&[(0, &stream[..3]), (56, &stream[56..]), (3, &stream[3..56])]),
        (2, 1),
        "a part of it"
    );
    let connect = b"CONNECT www.example.test:443 HTTP/1.1\r\n\r\n";
    let stream = [&connect[..], &hello].concat();
    assert_eq!(carriers(&[(0, &stream[..20]), (20, &stream[20..])]), (1, 1), "an HTTP request");
}

#[test]
fn a_packet_that_brought_only_what_stands_behind_a_hello_did_not_carry_it() {
    let hello = hello();
    let early_data = [23, 3, 3, 0, 95].into_iter().chain([7; 95]).collect::<Vec<u8>>();
    let end = hello.len();
    let (first, second) = hello.split_at(100);
    assert_eq!(carriers(&[(0, first), (end, &early_data), (100, second)]), (2, 0));
    assert_eq!(carriers(&[(end, &early_data), (0, first), (100, second)]), (2, 1));
    let (both, rest) = ([second, &early_data[..10]].concat(), &early_data[10..]);
    let longer = [second, &early_data].concat();
    assert_eq!(carriers(&[(100, second), (100, &longer), (0, first)]), (2, 0), "it repeats what waits");
    assert_eq!(carriers(&[(end + 10, rest), (100, &both), (0, first)]), (2, 1));
    // In records of 60 bytes.
    let records: Vec<u8> = hello[5..]
        .chunks(60)
        .flat_map(|part| [&[22, 3, 1, 0, u8::try_from(part.len()).unwrap()], part].concat())
        .collect();
    let (first, second) = records.split_at(70);
    assert_eq!(carriers(&[(0, first), (records.len(), &early_data), (70, second)]), (2, 0));
}

#[test]
fn a_packet_that_repeats_a_part_of_a_hello_counts_by_what_is_new_in_it() {
    let hello = hello();
    let segments = [
        (0, &hello[..100]),
        (0, &hello[..100]),
        (50, &hello[50..150]),
        (20, &hello[20..120]),
        (100, &hello[100..]),
        (0, &hello[..]),
    ];
    assert_eq!(carriers(&segments), (3, 0));
    assert_eq!(carriers(&[(100, &hello[100..]), (100, &hello[100..]), (0, &hello[..])]), (2, 0), "it waits");
}

#[test]
fn a_syn_that_brought_a_part_of_a_hello_carried_it() {
    let hello = hello();
    let mut connection = Connection::new();
    connection.client(ISN, flags::SYN, &hello[..100]);
    connection.client(ISN, flags::SYN, &hello[..100]);
    connection.sends(0, &hello[..60]);
    connection.sends(60, &hello[60..]);
    let [seen] = connection.watch.hellos()[..] else { panic!() };
    assert_eq!((seen.packets, seen.first.frame), (2, 1));
}

#[test]
fn a_second_hello_counts_its_own_packets() {
    let hello = hello();
    let mut connection = Connection::opened();
    connection.sends(0, &hello);
    connection.answers(0, &retry_request());
    let at = hello.len();
    connection.sends(at, &CHANGE_CIPHER_SPEC[..3]);
    connection.sends(at + 3, &[&CHANGE_CIPHER_SPEC[3..], &hello].concat());
    let told: Vec<_> =
        connection.watch.hellos().iter().map(|seen| (seen.packets, seen.first.frame)).collect();
    assert_eq!(told, [(1, 3), (1, 6)]);
}

#[test]
fn packets_beyond_those_that_are_told_apart_are_counted() {
    let hello = hello();
    let mut segments: Vec<_> = hello.chunks(1).enumerate().skip(1).collect();
    segments.push((0, &hello[..1]));
    assert_eq!(carriers(&segments), (u32::try_from(hello.len()).unwrap(), 0));
}

#[test]
fn a_datagram_in_fragments_is_one_packet() {
    let (datagrams, ja4) = vector("q-chromium-156.0.8078.79-1");
    let mut watch = Watch::new(TlsSettings::default());
    for (payload, nanos) in datagrams.iter().zip(0..) {
        let udp = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).udp(&Udp::new(50_000, 443, payload));
        let (header, data) = udp.split_at(20);
        for (at, part) in data.chunks(600).enumerate() {
            let more = at * 600 + part.len() < data.len();
            let mut fragment = [header, part].concat();
            let offset = u16::try_from(at * 600 / 8).unwrap() | u16::from(more) << 13;
            let length = u16::try_from(fragment.len()).unwrap();
            fragment[2..4].copy_from_slice(&length.to_be_bytes());
            fragment[4..6].copy_from_slice(&u16::to_be_bytes(100 + nanos as u16));
            fragment[6..8].copy_from_slice(&offset.to_be_bytes());
            watch.datagram(&fragment, nanos);
        }
    }
    assert_eq!((watch.ja4(), watch.hellos()[0].packets), (vec![ja4], 2));
}

#[test]
fn a_datagram_of_quic_that_repeats_another_did_not_carry_the_hello() {
    let (datagrams, ja4) = vector("q-chromium-156.0.8078.79-1");
    let [first, second] = &datagrams[..] else { panic!() };
    for (order, expected) in [
        (&[first, first, second][..], (2, 1)),
        (&[second, second, second, first], (2, 1)),
        (&[first, second], (2, 1)),
    ] {
        let mut watch = Watch::new(TlsSettings::default());
        for (payload, number) in order.iter().zip(0..) {
            watch.datagram(&from_client(payload), number * MILLISECOND);
        }
        assert_eq!(watch.ja4(), [ja4.as_str()]);
        let seen = watch.hellos()[0];
        assert_eq!((seen.packets, seen.first.frame), expected);
        assert_eq!(seen.quic.unwrap().initials as usize, order.len(), "those that repeat it, too");
    }
}

#[test]
fn a_datagram_of_dtls_that_repeats_another_did_not_carry_the_hello() {
    let (first, second) = (dtls_hello(0, b""), dtls_hello(1, b"cookie"));
    let parts = |hello: &[u8]| {
        let len = u8::try_from(hello.len() - 25).unwrap();
        [(0, 20), (20, 30), (30, len)].map(|(from, to)| dtls_fragment(hello, from, to))
    };
    let [a, b, c] = parts(&first);
    let [d, e, f] = parts(&second);
    let told = |datagrams: &[&[u8]]| {
        let mut watch = Watch::new(TlsSettings::default());
        for (payload, number) in datagrams.iter().zip(0..) {
            watch.datagram(&from_client(payload), number * MILLISECOND);
        }
        watch.hellos().iter().map(|seen| (seen.packets, seen.first.frame)).collect::<Vec<_>>()
    };
    assert_eq!(told(&[&b, &b, &a, &b, &c]), [(3, 1)]);
    let (b_and_c, joined) = ([&b[..], &c].concat(), [&a[..], &b].concat());
    assert_eq!(told(&[&a, &b_and_c]), [(2, 1)], "two fragments in a datagram");
    assert_eq!(told(&[&a, &a, &joined, &joined, &c]), [(3, 1)]);
    // The first hello is sent again, in part, before the second and between its fragments.
    assert_eq!(told(&[&a, &b, &c, &a, &d, &b, &e, &d, &f]), [(3, 1), (3, 5)]);
}
