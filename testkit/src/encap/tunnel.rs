//! Tunnels: an IP datagram or an Ethernet frame inside another IP datagram.
//!
//! `outer` is the header of the result: an `Ipv4` or an `Ipv6` of [`crate::packet`].

use super::{ether_type, ether_type_of, join};
use crate::packet::{IpHeader, Udp, checksum, protocol};

/// UDP port of VXLAN.
pub const VXLAN_PORT: u16 = 4789;
/// UDP port that Linux gave VXLAN before one was assigned.
pub const OLD_VXLAN_PORT: u16 = 8472;
/// UDP port of Geneve.
pub const GENEVE_PORT: u16 = 6081;
/// UDP port of GTP-U.
pub const GTP_U_PORT: u16 = 2152;
/// UDP port of Teredo.
pub const TEREDO_PORT: u16 = 3544;

/// IP in IP: IPv4 in either (protocol 4, RFC 2003) or IPv6 in either (protocol 41, RFC 4213, RFC 2473).
#[must_use]
pub fn ip_in_ip(outer: &impl IpHeader, datagram: &[u8]) -> Vec<u8> {
    let number = if ether_type_of(datagram) == ether_type::IPV4 { protocol::IPV4 } else { protocol::IPV6 };
    outer.carry(number, datagram)
}

/// The optional fields of a GRE header (RFC 2784, RFC 2890). The default has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gre {
    /// Writes a checksum and the reserved half word.
    pub checksum: bool,
    /// Writes a key.
    pub key: Option<u32>,
    /// Writes a sequence number.
    pub sequence: Option<u32>,
}

impl Gre {
    /// GRE around anything that has an EtherType.
    #[must_use]
    pub fn carry(self, outer: &impl IpHeader, ether_type: u16, payload: &[u8]) -> Vec<u8> {
        let flags = u16::from(self.checksum) << 15
            | u16::from(self.key.is_some()) << 13
            | u16::from(self.sequence.is_some()) << 12;
        let mut packet = flags.to_be_bytes().to_vec();
        packet.extend(ether_type.to_be_bytes());
        if self.checksum {
            packet.extend([0; 4]);
        }
        for field in [self.key, self.sequence].into_iter().flatten() {
            packet.extend(field.to_be_bytes());
        }
        packet.extend(payload);
        if self.checksum {
            let sum = checksum(&[&packet]);
            packet[4..6].copy_from_slice(&sum.to_be_bytes());
        }
        outer.carry(protocol::GRE, &packet)
    }

    /// GRE around an IP datagram.
    #[must_use]
    pub fn ip(self, outer: &impl IpHeader, datagram: &[u8]) -> Vec<u8> {
        self.carry(outer, ether_type_of(datagram), datagram)
    }

    /// GRE around an Ethernet frame (transparent Ethernet bridging).
    #[must_use]
    pub fn ethernet(self, outer: &impl IpHeader, frame: &[u8]) -> Vec<u8> {
        self.carry(outer, ether_type::ETHERNET, frame)
    }
}

/// ERSPAN type I: GRE without a sequence number, and the frame straight behind it.
#[must_use]
pub fn erspan_i(outer: &impl IpHeader, frame: &[u8]) -> Vec<u8> {
    Gre::default().carry(outer, ether_type::ERSPAN, frame)
}

/// ERSPAN type II: GRE with a sequence number, 8 bytes of header, the frame.
#[must_use]
pub fn erspan_ii(outer: &impl IpHeader, frame: &[u8]) -> Vec<u8> {
    let gre = Gre { sequence: Some(1), ..Gre::default() };
    // Version 1, VLAN 0; session 5; port index 1.
    gre.carry(outer, ether_type::ERSPAN, &join(&[&[0x10, 0, 0, 5, 0, 0, 0, 1], frame]))
}

/// ERSPAN type III: GRE with a sequence number, 12 bytes of header, 8 more if `sub_header`, the frame.
#[must_use]
pub fn erspan_iii(outer: &impl IpHeader, sub_header: bool, frame: &[u8]) -> Vec<u8> {
    let gre = Gre { sequence: Some(1), ..Gre::default() };
    // Version 2, VLAN 0; session 5; timestamp; security group; frame type 0, hardware 1, granularity, O bit.
    let header = [0x20, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0x00, 0x10 | u8::from(sub_header)];
    let platform: &[u8] = if sub_header { &[0x04, 0, 0, 0, 0, 0, 0, 0] } else { &[] };
    gre.carry(outer, ether_type::ERSPAN_III, &join(&[&header, platform, frame]))
}

