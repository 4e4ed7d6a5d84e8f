//! How much of a head is read.

use super::Http1Error;

/// What a head may have before it is refused with [`Http1Error::Limit`].
///
/// Heads that servers accept are far below: theirs are 8 to 32 KiB and about 100 fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Http1Limits {
    /// Bytes of a head, from its first to the end of the empty line; at most 4 GiB.
    pub max_head_bytes: usize,
    /// Bytes of a request line or status line, with what ends it.
    pub max_start_line_bytes: usize,
    /// Fields. A line without a colon counts as one, a folded line does not.
    pub max_fields: usize,
    /// Bytes of a field's name.
    pub max_name_bytes: usize,
    /// Bytes of a field's value, folded lines included, without the colon, a blank and what ends a line; of a line without a
    /// colon, all but what ends it.
    pub max_value_bytes: usize,
    /// Bytes of a line with the size of a chunk, extensions included.
    pub max_chunk_line_bytes: usize,
    /// Bytes of the fields behind the last chunk.
    pub max_trailer_bytes: usize,
}

impl Default for Http1Limits {
    /// 64 KiB, 8 KiB, 128 fields, 256 bytes, 16 KiB; 4 KiB, 16 KiB.
    fn default() -> Self {
        Self {
            max_head_bytes: 64 * 1_024,
            max_start_line_bytes: 8 * 1_024,
            max_fields: 128,
            max_name_bytes: 256,
            max_value_bytes: 16 * 1_024,
            max_chunk_line_bytes: 4 * 1_024,
            max_trailer_bytes: 16 * 1_024,
        }
    }
}

impl Http1Limits {
    /// With this [`max_head_bytes`](Self::max_head_bytes).
    #[must_use]
    pub const fn with_max_head_bytes(self, max_head_bytes: usize) -> Self {
        Self { max_head_bytes, ..self }
    }

    /// With this [`max_start_line_bytes`](Self::max_start_line_bytes).
    #[must_use]
    pub const fn with_max_start_line_bytes(self, max_start_line_bytes: usize) -> Self {
        Self { max_start_line_bytes, ..self }
    }

    /// With this [`max_fields`](Self::max_fields).
    #[must_use]
    pub const fn with_max_fields(self, max_fields: usize) -> Self {
        Self { max_fields, ..self }
    }

    /// With this [`max_name_bytes`](Self::max_name_bytes).
    #[must_use]
    pub const fn with_max_name_bytes(self, max_name_bytes: usize) -> Self {
        Self { max_name_bytes, ..self }
    }

    /// With this [`max_value_bytes`](Self::max_value_bytes).
    #[must_use]
    pub const fn with_max_value_bytes(self, max_value_bytes: usize) -> Self {
        Self { max_value_bytes, ..self }
    }

    /// With this [`max_chunk_line_bytes`](Self::max_chunk_line_bytes).
    #[must_use]
    pub const fn with_max_chunk_line_bytes(self, max_chunk_line_bytes: usize) -> Self {
        Self { max_chunk_line_bytes, ..self }
    }

    /// With this [`max_trailer_bytes`](Self::max_trailer_bytes).
    #[must_use]
    pub const fn with_max_trailer_bytes(self, max_trailer_bytes: usize) -> Self {
        Self { max_trailer_bytes, ..self }
    }
}

/// An error if `found` is over `limit`, which is called `what`.
pub(super) const fn check(found: usize, limit: usize, what: &'static str) -> Result<(), Http1Error> {
    if found > limit {
        return Err(Http1Error::Limit { what, limit });
    }
    Ok(())
}
