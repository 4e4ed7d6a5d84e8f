//! What all protocols together see is what the crate of each sees alone.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::fmt::Debug;
use std::path::PathBuf;

use huginn_net::http::{HttpEvent, HuginnNetHttp};
use huginn_net::tcp::{HuginnNetTcp, TcpEvent};
use huginn_net::tls::{HuginnNetTls, TlsEvent};
use huginn_net::{CaptureFile, Event, Events, HuginnNet, Located, Settings, TcpSettings};
use testkit::corpus;

/// All captures of the corpus.
fn captures() -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    let read = |path: PathBuf| std::fs::read(&path).map(|bytes| (path, bytes)).expect("a file");
    corpus::files().into_iter().map(read).filter(|(_, bytes)| CaptureFile::from_bytes(bytes.clone()).is_ok())
}

fn unpaired_too() -> TcpSettings {
    TcpSettings::default().with_report_unpaired(true)
}

/// What was seen, without what a database makes of it; by protocol.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    tcp: Vec<String>,
    tls: Vec<String>,
    http: Vec<String>,
}

impl Seen {
    fn len(&self) -> usize {
        self.tcp.len() + self.tls.len() + self.http.len()
    }
}

fn text(kind: &str, parts: &[&dyn Debug]) -> String {
    format!("{kind} {parts:?}")
}

fn together(settings: Settings, capture: CaptureFile) -> Seen {
    let mut seen = Seen::default();
    for event in HuginnNet::with_settings(settings).analyze(capture) {
        match event.expect("an event") {
            Event::TcpSyn(stack) => seen.tcp.push(text("SYN", &[&stack.origin, &stack.observation])),
            Event::TcpSynAck(stack) => seen.tcp.push(text("SYN+ACK", &[&stack.origin, &stack.observation])),
            Event::TcpUptime(uptime) => seen.tcp.push(text("uptime", &[&uptime])),
            Event::TlsClientHello(client) => seen.tls.push(text("ClientHello", &[&client.seen])),
            Event::TlsServerHello(hello) => seen.tls.push(text("ServerHello", &[&hello])),
            Event::TlsSslv2Hello(hello) => seen.tls.push(text("SSL 2.0", &[&hello])),
            Event::HttpRequest(client) => seen.http.push(text("request", &[&client.seen])),
            Event::HttpResponse(server) => seen.http.push(text("response", &[&server.seen])),
            Event::HttpStart(start) => seen.http.push(text("start", &[&start.seen])),
            other => seen.tcp.push(text("unknown", &[&other])),
        }
    }
    seen
}

fn told<E: Located>(events: Events<E>, text: impl Fn(E) -> String) -> Vec<String> {
    events.map(|event| text(event.expect("an event"))).collect()
}

fn each_alone(bytes: &[u8]) -> Seen {
    let open = || CaptureFile::from_bytes(bytes.to_vec()).expect("a capture");
    let tcp = HuginnNetTcp::with_settings(unpaired_too()).analyze(open());
    Seen {
        tcp: told(tcp, |event| match event {
            TcpEvent::Syn(seen) => text("SYN", &[&seen.origin, &seen.observation]),
            TcpEvent::SynAck(seen) => text("SYN+ACK", &[&seen.origin, &seen.observation]),
            TcpEvent::Uptime(uptime) => text("uptime", &[&uptime]),
            other => text("unknown", &[&other]),
        }),
        tls: told(HuginnNetTls::new().analyze(open()), |event| match event {
            TlsEvent::ClientHello(seen) => text("ClientHello", &[&seen]),
            TlsEvent::ServerHello(hello) => text("ServerHello", &[&hello]),
            TlsEvent::Sslv2Hello(hello) => text("SSL 2.0", &[&hello]),
            other => text("unknown", &[&other]),
        }),
        http: told(HuginnNetHttp::new().analyze(open()), |event| match event {
            HttpEvent::Request(seen) => text("request", &[&seen]),
            HttpEvent::Response(seen) => text("response", &[&seen]),
            HttpEvent::Start(seen) => text("start", &[&seen]),
            other => text("unknown", &[&other]),
        }),
    }
}

#[test]
fn all_protocols_together_see_of_every_capture_what_each_sees_alone() {
    let (mut total, mut count) = (0, 0);
    for (path, bytes) in captures() {
        let expected = each_alone(&bytes);
        let named = Settings::default().with_tcp(Some(unpaired_too()));
        for settings in [named.clone().with_database(None), named] {
            let capture = CaptureFile::from_bytes(bytes.clone()).expect("a capture");
            let found = together(settings, capture);
            assert_eq!(found, expected, "{}", path.display());
        }
        total += expected.len();
        count += 1;
    }
    assert!(count > 600 && total > 2_000, "{count} captures, {total} events");
}
