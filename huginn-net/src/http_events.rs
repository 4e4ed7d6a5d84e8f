//! HTTP clients and servers, as their heads show them.

use core::fmt;
use std::sync::Arc;

use huginn_net_db::{
    Assessment, Channel, ClientLabel, ClientMatch, Database, Http2Record, HttpMatch, HttpMatcher, Label,
    OsCheck, Quality, Shared,
};
use huginn_net_http::{AkamaiFingerprint, HttpRequest, HttpResponse, UserAgentSystem};

use crate::stacks::OperatingSystem;

/// An HTTP client as its request shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpClient {
    /// What was seen.
    pub seen: HttpRequest,
    /// The program that sends such requests; `None` if no signature fits, or if requests are not judged.
    pub app: Option<Application>,
    /// Whether it is what it says. `None` if requests are not judged: there is no database, or
    /// [`Settings::match_http_clients`](crate::Settings::match_http_clients) is off.
    pub assessment: Option<Assessment>,
    /// Whether it names the operating system that its SYN shows; unknown if requests are not judged. A request that a proxy has
    /// passed on, as all over HTTP/2 in the clear may be, conflicts with no SYN.
    pub os_check: OsCheck,
    /// The operating system that it names, as the judgment tells it.
    claimed: Option<UserAgentSystem>,
}

/// An HTTP/2 client of which no request of HTTP/2 was seen, as after an upgrade.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Http2Client {
    /// What was seen.
    pub seen: huginn_net_http::HttpStart,
    /// The program that starts like this; `None` if nobody is known to, or if no upgrade was seen, so that a request is missing.
    pub app: Option<Application>,
}

/// An HTTP server as its response shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpServer {
    /// What was seen.
    pub seen: HttpResponse,
    /// The program that sends such responses; `None` if no signature fits, or if responses are not judged.
    pub app: Option<Application>,
    /// Whether it is what it says. `None` if responses are not judged: there is no database, or
    /// [`Settings::match_http_servers`](crate::Settings::match_http_servers) is off.
    pub assessment: Option<Assessment>,
}

/// A program, according to the database; displays as its name and what is known beyond it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Application {
    /// Known by the fields of a head of HTTP/1.
    Head {
        /// The program.
        label: Arc<Label>,
        /// How well the signature fits.
        quality: Quality,
        /// Line of the signature in its file, from 1.
        line: u32,
    },
    /// Known by how it starts HTTP/2.
    Start {
        /// Every client that fits, in words.
        label: Shared<ClientLabel>,
        /// Line of the first of them in its file, from 1.
        line: u32,
    },
}

impl Application {
    fn of(found: &HttpMatch<'_>) -> Self {
        let HttpMatch { record, quality, .. } = found;
        Self::Head { label: Arc::clone(&record.label), quality: *quality, line: record.line }
    }

    fn of_start(database: &Database, start: &AkamaiFingerprint) -> Option<Self> {
        Self::of_clients(&database.match_akamai(start)?)
    }

    fn of_clients(found: &ClientMatch<'_, Http2Record>) -> Option<Self> {
        let line = found.records().next()?.line;
        Some(Self::Start { label: found.label.clone(), line })
    }

    /// For example `Firefox`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Head { label, .. } => &label.name,
            Self::Start { label, .. } => &label.name,
        }
    }

    /// What is known beyond the name, as `153` or `plain HTTP`; may be empty.
    #[must_use]
    pub fn flavor(&self) -> &str {
        match self {
            Self::Head { label, .. } => &label.flavor,
            Self::Start { label, .. } => &label.version,
        }
    }

    /// How well it fits.
    #[must_use]
    pub const fn quality(&self) -> Quality {
        match self {
            Self::Head { quality, .. } => *quality,
            Self::Start { .. } => Quality::Exact,
        }
    }

    /// Line of the signature in its file, from 1.
    #[must_use]
    pub const fn line(&self) -> u32 {
        match self {
            Self::Head { line, .. } | Self::Start { line, .. } => *line,
        }
    }
}

