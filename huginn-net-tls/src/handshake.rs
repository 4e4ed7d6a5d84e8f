//! The header that all handshake messages begin with ([RFC 8446 §4]), and what the two hellos have in common.
//!
//! [RFC 8446 §4]: https://www.rfc-editor.org/rfc/rfc8446#section-4

use huginn_net_core::{Progress, Reader, Truncated};

use crate::error::TlsError;

/// Bytes of a header: type and length.
pub(crate) const HEADER: usize = 4;

/// The types of message this crate reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandshakeType {
    ClientHello = 1,
    /// A HelloRetryRequest too.
    ServerHello = 2,
}

impl HandshakeType {
    /// The error of a message of another type where this one was looked for.
    pub(crate) const fn expected_not(self, found: u8) -> TlsError {
        match self {
            Self::ClientHello => TlsError::NotClientHello(found),
            Self::ServerHello => TlsError::NotServerHello(found),
        }
    }
}

/// All bytes of the first message, header included.
///
/// Another type is an error as soon as its byte is there.
#[inline]
pub(crate) fn message(bytes: &[u8], kind: HandshakeType) -> Result<Progress<&[u8]>, TlsError> {
    let Some(length) = length(bytes, kind)? else { return Ok(Progress::NeedMore) };
    Ok(match Reader::new(bytes).take(length, "message") {
        Ok(message) => Progress::Done(message),
        Err(_) => Progress::NeedMore,
    })
}

/// How long the first message is, header included, if its header is complete.
#[inline]
pub(crate) fn length(bytes: &[u8], kind: HandshakeType) -> Result<Option<usize>, TlsError> {
    let mut reader = Reader::new(bytes);
    let Ok(found) = reader.u8("msg_type") else { return Ok(None) };
    if found != kind as u8 {
        return Err(kind.expected_not(found));
    }
    Ok(reader.u24("length").ok().map(|length| HEADER + length as usize))
}

/// The random of either hello, borrowed.
#[inline]
pub(crate) fn random<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8; 32], Truncated> {
    let random = reader.rest().first_chunk();
    let random = random.ok_or(Truncated { what: "random", at: reader.position() })?;
    reader.skip(random.len(), "random")?;
    Ok(random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_type_is_refused_from_its_first_byte_on() {
        assert_eq!(message(&[2], HandshakeType::ClientHello), Err(TlsError::NotClientHello(2)));
        assert_eq!(message(&[1, 0, 0], HandshakeType::ServerHello), Err(TlsError::NotServerHello(1)));
    }

    #[test]
    fn bytes_behind_the_message_do_not_belong_to_it() {
        assert_eq!(
            message(&[1, 0, 0, 2, 8, 9, 7], HandshakeType::ClientHello),
            Ok(Progress::Done(&[1, 0, 0, 2, 8, 9][..]))
        );
        assert_eq!(message(&[1, 0, 0, 2, 8], HandshakeType::ClientHello), Ok(Progress::NeedMore));
    }
}
