//! JA4 of a client.
//!
//! `a_b_c`: what kind of hello (`t13d1516h2`), the cipher suites, and the extensions with the signature algorithms. Values
//! of GREASE (RFC 8701) are left out everywhere. JA4 is a method of FoxIO, published under the BSD 3-clause licence; see
//! `LICENSE-JA4`.

use core::fmt;
use core::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::client_hello::{Carrier, ClientHello};
use crate::numbers::{ExtensionType, ProtocolVersion};

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

        impl FromStr for $name {
            type Err = ParseJa4Error;

            fn from_str(text: &str) -> Result<Self, ParseJa4Error> {
                parse(text).map(Self)
            }
        }
    };
}

const LENGTH: usize = 36;

hashed_form! {
    /// JA4: lists sorted, server name and ALPN left out of the hash.
    ///
    /// ```
    /// use huginn_net_tls::Ja4;
    ///
    /// let ja4: Ja4 = "t13d1516h2_8daaf6152771_e5627efa2ab1".parse()?;
    /// assert_eq!(ja4.as_str(), "t13d1516h2_8daaf6152771_e5627efa2ab1");
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
}

impl<'a> ClientHello<'a> {
    /// JA4.
    #[must_use]
    pub fn ja4(&self) -> Ja4 {
        Ja4(Sections::of(self, Form::Sorted, Ja4Options::default()).hashed())
    }

    /// JA4_o: as sent, server name and ALPN included.
    #[must_use]
    pub fn ja4_o(&self) -> Ja4Original {
        Ja4Original(Sections::of(self, Form::AsSent, Ja4Options::default()).hashed())
    }

    /// JA4_s1: without what changes from session to session.
    #[must_use]
    pub fn ja4_s1(&self) -> Ja4Stable {
        Ja4Stable(Sections::of(self, Form::Stable, Ja4Options::default()).hashed())
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
        Ja4(self.sections(Form::Sorted).hashed())
    }

    /// See [`ClientHello::ja4_o`].
    #[must_use]
    pub fn ja4_o(&self) -> Ja4Original {
        Ja4Original(self.sections(Form::AsSent).hashed())
    }

    /// See [`ClientHello::ja4_s1`].
    #[must_use]
    pub fn ja4_s1(&self) -> Ja4Stable {
        Ja4Stable(self.sections(Form::Stable).hashed())
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

    fn sections(&self, form: Form) -> Sections {
        Sections::of(&self.hello, form, self.options)
    }
}

/// A form of JA4 that writes its lists out. It has no fixed length; [`Display`](fmt::Display) writes it.
#[derive(Clone, Copy, Debug)]
pub struct Ja4Text<'a> {
    forms: Ja4Forms<'a>,
    form: Form,
}

impl fmt::Display for Ja4Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sections = self.forms.sections(self.form);
        f.write_str(ascii(&sections.a))?;
        for part in [&sections.b, &sections.c] {
            f.write_str("_")?;
            let mut result = Ok(());
            part.write(|text| result = result.and_then(|()| f.write_str(ascii(text))));
            result?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Sorted,
    AsSent,
    Stable,
}

impl Form {
    /// Whether an extension is in the list that is hashed.
    #[inline]
    fn lists(self, kind: ExtensionType) -> bool {
        match self {
            Self::AsSent => true,
            Self::Sorted => !matches!(kind, ExtensionType::SERVER_NAME | ExtensionType::ALPN),
            Self::Stable => Self::Sorted.lists(kind) && self.counts(kind),
        }
    }

    /// Whether an extension counts among the number of extensions.
    #[inline]
    fn counts(self, kind: ExtensionType) -> bool {
        self != Self::Stable
            || !matches!(
                kind,
                ExtensionType::PADDING
                    | ExtensionType::SESSION_TICKET
                    | ExtensionType::PRE_SHARED_KEY
                    | ExtensionType::EARLY_DATA
            )
    }
}

/// What a form is written from.
struct Sections {
    a: [u8; 10],
    b: Part,
    c: Part,
}

impl Sections {
    #[inline]
    fn of(hello: &ClientHello<'_>, form: Form, options: Ja4Options) -> Self {
        let mut ciphers = Numbers::new();
        ciphers.extend(hello.cipher_suites().values());
        let cipher_count = ciphers.as_slice().len();

        let mut extensions = Numbers::new();
        let mut extension_count = 0;
        let kinds = hello.extensions().kinds_without_grease().filter(|&kind| form.counts(kind));
        let listed = kinds.filter(|&kind| {
            extension_count += 1;
            form.lists(kind)
        });
        extensions.extend(listed.map(u16::from));
        let listed = extensions.as_slice().len();

        if form != Form::AsSent {
            ciphers.sort();
            extensions.sort();
        }
        extensions.extend(hello.signature_algorithms().values());

        let carrier = match hello.carrier() {
            Carrier::Tcp => b't',
            Carrier::Quic => b'q',
            Carrier::Dtls => b'd',
        };
        let version = if options.dtls_protocol_order { hello.newest_version() } else { hello.version() };
        let [v0, v1] = version_code(version);
        let name = if hello.has_server_name() { b'd' } else { b'i' };
        let [c0, c1] = two_digits(cipher_count);
        let [e0, e1] = two_digits(extension_count);
        let [p0, p1] = alpn_code(hello.alpn().next().unwrap_or_default());
        Self {
            a: [carrier, v0, v1, name, c0, c1, e0, e1, p0, p1],
            b: Part { numbers: ciphers, underscore: cipher_count },
            c: Part { numbers: extensions, underscore: listed },
        }
    }

