//! What decoding a frame costs in memory: nothing, unless it is a fragment.

#![cfg(test)]

use huginn_net_core::{CaptureFile, Decoder, Frame, LinkType, Read, Source};
use testkit::alloc::{self, Allocations};
use testkit::capture::{Capture, Endian};
use testkit::container::{self, Pcap};
use testkit::corpus;
use testkit::encap::fragment;
use testkit::encap::link::{self, link_type};
use testkit::packet::{IpHeader, Ipv4, Udp};
use testkit::wrap::Wrapping;

/// What one pass of the frames through a decoder allocates.
fn cost(decoder: &mut Decoder, capture: &Capture) -> Allocations {
    let ((), allocations) = alloc::measure(|| {
        for record in &capture.records {
            let frame = Frame::new(&record.bytes, LinkType(capture.link_type));
            let _ = decoder.decode(&frame);
        }
    });
    allocations
}

#[test]
fn frames_of_every_wrapping_decode_without_an_allocation() {
    let capture = Capture::open(&corpus::path("real/http_clients.pcap"));
    for wrapping in Wrapping::ALL.iter().filter(|wrapping| !wrapping.name.contains("fragments")) {
        let wrapped = wrapping.apply(&capture);
        assert_eq!(cost(&mut Decoder::default(), &wrapped), Allocations::NONE, "{}", wrapping.name);
    }
}

#[test]
fn frames_that_give_no_packet_cost_no_allocation() {
    let datagram = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).udp(&Udp::new(1, 2, &[0; 100]));
    let whole = link::ethernet(&datagram);
    let cut = (0..whole.len()).map(|len| whole[..len].to_vec());
    let arp = link::ethernet_of(0x0806, &[0; 28]);
    let capture = Capture::of_frames(link_type::ETHERNET, cut.chain([arp, vec![], vec![0xff; 2_000]]));
    assert_eq!(cost(&mut Decoder::default(), &capture), Allocations::NONE);
}

#[test]
fn a_reassembled_datagram_leaves_one_buffer_and_the_table_behind() {
    let datagram = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).udp(&Udp::new(1, 2, &[0; 20_000]));
    let pieces = Capture::of_frames(link_type::RAW, fragment::ipv4(&datagram, 1_480));
    let mut decoder = Decoder::new();
    cost(&mut decoder, &pieces);
    let again = cost(&mut decoder, &pieces);
    assert_eq!(again.kept_bytes, 0);
    // Each fragment is copied once, and once more into the datagram.
    assert!(again.total_bytes < 5 * 20_000 / 2, "{again:?}");
}

#[test]
fn a_capture_file_is_read_and_decoded_without_an_allocation_per_frame() {
    let capture = Capture::open(&corpus::path("real/http_servers.pcap"));
    let file = container::pcap(Pcap::Micros, Endian::Little, &capture);
    let mut source = CaptureFile::from_bytes(file).expect("a capture");
    let mut decoder = Decoder::default();
    // The first frame makes its link type known.
    assert!(matches!(source.read(), Ok(Read::Frame(_))));
    let (frames, allocations) = alloc::measure(|| {
        let mut frames = 1;
        while let Ok(Read::Frame(frame)) = source.read() {
            let _ = decoder.decode(&frame);
            frames += 1;
        }
        frames
    });
    assert_eq!(frames, capture.records.len());
    assert_eq!(allocations, Allocations::NONE);
}
