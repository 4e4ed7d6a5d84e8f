//! JA4 of a client.
//!
//! `a_b_c`: what kind of hello (`t13d1516h2`), the cipher suites, and the extensions with the signature algorithms. Values
//! of GREASE (RFC 8701) are left out everywhere. JA4 is a method of FoxIO, published under the BSD 3-clause licence; see
//! `LICENSE-JA4`.

mod cache;
pub(crate) mod list;
mod part;
mod written;

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

pub use self::cache::Ja4Cache;
use self::list::List;
use self::part::Part;
pub(crate) use self::part::hex4;
pub use self::written::{Ja4ListHashes, Ja4Lists, ParseListsError};
use crate::client_hello::{Carrier, ClientHello, LowTypes};
use crate::numbers::{ExtensionType, ProtocolVersion};
use crate::text::{Text, append, display};

macro_rules! hashed_form {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; LENGTH]);

        impl $name {
            /// The 36 characters.
            #[must_use]
            pub const fn as_str(&self) -> &str {
                ascii(&self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.as_str()).finish()
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }

        impl FromStr for $name {
            type Err = ParseJa4Error;

            fn from_str(text: &str) -> Result<Self, ParseJa4Error> {
                parse(text).map(Self)
            }
        }
    };
}

const LENGTH: usize = 36;
/// Hexadecimal digits of a hash that are kept.
const DIGITS: usize = 12;

hashed_form! {
    /// JA4: lists sorted, server name and ALPN left out of the hash.
    ///
    /// ```
    /// use huginn_net_tls::Ja4;
    ///
    /// let ja4: Ja4 = "t13d1516h2_8daaf6152771_e5627efa2ab1".parse()?;
    /// assert_eq!(ja4, "t13d1516h2_8daaf6152771_e5627efa2ab1");
    /// assert!("t13d1516h2_8DAAF6152771_e5627efa2ab1".parse::<Ja4>().is_err());
    /// # Ok::<(), huginn_net_tls::ParseJa4Error>(())
    /// ```
    Ja4
}

hashed_form! {
    /// JA4_o: lists in the order of the hello, server name and ALPN in the hash.
    Ja4Original
}

hashed_form! {
    /// JA4_s1: JA4 without the extensions that come and go with sessions and lengths (`padding`, `session_ticket`,
    /// `pre_shared_key`, `early_data`), so that it stays the same when a client resumes a session.
    Ja4Stable
}

/// A text that is no JA4: not 36 characters of the form `t13d1516h2_8daaf6152771_e5627efa2ab1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("no JA4: 36 characters of the form t13d1516h2_8daaf6152771_e5627efa2ab1 are expected")]
#[non_exhaustive]
pub struct ParseJa4Error;

/// Where there is more than one reading of JA4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Ja4Options {
    /// Takes the *newest* version a DTLS client offers, `d3` for DTLS 1.3. Otherwise the numerically greatest, which is the
    /// oldest, as other programs do.
    pub dtls_protocol_order: bool,
}

impl Ja4Options {
    /// With this [`dtls_protocol_order`](Self::dtls_protocol_order).
    #[must_use]
    pub const fn with_dtls_protocol_order(self, dtls_protocol_order: bool) -> Self {
        Self { dtls_protocol_order, ..self }
    }

    /// The version that is told.
    #[inline]
    fn version_of(self, hello: &ClientHello<'_>) -> ProtocolVersion {
        if self.dtls_protocol_order { hello.newest_version() } else { hello.version() }
    }
}

impl Ja4Stable {
    /// The extensions that it leaves out.
    pub const LEFT_OUT: [ExtensionType; 4] = [
        ExtensionType::PADDING,
        ExtensionType::SESSION_TICKET,
        ExtensionType::PRE_SHARED_KEY,
        ExtensionType::EARLY_DATA,
    ];
}

