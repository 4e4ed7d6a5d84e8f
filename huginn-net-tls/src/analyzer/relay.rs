//! What a client and a TURN server send each other in datagrams for somebody else
//! ([RFC 8656](https://www.rfc-editor.org/rfc/rfc8656)): DTLS of browsers that reach each other by no other way.

use std::net::{IpAddr, SocketAddr};

use huginn_net_core::{FlowTag, Reader, Truncated};

use crate::dtls;
use crate::event::{Via, ViaKind, ViaTarget};

/// A datagram that is relayed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Relayed<'a> {
    pub(super) payload: &'a [u8],
    peer: Peer,
    from_peer: bool,
}

/// The other end, as the client and its server name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Peer {
    /// By the number of the channel, which stands for one address.
    Channel(u16),
    Address(SocketAddr),
    Unknown,
}

impl Relayed<'_> {
    /// What stands for the flow of the client and this peer, of which a server may have several for one client.
    pub(super) fn flow(&self, outer: FlowTag) -> FlowTag {
        match self.peer {
            Peer::Channel(number) => outer.of_part(number.into()),
            Peer::Address(address) => {
                let ip = match address.ip() {
                    IpAddr::V4(ip) => ip.to_ipv6_mapped(),
                    IpAddr::V6(ip) => ip,
                };
                let parts = ip.segments().into_iter().chain([address.port()]);
                parts.fold(outer, |flow, part| flow.of_part(part.into()))
            }
            Peer::Unknown => outer,
        }
    }

    /// The other end, if it is told: in a channel it is not.
    pub(super) fn via(&self) -> Via {
        let address = match self.peer {
            Peer::Address(address) => Some(address),
            Peer::Channel(_) | Peer::Unknown => None,
        };
        let (source, destination) = if self.from_peer { (address, None) } else { (None, address) };
        Via { kind: ViaKind::Turn, source, destination: destination.map(ViaTarget::Address) }
    }
}

/// What all messages of STUN have behind type and length ([RFC 8489 §5](https://www.rfc-editor.org/rfc/rfc8489#section-5)).
const MAGIC_COOKIE: [u8; 4] = [0x21, 0x12, 0xa4, 0x42];

/// Whether a datagram may be one of TURN with a handshake record of DTLS in it.
#[inline]
pub(super) fn may_be_relayed(datagram: &[u8]) -> bool {
    match datagram {
        [0x40..=0x7f, _, _, _, data @ ..] => dtls::may_be_handshake(data),
        _ => matches!(datagram, [0, 0x16 | 0x17, _, _, 0x21, 0x12, 0xa4, 0x42, ..]),
    }
}

/// The datagram that is relayed in one, if that is of TURN and the relayed one begins as a handshake record of DTLS does before
/// there are keys. In what a capture has cut it may go on behind the end.
pub(super) fn relayed(datagram: &[u8], is_cut: bool) -> Option<Relayed<'_>> {
    let relayed = match datagram.first()? {
        0 => of_message(datagram, is_cut),
        _ => of_channel(datagram, is_cut),
    };
    relayed.ok().flatten().filter(|Relayed { payload, .. }| {
        dtls::may_be_handshake(payload) && matches!(payload, [_, _, _, 0, 0, ..])
    })
}

/// Of ChannelData: number of the channel, length, and padding over UDP if the sender likes
/// ([RFC 8656 §12.4](https://www.rfc-editor.org/rfc/rfc8656#section-12.4); in RFC 5766 §11 numbers go up to 0x7fff).
fn of_channel(datagram: &[u8], is_cut: bool) -> Result<Option<Relayed<'_>>, Truncated> {
    const MAX_PADDING: usize = 3;
    let mut reader = Reader::new(datagram);
    let peer = Peer::Channel(reader.u16("channel number")?);
    let len = usize::from(reader.u16("length")?);
    let rest = reader.rest();
    // Short headers of QUIC begin with any bytes of these.
    if rest.len() < len && !is_cut || rest.len() > len + MAX_PADDING {
        return Ok(None);
    }
    Ok(Some(Relayed { payload: rest.get(..len).unwrap_or(rest), peer, from_peer: false }))
}

