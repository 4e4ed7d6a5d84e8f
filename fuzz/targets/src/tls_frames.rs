//! Frames from which hellos are read.

use huginn_net_core::{Analyzer, AnalyzerStats, PendingLimits, Timestamp};
use huginn_net_tls::{Carrier, Ja4Options, TlsAnalyzer, TlsEvent, TlsSettings};

use crate::frames::Frames;
use crate::tls::check_hello;

/// Reads hellos from frames, twice by analyzers with keys of their own, once more with every frame repeated, and by two
/// analyzers that share the flows.
///
/// The first byte chooses the link type, the second the time between two frames, in hundredths of a second; if that is
/// odd, time also jumps back. Then come frames, each after its length in two bytes; the last one may be shorter.
pub fn tls_frames(data: &[u8]) {
    let Some(frames) = Frames::read(data) else { return };
    let small = TlsSettings::default().with_max_flows(8).with_pending(
        PendingLimits::default().with_max_entries(4).with_max_bytes(20_000).with_max_per_source(3),
    );
    let seen = told(&frames, 1, small);
    assert_eq!(told(&frames, 1, small), seen, "nothing depends on a key");

    // Where no limit is reached but those on bytes and time, what is sent again brings nothing.
    let roomy = TlsSettings::default();
    let over_tcp = |told: Vec<Told>| told.into_iter().filter(|told| told.over_tcp).collect::<Vec<_>>();
    let mut seen = told(&frames, 1, roomy);
    assert_eq!(over_tcp(told(&frames, 2, roomy)), over_tcp(seen.clone()));

    let mut dealt = told_by_two(&frames, roomy);
    seen.sort_unstable();
    dealt.sort_unstable();
    assert_eq!(dealt, seen, "it matters to no flow who reads the others");
}

/// What an event tells, but for packet counts and numbers, which repeated frames change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    captured_at: Timestamp,
    over_tcp: bool,
    text: String,
}

fn told(frames: &Frames<'_>, copies: u64, settings: TlsSettings) -> Vec<Told> {
    let mut analyzer = TlsAnalyzer::new(settings);
    let mut told = Vec::new();
    frames.feed(copies, &mut analyzer, |event, number| told.push(check_event(&event, number)));
    check_counts(&[analyzer], &told);
    told
}

fn told_by_two(frames: &Frames<'_>, settings: TlsSettings) -> Vec<Told> {
    let mut analyzers = [TlsAnalyzer::new(settings), TlsAnalyzer::new(settings)];
    let mut told = Vec::new();
    frames.deal(&mut analyzers, |event, number| told.push(check_event(&event, number)));
    check_counts(&analyzers, &told);
    told
}

/// Checks an event of a frame, and tells it.
fn check_event(event: &TlsEvent, number: u64) -> Told {
    let origin = event.origin();
    assert_eq!(origin.frame, number, "an event comes with the frame that completes it");
    let text = match event {
        TlsEvent::ClientHello(seen) => {
            let hello = seen.hello.parsed();
            check_hello(&hello);
            let ja4 = hello.ja4_forms(Ja4Options::default()).ja4();
            assert_eq!(seen.hello.ja4(), ja4, "what is remembered is that of no other hello");
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
fn check_counts(analyzers: &[TlsAnalyzer], told: &[Told]) {
    const COUNTED: [&str; 6] =
        ["tls_single_segment", "tls_reassembled", "tls_quic", "tls_dtls", "tls_sslv2", "tls_server_hello"];
    let mut stats = AnalyzerStats::default();
    analyzers.iter().for_each(|analyzer| analyzer.count(&mut stats));
    let counted = stats.seen.iter().filter(|(name, _)| COUNTED.contains(name));
    assert_eq!(counted.map(|(_, count)| count).sum::<u64>(), told.len() as u64);
}
