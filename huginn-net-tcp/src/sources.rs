//! How many connections each source address has pending.

use core::net::IpAddr;

use huginn_net_core::KeyedHash;

/// Counts by address, a few addresses together: the hash is keyed at random, so that nobody can choose to be
/// counted with somebody else.
pub(crate) struct SourceCounts {
    counts: Box<[u16; Self::PLACES]>,
    hash: KeyedHash,
}

/// Where a source address is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceSlot(u16);

impl SourceCounts {
    const BITS: u32 = 13;
    const PLACES: usize = 1 << Self::BITS;

    pub(crate) fn new() -> Self {
        Self { counts: Box::new([0; Self::PLACES]), hash: KeyedHash::random() }
    }

    /// Counts one more, unless there are `limit` already.
    #[inline]
    pub(crate) fn try_add(&mut self, source: IpAddr, limit: u16) -> Option<SourceSlot> {
        let hash = match source {
            IpAddr::V4(address) => self.hash.hash(&address.to_bits()),
            IpAddr::V6(address) => self.hash.hash(&address.to_bits()),
        };
        let slot = SourceSlot((hash >> (u64::BITS - Self::BITS)) as u16);
        let count = self.counts.get_mut(usize::from(slot.0))?;
        if *count >= limit {
            return None;
        }
        *count += 1;
        Some(slot)
    }

    /// Counts one less.
    #[inline]
    pub(crate) fn remove(&mut self, slot: SourceSlot) {
        if let Some(count) = self.counts.get_mut(usize::from(slot.0)) {
            *count = count.saturating_sub(1);
        }
    }
}
