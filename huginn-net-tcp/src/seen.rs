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
    #[inline(always)]
    pub(crate) fn of(timestamps: Option<Timestamps>) -> Self {
        timestamps.map_or(Self(0), |Timestamps { own, peer }| Self(u64::from(peer) << 32 | u64::from(own)))
    }

    /// The sender's clock.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    pub(crate) const fn own(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    const fn timestamps(self) -> Timestamps {
        Timestamps { own: self.own(), peer: (self.0 >> 32) as u32 }
    }
}
