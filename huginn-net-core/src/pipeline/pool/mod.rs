//! Analysis of a live source, which does not wait, by workers.
//!
//! A thread reads, decodes and copies each packet into the batch of the worker that its flow belongs to. When a batch is full,
//! those of all workers are sent: a *round*. Workers send their batches on, with events, to who asks for events; there
//! the events of each round are put in the order of its packets, conclusions are drawn from them, and the batches go back
//! to the reader. The number of batches is limited, and with it everything that waits: no channel needs a limit of its own.
//!
//! A packet that is of interest only to who holds its flow is sent only to a worker that may: see [`holdings`].
//!
//! As a round is complete before the next one is begun, who merges never waits for a worker that gets nothing to do.

mod batch;
mod config;
mod dealer;
mod holdings;
mod reader;
mod round;
mod route;
mod worker;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use self::batch::Batch;
pub use self::config::{PoolConfig, PoolStats, WorkerStats};
use self::dealer::{Dealer, Lines};
use self::holdings::Holdings;
use self::reader::Reader;
use self::round::{Message, Round, Rounds, Then, Thread, WorkerSet};
pub(super) use self::route::Router;
use super::decoding::Input;
use super::events::{Stats, Step, Stopper};
use super::lanes::Lanes;
use super::merge::Merger;
use super::shared::{Shared, locked};
use super::threads::Threads;
use crate::{Conclude, Located, SourceError};

/// The threads of a run, and the end at which their events come out.
pub(super) struct Pool<E> {
    messages: Receiver<Message<E>>,
    /// Rounds that were sent and not merged.
    rounds: VecDeque<Round>,
    /// Those that have not got here.
    coming: Rounds,
    /// Batches of them that were analyzed, by worker.
    done: Vec<VecDeque<Batch<E>>>,
    /// The way back to the reader; `None` once the run is over.
    returns: Option<Sender<Vec<Batch<E>>>>,
    merger: Merger<E>,
    threads: Threads,
    gone: WorkerSet,
    is_reader_gone: bool,
    panic: Option<SourceError>,
    shared: Arc<Shared>,
    stopper: Stopper,
    is_idle: bool,
    ended: bool,
    /// Reported after everything that was read before it.
    failure: Option<SourceError>,
}

impl<E: Located + Send + 'static> Pool<E> {
    pub(super) fn start(
        input: Input,
        config: PoolConfig,
        lanes: impl Fn() -> Lanes<E>,
        conclusion: Box<dyn Conclude<Event = E>>,
        stopper: Stopper,
    ) -> Self {
        let config = config.in_range();
        let (sender, messages) = mpsc::channel();
        let (returns, returned) = mpsc::channel();
        let shared = Arc::new(Shared::new(1, config.workers));
        let coming = Rounds::default();
        let mut pool = Self {
            messages,
            rounds: VecDeque::new(),
            coming: Rounds::clone(&coming),
            done: (0..config.workers).map(|_| VecDeque::new()).collect(),
            returns: Some(returns),
            merger: Merger::new(conclusion),
            threads: Threads::default(),
            gone: WorkerSet::default(),
            is_reader_gone: false,
            panic: None,
            shared: Arc::clone(&shared),
            stopper: stopper.clone(),
            is_idle: false,
            ended: false,
            failure: None,
        };
        let mut held = Vec::new();
        let started = (0..config.workers).map(|worker| {
            let lanes = lanes();
            held.push(lanes.held());
            pool.start_worker(worker, lanes, sender.clone())
        });
        match started.collect::<Result<Vec<_>, _>>() {
            Ok(workers) => {
                let lines = Lines::new(config, workers, returned, Arc::clone(&shared));
                let holdings = Holdings::new(held, Arc::clone(&shared));
                let router = Router::new(lanes(), holdings, config.workers);
                let dealer = Dealer::new(router, lines, sender.clone(), coming);
                let reader = Reader { input, dealer, stopper, shared };
                let farewell = (sender, Message::Gone(Thread::Reader));
                let started =
                    pool.threads.start_with_farewell("huginn-reader".to_owned(), farewell, || reader.run());
                pool.failure = started.err();
            }
            Err(failure) => pool.failure = Some(failure),
        }
        if pool.failure.is_some() {
            pool.close();
        }
        pool
    }

    fn start_worker(
        &mut self,
        worker: usize,
        lanes: Lanes<E>,
        messages: Sender<Message<E>>,
    ) -> Result<Sender<Batch<E>>, SourceError> {
        let (sender, batches) = mpsc::channel();
        let shared = Arc::clone(&self.shared);
        let farewell = (messages.clone(), Message::Gone(Thread::Worker(worker)));
        let run = move || worker::work(lanes, &batches, &messages, &shared);
        self.threads.start_with_farewell(format!("huginn-worker-{worker}"), farewell, run)?;
        Ok(sender)
    }
}

