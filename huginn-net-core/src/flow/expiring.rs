//! A bounded table that forgets by packet time.

use core::fmt;

use super::epochs::{Age, Epochs, is_apart};
use super::index::{Index, Lane};
use super::{ExpiringLimits, ExpiringStats, HashKeys, KeyedHash};
use crate::Timestamp;

/// The value of a key that was looked up or inserted by [`Expiring::get_or_insert_with`].
#[derive(Debug, PartialEq, Eq)]
pub struct Held<'a, K, V> {
    /// The value, now the newest of its table.
    pub value: &'a mut V,
    /// Whether the value was made by this call.
    pub is_new: bool,
    /// The entry that went out for it: the oldest of a full table, or an idle one of the same key.
    pub displaced: Option<(K, V)>,
}

/// A table of bounded size whose entries go out oldest first when it is full, and when nothing touched them for a
/// while by packet time.
///
/// Inserting, looking up and removing take constant time. Memory grows with the entries, up to the limit, and is
/// reused. The order of entries is the order in which they were last touched; the hash is keyed at random per table,
/// so that a sender cannot choose keys that collide, and has no influence on any result.
///
/// Packet time may jump. An entry whose last touch is further from now than [`ExpiringLimits::idle`] counts as idle
/// on either side: after a jump back no entry waits for a time that may never come, and a single time far ahead
/// costs the entries it finds, not those that follow. Which entries [`expire`](Self::expire) takes out depends on when each
/// was touched and on the times that were told, and not on what else is held: entries may be dealt to several tables.
///
/// ```
/// use core::time::Duration;
/// use huginn_net_core::{Expiring, ExpiringLimits, Timestamp};
///
/// let at = |seconds| Timestamp::from_parts(seconds, 0);
/// let limits = ExpiringLimits::default().with_max_entries(2).with_idle(Duration::from_secs(60));
/// let mut table = Expiring::new(limits);
/// table.insert("a", 1, at(0));
/// table.insert("b", 2, at(1));
/// assert_eq!(table.get_mut(&"a", at(2)), Some(&mut 1));
/// assert_eq!(table.insert("c", 3, at(3)), Some(("b", 2)), "a was touched after b");
/// assert_eq!(table.get_mut(&"a", at(63)), None);
/// ```
pub struct Expiring<K, V, S = KeyedHash> {
    limits: ExpiringLimits,
    /// `limits.idle` in the unit of [`Timestamp`].
    idle_nanos: u64,
    hasher: S,
    /// Finds a slot by the hash of its key.
    index: Index,
    /// Never shrinks, so an index that was valid once stays valid.
    slots: Vec<Slot<K, V>>,
    /// Slots with an entry, which form a ring in the order of their last touch.
    len: usize,
    oldest: u32,
    epochs: Epochs,
    /// First of the slots without an entry, which are chained by `newer`.
    vacant: u32,
    stats: ExpiringStats,
}

/// No slot: past the end of any `slots`, whose length is at most this.
const NONE: u32 = u32::MAX;

struct Slot<K, V> {
    /// Where the index has it.
    lane: Lane,
    /// Its neighbours in the ring. After the newest comes the oldest, so that the oldest becomes the newest, as it does
    /// whenever a full table takes one more, without a change to either of them.
    older: u32,
    newer: u32,
    /// In which it was touched.
    epoch: u32,
    touched_at: Timestamp,
    /// `None` only while the slot is vacant.
    entry: Option<(K, V)>,
}

impl<K, V> Expiring<K, V> {
    /// An empty table; allocates nothing.
    #[must_use]
    pub fn new(limits: ExpiringLimits) -> Self {
        Self::with_hash(limits, KeyedHash::random())
    }
}

impl<K, V, S> Expiring<K, V, S> {
    /// An empty table that finds its keys by this hash; allocates nothing.
    pub fn with_hash(limits: ExpiringLimits, hasher: S) -> Self {
        let idle_nanos = limits.idle_nanos();
        Self {
            limits: ExpiringLimits { max_entries: limits.max_entries.clamp(1, Index::MAX_ENTRIES), ..limits },
            idle_nanos,
            epochs: Epochs::new(idle_nanos),
            hasher,
            index: Index::default(),
            slots: Vec::new(),
            len: 0,
            oldest: NONE,
            vacant: NONE,
            stats: ExpiringStats::default(),
        }
    }
}

impl<K: Eq, V, S: HashKeys<K>> Expiring<K, V, S> {
    /// The value of `key`, neither touched nor judged by its age.
    pub fn get(&self, key: &K) -> Option<&V> {
        let index = self.place_of(key)?;
        self.slots.get(index as usize)?.entry.as_ref().map(|(_, value)| value)
    }

