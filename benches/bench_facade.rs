//! Everything at once: what each kind of traffic costs a packet, what each protocol and its labels add, and what further
//! threads bring.
//!
//! `cargo bench -p huginn-net`. The traffic is generated and larger than the caches of a core, or replays captures a thousand
//! times; it lies in memory, and no connection is in it twice. Each pass goes through the driver, from the frames to the
//! events, with an analysis that has seen nothing, and checks that all events came out that are in the traffic. Times are
//! those of the one thread on the processor; with workers or shards, those that pass. At the end stands what it means for
//! full links; the same goes to `huginn-bench/facade.json` in the target folder.

#![allow(missing_docs, clippy::expect_used, reason = "a bench fails by panicking")]

use std::sync::Arc;

use benchkit::{Analyses, Driver, Recorder, Traffic};
use criterion::{Criterion, criterion_group};
use huginn_net::{Database, Event, HttpSettings, Settings};
use testkit::trace::{Events, Kind};

static RECORDER: Recorder = Recorder::new("facade");

/// Captures that are replayed.
const CAPTURES: [(&str, &[&str]); 3] = [
    ("http_clients", &["real/http_clients.pcap"]),
    ("browsers_net", &["real/browsers_net.pcap"]),
    (
        "TLS and QUIC",
        &[
            "tls/pcap/curl_cffi-0.16.3-chrome136.pcap",
            "tls/pcap/go-1.26.8-h2.pcap",
            "tls/quic-pcap/q-quic-go-v1.pcap",
        ],
    ),
];

/// What is switched on. Requests and responses are all looked at, not the first four of a connection.
#[derive(Clone, Copy)]
struct Parts {
    tcp: bool,
    tls: bool,
    http: bool,
    names: bool,
}

impl Parts {
    const NONE: Self = Self { tcp: false, tls: false, http: false, names: false };
    const ALL: Self = Self { tcp: true, tls: true, http: true, names: true };
    const TCP: Self = Self { tcp: true, ..Self::NONE };
    const TLS: Self = Self { tls: true, ..Self::NONE };
    const HTTP: Self = Self { http: true, ..Self::NONE };

    const fn named(self) -> Self {
        Self { names: true, ..self }
    }

    fn settings(self) -> Settings {
        let mut settings = Settings::default();
        settings.database = settings.database.filter(|_| self.names);
        settings.tcp = settings.tcp.filter(|_| self.tcp);
        settings.tls = settings.tls.filter(|_| self.tls);
        settings.http = self.http.then(|| HttpSettings::default().with_max_exchanges(6));
        settings
    }

    /// Events that must come out.
    fn expected(self, said: &Events) -> u64 {
        let of = |is_on: bool, events: u64| if is_on { events } else { 0 };
        of(self.tcp, said.syns + said.syn_acks + said.clocks)
            + of(self.tls, said.client_hellos + said.server_hellos)
            + of(self.http, said.http_requests + said.http_responses)
    }
}

/// Analyses for a section of the report.
fn section(section: &'static str) -> Analyses<'static> {
    Analyses { section, recorder: &RECORDER }
}

fn traffic_of_each_kind(criterion: &mut Criterion) {
    for kind in Kind::ALL {
        let (traffic, said) = Traffic::generated(kind);
        let expected = Parts::ALL.expected(&said);
        let settings = Parts::ALL.settings();
        section("traffic").measure::<Event>(
            criterion,
            kind.name(),
            (&traffic, expected),
            settings,
            Driver::Sequential,
        );
    }
}

fn captures(criterion: &mut Criterion) {
    for (name, captures) in CAPTURES {
        let replayed = Traffic::replayed(captures);
        section("captures").measure_replayed::<Event>(criterion, name, &replayed, Parts::ALL.settings());
    }
}

fn cost_of_each_part(criterion: &mut Criterion) {
    let (traffic, said) = Traffic::generated(Kind::Mixed);
    for (name, parts) in [
        ("decode", Parts::NONE),
        ("TCP", Parts::TCP),
        ("TCP, names", Parts::TCP.named()),
        ("TLS", Parts::TLS),
        ("TLS, names", Parts::TLS.named()),
        ("HTTP", Parts::HTTP),
        ("HTTP, names", Parts::HTTP.named()),
        ("everything, no names", Parts { names: false, ..Parts::ALL }),
        ("everything", Parts::ALL),
    ] {
        let case = (&traffic, parts.expected(&said));
        section("parts").measure::<Event>(criterion, name, case, parts.settings(), Driver::Sequential);
    }
}

/// What it takes to name one thing or another, on traffic that is full of it.
fn cost_of_names(criterion: &mut Criterion) {
    let of = |text: &str, name: &str| Some(Arc::new(Database::parse(text, name).expect("a bundled file")));
    let with = |parts: Parts, database: Option<Arc<Database>>| {
        let mut settings = parts.settings();
        settings.database = database;
        settings
    };
    let bundled = || Some(Arc::clone(Database::bundled()));
    let systems = || of(include_str!("../huginn-net-db/data/tcp.fp"), "tcp.fp");
    let links = || of(include_str!("../huginn-net-db/data/mtu.fp"), "mtu.fp");
    let mut of_clients = with(Parts::HTTP, bundled());
    of_clients.match_http_servers = false;
    let mut of_servers = with(Parts::HTTP, bundled());
    of_servers.match_http_clients = false;
    let cases = [
        (
            "names, syns",
            Kind::Syns,
            Parts::TCP,
            vec![
                ("none", with(Parts::TCP, None)),
                ("systems", with(Parts::TCP, systems())),
                ("links", with(Parts::TCP, links())),
                ("all", with(Parts::TCP, bundled())),
            ],
        ),
        (
            "names, hellos",
            Kind::Hellos,
            Parts::TLS,
            vec![("none", with(Parts::TLS, None)), ("clients", with(Parts::TLS, bundled()))],
        ),
        (
            "names, http",
            Kind::Http,
            Parts::HTTP,
            vec![
                ("none", with(Parts::HTTP, None)),
                ("clients", of_clients),
                ("servers", of_servers),
                ("all", with(Parts::HTTP, bundled())),
            ],
        ),
    ];
    for (name_of_section, kind, parts, cases) in cases {
        let (traffic, said) = Traffic::generated(kind);
        for (name, settings) in cases {
            let case = (&traffic, parts.expected(&said));
            section(name_of_section).measure::<Event>(criterion, name, case, settings, Driver::Sequential);
        }
    }
}

fn parallel(criterion: &mut Criterion) {
    for (kind, of_workers, of_shards) in [
        (Kind::Hellos, "workers, hellos", "shards, hellos"),
        (Kind::Handshakes, "workers, handshakes", "shards, handshakes"),
        (Kind::Mixed, "workers, mixed", "shards, mixed"),
    ] {
        let (traffic, said) = Traffic::generated(kind);
        let case = (&traffic, Parts::ALL.expected(&said));
        for (name_of_section, drivers) in [(of_workers, Driver::WORKERS), (of_shards, Driver::SHARDS)] {
            for driver in drivers {
                let settings = Parts::ALL.settings();
                section(name_of_section).measure::<Event>(criterion, &driver.name(), case, settings, driver);
            }
        }
    }
}

criterion_group!(benches, traffic_of_each_kind, captures, cost_of_each_part, cost_of_names, parallel);

fn main() {
    RECORDER.run(benches);
    Criterion::default().configure_from_args().final_summary();
}
