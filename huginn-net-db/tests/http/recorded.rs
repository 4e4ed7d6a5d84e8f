//! Every recorded program is named, and every signature was recorded.

use std::collections::{BTreeMap, BTreeSet};

use huginn_net_db::{Channel, Database, HttpJudgment, HttpRecord, Quality, Verdict};

use crate::stream::connections;

/// By the port of its server in `http_clients.pcap`.
const CLIENTS: &[(u16, &str)] = &[
    (9400, "curl"),
    (9401, "curl"),
    (9402, "curl"),
    (9403, "curl"),
    (9404, "curl"),
    (9405, "Wget"),
    (9406, "Wget"),
    (9407, "Lynx"),
    (9408, "w3m"),
    (9409, "Links"),
    (9410, "aria2"),
    (9411, "HTTPie"),
    (9412, "Python urllib"),
    (9413, "Python http.client"),
    (9414, "Python requests"),
    (9415, "Python requests"),
    (9416, "httpx"),
    (9417, "aiohttp"),
    (9418, "urllib3"),
    (9419, "Tornado client"),
    (9420, "Node.js http or another program"),
    (9421, "Node.js fetch"),
    (9422, "axios"),
    (9423, "got"),
    (9424, "undici"),
    (9425, "node-fetch"),
    (9426, "superagent"),
    (9427, "needle"),
    (9428, "HTTP-Tiny"),
    (9430, "Go net/http"),
    (9431, "Go net/http"),
    (9432, "Java HttpClient"),
    (9433, "Java HttpURLConnection"),
    (9434, "git"),
    // Somebody writes `Host` and nothing else.
    (9436, ""),
];

/// By its port in `http_servers.pcap`, and the answers that are not named: those of a parser that gives up, and one with
/// nothing but `Date`.
const SERVERS: &[(u16, &str, usize)] = &[
    (9600, "nginx", 0),
    (9601, "nginx", 0),
    (9602, "nginx", 0),
    (9603, "Apache", 0),
    (9604, "lighttpd", 0),
    (9605, "Caddy", 0),
    (9606, "HAProxy", 0),
    (9607, "Python http.server", 0),
    (9608, "gunicorn", 0),
    (9609, "uvicorn", 0),
    (9610, "uvicorn", 0),
    (9611, "Hypercorn", 0),
    (9612, "waitress", 0),
    (9613, "Tornado", 0),
    (9614, "Cheroot", 0),
    (9615, "Werkzeug", 0),
    (9616, "Node.js", 1),
    (9617, "Express", 1),
    (9618, "Fastify", 1),
    (9619, "Node.js", 1),
    (9620, "Go net/http", 0),
    (9621, "Go net/http", 0),
    (9622, "Java HttpServer", 1),
];

/// By its port in `http_more.pcap`.
const MORE_SERVERS: &[(u16, &[&str])] = &[
    (9700, &["nginx"]),
    (9701, &["h2o"]),
    (9702, &["mini_httpd"]),
    (9703, &["webfs"]),
    (9704, &["PHP"]),
    // For a method it does not know it lets the server behind it answer.
    (9706, &["Varnish", "nginx"]),
    (9710, &["Jetty"]),
    (9711, &["Tomcat"]),
    (9712, &["Undertow"]),
];

/// Who asked the servers of this project there, in order.
const MORE_CLIENTS: [&str; 6] = [
    "nginx or PHP streams",
    "nginx or PHP streams",
    "OkHttp",
    "OkHttp",
    "Apache HttpClient",
    // PHP, with the two fields that anybody writes.
    "",
];

/// By the port of its server in `http_tools.pcap`, and how many requests it sent.
const TOOLS: &[(u16, &str, usize)] = &[
    (9800, "ApacheBench", 3),
    (9801, "lftp", 2),
    (9802, "Siege", 1),
    (9803, "Axel", 2),
    (9804, "ELinks", 1),
    (9805, "Wget2", 2),
    (9806, "libwww-perl", 2),
    (9807, "Ruby net/http", 4),
    (9808, "nghttp", 1),
    // `Host` and `Connection: close`, as anybody writes them.
    (9809, "", 1),
];

/// Who answers on a port of `http_proxies.pcap`; empty for heads that anybody may send. Those of 9907 and 9910 are mostly
/// what nginx sent, which they hand on.
const PROXIES: &[(u16, &[&str])] = &[
    (9901, &["Squid", ""]),
    (9902, &["Tinyproxy"]),
    (9903, &["Privoxy", "nginx", ""]),
    (9904, &["Traffic Server"]),
    (9905, &["Envoy"]),
    (9906, &["nghttpx"]),
    (9907, &["HAProxy", ""]),
    (9908, &["Caddy", ""]),
    (9909, &["Apache", ""]),
    (9910, &["lighttpd", "nginx", ""]),
];

