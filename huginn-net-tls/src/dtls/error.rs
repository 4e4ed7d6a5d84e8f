//! Why a datagram brings no hello nearer.

use huginn_net_core::Truncated;
use thiserror::Error;

use crate::error::TlsError;
use crate::numbers::ProtocolVersion;

/// Why a datagram added nothing to a [`DtlsHelloReader`](super::DtlsHelloReader).
///
/// Anyone can send a datagram from anyone's address, so none of these is final for the reader but
/// [`Limit`](Self::Limit) of its records or hellos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum DtlsError {
    /// No record begins with this byte: STUN, RTP or something else that shares the port.
    #[error("no DTLS record begins with {0:#04x}")]
    NotRecord(u8),
    /// The version of a record; its first byte is 254 in every version of DTLS.
    #[error("no DTLS record has version {:#06x}", .0.0)]
    RecordVersion(ProtocolVersion),
    /// Records, but none of a handshake: the first has this content type.
    #[error("a record of content type {0}, no handshake")]
    NotHandshake(u8),
    /// An encrypted record: hellos are behind us.
    #[error("an encrypted record")]
    Encrypted,
    /// A record or fragment that ends before one of its fields: cut off when it was captured, or not DTLS.
    #[error("{what} is cut off at byte {at}")]
    Truncated {
        /// The field that was being read.
        what: &'static str,
        /// Where it starts, counted from the start of what surrounds it.
        at: usize,
    },
    /// A fragment that reaches past the end of its message.
    #[error("a fragment ends at byte {end} of a message of {len}")]
    FragmentEnd {
        /// Where the fragment ends, in bytes from the start of the body.
        end: u32,
        /// Length of the body as the fragment has it.
        len: u32,
    },
    /// The handshake message is no hello, or too long.
    #[error(transparent)]
    Hello(#[from] TlsError),
    /// More than one of [`DtlsLimits`](super::DtlsLimits) allows.
    #[error("{what} over the limit of {limit}")]
    Limit {
        /// What there was too much of.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
}

impl DtlsError {
    /// A short name without spaces, the same for all values of the fields: what a counter is called.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NotRecord(_) => "dtls_not_record",
            Self::RecordVersion(_) => "dtls_record_version",
            Self::NotHandshake(_) => "dtls_not_handshake",
            Self::Encrypted => "dtls_encrypted",
            Self::Truncated { .. } => "dtls_truncated",
            Self::FragmentEnd { .. } => "dtls_fragment_end",
            Self::Limit { .. } | Self::Hello(TlsError::Limit { .. }) => "dtls_limit",
            Self::Hello(error) => error.reason(),
        }
    }
}

impl From<Truncated> for DtlsError {
    fn from(Truncated { what, at }: Truncated) -> Self {
        Self::Truncated { what, at }
    }
}
