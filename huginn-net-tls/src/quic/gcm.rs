//! Opening what was sealed with AES-128 in Galois/Counter Mode ([NIST SP 800-38D]).
//!
//! Written for packets of which most are opened once, with a key of their own: what is authenticated lies in memory as it
//! is hashed, and all blocks that the cipher gives are made at once.
//!
//! [NIST SP 800-38D]: https://doi.org/10.6028/NIST.SP.800-38D

use aes::Aes128Enc;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;

/// A key, expanded.
pub(super) struct Gcm {
    cipher: Aes128Enc,
    /// Has hashed nothing.
    hash: GHash,
}

/// Memory to open in, which the next text uses again.
#[derive(Debug)]
pub(super) struct GcmScratch {
    /// What is hashed, in whole blocks.
    hashed: Vec<u8>,
    /// The counters, then what they are encrypted to, then the text.
    stream: Vec<Block>,
}

type Block = [u8; BLOCK];
const BLOCK: usize = 16;
/// Blocks that are hashed together.
const AT_ONCE: usize = 4;

impl Gcm {
    pub(super) fn new(key: &[u8; 16]) -> Self {
        let cipher = Aes128Enc::new(key.into());
        // The hash subkey (§7.1, step 1).
        let mut subkey = ghash::Key::default();
        cipher.encrypt_block(&mut subkey);
        Self { cipher, hash: GHash::new(&subkey) }
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
        let GcmScratch { hashed, stream } = scratch;
        let header_len: usize = header.iter().map(|part| part.len()).sum();
        // Blocks of zeros before anything else leave the hash at zero, and the others are as many as go together.
        let blocks = header_len.div_ceil(BLOCK) + sealed.len().div_ceil(BLOCK) + 1;
        hashed.clear();
        hashed.reserve(blocks.next_multiple_of(AT_ONCE) * BLOCK);
        hashed.resize((blocks.next_multiple_of(AT_ONCE) - blocks) * BLOCK, 0);
        header.iter().for_each(|part| hashed.extend_from_slice(part));
        hashed.resize(hashed.len().next_multiple_of(BLOCK), 0);
        hashed.extend_from_slice(sealed);
        hashed.resize(hashed.len().next_multiple_of(BLOCK), 0);
        hashed.extend(
            [header_len, sealed.len()].map(|len| 8 * len as u64).into_iter().flat_map(u64::to_be_bytes),
        );
        let mut hash = self.hash.clone();
        hash.update(Array::cast_slice_from_core(hashed.as_chunks().0));
        let hash: Block = hash.finalize().into();

        // No text is so long that a counter of 32 bits would come again.
        let counters = 1..=u32::try_from(sealed.len().div_ceil(BLOCK)).ok()?.checked_add(1)?;
        stream.clear();
        stream.extend(counters.map(|counter| counter_block(nonce, counter)));
        self.cipher.encrypt_blocks(Array::cast_slice_from_core_mut(stream));
        let (mask, stream) = stream.split_first_mut()?;
        if u128::from_ne_bytes(hash) ^ u128::from_ne_bytes(*mask) != u128::from_ne_bytes(*tag) {
            return None;
        }
        let text = stream.as_flattened_mut().get_mut(..sealed.len())?;
        for (byte, sealed) in text.iter_mut().zip(sealed) {
            *byte ^= sealed;
        }
        Some(text)
    }
}

impl GcmScratch {
    pub(super) const EMPTY: Self = Self { hashed: Vec::new(), stream: Vec::new() };

    /// Bytes of memory held besides itself.
    pub(super) fn memory(&self) -> usize {
        self.hashed.capacity() + self.stream.capacity() * BLOCK
    }
}

/// A nonce and the number of a block (§7.1, step 2).
fn counter_block(nonce: &[u8; 12], counter: u32) -> Block {
    let mut block = [0; BLOCK];
    let (start, end) = block.split_at_mut(nonce.len());
    start.copy_from_slice(nonce);
    end.copy_from_slice(&counter.to_be_bytes());
    block
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
