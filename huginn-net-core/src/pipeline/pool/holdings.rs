//! What workers hold of flows, as far as the reader can tell.

use std::sync::Arc;

use super::super::shared::{Shared, WorkerProgress};
use crate::{FlowFilter, FlowTag};

/// Tells which packets of flows go by unseen: most packets are of connections of which nothing more is wanted, and copying
/// them for a worker costs more than all else.
///
/// An analyzer holds a flow from a packet on that it wants in any case, and says so in its filter. A worker lags behind, so
/// that its filters say nothing of the packets that are on their way to it: until it has analyzed the last of them that
/// may make it hold the flow, the flow counts as held. Behind that, it can only be let go.
pub(in crate::pipeline) struct Holdings {
    workers: Vec<OfWorker>,
    shared: Arc<Shared>,
}

struct OfWorker {
    /// By lane.
    filters: Vec<Option<FlowFilter>>,
    /// By place in a filter: the place of the last packet on its way, or analyzed, from which on a flow may be held.
    begun: Vec<u64>,
}

impl Holdings {
    /// Of workers with these filters of their lanes.
    pub(super) fn new(filters: Vec<Vec<Option<FlowFilter>>>, shared: Arc<Shared>) -> Self {
        let of_worker = |filters| OfWorker { filters, begun: vec![0; FlowFilter::PLACES] };
        Self { workers: filters.into_iter().map(of_worker).collect(), shared }
    }

    /// Of workers that may hold everything.
    pub(super) fn unknown() -> Self {
        Self { workers: Vec::new(), shared: Arc::new(Shared::new(0, 0)) }
    }

    /// Notes that the packet at this place is on its way to a worker, which may hold the flow from then on.
    #[inline]
    pub(super) fn note(&mut self, worker: usize, flow: FlowTag, place: u64) {
        let begun = self.workers.get_mut(worker).and_then(|of| of.begun.get_mut(FlowFilter::place(flow)));
        if let Some(begun) = begun {
            *begun = place;
        }
    }

    /// Whether a lane of a worker may hold a flow, or what of it has the tag `held`, when the next packet gets there.
    #[inline]
    pub(super) fn may_hold(&self, worker: usize, lane: usize, flow: FlowTag, held: FlowTag) -> bool {
        let Some(of_worker) = self.workers.get(worker) else { return true };
        let Some(Some(filter)) = of_worker.filters.get(lane) else { return true };
        let begun = of_worker.begun.get(FlowFilter::place(flow)).copied().unwrap_or(u64::MAX);
        // Asked before the filter is, so that the filter knows of all packets up to that place.
        let analyzed = self.shared.worker(worker).map_or(0, WorkerProgress::place);
        begun > analyzed || filter.may_hold(held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, LinkType, Packet};

    /// A flow, by the last byte of an address.
    fn flow(host: u8) -> FlowTag {
        let datagram = [
            0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, host, 10, 0, 0, 2, // IPv4
            0, 40, 0, 80, 0, 8, 0, 0, // UDP
        ];
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        packet.flow().expect("ports").0
    }

    #[test]
    fn a_flow_counts_as_held_until_the_packet_that_began_it_is_analyzed_and_then_while_it_is() {
        let shared = Arc::new(Shared::new(1, 1));
        let mut filter = FlowFilter::new();
        let mut holdings = Holdings::new(vec![vec![Some(filter.clone()), None]], Arc::clone(&shared));
        let (flow, worker) = (flow(1), shared.worker(0).expect("a worker"));
        assert!(!holdings.may_hold(0, 0, flow, flow));
        holdings.note(0, flow, 5);
        worker.on_place(4);
        assert!(holdings.may_hold(0, 0, flow, flow), "on its way");
        filter.add(flow);
        worker.on_place(5);
        assert!(holdings.may_hold(0, 0, flow, flow), "held");
        filter.remove(flow);
        assert!(!holdings.may_hold(0, 0, flow, flow), "let go");
        holdings.note(0, flow, 9);
        assert!(holdings.may_hold(0, 0, flow, flow), "begun again");
        worker.on_place(7);
        assert!(holdings.may_hold(0, 0, flow, flow), "not yet analyzed");
    }

    #[test]
    fn who_does_not_say_what_it_holds_may_hold_everything() {
        let holdings = Holdings::new(vec![vec![None]], Arc::new(Shared::new(1, 1)));
        assert!(holdings.may_hold(0, 0, flow(1), flow(1)) && holdings.may_hold(0, 7, flow(1), flow(1)));
    }
}
