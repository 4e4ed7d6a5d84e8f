//! Where the entries of a table are, by the hash of their keys.

/// Maps hashes to places, of which several may have one hash.
///
/// Each entry belongs to the group that its hash names, or where that is full, to the next one with room. Of an entry the
/// group has a byte of the hash, its tag; those of a group are compared at once. Nearly all keys that are absent are so told by
/// one word of a table of two to four bytes an entry, which stays in the cache when the entries do not.
#[derive(Default)]
pub(super) struct Index {
    /// A power of two of groups, or none.
    groups: Vec<Tags>,
    /// The places of the entries of each group.
    places: Vec<[u32; Tags::LANES]>,
}

impl Index {
    /// An index of nothing, with room for so many entries: a group is half full on average then, or less.
    pub(super) fn with_capacity(entries: usize) -> Self {
        let groups = entries.div_ceil(4).next_power_of_two();
        Self { groups: vec![Tags::default(); groups], places: vec![[0; Tags::LANES]; groups] }
    }

    /// The place of this hash that is the one looked for.
    #[inline]
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

    /// Adds a place. There must be room.
    #[inline]
    pub(super) fn insert(&mut self, hash: u32, place: u32) {
        let mut group = hash as usize;
        for _ in 0..self.groups.len() {
            group &= self.groups.len() - 1;
            let (Some(tags), Some(places)) = (self.groups.get_mut(group), self.places.get_mut(group)) else {
                return;
            };
            if let Some(lane) = tags.lanes_of(Tags::VACANT).next()
                && let Some(vacant) = places.get_mut(lane)
            {
                *vacant = place;
                tags.set(lane, Tags::of_hash(hash));
                return;
            }
            tags.pass_on();
            group += 1;
        }
    }

    /// Takes out a place that was added with this hash.
    #[inline]
    pub(super) fn remove(&mut self, hash: u32, place: u32) {
        let mut group = hash as usize;
        for _ in 0..self.groups.len() {
            group &= self.groups.len() - 1;
            let (Some(tags), Some(places)) = (self.groups.get_mut(group), self.places.get(group)) else {
                return;
            };
            let is_its = |lane: &usize| places.get(*lane) == Some(&place);
            if let Some(lane) = tags.lanes_of(Tags::of_hash(hash)).find(is_its) {
                tags.clear(lane);
                return;
            }
            tags.take_back();
            group += 1;
        }
    }
}

/// The tags of a group in the lower seven bytes, zero for none; in the highest, how many entries it has passed on to the
/// next group. A count that was ever 255 stays.
#[derive(Clone, Copy, Default)]
struct Tags(u64);

impl Tags {
    const LANES: usize = 7;
    const VACANT: u8 = 0;
    const EACH: u64 = 0x0101_0101_0101_0101;
    /// The highest bit of each byte.
    const HIGHEST: u64 = 0x80 * Self::EACH;
    const ONE_PASSED_ON: u64 = 1 << 56;
    const COUNT: u64 = 0xff << 56;

    /// By other bits than those that name the group, while there are less than 2²⁴ groups.
    #[inline]
    const fn of_hash(hash: u32) -> u8 {
        let [tag, ..] = hash.to_be_bytes();
        if tag == Self::VACANT { 1 } else { tag }
    }

    /// The lanes with this tag.
    #[inline]
    fn lanes_of(self, tag: u8) -> impl Iterator<Item = usize> {
        let differing = self.0 ^ (Self::EACH * u64::from(tag));
        // The highest bit of a byte, if any of the lower ones is set. No sum leaves its byte.
        let lower = (differing & !Self::HIGHEST) + !Self::HIGHEST;
        let mut flags = !(lower | differing) & Self::HIGHEST & !Self::COUNT;
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
        let hashes = [0x0100_0003, 0x0200_0003, 0x0000_0003, 0xff00_0003, 0xfe00_0013, 0x0100_0005];
        for (place, &hash) in (0..).zip(&hashes) {
            index.insert(hash, place);
        }
        for (place, &hash) in (0..).zip(&hashes) {
            assert_eq!(index.find(hash, |found| found == place), Some(place), "{hash:x}");
        }
        index.remove(0x0200_0003, 1);
        assert_eq!(index.find(0x0200_0003, |found| found == 1), None);
        assert_eq!(index.find(0x0100_0003, |found| found == 0), Some(0));
        assert_eq!(index.find(0x0300_0003, |_| true), None);
    }

    #[test]
    fn an_empty_index_finds_nothing() {
        assert_eq!(Index::default().find(7, |_| true), None);
        Index::default().insert(7, 1);
        Index::default().remove(7, 1);
    }

    #[test]
    fn entries_of_a_full_group_go_on_to_others_and_leave_no_trace() {
        let mut index = Index::with_capacity(64);
        // The last group goes on to the first.
        let hash = 0x2a00_000f;
        for _ in 0..3 {
            (0..60).for_each(|place| index.insert(hash, place));
            let mut places = all_of(&index, hash);
            places.sort_unstable();
            assert_eq!(places, (0..60).collect::<Vec<_>>());
            // Neither in the order in which they came, nor in the opposite.
            (0..60).for_each(|place| index.remove(hash, place * 7 % 60));
            assert!(index.groups.iter().all(|tags| tags.0 == 0));
        }
    }

    #[test]
    fn a_group_that_passed_on_too_many_to_count_loses_none() {
        let mut index = Index::with_capacity(1 << 10);
        (0..600).for_each(|place| index.insert(5, place));
        (0..300).for_each(|place| index.remove(5, place));
        assert!((300..600).all(|place| index.find(5, |found| found == place).is_some()));
        (300..600).for_each(|place| index.remove(5, place));
        assert_eq!(all_of(&index, 5), []);
        index.insert(5, 9);
        assert_eq!(all_of(&index, 5), [9]);
    }
}
