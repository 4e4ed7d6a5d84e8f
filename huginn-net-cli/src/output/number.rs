//! Decimal numbers.

use super::room::Room;

/// Room for any number, with what a copy of a fixed size writes behind it.
pub(super) const LONGEST: usize = 24;

/// Appends a number in decimal.
#[inline]
pub(super) fn number(number: u64, lines: &mut Vec<u8>) {
    Room::with::<LONGEST>(lines, |room| put_number(number, room));
}

/// Writes a number in decimal; there has to be room for eight digits at least.
#[inline]
pub(super) fn put_number(number: u64, room: &mut Room<'_>) {
    match u32::try_from(number) {
        Ok(number) if number < 100_000_000 => {
            let digits = eight_digits(number);
            // The last digit stays even if it is a zero.
            let zeros =
                (digits & 0x00ff_ffff_ffff_ffff ^ 0x0030_3030_3030_3030 | 1 << 56).trailing_zeros() / 8;
            room.put_first(&(digits >> (8 * zeros)).to_le_bytes(), 8 - zeros as usize);
        }
        _ => room.put_all(itoa::Buffer::new().format(number).as_bytes()),
    }
}

/// Writes a number below 10^9 in nine digits, with zeros in front.
#[inline]
pub(super) fn put_nine(number: u32, room: &mut Room<'_>) {
    room.put(&[b'0' + u8::try_from(number / 100_000_000 % 10).unwrap_or_default()]);
    room.put(&eight_digits(number % 100_000_000).to_le_bytes());
}

/// Writes a number below 1,000 in three digits, with zeros in front.
#[inline]
pub(super) fn put_three(number: u32, room: &mut Room<'_>) {
    let [.., hundreds, tens, ones] = eight_digits(number % 1_000).to_le_bytes();
    room.put(&[hundreds, tens, ones]);
}

/// A number in four hexadecimal digits.
#[inline]
pub(super) fn four_hex(number: u16) -> [u8; 4] {
    const EACH: u32 = 0x0101_0101;
    // One digit in each byte, the first one in the lowest.
    let [high, low] = number.to_be_bytes().map(u32::from);
    let digits = high >> 4 | (high & 0x0f) << 8 | (low >> 4) << 16 | (low & 0x0f) << 24;
    let letters = ((digits + 6 * EACH) >> 4) & EACH;
    (digits + EACH * u32::from(b'0') + letters * u32::from(b'a' - b'0' - 10)).to_le_bytes()
}

/// The digits of a number below 10^8 with zeros in front, the first one in the lowest byte.
///
/// All of them are computed side by side, whatever the number: each step cuts groups of digits in two by a division,
/// which is a multiplication where it is exact for all that a group can be.
#[inline]
fn eight_digits(number: u32) -> u64 {
    let number = u64::from(number);
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    // A hundredth of what is below 10,000.
    let hundreds = (fours * 5_243) >> 19 & 0x0000_007f_0000_007f;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    // A tenth of what is below 100.
    let tens = (twos * 103) >> 10 & 0x000f_000f_000f_000f;
    let ones = tens | (twos - 10 * tens) << 8;
    ones | 0x3030_3030_3030_3030
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(put: impl FnOnce(&mut Room<'_>)) -> String {
        let mut lines = Vec::new();
        Room::with::<LONGEST>(&mut lines, put);
        String::from_utf8(lines).unwrap()
    }

    #[test]
    fn numbers_have_zeros_in_front_where_they_are_padded_and_none_elsewhere() {
        for value in [0, 7, 10, 999, 1_000, 99_999_999, 100_000_000, 123_456_789, 999_999_999] {
            assert_eq!(written(|room| put_number(value.into(), room)), value.to_string());
            assert_eq!(written(|room| put_nine(value, room)), format!("{value:09}"));
        }
        assert_eq!(written(|room| put_three(5, room)), "005");
        assert_eq!(written(|room| put_three(980, room)), "980");
    }

    #[test]
    fn every_group_of_four_digits_is_right_at_either_place() {
        for four in 0..10_000 {
            assert_eq!(eight_digits(four).to_le_bytes(), *format!("{four:08}").as_bytes());
            assert_eq!(eight_digits(four * 10_000 + 7).to_le_bytes(), *format!("{four:04}0007").as_bytes());
            assert_eq!(written(|room| put_number(four.into(), room)), four.to_string());
        }
    }

    #[test]
    fn hexadecimal_digits_are_in_lower_case() {
        for number in (0..=u16::MAX).step_by(13).chain([0x0a9f, u16::MAX]) {
            assert_eq!(four_hex(number), *format!("{number:04x}").as_bytes());
        }
    }

    #[test]
    fn numbers_are_written_up_to_the_largest() {
        for power in 0..=19 {
            for value in [10_u64.pow(power) - 1, 10_u64.pow(power), u64::MAX >> power] {
                let mut lines = b"x".to_vec();
                number(value, &mut lines);
                assert_eq!(String::from_utf8(lines).unwrap(), format!("x{value}"));
            }
        }
    }
}