/// Of a Send indication of the client or a Data indication of the server
/// ([RFC 8656 §11](https://www.rfc-editor.org/rfc/rfc8656#section-11)).
fn of_message(datagram: &[u8], is_cut: bool) -> Result<Option<Relayed<'_>>, Truncated> {
    const XOR_PEER_ADDRESS: u16 = 0x0012;
    const DATA: u16 = 0x0013;
    const DATA_INDICATION: u16 = 0x0017;

    let mut reader = Reader::new(datagram);
    let from_peer = reader.u16("type")? == DATA_INDICATION;
    let len = usize::from(reader.u16("length")?);
    // Cookie and number of the transaction, which addresses are masked with.
    let mask: [u8; 16] = reader.array("transaction")?;
    let mut attributes = match reader.rest().get(..len) {
        Some(attributes) => Reader::new(attributes),
        None if is_cut => reader,
        None => return Ok(None),
    };
    // The first of each counts (RFC 8489 §14), in any order; behind the end of what was captured there are none.
    let (mut peer, mut data) = (None, None);
    while let Ok((kind, len)) = attribute(&mut attributes) {
        let rest = attributes.rest();
        let value = rest.get(..len).or_else(|| is_cut.then_some(rest));
        match (kind, value) {
            (_, None) => return Ok(None),
            (DATA, Some(_)) => data = data.or(value),
            (XOR_PEER_ADDRESS, Some(value)) if peer.is_none() => peer = unmasked(value, mask).ok(),
            _ => {}
        }
        // The last one may do without its padding.
        let padded = len.next_multiple_of(4).min(rest.len());
        attributes.skip(padded, "attribute")?;
    }
    let peer = peer.unwrap_or(Peer::Unknown);
    Ok(data.map(|payload| Relayed { payload, peer, from_peer }))
}

/// Type and length of an attribute, and no padding in that ([RFC 8489 §14](https://www.rfc-editor.org/rfc/rfc8489#section-14)).
fn attribute(reader: &mut Reader<'_>) -> Result<(u16, usize), Truncated> {
    Ok((reader.u16("type of an attribute")?, reader.u16("length of an attribute")?.into()))
}

