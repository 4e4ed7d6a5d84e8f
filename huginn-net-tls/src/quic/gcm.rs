//! Opening what was sealed with AES-128 in Galois/Counter Mode ([NIST SP 800-38D]).
//!
//! Written for packets of which most are opened once, with a key of their own: what is authenticated lies in memory as it
//! is hashed, and all blocks that the cipher gives are made at once.
//!
//! [NIST SP 800-38D]: https://doi.org/10.6028/NIST.SP.800-38D

use aes::Aes128Enc;
use aes::cipher::common::ParBlocksSizeUser;
use aes::cipher::consts::U16;
use aes::cipher::typenum::Unsigned;
use aes::cipher::{
    Array, BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, KeyInit,
};
use polyval::Polyval;
use polyval::universal_hash::UniversalHash;

/// A key, expanded.
pub(super) struct Gcm {
    cipher: Aes128Enc,
    /// GHASH of blocks in reverse; has hashed nothing.
    hash: Polyval,
}

/// Memory to open in, which the next text uses again.
#[derive(Debug)]
pub(super) struct GcmScratch {
    /// The numbers of blocks, from 1 on, as counters end with them.
    numbers: Vec<Block>,
    /// What is hashed: whole blocks, each in reverse.
    hashed: Vec<Block>,
    /// The counters, then what they are encrypted to, then the text.
    stream: Vec<Block>,
}

/// The work on a text that is done in the cipher, whose code is compiled for whatever instructions the processor has: there
/// bytes are put in reverse, and joined, as many at a time as they allow.
struct Text<'a> {
    /// The nonce, in front of a number of zero.
    nonce: &'a Block,
    sealed: &'a [u8],
    numbers: &'a [Block],
    stream: &'a mut [Block],
    /// Put in reverse where it is.
    header: &'a mut [Block],
    reversed: &'a mut [Block],
}

type Block = [u8; BLOCK];
const BLOCK: usize = 16;
/// Blocks that are hashed together.
const AT_ONCE: usize = 4;

impl Gcm {
    pub(super) fn new(key: &[u8; 16]) -> Self {
        let cipher = Aes128Enc::new(key.into());
        // The hash subkey (§7.1, step 1).
        let mut subkey = Array::from([0; BLOCK]);
        cipher.encrypt_block(&mut subkey);
        Self { cipher, hash: Polyval::new(&polyval_key(subkey.into()).into()) }
    }

    /// The text of `sealed`, which ends with its tag, or `None` if anything is not as it was sealed (§7.2).
    ///
    /// No key that opens packets here is a secret: nothing has to take the same time whatever it is.
    pub(super) fn open<'s>(
        &self,
        nonce: &[u8; 12],
        header: [&[u8]; 3],
        sealed: &[u8],
        scratch: &'s mut GcmScratch,
    ) -> Option<&'s [u8]> {
        let (sealed, tag) = sealed.split_last_chunk::<BLOCK>()?;
        let header_len: usize = header.iter().map(|part| part.len()).sum();
        let (header_blocks, text_blocks) = (header_len.div_ceil(BLOCK), sealed.len().div_ceil(BLOCK));
        let blocks = header_blocks + text_blocks + 1;
        // Blocks of zeros before anything else leave the hash at zero, and the others are as many as go together.
        let all_blocks = blocks.next_multiple_of(AT_ONCE);
        scratch.make_room(text_blocks + 1, all_blocks)?;

        let hashed = scratch.hashed.get_mut(..all_blocks)?;
        let (start, hashed_text) = hashed.split_at_mut_checked(all_blocks - blocks + header_blocks)?;
        let (lengths, hashed_text) = hashed_text.split_last_mut()?;
        start.fill([0; BLOCK]);
        let (_, hashed_header) = start.split_at_mut_checked(all_blocks - blocks)?;
        let mut place = hashed_header.as_flattened_mut();
        for part in header {
            let (here, behind) = place.split_at_mut_checked(part.len())?;
            here.copy_from_slice(part);
            place = behind;
        }
        *lengths = (((8 * header_len as u128) << 64) | (8 * sealed.len() as u128)).to_le_bytes();

        let mut counter = [0; BLOCK];
        counter.iter_mut().zip(nonce).for_each(|(place, byte)| *place = *byte);
        let stream = scratch.stream.get_mut(..=text_blocks)?;
        let numbers = &scratch.numbers;
        self.cipher.encrypt_with_backend(Text {
            nonce: &counter,
            sealed,
            numbers,
            stream,
            header: hashed_header,
            reversed: hashed_text,
        });
        let mut hash = self.hash.clone();
        hash.update(Array::cast_slice_from_core(hashed));
        let hash: Block = hash.finalize().into();

        let (mask, text) = stream.split_first()?;
        if u128::from_le_bytes(hash) ^ u128::from_be_bytes(*mask) != u128::from_be_bytes(*tag) {
            return None;
        }
        text.as_flattened().get(..sealed.len())
    }
}

impl BlockSizeUser for Text<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Text<'_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, cipher: &B) {
        let Self { nonce, sealed, numbers, stream, header, reversed } = self;
        header.iter_mut().for_each(|block| block.reverse());
        let (whole, rest) = sealed.as_chunks();
        reverse::<B>(reversed, whole);
        // The last block is filled up with zeros.
        if let Some(place) = reversed.get_mut(whole.len()) {
            *place = [0; BLOCK];
            place.iter_mut().rev().zip(rest).for_each(|(place, byte)| *place = *byte);
        }

        // A copy, as what is written may not change it: its bytes would be read one at a time.
        let nonce = *nonce;
        for (block, number) in stream.iter_mut().zip(numbers) {
            *block = *number;
            block.iter_mut().zip(nonce).for_each(|(byte, nonce)| *byte |= nonce);
        }
        let (together, rest) = Array::slice_as_chunks_mut(Array::cast_slice_from_core_mut(stream));
        together.iter_mut().for_each(|blocks| cipher.encrypt_par_blocks(blocks.into()));
        rest.iter_mut().for_each(|block| cipher.encrypt_block(block.into()));

        let Some((_, text)) = stream.split_first_mut() else { return };
        text.as_flattened_mut().iter_mut().zip(sealed).for_each(|(byte, sealed)| *byte ^= sealed);
    }
}

