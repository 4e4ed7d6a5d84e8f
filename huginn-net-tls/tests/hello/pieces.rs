//! Hellos that arrive in pieces, are cut, repeated, or meant to hurt.

use huginn_net_core::Progress;
use huginn_net_tls::{
    Carrier, ClientHello, ClientHelloReader, HelloLimits, Ja4Options, ProtocolVersion, Sslv2Hello, TlsError,
};

use crate::corpus::{self, fingerprints, message_of_stream, named, parse};

fn record(content: u8, body: &[u8]) -> Vec<u8> {
    let mut record = vec![content, 3, 1];
    record.extend(u16::try_from(body.len()).unwrap().to_be_bytes());
    record.extend(body);
    record
}

/// Pushes pieces; the JA4 and the number of the piece that completed it.
fn push_all<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Result<Option<(String, usize)>, TlsError> {
    let mut reader = ClientHelloReader::new();
    for (index, piece) in pieces.into_iter().enumerate() {
        if let Progress::Done(hello) = reader.push(piece)? {
            return Ok(Some((hello.ja4().to_string(), index)));
        }
    }
    Ok(None)
}

#[test]
fn a_message_cut_at_any_byte_needs_more() {
    for name in ["hand-base-tls13", "hand-dtls13", "firefox-esr-153.7.0-resumption__4"] {
        let vector = named(name);
        let message =
            if vector.is_stream() { message_of_stream(&vector.bytes) } else { vector.bytes.clone() };
        for cut in 0..message.len() {
            assert!(
                matches!(ClientHello::parse(&message[..cut], vector.carrier), Ok(Progress::NeedMore)),
                "{name} cut at {cut}"
            );
        }
    }
}

#[test]
fn a_message_shorter_than_it_says_inside_is_read_or_refused_at_every_length() {
    let message = message_of_stream(&named("hand-base-tls13").bytes);
    // Through the compression methods: the fields that must be there.
    let required = 4 + 2 + 32 + 33 + 10 + 2;
    for length in 4..message.len() {
        let mut cut = message[..length].to_vec();
        cut[1..4].copy_from_slice(&u32::try_from(length - 4).unwrap().to_be_bytes()[1..]);
        match ClientHello::parse(&cut, Carrier::Tcp) {
            Ok(Progress::Done(hello)) => {
                assert!(length >= required, "{length}");
                assert_eq!(hello.flaws().is_empty(), length == required, "{length}");
            }
            Err(TlsError::Truncated { .. }) => assert!(length < required, "{length}"),
            other => panic!("{length}: {other:?}"),
        }
    }
}

#[test]
fn a_record_cut_at_any_byte_is_incomplete() {
    for name in ["hand-base-tls13", "hand-ccs-before", "hand-alert-then-hello"] {
        let bytes = named(name).bytes;
        for cut in 0..bytes.len() {
            assert_eq!(
                ClientHello::from_record(&bytes[..cut]).unwrap_err(),
                TlsError::Incomplete,
                "{name} {cut}"
            );
        }
    }
}

#[test]
fn every_split_in_two_gives_the_same_hello() {
    for vector in corpus::all().iter().filter(|vector| vector.is_stream() && vector.bytes.len() < 700) {
        let expected = vector.entry["expected"]["ja4"].as_str().unwrap().to_owned();
        for cut in 0..=vector.bytes.len() {
            let (head, tail) = vector.bytes.split_at(cut);
            let whole = usize::from(cut < vector.bytes.len());
            assert_eq!(
                push_all([head, tail]),
                Ok(Some((expected.clone(), whole))),
                "{} at {cut}",
                vector.name
            );
        }
    }
}

#[test]
fn one_byte_at_a_time_gives_the_same_hello_at_its_last_byte() {
    for vector in corpus::all().iter().filter(|vector| vector.is_stream()) {
        let mut reader = ClientHelloReader::new();
        let (last, before) = vector.bytes.split_last().unwrap();
        for byte in before {
            assert!(
                matches!(reader.push(std::slice::from_ref(byte)), Ok(Progress::NeedMore)),
                "{}",
                vector.name
            );
        }
        let Ok(Progress::Done(hello)) = reader.push(std::slice::from_ref(last)) else {
            panic!("{}", vector.name)
        };
        let found = fingerprints(&hello, Ja4Options::default());
        assert_eq!(found, vector.entry["expected"], "{}", vector.name);
    }
}

