//! Pairs SYN and SYN+ACK, and measures the clocks of connections.

use core::fmt;

use huginn_net_core::{
    Affinity, Analyzer, AnalyzerStats, Conclude, Direction, FlowFilter, FlowTag, Interest, IpHeader,
    Ipv4Header, Ipv6Header, Packet, Pipeline, Protocol, TcpFlags, TcpHeader, Timestamp,
};

use crate::connections::{Asked, Clocks, Connection, Connections, FirstTicks, Stage, ends};
use crate::observation::PackedOffer;
use crate::observe::sent_payload_len;
use crate::seen::Ticks;
use crate::templates::{Received, SeenSyn, Template, Templates};
use crate::uptime::UptimeConclusion;
use crate::{AsSeen, MakeEvent, Seen, TcpEvent, TcpSettings};

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
/// # Ok::<(), huginn_net_tcp::core::SourceError>(())
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
/// What it reports are [`TcpEvent`]s; another `M`, which makes other events, is for the crate `huginn-net` alone.
pub struct TcpAnalyzer<M: MakeEvent = AsSeen> {
    make: M,
    settings: TcpSettings,
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
    #[doc(hidden)]
    pub fn making(make: M, settings: TcpSettings) -> Self {
        Self {
            make,
            settings,
            connections: Connections::new(&settings),
            templates: Templates::new(),
            malformed_flags: 0,
            unpaired: 0,
        }
    }

    /// Takes a packet whose headers have been found. For most, nothing more of it is looked at.
    #[inline(always)]
    fn on_headers(
        &mut self,
        packet: &Packet<'_>,
        ip: &IpHeader<'_>,
        tcp: &TcpHeader<'_>,
        report: &mut dyn FnMut(M::Event),
    ) {
        match Kind::of(tcp.flags()) {
            Kind::Syn => match *ip {
                IpHeader::V4(ip) => self.on_syn_v4(packet, ip, *tcp, report),
                IpHeader::V6(ip) => self.on_syn_v6(packet, ip, *tcp, report),
            },
            Kind::SynAck => self.on_syn_ack(&Received { packet, ip: *ip, tcp: *tcp }, report),
            Kind::Other => {
                if let Some(flow) = packet.flow()
                    && self.connections.gates.may_want(flow, tcp.flags(), packet.captured_at())
                {
                    self.on_other(flow, packet, report);
                }
            }
            Kind::Impossible => self.malformed_flags += 1,
        }
    }

    // Not inlined, so that it costs the others no register.
    #[inline(never)]
    fn on_other_form(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(M::Event)) {
        if let Some((ip, tcp)) = packet.tcp_headers() {
            self.on_headers(packet, &ip, &tcp, report);
        }
    }

