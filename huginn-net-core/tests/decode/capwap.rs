//! CAPWAP between access points and their controller.

use huginn_net_core::{Decoder, Encapsulation, Frame, LinkType, Packet, Undecoded};
use testkit::encap::link::{self, Wifi};
use testkit::encap::tunnel::Capwap;
use testkit::packet::{IpHeader, Ipv4, Udp};
use testkit::rng::Rng;

use crate::{header4, header6, syn};

const CONTROLLER: [u8; 4] = [192, 0, 2, 1];
const ACCESS_POINT: [u8; 4] = [192, 0, 2, 2];

fn to_controller() -> Ipv4 {
    Ipv4::new(ACCESS_POINT, CONTROLLER)
}

fn decode(datagram: &[u8]) -> Result<Packet<'_>, Undecoded> {
    Packet::decode(&Frame::new(datagram, LinkType::RAW))
}

/// The ports, if a packet came out of CAPWAP and nothing else.
fn ports_inside(packet: &Packet<'_>) -> Option<(u16, u16)> {
    let is_inside = packet.layout().path().iter().eq([Encapsulation::Capwap]);
    packet.tcp().filter(|_| is_inside).map(|tcp| (tcp.source_port(), tcp.destination_port()))
}

/// A frame of a station, of so many bytes of payload, from this port.
fn frame_from(port: u16, payload: usize) -> Vec<u8> {
    let segment = testkit::packet::Tcp::new(port, 443).payload(&vec![7; payload]);
    link::wifi(Wifi::default(), &header4().tcp(&segment))
}

#[test]
fn frames_of_stations_are_found_in_either_byte_order_and_either_direction() {
    for outer_is_v6 in [false, true] {
        for (all_fields, from_controller) in [(false, false), (false, true), (true, false), (true, true)] {
            let capwap = Capwap { all_fields, from_controller, ethernet: false };
            for kind in [
                Wifi::default(),
                Wifi { qos: true, ..Wifi::default() },
                Wifi { qos: true, ht_control: true, ..Wifi::default() },
                Wifi { four_addresses: true, ..Wifi::default() },
            ] {
                let datagram = header4().tcp(&syn());
                for frame in [link::wifi(kind, &datagram), link::wifi_big_endian(kind, &datagram)] {
                    let datagram = if outer_is_v6 {
                        capwap.data(&header6(), &frame)
                    } else {
                        capwap.data(&to_controller(), &frame)
                    };
                    let packet = decode(&datagram).expect("a packet");
                    assert_eq!(ports_inside(&packet), Some((40_000, 80)), "{capwap:?} {kind:?}");
                }
            }
        }
    }
}

#[test]
fn what_carries_no_data_of_ip_says_why() {
    let inside = |frame: &[u8]| Capwap::default().data(&to_controller(), frame);
    let protected = Wifi { protected: true, ..Wifi::default() };
    let datagram = header4().tcp(&syn());
    assert_eq!(decode(&inside(&link::wifi(protected, &datagram))).err(), Some(Undecoded::Encrypted));
    // A probe request, in both orders.
    for control in [[0x40, 0], [0, 0x40]] {
        let frame = [&control[..], &[0; 40]].concat();
        assert_eq!(decode(&inside(&frame)).err(), Some(Undecoded::NotIp));
    }
    // A frame of 802.11 that has more fragments, and the second one.
    for (at, bit) in [(1, 0x04), (22, 0x01)] {
        let mut fragment = link::wifi(Wifi::default(), &datagram);
        fragment[at] |= bit;
        assert_eq!(decode(&inside(&fragment)).err(), Some(Undecoded::Fragment));
    }
    // In the other order, in which the number may lie in either byte.
    let mut frame = link::wifi_big_endian(Wifi::default(), &datagram);
    frame[22] |= 1;
    let with_number = inside(&frame);
    assert!(ports_inside(&decode(&with_number).expect("a packet")).is_some());
    frame[0] |= 0x04;
    assert_eq!(decode(&inside(&frame)).err(), Some(Undecoded::Fragment));
}