/// VXLAN around an Ethernet frame (RFC 7348), to [`VXLAN_PORT`] or [`OLD_VXLAN_PORT`].
#[must_use]
pub fn vxlan(outer: &impl IpHeader, port: u16, vni: u32, frame: &[u8]) -> Vec<u8> {
    assert!(vni < 1 << 24, "a VXLAN network identifier has 24 bits");
    let header = join(&[&[0x08, 0, 0, 0], &(vni << 8).to_be_bytes()]);
    outer.udp(&Udp::new(49_152, port, &join(&[&header, frame])).checksum(0))
}

/// A Geneve header (RFC 8926 §3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Geneve<'a> {
    /// Virtual network identifier, 24 bits.
    pub vni: u32,
    /// Options as they are written, a multiple of four bytes.
    pub options: &'a [u8],
}

impl Geneve<'_> {
    /// Geneve around anything that has an EtherType.
    #[must_use]
    pub fn carry(self, outer: &impl IpHeader, ether_type: u16, payload: &[u8]) -> Vec<u8> {
        let Self { vni, options } = self;
        assert!(vni < 1 << 24, "a Geneve network identifier has 24 bits");
        assert!(
            options.len() < 256 && options.len().is_multiple_of(4),
            "Geneve options come in words, 63 at most"
        );
        let first = [(options.len() / 4) as u8, 0];
        let packet = join(&[&first, &ether_type.to_be_bytes(), &(vni << 8).to_be_bytes(), options, payload]);
        outer.udp(&Udp::new(49_152, GENEVE_PORT, &packet).checksum(0))
    }

    /// Geneve around an Ethernet frame.
    #[must_use]
    pub fn ethernet(self, outer: &impl IpHeader, frame: &[u8]) -> Vec<u8> {
        self.carry(outer, ether_type::ETHERNET, frame)
    }

    /// Geneve around an IP datagram.
    #[must_use]
    pub fn ip(self, outer: &impl IpHeader, datagram: &[u8]) -> Vec<u8> {
        self.carry(outer, ether_type_of(datagram), datagram)
    }
}

/// The optional part of a GTP-U header (TS 29.281 §5.1). The default has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GtpU {
    /// Writes a sequence number.
    pub sequence: Option<u16>,
    /// Writes a PDU session container, four bytes of extension header.
    pub extension: bool,
}

impl GtpU {
    /// GTP-U around an IP datagram of one tunnel.
    #[must_use]
    pub fn ip(self, outer: &impl IpHeader, teid: u32, datagram: &[u8]) -> Vec<u8> {
        let mut rest = Vec::new();
        if self.sequence.is_some() || self.extension {
            rest.extend(self.sequence.unwrap_or(0).to_be_bytes());
            // No N-PDU number; type of the next extension header: PDU session container.
            rest.extend([0, if self.extension { 0x85 } else { 0 }]);
        }
        if self.extension {
            // One unit of four bytes, the container, no next extension header.
            rest.extend([1, 0x00, 0x09, 0]);
        }
        rest.extend(datagram);
        // Version 1, protocol type GTP; G-PDU.
        let flags = 0x30 | u8::from(self.extension) << 2 | u8::from(self.sequence.is_some()) << 1;
        let length = (rest.len() as u16).to_be_bytes();
        let packet = join(&[&[flags, 255], &length, &teid.to_be_bytes(), &rest]);
        outer.udp(&Udp::new(GTP_U_PORT, GTP_U_PORT, &packet))
    }
}

/// The indications in front of the datagram in Teredo (RFC 4380 §5.1.1). The default has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Teredo {
    /// Writes an authentication with this many bytes of client identifier and as many of check value.
    pub authentication: Option<u8>,
    /// Writes an origin.
    pub origin: bool,
}

impl Teredo {
    /// Teredo around an IPv6 datagram.
    #[must_use]
    pub fn ipv6(self, outer: &impl IpHeader, datagram: &[u8]) -> Vec<u8> {
        assert_eq!(ether_type_of(datagram), ether_type::IPV6, "Teredo carries IPv6 only");
        let mut packet = Vec::new();
        if let Some(len) = self.authentication {
            packet.extend([0, 1, len, len]);
            packet.resize(packet.len() + 2 * usize::from(len), 0x5a);
            // Nonce and confirmation byte.
            packet.extend([0x77; 8]);
            packet.push(0);
        }
        if self.origin {
            // Port and address, every bit turned.
            packet.extend([0, 0, !0x9c, !0x40, !192, !0, !2, !1]);
        }
        packet.extend(datagram);
        outer.udp(&Udp::new(50_000, TEREDO_PORT, &packet))
    }
}

