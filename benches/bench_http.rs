//! What it costs to read heads, to find them in packets, and to pass over bodies and what is no HTTP.
//!
//! `cargo bench -p huginn-net-http`. Criterion's `elem/s` are heads per second in `heads`, and packets per second
//! elsewhere: packets are decoded outside the timing, events are counted and their number is checked, and what a packet
//! costs in allocations is printed. Cases that are "matched" name clients, servers or both, each head by the bundled
//! signatures; those beside them do not. From packets on, every connection is one that was never seen. Those of `download` are
//! different: they are decoded within the timing, from 256 frames that stay in the cache and get other sequence numbers in
//! between, so that a download of any length can be told of. The cases of `captures`, `traffic` and `workers` go through
//! the driver, from frames in memory to events: a capture replayed a thousand times, and generated traffic larger than the
//! caches of a core.

#![allow(
    missing_docs,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench fails by panicking"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use benchkit::{Analyses, Driver, Recorder, Traffic};
use criterion::{Criterion, Throughput, criterion_group};
use huginn_net_core::{Analyzer, CaptureFile, Decoder, Frame, LinkType, Packet, Progress, Timestamp};
use huginn_net_db::{Channel, Database, HttpMatcher};
use huginn_net_http::{
    Http1Request, Http1Response, HttpAnalyzer, HttpEvent, HttpRequest, HttpSettings, HuginnNetHttp,
};
use testkit::encap::link;
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};
use testkit::trace::Kind;
use testkit::{alloc, corpus};

const CLIENT: [u8; 4] = [10, 0, 0, 1];
const SERVER: [u8; 4] = [10, 0, 0, 2];
/// Bytes of a body in one packet: few, so that what is measured is the analyzer and not the memory of the traffic. What a
/// packet costs does not depend on them.
const SEGMENT: usize = 100;
/// Frames of a download that stay in the cache.
const FRAMES: usize = 256;

/// Packets of connections with consecutive ports.
#[derive(Default)]
struct Built {
    datagrams: Vec<Vec<u8>>,
    requests: u64,
    responses: u64,
}

/// One connection while its packets are made.
struct Connection<'t> {
    traffic: &'t mut Built,
    port: u16,
    sent: u32,
    answered: u32,
}

impl Built {
    fn connection(&mut self, port: u16) -> Connection<'_> {
        let mut connection = Connection { traffic: self, port, sent: 1_000, answered: 2_000 };
        connection.client(flags::SYN, b"");
        connection.server(flags::SYN | flags::ACK, b"");
        connection.client(flags::ACK, b"");
        connection
    }

    fn packets(&self) -> Vec<Packet<'_>> {
        let frames = (1..).zip(&self.datagrams).map(|(number, bytes)| frame(number, bytes, LinkType::RAW));
        frames.map(|frame| Packet::decode(&frame).unwrap()).collect()
    }
}

/// The head of a response with a body of so many bytes.
fn of_length(response: &str, bytes: u64) -> String {
    response.replace("LENGTH", &bytes.to_string())
}

/// Packets a microsecond apart.
fn frame(number: u64, bytes: &[u8], link_type: LinkType) -> Frame<'_> {
    let captured_at = Timestamp::from_nanos(1_700_000_000_000_000_000 + number * 1_000);
    Frame { captured_at, number, ..Frame::new(bytes, link_type) }
}

impl Connection<'_> {
    fn client(&mut self, flags: u16, payload: &[u8]) {
        let segment = Tcp::new(self.port, 80)
            .sequence(self.sent)
            .acknowledgment(self.answered)
            .flags(flags)
            .payload(payload);
        self.traffic.datagrams.push(Ipv4::new(CLIENT, SERVER).tcp(&segment));
        self.sent = self.sent.wrapping_add(payload.len() as u32 + u32::from(flags & flags::SYN > 0));
    }

    fn server(&mut self, flags: u16, payload: &[u8]) {
        let segment = Tcp::new(80, self.port)
            .sequence(self.answered)
            .acknowledgment(self.sent)
            .flags(flags)
            .payload(payload);
        self.traffic.datagrams.push(Ipv4::new(SERVER, CLIENT).tcp(&segment));
        self.answered = self.answered.wrapping_add(payload.len() as u32 + u32::from(flags & flags::SYN > 0));
    }

    /// A request, a response with a body of so many packets, and acknowledgments.
    fn exchange(&mut self, request: &[u8], response: &str, packets: usize) {
        self.client(flags::ACK, request);
        self.server(flags::ACK, b"");
        self.server(flags::ACK, of_length(response, (packets * SEGMENT) as u64).as_bytes());
        for _ in 0..packets {
            self.server(flags::ACK, &[b'x'; SEGMENT]);
        }
        self.client(flags::ACK, b"");
        self.traffic.requests += 1;
        self.traffic.responses += 1;
    }
}

