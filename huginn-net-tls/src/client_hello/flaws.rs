//! What is wrong with a hello that can be read all the same.

/// A set of things no correct client does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flaws(u16);

huginn_net_core::flag_set!(Flaws, "flaw", Self::NAMES);

impl Flaws {
    /// Nothing is wrong.
    pub const NONE: Self = Self(0);
    /// The session id has more than 32 bytes.
    pub const SESSION_ID_LENGTH: Self = Self(1);
    /// The list of cipher suites is empty or has half an item.
    pub const CIPHER_SUITES_LENGTH: Self = Self(1 << 1);
    /// There is no compression method; at least "none" has to be offered.
    pub const NO_COMPRESSION_METHOD: Self = Self(1 << 2);
    /// The extension block is said to be longer than the message.
    pub const EXTENSION_BLOCK_LENGTH: Self = Self(1 << 3);
    /// Bytes follow where the message should end.
    pub const TRAILING_BYTES: Self = Self(1 << 4);
    /// An extension goes past the end of its block, or bytes are left there that make none.
    pub const EXTENSION_OVERRUN: Self = Self(1 << 5);
    /// One of the extensions this crate reads is there twice.
    pub const REPEATED_EXTENSION: Self = Self(1 << 6);
    /// The length of a list does not fit the extension it fills.
    pub const LIST_LENGTH: Self = Self(1 << 7);

    const NAMES: [(Self, &'static str); 8] = [
        (Self::SESSION_ID_LENGTH, "session_id_length"),
        (Self::CIPHER_SUITES_LENGTH, "cipher_suites_length"),
        (Self::NO_COMPRESSION_METHOD, "no_compression_method"),
        (Self::EXTENSION_BLOCK_LENGTH, "extension_block_length"),
        (Self::TRAILING_BYTES, "trailing_bytes"),
        (Self::EXTENSION_OVERRUN, "extension_overrun"),
        (Self::REPEATED_EXTENSION, "repeated_extension"),
        (Self::LIST_LENGTH, "list_length"),
    ];

    #[inline]
    pub(crate) const fn set_if(&mut self, condition: bool, flaw: Self) {
        if condition {
            self.0 |= flaw.0;
        }
    }
}
