//! How a client starts HTTP/2, in the form that Akamai published.

use core::fmt::{self, Write};

use md5::{Digest, Md5};

/// The start of an HTTP/2 connection, `settings|window|priorities|pseudo-headers` in a file. Displays in this form.
///
/// What comes before the first request is complete: the settings of the first SETTINGS frame, the first WINDOW_UPDATE of
/// the connection, PRIORITY frames, and the order of the pseudo-headers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Http2Signature {
    /// Identifiers and values ([RFC 9113 §6.5](https://www.rfc-editor.org/rfc/rfc9113#section-6.5)), in order.
    pub settings: Vec<(u16, u32)>,
    /// Bytes the window of the connection is enlarged by; `None` if it is not.
    pub window_update: Option<u32>,
    /// In order.
    pub priorities: Vec<Http2Priority>,
    /// First letters of the pseudo-headers of the first request, in order: `m` for the method, `a` for the authority,
    /// `s` for the scheme, `p` for the path.
    pub pseudo_headers: Vec<char>,
}

/// A PRIORITY frame ([RFC 7540 §6.3](https://www.rfc-editor.org/rfc/rfc7540#section-6.3)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Http2Priority {
    /// The stream.
    pub stream: u32,
    /// Whether it is the only one that depends on the other.
    pub exclusive: bool,
    /// The stream it depends on.
    pub depends_on: u32,
    /// 1 to 256.
    pub weight: u16,
}

impl Http2Signature {
    /// More settings, or more priorities, than this are refused.
    pub const MAX_ITEMS: usize = 128;

    /// The MD5 of the text, as it is often written instead of the text.
    pub fn md5(&self) -> [u8; 16] {
        self.md5_of(|_| true)
    }

    /// The MD5 of the text without settings that mean nothing and are sent to keep servers tolerant: both bytes of their
    /// identifiers end with the digit `a`.
    pub fn md5_without_grease(&self) -> [u8; 16] {
        self.md5_of(|id| !is_grease(id))
    }

    /// The settings that mean something.
    pub fn settings_without_grease(&self) -> impl Iterator<Item = (u16, u32)> + Clone {
        self.settings.iter().copied().filter(|&(id, _)| !is_grease(id))
    }

    fn md5_of(&self, counts: fn(u16) -> bool) -> [u8; 16] {
        struct Hashed(Md5);

        impl Write for Hashed {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.update(text);
                Ok(())
            }
        }

        let mut hashed = Hashed(Md5::new());
        // A hash takes everything.
        let _ = self.write(&mut hashed, counts);
        hashed.0.finalize().into()
    }

    fn write(&self, f: &mut impl Write, counts: fn(u16) -> bool) -> fmt::Result {
        let settings = self.settings.iter().filter(|&&(id, _)| counts(id));
        for (index, (id, value)) in settings.enumerate() {
            write!(f, "{}{id}:{value}", if index > 0 { ";" } else { "" })?;
        }
        match self.window_update {
            Some(increment) => write!(f, "|{increment}|")?,
            None => f.write_str("|00|")?,
        }
        if self.priorities.is_empty() {
            f.write_str("0")?;
        }
        for (index, priority) in self.priorities.iter().enumerate() {
            let Http2Priority { stream, exclusive, depends_on, weight } = priority;
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{stream}:{}:{depends_on}:{weight}", u8::from(*exclusive))?;
        }
        f.write_str("|")?;
        for (index, letter) in self.pseudo_headers.iter().enumerate() {
            write!(f, "{}{letter}", if index > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Http2Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |_| true)
    }
}

const fn is_grease(id: u16) -> bool {
    id & 0x0f0f == 0x0a0a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(md5: [u8; 16]) -> String {
        md5.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_md5_is_that_of_the_text() {
        let node = Http2Signature { pseudo_headers: vec!['p', 'm', 'a', 's'], ..Http2Signature::default() };
        assert_eq!(node.to_string(), "|00|0|p,m,a,s");
        assert_eq!(hex(node.md5()), "38e36840395e07ae27bae1632ddc8b92");
    }

    #[test]
    fn settings_that_mean_nothing_change_one_md5_only() {
        let plain = Http2Signature { settings: vec![(1, 65_536)], ..Http2Signature::default() };
        let grease =
            Http2Signature { settings: vec![(0x7a9a, 5), (1, 65_536), (0x0a0a, 0)], ..plain.clone() };
        assert_eq!(grease.to_string(), "31386:5;1:65536;2570:0|00|0|");
        assert_ne!(grease.md5(), plain.md5());
        assert_eq!(grease.md5_without_grease(), plain.md5());
    }
}
