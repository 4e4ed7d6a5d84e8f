//! Analysis by workers that each read the whole capture, if it can be read any number of times.
//!
//! Each decodes every packet and analyzes those of its flows. That costs less than to copy packets for another thread, and who
//! reads ahead for all is nobody's limit. Workers count packets and times alike, so that their events can be put in order: an
//! event comes out when all workers have told how far they are, and none is still before it.
//!
//! A worker has few batches of events, and waits when all are on their way, so that none gets far ahead of another one.

mod reader;

use std::mem;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{self, Receiver, Sender};

use self::reader::{Message, Reader, Then, Told};
use super::conclusions::{Answer, Answers};
use super::decoding::Input;
use super::events::{Stats, Stopper};
use super::lanes::Lanes;
use super::merge::{Merger, Run, earliest_before};
use super::pool::PoolConfig;
use super::shared::Shared;
use super::spread::Spread;
use super::threads::Threads;
use crate::{Conclude, Located, SourceError};

/// Batches of a worker that are on their way, at most: more would be out of the cache before their events are taken.
const AHEAD: usize = 4;

/// The threads of a run, and the end at which their events come out.
pub(super) struct Forks<E> {
    workers: Vec<Worker<E>>,
    /// All workers have told their events of what is before this place, and of what is at it if that is a time or the end.
    told_before: Option<u64>,
    merger: Merger<E>,
    /// Whose capture counts: all read the same.
    reader: usize,
    threads: Threads,
    shared: Arc<Shared>,
    stopper: Stopper,
    is_idle: bool,
    ended: bool,
    /// Reported after everything that was read before it.
    failure: Option<SourceError>,
}

/// What is known of a worker where events are merged.
struct Worker<E> {
    /// A channel of its own, so that nobody is woken but for the worker that is waited for.
    messages: Receiver<Message<E>>,
    /// What it told and was not taken.
    told: Option<Told<E>>,
    /// The way back for empty batches; `None` once the run is over.
    returns: Option<Sender<Told<E>>>,
    is_gone: bool,
}

impl<E> Worker<E> {
    /// Gives its batch back to it.
    fn give_back(&mut self) {
        if let (Some(told), Some(returns)) = (self.told.take(), &self.returns) {
            // One that has ended needs none.
            let _ = returns.send(told.emptied());
        }
    }
}

impl<E: Located + Send + 'static> Forks<E> {
    /// There is an input for each worker, and all give the same.
    pub(super) fn start(
        inputs: impl Iterator<Item = Input>,
        config: PoolConfig,
        lanes: impl Fn() -> Lanes<E>,
        conclusion: Box<dyn Conclude<Event = E>>,
        stopper: Stopper,
    ) -> Self {
        let mut run = Self {
            workers: Vec::new(),
            told_before: None,
            merger: Merger::new(conclusion),
            reader: 0,
            threads: Threads::default(),
            shared: Arc::new(Shared::new(config.workers, config.workers)),
            stopper,
            is_idle: false,
            ended: false,
            failure: None,
        };
        let (spread, ends_at) = (Spread::over(config.workers), Arc::new(AtomicU64::new(u64::MAX)));
        for (index, input) in inputs.enumerate() {
            let (merger, messages) = mpsc::channel();
            let (returns, returned) = mpsc::channel();
            run.workers.push(Worker { messages, told: None, returns: Some(returns), is_gone: false });
            let batches = config.queue.min(AHEAD);
            let farewell = (merger.clone(), Message::Gone);
            let reader = Reader {
                index,
                input,
                lanes: lanes(),
                spread: spread.clone(),
                batch_events: config.batch_packets,
                told: Told::default(),
                // One more is being filled.
                spare: (1..batches).map(|_| Told::default()).collect(),
                batches,
                returned,
                merger,
                shared: Arc::clone(&run.shared),
                stopper: run.stopper.clone(),
                ends_at: Arc::clone(&ends_at),
                position: reader::Position::default(),
            };
            if let Err(failure) =
                run.threads.start(format!("huginn-worker-{index}"), farewell, || reader.run())
            {
                run.failure = Some(failure);
                run.close();
                break;
            }
        }
        run
    }
}

