//! Analysis by workers that each read the whole capture, if it can be read any number of times.
//!
//! Each decodes every packet and analyzes those of its flows. That costs less than to copy packets for another thread, and who
//! reads ahead for all is nobody's limit. Workers count packets and times alike, so that their events can be put in order: an
//! event comes out when all workers have reported how far they are, and none is still before it.
//!
//! A worker has few batches of events, and waits when all are on their way, so that none gets far ahead of another one.

mod worker;

use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use self::worker::{AT_END, Horizon, Message, Position, Report, Then, Worker};
use super::conclusions::{Answer, Answers};
use super::decoding::Input;
use super::events::{Stats, Stopper};
use super::lanes::Lanes;
use super::merge::{Merger, Run, earliest_before};
use super::pool::PoolConfig;
use super::shared::Shared;
use super::spread::Spread;
use super::threads::Threads;
use crate::{Conclude, Located, SourceError, Timestamp};

/// Batches of a worker that are on their way, at most: more would be out of the cache before their events are taken.
const AHEAD: usize = 4;

/// The threads of a run, and the end at which their events come out.
pub(super) struct Forks<E> {
    links: Vec<Link<E>>,
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

/// What is known of a worker where events are merged.
struct Link<E> {
    /// A channel of its own, so that nobody is woken but for the worker that is waited for.
    messages: Receiver<Message<E>>,
    /// What it reported and was not taken.
    report: Option<Report<E>>,
    /// The way back for empty batches; `None` once the run is over.
    returns: Option<Sender<Report<E>>>,
    is_gone: bool,
}

impl<E> Link<E> {
    /// Gives its batch back to it.
    fn give_back(&mut self) {
        if let (Some(report), Some(returns)) = (self.report.take(), &self.returns) {
            // One that has ended needs none.
            let _ = returns.send(report.emptied());
        }
    }

    /// What it reported, if all before this place was taken.
    fn reported_before(&mut self, place: u64) -> Option<&mut Report<E>> {
        self.report.as_mut().filter(|report| report.before == place)
    }

