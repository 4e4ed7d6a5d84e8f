//! QUIC versions whose Initial packets can be read.

use core::fmt;
use std::sync::OnceLock;

use super::mac::{MacKey, Message};

/// A version number of QUIC as it stands in a long header ([RFC 9000 §15]).
///
/// [RFC 9000 §15]: https://www.rfc-editor.org/rfc/rfc9000#section-15
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuicVersion(pub u32);

impl QuicVersion {
    /// Zero: the packet is a Version Negotiation packet ([RFC 9000 §17.2.1](https://www.rfc-editor.org/rfc/rfc9000#section-17.2.1)).
    pub const NEGOTIATION: Self = Self(0);
    /// QUIC version 1 ([RFC 9000](https://www.rfc-editor.org/rfc/rfc9000)).
    pub const V1: Self = Self(1);
    /// QUIC version 2 ([RFC 9369](https://www.rfc-editor.org/rfc/rfc9369)).
    pub const V2: Self = Self(0x6b33_43cf);
    /// Draft 29 of the IETF, long spoken by browsers as `h3-29`.
    pub const DRAFT_29: Self = Self(0xff00_001d);

    /// Whether the number is one of those kept free to exercise version negotiation: `0x?a?a?a?a`
    /// ([RFC 9000 §15](https://www.rfc-editor.org/rfc/rfc9000#section-15)).
    #[must_use]
    pub const fn is_reserved(self) -> bool {
        self.0 & 0x0f0f_0f0f == 0x0a0a_0a0a
    }

    const DRAFT_21: u32 = 0xff00_0015;
    const T050: u32 = 0x5430_3530;
    const T051: u32 = 0x5430_3531;

    /// Whether the lengths of both connection IDs stand in one byte: up to draft 21.
    pub(super) const fn packs_id_lengths(self) -> bool {
        self.0 == Self::DRAFT_21
    }

    /// Whether its frames are those of Google's QUIC, not those of the IETF.
    pub(super) const fn has_google_frames(self) -> bool {
        matches!(self.0, Self::T050 | Self::T051)
    }

    /// How this version protects its Initial packets; `None` if it is not known.
    ///
    /// Left out are drafts before 21, and Google's Q050 and earlier, which carry no TLS.
    pub(super) fn initial(self) -> Option<&'static InitialScheme> {
        match self.0 {
            // Drafts 33 and 34 are as version 1.
            0x0000_0001 | 0xff00_0021 | 0xff00_0022 => Some(&V1),
            0x6b33_43cf => Some(&V2),
            // Drafts 29 to 32.
            0xff00_001d..=0xff00_0020 => Some(&DRAFT_29),
            // Drafts 23 to 28, and of mvfst the second and the one for experiments.
            0xff00_0017..=0xff00_001c | 0xface_b002 | 0xface_b00e => Some(&DRAFT_23),
            // Drafts 21 and 22, and the first of mvfst.
            Self::DRAFT_21 | 0xff00_0016 | 0xface_b001 => Some(&DRAFT_21),
            // Google's T050 and T051: QUIC of Google with the handshake of TLS.
            Self::T050 => Some(&T050),
            Self::T051 => Some(&T051),
            _ => None,
        }
    }
}

impl fmt::Display for QuicVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

/// What the keys of Initial packets are derived with.
#[derive(Debug)]
pub(super) struct InitialScheme {
    salt: [u8; 20],
    /// What the labels of HKDF-Expand-Label for what protects a packet begin with.
    prefix: &'static [u8],
    derivation: OnceLock<Derivation>,
}

/// What is the same in every derivation: the salt as a key, and the messages of HKDF-Expand-Label.
#[derive(Debug)]
pub(super) struct Derivation {
    pub(super) salt: MacKey,
    pub(super) client: Message,
    pub(super) server: Message,
    pub(super) key: Message,
    pub(super) iv: Message,
    pub(super) header: Message,
}

impl InitialScheme {
    const fn new(salt: &[u8; 20], prefix: &'static [u8]) -> Self {
        Self { salt: *salt, prefix, derivation: OnceLock::new() }
    }

    pub(super) fn derivation(&self) -> &Derivation {
        self.derivation.get_or_init(|| Derivation {
            salt: MacKey::new(&self.salt),
            client: label(&[b"client in"], 32),
            server: label(&[b"server in"], 32),
            key: label(&[self.prefix, b" key"], 16),
            iv: label(&[self.prefix, b" iv"], 12),
            header: label(&[self.prefix, b" hp"], 16),
        })
    }
}

