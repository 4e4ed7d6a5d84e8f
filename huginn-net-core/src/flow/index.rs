//! Where the entries of a table are, by the hash of their keys.

/// Maps hashes to places, of which several may have one hash.
///
/// Each entry belongs to the group that its hash names, or where that is full, to the next one with room. Of an entry the
/// group has seven bits of the hash and a bit that tells of it, its tag; those of a group are compared at once. Nearly all
/// keys that are absent are so told by one word of a table of two to four bytes an entry, which stays in the cache when the
/// entries do not.
#[derive(Default)]
pub(super) struct Index {
    /// A power of two of groups, at most [`Index::MAX_GROUPS`], or none.
    groups: Vec<Tags>,
    /// The places of the entries of each group, and one more, so that a shift finds those of a group.
    places: Vec<[u32; Tags::LANES + 1]>,
}

impl Index {
    const MAX_GROUPS: usize = 1 << (u32::BITS - Lane::GROUP_AT);
    /// The most entries there is room for.
    pub(super) const MAX_ENTRIES: usize = 4 * Self::MAX_GROUPS;

    /// An index of nothing, with room for so many entries: a group is half full on average then, or less.
    pub(super) fn with_capacity(entries: usize) -> Self {
        let groups = entries.div_ceil(4).next_power_of_two();
        Self { groups: vec![Tags::default(); groups], places: vec![[0; _]; groups] }
    }

    /// Whether there may be a place of this hash. For nearly all hashes of which there is none, there may not.
    #[inline(always)]
    pub(super) fn may_have(&self, hash: u32) -> bool {
        let tags = self.groups.get(self.home(hash));
        tags.is_some_and(|tags| tags.has_passed_on() || tags.has(Tags::of_hash(hash)))
    }

    /// The place of this hash that is the one looked for.
    pub(super) fn find(&self, hash: u32, mut is_wanted: impl FnMut(u32) -> bool) -> Option<u32> {
        let tag = Tags::of_hash(hash);
        let mut group = hash as usize;
        // An end for groups that all count entries passed on; in others the search ends before.
        for _ in 0..self.groups.len() {
            group &= self.groups.len() - 1;
            let tags = *self.groups.get(group)?;
            for lane in tags.lanes_of(tag) {
                let place = *self.places.get(group)?.get(lane)?;
                if is_wanted(place) {
                    return Some(place);
                }
            }
            if !tags.has_passed_on() {
                return None;
            }
            group += 1;
        }
        None
    }

    /// Adds a place, and tells where it is kept. There must be room.
    #[inline(always)]
    pub(super) fn insert(&mut self, hash: u32, place: u32) -> Lane {
        let group = self.home(hash);
        match self.put(group, hash, place) {
            Some(lane) => Lane::new(group, lane, false),
            None => self.pass_on(hash, place),
        }
    }

    /// Adds a place of a group that is full.
    #[cold]
    fn pass_on(&mut self, hash: u32, place: u32) -> Lane {
        let mut group = self.home(hash);
        for _ in 1..self.groups.len() {
            if let Some(tags) = self.groups.get_mut(group) {
                tags.pass_on();
            }
            group = (group + 1) & (self.groups.len() - 1);
            if let Some(lane) = self.put(group, hash, place) {
                return Lane::new(group, lane, true);
            }
        }
        Lane::default()
    }

    /// Adds a place to this group, if that has room.
    #[inline(always)]
    fn put(&mut self, group: usize, hash: u32, place: u32) -> Option<usize> {
        let tags = self.groups.get_mut(group)?;
        let lane = tags.vacant()?;
        *self.places.get_mut(group)?.get_mut(lane)? = place;
        tags.set(lane, Tags::of_hash(hash));
        Some(lane)
    }

    /// The group that a hash names.
    #[inline(always)]
    const fn home(&self, hash: u32) -> usize {
        hash as usize & self.groups.len().wrapping_sub(1)
    }

    /// Takes out a place that is kept in this lane, of the hash with which it was added.
    // Nearly all are kept where their hash says, so that neither hash nor place has to be brought into the cache.
    #[inline]
    pub(super) fn remove(&mut self, lane: Lane, hash: impl FnOnce() -> u32) {
        if lane.is_passed_on() {
            self.take_back(lane, hash());
        }
        if let Some(tags) = self.groups.get_mut(lane.group()) {
            tags.clear(lane.in_group());
        }
    }

