//! The records of a database, by what they are about.

use core::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::http::HttpIndex;
use crate::mtu::MtuIndex;
use crate::parse::{Section, Statement};
use crate::tcp::TcpIndex;
use crate::tls::{Http2Index, TlsIndex};
use crate::{
    Attribution, Client, FamilySignature, Http2Record, HttpRecord, HttpSignature, Label, ListedSystem,
    MtuRecord, SystemRef, TcpRecord, TcpSignature, TlsRecord,
};

/// A part of a database that is read when it is first asked for: few captures need all of them.
#[derive(Clone, Debug)]
pub(crate) struct Part<T> {
    content: OnceLock<T>,
    read: fn() -> T,
}

impl<T> Part<T> {
    /// What `read` will give.
    pub(crate) const fn later(read: fn() -> T) -> Self {
        Self { content: OnceLock::new(), read }
    }
}

impl<T: Default> Part<T> {
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut T)) {
        let mut content = self.content.take().unwrap_or_else(self.read);
        change(&mut content);
        *self = content.into();
    }
}

impl<T: Default> From<T> for Part<T> {
    fn from(content: T) -> Self {
        Self { content: content.into(), read: T::default }
    }
}

impl<T: Default> Default for Part<T> {
    fn default() -> Self {
        Self::later(T::default)
    }
}

impl<T> Deref for Part<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.content.get_or_init(self.read)
    }
}

/// What signature files are made of.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub(crate) tcp: Tcp,
    pub(crate) links: Links,
    pub(crate) http: Http,
    pub(crate) clients: Clients,
}

/// Records of one kind, with an index of them that is made when something is first looked up in it.
#[derive(Clone, Debug)]
pub(crate) struct Indexed<R, I> {
    records: Vec<R>,
    index: OnceLock<I>,
}

/// An index of records.
pub(crate) trait Index<R> {
    fn build(records: &[R]) -> Self;

    /// Puts together what of it is otherwise put together when it is first asked for.
    fn complete(&self, _records: &[R]) {}
}

impl<R, I: Index<R>> Indexed<R, I> {
    /// Where to find the records.
    #[inline]
    pub(crate) fn index(&self) -> &I {
        self.index.get_or_init(|| I::build(&self.records))
    }

    /// Makes all of the index.
    pub(crate) fn complete(&self) {
        self.index().complete(&self.records);
    }
}

impl<R: Clone, I> Indexed<R, I> {
    fn push(&mut self, record: R) {
        self.records.push(record);
        self.index.take();
    }

    pub(crate) fn append(&mut self, other: &Self) {
        self.records.extend_from_slice(&other.records);
        self.index.take();
    }
}

impl<R, I> Default for Indexed<R, I> {
    fn default() -> Self {
        Self { records: Vec::new(), index: OnceLock::new() }
    }
}

impl<R, I> Deref for Indexed<R, I> {
    type Target = [R];

    #[inline]
    fn deref(&self) -> &[R] {
        &self.records
    }
}

/// Signatures of SYNs and SYN+ACKs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tcp {
    pub(crate) syn: Indexed<TcpRecord, TcpIndex>,
    pub(crate) syn_ack: Indexed<TcpRecord, TcpIndex>,
}

impl Tcp {
    pub(crate) fn append(&mut self, other: &Self) {
        self.syn.append(&other.syn);
        self.syn_ack.append(&other.syn_ack);
    }
}

/// Links by their MTU.
pub(crate) type Links = Indexed<MtuRecord, MtuIndex>;

/// Signatures of heads of HTTP.
#[derive(Clone, Debug, Default)]
pub(crate) struct Http {
    pub(crate) requests: Indexed<HttpRecord, HttpIndex>,
    pub(crate) responses: Indexed<HttpRecord, HttpIndex>,
    pub(crate) user_agent_systems: Vec<ListedSystem>,
}

impl Http {
    pub(crate) fn append(&mut self, other: &Self) {
        self.requests.append(&other.requests);
        self.responses.append(&other.responses);
        self.user_agent_systems.extend_from_slice(&other.user_agent_systems);
    }
}

/// Clients by their hellos, and by how they start HTTP/2.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clients {
    pub(crate) tls: Indexed<TlsRecord, TlsIndex>,
    pub(crate) http2: Indexed<Http2Record, Http2Index>,
}

impl Clients {
    pub(crate) fn append(&mut self, other: &Self) {
        self.tls.append(&other.tls);
        self.http2.append(&other.http2);
    }
}

/// Adds the records of a file, statement by statement.
pub(crate) struct Records {
    contents: Contents,
    source: Arc<str>,
    section: Option<Section>,
    label: Option<Arc<Label>>,
    link: Arc<str>,
    systems: Arc<[SystemRef]>,
    provenance: Arc<str>,
    clients: NamedClients,
}

