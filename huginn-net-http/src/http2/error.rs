//! Why bytes are no HTTP/2.

use huginn_net_core::Truncated;
use thiserror::Error;

use super::frame::Http2FrameType;
use super::hpack::HpackError;

/// Why bytes can never become what was asked for, however many follow.
///
/// Bytes that merely end too early are [`Progress::NeedMore`](huginn_net_core::Progress::NeedMore).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Http2Error {
    /// Not the first bytes of an HTTP/2 client.
    #[error("no client preface: byte {at} is another one")]
    NotPreface {
        /// The first wrong byte.
        at: usize,
    },
    /// A frame that may not stand where it stands: a receiver would close the connection.
    #[error("{frame} of stream {stream} is out of place")]
    Unexpected {
        /// Its type.
        frame: Http2FrameType,
        /// Its stream.
        stream: u32,
    },
    /// A frame that ends before one of its fields.
    #[error("{what} is cut off at byte {at}")]
    Truncated {
        /// The field that was being read.
        what: &'static str,
        /// Where it starts, in bytes from the start of the payload.
        at: usize,
    },
    /// More padding than the frame has room for.
    #[error("{0} bytes of padding in a shorter frame")]
    Padding(u8),
    /// A header block that cannot be decoded; its source says why.
    #[error("a header block that cannot be decoded")]
    Hpack(#[from] HpackError),
    /// The value of `HTTP2-Settings` is not base64url.
    #[error("HTTP2-Settings is not base64url")]
    UpgradeSettings,
    /// More than one of [`Http2Limits`](crate::Http2Limits) allows.
    #[error("{what} over the limit of {limit}")]
    Limit {
        /// What there was too much of, by the name of the limit.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
}

impl Http2Error {
    /// A short name without spaces, the same for all values of the fields: what a counter is called.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NotPreface { .. } => "http2_not_preface",
            Self::Unexpected { .. } => "http2_unexpected_frame",
            Self::Truncated { .. } => "http2_truncated",
            Self::Padding(_) => "http2_padding",
            Self::Hpack(error) => error.reason(),
            Self::UpgradeSettings => "http2_upgrade_settings",
            Self::Limit { .. } => "http2_limit",
        }
    }
}

impl From<Truncated> for Http2Error {
    fn from(Truncated { what, at }: Truncated) -> Self {
        Self::Truncated { what, at }
    }
}