/// Who asks the server on a port of `http_proxies.pcap`: the proxy, or curl by it or through its tunnel.
const PROXY_CLIENTS: &[(u16, &[&str])] = &[
    (9921, &["Squid", "curl"]),
    (9922, &["Tinyproxy", "curl"]),
    (9923, &["curl", ""]),
    (9924, &["curl"]),
    (9925, &["Envoy"]),
    (9926, &["curl"]),
    (9927, &[""]),
    (9928, &["Caddy or another proxy in Go", "curl"]),
    (9929, &["Apache"]),
    (9930, &["lighttpd"]),
];

/// Who answers on a port of `http_libraries.pcap`, and who asks there.
const LIBRARIES: &[(u16, &[&str])] = &[
    (9950, &["Netty or another server"]),
    // Nothing but the length of the body.
    (9951, &[""]),
    (9952, &[""]),
    (9953, &["WEBrick"]),
    (9954, &["hyper or HAProxy"]),
    (9955, &["hyper or HAProxy"]),
    (9956, &["actix-web", "actix-web or HAProxy", "hyper or HAProxy"]),
];

/// As [`LIBRARIES`].
const LIBRARY_CLIENTS: &[(u16, &[&str])] = &[
    (9960, &["Reactor Netty"]),
    (9961, &["reqwest"]),
    (9962, &["ureq"]),
    (9963, &["curl"]),
    (9964, &["curl or another program"]),
];

/// By its port in `http_kept_alive.pcap`, and how many answers it gave.
const KEPT_ALIVE: &[(u16, &str, usize)] = &[
    (9900, "Apache", 5),
    (9901, "Apache", 5),
    (9903, "Caddy", 1),
    (9904, "nginx", 1),
    (9905, "lighttpd", 1),
];

/// By its port in `http_small_servers.pcap`. Signatures of two fields named Unicorn and BusyBox Node.js, and Node.js Undertow
/// where it refuses a request.
const SMALL_SERVERS: &[(u16, &str, usize)] = &[
    (9911, "micro_httpd", 3),
    (9912, "Twisted Web", 5),
    (9915, "Unicorn", 2),
    (9918, "BusyBox httpd", 3),
    (9920, "Node.js", 5),
    (9925, "Node.js", 4),
];

/// By its port in `http_frameworks.pcap`, and how many answers it gave.
const FRAMEWORKS: &[(u16, &str, usize)] = &[
    (9970, "Daphne", 4),
    (9971, "aiohttp", 4),
    (9972, "Twisted Web", 4),
    (9973, "fasthttp", 4),
    (9974, "hapi", 4),
    (9975, "restify", 4),
];

/// Who asks on a port of `http_callers.pcap`.
const CALLERS: &[(u16, &[&str])] = &[
    (9980, &["fasthttp"]),
    (9981, &["Go net/http"]),
    (9982, &["curl"]),
    (9983, &["Apache HttpClient"]),
    (9984, &["OkHttp"]),
    (9985, &["Jetty"]),
    (9986, &["Vert.x"]),
    (9987, &["Java HttpClient"]),
    (9988, &["Ruby net/http"]),
    (9989, &["Ruby net/http"]),
    (9990, &["Ruby net/http"]),
    (9991, &["http.rb"]),
    (9992, &["Guzzle"]),
];

/// Who asks on a port of `http_programs.pcap`; empty where nothing tells who. `AnyEvent::HTTP` writes its fields in an order
/// that is another for each run, and was taken for Node.js in some.
const PROGRAMS: &[(u16, &[&str])] = &[
    (9300, &["Erlang httpc"]),
    (9301, &[""]),
    (9302, &["Excon", ""]),
    (9303, &["Niquests"]),
    (9304, &["Typhoeus"]),
    (9305, &["Ruby HTTPClient"]),
    (9306, &["Mojolicious"]),
    (9307, &["HTTrack"]),
    (9308, &["Subversion"]),
    (9309, &["Mercurial"]),
    (9310, &["neon"]),
    (9311, &["GStreamer"]),
    (9312, &["tnftp"]),
    (9313, &["RubyGems"]),
    (9314, &["npm"]),
    (9321, &["Nim httpclient"]),
    (9325, &["httperf"]),
];

