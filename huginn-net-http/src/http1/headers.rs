//! The fields of a head.

use core::fmt;
use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::Http1Quirks;
use super::lines::{first_filled, is_blank, is_token, trim};

/// The fields of a head in the order in which they were sent, repeated and malformed ones too.
#[derive(Clone, Copy)]
pub struct Headers<'a> {
    /// Complete lines.
    block: &'a [u8],
    len: usize,
}

impl<'a> Headers<'a> {
    /// So many fields in complete lines, without the empty one.
    pub(super) const fn new(block: &'a [u8], len: usize) -> Self {
        Self { block, len }
    }

    /// Number of fields.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The lines of all fields as they were sent, with what ends each of them.
    #[must_use]
    pub const fn as_sent(&self) -> &'a [u8] {
        self.block
    }

    /// The fields.
    pub fn iter(&self) -> impl Iterator<Item = Header<'a>> + Clone + use<'a> {
        HeaderIter { rest: self.block }
    }

    /// The first field of a name, the case of which does not count.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Header<'a>> {
        self.get_all(name).next()
    }

    /// All fields of a name, the case of which does not count.
    pub fn get_all<'n>(&self, name: &'n str) -> impl Iterator<Item = Header<'a>> + use<'a, 'n> {
        self.iter().filter(move |header| header.name.eq_ignore_ascii_case(name.as_bytes()))
    }

    /// The value of the first field of a name that has one; empty if none of them does.
    pub(super) fn first_value(&self, name: &str) -> Option<Cow<'a, [u8]>> {
        first_filled(self.get_all(name).map(|header| header.value()))
    }

    /// The quirks of all fields.
    pub(super) fn quirks(&self) -> Http1Quirks {
        let mut quirks = Http1Quirks::NONE;
        for header in self.iter() {
            quirks |= header.quirks();
        }
        quirks
    }
}

impl fmt::Debug for Headers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[derive(Clone)]
struct HeaderIter<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for HeaderIter<'a> {
    type Item = Header<'a>;

    fn next(&mut self) -> Option<Header<'a>> {
        let start = self.rest;
        // There are mostly so many bytes that none is looked at alone.
        let colon = memchr2(b':', b'\n', start)?;
        let mut lf = colon + memchr(b'\n', start.get(colon..)?)?;
        let first = lf;
        while start.get(lf + 1).copied().is_some_and(is_blank) {
            lf += 1 + memchr(b'\n', start.get(lf + 1..)?)?;
        }
        let (lines, rest) = start.split_at_checked(lf + 1)?;
        self.rest = rest;
        let line = match lines {
            [line @ .., b'\r', _] | [line @ .., _] => line,
            [] => lines,
        };
        let is_folded = lf > first;
        let has_colon = start.get(colon) == Some(&b':');
        let (name, after_colon) = match has_colon {
            true => (line.get(..colon).unwrap_or_default(), line.get(colon + 1..).unwrap_or_default()),
            false => (&[][..], line),
        };
        let end = name.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
        let name = name.get(..end).unwrap_or_default();
        Some(Header { line, name, after_colon, has_colon, is_folded })
    }
}

/// A field of a head ([RFC 9112 §5]), or a line that should be one.
///
/// [RFC 9112 §5]: https://www.rfc-editor.org/rfc/rfc9112#section-5
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Header<'a> {
    line: &'a [u8],
    name: &'a [u8],
    after_colon: &'a [u8],
    has_colon: bool,
    is_folded: bool,
}

impl<'a> Header<'a> {
    /// The name as it was sent, without blanks before the colon. Empty for a line without a colon.
    #[must_use]
    pub const fn name(&self) -> &'a [u8] {
        self.name
    }

    /// The value without blanks around it ([RFC 9112 §5.1]), with one blank for the end of each folded line
    /// ([RFC 9112 §5.2]). Of a line without a colon, all of it.
    ///
    /// [RFC 9112 §5.1]: https://www.rfc-editor.org/rfc/rfc9112#section-5.1
    /// [RFC 9112 §5.2]: https://www.rfc-editor.org/rfc/rfc9112#section-5.2
    #[must_use]
    pub fn value(&self) -> Cow<'a, [u8]> {
        self.unfolded(trim(self.after_colon))
    }

    /// The field as it was sent: name, colon, value and the ends of lines within, without that of the last one.
    #[must_use]
    pub const fn as_sent(&self) -> &'a [u8] {
        self.line
    }

    /// The value as p0f 3.09b has it: one blank or tab behind the colon is left out, others are part of it.
    pub(super) fn p0f_value(&self) -> Cow<'a, [u8]> {
        self.unfolded(self.after_one_blank())
    }

    /// The value as p0f 3.09b compares it with signatures: one blank or tab behind the colon is left out, others are part of
    /// it. `None` of a folded field, which p0f does not read.
    #[must_use]
    pub fn compared_value(&self) -> Option<&'a [u8]> {
        (!self.is_folded).then(|| self.after_one_blank())
    }

    fn after_one_blank(&self) -> &'a [u8] {
        match self.after_colon {
            [first, rest @ ..] if self.has_colon && is_blank(*first) => rest,
            all => all,
        }
    }

    fn unfolded(&self, value: &'a [u8]) -> Cow<'a, [u8]> {
        if !self.is_folded {
            return Cow::Borrowed(value);
        }
        let mut joined = Vec::with_capacity(value.len());
        for (index, line) in folded_lines(value).enumerate() {
            if index > 0 {
                joined.push(b' ');
            }
            // Blanks around the end of a line are part of the fold.
            joined.extend_from_slice(trim(line));
        }
        Cow::Owned(joined)
    }

    /// How the field is written.
    #[must_use]
    pub fn quirks(&self) -> Http1Quirks {
        let mut quirks = Http1Quirks::NONE;
        if self.is_folded {
            quirks |= Http1Quirks::OBS_FOLD;
            for line in folded_lines(self.line) {
                quirks |= Http1Quirks::of_bytes(line);
            }
        } else {
            quirks |= Http1Quirks::of_bytes(self.line);
        }
        if !self.has_colon {
            quirks |= Http1Quirks::NO_COLON;
            return quirks;
        }
        let blanks = self.line.len() - self.name.len() - 1 - self.after_colon.len();
        quirks.set_if(blanks > 0, Http1Quirks::SPACE_BEFORE_COLON);
        quirks
            .set_if(self.name.is_empty() || !self.name.iter().copied().all(is_token), Http1Quirks::BAD_NAME);
        match self.after_colon {
            [] | [b' '] => {}
            [first, rest @ ..] => {
                quirks.set_if(!is_blank(*first), Http1Quirks::NO_SPACE);
                let before_value = self.after_colon.iter().take_while(|&&byte| is_blank(byte));
                quirks.set_if(before_value.clone().any(|&byte| byte == b'\t'), Http1Quirks::TAB);
                let second = rest.first().copied().is_some_and(is_blank);
                quirks.set_if(is_blank(*first) && second, Http1Quirks::MULTI_SPACE);
            }
        }
        quirks
    }
}

/// Lines of a folded field; the last one may end without an LF.
fn folded_lines(field: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = field.split_inclusive(|&byte| byte == b'\n');
    lines.map(|line| match line.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => line,
    })
}

impl fmt::Debug for Header<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.line.escape_ascii())
    }
}
