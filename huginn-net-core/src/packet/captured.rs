//! Headers that whoever captured a frame puts before it.

use super::link::ip_of_address_family;
use super::walk::{Next, Walk};
use super::{Undecoded, plausible};
use crate::{LinkType, Reader};

/// Who captured a frame, and so which header it has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Captured {
    Prism,
    Avs,
    Ppi,
    Pktap,
    Netfilter,
    Ipsec,
    NetAnalyzer { preamble: bool },
    Endace,
    Juniper,
}

impl Captured {
    pub(super) fn of_link_type(link_type: LinkType) -> Option<Self> {
        match link_type {
            LinkType::IEEE802_11_PRISM => Some(Self::Prism),
            LinkType::IEEE802_11_AVS => Some(Self::Avs),
            LinkType::PPI => Some(Self::Ppi),
            LinkType::PKTAP => Some(Self::Pktap),
            LinkType::NFLOG => Some(Self::Netfilter),
            LinkType::ENC => Some(Self::Ipsec),
            LinkType::NETANALYZER => Some(Self::NetAnalyzer { preamble: false }),
            LinkType::NETANALYZER_TRANSPARENT => Some(Self::NetAnalyzer { preamble: true }),
            LinkType::ERF => Some(Self::Endace),
            LinkType::JUNIPER_ETHERNET => Some(Self::Juniper),
            _ => None,
        }
    }
}

