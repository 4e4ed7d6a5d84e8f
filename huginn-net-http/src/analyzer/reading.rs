//! The bytes of one direction of a connection, while a head is not complete or bytes before them are missing.

use huginn_net_core::{
    Direction, FlowTag, HeldBytes, Pending, Pushed, SeqNumber, StreamHead, StreamLimit, StreamLimits,
    TagHash, Timestamp,
};

use super::counts::Counts;
use super::shape;
use crate::http1::{Http1Limits, Http1Scanner};

/// A flow and the way the bytes go.
pub(super) type PendingKey = (FlowTag, Direction);
/// Directions that wait for bytes.
pub(super) type PendingReadings = Pending<PendingKey, Box<Reading>, TagHash>;

/// Segments wait for what is missing before them if that is no more than 32 full segments of Ethernet.
pub(super) const MAX_AHEAD: u32 = 32 * 1_460;
/// Most bytes that wait for others, and most pieces of them.
const MAX_OUT_OF_ORDER: usize = 64 << 10;
const MAX_PIECES: usize = 64;
/// Segments that wait and of which it is known that a head begins with them.
const MAX_BEGINS: usize = 4;

/// Bytes of a direction that wait for others.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) head: StreamHead,
    /// Of the head at the front, with what it has seen of it.
    pub(super) scanner: Option<Http1Scanner>,
    /// Since when bytes are missing at the front.
    pub(super) missing_since: Timestamp,
    /// Where a head begins in what waits, in the order of arrival.
    begins: Vec<SeqNumber>,
}

impl Reading {
    /// Bytes from `start` on.
    pub(super) fn new(
        start: SeqNumber,
        scanner: Option<Http1Scanner>,
        limits: &Http1Limits,
        now: Timestamp,
    ) -> Self {
        // The scanner refuses a head that is too long. What follows it in its last segment has room as well.
        let max_bytes = limits.max_head_bytes.max(MAX_AHEAD as usize).saturating_add(64 << 10);
        let limits = StreamLimits::default()
            .with_max_bytes(max_bytes)
            .with_max_pieces(MAX_PIECES)
            .with_max_out_of_order(MAX_OUT_OF_ORDER);
        Self { head: StreamHead::new(start, limits), scanner, missing_since: now, begins: Vec::new() }
    }

    /// Whether so much is missing before a segment that it does not wait.
    pub(super) fn is_far_from(&self, seq: SeqNumber) -> bool {
        u32::try_from(seq.distance_from(self.head.next_seq())).is_ok_and(|ahead| ahead > MAX_AHEAD)
    }

    /// Takes a segment, which may begin a head. True if it brought bytes that can be read, false if it waits, `None` if there
    /// was no room for it.
    pub(super) fn push(
        &mut self,
        seq: SeqNumber,
        payload: &[u8],
        may_begin: bool,
        now: Timestamp,
        counts: &mut Counts,
    ) -> Option<bool> {
        counts.overlap_conflict += u64::from(self.head.conflicts_with(seq, payload));
        let was_in_order = self.head.gaps() == 0;
        let Pushed { in_order, waiting, limit, .. } = self.head.push(seq, payload);
        counts.out_of_order += u64::from(waiting > 0);
        if in_order > 0 || was_in_order {
            self.missing_since = now;
        }
        if waiting > 0 && may_begin && !self.begins.contains(&seq) {
            let front = self.head.front_seq();
            self.begins.retain(|begin| front.precedes(*begin));
            // The last one of too many tells at least that one waits.
            self.begins.truncate(MAX_BEGINS - 1);
            self.begins.push(seq);
        }
        match limit {
            // What is beyond the end of a full head is refused with the head.
            Some(StreamLimit::Bytes) | None => Some(in_order > 0),
            Some(_) => {
                counts.out_of_order_limit += 1;
                None
            }
        }
    }

    /// Whether a head has begun in what is held. Of the places where heads begin some may have been read since.
    pub(super) fn has_head(&self) -> bool {
        let front = self.head.front_seq();
        shape::sender(self.head.bytes()).is_some() || self.begins.iter().any(|begin| front.precedes(*begin))
    }

    /// Goes over what is missing at the front to the first head that waits behind it, and tells where that is.
    pub(super) fn pass_gap(&mut self, now: Timestamp) -> Option<SeqNumber> {
        let front = self.head.front_seq();
        let places = self.begins.iter().map(|begin| begin.distance_from(front));
        let gap = places.filter_map(|bytes| u32::try_from(bytes).ok()).filter(|&bytes| bytes > 0).min()?;
        self.head.skip(gap.into());
        self.begins.retain(|begin| (front + gap).precedes(*begin));
        (self.scanner, self.missing_since) = (None, now);
        Some(front + gap)
    }
}

impl HeldBytes for Reading {
    fn held_bytes(&self) -> usize {
        self.head.memory() + self.begins.capacity() * size_of::<SeqNumber>()
    }
}
