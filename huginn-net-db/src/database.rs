//! A set of signatures, ready for matching.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::corpus;
use crate::http::HttpIndex;
use crate::mtu::MtuIndex;
use crate::parse::{
    Diagnostic, DiagnosticCode, Line, LineContent, MAX_FINDINGS, Section, SignatureFile, Statement,
    read_known, utf8,
};
use crate::tcp::TcpIndex;
use crate::tls::{Http2Index, TlsIndex};
use crate::{
    Attribution, Client, Http2Record, HttpRecord, Label, MtuRecord, SystemRef, TcpRecord, TlsRecord,
    UserAgentSystem,
};

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
    pub(crate) syn: Vec<TcpRecord>,
    pub(crate) syn_ack: Vec<TcpRecord>,
    pub(crate) mtu: Vec<MtuRecord>,
    pub(crate) syn_index: TcpIndex,
    pub(crate) syn_ack_index: TcpIndex,
    pub(crate) mtu_index: MtuIndex,
    pub(crate) tls_clients: Vec<TlsRecord>,
    pub(crate) http2_clients: Vec<Http2Record>,
    pub(crate) tls_index: TlsIndex,
    pub(crate) http2_index: Http2Index,
    pub(crate) http_requests: Vec<HttpRecord>,
    pub(crate) http_responses: Vec<HttpRecord>,
    pub(crate) http_request_index: HttpIndex,
    pub(crate) http_response_index: HttpIndex,
    user_agent_systems: Vec<UserAgentSystem>,
    warnings: Vec<Diagnostic>,
}

/// Files of this project, first the one that wins.
const BUNDLED: [(&str, &str); 4] = [
    ("tcp.fp", include_str!("../data/tcp.fp")),
    ("mtu.fp", include_str!("../data/mtu.fp")),
    ("http.fp", include_str!("../data/http.fp")),
    ("clients.fp", include_str!("../data/clients.fp")),
];

/// Longest file in bytes; some 500,000 signatures.
const MAX_FILE_LEN: u64 = 64 << 20;

