//! What it costs a match that the packet deviates from the signature.

use core::fmt;

/// Distance between a packet and a signature, the sum of what each deviation costs; displays as a decimal number.
///
/// It orders signatures and is no probability. An exact or generic match costs nothing. So does a fuzzy one whose
/// only deviation is the IPv6 flow label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchCost {
    quarters: u8,
}

impl MatchCost {
    pub(super) const FREE: Self = Self::quarters(0);
    pub(super) const DF_MISSING: Self = Self::quarters(4);
    pub(super) const ID_NONZERO_MISSING: Self = Self::quarters(2);
    pub(super) const ID_ZERO_ADDED: Self = Self::quarters(2);
    pub(super) const ECN_ADDED: Self = Self::quarters(1);
    pub(super) const OTHER_TTL_CLASS: Self = Self::quarters(12);
    pub(super) const FAR_AWAY: Self = Self::quarters(4);
    pub(crate) const CLAMPED_MSS: Self = Self::quarters(2);
    pub(super) const OTHER_SCALE: Self = Self::quarters(4);
    pub(super) const OFFER_DECLINED: Self = Self::quarters(4);
    pub(super) const TIMESTAMPS_STRIPPED: Self = Self::quarters(4);
    /// Beyond this there is no match.
    pub(super) const LIMIT: Self = Self::quarters(16);

    const fn quarters(quarters: u8) -> Self {
        Self { quarters }
    }

    /// The cost in quarters, the unit in which it is counted.
    #[must_use]
    pub const fn in_quarters(self) -> u8 {
        self.quarters
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self::quarters(self.quarters.saturating_add(other.quarters))
    }

    pub(super) const fn plus_if(self, condition: bool, other: Self) -> Self {
        if condition { self.plus(other) } else { self }
    }
}

impl fmt::Display for MatchCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f32::from(self.quarters) / 4.0)
    }
}
