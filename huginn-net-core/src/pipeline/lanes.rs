//! The analyzers of a pipeline side by side.

use crate::{Affinity, Analyzer, AnalyzerStats, Endpoint, FlowFilter, Located, Packet, Timestamp};

/// One copy of each analyzer of a pipeline. Their places are called lanes; events of one packet come in the order of lanes.
pub(super) struct Lanes<E> {
    analyzers: Vec<Box<dyn Analyzer<Event = E>>>,
}

/// Lanes that want a packet. Those from [`LAST`] on share one bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LaneSet(u32);

/// The first lane that has no bit of its own.
const LAST: usize = u32::BITS as usize - 1;

impl LaneSet {
    pub(super) fn of(lane: usize) -> Self {
        Self(1 << lane.min(LAST))
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    #[inline]
    fn has(self, lane: usize) -> bool {
        self.0 >> lane.min(LAST) & 1 == 1
    }

    /// Whether a lane shares its bit with others, so that all packets for it have to go to one worker.
    pub(super) fn is_shared(lane: usize) -> bool {
        lane >= LAST
    }
}

impl<E> Lanes<E> {
    pub(super) fn new(analyzers: Vec<Box<dyn Analyzer<Event = E>>>) -> Self {
        Self { analyzers }
    }

    /// Gives a packet to all that want it.
    #[inline]
    pub(super) fn offer(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(E)) {
        for analyzer in &mut self.analyzers {
            analyzer.offer(packet, report);
        }
    }

    /// Gives a packet to all that want it, and tells which of them reports what.
    #[inline]
    pub(super) fn offer_each(&mut self, packet: &Packet<'_>, mut report: impl FnMut(usize, E)) {
        for (lane, analyzer) in self.analyzers.iter_mut().enumerate() {
            analyzer.offer(packet, &mut |event| report(lane, event));
        }
    }

    /// Whether flows are all that analyzers ask for.
    pub(super) fn goes_by_flow(&self) -> bool {
        self.analyzers.iter().all(Analyzer::goes_by_flow)
    }

    /// Gives a packet to those of a set, which have been asked before.
    pub(super) fn on_packet(&mut self, packet: &Packet<'_>, set: LaneSet, mut report: impl FnMut(usize, E)) {
        for (lane, analyzer) in self.analyzers.iter_mut().enumerate() {
            if !set.has(lane) {
                continue;
            }
            let mut report = |event| report(lane, event);
            if LaneSet::is_shared(lane) {
                analyzer.offer(packet, &mut report);
            } else {
                analyzer.on_packet(packet, &mut report);
            }
        }
    }

    /// What each lane asks for a packet.
    #[inline]
    pub(super) fn affinities(&self, packet: &Packet<'_>) -> impl Iterator<Item = (usize, Affinity)> {
        let asked = self.analyzers.iter().enumerate();
        asked.filter_map(|(lane, analyzer)| Some((lane, analyzer.affinity(packet)?)))
    }

    /// The flows of which each lane wants packets with [`Affinity::HeldFlow`] and its like.
    pub(super) fn held(&self) -> Vec<Option<FlowFilter>> {
        self.analyzers.iter().map(Analyzer::held).collect()
    }

    pub(super) fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(usize, E)) {
        for (lane, analyzer) in self.analyzers.iter_mut().enumerate() {
            analyzer.on_time(now, &mut |event| report(lane, event));
        }
    }

    pub(super) fn on_end(&mut self, report: &mut dyn FnMut(usize, E)) {
        for (lane, analyzer) in self.analyzers.iter_mut().enumerate() {
            analyzer.on_end(&mut |event| report(lane, event));
        }
    }

    pub(super) fn count(&self, stats: &mut AnalyzerStats) {
        self.analyzers.iter().for_each(|analyzer| analyzer.count(stats));
    }
}

/// Puts what all copies reported at one time in an order that does not depend on their number: that of the frames where
/// it was seen. What shares a frame is told apart by its flow, and what shares a flow comes from one copy, in whose order
/// it stays.
pub(super) fn put_in_order<E: Located>(events: &mut [(usize, E)]) {
    if events.len() > 1 {
        events.sort_by_cached_key(|(lane, event)| (place(event), *lane));
    }
}

/// Without the number of the address space, whose order means nothing.
fn place(event: &impl Located) -> Option<(u64, Endpoint, Endpoint, u8, Option<u16>)> {
    let origin = event.located()?;
    Some((origin.frame, origin.source, origin.destination, origin.protocol.0, origin.vlan))
}
