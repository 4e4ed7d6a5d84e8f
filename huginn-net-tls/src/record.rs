//! The record layer in front of a hello ([RFC 8446 §5.1]), and a reader that joins records.
//!
//! [RFC 8446 §5.1]: https://www.rfc-editor.org/rfc/rfc8446#section-5.1

use huginn_net_core::{Progress, Reader};

use crate::client_hello::{Carrier, ClientHello};
use crate::error::TlsError;
use crate::handshake::{self, HandshakeType};
use crate::sslv2::{self, Sslv2Hello};

/// How much a client may send until its hello is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HelloLimits {
    /// The longest hello, in bytes with its header of four. Browsers need 3 000.
    pub message_bytes: usize,
    /// The most records up to the end of the hello, those of alerts and ChangeCipherSpec included.
    pub records: usize,
    /// The most records without content among them.
    pub empty_records: usize,
}

impl Default for HelloLimits {
    /// 32 KiB, 128 records, 4 of them empty.
    fn default() -> Self {
        Self { message_bytes: 32 << 10, records: 128, empty_records: 4 }
    }
}

const RECORD_HEADER: usize = 5;

/// Plaintext may have 2^14 bytes, ciphertext of TLS 1.2 2048 more: some stacks take the one limit for the other.
const MAX_RECORD: u16 = (1 << 14) + 2048;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    ChangeCipherSpec,
    Alert,
    Handshake,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RecordHeader {
    content: Content,
    length: usize,
}

impl RecordHeader {
    /// Reads a header, or as much of one as there is: what can stand before no hello is refused at its first byte.
    #[inline]
    fn read(bytes: &[u8]) -> Result<Option<Self>, TlsError> {
        let mut reader = Reader::new(bytes);
        let Ok(content) = reader.u8("content_type") else { return Ok(None) };
        let content = match content {
            20 => Content::ChangeCipherSpec,
            21 => Content::Alert,
            22 => Content::Handshake,
            other => return Err(TlsError::NotHandshake(other)),
        };
        let Ok(major) = reader.u8("version") else { return Ok(None) };
        let minor = reader.u8("version");
        if major != 3 || minor.is_ok_and(|minor| minor > 4) {
            return Err(TlsError::RecordVersion(u16::from_be_bytes([major, minor.unwrap_or_default()])));
        }
        let Ok(length) = reader.u16("length") else { return Ok(None) };
        // RFC 8446 §5: ChangeCipherSpec is one byte. §6: an alert is two.
        let fits = match content {
            Content::ChangeCipherSpec => length == 1,
            Content::Alert => length == 2,
            Content::Handshake => length <= MAX_RECORD,
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
        if self.all > limits.records {
            return Err(TlsError::Limit { what: "records", limit: limits.records });
        }
        if self.empty > limits.empty_records {
            return Err(TlsError::Limit { what: "empty_records", limit: limits.empty_records });
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
        Some(length) if length > limits.message_bytes => {
            Err(TlsError::Limit { what: "message_bytes", limit: limits.message_bytes })
        }
        length => Ok(length),
    }
}

/// The first handshake message of a stream, if it lies in one record.
#[inline]
pub(crate) fn first_message<'a>(
    bytes: &'a [u8],
    kind: HandshakeType,
    limits: &HelloLimits,
) -> Result<Progress<&'a [u8]>, TlsError> {
    if kind == HandshakeType::ClientHello && sslv2::begins(bytes) {
        return match Sslv2Hello::parse(bytes)? {
            Progress::Done(_) => Err(TlsError::Sslv2),
            Progress::NeedMore => Ok(Progress::NeedMore),
        };
    }
    let mut reader = Reader::new(bytes);
    let mut count = RecordCount::default();
    while let Some(header) = RecordHeader::read(reader.rest())? {
        count.add(header, limits)?;
        reader.skip(RECORD_HEADER, "record")?;
        let (content, complete) = match reader.take(header.length, "record") {
            Ok(content) => (content, true),
            Err(_) => (reader.take_rest(), false),
        };
        if header.content == Content::Handshake && !content.is_empty() {
            allowed_length(content, kind, limits)?;
            return match handshake::message(content, kind)? {
                Progress::NeedMore if complete => Err(TlsError::SeveralRecords),
                progress => Ok(progress),
            };
        }
        if !complete {
            break;
        }
    }
    Ok(Progress::NeedMore)
}

