//! Decimal numbers.

/// Appends a number in decimal.
#[inline]
pub(super) fn number(number: u64, lines: &mut Vec<u8>) {
    match u32::try_from(number) {
        Ok(small @ 0..=EightDigits::MAX) => {
            let digits = EightDigits::of(small);
            digits.append_significant(lines);
        }
        _ => lines.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}

/// The decimal digits of a number below 100,000,000, as characters with zeros in front.
///
/// A number is written with a copy of eight bytes whatever its length, which costs less than a copy of its length.
#[derive(Clone, Copy)]
pub(super) struct EightDigits(u64);

impl EightDigits {
    pub(super) const MAX: u32 = 99_999_999;

    /// All digits at once, within a register: halves the number into four digits each, these into two, and those into
    /// one, the first ones in the lowest bits. Divisions are multiplications by reciprocals that are exact in the
    /// range of each step.
    #[inline]
    pub(super) fn of(number: u32) -> Self {
        let number = u64::from(number);
        let fours = (number / 10_000) | ((number % 10_000) << 32);
        let hundreds = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
        let twos = hundreds | ((fours - 100 * hundreds) << 16);
        let tens = ((twos * 103) >> 10) & 0x0f_000f_000f_000f;
        let ones = tens | ((twos - 10 * tens) << 8);
        Self(ones)
    }

    #[inline]
    pub(super) fn bytes(self) -> [u8; 8] {
        (self.0 | u64::from_le_bytes([b'0'; 8])).to_le_bytes()
    }

    /// Appends the digits without the zeros in front; all of zero is one digit.
    #[inline]
    fn append_significant(self, lines: &mut Vec<u8>) {
        let zeros = (self.0.trailing_zeros() / 8).min(7);
        let characters = (self.0 | u64::from_le_bytes([b'0'; 8])) >> (8 * zeros);
        lines.extend_from_slice(&characters.to_le_bytes());
        lines.truncate(lines.len() - zeros as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: u64) -> String {
        let mut lines = Vec::new();
        number(value, &mut lines);
        String::from_utf8(lines).unwrap()
    }

    #[test]
    fn numbers_are_written_as_they_display() {
        for exponent in 0..20 {
            for value in [-1, 0, 1].map(|step| 10_u64.pow(exponent).wrapping_add_signed(step)) {
                assert_eq!(written(value), value.to_string());
            }
        }
        assert_eq!(written(u64::MAX), u64::MAX.to_string());
    }

    /// Each pair of two digits at each of its four places, which is all that the steps of the division tell apart.
    #[test]
    fn digits_are_right_at_every_place() {
        for four in 0..10_000_u32 {
            for number in [four, four * 10_000, four * 10_000 + 9_999 - four] {
                assert_eq!(EightDigits::of(number).bytes(), format!("{number:08}").as_bytes());
            }
        }
    }
}
