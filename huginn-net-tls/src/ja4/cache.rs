//! Hashes that were computed before.

use core::fmt;

use huginn_net_core::KeyedHash;

use super::part::Part;
use super::{DIGITS, Form, Ja4, Ja4Forms, Ja4Original, Ja4Stable, LENGTH, Sections};

/// Remembers the hashes of lists that were seen before, since few kinds of client send most hellos.
///
/// An analyzer keeps one and never shares it. It changes no result: a hash is used only for exactly the list that it was
/// computed from. Its size is fixed, 144 bytes for each list; a new list takes the place of an older one. Where a list is
/// kept depends on a key drawn when the cache is made, so that nobody can choose lists that keep displacing each other.
///
/// ```
/// use huginn_net_tls::{ClientHello, Ja4Cache, Ja4Options};
///
/// # let bytes = include_bytes!("../../../pcaps/tls/hello/hand-base-tls13.bin");
/// let mut cache = Ja4Cache::new(1_024);
/// let hello = ClientHello::from_record(bytes)?;
/// assert_eq!(cache.ja4(&hello.ja4_forms(Ja4Options::default())), hello.ja4());
/// # Ok::<(), huginn_net_tls::TlsError>(())
/// ```
#[derive(Clone)]
pub struct Ja4Cache {
    /// A power of two of them, or none.
    sets: Box<[[Entry; WAYS]]>,
    hash: KeyedHash,
}

/// Places where a list may be kept.
const WAYS: usize = 2;
/// Numbers in the longest list that is kept.
const MOST: usize = 64;

/// A list and its hash; no list if it has no numbers.
#[derive(Clone, Copy)]
struct Entry {
    numbers: [u16; MOST],
    len: u8,
    underscore: u8,
    sorts: bool,
    digits: [u8; DIGITS],
}

impl Ja4Cache {
    /// A cache of at least this many lists, rounded up to a power of two; a hello has two. 0 for one that keeps none.
    #[must_use]
    pub fn new(lists: usize) -> Self {
        const NONE: Entry =
            Entry { numbers: [0; MOST], len: 0, underscore: 0, sorts: false, digits: [0; DIGITS] };
        let sets = match lists.div_ceil(WAYS) {
            0 => 0,
            sets => sets.next_power_of_two(),
        };
        Self { sets: vec![[NONE; WAYS]; sets].into_boxed_slice(), hash: KeyedHash::random() }
    }

    /// As [`Ja4Forms::ja4`].
    #[must_use]
    pub fn ja4(&mut self, forms: &Ja4Forms<'_>) -> Ja4 {
        Ja4(self.hashed(forms, Form::Sorted))
    }

    /// As [`Ja4Forms::ja4_o`].
    #[must_use]
    pub fn ja4_o(&mut self, forms: &Ja4Forms<'_>) -> Ja4Original {
        Ja4Original(self.hashed(forms, Form::AsSent))
    }

    /// As [`Ja4Forms::ja4_s1`].
    #[must_use]
    pub fn ja4_s1(&mut self, forms: &Ja4Forms<'_>) -> Ja4Stable {
        Ja4Stable(self.hashed(forms, Form::Stable))
    }

    /// Bytes of memory held besides the cache itself.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        size_of_val(&*self.sets)
    }

    /// Extensions are looked up sorted, as some browsers send them in another order each time. Cipher suites are looked
    /// up as they were sent, which saves sorting them.
    fn hashed(&mut self, forms: &Ja4Forms<'_>, form: Form) -> [u8; LENGTH] {
        let mut sections = Sections::new(form);
        sections.read(&forms.hello, form, forms.options);
        let (b, c) = (self.hash(&mut sections.b), self.hash(&mut sections.c));
        sections.with_digits(b, c)
    }

    fn hash(&mut self, part: &mut Part) -> [u8; DIGITS] {
        let kept = match self.set_of(part.numbers.as_slice()) {
            Some(set) => {
                if let Some(entry) = set.iter().find(|entry| entry.is_of(part)) {
                    return entry.digits;
                }
                set.rotate_right(1);
                let [entry, ..] = set;
                entry.keep(part);
                Some(entry)
            }
            None => None,
        };
        part.sort();
        let digits = part.hash();
        if let Some(entry) = kept {
            entry.digits = digits;
        }
        digits
    }

    /// Where a list is kept, if it is one that may be.
    fn set_of(&mut self, numbers: &[u16]) -> Option<&mut [Entry; WAYS]> {
        if numbers.is_empty() || numbers.len() > MOST {
            return None;
        }
        let mask = self.sets.len().checked_sub(1)? as u64;
        let at = self.hash.hash(&numbers) & mask;
        self.sets.get_mut(usize::try_from(at).ok()?)
    }
}

impl fmt::Debug for Ja4Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ja4Cache").field("lists", &(self.sets.len() * WAYS)).finish_non_exhaustive()
    }
}

