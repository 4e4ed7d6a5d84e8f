//! Frames of every link type that captures come with. Each function takes an IP datagram and says which
//! `LINKTYPE_` number its result belongs to.

pub mod rare;
mod wireless;

use super::{ether_type, ether_type_of, join, ppp_protocol_of};
use crate::capture::Endian;

pub use self::wireless::{LengthOrder, Wifi, radiotap, wifi, wifi_aggregate, wifi_big_endian, wifi_of};

/// `LINKTYPE_` numbers.
pub mod link_type {
    /// BSD loopback, host byte order.
    pub const NULL: u16 = 0;
    /// Ethernet.
    pub const ETHERNET: u16 = 1;
    /// PPP.
    pub const PPP: u16 = 9;
    /// Token ring.
    pub const TOKEN_RING: u16 = 6;
    /// FDDI.
    pub const FDDI: u16 = 10;
    /// LLC over ATM.
    pub const ATM_RFC1483: u16 = 100;
    /// Frame relay.
    pub const FRELAY: u16 = 107;
    /// IP over a serial line.
    pub const SLIP: u16 = 8;
    /// IP over Fibre Channel.
    pub const IP_OVER_FC: u16 = 122;
    /// ATM of Solaris.
    pub const SUNATM: u16 = 123;
    /// IP over IEEE 1394.
    pub const APPLE_IP_OVER_IEEE1394: u16 = 138;
    /// IP of Solaris.
    pub const IPNET: u16 = 226;
    /// IP over InfiniBand.
    pub const IPOIB: u16 = 242;
    /// Ethernet with its preamble.
    pub const ETHERNET_MPACKET: u16 = 274;
    /// Ethernet with a tag of Broadcom.
    pub const DSA_TAG_BRCM: u16 = 281;
    /// Ethernet behind a tag of Broadcom.
    pub const DSA_TAG_BRCM_PREPEND: u16 = 282;
    /// Ethernet with a tag of Marvell.
    pub const DSA_TAG_DSA: u16 = 284;
    /// Ethernet with a tag of Marvell and its EtherType.
    pub const DSA_TAG_EDSA: u16 = 285;
    /// IPsec on BSD.
    pub const ENC: u16 = 109;
    /// Prism header and 802.11.
    pub const IEEE802_11_PRISM: u16 = 119;
    /// AVS header and 802.11.
    pub const IEEE802_11_AVS: u16 = 163;
    /// Direction and PPP, as pppd gives it.
    pub const PPP_PPPD: u16 = 166;
    /// Juniper's header and Ethernet.
    pub const JUNIPER_ETHERNET: u16 = 178;
    /// PPI header and any frame.
    pub const PPI: u16 = 192;
    /// Endace's record.
    pub const ERF: u16 = 197;
    /// Direction and PPP.
    pub const PPP_WITH_DIR: u16 = 204;
    /// MPLS.
    pub const MPLS: u16 = 219;
    /// Linux netfilter log.
    pub const NFLOG: u16 = 239;
    /// netANALYZER header and Ethernet.
    pub const NETANALYZER: u16 = 240;
    /// netANALYZER header, preamble and Ethernet.
    pub const NETANALYZER_TRANSPARENT: u16 = 241;
    /// Apple's header and any frame.
    pub const PKTAP: u16 = 258;
    /// Raw IP, as some systems number it.
    pub const RAW_12: u16 = 12;
    /// Raw IP, as OpenBSD numbers it.
    pub const RAW_14: u16 = 14;
    /// PPP in HDLC-like framing or Cisco HDLC.
    pub const PPP_SERIAL: u16 = 50;
    /// PPPoE session.
    pub const PPP_ETHER: u16 = 51;
    /// Raw IP.
    pub const RAW: u16 = 101;
    /// Cisco HDLC.
    pub const C_HDLC: u16 = 104;
    /// 802.11.
    pub const IEEE802_11: u16 = 105;
    /// OpenBSD loopback, network byte order.
    pub const LOOP: u16 = 108;
    /// Linux cooked capture.
    pub const LINUX_SLL: u16 = 113;
    /// OpenBSD packet filter log.
    pub const PFLOG: u16 = 117;
    /// Radiotap and 802.11.
    pub const IEEE802_11_RADIOTAP: u16 = 127;
    /// Raw IPv4.
    pub const IPV4: u16 = 228;
    /// Raw IPv6.
    pub const IPV6: u16 = 229;
    /// Linux cooked capture, version 2.
    pub const LINUX_SLL2: u16 = 276;
}

