//! Bytes of a stream that arrived ahead of others.

use std::collections::BTreeMap;

use super::run::Run;

/// Bytes and the position of the first of them in the stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) start: u64,
    pub(super) bytes: &'a [u8],
}

impl<'a> Placed<'a> {
    /// Position after the last byte.
    pub(super) fn end(self) -> u64 {
        self.start.saturating_add(self.bytes.len() as u64)
    }

    /// The part of the segment that lies in `from..to`.
    pub(super) fn between(self, from: u64, to: u64) -> Self {
        let offset = |position: u64| {
            usize::try_from(position.saturating_sub(self.start)).unwrap_or(usize::MAX).min(self.bytes.len())
        };
        let bytes = self.bytes.get(offset(from)..offset(to)).unwrap_or_default();
        Self { start: self.start.max(from), bytes }
    }
}

impl Placed<'_> {
    /// Whether a run that begins at `start` has other bytes in a place of the segment.
    pub(super) fn differs_from(self, start: u64, run: &[u8]) -> bool {
        let run = Placed { start, bytes: run };
        self.between(start, run.end()).bytes != run.between(self.start, self.end()).bytes
    }
}

/// Runs with gaps before, between and after them: no two overlap or touch.
#[derive(Debug, Default)]
pub(super) struct Islands {
    /// By the position of the first byte.
    runs: BTreeMap<u64, Run>,
    bytes: usize,
}

impl Islands {
    /// Number of runs.
    pub(super) fn count(&self) -> usize {
        self.runs.len()
    }

    /// Number of bytes in all runs.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The bytes of the run that holds `position`, from there on.
    pub(super) fn from(&self, position: u64) -> &[u8] {
        let holds = self.runs.range(..=position).next_back();
        holds
            .and_then(|(&start, run)| run.as_slice().get(usize::try_from(position - start).ok()?..))
            .unwrap_or_default()
    }

    /// Bytes of memory taken, never less: a node of the map has room for 11 runs and is filled to 5 of them at least,
    /// but for the first.
    pub(super) fn memory(&self) -> usize {
        const NODE: usize = 512;
        const SHARE: usize = 128;
        let nodes = if self.runs.is_empty() { 0 } else { NODE + SHARE * self.count() };
        nodes + self.runs.values().map(Run::capacity).sum::<usize>()
    }

    /// How many of the bytes in `from..to` are held.
    pub(super) fn held_between(&self, from: u64, to: u64) -> usize {
        let held =
            |run: (&u64, &Run)| end_of(run).min(to).checked_sub(from.max(*run.0)).filter(|&held| held > 0);
        self.runs.range(..to).rev().map_while(|run| usize::try_from(held(run)?).ok()).sum()
    }

    /// Whether a run overlaps `from..to` or begins or ends where the other ends or begins.
    pub(super) fn touch(&self, from: u64, to: u64) -> bool {
        self.runs.range(..=to).next_back().is_some_and(|run| end_of(run) >= from)
    }

    /// Whether a run has other bytes in a place of the segment.
    pub(super) fn differ(&self, segment: Placed<'_>) -> bool {
        self.runs
            .range(..segment.end())
            .rev()
            .take_while(|&run| end_of(run) > segment.start)
            .any(|(&start, run)| segment.differs_from(start, run.as_slice()))
    }

    /// Adds a run that no other touches.
    fn put(&mut self, start: u64, run: Run) {
        self.bytes += run.len();
        self.runs.insert(start, run);
    }

    /// Adds what is not held of `segment`; no run will hold more than `most` bytes.
    pub(super) fn insert(&mut self, segment: Placed<'_>, most: usize) {
        let before = self.runs.range(..=segment.start).next_back();
        let start =
            before.filter(|&run| end_of(run) >= segment.start).map_or(segment.start, |(&start, _)| start);
        let mut run = self.remove(start).unwrap_or_default();
        self.extend(&mut run, start, segment, most);
        self.put(start, run);
    }

    /// Extends a run that is not one of these and that `segment` touches: bytes that are held here win over those of
    /// the segment, and runs that are reached move over.
    pub(super) fn extend(&mut self, run: &mut Run, start: u64, segment: Placed<'_>, most: usize) {
        loop {
            let end = start + run.len() as u64;
            let next = self.runs.range(end..).next().map(|(&start, _)| start);
            let new = segment.between(end, next.unwrap_or(u64::MAX));
            run.append(new.bytes, most);
            let reached = next.filter(|&next| next == start + run.len() as u64);
            let Some(island) = reached.and_then(|start| self.remove(start)) else { break };
            run.join(island, most);
        }
        self.release_if_empty();
    }

    /// Drops what lies before `position` and takes out the run that is left with its first byte there.
    pub(super) fn advance_to(&mut self, position: u64) -> Option<Run> {
        while let Some((&start, _)) = self.runs.first_key_value()
            && start <= position
        {
            let mut run = self.remove(start)?;
            run.drop_front(usize::try_from(position - start).unwrap_or(usize::MAX));
            self.release_if_empty();
            if !run.is_empty() {
                return Some(run);
            }
        }
        None
    }

    /// A map that had entries keeps memory for some when the last one has gone.
    fn release_if_empty(&mut self) {
        if self.runs.is_empty() {
            self.runs = BTreeMap::new();
        }
    }

    fn remove(&mut self, start: u64) -> Option<Run> {
        let run = self.runs.remove(&start)?;
        self.bytes -= run.len();
        Some(run)
    }
}

fn end_of((start, run): (&u64, &Run)) -> u64 {
    start + run.len() as u64
}
