//! TCP: decoding, observation, analysis and matching, per packet.
//!
//! The cases of `decode`, `observe` and `analysis` work on 256 frames that stay in the cache and check what comes out of them;
//! for those of `analysis` allocations per packet are counted and printed before the timing. Those of `captures`, `traffic` and
//! `workers` go through the driver, from frames in memory to events: captures replayed a thousand times, and generated traffic
//! larger than the caches of a core. Run with `cargo bench -p huginn-net-tcp`; criterion prints the time of one frame as the
//! inverse of its throughput (`thrpt`), so 40 Melem/s are 25 ns a packet.
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench fails by panicking"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use benchkit::{Analyses, Driver, Recorder, Traffic};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group};
use huginn_net_core::{Analyzer, Decoder, Frame, LinkType, Origin, Packet, Timestamp};
use huginn_net_db::{Database, Label, Quality, TcpMatch, TcpMatcher};
use huginn_net_tcp::{AsSeen, MakeEvent, Seen, TcpAnalyzer, TcpEvent, TcpObservation, TcpSettings, Uptime};
use testkit::capture::Capture;
use testkit::encap::link;
use testkit::packet::{IpHeader, Ipv4, Tcp, TcpOption, Udp, flags};
use testkit::trace::Kind;
use testkit::{alloc, corpus};

/// Frames of one case.
const FRAMES: usize = 256;

/// SYNs of the stacks that make most of today's traffic, and of scanners.
const TEMPLATES: [&str; 6] = [
    "real/v4.pcap",
    "real/v6.pcap",
    "real/v4_mtu1420.pcap",
    "tcp/a02_win10_syn.pcap",
    "real/opt_ts0_sack1_ws1.pcap",
    "real/scan_nmap_sS.pcap",
];

/// Frames with the place of what makes them distinct.
struct Handshakes {
    frames: Vec<Vec<u8>>,
    /// Offset of the TCP header in each frame.
    tcp_at: Vec<usize>,
    answers: bool,
    round: usize,
}

impl Handshakes {
    /// The first SYN of each template in turn, and what answers it if `answers` is set.
    fn new(answers: bool) -> Self {
        let per_template = if answers { 2 } else { 1 };
        let templates: Vec<_> = TEMPLATES
            .iter()
            .map(|name| Capture::open(&corpus::path(name)).records)
            .filter(|records| records.len() >= per_template)
            .map(|records| {
                records.into_iter().take(per_template).map(|record| record.bytes).collect::<Vec<_>>()
            })
            .filter(|frames| !answers || flags_of(&frames[1]) & 0x12 == 0x12)
            .collect();
        let frames: Vec<_> = templates.iter().cycle().flatten().take(FRAMES).cloned().collect();
        let tcp_at = frames.iter().map(|frame| tcp_at(frame)).collect();
        Self { frames, tcp_at, answers, round: 0 }
    }

    /// Makes every connection one that was never seen: another client, port and sequence numbers.
    fn renew(&mut self) {
        self.round = self.round.wrapping_add(1);
        for (index, (frame, &at)) in self.frames.iter_mut().zip(&self.tcp_at).enumerate() {
            let connection = if self.answers { index / 2 } else { index };
            let id = self.round.wrapping_mul(FRAMES) + connection;
            let id = u32::try_from(id % (1 << 31)).expect("31 bits").to_be_bytes();
            let is_answer = frame[at + 13] & 0x10 != 0;
            // The client is the source of a SYN and the destination of its answer; both end where TCP starts.
            let address_len = if frame[12..14] == [0x08, 0x00] { 4 } else { 16 };
            let client_end = if is_answer { at } else { at - address_len };
            frame[client_end - 2..client_end].copy_from_slice(&id[2..]);
            let port_at = if is_answer { at + 2 } else { at };
            frame[port_at..port_at + 2].copy_from_slice(&id[1..3]);
            let isn = [id[0], id[1], id[2], id[3] | 1];
            if is_answer {
                frame[at + 8..at + 12].copy_from_slice(&(u32::from_be_bytes(isn) + 1).to_be_bytes());
            } else {
                frame[at + 4..at + 8].copy_from_slice(&isn);
            }
        }
    }
}

fn tcp_at(frame: &[u8]) -> usize {
    14 + if frame[12..14] == [0x08, 0x00] { 20 } else { 40 }
}

fn flags_of(frame: &[u8]) -> u8 {
    frame[tcp_at(frame) + 13]
}

fn frame(bytes: &[u8]) -> Frame<'_> {
    Frame { captured_at: Timestamp::from_parts(1_700_000_000, 0), ..Frame::new(bytes, LinkType::ETHERNET) }
}

/// EtherType of ARP, which holds no packet of IP.
const ARP: [u8; 2] = [0x08, 0x06];

