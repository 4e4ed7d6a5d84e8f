//! What it costs to read a ClientHello, to fingerprint it, to find it in packets, and to pass over what is none.
//!
//! `cargo bench -p huginn-net-tls`. Every pass goes over all hellos; Criterion's `elem/s` are hellos per second, of the
//! packets of no interest packets per second. From packets on, every hello is of a connection that was never seen, of a
//! client whose lists were seen and hashed for the JA4 before, but in `one_segment_of_new_lists`; frames are made anew outside the timing, events are counted, and what one costs in allocations is printed. The cases of
//! `captures`, `traffic` and `workers` go through the driver, from frames in memory to events: captures replayed a thousand
//! times, and generated traffic larger than the caches of a core.

#![allow(
    missing_docs,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench fails by panicking"
)]

mod tls_hellos;

use std::fmt::Write as _;
use std::hint::black_box;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use benchkit::{Analyses, Driver, Recorder, Traffic};
use criterion::{Criterion, Throughput, criterion_group};
use huginn_net_core::{Analyzer, Decoder, Frame, LinkType, Packet, Progress, Timestamp};
use huginn_net_tls::{
    Carrier, ClientHello, ClientHelloReader, DtlsHelloReader, Ja4Cache, Ja4Options, QuicInitialReader,
    TlsAnalyzer, TlsEvent, TlsSettings,
};
use testkit::alloc;
use testkit::encap::link;
use testkit::packet::{IpHeader, Ipv4, Tcp, Udp, flags};
use testkit::trace::Kind;

use self::tls_hellos::{Hello, answer, dtls_datagrams, hellos, quic_vectors};