    /// Counts one less that was passed on, in all groups between that of a hash and that of a lane.
    // Not inlined, as it would take registers from what nearly all do.
    #[cold]
    #[inline(never)]
    fn take_back(&mut self, lane: Lane, hash: u32) {
        let mut group = hash as usize;
        for _ in 0..self.groups.len() {
            group &= self.groups.len() - 1;
            if group == lane.group() {
                return;
            }
            if let Some(tags) = self.groups.get_mut(group) {
                tags.take_back();
            }
            group += 1;
        }
    }
}

/// Where an index keeps a place: the group, whether it is another one than that of the hash, and the lane in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lane(u32);

impl Lane {
    const IN_GROUP: u32 = 0b111;
    const PASSED_ON: u32 = 0b1000;
    const GROUP_AT: u32 = 4;

    /// There are at most 2^28 groups.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "28 bits and three")]
    const fn new(group: usize, lane: usize, passed_on: bool) -> Self {
        Self((group as u32) << Self::GROUP_AT | (passed_on as u32) << 3 | lane as u32)
    }

    #[inline]
    const fn group(self) -> usize {
        (self.0 >> Self::GROUP_AT) as usize
    }

    #[inline]
    const fn in_group(self) -> usize {
        (self.0 & Self::IN_GROUP) as usize
    }

    #[inline]
    const fn is_passed_on(self) -> bool {
        self.0 & Self::PASSED_ON != 0
    }
}

/// The tags of a group in the lower seven bytes, each with its highest bit set, zero for none; in the highest byte, how many
/// entries it has passed on to the next group. A count that was ever 255 stays.
#[derive(Clone, Copy, Default)]
struct Tags(u64);

impl Tags {
    const LANES: usize = 7;
    /// The lowest bit of each lane.
    const EACH: u64 = 0x0001_0101_0101_0101;
    /// The highest bit of each lane, set where there is an entry.
    const HELD: u64 = 0x80 * Self::EACH;
    const ONE_PASSED_ON: u64 = 1 << 56;
    const COUNT: u64 = 0xff << 56;

    /// By other bits than those that name the group, while there are no more than 2²⁵ groups.
    #[inline]
    const fn of_hash(hash: u32) -> u8 {
        let [upper, ..] = (hash >> 1).to_be_bytes();
        0x80 | upper
    }

    /// The highest bit of each lane with this tag, if there is one. Then a lane above it whose tag differs in the lowest bit alone
    /// may be taken for one with this tag: it has an entry as well, whose key tells them apart.
    #[inline]
    const fn flags_of(self, tag: u8) -> u64 {
        let differing = self.0 ^ (Self::EACH * tag as u64);
        // A borrow begins only at a byte of zero.
        differing.wrapping_sub(Self::EACH) & !differing & Self::HELD
    }

    #[inline]
    const fn has(self, tag: u8) -> bool {
        self.flags_of(tag) != 0
    }

    /// The first lane without an entry.
    #[inline]
    const fn vacant(self) -> Option<usize> {
        let flags = !self.0 & Self::HELD;
        if flags == 0 { None } else { Some(flags.trailing_zeros() as usize / 8) }
    }

    /// The lanes with this tag.
    #[inline]
    fn lanes_of(self, tag: u8) -> impl Iterator<Item = usize> {
        let mut flags = self.flags_of(tag);
        core::iter::from_fn(move || {
            let lane = (flags != 0).then(|| flags.trailing_zeros() as usize / 8)?;
            flags &= flags - 1;
            Some(lane)
        })
    }

    /// Sets the tag of a vacant lane.
    #[inline]
    const fn set(&mut self, lane: usize, tag: u8) {
        self.0 |= (tag as u64) << (8 * lane);
    }

    #[inline]
    const fn clear(&mut self, lane: usize) {
        self.0 &= !(0xff << (8 * lane));
    }

    #[inline]
    const fn has_passed_on(self) -> bool {
        self.0 >= Self::ONE_PASSED_ON
    }

    #[inline]
    const fn is_uncounted(self) -> bool {
        self.0 >= Self::COUNT
    }

    #[inline]
    const fn pass_on(&mut self) {
        if !self.is_uncounted() {
            self.0 += Self::ONE_PASSED_ON;
        }
    }

