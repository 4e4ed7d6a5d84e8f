//! Initial TTL and distance.

use core::fmt;

/// Initial values that stacks really use.
const COMMON: [u8; 4] = [32, 64, 128, 255];

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
    pub const fn initial(self) -> u8 {
        self.initial
    }

    /// Hops between the sender and the point of capture.
    pub const fn distance(self) -> u8 {
        self.initial - self.ttl
    }

    /// Every common initial value that the TTL may have started from, with the hops that would take, the likeliest
    /// first: packets do not travel far.
    pub fn candidates(self) -> impl Iterator<Item = (u8, u8)> {
        COMMON.into_iter().filter_map(move |initial| Some((initial, initial.checked_sub(self.ttl)?)))
    }

    /// Whether the distance is one that packets on the Internet really travel.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_every_initial_value_that_is_not_below_the_ttl() {
        let candidates: Vec<_> = TtlGuess::of(57).candidates().collect();
        assert_eq!(candidates, [(64, 7), (128, 71), (255, 198)]);
        assert_eq!(TtlGuess::of(255).candidates().collect::<Vec<_>>(), [(255, 0)]);
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
