//! Every kind of file a capture can come in.

use std::io::Write as _;

use crate::capture::{Capture, Endian};
use crate::pcapng::{MICROSECONDS, NANOSECONDS, Pcapng};

/// A variant of the classic pcap format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pcap {
    /// Microseconds.
    Micros,
    /// Nanoseconds.
    Nanos,
    /// The "modified" format of old Linux distributions: eight more bytes in each record header, microseconds.
    Kuznetzov,
    /// That of Nokia's firewalls: four more bytes in each record header, and the magic of microseconds.
    Nokia,
    /// That of Red Hat 6.1: the record header of the modified format, and the magic of microseconds.
    RedHat,
    /// That of SuSE 6.3: four more bytes than the modified format, and its magic.
    Suse,
}

/// The capture as a classic pcap file. Times that are no whole microseconds are rounded down where the variant asks
/// for it.
#[must_use]
pub fn pcap(variant: Pcap, endian: Endian, capture: &Capture) -> Vec<u8> {
    let (magic, nanos_per_tick) = match variant {
        Pcap::Micros | Pcap::Nokia | Pcap::RedHat => (0xa1b2_c3d4, 1_000),
        Pcap::Nanos => (0xa1b2_3c4d, 1),
        Pcap::Kuznetzov | Pcap::Suse => (0xa1b2_cd34, 1_000),
    };
    let mut file = endian.u32(magic).to_vec();
    file.extend(endian.u16(2));
    file.extend(endian.u16(4));
    for word in [0, 0, 262_144, u32::from(capture.link_type)] {
        file.extend(endian.u32(word));
    }
    for record in &capture.records {
        let seconds = (record.ts_nanos / 1_000_000_000) as u32;
        let fraction = (record.ts_nanos % 1_000_000_000) as u32 / nanos_per_tick;
        for word in [seconds, fraction, record.bytes.len() as u32, record.wire_len] {
            file.extend(endian.u32(word));
        }
        if variant == Pcap::Nokia {
            file.extend(endian.u32(7));
        }
        if matches!(variant, Pcap::Kuznetzov | Pcap::RedHat | Pcap::Suse) {
            // Interface index, EtherType, packet type, padding.
            file.extend(endian.u32(2));
            file.extend(endian.u16(0x0800));
            file.extend([0, 0]);
        }
        if variant == Pcap::Suse {
            file.extend([0; 4]);
        }
        file.extend(&record.bytes);
    }
    file
}

/// The capture as a pcapng file of one interface and enhanced packet blocks.
#[must_use]
pub fn pcapng(endian: Endian, resolution: Option<u8>, capture: &Capture) -> Vec<u8> {
    let mut file = Pcapng::new(endian).interface(capture.link_type, resolution, 262_144);
    for record in &capture.records {
        file = file.enhanced(0, record.ts_nanos, &record.bytes, record.wire_len);
    }
    file.into_bytes()
}

/// Compresses as one gzip member (RFC 1952). Members may be put one behind the other.
#[must_use]
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("writing to memory does not fail");
    encoder.finish().expect("writing to memory does not fail")
}

/// Compresses as one Zstandard frame (RFC 8878). Frames may be put one behind the other.
#[must_use]
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A kind of capture file. All of [`Container::ALL`] keep whole microseconds, so a capture that has no finer times is
/// the same in each.
#[derive(Debug, Clone, Copy)]
pub struct Container {
    /// Short name, for messages and file names.
    pub name: &'static str,
    write: fn(&Capture) -> Vec<u8>,
}

impl Container {
    /// All kinds.
    pub const ALL: &[Self] = &[
        Self::new("pcap-us-le", |capture| pcap(Pcap::Micros, Endian::Little, capture)),
        Self::new("pcap-us-be", |capture| pcap(Pcap::Micros, Endian::Big, capture)),
        Self::new("pcap-ns-le", |capture| pcap(Pcap::Nanos, Endian::Little, capture)),
        Self::new("pcap-ns-be", |capture| pcap(Pcap::Nanos, Endian::Big, capture)),
        Self::new("pcap-kuznetzov-le", |capture| pcap(Pcap::Kuznetzov, Endian::Little, capture)),
        Self::new("pcap-kuznetzov-be", |capture| pcap(Pcap::Kuznetzov, Endian::Big, capture)),
        Self::new("pcap-nokia-be", |capture| pcap(Pcap::Nokia, Endian::Big, capture)),
        Self::new("pcap-rh6.1-le", |capture| pcap(Pcap::RedHat, Endian::Little, capture)),
        Self::new("pcap-suse6.3-le", |capture| pcap(Pcap::Suse, Endian::Little, capture)),
        Self::new("pcapng-le", |capture| pcapng(Endian::Little, None, capture)),
        Self::new("pcapng-be", |capture| pcapng(Endian::Big, None, capture)),
        Self::new("pcapng-us", |capture| pcapng(Endian::Little, Some(MICROSECONDS), capture)),
        Self::new("pcapng-ns-be", |capture| pcapng(Endian::Big, Some(NANOSECONDS), capture)),
        Self::new("pcapng-two-sections", two_sections),
        Self::new("pcapng-two-interfaces", two_interfaces),
        Self::new("pcapng-obsolete-blocks", obsolete_blocks),
        Self::new("pcap-gz", |capture| gzip(&pcap(Pcap::Micros, Endian::Little, capture))),
        Self::new("pcap-gz-members", gzip_members),
        Self::new("pcapng-gz", |capture| gzip(&pcapng(Endian::Little, None, capture))),
        Self::new("pcap-zst", |capture| zstd(&pcap(Pcap::Nanos, Endian::Big, capture))),
        Self::new("pcapng-zst", |capture| zstd(&pcapng(Endian::Big, None, capture))),
    ];

