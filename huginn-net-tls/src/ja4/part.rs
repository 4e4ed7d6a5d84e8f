//! Parts b and c of JA4: numbers as text, and its hash.

use super::DIGITS;
use super::list::List;
use crate::sha256::{BLOCK, END, INITIAL_STATE, LENGTH, compress256};

/// Numbers, which are written in hexadecimal with commas between them.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) numbers: List,
    /// Which number has an underscore in front of it instead; as many as there are, if none.
    pub(super) underscore: usize,
    /// Whether those before the underscore are to be sorted.
    pub(super) sorts: bool,
}

/// Four digits and what separates them from the next four.
const SLOT: usize = 5;
/// Numbers written at once: more than nearly every client sends, and a whole number of blocks.
const AT_ONCE: usize = 64;
const BLOCKS_AT_ONCE: usize = AT_ONCE * SLOT / BLOCK;

/// The blocks that numbers are written to, and one more for what SHA-256 puts at the end.
type Text = [[u8; BLOCK]; BLOCKS_AT_ONCE + 1];
const NO_TEXT: Text = [[0; BLOCK]; BLOCKS_AT_ONCE + 1];

impl Part {
    #[inline]
    pub(super) const fn new(sorts: bool) -> Self {
        Self { numbers: List::new(), underscore: 0, sorts }
    }

    pub(super) fn sort(&mut self) {
        if self.sorts
            && let Some(first) = self.numbers.as_mut_slice().get_mut(..self.underscore)
        {
            first.sort_unstable();
        }
    }

    /// Hands the text of the numbers as they are to `out`, in pieces.
    pub(super) fn write<E>(&self, mut out: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let numbers = self.numbers.as_slice();
        for (index, some) in numbers.chunks(AT_ONCE).enumerate() {
            let mut text = NO_TEXT;
            self.write_to(&mut text, index, some);
            // Nothing stands behind the last number.
            let is_last = index * AT_ONCE + some.len() == numbers.len();
            let len = SLOT * some.len() - usize::from(is_last);
            out(text.as_flattened().get(..len).unwrap_or_default())?;
        }
        Ok(())
    }

    /// The first six bytes of the SHA-256 of that text in hexadecimal; zeros if there is none.
    pub(super) fn hash(&self) -> [u8; DIGITS] {
        let mut last = LastBlocks::NONE;
        last.take(self);
        let blocks = last.text.get(..last.count).unwrap_or_default();
        compress256(&mut last.state, blocks);
        last.digits()
    }

    /// The [`hash`](Self::hash) of two parts. Processors with instructions for SHA-256 wait for each of them most of the
    /// time, unless there is something else to do: blocks of the one take their turn with those of the other.
    pub(super) fn hash_both(one: &Self, other: &Self) -> [[u8; DIGITS]; 2] {
        let parts = [one, other];
        // No text is moved once it is written.
        let mut both = [LastBlocks::NONE; 2];
        both.iter_mut().zip(parts).for_each(|(last, part)| last.take(part));
        let turns = both.iter().map(|last| last.count).max().unwrap_or_default();
        for turn in 0..turns {
            for last in &mut both {
                if turn < last.count
                    && let Some(block) = last.text.get(turn)
                {
                    compress256(&mut last.state, core::slice::from_ref(block));
                }
            }
        }
        both.each_ref().map(LastBlocks::digits)
    }

    /// Writes a chunk of the numbers in place of [no text](NO_TEXT), with a separator behind each of them.
    #[inline]
    fn write_to(&self, text: &mut Text, chunk: usize, numbers: &[u16]) {
        let (slots, _) = text.as_flattened_mut().as_chunks_mut::<SLOT>();
        for (slot, &number) in slots.iter_mut().zip(numbers) {
            let [a, b, c, d] = hex4(number);
            *slot = [a, b, c, d, b','];
        }
        let before =
            self.underscore.checked_sub(chunk * AT_ONCE + 1).filter(|&before| before < numbers.len());
        if let Some([.., separator]) = before.and_then(|before| slots.get_mut(before)) {
            *separator = b'_';
        }
    }
}

/// What is left to hash of a text: its last chunk.
///
/// The text is written where the blocks of SHA-256 are ([FIPS 180-4 §5.1.1 and §6.2]), which spares copies: hashing is
/// what JA4 spends most of its time on.
///
/// [FIPS 180-4 §5.1.1 and §6.2]: https://doi.org/10.6028/NIST.FIPS.180-4
struct LastBlocks {
    state: [u32; 8],
    text: Text,
    /// None if there is no text at all.
    count: usize,
}

impl LastBlocks {
    const NONE: Self = Self { state: INITIAL_STATE, text: NO_TEXT, count: 0 };

