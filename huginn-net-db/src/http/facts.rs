//! What the request of a browser shows of it, and what refutes that it is one.

use std::borrow::Cow;

use huginn_net_http::{
    Engine, Http1Request, Http1Version, Http2Request, TargetForm, UserAgent, UserAgentSystem,
};
use memchr::memchr2;

use super::claim::Claim;
use super::verdict::{Channel, VerdictReason};

/// Some of the reasons of a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reasons(u16);

impl Reasons {
    pub(super) fn insert_if(&mut self, condition: bool, reason: VerdictReason) {
        if condition {
            self.0 |= Self::from(reason).0;
        }
    }

    pub(super) const fn contains(self, reason: VerdictReason) -> bool {
        self.0 & (1 << reason as u16) != 0
    }
}

impl From<VerdictReason> for Reasons {
    fn from(reason: VerdictReason) -> Self {
        Self(1 << reason as u16)
    }
}

/// The request of somebody who claims to be a browser.
pub(super) struct Facts<'r> {
    channel: Channel,
    text: &'r [u8],
    seen: UserAgent<'r>,
    /// `None` over HTTP/2.
    version: Option<Http1Version>,
    is_connect: bool,
    is_to_own_host: bool,
    /// Which of [`Facts::NAMES`] are there.
    fields: [bool; Facts::NAMES.len()],
    has_lower_case_agent: bool,
    has_capital_host: bool,
    has_capital_connection: bool,
    /// One of the fields of Fetch Metadata (<https://www.w3.org/TR/fetch-metadata/>).
    has_fetch_metadata: bool,
    takes_zstd: bool,
    keeps_alive: bool,
    /// Somebody else has written the head anew.
    pub(super) is_forwarded: bool,
    /// Over HTTP/2: those of a request that this browser never makes.
    has_other_pseudo_headers: bool,
}

impl<'r> Facts<'r> {
    const NAMES: [&'static str; 5] =
        ["sec-ch-ua", "accept", "upgrade", "upgrade-insecure-requests", "accept-language"];

    /// Of what `User-Agent` says, and what it is read as.
    fn new(channel: Channel, text: &'r [u8], seen: UserAgent<'r>) -> Self {
        Self {
            channel,
            text,
            seen,
            version: None,
            is_connect: false,
            is_to_own_host: false,
            fields: [false; Self::NAMES.len()],
            has_lower_case_agent: false,
            has_capital_host: false,
            has_capital_connection: false,
            has_fetch_metadata: false,
            takes_zstd: false,
            keeps_alive: false,
            is_forwarded: false,
            has_other_pseudo_headers: false,
        }
    }

    pub(super) fn of_http1(
        request: &Http1Request<'_>,
        channel: Channel,
        text: &'r [u8],
        seen: UserAgent<'r>,
    ) -> Self {
        let mut facts = Self::new(channel, text, seen);
        facts.version = Some(request.version());
        facts.is_connect = request.method() == b"CONNECT";
        facts.is_to_own_host = is_to_own_host(request);
        facts.is_forwarded = request.is_forwarded();
        for header in request.headers().iter() {
            facts.add(header.name(), || header.value());
        }
        facts
    }

    pub(super) fn of_http2(
        request: &Http2Request,
        channel: Channel,
        text: &'r [u8],
        seen: UserAgent<'r>,
    ) -> Self {
        let mut facts = Self::new(channel, text, seen);
        facts.is_connect = request.method() == Some(b"CONNECT");
        facts.is_forwarded = request.intermediaries().next().is_some();
        for field in request.list().iter() {
            facts.add(field.name, || Cow::Borrowed(field.value));
        }
        facts.has_other_pseudo_headers = facts.never_sends(request);
        facts
    }

    fn add<'v>(&mut self, name: &[u8], value: impl Fn() -> Cow<'v, [u8]>) {
        for (known, is_there) in Self::NAMES.iter().zip(&mut self.fields) {
            *is_there |= name.eq_ignore_ascii_case(known.as_bytes());
        }
        self.has_lower_case_agent |= name == b"user-agent";
        self.has_capital_host |= name == b"Host";
        self.has_capital_connection |= name == b"Connection";
        self.has_fetch_metadata |= is_fetch_metadata(name);
        self.takes_zstd |= name.eq_ignore_ascii_case(b"accept-encoding") && accepts(&value(), b"zstd");
        if name.eq_ignore_ascii_case(b"connection") {
            self.keeps_alive |= value().eq_ignore_ascii_case(b"keep-alive");
        }
    }

