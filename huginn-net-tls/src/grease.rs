//! Values that clients send to keep servers tolerant of what they do not know ([RFC 8701]).
//!
//! [RFC 8701]: https://www.rfc-editor.org/rfc/rfc8701

/// Whether a 16-bit value is one of the sixteen reserved by [RFC 8701 §2]: both bytes equal, the low half of each `a`.
///
/// A mask alone would also take `0x0a1a` for one.
///
/// [RFC 8701 §2]: https://www.rfc-editor.org/rfc/rfc8701#section-2
#[inline]
pub(crate) const fn is_grease(value: u16) -> bool {
    let [high, low] = value.to_be_bytes();
    high == low && low & 0x0f == 0x0a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_values_are_grease_and_no_other() {
        let table = [
            0x0a0a, 0x1a1a, 0x2a2a, 0x3a3a, 0x4a4a, 0x5a5a, 0x6a6a, 0x7a7a, 0x8a8a, 0x9a9a, 0xaaaa, 0xbaba,
            0xcaca, 0xdada, 0xeaea, 0xfafa,
        ];
        let found: Vec<u16> = (0..=u16::MAX).filter(|&value| is_grease(value)).collect();
        assert_eq!(found, table);
    }
}
