//! The bytes of one direction of a connection, while a head is not complete or bytes before them are missing.

use huginn_net_core::{
    Direction, FlowTag, HeldBytes, NetworkTag, Origin, Pending, Pushed, Segment, SeqNumber, StreamHead,
    StreamLimit, StreamLimits, TagHash, Timestamp,
};

use super::connection::Exchanges;
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
const MAX_BEGINS: usize = MAX_PIECES;

/// Bytes of a direction that wait for others.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) head: StreamHead,
    /// Of the head at the front, with what it has seen of it.
    pub(super) scanner: Option<Http1Scanner>,
    /// Since when bytes are missing at the front.
    pub(super) missing_since: Timestamp,
    /// Segments that waited and with which a head begins, in the order of arrival.
    begins: Vec<Begin>,
    /// The end of what has waited.
    waited_to: SeqNumber,
    /// Whether bytes were given up, so that no packet completes the heads that waited behind them but their own.
    has_passed_gap: bool,
}

/// A segment with which a head begins.
#[derive(Debug)]
struct Begin {
    seq: SeqNumber,
    packet: Earlier,
}

/// What is kept of a packet whose bytes wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Earlier {
    pub(super) origin: Origin,
    /// Whether bytes of it were not captured.
    pub(super) is_cut: bool,
    pub(super) client_network: Option<NetworkTag>,
    /// The exchanges that were known when it came.
    pub(super) exchanges: Exchanges,
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
        Self {
            head: StreamHead::new(start, limits),
            scanner,
            missing_since: now,
            begins: Vec::new(),
            waited_to: start,
            has_passed_gap: false,
        }
    }

    /// Whether so much is missing before a segment that it does not wait.
    pub(super) fn is_far_from(&self, seq: SeqNumber) -> bool {
        u32::try_from(seq.distance_from(self.head.next_seq())).is_ok_and(|ahead| ahead > MAX_AHEAD)
    }

    /// Takes a segment of a packet; one that `begins` with a head gives it. True if it brought bytes that can be read, false if it
    /// waits, `None` if there was no room for it.
    pub(super) fn push(
        &mut self,
        segment: Segment<'_>,
        begins: Option<impl FnOnce() -> Earlier>,
        now: Timestamp,
        counts: &mut Counts,
    ) -> Option<bool> {
        let Segment { seq, payload } = segment;
        counts.overlap_conflict += u64::from(self.head.conflicts_with(seq, payload));
        let was_in_order = self.head.gaps() == 0;
        let Pushed { in_order, waiting, limit, .. } = self.head.push(seq, payload);
        counts.out_of_order += u64::from(waiting > 0);
        if in_order > 0 || was_in_order {
            self.missing_since = now;
        }
        if waiting > 0
            && let Some(begins) = begins.filter(|_| !self.begins.iter().any(|begin| begin.seq == seq))
        {
            if self.begins.len() >= MAX_BEGINS {
                let front = self.head.front_seq();
                self.begins.retain(|begin| front.precedes(begin.seq));
                // The last one of too many tells at least that one waits.
                self.begins.truncate(MAX_BEGINS - 1);
            }
            self.begins.push(Begin { seq, packet: begins() });
        }
        if waiting > 0 && self.waited_to.precedes(segment.end()) {
            self.waited_to = segment.end();
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
        shape::sender(self.head.bytes()).is_some()
            || self.begins.iter().any(|begin| front.precedes(begin.seq))
    }

    /// The packet of the first segment that waits and with which a head begins, of those that are known.
    pub(super) fn first_waiting(&self) -> Option<Earlier> {
        let front = self.head.front_seq();
        let waiting = self.begins.iter().filter(|begin| front.precedes(begin.seq));
        waiting.min_by_key(|begin| begin.seq.distance_from(front)).map(|begin| begin.packet)
    }

    /// The packet that began what is at the front, as far as that is known, if it waited behind bytes that were given up.
    pub(super) fn packet_of_front(&self) -> Option<Earlier> {
        let front = self.head.front_seq();
        if !self.has_passed_gap || !front.precedes(self.waited_to) {
            return None;
        }
        let before = self.begins.iter().filter(|begin| !front.precedes(begin.seq));
        before.min_by_key(|begin| front.distance_from(begin.seq)).map(|begin| begin.packet)
    }

    /// Goes over what is missing at the front to the first head that waits behind it. Tells where that is, and which exchanges were
    /// known when it came.
    pub(super) fn pass_gap(&mut self, now: Timestamp) -> Option<(SeqNumber, Exchanges)> {
        let front = self.head.front_seq();
        let ahead =
            |begin: &Begin| u32::try_from(begin.seq.distance_from(front)).ok().filter(|&bytes| bytes > 0);
        let waiting = self.begins.iter().filter_map(|begin| Some((ahead(begin)?, begin.packet.exchanges)));
        let (gap, exchanges) = waiting.min_by_key(|(gap, _)| *gap)?;
        self.head.skip(gap.into());
        (self.scanner, self.missing_since, self.has_passed_gap) = (None, now, true);
        Some((front + gap, exchanges))
    }
}

impl HeldBytes for Reading {
    fn held_bytes(&self) -> usize {
        self.head.memory() + self.begins.capacity() * size_of::<Begin>()
    }
}
