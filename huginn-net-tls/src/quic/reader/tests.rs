use huginn_net_core::Progress;
use proptest::prelude::*;
use testkit::rng::Rng;

use super::super::testing::{Initial, crypto, hello, varint};
use super::super::{QuicLimit, QuicPacketType};
use super::*;

const FIRST_ID: &[u8] = b"client's";
const SERVER_ID: &[u8] = b"srv";
const RETRY_ID: &[u8] = b"again";

fn reader() -> QuicInitialReader {
    QuicInitialReader::new()
}

fn limited(change: impl FnOnce(&mut QuicLimits)) -> QuicInitialReader {
    let mut limits = QuicLimits::default();
    change(&mut limits);
    QuicInitialReader::with_limits(limits)
}

/// The message of a hello that a datagram completes.
fn push(reader: &mut QuicInitialReader, datagram: &[u8]) -> Result<Option<Vec<u8>>, QuicError> {
    reader.push(datagram).map(|progress| progress.map(|hello| hello.message.to_vec()).done())
}

fn limit<T>(what: QuicLimit, limit: usize) -> Result<T, QuicError> {
    Err(QuicError::Limit { what, limit })
}

fn too_long(limit: usize) -> QuicError {
    QuicError::Hello(TlsError::Limit { what: "hello bytes", limit })
}

#[test]
fn tells_what_the_packets_of_a_hello_were() {
    let message = hello(7, 300);
    let first = Initial { token: b"token".to_vec(), ..Initial::to(FIRST_ID) };
    let second = Initial { destination: SERVER_ID.to_vec(), number: 1, ..first.clone() };
    let mut reader = reader();
    let end = [&[1][..], &crypto(100, &message[100..])].concat();
    assert_eq!(push(&mut reader, &first.with(&end)), Ok(None));
    let start = second.with(&crypto(0, &message[..100]));
    let hello = QuicHello {
        message: &message,
        hello_index: 0,
        facts: QuicFacts {
            version: QuicVersion::V1,
            destination_id_len: 8,
            source_id_len: 2,
            token_len: 5,
            initials: 2,
            crypto_pieces: 2,
            in_order: false,
        },
        #[cfg(feature = "capture")]
        carriers: None,
    };
    assert_eq!(reader.push(&start), Ok(Progress::Done(hello)));
}

#[test]
fn pieces_in_order_are_told_apart_from_shuffled_ones() {
    let message = hello(7, 300);
    let packet = Initial::to(FIRST_ID);
    let in_order = packet.with(&[crypto(0, &message[..100]), crypto(100, &message[100..])].concat());
    let shuffled = packet.with(&[crypto(100, &message[100..]), crypto(0, &message[..100])].concat());
    for (datagram, expected) in [(in_order, true), (shuffled, false)] {
        let mut reader = reader();
        let Ok(Progress::Done(hello)) = reader.push(&datagram) else { panic!("no hello") };
        let QuicFacts { in_order, crypto_pieces, .. } = hello.facts;
        assert_eq!((in_order, crypto_pieces, hello.message), (expected, 2, &message[..]));
    }
}

#[test]
fn of_pieces_of_a_packet_that_contradict_the_first_to_arrive_wins() {
    let message = hello(7, 300);
    let start = [&message[..100], &[0xff; 50]].concat();
    let frames = [crypto(100, &message[100..]), crypto(0, &start)].concat();
    assert_eq!(push(&mut reader(), &Initial::to(FIRST_ID).with(&frames)), Ok(Some(message)));
}

#[test]
fn keeps_its_keys_when_the_server_changes_the_connection_id() {
    let message = hello(7, 300);
    let first = Initial::to(FIRST_ID);
    let mut reader = reader();
    assert_eq!(push(&mut reader, &first.with(&crypto(0, &message[..100]))), Ok(None));
    for id in [SERVER_ID, b"longer than eight"] {
        let later = Initial { destination: id.to_vec(), number: 1, ..first.clone() };
        let decryptions = reader.decryptions();
        assert_eq!(push(&mut reader, &later.with(&[1])), Ok(None));
        assert_eq!(reader.decryptions(), decryptions + 1, "the keys in use are tried first");
    }
    let last = Initial { destination: SERVER_ID.to_vec(), number: 2, ..first };
    assert_eq!(push(&mut reader, &last.with(&crypto(100, &message[100..]))), Ok(Some(message)));
}

