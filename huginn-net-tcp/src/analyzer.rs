//! Pairs SYN and SYN+ACK, and measures the clocks of connections.

use huginn_net_core::{
    Affinity, Analyzer, AnalyzerStats, Conclude, Direction, Expiring, ExpiringLimits, FlowFilter, FlowTag,
    FlowTagger, IpProtocol, NetworkTag, Origin, Packet, Pipeline, Protocol, TagHash, TcpFlags, TcpSegment,
    Timestamp,
};

use crate::clock::{ConnectionClock, Rate};
use crate::observation::PackedOffer;
use crate::sources::PendingSources;
use crate::uptime::UptimeConclusion;
use crate::{Handshake, SynOffer, TcpEvent, TcpObservation, TcpOptions, TcpSettings, Uptime, UptimeState};

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

    fn analyzer(settings: &TcpSettings) -> Box<dyn Analyzer<Event = Self>> {
        Box::new(TcpAnalyzer::new(*settings))
    }

    fn conclusion(settings: &TcpSettings) -> Box<dyn Conclude<Event = Self>> {
        Box::new(UptimeConclusion::new(settings.max_hosts))
    }
}

impl Handshake {
    #[inline(always)]
    fn of(packet: &Packet<'_>, segment: &TcpSegment<'_>, options: &TcpOptions, syn_mss: Option<u16>) -> Self {
        let observation = TcpObservation::with_options(packet, segment, options, syn_mss);
        Self { origin: Origin::of(packet), observation }
    }
}

/// Reports SYN, SYN+ACK and the clock of each connection.
///
/// A connection is held from its SYN on, in a table of limited size. The clocks it reports are those of single
/// connections; [`TcpEvent::conclusion`](Protocol::conclusion) compares them.
pub struct TcpAnalyzer {
    settings: TcpSettings,
    tagger: FlowTagger,
    flows: Expiring<FlowTag, Connection, TagHash>,
    filter: FlowFilter,
    sources: PendingSources,
    malformed_flags: u64,
    refused_sources: u64,
}

/// A connection whose SYN was seen; small, as most of them never get further while a host is flooded.
struct Connection {
    client_network: NetworkTag,
    clocks: Option<Box<Clocks>>,
    isn: u32,
    /// 0 when the SYN had none.
    syn_ticks: u32,
    /// 0 when the SYN had none.
    syn_mss: u16,
    syn_payload_len: u16,
    syn_offer: PackedOffer,
    /// The way of the SYN.
    client: Direction,
    stage: Stage,
    /// Whether its packets pass the filter, until nothing more is wanted of them.
    filtered: bool,
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
    fn is_opened_by(&self, client: Direction, isn: u32) -> bool {
        self.client == client && self.isn == isn
    }

    /// Whether an acknowledgment is one of the SYN. With Fast Open, the data on the SYN may be acknowledged as well
    /// (RFC 7413 §4.2.2).
    fn is_acknowledged_by(&self, acknowledgment: u32) -> bool {
        let after_syn = acknowledgment.wrapping_sub(self.isn.wrapping_add(1));
        after_syn <= self.syn_payload_len.into()
    }

