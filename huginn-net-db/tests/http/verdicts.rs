//! Who is called a liar, and who is not.

use huginn_net_core::Progress;
use huginn_net_db::{Channel, Database, HttpJudgment, Verdict, VerdictReason};
use huginn_net_http::{Http1Request, Http1Response};

const CHROME: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";
const OLD_FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:89.0) Gecko/20100101 Firefox/89.0";
const SAFARI: &str = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.3 Safari/605.1.15";
const CHROME_ON_IOS: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/120.0.6099.50 Mobile/15E148 Safari/604.1";

/// Names and values; `UA` stands for the agent.
fn judge_request_over(
    channel: Channel,
    line: &str,
    agent: &str,
    fields: &[&str],
) -> (Verdict, Vec<VerdictReason>, Vec<&'static str>) {
    let fields: String = fields
        .iter()
        .map(|field| format!("{}\r\n", field.replace("UA", &format!("User-Agent: {agent}"))))
        .collect();
    let bytes = format!("{line}\r\n{fields}\r\n");
    let Ok(Progress::Done(request)) = Http1Request::parse(bytes.as_bytes()) else { panic!("{bytes}") };
    told(&Database::bundled().judge_request(&request, channel))
}

fn told(judgment: &HttpJudgment<'_>) -> (Verdict, Vec<VerdictReason>, Vec<&'static str>) {
    (
        judgment.assessment.verdict,
        judgment.assessment.reasons().collect(),
        judgment.assessment.flags().collect(),
    )
}

fn judge(agent: &str, fields: &[&str]) -> (Verdict, Vec<VerdictReason>, Vec<&'static str>) {
    judge_request_over(Channel::Cleartext, "GET / HTTP/1.1", agent, fields)
}

fn is_impossible(agent: &str, fields: &[&str], reason: VerdictReason) -> bool {
    judge(agent, fields).1.contains(&reason)
}

fn judge_response(database: &Database, fields: &[&str]) -> (Verdict, Vec<VerdictReason>, Vec<&'static str>) {
    let fields: String = fields.iter().map(|field| format!("{field}\r\n")).collect();
    let bytes = format!("HTTP/1.1 200 OK\r\n{fields}\r\n");
    let Ok(Progress::Done(response)) = Http1Response::parse(bytes.as_bytes()) else { panic!("{bytes}") };
    told(&database.judge_response(&response))
}

#[test]
fn a_library_that_calls_itself_a_browser_is_automation_and_no_liar() {
    let (verdict, reasons, flags) = judge(CHROME, &["Host: a.example", "UA", "Accept: */*"]);
    assert_eq!((verdict, reasons), (Verdict::Unverifiable, vec![VerdictReason::NotCharacteristic]));
    assert_eq!(flags, ["automation"]);
    let own_name = judge("my-script/1", &["Host: a.example", "UA", "Accept: */*"]);
    assert_eq!(own_name, (Verdict::Unverifiable, vec![VerdictReason::NotCharacteristic], vec![]));
}

#[test]
fn chromium_without_hints_is_impossible_where_it_sends_them() {
    let reason = VerdictReason::NoClientHints;
    const KEPT: &str = "Connection: keep-alive";
    let fields = ["Host: localhost:8080", "UA", "Accept-Encoding: gzip, deflate", "Accept: */*", KEPT];
    assert!(is_impossible(CHROME, &fields, reason));
    let to = |host| is_impossible(CHROME, &[host, KEPT, "UA", "Accept: */*"], reason);
    assert!(to("Host: 127.0.0.1") && to("Host: [::1]:80"));
    assert!(!to("Host: 127.0.0.1.example") && !to("Host: a.example"));
    let (verdict, _, flags) = judge(CHROME, &fields);
    assert_eq!((verdict, flags), (Verdict::Impossible, vec!["dishonest", "automation"]));

    let over_tls = |agent: &str| {
        let fields = ["Host: a.example", "UA", "Accept: */*"];
        judge_request_over(Channel::Tls, "GET / HTTP/1.1", agent, &fields).1
    };
    assert!(over_tls(CHROME).contains(&reason));
    assert!(!over_tls(&CHROME.replace("120", "88")).contains(&reason));
    // On iOS it is WebKit, which has no such fields.
    assert!(!over_tls(CHROME_ON_IOS).contains(&reason));
    assert!(!over_tls(FIREFOX).contains(&reason));
    // Chromium itself leaves the hints out of some requests, and never both.
    assert!(!is_impossible(
        CHROME,
        &["Host: localhost", KEPT, "UA", "Accept: */*", "Sec-Fetch-Site: none", "Sec-Fetch-Mode: no-cors"],
        reason
    ));
}

