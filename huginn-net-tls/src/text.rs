//! Texts of fingerprints, which have no fixed length.

use core::convert::Infallible;
use core::fmt;

use crate::ja4::ascii;

/// ASCII that is handed out in pieces.
pub(crate) trait Text {
    /// Hands out all pieces in order, unless one is not taken.
    fn write<E>(&self, out: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E>;
}

/// Displays a text.
pub(crate) fn display(text: &impl Text, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    text.write(|piece| f.write_str(ascii(piece)))
}

/// Appends a text to bytes.
pub(crate) fn append(text: &impl Text, bytes: &mut Vec<u8>) {
    let Ok(()) = text.write(|piece| {
        bytes.extend_from_slice(piece);
        Ok::<_, Infallible>(())
    });
}