#[test]
fn a_packet_that_names_keys_which_opened_another_or_is_of_another_version_costs_one_decryption() {
    let one = Initial::to(FIRST_ID);
    let again = Initial { number: 1, ..one.clone() };
    let of_version_2 = Initial { version: QuicVersion::V2, ..one.clone() };
    let mut reader = reader();
    for (packet, decryptions) in [(one, 1), (Initial::to(b"another one"), 2), (again, 1), (of_version_2, 1)] {
        let before = reader.decryptions();
        assert_eq!(push(&mut reader, &packet.with(&[1])), Ok(None));
        assert_eq!(reader.decryptions(), before + decryptions);
    }
}

#[test]
fn that_no_more_keys_are_derived_is_told_also_when_those_in_use_open_nothing() {
    let mut reader = limited(|limits| limits.max_keys = 1);
    assert_eq!(push(&mut reader, &Initial::to(FIRST_ID).with(&crypto(0, &hello(7, 300)[..100]))), Ok(None));
    for token in [&b""[..], b"token"] {
        let other = Initial { token: token.to_vec(), ..Initial::to(b"another one") };
        assert_eq!(push(&mut reader, &other.with(&[1])), limit(QuicLimit::Keys, 1));
    }
}

/// First flight, Retry, and the same hello in two packets with a token and new keys.
#[test]
fn follows_a_retry_to_new_keys_and_gives_the_hello_once() {
    let message = hello(7, 300);
    let first = Initial::to(FIRST_ID);
    let again = Initial { token: b"token".to_vec(), ..Initial::to(RETRY_ID) };
    let (start, end) = (crypto(0, &message[..100]), crypto(100, &message[100..]));

    let mut reader = reader();
    assert_eq!(push(&mut reader, &first.with(&start)), Ok(None));
    assert_eq!(push(&mut reader, &again.with(&end)), Ok(None), "pieces of different keys do not mix");
    assert_eq!(reader.decryptions(), 2, "a new token means new keys");
    assert_eq!(push(&mut reader, &again.with(&start)), Ok(Some(message.clone())));
    assert_eq!(push(&mut reader, &first.with(&end)), Ok(None), "late, and known by its random");

    let mut reader = self::reader();
    assert_eq!(push(&mut reader, &first.with(&crypto(0, &message))), Ok(Some(message.clone())));
    assert_eq!(push(&mut reader, &again.with(&crypto(0, &message))), Ok(None));
}

#[test]
fn takes_another_hello_of_another_connection_on_the_same_port() {
    let (one, two) = (hello(1, 300), hello(2, 300));
    let mut reader = reader();
    assert_eq!(push(&mut reader, &Initial::to(FIRST_ID).with(&crypto(0, &one))), Ok(Some(one)));
    assert_eq!(push(&mut reader, &Initial::to(b"another id").with(&crypto(0, &two))), Ok(Some(two)));
}

#[test]
fn starts_again_after_a_version_negotiation() {
    let (one, two) = (hello(1, 300), hello(2, 300));
    let first = Initial { version: QuicVersion::V2, ..Initial::to(FIRST_ID) };
    let mut reader = reader();
    assert_eq!(push(&mut reader, &first.with(&crypto(0, &one[..50]))), Ok(None));
    let negotiation = b"\xc0\x00\x00\x00\x00\x02SS\x08client's\x00\x00\x00\x01";
    assert_eq!(
        push(&mut reader, negotiation),
        Err(QuicError::NotInitial(QuicPacketType::VersionNegotiation))
    );
    assert_eq!(push(&mut reader, &Initial::to(FIRST_ID).with(&crypto(0, &two))), Ok(Some(two)));
}

#[test]
fn gives_the_second_hello_after_a_hello_retry_request() {
    let (one, two) = (hello(7, 300), hello(7, 340));
    let packet = Initial::to(FIRST_ID);
    let mut reader = reader();
    let stream = [&one[..], &two].concat();
    assert_eq!(push(&mut reader, &packet.with(&crypto(0, &one))), Ok(Some(one.clone())));
    assert_eq!(push(&mut reader, &packet.with(&crypto(0, &one))), Ok(None), "sent again");
    assert_eq!(push(&mut reader, &packet.with(&crypto(400, &stream[400..]))), Ok(None));
    let last = packet.with(&crypto(200, &stream[200..400]));
    let Ok(Progress::Done(hello)) = reader.push(&last) else { panic!("no hello") };
    assert_eq!((hello.message, hello.hello_index), (&two[..], 1));
}

