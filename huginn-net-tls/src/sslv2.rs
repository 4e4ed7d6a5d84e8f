//! Hellos in the format of SSL 2.0, by which old clients offer newer versions as well ([RFC 5246 §E.2]).
//!
//! [RFC 5246 §E.2]: https://www.rfc-editor.org/rfc/rfc5246#appendix-E.2

use huginn_net_core::{Progress, Reader};

use crate::error::TlsError;
use crate::numbers::{CipherSuite, ProtocolVersion};

/// A hello in the format of SSL 2.0. JA4 and JA3 define nothing for it.
///
/// ```
/// use huginn_net_tls::{ProtocolVersion, Sslv2Hello};
///
/// let mut bytes = vec![0x80, 31, 1, 0x03, 0x01, 0, 6, 0, 0, 0, 16];
/// bytes.extend([0x00, 0x00, 0x2f, 0x07, 0x00, 0xc0]);
/// bytes.extend([7; 16]);
/// let hello = Sslv2Hello::parse(&bytes)?.done().ok_or("cut off")?;
/// assert_eq!(hello.version, ProtocolVersion::TLS_1_0);
/// assert_eq!(hello.cipher_specs().collect::<Vec<_>>(), [0x00_00_2f, 0x07_00_c0]);
/// assert_eq!(hello.cipher_suites().map(u16::from).collect::<Vec<_>>(), [0x002f]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Sslv2Hello<'a> {
    /// The newest version offered.
    pub version: ProtocolVersion,
    cipher_specs: &'a [u8],
    /// The session id: none or 16 bytes.
    pub session_id: &'a [u8],
    /// The challenge, 16 to 32 bytes.
    pub challenge: &'a [u8],
}

/// Whether the first bit is the one that marks a record header of two bytes. No record of TLS begins so.
#[inline]
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|first| first & 0x80 != 0)
}

impl<'a> Sslv2Hello<'a> {
    /// Reads the hello at the start of a stream; bytes behind it are ignored.
    ///
    /// Two bytes would also fit much that is none, so everything that can be checked is.
    ///
    /// # Errors
    /// [`TlsError::NotHandshake`] with the first byte if it is none.
    pub fn parse(bytes: &'a [u8]) -> Result<Progress<Self>, TlsError> {
        const CLIENT_HELLO: u8 = 1;
        let other = || TlsError::NotHandshake(bytes.first().copied().unwrap_or_default());
        let known = |version: ProtocolVersion| {
            version == ProtocolVersion::SSL_2
                || (ProtocolVersion::SSL_3..=ProtocolVersion::TLS_1_2).contains(&version)
        };
        if !bytes.is_empty() && !begins(bytes) {
            return Err(other());
        }

        let mut reader = Reader::new(bytes);
        let Ok(length) = reader.u16("length") else { return Ok(Progress::NeedMore) };
        let length = usize::from(length & 0x7fff);
        let Ok(kind) = reader.u8("msg_type") else { return Ok(Progress::NeedMore) };
        if kind != CLIENT_HELLO {
            return Err(other());
        }
        let Ok(version) = reader.u16("version") else { return Ok(Progress::NeedMore) };
        let version = ProtocolVersion(version);
        if !known(version) {
            return Err(other());
        }
        let Ok([c0, c1, s0, s1, n0, n1]) = reader.array("lengths") else { return Ok(Progress::NeedMore) };
        let [ciphers, session, challenge] =
            [[c0, c1], [s0, s1], [n0, n1]].map(|length| usize::from(u16::from_be_bytes(length)));
        let whole = 9 + ciphers + session + challenge == length
            && ciphers > 0
            && ciphers % 3 == 0
            && matches!(session, 0 | 16)
            && (16..=32).contains(&challenge);
        if !whole {
            return Err(other());
        }
        let Ok(body) = reader.take(ciphers + session + challenge, "hello") else {
            return Ok(Progress::NeedMore);
        };
        let mut body = Reader::new(body);
        Ok(Progress::Done(Self {
            version,
            cipher_specs: body.take(ciphers, "cipher_specs")?,
            session_id: body.take(session, "session_id")?,
            challenge: body.take_rest(),
        }))
    }

    /// The cipher specs of three bytes each, in order.
    pub fn cipher_specs(&self) -> impl Iterator<Item = u32> + Clone + use<'a> {
        self.cipher_specs.as_chunks().0.iter().map(|&[a, b, c]| u32::from_be_bytes([0, a, b, c]))
    }

    /// Those cipher specs that stand for cipher suites of TLS: the ones whose first byte is zero.
    pub fn cipher_suites(&self) -> impl Iterator<Item = CipherSuite> + Clone + use<'a> {
        self.cipher_specs().filter_map(|spec| u16::try_from(spec).ok()).map(CipherSuite)
    }
}
