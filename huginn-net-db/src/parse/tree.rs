//! A signature file that keeps every byte.

use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use huginn_net_http::AkamaiFingerprint;

use super::diagnostic::{BYTE_ORDER_MARK, Diagnostic, DiagnosticCode};
use super::reader;
use crate::{
    Client, FamilySignature, HttpSignature, Label, LayoutFamily, ListedSystem, SystemRef, TcpSignature,
    TlsSignature,
};

/// A signature file, line by line, with comments and blanks.
///
/// Displays as the text it was parsed from, byte for byte.
///
/// ```
/// use huginn_net_db::SignatureFile;
///
/// let text = "classes = unix\n\n[tcp:request]\n; a comment\nlabel=s:unix:Linux:\nsig=*:54+10:0:*:mss*4,6:mss,?4:id+,df:0\n";
/// let (file, diagnostics) = SignatureFile::parse(text, "my.fp");
/// assert!(!diagnostics.iter().any(|diagnostic| diagnostic.is_error()));
/// assert_eq!(file.to_string(), text);
/// assert!(file.canonical().ends_with("sig   = *:64:0:*:mss*4,6:mss,sok:df,id+:0\n"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignatureFile {
    lines: Vec<Line>,
}

impl SignatureFile {
    /// Parses a file; `name` is what the findings call it.
    ///
    /// A line with an error is kept as [`LineContent::Invalid`], and the rest goes on. The findings come in the
    /// order of the lines, at most 10,000 errors and as many warnings. Not among them is what needs all records of a
    /// file: that too many are alike, which [`Database::parse`](crate::Database::parse) says, and W110, which the command
    /// does.
    #[must_use]
    pub fn parse(text: &str, name: &str) -> (Self, Vec<Diagnostic>) {
        let (lines, diagnostics) = reader::read(text, name);
        (Self { lines }, diagnostics)
    }

    /// The lines in order; the first is line 1.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Findings about what stands behind `=` in some lines, which come in order with what is to be said.
    pub(crate) fn findings_of_values(
        &self,
        code: DiagnosticCode,
        messages: impl Iterator<Item = (u32, String)>,
        name: &str,
    ) -> Vec<Diagnostic> {
        let file: Arc<str> = name.into();
        let mut messages = messages.peekable();
        let mut findings = Vec::new();
        let mut line_start = 0;
        for (number, line) in (1..).zip(&self.lines) {
            let Some((_, message)) = messages.next_if(|(line, _)| *line == number) else {
                if messages.peek().is_none() {
                    break;
                }
                line_start += line.raw.len();
                continue;
            };
            let value = line.value();
            findings.push(Diagnostic {
                code,
                file: file.clone(),
                line: number,
                column: u32::try_from(value.start + 1).unwrap_or(u32::MAX),
                span: line_start + value.start..line_start + value.end,
                message,
                help: None,
            });
            line_start += line.raw.len();
        }
        findings
    }

    /// The file in one way of writing: fields aligned, TTLs as one number, quirks in order, options by name, no
    /// stray bytes, every line ended. Comments stay; lines with errors stay just as they are.
    ///
    /// Parsing it again gives the same records, but for the number of the line they are on.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            match &line.content {
                LineContent::Blank => {}
                LineContent::Comment => text.push_str(line.comment()),
                LineContent::Invalid => text.push_str(line.raw.trim_end_matches('\n')),
                LineContent::Statement(statement) => text.push_str(&statement.to_string()),
            }
            text.push('\n');
        }
        text
    }
}

impl fmt::Display for SignatureFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| f.write_str(&line.raw))
    }
}

/// One line of a signature file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    raw: Box<str>,
    content: LineContent,
}

impl Line {
    pub(crate) fn new(raw: &str, content: LineContent) -> Self {
        Self { raw: raw.into(), content }
    }

    /// The line as it was read, with its end.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// What it means.
    #[must_use]
    pub fn content(&self) -> &LineContent {
        &self.content
    }

    /// Where in the line the text behind `=` is, without the blanks around it.
    fn value(&self) -> Range<usize> {
        let start = self.raw.find('=').map_or(0, |at| at + 1);
        let value = self.raw.get(start..).unwrap_or_default();
        let end = start + value.trim_ascii_end().len();
        end - value.trim_ascii().len()..end
    }

    fn comment(&self) -> &str {
        let text = self.raw.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.raw);
        text.trim_matches([' ', '\t', '\r', '\n'])
    }
}

/// The first line of a text, with its end, and what stands below.
pub(super) fn first_line(text: &str) -> (&str, &str) {
    text.split_at(memchr::memchr(b'\n', text.as_bytes()).map_or(text.len(), |at| at + 1))
}

/// What a line means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineContent {
    /// Nothing but blanks.
    Blank,
    /// A line that starts with `;`.
    Comment,
    /// A line that says something; in a box, as most lines of a hostile file say nothing.
    Statement(Box<Statement>),
    /// A line with an error, or one of a section that is not known.
    Invalid,
}