#[test]
fn chromium_without_hints_is_possible_behind_a_proxy_and_for_what_is_no_page() {
    let reason = VerdictReason::NoClientHints;
    for fields in [
        // nginx names the server behind it; with keep-alive towards that it names no connection.
        &["Host: localhost:8080", "Connection: close", "UA", "Accept: */*"][..],
        &["Host: 127.0.0.1:3000", "X-Request-ID: 1", "Connection: close", "UA", "Accept: */*"],
        &["Host: 127.0.0.1:3000", "UA", "Accept: */*"],
        // Apache httpd.
        &["Host: localhost", "UA", "Accept: */*", "X-Forwarded-For: 10.0.0.1", "Connection: Keep-Alive"],
        &["Host: localhost", "Connection: Upgrade", "UA", "Accept: */*", "Upgrade: websocket"],
        &["Host: localhost", "Connection: keep-alive", "UA", "Accept: */*", "Sec-Fetch-Dest: empty"],
    ] {
        assert!(!is_impossible(CHROME, fields, reason), "{fields:?}");
    }
    let tunnel = ["Host: localhost:443", "Connection: keep-alive", "UA"];
    let line = "CONNECT localhost:443 HTTP/1.1";
    assert!(!judge_request_over(Channel::Cleartext, line, CHROME, &tunnel).1.contains(&reason));
}

/// What Chromium 156 sends over TLS by itself and not for a page: what a server told it to report, and the question before
/// that to another site. Rules for proxies have the fields that they have in the clear.
#[test]
fn what_chromium_asks_for_by_itself_has_no_hints() {
    let agent = CHROME.replace("120", "156");
    const ENDS: [&str; 2] = ["Accept-Encoding: gzip, deflate, br, zstd", "Accept-Language: en-US,en;q=0.9"];
    let report = [
        "Host: localhost:8444",
        "Connection: keep-alive",
        "Content-Length: 529",
        "Content-Type: application/reports+json",
        "Origin: https://localhost:8443",
        "UA",
    ];
    let question = [
        "Host: localhost:8444",
        "Connection: keep-alive",
        "Origin: https://localhost:8443",
        "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: content-type",
        "UA",
    ];
    let rules = ["Host: localhost:8443", "Connection: keep-alive", "UA"];
    for (line, fields) in [
        ("POST /reports HTTP/1.1", &report[..]),
        ("OPTIONS /reports HTTP/1.1", &question),
        ("GET /proxy.pac HTTP/1.1", &rules),
    ] {
        let fields = [fields, &ENDS[..]].concat();
        for channel in [Channel::Tls, Channel::Cleartext] {
            let told = judge_request_over(channel, line, &agent, &fields);
            assert_eq!(told, (Verdict::Consistent, vec![VerdictReason::ClaimMatches], vec![]), "{line}");
        }
        let page = [&fields[..], &["Accept: */*"]].concat();
        let (verdict, reasons, _) = judge_request_over(Channel::Tls, line, &agent, &page);
        assert_eq!((verdict, reasons), (Verdict::Impossible, vec![VerdictReason::NoClientHints]), "{line}");
    }
}

#[test]
fn fetch_metadata_is_impossible_before_the_version_that_began_with_it() {
    let reason = VerdictReason::EarlyFetchMetadata;
    let with = |agent: &str, field| is_impossible(agent, &["Host: a.example", "UA", field], reason);
    assert!(with(OLD_FIREFOX, "Sec-Fetch-Mode: navigate"));
    assert!(with(OLD_FIREFOX, "sec-ch-ua: \"x\""));
    assert!(with(SAFARI, "Sec-Fetch-Site: none"));
    assert!(with(OLD_FIREFOX, "Sec-Fetch-Dest: image"));
    assert!(with(SAFARI, "sec-fetch-user: ?1"));
    assert!(!with(&OLD_FIREFOX.replace("89", "90"), "Sec-Fetch-Mode: navigate"));
    assert!(!with(&SAFARI.replace("16.3", "16.4"), "Sec-Fetch-Site: none"));
    assert!(!with(&SAFARI.replace("16.3", "16.10"), "Sec-Fetch-Site: none"));
    assert!(!with(OLD_FIREFOX, "Accept: */*"));
    // A browser of its own, which names what it was made from.
    assert!(!with(&format!("{OLD_FIREFOX} PaleMoon/33.0"), "Sec-Fetch-Mode: navigate"));
    // WebKit has other versions on Linux.
    assert!(!with(
        &SAFARI.replace("Macintosh; Intel Mac OS X 10_15_7", "X11; Linux x86_64"),
        "Sec-Fetch-Site: none"
    ));
}

