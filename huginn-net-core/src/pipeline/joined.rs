//! An analyzer beside those of a pipeline.

use core::marker::PhantomData;

use crate::{AnalyzerStats, Conclude, Located, Origin, Timestamp};

/// An event of a pipeline to which an analyzer was added, see [`Pipeline::with_analyzer`](crate::Pipeline::with_analyzer).
/// There are no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined<E, A> {
    /// Of the pipeline.
    Base(E),
    /// Of the analyzer that was added.
    Added(A),
}

impl<E: Located, A: Located> Located for Joined<E, A> {
    fn located(&self) -> Option<&Origin> {
        match self {
            Self::Base(event) => event.located(),
            Self::Added(event) => event.located(),
        }
    }
}

/// The conclusion of the pipeline, past which the events of the added analyzer go.
pub(super) struct BaseConclusion<E, A> {
    base: Box<dyn Conclude<Event = E>>,
    added: PhantomData<fn() -> A>,
}

impl<E, A> BaseConclusion<E, A> {
    pub(super) fn new(base: Box<dyn Conclude<Event = E>>) -> Self {
        Self { base, added: PhantomData }
    }
}

impl<E, A> Conclude for BaseConclusion<E, A> {
    type Event = Joined<E, A>;

    fn passes(&mut self, event: &mut Joined<E, A>) -> bool {
        match event {
            Joined::Base(event) => self.base.passes(event),
            Joined::Added(_) => true,
        }
    }

    fn on_event(&mut self, event: Joined<E, A>, report: &mut dyn FnMut(Joined<E, A>)) {
        match event {
            Joined::Base(event) => self.base.on_event(event, &mut |event| report(Joined::Base(event))),
            added @ Joined::Added(_) => report(added),
        }
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Joined<E, A>)) {
        self.base.on_time(now, &mut |event| report(Joined::Base(event)));
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Joined<E, A>)) {
        self.base.on_end(&mut |event| report(Joined::Base(event)));
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        self.base.count(stats);
    }
}
