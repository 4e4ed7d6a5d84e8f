//! Fingerprints and signatures as somebody has them at hand.

mod error;
mod head;
mod nearest;
pub(crate) mod observation;

use core::str::FromStr;

use huginn_net_http::{AkamaiFingerprint, AkamaiHash};
use huginn_net_tcp::TcpObservation;
use huginn_net_tls::{Ja3, Ja3Lists, Ja3n, Ja4, Ja4Lists};

pub use self::error::{FingerprintError, FingerprintReason};
pub use self::head::RawHttpSignature;
pub use self::nearest::{Difference, KnownRecord, Neighbour};
use crate::parse::field::Field;
use crate::parse::problems::Problems;
use crate::parse::{self, Severity};
use crate::tls::ClientMatch;
use crate::{Database, Http2Record, HttpMatch, TcpMatch, TlsRecord};

/// A value that names a client, a stack or a program, told apart by its form alone.
///
/// ```
/// use huginn_net_db::Fingerprint;
///
/// assert!(matches!(Fingerprint::parse("t13d1516h2_8daaf6152771_02713d6af862"), Ok(Fingerprint::Ja4(_))));
/// assert!(matches!(Fingerprint::parse("|00|0|p,m,a,s"), Ok(Fingerprint::Http2(_))));
/// assert!(matches!(Fingerprint::parse("1:Host,Accept=[*/*]:Connection:curl/8.0"), Ok(Fingerprint::Http1(_))));
/// let error = Fingerprint::parse("4:64+0:0:1460:mss*x,10:mss:df:0").unwrap_err();
/// assert_eq!(error.at, 18);
/// assert_eq!(error.reason.to_string(), "a count of segments is a number from 1 to 1000");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fingerprint {
    /// JA4, JA4_s1 or JA4_o: 36 characters that do not tell which.
    Ja4(Ja4),
    /// JA4_r, JA4_ro or JA4_s1r.
    Ja4Lists(Ja4Lists),
    /// JA3, the sorted JA3, or the MD5 of a start of HTTP/2: 32 hexadecimal digits that do not tell which.
    Md5([u8; 16]),
    /// The text under a JA3.
    Ja3Lists(Ja3Lists),
    /// A raw signature of TCP as p0f 3.09b writes it, of a SYN or of a SYN+ACK. A window in segments or packets stands for
    /// each that is written like this; it is looked up as the one that fits best.
    Tcp(Box<TcpObservation>),
    /// A raw signature of HTTP/1.
    Http1(RawHttpSignature),
    /// A start of HTTP/2.
    Http2(AkamaiFingerprint),
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        Self::parse(text)
    }
}

