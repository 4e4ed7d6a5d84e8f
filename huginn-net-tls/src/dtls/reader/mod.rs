//! Hellos from the datagrams of one end.

mod message;

use huginn_net_core::{Progress, Reader};
use sha2::{Digest, Sha256};

use self::message::{Message, whole};
use super::DtlsError;
use super::record::{Fragment, HandshakeRecord};
#[cfg(feature = "capture")]
use crate::carriers::Carriers;
use crate::client_hello::{Carrier, ClientHello};
use crate::error::TlsError;
#[cfg(feature = "capture")]
use crate::event::PacketRef;
use crate::handshake::{self, HandshakeType};
use crate::numbers::ProtocolVersion;
use crate::server_hello::HELLO_RETRY_REQUEST;

/// How much work and memory a [`DtlsHelloReader`] spends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DtlsLimits {
    /// Most handshake records looked at. Default 128.
    pub max_records: usize,
    /// Longest hello, in bytes without its header. Default 32 KiB.
    pub max_hello_bytes: usize,
    /// Most pieces of one hello held that wait for others before them. Default 64.
    pub max_pieces: usize,
    /// Most hellos being put together at a time, with two times `max_hello_bytes` of all of them; the oldest gives way to
    /// another. Default 8.
    pub max_messages: usize,
    /// Most hellos given, which are held if they came in fragments, and one more if the last of them comes with [another](DtlsHello::other), which would be lost
    /// otherwise. Default 8: each client sends one or two.
    pub max_hellos: usize,
}

impl Default for DtlsLimits {
    fn default() -> Self {
        Self { max_records: 128, max_hello_bytes: 32 * 1_024, max_pieces: 64, max_messages: 8, max_hellos: 8 }
    }
}

impl DtlsLimits {
    /// With this [`max_records`](Self::max_records).
    #[must_use]
    pub const fn with_max_records(self, max_records: usize) -> Self {
        Self { max_records, ..self }
    }

    /// With this [`max_hello_bytes`](Self::max_hello_bytes).
    #[must_use]
    pub const fn with_max_hello_bytes(self, max_hello_bytes: usize) -> Self {
        Self { max_hello_bytes, ..self }
    }

    /// With this [`max_pieces`](Self::max_pieces).
    #[must_use]
    pub const fn with_max_pieces(self, max_pieces: usize) -> Self {
        Self { max_pieces, ..self }
    }

    /// With this [`max_messages`](Self::max_messages).
    #[must_use]
    pub const fn with_max_messages(self, max_messages: usize) -> Self {
        Self { max_messages, ..self }
    }

    /// With this [`max_hellos`](Self::max_hellos).
    #[must_use]
    pub const fn with_max_hellos(self, max_hellos: usize) -> Self {
        Self { max_hellos, ..self }
    }
}

/// Reads ClientHellos from the UDP payloads that a client sends from one port to one server and port.
///
/// Fragments may be repeated and in any order, within a datagram and across. A client that is asked for a cookie, by a
/// HelloVerifyRequest or a HelloRetryRequest, sends a second hello, which is given too; one that is sent again is not.
///
/// Where fragments contradict each other, the first to arrive wins, as in every overlap, and what the others say is given
/// with it, as [`DtlsHello::other`]; a hello in a single fragment is given as it is, whatever was said before it. A hello that
/// was contradicted does not stand for the one that its client sends again, which is given, too, if it differs.
///
/// Packets of the server are not needed, and refused. So is what may share the port: STUN, RTP, TURN.
///
/// Work and memory stay within [`DtlsLimits`] for the life of the reader, whoever sends.
///
/// ```
/// use huginn_net_tls::{DtlsError, DtlsHelloReader, DtlsLimits};
///
/// let mut reader = DtlsHelloReader::new();
/// let stun = b"\x00\x01\x00\x00\x21\x12\xa4\x42";
/// assert_eq!(reader.push(stun), Err(DtlsError::NotRecord(0x00)));
/// ```
#[derive(Debug)]
pub struct DtlsHelloReader {
    limits: DtlsLimits,
    /// The hello of which end is read.
    kind: HandshakeType,
    /// Incomplete, the oldest first.
    messages: Vec<Message>,
    /// The hello that was given last, and the other one that was given with it.
    hello: Option<Message>,
    other: Option<Vec<u8>>,
    given: Vec<Given>,
    records: usize,
    /// The packet of the datagram that is being read, if it was told.
    #[cfg(feature = "capture")]
    packet: Option<PacketRef>,
}

