//! Headers that whoever captured a frame puts before it. Each function says which `LINKTYPE_` number its result belongs
//! to.

use super::link::{Inet6, address_family, crc32};
use super::{ether_type, ether_type_of, join};
use crate::capture::Endian;

/// A Prism header in front of an 802.11 frame (link type 119).
#[must_use]
pub fn prism(frame: &[u8]) -> Vec<u8> {
    let mut header = [&0x44_u32.to_le_bytes()[..], &144_u32.to_le_bytes(), b"wlan0"].concat();
    header.resize(144, 0);
    join(&[&header, frame])
}

/// An AVS header in front of an 802.11 frame (link type 163, or 119).
#[must_use]
pub fn avs(frame: &[u8]) -> Vec<u8> {
    let mut header = [0x8021_1001_u32.to_be_bytes(), 64_u32.to_be_bytes()].concat();
    header.resize(64, 0);
    join(&[&header, frame])
}

/// A PPI header in front of a frame of some link type (link type 192).
///
/// With `radio` there is a field about 802.11, behind another one, and the frame is followed by a check sequence.
#[must_use]
pub fn ppi(link_type: u16, radio: bool, frame: &[u8]) -> Vec<u8> {
    let mut fields = Vec::new();
    if radio {
        // A vendor's field of 3 bytes, which the next one follows at once.
        fields.extend([0x20, 0x75, 3, 0, 1, 2, 3]);
        // Timestamp; flags: check sequence present; rate, channel, levels.
        fields.extend([2, 0, 20, 0]);
        fields.extend([&[0; 8][..], &[1, 0], &[0; 10]].concat());
    }
    let len = (8 + fields.len()) as u16;
    let header = [&[0, 0][..], &len.to_le_bytes(), &u32::from(link_type).to_le_bytes()].concat();
    let check = if radio { crc32(frame).to_le_bytes().to_vec() } else { Vec::new() };
    join(&[&header, &fields, frame, &check])
}

/// Apple's header in front of a frame of some link type, which a trailer follows (link type 258).
#[must_use]
pub fn pktap(link_type: u16, trailer_len: u32, frame: &[u8]) -> Vec<u8> {
    const LEN: usize = 108;
    // Length, a packet, link type.
    let mut header = [LEN as u32, 1, u32::from(link_type)].map(u32::to_le_bytes).concat();
    header.extend(b"en0");
    header.resize(12 + 24, 0);
    // Flags, protocol family, lengths of link layer and trailer, process.
    for field in [0, 2, 14, trailer_len, 4_711] {
        header.extend(u32::to_le_bytes(field));
    }
    header.resize(LEN, 0);
    join(&[&header, frame, &vec![0x7e; trailer_len as usize]])
}

/// A netfilter log in the byte order of the host that wrote it, with attributes before the packet (link type 239).
#[must_use]
pub fn nflog(endian: Endian, datagram: &[u8]) -> Vec<u8> {
    // Numbers of Linux.
    let family = if ether_type_of(datagram) == ether_type::IPV4 { 2 } else { 10 };
    let mut packet = vec![family, 0, 0, 7];
    // Hook and EtherType, a prefix whose length is no multiple of 4, and the packet.
    for (kind, value) in [(1, &[0x08, 0, 1, 0][..]), (10, b"drop\0"), (9, datagram)] {
        packet.extend(endian.u16((4 + value.len()) as u16));
        packet.extend(endian.u16(kind));
        packet.extend(value);
        packet.resize(packet.len().next_multiple_of(4), 0);
    }
    packet
}

/// A packet on its way through IPsec on BSD, in the byte order of the host (link type 109).
#[must_use]
pub fn enc(endian: Endian, inet6: Inet6, datagram: &[u8]) -> Vec<u8> {
    join(&[&endian.u32(address_family(inet6, datagram)), &[0, 0, 0x10, 1, 0, 0, 0, 8], datagram])
}

/// A netANALYZER header in front of an Ethernet frame and its check sequence, with a preamble (link type 241) or without
/// (link type 240).
#[must_use]
pub fn net_analyzer(preamble: bool, frame: &[u8]) -> Vec<u8> {
    let preamble: &[u8] = if preamble { &[0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5] } else { &[] };
    join(&[&[0x15, 0x40, 0, 0x40], preamble, frame, &crc32(frame).to_le_bytes()])
}

/// An ERF record of Ethernet with so many extension headers, frame and check sequence (link type 197).
#[must_use]
pub fn erf(extensions: u8, frame: &[u8]) -> Vec<u8> {
    let wire_len = ((frame.len() + 4) as u16).to_be_bytes();
    let record_len = ((16 + 8 * usize::from(extensions) + 2 + frame.len() + 4) as u16).to_be_bytes();
    let kind = 2 | u8::from(extensions > 0) << 7;
    let mut record = [&[0; 8][..], &[kind, 4], &record_len, &[0, 0], &wire_len].concat();
    for left in (0..extensions).rev() {
        record.extend([u8::from(left > 0) << 7 | 3, 0, 0, 0, 0, 0, 0, 1]);
    }
    join(&[&record, &[0, 0], frame, &crc32(frame).to_le_bytes()])
}

/// Juniper's header in front of an Ethernet frame (link type 178).
#[must_use]
pub fn juniper(frame: &[u8]) -> Vec<u8> {
    // Incoming, with attributes: interface index and media type.
    join(&[b"MGC", &[0x81, 0, 9, 1, 4, 0, 0, 0, 77, 3, 1, 14], frame])
}

/// Juniper's header in front of an IP datagram from which the link layer was removed (link type 178).
#[must_use]
pub fn juniper_ip(datagram: &[u8]) -> Vec<u8> {
    let family = address_family(Inet6::FreeBsd, datagram);
    join(&[b"MGC", &[0x02], &family.to_le_bytes(), datagram])
}
