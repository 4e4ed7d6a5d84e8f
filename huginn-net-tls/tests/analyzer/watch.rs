//! An analyzer under test.

use huginn_net_core::{Analyzer, AnalyzerStats, Decoder, Frame, LinkType, Timestamp};
use huginn_net_tls::{ClientHelloSeen, ServerHelloSeen, TlsAnalyzer, TlsEvent, TlsSettings};
use testkit::capture::Capture;

pub(crate) const MILLISECOND: u64 = 1_000_000;
pub(crate) const SECOND: u64 = 1_000 * MILLISECOND;
pub(crate) const START: u64 = 1_700_000_000 * SECOND;

/// Decoder and analyzer as the driver joins them, and what was reported.
pub(crate) struct Watch {
    decoder: Decoder,
    pub(crate) analyzer: TlsAnalyzer,
    pub(crate) events: Vec<TlsEvent>,
    frames: u64,
    ticked: u64,
}

impl Watch {
    pub(crate) fn new(settings: TlsSettings) -> Self {
        Self {
            decoder: Decoder::default(),
            analyzer: TlsAnalyzer::new(settings),
            events: Vec::new(),
            frames: 0,
            ticked: 0,
        }
    }

    /// Feeds a frame at a time in nanoseconds since 1970.
    pub(crate) fn frame(&mut self, bytes: &[u8], link_type: u16, nanos: u64) {
        self.kept(bytes, bytes.len(), link_type, nanos);
    }

    /// Feeds what a capture kept of a frame.
    pub(crate) fn kept(&mut self, bytes: &[u8], wire_len: usize, link_type: u16, nanos: u64) {
        self.frames += 1;
        let captured_at = Timestamp::from_nanos(nanos);
        let wire_len = wire_len as u32;
        let whole = Frame::new(bytes, LinkType(link_type));
        let frame = Frame { captured_at, number: self.frames, wire_len, ..whole };
        if let Ok(packet) = self.decoder.decode(&frame)
            && self.analyzer.affinity(&packet).is_some()
        {
            self.analyzer.on_packet(&packet, &mut |event| self.events.push(event));
        }
        if nanos >= self.ticked + SECOND {
            self.ticked = nanos;
            self.analyzer.on_time(captured_at, &mut |event| self.events.push(event));
        }
    }

    /// Feeds an IP datagram, `nanos` after [`START`].
    pub(crate) fn datagram(&mut self, datagram: &[u8], nanos: u64) {
        self.frame(datagram, LinkType::RAW.0, START + nanos);
    }

    pub(crate) fn capture(&mut self, capture: &Capture) {
        for record in &capture.records {
            self.frame(&record.bytes, capture.link_type, record.ts_nanos);
        }
    }

    /// The ClientHellos reported so far.
    pub(crate) fn hellos(&self) -> Vec<&ClientHelloSeen> {
        self.events.iter().filter_map(TlsEvent::client_hello).collect()
    }

    /// Their JA4, in order.
    pub(crate) fn ja4(&self) -> Vec<String> {
        self.hellos().iter().map(|seen| seen.hello.ja4().to_string()).collect()
    }

    /// The ServerHellos reported so far.
    pub(crate) fn server_hellos(&self) -> Vec<&ServerHelloSeen> {
        self.events.iter().filter_map(TlsEvent::server_hello).collect()
    }

    pub(crate) fn stats(&self) -> AnalyzerStats {
        let mut stats = AnalyzerStats::default();
        self.analyzer.count(&mut stats);
        stats
    }

    pub(crate) fn seen(&self, name: &str) -> u64 {
        count(&self.stats().seen, name)
    }

    pub(crate) fn limit(&self, name: &str) -> u64 {
        count(&self.stats().limits_hit, name)
    }

    pub(crate) fn malformed(&self, name: &str) -> u64 {
        count(&self.stats().malformed, name)
    }
}

fn count(counts: &[(&'static str, u64)], name: &str) -> u64 {
    counts.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| *count)
}

/// What an analyzer with default settings sees in a capture.
pub(crate) fn watch(capture: &Capture) -> Watch {
    let mut watch = Watch::new(TlsSettings::default());
    watch.capture(capture);
    watch
}
