#![allow(clippy::cast_possible_truncation, reason = "tests pass numbers that fit")]

use proptest::prelude::*;
use testkit::rng::Rng;

use super::*;

fn reader() -> DtlsHelloReader {
    DtlsHelloReader::new()
}

fn limited(change: impl FnOnce(&mut DtlsLimits)) -> DtlsHelloReader {
    let mut limits = DtlsLimits::default();
    change(&mut limits);
    DtlsHelloReader::with_limits(limits)
}

fn push(reader: &mut DtlsHelloReader, datagram: &[u8]) -> Result<Option<Vec<u8>>, DtlsError> {
    reader.push(datagram).map(|progress| progress.map(|hello| hello.message.to_vec()).done())
}

/// A ClientHello, as far as the reader looks into one.
fn hello(random: u8, body_len: u16) -> Vec<u8> {
    let [high, low] = body_len.to_be_bytes();
    let mut message = vec![1, 0, high, low, 0xfe, 0xfd];
    message.extend([random; 32]);
    message.extend((message.len()..4 + usize::from(body_len)).map(|at| at as u8));
    message
}

/// The bytes `from..to` of a message's body, as a fragment.
fn fragment(message: &[u8], seq: u16, from: usize, to: usize) -> Vec<u8> {
    let [_, offset @ ..] = (from as u32).to_be_bytes();
    let [_, len @ ..] = ((to - from) as u32).to_be_bytes();
    [&message[..4], &seq.to_be_bytes(), &offset, &len, &message[4 + from..4 + to]].concat()
}

fn whole(message: &[u8], seq: u16) -> Vec<u8> {
    fragment(message, seq, 0, message.len() - 4)
}

fn record_of(kind: u8, version: u16, epoch: u16, body: &[u8]) -> Vec<u8> {
    [
        &[kind],
        &version.to_be_bytes()[..],
        &epoch.to_be_bytes(),
        &[0, 0, 0, 0, 0, 9],
        &(body.len() as u16).to_be_bytes(),
        body,
    ]
    .concat()
}

fn record(body: &[u8]) -> Vec<u8> {
    record_of(22, 0xfeff, 0, body)
}

#[test]
fn gives_a_hello_of_one_fragment_without_the_bytes_that_dtls_adds() {
    let message = hello(7, 100);
    for version in [0x0100, 0xfeff, 0xfefd, 0xfefc] {
        let datagram = record_of(22, version, 0, &whole(&message, 0));
        assert!(DtlsHelloReader::is_hello(&datagram));
        let expected = DtlsHello {
            message: &message,
            record_version: ProtocolVersion(version),
            message_seq: 0,
            fragments: 1,
            in_order: true,
            contradicted: false,
            other: None,
            #[cfg(feature = "capture")]
            carriers: None,
        };
        assert_eq!(reader().push(&datagram), Ok(Progress::Done(expected)));
    }
}

#[test]
fn joins_fragments_within_a_record_and_across_records_and_datagrams() {
    let message = hello(7, 100);
    let part = |from, to| fragment(&message, 0, from, to);
    let mut reader = reader();
    let datagram = [record(&[part(90, 100), part(40, 60)].concat()), record(&part(60, 70))].concat();
    assert_eq!(push(&mut reader, &datagram), Ok(None));
    assert_eq!(push(&mut reader, &record(&part(0, 45))), Ok(None));
    let last = record(&part(65, 95));
    let Ok(Progress::Done(hello)) = reader.push(&last) else { panic!("no hello") };
    assert_eq!((hello.message, hello.fragments, hello.in_order), (&message[..], 5, false));
}

#[test]
fn a_fragment_of_a_hello_that_was_given_is_no_part_of_the_next_one() {
    let (one, next) = (hello(7, 100), hello(8, 100));
    let mut reader = reader();
    assert_eq!(push(&mut reader, &record(&fragment(&one, 0, 0, 60))), Ok(None));
    assert_eq!(push(&mut reader, &record(&fragment(&one, 0, 60, 100))), Ok(Some(one.clone())));
    let held = reader.held_bytes();
    for (from, to) in [(60, 100), (0, 60), (50, 70)] {
        assert_eq!(push(&mut reader, &record(&fragment(&one, 0, from, to))), Ok(None), "sent again");
    }
    assert!(reader.held_bytes() <= held && held >= one.len());
    // It ends as the one before it did.
    assert_eq!(push(&mut reader, &record(&fragment(&next, 0, 0, 60))), Ok(None));
    assert_eq!(push(&mut reader, &record(&fragment(&next, 0, 60, 100))), Ok(Some(next)));
}

