//! What the fuzz targets do, one function each. They panic where a promise of a parser is broken, so that a fuzzer and
//! the replay of its corpora in `tests/replay.rs` find the same.

#![allow(clippy::panic, clippy::expect_used, reason = "a broken promise is reported by panicking")]

mod filter;
mod frames;
mod http1;
mod http2;
mod http_frames;
mod judgments;
mod quic_frames;
mod streams;
mod tls;
mod tls_frames;

use huginn_net_core::{
    Analyzer, AnalyzerStats, CaptureFile, DecodeLimits, Decoder, Frame, IpProtocol, LinkType, Packet, Read,
    Reader, Source, Timestamp, Undecoded,
};
use huginn_net_db::{Database, Fingerprint, SignatureFile};
use huginn_net_tcp::{Quirks, TcpAnalyzer, TcpEvent, TcpObservation, TcpOptions, TcpSettings, Uptime};

pub use self::filter::filter;
pub use self::http_frames::http_frames;
pub use self::http1::http1;
pub use self::http2::{hpack, http2};
pub use self::quic_frames::quic_frames;
pub use self::streams::streams;
pub use self::tls::{client_hello, dtls_hello, quic_initial, server_hello, transport_parameters};
pub use self::tls_frames::tls_frames;

/// A name, which is that of a corpus, and what takes its inputs.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: &[Target] = &[
    ("frame", frame),
    ("filter", filter),
    ("capture", capture),
    ("tcp_options", tcp_options),
    ("signature_file", signature_file),
    ("client_hello", client_hello),
    ("server_hello", server_hello),
    ("quic_initial", quic_initial),
    ("quic_frames", quic_frames),
    ("dtls_hello", dtls_hello),
    ("transport_parameters", transport_parameters),
    ("tls_frames", tls_frames),
    ("fingerprint", fingerprint),
    ("http1", http1),
    ("http2", http2),
    ("hpack", hpack),
    ("http_frames", http_frames),
    ("streams", streams),
];

/// Link types in the order by which the first byte of a [`frame`] input chooses one.
pub const LINK_TYPES: [LinkType; 47] = [
    LinkType::ETHERNET,
    LinkType::RAW,
    LinkType::RAW_BSD,
    LinkType::RAW_OPENBSD,
    LinkType::IPV4,
    LinkType::IPV6,
    LinkType::LINUX_SLL,
    LinkType::LINUX_SLL2,
    LinkType::NULL,
    LinkType::LOOP,
    LinkType::PPP,
    LinkType::PPP_HDLC,
    LinkType::PPP_ETHER,
    LinkType::C_HDLC,
    LinkType::PFLOG,
    LinkType::IEEE802_11,
    LinkType::IEEE802_11_RADIOTAP,
    LinkType(147),
    LinkType::TOKEN_RING,
    LinkType::FDDI,
    LinkType::ATM_RFC1483,
    LinkType::FRELAY,
    LinkType::ENC,
    LinkType::IEEE802_11_PRISM,
    LinkType::IEEE802_11_AVS,
    LinkType::PPP_PPPD,
    LinkType::JUNIPER_ETHERNET,
    LinkType::PPI,
    LinkType::ERF,
    LinkType::PPP_WITH_DIR,
    LinkType::MPLS,
    LinkType::NFLOG,
    LinkType::NETANALYZER,
    LinkType::NETANALYZER_TRANSPARENT,
    LinkType::PKTAP,
    LinkType::ATM_RFC1483_BSD,
    LinkType::SLIP,
    LinkType::IP_OVER_FC,
    LinkType::SUNATM,
    LinkType::APPLE_IP_OVER_IEEE1394,
    LinkType::IPNET,
    LinkType::IPOIB,
    LinkType::ETHERNET_MPACKET,
    LinkType::DSA_TAG_BRCM,
    LinkType::DSA_TAG_BRCM_PREPEND,
    LinkType::DSA_TAG_DSA,
    LinkType::DSA_TAG_EDSA,
];