#[test]
fn records_of_any_size_give_the_same_hello() {
    let vector = named("hand-base-tls13");
    let message = message_of_stream(&vector.bytes);
    let expected = vector.entry["expected"]["ja4"].as_str().unwrap();
    for size in 2..message.len() {
        let stream: Vec<u8> = message.chunks(size).flat_map(|part| record(22, part)).collect();
        assert_eq!(push_all([&stream[..]]), Ok(Some((expected.to_owned(), 0))), "records of {size}");
        assert_eq!(
            ClientHello::from_record(&stream).unwrap_err(),
            TlsError::SeveralRecords,
            "records of {size}"
        );
    }
}

#[test]
fn a_second_message_in_the_record_does_not_belong_to_the_hello() {
    let vector = named("hand-base-tls13");
    let message = message_of_stream(&vector.bytes);
    let stream = record(22, &[&message[..], &[4, 0, 0, 2, 9, 9]].concat());
    let hello = ClientHello::from_record(&stream).unwrap();
    assert_eq!(hello.message(), message);
    let expected = vector.entry["expected"]["ja4"].as_str().unwrap();
    let (head, tail) = stream.split_at(20);
    assert_eq!(push_all([head, tail]), Ok(Some((expected.to_owned(), 1))));
}

#[test]
fn a_hello_is_complete_although_its_record_and_what_follows_are_not() {
    let message = message_of_stream(&named("hand-base-tls13").bytes);
    let mut stream = record(22, &[&message[..], &[0; 100]].concat());
    stream.truncate(5 + message.len());
    assert!(ClientHello::from_record(&stream).is_ok());
    // Early data follows at once.
    let stream = [record(22, &message), record(23, &[0; 50])].concat();
    assert!(ClientHello::from_record(&stream).is_ok());
}

#[test]
fn a_second_hello_is_read_after_the_first() {
    let first = named("curl-7.88.1-hrr").bytes;
    let second = [record(20, &[1]), named("curl-7.88.1-hrr__2").bytes].concat();
    let mut reader = ClientHelloReader::new();
    let mut found = Vec::new();
    for piece in [&first[..50], &first[50..], &second[..3], &second[3..]] {
        if let Progress::Done(hello) = reader.push(piece).unwrap() {
            found.push(hello.ja4().to_string());
        }
    }
    let expected = ["curl-7.88.1-hrr", "curl-7.88.1-hrr__2"]
        .map(|name| named(name).entry["expected"]["ja4"].as_str().unwrap().to_owned());
    assert_eq!(found, expected);
}

/// A first hello that announces early data, what follows it at once, and the hello that answers a HelloRetryRequest.
fn retried_with_early_data() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let first = corpus::message(&[], &[0x1301], &[(0x002a, &[]), (0x0029, &[])]);
    let second = corpus::message(&[], &[0x1302], &[]);
    let behind = [record(20, &[1]), record(23, &[0x17; 300]), record(23, &[0x16; 40])].concat();
    (first, behind, second)
}

#[test]
fn early_data_is_passed_over_on_the_way_to_the_second_hello() {
    let (first, behind, second) = retried_with_early_data();
    let stream = [record(22, &first), behind, record(22, &second)].concat();
    for size in [1, 2, 7, 50, 100, 333, stream.len()] {
        let mut reader = ClientHelloReader::new();
        let mut found = Vec::new();
        for piece in stream.chunks(size) {
            let mut rest = piece;
            while !rest.is_empty() {
                if let Progress::Done(hello) = reader.push(rest).unwrap() {
                    found.push(hello.message().to_vec());
                }
                rest = &rest[reader.consumed()..];
            }
        }
        assert_eq!(found, [&first[..], &second[..]], "pieces of {size}");
    }
}

#[test]
fn application_data_stands_before_no_hello_unless_early_data_was_announced() {
    let (_, behind, second) = retried_with_early_data();
    let mut reader = ClientHelloReader::new();
    assert!(matches!(reader.push(&record(22, &second)), Ok(Progress::Done(_))));
    assert_eq!(reader.push(&behind).unwrap_err(), TlsError::NotHandshake(23));
}

