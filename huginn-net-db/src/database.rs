//! A set of signatures, ready for matching.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::alike;
use crate::contents::{Clients, Contents, Http, Links, Part, Records, Tcp};
use crate::corpus;
use crate::parse::{
    Diagnostic, DiagnosticCode, Line, LineContent, MAX_FINDINGS, SignatureFile, Statement, read_known, utf8,
};
use crate::{Http2Record, HttpRecord, ListedSystem, MtuRecord, TcpRecord, TlsRecord};

/// Signatures of one or several files.
///
/// ```
/// use huginn_net_db::Database;
///
/// let text = "[mtu]\nlabel = Ethernet\nsig   = 1500\n";
/// let mut database = Database::parse(text, "links.fp")?;
/// database.append(Database::bundled());
/// assert_eq!(database.link_of(1500).map(|record| &*record.link), Some("Ethernet"));
/// # Ok::<(), huginn_net_db::DatabaseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Database {
    pub(crate) tcp: Part<Tcp>,
    pub(crate) links: Part<Links>,
    pub(crate) http: Part<Http>,
    pub(crate) clients: Part<Clients>,
    warnings: Vec<Diagnostic>,
}

/// A file of this project: its name and what is in it.
type Bundled = (&'static str, &'static str);

const TCP: Bundled = ("tcp.fp", include_str!("../data/tcp.fp"));
const LINKS: Bundled = ("mtu.fp", include_str!("../data/mtu.fp"));
const HTTP: Bundled = ("http.fp", include_str!("../data/http.fp"));
const CLIENTS: Bundled = ("clients.fp", include_str!("../data/clients.fp"));

impl Database {
    /// Bytes of the longest file: some 300,000 signatures of TCP, of which the bundled files have less than a thousand.
    pub const MAX_FILE_LEN: u64 = 16 << 20;

    /// Parses a signature file in the format of p0f 3, with the extensions that `docs/signatures.md` describes.
    ///
    /// `name` is what records and findings call the file. With an error anywhere there is no database, and the error
    /// has all findings of the file; without one the findings are at [`Database::warnings`], but for W110, which the
    /// command looks for.
    ///
    /// # Errors
    /// [`DatabaseError::Invalid`] with all findings, if one of them is an error.
    pub fn parse(text: &str, name: &str) -> Result<Self, DatabaseError> {
        Self::read(text, name).map(|(database, _)| database)
    }

    /// As [`Database::parse`].
    ///
    /// # Errors
    /// Those of [`Database::parse`]; bytes that are not UTF-8 are errors with their place.
    pub fn parse_bytes(bytes: &[u8], name: &str) -> Result<Self, DatabaseError> {
        Self::parse(text_of(bytes, name)?, name)
    }

    /// As [`Database::parse_bytes`], with the warnings W110. For the command: it may change with any release.
    #[doc(hidden)]
    pub fn check_bytes(bytes: &[u8], name: &str) -> Result<Self, DatabaseError> {
        let (mut database, file) = Self::read(text_of(bytes, name)?, name)?;
        let room = MAX_FINDINGS.saturating_sub(database.warnings.len());
        let strangers = corpus::lint(&database).into_iter().take(room);
        database.warnings.extend(file.findings_of_values(DiagnosticCode::Indistinct, strangers, name));
        database.warnings.sort_by_key(|warning| (warning.line, warning.column));
        Ok(database)
    }

