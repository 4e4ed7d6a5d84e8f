//! A reader of hellos from a stream.

use huginn_net_core::{Progress, Reader};

use super::{FirstMessage, HelloLimits, RecordJoiner, first_message};
use crate::client_hello::{Carrier, ClientHello};
use crate::error::TlsError;
use crate::handshake::HandshakeType;
use crate::sslv2::{self, Sslv2Hello};

/// Reads a hello from a TLS stream that arrives in pieces of any size.
///
/// A hello that lies within one record and one push is borrowed from it; only otherwise are its bytes copied, and never
/// more memory is taken than bytes have arrived.
///
/// ```
/// use huginn_net_tls::core::Progress;
/// use huginn_net_tls::ClientHelloReader;
///
/// let mut reader = ClientHelloReader::new();
/// assert!(matches!(reader.push(&[0x16, 0x03, 0x01]), Ok(Progress::NeedMore)));
/// assert!(reader.push(b"GET / HTTP/1.1").is_err());
/// ```
#[derive(Debug)]
pub struct ClientHelloReader {
    limits: HelloLimits,
    state: State,
    records: RecordJoiner,
    /// A hello in the format of SSL 2.0, as far as it has arrived.
    sslv2: Vec<u8>,
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
        Self::with_limits(HelloLimits::default())
    }

    /// A reader with limits of one's own.
    #[must_use]
    pub fn with_limits(limits: HelloLimits) -> Self {
        Self {
            limits,
            state: State::default(),
            records: RecordJoiner::new(HandshakeType::ClientHello, limits),
            sslv2: Vec::new(),
            early_data: false,
            consumed: 0,
        }
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
                    self.records.go_on_in_record(left);
                    return Self::finish(&mut self.state, &mut self.early_data, message);
                }
                Ok(Progress::NeedMore) | Err(TlsError::SeveralRecords | TlsError::Sslv2) => {}
                Err(error) => return self.fail(error),
            }
        }
        let complete = match self.state {
            State::Sslv2 => self.absorb_sslv2(bytes).map(|()| None),
            _ => self.records.push(bytes, self.early_data),
        };
        match complete {
            Ok(Some(end)) => {
                self.consumed = end;
                Self::finish(&mut self.state, &mut self.early_data, self.records.message())
            }
            Ok(None) => Ok(Progress::NeedMore),
            Err(error) => self.fail(error),
        }
    }

    /// The hello in the format of SSL 2.0, after [`TlsError::Sslv2`].
    #[must_use]
    pub fn sslv2_hello(&self) -> Option<Sslv2Hello<'_>> {
        match self.state {
            State::Failed(TlsError::Sslv2) => Sslv2Hello::parse(&self.sslv2).ok()?.done(),
            _ => None,
        }
    }

    /// How many bytes of the last push were read: all of them, unless it completed a hello.
    ///
    /// ```
    /// use huginn_net_tls::core::Progress;
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
    /// # let stream = include_bytes!("../../../pcaps/tls/hello/hand-base-tls13.bin");
    /// # assert_eq!(hellos(&[&stream[..], stream].concat()), Ok(2));
    /// ```
    #[must_use]
    pub const fn consumed(&self) -> usize {
        self.consumed
    }

    /// Bytes of memory held besides the reader itself.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        self.records.held_bytes() + self.sslv2.capacity()
    }

    fn begin_next(&mut self) {
        self.state = if self.records.is_in_record() { State::Records } else { State::Fresh };
        self.records.begin_next();
    }

    fn fail<T>(&mut self, error: TlsError) -> Result<T, TlsError> {
        self.state = State::Failed(error);
        self.records = RecordJoiner::new(HandshakeType::ClientHello, self.limits);
        if error != TlsError::Sslv2 {
            self.sslv2 = Vec::new();
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

    /// A hello of SSL 2.0 is kept until it is complete, and then is an error.
    fn absorb_sslv2(&mut self, bytes: &[u8]) -> Result<(), TlsError> {
        let room = self.limits.max_hello_bytes.saturating_sub(self.sslv2.len());
        self.sslv2.extend_from_slice(Reader::new(bytes).take(room.min(bytes.len()), "hello")?);
        match Sslv2Hello::parse(&self.sslv2)? {
            Progress::Done(_) => Err(TlsError::Sslv2),
            Progress::NeedMore if room <= bytes.len() => {
                Err(TlsError::Limit { what: "hello bytes", limit: self.limits.max_hello_bytes })
            }
            Progress::NeedMore => Ok(()),
        }
    }
}

impl Default for ClientHelloReader {
    fn default() -> Self {
        Self::new()
    }
}