/// A line that says something; displays in canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Statement {
    /// `classes = …`: names classes.
    Classes(Vec<String>),
    /// `[…]`: starts a section.
    Section(Section),
    /// `ua_os = …`: names systems that user agents speak of.
    ListedSystems(Vec<ListedSystem>),
    /// `label = …` of a system or a program.
    Label(Arc<Label>),
    /// `label = …` of a client.
    Client(Arc<Client>),
    /// `label = …` of a link.
    Link(Arc<str>),
    /// `sys = …`: where the tool of the label runs.
    Systems(Arc<[SystemRef]>),
    /// `evidence = …`: where the signatures below come from.
    Evidence(Arc<str>),
    /// `sig = …` of a link: an MTU in bytes.
    Mtu(u32),
    /// `family = …`: the layouts of a stack that answers.
    Family(Arc<LayoutFamily>),
    /// `sig = …` of a TCP section.
    Tcp(TcpSignature),
    /// `sig = …` of a TCP section, with a family for its options.
    TcpFamily(FamilySignature),
    /// `sig = …` of an HTTP section.
    Http(Box<HttpSignature>),
    /// `sig = …` of a section of TLS clients.
    Tls(Box<TlsSignature>),
    /// `sig = …` of a section of HTTP/2 clients.
    Http2(Box<AkamaiFingerprint>),
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Classes(classes) => write!(f, "classes = {}", classes.join(",")),
            Self::Section(section) => write!(f, "[{}]", section.name()),
            Self::ListedSystems(systems) => {
                f.write_str("ua_os = ")?;
                join(f, systems)
            }
            Self::Label(label) => {
                let (specificity, class) = (label.specificity.letter(), label.class.name());
                write!(f, "label = {specificity}:{class}:{}:{}", label.name, label.flavor)
            }
            Self::Client(client) => {
                write!(f, "label = {}:{}:{}", client.kind.name(), client.name, client.version)
            }
            Self::Link(link) => write!(f, "label = {link}"),
            Self::Systems(systems) => {
                f.write_str("sys   = ")?;
                join(f, systems)
            }
            Self::Evidence(evidence) => write!(f, "evidence = {evidence}"),
            Self::Mtu(mtu) => write!(f, "sig   = {mtu}"),
            Self::Family(family) => write!(f, "family = {family}"),
            Self::Tcp(signature) => write!(f, "sig   = {signature}"),
            Self::TcpFamily(signature) => write!(f, "sig   = {signature}"),
            Self::Http(signature) => write!(f, "sig   = {signature}"),
            Self::Tls(signature) => write!(f, "sig   = {signature}"),
            Self::Http2(signature) => write!(f, "sig   = {}", signature.akamai()),
        }
    }
}

fn join<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(f, "{comma}{item}")?;
    }
    Ok(())
}

/// A section of a signature file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Section {
    /// `[mtu]`.
    Mtu,
    /// `[x-mtu]`: MTUs that `[mtu]` has no room for, too.
    ExtendedMtu,
    /// `[tcp:request]`: SYN.
    TcpRequest,
    /// `[tcp:response]`: SYN+ACK.
    TcpResponse,
    /// `[http:request]`.
    HttpRequest,
    /// `[http:response]`.
    HttpResponse,
    /// `[x-tcp:request]`: SYN, with the extensions of this project.
    ExtendedTcpRequest,
    /// `[x-tcp:response]`: SYN+ACK, with the extensions of this project.
    ExtendedTcpResponse,
    /// `[x-http:request]`, with the extensions of this project.
    ExtendedHttpRequest,
    /// `[x-http:response]`, with the extensions of this project.
    ExtendedHttpResponse,
    /// `[x-tls:client]`: ClientHello, an extension of this project.
    TlsClient,
    /// `[x-http2:client]`: start of HTTP/2, an extension of this project.
    Http2Client,
}

impl Section {
    /// All sections.
    pub const ALL: &'static [Self] = &[
        Self::Mtu,
        Self::ExtendedMtu,
        Self::TcpRequest,
        Self::TcpResponse,
        Self::HttpRequest,
        Self::HttpResponse,
        Self::ExtendedTcpRequest,
        Self::ExtendedTcpResponse,
        Self::ExtendedHttpRequest,
        Self::ExtendedHttpResponse,
        Self::TlsClient,
        Self::Http2Client,
    ];

    /// The name between the brackets.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mtu => "mtu",
            Self::ExtendedMtu => "x-mtu",
            Self::TcpRequest => "tcp:request",
            Self::TcpResponse => "tcp:response",
            Self::HttpRequest => "http:request",
            Self::HttpResponse => "http:response",
            Self::ExtendedTcpRequest => "x-tcp:request",
            Self::ExtendedTcpResponse => "x-tcp:response",
            Self::ExtendedHttpRequest => "x-http:request",
            Self::ExtendedHttpResponse => "x-http:response",
            Self::TlsClient => "x-tls:client",
            Self::Http2Client => "x-http2:client",
        }
    }

    /// The section of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|section| section.name() == name)
    }

    /// Whether it has the extensions of this project to TCP signatures.
    #[must_use]
    pub const fn is_extended_tcp(self) -> bool {
        matches!(self, Self::ExtendedTcpRequest | Self::ExtendedTcpResponse)
    }

    /// Whether its labels name clients, all of which send what the signatures below say.
    #[must_use]
    pub const fn names_clients(self) -> bool {
        matches!(self, Self::TlsClient | Self::Http2Client)
    }

    /// Whether it has `evidence` lines.
    #[must_use]
    pub const fn has_evidence(self) -> bool {
        self.is_extended_tcp() || self.is_extended_http() || self.names_clients()
    }

    /// Whether its signatures are MTUs.
    #[must_use]
    pub const fn is_mtu(self) -> bool {
        matches!(self, Self::Mtu | Self::ExtendedMtu)
    }

    /// Whether it has the extensions of this project to HTTP signatures.
    #[must_use]
    pub const fn is_extended_http(self) -> bool {
        matches!(self, Self::ExtendedHttpRequest | Self::ExtendedHttpResponse)
    }
}
