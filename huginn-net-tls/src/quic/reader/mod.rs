//! ClientHellos from the datagrams of a client.

use core::time::Duration;

use huginn_net_core::{Progress, Reader, SeqNumber, StreamHead, StreamLimit, StreamLimits, Timestamp};

use super::QuicError;
use super::frame::{CryptoFrame, CryptoFrames};
use super::header::{ConnectionId, InitialPacket, LongPacket};
use super::keys::InitialKeys;
use super::version::QuicVersion;
use crate::client_hello::{Carrier, ClientHello};
use crate::error::TlsError;
use crate::handshake::{self, HandshakeType};

/// How much work and memory a [`QuicInitialReader`] spends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QuicLimits {
    /// Most packets with long headers looked at. Default 32.
    pub max_packets: usize,
    /// Most times a packet is decrypted, in vain or not; about a microsecond each. Default 8: a hello takes two or
    /// three, twice that with a Retry.
    pub max_decryptions: usize,
    /// Most connections whose keys are derived and whose handshake messages are held: one each for the first attempt,
    /// for that after a Retry and for that after a Version Negotiation. Default 3.
    pub max_keys: usize,
    /// Most bytes of handshake messages held for one connection, and the longest hello. Default 32 KiB.
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
/// Packets of the server are not needed. One that is pushed costs a decryption and is refused.
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

/// What one set of keys opens.
#[derive(Debug)]
struct Connection {
    version: QuicVersion,
    destination: ConnectionId,
    keys: InitialKeys,
    source: ConnectionId,
    token_len: usize,
    initials: u32,
    pieces: u32,
    in_order: bool,
    /// Where the next frame begins if they are in order.
    next_offset: u64,
    stream: StreamHead,
    /// Limits of `stream`.
    limits: StreamLimits,
    /// Why a piece of the last datagram was dropped.
    dropped: Option<QuicError>,
    /// Bytes at the front of the stream that were handed out.
    read: usize,
    /// Hellos found.
    hellos: u8,
    /// The random of the first.
    random: Option<[u8; 32]>,
    /// The messages cannot become a hello, and none are held any more.
    failed: Option<QuicError>,
}

/// Shortest connection ID that a client may make up
/// ([RFC 9000 §7.2](https://www.rfc-editor.org/rfc/rfc9000#section-7.2)).
const MIN_FIRST_ID: u8 = 8;
/// Where a ClientHello has its random: behind header and version
/// ([RFC 8446 §4.1.2](https://www.rfc-editor.org/rfc/rfc8446#section-4.1.2)).
const RANDOM_AT: usize = handshake::HEADER + 2;

impl QuicInitialReader {
    /// A reader that has seen nothing. It allocates nothing before there is a packet to decrypt.
    #[must_use]
    pub const fn new(limits: QuicLimits) -> Self {
        Self { limits, connections: Vec::new(), latest: None, packets: 0, decryptions: 0 }
    }

    /// Whether a datagram begins with an Initial packet of a version that can be read: cheap, and the only question to
    /// ask before making a reader.
    #[must_use]
    pub fn is_initial(datagram: &[u8]) -> bool {
        matches!(LongPacket::read(&mut Reader::new(datagram)), Ok(LongPacket::Initial(_)))
    }