/// The heads of recorded programs.
fn recorded() -> Vec<HttpEvent> {
    let captures = ["http_clients", "http_servers", "browsers_lo", "browsers_net"];
    let events = captures.iter().flat_map(|name| {
        let capture = CaptureFile::open(corpus::path(&format!("real/{name}.pcap"))).unwrap();
        HuginnNetHttp::new().analyze(capture).map(Result::unwrap).collect::<Vec<_>>()
    });
    events.collect()
}

fn heads(criterion: &mut Criterion) {
    let events = recorded();
    let requests: Vec<_> = events.iter().filter_map(|event| event.request()?.http1()).collect();
    let responses: Vec<_> = events.iter().filter_map(|event| event.response()?.http1()).collect();
    assert_eq!((requests.len(), responses.len()), (254, 255));
    let mut group = criterion.benchmark_group("heads");
    group.throughput(Throughput::Elements(requests.len() as u64));
    group.bench_function("request", |bencher| {
        bencher.iter(|| {
            let whole = requests
                .iter()
                .filter(|head| matches!(Http1Request::parse(black_box(head.bytes())), Ok(Progress::Done(_))));
            assert_eq!(whole.count(), requests.len());
        });
    });
    group.throughput(Throughput::Elements(responses.len() as u64));
    group.bench_function("response", |bencher| {
        bencher.iter(|| {
            let whole = responses.iter().filter(|head| {
                matches!(Http1Response::parse(black_box(head.bytes())), Ok(Progress::Done(_)))
            });
            assert_eq!(whole.count(), responses.len());
        });
    });
    group.throughput(Throughput::Elements(requests.len() as u64));
    group.bench_function("raw_signature", |bencher| {
        let mut text = String::with_capacity(4_096);
        bencher.iter(|| {
            for head in &requests {
                use std::fmt::Write as _;
                text.clear();
                write!(text, "{}", head.signature().unwrap()).unwrap();
                black_box(&text);
            }
        });
    });
    group.finish();
}

/// What is matched and judged where events are reported, with a memory of its own for each side, as the facade does.
#[derive(Default)]
struct Matchers {
    clients: Option<HttpMatcher>,
    servers: Option<HttpMatcher>,
    /// Heads that were named.
    named: u64,
}

impl Matchers {
    fn new(matches: Matches) -> Self {
        let matcher = || HttpMatcher::new(Arc::clone(Database::bundled()));
        let Matches { clients, servers } = matches;
        Self { clients: clients.then(matcher), servers: servers.then(matcher), named: 0 }
    }

    #[inline]
    fn judge(&mut self, event: &HttpEvent) {
        let is_named = match event {
            HttpEvent::Request(seen) => match (&mut self.clients, seen.http1()) {
                (Some(matcher), Some(head)) => {
                    black_box(matcher.judge_request(&head, Channel::Cleartext)).found.is_some()
                }
                _ => false,
            },
            HttpEvent::Response(seen) => match (&mut self.servers, seen.http1()) {
                (Some(matcher), Some(head)) => black_box(matcher.judge_response(&head)).found.is_some(),
                _ => false,
            },
            _ => false,
        };
        self.named += u64::from(is_named);
    }
}

/// Whose heads are matched.
#[derive(Clone, Copy)]
struct Matches {
    clients: bool,
    servers: bool,
}

