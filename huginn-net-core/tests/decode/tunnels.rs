//! Tunnels and address spaces.

use std::collections::BTreeSet;

use huginn_net_core::{Frame, LinkType, Packet, Undecoded};
use testkit::encap::link::{self, Wifi};
use testkit::encap::tunnel::{self, Gre};
use testkit::packet::{IpHeader, Ipv4, Udp, protocol};
use testkit::rng::Rng;

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
    let wraps: [Wrap; 11] = [
        |outer, inside| tunnel::ip_in_ip(outer, inside),
        |outer, inside| tunnel::pptp(outer, false, inside),
        |outer, inside| tunnel::ether_ip(outer, &link::ethernet(inside)),
        |outer, inside| tunnel::mpls_in_ip(outer, &[16], inside),
        |outer, inside| tunnel::l2tp3(outer, 4, false, &link::ethernet(inside)),
        |outer, inside| tunnel::L2tp::default().ppp(outer, &link::ppp(inside)),
        |outer, inside| tunnel::gue_1(outer, inside),
        |outer, inside| tunnel::lisp(outer, None, inside),
        |outer, inside| tunnel::mpls_in_udp(outer, &[16], inside),
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
    let gpe = |outer, network| domain(&tunnel::vxlan_gpe(outer, network, 3, &frame));
    assert_eq!(gpe(&there, 5), gpe(&back, 5));
    assert_ne!(gpe(&there, 5), gpe(&there, 6));
    let inner = header4().tcp(&syn());
    let lisp = |outer, instance| domain(&tunnel::lisp(outer, Some(instance), &inner));
    assert_eq!(lisp(&there, 5), lisp(&back, 5));
    assert_ne!(lisp(&there, 5), lisp(&there, 6));
    assert_ne!(lisp(&there, 5), vxlan(&there, 5), "numbers of another kind");
    let gtp = |outer, endpoint| domain(&tunnel::GtpU::default().ip(outer, endpoint, &inner));
    assert_eq!(gtp(&there, 5), gtp(&back, 6), "each end of a GTP-U tunnel chooses its own identifier");
}

