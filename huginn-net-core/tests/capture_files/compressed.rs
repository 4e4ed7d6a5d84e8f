//! Compressed captures.

use std::io;

#[cfg(feature = "zstd")]
use huginn_net_core::source::DamageReason::LargeWindow;
use huginn_net_core::source::DamageReason::{BadCompression, Garbage};
use huginn_net_core::{CaptureFile, Source, SourceError};

use super::*;

#[cfg(feature = "gzip")]
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;

    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[cfg(feature = "zstd")]
pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A Zstandard frame of one raw block, without a checksum, its window as large as `window_descriptor` says.
#[cfg(feature = "zstd")]
fn raw_zstd_frame(window_descriptor: u8, bytes: &[u8]) -> Vec<u8> {
    let header = u32::try_from(bytes.len() << 3 | 1).unwrap();
    [&[0x28, 0xb5, 0x2f, 0xfd, 0, window_descriptor][..], &header.to_le_bytes()[..3], bytes].concat()
}

type Compress = fn(&[u8]) -> Vec<u8>;

const COMPRESSORS: &[(&str, Compress)] = &[
    #[cfg(feature = "gzip")]
    (".gz", gzip),
    #[cfg(feature = "zstd")]
    (".zst", zstd),
];

#[test]
fn either_container_is_read_from_either_compression() {
    let packets = packets(500);
    for (suffix, compress) in COMPRESSORS {
        for (container, file) in [("pcap", pcap(&packets)), ("pcapng", pcapng(Big, &packets))] {
            let stored = compress(&file);
            assert_reads(&stored, &packets, &[]);
            let (_, stats) = read(&stored);
            assert_eq!(stats.format.unwrap().to_string(), format!("{container}{suffix}"));
            assert_eq!(stats.input_bytes, stored.len() as u64);
        }
    }
}

#[test]
fn what_is_compressed_twice_is_named_as_that() {
    for (_, inner) in COMPRESSORS {
        for (_, outer) in COMPRESSORS {
            let error = CaptureFile::from_bytes(outer(&inner(&pcap(&packets(3))))).unwrap_err();
            let text = "a file compressed twice, which is not read here: decompress it once first";
            assert_eq!(error.to_string(), text);
        }
    }
}

#[test]
fn several_members_or_frames_are_one_stream_however_they_cut_it() {
    let packets = packets(20);
    let file = pcap(&packets);
    for (_, compress) in COMPRESSORS {
        for len in [5, 23, 100, 5_000] {
            let stored: Vec<u8> = file.chunks(len).flat_map(compress).collect();
            assert_reads(&stored, &packets, &[]);
            let trickle = Trickle(io::Cursor::new(stored), 7);
            assert_eq!(drain(CaptureFile::from_reader(trickle).unwrap()).0, packets);
        }
    }
}

#[test]
fn compressed_data_cut_at_any_byte_is_bad_compression_and_keeps_frames_in_order() {
    let packets = packets(12);
    for (_, compress) in COMPRESSORS {
        let stored: Vec<u8> = pcap(&packets).chunks(1_000).flat_map(compress).collect();
        let ends: Vec<usize> = pcap(&packets)
            .chunks(1_000)
            .scan(0, |end, chunk| {
                *end += compress(chunk).len();
                Some(*end)
            })
            .collect();
        let mut fewest = 0;
        for cut in 4..stored.len() {
            let (read, stats) = read(&stored[..cut]);
            assert!(packets.starts_with(&read));
            assert!(read.len() >= fewest, "a longer piece gives no fewer frames");
            fewest = read.len();
            if !ends.contains(&cut) {
                assert_eq!(stats.damage.len(), 1);
                assert_eq!(stats.damage[0].reason, BadCompression);
            }
        }
        assert!(fewest >= 11, "{fewest}");
    }
}

#[test]
fn flipped_bytes_in_compressed_data_end() {
    let packets = packets(30);
    for (_, compress) in COMPRESSORS {
        let stored = compress(&pcap(&packets));
        for seed in 1..=1_000 {
            let mut rng = Rng::new(seed);
            let mut flipped = stored.clone();
            let at = 4 + rng.below(flipped.len() - 4);
            flipped[at] ^= 1 << rng.below(8);
            let Ok(source) = CaptureFile::from_bytes(flipped) else { continue };
            drain(source);
        }
    }
}

#[test]
fn what_follows_compressed_data_is_bad_compression_after_all_frames() {
    let packets = packets(12);
    let file = pcap(&packets);
    for (_, compress) in COMPRESSORS {
        for tail in [b"\0garbage".as_slice(), b"garbage"] {
            assert_reads(&[&compress(&file), tail].concat(), &packets, &[(BadCompression, file.len())]);
        }
    }
}

