//! What p0f calls `raw_sig`.

use core::fmt::{self, Write};
use std::borrow::Cow;

use super::{Header, Headers, Http1Version};

/// Which lists of names apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Request,
    Response,
}

impl Side {
    /// Fields that depend on what is asked for and answered, more than on who does.
    const fn optional(self) -> &'static [&'static [u8]] {
        match self {
            Self::Request => &[
                b"Cookie",
                b"Referer",
                b"Origin",
                b"Range",
                b"If-Modified-Since",
                b"If-None-Match",
                b"Via",
                b"X-Forwarded-For",
                b"Authorization",
                b"Proxy-Authorization",
                b"Cache-Control",
            ],
            Self::Response => &[
                b"Set-Cookie",
                b"Last-Modified",
                b"ETag",
                b"Content-Length",
                b"Content-Disposition",
                b"Cache-Control",
                b"Expires",
                b"Pragma",
                b"Location",
                b"Refresh",
                b"Content-Range",
                b"Vary",
            ],
        }
    }

    /// Fields that most programs send, so that it tells when they are missing.
    const fn common(self) -> &'static [&'static [u8]] {
        match self {
            Self::Request => &[
                b"Host",
                b"User-Agent",
                b"Connection",
                b"Accept",
                b"Accept-Encoding",
                b"Accept-Language",
                b"Accept-Charset",
                b"Keep-Alive",
            ],
            Self::Response => &[b"Content-Type", b"Connection", b"Keep-Alive", b"Accept-Ranges", b"Date"],
        }
    }

    /// Fields the values of which say nothing here, or are told elsewhere.
    const fn without_value(self) -> &'static [&'static [u8]] {
        match self {
            Self::Request => &[b"Host", b"User-Agent"],
            Self::Response => &[b"Date", b"Content-Type", b"Server"],
        }
    }

    const fn software(self) -> &'static [u8] {
        match self {
            Self::Request => b"User-Agent",
            Self::Response => b"Server",
        }
    }

    fn lists(self, name: &[u8]) -> bool {
        [self.optional(), self.common(), self.without_value()].into_iter().any(|list| list.contains(&name))
    }
}

/// Whether p0f has a number for a name, even without a database: in its values it stops at `|` too.
fn is_known(name: &[u8]) -> bool {
    Side::Request.lists(name) || Side::Response.lists(name)
}

/// The signature of a head, `version:headers:absent:software`, as p0f 3.09b prints it.
///
/// Displays as p0f does, byte for byte: values end where a character is not printable, at `]`, at `|` if the name is known,
/// and after 200 characters. p0f also knows the names in its signature file, see
/// [`with_names`](Self::with_names). Names
/// that p0f would not read, so that it has no signature for the head, are written with `\xNN` for each of the bytes it
/// does not allow. [`escaped`](Self::escaped) leaves nothing out of the values.
#[derive(Clone, Copy, Debug)]
pub struct RawSignature<'a> {
    side: Side,
    version: Http1Version,
    headers: Headers<'a>,
}

/// Most characters that are printed of a value.
const MAX_SHOWN: usize = 200;
/// The longest name that p0f reads.
const MAX_NAME: usize = 32;
/// Most fields that p0f reads.
const MAX_FIELDS: usize = 32;

impl<'a> RawSignature<'a> {
    pub(super) fn new(side: Side, version: Http1Version, headers: Headers<'a>) -> Option<Self> {
        version.is_known().then_some(Self { side, version, headers })
    }

    /// The names of common fields that are not there.
    pub fn absent(&self) -> impl Iterator<Item = &'static [u8]> + use<'a> {
        let common = self.side.common();
        // Neither list is longer.
        let mut present = [false; 8];
        for header in self.headers.iter() {
            let listed = common.iter().zip(&mut present).find(|(name, _)| **name == header.name());
            if let Some((_, present)) = listed {
                *present = true;
            }
        }
        common.iter().zip(present).filter(|(_, present)| !present).map(|(&name, _)| name)
    }