/// The message with other bytes from 50 to 60 of its body.
fn forged(message: &[u8]) -> Vec<u8> {
    let mut other = message.to_vec();
    other[54..64].fill(0xee);
    other
}

#[test]
fn the_first_bytes_to_arrive_win() {
    let message = hello(7, 100);
    for (first, second) in [(&message, &forged(&message)), (&forged(&message), &message)] {
        let mut reader = reader();
        assert_eq!(push(&mut reader, &record(&fragment(first, 0, 50, 60))), Ok(None));
        assert_eq!(push(&mut reader, &record(&fragment(second, 0, 40, 100))), Ok(None));
        let last = record(&fragment(&message, 0, 0, 40));
        let Ok(Progress::Done(given)) = reader.push(&last) else { panic!("no hello") };
        assert_eq!((given.message, given.contradicted), (&first[..], true));
        assert_eq!(given.other, Some(&second[..]), "and the others are told");
    }
}

#[test]
fn a_contradicted_hello_is_given_both_ways_however_the_fragments_lie_and_however_many_there_are() {
    let message = hello(7, 100);
    let rng = &mut Rng::new(9);
    for _ in 0..1_000 {
        let cut = 1 + rng.below(98);
        let mut honest = [(0, cut), (cut, 100)].map(|(from, to)| record(&fragment(&message, 0, from, to)));
        rng.shuffle(&mut honest);
        // Before all of the others, or repeated behind one of them: what contradicts it is the client's.
        let from = 40 + rng.below(40);
        let other = record(&fragment(&forged(&message), 0, from.min(50), from + 11));
        let [first, second] = honest;
        let mut datagrams = vec![other.clone(), first, second];
        if rng.one_in(2) {
            datagrams.insert(2, other);
        }
        let mut reader = reader();
        let mut given = Vec::new();
        for datagram in datagrams {
            if let Ok(Progress::Done(hello)) = reader.push(&datagram) {
                given.extend([Some(hello.message), hello.other].into_iter().flatten().map(<[u8]>::to_vec));
            }
        }
        assert!(given.contains(&message) && given.len() <= 2, "{cut} {from}");
    }
}

#[test]
fn contradictions_are_held_up_to_the_length_of_their_message() {
    let message = hello(7, 10_000);
    let mut reader = reader();
    assert_eq!(push(&mut reader, &record(&fragment(&message, 0, 0, 9_000))), Ok(None));
    let before = reader.held_bytes();
    for value in 0..=255 {
        let mut other = message.clone();
        other[4_000..6_000].fill(value);
        assert_eq!(push(&mut reader, &record(&fragment(&other, 0, 3_000, 7_000))), Ok(None));
        reader.allow();
    }
    assert!(
        reader.held_bytes() < before + 10_000 + 64 * size_of::<message::Contradiction>(),
        "{}",
        reader.held_bytes()
    );
}

#[test]
fn as_many_contradictions_are_remembered_as_there_may_be_pieces_and_one_that_is_repeated_counts_once() {
    let message = hello(7, 100);
    let forged = forged(&message);
    let mut reader = DtlsHelloReader::with_limits(DtlsLimits::default().with_max_pieces(2));
    assert_eq!(push(&mut reader, &record(&fragment(&message, 0, 0, 90))), Ok(None));
    for at in [50, 52, 54, 54] {
        assert_eq!(push(&mut reader, &record(&fragment(&forged, 0, at, at + 1))), Ok(None));
    }
    let last = record(&fragment(&message, 0, 90, 100));
    let Ok(Progress::Done(given)) = reader.push(&last) else { panic!("no hello") };
    let mut other = message.clone();
    for at in [52, 54].map(|at| 4 + at) {
        other[at] = forged[at];
    }
    assert_eq!(given.other, Some(&other[..]));
}

#[test]
fn a_whole_hello_is_given_as_it_is_and_leaves_fragments_that_contradict_it() {
    let message = hello(7, 100);
    let (client, other) = (hello(8, 100), forged(&message));
    let mut reader = reader();
    assert_eq!(push(&mut reader, &record(&fragment(&other, 0, 50, 60))), Ok(None));
    let datagram = record(&whole(&message, 0));
    let Ok(Progress::Done(given)) = reader.push(&datagram) else { panic!("no hello") };
    assert_eq!((given.message, given.contradicted), (&message[..], false));
    // Nor does one in the name of a client hide what that has begun.
    let mut reader = self::reader();
    assert_eq!(push(&mut reader, &record(&fragment(&client, 0, 0, 50))), Ok(None));
    assert_eq!(push(&mut reader, &datagram), Ok(Some(message)));
    assert_eq!(push(&mut reader, &record(&fragment(&client, 0, 50, 100))), Ok(Some(client)));
}