    /// Takes the time that was told at this place.
    fn take_tick(&mut self, place: u64) -> Option<Timestamp> {
        let ticks = &mut self.report.as_mut()?.ticks;
        ticks.front().filter(|(at, _)| *at == place)?;
        ticks.pop_front().map(|(_, now)| now)
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
            links: Vec::new(),
            next_stop: None,
            merger: Merger::new(conclusion),
            reader: 0,
            threads: Threads::default(),
            shared: Arc::new(Shared::new(config.workers, config.workers)),
            stopper,
            is_idle: false,
            ended: false,
            failure: None,
        };
        let (spread, horizon) = (Spread::over(config.workers), Arc::new(Horizon::default()));
        for (index, input) in inputs.enumerate() {
            let (merger, messages) = mpsc::channel();
            let (returns, returned) = mpsc::channel();
            run.links.push(Link { messages, report: None, returns: Some(returns), is_gone: false });
            let reports = config.queue.min(AHEAD);
            let farewell = (merger.clone(), Message::Gone);
            let worker = Worker {
                index,
                input,
                lanes: lanes(),
                spread: spread.clone(),
                batch_events: config.batch_packets,
                report: Report::default(),
                // One more is being filled.
                spare: (1..reports).map(|_| Report::default()).collect(),
                reports,
                returned,
                merger,
                shared: Arc::clone(&run.shared),
                stopper: run.stopper.clone(),
                horizon: Arc::clone(&horizon),
                position: Position::default(),
            };
            if let Err(failure) =
                run.threads.start(format!("huginn-worker-{index}"), farewell, || worker.run())
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
            let Some(place) = self.next_stop else {
                self.hear();
                continue;
            };
            let runs = self.links.iter_mut().filter_map(|link| Some(&mut link.report.as_mut()?.events));
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

    /// Finds out how far events may be taken, or waits for a worker that has not reported.
    fn hear(&mut self) {
        if let Some(missing) = self.links.iter().position(|link| link.report.is_none()) {
            return self.wait_for(missing);
        }
        let reports = self.links.iter().filter_map(|link| link.report.as_ref());
        let stops = reports.map(|report| report.ticks.front().map_or(report.before, |(place, _)| *place));
        self.next_stop = stops.min();
    }

    /// Waits for what a worker has to report.
    fn wait_for(&mut self, index: usize) {
        let Some(link) = self.links.get_mut(index).filter(|link| !link.is_gone) else {
            return self.give_up(index);
        };
        match link.messages.recv() {
            Ok(Message::Report(report)) => link.report = Some(report),
            Ok(Message::Gone) | Err(_) => link.is_gone = true,
        }
    }

    /// Does what stands at a place before which all events were taken.
    fn on_place(&mut self, place: u64) {
        let mut goes_on = false;
        for link in &mut self.links {
            match link.reported_before(place).map(|report| &report.then) {
                Some(Then::More) => {}
                Some(Then::Idle) => self.is_idle = true,
                Some(Then::End(..)) | None => continue,
            }
            goes_on = true;
            link.give_back();
        }
        // What follows may be of the same place.
        if goes_on {
            return;
        }
        let ends = self.links.iter_mut().enumerate().filter_map(|(index, link)| {
            let Then::End(frame, failure) = &mut link.reported_before(place)?.then else { return None };
            Some((index, *frame, failure))
        });
        // Others that end there because of a failure do not know of it.
        if let Some((reader, frame, failure)) =
            ends.min_by_key(|(_, frame, failure)| (failure.is_none(), *frame))
        {
            (self.reader, self.failure) = (reader, failure.take());
            return self.end(place, frame);
        }
        let times = self.links.iter_mut().map(|link| link.take_tick(place));
        let (mut now, mut is_one) = (None, true);
        for time in times {
            (now, is_one) = (time.or(now), is_one && time.is_some());
        }
        if !is_one {
            self.end_in_failure(Some(SourceError::Changed));
        } else if let Some(now) = now {
            let runs = self.links.iter_mut().filter_map(|link| Some(&mut link.report.as_mut()?.events));
            self.merger.take_time(place, now, runs);
        }
    }

    /// Ends the run at a place, behind a frame. What others have read behind it, because a source failed there, is let go.
    fn end(&mut self, place: u64, last: u64) {
        let mut ends: Vec<Run<E>> = Vec::new();
        for index in 0..self.links.len() {
            while let Some(link) = self.links.get_mut(index)
                && !self.ended
            {
                match &mut link.report {
                    Some(Report { events, before, then: Then::End(..), .. }) => {
                        if *before > place {
                            self.failure.get_or_insert(SourceError::Changed);
                            events.retain(|event| event.located().is_none_or(|origin| origin.frame <= last));
                        }
                        ends.push(mem::replace(events, Run::new()));
                        break;
                    }
                    Some(_) => link.give_back(),
                    None => self.wait_for(index),
                }
            }
        }
        if !self.ended {
            self.merger.take_end(AT_END, &mut ends);
            self.close();
        }
    }

    /// Ends a run of which a worker is gone before its end.
    fn give_up(&mut self, worker: usize) {
        let failure = self.threads.join(worker).err();
        self.end_in_failure(failure);
    }

    /// Ends a run with what was merged so far.
    fn end_in_failure(&mut self, failure: Option<SourceError>) {
        self.failure = failure;
        self.merger.conclusions.on_end();
        self.close();
    }
}

impl<E> Forks<E> {
    /// Ends all threads, whatever they are doing, and waits for them.
    fn close(&mut self) {
        self.ended = true;
        self.stopper.stop();
        for link in &mut self.links {
            link.returns = None;
        }
        self.threads.join_all();
    }
}

impl<E> Drop for Forks<E> {
    fn drop(&mut self) {
        self.close();
    }
}
