//! Another decoder reads the same frames: where both find a packet they agree on it, and where only one does, the
//! reason is one of a list.

#![cfg(test)]

use std::collections::BTreeMap;
use std::net::IpAddr;

use etherparse::err::packet::SliceError;
use etherparse::{LinkExtSlice, NetSlice, SlicedPacket, TransportSlice};
use huginn_net_core::{Encapsulation, Frame, LinkType, Origin, Packet, Undecoded};
use testkit::encap::link::{self, Tag};
use testkit::packet::{Extension, IpHeader, Ipv4, Ipv6, Tcp, TcpOption, Udp};
use testkit::rng::Rng;

/// What a decoder makes of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reading {
    Packet(Box<Found>),
    Fragment,
    NotIp,
    Nothing,
}

/// A packet and where its parts are in the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    addresses: (IpAddr, IpAddr),
    protocol: u8,
    /// Ports of TCP and UDP.
    ports: Option<(u16, u16)>,
    /// Offsets of the options of TCP, and of the payload with its end; for other protocols, of all behind IP.
    options: Option<(usize, usize)>,
    payload: (usize, usize),
    vlan: Option<u16>,
    /// TTL, traffic class, and the length of options or extension headers up to 255.
    ip: (u8, u8, usize),
}

/// Where a part of `frame` begins and ends.
fn place(frame: &[u8], part: &[u8]) -> (usize, usize) {
    let at = part.as_ptr().addr().wrapping_sub(frame.as_ptr().addr());
    // Nothing can be anywhere.
    if part.is_empty() { (0, 0) } else { (at, at + part.len()) }
}

fn read_by_us(frame: &[u8], decoded: Result<Packet<'_>, Undecoded>) -> Reading {
    let packet = match decoded {
        Ok(packet) => packet,
        Err(Undecoded::Fragment) => return Reading::Fragment,
        Err(Undecoded::NotIp) => return Reading::NotIp,
        Err(_) => return Reading::Nothing,
    };
    let tcp = packet.tcp().map(|segment| (segment.source_port(), segment.destination_port()));
    let udp = packet.udp().map(|datagram| (datagram.source_port(), datagram.destination_port()));
    let (ttl, class) = match (packet.ipv4(), packet.ipv6()) {
        (Some(header), None) => (header.ttl(), header.traffic_class()),
        (None, Some(header)) => (header.hop_limit(), header.traffic_class()),
        both => panic!("{both:?}"),
    };
    Reading::Packet(Box::new(Found {
        addresses: packet.addresses(),
        protocol: packet.protocol().0,
        ports: tcp.or(udp),
        options: packet.tcp().map(|segment| place(frame, segment.options())),
        payload: place(frame, packet.payload()),
        vlan: packet.layout().vlan(),
        ip: (ttl, class, usize::from(packet.layout().ip_options_len())),
    }))
}

fn read_by_them(frame: &[u8], sliced: &Result<SlicedPacket<'_>, SliceError>) -> Reading {
    let Ok(sliced) = sliced else { return Reading::Nothing };
    let (addresses, ip, payload): ((IpAddr, IpAddr), _, _) = match &sliced.net {
        Some(NetSlice::Ipv4(slice)) => {
            let header = slice.header();
            let class = header.dcp().value() << 2 | header.ecn().value();
            let addresses = (header.source_addr().into(), header.destination_addr().into());
            (addresses, (header.ttl(), class, header.options().len()), slice.payload())
        }
        Some(NetSlice::Ipv6(slice)) => {
            let header = slice.header();
            let extensions = slice.extensions().slice().len().min(255);
            let addresses = (header.source_addr().into(), header.destination_addr().into());
            (addresses, (header.hop_limit(), header.traffic_class(), extensions), slice.payload())
        }
        _ => return Reading::NotIp,
    };
    if payload.fragmented {
        return Reading::Fragment;
    }
    let (ports, options, rest) = match &sliced.transport {
        Some(TransportSlice::Tcp(tcp)) => {
            let ports = (tcp.source_port(), tcp.destination_port());
            (Some(ports), Some(place(frame, tcp.options())), tcp.payload())
        }
        Some(TransportSlice::Udp(udp)) => {
            (Some((udp.source_port(), udp.destination_port())), None, udp.payload())
        }
        _ => (None, None, payload.payload),
    };
    let ids = || {
        sliced.link_exts.iter().filter_map(|extension| match extension {
            LinkExtSlice::Vlan(tag) => Some(tag.vlan_identifier().value()),
            LinkExtSlice::Macsec(_) => None,
        })
    };
    // A priority tag gives way to the VLAN inside it.
    let outermost = ids().find(|&id| id != 0).or_else(|| ids().next());
    Reading::Packet(Box::new(Found {
        addresses,
        protocol: payload.ip_number.0,
        ports,
        options,
        payload: place(frame, rest),
        vlan: outermost,
        ip,
    }))
}

