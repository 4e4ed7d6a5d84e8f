//! Headers that whoever captured a frame put before it, and links that are seldom.

use huginn_net_core::{Frame, LinkType, Packet, Undecoded};
use testkit::capture::Endian;
use testkit::encap::captured;
use testkit::encap::link::{self, Wifi};
use testkit::packet::IpHeader;

use crate::{cut, header4, refused, syn};

fn frame() -> Vec<u8> {
    link::ethernet(&header4().tcp(&syn()))
}

fn be16(len: usize) -> [u8; 2] {
    u16::try_from(len).expect("a short record").to_be_bytes()
}

#[test]
fn a_pktap_header_ends_where_its_length_says_behind_the_fields_that_are_read() {
    let whole = captured::pktap(1, 0, &frame());
    let frame_at = whole.len() - frame().len();
    for len in [51, 52, 53, 108, 200] {
        let mut bytes = whole[..frame_at].to_vec();
        bytes.resize(len, 0);
        bytes[0] = u8::try_from(len).unwrap();
        bytes.extend(frame());
        let frame = Frame::new(&bytes, LinkType::PKTAP);
        match Packet::decode(&frame) {
            Ok(packet) => assert!(len >= 52 && packet.tcp().is_some(), "{len}"),
            Err(error) => assert_eq!((len, error), (51, Undecoded::Encapsulation)),
        }
    }
}

#[test]
fn malformed_headers_are_told_apart_from_other_protocols() {
    type Change = (usize, u8);
    let cases: [(Vec<u8>, LinkType, Change, Undecoded); 12] = [
        (captured::ppi(1, false, &frame()), LinkType::PPI, (0, 1), Undecoded::Encapsulation),
        (captured::ppi(1, false, &frame()), LinkType::PPI, (2, 7), Undecoded::Encapsulation),
        (captured::ppi(1, false, &frame()), LinkType::PPI, (5, 9), Undecoded::UnknownLinkType),
        (
            captured::avs(&link::wifi(Wifi::default(), &frame()[14..])),
            LinkType::IEEE802_11_AVS,
            (0, 0),
            Undecoded::Encapsulation,
        ),
        (
            captured::avs(&link::wifi(Wifi::default(), &frame()[14..])),
            LinkType::IEEE802_11_AVS,
            (7, 7),
            Undecoded::Encapsulation,
        ),
        (captured::pktap(1, 0, &frame()), LinkType::PKTAP, (0, 51), Undecoded::Encapsulation),
        (captured::pktap(1, 0, &frame()), LinkType::PKTAP, (4, 0), Undecoded::NotIp),
        (captured::pktap(1, 0, &frame()), LinkType::PKTAP, (50, 1), Undecoded::Encapsulation),
        (captured::juniper(&frame()), LinkType::JUNIPER_ETHERNET, (0, b'm'), Undecoded::Encapsulation),
        (captured::erf(0, &frame()), LinkType::ERF, (8, 1), Undecoded::NotIp),
        (link::frame_relay(&frame()[14..]), LinkType::FRELAY, (3, 0x81), Undecoded::NotIp),
        (
            link::token_ring(6, 0x0800, &frame()[14..]),
            LinkType::TOKEN_RING,
            (14, 0xc0),
            Undecoded::Encapsulation,
        ),
    ];
    for (bytes, link_type, (at, value), reason) in cases {
        assert_eq!(refused(&bytes, link_type), None, "{link_type}");
        let mut bytes = bytes;
        bytes[at] = value;
        assert_eq!(refused(&bytes, link_type), Some(reason), "{link_type} {at}");
    }
}

#[test]
fn addresses_of_frame_relay_have_four_bytes_at_most() {
    let datagram = header4().tcp(&syn());
    for (address, expected) in [
        (&[0x18, 0x41][..], None),
        (&[0x18, 0x40, 0x41], None),
        (&[0x18, 0x40, 0x40, 0x41], None),
        (&[0x18, 0x40, 0x40, 0x40, 0x41], Some(Undecoded::Encapsulation)),
    ] {
        let frame = [address, &[0x03, 0xcc], &datagram].concat();
        assert_eq!(refused(&frame, LinkType::FRELAY), expected, "{address:?}");
    }
    let padded = [&[0x18, 0x41, 0x03, 0x00, 0x80, 0, 0, 0, 8, 0][..], &datagram].concat();
    assert_eq!(refused(&padded, LinkType::FRELAY), None);
}

#[test]
fn frames_that_arrived_damaged_are_not_read() {
    let mut ppi = captured::ppi(105, true, &link::wifi(Wifi::default(), &header4().tcp(&syn())));
    // Behind header, vendor's field, and type, length and time of the one about the radio.
    ppi[8 + 7 + 4 + 8] |= 0x04;
    assert_eq!(refused(&ppi, LinkType::PPI), Some(Undecoded::FrameCheck));
}

#[test]
fn headers_within_headers_come_to_an_end() {
    let mut bytes = frame();
    for depth in 1..=40 {
        bytes = captured::ppi(192, false, &bytes);
        if depth == 1 {
            // The innermost holds Ethernet.
            bytes[4] = 1;
        }
        let expected = (depth > 29).then_some(Undecoded::TooDeep);
        assert_eq!(refused(&bytes, LinkType::PPI), expected, "{depth}");
    }
}

