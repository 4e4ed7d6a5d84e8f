//! ClientHellos from the datagrams of a client.

mod answer;

use huginn_net_core::{Progress, Reader};

use self::answer::Answers;

use super::QuicError;
use super::crypto::CryptoStream;
use super::header::{ConnectionId, InitialPacket, LongPacket};
use super::keys::{InitialKeys, InitialSecret};
use super::version::{InitialScheme, QuicVersion};
use crate::client_hello::{Carrier, ClientHello};
use crate::error::TlsError;
use crate::handshake::{self, HandshakeType};

/// How much work and memory a [`QuicInitialReader`] spends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QuicLimits {
    /// Most packets with long headers looked at. Default 32.
    pub max_packets: usize,
    /// Most times a packet of either end is decrypted, in vain or not; about a microsecond each. Default 8: a hello takes
    /// two or three, twice that with a Retry.
    pub max_decryptions: usize,
    /// Most connections whose keys are derived and whose handshake messages are held: one each for the first attempt,
    /// for that after a Retry and for that after a Version Negotiation. Default 3.
    pub max_keys: usize,
    /// Most bytes of handshake messages held for one connection, and as many of its server; the longest hello. Default
    /// 32 KiB.
    pub max_crypto_bytes: usize,
    /// Most pieces of handshake messages held that wait for others before them. Default 64; browsers send about 20.
    pub max_crypto_pieces: usize,
}

impl Default for QuicLimits {
    fn default() -> Self {
        Self {
            max_packets: 32,
            max_decryptions: 8,
            max_keys: 3,
            max_crypto_bytes: 32 * 1_024,
            max_crypto_pieces: 64,
        }
    }
}

impl QuicLimits {
    /// With this [`max_packets`](Self::max_packets).
    #[must_use]
    pub const fn with_max_packets(self, max_packets: usize) -> Self {
        Self { max_packets, ..self }
    }

    /// With this [`max_decryptions`](Self::max_decryptions).
    #[must_use]
    pub const fn with_max_decryptions(self, max_decryptions: usize) -> Self {
        Self { max_decryptions, ..self }
    }

    /// With this [`max_keys`](Self::max_keys).
    #[must_use]
    pub const fn with_max_keys(self, max_keys: usize) -> Self {
        Self { max_keys, ..self }
    }

    /// With this [`max_crypto_bytes`](Self::max_crypto_bytes).
    #[must_use]
    pub const fn with_max_crypto_bytes(self, max_crypto_bytes: usize) -> Self {
        Self { max_crypto_bytes, ..self }
    }

    /// With this [`max_crypto_pieces`](Self::max_crypto_pieces).
    #[must_use]
    pub const fn with_max_crypto_pieces(self, max_crypto_pieces: usize) -> Self {
        Self { max_crypto_pieces, ..self }
    }
}

/// Reads ClientHellos from the UDP payloads that a client sends from one port to one server and port.
///
/// Packets may be coalesced, repeated, and in any order, as may the pieces of the hello in them. Keys come from the
/// connection ID of a client's first packet and stay when the server replaces that ID; after a Retry or a Version
/// Negotiation the client starts again and is followed. Nothing of a packet is used before it proved authentic.
///
/// Packets of the server are not needed for that. One that is [pushed](Self::push) costs a decryption and is refused; what
/// the server answers can be read from them by [`push_answer`](Self::push_answer).
///
/// Work and memory stay within [`QuicLimits`] for the life of the reader, whoever sends: make another when the
/// connection is over.
///
/// ```
/// use huginn_net_core::Progress;
/// use huginn_net_tls::{QuicError, QuicInitialReader, QuicLimits};
///
/// let mut reader = QuicInitialReader::new(QuicLimits::default());
/// let dns = b"\x12\x34\x01\x00\x00\x01";
/// assert_eq!(reader.push(dns), Err(QuicError::NotLongHeader));
/// ```
#[derive(Debug)]
pub struct QuicInitialReader {
    limits: QuicLimits,
    connections: Vec<Connection>,
    /// The connection that a packet was opened of last.
    latest: Option<usize>,
    packets: usize,
    decryptions: usize,
    answers: Answers,
}

