//! Records by their fingerprints.

use core::hash::{BuildHasherDefault, Hash, Hasher};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use huginn_net_http::AkamaiHash;
use huginn_net_tls::{Ja3, Ja3n, Ja4, Ja4ListHashes, Ja4Original, Ja4Stable};

use super::client::ClientLabel;
use crate::contents::Index;
use crate::{ClientRecord, Http2Record, TlsRecord};

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
            ja4_s1: Lookup::with(|records| KeyIndex::by(records, |record| record.signature.ja4_s1)),
            ja4_o: Lookup::with(|records| KeyIndex::by(records, |record| record.signature.ja4_o)),
            ja3: Lookup::with(|all| KeyIndex::by(all, |record| record.signature.ja3).divided(all)),
            ja3n: Lookup::with(|all| KeyIndex::by(all, |record| record.signature.ja3n).divided(all)),
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
    stable: HashSet<StableParts, ByDigits>,
    /// What JA4 tells of that goes into a JA3, too.
    ja3: HashSet<Ja3Parts, ByDigits>,
    /// Whether a record has a JA3 and no JA4 to tell its parts.
    any_ja3: bool,
}

/// Carrier, version, server name and count of cipher suites; ALPN; part b.
type StableParts = ([u8; 6], [u8; 2], [u8; 12]);
/// Counts of cipher suites and of extensions, part b.
type Ja3Parts = ([u8; 4], [u8; 12]);
/// Version, and part c.
type BeyondJa3 = ([u8; 2], [u8; 12]);

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

/// What a JA4 tells of a hello whose JA3 is known, but for the names of protocols, which whoever uses a library chooses: the
/// version and, in part c, the signature algorithms.
pub(super) fn beyond_ja3(ja4: &Ja4) -> BeyondJa3 {
    (part(ja4.as_str(), 1), part(ja4.as_str(), 24))
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
    label: OnceLock<Arc<ClientLabel>>,
    pub(crate) records: Box<[usize]>,
    /// Of a JA3 that hellos have which differ in more than it tells: those for each of these.
    pub(crate) parts: Box<[(Option<BeyondJa3>, Group)]>,
}

impl Group {
    fn of(records: impl Iterator<Item = usize>) -> Self {
        Self { label: OnceLock::new(), records: records.collect(), parts: Box::default() }
    }

    /// The clients of the records in words.
    pub(crate) fn label<S>(&self, all: &[ClientRecord<S>]) -> &Arc<ClientLabel> {
        self.label.get_or_init(|| {
            let records = self.records.iter().filter_map(|&at| all.get(at));
            ClientLabel::of(records.flat_map(|record| &*record.clients).map(|it| &*it.client)).into()
        })
    }

    /// Tells records with a JA3 apart by what their JA4 says beyond it. One without a JA4 may be of any of their hellos.
    fn divide(&mut self, all: &[TlsRecord]) {
        if self.records.len() < 2 {
            return;
        }
        let with_part = |(order, &at): (usize, &usize)| {
            let ja4 = all.get(at)?.signature.ja4;
            Some((ja4.as_ref().map(beyond_ja3), order, at))
        };
        let mut known: Vec<_> = self.records.iter().enumerate().filter_map(with_part).collect();
        known.sort_unstable_by_key(|&(part, order, ..)| (part, order));
        let parts: Vec<_> = known.chunk_by(|one, other| one.0 == other.0).collect();
        if parts.len() < 2 {
            return;
        }
        let unsure = parts.first().filter(|same| same.iter().all(|(part, ..)| part.is_none()));
        let unsure = unsure.copied().unwrap_or_default();
        self.parts = parts
            .into_iter()
            .map(|same| {
                let part = same.first().and_then(|(part, ..)| *part);
                let mut fit = if part.is_some() { [unsure, same].concat() } else { same.to_vec() };
                fit.sort_unstable_by_key(|&(_, order, _)| order);
                (part, Self::of(fit.iter().map(|&(_, _, at)| at)))
            })
            .collect();
    }
}

type ByDigits = BuildHasherDefault<FoldedDigits>;

/// Hashes fingerprints, which are made of hashes: what is in the table comes from signature files, so that no sender gains by
/// what it has looked up.
#[derive(Clone, Copy, Default)]
pub(crate) struct FoldedDigits(u64);

impl FoldedDigits {
    fn fold(&mut self, word: u64) {
        // 2^64 divided by the golden ratio: odd, and no multiple of it is near zero for long.
        self.0 = (self.0.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for FoldedDigits {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|&word| self.fold(u64::from_le_bytes(word)));
        rest.iter().for_each(|&byte| self.fold(byte.into()));
    }

    fn finish(&self) -> u64 {
        // Low bits of a product know nothing of the high ones of its factors.
        self.0 ^ self.0 >> 32
    }
}

/// Groups by key.
#[derive(Clone, Debug)]
pub(crate) struct KeyIndex<K>(HashMap<K, Group, ByDigits>);

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
        let mut index = Self(HashMap::with_capacity_and_hasher(entries.len(), ByDigits::default()));
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

    /// With the groups of a JA3 in parts.
    fn divided(mut self, records: &[TlsRecord]) -> Self {
        self.0.values_mut().for_each(|group| group.divide(records));
        self
    }

    pub(crate) fn find(&self, key: &K) -> Option<&Group> {
        self.0.get(key)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
