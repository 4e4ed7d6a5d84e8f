//! What programs call themselves.

use huginn_net_http::{Engine, UserAgent, UserAgentSystem};

use crate::{Client, Label};

/// What a program says it is, in `User-Agent` or `Server`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a> {
    /// A program that people read pages with.
    pub(super) is_browser: bool,
    /// Its name as labels write it, if it is known; else the first word. Browsers with the same network code have one name:
    /// `Chromium`, `Firefox`, `Safari` or, on Linux, BSD and SunOS, `WebKitGTK`.
    pub(super) family: &'a [u8],
    /// A program that labels have a name for, and no browser.
    is_known: bool,
}

/// Products in lower case, by what stands before the slash, and the names that labels have for them.
const CLIENTS: &[(&str, &str)] = &[
    ("aiohttp", "aiohttp"),
    ("apache-httpclient", "Apache HttpClient"),
    ("apachebench", "ApacheBench"),
    ("apt-http", "APT"),
    ("aria2", "aria2"),
    ("axel", "Axel"),
    ("axios", "axios"),
    ("cadaver", "neon"),
    ("check_http", "check_http"),
    ("curl", "curl"),
    ("dart", "Dart"),
    ("dillo", "Dillo"),
    ("elinks", "ELinks"),
    ("excon", "Excon"),
    ("faraday", "Ruby net/http"),
    ("fasthttp", "fasthttp"),
    ("git", "git"),
    ("go-http-client", "Go net/http"),
    ("got", "got"),
    ("grpc-go", "gRPC"),
    ("grpc-java-netty", "gRPC"),
    ("grpc-java-okhttp", "gRPC"),
    ("grpc-node-js", "gRPC"),
    ("grpc-python", "gRPC"),
    ("gstreamer", "GStreamer"),
    ("guzzlehttp", "Guzzle"),
    ("h2load", "h2load"),
    ("http-tiny", "HTTP-Tiny"),
    ("http.rb", "http.rb"),
    ("httperf", "httperf"),
    ("httpie", "HTTPie"),
    ("java", "Java HttpURLConnection"),
    ("java-http-client", "Java HttpClient"),
    ("jetty", "Jetty"),
    ("kube-probe", "kube-probe"),
    ("lavf", "FFmpeg"),
    ("lftp", "lftp"),
    ("libwww-perl", "libwww-perl"),
    ("links", "Links"),
    ("lynx", "Lynx"),
    ("mercurial", "Mercurial"),
    ("mojolicious", "Mojolicious"),
    ("needle", "needle"),
    ("netsurf", "NetSurf"),
    ("nghttp2", "nghttp"),
    ("nim", "Nim httpclient"),
    ("niquests", "Niquests"),
    ("node", "Node.js fetch"),
    ("node-fetch", "node-fetch"),
    ("node-superagent", "superagent"),
    ("npm", "npm"),
    ("okhttp", "OkHttp"),
    ("python-httpx", "httpx"),
    ("python-requests", "Python requests"),
    ("python-urllib", "Python urllib"),
    ("python-urllib3", "urllib3"),
    ("reactornetty", "Reactor Netty"),
    ("ruby", "Ruby net/http"),
    ("siege", "Siege"),
    ("svn", "Subversion"),
    ("tnftp", "tnftp"),
    ("tornado", "Tornado client"),
    ("typhoeus", "Typhoeus"),
    ("undici", "undici"),
    ("ureq", "ureq"),
    ("vert.x-webclient", "Vert.x"),
    ("w3m", "w3m"),
    ("wget", "Wget"),
    ("wget2", "Wget2"),
];

/// As [`CLIENTS`].
const SERVERS: &[(&str, &str)] = &[
    ("aiohttp", "aiohttp"),
    ("apache", "Apache"),
    ("ats", "Traffic Server"),
    ("basehttp", "Python http.server"),
    ("caddy", "Caddy"),
    ("cheroot", "Cheroot"),
    ("cherrypy", "CherryPy"),
    ("cloudflare", "Cloudflare"),
    ("daphne", "Daphne"),
    ("envoy", "Envoy"),
    ("fasthttp", "fasthttp"),
    ("granian", "Granian"),
    ("gunicorn", "gunicorn"),
    ("h2o", "h2o"),
    ("http::server::psgi", "HTTP-Server-PSGI"),
    ("hypercorn-h11", "Hypercorn"),
    ("inets", "Erlang inets"),
    ("jetty", "Jetty"),
    ("lighttpd", "lighttpd"),
    ("micro_httpd", "micro_httpd"),
    ("microsoft-iis", "IIS"),
    ("mini_httpd", "mini_httpd"),
    ("mojolicious", "Mojolicious"),
    ("mono-httpapi", "Mono HttpListener"),
    ("nghttpx", "nghttpx"),
    ("nginx", "nginx"),
    ("openresty", "nginx"),
    ("plack::handler::starlet", "Starlet"),
    ("restify", "restify"),
    ("simplehttp", "Python http.server"),
    ("squid", "Squid"),
    ("tengine", "nginx"),
    ("thin", "Thin"),
    ("tinyproxy", "Tinyproxy"),
    ("tornadoserver", "Tornado"),
    ("twistedweb", "Twisted Web"),
    ("uvicorn", "uvicorn"),
    ("waitress", "waitress"),
    ("webdis", "Webdis"),
    ("webfs", "webfs"),
    ("webrick", "WEBrick"),
    ("werkzeug", "Werkzeug"),
    ("wsgiserver", "Python wsgiref"),
    ("yaws", "Yaws"),
];

