//! A cursor over borrowed bytes; the only way this project looks into a packet.

use thiserror::Error;

/// The bytes ended before the value that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("{what} is cut off at byte {at}")]
pub struct Truncated {
    /// The field that was being read.
    pub what: &'static str,
    /// Offset of that field from the start of the reader's bytes.
    pub at: usize,
}

/// Reads big-endian values from a slice, front to back, without copying.
///
/// A read either consumes its bytes or consumes nothing and returns [`Truncated`].
///
/// ```
/// use huginn_net_core::Reader;
///
/// let mut reader = Reader::new(&[0x00, 0x02, 0xab, 0xcd, 0xff]);
/// let mut list = reader.sub_u16("list")?;
/// assert_eq!(list.u16("item")?, 0xabcd);
/// assert!(list.is_empty());
/// assert_eq!(reader.rest(), [0xff]);
/// # Ok::<(), huginn_net_core::Truncated>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    total: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first of `bytes`.
    #[inline]
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, total: bytes.len() }
    }

    /// Starts at `offset` of `bytes`, or at their end if there are fewer.
    #[inline]
    #[must_use]
    pub fn at(bytes: &'a [u8], offset: usize) -> Self {
        Self { rest: bytes.get(offset..).unwrap_or_default(), total: bytes.len() }
    }

    /// Offset of the next unread byte.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> usize {
        self.total - self.rest.len()
    }

    /// Number of unread bytes.
    #[inline]
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Whether everything has been read.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The unread bytes; they stay unread.
    #[inline]
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next byte; it stays unread.
    #[inline]
    #[must_use]
    pub fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Reads `N` bytes as an array.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Truncated> {
        match self.rest.split_first_chunk() {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(*head)
            }
            None => Err(Truncated { what, at: self.position() }),
        }
    }

    /// Reads one byte.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn u8(&mut self, what: &'static str) -> Result<u8, Truncated> {
        self.array::<1>(what).map(|[byte]| byte)
    }

    /// Reads two bytes, big-endian.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn u16(&mut self, what: &'static str) -> Result<u16, Truncated> {
        self.array(what).map(u16::from_be_bytes)
    }

    /// Reads three bytes, big-endian.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn u24(&mut self, what: &'static str) -> Result<u32, Truncated> {
        self.array(what).map(|[a, b, c]| u32::from_be_bytes([0, a, b, c]))
    }

    /// Reads four bytes, big-endian.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn u32(&mut self, what: &'static str) -> Result<u32, Truncated> {
        self.array(what).map(u32::from_be_bytes)
    }

    /// Reads eight bytes, big-endian.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn u64(&mut self, what: &'static str) -> Result<u64, Truncated> {
        self.array(what).map(u64::from_be_bytes)
    }

    /// Reads `len` bytes.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn take(&mut self, len: usize, what: &'static str) -> Result<&'a [u8], Truncated> {
        match self.rest.split_at_checked(len) {
            Some((head, tail)) => {
                self.rest = tail;
                Ok(head)
            }
            None => Err(Truncated { what, at: self.position() }),
        }
    }

    /// Reads everything that is left.
    #[inline]
    pub fn take_rest(&mut self) -> &'a [u8] {
        core::mem::take(&mut self.rest)
    }

    /// Passes over `len` bytes.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn skip(&mut self, len: usize, what: &'static str) -> Result<(), Truncated> {
        self.take(len, what).map(drop)
    }

    /// Reads a one-byte length and gives a reader of that many bytes.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn sub_u8(&mut self, what: &'static str) -> Result<Reader<'a>, Truncated> {
        self.sub(what, |reader| reader.u8(what).map(usize::from))
    }

    /// Reads a two-byte length and gives a reader of that many bytes.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn sub_u16(&mut self, what: &'static str) -> Result<Reader<'a>, Truncated> {
        self.sub(what, |reader| reader.u16(what).map(usize::from))
    }

    /// Reads a three-byte length and gives a reader of that many bytes.
    ///
    /// # Errors
    /// [`Truncated`] if there are not as many.
    #[inline]
    pub fn sub_u24(&mut self, what: &'static str) -> Result<Reader<'a>, Truncated> {
        self.sub(what, |reader| reader.u24(what).map(|len| len as usize))
    }

    #[inline]
    fn sub(
        &mut self,
        what: &'static str,
        length: impl FnOnce(&mut Self) -> Result<usize, Truncated>,
    ) -> Result<Reader<'a>, Truncated> {
        let mut ahead = *self;
        let len = length(&mut ahead)?;
        let body = ahead.take(len, what)?;
        *self = ahead;
        Ok(Reader::new(body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_read_consumes_nothing_and_names_the_field_and_its_offset() {
        let mut reader = Reader::new(&[1, 2, 3]);
        assert_eq!(reader.u16("first"), Ok(0x0102));
        assert_eq!(reader.u32("second"), Err(Truncated { what: "second", at: 2 }));
        assert_eq!(reader.rest(), [3]);
    }

    #[test]
    fn a_vector_longer_than_the_bytes_leaves_its_length_unread() {
        let mut reader = Reader::new(&[5, 1, 2]);
        assert_eq!(
            reader.sub_u8("list").map(|list| list.remaining()),
            Err(Truncated { what: "list", at: 1 })
        );
        assert_eq!(reader.position(), 0);
    }

    #[test]
    fn reads_every_width_in_network_order() {
        let bytes: Vec<u8> = (1..=18).collect();
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.u8("a"), Ok(0x01));
        assert_eq!(reader.u16("b"), Ok(0x0203));
        assert_eq!(reader.u24("c"), Ok(0x0004_0506));
        assert_eq!(reader.u32("d"), Ok(0x0708_090a));
        assert_eq!(reader.u64("e"), Ok(0x0b0c_0d0e_0f10_1112));
        assert!(reader.is_empty());
    }
}