    /// What that browser never does.
    pub(super) fn refuting(&self) -> Reasons {
        let mut reasons = Reasons::default();
        let [has_hints, ..] = self.fields;
        let has_metadata = has_hints || self.has_fetch_metadata;
        reasons.insert_if(
            self.chromium().is_some_and(|version| version >= 89) && self.gets_hints() && !has_metadata,
            VerdictReason::NoClientHints,
        );
        reasons.insert_if(has_metadata && self.is_before_fetch_metadata(), VerdictReason::EarlyFetchMetadata);
        reasons.insert_if(
            self.takes_zstd && !self.is_forwarded && self.chrome().is_some_and(|version| version < 123),
            VerdictReason::EarlyZstd,
        );
        let is_mixed = self.has_lower_case_agent && self.has_capital_host && self.has_capital_connection;
        // Proxies write heads anew, some of them in HTTP/1.0.
        reasons.insert_if(
            self.version == Some(Http1Version::HTTP_1_0) && !self.is_forwarded,
            VerdictReason::BrowserOfHttp10,
        );
        reasons.insert_if(
            self.version == Some(Http1Version::HTTP_1_1) && is_mixed && !self.is_forwarded,
            VerdictReason::LowerCaseNames,
        );
        // In the clear it is a proxy that asks: browsers have HTTP/2 over TLS only.
        let is_own = self.channel == Channel::Tls && !self.is_forwarded;
        reasons.insert_if(is_own && self.has_other_pseudo_headers, VerdictReason::PseudoHeaderOrder);
        reasons
    }

    /// Whether a request over HTTP/2 has its pseudo-headers in an order that this browser never had, in any version with
    /// HTTP/2 that was recorded.
    fn never_sends(&self, request: &Http2Request) -> bool {
        let mut letters = [0; 4];
        let mut names = request.pseudo_headers();
        for letter in &mut letters {
            *letter = match names.next() {
                Some(b"method") => b'm',
                Some(b"authority") => b'a',
                Some(b"scheme") => b's',
                Some(b"path") => b'p',
                _ => return false,
            };
        }
        let mut sorted = letters;
        sorted.sort_unstable();
        // Others have more or fewer of them, as CONNECT has.
        if names.next().is_some() || sorted != *b"amps" {
            return false;
        }
        match Claim::of_user_agent(&self.seen, self.text).family {
            b"Chromium" => letters != *b"masp",
            b"Firefox" => letters != *b"mpas",
            b"Safari" => self.is_of_apple() && letters != *b"mspa" && letters != *b"msap",
            _ => false,
        }
    }

    /// Whether it names a system of Apple: WebKit of others has versions and network code of its own.
    pub(super) fn is_of_apple(&self) -> bool {
        matches!(self.seen.system, Some(UserAgentSystem::MacOs | UserAgentSystem::Ios))
    }

    /// Whether Chromium sends client hints or fetch metadata in such a request.
    ///
    /// What it asks for by itself has neither, and nothing that it accepts: rules for proxies, reports of pages, and the
    /// question whether a report may be sent. A reverse proxy may have put its own host in the place of the one that was
    /// asked for. It names no connection, or one of its own.
    fn gets_hints(&self) -> bool {
        let [_, has_accept, has_upgrade, ..] = self.fields;
        let is_page_or_part = has_accept && !self.is_connect && !has_upgrade;
        let is_direct = self.channel == Channel::Tls || self.keeps_alive;
        is_page_or_part && is_direct && !self.is_forwarded && self.is_trustworthy()
    }

    /// A page that is asked for in no language, by a browser that always names one.
    pub(super) fn has_no_language(&self) -> bool {
        let [.., is_page, has_language] = self.fields;
        self.seen.engine == Some(Engine::Blink) && is_page && !has_language
    }

    /// Whether the origin is potentially trustworthy: browsers send client hints and fetch metadata to no other
    /// ([Secure Contexts §3.1](https://www.w3.org/TR/secure-contexts/#is-origin-trustworthy)).
    fn is_trustworthy(&self) -> bool {
        self.channel == Channel::Tls || self.is_to_own_host
    }

    /// The main version of a browser with the network code of Chromium.
    fn chromium(&self) -> Option<u32> {
        let is_blink =
            self.seen.engine == Some(Engine::Blink) && self.seen.system != Some(UserAgentSystem::Ios);
        let product = [&b"Chrome/"[..], b"Chromium/"].into_iter().find_map(|name| after(self.text, name));
        main_version(product.filter(|_| is_blink)?)
    }

    /// The main version of Chrome itself.
    fn chrome(&self) -> Option<u32> {
        self.chromium().filter(|_| self.seen.family == b"Chrome" || self.seen.family == b"Chromium")
    }

    fn is_before_fetch_metadata(&self) -> bool {
        let Some(version) = self.seen.version else { return false };
        let main = main_version(version);
        match self.seen.engine {
            // Browsers made from old versions of Firefox name themselves behind it.
            Some(Engine::Gecko) if self.seen.family == b"Firefox" => {
                self.text.ends_with(version) && main.is_some_and(|main| main < 90)
            }
            Some(Engine::WebKit) if self.seen.family == b"Safari" => {
                let minor = version.split(|&byte| byte == b'.').nth(1).and_then(main_version).unwrap_or(0);
                self.is_of_apple() && main.is_some_and(|main| (main, minor) < (16, 4))
            }
            _ => false,
        }
    }
}