#[test]
fn zstd_is_impossible_for_chrome_before_123() {
    let reason = VerdictReason::EarlyZstd;
    let fields = ["Host: a.example", "UA", "Accept-Encoding: gzip, deflate, br, zstd"];
    assert!(is_impossible(CHROME, &fields, reason));
    assert!(!is_impossible(&CHROME.replace("120", "123"), &fields, reason));
    assert!(!is_impossible(FIREFOX, &fields, reason));
    let with = |codings: &str| is_impossible(CHROME, &["Host: a.example", "UA", codings], reason);
    assert!(with("Accept-Encoding: ZSTD"));
    for codings in ["gzip, deflate, br", "zstd;q=0", "x-zstdlike"] {
        assert!(!with(&format!("Accept-Encoding: {codings}")), "{codings}");
    }
    // The proxy may be who takes it.
    let forwarded = [&fields[..], &["Via: 1.1 a.example"]].concat();
    assert!(!is_impossible(CHROME, &forwarded, reason));
}

#[test]
fn browsers_speak_http11_and_capitalize_names_unless_a_proxy_writes_for_them() {
    let old = |fields: &[&str]| judge_request_over(Channel::Cleartext, "GET / HTTP/1.0", FIREFOX, fields).1;
    assert_eq!(old(&["Host: a.example", "UA", "Accept: */*"]), [VerdictReason::BrowserOfHttp10]);
    assert!(!old(&["Host: a.example", "UA", "Via: 1.0 proxy"]).contains(&VerdictReason::BrowserOfHttp10));
    assert!(!old(&["Host: a.example", "Connection: close", "UA"]).contains(&VerdictReason::BrowserOfHttp10));
    // nginx with `proxy_set_header X-Request-ID $request_id;` and another of the kind.
    let set = ["Host: a.example", "X-Request-ID: 1", "X-Scheme: https", "Connection: close", "UA"];
    assert!(!old(&set).contains(&VerdictReason::BrowserOfHttp10));
    let behind = ["Host: a.example", "UA", "Connection: close"];
    assert_eq!(old(&behind), [VerdictReason::BrowserOfHttp10]);

    let reason = VerdictReason::LowerCaseNames;
    let lower = format!("user-agent: {FIREFOX}");
    // As a library of Node.js writes them, what it adds itself at the end.
    let mixed = [&lower, "Host: a.example", "Connection: keep-alive"];
    assert!(is_impossible("", &mixed, reason));
    assert!(!is_impossible("", &[&mixed[..], &["X-Forwarded-For: 10.0.0.1"]].concat(), reason));
    assert!(!is_impossible("", &["Host: a.example", "user-agent: node"], reason));
    // As HAProxy 2.6.12 passes on what Firefox sent, without any other trace.
    assert!(!is_impossible("", &["host: a.example", &lower, "accept: */*"], reason));
    // Then through nginx with keep-alive to the server behind it, and a field of its own.
    assert!(!is_impossible("", &["Host: a.example", "X-Scheme: https", &lower, "accept: */*"], reason));
}

#[test]
fn crawlers_and_programs_are_no_browsers() {
    for agent in [
        "curl/8.0",
        "Lynx/2.9.0",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "x",
    ] {
        let verdict =
            judge_request_over(Channel::Cleartext, "GET / HTTP/1.0", agent, &["Host: localhost", "UA"]).0;
        assert!(!verdict.is_dishonest(), "{agent}");
    }
}

#[test]
fn a_page_in_no_language_is_for_nobody() {
    let page = ["Host: a.example", "Upgrade-Insecure-Requests: 1", "UA"];
    assert_eq!(judge(CHROME, &page).2, ["headless"]);
    assert_eq!(judge(CHROME, &[&page[..], &["Accept-Language: de"]].concat()).2, [""; 0]);
    assert_eq!(
        judge(&CHROME.replace("Chrome", "HeadlessChrome"), &["Host: a.example", "UA"]).2,
        ["headless"]
    );
}

