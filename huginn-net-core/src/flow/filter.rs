//! A quick no before a table is asked.

use crate::{IpVersion, Packet};

/// Says which packets cannot belong to a flow that is held, without hashing the whole flow.
///
/// A counting filter of 8,192 places (16 KiB). A packet of a flow that was added always passes; one of another flow
/// passes when it shares a place with one that was added, so that the table still has the last word.
pub struct FlowFilter {
    counts: Box<[u16; Self::PLACES]>,
}

/// The place of a flow in a [`FlowFilter`], the same for both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterSlot(u16);

impl FilterSlot {
    /// The place of the flow of a TCP or UDP packet; other packets share one.
    #[inline]
    pub fn of(packet: &Packet<'_>) -> Self {
        // Symmetric in source and destination; the multiplication spreads what differs into the upper bits.
        let addresses = match packet.ip_version() {
            IpVersion::V4 => packet.ipv4().map_or(0, |header| {
                u64::from(header.source().to_bits()) ^ u64::from(header.destination().to_bits())
            }),
            IpVersion::V6 => packet.ipv6().map_or(0, |header| {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "the interface identifiers tell hosts apart"
                )]
                let folded = (header.source().to_bits() ^ header.destination().to_bits()) as u64;
                folded
            }),
        };
        let ports = match packet.tcp() {
            Some(segment) => segment.source_port() ^ segment.destination_port(),
            None => packet.udp().map_or(0, |datagram| datagram.source_port() ^ datagram.destination_port()),
        };
        let mixed = (addresses ^ u64::from(ports) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self((mixed >> (u64::BITS - FlowFilter::BITS)) as u16)
    }
}

impl FlowFilter {
    const BITS: u32 = 13;
    const PLACES: usize = 1 << Self::BITS;

    /// A filter that no packet passes.
    pub fn new() -> Self {
        Self { counts: Box::new([0; Self::PLACES]) }
    }

    /// Whether a flow of this place may be held.
    #[inline]
    pub fn may_hold(&self, slot: FilterSlot) -> bool {
        self.counts.get(usize::from(slot.0)).is_some_and(|&count| count > 0)
    }

    /// Counts a flow that is held.
    #[inline]
    pub fn add(&mut self, slot: FilterSlot) {
        if let Some(count) = self.counts.get_mut(usize::from(slot.0)) {
            *count = count.saturating_add(1);
        }
    }

    /// Takes back what [`FlowFilter::add`] counted. A place that was ever full stays open.
    #[inline]
    pub fn remove(&mut self, slot: FilterSlot) {
        if let Some(count) = self.counts.get_mut(usize::from(slot.0))
            && *count < u16::MAX
        {
            *count = count.saturating_sub(1);
        }
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
    use crate::{Frame, LinkType};

    fn slot(source: u8, destination: u8, source_port: u8, destination_port: u8) -> FilterSlot {
        let datagram = [
            0x45,
            0,
            0,
            40,
            0,
            0,
            0,
            0,
            64,
            6,
            0,
            0,
            10,
            0,
            0,
            source,
            10,
            0,
            0,
            destination, //
            0,
            source_port,
            0,
            destination_port,
            0,
            0,
            0,
            1,
            0,
            0,
            0,
            0,
            0x50,
            0x10,
            0,
            0,
            0,
            0,
            0,
            0,
        ];
        FilterSlot::of(&Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet"))
    }

    #[test]
    fn both_directions_share_a_place_and_other_ports_have_another() {
        assert_eq!(slot(1, 2, 40, 80), slot(2, 1, 80, 40));
        assert_ne!(slot(1, 2, 40, 80), slot(1, 2, 41, 80));
    }

    #[test]
    fn holds_what_was_added_until_it_is_removed_as_often() {
        let mut filter = FlowFilter::new();
        let flow = slot(1, 2, 40, 80);
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
        let flow = slot(1, 2, 40, 80);
        for _ in 0..=u16::MAX {
            filter.add(flow);
        }
        for _ in 0..=u16::MAX {
            filter.remove(flow);
        }
        assert!(filter.may_hold(flow));
    }
}