impl Walk<'_> {
    pub(super) fn captured(&mut self, by: Captured) -> Result<Next, Undecoded> {
        match by {
            Captured::Prism => self.prism(),
            Captured::Avs => self.avs(),
            Captured::Ppi => self.ppi(),
            Captured::Pktap => self.pktap(),
            Captured::Netfilter => self.nflog(),
            Captured::Ipsec => self.enc(),
            Captured::NetAnalyzer { preamble } => {
                let mut reader = self.reader();
                reader.skip(if preamble { 12 } else { 4 }, "netANALYZER header")?;
                self.advance(&reader);
                self.strip_frame_check(true, false)?;
                Ok(Next::Ethernet)
            }
            Captured::Endace => self.erf(),
            Captured::Juniper => self.juniper(),
        }
    }

    /// Message code and length of header, in the byte order of the host, device, and items of fixed number. Some drivers
    /// write an AVS header under the same link type.
    fn prism(&mut self) -> Result<Next, Undecoded> {
        const LEN: usize = 144;
        if self.rest.starts_with(&AVS_MAGIC) {
            return self.avs();
        }
        let mut reader = self.reader();
        reader.skip(LEN, "Prism header")?;
        self.advance(&reader);
        Ok(Next::Ieee80211 { padded: false })
    }

    /// Version and length of header, and fields.
    fn avs(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        if !reader.array::<4>("AVS version")?.starts_with(&AVS_MAGIC) {
            return Err(Undecoded::Encapsulation);
        }
        let len = usize::try_from(reader.u32("AVS length")?).map_err(|_| Undecoded::Encapsulation)?;
        reader.skip(len.checked_sub(8).ok_or(Undecoded::Encapsulation)?, "AVS header")?;
        self.advance(&reader);
        Ok(Next::Ieee80211 { padded: false })
    }

    /// Version, flags, length and link type, then fields of type, length and value; all little-endian.
    fn ppi(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let [version, flags, len_low, len_high] = reader.array("PPI header")?;
        let link_type = u32::from_le_bytes(reader.array("PPI link type")?);
        let len = usize::from(u16::from_le_bytes([len_low, len_high]));
        if version != 0 {
            return Err(Undecoded::Encapsulation);
        }
        let fields = reader.take(len.checked_sub(8).ok_or(Undecoded::Encapsulation)?, "PPI fields")?;
        self.advance(&reader);
        if let Some(radio) = ppi_radio_flags(fields, flags & 1 != 0) {
            self.strip_frame_check(radio & 0x0001 != 0, radio & 0x0004 != 0)?;
        }
        next_of(link_type)
    }

    /// Fields of 4 bytes but for the name of the interface; in the byte order of the host, and every host of Apple's
    /// is little-endian since there is this header.
    fn pktap(&mut self) -> Result<Next, Undecoded> {
        const PACKET: u32 = 1;
        let mut whole = self.reader();
        let mut fields = whole;
        let field = |reader: &mut Reader<'_>| reader.array("PKTAP header").map(u32::from_le_bytes);
        let (len, kind, link_type) = (field(&mut fields)?, field(&mut fields)?, field(&mut fields)?);
        // Name, flags, protocol family, length of the link layer.
        fields.skip(24 + 4 + 4 + 4, "PKTAP interface")?;
        let trailer_len = field(&mut fields)?;
        let len = usize::try_from(len).map_err(|_| Undecoded::Encapsulation)?;
        if len < fields.position() {
            return Err(Undecoded::Encapsulation);
        }
        if kind != PACKET {
            return Err(Undecoded::NotIp);
        }
        whole.skip(len, "PKTAP header")?;
        self.advance(&whole);
        if !self.cut {
            let trailer_len = usize::try_from(trailer_len).map_err(|_| Undecoded::Encapsulation)?;
            let frame_len = self.rest.len().checked_sub(trailer_len).ok_or(Undecoded::Encapsulation)?;
            let _ = self.shorten(frame_len);
        }
        next_of(link_type)
    }

    /// Address family, version, group; then attributes of length, type and value, padded to 4 bytes, in the byte order
    /// of the host: types are small, so that the byte that is 0 tells, but for two flags. One of them is the packet.
    fn nflog(&mut self) -> Result<Next, Undecoded> {
        const PAYLOAD: u16 = 9;
        const HEADER: usize = 4;
        /// Nested attributes, and network byte order.
        const FLAGS: u16 = 0xc000;
        let mut reader = self.reader();
        let [family, version, ..] = reader.array::<4>("netfilter header")?;
        if version != 0 {
            return Err(Undecoded::Encapsulation);
        }
        loop {
            let [a, b, c, d] = reader.array("netfilter attribute")?;
            let (len, kind) = match u16::from_be_bytes([d, 0]) & !FLAGS {
                0 => (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])),
                _ => (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])),
            };
            let len = usize::from(len).checked_sub(HEADER).ok_or(Undecoded::Encapsulation)?;
            if kind & !FLAGS == PAYLOAD {
                self.advance(&reader);
                let _ = self.shorten(len);
                return ip_of_address_family(family.into());
            }
            reader.skip(len.next_multiple_of(4), "netfilter attribute")?;
        }
    }

    /// Address family, in the byte order of the host, security parameter index and flags.
    fn enc(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let family = reader.u32("address family")?;
        reader.skip(8, "security association")?;
        self.advance(&reader);
        ip_of_address_family(family.min(family.swap_bytes()))
    }

    /// Timestamp (8 bytes), type, flags, length of the record, losses or color, length on the wire; extension headers of
    /// 8 bytes, each of which says whether another follows; before Ethernet, two bytes more, and its check
    /// sequence behind it, which the length on the wire counts. Records may be filled up to a multiple of 8 bytes, and
    /// the card may have kept less of a frame than its record says was on the wire.
    fn erf(&mut self) -> Result<Next, Undecoded> {
        const MORE: u8 = 0x80;
        let mut reader = self.reader();
        reader.skip(8, "ERF timestamp")?;
        let [kind, _flags] = reader.array("ERF type")?;
        let record_len = usize::from(reader.u16("ERF record length")?);
        reader.skip(2, "ERF losses")?;
        let wire_len = usize::from(reader.u16("ERF wire length")?);
        let mut more = kind & MORE;
        while more != 0 {
            let [first, ..] = reader.array::<8>("ERF extension")?;
            more = first & MORE;
        }
        let next = match kind & !MORE {
            // Ethernet, with a color or a hash in place of losses or without.
            2 | 11 | 16 | 20 => {
                reader.skip(2, "ERF padding")?;
                Next::Ethernet
            }
            22 => Next::IPV4,
            23 => Next::IPV6,
            _ => return Err(Undecoded::NotIp),
        };
        let kept = record_len.checked_sub(reader.position()).ok_or(Undecoded::Encapsulation)?;
        self.advance(&reader);
        let kept = kept.min(self.rest.len());
        let _ = self.shorten(kept.min(wire_len));
        self.cut = kept < wire_len;
        if matches!(next, Next::Ethernet) {
            self.strip_erf_frame_check(wire_len);
        }
        Ok(next)
    }

    /// Takes the check sequence off an Ethernet frame whose length on the wire counts one. Software that makes such
    /// records of frames without them counts none: it is taken off only where IP is whole without it.
    fn strip_erf_frame_check(&mut self, wire_len: usize) {
        const LEN: usize = 4;
        let Some(without) = self.rest.get(..wire_len.saturating_sub(LEN)) else { return };
        if plausible::ethernet(without, false) {
            let _ = self.shorten(without.len());
        }
    }

    /// Magic and flags; attributes within a length if a flag says so; and where another says that the link layer has
    /// been removed, 4 bytes for the protocol.
    fn juniper(&mut self) -> Result<Next, Undecoded> {
        const MAGIC: [u8; 3] = *b"MGC";
        const NO_LINK_LAYER: u8 = 0x02;
        const ATTRIBUTES: u8 = 0x80;
        let mut reader = self.reader();
        let [a, b, c, flags] = reader.array("Juniper header")?;
        if [a, b, c] != MAGIC {
            return Err(Undecoded::Encapsulation);
        }
        if flags & ATTRIBUTES != 0 {
            reader.sub_u16("Juniper attributes")?;
        }
        let next = if flags & NO_LINK_LAYER != 0 {
            let family = reader.u32("Juniper protocol")?;
            ip_of_address_family(family.min(family.swap_bytes()))?
        } else {
            Next::Ethernet
        };
        self.advance(&reader);
        Ok(next)
    }
}

/// What an AVS header begins with, but for the last bits of its version.
const AVS_MAGIC: [u8; 3] = [0x80, 0x21, 0x10];

/// What a frame inside such a header starts with.
fn next_of(link_type: u32) -> Result<Next, Undecoded> {
    let link_type = u16::try_from(link_type).ok().and_then(|number| Next::of_link_type(LinkType(number)));
    link_type.ok_or(Undecoded::UnknownLinkType)
}

/// The flags of the field that describes the radio, if there is one: 1 if a frame check sequence follows the frame, 4 if
/// it is wrong.
fn ppi_radio_flags(fields: &[u8], is_aligned: bool) -> Option<u16> {
    const RADIO: u16 = 2;
    let mut reader = Reader::new(fields);
    loop {
        let kind = u16::from_le_bytes(reader.array("PPI field").ok()?);
        let len = usize::from(u16::from_le_bytes(reader.array("PPI field length").ok()?));
        if kind == RADIO {
            reader.skip(8, "PPI timestamp").ok()?;
            return reader.array("PPI flags").ok().map(u16::from_le_bytes);
        }
        let padded = if is_aligned { len.next_multiple_of(4) } else { len };
        reader.skip(padded, "PPI field").ok()?;
    }
}
