//! A hash that a sender cannot aim at.

use core::hash::{BuildHasher, Hash, Hasher};
use std::hash::RandomState;

use foldhash::SharedSeed;
use foldhash::quality::FoldHasher;

use super::{Direction, FlowTag};

/// How a table hashes its keys.
pub trait HashKeys<K> {
    /// The hash of a key; all bits are as good as each other.
    fn hash(&self, key: &K) -> u64;
}

/// Takes keys that are as good as a hash under a random key for the hash they are.
#[derive(Clone, Copy, Debug)]
pub struct TagHash;

impl HashKeys<FlowTag> for TagHash {
    #[inline]
    fn hash(&self, tag: &FlowTag) -> u64 {
        tag.bits()
    }
}

/// Of both directions of a flow: which have neighbouring hashes.
impl HashKeys<(FlowTag, Direction)> for TagHash {
    #[inline]
    fn hash(&self, (tag, direction): &(FlowTag, Direction)) -> u64 {
        tag.bits() ^ *direction as u64
    }
}

/// A fast hash under a random key, so that nobody can choose values that collide. No result may depend on it.
///
/// The key comes from the operating system by way of the standard library; foldhash's own seeds are made of
/// addresses and the clock, which a sender may come to know.
#[derive(Clone, Debug)]
pub struct KeyedHash {
    seed: u64,
    shared: SharedSeed,
}

impl KeyedHash {
    /// A hash under a key of its own.
    #[must_use]
    pub fn random() -> Self {
        let random = RandomState::new();
        Self { seed: random.hash_one(0), shared: SharedSeed::from_u64(random.hash_one(1)) }
    }

    /// The hash of a value; all bits are as good as each other.
    #[inline]
    pub fn hash(&self, value: &impl Hash) -> u64 {
        let mut hasher = FoldHasher::with_seed(self.seed, &self.shared);
        value.hash(&mut hasher);
        hasher.finish()
    }
}

impl<K: Hash> HashKeys<K> for KeyedHash {
    #[inline]
    fn hash(&self, key: &K) -> u64 {
        Self::hash(self, key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_hash_alike_under_one_key_and_differently_under_another() {
        let (key, other) = (KeyedHash::random(), KeyedHash::random());
        assert_eq!(key.hash(&"a flow"), key.hash(&"a flow"));
        assert_ne!(key.hash(&"a flow"), other.hash(&"a flow"));
    }
}
