//! Decimal numbers.

/// Appends a number in decimal.
#[inline]
pub(super) fn number(number: u64, lines: &mut Vec<u8>) {
    lines.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends the last `digits` digits of a number below 10^`digits`, with zeros in front; at most nine.
#[inline]
pub(super) fn padded(number: u32, digits: usize, lines: &mut Vec<u8>) {
    const ABOVE: u64 = 1_000_000_000;
    let mut buffer = itoa::Buffer::new();
    let text = buffer.format(ABOVE + u64::from(number)).as_bytes();
    lines.extend_from_slice(text.get(text.len() - digits.min(9)..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_zeros_in_front_where_they_are_padded_and_none_elsewhere() {
        for value in [0, 7, 10, 999, 1_000, 123_456_789, 999_999_999] {
            let (mut plain, mut nine) = (Vec::new(), Vec::new());
            number(value.into(), &mut plain);
            padded(value, 9, &mut nine);
            assert_eq!((plain, nine), (value.to_string().into_bytes(), format!("{value:09}").into_bytes()));
        }
        let mut three = Vec::new();
        padded(5, 3, &mut three);
        assert_eq!(three, b"005");
    }
}