/// A server can be told to say less of itself.
#[test]
fn servers_that_leave_out_their_version_are_honest() {
    let database = Database::bundled();
    let nginx = |server: &str| {
        let server = format!("Server: {server}");
        judge_response(
            database,
            &[
                &server,
                "Date: x",
                "Content-Type: text/html",
                "Content-Length: 9",
                "Last-Modified: x",
                "Connection: keep-alive",
                "ETag: x",
                "Accept-Ranges: bytes",
            ],
        )
    };
    for server in ["nginx/1.22.1", "nginx", "NGINX", "openresty/1.21"] {
        assert_eq!(
            nginx(server),
            (Verdict::Consistent, vec![VerdictReason::ClaimMatches], vec![]),
            "{server}"
        );
    }
    assert_eq!(nginx("Apache").0, Verdict::Unverifiable);
    assert_eq!(nginx(""), (Verdict::Unverifiable, vec![VerdictReason::NoClaim], vec!["anonymous"]));
    assert_eq!(
        judge_response(database, &["Server: some/1", "X-Nothing: 1"]),
        (Verdict::Unverifiable, vec![VerdictReason::NoSignature], vec![])
    );
}

/// The fields that Chromium sends for a page, and Firefox.
const PAGE_OF_CHROMIUM: [&str; 7] = [
    "Host: a.example",
    "Connection: keep-alive",
    "Upgrade-Insecure-Requests: 1",
    "UA",
    "Accept: text/html,application/signed-exchange;v=b3;q=0.7",
    "Accept-Encoding: gzip, deflate",
    "Accept-Language: en",
];
const PAGE_OF_FIREFOX: [&str; 8] = [
    "Host: a.example",
    "UA",
    "Accept: text/html,*/*;q=0.8",
    "Accept-Language: en",
    "Accept-Encoding: gzip, deflate",
    "Connection: keep-alive",
    "Upgrade-Insecure-Requests: 1",
    "Priority: u=0, i",
];

#[test]
fn whoever_sends_the_fields_of_one_browser_and_the_name_of_another_lies() {
    let other = (Verdict::Contradiction, vec![VerdictReason::OtherBrowser], vec!["dishonest"]);
    assert_eq!(judge(FIREFOX, &PAGE_OF_CHROMIUM), other);
    assert_eq!(judge(CHROME, &PAGE_OF_FIREFOX), other);
    for (agent, fields) in [(CHROME, &PAGE_OF_CHROMIUM[..]), (FIREFOX, &PAGE_OF_FIREFOX)] {
        assert_eq!(judge(agent, fields).0, Verdict::Consistent, "{agent}");
    }
    // Of Safari no fields are known, and others may have a browser of Chromium built in.
    for agent in [SAFARI, CHROME_ON_IOS, "MyShop/3.2"] {
        let unverifiable = (Verdict::Unverifiable, vec![VerdictReason::NotCharacteristic], vec![]);
        assert_eq!(judge(agent, &PAGE_OF_CHROMIUM), unverifiable, "{agent}");
    }
    // Who knows what a proxy makes of an order.
    let forwarded = [&PAGE_OF_CHROMIUM[..], &["Via: 1.1 a.example"]].concat();
    assert_eq!(judge(FIREFOX, &forwarded).0, Verdict::Unverifiable);
}

const BROWSERS: &str = "classes = unix
[x-http:request]
label = s:!:Firefox:
sys = @unix
sig = *:Host,User-Agent,Accept,X-A::Firefox/
label = s:!:Safari:
sys = @unix
sig = *:Host,User-Agent,Accept,X-B::KHTML, like Gecko)
label = s:!:Chrome:
sys = @unix
sig = *:Host,User-Agent,X-C::
";

#[test]
fn whose_software_fits_a_signature_is_no_other_browser() {
    let database = Database::parse(BROWSERS, "").unwrap();
    let verdict = |field: &str| {
        let head =
            format!("GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: {CHROME}\r\nAccept: x\r\n{field}: x\r\n\r\n");
        let Ok(Progress::Done(request)) = Http1Request::parse(head.as_bytes()) else { panic!("{head}") };
        let (verdict, reasons, _) = told(&database.judge_request(&request, Channel::Cleartext));
        (verdict, reasons)
    };
    assert_eq!(verdict("X-A"), (Verdict::Contradiction, vec![VerdictReason::OtherBrowser]));
    assert_eq!(verdict("X-B"), (Verdict::Consistent, vec![VerdictReason::ClaimMatches]));
}

