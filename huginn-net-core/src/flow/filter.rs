//! A quick no before a table is asked.

use core::fmt;
use core::sync::atomic::{AtomicU16, Ordering};
use std::sync::Arc;

use super::FlowTag;

/// Says which packets cannot belong to a flow that is held, by a table small enough to stay in the cache.
///
/// A counting filter of 8,192 places (16 KiB). A packet of a flow that was added always passes; one of another flow
/// passes when it shares a place with one that was added, so that the table still has the last word.
///
/// A clone is a view of the same filter for another thread. One thread at a time may change it.
#[derive(Clone)]
pub struct FlowFilter {
    counts: Arc<[AtomicU16; Self::PLACES]>,
}

impl fmt::Debug for FlowFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowFilter").finish_non_exhaustive()
    }
}

impl FlowFilter {
    pub(super) const BITS: u32 = 13;
    pub(crate) const PLACES: usize = 1 << Self::BITS;

    /// A filter that no packet passes.
    #[must_use]
    pub fn new() -> Self {
        Self { counts: Arc::new([const { AtomicU16::new(0) }; Self::PLACES]) }
    }

    /// Whether this flow may be held.
    #[inline]
    #[must_use]
    pub fn may_hold(&self, flow: FlowTag) -> bool {
        self.counts.get(Self::place(flow)).is_some_and(|count| count.load(Ordering::Relaxed) > 0)
    }

    /// Counts a flow that is held.
    #[inline]
    pub fn add(&mut self, flow: FlowTag) {
        self.change(flow, |count| count.saturating_add(1));
    }

    /// Takes back what [`FlowFilter::add`] counted. A place that was ever full stays open.
    #[inline]
    pub fn remove(&mut self, flow: FlowTag) {
        self.change(flow, |count| if count == u16::MAX { count } else { count.saturating_sub(1) });
    }

    /// A load and a store, as nobody else changes the filter meanwhile.
    #[inline]
    fn change(&mut self, flow: FlowTag, change: impl FnOnce(u16) -> u16) {
        if let Some(count) = self.counts.get(Self::place(flow)) {
            count.store(change(count.load(Ordering::Relaxed)), Ordering::Relaxed);
        }
    }

    /// Which count is that of a flow.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "thirteen bits")]
    pub(crate) const fn place(flow: FlowTag) -> usize {
        flow.upper_bits(Self::BITS) as usize
    }
}

impl Default for FlowFilter {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, LinkType, Packet};

    fn flow() -> FlowTag {
        let datagram = [
            0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, // IPv4
            0, 40, 0, 80, 0, 8, 0, 0, // UDP
        ];
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        packet.flow().expect("ports").0
    }

    #[test]
    fn holds_what_was_added_until_it_is_removed_as_often() {
        let mut filter = FlowFilter::new();
        let flow = flow();
        assert!(!filter.may_hold(flow));
        filter.add(flow);
        filter.add(flow);
        filter.remove(flow);
        assert!(filter.may_hold(flow));
        filter.remove(flow);
        assert!(!filter.may_hold(flow));
    }

    #[test]
    fn a_place_that_was_full_never_forgets_a_flow() {
        let mut filter = FlowFilter::new();
        let flow = flow();
        for _ in 0..=u16::MAX {
            filter.add(flow);
        }
        for _ in 0..=u16::MAX {
            filter.remove(flow);
        }
        assert!(filter.may_hold(flow));
    }
}
