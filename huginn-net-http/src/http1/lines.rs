//! Lines of a head, and the characters that matter in them.

use huginn_net_core::Reader;
use memchr::memchr;

/// A line without what ends it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) text: &'a [u8],
    /// Whether the LF has a CR before it, which is not in `text`.
    pub(super) has_cr: bool,
}

impl<'a> Line<'a> {
    /// Takes the next line. `None` if there is no LF any more.
    pub(super) fn read(reader: &mut Reader<'a>) -> Option<Self> {
        let len = memchr(b'\n', reader.rest())?;
        let text = reader.take(len, "line").ok()?;
        reader.skip(1, "LF").ok()?;
        Some(Self::before_lf(text))
    }

    /// The line that an LF behind `text` ends.
    pub(super) const fn before_lf(text: &'a [u8]) -> Self {
        match text {
            [text @ .., b'\r'] => Self { text, has_cr: true },
            _ => Self { text, has_cr: false },
        }
    }

    /// Whether it ends a head: nothing in it, not even of CRs more than one, where p0f 3.09b stops as well.
    pub(super) fn is_empty(&self) -> bool {
        self.text.iter().all(|&byte| byte == b'\r')
    }

    /// Whether it carries on the field before it ([RFC 9112 §5.2]).
    ///
    /// [RFC 9112 §5.2]: https://www.rfc-editor.org/rfc/rfc9112#section-5.2
    pub(super) fn is_folded(&self) -> bool {
        self.text.first().copied().is_some_and(is_blank)
    }
}

/// A blank or a tab.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A character of a token ([RFC 9110 §5.6.2](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2)).
pub(super) const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'
                | b'$'
                | b'%'
                | b'&'
                | b'\''
                | b'*'
                | b'+'
                | b'-'
                | b'.'
                | b'^'
                | b'_'
                | b'`'
                | b'|'
                | b'~'
        )
}

/// Without blanks and tabs at both ends.
pub(super) fn trim(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&byte| !is_blank(byte)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|&byte| !is_blank(byte)).map_or(start, |last| last + 1);
    bytes.get(start..end).unwrap_or_default()
}

/// The items of a comma separated list, without blanks around them and without empty ones
/// ([RFC 9110 §5.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1)).
pub(crate) fn list(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|&byte| byte == b',').map(trim).filter(|item| !item.is_empty())
}
