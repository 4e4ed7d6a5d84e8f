//! Capture files of every format, whole and damaged.

#![cfg(test)]

#[cfg(any(feature = "gzip", feature = "zstd"))]
mod compressed;
mod damage;
mod formats;
mod short;
mod streams;

use std::io;

use huginn_net_core::source::{Behind, Block};
use huginn_net_core::source::{Damage, DamageReason};
use huginn_net_core::{CaptureFile, Frame, Read, Source, SourceStats};
use testkit::rng::Rng;

use Order::{Big, Little};

const MICROS: u32 = 0xa1b2_c3d4;
const NANOS: u32 = 0xa1b2_3c4d;
const KUZNETZOV: u32 = 0xa1b2_cd34;
const FILE_HEADER: usize = 24;

const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const STATISTICS: u32 = 5;
const ENHANCED_PACKET: u32 = 6;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn u16(self, value: u16) -> [u8; 2] {
        if self == Big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn u32(self, value: u32) -> [u8; 4] {
        if self == Big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn words(self, values: &[u32]) -> Vec<u8> {
        values.iter().flat_map(|value| self.u32(*value)).collect()
    }
}

/// A frame as it is written, and as it is expected back.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Packet {
    nanos: u64,
    wire_len: u32,
    link_type: u16,
    bytes: Vec<u8>,
}

impl Packet {
    fn of(frame: &Frame<'_>) -> Self {
        Self {
            nanos: frame.captured_at.as_nanos(),
            wire_len: frame.wire_len,
            link_type: frame.link_type.0,
            bytes: frame.bytes.to_vec(),
        }
    }
}

/// Ethernet frames of several lengths, one in six empty and one in six cut, 0.4 s apart, in whole
/// microseconds.
fn packets(count: u32) -> Vec<Packet> {
    let mut rng = Rng::new(7);
    (0..count)
        .map(|index| {
            let kind = index as usize % 6;
            let bytes = rng.bytes([60, 1, 0, 1514, 96, 333][kind]);
            Packet {
                nanos: 1_700_000_000_123_456_000 + u64::from(index) * 400_000_000,
                wire_len: u32::try_from(bytes.len()).unwrap() + [0, 0, 60, 0, 1418, 0][kind],
                link_type: 1,
                bytes,
            }
        })
        .collect()
}

fn pcap_header(magic: u32, order: Order, snaplen: u32, network: u32) -> Vec<u8> {
    let version = [order.u16(2), order.u16(4)].concat();
    [&order.u32(magic)[..], &version, &order.words(&[0, 0, snaplen, network])].concat()
}

fn record(magic: u32, order: Order, packet: &Packet) -> Vec<u8> {
    let seconds = u32::try_from(packet.nanos / 1_000_000_000).unwrap();
    let fraction =
        u32::try_from(packet.nanos % 1_000_000_000).unwrap() / if magic == NANOS { 1 } else { 1000 };
    let captured_len = u32::try_from(packet.bytes.len()).unwrap();
    let mut record = order.words(&[seconds, fraction, captured_len, packet.wire_len]);
    if magic == KUZNETZOV {
        record.extend([0xff; 8]);
    }
    record.extend(&packet.bytes);
    record
}

fn pcap_of(magic: u32, order: Order, packets: &[Packet]) -> Vec<u8> {
    let mut file = pcap_header(magic, order, 65_535, 1);
    file.extend(packets.iter().flat_map(|packet| record(magic, order, packet)));
    file
}

fn pcap(packets: &[Packet]) -> Vec<u8> {
    pcap_of(MICROS, Little, packets)
}

fn block(order: Order, block_type: u32, body: &[u8]) -> Vec<u8> {
    let padding = body.len().next_multiple_of(4) - body.len();
    let len = u32::try_from(12 + body.len() + padding).unwrap();
    [&order.words(&[block_type, len])[..], body, &[0; 3][..padding], &order.u32(len)].concat()
}

