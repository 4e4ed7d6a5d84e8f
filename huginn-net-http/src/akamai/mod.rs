//! The fingerprint of HTTP/2 clients that Akamai described in 2017.

mod client;
mod reader;

use core::fmt::{self, Write};
use core::str::FromStr;

use md5::{Digest, Md5};
use sha2::Sha256;
use thiserror::Error;

pub(crate) use self::client::{ClientHead, ClientReader};
pub use self::reader::AkamaiReader;
use crate::http2::{self, Http2FrameType, Http2Priority, Http2Request, Http2Settings};

/// What a client sends up to the end of its first request, and the fingerprint made of it.
///
/// The fingerprint is `S|WU|P|PS`: the parameters of the first SETTINGS, how far the first WINDOW_UPDATE opens the window of
/// the connection, the PRIORITY frames, the pseudo-headers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AkamaiFingerprint {
    /// The first SETTINGS frame that is no acknowledgment; `None` if there was none before the request. The fingerprint has
    /// nothing in its place then, nor does it if the frame is empty.
    pub settings: Option<Http2Settings>,
    /// The increment of the first WINDOW_UPDATE of the connection, 0 to 2^31 - 1.
    pub window_update: Option<u32>,
    /// The PRIORITY frames in order: stream and priority.
    pub priorities: Vec<(u32, Http2Priority)>,
    /// The first request; `None` while it is not complete, and for the request that asked for an upgrade, which is one of
    /// HTTP/1.1.
    pub request: Option<Http2Request>,
    /// The types of all frames up to the request, its HEADERS included and CONTINUATION left out.
    pub frame_types: Vec<Http2FrameType>,
    /// The first frame was another than SETTINGS, or a SETTINGS, WINDOW_UPDATE or PRIORITY frame had a length, a stream or
    /// an increment that [RFC 9113 §6](https://www.rfc-editor.org/rfc/rfc9113#section-6) forbids.
    pub irregular: bool,
}

impl AkamaiFingerprint {
    /// The fingerprint: `1:65536;2:0;4:6291456;6:262144|15663105|0|m,a,s,p`.
    ///
    /// Pseudo-headers are told by their first letter: so `:path` and `:protocol` are the same. `?` stands for one that begins
    /// with no lower-case letter. Without a request there are none.
    #[must_use]
    pub const fn akamai(&self) -> AkamaiText<'_> {
        AkamaiText { of: self, with_grease: true }
    }

    /// The fingerprint without GREASE among the settings, which changes from connection to connection.
    #[must_use]
    pub const fn akamai_n(&self) -> AkamaiText<'_> {
        AkamaiText { of: self, with_grease: false }
    }

    /// The MD5 of [`akamai`](Self::akamai): what is usually compared.
    #[must_use]
    pub fn akamai_hash(&self) -> AkamaiHash {
        self.akamai().hash()
    }

    /// The SHA-256 of [`akamai`](Self::akamai), half of which some programs use.
    #[must_use]
    pub fn akamai_sha256(&self) -> AkamaiSha256 {
        AkamaiSha256(hashed::<Sha256>(self.akamai()).into())
    }

    /// The priority in the HEADERS frame of the request, which is not part of the fingerprint and tells programs that imitate
    /// a browser from the browser.
    #[must_use]
    pub fn headers_priority(&self) -> Option<Http2Priority> {
        self.request.as_ref()?.priority()
    }

    /// Whether a setting is GREASE: if not, both forms of the fingerprint are the same.
    #[must_use]
    pub fn has_grease(&self) -> bool {
        self.settings.as_ref().is_some_and(Http2Settings::has_grease)
    }

    /// Whether the request is there. Without it the fingerprint is not that of the client.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.request.is_some()
    }
}

/// The MD5 of a fingerprint, written as 32 hexadecimal digits in lower case, and read in either case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AkamaiHash(
    /// The MD5.
    pub [u8; 16],
);

/// The SHA-256 of a fingerprint, written as 64 hexadecimal digits in lower case, and read in either case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AkamaiSha256(
    /// The SHA-256.
    pub [u8; 32],
);

impl fmt::Display for AkamaiHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

impl fmt::Debug for AkamaiHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AkamaiHash({self})")
    }
}

impl fmt::Display for AkamaiSha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

impl fmt::Debug for AkamaiSha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AkamaiSha256({self})")
    }
}