#[test]
fn what_is_not_the_header_of_data_is_an_ordinary_datagram() {
    let frame = link::wifi(Wifi::default(), &header4().tcp(&syn()));
    let whole = Capwap::default().data(&to_controller(), &frame);
    let header_at = 28;
    for (at, bits, what) in [
        (0, 0x01, "DTLS"),
        (0, 0x10, "another version"),
        (1, 0x10, "without the fields of every header"),
        (1, 0xf8, "longer than the packet"),
        (2, 0x02, "no kind of network"),
        (2, 0x04, "another kind of network"),
        (3, 0x08, "keeps the session alive"),
        (3, 0x01, "reserved"),
        (8, 0x03, "no version of 802.11"),
    ] {
        let mut datagram = whole.clone();
        datagram[header_at + at] ^= bits;
        if what == "no version of 802.11" {
            datagram[header_at + at + 1] |= 0x03;
        }
        let packet = decode(&datagram).expect(what);
        assert!(packet.udp().is_some() && packet.layout().path().is_empty(), "{what}");
    }
    // An Ethernet frame that is none.
    let datagram = Capwap { ethernet: true, ..Capwap::default() }.data(&to_controller(), &[0x11; 60]);
    assert!(decode(&datagram).expect("a packet").layout().path().is_empty());
    // Another port.
    let datagram = to_controller().udp(&Udp::new(5_246, 5_246, &whole[header_at..]));
    assert!(decode(&datagram).expect("a packet").layout().path().is_empty());
}

#[test]
fn parts_in_any_order_come_to_their_frame_whoever_else_numbers_alike() {
    const ACCESS_POINTS: u16 = 5;
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        let mut parts = Vec::new();
        for number in 0..ACCESS_POINTS {
            // The first two behind one address, as are those to which the controller sends the last two.
            let capwap = Capwap { from_controller: number >= 3, ..Capwap::default() };
            let outer = match number {
                0 | 1 => to_controller(),
                2 => Ipv4::new([192, 0, 2, 9], CONTROLLER),
                _ => Ipv4::new(CONTROLLER, ACCESS_POINT),
            };
            let frame = frame_from(50_000 + number, 500);
            for mut part in capwap.parts(&outer, 136, &frame) {
                let other_port = 49_153_u16.to_be_bytes();
                match number {
                    1 => part[20..22].copy_from_slice(&other_port),
                    4 => part[22..24].copy_from_slice(&other_port),
                    _ => {}
                }
                parts.push(part);
            }
        }
        rng.shuffle(&mut parts);
        let mut decoder = Decoder::default();
        let mut found = Vec::new();
        for part in &parts {
            match decoder.decode(&Frame::new(part, LinkType::RAW)) {
                Ok(packet) => {
                    assert_eq!(packet.tcp().map(|tcp| tcp.payload().len()), Some(500));
                    found.extend(ports_inside(&packet));
                }
                Err(reason) => assert_eq!(reason, Undecoded::Fragment),
            }
        }
        found.sort_unstable();
        assert_eq!(found, [50_000, 50_001, 50_002, 50_003, 50_004].map(|port| (port, 443)));
        assert_eq!(decoder.stats().reassembled, ACCESS_POINTS.into());
    }
}

#[test]
fn parts_that_do_not_fit_give_nothing() {
    let frame = frame_from(50_000, 500);
    let parts = Capwap::default().parts(&to_controller(), 136, &frame);
    let told = |parts: &[&[u8]]| {
        let mut decoder = Decoder::default();
        for part in parts {
            assert!(decoder.decode(&Frame::new(part, LinkType::RAW)).is_err());
        }
        decoder.stats().undecoded
    };
    let [first, second, third, ..] = &parts[..] else { panic!() };
    // One is missing.
    let fragment = |count| [(Undecoded::Fragment, count)];
    assert_eq!(told(&parts.iter().skip(1).map(|part| &part[..]).collect::<Vec<_>>()), fragment(4));
    // The same place with other bytes.
    let mut other = second.clone();
    *other.last_mut().unwrap() ^= 1;
    assert_eq!(
        told(&[first, second, &other, third]),
        [(Undecoded::Fragment, 3), (Undecoded::FragmentOverlap, 1)]
    );
    // An odd number of bytes in front of others.
    let odd = Capwap::default().parts(&to_controller(), 136, &frame[..137]);
    let mut odd = odd[1].clone();
    odd[28 + 3] &= !0x40;
    assert_eq!(told(&[&odd]), [(Undecoded::FragmentLength, 1)]);
    // The capture has a part of one.
    let cut = Frame { bytes: &first[..100], ..Frame::new(first, LinkType::RAW) };
    assert_eq!(Packet::decode(&cut).err(), Some(Undecoded::Cut));
}