/// Enhanced GRE of PPTP around an IP datagram (RFC 2637 §4.1).
#[must_use]
pub fn pptp(outer: &impl IpHeader, acknowledgment: bool, datagram: &[u8]) -> Vec<u8> {
    let payload = super::link::ppp_hdlc(datagram);
    let length = (payload.len() as u16).to_be_bytes();
    // Key and sequence number present, version 1.
    let flags = [0x30, 0x01 | u8::from(acknowledgment) << 7];
    let rest: &[u8] = if acknowledgment { &[0, 0, 0, 6] } else { &[] };
    let header = join(&[&flags, &[0x88, 0x0b], &length, &[0, 7], &[0, 0, 0, 5], rest]);
    outer.carry(protocol::GRE, &join(&[&header, &payload]))
}

/// WCCP: an IP datagram in GRE, behind a redirect header or not.
#[must_use]
pub fn wccp(outer: &impl IpHeader, redirect: bool, datagram: &[u8]) -> Vec<u8> {
    let header: &[u8] = if redirect { &[0x40, 0, 0, 1] } else { &[] };
    Gre::default().carry(outer, 0x883e, &join(&[header, datagram]))
}

/// EtherIP (RFC 3378).
#[must_use]
pub fn ether_ip(outer: &impl IpHeader, frame: &[u8]) -> Vec<u8> {
    outer.carry(97, &join(&[&[0x30, 0], frame]))
}

/// Ethernet as a protocol of IP, as SRv6 has it (RFC 8986 §10.1).
#[must_use]
pub fn ethernet_in_ip(outer: &impl IpHeader, frame: &[u8]) -> Vec<u8> {
    outer.carry(143, frame)
}

/// MPLS in IP (RFC 4023).
#[must_use]
pub fn mpls_in_ip(outer: &impl IpHeader, labels: &[u32], payload: &[u8]) -> Vec<u8> {
    outer.carry(137, &super::link::label_stack(labels, payload))
}

/// L2TP version 3 over IP around an Ethernet frame, with a cookie of so many bytes and a sublayer or not (RFC 3931).
#[must_use]
pub fn l2tp3(outer: &impl IpHeader, cookie: usize, sublayer: bool, frame: &[u8]) -> Vec<u8> {
    let sublayer: &[u8] = if sublayer { &[0x40, 0, 0, 9] } else { &[] };
    outer.carry(115, &join(&[&[0, 0, 0, 77], &vec![0xc5; cookie], sublayer, frame]))
}

/// A tunnel over UDP: to its port, without a checksum.
fn over_udp(outer: &impl IpHeader, port: u16, header: &[u8], payload: &[u8]) -> Vec<u8> {
    outer.udp(&Udp::new(49_152, port, &join(&[header, payload])).checksum(0))
}

/// The optional fields of an L2TP header (RFC 2661 §3.1). The default has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct L2tp {
    /// Writes a length.
    pub length: bool,
    /// Writes sequence numbers.
    pub sequence: bool,
    /// Writes an offset and as many bytes of padding.
    pub offset: Option<u8>,
}

impl L2tp {
    /// L2TP version 2 around PPP.
    #[must_use]
    pub fn ppp(self, outer: &impl IpHeader, frame: &[u8]) -> Vec<u8> {
        let Self { length, sequence, offset } = self;
        let flags = u8::from(length) << 6 | u8::from(sequence) << 3 | u8::from(offset.is_some()) << 1;
        // Tunnel 5, session 6.
        let mut rest = vec![0, 5, 0, 6];
        if sequence {
            rest.extend([0, 1, 0, 2]);
        }
        if let Some(offset) = offset {
            rest.extend([0, offset]);
            rest.extend(vec![0xee; offset.into()]);
        }
        let mut header = vec![flags, 2];
        if length {
            header.extend(((4 + rest.len() + frame.len()) as u16).to_be_bytes());
        }
        header.extend(rest);
        outer.udp(&Udp::new(1_701, 1_701, &join(&[&header, frame])))
    }
}

