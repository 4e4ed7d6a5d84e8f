//! Frames from which heads of HTTP are read.

use huginn_net_core::{Analyzer, AnalyzerStats, Timestamp};
use huginn_net_http::{HttpAnalyzer, HttpEvent, HttpSettings};

use crate::frames::Frames;
use crate::judgments::{check_http2_request, check_http2_response};

/// Reads heads from frames, twice by analyzers with keys of their own, and once more with every frame repeated. The input
/// is that of [`tls_frames`](crate::tls_frames).
pub fn http_frames(data: &[u8]) {
    let Some(frames) = Frames::read(data) else { return };
    let small = HttpSettings::default()
        .with_max_flows(8)
        .with_max_exchanges(3)
        .with_max_pending(4)
        .with_max_pending_bytes(20_000)
        .with_max_pending_per_source(3);
    let seen = told(&frames, 1, small);
    assert_eq!(told(&frames, 1, small), seen, "nothing depends on a key");

    // Where no limit is reached but those on bytes and time, what is sent again brings nothing.
    let roomy = HttpSettings::default();
    assert_eq!(told(&frames, 2, roomy), told(&frames, 1, roomy));
}

/// What the events tell, but for the numbers of frames.
fn told(frames: &Frames<'_>, copies: u64, settings: HttpSettings) -> Vec<(Timestamp, String)> {
    let mut analyzer = HttpAnalyzer::new(settings);
    let mut told = Vec::new();
    let mut heads = 0;
    frames.feed(copies, &mut analyzer, |event, number| {
        heads += u64::from(!matches!(event, HttpEvent::Opening(_)));
        told.push((event.origin().captured_at, tell(&event, number)));
    });
    let mut stats = AnalyzerStats::default();
    analyzer.count(&mut stats);
    const COUNTED: [&str; 4] = ["http1_request", "http1_response", "http2_request", "http2_response"];
    let counted = stats.seen.iter().filter(|(name, _)| COUNTED.contains(name));
    assert_eq!(counted.map(|(_, count)| count).sum::<u64>(), heads, "every head is counted once");
    told
}

/// Checks an event of a frame, and tells it.
fn tell(event: &HttpEvent, number: u64) -> String {
    let (frame, source) = (event.origin().frame, event.origin().source);
    match event {
        HttpEvent::Request(seen) => {
            assert_eq!(frame, number, "an event comes with the frame that completes it");
            assert!(seen.exchange < 1_000 && seen.http1().is_some() != seen.http2().is_some());
            let _ =
                (seen.host(), seen.user_agent(), seen.accept_language().map(|asked| asked.best().is_some()));
            if let Some(head) = seen.http2() {
                check_http2_request(head, seen.fingerprint());
            }
            let signature = seen.http1().and_then(|head| head.signature()).map(|seen| seen.to_string());
            format!("{source} {} {signature:?} {:?}", seen.exchange, seen.http2())
        }
        HttpEvent::Response(seen) => {
            assert_eq!(frame, number, "an event comes with the frame that completes it");
            assert!(seen.exchange < 1_000 && seen.http1().is_some() != seen.http2().is_some());
            let signature = seen.http1().and_then(|head| head.signature()).map(|seen| seen.to_string());
            seen.http2().into_iter().for_each(check_http2_response);
            let told = (seen.exchange, seen.is_answer, seen.status(), seen.clock_offset());
            format!("{source} {told:?} {signature:?} {:?} {:?}", seen.http2(), seen.server_settings())
        }
        HttpEvent::Opening(seen) => {
            assert!(frame <= number && !seen.fingerprint.is_complete());
            format!("{source} {:?} {}", seen.upgraded, seen.fingerprint.akamai())
        }
        other => panic!("{other:?}"),
    }
}