/// By its port in `http_platforms.pcap`, and how many answers it gave.
const PLATFORMS: &[(u16, &str, usize)] = &[
    (9003, "Starlet", 4),
    (9004, "HTTP-Server-PSGI", 4),
    (9005, "Thin", 4),
    (9008, "Granian", 4),
    (9015, "Mono HttpListener", 4),
    (9018, "Yaws", 4),
    (9019, "Webdis", 4),
    (9020, "Mojolicious", 4),
    (9021, "Erlang inets", 4),
    (9022, "CivetWeb", 4),
];

/// By its port in `http_minimal.pcap`, and how many answers it gave. A body in chunks from Go or gevent was taken for one of
/// Tomcat, or of Node.js.
const MINIMAL: &[(u16, &str, usize)] = &[
    (8001, "Go net/http", 2),
    (8004, "Go net/http", 3),
    (8005, "Go net/http", 1),
    (8053, "CherryPy", 4),
    (8057, "Python wsgiref", 3),
    (8060, "Python http.server", 3),
    (8061, "gevent", 3),
    (8073, "Node.js", 1),
    (9801, "Tomcat", 4),
];

/// Who asks on a port of `http_minimal.pcap` where the answers were left out.
const MINIMAL_CLIENTS: &[(u16, &[&str])] = &[
    (9350, &["APT"]),
    // Node.js up to 18, which was taken for PHP: it writes no more than anybody does.
    (9351, &[""]),
];

/// By its port in `http_answers.pcap`; empty for heads that anybody may send.
const ANSWERS: &[(u16, &[&str])] = &[
    (8101, &["Express"]),
    (8111, &["Node.js", ""]),
    (8114, &["Express"]),
    (8202, &["Sanic"]),
    (8205, &["Hypercorn", ""]),
    (8206, &["Daphne"]),
    (8207, &["Granian", ""]),
    (8210, &["gunicorn", ""]),
    // Told not to name itself; it was taken for Undertow.
    (
        8211,
        &["Undertow or waitress or another server", "Undertow or waitress or Kestrel or another server", ""],
    ),
    (8219, &["uvicorn", ""]),
    (8220, &["gunicorn"]),
    (
        8301,
        &[
            "Go net/http or another server",
            "Go net/http or Kestrel or another server",
            "Go net/http or Node.js or another server",
            "gevent or Go net/http or Kestrel or another server",
        ],
    ),
    // HAProxy in front of Express, gevent and waitress, which were taken for servers of Rust.
    (8431, &["Express", "HAProxy"]),
    (8432, &["hyper or HAProxy", ""]),
    (8433, &["actix-web or HAProxy"]),
    // An error of the server behind it was taken for one of that.
    (8441, &["Varnish"]),
];

/// Who asks on a port of `http_answers.pcap` where the answers were left out.
const ANSWERS_CLIENTS: &[(u16, &[&str])] = &[
    (8507, &["httplib2"]),
    (8525, &["Node.js http", ""]),
    (8531, &["Deno"]),
    (8551, &["Wget"]),
    // PHP, which was taken for nginx.
    (8553, &["nginx or PHP streams"]),
    (8558, &["h2load"]),
    (8560, &["Go net/http"]),
];

/// Who asks on a port of `http_releases.pcap`; empty for libcurl with fields of its caller. Programs with libcurl are named with it.
const RELEASES: &[(u16, &[&str])] = &[
    (9361, &["Java HttpClient"]),
    (9362, &["Java HttpClient"]),
    (9363, &["Java HttpURLConnection"]),
    (9364, &["Java HttpClient"]),
    (9365, &["Java HttpURLConnection"]),
    (9366, &["curl", ""]),
    (9367, &["curl"]),
    (9368, &["FFmpeg"]),
    (9369, &["FFmpeg"]),
    (9370, &["check_http"]),
    (9371, &["BusyBox wget"]),
];

pub(crate) const CAPTURES: [&str; 26] = [
    "http_clients",
    "http_servers",
    "http_more",
    "http_tools",
    "http_proxies",
    "http_libraries",
    "http_kept_alive",
    "http_small_servers",
    "browsers_lo",
    "browsers_net",
    "browser_chromium_lo",
    "browser_chromium_net",
    "browser_emulated",
    "browser_firefox_lo",
    "browser_firefox_net",
    "browser_qtwebengine",
    "browser_webkitgtk",
    "browsers_small",
    "http_callers",
    "http_frameworks",
    "http_programs",
    "http_platforms",
    "http_probes",
    "http_minimal",
    "http_answers",
    "http_releases",
];

