//! Whether a program is what it says.

use core::fmt;

use huginn_net_http::{Http1Request, Http1Response, UserAgent, UserAgentSystem};

use super::claim::{self, Claim};
use super::facts::{Facts, Reasons};
use super::matching::HttpMatch;
use crate::{Database, HttpRecord, Specificity};

/// Whether a program is what it says; displays as [`Verdict::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It says what signatures that match say, too.
    Consistent,
    /// Nothing tells.
    Unverifiable,
    /// Every signature that matches says what such a program calls itself, and it calls itself otherwise; or all are of other
    /// browsers than the one that it claims to be.
    Contradiction,
    /// It is said to be a program that never sends such a head.
    Impossible,
}

impl Verdict {
    /// In lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consistent => "consistent",
            Self::Unverifiable => "unverifiable",
            Self::Contradiction => "contradiction",
            Self::Impossible => "impossible",
        }
    }

    /// Whether somebody lies.
    #[must_use]
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
    /// It calls itself otherwise than the signatures say. Over HTTP/2: it claims to be a browser, and starts as other programs
    /// are known to and this one is not.
    OtherSoftware,
    /// It claims to be a browser that has signatures, and all that match are of other browsers, whose software does not fit.
    OtherBrowser,
    /// Chromium 89 or newer, in a request over TLS or to the own host, with `Accept` and without `sec-ch-ua` and
    /// `Sec-Fetch-…`; of those to the own host, where nothing looks as if a proxy had named it.
    NoClientHints,
    /// `Sec-Fetch-…` or `sec-ch-ua` of Firefox before 90 or Safari before 16.4.
    EarlyFetchMetadata,
    /// `zstd` among the encodings of Chrome before 123, where no proxy shows.
    EarlyZstd,
    /// A browser of HTTP/1.0.
    BrowserOfHttp10,
    /// A browser that writes `User-Agent` in lower case, and `Host` and `Connection` not: proxies write all names so, as
    /// HAProxy does.
    LowerCaseNames,
    /// A browser that asks over TLS with `:method`, `:authority`, `:scheme` and `:path` in an order which it never had.
    PseudoHeaderOrder,
}

impl VerdictReason {
    const ALL: [Self; 12] = [
        Self::ClaimMatches,
        Self::NoClaim,
        Self::NoSignature,
        Self::NotCharacteristic,
        Self::OtherSoftware,
        Self::OtherBrowser,
        Self::NoClientHints,
        Self::EarlyFetchMetadata,
        Self::EarlyZstd,
        Self::BrowserOfHttp10,
        Self::LowerCaseNames,
        Self::PseudoHeaderOrder,
    ];

    /// In lower case with underscores.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaimMatches => "claim_matches",
            Self::NoClaim => "no_claim",
            Self::NoSignature => "no_signature",
            Self::NotCharacteristic => "not_characteristic",
            Self::OtherSoftware => "other_software",
            Self::OtherBrowser => "other_browser",
            Self::NoClientHints => "no_client_hints",
            Self::EarlyFetchMetadata => "early_fetch_metadata",
            Self::EarlyZstd => "early_zstd",
            Self::BrowserOfHttp10 => "browser_of_http10",
            Self::LowerCaseNames => "lower_case_names",
            Self::PseudoHeaderOrder => "pseudo_header_order",
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
#[non_exhaustive]
pub enum Channel {
    /// In the clear.
    Cleartext,
    /// Over TLS of the client itself, which the reader of the request has taken off. What a proxy sends over a connection of
    /// its own shows the proxy and is to be read as in the clear.
    Tls,
}

/// What is to be thought of a head: who sends such ones, and whether this is what it says it is.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HttpJudgment<'a> {
    /// The signature that tells most; of a client that labels have a name for, and that lies not, the one that tells most with
    /// this name.
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
    pub(super) reasons: Reasons,
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
/// only where a signature has a value. The host counts as far as [`is_to_own_host`](super::facts::is_to_own_host) tells.
pub(super) const REQUEST_VALUES: [&str; 3] = ["user-agent", "accept-encoding", "connection"];
pub(super) const RESPONSE_VALUES: [&str; 1] = ["server"];

impl Database {
    /// Who sends such requests, and whether this one tells the truth.
    ///
    /// Nobody is called dishonest for an order of fields that others may send as well: that takes signatures which say what
    /// their program calls itself, or a claim that this head refutes. Who calls itself one of the clients that labels name
    /// and is not dishonest is found by that name, or not at all.
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
        let claim = software.is_some().then(|| Claim::of_user_agent(&seen, text));
        let mut witness = Witness::new(software.as_deref(), claim);
        let ranking = self.rank_request(request, |record| witness.hear(record));
        let found = HttpMatch::new(ranking);
        let is_browser = claim.is_some_and(|claim| claim.is_browser);
        let assessment = if is_browser {
            let facts = Facts::of_http1(request, channel, text, seen);
            let is_of_other = witness.all_are_other_browsers
                && !witness.any_fits
                && !facts.is_forwarded
                && self.knows_requests_of(claim);
            let (verdict, reasons) = match is_of_other {
                true => (Verdict::Contradiction, VerdictReason::OtherBrowser.into()),
                false => witness.verdict(found.is_some()),
            };
            Assessment {
                is_headless: seen.is_headless || facts.has_no_language(),
                is_automation: found.is_some_and(|found| claim::is_library(&found.record.label)),
                ..Assessment::new((verdict, reasons), facts.refuting(), witness.software)
            }
        } else {
            let told = witness.verdict(found.is_some());
            Assessment {
                is_headless: seen.is_headless,
                ..Assessment::new(told, Reasons::default(), witness.software)
            }
        };
        // Whoever is believed is no other program with the same fields.
        let is_other =
            |found: &HttpMatch<'_>| claim.is_some_and(|claim| claim.is_other_than(&found.record.label));
        let found = match found {
            Some(other) if !assessment.verdict.is_dishonest() && is_other(&other) => {
                other.led_by(|label| claim.is_some_and(|claim| claim.is_of(label)))
            }
            found => found,
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
        let told = witness.verdict(found.is_some());
        let assessment = Assessment::new(told, Reasons::default(), witness.software);
        HttpJudgment { found, assessment, system: None, asks_host: false }
    }

