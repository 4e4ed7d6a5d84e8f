//! Where a body ends, and what follows it.

use std::borrow::Cow;

use super::lines::{is_text, list, trim};
use super::{Headers, Http1Version};

/// How a body is delimited ([RFC 9112 §6.3]).
///
/// [RFC 9112 §6.3]: https://www.rfc-editor.org/rfc/rfc9112#section-6.3
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyLength {
    /// So many bytes, mostly none.
    Known(u64),
    /// Chunks: a [`ChunkScanner`](crate::ChunkScanner) finds the end.
    Chunked,
    /// All bytes until the connection is closed.
    UntilClose,
    /// No body: from here on the connection is a tunnel, or has another protocol.
    Switched,
    /// The fields contradict each other or cannot be read, so that nobody knows where the next message begins.
    Unknown,
}

/// What the fields of a head say of where it ends and of what follows, found in one pass.
#[derive(Clone, Debug)]
pub(crate) struct Framing<'a> {
    coding: Option<Coding>,
    length: Result<Option<u64>, Unreadable>,
    closes: bool,
    keeps_alive: bool,
    names_upgrade: bool,
    upgrade: Option<Cow<'a, [u8]>>,
    expects_continue: bool,
}

/// The last transfer coding, which is the one that delimits.
#[derive(Clone, Copy, Debug)]
enum Coding {
    Chunked,
    Other,
}

/// No number of 64 bits, or two that differ.
#[derive(Clone, Copy, Debug)]
struct Unreadable;

impl<'a> Framing<'a> {
    /// Of all fields of a head.
    pub(super) fn of(headers: Headers<'a>) -> Self {
        let mut framing = Self {
            coding: None,
            length: Ok(None),
            closes: false,
            keeps_alive: false,
            names_upgrade: false,
            upgrade: None,
            expects_continue: false,
        };
        for header in headers.iter() {
            // Most fields are told from these by the lengths of their names.
            let name = header.name();
            match name.len() {
                6 if is_text(name, b"Expect") => {
                    framing.expects_continue |=
                        list(&header.value()).any(|item| item.eq_ignore_ascii_case(b"100-continue"));
                }
                7 if is_text(name, b"Upgrade") => {
                    framing.upgrade.get_or_insert_with(|| header.value());
                }
                10 if is_text(name, b"Connection") => framing.on_connection(&header.value()),
                14 if is_text(name, b"Content-Length") => framing.on_length(&header.value()),
                17 if is_text(name, b"Transfer-Encoding") => {
                    framing.coding = Coding::of(&header.value()).or(framing.coding);
                }
                _ => {}
            }
        }
        framing
    }

    /// The same of a head without `Content-Length`. `None` if it has `Upgrade`.
    pub(super) fn without_length(self) -> Option<Framing<'static>> {
        let Self { coding, closes, keeps_alive, names_upgrade, upgrade: None, expects_continue, .. } = self
        else {
            return None;
        };
        let (length, upgrade) = (Ok(None), None);
        Some(Framing { coding, length, closes, keeps_alive, names_upgrade, upgrade, expects_continue })
    }

    /// How the body of a request is delimited.
    pub(crate) const fn of_request(&self) -> BodyLength {
        match (self.coding, self.length) {
            // If both are there, the transfer coding counts.
            (Some(Coding::Chunked), _) => BodyLength::Chunked,
            (Some(Coding::Other), _) => BodyLength::Unknown,
            (None, Ok(Some(length))) => BodyLength::Known(length),
            (None, Ok(None)) => BodyLength::Known(0),
            (None, Err(Unreadable)) => BodyLength::Unknown,
        }
    }

    /// How the body of a response is delimited, of one to a request with this method.
    pub(crate) fn of_response(&self, status: Option<u16>, method: &[u8]) -> BodyLength {
        match status {
            Some(101) => return BodyLength::Switched,
            Some(200..=299) if method == b"CONNECT" => return BodyLength::Switched,
            Some(100..=199 | 204 | 304) => return BodyLength::Known(0),
            _ if method == b"HEAD" => return BodyLength::Known(0),
            _ => {}
        }
        match (self.coding, self.length) {
            (Some(Coding::Chunked), _) => BodyLength::Chunked,
            (Some(Coding::Other), _) | (None, Ok(None)) => BodyLength::UntilClose,
            (None, Ok(Some(length))) => BodyLength::Known(length),
            (None, Err(Unreadable)) => BodyLength::Unknown,
        }
    }

    /// Whether the connection stays open ([RFC 9112 §9.3](https://www.rfc-editor.org/rfc/rfc9112#section-9.3)).
    pub(crate) fn is_persistent(&self, version: Http1Version) -> bool {
        !self.closes && (version >= Http1Version::HTTP_1_1 || self.keeps_alive)
    }

    /// Whether the head says itself that the connection stays open.
    pub(crate) const fn goes_on(&self) -> bool {
        self.keeps_alive && !self.closes
    }

    /// Whether the client of a request may wait with the body until the server lets it go on, and leave it out if it does not
    /// ([RFC 9110 §10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)).
    pub(crate) const fn expects_continue(&self) -> bool {
        self.expects_continue
    }

    /// The field `Upgrade`, which counts only if `Connection` names it
    /// ([RFC 9110 §7.8](https://www.rfc-editor.org/rfc/rfc9110#section-7.8)).
    pub(crate) fn upgrade(self) -> Option<Cow<'a, [u8]>> {
        self.upgrade.filter(|_| self.names_upgrade)
    }

    fn on_connection(&mut self, value: &[u8]) {
        // Nearly all that is said.
        match value {
            b"keep-alive" => return self.keeps_alive = true,
            b"close" => return self.closes = true,
            _ => {}
        }
        for item in list(value) {
            self.closes |= item.eq_ignore_ascii_case(b"close");
            self.keeps_alive |= item.eq_ignore_ascii_case(b"keep-alive");
            self.names_upgrade |= item.eq_ignore_ascii_case(b"upgrade");
        }
    }

    /// All that is said has to agree ([RFC 9110 §8.6](https://www.rfc-editor.org/rfc/rfc9110#section-8.6)).
    pub(super) fn on_length(&mut self, value: &[u8]) {
        if let (Ok(None), length @ Some(_)) = (self.length, decimal(value)) {
            return self.length = Ok(length);
        }
        for item in value.split(|&byte| byte == b',') {
            self.length = match (self.length, decimal(trim(item))) {
                (Ok(None), Some(number)) => Ok(Some(number)),
                (Ok(Some(before)), Some(number)) if before == number => Ok(Some(number)),
                _ => Err(Unreadable),
            };
        }
    }
}

impl Coding {
    /// `None` if none is listed.
    fn of(value: &[u8]) -> Option<Self> {
        let coding = list(value).last()?;
        Some(if coding.eq_ignore_ascii_case(b"chunked") { Self::Chunked } else { Self::Other })
    }
}

fn decimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |number, byte| match byte {
        b'0'..=b'9' => number.checked_mul(10)?.checked_add(u64::from(byte - b'0')),
        _ => None,
    })
}
