//! What fingerprints are made of.

use crate::client_hello::{Carrier, ClientHello, LowTypes};
use crate::ja4::list::List;

/// Ends the types of extensions, from which GREASE was left out, being GREASE itself.
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
    #[doc(hidden)]
    pub fn append_fingerprinted(&self, bytes: &mut Vec<u8>) {
        for kind in self.extensions().kinds_without_grease() {
            bytes.extend_from_slice(&kind.0.to_be_bytes());
        }
        self.append_but_types(bytes);
    }

    /// Appends what the fingerprints are made of that do not tell in which order extensions were sent, which some browsers
    /// change with each hello.
    ///
    /// What [`append_fingerprinted`](Self::append_fingerprinted) says holds of these bytes too, but for JA4_o and JA4_ro,
    /// [`ja3`](Self::ja3) and [`ja3_full`](Self::ja3_full).
    #[doc(hidden)]
    pub fn append_fingerprinted_sorted(&self, bytes: &mut Vec<u8>) {
        let mut kinds = List::new();
        kinds.extend_with_sorted_types(self, LowTypes::of([]));
        for kind in kinds.as_slice() {
            bytes.extend_from_slice(&kind.to_be_bytes());
        }
        self.append_but_types(bytes);
    }

    fn append_but_types(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&END);
        bytes.push(match self.carrier() {
            Carrier::Tcp => b't',
            Carrier::Quic => b'q',
            Carrier::Dtls => b'd',
        });
        bytes.extend_from_slice(&self.legacy_version().0.to_be_bytes());
        // GREASE that is left in a list makes other bytes of the same fingerprints.
        for list in [
            self.cipher_suites().bytes_behind_grease(),
            self.supported_groups().bytes_behind_grease(),
            self.signature_algorithms().bytes_behind_grease(),
            self.supported_versions().bytes_behind_grease(),
        ] {
            // Its length took no more bytes in the message.
            let len = u16::try_from(list.len()).unwrap_or(u16::MAX);
            bytes.extend_from_slice(&len.to_be_bytes());
            bytes.extend_from_slice(list);
        }
        for text in [self.ec_point_formats()].into_iter().chain(self.alpn()) {
            // Its length took one byte in the message, too.
            bytes.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
            bytes.extend_from_slice(text);
        }
    }
}