impl fmt::Display for Application {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head { label, .. } => label.fmt(f),
            Self::Start { label, .. } => label.fmt(f),
        }
    }
}

impl HttpClient {
    /// A request that was not judged.
    pub(crate) const fn new(seen: HttpRequest) -> Self {
        Self { seen, app: None, assessment: None, os_check: OsCheck::Unknown, claimed: None }
    }

    /// Adds what a database makes of it.
    #[inline]
    pub(crate) fn judge(&mut self, matcher: &mut HttpMatcher) {
        if let Some(head) = self.seen.http1() {
            let judgment = matcher.judge_request(&head, Channel::Cleartext);
            self.app = judgment.found.as_ref().map(Application::of);
            self.assessment = Some(judgment.assessment);
            self.claimed = judgment.system;
        } else if let Some(head) = self.seen.http2() {
            let start = self.seen.fingerprint();
            let judgment = matcher.database().judge_http2_request(head, start, Channel::Cleartext);
            self.app = judgment.found.as_ref().and_then(Application::of_clients);
            self.assessment = Some(judgment.assessment);
            self.claimed = judgment.system;
        }
    }

    /// Compares what it says of its operating system with what the SYN of its connection shows.
    pub(crate) fn check_system(&mut self, system: &OperatingSystem) {
        // The SYN in front of a forwarded request is that of who forwards it. No browser speaks HTTP/2 without TLS.
        let is_forwarded = || self.seen.http1().is_none_or(|head| head.is_forwarded());
        self.os_check = match system.stacks.check(self.claimed) {
            OsCheck::Conflict if is_forwarded() => OsCheck::Unknown,
            check => check,
        };
    }

    /// What is unusual, in fixed words: those of [`Assessment::flags`], `os_contradiction` if it names another operating
    /// system than its SYN shows, and `intermediary` if somebody between it and this place has left a trace.
    pub fn flags(&self) -> impl Iterator<Item = &'static str> + use<> {
        let of_head = self.assessment.into_iter().flat_map(|assessment| assessment.flags());
        let contradicts = self.os_check == OsCheck::Conflict;
        let is_forwarded = self.seen.intermediaries().next().is_some();
        of_head.chain(contradicts.then_some("os_contradiction")).chain(is_forwarded.then_some("intermediary"))
    }
}

impl Http2Client {
    /// What a database makes of the begin of HTTP/2.
    pub(crate) fn new(seen: huginn_net_http::HttpStart, database: Option<&Database>) -> Self {
        // A client that nobody let upgrade sends its request with what it begins with: if there was none, it was lost, and
        // without the order of its pseudo-headers this is no fingerprint.
        let database = database.filter(|_| seen.upgraded.is_some());
        let app = database.and_then(|database| Application::of_start(database, &seen.fingerprint));
        Self { seen, app }
    }
}

impl HttpServer {
    /// A response that was not judged.
    pub(crate) const fn new(seen: HttpResponse) -> Self {
        Self { seen, app: None, assessment: None }
    }

    /// Adds what a database makes of it.
    #[inline]
    pub(crate) fn judge(&mut self, matcher: &mut HttpMatcher) {
        if let Some(head) = self.seen.http1() {
            let judgment = matcher.judge_response(&head);
            self.app = judgment.found.as_ref().map(Application::of);
            self.assessment = Some(judgment.assessment);
        } else if let Some(head) = self.seen.http2() {
            self.assessment = Some(matcher.database().judge_http2_response(head).assessment);
        }
    }

    /// What is unusual, in fixed words: those of [`Assessment::flags`], and `intermediary` if somebody between it and this
    /// place has left a trace.
    pub fn flags(&self) -> impl Iterator<Item = &'static str> + use<> {
        let of_head = self.assessment.into_iter().flat_map(|assessment| assessment.flags());
        let is_forwarded = self.seen.intermediaries().next().is_some();
        of_head.chain(is_forwarded.then_some("intermediary"))
    }
}