/// Decodes frames and analyzes their packets.
///
/// The first byte chooses the link type and the second is by how much the capture cut each frame, in bytes. Then
/// come frames, each after its length in two bytes; the last one may be shorter than that.
pub fn frame(data: &[u8]) {
    let limits = DecodeLimits::default()
        .with_max_fragmented(4)
        .with_max_fragments(8)
        .with_max_fragment_bytes(100_000)
        .with_max_fragment_age(core::time::Duration::from_secs(2));
    let settings = TcpSettings::default()
        .with_max_flows(4)
        .with_max_pending_per_source(3)
        .with_max_hosts(4)
        .with_report_unpaired(true);
    let mut reader = Reader::new(data);
    let Ok([link_type, missing]) = reader.array("link type and cut") else { return };
    let link_type = LINK_TYPES.iter().cycle().nth(usize::from(link_type)).copied().unwrap_or(LinkType::RAW);
    let mut decoder = Decoder::with_limits(limits);
    let mut analyzer = TcpAnalyzer::new(settings);
    let (mut number, mut counted_before) = (0, 0);
    while let Ok(len) = reader.u16("frame length") {
        let len = usize::from(len).min(reader.remaining());
        let Ok(bytes) = reader.take(len, "frame") else { return };
        number += 1;
        let frame = Frame {
            bytes,
            captured_at: Timestamp::from_parts(1_700_000_000, number * 300_000_000),
            wire_len: u32::try_from(len).map_or(u32::MAX, |len| len + u32::from(missing)),
            link_type,
            number,
        };
        let mut layouts = Vec::new();
        decoder.decode_each(&frame, |packet| {
            layouts.push(*packet.layout());
            check_packet(packet);
            if analyzer.affinity(packet).is_some() {
                analyzer.on_packet(packet, &mut |event| check_event(&event, packet));
            }
        });
        let parts = counted(&decoder) - counted_before;
        counted_before += parts;
        assert!((1..=1 + len as u64 / 16).contains(&parts), "aggregated frames have a header and are padded");
        match Packet::decode(&frame) {
            Ok(packet) => assert_eq!(Some(packet.layout()), layouts.first()),
            Err(Undecoded::Fragment) => {}
            Err(reason) => {
                assert!(layouts.is_empty() || parts > 1, "{reason:?} without state, {layouts:?} with");
            }
        }
        decoder.on_time(frame.captured_at);
        analyzer.on_time(frame.captured_at, &mut check_late);
    }
    analyzer.on_end(&mut check_late);
    analyzer.count(&mut AnalyzerStats::default());
}

/// Frames, and parts of aggregated ones, that a decoder has counted.
fn counted(decoder: &Decoder) -> u64 {
    let stats = decoder.stats();
    stats.decoded + stats.undecoded.iter().map(|(_, count)| count).sum::<u64>()
}

fn check_packet(packet: &Packet<'_>) {
    assert!(packet.ipv4().is_some() != packet.ipv6().is_some(), "one IP header");
    assert_eq!(packet.tcp().is_some(), packet.protocol() == IpProtocol::TCP);
    assert_eq!(packet.udp().is_some(), packet.protocol() == IpProtocol::UDP);
    assert!(packet.payload().len() < packet.bytes().len());
    assert!(packet.layout().path().iter().count() <= 16);
    assert!(packet.layout().vlan().is_none_or(|id| id < 4_096));
    if let Some(segment) = packet.tcp() {
        assert_eq!(segment.payload(), packet.payload());
        assert!(segment.options().len() <= 40);
    }
    assert_eq!(
        TcpObservation::of(packet, None).is_some(),
        packet.tcp().is_some_and(|segment| segment.flags().is_syn() || segment.flags().is_syn_ack())
    );
}

/// Checks an event of a packet.
fn check_event(event: &TcpEvent, packet: &Packet<'_>) {
    match event {
        TcpEvent::Syn(seen) | TcpEvent::SynAck(seen) => {
            assert_eq!(seen.observation.to_string().split(':').count(), 8);
            let _ = (Database::bundled().match_syn(&seen.observation), seen.observation.mtu());
            let _ = Database::bundled().match_syn_ack(&seen.observation);
            check_observation(&seen.observation, packet);
        }
        TcpEvent::Uptime(uptime) => check_uptime(uptime),
        other => panic!("{other:?}"),
    }
}

/// What is observed of a packet is what it shows alone, and against the SYN that it answers, whatever was remembered of
/// those before.
fn check_observation(seen: &TcpObservation, packet: &Packet<'_>) {
    let mut alone = TcpObservation::of(packet, seen.syn_mss).expect("a SYN or SYN+ACK");
    alone.syn_offer = seen.syn_offer;
    alone.facts.unpaired = seen.facts.unpaired;
    assert_eq!(*seen, alone);
}

/// Checks what is reported without a packet.
fn check_late(event: TcpEvent) {
    match event {
        TcpEvent::Uptime(uptime) => check_uptime(&uptime),
        other => panic!("{other:?}"),
    }
}

fn check_uptime(uptime: &Uptime) {
    assert!((0.7..=1_500.0).contains(&uptime.frequency_hz), "{uptime:?}");
    assert!(uptime.frequency_error_hz >= 0.0, "{uptime:?}");
}

