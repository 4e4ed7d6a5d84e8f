//! The answer of a server.

use huginn_net_core::{Progress, Reader};

use crate::client_hello::Extensions;
use crate::error::TlsError;
use crate::handshake::{self, HandshakeType};
use crate::numbers::{CipherSuite, ExtensionType, ProtocolVersion};
use crate::record::{self, HelloLimits};

/// SHA-256 of "HelloRetryRequest", which stands in its random ([RFC 8446 §4.1.3]).
///
/// [RFC 8446 §4.1.3]: https://www.rfc-editor.org/rfc/rfc8446#section-4.1.3
pub(crate) const HELLO_RETRY_REQUEST: [u8; 32] = [
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2,
    0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
];

/// A ServerHello or HelloRetryRequest ([RFC 8446 §4.1.3], [RFC 5246 §7.4.1.3]), borrowed from the bytes it was read from.
///
/// [RFC 8446 §4.1.3]: https://www.rfc-editor.org/rfc/rfc8446#section-4.1.3
/// [RFC 5246 §7.4.1.3]: https://www.rfc-editor.org/rfc/rfc5246#section-7.4.1.3
#[derive(Clone, Copy, Debug)]
pub struct ServerHello<'a> {
    legacy_version: ProtocolVersion,
    random: &'a [u8; 32],
    session_id: &'a [u8],
    cipher_suite: CipherSuite,
    compression_method: u8,
    extension_block: &'a [u8],
}

impl<'a> ServerHello<'a> {
    /// Reads a handshake message from its type byte on; bytes behind the message are ignored.
    ///
    /// For DTLS, the eight bytes about fragments are left out of the header.
    ///
    /// # Errors
    /// [`TlsError::NotServerHello`], or [`TlsError::Truncated`] if the message ends before its compression method.
    pub fn parse(message: &'a [u8]) -> Result<Progress<Self>, TlsError> {
        match handshake::message(message, HandshakeType::ServerHello)? {
            Progress::Done(message) => Self::of_message(message).map(Progress::Done),
            Progress::NeedMore => Ok(Progress::NeedMore),
        }
    }

    /// Reads the message at the start of a TLS stream; other messages may follow it.
    ///
    /// # Errors
    /// As [`Self::parse`]; [`TlsError::Incomplete`] if the bytes end early; [`TlsError::SeveralRecords`] if the message does
    /// not lie in one piece; and the errors of records.
    pub fn from_record(bytes: &'a [u8]) -> Result<Self, TlsError> {
        match record::first_message(bytes, HandshakeType::ServerHello, &HelloLimits::default(), false)? {
            Progress::Done(message) => Self::of_message(message.bytes),
            Progress::NeedMore => Err(TlsError::Incomplete),
        }
    }

    /// `message` is complete and of the right type.
    pub(crate) fn of_message(message: &'a [u8]) -> Result<Self, TlsError> {
        let mut reader = Reader::at(message, handshake::HEADER);
        let legacy_version = ProtocolVersion(reader.u16("legacy_version")?);
        let random = handshake::random(&mut reader)?;
        // Drafts of TLS 1.3 up to 21 have neither session id nor compression (draft-ietf-tls-tls13-21 §4.1.3).
        let is_early_draft = matches!(legacy_version, ProtocolVersion(0x7f00..=0x7f15));
        let session_id = if is_early_draft { &[] } else { reader.sub_u8("session_id")?.rest() };
        let cipher_suite = CipherSuite(reader.u16("cipher_suite")?);
        let compression_method = if is_early_draft { 0 } else { reader.u8("compression_method")? };
        // As in a ClientHello, the length of the block is believed as far as there are bytes.
        let length = reader.u16("extensions").map_or(0, usize::from);
        let extension_block = reader.take(length, "extensions").unwrap_or_else(|_| reader.take_rest());
        Ok(Self { legacy_version, random, session_id, cipher_suite, compression_method, extension_block })
    }

    /// Whether it asks for another hello instead of answering the first.
    #[must_use]
    pub fn is_hello_retry_request(&self) -> bool {
        *self.random == HELLO_RETRY_REQUEST
    }

    /// The version field of the message, which stays at 1.2 in TLS 1.3.
    #[must_use]
    pub const fn legacy_version(&self) -> ProtocolVersion {
        self.legacy_version
    }

    /// The version chosen: that of `supported_versions`, or else the legacy version.
    #[must_use]
    pub fn version(&self) -> ProtocolVersion {
        self.extensions()
            .find(|extension| extension.kind == ExtensionType::SUPPORTED_VERSIONS)
            .and_then(|extension| Reader::new(extension.body).u16("selected_version").ok())
            .map_or(self.legacy_version, ProtocolVersion)
    }

    /// The server's random.
    #[must_use]
    pub const fn random(&self) -> &'a [u8; 32] {
        self.random
    }

    /// The session id; in TLS 1.3 the client's.
    #[must_use]
    pub const fn session_id(&self) -> &'a [u8] {
        self.session_id
    }

    /// The cipher suite chosen.
    #[must_use]
    pub const fn cipher_suite(&self) -> CipherSuite {
        self.cipher_suite
    }

    /// The compression method chosen, 0 for none.
    #[must_use]
    pub const fn compression_method(&self) -> u8 {
        self.compression_method
    }

    /// The extensions; none if the message has no block for them.
    #[must_use]
    pub const fn extensions(&self) -> Extensions<'a> {
        Extensions::new(self.extension_block)
    }
}
