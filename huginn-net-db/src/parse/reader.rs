//! What may follow what in a signature file.

use core::ops::Range;
use std::sync::Arc;

use super::diagnostic::DiagnosticCode as Code;
use super::diagnostic::{BYTE_ORDER_MARK, Diagnostic, Problem, Severity, visible};
use super::field::Field;
use super::names::{Mention, Naming};
use super::problems::{Problems, Scrutiny};
use super::signatures::{Signatures, without_trailing_blanks};
use super::statements::{self, Classes};
use super::tree::{Line, LineContent, Section, Statement, first_line};
use super::{names, signatures};
use crate::{Specificity, SystemRef};

/// Longest statement in bytes; an HTTP signature with 64 headers stays far below.
pub(crate) const MAX_STATEMENT: usize = 8_192;
/// Lines of one file; every one takes memory, however short it is.
pub(crate) const MAX_LINES: usize = 1_000_000;
/// Errors that are kept of one file, and as many warnings.
pub(crate) const MAX_FINDINGS: usize = 10_000;
/// Clients of one signature, each of which is looked at for each of its fingerprints.
const MAX_CLIENTS: usize = 64;

/// Reads a file; the findings are in the order of their places.
pub(crate) fn read(text: &str, name: &str) -> (Vec<Line>, Vec<Diagnostic>) {
    let mut reader = FileReader::new(name, Scrutiny::Full);
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if lines.len() == MAX_LINES {
            lines.push(reader.on_rest(rest));
            break;
        }
        let (raw, after) = first_line(rest);
        let content = reader.on_line(raw).map(|statement| LineContent::Statement(Box::new(statement)));
        lines.push(Line::new(raw, content.unwrap_or_else(|other| other)));
        rest = after;
    }
    (lines, reader.finish())
}

/// Gives the statements of a file of which it is known that it has no findings, each with the number of its line.
pub(crate) fn read_known(mut text: &str, name: &str, mut take: impl FnMut(u32, Statement)) {
    let mut reader = FileReader::new(name, Scrutiny::Grammar);
    while !text.is_empty() {
        let (line, rest) = first_line(text);
        text = rest;
        if let Ok(statement) = reader.on_line(line) {
            take(reader.line, statement);
        }
    }
}

struct FileReader {
    scrutiny: Scrutiny,
    file: Arc<str>,
    /// Number of the line that is being read, and where it starts in the file.
    line: u32,
    line_start: usize,
    scope: Scope,
    /// Labels of clients that stand one below the other.
    clients: usize,
    awaiting: Awaiting,
    /// The label whose signatures come, until one of them has been seen.
    unused_label: Option<Place>,
    specificity: Specificity,
    /// Whether evidence was given since the last label.
    has_evidence: bool,
    first_carriage_return: Option<Place>,
    carriage_returns: u32,
    classes: Classes,
    signatures: Signatures,
    mentions: Vec<Mention>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

/// Where in the sections a line is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Before the first section.
    Start,
    In(Section),
    /// In a section of no known name, where nothing is looked at.
    Unknown,
}

/// What a section needs next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaiting {
    Label,
    /// `sys`, after the label of a tool.
    Systems,
    Signature,
    /// After a label that has an error: whatever may follow a label.
    Anything,
}

/// A place that is kept for later.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    line: u32,
    column: u32,
    span: Range<usize>,
}

