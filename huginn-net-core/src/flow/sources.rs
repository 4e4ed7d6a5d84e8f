//! How much each source holds of something.

use core::fmt;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::{KeyedHash, NetworkTag};

/// Exact counts by source. No more sources are held than were counted, as none of them counts zero.
///
/// ```
/// use huginn_net_core::{Frame, LinkType, Packet, SourceCounts};
///
/// let datagram = [
///     0x45, 0, 0, 28, 0, 1, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2, // IPv4
///     0x9c, 0x40, 0, 53, 0, 8, 0, 0, // UDP
/// ];
/// let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW))?;
/// let source = packet.source_network().expect("an address");
/// let mut counts = SourceCounts::new();
/// assert!(counts.try_add(source, 1));
/// assert!(!counts.try_add(source, 1));
/// counts.remove(source);
/// assert!(counts.try_add(source, 1));
/// # Ok::<(), huginn_net_core::Undecoded>(())
/// ```
pub struct SourceCounts {
    counts: HashTable<(NetworkTag, u32)>,
    hash: KeyedHash,
}

impl fmt::Debug for SourceCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceCounts").field("sources", &self.counts.len()).finish_non_exhaustive()
    }
}

impl SourceCounts {
    /// Counts of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self { counts: HashTable::new(), hash: KeyedHash::random() }
    }

    /// Counts one more of `source`, unless there are `limit` already.
    pub fn try_add(&mut self, source: NetworkTag, limit: u32) -> bool {
        match self.entry(source) {
            Entry::Occupied(mut known) => {
                let (_, count) = known.get_mut();
                let fits = *count < limit;
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

    /// Counts one of `source` less.
    pub fn remove(&mut self, source: NetworkTag) {
        if let Entry::Occupied(mut known) = self.entry(source) {
            let (_, count) = known.get_mut();
            *count = count.saturating_sub(1);
            if *count == 0 {
                known.remove();
            }
        }
    }

    fn entry(&mut self, source: NetworkTag) -> Entry<'_, (NetworkTag, u32)> {
        let hash = &self.hash;
        self.counts.entry(hash.hash(&source), |(known, _)| *known == source, |(known, _)| hash.hash(known))
    }
}

impl Default for SourceCounts {
    fn default() -> Self {
        Self::new()
    }
}