#[cfg(feature = "gzip")]
#[test]
fn zeros_behind_gzip_are_padding() {
    let packets = packets(12);
    let file = gzip(&pcap(&packets));
    for len in [1, 512, 200_000] {
        assert_reads(&[file.as_slice(), &vec![0; len]].concat(), &packets, &[]);
    }
}

#[test]
fn damage_within_compressed_data_is_named_by_its_uncompressed_offset() {
    let packets = packets(4);
    let file = pcap(&packets);
    for (_, compress) in COMPRESSORS {
        let stored = compress(&[&file[..], &[0; 100]].concat());
        assert_reads(&stored, &packets, &[(Garbage, file.len())]);
    }
}

#[test]
fn what_is_no_capture_when_uncompressed_is_refused() {
    for (_, compress) in COMPRESSORS {
        match CaptureFile::from_bytes(compress(b"hello")) {
            Err(SourceError::UnknownFormat { found }) => assert_eq!(found, b"hell"),
            other => panic!("{other:?}"),
        }
        assert!(matches!(CaptureFile::from_bytes(compress(b"")), Err(SourceError::Empty)));
        assert!(CaptureFile::from_bytes(compress(&compress(&pcap(&[])))).is_err(), "compressed twice");
    }
}

#[test]
fn compressed_data_cut_within_its_header_is_bad_compression() {
    for (_, compress) in COMPRESSORS {
        let stored = compress(&pcap(&packets(4)));
        for cut in 4..8 {
            assert_reads(&stored[..cut], &[], &[(BadCompression, 0)]);
        }
    }
}

#[cfg(feature = "gzip")]
#[test]
fn a_wrong_gzip_checksum_is_reported_after_all_frames() {
    let packets = packets(12);
    let file = pcap(&packets);
    let mut stored = gzip(&file);
    let checksum = stored.len() - 8;
    stored[checksum] ^= 1;
    assert_reads(&stored, &packets, &[(BadCompression, file.len())]);
}

#[cfg(feature = "gzip")]
#[test]
fn frames_before_corrupt_deflate_data_are_kept() {
    let packets = packets(100);
    let file = pcap(&packets);
    let mut stored = gzip(&file);
    let at = stored.len() - 200;
    stored[at..].fill(0xff);
    let (read, stats) = read(&stored);
    assert!(packets.starts_with(&read));
    assert!(read.len() > 90, "{} frames", read.len());
    assert_eq!(stats.damage[0].reason, BadCompression);
}

#[cfg(feature = "zstd")]
#[test]
fn a_wrong_zstd_checksum_is_reported_after_all_frames() {
    let packets = packets(12);
    let file = pcap(&packets);
    let mut stored = zstd(&file);
    assert_ne!(stored[4] & 4, 0, "the encoder writes a checksum");
    *stored.last_mut().unwrap() ^= 1;
    assert_reads(&stored, &packets, &[(BadCompression, file.len())]);
}

#[cfg(feature = "zstd")]
#[test]
fn skippable_zstd_frames_are_passed_over() {
    let packets = packets(12);
    let skippable = [&[0x5a, 0x2a, 0x4d, 0x18][..], &5_u32.to_le_bytes(), b"hello"].concat();
    let stored = [&skippable[..], &zstd(&pcap(&packets)), &skippable, &skippable].concat();
    assert_reads(&stored, &packets, &[]);
    let end = pcap(&packets).len();
    assert_reads(&stored[..stored.len() - 1], &packets, &[(BadCompression, end)]);
}

#[cfg(feature = "zstd")]
#[test]
fn rejects_a_zstd_window_over_32_mib() {
    let packets = packets(2);
    let file = pcap(&packets);
    // RFC 8878 §3.1.1.1.2: the exponent above 2^10 in the upper five bits, eighths of it in the lower three.
    assert_reads(&raw_zstd_frame(15 << 3, &file), &packets, &[]);
    assert_reads(&raw_zstd_frame(15 << 3 | 1, &file), &[], &[(LargeWindow, 0)]);
    let stored = [raw_zstd_frame(0, &file), raw_zstd_frame(31 << 3, &file)].concat();
    assert_reads(&stored, &packets, &[(LargeWindow, file.len())]);
}

#[test]
fn a_compression_bomb_takes_constant_memory() {
    let file = [pcapng(Big, &packets(1)), block(Big, STATISTICS, &vec![0; 6 << 20])].concat();
    for (suffix, compress) in COMPRESSORS {
        let stored = compress(&file);
        let info = allocation_counter::measure(|| {
            let mut source = CaptureFile::from_bytes(stored).unwrap();
            while source.read().unwrap() != Read::End {}
            assert_eq!((source.stats().packets, source.stats().damage_total), (1, 0));
        });
        assert!(info.bytes_max < 4 << 20, "{suffix}: {info:?}");
    }
}
