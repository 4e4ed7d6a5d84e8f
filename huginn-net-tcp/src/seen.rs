//! What an event is made of.

use crate::observation::{PortClass, TcpObservation};
use crate::options::Timestamps;

/// What a SYN or SYN+ACK shows: what is remembered of all that are alike, and what is its own.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'t> {
    pub(crate) alike: &'t TcpObservation,
    pub(crate) ttl: u8,
    pub(crate) ticks: Ticks,
    pub(crate) source_port: PortClass,
    /// Whether it is of a SYN+ACK without its SYN.
    pub(crate) unpaired: bool,
}

impl Seen<'_> {
    /// TTL (IPv4) or hop limit (IPv6) as captured.
    #[inline(always)]
    #[must_use]
    pub const fn ttl(&self) -> u8 {
        self.ttl
    }

    /// All that was observed.
    // Inlined so that it is put together in the event: one that was just completed in small parts, and is then copied in large
    // ones, is waited for as long as it takes to make the event.
    #[inline(always)]
    #[must_use]
    pub fn observation(&self) -> TcpObservation {
        let mut observation = *self.alike;
        observation.ttl = self.ttl;
        observation.timestamps = self.alike.timestamps.map(|_| self.ticks.timestamps());
        observation.facts.source_port = Some(self.source_port);
        observation.facts.unpaired = self.unpaired;
        observation
    }
}

/// The values of a timestamps option in one word, as they go from one function to another in a register; zeros for none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticks(u64);

impl Ticks {
    pub(crate) const NONE: Self = Self(0);

    #[inline(always)]
    pub(crate) fn of(timestamps: Option<Timestamps>) -> Self {
        timestamps.map_or(Self::NONE, |Timestamps { own, peer }| Self(u64::from(own) << 32 | u64::from(peer)))
    }

    /// Those of an option whose values are these bytes.
    #[inline(always)]
    pub(crate) const fn of_words([a, b, c, d]: [u8; 4], [e, f, g, h]: [u8; 4]) -> Self {
        Self(u64::from_be_bytes([a, b, c, d, e, f, g, h]))
    }

    /// The sender's clock.
    #[inline(always)]
    pub(crate) const fn own(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The clock of the other end, as the sender saw it.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    pub(crate) const fn peer(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    const fn timestamps(self) -> Timestamps {
        Timestamps { own: self.own(), peer: self.peer() }
    }
}
