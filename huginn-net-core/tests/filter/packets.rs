//! Which packets a filter takes.

use huginn_net_core::{Decoder, Filter, Frame, LinkType, Packet};
use testkit::capture::Capture;
use testkit::encap::fragment;
use testkit::encap::link::{self, Tag, Wifi, link_type};
use testkit::encap::tunnel::{self, Gre};
use testkit::packet::{Extension, IpHeader, Ipv4, Ipv6, Tcp, Udp, flags};
use testkit::wrap::Wrapping;

use crate::{assert_takes, filter};

fn syn() -> Tcp {
    Tcp::new(40_000, 443).flags(flags::SYN)
}

fn inner() -> Vec<u8> {
    Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&syn())
}

fn v6() -> Ipv6 {
    Ipv6::new([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], [0x2001, 0xdb8, 0, 0, 0, 0, 0, 2])
}

#[test]
fn addresses_ports_and_protocols_of_ipv4_are_compared_end_by_end() {
    assert_takes(
        &link::ethernet(&inner()),
        &[
            "",
            "ip",
            "tcp",
            "host 10.0.0.1",
            "host 10.0.0.2",
            "src host 10.0.0.1",
            "dst host 10.0.0.2",
            "src and dst net 10.0.0.0/30",
            "src net 0.0.0.0/0",
            "src net 10.0.0.0/31",
            "port 443",
            "port 40000",
            "tcp src port 40000",
            "dst portrange 1-1023",
            "portrange 443-443",
            "portrange 443-39999",
            "src and dst portrange 443-40000",
            "proto 6",
            "ip proto 6",
            "not udp",
            "not (udp or host 10.0.0.3)",
            "udp or tcp and port 443",
        ],
        &[
            "ip6",
            "udp",
            "icmp",
            "src host 10.0.0.2",
            "dst host 10.0.0.1",
            "host 10.0.0.3",
            "src and dst host 10.0.0.1",
            "dst net 10.0.0.0/31",
            "net ::/0",
            "udp port 443",
            "src port 443",
            "portrange 444-39999",
            "dst portrange 0-442",
            "src and dst port 443",
            "ip6 proto 6",
            "not tcp",
            "not (tcp and port 443)",
            "vlan",
        ],
    );
}

#[test]
fn addresses_of_ipv6_are_compared_and_extension_headers_passed() {
    let behind = |extension| v6().extensions([extension]);
    for header in [
        v6(),
        behind(Extension::HopByHop(vec![1, 4, 0, 0, 0, 0])),
        behind(Extension::Authentication(vec![0; 12])),
    ] {
        assert_takes(
            &link::ethernet(&header.tcp(&syn())),
            &[
                "ip6",
                "tcp port 443",
                "host 2001:db8::1",
                "dst host 2001:db8::2",
                "net 2001:db8::/32",
                "src net 2001:db8::/127",
                "src net ::/0",
                "ip6 proto 6",
            ],
            &[
                "ip",
                "dst net 2001:db8::/127",
                "host ::1",
                "net 0.0.0.0/0",
                "icmp6",
                "ip6 proto 0",
                "proto 51",
            ],
        );
    }
}

#[test]
fn ports_are_those_of_tcp_and_udp_alone() {
    let header = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
    assert_takes(
        &link::ethernet(&header.udp(&Udp::new(53, 1_000, b"answer"))),
        &["port 53", "udp src port 53", "not tcp port 53"],
        &["tcp port 53"],
    );
    // The first bytes of an echo request would be ports 2048 and 53.
    let echo = header.carry(1, &[8, 0, 0, 53, 0, 0, 0, 0]);
    assert_takes(
        &link::ethernet(&echo),
        &["icmp", "not port 53", "not portrange 0-65535"],
        &["port 53", "port 2048"],
    );
}

