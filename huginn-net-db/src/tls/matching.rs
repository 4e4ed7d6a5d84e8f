//! Looking clients up.

use core::fmt;
use core::hash::Hash;
use std::sync::Arc;

use huginn_net_http::{AkamaiFingerprint, AkamaiHash};
use huginn_net_tls::{ClientHello, ExtensionType, Ja3, Ja3n, Ja4, Ja4Original, Ja4Stable, OwnedClientHello};

use super::client::ClientLabel;
use super::index::{Beyond, Lookup, Selected};
use crate::{ClientRecord, Database, Http2Record, Shared, TlsRecord};

/// By which fingerprint clients were found; displays as [`ClientKey::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ClientKey {
    /// JA4.
    Ja4,
    /// JA4 without what changes from session to session.
    Ja4Stable,
    /// JA4 in the order of the hello.
    Ja4Original,
    /// JA3, which knows neither signature algorithms nor the names of protocols.
    Ja3,
    /// JA3 with the extensions sorted.
    Ja3n,
    /// Settings, window and priorities at the start of HTTP/2.
    Akamai,
}

impl ClientKey {
    /// `ja4`, `ja4_s1`, `ja4_o`, `ja3`, `ja3n` or `akamai`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ja4 => "ja4",
            Self::Ja4Stable => "ja4_s1",
            Self::Ja4Original => "ja4_o",
            Self::Ja3 => "ja3",
            Self::Ja3n => "ja3n",
            Self::Akamai => "akamai",
        }
    }
}

impl fmt::Display for ClientKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The clients that a fingerprint is known of.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ClientMatch<'a, R> {
    /// What they were found by.
    pub key: ClientKey,
    /// All of them, in words.
    pub label: &'a Shared<ClientLabel>,
    all: &'a [R],
    selected: Selected<'a>,
}

impl<'a, R> ClientMatch<'a, R> {
    /// The records that have the fingerprint, in the order of their file; at least one. Behind those that have a JA4
    /// come those that would have it without padding, which comes and goes with the length of the server's name.
    pub fn records(&self) -> impl Iterator<Item = &'a R> + Clone + use<'a, R> {
        let all = self.all;
        self.selected.records().filter_map(|at| all.get(at))
    }

    /// The place of the first record.
    fn first(&self) -> Option<usize> {
        self.selected.records().next()
    }
}

impl<'a, S> ClientMatch<'a, ClientRecord<S>> {
    fn new(key: ClientKey, selected: Selected<'a>, all: &'a [ClientRecord<S>]) -> Self {
        Self { key, label: selected.label(all), all, selected }
    }
}

impl ClientMatch<'_, TlsRecord> {
    /// Whether it is of a file that comes before that of another one.
    fn is_of_earlier_file(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (self.records().next(), other.records().next()) else { return false };
        // Records are in the order of the files.
        !Arc::ptr_eq(&own.source, &others.source) && self.first() < other.first()
    }

    /// Those of the records that nothing of a hello with their key contradicts which says this beyond it.
    fn fitting(self, seen: Beyond) -> Option<Self> {
        Some(Self::new(self.key, self.selected.fitting(seen)?, self.all))
    }
}