impl<E: Located> Answers<E> for Forks<E> {
    fn advance(&mut self, answer: &mut impl Answer<E>) -> bool {
        while self.merger.conclusions.ready.is_empty() && !self.ended {
            let Some(place) = self.told_before else {
                self.hear();
                continue;
            };
            let runs = self.workers.iter_mut().filter_map(|worker| Some(&mut worker.told.as_mut()?.events));
            let earliest = earliest_before(place, runs);
            if let Some(event) = earliest.and_then(Run::pop) {
                self.merger.conclusions.take_as_answer(event, answer);
                if !answer.is_nothing() {
                    return false;
                }
            } else {
                self.told_before = None;
                self.on_place(place);
                if mem::take(&mut self.is_idle) {
                    return true;
                }
            }
        }
        self.merger.conclusions.answer(&mut self.failure, answer);
        false
    }
}

impl<E: Located> Forks<E> {
    pub(super) fn stats(&self) -> Stats {
        self.shared.stats_of_reader(self.reader, &self.merger.conclusions)
    }

    /// Finds out how far all workers are, or waits for one that has not told it.
    fn hear(&mut self) {
        if let Some(missing) = self.workers.iter().position(|worker| worker.told.is_none()) {
            return self.wait_for(missing);
        }
        self.told_before = self.workers.iter().filter_map(|worker| Some(worker.told.as_ref()?.before)).min();
    }

    /// Waits for what a worker has to tell.
    fn wait_for(&mut self, index: usize) {
        let Some(worker) = self.workers.get_mut(index).filter(|worker| !worker.is_gone) else {
            return self.give_up(index);
        };
        match worker.messages.recv() {
            Ok(Message::Told(told)) => worker.told = Some(told),
            Ok(Message::Gone) | Err(_) => worker.is_gone = true,
        }
    }

    /// Does what stands at a place before which all events were taken.
    fn on_place(&mut self, place: u64) {
        let mut goes_on = false;
        for worker in &mut self.workers {
            let Some(told) = worker.told.as_ref().filter(|told| told.before == place) else { continue };
            match told.then {
                Then::More => {}
                Then::Idle => self.is_idle = true,
                Then::Time(_) | Then::End(..) => continue,
            }
            goes_on = true;
            worker.give_back();
        }
        // What follows may be of the same place.
        if goes_on {
            return;
        }
        let (mut now, mut end) = (None, None);
        for (index, worker) in self.workers.iter_mut().enumerate() {
            match worker.told.as_mut().filter(|told| told.before == place).map(|told| &mut told.then) {
                Some(Then::Time(time)) => now = Some(*time),
                // Others that end there because of a failure do not know of it.
                Some(Then::End(frame, failure)) if end.is_none() || failure.is_some() => {
                    end = Some((index, *frame, failure.take()));
                }
                _ => {}
            }
        }
        if let Some((reader, frame, failure)) = end {
            (self.reader, self.failure) = (reader, failure);
            self.end(place, frame);
        } else if let Some(now) = now {
            let runs = self.workers.iter_mut().filter_map(|worker| Some(&mut worker.told.as_mut()?.events));
            self.merger.take_time(place, now, runs);
            // All have told this time, none of them more.
            self.workers.iter_mut().for_each(Worker::give_back);
        }
    }

    /// Ends the run at a place, behind a frame. What others have read behind it, because the run was stopped there, is let go.
    fn end(&mut self, place: u64, last: u64) {
        let mut ends: Vec<Run<E>> = Vec::new();
        for index in 0..self.workers.len() {
            while let Some(worker) = self.workers.get_mut(index)
                && !self.ended
            {
                match &mut worker.told {
                    Some(Told { events, before, then: Then::End(..) }) => {
                        if *before > place {
                            events.retain(|event| event.located().is_none_or(|origin| origin.frame <= last));
                        }
                        ends.push(mem::replace(events, Run::new()));
                        break;
                    }
                    Some(_) => worker.give_back(),
                    None => self.wait_for(index),
                }
            }
        }
        if !self.ended {
            self.merger.take_end(reader::AT_END, &mut ends);
            self.close();
        }
    }

    /// Ends a run of which a worker is gone before its end.
    fn give_up(&mut self, worker: usize) {
        self.failure = self.threads.join(worker).err();
        self.merger.conclusions.on_end();
        self.close();
    }
}

impl<E> Forks<E> {
    /// Ends all threads, whatever they are doing, and waits for them.
    fn close(&mut self) {
        self.ended = true;
        self.stopper.stop();
        for worker in &mut self.workers {
            worker.returns = None;
        }
        self.threads.join_all();
    }
}

impl<E> Drop for Forks<E> {
    fn drop(&mut self) {
        self.close();
    }
}
