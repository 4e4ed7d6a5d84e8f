//! Frames from which hellos are read.

use huginn_net_core::{Analyzer, AnalyzerStats, Timestamp};
use huginn_net_tls::{Carrier, TlsAnalyzer, TlsEvent, TlsSettings};

use crate::frames::Frames;
use crate::tls::check_hello;

/// Reads hellos from frames, twice by analyzers with keys of their own, and once more with every frame repeated.
///
/// The first byte chooses the link type, the second the time between two frames, in hundredths of a second; if that is
/// odd, time also jumps back. Then come frames, each after its length in two bytes; the last one may be shorter.
pub fn tls_frames(data: &[u8]) {
    let Some(frames) = Frames::read(data) else { return };
    let small = TlsSettings::default()
        .with_max_flows(8)
        .with_max_pending(4)
        .with_max_pending_bytes(20_000)
        .with_max_pending_per_source(3);
    let seen = told(&frames, 1, small);
    assert_eq!(told(&frames, 1, small), seen, "nothing depends on a key");

    // Where no limit is reached but those on bytes and time, what is sent again brings nothing.
    let roomy = TlsSettings::default();
    let over_tcp = |told: Vec<Told>| told.into_iter().filter(|told| told.over_tcp).collect::<Vec<_>>();
    assert_eq!(over_tcp(told(&frames, 2, roomy)), over_tcp(told(&frames, 1, roomy)));
}

/// What an event tells, but for packet counts and numbers, which repeated frames change.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    captured_at: Timestamp,
    over_tcp: bool,
    text: String,
}

fn told(frames: &Frames<'_>, copies: u64, settings: TlsSettings) -> Vec<Told> {
    let mut analyzer = TlsAnalyzer::new(settings);
    let mut told = Vec::new();
    frames.feed(copies, &mut analyzer, |event, number| told.push(check_event(&event, number)));
    check_counts(&analyzer, &told);
    told
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
