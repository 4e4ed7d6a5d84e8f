//! Packets built field by field and read back, and every reason for which a frame gives none.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use huginn_net_core::{Decoder, Frame, IpProtocol, LinkType, Packet, Undecoded};
use proptest::prelude::*;
use testkit::encap::link::{self, Tag, Wifi};
use testkit::encap::tunnel::{self, Gre};
use testkit::packet::{Extension, IpHeader, Ipv4, Ipv6, Tcp, Udp, protocol};

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

/// Why these bytes of a frame that was `wire_len` long give no packet.
fn refused_cut(bytes: &[u8], link_type: LinkType, wire_len: usize) -> Option<Undecoded> {
    Packet::decode(&Frame { wire_len: wire_len as u32, ..Frame::new(bytes, link_type) }).err()
}

#[test]
fn a_link_type_that_is_not_known_gives_nothing() {
    assert_eq!(refused(&header4().tcp(&syn()), LinkType(147)), Some(Undecoded::UnknownLinkType));
}

#[test]
fn what_is_not_ip_is_not_malformed() {
    let arp = link::ethernet_of(0x0806, &[0; 28]);
    assert_eq!(refused(&arp, LinkType::ETHERNET), Some(Undecoded::NotIp));
    // IPv6 control protocol on PPP, spanning tree on LLC, AppleTalk on SNAP, a beacon, NetBEUI on loopback.
    for (frame, link_type) in [
        (&[0x80, 0x57, 1, 1, 0, 4][..], LinkType::PPP),
        (&[0; 12][..], LinkType::PPP_ETHER),
        (&[1, 0x80, 0xc2, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 3, 0x42, 0x42, 3], LinkType::ETHERNET),
        (&[0x80, 0, 0, 0], LinkType::IEEE802_11),
        // A data frame without data.
        (&[0x48, 0x11, 0, 0], LinkType::IEEE802_11),
        (&[0, 0, 0, 7, 1, 2, 3, 4], LinkType::LOOP),
        (&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x08, 0x06], LinkType::LINUX_SLL),
        (&[0x08, 0x06, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], LinkType::LINUX_SLL2),
        (&[0x0f, 0, 0x80, 0x35], LinkType::C_HDLC),
    ] {
        let expected =
            if link_type == LinkType::PPP_ETHER { Undecoded::Encapsulation } else { Undecoded::NotIp };
        assert_eq!(refused(frame, link_type), Some(expected), "{link_type}");
    }
    // PPPoE discovery within a session, and a pseudowire whose frame is an ARP request.
    assert_eq!(refused(&[0x11, 9, 0, 0, 0, 0], LinkType::PPP_ETHER), Some(Undecoded::NotIp));
    let pseudowire = link::ethernet_of(0x8847, &[&[0, 1, 0x01, 64, 0x00, 0x40, 0, 0][..], &arp].concat());
    assert_eq!(refused(&pseudowire, LinkType::ETHERNET), Some(Undecoded::NotIp));
}

#[test]
fn an_ethernet_pseudowire_is_passed() {
    let mut inside = vec![0, 1, 0x01, 64, 0, 0, 0, 0];
    inside.extend(link::ethernet(&header4().tcp(&syn())));
    let frame = link::ethernet_of(0x8847, &inside);
    let packet = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET)).expect("a packet");
    assert_eq!(packet.tcp().unwrap().source_port(), 40_000);
}

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

#[test]
fn the_flow_id_of_nvgre_is_no_part_of_the_address_space() {
    let frame = link::ethernet(&header4().tcp(&syn()));
    let of_key = |key| domain(&Gre { key: Some(key), ..Gre::default() }.ethernet(&header4(), &frame));
    assert_eq!(of_key(0x0050_0011), of_key(0x0050_0022));
    assert_ne!(of_key(0x0050_0011), of_key(0x0051_0011));
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
fn fragments_of_802_11_frames_are_refused() {
    let whole = link::wifi(Wifi::default(), &header4().tcp(&syn()));
    for (at, value) in [(1, 0x04), (22, 0x01)] {
        let mut frame = whole.clone();
        frame[at] |= value;
        assert_eq!(refused(&frame, LinkType::IEEE802_11), Some(Undecoded::Fragment));
    }
}

#[test]
fn an_authentication_header_behind_ipv4_is_passed() {
    let segment = header4().tcp(&syn())[20..].to_vec();
    let authentication = [&[protocol::TCP, 4, 0, 0][..], &[0; 20]].concat();
    let datagram = header4().carry(protocol::AUTHENTICATION, &[authentication, segment].concat());
    let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
    assert_eq!(packet.tcp().unwrap().source_port(), 40_000);
}

#[test]
fn a_priority_tag_gives_way_to_the_vlan_inside_it() {
    let datagram = header4().tcp(&syn());
    for (tags, id) in [(&[0, 100][..], 100), (&[7, 100], 7), (&[0], 0)] {
        let tags: Vec<_> = tags.iter().map(|&id| Tag::vlan(id)).collect();
        let frame = link::vlan(&tags, &datagram);
        let packet = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET)).expect("a packet");
        assert_eq!(packet.layout().vlan(), Some(id));
    }
}