impl<E: Located> Pool<E> {
    pub(super) fn stats(&self) -> Stats {
        self.shared.stats(&self.merger.conclusions)
    }

    pub(super) fn step(&mut self) -> Result<Step<E>, SourceError> {
        while self.merger.conclusions.ready.is_empty() && !self.is_idle && !self.ended {
            self.advance();
        }
        if let Some(event) = self.merger.conclusions.ready.pop_front() {
            return Ok(Step::Event(event));
        }
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        Ok(if std::mem::take(&mut self.is_idle) { Step::Idle } else { Step::End })
    }

    /// Merges the next round, or takes the next message if that is not complete.
    fn advance(&mut self) {
        let next = self.rounds.front().map(|round| round.workers);
        let is_done = |worker| self.done.get(worker).is_some_and(|batches: &VecDeque<_>| !batches.is_empty());
        match next.map(|workers| workers.iter().find(|&worker| !is_done(worker))) {
            Some(None) => return self.merge_round(),
            Some(Some(missing)) if self.gone.has(missing) => return self.give_up(),
            None if self.is_reader_gone && self.panic.is_some() => return self.give_up(),
            _ => {}
        }
        match self.messages.recv() {
            Ok(Message::Round) => {}
            Ok(Message::Done(batch)) => {
                if let Some(done) = self.done.get_mut(batch.worker) {
                    done.push_back(batch);
                }
            }
            Ok(Message::Gone(thread)) => self.on_gone(thread),
            Err(_) => self.give_up(),
        }
        self.rounds.append(&mut locked(&self.coming));
    }

    fn merge_round(&mut self) {
        let Some(round) = self.rounds.pop_front() else { return };
        let batch_of = |worker| self.done.get_mut(worker).and_then(VecDeque::pop_front);
        let mut batches: Vec<_> = round.workers.iter().filter_map(batch_of).collect();
        round.merge(&mut batches, &mut self.merger);
        if let Some(returns) = &self.returns
            && !batches.is_empty()
        {
            // Together, as each time may wake the reader. One that has ended needs none.
            let _ = returns.send(batches);
        }
        match round.then {
            Then::More => {}
            Then::Idle => {
                self.shared.take_idle();
                self.is_idle = true;
            }
            Then::End(_, failure) => {
                self.failure = failure;
                self.close();
            }
        }
    }

    fn on_gone(&mut self, thread: Thread) {
        let index = match thread {
            Thread::Worker(worker) => {
                self.gone.add(worker);
                worker
            }
            Thread::Reader => {
                self.is_reader_gone = true;
                self.done.len()
            }
        };
        if let Err(panic) = self.threads.join(index) {
            self.panic.get_or_insert(panic);
        }
    }

    /// Ends a run whose threads have not come to its end.
    fn give_up(&mut self) {
        self.failure = self.panic.take();
        self.merger.conclusions.on_end();
        self.close();
    }
}

impl<E> Pool<E> {
    /// Ends all threads, whatever they are doing, and waits for them.
    fn close(&mut self) {
        self.ended = true;
        self.stopper.stop();
        self.shared.abandon();
        self.returns = None;
        self.threads.join_all();
    }
}

impl<E> Drop for Pool<E> {
    fn drop(&mut self) {
        self.close();
    }
}