#[test]
fn a_contradicted_hello_is_given_with_what_contradicts_it_and_either_once() {
    let message = hello(7, 100);
    let parts =
        |message: &[u8]| [(0, 50), (50, 100)].map(|(from, to)| record(&fragment(message, 0, from, to)));
    let [start, end] = parts(&message);
    let mut reader = reader();
    assert_eq!(push(&mut reader, &record(&fragment(&forged(&message), 0, 50, 60))), Ok(None));
    assert_eq!(push(&mut reader, &start), Ok(None));
    let Ok(Progress::Done(given)) = reader.push(&end) else { panic!("no hello") };
    assert_eq!((given.message, given.other), (&forged(&message)[..], Some(&message[..])));
    for again in [&message, &forged(&message)] {
        assert_eq!(push(&mut reader, &parts(again).concat()), Ok(None), "either was given");
    }
    // What was contradicted and is the client's all the same.
    let mut reader = self::reader();
    assert_eq!(push(&mut reader, &end), Ok(None));
    assert_eq!(push(&mut reader, &record(&fragment(&forged(&message), 0, 50, 60))), Ok(None));
    assert_eq!(push(&mut reader, &start), Ok(Some(message.clone())));
    assert_eq!(push(&mut reader, &[start, end].concat()), Ok(None));
}

#[test]
fn a_contradicted_hello_does_not_stand_for_the_one_that_is_sent_again() {
    let message = hello(7, 100);
    let [start, end] = [(0, 50), (50, 100)].map(|(from, to)| record(&fragment(&message, 0, from, to)));
    let other = |from, to| record(&fragment(&forged(&message), 0, from, to));
    let mut reader = reader();
    // Before the one half and behind the other, so that neither way has all of the client's.
    for datagram in [&other(50, 55), &end, &other(55, 60)] {
        assert_eq!(push(&mut reader, datagram), Ok(None));
    }
    assert!(push(&mut reader, &start).unwrap().is_some_and(|given| given != message));
    assert_eq!(push(&mut reader, &[start, end].concat()), Ok(Some(message)));
}

#[test]
fn gives_both_hellos_of_a_cookie_exchange_and_none_that_is_sent_again() {
    let (first, second) = (hello(7, 100), hello(7, 120));
    let mut reader = reader();
    assert_eq!(push(&mut reader, &record(&whole(&first, 0))), Ok(Some(first.clone())));
    assert_eq!(push(&mut reader, &record(&whole(&first, 0))), Ok(None));
    let datagram = record(&whole(&second, 1));
    let Ok(Progress::Done(hello)) = reader.push(&datagram) else { panic!("no hello") };
    assert_eq!((hello.message, hello.message_seq), (&second[..], 1));
    assert_eq!(push(&mut reader, &datagram), Ok(None));
    let next = self::hello(8, 100);
    assert_eq!(push(&mut reader, &record(&whole(&next, 0))), Ok(Some(next)), "another association");
}

#[test]
fn passes_over_other_records_and_messages_in_the_datagram() {
    let message = hello(7, 100);
    let mut finished = whole(&message, 0);
    finished[0] = 20;
    let datagram = [
        record_of(20, 0xfefd, 0, &[1]),
        record_of(21, 0xfefd, 0, &[1, 0]),
        record_of(26, 0xfefd, 0, &[0, 0]),
        record(&[finished, whole(&message, 0)].concat()),
        record_of(23, 0xfefd, 1, b"keys"),
    ]
    .concat();
    assert_eq!(push(&mut reader(), &datagram), Ok(Some(message)));
}

