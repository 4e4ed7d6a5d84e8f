//! IEEE 802.11.

use std::collections::BTreeSet;

use huginn_net_core::{Decoder, Filter, Frame, LinkType, Packet, Undecoded};
use testkit::encap::link::{self, LengthOrder, Wifi};
use testkit::encap::{fragment, tunnel};
use testkit::packet::{IpHeader, Tcp, protocol};

use crate::{cut, header4, refused, syn};

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
fn encrypted_frames_of_802_11_are_counted_as_such() {
    let frame = link::wifi(Wifi { protected: true, ..Wifi::default() }, &header4().tcp(&syn()));
    assert_eq!(refused(&frame, LinkType::IEEE802_11), Some(Undecoded::Encrypted));
    assert_eq!(
        refused(&link::radiotap(false, &frame), LinkType::IEEE802_11_RADIOTAP),
        Some(Undecoded::Encrypted)
    );
}

#[test]
fn frames_of_another_version_of_802_11_are_not_read() {
    let mut frame = link::wifi(Wifi::default(), &header4().tcp(&syn()));
    for version in 0..4 {
        frame[0] = frame[0] & !0b11 | version;
        let expected = (version != 0).then_some(Undecoded::NotIp);
        assert_eq!(refused(&frame, LinkType::IEEE802_11), expected, "{version}");
    }
}

const QOS: Wifi = Wifi { qos: true, four_addresses: false, ht_control: false, protected: false, mesh: None };
const MESH: Wifi = Wifi { mesh: Some(0), four_addresses: true, ..QOS };

/// SYNs from these ports, each with one byte of payload more than the one before.
fn syns(ports: impl IntoIterator<Item = u16>) -> Vec<Vec<u8>> {
    ports
        .into_iter()
        .enumerate()
        .map(|(index, port)| header4().tcp(&Tcp::new(port, 80).payload(&vec![7; index])))
        .collect()
}

/// The source port of each packet that a frame gives, and how often it gave none for which reason.
fn ports_of(frame: &Frame<'_>) -> (Vec<u16>, Vec<(Undecoded, u64)>) {
    let mut decoder = Decoder::default();
    let mut ports = Vec::new();
    decoder.decode_each(frame, |packet| ports.push(packet.tcp().unwrap().source_port()));
    let stats = decoder.stats();
    assert_eq!(stats.decoded, ports.len() as u64);
    (ports, stats.undecoded)
}

/// The source ports of a whole frame whose parts all give a packet.
#[track_caller]
fn wifi_ports(frame: &[u8]) -> Vec<u16> {
    let (ports, undecoded) = ports_of(&Frame::new(frame, LinkType::IEEE802_11));
    assert_eq!(undecoded, []);
    ports
}

#[test]
fn every_datagram_of_an_aggregated_frame_is_given_in_order() {
    for count in [1, 2, 3, 9] {
        let frame = link::wifi_aggregate(QOS, LengthOrder::Big, &syns(1..=count));
        assert_eq!(wifi_ports(&frame), (1..=count).collect::<Vec<_>>());
    }
}

#[test]
fn aggregated_frames_end_before_a_frame_check_sequence_and_padding() {
    let frame = link::wifi_aggregate(QOS, LengthOrder::Big, &syns([1, 2]));
    let checked = link::radiotap(true, &frame);
    assert_eq!(ports_of(&Frame::new(&checked, LinkType::IEEE802_11_RADIOTAP)), (vec![1, 2], vec![]));
    // Padding of the last one, and a check sequence that nothing announces.
    let trailed = [&frame[..], &[0xee; 3], &[1, 2, 3, 4]].concat();
    assert_eq!(wifi_ports(&trailed), [1, 2]);
}

#[test]
fn a_frame_that_arrived_damaged_is_not_decoded() {
    let frame = link::wifi(Wifi::default(), &header4().tcp(&syn()));
    for check_sequence in [false, true] {
        let mut captured = link::radiotap(check_sequence, &frame);
        assert_eq!(refused(&captured, LinkType::IEEE802_11_RADIOTAP), None);
        // The flags, behind 16 bytes of presence and padding and 8 of the timer.
        assert_eq!(captured[24] & 0x40, 0);
        captured[24] |= 0x40;
        assert_eq!(refused(&captured, LinkType::IEEE802_11_RADIOTAP), Some(Undecoded::FrameCheck));
    }
}