impl Database {
    /// Parses a signature file in the format of p0f 3, with the extensions that `docs/signatures.md` describes.
    ///
    /// `name` is what records and findings call the file. With an error anywhere there is no database, and the error
    /// has all findings of the file; without one the findings are at [`Database::warnings`].
    pub fn parse(text: &str, name: &str) -> Result<Self, DatabaseError> {
        let (file, diagnostics) = SignatureFile::parse(text, name);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(DatabaseError::Invalid { diagnostics });
        }
        let mut database = Self::of_file(&file, name);
        let mut warnings = diagnostics;
        let room = MAX_FINDINGS.saturating_sub(warnings.len());
        let strangers = corpus::lint(&database).into_iter().take(room);
        warnings.extend(file.warn_of_values(DiagnosticCode::Indistinct, strangers, name));
        warnings.sort_by_key(|warning| (warning.line, warning.column));
        database.warnings = warnings;
        Ok(database)
    }

    /// As [`Database::parse`]; bytes that are not UTF-8 are errors with their place.
    pub fn parse_bytes(bytes: &[u8], name: &str) -> Result<Self, DatabaseError> {
        match core::str::from_utf8(bytes) {
            Ok(text) => Self::parse(text, name),
            Err(_) => Err(DatabaseError::Invalid { diagnostics: utf8::diagnose(bytes, name) }),
        }
    }

    /// Reads and parses a signature file of at most 64 MiB.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DatabaseError> {
        let path = path.as_ref();
        Self::parse_bytes(&Self::read(path)?, &path.to_string_lossy())
    }

    /// The bytes of a signature file of at most 64 MiB, for callers that show findings in its text.
    pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, DatabaseError> {
        let path = path.as_ref();
        let failed = |source| DatabaseError::Read { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_FILE_LEN + 1).read_to_end(&mut bytes))
            .map_err(failed)?;
        if u64::try_from(bytes.len()).is_ok_and(|len| len > MAX_FILE_LEN) {
            return Err(failed(io::Error::new(io::ErrorKind::FileTooLarge, "longer than 64 MiB")));
        }
        Ok(bytes)
    }

    /// The signatures that this crate brings along, parsed when they are first asked for.
    pub fn bundled() -> &'static Arc<Self> {
        static BUNDLED_DATABASE: LazyLock<Arc<Database>> = LazyLock::new(|| {
            let mut database = Database::default();
            for (name, text) in BUNDLED {
                let mut records = Records::of(database, name);
                // A test sees to it that these files have no findings.
                read_known(text, name, |line, statement| records.add(line, statement));
                database = records.database;
            }
            database.index();
            Arc::new(database)
        });
        &BUNDLED_DATABASE
    }

    /// Adds the records of `other` behind the ones that are there, which come first where both fit equally well.
    pub fn append(&mut self, other: &Self) {
        self.syn.extend_from_slice(&other.syn);
        self.syn_ack.extend_from_slice(&other.syn_ack);
        self.mtu.extend_from_slice(&other.mtu);
        self.http_requests.extend_from_slice(&other.http_requests);
        self.http_responses.extend_from_slice(&other.http_responses);
        self.user_agent_systems.extend_from_slice(&other.user_agent_systems);
        self.tls_clients.extend_from_slice(&other.tls_clients);
        self.http2_clients.extend_from_slice(&other.http2_clients);
        self.warnings.extend_from_slice(&other.warnings);
        self.index();
    }

    /// Signatures of SYNs, in file order.
    pub fn tcp_requests(&self) -> &[TcpRecord] {
        &self.syn
    }

    /// Signatures of SYN+ACKs, in file order.
    pub fn tcp_responses(&self) -> &[TcpRecord] {
        &self.syn_ack
    }

    /// Links by their MTU, in file order.
    pub fn mtus(&self) -> &[MtuRecord] {
        &self.mtu
    }

    /// Signatures of HTTP requests, in file order.
    pub fn http_requests(&self) -> &[HttpRecord] {
        &self.http_requests
    }

    /// Signatures of HTTP responses, in file order.
    pub fn http_responses(&self) -> &[HttpRecord] {
        &self.http_responses
    }

    /// Systems that user agents name, in file order.
    pub fn user_agent_systems(&self) -> &[UserAgentSystem] {
        &self.user_agent_systems
    }

    /// Clients by their hellos, in file order.
    pub fn tls_clients(&self) -> &[TlsRecord] {
        &self.tls_clients
    }

    /// Clients by how they start HTTP/2, in file order.
    pub fn http2_clients(&self) -> &[Http2Record] {
        &self.http2_clients
    }

    /// What is doubtful in the files, in their order.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The records of a file without errors.
    fn of_file(file: &SignatureFile, name: &str) -> Self {
        let mut records = Records::of(Self::default(), name);
        for (line, content) in (1..).zip(file.lines().iter().map(Line::content)) {
            if let LineContent::Statement(statement) = content {
                records.add(line, Statement::clone(statement));
            }
        }
        let mut database = records.database;
        database.index();
        database
    }

    /// To be called after every change of records.
    fn index(&mut self) {
        self.syn_index = TcpIndex::build(&self.syn);
        self.syn_ack_index = TcpIndex::build(&self.syn_ack);
        self.mtu_index = MtuIndex::build(&self.mtu);
        self.tls_index = TlsIndex::build(&self.tls_clients);
        self.http2_index =
            Http2Index::build(&self.http2_clients, |record| Some(record.signature.akamai_n().hash()));
        self.http_request_index = HttpIndex::build(&self.http_requests);
        self.http_response_index = HttpIndex::build(&self.http_responses);
    }
}

/// Adds the records of a file, statement by statement.
struct Records {
    database: Database,
    source: Arc<str>,
    section: Option<Section>,
    label: Option<Arc<Label>>,
    link: Arc<str>,
    systems: Arc<[SystemRef]>,
    provenance: Arc<str>,
    clients: Clients,
}

impl Records {
    /// Nothing yet of a file of this name, behind the records of `database`.
    fn of(database: Database, name: &str) -> Self {
        Self {
            database,
            source: name.into(),
            section: None,
            label: None,
            link: Arc::default(),
            systems: Arc::default(),
            provenance: Arc::default(),
            clients: Clients::default(),
        }
    }