#[test]
fn check_sequences_and_trailers_are_no_part_of_a_packet_whose_length_is_zero() {
    let offloaded = link::ethernet(&header4().total_length(0).tcp(&syn().payload(&[9; 100])));
    for (bytes, link_type) in [
        (captured::net_analyzer(false, &offloaded), LinkType::NETANALYZER),
        (captured::net_analyzer(true, &offloaded), LinkType::NETANALYZER_TRANSPARENT),
        (captured::erf(1, &offloaded), LinkType::ERF),
        (captured::pktap(1, 4, &offloaded), LinkType::PKTAP),
    ] {
        let packet = Packet::decode(&Frame::new(&bytes, link_type)).expect("a packet");
        assert_eq!(packet.payload(), [9; 100], "{link_type}");
        // Where the capture cut the frame, they are not there.
        let packet = Packet::decode(&cut(&bytes, bytes.len() - 50, link_type)).expect("a packet");
        assert!(packet.layout().is_cut() && packet.payload().len() >= 50, "{link_type}");
    }
}

#[test]
fn a_record_of_endace_says_how_much_of_its_frame_it_holds() {
    /// Header and two bytes before Ethernet.
    const FRONT: usize = 18;
    let datagram = header4().tcp(&syn().payload(&[9; 101]));
    let frame = link::ethernet(&datagram);
    let whole = captured::erf(0, &frame);
    let record = |bytes: &[u8], wire_len: usize| {
        let mut record = [&whole[..FRONT], bytes].concat();
        let record_len = be16(record.len());
        record[10..12].copy_from_slice(&record_len);
        record[14..16].copy_from_slice(&be16(wire_len));
        record
    };
    let payload_of = |record: &[u8]| {
        let packet = Packet::decode(&Frame::new(record, LinkType::ERF)).expect("a packet");
        (packet.layout().is_cut(), packet.payload().len())
    };
    let sequence = &whole[FRONT + frame.len()..];
    let with_sequence = [&frame[..], sequence].concat();
    // As it is, and filled up to a multiple of 8 bytes.
    assert_eq!(payload_of(&record(&with_sequence, frame.len() + 4)), (false, 101));
    assert_eq!(payload_of(&record(&[&with_sequence[..], &[0; 7]].concat(), frame.len() + 4)), (false, 101));
    // Made by software, of a frame without a check sequence.
    assert_eq!(payload_of(&record(&frame, frame.len())), (false, 101));
    let labelled = link::mpls(&[16], &datagram);
    assert_eq!(payload_of(&record(&labelled, labelled.len())), (false, 101));
    // The card kept all but the check sequence, or but a part of it, or less.
    assert_eq!(payload_of(&record(&frame, frame.len() + 4)), (false, 101));
    assert_eq!(payload_of(&record(&with_sequence[..frame.len() + 2], frame.len() + 4)), (false, 101));
    assert_eq!(payload_of(&record(&frame[..frame.len() - 50], frame.len() + 4)), (true, 51));
    // What is behind the record is no part of it.
    let mut shorter = whole.clone();
    shorter[10..12].copy_from_slice(&be16(FRONT + frame.len() - 60));
    assert_eq!(payload_of(&shorter), (true, 41));
    shorter[10..12].copy_from_slice(&be16(17));
    assert_eq!(refused(&shorter, LinkType::ERF), Some(Undecoded::Encapsulation));
}

#[test]
fn a_record_of_endace_holds_a_frame_of_length_zero_without_its_check_sequence_or_padding() {
    let offloaded = link::ethernet(&header4().total_length(0).tcp(&syn().payload(&[9; 100])));
    let mut record = captured::erf(0, &offloaded);
    record.extend([0; 6]);
    let record_len = be16(record.len());
    record[10..12].copy_from_slice(&record_len);
    let packet = Packet::decode(&Frame::new(&record, LinkType::ERF)).expect("a packet");
    assert_eq!(packet.payload(), [9; 100]);
}

#[test]
fn flags_of_attributes_do_not_hide_in_which_byte_order_a_netfilter_log_is() {
    for endian in [Endian::Little, Endian::Big] {
        let log = captured::nflog(endian, &header4().tcp(&syn()));
        // What is known of the connection (19), nested.
        let nested = [&endian.u16(8)[..], &endian.u16(0x8013), &[0; 4]].concat();
        let log = [&log[..4], &nested, &log[4..]].concat();
        let packet = Packet::decode(&Frame::new(&log, LinkType::NFLOG)).expect("a packet");
        assert!(packet.tcp().is_some());
    }
}

#[test]
fn attributes_of_a_netfilter_log_cost_a_turn_each_and_may_be_all_there_is() {
    let log = captured::nflog(Endian::Little, &header4().tcp(&syn()));
    // The first of them is 8 bytes long; here they have no packet behind them.
    let without = [&log[..4], &log[4..12].repeat(8_000)].concat();
    assert_eq!(refused(&without, LinkType::NFLOG), Some(Undecoded::Encapsulation));
    let mut short = log;
    short[4] = 3;
    assert_eq!(refused(&short, LinkType::NFLOG), Some(Undecoded::Encapsulation));
}
