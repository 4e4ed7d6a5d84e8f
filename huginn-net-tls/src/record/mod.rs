//! The record layer in front of a hello ([RFC 8446 §5.1]), and readers that join records.
//!
//! [RFC 8446 §5.1]: https://www.rfc-editor.org/rfc/rfc8446#section-5.1

mod joiner;
mod reader;

use huginn_net_core::{Progress, Reader};

pub(crate) use self::joiner::RecordJoiner;
pub use self::reader::ClientHelloReader;
use crate::error::TlsError;
use crate::handshake::{self, HandshakeType};
use crate::numbers::ProtocolVersion;
use crate::sslv2::{self, Sslv2Hello};

/// How much a client may send until its hello is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HelloLimits {
    /// The longest hello, in bytes with its header of four. Default 32 KiB; browsers need 3 000 bytes.
    pub max_hello_bytes: usize,
    /// Most records up to the end of the hello, those passed over included. Default 128.
    pub max_records: usize,
    /// Most records without content among them. Default 4.
    pub max_empty_records: usize,
}

impl Default for HelloLimits {
    fn default() -> Self {
        Self { max_hello_bytes: 32 * 1_024, max_records: 128, max_empty_records: 4 }
    }
}

impl HelloLimits {
    /// With this [`max_hello_bytes`](Self::max_hello_bytes).
    #[must_use]
    pub const fn with_max_hello_bytes(self, max_hello_bytes: usize) -> Self {
        Self { max_hello_bytes, ..self }
    }

    /// With this [`max_records`](Self::max_records).
    #[must_use]
    pub const fn with_max_records(self, max_records: usize) -> Self {
        Self { max_records, ..self }
    }

    /// With this [`max_empty_records`](Self::max_empty_records).
    #[must_use]
    pub const fn with_max_empty_records(self, max_empty_records: usize) -> Self {
        Self { max_empty_records, ..self }
    }
}

const RECORD_HEADER: usize = 5;
const CHANGE_CIPHER_SPEC: u8 = 20;
const ALERT: u8 = 21;

/// Plaintext may have 2^14 bytes, ciphertext of TLS 1.2 2048 more: some stacks take the one limit for the other.
const MAX_RECORD: u16 = (1 << 14) + 2048;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Handshake,
    /// ChangeCipherSpec, an alert, or early data: nothing to be read.
    PassedOver,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RecordHeader {
    content: Content,
    length: usize,
}

impl RecordHeader {
    /// Reads a header, or as much of one as there is: what can stand before no hello is refused at its first byte.
    ///
    /// Application data can stand only before the second hello of a client whose first announced early data
    /// ([RFC 8446 §4.2.10](https://www.rfc-editor.org/rfc/rfc8446#section-4.2.10)).
    #[inline]
    fn read(bytes: &[u8], early_data: bool) -> Result<Option<Self>, TlsError> {
        const HANDSHAKE: u8 = 22;
        const APPLICATION_DATA: u8 = 23;
        let mut reader = Reader::new(bytes);
        let Ok(kind) = reader.u8("content_type") else { return Ok(None) };
        let content = match kind {
            HANDSHAKE => Content::Handshake,
            CHANGE_CIPHER_SPEC | ALERT => Content::PassedOver,
            APPLICATION_DATA if early_data => Content::PassedOver,
            other => return Err(TlsError::NotHandshake(other)),
        };
        let Ok(version) = reader.u16("version") else { return Ok(None) };
        if !(0x0300..=0x0304).contains(&version) {
            return Err(TlsError::RecordVersion(ProtocolVersion(version)));
        }
        let Ok(length) = reader.u16("length") else { return Ok(None) };
        // RFC 8446 §5: ChangeCipherSpec is one byte. §6: an alert is two.
        let fits = match kind {
            CHANGE_CIPHER_SPEC => length == 1,
            ALERT => length == 2,
            _ => length <= MAX_RECORD,
        };
        if !fits {
            return Err(TlsError::RecordLength(length));
        }
        Ok(Some(Self { content, length: usize::from(length) }))
    }
}

/// Counts records against their limits.
#[derive(Clone, Copy, Debug, Default)]
struct RecordCount {
    all: usize,
    empty: usize,
}

