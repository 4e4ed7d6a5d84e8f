//! Lines of a head, and the characters that matter in them.

use core::ops::Deref;

/// Bytes of a head from one place to before another; small, as every event has some.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Place {
    /// Of places that the scanner has reached, which takes no head that is longer than a place can tell.
    pub(super) fn between(start: usize, end: usize) -> Self {
        let at = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: at(start), end: at(end) }
    }

    pub(super) fn of(self, bytes: &[u8]) -> &[u8] {
        bytes.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// Whether a text is a known one, the case of which does not count; `known` is how nearly all write it, which is told at once.
#[inline]
pub(super) fn is_text<const LEN: usize>(text: &[u8], known: &[u8; LEN]) -> bool {
    text == known || text.eq_ignore_ascii_case(known)
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

/// The first value that is not empty, or an empty one if there are no others.
pub(crate) fn first_filled<V: Deref<Target = [u8]>>(mut values: impl Iterator<Item = V>) -> Option<V> {
    let first = values.next()?;
    Some(if first.is_empty() { values.find(|value| !value.is_empty()).unwrap_or(first) } else { first })
}

/// The items of a comma separated list, without blanks around them and without empty ones
/// ([RFC 9110 §5.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1)).
pub(crate) fn list(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|&byte| byte == b',').map(trim).filter(|item| !item.is_empty())
}
