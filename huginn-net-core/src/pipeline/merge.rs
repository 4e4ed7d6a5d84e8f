//! Events of all workers into one order, and conclusions from them.

use std::collections::VecDeque;

use super::conclusions::Conclusions;
use super::lanes::put_in_order;
use crate::{Conclude, Located, Timestamp};

/// An event and where it belongs.
pub(super) struct Reported<E> {
    /// Of what the event was reported for, in the order of the source.
    pub(super) place: u64,
    pub(super) lane: usize,
    pub(super) event: E,
}

impl<E> Reported<E> {
    pub(super) fn order(&self) -> (u64, usize) {
        (self.place, self.lane)
    }
}

/// What one worker reported, in order.
pub(super) type Run<E> = VecDeque<Reported<E>>;

/// The run whose next event comes before those of all others, if it is of something before this place.
#[inline]
pub(super) fn earliest_before<'a, E: 'a>(
    place: u64,
    runs: impl IntoIterator<Item = &'a mut Run<E>>,
) -> Option<&'a mut Run<E>> {
    let next = runs.into_iter().filter_map(|run| Some((run.front()?.order(), run)));
    let before = next.filter(|((of, _), _)| *of < place);
    before.min_by_key(|(order, _)| *order).map(|(_, run)| run)
}

/// Takes events of workers, and has those ready that were concluded from them.
pub(super) struct Merger<E> {
    pub(super) conclusions: Conclusions<E>,
    /// Events of one time, to be put in order; empty in between.
    together: Vec<(usize, E)>,
}

impl<E: Located> Merger<E> {
    pub(super) fn new(conclusion: Box<dyn Conclude<Event = E>>) -> Self {
        Self { conclusions: Conclusions::new(conclusion), together: Vec::new() }
    }

    /// Takes events of packets before this place, in the order of their packets.
    pub(super) fn take_before(&mut self, place: u64, runs: &mut [&mut Run<E>]) {
        while let Some(reported) =
            earliest_before(place, runs.iter_mut().map(|run| &mut **run)).and_then(VecDeque::pop_front)
        {
            self.conclusions.take(reported.event);
        }
    }

    /// Takes events that all copies reported at the time that was told at this place.
    pub(super) fn take_time<'a>(
        &mut self,
        place: u64,
        now: Timestamp,
        runs: impl IntoIterator<Item = &'a mut Run<E>>,
    ) where
        E: 'a,
    {
        self.take_together(place, runs);
        self.conclusions.on_time(now);
    }

    /// Takes events that all copies reported at the end, which has this place.
    pub(super) fn take_end<'a>(&mut self, place: u64, runs: impl IntoIterator<Item = &'a mut Run<E>>)
    where
        E: 'a,
    {
        self.take_together(place, runs);
        self.conclusions.on_end();
    }

    fn take_together<'a>(&mut self, place: u64, runs: impl IntoIterator<Item = &'a mut Run<E>>)
    where
        E: 'a,
    {
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
