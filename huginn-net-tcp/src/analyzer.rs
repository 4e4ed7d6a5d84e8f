//! Pairs SYN and SYN+ACK, and measures the clocks of connections.

use core::fmt;

use huginn_net_core::{
    Affinity, Analyzer, AnalyzerStats, Conclude, Direction, FlowFilter, FlowTag, FlowTagger, Interest,
    Packet, Pipeline, Protocol, TcpFlags, Timestamp,
};

use crate::connections::{Asked, Connection, Connections, FirstTicks, Stage};
use crate::observation::PackedOffer;
use crate::observe::sent_payload_len;
use crate::templates::{Received, SeenSyn, Template, Templates};
use crate::uptime::UptimeConclusion;
use crate::{AsSeen, MakeEvent, TcpEvent, TcpSettings};

/// Analysis of TCP alone.
///
/// ```no_run
/// use huginn_net_tcp::{HuginnNetTcp, TcpEvent};
///
/// for event in HuginnNetTcp::new().analyze_pcap("capture.pcapng")? {
///     if let TcpEvent::Syn(syn) = event? {
///         println!("{} {}", syn.origin.source, syn.observation);
///     }
/// }
/// # Ok::<(), huginn_net_core::SourceError>(())
/// ```
pub type HuginnNetTcp = Pipeline<TcpEvent>;

impl Protocol for TcpEvent {
    type Settings = TcpSettings;

    fn analyzers(settings: &TcpSettings) -> Vec<Box<dyn Analyzer<Event = Self>>> {
        vec![Box::new(TcpAnalyzer::new(*settings))]
    }

    fn conclusion(settings: &TcpSettings) -> Box<dyn Conclude<Event = Self>> {
        Box::new(UptimeConclusion::new(settings.max_hosts))
    }
}

/// Reports SYN, SYN+ACK and the clock of each connection.
///
/// A connection is held from its SYN on, in a table of limited size. The clocks it reports are those of single
/// connections; [`TcpEvent::conclusion`](Protocol::conclusion) compares them.
///
/// What it reports is made by `M`: [`TcpEvent`]s, unless it is [`making`](Self::making) something else.
pub struct TcpAnalyzer<M: MakeEvent = AsSeen> {
    make: M,
    settings: TcpSettings,
    tagger: FlowTagger,
    connections: Connections,
    templates: Templates<M::Memo>,
    malformed_flags: u64,
    /// SYN+ACKs without their SYN that were not reported.
    unpaired: u64,
}

impl<M: MakeEvent> fmt::Debug for TcpAnalyzer<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TcpAnalyzer").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl TcpAnalyzer {
    /// An analyzer that has seen nothing.
    #[must_use]
    pub fn new(settings: TcpSettings) -> Self {
        Self::making(AsSeen, settings)
    }
}

impl<M: MakeEvent> TcpAnalyzer<M> {
    /// An analyzer that has seen nothing, and reports what `make` makes of what it sees.
    pub fn making(make: M, settings: TcpSettings) -> Self {
        Self {
            make,
            settings,
            tagger: FlowTagger::random(),
            connections: Connections::new(&settings),
            templates: Templates::new(),
            malformed_flags: 0,
            unpaired: 0,
        }
    }

    // Not inlined, so that what a SYN needs of the stack is not set up for other packets.
    #[inline(never)]
    fn on_syn(
        &mut self,
        (tag, client): (FlowTag, Direction),
        received: &Received<'_, '_>,
        report: &mut dyn FnMut(M::Event),
    ) {
        let Received { packet, ip, segment } = received;
        let isn = segment.sequence();
        if let Some(known) = self.connections.flows.peek_mut(&tag) {
            if known.is_opened_by(client, isn) {
                if known.on_own_syn() {
                    let seen = self.templates.observe(received, None);
                    Self::report_syn(&mut self.make, received, seen, report);
                }
                return;
            }
            // The ports are used again.
            self.connections.remove(tag, &mut |uptime| report(M::uptime(uptime)));
        }
        let seen = self.templates.observe(received, None);
        let asked = Asked {
            client_network: self.tagger.source_network_of(ip, packet.layout().domain()),
            ticks: seen.observation.own_ticks(),
            mss: seen.mss,
            payload_len: sent_payload_len(packet, ip, segment),
        };
        let connection = Connection { isn, client, offer: seen.offer, stage: Stage::Pending(asked) };
        let clocks = &mut |uptime| report(M::uptime(uptime));
        self.connections.hold_pending(tag, connection, packet.captured_at(), clocks);
        Self::report_syn(&mut self.make, received, seen, report);
    }

