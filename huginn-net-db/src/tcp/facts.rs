//! Facts about a packet that its raw signature does not tell.

use huginn_net_tcp::{IpIdClass, TcpFacts};

/// A set of those facts beside a raw signature that a signature can ask for: marks that scanners leave in IPv4 packets.
///
/// Displays as the comma-separated list of a signature; the empty set displays as nothing.
///
/// ```
/// use huginn_net_db::TcpFactSet;
///
/// assert_eq!(TcpFactSet::from_name("seq_is_destination"), Some(TcpFactSet::SEQ_IS_DESTINATION));
/// assert_eq!(TcpFactSet::IP_ID_ZMAP.to_string(), "ip_id_zmap");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TcpFactSet(u8);

huginn_net_core::flag_set!(TcpFactSet, "fact", Self::NAMES);

impl TcpFactSet {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// The sequence number equals the destination address, as in [`TcpFacts::seq_is_destination`].
    pub const SEQ_IS_DESTINATION: Self = Self(1);
    /// The identification is that of zmap, [`IpIdClass::Zmap`].
    pub const IP_ID_ZMAP: Self = Self(1 << 1);
    /// The identification is computed as masscan does it, [`IpIdClass::Masscan`].
    pub const IP_ID_MASSCAN: Self = Self(1 << 2);
    /// All of them, which no packet has.
    pub const ALL: Self = Self(0b111);

    const NAMES: [(Self, &'static str); 3] = [
        (Self::SEQ_IS_DESTINATION, "seq_is_destination"),
        (Self::IP_ID_ZMAP, "ip_id_zmap"),
        (Self::IP_ID_MASSCAN, "ip_id_masscan"),
    ];

    /// Those that were seen.
    #[inline]
    #[must_use]
    pub fn of(seen: &TcpFacts) -> Self {
        let is_marked = matches!(seen.ip_id, Some(IpIdClass::Zmap | IpIdClass::Masscan));
        // Not one after the other, as hardly any packet has either.
        if seen.seq_is_destination | is_marked { Self::of_marked(seen) } else { Self::NONE }
    }

    #[cold]
    #[inline(never)]
    fn of_marked(seen: &TcpFacts) -> Self {
        let sequence = if seen.seq_is_destination { Self::SEQ_IS_DESTINATION } else { Self::NONE };
        sequence
            | match seen.ip_id {
                Some(IpIdClass::Zmap) => Self::IP_ID_ZMAP,
                Some(IpIdClass::Masscan) => Self::IP_ID_MASSCAN,
                _ => Self::NONE,
            }
    }

    /// Writes them among the facts of a packet that is made of its raw signature.
    pub(crate) fn write_to(self, seen: &mut TcpFacts) {
        seen.seq_is_destination = self.contains(Self::SEQ_IS_DESTINATION);
        let is_of = |class| if class == IpIdClass::Zmap { Self::IP_ID_ZMAP } else { Self::IP_ID_MASSCAN };
        seen.ip_id =
            [IpIdClass::Zmap, IpIdClass::Masscan].into_iter().find(|&class| self.contains(is_of(class)));
    }

    /// Whether a packet can have all of them: it has one identification.
    pub(crate) const fn is_possible(self) -> bool {
        !self.contains(Self(Self::IP_ID_ZMAP.0 | Self::IP_ID_MASSCAN.0))
    }

    #[inline]
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use core::ops::BitOr;

    use super::*;

    #[test]
    fn every_possible_set_is_read_back_from_the_facts_it_is_written_to() {
        let sets = (0..=TcpFactSet::ALL.bits()).map(TcpFactSet);
        let possible: Vec<_> = sets.filter(|set| set.is_possible()).collect();
        assert_eq!(possible.len(), 6);
        for set in possible {
            let mut facts = TcpFacts::default();
            set.write_to(&mut facts);
            assert_eq!(TcpFactSet::of(&facts), set);
            let named = set.names().filter_map(TcpFactSet::from_name);
            assert_eq!(named.fold(TcpFactSet::NONE, BitOr::bitor), set);
        }
        assert_eq!(TcpFactSet::ALL.to_string(), "seq_is_destination,ip_id_zmap,ip_id_masscan");
    }
}
