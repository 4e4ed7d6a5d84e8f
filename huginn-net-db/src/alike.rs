//! Signatures that nothing tells apart before they are compared one by one.

use core::hash::Hash;
use std::collections::{BTreeMap, HashMap};

use crate::Database;
use crate::http::HttpIndex;
use crate::tcp::TcpIndex;
use crate::tls::TlsIndex;

/// Signatures of one file that an index may have in one place. What is seen is compared with all of them, so that the author
/// of a file could otherwise make it take any time.
pub(crate) const MAX_ALIKE: usize = 1_024;

/// The first line beyond the limit of each place in an index, with what is to be said.
///
/// `database` has the records of one file.
pub(crate) fn lines_beyond_limit(database: &Database) -> BTreeMap<u32, String> {
    let mut lines = BTreeMap::new();
    for records in [&database.tcp.syn, &database.tcp.syn_ack] {
        let message = "differ in nothing but TTL, scale and quirks that a path changes";
        lines.extend(TcpIndex::lines_beyond_limit(many(records)).map(|line| (line, message.to_owned())));
    }
    for records in [&database.http.requests, &database.http.responses] {
        lines.extend(HttpIndex::lines_beyond_limit(many(records)).map(|(rarest, line)| match rarest {
            Some(name) => (line, format!("require `{name}` and nothing rarer")),
            None => (line, "require no header".to_owned()),
        }));
    }
    lines.extend(
        TlsIndex::lines_beyond_limit(many(&database.clients.tls))
            .map(|line| (line, "have this JA3 and no JA4".to_owned())),
    );
    let whole = |what: String| format!("more than {MAX_ALIKE} signatures {what}");
    lines.into_iter().map(|(line, what)| (line, whole(what))).collect()
}

/// The records of a file with so many that it has to be counted, which takes time.
fn many<R>(records: &[R]) -> &[R] {
    if records.len() > MAX_ALIKE { records } else { &[] }
}

/// Keys that more than [`MAX_ALIKE`] have, each with the line of the first one beyond.
pub(crate) fn beyond_limit<K: Clone + Eq + Hash>(
    keys: impl Iterator<Item = (K, u32)>,
) -> impl Iterator<Item = (K, u32)> {
    let mut counts = HashMap::new();
    keys.filter(move |(key, _)| {
        let count = counts.entry(key.clone()).or_insert(0);
        *count += 1;
        *count == MAX_ALIKE + 1
    })
}
