//! Transport parameters of QUIC.

use core::fmt;

use huginn_net_core::{Reader, Truncated};

use super::header::{varint, vector};
use super::version::QuicVersion;
use crate::client_hello::ClientHello;
use crate::error::TlsError;
use crate::numbers::ExtensionType;

/// The number of a transport parameter, below 2^62
/// ([RFC 9000 §18.2](https://www.rfc-editor.org/rfc/rfc9000#section-18.2)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransportParameterId(pub u64);

impl TransportParameterId {
    /// How long the connection may be idle, in milliseconds.
    pub const MAX_IDLE_TIMEOUT: Self = Self(0x01);
    /// Longest UDP payload the sender takes, in bytes.
    pub const MAX_UDP_PAYLOAD_SIZE: Self = Self(0x03);
    /// Bytes the peer may send before it is given more, on all streams together.
    pub const INITIAL_MAX_DATA: Self = Self(0x04);
    /// The same for one bidirectional stream that the sender opens.
    pub const INITIAL_MAX_STREAM_DATA_BIDI_LOCAL: Self = Self(0x05);
    /// The same for one bidirectional stream that the peer opens.
    pub const INITIAL_MAX_STREAM_DATA_BIDI_REMOTE: Self = Self(0x06);
    /// The same for one unidirectional stream.
    pub const INITIAL_MAX_STREAM_DATA_UNI: Self = Self(0x07);
    /// Bidirectional streams that the peer may open.
    pub const INITIAL_MAX_STREAMS_BIDI: Self = Self(0x08);
    /// Unidirectional streams that the peer may open.
    pub const INITIAL_MAX_STREAMS_UNI: Self = Self(0x09);
    /// Power of two by which delays in acknowledgments are multiplied.
    pub const ACK_DELAY_EXPONENT: Self = Self(0x0a);
    /// Longest delay of an acknowledgment, in milliseconds.
    pub const MAX_ACK_DELAY: Self = Self(0x0b);
    /// The sender will not change its address. No value.
    pub const DISABLE_ACTIVE_MIGRATION: Self = Self(0x0c);
    /// Connection IDs the sender keeps.
    pub const ACTIVE_CONNECTION_ID_LIMIT: Self = Self(0x0e);
    /// The connection ID in the sender's first packet.
    pub const INITIAL_SOURCE_CONNECTION_ID: Self = Self(0x0f);
    /// The version in use and those the sender has ([RFC 9368 §3](https://www.rfc-editor.org/rfc/rfc9368#section-3)).
    pub const VERSION_INFORMATION: Self = Self(0x11);
    /// Longest DATAGRAM frame, in bytes ([RFC 9221 §3](https://www.rfc-editor.org/rfc/rfc9221#section-3)).
    pub const MAX_DATAGRAM_FRAME_SIZE: Self = Self(0x20);
    /// The second bit of packets may be clear ([RFC 9287 §3](https://www.rfc-editor.org/rfc/rfc9287#section-3)).
    pub const GREASE_QUIC_BIT: Self = Self(0x2ab2);

    /// Whether the number is one of those that mean nothing and keep receivers honest: 27 more than a multiple of 31
    /// ([RFC 9000 §18.1](https://www.rfc-editor.org/rfc/rfc9000#section-18.1)).
    #[must_use]
    pub const fn is_grease(self) -> bool {
        self.0 % 31 == 27
    }

    /// Whether the value is one number of variable length: also for `initial_rtt` of Chromium and `min_ack_delay` of the
    /// drafts of ACK frequency.
    const fn is_integer(self) -> bool {
        matches!(self.0, 0x01 | 0x03..=0x0b | 0x0e | 0x20 | 0x3127 | 0xff04_de1b)
    }
}

impl fmt::Display for TransportParameterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#04x}", self.0)
    }
}

/// One transport parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransportParameter<'a> {
    /// Its number.
    pub id: TransportParameterId,
    /// Its value as sent.
    pub value: &'a [u8],
}

impl<'a> TransportParameter<'a> {
    /// The value, if the parameter is a number and nothing but one was sent.
    #[must_use]
    pub fn integer(&self) -> Option<u64> {
        let mut reader = Reader::new(self.value);
        let value = varint(&mut reader, "value").ok().filter(|_| self.id.is_integer())?;
        reader.is_empty().then_some(value)
    }