/// Reads a hello from a TLS stream that arrives in pieces of any size.
///
/// A hello that lies within one record and one push is borrowed from it; only otherwise are its bytes copied, and never
/// more memory is taken than bytes have arrived.
///
/// ```
/// use huginn_net_core::Progress;
/// use huginn_net_tls::ClientHelloReader;
///
/// let mut reader = ClientHelloReader::new();
/// assert!(matches!(reader.push(&[0x16, 0x03, 0x01]), Ok(Progress::NeedMore)));
/// assert!(reader.push(b"GET / HTTP/1.1").is_err());
/// ```
#[derive(Debug, Default)]
pub struct ClientHelloReader {
    limits: HelloLimits,
    state: State,
    count: RecordCount,
    /// The header of the next record, as far as it has arrived.
    header: Vec<u8>,
    /// The record being read and how much of it is still to come.
    record: Option<RecordHeader>,
    /// The hello, as far as it has arrived.
    message: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum State {
    /// Nothing has arrived.
    #[default]
    Fresh,
    Records,
    Sslv2,
    Done,
    Failed(TlsError),
}

impl ClientHelloReader {
    /// A reader with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A reader with limits of one's own.
    #[must_use]
    pub fn with_limits(limits: HelloLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes the next bytes of the stream.
    ///
    /// What follows the hello in the same push is dropped. After a hello the reader expects the first record of the next
    /// one: a server that sends HelloRetryRequest is answered with a second hello.
    ///
    /// # Errors
    /// If the stream does not begin with a hello or goes over a limit: again on each later push. [`TlsError::Sslv2`] when a
    /// hello in that format is complete; [`Self::sslv2_hello`] has it then.
    pub fn push<'r>(&'r mut self, bytes: &'r [u8]) -> Result<Progress<ClientHello<'r>>, TlsError> {
        match self.state {
            State::Failed(error) => return Err(error),
            State::Done => self.begin_next(),
            State::Fresh | State::Records | State::Sslv2 => {}
        }
        if bytes.is_empty() {
            return Ok(Progress::NeedMore);
        }
        if self.state == State::Fresh {
            self.state = if sslv2::begins(bytes) { State::Sslv2 } else { State::Records };
            match first_message(bytes, HandshakeType::ClientHello, &self.limits) {
                Ok(Progress::Done(message)) => return Self::finish(&mut self.state, message),
                Ok(Progress::NeedMore) | Err(TlsError::SeveralRecords | TlsError::Sslv2) => {}
                Err(error) => return self.fail(error),
            }
        }
        let complete = match self.state {
            State::Sslv2 => self.absorb_sslv2(bytes),
            _ => self.absorb_records(bytes),
        };
        match complete {
            Ok(true) => Self::finish(&mut self.state, &self.message),
            Ok(false) => Ok(Progress::NeedMore),
            Err(error) => self.fail(error),
        }
    }

    /// The hello in the format of SSL 2.0, after [`TlsError::Sslv2`].
    #[must_use]
    pub fn sslv2_hello(&self) -> Option<Sslv2Hello<'_>> {
        match self.state {
            State::Failed(TlsError::Sslv2) => Sslv2Hello::parse(&self.message).ok()?.done(),
            _ => None,
        }
    }

    /// Bytes of memory held besides the reader itself.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.message.capacity() + self.header.capacity()
    }

    fn begin_next(&mut self) {
        self.state = State::Fresh;
        self.count = RecordCount::default();
        self.header.clear();
        self.record = None;
        self.message.clear();
    }

    fn fail<T>(&mut self, error: TlsError) -> Result<T, TlsError> {
        self.state = State::Failed(error);
        Err(error)
    }

    fn finish<'r>(state: &mut State, message: &'r [u8]) -> Result<Progress<ClientHello<'r>>, TlsError> {
        let hello = ClientHello::parse(message, Carrier::Tcp);
        *state = match hello {
            Ok(_) => State::Done,
            Err(error) => State::Failed(error),
        };
        hello
    }

    /// Whether the hello is complete with these bytes.
    fn absorb_records(&mut self, bytes: &[u8]) -> Result<bool, TlsError> {
        let mut reader = Reader::new(bytes);
        while !reader.is_empty() {
            let Some(record) = &mut self.record else {
                self.header.push(reader.u8("record")?);
                if let Some(header) = RecordHeader::read(&self.header)? {
                    self.count.add(header, &self.limits)?;
                    self.header.clear();
                    self.record = Some(header).filter(|header| header.length > 0);
                }
                continue;
            };
            let part = match record.content {
                Content::ChangeCipherSpec | Content::Alert => record.length,
                Content::Handshake => {
                    let length = allowed_length(&self.message, HandshakeType::ClientHello, &self.limits)?;
                    length.unwrap_or(handshake::HEADER).saturating_sub(self.message.len()).min(record.length)
                }
            };
            let part = reader.take(part.min(reader.remaining()), "record")?;
            record.length -= part.len();
            if record.content == Content::Handshake {
                self.message.extend_from_slice(part);
                let length = allowed_length(&self.message, HandshakeType::ClientHello, &self.limits)?;
                if length.is_some_and(|length| length == self.message.len()) {
                    return Ok(true);
                }
            }
            if record.length == 0 {
                self.record = None;
            }
        }
        Ok(false)
    }

    /// A hello of SSL 2.0 is kept until it is complete, and then is an error.
    fn absorb_sslv2(&mut self, bytes: &[u8]) -> Result<bool, TlsError> {
        let room = self.limits.message_bytes.saturating_sub(self.message.len());
        self.message.extend_from_slice(Reader::new(bytes).take(room.min(bytes.len()), "hello")?);
        match Sslv2Hello::parse(&self.message)? {
            Progress::Done(_) => Err(TlsError::Sslv2),
            Progress::NeedMore if room <= bytes.len() => {
                Err(TlsError::Limit { what: "message_bytes", limit: self.limits.message_bytes })
            }
            Progress::NeedMore => Ok(false),
        }
    }
}