/// MAC address every wrapping sends to.
pub const DESTINATION_MAC: [u8; 6] = [2, 0, 0, 0, 0, 2];
/// MAC address every wrapping sends from.
pub const SOURCE_MAC: [u8; 6] = [2, 0, 0, 0, 0, 1];

/// One VLAN tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag {
    /// EtherType that announces the tag, such as [`ether_type::VLAN`].
    pub tpid: u16,
    /// Priority (3 bits), drop eligible (1), VLAN id (12).
    pub tci: u16,
}

impl Tag {
    /// An 802.1Q tag of priority 0.
    #[must_use]
    pub fn vlan(id: u16) -> Self {
        Self { tpid: ether_type::VLAN, tci: id }
    }

    /// An 802.1ad service tag of priority 0.
    #[must_use]
    pub fn service(id: u16) -> Self {
        Self { tpid: ether_type::SERVICE_VLAN, tci: id }
    }
}

/// Ethernet II (link type 1).
#[must_use]
pub fn ethernet(datagram: &[u8]) -> Vec<u8> {
    ethernet_of(ether_type_of(datagram), datagram)
}

/// Ethernet II around anything (link type 1).
#[must_use]
pub fn ethernet_of(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    join(&[&DESTINATION_MAC, &SOURCE_MAC, &ether_type.to_be_bytes(), payload])
}

/// Ethernet II with VLAN tags, outermost first (link type 1).
#[must_use]
pub fn vlan(tags: &[Tag], datagram: &[u8]) -> Vec<u8> {
    push_tags(tags, &ethernet(datagram))
}

/// An Ethernet frame with VLAN tags put in behind its addresses, outermost first (link type 1).
#[must_use]
pub fn push_tags(tags: &[Tag], frame: &[u8]) -> Vec<u8> {
    let mut tagged = frame[..12].to_vec();
    for tag in tags {
        tagged.extend(tag.tpid.to_be_bytes());
        tagged.extend(tag.tci.to_be_bytes());
    }
    tagged.extend(&frame[12..]);
    tagged
}

/// 802.3 with LLC and SNAP headers (link type 1).
#[must_use]
pub fn llc_snap(datagram: &[u8]) -> Vec<u8> {
    let body = snap(ether_type_of(datagram), datagram);
    ethernet_of(body.len() as u16, &body)
}

/// LLC and SNAP headers (RFC 1042).
fn snap(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    join(&[&[0xaa, 0xaa, 0x03, 0, 0, 0], &ether_type.to_be_bytes(), payload])
}

/// PPPoE session on Ethernet (RFC 2516; link type 1).
#[must_use]
pub fn pppoe(datagram: &[u8]) -> Vec<u8> {
    ethernet_of(ether_type::PPPOE_SESSION, &ppp_ether(datagram))
}

/// PPPoE session without Ethernet (RFC 2516; link type 51).
#[must_use]
pub fn ppp_ether(datagram: &[u8]) -> Vec<u8> {
    let length = (2 + datagram.len()) as u16;
    join(&[
        &[0x11, 0x00, 0x12, 0x34],
        &length.to_be_bytes(),
        &ppp_protocol_of(datagram).to_be_bytes(),
        datagram,
    ])
}

/// MPLS on Ethernet with a stack of labels, outermost first (RFC 3032; link type 1).
#[must_use]
pub fn mpls(labels: &[u32], datagram: &[u8]) -> Vec<u8> {
    ethernet_of(ether_type::MPLS, &label_stack(labels, datagram))
}

/// A stack of MPLS labels, outermost first, around anything (RFC 3032; link type 219).
#[must_use]
pub fn label_stack(labels: &[u32], payload: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        assert!(*label < 1 << 20, "an MPLS label has twenty bits");
        let bottom = u32::from(index + 1 == labels.len());
        body.extend((label << 12 | bottom << 8 | 64).to_be_bytes());
    }
    body.extend(payload);
    body
}

/// Cisco metadata (a security group tag) on Ethernet (link type 1).
#[must_use]
pub fn cisco_metadata(datagram: &[u8]) -> Vec<u8> {
    // Version 1, one option: type 1 with a tag of two bytes.
    let header = [1, 1, 0x00, 0x01, 0x00, 0x64];
    let body = join(&[&header, &ether_type_of(datagram).to_be_bytes(), datagram]);
    ethernet_of(ether_type::CISCO_METADATA, &body)
}

