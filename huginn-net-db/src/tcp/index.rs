//! Finds the signatures that a packet can have, by what must be equal in any case.
//!
//! One hash lookup with the option layout, the length of the IP options and the IP version leads to a bucket. For an
//! exact match the bucket knows which of its entries have the window scale of the packet; each of these few is
//! passed or taken with one comparison, as all fields that are compared for equality form one word with a mask.

use core::hash::{BuildHasher as _, Hasher as _};
use core::ops::Range;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use huginn_net_core::IpVersion;
use huginn_net_tcp::{OptionLayout, Quirks, TcpObservation, TtlGuess};

use super::facts::TcpFactSet;
use super::family::OfferRule;
use super::fill::SegmentedWindow;
use super::parts::{PartKey, Parts, Split};
use crate::alike::beyond_limit;
use crate::contents::Index;
use crate::{SignatureTtl, Specificity, TcpRecord, TcpSignature, WindowPattern};

/// The TCP signatures of one direction, arranged for matching.
#[derive(Clone, Debug)]
pub(crate) struct TcpIndex {
    /// The author of a file chooses the keys, so that he must not know their hashes.
    hasher: RandomState,
    buckets: HashTable<Bucket>,
    /// Signatures of a bucket that are looked through; more are split into parts.
    max_whole: usize,
}

/// What all signatures of a bucket and the packets they can match have in common: the option layout, the length of the IP
/// options and the IP version.
#[derive(Clone, Copy, Debug)]
struct Key([u64; 7]);

impl Key {
    #[inline]
    fn new(layout: &OptionLayout, ip_options_len: u8, version: IpVersion) -> Self {
        let [a, b, c, d, e, f] = layout.to_words();
        Self([a, b, c, d, e, f, u64::from(ip_options_len) << 1 | u64::from(version == IpVersion::V6)])
    }

    /// Those of the packets that a signature may match.
    fn of(signature: &TcpSignature) -> impl Iterator<Item = Self> + use<> {
        let TcpSignature { version: only, layout, ip_options_len, .. } = *signature;
        let versions = [IpVersion::V4, IpVersion::V6].into_iter();
        let fitting = versions.filter(move |&version| only.is_none_or(|only| only == version));
        fitting.map(move |version| Self::new(&layout, ip_options_len, version))
    }

    fn version(&self) -> IpVersion {
        let Self([.., last]) = self;
        if last & 1 == 0 { IpVersion::V4 } else { IpVersion::V6 }
    }

    /// Equality in registers: that of arrays is a call, which reads the words while they are still being written.
    #[inline]
    fn is(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differing, (a, b)| differing | (a ^ b)) == 0
    }

    #[inline]
    fn hash(&self, hasher: &RandomState) -> u64 {
        let mut state = hasher.build_hasher();
        self.0.iter().for_each(|&word| state.write_u64(word));
        state.finish()
    }
}

#[derive(Clone, Debug)]
struct Bucket {
    key: Key,
    /// Positions of its records, in file order.
    records: Vec<usize>,
    /// Once there was a packet that may match them: those of a capture have few layouts.
    content: OnceLock<Box<Content>>,
}

/// The signatures of a bucket.
#[derive(Clone, Debug, Default)]
struct Content {
    /// Specific ones first, each kind in file order; if it is split, first by their part.
    entries: Vec<Entry>,
    /// Those of a slot of scales are adjacent, in the order of their entries.
    probes: Vec<Probe>,
    /// For each slot of scales the range in `probes`.
    by_scale: [(usize, usize); SCALE_SLOTS],
    /// For buckets too large to be looked through, which have no probes.
    split: Option<Box<Parts>>,
}

/// Signatures of a bucket that are looked through; more are split into parts. The bundled ones stay far below.
const MAX_WHOLE: usize = 1_024;

/// A window scale is 14 at most (RFC 7323 §2.3); larger ones share the last slot.
const SCALE_SLOTS: usize = 16;

/// The part of an entry that decides first.
#[derive(Clone, Copy, Debug)]
struct Probe {
    word: Word,
    mask: Word,
    /// Position in `entries`.
    entry: usize,
}

/// The entries that a packet is to be compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidates<'a> {
    content: &'a Content,
    /// Those of the packet's window scale.
    probes: &'a [Probe],
}