    /// The versions that [`VERSION_INFORMATION`](TransportParameterId::VERSION_INFORMATION) lists, reserved ones left
    /// out: the one in use, then those available, the best liked first. Empty for another parameter.
    pub fn versions(&self) -> impl Iterator<Item = QuicVersion> + use<'a> {
        let is_list = self.id == TransportParameterId::VERSION_INFORMATION;
        let (versions, _) = if is_list { self.value } else { &[] }.as_chunks();
        versions
            .iter()
            .map(|&version| QuicVersion(u32::from_be_bytes(version)))
            .filter(|version| !version.is_reserved())
    }
}

/// The transport parameters of a client: the body of extension `quic_transport_parameters`, 57
/// ([RFC 9001 §8.2](https://www.rfc-editor.org/rfc/rfc9001#section-8.2)), or 0xffa5 in drafts from 27 on.
///
/// ```
/// use huginn_net_tls::{TransportParameterId, TransportParameters};
///
/// let parameters = TransportParameters::parse(&[0x04, 0x04, 0x80, 0x01, 0x00, 0x00, 0x1b, 0x00])?;
/// assert!(parameters.has_grease());
/// let parameter = parameters.find(TransportParameterId::INITIAL_MAX_DATA);
/// assert_eq!(parameter.and_then(|parameter| parameter.integer()), Some(65_536));
/// assert_eq!(parameters.iter().count(), 1);
/// # Ok::<(), huginn_net_tls::TlsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransportParameters<'a> {
    /// Whole parameters and nothing else.
    body: &'a [u8],
}

impl<'a> TransportParameters<'a> {
    /// Reads the body of the extension ([RFC 9000 §18](https://www.rfc-editor.org/rfc/rfc9000#section-18)).
    ///
    /// # Errors
    /// [`TlsError::Truncated`] where a parameter is cut off.
    pub fn parse(body: &'a [u8]) -> Result<Self, TlsError> {
        let mut reader = Reader::new(body);
        while !reader.is_empty() {
            read(&mut reader)?;
        }
        Ok(Self { body })
    }

    /// Those of a hello; `None` if it has none, as over anything but QUIC, or has them as drafts before 27 wrote them.
    ///
    /// # Errors
    /// [`TlsError::Truncated`] where a parameter is cut off.
    pub fn of_hello(hello: &ClientHello<'a>) -> Result<Option<Self>, TlsError> {
        const OF_DRAFTS: ExtensionType = ExtensionType(0xffa5);
        // The same extension held, before draft 27, one list with a length of two bytes. As a parameter of today those two
        // would be number 0, which no client sends.
        let is_list = |body: &[u8]| {
            Reader::new(body).sub_u16("list").is_ok_and(|list| list.remaining() + 2 == body.len())
        };
        let of_drafts = || hello.extension(OF_DRAFTS).filter(|body| !is_list(body));
        hello
            .extension(ExtensionType::QUIC_TRANSPORT_PARAMETERS)
            .or_else(of_drafts)
            .map(Self::parse)
            .transpose()
    }

    /// The parameters in the order sent, GREASE left out, repeated ones as often as they were sent.
    ///
    /// Chrome shuffles them for every connection: sort before comparing.
    pub fn iter(&self) -> impl Iterator<Item = TransportParameter<'a>> + use<'a> {
        self.all().filter(|parameter| !parameter.id.is_grease())
    }

    /// Whether parameters that mean nothing were sent.
    #[must_use]
    pub fn has_grease(&self) -> bool {
        self.all().any(|parameter| parameter.id.is_grease())
    }

    /// The first parameter with this number.
    #[must_use]
    pub fn find(&self, id: TransportParameterId) -> Option<TransportParameter<'a>> {
        self.all().find(|parameter| parameter.id == id)
    }

    /// All parameters in the order sent, GREASE among them.
    pub fn all(&self) -> impl Iterator<Item = TransportParameter<'a>> + use<'a> {
        let mut reader = Reader::new(self.body);
        // Nothing is cut off, so that the first error is the end.
        core::iter::from_fn(move || read(&mut reader).ok())
    }
}

fn read<'a>(reader: &mut Reader<'a>) -> Result<TransportParameter<'a>, Truncated> {
    let id = TransportParameterId(varint(reader, "transport parameter")?);
    Ok(TransportParameter { id, value: vector(reader, "transport parameter value")? })
}

#[cfg(test)]
mod tests {
    use super::super::testing::hex;
    use super::*;
    use crate::client_hello::Carrier;

