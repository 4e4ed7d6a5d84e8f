//! What fingerprints are made of.

use crate::client_hello::{Carrier, ClientHello};

/// Ends a list of numbers from which GREASE was left out, being GREASE itself.
const END: [u8; 2] = [0x0a, 0x0a];

impl ClientHello<'_> {
    /// Appends what fingerprints are made of, so that nothing has to be computed again for a client that was seen before.
    ///
    /// Hellos of which the same bytes are appended have the same [`carrier`](Self::carrier),
    /// [`legacy_version`](Self::legacy_version), names of [`alpn`](Self::alpn),
    /// [`supported_versions`](Self::supported_versions) but for GREASE, and all forms of JA4 and JA3 with all options. They
    /// may differ in all else. What the bytes are may change from one version of this crate to the next.
    ///
    /// ```
    /// use huginn_net_tls::ClientHello;
    ///
    /// # let bytes = include_bytes!("../../pcaps/tls/hello/hand-base-tls13.bin");
    /// let mut later = bytes.to_vec();
    /// later[11] ^= 1; // the random
    /// let [mut one, mut other] = [vec![], vec![]];
    /// ClientHello::from_record(bytes)?.append_fingerprinted(&mut one);
    /// ClientHello::from_record(&later)?.append_fingerprinted(&mut other);
    /// assert_eq!(one, other);
    /// # Ok::<(), huginn_net_tls::TlsError>(())
    /// ```
    pub fn append_fingerprinted(&self, bytes: &mut Vec<u8>) {
        bytes.push(match self.carrier() {
            Carrier::Tcp => b't',
            Carrier::Quic => b'q',
            Carrier::Dtls => b'd',
        });
        bytes.extend_from_slice(&self.legacy_version().0.to_be_bytes());
        self.cipher_suites().append_values_to(bytes);
        bytes.extend_from_slice(&END);
        for kind in self.extensions().kinds_without_grease() {
            bytes.extend_from_slice(&kind.0.to_be_bytes());
        }
        bytes.extend_from_slice(&END);
        self.supported_groups().append_values_to(bytes);
        bytes.extend_from_slice(&END);
        self.signature_algorithms().append_values_to(bytes);
        bytes.extend_from_slice(&END);
        self.supported_versions().append_values_to(bytes);
        bytes.extend_from_slice(&END);
        for text in [self.ec_point_formats()].into_iter().chain(self.alpn()) {
            // Its length took one byte in the message, too.
            bytes.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
            bytes.extend_from_slice(text);
        }
    }
}
