//! The best of the signatures that match.

use core::cmp::Reverse;

use super::matching::HttpScore;
use crate::{HttpRecord, Specificity};

/// How many signatures are kept, the best one included.
pub(super) const MAX_RANKED: usize = 8;

/// A signature that matches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked<'a> {
    pub(super) record: &'a HttpRecord,
    pub(super) score: HttpScore,
    /// Position in the database.
    at: usize,
}

impl<'a> Ranked<'a> {
    pub(super) const fn new(record: &'a HttpRecord, score: HttpScore, at: usize) -> Self {
        Self { record, score, at }
    }

    /// Higher scores first; among equals specific ones, then those that stand first.
    fn rank(&self) -> (Reverse<HttpScore>, bool, usize) {
        let is_generic = self.record.label.specificity == Specificity::Generic;
        (Reverse(self.score), is_generic, self.at)
    }

    fn has_name_of(&self, other: &Self) -> bool {
        let (one, other) = (&self.record.label, &other.record.label);
        (&one.name, &one.flavor) == (&other.name, &other.flavor)
    }
}

/// The best ones of different labels, best first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ranking<'a> {
    entries: [Option<Ranked<'a>>; MAX_RANKED],
}

impl<'a> Ranking<'a> {
    pub(super) fn add(&mut self, new: Ranked<'a>) {
        // The place of the same label, else the first free one, else the last.
        let place = |entry: &Option<Ranked<'_>>| entry.is_none_or(|known| known.has_name_of(&new));
        let at = self.entries.iter().position(place).unwrap_or(MAX_RANKED - 1);
        let Some((entry, before)) = self.entries.get_mut(..=at).and_then(<[_]>::split_last_mut) else {
            return;
        };
        if entry.is_some_and(|known| known.rank() <= new.rank()) {
            return;
        }
        *entry = Some(new);
        if before.last().is_some_and(|last| last.is_some_and(|last| new.rank() < last.rank()))
            && let Some(entries) = self.entries.get_mut(..=at)
        {
            entries.sort_unstable_by_key(|entry| entry.map(|entry| entry.rank()));
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Ranked<'a>> {
        self.entries.iter().flatten()
    }
}