    // Not inlined, so that what a SYN needs of the stack is not set up for other packets, and one for each version, which is then
    // asked for no more. Headers are given in registers.
    #[inline(never)]
    fn on_syn_v4<'a>(
        &mut self,
        packet: &Packet<'a>,
        ip: Ipv4Header<'a>,
        tcp: TcpHeader<'a>,
        report: &mut dyn FnMut(M::Event),
    ) {
        self.on_syn(&Received { packet, ip: IpHeader::V4(ip), tcp }, report);
    }

    #[inline(never)]
    fn on_syn_v6<'a>(
        &mut self,
        packet: &Packet<'a>,
        ip: Ipv6Header<'a>,
        tcp: TcpHeader<'a>,
        report: &mut dyn FnMut(M::Event),
    ) {
        self.on_syn(&Received { packet, ip: IpHeader::V6(ip), tcp }, report);
    }

    #[inline(always)]
    fn on_syn(&mut self, received: &Received<'_, '_>, report: &mut dyn FnMut(M::Event)) {
        let Received { packet, ip, tcp } = received;
        let Some((tag, client)) = packet.flow() else { return };
        let is_held = match self.connections.flows.peek_mut(&tag) {
            None => false,
            Some(known) if !known.is_opened_by(client, tcp.sequence()) => {
                // The ports are used again.
                Self::report_clocks(self.connections.remove(tag), report);
                false
            }
            Some(known) => {
                if !known.on_own_syn() {
                    return self.connections.on_syn_again(tag, packet);
                }
                true
            }
        };
        let (template, ticks) = self.templates.observe_syn(received);
        if !is_held {
            let client_network = packet.source_network_of(ip);
            let connection = || {
                let asked = Asked {
                    client_network,
                    ticks: ticks.own(),
                    mss: template.mss,
                    payload_len: if template.may_have_payload { sent_payload_len(packet, ip) } else { 0 },
                };
                Connection {
                    isn: tcp.sequence(),
                    client,
                    offer: template.offer,
                    stage: Stage::Pending(asked),
                }
            };
            let now = packet.captured_at();
            if let clocks @ Some(_) = self.connections.hold_pending(tag, client_network, now, connection) {
                Self::report_clocks(clocks, report);
            }
        }
        Self::report_syn(&mut self.make, received, template, ticks, report);
    }

    // Made in the call, as moving it would cost a quarter of making it.
    #[inline(always)]
    fn report_syn(
        make: &mut M,
        received: &Received<'_, '_>,
        template: &mut Template<M::Memo>,
        ticks: Ticks,
        report: &mut dyn FnMut(M::Event),
    ) {
        let (seen, memo) = template.seen(received, ticks);
        report(make.syn(received.origin(), seen, memo));
    }

    #[inline(never)]
    fn report_syn_ack(
        make: &mut M,
        received: &Received<'_, '_>,
        template: &mut Template<M::Memo>,
        ticks: Ticks,
        report: &mut dyn FnMut(M::Event),
    ) {
        let (seen, memo) = template.seen(received, ticks);
        report(make.syn_ack(received.origin(), seen, memo));
    }

    /// Reports what is left to say of a connection that is held no longer.
    #[cold]
    fn report_clocks(clocks: Option<Box<Clocks>>, report: &mut dyn FnMut(M::Event)) {
        if let Some(clocks) = clocks {
            clocks.on_end(&mut |uptime| report(M::uptime(uptime)));
        }
    }

    #[inline(never)]
    fn on_syn_ack(&mut self, received: &Received<'_, '_>, report: &mut dyn FnMut(M::Event)) {
        let Received { packet, tcp, .. } = received;
        let Some((tag, direction)) = packet.flow() else { return };
        let Connections { flows, gates, .. } = &mut self.connections;
        let acknowledgment = tcp.acknowledgment();
        let answers = |known: &Connection| known.client != direction && known.asked(acknowledgment).is_some();
        let Some((connection, syn_at)) = flows.touch_mut_if(&tag, packet.captured_at(), answers) else {
            return match flows.get(&tag) {
                None => self.on_unpaired(Some(tag), direction, packet, report),
                Some(known) if known.waits_for_answer(direction) => {
                    self.on_unpaired(None, direction, packet, report);
                }
                Some(_) => {}
            };
        };
        let Some(asked) = connection.asked(acknowledgment) else { return };
        gates.sources.remove(asked.client_network);
        let syn = SeenSyn::new(asked.mss, connection.offer);
        let (template, ticks) = self.templates.observe_syn_ack(received, syn);
        let first = FirstTicks { syn_at, syn: asked.ticks, syn_ack: ticks.own() };
        connection.stage = if first.is_none() {
            gates.filter.remove(tag);
            Stage::Done
        } else {
            Stage::Answered(first)
        };
        Self::report_syn_ack(&mut self.make, received, template, ticks, report);
    }

    /// Reports a SYN+ACK that answers no SYN that was seen, if that is wanted, and counts it otherwise. With a `tag`, it is
    /// held and its retransmissions are not reported.
    #[inline(never)]
    fn on_unpaired(
        &mut self,
        tag: Option<FlowTag>,
        direction: Direction,
        packet: &Packet<'_>,
        report: &mut dyn FnMut(M::Event),
    ) {
        let Some(received) = &Received::of(packet) else { return };
        if !self.settings.report_unpaired {
            self.unpaired += 1;
            return;
        }
        let (template, ticks) = self.templates.observe_syn_ack(received, SeenSyn::NONE);
        if let Some(tag) = tag {
            let connection = Connection {
                isn: received.tcp.acknowledgment().wrapping_sub(1),
                client: direction.reversed(),
                offer: PackedOffer::default(),
                stage: Stage::Unpaired { syn_seen: false },
            };
            let clocks = self.connections.hold(tag, packet.captured_at(), || connection);
            Self::report_clocks(clocks, report);
        }
        let (seen, memo) = template.seen(received, ticks);
        let seen = Seen { unpaired: true, ..seen };
        report(self.make.syn_ack(received.origin(), seen, memo));
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
        let Connections { flows, gates, .. } = &mut self.connections;
        let now = packet.captured_at();
        // A connection of which nothing is wanted gets here only when it shares its place in the filter, on which
        // nothing may depend.
        let is_wanted = |connection: &Connection| !connection.is_done();
        let Some((connection, before)) = flows.touch_mut_once_a_second_if(&tag, now, is_wanted) else {
            return;
        };
        if matches!(connection.stage, Stage::Pending(_)) {
            return Self::report_clocks(self.connections.remove(tag), report);
        }
        let report_uptime = &mut |uptime| report(M::uptime(uptime));
        let wanted_from = connection.on_later(direction, before, packet, &segment, report_uptime);
        if connection.is_done() {
            gates.filter.remove(tag);
            gates.pass_over_neither(tag);
        } else {
            gates.pass_over((tag, direction), wanted_from, (before, now));
        }
        if ends(segment.flags()) {
            Self::report_clocks(self.connections.remove(tag), report);
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
        Some(self.connections.gates.filter.clone())
    }

    fn goes_by_flow(&self) -> bool {
        true
    }

    fn interest(&self) -> Interest {
        Interest::Tcp
    }

    #[inline]
    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(M::Event)) {
        match packet.tcp_headers_v4() {
            Some((ip, tcp)) => self.on_headers(packet, &IpHeader::V4(ip), &tcp, report),
            None => self.on_other_form(packet, report),
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
