//! The first bytes of one direction of a TCP stream.

use core::time::Duration;

use super::SeqNumber;
use super::islands::{Islands, Placed};
use super::run::Run;
use crate::Timestamp;

/// How much a [`StreamHead`] holds, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamLimits {
    /// Most bytes held, at most 2^30; bytes that lie this far from the front or further are dropped.
    pub max_bytes: usize,
    /// Most pieces held that arrived ahead of bytes before them. Pieces that touch are one.
    pub max_pieces: usize,
    /// Most bytes held in such pieces.
    pub max_out_of_order: usize,
    /// How far before the first segment of [`StreamHead::mid_flow`] the front may move back: at most 2^30 bytes.
    pub max_rewind: usize,
    /// How long bytes are taken, by packet time, after the first [`push`](StreamHead::push) since the front was last
    /// moved by [`skip`](StreamHead::skip).
    pub max_age: Duration,
}

impl Default for StreamLimits {
    /// 16 KiB, 8 KiB of them out of order in 16 pieces; 4 KiB back; 30 seconds.
    fn default() -> Self {
        Self {
            max_bytes: 16 * 1_024,
            max_pieces: 16,
            max_out_of_order: 8 * 1_024,
            max_rewind: 4 * 1_024,
            max_age: Duration::from_secs(30),
        }
    }
}

impl StreamLimits {
    /// With this [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub const fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    /// With this [`max_pieces`](Self::max_pieces).
    #[must_use]
    pub const fn with_max_pieces(self, max_pieces: usize) -> Self {
        Self { max_pieces, ..self }
    }

    /// With this [`max_out_of_order`](Self::max_out_of_order).
    #[must_use]
    pub const fn with_max_out_of_order(self, max_out_of_order: usize) -> Self {
        Self { max_out_of_order, ..self }
    }

    /// With this [`max_rewind`](Self::max_rewind).
    #[must_use]
    pub const fn with_max_rewind(self, max_rewind: usize) -> Self {
        Self { max_rewind, ..self }
    }

    /// With this [`max_age`](Self::max_age).
    #[must_use]
    pub const fn with_max_age(self, max_age: Duration) -> Self {
        Self { max_age, ..self }
    }
}

/// Which of the [`StreamLimits`] made a [`StreamHead`] drop bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StreamLimit {
    /// The head is full: [`StreamLimits::max_bytes`] in order.
    Bytes,
    /// The bytes lie [`StreamLimits::max_bytes`] or more from the front, which is still missing bytes.
    Window,
    /// [`StreamLimits::max_pieces`].
    Pieces,
    /// [`StreamLimits::max_out_of_order`].
    OutOfOrder,
    /// [`StreamLimits::max_rewind`], or another limit that moving the front back would have passed.
    Rewind,
    /// [`StreamLimits::max_age`].
    Age,
}

/// What became of a segment. All zero: it brought nothing that is not held or passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Pushed {
    /// Bytes at the end of [`StreamHead::bytes`] that were not there before, those that had been waiting behind a gap
    /// included; all of them if the head was rewound.
    pub in_order: usize,
    /// Bytes of the segment that now wait behind a gap.
    pub waiting: usize,
    /// The head now starts earlier than before: what was read in it began in the middle.
    pub rewound: bool,
    /// New bytes of the segment that were dropped.
    pub dropped: usize,
    /// Why bytes were dropped.
    pub limit: Option<StreamLimit>,
}