/// A ClientHello that arrived in DTLS records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DtlsHello<'a> {
    /// The handshake message: type, length and body. The eight bytes about fragments are left out of the header; the
    /// cookie is where it was.
    pub message: &'a [u8],
    /// Version of the record that carried the first fragment to arrive: no version the client offers.
    pub record_version: ProtocolVersion,
    /// `message_seq`: 0 for a client's first hello, 1 for that with the cookie it was asked to bring.
    pub message_seq: u16,
    /// Fragments that the message was put together from, repeated ones included.
    pub fragments: u32,
    /// Whether each of them began where the one before it ended.
    pub in_order: bool,
    /// Whether some of them contradicted others, so that one of the senders is not the client.
    pub contradicted: bool,
    /// The message with what those say that contradicted what had arrived before them: either may be the client's. `None` if it
    /// was given before, too.
    pub other: Option<&'a [u8]>,
    /// The datagrams that brought it, if they were told.
    #[cfg(feature = "capture")]
    pub(crate) carriers: Option<Carriers>,
}

impl<'a> DtlsHello<'a> {
    /// Reads the message.
    ///
    /// # Errors
    /// As [`ClientHello::parse`].
    pub fn client_hello(&self) -> Result<ClientHello<'a>, TlsError> {
        ClientHello::parse(self.message, Carrier::Dtls)?.done().ok_or(TlsError::Incomplete)
    }
}

/// By what a hello that was given is known when it is sent again.
#[derive(Debug)]
struct Given {
    seq: u16,
    /// A second hello repeats that of the first
    /// ([RFC 6347 §4.2.1](https://www.rfc-editor.org/rfc/rfc6347#section-4.2.1)).
    random: Option<[u8; 32]>,
    /// SHA-256 of one that was contradicted: others with its random may be the client's own.
    digest: Option<[u8; 32]>,
    /// The message, if it came in several fragments that agree: one of them alone may be sent again.
    fragmented: Box<[u8]>,
}

/// Where either hello has its random: behind header and version.
const RANDOM_AT: usize = handshake::HEADER + 2;

