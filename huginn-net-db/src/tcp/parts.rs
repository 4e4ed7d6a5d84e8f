//! Buckets with too many signatures to look at all of them.
//!
//! The fields that no path changes, and the window, tell which part of the bucket a signature is in. A packet looks up the
//! parts whose signatures it can match, exactly or fuzzily: one for each choice of fields that signatures leave open, and for each
//! pattern that its window follows. What is left to compare in a part are TTLs, scales, and quirks that a path changes.

use core::hash::BuildHasher as _;
use core::ops::Range;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use huginn_net_tcp::Quirks;

use super::fill::{PossibleOrigins, SegmentedWindow};
use super::index::{Entry, Word};
use crate::WindowPattern;

/// Fields of which a packet must have the value, if the signature has one.
///
/// The path may change the other quirks, and the host its window scale.
const FIRM: Word = Word::of_quirks(Quirks::ALL)
    .without(Word::of_quirks(Quirks::DF))
    .without(Word::of_quirks(Quirks::ID_NONZERO))
    .without(Word::of_quirks(Quirks::ID_ZERO))
    .without(Word::of_quirks(Quirks::ECN))
    .without(Word::of_quirks(Quirks::FLOW))
    .or(Word::MSS)
    .or(Word::PAYLOAD)
    .or(Word::FACTS);

/// What the signatures of a part have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PartKey {
    /// Which of the [`FIRM`] fields they do not leave open.
    mask: Word,
    /// The values of these.
    word: Word,
    window: Atom,
}

impl PartKey {
    /// The part that an entry belongs to.
    pub(crate) fn of(entry: &Entry) -> Self {
        let mask = entry.mask.and(FIRM);
        Self { mask, word: entry.word.and(mask), window: Atom::of(entry.window) }
    }
}

/// Windows that are looked up together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Atom {
    Any,
    Literal(u16),
    MultipleOf(u16),
    Mss(u16),
    Mtu(u16),
    /// `fillS` by the upper bits of S, as a window can be that of many S side by side.
    Fill(u32),
}

impl Atom {
    const FILL_SHIFT: u32 = 10;

    const fn of(pattern: WindowPattern) -> Self {
        match pattern {
            WindowPattern::Any => Self::Any,
            WindowPattern::Literal(window) => Self::Literal(window),
            WindowPattern::MultipleOf(divisor) => Self::MultipleOf(divisor),
            WindowPattern::Mss(count) => Self::Mss(count),
            WindowPattern::Mtu(count) => Self::Mtu(count),
            WindowPattern::Fill(space) => Self::Fill(space >> Self::FILL_SHIFT),
        }
    }
}

/// The parts of one bucket.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    hasher: RandomState,
    table: HashTable<(PartKey, Range<usize>)>,
    /// The masks of all keys, each once.
    masks: Vec<Word>,
    /// The N of all `%N`, each once.
    divisors: Vec<u16>,
    has_fill: bool,
}

impl Parts {
    /// Parts with the ranges of their entries.
    pub(crate) fn new(parts: Vec<(PartKey, Range<usize>)>) -> Self {
        let hasher = RandomState::default();
        let windows = || parts.iter().map(|(key, _)| key.window);
        let divisor = |window| if let Atom::MultipleOf(divisor) = window { Some(divisor) } else { None };
        let mut divisors: Vec<_> = windows().filter_map(divisor).collect();
        divisors.sort_unstable();
        divisors.dedup();
        let mut masks: Vec<_> = parts.iter().map(|(key, _)| key.mask).collect();
        masks.sort_unstable();
        masks.dedup();
        let has_fill = windows().any(|window| matches!(window, Atom::Fill(_)));
        let mut table = HashTable::with_capacity(parts.len());
        for (key, range) in parts {
            table.insert_unique(hasher.hash_one(key), (key, range), |(key, _)| hasher.hash_one(key));
        }
        Self { hasher, table, masks, divisors, has_fill }
    }

    fn get(&self, key: &PartKey) -> Option<&Range<usize>> {
        self.table.find(self.hasher.hash_one(key), |(known, _)| known == key).map(|(_, range)| range)
    }
}

