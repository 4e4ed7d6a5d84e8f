//! Initial TTL and distance.

use core::fmt;

/// Initial values that stacks really use, with how many of 1,000 stacks use each.
///
/// 64 and 128 stand as Linux and Apple (3,573) to Windows (1,154) among the distinct SYN fingerprints of a field sample
/// of November 2025, which were told apart by their options and not by their TTL. 255 (routers and small devices) and
/// 32 (systems of the nineties) are too rare in it to be counted, and are put at 2.5 % and 0.5 %.
const INITIAL_VALUES: [(u8, u32); 4] = [(32, 5), (64, 735), (128, 235), (255, 25)];

/// A guess of what a TTL started from, by the common initial values 32, 64, 128 and 255.
///
/// Displays as p0f writes it: `57+7`, or `200+?` when more than 35 hops would be needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TtlGuess {
    ttl: u8,
    initial: u8,
}

impl TtlGuess {
    /// More hops than this are not believed.
    pub const MAX_DISTANCE: u8 = 35;

    /// The lowest common initial value that is not below `ttl`.
    #[must_use]
    pub const fn of(ttl: u8) -> Self {
        let initial = match ttl {
            0..=32 => 32,
            33..=64 => 64,
            65..=128 => 128,
            129..=255 => 255,
        };
        Self { ttl, initial }
    }

    /// The initial TTL that was guessed.
    #[must_use]
    pub const fn initial(self) -> u8 {
        self.initial
    }

    /// Hops between the sender and the point of capture.
    #[must_use]
    pub const fn distance(self) -> u8 {
        self.initial - self.ttl
    }

    /// Every common initial value that the TTL may have started from, the likeliest first.
    ///
    /// The probabilities are those of the TTL alone: how many stacks start from a value, times how many packets
    /// travel as far as it would take. They rest on estimates that `docs/decisions/0008-ttl-weights.md` states, and
    /// speak of the last host or box that set the TTL anew. The likeliest value need not be the one of
    /// [`TtlGuess::initial`], which p0f's rule gives: 30 is rather 34 hops from 64 than 2 hops from 32.
    #[must_use]
    pub fn candidates(self) -> TtlCandidates {
        let mut candidates = TtlCandidates::default();
        let mut total = 0;
        for (slot, (initial, stacks)) in candidates.slots.iter_mut().zip(INITIAL_VALUES) {
            let Some(distance) = initial.checked_sub(self.ttl) else { continue };
            // At most 735 × 7500 each.
            let weight = stacks * packets_from(distance);
            total += weight;
            *slot = Some(TtlCandidate { initial, distance, probability: f64::from(weight) });
        }
        for candidate in candidates.slots.iter_mut().flatten() {
            // 255 is never below the TTL, and no weight is zero.
            candidate.probability /= f64::from(total);
        }
        candidates.slots.sort_by(|a, b| {
            let probability = |slot: &Option<TtlCandidate>| slot.map_or(0.0, |of| of.probability);
            probability(b).total_cmp(&probability(a))
        });
        candidates
    }

    /// Whether the distance is one that packets on the Internet really travel.
    #[must_use]
    pub const fn is_plausible(self) -> bool {
        self.distance() <= Self::MAX_DISTANCE
    }
}

impl fmt::Display for TtlGuess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_plausible() {
            write!(f, "{}+{}", self.ttl, self.distance())
        } else {
            write!(f, "{}+?", self.ttl)
        }
    }
}

/// An initial value that a TTL may have started from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TtlCandidate {
    /// The initial value: 32, 64, 128 or 255.
    pub initial: u8,
    /// Hops between the sender and the point of capture, if it is the right one.
    pub distance: u8,
    /// How likely it is, above 0 and at most 1; those of all candidates add up to 1.
    pub probability: f64,
}

/// The candidates for the initial value of one TTL, the likeliest first; an iterator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TtlCandidates {
    slots: [Option<TtlCandidate>; INITIAL_VALUES.len()],
}

impl Iterator for TtlCandidates {
    type Item = TtlCandidate;

    fn next(&mut self) -> Option<TtlCandidate> {
        self.slots.iter_mut().find_map(Option::take)
    }
}

/// Of 100,000 packets, about how many have travelled exactly this far where they are captured.
///
/// A capture point is near the hosts it serves and far from their peers. The peers' part follows published
/// measurements of hop counts on the Internet: most between 10 and 25, few beyond 30. What is beyond 35 is hardly ever
/// a distance, but a TTL that was set to another value.
const fn packets_from(distance: u8) -> u32 {
    match distance {
        0..=3 => 7_500,
        4..=9 => 2_500,
        10..=25 => 3_000,
        26..=30 => 1_000,
        31..=TtlGuess::MAX_DISTANCE => 200,
        36..=64 => 7,
        65..=u8::MAX => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(ttl: u8) -> Vec<(u8, u8)> {
        TtlGuess::of(ttl).candidates().map(|of| (of.initial, of.distance)).collect()
    }

    #[test]
    fn lists_every_initial_value_that_is_not_below_the_ttl() {
        assert_eq!(candidates(57), [(64, 7), (128, 71), (255, 198)]);
        assert_eq!(candidates(255), [(255, 0)]);
        assert_eq!(candidates(0).len(), 4);
    }

    #[test]
    fn the_probabilities_of_every_ttl_fall_and_add_up_to_one() {
        for ttl in 0..=u8::MAX {
            let all: Vec<f64> = TtlGuess::of(ttl).candidates().map(|of| of.probability).collect();
            assert!(all.iter().all(|&probability| probability > 0.0 && probability <= 1.0), "{ttl}: {all:?}");
            assert!(all.is_sorted_by(|a, b| a >= b), "{ttl}: {all:?}");
            assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{ttl}: {all:?}");
        }
    }

    #[test]
    fn a_value_that_few_stacks_use_gives_way_to_a_longer_path_only_where_that_is_plausible() {
        let likeliest = |ttl| TtlGuess::of(ttl).candidates().next().expect("255 is never too low");
        assert_eq!((likeliest(30).initial, likeliest(30).distance), (64, 34));
        assert!((0.7..0.9).contains(&likeliest(30).probability), "{:?}", likeliest(30));
        assert_eq!(likeliest(20).initial, 32);
        assert!(likeliest(57).probability > 0.999, "{:?}", likeliest(57));
        // Too far from 128 to be sure of it, too far from 255 to believe that.
        assert_eq!(likeliest(80).initial, 128);
        assert!(likeliest(80).probability < 0.99, "{:?}", likeliest(80));
        assert_eq!(likeliest(200).probability, 1.0);
    }

    #[test]
    fn the_estimates_are_shares_of_a_whole() {
        assert_eq!(INITIAL_VALUES.iter().map(|&(_, stacks)| stacks).sum::<u32>(), 1_000);
        let packets: u32 = (0..=u8::MAX).map(packets_from).sum();
        assert!((99_000..=101_000).contains(&packets), "{packets}");
    }

    #[test]
    fn guesses_the_next_common_initial_value() {
        for (ttl, text) in [
            (0, "0+32"),
            (32, "32+0"),
            (33, "33+31"),
            (64, "64+0"),
            (65, "65+?"),
            (92, "92+?"),
            (93, "93+35"),
            (128, "128+0"),
            (129, "129+?"),
            (219, "219+?"),
            (220, "220+35"),
            (255, "255+0"),
        ] {
            assert_eq!(TtlGuess::of(ttl).to_string(), text);
        }
    }
}
