//! What is concluded from events, until the caller takes it.

use core::mem;
use std::collections::VecDeque;

use super::events::Step;
use crate::{AnalyzerStats, Conclude, SourceError, Timestamp};

/// What is told to who asks for an event.
pub(super) type Answer<E> = Result<Step<E>, SourceError>;

pub(super) const fn has_event<E>(answer: &Answer<E>) -> bool {
    matches!(answer, Ok(Step::Event(_)))
}

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

    /// Takes an event in its order: as the answer, if that has none and nothing waits before it.
    #[inline]
    pub(super) fn take_as_answer(&mut self, event: E, answer: &mut Answer<E>) {
        // Nothing has to be dropped then, in between which the event would have to be kept elsewhere.
        if !matches!(answer, Ok(Step::End)) || !self.ready.is_empty() {
            return self.take(event);
        }
        // Looked at where the caller gets it, so that it is moved once.
        *answer = Ok(Step::Event(event));
        let passes = match answer {
            Ok(Step::Event(event)) => self.conclusion.passes(event),
            _ => true,
        };
        if !passes && let Ok(Step::Event(event)) = mem::replace(answer, Ok(Step::End)) {
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
