//! Numbers on their way into a text.

/// Collects a text and hands it out in pieces, since handing out each number would cost more than it.
pub(super) struct Pieces<F> {
    waiting: [u8; ROOM],
    len: usize,
    out: F,
}

/// The longest piece that may be handed out.
const ROOM: usize = 256;
/// The most digits of a number, and what separates it from the one before.
const LONGEST: usize = 6;

impl<E, F: FnMut(&[u8]) -> Result<(), E>> Pieces<F> {
    pub(super) const fn new(out: F) -> Self {
        Self { waiting: [0; ROOM], len: 0, out }
    }

    /// Adds a number in decimal.
    pub(super) fn number(&mut self, value: u16) -> Result<(), E> {
        let (digits, count) = decimal(value);
        self.add(digits, count)
    }

    /// Adds a comma, and numbers with hyphens between them.
    pub(super) fn list(&mut self, mut values: impl Iterator<Item = u16>) -> Result<(), E> {
        let Some(first) = values.next() else { return self.add(u64::from(b','), 1) };
        self.separated(b',', first)?;
        values.try_for_each(|value| self.separated(b'-', value))
    }

    /// Hands out what is left.
    pub(super) fn end(mut self) -> Result<(), E> {
        self.hand_out()
    }

    #[inline]
    fn separated(&mut self, separator: u8, value: u16) -> Result<(), E> {
        let (digits, count) = decimal(value);
        self.add(digits << 8 | u64::from(separator), 1 + count)
    }

    /// Adds so many characters, at most [`LONGEST`], the first one in the lowest bits.
    #[inline]
    fn add(&mut self, characters: u64, count: usize) -> Result<(), E> {
        if self.len > ROOM - size_of::<u64>() {
            self.hand_out()?;
        }
        debug_assert!(count <= LONGEST);
        // A copy of a fixed size is cheaper than one of the size it needs. There is room for it.
        if let Some(place) = self.waiting.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut) {
            *place = characters.to_le_bytes();
            self.len += count;
        }
        Ok(())
    }

    fn hand_out(&mut self) -> Result<(), E> {
        let piece = self.waiting.get(..self.len).unwrap_or_default();
        self.len = 0;
        (self.out)(piece)
    }
}

/// The digits of a number as characters, the first one in the lowest bits, and how many there are.
#[inline]
fn decimal(value: u16) -> (u64, usize) {
    const ZEROS: u64 = u64::from_le_bytes(*b"00000\0\0\0");
    // All five in any case: no processor foresees how many a number has.
    let number = u64::from(value);
    let (first, hundreds, rest) = (number / 10_000, number / 100 % 100, number % 100);
    let [second, third] = [hundreds / 10, hundreds % 10];
    let [fourth, fifth] = [rest / 10, rest % 10];
    let digits = first | second << 8 | third << 16 | fourth << 24 | fifth << 32;
    // The last one is written even if it is zero.
    let left_out = (digits.trailing_zeros() / 8).min(4);
    ((digits | ZEROS) >> (8 * left_out), 5 - left_out as usize)
}

#[cfg(test)]
mod tests {
    use core::convert::Infallible;

    use super::*;

    #[test]
    fn numbers_are_written_as_they_display() {
        for value in 0..=u16::MAX {
            let mut text = Vec::new();
            let mut pieces = Pieces::new(|piece: &[u8]| {
                text.extend_from_slice(piece);
                Ok::<_, Infallible>(())
            });
            let Ok(()) = pieces.number(value);
            let Ok(()) = pieces.end();
            assert_eq!(text, value.to_string().as_bytes());
        }
    }

    #[test]
    fn where_a_text_is_cut_does_not_show() {
        for digit in [7, 77, 777, 7_777, 65_535] {
            for count in 0..300 {
                let (mut text, mut pieces_handed_out) = (Vec::new(), 0);
                let mut pieces = Pieces::new(|piece: &[u8]| {
                    text.extend_from_slice(piece);
                    pieces_handed_out += 1;
                    Ok::<_, Infallible>(())
                });
                let Ok(()) = pieces.number(771);
                let Ok(()) = pieces.list(core::iter::repeat_n(digit, count));
                let Ok(()) = pieces.list(core::iter::empty());
                let Ok(()) = pieces.end();
                let expected = format!("771,{},", vec![digit.to_string(); count].join("-"));
                assert_eq!(text, expected.as_bytes());
                assert!(pieces_handed_out == 1 || expected.len() > 248, "{}", expected.len());
            }
        }
    }

    #[test]
    fn what_does_not_take_a_piece_ends_the_text() {
        let mut taken = 0;
        let mut pieces = Pieces::new(|piece: &[u8]| {
            taken += piece.len();
            Err("full")
        });
        assert_eq!(pieces.list(0..1_000), Err("full"));
        assert!(taken <= 256);
    }
}