    /// What the program calls itself: the last `User-Agent` or `Server` that is not empty, exactly so written. `None` is
    /// what p0f calls anonymous.
    #[must_use]
    pub fn software(&self) -> Option<Cow<'a, [u8]>> {
        let named = self.headers.iter().filter(|header| header.name() == self.side.software());
        named.map(|header| header.p0f_value()).filter(|value| !value.is_empty()).last()
    }

    /// Whether the text can be read as a signature again, and alone in a field of p0f's log: no more fields than p0f
    /// reads, no name that it does not, no colon in the software, no `|` in a value.
    #[must_use]
    pub fn can_be_read_back(&self) -> bool {
        let reads = |header: Header<'_>| {
            let name = header.name();
            (1..=MAX_NAME).contains(&name.len())
                && name.iter().copied().all(is_name)
                && self.value_of(&header).is_none_or(|value| !cut(&value, is_known(name)).contains('|'))
        };
        self.headers.len() <= MAX_FIELDS
            && self.headers.iter().all(reads)
            && self.software().is_none_or(|software| !cut(&software, false).contains([':', '|']))
    }

    /// The same as p0f prints it with a signature file that has these names too, which makes it stop at `|` in their
    /// values.
    pub fn with_names<'k>(&self, is_named: &'k dyn Fn(&[u8]) -> bool) -> impl fmt::Display + use<'a, 'k> {
        WithNames { signature: *self, is_named }
    }

    /// The same with whole values, and `\xNN` for `]`, `:`, `,`, `|`, `\` and everything that is not printable ASCII, in
    /// names, values and software.
    #[must_use]
    pub fn escaped(&self) -> impl fmt::Display + use<'a> {
        Escaped(*self)
    }

    /// Appends what the signature is made of, so that nothing has to be written again of a program that was seen before.
    ///
    /// Signatures of which the same bytes are appended display alike, [`escaped`](Self::escaped) too. Their heads have
    /// fields of the same names in the same order, and the same values of those whose value is part of a signature: among
    /// them `User-Agent` and `Accept-Language` of a request, and `Server` of a response, in whatever case they are written.
    /// What the bytes are may change from one version of this crate to the next.
    #[doc(hidden)]
    pub fn append_made_of(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&[self.side as u8, self.version.0]);
        for header in self.headers.iter() {
            let name = header.name();
            let is_only_named =
                self.side.optional().contains(&name) || self.side.without_value().contains(&name);
            let shows_value = name == self.side.software() || !is_only_named;
            let part = if shows_value { header.as_sent() } else { name };
            bytes.push(shows_value.into());
            bytes.extend_from_slice(&part.len().to_be_bytes());
            bytes.extend_from_slice(part);
        }
    }

    /// The value of a field that is printed with one.
    fn value_of(&self, header: &Header<'a>) -> Option<Cow<'a, [u8]>> {
        let name = header.name();
        match self.side.optional().contains(&name) || self.side.without_value().contains(&name) {
            true => None,
            false => Some(header.p0f_value()).filter(|value| !value.is_empty()),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, style: Style<'_>) -> fmt::Result {
        write!(f, "{}:", self.version.0)?;
        for (index, header) in self.headers.iter().enumerate() {
            if index > 0 {
                f.write_char(',')?;
            }
            if self.side.optional().contains(&header.name()) {
                f.write_char('?')?;
            }
            write_escaped(f, header.name(), is_name)?;
            let Some(value) = self.value_of(&header) else { continue };
            match style {
                Style::Escaped => {
                    f.write_str("=[")?;
                    write_escaped(f, &value, is_plain)?;
                    f.write_char(']')?;
                }
                Style::P0f(is_named) => match cut(&value, is_known(header.name()) || is_named(header.name()))
                {
                    "" => {}
                    shown => write!(f, "=[{shown}]")?,
                },
            }
        }
        f.write_char(':')?;
        for (index, name) in self.absent().enumerate() {
            if index > 0 {
                f.write_char(',')?;
            }
            write_escaped(f, name, is_name)?;
        }
        f.write_char(':')?;
        match (self.software(), style) {
            (Some(software), Style::Escaped) => write_escaped(f, &software, is_plain),
            (Some(software), Style::P0f(_)) => f.write_str(cut(&software, false)),
            (None, _) => Ok(()),
        }
    }
}

impl fmt::Display for RawSignature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Style::P0f(&|_| false))
    }
}

/// How values are written.
#[derive(Clone, Copy)]
enum Style<'k> {
    /// As p0f does that knows more names.
    P0f(&'k dyn Fn(&[u8]) -> bool),
    Escaped,
}

struct WithNames<'a, 'k> {
    signature: RawSignature<'a>,
    is_named: &'k dyn Fn(&[u8]) -> bool,
}

impl fmt::Display for WithNames<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.signature.write(f, Style::P0f(self.is_named))
    }
}

struct Escaped<'a>(RawSignature<'a>);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, Style::Escaped)
    }
}

/// What p0f prints of a value.
fn cut(value: &[u8], at_bar: bool) -> &str {
    let ends = |byte: u8| !(0x20..0x80).contains(&byte) || byte == b']' || (at_bar && byte == b'|');
    let len = value.iter().take(MAX_SHOWN).position(|&byte| ends(byte)).unwrap_or(MAX_SHOWN.min(value.len()));
    // It is ASCII.
    value.get(..len).and_then(|shown| core::str::from_utf8(shown).ok()).unwrap_or_default()
}

fn write_escaped(f: &mut fmt::Formatter<'_>, bytes: &[u8], is_plain: fn(u8) -> bool) -> fmt::Result {
    // Nearly all are.
    if let (true, Ok(text)) = (bytes.iter().copied().all(is_plain), core::str::from_utf8(bytes)) {
        return f.write_str(text);
    }
    bytes.iter().try_for_each(|&byte| match is_plain(byte) {
        true => f.write_char(char::from(byte)),
        false => write!(f, "\\x{byte:02x}"),
    })
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

const fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b']' | b':' | b',' | b'|' | b'\\')
}