/// Puts blocks in reverse. A cipher that takes few of them at once is compiled for processors without an instruction for
/// that: these have one for half a block.
#[inline(always)]
fn reverse<B: ParBlocksSizeUser>(reversed: &mut [Block], blocks: &[Block]) {
    const FEW: usize = 8;
    let both = reversed.iter_mut().zip(blocks);
    if B::ParBlocksSize::USIZE > FEW {
        both.for_each(|(place, block)| {
            *place = *block;
            place.reverse();
        });
    } else {
        both.for_each(|(place, block)| *place = u128::from_le_bytes(*block).to_be_bytes());
    }
}

impl GcmScratch {
    pub(super) const EMPTY: Self = Self { numbers: Vec::new(), hashed: Vec::new(), stream: Vec::new() };

    /// Makes room for so many blocks, unless a counter of 32 bits would come again.
    fn make_room(&mut self, stream: usize, hashed: usize) -> Option<()> {
        let last = u32::try_from(stream).ok()?;
        if self.stream.len() < stream {
            self.stream.resize(stream, [0; BLOCK]);
            let next = u32::try_from(self.numbers.len()).ok()?.checked_add(1)?;
            self.numbers.extend((next..=last).map(|number| u128::from(number).to_be_bytes()));
        }
        if self.hashed.len() < hashed {
            self.hashed.resize(hashed, [0; BLOCK]);
        }
        Some(())
    }

    /// Bytes of memory held besides itself.
    pub(super) fn memory(&self) -> usize {
        (self.numbers.capacity() + self.hashed.capacity() + self.stream.capacity()) * BLOCK
    }
}

/// The key of POLYVAL that makes it GHASH of blocks in reverse, itself in reverse
/// ([RFC 8452 appendix A](https://www.rfc-editor.org/rfc/rfc8452#appendix-A)).
fn polyval_key(subkey: Block) -> Block {
    // x^128 is x^127 + x^126 + x^121 + 1.
    const REDUCED: u128 = (1 << 127) | (1 << 126) | (1 << 121) | 1;
    let key = u128::from_be_bytes(subkey);
    let carry = if key >> 127 == 1 { REDUCED } else { 0 };
    ((key << 1) ^ carry).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use aes_gcm::Aes128Gcm;
    use aes_gcm::aead::AeadInOut;
    use testkit::rng::Rng;

    use super::super::testing::hex;
    use super::*;

    fn open(key: &[u8; 16], nonce: &[u8; 12], header: [&[u8]; 3], sealed: &[u8]) -> Option<Vec<u8>> {
        let mut scratch = GcmScratch::EMPTY;
        Gcm::new(key).open(nonce, header, sealed, &mut scratch).map(<[u8]>::to_vec)
    }

    /// Test cases 1, 2 and 4 of the submission of GCM to NIST.
    #[test]
    fn opens_the_texts_of_the_submission() {
        assert_eq!(
            open(&[0; 16], &[0; 12], [&[]; 3], &hex("58e2fccefa7e3061367f1d57a4e7455a")),
            Some(vec![])
        );
        let sealed = hex("0388dace60b6a392f328c2b971b2fe78 ab6e47d42cec13bdf53a67b21257bddf");
        assert_eq!(open(&[0; 16], &[0; 12], [&[]; 3], &sealed), Some(vec![0; 16]));
        let key = hex("feffe9928665731c6d6a8f9467308308").try_into().unwrap();
        let nonce = hex("cafebabefacedbaddecaf888").try_into().unwrap();
        let header = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
        let sealed = hex("42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e\
                          21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091\
                          5bc94fbc3221a5db94fae95ae7121a47");
        let text = hex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
                        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
        let (start, end) = header.split_at(1);
        assert_eq!(open(&key, &nonce, [start, &[], end], &sealed), Some(text));
    }

    /// Lengths around those of blocks, and of blocks that are taken together.
    #[test]
    fn opens_what_another_implementation_seals_and_nothing_else() {
        let mut rng = Rng::new(6);
        let mut scratch = GcmScratch::EMPTY;
        for len in (0..70).chain([1_023, 1_024, 1_025, 1_162, 1_200, 4_000]) {
            let mut bytes = |len| rng.bytes(len);
            let (key, nonce): ([u8; 16], [u8; 12]) =
                (bytes(16).try_into().unwrap(), bytes(12).try_into().unwrap());
            let (header, text) = (bytes(len % 40), bytes(len));
            let mut sealed = text.clone();
            let tag = Aes128Gcm::new(&key.into())
                .encrypt_inout_detached(&nonce.into(), &header, sealed.as_mut_slice().into())
                .unwrap();
            sealed.extend(tag);
            let gcm = Gcm::new(&key);
            assert_eq!(
                gcm.open(&nonce, [&header, &[], &[]], &sealed, &mut scratch),
                Some(&text[..]),
                "{len}"
            );
            let damaged_at = rng.below(sealed.len());
            sealed[damaged_at] ^= 1 << rng.below(8);
            assert_eq!(gcm.open(&nonce, [&header, &[], &[]], &sealed, &mut scratch), None, "{len}");
        }
        assert_eq!(open(&[0; 16], &[0; 12], [&[]; 3], &[0; 15]), None, "shorter than a tag");
    }
}