#[test]
fn cooked_captures_say_what_device_the_frame_is_of() {
    let wifi = link::wifi(Wifi::default(), &header4().tcp(&syn()));
    for (device, frame) in [(801_u16, wifi.clone()), (803, link::radiotap(false, &wifi))] {
        let [high, low] = device.to_be_bytes();
        let cooked = [&[0, 0, high, low, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25][..], &frame].concat();
        let packet = Packet::decode(&Frame::new(&cooked, LinkType::LINUX_SLL)).expect("a packet");
        assert!(packet.tcp().is_some());
    }
}

#[test]
fn encrypted_frames_of_802_11_are_counted_as_such() {
    let frame = link::wifi(Wifi { protected: true, ..Wifi::default() }, &header4().tcp(&syn()));
    assert_eq!(refused(&frame, LinkType::IEEE802_11), Some(Undecoded::Encrypted));
    assert_eq!(
        refused(&link::radiotap(false, &frame), LinkType::IEEE802_11_RADIOTAP),
        Some(Undecoded::Encrypted)
    );
}

#[test]
fn a_frame_of_aggregated_802_11_gives_its_first_datagram() {
    let datagram = header4().tcp(&syn());
    let data = link::wifi(Wifi { qos: true, ..Wifi::default() }, &datagram);
    // 24 bytes of header and the QoS control, whose bit 7 says that frames follow with headers of their own.
    let (header, body) = data.split_at(26);
    let mut frame = header.to_vec();
    frame[24] |= 0x80;
    frame.extend([2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1]);
    frame.extend((body.len() as u16).to_be_bytes());
    frame.extend(body);
    frame.extend([0xee; 80]);
    let packet = Packet::decode(&Frame::new(&frame, LinkType::IEEE802_11)).expect("a packet");
    assert_eq!(packet.payload(), []);
    assert_eq!(packet.tcp().unwrap().destination_port(), 80);
}

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
    ]
}

