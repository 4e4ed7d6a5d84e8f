//! How many connections each source address has pending.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use huginn_net_core::{Direction, FlowKey, KeyedHash};

/// Exact counts by address. No more addresses are held than connections are pending, as none of them counts zero.
pub(crate) struct SourceCounts {
    counts: HashTable<(Source, u32)>,
    hash: KeyedHash,
}

/// A host that opens connections, within its address space.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Source {
    address: u128,
    domain: u64,
}

impl Source {
    #[inline]
    fn of(key: &FlowKey, client: Direction) -> Self {
        Self { address: key.source_bits(client), domain: key.domain() }
    }
}

impl SourceCounts {
    pub(crate) fn new() -> Self {
        Self { counts: HashTable::new(), hash: KeyedHash::random() }
    }

    /// Counts one more connection of the client, unless there are `limit` already.
    #[inline]
    pub(crate) fn try_add(&mut self, key: &FlowKey, client: Direction, limit: u16) -> bool {
        let source = Source::of(key, client);
        match self.entry(source) {
            Entry::Occupied(mut known) => {
                let (_, count) = known.get_mut();
                let fits = *count < u32::from(limit);
                *count += u32::from(fits);
                fits
            }
            Entry::Vacant(place) => {
                if limit > 0 {
                    place.insert((source, 1));
                }
                limit > 0
            }
        }
    }

    /// Counts one connection of the client less.
    #[inline]
    pub(crate) fn remove(&mut self, key: &FlowKey, client: Direction) {
        if let Entry::Occupied(mut known) = self.entry(Source::of(key, client)) {
            let (_, count) = known.get_mut();
            *count = count.saturating_sub(1);
            if *count == 0 {
                known.remove();
            }
        }
    }

    #[inline]
    fn entry(&mut self, source: Source) -> Entry<'_, (Source, u32)> {
        let hash = &self.hash;
        self.counts.entry(hash.hash(&source), |(known, _)| *known == source, |(known, _)| hash.hash(known))
    }
}
