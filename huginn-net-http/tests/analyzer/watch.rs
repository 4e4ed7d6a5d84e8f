//! An analyzer under test.

use huginn_net_core::{Analyzer, AnalyzerStats, Decoder, Frame, LinkType, Timestamp};
use huginn_net_http::{HttpAnalyzer, HttpEvent, HttpRequest, HttpResponse, HttpSettings, HttpStart};
use testkit::capture::Capture;

pub(crate) const MILLISECOND: u64 = 1_000_000;
pub(crate) const SECOND: u64 = 1_000 * MILLISECOND;
pub(crate) const START: u64 = 1_700_000_000 * SECOND;

/// Decoder and analyzer as the driver joins them, and what was reported.
pub(crate) struct Watch {
    decoder: Decoder,
    pub(crate) analyzer: HttpAnalyzer,
    pub(crate) events: Vec<HttpEvent>,
    frames: u64,
    ticked: u64,
}

impl Watch {
    pub(crate) fn new(settings: HttpSettings) -> Self {
        Self {
            decoder: Decoder::default(),
            analyzer: HttpAnalyzer::new(settings),
            events: Vec::new(),
            frames: 0,
            ticked: 0,
        }
    }

    /// Feeds a whole frame at a time in nanoseconds since 1970.
    pub(crate) fn frame(&mut self, bytes: &[u8], link_type: u16, nanos: u64) {
        self.cut_frame(bytes, bytes.len() as u32, link_type, nanos);
    }

    /// Feeds what was captured of a frame.
    fn cut_frame(&mut self, bytes: &[u8], wire_len: u32, link_type: u16, nanos: u64) {
        self.frames += 1;
        let captured_at = Timestamp::from_nanos(nanos);
        let link_type = LinkType(link_type);
        let frame = Frame { captured_at, wire_len, number: self.frames, ..Frame::new(bytes, link_type) };
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
            self.cut_frame(&record.bytes, record.wire_len, capture.link_type, record.ts_nanos);
        }
    }

    /// Says that there are no more packets.
    pub(crate) fn end(&mut self) {
        self.analyzer.on_end(&mut |event| self.events.push(event));
    }

    pub(crate) fn starts(&self) -> Vec<&HttpStart> {
        self.events
            .iter()
            .filter_map(|event| match event {
                HttpEvent::Start(seen) => Some(seen),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn requests(&self) -> Vec<&HttpRequest> {
        self.events.iter().filter_map(HttpEvent::request).collect()
    }

    pub(crate) fn responses(&self) -> Vec<&HttpResponse> {
        self.events.iter().filter_map(HttpEvent::response).collect()
    }

    /// What each event says, in order: client's port, direction, number, head.
    pub(crate) fn told(&self) -> Vec<String> {
        self.events.iter().map(tell).collect()
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

fn tell(event: &HttpEvent) -> String {
    match event {
        HttpEvent::Request(seen) => {
            let head = match (seen.http1(), seen.http2()) {
                (Some(head), None) => head.bytes().escape_ascii().to_string(),
                (None, Some(head)) => format!("{head:?} {:?}", seen.fingerprint()),
                other => panic!("{other:?}"),
            };
            format!("{}> {} {head}", seen.origin.source.port(), seen.exchange)
        }
        HttpEvent::Response(seen) => {
            let head = match (seen.http1(), seen.http2()) {
                (Some(head), None) => head.bytes().escape_ascii().to_string(),
                (None, Some(head)) => format!("{head:?} {:?}", seen.server_settings()),
                other => panic!("{other:?}"),
            };
            format!("{}< {} {} {head}", seen.origin.destination.port(), seen.exchange, seen.is_answer)
        }
        other => format!("{other:?}"),
    }
}

fn count(counts: &[(&'static str, u64)], name: &str) -> u64 {
    counts.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| *count)
}

/// What an analyzer with default settings sees in a capture.
pub(crate) fn watch(capture: &Capture) -> Watch {
    let mut watch = Watch::new(HttpSettings::default());
    watch.capture(capture);
    watch
}
