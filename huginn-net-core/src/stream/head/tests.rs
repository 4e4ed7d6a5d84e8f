//! Tests of [`StreamHead`].

use super::*;

const LIMITS: StreamLimits = StreamLimits { max_bytes: 16, max_pieces: 2, max_out_of_order: 8 };

fn seq(number: u32) -> SeqNumber {
    SeqNumber(number)
}

/// A head that starts at sequence number 100.
fn head() -> StreamHead {
    StreamHead::new(seq(100), LIMITS)
}

fn push(head: &mut StreamHead, number: u32, payload: &[u8]) -> Pushed {
    head.push(seq(number), payload)
}

fn in_order(bytes: usize) -> Pushed {
    Pushed { in_order: bytes, ..Pushed::default() }
}

fn waiting(bytes: usize) -> Pushed {
    Pushed { waiting: bytes, ..Pushed::default() }
}

fn dropped(bytes: usize, limit: StreamLimit) -> Pushed {
    Pushed { dropped: bytes, limit: Some(limit), ..Pushed::default() }
}

#[test]
fn puts_segments_in_order() {
    let mut head = head();
    assert_eq!(push(&mut head, 104, b"ef"), waiting(2));
    assert_eq!(push(&mut head, 102, b"c"), waiting(1));
    assert_eq!((head.bytes(), head.gaps()), (&b""[..], 2));
    assert_eq!(push(&mut head, 100, b"ab"), in_order(3));
    assert_eq!(push(&mut head, 103, b"d"), in_order(3));
    assert_eq!((head.bytes(), head.gaps()), (&b"abcdef"[..], 0));
    assert_eq!(head.next_seq(), seq(106));
}

#[test]
fn shows_what_waits_from_any_byte_of_it() {
    let mut head = head();
    let _ = (push(&mut head, 104, b"efg"), push(&mut head, 110, b"kl"));
    let waiting = [103, 104, 106, 107, 110, 112].map(|number| head.waiting_at(seq(number)));
    assert_eq!(waiting, [&b""[..], b"efg", b"g", b"", b"kl", b""]);
}

#[test]
fn tells_its_memory() {
    let mut head = head();
    assert_eq!(head.memory(), 0);
    let _ = push(&mut head, 100, b"abc");
    assert_eq!(head.memory(), 3);
    let _ = (push(&mut head, 105, b"f"), push(&mut head, 110, b"kl"));
    assert_eq!(head.memory(), 6 + 512 + 2 * 128);
}

#[test]
fn continues_where_sequence_numbers_wrap() {
    let mut head = StreamHead::new(seq(u32::MAX - 1), LIMITS);
    assert_eq!(push(&mut head, 1, b"def"), waiting(3));
    assert_eq!(push(&mut head, u32::MAX - 1, b"abc"), in_order(6));
    assert_eq!(head.bytes(), b"abcdef");
    assert_eq!((head.front_seq(), head.next_seq()), (seq(u32::MAX - 1), seq(4)));
}

#[test]
fn ignores_what_is_held_or_lies_before_the_start() {
    let mut head = head();
    assert_eq!(push(&mut head, 100, b"abc"), in_order(3));
    assert_eq!(push(&mut head, 105, b"f"), waiting(1));
    for (number, again) in
        [(100, &b"abc"[..]), (101, b"X"), (105, b"X"), (99, b"X"), (90, b"XXXXX"), (100, b"")]
    {
        assert_eq!(push(&mut head, number, again), Pushed::default());
    }
    assert_eq!(push(&mut head, 98, b"XXXXXde"), in_order(3));
    assert_eq!(head.bytes(), b"abcdef");
}

#[test]
fn the_first_bytes_to_arrive_win() {
    let mut head = head();
    assert_eq!(push(&mut head, 104, b"e"), waiting(1));
    assert_eq!(push(&mut head, 106, b"g"), waiting(1));
    assert_eq!(push(&mut head, 103, b"dXfXh"), waiting(3));
    assert_eq!(head.gaps(), 1);
    assert_eq!(push(&mut head, 100, b"abcXXXXXi"), in_order(9));
    assert_eq!(head.bytes(), b"abcdefghi");
}

#[test]
fn tells_segments_that_contradict_what_is_held() {
    let mut head = head();
    assert_eq!(push(&mut head, 100, b"abc"), in_order(3));
    assert_eq!(push(&mut head, 104, b"e"), waiting(1));
    assert_eq!(push(&mut head, 106, b"g"), waiting(1));
    assert_eq!(head.held(), 5);
    for (number, bytes) in [(98, &b"XXabcXeXgX"[..]), (103, b"XeX"), (105, b"X"), (90, b"X"), (104, b"")] {
        assert!(!head.conflicts_with(seq(number), bytes), "{number}");
    }
    for (number, bytes) in [(98, &b"XXaXc"[..]), (103, b"XX"), (105, b"XX"), (102, b"cXeXX")] {
        assert!(head.conflicts_with(seq(number), bytes), "{number}");
    }
}

#[test]
fn is_full_at_its_limit_and_drops_what_follows() {
    let mut head = head();
    assert_eq!(push(&mut head, 100, b"0123456789"), in_order(10));
    assert_eq!(
        push(&mut head, 110, b"0123456789"),
        Pushed { in_order: 6, dropped: 4, limit: Some(StreamLimit::Bytes), ..Pushed::default() }
    );
    assert!(head.is_full());
    assert_eq!(push(&mut head, 116, b"6"), dropped(1, StreamLimit::Bytes));
    assert_eq!(push(&mut head, 200, b"6"), dropped(1, StreamLimit::Bytes));
    assert_eq!(head.bytes(), b"0123456789012345");
}