/// Reads a capture file to its end.
pub fn capture(data: &[u8]) {
    let Ok(mut capture) = CaptureFile::from_bytes(data) else { return };
    let (mut frames, mut bytes) = (0, 0);
    // The shortest record takes 16 bytes, and deflate and Zstandard shrink at most to a thousandth and less.
    const MOST_FRAMES: u64 = 1_000_000;
    while frames < MOST_FRAMES {
        match capture.read() {
            Ok(Read::Frame(frame)) => {
                frames += 1;
                bytes += frame.bytes.len() as u64;
                assert_eq!(frame.number, frames);
                assert!(frame.wire_len as usize >= frame.bytes.len());
            }
            Ok(Read::Idle) => panic!("a file is never idle"),
            Ok(Read::End) => break,
            Err(error) => panic!("memory does not fail: {error}"),
        }
    }
    if frames < MOST_FRAMES {
        assert_eq!(capture.read().expect("the end is no error"), Read::End);
    }
    let stats = capture.stats();
    assert_eq!((stats.packets, stats.bytes), (frames, bytes));
    assert!(stats.damage.len() as u64 <= stats.damage_total);
    assert!(stats.input_bytes <= data.len() as u64);
}

/// Parses TCP options.
pub fn tcp_options(data: &[u8]) {
    let parsed = TcpOptions::parse(data);
    let kinds = parsed.layout.kinds();
    assert!(kinds.len() <= data.len().min(40));
    assert!(kinds.iter().all(|kind| data.contains(kind)));
    assert_eq!(parsed.layout.to_string().is_empty(), data.is_empty());
    let of_options = Quirks::OWN_TIMESTAMP_ZERO
        | Quirks::PEER_TIMESTAMP_NONZERO
        | Quirks::TRAILING_NONZERO
        | Quirks::EXCESSIVE_SCALE
        | Quirks::BAD;
    assert!((parsed.quirks - of_options).is_empty());
}

/// Parses a signature file, which keeps every byte and means the same in canonical form.
pub fn signature_file(data: &[u8]) {
    let database = Database::parse_bytes(data, "fuzz.fp");
    let Ok(text) = core::str::from_utf8(data) else {
        assert!(database.is_err());
        return;
    };
    let (file, diagnostics) = SignatureFile::parse(text, "fuzz.fp");
    assert_eq!(file.to_string(), text);
    for diagnostic in diagnostics.iter().take(20) {
        let _ = diagnostic.render(text);
    }
    let canonical = file.canonical();
    let (again, _) = SignatureFile::parse(&canonical, "fuzz.fp");
    assert_eq!(again.canonical(), canonical);
    let Ok(database) = database else { return };
    let same = Database::parse(&canonical, "fuzz.fp").expect("the canonical form has no error");
    assert_eq!(same.tcp_requests(), database.tcp_requests());
    assert_eq!(same.tcp_responses(), database.tcp_responses());
    assert_eq!(same.http_requests(), database.http_requests());
    assert_eq!(same.http_responses(), database.http_responses());
    assert_eq!(same.mtus(), database.mtus());
    assert_eq!(same.user_agent_systems(), database.user_agent_systems());
    assert_eq!(same.tls_clients(), database.tls_clients());
    assert_eq!(same.http2_clients(), database.http2_clients());
}

/// Reads a value of `huginn-net match`, and looks it up.
pub fn fingerprint(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    let value = match Fingerprint::parse(text) {
        Ok(value) => value,
        Err(error) => {
            assert!(error.at <= text.len(), "{error}");
            return;
        }
    };
    // Letters whose case tells nothing may be of either.
    let is_as_written = |canonical: &str| {
        assert!(canonical.eq_ignore_ascii_case(text), "{canonical}");
        assert_eq!(Fingerprint::parse(canonical).as_ref(), Ok(&value));
    };
    match &value {
        Fingerprint::Ja4(ja4) => is_as_written(ja4.as_str()),
        Fingerprint::Ja4Lists(lists) => {
            is_as_written(&lists.to_string());
            let sorted = lists.sorted();
            assert_eq!((sorted.ja4(), sorted.ja4_s1()), (lists.ja4(), lists.ja4_s1()));
        }
        Fingerprint::Ja3Lists(lists) => assert_eq!(lists.to_string(), text),
        Fingerprint::Http2(seen) => {
            let again = Fingerprint::parse(&seen.akamai().to_string());
            assert_eq!(again.as_ref(), Ok(&value));
        }
        _ => {}
    }
    let near = Database::bundled().nearest(&value, 5);
    assert!(near.len() <= 5 && near.iter().all(|neighbour| neighbour.distance > 0));
    assert!(near.is_sorted_by_key(|neighbour| neighbour.distance));
    assert!(near.iter().all(|neighbour| !neighbour.differences.is_empty()));
    let _ = Database::bundled().match_fingerprint(&value);
}
