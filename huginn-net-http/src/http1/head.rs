//! What requests and responses have in common.

use core::fmt;

use huginn_net_core::{BytesKeeper, SharedBytes};
use memchr::{memchr, memrchr};

use super::lines::Place;
use super::{HeadShape, Headers, Http1Quirks, Http1Scanner};

/// A complete head, taken apart into lines.
#[derive(Clone, Copy)]
pub(super) struct Head<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) start_line: &'a [u8],
    pub(super) headers: Headers<'a>,
    places: Places,
}

/// Where the parts of a head lie in its bytes, and what the scanner found out about them.
#[derive(Clone, Copy)]
struct Places {
    start_line: Place,
    fields: Place,
    field_count: usize,
    shape: Option<HeadShape>,
    /// Of lines, not of what is in them.
    line_quirks: Http1Quirks,
}

impl fmt::Debug for Places {
    /// Without the shape, which depends on the heads before this one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Places")
            .field("start_line", &self.start_line)
            .field("fields", &self.fields)
            .field("field_count", &self.field_count)
            .field("line_quirks", &self.line_quirks)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Head<'_> {
    /// As text, each line once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Head")
            .field("start_line", &format_args!("\"{}\"", self.start_line.escape_ascii()))
            .field("headers", &self.headers)
            .field("bytes", &self.bytes.len())
            .field("places", &self.places)
            .finish()
    }
}

/// A head with a copy of its bytes, and what was found out about its start line. It is not read again.
#[derive(Clone)]
pub(crate) struct OwnedHead<Line> {
    bytes: SharedBytes,
    places: Places,
    line: Line,
}

/// The bytes of a complete head say all that was found out, but for the shape, which depends on the heads before this one.
impl<Line> PartialEq for OwnedHead<Line> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<Line> Eq for OwnedHead<Line> {}

impl<Line: Copy> OwnedHead<Line> {
    pub(super) fn borrowed(&self) -> (Head<'_>, Line) {
        (self.places.head(&self.bytes), self.line)
    }
}

impl Places {
    fn head(self, bytes: &[u8]) -> Head<'_> {
        let headers = Headers::new(self.fields.of(bytes), self.field_count);
        Head { bytes, start_line: self.start_line.of(bytes), headers, places: self }
    }
}

impl<'a> Head<'a> {
    /// The head that a scanner has found at the begin of `bytes`.
    pub(super) fn of_scanned(bytes: &'a [u8], scanner: &Http1Scanner) -> Self {
        let bytes = bytes.get(..scanner.len()).unwrap_or_default();
        let mut quirks = scanner.line_ends();
        let start_line = scanner.start_line();
        quirks.set_if(start_line.start > 0, Http1Quirks::LEADING_EMPTY_LINE);
        // The scanner ends at the end of an empty line, which is the last.
        let start = scanner.fields_at();
        let rest = bytes.get(start..).unwrap_or_default();
        let without_lf = rest.strip_suffix(b"\n").unwrap_or(rest);
        let crs = without_lf.iter().rev().take_while(|&&byte| byte == b'\r').count();
        quirks.set_if(crs > 1, Http1Quirks::BARE_CR);
        let places = Places {
            start_line,
            fields: Place::between(start, start + without_lf.len() - crs),
            field_count: scanner.fields(),
            shape: scanner.shape(),
            line_quirks: quirks,
        };
        places.head(bytes)
    }

    pub(super) fn into_owned<Line>(self, line: Line, keeper: &mut BytesKeeper) -> OwnedHead<Line> {
        OwnedHead { bytes: keeper.copy(self.bytes), places: self.places, line }
    }

    /// What it has in common with others.
    pub(super) const fn shape(&self) -> Option<HeadShape> {
        self.places.shape
    }

    /// The quirks of everything but the start line.
    pub(super) fn quirks(&self) -> Http1Quirks {
        let mut quirks = self.places.line_quirks;
        quirks |= self.headers.quirks();
        quirks
    }
}

/// A host without its port, of an authority ([RFC 3986 §3.2]) or a field `Host`.
///
/// [RFC 3986 §3.2]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2
pub(crate) fn host_of(authority: &[u8]) -> &[u8] {
    let after_user = memrchr(b'@', authority).and_then(|at| authority.get(at + 1..)).unwrap_or(authority);
    let end = match after_user.first() {
        Some(b'[') => memchr(b']', after_user).map(|at| at + 1),
        // Several colons are those of an IPv6 address without its brackets: nobody knows whether the last has a port behind it.
        _ => memchr(b':', after_user).filter(|&at| memrchr(b':', after_user) == Some(at)),
    };
    end.and_then(|end| after_user.get(..end)).unwrap_or(after_user)
}