#[test]
fn opens_the_initial_among_coalesced_packets_whatever_follows() {
    let message = hello(7, 300);
    let (start, end) = (crypto(0, &message[..100]), crypto(100, &message[100..]));
    let packet = Initial::to(FIRST_ID);
    let other = |first: u8| [&[first, 0, 0, 0, 1, 8][..], FIRST_ID, b"\x02SS\x05bytes"].concat();
    for around in [other(0xd0), other(0xe0), vec![0; 30], b"\x41short header".to_vec(), vec![0xff; 30]] {
        let mut reader = reader();
        let datagram = [packet.with(&start), around].concat();
        assert_eq!(push(&mut reader, &datagram), Ok(None));
        let datagram = [other(0xe0), other(0xd0), packet.with(&end)].concat();
        assert_eq!(push(&mut reader, &datagram), Ok(Some(message.clone())));
    }
    let mut reader = reader();
    let datagram = [packet.with(&end), packet.with(&start)].concat();
    assert_eq!(push(&mut reader, &datagram), Ok(Some(message)));
}

#[test]
fn opens_packet_numbers_and_versions_of_every_kind() {
    let message = hello(7, 300);
    let versions = [
        1,
        0x6b33_43cf,
        0xff00_0015,
        0xff00_0016,
        0xff00_001c,
        0xff00_0020,
        0xff00_0022,
        0xface_b002,
        0x5430_3531,
    ];
    for version in versions.map(QuicVersion) {
        let packet = Initial { version, number: 200, ..Initial::to(FIRST_ID) };
        let datagram = packet.with(&crypto(0, &message));
        assert!(QuicInitialReader::is_initial(&datagram));
        assert_eq!(push(&mut reader(), &datagram), Ok(Some(message.clone())), "{version}");
    }
}

#[test]
fn refuses_what_is_not_an_initial_and_says_why() {
    let cases: [(&[u8], QuicError); 6] = [
        (b"", QuicError::NotLongHeader),
        (b"\x40short", QuicError::NotLongHeader),
        (b"\xc0\x0a\x0a\x0a\x0a\x00\x00", QuicError::UnknownVersion(QuicVersion(0x0a0a_0a0a))),
        (b"\xe0\x00\x00\x00\x01\x00\x00\x01x", QuicError::NotInitial(QuicPacketType::Handshake)),
        (b"\xf0\x00\x00\x00\x01\x00\x00token", QuicError::NotInitial(QuicPacketType::Retry)),
        (
            b"\xc0\x00\x00\x00\x01\x08client",
            QuicError::Truncated { what: "destination connection ID", at: 6 },
        ),
    ];
    for (datagram, error) in cases {
        assert_eq!(push(&mut reader(), datagram), Err(error), "{datagram:02x?}");
        assert!(!QuicInitialReader::is_initial(datagram));
    }
}

#[test]
fn a_stream_that_begins_with_another_message_never_has_a_hello() {
    let packet = Initial::to(FIRST_ID);
    let mut reader = reader();
    assert_eq!(
        push(&mut reader, &packet.with(&crypto(0, &[2, 0, 0, 9]))),
        Err(QuicError::Hello(TlsError::NotClientHello(2)))
    );
    let decryptions = reader.decryptions();
    let datagram = packet.with(&crypto(4, &[0; 9]));
    assert_eq!(push(&mut reader, &datagram), Err(QuicError::Hello(TlsError::NotClientHello(2))));
    assert_eq!(reader.decryptions(), decryptions, "its packets are not opened any more");
}

#[test]
fn a_first_connection_id_of_less_than_8_bytes_gives_keys_only_with_a_token() {
    let message = hello(7, 300);
    let short = Initial::to(&FIRST_ID[..7]);
    assert_eq!(push(&mut reader(), &short.with(&crypto(0, &message))), Err(QuicError::NotAuthentic));
    let retried = Initial { token: b"t".to_vec(), ..Initial::to(b"") };
    assert_eq!(push(&mut reader(), &retried.with(&crypto(0, &message))), Ok(Some(message)));
}