/// Payloads that lead nowhere.
fn uninteresting() -> [(&'static str, Vec<u8>); 4] {
    [
        ("http", b"GET / HTTP/1.1\r\nHost: example.test\r\n\r\n".to_vec()),
        ("tls_data", [&[23, 3, 3, 0x05, 0x00][..], &[0xa5; 0x500]].concat()),
        ("quic_data", [&[0x41][..], &[0xa5; 1_200]].concat()),
        (
            "dns",
            b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01x\x04test\x00\x00\x01\x00\x01".to_vec(),
        ),
    ]
}

fn detection(criterion: &mut Criterion) {
    const TIMES: u64 = 1_000;
    let mut group = criterion.benchmark_group("detection");
    group.throughput(Throughput::Elements(TIMES));
    for (name, payload) in uninteresting() {
        group.bench_function(format!("segment_{name}"), |bencher| {
            bencher.iter(|| {
                for _ in 0..TIMES {
                    assert!(ClientHello::from_record(black_box(&payload)).is_err());
                }
            });
        });
        group.bench_function(format!("datagram_{name}"), |bencher| {
            bencher.iter(|| {
                for _ in 0..TIMES {
                    let payload = black_box(&payload[..]);
                    assert!(!QuicInitialReader::is_initial(payload) && !DtlsHelloReader::is_hello(payload));
                }
            });
        });
    }
    group.finish();
}

fn parse(criterion: &mut Criterion) {
    let hellos = hellos();
    // A hello of DTLS in a record of TLS has its cookie in the wrong place.
    let is_of_records = |hello: &&Hello| hello.carrier != Carrier::Dtls && hello.message.len() < 16_384;
    let records: Vec<_> = hellos.iter().filter(is_of_records).map(Hello::record).collect();
    let mut group = criterion.benchmark_group("parse");
    group.throughput(Throughput::Elements(hellos.len() as u64));
    group.bench_function("message", |bencher| {
        bencher.iter(|| {
            for hello in &hellos {
                black_box(black_box(hello).parse());
            }
        });
    });
    group.throughput(Throughput::Elements(records.len() as u64));
    group.bench_function("record", |bencher| {
        bencher.iter(|| {
            for record in &records {
                assert!(black_box(ClientHello::from_record(black_box(record))).is_ok());
            }
        });
    });
    group.bench_function("record_in_two_pushes", |bencher| {
        bencher.iter(|| {
            for record in &records {
                let (head, tail) = record.split_at(record.len() / 2);
                let mut reader = ClientHelloReader::new();
                assert!(matches!(reader.push(black_box(head)), Ok(Progress::NeedMore)));
                assert!(matches!(black_box(reader.push(black_box(tail))), Ok(Progress::Done(_))));
            }
        });
    });
    group.finish();
}

fn fingerprints(criterion: &mut Criterion) {
    let hellos = hellos();
    let parsed: Vec<_> = hellos.iter().map(Hello::parse).collect();
    let mut group = criterion.benchmark_group("fingerprint");
    group.throughput(Throughput::Elements(hellos.len() as u64));
    group.bench_function("ja4", |bencher| {
        bencher.iter(|| {
            for (parsed, hello) in parsed.iter().zip(&hellos) {
                assert_eq!(black_box(parsed).ja4().as_str(), hello.ja4);
            }
        });
    });
    group.bench_function("ja4_from_message", |bencher| {
        bencher.iter(|| {
            for hello in &hellos {
                assert_eq!(black_box(hello).parse().ja4().as_str(), hello.ja4);
            }
        });
    });
    let mut cache = Ja4Cache::new(2_048);
    group.bench_function("ja4_from_message_with_cache", |bencher| {
        bencher.iter(|| {
            for hello in &hellos {
                let forms = black_box(hello).parse().ja4_forms(Ja4Options::default());
                assert_eq!(cache.ja4(&forms).as_str(), hello.ja4);
            }
        });
    });
    macro_rules! hashed {
        ($($form:ident)*) => {$(
            group.bench_function(stringify!($form), |bencher| {
                bencher.iter(|| {
                    for parsed in &parsed {
                        black_box(black_box(parsed).$form());
                    }
                });
            });
        )*};
    }
    hashed!(ja4_o ja4_s1 ja3 ja3n);
    let mut text = String::new();
    macro_rules! written {
        ($($form:ident)*) => {$(
            group.bench_function(stringify!($form), |bencher| {
                bencher.iter(|| {
                    for parsed in &parsed {
                        text.clear();
                        write!(text, "{}", black_box(parsed).$form()).expect("a string takes all");
                        assert!(black_box(&text).len() > 10);
                    }
                });
            });
        )*};
    }
    written!(ja4_r ja4_ro ja4_s1r ja3_full ja3n_full);
    group.finish();
}

fn quic(criterion: &mut Criterion) {
    let vectors = quic_vectors();
    let mut group = criterion.benchmark_group("quic");
    for (name, datagrams) in [("one_datagram", 1..=1), ("two_datagrams", 2..=2), ("every_vector", 1..=9)] {
        let vectors: Vec<_> = vectors.iter().filter(|vector| datagrams.contains(&vector.len())).collect();
        assert!(vectors.len() > 10, "{} of {name}", vectors.len());
        group.throughput(Throughput::Elements(vectors.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for datagrams in &vectors {
                    let mut reader = QuicInitialReader::new();
                    let mut found = 0;
                    for datagram in *datagrams {
                        found +=
                            usize::from(matches!(reader.push(black_box(datagram)), Ok(Progress::Done(_))));
                    }
                    assert_eq!(found, 1);
                }
            });
        });
    }
    group.finish();
}

fn dtls(criterion: &mut Criterion) {
    let hellos: Vec<_> = hellos().into_iter().filter(|hello| hello.carrier == Carrier::Dtls).collect();
    let mut group = criterion.benchmark_group("dtls");
    group.throughput(Throughput::Elements(hellos.len() as u64));
    for (name, size) in [("whole", usize::MAX), ("fragments_of_100_bytes", 100)] {
        let messages: Vec<_> = hellos.iter().map(|hello| dtls_datagrams(&hello.message, size)).collect();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for datagrams in &messages {
                    let mut reader = DtlsHelloReader::new();
                    let mut found = 0;
                    for datagram in datagrams {
                        found +=
                            usize::from(matches!(reader.push(black_box(datagram)), Ok(Progress::Done(_))));
                    }
                    assert_eq!(found, 1);
                }
            });
        });
    }
    group.finish();
}

