//! Signatures that can never win because others stand above them.
//!
//! Everything here takes time in proportion to the number of signatures, whatever is in them. A TCP signature looks up
//! each way in which signatures above it leave fields open: a handful in files that people write, and never more than
//! the 5 views of the IP version × 9 offers × 6 sets of facts × 8 choices of MSS, scale and payload × 66 windows that there are,
//! each with at most one entry per TTL behind it. An HTTP signature is compared with at most [`MAX_CANDIDATES`](http::MAX_CANDIDATES) others.

mod http;
mod tcp;

use std::collections::HashMap;

use huginn_net_http::AkamaiFingerprint;

use self::http::HttpCoverage;
pub(crate) use self::http::covers_http;
use self::tcp::{Subject, TcpCoverage};
use super::diagnostic::DiagnosticCode as Code;
use super::signatures::Position;
use super::tree::Section;
use crate::tcp::Negotiated;
use crate::{HttpSignature, TcpSignature, TlsSignature};

/// Why a signature never wins, and because of which line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// It is equal in every field.
    Duplicate { line: u32 },
    /// It is equal in every field, which p0f 3.09b does not see.
    UnseenDuplicate { line: u32 },
    /// A specific signature matches the same packets.
    Shadowed { line: u32 },
    /// A specific signature with a higher TTL matches the same packets, unless they came from very far.
    ShadowedNearby { line: u32 },
    /// As `Shadowed`, both generic.
    Unreachable { line: u32 },
    /// As `ShadowedNearby`, both generic.
    UnreachableNearby { line: u32 },
}

impl Finding {
    /// Code and message for the signature of line `this`.
    pub(crate) fn explain(self, this: u32) -> (Code, String) {
        let never = |why| format!("line {this} never wins: {why}");
        let from_far = |why| format!("line {this} wins only for packets that came from very far: {why}");
        match self {
            Self::Duplicate { line } => {
                (Code::Duplicate, format!("this is the signature of line {line} again"))
            }
            Self::UnseenDuplicate { line } => {
                (Code::Shadowed, never(format!("it is the signature of line {line} again")))
            }
            Self::Shadowed { line } => {
                (Code::Shadowed, never(format!("line {line} already matches all of it")))
            }
            Self::ShadowedNearby { line } => {
                (Code::Shadowed, from_far(format!("line {line} already matches the others")))
            }
            Self::Unreachable { line } => {
                (Code::Unreachable, never(format!("line {line}, generic too, already matches all of it")))
            }
            Self::UnreachableNearby { line } => {
                (Code::Unreachable, from_far(format!("line {line}, generic too, already matches the others")))
            }
        }
    }
}

/// The signatures seen so far.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    links: HashMap<u32, u32>,
    tls: HashMap<TlsSignature, u32>,
    /// By the text.
    http2: HashMap<String, u32>,
    tcp_request: TcpCoverage,
    tcp_response: TcpCoverage,
    http_request: HttpCoverage,
    http_response: HttpCoverage,
}

impl Coverage {
    /// What stands above this MTU; then remembers it.
    pub(crate) fn on_mtu(&mut self, mtu: u32, line: u32) -> Option<Finding> {
        let first = *self.links.entry(mtu).or_insert(line);
        (first != line).then_some(Finding::Shadowed { line: first })
    }

    /// The line above that has this signature; then remembers it.
    pub(crate) fn on_tls(&mut self, signature: &TlsSignature, line: u32) -> Option<Finding> {
        let first = *self.tls.entry(signature.clone()).or_insert(line);
        (first != line).then_some(Finding::Duplicate { line: first })
    }

    /// The line above that has this signature; then remembers it.
    pub(crate) fn on_http2(&mut self, signature: &AkamaiFingerprint, line: u32) -> Option<Finding> {
        let first = *self.http2.entry(signature.akamai().to_string()).or_insert(line);
        (first != line).then_some(Finding::Duplicate { line: first })
    }

    /// What stands above this signature; then remembers it.
    ///
    /// `missed` is what a member of a family does not answer, as in [`OfferRule`](crate::tcp::OfferRule).
    pub(crate) fn on_tcp(
        &mut self,
        signature: &TcpSignature,
        missed: Option<Negotiated>,
        at: Position,
    ) -> Option<Finding> {
        let coverage = match at.section {
            Section::TcpResponse | Section::ExtendedTcpResponse => &mut self.tcp_response,
            _ => &mut self.tcp_request,
        };
        let subject = Subject { signature: *signature, missed };
        let finding = coverage.find(at.specificity, &subject, at.section.is_extended_tcp());
        coverage.add(at.specificity, &subject, at.line);
        finding
    }

    /// What stands above this signature; then remembers it.
    pub(crate) fn on_http(&mut self, signature: &HttpSignature, at: Position) -> Option<Finding> {
        let coverage = match at.section {
            Section::HttpResponse | Section::ExtendedHttpResponse => &mut self.http_response,
            _ => &mut self.http_request,
        };
        let finding = coverage.find(at.specificity, signature);
        coverage.add(at.specificity, signature, at.line);
        finding
    }
}