#[test]
fn an_aggregated_frame_that_gives_no_packet_is_counted_and_the_others_are_given() {
    let mut datagrams = syns([1, 2, 3]);
    datagrams[1] = header4().fragment_offset(1).carry(protocol::UDP, &[1; 16]);
    let frame = link::wifi_aggregate(QOS, LengthOrder::Big, &datagrams);
    // Zeros are frames of no length: six of them in 100 bytes.
    let mut frame = [&frame[..], &[0; 100]].concat();
    // EtherType and version of the first one, behind 26 bytes of header, 14 of subheader and 6 of LLC.
    assert_eq!(frame[46..49], [0x08, 0x00, 0x45]);
    let of_type = |frame: &[u8]| ports_of(&Frame::new(frame, LinkType::IEEE802_11));
    frame[48] = 0xf5;
    let others = [(Undecoded::Fragment, 1), (Undecoded::Encapsulation, 6)];
    let wrong_version = [others[0], (Undecoded::IpVersion, 1), others[1]];
    assert_eq!(of_type(&frame), (vec![3], wrong_version.to_vec()));
    frame[46..48].copy_from_slice(&[0x08, 0x06]);
    let not_ip = [(Undecoded::NotIp, 1), others[0], others[1]];
    assert_eq!(of_type(&frame), (vec![3], not_ip.to_vec()));
}

#[test]
fn an_aggregated_frame_longer_than_the_rest_is_the_last() {
    let mut frame = link::wifi_aggregate(QOS, LengthOrder::Big, &syns([1, 2]));
    // The length of the first, behind 26 bytes of header and two addresses.
    assert_eq!(frame[38..40], [0, 48]);
    frame[38] = 0xff;
    assert_eq!(wifi_ports(&frame), [1]);
}

#[test]
fn aggregated_frames_that_the_capture_cut_are_given_as_far_as_they_go() {
    let frame = link::wifi_aggregate(QOS, LengthOrder::Big, &syns([1, 2, 3]));
    // 26 bytes of header; 14 of subheader, 8 of LLC, 40 of datagram and its payload, each, and padding.
    let ends = [26 + 62, 26 + 64 + 63, 26 + 64 + 64 + 64];
    assert_eq!(frame.len(), ends[2]);
    for len in 0..=frame.len() {
        let (ports, undecoded) = ports_of(&cut(&frame, len, LinkType::IEEE802_11));
        // The payload of the last one may be missing. Of what begins behind the capture, nothing is known.
        let given = ends.iter().zip(0..).filter(|&(end, payload)| len >= end - payload).count();
        let is_another_begun = given < 3 && len > [0, 26 + 64, 26 + 128][given];
        let is_cut = is_another_begun || len == 0;
        assert_eq!(ports, (1..).take(given).collect::<Vec<_>>(), "{len}");
        assert_eq!(undecoded, Vec::from_iter(is_cut.then_some((Undecoded::Cut, 1))), "{len}");
    }
}

#[test]
fn an_aggregated_frame_gives_its_first_packet_where_one_is_asked_for() {
    let frame = link::wifi_aggregate(QOS, LengthOrder::Big, &syns([1, 2]));
    let frame = Frame::new(&frame, LinkType::IEEE802_11);
    assert_eq!(Packet::decode(&frame).unwrap().tcp().unwrap().source_port(), 1);
    let mut decoder = Decoder::default();
    assert_eq!(decoder.decode(&frame).unwrap().tcp().unwrap().source_port(), 1);
    assert_eq!(decoder.stats().decoded, 1);
}

#[test]
fn a_datagram_fragmented_over_aggregated_frames_is_put_together() {
    let whole = header4().tcp(&Tcp::new(7, 80).payload(&[1; 100]));
    let pieces = fragment::ipv4(&whole, 80);
    assert_eq!(pieces.len(), 2);
    let frame = link::wifi_aggregate(QOS, LengthOrder::Big, &pieces);
    let given = ports_of(&Frame::new(&frame, LinkType::IEEE802_11));
    assert_eq!(given, (vec![7], vec![(Undecoded::Fragment, 1)]));
}

