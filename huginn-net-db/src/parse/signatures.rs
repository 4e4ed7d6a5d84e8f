//! `sig` lines of all sections.

use huginn_net_tls::Ja4ListHashes;

use super::coverage::{Coverage, Finding};
use super::diagnostic::DiagnosticCode as Code;
use super::diagnostic::Problem;
use super::family::Families;
use super::field::{BLANKS, Field};
use super::problems::{Problems, Scrutiny};
use super::tree::{Section, Statement};
use super::{http, http2, tcp, tls};
use crate::tcp::OfferRule;
use crate::{FamilySignature, Specificity};

/// Signatures that the families of one file may stand for; a line of a few bytes can stand for 32.
const MAX_MEMBERS: usize = 50_000;

/// Reads signatures and remembers them for what stands below.
#[derive(Debug)]
pub(crate) struct Signatures {
    pub(crate) families: Families,
    /// Signatures that families have stood for so far.
    members: usize,
    hashes: Ja4ListHashes,
    /// `None` for files of which it is known that no signature covers another.
    coverage: Option<Coverage>,
}

/// Where a `sig` line stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) section: Section,
    /// Of the label above.
    pub(crate) specificity: Specificity,
    /// Whether an `evidence` line stands between the label and it.
    pub(crate) has_evidence: bool,
    /// Number of the line.
    pub(crate) line: u32,
}

impl Signatures {
    pub(crate) fn new(scrutiny: Scrutiny) -> Self {
        let coverage = (scrutiny == Scrutiny::Full).then(Coverage::default);
        Self { families: Families::default(), members: 0, hashes: Ja4ListHashes::default(), coverage }
    }

    pub(crate) fn parse(
        &mut self,
        value: Field<'_>,
        at: Position,
        problems: &mut Problems,
    ) -> Option<Statement> {
        match at.section {
            Section::Mtu | Section::ExtendedMtu => {
                let value = without_trailing_blanks(value, problems);
                let mtu = problems.keep(mtu(value, at.section))?;
                problems.check_canonical(value, &mtu);
                self.check(value, at, problems, |coverage| coverage.on_mtu(mtu, at.line));
                Some(Statement::Mtu(mtu))
            }
            Section::HttpRequest
            | Section::HttpResponse
            | Section::ExtendedHttpRequest
            | Section::ExtendedHttpResponse => {
                let value = with_software_blanks(value, problems);
                let signature = Box::new(http::parse(value, at, problems)?);
                self.check(value, at, problems, |coverage| coverage.on_http(&signature, at));
                Some(Statement::Http(signature))
            }
            Section::TlsClient => {
                let value = without_trailing_blanks(value, problems);
                let signature = Box::new(tls::parse(value, &mut self.hashes, problems)?);
                self.check(value, at, problems, |coverage| coverage.on_tls(&signature, at.line));
                Some(Statement::Tls(signature))
            }
            Section::Http2Client => {
                let value = without_trailing_blanks(value, problems);
                let signature = Box::new(http2::parse(value, problems)?);
                self.check(value, at, problems, |coverage| coverage.on_http2(&signature, at.line));
                Some(Statement::Http2(signature))
            }
            Section::TcpRequest
            | Section::TcpResponse
            | Section::ExtendedTcpRequest
            | Section::ExtendedTcpResponse => {
                let value = without_trailing_blanks(value, problems);
                match tcp::parse(value, at, &self.families, problems)? {
                    tcp::Parsed::One(signature) => {
                        self.check(value, at, problems, |coverage| coverage.on_tcp(&signature, None, at));
                        Some(Statement::Tcp(signature))
                    }
                    tcp::Parsed::Family(signature) => self.on_family(value, signature, at, problems),
                }
            }
        }
    }

    /// Takes all that the signature stands for; what is found is said of the layout in question.
    fn on_family(
        &mut self,
        value: Field<'_>,
        signature: FamilySignature,
        at: Position,
        problems: &mut Problems,
    ) -> Option<Statement> {
        for member in signature.members() {
            if self.members == MAX_MEMBERS {
                let message =
                    format!("the families of this file stand for more than {MAX_MEMBERS} signatures");
                problems.push(value.problem(Code::OutOfRange, message));
                return None;
            }
            self.members += 1;
            let Some(coverage) = &mut self.coverage else { continue };
            let missed = OfferRule::of(signature.family(), &member.layout).missed;
            if let Some(finding) = coverage.on_tcp(&member, Some(missed), at) {
                let (code, message) = finding.explain(at.line);
                problems
                    .push(value.problem(code, format!("with the options `{}`, {message}", member.layout)));
            }
        }
        Some(Statement::TcpFamily(signature))
    }

    /// Notes what stands above a signature that keeps it from winning.
    fn check(
        &mut self,
        value: Field<'_>,
        at: Position,
        problems: &mut Problems,
        look: impl FnOnce(&mut Coverage) -> Option<Finding>,
    ) {
        let Some(finding) = self.coverage.as_mut().and_then(look) else { return };
        let (code, message) = finding.explain(at.line);
        problems.push(value.problem(code, message));
    }
}

/// An MTU is seen as an MSS, of at most 65,535 bytes, and at most 60 bytes of headers.
fn mtu(value: Field<'_>, section: Section) -> Result<u32, Problem> {
    const MAX_EXTENDED: u64 = 65_535 + 60;
    let end = if section == Section::Mtu { 65_536 } else { MAX_EXTENDED + 1 };
    value.number("an MTU", 1..end).map_err(|problem| {
        if problem.code == Code::OutOfRange && value.number::<u32>("an MTU", 1..MAX_EXTENDED + 1).is_ok() {
            problem.help("larger ones can be written in a section [x-mtu]")
        } else {
            problem
        }
    })
}

pub(crate) fn without_trailing_blanks<'a>(text: Field<'a>, problems: &mut Problems) -> Field<'a> {
    let trimmed = Field::new(text.text.trim_end_matches(BLANKS), text.at);
    if trimmed.end() < text.end() {
        problems.push(Problem::new(
            Code::StrayBytes,
            trimmed.end()..text.end(),
            "blanks at the end of the line",
        ));
    }
    trimmed
}

/// An HTTP signature may end with blanks that are part of the software, unless nothing else is.
fn with_software_blanks<'a>(text: Field<'a>, problems: &mut Problems) -> Field<'a> {
    let trimmed = Field::new(text.text.trim_end_matches(BLANKS), text.at);
    if trimmed.end() == text.end() {
        return text;
    }
    let range = trimmed.end()..text.end();
    if trimmed.text.ends_with(':') {
        problems.push(Problem::new(Code::StrayBytes, range, "blanks at the end of the line"));
        return trimmed;
    }
    problems.push(Problem::new(
        Code::StrayBytes,
        range,
        "blanks at the end of the line belong to the software",
    ));
    text
}
