//! What packets cost in memory.

use huginn_net_core::BytesKeeper;
use huginn_net_http::HttpSettings;
use testkit::alloc::{Allocations, measure};
use testkit::capture::Capture;
use testkit::packet::{IpHeader, Ipv4, Tcp, Udp, flags};

use crate::conversation::Conversation;
use crate::watch::Watch;

const HEADER: ([u8; 4], [u8; 4]) = ([10, 0, 0, 1], [10, 0, 0, 2]);

fn segment(port: u16, payload: &[u8]) -> Vec<u8> {
    let segment = Tcp::new(port, 80).flags(flags::ACK).payload(payload);
    Ipv4::new(HEADER.0, HEADER.1).tcp(&segment)
}

#[test]
fn a_packet_of_no_interest_allocates_nothing() {
    let mut watch = Watch::new(HttpSettings::default());
    let header = Ipv4::new(HEADER.0, HEADER.1);
    let packets = [
        segment(1, b""),
        segment(1, &[b'x'; 1_400]),
        segment(1, b"\x17\x03\x03\x05\x00"),
        segment(1, b"GETS / HTTP/1.1\r\n\r\n"),
        segment(1, b"HTTP/2 200 OK"),
        header.udp(&Udp::new(53, 53, &[0; 100])),
        header.carry(1, &[8, 0, 0, 0]),
    ];
    let ((), allocations) = measure(|| packets.iter().for_each(|packet| watch.datagram(packet, 0)));
    assert_eq!(allocations, Allocations::NONE);
}

const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: u\r\nAccept: */*\r\n\r\n";
const OK: &[u8] = b"HTTP/1.1 200 OK\r\nServer: s\r\nContent-Length: 100000000\r\n\r\n";

/// A request, a response and parts of a long body.
fn exchange(port: u16) -> Capture {
    let conversation = Conversation::new(port).client(GET).server(OK);
    conversation.server([b'x'; 50_000]).server_lost(50_000_000).server([b'x'; 50_000]).capture()
}

/// One that has seen as many connections as fill its tables.
fn with_full_tables() -> Watch {
    let mut watch = Watch::new(HttpSettings::default().with_max_flows(8));
    (1..=8).for_each(|port| watch.capture(&exchange(port)));
    watch.events.clear();
    watch
}

#[test]
fn a_head_in_one_segment_goes_into_memory_that_is_there_and_its_body_nowhere() {
    let (mut watch, capture) = (with_full_tables(), exchange(9));
    let ((), allocations) = measure(|| watch.capture(&capture));
    assert_eq!(watch.events.len(), 2);
    assert_eq!(allocations, Allocations::NONE);
}

#[test]
fn heads_that_are_kept_share_pieces_of_memory_and_are_copied_once() {
    let (mut watch, captures) = (with_full_tables(), (101..=300).map(exchange).collect::<Vec<_>>());
    watch.events.reserve_exact(400);
    let ((), allocations) = measure(|| captures.iter().for_each(|capture| watch.capture(capture)));
    assert_eq!(watch.events.len(), 400);
    // Of each piece also the count of those who hold it.
    let pieces = 1 + 200 * (GET.len() + OK.len()) / BytesKeeper::PIECE;
    assert!(allocations.count <= 2 * pieces as u64, "{allocations:?}");
    assert!(allocations.total_bytes <= (pieces * (BytesKeeper::PIECE + 64)) as u64, "{allocations:?}");
}
