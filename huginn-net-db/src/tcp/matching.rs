//! Which signature fits a packet best.
//!
//! The rules are those of p0f 3.09b with these changes: the IP version of a signature counts; on IPv6 a signature of
//! both versions may neither ask for nor forbid what only IPv4 headers show, and a flow label only lowers the
//! quality; of several signatures that fit inexactly the nearest one wins, not the first, and a tool is never one of
//! them; a TTL of another class is held against a specific signature with telling options and excludes others; the
//! window scale may differ, but not with the class of the TTL; an MSS that the path lowered and a timestamps option that the path overwrote are recognised.

use core::fmt;

use huginn_net_tcp::{OptionKind, OptionLayout, Quirks, TcpObservation, TtlGuess};

use super::family::Offer;
use super::fill::{Direction, Origin, PossibleOrigins, SegmentedWindow};
use super::index::{Candidates, Entry, TcpIndex, Word};
use crate::{Database, TcpRecord, WindowPattern};

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

/// How well a signature fits.
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

/// Distance between a packet and a signature, the sum of what each deviation costs; displays as a decimal number.
///
/// It orders signatures and is no probability. An exact or generic match costs nothing. So does a fuzzy one whose
/// only deviation is the IPv6 flow label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchCost {
    quarters: u8,
}

impl MatchCost {
    const FREE: Self = Self::quarters(0);
    const DF_MISSING: Self = Self::quarters(4);
    const ID_NONZERO_MISSING: Self = Self::quarters(2);
    const ID_ZERO_ADDED: Self = Self::quarters(2);
    const ECN_ADDED: Self = Self::quarters(1);
    const OTHER_TTL_CLASS: Self = Self::quarters(12);
    const FAR_AWAY: Self = Self::quarters(4);
    pub(crate) const CLAMPED_MSS: Self = Self::quarters(2);
    const OTHER_SCALE: Self = Self::quarters(4);
    const OFFER_DECLINED: Self = Self::quarters(4);
    const TIMESTAMPS_STRIPPED: Self = Self::quarters(4);
    /// Beyond this there is no match.
    const LIMIT: Self = Self::quarters(16);

    const fn quarters(quarters: u8) -> Self {
        Self { quarters }
    }

    /// The cost in quarters, the unit in which it is counted.
    #[must_use]
    pub const fn in_quarters(self) -> u8 {
        self.quarters
    }

    const fn plus(self, other: Self) -> Self {
        Self::quarters(self.quarters.saturating_add(other.quarters))
    }

    const fn plus_if(self, condition: bool, other: Self) -> Self {
        if condition { self.plus(other) } else { self }
    }
}

impl fmt::Display for MatchCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f32::from(self.quarters) / 4.0)
    }
}

impl Database {
    /// The signature that fits a SYN best.
    pub fn match_syn(&self, seen: &TcpObservation) -> Option<TcpMatch<'_>> {
        self.tcp.syn_index.best(seen, Direction::Syn)?.resolve(&self.tcp.syn)
    }

    /// The signature that fits a SYN+ACK best.
    ///
    /// What the client offered, [`TcpObservation::syn_offer`], decides which layout of a family a server of it would
    /// have answered with. Where it is not known, each of them will do.
    pub fn match_syn_ack(&self, seen: &TcpObservation) -> Option<TcpMatch<'_>> {
        self.tcp.syn_ack_index.best(seen, Direction::SynAck)?.resolve(&self.tcp.syn_ack)
    }

    /// Up to three signatures that fit a SYN, best first, each with another label.
    pub fn match_syn_top(&self, seen: &TcpObservation) -> impl Iterator<Item = TcpMatch<'_>> {
        self.tcp.syn_index.top(&self.tcp.syn, seen, Direction::Syn)
    }

    /// Up to three signatures that fit a SYN+ACK, best first, each with another label.
    pub fn match_syn_ack_top(&self, seen: &TcpObservation) -> impl Iterator<Item = TcpMatch<'_>> {
        self.tcp.syn_ack_index.top(&self.tcp.syn_ack, seen, Direction::SynAck)
    }
}

