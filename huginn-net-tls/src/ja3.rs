//! JA3 of a client and JA3S of a server.
//!
//! The MD5 of five (three) fields with commas between them, numbers in decimal with hyphens between them, without GREASE.
//! Both are methods of Salesforce, published under the BSD 3-clause licence; see `LICENSE-JA3`.

mod lists;
mod pieces;

use core::convert::Infallible;
use core::fmt;
use core::str::FromStr;

use md5::{Digest, Md5};
use thiserror::Error;

pub use self::lists::Ja3Lists;
use self::pieces::Pieces;
use crate::client_hello::{ClientHello, LowTypes};
use crate::ja4::list::List;
use crate::ja4::{ascii, hex4};
use crate::server_hello::ServerHello;
use crate::text::{Text, append, display};

macro_rules! md5_form {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        ///
        /// Written as 32 hexadecimal digits in lower case, and read in either case.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(
            /// The MD5.
            pub [u8; 16],
        );

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(ascii(hexadecimal(&self.0).as_flattened()))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = ParseMd5Error;

            fn from_str(text: &str) -> Result<Self, ParseMd5Error> {
                parse(text).map(Self)
            }
        }
    };
}

md5_form! {
    /// JA3: extensions in the order of the hello.
    Ja3
}

md5_form! {
    /// JA3 with the extensions sorted: some browsers send them in another order each time.
    Ja3n
}

md5_form! {
    /// JA3S. It depends on what the client offered: it means something only together with the client's fingerprint.
    Ja3s
}

impl Ja3 {
    /// The JA3 of the text that it is the hash of, see [`ClientHello::ja3_full`]. Any text has one.
    #[must_use]
    pub fn of_full(text: &[u8]) -> Self {
        Self(Md5::digest(text).into())
    }
}

/// A text that is not 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("no MD5: 32 hexadecimal digits are expected")]
#[non_exhaustive]
pub struct ParseMd5Error;

impl<'a> ClientHello<'a> {
    /// JA3.
    #[must_use]
    pub fn ja3(&self) -> Ja3 {
        Ja3(md5(&self.ja3_full()))
    }

    /// JA3 with the extensions sorted.
    #[must_use]
    pub fn ja3n(&self) -> Ja3n {
        Ja3n(md5(&self.ja3n_full()))
    }

    /// What JA3 is the hash of: version, cipher suites, extensions, groups, point formats.
    #[must_use]
    pub const fn ja3_full(&self) -> Ja3Text<'a> {
        Ja3Text { hello: *self, sorted: false }
    }

    /// What the sorted JA3 is the hash of.
    #[must_use]
    pub const fn ja3n_full(&self) -> Ja3Text<'a> {
        Ja3Text { hello: *self, sorted: true }
    }
}

impl<'a> ServerHello<'a> {
    /// JA3S; none of a HelloRetryRequest, which is not yet the server's answer.
    #[must_use]
    pub fn ja3s(&self) -> Option<Ja3s> {
        self.ja3s_full().map(|full| Ja3s(md5(&full)))
    }

    /// What JA3S is the hash of: version, cipher suite, extensions.
    #[must_use]
    pub fn ja3s_full(&self) -> Option<Ja3sText<'a>> {
        (!self.is_hello_retry_request()).then_some(Ja3sText { hello: *self })
    }
}

/// The text under a JA3, written by [`Display`](fmt::Display).
#[derive(Clone, Copy, Debug)]
pub struct Ja3Text<'a> {
    hello: ClientHello<'a>,
    sorted: bool,
}

impl Ja3Text<'_> {
    /// Appends the text to bytes, which it is faster than to display it.
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        append(self, bytes);
    }
}

impl Text for Ja3Text<'_> {
    fn write<E>(&self, out: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let hello = &self.hello;
        let mut pieces = Pieces::new(out);
        pieces.number(hello.legacy_version().0)?;
        pieces.list(hello.cipher_suites().values())?;
        if self.sorted {
            let mut sorted = List::new();
            sorted.extend_with_sorted_types(hello, LowTypes::of([]));
            pieces.list(sorted.as_slice().iter().copied())?;
        } else {
            pieces.list(hello.extensions().kinds_without_grease().map(u16::from))?;
        }
        pieces.list(hello.supported_groups().values())?;
        pieces.list(hello.ec_point_formats().iter().map(|&format| u16::from(format)))?;
        pieces.end()
    }
}

impl fmt::Display for Ja3Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}

/// The text under a JA3S, written by [`Display`](fmt::Display).
#[derive(Clone, Copy, Debug)]
pub struct Ja3sText<'a> {
    hello: ServerHello<'a>,
}

impl Text for Ja3sText<'_> {
    fn write<E>(&self, out: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut pieces = Pieces::new(out);
        pieces.number(self.hello.legacy_version().0)?;
        pieces.list([self.hello.cipher_suite().0].into_iter())?;
        pieces.list(self.hello.extensions().map(|extension| extension.kind.0))?;
        pieces.end()
    }
}

impl fmt::Display for Ja3sText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}

fn md5(text: &impl Text) -> [u8; 16] {
    let mut md5 = Md5::new();
    let Ok(()) = text.write(|piece| {
        md5.update(piece);
        Ok::<_, Infallible>(())
    });
    md5.finalize().into()
}

fn hexadecimal(md5: &[u8; 16]) -> [[u8; 4]; 8] {
    let mut digits = [[0; 4]; 8];
    for (place, &pair) in digits.iter_mut().zip(md5.as_chunks().0) {
        *place = hex4(u16::from_be_bytes(pair));
    }
    digits
}

fn parse(text: &str) -> Result<[u8; 16], ParseMd5Error> {
    // The check leaves out signs, which parsing a number would take.
    if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(ParseMd5Error);
    }
    u128::from_str_radix(text, 16).map(u128::to_be_bytes).map_err(|_| ParseMd5Error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_md5_is_that_of_the_text() {
        let lists = Ja3Lists::parse("771,4866,43-51,,").unwrap();
        // Computed with Python's hashlib.
        assert_eq!(Ja3s(md5(&lists)).to_string(), "67d918caa2ed9d32ab87804958ec217c");
    }

    #[test]
    fn a_ja3_is_told_by_its_text_too() {
        let lists = Ja3Lists::parse("771,4866,43-51,29-23,0").unwrap();
        assert_eq!(Ja3::of_full(lists.to_string().as_bytes()), lists.ja3());
    }

    #[test]
    fn a_width_is_honoured() {
        let ja3: Ja3 = "15af977ce25de452b96affa2addb1036".parse().unwrap();
        assert_eq!(format!("{ja3:>34}|"), "  15af977ce25de452b96affa2addb1036|");
    }

    #[test]
    fn only_32_hexadecimal_digits_are_read() {
        let text = "15af977ce25de452b96affa2addb1036";
        assert_eq!(text.parse::<Ja3>().map(|ja3| ja3.to_string()), Ok(text.to_owned()));
        assert_eq!(text.to_uppercase().parse::<Ja3>(), text.parse::<Ja3>());
        for wrong in [
            "",
            "15af977ce25de452b96affa2addb103",
            "+15af977ce25de452b96affa2addb103",
            "15af977ce25de452b96affa2addb103g",
        ] {
            assert_eq!(wrong.parse::<Ja3>(), Err(ParseMd5Error), "{wrong}");
        }
    }
}
