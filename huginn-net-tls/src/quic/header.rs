//! Long headers of QUIC packets.

use core::fmt;

use huginn_net_core::{Reader, Truncated};

use super::QuicError;
use super::version::QuicVersion;

/// What a packet with a long header is ([RFC 9000 §17.2], [RFC 9369 §3.2]).
///
/// [RFC 9000 §17.2]: https://www.rfc-editor.org/rfc/rfc9000#section-17.2
/// [RFC 9369 §3.2]: https://www.rfc-editor.org/rfc/rfc9369#section-3.2
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QuicPacketType {
    /// Version Negotiation: a server lists the versions it has.
    VersionNegotiation,
    /// Initial: carries the first messages of the handshake.
    Initial,
    /// 0-RTT: application data under the keys of an earlier connection.
    ZeroRtt,
    /// Handshake: the rest of the handshake, under keys that an observer does not have.
    Handshake,
    /// Retry: a server asks the client to start again with a token.
    Retry,
}

impl QuicPacketType {
    fn of(version: QuicVersion, first: u8) -> Self {
        // Version 2 counts on from Retry.
        let rotated = if version == QuicVersion::V2 { 1 } else { 0 };
        match (first >> 4).wrapping_sub(rotated) & 3 {
            0 => Self::Initial,
            1 => Self::ZeroRtt,
            2 => Self::Handshake,
            _ => Self::Retry,
        }
    }
}

impl fmt::Display for QuicPacketType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::VersionNegotiation => "Version Negotiation",
            Self::Initial => "Initial",
            Self::ZeroRtt => "0-RTT",
            Self::Handshake => "Handshake",
            Self::Retry => "Retry",
        })
    }
}

/// Longest connection ID of the versions that are read ([RFC 9000 §17.2]).
///
/// [RFC 9000 §17.2]: https://www.rfc-editor.org/rfc/rfc9000#section-17.2
const MAX_CONNECTION_ID: usize = 20;

/// A connection ID: at most 20 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ConnectionId {
    bytes: [u8; MAX_CONNECTION_ID],
    len: u8,
}

impl ConnectionId {
    /// That of a packet, kept.
    pub(super) fn of(id: &[u8]) -> Self {
        let (mut bytes, mut len) = ([0; MAX_CONNECTION_ID], 0);
        for (place, byte) in bytes.iter_mut().zip(id) {
            *place = *byte;
            len += 1;
        }
        Self { bytes, len }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    pub(super) const fn len(self) -> u8 {
        self.len
    }
}

/// Reads a connection ID with its length before it.
fn id<'a>(reader: &mut Reader<'a>, what: &'static str) -> Result<&'a [u8], QuicError> {
    let len = reader.u8(what)?;
    take_id(reader, len, what)
}

/// Reads both as they stood up to draft 21: their lengths come first, in a byte, less three if there is any ID.
fn packed_ids<'a>(reader: &mut Reader<'a>) -> Result<[&'a [u8]; 2], QuicError> {
    let lengths = reader.u8("lengths of connection IDs")?;
    let len = |bits: u8| if bits == 0 { 0 } else { bits + 3 };
    let destination = take_id(reader, len(lengths >> 4), "destination connection ID")?;
    Ok([destination, take_id(reader, len(lengths & 0x0f), "source connection ID")?])
}

fn take_id<'a>(reader: &mut Reader<'a>, len: u8, what: &'static str) -> Result<&'a [u8], QuicError> {
    if usize::from(len) > MAX_CONNECTION_ID {
        return Err(QuicError::ConnectionIdLength(len));
    }
    Ok(reader.take(usize::from(len), what)?)
}

impl fmt::Debug for ConnectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// One packet of a datagram.
#[derive(Clone, Copy, Debug)]
pub(super) enum LongPacket<'a> {
    Initial(InitialPacket<'a>),
    /// A packet of another kind, passed over.
    Other(QuicPacketType),
}

/// An Initial packet, still protected.
///
/// ```text
///  first byte   version   DCID length, DCID   SCID length, SCID   token length, token   length
/// +-----------+---------+-------------------+-------------------+---------------------+--------+
/// |1 F T T xxxx|  4     |  1, 0..20         |  1, 0..20         | varint, ...         | varint |
/// +-----------+---------+-------------------+-------------------+---------------------+--------+
/// | packet number (1..4, its length is in the first byte) | payload and 16 bytes of tag        |
/// +--------------------------------------------------------------------------------------------+
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct InitialPacket<'a> {
    pub(super) version: QuicVersion,
    /// Connection IDs, at most 20 bytes.
    pub(super) destination: &'a [u8],
    pub(super) source: &'a [u8],
    pub(super) token_len: usize,
    /// Everything before the packet number.
    pub(super) header: &'a [u8],
    /// Packet number, payload and tag.
    pub(super) protected: &'a [u8],
}

