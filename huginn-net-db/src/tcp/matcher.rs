//! Matching with a memory.

use core::fmt;
use std::sync::Arc;

use huginn_net_core::IpVersion;
use huginn_net_tcp::{SynOffer, TcpObservation, WindowMultiple};

use super::candidate::Answer;
use super::fill::Direction;
use super::index::Word;
use crate::{Database, TcpFactSet, TcpMatch};

/// Matches as a [`Database`] does, and remembers the answers: most packets look like one that was seen before.
///
/// The memory has 512 places of about 100 bytes, one for each observation; the one that comes last has it. To find an
/// answer there takes a third of the time of an exact match, and far less of that of a fuzzy one.
///
/// ```
/// use std::sync::Arc;
/// use huginn_net_db::{Database, TcpMatcher};
/// # use huginn_net_core::IpVersion;
/// # let seen = huginn_net_tcp::TcpObservation::new(IpVersion::V4, 64, 1024);
///
/// let database = Database::bundled();
/// let mut matcher = TcpMatcher::new(Arc::clone(database));
/// assert_eq!(matcher.match_syn(&seen), database.match_syn(&seen));
/// assert_eq!(matcher.match_syn(&seen), database.match_syn(&seen), "remembered");
/// ```
pub struct TcpMatcher {
    database: Arc<Database>,
    memory: Box<[Place]>,
}

const PLACES: usize = 512;

#[derive(Clone, Copy)]
struct Place {
    key: Key,
    answer: Option<Answer>,
}

impl TcpMatcher {
    /// A matcher that remembers nothing.
    pub fn new(database: Arc<Database>) -> Self {
        Self { database, memory: vec![Place { key: Key::NONE, answer: None }; PLACES].into() }
    }

    /// Where the answers come from.
    #[must_use]
    pub const fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// As [`Database::match_syn`].
    #[inline]
    pub fn match_syn(&mut self, seen: &TcpObservation) -> Option<TcpMatch<'_>> {
        self.best(seen, Direction::Syn)?.resolve(self.database.tcp_requests())
    }

    /// As [`Database::match_syn_ack`].
    #[inline]
    pub fn match_syn_ack(&mut self, seen: &TcpObservation) -> Option<TcpMatch<'_>> {
        self.best(seen, Direction::SynAck)?.resolve(self.database.tcp_responses())
    }

    #[inline(always)]
    fn best(&mut self, seen: &TcpObservation, direction: Direction) -> Option<Answer> {
        // Asked first, so that what hardly any packet has takes no register from the others.
        let facts = TcpFactSet::of(&seen.facts);
        if !facts.is_empty() {
            return self.best_with(facts, seen, direction);
        }
        self.remembered(Key::of(seen, direction), seen, direction)
    }

    #[cold]
    #[inline(never)]
    fn best_with(
        &mut self,
        facts: TcpFactSet,
        seen: &TcpObservation,
        direction: Direction,
    ) -> Option<Answer> {
        self.remembered(Key::of(seen, direction).with(facts), seen, direction)
    }

    #[inline(always)]
    fn remembered(&mut self, key: Key, seen: &TcpObservation, direction: Direction) -> Option<Answer> {
        let Some(place) = self.memory.get_mut(key.place()) else {
            return search(&self.database, seen, direction);
        };
        if !place.key.is(&key) {
            *place = Place { key, answer: search(&self.database, seen, direction) };
        }
        place.answer
    }
}

#[inline(never)]
fn search(database: &Database, seen: &TcpObservation, direction: Direction) -> Option<Answer> {
    let records = match direction {
        Direction::Syn => &database.tcp.syn,
        Direction::SynAck => &database.tcp.syn_ack,
    };
    records.index().best(records, seen, direction)
}

impl fmt::Debug for TcpMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TcpMatcher").finish_non_exhaustive()
    }
}

/// All of an observation that matching looks at, side by side: observations with equal keys have the same answer.
#[derive(Clone, Copy)]
struct Key([u64; 8]);

impl Key {
    /// That of no observation, as a direction is 1 or 2.
    const NONE: Self = Self([0; 8]);

    /// Of an observation without facts.
    #[inline]
    fn of(seen: &TcpObservation, direction: Direction) -> Self {
        let [a, b, c, d, e, ends] = seen.layout.to_words();
        let direction = match direction {
            Direction::Syn => 1,
            Direction::SynAck => 2,
        };
        let rest = ends // 16 bits
            | u64::from(seen.ttl) << 16
            | u64::from(seen.ip_options_len) << 24
            | u64::from(seen.ip_version == IpVersion::V6) << 32
            | u64::from(seen.timestamps.is_some()) << 33
            | direction << 34
            | multiple(seen.window_multiple) << 36;
        let syn_mss = seen.syn_mss.map_or(0, |mss| 1 << 16 | u64::from(mss));
        let of_syn = syn_mss | seen.syn_offer.map_or(0, offer) << 17;
        Self([a, b, c, d, e, Word::of_observation(seen).bits(), rest, of_syn])
    }

    /// The same of one that has these.
    fn with(self, facts: TcpFactSet) -> Self {
        let Self([a, b, c, d, e, word, rest, of_syn]) = self;
        Self([a, b, c, d, e, word | Word::of_facts(facts).bits(), rest, of_syn])
    }

