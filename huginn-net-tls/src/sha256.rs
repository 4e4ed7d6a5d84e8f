//! SHA-256 block by block ([FIPS 180-4]), for texts that are written where its blocks are.
//!
//! [FIPS 180-4]: https://doi.org/10.6028/NIST.FIPS.180-4

pub(crate) use sha2::block_api::compress256;

/// Bytes that are taken at once.
pub(crate) const BLOCK: usize = 64;
/// What stands behind the last byte (§5.1.1).
pub(crate) const END: u8 = 0x80;
/// The end of the last block: how many bits there were before [`END`] (§5.1.1).
pub(crate) const LENGTH: usize = size_of::<u64>();
/// The state before the first block (§5.3.3).
pub(crate) const INITIAL_STATE: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