#[test]
fn reserved_bits_of_overlays_are_ignored() {
    let frame = link::ethernet(&header4().tcp(&syn()));
    let vxlan = tunnel::vxlan(&header4(), 4789, 5, &frame);
    let geneve = tunnel::Geneve::default().ethernet(&header4(), &frame);
    let gre = Gre::default().ip(&header4(), &header4().tcp(&syn()));
    // IPv4 and UDP take 28 bytes. The bit of GRE announces an acknowledgment number in version 1 alone.
    for (datagram, at, value) in [
        (&vxlan, 28, 0x0c),
        (&vxlan, 29, 1),
        (&vxlan, 35, 1),
        (&geneve, 29, 1),
        (&geneve, 35, 1),
        (&gre, 21, 0x80),
    ] {
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
    for port in [4789, 8472, 6081, 2152, 3544, 1701, 4341, 4754, 4790, 6080, 6635, 37_008] {
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
fn what_only_begins_like_a_tunnel_is_an_ordinary_datagram() {
    let to = |port, payload: &[u8]| is_plain_udp(&header4().udp(&Udp::new(50_000, port, payload)));
    // A first packet of QUIC, whose flags are those of VXLAN, and protected bytes of which look like the length of a frame.
    let initial =
        [&[0xc8, 0, 0, 0, 1, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0x44, 0x9e, 9, 9][..], &[1, 0], &[0x5a; 1_180]];
    for port in [4789, 8472, 4790] {
        to(port, &initial.concat());
    }
    // An EtherType of IP without a packet of its version.
    to(4789, &[&[8, 0, 0, 0, 0, 0, 5, 0][..], &[2; 12], &[8, 0], &[0x60; 60]].concat());
    to(4754, &[&[0, 0, 8, 0][..], &[0x45; 60]].concat());
    to(4754, &[&[0, 0, 0x65, 0x58][..], &[0x77; 60]].concat());
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

#[test]
fn bytes_between_the_end_of_udp_and_that_of_ip_are_not_taken_for_bytes_the_capture_cut() {
    let inside = header4().tcp(&syn());
    let mut datagram = tunnel::GtpU::default().ip(&header4(), 5, &inside);
    // One byte more than there is, as in a tunnel of which the capture cut the end.
    datagram[30..32].copy_from_slice(&u16::try_from(inside.len() + 1).unwrap().to_be_bytes());
    datagram.extend([0; 4]);
    let len = u16::try_from(datagram.len()).unwrap();
    datagram[2..4].copy_from_slice(&len.to_be_bytes());
    is_plain_udp(&datagram);
}

#[test]
fn a_type_of_extension_that_gtp_u_does_not_announce_says_nothing() {
    let header = tunnel::GtpU { sequence: Some(1), extension: false };
    let mut datagram = header.ip(&header4(), 5, &header4().tcp(&syn()));
    // Behind IP, UDP, 8 bytes of header, sequence number and N-PDU number.
    datagram[28 + 8 + 3] = 0x85;
    domain(&datagram);
}

#[test]
fn a_frame_of_llc_in_an_overlay_may_be_filled_up_to_the_shortest_there_is() {
    for (len, is_frame) in [(46, true), (47, false)] {
        let frame = [&[2; 12][..], &[0, 38], &vec![0x42; len]].concat();
        let datagram = tunnel::vxlan(&header4(), tunnel::VXLAN_PORT, 5, &frame);
        assert_eq!(refused(&datagram, LinkType::RAW), is_frame.then_some(Undecoded::NotIp), "{len}");
    }
}

#[test]
fn a_header_of_another_version_or_message_is_none_of_a_tunnel() {
    let inside = header4().tcp(&syn());
    let geneve = tunnel::Geneve::default().ethernet(&header4(), &link::ethernet(&inside));
    let gtp_u = tunnel::GtpU::default().ip(&header4(), 5, &inside);
    // Behind 28 bytes of IP and UDP header. Geneve has its version in the two upper bits, of which 0 is the only one (RFC 8926
    // §3.4); GTP-U in the three upper bits, then the protocol type, and in its second byte that it carries a packet.
    for (datagram, at, other) in [
        (&geneve, 28, geneve[28] | 0x40),
        (&geneve, 28, geneve[28] | 0x80),
        (&gtp_u, 28, 0x20),
        (&gtp_u, 28, 0x50),
        (&gtp_u, 29, 1),
        (&gtp_u, 29, 254),
    ] {
        let mut datagram = datagram.clone();
        assert_eq!(refused(&datagram, LinkType::RAW), None);
        datagram[at] = other;
        is_plain_udp(&datagram);
    }
}

/// What a datagram to the port of a tunnel gives, when nothing of a tunnel is found in it.
#[track_caller]
fn is_plain_udp(datagram: &[u8]) {
    let packet = Packet::decode(&Frame::new(datagram, LinkType::RAW)).expect("a packet");
    assert!(packet.udp().is_some() && packet.layout().path().is_empty(), "{:?}", packet.layout().path());
}

#[test]
fn messages_about_a_tunnel_are_none_in_it() {
    let inside = header4().tcp(&syn());
    let control = |port, header: &[u8]| header4().udp(&Udp::new(port, port, &[header, &inside].concat()));
    // L2TP: control, another version, reserved bits; and the negotiation of PPP.
    is_plain_udp(&control(1701, &[0xc8, 2, 0, 20, 0, 5, 0, 6, 0, 1, 0, 2, 0, 0x21]));
    is_plain_udp(&control(1701, &[0x00, 1, 0, 5, 0, 6, 0, 0x21]));
    is_plain_udp(&control(1701, &[0x10, 2, 0, 5, 0, 6, 0, 0x21]));
    is_plain_udp(&tunnel::L2tp::default().ppp(&header4(), &[0xff, 3, 0xc0, 0x21, 1, 1, 0, 4]));
    // VXLAN-GPE: OAM, another version, no identifier, a protocol that nobody assigned.
    for flags in [[0x0d, 0, 0, 1], [0x1c, 0, 0, 1], [0x04, 0, 0, 1], [0x0c, 0, 0, 99]] {
        is_plain_udp(&control(4790, &[&flags[..], &[0; 4]].concat()));
    }
    // GUE: control, another version, a transport without an IP header.
    for first in [[0x20, 4], [0x80, 4], [0, 6]] {
        is_plain_udp(&control(6080, &[&first[..], &[0, 0]].concat()));
    }
    // GRE with a version or a reserved bit, TZSP that keeps a connection alive.
    is_plain_udp(&control(4754, &[0, 1, 8, 0]));
    is_plain_udp(&control(4754, &[0x40, 0, 8, 0]));
    is_plain_udp(&control(37_008, &[1, 4, 0, 1, 1]));
}

/// Of these 6,000, 7 have the version of IP and a length that fits; of those that are cut, 646.
#[test]
fn random_bytes_on_the_port_of_a_tunnel_that_is_told_by_its_inner_packet_alone_are_none() {
    let mut rng = Rng::new(1);
    for port in [6080, 4341, 6635] {
        for _ in 0..2_000 {
            let payload = rng.bytes(1_000);
            let datagram = header4().udp(&Udp::new(40_000, port, &payload));
            is_plain_udp(&datagram);
            let frame = Frame { bytes: &datagram[..200], ..Frame::new(&datagram, LinkType::RAW) };
            let packet = Packet::decode(&frame).expect("a packet");
            assert!(packet.udp().is_some() && packet.layout().path().is_empty());
        }
    }
}

#[test]
fn a_tunnel_told_by_its_inner_packet_alone_holds_that_packet_and_nothing_else() {
    type Wrap = fn(&[u8]) -> Vec<u8>;
    let wraps: [Wrap; 4] = [
        |inside| tunnel::gue_ip(&header4(), inside),
        |inside| tunnel::gue_1(&header4(), inside),
        |inside| tunnel::lisp(&header4(), None, inside),
        |inside| tunnel::mpls_in_udp(&header4(), &[16], inside),
    ];
    let syn = syn().payload(&[9; 20]);
    for wrap in wraps {
        for inside in [header4().tcp(&syn), header4().checksum(0).tcp(&syn), header6().tcp(&syn)] {
            let whole = wrap(&inside);
            assert!(
                Packet::decode(&Frame::new(&whole, LinkType::RAW)).is_ok_and(|packet| packet.tcp().is_some())
            );
            let frame = Frame { bytes: &whole[..whole.len() - 20], ..Frame::new(&whole, LinkType::RAW) };
            let packet = Packet::decode(&frame).expect("a packet");
            assert!(packet.tcp().is_some() && packet.layout().is_cut());
            // As sent to a card that fills in the lengths of IP and UDP.
            let mut without_lengths = whole.clone();
            without_lengths[2..4].fill(0);
            without_lengths[24..26].fill(0);
            let end = whole.len() - 20;
            let frame =
                Frame { bytes: &without_lengths[..end], ..Frame::new(&without_lengths, LinkType::RAW) };
            assert!(Packet::decode(&frame).expect("a packet").tcp().is_some());
            let padded = wrap(&[&inside[..], &[0]].concat());
            let may_have_padding = inside[0] >> 4 == 4 && inside[10..12] != [0, 0];
            let packet = Packet::decode(&Frame::new(&padded, LinkType::RAW)).expect("a packet");
            assert_eq!(packet.tcp().is_some(), may_have_padding);
            is_plain_udp(&wrap(&inside[..inside.len() - 1]));
        }
        is_plain_udp(&wrap(&[&header4().checksum(0x1234).tcp(&syn)[..], &[0]].concat()));
    }
}

#[test]
fn an_l2tp_server_is_known_by_its_port_whatever_that_of_the_client() {
    let frame = [&[0, 2, 0, 5, 0, 6][..], &link::ppp(&header4().tcp(&syn()))].concat();
    for (source, destination) in [(1701, 50_000), (50_000, 1701)] {
        let datagram = header4().udp(&Udp::new(source, destination, &frame));
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        assert!(packet.tcp().is_some());
    }
}

#[test]
fn what_l2tp_carries_ends_where_its_length_says() {
    let header = tunnel::L2tp { length: true, ..tunnel::L2tp::default() };
    let whole = header.ppp(&header4(), &link::ppp(&header4().tcp(&syn())));
    assert_eq!(refused(&whole, LinkType::RAW), None);
    // Behind 28 bytes of IP and UDP header, and the flags.
    let length = u16::from_be_bytes([whole[30], whole[31]]);
    let with_length = |length: u16| {
        let mut datagram = whole.clone();
        datagram[30..32].copy_from_slice(&length.to_be_bytes());
        datagram
    };
    assert_eq!(refused(&with_length(length - 1), LinkType::RAW), Some(Undecoded::IpLength));
    is_plain_udp(&with_length(length + 1));
    is_plain_udp(&with_length(7));
}

#[test]
fn a_pseudowire_of_l2tp_that_carries_something_else_is_a_packet_of_its_protocol() {
    let arp = link::ethernet_of(0x0806, &[0; 28]);
    let control = header4().carry(115, &[&[0; 4][..], &link::ethernet(&header4().tcp(&syn()))].concat());
    for datagram in [tunnel::l2tp3(&header4(), 0, false, &arp), control] {
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        assert_eq!((packet.protocol().0, packet.layout().path().is_empty()), (115, true));
    }
}

#[test]
fn tunnels_of_every_kind_count() {
    type Wrap = fn(&[u8]) -> Vec<u8>;
    let wraps: [Wrap; 6] = [
        |inside| tunnel::ether_ip(&header4(), &link::ethernet(inside)),
        |inside| tunnel::mpls_in_ip(&header4(), &[16], inside),
        |inside| tunnel::gue_1(&header4(), inside),
        |inside| tunnel::lisp(&header4(), None, inside),
        |inside| tunnel::gre_in_udp(&header4(), inside),
        |inside| tunnel::L2tp::default().ppp(&header4(), &link::ppp(inside)),
    ];
    for wrap in wraps {
        let mut datagram = header4().tcp(&syn());
        for depth in 1..=5 {
            datagram = wrap(&datagram);
            let expected = (depth == 5).then_some(Undecoded::TooDeep);
            assert_eq!(refused(&datagram, LinkType::RAW), expected, "{depth}");
        }
    }
}

#[test]
fn an_ether_ip_header_of_another_version_is_malformed() {
    let datagram = tunnel::ether_ip(&header4(), &link::ethernet(&header4().tcp(&syn())));
    for (first, second, expected) in
        [(0x30, 0, None), (0x03, 0, None), (0x20, 0, Some(())), (0x30, 1, Some(()))]
    {
        let mut datagram = datagram.clone();
        (datagram[20], datagram[21]) = (first, second);
        assert_eq!(refused(&datagram, LinkType::RAW), expected.map(|()| Undecoded::Encapsulation));
    }
}