/// The parts that a packet is to be compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split<'a> {
    parts: &'a Parts,
    entries: &'a [Entry],
    word: Word,
    window: SegmentedWindow,
    origins: PossibleOrigins,
}

impl<'a> Split<'a> {
    /// The parts for a packet of this word and window; `entries` are those of their bucket.
    pub(crate) fn new(parts: &'a Parts, entries: &'a [Entry], word: Word, window: SegmentedWindow) -> Self {
        Self { parts, entries, word, window, origins: window.possible_origins() }
    }

    /// The signatures of each part, specific ones first, each kind in file order. A part may come more than once.
    pub(crate) fn parts(self) -> impl Iterator<Item = &'a [Entry]> {
        self.keys().filter_map(move |key| self.entries.get(self.parts.get(&key)?.clone()))
    }

    fn keys(self) -> impl Iterator<Item = PartKey> + use<'a> {
        self.parts.masks.iter().flat_map(move |&mask| {
            let word = self.word.and(mask);
            let seen = self.atoms().map(move |window| PartKey { mask, word, window });
            // Signatures of the MSS from before it was lowered.
            let lowered = self.counted().filter(move |_| mask.intersects(Word::MSS));
            seen.chain(lowered.map(move |(mss, window)| PartKey { mask, word: word.with_mss(mss), window }))
        })
    }

    /// Where the patterns are that the window follows, or followed before the MSS was lowered.
    fn atoms(self) -> impl Iterator<Item = Atom> + use<'a> {
        let window = self.window.bytes();
        let multiple = self.window.multiple().map(Atom::of);
        let divisors = divisors_among(window, &self.parts.divisors).map(Atom::MultipleOf);
        let segments = self.window.segments().chain(self.window.segments_of(self.origins));
        let filled = segments.clone().filter(move |_| self.parts.has_fill).flat_map(move |segment| {
            // The spaces with less than a segment unused.
            let first = u32::from(window);
            let last = first + u32::from(segment).saturating_sub(1);
            (first >> Atom::FILL_SHIFT..=last >> Atom::FILL_SHIFT).map(Atom::Fill)
        });
        let counted = self.counted().map(|(_, count)| count);
        let fixed = [Atom::Any, Atom::Literal(window)].into_iter();
        fixed.chain(multiple).chain(divisors).chain(filled).chain(counted)
    }

    /// Each MSS that may have been lowered, with the number of its segments that the window is.
    fn counted(self) -> impl Iterator<Item = (u16, Atom)> + use<'a> {
        let window = self.window.bytes();
        self.window.lowered(self.origins).filter_map(move |(mss, segment)| {
            let count = window.checked_div(segment).filter(|_| window.is_multiple_of(segment));
            Some((mss, Atom::Mss(count?)))
        })
    }
}