    // Made in the call, as moving it would cost a quarter of making it; and not inlined, so that the compiler knows of the
    // template, and nothing lives in registers meanwhile.
    #[inline(never)]
    fn report_syn(
        make: &mut M,
        received: &Received<'_, '_>,
        seen: &mut Template<M::Memo>,
        report: &mut dyn FnMut(M::Event),
    ) {
        report(make.syn(received.origin(), &seen.observation, &mut seen.memo));
    }

    #[inline(never)]
    fn report_syn_ack(
        make: &mut M,
        received: &Received<'_, '_>,
        seen: &mut Template<M::Memo>,
        report: &mut dyn FnMut(M::Event),
    ) {
        report(make.syn_ack(received.origin(), &seen.observation, &mut seen.memo));
    }

    #[inline(never)]
    fn on_syn_ack(
        &mut self,
        (tag, direction): (FlowTag, Direction),
        received: &Received<'_, '_>,
        report: &mut dyn FnMut(M::Event),
    ) {
        let Received { packet, segment, .. } = received;
        let Connections { flows, filter, sources, .. } = &mut self.connections;
        let acknowledgment = segment.acknowledgment();
        let answers = |known: &Connection| known.client != direction && known.asked(acknowledgment).is_some();
        let Some((connection, syn_at)) = flows.touch_mut_if(&tag, packet.captured_at(), answers) else {
            return match flows.get(&tag) {
                None => self.on_unpaired(Some(tag), direction, received, report),
                Some(known) if known.waits_for_answer(direction) => {
                    self.on_unpaired(None, direction, received, report);
                }
                Some(_) => {}
            };
        };
        let Some(asked) = connection.asked(acknowledgment) else { return };
        sources.remove(asked.client_network);
        let syn = SeenSyn { mss: Some(asked.mss).filter(|&mss| mss != 0), offer: connection.offer };
        let seen = self.templates.observe(received, Some(syn));
        let ticks = FirstTicks { syn_at, syn: asked.ticks, syn_ack: seen.observation.own_ticks() };
        connection.stage = if ticks.is_none() {
            filter.remove(tag);
            Stage::Done
        } else {
            Stage::Answered(ticks)
        };
        Self::report_syn_ack(&mut self.make, received, seen, report);
    }

    /// Reports a SYN+ACK that answers no SYN that was seen, if that is wanted, and counts it otherwise. With a `tag`, it is
    /// held and its retransmissions are not reported.
    fn on_unpaired(
        &mut self,
        tag: Option<FlowTag>,
        direction: Direction,
        received: &Received<'_, '_>,
        report: &mut dyn FnMut(M::Event),
    ) {
        if !self.settings.report_unpaired {
            self.unpaired += 1;
            return;
        }
        let seen = self.templates.observe(received, None);
        let mut observation = seen.observation;
        observation.facts.unpaired = true;
        if let Some(tag) = tag {
            let connection = Connection {
                isn: received.segment.acknowledgment().wrapping_sub(1),
                client: direction.reversed(),
                offer: PackedOffer::default(),
                stage: Stage::Unpaired { syn_seen: false },
            };
            let clocks = &mut |uptime| report(M::uptime(uptime));
            self.connections.hold(tag, connection, received.packet.captured_at(), clocks);
        }
        report(self.make.syn_ack(received.origin(), &observation, &mut seen.memo));
    }

