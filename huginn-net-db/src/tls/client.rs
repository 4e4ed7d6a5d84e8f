//! Who sends a fingerprint.

use core::fmt::{self, Write};
use std::borrow::Cow;
use std::sync::Arc;

use crate::{Interner, Share};

/// A client as a label of a file has it, `kind:name:version`. Displays as name and version.
///
/// A fingerprint belongs to a library and its configuration rather than to a product: the version tells both, as far
/// as they are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Client {
    /// Whether it speaks for itself.
    pub kind: ClientKind,
    /// For example `curl`; never empty.
    pub name: String,
    /// For example `with OpenSSL 3.5 or newer` or `120 to 131`; may be empty.
    pub version: String,
}

impl Client {
    /// A client of these parts.
    pub fn new(kind: ClientKind, name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { kind, name: name.into(), version: version.into() }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.version.is_empty() { Ok(()) } else { write!(f, " {}", self.version) }
    }
}

/// Whether a client speaks for itself. There are no other kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClientKind {
    /// A program or library with a hello of its own.
    Genuine,
    /// A library that is behind the hello, so that every other program with it may send the same.
    Library,
    /// A library that sends the hello of another client on purpose.
    Impersonator,
}

impl ClientKind {
    /// `client`, `library` or `impersonator`, as a label starts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Genuine => "client",
            Self::Library => "library",
            Self::Impersonator => "impersonator",
        }
    }
}

/// A client that a file says to have a fingerprint, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribution {
    /// The client.
    pub client: Arc<Client>,
    /// Where the fact comes from, as an `evidence` line gives it; empty without one.
    pub provenance: Arc<str>,
}

impl Attribution {
    /// A client without provenance.
    pub fn new(client: impl Into<Arc<Client>>) -> Self {
        Self { client: client.into(), provenance: Arc::default() }
    }
}

/// Every client that fits, in words; displays for example as
/// `Chrome 120 to 131, Edge 119 or another program with Chromium, or an impersonator (curl_cffi, tls-client)`.
///
/// Clients of which only an impersonation is known are not named, for nobody has seen whether it is a good one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ClientLabel {
    /// The names without versions, for example `Chrome, Edge, or an impersonator`; never empty.
    pub name: String,
    /// The versions, if there is one name beside those of libraries and impersonators; else empty.
    pub version: String,
    text: String,
}

/// Names in one label, and versions of one name: what is beyond is counted as "others".
const MAX_NAMED: usize = 32;
/// Bytes of names and versions in one label, beyond which they are "others", too; the first are always told.
const MAX_TEXT: usize = 1_024;

impl ClientLabel {
    pub(crate) fn of<'a>(clients: impl Iterator<Item = &'a Client>) -> Self {
        let (mut genuine, mut libraries) = (Names::default(), Names::default());
        let mut impersonators = Names::default();
        for client in clients {
            match client.kind {
                ClientKind::Genuine => genuine.add(client),
                ClientKind::Library => libraries.add(client),
                ClientKind::Impersonator => impersonators.add(client),
            }
        }
        let [others, others_in_full] = [false, true].map(|with_versions| {
            let article = if genuine.names.is_empty() { "a" } else { "another" };
            let library = libraries.list(with_versions);
            (!library.is_empty()).then(|| format!("{article} program with {library}"))
        });
        if genuine.names.is_empty() && others.is_none() {
            let (mut name, mut text) = (impersonators.list(false), impersonators.list(true));
            for text in [&mut name, &mut text] {
                text.push_str(", or what it imitates");
            }
            return Self { name, version: impersonators.only_version(), text };
        }
        let (mut name, mut text) = (genuine.list_and(false, others), genuine.list_and(true, others_in_full));
        if !impersonators.names.is_empty() {
            name.push_str(", or an impersonator");
            let names: Vec<_> = impersonators.names.iter().map(|(name, _)| *name).collect();
            let others = if impersonators.more { ", others" } else { "" };
            // A string takes everything.
            let _ = write!(text, ", or an impersonator ({}{others})", names.join(", "));
        }
        Self { name, version: genuine.only_version(), text }
    }
}

impl Share for ClientLabel {
    fn interner() -> &'static Interner<Self> {
        static INTERNER: Interner<ClientLabel> = Interner::new();
        &INTERNER
    }
}

impl fmt::Display for ClientLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Distinct names with their distinct versions, in order.
#[derive(Default)]
struct Names<'a> {
    names: Vec<(&'a str, Versions<'a>)>,
    more: bool,
    /// Bytes of all names and versions.
    len: usize,
}

#[derive(Default)]
struct Versions<'a> {
    versions: Vec<&'a str>,
    more: bool,
}

impl<'a> Names<'a> {
    fn add(&mut self, client: &'a Client) {
        let name = client.name.as_str();
        let at = self.names.iter().position(|(known, _)| *known == name);
        if at.is_none() {
            if self.names.len() == MAX_NAMED || self.len > MAX_TEXT {
                self.more = true;
                return;
            }
            self.len += name.len();
            self.names.push((name, Versions::default()));
        }
        let at = at.unwrap_or(self.names.len().saturating_sub(1));
        let Some((_, versions)) = self.names.get_mut(at) else { return };
        let version = client.version.as_str();
        if version.is_empty() || versions.versions.contains(&version) {
            return;
        }
        if versions.versions.len() == MAX_NAMED || self.len > MAX_TEXT {
            versions.more = true;
        } else {
            self.len += version.len();
            versions.versions.push(version);
        }
    }