/// The message of HKDF-Expand-Label of TLS 1.3 with an empty context
/// ([RFC 8446 §7.1](https://www.rfc-editor.org/rfc/rfc8446#section-7.1)) for a secret of so many bytes, at most a hash
/// ([RFC 5869 §2.3](https://www.rfc-editor.org/rfc/rfc5869#section-2.3)).
fn label(parts: &[&[u8]], secret_len: u8) -> Message {
    let label = [b"tls13 ", &parts.concat()[..]].concat();
    // The longest label has ten bytes.
    let len = u8::try_from(label.len()).unwrap_or(u8::MAX);
    Message::new(&[&[0, secret_len, len], &label, &[0], &[1]])
}

/// [RFC 9001 §5.1](https://www.rfc-editor.org/rfc/rfc9001#section-5.1).
const PREFIX_V1: &[u8] = b"quic";
/// [RFC 9369 §3.3.2](https://www.rfc-editor.org/rfc/rfc9369#section-3.3.2).
const PREFIX_V2: &[u8] = b"quicv2";

/// [RFC 9001 §5.2](https://www.rfc-editor.org/rfc/rfc9001#section-5.2).
static V1: InitialScheme = InitialScheme::new(
    b"\x38\x76\x2c\xf7\xf5\x59\x34\xb3\x4d\x17\x9a\xe6\xa4\xc8\x0c\xad\xcc\xbb\x7f\x0a",
    PREFIX_V1,
);
/// [RFC 9369 §3.3.1](https://www.rfc-editor.org/rfc/rfc9369#section-3.3.1).
static V2: InitialScheme = InitialScheme::new(
    b"\x0d\xed\xe3\xde\xf7\x00\xa6\xdb\x81\x93\x81\xbe\x6e\x26\x9d\xcb\xf9\xbd\x2e\xd9",
    PREFIX_V2,
);
static DRAFT_29: InitialScheme = InitialScheme::new(
    b"\xaf\xbf\xec\x28\x99\x93\xd2\x4c\x9e\x97\x86\xf1\x9c\x61\x11\xe0\x43\x90\xa8\x99",
    PREFIX_V1,
);
static DRAFT_23: InitialScheme = InitialScheme::new(
    b"\xc3\xee\xf7\x12\xc7\x2e\xbb\x5a\x11\xa7\xd2\x43\x2b\xb4\x63\x65\xbe\xf9\xf5\x02",
    PREFIX_V1,
);
static DRAFT_21: InitialScheme = InitialScheme::new(
    b"\x7f\xbc\xdb\x0e\x7c\x66\xbb\xe9\x19\x3a\x96\xcd\x21\x51\x9e\xbd\x7a\x02\x64\x4a",
    PREFIX_V1,
);
static T050: InitialScheme = InitialScheme::new(
    b"\x7f\xf5\x79\xe5\xac\xd0\x72\x91\x55\x80\x30\x4c\x43\xa2\x36\x7c\x60\x48\x83\x10",
    PREFIX_V1,
);
static T051: InitialScheme = InitialScheme::new(
    b"\x7a\x4e\xde\xf4\xe7\xcc\xee\x5f\xa4\x50\x6c\x19\x12\x4f\xc8\xcc\xda\x6e\x03\x3d",
    PREFIX_V1,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_versions_that_carry_tls_and_no_others() {
        for known in [
            1,
            0x6b33_43cf,
            0xff00_0015,
            0xff00_0016,
            0xff00_001d,
            0xff00_0022,
            0xface_b001,
            0xface_b00e,
            0x5430_3530,
        ] {
            assert!(QuicVersion(known).initial().is_some(), "{known:#x}");
        }
        for unknown in [0, 2, 0x709a_50c4, 0xff00_0014, 0xff00_0023, 0x5130_3530, 0x5130_3433, 0x1a2a_3a4a] {
            assert!(QuicVersion(unknown).initial().is_none(), "{unknown:#x}");
        }
    }

    #[test]
    fn tells_reserved_versions_by_every_second_digit() {
        assert!(QuicVersion(0x1a2a_3a4a).is_reserved());
        assert!(!QuicVersion(0x1a2a_3a4b).is_reserved());
        assert!(!QuicVersion::V1.is_reserved());
    }
}
