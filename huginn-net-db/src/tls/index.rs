//! Records by their fingerprints.

use core::hash::Hash;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use foldhash::fast::RandomState;
use huginn_net_http::AkamaiHash;
use huginn_net_tls::{ExtensionType, Ja3, Ja3n, Ja4, Ja4ListHashes, Ja4Original, Ja4Stable};

use super::client::ClientLabel;
use crate::alike::beyond_limit;
use crate::contents::Index;
use crate::{ClientRecord, Http2Record, Shared, TlsRecord, TlsSignature};

/// Where to find the records of `[x-tls:client]`.
#[derive(Clone, Debug)]
pub(crate) struct TlsIndex {
    pub(crate) ja4: Lookup<Ja4>,
    pub(crate) ja4_s1: Lookup<Ja4Stable>,
    pub(crate) ja4_o: Lookup<Ja4Original>,
    pub(crate) ja3: Lookup<Ja3>,
    pub(crate) ja3n: Lookup<Ja3n>,
    worth: OnceLock<Worth>,
    /// How many of the records are of the first file, before which none is searched.
    pub(crate) in_first_file: usize,
}

/// Records by one of their fingerprints, put together when it is first looked for.
#[derive(Clone, Debug)]
pub(crate) struct Lookup<K> {
    index: OnceLock<KeyIndex<K>>,
    build: fn(&[TlsRecord]) -> KeyIndex<K>,
}

impl<K> Lookup<K> {
    const fn with(build: fn(&[TlsRecord]) -> KeyIndex<K>) -> Self {
        Self { index: OnceLock::new(), build }
    }

    /// The index of the records, which are the same each time.
    pub(crate) fn of(&self, records: &[TlsRecord]) -> &KeyIndex<K> {
        self.index.get_or_init(|| (self.build)(records))
    }
}

/// Where to find the records of `[x-http2:client]`: by the hash of what is compared of them.
pub(crate) type Http2Index = KeyIndex<AkamaiHash>;

impl Index<Http2Record> for Http2Index {
    fn build(records: &[Http2Record]) -> Self {
        Self::by(records, |record| Some(record.signature.akamai_n().hash()))
    }
}

impl Index<TlsRecord> for TlsIndex {
    fn build(records: &[TlsRecord]) -> Self {
        let of_first_file = |record: &&TlsRecord| {
            records.first().is_some_and(|first| Arc::ptr_eq(&first.source, &record.source))
        };
        Self {
            in_first_file: records.iter().take_while(of_first_file).count(),
            // Whether a client pads depends on the length of the server's name. One that was seen without padding may
            // never pad.
            ja4: Lookup::with(|records| {
                let mut hashes = Ja4ListHashes::default();
                KeyIndex::with_second(
                    records,
                    |record| record.signature.ja4,
                    |record| Some(hashes.ja4(&record.signature.lists()?.unpadded()?)),
                )
            }),
            ja4_s1: Lookup::with(|all| {
                KeyIndex::by(all, |record| record.signature.ja4_s1).divided(all, Beyond::ja4_s1)
            }),
            ja4_o: Lookup::with(|records| KeyIndex::by(records, |record| record.signature.ja4_o)),
            ja3: Lookup::with(|all| {
                KeyIndex::by(all, |record| record.signature.ja3).divided(all, Beyond::ja3)
            }),
            ja3n: Lookup::with(|all| {
                KeyIndex::by(all, |record| record.signature.ja3n).divided(all, Beyond::ja3)
            }),
            worth: OnceLock::new(),
        }
    }

    fn complete(&self, records: &[TlsRecord]) {
        self.ja4.of(records);
        self.ja4_s1.of(records);
        self.ja4_o.of(records);
        self.ja3.of(records);
        self.ja3n.of(records);
        self.worth(records);
    }
}

impl TlsIndex {
    /// For each JA3, sorted or not, that more signatures without a JA4 have than a hello may be of: the line of the first one
    /// beyond.
    pub(crate) fn lines_beyond_limit(records: &[TlsRecord]) -> impl Iterator<Item = u32> {
        let unsure = |record: &TlsRecord| record.signature.ja4.is_none();
        let ja3 =
            move |record: &TlsRecord| Some((record.signature.ja3.filter(|_| unsure(record))?, record.line));
        let ja3n =
            move |record: &TlsRecord| Some((record.signature.ja3n.filter(|_| unsure(record))?, record.line));
        let lines = beyond_limit(records.iter().filter_map(ja3)).map(|(_, line)| line);
        lines.chain(beyond_limit(records.iter().filter_map(ja3n)).map(|(_, line)| line))
    }

    /// Which fingerprints of a hello are worth computing.
    pub(crate) fn worth(&self, records: &[TlsRecord]) -> &Worth {
        self.worth.get_or_init(|| Worth::build(records))
    }
}

/// Tells from a JA4 alone which other fingerprints of its hello can be in the index, so that a hello nobody knows costs
/// no hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Worth {
    /// What JA4 and JA4_s1 of a hello have in common.
    stable: HashSet<StableParts, RandomState>,
    /// What JA4 tells of that goes into a JA3, too.
    ja3: HashSet<Ja3Parts, RandomState>,
    /// Whether a record has a JA3 and no JA4 to tell its parts.
    any_ja3: bool,
}