/// The first bytes of one direction of a TCP stream, in order, however they were cut, repeated or reordered.
///
/// The first bytes to arrive win where segments overlap. Memory follows the bytes that are [`held`](Self::held): none
/// without one, at most [`StreamLimits::max_bytes`] while bytes arrive in order and none are skipped, and at no time more
/// than four times those held, 128 bytes for each of the [`gaps`](Self::gaps) and 512 while there are any. Growing
/// takes the old memory and the new for a moment.
///
/// Most messages arrive whole in one segment and need no head: look at the payload first, and make a head of what is
/// cut. One direction that carries message after message keeps its head and moves the front on with
/// [`skip`](Self::skip). Where [`bytes`](Self::bytes) is empty and a segment begins at
/// [`next_seq`](Self::next_seq), a message can be read from the payload without a copy; `skip` what was read before
/// the segment is pushed, and only the rest is stored.
///
/// ```
/// use core::time::Duration;
/// use huginn_net_core::{SeqNumber, StreamHead, StreamLimits, Timestamp};
///
/// let limits = StreamLimits::default().with_max_bytes(4_096).with_max_age(Duration::from_secs(10));
/// let (isn, now) = (SeqNumber(u32::MAX - 3), Timestamp::default());
/// let mut head = StreamHead::new(isn + 1, limits);
/// assert_eq!(head.push(isn + 4, b"lo", now).waiting, 2);
/// assert_eq!(head.push(isn + 1, b"hel", now).in_order, 5);
/// assert_eq!(head.bytes(), b"hello");
/// ```
#[derive(Debug)]
pub struct StreamHead {
    limits: StreamLimits,
    /// The bytes in order. Positions are sequence numbers that go on counting where those wrap.
    head: Run,
    /// Position of the first byte of `head`, present or not.
    front: u64,
    /// The position that `front` may move back to: before `front` only until that was moved on.
    floor: u64,
    /// Everything behind a gap, all after the end of `head` and within `max_bytes` of `front`.
    ahead: Islands,
    /// A position that segments are now near. It is not past the end of `head`, and far behind it while a body of
    /// gigabytes is passed over.
    near: u64,
    started_at: Option<Timestamp>,
}

/// Sequence numbers tell apart positions less than 2^31 from another; two limits of half of that stay clear of it.
const MOST_BYTES: usize = 1 << 30;

impl StreamHead {
    /// The head of a stream whose first byte has the number `start`: one more than the sequence number of the SYN,
    /// also for data that the SYN itself carries (TCP Fast Open, RFC 7413).
    #[must_use]
    pub fn new(start: SeqNumber, limits: StreamLimits) -> Self {
        // One turn above zero, so that there are positions before it.
        let front = (1 << 32) + u64::from(start.0);
        Self {
            limits: StreamLimits {
                max_bytes: limits.max_bytes.min(MOST_BYTES),
                max_rewind: limits.max_rewind.min(MOST_BYTES),
                ..limits
            },
            head: Run::default(),
            front,
            floor: front,
            ahead: Islands::default(),
            near: front,
            started_at: None,
        }
    }

    /// The head of a stream whose SYN was not seen, of whose segments the first to be seen begins at `first`.
    ///
    /// Until the front is moved by [`skip`](Self::skip), bytes up to [`StreamLimits::max_rewind`] before `first` may
    /// still arrive, and then come before those that are held.
    #[must_use]
    pub fn mid_flow(first: SeqNumber, limits: StreamLimits) -> Self {
        let head = Self::new(first, limits);
        Self { floor: head.front - head.limits.max_rewind as u64, ..head }
    }

    /// Takes the payload of a segment that begins at `seq`.
    pub fn push(&mut self, seq: SeqNumber, payload: &[u8], now: Timestamp) -> Pushed {
        let segment = Placed { start: self.position_of(seq), bytes: payload };
        let pushed = self.take(segment, now);
        self.near = self.near.max(segment.end().min(self.end()));
        pushed
    }

