//! What waits for the rest of its bytes, within one budget.

use core::fmt;
use core::hash::Hash;
use core::time::Duration;

use super::{Expiring, ExpiringLimits, HashKeys, KeyedHash, NetworkTag, SourceCounts};
use crate::Timestamp;

/// How much a [`Pending`] table holds, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PendingLimits {
    /// Most entries: 1 or more. The oldest is given up for another one.
    pub max_entries: usize,
    /// Bytes of memory for all of them; the oldest are given up for others.
    pub max_bytes: usize,
    /// Entries of one source; further ones are refused.
    pub max_per_source: u32,
    /// How long an entry may take from its begin.
    pub max_age: Duration,
    /// How long an entry that is not complete may go without being asked for.
    pub max_idle: Duration,
}

impl Default for PendingLimits {
    /// 32,768 entries, 256 of a source, 64 MiB; 10 seconds, 3 without a packet.
    fn default() -> Self {
        Self {
            max_entries: 32_768,
            max_bytes: 64 << 20,
            max_per_source: 256,
            max_age: Duration::from_secs(10),
            max_idle: Duration::from_secs(3),
        }
    }
}

impl PendingLimits {
    /// With this [`max_entries`](Self::max_entries).
    #[must_use]
    pub const fn with_max_entries(self, max_entries: usize) -> Self {
        Self { max_entries, ..self }
    }

    /// With this [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub const fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    /// With this [`max_per_source`](Self::max_per_source).
    #[must_use]
    pub const fn with_max_per_source(self, max_per_source: u32) -> Self {
        Self { max_per_source, ..self }
    }

    /// With this [`max_age`](Self::max_age).
    #[must_use]
    pub const fn with_max_age(self, max_age: Duration) -> Self {
        Self { max_age, ..self }
    }

    /// With this [`max_idle`](Self::max_idle).
    #[must_use]
    pub const fn with_max_idle(self, max_idle: Duration) -> Self {
        Self { max_idle, ..self }
    }
}

/// What became of entries that were neither complete nor removed by who holds them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PendingStats {
    /// Given up for others: too many entries, or too many bytes.
    pub evicted: u64,
    /// Given up because they took too long.
    pub expired: u64,
    /// Not begun because their source had too many.
    pub refused: u64,
}

/// Something the memory of which counts.
pub trait HeldBytes {
    /// Bytes of memory held, those of the value itself left out; never less than it takes.
    fn held_bytes(&self) -> usize;
}

impl<T: HeldBytes> HeldBytes for Box<T> {
    fn held_bytes(&self) -> usize {
        size_of::<T>() + (**self).held_bytes()
    }
}

/// What senders have begun and not completed, the oldest given up first.
///
/// An entry counts for its source until it is [`complete`](Self::complete), and its memory for the budget until it is
/// removed or given up; who holds the key is not told, and finds out when the entry is gone. Time is packet time, and may
/// jump.
pub struct Pending<K, V, S = KeyedHash> {
    limits: PendingLimits,
    /// Entries are never touched, so that they stand in the order of their begin and go out by their age.
    entries: Expiring<K, Entry<V>, S>,
    sources: SourceCounts,
    bytes: usize,
    stats: PendingStats,
}

impl<K, V, S> fmt::Debug for Pending<K, V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending")
            .field("limits", &self.limits)
            .field("bytes", &self.bytes)
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}

struct Entry<V> {
    value: V,
    source: NetworkTag,
    began_at: Timestamp,
    last_at: Timestamp,
    /// Bytes charged to the budget.
    charge: usize,
    /// Whether it counts for its source: until it is complete.
    waits: bool,
}

impl<V> Entry<V> {
    /// Whether it took too long, by whichever limit is first: packet time that jumps back must not make anything immortal.
    fn is_late(&self, limits: &PendingLimits, now: Timestamp) -> bool {
        now.abs_diff(self.began_at) > limits.max_age
            || self.waits && now.abs_diff(self.last_at) > limits.max_idle
    }
}

impl<K: Hash + Eq + Copy, V: HeldBytes> Pending<K, V> {
    /// Nothing waits, and nothing is allocated.
    #[must_use]
    pub fn new(limits: PendingLimits) -> Self {
        Self::with_hash(limits, KeyedHash::random())
    }
}

impl<K: Eq + Copy, V: HeldBytes, S: HashKeys<K>> Pending<K, V, S> {
    /// What an entry takes in the tables: itself, its key, what links it and its place in the hash table, while that
    /// grows; and its share of the counts by source.
    const ENTRY_BYTES: usize = 2 * (size_of::<Entry<V>>() + size_of::<K>() + 32) + 64;

