//! How much of a head is read.

use super::Http1Error;

/// What a head may have before it is refused with [`Http1Error::Limit`].
///
/// Heads that servers accept are far below: theirs are 8 to 32 KiB and about 100 fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Http1Limits {
    /// Bytes of a head, from its first to the end of the empty line; at most 4 GiB.
    pub head_bytes: usize,
    /// Bytes of a request line or status line, with what ends it.
    pub start_line_bytes: usize,
    /// Fields. A line without a colon counts as one, a folded line does not.
    pub fields: usize,
    /// Bytes of a field's name.
    pub name_bytes: usize,
    /// Bytes of a field from its colon to its end, folded lines included; of a line without a colon, all.
    pub value_bytes: usize,
    /// Bytes of a line with the size of a chunk, extensions included.
    pub chunk_line_bytes: usize,
    /// Bytes of the fields behind the last chunk.
    pub trailer_bytes: usize,
}

impl Default for Http1Limits {
    /// 64 KiB, 8 KiB, 128 fields, 256 bytes, 16 KiB; 4 KiB, 16 KiB.
    fn default() -> Self {
        Self {
            head_bytes: 64 * 1_024,
            start_line_bytes: 8 * 1_024,
            fields: 128,
            name_bytes: 256,
            value_bytes: 16 * 1_024,
            chunk_line_bytes: 4 * 1_024,
            trailer_bytes: 16 * 1_024,
        }
    }
}

impl Http1Limits {
    /// With this [`head_bytes`](Self::head_bytes).
    #[must_use]
    pub const fn with_head_bytes(self, head_bytes: usize) -> Self {
        Self { head_bytes, ..self }
    }

    /// With this [`start_line_bytes`](Self::start_line_bytes).
    #[must_use]
    pub const fn with_start_line_bytes(self, start_line_bytes: usize) -> Self {
        Self { start_line_bytes, ..self }
    }

    /// With this number of [`fields`](Self::fields).
    #[must_use]
    pub const fn with_fields(self, fields: usize) -> Self {
        Self { fields, ..self }
    }

    /// With this [`name_bytes`](Self::name_bytes).
    #[must_use]
    pub const fn with_name_bytes(self, name_bytes: usize) -> Self {
        Self { name_bytes, ..self }
    }

    /// With this [`value_bytes`](Self::value_bytes).
    #[must_use]
    pub const fn with_value_bytes(self, value_bytes: usize) -> Self {
        Self { value_bytes, ..self }
    }

    /// With this [`chunk_line_bytes`](Self::chunk_line_bytes).
    #[must_use]
    pub const fn with_chunk_line_bytes(self, chunk_line_bytes: usize) -> Self {
        Self { chunk_line_bytes, ..self }
    }

    /// With this [`trailer_bytes`](Self::trailer_bytes).
    #[must_use]
    pub const fn with_trailer_bytes(self, trailer_bytes: usize) -> Self {
        Self { trailer_bytes, ..self }
    }
}

/// An error if `found` is over `limit`, which is called `what`.
pub(super) const fn check(found: usize, limit: usize, what: &'static str) -> Result<(), Http1Error> {
    if found > limit {
        return Err(Http1Error::Limit { what, limit });
    }
    Ok(())
}
