//! The bytes of one direction of a connection, while what they begin with is not complete.

use huginn_net_core::{HeldBytes, Pushed, SeqNumber, StreamHead, StreamLimit, StreamLimits};

use super::counts::Counts;
use super::shape;
use crate::event::PacketRef;
use crate::record::{HelloLimits, RecordJoiner};

/// A segment further ahead belongs to something else.
pub(super) const MAX_AHEAD: i32 = 64 << 10;
/// Bytes held ahead of those that decide whether there is a hello at all, and pieces of them.
const MAX_EARLY: usize = 4 << 10;
const MAX_EARLY_PIECES: usize = 2;
/// Bytes held ahead of others once a hello has begun.
const MAX_OUT_OF_ORDER: usize = 16 << 10;
const MAX_PIECES: usize = 4;
/// Segments that wait of which it is known where they begin; more of them cannot begin a hello that matters.
const MAX_BEGINS: usize = 4;

/// Bytes of a connection that wait for others.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) head: StreamHead,
    /// Joins the records of a hello that lies in several.
    pub(super) joiner: Option<RecordJoiner>,
    /// Bytes at the front that `joiner` has read.
    pub(super) joined: usize,
    /// The first packet that carried a part.
    pub(super) first: PacketRef,
    pub(super) packets: u32,
    /// Where a hello may begin in what waits: pieces that touch are one, and no longer tell where their segments began.
    begins: Vec<Begin>,
}

/// A segment that had to wait and may begin a hello.
#[derive(Clone, Copy, Debug)]
struct Begin {
    seq: SeqNumber,
    first: PacketRef,
    /// Packets that brought bytes from there on.
    packets: u32,
}

impl Reading {
    /// Bytes from `start` on, the first of which arrived in this packet.
    pub(super) fn new(start: SeqNumber, first: PacketRef, hello: &HelloLimits) -> Self {
        // A hello, its record headers and what follows it in the last segment.
        let max_bytes =
            hello.max_hello_bytes.saturating_add(5 * hello.max_records).saturating_add(MAX_OUT_OF_ORDER);
        let limits = StreamLimits::default()
            .with_max_bytes(max_bytes.max(MAX_AHEAD.unsigned_abs() as usize))
            .with_max_pieces(MAX_PIECES)
            .with_max_out_of_order(MAX_OUT_OF_ORDER);
        Self {
            head: StreamHead::new(start, limits),
            joiner: None,
            joined: 0,
            first,
            packets: 0,
            begins: Vec::new(),
        }
    }

    /// As after a first segment that was held without one.
    pub(super) fn of_segment(start: SeqNumber, bytes: &[u8], first: PacketRef, hello: &HelloLimits) -> Self {
        let mut reading = Self::new(start, first, hello);
        // In order and within the limits, so that nothing of it waits or is dropped.
        let _ = reading.head.push(start, bytes);
        reading.packets = 1;
        reading
    }

    /// Takes a segment of a packet. True if it brought bytes that can be read.
    pub(super) fn push(
        &mut self,
        seq: SeqNumber,
        payload: &[u8],
        packet: PacketRef,
        counts: &mut Counts,
    ) -> bool {
        counts.overlap_conflict += u64::from(self.head.conflicts_with(seq, payload));
        let is_early = self.head.bytes().is_empty() && self.head.next_seq().precedes(seq);
        if is_early
            && (self.head.held() + payload.len() > MAX_EARLY
                || self.head.gaps() >= MAX_EARLY_PIECES && !self.touches(seq, payload))
        {
            counts.out_of_order_limit += 1;
            return false;
        }
        let Pushed { in_order, waiting, limit, .. } = self.head.push(seq, payload);
        if in_order > 0 || waiting > 0 {
            self.packets = self.packets.saturating_add(1);
            for begin in self.begins.iter_mut().filter(|begin| !seq.precedes(begin.seq)) {
                begin.packets = begin.packets.saturating_add(1);
            }
        }
        if waiting > 0 && self.begins.len() < MAX_BEGINS && shape::may_begin(payload) {
            self.begins.push(Begin { seq, first: packet, packets: 1 });
        }
        counts.out_of_order += u64::from(waiting > 0);
        match limit {
            Some(StreamLimit::Bytes) => counts.too_long += 1,
            Some(_) => counts.out_of_order_limit += 1,
            None => {}
        }
        in_order > 0
    }

    /// Whether a segment belongs to a piece that waits, or next to one.
    fn touches(&self, seq: SeqNumber, payload: &[u8]) -> bool {
        // No segment has as many bytes as there are numbers.
        let end = seq + u32::try_from(payload.len()).unwrap_or(u32::MAX);
        let before = SeqNumber(seq.0.wrapping_sub(1));
        [before, seq, end].into_iter().any(|at| !self.head.waiting_at(at).is_empty())
    }

    /// Passes over bytes at the front; what follows begins in this packet, unless it waited.
    pub(super) fn pass(&mut self, bytes: usize, packet: PacketRef) {
        // The bytes lie within a stream of at most 2^30.
        let front = self.head.front_seq() + u32::try_from(bytes).unwrap_or(u32::MAX);
        self.head.skip(bytes as u64);
        (self.joiner, self.joined) = (None, 0);
        let waited = self.begins.iter().find(|begin| begin.seq == front);
        (self.first, self.packets) = waited.map_or((packet, 1), |begin| (begin.first, begin.packets));
        self.begins.retain(|begin| front.precedes(begin.seq));
    }

    /// How many of the bytes at the front stand before a place where a hello may begin: where a segment that waited
    /// does, or one of those `others`. All of them if there is no such place.
    pub(super) fn up_to_begin(&self, others: [SeqNumber; 2]) -> usize {
        let front = self.head.front_seq();
        let places = self.begins.iter().map(|begin| begin.seq).chain(others);
        let all = self.head.bytes().len();
        places
            .filter_map(|seq| usize::try_from(seq.distance_from(front)).ok())
            .filter(|bytes| (1..all).contains(bytes))
            .min()
            .unwrap_or(all)
    }

    /// Moves on to a segment behind the gap at the front, if what waits from there on `is_hello`.
    pub(super) fn pass_gap(&mut self, packet: PacketRef, mut is_hello: impl FnMut(&[u8]) -> bool) -> bool {
        if !self.head.bytes().is_empty() {
            return false;
        }
        let found = self.begins.iter().find(|begin| is_hello(self.head.waiting_at(begin.seq)));
        let gap =
            found.and_then(|begin| usize::try_from(begin.seq.distance_from(self.head.front_seq())).ok());
        gap.map(|gap| self.pass(gap, packet)).is_some()
    }
}

impl HeldBytes for Reading {
    fn held_bytes(&self) -> usize {
        let joiner = self.joiner.as_ref().map_or(0, RecordJoiner::held_bytes);
        let begins = self.begins.capacity() * size_of::<Begin>();
        self.head.memory() + begins + joiner
    }
}
