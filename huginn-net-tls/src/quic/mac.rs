//! HMAC with SHA-256 ([RFC 2104]) of messages of one block, which is all that HKDF ([RFC 5869]) needs for Initial
//! packets.
//!
//! A key is hashed once for all that is computed under it, and messages under one key take turns: processors with
//! instructions for SHA-256 wait for each of them most of the time, unless there is something else to do.
//!
//! [RFC 2104]: https://www.rfc-editor.org/rfc/rfc2104
//! [RFC 5869]: https://www.rfc-editor.org/rfc/rfc5869

use core::slice;

use crate::sha256::{BLOCK, END, INITIAL_STATE, LENGTH, compress256};

type State = [u32; 8];
/// Bytes of a hash.
const HASH: usize = 32;
/// What pads a hash to a block. It is there before the hash is: a processor waits where it reads at once what was written
/// piece by piece.
const PADS_HASH: [u8; BLOCK] = {
    let mut block = [0; BLOCK];
    let (_, padding) = block.split_at_mut(HASH);
    if let Some((end, zeros)) = padding.split_first_mut()
        && let Some(length) = zeros.last_chunk_mut()
    {
        *end = END;
        *length = (8 * (BLOCK + HASH) as u64).to_be_bytes();
    }
    block
};

/// A key, as the states that both hashes of HMAC have behind its block ([RFC 2104 §4]).
///
/// [RFC 2104 §4]: https://www.rfc-editor.org/rfc/rfc2104#section-4
#[derive(Clone, Copy, Debug)]
pub(super) struct MacKey {
    inner: State,
    outer: State,
}

/// What is hashed behind the block of a key, padded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message([u8; BLOCK]);

impl MacKey {
    /// A key of at most 64 bytes: a longer one would have to be hashed first.
    pub(super) fn new(key: &[u8]) -> Self {
        let (mut inner_block, mut outer_block) = ([0x36; BLOCK], [0x5c; BLOCK]);
        for ((inner, outer), byte) in inner_block.iter_mut().zip(&mut outer_block).zip(key) {
            *inner ^= byte;
            *outer ^= byte;
        }
        let (mut inner, mut outer) = (INITIAL_STATE, INITIAL_STATE);
        compress256(&mut inner, &[inner_block]);
        compress256(&mut outer, &[outer_block]);
        Self { inner, outer }
    }

    /// The MAC of each of the messages.
    #[inline]
    pub(super) fn macs<const N: usize>(&self, messages: [&Message; N]) -> [[u8; HASH]; N] {
        let mut inner = [self.inner; N];
        for (state, message) in inner.iter_mut().zip(messages) {
            compress256(state, slice::from_ref(&message.0));
        }
        let messages = inner.map(Message::of_hash);
        let mut outer = [self.outer; N];
        for (state, message) in outer.iter_mut().zip(&messages) {
            compress256(state, slice::from_ref(&message.0));
        }
        outer.map(bytes)
    }
}

impl Message {
    /// The inner hash, which the outer one is computed of.
    #[inline]
    fn of_hash(hash: State) -> Self {
        let mut block = PADS_HASH;
        if let Some(text) = block.first_chunk_mut() {
            *text = bytes(hash);
        }
        Self(block)
    }

    /// A message in parts of at most 55 bytes together, which is what fits.
    pub(super) fn new(parts: &[&[u8]]) -> Self {
        let mut block = [0; BLOCK];
        let mut len = 0;
        let all = parts.iter().copied().flatten();
        for (place, byte) in block.iter_mut().take(BLOCK - LENGTH - 1).zip(all) {
            *place = *byte;
            len += 1;
        }
        if let Some(place) = block.get_mut(len) {
            *place = END;
        }
        if let Some(length) = block.last_chunk_mut() {
            *length = (8 * (BLOCK + len) as u64).to_be_bytes();
        }
        Self(block)
    }
}

#[inline]
fn bytes(state: State) -> [u8; HASH] {
    let mut bytes = [0; HASH];
    for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(state) {
        *place = word.to_be_bytes();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::testing::hex;
    use super::*;

    /// Test cases 1, 2 and 4 of [RFC 4231 §4](https://www.rfc-editor.org/rfc/rfc4231#section-4).
    #[test]
    fn macs_are_those_of_rfc_4231() {
        let cases: [(&[u8], &[u8], &str); 3] = [
            (
                &[0x0b; 20],
                b"Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            ),
            (
                b"Jefe",
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                b"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19",
                &[0xcd; 50],
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
            ),
        ];
        for (key, message, mac) in cases {
            let (start, end) = message.split_at(message.len() / 2);
            let [one, other] =
                MacKey::new(key).macs([&Message::new(&[message]), &Message::new(&[start, end])]);
            assert_eq!(one.to_vec(), hex(mac));
            assert_eq!(other.to_vec(), hex(mac));
        }
    }

    #[test]
    fn a_message_of_55_bytes_is_hashed_whole() {
        let key = MacKey::new(b"key");
        let [whole, shorter] = key.macs([&Message::new(&[&[7; 55]]), &Message::new(&[&[7; 54]])]);
        assert_eq!(whole.to_vec(), hex("dd1dea39345606e0eef881ca4fb96b7c6f1df66a429e1b20e831962e4ff5b123"));
        assert_ne!(whole, shorter);
    }
}