    /// As [`Pending::new`], with keys found by this hash.
    pub fn with_hash(limits: PendingLimits, hasher: S) -> Self {
        let of_entries =
            ExpiringLimits::default().with_max_entries(limits.max_entries).with_idle(limits.max_age);
        Self {
            limits,
            entries: Expiring::with_hash(of_entries, hasher),
            sources: SourceCounts::new(),
            bytes: 0,
            stats: PendingStats::default(),
        }
    }

    /// Whether nothing waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Bytes charged to the budget.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// What has gone out so far.
    pub fn stats(&self) -> PendingStats {
        self.stats
    }

    /// What was begun, unless it took too long, which ends it.
    pub fn get(&mut self, key: &K, now: Timestamp) -> Option<&mut V> {
        let place = self.entries.place_of(key)?;
        if self.entries.at_mut(place)?.is_late(&self.limits, now) {
            self.give_up_late(key);
            return None;
        }
        // Found once, and read twice.
        let entry = self.entries.at_mut(place)?;
        entry.last_at = now;
        Some(&mut entry.value)
    }

    /// Holds what was begun in place of what the key had, which is given up; false if the source has too much, or the
    /// budget has no room.
    pub fn insert(&mut self, key: K, source: NetworkTag, value: V, now: Timestamp) -> bool {
        if let Some(replaced) = self.entries.remove(&key) {
            self.stats.evicted += u64::from(replaced.waits);
            forget(&mut self.bytes, &mut self.sources, &replaced);
        }
        if !self.sources.try_add(source, self.limits.max_per_source) {
            self.stats.refused += 1;
            return false;
        }
        let charge = Self::ENTRY_BYTES + value.held_bytes();
        self.bytes += charge;
        let entry = Entry { value, source, began_at: now, last_at: now, charge, waits: true };
        if let Some((_, displaced)) = self.entries.insert_absent(key, entry, now) {
            self.stats.evicted += u64::from(displaced.waits);
            forget(&mut self.bytes, &mut self.sources, &displaced);
        }
        self.bytes <= self.limits.max_bytes || {
            self.keep_within_budget();
            self.entries.get(&key).is_some()
        }
    }

    /// Charges an entry with what it holds now, which may end it.
    pub fn charge(&mut self, key: &K) {
        let Some(entry) = self.entries.peek_mut(key) else { return };
        let charge = Self::ENTRY_BYTES + entry.value.held_bytes();
        self.bytes = self.bytes.saturating_sub(entry.charge).saturating_add(charge);
        entry.charge = charge;
        self.keep_within_budget();
    }

    /// Counts an entry no longer for its source: it has what it waited for. What comes next is still held.
    pub fn complete(&mut self, key: &K) {
        if let Some(entry) = self.entries.peek_mut(key)
            && core::mem::take(&mut entry.waits)
        {
            self.sources.remove(entry.source);
        }
    }

    /// Takes out what was begun.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let entry = self.entries.remove(key)?;
        forget(&mut self.bytes, &mut self.sources, &entry);
        Some(entry.value)
    }

    /// Gives up what took too long.
    pub fn on_time(&mut self, now: Timestamp) {
        self.expire(now, |_, _| {});
    }

    /// Gives up what took too long, and tells what that was.
    pub fn expire(&mut self, now: Timestamp, mut gone: impl FnMut(K, V)) {
        let Self { entries, sources, bytes, stats, .. } = self;
        entries.expire(now, |key, entry| {
            stats.expired += u64::from(entry.waits);
            forget(bytes, sources, &entry);
            gone(key, entry.value);
        });
    }

    /// Takes it that something was heard of what was begun, so that it does not count as idle, unless it is over its age.
    pub fn hear(&mut self, key: &K, now: Timestamp) {
        if let Some(entry) = self.entries.peek_mut(key)
            && now.abs_diff(entry.began_at) <= self.limits.max_age
        {
            entry.last_at = now;
        }
    }

    /// Takes out what was begun if it took too long.
    pub fn take_late(&mut self, key: &K, now: Timestamp) -> Option<V> {
        let is_late = self.entries.get(key)?.is_late(&self.limits, now);
        is_late.then(|| self.give_up_late(key)).flatten()
    }

    fn give_up_late(&mut self, key: &K) -> Option<V> {
        let entry = self.entries.remove(key)?;
        self.stats.expired += u64::from(entry.waits);
        forget(&mut self.bytes, &mut self.sources, &entry);
        Some(entry.value)
    }

    /// Takes out what was begun first.
    pub fn pop(&mut self) -> Option<(K, V)> {
        let (key, entry) = self.entries.pop_oldest()?;
        forget(&mut self.bytes, &mut self.sources, &entry);
        Some((key, entry.value))
    }

    /// Gives up everything, because nothing more will come. How many of those that waited `are_counted`.
    pub fn on_end(&mut self, mut are_counted: impl FnMut(&V) -> bool) -> u64 {
        let mut count = 0;
        while let Some((_, entry)) = self.entries.pop_oldest() {
            count += u64::from(entry.waits && are_counted(&entry.value));
            forget(&mut self.bytes, &mut self.sources, &entry);
        }
        count
    }

    fn keep_within_budget(&mut self) {
        while self.bytes > self.limits.max_bytes
            && let Some((_, entry)) = self.entries.pop_oldest()
        {
            self.stats.evicted += u64::from(entry.waits);
            forget(&mut self.bytes, &mut self.sources, &entry);
        }
    }
}