impl<'a> ClientHello<'a> {
    /// JA4.
    #[must_use]
    pub fn ja4(&self) -> Ja4 {
        Ja4(hashed(self, Form::Sorted, Ja4Options::default()))
    }

    /// JA4_o: as sent, server name and ALPN included.
    #[must_use]
    pub fn ja4_o(&self) -> Ja4Original {
        Ja4Original(hashed(self, Form::AsSent, Ja4Options::default()))
    }

    /// JA4_s1: without what changes from session to session.
    #[must_use]
    pub fn ja4_s1(&self) -> Ja4Stable {
        Ja4Stable(hashed(self, Form::Stable, Ja4Options::default()))
    }

    /// JA4_r: JA4 with its lists instead of their hashes.
    #[must_use]
    pub fn ja4_r(&self) -> Ja4Text<'a> {
        self.ja4_forms(Ja4Options::default()).ja4_r()
    }

    /// JA4_ro: JA4_o with its lists instead of their hashes.
    #[must_use]
    pub fn ja4_ro(&self) -> Ja4Text<'a> {
        self.ja4_forms(Ja4Options::default()).ja4_ro()
    }

    /// JA4_s1r: JA4_s1 with its lists instead of their hashes.
    #[must_use]
    pub fn ja4_s1r(&self) -> Ja4Text<'a> {
        self.ja4_forms(Ja4Options::default()).ja4_s1r()
    }

    /// All forms, with options.
    #[must_use]
    pub const fn ja4_forms(&self, options: Ja4Options) -> Ja4Forms<'a> {
        Ja4Forms { hello: *self, options }
    }
}

/// The forms of JA4 of one hello, each computed when it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Ja4Forms<'a> {
    hello: ClientHello<'a>,
    options: Ja4Options,
}

impl<'a> Ja4Forms<'a> {
    /// See [`ClientHello::ja4`].
    #[must_use]
    pub fn ja4(&self) -> Ja4 {
        Ja4(hashed(&self.hello, Form::Sorted, self.options))
    }

    /// See [`ClientHello::ja4_o`].
    #[must_use]
    pub fn ja4_o(&self) -> Ja4Original {
        Ja4Original(hashed(&self.hello, Form::AsSent, self.options))
    }

    /// See [`ClientHello::ja4_s1`].
    #[must_use]
    pub fn ja4_s1(&self) -> Ja4Stable {
        Ja4Stable(hashed(&self.hello, Form::Stable, self.options))
    }

    /// See [`ClientHello::ja4_r`].
    #[must_use]
    pub const fn ja4_r(&self) -> Ja4Text<'a> {
        Ja4Text { forms: *self, form: Form::Sorted }
    }

    /// See [`ClientHello::ja4_ro`].
    #[must_use]
    pub const fn ja4_ro(&self) -> Ja4Text<'a> {
        Ja4Text { forms: *self, form: Form::AsSent }
    }

    /// See [`ClientHello::ja4_s1r`].
    #[must_use]
    pub const fn ja4_s1r(&self) -> Ja4Text<'a> {
        Ja4Text { forms: *self, form: Form::Stable }
    }
}

fn hashed(hello: &ClientHello<'_>, form: Form, options: Ja4Options) -> [u8; LENGTH] {
    let mut sections = Sections::new(form);
    sections.read(hello, form, options);
    sections.b.sort();
    let [b, c] = Part::hash_both(&sections.b, &sections.c);
    sections.with_digits(b, c)
}

/// A form of JA4 that writes its lists out. It has no fixed length; [`Display`](fmt::Display) writes it.
#[derive(Clone, Copy, Debug)]
pub struct Ja4Text<'a> {
    forms: Ja4Forms<'a>,
    form: Form,
}

impl Ja4Text<'_> {
    /// Appends the text to bytes, which it is faster than to display it.
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        append(self, bytes);
    }
}

