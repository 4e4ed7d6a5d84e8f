//! Tunnels and address spaces.

use std::collections::BTreeSet;

use huginn_net_core::{Frame, LinkType, Packet, Undecoded};
use testkit::encap::link::{self, Wifi};
use testkit::encap::tunnel::{self, Gre};
use testkit::packet::{IpHeader, Ipv4, Udp, protocol};

use crate::{header4, header6, refused, syn};

/// The address space of a packet.
fn domain(datagram: &[u8]) -> u64 {
    let packet = Packet::decode(&Frame::new(datagram, LinkType::RAW)).expect("a packet");
    assert!(packet.tcp().is_some());
    packet.layout().domain()
}

#[test]
fn tunnels_without_an_identifier_are_told_apart_by_their_ends_whichever_way_a_packet_goes() {
    let (there, back) = (Ipv4::new([1, 1, 1, 1], [2, 2, 2, 2]), Ipv4::new([2, 2, 2, 2], [1, 1, 1, 1]));
    let elsewhere = Ipv4::new([1, 1, 1, 3], [2, 2, 2, 2]);
    let inside = header4().tcp(&syn());
    type Wrap = fn(&Ipv4, &[u8]) -> Vec<u8>;
    let wraps: [Wrap; 3] = [
        |outer, inside| tunnel::ip_in_ip(outer, inside),
        |outer, inside| Gre::default().ip(outer, inside),
        |outer, inside| {
            // Each direction has an endpoint identifier of its own.
            let endpoint = u32::from(outer.tcp(&syn())[12]);
            tunnel::GtpU::default().ip(outer, endpoint, inside)
        },
    ];
    for wrap in wraps {
        assert_ne!(domain(&wrap(&there, &inside)), 0);
        assert_eq!(domain(&wrap(&there, &inside)), domain(&wrap(&back, &inside)));
        assert_ne!(domain(&wrap(&there, &inside)), domain(&wrap(&elsewhere, &inside)));
    }
}

/// Under multiplication by a fixed number, as it was done once, the first two are the same.
#[test]
fn keys_of_nested_tunnels_cannot_be_chosen_to_meet_in_one_address_space() {
    let of_key = |key, inside: &[u8]| Gre { key: Some(key), ..Gre::default() }.ip(&header4(), inside);
    let nested = |outer, inner| domain(&of_key(outer, &of_key(inner, &header4().tcp(&syn()))));
    let pairs = [(1, 5), (2_971_215_074, 51_053_210), (5, 1), (1, 1), (5, 5)];
    let domains: BTreeSet<_> = pairs.into_iter().map(|(outer, inner)| nested(outer, inner)).collect();
    assert_eq!(domains.len(), pairs.len());
}

#[test]
fn the_flow_id_of_nvgre_is_no_part_of_the_address_space() {
    let frame = link::ethernet(&header4().tcp(&syn()));
    let of_key = |key| domain(&Gre { key: Some(key), ..Gre::default() }.ethernet(&header4(), &frame));
    assert_eq!(of_key(0x0050_0011), of_key(0x0050_0022));
    assert_ne!(of_key(0x0050_0011), of_key(0x0051_0011));
}

#[test]
fn both_directions_of_a_tunnel_are_in_one_address_space_and_two_networks_in_two() {
    let frame = link::ethernet(&header4().tcp(&syn()));
    let (there, back) =
        (Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2]), Ipv4::new([192, 0, 2, 2], [192, 0, 2, 1]));
    let domain = |datagram: &[u8]| {
        Packet::decode(&Frame::new(datagram, LinkType::RAW)).expect("a packet").layout().domain()
    };
    let vxlan = |outer, network| domain(&tunnel::vxlan(outer, tunnel::VXLAN_PORT, network, &frame));
    assert_eq!(vxlan(&there, 5), vxlan(&back, 5));
    assert_ne!(vxlan(&there, 5), vxlan(&there, 6));
    let inner = header4().tcp(&syn());
    let gtp = |outer, endpoint| domain(&tunnel::GtpU::default().ip(outer, endpoint, &inner));
    assert_eq!(gtp(&there, 5), gtp(&back, 6), "each end of a GTP-U tunnel chooses its own identifier");
}

#[test]
fn reserved_bits_of_overlays_are_ignored() {
    let frame = link::ethernet(&header4().tcp(&syn()));
    let vxlan = tunnel::vxlan(&header4(), 4789, 5, &frame);
    let geneve = tunnel::Geneve::default().ethernet(&header4(), &frame);
    // IPv4 and UDP take 28 bytes.
    for (datagram, at, value) in
        [(&vxlan, 28, 0x0c), (&vxlan, 29, 1), (&vxlan, 35, 1), (&geneve, 29, 1), (&geneve, 35, 1)]
    {
        let mut datagram = datagram.clone();
        datagram[at] |= value;
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        assert!(packet.tcp().is_some(), "byte {at}");
    }
}

#[test]
fn a_datagram_to_the_port_of_an_overlay_that_carries_none_is_plain_udp() {
    let datagram = header4().udp(&Udp::new(53, 4789, &[0x88; 40]));
    let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
    assert_eq!(packet.udp().unwrap().destination_port(), 4789);
}

