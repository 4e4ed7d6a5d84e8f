//! Links by their maximum transmission unit.

use crate::contents::Index;
use crate::{Database, MtuRecord};

impl Database {
    /// The links that are known to have an MTU of so many bytes.
    pub fn link_of(&self, mtu: u32) -> Option<&MtuRecord> {
        self.links.get(self.links.index().find(mtu)?)
    }
}

/// Positions of MTU records, by MTU.
#[derive(Clone, Debug, Default)]
pub(crate) struct MtuIndex {
    /// Sorted by MTU, each of them once.
    by_mtu: Vec<(u32, usize)>,
}

impl Index<MtuRecord> for MtuIndex {
    /// Of several records with the same MTU the first one counts, as in p0f 3.09b.
    fn build(records: &[MtuRecord]) -> Self {
        let mut by_mtu: Vec<_> = records.iter().enumerate().map(|(at, record)| (record.mtu, at)).collect();
        by_mtu.sort_unstable();
        by_mtu.dedup_by_key(|&mut (mtu, _)| mtu);
        Self { by_mtu }
    }
}

impl MtuIndex {
    pub(crate) fn find(&self, mtu: u32) -> Option<usize> {
        let at = self.by_mtu.binary_search_by_key(&mtu, |&(mtu, _)| mtu).ok()?;
        self.by_mtu.get(at).map(|&(_, record)| record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(mtu: u32, line: u32) -> MtuRecord {
        MtuRecord { mtu, link: "link".into(), source: "test".into(), line }
    }

    #[test]
    fn the_first_record_of_an_mtu_names_the_link() {
        let index = MtuIndex::build(&[record(1500, 1), record(576, 2), record(1500, 3)]);
        assert_eq!(index.find(1500), Some(0));
        assert_eq!(index.find(576), Some(1));
    }

    #[test]
    fn an_mtu_without_a_record_has_no_link() {
        let index = MtuIndex::build(&[record(1500, 1)]);
        assert_eq!(index.find(1499), None);
        assert_eq!(index.find(65_536 + 1500), None);
        assert_eq!(index.find(65_536), None);
    }

    #[test]
    fn an_mtu_may_be_larger_than_a_packet_of_ipv4() {
        let index = MtuIndex::build(&[record(65_535, 1), record(65_536, 2)]);
        assert_eq!((index.find(65_535), index.find(65_536)), (Some(0), Some(1)));
    }
}