    fn list(&self, with_versions: bool) -> String {
        self.list_and(with_versions, None)
    }

    /// The names, and what else there is.
    fn list_and(&self, with_versions: bool, other: Option<String>) -> String {
        let items = self.names.iter().map(|(name, versions)| {
            let versions = if with_versions { versions.list() } else { String::new() };
            if versions.is_empty() { Cow::Borrowed(*name) } else { Cow::Owned(format!("{name} {versions}")) }
        });
        let items = items.chain(other.map(Cow::Owned));
        alternatives(&items.collect::<Vec<_>>(), self.more)
    }

    fn only_version(&self) -> String {
        match self.names.as_slice() {
            [(_, versions)] if !self.more => versions.list(),
            _ => String::new(),
        }
    }
}

impl Versions<'_> {
    fn list(&self) -> String {
        alternatives(&self.versions, self.more)
    }
}

/// `a`, `a or b`, `a, b or c`, `a, b or others`; `a or b, or c` if an item has alternatives of its own.
fn alternatives(items: &[impl AsRef<str>], more: bool) -> String {
    let mut items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    if more {
        items.push("others");
    }
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => {
            let is_nested = items.iter().any(|item| item.contains(" or "));
            [first.join(", ").as_str(), if is_nested { ", or " } else { " or " }, last].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(clients: &[(ClientKind, &str, &str)], name: &str, version: &str, text: &str) {
        let clients: Vec<_> =
            clients.iter().map(|&(kind, name, version)| Client::new(kind, name, version)).collect();
        let label = ClientLabel::of(clients.iter());
        assert_eq!((label.name.as_str(), label.version.as_str()), (name, version));
        assert_eq!(label.to_string(), text);
    }

    use ClientKind::{Genuine, Impersonator, Library};

    #[test]
    fn one_client_has_its_name_and_versions() {
        check(&[(Genuine, "curl", "7.88.1")], "curl", "7.88.1", "curl 7.88.1");
        check(&[(Genuine, "curl", "")], "curl", "", "curl");
        check(
            &[(Genuine, "Node.js", "12"), (Genuine, "Node.js", "14"), (Genuine, "Node.js", "12")],
            "Node.js",
            "12 or 14",
            "Node.js 12 or 14",
        );
    }

    #[test]
    fn all_clients_are_named() {
        let clients = [(Genuine, "HAProxy", "2.6"), (Genuine, "Links", "2.28"), (Genuine, "w3m", "")];
        check(&clients, "HAProxy, Links or w3m", "", "HAProxy 2.6, Links 2.28 or w3m");
    }

    #[test]
    fn versions_of_one_name_are_kept_apart_from_the_next_name() {
        let clients = [(Genuine, "Chrome", "119"), (Genuine, "Chrome", "121"), (Genuine, "Edge", "119")];
        check(&clients, "Chrome or Edge", "", "Chrome 119 or 121, or Edge 119");
    }

    #[test]
    fn other_programs_with_a_library_are_told_behind_all_names() {
        let library = (Library, "OpenSSL", "");
        check(
            &[(Genuine, "curl", "7.88.1"), library],
            "curl or another program with OpenSSL",
            "7.88.1",
            "curl 7.88.1 or another program with OpenSSL",
        );
        check(
            &[library, (Genuine, "curl", "7"), (Library, "GnuTLS", ""), (Genuine, "git", ""), library],
            "curl, git, or another program with OpenSSL or GnuTLS",
            "",
            "curl 7, git, or another program with OpenSSL or GnuTLS",
        );
        check(
            &[(Impersonator, "curl_cffi", "1"), (Genuine, "Chrome", "9"), (Library, "Chromium", "")],
            "Chrome or another program with Chromium, or an impersonator",
            "9",
            "Chrome 9 or another program with Chromium, or an impersonator (curl_cffi)",
        );
        check(&[library], "a program with OpenSSL", "", "a program with OpenSSL");
    }

    #[test]
    fn who_imitates_a_client_is_told_beside_it() {
        check(
            &[(Impersonator, "curl_cffi", "0.16.3 as chrome120"), (Genuine, "Chrome", "120 to 131")],
            "Chrome, or an impersonator",
            "120 to 131",
            "Chrome 120 to 131, or an impersonator (curl_cffi)",
        );
    }

    #[test]
    fn what_was_only_seen_imitated_is_not_named() {
        check(
            &[(Impersonator, "tls-client", "2.0.0 as firefox_120")],
            "tls-client, or what it imitates",
            "2.0.0 as firefox_120",
            "tls-client 2.0.0 as firefox_120, or what it imitates",
        );
    }

    #[test]
    fn names_and_versions_beyond_the_limit_are_others() {
        let names: Vec<_> = (0..100).map(|n| Client::new(Genuine, format!("n{n}"), "1")).collect();
        let label = ClientLabel::of(names.iter());
        assert!(label.name.ends_with("n31 or others"), "{}", label.name);
        assert_eq!(label.version, "");
        let versions: Vec<_> = (0..100).map(|n| Client::new(Genuine, "n", format!("v{n}"))).collect();
        assert!(ClientLabel::of(versions.iter()).version.ends_with("v31 or others"));
        let long: Vec<_> =
            ['a', 'b', 'c'].map(|c| Client::new(Genuine, c, c.to_string().repeat(MAX_TEXT))).into();
        let label = ClientLabel::of(long.iter());
        assert_eq!(label.name, "a or others");
        assert!(label.to_string().len() < MAX_TEXT + 20);
    }
}