    fn read(text: &str, name: &str) -> Result<(Self, SignatureFile), DatabaseError> {
        let (file, mut diagnostics) = SignatureFile::parse(text, name);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(DatabaseError::Invalid { diagnostics });
        }
        let mut database = Self::of_file(&file, name);
        let beyond = alike::lines_beyond_limit(&database);
        if !beyond.is_empty() {
            diagnostics.extend(file.findings_of_values(DiagnosticCode::OutOfRange, beyond.into_iter(), name));
            diagnostics.sort_by_key(|finding| (finding.line, finding.column));
            return Err(DatabaseError::Invalid { diagnostics });
        }
        database.warnings = diagnostics;
        Ok((database, file))
    }

    /// Reads and parses a signature file of at most 16 MiB ([`Database::MAX_FILE_LEN`]).
    ///
    /// # Errors
    /// Those of [`Database::read_bytes`] and [`Database::parse_bytes`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DatabaseError> {
        let path = path.as_ref();
        Self::parse_bytes(&Self::read_bytes(path)?, &path.to_string_lossy())
    }

    /// The bytes of a signature file of at most 16 MiB, for callers that show findings in its text.
    ///
    /// # Errors
    /// [`DatabaseError::Read`] with the path, if the file cannot be read or is longer.
    pub fn read_bytes(path: impl AsRef<Path>) -> Result<Vec<u8>, DatabaseError> {
        let path = path.as_ref();
        let failed = |source| DatabaseError::Read { path: path.to_owned(), source };
        Self::read_from(File::open(path).map_err(failed)?, path)
    }

    /// As [`Database::read_bytes`], of what is open already and called `path`. For the command: it may change with any release.
    #[doc(hidden)]
    pub fn read_from(file: impl Read, path: &Path) -> Result<Vec<u8>, DatabaseError> {
        let mut bytes = Vec::new();
        let read = file.take(Self::MAX_FILE_LEN + 1).read_to_end(&mut bytes);
        let read = read.and_then(|_| match bytes.len() as u64 {
            0..=Self::MAX_FILE_LEN => Ok(bytes),
            _ => Err(io::Error::new(io::ErrorKind::FileTooLarge, "longer than 16 MiB")),
        });
        read.map_err(|source| DatabaseError::Read { path: path.to_owned(), source })
    }

    /// The signatures that this crate brings along. Those of TCP, of links, of HTTP and of clients are each parsed when
    /// one of them is first looked for.
    #[must_use]
    pub fn bundled() -> &'static Arc<Self> {
        static BUNDLED_DATABASE: LazyLock<Arc<Database>> = LazyLock::new(|| {
            Arc::new(Database {
                tcp: Part::later(|| known(TCP).tcp),
                links: Part::later(|| known(LINKS).links),
                http: Part::later(|| known(HTTP).http),
                clients: Part::later(|| known(CLIENTS).clients),
                warnings: Vec::new(),
            })
        });
        &BUNDLED_DATABASE
    }

    /// Reads and arranges at once all that is otherwise read and arranged when something is first looked for: for a live
    /// capture, whose first packets would wait.
    pub fn prepare(&self) {
        self.tcp.syn.complete();
        self.tcp.syn_ack.complete();
        self.links.complete();
        self.http.requests.complete();
        self.http.responses.complete();
        self.clients.tls.complete();
        self.clients.http2.complete();
    }

    /// Adds the records of `other` behind the ones that are there, which come first where both fit equally well.
    pub fn append(&mut self, other: &Self) {
        self.tcp.change(|tcp| tcp.append(&other.tcp));
        self.links.change(|links| links.append(&other.links));
        self.http.change(|http| http.append(&other.http));
        self.clients.change(|clients| clients.append(&other.clients));
        self.warnings.extend_from_slice(&other.warnings);
    }

    /// Signatures of SYNs, in file order.
    pub fn tcp_requests(&self) -> &[TcpRecord] {
        &self.tcp.syn
    }

    /// Signatures of SYN+ACKs, in file order.
    pub fn tcp_responses(&self) -> &[TcpRecord] {
        &self.tcp.syn_ack
    }

    /// Links by their MTU, in file order.
    pub fn mtus(&self) -> &[MtuRecord] {
        &self.links
    }

    /// Signatures of HTTP requests, in file order.
    pub fn http_requests(&self) -> &[HttpRecord] {
        &self.http.requests
    }

    /// Signatures of HTTP responses, in file order.
    pub fn http_responses(&self) -> &[HttpRecord] {
        &self.http.responses
    }

    /// Systems that user agents name, in file order.
    pub fn user_agent_systems(&self) -> &[ListedSystem] {
        &self.http.user_agent_systems
    }

    /// Clients by their hellos, in file order.
    pub fn tls_clients(&self) -> &[TlsRecord] {
        &self.clients.tls
    }

    /// Clients by how they start HTTP/2, in file order.
    pub fn http2_clients(&self) -> &[Http2Record] {
        &self.clients.http2
    }

    /// What is doubtful in the files, in their order.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The records of a file without errors.
    fn of_file(file: &SignatureFile, name: &str) -> Self {
        let mut records = Records::of(name);
        for (line, content) in (1..).zip(file.lines().iter().map(Line::content)) {
            if let LineContent::Statement(statement) = content {
                records.add(line, Statement::clone(statement));
            }
        }
        let Contents { tcp, links, http, clients } = records.contents();
        Self {
            tcp: tcp.into(),
            links: links.into(),
            http: http.into(),
            clients: clients.into(),
            warnings: Vec::new(),
        }
    }
}

fn text_of<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, DatabaseError> {
    let invalid = |_| DatabaseError::Invalid { diagnostics: utf8::diagnose(bytes, name) };
    core::str::from_utf8(bytes).map_err(invalid)
}

