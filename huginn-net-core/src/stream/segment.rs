//! What a segment brings to its stream.

use super::SeqNumber;

/// Bytes of a stream, and the number of the first of them.
///
/// ```
/// use huginn_net_core::{Segment, SeqNumber};
///
/// let segment = Segment { seq: SeqNumber(u32::MAX), payload: b"abc" };
/// assert_eq!(segment.end(), SeqNumber(2));
/// assert_eq!(segment.without(1), Some(Segment { seq: SeqNumber(0), payload: b"bc" }));
/// assert_eq!(segment.without(3), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Number of the first byte: one more than the sequence number of the segment if that is a SYN with data.
    pub seq: SeqNumber,
    /// The bytes, less than 2^32.
    pub payload: &'a [u8],
}

impl Segment<'_> {
    /// Number of the byte behind the last.
    #[inline]
    #[must_use]
    pub fn end(self) -> SeqNumber {
        // No IP datagram, reassembled or not, has as many bytes as there are numbers.
        self.seq + u32::try_from(self.payload.len()).unwrap_or(u32::MAX)
    }

    /// What is left without as many bytes at the front; `None` if that is nothing.
    #[inline]
    #[must_use]
    pub fn without(self, bytes: usize) -> Option<Self> {
        let payload = self.payload.get(bytes..).filter(|payload| !payload.is_empty())?;
        Some(Self { seq: self.seq + u32::try_from(bytes).ok()?, payload })
    }
}