/// A ClientHello that arrived in Initial packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QuicHello<'a> {
    /// The handshake message: type, length and body.
    pub message: &'a [u8],
    /// Version of the packets.
    pub version: QuicVersion,
    /// Length of the connection ID that the keys come from, in bytes: 8 to 20 unless a Retry chose it.
    pub destination_id_len: u8,
    /// Length of the client's own connection ID, in bytes: 0 to 20.
    pub source_id_len: u8,
    /// Length of the token, in bytes; 0 without one. A server gave it in a Retry or on an earlier connection.
    pub token_len: usize,
    /// Initial packets of this connection opened so far, those without pieces of the hello and repeated ones included.
    pub initials: u32,
    /// CRYPTO frames in them.
    pub crypto_pieces: u32,
    /// Whether each of those frames began where the one before it ended.
    pub in_order: bool,
    /// 0 for a connection's first hello, 1 for its answer to a HelloRetryRequest.
    pub hello_index: u8,
}

impl<'a> QuicHello<'a> {
    /// Reads the message.
    ///
    /// # Errors
    /// As [`ClientHello::parse`].
    pub fn client_hello(&self) -> Result<ClientHello<'a>, TlsError> {
        ClientHello::parse(self.message, Carrier::Quic)?.done().ok_or(TlsError::Incomplete)
    }
}

/// Memory to read packets in, which the next ones use again.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// A packet, opened.
    opened: Vec<u8>,
    /// Pieces of its hello.
    joined: Vec<u8>,
}

/// What one set of keys opens.
#[derive(Debug)]
struct Connection {
    version: QuicVersion,
    destination: ConnectionId,
    secret: InitialSecret,
    /// Those of the client.
    keys: InitialKeys,
    source: ConnectionId,
    token_len: usize,
    crypto: CryptoStream,
    /// Hellos found.
    hellos: u8,
    /// The random of the first.
    random: Option<[u8; 32]>,
}

/// Shortest connection ID that a client may make up
/// ([RFC 9000 §7.2](https://www.rfc-editor.org/rfc/rfc9000#section-7.2)).
const MIN_FIRST_ID: usize = 8;
/// Where a ClientHello has its random: behind header and version
/// ([RFC 8446 §4.1.2](https://www.rfc-editor.org/rfc/rfc8446#section-4.1.2)).
const RANDOM_AT: usize = handshake::HEADER + 2;

impl QuicInitialReader {
    /// A reader that has seen nothing. It allocates nothing before there is a packet to decrypt.
    #[must_use]
    pub const fn new(limits: QuicLimits) -> Self {
        Self {
            limits,
            connections: Vec::new(),
            latest: None,
            packets: 0,
            decryptions: 0,
            answers: Answers::NONE,
        }
    }

    /// Whether a datagram begins with an Initial packet of a version that can be read: cheap, and the only question to
    /// ask before making a reader.
    #[must_use]
    pub fn is_initial(datagram: &[u8]) -> bool {
        InitialPacket::first_of(datagram).is_some()
    }

