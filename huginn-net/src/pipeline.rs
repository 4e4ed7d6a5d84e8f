//! All analyzers behind one driver.

use std::sync::Arc;

use huginn_net_core::{Analyzer, AnalyzerStats, Conclude, Mapped, Pipeline, Protocol, Timestamp};
use huginn_net_db::{Database, HttpMatcher};
use huginn_net_http::{HttpAnalyzer, HttpEvent, HttpSettings};
use huginn_net_tcp::{TcpAnalyzer, TcpEvent, TcpSettings};
use huginn_net_tls::{TlsAnalyzer, TlsEvent, TlsSettings};

use crate::event::{Event, KnownClient, TlsClient};
use crate::http_events::{Http2Client, HttpClient, HttpServer};
use crate::stacks::Labeller;
use crate::systems::ClientSystems;

/// Analysis of all protocols, with labels.
///
/// See the [crate documentation](crate) for an example.
pub type HuginnNet = Pipeline<Event>;

/// What can be set for all protocols; a protocol without settings is not analyzed.
#[derive(Clone, Debug)]
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
    /// Whether requests are matched, and judged, by what their SYN shows too.
    pub match_http_clients: bool,
    /// Whether responses are matched, and judged.
    pub match_http_servers: bool,
}

impl Default for Settings {
    /// The bundled database, which is read when it is first asked, and the defaults of each protocol.
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

impl Settings {
    /// With this [`database`](Self::database).
    #[must_use]
    pub fn with_database(self, database: Option<Arc<Database>>) -> Self {
        Self { database, ..self }
    }

    /// With these settings of TCP.
    #[must_use]
    pub fn with_tcp(self, tcp: Option<TcpSettings>) -> Self {
        Self { tcp, ..self }
    }

    /// With these settings of TLS.
    #[must_use]
    pub fn with_tls(self, tls: Option<TlsSettings>) -> Self {
        Self { tls, ..self }
    }

    /// With these settings of HTTP.
    #[must_use]
    pub fn with_http(self, http: Option<HttpSettings>) -> Self {
        Self { http, ..self }
    }

    /// With this [`match_http_clients`](Self::match_http_clients).
    #[must_use]
    pub fn with_match_http_clients(self, match_http_clients: bool) -> Self {
        Self { match_http_clients, ..self }
    }

    /// With this [`match_http_servers`](Self::match_http_servers).
    #[must_use]
    pub fn with_match_http_servers(self, match_http_servers: bool) -> Self {
        Self { match_http_servers, ..self }
    }
}

impl Protocol for Event {
    type Settings = Settings;

    fn analyzers(settings: &Settings) -> Vec<Box<dyn Analyzer<Event = Self>>> {
        let Settings { database, tcp, tls, http, match_http_clients, match_http_servers } = settings.clone();
        let mut clients = database.clone().filter(|_| match_http_clients).map(HttpMatcher::new);
        let mut servers = database.clone().filter(|_| match_http_servers).map(HttpMatcher::new);
        let tcp = tcp.map(|settings| -> Box<dyn Analyzer<Event = Self>> {
            Box::new(TcpAnalyzer::making(Labeller::new(database.clone()), settings))
        });
        let tls = tls.map(|settings| -> Box<dyn Analyzer<Event = Self>> {
            Box::new(Mapped::new(TlsAnalyzer::new(settings), move |event, report| {
                report_tls(database.as_deref(), event, report);
            }))
        });
        let http = http.map(|settings| -> Box<dyn Analyzer<Event = Self>> {
            Box::new(Mapped::new(HttpAnalyzer::new(settings), move |event, report| {
                report_http(clients.as_mut(), servers.as_mut(), event, report);
            }))
        });
        [tcp, tls, http].into_iter().flatten().collect()
    }

    fn conclusion(settings: &Settings) -> Box<dyn Conclude<Event = Self>> {
        let tcp = settings.tcp.unwrap_or_default();
        let judges_clients =
            settings.http.is_some() && settings.database.is_some() && settings.match_http_clients;
        let checks_systems = judges_clients && settings.tcp.is_some();
        let systems = checks_systems.then(|| ClientSystems::new(&tcp));
        Box::new(Conclusion { tcp: TcpEvent::conclusion(&tcp), systems })
    }
}

/// The conclusions of each protocol.
struct Conclusion {
    tcp: Box<dyn Conclude<Event = TcpEvent>>,
    systems: Option<ClientSystems>,
}

impl Conclude for Conclusion {
    type Event = Event;

    #[inline]
    fn passes(&mut self, event: &mut Event) -> bool {
        match event {
            Event::TcpUptime(_) => return false,
            Event::TcpSyn(syn) => {
                if let Some(systems) = &mut self.systems {
                    systems.on_syn(syn);
                }
            }
            Event::HttpRequest(client) => {
                let systems = self.systems.as_mut();
                if let Some(system) = systems.and_then(|systems| systems.of_sender(&client.seen.origin)) {
                    client.check_system(system);
                }
            }
            _ => {}
        }
        true
    }

    fn on_event(&mut self, event: Event, report: &mut dyn FnMut(Event)) {
        match event {
            Event::TcpUptime(uptime) => {
                self.tcp.on_event(TcpEvent::Uptime(uptime), &mut |event| report_clock(event, report));
            }
            complete => report(complete),
        }
    }

    fn on_time(&mut self, now: Timestamp, report: &mut dyn FnMut(Event)) {
        if let Some(systems) = &mut self.systems {
            systems.on_time(now);
        }
        self.tcp.on_time(now, &mut |event| report_clock(event, report));
    }

    fn on_end(&mut self, report: &mut dyn FnMut(Event)) {
        self.tcp.on_end(&mut |event| report_clock(event, report));
    }

    fn count(&self, stats: &mut AnalyzerStats) {
        self.tcp.count(stats);
        if let Some(systems) = &self.systems {
            systems.count(stats);
        }
    }
}

/// Conclusions from clocks are clocks.
fn report_clock(event: TcpEvent, report: &mut dyn FnMut(Event)) {
    if let TcpEvent::Uptime(uptime) = event {
        report(Event::TcpUptime(uptime));
    }
}

#[inline]
fn report_tls(database: Option<&Database>, event: TlsEvent, report: &mut dyn FnMut(Event)) {
    match event {
        TlsEvent::ClientHello(seen) => {
            let found = database.and_then(|database| database.match_owned_hello(&seen.hello));
            let known = found.map(|found| KnownClient { label: found.label.clone(), key: found.key });
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
    clients: Option<&mut HttpMatcher>,
    servers: Option<&mut HttpMatcher>,
    event: HttpEvent,
    report: &mut dyn FnMut(Event),
) {
    // Judged where they are reported from, so that what was seen is moved once.
    match event {
        HttpEvent::Request(seen) => {
            let mut event = Event::HttpRequest(HttpClient::new(seen));
            if let (Event::HttpRequest(client), Some(matcher)) = (&mut event, clients) {
                client.judge(matcher);
            }
            report(event);
        }
        HttpEvent::Start(seen) => {
            let database = clients.map(|matcher| &**matcher.database());
            report(Event::HttpStart(Http2Client::new(seen, database)));
        }
        HttpEvent::Response(seen) => {
            let mut event = Event::HttpResponse(HttpServer::new(seen));
            if let (Event::HttpResponse(server), Some(matcher)) = (&mut event, servers) {
                server.judge(matcher);
            }
            report(event);
        }
        // Each kind of event has its arm; the enum is open for kinds to come.
        _ => {}
    }
}