#[test]
fn early_data_without_end_is_refused_after_as_many_records_as_the_limit() {
    let (first, ..) = retried_with_early_data();
    let mut reader = ClientHelloReader::new();
    assert!(matches!(reader.push(&record(22, &first)), Ok(Progress::Done(_))));
    for _ in 0..128 {
        assert!(matches!(reader.push(&record(23, &[0; 500])), Ok(Progress::NeedMore)));
    }
    let error = TlsError::Limit { what: "records", limit: 128 };
    assert_eq!(reader.push(&record(23, &[0; 500])).unwrap_err(), error);
    assert_eq!(reader.held_bytes(), 0);
}

#[test]
fn what_follows_a_hello_is_left_and_told() {
    let message = corpus::message(&[], &[0x1301], &[]);
    let stream = [record(22, &[&message[..], &[4, 0, 0]].concat()), vec![20, 3]].concat();
    for cut in 0..5 + message.len() {
        let mut reader = ClientHelloReader::new();
        assert!(matches!(reader.push(&stream[..cut]), Ok(Progress::NeedMore)));
        assert_eq!(reader.consumed(), cut);
        assert!(matches!(reader.push(&stream[cut..]), Ok(Progress::Done(_))), "cut at {cut}");
        assert_eq!(cut + reader.consumed(), 5 + message.len(), "cut at {cut}");
        // The rest of that record is another message.
        let rest = &stream[5 + message.len()..];
        assert_eq!(reader.push(rest).unwrap_err(), TlsError::NotClientHello(4), "cut at {cut}");
    }
}

#[test]
fn a_stream_that_failed_holds_nothing() {
    let mut reader = ClientHelloReader::new();
    assert!(matches!(reader.push(&[22, 3, 1, 0x3f, 0xff, 1, 0, 0x7f, 0, 3, 3]), Ok(Progress::NeedMore)));
    let message = [0; 9_000];
    assert!(matches!(reader.push(&message), Ok(Progress::NeedMore)));
    assert!(reader.held_bytes() >= 9_000);
    // The record ends, and none follows.
    assert_eq!(reader.push(&[7; 9_000]).unwrap_err(), TlsError::NotHandshake(7));
    assert_eq!(reader.held_bytes(), 0);
}

#[test]
fn what_is_not_tls_is_refused_at_its_first_wrong_byte() {
    let refused = |bytes: &[u8]| {
        let mut reader = ClientHelloReader::new();
        let (last, before) = bytes.split_last().unwrap();
        for byte in before {
            assert!(
                matches!(reader.push(std::slice::from_ref(byte)), Ok(Progress::NeedMore)),
                "{bytes:02x?}"
            );
        }
        let error = reader.push(std::slice::from_ref(last)).unwrap_err();
        assert_eq!(ClientHello::from_record(bytes).unwrap_err(), error, "{bytes:02x?}");
        assert_eq!(reader.push(&[0]).unwrap_err(), error, "{bytes:02x?}");
        error
    };
    assert_eq!(refused(b"G"), TlsError::NotHandshake(b'G'));
    assert_eq!(refused(&[23]), TlsError::NotHandshake(23));
    assert_eq!(refused(&[22, 2, 9]), TlsError::RecordVersion(ProtocolVersion(0x0209)));
    assert_eq!(refused(&[22, 3, 5]), TlsError::RecordVersion(ProtocolVersion(0x0305)));
    assert_eq!(refused(&[22, 3, 1, 0x48, 0x01]), TlsError::RecordLength(0x4801));
    assert_eq!(refused(&[20, 3, 1, 0, 2]), TlsError::RecordLength(2));
    assert_eq!(refused(&[21, 3, 1, 0, 0]), TlsError::RecordLength(0));
    assert_eq!(refused(&[22, 3, 1, 0, 9, 2]), TlsError::NotClientHello(2));
    assert_eq!(refused(&[0x80, 0x20, 2]), TlsError::NotHandshake(0x80));
    assert_eq!(refused(&[0x80, 0x20, 1, 9, 9]), TlsError::NotHandshake(0x80));
    // Lengths that do not add up.
    assert_eq!(refused(&[0x80, 0x20, 1, 3, 1, 0, 3, 0, 0, 0, 16]), TlsError::NotHandshake(0x80));
}

