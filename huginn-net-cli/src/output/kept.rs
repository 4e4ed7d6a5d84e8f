//! What was written before, kept for the next time.

use huginn_net::core::KeyedHash;

/// What is made of bytes, by exactly the bytes it was made of.
///
/// Where something is kept depends on a key drawn for each run, so that nobody can choose bytes that keep displacing
/// each other; what is found does not. Something is kept only when it is made for the second time, so that what never
/// comes again displaces nothing, such as the hellos of browsers that shuffle their extensions.
///
/// Memory is bounded: [`Self::PLACES`] are made of [`Self::LONGEST`] bytes at most.
pub(super) struct Kept<T> {
    /// None before the first is asked for: a small capture needs few of the tables that there are.
    sets: Vec<Set<T>>,
    hash: KeyedHash,
    /// What was made last and is not kept.
    passing: T,
}

#[derive(Default)]
struct Set<T> {
    /// The hash of what was made last and not kept.
    refused: u64,
    /// The newest first, [`WAYS`] of them at most.
    entries: Vec<Entry<T>>,
}

#[derive(Default)]
struct Entry<T> {
    of: Vec<u8>,
    made: T,
}

/// Places where something may be kept.
const WAYS: usize = 2;

impl<T: Default> Default for Kept<T> {
    fn default() -> Self {
        Self { sets: Vec::new(), hash: KeyedHash::random(), passing: T::default() }
    }
}

impl<T: Default> Kept<T> {
    /// How many are kept at most; a power of two.
    const PLACES: usize = 256;
    /// The most bytes that something is made of to be kept.
    const LONGEST: usize = 1_024;

    /// What is made of these bytes, if need be by `make`, over something that was made before.
    pub(super) fn get(&mut self, of: &[u8], make: impl FnOnce(&mut T)) -> &mut T {
        let Self { sets, hash, passing } = self;
        if sets.is_empty() {
            sets.resize_with(Self::PLACES / WAYS, Set::default);
        }
        let hash = hash.hash(&of);
        let mask = sets.len() as u64 - 1;
        let set = usize::try_from(hash & mask).ok().and_then(|at| sets.get_mut(at));
        let kept =
            set.filter(|_| (1..=Self::LONGEST).contains(&of.len())).and_then(|set| set.place(of, hash));
        match kept {
            Some((entry, true)) => &mut entry.made,
            Some((entry, false)) => {
                entry.of.clear();
                entry.of.extend_from_slice(of);
                make(&mut entry.made);
                &mut entry.made
            }
            None => {
                make(passing);
                passing
            }
        }
    }
}

impl<T: Default> Set<T> {
    /// The entry for these bytes, and whether it is of them already; `None` when they come for the first time.
    fn place(&mut self, of: &[u8], hash: u64) -> Option<(&mut Entry<T>, bool)> {
        let found = self.entries.iter().position(|entry| entry.of == of);
        match found {
            Some(at) => self.entries.get_mut(at).map(|entry| (entry, true)),
            None if self.refused == hash => {
                if self.entries.len() < WAYS {
                    self.entries.reserve_exact(WAYS);
                    self.entries.push(Entry::default());
                }
                self.entries.rotate_right(1);
                self.entries.first_mut().map(|entry| (entry, false))
            }
            None => {
                self.refused = hash;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of these is made.
    fn made<'a>(kept: &mut Kept<Vec<u8>>, all: impl IntoIterator<Item = &'a [u8]>) -> Vec<usize> {
        let mut counts = Vec::new();
        for of in all {
            let mut count = 0;
            let got: &[u8] = kept.get(of, |made| {
                made.clear();
                made.extend_from_slice(of);
                count += 1;
            });
            assert_eq!(got, of);
            counts.push(count);
        }
        counts
    }

    #[test]
    fn what_comes_again_is_made_twice() {
        let mut kept = Kept::default();
        assert_eq!(made(&mut kept, [&b"a"[..], b"a", b"a", b"a"]), [1, 1, 0, 0]);
        assert_eq!(made(&mut kept, [&b"b"[..], b"b", b"a", b"b"]), [1, 1, 0, 0]);
    }

    #[test]
    fn what_never_comes_again_displaces_nothing() {
        let mut kept = Kept::default();
        assert_eq!(made(&mut kept, [&b"a"[..], b"a", b"a"]), [1, 1, 0]);
        for number in 0..10_000_u32 {
            assert_eq!(made(&mut kept, [&number.to_be_bytes()[..]]), [1]);
        }
        assert_eq!(made(&mut kept, [&b"a"[..]]), [0]);
    }

    #[test]
    fn never_keeps_more_than_it_has_places_for_and_stays_right() {
        let mut kept = Kept::default();
        for number in 0..2_000_u32 {
            let number = number.to_be_bytes();
            assert_eq!(made(&mut kept, [&number[..], &number, &number]), [1, 1, 0]);
        }
        let entries = kept.sets.iter().flat_map(|set| &set.entries);
        assert_eq!(entries.filter(|entry| !entry.of.is_empty()).count(), Kept::<Vec<u8>>::PLACES);
    }

    #[test]
    fn what_is_made_of_too_much_or_of_nothing_is_not_kept() {
        let longest = vec![7; Kept::<Vec<u8>>::LONGEST];
        let longer = vec![7; Kept::<Vec<u8>>::LONGEST + 1];
        let mut kept = Kept::default();
        assert_eq!(made(&mut kept, [&longest[..], &longest, &longest]), [1, 1, 0]);
        assert_eq!(made(&mut kept, [&longer[..], &longer, &longer]), [1, 1, 1]);
        assert_eq!(made(&mut kept, [&b""[..], b"", b""]), [1, 1, 1]);
    }
}
