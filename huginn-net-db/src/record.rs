//! Entries of a database.

use core::fmt;
use std::sync::Arc;

use huginn_net_http::AkamaiFingerprint;

use crate::{Attribution, ClientLabel, HttpSignature, Label, LayoutFamily, TcpSignature, TlsSignature};

/// A TCP signature with what the file says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TcpRecord {
    /// What a packet must look like.
    pub signature: TcpSignature,
    /// What it then comes from.
    pub label: Arc<Label>,
    /// For a tool, the systems it runs on; empty for an operating system.
    pub systems: Arc<[SystemRef]>,
    /// Where the fact comes from, as an `evidence` line gives it; empty without one.
    pub provenance: Arc<str>,
    /// Name of the file.
    pub source: Arc<str>,
    /// Line of the signature in that file, from 1.
    pub line: u32,
    /// The layouts of a SYN+ACK among which the client's offer chooses the one of this signature; `None` if it matches
    /// whatever was offered.
    pub family: Option<Arc<LayoutFamily>>,
}

/// An HTTP signature with what the file says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpRecord {
    /// What a message must look like.
    pub signature: HttpSignature,
    /// What it then comes from.
    pub label: Arc<Label>,
    /// For a tool, the systems it runs on; empty for an operating system.
    pub systems: Arc<[SystemRef]>,
    /// Where the fact comes from, as an `evidence` line gives it; empty without one.
    pub provenance: Arc<str>,
    /// Name of the file.
    pub source: Arc<str>,
    /// Line of the signature in that file, from 1.
    pub line: u32,
}

/// Fingerprints of a hello with the clients that send it.
pub type TlsRecord = ClientRecord<TlsSignature>;

/// A start of HTTP/2 with the clients that make it.
pub type Http2Record = ClientRecord<AkamaiFingerprint>;

/// What clients send, and which of them do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientRecord<S> {
    /// What they send.
    pub signature: S,
    /// All clients that the file says to send it; never empty.
    pub clients: Arc<[Attribution]>,
    /// Name of the file.
    pub source: Arc<str>,
    /// Line of the signature in that file, from 1.
    pub line: u32,
}

/// A maximum transmission unit and the links that are known to have it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MtuRecord {
    /// In bytes, 1 to 65,535; up to 65,595 in a section `[x-mtu]`.
    pub mtu: u32,
    /// Name of the link; never empty.
    pub link: Arc<str>,
    /// Name of the file.
    pub source: Arc<str>,
    /// Line of the value in that file, from 1.
    pub line: u32,
}

/// An entry of a `sys` line, in one of the two forms that p0f 3 has for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SystemRef {
    /// `@class`: every system of the class, as the file's `classes` line spells it.
    Class(String),
    /// A system by its name.
    Name(String),
}

/// An entry of a `ua_os` line: a system that user agents name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ListedSystem {
    /// Name of the system, as labels write it.
    pub name: String,
    /// What a `User-Agent` contains when it names the system; its name unless the file says otherwise.
    pub pattern: String,
}

impl<S> ClientRecord<S> {
    /// All its clients in words.
    #[must_use]
    pub fn label(&self) -> ClientLabel {
        ClientLabel::of(self.clients.iter().map(|attribution| &*attribution.client))
    }
}

impl fmt::Display for SystemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(class) => write!(f, "@{class}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for ListedSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.pattern == self.name { Ok(()) } else { write!(f, "=[{}]", self.pattern) }
    }
}
