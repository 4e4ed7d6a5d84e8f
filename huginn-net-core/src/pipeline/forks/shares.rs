//! Who goes on with which worker.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::super::shared::{Shared, locked};
use super::super::threads::panicked;
use super::worker::{Report, Then, Worker};
use crate::SourceError;

/// The workers of a run. Whoever has time takes one that nobody is at, has it fill a batch, and puts it back: the threads, each of
/// which prefers a worker of its own as what that one holds is in its cache then, and the caller where it would have to wait.
pub(super) struct Shares<E> {
    state: Mutex<State<E>>,
    /// There may be something to do for a thread.
    work: Condvar,
    /// A batch is full, or a worker is at its end.
    news: Condvar,
    /// Batches that each worker has.
    batches: usize,
    shared: Arc<Shared>,
}

struct State<E> {
    /// By worker.
    shares: Vec<Share<E>>,
    /// Threads that have nothing to do.
    waiting: usize,
    is_closed: bool,
}

/// A worker, and its batches.
struct Share<E> {
    /// `None` while somebody is at it, and once it has ended.
    worker: Option<Box<Worker<E>>>,
    /// The one that came back last is taken first, while its memory is still in the cache.
    empty: Vec<Report<E>>,
    full: VecDeque<Report<E>>,
    /// There is no further batch: the last one was filled, or a panic is why not.
    ended: Option<Result<(), SourceError>>,
}

/// A worker that somebody is at, and the batch that it fills.
type Job<E> = (Box<Worker<E>>, Report<E>);

impl<E> Shares<E> {
    /// Workers with so many empty batches each.
    pub(super) fn new(workers: impl Iterator<Item = Worker<E>>, batches: usize, shared: Arc<Shared>) -> Self {
        let share = |worker| Share {
            worker: Some(Box::new(worker)),
            empty: (0..batches).map(|_| Report::default()).collect(),
            full: VecDeque::new(),
            ended: None,
        };
        let shares = workers.map(share).collect();
        let state = Mutex::new(State { shares, waiting: 0, is_closed: false });
        Self { state, work: Condvar::new(), news: Condvar::new(), batches, shared }
    }

    /// Goes on with workers, with this one if possible, until all have ended or the run is over: what a thread does.
    pub(super) fn work(&self, own: usize) {
        let mut state = locked(&self.state);
        while !state.is_closed && state.shares.iter().any(|share| share.ended.is_none()) {
            state = match state.begin(own) {
                Some((index, job)) => {
                    drop(state);
                    self.go_on(index, job)
                }
                None => {
                    state.waiting += 1;
                    let mut state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.waiting -= 1;
                    state
                }
            };
        }
    }

    /// The next full batch of a worker, which the caller fills itself if nobody else is at it. While somebody is, it goes on with
    /// another one. `None` if there is none any more.
    ///
    /// # Errors
    /// The worker panicked.
    pub(super) fn take(&self, index: usize) -> Result<Option<Report<E>>, SourceError> {
        let mut state = locked(&self.state);
        loop {
            let Some(share) = state.shares.get_mut(index) else { return Ok(None) };
            if let Some(report) = share.full.pop_front() {
                return Ok(Some(report));
            }
            if let Some(ended) = &mut share.ended {
                return std::mem::replace(ended, Ok(())).map(|()| None);
            }
            state = match state.begin(index) {
                Some((index, job)) => {
                    drop(state);
                    self.go_on(index, job)
                }
                None => self.news.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Gives a batch back to its worker. To wake a thread costs as much as to fill a good part of a batch, so that it is done for
    /// half of them.
    pub(super) fn give_back(&self, index: usize, report: Report<E>) {
        let report = report.emptied();
        let mut state = locked(&self.state);
        if let Some(share) = state.shares.get_mut(index) {
            share.empty.push(report);
            if share.worker.is_some() && share.empty.len() >= self.batches.div_ceil(2) && state.waiting > 0 {
                self.work.notify_one();
            }
        }
    }

    /// Has all threads end that are [at work](Self::work), behind the batch that they are filling.
    pub(super) fn close(&self) {
        locked(&self.state).is_closed = true;
        self.work.notify_all();
    }

    /// Has a worker fill a batch, and puts both back.
    fn go_on(&self, index: usize, (mut worker, report): Job<E>) -> MutexGuard<'_, State<E>> {
        let fill = move || {
            let report = worker.fill(report);
            let goes_on = !matches!(report.then, Then::End(..));
            (goes_on.then_some(worker), report)
        };
        // What a panic has left half done is dropped with the worker.
        let filled = panic::catch_unwind(AssertUnwindSafe(fill));
        let mut state = locked(&self.state);
        let is_anybody_free = state.waiting > 0;
        if let Some(share) = state.shares.get_mut(index) {
            match filled {
                Ok((worker, report)) => {
                    share.ended = worker.is_none().then_some(Ok(()));
                    share.worker = worker;
                    share.full.push_back(report);
                }
                Err(payload) => share.ended = Some(Err(panicked(payload.as_ref()))),
            }
            if let Some(progress) = self.shared.worker(index) {
                progress.on_queued(self.batches - share.empty.len());
            }
            if is_anybody_free && share.can_go_on() {
                self.work.notify_one();
            }
        }
        self.news.notify_one();
        state
    }
}

impl<E> Share<E> {
    fn can_go_on(&self) -> bool {
        self.worker.is_some() && !self.empty.is_empty()
    }
}

impl<E> State<E> {
    /// A worker that somebody can go on with, and an empty batch of it: this one, or the one that has read the least.
    fn begin(&mut self, preferred: usize) -> Option<(usize, Job<E>)> {
        let index = if self.shares.get(preferred).is_some_and(Share::can_go_on) {
            preferred
        } else {
            let others = self.shares.iter().enumerate().filter(|(_, share)| share.can_go_on());
            let frames = |share: &Share<E>| share.worker.as_ref().map(|worker| worker.frames());
            others.min_by_key(|(_, share)| frames(share)).map(|(index, _)| index)?
        };
        let share = self.shares.get_mut(index)?;
        Some((index, (share.worker.take()?, share.empty.pop()?)))
    }
}
