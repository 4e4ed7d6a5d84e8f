//! Which worker gets which packet.

use core::net::IpAddr;

use super::super::lanes::{LaneSet, Lanes};
use crate::flow::share;
use crate::{Affinity, FlowTagger, KeyedHash, Packet};

/// Deals packets to workers as the analyzers ask, by hashes under random keys; which worker it is decides about no result.
pub(super) struct Router<E> {
    /// Asked for affinities only.
    lanes: Lanes<E>,
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
}

impl<E> Router<E> {
    pub(super) fn new(lanes: Lanes<E>, workers: usize) -> Self {
        Self {
            lanes,
            tagger: FlowTagger::random(),
            hash: KeyedHash::random(),
            workers: u32::try_from(workers).unwrap_or(u32::MAX),
            next: 0,
            shares: Vec::new(),
        }
    }

    /// Who gets a packet: each worker at most once, nobody if no lane wants it.
    #[inline]
    pub(super) fn route(&mut self, packet: &Packet<'_>) -> &[Share] {
        let Self { lanes, tagger, hash, workers, next, shares } = self;
        shares.clear();
        let mut anywhere = None;
        let mut of_flow = None;
        for (lane, affinity) in lanes.affinities(packet) {
            let set = LaneSet::of(lane);
            let worker = match affinity {
                _ if LaneSet::is_shared(lane) => 0,
                Affinity::Any => {
                    anywhere.get_or_insert_with(LaneSet::default).add(set);
                    continue;
                }
                Affinity::Flow => {
                    *of_flow.get_or_insert_with(|| share(flow_hash(tagger, hash, packet), *workers))
                }
                Affinity::Host(host) => share(hash.hash(&(host, packet.layout().domain())), *workers),
            };
            add(shares, worker, set);
        }
        if let Some(set) = anywhere {
            // Where it goes anyway, so that it is copied once.
            if let Some(share) = shares.first_mut() {
                share.lanes.add(set);
            } else {
                add(shares, *next, set);
                *next = (*next + 1) % *workers;
            }
        }
        shares
    }
}

fn add(shares: &mut Vec<Share>, worker: u32, lanes: LaneSet) {
    let worker = worker as usize;
    match shares.iter_mut().find(|share| share.worker == worker) {
        Some(share) => share.lanes.add(lanes),
        None => shares.push(Share { worker, lanes }),
    }
}

/// The same in both directions. Without ports, the addresses make the flow.
#[inline]
fn flow_hash(tagger: &FlowTagger, hash: &KeyedHash, packet: &Packet<'_>) -> u64 {
    if let Some((tag, _)) = tagger.flow(packet) {
        return tag.number();
    }
    let (source, destination): (IpAddr, IpAddr) = packet.addresses();
    hash.hash(&(source.min(destination), source.max(destination), packet.layout().domain()))
}
