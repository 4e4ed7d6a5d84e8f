//! Analyzers whose events become others.

use core::fmt;
use core::marker::PhantomData;

use crate::{Affinity, Analyzer, AnalyzerStats, FlowFilter, Interest, Packet, Timestamp};

/// An analyzer whose events become others where they arise, so that this work is spread when several copies run.
///
/// ```
/// use huginn_net_core::{Affinity, Analyzer, Mapped, Packet};
///
/// /// Reports how much each packet carries, in bytes.
/// struct Lengths;
///
/// impl Analyzer for Lengths {
///     type Event = usize;
///
///     fn affinity(&self, _: &Packet<'_>) -> Option<Affinity> {
///         Some(Affinity::Any)
///     }
///
///     fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(usize)) {
///         report(packet.payload().len());
///     }
/// }
///
/// let in_words = Mapped::new(Lengths, |length: usize, report: &mut dyn FnMut(String)| {
///     if length > 0 {
///         report(format!("{length} bytes"));
///     }
/// });
/// # let _: &dyn Analyzer<Event = String> = &in_words;
/// ```
pub struct Mapped<A, E, F> {
    analyzer: A,
    map: F,
    event: PhantomData<fn() -> E>,
}

impl<A: Analyzer, E, F: FnMut(A::Event, &mut dyn FnMut(E)) + Send> Mapped<A, E, F> {
    /// `map` gets each event of the analyzer, and reports what it makes of it: one event, several, or none.
    pub fn new(analyzer: A, map: F) -> Self {
        Self { analyzer, map, event: PhantomData }
    }
}

impl<A: fmt::Debug, E, F> fmt::Debug for Mapped<A, E, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mapped").field("analyzer", &self.analyzer).finish_non_exhaustive()
    }
}

/// Takes events to `map`: in one place, so that it is compiled into it and nothing is moved to get there.
#[inline]
fn mapping<E, M>(map: &mut impl FnMut(E, &mut dyn FnMut(M)), report: &mut dyn FnMut(M)) -> impl FnMut(E) {
    move |event| map(event, report)
}

impl<A: Analyzer, E, F: FnMut(A::Event, &mut dyn FnMut(E)) + Send> Analyzer for Mapped<A, E, F> {
    type Event = E;

    #[inline]
    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        self.analyzer.affinity(packet)
    }

    fn held(&self) -> Option<FlowFilter> {
        self.analyzer.held()
    }

    fn goes_by_flow(&self) -> bool {
        self.analyzer.goes_by_flow()
    }

    fn interest(&self) -> Interest {
        self.analyzer.interest()
    }

    #[inline]
    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(E)) {
        self.analyzer.on_packet(packet, &mut mapping(&mut self.map, report));
    }

    #[inline]
    fn offer(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(E)) {
        self.analyzer.offer(packet, &mut mapping(&mut self.map, report));
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(E)) {
        self.analyzer.on_time(now, &mut mapping(&mut self.map, report));
    }

    fn on_end(&mut self, report: &mut dyn FnMut(E)) {
        self.analyzer.on_end(&mut mapping(&mut self.map, report));
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        self.analyzer.count(stats);
    }
}