#[test]
fn ports_of_tunnels_carry_ordinary_datagrams_too() {
    for port in [4789, 8472, 6081, 2152, 3544] {
        for payload in [
            &b""[..],
            b"\0",
            b"not a tunnel, but more than any header of one",
            &[0xff; 60],
            &[0; 7],
            &[0; 60],
        ] {
            let datagram = header4().udp(&Udp::new(port, port, payload));
            let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
            assert_eq!(packet.udp().unwrap().payload(), payload, "{port}");
            assert!(packet.layout().path().is_empty());
        }
    }
}

#[test]
fn trailers_behind_a_teredo_packet_are_passed_over_and_other_bytes_are_not() {
    let inside = header6().tcp(&syn());
    for (behind, is_teredo) in [(&[4, 4, 1, 2, 3, 4][..], true), (&[4, 9, 1], false)] {
        let payload = [&inside[..], behind].concat();
        let datagram = header4().udp(&Udp::new(3544, 3544, &payload));
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        assert_eq!(packet.tcp().is_some(), is_teredo);
    }
}

#[test]
fn four_tunnels_are_passed_and_a_fifth_is_too_deep() {
    let mut datagram = header4().tcp(&syn());
    for depth in 1..=5 {
        datagram = tunnel::ip_in_ip(&header4(), &datagram);
        let expected = (depth == 5).then_some(Undecoded::TooDeep);
        assert_eq!(refused(&datagram, LinkType::RAW), expected, "{depth}");
    }
}

#[test]
fn malformed_headers_of_links_and_tunnels_are_told_apart_from_other_protocols() {
    let datagram = header4().tcp(&syn());
    // GRE with source routing (RFC 1701), or of a version never defined.
    for flags in [0x40, 0x08, 0x04] {
        let gre = header4().carry(protocol::GRE, &[&[flags, 0, 0x08, 0], &datagram[..]].concat());
        assert_eq!(refused(&gre, LinkType::RAW), Some(Undecoded::Encapsulation), "{flags:#x}");
    }
    let gre = header4().carry(protocol::GRE, &[&[0, 2, 0x08, 0], &datagram[..]].concat());
    assert_eq!(refused(&gre, LinkType::RAW), Some(Undecoded::Encapsulation));
    let mut pppoe = link::ppp_ether(&datagram);
    pppoe[0] = 0x21;
    assert_eq!(refused(&pppoe, LinkType::PPP_ETHER), Some(Undecoded::Encapsulation));
    let mut radiotap = link::radiotap(false, &link::wifi(Wifi::default(), &datagram));
    radiotap[0] = 1;
    assert_eq!(refused(&radiotap, LinkType::IEEE802_11_RADIOTAP), Some(Undecoded::Encapsulation));
    // A packet filter header of no length, and an MPLS stack without a bottom.
    assert_eq!(refused(&[0; 64], LinkType::PFLOG), Some(Undecoded::Encapsulation));
    assert_eq!(
        refused(&link::ethernet_of(0x8847, &[0; 4_000]), LinkType::ETHERNET),
        Some(Undecoded::Encapsulation)
    );
}

#[test]
fn an_erspan_header_of_another_version_is_not_read() {
    let frame = link::ethernet(&header4().tcp(&syn()));
    for (datagram, version) in [
        (tunnel::erspan_ii(&header4(), &frame), 1),
        (tunnel::erspan_iii(&header4(), false, &frame), 2),
        (tunnel::erspan_iii(&header4(), true, &frame), 2),
    ] {
        for other in 0..16 {
            let mut datagram = datagram.clone();
            // Behind 20 bytes of IP header, and 8 of GRE with a sequence number.
            datagram[28] = datagram[28] & 0x0f | other << 4;
            let expected = (other != version).then_some(Undecoded::NotIp);
            assert_eq!(refused(&datagram, LinkType::RAW), expected, "{version} {other}");
        }
    }
}

#[test]
fn what_gtp_u_carries_ends_where_its_length_says() {
    let inside = header4().tcp(&syn());
    for (header, fields_len) in
        [(tunnel::GtpU::default(), 0), (tunnel::GtpU { sequence: Some(1), extension: true }, 8)]
    {
        let whole = header.ip(&header4(), 5, &inside);
        let with_length = |length: usize| {
            let mut datagram = whole.clone();
            // Behind 28 bytes of IP and UDP header, and flags and message type.
            datagram[30..32].copy_from_slice(&u16::try_from(length).unwrap().to_be_bytes());
            datagram
        };
        let length = fields_len + inside.len();
        assert_eq!(with_length(length), whole);
        assert_eq!(refused(&whole, LinkType::RAW), None);
        assert_eq!(refused(&with_length(length - 1), LinkType::RAW), Some(Undecoded::IpLength));
        // A length that ends before what is carried, or behind the datagram, is none of this protocol.
        for other in [length + 1, fields_len.saturating_sub(1)].into_iter().filter(|&other| other != 0) {
            let datagram = with_length(other);
            let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
            assert_eq!(packet.udp().map(|udp| udp.destination_port()), Some(2152), "{other}");
        }
    }
}