/// Where the addresses and the ports of a frame of Ethernet and IPv4 are.
const CLIENT_AT: usize = 14 + 12;
const CLIENT_PORT_AT: usize = 14 + 20;

fn segment(sequence: u32, payload: &[u8]) -> Vec<u8> {
    let segment = Tcp::new(40_000, 443).sequence(sequence).flags(flags::ACK).payload(payload);
    link::ethernet(&Ipv4::new([10, 0, 0, 1], [192, 0, 2, 1]).tcp(&segment))
}

fn datagram(payload: &[u8], port: u16) -> Vec<u8> {
    link::ethernet(&Ipv4::new([10, 0, 0, 1], [192, 0, 2, 1]).udp(&Udp::new(40_000, port, payload)))
}

/// Offsets of the last cipher suite and of the type of the first extension in a segment with a hello; `None` if that has
/// no suite or no extension.
fn lists_at(segment: &[u8]) -> Option<[usize; 2]> {
    let vector = |at: usize| Some(at + 1 + usize::from(*segment.get(at)?));
    // Headers, record, message, version, random.
    let suites_at = vector(14 + 20 + 20 + 5 + 4 + 2 + 32)?;
    let len = u16::from_be_bytes(segment.get(suites_at..suites_at + 2)?.try_into().ok()?);
    let last_suite_at = suites_at + usize::from(len);
    let extensions_at = vector(last_suite_at + 2)?;
    let has_both = len > 0 && extensions_at + 6 <= segment.len();
    has_both.then_some([last_suite_at, extensions_at + 2])
}

/// Connections that bring a hello each, and the analyzer that has seen others before them.
struct Case {
    /// The frames of each connection.
    connections: Vec<Vec<Vec<u8>>>,
    /// Where their first frames get another cipher suite and another extension each round, if they do.
    lists_at: Vec<[usize; 2]>,
    decoder: Decoder,
    analyzer: TlsAnalyzer,
    round: usize,
}

impl Case {
    /// Warmed up until the table of connections is full.
    fn new(name: &str, connections: Vec<Vec<Vec<u8>>>, lists_at: Vec<[usize; 2]>) -> Self {
        let settings = TlsSettings::default().with_max_flows(10_000);
        let analyzer = TlsAnalyzer::new(settings);
        let mut case = Self { connections, lists_at, decoder: Decoder::default(), analyzer, round: 0 };
        case.time(50);
        case.renew();
        let ((), allocations) = alloc::measure(|| case.run());
        println!("{name}: {} allocations for {} hellos", allocations.count, case.connections.len());
        case
    }

    /// How long it takes to analyze the frames so many times.
    fn time(&mut self, rounds: u64) -> Duration {
        let round = |_| {
            self.renew();
            let start = Instant::now();
            self.run();
            start.elapsed()
        };
        (0..rounds).map(round).sum()
    }

    /// Gives every connection a client that was never seen.
    fn renew(&mut self) {
        self.round += 1;
        let first = self.round * self.connections.len();
        for (id, frames) in (first..).zip(&mut self.connections) {
            let id = (id as u32).to_be_bytes();
            for frame in frames {
                frame[CLIENT_AT + 2..CLIENT_AT + 4].copy_from_slice(&id[..2]);
                frame[CLIENT_PORT_AT..CLIENT_PORT_AT + 2].copy_from_slice(&id[2..]);
            }
        }
        // Neither suites nor extensions are assigned here.
        let unassigned = 0x5000 | self.round as u16 & 0x0fff;
        for (frames, lists) in self.connections.iter_mut().zip(&self.lists_at) {
            for &at in lists {
                frames[0][at..at + 2].copy_from_slice(&unassigned.to_be_bytes());
            }
        }
    }

