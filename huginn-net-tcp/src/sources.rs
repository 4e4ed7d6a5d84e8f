//! How many connections each source address has pending.

use core::net::IpAddr;
use core::time::Duration;

use huginn_net_core::{Direction, Expiring, ExpiringLimits, FlowKey, Timestamp};

/// Exact counts by address. No more addresses are held than connections are pending.
pub(crate) struct SourceCounts {
    counts: Expiring<Source, u32>,
}

/// A host that opens connections, within its address space.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Source {
    address: IpAddr,
    domain: u64,
}

impl Source {
    fn of(key: &FlowKey, client: Direction) -> Self {
        Self { address: key.source(client).ip(), domain: key.domain() }
    }
}

impl SourceCounts {
    /// Room for as many addresses as there can be pending connections.
    pub(crate) fn new(max_flows: usize) -> Self {
        Self { counts: Expiring::new(ExpiringLimits { max_entries: max_flows, idle: Duration::MAX }) }
    }

    /// Counts one more connection of the client, unless there are `limit` already.
    #[inline]
    pub(crate) fn try_add(&mut self, key: &FlowKey, client: Direction, limit: u16) -> bool {
        let count = self.counts.get_or_insert_with(Source::of(key, client), Timestamp::default(), || 0).value;
        let fits = *count < u32::from(limit);
        *count += u32::from(fits);
        fits
    }

    /// Counts one connection of the client less.
    #[inline]
    pub(crate) fn remove(&mut self, key: &FlowKey, client: Direction) {
        let source = Source::of(key, client);
        if let Some(count) = self.counts.peek_mut(&source) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.counts.remove(&source);
            }
        }
    }
}
