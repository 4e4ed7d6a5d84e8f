//! All analyzers behind one driver.

use std::sync::Arc;

use huginn_net_core::{Affinity, Analyzer, AnalyzerStats, Conclude, Packet, Pipeline, Protocol, Timestamp};
use huginn_net_db::{Database, TcpMatch};
use huginn_net_tcp::{Handshake, TcpAnalyzer, TcpEvent, TcpSettings};

use crate::event::{Distance, Event, Link, OperatingSystem, Stack};

/// Analysis of all protocols, with labels.
///
/// See the [crate documentation](crate) for an example.
pub type HuginnNet = Pipeline<Event>;

/// What can be set for all protocols.
#[derive(Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Where labels come from; `None` for none.
    pub database: Option<Arc<Database>>,
    /// TCP.
    pub tcp: TcpSettings,
}

impl Default for Settings {
    /// The bundled database, and the defaults of each protocol.
    fn default() -> Self {
        Self { database: Some(Arc::clone(Database::bundled())), tcp: TcpSettings::default() }
    }
}

impl Protocol for Event {
    type Settings = Settings;

    fn analyzer(settings: &Settings) -> Box<dyn Analyzer<Event = Self>> {
        Box::new(Labelled { tcp: TcpAnalyzer::new(settings.tcp), database: settings.database.clone() })
    }

    fn conclusion(settings: &Settings) -> Box<dyn Conclude<Event = Self>> {
        Box::new(Conclusion { tcp: TcpEvent::conclusion(&settings.tcp) })
    }
}

/// The analyzers, whose events get their labels where they arise.
struct Labelled {
    tcp: TcpAnalyzer,
    database: Option<Arc<Database>>,
}

impl Analyzer for Labelled {
    type Event = Event;

    #[inline]
    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        self.tcp.affinity(packet)
    }

    #[inline]
    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Event)) {
        let database = self.database.as_deref();
        self.tcp.on_packet(packet, &mut |event| report_tcp(database, event, report));
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Event)) {
        let database = self.database.as_deref();
        self.tcp.on_time(now, &mut |event| report_tcp(database, event, report));
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Event)) {
        let database = self.database.as_deref();
        self.tcp.on_end(&mut |event| report_tcp(database, event, report));
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        self.tcp.count(stats);
    }
}

/// The conclusions of each protocol.
struct Conclusion {
    tcp: Box<dyn Conclude<Event = TcpEvent>>,
}

impl Conclude for Conclusion {
    type Event = Event;

    fn on_event(&mut self, event: Event, report: &mut dyn FnMut(Event)) {
        match event {
            Event::TcpUptime(uptime) => {
                self.tcp.on_event(TcpEvent::Uptime(uptime), &mut |event| report_tcp(None, event, report));
            }
            complete => report(complete),
        }
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Event)) {
        self.tcp.on_time(now, &mut |event| report_tcp(None, event, report));
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Event)) {
        self.tcp.on_end(&mut |event| report_tcp(None, event, report));
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        self.tcp.count(stats);
    }
}

#[inline]
fn report_tcp(database: Option<&Database>, event: TcpEvent, report: &mut dyn FnMut(Event)) {
    match event {
        TcpEvent::Syn(seen) => {
            let matched = database.and_then(|database| database.match_syn(&seen.observation));
            report(Event::TcpSyn(stack(database, &seen, matched)));
        }
        TcpEvent::SynAck(seen) => {
            let matched = database.and_then(|database| database.match_syn_ack(&seen.observation));
            report(Event::TcpSynAck(stack(database, &seen, matched)));
        }
        TcpEvent::Uptime(uptime) => report(Event::TcpUptime(uptime)),
        // Each kind of event has its arm; the enum is open for kinds to come.
        _ => {}
    }
}

#[inline]
fn stack(database: Option<&Database>, seen: &Handshake, matched: Option<TcpMatch<'_>>) -> Stack {
    let by_tool = matched.as_ref().is_some_and(|matched| matched.record.label.is_tool());
    let mtu = seen.observation.mtu().filter(|_| !by_tool);
    let mtu_origin = matched.as_ref().and_then(|matched| matched.mtu_origin).filter(|_| mtu.is_some());
    let link_of = |mtu: u32| {
        let record = database?.link_of(mtu)?;
        Some(Link { name: Arc::clone(&record.link), mtu })
    };
    let (link, link_origin) = (mtu.and_then(link_of), mtu_origin.and_then(link_of));
    let distance = match &matched {
        Some(matched) => Distance { hops: matched.distance, at_most: matched.distance_at_most },
        None => Distance { hops: seen.observation.ttl_guess().distance(), at_most: false },
    };
    let os = matched.map(|matched| OperatingSystem {
        label: Arc::clone(&matched.record.label),
        quality: matched.quality,
        line: matched.record.line,
        initial_ttl: matched.record.signature.ttl.highest(),
        timestamps_stripped: matched.timestamps_stripped,
        ttl_rewritten: matched.ttl_rewritten,
        mss_origin: matched.mss_origin,
    });
    let (origin, observation) = (seen.origin, seen.observation);
    Stack { origin, observation, os, distance, mtu, link, mtu_origin, link_origin }
}
