//! Which packets carried a hello.

use crate::event::PacketRef;

/// The packets that brought bytes of a hello that no other had brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carriers {
    /// The first of them.
    pub(crate) first: PacketRef,
    /// How many they are.
    pub(crate) packets: u32,
}

impl Carriers {
    /// A packet alone.
    pub(crate) const fn of(packet: PacketRef) -> Self {
        Self { first: packet, packets: 1 }
    }

    /// Adds a packet.
    pub(crate) fn add(carriers: &mut Option<Self>, packet: PacketRef) {
        *carriers = Some(carriers.map_or(Self::of(packet), |known| known.and(Self::of(packet))));
    }

    /// These and others.
    pub(crate) fn and(self, others: Self) -> Self {
        let first = if others.first.frame < self.first.frame { others.first } else { self.first };
        Self { first, packets: self.packets.saturating_add(others.packets) }
    }
}
