//! Packets of generated traces are whole, and right in their checksums.

#![cfg(test)]

use std::collections::HashSet;

use huginn_net_core::{Checksum, Frame, LinkType, Packet};
use testkit::trace::{Kind, Trace};

#[test]
fn checksums_of_every_packet_are_right() {
    for kind in Kind::ALL {
        let mut trace = Trace::new(kind, 1, 1_000_000);
        let mut lengths = [0_u64; 2];
        while let Some(frame) = trace.next_frame() {
            let packet = Packet::decode(&Frame::new(frame.bytes, LinkType::ETHERNET)).expect("a packet");
            assert_eq!(packet.checksum(), Checksum::Valid, "{}: {:02x?}", kind.name(), frame.bytes);
            if packet.ipv4().is_some() {
                let (words, _) = frame.bytes[14..34].as_chunks::<2>();
                let sum: u32 = words.iter().map(|&word| u32::from(u16::from_be_bytes(word))).sum();
                assert_eq!((sum & 0xffff) + (sum >> 16), 0xffff, "{}: {:02x?}", kind.name(), frame.bytes);
            }
            lengths[usize::from(packet.payload().len() == 1_448)] += 1;
        }
        if kind == Kind::Bulk {
            let full = 100 * lengths[1] / (lengths[0] + lengths[1]);
            assert!((64..68).contains(&full), "{full} % of bulk are full segments");
        }
    }
}

#[test]
fn three_in_four_packets_of_a_mixed_trace_are_bulk() {
    let mut trace = Trace::new(Kind::Mixed, 1, 10_000_000);
    let (mut dns, mut all) = (0, 0);
    // Those who were sent a full segment with the first byte that no record or head has.
    let mut bulk_clients = HashSet::new();
    let mut clients = Vec::new();
    while let Some(frame) = trace.next_frame() {
        let packet = Packet::decode(&Frame::new(frame.bytes, LinkType::ETHERNET)).expect("a packet");
        let (source, destination) = packet.addresses();
        let ports = packet.ports().expect("TCP or UDP");
        let client = if ports.0 >= 32_768 { source } else { destination };
        all += 1;
        dns += usize::from(ports.0 == 53 || ports.1 == 53);
        clients.push(client);
        if packet.tcp().is_some()
            && packet.payload().len() == 1_448
            && packet.payload().first() == Some(&0x80)
        {
            bulk_clients.insert(client);
        }
    }
    let bulk = clients.iter().filter(|client| bulk_clients.contains(client)).count();
    assert!((70..=80).contains(&(100 * bulk / all)), "{bulk} of {all} are bulk");
    assert!((1..=5).contains(&(100 * dns / all)), "{dns} of {all} are DNS");
}
