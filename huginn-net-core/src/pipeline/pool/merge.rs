//! Events of all workers into one order, and conclusions from them.

use std::collections::VecDeque;

use super::super::conclusions::Conclusions;
use super::super::lanes::put_in_order;
use super::batch::{Batch, Reported};
use super::round::{Round, Then};
use crate::{Conclude, Located};

/// Takes the events of whole rounds, and has those ready that were concluded from them.
pub(super) struct Merger<E> {
    pub(super) conclusions: Conclusions<E>,
    /// Events of one time, to be put in order; empty in between.
    together: Vec<(usize, E)>,
}

/// What one worker reported in a round.
type Run<E> = VecDeque<Reported<E>>;

impl<E: Located> Merger<E> {
    pub(super) fn new(conclusion: Box<dyn Conclude<Event = E>>) -> Self {
        Self { conclusions: Conclusions::new(conclusion), together: Vec::new() }
    }

    /// Merges the events of a round, of which these are all batches.
    pub(super) fn merge(&mut self, round: &Round, batches: &mut [Batch<E>]) {
        let mut runs: Vec<_> = batches.iter_mut().map(|batch| &mut batch.events).collect();
        for &(place, now) in &round.ticks {
            self.take_before(place, &mut runs);
            self.take_together(place, &mut runs);
            self.conclusions.on_time(now);
        }
        if let Then::End(place, _) = round.then {
            self.take_before(place, &mut runs);
            self.take_together(place, &mut runs);
            self.conclusions.on_end();
        } else {
            self.take_before(u64::MAX, &mut runs);
        }
    }

    /// Takes events of packets, in the order of their packets.
    fn take_before(&mut self, place: u64, runs: &mut [&mut Run<E>]) {
        loop {
            let first = runs.iter_mut().filter_map(|run| Some((run.front()?.order(), run)));
            let before = first.filter(|((of, _), _)| *of < place).min_by_key(|(order, _)| *order);
            let Some(reported) = before.and_then(|(_, run)| run.pop_front()) else { return };
            self.conclusions.take(reported.event);
        }
    }

    /// Takes events that all copies reported at one time.
    fn take_together(&mut self, place: u64, runs: &mut [&mut Run<E>]) {
        for run in runs {
            while run.front().is_some_and(|reported| reported.place == place)
                && let Some(reported) = run.pop_front()
            {
                self.together.push((reported.lane, reported.event));
            }
        }
        put_in_order(&mut self.together);
        for (_, event) in self.together.drain(..) {
            self.conclusions.take(event);
        }
    }
}