#[test]
fn refuses_what_is_no_hello_and_says_why() {
    let message = hello(7, 100);
    let mut request = whole(&message, 0);
    request[0] = 3;
    let mut past_end = fragment(&message, 0, 50, 100);
    past_end[3] = 99;
    let cases = [
        (vec![], DtlsError::Truncated { what: "content type", at: 0 }),
        (b"\x80RTP".to_vec(), DtlsError::NotRecord(0x80)),
        (record_of(22, 0x0303, 0, b""), DtlsError::RecordVersion(ProtocolVersion(0x0303))),
        (record_of(22, 0xfefe, 0, b""), DtlsError::RecordVersion(ProtocolVersion(0xfefe))),
        (record_of(22, 0xfefd, 1, &whole(&message, 0)), DtlsError::Encrypted),
        (record_of(23, 0xfefd, 0, b"data"), DtlsError::Encrypted),
        (b"\x2cunified".to_vec(), DtlsError::Encrypted),
        (record_of(25, 0xfefd, 1, b"connection ID and data"), DtlsError::Encrypted),
        (b"\x1bunassigned".to_vec(), DtlsError::NotRecord(27)),
        (record_of(24, 0xfefd, 0, b"heartbeat"), DtlsError::NotHandshake(24)),
        (record_of(20, 0xfefd, 0, &[1]), DtlsError::NotHandshake(20)),
        (record(b""), DtlsError::Truncated { what: "msg_type", at: 0 }),
        (record(&request), DtlsError::Hello(TlsError::NotClientHello(3))),
        (record(&past_end), DtlsError::FragmentEnd { end: 100, len: 99 }),
    ];
    for (datagram, error) in cases {
        assert_eq!(push(&mut reader(), &datagram), Err(error), "{datagram:02x?}");
        assert!(!DtlsHelloReader::is_hello(&datagram));
    }
}

#[test]
fn fragments_that_say_another_length_are_of_another_message() {
    let (short, long) = (hello(7, 100), hello(8, 101));
    let mut reader = reader();
    assert_eq!(push(&mut reader, &record(&fragment(&short, 0, 0, 50))), Ok(None));
    assert_eq!(push(&mut reader, &record(&whole(&long, 0))), Ok(Some(long)));
    assert_eq!(push(&mut reader, &record(&fragment(&short, 0, 50, 100))), Ok(Some(short)));
}

#[test]
fn a_datagram_cut_at_any_byte_gives_nothing_and_harms_nothing() {
    let message = hello(7, 60);
    let datagram = record(&[fragment(&message, 0, 0, 30), fragment(&message, 0, 30, 60)].concat());
    for len in 0..datagram.len() {
        let mut reader = reader();
        let cut = push(&mut reader, &datagram[..len]);
        assert!(matches!(cut, Err(DtlsError::Truncated { .. })), "{len} bytes: {cut:?}");
        assert_eq!(push(&mut reader, &datagram), Ok(Some(message.clone())), "after {len} bytes");
    }
}

#[test]
fn a_record_whose_last_fragment_is_cut_off_keeps_those_before_it() {
    let message = hello(7, 60);
    let [start, end] = [fragment(&message, 0, 0, 30), fragment(&message, 0, 30, 60)];
    let mut reader = reader();
    assert_eq!(push(&mut reader, &record(&[&start, &end[..41]].concat())), Ok(None));
    assert_eq!(push(&mut reader, &record(&end)), Ok(Some(message)));
}

#[test]
fn refuses_a_hello_that_announces_more_than_the_limit_and_holds_nothing_of_it() {
    let mut reader = limited(|limits| limits.max_hello_bytes = 100);
    let too_long = record(&fragment(&hello(7, 101), 0, 0, 50));
    let error = DtlsError::Hello(TlsError::Limit { what: "hello bytes", limit: 100 });
    assert_eq!(push(&mut reader, &too_long), Err(error));
    assert!(reader.messages.is_empty());
    let fits = hello(7, 100);
    assert_eq!(push(&mut reader, &record(&whole(&fits, 0))), Ok(Some(fits)));
}

#[test]
fn tells_how_much_it_holds_by_what_arrived_and_not_by_what_was_announced() {
    let message = hello(7, 30_000);
    let mut reader = reader();
    assert_eq!(reader.held_bytes(), 0);
    assert_eq!(push(&mut reader, &record(&fragment(&message, 0, 20_000, 21_000))), Ok(None));
    let start = reader.held_bytes();
    assert!((1_000..3_000).contains(&start), "{start}");
    assert_eq!(push(&mut reader, &record(&fragment(&message, 0, 0, 500))), Ok(None));
    assert!((start + 500..start + 1_100).contains(&reader.held_bytes()), "{}", reader.held_bytes());
}