#[test]
fn other_servers_with_the_order_of_an_error_of_nginx_are_unknown() {
    let named = |server: &str| {
        let bytes = format!(
            "HTTP/1.1 503 x\r\nServer: {server}\r\nDate: x\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\
             Connection: keep-alive\r\n\r\n"
        );
        let Ok(Progress::Done(response)) = Http1Response::parse(bytes.as_bytes()) else { panic!("{bytes}") };
        Database::bundled().match_response(&response).map(|found| found.record.label.name.clone())
    };
    assert_eq!(named("nginx").as_deref(), Some("nginx"));
    for server in ["awselb/2.0", "squid/4.10", "something"] {
        assert_eq!(named(server), None, "{server}");
    }
}

#[test]
fn other_proxies_that_close_connections_are_not_nginx() {
    let named = |fields: &str| {
        let bytes = format!("GET / HTTP/1.0\r\nHost: a.example\r\nConnection: close\r\n{fields}\r\n");
        let Ok(Progress::Done(request)) = Http1Request::parse(bytes.as_bytes()) else { panic!("{bytes}") };
        Database::bundled().match_request(&request).map(|found| found.record.label.name.clone())
    };
    assert_eq!(named("User-Agent: a\r\nAccept: */*\r\n").as_deref(), Some("nginx or PHP streams"));
    assert_eq!(named("Via: 1.1 a (tinyproxy/1.11)\r\nUser-Agent: a\r\n").as_deref(), Some("Tinyproxy"));
    assert_eq!(named("Via: 1.1 a (another/1)\r\nUser-Agent: a\r\n"), None);
}

#[test]
fn the_probe_of_apple_for_captive_portals_is_no_proxy() {
    let bytes = b"GET /hotspot-detect.html HTTP/1.0\r\nHost: captive.apple.com\r\nConnection: close\r\n\
        User-Agent: CaptiveNetworkSupport-390.60.1 wispr\r\n\r\n";
    let Ok(Progress::Done(request)) = Http1Request::parse(bytes) else { panic!() };
    let judgment = Database::bundled().judge_request(&request, Channel::Cleartext);
    assert_eq!(judgment.found.unwrap().record.label.name, "CaptiveNetworkSupport");
    assert!(!judgment.assessment.verdict.is_dishonest() && !judgment.assessment.is_automation);
}

/// It asks for no user agent, and the same was taken for Node.js.
#[test]
fn a_player_that_names_no_program_is_none() {
    let bytes = b"GET /a.mp3 HTTP/1.1\r\nHost: a.example\r\nRange: bytes=0-\r\nConnection: close\r\nIcy-MetaData: 1\r\n\r\n";
    let Ok(Progress::Done(request)) = Http1Request::parse(bytes) else { panic!() };
    assert!(Database::bundled().judge_request(&request, Channel::Cleartext).found.is_none());
}

const FILE: &str = "classes = unix
[http:response]
label = s:!:SrvA:
sys = @unix
sig = *:Date,Server,Content-Type::srva/
label = s:!:SrvB:
sys = @unix
sig = *:Date,Server,Content-Type,X-B::srvb/2.4
label = s:!:Open:
sys = @unix
sig = *:Date,Server,Content-Type,X-Open::
";

#[test]
fn whoever_calls_himself_otherwise_than_all_signatures_say_lies() {
    let database = Database::parse(FILE, "").unwrap();
    let verdict = |server: &str, more: &[&str]| {
        let server = format!("Server: {server}");
        judge_response(&database, &[&["Date: x", &server, "Content-Type: x"], more].concat())
    };
    assert_eq!(
        verdict("Apache", &[]),
        (Verdict::Contradiction, vec![VerdictReason::OtherSoftware], vec!["dishonest"])
    );
    for honest in ["srva/1", "srva", "SRVA", "a srva/ of mine", "srv"] {
        assert_eq!(verdict(honest, &[]).0, Verdict::Consistent, "{honest}");
    }
    // Both signatures match: it is enough that one agrees.
    assert_eq!(verdict("srva/1", &["X-B: 1"]).0, Verdict::Consistent);
    assert_eq!(verdict("srvb", &["X-B: 1"]).0, Verdict::Consistent);
    assert_eq!(verdict("Apache", &["X-B: 1"]).0, Verdict::Contradiction);
    // One of those that match leaves open what its program calls itself.
    assert_eq!(
        verdict("Apache", &["X-Open: 1"]),
        (Verdict::Unverifiable, vec![VerdictReason::NotCharacteristic], vec![])
    );
    assert_eq!(verdict("open/3", &["X-Open: 1"]).0, Verdict::Consistent);
}

