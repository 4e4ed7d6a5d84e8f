//! The extension block of a hello.

use core::iter::FusedIterator;

use huginn_net_core::Reader;

use crate::numbers::ExtensionType;

/// One extension as it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extension<'a> {
    /// Its type.
    pub kind: ExtensionType,
    /// What it holds; cut off where the block ends.
    pub body: &'a [u8],
}

/// The extensions in the order of the message, repetitions and GREASE included.
///
/// The type of an extension whose body is longer than what is left still counts; it is the last one.
#[derive(Clone, Copy, Debug)]
pub struct Extensions<'a> {
    block: Reader<'a>,
    overran: bool,
}

impl<'a> Extensions<'a> {
    /// Starts at the first extension of a block, the length of which has been read.
    #[inline]
    pub(crate) const fn new(block: &'a [u8]) -> Self {
        Self { block: Reader::new(block), overran: false }
    }

    /// Where in the block the next extension begins.
    #[inline]
    pub(crate) const fn offset(&self) -> usize {
        self.block.position()
    }

    /// Whether an extension went past the end of the block, or bytes are left that are too few for one.
    ///
    /// True only when the iteration has ended.
    pub(crate) const fn overran(&self) -> bool {
        self.overran
    }

    /// The types without GREASE: what fingerprints are made of.
    pub fn kinds_without_grease(self) -> impl Iterator<Item = ExtensionType> + Clone + use<'a> {
        self.map(|extension| extension.kind).filter(|kind| !kind.is_grease())
    }
}

impl<'a> Iterator for Extensions<'a> {
    type Item = Extension<'a>;

    #[inline]
    fn next(&mut self) -> Option<Extension<'a>> {
        let Ok([kind_high, kind_low, length_high, length_low]) = self.block.array("extension") else {
            self.overran |= !self.block.is_empty();
            return None;
        };
        let length = usize::from(u16::from_be_bytes([length_high, length_low]));
        let body = self.block.take(length, "extension").unwrap_or_else(|_| {
            self.overran = true;
            self.block.take_rest()
        });
        Some(Extension { kind: ExtensionType(u16::from_be_bytes([kind_high, kind_low])), body })
    }
}

impl FusedIterator for Extensions<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_longer_than_the_block_keeps_its_type_and_what_is_left() {
        let mut extensions = Extensions::new(&[0x00, 0x17, 0, 0, 0x00, 0x2b, 0, 9, 1, 2]);
        assert_eq!(extensions.next(), Some(Extension { kind: ExtensionType(0x17), body: &[] }));
        assert_eq!(extensions.next(), Some(Extension { kind: ExtensionType(0x2b), body: &[1, 2] }));
        assert_eq!(extensions.next(), None);
        assert!(extensions.overran());
    }

    #[test]
    fn three_bytes_are_no_extension() {
        let mut extensions = Extensions::new(&[0x00, 0x17, 0]);
        assert_eq!(extensions.next(), None);
        assert!(extensions.overran());
    }
}
