//! The first line of a head.

use core::fmt;

use super::lines::{is_blank, is_token};
use super::{Http1Error, Http1Quirks};

/// The longest method that is read. The longest registered one has 17 characters.
pub(super) const MAX_METHOD: usize = 32;

/// Bytes of `HTTP/1.1`.
const VERSION_LEN: usize = 8;

/// The version of a message: the digit after `HTTP/1.` ([RFC 9112 §2.3]), 0 to 9.
///
/// [RFC 9112 §2.3]: https://www.rfc-editor.org/rfc/rfc9112#section-2.3
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Http1Version(pub u8);

impl Http1Version {
    /// HTTP/1.0.
    pub const HTTP_1_0: Self = Self(0);
    /// HTTP/1.1.
    pub const HTTP_1_1: Self = Self(1);

    fn parse(text: &[u8]) -> Option<Self> {
        match text.strip_prefix(b"HTTP/1.")? {
            [digit @ b'0'..=b'9'] => Some(Self(digit - b'0')),
            _ => None,
        }
    }

    /// Whether this is a version that exists.
    #[must_use]
    pub const fn is_known(self) -> bool {
        self.0 <= 1
    }
}

impl fmt::Display for Http1Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1.{}", self.0)
    }
}

/// What the target of a request is ([RFC 9112 §3.2]).
///
/// [RFC 9112 §3.2]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TargetForm {
    /// A path.
    Origin,
    /// A whole URI, as a proxy is asked.
    Absolute,
    /// Host and port, of `CONNECT`.
    Authority,
    /// `*`.
    Asterisk,
    /// None of them.
    Other,
}

impl TargetForm {
    fn of(method: &[u8], target: &[u8]) -> Self {
        match target {
            [b'/', ..] => Self::Origin,
            b"*" => Self::Asterisk,
            _ if method == b"CONNECT" => Self::Authority,
            _ if after_scheme(target).is_some() => Self::Absolute,
            _ => Self::Other,
        }
    }
}

/// What follows `scheme://` ([RFC 3986 §3.1](https://www.rfc-editor.org/rfc/rfc3986#section-3.1)).
pub(super) fn after_scheme(target: &[u8]) -> Option<&[u8]> {
    let colon = target.iter().position(|&byte| byte == b':')?;
    let (scheme, rest) = target.split_at_checked(colon)?;
    let is_scheme = scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
    rest.strip_prefix(b"://").filter(|_| is_scheme)
}

/// What was found out about a request line ([RFC 9112 §3](https://www.rfc-editor.org/rfc/rfc9112#section-3)), without its
/// bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestLine {
    method_len: usize,
    pub(super) form: TargetForm,
    pub(super) version: Http1Version,
}

impl RequestLine {
    /// Reads a line without what ends it.
    ///
    /// Everything between the first and the last blank is the target: some programs send blanks there, and whoever attacks a
    /// server or its log any byte, though no URI has them (RFC 9112 §3.2). Servers answer, if only that they do not accept it.
    pub(super) fn parse(line: &[u8]) -> Result<Self, Http1Error> {
        if line == b"PRI * HTTP/2.0" {
            return Err(Http1Error::Http2Preface);
        }
        let Some((rest, &[b' ', ref version @ ..])) = line.split_last_chunk::<{ 1 + VERSION_LEN }>() else {
            return Err(Http1Error::NotHttp1);
        };
        let version = Http1Version::parse(version).ok_or(Http1Error::NotHttp1)?;
        let mut words = rest.splitn(2, |&byte| byte == b' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else {
            return Err(Http1Error::NotHttp1);
        };
        // Nearly all are told at once.
        let is_method = matches!(method, b"GET" | b"POST")
            || (1..=MAX_METHOD).contains(&method.len()) && method.iter().copied().all(is_token);
        if !is_method || !target.first().copied().is_some_and(may_begin_target) {
            return Err(Http1Error::NotHttp1);
        }
        Ok(Self { method_len: method.len(), form: TargetForm::of(method, target), version })
    }

