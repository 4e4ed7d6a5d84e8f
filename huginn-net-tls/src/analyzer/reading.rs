//! The bytes of one direction of a connection, while what they begin with is not complete.

use core::ops::Range;

use huginn_net_core::{HeldBytes, Pushed, Segment, SeqNumber, StreamHead, StreamLimit, StreamLimits};

use super::counts::Counts;
use super::shape;
use crate::carriers::Carriers;
use crate::event::PacketRef;
use crate::handshake::HandshakeType;
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

/// Packets that had to wait of which it is known what they brought; of others only how many they are.
const MAX_WAITED: usize = 64;

/// Bytes of a connection that wait for others.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) head: StreamHead,
    /// Joins the records of a hello that lies in several.
    pub(super) joiner: Option<RecordJoiner>,
    /// Bytes at the front that `joiner` has read.
    pub(super) joined: usize,
    pub(super) brought: Brought,
}

/// Which packets brought the bytes from the front on.
///
/// What begins at the front was not complete before the latest packet, so that all before it brought a part of it, except
/// for those that had to wait: they may lie behind its end.
#[derive(Debug)]
pub(super) struct Brought {
    /// Those whose bytes were in order when they came, and where the bytes of the latest of them end.
    in_order: Option<Carriers>,
    latest: (PacketRef, SeqNumber),
    /// The others, as they came. Pieces that touch are one, and do not tell where their segments began.
    waited: Vec<Waited>,
}

/// What a packet brought that had to wait.
#[derive(Clone, Copy, Debug)]
struct Waited {
    seq: SeqNumber,
    /// Where the bytes begin that none before it brought.
    new: SeqNumber,
    end: SeqNumber,
    packet: PacketRef,
    /// Whether a hello may begin with it.
    may_begin: bool,
}

impl Brought {
    /// Adds a packet whose bytes are in order, and end there.
    fn add(&mut self, packet: PacketRef, end: SeqNumber) {
        Carriers::add(&mut self.in_order, packet);
        self.latest = (packet, end);
    }

    /// Adds a packet whose bytes have to wait.
    fn add_waiting(&mut self, packet: PacketRef, Segment { seq, payload }: Segment<'_>) {
        let begins = self.waited.iter().filter(|waited| waited.may_begin).count();
        let may_begin = begins < MAX_BEGINS && shape::may_begin(payload);
        if may_begin || self.waited.len() < MAX_WAITED {
            let end = Segment { seq, payload }.end();
            let new = self.new_from(seq);
            self.waited.push(Waited { seq, new, end, packet, may_begin });
        } else {
            Carriers::add(&mut self.in_order, packet);
        }
    }

    /// Where what waits from `seq` on has its first gap.
    fn new_from(&self, mut seq: SeqNumber) -> SeqNumber {
        let covers = |waited: &Waited, at: SeqNumber| !at.precedes(waited.seq) && at.precedes(waited.end);
        while let Some(waited) = self.waited.iter().find(|waited| covers(waited, seq)) {
            seq = waited.end;
        }
        seq
    }

    /// Says that nothing of a hello has come in order yet, only what is passed over.
    pub(super) fn pass_all(&mut self) {
        self.in_order = None;
    }

    /// Says that bytes up to the new `front` are passed over.
    fn pass(&mut self, front: SeqNumber) {
        let (latest, end) = self.latest;
        self.in_order = front.precedes(end).then(|| Carriers::of(latest));
        self.waited.retain(|waited| front.precedes(waited.end));
    }

    /// Those that brought a part of a hello; the `latest` packet completed it.
    pub(super) fn carriers(&self, hello: Range<SeqNumber>, latest: PacketRef) -> Carriers {
        let mut carriers = self.in_order.filter(|_| hello.start.precedes(self.latest.1));
        for waited in &self.waited {
            if waited.new.precedes(hello.end) && hello.start.precedes(waited.end) {
                Carriers::add(&mut carriers, waited.packet);
            }
        }
        carriers.unwrap_or(Carriers::of(latest))
    }

    /// Where segments begin that waited and may begin a hello.
    fn begins(&self) -> impl Iterator<Item = SeqNumber> {
        self.waited.iter().filter(|waited| waited.may_begin).map(|waited| waited.seq)
    }
}