    #[inline]
    fn hashed(&self) -> [u8; LENGTH] {
        let mut text = [b'_'; LENGTH];
        let (a, rest) = text.split_at_mut(self.a.len());
        a.copy_from_slice(&self.a);
        for (place, part) in rest.chunks_exact_mut(13).zip([&self.b, &self.c]) {
            place.iter_mut().skip(1).zip(part.hash()).for_each(|(place, digit)| *place = digit);
        }
        text
    }
}

/// Part b or c: numbers in hexadecimal with commas between them.
struct Part {
    numbers: Numbers,
    /// Which number has an underscore in front of it instead.
    underscore: usize,
}

impl Part {
    /// Numbers written at once: more than nearly every client sends.
    const AT_ONCE: usize = 64;

    /// Hands the text to `out`, in pieces.
    #[inline]
    fn write(&self, mut out: impl FnMut(&[u8])) {
        let mut first = true;
        let mut underscore = Some(self.underscore);
        for numbers in self.numbers.as_slice().chunks(Self::AT_ONCE) {
            let mut text = [[0; 5]; Self::AT_ONCE];
            for (place, &number) in text.iter_mut().zip(numbers) {
                let [a, b, c, d] = hex4(number);
                *place = [b',', a, b, c, d];
            }
            if let Some([separator, ..]) = underscore.and_then(|index| text.get_mut(index)) {
                *separator = b'_';
            }
            let text = text.get(..numbers.len()).unwrap_or_default().as_flattened();
            // Nothing stands in front of the first number.
            out(text.get(usize::from(first)..).unwrap_or_default());
            first = false;
            underscore = underscore.and_then(|index| index.checked_sub(Self::AT_ONCE));
        }
    }

    /// The first six bytes of the SHA-256 of the text in hexadecimal; zeros if there is no text.
    #[inline]
    fn hash(&self) -> [u8; 12] {
        if self.numbers.as_slice().is_empty() {
            return [b'0'; 12];
        }
        let mut sha = Sha256::new();
        self.write(|text| sha.update(text));
        let digest = sha.finalize();
        let mut text = [0; 12];
        for (place, &[high, low]) in text.as_chunks_mut().0.iter_mut().zip(digest.as_chunks().0) {
            *place = hex4(u16::from_be_bytes([high, low]));
        }
        text
    }
}