/// The program that a request is of, and whether it lies.
fn named(database: &Database, agent: &str, fields: &[&str]) -> (String, bool) {
    let fields: String = fields.iter().map(|field| format!("{}\r\n", field.replace("UA", agent))).collect();
    let bytes = format!("GET / HTTP/1.1\r\n{fields}\r\n");
    let Ok(Progress::Done(request)) = Http1Request::parse(bytes.as_bytes()) else { panic!("{bytes}") };
    let judgment = database.judge_request(&request, Channel::Cleartext);
    let name = judgment.found.map(|found| found.record.label.name.clone()).unwrap_or_default();
    (name, judgment.assessment.verdict.is_dishonest())
}

#[test]
fn who_says_what_it_is_is_no_other_program_with_the_same_fields() {
    let curl = ["Host: a.example", "User-Agent: UA", "Accept: */*"];
    let wget = [&curl[..], &["Accept-Encoding: identity", "Connection: Keep-Alive"]].concat();
    let bundled = |agent: &str, fields: &[&str]| {
        let (name, is_dishonest) = named(Database::bundled(), agent, fields);
        assert!(!is_dishonest, "{agent}");
        name
    };
    for agent in ["HTTP-Tiny/0.080", "Go-http-client/1.1"] {
        assert_eq!(bundled(agent, &curl), "", "{agent}");
    }
    assert_eq!(bundled("python-urllib3/2", &wget), "");
    assert_eq!(bundled("Wget/1.21.3", &wget), "Wget");
    // Nobody knows this one: it may be made of the other.
    assert_eq!(bundled("my-script/1", &curl), "curl");
    assert_eq!(bundled("my-script/1", &wget), "Wget");
    // A proxy writes the head anew and leaves the name.
    let squid = [
        "User-Agent: UA",
        "Host: a.example",
        "Via: 1.1 p (squid/5.7)",
        "X-Forwarded-For: 10.0.0.1",
        "Cache-Control: max-age=259200",
        "Connection: keep-alive",
    ];
    assert_eq!(bundled("curl/7.88.1", &squid), "Squid");
}

/// Its own name is in `User-Agent`, and the library that wrote the fields in the label.
#[test]
fn a_program_with_libcurl_is_not_called_curl_alone() {
    let fields = ["Host: a.example", "User-Agent: UA", "Accept: */*"];
    let compressed = [&fields[..], &["Accept-Encoding: deflate, gzip, br, zstd"]].concat();
    let closing = [&fields[..], &["Connection: close"]].concat();
    for (agent, fields) in [
        ("libcurl/7.88.1", &fields[..]),
        ("R (4.2.2 x86_64-pc-linux-gnu x86_64 linux-gnu)", &compressed),
        ("ClamAV/1.4.6 (OS: Linux, ARCH: x86_64, CPU: x86_64)", &closing),
    ] {
        let label = label_of(agent, fields);
        assert!(label.starts_with("curl or another program with libcurl"), "{agent}: {label}");
    }
}

#[test]
fn java_is_named_in_each_way_that_its_releases_ask() {
    let url = |accept: &'static str| ["User-Agent: UA", "Host: a.example", accept, "Connection: keep-alive"];
    let (old, new) = (url("Accept: text/html, image/gif, image/jpeg, */*; q=0.2"), url("Accept: */*"));
    assert_eq!(label_of("Java/17.0.21.1", &old), "Java HttpURLConnection");
    assert_eq!(label_of("Java/21.0.8", &new), "Java HttpURLConnection after 17");
    // Nobody knows who else writes this.
    assert_eq!(label_of("my-script/1", &new), "");
    let upgrade =
        ["Connection: Upgrade, HTTP2-Settings", "Host: a.example", "HTTP2-Settings: x", "Upgrade: h2c"];
    let upgrade = [&upgrade[..], &["User-Agent: UA"]].concat();
    assert_eq!(label_of("Java-http-client/25.0.2", &upgrade), "Java HttpClient");
}

fn label_of(agent: &str, fields: &[&str]) -> String {
    let head = |field: &&str| format!("{}\r\n", field.replace("UA", agent));
    let bytes = format!("GET / HTTP/1.1\r\n{}\r\n", fields.iter().map(head).collect::<String>());
    let Ok(Progress::Done(request)) = Http1Request::parse(bytes.as_bytes()) else { panic!("{bytes}") };
    let judgment = Database::bundled().judge_request(&request, Channel::Cleartext);
    assert!(!judgment.assessment.verdict.is_dishonest(), "{agent}");
    judgment.found.map(|found| found.record.label.to_string()).unwrap_or_default()
}

