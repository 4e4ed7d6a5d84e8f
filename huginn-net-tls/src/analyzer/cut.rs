//! Hellos of two segments, which most browsers send.

use huginn_net_core::SeqNumber;

use super::reading::Reading;
use crate::event::PacketRef;
use crate::record::HelloLimits;

/// The first segment of what goes on in the next. If that is all there is to it, as it nearly always is, no stream has to
/// be kept; anything else is left to a [`Reading`].
pub(super) struct CutHello {
    start: SeqNumber,
    first: PacketRef,
    bytes: Vec<u8>,
}

impl CutHello {
    /// Holds a segment.
    pub(super) fn new(start: SeqNumber, first: PacketRef, payload: &[u8], spares: &mut SpareBuffers) -> Self {
        let mut bytes = spares.0.pop().unwrap_or_default();
        bytes.extend_from_slice(payload);
        Self { start, first, bytes }
    }

    /// Number of the first byte.
    pub(super) fn start(&self) -> SeqNumber {
        self.start
    }

    /// The packet that brought it.
    pub(super) fn first(&self) -> PacketRef {
        self.first
    }

    /// Bytes held.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes with those of the segment behind them.
    pub(super) fn joined(&mut self, payload: &[u8]) -> &[u8] {
        self.bytes.extend_from_slice(payload);
        &self.bytes
    }

    /// As it was before it was [`joined`](Self::joined) with another segment.
    pub(super) fn cut_to(&mut self, len: usize) {
        self.bytes.truncate(len);
    }

    /// Goes on as a stream.
    pub(super) fn reading(&self, limits: &HelloLimits) -> Reading {
        Reading::of_segment(self.start, &self.bytes, self.first, limits)
    }

    /// Bytes of memory held besides itself.
    pub(super) fn held_bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

/// Memory of hellos that are complete, for those to come: at most 128 KiB.
#[derive(Default)]
pub(super) struct SpareBuffers(Vec<Vec<u8>>);

impl SpareBuffers {
    const MOST: usize = 16;
    const LONGEST: usize = 8 << 10;

    /// Takes what is no longer needed.
    pub(super) fn add(&mut self, hello: CutHello) {
        let mut bytes = hello.bytes;
        if self.0.len() < Self::MOST && bytes.capacity() <= Self::LONGEST {
            bytes.clear();
            self.0.push(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use huginn_net_core::Timestamp;

    use super::*;

    fn hold(len: usize, spares: &mut SpareBuffers) -> CutHello {
        let first = PacketRef { captured_at: Timestamp::default(), frame: 1 };
        CutHello::new(SeqNumber(1), first, &vec![7; len], spares)
    }

    #[test]
    fn spare_memory_is_used_again_and_has_its_limits() {
        let mut spares = SpareBuffers::default();
        let held: Vec<CutHello> = (0..20).map(|_| hold(2_000, &mut spares)).collect();
        held.into_iter().for_each(|hello| spares.add(hello));
        assert_eq!(spares.0.len(), 16);
        let short = hold(10, &mut spares);
        assert_eq!((short.len(), spares.0.len()), (10, 15));
        assert!(short.held_bytes() >= 2_000, "what it holds is charged, not what it needs");
        let long = hold(9_000, &mut spares);
        assert_eq!(spares.0.len(), 14);
        spares.add(long);
        assert_eq!(spares.0.len(), 14, "longer than is kept");
    }
}