    /// Analyzes the frames, a tenth of a second after those before.
    fn run(&mut self) {
        let captured_at = Timestamp::from_nanos(1_700_000_000_000_000_000 + self.round as u64 * 100_000_000);
        let (decoder, analyzer) = (&mut self.decoder, &mut self.analyzer);
        let mut events = 0;
        for bytes in self.connections.iter().flatten() {
            let frame = Frame { captured_at, ..Frame::new(bytes, LinkType::ETHERNET) };
            decoder.decode_each(&frame, |packet| {
                if analyzer.affinity(packet).is_some() {
                    analyzer.on_packet(packet, &mut |event| {
                        events += 1;
                        black_box(event);
                    });
                }
            });
        }
        assert_eq!(events, self.connections.len());
    }
}

fn packet_to_event(criterion: &mut Criterion) {
    // Where the begin of a connection was not seen, only a version of 3.x makes a hello.
    let is_certain = |hello: &&Hello| hello.carrier == Carrier::Tcp && hello.message[4] == 3;
    let records: Vec<_> = hellos()
        .iter()
        .filter(is_certain)
        .filter(|hello| hello.message.len() < 16_384)
        .map(Hello::record)
        .collect();
    assert!(records.len() >= 400, "{} hellos over TCP", records.len());
    let in_two = |record: &Vec<u8>| {
        let middle = record.len() / 2;
        vec![segment(1, &record[..middle]), segment(1 + middle as u32, &record[middle..])]
    };
    let quic = |datagrams: RangeInclusive<usize>| -> Vec<_> {
        let vectors = quic_vectors();
        let frames = |vector: &Vec<Vec<u8>>| vector.iter().map(|payload| datagram(payload, 443)).collect();
        let fitting = vectors.iter().filter(|vector| datagrams.contains(&vector.len()));
        // There are not as many of these; each comes from several clients.
        fitting.map(frames).collect::<Vec<Vec<_>>>().iter().cycle().take(400).cloned().collect()
    };
    let in_one: Vec<_> = records.iter().map(|record| vec![segment(1, record)]).collect();
    let (of_new_lists, lists): (Vec<_>, Vec<_>) =
        in_one.iter().filter_map(|frames| Some((frames.clone(), lists_at(&frames[0])?))).unzip();
    assert!(lists.len() >= 400, "{} hellos with extensions", lists.len());
    let cases = [
        ("one_segment", in_one, Vec::new()),
        ("one_segment_of_new_lists", of_new_lists, lists),
        ("two_segments", records.iter().map(in_two).collect(), Vec::new()),
        ("quic_in_one_datagram", quic(1..=1), Vec::new()),
        ("quic_in_two_datagrams", quic(2..=2), Vec::new()),
        ("quic_every_vector", quic(1..=9), Vec::new()),
    ];
    let mut group = criterion.benchmark_group("packet_to_event");
    for (name, connections, lists) in cases {
        group.throughput(Throughput::Elements(connections.len() as u64));
        // Made when it is first run, which is never if the case was not asked for.
        let (mut inputs, mut case) = (Some((connections, lists)), None);
        group.bench_function(name, |bencher| {
            let case = case.get_or_insert_with(|| {
                let (connections, lists) = inputs.take().unwrap_or_default();
                Case::new(name, connections, lists)
            });
            bencher.iter_custom(|rounds| case.time(rounds));
        });
    }
    group.finish();
}

