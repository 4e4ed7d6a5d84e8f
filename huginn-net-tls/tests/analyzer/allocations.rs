//! What packets cost in memory.

use testkit::alloc::{Allocations, measure};
use testkit::corpus;
use testkit::packet::{IpHeader, Ipv4, Tcp, Udp, flags};

use huginn_net_core::{Analyzer, Frame, LinkType, Packet, PendingLimits, Timestamp};
use huginn_net_tls::{ClientHello, TlsAnalyzer, TlsEvent, TlsSettings};

use crate::captures::table;
use crate::watch::{MILLISECOND, Watch};

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

/// Records of all hellos over TCP but those that do not share memory, and those of a version other than 3.x, which are found
/// only where the begin of a connection was seen.
fn records() -> Vec<Vec<u8>> {
    let entries = table("tls/hello.json", "vectors");
    let over_tcp =
        entries.iter().filter(|entry| entry["format"] == "tls-records" && entry["transport"] == "tls");
    let file = |entry: &serde_json::Value| corpus::path("tls").join(entry["file"].as_str().unwrap());
    let records = over_tcp.map(|entry| std::fs::read(file(entry)).unwrap());
    let is_in_one =
        |record: &Vec<u8>| record[0] == 22 && record[9] == 3 && ClientHello::from_record(record).is_ok();
    records.filter(|record| record.len() <= 2_048 && is_in_one(record)).collect()
}

#[test]
fn hellos_of_every_kind_in_one_segment_each_from_a_new_connection_allocate_nothing() {
    let records = records();
    assert!(records.len() > 150, "{}", records.len());
    let mut analyzer = TlsAnalyzer::new(TlsSettings::default().with_max_flows(64));
    let packets: Vec<_> = (1..).zip(records.iter().cycle().take(3 * records.len())).collect();
    let packets: Vec<_> = packets.iter().map(|(port, record)| segment(*port, 1, record)).collect();
    let (before, after) = packets.split_at(records.len());
    before.iter().for_each(|packet| push(&mut analyzer, packet));
    let mut told = 0;
    let mut count = |event: TlsEvent| {
        let hello = &event.client_hello().expect("a hello").hello;
        told += usize::from(hello.ja4().as_str().starts_with('t'));
    };
    let ((), allocations) =
        measure(|| after.iter().for_each(|packet| push_to(&mut analyzer, packet, &mut count)));
    assert_eq!((told, allocations), (2 * records.len(), Allocations::NONE));
}

#[test]
fn a_hello_in_one_segment_and_its_answer_do_not_wait_for_anything() {
    // Whatever began to wait would be given up at once, and counted.
    let mut watch =
        Watch::new(TlsSettings::default().with_pending(PendingLimits::default().with_max_bytes(0)));
    let hello = std::fs::read(corpus::path("tls/hello/hand-base-tls13.bin")).unwrap();
    let answer = std::fs::read(corpus::path("tls/server-hello/openssl-3.0.19-tls1_1-0.bin")).unwrap();
    let answer = [&[22, 3, 3, 0, u8::try_from(answer.len()).unwrap()][..], &answer].concat();
    for port in 1..=100_u16 {
        watch.datagram(&segment(port, 1, &hello), u64::from(port) * MILLISECOND);
        let of_server = Tcp::new(443, port).sequence(1).flags(flags::ACK).payload(&answer);
        watch.datagram(&Ipv4::new(HEADER.1, HEADER.0).tcp(&of_server), u64::from(port) * MILLISECOND);
        watch.datagram(&segment(port, 1, &hello), u64::from(port) * MILLISECOND);
    }
    assert_eq!(
        (watch.hellos().len(), watch.server_hellos().len(), watch.limit("tls_pending")),
        (100, 100, 0)
    );
    watch.datagram(&segment(200, 1, &hello[..100]), 0);
    watch.datagram(&segment(200, 101, &hello[100..]), 0);
    assert_eq!((watch.hellos().len(), watch.limit("tls_pending")), (100, 1), "its begin had to wait");
}
