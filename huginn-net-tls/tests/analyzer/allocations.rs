//! What packets cost in memory.

use testkit::alloc::{Allocations, measure};
use testkit::corpus;
use testkit::packet::{IpHeader, Ipv4, Tcp, Udp, flags};

use huginn_net_core::{Analyzer, Frame, LinkType, Packet, Timestamp};
use huginn_net_tls::{TlsAnalyzer, TlsSettings};

const HEADER: ([u8; 4], [u8; 4]) = ([10, 0, 0, 1], [10, 0, 0, 2]);

fn segment(port: u16, sequence: u32, payload: &[u8]) -> Vec<u8> {
    let segment = Tcp::new(port, 443).sequence(sequence).flags(flags::ACK).payload(payload);
    Ipv4::new(HEADER.0, HEADER.1).tcp(&segment)
}

fn push(analyzer: &mut TlsAnalyzer, datagram: &[u8]) {
    let captured_at = Timestamp::from_parts(1_700_000_000, 0);
    let frame = Frame { captured_at, ..Frame::new(datagram, LinkType::RAW) };
    let packet = Packet::decode(&frame).unwrap();
    if analyzer.affinity(&packet).is_some() {
        analyzer.on_packet(&packet, &mut drop);
    }
}

#[test]
fn a_packet_of_no_interest_allocates_nothing() {
    let mut analyzer = TlsAnalyzer::new(TlsSettings::default());
    let header = Ipv4::new(HEADER.0, HEADER.1);
    let packets = [
        segment(1, 1, b""),
        segment(1, 1, &[b'x'; 1_400]),
        segment(1, 1, b"\x17\x03\x03\x05\x00"),
        segment(1, 1, b"\x16\x03\x03\x00\x28\x00\x00\x00\x00\x00\x00\x00"),
        segment(1, 1, b"PROXY"),
        header.udp(&Udp::new(53, 53, &[0; 100])),
        header.udp(&Udp::new(5_000, 5_000, b"\x80\x60\x12\x34\x00\x00\x00\x00\x00\x00\x00\x00")),
        header.udp(&Udp::new(5_000, 5_000, b"\x16\xfe\xfd\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")),
        header.carry(1, &[8, 0, 0, 0]),
    ];
    let ((), allocations) = measure(|| packets.iter().for_each(|packet| push(&mut analyzer, packet)));
    assert_eq!(allocations, Allocations::NONE);
}

#[test]
fn a_hello_in_one_segment_is_copied_once() {
    let hello = std::fs::read(corpus::path("tls/hello/hand-base-tls13.bin")).unwrap();
    let mut analyzer = TlsAnalyzer::new(TlsSettings::default().with_max_flows(8));
    let packets: Vec<_> = (1..100).map(|port| segment(port, 1, &hello)).collect();
    // The table of connections is as large as it gets.
    packets[..20].iter().for_each(|packet| push(&mut analyzer, packet));
    let ((), allocations) = measure(|| packets[20..].iter().for_each(|packet| push(&mut analyzer, packet)));
    assert_eq!(allocations.count, 79, "one for each hello: its event");
    assert_eq!(allocations.total_bytes, 79 * (hello.len() as u64 - 5));
    assert_eq!(allocations.kept_bytes, 0);
}