/// Linux cooked capture (link type 113).
#[must_use]
pub fn sll(datagram: &[u8]) -> Vec<u8> {
    sll_of(ether_type_of(datagram), datagram)
}

/// Linux cooked capture around anything that has an EtherType (link type 113).
#[must_use]
pub fn sll_of(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    // Packet type "to us", ARPHRD_ETHER, an address of six bytes in a field of eight.
    let header = [&[0, 0, 0, 1, 0, 6][..], &SOURCE_MAC, &[0, 0]].concat();
    join(&[&header, &ether_type.to_be_bytes(), payload])
}

/// Linux cooked capture, version 2 (link type 276).
#[must_use]
pub fn sll2(datagram: &[u8]) -> Vec<u8> {
    sll2_of(ether_type_of(datagram), datagram)
}

/// Linux cooked capture, version 2, around anything that has an EtherType (link type 276).
#[must_use]
pub fn sll2_of(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    // Reserved, interface 2, ARPHRD_ETHER, packet type, address length, address in a field of eight.
    let rest = [&[0, 0, 0, 0, 0, 2, 0, 1, 0, 6][..], &SOURCE_MAC, &[0, 0]].concat();
    join(&[&ether_type.to_be_bytes(), &rest, payload])
}

/// The number by which the system that wrote a [`null`] or [`pflog`] header knows IPv6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inet6 {
    /// 24: NetBSD, OpenBSD, BSD/OS.
    NetBsd = 24,
    /// 28: FreeBSD, DragonFly.
    FreeBsd = 28,
    /// 30: macOS, iOS.
    Darwin = 30,
}

pub(super) fn address_family(inet6: Inet6, datagram: &[u8]) -> u32 {
    if ether_type_of(datagram) == ether_type::IPV4 { 2 } else { inet6 as u32 }
}

/// BSD loopback in the byte order of the host that captured (link type 0).
#[must_use]
pub fn null(endian: Endian, inet6: Inet6, datagram: &[u8]) -> Vec<u8> {
    join(&[&endian.u32(address_family(inet6, datagram)), datagram])
}

/// OpenBSD loopback (link type 108).
#[must_use]
pub fn openbsd_loop(datagram: &[u8]) -> Vec<u8> {
    null(Endian::Big, Inet6::NetBsd, datagram)
}

/// PPP without framing: the protocol number comes first (link type 9).
#[must_use]
pub fn ppp(datagram: &[u8]) -> Vec<u8> {
    join(&[&ppp_protocol_of(datagram).to_be_bytes(), datagram])
}

/// PPP behind a byte for the direction (link type 204), which stands in place of the address with `pppd` (link type 166).
#[must_use]
pub fn ppp_with_direction(pppd: bool, datagram: &[u8]) -> Vec<u8> {
    let front: &[u8] = if pppd { &[1, 0x03] } else { &[1, 0xff, 0x03] };
    join(&[front, &ppp(datagram)])
}

/// LLC over ATM (RFC 2684 §5.1; link type 100).
#[must_use]
pub fn atm(datagram: &[u8]) -> Vec<u8> {
    snap(ether_type_of(datagram), datagram)
}

/// An Ethernet frame bridged over ATM, without its check sequence (RFC 2684 §5.2; link type 100).
#[must_use]
pub fn atm_bridged(frame: &[u8]) -> Vec<u8> {
    join(&[&[0xaa, 0xaa, 0x03, 0x00, 0x80, 0xc2, 0x00, 0x07, 0, 0], frame])
}

/// Frame relay (RFC 2427 §4; link type 107).
#[must_use]
pub fn frame_relay(datagram: &[u8]) -> Vec<u8> {
    let nlpid = if ether_type_of(datagram) == ether_type::IPV4 { 0xcc } else { 0x8e };
    // Address 16, control, NLPID.
    join(&[&[0x04, 0x01, 0x03, nlpid], datagram])
}

/// Frame relay of Cisco's kind around anything that has an EtherType (link type 107).
#[must_use]
pub fn frame_relay_cisco(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    join(&[&[0x18, 0x41], &ether_type.to_be_bytes(), payload])
}