impl Database {
    /// The clients that send such a hello: of the first file that knows any, by its JA4, else by its JA4_s1, its JA3, and its
    /// sorted JA3.
    ///
    /// Whoever has the same JA4_s1 as a known client differs from it in what may come and go with the session and the
    /// length of the server's name; one that takes session tickets is none of those that never do. What is found by a JA3 that
    /// was recorded without more may differ in much that JA3 does not tell; where the JA4 of a client is known, too, only the names
    /// of protocols may be others. A fingerprint proves nobody's name: whoever wants to sends the same.
    ///
    /// The label is put together the first time that these clients are found. From then on, a look-up allocates nothing.
    ///
    /// ```
    /// use huginn_net_db::Database;
    /// use huginn_net_tls::ClientHello;
    ///
    /// # let bytes = include_bytes!("../../../pcaps/tls/hello/curl-8.14.1-http1.1.bin");
    /// let hello = ClientHello::from_record(bytes)?;
    /// let found = Database::bundled().match_hello(&hello);
    /// let label = found.map(|found| found.label.to_string());
    /// let expected = "curl with OpenSSL 3.5 or newer, Python requests, or another program with OpenSSL";
    /// assert_eq!(label.as_deref(), Some(expected));
    /// # Ok::<(), huginn_net_tls::TlsError>(())
    /// ```
    pub fn match_hello(&self, hello: &ClientHello<'_>) -> Option<ClientMatch<'_, TlsRecord>> {
        self.match_hello_with(|| hello.ja4(), || *hello)
    }

    /// As [`match_hello`](Self::match_hello), for a hello whose JA4 has been computed.
    pub fn match_owned_hello(&self, hello: &OwnedClientHello) -> Option<ClientMatch<'_, TlsRecord>> {
        self.match_hello_with(|| hello.ja4(), || hello.parsed())
    }

