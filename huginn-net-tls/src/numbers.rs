//! The 16-bit numbers of TLS, and lists of them as they lie in a message.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::grease::is_grease;

macro_rules! number {
    (
        $(#[$about:meta])*
        $name:ident { $($(#[$constant_about:meta])* $constant:ident = $value:literal;)* }
    ) => {
        $(#[$about])*
        ///
        /// Values without a name here are kept as they were sent. It is written as four hexadecimal digits.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);

        impl $name {
            $($(#[$constant_about])* pub const $constant: Self = Self($value);)*

            /// Whether the value is one that means nothing, sent to keep servers tolerant (RFC 8701).
            #[inline]
            #[must_use]
            pub const fn is_grease(self) -> bool {
                is_grease(self.0)
            }
        }

        impl From<u16> for $name {
            #[inline]
            fn from(value: u16) -> Self {
                Self(value)
            }
        }

        impl From<$name> for u16 {
            #[inline]
            fn from(number: $name) -> Self {
                number.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:04x}", self.0)
            }
        }
    };
}

number! {
    /// A version of SSL, TLS or DTLS.
    ProtocolVersion {
        /// SSL 2.0, as it is written in a hello of its format.
        SSL_2 = 0x0002;
        /// SSL 3.0 (RFC 6101).
        SSL_3 = 0x0300;
        /// TLS 1.0 (RFC 2246).
        TLS_1_0 = 0x0301;
        /// TLS 1.1 (RFC 4346).
        TLS_1_1 = 0x0302;
        /// TLS 1.2 (RFC 5246).
        TLS_1_2 = 0x0303;
        /// TLS 1.3 (RFC 8446).
        TLS_1_3 = 0x0304;
        /// DTLS 1.0 (RFC 4347).
        DTLS_1_0 = 0xfeff;
        /// DTLS 1.2 (RFC 6347).
        DTLS_1_2 = 0xfefd;
        /// DTLS 1.3 (RFC 9147).
        DTLS_1_3 = 0xfefc;
    }
}

impl ProtocolVersion {
    /// Whether it is a version of DTLS: their first byte is 254, and they count downwards.
    #[must_use]
    pub const fn is_dtls(self) -> bool {
        self.0 >> 8 == 0xfe
    }
}

number! {
    /// A cipher suite, signalling values (SCSV) included.
    CipherSuite {}
}

number! {
    /// The type of an extension.
    ExtensionType {
        /// `server_name` (RFC 6066 §3).
        SERVER_NAME = 0x0000;
        /// `supported_groups` (RFC 8446 §4.2.7).
        SUPPORTED_GROUPS = 0x000a;
        /// `ec_point_formats` (RFC 8422 §5.1.2).
        EC_POINT_FORMATS = 0x000b;
        /// `signature_algorithms` (RFC 8446 §4.2.3).
        SIGNATURE_ALGORITHMS = 0x000d;
        /// `application_layer_protocol_negotiation` (RFC 7301 §3.1).
        ALPN = 0x0010;
        /// `padding` (RFC 7685).
        PADDING = 0x0015;
        /// `compress_certificate` (RFC 8879 §3).
        COMPRESS_CERTIFICATE = 0x001b;
        /// `session_ticket` (RFC 5077 §3.2).
        SESSION_TICKET = 0x0023;
        /// `pre_shared_key` (RFC 8446 §4.2.11).
        PRE_SHARED_KEY = 0x0029;
        /// `early_data` (RFC 8446 §4.2.10).
        EARLY_DATA = 0x002a;
        /// `supported_versions` (RFC 8446 §4.2.1).
        SUPPORTED_VERSIONS = 0x002b;
        /// `cookie` (RFC 8446 §4.2.2).
        COOKIE = 0x002c;
        /// `key_share` (RFC 8446 §4.2.8).
        KEY_SHARE = 0x0033;
        /// `quic_transport_parameters` (RFC 9001 §8.2).
        QUIC_TRANSPORT_PARAMETERS = 0x0039;
        /// `application_settings` (ALPS), first code point.
        APPLICATION_SETTINGS_OLD = 0x4469;
        /// `application_settings` (ALPS), second code point.
        APPLICATION_SETTINGS = 0x44cd;
        /// `encrypted_client_hello` (RFC 9849).
        ENCRYPTED_CLIENT_HELLO = 0xfe0d;
    }
}

number! {
    /// A group for key exchange; a curve, in older words.
    NamedGroup {}
}

number! {
    /// A signature algorithm.
    SignatureScheme {}
}

number! {
    /// An algorithm by which a certificate may come compressed.
    CertificateCompression {
        /// zlib (RFC 8879 §3).
        ZLIB = 0x0001;
        /// Brotli (RFC 8879 §3).
        BROTLI = 0x0002;
        /// Zstandard (RFC 8879 §3).
        ZSTD = 0x0003;
    }
}

/// A list of 16-bit numbers as it lies in the message: in order, with repetitions, GREASE included.
///
/// A single byte that is left over at the end is no item.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberList<'a, T> {
    bytes: &'a [u8],
    item: PhantomData<T>,
}

impl<'a, T: From<u16>> NumberList<'a, T> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, item: PhantomData }
    }

    /// How many numbers there are, GREASE included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes.len() / 2
    }

    /// Whether there is no number.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All numbers, GREASE included.
    #[must_use]
    pub fn iter(&self) -> Numbers<'a, T> {
        Numbers { pairs: self.bytes.as_chunks().0.iter(), item: PhantomData }
    }

    /// The numbers without GREASE: what fingerprints are made of.
    pub fn without_grease(&self) -> impl Iterator<Item = T> + Clone + use<'a, T> {
        self.values().map(T::from)
    }

    /// As [`Self::iter`], without the type.
    #[inline]
    pub(crate) fn all(&self) -> impl Iterator<Item = u16> + Clone + use<'a, T> {
        pairs(self.bytes)
    }

    /// As [`Self::without_grease`], without the type.
    #[inline]
    pub(crate) fn values(&self) -> impl Iterator<Item = u16> + Clone + use<'a, T> {
        pairs(self.bytes).filter(|&value| !is_grease(value))
    }

    /// The list without GREASE in front, where nearly everybody who sends any puts it.
    #[inline]
    pub(crate) fn bytes_behind_grease(&self) -> &'a [u8] {
        match self.bytes {
            [high, low, rest @ ..] if is_grease(u16::from_be_bytes([*high, *low])) => rest,
            all => all,
        }
    }

    /// Whether one of them is GREASE.
    #[must_use]
    pub fn has_grease(&self) -> bool {
        // Without a way out, which lets processors look at many numbers at a time.
        pairs(self.bytes).fold(false, |found, value| found | is_grease(value))
    }
}

