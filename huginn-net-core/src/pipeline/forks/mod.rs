//! Analysis by workers that each read the whole capture, if it can be read any number of times.
//!
//! Each decodes every packet and analyzes those of its flows. That costs less than to copy packets for another thread, and who
//! reads ahead for all is nobody's limit. Workers count packets and times alike, so that their events can be put in order: an
//! event comes out when all workers have reported how far they are, and none is still before it.
//!
//! A worker has few batches of events, and stops when all are on their way, so that none gets far ahead of another one. The caller
//! goes on with one where it would wait otherwise, so that there need be no more threads than cores.

mod shares;
mod worker;

use std::mem;
use std::sync::Arc;

use self::shares::Shares;
use self::worker::{AT_END, Horizon, Position, Report, Then, Worker};
use super::conclusions::{Answer, Answers};
use super::decoding::Input;
use super::events::{Stats, Stopper};
use super::lanes::Lanes;
use super::merge::{Merger, Run, earliest_before};
use super::pool::PoolConfig;
use super::shared::Shared;
use super::spread::Spread;
use super::threads::Threads;
use super::ticks::Ticks;
use crate::{Conclude, Located, SourceError, Timestamp};

/// Batches of a worker that are on their way, at most: more would be out of the cache before their events are taken.
const AHEAD: usize = 4;