#[test]
fn a_frame_cut_by_the_capture_anywhere_in_its_headers_is_cut_and_never_malformed() {
    for (frame, link_type) in frames() {
        let whole = Packet::decode(&Frame::new(&frame, link_type)).expect("a packet");
        assert_eq!(whole.payload(), []);
        for len in 0..frame.len() {
            let reason = refused_cut(&frame[..len], link_type, frame.len());
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
        let bytes = &datagram[..datagram.len() - 100 + kept];
        let frame = Frame { wire_len: datagram.len() as u32, ..Frame::new(bytes, LinkType::RAW) };
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

#[test]
fn an_ip_version_other_than_announced_is_malformed() {
    let mut frame = link::ethernet(&header4().tcp(&syn()));
    frame[14] = 0x65;
    assert_eq!(refused(&frame, LinkType::ETHERNET), Some(Undecoded::IpVersion));
    let mut frame = link::ethernet(&header6().tcp(&syn()));
    frame[14] = 0x40;
    assert_eq!(refused(&frame, LinkType::ETHERNET), Some(Undecoded::IpVersion));
    assert_eq!(refused(&[0x55; 60], LinkType::RAW), Some(Undecoded::IpVersion));
    assert_eq!(refused(&header6().tcp(&syn()), LinkType::IPV4), Some(Undecoded::IpVersion));
}

#[test]
fn an_ipv4_header_length_below_20_or_beyond_the_datagram_is_malformed() {
    for words in 0..5 {
        let datagram = header4().header_words(words).tcp(&syn());
        assert_eq!(refused(&datagram, LinkType::RAW), Some(Undecoded::IpHeaderLength), "{words} words");
    }
    let datagram = header4().header_words(15).carry(protocol::TCP, &[0; 30]);
    assert_eq!(refused(&datagram, LinkType::RAW), Some(Undecoded::IpLength));
    // The length of zero says nothing about the header.
    let offloaded = header4().header_words(15).total_length(0).carry(protocol::TCP, &[0; 30]);
    assert_eq!(refused(&offloaded, LinkType::RAW), Some(Undecoded::IpHeaderLength));
}

#[test]
fn ip_lengths_shorter_than_the_headers_or_longer_than_the_frame_are_malformed() {
    let syn_len = header4().tcp(&syn()).len() as u16;
    for (length, reason) in [
        (1, Undecoded::IpLength),
        (19, Undecoded::IpLength),
        (20, Undecoded::TcpHeader),
        (39, Undecoded::TcpHeader),
        (syn_len - 1, Undecoded::TcpHeader),
        (syn_len + 1, Undecoded::IpLength),
        (65_535, Undecoded::IpLength),
    ] {
        let datagram = header4().total_length(length).tcp(&syn());
        assert_eq!(refused(&datagram, LinkType::RAW), Some(reason), "{length}");
    }
    for (length, reason) in [
        (1, Undecoded::TcpHeader),
        (23, Undecoded::TcpHeader),
        (25, Undecoded::IpLength),
        (65_535, Undecoded::IpLength),
    ] {
        let datagram = header6().payload_length(length).tcp(&syn());
        assert_eq!(refused(&datagram, LinkType::RAW), Some(reason), "{length}");
    }
}

#[test]
fn an_inner_datagram_may_not_be_longer_than_the_outer_one_says() {
    let mut datagram = tunnel::ip_in_ip(&header4(), &header4().tcp(&syn()));
    datagram[3] -= 1;
    assert_eq!(refused(&datagram, LinkType::RAW), Some(Undecoded::IpLength));
}

#[test]
fn a_length_of_zero_is_that_of_segmentation_offload() {
    let payload = [9; 3_000];
    for datagram in [
        header4().total_length(0).tcp(&syn().payload(&payload)),
        header6().payload_length(0).tcp(&syn().payload(&payload)),
    ] {
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        assert!(packet.layout().has_zero_length());
        assert_eq!(packet.payload(), payload);
        // Where the capture cut it, nothing tells what is missing.
        for (kept, reason) in [(10, Undecoded::Cut), (45, Undecoded::Cut), (63, Undecoded::Cut)] {
            let reason = (kept < datagram.len() - payload.len()).then_some(reason);
            assert_eq!(refused_cut(&datagram[..kept], LinkType::RAW, datagram.len()), reason, "{kept}");
        }
    }
    // Options and UDP lengths that the capture cut.
    let options = header4().options(&[1; 40]).total_length(0).tcp(&syn());
    assert_eq!(refused_cut(&options[..30], LinkType::RAW, options.len()), Some(Undecoded::Cut));
    let udp = header4().total_length(0).udp(&Udp::new(1, 2, &[1; 100]));
    let frame = Frame { wire_len: 128, ..Frame::new(&udp[..40], LinkType::RAW) };
    let packet = Packet::decode(&frame).expect("a packet");
    assert_eq!((packet.payload().len(), packet.layout().is_cut()), (12, true));
}

#[test]
fn a_data_offset_below_20_or_beyond_the_datagram_is_malformed() {
    for words in [0, 4, 7, 15] {
        let datagram = header4().tcp(&syn().data_offset(words));
        assert_eq!(refused(&datagram, LinkType::RAW), Some(Undecoded::TcpHeader), "{words} words");
    }
    // Within a frame that is long enough, too.
    let mut padded = header4().tcp(&syn().data_offset(15));
    padded.resize(100, 0);
    assert_eq!(refused(&padded, LinkType::RAW), Some(Undecoded::TcpHeader));
}

#[test]
fn a_udp_length_below_8_or_beyond_the_datagram_is_malformed() {
    let of = |length| header4().udp(&Udp::new(1, 2, b"payload").length(length));
    for length in [1, 7, 16, 65_535] {
        assert_eq!(refused(&of(length), LinkType::RAW), Some(Undecoded::UdpHeader), "{length}");
    }
    let short = header4().carry(protocol::UDP, &[0; 7]);
    assert_eq!(refused(&short, LinkType::RAW), Some(Undecoded::UdpHeader));
    for (length, payload) in [(0, &b"payload"[..]), (8, b""), (10, b"pa"), (15, b"payload")] {
        let datagram = of(length);
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        assert_eq!(packet.udp().unwrap().payload(), payload, "{length}");
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
fn sixteen_layers_are_recorded_and_a_seventeenth_is_too_deep() {
    let datagram = header4().tcp(&syn());
    for (tags, expected) in [(16, None), (17, Some(Undecoded::TooDeep)), (100, Some(Undecoded::TooDeep))] {
        let frame = link::vlan(&vec![Tag::vlan(1); tags], &datagram);
        assert_eq!(refused(&frame, LinkType::ETHERNET), expected, "{tags} tags");
    }
    // Headers that are no layers of their own count as well.
    let mut frame = vec![2; 12];
    for _ in 0..40 {
        frame.extend([0x89, 0x09, 1, 0]);
    }
    frame.extend([0x08, 0x00]);
    frame.extend(&datagram);
    assert_eq!(refused(&frame, LinkType::ETHERNET), Some(Undecoded::TooDeep));
}

#[test]
fn eight_extension_headers_of_256_bytes_are_passed_and_no_more() {
    let pad = |len: usize| Extension::Destination(vec![0; len]);
    for (extensions, expected) in [
        (vec![pad(6); 8], Ok(64)),
        (vec![pad(6); 9], Err(Undecoded::TooDeep)),
        (vec![pad(126), pad(118)], Ok(248)),
        // More than a byte can count.
        (vec![pad(126), pad(126)], Ok(255)),
        (vec![pad(126), pad(126), pad(6)], Err(Undecoded::TooDeep)),
    ] {
        let datagram = header6().extensions(extensions.clone()).tcp(&syn());
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW));
        assert_eq!(packet.map(|packet| packet.layout().ip_options_len()), expected, "{extensions:?}");
    }
}

#[test]
fn an_extension_header_longer_than_its_packet_is_malformed() {
    let mut datagram = header6().extensions([Extension::HopByHop(vec![1, 4])]).tcp(&syn());
    datagram[41] = 200;
    assert_eq!(refused(&datagram, LinkType::RAW), Some(Undecoded::IpLength));
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

#[test]
fn ports_of_tunnels_carry_ordinary_datagrams_too() {
    for port in [4789, 8472, 6081, 2152, 3544] {
        for payload in
            [&b""[..], b"\0", b"not a tunnel, but more than any header of one", &[0xff; 60], &[0; 7]]
        {
            let datagram = header4().udp(&Udp::new(port, port, payload));
            let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
            assert_eq!(packet.udp().unwrap().payload(), payload, "{port}");
            assert!(packet.layout().path().is_empty());
        }
    }
}

#[test]
fn a_priority_tag_names_no_network() {
    let datagram = header4().tcp(&syn());
    let domain = |tags: &[Tag]| {
        let frame = link::vlan(tags, &datagram);
        Packet::decode(&Frame::new(&frame, LinkType::ETHERNET)).expect("a packet").layout().domain()
    };
    assert_eq!(domain(&[Tag { tpid: 0x8100, tci: 0xe000 }]), domain(&[]));
    assert_ne!(domain(&[Tag::vlan(1)]), domain(&[]));
    assert_ne!(domain(&[Tag::vlan(1), Tag::vlan(2)]), domain(&[Tag::vlan(2), Tag::vlan(1)]));
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

/// The fixed fields of a TCP header.
#[derive(Clone, Debug)]
struct TcpFields {
    ports: (u16, u16),
    sequence: u32,
    acknowledgment: u32,
    flags: u16,
    window: u16,
    urgent: u16,
    options: Vec<u8>,
    payload: Vec<u8>,
}

impl TcpFields {
    fn build(&self) -> Tcp {
        Tcp::new(self.ports.0, self.ports.1)
            .sequence(self.sequence)
            .acknowledgment(self.acknowledgment)
            .flags(self.flags)
            .window(self.window)
            .urgent(self.urgent)
            .options([testkit::packet::TcpOption::Raw(self.options.clone())])
            .payload(&self.payload)
    }
}

fn tcp_fields() -> impl Strategy<Value = TcpFields> {
    let numbers =
        (any::<(u16, u16)>(), any::<u32>(), any::<u32>(), 0..=0xfff_u16, any::<u16>(), any::<u16>());
    let bytes = (prop::collection::vec(any::<u8>(), 0..=40), prop::collection::vec(any::<u8>(), 0..200));
    (numbers, bytes).prop_map(
        |((ports, sequence, acknowledgment, flags, window, urgent), (options, payload))| TcpFields {
            ports,
            sequence,
            acknowledgment,
            flags,
            window,
            urgent,
            options,
            payload,
        },
    )
}

fn extensions() -> impl Strategy<Value = Vec<Extension>> {
    let body = || prop::collection::vec(any::<u8>(), 0..24);
    let extension = prop_oneof![
        body().prop_map(Extension::HopByHop),
        body().prop_map(Extension::Destination),
        body().prop_map(Extension::Routing),
        body().prop_map(Extension::Authentication),
        // An atomic fragment.
        any::<u32>().prop_map(|identification| Extension::Fragment {
            offset: 0,
            more: false,
            identification
        }),
    ];
    prop::collection::vec(extension, 0..=6)
}

/// A TCP packet on Ethernet reads as it was built, whatever padding follows.
fn assert_reads_back(datagram: &[u8], fields: &TcpFields, padding: usize) -> Result<(), TestCaseError> {
    let mut frame = link::ethernet(datagram);
    frame.resize(frame.len() + padding, 0xee);
    let packet = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET));
    let packet = packet.map_err(|reason| TestCaseError::fail(reason.to_string()))?;
    prop_assert_eq!(packet.protocol(), IpProtocol::TCP);
    let segment = packet.tcp().unwrap();
    prop_assert_eq!((segment.source_port(), segment.destination_port()), fields.ports);
    prop_assert_eq!(segment.sequence(), fields.sequence);
    prop_assert_eq!(segment.acknowledgment(), fields.acknowledgment);
    prop_assert_eq!(segment.flags().bits(), fields.flags);
    prop_assert_eq!(segment.window(), fields.window);
    prop_assert_eq!(segment.urgent_pointer(), fields.urgent);
    prop_assert_eq!(&segment.options()[..fields.options.len()], &fields.options[..]);
    prop_assert!(segment.options()[fields.options.len()..].iter().all(|&byte| byte == 0));
    prop_assert_eq!(segment.payload(), &fields.payload[..]);
    prop_assert_eq!(
        segment.header_len() + segment.payload().len(),
        20 + segment.options().len() + fields.payload.len()
    );
    prop_assert!(!packet.layout().is_cut());
    prop_assert!(packet.udp().is_none());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn tcp_on_ipv4_reads_back_with_every_field(
        fields in tcp_fields(),
        (source, destination) in any::<(u32, u32)>(),
        (tos, identification, ttl) in any::<(u8, u16, u8)>(),
        (reserved, dont_fragment) in any::<(bool, bool)>(),
        options in prop::collection::vec(any::<u8>(), 0..=40),
        padding in 0_usize..50,
    ) {
        let (source, destination) = (Ipv4Addr::from(source), Ipv4Addr::from(destination));
        let header = Ipv4::new(source, destination)
            .tos(tos)
            .identification(identification)
            .ttl(ttl)
            .reserved(reserved)
            .dont_fragment(dont_fragment)
            .options(&options);
        let datagram = header.tcp(&fields.build());
        assert_reads_back(&datagram, &fields, padding)?;
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).unwrap();
        prop_assert_eq!(packet.addresses(), (IpAddr::V4(source), IpAddr::V4(destination)));
        let header = packet.ipv4().unwrap();
        prop_assert_eq!((header.source(), header.destination()), (source, destination));
        prop_assert_eq!((header.traffic_class(), header.identification(), header.ttl()), (tos, identification, ttl));
        prop_assert_eq!((header.has_reserved_flag(), header.dont_fragment()), (reserved, dont_fragment));
        prop_assert_eq!(usize::from(header.total_length()), datagram.len());
        let padded = options.len().next_multiple_of(4);
        prop_assert_eq!(usize::from(header.header_len()), 20 + padded);
        prop_assert_eq!(usize::from(packet.layout().ip_options_len()), padded);
        prop_assert!(packet.ipv6().is_none());
    }

    #[test]
    fn tcp_on_ipv6_reads_back_with_every_field(
        fields in tcp_fields(),
        (source, destination) in any::<(u128, u128)>(),
        (traffic_class, flow_label, hop_limit) in (any::<u8>(), 0..=0xf_ffff_u32, any::<u8>()),
        extensions in extensions(),
        padding in 0_usize..50,
    ) {
        let (source, destination) = (Ipv6Addr::from(source), Ipv6Addr::from(destination));
        let header = Ipv6::new(source, destination)
            .traffic_class(traffic_class)
            .flow_label(flow_label)
            .hop_limit(hop_limit)
            .extensions(extensions);
        let datagram = header.tcp(&fields.build());
        assert_reads_back(&datagram, &fields, padding)?;
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).unwrap();
        prop_assert_eq!(packet.addresses(), (IpAddr::V6(source), IpAddr::V6(destination)));
        let header = packet.ipv6().unwrap();
        prop_assert_eq!((header.source(), header.destination()), (source, destination));
        prop_assert_eq!((header.traffic_class(), header.flow_label()), (traffic_class, flow_label));
        prop_assert_eq!(header.hop_limit(), hop_limit);
        prop_assert_eq!(usize::from(header.payload_length()) + 40, datagram.len());
        let behind = 20 + fields.options.len().next_multiple_of(4) + fields.payload.len();
        prop_assert_eq!(usize::from(packet.layout().ip_options_len()), datagram.len() - 40 - behind);
        prop_assert!(packet.ipv4().is_none());
    }

    #[test]
    fn udp_reads_back(
        source_port in any::<u16>(),
        destination_port in any::<u16>(),
        payload in prop::collection::vec(any::<u8>(), 0..200),
        six in any::<bool>(),
        padding in 0_usize..50,
    ) {
        let datagram = Udp::new(source_port, destination_port, &payload);
        let datagram = if six { header6().udp(&datagram) } else { header4().udp(&datagram) };
        let mut frame = link::ethernet(&datagram);
        frame.resize(frame.len() + padding, 0xee);
        let packet = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET)).unwrap();
        let udp = packet.udp().unwrap();
        prop_assert_eq!((udp.source_port(), udp.destination_port()), (source_port, destination_port));
        prop_assert_eq!(udp.payload(), &payload[..]);
        prop_assert!(packet.tcp().is_none());
    }

    #[test]
    fn no_bytes_of_any_link_type_make_an_accessor_leave_the_frame(
        link_type in prop::sample::select(vec![0, 1, 9, 12, 14, 50, 51, 101, 104, 105, 108, 113, 117, 127, 228, 229, 276]),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        missing in 0_u32..100,
    ) {
        let wire_len = bytes.len() as u32 + missing;
        let frame = Frame { wire_len, ..Frame::new(&bytes, LinkType(link_type)) };
        if let Ok(packet) = Packet::decode(&frame) {
            prop_assert!(packet.ipv4().is_some() != packet.ipv6().is_some());
            prop_assert!(packet.payload().len() < bytes.len());
            prop_assert_eq!(packet.tcp().is_some(), packet.protocol() == IpProtocol::TCP);
            prop_assert_eq!(packet.udp().is_some(), packet.protocol() == IpProtocol::UDP);
        }
    }
}

#[test]
fn a_checksum_is_right_wrong_or_not_known() {
    use huginn_net_core::Checksum;
    let verdict =
        |datagram: &[u8]| Packet::decode(&Frame::new(datagram, LinkType::RAW)).expect("a packet").checksum();
    let odd = syn().payload(b"odd");
    for whole in [header4().tcp(&odd), header6().tcp(&odd), header4().udp(&Udp::new(1, 2, b"x"))] {
        assert_eq!(verdict(&whole), Checksum::Valid);
        let mut damaged = whole.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert_eq!(verdict(&damaged), Checksum::Invalid);
        let cut =
            Frame { wire_len: whole.len() as u32, ..Frame::new(&whole[..whole.len() - 1], LinkType::RAW) };
        assert_eq!(Packet::decode(&cut).expect("a packet").checksum(), Checksum::Unknown);
    }
    assert_eq!(verdict(&header4().udp(&Udp::new(1, 2, b"x").checksum(0))), Checksum::Unknown);
    assert_eq!(verdict(&header4().carry(1, &[8, 0, 0, 0])), Checksum::Unknown);
}
