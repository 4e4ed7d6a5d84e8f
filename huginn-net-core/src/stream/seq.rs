//! TCP sequence numbers.

use core::fmt;
use core::ops::{Add, AddAssign};

/// A TCP sequence number: a position in a stream, modulo 2^32
/// ([RFC 9293 §3.4](https://www.rfc-editor.org/rfc/rfc9293#section-3.4)).
///
/// Which of two comes first depends on the shorter way round the circle, so there is no order to sort by. Adding
/// wraps.
///
/// ```
/// use huginn_net_core::SeqNumber;
///
/// let before_wrap = SeqNumber(0xffff_fffe);
/// assert_eq!(before_wrap + 5, SeqNumber(3));
/// assert!(before_wrap.precedes(SeqNumber(3)));
/// assert_eq!(SeqNumber(3).distance_from(before_wrap), 5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeqNumber(pub u32);

impl SeqNumber {
    /// Whether `other` lies less than 2^31 ahead of this number.
    ///
    /// Of two numbers exactly 2^31 apart neither precedes the other: [RFC 1982 §3.2] leaves them undefined.
    ///
    /// [RFC 1982 §3.2]: https://www.rfc-editor.org/rfc/rfc1982#section-3.2
    #[inline]
    #[must_use]
    pub const fn precedes(self, other: Self) -> bool {
        other.distance_from(self) > 0
    }

    /// Bytes from `earlier` to this number by the shorter way; negative if this one precedes it.
    #[inline]
    #[must_use]
    pub const fn distance_from(self, earlier: Self) -> i32 {
        self.0.wrapping_sub(earlier.0).cast_signed()
    }
}

impl Add<u32> for SeqNumber {
    type Output = Self;

    #[inline]
    fn add(self, bytes: u32) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

impl AddAssign<u32> for SeqNumber {
    #[inline]
    fn add_assign(&mut self, bytes: u32) {
        *self = *self + bytes;
    }
}

impl fmt::Display for SeqNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_across_the_wrap() {
        for (earlier, later) in
            [(0, 1), (u32::MAX, 0), (0xffff_ff00, 0xff), (1, 0x8000_0000), (0x8000_0001, 0)]
        {
            let (earlier, later) = (SeqNumber(earlier), SeqNumber(later));
            assert!(earlier.precedes(later), "{earlier} {later}");
            assert!(!later.precedes(earlier), "{later} {earlier}");
        }
    }

    #[test]
    fn no_number_precedes_itself_or_its_opposite() {
        for start in [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
            let number = SeqNumber(start);
            let opposite = number + (1 << 31);
            assert!(!number.precedes(number));
            assert!(!number.precedes(opposite) && !opposite.precedes(number));
        }
    }

    #[test]
    fn distance_undoes_addition() {
        for start in [0, 7, u32::MAX - 2, 0x7fff_ffff] {
            for bytes in [0_u32, 1, 1_460, 0x7fff_ffff] {
                let mut end = SeqNumber(start);
                end += bytes;
                assert_eq!(end.distance_from(SeqNumber(start)), i32::try_from(bytes).unwrap());
                assert_eq!(SeqNumber(start).distance_from(end), -i32::try_from(bytes).unwrap());
            }
        }
    }
}