/// Four hexadecimal digits in lower case, all at once: each byte of the word becomes a nibble, then its digit.
#[inline]
const fn hex4(value: u16) -> [u8; 4] {
    let value = value as u32;
    let nibbles = (value & 0xf000) << 12 | (value & 0x0f00) << 8 | (value & 0x00f0) << 4 | value & 0x000f;
    let letters = (nibbles + 0x0606_0606) >> 4 & 0x0101_0101;
    (nibbles + 0x3030_3030 + letters * (b'a' - b'0' - 10) as u32).to_be_bytes()
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
const fn ascii(text: &[u8]) -> &str {
    match core::str::from_utf8(text) {
        Ok(text) => text,
        Err(_) => "",
    }
}

fn parse(text: &str) -> Result<[u8; LENGTH], ParseJa4Error> {
    let bytes: [u8; LENGTH] = text.as_bytes().try_into().map_err(|_| ParseJa4Error)?;
    let fits = |pattern: &u8, byte: &u8| match pattern {
        b't' => matches!(byte, b't' | b'q' | b'd'),
        b'v' => byte.is_ascii_digit() || matches!(byte, b's' | b'd'),
        b'n' => matches!(byte, b'd' | b'i'),
        b'9' => byte.is_ascii_digit(),
        b'p' => byte.is_ascii_alphanumeric(),
        b'f' => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        exact => byte == exact,
    };
    let pattern = b"tv9n9999pp_ffffffffffff_ffffffffffff";
    if pattern.iter().zip(&bytes).all(|(pattern, byte)| fits(pattern, byte)) {
        Ok(bytes)
    } else {
        Err(ParseJa4Error)
    }
}

/// Numbers on the stack as long as there are no more than any honest client sends.
struct Numbers {
    few: [u16; Self::FEW],
    len: usize,
    /// All of them, once there are more.
    many: Vec<u16>,
}

impl Numbers {
    const FEW: usize = 128;

    const fn new() -> Self {
        Self { few: [0; Self::FEW], len: 0, many: Vec::new() }
    }

    #[inline]
    fn extend(&mut self, mut values: impl Iterator<Item = u16>) {
        if self.many.is_empty() {
            let mut added = 0;
            for (place, value) in self.few.iter_mut().skip(self.len).zip(&mut values) {
                *place = value;
                added += 1;
            }
            self.len += added;
            let Some(value) = values.next() else { return };
            self.many.extend_from_slice(&self.few);
            self.many.push(value);
        }
        self.many.extend(values);
    }

    #[inline]
    fn as_slice(&self) -> &[u16] {
        if self.many.is_empty() { self.few.get(..self.len).unwrap_or_default() } else { &self.many }
    }

    #[inline]
    fn sort(&mut self) {
        if self.many.is_empty() {
            self.few.get_mut(..self.len).unwrap_or_default().sort_unstable();
        } else {
            self.many.sort_unstable();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_are_those_of_the_standard_library() {
        for value in 0..=u16::MAX {
            assert_eq!(hex4(value), format!("{value:04x}").as_bytes());
        }
    }

    #[test]
    fn alpn_is_told_by_its_first_and_last_character_or_else_hexadecimal_digit() {
        for (name, code) in [
            (&b""[..], b"00"),
            (b"h2", b"h2"),
            (b"http/1.1", b"h1"),
            (b"http/1.0", b"h0"),
            (b"h3-29", b"h9"),
            (b"x", b"xx"),
            (b"H2", b"H2"),
            (b"h\x002", b"h2"),
            (b"foo.", b"6e"),
            (b".ab", b"22"),
            (b"postgresql", b"pl"),
            (b"\xab", b"ab"),
            (b"\x20", b"20"),
            (b"\xab\xcd", b"ad"),
            (b"\x20\x61", b"21"),
            (b"\x30\xab", b"3b"),
            (b"\x61\x20", b"60"),
            (b"\x30\x31\xab\xcd", b"3d"),
            (b"\x30\xab\xcd\x31", b"01"),
            (b"\xc3\xa92", b"c2"),
            (b"\x0a\x0a", b"0a"),
        ] {
            assert_eq!(alpn_code(name), *code, "{name:02x?}");
        }
    }

    #[test]
    fn a_version_without_a_code_is_00() {
        assert_eq!(version_code(ProtocolVersion(0x7f1c)), *b"00");
        assert_eq!(version_code(ProtocolVersion(0x0305)), *b"00");
        assert_eq!(version_code(ProtocolVersion(0x0202)), *b"00");
        assert_eq!(version_code(ProtocolVersion::SSL_2), *b"s2");
        assert_eq!(version_code(ProtocolVersion::SSL_3), *b"s3");
        assert_eq!(version_code(ProtocolVersion::DTLS_1_3), *b"d3");
    }

    #[test]
    fn counts_stop_at_99() {
        assert_eq!(
            [0, 9, 10, 99, 100, 1000].map(two_digits),
            [*b"00", *b"09", *b"10", *b"99", *b"99", *b"99"]
        );
    }

    #[test]
    fn the_hash_of_nothing_is_zeros_and_chunks_do_not_show() {
        let part = |count: u16, underscore| {
            let mut numbers = Numbers::new();
            numbers.extend(0..count);
            Part { numbers, underscore }
        };
        assert_eq!(part(0, 0).hash(), *b"000000000000");
        for count in [1, 63, 64, 65, 127, 128, 129, 200] {
            for underscore in [1, 63, 64, 65, 128, 199] {
                let mut text = (0..count).map(|value| format!("{value:04x}")).collect::<Vec<_>>().join(",");
                if underscore < usize::from(count) {
                    text.replace_range(5 * underscore - 1..5 * underscore, "_");
                }
                let digest: String =
                    Sha256::digest(text)[..6].iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(part(count, underscore).hash(), digest.as_bytes(), "{count} {underscore}");
            }
        }
    }

    #[test]
    fn only_the_form_of_a_ja4_is_read_as_one() {
        let right = "q13d0310h3_55b375c5d22e_cd85d2d88918";
        assert_eq!(right.parse::<Ja4>().map(|ja4| ja4.to_string()), Ok(right.to_owned()));
        for wrong in [
            "",
            "x13d0310h3_55b375c5d22e_cd85d2d88918",
            "q1xd0310h3_55b375c5d22e_cd85d2d88918",
            "q13x0310h3_55b375c5d22e_cd85d2d88918",
            "q13d03x0h3_55b375c5d22e_cd85d2d88918",
            "q13d0310h-_55b375c5d22e_cd85d2d88918",
            "q13d0310h3-55b375c5d22e_cd85d2d88918",
            "q13d0310h3_55b375c5d22e-cd85d2d88918",
            "q13d0310h3_55b375c5d22E_cd85d2d88918",
            "q13d0310h3_55b375c5d22e_cd85d2d8891",
            "q13d0310h3_55b375c5d22e_cd85d2d889180",
            "q13d0310h3_55b375c5d22e_cd85d2d889\u{e9}",
        ] {
            assert_eq!(wrong.parse::<Ja4>(), Err(ParseJa4Error), "{wrong}");
        }
    }
}
