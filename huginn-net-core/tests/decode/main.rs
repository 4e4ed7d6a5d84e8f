//! Packets built field by field and read back, and every reason for which a frame gives none.

#![cfg(test)]

mod bridges;
mod captured;
mod capwap;
mod cut;
mod fields;
mod lengths;
mod links;
mod tunnels;
mod wireless;

use huginn_net_core::{Decoder, Frame, LinkType, Packet, Undecoded};
use testkit::encap::link;
use testkit::packet::{IpHeader, Ipv4, Ipv6, Tcp};

fn header4() -> Ipv4 {
    Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2])
}

fn header6() -> Ipv6 {
    Ipv6::new([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], [0x2001, 0xdb8, 0, 0, 0, 0, 0, 2])
}

fn syn() -> Tcp {
    Tcp::new(40_000, 80).options([testkit::packet::TcpOption::Mss(1_460)])
}

/// Why a frame of this link type gives no packet.
fn refused(bytes: &[u8], link_type: LinkType) -> Option<Undecoded> {
    Packet::decode(&Frame::new(bytes, link_type)).err()
}

/// A frame of which the capture kept `len` bytes.
fn cut(frame: &[u8], len: usize, link_type: LinkType) -> Frame<'_> {
    Frame { bytes: &frame[..len], ..Frame::new(frame, link_type) }
}

/// Why the first `len` bytes of a frame that the capture cut give no packet.
fn refused_cut(frame: &[u8], len: usize, link_type: LinkType) -> Option<Undecoded> {
    Packet::decode(&cut(frame, len, link_type)).err()
}

#[test]
fn every_frame_that_gives_no_packet_is_counted_once_under_its_reason() {
    let mut decoder = Decoder::default();
    let arp = link::ethernet_of(0x0806, &[0; 28]);
    let tcp = link::ethernet(&header4().tcp(&syn()));
    for frame in [&arp, &tcp, &arp, &tcp[..20].to_vec()] {
        let _ = decoder.decode(&Frame::new(frame, LinkType::ETHERNET));
    }
    let stats = decoder.stats();
    assert_eq!(stats.decoded, 1);
    assert_eq!(stats.undecoded, [(Undecoded::NotIp, 2), (Undecoded::IpLength, 1)]);
}