impl<'a> InitialPacket<'a> {
    /// The first Initial packet of a datagram, whatever other packets are before it, as long as all of them are of versions
    /// that can be read; `datagram` then holds what follows it.
    ///
    /// # Errors
    /// That an Initial packet is there, and not the whole of it.
    #[inline]
    pub(crate) fn first_of(datagram: &mut Reader<'a>) -> Result<Option<Self>, QuicError> {
        while datagram.peek().is_some_and(is_long) {
            match LongPacket::read(datagram) {
                Ok(LongPacket::Initial(packet)) => return Ok(Some(packet)),
                Ok(LongPacket::Other(_)) => {}
                Err(error @ QuicError::Truncated { .. }) if begins_initial(datagram.rest()) => {
                    return Err(error);
                }
                Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }
}

/// Whether a packet is an Initial of a version that can be read, by its first byte and its version.
#[cold]
fn begins_initial(packet: &[u8]) -> bool {
    packet.split_first_chunk().is_some_and(|(&[first, version @ ..], _): (&[u8; 5], _)| {
        let version = QuicVersion(u32::from_be_bytes(version));
        version.initial().is_some() && QuicPacketType::of(version, first) == QuicPacketType::Initial
    })
}

/// Whether a packet that begins with this byte has a long header
/// ([RFC 8999 §5.1](https://www.rfc-editor.org/rfc/rfc8999#section-5.1)).
const fn is_long(first: u8) -> bool {
    first & 0x80 != 0
}

impl<'a> LongPacket<'a> {
    /// Reads the packet at the front of a datagram and leaves what follows it
    /// ([RFC 9000 §12.2](https://www.rfc-editor.org/rfc/rfc9000#section-12.2)).
    ///
    /// The second bit need not be set: [RFC 9287] lets endpoints clear it.
    ///
    /// [RFC 9287]: https://www.rfc-editor.org/rfc/rfc9287
    pub(super) fn read(datagram: &mut Reader<'a>) -> Result<Self, QuicError> {
        let packet = datagram.rest();
        let mut reader = Reader::new(packet);
        let first = reader.peek().filter(|first| is_long(*first)).ok_or(QuicError::NotLongHeader)?;
        reader.skip(1, "first byte")?;
        let version = QuicVersion(reader.u32("version")?);
        if version == QuicVersion::NEGOTIATION {
            datagram.take_rest();
            return Ok(Self::Other(QuicPacketType::VersionNegotiation));
        }
        if version.initial().is_none() {
            return Err(QuicError::UnknownVersion(version));
        }
        let [destination, source] = if version.packs_id_lengths() {
            packed_ids(&mut reader)?
        } else {
            let destination = id(&mut reader, "destination connection ID")?;
            [destination, id(&mut reader, "source connection ID")?]
        };

        let kind = QuicPacketType::of(version, first);
        let token = match kind {
            QuicPacketType::Initial => vector(&mut reader, "token")?,
            QuicPacketType::Retry => {
                datagram.take_rest();
                return Ok(Self::Other(kind));
            }
            _ => &[],
        };
        let protected = vector(&mut reader, "packet")?;
        let header = packet.get(..reader.position() - protected.len()).unwrap_or_default();
        *datagram = reader;
        Ok(match kind {
            QuicPacketType::Initial => Self::Initial(InitialPacket {
                version,
                destination,
                source,
                token_len: token.len(),
                header,
                protected,
            }),
            _ => Self::Other(kind),
        })
    }
}

/// Reads a number of 1, 2, 4 or 8 bytes, at most 2^62 - 1
/// ([RFC 9000 §16](https://www.rfc-editor.org/rfc/rfc9000#section-16)). More bytes than needed are legal.
#[inline]
pub(super) fn varint(reader: &mut Reader<'_>, what: &'static str) -> Result<u64, Truncated> {
    // Which length it has nobody foresees: where there are bytes enough for the longest, none is decided on.
    if let Some(longest) = reader.rest().first_chunk() {
        let word = u64::from_be_bytes(*longest);
        let len = 1_usize << (word >> 62);
        reader.skip(len, what)?;
        return Ok((word & 0x3fff_ffff_ffff_ffff) >> (64 - 8 * len));
    }
    short_varint(reader, what)
}

/// A number with less than 8 bytes behind its begin.
#[cold]
fn short_varint(reader: &mut Reader<'_>, what: &'static str) -> Result<u64, Truncated> {
    let at = reader.position();
    let first = reader.peek().ok_or(Truncated { what, at })?;
    match first >> 6 {
        0 => reader.u8(what).map(u64::from),
        1 => reader.u16(what).map(|value| u64::from(value & 0x3fff)),
        2 => reader.u32(what).map(|value| u64::from(value & 0x3fff_ffff)),
        _ => Err(Truncated { what, at }),
    }
}

/// Reads as many bytes as the number before them says.
pub(super) fn vector<'a>(reader: &mut Reader<'a>, what: &'static str) -> Result<&'a [u8], Truncated> {
    let len = varint(reader, what)?;
    // A length that does not fit is longer than any bytes there are.
    reader.take(usize::try_from(len).unwrap_or(usize::MAX), what)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of [RFC 9000 appendix A.1](https://www.rfc-editor.org/rfc/rfc9000#appendix-A.1).
    #[test]
    fn reads_numbers_of_every_length_minimal_or_not() {
        let cases: [(&[u8], u64); 5] = [
            (&[0xc2, 0x19, 0x7c, 0x5e, 0xff, 0x14, 0xe8, 0x8c], 151_288_809_941_952_652),
            (&[0x9d, 0x7f, 0x3e, 0x7d], 494_878_333),
            (&[0x7b, 0xbd], 15_293),
            (&[0x25], 37),
            (&[0x40, 0x25], 37),
        ];
        for (bytes, value) in cases {
            let mut reader = Reader::new(bytes);
            assert_eq!(varint(&mut reader, "value"), Ok(value));
            assert!(reader.is_empty());
            let longer = [bytes, &[0xff; 9]].concat();
            let mut reader = Reader::new(&longer);
            assert_eq!((varint(&mut reader, "value"), reader.rest()), (Ok(value), &[0xff; 9][..]));
            let mut short = Reader::new(&bytes[..bytes.len() - 1]);
            assert_eq!(varint(&mut short, "value"), Err(Truncated { what: "value", at: 0 }));
        }
    }

    fn kind(bytes: &[u8]) -> Result<QuicPacketType, QuicError> {
        Ok(match LongPacket::read(&mut Reader::new(bytes))? {
            LongPacket::Initial(_) => QuicPacketType::Initial,
            LongPacket::Other(kind) => kind,
        })
    }

    #[test]
    fn the_type_bits_of_version_2_differ_from_those_of_version_1() {
        let rest: &[u8] = &[0, 0, 0, 0];
        let v1 = |first: u8| kind(&[&[first, 0, 0, 0, 1], rest].concat()).unwrap();
        let v2 = |first: u8| kind(&[&[first, 0x6b, 0x33, 0x43, 0xcf], rest].concat()).unwrap();
        for (bits, in_v1, in_v2) in [
            (0x00, QuicPacketType::Initial, QuicPacketType::Retry),
            (0x10, QuicPacketType::ZeroRtt, QuicPacketType::Initial),
            (0x20, QuicPacketType::Handshake, QuicPacketType::ZeroRtt),
            (0x30, QuicPacketType::Retry, QuicPacketType::Handshake),
        ] {
            assert_eq!(v1(0xc0 | bits), in_v1);
            assert_eq!(v2(0xc0 | bits), in_v2);
            assert_eq!(v1(0x80 | bits), in_v1, "the second bit may be clear");
        }
    }

    /// The Retry packet of [RFC 9001 appendix A.4](https://www.rfc-editor.org/rfc/rfc9001#appendix-A.4) and that of
    /// [RFC 9369 appendix A.4](https://www.rfc-editor.org/rfc/rfc9369#appendix-A.4), without their tags.
    #[test]
    fn recognises_retry_and_version_negotiation() {
        let retry = b"\xff\x00\x00\x00\x01\x00\x08\xf0\x67\xa5\x50\x2a\x42\x62\xb5token";
        assert_eq!(kind(retry), Ok(QuicPacketType::Retry));
        let retry = b"\xcf\x6b\x33\x43\xcf\x00\x08\xf0\x67\xa5\x50\x2a\x42\x62\xb5token";
        assert_eq!(kind(retry), Ok(QuicPacketType::Retry));
        let negotiation = b"\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01";
        assert_eq!(kind(negotiation), Ok(QuicPacketType::VersionNegotiation));
    }

    #[test]
    fn refuses_connection_ids_of_more_than_20_bytes() {
        let with = |len: u8| [&[0xc0, 0, 0, 0, 1, len][..], &[0; 40]].concat();
        assert_eq!(kind(&with(20)), Ok(QuicPacketType::Initial));
        assert_eq!(kind(&with(21)), Err(QuicError::ConnectionIdLength(21)));
    }

    #[test]
    fn draft_21_packs_the_lengths_of_both_connection_ids_into_a_byte() {
        for (lengths, destination, source_len) in
            [(0x50, &b"destinat"[..], 0), (0x05, b"", 8), (0xf1, b"destination_of_18b", 4)]
        {
            let rest = b"\x02to\x03pkt";
            let source = vec![b'S'; source_len];
            let bytes = [&[0xc0, 0xff, 0, 0, 21, lengths], destination, &source, rest].concat();
            let Ok(LongPacket::Initial(packet)) = LongPacket::read(&mut Reader::new(&bytes)) else {
                panic!("not an Initial");
            };
            assert_eq!(packet.destination, destination);
            assert_eq!((packet.source, packet.token_len), (&source[..], 2));
            assert_eq!(packet.protected, b"pkt");
        }
    }

    #[test]
    fn leaves_what_follows_the_packet() {
        let bytes = b"\xc0\x00\x00\x00\x01\x01D\x01S\x02to\x03pktnext";
        let mut reader = Reader::new(bytes);
        let Ok(LongPacket::Initial(packet)) = LongPacket::read(&mut reader) else {
            panic!("not an Initial");
        };
        assert_eq!(packet.destination, b"D");
        assert_eq!((packet.source, packet.token_len), (&b"S"[..], 2));
        assert_eq!((packet.header.len(), packet.protected), (13, &b"pkt"[..]));
        assert_eq!(reader.rest(), b"next");
    }
}
