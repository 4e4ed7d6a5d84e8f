//! Signatures as a file for p0f.

mod coverage;
mod windows;

use core::cmp::Reverse;
use core::fmt::{self, Write as _};
use std::collections::BTreeMap;
use std::sync::Arc;

use self::coverage::P0fCoverage;
use self::windows::Windows;
use crate::parse::coverage::covers_http;
use crate::tcp::Direction;
use crate::{
    Class, Database, HttpRecord, HttpScore, HttpSignature, Label, Section, SignatureTtl, Specificity,
    Statement, SystemRef, TcpRecord, TcpSignature,
};

/// Signatures that are looked at for a file, whether they are written or covered by others; a third of what fits into a
/// file that is read. What is remembered of them and the time they take grow with their number.
const MAX_SIGNATURES: usize = 300_000;
/// Signatures of HTTP of one direction; each is compared with all that are above it.
const MAX_HTTP: usize = 2_000;

/// A file that p0f 3.09b loads, see [`Database::to_p0f`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct P0fExport {
    /// The file.
    pub text: String,
    /// Signatures in it.
    pub signatures: usize,
    /// What it does not have, and how often; never 0.
    pub left_out: BTreeMap<LeftOut, usize>,
}

/// Why a signature is not in a file for p0f; displays as what was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LeftOut {
    /// p0f does not look at TLS.
    TlsClient,
    /// p0f does not look at HTTP/2.
    Http2Client,
    /// An MTU over 65,535.
    LargeMtu,
    /// A `fill` window of which no link in the list makes a window that a packet can have.
    NoWindow,
    /// A random TTL together with IP options, whose length p0f reads wrongly then.
    RandomTtlWithOptions,
    /// A TCP signature that asks for facts.
    TcpFacts,
    /// An HTTP signature that asks for quirks.
    HttpQuirks,
    /// A specific signature above matches all of it, for which p0f would refuse the file. It compares no IP versions, so
    /// that signatures that differ in that alone are the same to it.
    Covered,
    /// A signature, with all that a `fill` window comes to, behind the first 300,000 for p0f, covered ones included, or
    /// behind the first 2,000 of HTTP requests or of responses.
    TooMany,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TlsClient => "clients by their TLS, which p0f does not look at ([x-tls:client])",
            Self::Http2Client => "clients by their HTTP/2, which p0f does not look at ([x-http2:client])",
            Self::LargeMtu => "MTUs over 65535 ([x-mtu])",
            Self::NoWindow => "fill windows that come to nothing on the links of the list",
            Self::RandomTtlWithOptions => "random TTLs with IP options, whose length p0f reads wrongly",
            Self::TcpFacts => "TCP signatures that ask for facts, of which p0f knows none",
            Self::HttpQuirks => "HTTP signatures that ask for quirks, of which p0f knows none",
            Self::Covered => "that p0f would refuse, as one above matches the same",
            Self::TooMany => "beyond the limits",
        })
    }
}

