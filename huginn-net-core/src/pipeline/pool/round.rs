//! What the threads of a pool send to who merges events.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use super::batch::Batch;
use crate::{SourceError, Timestamp};

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
