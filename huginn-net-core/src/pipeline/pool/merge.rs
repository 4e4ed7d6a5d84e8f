//! Events of all workers into one order, and conclusions from them.

use std::iter::Peekable;
use std::vec::Drain;

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
type Run<'a, E> = Peekable<Drain<'a, Reported<E>>>;

impl<E: Located> Merger<E> {
    pub(super) fn new(conclusion: Box<dyn Conclude<Event = E>>) -> Self {
        Self { conclusions: Conclusions::new(conclusion), together: Vec::new() }
    }

    /// Merges the events of a round, of which these are all batches.
    pub(super) fn merge(&mut self, round: &Round, batches: &mut [Batch<E>]) {
        let mut runs: Vec<_> = batches.iter_mut().map(|batch| batch.events.drain(..).peekable()).collect();
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
    fn take_before(&mut self, place: u64, runs: &mut [Run<'_, E>]) {
        loop {
            let order_of = |run: &mut Run<'_, E>| run.peek().map(Reported::order);
            let first = runs.iter_mut().filter_map(|run| Some((order_of(run)?, run)));
            let Some((_, run)) = first.min_by_key(|(order, _)| *order) else { return };
            let Some(reported) = run.next_if(|reported| reported.place < place) else { return };
            self.conclusions.take(reported.event);
        }
    }

    /// Takes events that all copies reported at one time.
    fn take_together(&mut self, place: u64, runs: &mut [Run<'_, E>]) {
        for run in runs {
            while let Some(reported) = run.next_if(|reported| reported.place == place) {
                self.together.push((reported.lane, reported.event));
            }
        }
        put_in_order(&mut self.together);
        for (_, event) in self.together.drain(..) {
            self.conclusions.take(event);
        }
    }
}