#[test]
fn holds_no_more_pieces_than_its_limit() {
    let message = hello(7, 100);
    let mut reader = limited(|limits| limits.max_pieces = 3);
    for from in [10, 20, 30] {
        assert_eq!(push(&mut reader, &record(&fragment(&message, 0, from, from + 1))), Ok(None));
    }
    let error = DtlsError::Limit { what: "pieces", limit: 3 };
    assert_eq!(push(&mut reader, &record(&fragment(&message, 0, 40, 41))), Err(error));
    assert_eq!(push(&mut reader, &record(&whole(&message, 0))), Ok(Some(message)));
}

#[test]
fn the_oldest_unfinished_hello_gives_way_to_another() {
    let message = hello(7, 100);
    let mut reader = limited(|limits| limits.max_messages = 2);
    for seq in [5, 6, 7] {
        assert_eq!(push(&mut reader, &record(&fragment(&message, seq, 0, 50))), Ok(None));
    }
    let seqs: Vec<_> = reader.messages.iter().map(|message| message.seq).collect();
    assert_eq!(seqs, [6, 7]);
    assert_eq!(push(&mut reader, &record(&fragment(&message, 5, 50, 100))), Ok(None), "its start is lost");
    assert_eq!(push(&mut reader, &record(&fragment(&message, 7, 50, 100))), Ok(Some(message)));
}

#[test]
fn seven_begun_hellos_of_other_lengths_do_not_hide_one_and_64_kib_of_them_are_held() {
    let message = hello(7, 100);
    let [start, end] = [(0, 50), (50, 100)].map(|(from, to)| record(&fragment(&message, 0, from, to)));
    for (others, given) in [(7, Some(message.clone())), (8, None)] {
        let mut reader = reader();
        assert_eq!(push(&mut reader, &start), Ok(None));
        for other in 0..others {
            assert_eq!(push(&mut reader, &record(&fragment(&hello(9, 101 + other), 0, 0, 40))), Ok(None));
        }
        assert_eq!(push(&mut reader, &end), Ok(given), "{others}");
    }
    let mut reader = reader();
    for len in 30_000..30_010 {
        assert_eq!(push(&mut reader, &record(&fragment(&hello(7, len), 0, 0, 20_000))), Ok(None));
    }
    assert_eq!(reader.messages.len(), 3);
}

#[test]
fn gives_no_more_hellos_than_its_limit() {
    let mut reader = reader();
    for random in 0..8 {
        assert!(push(&mut reader, &record(&whole(&hello(random, 50), 0))).unwrap().is_some());
    }
    let error = DtlsError::Limit { what: "hellos", limit: 8 };
    assert_eq!(push(&mut reader, &record(&whole(&hello(8, 50), 0))), Err(error));
    assert_eq!(reader.given.len(), 8);
}

#[test]
fn looks_at_no_more_records_than_its_limit() {
    let message = hello(7, 100);
    let mut reader = limited(|limits| limits.max_records = 2);
    let datagram = [fragment(&message, 0, 0, 10), fragment(&message, 0, 10, 20), whole(&message, 0)]
        .map(|fragment| record(&fragment))
        .concat();
    assert_eq!(push(&mut reader, &datagram), Ok(None), "the rest is in the third record");
    let error = DtlsError::Limit { what: "records", limit: 2 };
    assert_eq!(push(&mut reader, &record(&whole(&message, 0))), Err(error));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn a_hello_comes_once_however_it_is_cut_shuffled_and_repeated(
        len in 34_u16..1_500,
        cut in 30_usize..700,
        per_datagram in 1_usize..4,
        seed in any::<u64>(),
    ) {
        let message = hello(7, len);
        let body = usize::from(len);
        let mut fragments: Vec<_> = (0..body)
            .step_by(cut)
            .map(|from| fragment(&message, 0, from, body.min(from + cut)))
            .collect();
        fragments.extend(fragments.clone());
        let mut rng = Rng::new(seed);
        rng.shuffle(&mut fragments);
        let mut reader = limited(|limits| limits.max_records = 1_000);
        let mut hellos = Vec::new();
        for fragments in fragments.chunks(per_datagram) {
            let records: Vec<u8> = fragments.iter().flat_map(|fragment| record(fragment)).collect();
            hellos.extend(push(&mut reader, &records).unwrap());
        }
        prop_assert_eq!(hellos, [message]);
    }

    #[test]
    fn any_datagrams_are_survived(
        bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 0..8),
        junk in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut reader = reader();
        for mut body in bodies {
            let _ = reader.push(&body);
            // A hello of less than 256 bytes.
            for (byte, value) in body.iter_mut().zip([1, 0, 0]) {
                *byte = value;
            }
            let _ = reader.push(&[record(&body), junk.clone()].concat());
        }
    }
}
