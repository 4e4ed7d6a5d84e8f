//! Packets into batches, and batches into rounds.

use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError};

use super::super::shared::{Shared, locked};
use super::batch::Batch;
use super::config::PoolConfig;
use super::round::{Message, Round, Rounds, Then, WorkerSet};
use super::route::{Routed, Router};
use crate::{Packet, Timestamp};

/// Nobody takes events any more, or a worker is gone.
pub(super) struct Closed;

/// Fills the batches of a round, and sends them together.
pub(super) struct Dealer<E> {
    config: PoolConfig,
    router: Router<E>,
    lines: Lines<E>,
    merger: Sender<Message<E>>,
    rounds: Rounds,
    /// Of the packet, time or end that was dealt last.
    place: u64,
    ticks: Vec<(u64, Timestamp)>,
    is_full: bool,
    /// Capture time of what is first in the round: a packet, or a time that is told.
    began_at: Option<Timestamp>,
}

impl<E> Dealer<E> {
    pub(super) fn new(
        router: Router<E>,
        lines: Lines<E>,
        merger: Sender<Message<E>>,
        rounds: Rounds,
    ) -> Self {
        let config = lines.config;
        Self {
            config,
            router,
            lines,
            merger,
            rounds,
            place: 0,
            ticks: Vec::new(),
            is_full: false,
            began_at: None,
        }
    }

    /// Copies a packet for the workers that want it.
    #[inline]
    pub(super) fn deal(&mut self, packet: &Packet<'_>) -> Result<(), Closed> {
        let Routed { shares, mut begun } = self.router.route(packet);
        if shares.is_empty() {
            return Ok(());
        }
        self.place += 1;
        self.began_at.get_or_insert(packet.captured_at());
        for &share in shares {
            if let Some(batch) = self.lines.batch(share.worker)? {
                batch.push(packet, self.place, share);
                self.is_full |= batch.is_full(&self.config);
                if let Some((flow, holdings)) = &mut begun {
                    holdings.note(share.worker, *flow, self.place);
                }
            } else if let Some(progress) = self.lines.shared.worker(share.worker) {
                progress.on_dropped();
            }
        }
        Ok(())
    }

    /// Tells all workers the time. A worker that drops packets is told the next one.
    pub(super) fn tick(&mut self, now: Timestamp) -> Result<(), Closed> {
        self.place += 1;
        // Or workers would be told with the next packet that somebody wants, which may be long in coming.
        self.began_at.get_or_insert(now);
        self.ticks.push((self.place, now));
        for worker in 0..self.lines.lines.len() {
            if let Some(batch) = self.lines.batch(worker)? {
                batch.push_tick(self.place, now);
                self.is_full |= batch.is_full(&self.config);
            }
        }
        Ok(())
    }

    /// Asks workers for what they have counted since they were asked last.
    pub(super) fn ask_for_counts(&mut self) -> Result<(), Closed> {
        for worker in 0..self.lines.lines.len() {
            if self.lines.has_news(worker)
                && let Some(batch) = self.lines.batch(worker)?
            {
                batch.publishes = true;
            }
        }
        Ok(())
    }

    /// Tells all workers the end, and gives its place.
    pub(super) fn end(&mut self) -> Result<u64, Closed> {
        self.lines.drops = false;
        self.place += 1;
        for worker in 0..self.lines.lines.len() {
            if let Some(batch) = self.lines.batch(worker)? {
                batch.push_end(self.place);
            }
        }
        Ok(self.place)
    }

    /// Whether it is time to send what there is.
    #[inline]
    pub(super) fn is_round_over(&self, now: Timestamp) -> bool {
        self.is_full || self.began_at.is_some_and(|began| now.abs_diff(began) >= self.config.linger)
    }

