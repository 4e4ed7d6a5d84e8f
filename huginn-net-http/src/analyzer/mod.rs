//! Finds heads in packets.

mod connection;
mod counts;
mod ends;
mod flows;
mod heads;
mod http2;
mod http2_connections;
mod opened;
mod reading;
mod shape;
mod turn;
mod wanted;

use core::fmt;

use huginn_net_core::{
    Affinity, Analyzer, AnalyzerStats, BytesKeeper, FlowFilter, Interest, Packet, Pending, Pipeline,
    Protocol, TagHash, TcpHeader, Timestamp,
};

use self::counts::Counts;
use self::flows::{Arrival, Flows};
use self::http2_connections::Http2Connections;
use self::reading::PendingReadings;
use self::turn::Context;
use crate::event::HttpEvent;
use crate::http1::HeadShapes;
use crate::settings::HttpSettings;

/// Analysis of HTTP alone.
///
/// ```no_run
/// use huginn_net_http::{HttpEvent, HuginnNetHttp};
///
/// for event in HuginnNetHttp::new().analyze_pcap("capture.pcapng")? {
///     if let HttpEvent::Request(seen) = event? {
///         println!("{} {}", seen.origin.source, seen.user_agent().unwrap_or_default().escape_ascii());
///     }
/// }
/// # Ok::<(), huginn_net_http::core::SourceError>(())
/// ```
pub type HuginnNetHttp = Pipeline<HttpEvent>;

impl Protocol for HttpEvent {
    type Settings = HttpSettings;

    fn analyzers(settings: &HttpSettings) -> Vec<Box<dyn Analyzer<Event = Self>>> {
        vec![Box::new(HttpAnalyzer::new(*settings))]
    }
}

/// Reports the heads of requests and responses in TCP, on any port, each once.
///
/// A head that lies in one segment is copied once, into its event; only what comes in pieces is held, within
/// [`HttpSettings`]. Bodies are passed over by their length and never held.
///
/// All packets of a flow have to meet in one copy: request and response, and the bytes before and behind them.
pub struct HttpAnalyzer {
    settings: HttpSettings,
    shapes: HeadShapes,
    keeper: BytesKeeper,
    flows: Flows,
    readings: PendingReadings,
    http2: Http2Connections,
    counts: Counts,
}

impl fmt::Debug for HttpAnalyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpAnalyzer").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl HttpAnalyzer {
    /// An analyzer that has seen nothing.
    #[must_use]
    pub fn new(settings: HttpSettings) -> Self {
        let settings = HttpSettings { max_exchanges: settings.max_exchanges.max(1), ..settings };
        let http2 =
            settings.pending.with_max_age(settings.max_http2_age).with_max_idle(settings.max_http2_age);
        Self {
            settings,
            shapes: HeadShapes::new(),
            keeper: BytesKeeper::new(),
            flows: Flows::new(&settings),
            readings: Pending::with_hash(settings.pending, TagHash),
            http2: Http2Connections::new(http2),
            counts: Counts::default(),
        }
    }
}

impl HttpAnalyzer {
    /// Takes a packet whose header has been found. For most, nothing more of it is looked at.
    #[inline(always)]
    fn on_header(&mut self, packet: &Packet<'_>, tcp: &TcpHeader<'_>, report: &mut dyn FnMut(HttpEvent)) {
        let payload = packet.payload();
        if flows::is_wanted(tcp, payload)
            && let Some(flow) = packet.flow()
            && let Some(arrival) = self.flows.arrival(flow, tcp, payload, packet.captured_at())
        {
            self.on_arrival(packet, *tcp, arrival, report);
        }
    }

    // Not inlined, so that it costs the others no register.
    #[inline(never)]
    fn on_other_form(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(HttpEvent)) {
        if let Some((_, tcp)) = packet.tcp_headers() {
            self.on_header(packet, &tcp, report);
        }
    }

    /// Takes a segment of which something may be wanted.
    #[inline(never)]
    fn on_arrival(
        &mut self,
        packet: &Packet<'_>,
        tcp: TcpHeader<'_>,
        arrival: Arrival,
        report: &mut dyn FnMut(HttpEvent),
    ) {
        if !self.flows.try_open(packet, &tcp, arrival) {
            self.follow(packet, arrival, report);
        }
    }

    /// Takes a segment that does more than to open a connection.
    // Not inlined, so that SYNs do not set up the stack that it needs.
    #[inline(never)]
    fn follow(&mut self, packet: &Packet<'_>, arrival: Arrival, report: &mut dyn FnMut(HttpEvent)) {
        let Some(segment) = packet.tcp() else { return };
        let Self { settings, shapes, keeper, flows, readings, http2, counts } = self;
        let mut context = Context { settings, shapes, keeper, http2, counts, report };
        flows.on_segment(packet, &segment, arrival, readings, &mut context);
    }
}

impl Analyzer for HttpAnalyzer {
    type Event = HttpEvent;

    #[inline]
    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        let segment = packet.tcp()?;
        if !flows::is_wanted(&segment, segment.payload()) {
            return None;
        }
        Some(if flows::begins(&segment) { Affinity::Flow } else { Affinity::HeldWay })
    }

    fn held(&self) -> Option<FlowFilter> {
        Some(self.flows.held())
    }

    fn goes_by_flow(&self) -> bool {
        true
    }

    fn interest(&self) -> Interest {
        Interest::Tcp
    }

    #[inline]
    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(HttpEvent)) {
        match packet.tcp_headers_v4() {
            Some((_, tcp)) => self.on_header(packet, &tcp, report),
            None => self.on_other_form(packet, report),
        }
    }

    #[inline]
    fn offer(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(HttpEvent)) {
        // Which passes over what is not wanted.
        self.on_packet(packet, report);
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(HttpEvent)) {
        let Self { settings, shapes, keeper, flows, readings, http2, counts } = self;
        let mut late = Vec::new();
        readings.expire(now, |key, reading| late.push((key, reading)));
        let mut context = Context { settings, shapes, keeper, http2, counts, report };
        for (key, reading) in late {
            flows.on_late(key, reading, now, readings, &mut context);
        }
        context.http2.on_time(now, context.report);
        flows.on_time(now, readings, &mut context);
    }

    fn on_end(&mut self, report: &mut dyn FnMut(HttpEvent)) {
        let Self { settings, shapes, keeper, flows, readings, http2, counts } = self;
        let mut context = Context { settings, shapes, keeper, http2, counts, report };
        flows.on_end(readings, &mut context);
        context.http2.on_end(context.report);
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        let Self { counts, flows, readings, http2, .. } = self;
        counts.add_to(stats, flows, readings.stats(), http2.stats());
    }
}
