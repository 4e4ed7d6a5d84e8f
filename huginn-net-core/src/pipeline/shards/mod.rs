//! Analysis of several sources that share the traffic by flow.
//!
//! Each has a thread that reads, decodes and analyzes. Their events are merged by capture time: an event comes out when every
//! other source has got as far, is idle, or has ended. A live source is not kept from reading for the sake of this order.

mod reader;

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use self::reader::{EVENTS_TOLD, Message, Position, Reader, Report};
use super::conclusions::Conclusions;
use super::decoding::Input;
use super::events::{Stats, Step, Stopper};
use super::lanes::{Lanes, put_in_order};
use super::pool::PoolConfig;
use super::shared::Shared;
use super::threads::Threads;
use super::ticks::Ticks;
use crate::{Conclude, Located, SourceError, Timestamp};

/// The threads of a run, and the end at which their events come out.
pub(super) struct Shards<E> {
    messages: Receiver<Message<E>>,
    shards: Vec<Shard<E>>,
    conclusions: Conclusions<E>,
    /// What was reported at the end of sources.
    at_end: Vec<(usize, E)>,
    ticks: Ticks,
    threads: Threads,
    shared: Arc<Shared>,
    stopper: Stopper,
    is_idle: bool,
    ended: bool,
    /// Reported after everything that was read before it.
    failure: Option<SourceError>,
}

/// What is known of a shard where events are merged.
struct Shard<E> {
    /// With events that have not come out.
    reports: VecDeque<Report<E>>,
    position: Position,
    is_idle: bool,
    /// It was idle at some time since the caller was told that all were.
    was_idle: bool,
    has_ended: bool,
    /// How many reports may wait here: a live source with as many is about to wait for one of them, and to lose frames until
    /// then. `None` for a capture, which can wait.
    most_reports: Option<usize>,
    /// The way back for empty reports; `None` once the run is over.
    returns: Option<Sender<Report<E>>>,
}

/// Events that an empty report keeps room for.
const EVENTS_KEPT: usize = 2 * EVENTS_TOLD;

impl<E> Shard<E> {
    /// Where its next event belongs.
    fn next(&mut self) -> Option<Position> {
        loop {
            let report = self.reports.front()?;
            if let Some((position, _)) = report.events.front() {
                return Some(*position);
            }
            if let (Some(Report { mut events, .. }), Some(returns)) =
                (self.reports.pop_front(), &self.returns)
            {
                // Memory that one moment with many events took is given back.
                events.shrink_to(EVENTS_KEPT);
                // A source that has ended needs none.
                let _ = returns.send(Report { events, ..Report::default() });
            }
        }
    }

    fn take_next(&mut self) -> Option<E> {
        self.reports.front_mut()?.events.pop_front().map(|(_, event)| event)
    }

    /// Whether its source can read no further.
    fn is_held_up(&self) -> bool {
        self.most_reports.is_some_and(|most| self.reports.len() >= most)
    }

    /// Whether its next event may be one that belongs before those of others.
    fn is_waited_for(&self) -> bool {
        self.reports.is_empty() && !self.is_idle && !self.has_ended
    }
}

impl<E: Located + Send + 'static> Shards<E> {
    pub(super) fn start(
        shards: Vec<(Input, Lanes<E>)>,
        config: PoolConfig,
        conclusion: Box<dyn Conclude<Event = E>>,
        stopper: Stopper,
    ) -> Self {
        let config = config.in_range();
        let (sender, messages) = mpsc::channel();
        let shared = Arc::new(Shared::new(shards.len(), shards.len()));
        let mut run = Self {
            messages,
            shards: Vec::new(),
            conclusions: Conclusions::new(conclusion),
            at_end: Vec::new(),
            ticks: Ticks::default(),
            threads: Threads::default(),
            shared,
            stopper,
            is_idle: false,
            ended: false,
            failure: None,
        };
        for (index, (input, lanes)) in shards.into_iter().enumerate() {
            let (returns, returned) = mpsc::channel();
            run.shards.push(Shard {
                reports: VecDeque::new(),
                position: Position::default(),
                is_idle: false,
                was_idle: false,
                has_ended: false,
                most_reports: input.source.is_live().then_some(config.queue),
                returns: Some(returns),
            });
            let reader = Reader {
                index,
                input,
                lanes,
                config,
                report: Report::default(),
                spare: (0..config.queue).map(|_| Report::default()).collect(),
                returned,
                merger: sender.clone(),
                shared: Arc::clone(&run.shared),
                stopper: run.stopper.clone(),
            };
            let farewell = (sender.clone(), Message::Gone(index));
            if let Err(failure) =
                run.threads.start_with_farewell(format!("huginn-shard-{index}"), farewell, || reader.run())
            {
                run.failure = Some(failure);
                run.close();
                break;
            }
        }
        run
    }
}

