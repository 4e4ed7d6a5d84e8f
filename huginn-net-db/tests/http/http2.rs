//! Verdicts on requests over HTTP/2.

use huginn_net_core::Progress;
use huginn_net_db::{Channel, Database, Http2Judgment, Verdict, VerdictReason};
use huginn_net_http::{AkamaiFingerprint, AkamaiReader, CLIENT_PREFACE};

const CHROME: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";
const SAFARI: &str = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15";
const WEBKIT_ON_LINUX: &str =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15";

/// How programs start: settings, window, pseudo-headers by their first letters.
const CHROMIUM_START: Start =
    (&[(1, 65_536), (2, 0), (4, 6_291_456), (6, 262_144)], Some(15_663_105), "masp");
const FIREFOX_START: Start = (&[(1, 65_536), (2, 0), (4, 131_072), (5, 16_384)], Some(12_517_377), "mpas");
const CURL_START: Start = (&[(3, 100), (4, 65_536), (2, 0)], Some(1_048_510_465), "msap");
const GO_START: Start =
    (&[(2, 0), (4, 4_194_304), (5, 16_384), (6, 10_485_760)], Some(1_073_741_824), "amps");

type Start = (&'static [(u16, u32)], Option<u32>, &'static str);

/// What a browser sends beside its name.
const HINTS: [(&str, &str); 3] = [("sec-ch-ua", "x"), ("sec-fetch-site", "none"), ("accept-language", "en")];

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// The opening of a client with these fields, written without indexing and without Huffman.
fn opening((settings, window, pseudo): Start, fields: &[(&str, &str)]) -> AkamaiFingerprint {
    let settings: Vec<u8> = settings
        .iter()
        .flat_map(|(id, value)| [&id.to_be_bytes()[..], &value.to_be_bytes()].concat())
        .collect();
    let mut block = Vec::new();
    let pseudo = pseudo.chars().map(|letter| match letter {
        'm' => (":method", "GET"),
        'a' => (":authority", "a.example"),
        's' => (":scheme", "https"),
        _ => (":path", "/"),
    });
    for (name, value) in pseudo.chain(fields.iter().copied()) {
        let (name_len, value_len) = (u8::try_from(name.len()).unwrap(), u32::try_from(value.len()).unwrap());
        block.extend([&[0, name_len][..], name.as_bytes()].concat());
        // RFC 7541 §5.1: a prefix of seven bits.
        match value_len.checked_sub(127) {
            None => block.push(u8::try_from(value_len).unwrap()),
            Some(rest) => block.extend([127, u8::try_from(rest).unwrap()]),
        }
        block.extend(value.as_bytes());
    }
    let window = window.map(|increment| frame(8, 0, 0, &increment.to_be_bytes())).unwrap_or_default();
    let bytes = [&CLIENT_PREFACE[..], &frame(4, 0, 0, &settings), &window, &frame(1, 5, 1, &block)].concat();
    match AkamaiReader::new().push(&bytes) {
        Ok(Progress::Done(seen)) => seen,
        other => panic!("{other:?}"),
    }
}

fn judge(
    start: Start,
    channel: Channel,
    fields: &[(&str, &str)],
) -> (Verdict, Vec<VerdictReason>, Vec<&'static str>) {
    let seen = opening(start, fields);
    let judgment =
        Database::bundled().judge_http2_request(seen.request.as_ref().unwrap(), Some(&seen), channel);
    told(&judgment)
}

fn told(judgment: &Http2Judgment<'_>) -> (Verdict, Vec<VerdictReason>, Vec<&'static str>) {
    let assessment = &judgment.assessment;
    (assessment.verdict, assessment.reasons().collect(), assessment.flags().collect())
}

fn browser<'a>(
    start: Start,
    channel: Channel,
    agent: &'a str,
) -> (Verdict, Vec<VerdictReason>, Vec<&'static str>) {
    let agent: [(&'a str, &'a str); 1] = [("user-agent", agent)];
    judge(start, channel, &[&HINTS[..], &agent].concat())
}

#[test]
fn whoever_starts_as_what_it_says_it_is_is_consistent() {
    for channel in [Channel::Tls, Channel::Cleartext] {
        for (start, agent) in [(CHROMIUM_START, CHROME), (FIREFOX_START, FIREFOX)] {
            let honest = (Verdict::Consistent, vec![VerdictReason::ClaimMatches], vec![]);
            assert_eq!(browser(start, channel, agent), honest);
        }
        for (start, agent) in [
            (GO_START, "Go-http-client/2.0"),
            (CURL_START, "curl/8.14.1"),
            ((&[], None, "mspa"), "grpc-go/1.85.0"),
            ((&[(4, 65_535)], None, "amps"), "grpc-node-js/1.14.7"),
            ((&[(4, 65_535)], None, "smap"), "grpc-java-okhttp/1.70.0"),
        ] {
            assert_eq!(judge(start, channel, &[("user-agent", agent)]).0, Verdict::Consistent, "{agent}");
        }
    }
}