    /// Takes the payload of a UDP datagram and gives a hello that it completed.
    ///
    /// A hello that is repeated after a Retry or a Version Negotiation, recognised by its random, is not given again.
    /// After the hello the reader waits for that which answers a HelloRetryRequest.
    ///
    /// # Errors
    /// Why nothing in this datagram was of use, or which limit cost a part of it. The next may do, see [`QuicError`].
    pub fn push(&mut self, datagram: &[u8]) -> Result<Progress<QuicHello<'_>>, QuicError> {
        self.push_with(datagram, &mut Vec::new())
    }

    /// As [`push`](Self::push), with a place to open packets in.
    pub(crate) fn push_with(
        &mut self,
        datagram: &[u8],
        scratch: &mut Vec<u8>,
    ) -> Result<Progress<QuicHello<'_>>, QuicError> {
        let opened = self.open_datagram(datagram, scratch)?;
        let found = match self.connections.get_mut(opened) {
            Some(connection) => connection.find_hello(self.limits.max_crypto_bytes)?,
            None => false,
        };
        match self.connections.get(opened) {
            Some(connection) if found && !self.is_repeated(opened) => Ok(Progress::Done(connection.hello())),
            _ => Ok(Progress::NeedMore),
        }
    }

    /// Whether an Initial packet of the other end answers a client that was read: it goes to the connection ID that the
    /// client chose for itself ([RFC 9000 §7.2](https://www.rfc-editor.org/rfc/rfc9000#section-7.2)).
    #[cfg(feature = "capture")]
    pub(crate) fn is_answered_by(&self, datagram: &[u8]) -> bool {
        let Ok(LongPacket::Initial(packet)) = LongPacket::read(&mut Reader::new(datagram)) else {
            return false;
        };
        let mut read = self.connections.iter().filter(|connection| connection.initials > 0);
        read.any(|connection| connection.source == packet.destination)
    }

    /// How many times a packet was decrypted, in vain or not: the work done so far.
    #[must_use]
    pub const fn decryptions(&self) -> usize {
        self.decryptions
    }

    /// Bytes of memory held besides the reader itself: never less, and little more.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let streams = self.connections.iter().map(|connection| connection.stream.memory()).sum::<usize>();
        self.connections.capacity() * size_of::<Connection>() + streams
    }

    /// Opens what can be opened of a datagram; the connection it belongs to. It is one: senders must not put packets to
    /// several connection IDs into a datagram ([RFC 9000 §12.2](https://www.rfc-editor.org/rfc/rfc9000#section-12.2)).
    fn open_datagram(&mut self, datagram: &[u8], scratch: &mut Vec<u8>) -> Result<usize, QuicError> {
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
    fn open_next(&mut self, packets: &mut Reader<'_>, scratch: &mut Vec<u8>) -> Result<usize, QuicError> {
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
    fn open(&mut self, packet: &InitialPacket<'_>, scratch: &mut Vec<u8>) -> Result<usize, QuicError> {
        let own = self.connections.iter().position(|connection| connection.is_named_by(packet));
        let latest = self.latest.and_then(|at| Some((at, self.connections.get(at)?)));
        let latest = latest.filter(|(at, latest)| Some(*at) != own && latest.version == packet.version);
        let has_opened = own.and_then(|at| self.connections.get(at)).is_some_and(|own| own.initials > 0);

        match latest.filter(|_| !has_opened).map(|(at, latest)| (at, latest.token_len == packet.token_len)) {
            None => self.open_with_own(own, packet, scratch),
            Some((at, true)) => {
                self.open_with(at, packet, scratch).or_else(|_| self.open_with_own(own, packet, scratch))
            }
            Some((at, false)) => {
                self.open_with_own(own, packet, scratch).or_else(|_| self.open_with(at, packet, scratch))
            }
        }
    }

    fn open_with_own(
        &mut self,
        own: Option<usize>,
        packet: &InitialPacket<'_>,
        scratch: &mut Vec<u8>,
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
        let keys = InitialKeys::of_client(scheme, packet.destination);
        // There is rarely another.
        self.connections.reserve_exact(1);
        self.connections.push(Connection::new(packet, keys, self.limits));
        Ok(self.connections.len() - 1)
    }

    fn open_with(
        &mut self,
        at: usize,
        packet: &InitialPacket<'_>,
        scratch: &mut Vec<u8>,
    ) -> Result<usize, QuicError> {
        let limit = self.limits.max_decryptions;
        let connection = self.connections.get_mut(at).ok_or(QuicError::NotAuthentic)?;
        if let Some(error) = connection.failed {
            return Err(error);
        }
        if self.decryptions >= limit {
            return Err(QuicError::Limit { what: "decryptions", limit });
        }
        self.decryptions += 1;
        let frames = connection.keys.open(packet, scratch).ok_or(QuicError::NotAuthentic)?;
        connection.take(frames);
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
    fn new(packet: &InitialPacket<'_>, keys: InitialKeys, limits: QuicLimits) -> Self {
        let limits = StreamLimits::default()
            .with_max_bytes(limits.max_crypto_bytes)
            .with_max_pieces(limits.max_crypto_pieces)
            .with_max_out_of_order(limits.max_crypto_bytes)
            .with_max_rewind(0)
            .with_max_age(Duration::MAX);
        Self {
            version: packet.version,
            destination: packet.destination,
            keys,
            source: packet.source,
            token_len: packet.token_len,
            initials: 0,
            pieces: 0,
            in_order: true,
            next_offset: 0,
            stream: StreamHead::new(SeqNumber(0), limits),
            limits,
            dropped: None,
            read: 0,
            hellos: 0,
            random: None,
            failed: None,
        }
    }

    fn is_named_by(&self, packet: &InitialPacket<'_>) -> bool {
        self.version == packet.version && self.destination == packet.destination
    }

    /// Takes the frames of a packet that proved authentic.
    fn take(&mut self, frames: &[u8]) {
        self.initials = self.initials.saturating_add(1);
        for CryptoFrame { offset, data } in CryptoFrames::new(frames) {
            self.pieces = self.pieces.saturating_add(1);
            self.in_order &= offset == self.next_offset;
            self.next_offset = offset.saturating_add(data.len() as u64);
            if let Some(limit) = self.hold(offset, data) {
                self.dropped = Some(limit);
            }
        }
    }

    /// Holds a piece of the messages; the limit, if one forbade that.
    fn hold(&mut self, offset: u64, data: &[u8]) -> Option<QuicError> {
        let StreamLimits { max_bytes, max_pieces, .. } = self.limits;
        let too_far = QuicError::Limit { what: "CRYPTO bytes", limit: max_bytes };
        // A stream tells numbers apart that differ by less than 2^31, far more than it holds.
        let Some(offset) = u32::try_from(offset).ok().filter(|&offset| offset < 1 << 30) else {
            return Some(too_far);
        };
        // The time is always the same: who owns the reader decides how long to wait.
        match self.stream.push(SeqNumber(offset), data, Timestamp::default()).limit? {
            StreamLimit::Pieces => Some(QuicError::Limit { what: "CRYPTO pieces", limit: max_pieces }),
            _ => Some(too_far),
        }
    }

    /// Looks for the hello behind those that were handed out.
    fn find_hello(&mut self, max_bytes: usize) -> Result<bool, QuicError> {
        let read = core::mem::take(&mut self.read);
        self.stream.skip(read as u64);
        let dropped = self.dropped.take();
        match message_len(self.stream.bytes(), max_bytes) {
            Ok(Some(len)) => {
                self.read = len;
                self.hellos = self.hellos.saturating_add(1);
                if self.hellos == 1 {
                    self.random = Reader::at(self.hello().message, RANDOM_AT).array("random").ok();
                }
                Ok(true)
            }
            Ok(None) => dropped.map_or(Ok(false), Err),
            Err(error) => {
                self.failed = Some(error.into());
                self.stream = StreamHead::new(SeqNumber(0), self.limits);
                Err(error.into())
            }
        }
    }

    /// The hello that was found.
    fn hello(&self) -> QuicHello<'_> {
        QuicHello {
            message: self.stream.bytes().get(..self.read).unwrap_or_default(),
            version: self.version,
            destination_id_len: self.destination.len(),
            source_id_len: self.source.len(),
            token_len: self.token_len,
            initials: self.initials,
            crypto_pieces: self.pieces,
            in_order: self.in_order,
            hello_index: self.hellos.saturating_sub(1),
        }
    }
}

/// Length of the ClientHello at the front of `bytes`, header included; `None` while it is not complete.
fn message_len(bytes: &[u8], max_bytes: usize) -> Result<Option<usize>, TlsError> {
    match handshake::length(bytes, HandshakeType::ClientHello)? {
        Some(len) if len > max_bytes => Err(TlsError::Limit { what: "hello bytes", limit: max_bytes }),
        len => Ok(len.filter(|&len| len <= bytes.len())),
    }
}

#[cfg(test)]
mod tests;