/// A forged packet: its header is as good as any, its payload does not open.
fn forged(id: &[u8]) -> Vec<u8> {
    Initial { key_id: b"unknown!".to_vec(), ..Initial::to(id) }.with(&crypto(0, &hello(9, 100)))
}

#[test]
fn forged_packets_cost_one_derivation_for_each_id_and_do_not_disturb() {
    let message = hello(7, 300);
    let packet = Initial::to(FIRST_ID);
    let mut reader = reader();
    assert_eq!(push(&mut reader, &packet.with(&crypto(0, &message[..100]))), Ok(None));
    for _ in 0..2 {
        assert_eq!(push(&mut reader, &forged(b"forged id")), Err(QuicError::NotAuthentic));
        assert_eq!(reader.connections.all.len(), 2);
    }
    assert_eq!(push(&mut reader, &forged(FIRST_ID)), Err(QuicError::NotAuthentic));
    assert_eq!(push(&mut reader, &packet.with(&crypto(100, &message[100..]))), Ok(Some(message)));
    assert_eq!(reader.decryptions(), 1 + 2 * 2 + 1 + 1);
}

#[test]
fn a_flood_of_forged_packets_costs_what_the_limits_say_and_no_more() {
    let mut reader = limited(|limits| limits.max_packets = usize::MAX);
    for round in 0..1_000_u32 {
        let id = [round.to_be_bytes(), (round % 5).to_be_bytes()].concat();
        let datagram = forged(if round % 2 == 0 { FIRST_ID } else { &id });
        assert!(push(&mut reader, &datagram).is_err());
    }
    assert_eq!((reader.connections.all.len(), reader.decryptions()), (3, 8));
    assert!(reader.held_bytes() < 3_000, "{}", reader.held_bytes());
}

#[test]
fn derives_no_more_keys_than_its_limit() {
    let mut reader = limited(|limits| limits.max_keys = 2);
    for id in [b"forged 1", b"forged 2"] {
        assert_eq!(push(&mut reader, &forged(id)), Err(QuicError::NotAuthentic));
    }
    for round in 0..30 {
        assert_eq!(push(&mut reader, &forged(&[round; 8])), limit(QuicLimit::Keys, 2));
    }
    assert_eq!((reader.connections.all.len(), reader.decryptions()), (2, 2));
}

#[test]
fn decrypts_no_more_often_than_its_limit() {
    let message = hello(7, 300);
    let mut reader = limited(|limits| limits.max_decryptions = 3);
    for _ in 0..3 {
        assert_eq!(push(&mut reader, &forged(FIRST_ID)), Err(QuicError::NotAuthentic));
    }
    let datagram = Initial::to(FIRST_ID).with(&crypto(0, &message));
    assert_eq!(push(&mut reader, &datagram), limit(QuicLimit::Decryptions, 3));
    assert_eq!(reader.decryptions(), 3);
}

#[test]
fn looks_at_no_more_packets_than_its_limit() {
    let handshake = b"\xe0\x00\x00\x00\x01\x00\x00\x01x";
    let refused = Err(QuicError::NotInitial(QuicPacketType::Handshake));
    let mut reader = limited(|limits| limits.max_packets = 4);
    assert_eq!(push(&mut reader, &handshake.repeat(3)), refused);
    let datagram = [handshake.to_vec(), Initial::to(FIRST_ID).with(&crypto(0, &hello(7, 300)))].concat();
    assert_eq!(push(&mut reader, &datagram), refused, "the Initial is the fifth packet");
    assert_eq!(push(&mut reader, handshake), limit(QuicLimit::Packets, 4));
    assert_eq!(reader.connections.packets, 4);
}

#[test]
fn holds_no_more_bytes_than_its_limit() {
    let packet = Initial::to(FIRST_ID);
    let mut reader = limited(|limits| limits.max_crypto_bytes = 200);
    for offset in [200, 1 << 29, (1 << 30) - 1] {
        let datagram = packet.with(&crypto(offset, b"far"));
        assert_eq!(push(&mut reader, &datagram), limit(QuicLimit::CryptoBytes, 200), "offset {offset}");
    }
    let last = [&[6][..], &[0xff; 8], &[3], b"far"].concat();
    assert_eq!(push(&mut reader, &packet.with(&last)), limit(QuicLimit::CryptoBytes, 200));
    let fits = hello(7, 196);
    assert_eq!(push(&mut reader, &packet.with(&crypto(0, &fits))), Ok(Some(fits)));
}

