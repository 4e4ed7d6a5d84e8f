//! Packets that were recorded of known systems, to hold signatures against.
//!
//! `data/corpus.tsv` has a line for every kind of SYN and SYN+ACK in the captures of `pcaps/real`; a test writes it. Each packet
//! looks up the signatures of a file that match it, which takes time in proportion to these.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

use huginn_net_tcp::TcpObservation;

use crate::fingerprint::observation;
use crate::parse::MAX_FINDINGS;
use crate::tcp::Direction;
use crate::{Database, Label, TcpRecord};

/// Columns: the family of systems that sent the packet, the section of its signatures, its raw signature with its facts, its
/// window in bytes, the MSS of the SYN that it answers or 0, and a capture that has it.
const TEXT: &str = include_str!("../data/corpus.tsv");

static PACKETS: LazyLock<Vec<Recorded>> =
    LazyLock::new(|| TEXT.lines().skip(1).filter_map(Recorded::parse).collect());

/// A packet and what sent it.
struct Recorded {
    family: &'static str,
    capture: &'static str,
    direction: Direction,
    seen: TcpObservation,
}

impl Recorded {
    fn parse(line: &'static str) -> Option<Self> {
        let mut fields = line.split('\t');
        let family = fields.next()?;
        let direction = match fields.next()? {
            "tcp:request" => Direction::Syn,
            "tcp:response" => Direction::SynAck,
            _ => return None,
        };
        let mut seen = observation::parse(fields.next()?).ok()?;
        seen.window = fields.next()?.parse().ok()?;
        seen.syn_mss = Some(fields.next()?.parse().ok()?).filter(|&mss| mss != 0);
        let capture = fields.next()?;
        Some(Self { family, capture, direction, seen })
    }

    /// The specific records that allow all of it.
    fn specific_matches<'a>(&self, database: &'a Database) -> impl Iterator<Item = &'a TcpRecord> + use<'a> {
        let records = match self.direction {
            Direction::Syn => &database.tcp.syn,
            Direction::SynAck => &database.tcp.syn_ack,
        };
        records.index().specific_matches(records, &self.seen, self.direction)
    }
}

/// Which labels speak of which families; every label is read once for each.
#[derive(Default)]
struct Names(HashMap<(*const Label, &'static str), bool>);

impl Names {
    /// Whether the label speaks of a family, as its subject or besides.
    fn speaks_of(&mut self, label: &Arc<Label>, family: &'static str) -> bool {
        let known = self.0.entry((Arc::as_ptr(label), family));
        *known.or_insert_with(|| {
            [&label.name, &label.flavor].into_iter().any(|text| {
                let mut parts = text.as_bytes().windows(family.len().max(1));
                parts.any(|part| part.eq_ignore_ascii_case(family.as_bytes()))
            })
        })
    }
}

/// The lines with a specific signature that matches packets of something else, with the warning.
///
/// `database` has the records of one file.
pub(crate) fn lint(database: &Database) -> BTreeMap<u32, String> {
    let mut names = Names::default();
    // One packet of each family: a handful.
    let mut senders: BTreeMap<u32, Vec<&Recorded>> = BTreeMap::new();
    for recorded in &*PACKETS {
        let matches = || recorded.specific_matches(database);
        // It answers for the packet, so that those below it are not asked.
        let right = matches().filter(|record| names.speaks_of(&record.label, recorded.family));
        let right = right.map(|record| record.line).min().unwrap_or(u32::MAX);
        for record in matches().filter(|record| record.line < right) {
            if senders.len() == MAX_FINDINGS && !senders.contains_key(&record.line) {
                continue;
            }
            let known = senders.entry(record.line).or_default();
            if !known.iter().any(|sender| sender.family == recorded.family) {
                known.push(recorded);
            }
        }
    }
    senders.into_iter().map(|(line, senders)| (line, message(&senders))).collect()
}

fn message(senders: &[&Recorded]) -> String {
    let senders: Vec<_> =
        senders.iter().map(|sender| format!("{} ({})", sender.family, sender.capture)).collect();
    format!("packets that something else sent match this exactly: of {}", senders.join(", of "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_corpus_is_understood() {
        assert_eq!(PACKETS.len(), TEXT.lines().count() - 1);
        assert!(PACKETS.len() > 100);
    }
}