    /// The bytes from the front up to the first that is missing.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.head.as_slice()
    }

    /// Moves the front on by `bytes`, which need not have arrived and will not be stored when they do: a message that
    /// was read, or a body of known length.
    pub fn skip(&mut self, bytes: u64) {
        if bytes == 0 {
            return;
        }
        let held = self.head.len();
        self.head.drop_front(usize::try_from(bytes).unwrap_or(usize::MAX));
        self.front = self.front.saturating_add(bytes);
        if bytes >= held as u64 {
            self.head = self.ahead.advance_to(self.front).unwrap_or_default();
        }
        self.floor = self.front;
        self.started_at = None;
    }

    /// The number of the first byte that was not passed over, whether it has arrived or not.
    #[must_use]
    pub fn front_seq(&self) -> SeqNumber {
        SeqNumber::of_position(self.front)
    }

    /// The number of the first byte that [`bytes`](Self::bytes) is missing.
    #[must_use]
    pub fn next_seq(&self) -> SeqNumber {
        SeqNumber::of_position(self.end())
    }

    /// Number of bytes held: those of [`bytes`](Self::bytes) and those that wait behind gaps. Never more than
    /// [`StreamLimits::max_bytes`].
    ///
    /// A budget over many heads is kept by the difference that each [`push`](Self::push) and [`skip`](Self::skip)
    /// makes to this; the call costs no more than an addition.
    #[inline]
    #[must_use]
    pub fn held(&self) -> usize {
        self.head.len() + self.ahead.bytes()
    }

    /// Number of gaps: pieces that wait for bytes before them.
    #[must_use]
    pub fn gaps(&self) -> usize {
        self.ahead.count()
    }

    /// The bytes from `seq` on that wait behind a gap, up to the next one; empty if there are none.
    #[must_use]
    pub fn waiting_at(&self, seq: SeqNumber) -> &[u8] {
        self.ahead.from(self.position_of(seq))
    }

    /// Bytes of memory taken besides the head itself: never less, and exact but for what keeps pieces in order. The call
    /// costs a step for each of the [`gaps`](Self::gaps).
    #[must_use]
    pub fn memory(&self) -> usize {
        self.head.capacity() + self.ahead.memory()
    }

    /// Whether a segment that begins at `seq` has other bytes than are held in the same place, in order or behind a
    /// gap. [`push`](Self::push) keeps those that are held.
    #[must_use]
    pub fn conflicts_with(&self, seq: SeqNumber, payload: &[u8]) -> bool {
        let segment = Placed { start: self.position_of(seq), bytes: payload };
        segment.differs_from(self.front, self.head.as_slice()) || self.ahead.differ(segment)
    }

    /// Whether [`bytes`](Self::bytes) has reached [`StreamLimits::max_bytes`].
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.head.len() >= self.limits.max_bytes
    }

    /// Time of the first segment with new bytes since the front was last moved by [`skip`](Self::skip).
    #[must_use]
    pub fn started_at(&self) -> Option<Timestamp> {
        self.started_at
    }

    /// Whether `now` is further than [`StreamLimits::max_age`] from [`started_at`](Self::started_at), on either side:
    /// packet time that jumped back must not make a head immortal.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.started_at
            .is_some_and(|started| now.since(started).max(started.since(now)) > self.limits.max_age)
    }

    fn take(&mut self, segment: Placed<'_>, now: Timestamp) -> Pushed {
        let mut pushed = Pushed::default();
        if self.floor < self.front {
            pushed.drop_bytes(segment.between(0, self.floor), StreamLimit::Rewind);
        }
        let before_front = segment.between(self.floor, self.front);
        let after_end = segment.between(self.end(), u64::MAX);
        if before_front.bytes.is_empty() && after_end.bytes.is_empty() {
            return pushed;
        }
        if self.is_expired(now) {
            pushed.drop_bytes(before_front, StreamLimit::Age);
            pushed.drop_bytes(after_end, StreamLimit::Age);
            return pushed;
        }
        self.started_at.get_or_insert(now);
        if !before_front.bytes.is_empty() {
            pushed.rewound = self.rewind(before_front.start, segment.end());
            if !pushed.rewound {
                pushed.drop_bytes(before_front, StreamLimit::Rewind);
            }
        }

        let held = if pushed.rewound { 0 } else { self.head.len() };
        let window_end = self.front.saturating_add(self.limits.max_bytes as u64);
        let new = segment.between(self.end(), window_end);
        if new.start > self.end() {
            self.wait(new, &mut pushed);
        } else {
            self.ahead.extend(&mut self.head, self.front, new, self.limits.max_bytes);
        }
        pushed.in_order = self.head.len() - held;
        let limit = if self.is_full() { StreamLimit::Bytes } else { StreamLimit::Window };
        pushed.drop_bytes(segment.between(window_end, u64::MAX), limit);
        pushed
    }

    /// Moves the front back to `position`, where a segment that ends at `segment_end` brings the first byte; what was
    /// in order then waits for it. False if a limit forbids it.
    fn rewind(&mut self, position: u64, segment_end: u64) -> bool {
        let StreamLimits { max_bytes, max_pieces, max_out_of_order, .. } = self.limits;
        let last = self.ahead.end().unwrap_or(self.end());
        let leaves_gap = !self.head.is_empty() && segment_end < self.front;
        if last - position > max_bytes as u64
            || leaves_gap && self.ahead.count() >= max_pieces
            || leaves_gap && self.ahead.bytes() + self.head.len() > max_out_of_order
        {
            return false;
        }
        if !self.head.is_empty() {
            self.ahead.put(self.front, core::mem::take(&mut self.head));
        }
        self.front = position;
        true
    }

    /// Holds a segment that begins behind a gap.
    fn wait(&mut self, segment: Placed<'_>, pushed: &mut Pushed) {
        let held = self.ahead.held_between(segment.start, segment.end());
        let new = segment.bytes.len() - held;
        if new == 0 {
            return;
        }
        let limit = if self.ahead.bytes() + new > self.limits.max_out_of_order {
            StreamLimit::OutOfOrder
        } else if self.ahead.count() >= self.limits.max_pieces
            && !self.ahead.touch(segment.start, segment.end())
        {
            StreamLimit::Pieces
        } else {
            self.ahead.insert(segment, self.limits.max_bytes);
            pushed.waiting = new;
            return;
        };
        pushed.dropped += new;
        pushed.limit = Some(limit);
    }

    /// Position after the last byte in order.
    fn end(&self) -> u64 {
        self.front.saturating_add(self.head.len() as u64)
    }

    fn position_of(&self, seq: SeqNumber) -> u64 {
        let distance = seq.distance_from(SeqNumber::of_position(self.near));
        self.near.saturating_add_signed(i64::from(distance))
    }
}