impl Database {
    /// The signatures as a file in the grammar of p0f 3.09b, which takes it as it is.
    ///
    /// Families become a signature for each layout, and a `fill` window one for each count of segments that the links of
    /// this database have it come to; those of [`Database::bundled`] if it has none. Evidence becomes comments, and what p0f
    /// cannot say is left out. Signatures of HTTP are sorted, what tells most first, as p0f takes the first that matches.
    ///
    /// ```
    /// use huginn_net_db::Database;
    ///
    /// let text = "classes = unix\n[mtu]\nlabel = Ethernet\nsig = 1500\n[x-tcp:request]\nlabel = s:unix:Linux:6.x\n\
    ///             sig = 4:64:0:*:fill65536,7:mss,sok,ts,nop,ws:df,id+:0\n";
    /// let export = Database::parse(text, "my.fp")?.to_p0f();
    /// assert!(export.text.ends_with("\nsig   = 4:64:0:*:mss*44,7:mss,sok,ts,nop,ws:df,id+:0\n"));
    /// # Ok::<(), huginn_net_db::DatabaseError>(())
    /// ```
    pub fn to_p0f(&self) -> P0fExport {
        let mut writer = Writer::default();
        writer.classes(self);
        writer.links(self);
        let links = if self.mtus().is_empty() { Self::bundled().mtus() } else { self.mtus() };
        let mut windows = Windows::of(links);
        writer.tcp(Section::TcpRequest, &self.tcp.syn, Direction::Syn, &mut windows);
        writer.tcp(Section::TcpResponse, &self.tcp.syn_ack, Direction::SynAck, &mut windows);
        writer.http(Section::HttpRequest, self.http_requests(), self);
        writer.http(Section::HttpResponse, self.http_responses(), self);
        writer.leave_out(LeftOut::TlsClient, self.clients.tls.len());
        writer.leave_out(LeftOut::Http2Client, self.clients.http2.len());
        writer.export
    }
}

#[derive(Default)]
struct Writer<'a> {
    export: P0fExport,
    /// Signatures that were looked at.
    seen: usize,
    /// What the signatures below come from.
    label: Option<&'a Arc<Label>>,
    provenance: Option<&'a Arc<str>>,
}

impl<'a> Writer<'a> {
    fn leave_out(&mut self, why: LeftOut, count: usize) {
        if count > 0 {
            *self.export.left_out.entry(why).or_default() += count;
        }
    }

    fn line(&mut self, line: impl fmt::Display) {
        // A string takes everything.
        let _ = writeln!(self.export.text, "{line}");
    }

    const fn is_full(&self) -> bool {
        self.seen >= MAX_SIGNATURES
    }

    fn signature(&mut self, signature: impl fmt::Display) {
        self.export.signatures += 1;
        self.line(format_args!("sig   = {signature}"));
    }

    fn section(&mut self, section: Section) {
        self.line("");
        self.line(Statement::Section(section));
        self.label = None;
        self.provenance = None;
    }