/// The EtherType behind all tags, and how many there are.
fn behind_tags(frame: &[u8]) -> (u16, usize) {
    let (mut at, mut tags) = (12, 0);
    loop {
        let Some(&[high, low]) = frame.get(at..).and_then(|rest| rest.first_chunk()) else {
            return (0, tags);
        };
        match u16::from_be_bytes([high, low]) {
            0x8100 | 0x88a8 | 0x9100 => (at, tags) = (at + 4, tags + 1),
            other => return (other, tags),
        }
    }
}

/// Why two readings of a frame may differ; `None` if they may not.
fn reason(
    frame: &[u8],
    decoded: &Result<Packet<'_>, Undecoded>,
    (ours, sliced, theirs): (&Reading, &Result<SlicedPacket<'_>, SliceError>, &Reading),
) -> Option<&'static str> {
    const TUNNEL_PORTS: [u16; 12] =
        [4789, 8472, 6081, 2152, 3544, 1701, 4341, 4754, 4790, 6080, 6635, 37_008];
    let (ether_type, tags) = behind_tags(frame);
    if tags > 3 {
        return Some("they pass three tags");
    }
    match ether_type {
        0..0x600 => return Some("they do not look into IEEE 802.3"),
        0x8847 | 0x8848 | 0x8864 | 0x8909 => return Some("they do not look into MPLS, PPPoE and metadata"),
        0x88e5 => return Some("they take the check value of MACsec for payload"),
        0x9200 | 0x9300 => return Some("they do not know these types of tags"),
        0x22f3 | 0x6558 | 0x88e7 | 0x8903 | 0x8926 | 0x893f | 0x894f => {
            return Some("they do not look into headers of bridges");
        }
        0x0806 => return Some("a malformed ARP packet is an error to them"),
        _ => {}
    }
    if let Ok(packet) = decoded {
        if packet.layout().path().iter().any(|layer| layer != Encapsulation::Vlan) {
            return Some("they do not look into tunnels");
        }
        if packet.layout().has_zero_length() && packet.ipv4().is_some() {
            return Some("a total length of zero is an error to them");
        }
    }
    if let Reading::Packet(found) = theirs {
        let is_tunnel = matches!(found.protocol, 4 | 41 | 47 | 97 | 115 | 137 | 143)
            || found.ports.is_some_and(|(_, port)| found.protocol == 17 && TUNNEL_PORTS.contains(&port))
            || found.ports.is_some_and(|(port, _)| found.protocol == 17 && matches!(port, 1701 | 3544));
        if is_tunnel && *ours != Reading::NotIp {
            return Some("they do not look into tunnels");
        }
        if is_tunnel {
            return Some("a tunnel of another protocol is not IP");
        }
    }
    if let (Reading::Packet(found), Ok(packet)) = (ours, decoded)
        && packet.ipv4().is_some()
        && found.protocol == 51
    {
        return Some("they pass the authentication header of IPv4");
    }
    if let Err(SliceError::Len(_)) = sliced
        && let Reading::Packet(found) = ours
        && matches!(found.protocol, 1 | 2 | 58)
    {
        return Some("a short header of ICMP or IGMP is an error to them");
    }
    match (sliced, ours) {
        (Err(SliceError::Ipv6Exts(_)), _) => Some("they want IPv6 extension headers in order"),
        (_, Reading::Fragment) if *theirs == Reading::Nothing => {
            Some("they look for further extension headers in the payload of an IPv6 fragment")
        }
        _ if matches!(decoded, Err(Undecoded::TooDeep)) => Some("they pass any number of extension headers"),
        _ => None,
    }
}