impl<'a, T: From<u16>> IntoIterator for NumberList<'a, T> {
    type Item = T;
    type IntoIter = Numbers<'a, T>;

    fn into_iter(self) -> Numbers<'a, T> {
        self.iter()
    }
}

impl<'a, T: From<u16>> IntoIterator for &NumberList<'a, T> {
    type Item = T;
    type IntoIter = Numbers<'a, T>;

    fn into_iter(self) -> Numbers<'a, T> {
        self.iter()
    }
}

impl<T: From<u16> + fmt::Debug> fmt::Debug for NumberList<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// Iterates over a [`NumberList`].
#[derive(Clone, Debug)]
pub struct Numbers<'a, T> {
    pairs: core::slice::Iter<'a, [u8; 2]>,
    item: PhantomData<T>,
}

impl<T: From<u16>> Iterator for Numbers<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.pairs.next().map(|&pair| u16::from_be_bytes(pair).into())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.pairs.size_hint()
    }
}

impl<T: From<u16>> ExactSizeIterator for Numbers<'_, T> {}
impl<T: From<u16>> FusedIterator for Numbers<'_, T> {}

#[inline]
fn pairs(bytes: &[u8]) -> impl Iterator<Item = u16> + Clone {
    bytes.as_chunks().0.iter().map(|&pair| u16::from_be_bytes(pair))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_keeps_grease_order_and_repetitions_and_drops_half_an_item() {
        let list = NumberList::<CipherSuite>::new(&[0x0a, 0x0a, 0x13, 0x01, 0x13, 0x01, 0x00, 0x2f, 0xff]);
        assert_eq!(
            list.iter().collect::<Vec<_>>(),
            [CipherSuite(0x0a0a), CipherSuite(0x1301), CipherSuite(0x1301), CipherSuite(0x002f)]
        );
        assert_eq!(list.len(), 4);
        assert!(list.has_grease());
        assert_eq!(
            list.without_grease().map(|suite| suite.to_string()).collect::<Vec<_>>(),
            ["1301", "1301", "002f"]
        );
    }
}
