//! The events of one run.

use core::time::Duration;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::analyzer::AnalyzerStats;
use crate::packet::{DecodeStats, Decoder};
use crate::{Analyzer, Conclude, DecodeLimits, Filter, Read, Source, SourceError, SourceStats, Timestamp};

/// Capture time between two calls of [`Analyzer::on_time`].
const TICK: Duration = Duration::from_secs(1);

/// The events of a source, in order; reads the source as it is iterated.
///
/// An `Err` says that the source failed and is the last item; what was read before it has been reported.
pub struct Events<E> {
    source: Box<dyn Source>,
    decoder: Decoder,
    filter: Option<Arc<Filter>>,
    /// Packets that the filter left out.
    filtered: u64,
    analyzer: Box<dyn Analyzer<Event = E>>,
    conclusion: Box<dyn Conclude<Event = E>>,
    ready: VecDeque<E>,
    ticks: Ticks,
    stopper: Stopper,
    ended: bool,
    /// Reported after everything that was read before it.
    failure: Option<SourceError>,
}

impl<E> Events<E> {
    pub(super) fn new(
        source: Box<dyn Source>,
        analyzer: Box<dyn Analyzer<Event = E>>,
        conclusion: Box<dyn Conclude<Event = E>>,
        decode_limits: DecodeLimits,
        filter: Option<Arc<Filter>>,
    ) -> Self {
        Self {
            source,
            decoder: Decoder::new(decode_limits),
            filter,
            filtered: 0,
            analyzer,
            conclusion,
            ready: VecDeque::new(),
            ticks: Ticks::default(),
            stopper: Stopper::default(),
            ended: false,
            failure: None,
        }
    }

    /// Something that ends the run from another thread or a signal handler.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// What the source has given so far.
    pub fn source_stats(&self) -> &SourceStats {
        self.source.stats()
    }

    /// What has been done so far.
    pub fn stats(&self) -> Stats {
        let mut analysis = AnalyzerStats::default();
        self.analyzer.count(&mut analysis);
        self.conclusion.count(&mut analysis);
        let (source, decode) = (self.source.stats().clone(), self.decoder.stats());
        Stats { source, decode, filtered: self.filtered, analysis }
    }

    /// The next event, as [`Iterator::next`] gives it, but for [`Step::Idle`] when the source has nothing at the
    /// moment, so that the caller can do something else in between.
    ///
    /// # Errors
    /// The source failed; what was read before it has been reported.
    pub fn step(&mut self) -> Result<Step<E>, SourceError> {
        let is_idle = self.advance();
        if let Some(event) = self.ready.pop_front() {
            return Ok(Step::Event(event));
        }
        match self.failure.take() {
            Some(failure) => Err(failure),
            None if is_idle => Ok(Step::Idle),
            None => Ok(Step::End),
        }
    }

    /// Reads until an event is ready or there will be none; `true` if the source has nothing at the moment.
    fn advance(&mut self) -> bool {
        while self.ready.is_empty() && !self.ended {
            if self.stopper.is_stopped() {
                self.end();
                break;
            }
            let (conclusion, ready) = (&mut self.conclusion, &mut self.ready);
            let mut report = |event| conclusion.on_event(event, &mut |event| ready.push_back(event));
            match self.source.read() {
                Ok(Read::Frame(frame)) => {
                    let (analyzer, filter, filtered) =
                        (&mut self.analyzer, self.filter.as_deref(), &mut self.filtered);
                    self.decoder.decode_each(&frame, |packet| {
                        if filter.is_some_and(|filter| !filter.matches(packet)) {
                            *filtered += 1;
                        } else if analyzer.affinity(packet).is_some() {
                            analyzer.on_packet(packet, &mut report);
                        }
                    });
                    if self.ticks.is_due(frame.captured_at) {
                        self.decoder.on_time(frame.captured_at);
                        self.analyzer.on_time(frame.captured_at, &mut report);
                        self.conclusion.on_time(frame.captured_at, &mut |event| self.ready.push_back(event));
                    }
                }
                Ok(Read::Idle) => return true,
                Ok(Read::End) => self.end(),
                Err(error) => {
                    self.failure = Some(error);
                    self.end();
                }
            }
        }
        false
    }

    fn end(&mut self) {
        self.ended = true;
        let (conclusion, ready) = (&mut self.conclusion, &mut self.ready);
        self.analyzer.on_end(&mut |event| conclusion.on_event(event, &mut |event| ready.push_back(event)));
        conclusion.on_end(&mut |event| ready.push_back(event));
    }
}

impl<E> Iterator for Events<E> {
    type Item = Result<E, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.step() {
                Ok(Step::Event(event)) => return Some(Ok(event)),
                Ok(Step::Idle) => {}
                Ok(Step::End) => return None,
                Err(failure) => return Some(Err(failure)),
            }
        }
    }
}

/// The answer of [`Events::step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<E> {
    /// An event.
    Event(E),
    /// The source has nothing at the moment; ask again.
    Idle,
    /// There will be no more events.
    End,
}

/// Ends a run from elsewhere: no further frame is read, and what has been read is reported.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<AtomicBool>);

impl Stopper {
    /// Ends the run.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the run has been ended.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What was done in a run.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// What the source gave.
    pub source: SourceStats,
    /// What became of the frames.
    pub decode: DecodeStats,
    /// Packets that the filter left out.
    pub filtered: u64,
    /// What the analyzers counted.
    pub analysis: AnalyzerStats,
}

/// When capture time has gone on by [`TICK`], or back by as much, which starts a new count.
#[derive(Default)]
struct Ticks {
    last: Option<Timestamp>,
    /// A time far from the last one, which a single damaged frame may have.
    doubtful: Option<Timestamp>,
}

impl Ticks {
    #[inline]
    fn is_due(&mut self, now: Timestamp) -> bool {
        const FAR: Duration = Duration::from_secs(60 * 60);
        let distance = |from: Timestamp| now.since(from).max(from.since(now));
        let Some(last) = self.last else {
            self.last = Some(now);
            return true;
        };
        if distance(last) < TICK {
            return false;
        }
        if distance(last) > FAR && self.doubtful.take().is_none_or(|doubtful| distance(doubtful) > FAR) {
            self.doubtful = Some(now);
            return false;
        }
        (self.last, self.doubtful) = (Some(now), None);
        true
    }
}