    fn match_hello_with<'h>(
        &self,
        ja4: impl FnOnce() -> Ja4,
        hello: impl FnOnce() -> ClientHello<'h>,
    ) -> Option<ClientMatch<'_, TlsRecord>> {
        if self.clients.tls.is_empty() {
            return None;
        }
        let index = self.clients.tls.index();
        let ja4 = ja4();
        let is_of_first_file = |found: &ClientMatch<'_, TlsRecord>| found.first() < Some(index.in_first_file);
        let mut found = self.find_tls(ClientKey::Ja4, &index.ja4, || ja4);
        if found.as_ref().is_some_and(is_of_first_file) {
            return found;
        }
        // Hashes are what costs: none is computed that cannot be found.
        let worth = index.worth(&self.clients.tls);
        let (has_stable, has_ja3) = (worth.has_stable(&ja4), worth.has_ja3(&ja4));
        if !has_stable && !has_ja3 {
            return found;
        }
        let hello = hello();
        let by_stable = || {
            let found = self.find_tls(ClientKey::Ja4Stable, &index.ja4_s1, || hello.ja4_s1())?;
            // Clients that never take tickets do not begin to with a session.
            let takes_tickets = hello.extension(ExtensionType::SESSION_TICKET).is_some();
            if takes_tickets { found.fitting(Beyond::Ja4Stable { takes_tickets }) } else { Some(found) }
        };
        let seen = Beyond::of_ja4(&ja4);
        let by_ja3 = || self.find_tls(ClientKey::Ja3, &index.ja3, || hello.ja3())?.fitting(seen);
        let by_ja3n = || self.find_tls(ClientKey::Ja3n, &index.ja3n, || hello.ja3n())?.fitting(seen);
        let keys: [(bool, &dyn Fn() -> _); 3] =
            [(has_stable, &by_stable), (has_ja3, &by_ja3), (has_ja3, &by_ja3n)];
        for (is_worth, by_key) in keys {
            if is_worth
                && let Some(other) = by_key()
                && found.as_ref().is_none_or(|found| other.is_of_earlier_file(found))
            {
                found = Some(other);
                if found.as_ref().is_some_and(is_of_first_file) {
                    break;
                }
            }
        }
        found
    }

    /// The clients with this JA4.
    pub fn match_ja4(&self, ja4: Ja4) -> Option<ClientMatch<'_, TlsRecord>> {
        self.find_tls(ClientKey::Ja4, &self.clients.tls.index().ja4, || ja4)
    }

    /// The clients with this JA4_s1.
    pub fn match_ja4_s1(&self, ja4_s1: Ja4Stable) -> Option<ClientMatch<'_, TlsRecord>> {
        self.find_tls(ClientKey::Ja4Stable, &self.clients.tls.index().ja4_s1, || ja4_s1)
    }

    /// The clients with this JA4_o.
    pub fn match_ja4_o(&self, ja4_o: Ja4Original) -> Option<ClientMatch<'_, TlsRecord>> {
        self.find_tls(ClientKey::Ja4Original, &self.clients.tls.index().ja4_o, || ja4_o)
    }

    /// The clients with this JA3.
    pub fn match_ja3(&self, ja3: Ja3) -> Option<ClientMatch<'_, TlsRecord>> {
        self.find_tls(ClientKey::Ja3, &self.clients.tls.index().ja3, || ja3)
    }

    /// The clients with this sorted JA3.
    pub fn match_ja3n(&self, ja3n: Ja3n) -> Option<ClientMatch<'_, TlsRecord>> {
        self.find_tls(ClientKey::Ja3n, &self.clients.tls.index().ja3n, || ja3n)
    }

    /// The clients that start HTTP/2 like this. GREASE, which some browsers add to their settings, is not compared. It
    /// allocates as [`match_hello`](Self::match_hello) does.
    pub fn match_akamai(&self, seen: &AkamaiFingerprint) -> Option<ClientMatch<'_, Http2Record>> {
        if self.clients.http2.is_empty() {
            return None;
        }
        self.match_akamai_hash(seen.akamai_n().hash())
    }

    /// The clients whose start of HTTP/2, GREASE left out, has this MD5.
    pub fn match_akamai_hash(&self, hash: AkamaiHash) -> Option<ClientMatch<'_, Http2Record>> {
        let selected = self.clients.http2.index().find(&hash)?;
        Some(ClientMatch::new(ClientKey::Akamai, selected, &self.clients.http2))
    }

    fn find_tls<'a, K: Ord + Hash + Copy>(
        &'a self,
        key: ClientKey,
        index: &'a Lookup<K>,
        value: impl FnOnce() -> K,
    ) -> Option<ClientMatch<'a, TlsRecord>> {
        let index = index.of(&self.clients.tls);
        if index.is_empty() {
            return None;
        }
        Some(ClientMatch::new(key, index.find(&value())?, &self.clients.tls))
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::fmt::Write as _;
    use core::str::FromStr as _;
    use std::fs;

    use huginn_net_tls::ClientHelloReader;
    use testkit::alloc::measure;

    use super::*;

    /// Hellos of the corpus in records.
    fn hellos() -> impl Iterator<Item = OwnedClientHello> {
        let directory = fs::read_dir(testkit::corpus::path("tls/hello")).unwrap();
        directory.filter_map(|file| {
            let bytes = fs::read(file.unwrap().path()).unwrap();
            let mut reader = ClientHelloReader::new();
            let hello = reader.push(&bytes).ok()?.done()?;
            Some(OwnedClientHello::from(&hello))
        })
    }

    /// Whether more than JA4 was asked for, and by which fingerprint somebody was found.
    fn work(database: &Database, hello: &OwnedClientHello) -> (bool, Option<ClientKey>) {
        let asked = Cell::new(false);
        let parsed = || {
            asked.set(true);
            hello.parsed()
        };
        let key = database.match_hello_with(|| hello.ja4(), parsed).map(|found| found.key);
        (asked.get(), key)
    }

    #[test]
    fn a_hello_nobody_knows_is_not_hashed_again() {
        let (mut unknown, mut hashed) = (0, 0);
        for hello in hellos() {
            match work(Database::bundled(), &hello) {
                (asked, Some(ClientKey::Ja4)) => assert!(!asked, "{}", hello.ja4()),
                (asked, None) => {
                    unknown += 1;
                    hashed += u32::from(asked);
                }
                _ => {}
            }
        }
        assert!(unknown > 40, "{unknown}");
        assert!(hashed * 10 < unknown, "{hashed} of {unknown}");
    }

    /// The shortcut against the indexes themselves.
    #[test]
    fn what_is_not_hashed_would_not_have_been_found() {
        let database = Database::bundled();
        for hello in hellos() {
            let parsed = hello.parsed();
            let (all, ja4) = (&database.clients.tls, hello.ja4());
            let (index, worth) = (all.index(), all.index().worth(all));
            let found = [
                worth.has_stable(&ja4) || index.ja4_s1.of(all).find(&parsed.ja4_s1()).is_none(),
                worth.has_ja3(&ja4) || index.ja3.of(all).find(&parsed.ja3()).is_none(),
                worth.has_ja3(&ja4) || index.ja3n.of(all).find(&parsed.ja3n()).is_none(),
            ];
            assert_eq!(found, [true; 3], "{ja4}");
        }
    }

    /// A hello of the corpus, its JA3, its JA4 with another name of a protocol, and one with other signature algorithms.
    fn hello_and_neighbours() -> (OwnedClientHello, Ja3, String, String) {
        let hello = hellos().next().unwrap();
        let ja4 = hello.ja4().to_string();
        let [same, other] = [[&ja4[..8], "zz", &ja4[10..]].concat(), [&ja4[..24], "0123456789ab"].concat()];
        let ja3 = hello.parsed().ja3();
        (hello, ja3, same, other)
    }

    #[test]
    fn records_without_a_ja4_stand_in_their_order_among_those_of_the_hello() {
        let (hello, ja3, same, other) = hello_and_neighbours();
        let ja4_o = |number: u32| format!("t13d1516h2_{number:012x}_{number:012x}");
        let (one, two) = (ja4_o(1), ja4_o(2));
        let text = format!(
            "[x-tls:client]\nlabel = client:A:\nsig = ja4_o={one} ja3={ja3}\nlabel = client:B:\nsig = ja4={same} ja3={ja3}\n\
             label = client:C:\nsig = ja4={other} ja3={ja3}\nlabel = client:D:\nsig = ja4_o={two} ja3={ja3}\n"
        );
        let told = |database: &Database| {
            let found = database.match_owned_hello(&hello).unwrap();
            assert_eq!(found.key, ClientKey::Ja3);
            let lines: Vec<_> = found.records().map(|record| record.line).collect();
            (found.label.to_string(), lines)
        };
        assert_eq!(told(&Database::parse(&text, "").unwrap()), ("A, B or D".to_owned(), vec![3, 5, 9]));
        // Nothing is known of this hello but by those without a JA4.
        let text = text.replace(&same, &other.replace("0123", "4567"));
        assert_eq!(told(&Database::parse(&text, "").unwrap()), ("A or D".to_owned(), vec![3, 9]));
    }

    #[test]
    fn a_ja3_of_many_hellos_takes_memory_in_proportion_to_its_records() {
        let ja3 = Ja3::from_str("00112233445566778899aabbccddeeff").unwrap();
        let taken = |records: u32| {
            let mut text = "[x-tls:client]\nlabel = client:A:\n".to_owned();
            for number in 0..records {
                writeln!(text, "sig = ja4_o=t13d1516h2_{number:012x}_{number:012x} ja3={ja3}").unwrap();
                writeln!(text, "sig = ja4=t13d1516h2_8daaf6152771_{number:012x} ja3={ja3}").unwrap();
            }
            let database = Database::parse(&text, "").unwrap();
            measure(|| database.match_ja3(ja3).unwrap().records().count()).1.total_bytes
        };
        let (few, many) = (taken(100), taken(800));
        assert!(many < 10 * few, "{few} bytes for 200 records, {many} for 1,600");
    }

    #[test]
    fn a_ja3_without_a_ja4_is_compared_with_every_hello() {
        let text = "[x-tls:client]\nlabel = client:A:\nsig = ja3=00112233445566778899aabbccddeeff\n";
        let database = Database::parse(text, "").unwrap();
        assert_eq!(work(&database, &hellos().next().unwrap()), (true, None));
        assert_eq!(work(&Database::default(), &hellos().next().unwrap()), (false, None));
    }
}
