//! Who starts HTTP/2, and whether he is what he says.

use huginn_net_http::{AkamaiFingerprint, Http2Request, Http2Response, UserAgent, UserAgentSystem};

use super::claim::{self, Claim};
use super::facts::{Facts, Reasons};
use super::verdict::{Assessment, Channel, Verdict, VerdictReason};
use crate::{Client, ClientKind, ClientMatch, Database, Http2Record};

/// What is to be thought of a request or response over HTTP/2.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Http2Judgment<'a> {
    /// The clients that start so; none of a response, nor if the request has the name of another one that is known, or the start
    /// of Chromium or Firefox with neither the name of a browser nor the priority that these put in their HEADERS.
    pub found: Option<ClientMatch<'a, Http2Record>>,
    /// Whether the program is what it says.
    pub assessment: Assessment,
    /// The operating system that `user-agent` names; none of a response.
    pub system: Option<UserAgentSystem>,
}

impl Database {
    /// Who sends such requests over HTTP/2, and whether this one tells the truth. `opening` is what came up to the request
    /// if it is the first one of its connection; of later ones, nobody is found.
    ///
    /// In the clear nobody is called a liar for how he starts, nor for the order of his pseudo-headers: browsers have HTTP/2
    /// over TLS only, so that what names one there is what a proxy hands on.
    pub fn judge_http2_request(
        &self,
        request: &Http2Request,
        opening: Option<&AkamaiFingerprint>,
        channel: Channel,
    ) -> Http2Judgment<'_> {
        let software = request.user_agent().filter(|text| !text.is_empty());
        let text = software.unwrap_or_default();
        let seen = UserAgent::parse(text);
        let claim = software.map(|text| Claim::of_user_agent(&seen, text));
        let found = opening.and_then(|opening| self.match_akamai(opening));
        let known = found.as_ref().map(KnownClients::of);
        let facts =
            claim.filter(|claim| claim.is_browser).map(|_| Facts::of_http2(request, channel, text, seen));
        let may_contradict = facts.as_ref().is_some_and(|facts| {
            let is_webkit = claim.is_some_and(|claim| matches!(claim.family, b"Safari" | b"WebKitGTK"));
            let has_known_start = !is_webkit || facts.is_of_apple();
            channel == Channel::Tls && !facts.is_forwarded && has_known_start
        });
        let (verdict, reason) = match (claim, &known) {
            (None, _) => (Verdict::Unverifiable, VerdictReason::NoClaim),
            (_, None) => (Verdict::Unverifiable, VerdictReason::NoSignature),
            (Some(claim), Some(known)) if known.genuine().any(|client| claim.is_client(client)) => {
                (Verdict::Consistent, VerdictReason::ClaimMatches)
            }
            (_, Some(known)) if may_contradict && known.genuine().next().is_some() => {
                (Verdict::Contradiction, VerdictReason::OtherSoftware)
            }
            _ => (Verdict::Unverifiable, VerdictReason::NotCharacteristic),
        };
        let impossible = facts.as_ref().map(Facts::refuting).unwrap_or_default();
        let is_known_as_tool = known.is_some_and(|known| known.is_tool());
        let assessment = Assessment {
            is_headless: seen.is_headless || facts.as_ref().is_some_and(Facts::has_no_language),
            // Of what a proxy hands on, the start is its own.
            is_automation: facts.is_some_and(|facts| !facts.is_forwarded) && is_known_as_tool,
            ..Assessment::new((verdict, reason.into()), impossible, software)
        };
        let is_believed = known.is_none_or(|known| {
            let is_browser = claim.is_some_and(|claim| claim.is_browser);
            let has_priority = opening.is_some_and(|opening| opening.headers_priority().is_some());
            // A proxy has a start of its own, and the name of another.
            let is_forwarded = request.intermediaries().next().is_some();
            let is_other = claim.is_some_and(|claim| known.are_others_than(&claim)) && !is_forwarded;
            !is_other && (is_browser || has_priority || !known.any_sends_priority())
        });
        let found = found.filter(|_| is_believed);
        Http2Judgment { found, assessment, system: seen.system }
    }

    /// Whether a server tells the truth in a response over HTTP/2: nobody has measured what tells one from another there, so
    /// nothing refutes it.
    pub fn judge_http2_response(&self, response: &Http2Response) -> Http2Judgment<'_> {
        let software = response.server().filter(|text| !text.is_empty());
        let reason = if software.is_some() { VerdictReason::NoSignature } else { VerdictReason::NoClaim };
        let assessment =
            Assessment::new((Verdict::Unverifiable, reason.into()), Reasons::default(), software);
        Http2Judgment { found: None, assessment, system: None }
    }
}

/// All clients that start in one way.
#[derive(Clone, Copy)]
struct KnownClients<'a, 'm>(&'m ClientMatch<'a, Http2Record>);

impl<'a, 'm> KnownClients<'a, 'm> {
    const fn of(found: &'m ClientMatch<'a, Http2Record>) -> Self {
        Self(found)
    }

    /// Those that speak for themselves.
    fn genuine(&self) -> impl Iterator<Item = &'a Client> {
        let all = self.0.records().flat_map(|record| record.clients.iter().map(|known| &*known.client));
        all.filter(|client| client.kind == ClientKind::Genuine)
    }

    /// Whether there are some, and none is a browser.
    fn is_tool(&self) -> bool {
        self.genuine().next().is_some()
            && self.genuine().all(|client| claim::browser_of_client(&client.name).is_none())
    }

    /// Whether there are some that speak for themselves, and this one, which has a name, is none of them.
    fn are_others_than(&self, claim: &Claim<'_>) -> bool {
        self.genuine().next().is_some() && claim.is_none_of(self.genuine())
    }

    /// Whether there is a browser that gives the first request a priority in its HEADERS, in any version that was recorded.
    fn any_sends_priority(&self) -> bool {
        let of_browser = |client: &Client| claim::browser_of_client(&client.name);
        self.genuine().filter_map(of_browser).any(|browser| matches!(browser, "Chromium" | "Firefox"))
    }
}
