//! Which signature fits a packet best.
//!
//! The rules are those of p0f 3.09b with these changes: the IP version of a signature counts; on IPv6 a signature of
//! both versions may neither ask for nor forbid what only IPv4 headers show, and a flow label only lowers the
//! quality; of several signatures that fit inexactly the nearest one wins, not the first, and a tool is never one of
//! them; a TTL of another class is held against a specific signature with telling options and excludes others; the
//! window scale may differ, but not with the class of the TTL; an MSS that the path lowered and a timestamps option that
//! the path overwrote are recognised.

use huginn_net_tcp::{OptionLayout, TcpObservation};

use super::candidate::{Answer, Candidate, Top};
use super::cost::MatchCost;
use super::fill::Direction;
use super::index::{Candidates, TcpIndex};
use super::judge::Packet;
use super::stripped::{may_be_stripped, restored_layouts};
use crate::{Database, TcpRecord};

/// The signature that fits an observation, and how well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TcpMatch<'a> {
    /// The signature, its label and where it is written.
    pub record: &'a TcpRecord,
    /// How far to trust the label.
    pub quality: Quality,
    /// Hops between the sender and the point of capture; an upper bound when `distance_at_most` is set.
    pub distance: u8,
    /// The stack starts from random TTLs, so that the packet may have come a shorter way.
    pub distance_at_most: bool,
    /// How much the packet differs from the signature.
    pub cost: MatchCost,
    /// The packet fits only when a run of NOPs is read as timestamps option that a middlebox has overwritten.
    pub timestamps_stripped: bool,
    /// The TTL is not one that this stack starts from, while the rest fits: a proxy, a tethering phone or the end of a
    /// VPN has set it anew, or somebody has configured the host. The distance is then that to whoever did it.
    pub ttl_rewritten: bool,
    /// The MSS the sender's window was computed with, in bytes, when a middlebox has lowered the option since.
    pub mss_origin: Option<u16>,
    /// The MTU of the sender's link that `mss_origin` means, in bytes: 1500, 1492, 9000 or 9001. `None` also when that
    /// MSS is one of the other IP version, whose packets a translator may have turned into these.
    pub mtu_origin: Option<u32>,
}

/// How well a signature fits. There are no other ways: records know these three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quality {
    /// A specific signature, without deviation.
    Exact,
    /// A generic signature, without deviation.
    Generic,
    /// A signature of either kind, with deviations that occur on the way of a packet or between hosts of one kind.
    Fuzzy,
}

impl Quality {
    /// `exact`, `generic` or `fuzzy`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Generic => "generic",
            Self::Fuzzy => "fuzzy",
        }
    }
}

impl Database {
    /// The signature that fits a SYN best.
    ///
    /// The first look-up of a layout of options arranges its signatures, unless they are [prepared](Self::prepare); later
    /// ones allocate nothing. That goes for all four of these.
    pub fn match_syn(&self, seen: &TcpObservation) -> Option<TcpMatch<'_>> {
        self.tcp.syn.index().best(&self.tcp.syn, seen, Direction::Syn)?.resolve(&self.tcp.syn)
    }

    /// The signature that fits a SYN+ACK best.
    ///
    /// What the client offered, [`TcpObservation::syn_offer`], decides which layout of a family a server of it would
    /// have answered with. Where it is not known, each of them will do.
    pub fn match_syn_ack(&self, seen: &TcpObservation) -> Option<TcpMatch<'_>> {
        self.tcp.syn_ack.index().best(&self.tcp.syn_ack, seen, Direction::SynAck)?.resolve(&self.tcp.syn_ack)
    }

    /// Up to three signatures that fit a SYN, best first, each with another label.
    pub fn match_syn_top(&self, seen: &TcpObservation) -> impl Iterator<Item = TcpMatch<'_>> {
        self.tcp.syn.index().top(&self.tcp.syn, seen, Direction::Syn)
    }

    /// Up to three signatures that fit a SYN+ACK, best first, each with another label.
    pub fn match_syn_ack_top(&self, seen: &TcpObservation) -> impl Iterator<Item = TcpMatch<'_>> {
        self.tcp.syn_ack.index().top(&self.tcp.syn_ack, seen, Direction::SynAck)
    }
}