/// Words that are looked at for a product: `Python/3.11 aiohttp/3.14.5` names the second.
const MAX_WORDS: usize = 4;

impl<'a> Claim<'a> {
    /// What a `User-Agent` says.
    pub(super) fn of_user_agent(seen: &UserAgent<'a>, text: &'a [u8]) -> Self {
        if seen.is_bot {
            return Self { is_browser: false, family: seen.family, is_known: false };
        }
        // Many put the name of a browser before their own.
        let last = text.rsplit(|&byte| byte == b' ').next().and_then(|word| known(CLIENTS, word));
        if let Some(family) = browser(seen, text).filter(|_| last.is_none()) {
            return Self { is_browser: true, family: family.as_bytes(), is_known: false };
        }
        Self::of_other(known(CLIENTS, text).or(last), text)
    }

    /// What a field `Server` says.
    pub(super) fn of_server(text: &'a [u8]) -> Self {
        Self::of_other(known(SERVERS, text), text)
    }

    fn of_other(name: Option<&'static str>, text: &'a [u8]) -> Self {
        let family = name.map_or_else(|| product(text), str::as_bytes);
        Self { is_browser: false, family, is_known: name.is_some() }
    }

    /// Whether a label names this program.
    pub(super) fn is_of(&self, label: &Label) -> bool {
        self.family.eq_ignore_ascii_case(browser_of(&label.name).unwrap_or(&label.name).as_bytes())
    }

    /// Whether a label of requests names a client that calls itself otherwise, where this one has a name of its own, too.
    pub(super) fn is_other_than(&self, label: &Label) -> bool {
        self.is_known && !self.is_of(label) && (is_library(label) || browser_of(&label.name).is_some())
    }

    /// Whether this is a program that labels have a name for, and none of the clients is it.
    pub(super) fn is_none_of<'c>(&self, mut clients: impl Iterator<Item = &'c Client>) -> bool {
        self.is_known && !clients.any(|client| self.is_client(client))
    }

    /// Whether a client is this program, as the sections for TLS and HTTP/2 name it.
    pub(super) fn is_client(&self, client: &Client) -> bool {
        let name = match client.name.as_str() {
            "Go" => "Go net/http",
            "OpenJDK" => "Java HttpClient",
            name => name,
        };
        self.family.eq_ignore_ascii_case(browser_of_client(name).unwrap_or(name).as_bytes())
    }
}

/// The family of a browser by the name that labels have for it; `None` for other programs.
pub(super) fn browser_of(name: &str) -> Option<&'static str> {
    match name {
        "Chromium" | "Chrome" | "Edge" => Some("Chromium"),
        "Firefox" | "Tor Browser" => Some("Firefox"),
        "Safari" => Some("Safari"),
        _ => None,
    }
}

/// As [`browser_of`], of clients by how they start HTTP/2: there is none of these names that is older than its change to
/// Chromium.
pub(super) fn browser_of_client(name: &str) -> Option<&'static str> {
    match name {
        "Brave" | "Opera" | "Samsung Internet" | "UC Browser" | "Vivaldi" | "Yandex Browser" => {
            Some("Chromium")
        }
        name => browser_of(name),
    }
}

/// Whether a label names a library or tool.
pub(super) fn is_library(label: &Label) -> bool {
    CLIENTS.iter().any(|(_, name)| name.eq_ignore_ascii_case(&label.name))
}

/// Whether a text may be what is left of a software that a signature expects, or more than it: nearly all servers can be
/// told to leave out their version.
pub(super) fn fits(expected: &str, text: &[u8]) -> bool {
    let contains = |whole: &[u8], part: &[u8]| {
        !part.is_empty() && whole.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
    };
    let (expected, wanted) = (expected.as_bytes(), product(expected.as_bytes()));
    let shown = product(text);
    contains(text, expected) || contains(wanted, shown) || contains(shown, wanted)
}