/// Token ring, with a route of so many bytes or without (link type 6).
#[must_use]
pub fn token_ring(route_len: u8, ether_type: u16, payload: &[u8]) -> Vec<u8> {
    let mut source = SOURCE_MAC;
    let mut route = vec![0x5a; route_len.into()];
    if let Some(first) = route.first_mut() {
        source[0] |= 0x80;
        *first = 0xc0 | route_len;
    }
    join(&[&[0x10, 0x40], &DESTINATION_MAC, &source, &route, &snap(ether_type, payload)])
}

/// FDDI (link type 10).
#[must_use]
pub fn fddi(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    join(&[&[0x51], &DESTINATION_MAC, &SOURCE_MAC, &snap(ether_type, payload)])
}

/// PPP in HDLC-like framing, address and control in front (RFC 1662; link types 9 and 50).
#[must_use]
pub fn ppp_hdlc(datagram: &[u8]) -> Vec<u8> {
    join(&[&[0xff, 0x03], &ppp(datagram)])
}

/// The address byte of Cisco HDLC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HdlcAddress {
    /// To one station.
    Unicast = 0x0f,
    /// To all.
    Broadcast = 0x8f,
}

/// Cisco HDLC (RFC 1547 §4.3.1; link types 104 and 50).
#[must_use]
pub fn cisco_hdlc(address: HdlcAddress, datagram: &[u8]) -> Vec<u8> {
    cisco_hdlc_of(address, ether_type_of(datagram), datagram)
}

/// Cisco HDLC around anything that has an EtherType (link types 104 and 50).
#[must_use]
pub fn cisco_hdlc_of(address: HdlcAddress, ether_type: u16, payload: &[u8]) -> Vec<u8> {
    join(&[&[address as u8, 0], &ether_type.to_be_bytes(), payload])
}

/// OpenBSD packet filter log (link type 117).
///
/// `header_len` is what its first byte says: 48, 61, 64, 69, 72 and 100 have been in use. The
/// datagram follows at the next multiple of four.
#[must_use]
pub fn pflog(header_len: u8, inet6: Inet6, datagram: &[u8]) -> Vec<u8> {
    assert!(header_len >= 48, "no packet filter log has had a shorter header");
    let mut frame = vec![header_len, address_family(inet6, datagram) as u8, 0, 0];
    frame.extend(b"em0");
    frame.resize(usize::from(header_len).next_multiple_of(4), 0);
    frame.extend(datagram);
    frame
}

/// The check sequence of Ethernet and 802.11 frames.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATAGRAM: [u8; 4] = [0x45, 1, 2, 3];

    #[test]
    fn length_fields_count_what_follows_them() {
        assert_eq!(llc_snap(&DATAGRAM)[12..14], [0, 8 + 4]);
        assert_eq!(ppp_ether(&DATAGRAM)[4..8], [0, 2 + 4, 0x00, 0x21]);
    }

    #[test]
    fn only_the_last_label_is_the_bottom_of_the_stack() {
        assert_eq!(mpls(&[16, 17], &DATAGRAM)[14..22], [0, 1, 0, 64, 0, 1, 0x11, 64]);
    }

    #[test]
    fn tags_go_behind_the_addresses() {
        let tagged = vlan(&[Tag::service(7), Tag::vlan(100)], &DATAGRAM);
        assert_eq!(tagged[12..22], [0x88, 0xa8, 0, 7, 0x81, 0, 0, 100, 0x08, 0x00]);
    }

    #[test]
    fn headers_of_loopbacks_follow_the_byte_order() {
        assert_eq!(null(Endian::Little, Inet6::Darwin, &[0x60])[..4], [30, 0, 0, 0]);
        assert_eq!(null(Endian::Big, Inet6::FreeBsd, &[0x60])[..4], [0, 0, 0, 28]);
        assert_eq!(openbsd_loop(&DATAGRAM)[..4], [0, 0, 0, 2]);
    }

    #[test]
    fn packet_filter_logs_are_padded_to_words() {
        for (header_len, datagram_at) in [(48, 48), (61, 64), (64, 64), (69, 72)] {
            let frame = pflog(header_len, Inet6::NetBsd, &DATAGRAM);
            assert_eq!((frame[0], &frame[datagram_at..]), (header_len, &DATAGRAM[..]));
        }
    }

    #[test]
    fn check_sequence_is_that_of_the_published_example() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
