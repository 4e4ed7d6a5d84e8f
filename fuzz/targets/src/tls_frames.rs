//! Frames from which hellos are read.

use huginn_net_core::{Analyzer, AnalyzerStats, Decoder, Frame, LinkType, Reader, Timestamp};
use huginn_net_tls::{Carrier, TlsAnalyzer, TlsEvent, TlsSettings};

use crate::LINK_TYPES;
use crate::tls::check_hello;

/// Reads hellos from frames, twice by analyzers with keys of their own, and once more with every frame repeated.
///
/// The first byte chooses the link type, the second the time between two frames, in hundredths of a second; if that is
/// odd, time also jumps back. Then come frames, each after its length in two bytes; the last one may be shorter.
pub fn tls_frames(data: &[u8]) {
    let mut reader = Reader::new(data);
    let Ok([link_type, step]) = reader.array("link type and step") else { return };
    let link_type = LINK_TYPES.iter().cycle().nth(usize::from(link_type)).copied().unwrap_or(LinkType::RAW);
    let mut frames = Vec::new();
    while let Ok(len) = reader.u16("frame length") {
        frames.push(reader.take(usize::from(len), "frame").unwrap_or_else(|_| reader.take_rest()));
    }
    let settings = TlsSettings::default()
        .with_max_flows(8)
        .with_max_pending(4)
        .with_max_pending_bytes(20_000)
        .with_max_pending_per_source(3);
    let once = Run { link_type, step, copies: 1, settings };
    let seen = once.of(&frames);
    assert_eq!(once.of(&frames), seen, "nothing depends on a key");

    // Where no limit is reached but those on bytes and time, what is sent again brings nothing.
    let roomy = Run { settings: TlsSettings::default(), ..once };
    let over_tcp = |told: Vec<Told>| told.into_iter().filter(|told| told.over_tcp).collect::<Vec<_>>();
    assert_eq!(over_tcp(Run { copies: 2, ..roomy }.of(&frames)), over_tcp(roomy.of(&frames)));
}

#[derive(Clone, Copy)]
struct Run {
    link_type: LinkType,
    step: u8,
    /// How often each frame comes.
    copies: u64,
    settings: TlsSettings,
}

/// What an event tells, but for packet counts and numbers, which repeated frames change.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    captured_at: Timestamp,
    over_tcp: bool,
    text: String,
}

impl Run {
    fn of(self, frames: &[&[u8]]) -> Vec<Told> {
        let mut decoder = Decoder::default();
        let mut analyzer = TlsAnalyzer::new(self.settings);
        let mut told = Vec::new();
        let mut number = 0;
        for (index, bytes) in (0_u64..).zip(frames) {
            let jump = if self.step % 2 == 1 && index % 4 == 3 { 5_000_000_000 } else { 0 };
            let nanos = 1_700_000_000_000_000_000 + index * u64::from(self.step) * 10_000_000 - jump;
            let captured_at = Timestamp::from_nanos(nanos);
            for _ in 0..self.copies {
                number += 1;
                let wire_len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                let frame = Frame { bytes, captured_at, wire_len, link_type: self.link_type, number };
                decoder.decode_each(&frame, |packet| {
                    if analyzer.affinity(packet).is_some() {
                        analyzer.on_packet(packet, &mut |event| told.push(check_event(&event, number)));
                    }
                });
            }
            analyzer.on_time(captured_at, &mut |event| told.push(check_event(&event, number)));
        }
        analyzer.on_end(&mut |event| told.push(check_event(&event, number)));
        check_counts(&analyzer, &told);
        told
    }
}

/// Checks an event of a frame, and tells it.
fn check_event(event: &TlsEvent, number: u64) -> Told {
    let origin = event.origin();
    assert_eq!(origin.frame, number, "an event comes with the frame that completes it");
    let text = match event {
        TlsEvent::ClientHello(seen) => {
            check_hello(&seen.hello.parsed());
            assert!(seen.packets > 0 && u64::from(seen.packets) <= number);
            assert!(seen.first.frame <= number && seen.first.frame > 0);
            assert_eq!(seen.quic.is_some(), seen.hello.carrier() == Carrier::Quic);
            assert!(seen.via.is_none() || seen.hello.carrier() == Carrier::Tcp);
            assert!(seen.hello_index < 2 || seen.hello.carrier() != Carrier::Tcp);
            let (index, after_hrr) = (seen.hello_index, seen.after_hrr);
            format!(
                "{:?} {index} {after_hrr} {:?} {:?}",
                seen.hello.carrier(),
                seen.via,
                seen.hello.message()
            )
        }
        TlsEvent::ServerHello(seen) => {
            assert_eq!(seen.ja3s_full.matches(',').count(), 2);
            format!("{} {}", seen.ja3s_full, seen.after_hrr)
        }
        TlsEvent::Sslv2Hello(seen) => {
            assert!(seen.packets > 0 && seen.first.frame <= number);
            format!("{:?} {:?}", seen.cipher_specs, seen.via)
        }
        other => panic!("{other:?}"),
    };
    let over_tcp = event.client_hello().is_none_or(|seen| seen.hello.carrier() == Carrier::Tcp);
    Told { captured_at: origin.captured_at, over_tcp, text: format!("{} {text}", origin.source) }
}

/// Every event is counted once.
fn check_counts(analyzer: &TlsAnalyzer, told: &[Told]) {
    const COUNTED: [&str; 6] =
        ["tls_single_segment", "tls_reassembled", "tls_quic", "tls_dtls", "tls_sslv2", "tls_server_hello"];
    let mut stats = AnalyzerStats::default();
    analyzer.count(&mut stats);
    let counted = stats.seen.iter().filter(|(name, _)| COUNTED.contains(name));
    assert_eq!(counted.map(|(_, count)| count).sum::<u64>(), told.len() as u64);
}