#[test]
fn tells_how_much_it_holds_by_what_arrived_and_not_by_what_was_announced() {
    let packet = Initial::to(FIRST_ID);
    let mut reader = reader();
    assert_eq!(reader.held_bytes(), 0);
    let message = hello(7, 30_000);
    assert_eq!(push(&mut reader, &packet.with(&crypto(0, &message[..1_000]))), Ok(None));
    let start = reader.held_bytes();
    // The bytes, and memory to open a packet in: as much again, hashed, as numbers of blocks and as a text.
    assert!((4_000..5_500).contains(&start), "{start}");
    assert_eq!(push(&mut reader, &packet.with(&crypto(20_000, &message[20_000..20_500]))), Ok(None));
    let with_piece = reader.held_bytes();
    assert!((start + 500..start + 1_500).contains(&with_piece), "{with_piece}");
    let _ = push(&mut reader, &forged(b"another id"));
    let with_keys = reader.held_bytes();
    assert!(
        (with_piece..with_piece + 500).contains(&with_keys),
        "keys that open nothing hold no messages: {with_keys}"
    );
}

#[test]
fn refuses_a_hello_that_announces_more_than_the_limit() {
    let mut reader = limited(|limits| limits.max_crypto_bytes = 200);
    let datagram = Initial::to(FIRST_ID).with(&crypto(0, &hello(7, 197)[..40]));
    assert_eq!(push(&mut reader, &datagram), Err(too_long(200)));
    let huge = Initial::to(FIRST_ID).with(&crypto(0, &[1, 0xff, 0xff, 0xff]));
    assert_eq!(push(&mut self::reader(), &huge), Err(too_long(32 * 1_024)));
}

#[test]
fn holds_no_more_pieces_than_its_limit() {
    let message = hello(7, 300);
    let pieces: Vec<u8> = (1..=64).flat_map(|at| crypto(4 * at, &message[4 * at..][..2])).collect();
    let packet = Initial::to(FIRST_ID);
    let mut reader = reader();
    assert_eq!(push(&mut reader, &packet.with(&pieces)), Ok(None));
    assert_eq!(
        push(&mut reader, &packet.with(&crypto(290, &message[290..]))),
        limit(QuicLimit::CryptoPieces, 64)
    );
    assert_eq!(push(&mut reader, &packet.with(&crypto(0, &message))), Ok(Some(message)));
}

#[test]
fn the_first_bytes_to_arrive_win() {
    let message = hello(7, 300);
    let packet = Initial::to(FIRST_ID);
    let mut reader = reader();
    assert_eq!(push(&mut reader, &packet.with(&crypto(100, &message[100..200]))), Ok(None));
    let mut other = message.clone();
    other[100..200].fill(0xee);
    assert_eq!(push(&mut reader, &packet.with(&crypto(0, &other))), Ok(Some(message)));
}