    const fn new(name: &'static str, write: fn(&Capture) -> Vec<u8>) -> Self {
        Self { name, write }
    }

    /// The capture as a file of this kind.
    #[must_use]
    pub fn write(&self, capture: &Capture) -> Vec<u8> {
        (self.write)(capture)
    }
}

/// The first half in a little-endian section of microseconds, the second in a big-endian one of nanoseconds.
fn two_sections(capture: &Capture) -> Vec<u8> {
    let (first, second) = capture.records.split_at(capture.records.len() / 2);
    let mut file = Pcapng::new(Endian::Little).interface(capture.link_type, None, 0);
    for record in first {
        file = file.enhanced(0, record.ts_nanos, &record.bytes, record.wire_len);
    }
    file = file.section(Endian::Big).interface(capture.link_type, Some(NANOSECONDS), 0);
    for record in second {
        file = file.enhanced(0, record.ts_nanos, &record.bytes, record.wire_len);
    }
    file.into_bytes()
}

/// Records in turn from two interfaces of different resolution, with blocks of no known type in between.
fn two_interfaces(capture: &Capture) -> Vec<u8> {
    let mut file = Pcapng::new(Endian::Little)
        .interface(capture.link_type, Some(MICROSECONDS), 0)
        .block(0x0bad_cafe, b"skip this")
        .interface(capture.link_type, Some(NANOSECONDS), 0);
    for (index, record) in capture.records.iter().enumerate() {
        let interface = (index % 2) as u32;
        file =
            file.enhanced(interface, record.ts_nanos, &record.bytes, record.wire_len).block(0x8000_0001, &[]);
    }
    file.into_bytes()
}

fn obsolete_blocks(capture: &Capture) -> Vec<u8> {
    let mut file = Pcapng::new(Endian::Little).interface(capture.link_type, None, 0);
    for record in &capture.records {
        file = file.obsolete(0, record.ts_nanos, &record.bytes, record.wire_len);
    }
    file.into_bytes()
}

/// Three gzip members, cut in the middle of records.
fn gzip_members(capture: &Capture) -> Vec<u8> {
    let file = pcap(Pcap::Micros, Endian::Little, capture);
    file.chunks(file.len().div_ceil(3)).flat_map(gzip).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use crate::capture::Record;

    fn capture() -> Capture {
        let cut = Record { ts_nanos: 1_700_000_000_123_456_000, bytes: vec![1, 2, 3], wire_len: 60 };
        Capture { link_type: 1, records: vec![cut, Record::whole(1_700_000_001_000_000_000, vec![4; 5])] }
    }

    #[test]
    fn classic_files_read_back() {
        for endian in [Endian::Little, Endian::Big] {
            for variant in [Pcap::Micros, Pcap::Nanos] {
                assert_eq!(Capture::parse(&pcap(variant, endian, &capture())), capture());
            }
        }
    }

    #[test]
    fn compressed_files_read_back() {
        let plain = pcap(Pcap::Micros, Endian::Little, &capture());
        let mut gunzipped = Vec::new();
        flate2::read::MultiGzDecoder::new(&gzip_members(&capture())[..]).read_to_end(&mut gunzipped).unwrap();
        assert_eq!(gunzipped, plain);
        let compressed = zstd(&plain);
        let mut decoder = ruzstd::decoding::StreamingDecoder::new(&compressed[..]).unwrap();
        let mut decompressed = Vec::new();
        decoder.read_to_end(&mut decompressed).unwrap();
        assert_eq!(decompressed, plain);
    }

    #[test]
    fn kuznetzov_records_have_eight_more_bytes() {
        let plain = pcap(Pcap::Micros, Endian::Little, &capture());
        let modified = pcap(Pcap::Kuznetzov, Endian::Little, &capture());
        assert_eq!(modified.len(), plain.len() + 2 * 8);
        assert_eq!(modified[40..51], [2, 0, 0, 0, 0, 8, 0, 0, 1, 2, 3]);
    }
}
