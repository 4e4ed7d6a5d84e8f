//! How a packet compares with one signature.

use huginn_net_tcp::{Quirks, TcpObservation, TtlGuess};

use super::candidate::{Candidate, Tier};
use super::cost::MatchCost;
use super::family::Offer;
use super::fill::{Direction, PossibleOrigins, SegmentedWindow};
use super::index::{Candidates, Entry, Word};
use crate::{TcpFactSet, WindowPattern};

const FLOW: Word = Word::of_quirks(Quirks::FLOW);

/// An observation, prepared for comparison with entries of the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) word: Word,
    ttl: u8,
    pub(super) window: SegmentedWindow,
    /// What was offered to the sender of a SYN+ACK.
    offer: Offer,
    timestamps_stripped: bool,
}

impl Packet {
    /// With `timestamps_stripped` it is compared as what it was before a middlebox took the timestamps away.
    #[inline(always)]
    pub(super) fn new(seen: &TcpObservation, direction: Direction, timestamps_stripped: bool) -> Self {
        let timestamps = seen.timestamps.is_some() || timestamps_stripped;
        Self {
            word: Word::of_observation(seen).or(Word::of_facts(TcpFactSet::of(&seen.facts))),
            ttl: seen.ttl,
            window: SegmentedWindow::new(seen, direction, timestamps),
            offer: Offer::of(seen.syn_offer),
            timestamps_stripped,
        }
    }

    /// The first entry that allows all of the packet.
    #[inline]
    pub(super) fn exact_among<'a>(&self, candidates: Candidates<'a>) -> Option<&'a Entry> {
        candidates.first_equal(self.word, &self.window, |entry| self.fits_beside_its_word(entry))
    }

    #[inline]
    pub(super) fn fits_beside_its_word(&self, entry: &Entry) -> bool {
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
    pub(super) fn clamped_among<'a>(&self, candidates: Option<Candidates<'a>>) -> Option<Candidate<'a>> {
        let origins = self.window.possible_origins();
        if origins.is_empty() {
            return None;
        }
        // Those that name another MSS, too: it may be the one from before it was lowered.
        candidates?
            .all(self.word, self.window)
            .filter_map(|entry| self.judge(entry, &origins))
            .filter(|candidate| candidate.tier == Tier::SpecificClamped)
            .min_by_key(Candidate::rank)
    }

    /// The entry as a candidate, unless the packet deviates from it in ways that its stack does not explain.
    pub(super) fn judge<'a>(&self, entry: &'a Entry, origins: &PossibleOrigins) -> Option<Candidate<'a>> {
        let difference = entry.difference(self.word);
        if difference.is_none() && !self.timestamps_stripped && self.fits_beside_its_word(entry) {
            return Some(Candidate::exact(entry));
        }
        // The packets of a tool are taken as they are, but for the flow label, of which a signature for both versions says nothing.
        let has_other_flow = entry.any_version && difference == FLOW && self.fits_beside_its_word(entry);
        if entry.tool && (!has_other_flow || self.timestamps_stripped) {
            return None;
        }
        let lowered = difference.intersects(Word::MSS);
        let difference = difference.without(Word::MSS);
        let quirks = self.quirks_cost(entry, difference)?;
        let other_scale = difference.intersects(Word::SCALE);
        // A generic signature has little else to go by when it names a scale.
        if other_scale && !entry.specific {
            return None;
        }
        let ttl = self.ttl_cost(entry, other_scale)?;
        let offer = self.offer_cost(entry)?;
        let origin = match entry.window {
            pattern if lowered => Some(self.window.lowered_from(entry.word.mss(), pattern, origins)?),
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
        let says_origin = lowered || matches!(entry.window, WindowPattern::Fill(_));
        let tier = if only_clamped && entry.specific && says_origin {
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