#[test]
fn a_hello_longer_than_its_limit_is_refused_by_its_length_alone() {
    let limits = HelloLimits::default().with_max_hello_bytes(1000);
    let mut reader = ClientHelloReader::with_limits(limits);
    let error = TlsError::Limit { what: "hello bytes", limit: 1000 };
    assert!(matches!(reader.push(&[22, 3, 1, 0x3f, 0xff, 1, 0, 0x03]), Ok(Progress::NeedMore)));
    assert_eq!(reader.push(&[0xe5]).unwrap_err(), error);

    let mut reader = ClientHelloReader::with_limits(limits);
    assert!(matches!(reader.push(&[22, 3, 1, 0x3f, 0xff, 1, 0, 0x03, 0xe4]), Ok(Progress::NeedMore)));

    let mut reader = ClientHelloReader::new();
    let error = TlsError::Limit { what: "hello bytes", limit: 32 << 10 };
    assert_eq!(reader.push(&[22, 3, 1, 0x3f, 0xff, 1, 0xff, 0xff, 0xff]).unwrap_err(), error);
}

#[test]
fn lengths_that_no_sslv2_hello_has_are_refused() {
    let hello = |ciphers: u8, session: u8, challenge: u8| {
        let length = 9 + ciphers + session + challenge;
        let mut bytes = vec![0x80, length, 1, 3, 1, 0, ciphers, 0, session, 0, challenge];
        bytes.resize(2 + usize::from(length), 0);
        Sslv2Hello::parse(&bytes).map(|parsed| parsed.done().is_some())
    };
    for (ciphers, session, challenge) in [(3, 0, 16), (6, 16, 32)] {
        assert_eq!(hello(ciphers, session, challenge), Ok(true));
    }
    for (ciphers, session, challenge) in
        [(0, 0, 16), (4, 0, 16), (5, 0, 16), (3, 1, 16), (3, 17, 16), (3, 0, 15), (3, 0, 33)]
    {
        let refused = Err(TlsError::NotHandshake(0x80));
        assert_eq!(hello(ciphers, session, challenge), refused, "{ciphers} {session} {challenge}");
    }
}

#[test]
fn an_sslv2_hello_longer_than_its_limit_is_refused() {
    let limits = HelloLimits::default().with_max_hello_bytes(100);
    let mut reader = ClientHelloReader::with_limits(limits);
    // 300 bytes of cipher specs and a challenge of 16.
    let mut stream = vec![0x81, 0x45, 1, 3, 1, 0x01, 0x2c, 0, 0, 0, 16];
    stream.resize(327, 0);
    let error = TlsError::Limit { what: "hello bytes", limit: 100 };
    assert!(matches!(reader.push(&stream[..50]), Ok(Progress::NeedMore)));
    assert_eq!(reader.push(&stream[50..110]).unwrap_err(), error);
}

#[test]
fn more_records_than_the_limit_are_refused() {
    let message = message_of_stream(&named("hand-base-tls13").bytes);
    let stream: Vec<u8> = message.chunks(1).flat_map(|byte| record(22, byte)).collect();
    let mut reader = ClientHelloReader::new();
    let error = TlsError::Limit { what: "records", limit: 128 };
    assert!(matches!(reader.push(&stream[..128 * 6]), Ok(Progress::NeedMore)));
    assert_eq!(reader.push(&stream[128 * 6..]).unwrap_err(), error);

    let alerts = record(21, &[1, 0]).repeat(129);
    assert_eq!(ClientHello::from_record(&alerts).unwrap_err(), error);
}

