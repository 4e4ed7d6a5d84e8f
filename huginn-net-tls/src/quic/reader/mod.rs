//! ClientHellos from the datagrams of a client.

mod answer;
mod connections;

use huginn_net_core::{Progress, Reader};

#[cfg(not(feature = "capture"))]
use self::connections::{QuicConnections, Scratch};
#[cfg(feature = "capture")]
pub(crate) use self::connections::{QuicConnections, Scratch};
use super::QuicError;
use super::header::InitialPacket;
use super::version::QuicVersion;
#[cfg(feature = "capture")]
use crate::carriers::Carriers;
use crate::client_hello::{Carrier, ClientHello};
use crate::error::TlsError;
use crate::server_hello::ServerHello;

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
/// use huginn_net_tls::core::Progress;
/// use huginn_net_tls::{QuicError, QuicInitialReader, QuicLimits};
///
/// let mut reader = QuicInitialReader::new();
/// let dns = b"\x12\x34\x01\x00\x00\x01";
/// assert_eq!(reader.push(dns), Err(QuicError::NotLongHeader));
/// ```
#[derive(Debug)]
pub struct QuicInitialReader {
    limits: QuicLimits,
    connections: QuicConnections,
    scratch: Scratch,
}

/// A ClientHello that arrived in Initial packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QuicHello<'a> {
    /// The handshake message: type, length and body.
    pub message: &'a [u8],
    /// 0 for a connection's first hello, 1 for its answer to a HelloRetryRequest.
    pub hello_index: u8,
    /// What the packets tell besides.
    pub facts: QuicFacts,
    /// The datagrams that brought it, if they were told.
    #[cfg(feature = "capture")]
    pub(crate) carriers: Option<Carriers>,
}

/// What the packets of a hello over QUIC tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QuicFacts {
    /// Version of the packets.
    pub version: QuicVersion,
    /// Length of the connection ID that the keys come from, in bytes: 8 to 20 unless a Retry chose it.
    pub destination_id_len: u8,
    /// Length of the client's own connection ID, in bytes: 0 to 20.
    pub source_id_len: u8,
    /// Length of the token, in bytes; 0 without one. A server gave it in a Retry or on an earlier connection.
    pub token_len: usize,
    /// Initial packets of the connection opened so far, those without pieces of the hello and repeated ones included.
    pub initials: u32,
    /// CRYPTO frames in them.
    pub crypto_pieces: u32,
    /// Whether each of those frames began where the one before it ended.
    pub in_order: bool,
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

impl QuicInitialReader {
    /// A reader with the default limits. It allocates nothing before there is a packet to decrypt.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(QuicLimits::default())
    }

    /// A reader with limits of one's own.
    #[must_use]
    pub const fn with_limits(limits: QuicLimits) -> Self {
        Self { limits, connections: QuicConnections::NONE, scratch: Scratch::EMPTY }
    }

    /// Whether a datagram has an Initial packet of a version that can be read: cheap, and the only question to ask before
    /// making a reader.
    #[must_use]
    pub fn is_initial(datagram: &[u8]) -> bool {
        first_of(datagram).is_some()
    }

    /// Takes the payload of a UDP datagram and gives a hello that it completed.
    ///
    /// A hello that is repeated after a Retry or a Version Negotiation, recognised by its random, is not given again.
    /// After the hello the reader waits for that which answers a HelloRetryRequest.
    ///
    /// # Errors
    /// Why nothing in this datagram was of use, or which limit cost a part of it. The next may do, see [`QuicError`].
    pub fn push(&mut self, datagram: &[u8]) -> Result<Progress<QuicHello<'_>>, QuicError> {
        self.connections.push(datagram, &self.limits, &mut self.scratch)
    }

    /// How many times a packet was decrypted, of the server too and in vain or not: the work done so far.
    #[must_use]
    pub const fn decryptions(&self) -> usize {
        self.connections.decryptions()
    }

    /// Bytes of memory held besides the reader itself, that to work in included: never less, and little more.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.connections.held_bytes() + self.scratch.memory()
    }

    /// Whether an Initial packet of the other end answers a client that was read: it goes to the connection ID that the
    /// client chose for itself ([RFC 9000 §7.2](https://www.rfc-editor.org/rfc/rfc9000#section-7.2)).
    #[must_use]
    pub fn is_answered_by(&self, datagram: &[u8]) -> bool {
        first_of(datagram).is_some_and(|packet| self.connections.is_answered_with(&packet))
    }

    /// Whether nothing more is wanted of the server of the latest connection.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.connections.is_answered()
    }

    /// Whether an Initial packet of the client belongs to a connection whose ServerHello was read, after which no hello
    /// comes ([RFC 8446 §4.1.4](https://www.rfc-editor.org/rfc/rfc8446#section-4.1.4)): it goes to the connection ID that
    /// the server chose for itself ([RFC 9000 §7.2](https://www.rfc-editor.org/rfc/rfc9000#section-7.2)).
    #[must_use]
    pub fn is_past_answer(&self, datagram: &[u8]) -> bool {
        first_of(datagram).is_some_and(|packet| self.connections.is_past_answer_with(&packet))
    }

    /// Takes a UDP payload of the server, which [answers](Self::is_answered_by) the client, and gives a ServerHello or
    /// HelloRetryRequest that it completed.
    ///
    /// Its keys come from the connection ID that those of the client come from
    /// ([RFC 9001 §5.2](https://www.rfc-editor.org/rfc/rfc9001#section-5.2)). Packets of the server are decrypted and held
    /// within the limits of those of the client, and counted apart, so that neither end can use up what may be spent on the
    /// other; how many are looked at has no limit of its own.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_answer(&mut self, datagram: &[u8]) -> Result<Progress<ServerHello<'_>>, QuicError> {
        self.connections.push_answer(datagram, &self.limits, &mut self.scratch)
    }
}

impl Default for QuicInitialReader {
    fn default() -> Self {
        Self::new()
    }
}

fn first_of(datagram: &[u8]) -> Option<InitialPacket<'_>> {
    InitialPacket::first_of(&mut Reader::new(datagram)).ok().flatten()
}

#[cfg(test)]
mod tests;