    /// The value of `key`, neither touched nor judged by its age.
    #[inline]
    pub fn peek_mut(&mut self, key: &K) -> Option<&mut V> {
        let index = self.place_of(key)?;
        self.at_mut(index)
    }

    /// When the entry of `key` was last touched.
    pub fn touched_at(&self, key: &K) -> Option<Timestamp> {
        let index = self.place_of(key)?;
        self.slots.get(index as usize).map(|slot| slot.touched_at)
    }

    /// Where the entry of `key` is, until another call changes the table.
    #[inline(always)]
    pub(super) fn place_of(&self, key: &K) -> Option<u32> {
        self.find(self.hash(key), key)
    }

    /// The value at a [place](Self::place_of), neither touched nor judged by its age.
    #[inline]
    pub(super) fn at_mut(&mut self, place: u32) -> Option<&mut V> {
        self.slots.get_mut(place as usize)?.entry.as_mut().map(|(_, value)| value)
    }

    /// Touches the entry of `key`, idle or not, and gives its value and when it was touched before: for callers that
    /// leave it to [`expire`](Self::expire) to judge by age.
    #[inline]
    pub fn touch_mut(&mut self, key: &K, now: Timestamp) -> Option<(&mut V, Timestamp)> {
        self.touch_mut_if(key, now, |_| true)
    }

    /// As [`touch_mut`](Self::touch_mut), if the value is one that is wanted; an entry of another one stays as it is.
    #[doc(hidden)]
    #[inline]
    pub fn touch_mut_if(
        &mut self,
        key: &K,
        now: Timestamp,
        is_wanted: impl FnOnce(&V) -> bool,
    ) -> Option<(&mut V, Timestamp)> {
        self.touch_mut_when(key, now, |_| true, is_wanted)
    }

    /// As [`touch_mut_if`](Self::touch_mut_if), but for touches behind another one in its [second](Timestamp::second), which
    /// change nothing: each one that does writes to five entries, most of them out of the cache. Also for callers that need
    /// not hear of each packet, and from whom the order of entries must not depend on which of them they do.
    #[doc(hidden)]
    #[inline]
    pub fn touch_mut_once_a_second_if(
        &mut self,
        key: &K,
        now: Timestamp,
        is_wanted: impl FnOnce(&V) -> bool,
    ) -> Option<(&mut V, Timestamp)> {
        self.touch_mut_when(key, now, |before| before.second() != now.second(), is_wanted)
    }

    /// Touches the entry of `key` if its value is wanted, and if a touch at this time `counts` behind the one before.
    #[inline(always)]
    fn touch_mut_when(
        &mut self,
        key: &K,
        now: Timestamp,
        counts: impl FnOnce(Timestamp) -> bool,
        is_wanted: impl FnOnce(&V) -> bool,
    ) -> Option<(&mut V, Timestamp)> {
        let index = self.place_of(key)?;
        let slot = self.slot_mut(index);
        let before = slot.touched_at;
        slot.entry.as_ref().filter(|(_, value)| is_wanted(value))?;
        if counts(before) {
            self.touch(index, now);
        }
        self.slot_mut(index).entry.as_mut().map(|(_, value)| (value, before))
    }

    /// Touches the entry of `key` and gives its value.
    ///
    /// An idle entry counts as absent and is dropped; call [`expire`](Self::expire) first where its value matters.
    pub fn get_mut(&mut self, key: &K, now: Timestamp) -> Option<&mut V> {
        let index = self.place_of(key)?;
        if self.is_idle(index, now) {
            self.stats.expired += 1;
            self.release(index);
            return None;
        }
        self.touch(index, now);
        self.slot_mut(index).entry.as_mut().map(|(_, value)| value)
    }