#[test]
fn four_empty_records_are_passed_over_and_the_fifth_is_refused() {
    let hello = named("hand-base-tls13").bytes;
    let with_empty = |count: usize| [record(22, &[]).repeat(count), hello.clone()].concat();
    assert!(ClientHello::from_record(&with_empty(4)).is_ok());
    let stream = with_empty(4);
    assert!(push_all(stream.chunks(1)).unwrap().is_some());
    let error = TlsError::Limit { what: "empty records", limit: 4 };
    assert_eq!(ClientHello::from_record(&with_empty(5)).unwrap_err(), error);
    let stream = with_empty(5);
    assert_eq!(push_all(stream.chunks(1)), Err(error));
}

#[test]
fn a_list_longer_than_fits_on_the_stack_is_sorted_and_hashed_all_the_same() {
    // 2 000 cipher suites in falling order, and as many extensions.
    let ciphers: Vec<u16> = (0x1000..0x1000 + 2000).rev().collect();
    let extensions: Vec<(u16, &[u8])> = (0x2000..0x2000 + 2000).rev().map(|kind| (kind, &[][..])).collect();
    let message = corpus::message(&[], &ciphers, &extensions);
    let hello = parse(&message, Carrier::Tcp);
    let join = |range: std::ops::Range<u16>| {
        let values = range.filter(|value| (value >> 8) != value & 0xff || value & 0x0f != 0x0a);
        values.map(|value| format!("{value:04x}")).collect::<Vec<_>>().join(",")
    };
    let expected = format!("t12i999900_{}_{}", join(0x1000..0x1000 + 2000), join(0x2000..0x2000 + 2000));
    assert_eq!(hello.ja4_r().to_string(), expected);
    let hash = |text: &str| {
        use sha2::Digest;
        let digest = sha2::Sha256::digest(text);
        digest[..6].iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let mut sections = expected.split('_').skip(1).map(hash);
    let expected = format!("t12i999900_{}_{}", sections.next().unwrap(), sections.next().unwrap());
    assert_eq!(hello.ja4().to_string(), expected);
}

mod properties {
    use proptest::prelude::*;

    use super::*;

    fn touch(bytes: &[u8]) {
        for carrier in [Carrier::Tcp, Carrier::Quic, Carrier::Dtls] {
            if let Ok(Progress::Done(hello)) = ClientHello::parse(bytes, carrier) {
                let ja4 = hello.ja4();
                assert_eq!(ja4.as_str().parse(), Ok(ja4));
                let text = hello.ja4_ro().to_string();
                assert_eq!(text.get(..10), ja4.as_str().get(..10));
                assert_eq!(hello.ja3_full().to_string().matches(',').count(), 4);
                let _ = (fingerprints(&hello, Ja4Options::default()), hello.flaws(), hello.session());
                let _ = (hello.server_name(), hello.alpn().count(), hello.key_share_groups().count());
                let _ = (hello.pre_shared_keys(), hello.encrypted_hello(), hello.has_grease());
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_after_a_header_are_read_or_refused(body in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut message = vec![1, 0];
            message.extend(u16::try_from(body.len()).unwrap().to_be_bytes());
            message.extend(&body);
            touch(&message);
        }

        #[test]
        fn a_hello_with_any_bytes_changed_is_read_or_refused(
            changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        ) {
            let mut message = message_of_stream(&std::fs::read(testkit::corpus::path("tls/hello/hand-ech-outer.bin")).unwrap());
            for (place, value) in changes {
                let place = place.index(message.len());
                message[place] = value;
            }
            touch(&message);
        }

        #[test]
        fn any_pieces_of_a_stream_are_the_same_as_the_whole(
            content in proptest::collection::vec((prop_oneof![Just(20_u8), Just(21), Just(22), any::<u8>()], proptest::collection::vec(any::<u8>(), 0..40)), 0..6),
            cuts in proptest::collection::vec(1_usize..60, 0..20),
        ) {
            let stream: Vec<u8> = content.iter().flat_map(|(kind, body)| record(*kind, body)).collect();
            let mut rest = &stream[..];
            let mut pieces = Vec::new();
            for cut in cuts {
                let (piece, behind) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = behind;
            }
            pieces.push(rest);
            let whole = push_all([&stream[..]]).map(|found| found.map(|(ja4, _)| ja4));
            let cut = push_all(pieces).map(|found| found.map(|(ja4, _)| ja4));
            prop_assert_eq!(cut, whole);
        }
    }
}