impl Text for Ja4Text<'_> {
    fn write<E>(&self, mut out: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut sections = Sections::new(self.form);
        sections.read(&self.forms.hello, self.form, self.forms.options);
        out(&sections.a)?;
        for part in [&mut sections.b, &mut sections.c] {
            part.sort();
            out(b"_")?;
            part.write(&mut out)?;
        }
        Ok(())
    }
}

impl fmt::Display for Ja4Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Sorted,
    AsSent,
    Stable,
}

impl Form {
    /// Extensions that count, but are not in the list that is hashed.
    #[inline]
    const fn unlisted(self) -> LowTypes {
        match self {
            Self::AsSent => LowTypes::of([]),
            Self::Sorted | Self::Stable => LowTypes::of([ExtensionType::SERVER_NAME, ExtensionType::ALPN]),
        }
    }

    /// Extensions that do not count among their number, nor are in the list.
    #[inline]
    const fn uncounted(self) -> LowTypes {
        match self {
            Self::AsSent | Self::Sorted => LowTypes::of([]),
            Self::Stable => LowTypes::of(Ja4Stable::LEFT_OUT),
        }
    }

    /// Whether an extension counts among their number.
    fn counts(self, kind: u16) -> bool {
        !self.uncounted().contains(kind)
    }

    /// Whether an extension is in the list that is hashed.
    fn lists(self, kind: u16) -> bool {
        self.counts(kind) && !self.unlisted().contains(kind)
    }
}

/// What a form is written from. Extensions are in their order, cipher suites as they were sent.
struct Sections {
    a: [u8; 10],
    b: Part,
    c: Part,
}

impl Sections {
    /// Those of a form of nothing.
    #[inline]
    const fn new(form: Form) -> Self {
        Self { a: [0; 10], b: Part::new(!matches!(form, Form::AsSent)), c: Part::new(false) }
    }

    /// Filled in place, as they are large.
    #[inline]
    fn read(&mut self, hello: &ClientHello<'_>, form: Form, options: Ja4Options) {
        let ciphers = &mut self.b;
        ciphers.numbers.extend_from(hello.cipher_suites());
        ciphers.underscore = ciphers.numbers.as_slice().len();

        let extensions = &mut self.c;
        let extension_count = extensions.numbers.extend_with_types(hello, form);
        extensions.underscore = extensions.numbers.as_slice().len();
        extensions.numbers.extend_from(hello.signature_algorithms());

        let carrier = match hello.carrier() {
            Carrier::Tcp => b't',
            Carrier::Quic => b'q',
            Carrier::Dtls => b'd',
        };
        let [v0, v1] = version_code(options.version_of(hello));
        let name = if hello.has_server_name() { b'd' } else { b'i' };
        let [c0, c1] = two_digits(self.b.underscore);
        let [e0, e1] = two_digits(extension_count);
        let [p0, p1] = alpn_code(hello.alpn().next().unwrap_or_default());
        self.a = [carrier, v0, v1, name, c0, c1, e0, e1, p0, p1];
    }

    /// The form whose parts b and c have these digits.
    #[inline]
    fn with_digits(&self, b: [u8; DIGITS], c: [u8; DIGITS]) -> [u8; LENGTH] {
        let mut text = [b'_'; LENGTH];
        let (start, rest) = text.split_at_mut(self.a.len());
        start.copy_from_slice(&self.a);
        for ([_, place @ ..], digits) in rest.as_chunks_mut::<{ 1 + DIGITS }>().0.iter_mut().zip([b, c]) {
            *place = digits;
        }
        text
    }
}

impl List {
    /// Adds the types of extensions in the order of a form, first of all; how many count.
    #[inline]
    fn extend_with_types(&mut self, hello: &ClientHello<'_>, form: Form) -> usize {
        if form == Form::AsSent {
            self.extend(hello.extensions().kinds_without_grease().map(u16::from));
        } else {
            self.extend_with_sorted_types(hello, form.uncounted().with(form.unlisted()));
        }
        match hello.extension_types() {
            Some((low, high)) => low.without(form.uncounted()).len() + high.len(),
            None => {
                let kinds = hello.extensions().kinds_without_grease();
                kinds.filter(|&ExtensionType(kind)| form.counts(kind)).count()
            }
        }
    }