impl DtlsHelloReader {
    /// A reader with the default limits. It allocates nothing before there is a fragment of a hello.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(DtlsLimits::default())
    }

    /// A reader with limits of one's own.
    #[must_use]
    pub const fn with_limits(limits: DtlsLimits) -> Self {
        Self::of_kind(HandshakeType::ClientHello, limits)
    }

    /// A reader of the hellos of either end.
    pub(crate) const fn of_kind(kind: HandshakeType, limits: DtlsLimits) -> Self {
        Self {
            limits,
            kind,
            messages: Vec::new(),
            hello: None,
            other: None,
            given: Vec::new(),
            records: 0,
            #[cfg(feature = "capture")]
            packet: None,
        }
    }

    /// Whether a datagram begins with a fragment of a ClientHello: cheap, and the only question to ask before making a
    /// reader.
    #[must_use]
    pub fn is_hello(datagram: &[u8]) -> bool {
        Self::begins_with(HandshakeType::ClientHello, datagram)
    }

    /// Whether a datagram begins with a fragment of a hello of either end.
    pub(crate) fn begins_with(kind: HandshakeType, datagram: &[u8]) -> bool {
        HandshakeRecord::read(&mut Reader::new(datagram))
            .is_ok_and(|mut record| Fragment::read(&mut record.fragments, kind).is_ok())
    }

    /// Whether a datagram begins with a hello of either end, in a record that goes on behind it.
    #[cfg(feature = "capture")]
    pub(crate) fn is_cut(datagram: &[u8]) -> bool {
        const HELLOS: [u8; 2] = [HandshakeType::ClientHello as u8, HandshakeType::ServerHello as u8];
        // Type, version and epoch, sequence number and length of the record, then the message.
        matches!(datagram, [22, 0xfe | 1, _, 0, 0, _, _, _, _, _, _, _, _, kind, ..] if HELLOS.contains(kind))
            && matches!(HandshakeRecord::read(&mut Reader::new(datagram)), Err(DtlsError::Truncated { .. }))
    }

    /// Takes the payload of a UDP datagram and gives a hello that it completed.
    ///
    /// What follows that hello in the datagram is not looked at: a client waits for an answer first.
    ///
    /// # Errors
    /// Why nothing in this datagram was of use. The next may be, see [`DtlsError`].
    pub fn push(&mut self, datagram: &[u8]) -> Result<Progress<DtlsHello<'_>>, DtlsError> {
        (self.hello, self.other) = (None, None);
        let kind = self.kind;
        take_each(&mut Reader::new(datagram), |datagram| {
            let HandshakeRecord { version, mut fragments } = HandshakeRecord::read(datagram)?;
            self.count_record()?;
            take_each(&mut fragments, |fragments| self.take(&Fragment::read(fragments, kind)?, version))
        })?;
        let other = self.other.as_deref();
        Ok(self.hello.as_ref().map_or(Progress::NeedMore, |message| Progress::Done(message.hello(other))))
    }

    /// As [`push`](Self::push), of the datagram of a packet.
    #[cfg(feature = "capture")]
    pub(crate) fn push_of(
        &mut self,
        packet: PacketRef,
        datagram: &[u8],
    ) -> Result<Progress<DtlsHello<'_>>, DtlsError> {
        self.packet = Some(packet);
        self.messages.iter_mut().for_each(|message| message.is_counted = false);
        self.push(datagram)
    }

    /// Bytes of memory held besides the reader itself: never less, and little more.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let messages = self.messages.iter().chain(&self.hello);
        self.messages.capacity() * size_of::<Message>()
            + self.given.capacity() * size_of::<Given>()
            + messages.map(Message::memory).sum::<usize>()
            + self.given.iter().map(|given| given.fragmented.len()).sum::<usize>()
            + self.other.as_ref().map_or(0, Vec::capacity)
    }

    /// Whether a part of a hello is held.
    #[cfg(feature = "capture")]
    pub(crate) fn has_begun(&self) -> bool {
        !self.messages.is_empty()
    }

    /// Gives back what was spent: who reads many associations has a limit for each datagram, as what is sent in the name of
    /// an end must not use up what may be spent on it. Of the hellos given the first are forgotten.
    #[cfg(feature = "capture")]
    pub(crate) fn allow(&mut self) {
        self.records = 0;
        let given = self.given.len();
        self.given.drain(..(given + 1).saturating_sub(self.limits.max_hellos).min(given));
    }

    fn count_record(&mut self) -> Result<(), DtlsError> {
        let limit = self.limits.max_records;
        if self.records >= limit {
            return Err(DtlsError::Limit { what: "records", limit });
        }
        self.records += 1;
        Ok(())
    }

    /// Takes a fragment: whether it completed a hello that was not given before.
    fn take(&mut self, fragment: &Fragment<'_>, version: ProtocolVersion) -> Result<bool, DtlsError> {
        let limit = self.limits.max_hello_bytes;
        if fragment.message_len as usize > limit {
            return Err(TlsError::Limit { what: "hello bytes", limit }.into());
        }
        let at = self.messages.iter().position(|message| message.is_of(fragment));
        if at.is_none() && self.given.iter().any(|given| given.has(fragment)) {
            return Ok(false);
        }
        let mut message = match at {
            Some(at) => self.messages.remove(at),
            None => Message::new(self.kind, fragment, version, self.limits),
        };
        #[cfg(feature = "capture")]
        let known = message.held();
        let taken = message.take(fragment, self.limits);
        #[cfg(feature = "capture")]
        if let Some(packet) = self.packet
            && message.held() > known
            && !core::mem::replace(&mut message.is_counted, true)
        {
            Carriers::add(&mut message.carriers, packet);
        }
        if message.is_complete() {
            return self.give(message);
        }
        self.messages.insert(at.unwrap_or(self.messages.len()), message);
        self.make_room();
        taken.map(|()| false)
    }

    /// Gives up the oldest of the hellos that have begun, but for the last.
    fn make_room(&mut self) {
        let DtlsLimits { max_messages, max_hello_bytes, .. } = self.limits;
        let most = max_hello_bytes.saturating_mul(2);
        while self.messages.len() > max_messages.max(1)
            || self.messages.len() > 1 && self.messages.iter().map(Message::held).sum::<usize>() > most
        {
            self.messages.remove(0);
        }
    }

    /// Gives a complete message, or what contradicts it, or both: what was not given before.
    fn give(&mut self, mut message: Message) -> Result<bool, DtlsError> {
        let is_new = |bytes: &[u8]| !self.given.iter().any(|given| given.is_repeated_by(message.seq, bytes));
        // All servers ask for another hello in the same words, in a new association on the same ports, too.
        if self.kind == HandshakeType::ServerHello
            && random(message.stream.bytes()) == Some(HELLO_RETRY_REQUEST)
        {
            (self.hello, self.other) = (Some(message), None);
            return Ok(true);
        }
        let mut other = message.other().filter(|other| is_new(other));
        if !is_new(message.stream.bytes()) {
            let Some(other) = other.take() else { return Ok(false) };
            message.stream = whole(&other);
        }
        let limit = self.limits.max_hellos;
        if self.given.len() >= limit {
            return Err(DtlsError::Limit { what: "hellos", limit });
        }
        let told = [Some(message.stream.bytes()), other.as_deref()].into_iter().flatten();
        self.given.extend(told.map(|bytes| Given::of(&message, bytes)));
        (self.hello, self.other) = (Some(message), other);
        Ok(true)
    }
}

