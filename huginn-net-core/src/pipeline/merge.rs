//! Events of all workers into one order, and conclusions from them.

use std::collections::VecDeque;

use super::conclusions::Conclusions;
use super::lanes::put_in_order;
use crate::{Conclude, Located, Timestamp};

/// What one worker reported, in order. Where an event belongs stands apart from it, so that the event is moved once, and what lies
/// in the cache of another core is not looked at before its turn has come.
pub(super) struct Run<E> {
    orders: VecDeque<Order>,
    events: VecDeque<E>,
}

/// Place of what an event was reported for, in the order of the source, and the lane that did.
type Order = (u64, usize);

impl<E> Run<E> {
    /// Events that an empty one keeps room for.
    const KEPT: usize = 1_024;

    pub(super) fn new() -> Self {
        Self { orders: VecDeque::new(), events: VecDeque::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, place: u64, lane: usize, event: E) {
        self.orders.push_back((place, lane));
        self.events.push_back(event);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<E> {
        self.orders.pop_front();
        self.events.pop_front()
    }

    #[inline]
    fn next(&self) -> Option<Order> {
        self.orders.front().copied()
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    /// Makes it empty, with room for [a number](Self::KEPT) of events at most.
    pub(super) fn clear(&mut self) {
        self.orders.clear();
        self.orders.shrink_to(Self::KEPT);
        self.events.clear();
        self.events.shrink_to(Self::KEPT);
    }
}

/// The run whose next event comes before those of all others, if it is of something before this place.
#[inline]
pub(super) fn earliest_before<'a, E: 'a>(
    place: u64,
    runs: impl IntoIterator<Item = &'a mut Run<E>>,
) -> Option<&'a mut Run<E>> {
    let next = runs.into_iter().filter_map(|run| Some((run.next()?, run)));
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
        while let Some(event) =
            earliest_before(place, runs.iter_mut().map(|run| &mut **run)).and_then(Run::pop)
        {
            self.conclusions.take(event);
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
            while let Some((_, lane)) = run.next().filter(|&(of, _)| of == place)
                && let Some(event) = run.pop()
            {
                self.together.push((lane, event));
            }
        }
        put_in_order(&mut self.together);
        for (_, event) in self.together.drain(..) {
            self.conclusions.take(event);
        }
    }
}
