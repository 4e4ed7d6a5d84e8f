//! The first bytes of one direction of a TCP stream.

use super::SeqNumber;
use super::islands::{Islands, Placed};
use super::run::Run;

/// How much a [`StreamHead`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamLimits {
    /// Most bytes held, at most 2^30; bytes that lie this far from the front or further are dropped.
    pub max_bytes: usize,
    /// Most pieces held that arrived ahead of bytes before them. Pieces that touch are one.
    pub max_pieces: usize,
    /// Most bytes held in such pieces.
    pub max_out_of_order: usize,
}

impl Default for StreamLimits {
    /// 16 KiB, 8 KiB of them out of order in 16 pieces.
    fn default() -> Self {
        Self { max_bytes: 16 * 1_024, max_pieces: 16, max_out_of_order: 8 * 1_024 }
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
}

/// What became of a segment. All zero: it brought nothing that is not held or passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct Pushed {
    /// Bytes at the end of [`StreamHead::bytes`] that were not there before, those that had been waiting behind a gap
    /// included.
    pub in_order: usize,
    /// Bytes of the segment that now wait behind a gap.
    pub waiting: usize,
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
/// the segment is pushed, and only the rest is stored. A head knows no time: how long it waits is for the table to say that
/// it is held in, such as [`Pending`](crate::Pending).
///
/// ```
/// use huginn_net_core::{SeqNumber, StreamHead, StreamLimits};
///
/// let isn = SeqNumber(u32::MAX - 3);
/// let mut head = StreamHead::new(isn + 1, StreamLimits::default().with_max_bytes(4_096));
/// assert_eq!(head.push(isn + 4, b"lo").waiting, 2);
/// assert_eq!(head.push(isn + 1, b"hel").in_order, 5);
/// assert_eq!(head.bytes(), b"hello");
/// ```
#[derive(Debug)]
pub struct StreamHead {
    limits: StreamLimits,
    /// The bytes in order. Positions are sequence numbers that go on counting where those wrap.
    head: Run,
    /// Position of the first byte of `head`, present or not.
    front: u64,
    /// Everything behind a gap, all after the end of `head` and within `max_bytes` of `front`.
    ahead: Islands,
    /// A position that segments are now near. It is not past the end of `head`, and far behind it while a body of
    /// gigabytes is passed over.
    near: u64,
}

/// Sequence numbers tell apart positions less than 2^31 from another; half of that stays clear of it.
const MOST_BYTES: usize = 1 << 30;

impl StreamHead {
    /// The head of a stream whose first byte has the number `start`: one more than the sequence number of the SYN,
    /// also for data that the SYN itself carries (TCP Fast Open, RFC 7413).
    #[must_use]
    pub fn new(start: SeqNumber, limits: StreamLimits) -> Self {
        // One turn above zero, so that there are positions before it.
        let front = (1 << 32) + u64::from(start.0);
        let limits = StreamLimits { max_bytes: limits.max_bytes.min(MOST_BYTES), ..limits };
        Self { limits, head: Run::default(), front, ahead: Islands::default(), near: front }
    }

    /// Takes the payload of a segment that begins at `seq`.
    pub fn push(&mut self, seq: SeqNumber, payload: &[u8]) -> Pushed {
        let segment = Placed { start: self.position_of(seq), bytes: payload };
        let pushed = self.take(segment);
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

    fn take(&mut self, segment: Placed<'_>) -> Pushed {
        let mut pushed = Pushed::default();
        if segment.end() <= self.end() {
            return pushed;
        }
        let held = self.head.len();
        let window_end = self.front.saturating_add(self.limits.max_bytes as u64);
        let new = segment.between(self.end(), window_end);
        if new.start > self.end() {
            self.wait(new, &mut pushed);
        } else {
            self.ahead.extend(&mut self.head, self.front, new, self.limits.max_bytes);
        }
        pushed.in_order = self.head.len() - held;
        let beyond = segment.between(window_end, u64::MAX);
        if !beyond.bytes.is_empty() {
            let limit = if self.is_full() { StreamLimit::Bytes } else { StreamLimit::Window };
            pushed.drop_bytes(beyond.bytes.len(), limit);
        }
        pushed
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
        pushed.drop_bytes(new, limit);
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
    fn drop_bytes(&mut self, bytes: usize, limit: StreamLimit) {
        self.dropped += bytes;
        self.limit = Some(limit);
    }
}

impl SeqNumber {
    #[expect(clippy::cast_possible_truncation, reason = "a sequence number is a position modulo 2^32")]
    fn of_position(position: u64) -> Self {
        Self(position as u32)
    }
}

#[cfg(test)]
mod tests;