impl TcpIndex {
    /// The one of `records` that fits best, which are those the index was built from.
    pub(super) fn best(
        &self,
        records: &[TcpRecord],
        seen: &TcpObservation,
        direction: Direction,
    ) -> Option<Answer> {
        let packet = Packet::new(seen, direction, false);
        let candidates = self.candidates(records, seen, &seen.layout);
        if let Some(entry) = candidates.and_then(|candidates| packet.exact_among(candidates)) {
            let exact = Candidate::exact(entry);
            let nearer = if entry.specific { None } else { packet.clamped_among(candidates) };
            return Some(nearer.unwrap_or(exact).answer(seen));
        }
        Some(self.nearest(records, seen, packet, candidates, direction)?.answer(seen))
    }

    /// The specific ones of `records` that fit exactly, in any order and perhaps more than once.
    pub(crate) fn specific_matches<'a>(
        &'a self,
        records: &'a [TcpRecord],
        seen: &TcpObservation,
        direction: Direction,
    ) -> impl Iterator<Item = &'a TcpRecord> + use<'a> {
        let packet = Packet::new(seen, direction, false);
        let candidates = self.candidates(records, seen, &seen.layout).into_iter();
        let equal = candidates.flat_map(move |candidates| candidates.all_equal(packet.word, packet.window));
        let fitting = equal.filter(move |entry| entry.specific && packet.fits_beside_its_word(entry));
        fitting.filter_map(|entry| records.get(entry.record))
    }

    /// The best of those that fit inexactly; `candidates` are those of the layout as it was seen.
    #[cold]
    #[inline(never)]
    fn nearest<'a>(
        &'a self,
        records: &[TcpRecord],
        seen: &TcpObservation,
        packet: Packet,
        candidates: Option<Candidates<'a>>,
        direction: Direction,
    ) -> Option<Candidate<'a>> {
        let best = |packet: Packet, candidates: Candidates<'a>| {
            let origins = packet.window.possible_origins();
            candidates
                .all(packet.word, packet.window)
                .filter_map(|entry| packet.judge(entry, &origins))
                .min_by_key(Candidate::rank)
        };
        candidates.and_then(|candidates| best(packet, candidates)).or_else(|| {
            if !may_be_stripped(&seen.layout) {
                return None;
            }
            let packet = Packet::new(seen, direction, true);
            restored_layouts(&seen.layout)
                .filter_map(|layout| best(packet, self.candidates(records, seen, &layout)?))
                .min_by_key(Candidate::rank)
        })
    }

    pub(super) fn top<'a>(
        &self,
        records: &'a [TcpRecord],
        seen: &TcpObservation,
        direction: Direction,
    ) -> impl Iterator<Item = TcpMatch<'a>> + use<'a> {
        let mut top = Top::default();
        let mut offer = |layout: &OptionLayout, packet: Packet| {
            let origins = packet.window.possible_origins();
            let candidates = self.candidates(records, seen, layout);
            for entry in
                candidates.into_iter().flat_map(|candidates| candidates.all(packet.word, packet.window))
            {
                top.offer(packet.judge(entry, &origins), records);
            }
            top.is_empty()
        };
        if offer(&seen.layout, Packet::new(seen, direction, false)) && may_be_stripped(&seen.layout) {
            for layout in restored_layouts(&seen.layout) {
                offer(&layout, Packet::new(seen, direction, true));
            }
        }
        let resolved = top.candidates.map(|candidate| candidate?.answer(seen).resolve(records));
        resolved.into_iter().flatten()
    }
}