fn forget<V>(bytes: &mut usize, sources: &mut SourceCounts, entry: &Entry<V>) {
    *bytes = bytes.saturating_sub(entry.charge);
    if entry.waits {
        sources.remove(entry.source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, LinkType, Packet};

    struct Bytes(usize);

    impl HeldBytes for Bytes {
        fn held_bytes(&self) -> usize {
            self.0
        }
    }

    fn source(host: u8) -> NetworkTag {
        let datagram = [
            0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, host, 10, 0, 0, 9, // IPv4
            0, 40, 0, 80, 0, 8, 0, 0, // UDP
        ];
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        packet.source_network().expect("an address")
    }

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_nanos(1_700_000_000_000_000_000 + millis * 1_000_000)
    }

    #[test]
    fn a_budget_gives_up_the_oldest() {
        let limits = PendingLimits::default().with_max_bytes(3 * 1_000);
        let mut pending = Pending::new(limits);
        for key in 0..3 {
            assert!(pending.insert(key, source(1), Bytes(500), at(key)));
        }
        let few = Pending::<u64, Bytes, KeyedHash>::ENTRY_BYTES + 500;
        assert_eq!(pending.bytes(), 3 * few);
        pending.get(&2, at(3)).expect("it waits").0 = 1_500;
        pending.charge(&2);
        assert_eq!(pending.stats().evicted, 1);
        assert!(pending.get(&0, at(3)).is_none() && pending.get(&1, at(3)).is_some());
        assert!(!pending.insert(7, source(1), Bytes(3_000), at(4)), "more than the budget alone");
        assert!(pending.is_empty() && pending.bytes() == 0);
    }

    #[test]
    fn an_entry_ends_by_its_age_and_without_packets() {
        let mut pending = Pending::new(PendingLimits::default());
        pending.insert(1, source(1), Bytes(0), at(0));
        pending.insert(2, source(1), Bytes(0), at(0));
        for millis in (0..=10_000).step_by(2_500) {
            assert!(pending.get(&1, at(millis)).is_some(), "{millis}");
        }
        assert!(pending.get(&1, at(10_001)).is_none());
        pending.on_time(at(9_999));
        assert_eq!(pending.stats().expired, 1);
        assert!(pending.get(&2, at(3_001)).is_none());
        assert_eq!(pending.stats().expired, 2);
        pending.insert(3, source(1), Bytes(0), at(20_000));
        pending.on_time(at(20_000));
        pending.on_time(at(0));
        assert!(pending.is_empty(), "time went back by more than the age");
        assert_eq!((pending.stats().expired, pending.bytes()), (3, 0));
    }

    #[test]
    fn what_took_too_long_can_be_taken_out_and_what_did_not_stays() {
        let mut pending = Pending::new(PendingLimits::default());
        for (key, bytes) in [(1, 1), (2, 2), (3, 3)] {
            pending.insert(key, source(1), Bytes(bytes), at(key));
        }
        pending.hear(&2, at(9_000));
        assert!(pending.get(&2, at(10_002)).is_some());
        pending.hear(&2, at(10_003));
        assert!(pending.take_late(&2, at(10_002)).is_none(), "it was heard of");
        assert!(pending.take_late(&1, at(3_001)).is_none());
        assert_eq!(pending.take_late(&1, at(3_002)).map(|bytes| bytes.0), Some(1));
        assert!(pending.take_late(&1, at(3_002)).is_none());
        let mut gone = Vec::new();
        pending.expire(at(10_003), |key, bytes| gone.push((key, bytes.0)));
        assert_eq!((gone, pending.stats().expired), (vec![(2, 2)], 2));
        assert_eq!(pending.pop().map(|(key, bytes)| (key, bytes.0)), Some((3, 3)));
        assert!(pending.pop().is_none() && pending.bytes() == 0);
        assert_eq!(pending.stats().expired, 2);
    }

    #[test]
    fn a_source_has_so_many_and_no_more() {
        let mut pending = Pending::new(PendingLimits::default().with_max_per_source(2));
        assert!(
            pending.insert(1, source(1), Bytes(0), at(0)) && pending.insert(2, source(1), Bytes(0), at(0))
        );
        assert!(!pending.insert(3, source(1), Bytes(0), at(0)));
        assert!(pending.insert(3, source(2), Bytes(0), at(0)));
        pending.remove(&1);
        assert!(pending.insert(4, source(1), Bytes(0), at(0)));
        assert_eq!(pending.stats().refused, 1);
    }

    #[test]
    fn what_is_complete_leaves_its_source_room_and_is_held_until_its_age() {
        let mut pending = Pending::new(PendingLimits::default().with_max_per_source(1));
        assert!(pending.insert(1, source(1), Bytes(0), at(0)));
        pending.complete(&1);
        pending.complete(&1);
        assert!(pending.insert(2, source(1), Bytes(0), at(0)));
        assert!(!pending.insert(3, source(1), Bytes(0), at(0)), "completed twice, and counted once");
        assert!(pending.get(&1, at(9_000)).is_some(), "it waits for nothing");
        assert!(pending.get(&1, at(10_001)).is_none());
        assert_eq!(pending.stats(), PendingStats { evicted: 0, expired: 0, refused: 1 });
        assert!(pending.insert(2, source(1), Bytes(0), at(0)));
        assert_eq!(pending.stats().evicted, 1, "the one it replaced");
    }

    #[test]
    fn what_is_charged_and_then_complete_leaves_its_source_room_even_where_the_charge_ended_it() {
        let entry = Pending::<u64, Bytes, KeyedHash>::ENTRY_BYTES;
        let limits = PendingLimits::default().with_max_per_source(1).with_max_bytes(2 * entry + 1_000);
        let mut pending = Pending::new(limits);
        let end = |pending: &mut Pending<u64, Bytes>, key| {
            pending.charge(&key);
            pending.complete(&key);
        };
        assert!(pending.insert(1, source(1), Bytes(0), at(0)));
        pending.get(&1, at(1)).expect("it waits").0 = 600;
        end(&mut pending, 1);
        end(&mut pending, 7);
        assert_eq!(pending.bytes(), entry + 600);
        assert!(pending.insert(2, source(1), Bytes(0), at(2)), "the source has room again");
        pending.get(&2, at(3)).expect("it waits").0 = 2_000;
        end(&mut pending, 2);
        assert!(pending.get(&1, at(4)).is_none() && pending.get(&2, at(4)).is_none());
        assert_eq!((pending.stats().evicted, pending.bytes()), (1, 0), "the other was complete");
    }

    #[test]
    fn a_full_table_gives_up_the_oldest() {
        let mut pending = Pending::<u64, Bytes>::new(PendingLimits::default().with_max_entries(1));
        assert!(
            pending.insert(1, source(1), Bytes(0), at(0)) && pending.insert(2, source(1), Bytes(0), at(0))
        );
        assert!(pending.get(&1, at(0)).is_none() && pending.get(&2, at(0)).is_some());
        assert_eq!(pending.stats().evicted, 1);
        assert_eq!(pending.bytes(), Pending::<u64, Bytes, KeyedHash>::ENTRY_BYTES);
    }

    #[test]
    fn the_end_gives_up_everything_and_counts_what_waits() {
        let mut pending = Pending::new(PendingLimits::default());
        for key in 0..4 {
            pending.insert(key, source(1), Bytes(key), at(0));
        }
        pending.complete(&3);
        assert_eq!(pending.on_end(|bytes| bytes.0 > 0), 2);
        assert!(pending.is_empty() && pending.bytes() == 0);
        assert_eq!(pending.stats(), PendingStats::default(), "no limit was hit");
        assert_eq!(pending.on_end(|_| true), 0);
    }
}