    /// Takes the SYN that opened the connection; says whether it was captured after its answer. Otherwise it is a
    /// retransmission.
    fn on_own_syn(&mut self) -> bool {
        let is_first = self.stage == Stage::Unpaired;
        if is_first {
            self.stage = Stage::Answered;
        }
        is_first
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Only the SYN was seen.
    Pending,
    /// The SYN+ACK was seen.
    Answered,
    /// The SYN+ACK was seen, but not the SYN.
    Unpaired,
}

/// The clocks of both ends; `None` where there are no timestamps or nothing more is wanted of them.
struct Clocks {
    client: Option<EndClock>,
    server: Option<EndClock>,
}

struct EndClock {
    clock: ConnectionClock,
    /// Of the last packet that counted.
    origin: Origin,
}

impl EndClock {
    /// A clock of the sender of `origin`, `None` if its timestamp is zero.
    fn starting(ticks: u32, at: Timestamp, origin: Origin) -> Option<Self> {
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
    fn on_packet(
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

    fn is_done(&self) -> bool {
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

impl TcpAnalyzer {
    /// An analyzer that has seen nothing.
    pub fn new(settings: TcpSettings) -> Self {
        let limits =
            ExpiringLimits::default().with_max_entries(settings.max_flows).with_idle(settings.flow_timeout);
        Self {
            settings,
            tagger: FlowTagger::random(),
            flows: Expiring::with_hash(limits, TagHash),
            filter: FlowFilter::new(),
            sources: PendingSources::new(settings.max_pending_per_source),
            malformed_flags: 0,
            refused_sources: 0,
        }
    }

    // Not inlined, so that what a SYN needs of the stack is not set up for other packets.
    #[inline(never)]
    fn on_syn(
        &mut self,
        (tag, client): (FlowTag, Direction),
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        report: &mut dyn FnMut(TcpEvent),
    ) {
        let isn = segment.sequence();
        let options = TcpOptions::parse(segment.options());
        if let Some(known) = self.flows.peek_mut(&tag) {
            if known.is_opened_by(client, isn) {
                if known.on_own_syn() {
                    report(TcpEvent::Syn(Handshake::of(packet, segment, &options, None)));
                }
                return;
            }
            // The ports are used again.
            self.remove(tag, report);
        }
        let Some(client_network) = self.tagger.source_network(packet) else { return };
        let flows = &self.flows;
        let pending = || flows.iter().map(|(_, connection)| connection.pending_source());
        let may_wait = self.sources.try_add(client_network, pending);
        if may_wait {
            let connection = Connection {
                client_network,
                clocks: None,
                isn,
                syn_ticks: options.timestamps.map_or(0, |timestamps| timestamps.own),
                syn_mss: options.mss.unwrap_or(0),
                syn_payload_len: u16::try_from(segment.payload().len()).unwrap_or(u16::MAX),
                syn_offer: SynOffer::of(segment.flags(), &options).pack(),
                client,
                stage: Stage::Pending,
                filtered: true,
            };
            self.hold(tag, connection, packet.captured_at(), report);
        } else {
            self.refused_sources += 1;
        }
        // Made last and in the call, as moving it would cost a quarter of making it.
        report(TcpEvent::Syn(Handshake::of(packet, segment, &options, None)));
    }

    #[inline(never)]
    fn on_syn_ack(
        &mut self,
        (tag, direction): (FlowTag, Direction),
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        report: &mut dyn FnMut(TcpEvent),
    ) {
        let Some(known) = self.flows.get(&tag) else {
            return self.on_unpaired(Some(tag), direction, packet, segment, report);
        };
        if known.client == direction || known.stage != Stage::Pending {
            return;
        }
        if !known.is_acknowledged_by(segment.acknowledgment()) {
            return self.on_unpaired(None, direction, packet, segment, report);
        }
        // Not touched before, so that it knows when its SYN was captured.
        let Some((connection, syn_at)) = self.flows.touch_mut(&tag, packet.captured_at()) else { return };
        connection.stage = Stage::Answered;
        self.sources.remove(connection.client_network);
        let syn_mss = Some(connection.syn_mss).filter(|&mss| mss != 0);
        let options = TcpOptions::parse(segment.options());
        let mut seen = Handshake::of(packet, segment, &options, syn_mss);
        seen.observation.syn_offer = Some(connection.syn_offer.unpack());
        let own_ticks = seen.observation.timestamps.map_or(0, |timestamps| timestamps.own);
        let clocks = Clocks {
            client: EndClock::starting(connection.syn_ticks, syn_at, seen.origin.reversed()),
            server: EndClock::starting(own_ticks, packet.captured_at(), seen.origin),
        };
        if clocks.is_done() {
            pass_no_more(&mut self.filter, tag, connection);
        } else {
            connection.clocks = Some(Box::new(clocks));
        }
        report(TcpEvent::SynAck(seen));
    }

    /// Reports a SYN+ACK that answers no SYN that was seen, if that is wanted. With a `tag`, it is held and its
    /// retransmissions are not reported.
    fn on_unpaired(
        &mut self,
        tag: Option<FlowTag>,
        direction: Direction,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        report: &mut dyn FnMut(TcpEvent),
    ) {
        if !self.settings.report_unpaired {
            return;
        }
        let options = TcpOptions::parse(segment.options());
        let mut seen = Handshake::of(packet, segment, &options, None);
        seen.observation.facts.unpaired = true;
        if let Some(tag) = tag
            && let Some(client_network) = self.tagger.source_network(packet)
        {
            let connection = Connection {
                // Of the server: this connection is never counted as pending.
                client_network,
                clocks: None,
                isn: segment.acknowledgment().wrapping_sub(1),
                syn_ticks: 0,
                syn_mss: 0,
                syn_payload_len: 0,
                syn_offer: PackedOffer::default(),
                client: direction.reversed(),
                stage: Stage::Unpaired,
                filtered: true,
            };
            self.hold(tag, connection, packet.captured_at(), report);
        }
        report(TcpEvent::SynAck(seen));
    }

    /// Takes any packet after the handshake. An ACK before the SYN+ACK, FIN and RST end what is held.
    #[inline]
    fn on_other(
        &mut self,
        (tag, direction): (FlowTag, Direction),
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        report: &mut dyn FnMut(TcpEvent),
    ) {
        if !self.filter.may_hold(tag) {
            return;
        }
        // A connection of which nothing is wanted gets here only when it shares its place in the filter, on which
        // nothing may depend.
        if self.flows.get(&tag).is_none_or(|connection| !connection.filtered) {
            return;
        }
        let Some((connection, _)) = self.flows.touch_mut(&tag, packet.captured_at()) else { return };
        let from_client = connection.client == direction;
        if let Some(clocks) = &mut connection.clocks {
            clocks.on_packet(from_client, packet, segment, report);
            if clocks.is_done() {
                connection.clocks = None;
                pass_no_more(&mut self.filter, tag, connection);
            }
        } else if connection.stage == Stage::Pending {
            return self.remove(tag, report);
        }
        let ends = TcpFlags::FIN.union(TcpFlags::RST);
        if segment.flags().intersects(ends) {
            self.remove(tag, report);
        }
    }

    /// Holds a connection that is not held yet.
    #[inline]
    fn hold(
        &mut self,
        tag: FlowTag,
        connection: Connection,
        now: Timestamp,
        report: &mut dyn FnMut(TcpEvent),
    ) {
        self.filter.add(tag);
        if let Some((tag, displaced)) = self.flows.insert_absent(tag, connection, now) {
            self.conclude(tag, displaced, report);
        }
    }

    fn remove(&mut self, tag: FlowTag, report: &mut dyn FnMut(TcpEvent)) {
        if let Some(connection) = self.flows.remove(&tag) {
            self.conclude(tag, connection, report);
        }
    }

    /// Reports what is left to say of a connection that is held no longer.
    #[inline]
    fn conclude(&mut self, tag: FlowTag, connection: Connection, report: &mut dyn FnMut(TcpEvent)) {
        conclude(&mut self.filter, &mut self.sources, tag, connection, report);
    }
}

#[inline]
fn conclude(
    filter: &mut FlowFilter,
    sources: &mut PendingSources,
    tag: FlowTag,
    mut connection: Connection,
    report: &mut dyn FnMut(TcpEvent),
) {
    pass_no_more(filter, tag, &mut connection);
    if let Some(source) = connection.pending_source() {
        sources.remove(source);
    }
    if let Some(clocks) = connection.clocks {
        clocks.on_end(report);
    }
}

/// Lets further packets of a connection go by unseen.
#[inline]
fn pass_no_more(filter: &mut FlowFilter, tag: FlowTag, connection: &mut Connection) {
    if core::mem::take(&mut connection.filtered) {
        filter.remove(tag);
    }
}

impl Analyzer for TcpAnalyzer {
    type Event = TcpEvent;

    #[inline]
    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        (packet.protocol() == IpProtocol::TCP).then_some(Affinity::Flow)
    }

    #[inline]
    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(TcpEvent)) {
        let Some(segment) = packet.tcp() else { return };
        let Some(flow) = self.tagger.flow(packet) else { return };
        match Kind::of(segment.flags()) {
            Kind::Syn => self.on_syn(flow, packet, &segment, report),
            Kind::SynAck => self.on_syn_ack(flow, packet, &segment, report),
            Kind::Other => self.on_other(flow, packet, &segment, report),
            Kind::Impossible => self.malformed_flags += 1,
        }
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(TcpEvent)) {
        let (filter, sources) = (&mut self.filter, &mut self.sources);
        self.flows.expire(now, |tag, connection| conclude(filter, sources, tag, connection, report));
    }

    fn on_end(&mut self, report: &mut dyn FnMut(TcpEvent)) {
        while let Some((tag, connection)) = self.flows.pop_oldest() {
            self.conclude(tag, connection, report);
        }
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        stats.add_malformed("tcp_flags", self.malformed_flags);
        stats.add_limit("tcp_flows", self.flows.stats().evicted);
        stats.add_limit("tcp_pending_per_source", self.refused_sources);
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
