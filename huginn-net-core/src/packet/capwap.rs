//! CAPWAP between access points and their controller, where it is not encrypted ([RFC 5415](https://www.rfc-editor.org/rfc/rfc5415)).

use super::layout::Encapsulation;
use super::plausible;
use super::udp_tunnel::{Network, Tunnel};
use super::walk::{Fragment, Next, Walk};
use super::wireless::FieldOrder;
use super::{IpProtocol, IpVersion, Undecoded};
use crate::Reader;

/// Bits of frame control.
const VERSION: u8 = 0b11;

/// What the data of a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Carried {
    /// An Ethernet frame.
    Ethernet,
    /// A frame of 802.11 ([RFC 5416 §2.2](https://www.rfc-editor.org/rfc/rfc5416#section-2.2)).
    Wireless,
}

/// Data that was sent in parts, by the ports of those: each end numbers what it sends to each other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct InParts {
    carried: Carried,
    ports: [u8; 4],
}

impl Carried {
    const fn next(self) -> Next {
        match self {
            Self::Ethernet => Next::Ethernet,
            Self::Wireless => Next::WirelessInCapwap,
        }
    }
}

impl InParts {
    /// What the data is.
    pub(super) const fn next(self) -> Next {
        self.carried.next()
    }
}

/// A part of the data, which is longer than a packet (§3.4, §4.3).
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    carried: Carried,
    identification: u16,
    /// Of this part in all of the data, in bytes.
    offset: u16,
    more: bool,
}

/// RFC 5415 §4.3: preamble; length in 4 bytes, radio, kind of wireless network, flags; fragment; and what the length says. Type 1
/// of the preamble is DTLS.
pub(super) fn data(reader: &mut Reader<'_>, missing: usize) -> Option<Tunnel> {
    const PREAMBLE: u8 = 0;
    const FIXED_LEN: usize = 8;
    const IS_NATIVE: u32 = 0x100;
    const IS_PART: u32 = 0x80;
    const IS_LAST: u32 = 0x40;
    const KEEPS_ALIVE_OR_RESERVED: u32 = 0x0f;
    const IEEE_80211: u32 = 1;

    if reader.u8("CAPWAP preamble").ok()? != PREAMBLE {
        return None;
    }
    let word = reader.u24("CAPWAP header").ok()?;
    let (identification, offset) =
        (reader.u16("CAPWAP fragment").ok()?, reader.u16("CAPWAP fragment").ok()? & 0xfff8);
    let options_len = (word as usize >> 19).checked_mul(4)?.checked_sub(FIXED_LEN)?;
    reader.skip(options_len, "CAPWAP header").ok()?;
    if word & KEEPS_ALIVE_OR_RESERVED != 0 {
        return None;
    }
    let carried = match (word & IS_NATIVE != 0, word >> 9 & 0x1f) {
        (false, _) => Carried::Ethernet,
        (true, IEEE_80211) => Carried::Wireless,
        (true, _) => return None,
    };
    let is_part = word & IS_PART != 0;
    let is_known = match carried {
        _ if is_part && offset != 0 => true,
        Carried::Ethernet => plausible::frame(reader.rest(), is_part || missing > 0),
        Carried::Wireless => matches!(reader.rest(), [a, b, ..] if a & VERSION == 0 || b & VERSION == 0),
    };
    is_known.then_some(Tunnel {
        layer: Encapsulation::Capwap,
        network: Network::BetweenEnds,
        next: if is_part {
            let more = word & IS_LAST == 0;
            Next::PartInCapwap(Part { carried, identification, offset, more })
        } else {
            carried.next()
        },
        len: None,
    })
}

impl Walk<'_> {
    /// A part of data, which is at the cursor.
    #[cold]
    pub(super) fn part_in_capwap(&mut self, part: Part) -> Result<Next, Undecoded> {
        let header_len = match self.ip.version {
            IpVersion::V4 => 20,
            IpVersion::V6 => 40,
        };
        let udp = self.ip.packet.get(self.transport_at - self.ip.at..);
        let ports = udp.and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        self.fragment(Fragment {
            header: self.ip.packet.get(..header_len).unwrap_or_default(),
            next_header_at: 0,
            next_header: IpProtocol::UDP.0,
            carried: Some(InParts { carried: part.carried, ports }),
            identification: part.identification.into(),
            offset: part.offset.into(),
            more: part.more,
        })
    }

    /// A frame of 802.11, whose version, 0, is in the lower byte of frame control. Data goes to a distribution system or comes from
    /// one, so that the lowest bits of the other one are not 0.
    pub(super) fn wireless_in_capwap(&mut self) -> Result<Next, Undecoded> {
        let [first, _] = self.reader().array("frame control")?;
        let order = if first & VERSION == 0 { FieldOrder::LittleEndian } else { FieldOrder::BigEndian };
        self.ieee80211_in(order, false)
    }
}
