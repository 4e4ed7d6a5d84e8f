//! Connections from their SYN on.

use huginn_net_core::{
    Direction, Expiring, ExpiringLimits, FlowFilter, FlowTag, NetworkTag, Origin, Packet, TagHash,
    TcpSegment, Timestamp,
};

use crate::clock::{ConnectionClock, Rate};
use crate::observation::PackedOffer;
use crate::sources::PendingSources;
use crate::{TcpEvent, TcpOptions, TcpSettings, Uptime, UptimeState};

/// The connections that are held, within limits.
pub(crate) struct Connections {
    pub(crate) flows: Expiring<FlowTag, Connection, TagHash>,
    /// Has the connections of which more packets are wanted.
    pub(crate) filter: FlowFilter,
    pub(crate) sources: PendingSources,
    /// Connections that were not held, as their source had too many.
    pub(crate) refused: u64,
}

impl Connections {
    /// None, and room for as many as the settings say.
    pub(crate) fn new(settings: &TcpSettings) -> Self {
        let limits =
            ExpiringLimits::default().with_max_entries(settings.max_flows).with_idle(settings.flow_timeout);
        Self {
            flows: Expiring::with_hash(limits, TagHash),
            filter: FlowFilter::new(),
            sources: PendingSources::new(settings.max_pending_per_source),
            refused: 0,
        }
    }

    /// Holds a connection that is not held yet and waits for an answer, unless too many of its source do.
    #[inline(always)]
    pub(crate) fn hold_pending(
        &mut self,
        tag: FlowTag,
        connection: Connection,
        now: Timestamp,
        report: &mut dyn FnMut(TcpEvent),
    ) {
        let flows = &self.flows;
        let pending = || flows.iter().map(|(_, connection)| connection.pending_source());
        if self.sources.try_add(connection.client_network, pending) {
            self.hold(tag, connection, now, report);
        } else {
            self.refused += 1;
        }
    }

    /// Holds a connection that is not held yet.
    // Inlined so that the connection is made where it is held.
    #[inline(always)]
    pub(crate) fn hold(
        &mut self,
        tag: FlowTag,
        connection: Connection,
        now: Timestamp,
        report: &mut dyn FnMut(TcpEvent),
    ) {
        self.filter.add(tag);
        if let Some((tag, displaced)) = self.flows.insert_absent(tag, connection, now) {
            displaced.conclude(tag, &mut self.filter, &mut self.sources, report);
        }
    }

    /// Holds a connection no longer.
    pub(crate) fn remove(&mut self, tag: FlowTag, report: &mut dyn FnMut(TcpEvent)) {
        if let Some(connection) = self.flows.remove(&tag) {
            connection.conclude(tag, &mut self.filter, &mut self.sources, report);
        }
    }

    /// Holds those no longer that are idle.
    pub(crate) fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(TcpEvent)) {
        let (filter, sources) = (&mut self.filter, &mut self.sources);
        self.flows.expire(now, |tag, connection| connection.conclude(tag, filter, sources, report));
    }

    /// Holds none any longer.
    pub(crate) fn on_end(&mut self, report: &mut dyn FnMut(TcpEvent)) {
        while let Some((tag, connection)) = self.flows.pop_oldest() {
            connection.conclude(tag, &mut self.filter, &mut self.sources, report);
        }
    }
}

/// A connection whose SYN was seen; small, as most of them never get further while a host is flooded.
pub(crate) struct Connection {
    pub(crate) client_network: NetworkTag,
    pub(crate) clocks: Option<Box<Clocks>>,
    pub(crate) isn: u32,
    /// 0 when the SYN had none.
    pub(crate) syn_ticks: u32,
    /// 0 when the SYN had none.
    pub(crate) syn_mss: u16,
    pub(crate) syn_payload_len: u16,
    pub(crate) syn_offer: PackedOffer,
    /// The way of the SYN.
    pub(crate) client: Direction,
    pub(crate) stage: Stage,
    /// Whether its packets pass the filter, until nothing more is wanted of them.
    pub(crate) filtered: bool,
}

const _: () = assert!(size_of::<Connection>() == 32, "a flood of SYNs fills the table with them");

