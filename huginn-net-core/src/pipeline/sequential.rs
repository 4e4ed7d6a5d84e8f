//! Analysis in the thread of the caller.

use super::conclusions::{Answer, Answers, Conclusions};
use super::decoding::Input;
use super::events::{Stats, Stopper};
use super::lanes::{Lanes, put_in_order};
use super::ticks::Ticks;
use crate::analyzer::AnalyzerStats;
use crate::{Conclude, Located, Read, SourceError};

/// Reads the source as it is asked for events.
pub(super) struct Sequential<E> {
    input: Input,
    lanes: Lanes<E>,
    conclusions: Conclusions<E>,
    /// Events of one time, to be put in order; empty in between.
    together: Vec<(usize, E)>,
    ticks: Ticks,
    stopper: Stopper,
    ended: bool,
    /// Reported after everything that was read before it.
    failure: Option<SourceError>,
}

impl<E: Located> Answers<E> for Sequential<E> {
    fn advance(&mut self, answer: &mut impl Answer<E>) -> bool {
        while self.conclusions.ready.is_empty() && !self.ended {
            if self.stopper.is_stopped() {
                self.end();
                break;
            }
            match self.input.source.read() {
                // By reference: to copy what was just written field by field takes a wait.
                Ok(Read::Frame(ref frame)) => {
                    let (lanes, conclusions) = (&mut self.lanes, &mut self.conclusions);
                    let mut report = |event| conclusions.take_as_answer(event, answer);
                    self.input.decoding.each(frame, |packet| lanes.offer(packet, &mut report));
                    if self.ticks.is_due(frame.captured_at) {
                        let now = frame.captured_at;
                        self.input.decoding.on_time(now);
                        self.lanes.on_time(now, &mut |lane, event| self.together.push((lane, event)));
                        self.conclude_together();
                        self.conclusions.on_time(now);
                    }
                    if !answer.is_nothing() {
                        return false;
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
        self.conclusions.answer(&mut self.failure, answer);
        false
    }
}

impl<E: Located> Sequential<E> {
    pub(super) fn new(
        input: Input,
        lanes: Lanes<E>,
        conclusion: Box<dyn Conclude<Event = E>>,
        stopper: Stopper,
    ) -> Self {
        Self {
            input,
            lanes,
            conclusions: Conclusions::new(conclusion),
            together: Vec::new(),
            ticks: Ticks::default(),
            stopper,
            ended: false,
            failure: None,
        }
    }

    pub(super) fn stats(&self) -> Stats {
        let mut analysis = AnalyzerStats::default();
        self.lanes.count(&mut analysis);
        self.conclusions.count(&mut analysis);
        let (decode, filtered) = self.input.decoding.stats();
        Stats { source: self.input.source.stats().clone(), decode, filtered, analysis, pool: None }
    }

    fn end(&mut self) {
        self.ended = true;
        self.lanes.on_end(&mut |lane, event| self.together.push((lane, event)));
        self.conclude_together();
        self.conclusions.on_end();
    }

    /// Concludes from what was reported at one time.
    fn conclude_together(&mut self) {
        put_in_order(&mut self.together);
        for (_, event) in self.together.drain(..) {
            self.conclusions.take(event);
        }
    }
}
