//! Finds hellos in packets.

mod allowance;
mod connection;
mod counts;
mod cut;
mod datagrams;
mod known_answers;
mod pending;
mod preamble;
mod reading;
mod relay;
mod reported;
mod shape;
mod tcp;
mod turn;

use core::fmt;

use huginn_net_core::{
    Affinity, Analyzer, AnalyzerStats, FlowFilter, Interest, Packet, Pipeline, Protocol, TagHash, TcpSegment,
    Timestamp,
};

use self::connection::Context;
use self::counts::Counts;
use self::datagrams::DatagramClients;
use self::known_answers::KnownAnswers;
use self::pending::{Begun, Pending, PendingKey};
use self::tcp::TcpConnections;
use crate::client_hello::HelloKeeper;
use crate::event::TlsEvent;
use crate::settings::TlsSettings;

/// Analysis of TLS alone.
///
/// ```no_run
/// use huginn_net_tls::{HuginnNetTls, TlsEvent};
///
/// for event in HuginnNetTls::new().analyze_pcap("capture.pcapng")? {
///     if let TlsEvent::ClientHello(seen) = event? {
///         println!("{} {}", seen.origin.source, seen.hello.ja4());
///     }
/// }
/// # Ok::<(), huginn_net_tls::core::SourceError>(())
/// ```
pub type HuginnNetTls = Pipeline<TlsEvent>;

impl Protocol for TlsEvent {
    type Settings = TlsSettings;

    fn analyzers(settings: &TlsSettings) -> Vec<Box<dyn Analyzer<Event = Self>>> {
        vec![Box::new(TlsAnalyzer::new(*settings))]
    }
}

/// Reports the hellos in TCP, QUIC and DTLS, on any port, each once.
///
/// A hello that lies in one segment or datagram is copied once, into its event. Of a connection no more is known than
/// where its bytes begin; only what comes in pieces is held, within [`TlsSettings`].
///
/// All packets of a flow have to meet in one copy, those too that are complete in themselves: which hello is a second
/// one, and which only sent again, depends on what came before.
pub struct TlsAnalyzer {
    settings: TlsSettings,
    keeper: HelloKeeper,
    answers: KnownAnswers,
    connections: TcpConnections,
    datagrams: DatagramClients,
    pending: Pending,
    counts: Counts,
}

impl fmt::Debug for TlsAnalyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsAnalyzer").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Kinds of hello whose JA4 is remembered: 137 KB, enough for the clients of most networks.
const JA4_KINDS: usize = 512;

impl TlsAnalyzer {
    /// An analyzer that has seen nothing.
    #[must_use]
    pub fn new(settings: TlsSettings) -> Self {
        Self {
            settings,
            keeper: HelloKeeper::new(JA4_KINDS),
            answers: KnownAnswers::new(),
            connections: TcpConnections::new(&settings),
            datagrams: DatagramClients::new(&settings),
            pending: Pending::with_hash(settings.pending, TagHash),
            counts: Counts::default(),
        }
    }
}

impl TlsAnalyzer {
    /// Takes a segment that may matter.
    #[inline(never)]
    fn on_segment(
        &mut self,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        key: PendingKey,
        report: &mut dyn FnMut(TlsEvent),
    ) {
        if !self.connections.try_open(packet, segment, key) {
            self.follow(packet, segment, key, report);
        }
    }

    /// Takes a segment that does more than to open a connection.
    // Not inlined, so that SYNs do not set up the stack that it needs.
    #[inline(never)]
    fn follow(
        &mut self,
        packet: &Packet<'_>,
        segment: &TcpSegment<'_>,
        key: PendingKey,
        report: &mut dyn FnMut(TlsEvent),
    ) {
        let Self { settings, keeper, answers, connections, pending, counts, .. } = self;
        let mut context = Context { settings, keeper, answers, counts, report };
        connections.on_segment(packet, segment, key, pending, &mut context);
    }

    #[inline(never)]
    fn on_datagram(&mut self, packet: &Packet<'_>, payload: &[u8], report: &mut dyn FnMut(TlsEvent)) {
        let Self { settings, keeper, answers, datagrams, pending, counts, .. } = self;
        let mut context = Context { settings, keeper, answers, counts, report };
        datagrams.on_datagram(packet, payload, pending, &mut context);
    }
}

impl Analyzer for TlsAnalyzer {
    type Event = TlsEvent;

    #[inline]
    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        match packet.tcp() {
            Some(segment) if !tcp::is_wanted(&segment) => None,
            Some(segment) if tcp::begins(&segment) => Some(Affinity::Flow),
            Some(_) => Some(Affinity::HeldFlow),
            None => datagrams::is_wanted(packet.udp()?.payload()).then_some(Affinity::Flow),
        }
    }

    fn held(&self) -> Option<FlowFilter> {
        Some(self.connections.held())
    }

    fn goes_by_flow(&self) -> bool {
        true
    }

    fn interest(&self) -> Interest {
        Interest::Hellos
    }

    #[inline]
    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(TlsEvent)) {
        // Most packets lead no further than to the filter.
        if let Some(segment) = packet.tcp() {
            if tcp::is_wanted(&segment)
                && let Some(key) = packet.flow()
                && self.connections.may_matter(&segment, key.0)
            {
                self.on_segment(packet, &segment, key, report);
            }
        } else if let Some(datagram) = packet.udp()
            && datagrams::is_wanted(datagram.payload())
        {
            self.on_datagram(packet, datagram.payload(), report);
        }
    }

    #[inline]
    fn offer(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(TlsEvent)) {
        // Which passes over what is not wanted.
        self.on_packet(packet, report);
    }

    fn on_time(&mut self, now: Timestamp, _: &mut dyn FnMut(TlsEvent)) {
        self.pending.on_time(now);
        self.connections.on_time(now, &mut self.pending);
        self.datagrams.on_time(now);
    }

    fn on_end(&mut self, _: &mut dyn FnMut(TlsEvent)) {
        self.counts.incomplete += self.pending.on_end(Begun::has_hello);
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        self.counts.add_to(stats, self.pending.stats());
        stats.add_limit("tls_flows", self.connections.evicted() + self.datagrams.evicted());
    }
}