impl Records {
    /// Nothing yet of a file of this name.
    pub(crate) fn of(name: &str) -> Self {
        Self {
            contents: Contents::default(),
            source: name.into(),
            section: None,
            label: None,
            link: Arc::default(),
            systems: Arc::default(),
            provenance: Arc::default(),
            clients: NamedClients::default(),
        }
    }

    /// What has been added.
    pub(crate) fn contents(self) -> Contents {
        self.contents
    }

    pub(crate) fn add(&mut self, line: u32, statement: Statement) {
        match statement {
            Statement::Classes(_) | Statement::Family(_) => {}
            Statement::ListedSystems(systems) => self.contents.http.user_agent_systems.extend(systems),
            Statement::Section(started) => {
                self.section = Some(started);
                self.clients = NamedClients::default();
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
                let (link, source) = (Arc::clone(&self.link), Arc::clone(&self.source));
                self.contents.links.push(MtuRecord { mtu, link, source, line });
            }
            Statement::Tcp(signature) => self.add_tcp(line, signature),
            Statement::TcpFamily(signature) => self.add_family(line, &signature),
            Statement::Http(signature) => self.add_http(line, *signature),
            Statement::Tls(signature) => {
                let (source, clients) = (Arc::clone(&self.source), self.clients.all());
                self.contents.clients.tls.push(TlsRecord { signature: *signature, clients, source, line });
            }
            Statement::Http2(signature) => {
                let (source, clients) = (Arc::clone(&self.source), self.clients.all());
                self.contents.clients.http2.push(Http2Record {
                    signature: *signature,
                    clients,
                    source,
                    line,
                });
            }
        }
    }

    fn add_tcp(&mut self, line: u32, signature: TcpSignature) {
        let Some(record) = self.tcp_record(line, signature) else { return };
        let tcp = &mut self.contents.tcp;
        let records = match self.section {
            Some(Section::TcpResponse | Section::ExtendedTcpResponse) => &mut tcp.syn_ack,
            _ => &mut tcp.syn,
        };
        records.push(record);
    }

    /// All that the signature stands for, which are of answers only.
    fn add_family(&mut self, line: u32, signature: &FamilySignature) {
        for member in signature.members() {
            let Some(mut record) = self.tcp_record(line, member) else { return };
            record.family = Some(Arc::clone(signature.family()));
            self.contents.tcp.syn_ack.push(record);
        }
    }

    /// `None` without a label.
    fn tcp_record(&self, line: u32, signature: TcpSignature) -> Option<TcpRecord> {
        Some(TcpRecord {
            signature,
            label: self.label.clone()?,
            systems: Arc::clone(&self.systems),
            provenance: Arc::clone(&self.provenance),
            source: Arc::clone(&self.source),
            line,
            family: None,
        })
    }

    fn add_http(&mut self, line: u32, signature: HttpSignature) {
        let Some(label) = self.label.clone() else { return };
        let http = &mut self.contents.http;
        let records = match self.section {
            Some(Section::HttpResponse | Section::ExtendedHttpResponse) => &mut http.responses,
            _ => &mut http.requests,
        };
        records.push(HttpRecord {
            signature,
            label,
            systems: Arc::clone(&self.systems),
            provenance: Arc::clone(&self.provenance),
            source: Arc::clone(&self.source),
            line,
        });
    }
}

/// The clients of labels that stand one below the other, for the signatures below them.
#[derive(Default)]
struct NamedClients {
    named: Vec<Attribution>,
    /// Once there has been a signature.
    all: Option<Arc<[Attribution]>>,
}

impl NamedClients {
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

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn a_part_is_read_once_and_not_before_it_is_asked_for() {
        static READ: AtomicU32 = AtomicU32::new(0);
        let part = Part::later(|| READ.fetch_add(1, Ordering::Relaxed) + 7);
        let copy = part.clone();
        assert_eq!(READ.load(Ordering::Relaxed), 0);
        assert_eq!((*part, *part), (7, 7));
        assert_eq!((READ.load(Ordering::Relaxed), *copy), (1, 8));
    }

    #[test]
    fn an_index_is_made_when_it_is_asked_for_and_anew_after_a_change() {
        struct Sum(u32);
        impl Index<u32> for Sum {
            fn build(records: &[u32]) -> Self {
                Self(records.iter().sum())
            }
        }
        let mut records = Indexed::<u32, Sum>::default();
        records.push(1);
        assert!(records.index.get().is_none());
        assert_eq!(records.index().0, 1);
        records.push(2);
        assert_eq!(records.index().0, 3);
        let mut more = Indexed::default();
        more.push(4);
        records.append(&more);
        assert_eq!((records.index().0, &*records), (7, &[1, 2, 4][..]));
    }

    #[test]
    fn what_is_added_to_a_part_stands_behind_what_it_reads() {
        let mut part = Part::later(|| vec![1]);
        part.change(|content| content.push(2));
        assert_eq!(*part, [1, 2]);
        part.change(|content| content.push(3));
        assert_eq!(*part, [1, 2, 3]);
    }
}