impl RecordCount {
    #[inline]
    fn add(&mut self, header: RecordHeader, limits: &HelloLimits) -> Result<(), TlsError> {
        self.all += 1;
        self.empty += usize::from(header.length == 0);
        if self.all > limits.max_records {
            return Err(TlsError::Limit { what: "records", limit: limits.max_records });
        }
        if self.empty > limits.max_empty_records {
            return Err(TlsError::Limit { what: "empty records", limit: limits.max_empty_records });
        }
        Ok(())
    }
}

/// How long the message is, if that is known and allowed.
#[inline]
fn allowed_length(
    bytes: &[u8],
    kind: HandshakeType,
    limits: &HelloLimits,
) -> Result<Option<usize>, TlsError> {
    match handshake::length(bytes, kind)? {
        Some(length) if length > limits.max_hello_bytes => {
            Err(TlsError::Limit { what: "hello bytes", limit: limits.max_hello_bytes })
        }
        length => Ok(length),
    }
}

/// A handshake message that lies in one record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstMessage<'a> {
    pub(crate) bytes: &'a [u8],
    /// Where it ends in the stream.
    pub(crate) end: usize,
    /// How many bytes of its record come after it.
    pub(crate) left: usize,
}

/// The first handshake message of a stream, if it lies in one record.
#[inline]
pub(crate) fn first_message<'a>(
    bytes: &'a [u8],
    kind: HandshakeType,
    limits: &HelloLimits,
    early_data: bool,
) -> Result<Progress<FirstMessage<'a>>, TlsError> {
    if kind == HandshakeType::ClientHello && sslv2::begins(bytes) {
        return match Sslv2Hello::parse(bytes)? {
            Progress::Done(_) => Err(TlsError::Sslv2),
            Progress::NeedMore => Ok(Progress::NeedMore),
        };
    }
    let mut reader = Reader::new(bytes);
    let mut count = RecordCount::default();
    while let Some(header) = RecordHeader::read(reader.rest(), early_data)? {
        count.add(header, limits)?;
        reader.skip(RECORD_HEADER, "record")?;
        let start = reader.position();
        let (content, complete) = match reader.take(header.length, "record") {
            Ok(content) => (content, true),
            Err(_) => (reader.take_rest(), false),
        };
        if header.content == Content::Handshake && !content.is_empty() {
            allowed_length(content, kind, limits)?;
            return match handshake::message(content, kind)? {
                Progress::NeedMore if complete => Err(TlsError::SeveralRecords),
                Progress::NeedMore => Ok(Progress::NeedMore),
                Progress::Done(message) => Ok(Progress::Done(FirstMessage {
                    bytes: message,
                    end: start + message.len(),
                    left: header.length - message.len(),
                })),
            };
        }
        if !complete {
            break;
        }
    }
    Ok(Progress::NeedMore)
}

/// Whether bytes are whole records of ChangeCipherSpec and alerts. What a sender begins with stands behind them, if it sends
/// anything else: after a fatal alert it does not.
#[cfg(feature = "capture")]
pub(crate) fn hold_nothing(bytes: &[u8]) -> bool {
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        let is_passed_over = match RecordHeader::read(reader.rest(), false) {
            Ok(Some(RecordHeader { content: Content::PassedOver, length })) => {
                reader.skip(RECORD_HEADER + length, "record").is_ok()
            }
            _ => false,
        };
        if !is_passed_over {
            return false;
        }
    }
    true
}

/// How many bytes at the front are whole records of ChangeCipherSpec and alerts; `None` if nothing of anything else has come.
#[cfg(feature = "capture")]
pub(crate) fn passed_over(bytes: &[u8]) -> Option<usize> {
    let mut reader = Reader::new(bytes);
    loop {
        match RecordHeader::read(reader.rest(), false) {
            Ok(Some(RecordHeader { content: Content::PassedOver, length })) => {
                reader.skip(RECORD_HEADER + length, "record").ok()?;
            }
            Ok(None) if matches!(reader.rest(), [] | [CHANGE_CIPHER_SPEC | ALERT, ..]) => return None,
            _ => return Some(reader.position()),
        }
    }
}