/// What a text begins with, up to a slash or blank.
fn product(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| b" /;(".contains(byte)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn known(table: &'static [(&str, &str)], text: &[u8]) -> Option<&'static str> {
    let words = text.split(|&byte| byte == b' ').take(MAX_WORDS);
    let mut names = words.filter_map(|word| {
        let product = product(word);
        table.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(product))
    });
    // What tells most stands first, before what it is made of (RFC 9110 §10.1.5, §10.2.4).
    names.next().map(|&(_, name)| name)
}

/// The name for the network code of a browser.
fn browser(seen: &UserAgent<'_>, text: &[u8]) -> Option<&'static str> {
    let has = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    // What is compatible with a browser is none.
    if !text.starts_with(b"Mozilla/") || has(b"(compatible; ") {
        return None;
    }
    match seen.engine? {
        // Whatever their name, browsers on iOS are on the system's WebKit.
        _ if seen.system == Some(UserAgentSystem::Ios) => Some("Safari"),
        Engine::Blink => Some("Chromium"),
        Engine::Gecko if seen.family == b"Firefox" => Some("Firefox"),
        Engine::WebKit if seen.family == b"Safari" => match seen.system {
            Some(
                UserAgentSystem::Linux
                | UserAgentSystem::FreeBsd
                | UserAgentSystem::OpenBsd
                | UserAgentSystem::NetBsd
                | UserAgentSystem::SunOs,
            ) => Some("WebKitGTK"),
            _ => Some("Safari"),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Database;

    #[track_caller]
    fn check(text: &str, is_browser: bool, family: &str) {
        let claim = Claim::of_user_agent(&UserAgent::parse(text.as_bytes()), text.as_bytes());
        assert_eq!((claim.is_browser, claim.family), (is_browser, family.as_bytes()), "{text}");
    }

    #[test]
    fn browsers_are_named_by_their_network_code() {
        let on = |system: &str, rest: &str| format!("Mozilla/5.0 ({system}) {rest}");
        let blink = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";
        check(&on("X11; Linux x86_64", blink), true, "Chromium");
        check(&on("X11; Linux x86_64", &format!("{blink} Edg/120.0")), true, "Chromium");
        check(&on("X11; Linux x86_64; rv:153.0", "Gecko/20100101 Firefox/153.0"), true, "Firefox");
        let webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/120.0 Mobile/15E148 Safari/604.1";
        check(&on("iPhone; CPU iPhone OS 17_2 like Mac OS X", webkit), true, "Safari");
        check(&on("compatible; MSIE 9.0; Windows NT 6.1", ""), false, "Mozilla");
        let webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15";
        check(&on("Macintosh; Intel Mac OS X 10_15_7", webkit), true, "Safari");
        check(&on("X11; Linux x86_64", webkit), true, "WebKitGTK");
    }

    #[test]
    fn who_names_himself_behind_a_browser_claims_to_be_none() {
        let chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                      Chrome/120.0.0.0 Safari/537.36";
        check(&format!("{chrome} (compatible; GoogleOther)"), false, "Mozilla");
        check(&format!("{chrome} okhttp/4.9.0"), false, "OkHttp");
        check(&format!("{chrome} Edge/18.17763"), false, "Mozilla");
        check(&format!("{chrome} Edg/120.0.0.0"), true, "Chromium");
    }

    #[test]
    fn programs_are_named_as_in_labels() {
        check("curl/7.88.1", false, "curl");
        check("python-requests/2.34.2", false, "Python requests");
        check("Python/3.11 aiohttp/3.14.5", false, "aiohttp");
        check("GuzzleHttp/7", false, "Guzzle");
        check("GuzzleHttp/6.5.5 curl/7.88.1 PHP/8.2.7", false, "Guzzle");
        check("GuzzleHttp/6.5.5 curl/7.88.1", false, "Guzzle");
        check("got (https://github.com/sindresorhus/got)", false, "got");
        check("Googlebot/2.1 (+http://www.google.com/bot.html)", false, "Googlebot");
        check("my-script/1", false, "my-script");
        check("", false, "");
        for (text, family) in [
            ("nginx/1.22.1", "nginx"),
            ("SimpleHTTP/0.6 Python/3.11.7", "Python http.server"),
            ("Jetty(12.0.16)", "Jetty"),
        ] {
            assert_eq!(Claim::of_server(text.as_bytes()).family, family.as_bytes());
        }
    }

    #[test]
    fn products_are_listed_in_lower_case_and_once() {
        for table in [CLIENTS, SERVERS] {
            assert!(table.is_sorted_by(|(one, _), (other, _)| one < other), "{table:?}");
            assert!(table.iter().all(|(product, _)| *product == product.to_ascii_lowercase()));
        }
    }

    /// A label that no claim can be compared with would never be consistent.
    #[test]
    fn every_server_of_the_bundled_labels_is_known_or_its_own_first_word() {
        for record in Database::bundled().http_responses() {
            let name = &record.label.name;
            let is_listed = SERVERS.iter().any(|(_, listed)| listed == name);
            let is_anonymous = [
                "Express",
                "Node.js",
                "Tomcat",
                "BusyBox httpd",
                "PHP",
                "HAProxy",
                "Varnish",
                "Privoxy",
                "hyper or HAProxy",
                "actix-web",
                "actix-web or HAProxy",
                "Sanic",
                "CivetWeb",
            ];
            let is_silent = name.starts_with("Go ")
                || name.starts_with("Java ")
                || name.contains(" or another server")
                || name == "Fastify";
            assert!(is_listed || is_silent || is_anonymous.contains(&name.as_str()), "{name}");
        }
    }
}
