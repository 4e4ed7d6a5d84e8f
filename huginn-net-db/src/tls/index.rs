//! Records by their fingerprints.

use std::sync::Arc;

use huginn_net_tls::{Ja3, Ja3n, Ja4, Ja4Original, Ja4Stable};

use super::client::{Attribution, ClientLabel};
use crate::{Http2Record, TlsRecord};

/// Where to find the records of `[x-tls:client]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct TlsIndex {
    pub(crate) ja4: KeyIndex<Ja4>,
    pub(crate) ja4_s1: KeyIndex<Ja4Stable>,
    pub(crate) ja4_o: KeyIndex<Ja4Original>,
    pub(crate) ja3: KeyIndex<Ja3>,
    pub(crate) ja3n: KeyIndex<Ja3n>,
}

/// Where to find the records of `[x-http2:client]`: by the MD5 of what is compared of them.
pub(crate) type Http2Index = KeyIndex<[u8; 16]>;

impl TlsIndex {
    pub(crate) fn build(records: &[TlsRecord]) -> Self {
        Self {
            ja4: KeyIndex::build(records, |record| record.signature.ja4),
            ja4_s1: KeyIndex::build(records, |record| record.signature.ja4_s1),
            ja4_o: KeyIndex::build(records, |record| record.signature.ja4_o),
            ja3: KeyIndex::build(records, |record| record.signature.ja3),
            ja3n: KeyIndex::build(records, |record| record.signature.ja3n),
        }
    }
}

/// What the index needs of a record.
pub(crate) trait NamesClients {
    fn clients(&self) -> &[Attribution];
    fn source(&self) -> &Arc<str>;
}

impl NamesClients for TlsRecord {
    fn clients(&self) -> &[Attribution] {
        &self.clients
    }

    fn source(&self) -> &Arc<str> {
        &self.source
    }
}

impl NamesClients for Http2Record {
    fn clients(&self) -> &[Attribution] {
        &self.clients
    }

    fn source(&self) -> &Arc<str> {
        &self.source
    }
}

/// Records of one key, in the order of the database, and their clients in words.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) label: Arc<ClientLabel>,
    pub(crate) records: Box<[usize]>,
}

/// Groups sorted by key.
#[derive(Clone, Debug)]
pub(crate) struct KeyIndex<K> {
    keys: Vec<K>,
    groups: Vec<Group>,
}

impl<K> Default for KeyIndex<K> {
    fn default() -> Self {
        Self { keys: Vec::new(), groups: Vec::new() }
    }
}

impl<K: Ord + Copy> KeyIndex<K> {
    /// Within a file all records of a key count; of several files, only those of the first that has the key.
    pub(crate) fn build<R: NamesClients>(records: &[R], key: impl Fn(&R) -> Option<K>) -> Self {
        let mut entries: Vec<(K, usize)> =
            records.iter().enumerate().filter_map(|(at, record)| Some((key(record)?, at))).collect();
        entries.sort_unstable();
        let mut index = Self::default();
        for same in entries.chunk_by(|(one, _), (other, _)| one == other) {
            let in_order = same.iter().filter_map(|&(_, at)| Some((at, records.get(at)?)));
            let file = in_order.clone().next().map(|(_, record)| record.source());
            let of_file =
                in_order.filter(|(_, record)| file.is_some_and(|file| Arc::ptr_eq(file, record.source())));
            let clients = of_file.clone().flat_map(|(_, record)| record.clients());
            let label = ClientLabel::of(clients.map(|attribution| &*attribution.client)).into();
            index.keys.extend(same.first().map(|&(key, _)| key));
            index.groups.push(Group { label, records: of_file.map(|(at, _)| at).collect() });
        }
        index
    }

    pub(crate) fn find(&self, key: &K) -> Option<&Group> {
        self.groups.get(self.keys.binary_search(key).ok()?)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}
