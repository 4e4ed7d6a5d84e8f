//! Analysis by threads that take turns in reading.
//!
//! Whoever reads takes as many frames as lie together, decodes them, and notes which worker each packet is for: a *round*. Then the
//! next one may read, and the first one analyzes what it has in its cache: the part of each worker, as soon as that worker has done
//! its part of the round before. So each byte is read once and each packet decoded once; what goes from thread to thread are
//! readers, workers and events.
//!
//! Who asks for events takes the rounds in their order, and puts the events of each in the order of its packets. Where it would wait
//! it does what a thread does, so that there need be no more threads than cores.

mod reader;
mod round;
mod turns;

use std::sync::Arc;

use self::reader::{Dealing, Reader};
use self::round::{AT_END, Round, Then};
use self::turns::Turns;
use super::conclusions::{Answer, Answers};
use super::decoding::Input;
use super::events::{Stats, Stopper};
use super::lanes::Lanes;
use super::merge::{Merger, Run, earliest_before};
use super::pool::PoolConfig;
use super::shared::Shared;
use super::threads::Threads;
use super::ticks::Ticks;
use crate::{Conclude, Located, SourceError};

/// The threads of a run, and the end at which its events come out.
pub(super) struct Relay<E> {
    turns: Arc<Turns<E>>,
    /// The round that was taken.
    round: Option<Round<E>>,
    merger: Merger<E>,
    threads: Threads,
    shared: Arc<Shared>,
    stopper: Stopper,
    is_idle: bool,
    ended: bool,
    /// Reported after everything that was read before it.
    failure: Option<SourceError>,
}

impl<E: Located + Send + 'static> Relay<E> {
    pub(super) fn start(
        input: Input,
        config: PoolConfig,
        lanes: impl Fn() -> Lanes<E>,
        conclusion: Box<dyn Conclude<Event = E>>,
        stopper: Stopper,
    ) -> Self {
        // More workers than threads would only be told more often what time it is.
        let config = config.with_workers(config.workers.min(config.max_threads));
        let shared = Arc::new(Shared::new(1, config.workers));
        let reader = Reader {
            input,
            dealing: Dealing::new(lanes(), config.workers),
            ticks: Ticks::default(),
            place: 0,
            config,
            stopper: stopper.clone(),
            shared: Arc::clone(&shared),
        };
        // The caller is one, too.
        let threads = config.workers.min(config.max_threads.saturating_sub(1));
        let workers = (0..config.workers).map(|_| lanes());
        let mut run = Self {
            turns: Arc::new(Turns::new(reader, workers, config, threads + 1)),
            round: None,
            merger: Merger::new(conclusion),
            threads: Threads::default(),
            shared,
            stopper,
            is_idle: false,
            ended: false,
            failure: None,
        };
        for thread in 0..threads {
            let turns = Arc::clone(&run.turns);
            let started = run.threads.start(format!("huginn-worker-{thread}"), move || turns.work(thread));
            if let Err(failure) = started {
                run.failure = Some(failure);
                run.close();
                break;
            }
        }
        run
    }
}

impl<E: Located> Answers<E> for Relay<E> {
    fn advance(&mut self, answer: &mut impl Answer<E>) -> bool {
        while self.merger.conclusions.ready.is_empty() && !self.ended {
            let Some(round) = &mut self.round else {
                if std::mem::take(&mut self.is_idle) {
                    return true;
                }
                self.take_round();
                continue;
            };
            let place = round.ticks.front().map_or(AT_END, |(place, _)| *place);
            let runs = round.found.iter_mut().flatten();
            if let Some(event) = earliest_before(place, runs).and_then(Run::pop) {
                self.merger.conclusions.take_as_answer(event, answer);
                if !answer.is_nothing() {
                    return false;
                }
            } else {
                self.on_place();
            }
        }
        self.merger.conclusions.answer(&mut self.failure, answer);
        false
    }
}

impl<E: Located> Relay<E> {
    pub(super) fn stats(&self) -> Stats {
        self.shared.stats(&self.merger.conclusions)
    }

    fn take_round(&mut self) {
        match self.turns.take() {
            Ok(round) => self.round = Some(round),
            Err(panic) => {
                self.failure = Some(panic);
                self.merger.conclusions.on_end();
                self.close();
            }
        }
    }

    /// Does what stands behind the events of packets that were taken: a time that was told, or what comes behind the round.
    fn on_place(&mut self) {
        let Some(mut round) = self.round.take() else { return };
        let runs = round.found.iter_mut().flatten();
        if let Some((place, now)) = round.ticks.pop_front() {
            self.merger.take_time(place, now, runs);
            self.round = Some(round);
            return;
        }
        match &mut round.then {
            Then::More | Then::Rest => {}
            Then::Idle => self.is_idle = true,
            Then::End(failure) => {
                self.failure = failure.take();
                self.merger.take_end(AT_END, runs);
                return self.close();
            }
        }
        self.turns.give_back(round);
    }
}

impl<E> Relay<E> {
    /// Ends all threads, whatever they are doing, and waits for them.
    fn close(&mut self) {
        self.ended = true;
        self.stopper.stop();
        self.turns.close();
        self.threads.join_all();
    }
}

impl<E> Drop for Relay<E> {
    fn drop(&mut self) {
        self.close();
    }
}
