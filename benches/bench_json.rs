//! Records of `-o json`, per event.
//!
//! Every case writes the events of one kind from captures of `pcaps` and checks before the timing that their lines are
//! those of `pcaps/expected`, byte by byte, and that they cost no allocation. Run with
//! `cargo bench -p huginn-net-cli`; criterion prints the time of one event as the inverse of its throughput (`thrpt`),
//! so 10 Melem/s are 100 ns an event.
#![allow(missing_docs, clippy::expect_used, clippy::panic, reason = "a bench fails by panicking")]

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use huginn_net::{Event, HuginnNet};
use huginn_net_cli::Json;
use testkit::{alloc, corpus};

/// Events of one case.
const EVENTS: usize = 256;

/// Captures of which each gives a case, and which of their events.
const CASES: [(&str, &str, &str); 10] = [
    ("syn", "real/v4", "huginn.tcp.syn"),
    ("syn, IPv6", "real/v6", "huginn.tcp.syn"),
    ("syn, unknown", "tcp/d16_all_quirks", "huginn.tcp.syn"),
    ("syn, in a tunnel", "tcp/n13_vxlan", "huginn.tcp.syn"),
    ("syn_ack", "real/v4", "huginn.tcp.syn_ack"),
    ("uptime", "tcp/l35_locked", "huginn.tcp.uptime"),
    ("client_hello", "tls/pcap/curl-7.88.1-hrr", "huginn.tls.client_hello"),
    ("client_hello, browser", "tls/pcap/chromium-156.0.8078.79", "huginn.tls.client_hello"),
    ("client_hello, QUIC", "tls/quic-pcap/q-quic-go-v2", "huginn.tls.client_hello"),
    ("server_hello", "tls/pcap/curl-7.88.1-hrr", "huginn.tls.server_hello"),
];

fn dataset(event: &Event) -> &'static str {
    match event {
        Event::TcpSyn(_) => "huginn.tcp.syn",
        Event::TcpSynAck(_) => "huginn.tcp.syn_ack",
        Event::TcpUptime(_) => "huginn.tcp.uptime",
        Event::TlsClientHello(_) => "huginn.tls.client_hello",
        Event::TlsServerHello(_) => "huginn.tls.server_hello",
        other => panic!("no case has {other:?}"),
    }
}

/// Events with the lines that are expected of them.
struct Case {
    events: Vec<Event>,
    lines: Vec<u8>,
    json: Json,
}

impl Case {
    fn new(capture: &str, wanted: &str) -> Self {
        let relative = format!("pcaps/{capture}.pcap");
        let events = HuginnNet::new().analyze_pcap(corpus::path(&format!("{capture}.pcap")));
        let events = events.expect("a capture").map(|event| event.expect("an event"));
        let events: Vec<_> = events.filter(|event| dataset(event) == wanted).collect();
        let name = Path::new(capture).file_name().and_then(|name| name.to_str()).expect("a name");
        let expected = fs::read_to_string(corpus::path(&format!("expected/{name}.jsonl"))).expect("records");
        let kind = format!("\"event.dataset\":\"{wanted}\"");
        let expected: Vec<_> = expected.lines().filter(|line| line.contains(&kind)).collect();
        assert!(!events.is_empty() && events.len() == expected.len(), "{capture}: {wanted}");

        let lines = expected.iter().cycle().take(EVENTS).flat_map(|line| [line, "\n"]).collect::<String>();
        let mut json = Json::default();
        json.begin(Some(Path::new(&relative)));
        let mut case = Self {
            events: events.into_iter().cycle().take(EVENTS).collect(),
            lines: lines.into_bytes(),
            json,
        };
        let mut written = Vec::with_capacity(2 * case.lines.len());
        case.write(&mut written);
        assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&case.lines));
        let ((), allocations) = alloc::measure(|| case.write(&mut written));
        assert_eq!(allocations, alloc::Allocations::NONE);
        case
    }

    fn write(&mut self, lines: &mut Vec<u8>) {
        lines.clear();
        for event in &self.events {
            self.json.event(event, lines);
        }
    }
}

fn events(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("json");
    group.throughput(Throughput::Elements(EVENTS as u64));
    for (name, capture, wanted) in CASES {
        let mut case = Case::new(capture, wanted);
        let mut lines = Vec::with_capacity(2 * case.lines.len());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                case.write(black_box(&mut lines));
                assert_eq!(black_box(&lines).len(), case.lines.len());
            });
        });
    }
    group.finish();
}

criterion_group!(benches, events);
criterion_main!(benches);