    /// Hashes a text up to its last chunk, and puts the end behind that.
    #[inline]
    fn take(&mut self, part: &Part) {
        let numbers = part.numbers.as_slice();
        let last = numbers.len().saturating_sub(1) / AT_ONCE;
        for (index, some) in numbers.chunks(AT_ONCE).take(last).enumerate() {
            let mut text = NO_TEXT;
            part.write_to(&mut text, index, some);
            compress256(&mut self.state, text.get(..BLOCKS_AT_ONCE).unwrap_or_default());
        }
        let some = numbers.get(last * AT_ONCE..).unwrap_or_default();
        part.write_to(&mut self.text, last, some);
        let end = SLOT * some.len();
        let separator = end.checked_sub(1).and_then(|at| self.text.as_flattened_mut().get_mut(at));
        let Some(separator) = separator else { return };
        *separator = END;
        self.count = (end + LENGTH).div_ceil(BLOCK);
        let bits = 8 * (SLOT * numbers.len() - 1) as u64;
        if let Some(length) = self.text.get_mut(self.count - 1).and_then(|block| block.last_chunk_mut()) {
            *length = bits.to_be_bytes();
        }
    }

    #[inline]
    fn digits(&self) -> [u8; DIGITS] {
        if self.count == 0 {
            return [b'0'; DIGITS];
        }
        let [a, b, ..] = self.state.map(u32::to_be_bytes);
        let [[a0, a1, a2, a3], [b0, b1, ..]] = [a, b];
        let mut digits = [0; DIGITS];
        for (place, pair) in digits.as_chunks_mut().0.iter_mut().zip([[a0, a1], [a2, a3], [b0, b1]]) {
            *place = hex4(u16::from_be_bytes(pair));
        }
        digits
    }
}

/// Four hexadecimal digits in lower case.
#[inline]
pub(crate) fn hex4(value: u16) -> [u8; 4] {
    let [high, low] =
        value.to_be_bytes().map(|byte| DIGITS_OF.get(usize::from(byte)).copied().unwrap_or_default());
    let ([a, b], [c, d]) = (high, low);
    [a, b, c, d]
}

/// The two digits of each byte.
const DIGITS_OF: [[u8; 2]; 256] = {
    let mut table = [[0; 2]; 256];
    let (mut byte, mut rest) = (0_u8, table.as_mut_slice());
    while let Some((digits, next)) = rest.split_first_mut() {
        *digits = [digit(byte >> 4), digit(byte & 0x0f)];
        byte = byte.wrapping_add(1);
        rest = next;
    }
    table
};

const fn digit(nibble: u8) -> u8 {
    nibble + if nibble < 10 { b'0' } else { b'a' - 10 }
}

#[cfg(test)]
mod tests {
    use core::convert::Infallible;

    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn hexadecimal_digits_are_those_of_the_standard_library() {
        for value in 0..=u16::MAX {
            assert_eq!(hex4(value), format!("{value:04x}").as_bytes());
        }
    }

    #[test]
    fn two_parts_are_hashed_in_turn_as_each_is_alone() {
        let parts = [0_u16, 1, 11, 12, 24, 63, 64, 65, 130, 200].map(|count| {
            let mut part = Part { underscore: 3, ..Part::new(false) };
            part.numbers.extend(0x3000..0x3000 + count);
            part
        });
        for one in &parts {
            for other in &parts {
                assert_eq!(Part::hash_both(one, other), [one.hash(), other.hash()]);
            }
        }
    }

    #[test]
    fn the_hash_is_that_of_the_text_and_chunks_do_not_show() {
        let part = |count: u16, underscore| {
            let mut part = Part { underscore, ..Part::new(false) };
            part.numbers.extend(0x7000..0x7000 + count);
            part
        };
        assert_eq!(part(0, 0).hash(), *b"000000000000");
        // Every length of the text within its last block, and several chunks.
        for count in (1..=140).chain([191, 192, 193, 1_000]) {
            for underscore in [1, 2, 63, 64, 65, 127, 128, 129, 199] {
                let mut text =
                    (0..count).map(|value| format!("{:04x}", 0x7000 + value)).collect::<Vec<_>>().join(",");
                if underscore < usize::from(count) {
                    text.replace_range(5 * underscore - 1..5 * underscore, "_");
                }
                let part = part(count, underscore);
                let mut written = Vec::new();
                let Ok(()) = part.write(|text| {
                    written.extend_from_slice(text);
                    Ok::<_, Infallible>(())
                });
                assert_eq!(written, text.as_bytes(), "{count} {underscore}");
                let digest: String =
                    Sha256::digest(text)[..6].iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(part.hash(), digest.as_bytes(), "{count} {underscore}");
            }
        }
    }
}