impl FileReader {
    fn new(name: &str, scrutiny: Scrutiny) -> Self {
        Self {
            scrutiny,
            file: name.into(),
            line: 0,
            line_start: 0,
            scope: Scope::Start,
            clients: 0,
            awaiting: Awaiting::Label,
            unused_label: None,
            specificity: Specificity::Specific,
            has_evidence: false,
            first_carriage_return: None,
            carriage_returns: 0,
            classes: Classes::default(),
            signatures: Signatures::new(scrutiny),
            mentions: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// What a line says, or what it is if it says nothing.
    fn on_line(&mut self, raw: &str) -> Result<Statement, LineContent> {
        self.line = self.line.saturating_add(1);
        let mut problems = Problems::of(self.scrutiny);
        let content = self.content(raw, &mut problems);
        let content = if problems.has_error() { Err(LineContent::Invalid) } else { content };
        for problem in problems.drain() {
            let place = self.place(problem.range);
            self.report(place, problem.code, &problem.message, problem.help.as_deref());
        }
        self.line_start += raw.len();
        content
    }

    /// What is left when there are too many lines, kept as one of them.
    fn on_rest(&mut self, rest: &str) -> Line {
        self.line = self.line.saturating_add(1);
        let place = self.place(0..0);
        self.report(place, Code::OutOfRange, &format!("more than {MAX_LINES} lines"), None);
        Line::new(rest, LineContent::Invalid)
    }

    fn content(&mut self, raw: &str, problems: &mut Problems) -> Result<Statement, LineContent> {
        let mut text = Field::new(raw.strip_suffix('\n').unwrap_or(raw), 0);
        if self.line == 1
            && let Some(rest) = text.text.strip_prefix(BYTE_ORDER_MARK)
        {
            problems.push(
                Problem::new(
                    Code::StrayBytes,
                    0..BYTE_ORDER_MARK.len_utf8(),
                    "the file starts with a byte order mark",
                )
                .help("save the file as UTF-8 without one"),
            );
            text = Field::new(rest, BYTE_ORDER_MARK.len_utf8());
        }
        if let Some(line) = text.text.strip_suffix('\r') {
            text = Field::new(line, text.at);
            self.carriage_returns = self.carriage_returns.saturating_add(1);
            if self.first_carriage_return.is_none() {
                self.first_carriage_return = Some(self.place(text.end()..text.end() + 1));
            }
        }
        let text = text.trim_start();
        if text.is_empty() {
            return Err(LineContent::Blank);
        }
        if text.text.starts_with(';') {
            return Err(LineContent::Comment);
        }
        if text.text.len() > MAX_STATEMENT {
            problems
                .push(text.problem(Code::OutOfRange, format!("more than {MAX_STATEMENT} bytes in one line")));
            return Err(LineContent::Invalid);
        }
        self.statement(text, problems).ok_or(LineContent::Invalid)
    }

    fn statement(&mut self, text: Field<'_>, problems: &mut Problems) -> Option<Statement> {
        if text.text.starts_with('[') {
            return self.on_section(without_trailing_blanks(text, problems), problems);
        }
        if self.scope == Scope::Unknown {
            return None;
        }
        let (keyword, rest) = text.take_while(|c| c.is_ascii_alphanumeric() || c == b'_' || c == b'-');
        if !["classes", "label", "sys", "sig", "ua_os", "evidence", "family"].contains(&keyword.text) {
            let place = if keyword.is_empty() { text } else { keyword };
            problems.push(place.syntax("this is neither a section nor a known field").help(
                "fields are classes, ua_os, family, label, sys, evidence and sig; comments start with ;",
            ));
            return None;
        }
        let Some(value) = rest.trim_start().strip_prefix("=").map(Field::trim_start) else {
            let place = rest.trim_start().at;
            problems.push(Problem::new(
                Code::Syntax,
                place..place,
                format!("`{}` is followed by =", keyword.text),
            ));
            return None;
        };
        if keyword.text == "sig" {
            return self.on_signature(keyword, value, problems);
        }
        let value = without_trailing_blanks(value, problems);
        match keyword.text {
            "classes" => self.on_classes(keyword, value, problems),
            "label" => self.on_label(keyword, value, problems),
            "sys" => self.on_systems(keyword, value, problems),
            "ua_os" => self.on_user_agent_systems(keyword, value, problems),
            "family" => self.on_family(keyword, value, problems),
            _ => self.on_evidence(keyword, value, problems),
        }
    }

    fn on_section(&mut self, text: Field<'_>, problems: &mut Problems) -> Option<Statement> {
        self.close_label();
        self.awaiting = Awaiting::Label;
        let name = text.text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let section = name.and_then(Section::from_name);
        self.scope = section.map_or(Scope::Unknown, Scope::In);
        if section.is_none() {
            let known: Vec<_> = Section::ALL.iter().map(|section| format!("[{}]", section.name())).collect();
            problems.push(
                text.problem(Code::UnknownSection, "no section is called like this")
                    .help(format!("sections are {}", known.join(", "))),
            );
        }
        section.map(Statement::Section)
    }

    fn on_classes(
        &mut self,
        keyword: Field<'_>,
        value: Field<'_>,
        problems: &mut Problems,
    ) -> Option<Statement> {
        if self.scope != Scope::Start {
            problems.push(keyword.problem(Code::Misplaced, "`classes` must stand before the first section"));
        }
        let classes = statements::classes(value, problems);
        for class in &classes {
            self.classes.register(class);
        }
        Some(Statement::Classes(classes.into_iter().map(str::to_owned).collect()))
    }

    fn on_user_agent_systems(
        &mut self,
        keyword: Field<'_>,
        value: Field<'_>,
        problems: &mut Problems,
    ) -> Option<Statement> {
        let requests = [Section::HttpRequest, Section::ExtendedHttpRequest].map(Scope::In);
        if !requests.contains(&self.scope) || self.awaiting != Awaiting::Label {
            let message = "`ua_os` must stand in [http:request], before the first label";
            problems.push(keyword.problem(Code::Misplaced, message));
        }
        let systems = problems.keep(statements::user_agent_systems(value))?;
        for (_, name) in &systems {
            self.mention(*name, Naming::UserAgent);
        }
        Some(Statement::ListedSystems(systems.into_iter().map(|(system, _)| system).collect()))
    }

    fn on_family(
        &mut self,
        keyword: Field<'_>,
        value: Field<'_>,
        problems: &mut Problems,
    ) -> Option<Statement> {
        if self.scope != Scope::In(Section::ExtendedTcpResponse) || self.awaiting != Awaiting::Label {
            let message = "`family` must stand in [x-tcp:response], before the first label";
            problems.push(keyword.problem(Code::Misplaced, message));
        }
        self.signatures.families.parse(value, problems).map(Statement::Family)
    }

    fn on_label(
        &mut self,
        keyword: Field<'_>,
        value: Field<'_>,
        problems: &mut Problems,
    ) -> Option<Statement> {
        if self.awaiting == Awaiting::Systems {
            self.unused_label = None;
            problems.push(
                keyword
                    .problem(Code::MissingSystems, "the tool of the label above has no `sys` line")
                    .help(SYS_HELP),
            );
        }
        // Labels of clients may stand one below the other, and the signatures below them are of all of them.
        let goes_on = matches!(self.scope, Scope::In(section) if section.names_clients())
            && self.unused_label.is_some();
        if goes_on {
            self.clients += 1;
        } else {
            self.clients = 1;
            self.close_label();
        }
        self.awaiting = Awaiting::Anything;
        self.specificity = Specificity::Specific;
        self.has_evidence = false;
        let section = self.section(keyword, problems)?;
        if section.names_clients() {
            if self.clients > MAX_CLIENTS {
                let message = format!("more than {MAX_CLIENTS} clients above one signature");
                problems.push(keyword.problem(Code::OutOfRange, message));
                return None;
            }
            let (client, name) = statements::client(value, problems)?;
            self.mention(name, Naming::Label);
            self.awaiting = Awaiting::Signature;
            let place = self.place(keyword.at..value.end());
            self.unused_label.get_or_insert(place);
            return Some(Statement::Client(client.into()));
        }
        if section.is_mtu() {
            if value.is_empty() {
                problems.push(value.syntax("the name of the link is missing"));
                return None;
            }
            self.awaiting = Awaiting::Signature;
            self.unused_label = Some(self.place(keyword.at..value.end()));
            return Some(Statement::Link(value.text.into()));
        }
        let (label, name) = statements::label(value, &self.classes, problems)?;
        self.mention(name, Naming::Label);
        self.awaiting = if label.is_tool() { Awaiting::Systems } else { Awaiting::Signature };
        self.specificity = label.specificity;
        self.unused_label = Some(self.place(keyword.at..value.end()));
        Some(Statement::Label(label.into()))
    }

    fn on_systems(
        &mut self,
        keyword: Field<'_>,
        value: Field<'_>,
        problems: &mut Problems,
    ) -> Option<Statement> {
        match self.awaiting {
            Awaiting::Systems => self.awaiting = Awaiting::Signature,
            Awaiting::Anything => {}
            Awaiting::Label | Awaiting::Signature => {
                let message = "`sys` must stand once, right below the label of a tool";
                problems.push(keyword.problem(Code::Misplaced, message));
            }
        }
        let systems = statements::systems(value, &self.classes, problems);
        for (system, place) in &systems {
            if matches!(system, SystemRef::Name(_)) {
                self.mention(*place, Naming::Systems);
            }
        }
        Some(Statement::Systems(systems.into_iter().map(|(system, _)| system).collect()))
    }

    fn on_evidence(
        &mut self,
        keyword: Field<'_>,
        value: Field<'_>,
        problems: &mut Problems,
    ) -> Option<Statement> {
        let extended = matches!(self.scope, Scope::In(section) if section.has_evidence());
        let of_client = matches!(self.scope, Scope::In(section) if section.names_clients());
        if !extended || self.awaiting == Awaiting::Label {
            let message = "`evidence` must stand below a label of a section [x-tcp:…], [x-http:…], [x-tls:client] or [x-http2:client]";
            problems.push(keyword.problem(Code::Misplaced, message));
        } else if of_client && self.awaiting == Awaiting::Signature && self.unused_label.is_none() {
            let message = "`evidence` of a client must stand between its label and the signatures";
            problems.push(keyword.problem(Code::Misplaced, message));
        }
        if value.is_empty() {
            problems.push(value.syntax("the evidence is missing"));
        }
        self.has_evidence = true;
        Some(Statement::Evidence(value.text.into()))
    }

    fn on_signature(
        &mut self,
        keyword: Field<'_>,
        value: Field<'_>,
        problems: &mut Problems,
    ) -> Option<Statement> {
        self.unused_label = None;
        let section = self.section(keyword, problems)?;
        match self.awaiting {
            Awaiting::Signature | Awaiting::Anything => {}
            Awaiting::Label => {
                self.awaiting = Awaiting::Anything;
                problems.push(keyword.problem(Code::Misplaced, "`sig` must stand below a label"));
            }
            Awaiting::Systems => {
                self.awaiting = Awaiting::Anything;
                problems.push(
                    keyword
                        .problem(Code::MissingSystems, "the label of a tool is followed by a `sys` line")
                        .help(SYS_HELP),
                );
            }
        }
        let (specificity, has_evidence, line) = (self.specificity, self.has_evidence, self.line);
        let at = signatures::Position { section, specificity, has_evidence, line };
        self.signatures.parse(value, at, problems)
    }

    /// The section of a line that needs one.
    fn section(&self, keyword: Field<'_>, problems: &mut Problems) -> Option<Section> {
        match self.scope {
            Scope::In(section) => Some(section),
            Scope::Start => {
                let message = format!("`{}` must stand in a section", keyword.text);
                problems.push(
                    keyword.problem(Code::Misplaced, message).help("start one, for example [tcp:request]"),
                );
                None
            }
            Scope::Unknown => None,
        }
    }

    fn close_label(&mut self) {
        if let Some(place) = self.unused_label.take() {
            self.report(place, Code::EmptyLabel, "this label has no signature", None);
        }
    }

    fn mention(&mut self, name: Field<'_>, naming: Naming) {
        if self.scrutiny != Scrutiny::Full {
            return;
        }
        let place = self.place(name.range());
        self.mentions.push(Mention { name: name.text.to_owned(), naming, place });
    }

    fn place(&self, range: Range<usize>) -> Place {
        Place {
            line: self.line,
            column: u32::try_from(range.start + 1).unwrap_or(u32::MAX),
            span: self.line_start + range.start..self.line_start + range.end,
        }
    }

    fn report(&mut self, place: Place, code: Code, message: &str, help: Option<&str>) {
        let findings = match code.severity() {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if findings.len() < MAX_FINDINGS {
            let Place { line, column, span } = place;
            let (file, message) = (self.file.clone(), visible(message));
            let help = help.map(visible);
            findings.push(Diagnostic { code, file, line, column, span, message, help });
        }
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        self.close_label();
        if let Some(place) = self.first_carriage_return.take() {
            let message = match self.carriage_returns {
                1 => "this line ends with a carriage return".to_owned(),
                lines => format!("{lines} lines end with a carriage return, this one first"),
            };
            let help = "save the file with LF as the end of lines";
            self.report(place, Code::StrayBytes, &message, Some(help));
        }
        for (place, code, message) in names::lint(&std::mem::take(&mut self.mentions)) {
            self.report(place, code, &message, None);
        }
        let mut findings = self.errors;
        findings.append(&mut self.warnings);
        findings.sort_by_key(|finding| (finding.line, finding.column));
        findings
    }
}

impl Place {
    pub(crate) const fn line(&self) -> u32 {
        self.line
    }
}

const SYS_HELP: &str = "write for example sys = Linux,@win";
