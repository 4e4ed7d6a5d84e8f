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
        const CHANGE_CIPHER_SPEC: u8 = 20;
        const ALERT: u8 = 21;
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
            return Err(TlsError::RecordVersion(version));
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
    header: [u8; RECORD_HEADER],
    header_len: usize,
    /// The record being read; its length is what is still to come.
    record: Option<RecordHeader>,
    /// The hello, as far as it has arrived.
    message: Vec<u8>,
    /// The hello before this one announced early data.
    early_data: bool,
    consumed: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum State {
    /// At the start of a record, with nothing held.
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

    /// Takes the next bytes of the stream, up to the end of a hello.
    ///
    /// After a hello the reader looks for the next one: a client that gets a HelloRetryRequest sends a second, behind
    /// records of ChangeCipherSpec and of the early data that its first announced. Who waits for it pushes again what
    /// [`consumed`](Self::consumed) tells was left.
    ///
    /// # Errors
    /// If the stream does not begin with a hello or goes over a limit: again on each later push. [`TlsError::Sslv2`] when a
    /// hello in that format is complete; [`Self::sslv2_hello`] has it then.
    pub fn push<'r>(&'r mut self, bytes: &'r [u8]) -> Result<Progress<ClientHello<'r>>, TlsError> {
        self.consumed = bytes.len();
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
            match first_message(bytes, HandshakeType::ClientHello, &self.limits, self.early_data) {
                Ok(Progress::Done(FirstMessage { bytes: message, end, left })) => {
                    self.consumed = end;
                    self.record =
                        Some(RecordHeader { content: Content::Handshake, length: left }).filter(|_| left > 0);
                    return Self::finish(&mut self.state, &mut self.early_data, message);
                }
                Ok(Progress::NeedMore) | Err(TlsError::SeveralRecords | TlsError::Sslv2) => {}
                Err(error) => return self.fail(error),
            }
        }
        let complete = match self.state {
            State::Sslv2 => self.absorb_sslv2(bytes),
            _ => self.absorb_records(bytes),
        };
        match complete {
            Ok(true) => Self::finish(&mut self.state, &mut self.early_data, &self.message),
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

    /// How many bytes of the last push were read: all of them, unless it completed a hello.
    ///
    /// ```
    /// use huginn_net_core::Progress;
    /// use huginn_net_tls::{ClientHelloReader, TlsError};
    ///
    /// /// How many hellos a stream holds.
    /// fn hellos(mut stream: &[u8]) -> Result<usize, TlsError> {
    ///     let (mut reader, mut hellos) = (ClientHelloReader::new(), 0);
    ///     while !stream.is_empty() {
    ///         hellos += usize::from(matches!(reader.push(stream)?, Progress::Done(_)));
    ///         stream = stream.get(reader.consumed()..).unwrap_or_default();
    ///     }
    ///     Ok(hellos)
    /// }
    /// # let stream = include_bytes!("../../pcaps/tls/hello/hand-base-tls13.bin");
    /// # assert_eq!(hellos(&[&stream[..], stream].concat()), Ok(2));
    /// ```
    #[must_use]
    pub const fn consumed(&self) -> usize {
        self.consumed
    }

    /// Bytes of memory held besides the reader itself.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        self.message.capacity()
    }

    fn begin_next(&mut self) {
        self.state = if self.record.is_some() { State::Records } else { State::Fresh };
        self.count = RecordCount::default();
        self.message.clear();
    }

    fn fail<T>(&mut self, error: TlsError) -> Result<T, TlsError> {
        self.state = State::Failed(error);
        if error != TlsError::Sslv2 {
            self.message = Vec::new();
        }
        Err(error)
    }

    fn finish<'r>(
        state: &mut State,
        early_data: &mut bool,
        message: &'r [u8],
    ) -> Result<Progress<ClientHello<'r>>, TlsError> {
        let hello = ClientHello::parse(message, Carrier::Tcp);
        *state = match hello {
            Ok(_) => State::Done,
            Err(error) => State::Failed(error),
        };
        if let Ok(Progress::Done(hello)) = hello {
            *early_data = hello.session().early_data;
        }
        hello
    }

    /// Whether the hello is complete with these bytes.
    fn absorb_records(&mut self, bytes: &[u8]) -> Result<bool, TlsError> {
        let mut reader = Reader::new(bytes);
        while !reader.is_empty() {
            let Some(record) = &mut self.record else {
                let byte = reader.u8("record")?;
                if let Some(place) = self.header.get_mut(self.header_len) {
                    *place = byte;
                    self.header_len += 1;
                }
                let header = self.header.get(..self.header_len).unwrap_or_default();
                if let Some(header) = RecordHeader::read(header, self.early_data)? {
                    self.count.add(header, &self.limits)?;
                    self.header_len = 0;
                    self.record = Some(header).filter(|header| header.length > 0);
                }
                continue;
            };
            let part = match record.content {
                Content::PassedOver => record.length,
                Content::Handshake => {
                    let length = allowed_length(&self.message, HandshakeType::ClientHello, &self.limits)?;
                    length.unwrap_or(handshake::HEADER).saturating_sub(self.message.len()).min(record.length)
                }
            };
            let part = reader.take(part.min(reader.remaining()), "record")?;
            record.length -= part.len();
            let content = record.content;
            if record.length == 0 {
                self.record = None;
            }
            if content == Content::Handshake {
                self.message.extend_from_slice(part);
                let length = allowed_length(&self.message, HandshakeType::ClientHello, &self.limits)?;
                if length.is_some_and(|length| length == self.message.len()) {
                    self.consumed = reader.position();
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// A hello of SSL 2.0 is kept until it is complete, and then is an error.
    fn absorb_sslv2(&mut self, bytes: &[u8]) -> Result<bool, TlsError> {
        let room = self.limits.max_hello_bytes.saturating_sub(self.message.len());
        self.message.extend_from_slice(Reader::new(bytes).take(room.min(bytes.len()), "hello")?);
        match Sslv2Hello::parse(&self.message)? {
            Progress::Done(_) => Err(TlsError::Sslv2),
            Progress::NeedMore if room <= bytes.len() => {
                Err(TlsError::Limit { what: "hello bytes", limit: self.limits.max_hello_bytes })
            }
            Progress::NeedMore => Ok(false),
        }
    }
}
