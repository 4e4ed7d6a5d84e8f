//! Copies of hellos for events.

use bytes::{Bytes, BytesMut};

use super::{ClientHello, OwnedClientHello};
use crate::ja4::{Ja4Cache, Ja4Options};

/// Keeps hellos: with a JA4 that is remembered, and several in one piece of memory.
///
/// Events are dropped where they are used, by another thread than the one that made them where there are workers. Memory of its
/// own for each hello then made both wait for the lock of the allocator more often than for anything else.
pub(crate) struct HelloKeeper {
    ja4: Ja4Cache,
    /// What is left of the piece that is being filled. A piece whose hellos are all gone is filled again.
    piece: BytesMut,
}

impl HelloKeeper {
    /// A hello of which an event is kept keeps this much with it.
    pub(crate) const PIECE: usize = 8 << 10;
    /// Longer ones get memory of their own.
    const MAX_SHARED: usize = Self::PIECE / 4;

    /// Remembers the JA4 of this many [kinds](Ja4Cache::new) of hellos.
    pub(crate) fn new(kinds: usize) -> Self {
        Self { ja4: Ja4Cache::new(kinds), piece: BytesMut::new() }
    }

    pub(crate) fn keep(&mut self, hello: &ClientHello<'_>) -> OwnedClientHello {
        let ja4 = self.ja4.ja4_of(hello, Ja4Options::default());
        OwnedClientHello { message: self.copy(hello.message()), carrier: hello.carrier(), ja4 }
    }

    fn copy(&mut self, message: &[u8]) -> Bytes {
        if message.len() > Self::MAX_SHARED {
            return Bytes::copy_from_slice(message);
        }
        if self.piece.capacity() < message.len() {
            self.piece.reserve(Self::PIECE);
        }
        self.piece.extend_from_slice(message);
        self.piece.split().freeze()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hellos_share_memory_and_long_ones_have_their_own() {
        let mut keeper = HelloKeeper::new(0);
        let copies: Vec<_> = [700, 2_000, 900, HelloKeeper::MAX_SHARED + 1, 1_500]
            .iter()
            .zip(1..)
            .map(|(&length, byte)| (keeper.copy(&vec![byte; length]), length, byte))
            .collect();
        for (copy, length, byte) in &copies {
            assert_eq!(copy, &vec![*byte; *length]);
        }
        let begin = |place: usize| copies[place].0.as_ptr() as usize;
        assert_eq!([begin(1), begin(2), begin(4)], [begin(0) + 700, begin(0) + 2_700, begin(0) + 3_600]);
    }

    #[test]
    fn a_piece_whose_hellos_are_gone_is_filled_again() {
        let mut keeper = HelloKeeper::new(0);
        let first = keeper.copy(&[1; 2_000]).as_ptr();
        let again = (0..20).filter(|_| keeper.copy(&[2; 2_000]).as_ptr() == first).count();
        assert_eq!(again, 5);
    }
}