impl TcpIndex {
    /// The record that fits best, among those the index was built from.
    pub(super) fn best(&self, seen: &TcpObservation, direction: Direction) -> Option<Answer> {
        let packet = Packet::new(seen, direction, false);
        let candidates = self.candidates(seen, &seen.layout);
        if let Some(entry) = candidates.and_then(|candidates| packet.exact_among(candidates)) {
            let exact = Candidate::exact(entry);
            let nearer = if entry.specific { None } else { packet.clamped_among(candidates) };
            return Some(nearer.unwrap_or(exact).answer(seen));
        }
        Some(self.nearest(seen, packet, candidates, direction)?.answer(seen))
    }

    /// The specific ones of `records` that fit exactly, in any order and perhaps more than once.
    pub(crate) fn specific_matches<'a>(
        &'a self,
        records: &'a [TcpRecord],
        seen: &TcpObservation,
        direction: Direction,
    ) -> impl Iterator<Item = &'a TcpRecord> + use<'a> {
        let packet = Packet::new(seen, direction, false);
        let candidates = self.candidates(seen, &seen.layout).into_iter();
        let equal = candidates.flat_map(move |candidates| candidates.all_equal(packet.word, packet.window));
        let fitting = equal.filter(move |entry| entry.specific && packet.fits_beside_its_word(entry));
        fitting.filter_map(|entry| records.get(entry.record))
    }

    /// The best of those that fit inexactly; `candidates` are those of the layout as it was seen.
    #[cold]
    #[inline(never)]
    fn nearest<'a>(
        &'a self,
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
                .filter_map(|layout| best(packet, self.candidates(seen, &layout)?))
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
            let candidates = self.candidates(seen, layout);
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

/// An observation, prepared for comparison with entries of the index.
#[derive(Clone, Copy, Debug)]
struct Packet {
    word: Word,
    ttl: u8,
    window: SegmentedWindow,
    /// What was offered to the sender of a SYN+ACK.
    offer: Offer,
    timestamps_stripped: bool,
}

impl Packet {
    /// With `timestamps_stripped` it is compared as what it was before a middlebox took the timestamps away.
    #[inline]
    fn new(seen: &TcpObservation, direction: Direction, timestamps_stripped: bool) -> Self {
        let timestamps = seen.timestamps.is_some() || timestamps_stripped;
        Self {
            word: Word::of_observation(seen),
            ttl: seen.ttl,
            window: SegmentedWindow::new(seen, direction, timestamps),
            offer: Offer::of(seen.syn_offer),
            timestamps_stripped,
        }
    }