impl Entry {
    /// Becomes the entry of a list that is not too long.
    fn keep(&mut self, part: &Part) {
        let numbers = part.numbers.as_slice();
        for (kept, &number) in self.numbers.iter_mut().zip(numbers) {
            *kept = number;
        }
        // No list that is kept has more numbers than fit.
        self.len = u8::try_from(numbers.len()).unwrap_or_default();
        self.underscore = u8::try_from(part.underscore).unwrap_or_default();
        self.sorts = part.sorts;
    }

    #[inline]
    fn is_of(&self, part: &Part) -> bool {
        let numbers = part.numbers.as_slice();
        usize::from(self.len) == numbers.len()
            && usize::from(self.underscore) == part.underscore
            && self.sorts == part.sorts
            && self.numbers.get(..numbers.len()) == Some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Ja4Options;
    use super::*;
    use crate::client_hello::{Carrier, ClientHello};

    fn part(numbers: impl IntoIterator<Item = u16>, underscore: usize) -> Part {
        let mut part = Part { underscore, ..Part::new(false) };
        part.numbers.extend(numbers.into_iter());
        part
    }

    fn kept(cache: &Ja4Cache) -> usize {
        cache.sets.iter().flatten().filter(|entry| entry.len > 0).count()
    }

    #[test]
    fn a_list_is_hashed_once_and_then_known() {
        let mut cache = Ja4Cache::new(8);
        let mut list = part([0x1301, 0x1302], 2);
        assert_eq!(cache.hash(&mut list), list.hash());
        assert_eq!(kept(&cache), 1);
        // A mark that shows where the digits came from.
        cache.sets.iter_mut().flatten().for_each(|entry| entry.digits = [b'x'; DIGITS]);
        assert_eq!(cache.hash(&mut list), [b'x'; DIGITS]);
        let others = [
            part([0x1301], 1),
            part([0x1301, 0x1303], 2),
            part([0x1302, 0x1301], 2),
            part([0x1301, 0x1302], 1),
            Part { sorts: true, ..list },
        ];
        for mut other in others {
            assert_eq!(cache.hash(&mut other), other.hash());
        }
    }

    #[test]
    fn a_list_that_is_to_be_sorted_is_hashed_sorted_in_whatever_order_it_comes() {
        let mut cache = Ja4Cache::new(8);
        let sorted = part([0x002f, 0x1301, 0x1302, 0x0804, 0x0403], 3);
        for _ in 0..2 {
            for order in [[0x1302, 0x1301, 0x002f], [0x1301, 0x002f, 0x1302]] {
                let mut list = Part { sorts: true, ..part(order.into_iter().chain([0x0804, 0x0403]), 3) };
                assert_eq!(cache.hash(&mut list), sorted.hash());
            }
        }
        let mut as_sent = part([0x1302, 0x1301, 0x002f, 0x0804, 0x0403], 3);
        assert_ne!(cache.hash(&mut as_sent), sorted.hash());
    }

    #[test]
    fn extensions_in_another_order_are_the_same_list() {
        // One cipher suite; extensions 0017 and 0023 in either order.
        let hello = |kinds: [u8; 2]| {
            let [a, b] = kinds;
            let start = [&[1, 0, 0, 51, 3, 3][..], &[7; 32], &[0, 0, 2, 0x13, 1, 1, 0]].concat();
            [&start[..], &[0, 8, 0, a, 0, 0, 0, b, 0, 0]].concat()
        };
        let mut cache = Ja4Cache::new(8);
        for kinds in [[0x17, 0x23], [0x23, 0x17]] {
            let message = hello(kinds);
            let hello = ClientHello::parse(&message, Carrier::Tcp).unwrap().done().unwrap();
            assert_eq!(cache.ja4(&hello.ja4_forms(Ja4Options::default())), hello.ja4());
            assert_eq!(kept(&cache), 2);
        }
    }

    #[test]
    fn never_keeps_more_than_its_size_and_stays_right() {
        for lists in [0, 1, 2, 3, 64] {
            let mut cache = Ja4Cache::new(lists);
            let held = cache.held_bytes();
            for round in 0..2 {
                for number in 0..500 {
                    let mut list = part([number, number + 1 + round], 1);
                    assert_eq!(cache.hash(&mut list), list.hash());
                }
            }
            let places = lists.next_multiple_of(WAYS);
            assert!(kept(&cache) <= places, "{} of {lists}", kept(&cache));
            assert_eq!(cache.held_bytes(), held);
            assert_eq!(held, places.next_power_of_two().min(places) * size_of::<Entry>());
        }
    }

    #[test]
    fn what_is_too_long_is_hashed_and_not_kept() {
        let mut cache = Ja4Cache::new(8);
        for count in [0, 65, 200, 300] {
            let mut list = part(0..count, 1);
            assert_eq!(cache.hash(&mut list), list.hash(), "{count}");
        }
        assert_eq!(kept(&cache), 0);
        let mut list = part(0..64, 64);
        assert_eq!(cache.hash(&mut list), list.hash());
        assert_eq!(kept(&cache), 1);
    }

    #[test]
    fn the_size_of_an_entry_is_as_told() {
        assert_eq!(size_of::<Entry>(), 144);
    }
}
