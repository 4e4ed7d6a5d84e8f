//! What is concluded from events, until the caller takes it.

use std::collections::VecDeque;

use crate::{AnalyzerStats, Conclude, Timestamp};

/// The conclusion of a run, and what came out of it.
pub(super) struct Conclusions<E> {
    conclusion: Box<dyn Conclude<Event = E>>,
    pub(super) ready: VecDeque<E>,
}

impl<E> Conclusions<E> {
    pub(super) fn new(conclusion: Box<dyn Conclude<Event = E>>) -> Self {
        Self { conclusion, ready: VecDeque::new() }
    }

    /// Takes an event in its order.
    #[inline]
    pub(super) fn take(&mut self, event: E) {
        // Looked at where it will wait, so that it is moved once.
        self.ready.push_back(event);
        let passes = self.ready.back_mut().is_none_or(|event| self.conclusion.passes(event));
        if !passes && let Some(event) = self.ready.pop_back() {
            self.conclusion.on_event(event, &mut |event| self.ready.push_back(event));
        }
    }

    pub(super) fn on_time(&mut self, now: Timestamp) {
        self.conclusion.on_time(now, &mut |event| self.ready.push_back(event));
    }

    pub(super) fn on_end(&mut self) {
        self.conclusion.on_end(&mut |event| self.ready.push_back(event));
    }

    pub(super) fn count(&self, stats: &mut AnalyzerStats) {
        self.conclusion.count(stats);
    }
}
