//! What is concluded from events, until the caller takes it.

use std::collections::VecDeque;

use super::events::Step;
use crate::{AnalyzerStats, Conclude, SourceError, Timestamp};

/// What is told to who asks for an event, in the form in which it is asked for: nothing at first, and then once.
pub(super) trait Answer<E> {
    fn put(&mut self, event: E);
    fn fail(&mut self, failure: SourceError);
    /// Whether there is room for an answer.
    fn is_nothing(&self) -> bool;
}

/// Of an iterator.
impl<E> Answer<E> for Option<Result<E, SourceError>> {
    fn put(&mut self, event: E) {
        *self = Some(Ok(event));
    }

    fn fail(&mut self, failure: SourceError) {
        *self = Some(Err(failure));
    }

    fn is_nothing(&self) -> bool {
        self.is_none()
    }
}

/// Of a step.
impl<E> Answer<E> for Result<Step<E>, SourceError> {
    fn put(&mut self, event: E) {
        *self = Ok(Step::Event(event));
    }

    fn fail(&mut self, failure: SourceError) {
        *self = Err(failure);
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Ok(Step::End))
    }
}

/// Who finds an answer each time that somebody asks.
pub(super) trait Answers<E> {
    /// Goes on until there is something to answer, or the end, or nothing to read at the moment: whether it is that.
    fn advance(&mut self, answer: &mut impl Answer<E>) -> bool;

    fn step(&mut self) -> Result<Step<E>, SourceError> {
        let mut answer = Ok(Step::End);
        if self.advance(&mut answer) {
            answer = Ok(Step::Idle);
        }
        answer
    }

    fn next(&mut self) -> Option<Result<E, SourceError>> {
        let mut answer = None;
        while self.advance(&mut answer) {}
        answer
    }
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
    pub(super) fn take_as_answer(&mut self, mut event: E, answer: &mut impl Answer<E>) {
        if !answer.is_nothing() || !self.ready.is_empty() {
            return self.take(event);
        }
        if self.conclusion.passes(&mut event) {
            answer.put(event);
        } else {
            self.conclusion.on_event(event, &mut |event| self.ready.push_back(event));
        }
    }

    /// Answers with what waits, and then with a failure, if there is one.
    #[inline]
    pub(super) fn answer(&mut self, failure: &mut Option<SourceError>, answer: &mut impl Answer<E>) {
        if let Some(event) = self.ready.pop_front() {
            answer.put(event);
        } else if let Some(failure) = failure.take() {
            answer.fail(failure);
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
