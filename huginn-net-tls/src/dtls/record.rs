//! Records of DTLS before there are keys, and the fragments of handshake messages in them.

use huginn_net_core::Reader;

use super::DtlsError;
use crate::handshake::HandshakeType;
use crate::numbers::ProtocolVersion;

/// The fragments in one record.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandshakeRecord<'a> {
    pub(super) version: ProtocolVersion,
    pub(super) fragments: Reader<'a>,
}

/// A fragment of a hello, or the whole of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment<'a> {
    /// Length of the body of the message, at most 2^24 - 1.
    pub(super) message_len: u32,
    pub(super) message_seq: u16,
    /// Where in that body the fragment belongs.
    pub(super) offset: u32,
    pub(super) data: &'a [u8],
}

impl<'a> HandshakeRecord<'a> {
    /// Reads the record at the front of a datagram and leaves what follows it
    /// ([RFC 6347 §4.1](https://www.rfc-editor.org/rfc/rfc6347#section-4.1),
    /// [RFC 9147 §4](https://www.rfc-editor.org/rfc/rfc9147#section-4)).
    ///
    /// ```text
    /// +------+---------+-------+-----------------+--------+----------
    /// | type | version | epoch | sequence number | length | fragment
    /// |  1   |    2    |   2   |        6        |   2    |
    /// +------+---------+-------+-----------------+--------+----------
    /// ```
    ///
    /// An error that is no matter of this record alone leaves the datagram empty.
    pub(super) fn read(datagram: &mut Reader<'a>) -> Result<Self, DtlsError> {
        let result = Self::read_next(datagram);
        if !matches!(result, Ok(_) | Err(DtlsError::NotHandshake(_))) {
            datagram.take_rest();
        }
        result
    }

    fn read_next(datagram: &mut Reader<'a>) -> Result<Self, DtlsError> {
        const CHANGE_CIPHER_SPEC: u8 = 20;
        const HANDSHAKE: u8 = 22;
        const APPLICATION_DATA: u8 = 23;
        // RFC 9146 §4: its header has a connection ID of a length that only the two sides know.
        const TLS12_CID: u8 = 25;
        const ACK: u8 = 26;
        // Content types, and the first three bits of records under the keys of DTLS 1.3 (RFC 9147 §4).
        let kind = match datagram.u8("content type")? {
            TLS12_CID | 0x20..=0x3f => return Err(DtlsError::Encrypted),
            kind @ CHANGE_CIPHER_SPEC..=ACK => kind,
            other => return Err(DtlsError::NotRecord(other)),
        };
        // 1.0, 1.2 and 1.3; there is no 1.1. The first is that of a draft, which OpenSSL had before 0.9.8f.
        let version = match datagram.u16("version")? {
            version @ (0x0100 | 0xfeff | 0xfefd | 0xfefc) => ProtocolVersion(version),
            other => return Err(DtlsError::RecordVersion(ProtocolVersion(other))),
        };
        let epoch = datagram.u16("epoch")?;
        datagram.skip(6, "sequence number")?;
        let fragments = datagram.sub_u16("record")?;
        match (kind, epoch) {
            (APPLICATION_DATA, _) | (_, 1..) => Err(DtlsError::Encrypted),
            (HANDSHAKE, 0) => Ok(Self { version, fragments }),
            (other, 0) => Err(DtlsError::NotHandshake(other)),
        }
    }
}

/// Whether a datagram may begin with a handshake record, by its type and the begin of its version.
#[inline]
#[cfg(feature = "capture")]
pub(crate) const fn may_be_handshake(datagram: &[u8]) -> bool {
    matches!(datagram, [22, 0xfe, ..] | [22, 1, 0, ..])
}

impl<'a> Fragment<'a> {
    /// Whether it is all of its message.
    pub(super) fn is_whole(&self) -> bool {
        // One that is longer than its message was refused.
        self.data.len() == self.message_len as usize
    }

    /// Reads the fragment at the front of a record and leaves what follows it
    /// ([RFC 6347 §4.2.2](https://www.rfc-editor.org/rfc/rfc6347#section-4.2.2)).
    ///
    /// ```text
    /// +------+--------+-------------+-----------------+-----------------+------
    /// | type | length | message_seq | fragment_offset | fragment_length | body
    /// |  1   |   3    |      2      |        3        |        3        |
    /// +------+--------+-------------+-----------------+-----------------+------
    /// ```
    ///
    /// An error that is no matter of this fragment alone leaves the record empty.
    pub(super) fn read(record: &mut Reader<'a>, kind: HandshakeType) -> Result<Self, DtlsError> {
        let result = Self::read_next(record, kind);
        if !matches!(result, Ok(_) | Err(DtlsError::Hello(_))) {
            record.take_rest();
        }
        result
    }

    fn read_next(record: &mut Reader<'a>, kind: HandshakeType) -> Result<Self, DtlsError> {
        let found = record.u8("msg_type")?;
        let message_len = record.u24("length")?;
        let message_seq = record.u16("message_seq")?;
        let offset = record.u24("fragment_offset")?;
        let data = record.sub_u24("fragment")?.rest();
        if found != kind as u8 {
            return Err(kind.expected_not(found).into());
        }
        // The length came from 24 bits.
        let end = offset.saturating_add(u32::try_from(data.len()).unwrap_or(u32::MAX));
        if end > message_len {
            return Err(DtlsError::FragmentEnd { end, len: message_len });
        }
        Ok(Self { message_len, message_seq, offset, data })
    }
}