    fn add(&mut self, line: u32, statement: Statement) {
        let source = Arc::clone(&self.source);
        let database = &mut self.database;
        match statement {
            Statement::Classes(_) | Statement::Family(_) => {}
            Statement::UserAgentSystems(systems) => database.user_agent_systems.extend(systems),
            Statement::Section(started) => {
                self.section = Some(started);
                self.clients = Clients::default();
            }
            Statement::Label(started) => {
                self.label = Some(started);
                self.systems = Arc::default();
                self.provenance = Arc::default();
            }
            Statement::Link(started) => self.link = started,
            Statement::Systems(listed) => self.systems = listed,
            Statement::Client(client) => self.clients.add(client),
            Statement::Evidence(evidence) => {
                self.clients.explain(&evidence);
                self.provenance = evidence;
            }
            Statement::Mtu(mtu) => {
                database.mtu.push(MtuRecord { mtu, link: Arc::clone(&self.link), source, line });
            }
            Statement::Tcp(signature) => {
                let Some(label) = self.label.clone() else { return };
                let (systems, provenance) = (self.systems.clone(), self.provenance.clone());
                let records = match self.section {
                    Some(Section::TcpResponse | Section::ExtendedTcpResponse) => &mut database.syn_ack,
                    _ => &mut database.syn,
                };
                let family = None;
                records.push(TcpRecord { signature, label, systems, provenance, source, line, family });
            }
            Statement::TcpFamily(signature) => {
                let Some(label) = &self.label else { return };
                let record = |member| TcpRecord {
                    signature: member,
                    label: Arc::clone(label),
                    systems: self.systems.clone(),
                    provenance: self.provenance.clone(),
                    source: Arc::clone(&source),
                    line,
                    family: Some(Arc::clone(signature.family())),
                };
                database.syn_ack.extend(signature.members().map(record));
            }
            Statement::Http(signature) => {
                let Some(label) = self.label.clone() else { return };
                let (systems, provenance) = (self.systems.clone(), self.provenance.clone());
                let records = match self.section {
                    Some(Section::HttpResponse | Section::ExtendedHttpResponse) => {
                        &mut database.http_responses
                    }
                    _ => &mut database.http_requests,
                };
                let signature = *signature;
                records.push(HttpRecord { signature, label, systems, provenance, source, line });
            }
            Statement::Tls(signature) => {
                let (signature, clients) = (*signature, self.clients.all());
                database.tls_clients.push(TlsRecord { signature, clients, source, line });
            }
            Statement::Http2(signature) => {
                let (signature, clients) = (*signature, self.clients.all());
                database.http2_clients.push(Http2Record { signature, clients, source, line });
            }
        }
    }
}

/// The clients of labels that stand one below the other, for the signatures below them.
#[derive(Default)]
struct Clients {
    named: Vec<Attribution>,
    /// Once there has been a signature.
    all: Option<Arc<[Attribution]>>,
}

impl Clients {
    fn add(&mut self, client: Arc<Client>) {
        if self.all.take().is_some() {
            self.named.clear();
        }
        self.named.push(Attribution::new(client));
    }

    fn explain(&mut self, evidence: &Arc<str>) {
        if let Some(last) = self.named.last_mut() {
            last.provenance = Arc::clone(evidence);
        }
    }

    fn all(&mut self) -> Arc<[Attribution]> {
        let named = &self.named;
        Arc::clone(self.all.get_or_insert_with(|| named.as_slice().into()))
    }
}

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
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
        for (name, text) in BUNDLED {
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
        for (name, text) in BUNDLED {
            files.append(&Database::parse(text, name).unwrap());
        }
        let bundled = Database::bundled();
        assert!(!files.syn.is_empty() && !files.mtu.is_empty());
        assert_eq!((&bundled.syn, &bundled.syn_ack), (&files.syn, &files.syn_ack));
        assert_eq!((&bundled.mtu, &bundled.tls_clients), (&files.mtu, &files.tls_clients));
        assert_eq!(bundled.http2_clients, files.http2_clients);
        assert_eq!(bundled.http_requests, files.http_requests);
        assert_eq!(bundled.http_responses, files.http_responses);
        assert_eq!(bundled.user_agent_systems, files.user_agent_systems);
    }
}