/// Carrier, version, server name and count of cipher suites; ALPN; part b.
type StableParts = ([u8; 6], [u8; 2], [u8; 12]);
/// Counts of cipher suites and of extensions, part b.
type Ja3Parts = ([u8; 4], [u8; 12]);

/// What tells hellos apart that have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Beyond {
    /// Of a JA3, but for the names of protocols, which whoever uses a library chooses: the version and, in part c of JA4, the
    /// signature algorithms.
    Ja3([u8; 2], [u8; 12]),
    /// Of a JA4_s1: whether the client takes session tickets of TLS 1.2. That it does not may be for the session alone.
    Ja4Stable { takes_tickets: bool },
}

impl Beyond {
    /// Of a hello with this JA4.
    pub(crate) fn of_ja4(ja4: &Ja4) -> Self {
        Self::Ja3(part(ja4.as_str(), 1), part(ja4.as_str(), 24))
    }

    fn ja3(signature: &TlsSignature) -> Option<Self> {
        signature.ja4.as_ref().map(Self::of_ja4)
    }

    fn ja4_s1(signature: &TlsSignature) -> Option<Self> {
        // Whoever resumes a session of TLS 1.3 may leave the ticket out that it takes otherwise.
        const TICKETS: [u16; 2] = [ExtensionType::SESSION_TICKET.0, ExtensionType::PRE_SHARED_KEY.0];
        let extensions = signature.lists()?.extensions();
        Some(Self::Ja4Stable { takes_tickets: extensions.iter().any(|kind| TICKETS.contains(kind)) })
    }
}

impl Worth {
    fn build(records: &[TlsRecord]) -> Self {
        let mut worth = Self::default();
        for TlsRecord { signature, .. } in records {
            worth.stable.extend(signature.ja4_s1.as_ref().map(|ja4_s1| stable_parts(ja4_s1.as_str())));
            if signature.ja3.is_some() || signature.ja3n.is_some() {
                worth.ja3.extend(signature.ja4.as_ref().map(ja3_parts));
                worth.any_ja3 |= signature.ja4.is_none();
            }
        }
        worth
    }

    /// Whether a hello with this JA4 can have one of the JA4_s1.
    pub(crate) fn has_stable(&self, ja4: &Ja4) -> bool {
        self.stable.contains(&stable_parts(ja4.as_str()))
    }

    /// Whether a hello with this JA4 can have one of the JA3, sorted or not.
    pub(crate) fn has_ja3(&self, ja4: &Ja4) -> bool {
        self.any_ja3 || self.ja3.contains(&ja3_parts(ja4))
    }
}

fn stable_parts(text: &str) -> StableParts {
    (part(text, 0), part(text, 8), part(text, 11))
}

fn ja3_parts(ja4: &Ja4) -> Ja3Parts {
    (part(ja4.as_str(), 4), part(ja4.as_str(), 11))
}

/// Characters of a JA4, which has 36 of them.
fn part<const LEN: usize>(text: &str, from: usize) -> [u8; LEN] {
    text.as_bytes().get(from..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; LEN])
}

/// Records of one key, all of the same file: those that have it as their own in the order of the database first.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Once it has been asked for.
    label: OnceLock<Shared<ClientLabel>>,
    records: Box<[usize]>,
    /// Of a key that hellos have which differ in more than it tells.
    division: Option<Box<Division>>,
    /// What all records say beyond their key, if there is no division and all do.
    beyond: Option<Beyond>,
}

/// Records with the same key, by what they say beyond it.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    /// Those that say nothing, which may be of any of the hellos. They are in no part: in each of them they would take
    /// memory in proportion to the square of the file.
    unsure: Group,
    parts: BTreeMap<Beyond, Group>,
}

/// Some of the records of a key, those that a hello may be of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selected<'a> {
    group: &'a Group,
    /// Others that stand among them, if both are in the order of the database; else none.
    unsure: &'a [usize],
}

impl Group {
    fn of(records: impl Iterator<Item = usize>) -> Self {
        Self { label: OnceLock::new(), records: records.collect(), division: None, beyond: None }
    }

    /// All of its records.
    const fn all(&self) -> Selected<'_> {
        Selected { group: self, unsure: &[] }
    }

    /// Tells records apart by what they say beyond their key.
    fn divide(&mut self, all: &[TlsRecord], beyond: fn(&TlsSignature) -> Option<Beyond>) {
        let beyond = |&at: &usize| (all.get(at).and_then(|it| beyond(&it.signature)), at);
        let mut known: Vec<_> = self.records.iter().map(beyond).collect();
        // The records have the key as their own, so that they are in the order of the database.
        known.sort_unstable();
        let parts = known.chunk_by(|(one, _), (other, _)| one == other);
        if parts.clone().nth(1).is_none() {
            self.beyond = known.first().and_then(|(beyond, _)| *beyond);
            return;
        }
        let mut division = Division { unsure: Self::of([].into_iter()), parts: BTreeMap::new() };
        for part in parts {
            let group = Self::of(part.iter().map(|&(_, at)| at));
            match part.first() {
                Some(&(Some(beyond), _)) => _ = division.parts.insert(beyond, group),
                _ => division.unsure = group,
            }
        }
        self.division = Some(Box::new(division));
    }
}

