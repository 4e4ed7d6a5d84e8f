//! Signatures that a packet may be of, and which of them is the best.

use huginn_net_tcp::{TcpObservation, TtlGuess};

use super::cost::MatchCost;
use super::fill::Origin;
use super::index::Entry;
use super::matching::{Quality, TcpMatch};
use crate::TcpRecord;

/// What a match is worth before its cost is looked at; the better one is the lesser one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tier {
    Specific,
    /// Specific but for the MSS, which the path has lowered. The window still gives away the buffer it was computed
    /// from, which a generic signature, fitting any window, does not.
    SpecificClamped,
    Generic,
    /// Specific but for the TTL. It is easier to set a TTL anew than to imitate a stack, so that this comes before what
    /// is nearer in cost and differs in what the stack itself does.
    SpecificRewritten,
    Fuzzy,
}

/// A signature and what the packet has that deviates from it. Small, for many are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) entry: &'a Entry,
    pub(super) origin: Option<Origin>,
    pub(super) tier: Tier,
    pub(super) cost: MatchCost,
    pub(super) ttl_rewritten: bool,
    pub(super) timestamps_stripped: bool,
}

impl<'a> Candidate<'a> {
    pub(super) fn exact(entry: &'a Entry) -> Self {
        let tier = if entry.specific { Tier::Specific } else { Tier::Generic };
        let (cost, origin) = (MatchCost::FREE, None);
        Self { entry, origin, tier, cost, ttl_rewritten: false, timestamps_stripped: false }
    }

    /// The best one has the least: tier, cost, specific before generic, file order.
    pub(super) fn rank(&self) -> (u32, usize) {
        let generic = u8::from(!self.entry.specific);
        (u32::from_be_bytes([0, self.tier as u8, self.cost.in_quarters(), generic]), self.entry.record)
    }

    pub(super) fn answer(&self, seen: &TcpObservation) -> Answer {
        let quality = match self.tier {
            Tier::Specific => Quality::Exact,
            Tier::Generic => Quality::Generic,
            Tier::SpecificClamped | Tier::SpecificRewritten | Tier::Fuzzy => Quality::Fuzzy,
        };
        let random_ttl = self.entry.random_ttl;
        let from_signature = self.entry.highest_ttl.checked_sub(seen.ttl).filter(|&distance| {
            quality != Quality::Fuzzy || random_ttl || distance <= TtlGuess::MAX_DISTANCE
        });
        Answer {
            record: self.entry.record,
            quality,
            distance: from_signature.unwrap_or_else(|| seen.ttl_guess().distance()),
            distance_at_most: random_ttl,
            cost: self.cost,
            timestamps_stripped: self.timestamps_stripped,
            ttl_rewritten: self.ttl_rewritten,
            origin: self.origin,
        }
    }
}

/// A [`TcpMatch`] that names its record by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) record: usize,
    pub(super) quality: Quality,
    distance: u8,
    distance_at_most: bool,
    cost: MatchCost,
    timestamps_stripped: bool,
    ttl_rewritten: bool,
    origin: Option<Origin>,
}

impl Answer {
    /// `records` are those the index was built from that gave the answer.
    #[inline]
    pub(super) fn resolve(self, records: &[TcpRecord]) -> Option<TcpMatch<'_>> {
        Some(TcpMatch {
            record: records.get(self.record)?,
            quality: self.quality,
            distance: self.distance,
            distance_at_most: self.distance_at_most,
            cost: self.cost,
            timestamps_stripped: self.timestamps_stripped,
            ttl_rewritten: self.ttl_rewritten,
            mss_origin: self.origin.map(|origin| origin.mss),
            mtu_origin: self.origin.and_then(|origin| origin.mtu).map(u32::from),
        })
    }
}

/// The best candidates so far, best first, no two with the same label.
#[derive(Default)]
pub(super) struct Top<'a> {
    pub(super) candidates: [Option<Candidate<'a>>; 3],
}

impl<'a> Top<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.candidates.iter().all(Option::is_none)
    }

    pub(super) fn offer(&mut self, candidate: Option<Candidate<'a>>, records: &[TcpRecord]) {
        let Some(candidate) = candidate else { return };
        let label =
            |candidate: &Candidate<'_>| records.get(candidate.entry.record).map(|record| &record.label);
        let same_label =
            |slot: &Option<Candidate<'_>>| slot.is_some_and(|known| label(&known) == label(&candidate));
        let last = self.candidates.len() - 1;
        let at = self.candidates.iter().position(same_label).unwrap_or(last);
        let Some(slot) = self.candidates.get_mut(at) else { return };
        if slot.is_none_or(|known| candidate.rank() < known.rank()) {
            *slot = Some(candidate);
            self.candidates.sort_unstable_by_key(|slot| (slot.is_none(), slot.map(|known| known.rank())));
        }
    }
}