    /// Takes the payload of a UDP datagram and gives a hello that it completed.
    ///
    /// A hello that is repeated after a Retry or a Version Negotiation, recognised by its random, is not given again.
    /// After the hello the reader waits for that which answers a HelloRetryRequest.
    ///
    /// # Errors
    /// Why nothing in this datagram was of use, or which limit cost a part of it. The next may do, see [`QuicError`].
    pub fn push(&mut self, datagram: &[u8]) -> Result<Progress<QuicHello<'_>>, QuicError> {
        self.push_with(datagram, &mut Scratch::default())
    }

    /// As [`push`](Self::push), with a place to open packets in.
    pub(crate) fn push_with(
        &mut self,
        datagram: &[u8],
        scratch: &mut Scratch,
    ) -> Result<Progress<QuicHello<'_>>, QuicError> {
        let opened = self.open_datagram(datagram, scratch)?;
        let found = match self.connections.get_mut(opened) {
            Some(connection) => connection.find_hello()?,
            None => false,
        };
        match self.connections.get(opened) {
            Some(connection) if found && !self.is_repeated(opened) => Ok(Progress::Done(connection.hello())),
            _ => Ok(Progress::NeedMore),
        }
    }

    /// How many times a packet was decrypted, of the server too and in vain or not: the work done so far.
    #[must_use]
    pub const fn decryptions(&self) -> usize {
        self.decryptions + self.answers.decryptions
    }

    /// Bytes of memory held besides the reader itself: never less, and little more.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let streams = self.connections.iter().map(|connection| connection.crypto.memory()).sum::<usize>();
        let held = self.connections.capacity() * size_of::<Connection>() + streams;
        held + self.answers.held_bytes()
    }

    /// Holds no longer what was handed out, which the next datagram would see to otherwise.
    #[cfg(feature = "capture")]
    pub(crate) fn forget_read(&mut self) {
        self.connections.iter_mut().for_each(|connection| connection.crypto.forget_read());
        self.answers.forget_read();
    }

    /// Opens what can be opened of a datagram; the connection it belongs to. It is one: senders must not put packets to
    /// several connection IDs into a datagram ([RFC 9000 §12.2](https://www.rfc-editor.org/rfc/rfc9000#section-12.2)).
    fn open_datagram(&mut self, datagram: &[u8], scratch: &mut Scratch) -> Result<usize, QuicError> {
        let mut packets = Reader::new(datagram);
        let mut answer = self.open_next(&mut packets, scratch);
        while !packets.is_empty() {
            let next = self.open_next(&mut packets, scratch);
            if next.is_ok() {
                answer = next;
            }
        }
        answer
    }

    /// Opens the packet at the front of `packets`, which becomes shorter or empty.
    fn open_next(&mut self, packets: &mut Reader<'_>, scratch: &mut Scratch) -> Result<usize, QuicError> {
        let packet = match LongPacket::read(packets) {
            Ok(packet) => packet,
            Err(error) => {
                packets.take_rest();
                return Err(error);
            }
        };
        if self.packets >= self.limits.max_packets {
            packets.take_rest();
            return Err(QuicError::Limit { what: "packets", limit: self.limits.max_packets });
        }
        self.packets += 1;
        match packet {
            LongPacket::Initial(initial) => self.open(&initial, scratch),
            LongPacket::Other(kind) => Err(QuicError::NotInitial(kind)),
        }
    }

    /// Opens a packet with the keys of its own connection ID or with those that opened the last one.
    ///
    /// The ID changes without the keys when the server has chosen another
    /// ([RFC 9000 §7.2](https://www.rfc-editor.org/rfc/rfc9000#section-7.2)), and with the keys and the token after a
    /// Retry ([RFC 9001 §5.2](https://www.rfc-editor.org/rfc/rfc9001#section-5.2)); which of them is tried first saves a
    /// decryption.
    fn open(&mut self, packet: &InitialPacket<'_>, scratch: &mut Scratch) -> Result<usize, QuicError> {
        let own = self.connections.iter().position(|connection| connection.is_named_by(packet));
        let latest = self.latest.and_then(|at| Some((at, self.connections.get(at)?)));
        let latest = latest.filter(|(at, latest)| Some(*at) != own && latest.version == packet.version);
        let has_opened =
            own.and_then(|at| self.connections.get(at)).is_some_and(|own| own.crypto.packets > 0);

        match latest.filter(|_| !has_opened).map(|(at, latest)| (at, latest.token_len == packet.token_len)) {
            None => self.open_with_own(own, packet, scratch),
            Some((at, true)) => {
                self.open_with(at, packet, scratch).or_else(|_| self.open_with_own(own, packet, scratch))
            }
            Some((at, false)) => self.open_with_own(own, packet, scratch).or_else(|error| {
                // That it was not tried with its own keys is what matters.
                let limit = matches!(error, QuicError::Limit { .. }).then_some(error);
                self.open_with(at, packet, scratch).map_err(|error| limit.unwrap_or(error))
            }),
        }
    }

    fn open_with_own(
        &mut self,
        own: Option<usize>,
        packet: &InitialPacket<'_>,
        scratch: &mut Scratch,
    ) -> Result<usize, QuicError> {
        let at = match own {
            Some(at) => at,
            None => self.add_connection(packet)?,
        };
        self.open_with(at, packet, scratch)
    }

    /// Derives the keys of a packet's own connection ID. They are kept if they open nothing, too: forged packets
    /// cost their derivation once.
    fn add_connection(&mut self, packet: &InitialPacket<'_>) -> Result<usize, QuicError> {
        if packet.destination.len() < MIN_FIRST_ID && packet.token_len == 0 {
            return Err(QuicError::NotAuthentic);
        }
        if self.connections.len() >= self.limits.max_keys {
            return Err(QuicError::Limit { what: "keys", limit: self.limits.max_keys });
        }
        let scheme = packet.version.initial().ok_or(QuicError::UnknownVersion(packet.version))?;
        // There is rarely another.
        self.connections.reserve_exact(1);
        self.connections.push(Connection::new(packet, scheme, &self.limits));
        Ok(self.connections.len() - 1)
    }

    fn open_with(
        &mut self,
        at: usize,
        packet: &InitialPacket<'_>,
        scratch: &mut Scratch,
    ) -> Result<usize, QuicError> {
        let limit = self.limits.max_decryptions;
        let connection = self.connections.get_mut(at).ok_or(QuicError::NotAuthentic)?;
        if let Some(error) = connection.crypto.failed {
            return Err(error);
        }
        if self.decryptions >= limit {
            return Err(QuicError::Limit { what: "decryptions", limit });
        }
        self.decryptions += 1;
        let frames = connection.keys.open(packet, &mut scratch.opened).ok_or(QuicError::NotAuthentic)?;
        connection.crypto.take(frames, &mut scratch.joined);
        self.latest = Some(at);
        Ok(at)
    }

    /// Whether the first hello of a connection is one that another had before.
    fn is_repeated(&self, at: usize) -> bool {
        let (before, after) = self.connections.split_at_checked(at).unwrap_or_default();
        let Some((connection, after)) = after.split_first() else { return false };
        connection.hellos == 1
            && connection.random.is_some()
            && before.iter().chain(after).any(|other| other.random == connection.random)
    }
}

