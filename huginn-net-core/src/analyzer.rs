//! What a protocol is to the driver.

use core::net::IpAddr;

use crate::{FlowFilter, Interest, Origin, Packet, Timestamp};

/// An event that tells where it was seen.
pub trait Located {
    /// The packet that completed it; `None` if it is of no packet.
    ///
    /// What all copies of an analyzer report at one time, or at the end, is put in the order of the frames that this tells.
    /// Events of no packet come first, those of one copy behind those of another.
    fn located(&self) -> Option<&Origin>;
}

/// Turns the packets of a capture into events.
///
/// An analyzer does no I/O, reads no clock and starts no thread; time is the capture time of the packets. The driver
/// may run several copies of it side by side and gives each the packets that [`Analyzer::affinity`] sends its way,
/// in order of capture.
pub trait Analyzer: Send {
    /// What is reported.
    type Event;

    /// Which packets must meet in one copy of the analyzer; `None` if the packet is of no interest to it. Depends on
    /// nothing but the packet: any copy may be asked.
    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity>;

    /// The flows of which packets with [`Affinity::HeldFlow`] and its like are of interest, so that no others are sent to
    /// this copy of the analyzer. Only packets with another affinity may add to it. `None` if all are.
    fn held(&self) -> Option<FlowFilter> {
        None
    }

    /// Whether it never asks for the packets of a [host](Affinity::Host), but for those of flows, or any. Of a capture each of
    /// several copies is then offered all packets of its flows, without being asked before.
    fn goes_by_flow(&self) -> bool {
        false
    }

    /// Which packets can be of interest at all, so that a live capture gets no others.
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    /// Takes a packet that is of interest to it.
    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Self::Event));

    /// Takes a packet if it is of interest: [`affinity`](Self::affinity) and [`on_packet`](Self::on_packet) in one call.
    #[inline]
    fn offer(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Self::Event)) {
        if self.affinity(packet).is_some() {
            self.on_packet(packet, report);
        }
    }

    /// Says that capture time has reached `now`; called about once per second of it, after the packet that reached
    /// it, and in every copy of the analyzer at the same place among the packets. What waits too long ends here.
    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Self::Event)) {
        let _ = (now, report);
    }

    /// Says that no packet will follow.
    fn on_end(&mut self, report: &mut dyn FnMut(Self::Event)) {
        let _ = report;
    }

    /// Adds what was malformed and which limits were hit to `stats`.
    fn count(&self, stats: &mut AnalyzerStats) {
        let _ = stats;
    }
}

impl<A: Analyzer + ?Sized> Analyzer for Box<A> {
    type Event = A::Event;

    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        (**self).affinity(packet)
    }

    fn held(&self) -> Option<FlowFilter> {
        (**self).held()
    }

    fn goes_by_flow(&self) -> bool {
        (**self).goes_by_flow()
    }

    fn interest(&self) -> Interest {
        (**self).interest()
    }

    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Self::Event)) {
        (**self).on_packet(packet, report);
    }

    fn offer(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Self::Event)) {
        (**self).offer(packet, report);
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Self::Event)) {
        (**self).on_time(now, report);
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Self::Event)) {
        (**self).on_end(report);
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        (**self).count(stats);
    }
}

/// Which packets must meet in one copy of an analyzer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Affinity {
    /// The packet is complete in itself and may go anywhere.
    Any,
    /// All packets of a flow, in both directions; without ports, all packets between two addresses.
    Flow,
    /// As [`Flow`](Self::Flow), and of no interest unless the flow is one of [`Analyzer::held`] when its turn comes.
    HeldFlow,
    /// As [`HeldFlow`](Self::HeldFlow), of a direction of its flow that is [held](Analyzer::held) as
    /// [`FlowTag::of_way`](crate::FlowTag::of_way) has it.
    HeldWay,
    /// As [`HeldFlow`](Self::HeldFlow), and of interest without its payload: whether that is there depends on other
    /// analyzers. All that the [layout](crate::Layout) says stays true of the packet as it was captured.
    HeldHeaders,
    /// All packets with this host.
    Host(IpAddr),
}

/// Draws conclusions from the events of all copies of an analyzer together, in order of capture.
///
/// What takes several connections of one host belongs here, so that it does not depend on which copy saw which.
pub trait Conclude: Send {
    /// What is reported.
    type Event;

    /// Looks at an event where it lies, and may complete it; whether it goes out as it then is. If not, it is given to
    /// [`on_event`](Self::on_event). Large events that nothing is concluded from need not be moved for that.
    #[inline]
    fn passes(&mut self, event: &mut Self::Event) -> bool {
        let _ = event;
        false
    }

    /// Takes an event that did not [pass](Self::passes) and reports it, changed or not, now or later, or not at all.
    fn on_event(&mut self, event: Self::Event, report: &mut dyn FnMut(Self::Event));

    /// Says that capture time has reached `now`, as [`Analyzer::on_time`] does.
    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Self::Event)) {
        let _ = (now, report);
    }

    /// Says that no event will follow.
    fn on_end(&mut self, report: &mut dyn FnMut(Self::Event)) {
        let _ = report;
    }

    /// Adds which limits were hit to `stats`.
    fn count(&self, stats: &mut AnalyzerStats) {
        let _ = stats;
    }
}

/// What was counted while packets were analyzed; names are short fixed words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnalyzerStats {
    /// Packets or messages that contradict their protocol, by reason.
    pub malformed: Vec<(&'static str, u64)>,
    /// How often a limit was hit, by limit.
    pub limits_hit: Vec<(&'static str, u64)>,
    /// What was seen that is neither wrong nor lost, by what it is.
    pub seen: Vec<(&'static str, u64)>,
}

impl AnalyzerStats {
    /// Adds to the count of a limit; zero is left out.
    pub fn add_limit(&mut self, name: &'static str, count: u64) {
        add(&mut self.limits_hit, name, count);
    }

    /// Adds to the count of something that was seen; zero is left out.
    pub fn add_seen(&mut self, name: &'static str, count: u64) {
        add(&mut self.seen, name, count);
    }

    /// Adds to the count of a reason; zero is left out.
    pub fn add_malformed(&mut self, name: &'static str, count: u64) {
        add(&mut self.malformed, name, count);
    }

    /// Adds all counts of others.
    pub fn add(&mut self, other: &Self) {
        let Self { malformed, limits_hit, seen } = other;
        malformed.iter().for_each(|&(name, count)| self.add_malformed(name, count));
        limits_hit.iter().for_each(|&(name, count)| self.add_limit(name, count));
        seen.iter().for_each(|&(name, count)| self.add_seen(name, count));
    }
}

fn add(counts: &mut Vec<(&'static str, u64)>, name: &'static str, count: u64) {
    if count == 0 {
        return;
    }
    match counts.iter_mut().find(|(known, _)| *known == name) {
        Some((_, total)) => *total += count,
        None => counts.push((name, count)),
    }
}