impl<'a> Candidates<'a> {
    /// All that may match a packet of this word and window; those of a split bucket in any order, and perhaps more than
    /// once.
    pub(crate) fn all(self, seen: Word, window: SegmentedWindow) -> impl Iterator<Item = &'a Entry> {
        let Content { entries, split, .. } = self.content;
        let all = if split.is_none() { entries.as_slice() } else { &[] };
        all.iter().chain(self.in_parts(seen, window))
    }

    /// The first one, in the order of specific ones before generic ones and then of the file, that the packet equals in
    /// every field of its word and that is accepted.
    #[inline]
    pub(crate) fn first_equal(
        self,
        seen: Word,
        window: &SegmentedWindow,
        accepts: impl Fn(&Entry) -> bool,
    ) -> Option<&'a Entry> {
        match &self.content.split {
            None => self.equal_to(seen).find(|entry| accepts(entry)),
            Some(split) => self.first_in_parts(split, seen, window, accepts),
        }
    }

    #[cold]
    fn first_in_parts(
        self,
        split: &'a Parts,
        seen: Word,
        window: &SegmentedWindow,
        accepts: impl Fn(&Entry) -> bool,
    ) -> Option<&'a Entry> {
        let equals = |entry: &&Entry| entry.difference(seen).is_none() && accepts(entry);
        let parts = Split::new(split, &self.content.entries, seen, *window).parts();
        parts.filter_map(|part| part.iter().find(equals)).min_by_key(|entry| (!entry.specific, entry.record))
    }

    #[cfg(test)]
    pub(crate) fn split(self) -> Option<&'a Parts> {
        self.content.split.as_deref()
    }

    /// Those of a bucket that is split, as in [`Candidates::all`].
    fn in_parts(self, seen: Word, window: SegmentedWindow) -> impl Iterator<Item = &'a Entry> {
        let Content { entries, split, .. } = self.content;
        let parts = move |split| Split::new(split, entries, seen, window).parts();
        split.as_deref().into_iter().flat_map(parts).flatten()
    }

    /// Those of a bucket that is not split and that the packet equals in every field of its word, in order.
    #[inline]
    fn equal_to(self, seen: Word) -> impl Iterator<Item = &'a Entry> {
        let equal = self.probes.iter().filter(move |probe| probe.word.difference(seen, probe.mask).is_none());
        equal.filter_map(move |probe| self.content.entries.get(probe.entry))
    }

    /// Those that the packet equals in every field of its word, in the order of [`Candidates::all`].
    pub(crate) fn all_equal(self, seen: Word, window: SegmentedWindow) -> impl Iterator<Item = &'a Entry> {
        let in_parts = self.in_parts(seen, window);
        self.equal_to(seen).chain(in_parts.filter(move |entry| entry.difference(seen).is_none()))
    }
}

impl Index<TcpRecord> for TcpIndex {
    fn build(records: &[TcpRecord]) -> Self {
        Self::with_limit(records, MAX_WHOLE)
    }

    fn complete(&self, records: &[TcpRecord]) {
        for bucket in &self.buckets {
            self.content(bucket, records);
        }
    }
}

impl TcpIndex {
    /// Arranges `records`, to which entries refer by position; buckets of more than `max_whole` signatures are split.
    pub(super) fn with_limit(records: &[TcpRecord], max_whole: usize) -> Self {
        let mut index = Self { hasher: RandomState::default(), buckets: HashTable::new(), max_whole };
        for (position, record) in records.iter().enumerate() {
            for key in Key::of(&record.signature) {
                index.add(key, position);
            }
        }
        index
    }

    /// For each part of a bucket, if it were split, with more signatures than a packet may be compared with: the line of the
    /// first one beyond.
    pub(crate) fn lines_beyond_limit(records: &[TcpRecord]) -> impl Iterator<Item = u32> {
        let parts = records.iter().flat_map(|record| {
            let part = |key: &Key| PartKey::of(&Entry::new(record, 0, key.version()));
            Key::of(&record.signature).map(move |key| ((key.0, part(&key)), record.line))
        });
        beyond_limit(parts).map(|(_, line)| line)
    }

    fn add(&mut self, key: Key, position: usize) {
        let Self { hasher, buckets, .. } = self;
        let entry =
            buckets.entry(key.hash(hasher), |bucket| bucket.key.is(&key), |bucket| bucket.key.hash(hasher));
        let new = || Bucket { key, records: Vec::new(), content: OnceLock::new() };
        entry.or_insert_with(new).into_mut().records.push(position);
    }

