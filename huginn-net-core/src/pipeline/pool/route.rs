//! Which worker gets which packet.

use core::net::IpAddr;

use super::super::lanes::{LaneSet, Lanes};
use super::holdings::Holdings;
use crate::flow::share;
use crate::{Affinity, Direction, FlowTag, FlowTagger, KeyedHash, Packet};

/// Deals packets to workers as the analyzers ask, by hashes under random keys; which worker it is decides about no result.
pub(super) struct Router<E> {
    /// Asked for affinities only.
    lanes: Lanes<E>,
    holdings: Holdings,
    tagger: FlowTagger,
    hash: KeyedHash,
    workers: u32,
    /// Who gets the next packet that may go anywhere.
    next: u32,
    shares: Vec<Share>,
}

/// A worker, and the lanes there that want the packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) worker: usize,
    pub(super) lanes: LaneSet,
    /// Whether one of them wants more than headers.
    pub(super) is_whole: bool,
}

/// Where a packet goes.
pub(super) struct Routed<'a> {
    /// Each worker at most once; nobody if no lane wants it.
    pub(super) shares: &'a [Share],
    /// The flow, of which a worker may hold something from this packet on, and where that is noted.
    pub(super) begun: Option<(FlowTag, &'a mut Holdings)>,
}

impl<E> Router<E> {
    pub(super) fn new(lanes: Lanes<E>, holdings: Holdings, workers: usize) -> Self {
        Self {
            lanes,
            holdings,
            tagger: FlowTagger::random(),
            hash: KeyedHash::random(),
            workers: u32::try_from(workers).unwrap_or(u32::MAX),
            next: 0,
            shares: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn route(&mut self, packet: &Packet<'_>) -> Routed<'_> {
        let Self { lanes, holdings, tagger, hash, workers, next, shares } = self;
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
                    let (flow, worker) =
                        *of_flow.get_or_insert_with(|| worker_of_flow(tagger, hash, packet, *workers));
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
                Affinity::Host(host) => share(hash.hash(&(host, packet.layout().domain())), *workers),
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
                *next = (*next + 1) % *workers;
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

/// The flow and the way of the packet in it, if there is a tag for it, and its worker: the same in both directions. Without
/// ports, the addresses make the flow.
#[inline]
fn worker_of_flow(
    tagger: &FlowTagger,
    hash: &KeyedHash,
    packet: &Packet<'_>,
    workers: u32,
) -> (Option<(FlowTag, Direction)>, u32) {
    if let Some((tag, direction)) = tagger.flow(packet) {
        return (Some((tag, direction)), share(tag.number(), workers));
    }
    let (source, destination): (IpAddr, IpAddr) = packet.addresses();
    let addresses = (source.min(destination), source.max(destination), packet.layout().domain());
    (None, share(hash.hash(&addresses), workers))
}
