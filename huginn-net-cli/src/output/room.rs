//! Room for a part of a line that is made at once.

use core::mem;

/// Room at the end of lines, filled from the front.
///
/// A vector looks at its length and its capacity in memory for each piece that is appended, and the length that the last
/// piece left there has to arrive first. What is left of a room stays in registers, and pieces of a size that is known
/// when this is compiled are copied without a call.
pub(super) struct Room<'l> {
    left: &'l mut [u8],
}

impl Room<'_> {
    /// Appends what `write` writes, which is at most `SIZE` bytes: a piece that does not fit is left out.
    #[inline(always)]
    pub(super) fn with<const SIZE: usize>(lines: &mut Vec<u8>, write: impl FnOnce(&mut Room<'_>)) {
        lines.extend_from_slice(&[0; SIZE]);
        let mut room = Room { left: lines.last_chunk_mut::<SIZE>().map_or(&mut [], |room| room) };
        write(&mut room);
        let left = room.left.len();
        lines.truncate(lines.len() - left);
    }

    /// Writes these bytes.
    #[inline(always)]
    pub(super) fn put<const SIZE: usize>(&mut self, bytes: &[u8; SIZE]) {
        self.put_first(bytes, SIZE);
    }

    /// Writes the first `len` of these bytes, by a copy of all of them, for which there has to be room: that is cheaper
    /// than a copy of as many bytes as are wanted.
    #[inline(always)]
    pub(super) fn put_first<const SIZE: usize>(&mut self, bytes: &[u8; SIZE], len: usize) {
        if let Some(place) = self.left.first_chunk_mut() {
            *place = *bytes;
            self.skip(len);
        }
    }

    /// Writes bytes of which nobody knows how many there are.
    pub(super) fn put_all(&mut self, bytes: &[u8]) {
        if let Some(place) = self.left.get_mut(..bytes.len()) {
            place.copy_from_slice(bytes);
            self.skip(bytes.len());
        }
    }

    #[inline(always)]
    fn skip(&mut self, len: usize) {
        self.left = mem::take(&mut self.left).get_mut(len..).unwrap_or_default();
    }
}

/// A word and what follows it, which takes up to `SIZE` bytes.
pub(super) struct Word<const SIZE: usize> {
    bytes: [u8; SIZE],
    len: usize,
}

impl<const SIZE: usize> Word<SIZE> {
    /// These texts in a row; it does not compile if they are too long.
    pub(super) const fn new(mut texts: &[&str]) -> Self {
        let (mut bytes, mut len) = ([0; SIZE], 0);
        let mut left = bytes.as_mut_slice();
        while let Some((text, next)) = texts.split_first() {
            let (place, behind) = left.split_at_mut(text.len());
            place.copy_from_slice(text.as_bytes());
            len += text.len();
            (left, texts) = (behind, next);
        }
        Self { bytes, len }
    }

    /// Writes it.
    #[inline(always)]
    pub(super) fn put(&self, room: &mut Room<'_>) {
        room.put_first(&self.bytes, self.len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_behind_each_other_and_behind_what_was_there() {
        let mut lines = b"a".to_vec();
        Room::with::<16>(&mut lines, |room| {
            room.put(b"bc");
            room.put_first(b"defgh", 2);
            room.put_all(b"xyz");
            Word::<8>::new(&["12", "3"]).put(room);
        });
        assert_eq!(lines, b"abcdexyz123");
    }

    #[test]
    fn what_fills_a_room_to_its_end_fits() {
        let mut lines = Vec::new();
        Room::with::<4>(&mut lines, |room| {
            room.put(b"ab");
            room.put_all(b"cd");
        });
        assert_eq!(lines, b"abcd");
    }

    #[test]
    fn a_piece_that_has_no_room_is_left_out() {
        let mut lines = Vec::new();
        Room::with::<4>(&mut lines, |room| {
            room.put(b"a");
            room.put(b"bcde");
            room.put_first(b"bcde", 2);
            room.put_all(b"bcdef");
            room.put(b"xyz");
        });
        assert_eq!(lines, b"axyz");
    }
}