    /// The method in the line that was read.
    pub(super) fn method(self, line: &[u8]) -> &[u8] {
        line.get(..self.method_len).unwrap_or_default()
    }

    /// The target in the line that was read.
    pub(super) fn target(self, line: &[u8]) -> &[u8] {
        line.get(self.method_len + 1..line.len().saturating_sub(1 + VERSION_LEN)).unwrap_or_default()
    }

    /// The quirks of the line that was read.
    pub(super) fn quirks(self, line: &[u8]) -> Http1Quirks {
        let target = self.target(line);
        let mut quirks = Http1Quirks::of_bytes(target);
        quirks.set_if(
            matches!(self.form, TargetForm::Absolute | TargetForm::Authority),
            Http1Quirks::PROXY_FORM,
        );
        quirks.set_if(target.iter().copied().any(is_blank), Http1Quirks::SPACE_IN_TARGET);
        quirks
    }

    /// Whether a line may begin with these bytes, of which there may be more.
    pub(super) fn may_begin(bytes: &[u8]) -> bool {
        let method = bytes.iter().take(MAX_METHOD + 1).take_while(|&&byte| byte != b' ');
        let mut len = 0;
        let is_token = method.inspect(|_| len += 1).copied().all(is_token);
        let is_method = is_token && len <= MAX_METHOD && (len > 0 || bytes.is_empty());
        is_method && bytes.get(len + 1).copied().is_none_or(may_begin_target)
    }
}

/// Whether a target may begin with this byte. Behind a control character a word is more likely of a protocol of its own,
/// whose next message may be HTTP.
const fn may_begin_target(byte: u8) -> bool {
    byte >= b' '
}

/// What was found out about a status line ([RFC 9112 §4](https://www.rfc-editor.org/rfc/rfc9112#section-4)), without its
/// bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatusLine {
    pub(super) version: Http1Version,
    pub(super) status: Option<u16>,
    reason_len: usize,
}

impl StatusLine {
    const BEGIN: &[u8] = b"HTTP/1.";

    /// Reads a line without what ends it. Anything may follow the version.
    pub(super) fn parse(line: &[u8]) -> Result<Self, Http1Error> {
        // Nearly all are told at once.
        if let [b'H', b'T', b'T', b'P', b'/', b'1', b'.', minor, b' ', a, b, c, b' ', reason @ ..] = line
            && minor.is_ascii_digit()
            && let status @ Some(_) = status_code(&[*a, *b, *c])
        {
            return Ok(Self { version: Http1Version(minor - b'0'), status, reason_len: reason.len() });
        }
        let mut words = line.splitn(3, |&byte| byte == b' ');
        let version = words.next().and_then(Http1Version::parse).ok_or(Http1Error::NotHttp1)?;
        let status = words.next().and_then(status_code);
        Ok(Self { version, status, reason_len: words.next().map_or(0, <[u8]>::len) })
    }

    /// The reason phrase in the line that was read.
    pub(super) fn reason(self, line: &[u8]) -> &[u8] {
        line.get(line.len().saturating_sub(self.reason_len)..).unwrap_or_default()
    }

    /// Whether a line may begin with these bytes, of which there may be more.
    pub(super) fn may_begin(bytes: &[u8]) -> bool {
        let begins = Self::BEGIN.iter().zip(bytes).all(|(wanted, byte)| wanted == byte);
        let mut rest = bytes.iter().skip(Self::BEGIN.len());
        begins
            && rest.next().is_none_or(u8::is_ascii_digit)
            && rest.next().is_none_or(|behind| matches!(behind, b' ' | b'\r' | b'\n'))
    }
}

/// The status code that three digits are. `None` of anything else.
pub(crate) fn status_code(text: &[u8]) -> Option<u16> {
    let digits: &[u8; 3] = text.try_into().ok()?;
    let is_code = digits.iter().all(u8::is_ascii_digit);
    is_code.then(|| digits.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0')))
}