impl Matches {
    const NONE: Self = Self { clients: false, servers: false };
    /// What is matched, by what the name of a case says behind that of its packets.
    const EACH: [(&'static str, Self); 4] = [
        ("", Self::NONE),
        (", clients matched", Self { clients: true, servers: false }),
        (", servers matched", Self { clients: false, servers: true }),
        (", matched", Self { clients: true, servers: true }),
    ];
}

/// Gives packets to an analyzer, in a function of its own so that its instructions can be counted; requests and responses it reported.
#[inline(never)]
fn analyze(analyzer: &mut HttpAnalyzer, matchers: &mut Matchers, packets: &[Packet<'_>]) -> (u64, u64) {
    let (mut requests, mut responses) = (0, 0);
    for packet in packets {
        // As the driver does that runs in one thread.
        analyzer.offer(packet, &mut |event| {
            matchers.judge(&event);
            match black_box(event) {
                HttpEvent::Request(_) => requests += 1,
                HttpEvent::Response(_) => responses += 1,
                other => panic!("{other:?}"),
            }
        });
    }
    (requests, responses)
}

/// Times analyzers that have seen nothing, which are made outside the timing, and what they are matched by, too.
fn bench(criterion: &mut Criterion, name: &str, traffic: &Built, matches: Matches) {
    let packets = traffic.packets();
    let expected = (traffic.requests, traffic.responses);
    let named = [(matches.clients, expected.0), (matches.servers, expected.1)];
    let named = named.iter().filter_map(|&(is_on, heads)| is_on.then_some(heads)).sum::<u64>();
    let settings = HttpSettings::default();
    let mut has_counted = false;
    let mut group = criterion.benchmark_group("packets");
    group.throughput(Throughput::Elements(packets.len() as u64));
    group.bench_function(name, |bencher| {
        if !has_counted {
            let (mut analyzer, mut matchers) = (HttpAnalyzer::new(settings), Matchers::new(matches));
            let (_, allocations) = alloc::measure(|| analyze(&mut analyzer, &mut matchers, &packets));
            println!("packets/{name}: {} packets, {} allocations", packets.len(), allocations.count);
            has_counted = true;
        }
        bencher.iter_custom(|times| {
            let mut taken = Duration::ZERO;
            for _ in 0..times {
                let (mut analyzer, mut matchers) = (HttpAnalyzer::new(settings), Matchers::new(matches));
                let start = Instant::now();
                let seen = analyze(&mut analyzer, &mut matchers, black_box(&packets));
                taken += start.elapsed();
                assert_eq!((seen, matchers.named), (expected, named));
            }
            taken
        });
    });
    group.finish();
}

fn packets(criterion: &mut Criterion) {
    let events = recorded();
    let of_browser = events.iter().find(|event| {
        let agent = event.request().and_then(HttpRequest::user_agent);
        agent.is_some_and(|agent| agent.windows(7).any(|word| word == b"Chrome/"))
    });
    let request = of_browser.unwrap().request().unwrap().http1().unwrap().bytes().to_vec();
    let response = "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Sat, 21 Nov 2026 08:11:25 GMT\r\n\
                    Content-Type: text/html\r\nContent-Length: LENGTH\r\nLast-Modified: Sat, 21 Nov 2026 08:11:23 GMT\r\n\
                    Connection: keep-alive\r\nETag: \"6b01522b-6\"\r\nAccept-Ranges: bytes\r\n\r\n";

    let mut single = Built::default();
    (1..=500).for_each(|port| single.connection(port).exchange(&request, response, 2));
    for (of_matches, matches) in Matches::EACH {
        bench(criterion, &format!("one_exchange_each{of_matches}"), &single, matches);
    }

    let mut kept = Built::default();
    for port in 1..=125 {
        let mut connection = kept.connection(port);
        (0..4).for_each(|_| connection.exchange(&request, response, 2));
    }
    for (of_matches, matches) in Matches::EACH {
        bench(criterion, &format!("four_exchanges_each{of_matches}"), &kept, matches);
    }

    // 96 further exchanges of each connection are not reported.
    let mut long = Built::default();
    for port in 1..=10 {
        let mut connection = long.connection(port);
        (0..100).for_each(|_| connection.exchange(&request, response, 2));
    }
    (long.requests, long.responses) = (40, 40);
    bench(criterion, "beyond_the_exchanges", &long, Matches::NONE);

    download(criterion, &request, response);

    let mut other = Built::default();
    let mut connection = other.connection(1);
    for _ in 0..5_000 {
        connection.client(flags::ACK, &[&[23, 3, 3, 0x05, 0x00][..], &[0xa5; SEGMENT]].concat());
        connection.server(flags::ACK, &[0xa5; SEGMENT]);
    }
    bench(criterion, "no_http", &other, Matches::NONE);
}

/// A body without end, of which the next packets are at hand.
struct Download {
    analyzer: HttpAnalyzer,
    decoder: Decoder,
    frames: Vec<Vec<u8>>,
    /// The number of the first of them.
    number: u64,
}

impl Download {
    /// With the head of the response behind it.
    fn new(request: &[u8], response: &str) -> Self {
        let mut traffic = Built::default();
        let mut connection = traffic.connection(1);
        connection.client(flags::ACK, request);
        connection.server(flags::ACK, of_length(response, 1 << 60).as_bytes());
        (0..FRAMES).for_each(|_| connection.server(flags::ACK, &[b'x'; SEGMENT]));
        let mut analyzer = HttpAnalyzer::new(HttpSettings::default());
        let begin = traffic.datagrams.len() - FRAMES;
        let seen = analyze(&mut analyzer, &mut Matchers::default(), &traffic.packets()[..begin]);
        assert_eq!(seen, (1, 1));
        // Of Ethernet, as most captures are, which is decoded without a walk.
        let frames =
            traffic.datagrams.split_off(begin).iter().map(|datagram| link::ethernet(datagram)).collect();
        Self { analyzer, decoder: Decoder::default(), frames, number: begin as u64 + 1 }
    }

    /// Goes on to the packets that follow.
    fn next(&mut self) -> &mut Self {
        self.number += FRAMES as u64;
        for frame in &mut self.frames {
            let sequence = &mut frame[38..42];
            let number = u32::from_be_bytes(sequence.try_into().unwrap());
            sequence.copy_from_slice(&number.wrapping_add((FRAMES * SEGMENT) as u32).to_be_bytes());
        }
        self
    }

    /// Analyzes the frames, as the driver does without workers.
    #[inline(never)]
    fn run(&mut self) {
        for (number, bytes) in (self.number..).zip(&self.frames) {
            let analyzer = &mut self.analyzer;
            self.decoder.decode_each(&frame(number, bytes, LinkType::ETHERNET), |packet| {
                analyzer.offer(packet, &mut |event| panic!("{event:?}"));
            });
        }
    }

    fn time(&mut self) -> Duration {
        let start = Instant::now();
        self.run();
        start.elapsed()
    }
}

/// What a packet of a long body costs at its begin and at its end, which should be the same.
fn download(criterion: &mut Criterion, request: &[u8], response: &str) {
    let mut group = criterion.benchmark_group("packets");
    group.throughput(Throughput::Elements(FRAMES as u64));
    group.bench_function("download, first 256", |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| Download::new(request, response).time()).sum());
    });
    let mut behind_a_million = None;
    group.bench_function("download, behind a million", |bencher| {
        let download = behind_a_million.get_or_insert_with(|| {
            let mut download = Download::new(request, response);
            (0..1_000_000 / FRAMES).for_each(|_| _ = download.next().time());
            let (_, allocations) = alloc::measure(|| download.next().time());
            println!("packets/download: {FRAMES} packets, {} allocations", allocations.count);
            download
        });
        bencher.iter_custom(|times| (0..times).map(|_| download.next().time()).sum());
    });
    group.finish();
}