/// A peer as XOR-MAPPED-ADDRESS has it ([RFC 8489 §14.2](https://www.rfc-editor.org/rfc/rfc8489#section-14.2)).
fn unmasked(value: &[u8], mask: [u8; 16]) -> Result<Peer, Truncated> {
    let mut reader = Reader::new(value);
    reader.u8("reserved")?;
    let family = reader.u8("family")?;
    let [high, low, ..] = MAGIC_COOKIE;
    let port = reader.u16("port")? ^ u16::from_be_bytes([high, low]);
    let address: IpAddr = match family {
        1 => (u32::from_be_bytes(reader.array("address")?) ^ u32::from_be_bytes(MAGIC_COOKIE))
            .to_be_bytes()
            .into(),
        2 => (u128::from_be_bytes(reader.array("address")?) ^ u128::from_be_bytes(mask)).to_be_bytes().into(),
        _ => return Ok(Peer::Unknown),
    };
    Ok(Peer::Address(SocketAddr::new(address, port)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The begin of a handshake record.
    const RECORD: [u8; 7] = [22, 0xfe, 0xfd, 0, 0, 1, 2];
    const TRANSACTION: [u8; 12] = *b"twelve bytes";

    fn channel(len: u16, rest: &[u8]) -> Vec<u8> {
        [&[0x40, 1], &len.to_be_bytes()[..], rest].concat()
    }

    fn attribute(kind: u16, value: &[u8]) -> Vec<u8> {
        let padding = vec![0; value.len().next_multiple_of(4) - value.len()];
        let len = u16::try_from(value.len()).unwrap().to_be_bytes();
        [&kind.to_be_bytes(), &len[..], value, &padding].concat()
    }

    fn message(kind: u8, attributes: &[Vec<u8>]) -> Vec<u8> {
        let attributes = attributes.concat();
        let len = u16::try_from(attributes.len()).unwrap().to_be_bytes();
        [&[0, kind], &len[..], &MAGIC_COOKIE, &TRANSACTION, &attributes].concat()
    }

    /// Payload, source and destination.
    fn told(relayed: Option<Relayed<'_>>) -> Option<(&[u8], String, String)> {
        let relayed = relayed?;
        let Via { source, destination, .. } = relayed.via();
        let text = |address: Option<&dyn ToString>| address.map_or(String::new(), ToString::to_string);
        Some((
            relayed.payload,
            text(source.as_ref().map(|it| it as &dyn ToString)),
            text(destination.as_ref().map(|it| it as &dyn ToString)),
        ))
    }

    fn read(datagram: &[u8]) -> Option<Relayed<'_>> {
        assert!(may_be_relayed(datagram), "{datagram:02x?}");
        relayed(datagram, false)
    }

    #[test]
    fn data_of_a_channel_may_be_padded_and_ends_with_its_datagram() {
        for padding in 0..=3 {
            let padded = channel(7, &[&RECORD[..], &vec![0; padding]].concat());
            assert_eq!(told(read(&padded)), Some((&RECORD[..], String::new(), String::new())), "{padding}");
        }
        assert_eq!(read(&channel(7, &[&RECORD[..], &[0; 4]].concat())), None);
        let goes_on = channel(8, &RECORD);
        assert_eq!(read(&goes_on), None);
        assert_eq!(relayed(&goes_on, true).map(|relayed| relayed.payload), Some(&RECORD[..]));
    }

    #[test]
    fn what_is_sent_and_what_has_come_name_the_other_end() {
        // 203.0.113.9:5000, and [2001:db8::9]:5000 masked with the transaction, too.
        let v4 = [0, 1, 0x13 ^ 0x21, 0x88 ^ 0x12, 203 ^ 0x21, 0x12, 113 ^ 0xa4, 9 ^ 0x42];
        let mut v6 =
            [0, 2, 0x13 ^ 0x21, 0x88 ^ 0x12, 0x20 ^ 0x21, 0x01 ^ 0x12, 0x0d ^ 0xa4, 0xb8 ^ 0x42].to_vec();
        v6.extend_from_slice(&TRANSACTION);
        v6[19] ^= 9;
        let (v4, v6) = (attribute(0x12, &v4), attribute(0x12, &v6));
        // Software, of a length that is padded.
        let (other, data) = (attribute(0x8022, b"turn."), attribute(0x13, &RECORD));
        for (kind, attributes, expected) in [
            (0x16, [&v4, &data, &other], ("", "203.0.113.9:5000")),
            (0x17, [&other, &v4, &data], ("203.0.113.9:5000", "")),
            (0x17, [&v6, &other, &data], ("[2001:db8::9]:5000", "")),
            (0x17, [&data, &other, &v4], ("203.0.113.9:5000", "")),
            // The first one counts.
            (0x16, [&data, &v6, &v4], ("", "[2001:db8::9]:5000")),
        ] {
            let message = message(kind, &attributes.map(Clone::clone));
            let (source, destination) = expected;
            assert_eq!(told(read(&message)), Some((&RECORD[..], source.to_owned(), destination.to_owned())));
        }
    }

    #[test]
    fn what_stands_behind_a_message_is_none_of_it() {
        let mut message = message(0x16, &[attribute(0x8022, b"turn"), attribute(0x13, &RECORD)]);
        assert!(read(&message).is_some());
        message[3] -= 12;
        assert_eq!(read(&message), None);
        message[3] += 16;
        assert_eq!(read(&message), None, "longer than the datagram");
    }

    #[test]
    fn a_message_that_is_cut_has_what_is_left_of_its_data() {
        let message = message(0x16, &[attribute(0x13, &RECORD)]);
        let data_at = 20 + 4;
        for end in 0..message.len() {
            let cut = &message[..end];
            let kept = end.saturating_sub(data_at).min(RECORD.len());
            assert_eq!(relayed(cut, false), None, "{end}");
            let payload = relayed(cut, true).map(|relayed| relayed.payload);
            assert_eq!(payload, RECORD.get(..kept).filter(|_| kept >= 5), "{end}");
        }
    }

    #[test]
    fn other_things_that_are_relayed_are_not_looked_at() {
        for payload in
            [&[0x80, 96, 0, 1, 0, 0, 0][..], &[22, 0xfe, 0xfd, 0, 1, 0, 0], &[23, 0xfe, 0xfd, 0, 0], &[]]
        {
            assert_eq!(relayed(&message(0x16, &[attribute(0x13, payload)]), false), None, "{payload:02x?}");
        }
        assert_eq!(relayed(&message(0x16, &[]), false), None);
        assert!(!may_be_relayed(&channel(3, &[0x80, 96, 0])));
        assert!(!may_be_relayed(&[0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42]), "a Binding request");
    }
}