    /// Every class of a label or a `sys` line once.
    fn classes(&mut self, database: &'a Database) {
        // Lower case and as it is written: case does not tell classes apart.
        let mut classes = BTreeMap::new();
        let mut add = |name: &'a str| {
            classes.entry(name.to_ascii_lowercase()).or_insert(name);
        };
        let of_tcp = database.tcp.syn.iter().chain(&*database.tcp.syn_ack);
        let of_tcp = of_tcp.map(|record| (&record.label, &record.systems));
        let of_http = database.http_requests().iter().chain(database.http_responses());
        let of_http = of_http.map(|record| (&record.label, &record.systems));
        for (label, systems) in of_tcp.chain(of_http) {
            if let Class::Os(name) = &label.class {
                add(name);
            }
            for system in systems.iter() {
                if let SystemRef::Class(name) = system {
                    add(name);
                }
            }
        }
        if !classes.is_empty() {
            let classes: Vec<_> = classes.into_values().collect();
            self.line(format_args!("classes = {}", classes.join(",")));
        }
    }

    fn links(&mut self, database: &Database) {
        if database.mtus().is_empty() {
            return;
        }
        self.section(Section::Mtu);
        let mut link: Option<&str> = None;
        for record in database.mtus() {
            if record.mtu > u32::from(u16::MAX) {
                self.leave_out(LeftOut::LargeMtu, 1);
                continue;
            }
            if self.is_full() {
                self.leave_out(LeftOut::TooMany, 1);
                continue;
            }
            self.seen += 1;
            if link != Some(&*record.link) {
                self.line("");
                self.line(Statement::Link(Arc::clone(&record.link)));
                link = Some(&record.link);
            }
            self.signature(record.mtu);
        }
    }

    /// Starts the label of a signature, unless that stands above.
    fn label(&mut self, label: &'a Arc<Label>, systems: &'a Arc<[SystemRef]>) {
        if self.label.is_some_and(|last| Arc::ptr_eq(last, label)) {
            return;
        }
        self.label = Some(label);
        self.provenance = None;
        self.line("");
        self.line(Statement::Label(Arc::clone(label)));
        if label.is_tool() {
            self.line(Statement::Systems(Arc::clone(systems)));
        }
    }

    fn provenance(&mut self, provenance: &'a Arc<str>) {
        if !self.provenance.is_some_and(|last| Arc::ptr_eq(last, provenance)) {
            self.provenance = Some(provenance);
            if !provenance.is_empty() {
                self.line(format_args!("; evidence = {provenance}"));
            }
        }
    }

    fn tcp(
        &mut self,
        section: Section,
        records: &'a [TcpRecord],
        direction: Direction,
        windows: &mut Windows,
    ) {
        if records.is_empty() {
            return;
        }
        self.section(section);
        let mut coverage = P0fCoverage::default();
        for record in records {
            let signature = &record.signature;
            if !signature.facts.is_empty() {
                self.leave_out(LeftOut::TcpFacts, 1);
                continue;
            }
            if matches!(signature.ttl, SignatureTtl::AtMost(_)) && signature.ip_options_len != 0 {
                self.leave_out(LeftOut::RandomTtlWithOptions, 1);
                continue;
            }
            if self.is_full() {
                self.leave_out(LeftOut::TooMany, 1);
                continue;
            }
            let expanded = windows.of_signature(signature, direction);
            if expanded.is_empty() {
                self.leave_out(LeftOut::NoWindow, 1);
            }
            let mut is_covered = !expanded.is_empty();
            for &(mss, window) in &*expanded {
                if self.is_full() {
                    is_covered = false;
                    self.leave_out(LeftOut::TooMany, 1);
                    break;
                }
                self.seen += 1;
                let expanded = TcpSignature { mss, window, ..*signature };
                if coverage.covers(&expanded) {
                    continue;
                }
                is_covered = false;
                coverage.add(&expanded, record.label.specificity);
                self.label(&record.label, &record.systems);
                self.provenance(&record.provenance);
                self.signature(expanded);
            }
            self.leave_out(LeftOut::Covered, usize::from(is_covered));
        }
    }

    fn http(&mut self, section: Section, records: &'a [HttpRecord], database: &'a Database) {
        let user_agents = database.user_agent_systems();
        let has_user_agents = section == Section::HttpRequest && !user_agents.is_empty();
        if records.is_empty() && !has_user_agents {
            return;
        }
        self.section(section);
        if has_user_agents {
            self.line(Statement::ListedSystems(user_agents.to_vec()));
        }
        // p0f takes the first that matches, so that what tells most has to come first.
        let mut records: Vec<_> = records.iter().collect();
        records.sort_by_key(|record| Reverse(HttpScore::of(&record.signature)));
        // As p0f holds a signature against others: with all of its headers.
        let mut specific: Vec<&HttpSignature> = Vec::new();
        for (position, HttpRecord { signature, label, systems, provenance, .. }) in
            records.into_iter().enumerate()
        {
            if position >= MAX_HTTP || self.is_full() {
                self.leave_out(LeftOut::TooMany, 1);
                continue;
            }
            self.seen += 1;
            if !signature.quirks.is_empty() {
                self.leave_out(LeftOut::HttpQuirks, 1);
                continue;
            }
            let mut as_head = signature.clone();
            as_head.headers.iter_mut().for_each(|header| header.optional = false);
            if specific.iter().any(|earlier| covers_http(earlier, &as_head)) {
                self.leave_out(LeftOut::Covered, 1);
                continue;
            }
            if label.specificity == Specificity::Specific {
                specific.push(signature);
            }
            self.label(label, systems);
            self.provenance(provenance);
            self.signature(signature);
        }
    }
}
