//! Why bytes are no head of HTTP/1.

use thiserror::Error;

/// Why bytes can never become what was asked for, however many follow.
///
/// Bytes that merely end too early are [`Progress::NeedMore`](huginn_net_core::Progress::NeedMore).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Http1Error {
    /// The bytes do not begin with the start line that was asked for, whether of a request or of a response.
    #[error("no start line of HTTP/1")]
    NotHttp1,
    /// A client of HTTP/2: [`AkamaiReader`](crate::AkamaiReader) reads on.
    #[error("a client of HTTP/2")]
    Http2Preface,
    /// The line before a chunk has no size, or one that does not fit into 64 bits.
    #[error("no size of a chunk")]
    ChunkSize,
    /// A chunk that does not end where its size says.
    #[error("a chunk longer than its size")]
    ChunkEnd,
    /// More than one of [`Http1Limits`](crate::Http1Limits) allows.
    #[error("{what} over the limit of {limit}")]
    Limit {
        /// What there was too much of, by the name of the limit.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
}

impl Http1Error {
    /// A short name without spaces, the same for all values of the fields: what a counter is called.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NotHttp1 => "http1_not_http1",
            Self::Http2Preface => "http1_http2_preface",
            Self::ChunkSize => "http1_chunk_size",
            Self::ChunkEnd => "http1_chunk_end",
            Self::Limit { .. } => "http1_limit",
        }
    }
}
