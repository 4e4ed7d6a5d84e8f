//! All analyzers behind one driver.

use std::sync::Arc;

use huginn_net_core::{
    Affinity, Analyzer, AnalyzerStats, Conclude, Interest, Packet, Pipeline, Protocol, Timestamp,
};
use huginn_net_db::{Database, TcpMatch, TcpMatcher};
use huginn_net_http::{HttpAnalyzer, HttpEvent, HttpSettings};
use huginn_net_tcp::{Handshake, TcpAnalyzer, TcpEvent, TcpSettings};
use huginn_net_tls::{TlsAnalyzer, TlsEvent, TlsSettings};

use crate::event::{Distance, Event, KnownClient, Link, OperatingSystem, Stack, TlsClient};
use crate::http_events::{HttpClient, HttpServer, HttpStart};
use crate::systems::ClientSystems;

/// Analysis of all protocols, with labels.
///
/// See the [crate documentation](crate) for an example.
pub type HuginnNet = Pipeline<Event>;

/// What can be set for all protocols; a protocol without settings is not analyzed.
#[derive(Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Where labels come from; `None` for none.
    pub database: Option<Arc<Database>>,
    /// TCP.
    pub tcp: Option<TcpSettings>,
    /// TLS, over TCP, QUIC and DTLS.
    pub tls: Option<TlsSettings>,
    /// HTTP in clear.
    pub http: Option<HttpSettings>,
    /// Whether requests are matched, and judged.
    pub match_http_clients: bool,
    /// Whether responses are matched, and judged.
    pub match_http_servers: bool,
}

impl Default for Settings {
    /// The bundled database, and the defaults of each protocol.
    fn default() -> Self {
        Self {
            database: Some(Arc::clone(Database::bundled())),
            tcp: Some(TcpSettings::default()),
            tls: Some(TlsSettings::default()),
            http: Some(HttpSettings::default()),
            match_http_clients: true,
            match_http_servers: true,
        }
    }
}

impl Protocol for Event {
    type Settings = Settings;

    fn analyzer(settings: &Settings) -> Box<dyn Analyzer<Event = Self>> {
        Box::new(Labelled {
            tcp: settings.tcp.map(TcpAnalyzer::new),
            tls: settings.tls.map(TlsAnalyzer::new),
            http: settings.http.map(HttpAnalyzer::new),
            http_clients: settings.database.clone().filter(|_| settings.match_http_clients),
            http_servers: settings.database.clone().filter(|_| settings.match_http_servers),
            database: settings.database.clone(),
            matcher: settings.database.clone().map(TcpMatcher::new),
        })
    }

    fn conclusion(settings: &Settings) -> Box<dyn Conclude<Event = Self>> {
        let tcp = settings.tcp.unwrap_or_default();
        let checks_systems = settings.http.is_some() && settings.tcp.is_some() && settings.database.is_some();
        let systems = checks_systems.then(|| ClientSystems::new(&tcp));
        Box::new(Conclusion { tcp: TcpEvent::conclusion(&tcp), systems })
    }
}

/// The analyzers, whose events get their labels where they arise.
struct Labelled {
    tcp: Option<TcpAnalyzer>,
    tls: Option<TlsAnalyzer>,
    http: Option<HttpAnalyzer>,
    database: Option<Arc<Database>>,
    /// For stacks.
    matcher: Option<TcpMatcher>,
    /// For requests.
    http_clients: Option<Arc<Database>>,
    /// For responses.
    http_servers: Option<Arc<Database>>,
}

impl Labelled {
    /// Lets each analyzer do something, and reports what it gives.
    #[inline]
    fn each(
        &mut self,
        report: &mut dyn FnMut(Event),
        tcp: impl FnOnce(&mut TcpAnalyzer, &mut dyn FnMut(TcpEvent)),
        tls: impl FnOnce(&mut TlsAnalyzer, &mut dyn FnMut(TlsEvent)),
        http: impl FnOnce(&mut HttpAnalyzer, &mut dyn FnMut(HttpEvent)),
    ) {
        let database = self.database.as_deref();
        if let Some(analyzer) = &mut self.tcp {
            let matcher = &mut self.matcher;
            tcp(analyzer, &mut |event| report_tcp(database.zip(matcher.as_mut()), event, report));
        }
        if let Some(analyzer) = &mut self.tls {
            tls(analyzer, &mut |event| report_tls(database, event, report));
        }
        if let Some(analyzer) = &mut self.http {
            let (clients, servers) = (self.http_clients.as_deref(), self.http_servers.as_deref());
            http(analyzer, &mut |event| report_http(clients, servers, event, report));
        }
    }
}

impl Analyzer for Labelled {
    type Event = Event;