impl Connection {
    /// The network that waits for an answer.
    #[inline]
    fn pending_source(&self) -> Option<NetworkTag> {
        (self.stage == Stage::Pending).then_some(self.client_network)
    }

    /// Whether a SYN of this direction and sequence number is the one that opened the connection.
    #[inline]
    pub(crate) fn is_opened_by(&self, client: Direction, isn: u32) -> bool {
        self.client == client && self.isn == isn
    }

    /// Whether an acknowledgment is one of the SYN. With Fast Open, the data on the SYN may be acknowledged as well
    /// (RFC 7413 §4.2.2).
    pub(crate) fn is_acknowledged_by(&self, acknowledgment: u32) -> bool {
        let after_syn = acknowledgment.wrapping_sub(self.isn.wrapping_add(1));
        after_syn <= self.syn_payload_len.into()
    }

    /// Takes the SYN that opened the connection; says whether it was captured after its answer. Otherwise it is a
    /// retransmission.
    pub(crate) fn on_own_syn(&mut self) -> bool {
        let is_first = self.stage == Stage::Unpaired;
        if is_first {
            self.stage = Stage::Answered;
        }
        is_first
    }

    /// Lets further packets go by unseen.
    #[inline]
    pub(crate) fn pass_no_more(&mut self, tag: FlowTag, filter: &mut FlowFilter) {
        if core::mem::take(&mut self.filtered) {
            filter.remove(tag);
        }
    }

    /// Reports what is left to say when it is held no longer.
    #[inline(always)]
    fn conclude(
        mut self,
        tag: FlowTag,
        filter: &mut FlowFilter,
        sources: &mut PendingSources,
        report: &mut dyn FnMut(TcpEvent),
    ) {
        self.pass_no_more(tag, filter);
        if let Some(source) = self.pending_source() {
            sources.remove(source);
        }
        if let Some(clocks) = self.clocks {
            clocks.on_end(report);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Only the SYN was seen.
    Pending,
    /// The SYN+ACK was seen.
    Answered,
    /// The SYN+ACK was seen, but not the SYN.
    Unpaired,
}

/// The clocks of both ends; `None` where there are no timestamps or nothing more is wanted of them.
pub(crate) struct Clocks {
    pub(crate) client: Option<EndClock>,
    pub(crate) server: Option<EndClock>,
}

pub(crate) struct EndClock {
    clock: ConnectionClock,
    /// Of the last packet that counted.
    origin: Origin,
}

impl EndClock {
    /// A clock of the sender of `origin`, `None` if its timestamp is zero.
    pub(crate) fn starting(ticks: u32, at: Timestamp, origin: Origin) -> Option<Self> {
        (ticks != 0).then(|| Self { clock: ConnectionClock::new(ticks, at), origin })
    }

    fn report(&self, rate: Rate, report: &mut dyn FnMut(TcpEvent)) {
        report(TcpEvent::Uptime(Uptime {
            origin: self.origin,
            frequency_hz: rate.frequency,
            frequency_error_hz: rate.error,
            ticks: self.clock.ticks(),
            state: UptimeState::SingleConnection,
        }));
    }
}

impl Clocks {
    /// Takes a later packet of one end; reports its clock once it is known well enough.
    pub(crate) fn on_packet(
        &mut self,
        from_client: bool,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        report: &mut dyn FnMut(TcpEvent),
    ) {
        let slot = if from_client { &mut self.client } else { &mut self.server };
        let Some(end) = slot else { return };
        let Some(timestamps) = TcpOptions::parse(segment.options()).timestamps.filter(|ts| ts.own != 0)
        else {
            return;
        };
        if end.clock.push(timestamps.own, packet.captured_at()) {
            (end.origin.captured_at, end.origin.frame) = (packet.captured_at(), packet.number());
        }
        if let Some(rate) = end.clock.settled() {
            end.report(rate, report);
            *slot = None;
        } else if end.clock.is_broken() {
            *slot = None;
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.client.is_none() && self.server.is_none()
    }

    /// Reports what is known although packets are few.
    fn on_end(&self, report: &mut dyn FnMut(TcpEvent)) {
        for end in [&self.client, &self.server].into_iter().flatten() {
            if let Some(rate) = end.clock.rate() {
                end.report(rate, report);
            }
        }
    }
}