#[test]
fn a_datagram_cut_at_any_byte_gives_nothing_and_harms_nothing() {
    let message = hello(7, 120);
    let datagram = Initial::to(FIRST_ID).with(&crypto(0, &message));
    for len in 0..datagram.len() {
        let mut reader = reader();
        assert!(push(&mut reader, &datagram[..len]).is_err(), "{len} bytes");
        assert_eq!(push(&mut reader, &datagram), Ok(Some(message.clone())), "after {len} bytes");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_hello_comes_once_however_it_is_cut_shuffled_and_repeated(
        len in 34_u16..1_500,
        cuts in prop::collection::vec(1_usize..600, 1..12),
        packets in 1_usize..4,
        seed in any::<u64>(),
    ) {
        let message = hello(7, len);
        let mut frames = Vec::new();
        let mut at = 0;
        for cut in cuts.into_iter().cycle() {
            let end = message.len().min(at + cut.max(40));
            frames.push(crypto(at, &message[at..end]));
            at = end;
            if at == message.len() {
                break;
            }
        }
        let mut rng = Rng::new(seed);
        rng.shuffle(&mut frames);
        let per_packet = frames.len().div_ceil(packets);
        let mut datagrams: Vec<_> =
            frames.chunks(per_packet).map(|frames| Initial::to(FIRST_ID).with(&frames.concat())).collect();
        datagrams.extend(datagrams.clone());
        rng.shuffle(&mut datagrams);
        let mut reader = reader();
        let hellos: Vec<_> =
            datagrams.iter().filter_map(|datagram| push(&mut reader, datagram).unwrap()).collect();
        prop_assert_eq!(hellos, [message]);
    }

    #[test]
    fn any_datagrams_are_survived(
        datagrams in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 0..8),
        version in prop::sample::select(vec![0_u32, 1, 0x6b33_43cf, 0xff00_001d]),
    ) {
        let mut reader = reader();
        for mut datagram in datagrams {
            if let Some((first, rest)) = datagram.split_first_mut() {
                *first |= 0xc0;
                if let Some(bytes) = rest.first_chunk_mut() {
                    *bytes = version.to_be_bytes();
                }
            }
            let _ = reader.push(&datagram);
        }
    }

    #[test]
    fn any_authentic_frames_are_survived(frames in prop::collection::vec(any::<u8>(), 0..200), at in 0_u64..1 << 29) {
        let mut reader = reader();
        let packet = Initial::to(FIRST_ID);
        let _ = reader.push(&packet.with(&frames));
        let frames = [&[6][..], &varint(at), &varint(frames.len() as u64), &frames].concat();
        let _ = reader.push(&packet.with(&frames));
    }
}

#[test]
fn only_a_first_hello_with_the_random_of_another_connection_is_a_repeated_one() {
    let again = Initial { token: b"token".to_vec(), ..Initial::to(RETRY_ID) };
    let first = hello(7, 300);
    let mut reader = reader();
    assert_eq!(push(&mut reader, &Initial::to(FIRST_ID).with(&crypto(0, &first))), Ok(Some(first.clone())));
    assert_eq!(push(&mut reader, &again.with(&crypto(0, &first))), Ok(None), "repeated behind a Retry");
    let second = hello(7, 200);
    let behind = Initial { number: 1, ..again.clone() }.with(&crypto(first.len(), &second));
    assert_eq!(push(&mut reader, &behind), Ok(Some(second)), "asked for by a HelloRetryRequest");

    // Too short to have a random.
    let short = [1, 0, 0, 2, 3, 3];
    let mut reader = self::reader();
    for packet in [Initial::to(FIRST_ID), again] {
        assert_eq!(push(&mut reader, &packet.with(&crypto(0, &short))), Ok(Some(short.to_vec())));
    }
}

#[cfg(feature = "capture")]
#[test]
fn a_second_hello_counts_its_own_datagrams() {
    use super::connections::{QuicConnections, Scratch};
    use crate::event::PacketRef;
    use huginn_net_core::Timestamp;

    let (mut connections, mut scratch) = (QuicConnections::NONE, Scratch::EMPTY);
    let packet = Initial::to(FIRST_ID);
    let (first, second) = (hello(7, 300), hello(8, 300));
    let behind = first.len();
    let datagrams = [
        packet.with(&[1]),
        packet.with(&crypto(0, &first[..100])),
        // Two Initial packets in one datagram.
        [packet.with(&crypto(100, &first[100..200])), packet.with(&crypto(200, &first[200..]))].concat(),
        packet.with(&crypto(0, &first)),
        packet.with(&crypto(behind, &second)),
    ];
    let mut told = Vec::new();
    for (datagram, frame) in datagrams.iter().zip(1..) {
        let mut behind = Reader::new(datagram);
        let initial = InitialPacket::first_of(&mut behind).unwrap().unwrap();
        let from = PacketRef { captured_at: Timestamp::default(), frame };
        let limits = QuicLimits::default();
        let result = connections.push_behind(from, (&initial, behind), &limits, &mut scratch);
        if let Progress::Done(hello) = result.unwrap() {
            let carriers = hello.carriers.unwrap();
            told.push((carriers.packets, carriers.first.frame));
        }
    }
    assert_eq!(told, [(2, 2), (1, 5)]);
}