    /// Equality without a call, as none of the words is where another one has just been written.
    #[inline]
    fn is(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differing, (a, b)| differing | (a ^ b)) == 0
    }

    /// Where it is remembered. Whoever makes packets that share a place makes them as dear as those of a stack that was
    /// not seen before, and no dearer.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "nine bits")]
    fn place(&self) -> usize {
        // What is behind the eighth option tells few stacks apart, and is left out.
        let Self([kinds, _, _, _, _, word, rest, of_syn]) = *self;
        let mixed = kinds
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(word.wrapping_mul(0xbf58_476d_1ce4_e5b9))
            .wrapping_add((rest ^ of_syn.rotate_left(40)).wrapping_mul(0x94d0_49bb_1331_11eb));
        (mixed >> (u64::BITS - PLACES.ilog2())) as usize
    }
}

/// 18 bits.
#[inline]
fn multiple(multiple: Option<WindowMultiple>) -> u64 {
    match multiple {
        None => 0,
        Some(WindowMultiple::Mss(count)) => 1 << 16 | u64::from(count),
        Some(WindowMultiple::Mtu(count)) => 2 << 16 | u64::from(count),
    }
}

/// Never zero.
fn offer(offer: SynOffer) -> u64 {
    let SynOffer { window_scale, sack, timestamps, fast_open, multipath, .. } = offer;
    [window_scale, sack, timestamps, fast_open, multipath]
        .into_iter()
        .fold(1, |bits, set| bits << 1 | u64::from(set))
}

#[cfg(test)]
mod tests {
    use huginn_net_tcp::{IpIdClass, OptionKind, Quirks, Timestamps};
    use testkit::rng::Rng;

    use super::super::parts::tests::near;
    use super::*;

    #[test]
    fn remembers_what_the_database_answers() {
        let database = Database::bundled();
        let mut matcher = TcpMatcher::new(Arc::clone(database));
        let mut random = Rng::new(11);
        let (requests, responses) = (database.tcp_requests(), database.tcp_responses());
        let mut seen: Vec<TcpObservation> = Vec::new();
        for _ in 0..3_000 {
            seen.push(near(&requests[random.below(requests.len())].signature, &mut random));
            seen.push(near(&responses[random.below(responses.len())].signature, &mut random));
            // One that was seen, or nearly.
            let mut again = seen[random.below(seen.len())];
            match random.below(12) {
                0 => again.ttl ^= 1 << random.below(8),
                1 => again.window ^= 1 << random.below(16),
                2 => again.mss = again.mss.map(|mss| mss ^ 1 << random.below(16)),
                3 => again.window_multiple = Some(WindowMultiple::Mtu([4, 7, 44][random.below(3)])),
                4 => again.window_scale = again.window_scale.map(|scale| scale ^ 1),
                5 => again.timestamps = None,
                6 => again.syn_mss = Some([536, 1_400, 1_460][random.below(3)]),
                7 => again.syn_offer = Some(SynOffer::default()),
                8 => again.has_payload ^= true,
                9 => again.facts.seq_is_destination ^= true,
                _ => {}
            }
            assert_eq!(matcher.match_syn(&again), database.match_syn(&again), "{again}");
            assert_eq!(matcher.match_syn_ack(&again), database.match_syn_ack(&again), "{again}");
        }
    }

    #[test]
    fn whatever_matching_looks_at_is_in_the_key() {
        let plain = TcpObservation::new(IpVersion::V4, 64, 1_024);
        let of = |change: &dyn Fn(&mut TcpObservation)| {
            let mut seen = plain;
            change(&mut seen);
            Key::of(&seen, Direction::Syn).with(TcpFactSet::of(&seen.facts))
        };
        let offers = |change: &dyn Fn(&mut SynOffer)| {
            let mut offer = SynOffer::default();
            change(&mut offer);
            of(&|seen| seen.syn_offer = Some(offer))
        };
        let keys = [
            of(&|_| ()),
            Key::of(&plain, Direction::SynAck),
            of(&|seen| seen.ip_version = IpVersion::V6),
            of(&|seen| seen.ttl = 65),
            of(&|seen| seen.ip_options_len = 1),
            of(&|seen| seen.mss = Some(1)),
            of(&|seen| seen.window = 1_025),
            of(&|seen| seen.window_multiple = Some(WindowMultiple::Mss(0))),
            of(&|seen| seen.window_multiple = Some(WindowMultiple::Mtu(0))),
            of(&|seen| seen.window_scale = Some(1)),
            of(&|seen| _ = seen.layout.push(OptionKind::EOL)),
            of(&|seen| _ = seen.layout.push_eol(1)),
            of(&|seen| seen.quirks = Quirks::DF),
            of(&|seen| seen.has_payload = true),
            of(&|seen| seen.facts.seq_is_destination = true),
            of(&|seen| seen.facts.ip_id = Some(IpIdClass::Zmap)),
            of(&|seen| seen.facts.ip_id = Some(IpIdClass::Masscan)),
            of(&|seen| seen.timestamps = Some(Timestamps { own: 0, peer: 0 })),
            of(&|seen| seen.syn_mss = Some(0)),
            offers(&|_| ()),
            offers(&|offer| offer.window_scale = true),
            offers(&|offer| offer.sack = true),
            offers(&|offer| offer.timestamps = true),
            offers(&|offer| offer.fast_open = true),
            offers(&|offer| offer.multipath = true),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert!(!key.is(&Key::NONE));
            assert!(keys[..at].iter().all(|other| !key.is(other)), "key {at} is another's");
        }
    }
}
