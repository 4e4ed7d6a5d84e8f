//! The bytes of one direction of a connection, while what they begin with is not complete.

use huginn_net_core::{Pushed, SeqNumber, StreamHead, StreamLimit, StreamLimits, Timestamp};

use super::counts::Counts;
use crate::event::PacketRef;
use crate::record::{ClientHelloReader, HelloLimits};

/// A segment further ahead belongs to something else.
pub(super) const MAX_AHEAD: i32 = 64 << 10;
/// Bytes held ahead of those that decide whether there is a hello at all.
const MAX_EARLY: usize = 4 << 10;
/// Bytes held ahead of others once a hello has begun.
const MAX_OUT_OF_ORDER: usize = 16 << 10;
const MAX_PIECES: usize = 4;
/// A node of the tree in which pieces wait, and what their buffers have to spare.
const PIECES_BYTES: usize = 1_024;

/// Bytes of a connection that wait for others.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) head: StreamHead,
    /// Joins the records of a hello that lies in several.
    pub(super) joiner: Option<ClientHelloReader>,
    /// Bytes at the front that `joiner` has read.
    pub(super) joined: usize,
    /// The first packet that carried a part.
    pub(super) first: PacketRef,
    pub(super) packets: u32,
}

impl Reading {
    /// Bytes from `start` on, the first of which arrived in this packet.
    pub(super) fn new(start: SeqNumber, first: PacketRef, hello: &HelloLimits) -> Self {
        // A hello, its record headers and what follows it in the last segment.
        let max_bytes =
            hello.max_hello_bytes.saturating_add(5 * hello.max_records).saturating_add(MAX_OUT_OF_ORDER);
        // The table of what is pending decides how long to wait.
        let limits = StreamLimits::default()
            .with_max_bytes(max_bytes.max(MAX_AHEAD.unsigned_abs() as usize))
            .with_max_pieces(MAX_PIECES)
            .with_max_out_of_order(MAX_OUT_OF_ORDER)
            .with_max_rewind(0)
            .with_max_age(core::time::Duration::MAX);
        Self { head: StreamHead::new(start, limits), joiner: None, joined: 0, first, packets: 0 }
    }

    /// Takes a segment. True if it brought bytes that can be read.
    pub(super) fn push(&mut self, seq: SeqNumber, payload: &[u8], counts: &mut Counts) -> bool {
        counts.overlap_conflict += u64::from(self.head.conflicts_with(seq, payload));
        let is_early = self.head.bytes().is_empty() && self.head.next_seq().precedes(seq);
        if is_early && self.head.held() + payload.len() > MAX_EARLY {
            counts.out_of_order_limit += 1;
            return false;
        }
        // The time is always the same, see the limits.
        let Pushed { in_order, waiting, limit, .. } = self.head.push(seq, payload, Timestamp::default());
        self.packets = self.packets.saturating_add(u32::from(in_order > 0 || waiting > 0));
        counts.out_of_order += u64::from(waiting > 0);
        match limit {
            Some(StreamLimit::Bytes) => counts.too_long += 1,
            Some(_) => counts.out_of_order_limit += 1,
            None => {}
        }
        in_order > 0
    }

    /// Passes over bytes at the front; what follows begins in this packet.
    pub(super) fn pass(&mut self, bytes: usize, packet: PacketRef) {
        self.head.skip(bytes as u64);
        (self.joiner, self.joined) = (None, 0);
        (self.first, self.packets) = (packet, 1);
    }

    /// Never less than the memory it takes.
    pub(super) fn held_bytes(&self) -> usize {
        let pieces = if self.head.gaps() > 0 { PIECES_BYTES } else { 0 };
        let joiner = self.joiner.as_ref().map_or(0, ClientHelloReader::held_bytes);
        size_of::<Self>() + 2 * self.head.held() + pieces + joiner
    }
}
