//! The numbers that a part of JA4 is made of.

use crate::numbers::NumberList;

/// Numbers on the stack as long as there are no more than any honest client sends.
#[derive(Clone)]
pub(crate) struct List {
    few: [u16; Self::FEW],
    /// How many those are; [`Self::FEW`] if there are more.
    len: usize,
    /// All of them, once there are more.
    many: Vec<u16>,
}

impl List {
    const FEW: usize = 128;

    pub(crate) const fn new() -> Self {
        Self { few: [0; Self::FEW], len: 0, many: Vec::new() }
    }

    /// Adds numbers one after another.
    #[inline]
    pub(crate) fn extend(&mut self, mut values: impl Iterator<Item = u16>) {
        if self.many.is_empty() {
            let mut added = 0;
            for (place, value) in self.few.iter_mut().skip(self.len).zip(&mut values) {
                *place = value;
                added += 1;
            }
            self.len += added;
            let Some(value) = values.next() else { return };
            self.many.extend_from_slice(&self.few);
            self.many.push(value);
        }
        self.many.extend(values);
    }

    /// Adds the numbers of a list of a hello but for GREASE. Most lists have none, and are copied many numbers at a time.
    #[inline]
    pub(crate) fn extend_from<T: From<u16> + Copy>(&mut self, list: NumberList<'_, T>) {
        let end = self.len + list.len();
        match self.few.get_mut(self.len..end) {
            Some(places) if !list.has_grease() => {
                places.iter_mut().zip(list.all()).for_each(|(place, value)| *place = value);
                self.len = end;
            }
            _ => self.extend(list.values()),
        }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u16] {
        if self.many.is_empty() { self.few.get(..self.len).unwrap_or_default() } else { &self.many }
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u16] {
        if self.many.is_empty() { self.few.get_mut(..self.len).unwrap_or_default() } else { &mut self.many }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_hellos_are_taken_without_grease_wherever_there_is_room() {
        for before in [0, 100, 126, 127, 128, 130] {
            for list in [&[0x13, 1, 0x13, 2][..], &[0x13, 1, 0x0a, 0x0a, 0x13, 2], &[]] {
                let mut ours = List::new();
                ours.extend(0..before);
                ours.extend_from(NumberList::<u16>::new(list));
                let mut expected: Vec<u16> = (0..before).collect();
                expected.extend(if list.is_empty() { &[][..] } else { &[0x1301, 0x1302] });
                assert_eq!(ours.as_slice(), expected);
            }
        }
    }

    #[test]
    fn keeps_what_is_more_than_fits_on_the_stack() {
        for counts in [[128, 0], [128, 1], [0, 129], [100, 100], [129, 1]] {
            let mut list = List::new();
            for count in counts {
                list.extend((0..count).rev());
            }
            let mut expected: Vec<u16> = counts.iter().flat_map(|&count| (0..count).rev()).collect();
            assert_eq!(list.as_slice(), expected);
            list.as_mut_slice().reverse();
            expected.reverse();
            assert_eq!(list.as_slice(), expected);
        }
    }
}