    /// The entries whose options are `layout` and which the other fields of `seen` do not exclude from the start;
    /// `records` are those the index was built from.
    #[inline]
    pub(crate) fn candidates(
        &self,
        records: &[TcpRecord],
        seen: &TcpObservation,
        layout: &OptionLayout,
    ) -> Option<Candidates<'_>> {
        let key = Key::new(layout, seen.ip_options_len, seen.ip_version);
        let bucket = self.buckets.find(key.hash(&self.hasher), |bucket| bucket.key.is(&key))?;
        let content = self.content(bucket, records);
        let (first, end) = *content.by_scale.get(scale_slot(seen.window_scale.unwrap_or_default()))?;
        Some(Candidates { content, probes: content.probes.get(first..end)? })
    }

    /// What is in a bucket, arranged.
    #[inline]
    fn content<'a>(&self, bucket: &'a Bucket, records: &[TcpRecord]) -> &'a Content {
        bucket.content.get_or_init(|| {
            let version = bucket.key.version();
            let entry = |&at: &usize| Some(Entry::new(records.get(at)?, at, version));
            Content::of(bucket.records.iter().filter_map(entry).collect(), self.max_whole).into()
        })
    }
}

impl Content {
    /// Arranges entries that are in file order.
    fn of(mut entries: Vec<Entry>, max_whole: usize) -> Self {
        entries.sort_by_key(|entry| !entry.specific);
        if entries.len() > max_whole { Self::split(entries) } else { Self::whole(entries) }
    }

    fn whole(entries: Vec<Entry>) -> Self {
        let mut probes = Vec::new();
        let mut add_probes = |slot| {
            let first = probes.len();
            let fits = |of: Option<usize>| of.is_none_or(|of| Some(of) == slot);
            let fitting = (0..).zip(&entries).filter(|(_, entry)| fits(entry.scale_slot));
            probes.extend(fitting.map(|(at, &Entry { word, mask, .. })| Probe { word, mask, entry: at }));
            (first, probes.len())
        };
        // Most slots have only entries of any scale, and share them.
        let mut by_scale = [add_probes(None); SCALE_SLOTS];
        for slot in entries.iter().filter_map(|entry| entry.scale_slot).collect::<BTreeSet<_>>() {
            if let Some(range) = by_scale.get_mut(slot) {
                *range = add_probes(Some(slot));
            }
        }
        Self { entries, probes, by_scale, split: None }
    }

    fn split(mut entries: Vec<Entry>) -> Self {
        // Stable, so that each part keeps the order.
        entries.sort_by_key(PartKey::of);
        let mut parts: Vec<(PartKey, Range<usize>)> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            match parts.last_mut() {
                Some((key, range)) if *key == PartKey::of(entry) => range.end = at + 1,
                _ => parts.push((PartKey::of(entry), at..at + 1)),
            }
        }
        Self { entries, split: Some(Box::new(Parts::new(parts))), ..Self::default() }
    }
}

#[inline]
fn scale_slot(scale: u8) -> usize {
    usize::from(scale).min(SCALE_SLOTS - 1)
}

/// Layouts, as kinds, that Linux, Windows, BSD and small stacks have in common: few options leave little to order.
/// They are none, `mss`, `mss,nop,nop,sok`, `mss,nop,nop,ts` and `mss,sok,ts`.
const COMMON_LAYOUTS: [&[u8]; 5] = [&[], &[2], &[2, 1, 1, 4], &[2, 1, 1, 8], &[2, 4, 8]];

/// A signature without its layout, ready for comparison with packets of one IP version.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Position of the record in the list the index was built from.
    pub(crate) record: usize,
    pub(crate) window: WindowPattern,
    pub(crate) highest_ttl: u8,
    /// Below this a packet has come a distance that is not believed; 0 for signatures with a random TTL.
    pub(crate) lowest_ttl: u8,
    pub(crate) random_ttl: bool,
    /// Whether the order of the options is that of one family of stacks.
    pub(crate) telling_layout: bool,
    pub(crate) specific: bool,
    pub(crate) tool: bool,
    pub(crate) any_version: bool,
    pub(crate) offer: OfferRule,
    pub(crate) word: Word,
    pub(crate) mask: Word,
    /// `None` for any scale.
    scale_slot: Option<usize>,
}