#[test]
fn of_programs_with_the_same_fields_the_one_that_is_named_comes_first() {
    let record = |name: &str, fields: &str, software: &str| {
        format!("label = s:!:{name}:\nsys = Linux\nsig = 1:{fields}::{software}\n")
    };
    let file = |software: &str| {
        let wget = record("Wget", "Host,User-Agent,Accept=[*/*],Connection", software);
        let urllib3 = record("urllib3", "Host,User-Agent,Accept,Connection", "");
        format!("classes = unix\n[http:request]\n{wget}{urllib3}")
    };
    let fields = ["Host: a.example", "User-Agent: UA", "Accept: */*", "Connection: close"];
    let open = Database::parse(&file(""), "").unwrap();
    let name = |agent: &str| named(&open, agent, &fields);
    assert_eq!(name("Wget/1.21.3"), ("Wget".to_owned(), false));
    assert_eq!(name("python-urllib3/2"), ("urllib3".to_owned(), false));
    assert_eq!(name("curl/7.88.1"), (String::new(), false));
    // Where all say what their programs call themselves, another name is a lie, and is not believed.
    let wget = record("Wget", "Host,User-Agent,Accept=[*/*],Connection", "Wget/");
    let sure = Database::parse(&format!("classes = unix\n[http:request]\n{wget}"), "").unwrap();
    assert_eq!(named(&sure, "curl/7.88.1", &fields), ("Wget".to_owned(), true));
}

#[test]
fn a_server_of_another_name_with_the_fields_of_a_file_is_not_taken_for_the_one_that_was_recorded() {
    let database = Database::bundled();
    let name = |server: &str, fields: &[&str]| {
        let fields = fields.join("\r\n").replace("Server", &format!("Server: {server}"));
        let bytes = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
        let Ok(Progress::Done(response)) = Http1Response::parse(bytes.as_bytes()) else { panic!("{bytes}") };
        database.judge_response(&response).found.map(|found| found.record.label.name.as_str())
    };
    let nginx = [
        "Server",
        "Date: x",
        "Content-Type: x",
        "Content-Length: 9",
        "Last-Modified: x",
        "Connection: close",
        "ETag: x",
        "Accept-Ranges: bytes",
    ];
    let zipped = [
        "Server",
        "Date: x",
        "Content-Type: x",
        "Last-Modified: x",
        "Transfer-Encoding: chunked",
        "Connection: close",
        "ETag: x",
        "Content-Encoding: gzip",
    ];
    let apache = [
        "Date: x",
        "Server",
        "Last-Modified: x",
        "ETag: x",
        "Accept-Ranges: bytes",
        "Content-Length: 9",
        "Content-Type: x",
    ];
    let lighttpd = [
        "Content-Type: x",
        "ETag: x",
        "Last-Modified: x",
        "Content-Length: 9",
        "Accept-Ranges: bytes",
        "Date: x",
        "Server",
    ];
    let caddy = [
        "Accept-Ranges: bytes",
        "Content-Length: 9",
        "Content-Type: x",
        "Etag: x",
        "Last-Modified: x",
        "Server",
        "Date: x",
    ];
    let h2o = ["Date: x", "Connection: close", "Content-Length: 9", "Server", "content-type: x"];
    let webfs = [
        "Server",
        "Connection: close",
        "Accept-Ranges: bytes",
        "Content-Type: x",
        "Content-Length: 9",
        "Last-Modified: x",
        "Date: x",
    ];
    for (server, fields) in [
        ("nginx", &nginx[..]),
        ("nginx", &zipped),
        ("Apache", &apache),
        ("lighttpd", &lighttpd),
        ("Caddy", &caddy),
        ("h2o", &h2o),
        ("webfs", &webfs),
    ] {
        assert_eq!(name(server, fields), Some(server));
        // A program with a library that sends the same, as Go's of files.
        assert_eq!(name("SeaweedFS Volume 3.61", fields), None, "{server}");
    }
}