    /// Adds the sorted types of extensions, first of all, but for GREASE and these.
    #[inline]
    pub(crate) fn extend_with_sorted_types(&mut self, hello: &ClientHello<'_>, left_out: LowTypes) {
        match hello.extension_types() {
            Some((low, high)) => {
                self.extend(low.without(left_out));
                let lowest = self.as_slice().len();
                self.extend(high.iter().copied());
                if let Some(high) = self.as_mut_slice().get_mut(lowest..) {
                    high.sort_unstable();
                }
            }
            None => {
                let kinds = hello.extensions().kinds_without_grease().map(u16::from);
                self.extend(kinds.filter(|&kind| !left_out.contains(kind)));
                self.as_mut_slice().sort_unstable();
            }
        }
    }
}

const fn version_code(version: ProtocolVersion) -> [u8; 2] {
    *match version {
        ProtocolVersion::TLS_1_3 => b"13",
        ProtocolVersion::TLS_1_2 => b"12",
        ProtocolVersion::TLS_1_1 => b"11",
        ProtocolVersion::TLS_1_0 => b"10",
        ProtocolVersion::SSL_3 => b"s3",
        ProtocolVersion::SSL_2 => b"s2",
        ProtocolVersion::DTLS_1_0 => b"d1",
        ProtocolVersion::DTLS_1_2 => b"d2",
        ProtocolVersion::DTLS_1_3 => b"d3",
        _ => b"00",
    }
}

/// The first and last character of the first protocol name; of its hexadecimal form if one of them is no ASCII letter or
/// digit.
fn alpn_code(name: &[u8]) -> [u8; 2] {
    let (Some(&first), Some(&last)) = (name.first(), name.last()) else { return *b"00" };
    if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() {
        return [first, last];
    }
    let [digit, _, _, _] = hex4(u16::from_be_bytes([first, 0]));
    let [_, _, _, last_digit] = hex4(u16::from(last));
    [digit, last_digit]
}

/// A count in two digits; 99 stands for more as well.
fn two_digits(count: usize) -> [u8; 2] {
    let count = u8::try_from(count).unwrap_or(99).min(99);
    [b'0' + count / 10, b'0' + count % 10]
}

/// Text that this module has made itself, or checked.
pub(crate) const fn ascii(text: &[u8]) -> &str {
    match core::str::from_utf8(text) {
        Ok(text) => text,
        Err(_) => "",
    }
}

fn parse(text: &str) -> Result<[u8; LENGTH], ParseJa4Error> {
    let bytes: [u8; LENGTH] = text.as_bytes().try_into().map_err(|_| ParseJa4Error)?;
    let (a, parts) = bytes.split_first_chunk().ok_or(ParseJa4Error)?;
    let is_part = |part: &[u8; 1 + DIGITS]| {
        let [underscore, digits @ ..] = part;
        *underscore == b'_' && digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    };
    if is_part_a(a) && parts.as_chunks().0.iter().all(is_part) { Ok(bytes) } else { Err(ParseJa4Error) }
}

/// Carrier, version, whether there is a server name, two counts of two digits, and two characters of ALPN.
fn is_part_a(a: &[u8; 10]) -> bool {
    let [carrier, v0, v1, name, counts @ .., p0, p1] = a;
    matches!(carrier, b't' | b'q' | b'd')
        && matches!(v0, b'0' | b'1' | b's' | b'd')
        && matches!(v1, b'0'..=b'3')
        && matches!(name, b'd' | b'i')
        && counts.iter().all(u8::is_ascii_digit)
        && p0.is_ascii_alphanumeric()
        && p1.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests;