/// Whether a request is to the host that it is sent from.
pub(super) fn is_to_own_host(request: &Http1Request<'_>) -> bool {
    if request.target_form() == TargetForm::Origin && names_other_host(request.headers().as_sent()) {
        return false;
    }
    let Some(host) = request.host() else { return false };
    &*host == b"localhost"
        || host.ends_with(b".localhost")
        || &*host == b"[::1]"
        || (host.starts_with(b"127.") && host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'))
}

/// Whether the first field is `Host` as most programs write it, with a name that is nothing else at first sight than one of
/// another host.
fn names_other_host(fields: &[u8]) -> bool {
    let Some(value) = fields.strip_prefix(b"Host: ") else { return false };
    // A colon is before a port, or in an address.
    let line = memchr2(b':', b'\n', value).and_then(|end| value.split_at_checked(end));
    let Some(([host @ .., b'\r'], [b'\n', behind @ ..])) = line else { return false };
    let is_folded = matches!(behind, [b' ' | b'\t', ..]);
    // Addresses end with digits.
    !is_folded && host.last().is_some_and(u8::is_ascii_alphabetic) && !host.ends_with(b"localhost")
}

/// Whether a name is one of Fetch Metadata.
fn is_fetch_metadata(name: &[u8]) -> bool {
    const PREFIX: &[u8] = b"sec-fetch-";
    let Some((begin, end)) = name.split_at_checked(PREFIX.len()) else { return false };
    begin.eq_ignore_ascii_case(PREFIX)
        && [&b"site"[..], b"mode", b"dest", b"user"].iter().any(|known| end.eq_ignore_ascii_case(known))
}

/// Whether `Accept-Encoding` has a coding that it does not refuse, with a weight of zero
/// ([RFC 9110 §12.5.3](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3)).
fn accepts(value: &[u8], coding: &[u8]) -> bool {
    value.split(|&byte| byte == b',').any(|item| {
        let mut parts = item.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
        let is_it = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let is_zero = |weight: &[u8]| weight.iter().all(|byte| matches!(byte, b'0' | b'.'));
        let mut weights =
            parts.filter_map(|part| part.strip_prefix(b"q=").or_else(|| part.strip_prefix(b"Q=")));
        is_it && !weights.any(is_zero)
    })
}

fn after<'t>(text: &'t [u8], word: &[u8]) -> Option<&'t [u8]> {
    memchr::memmem::find(text, word).and_then(|at| text.get(at + word.len()..))
}

/// The number that a version begins with, of up to four digits.
fn main_version(version: &[u8]) -> Option<u32> {
    let digits = version.iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let digits = version.get(..digits).filter(|digits| (1..=4).contains(&digits.len()))?;
    core::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use huginn_net_core::Progress;

    use super::*;

    /// Whether a request of these lines is to the own host.
    fn is_own(lines: &str) -> bool {
        let head = format!("{lines}\r\nAccept: */*\r\n\r\n");
        let Ok(Progress::Done(request)) = Http1Request::parse(head.as_bytes()) else { panic!("{head}") };
        is_to_own_host(&request)
    }

    #[test]
    fn a_coding_is_accepted_by_its_whole_name_unless_its_weight_is_zero() {
        for value in ["gzip, zstd", "ZSTD", "br;q=0, zstd ; q=0.1", "zstd;q=1.0"] {
            assert!(accepts(value.as_bytes(), b"zstd"), "{value}");
        }
        for value in ["", "x-zstdlike", "zstd;q=0", "gzip, zstd; Q=0.000"] {
            assert!(!accepts(value.as_bytes(), b"zstd"), "{value}");
        }
    }

    #[test]
    fn the_own_host_is_known_by_its_name_however_its_field_is_written() {
        for host in [
            "localhost",
            "localhost:80",
            "localhost:",
            "localhost:http",
            "a.localhost",
            "a@localhost",
            "a@localhost:80",
            "[::1]",
            "[::1]:80",
            "127.0.0.1",
            "127.0.0.1:a",
            "127.1.",
            " localhost ",
            "a.example\r\n .localhost",
        ] {
            for field in ["Host: ", "Host:", "host: ", "HOST:\t", "Host : "] {
                assert!(is_own(&format!("GET / HTTP/1.1\r\n{field}{host}")), "{field}{host:?}");
                assert!(
                    is_own(&format!("GET / HTTP/1.1\r\nA: b.example\r\n{field}{host}")),
                    "{field}{host:?}"
                );
            }
        }
        assert!(is_own("GET http://localhost/ HTTP/1.1\r\nHost: a.example"));
    }

    #[test]
    fn other_hosts_are_known_by_their_names_however_their_field_is_written() {
        for host in [
            "a.example",
            "a.example:80",
            "a.test",
            "localhost.example",
            "localhost@a.example",
            "localhos",
            "LOCALHOST",
            "[::2]",
            "127.0.0.1.example",
            "10.0.0.1",
            "a.example\r\n localhost",
            "",
        ] {
            for field in ["Host: ", "Host:", "host: "] {
                assert!(!is_own(&format!("GET / HTTP/1.1\r\n{field}{host}")), "{field}{host:?}");
            }
        }
        assert!(!is_own("GET / HTTP/1.1\r\nHost: a.example\r\nHost: localhost"));
        assert!(!is_own("GET http://a.example/ HTTP/1.1\r\nHost: localhost"));
        assert!(!is_own("GET / HTTP/1.1"));
    }
}
