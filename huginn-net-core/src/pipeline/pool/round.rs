//! What the threads of a pool send to who merges events.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use super::super::merge::{Merger, Run};
use super::batch::Batch;
use crate::{Located, SourceError, Timestamp};

/// From readers and workers to the one who merges.
pub(super) enum Message<E> {
    /// There is a round that nobody got a batch of.
    Round,
    /// A worker has analyzed a batch.
    Done(Batch<E>),
    /// A thread has ended: the reader, or a worker.
    Gone(Thread),
}

/// A thread of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thread {
    Worker(usize),
    Reader,
}

/// What was read between two moments at which all batches were sent, so that their events can be put in order.
pub(super) struct Round {
    /// Who got a batch.
    pub(super) workers: WorkerSet,
    /// The times that were told, by their places.
    pub(super) ticks: Vec<(u64, Timestamp)>,
    pub(super) then: Then,
}

impl Round {
    /// Merges the events of these batches, which are all of the round.
    pub(super) fn merge<E: Located>(&self, batches: &mut [Batch<E>], merger: &mut Merger<E>) {
        let mut runs: Vec<&mut Run<E>> = batches.iter_mut().map(|batch| &mut batch.events).collect();
        for &(place, now) in &self.ticks {
            merger.take_before(place, &mut runs);
            merger.take_time(place, now, runs.iter_mut().map(|run| &mut **run));
        }
        if let Then::End(place, _) = self.then {
            merger.take_before(place, &mut runs);
            merger.take_end(place, runs);
        } else {
            merger.take_before(u64::MAX, &mut runs);
        }
    }
}

/// Rounds on their way from the reader, in their order. Who merges is not woken for them, as nothing can be done before a worker
/// has analyzed a batch.
pub(super) type Rounds = Arc<Mutex<VecDeque<Round>>>;

/// What comes behind a round.
#[derive(Debug)]
pub(super) enum Then {
    /// Another one.
    More,
    /// The source had nothing for the moment.
    Idle,
    /// The end, which has this place, and why if the source failed.
    End(u64, Option<SourceError>),
}

/// Some of the workers, of which there are at most 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WorkerSet(u64);

impl WorkerSet {
    pub(super) fn add(&mut self, worker: usize) {
        self.0 |= 1 << worker;
    }

    pub(super) fn has(self, worker: usize) -> bool {
        self.0 >> worker & 1 == 1
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..u64::BITS as usize).filter(move |&worker| self.has(worker))
    }
}