    /// Whether a browser has signatures of requests. Those of WebKitGTK do not count: what names WebKit on such systems is as
    /// often a television with network code of its own.
    fn knows_requests_of(&self, claim: Option<Claim<'_>>) -> bool {
        let claim = claim.filter(|claim| claim.family != b"WebKitGTK");
        claim.is_some_and(|claim| self.http_requests().iter().any(|record| claim.is_of(&record.label)))
    }
}

impl Assessment {
    /// Of what signatures tell, which does not matter if something is impossible.
    pub(super) fn new(
        (verdict, told): (Verdict, Reasons),
        impossible: Reasons,
        software: Option<&[u8]>,
    ) -> Self {
        let is_impossible = impossible != Reasons::default();
        Self {
            verdict: if is_impossible { Verdict::Impossible } else { verdict },
            is_anonymous: software.is_none(),
            is_headless: false,
            is_automation: false,
            reasons: if is_impossible { impossible } else { told },
        }
    }
}

/// What all signatures that match say of a claim.
struct Witness<'s> {
    software: Option<&'s [u8]>,
    claim: Option<Claim<'s>>,
    any_fits: bool,
    /// No signature leaves open what its program calls itself.
    all_expect_other: bool,
    /// There is a signature, and each is of another browser than the one that is claimed.
    all_are_other_browsers: bool,
    is_heard: bool,
}

impl<'s> Witness<'s> {
    const fn new(software: Option<&'s [u8]>, claim: Option<Claim<'s>>) -> Self {
        Self {
            software,
            claim,
            any_fits: false,
            all_expect_other: true,
            all_are_other_browsers: false,
            is_heard: false,
        }
    }

    fn hear(&mut self, record: &HttpRecord) {
        let expected = &record.signature.software;
        let has_expected = !expected.is_empty();
        let is_claimed = self.claim.is_some_and(|claim| claim.is_of(&record.label));
        self.any_fits |= is_claimed
            || self.software.is_some_and(|software| has_expected && claim::fits(expected, software));
        self.all_expect_other &= has_expected;
        // What is generic others send, too, and accuses nobody.
        let is_other_browser = !is_claimed
            && record.label.specificity != Specificity::Generic
            && claim::browser_of(&record.label.name).is_some();
        self.all_are_other_browsers = is_other_browser && (self.all_are_other_browsers || !self.is_heard);
        self.is_heard = true;
    }

    fn verdict(&self, is_found: bool) -> (Verdict, Reasons) {
        let (verdict, reason) = match self {
            Self { software: None, .. } => (Verdict::Unverifiable, VerdictReason::NoClaim),
            _ if !is_found => (Verdict::Unverifiable, VerdictReason::NoSignature),
            Self { any_fits: true, .. } => (Verdict::Consistent, VerdictReason::ClaimMatches),
            Self { all_expect_other: true, .. } => (Verdict::Contradiction, VerdictReason::OtherSoftware),
            _ => (Verdict::Unverifiable, VerdictReason::NotCharacteristic),
        };
        (verdict, reason.into())
    }
}
