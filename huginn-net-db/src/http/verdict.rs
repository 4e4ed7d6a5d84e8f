//! Whether a program is what it says.

use core::fmt;

use huginn_net_http::{Engine, Http1Request, Http1Response, Http1Version, UserAgent, UserAgentSystem};

use super::claim::{self, Claim, ClaimKind};
use super::matching::HttpMatch;
use crate::{Database, HttpRecord};

/// Whether a program is what it says; displays as [`Verdict::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It says what signatures that match say, too.
    Consistent,
    /// Nothing tells.
    Unverifiable,
    /// Every signature that matches says what such a program calls itself, and it calls itself otherwise.
    Contradiction,
    /// It is said to be a program that never sends such a head.
    Impossible,
}

impl Verdict {
    /// In lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consistent => "consistent",
            Self::Unverifiable => "unverifiable",
            Self::Contradiction => "contradiction",
            Self::Impossible => "impossible",
        }
    }

    /// Whether somebody lies.
    pub const fn is_dishonest(self) -> bool {
        matches!(self, Self::Contradiction | Self::Impossible)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a verdict is what it is; displays as [`VerdictReason::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum VerdictReason {
    /// A signature that matches is of the program that it claims to be.
    ClaimMatches,
    /// It does not say what it is.
    NoClaim,
    /// No signature matches.
    NoSignature,
    /// Others may send such heads, too.
    NotCharacteristic,
    /// It calls itself otherwise than the signatures say.
    OtherSoftware,
    /// Chromium 89 or newer, in a request over TLS or to the own host, without `sec-ch-ua` and `Sec-Fetch-Site`; of those
    /// to the own host, where nothing looks as if a proxy had named it.
    NoClientHints,
    /// `Sec-Fetch-…` or `sec-ch-ua` of Firefox before 90 or Safari before 16.4.
    EarlyFetchMetadata,
    /// `zstd` among the encodings of Chrome before 123.
    EarlyZstd,
    /// A browser of HTTP/1.0.
    BrowserOfHttp10,
    /// A browser that writes `User-Agent` in lower case, and `Host` and `Connection` not: proxies write all names so, as
    /// HAProxy does.
    LowerCaseNames,
}

impl VerdictReason {
    const ALL: [Self; 10] = [
        Self::ClaimMatches,
        Self::NoClaim,
        Self::NoSignature,
        Self::NotCharacteristic,
        Self::OtherSoftware,
        Self::NoClientHints,
        Self::EarlyFetchMetadata,
        Self::EarlyZstd,
        Self::BrowserOfHttp10,
        Self::LowerCaseNames,
    ];

    /// In lower case with underscores.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaimMatches => "claim_matches",
            Self::NoClaim => "no_claim",
            Self::NoSignature => "no_signature",
            Self::NotCharacteristic => "not_characteristic",
            Self::OtherSoftware => "other_software",
            Self::NoClientHints => "no_client_hints",
            Self::EarlyFetchMetadata => "early_fetch_metadata",
            Self::EarlyZstd => "early_zstd",
            Self::BrowserOfHttp10 => "browser_of_http10",
            Self::LowerCaseNames => "lower_case_names",
        }
    }
}

impl fmt::Display for VerdictReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a request came: browsers send some fields only where nobody can have changed what they ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// In the clear.
    Cleartext,
    /// Over TLS, which the reader of the request has taken off.
    Tls,
}

/// What is to be thought of a head: who sends such ones, and whether this is what it says it is.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HttpJudgment<'a> {
    /// The signature that tells most.
    pub found: Option<HttpMatch<'a>>,
    /// Whether the program is what it says.
    pub assessment: Assessment,
    /// The operating system that the first field `User-Agent` names.
    pub system: Option<UserAgentSystem>,
    /// Of one who claims to be a browser it matters, too, whether the request is to the own host.
    pub(super) asks_host: bool,
}

/// Whether the program that sent a head is what it says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assessment {
    /// Whether the program is what it says.
    pub verdict: Verdict,
    /// It does not say what it is.
    pub is_anonymous: bool,
    /// A browser without a window: it says so, or it asks for a page in no language.
    pub is_headless: bool,
    /// A library or tool, by its signature, that calls itself a browser. Many do, for good reasons.
    pub is_automation: bool,
    reasons: Reasons,
}

impl Assessment {
    /// Why the verdict is what it is; at least one.
    pub fn reasons(&self) -> impl Iterator<Item = VerdictReason> + use<> {
        let reasons = self.reasons;
        VerdictReason::ALL.into_iter().filter(move |&reason| reasons.contains(reason))
    }

    /// `dishonest`, `anonymous`, `headless` and `automation`, if they hold.
    pub fn flags(&self) -> impl Iterator<Item = &'static str> + use<> {
        let flags = [
            (self.verdict.is_dishonest(), "dishonest"),
            (self.is_anonymous, "anonymous"),
            (self.is_headless, "headless"),
            (self.is_automation, "automation"),
        ];
        flags.into_iter().filter_map(|(holds, name)| holds.then_some(name))
    }
}

/// Fields of requests, and of responses, the values of which are looked at whatever signatures there are; those of others
/// only where a signature has a value. The host counts as far as [`is_to_own_host`] tells.
pub(super) const REQUEST_VALUES: [&str; 3] = ["user-agent", "accept-encoding", "connection"];
pub(super) const RESPONSE_VALUES: [&str; 1] = ["server"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reasons(u16);

impl Reasons {
    fn insert_if(&mut self, condition: bool, reason: VerdictReason) {
        if condition {
            self.0 |= 1 << reason as u16;
        }
    }

    const fn contains(self, reason: VerdictReason) -> bool {
        self.0 & (1 << reason as u16) != 0
    }
}

impl Database {
    /// Who sends such requests, and whether this one tells the truth.
    ///
    /// Nobody is called dishonest for an order of fields that others may send as well: that takes signatures which say what
    /// their program calls itself, or a claim that this head refutes.
    pub fn judge_request(&self, request: &Http1Request<'_>, channel: Channel) -> HttpJudgment<'_> {
        let agent = request.user_agent();
        let software = request.signature().and_then(|signature| signature.software());
        let software = software.or_else(|| agent.clone().filter(|value| !value.is_empty()));
        let text = software.as_deref().unwrap_or_default();
        let seen = UserAgent::parse(text);
        let system = match agent.as_deref() {
            Some(agent) if agent != text => UserAgent::parse(agent).system,
            _ => seen.system,
        };
        let claim = software.is_some().then(|| Claim::of_parsed(&seen, text));
        let mut witness = Witness::new(software.as_deref(), claim);
        let ranking = self.rank_request(request, |record| witness.hear(record));
        let found = HttpMatch::new(ranking);
        let is_browser = claim.is_some_and(|claim| claim.kind == ClaimKind::Browser);
        let assessment = if is_browser {
            let facts = Facts::of(request, channel, text, seen);
            Assessment {
                is_headless: seen.is_headless || facts.has_no_language(),
                is_automation: found.is_some_and(|found| claim::is_library(&found.record.label)),
                ..assessment(found, &witness, facts.refuting())
            }
        } else {
            let plain = assessment(found, &witness, Reasons::default());
            Assessment { is_headless: seen.is_headless, ..plain }
        };
        HttpJudgment { found, assessment, system, asks_host: is_browser }
    }

    /// Who sends such responses, and whether this one tells the truth.
    ///
    /// A server that leaves out its version, or all but the begin of its name, is honest.
    pub fn judge_response(&self, response: &Http1Response<'_>) -> HttpJudgment<'_> {
        let software = response.signature().and_then(|signature| signature.software());
        let software = software.or_else(|| response.server().filter(|value| !value.is_empty()));
        let mut witness = Witness::new(software.as_deref(), software.as_deref().map(Claim::of_server));
        let ranking = self.rank_response(response, |record| witness.hear(record));
        let found = HttpMatch::new(ranking);
        let assessment = assessment(found, &witness, Reasons::default());
        HttpJudgment { found, assessment, system: None, asks_host: false }
    }
}

fn assessment(found: Option<HttpMatch<'_>>, witness: &Witness<'_>, impossible: Reasons) -> Assessment {
    let (verdict, reason) = match witness {
        _ if impossible != Reasons::default() => (Verdict::Impossible, None),
        Witness { software: None, .. } => (Verdict::Unverifiable, Some(VerdictReason::NoClaim)),
        _ if found.is_none() => (Verdict::Unverifiable, Some(VerdictReason::NoSignature)),
        Witness { any_fits: true, .. } => (Verdict::Consistent, Some(VerdictReason::ClaimMatches)),
        Witness { all_expect_other: true, .. } => {
            (Verdict::Contradiction, Some(VerdictReason::OtherSoftware))
        }
        _ => (Verdict::Unverifiable, Some(VerdictReason::NotCharacteristic)),
    };
    let mut reasons = impossible;
    if let Some(reason) = reason {
        reasons.insert_if(true, reason);
    }
    Assessment {
        verdict,
        is_anonymous: witness.software.is_none(),
        is_headless: false,
        is_automation: false,
        reasons,
    }
}

/// What all signatures that match say of a claim.
struct Witness<'s> {
    software: Option<&'s [u8]>,
    claim: Option<Claim<'s>>,
    any_fits: bool,
    /// No signature leaves open what its program calls itself.
    all_expect_other: bool,
}

impl<'s> Witness<'s> {
    const fn new(software: Option<&'s [u8]>, claim: Option<Claim<'s>>) -> Self {
        Self { software, claim, any_fits: false, all_expect_other: true }
    }

    fn hear(&mut self, record: &HttpRecord) {
        let expected = &record.signature.software;
        let has_expected = !expected.is_empty();
        self.any_fits |= self.claim.is_some_and(|claim| claim.is_of(&record.label))
            || self.software.is_some_and(|software| has_expected && claim::fits(expected, software));
        self.all_expect_other &= has_expected;
    }
}

/// The request of somebody who claims to be a browser.
struct Facts<'r> {
    request: &'r Http1Request<'r>,
    channel: Channel,
    text: &'r [u8],
    seen: UserAgent<'r>,
    /// Which of [`Facts::NAMES`] are there.
    fields: [bool; Facts::NAMES.len()],
    has_lower_case_agent: bool,
    has_capital_host: bool,
    has_capital_connection: bool,
    takes_zstd: bool,
    keeps_alive: bool,
    /// Somebody has written the head anew who says so, or nginx, which puts what it sets, `Connection: close` for one,
    /// before what the client sent.
    is_forwarded: bool,
}

impl<'r> Facts<'r> {
    const NAMES: [&'static str; 6] = [
        "sec-ch-ua",
        "sec-fetch-site",
        "sec-fetch-mode",
        "upgrade",
        "upgrade-insecure-requests",
        "accept-language",
    ];

    fn of(request: &'r Http1Request<'r>, channel: Channel, text: &'r [u8], seen: UserAgent<'r>) -> Self {
        let mut facts = Self {
            request,
            channel,
            text,
            seen,
            fields: [false; Self::NAMES.len()],
            has_lower_case_agent: false,
            has_capital_host: false,
            has_capital_connection: false,
            takes_zstd: false,
            keeps_alive: false,
            is_forwarded: request.intermediaries().next().is_some(),
        };
        let mut has_agent = false;
        for header in request.headers().iter() {
            let name = header.name();
            has_agent |= name.eq_ignore_ascii_case(b"user-agent");
            for (known, is_there) in Self::NAMES.iter().zip(&mut facts.fields) {
                *is_there |= name.eq_ignore_ascii_case(known.as_bytes());
            }
            facts.has_lower_case_agent |= name == b"user-agent";
            facts.has_capital_host |= name == b"Host";
            facts.has_capital_connection |= name == b"Connection";
            facts.takes_zstd |= name.eq_ignore_ascii_case(b"accept-encoding")
                && header.value().windows(4).any(|window| window == b"zstd");
            if name.eq_ignore_ascii_case(b"connection") {
                let value = header.value();
                facts.keeps_alive |= value.eq_ignore_ascii_case(b"keep-alive");
                facts.is_forwarded |= !has_agent && value.eq_ignore_ascii_case(b"close");
            }
        }
        facts
    }

    /// What that browser never does.
    fn refuting(&self) -> Reasons {
        let mut reasons = Reasons::default();
        let [has_hints, has_site, has_mode, ..] = self.fields;
        let has_metadata = has_hints || has_site || has_mode;
        reasons.insert_if(
            self.chromium().is_some_and(|version| version >= 89) && self.gets_hints() && !has_metadata,
            VerdictReason::NoClientHints,
        );
        reasons.insert_if(has_metadata && self.is_before_fetch_metadata(), VerdictReason::EarlyFetchMetadata);
        reasons.insert_if(
            self.takes_zstd && self.chrome().is_some_and(|version| version < 123),
            VerdictReason::EarlyZstd,
        );
        let version = self.request.version();
        let is_mixed = self.has_lower_case_agent && self.has_capital_host && self.has_capital_connection;
        // Proxies write heads anew, some of them in HTTP/1.0.
        reasons.insert_if(
            version == Http1Version::HTTP_1_0 && !self.is_forwarded,
            VerdictReason::BrowserOfHttp10,
        );
        reasons.insert_if(
            version == Http1Version::HTTP_1_1 && is_mixed && !self.is_forwarded,
            VerdictReason::LowerCaseNames,
        );
        reasons
    }

    /// Whether Chromium sends client hints or fetch metadata in such a request.
    ///
    /// A reverse proxy may have put its own host in the place of the one that was asked for. It names no connection, or
    /// one of its own.
    fn gets_hints(&self) -> bool {
        let [.., has_upgrade, _, _] = self.fields;
        let is_page_or_part = self.request.method() != b"CONNECT" && !has_upgrade;
        let is_direct = self.channel == Channel::Tls || self.keeps_alive;
        is_page_or_part && is_direct && !self.is_forwarded && self.is_trustworthy()
    }

    /// A page that is asked for in no language, by a browser that always names one.
    fn has_no_language(&self) -> bool {
        let [.., is_page, has_language] = self.fields;
        self.seen.engine == Some(Engine::Blink) && is_page && !has_language
    }

    /// Whether the origin is potentially trustworthy: browsers send client hints and fetch metadata to no other
    /// ([Secure Contexts §3.1](https://www.w3.org/TR/secure-contexts/#is-origin-trustworthy)).
    fn is_trustworthy(&self) -> bool {
        self.channel == Channel::Tls || is_to_own_host(self.request)
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
            // WebKit of other systems has versions of its own.
            Some(Engine::WebKit) if self.seen.family == b"Safari" => {
                let is_apple =
                    matches!(self.seen.system, Some(UserAgentSystem::MacOs | UserAgentSystem::Ios));
                let minor = version.split(|&byte| byte == b'.').nth(1).and_then(main_version).unwrap_or(0);
                is_apple && main.is_some_and(|main| (main, minor) < (16, 4))
            }
            _ => false,
        }
    }
}

/// Whether a request is to the host that it is sent from.
pub(super) fn is_to_own_host(request: &Http1Request<'_>) -> bool {
    let Some(host) = request.host() else { return false };
    &*host == b"localhost"
        || host.ends_with(b".localhost")
        || &*host == b"[::1]"
        || (host.starts_with(b"127.") && host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'))
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