/// VXLAN-GPE around what `next` says: 1 IPv4, 2 IPv6, 3 Ethernet, 4 NSH (draft-ietf-nvo3-vxlan-gpe).
#[must_use]
pub fn vxlan_gpe(outer: &impl IpHeader, vni: u32, next: u8, payload: &[u8]) -> Vec<u8> {
    over_udp(outer, 4_790, &join(&[&[0x0c, 0, 0, next], &(vni << 8).to_be_bytes()]), payload)
}

/// GUE of version 0 around a protocol of IP, with optional fields, a multiple of four bytes (draft-ietf-intarea-gue).
#[must_use]
pub fn gue(outer: &impl IpHeader, fields: &[u8], number: u8, payload: &[u8]) -> Vec<u8> {
    assert!(fields.len() < 128 && fields.len().is_multiple_of(4), "fields come in words, 31 at most");
    over_udp(outer, 6_080, &join(&[&[(fields.len() / 4) as u8, number, 0, 0], fields]), payload)
}

/// GUE of version 0 around an IP datagram.
#[must_use]
pub fn gue_ip(outer: &impl IpHeader, datagram: &[u8]) -> Vec<u8> {
    let number = if ether_type_of(datagram) == ether_type::IPV4 { protocol::IPV4 } else { protocol::IPV6 };
    gue(outer, &[], number, datagram)
}

/// GUE of version 1, which is nothing but the port.
#[must_use]
pub fn gue_1(outer: &impl IpHeader, datagram: &[u8]) -> Vec<u8> {
    over_udp(outer, 6_080, &[], datagram)
}

/// GRE with a key over UDP around an IP datagram (RFC 8086).
#[must_use]
pub fn gre_in_udp(outer: &impl IpHeader, datagram: &[u8]) -> Vec<u8> {
    let header = join(&[&[0x20, 0], &ether_type_of(datagram).to_be_bytes(), &[0, 0, 0, 7]]);
    over_udp(outer, 4_754, &header, datagram)
}

/// MPLS over UDP (RFC 7510).
#[must_use]
pub fn mpls_in_udp(outer: &impl IpHeader, labels: &[u32], payload: &[u8]) -> Vec<u8> {
    over_udp(outer, 6_635, &super::link::label_stack(labels, payload), &[])
}

/// LISP of an instance, or of none, around an IP datagram (RFC 9300 §5).
#[must_use]
pub fn lisp(outer: &impl IpHeader, instance: Option<u32>, datagram: &[u8]) -> Vec<u8> {
    // A nonce is present.
    let flags = 0x80 | u8::from(instance.is_some()) << 3;
    let instance = instance.map_or(0xffff_ffff, |instance| instance << 8 | 1);
    over_udp(outer, 4_341, &join(&[&[flags, 1, 2, 3], &instance.to_be_bytes()]), datagram)
}

/// TZSP around a frame of what `encapsulated` says: 1 Ethernet, 18 802.11.
#[must_use]
pub fn tzsp(outer: &impl IpHeader, encapsulated: u16, frame: &[u8]) -> Vec<u8> {
    // Received; then padding, a signal strength of one byte, the end of tags.
    let [high, low] = encapsulated.to_be_bytes();
    over_udp(outer, 37_008, &[1, 0, high, low, 0, 10, 1, 0xc5, 1], frame)
}

/// How a CAPWAP header is made (RFC 5415 §4.3). The default is around a frame of 802.11, with nothing optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capwap {
    /// Around an Ethernet frame.
    pub ethernet: bool,
    /// With the MAC of the radio, and what it knows of the reception.
    pub all_fields: bool,
    /// From the controller to the access point.
    pub from_controller: bool,
}

impl Capwap {
    /// CAPWAP around a frame.
    #[must_use]
    pub fn data(self, outer: &impl IpHeader, frame: &[u8]) -> Vec<u8> {
        self.part(outer, [0; 4], 0, frame)
    }

    /// A frame in packets of CAPWAP with so many bytes of it each, a multiple of 8.
    #[must_use]
    pub fn parts(self, outer: &impl IpHeader, len: usize, frame: &[u8]) -> Vec<Vec<u8>> {
        const IS_PART: u8 = 0x80;
        const IS_LAST: u8 = 0x40;
        assert!(len.is_multiple_of(8), "offsets count in 8 bytes");
        let last = frame.len().div_ceil(len) - 1;
        let parts = frame.chunks(len).enumerate().map(|(number, bytes)| {
            let [high, low] = ((number * len) as u16).to_be_bytes();
            let flags = IS_PART | if number == last { IS_LAST } else { 0 };
            self.part(outer, [0xab, 0xcd, high, low], flags, bytes)
        });
        parts.collect()
    }