/// The records of a bundled file. A test sees to it that these files have no findings, and only records of their kind.
fn known((name, text): Bundled) -> Contents {
    let mut records = Records::of(name);
    read_known(text, name, |line, statement| records.add(line, statement));
    records.contents()
}

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The file cannot be read; its source says why.
    #[error("{}: cannot be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file has errors. Displays as the first of them and the number of the others.
    #[error("{}", first_error(diagnostics))]
    Invalid {
        /// All findings of the file, in the order of their places, warnings too.
        diagnostics: Vec<Diagnostic>,
    },
}

impl DatabaseError {
    /// The findings of the file; none if it cannot be read.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Read { .. } => &[],
            Self::Invalid { diagnostics } => diagnostics,
        }
    }
}

fn first_error(diagnostics: &[Diagnostic]) -> String {
    let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let first = errors.next().map(ToString::to_string).unwrap_or_default();
    match errors.count() {
        0 => first,
        1 => format!("{first} (and 1 more error)"),
        more => format!("{first} (and {more} more errors)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemRef;

    const TOOLS: &str = "\
classes = unix,win
[x-tcp:request]
label = s:!:Scanner:1
sys = Linux,@UNIX
evidence = M: one
sig = *:64:0:*:1,2:mss:df:0
sig = *:64:0:*:2,2:mss:df:0
evidence = N: other
sig = *:64:0:*:3,2:mss:df:0
[tcp:response]
label = g:Unix:Linux:
sig = *:64:0:*:4,2:mss:df:0
";

    #[test]
    fn records_know_their_label_systems_evidence_and_line() {
        let database = Database::parse(TOOLS, "tools.fp").unwrap();
        let syn = database.tcp_requests();
        let told: Vec<_> =
            syn.iter().map(|record| (&*record.provenance, &*record.source, record.line)).collect();
        assert_eq!(told, [("M: one", "tools.fp", 6), ("M: one", "tools.fp", 7), ("N: other", "tools.fp", 9)]);
        assert_eq!(*syn[2].systems, [SystemRef::Name("Linux".into()), SystemRef::Class("unix".into())]);
        assert_eq!(syn[2].label.to_string(), "Scanner 1");

        let [syn_ack] = database.tcp_responses() else { panic!("{:?}", database.tcp_responses()) };
        assert_eq!((syn_ack.line, &*syn_ack.provenance, syn_ack.systems.len()), (12, "", 0));
        assert_eq!(syn_ack.label.class.name(), "unix");
    }

    #[test]
    fn records_of_the_first_file_come_first() {
        let link =
            |name: &str| Database::parse(&format!("[mtu]\nlabel = {name}\nsig = 1500\n"), name).unwrap();
        let mut database = link("own");
        database.append(&link("bundled"));
        let links: Vec<_> = database.mtus().iter().map(|record| &*record.source).collect();
        assert_eq!(links, ["own", "bundled"]);
        assert_eq!(database.link_of(1500).map(|record| &*record.link), Some("own"));
    }

    #[test]
    fn appended_records_can_be_found() {
        let mut database = Database::default();
        database.append(&Database::parse("[mtu]\nlabel = x\nsig = 1500\n", "").unwrap());
        assert!(database.link_of(1500).is_some());
    }

    /// They are read without looking for any.
    #[test]
    fn the_bundled_files_have_no_findings() {
        for (name, text) in [TCP, LINKS, HTTP, CLIENTS] {
            let (_, findings) = SignatureFile::parse(text, name);
            assert!(
                findings.is_empty(),
                "{}",
                findings.iter().map(|found| found.render(text) + "\n").collect::<String>()
            );
            assert_eq!(Database::parse(text, name).unwrap().warnings(), []);
        }
    }

    #[test]
    fn the_bundled_database_is_what_its_files_say() {
        let mut files = Database::default();
        for (name, text) in [TCP, LINKS, HTTP, CLIENTS] {
            files.append(&Database::parse(text, name).unwrap());
        }
        let bundled = Database::bundled();
        assert!(!files.tcp.syn.is_empty() && !files.links.is_empty());
        assert_eq!(bundled.tcp_requests(), files.tcp_requests());
        assert_eq!(bundled.tcp_responses(), files.tcp_responses());
        assert_eq!(bundled.mtus(), files.mtus());
        assert_eq!(bundled.tls_clients(), files.tls_clients());
        assert_eq!(bundled.http2_clients(), files.http2_clients());
        assert_eq!(bundled.http_requests(), files.http_requests());
        assert_eq!(bundled.http_responses(), files.http_responses());
        assert_eq!(bundled.user_agent_systems(), files.user_agent_systems());
    }
}