/// The threads of a run, and the end at which their events come out.
pub(super) struct Forks<E> {
    shares: Arc<Shares<E>>,
    /// What each worker reported and was not taken.
    reports: Vec<Option<Report<E>>>,
    /// Up to here all events may be taken: there is a time to be told, or some worker has not reported further.
    next_stop: Option<u64>,
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

impl<E> Report<E> {
    /// Takes the time that was told at this place.
    fn take_tick(&mut self, place: u64) -> Option<Timestamp> {
        self.ticks.front().filter(|(at, _)| *at == place)?;
        self.ticks.pop_front().map(|(_, now)| now)
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
        let shared = Arc::new(Shared::new(config.workers, config.workers));
        let (spread, horizon) = (Spread::over(config.workers), Arc::new(Horizon::default()));
        let workers = inputs.enumerate().map(|(index, input)| Worker {
            index,
            input,
            lanes: lanes(),
            spread: spread.clone(),
            batch_events: config.batch_packets,
            shared: Arc::clone(&shared),
            stopper: stopper.clone(),
            horizon: Arc::clone(&horizon),
            ticks: Ticks::default(),
            position: Position::default(),
            end: None,
        });
        let shares = Arc::new(Shares::new(workers, config.queue.min(AHEAD), Arc::clone(&shared)));
        let mut run = Self {
            shares,
            reports: (0..config.workers).map(|_| None).collect(),
            next_stop: None,
            merger: Merger::new(conclusion),
            reader: 0,
            threads: Threads::default(),
            shared,
            stopper,
            is_idle: false,
            ended: false,
            failure: None,
        };
        // The caller is a thread, too.
        for thread in 0..config.workers.min(config.max_readers.saturating_sub(1)) {
            // The first worker is left to the caller, if one is.
            let (shares, own) = (Arc::clone(&run.shares), config.workers - 1 - thread);
            let started = run.threads.start(format!("huginn-reader-{thread}"), move || shares.work(own));
            if let Err(failure) = started {
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
            let Some(place) = self.next_stop else {
                self.hear();
                continue;
            };
            let runs = self.reports.iter_mut().flatten().map(|report| &mut report.events);
            let earliest = earliest_before(place, runs);
            if let Some(event) = earliest.and_then(Run::pop) {
                self.merger.conclusions.take_as_answer(event, answer);
                if !answer.is_nothing() {
                    return false;
                }
            } else {
                self.next_stop = None;
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

    /// Finds out how far events may be taken, or has a worker go on that has not reported.
    fn hear(&mut self) {
        if let Some(missing) = self.reports.iter().position(Option::is_none) {
            return self.take_report(missing);
        }
        let reports = self.reports.iter().flatten();
        let stops = reports.map(|report| report.ticks.front().map_or(report.before, |(place, _)| *place));
        self.next_stop = stops.min();
    }

    /// Takes what a worker has to report next, once it has.
    fn take_report(&mut self, index: usize) {
        match self.shares.take(index) {
            Ok(report @ Some(_)) => {
                if let Some(place) = self.reports.get_mut(index) {
                    *place = report;
                }
            }
            Ok(None) => self.end_in_failure(None),
            Err(panic) => self.end_in_failure(Some(panic)),
        }
    }

    /// Gives the batch of a worker back to it.
    fn give_back(&mut self, index: usize) {
        if let Some(report) = self.reports.get_mut(index).and_then(Option::take) {
            self.shares.give_back(index, report);
        }
    }

    /// Does what stands at a place before which all events were taken.
    fn on_place(&mut self, place: u64) {
        let mut goes_on = false;
        for index in 0..self.reports.len() {
            let Some(Some(report)) = self.reports.get(index) else { continue };
            if report.before != place {
                continue;
            }
            match report.then {
                Then::More => {}
                Then::Idle => self.is_idle = true,
                Then::End(..) => continue,
            }
            goes_on = true;
            self.give_back(index);
        }
        // What follows may be of the same place.
        if goes_on {
            return;
        }
        let ends = self.reports.iter_mut().enumerate().filter_map(|(index, report)| {
            let report = report.as_mut().filter(|report| report.before == place)?;
            let Then::End(frame, failure) = &mut report.then else { return None };
            Some((index, *frame, failure))
        });
        // Others that end there because of a failure do not know of it.
        if let Some((reader, frame, failure)) =
            ends.min_by_key(|(_, frame, failure)| (failure.is_none(), *frame))
        {
            (self.reader, self.failure) = (reader, failure.take());
            return self.end(place, frame);
        }
        let times = self.reports.iter_mut().map(|report| report.as_mut()?.take_tick(place));
        let (mut now, mut is_one) = (None, true);
        for time in times {
            (now, is_one) = (time.or(now), is_one && time.is_some());
        }
        if !is_one {
            self.end_in_failure(Some(SourceError::Changed));
        } else if let Some(now) = now {
            let runs = self.reports.iter_mut().flatten().map(|report| &mut report.events);
            self.merger.take_time(place, now, runs);
        }
    }

    /// Ends the run at a place, behind a frame. What others have read behind it, because a source failed there, is let go.
    fn end(&mut self, place: u64, last: u64) {
        let mut ends: Vec<Run<E>> = Vec::new();
        for index in 0..self.reports.len() {
            while let Some(report) = self.reports.get_mut(index)
                && !self.ended
            {
                match report {
                    Some(Report { events, before, then: Then::End(..), .. }) => {
                        if *before > place {
                            self.failure.get_or_insert(SourceError::Changed);
                            events.retain(|event| event.located().is_none_or(|origin| origin.frame <= last));
                        }
                        ends.push(mem::replace(events, Run::new()));
                        break;
                    }
                    Some(_) => self.give_back(index),
                    None => self.take_report(index),
                }
            }
        }
        if !self.ended {
            self.merger.take_end(AT_END, &mut ends);
            self.close();
        }
    }

    /// Ends a run with what was merged so far.
    fn end_in_failure(&mut self, failure: Option<SourceError>) {
        self.failure = self.failure.take().or(failure);
        self.merger.conclusions.on_end();
        self.close();
    }
}

impl<E> Forks<E> {
    /// Ends all threads, whatever they are doing, and waits for them.
    fn close(&mut self) {
        self.ended = true;
        self.stopper.stop();
        self.shared.abandon();
        self.shares.close();
        self.threads.join_all();
    }
}

impl<E> Drop for Forks<E> {
    fn drop(&mut self) {
        self.close();
    }
}