impl Entry {
    fn new(record: &TcpRecord, position: usize, version: IpVersion) -> Self {
        let signature = &record.signature;
        let highest_ttl = signature.ttl.highest();
        let lowest_ttl = match signature.ttl {
            SignatureTtl::Initial(ttl) => ttl.saturating_sub(TtlGuess::MAX_DISTANCE),
            SignatureTtl::AtMost(_) => 0,
        };
        let literal = match signature.window {
            WindowPattern::Literal(window) => Some(window),
            _ => None,
        };
        // A signature of one version is compared with all its quirks; one of both leaves out what the version of
        // the packet cannot show.
        let hidden = match (signature.version, version) {
            (Some(_), _) => Quirks::NONE,
            (None, IpVersion::V4) => Quirks::IPV6_ONLY,
            (None, IpVersion::V6) => Quirks::IPV4_ONLY,
        };
        let mask = Word::of_quirks(Quirks::ALL - hidden)
            .or_if(signature.mss.is_some(), Word::MSS)
            .or_if(literal.is_some(), Word::WINDOW)
            .or_if(signature.window_scale.is_some(), Word::SCALE)
            .or_if(signature.has_payload.is_some(), Word::PAYLOAD)
            .or(Word::of_facts(signature.facts));
        Self {
            record: position,
            window: signature.window,
            highest_ttl,
            lowest_ttl,
            random_ttl: matches!(signature.ttl, SignatureTtl::AtMost(_)),
            telling_layout: !COMMON_LAYOUTS.contains(&signature.layout.kinds()),
            specific: record.label.specificity == Specificity::Specific,
            tool: record.label.is_tool(),
            any_version: signature.version.is_none(),
            offer: record
                .family
                .as_ref()
                .map_or_else(OfferRule::default, |family| OfferRule::of(family, &signature.layout)),
            word: Word::new(
                signature.mss.unwrap_or_default(),
                literal.unwrap_or_default(),
                signature.window_scale.unwrap_or_default(),
                signature.quirks,
                signature.has_payload.unwrap_or_default(),
            )
            .or(Word::of_facts(signature.facts)),
            mask,
            scale_slot: signature.window_scale.map(scale_slot),
        }
    }

    /// What in `seen` is not as the signature wants it; of the window only if the signature has it as a number.
    #[inline]
    pub(crate) fn difference(&self, seen: Word) -> Word {
        self.word.difference(seen, self.mask)
    }
}

/// Fields of a packet or signature that are compared for equality, side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Word(u64);

impl Word {
    pub(crate) const MSS: Self = Self(0xffff);
    pub(crate) const WINDOW: Self = Self(0xffff << Self::WINDOW_SHIFT);
    pub(crate) const SCALE: Self = Self(0xff << Self::SCALE_SHIFT);
    pub(crate) const PAYLOAD: Self = Self(1 << Self::PAYLOAD_SHIFT);
    pub(crate) const FACTS: Self = Self::of_facts(TcpFactSet::ALL);

    const WINDOW_SHIFT: u32 = 16;
    const SCALE_SHIFT: u32 = 32;
    const PAYLOAD_SHIFT: u32 = 40;
    const QUIRKS_SHIFT: u32 = 41;
    const FACTS_SHIFT: u32 = 58;

    /// An absent MSS or window scale is the same as 0, in signatures as in packets.
    #[inline]
    fn new(mss: u16, window: u16, scale: u8, quirks: Quirks, has_payload: bool) -> Self {
        Self(
            u64::from(mss)
                | u64::from(window) << Self::WINDOW_SHIFT
                | u64::from(scale) << Self::SCALE_SHIFT
                | u64::from(has_payload) << Self::PAYLOAD_SHIFT,
        )
        .or(Self::of_quirks(quirks))
    }

    /// Without facts, which hardly any packet has.
    #[inline]
    pub(crate) fn of_observation(seen: &TcpObservation) -> Self {
        let (mss, scale) = (seen.mss.unwrap_or_default(), seen.window_scale.unwrap_or_default());
        Self::new(mss, seen.window, scale, seen.quirks, seen.has_payload)
    }

    /// All fields as one number.
    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    pub(crate) fn mss(self) -> u16 {
        u16::try_from(self.and(Self::MSS).0).unwrap_or_default()
    }

    pub(crate) fn with_mss(self, mss: u16) -> Self {
        self.without(Self::MSS).or(Self(mss.into()))
    }

    pub(crate) const fn of_quirks(quirks: Quirks) -> Self {
        const { assert!(Quirks::ALL.bits() >> (Self::FACTS_SHIFT - Self::QUIRKS_SHIFT) == 0) };
        Self((quirks.bits() as u64) << Self::QUIRKS_SHIFT)
    }

    #[inline]
    pub(crate) const fn of_facts(facts: TcpFactSet) -> Self {
        const { assert!(TcpFactSet::ALL.bits().leading_zeros() >= Self::FACTS_SHIFT - 56) };
        Self((facts.bits() as u64) << Self::FACTS_SHIFT)
    }

    /// Where `self` and `other` differ within `mask`.
    #[inline]
    pub(crate) const fn difference(self, other: Self, mask: Self) -> Self {
        Self((self.0 ^ other.0) & mask.0)
    }

    pub(crate) const fn is_none(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn or_if(self, condition: bool, other: Self) -> Self {
        if condition { self.or(other) } else { self }
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_author_of_a_file_cannot_choose_keys_of_equal_hashes() {
        let key = Key::new(&OptionLayout::EMPTY, 0, IpVersion::V4);
        let [one, other] = [(); 2].map(|()| key.hash(&TcpIndex::build(&[]).hasher));
        assert_ne!(one, other);
    }
}