    /// Sends all batches.
    pub(super) fn flush(&mut self, then: Then) -> Result<(), Closed> {
        (self.is_full, self.began_at) = (false, None);
        let workers = self.lines.begun();
        let ticks = mem::take(&mut self.ticks);
        let says_nothing = workers.is_empty()
            && match then {
                Then::More => true,
                // One is enough, or those of a quiet link would pile up before a caller who does not ask.
                Then::Idle => !self.lines.shared.tell_idle(),
                Then::End(..) => false,
            };
        if says_nothing {
            return Ok(());
        }
        // Before its batches, with the first of which who merges hears of it.
        locked(&self.rounds).push_back(Round { workers, ticks, then });
        if workers.is_empty() {
            self.merger.send(Message::Round).map_err(|_| Closed)
        } else {
            self.lines.send()
        }
    }
}

/// The ways to all workers, and the batches that are on none of them.
pub(super) struct Lines<E> {
    config: PoolConfig,
    /// Whether packets are dropped when as many batches are on their way as may be.
    drops: bool,
    lines: Vec<Line<E>>,
    returned: Receiver<Vec<Batch<E>>>,
    spare: Vec<Batch<E>>,
    shared: Arc<Shared>,
}

/// The way to a worker.
struct Line<E> {
    worker: Sender<Batch<E>>,
    filling: Option<Batch<E>>,
    /// Batches that have not come back.
    away: usize,
    /// The worker may have counted something that it has not told.
    has_news: bool,
}

impl<E> Lines<E> {
    pub(super) fn new(
        config: PoolConfig,
        workers: Vec<Sender<Batch<E>>>,
        returned: Receiver<Vec<Batch<E>>>,
        shared: Arc<Shared>,
    ) -> Self {
        let line = |worker| Line { worker, filling: None, away: 0, has_news: false };
        let lines = workers.into_iter().map(line).collect();
        Self { config, drops: true, lines, returned, spare: Vec::new(), shared }
    }

    fn has_news(&self, worker: usize) -> bool {
        self.lines.get(worker).is_some_and(|line| line.has_news || line.filling.is_some())
    }

    /// The batch of a worker that is being filled, or a new one; `None` if there may be no more of them. At the end it waits until one
    /// has come back.
    #[inline]
    fn batch(&mut self, worker: usize) -> Result<Option<&mut Batch<E>>, Closed> {
        if self.lines.get(worker).is_some_and(|line| line.filling.is_none()) && !self.begin(worker)? {
            return Ok(None);
        }
        Ok(self.lines.get_mut(worker).and_then(|line| line.filling.as_mut()))
    }

    /// Begins a batch; whether there is one to begin.
    fn begin(&mut self, worker: usize) -> Result<bool, Closed> {
        loop {
            match self.returned.try_recv() {
                Ok(batches) => self.take_back(batches),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Err(Closed),
            }
        }
        while self.is_away(worker, self.config.queue) {
            if self.drops {
                return Ok(false);
            }
            let batches = self.returned.recv().map_err(|_| Closed)?;
            self.take_back(batches);
        }
        let Some(line) = self.lines.get_mut(worker) else { return Ok(false) };
        let mut batch = self.spare.pop().unwrap_or_else(Batch::new);
        batch.worker = worker;
        line.filling = Some(batch);
        Ok(true)
    }

    /// Whether so many batches of a worker have not come back.
    fn is_away(&self, worker: usize, batches: usize) -> bool {
        self.lines.get(worker).is_some_and(|line| line.away >= batches)
    }

    fn take_back(&mut self, batches: Vec<Batch<E>>) {
        for mut batch in batches {
            if let Some(line) = self.lines.get_mut(batch.worker) {
                line.away -= 1;
            }
            batch.clear(&self.config);
            self.spare.push(batch);
        }
    }

    /// Whose batches were begun.
    fn begun(&self) -> WorkerSet {
        let mut workers = WorkerSet::default();
        for (worker, _) in self.lines.iter().enumerate().filter(|(_, line)| line.filling.is_some()) {
            workers.add(worker);
        }
        workers
    }

    /// Sends all batches that were begun.
    fn send(&mut self) -> Result<(), Closed> {
        for (worker, line) in self.lines.iter_mut().enumerate() {
            let Some(batch) = line.filling.take() else { continue };
            line.away += 1;
            line.has_news = !batch.publishes;
            if let Some(progress) = self.shared.worker(worker) {
                progress.on_queued(line.away);
            }
            line.worker.send(batch).map_err(|_| Closed)?;
        }
        Ok(())
    }
}