    /// The first entry that allows all of the packet.
    #[inline]
    fn exact_among<'a>(&self, candidates: Candidates<'a>) -> Option<&'a Entry> {
        candidates.first_equal(self.word, &self.window, |entry| self.fits_beside_its_word(entry))
    }

    #[inline]
    fn fits_beside_its_word(&self, entry: &Entry) -> bool {
        (entry.lowest_ttl..=entry.highest_ttl).contains(&self.ttl)
            && self.window.follows(entry.window)
            && !self.offer.is_exceeded(entry.offer)
            && !self.offer.is_declined(entry.offer)
    }

    /// A server answers nothing that was not offered. What it leaves unanswered may have been turned off, or taken out
    /// of the SYN on the way.
    fn offer_cost(&self, entry: &Entry) -> Option<MatchCost> {
        let cost = MatchCost::FREE.plus_if(self.offer.is_declined(entry.offer), MatchCost::OFFER_DECLINED);
        (!self.offer.is_exceeded(entry.offer)).then_some(cost)
    }

    /// The best entry of [`Tier::SpecificClamped`].
    #[cold]
    #[inline(never)]
    fn clamped_among<'a>(&self, candidates: Option<Candidates<'a>>) -> Option<Candidate<'a>> {
        let origins = self.window.possible_origins();
        if origins.is_empty() {
            return None;
        }
        candidates?
            .all_equal(self.word, self.window)
            .filter_map(|entry| self.judge(entry, &origins))
            .filter(|candidate| candidate.tier == Tier::SpecificClamped)
            .min_by_key(Candidate::rank)
    }

    /// The entry as a candidate, unless the packet deviates from it in ways that its stack does not explain.
    fn judge<'a>(&self, entry: &'a Entry, origins: &PossibleOrigins) -> Option<Candidate<'a>> {
        let difference = entry.difference(self.word);
        if difference.is_none() && !self.timestamps_stripped && self.fits_beside_its_word(entry) {
            return Some(Candidate::exact(entry));
        }
        if entry.tool {
            return None;
        }
        let quirks = self.quirks_cost(entry, difference)?;
        let other_scale = difference.intersects(Word::SCALE);
        // A generic signature has little else to go by when it names a scale.
        if other_scale && !entry.specific {
            return None;
        }
        let ttl = self.ttl_cost(entry, other_scale)?;
        let offer = self.offer_cost(entry)?;
        let origin = match entry.window {
            pattern if self.window.follows(pattern) => None,
            pattern => Some(self.window.clamped_from(pattern, origins)?),
        };
        let cost = quirks
            .plus(ttl)
            .plus(offer)
            .plus_if(other_scale, MatchCost::OTHER_SCALE)
            .plus_if(origin.is_some(), MatchCost::CLAMPED_MSS)
            .plus_if(self.timestamps_stripped, MatchCost::TIMESTAMPS_STRIPPED);
        if cost > MatchCost::LIMIT {
            return None;
        }
        let only_clamped = cost == MatchCost::CLAMPED_MSS && origin.is_some() && difference.is_none();
        let only_rewritten = ttl == MatchCost::OTHER_TTL_CLASS && cost == ttl && difference.is_none();
        let tier = if only_clamped && entry.specific && matches!(entry.window, WindowPattern::Fill(_)) {
            Tier::SpecificClamped
        } else if only_rewritten {
            Tier::SpecificRewritten
        } else {
            Tier::Fuzzy
        };
        Some(Candidate {
            entry,
            origin,
            tier,
            cost,
            ttl_rewritten: ttl == MatchCost::OTHER_TTL_CLASS,
            timestamps_stripped: self.timestamps_stripped,
        })
    }

    /// The path may clear DF and what hangs on it, and set ECN bits; anything else tells another stack.
    fn quirks_cost(&self, entry: &Entry, difference: Word) -> Option<MatchCost> {
        const DF: Word = Word::of_quirks(Quirks::DF);
        const ID_NONZERO: Word = Word::of_quirks(Quirks::ID_NONZERO);
        const ID_ZERO: Word = Word::of_quirks(Quirks::ID_ZERO);
        const ECN: Word = Word::of_quirks(Quirks::ECN);
        const FLOW: Word = Word::of_quirks(Quirks::FLOW);

        // A number as window is judged with the other windows.
        let mut difference = difference.without(Word::WINDOW.or(Word::SCALE));
        if entry.any_version {
            difference = difference.without(FLOW);
        }
        let missing = difference.and(entry.word);
        let added = difference.and(self.word);
        let hard = missing.without(DF.or(ID_NONZERO)).or(added.without(ID_ZERO.or(ECN)));
        hard.is_none().then(|| {
            MatchCost::FREE
                .plus_if(missing.intersects(DF), MatchCost::DF_MISSING)
                .plus_if(missing.intersects(ID_NONZERO), MatchCost::ID_NONZERO_MISSING)
                .plus_if(added.intersects(ID_ZERO), MatchCost::ID_ZERO_ADDED)
                .plus_if(added.intersects(ECN), MatchCost::ECN_ADDED)
        })
    }

    /// A TTL is of another class when a different initial value explains it better than that of the signature. A
    /// generic signature says too little to stand against that, and so does one whose options many stacks send in
    /// this order, or whose window scale is another one too.
    fn ttl_cost(&self, entry: &Entry, other_scale: bool) -> Option<MatchCost> {
        const FARTHEST: u8 = 64;

        if (entry.lowest_ttl..=entry.highest_ttl).contains(&self.ttl) {
            return Some(MatchCost::FREE);
        }
        let guess = TtlGuess::of(self.ttl).initial();
        let same_class = guess == TtlGuess::of(entry.highest_ttl).initial();
        match entry.highest_ttl.checked_sub(self.ttl) {
            Some(distance) if same_class && distance <= FARTHEST => Some(MatchCost::FAR_AWAY),
            None if entry.random_ttl => None,
            _ => {
                (entry.specific && entry.telling_layout && !other_scale).then_some(MatchCost::OTHER_TTL_CLASS)
            }
        }
    }
}

