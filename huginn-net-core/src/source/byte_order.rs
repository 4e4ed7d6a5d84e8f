//! The byte order a capture was written in: that of the machine which wrote it.

/// How the integers of a capture file, or of one of its sections, are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    #[inline]
    pub(super) fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    #[inline]
    pub(super) fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    #[inline]
    pub(super) fn i64(self, bytes: [u8; 8]) -> i64 {
        match self {
            Self::Little => i64::from_le_bytes(bytes),
            Self::Big => i64::from_be_bytes(bytes),
        }
    }

    /// Splits `N` words off the front of `bytes`; `None` if there are fewer.
    #[inline]
    pub(super) fn words<const N: usize>(self, bytes: &[u8]) -> Option<[u32; N]> {
        let (words, _) = bytes.as_chunks::<4>();
        let words: &[[u8; 4]; N] = words.first_chunk()?;
        Some(words.map(|word| self.u32(word)))
    }
}
