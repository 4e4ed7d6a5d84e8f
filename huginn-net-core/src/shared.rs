//! Copies of bytes for events.

use core::fmt;
use core::ops::Deref;
use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};

/// Bytes that share a piece of memory with others; the piece stays as long as one of them, and clones share theirs.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct SharedBytes(Bytes);

impl SharedBytes {
    /// A copy that has its memory to itself.
    #[must_use]
    pub fn alone(bytes: &[u8]) -> Self {
        Self(Bytes::copy_from_slice(bytes))
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Copies bytes one behind the other into pieces of memory.
///
/// Events are dropped where they are used, by another thread than the one that made them where there are workers. Memory of its
/// own for each of them makes both wait for the lock of the allocator more often than for anything else, and memory that one thread
/// allocates and another frees goes to the system and back again and again.
///
/// ```
/// use huginn_net_core::BytesKeeper;
///
/// let mut keeper = BytesKeeper::new();
/// let (one, other) = (keeper.copy(b"GET / HTTP/1.1"), keeper.copy(b"HTTP/1.1 200 OK"));
/// assert_eq!((&*one, &*other), (&b"GET / HTTP/1.1"[..], &b"HTTP/1.1 200 OK"[..]));
/// ```
#[derive(Default)]
pub struct BytesKeeper {
    /// The last one is being filled. Those before it are full, and copies may be left of them; the oldest comes first.
    pieces: VecDeque<BytesMut>,
}

impl fmt::Debug for BytesKeeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BytesKeeper").field("pieces", &self.pieces.len()).finish_non_exhaustive()
    }
}

impl BytesKeeper {
    /// Bytes of a piece: who keeps a copy keeps this much with it.
    pub const PIECE: usize = 8 << 10;
    /// Pieces that are kept to be filled again, at most: 2 MiB, if as many were needed at one time.
    pub const MAX_PIECES: usize = 256;
    /// Longer ones get memory of their own.
    const MAX_SHARED: usize = Self::PIECE / 4;

    /// Nothing is copied yet, and nothing allocated.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A copy of bytes: in the piece that is being filled, or alone if they are long.
    pub fn copy(&mut self, bytes: &[u8]) -> SharedBytes {
        if bytes.len() > Self::MAX_SHARED {
            return SharedBytes::alone(bytes);
        }
        // A piece of which all copies are gone is filled again, while it is in the cache.
        let has_room =
            |piece: &mut BytesMut| piece.capacity() >= bytes.len() || piece.try_reclaim(Self::PIECE);
        if !self.pieces.back_mut().is_some_and(has_room) {
            self.begin_piece();
        }
        let Some(piece) = self.pieces.back_mut() else { return SharedBytes::alone(bytes) };
        piece.extend_from_slice(bytes);
        SharedBytes(piece.split().freeze())
    }

    /// Has an empty piece for the last one: the oldest, if all copies of it are gone.
    #[cold]
    fn begin_piece(&mut self) {
        if self.pieces.front_mut().is_some_and(|oldest| oldest.try_reclaim(Self::PIECE)) {
            self.pieces.rotate_left(1);
            return;
        }
        if self.pieces.len() >= Self::MAX_PIECES {
            self.pieces.pop_front();
        }
        self.pieces.push_back(BytesMut::with_capacity(Self::PIECE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_memory_and_long_ones_have_their_own() {
        let mut keeper = BytesKeeper::new();
        let copies: Vec<_> = [700, 2_000, 900, BytesKeeper::MAX_SHARED + 1, 1_500]
            .iter()
            .zip(1..)
            .map(|(&length, byte)| (keeper.copy(&vec![byte; length]), length, byte))
            .collect();
        for (copy, length, byte) in &copies {
            assert_eq!(&**copy, vec![*byte; *length]);
        }
        let begin = |place: usize| copies[place].0.as_ptr() as usize;
        assert_eq!([begin(1), begin(2), begin(4)], [begin(0) + 700, begin(0) + 2_700, begin(0) + 3_600]);
    }

    #[test]
    fn a_piece_of_which_all_copies_are_gone_is_filled_again() {
        let mut keeper = BytesKeeper::new();
        let first = keeper.copy(&[1; 2_000]).as_ptr();
        let again = (0..20).filter(|_| keeper.copy(&[2; 2_000]).as_ptr() == first).count();
        assert_eq!(again, 5);
    }

    #[test]
    fn the_oldest_piece_is_filled_again_once_its_copies_are_gone() {
        let mut keeper = BytesKeeper::new();
        // Four to a piece.
        let mut copies: VecDeque<_> = (0..40).map(|byte| (byte, keeper.copy(&[byte; 2_000]))).collect();
        let pieces: Vec<_> = copies.iter().step_by(4).map(|(_, copy)| copy.as_ptr()).collect();
        copies.pop_front();
        let elsewhere = keeper.copy(&[40; 2_000]).as_ptr();
        assert!(!pieces.contains(&elsewhere), "three are left of the oldest");
        copies.drain(..3);
        let filler: Vec<_> = (0..3).map(|_| keeper.copy(&[41; 2_000])).collect();
        let again = keeper.copy(&[42; 2_000]);
        assert_eq!((again.as_ptr(), filler.len()), (pieces[0], 3));
        for (byte, copy) in &copies {
            assert_eq!(**copy, [*byte; 2_000], "nobody writes to what is held");
        }
    }

    #[test]
    fn no_more_pieces_are_kept_than_is_said_and_one_that_stays_in_use_is_let_go() {
        let mut keeper = BytesKeeper::new();
        let mut copies: Vec<_> = (0..5 * BytesKeeper::MAX_PIECES).map(|_| keeper.copy(&[1; 2_000])).collect();
        assert_eq!(keeper.pieces.len(), BytesKeeper::MAX_PIECES);
        // One of the oldest piece that is kept.
        let kept = copies.swap_remove(4 * BytesKeeper::MAX_PIECES / 4);
        copies.clear();
        for _ in 0..5 * BytesKeeper::MAX_PIECES {
            // So many are held at a time that the last piece is never free.
            copies.push(keeper.copy(&[2; 2_000]));
            if copies.len() > 8 {
                copies.remove(0);
            }
            assert!(keeper.pieces.len() <= BytesKeeper::MAX_PIECES);
        }
        assert_eq!(*kept, [1; 2_000]);
    }
}