    #[inline]
    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        let of_tcp = self.tcp.as_ref().and_then(|tcp| tcp.affinity(packet));
        let of_tls = || self.tls.as_ref().and_then(|tls| tls.affinity(packet));
        of_tcp.or_else(of_tls).or_else(|| self.http.as_ref().and_then(|http| http.affinity(packet)))
    }

    fn interest(&self) -> Interest {
        let of_tcp = self.tcp.as_ref().map(Analyzer::interest);
        let of_tls = self.tls.as_ref().map(Analyzer::interest);
        let of_http = self.http.as_ref().map(Analyzer::interest);
        let interests = [of_tcp, of_tls, of_http].into_iter().flatten();
        interests.reduce(Interest::joined).unwrap_or(Interest::Everything)
    }

    #[inline]
    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Event)) {
        self.each(
            report,
            |tcp, report| tcp.on_packet(packet, report),
            |tls, report| tls.on_packet(packet, report),
            |http, report| http.on_packet(packet, report),
        );
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Event)) {
        self.each(
            report,
            |tcp, report| tcp.on_time(now, report),
            |tls, report| tls.on_time(now, report),
            |http, report| http.on_time(now, report),
        );
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Event)) {
        self.each(
            report,
            |tcp, report| tcp.on_end(report),
            |tls, report| tls.on_end(report),
            |http, report| http.on_end(report),
        );
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        if let Some(tcp) = &self.tcp {
            tcp.count(stats);
        }
        if let Some(tls) = &self.tls {
            tls.count(stats);
        }
        if let Some(http) = &self.http {
            http.count(stats);
        }
    }
}

/// The conclusions of each protocol.
struct Conclusion {
    tcp: Box<dyn Conclude<Event = TcpEvent>>,
    systems: Option<ClientSystems>,
}

impl Conclude for Conclusion {
    type Event = Event;

    fn on_event(&mut self, event: Event, report: &mut dyn FnMut(Event)) {
        match event {
            Event::TcpUptime(uptime) => {
                self.tcp.on_event(TcpEvent::Uptime(uptime), &mut |event| report_tcp(None, event, report));
            }
            Event::TcpSyn(syn) => {
                if let Some(systems) = &mut self.systems {
                    systems.on_syn(&syn);
                }
                report(Event::TcpSyn(syn));
            }
            Event::HttpRequest(mut client) => {
                if let Some(systems) = &self.systems {
                    client.check_system(systems.of_sender(&client.seen.origin));
                }
                report(Event::HttpRequest(client));
            }
            complete => report(complete),
        }
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Event)) {
        if let Some(systems) = &mut self.systems {
            systems.on_time(now);
        }
        self.tcp.on_time(now, &mut |event| report_tcp(None, event, report));
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Event)) {
        self.tcp.on_end(&mut |event| report_tcp(None, event, report));
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        self.tcp.count(stats);
        if let Some(systems) = &self.systems {
            systems.count(stats);
        }
    }
}

#[inline]
fn report_tcp(labels: Option<(&Database, &mut TcpMatcher)>, event: TcpEvent, report: &mut dyn FnMut(Event)) {
    let (database, matcher) = labels.unzip();
    match event {
        TcpEvent::Syn(seen) => {
            let matched = matcher.and_then(|matcher| matcher.match_syn(&seen.observation));
            report(Event::TcpSyn(stack(database, &seen, matched)));
        }
        TcpEvent::SynAck(seen) => {
            let matched = matcher.and_then(|matcher| matcher.match_syn_ack(&seen.observation));
            report(Event::TcpSynAck(stack(database, &seen, matched)));
        }
        TcpEvent::Uptime(uptime) => report(Event::TcpUptime(uptime)),
        // Each kind of event has its arm; the enum is open for kinds to come.
        _ => {}
    }
}

#[inline]
fn report_tls(database: Option<&Database>, event: TlsEvent, report: &mut dyn FnMut(Event)) {
    match event {
        TlsEvent::ClientHello(seen) => {
            let found = database.and_then(|database| database.match_owned_hello(&seen.hello));
            let known = found.map(|found| KnownClient { label: Arc::clone(found.label), key: found.key });
            report(Event::TlsClientHello(TlsClient { seen, known }));
        }
        TlsEvent::ServerHello(seen) => report(Event::TlsServerHello(seen)),
        TlsEvent::Sslv2Hello(seen) => report(Event::TlsSslv2Hello(seen)),
        // Each kind of event has its arm; the enum is open for kinds to come.
        _ => {}
    }
}

#[inline]
fn report_http(
    clients: Option<&Database>,
    servers: Option<&Database>,
    event: HttpEvent,
    report: &mut dyn FnMut(Event),
) {
    match event {
        HttpEvent::Request(seen) => report(Event::HttpRequest(HttpClient::new(seen, clients))),
        HttpEvent::Opening(seen) => report(Event::HttpStart(HttpStart::new(seen, clients))),
        HttpEvent::Response(seen) => report(Event::HttpResponse(HttpServer::new(seen, servers))),
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
