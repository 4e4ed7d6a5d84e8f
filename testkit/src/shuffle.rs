//! Cuts a byte stream into segments as networks and attackers do.

use crate::rng::Rng;

/// A piece of a stream: `bytes` belong at `offset`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Distance of the first byte from the start of the stream.
    pub offset: usize,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// How to cut a stream. Every plan delivers every byte of it at least once and never a wrong one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Longest segment; each is of a random length up to it.
    pub longest: usize,
    /// Segments are put in random order within groups of this many; 1 keeps the order.
    pub reorder_within: usize,
    /// One segment in this many comes twice; 0 for none.
    pub duplicate_one_in: usize,
    /// One segment in this many reaches back into bytes before it; 0 for none.
    pub overlap_one_in: usize,
}

impl Plan {
    /// The whole stream in one segment.
    pub const WHOLE: Self =
        Self { longest: usize::MAX, reorder_within: 1, duplicate_one_in: 0, overlap_one_in: 0 };
    /// Single bytes in order.
    pub const SINGLE_BYTES: Self = Self { longest: 1, ..Self::WHOLE };
    /// Random lengths in order.
    pub const CUT: Self = Self { longest: 100, ..Self::WHOLE };
    /// Random lengths, out of order.
    pub const REORDERED: Self = Self { reorder_within: 8, ..Self::CUT };
    /// Random lengths, out of order, repeated and overlapping.
    pub const CHAOS: Self = Self { duplicate_one_in: 4, overlap_one_in: 3, ..Self::REORDERED };
    /// All of these with their names.
    pub const ALL: &[(&str, Self)] = &[
        ("whole", Self::WHOLE),
        ("single bytes", Self::SINGLE_BYTES),
        ("cut", Self::CUT),
        ("reordered", Self::REORDERED),
        ("chaos", Self::CHAOS),
    ];

    /// Cuts a stream. The same plan, stream and seed give the same segments.
    #[must_use]
    pub fn cut(&self, stream: &[u8], seed: u64) -> Vec<Segment> {
        let mut rng = Rng::new(seed);
        let mut segments = Vec::new();
        let mut at = 0;
        while at < stream.len() {
            let left = stream.len() - at;
            let len = if self.longest == usize::MAX { left } else { 1 + rng.below(self.longest.min(left)) };
            let reach_back = if self.overlap_one_in > 0 && rng.one_in(self.overlap_one_in) {
                rng.below(at.min(self.longest) + 1)
            } else {
                0
            };
            let offset = at - reach_back;
            let segment = Segment { offset, bytes: stream[offset..at + len].to_vec() };
            if self.duplicate_one_in > 0 && rng.one_in(self.duplicate_one_in) {
                segments.push(segment.clone());
            }
            segments.push(segment);
            at += len;
        }
        for group in segments.chunks_mut(self.reorder_within) {
            rng.shuffle(group);
        }
        segments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plan_delivers_every_byte_and_no_wrong_one() {
        let stream = Rng::new(7).bytes(1_000);
        for (name, plan) in Plan::ALL {
            for seed in 0..20 {
                let mut received = vec![None; stream.len()];
                for segment in plan.cut(&stream, seed) {
                    assert!(!segment.bytes.is_empty(), "{name}");
                    for (index, byte) in segment.bytes.iter().enumerate() {
                        received[segment.offset + index] = Some(*byte);
                    }
                }
                assert_eq!(
                    received.into_iter().collect::<Option<Vec<u8>>>().as_ref(),
                    Some(&stream),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn chaos_reorders_repeats_and_overlaps() {
        let segments = Plan::CHAOS.cut(&[0; 5_000], 1);
        assert!(segments.windows(2).any(|pair| pair[0].offset > pair[1].offset));
        assert!(segments.iter().enumerate().any(|(index, segment)| segments[..index].contains(segment)));
        assert!(segments.iter().map(|segment| segment.bytes.len()).sum::<usize>() > 5_000);
    }

    #[test]
    fn one_seed_gives_one_result() {
        assert_eq!(Plan::CHAOS.cut(&[0; 500], 3), Plan::CHAOS.cut(&[0; 500], 3));
        assert_ne!(Plan::CHAOS.cut(&[0; 500], 3), Plan::CHAOS.cut(&[0; 500], 4));
    }

    #[test]
    fn single_bytes_are_single_and_whole_is_one() {
        assert_eq!(Plan::SINGLE_BYTES.cut(b"abc", 0).len(), 3);
        assert_eq!(Plan::WHOLE.cut(b"abc", 0), [Segment { offset: 0, bytes: b"abc".to_vec() }]);
        assert_eq!(Plan::WHOLE.cut(b"", 0), []);
    }
}