    /// Takes any packet after the handshake of a connection that may be held. An ACK before the SYN+ACK, FIN and RST end what is
    /// held.
    #[inline(never)]
    fn on_other(
        &mut self,
        (tag, direction): (FlowTag, Direction),
        packet: &Packet<'_>,
        report: &mut dyn FnMut(M::Event),
    ) {
        // Read again, so that it need not be in memory for packets that do not get here.
        let Some(segment) = packet.tcp() else { return };
        let Connections { flows, filter, .. } = &mut self.connections;
        // A connection of which nothing is wanted gets here only when it shares its place in the filter, on which
        // nothing may depend.
        let is_wanted = |connection: &Connection| !connection.is_done();
        let Some((connection, before)) = flows.touch_mut_if(&tag, packet.captured_at(), is_wanted) else {
            return;
        };
        let clocks = &mut |uptime| report(M::uptime(uptime));
        if matches!(connection.stage, Stage::Pending(_)) {
            return self.connections.remove(tag, clocks);
        }
        connection.on_later(direction, before, packet, &segment, clocks);
        if connection.is_done() {
            filter.remove(tag);
        }
        let ends = TcpFlags::FIN.union(TcpFlags::RST);
        if segment.flags().intersects(ends) {
            self.connections.remove(tag, clocks);
        }
    }
}

impl<M: MakeEvent> Analyzer for TcpAnalyzer<M> {
    type Event = M::Event;

    #[inline]
    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        match Kind::of(packet.tcp()?.flags()) {
            // Of later packets only clocks and flags matter.
            Kind::Other => Some(Affinity::HeldHeaders),
            Kind::Syn | Kind::SynAck | Kind::Impossible => Some(Affinity::Flow),
        }
    }

    fn held(&self) -> Option<FlowFilter> {
        Some(self.connections.filter.clone())
    }

    fn interest(&self) -> Interest {
        Interest::Tcp
    }

    #[inline]
    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(M::Event)) {
        let Some(segment) = packet.tcp() else { return };
        let Some(ip) = packet.ip() else { return };
        let flow = self.tagger.flow_of_segment(packet, &ip, &segment);
        // Put together where it is wanted: for most packets, nowhere.
        match Kind::of(segment.flags()) {
            Kind::Syn => self.on_syn(flow, &Received { packet, ip, segment }, report),
            Kind::SynAck => self.on_syn_ack(flow, &Received { packet, ip, segment }, report),
            Kind::Other => {
                if self.connections.filter.may_hold(flow.0) {
                    self.on_other(flow, packet, report);
                }
            }
            Kind::Impossible => self.malformed_flags += 1,
        }
    }

    #[inline]
    fn offer(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(M::Event)) {
        // Which passes over what is not wanted.
        self.on_packet(packet, report);
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(M::Event)) {
        self.connections.on_time(now, &mut |uptime| report(M::uptime(uptime)));
    }

    fn on_end(&mut self, report: &mut dyn FnMut(M::Event)) {
        self.connections.on_end(&mut |uptime| report(M::uptime(uptime)));
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        stats.add_malformed("tcp_flags", self.malformed_flags);
        stats.add_limit("tcp_flows", self.connections.flows.stats().evicted);
        stats.add_limit("tcp_pending_per_source", self.connections.refused);
        stats.add_seen("tcp_unpaired", self.unpaired);
    }
}

/// What a segment is, by its SYN, ACK, FIN and RST.
enum Kind {
    Syn,
    SynAck,
    Other,
    /// SYN together with FIN or RST, FIN together with RST, or none of the four.
    Impossible,
}

impl Kind {
    #[inline]
    fn of(flags: TcpFlags) -> Self {
        const FIN: u16 = TcpFlags::FIN.bits();
        const SYN: u16 = TcpFlags::SYN.bits();
        const RST: u16 = TcpFlags::RST.bits();
        const ACK: u16 = TcpFlags::ACK.bits();
        const SYN_ACK: u16 = SYN | ACK;
        const FIN_ACK: u16 = FIN | ACK;
        const RST_ACK: u16 = RST | ACK;

        match flags.bits() & (FIN | SYN | RST | ACK) {
            ACK | FIN | FIN_ACK | RST | RST_ACK => Self::Other,
            SYN => Self::Syn,
            SYN_ACK => Self::SynAck,
            _ => Self::Impossible,
        }
    }
}