/// Analyses for a section of the report.
fn section(section: &'static str) -> Analyses<'static> {
    Analyses { section, recorder: &RECORDER }
}

fn captures(criterion: &mut Criterion) {
    for name in ["http_clients", "browsers_net"] {
        let replayed = Traffic::replayed(&[&format!("real/{name}.pcap")]);
        section("captures").measure_replayed::<HttpEvent>(
            criterion,
            name,
            &replayed,
            HttpSettings::default(),
        );
    }
}

/// Only the first kind has so few connections at a time that a table of 100 of them loses nothing.
fn traffic(criterion: &mut Criterion) {
    for (kind, max_flows) in
        [(Kind::Http, 100), (Kind::Http, 10_000), (Kind::Mixed, 10_000), (Kind::Bulk, 10_000)]
    {
        let (traffic, said) = Traffic::generated(kind);
        let expected = said.http_requests + said.http_responses;
        let name = format!("{}, {max_flows} flows", kind.name());
        let settings = HttpSettings::default().with_max_exchanges(6).with_max_flows(max_flows);
        let case = (&traffic, expected);
        section("traffic").measure::<HttpEvent>(criterion, &name, case, settings, Driver::Sequential);
    }
}

fn parallel(criterion: &mut Criterion) {
    let (traffic, said) = Traffic::generated(Kind::Http);
    for (name, drivers) in [("workers", Driver::WORKERS), ("shards", Driver::SHARDS)] {
        for driver in drivers {
            let case = (&traffic, said.http_requests + said.http_responses);
            let settings = HttpSettings::default().with_max_exchanges(6);
            section(name).measure::<HttpEvent>(criterion, &driver.name(), case, settings, driver);
        }
    }
}

criterion_group!(
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(20);
    targets = heads, packets, captures, traffic, parallel
);
static RECORDER: Recorder = Recorder::new("http");

fn main() {
    RECORDER.run(benches);
    Criterion::default().configure_from_args().final_summary();
}