    /// The extension in the ClientHello of [RFC 9001 appendix A.2](https://www.rfc-editor.org/rfc/rfc9001#appendix-A.2).
    #[test]
    fn reads_the_parameters_of_rfc_9001() {
        let body =
            hex("0408ffffffffffffffff05048000ffff07048000ffff0801100104800075300901100f088394c8f03e515708\
                        06048000ffff");
        let parameters = TransportParameters::parse(&body).unwrap();
        let values: Vec<_> =
            parameters.iter().map(|parameter| (parameter.id.0, parameter.integer())).collect();
        assert_eq!(
            values,
            [
                (0x04, Some((1 << 62) - 1)),
                (0x05, Some(65_535)),
                (0x07, Some(65_535)),
                (0x08, Some(16)),
                (0x01, Some(30_000)),
                (0x09, Some(16)),
                (0x0f, None),
                (0x06, Some(65_535)),
            ]
        );
        let id = parameters.find(TransportParameterId::INITIAL_SOURCE_CONNECTION_ID).unwrap();
        assert_eq!(id.value, hex("8394c8f03e515708"));
        assert!(!parameters.has_grease());
    }

    /// A ClientHello of TLS with one extension.
    fn hello_with(kind: u16, body: &[u8]) -> Vec<u8> {
        let len = u8::try_from(body.len()).unwrap();
        let start =
            [&[1, 0, 0, 47 + len, 3, 3][..], &[7; 32], &[0, 0, 2, 0x13, 1, 1, 0, 0, len + 4]].concat();
        [&start, &kind.to_be_bytes()[..], &[0, len], body].concat()
    }

    #[test]
    fn parameters_as_drafts_before_27_wrote_them_are_not_taken_for_those_of_today() {
        let of = |kind, body: &[u8]| {
            let message = hello_with(kind, body);
            let hello = ClientHello::parse(&message, Carrier::Quic).unwrap().done().unwrap();
            let parameters = TransportParameters::of_hello(&hello).unwrap();
            parameters.map(|parameters| parameters.iter().map(|parameter| parameter.id.0).collect::<Vec<_>>())
        };
        // Drafts 21 to 26: a list of 8 bytes, in it initial_max_data of 4 bytes.
        let list = [0, 8, 0, 4, 0, 4, 0x80, 1, 0, 0];
        assert_eq!(of(0xffa5, &list), None);
        let today = [4, 4, 0x80, 1, 0, 0];
        assert_eq!(of(0xffa5, &today), Some(vec![4]));
        assert_eq!(of(0x0039, &today), Some(vec![4]));
        assert_eq!(of(0x0017, &today), None);
    }

    #[test]
    fn refuses_parameters_cut_at_any_byte_but_between_two() {
        let body = [0x04, 0x02, 0x40, 0x64, 0x40, 0x1b, 0x01, 0xff, 0x0c, 0x00];
        for len in 0..=body.len() {
            let parsed = TransportParameters::parse(&body[..len]);
            assert_eq!(parsed.is_ok(), [0, 4, 8, 10].contains(&len), "{len} bytes");
            assert!(matches!(parsed, Ok(_) | Err(TlsError::Truncated { .. })), "{parsed:?}");
        }
    }

    #[test]
    fn leaves_out_grease_of_any_length_and_tells_of_it() {
        // 27 and 27 + 31 * 10^9 in eight bytes.
        let grease = hex("1b00c000000737be761b02abcd");
        let body = [&grease, &[0x0c, 0x00][..], &grease].concat();
        let parameters = TransportParameters::parse(&body).unwrap();
        let ids: Vec<_> = parameters.iter().map(|parameter| parameter.id).collect();
        assert_eq!(ids, [TransportParameterId::DISABLE_ACTIVE_MIGRATION]);
        assert!(parameters.has_grease());
    }

    #[test]
    fn a_number_with_something_behind_it_is_no_number() {
        for body in [&[0x04, 0x02, 0x05, 0x00][..], &[0x04, 0x00], &[0x04, 0x01, 0x40], &[0x0f, 0x01, 0x05]] {
            let parameters = TransportParameters::parse(body).unwrap();
            assert_eq!(parameters.iter().next().unwrap().integer(), None, "{body:02x?}");
        }
    }

    #[test]
    fn lists_versions_without_reserved_ones() {
        let body = hex("111000000001 1a2a3a4a 6b3343cf 00000001 040100");
        let parameters = TransportParameters::parse(&body).unwrap();
        let versions: Vec<_> = parameters.iter().flat_map(|parameter| parameter.versions()).collect();
        assert_eq!(versions, [QuicVersion::V1, QuicVersion::V2, QuicVersion::V1]);
    }
}