fn capture(name: &str) -> String {
    format!("real/{name}.pcap")
}

fn name(judgment: &HttpJudgment<'_>) -> String {
    judgment.found.map(|found| found.record.label.name.clone()).unwrap_or_default()
}

/// Whether a label names a program, perhaps among others.
fn is_named(label: &str, program: &str) -> bool {
    label.split(" or ").any(|name| name == program)
}

#[test]
fn every_recorded_client_is_named() {
    let database = Database::bundled();
    let mut ports = BTreeSet::new();
    for connection in connections(&capture("http_clients")) {
        let port = connection.server_port;
        let (_, expected) = CLIENTS.iter().find(|(known, _)| *known == port).unwrap();
        let requests = connection.requests();
        assert!(!requests.is_empty(), "{port}");
        for request in requests {
            let judgment = database.judge_request(&request, Channel::Cleartext);
            assert_eq!(name(&judgment), *expected, "{port}: {}", request.bytes().escape_ascii());
            let has_claim = request.headers().get("user-agent").is_some();
            let verdict = if has_claim { Verdict::Consistent } else { Verdict::Unverifiable };
            assert_eq!(
                (judgment.assessment.verdict, judgment.assessment.is_anonymous),
                (verdict, !has_claim),
                "{port}"
            );
            assert!(!judgment.assessment.is_automation && !judgment.assessment.is_headless, "{port}");
        }
        ports.insert(port);
    }
    assert_eq!(ports.len(), CLIENTS.len());
}

#[test]
fn every_recorded_server_is_named() {
    let database = Database::bundled();
    for &(port, expected, unnamed) in SERVERS {
        let mut names = Vec::new();
        for connection in connections(&capture("http_servers")) {
            let Some(response) = connection.response().filter(|_| connection.server_port == port) else {
                continue;
            };
            let judgment = database.judge_response(&response);
            assert!(!judgment.assessment.verdict.is_dishonest(), "{port}: {judgment:?}");
            let has_claim = response.server().is_some();
            assert_eq!(judgment.assessment.verdict == Verdict::Consistent, has_claim, "{port}: {judgment:?}");
            names.push(name(&judgment));
        }
        let (named, others): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| is_named(name, expected));
        assert_eq!(others, vec![String::new(); unnamed], "{port}");
        assert!(named.len() >= 6, "{port}: {}", named.len());
    }
}

#[test]
fn more_recorded_programs_are_named() {
    let database = Database::bundled();
    let (mut clients, mut servers) = (Vec::new(), BTreeSet::new());
    for connection in connections(&capture("http_more")) {
        let port = connection.server_port;
        if port >= 9720 {
            let requests = connection.requests();
            let judgment = database.judge_request(&requests[0], Channel::Cleartext);
            assert!(!judgment.assessment.verdict.is_dishonest(), "{judgment:?}");
            clients.push(name(&judgment));
            continue;
        }
        let Some(response) = connection.response() else { continue };
        let judgment = database.judge_response(&response);
        assert!(!judgment.assessment.verdict.is_dishonest(), "{judgment:?}");
        let (_, expected) = MORE_SERVERS.iter().find(|(known, _)| *known == port).unwrap();
        let label = name(&judgment);
        assert!(expected.iter().any(|program| is_named(&label, program)), "{port}: {judgment:?}");
        servers.insert(port);
    }
    assert_eq!(servers.len(), MORE_SERVERS.len());
    assert_eq!(clients, MORE_CLIENTS);
}

#[test]
fn recorded_tools_are_named_and_none_is_taken_for_curl() {
    let database = Database::bundled();
    let mut seen = BTreeMap::<u16, usize>::new();
    for connection in connections(&capture("http_tools")) {
        let port = connection.server_port;
        let (_, expected, _) = TOOLS.iter().find(|(known, ..)| *known == port).unwrap();
        for request in connection.requests() {
            let judgment = database.judge_request(&request, Channel::Cleartext);
            assert_eq!(name(&judgment), *expected, "{port}: {}", request.bytes().escape_ascii());
            assert!(!judgment.assessment.verdict.is_dishonest(), "{judgment:?}");
            *seen.entry(port).or_default() += 1;
        }
    }
    assert_eq!(seen, TOOLS.iter().map(|&(port, _, requests)| (port, requests)).collect());
}

