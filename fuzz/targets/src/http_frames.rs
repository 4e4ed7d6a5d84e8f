//! Frames from which heads of HTTP are read.

use std::sync::Arc;

use huginn_net_core::{Analyzer, AnalyzerStats, PendingLimits, Progress, Timestamp};
use huginn_net_db::{Channel, Database, HttpMatcher};
use huginn_net_http::{Http1Request, Http1Response, HttpAnalyzer, HttpEvent, HttpSettings};

use crate::frames::Frames;
use crate::judgments::{assert_same_judgment, check_http2_request, check_http2_response};

/// Reads heads from frames, twice by analyzers with keys of their own, once more with every frame repeated, and by two
/// analyzers that share the flows. The input is that of [`tls_frames`](crate::tls_frames).
pub fn http_frames(data: &[u8]) {
    let Some(frames) = Frames::read(data) else { return };
    let small = HttpSettings::default().with_max_flows(8).with_max_exchanges(3).with_pending(
        PendingLimits::default().with_max_entries(4).with_max_bytes(20_000).with_max_per_source(3),
    );
    let seen = told(&frames, 1, small);
    assert_eq!(told(&frames, 1, small), seen, "nothing depends on a key");

    let roomy = HttpSettings::default();
    let mut seen = told(&frames, 1, roomy);
    // Where no limit is reached but those on bytes and time, what is sent again brings nothing. What contradicts bytes that came
    // before it may be all that is read when it comes again: a connection that has brought no head is forgotten.
    if !seen.is_contradicted {
        assert_eq!(told(&frames, 2, roomy), seen);
    }

    let mut dealt = told_by_two(&frames, roomy);
    seen.events.sort_unstable();
    dealt.events.sort_unstable();
    assert_eq!(dealt, seen, "it matters to no flow who reads the others");
}

/// What the events tell, but for the numbers of frames.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    events: Vec<(Timestamp, String)>,
    /// Whether some bytes contradicted others.
    is_contradicted: bool,
}

fn told(frames: &Frames<'_>, copies: u64, settings: HttpSettings) -> Told {
    let mut analyzer = HttpAnalyzer::new(settings);
    let mut listener = Listener::new();
    frames.feed(copies, &mut analyzer, |event, number| listener.add(&event, number));
    listener.check_counts(&[analyzer])
}

fn told_by_two(frames: &Frames<'_>, settings: HttpSettings) -> Told {
    let mut analyzers = [HttpAnalyzer::new(settings), HttpAnalyzer::new(settings)];
    let mut listener = Listener::new();
    frames.deal(&mut analyzers, |event, number| listener.add(&event, number));
    listener.check_counts(&analyzers)
}

struct Listener {
    told: Told,
    heads: u64,
    /// Remembers what it was asked before.
    matcher: HttpMatcher,
}

impl Listener {
    fn new() -> Self {
        let matcher = HttpMatcher::new(Arc::clone(Database::bundled()));
        Self { told: Told::default(), heads: 0, matcher }
    }

    fn add(&mut self, event: &HttpEvent, number: u64) {
        self.heads += u64::from(!matches!(event, HttpEvent::Start(_)));
        match event {
            HttpEvent::Request(seen) => {
                seen.http1().into_iter().for_each(|head| check_remembered_request(&head, &mut self.matcher));
            }
            HttpEvent::Response(seen) => {
                seen.http1().into_iter().for_each(|head| check_remembered_response(&head, &mut self.matcher));
            }
            _ => {}
        }
        self.told.events.push((event.origin().captured_at, tell(event, number)));
    }

    fn check_counts(self, analyzers: &[HttpAnalyzer]) -> Told {
        let mut stats = AnalyzerStats::default();
        analyzers.iter().for_each(|analyzer| analyzer.count(&mut stats));
        let count = |names: &[&str]| {
            stats.seen.iter().filter(|(name, _)| names.contains(name)).map(|(_, count)| count).sum::<u64>()
        };
        let heads = count(&["http1_request", "http1_response", "http2_request", "http2_response"]);
        assert_eq!(heads, self.heads, "every head is counted once");
        Told { is_contradicted: count(&["http_overlap_conflict"]) > 0, ..self.told }
    }
}

/// A head is what its bytes alone say, and judged by them, whatever was read and judged before.
fn check_remembered_request(head: &Http1Request<'_>, matcher: &mut HttpMatcher) {
    let Ok(Progress::Done(alone)) = Http1Request::parse(head.bytes()) else {
        panic!("{} is no head", head.bytes().escape_ascii());
    };
    assert_eq!(format!("{head:?}"), format!("{alone:?}"));
    assert_eq!((head.body(), head.is_persistent()), (alone.body(), alone.is_persistent()));
    assert_eq!((head.user_agent(), head.upgrade()), (alone.user_agent(), alone.upgrade()));
    for channel in [Channel::Cleartext, Channel::Tls] {
        let judged = Database::bundled().judge_request(&alone, channel);
        assert_same_judgment(&matcher.judge_request(head, channel), &judged);
        assert_same_judgment(&matcher.judge_request(&alone, channel), &judged);
    }
}

fn check_remembered_response(head: &Http1Response<'_>, matcher: &mut HttpMatcher) {
    let Ok(Progress::Done(alone)) = Http1Response::parse(head.bytes()) else {
        panic!("{} is no head", head.bytes().escape_ascii());
    };
    assert_eq!(format!("{head:?}"), format!("{alone:?}"));
    assert_eq!((head.body(b"GET"), head.is_persistent()), (alone.body(b"GET"), alone.is_persistent()));
    assert_eq!((head.server(), head.upgrade()), (alone.server(), alone.upgrade()));
    let judged = Database::bundled().judge_response(&alone);
    assert_same_judgment(&matcher.judge_response(head), &judged);
    assert_same_judgment(&matcher.judge_response(&alone), &judged);
}

/// Checks an event of a frame, and tells it.
fn tell(event: &HttpEvent, number: u64) -> String {
    let (frame, source) = (event.origin().frame, event.origin().source);
    match event {
        HttpEvent::Request(seen) => {
            assert!(
                frame <= number,
                "a head comes with the frame that completes it, or when what is before it is given up"
            );
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
            assert!(
                frame <= number,
                "a head comes with the frame that completes it, or when what is before it is given up"
            );
            assert!(seen.exchange < 1_000 && seen.http1().is_some() != seen.http2().is_some());
            let signature = seen.http1().and_then(|head| head.signature()).map(|seen| seen.to_string());
            seen.http2().into_iter().for_each(check_http2_response);
            let told = (seen.exchange, seen.is_answer, seen.status(), seen.clock_offset());
            format!("{source} {told:?} {signature:?} {:?} {:?}", seen.http2(), seen.server_settings())
        }
        HttpEvent::Start(seen) => {
            assert!(frame <= number && !seen.fingerprint.is_complete());
            format!("{source} {:?} {}", seen.upgraded, seen.fingerprint.akamai())
        }
        other => panic!("{other:?}"),
    }
}