/// Frames that lead nowhere: data of connections nobody follows, UDP, ARP.
fn uninteresting() -> Vec<(&'static str, Vec<u8>)> {
    let ip = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
    let data = Tcp::new(40_000, 443)
        .flags(flags::ACK | flags::PSH)
        .options([TcpOption::Nop, TcpOption::Nop, TcpOption::Timestamps(5, 6)])
        .payload(&[7; 1_000]);
    let arp = link::ethernet_of(u16::from_be_bytes(ARP), &[0; 28]);
    vec![
        ("tcp_data", link::ethernet(&ip.tcp(&data))),
        ("udp", link::ethernet(&ip.udp(&Udp::new(50_000, 53, &[0; 60])))),
        ("arp", arp),
    ]
}

/// SYNs, and SYN+ACKs without the SYNs that they answer, 256 each; of the SYN+ACKs some are the same.
fn parsed() -> [(&'static str, Vec<Vec<u8>>); 2] {
    let answers = Handshakes::new(true).frames.into_iter().skip(1).step_by(2);
    let answers = answers.collect::<Vec<_>>().into_iter().cycle().take(FRAMES).collect();
    [("syn", Handshakes::new(false).frames), ("syn_ack", answers)]
}

fn decode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decode");
    group.throughput(Throughput::Elements(FRAMES as u64));
    let uninteresting = uninteresting().into_iter().map(|(name, bytes)| (name, vec![bytes; FRAMES]));
    for (name, frames) in parsed().into_iter().chain(uninteresting) {
        let expected = frames.iter().filter(|frame| frame[12..14] != ARP).count();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let decoded = frames
                    .iter()
                    .filter(|bytes| black_box(Packet::decode(&frame(black_box(bytes)))).is_ok())
                    .count();
                assert_eq!(decoded, expected);
            });
        });
    }
    group.finish();
}

fn observe(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("observe");
    group.throughput(Throughput::Elements(FRAMES as u64));
    let parsed = parsed();
    let [syns, answers] = parsed.each_ref().map(|(_, frames)| -> Vec<_> {
        frames.iter().map(|bytes| Packet::decode(&frame(bytes)).expect("a packet")).collect()
    });
    for ((name, _), packets) in parsed.iter().zip([&syns, &answers]) {
        group.bench_function(*name, |bencher| {
            bencher.iter(|| {
                for packet in packets {
                    let seen = TcpObservation::of(black_box(packet), None);
                    assert!(black_box(&seen).is_some());
                }
            });
        });
    }
    let database = Database::bundled();
    let seen: Vec<_> = syns.iter().map(|packet| TcpObservation::of(packet, None).expect("a SYN")).collect();
    group.bench_function("match", |bencher| {
        bencher.iter(|| {
            let named = seen.iter().filter(|seen| database.match_syn(black_box(seen)).is_some()).count();
            assert_eq!(named, FRAMES);
        });
    });
    let mut matcher = TcpMatcher::new(Arc::clone(database));
    group.bench_function("match, remembered", |bencher| {
        bencher.iter(|| {
            let named = seen.iter().filter(|seen| matcher.match_syn(black_box(seen)).is_some()).count();
            assert_eq!(named, FRAMES);
        });
    });
    group.finish();
}

fn analysis(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("analysis");
    group.throughput(Throughput::Elements(FRAMES as u64));
    let shapes = [false, true].into_iter().flat_map(|answers| [(answers, 100), (answers, 10_000)]);
    for (answers, max_flows) in shapes {
        let packets = if answers { "handshake" } else { "syn" };
        let name = format!("{packets}, not matched, {max_flows} flows");
        measure(&mut group, &name, || Case::of_handshakes(&name, answers, AsSeen, max_flows));
        let name = format!("{packets}, matched, {max_flows} flows");
        let named = || Named(Database::bundled());
        measure(&mut group, &name, || Case::of_handshakes(&name, answers, named(), max_flows));
    }
    for (name, bytes) in uninteresting() {
        measure(&mut group, name, || Case::of_uninteresting(name, &bytes, AsSeen));
    }
    group.finish();
}

/// Measures a case, which is made when it is first run: never, if it was not asked for.
fn measure<M: MakeEvent>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, make: impl Fn() -> Case<M>) {
    let mut case = None;
    group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
        let case = case.get_or_insert_with(&make);
        bencher.iter_custom(|rounds| case.time(rounds));
    });
}

/// Frames, and the analyzer that has seen them before.
struct Case<M: MakeEvent> {
    frames: Frames,
    decoder: Decoder,
    analyzer: TcpAnalyzer<M>,
}

enum Frames {
    Handshakes(Handshakes),
    Uninteresting(Vec<Vec<u8>>),
}

impl<M: MakeEvent> Case<M> {
    fn new(frames: Frames, make: M, max_flows: usize) -> Self {
        let analyzer = TcpAnalyzer::making(make, TcpSettings::default().with_max_flows(max_flows));
        Self { frames, decoder: Decoder::default(), analyzer }
    }

    /// Warmed up until the flow table is full, so that the timing includes giving up the oldest connection.
    fn of_handshakes(name: &str, answers: bool, make: M, max_flows: usize) -> Self {
        let mut case = Self::new(Frames::Handshakes(Handshakes::new(answers)), make, max_flows);
        (0..300).for_each(|_| _ = case.time(1));
        case.report_allocations(name);
        case
    }