/// Which of `known`, which are in order and at least 2, divide `window`.
///
/// Looks at no more numbers than the square root of the window has, but for zero, which all of them divide.
fn divisors_among(window: u16, known: &[u16]) -> impl Iterator<Item = u16> + Clone {
    let all = if window == 0 { known } else { &[] };
    let last = if known.is_empty() { 0 } else { window.isqrt() };
    let pairs = (1..=last).filter(move |small| window.is_multiple_of(*small)).flat_map(move |small| {
        let large = window / small;
        [Some(small), (large != small).then_some(large)].into_iter().flatten()
    });
    all.iter().copied().chain(pairs.filter(|divisor| known.binary_search(divisor).is_ok()))
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use huginn_net_core::IpVersion;
    use huginn_net_tcp::{OptionKind, OptionLayout, TcpObservation, Timestamps, WindowMultiple};
    use testkit::rng::Rng;

    use super::super::fill::Direction;
    use super::super::index::TcpIndex;
    use super::*;
    use crate::contents::Index as _;
    use crate::{Class, Database, Label, SignatureTtl, Specificity, TcpFactSet, TcpRecord, TcpSignature};

    /// A packet that looks like a signature, but for a field or two.
    pub(in crate::tcp) fn near(signature: &TcpSignature, random: &mut Rng) -> TcpObservation {
        let has = |kind: OptionKind| signature.layout.kinds().contains(&kind.0);
        let version =
            signature.version.unwrap_or(if random.one_in(2) { IpVersion::V6 } else { IpVersion::V4 });
        let mss = signature.mss.unwrap_or([1460, 1440, 1400, 1380, 1024, 536, 8960][random.below(7)]);
        let window = match signature.window {
            _ if random.one_in(4) => [0, 64_240, 65_535, 62_720, 32_120, 8_192][random.below(6)],
            WindowPattern::Literal(window) => window,
            WindowPattern::MultipleOf(divisor) => divisor,
            WindowPattern::Mss(count) | WindowPattern::Mtu(count) => mss.saturating_mul(count),
            WindowPattern::Fill(space) => u16::try_from(space - space % u32::from(mss)).unwrap_or(0),
            WindowPattern::Any => 5_000,
        };
        let mut seen = TcpObservation::new(version, signature.ttl.highest(), window);
        if random.one_in(5) {
            seen.ttl = [20, 60, 90, 120, 250][random.below(5)];
        }
        seen.ip_options_len = signature.ip_options_len;
        seen.mss = has(OptionKind::MSS).then_some(mss);
        if random.one_in(4) {
            // Lowered on the way.
            seen.mss = seen.mss.map(|mss| mss.saturating_sub(20));
        }
        let mss = seen.mss.unwrap_or(u16::MAX);
        let multiple = (window != 0 && window.is_multiple_of(mss)).then(|| WindowMultiple::Mss(window / mss));
        seen.window_multiple = multiple;
        seen.window_scale = has(OptionKind::WINDOW_SCALE).then(|| {
            let other = u8::try_from(random.below(15)).unwrap();
            if random.one_in(5) { other } else { signature.window_scale.unwrap_or(other) }
        });
        seen.layout = signature.layout;
        seen.quirks =
            signature.quirks - if version == IpVersion::V4 { Quirks::IPV6_ONLY } else { Quirks::IPV4_ONLY };
        if random.one_in(3) {
            let names: Vec<_> = Quirks::ALL.names().collect();
            let quirk = Quirks::from_name(names[random.below(names.len())]).unwrap();
            seen.quirks = (seen.quirks | quirk) - (seen.quirks & quirk);
        }
        seen.has_payload = signature.has_payload.unwrap_or(random.one_in(2));
        seen.timestamps = has(OptionKind::TIMESTAMPS).then_some(Timestamps { own: 1, peer: 0 });
        let facts = if random.one_in(8) { TcpFactSet::SEQ_IS_DESTINATION } else { signature.facts };
        if version == IpVersion::V4 && !random.one_in(8) {
            facts.write_to(&mut seen.facts);
        }
        seen
    }

    #[test]
    fn a_split_bucket_gives_the_answers_of_a_whole_one() {
        let database = Database::bundled();
        let more = "classes = unix\n[x-tcp:request]\nlabel = s:unix:A:\n\
                    sig = *:64:0:*:%1024,*:mss,ws,nop:df:0\nsig = 6:64:0:*:mtu*4,*:mss,ws,nop::*\n\
                    sig = *:64:0:1460:%730,7:mss,ws,nop:df:*\n\
                    sig = 4:64:0:*:*,*:mss,ws,nop::*:seq_is_destination\n\
                    sig = 4:64:0:*:%4,*:mss,ws,nop:df:*:ip_id_zmap\nlabel = g:unix:B:\nsig = *:128:0:*:%2,*:mss,ws,nop:0+:*\n";
        let more = Database::parse(more, "more.fp").unwrap();
        let mut random = Rng::new(7);
        let mut compared = [0; 4];
        for (records, direction) in [
            (database.tcp_requests(), Direction::Syn),
            (database.tcp_responses(), Direction::SynAck),
            (more.tcp_requests(), Direction::Syn),
        ] {
            let whole = TcpIndex::with_limit(records, usize::MAX);
            let split = TcpIndex::with_limit(records, 0);
            for _ in 0..2_000 {
                let seen = near(&records[random.below(records.len())].signature, &mut random);
                let best = whole.best(records, &seen, direction);
                assert_eq!(split.best(records, &seen, direction), best, "{seen}");
                let tops =
                    [&split, &whole].map(|index| index.top(records, &seen, direction).collect::<Vec<_>>());
                assert_eq!(tops[0], tops[1], "{seen}");
                compared[best.map_or(0, |found| 1 + found.quality as usize)] += 1;
            }
        }
        assert!(compared.iter().all(|&count| count > 200), "{compared:?}");
    }

    /// Signatures of one layout that differ in window, MSS, TTL, scale and quirks.
    fn many(count: u32) -> Vec<TcpRecord> {
        let label = Arc::new(Label::new(Specificity::Specific, Class::Os("unix".to_owned()), "A", ""));
        let mut layout = OptionLayout::EMPTY;
        layout.push(OptionKind::MSS);
        let mut random = Rng::new(1);
        let mut below = |bound: usize| u16::try_from(random.below(bound)).unwrap();
        let mut signature = || {
            let number = below(65_535) + 1;
            TcpSignature {
                facts: TcpFactSet::NONE,
                version: (below(2) == 0).then_some(IpVersion::V4),
                ttl: SignatureTtl::Initial(if below(2) == 0 { 64 } else { 128 }),
                ip_options_len: 0,
                mss: (below(4) > 0).then(|| 536 + below(1_000)),
                window: match below(6) {
                    0 => WindowPattern::Mss(number % 1_000 + 1),
                    1 => WindowPattern::Mtu(number % 1_000 + 1),
                    2 => WindowPattern::MultipleOf(number.max(2)),
                    3 => WindowPattern::Fill(number.into()),
                    _ => WindowPattern::Literal(number),
                },
                window_scale: (below(2) > 0).then_some(0),
                layout,
                quirks: [Quirks::DF, Quirks::NONE, Quirks::DF | Quirks::ECN][usize::from(below(3))],
                has_payload: (below(3) > 0).then_some(false),
            }
        };
        let record = |line| TcpRecord {
            signature: signature(),
            label: Arc::clone(&label),
            systems: Arc::default(),
            provenance: Arc::default(),
            source: Arc::default(),
            line,
            family: None,
        };
        (1..=count).map(record).collect()
    }

    /// Parts looked up and signatures handed out for a packet.
    fn work(index: &TcpIndex, records: &[TcpRecord], seen: &TcpObservation) -> (usize, usize) {
        let window = SegmentedWindow::new(seen, Direction::Syn, false);
        let candidates = index.candidates(records, seen, &seen.layout).unwrap();
        let word = Word::of_observation(seen);
        let split = Split::new(candidates.split().unwrap(), &[], word, window);
        (split.keys().count(), candidates.all(word, window).count())
    }

    #[test]
    fn a_packet_is_compared_with_few_of_the_many_signatures_of_its_layout() {
        let mut layout = OptionLayout::EMPTY;
        layout.push(OptionKind::MSS);
        for (count, most) in [(5_000, 60), (20_000, 150)] {
            let records = many(count);
            let index = TcpIndex::build(&records);
            for (mss, window) in [(1460, 64_240), (1460, 1), (1400, 64_240), (1300, 65_520), (800, 65_535)] {
                let mut seen = TcpObservation::new(IpVersion::V4, 60, window);
                (seen.mss, seen.layout, seen.quirks) = (Some(mss), layout, Quirks::DF);
                let (lookups, signatures) = work(&index, &records, &seen);
                assert!(lookups <= 1_000, "{seen}: {lookups} lookups");
                assert!(signatures <= most, "{seen}: {signatures} of {count} signatures");
            }
        }
    }

    #[test]
    fn the_author_of_a_file_cannot_choose_parts_of_equal_hashes() {
        let [one, other] = [(); 2].map(|()| Parts::new(Vec::new()).hasher.hash_one(1));
        assert_ne!(one, other);
    }

    #[test]
    fn finds_the_divisors_of_a_window() {
        let divisors = |window, known: &[u16]| {
            let mut found: Vec<_> = divisors_among(window, known).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(divisors(36, &[2, 3, 5, 6, 12, 36, 72]), [2, 3, 6, 12, 36]);
        assert_eq!(divisors(65_535, &[2, 255, 257, 65_535]), [255, 257, 65_535]);
        assert_eq!(divisors(0, &[2, 7]), [2, 7]);
        assert_eq!(divisors(1, &[2]), []);
        assert_eq!(divisors(64, &[]), []);
    }
}