/// What a match is worth before its cost is looked at; the better one is the lesser one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tier {
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
struct Candidate<'a> {
    entry: &'a Entry,
    origin: Option<Origin>,
    tier: Tier,
    cost: MatchCost,
    ttl_rewritten: bool,
    timestamps_stripped: bool,
}

impl<'a> Candidate<'a> {
    fn exact(entry: &'a Entry) -> Self {
        let tier = if entry.specific { Tier::Specific } else { Tier::Generic };
        let (cost, origin) = (MatchCost::FREE, None);
        Self { entry, origin, tier, cost, ttl_rewritten: false, timestamps_stripped: false }
    }

    /// The best one has the least: tier, cost, specific before generic, file order.
    fn rank(&self) -> (u32, usize) {
        let generic = u8::from(!self.entry.specific);
        (u32::from_be_bytes([0, self.tier as u8, self.cost.quarters, generic]), self.entry.record)
    }

    fn answer(&self, seen: &TcpObservation) -> Answer {
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
struct Top<'a> {
    candidates: [Option<Candidate<'a>>; 3],
}

impl<'a> Top<'a> {
    fn is_empty(&self) -> bool {
        self.candidates.iter().all(Option::is_none)
    }

    fn offer(&mut self, candidate: Option<Candidate<'a>>, records: &[TcpRecord]) {
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

/// Kinds of a Linux SYN that lost its timestamps and was padded anew.
const REPADDED_LINUX: [u8; 6] = [2, 4, 1, 1, 1, 3];

/// Whether [`restored_layouts`] can give anything; most layouts it cannot help.
fn may_be_stripped(layout: &OptionLayout) -> bool {
    layout.kinds().len() >= REPADDED_LINUX.len() && !layout.kinds().contains(&OptionKind::TIMESTAMPS.0)
}

/// What the layout may have been before a middlebox took a timestamps option away.
///
/// Some devices overwrite the ten bytes with NOPs; as the option is aligned with NOPs, a run of up to thirteen can
/// hide it, at any place. Others write the remaining options anew with the least padding, which on a Linux SYN gives
/// one NOP more before the window scale than Linux itself sends.
fn restored_layouts(layout: &OptionLayout) -> impl Iterator<Item = OptionLayout> + use<> {
    const OVERWRITTEN: usize = 10;
    const MOST_ALIGNMENT: usize = 3;

    let layout = *layout;
    let run = nop_run(layout.kinds(), OVERWRITTEN);
    let alignment =
        run.and_then(|(_, len)| len.checked_sub(OVERWRITTEN)).filter(|&len| len <= MOST_ALIGNMENT);
    let overwritten = run.zip(alignment).into_iter().flat_map(move |((start, _), alignment)| {
        (0..=alignment)
            .map(move |before| replace(&layout, start + before, OVERWRITTEN, &[OptionKind::TIMESTAMPS]))
    });
    let repadded = (layout.kinds() == REPADDED_LINUX)
        .then(|| replace(&layout, 2, 3, &[OptionKind::TIMESTAMPS, OptionKind::NOP]));
    overwritten.chain(repadded)
}

/// Start and length of the first run of at least `min_len` NOPs.
fn nop_run(kinds: &[u8], min_len: usize) -> Option<(usize, usize)> {
    let mut start = 0;
    for run in kinds.chunk_by(|a, b| a == b) {
        if run.first() == Some(&OptionKind::NOP.0) && run.len() >= min_len {
            return Some((start, run.len()));
        }
        start += run.len();
    }
    None
}

/// The layout with `len` kinds from `start` replaced.
fn replace(layout: &OptionLayout, start: usize, len: usize, by: &[OptionKind]) -> OptionLayout {
    let mut replaced = OptionLayout::EMPTY;
    let kinds = layout.kinds().iter().map(|&kind| OptionKind(kind));
    let (before, after) = (kinds.clone().take(start), kinds.skip(start + len));
    for kind in before.chain(by.iter().copied()).chain(after) {
        // What is put in is never longer than what was taken out.
        let _ =
            if kind == OptionKind::EOL { replaced.push_eol(layout.padding()) } else { replaced.push(kind) };
    }
    replaced
}