/// What is known of a value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Found<'a> {
    /// Clients that send such a hello.
    Tls(ClientMatch<'a, TlsRecord>),
    /// Clients that start HTTP/2 like this.
    Http2(ClientMatch<'a, Http2Record>),
    /// Where it comes from if it is a SYN.
    Syn(TcpMatch<'a>),
    /// Where it comes from if it is a SYN+ACK.
    SynAck(TcpMatch<'a>),
    /// What sends it if it is a request.
    HttpRequest(HttpMatch<'a>),
    /// What sends it if it is a response.
    HttpResponse(HttpMatch<'a>),
}

impl Fingerprint {
    /// The longest value in bytes.
    pub const MAX_LEN: usize = 8_192;

    /// Reads a value, without blanks around it. Letters whose case tells nothing may be of either, and `¦` may stand for
    /// `|`, as in tables.
    ///
    /// # Errors
    /// [`FingerprintError`] if it has no known form.
    pub fn parse(text: &str) -> Result<Self, FingerprintError> {
        if text.len() > Self::MAX_LEN {
            let at = text.floor_char_boundary(Self::MAX_LEN);
            return Err(FingerprintError::new(at, FingerprintReason::TooLong));
        }
        Self::parse_canonical(&canonical(text)).map_err(|mut error| {
            // As many characters, which are not as many bytes where there is a `¦`.
            let canonical = canonical(text);
            let before = canonical.get(..error.at).map_or(0, |before| before.chars().count());
            error.at = text.char_indices().nth(before).map_or(text.len(), |(at, _)| at);
            error
        })
    }

    fn parse_canonical(text: &str) -> Result<Self, FingerprintError> {
        if head::is_signature(text) {
            return RawHttpSignature::parse(text).map(Self::Http1);
        }
        if text.contains('|') {
            return parsed(|problems| parse::http2::parse(Field::new(text, 0), problems)).map(Self::Http2);
        }
        if text.contains(':') {
            return observation::parse(text).map(|seen| Self::Tcp(Box::new(seen)));
        }
        if text.contains('_') {
            return ja4(text);
        }
        if text.contains(',') {
            return lists(Ja3Lists::parse(text)).map(Self::Ja3Lists);
        }
        if let Ok(Ja3(md5)) = text.parse() {
            return Ok(Self::Md5(md5));
        }
        Err(FingerprintError::new(0, FingerprintReason::UnknownForm))
    }

    /// What a value of this form can be.
    #[must_use]
    pub fn description(&self) -> &'static str {
        match self {
            Self::Ja4(_) => "JA4, JA4_s1 or JA4_o",
            Self::Ja4Lists(lists) if lists.is_as_sent() => "JA4_ro",
            Self::Ja4Lists(_) => "JA4_r or JA4_s1r",
            Self::Md5(_) => "JA3, sorted JA3, or MD5 of an Akamai string",
            Self::Ja3Lists(_) => "text of a JA3",
            Self::Tcp(_) => "raw TCP signature",
            Self::Http1(_) => "raw HTTP signature",
            Self::Http2(_) => "Akamai string",
        }
    }
}

/// The text with as many characters, in the way that fingerprints are written.
fn canonical(text: &str) -> String {
    let text = text.replace('¦', "|");
    if head::is_signature(&text) {
        return text;
    }
    if text.contains(['|', ':']) || !text.contains('_') {
        return text.to_ascii_lowercase();
    }
    // The ninth and tenth character of a JA4 are of a protocol's name, whose case counts.
    let alpn = 8..10;
    let lower = |(at, c): (usize, char)| if alpn.contains(&at) { c } else { c.to_ascii_lowercase() };
    text.chars().enumerate().map(lower).collect()
}

/// A hashed form, or else one with lists.
fn ja4(text: &str) -> Result<Fingerprint, FingerprintError> {
    if let Ok(ja4) = text.parse() {
        return Ok(Fingerprint::Ja4(ja4));
    }
    let mut parts = text.split('_');
    let (a, b, c) = (parts.next(), parts.next(), parts.next());
    let is_hash = |part: Option<&str>| part.is_some_and(|part| part.len() >= 6 && !part.contains(','));
    if !is_hash(b) && !is_hash(c) {
        return lists(Ja4Lists::parse(text)).map(Fingerprint::Ja4Lists);
    }
    let a = a.unwrap_or_default();
    if format!("{a}_000000000000_000000000000").parse::<Ja4>().is_err() {
        return Err(FingerprintError::new(0, FingerprintReason::Ja4PartA));
    }
    let mut at = a.len() + 1;
    for part in [b, c] {
        let part = part.unwrap_or_default();
        let digits = part.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')).count();
        if part.len() != 12 || digits != 12 {
            // Where a part is missing, its place is behind the end.
            let at = (at + digits.min(12)).min(text.len());
            return Err(FingerprintError::new(at, FingerprintReason::Ja4Hash));
        }
        at += part.len() + 1;
    }
    Err(FingerprintError::new(at - 1, FingerprintReason::Ja4PartCount))
}

fn lists<T>(parsed: Result<T, huginn_net_tls::ParseListsError>) -> Result<T, FingerprintError> {
    parsed.map_err(|error| FingerprintError::new(error.at, FingerprintReason::List { what: error.what }))
}

/// Reads by the grammar of signature files.
fn parsed<T>(parse: impl FnOnce(&mut Problems) -> Option<T>) -> Result<T, FingerprintError> {
    let mut problems = Problems::default();
    let value = parse(&mut problems);
    let error = problems.drain().find(|problem| problem.code.severity() == Severity::Error);
    match (value, error) {
        (_, Some(error)) => Err(error.into()),
        (Some(value), None) => Ok(value),
        (None, None) => Err(FingerprintError::new(0, FingerprintReason::UnknownForm)),
    }
}

impl Database {
    /// What is known of a value: one entry for each thing it may be, the likeliest first.
    pub fn match_fingerprint(&self, value: &Fingerprint) -> Vec<Found<'_>> {
        let (mut tls, mut other) = (Vec::new(), Vec::new());
        match value {
            Fingerprint::Ja4(ja4) => {
                // The three forms have the same text.
                let text = ja4.as_str();
                tls.push(self.match_ja4(*ja4));
                tls.push(text.parse().ok().and_then(|ja4_s1| self.match_ja4_s1(ja4_s1)));
                tls.push(text.parse().ok().and_then(|ja4_o| self.match_ja4_o(ja4_o)));
            }
            Fingerprint::Ja4Lists(lists) => {
                let stable = || lists.ja4_s1().and_then(|ja4_s1| self.match_ja4_s1(ja4_s1));
                tls.push(self.match_ja4(lists.ja4()).or_else(stable));
            }
            Fingerprint::Md5(md5) => {
                tls.extend([self.match_ja3(Ja3(*md5)), self.match_ja3n(Ja3n(*md5))]);
                other.push(self.match_akamai_hash(AkamaiHash(*md5)).map(Found::Http2));
            }
            Fingerprint::Ja3Lists(lists) => {
                let sorted = || self.match_ja3n(lists.ja3n());
                tls.push(self.match_ja3(lists.ja3()).or_else(sorted));
            }
            Fingerprint::Tcp(seen) => {
                let syn = observation::best(seen, |seen| self.match_syn(seen));
                let syn_ack = observation::best(seen, |seen| self.match_syn_ack(seen));
                other.push(syn.map(|(_, found)| Found::Syn(found)));
                other.push(syn_ack.map(|(_, found)| Found::SynAck(found)));
            }
            Fingerprint::Http1(seen) => {
                other.push(seen.of_request(self).map(Found::HttpRequest));
                other.push(seen.of_response(self).map(Found::HttpResponse));
            }
            Fingerprint::Http2(seen) => other.push(self.match_akamai(seen).map(Found::Http2)),
        }
        tls.into_iter().flatten().map(Found::Tls).chain(other.into_iter().flatten()).collect()
    }
}
