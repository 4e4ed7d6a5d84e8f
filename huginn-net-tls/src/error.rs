//! Why bytes are no hello.

use huginn_net_core::Truncated;
use thiserror::Error;

use crate::numbers::ProtocolVersion;

/// Why bytes can never become what was asked for, however many follow.
///
/// Bytes that merely end too early are [`Progress::NeedMore`](huginn_net_core::Progress::NeedMore), except where a
/// function takes complete input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A record of this content type cannot stand before a hello.
    #[error("no hello begins with a record of content type {0}")]
    NotHandshake(u8),
    /// The version of a record; its first byte is 3 in every version of TLS.
    #[error("no record has version {:#06x}", .0.0)]
    RecordVersion(ProtocolVersion),
    /// A record longer than any version of TLS allows, or one too many without content.
    #[error("no record before a hello has {0} bytes")]
    RecordLength(u16),
    /// A handshake message of this type where a ClientHello was looked for.
    #[error("handshake type {0} is no ClientHello")]
    NotClientHello(u8),
    /// A handshake message of this type where a ServerHello was looked for.
    #[error("handshake type {0} is no ServerHello")]
    NotServerHello(u8),
    /// A message, complete by its own length, that ends before one of its fields.
    #[error("{what} is cut off at byte {at}")]
    Truncated {
        /// The field that was being read.
        what: &'static str,
        /// Where it starts, counted from the start of what surrounds it.
        at: usize,
    },
    /// More than the configured limit; see [`HelloLimits`](crate::HelloLimits).
    #[error("{what} over its limit of {limit}")]
    Limit {
        /// What there was too much of.
        what: &'static str,
        /// The limit, in bytes or in pieces as `what` says.
        limit: usize,
    },
    /// Input that should have been complete ends inside the hello.
    #[error("the hello is not complete")]
    Incomplete,
    /// The hello is spread over several records, so it cannot be borrowed in one piece:
    /// [`ClientHelloReader`](crate::ClientHelloReader) joins them.
    #[error("the hello is spread over several records")]
    SeveralRecords,
    /// A hello in the format of SSL 2.0 ([RFC 5246 §E.2](https://www.rfc-editor.org/rfc/rfc5246#appendix-E.2)). It
    /// has no fingerprint; [`Sslv2Hello`](crate::Sslv2Hello) reads what it has.
    #[error("a hello in the format of SSL 2.0")]
    Sslv2,
}

impl TlsError {
    /// A short name without spaces, the same for all values of the fields: what a counter is called.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NotHandshake(_) => "not_handshake",
            Self::RecordVersion(_) => "record_version",
            Self::RecordLength(_) => "record_length",
            Self::NotClientHello(_) => "not_client_hello",
            Self::NotServerHello(_) => "not_server_hello",
            Self::Truncated { .. } => "truncated",
            Self::Limit { .. } => "limit",
            Self::Incomplete => "incomplete",
            Self::SeveralRecords => "several_records",
            Self::Sslv2 => "sslv2",
        }
    }
}

impl From<Truncated> for TlsError {
    fn from(Truncated { what, at }: Truncated) -> Self {
        Self::Truncated { what, at }
    }
}