#[test]
fn drops_what_lies_outside_its_window() {
    let mut head = head();
    assert_eq!(push(&mut head, 116, b"X"), dropped(1, StreamLimit::Window));
    assert_eq!(push(&mut head, 100 + (1 << 30), b"X"), dropped(1, StreamLimit::Window));
    assert_eq!(push(&mut head, 100 + (1 << 31), b"X"), Pushed::default(), "before the start");
    let cut = Pushed { waiting: 1, dropped: 2, limit: Some(StreamLimit::Window), ..Pushed::default() };
    assert_eq!(push(&mut head, 115, b"pXX"), cut);
    assert_eq!(push(&mut head, 100, b"0123456789abcde"), in_order(16));
}

#[test]
fn holds_no_more_pieces_than_its_limit() {
    let mut head = head();
    assert_eq!(push(&mut head, 102, b"2"), waiting(1));
    assert_eq!(push(&mut head, 106, b"6"), waiting(1));
    assert_eq!(push(&mut head, 104, b"4"), dropped(1, StreamLimit::Pieces));
    assert_eq!(push(&mut head, 105, b"5"), waiting(1), "touches the piece behind it");
    assert_eq!(push(&mut head, 103, b"34"), waiting(2), "joins both");
    assert_eq!(push(&mut head, 109, b"9"), waiting(1));
    assert_eq!(push(&mut head, 100, b"01"), in_order(7));
    assert_eq!(head.gaps(), 1);
}

#[test]
fn holds_no_more_bytes_behind_gaps_than_its_limit() {
    let mut head = head();
    assert_eq!(push(&mut head, 102, b"234567"), waiting(6));
    assert_eq!(push(&mut head, 108, b"89a"), dropped(3, StreamLimit::OutOfOrder));
    assert_eq!(push(&mut head, 106, b"XX89"), waiting(2), "bytes held already do not count again");
    assert_eq!(push(&mut head, 104, b"XXXX"), Pushed::default());
    assert_eq!(push(&mut head, 100, b"01"), in_order(10));
    assert_eq!(push(&mut head, 111, b"bcd"), waiting(3));
    assert_eq!(head.bytes(), b"0123456789");
}

#[test]
fn skips_what_was_read_and_moves_its_window() {
    let mut head = head();
    assert_eq!(push(&mut head, 100, b"0123456789abcdef"), in_order(16));
    head.skip(0);
    assert!(head.is_full());
    head.skip(10);
    assert_eq!((head.bytes(), head.is_full()), (&b"abcdef"[..], false));
    assert_eq!(push(&mut head, 116, b"ghijklmnop"), in_order(10));
    assert_eq!(push(&mut head, 104, b"XXXX"), Pushed::default());
    assert_eq!(head.bytes(), b"abcdefghijklmnop");
}

#[test]
fn skips_what_has_not_arrived_without_storing_it() {
    let mut head = head();
    assert_eq!(push(&mut head, 100, b"ab"), in_order(2));
    assert_eq!(push(&mut head, 104, b"XX"), waiting(2));
    assert_eq!(push(&mut head, 108, b"Xjk"), waiting(3));
    head.skip(9);
    assert_eq!((head.bytes(), head.gaps(), head.next_seq()), (&b"jk"[..], 0, seq(111)));
    assert_eq!(head.front_seq(), seq(109));
    head.skip(10);
    assert_eq!(head.front_seq(), seq(119), "passed over before it has arrived");
    assert_eq!(push(&mut head, 111, b"XXXXXXXX"), in_order(0));
    assert_eq!(head.bytes(), b"");
    assert_eq!(push(&mut head, 118, b"Xuv"), in_order(2));
    assert_eq!(head.bytes(), b"uv");
}

#[test]
fn skips_a_body_longer_than_the_sequence_space() {
    const BODY: u64 = 5 << 30;
    const STEP: u32 = 1 << 20;
    let body = vec![b'X'; 1 << 20];
    let mut head = head();
    head.skip(BODY);
    let mut number = seq(100);
    for _ in 0..BODY / u64::from(STEP) {
        assert_eq!(head.push(number, &body), Pushed::default());
        number += STEP;
    }
    assert_eq!(head.push(number, b"next"), in_order(4));
    assert_eq!(head.bytes(), b"next");
}

#[test]
fn a_body_of_the_greatest_length_is_passed_over_for_good() {
    let mut head = head();
    head.skip(u64::MAX);
    head.skip(u64::MAX);
    assert_eq!(push(&mut head, 100, b"X"), Pushed::default());
    let next = head.next_seq().0;
    assert_eq!(push(&mut head, next, b"X"), Pushed::default());
    assert_eq!(head.bytes(), b"");
}

#[test]
fn messages_read_from_the_payload_are_followed_for_gigabytes() {
    let mut head = head();
    let mut number = seq(100);
    let payload = vec![b'X'; 1 << 16];
    for _ in 0..(5_u64 << 30) >> 16 {
        assert!(head.bytes().is_empty() && head.next_seq() == number);
        head.skip(1 << 16);
        assert_eq!(head.push(number, &payload), Pushed::default());
        number += 1 << 16;
    }
    assert_eq!(head.push(number, b"next"), in_order(4));
}