impl Division {
    /// The records of a hello that says this beyond its key.
    fn select(&self, beyond: Beyond) -> Option<Selected<'_>> {
        match self.parts.get(&beyond) {
            Some(group) => Some(Selected { group, unsure: &self.unsure.records }),
            None => (!self.unsure.records.is_empty()).then(|| self.unsure.all()),
        }
    }
}

impl<'a> Selected<'a> {
    /// The clients of the records in words.
    pub(crate) fn label<S>(self, all: &[ClientRecord<S>]) -> &'a Shared<ClientLabel> {
        self.group.label.get_or_init(|| {
            let records = self.records().filter_map(|at| all.get(at));
            ClientLabel::of(records.flat_map(|record| &*record.clients).map(|it| &*it.client)).into()
        })
    }

    /// Those of the records that nothing of a hello contradicts which says this beyond its key.
    pub(crate) fn fitting(self, seen: Beyond) -> Option<Self> {
        match &self.group.division {
            Some(division) => division.select(seen),
            None => self.group.beyond.is_none_or(|known| known == seen).then_some(self),
        }
    }

    /// Where the records are.
    pub(crate) const fn records(self) -> Merged<'a> {
        Merged(&self.group.records, self.unsure)
    }
}

/// Two lists that are each in order, or one of any order.
#[derive(Clone, Debug)]
pub(crate) struct Merged<'a>(&'a [usize], &'a [usize]);

impl Iterator for Merged<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let Self(own, others) = self;
        let list = match (own.first(), others.first()) {
            (Some(first), Some(other)) if other < first => others,
            (None, _) => others,
            _ => own,
        };
        let (&first, rest) = list.split_first()?;
        *list = rest;
        Some(first)
    }
}

/// Groups by key. The author of a file chooses the keys, so that he must not know their hashes.
#[derive(Clone, Debug)]
pub(crate) struct KeyIndex<K>(HashMap<K, Group, RandomState>);

impl<K: Ord + Hash + Copy> KeyIndex<K> {
    /// Within a file all records of a key count; of several files, only those of the first that has the key.
    pub(crate) fn by<S>(records: &[ClientRecord<S>], key: impl Fn(&ClientRecord<S>) -> Option<K>) -> Self {
        Self::with_second(records, key, |_| None)
    }

    /// As [`by`](Self::by), with a second key of a record, which puts it behind those of the same file that have
    /// the key as their own, if there are any. A key that no record has as its own is left out.
    fn with_second<S>(
        records: &[ClientRecord<S>],
        own: impl Fn(&ClientRecord<S>) -> Option<K>,
        mut second: impl FnMut(&ClientRecord<S>) -> Option<K>,
    ) -> Self {
        let keys = |(at, record)| {
            let own = own(record).map(|key| (key, false, at));
            own.into_iter().chain(second(record).map(|key| (key, true, at)))
        };
        let mut entries: Vec<(K, bool, usize)> = records.iter().enumerate().flat_map(keys).collect();
        entries.sort_unstable();
        let mut index = Self(HashMap::with_capacity_and_hasher(entries.len(), RandomState::default()));
        for same in entries.chunk_by(|(one, ..), (other, ..)| one == other) {
            let Some(&(key, false, _)) = same.first() else { continue };
            let in_order = same.iter().filter_map(|&(_, _, at)| Some((at, records.get(at)?)));
            // Records are in the order of the files, whichever of their keys it is.
            let first = in_order.clone().min_by_key(|&(at, _)| at);
            let file = first.map(|(_, record)| &record.source);
            let of_file =
                in_order.filter(|(_, record)| file.is_some_and(|file| Arc::ptr_eq(file, &record.source)));
            index.0.insert(key, Group::of(of_file.map(|(at, _)| at)));
        }
        index
    }

    /// With groups in parts, by what records say beyond the key.
    fn divided(mut self, records: &[TlsRecord], beyond: fn(&TlsSignature) -> Option<Beyond>) -> Self {
        self.0.values_mut().for_each(|group| group.divide(records, beyond));
        self
    }

    pub(crate) fn find(&self, key: &K) -> Option<Selected<'_>> {
        self.0.get(key).map(Group::all)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use core::hash::BuildHasher as _;

    use super::*;

    #[test]
    fn the_author_of_a_file_cannot_choose_fingerprints_of_equal_hashes() {
        let hashes = || {
            let index = TlsIndex::build(&[]);
            let worth = index.worth(&[]);
            let hasher = index.ja3.of(&[]).0.hasher();
            [hasher.hash_one(1), worth.stable.hasher().hash_one(1), worth.ja3.hasher().hash_one(1)]
        };
        let (one, other) = (hashes(), hashes());
        assert!(one.iter().all(|hash| !other.contains(hash)), "{one:?}, {other:?}");
    }
}