/// By port, the names of those who answer and of those who ask. Nobody lies.
#[track_caller]
fn names_in(capture_name: &str) -> [BTreeMap<u16, BTreeSet<String>>; 2] {
    let database = Database::bundled();
    let mut found = [BTreeMap::<u16, BTreeSet<String>>::new(), BTreeMap::new()];
    let [servers, clients] = &mut found;
    for connection in connections(&capture(capture_name)) {
        let port = connection.server_port;
        for request in connection.requests() {
            let judgment = database.judge_request(&request, Channel::Cleartext);
            assert!(!judgment.assessment.verdict.is_dishonest(), "{port}: {judgment:?}");
            clients.entry(port).or_default().insert(name(&judgment));
        }
        if let Some(response) = connection.response() {
            let judgment = database.judge_response(&response);
            assert!(!judgment.assessment.verdict.is_dishonest(), "{port}: {judgment:?}");
            servers.entry(port).or_default().insert(name(&judgment));
        }
    }
    found
}

#[track_caller]
fn check_names(found: &BTreeMap<u16, BTreeSet<String>>, expected: &[(u16, &[&str])]) {
    for (port, names) in expected {
        let names: BTreeSet<_> = names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(found.get(port), Some(&names), "{port}");
    }
}

#[test]
fn recorded_proxies_are_named_by_what_they_write_and_what_they_hand_on_is_not() {
    let [servers, clients] = names_in("http_proxies");
    check_names(&servers, PROXIES);
    check_names(&clients, PROXY_CLIENTS);
    for port in PROXIES.iter().map(|(port, _)| port) {
        assert_eq!(clients[port], BTreeSet::from(["curl".to_owned()]), "{port}");
    }
}

#[test]
fn recorded_libraries_are_named_as_far_as_they_have_an_order_of_their_own() {
    let [servers, clients] = names_in("http_libraries");
    check_names(&servers, LIBRARIES);
    check_names(&clients, LIBRARY_CLIENTS);
}

/// How many answers from each port of a capture are named; all are, rightly, but those of status 101.
fn named_answers(name_of_capture: &str, servers: &[(u16, &str, usize)]) -> BTreeMap<u16, usize> {
    let database = Database::bundled();
    let mut seen = BTreeMap::new();
    for connection in connections(&capture(name_of_capture)) {
        let port = connection.server_port;
        let answer = connection.response().filter(|response| response.status() != Some(101));
        let Some(response) = answer else { continue };
        let (_, expected, _) = servers.iter().find(|(known, ..)| *known == port).unwrap();
        let judgment = database.judge_response(&response);
        let answer = response.bytes().escape_ascii();
        assert!(is_named(&name(&judgment), expected), "{port}: {}: {answer}", name(&judgment));
        assert!(!judgment.assessment.verdict.is_dishonest(), "{judgment:?}");
        *seen.entry(port).or_default() += 1;
    }
    seen
}

fn answers(servers: &[(u16, &str, usize)]) -> BTreeMap<u16, usize> {
    servers.iter().map(|&(port, _, answers)| (port, answers)).collect()
}

/// What browsers ask for: that the connection stays, and whether what they have is still the same.
#[test]
fn servers_are_named_when_they_keep_the_connection_and_when_nothing_has_changed() {
    assert_eq!(named_answers("http_kept_alive", KEPT_ALIVE), answers(KEPT_ALIVE));
}

#[test]
fn small_servers_are_not_taken_for_others_that_send_as_little() {
    assert_eq!(named_answers("http_small_servers", SMALL_SERVERS), answers(SMALL_SERVERS));
}

#[test]
fn servers_of_frameworks_are_named() {
    assert_eq!(named_answers("http_frameworks", FRAMEWORKS), answers(FRAMEWORKS));
}

#[test]
fn what_is_built_on_a_library_is_named_by_the_library() {
    let [_, clients] = names_in("http_callers");
    check_names(&clients, CALLERS);
    assert_eq!(clients.len(), CALLERS.len());
}

#[test]
fn programs_of_many_languages_are_named_and_none_is_taken_for_another() {
    let [_, clients] = names_in("http_programs");
    check_names(&clients, PROGRAMS);
    assert_eq!(clients.len(), PROGRAMS.len());
    assert_eq!(named_answers("http_platforms", PLATFORMS), answers(PLATFORMS));
}

#[test]
fn programs_that_write_as_little_as_others_are_named_together_with_them() {
    assert_eq!(named_answers("http_minimal", MINIMAL), answers(MINIMAL));
    let [_, clients] = names_in("http_minimal");
    check_names(&clients, MINIMAL_CLIENTS);
}