impl<E: Located> Shards<E> {
    pub(super) fn stats(&self) -> Stats {
        self.shared.stats(&self.conclusions)
    }

    pub(super) fn step(&mut self) -> Result<Step<E>, SourceError> {
        while self.conclusions.ready.is_empty() && !self.is_idle && !self.ended {
            self.advance();
        }
        if let Some(event) = self.conclusions.ready.pop_front() {
            return Ok(Step::Event(event));
        }
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        Ok(if mem::take(&mut self.is_idle) { Step::Idle } else { Step::End })
    }

    /// Takes a message, and releases what need not wait any longer.
    fn advance(&mut self) {
        if self.shards.iter().all(|shard| shard.has_ended) {
            return self.end();
        }
        match self.messages.recv() {
            Ok(Message::Report(shard, report)) => self.take(shard, report),
            Ok(Message::Gone(index)) => {
                if let Some(shard) = self.shards.get_mut(index) {
                    shard.has_ended = true;
                }
                if let Err(panic) = self.threads.join(index) {
                    self.fail(panic);
                }
            }
            Err(_) => return self.end(),
        }
        self.release();
    }

    fn take(&mut self, index: usize, mut report: Report<E>) {
        let Some(shard) = self.shards.get_mut(index) else { return };
        shard.position = report.position;
        shard.is_idle = report.is_idle;
        shard.was_idle |= report.is_idle;
        let end = report.end.take();
        shard.has_ended = end.is_some();
        shard.reports.push_back(report);
        if let Some(end) = end {
            self.at_end.extend(end.events);
            if let Some(failure) = end.failure {
                self.fail(failure);
            }
        }
        self.tell_idle();
    }

    /// Says that the sources are idle when each has been: those of a busy link are never so at the same time.
    fn tell_idle(&mut self) {
        let mut going_on = self.shards.iter_mut().filter(|shard| !shard.has_ended).peekable();
        self.is_idle |= going_on.peek().is_some() && going_on.all(|shard| shard.was_idle);
        if self.is_idle {
            self.shards.iter_mut().for_each(|shard| shard.was_idle = false);
        }
    }

    /// The other sources are read no further, either.
    fn fail(&mut self, failure: SourceError) {
        self.failure.get_or_insert(failure);
        self.stopper.stop();
    }

    /// Has those events ready that come before all that are still to be expected; more of them where a live source would be
    /// held up by one that is slow, or whose clock was set back.
    fn release(&mut self) {
        loop {
            let (mut next, mut expected): (Option<(Position, usize)>, Option<Position>) = (None, None);
            for (index, shard) in self.shards.iter_mut().enumerate() {
                if let Some(position) = shard.next() {
                    next = Some(next.map_or((position, index), |earlier| earlier.min((position, index))));
                } else if shard.is_waited_for() {
                    expected = Some(expected.map_or(shard.position, |earlier| earlier.min(shard.position)));
                }
            }
            let is_first = |position: Position| expected.is_none_or(|expected| position <= expected);
            let goes_on = |position| is_first(position) || self.shards.iter().any(Shard::is_held_up);
            let Some((position, index)) = next.filter(|&(position, _)| goes_on(position)) else {
                return expected.map_or((), |(now, _)| self.on_time(now));
            };
            if let Some(event) = self.shards.get_mut(index).and_then(Shard::take_next) {
                self.conclusions.take(event);
            }
            self.on_time(position.0);
        }
    }

    /// Says how far all shards have got.
    fn on_time(&mut self, now: Timestamp) {
        if self.ticks.is_due(now) {
            self.conclusions.on_time(now);
        }
    }

    fn end(&mut self) {
        put_in_order(&mut self.at_end);
        for (_, event) in self.at_end.drain(..) {
            self.conclusions.take(event);
        }
        self.conclusions.on_end();
        self.close();
    }
}

impl<E> Shards<E> {
    /// Ends all threads, whatever they are doing, and waits for them.
    fn close(&mut self) {
        self.ended = true;
        self.stopper.stop();
        for shard in &mut self.shards {
            shard.returns = None;
        }
        self.threads.join_all();
    }
}

impl<E> Drop for Shards<E> {
    fn drop(&mut self) {
        self.close();
    }
}
