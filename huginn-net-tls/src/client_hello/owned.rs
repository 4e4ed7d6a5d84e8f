//! A hello that outlives the bytes it was read from.

use core::fmt;

use huginn_net_core::{Progress, SharedBytes};

use super::{Carrier, ClientHello};
use crate::error::TlsError;
use crate::ja4::Ja4;
use crate::quic::TransportParameters;

/// A ClientHello that owns its bytes.
///
/// JA4 has been computed; everything else is read from the message when it is asked for, see
/// [`parsed`](Self::parsed). Those of events share pieces of memory of 8 KiB, which stay as long as one of their hellos; clones share
/// theirs. [`parse`](Self::parse) makes one that stands alone, of a message that is all there.
///
/// ```
/// use huginn_net_tls::{Carrier, ClientHello, OwnedClientHello};
///
/// # let bytes = include_bytes!("../../../pcaps/tls/hello/hand-base-tls13.bin");
/// let owned = OwnedClientHello::from(&ClientHello::from_record(bytes)?);
/// assert_eq!(owned.ja4().as_str(), "t13d040700_e00fd9ffaebd_8b8b673a840a");
/// assert_eq!(owned.parsed().ja3().to_string().len(), 32);
/// # Ok::<(), huginn_net_tls::TlsError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct OwnedClientHello {
    /// Has been parsed once.
    pub(super) message: SharedBytes,
    pub(super) carrier: Carrier,
    pub(super) ja4: Ja4,
}

impl OwnedClientHello {
    /// Reads a handshake message from its type byte on and keeps a copy of it.
    ///
    /// # Errors
    /// As [`ClientHello::parse`].
    pub fn parse(message: &[u8], carrier: Carrier) -> Result<Progress<Self>, TlsError> {
        Ok(ClientHello::parse(message, carrier)?.map(|hello| Self::from(&hello)))
    }

    /// JA4, computed once.
    #[must_use]
    pub const fn ja4(&self) -> Ja4 {
        self.ja4
    }

    /// What carried it.
    #[must_use]
    pub const fn carrier(&self) -> Carrier {
        self.carrier
    }

    /// The whole handshake message with its header of four bytes.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// The hello with all that can be asked of it: the other fingerprints, names, versions, extensions, flaws.
    #[must_use]
    pub fn parsed(&self) -> ClientHello<'_> {
        ClientHello::of_known_message(&self.message, self.carrier)
    }

    /// The transport parameters of QUIC; `None` if there are none, or none that can be read.
    #[must_use]
    pub fn transport_parameters(&self) -> Option<TransportParameters<'_>> {
        TransportParameters::of_hello(&self.parsed()).ok().flatten()
    }
}

impl From<&ClientHello<'_>> for OwnedClientHello {
    fn from(hello: &ClientHello<'_>) -> Self {
        Self { message: SharedBytes::alone(hello.message()), carrier: hello.carrier(), ja4: hello.ja4() }
    }
}

impl fmt::Debug for OwnedClientHello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedClientHello")
            .field("ja4", &self.ja4)
            .field("carrier", &self.carrier)
            .field("bytes", &self.message.len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_is_not_complete_needs_more() {
        let record = std::fs::read(testkit::corpus::path("tls/hello/hand-base-tls13.bin")).unwrap();
        let message = &record[5..];
        for len in 0..message.len() {
            let parsed = OwnedClientHello::parse(&message[..len], Carrier::Tcp);
            assert_eq!(parsed, Ok(Progress::NeedMore), "{len} bytes");
        }
        let owned = OwnedClientHello::parse(message, Carrier::Tcp).unwrap().done().unwrap();
        assert_eq!(owned.message(), message);
    }
}
