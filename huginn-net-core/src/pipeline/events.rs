//! The events of one run.

use core::fmt;
use core::iter::FusedIterator;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::conclusions::Answers;
use super::pool::{Pool, PoolStats};
use super::relay::Relay;
use super::sequential::Sequential;
use super::shards::Shards;
use crate::analyzer::AnalyzerStats;
use crate::packet::DecodeStats;
use crate::{Located, SourceError, SourceStats};

/// The events of a source, in order.
///
/// An `Err` says that the source failed, or that an analyzer panicked in another thread, and is the last item; what was
/// read before it has been reported.
///
/// Without workers it reads the source as it is iterated. With workers the reading goes on ahead of the iteration, as far
/// as queues go; dropping it ends the run, waits for the read that is under way, and joins all threads.
#[must_use = "dropping it ends the run"]
pub struct Events<E> {
    driver: Driver<E>,
    stopper: Stopper,
}

impl<E> fmt::Debug for Events<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("stopper", &self.stopper).finish_non_exhaustive()
    }
}

pub(super) enum Driver<E> {
    Sequential(Box<Sequential<E>>),
    Pool(Box<Pool<E>>),
    Relay(Box<Relay<E>>),
    Shards(Box<Shards<E>>),
}

impl<E: Located> Events<E> {
    pub(super) fn new(driver: Driver<E>, stopper: Stopper) -> Self {
        Self { driver, stopper }
    }

    /// Something that ends the run from another thread or a signal handler.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// What has been done so far.
    ///
    /// With workers it is what they had done when the source was idle last, after the last full second of capture time, or
    /// at the end, and complete once the end was reached.
    #[must_use]
    pub fn stats(&self) -> Stats {
        match &self.driver {
            Driver::Sequential(driver) => driver.stats(),
            Driver::Pool(driver) => driver.stats(),
            Driver::Relay(driver) => driver.stats(),
            Driver::Shards(driver) => driver.stats(),
        }
    }

    /// The next event, as [`Iterator::next`] gives it, but for [`Step::Idle`] when the source has nothing at the
    /// moment, so that the caller can do something else in between.
    ///
    /// # Errors
    /// The source failed; what was read before it has been reported.
    pub fn step(&mut self) -> Result<Step<E>, SourceError> {
        match &mut self.driver {
            Driver::Sequential(driver) => driver.step(),
            Driver::Pool(driver) => driver.step(),
            Driver::Relay(driver) => driver.step(),
            Driver::Shards(driver) => driver.step(),
        }
    }
}

impl<E: Located> Iterator for Events<E> {
    type Item = Result<E, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.driver {
            Driver::Sequential(driver) => return driver.next(),
            Driver::Relay(driver) => return driver.next(),
            Driver::Pool(_) | Driver::Shards(_) => {}
        }
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

impl<E: Located> FusedIterator for Events<E> {}

/// The answer of [`Events::step`], complete: there is an event, or none yet, or none ever.
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
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What was done in a run.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// What the source gave; of shards, what all gave.
    pub source: SourceStats,
    /// What became of the frames.
    pub decode: DecodeStats,
    /// Packets that the filter left out.
    pub filtered: u64,
    /// What the analyzers counted.
    pub analysis: AnalyzerStats,
    /// What the workers did; `None` without workers.
    pub pool: Option<PoolStats>,
}