#[test]
fn pseudo_headers_that_a_browser_never_sends_so_are_impossible_over_tls_and_nothing_in_the_clear() {
    for (start, agent) in
        [(CHROMIUM_START, FIREFOX), (FIREFOX_START, CHROME), (GO_START, CHROME), (GO_START, SAFARI)]
    {
        let (verdict, reasons, _) = browser(start, Channel::Tls, agent);
        assert_eq!(
            (verdict, reasons),
            (Verdict::Impossible, vec![VerdictReason::PseudoHeaderOrder]),
            "{agent}"
        );
        // Whatever proxy that is, it may speak for a browser.
        let (verdict, reasons, _) = browser(start, Channel::Cleartext, agent);
        let unverifiable = (Verdict::Unverifiable, vec![VerdictReason::NotCharacteristic]);
        assert_eq!((verdict, reasons), unverifiable, "{agent}");
    }
    // One that says that it is in between is none of them.
    let forwarded = [("user-agent", CHROME), ("sec-ch-ua", "x"), ("via", "2 a.example")];
    assert_eq!(judge(GO_START, Channel::Tls, &forwarded).0, Verdict::Unverifiable);
    // WebKit of other systems has network code of its own.
    assert_eq!(browser(GO_START, Channel::Tls, WEBKIT_ON_LINUX).0, Verdict::Unverifiable);
}

#[test]
fn requests_with_other_pseudo_headers_are_not_compared_with_those_of_pages() {
    for start in ["ma", "mas", "maspp", "ppsa", ""] {
        let start = (CHROMIUM_START.0, CHROMIUM_START.1, start);
        let (_, reasons, _) = browser(start, Channel::Tls, CHROME);
        assert!(!reasons.contains(&VerdictReason::PseudoHeaderOrder), "{start:?}");
    }
}

#[test]
fn a_browser_that_starts_as_only_another_program_does_lies_over_tls() {
    // curl 8.14 has the order of Safari 18.
    let (verdict, reasons, flags) = browser(CURL_START, Channel::Tls, SAFARI);
    assert_eq!((verdict, reasons), (Verdict::Contradiction, vec![VerdictReason::OtherSoftware]));
    assert_eq!(flags, ["dishonest", "automation"]);
    let (verdict, _, flags) = browser(CURL_START, Channel::Cleartext, SAFARI);
    assert_eq!((verdict, flags), (Verdict::Unverifiable, vec!["automation"]));
    assert_eq!(browser(CURL_START, Channel::Tls, WEBKIT_ON_LINUX).0, Verdict::Unverifiable);
}

#[test]
fn a_proxy_that_starts_as_a_tool_makes_no_tool_of_the_browser_it_speaks_for() {
    let fields = [("user-agent", CHROME), ("accept-language", "en"), ("x-forwarded-for", "10.0.0.1")];
    for channel in [Channel::Tls, Channel::Cleartext] {
        assert_eq!(judge(GO_START, channel, &fields).2, [""; 0]);
        assert!(judge(GO_START, channel, &fields[..2]).2.contains(&"automation"));
    }
}

#[test]
fn who_says_what_it_is_behind_the_name_of_a_browser_is_no_liar() {
    for own_name in ["okhttp/4.9.0", "(compatible; GoogleOther)", "Edge/18.17763"] {
        let agent = format!("{} {own_name}", CHROME.replace("156", "64"));
        assert!(!browser(GO_START, Channel::Tls, &agent).0.is_dishonest(), "{agent}");
    }
}

#[test]
fn a_browser_made_of_chromium_is_consistent_with_a_label_of_its_own() {
    let file = "[x-http2:client]\nlabel = client:Opera:110\n\
                sig = 1:65536;2:0;4:6291456;6:262144|15663105|0|m,a,s,p\n";
    let database = Database::parse(file, "").unwrap();
    let agent = format!("{CHROME} OPR/110.0.0.0");
    let seen = opening(CHROMIUM_START, &[&HINTS[..], &[("user-agent", &agent)]].concat());
    let request = seen.request.as_ref().unwrap();
    let honest = (Verdict::Consistent, vec![VerdictReason::ClaimMatches], vec![]);
    assert_eq!(told(&database.judge_http2_request(request, Some(&seen), Channel::Tls)), honest);
}

#[test]
fn a_start_that_is_known_of_impersonators_alone_tells_nothing() {
    let chrome_99: Start =
        (&[(1, 65_536), (3, 1_000), (4, 6_291_456), (6, 262_144)], Some(15_663_105), "masp");
    let told = browser(chrome_99, Channel::Tls, CHROME);
    assert_eq!(told, (Verdict::Unverifiable, vec![VerdictReason::NotCharacteristic], vec![]));
}

