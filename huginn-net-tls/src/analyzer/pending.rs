//! Hellos that wait for the rest of their bytes, within one budget.

use huginn_net_core::{Direction, Expiring, ExpiringLimits, FlowTag, NetworkTag, SourceCounts, Timestamp};

use super::counts::Counts;
use super::datagrams::{DtlsEnd, QuicClient};
use super::reading::Reading;
use crate::settings::TlsSettings;

/// A flow and the way the bytes go.
pub(super) type PendingKey = (FlowTag, Direction);

/// All that waits, the oldest given up first.
pub(super) struct Pending {
    settings: TlsSettings,
    /// Entries are never touched, so that they stand in the order of their begin and go out by their age.
    entries: Expiring<PendingKey, Entry>,
    sources: SourceCounts,
    bytes: usize,
}

/// What one sender has begun.
pub(super) enum Begun {
    Stream(Box<Reading>),
    Quic(Box<QuicClient>),
    Dtls(Box<DtlsEnd>),
}

struct Entry {
    begun: Begun,
    source: NetworkTag,
    began_at: Timestamp,
    last_at: Timestamp,
    /// Bytes charged to the budget.
    charge: usize,
    /// Whether it counts for its source: until its hello is complete.
    waits: bool,
}

/// What an entry takes in the tables: itself, its key, what links it and its place in the hash table, while that grows.
const ENTRY_BYTES: usize = 2 * (size_of::<Entry>() + size_of::<PendingKey>() + 32) + 64;

impl Begun {
    fn held_bytes(&self) -> usize {
        ENTRY_BYTES
            + match self {
                Self::Stream(reading) => reading.held_bytes(),
                Self::Quic(client) => client.held_bytes(),
                Self::Dtls(end) => end.held_bytes(),
            }
    }
}

impl Pending {
    pub(super) fn new(settings: TlsSettings) -> Self {
        let limits = ExpiringLimits::default()
            .with_max_entries(settings.max_pending)
            .with_idle(settings.max_pending_age);
        Self { settings, entries: Expiring::new(limits), sources: SourceCounts::new(), bytes: 0 }
    }

    /// Whether nothing waits.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What a sender has begun, unless it took too long, which ends it.
    pub(super) fn get(
        &mut self,
        key: &PendingKey,
        now: Timestamp,
        counts: &mut Counts,
    ) -> Option<&mut Begun> {
        let entry = self.entries.get(key)?;
        let settings = &self.settings;
        let is_late = distance(now, entry.began_at) > settings.max_pending_age
            || entry.waits && distance(now, entry.last_at) > settings.max_pending_idle;
        if is_late {
            counts.evicted_timeout += u64::from(entry.waits);
            self.remove(key);
            return None;
        }
        let entry = self.entries.peek_mut(key)?;
        entry.last_at = now;
        Some(&mut entry.begun)
    }

    /// Holds what a sender has begun, unless its source, a host or a network, has begun too much.
    pub(super) fn insert(
        &mut self,
        key: PendingKey,
        source: NetworkTag,
        begun: Begun,
        now: Timestamp,
        counts: &mut Counts,
    ) {
        if !self.sources.try_add(source, self.settings.max_pending_per_source.into()) {
            counts.refused_per_source += 1;
            return;
        }
        let charge = begun.held_bytes();
        self.bytes += charge;
        let entry = Entry { begun, source, began_at: now, last_at: now, charge, waits: true };
        if let Some((_, displaced)) = self.entries.insert(key, entry, now) {
            counts.evicted_budget += u64::from(displaced.waits);
            self.forget(&displaced);
        }
        self.keep_within_budget(counts);
    }

    /// Charges what a sender has begun with what it holds now.
    pub(super) fn charge(&mut self, key: &PendingKey, counts: &mut Counts) {
        let Some(entry) = self.entries.peek_mut(key) else { return };
        let charge = entry.begun.held_bytes();
        self.bytes = self.bytes.saturating_sub(entry.charge).saturating_add(charge);
        entry.charge = charge;
        self.keep_within_budget(counts);
    }

    /// Counts a sender no longer for its source: its hello is complete. What it may send next is still held.
    pub(super) fn complete(&mut self, key: &PendingKey) {
        if let Some(entry) = self.entries.peek_mut(key)
            && core::mem::take(&mut entry.waits)
        {
            self.sources.remove(entry.source);
        }
    }

    pub(super) fn remove(&mut self, key: &PendingKey) {
        if let Some(entry) = self.entries.remove(key) {
            self.forget(&entry);
        }
    }

    /// Gives up what took too long.
    pub(super) fn on_time(&mut self, now: Timestamp, counts: &mut Counts) {
        let (bytes, sources) = (&mut self.bytes, &mut self.sources);
        self.entries.expire(now, |_, entry| {
            counts.evicted_timeout += u64::from(entry.waits);
            forget(bytes, sources, &entry);
        });
    }

    fn keep_within_budget(&mut self, counts: &mut Counts) {
        while self.bytes > self.settings.max_pending_bytes
            && let Some((_, entry)) = self.entries.pop_oldest()
        {
            counts.evicted_budget += u64::from(entry.waits);
            self.forget(&entry);
        }
    }

    fn forget(&mut self, entry: &Entry) {
        forget(&mut self.bytes, &mut self.sources, entry);
    }
}

fn forget(bytes: &mut usize, sources: &mut SourceCounts, entry: &Entry) {
    *bytes = bytes.saturating_sub(entry.charge);
    if entry.waits {
        sources.remove(entry.source);
    }
}

/// Time between two, whichever is first: packet time that jumps back must not make anything immortal.
pub(super) fn distance(now: Timestamp, then: Timestamp) -> core::time::Duration {
    now.since(then).max(then.since(now))
}