    fn of_uninteresting(name: &str, bytes: &[u8], make: M) -> Self {
        let mut case = Self::new(Frames::Uninteresting(vec![bytes.to_vec(); FRAMES]), make, 10_000);
        case.report_allocations(name);
        case
    }

    fn report_allocations(&mut self, name: &str) {
        self.renew();
        let ((), allocations) = alloc::measure(|| self.run());
        println!("{name}: {} allocations for {FRAMES} packets", allocations.count);
    }

    /// How long it takes to analyze the frames so many times; making them anew does not count.
    fn time(&mut self, rounds: u64) -> Duration {
        (0..rounds)
            .map(|_| {
                self.renew();
                let start = Instant::now();
                self.run();
                start.elapsed()
            })
            .sum()
    }

    /// Makes the frames of connections that were never seen.
    fn renew(&mut self) {
        if let Frames::Handshakes(handshakes) = &mut self.frames {
            handshakes.renew();
        }
    }

    /// Analyzes the frames once, as the driver does without workers.
    #[inline(never)]
    fn run(&mut self) {
        let (frames, expected) = match &self.frames {
            Frames::Handshakes(handshakes) => (&handshakes.frames, FRAMES),
            Frames::Uninteresting(frames) => (frames, 0),
        };
        let mut events = 0;
        for bytes in frames {
            let analyzer = &mut self.analyzer;
            self.decoder.decode_each(&frame(bytes), |packet| {
                analyzer.offer(packet, &mut |event| {
                    events += 1;
                    _ = black_box(&event);
                });
            });
        }
        assert_eq!(events, expected);
    }
}

/// Puts labels on what is seen where its event is made, and remembers them with observations that are alike: as the facade
/// does, whose labels are not counted either.
struct Named(&'static Database);

/// Label, quality and hops.
type Name = (&'static Label, Quality, u8);

fn name(matched: Option<TcpMatch<'static>>) -> Name {
    let TcpMatch { record, quality, distance, .. } = matched.expect("each template has a name");
    (&record.label, quality, distance)
}

impl MakeEvent for Named {
    type Event = (TcpEvent, Option<Name>);
    /// With the TTL it is for.
    type Memo = Option<(u8, Name)>;

    #[inline(always)]
    fn syn(&mut self, origin: Origin, seen: Seen<'_>, memo: &mut Self::Memo) -> Self::Event {
        let (_, known) = match memo {
            Some(known) if known.0 == seen.ttl() => known,
            _ => memo.insert((seen.ttl(), name(self.0.match_syn(&seen.observation())))),
        };
        (AsSeen.syn(origin, seen, &mut ()), Some(*known))
    }

    #[inline(always)]
    fn syn_ack(&mut self, origin: Origin, seen: Seen<'_>, memo: &mut Self::Memo) -> Self::Event {
        let (_, known) = match memo {
            Some(known) if known.0 == seen.ttl() => known,
            _ => memo.insert((seen.ttl(), name(self.0.match_syn_ack(&seen.observation())))),
        };
        (AsSeen.syn_ack(origin, seen, &mut ()), Some(*known))
    }

    fn uptime(uptime: Uptime) -> Self::Event {
        (TcpEvent::Uptime(uptime), None)
    }
}

/// Analyses for a section of the report.
fn section(section: &'static str) -> Analyses<'static> {
    Analyses { section, recorder: &RECORDER }
}

fn captures(criterion: &mut Criterion) {
    for (name, captures) in [("templates", &TEMPLATES[..]), ("scan_nmap_O", &["real/scan_nmap_O.pcap"])] {
        let replayed = Traffic::replayed(captures);
        section("captures").measure_replayed::<TcpEvent>(criterion, name, &replayed, TcpSettings::default());
    }
}

/// Only the first kind has so few connections at a time that a table of 100 of them loses nothing.
fn traffic(criterion: &mut Criterion) {
    for (kind, max_flows) in
        [(Kind::Syns, 100), (Kind::Syns, 10_000), (Kind::Handshakes, 10_000), (Kind::Mixed, 10_000)]
    {
        let (traffic, said) = Traffic::generated(kind);
        let expected = said.syns + said.syn_acks + said.clocks;
        let name = format!("{}, {max_flows} flows", kind.name());
        let settings = TcpSettings::default().with_max_flows(max_flows);
        let case = (&traffic, expected);
        section("traffic").measure::<TcpEvent>(criterion, &name, case, settings, Driver::Sequential);
    }
}

fn parallel(criterion: &mut Criterion) {
    let (traffic, said) = Traffic::generated(Kind::Syns);
    for (name, drivers) in [("workers", Driver::WORKERS), ("shards", Driver::SHARDS)] {
        for driver in drivers {
            let case = (&traffic, said.syns + said.syn_acks);
            section(name).measure::<TcpEvent>(
                criterion,
                &driver.name(),
                case,
                TcpSettings::default(),
                driver,
            );
        }
    }
}

criterion_group!(benches, decode, observe, analysis, captures, traffic, parallel);
static RECORDER: Recorder = Recorder::new("tcp");

fn main() {
    RECORDER.run(benches);
    Criterion::default().configure_from_args().final_summary();
}
