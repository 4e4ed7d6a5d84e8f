//! Why a datagram brings no hello nearer.

use huginn_net_core::Truncated;
use thiserror::Error;

use super::header::QuicPacketType;
use super::version::QuicVersion;
use crate::error::TlsError;

/// Why a datagram added nothing to a [`QuicInitialReader`](super::QuicInitialReader).
///
/// Anyone can send a datagram from anyone's address, so none of these is final for the reader but
/// [`Limit`](Self::Limit) of its packets, decryptions or keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum QuicError {
    /// No packet with a long header: a connection that is past its handshake, or not QUIC.
    #[error("no long header")]
    NotLongHeader,
    /// A version whose Initial packets cannot be read.
    #[error("QUIC version {0} is not known")]
    UnknownVersion(QuicVersion),
    /// Packets, but none of them an Initial: this is the first.
    #[error("a {0} packet, no Initial")]
    NotInitial(QuicPacketType),
    /// A connection ID longer than 20 bytes.
    #[error("a connection ID of {0} bytes")]
    ConnectionIdLength(u8),
    /// A packet that ends before one of its fields: cut off when it was captured, or not QUIC.
    #[error("{what} is cut off at byte {at}")]
    Truncated {
        /// The field that was being read.
        what: &'static str,
        /// Where it starts, counted from the start of its packet.
        at: usize,
    },
    /// The packet does not open with the keys of a client: damaged, forged, sent by a server, or of a connection
    /// whose first packet was not seen.
    #[error("the packet is not authentic")]
    NotAuthentic,
    /// The handshake messages of the connection cannot become a hello.
    #[error(transparent)]
    Hello(#[from] TlsError),
    /// More than one of [`QuicLimits`](super::QuicLimits) allows.
    #[error("{what} over the limit of {limit}")]
    Limit {
        /// What there was too much of.
        what: QuicLimit,
        /// The limit.
        limit: usize,
    },
}

/// Which of the [`QuicLimits`](super::QuicLimits) there was more than.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum QuicLimit {
    /// [`QuicLimits::max_packets`](super::QuicLimits::max_packets).
    #[error("packets")]
    Packets,
    /// [`QuicLimits::max_decryptions`](super::QuicLimits::max_decryptions).
    #[error("decryptions")]
    Decryptions,
    /// [`QuicLimits::max_keys`](super::QuicLimits::max_keys).
    #[error("keys")]
    Keys,
    /// [`QuicLimits::max_crypto_bytes`](super::QuicLimits::max_crypto_bytes).
    #[error("CRYPTO bytes")]
    CryptoBytes,
    /// [`QuicLimits::max_crypto_pieces`](super::QuicLimits::max_crypto_pieces).
    #[error("CRYPTO pieces")]
    CryptoPieces,
}

impl QuicError {
    /// Whether the reader is spent: no packet that it does not know already will be opened.
    #[cfg(feature = "capture")]
    pub(crate) const fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Limit { what: QuicLimit::Packets | QuicLimit::Decryptions | QuicLimit::Keys, .. }
        )
    }

    /// A short name without spaces, the same for all values of the fields: what a counter is called.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NotLongHeader => "quic_not_long_header",
            Self::UnknownVersion(_) => "quic_unknown_version",
            Self::NotInitial(_) => "quic_not_initial",
            Self::ConnectionIdLength(_) => "quic_connection_id_length",
            Self::Truncated { .. } => "quic_truncated",
            Self::NotAuthentic => "quic_not_authentic",
            Self::Limit { .. } | Self::Hello(TlsError::Limit { .. }) => "quic_limit",
            Self::Hello(error) => error.reason(),
        }
    }
}

impl From<Truncated> for QuicError {
    fn from(Truncated { what, at }: Truncated) -> Self {
        Self::Truncated { what, at }
    }
}
