//! Which worker gets what.

use core::net::IpAddr;

use crate::flow::share;
use crate::{Direction, FlowTag, KeyedHash, Packet};

/// Spreads flows and hosts over workers by hashes under random keys; which worker it is decides about no result.
#[derive(Clone)]
pub(super) struct Spread {
    hash: KeyedHash,
    workers: u32,
}

impl Spread {
    pub(super) fn over(workers: usize) -> Self {
        let workers = u32::try_from(workers).unwrap_or(u32::MAX);
        Self { hash: KeyedHash::random(), workers }
    }

    pub(super) fn workers(&self) -> u32 {
        self.workers
    }

    /// The flow and the way of the packet in it, if there is a tag for it, and its worker: the same in both directions. Without
    /// ports, the addresses make the flow.
    #[inline]
    pub(super) fn of_flow(&self, packet: &Packet<'_>) -> (Option<(FlowTag, Direction)>, u32) {
        if let Some((tag, direction)) = packet.flow() {
            return (Some((tag, direction)), share(tag.number(), self.workers));
        }
        let (source, destination): (IpAddr, IpAddr) = packet.addresses();
        let addresses = (source.min(destination), source.max(destination), packet.layout().domain());
        (None, share(self.hash.hash(&addresses), self.workers))
    }

    /// The worker of a host, in the address space of a packet.
    pub(super) fn of_host(&self, host: IpAddr, packet: &Packet<'_>) -> u32 {
        share(self.hash.hash(&(host, packet.layout().domain())), self.workers)
    }
}