impl Connection {
    fn new(packet: &InitialPacket<'_>, scheme: &InitialScheme, limits: &QuicLimits) -> Self {
        let secret = InitialSecret::extract(scheme, packet.destination);
        Self {
            version: packet.version,
            destination: ConnectionId::of(packet.destination),
            secret,
            keys: secret.client_keys(scheme),
            source: ConnectionId::of(packet.source),
            token_len: packet.token_len,
            crypto: CryptoStream::new(HandshakeType::ClientHello, limits),
            hellos: 0,
            random: None,
        }
    }

    fn is_named_by(&self, packet: &InitialPacket<'_>) -> bool {
        self.version == packet.version && self.destination.as_slice() == packet.destination
    }

    /// Looks for the hello behind those that were handed out.
    fn find_hello(&mut self) -> Result<bool, QuicError> {
        let found = self.crypto.find_hello()?;
        if found {
            self.hellos = self.hellos.saturating_add(1);
            if self.hellos == 1 {
                self.random = Reader::at(self.crypto.message(), RANDOM_AT).array("random").ok();
            }
        }
        Ok(found)
    }

    /// The hello that was found.
    fn hello(&self) -> QuicHello<'_> {
        QuicHello {
            message: self.crypto.message(),
            version: self.version,
            destination_id_len: self.destination.len(),
            source_id_len: self.source.len(),
            token_len: self.token_len,
            initials: self.crypto.packets,
            crypto_pieces: self.crypto.pieces,
            in_order: self.crypto.in_order,
            hello_index: self.hellos.saturating_sub(1),
        }
    }
}

#[cfg(test)]
mod tests;