#[test]
fn servers_behind_proxies_and_with_frameworks_are_not_taken_for_others() {
    let [servers, clients] = names_in("http_answers");
    check_names(&servers, ANSWERS);
    assert_eq!(servers.len(), ANSWERS.len());
    check_names(&clients, ANSWERS_CLIENTS);
}

#[test]
fn newer_releases_and_programs_with_a_library_are_named() {
    let [_, clients] = names_in("http_releases");
    check_names(&clients, RELEASES);
    assert_eq!(clients.len(), RELEASES.len());
}

/// But for its name, it sends what curl does when its caller adds `Connection`.
#[test]
fn a_probe_of_kubernetes_is_not_curl() {
    let [_, clients] = names_in("http_probes");
    check_names(&clients, &[(9340, &["kube-probe"])]);
}

/// curl asked the servers, and Python's `http.server` answered the browsers.
#[test]
fn the_other_side_of_recorded_programs_is_named() {
    let database = Database::bundled();
    for connection in connections(&capture("http_servers")) {
        for request in connection.requests() {
            let judgment = database.judge_request(&request, Channel::Cleartext);
            assert_eq!(
                (name(&judgment).as_str(), judgment.assessment.verdict),
                ("curl", Verdict::Consistent)
            );
        }
    }
    for browsers in ["browsers_lo", "browsers_net"] {
        for connection in connections(&capture(browsers)) {
            let judgment = database.judge_response(&connection.response().unwrap());
            assert_eq!(
                (name(&judgment).as_str(), judgment.assessment.verdict),
                ("Python http.server", Verdict::Consistent)
            );
        }
    }
}

#[test]
fn every_recorded_request_of_a_browser_is_named() {
    let database = Database::bundled();
    let mut seen = Vec::new();
    for browsers in ["browsers_lo", "browsers_net"] {
        for connection in connections(&capture(browsers)) {
            for request in connection.requests() {
                let judgment = database.judge_request(&request, Channel::Cleartext);
                let found = judgment.found.unwrap();
                let text = request.user_agent().unwrap().into_owned();
                let is_firefox = text.ends_with(b"Firefox/153.0");
                let expected = if is_firefox { "Firefox" } else { "Chromium" };
                assert_eq!(found.record.label.name, expected, "{}", request.bytes().escape_ascii());
                assert_eq!(judgment.assessment.verdict, Verdict::Consistent, "{judgment:?}");
                assert_eq!(found.quality, Quality::Exact);
                // Chromium ran without a window and says so.
                assert_eq!(judgment.assessment.is_headless, !is_firefox);
                seen.push(found.record.label.to_string());
            }
        }
    }
    assert_eq!(seen.len(), 34);
    let labels: BTreeSet<_> = seen.into_iter().collect();
    assert_eq!(labels.len(), 8, "{labels:?}");
}

/// The signature that is the best one for each exchange of a capture.
fn best_of(capture: &str, of: fn(&Database) -> &[HttpRecord]) -> BTreeSet<u32> {
    let database = Database::bundled();
    let is_request = std::ptr::eq(of(database), database.http_requests());
    let mut lines = BTreeSet::new();
    for connection in connections(capture) {
        if is_request {
            let requests = connection.requests();
            let found = requests.iter().filter_map(|request| database.match_request(request));
            lines.extend(found.map(|found| found.record.line));
        } else {
            let found = connection.response().and_then(|response| database.match_response(&response));
            lines.extend(found.map(|found| found.record.line));
        }
    }
    lines
}

#[test]
fn every_recorded_signature_is_the_best_one_of_an_exchange_in_the_capture_it_names() {
    let database = Database::bundled();
    for of in [Database::http_requests, Database::http_responses] {
        let lines = CAPTURES.map(|name| (name, best_of(&capture(name), of)));
        for record in of(database).iter().filter(|record| !record.provenance.starts_with("A: ")) {
            let (facts, named) = record.provenance.rsplit_once("; ").unwrap();
            assert!(facts.starts_with("M: "), "line {}", record.line);
            for named in named.split(" and ") {
                let (_, lines) = lines.iter().find(|(name, _)| *name == named).unwrap();
                assert!(lines.contains(&record.line), "line {}: {}", record.line, record.signature);
            }
        }
    }
    assert!(database.http_requests().len() >= 40 && database.http_responses().len() >= 35);
}