#[test]
fn every_datagram_of_a_mirrored_frame_is_given_with_what_is_around_it() {
    let mirror: Filter = "udp port 37008".parse().unwrap();
    for count in [1, 2, 5] {
        let aggregate = link::wifi_aggregate(QOS, LengthOrder::Big, &syns(1..=count));
        let whole = tunnel::tzsp(&header4(), 18, &aggregate);
        for frames in [vec![whole.clone()], fragment::ipv4(&whole, 80)] {
            let mut decoder = Decoder::default();
            let (mut ports, mut around) = (Vec::new(), BTreeSet::new());
            for frame in &frames {
                decoder.decode_each(&Frame::new(frame, LinkType::RAW), |packet| {
                    ports.push(packet.tcp().unwrap().source_port());
                    let layout = packet.layout();
                    around.insert((format!("{:?}", layout.path()), layout.domain()));
                    // Outer headers are those of the frame, which fragments do not have in common.
                    assert!(frames.len() > 1 || mirror.matches(packet));
                });
            }
            assert_eq!(ports, (1..=count).collect::<Vec<_>>(), "{} frames", frames.len());
            assert_eq!(decoder.stats().decoded, count.into());
            assert_eq!(around.len(), 1, "{around:?}");
            assert!(around.iter().all(|(path, _)| path.contains("tzsp")), "{around:?}");
        }
    }
}

#[test]
fn mesh_control_is_passed_with_its_addresses() {
    for (addresses, four_addresses) in [(0, true), (1, true), (2, true), (0, false), (1, false)] {
        for ht_control in [false, true] {
            let kind = Wifi { mesh: Some(addresses), four_addresses, ht_control, ..QOS };
            let mut frame = link::wifi(kind, &syns([1])[0]);
            if !four_addresses {
                // To a group: from the distribution system, but not to it.
                frame[1] = frame[1] & !0b11 | 0b10;
            }
            assert_eq!(wifi_ports(&frame), [1], "{kind:?}");
        }
    }
}

#[test]
fn every_datagram_of_an_aggregated_mesh_frame_is_given_however_lengths_are_written() {
    for order in [LengthOrder::Little, LengthOrder::Big, LengthOrder::BigWithMeshControl] {
        for addresses in 0..=2 {
            for count in [1, 2, 5] {
                let kind = Wifi { mesh: Some(addresses), ..MESH };
                let frame = link::wifi_aggregate(kind, order, &syns(1..=count));
                let expected: Vec<_> = (1..=count).collect();
                assert_eq!(wifi_ports(&frame), expected, "{order:?} {addresses}");
                let checked = [&frame[..], &[1, 2, 3, 4]].concat();
                assert_eq!(wifi_ports(&checked), expected, "{order:?} {addresses}, with a check sequence");
            }
        }
    }
}

#[test]
fn an_aggregated_mesh_frame_that_the_capture_cut_gives_what_is_there() {
    for order in [LengthOrder::Little, LengthOrder::Big, LengthOrder::BigWithMeshControl] {
        let frame = link::wifi_aggregate(MESH, order, &syns([1, 2, 3]));
        for len in 0..frame.len() {
            let (given, undecoded) = ports_of(&cut(&frame, len, LinkType::IEEE802_11));
            assert!([1, 2, 3].starts_with(&given), "{order:?} {len} {given:?}");
            assert!(undecoded.iter().all(|&(reason, _)| reason == Undecoded::Cut), "{order:?} {len}");
            // 32 bytes of header; 20 of subheader, 8 of LLC, 44 of datagram, each.
            assert!(given.len() >= len.saturating_sub(32) / 72, "{order:?} {len}");
        }
    }
}

#[test]
fn bits_of_the_qos_control_field_that_mean_mesh_elsewhere_do_not_from_a_station() {
    let datagram = &syns([1])[0];
    // A queue size, from a station to its access point; and the bit between access points, but no mesh control.
    for kind in [QOS, Wifi { four_addresses: true, ..QOS }] {
        let mut frame = link::wifi(kind, datagram);
        let qos_at = if kind.four_addresses { 30 } else { 24 };
        frame[qos_at + 1] = 0x01;
        assert_eq!(wifi_ports(&frame), [1]);
        let mut frame = link::wifi_aggregate(kind, LengthOrder::Big, &syns([1, 2]));
        frame[qos_at + 1] = 0x01;
        assert_eq!(wifi_ports(&frame), [1, 2]);
    }
}