    /// Touches the entry of `key`, which `make` fills if it is absent or idle, and gives its value. It must not panic.
    pub fn get_or_insert_with(&mut self, key: K, now: Timestamp, make: impl FnOnce() -> V) -> Held<'_, K, V> {
        let hash = self.hash(&key);
        let idle = match self.find(hash, &key) {
            Some(index) if self.is_idle(index, now) => {
                self.stats.expired += 1;
                self.release(index)
            }
            Some(index) => {
                self.touch(index, now);
                // A slot that was found has its entry, so nothing is made here.
                let (_, value) = self.slot_mut(index).entry.get_or_insert_with(|| (key, make()));
                return Held { value, is_new: false, displaced: None };
            }
            None => None,
        };
        let slot = self.claim(hash, now);
        let displaced = idle.or(slot.entry.take());
        let (_, value) = slot.entry.insert((key, make()));
        Held { value, is_new: true, displaced }
    }

    /// Puts in an entry as the newest, and gives the one that went out for it: an entry of the same key, or the
    /// oldest of a full table.
    pub fn insert(&mut self, key: K, value: V, now: Timestamp) -> Option<(K, V)> {
        let hash = self.hash(&key);
        if let Some(index) = self.find(hash, &key) {
            self.stats.expired += u64::from(self.is_idle(index, now));
            self.touch(index, now);
            return self.slot_mut(index).entry.replace((key, value));
        }
        self.claim(hash, now).entry.replace((key, value))
    }

    /// Puts in an entry as the newest, and gives the oldest of a full table, which goes out for it. For callers who
    /// have just seen that there is no entry of `key`; a second one would be out of reach of every other call until
    /// the first has gone.
    #[doc(hidden)]
    #[inline(always)]
    pub fn insert_absent(&mut self, key: K, value: V, now: Timestamp) -> Option<(K, V)> {
        self.insert_absent_with(key, now, || value)
    }

    /// As [`insert_absent`](Self::insert_absent), with a value made in its place. `make` must not panic.
    #[doc(hidden)]
    #[inline(always)]
    pub fn insert_absent_with(&mut self, key: K, now: Timestamp, make: impl FnOnce() -> V) -> Option<(K, V)> {
        let hash = self.hash(&key);
        debug_assert!(self.find(hash, &key).is_none(), "the caller has looked");
        self.claim(hash, now).entry.replace((key, make()))
    }

    /// Takes out the entry of `key`, idle or not.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let index = self.place_of(key)?;
        self.release(index).map(|(_, value)| value)
    }

    // What nearly all absent keys need is inlined, and nothing else.
    #[inline(always)]
    fn find(&self, hash: u32, key: &K) -> Option<u32> {
        if self.index.may_have(hash) { self.search(hash, key) } else { None }
    }

    #[inline(never)]
    fn search(&self, hash: u32, key: &K) -> Option<u32> {
        self.index.find(hash, |index| {
            let held = self.slots.get(index as usize).and_then(|slot| slot.entry.as_ref());
            held.is_some_and(|(held, _)| held == key)
        })
    }

    #[inline]
    fn hash(&self, key: &K) -> u32 {
        hash_of(&self.hasher, key)
    }

    /// Takes out the idle entries and gives them to `gone`, in the order of their last touch.
    ///
    /// Times that run back by [`ExpiringLimits::idle`] or less are not taken for a jump: what was touched meanwhile is idle when
    /// time has made up for them and gone on. A call costs what it takes out, and a look at what was touched about as
    /// long ago, but only once a second of capture time, or once in a small part of the idle time.
    pub fn expire(&mut self, now: Timestamp, mut gone: impl FnMut(K, V)) {
        if !self.epochs.tell(now) {
            return;
        }
        let mut next = self.oldest;
        for _ in 0..self.len {
            let Some(&Slot { epoch, touched_at, newer, .. }) = self.slots.get(next as usize) else { return };
            match self.epochs.age(epoch, touched_at) {
                Age::Young => return,
                Age::InUse => {}
                Age::Idle => {
                    self.stats.expired += 1;
                    if let Some((key, value)) = self.release(next) {
                        gone(key, value);
                    }
                }
            }
            next = newer;
        }
    }

    /// Takes out the oldest entry, idle or not, and counts it neither as evicted nor as expired.
    pub fn pop_oldest(&mut self) -> Option<(K, V)> {
        self.release(self.oldest)
    }

    /// False for [`NONE`].
    fn is_idle(&self, index: u32, now: Timestamp) -> bool {
        self.slots.get(index as usize).is_some_and(|slot| is_apart(now, slot.touched_at, self.idle_nanos))
    }

    fn touch(&mut self, index: u32, now: Timestamp) {
        let (oldest, epoch) = (self.oldest, self.epochs.current());
        let slot = self.slot_mut(index);
        (slot.touched_at, slot.epoch) = (now, epoch);
        let newer = slot.newer;
        if index == oldest {
            self.oldest = newer;
        } else if newer != oldest {
            self.unlink(index);
            self.link_newest(index);
        }
    }

    /// A slot at the new end and in the index, whose entry the caller puts in. If the table is full, it is that of the
    /// oldest entry, which is still in it.
    #[inline(always)]
    fn claim(&mut self, hash: u32, now: Timestamp) -> &mut Slot<K, V> {
        if self.len < self.limits.max_entries {
            self.add_oldest();
        }
        let index = self.oldest;
        let slot = slot_mut(&mut self.slots, index);
        if let Some((key, _)) = &slot.entry {
            let is_idle = is_apart(now, slot.touched_at, self.idle_nanos);
            let left = if is_idle { &mut self.stats.expired } else { &mut self.stats.evicted };
            *left += 1;
            self.index.remove(slot.lane, || hash_of(&self.hasher, key));
        }
        // What comes after the newest is the oldest, so that this one is the newest now.
        self.oldest = slot.newer;
        slot.lane = self.index.insert(hash, index);
        (slot.touched_at, slot.epoch) = (now, self.epochs.current());
        slot
    }

    /// Puts a slot without an entry at the old end; there is room for one.
    #[inline(never)]
    fn add_oldest(&mut self) {
        let index = self.vacancy();
        self.len += 1;
        self.link_newest(index);
        self.oldest = index;
    }

    /// A slot without an entry; there is room for one.
    fn vacancy(&mut self) -> u32 {
        let index = self.vacant;
        if let Some(slot) = self.slots.get(index as usize) {
            self.vacant = slot.newer;
            return index;
        }
        let len = self.slots.len();
        if len == self.slots.capacity() {
            self.grow();
        }
        let (lane, touched_at) = (Lane::default(), Timestamp::default());
        self.slots.push(Slot { lane, older: NONE, newer: NONE, epoch: 0, touched_at, entry: None });
        // The limit keeps every length below `NONE`.
        u32::try_from(len).unwrap_or(NONE)
    }

    /// Makes room for as many slots again, all of which have an entry.
    #[cold]
    fn grow(&mut self) {
        // Doubling past the limit would take memory that no entry can use.
        let len = self.slots.len();
        self.slots.reserve_exact(len.max(4).min(self.limits.max_entries - len));
        // Given back first, so that there are never two of them.
        self.index = Index::default();
        self.index = Index::with_capacity(self.slots.capacity());
        for (index, slot) in (0..NONE).zip(&mut self.slots) {
            if let Some((key, _)) = &slot.entry {
                slot.lane = self.index.insert(hash_of(&self.hasher, key), index);
            }
        }
    }

    /// Takes the entry out of its slot, which becomes vacant; `None` for [`NONE`].
    #[inline]
    fn release(&mut self, index: u32) -> Option<(K, V)> {
        let Slot { lane, entry, .. } = self.slots.get(index as usize)?;
        self.index.remove(*lane, || entry.as_ref().map_or(0, |(key, _)| hash_of(&self.hasher, key)));
        self.unlink(index);
        self.len -= 1;
        let next_vacant = core::mem::replace(&mut self.vacant, index);
        let slot = self.slot_mut(index);
        slot.newer = next_vacant;
        slot.entry.take()
    }

    fn unlink(&mut self, index: u32) {
        let &mut Slot { older, newer, .. } = self.slot_mut(index);
        if older == index {
            self.oldest = NONE;
            return;
        }
        self.slot_mut(older).newer = newer;
        self.slot_mut(newer).older = older;
        if self.oldest == index {
            self.oldest = newer;
        }
    }

    #[inline(never)]
    fn link_newest(&mut self, index: u32) {
        if self.oldest == NONE {
            // The only one is its own neighbour.
            self.oldest = index;
            self.slot_mut(index).older = index;
        }
        let newer = self.oldest;
        let older = self.slot_mut(newer).older;
        self.slot_mut(older).newer = index;
        self.slot_mut(newer).older = index;
        let slot = self.slot_mut(index);
        (slot.older, slot.newer) = (older, newer);
    }

    fn slot_mut(&mut self, index: u32) -> &mut Slot<K, V> {
        slot_mut(&mut self.slots, index)
    }
}

impl<K, V, S> Expiring<K, V, S> {
    /// Number of entries, idle ones that are still held among them.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no entry is held.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What has gone out so far.
    pub fn stats(&self) -> ExpiringStats {
        self.stats
    }

    /// The entries, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let mut next = self.oldest;
        (0..self.len).map_while(move |_| {
            let slot = self.slots.get(next as usize)?;
            next = slot.newer;
            slot.entry.as_ref().map(|(key, value)| (key, value))
        })
    }
}

/// `index` comes out of the index, the ring or `vacancy`, which hold indices of `slots` only, and `slots` never shrinks.
#[expect(clippy::indexing_slicing, reason = "every index that is kept is one of `slots`")]
fn slot_mut<K, V>(slots: &mut [Slot<K, V>], index: u32) -> &mut Slot<K, V> {
    &mut slots[index as usize]
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "no more bits are needed, and all are as good")]
fn hash_of<K>(hasher: &impl HashKeys<K>, key: &K) -> u32 {
    hasher.hash(key) as u32
}

impl<K, V, S> fmt::Debug for Expiring<K, V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expiring")
            .field("len", &self.len())
            .field("limits", &self.limits)
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
