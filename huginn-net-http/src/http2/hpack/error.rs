//! Why a header block cannot be decoded.

use huginn_net_core::Truncated;
use thiserror::Error;

/// Why a header block is not HPACK, or more than is allowed.
///
/// A receiver that meets any of these closes the connection ([RFC 9113 §4.3]): its state no longer is that of the sender.
///
/// [RFC 9113 §4.3]: https://www.rfc-editor.org/rfc/rfc9113#section-4.3
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum HpackError {
    /// The block ends inside a field.
    #[error("{what} is cut off at byte {at} of the header block")]
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Where it starts, in bytes from the start of the block.
        at: usize,
    },
    /// An integer over 2^32 - 1, or of more than five bytes after its prefix.
    #[error("an integer that is too large")]
    IntegerOverflow,
    /// No field has this index: zero, or behind the end of the dynamic table.
    #[error("no field has index {0}")]
    Index(u32),
    /// A size of the dynamic table beyond the one allowed.
    #[error("a dynamic table of {size} bytes, {limit} are allowed")]
    TableSize {
        /// The size asked for, in bytes.
        size: u32,
        /// The limit, in bytes.
        limit: usize,
    },
    /// A change of the table's size after the first field, where none may be.
    #[error("the size of the dynamic table changes after a field")]
    LateTableSize,
    /// A string ends with bits that are neither a code nor up to seven ones.
    #[error("a Huffman string with wrong padding")]
    HuffmanPadding,
    /// A string that contains the code of its own end.
    #[error("a Huffman string with EOS in it")]
    HuffmanEos,
    /// More than one of [`HpackLimits`](crate::HpackLimits) allows.
    #[error("{what} over the limit of {limit}")]
    Limit {
        /// What there was too much of, by the name of the limit.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
}

impl HpackError {
    /// A short name without spaces, the same for all values of the fields: what a counter is called.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Truncated { .. } => "hpack_truncated",
            Self::IntegerOverflow => "hpack_integer_overflow",
            Self::Index(_) => "hpack_index",
            Self::TableSize { .. } => "hpack_table_size",
            Self::LateTableSize => "hpack_late_table_size",
            Self::HuffmanPadding => "hpack_huffman_padding",
            Self::HuffmanEos => "hpack_huffman_eos",
            Self::Limit { .. } => "hpack_limit",
        }
    }
}

impl From<Truncated> for HpackError {
    fn from(Truncated { what, at }: Truncated) -> Self {
        Self::Truncated { what, at }
    }
}
