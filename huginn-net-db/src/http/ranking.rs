//! The best of the signatures that match.

use core::cmp::Reverse;
use core::num::NonZero;

use super::matching::HttpScore;
use crate::{HttpRecord, Label, Specificity};

/// How many signatures are kept, the best one included.
pub(super) const MAX_RANKED: usize = 8;

/// A signature that matches; small, as eight of them go with every answer.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    score: HttpScore,
    /// Position in the database, from 1.
    number: NonZero<u32>,
}

const _: () = assert!(size_of::<[Option<Ranked>; MAX_RANKED]>() == 64, "a line of cache");

impl Ranked {
    fn record(self, records: &[HttpRecord]) -> Option<&HttpRecord> {
        records.get(usize::try_from(self.number.get() - 1).ok()?)
    }

    /// Higher scores first; among equals specific ones, then those that stand first.
    fn rank(self, records: &[HttpRecord]) -> (Reverse<HttpScore>, bool, NonZero<u32>) {
        let is_generic = self.record(records).is_some_and(|record| is_generic(&record.label));
        (Reverse(self.score), is_generic, self.number)
    }
}

fn is_generic(label: &Label) -> bool {
    label.specificity == Specificity::Generic
}

/// A ranking by positions in the database.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept([Option<Ranked>; MAX_RANKED]);

/// The best ones of different labels, best first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranking<'a> {
    records: &'a [HttpRecord],
    /// Those that are free are behind the others.
    entries: [Option<Ranked>; MAX_RANKED],
}

impl<'a> Ranking<'a> {
    /// None yet of these records.
    pub(super) const fn new(records: &'a [HttpRecord]) -> Self {
        Self { records, entries: [None; MAX_RANKED] }
    }

    /// A ranking of these records that was [kept](Self::kept).
    pub(super) const fn of_kept(records: &'a [HttpRecord], kept: Kept) -> Self {
        Self { records, entries: kept.0 }
    }

    pub(super) const fn kept(&self) -> Kept {
        Kept(self.entries)
    }

    /// Adds a record by its position.
    pub(super) fn add(&mut self, at: usize, score: HttpScore) {
        let records = self.records;
        let number = u32::try_from(at + 1).ok().and_then(NonZero::new);
        let (Some(record), Some(number)) = (records.get(at), number) else { return };
        let new = Ranked { score, number };
        let rank = |entry: Ranked| entry.rank(records);
        // The place of the same label, else the first free one, else the last.
        let has_name = |known: Ranked| {
            known.record(records).is_some_and(|known| {
                (&known.label.name, &known.label.flavor) == (&record.label.name, &record.label.flavor)
            })
        };
        let place = |entry: &Option<Ranked>| entry.is_none_or(has_name);
        let at = self.entries.iter().position(place).unwrap_or(MAX_RANKED - 1);
        let Some((entry, before)) = self.entries.get_mut(..=at).and_then(<[_]>::split_last_mut) else {
            return;
        };
        if entry.is_some_and(|known| rank(known) <= rank(new)) {
            return;
        }
        *entry = Some(new);
        if before.last().is_some_and(|last| last.is_some_and(|last| rank(new) < rank(last)))
            && let Some(entries) = self.entries.get_mut(..=at)
        {
            entries.sort_unstable_by_key(|entry| entry.map(rank));
        }
    }

    /// With the best of those first that have such a label; `None` if there is none.
    pub(super) fn led_by(mut self, is_wanted: impl Fn(&Label) -> bool) -> Option<Self> {
        let is_wanted = |entry: &Option<Ranked>| {
            entry.and_then(|entry| entry.record(self.records)).is_some_and(|record| is_wanted(&record.label))
        };
        let at = self.entries.iter().position(is_wanted)?;
        self.entries.get_mut(..=at)?.rotate_right(1);
        Some(self)
    }

    /// The first record and its score.
    #[inline]
    pub(super) fn best(&self) -> Option<(&'a HttpRecord, HttpScore)> {
        let [best, ..] = self.entries;
        let best = best?;
        Some((best.record(self.records)?, best.score))
    }

    /// Records and scores, best first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a HttpRecord, HttpScore)> + use<'a> {
        let Self { records, entries } = *self;
        entries.into_iter().flatten().filter_map(|entry| Some((entry.record(records)?, entry.score)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, HeaderPattern, HttpSignature, Label};

    /// A record that requires so many headers.
    fn record(name: &str, specificity: Specificity, required: usize) -> HttpRecord {
        let header = HeaderPattern { name: "A".to_owned(), value: None, optional: false };
        let signature = HttpSignature {
            version: None,
            headers: vec![header; required],
            absent: Vec::new(),
            quirks: Default::default(),
            software: String::new(),
        };
        HttpRecord {
            signature,
            label: Label::new(specificity, Class::Tool, name, "").into(),
            systems: [].into(),
            provenance: "".into(),
            source: "".into(),
            line: 1,
        }
    }

    fn ranked(records: &[HttpRecord]) -> Vec<String> {
        let mut ranking = Ranking::new(records);
        for (at, record) in records.iter().enumerate() {
            ranking.add(at, HttpScore::of(&record.signature));
        }
        ranking.iter().map(|(record, score)| format!("{} {score}", record.label.name)).collect()
    }

    use Specificity::{Generic, Specific};

    #[test]
    fn what_tells_most_comes_first_and_specific_ones_before_generic_ones() {
        let records = [
            record("a", Specific, 1),
            record("b", Generic, 3),
            record("c", Specific, 3),
            record("d", Specific, 3),
            record("e", Specific, 2),
        ];
        assert_eq!(ranked(&records), ["c 3", "d 3", "b 3", "e 2", "a 1"]);
    }

    #[test]
    fn a_label_is_there_once_at_its_best_place() {
        let records = [
            record("a", Specific, 2),
            record("b", Specific, 3),
            record("a", Generic, 4),
            record("b", Specific, 1),
            record("a", Specific, 4),
        ];
        assert_eq!(ranked(&records), ["a 4", "b 3"]);
    }

    #[test]
    fn the_best_eight_are_kept_in_whatever_order_they_come() {
        let mut records: Vec<_> = (1..=20).map(|n| record(&format!("n{n}"), Specific, n)).collect();
        let best: Vec<_> = (13..=20).rev().map(|n| format!("n{n} {n}")).collect();
        assert_eq!(ranked(&records), best);
        records.reverse();
        assert_eq!(ranked(&records), best);
        records.rotate_left(7);
        assert_eq!(ranked(&records), best);
    }
}