#[test]
fn a_tunnel_fits_by_its_outer_headers_or_by_its_inner_ones_but_not_by_some_of_each() {
    let outer = Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2]);
    let frame = link::ethernet(&inner());
    for wrapped in [
        tunnel::ip_in_ip(&outer, &inner()),
        Gre::default().ip(&outer, &inner()),
        Gre { key: Some(7), ..Gre::default() }.ethernet(&outer, &frame),
        tunnel::vxlan(&outer, 4789, 5, &frame),
        tunnel::GtpU::default().ip(&outer, 9, &inner()),
    ] {
        assert_takes(
            &link::ethernet(&wrapped),
            &[
                "host 192.0.2.1",
                "src host 192.0.2.1 and dst host 192.0.2.2",
                "host 10.0.0.1",
                "tcp port 443",
                "host 10.0.0.1 and port 443",
                "not host 10.0.0.1",
                "not tcp",
            ],
            &[
                "host 192.0.2.1 and port 443",
                "src 192.0.2.1 and dst 10.0.0.2",
                "host 10.0.0.3",
                "not ip",
                "ip6",
            ],
        );
    }
    let vxlan = link::ethernet(&tunnel::vxlan(&outer, 4789, 5, &frame));
    assert_takes(&vxlan, &["udp port 4789", "host 192.0.2.2 and udp"], &["udp port 443", "tcp port 4789"]);
    let gre = link::ethernet(&Gre::default().ip(&outer, &inner()));
    assert_takes(&gre, &["ip proto 47"], &["udp"]);
}

#[test]
fn every_header_of_tunnels_within_tunnels_is_looked_at() {
    let first = Ipv6::new([1; 8], [2; 8]);
    let second = Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2]);
    let nested = Gre::default().ip(&first, &tunnel::vxlan(&second, 4789, 5, &link::ethernet(&inner())));
    assert_takes(
        &link::ethernet(&nested),
        &["host 1:1:1:1:1:1:1:1", "ip6 proto 47", "host 192.0.2.1", "udp port 4789", "host 10.0.0.1 and tcp"],
        &["host 192.0.2.3", "ip6 and tcp", "host 192.0.2.1 and tcp"],
    );
}

#[test]
fn tags_are_looked_through_and_asked_for_wherever_they_are_written() {
    let tagged = link::push_tags(&[Tag::service(7), Tag::vlan(100)], &link::ethernet(&inner()));
    assert_takes(
        &tagged,
        &["vlan", "vlan 7", "vlan 100", "vlan 7 and vlan 100", "port 443 and vlan 7", "host 10.0.0.1"],
        &["vlan 8", "not vlan", "not vlan 7", "vlan 0"],
    );
    let many = link::push_tags(&[1, 2, 3].map(Tag::vlan), &link::ethernet(&inner()));
    assert_takes(&many, &["vlan 1", "vlan 3"], &["vlan 2"]);
    let priority = link::push_tags(&[Tag::vlan(0)], &link::ethernet(&inner()));
    assert_takes(&priority, &["vlan", "vlan 0"], &["vlan 1"]);
    let inside = tunnel::vxlan(&Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2]), 4789, 5, &tagged);
    let outside = link::push_tags(&[Tag::vlan(9)], &link::ethernet(&inside));
    assert_takes(
        &outside,
        &["vlan 9", "vlan 100", "vlan 9 and host 192.0.2.1", "vlan 100 and port 443"],
        &["vlan 5"],
    );
}

/// The packets of a capture that a filter takes, and all.
fn counts(filter: &Filter, capture: &Capture) -> (usize, usize) {
    let (mut decoder, mut taken, mut all) = (Decoder::default(), 0, 0);
    for record in &capture.records {
        let frame =
            Frame { wire_len: record.wire_len, ..Frame::new(&record.bytes, LinkType(capture.link_type)) };
        decoder.decode_each(&frame, |packet| {
            all += 1;
            taken += usize::from(filter.matches(packet));
        });
    }
    (taken, all)
}

