//! What threads of a run tell of themselves.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::conclusions::Conclusions;
use super::decoding::Input;
use super::events::Stats;
use super::pool::{PoolStats, WorkerStats};
use crate::SourceStats;
use crate::analyzer::AnalyzerStats;
use crate::packet::DecodeStats;

/// What is known of a run in all its threads.
pub(super) struct Shared {
    /// By who reads.
    read: Vec<Mutex<ReadStats>>,
    workers: Vec<WorkerProgress>,
    /// Nobody takes events any more.
    abandoned: AtomicBool,
    /// An idle moment was told that nobody has taken.
    idle: AtomicBool,
}

/// What a source has given, what was decoded of it, and how many packets a filter left out.
type ReadStats = (SourceStats, DecodeStats, u64);

/// What a worker has done so far.
#[derive(Default)]
pub(super) struct WorkerProgress {
    packets: AtomicU64,
    batches: AtomicU64,
    events: AtomicU64,
    dropped: AtomicU64,
    queue_high_water: AtomicU64,
    /// Place of the last packet that was analyzed.
    place: AtomicU64,
    analysis: Mutex<AnalyzerStats>,
}

impl Shared {
    pub(super) fn new(readers: usize, workers: usize) -> Self {
        Self {
            read: (0..readers).map(|_| Mutex::default()).collect(),
            workers: (0..workers).map(|_| WorkerProgress::default()).collect(),
            abandoned: AtomicBool::new(false),
            idle: AtomicBool::new(false),
        }
    }

    /// Says that nobody takes events any more.
    pub(super) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }

    /// Says that the source is idle; whether that is news.
    pub(super) fn tell_idle(&self) -> bool {
        !self.idle.swap(true, Ordering::Relaxed)
    }

    /// Says that somebody knows that the source is idle.
    pub(super) fn take_idle(&self) {
        self.idle.store(false, Ordering::Relaxed);
    }

    /// Tells what a source has given.
    pub(super) fn publish_read(&self, reader: usize, input: &Input) {
        if let Some(read) = self.read.get(reader) {
            let (decode, filtered) = input.decoding.stats();
            *locked(read) = (input.source.stats().clone(), decode, filtered);
        }
    }

    /// What a worker has done.
    pub(super) fn worker(&self, worker: usize) -> Option<&WorkerProgress> {
        self.workers.get(worker)
    }

    /// What all threads have done, and what was concluded from it.
    pub(super) fn stats<E>(&self, conclusions: &Conclusions<E>) -> Stats {
        self.stats_of(&self.read, conclusions)
    }

    fn stats_of<'a, E>(
        &self,
        read: impl IntoIterator<Item = &'a Mutex<ReadStats>>,
        conclusions: &Conclusions<E>,
    ) -> Stats {
        let workers = self.workers.iter().map(WorkerProgress::stats).collect();
        let mut stats = Stats { pool: Some(PoolStats { workers }), ..Stats::default() };
        for read in read {
            let (source, decode, filtered) = &*locked(read);
            stats.source.add(source);
            stats.decode.add(decode);
            stats.filtered += filtered;
        }
        for worker in &self.workers {
            stats.analysis.add(&locked(&worker.analysis));
        }
        conclusions.count(&mut stats.analysis);
        stats
    }
}

impl WorkerProgress {
    pub(super) fn on_batch(&self, packets: usize, events: usize) {
        self.packets.fetch_add(packets as u64, Ordering::Relaxed);
        self.events.fetch_add(events as u64, Ordering::Relaxed);
        self.batches.fetch_add(1, Ordering::Relaxed);
    }

    /// Says that everything up to this place has been analyzed; what the analyzers hold then shows to whoever
    /// [asks](Self::place).
    pub(super) fn on_place(&self, place: u64) {
        self.place.fetch_max(place, Ordering::Release);
    }

    #[inline]
    pub(super) fn place(&self) -> u64 {
        self.place.load(Ordering::Acquire)
    }

    pub(super) fn on_dropped(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn on_queued(&self, batches: usize) {
        self.queue_high_water.fetch_max(batches as u64, Ordering::Relaxed);
    }

    /// Tells what the analyzers have counted.
    pub(super) fn publish(&self, count: impl FnOnce(&mut AnalyzerStats)) {
        let mut stats = AnalyzerStats::default();
        count(&mut stats);
        *locked(&self.analysis) = stats;
    }

    fn stats(&self) -> WorkerStats {
        WorkerStats {
            packets: self.packets.load(Ordering::Relaxed),
            batches: self.batches.load(Ordering::Relaxed),
            events: self.events.load(Ordering::Relaxed),
            dropped: self.dropped.load(Ordering::Relaxed),
            queue_high_water: self.queue_high_water.load(Ordering::Relaxed),
        }
    }
}

/// Nothing panics while it holds such a lock, and numbers are none the worse for it.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