    #[inline]
    const fn take_back(&mut self) {
        if self.has_passed_on() && !self.is_uncounted() {
            self.0 -= Self::ONE_PASSED_ON;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_of(index: &Index, hash: u32) -> Vec<u32> {
        let mut places = Vec::new();
        let _ = index.find(hash, |place| {
            places.push(place);
            false
        });
        places
    }

    #[test]
    fn finds_what_was_added_until_it_is_removed() {
        let mut index = Index::with_capacity(64);
        // Tags that differ by a bit or by one, and hashes of one group.
        let hashes = [0x0200_0003, 0x0400_0003, 0x0000_0003, 0xfe00_0003, 0xfc00_0013, 0x0200_0005];
        let mut lanes = Vec::new();
        for (place, &hash) in (0..).zip(&hashes) {
            lanes.push(index.insert(hash, place));
        }
        for (place, &hash) in (0..).zip(&hashes) {
            assert_eq!(index.find(hash, |found| found == place), Some(place), "{hash:x}");
        }
        index.remove(lanes[1], || panic!("it is where its hash says"));
        assert_eq!(index.find(0x0400_0003, |found| found == 1), None);
        assert_eq!(index.find(0x0200_0003, |found| found == 0), Some(0));
        assert_eq!(index.find(0x0600_0003, |_| true), None);
    }

    #[test]
    fn of_a_hash_without_a_place_nothing_is_asked_but_in_a_group_that_passed_on() {
        let mut index = Index::with_capacity(64);
        let lanes: Vec<_> = (0..7).map(|tag: u32| index.insert(tag << 25 | 3, tag)).collect();
        for tag in 0..128 {
            let (hash, is_held) = (tag << 25 | 3, tag < 7);
            assert_eq!(index.may_have(hash), is_held, "{tag}");
            assert_eq!(all_of(&index, hash).contains(&tag), is_held, "{tag}");
        }
        index.remove(lanes[5], || panic!("it is where its hash says"));
        assert!(!index.may_have(5 << 25 | 3));
        index.insert(9 << 25 | 3, 9);
        let lane = index.insert(10 << 25 | 3, 10);
        assert!(lane.is_passed_on() && index.may_have(5 << 25 | 3));
    }

    #[test]
    fn a_vacant_place_is_never_asked_for() {
        let mut index = Index::with_capacity(64);
        // Tags that differ by the lowest bit, above and below each other.
        let hashes = [2, 3, 2, 3, 3, 2, 2].map(|tag| tag << 25 | 3);
        let lanes = hashes.map(|hash| index.insert(hash, 0));
        for (place, lane) in (1..).zip(lanes) {
            index.remove(lane, || panic!("it is where its hash says"));
            let held = hashes.len() - place;
            let asked = all_of(&index, hashes[0]).len().max(all_of(&index, hashes[1]).len());
            assert!(asked <= held, "{asked} of {held}");
        }
        assert!(!index.may_have(hashes[0]) && !index.may_have(hashes[1]));
    }

    #[test]
    fn an_empty_index_finds_nothing() {
        assert_eq!(Index::default().find(7, |_| true), None);
        let lane = Index::default().insert(7, 1);
        Index::default().remove(lane, || 7);
    }

    #[test]
    fn entries_of_a_full_group_go_on_to_others_and_leave_no_trace() {
        let mut index = Index::with_capacity(64);
        // The last group goes on to the first.
        let hash = 0x2a00_000f;
        for _ in 0..3 {
            let lanes: Vec<_> = (0..60).map(|place| index.insert(hash, place)).collect();
            let mut places = all_of(&index, hash);
            places.sort_unstable();
            assert_eq!(places, (0..60).collect::<Vec<_>>());
            // Neither in the order in which they came, nor in the opposite.
            (0..60).for_each(|place| index.remove(lanes[place * 7 % 60], || hash));
            assert!(index.groups.iter().all(|tags| tags.0 == 0));
        }
    }

    #[test]
    fn a_group_that_passed_on_too_many_to_count_loses_none() {
        let mut index = Index::with_capacity(1 << 10);
        let lanes: Vec<_> = (0..600).map(|place| index.insert(5, place)).collect();
        lanes[..300].iter().for_each(|&lane| index.remove(lane, || 5));
        assert!((300..600).all(|place| index.find(5, |found| found == place).is_some()));
        lanes[300..].iter().for_each(|&lane| index.remove(lane, || 5));
        assert_eq!(all_of(&index, 5), []);
        index.insert(5, 9);
        assert_eq!(all_of(&index, 5), [9]);
    }
}