#[test]
fn what_anybody_sends_is_named_so_or_not_at_all() {
    let database = Database::bundled();
    let response = |fields: &[&str]| {
        let bytes = format!("HTTP/1.1 200 OK\r\n{}\r\n\r\n", fields.join("\r\n"));
        let Ok(Progress::Done(response)) = Http1Response::parse(bytes.as_bytes()) else { panic!("{bytes}") };
        database.judge_response(&response).found.map(|found| found.record.label.name.as_str())
    };
    // Of libevent, gevent, eventlet, Starman, libmicrohttpd and libwebsockets.
    for fields in [
        &["Date: x", "Content-Length: 9", "Content-Type: x"][..],
        &["Content-Type: x", "Date: x", "Content-Length: 9"],
        &["Content-Type: x", "Content-Length: 9", "Date: x"],
        &["Content-Type: x", "Content-Length: 9", "Date: x", "Connection: close"],
        &["Content-Type: x", "Transfer-Encoding: chunked", "Date: x", "Connection: close"],
        &["Date: x", "Connection: close", "Content-Length: 9"],
        &["content-type: x", "content-length: 9", "cache-control: no-store", "etag: x"],
    ] {
        assert!(response(fields).unwrap().ends_with(" or another server"), "{fields:?}");
    }
    // As Guile, Node.js and PHP ask, and who writes requests by hand.
    assert_eq!(named(database, "", &["Host: a.example", "Connection: close"]).0, "");
    assert_eq!(
        named(database, "", &["Host: a.example", "Connection: keep-alive"]).0,
        "Node.js http or another program"
    );
}

/// Before client hints and fetch metadata, browsers sent what tools send, or nearly.
#[test]
fn no_browser_of_any_time_is_taken_for_a_tool() {
    let database = Database::bundled();
    let html = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let of_firefox = |version: u8, fields: &[&str]| {
        let system = "(Macintosh; Intel Mac OS X 10.6; rv:6.0)";
        let agent = format!("User-Agent: Mozilla/5.0 {system} Gecko/20100101 Firefox/{version}.0");
        [&["Host: a.example", &agent, html, "Accept-Language: en-us,en;q=0.5"], fields].concat().join("\r\n")
    };
    let charset = "Accept-Charset: ISO-8859-1,utf-8;q=0.7,*;q=0.7";
    let webkit = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_6_8) AppleWebKit/534.51.22 (KHTML, like Gecko)";
    for head in [
        of_firefox(3, &["Accept-Encoding: gzip,deflate", charset, "Keep-Alive: 115", "Connection: keep-alive"]),
        of_firefox(6, &["Accept-Encoding: gzip, deflate", charset, "Connection: keep-alive"]),
        of_firefox(9, &["Accept-Encoding: gzip, deflate", charset, "DNT: 1", "Connection: keep-alive", "Referer: x"]),
        of_firefox(14, &["Accept-Encoding: gzip, deflate", "DNT: 1", "Connection: keep-alive", "Referer: x"]),
        format!(
            "Host: a.example\r\nConnection: keep-alive\r\n{html}\r\nUser-Agent: {webkit} Chrome/17.0.963.56 Safari/535.11\r\n\
             Accept-Encoding: gzip,deflate,sdch\r\nAccept-Language: en\r\n{charset}"
        ),
        format!(
            "Host: a.example\r\nUser-Agent: {webkit} Version/5.1.1 Safari/534.51.22\r\n{html}\r\nAccept-Language: en-us\r\n\
             Accept-Encoding: gzip, deflate\r\nConnection: keep-alive"
        ),
        format!(
            "Host: a.example\r\nAccept-Encoding: gzip, deflate\r\nConnection: keep-alive\r\n{html}\r\n\
             User-Agent: {webkit} Version/7.0 Safari/537.71\r\nAccept-Language: en-us"
        ),
        "Accept: */*\r\nReferer: x\r\nAccept-Language: en-us\r\nUser-Agent: Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; \
         Trident/4.0)\r\nAccept-Encoding: gzip, deflate\r\nHost: a.example\r\nConnection: Keep-Alive"
            .to_owned(),
        "User-Agent: Opera/9.80 (X11; Linux x86_64; U; en) Presto/2.9.168 Version/11.50\r\nHost: a.example\r\nAccept: text/html, \
         */*;q=0.1\r\nAccept-Language: en\r\nAccept-Encoding: gzip, deflate\r\nConnection: Keep-Alive"
            .to_owned(),
    ] {
        let bytes = format!("GET / HTTP/1.1\r\n{head}\r\n\r\n");
        let Ok(Progress::Done(request)) = Http1Request::parse(bytes.as_bytes()) else { panic!("{bytes}") };
        let judgment = database.judge_request(&request, Channel::Cleartext);
        let name = judgment.found.map(|found| found.record.label.name.as_str());
        assert!(matches!(name, None | Some("Firefox" | "Chromium" | "WebKitGTK")), "{name:?}: {head}");
        assert!(!judgment.assessment.is_automation, "{head}");
    }
}
