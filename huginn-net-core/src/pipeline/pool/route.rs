//! Which worker gets which packet.

use super::super::lanes::{LaneSet, Lanes};
use super::super::spread::Spread;
use super::holdings::Holdings;
use crate::{Affinity, FlowTag, Packet};

/// Deals packets to workers as the analyzers ask.
pub(in crate::pipeline) struct Router<E> {
    /// Asked for affinities only.
    lanes: Lanes<E>,
    holdings: Holdings,
    spread: Spread,
    /// Who gets the next packet that may go anywhere.
    next: u32,
    shares: Vec<Share>,
}

/// A worker, and the lanes there that want the packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pipeline) struct Share {
    pub(in crate::pipeline) worker: usize,
    pub(in crate::pipeline) lanes: LaneSet,
    /// Whether one of them wants more than headers.
    pub(in crate::pipeline) is_whole: bool,
}

/// Where a packet goes.
pub(in crate::pipeline) struct Routed<'a> {
    /// Each worker at most once; nobody if no lane wants it.
    pub(in crate::pipeline) shares: &'a [Share],
    /// The flow, of which a worker may hold something from this packet on, and where that is noted.
    pub(in crate::pipeline) begun: Option<(FlowTag, &'a mut Holdings)>,
}

impl<E> Router<E> {
    pub(super) fn new(lanes: Lanes<E>, holdings: Holdings, workers: usize) -> Self {
        Self { lanes, holdings, spread: Spread::over(workers), next: 0, shares: Vec::new() }
    }

    /// One that knows nothing of what workers hold, so that they get all packets of the flows that analyzers ask for.
    pub(in crate::pipeline) fn asking(lanes: Lanes<E>, workers: usize) -> Self {
        Self::new(lanes, Holdings::unknown(), workers)
    }

    #[inline]
    pub(in crate::pipeline) fn route(&mut self, packet: &Packet<'_>) -> Routed<'_> {
        let Self { lanes, holdings, spread, next, shares } = self;
        shares.clear();
        let mut anywhere = None;
        let mut of_flow = None;
        let mut begins = false;
        for (lane, affinity) in lanes.affinities(packet) {
            let set = LaneSet::of(lane);
            let worker = match affinity {
                _ if LaneSet::is_shared(lane) => 0,
                Affinity::Any => {
                    anywhere.get_or_insert_with(LaneSet::default).add(set);
                    continue;
                }
                Affinity::Flow | Affinity::HeldFlow | Affinity::HeldWay | Affinity::HeldHeaders => {
                    let (flow, worker) = *of_flow.get_or_insert_with(|| spread.of_flow(packet));
                    if affinity == Affinity::Flow {
                        begins = true;
                    } else if let Some((flow, direction)) = flow {
                        let held = if affinity == Affinity::HeldWay { flow.of_way(direction) } else { flow };
                        if !holdings.may_hold(worker as usize, lane, flow, held) {
                            continue;
                        }
                    }
                    worker
                }
                Affinity::Host(host) => spread.of_host(host, packet),
            };
            add(shares, worker, set, affinity != Affinity::HeldHeaders);
        }
        if let Some(set) = anywhere {
            // Where it goes anyway, so that it is copied once.
            if let Some(share) = shares.first_mut() {
                share.lanes.add(set);
                share.is_whole = true;
            } else {
                add(shares, *next, set, true);
                *next = (*next + 1) % spread.workers();
            }
        }
        let begun = of_flow.and_then(|(flow, _)| flow).filter(|_| begins);
        Routed { shares, begun: begun.map(|(flow, _)| (flow, holdings)) }
    }
}

fn add(shares: &mut Vec<Share>, worker: u32, lanes: LaneSet, is_whole: bool) {
    let worker = worker as usize;
    match shares.iter_mut().find(|share| share.worker == worker) {
        Some(share) => {
            share.lanes.add(lanes);
            share.is_whole |= is_whole;
        }
        None => shares.push(Share { worker, lanes, is_whole }),
    }
}
