//! What packets cost in memory.

use testkit::alloc::{Allocations, measure};
use testkit::corpus;
use testkit::packet::{IpHeader, Ipv4, Tcp, Udp, flags};

use huginn_net_core::{Analyzer, Frame, LinkType, Packet, Timestamp};
use huginn_net_tls::{TlsAnalyzer, TlsEvent, TlsSettings};

const HEADER: ([u8; 4], [u8; 4]) = ([10, 0, 0, 1], [10, 0, 0, 2]);

fn segment(port: u16, sequence: u32, payload: &[u8]) -> Vec<u8> {
    let segment = Tcp::new(port, 443).sequence(sequence).flags(flags::ACK).payload(payload);
    Ipv4::new(HEADER.0, HEADER.1).tcp(&segment)
}

fn push(analyzer: &mut TlsAnalyzer, datagram: &[u8]) {
    push_to(analyzer, datagram, &mut drop);
}

fn push_to(analyzer: &mut TlsAnalyzer, datagram: &[u8], report: &mut dyn FnMut(TlsEvent)) {
    let captured_at = Timestamp::from_parts(1_700_000_000, 0);
    let frame = Frame { captured_at, ..Frame::new(datagram, LinkType::RAW) };
    let packet = Packet::decode(&frame).unwrap();
    if analyzer.affinity(&packet).is_some() {
        analyzer.on_packet(&packet, report);
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
fn a_hello_in_one_segment_is_copied_once_into_memory_that_hellos_share() {
    let hello = std::fs::read(corpus::path("tls/hello/hand-base-tls13.bin")).unwrap();
    let mut analyzer = TlsAnalyzer::new(TlsSettings::default().with_max_flows(8));
    let packets: Vec<_> = (1..=300).map(|port| segment(port, 1, &hello)).collect();
    // The table of connections is as large as it gets.
    packets[..20].iter().for_each(|packet| push(&mut analyzer, packet));
    let dropped = || packets[20..200].iter().for_each(|packet| push(&mut analyzer, packet));
    assert_eq!(measure(dropped).1, Allocations::NONE, "an event that is gone makes room for the next one");

    let mut kept = Vec::with_capacity(100);
    let keep = || {
        packets[200..]
            .iter()
            .for_each(|packet| push_to(&mut analyzer, packet, &mut |event| kept.push(event)));
    };
    let ((), allocations) = measure(keep);
    let bytes = kept.len() as u64 * (hello.len() as u64 - 5);
    assert_eq!(kept.len(), 100);
    assert!(allocations.count <= 2 * (bytes / 8_192 + 1), "{allocations:?}");
    assert!(
        (bytes - 8_192..bytes + 2 * 8_192).contains(&allocations.kept_bytes.cast_unsigned()),
        "{allocations:?} for {bytes}"
    );
}