impl Pushed {
    fn drop_bytes(&mut self, segment: Placed<'_>, limit: StreamLimit) {
        if !segment.bytes.is_empty() {
            self.dropped += segment.bytes.len();
            self.limit = Some(limit);
        }
    }
}

impl SeqNumber {
    #[expect(clippy::cast_possible_truncation, reason = "a sequence number is a position modulo 2^32")]
    fn of_position(position: u64) -> Self {
        Self(position as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: StreamLimits = StreamLimits {
        max_bytes: 16,
        max_pieces: 2,
        max_out_of_order: 8,
        max_rewind: 6,
        max_age: Duration::from_nanos(100),
    };

    fn at(nanos: u64) -> Timestamp {
        Timestamp::from_nanos(nanos)
    }

    fn seq(number: u32) -> SeqNumber {
        SeqNumber(number)
    }

    /// A head that starts at sequence number 100.
    fn head() -> StreamHead {
        StreamHead::new(seq(100), LIMITS)
    }

    /// Pushes at time 0.
    fn push(head: &mut StreamHead, number: u32, payload: &[u8]) -> Pushed {
        head.push(seq(number), payload, at(0))
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
        for (number, bytes) in [(98, &b"XXabcXeXgX"[..]), (103, b"XeX"), (105, b"X"), (90, b"X"), (104, b"")]
        {
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
    fn takes_no_bytes_past_its_age() {
        let mut head = head();
        assert_eq!(head.started_at(), None);
        assert!(!head.is_expired(Timestamp::MAX));
        assert_eq!(head.push(seq(100), b"a", at(1_000)), in_order(1));
        assert_eq!(head.push(seq(101), b"b", at(1_100)), in_order(1));
        assert_eq!(head.started_at(), Some(at(1_000)));
        assert_eq!(head.push(seq(102), b"cd", at(1_101)), dropped(2, StreamLimit::Age));
        assert_eq!(
            head.push(seq(102), b"cd", at(899)),
            dropped(2, StreamLimit::Age),
            "the clock jumped back"
        );
        assert!(head.is_expired(at(1_101)) && head.is_expired(at(0)) && !head.is_expired(at(901)));
        assert_eq!(head.bytes(), b"ab");
    }

    #[test]
    fn age_counts_from_the_first_segment_after_a_skip() {
        let mut head = head();
        assert_eq!(head.push(seq(100), b"ab", at(0)), in_order(2));
        head.skip(10);
        assert!(!head.is_expired(at(1_000)));
        assert_eq!(head.push(seq(102), b"XXXXXXXX", at(1_000)), Pushed::default(), "passed over");
        assert_eq!(head.started_at(), None);
        assert_eq!(head.push(seq(110), b"cd", at(2_000)), in_order(2));
        assert_eq!(head.started_at(), Some(at(2_000)));
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
            assert_eq!(head.push(number, &body, at(0)), Pushed::default());
            number += STEP;
        }
        assert_eq!(head.push(number, b"next", at(0)), in_order(4));
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
            assert_eq!(head.push(number, &payload, at(0)), Pushed::default());
            number += 1 << 16;
        }
        assert_eq!(head.push(number, b"next", at(0)), in_order(4));
    }

    #[test]
    fn mid_flow_takes_bytes_from_before_the_first_segment() {
        let mut head = StreamHead::mid_flow(seq(2), LIMITS);
        assert_eq!(push(&mut head, 2, b"ef"), in_order(2));
        let rewound = Pushed { rewound: true, ..Pushed::default() };
        assert_eq!(push(&mut head, 0, b"cdX"), Pushed { in_order: 4, ..rewound });
        assert_eq!(head.bytes(), b"cdef");
        assert_eq!(push(&mut head, u32::MAX - 1, b"a"), Pushed { in_order: 1, ..rewound }, "b is missing");
        assert_eq!((head.bytes(), head.gaps()), (&b"a"[..], 1));
        assert_eq!(push(&mut head, u32::MAX, b"bXXXXg"), in_order(6));
        assert_eq!(head.bytes(), b"abcdefg");
    }

    #[test]
    fn mid_flow_goes_back_no_further_than_its_limits() {
        let mut head = StreamHead::mid_flow(seq(100), LIMITS);
        assert_eq!(push(&mut head, 100, b"0123456789"), in_order(10));
        assert_eq!(push(&mut head, 93, b"X"), dropped(1, StreamLimit::Rewind), "7 before the first");
        assert_eq!(push(&mut head, 98, b"X"), dropped(1, StreamLimit::Rewind), "10 bytes would wait");
        assert_eq!(push(&mut head, 110, b"abcde"), in_order(5));
        assert_eq!(push(&mut head, 98, b"XX"), dropped(2, StreamLimit::Rewind), "17 bytes in all");
        assert_eq!(push(&mut head, 99, b"X"), Pushed { in_order: 16, rewound: true, ..Pushed::default() });
        assert_eq!(head.bytes(), b"X0123456789abcde");
    }

    #[test]
    fn mid_flow_goes_back_no_further_once_read() {
        let mut head = StreamHead::mid_flow(seq(100), LIMITS);
        assert_eq!(push(&mut head, 100, b"abc"), in_order(3));
        head.skip(1);
        assert_eq!(push(&mut head, 98, b"XX"), Pushed::default());
        assert_eq!(head.bytes(), b"bc");
    }
}