/// Packets that bring nothing, decoded before the timing, to an analyzer that has seen a hello and its answer, or only
/// the hello.
fn packet_of_no_interest(criterion: &mut Criterion) {
    const TIMES: u64 = 1_000;
    let hello = hellos().iter().find(|hello| hello.carrier == Carrier::Tcp).expect("a hello").record();
    let data = [&[23, 3, 3, 0x05, 0x00][..], &[0xa5; 0x500]].concat();
    let [_, _, (_, quic_data), (_, dns)] = uninteresting();
    let after_hello = 1 + hello.len() as u32;
    let of_server = Tcp::new(443, 40_000).sequence(1).flags(flags::ACK).payload(&answer());
    let of_server = link::ethernet(&Ipv4::new([192, 0, 2, 1], [10, 0, 0, 1]).tcp(&of_server));
    let mut group = criterion.benchmark_group("packet_of_no_interest");
    group.throughput(Throughput::Elements(TIMES));
    for (name, bytes, is_answered) in [
        ("data_of_a_done_connection", segment(after_hello, &data), true),
        ("data_sent_again_before_the_answer", segment(after_hello, &data), false),
        ("acknowledgment", segment(after_hello, b""), true),
        ("quic_data", datagram(&quic_data, 443), true),
        ("dns", datagram(&dns, 53), true),
    ] {
        let mut analyzer = TlsAnalyzer::new(TlsSettings::default());
        let mut events = 0;
        let mut push = |packet: &Packet<'_>| {
            if analyzer.affinity(packet).is_some() {
                analyzer.on_packet(packet, &mut |_| events += 1);
            }
        };
        let of_hello = segment(1, &hello);
        push(&Packet::decode(&Frame::new(&of_hello, LinkType::ETHERNET)).expect("a packet"));
        if is_answered {
            push(&Packet::decode(&Frame::new(&of_server, LinkType::ETHERNET)).expect("a packet"));
        }
        let packet = Packet::decode(&Frame::new(&bytes, LinkType::ETHERNET)).expect("a packet");
        let ((), allocations) = alloc::measure(|| push(&packet));
        println!("{name}: {} allocations for a packet", allocations.count);
        group.bench_function(name, |bencher| {
            bencher.iter(|| (0..TIMES).for_each(|_| push(black_box(&packet))));
        });
        assert_eq!(events, 1 + u32::from(is_answered), "{name}");
    }
    group.finish();
}

/// Analyses for a section of the report.
fn section(section: &'static str) -> Analyses<'static> {
    Analyses { section, recorder: &RECORDER }
}

fn captures(criterion: &mut Criterion) {
    for (name, capture) in [
        ("curl, HTTP/1.1", "tls/pcap/curl-7.88.1-http1.1.pcap"),
        ("Chrome's hello", "tls/pcap/curl_cffi-0.16.3-chrome136.pcap"),
        ("QUIC", "tls/quic-pcap/q-quic-go-v1.pcap"),
    ] {
        let replayed = Traffic::replayed(&[capture]);
        section("captures").measure_replayed::<TlsEvent>(criterion, name, &replayed, TlsSettings::default());
    }
}

/// Only the first kind has so few connections at a time that a table of 100 of them loses nothing.
fn traffic(criterion: &mut Criterion) {
    for (kind, max_flows) in [
        (Kind::Hellos, 100),
        (Kind::Hellos, 10_000),
        (Kind::Handshakes, 10_000),
        (Kind::Quic, 10_000),
        (Kind::Mixed, 10_000),
    ] {
        let (traffic, said) = Traffic::generated(kind);
        let expected = said.client_hellos + said.server_hellos;
        let name = format!("{}, {max_flows} flows", kind.name());
        let settings = TlsSettings::default().with_max_flows(max_flows);
        let case = (&traffic, expected);
        section("traffic").measure::<TlsEvent>(criterion, &name, case, settings, Driver::Sequential);
    }
}

fn parallel(criterion: &mut Criterion) {
    let (traffic, said) = Traffic::generated(Kind::Hellos);
    for (name, drivers) in [("workers", Driver::WORKERS), ("shards", Driver::SHARDS)] {
        for driver in drivers {
            let case = (&traffic, said.client_hellos);
            section(name).measure::<TlsEvent>(
                criterion,
                &driver.name(),
                case,
                TlsSettings::default(),
                driver,
            );
        }
    }
}

criterion_group!(
    benches,
    detection,
    parse,
    fingerprints,
    quic,
    dtls,
    packet_to_event,
    packet_of_no_interest,
    captures,
    traffic,
    parallel
);
static RECORDER: Recorder = Recorder::new("tls");

fn main() {
    RECORDER.run(benches);
    Criterion::default().configure_from_args().final_summary();
}