#[test]
fn a_datagram_in_fragments_fits_as_a_whole() {
    let datagram = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).udp(&Udp::new(500, 4_500, &[7; 3_000]));
    let whole = Capture::of_frames(link_type::RAW, fragment::ipv4(&datagram, 1_024));
    assert_eq!(whole.records.len(), 3);
    assert_eq!(counts(&filter("udp port 4500"), &whole), (1, 1));
    assert_eq!(counts(&filter("udp port 4501"), &whole), (0, 1));
    // GRE whose datagram is in pieces is known by what it carries and by its own ends.
    let carried = Gre::default().ip(&Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2]), &datagram);
    let pieces = Capture::of_frames(link_type::RAW, fragment::ipv4(&carried, 1_024));
    assert_eq!(counts(&filter("host 192.0.2.1"), &pieces), (1, 1));
    assert_eq!(counts(&filter("udp port 4500"), &pieces), (1, 1));
    // What was outside of the pieces is not.
    let each = fragment::ipv4(&datagram, 1_024);
    let outer = Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2]);
    let outside =
        Capture::of_frames(link_type::RAW, each.iter().map(|piece| Gre::default().ip(&outer, piece)));
    assert_eq!(counts(&filter("host 192.0.2.1"), &outside), (0, 1));
    assert_eq!(counts(&filter("udp port 4500"), &outside), (1, 1));
}

#[test]
fn each_frame_of_an_aggregate_is_judged_by_its_own_headers() {
    let kind = Wifi { qos: true, ..Wifi::default() };
    let tunnelled = |last| {
        let outer = Ipv4::new([192, 0, 2, last], [192, 0, 2, 100]);
        Gre::default().ip(&outer, &Ipv4::new([10, 0, 0, last], [10, 0, 0, 100]).tcp(&syn()))
    };
    let frame =
        link::wifi_aggregate(kind, link::LengthOrder::Big, &[tunnelled(1), tunnelled(2), tunnelled(3)]);
    let capture = Capture::of_frames(link_type::IEEE802_11, [frame]);
    for (expression, taken) in
        [("host 192.0.2.2", 1), ("host 10.0.0.3", 1), ("net 192.0.2.0/24", 3), ("host 192.0.2.9", 0)]
    {
        assert_eq!(counts(&filter(expression), &capture), (taken, 3), "{expression}");
    }
}

#[test]
fn what_a_filter_says_of_the_inside_does_not_depend_on_the_wrapping() {
    let frames = [40_000, 40_001, 40_002].map(|port| {
        link::ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&Tcp::new(port, 443).payload(b"data")))
    });
    let v6_frames =
        [40_000, 40_001, 40_002].map(|port| link::ethernet(&v6().tcp(&Tcp::new(port, 443).payload(b"data"))));
    let (plain, plain_v6) =
        (Capture::of_frames(link_type::ETHERNET, frames), Capture::of_frames(link_type::ETHERNET, v6_frames));
    let wanted = filter("tcp src port 40001 and (src host 10.0.0.1 or src host 2001:db8::1)");
    let mut wrapped = 0;
    for wrapping in Wrapping::ALL {
        for capture in [&plain, &plain_v6] {
            if wrapping.wraps_all(capture) {
                wrapped += 1;
                assert_eq!(counts(&wanted, &wrapping.apply(capture)), (1, 3), "{}", wrapping.name);
            }
        }
    }
    assert!(wrapped > 100, "{wrapped} wrappings");
}

#[test]
fn a_layout_of_other_bytes_is_judged_without_a_panic() {
    let wrapped = link::ethernet(&Gre::default().ip(&Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2]), &inner()));
    let layout = *Packet::decode(&Frame::new(&wrapped, LinkType::ETHERNET)).expect("a packet").layout();
    for len in 0..wrapped.len() {
        let other = vec![0x45; len];
        let packet = Packet::from_layout(&Frame::new(&other, LinkType::ETHERNET), layout);
        assert!(!filter("host 192.0.2.1").matches(&packet));
    }
}