fn write_hex<const N: usize>(f: &mut fmt::Formatter<'_>, bytes: &[u8; N]) -> fmt::Result {
    let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' + half - 10 };
    let digits = bytes.map(|byte| [digit(byte >> 4), digit(byte & 0xf)]);
    f.pad(str::from_utf8(digits.as_flattened()).unwrap_or_default())
}

impl FromStr for AkamaiHash {
    type Err = ParseHashError;

    fn from_str(text: &str) -> Result<Self, ParseHashError> {
        read_hex(text).map(Self)
    }
}

impl FromStr for AkamaiSha256 {
    type Err = ParseHashError;

    fn from_str(text: &str) -> Result<Self, ParseHashError> {
        read_hex(text).map(Self)
    }
}

/// A text that is not as many hexadecimal digits as the hash has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("no hash: {digits} hexadecimal digits are expected")]
#[non_exhaustive]
pub struct ParseHashError {
    /// How many it has.
    pub digits: usize,
}

/// Digits in either case.
fn read_hex<const N: usize>(text: &str) -> Result<[u8; N], ParseHashError> {
    let error = ParseHashError { digits: 2 * N };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return Err(error);
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut bytes = [0; N];
    for (byte, &[high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(high).zip(digit(low)).map(|(high, low)| high << 4 | low).ok_or(error)?;
    }
    Ok(bytes)
}

/// A fingerprint in words, written by [`Display`](fmt::Display).
#[derive(Clone, Copy, Debug)]
pub struct AkamaiText<'a> {
    of: &'a AkamaiFingerprint,
    with_grease: bool,
}

impl AkamaiText<'_> {
    /// The MD5 of the text.
    #[must_use]
    pub fn hash(&self) -> AkamaiHash {
        AkamaiHash(hashed::<Md5>(*self).into())
    }
}

impl fmt::Display for AkamaiText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = self.of.settings.iter().flat_map(Http2Settings::list);
        http2::write_settings(f, settings.filter(|setting| self.with_grease || !setting.id.is_grease()))?;
        f.write_char('|')?;
        match self.of.window_update {
            Some(increment) => f.write_str(itoa::Buffer::new().format(increment))?,
            None => f.write_str("00")?,
        }
        f.write_char('|')?;
        if self.of.priorities.is_empty() {
            f.write_char('0')?;
        }
        for (index, (stream, priority)) in self.of.priorities.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{stream}:{priority}")?;
        }
        f.write_char('|')?;
        let pseudo_headers = self.of.request.iter().flat_map(Http2Request::pseudo_headers);
        for (index, name) in pseudo_headers.enumerate() {
            if index > 0 {
                f.write_char(',')?;
            }
            let letter = name.first().copied().filter(u8::is_ascii_lowercase);
            f.write_char(letter.map_or('?', char::from))?;
        }
        Ok(())
    }
}

fn hashed<D: Digest>(text: AkamaiText<'_>) -> sha2::digest::Output<D> {
    struct Hashed<D>(D);

    impl<D: Digest> Write for Hashed<D> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.update(text);
            Ok(())
        }
    }

    let mut hashed = Hashed(D::new());
    // Neither the hash nor the text fails to write.
    let _ = write!(hashed, "{text}");
    hashed.0.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_read_as_they_are_written_and_nothing_else_is() {
        let text = "52d84b11737d980aef856699f885ca86";
        let hash: AkamaiHash = text.parse().unwrap();
        assert_eq!((hash.0[0], hash.0[15], hash.to_string().as_str()), (0x52, 0x86, text));
        assert_eq!(text.to_uppercase().parse(), Ok(hash));
        assert_eq!(format!("{hash:<34}|"), format!("{text}  |"));
        let long = text.repeat(2);
        assert_eq!(long.parse::<AkamaiSha256>().map(|hash| hash.to_string()), Ok(long.clone()));
        for wrong in
            ["", &text[1..], &long, "+2d84b11737d980aef856699f885ca86", "g2d84b11737d980aef856699f885ca86"]
        {
            assert_eq!(wrong.parse::<AkamaiHash>(), Err(ParseHashError { digits: 32 }), "{wrong}");
        }
        assert_eq!(text.parse::<AkamaiSha256>(), Err(ParseHashError { digits: 64 }));
    }
}