impl Default for DtlsHelloReader {
    fn default() -> Self {
        Self::new()
    }
}

/// Takes one item after another until nothing is left or one of them is the last: the answer to the last that was of
/// use, or else why the first was not. `take` shortens what it is given.
fn take_each<'a>(
    items: &mut Reader<'a>,
    mut take: impl FnMut(&mut Reader<'a>) -> Result<bool, DtlsError>,
) -> Result<bool, DtlsError> {
    let mut answer = take(items);
    while !items.is_empty() && answer != Ok(true) {
        let next = take(items);
        if next.is_ok() {
            answer = next;
        }
    }
    answer
}

impl Given {
    fn of(message: &Message, bytes: &[u8]) -> Self {
        let is_contradicted = !message.contradictions.is_empty();
        let digest = is_contradicted.then(|| Sha256::digest(bytes).into());
        let is_fragmented = message.fragments > 1 && !is_contradicted;
        let fragmented = if is_fragmented { bytes.into() } else { Box::default() };
        Self { seq: message.seq, random: random(bytes), digest, fragmented }
    }

    /// Whether a fragment is a part of it.
    fn has(&self, fragment: &Fragment<'_>) -> bool {
        let body = self.fragmented.get(handshake::HEADER..).unwrap_or_default();
        let part = body.get(fragment.offset as usize..).and_then(|body| body.get(..fragment.data.len()));
        (self.seq, body.len()) == (fragment.message_seq, fragment.message_len as usize)
            && part == Some(fragment.data)
    }

    fn is_repeated_by(&self, seq: u16, message: &[u8]) -> bool {
        (self.seq, self.random) == (seq, random(message))
            && self.digest.is_none_or(|digest| digest == <[u8; 32]>::from(Sha256::digest(message)))
    }
}

fn random(message: &[u8]) -> Option<[u8; 32]> {
    Reader::at(message, RANDOM_AT).array("random").ok()
}

#[cfg(test)]
mod tests;
