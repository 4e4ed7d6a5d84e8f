//! What requests and responses have in common.

use huginn_net_core::{Progress, Reader};

use super::lines::Line;
use super::{Headers, Http1Error, Http1Quirks, Http1Scanner};

/// A complete head, taken apart into lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) start_line: &'a [u8],
    pub(super) headers: Headers<'a>,
    /// Of lines, not of what is in them.
    line_quirks: Http1Quirks,
}

impl<'a> Head<'a> {
    /// The head at the begin of `bytes`.
    pub(super) fn parse(bytes: &'a [u8], mut scanner: Http1Scanner) -> Result<Progress<Self>, Http1Error> {
        let Progress::Done(len) = scanner.scan(bytes)? else { return Ok(Progress::NeedMore) };
        let bytes = bytes.get(..len).unwrap_or_default();
        let mut quirks = scanner.line_ends();
        let mut reader = Reader::new(bytes);
        let mut start = Line::read(&mut reader);
        while start.is_some_and(|line| line.text.is_empty()) {
            quirks.set_if(true, Http1Quirks::LEADING_EMPTY_LINE);
            start = Line::read(&mut reader);
        }
        // The scanner ends at the end of an empty line, which is the last.
        let rest = reader.rest();
        let without_lf = rest.strip_suffix(b"\n").unwrap_or(rest);
        let crs = without_lf.iter().rev().take_while(|&&byte| byte == b'\r').count();
        quirks.set_if(crs > 1, Http1Quirks::BARE_CR);
        let fields = without_lf.get(..without_lf.len().saturating_sub(crs)).unwrap_or_default();
        let headers = Headers::new(fields, scanner.fields());
        let start_line = start.map_or(&[][..], |line| line.text);
        Ok(Progress::Done(Self { bytes, start_line, headers, line_quirks: quirks }))
    }

    /// The quirks of everything but the start line.
    pub(super) fn quirks(&self) -> Http1Quirks {
        let mut quirks = self.line_quirks;
        quirks |= self.headers.quirks();
        quirks
    }

    /// A host without its port, of an authority ([RFC 3986 §3.2]) or a field `Host`.
    ///
    /// [RFC 3986 §3.2]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2
    pub(super) fn host_of(authority: &[u8]) -> &[u8] {
        let after_user = authority.rsplit(|&byte| byte == b'@').next().unwrap_or_default();
        if after_user.starts_with(b"[") {
            let end = after_user.iter().position(|&byte| byte == b']').map_or(after_user.len(), |at| at + 1);
            return after_user.get(..end).unwrap_or_default();
        }
        after_user.split(|&byte| byte == b':').next().unwrap_or_default()
    }
}
