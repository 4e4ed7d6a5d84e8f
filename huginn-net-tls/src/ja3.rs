//! JA3 of a client and JA3S of a server.
//!
//! The MD5 of five (three) fields with commas between them, numbers in decimal with hyphens between them, without GREASE.
//! Both are methods of Salesforce, published under the BSD 3-clause licence; see `LICENSE-JA3`.

mod lists;

use core::fmt::{self, Write};
use core::str::FromStr;

use md5::{Digest, Md5};
use thiserror::Error;

pub use self::lists::Ja3Lists;
use crate::client_hello::ClientHello;
use crate::ja4::list::List;
use crate::server_hello::ServerHello;

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
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
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

/// A text that is not 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("no MD5: 32 hexadecimal digits are expected")]
pub struct ParseMd5Error;

impl<'a> ClientHello<'a> {
    /// JA3.
    #[must_use]
    pub fn ja3(&self) -> Ja3 {
        Ja3(md5(self.ja3_full()))
    }

    /// JA3 with the extensions sorted.
    #[must_use]
    pub fn ja3n(&self) -> Ja3n {
        Ja3n(md5(self.ja3n_full()))
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
        self.ja3s_full().map(|full| Ja3s(md5(full)))
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

impl fmt::Display for Ja3Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hello = &self.hello;
        let extensions = hello.extensions().kinds_without_grease().map(|kind| kind.0);
        write_number(f, hello.legacy_version().0)?;
        f.write_char(',')?;
        write_list(f, hello.cipher_suites().values())?;
        f.write_char(',')?;
        if self.sorted {
            let mut sorted = List::new();
            sorted.extend(extensions);
            sorted.as_mut_slice().sort_unstable();
            write_list(f, sorted.as_slice().iter().copied())?;
        } else {
            write_list(f, extensions)?;
        }
        f.write_char(',')?;
        write_list(f, hello.supported_groups().values())?;
        f.write_char(',')?;
        write_list(f, hello.ec_point_formats().iter().map(|&format| u16::from(format)))
    }
}

/// The text under a JA3S, written by [`Display`](fmt::Display).
#[derive(Clone, Copy, Debug)]
pub struct Ja3sText<'a> {
    hello: ServerHello<'a>,
}

impl fmt::Display for Ja3sText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_number(f, self.hello.legacy_version().0)?;
        f.write_char(',')?;
        write_number(f, self.hello.cipher_suite().0)?;
        f.write_char(',')?;
        write_list(f, self.hello.extensions().map(|extension| extension.kind.0))
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, mut values: impl Iterator<Item = u16>) -> fmt::Result {
    if let Some(first) = values.next() {
        write_number(f, first)?;
    }
    values.try_for_each(|value| {
        f.write_char('-')?;
        write_number(f, value)
    })
}

fn write_number(f: &mut fmt::Formatter<'_>, value: u16) -> fmt::Result {
    f.write_str(itoa::Buffer::new().format(value))
}

fn md5(text: impl fmt::Display) -> [u8; 16] {
    let mut hashed = Hashed { md5: Md5::new(), waiting: [0; _], len: 0 };
    // Neither the hash nor the texts of this module fail to write.
    let _ = write!(hashed, "{text}");
    hashed.flush();
    hashed.md5.finalize().into()
}

/// Hashes what is written. Pieces are collected first, as they are short and taking in each would cost more than it.
struct Hashed {
    md5: Md5,
    waiting: [u8; 256],
    len: usize,
}

impl Hashed {
    fn flush(&mut self) {
        self.md5.update(self.waiting.get(..self.len).unwrap_or_default());
        self.len = 0;
    }
}

impl Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        if let Some(place) = self.waiting.get_mut(self.len..end) {
            place.copy_from_slice(text.as_bytes());
            self.len = end;
        } else {
            self.flush();
            self.md5.update(text);
        }
        Ok(())
    }
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
        assert_eq!(Ja3s(md5("771,4866,43-51")).to_string(), "15af977ce25de452b96affa2addb1036");
    }

    #[test]
    fn the_md5_of_a_text_does_not_depend_on_its_pieces() {
        let whole = "0123456789".repeat(70);
        for length in [1, 3, 10, 255, 256, 257, 300, 700] {
            let pieces = whole.as_bytes().chunks(length).map(|piece| str::from_utf8(piece).unwrap());
            let mut hashed = Hashed { md5: Md5::new(), waiting: [0; _], len: 0 };
            pieces.for_each(|piece| hashed.write_str(piece).unwrap());
            hashed.flush();
            let expected: [u8; 16] = Md5::digest(&whole).into();
            assert_eq!(<[u8; 16]>::from(hashed.md5.finalize()), expected, "{length}");
        }
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