fn section(order: Order) -> Vec<u8> {
    let version = [order.u16(1), order.u16(0)].concat();
    block(order, SECTION, &[&order.u32(0x1a2b_3c4d)[..], &version, &[0xff; 8]].concat())
}

fn option(order: Order, code: u16, value: &[u8]) -> Vec<u8> {
    let padding = value.len().next_multiple_of(4) - value.len();
    let len = u16::try_from(value.len()).unwrap();
    [&order.u16(code)[..], &order.u16(len), value, &[0; 3][..padding]].concat()
}

fn interface(order: Order, link_type: u16, snaplen: u32, options: &[u8]) -> Vec<u8> {
    let body = [&order.u16(link_type)[..], &[0; 2], &order.u32(snaplen), options].concat();
    block(order, INTERFACE, &body)
}

/// An Ethernet interface that counts nanoseconds.
fn nanos_interface(order: Order) -> Vec<u8> {
    interface(order, 1, 0, &option(order, 9, &[9]))
}

fn enhanced(order: Order, interface: u32, ticks: u64, packet: &Packet) -> Vec<u8> {
    let [high, low] = [ticks >> 32, ticks & 0xffff_ffff].map(|half| u32::try_from(half).unwrap());
    let captured_len = u32::try_from(packet.bytes.len()).unwrap();
    let fields = order.words(&[interface, high, low, captured_len, packet.wire_len]);
    block(order, ENHANCED_PACKET, &[&fields[..], &packet.bytes].concat())
}

fn pcapng(order: Order, packets: &[Packet]) -> Vec<u8> {
    let mut file = [section(order), nanos_interface(order)].concat();
    file.extend(packets.iter().flat_map(|packet| enhanced(order, 0, packet.nanos, packet)));
    file
}

/// Everything that a capture gives.
fn drain(mut source: CaptureFile) -> (Vec<Packet>, SourceStats) {
    let mut packets = Vec::new();
    while let Read::Frame(frame) = source.read().unwrap() {
        packets.push(Packet::of(&frame));
        assert_eq!(frame.number, packets.len() as u64);
    }
    assert_eq!(source.read().unwrap(), Read::End);
    let stats = source.stats().clone();
    assert_eq!(stats.packets, packets.len() as u64);
    (packets, stats)
}

/// The same in blocks of so many frames.
fn in_blocks(mut source: CaptureFile, max_frames: usize) -> (Vec<Packet>, SourceStats) {
    let (mut block, mut packets) = (Block::new(max_frames, 5_000), Vec::new());
    loop {
        let behind = source.read_block(&mut block).unwrap();
        assert_eq!(block.len(), block.frames().count());
        for frame in block.frames() {
            packets.push(Packet::of(&frame));
            assert_eq!(frame.number, packets.len() as u64);
        }
        if behind == Behind::End {
            return (packets, source.stats().clone());
        }
    }
}

/// Everything that a capture gives, one by one as in blocks.
fn read(bytes: &[u8]) -> (Vec<Packet>, SourceStats) {
    let one_by_one = drain(CaptureFile::from_bytes(bytes).unwrap());
    let in_blocks = in_blocks(CaptureFile::from_bytes(bytes).unwrap(), 7);
    assert_eq!(in_blocks.1, one_by_one.1);
    assert!(in_blocks.0 == one_by_one.0, "frames in blocks differ");
    one_by_one
}

#[track_caller]
fn assert_reads(bytes: &[u8], expected: &[Packet], damage: &[(DamageReason, usize)]) {
    let (packets, stats) = read(bytes);
    let damage: Vec<_> = damage.iter().map(|(reason, at)| Damage::new(*reason, *at as u64)).collect();
    assert_eq!(stats.damage, damage);
    assert_eq!(packets.len(), expected.len());
    assert!(packets == expected, "the frames differ");
}

/// Delivers at most so many bytes at a time.
struct Trickle<R>(R, usize);

impl<R: io::Read> io::Read for Trickle<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = into.len().min(self.1);
        self.0.read(&mut into[..len])
    }
}

/// Fails on every read.
struct Failing;

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is on fire"))
    }
}
