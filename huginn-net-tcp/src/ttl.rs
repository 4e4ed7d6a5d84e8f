//! Initial TTL and distance.

use core::fmt;

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