#[test]
fn what_refutes_a_browser_over_http1_refutes_it_over_http2() {
    let fields = [("user-agent", CHROME), ("accept", "*/*")];
    let no_hints = judge(CHROMIUM_START, Channel::Tls, &fields);
    assert_eq!((no_hints.0, no_hints.1), (Verdict::Impossible, vec![VerdictReason::NoClientHints]));
    assert_eq!(judge(CHROMIUM_START, Channel::Cleartext, &fields).0, Verdict::Consistent);
    let old = FIREFOX.replace("153", "89");
    let early = judge(FIREFOX_START, Channel::Cleartext, &[("user-agent", &old), ("sec-fetch-site", "none")]);
    assert_eq!((early.0, early.1), (Verdict::Impossible, vec![VerdictReason::EarlyFetchMetadata]));
    let old = CHROME.replace("156", "120");
    let zstd = [("user-agent", &old[..]), ("accept-encoding", "gzip, zstd"), ("sec-fetch-site", "none")];
    assert_eq!(judge(CHROMIUM_START, Channel::Cleartext, &zstd).1, [VerdictReason::EarlyZstd]);
}

#[test]
fn a_report_of_chromium_has_no_hints_and_nothing_that_it_accepts() {
    let report = [("content-type", "application/reports+json"), ("user-agent", CHROME)];
    let told = judge(CHROMIUM_START, Channel::Tls, &report);
    assert_eq!(told, (Verdict::Consistent, vec![VerdictReason::ClaimMatches], vec![]));
}

#[test]
fn nobody_is_verified_without_a_name_or_without_a_known_start() {
    let anonymous = judge(GO_START, Channel::Tls, &[]);
    assert_eq!(anonymous, (Verdict::Unverifiable, vec![VerdictReason::NoClaim], vec!["anonymous"]));
    let unknown: Start = (&[(1, 7)], None, "masp");
    let told = browser(unknown, Channel::Tls, CHROME);
    assert_eq!(told, (Verdict::Unverifiable, vec![VerdictReason::NoSignature], vec![]));
    // Of a later request nothing is known but its fields.
    let seen = opening(CHROMIUM_START, &[("user-agent", CHROME), ("sec-ch-ua", "x")]);
    let request = seen.request.as_ref().unwrap();
    let later = Database::bundled().judge_http2_request(request, None, Channel::Tls);
    assert_eq!((later.found.is_none(), later.assessment.verdict), (true, Verdict::Unverifiable));
    assert!(later.system.is_some());
}

#[test]
fn a_browser_without_a_language_for_its_page_has_no_window() {
    let fields = [("user-agent", CHROME), ("sec-ch-ua", "x"), ("upgrade-insecure-requests", "1")];
    assert_eq!(judge(CHROMIUM_START, Channel::Tls, &fields).2, ["headless"]);
}

/// By whom a request in the clear is known to be sent.
fn name_of(start: Start, fields: &[(&str, &str)]) -> String {
    let seen = opening(start, fields);
    let request = seen.request.as_ref().unwrap();
    let judgment = Database::bundled().judge_http2_request(request, Some(&seen), Channel::Cleartext);
    judgment.found.map(|found| found.label.name.clone()).unwrap_or_default()
}

#[test]
fn who_says_what_it_is_is_no_other_client_that_starts_so() {
    assert_eq!(name_of(CHROMIUM_START, &[("user-agent", "niquests/3.21.2")]), "");
    assert_eq!(name_of(GO_START, &[("user-agent", "curl/8.14.1")]), "");
    for agent in ["Go-http-client/2.0", "my-agent/1"] {
        assert_eq!(name_of(GO_START, &[("user-agent", agent)]), "Go", "{agent}");
    }
    // The start is that of the proxy, and the name is not.
    let forwarded = [("user-agent", "curl/8.14.1"), ("x-forwarded-for", "10.0.0.1")];
    assert_eq!(name_of(GO_START, &forwarded), "Go");
}

#[test]
fn whoever_has_neither_name_nor_priority_of_a_browser_is_none_by_its_settings() {
    for start in [CHROMIUM_START, FIREFOX_START] {
        assert_eq!(name_of(start, &[]), "");
        assert_eq!(name_of(start, &[("user-agent", "my-agent/1")]), "");
    }
    assert!(name_of(CHROMIUM_START, &[("user-agent", CHROME)]).starts_with("Chrome"));
    assert!(name_of(FIREFOX_START, &[("user-agent", FIREFOX)]).starts_with("Firefox"));
    assert_eq!(name_of(GO_START, &[]), "Go");
}
