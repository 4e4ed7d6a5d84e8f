//! Link layers, and what they carry that is not IP.

use huginn_net_core::{Frame, LinkType, Packet, Undecoded};
use testkit::encap::link::{self, Tag, Wifi, rare};
use testkit::packet::IpHeader;

use crate::{header4, refused, syn};

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

#[test]
fn a_priority_tag_gives_way_to_the_vlan_inside_it_or_around_it() {
    let datagram = header4().tcp(&syn());
    for (tags, id, inner) in [
        (&[0, 100][..], 100, Some(100)),
        (&[7, 100], 7, Some(100)),
        (&[7, 100, 0], 7, Some(100)),
        (&[0], 0, None),
    ] {
        let tags: Vec<_> = tags.iter().map(|&id| Tag::vlan(id)).collect();
        let frame = link::vlan(&tags, &datagram);
        let packet = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET)).expect("a packet");
        assert_eq!((packet.layout().vlan(), packet.layout().inner_vlan()), (Some(id), inner));
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
fn twelve_layers_are_recorded_and_a_thirteenth_is_too_deep() {
    let datagram = header4().tcp(&syn());
    for (tags, expected) in [(12, None), (13, Some(Undecoded::TooDeep)), (100, Some(Undecoded::TooDeep))] {
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
fn an_interrupted_frame_is_read_where_it_begins_and_nowhere_else() {
    let frame = rare::mpacket(&link::ethernet(&header4().tcp(&syn().payload(&[7; 40]))));
    let of = |before, delimiter, len: usize| {
        let mut frame = frame[..len].to_vec();
        frame[6..8].copy_from_slice(&[before, delimiter]);
        Packet::decode(&Frame::new(&frame, LinkType::ETHERNET_MPACKET))
            .map(|packet| (packet.tcp().map(|segment| segment.payload().len()), packet.layout().is_cut()))
    };
    for delimiter in [0xe6, 0x4c, 0x7f, 0xb3] {
        assert_eq!(of(0x55, delimiter, frame.len()), Ok((Some(40), false)));
        // The first 20 bytes of payload, and a check sequence.
        assert_eq!(of(0x55, delimiter, frame.len() - 20), Ok((Some(20), true)));
        // What goes on with it: its delimiter, and a count that looks like one.
        assert_eq!(of(0x61, delimiter, frame.len()), Err(Undecoded::Fragment));
    }
    assert_eq!(of(0x55, 0x07, frame.len()), Err(Undecoded::Fragment), "a question of the other end");
}

#[test]
fn other_headers_than_those_of_data_lead_nowhere() {
    let frame = link::ethernet(&header4().tcp(&syn()));
    let arista = rare::arista_time(true, &frame);
    let of_another_kind = [&arista[..15], &[2], &arista[16..]].concat();
    let of_another_form = [&arista[..17], &[0x30], &arista[18..]].concat();
    for frame in [of_another_kind, of_another_form] {
        assert_eq!(refused(&frame, LinkType::ETHERNET), Some(Undecoded::NotIp));
    }
    let lane = rare::sun_atm_lane(&frame);
    assert_eq!(refused(&lane, LinkType::SUNATM), None);
    let control = [&lane[..4], &[0xff, 0], &lane[6..]].concat();
    assert_eq!(refused(&control, LinkType::SUNATM), Some(Undecoded::NotIp));
    let signalling = [&[6], &lane[1..]].concat();
    assert_eq!(refused(&signalling, LinkType::SUNATM), Some(Undecoded::NotIp));
    let solaris = rare::solaris_ip(&header4().tcp(&syn()));
    for version in [1, 2] {
        assert_eq!(refused(&[&[version], &solaris[1..]].concat(), LinkType::IPNET), None);
    }
    assert_eq!(refused(&[&[2, 10], &solaris[2..]].concat(), LinkType::IPNET), Some(Undecoded::NotIp));
}