/// What a segment brought that no segment had before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// It is sent again, or there was no room for it.
    Nothing,
    /// Bytes that wait for others.
    Waiting,
    /// Bytes that can be read.
    InOrder,
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
            brought: Brought { in_order: None, latest: (first, start), waited: Vec::new() },
        }
    }

    /// As after a first segment that was held without one.
    pub(super) fn of_segment(start: SeqNumber, bytes: &[u8], first: PacketRef, hello: &HelloLimits) -> Self {
        let mut reading = Self::new(start, first, hello);
        // In order and within the limits, so that nothing of it waits or is dropped.
        let _ = reading.head.push(start, bytes);
        reading.brought.add(first, reading.head.next_seq());
        reading
    }

    /// Takes a segment of a packet.
    pub(super) fn push(&mut self, segment: Segment<'_>, packet: PacketRef, counts: &mut Counts) -> News {
        let Segment { seq, payload } = segment;
        counts.overlap_conflict += u64::from(self.head.conflicts_with(seq, payload));
        let is_early = self.head.bytes().is_empty() && self.head.next_seq().precedes(seq);
        if is_early
            && (self.head.held() + payload.len() > MAX_EARLY
                || self.head.gaps() >= MAX_EARLY_PIECES && !self.touches(seq, payload))
        {
            counts.out_of_order_limit += 1;
            return News::Nothing;
        }
        let Pushed { in_order, waiting, limit, .. } = self.head.push(seq, payload);
        if in_order > 0 {
            self.brought.add(packet, segment.end());
        } else if waiting > 0 {
            self.brought.add_waiting(packet, segment);
        }
        counts.out_of_order += u64::from(waiting > 0);
        match limit {
            Some(StreamLimit::Bytes) => counts.too_long += 1,
            Some(_) => counts.out_of_order_limit += 1,
            None => {}
        }
        match (in_order, waiting) {
            (0, 0) => News::Nothing,
            (0, _) => News::Waiting,
            _ => News::InOrder,
        }
    }

    /// Whether a segment belongs to a piece that waits, or next to one.
    fn touches(&self, seq: SeqNumber, payload: &[u8]) -> bool {
        // No segment has as many bytes as there are numbers.
        let end = seq + u32::try_from(payload.len()).unwrap_or(u32::MAX);
        let before = SeqNumber(seq.0.wrapping_sub(1));
        [before, seq, end].into_iter().any(|at| !self.head.waiting_at(at).is_empty())
    }

    /// Passes over bytes at the front.
    pub(super) fn pass(&mut self, bytes: usize) {
        // The bytes lie within a stream of at most 2^30.
        let front = self.head.front_seq() + u32::try_from(bytes).unwrap_or(u32::MAX);
        self.head.skip(bytes as u64);
        (self.joiner, self.joined) = (None, 0);
        self.brought.pass(front);
    }

    /// How many of the bytes at the front stand before a place where a hello may begin: where a segment that waited
    /// does, or one of those `others`. All of them if there is no such place.
    pub(super) fn up_to_begin(&self, others: [SeqNumber; 2]) -> usize {
        let front = self.head.front_seq();
        let all = self.head.bytes().len();
        let places = self.brought.begins().chain(others);
        places
            .filter_map(|seq| usize::try_from(seq.distance_from(front)).ok())
            .filter(|bytes| (1..all).contains(bytes))
            .min()
            .unwrap_or(all)
    }

    /// Moves on to a segment behind the gap at the front, if what waits from there on `is_hello`.
    pub(super) fn pass_gap(&mut self, mut is_hello: impl FnMut(&[u8]) -> bool) -> bool {
        if !self.head.bytes().is_empty() {
            return false;
        }
        let found = self.brought.begins().find(|&seq| is_hello(self.head.waiting_at(seq)));
        let gap = found.and_then(|seq| usize::try_from(seq.distance_from(self.head.front_seq())).ok());
        gap.map(|gap| self.pass(gap)).is_some()
    }
}

impl Reading {
    /// Of which end the hello is that has begun at the front.
    pub(super) fn hello_at_front(&self) -> Option<HandshakeType> {
        shape::hello_of(shape::behind_passed_over(self.head.bytes()))
    }

    /// Whether a hello has begun in what is held.
    pub(super) fn has_hello(&self) -> bool {
        self.hello_at_front().is_some()
            || self
                .brought
                .begins()
                .any(|seq| shape::hello_of(shape::behind_passed_over(self.head.waiting_at(seq))).is_some())
    }
}

impl HeldBytes for Reading {
    fn held_bytes(&self) -> usize {
        let joiner = self.joiner.as_ref().map_or(0, RecordJoiner::held_bytes);
        let waited = self.brought.waited.capacity() * size_of::<Waited>();
        self.head.memory() + waited + joiner
    }
}