    fn part(self, outer: &impl IpHeader, fragment: [u8; 4], flags: u8, payload: &[u8]) -> Vec<u8> {
        const DATA_PORT: u16 = 5_247;
        const IEEE_80211: u8 = 1;
        // Behind lengths of one byte, and padded to multiples of 4.
        let optional: &[u8] =
            if self.all_fields { &[6, 2, 0, 0, 0, 0, 9, 0, 4, 0xc5, 0x19, 0, 0x6c, 0, 0, 0] } else { &[] };
        let words = (8 + optional.len()) as u8 / 4;
        // Length (5 bits), radio 1 (5), kind of network (5), native or not (1), and flags.
        let header = [
            0,
            words << 3,
            0x40 | IEEE_80211 << 1 | u8::from(!self.ethernet),
            flags | if self.all_fields { 0x30 } else { 0 },
        ];
        let ports = if self.from_controller { (DATA_PORT, 49_152) } else { (49_152, DATA_PORT) };
        outer.udp(&Udp::new(ports.0, ports.1, &join(&[&header, &fragment, optional, payload])).checksum(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::Ipv4;

    const DATAGRAM: [u8; 4] = [0x45, 1, 2, 3];

    fn outer() -> Ipv4 {
        Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2])
    }

    #[test]
    fn gre_fields_come_in_the_order_of_their_flags() {
        let all = Gre { checksum: true, key: Some(7), sequence: Some(9) };
        let packet = all.ip(&outer(), &DATAGRAM)[20..].to_vec();
        assert_eq!(packet[..4], [0xb0, 0, 0x08, 0x00]);
        assert_eq!(packet[8..], [0, 0, 0, 7, 0, 0, 0, 9, 0x45, 1, 2, 3]);
        assert_eq!(checksum(&[&packet]), 0);
        assert_eq!(Gre::default().ip(&outer(), &DATAGRAM)[20..], [0, 0, 0x08, 0x00, 0x45, 1, 2, 3]);
    }

    #[test]
    fn gtp_u_length_counts_the_optional_part() {
        let full = GtpU { sequence: Some(3), extension: true }.ip(&outer(), 99, &DATAGRAM);
        assert_eq!(full[28..40], [0x36, 255, 0, 12, 0, 0, 0, 99, 0, 3, 0, 0x85]);
        assert_eq!(full[40..], [1, 0, 9, 0, 0x45, 1, 2, 3]);
        let bare = GtpU::default().ip(&outer(), 99, &DATAGRAM);
        assert_eq!(bare[28..], [0x30, 255, 0, 4, 0, 0, 0, 99, 0x45, 1, 2, 3]);
    }

    #[test]
    fn network_identifiers_stand_in_the_upper_three_bytes() {
        assert_eq!(vxlan(&outer(), VXLAN_PORT, 0x01_0203, &[9])[28..], [8, 0, 0, 0, 1, 2, 3, 0, 9]);
        let geneve = Geneve { vni: 0x01_0203, options: &[0; 8] }.ethernet(&outer(), &[9]);
        assert_eq!(geneve[28..36], [2, 0, 0x65, 0x58, 1, 2, 3, 0]);
        assert_eq!(geneve.len(), 28 + 8 + 8 + 1);
    }

    #[test]
    fn teredo_indications_come_before_the_datagram() {
        let teredo = Teredo { authentication: Some(2), origin: true }.ipv6(&outer(), &[0x60]);
        assert_eq!(teredo[28..32], [0, 1, 2, 2]);
        assert_eq!(teredo[28 + 4 + 4 + 9..][..4], [0, 0, 0x63, 0xbf]);
        assert_eq!(teredo.len(), 28 + (4 + 4 + 9) + 8 + 1);
    }

    #[test]
    fn erspan_iii_says_whether_a_sub_header_follows() {
        assert_eq!(erspan_iii(&outer(), false, &[9])[20 + 8 + 11..], [0x10, 9]);
        assert_eq!(erspan_iii(&outer(), true, &[9])[20 + 8 + 11..], [0x11, 4, 0, 0, 0, 0, 0, 0, 0, 9]);
    }
}