fn seed(rng: &mut Rng) -> Vec<u8> {
    let options = [
        TcpOption::Mss(1_460),
        TcpOption::SackPermitted,
        TcpOption::Timestamps(1, 0),
        TcpOption::Nop,
        TcpOption::WindowScale(7),
    ];
    let kept = rng.below(6);
    let len = rng.below(40);
    let payload = rng.bytes(len);
    let tcp = Tcp::new(rng.next_u16(), 443).options(options.into_iter().take(kept)).payload(&payload);
    let udp = Udp::new(rng.next_u16(), 53, &payload);
    let extensions = [
        Extension::HopByHop(vec![1, 4]),
        Extension::Routing(vec![0; 14]),
        Extension::Fragment { offset: 0, more: false, identification: 5 },
        Extension::Authentication(vec![0; 12]),
        Extension::Destination(vec![1, 4]),
    ];
    let four = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).options(&vec![1; 4 * rng.below(4)]);
    let six = Ipv6::new([1; 8], [2; 8]).extensions(extensions.into_iter().filter(|_| rng.one_in(3)));
    let datagram = match rng.below(5) {
        0 | 1 => four.tcp(&tcp),
        2 => four.udp(&udp),
        3 => six.tcp(&tcp),
        _ => six.udp(&udp),
    };
    let tags: Vec<_> = (1..=4).take(rng.below(6).saturating_sub(2)).map(Tag::vlan).collect();
    let mut frame = link::vlan(&tags, &datagram);
    frame.resize(frame.len() + if rng.one_in(3) { rng.below(20) } else { 0 }, 0);
    frame
}

/// Changes bytes, mostly in the headers; cuts or repeats now and then.
fn mutate(frame: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..rng.below(4) {
        let at = rng.below(frame.len().min(90));
        frame[at] = match rng.below(4) {
            0 => frame[at] ^ 1 << rng.below(8),
            1 => frame[at].wrapping_add(1),
            2 => [0, 1, 4, 6, 17, 41, 44, 47, 51, 58, 60, 0xff][rng.below(12)],
            _ => rng.next_u8(),
        };
    }
    if rng.one_in(8) {
        frame.truncate(rng.below(frame.len() + 1));
    }
}

#[test]
fn another_decoder_finds_the_same_packets() {
    const FRAMES: usize = 60_000;
    let mut rng = Rng::new(2_024);
    let (mut agreed, mut found, mut excused) = (0, 0, BTreeMap::<&str, usize>::new());
    for _ in 0..FRAMES {
        let mut frame = seed(&mut rng);
        mutate(&mut frame, &mut rng);
        let decoded = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET));
        let sliced = SlicedPacket::from_ethernet(&frame);
        let (ours, theirs) = (read_by_us(&frame, decoded), read_by_them(&frame, &sliced));
        if ours == theirs {
            agreed += 1;
            found += usize::from(matches!(ours, Reading::Packet(_)));
            continue;
        }
        let Some(reason) = reason(&frame, &decoded, (&ours, &sliced, &theirs)) else {
            panic!("{frame:02x?}:\nours {ours:?} ({decoded:?})\ntheirs {theirs:?} ({sliced:?})");
        };
        *excused.entry(reason).or_default() += 1;
    }
    assert_eq!(agreed + excused.values().sum::<usize>(), FRAMES);
    assert!(found > FRAMES / 2 && agreed > FRAMES * 8 / 10, "{found} found, {agreed} agreed: {excused:?}");
}

#[test]
fn a_packet_has_the_flow_of_its_addresses_and_ports_however_it_was_decoded() {
    let mut rng = Rng::new(38);
    let mut with_ports = 0;
    for _ in 0..20_000 {
        let mut frame = seed(&mut rng);
        mutate(&mut frame, &mut rng);
        let Ok(packet) = Packet::decode(&Frame::new(&frame, LinkType::ETHERNET)) else { continue };
        let expected = packet.ports().map(|_| Origin::of(&packet).flow());
        assert_eq!(packet.flow(), expected, "{frame:02x?}");
        with_ports += usize::from(expected.is_some());
    }
    assert!(with_ports > 10_000, "{with_ports}");
}

#[test]
fn another_decoder_finds_the_same_packets_in_captures_of_real_traffic() {
    for path in testkit::corpus::captures("real") {
        let capture = testkit::capture::Capture::open(&path);
        for record in capture.records.iter().filter(|record| record.wire_len as usize == record.bytes.len()) {
            let decoded = Packet::decode(&Frame::new(&record.bytes, LinkType::ETHERNET));
            let sliced = SlicedPacket::from_ethernet(&record.bytes);
            let ours = read_by_us(&record.bytes, decoded);
            assert_eq!(ours, read_by_them(&record.bytes, &sliced), "{}", path.display());
        }
    }
}
