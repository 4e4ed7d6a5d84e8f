//! Numbers that nobody can foretell who does not know a key.

use std::hash::{BuildHasher as _, RandomState};

/// Two words to hash under.
#[derive(Clone, Debug)]
pub(crate) struct Key(u64, u64);

impl Key {
    /// Different keys, which come from the operating system by way of the standard library.
    pub(crate) fn random<const COUNT: usize>() -> [Self; COUNT] {
        let random = RandomState::new();
        core::array::from_fn(|at| Self(random.hash_one((at, 0)), random.hash_one((at, 1))))
    }

    /// Both halves of a 128-bit product: a multiplication leaves the lower bits of a product poorly mixed and the
    /// upper ones well.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    pub(crate) const fn fold(&self, a: u64, b: u64) -> u64 {
        let product = (a ^ self.0) as u128 * (b ^ self.1) as u128;
        product as u64 ^ (product >> 64) as u64
    }
}
