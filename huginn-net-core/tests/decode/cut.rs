//! Frames that end early: cut by the capture, or sent like that.

use huginn_net_core::{Frame, LinkType, Packet, Undecoded};
use testkit::capture::Endian;
use testkit::encap::link::{self, Tag, Wifi};
use testkit::encap::tunnel::{self, Gre};
use testkit::encap::{bridge, captured};
use testkit::packet::{Extension, IpHeader, Ipv4, Tcp, Udp};

use crate::{cut, header4, header6, refused, refused_cut, syn};

/// A frame of each kind without payload, and its link type.
fn frames() -> Vec<(Vec<u8>, LinkType)> {
    let (four, six) = (header4().options(&[1; 4]).tcp(&syn()), header6().tcp(&syn()));
    let extended = header6()
        .extensions([Extension::HopByHop(vec![1, 4]), Extension::Authentication(vec![0; 12])])
        .udp(&Udp::new(1, 2, b""));
    let outer = Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2]);
    let inner = link::ethernet(&four);
    vec![
        (link::ethernet(&four), LinkType::ETHERNET),
        (link::vlan(&[Tag::service(1), Tag::vlan(2)], &six), LinkType::ETHERNET),
        (link::llc_snap(&four), LinkType::ETHERNET),
        (link::pppoe(&six), LinkType::ETHERNET),
        (link::mpls(&[1, 2], &four), LinkType::ETHERNET),
        (link::cisco_metadata(&four), LinkType::ETHERNET),
        (link::sll(&four), LinkType::LINUX_SLL),
        (link::sll2(&six), LinkType::LINUX_SLL2),
        (link::openbsd_loop(&four), LinkType::LOOP),
        (link::ppp(&four), LinkType::PPP),
        (link::ppp_ether(&four), LinkType::PPP_ETHER),
        (link::cisco_hdlc(link::HdlcAddress::Unicast, &four), LinkType::PPP_HDLC),
        (link::pflog(61, link::Inet6::FreeBsd, &four), LinkType::PFLOG),
        (
            link::wifi(Wifi { qos: true, four_addresses: true, ..Wifi::default() }, &four),
            LinkType::IEEE802_11,
        ),
        (link::radiotap(false, &link::wifi(Wifi::default(), &six)), LinkType::IEEE802_11_RADIOTAP),
        (extended.clone(), LinkType::IPV6),
        (tunnel::ip_in_ip(&outer, &six), LinkType::RAW),
        (Gre { checksum: true, key: Some(1), sequence: Some(2) }.ip(&outer, &extended), LinkType::RAW),
        (tunnel::erspan_ii(&outer, &inner), LinkType::RAW),
        (tunnel::erspan_iii(&outer, true, &inner), LinkType::RAW),
        (bridge::pbb(5, &inner), LinkType::ETHERNET),
        (bridge::vn_tag(0x0800, &four), LinkType::ETHERNET),
        (bridge::e_tag(0x86dd, &six), LinkType::ETHERNET),
        (bridge::fabric_path(&inner), LinkType::ETHERNET),
        (bridge::trill(2, &inner), LinkType::ETHERNET),
        (bridge::nsh_ethernet(&inner), LinkType::ETHERNET),
        (tunnel::ether_ip(&outer, &inner), LinkType::RAW),
        (tunnel::mpls_in_ip(&outer, &[1], &six), LinkType::RAW),
        (tunnel::pptp(&outer, true, &four), LinkType::RAW),
        (link::frame_relay(&four), LinkType::FRELAY),
        (link::token_ring(6, 0x0800, &four), LinkType::TOKEN_RING),
        (link::fddi(0x86dd, &six), LinkType::FDDI),
        (link::ppp_with_direction(true, &four), LinkType::PPP_PPPD),
        (link::label_stack(&[1, 2], &six), LinkType::MPLS),
        (captured::prism(&link::wifi(Wifi::default(), &four)), LinkType::IEEE802_11_PRISM),
        (captured::avs(&link::wifi(Wifi::default(), &four)), LinkType::IEEE802_11_AVS),
        (captured::ppi(1, false, &inner), LinkType::PPI),
        (captured::pktap(1, 0, &inner), LinkType::PKTAP),
        (captured::nflog(Endian::Big, &four), LinkType::NFLOG),
        (captured::enc(Endian::Little, link::Inet6::FreeBsd, &six), LinkType::ENC),
        (captured::juniper(&inner), LinkType::JUNIPER_ETHERNET),
    ]
}

#[test]
fn a_frame_cut_by_the_capture_anywhere_in_its_headers_is_cut_and_never_malformed() {
    for (frame, link_type) in frames() {
        let whole = Packet::decode(&Frame::new(&frame, link_type)).expect("a packet");
        assert_eq!(whole.payload(), []);
        for len in 0..frame.len() {
            let reason = refused_cut(&frame, len, link_type);
            assert_eq!(
                reason,
                Some(Undecoded::Cut),
                "{link_type} {:?} of {len} bytes",
                whole.layout().path()
            );
        }
    }
}

#[test]
fn a_frame_as_short_as_it_was_sent_is_malformed_and_never_cut() {
    for (frame, link_type) in frames() {
        for len in 0..frame.len() {
            let reason = refused(&frame[..len], link_type).expect("a header is missing");
            assert_ne!(reason, Undecoded::Cut, "{link_type} of {len} bytes");
            assert!(reason.is_malformed(), "{reason:?}: {link_type} of {len} bytes");
        }
    }
}

#[test]
fn a_payload_that_the_capture_cut_is_given_as_far_as_it_goes() {
    let datagram = header4().tcp(&syn().payload(&[7; 100]));
    for kept in [0, 1, 99, 100] {
        let frame = cut(&datagram, datagram.len() - 100 + kept, LinkType::RAW);
        let packet = Packet::decode(&frame).expect("a packet");
        assert_eq!(packet.payload().len(), kept);
        assert_eq!(packet.layout().is_cut(), kept < 100);
    }
}

#[test]
fn a_frame_cut_within_its_padding_is_whole() {
    let mut frame = link::ethernet(&header4().tcp(&Tcp::new(1, 2)));
    frame.resize(57, 0);
    let frame = Frame { wire_len: 60, ..Frame::new(&frame, LinkType::ETHERNET) };
    let packet = Packet::decode(&frame).expect("a packet");
    assert!(!packet.layout().is_cut());
    assert_eq!(packet.payload(), []);
}
