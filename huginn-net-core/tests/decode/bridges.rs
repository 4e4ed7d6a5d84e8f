//! Headers of bridges, and pseudowires.

use huginn_net_core::{Encapsulation, Frame, LinkType, Packet, Undecoded};
use testkit::encap::bridge::{self, Macsec};
use testkit::encap::link::{self, Tag};
use testkit::packet::IpHeader;

use crate::{header4, refused, syn};

fn frame() -> Vec<u8> {
    link::ethernet(&header4().tcp(&syn()))
}

#[track_caller]
fn is_read(frame: &[u8]) {
    let packet = Packet::decode(&Frame::new(frame, LinkType::ETHERNET)).expect("a packet");
    assert_eq!(packet.tcp().map(|segment| segment.source_port()), Some(40_000));
}

#[test]
fn macsec_that_encrypts_is_not_read() {
    let datagram = header4().tcp(&syn());
    let encrypted = Macsec { encrypted: true, ..Macsec::default() }.ip(&datagram);
    assert_eq!(refused(&encrypted, LinkType::ETHERNET), Some(Undecoded::Encrypted));
    let mut other_version = Macsec::default().ip(&datagram);
    other_version[14] |= 0x80;
    assert_eq!(refused(&other_version, LinkType::ETHERNET), Some(Undecoded::Encapsulation));
}

#[test]
fn the_check_value_of_macsec_is_no_part_of_a_packet_whose_length_is_zero() {
    let offloaded = header4().total_length(0).tcp(&syn().payload(&[9; 100]));
    let frame = Macsec::default().ip(&offloaded);
    let packet = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET)).expect("a packet");
    assert_eq!(packet.payload(), [9; 100]);
}

#[test]
fn services_of_a_backbone_are_address_spaces_of_their_own() {
    let domain = |service| {
        let wrapped = bridge::pbb(service, &frame());
        Packet::decode(&Frame::new(&wrapped, LinkType::ETHERNET)).expect("a packet").layout().domain()
    };
    assert_eq!(domain(5), domain(5));
    assert_ne!(domain(5), domain(6));
}

#[test]
fn headers_of_another_version_or_of_no_length_are_malformed() {
    let mut trill = bridge::trill(0, &frame());
    trill[14] |= 0x40;
    assert_eq!(refused(&trill, LinkType::ETHERNET), Some(Undecoded::Encapsulation));
    for (at, value, reason) in [
        (14, 0x40, Undecoded::Encapsulation),
        (15, 0xc0, Undecoded::Encapsulation),
        // OAM, and a protocol that nobody assigned.
        (14, 0x20, Undecoded::NotIp),
        (17, 99, Undecoded::NotIp),
    ] {
        let mut nsh = bridge::nsh_ethernet(&frame());
        nsh[at] = value;
        assert_eq!(refused(&nsh, LinkType::ETHERNET), Some(reason), "{at}");
    }
}

#[test]
fn a_network_service_header_leads_to_ip_and_to_labels() {
    let datagram = header4().tcp(&syn());
    is_read(&link::ethernet_of(0x894f, &bridge::nsh(0, 1, &datagram)));
    is_read(&link::ethernet_of(0x894f, &bridge::nsh(61, 5, &link::label_stack(&[16], &datagram))));
}

#[test]
fn an_ethernet_pseudowire_is_read_whatever_its_addresses_begin_with() {
    for first in
        [&[0x00, 0x1b][..], &[0x00, 0x00], &[0x02, 0], &[0x45, 0], &[0x60, 0], &[0xfe, 0xff], &[0xff; 6]]
    {
        let frame = bridge::with_first_bytes(first, &frame());
        for control_word in [false, true] {
            is_read(&bridge::pseudowire(control_word, &frame));
        }
    }
}

#[test]
fn tags_in_a_pseudowire_are_seen_whatever_its_addresses_begin_with() {
    let check = |first: &[u8], tags: usize, inside: &[u8]| {
        let frame = link::push_tags(&[Tag::vlan(7); 4][..tags], &bridge::with_first_bytes(first, inside));
        for control_word in [false, true] {
            let wrapped = bridge::pseudowire(control_word, &frame);
            let packet = Packet::decode(&Frame::new(&wrapped, LinkType::ETHERNET)).expect("a packet");
            assert!(packet.tcp().is_some_and(|segment| segment.flags().is_syn()));
            let path = packet.layout().path();
            let seen = path.iter().filter(|layer| *layer == Encapsulation::Vlan).count();
            assert_eq!(seen, tags, "{first:02x?} {control_word}");
        }
    };
    for first in [[0x00, 0x1b], [0x02, 0], [0x45, 0], [0x60, 0], [0xfe, 0xff]] {
        for tags in [1, 4] {
            check(&first, tags, &frame());
        }
    }
    // What stands behind a tag need not be IP where the address begins as a control word does.
    let labelled = link::mpls(&[18], &header4().tcp(&syn()));
    for first in [[0x00, 0x1b], [0x02, 0]] {
        check(&first, 1, &labelled);
    }
}

#[test]
fn a_pseudowire_that_carries_no_ip_is_none() {
    let arp = link::ethernet_of(0x0806, &[0; 28]);
    for control_word in [false, true] {
        let frame = bridge::pseudowire(control_word, &arp);
        assert_eq!(refused(&frame, LinkType::ETHERNET), Some(Undecoded::NotIp), "{control_word}");
    }
}
