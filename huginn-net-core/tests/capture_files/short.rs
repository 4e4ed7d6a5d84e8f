//! Files too short to be a capture, or to have a frame.

use huginn_net_core::source::DamageReason::CutHeader;
use huginn_net_core::{CaptureFile, SourceError};

use crate::Order::{Big, Little};
use crate::{FILE_HEADER, KUZNETZOV, MICROS, NANOS, assert_reads, pcap_header, section};

/// Refused, with these bytes in the message.
#[track_caller]
fn assert_refused(bytes: &[u8]) {
    match CaptureFile::from_bytes(bytes) {
        Err(SourceError::UnknownFormat { found }) => assert_eq!(found, bytes[..bytes.len().min(4)]),
        other => panic!("{bytes:02x?}: {other:?}"),
    }
}

#[test]
fn nothing_is_empty() {
    assert!(matches!(CaptureFile::from_bytes([]), Err(SourceError::Empty)));
}

#[test]
fn text_is_no_capture_even_where_a_magic_begins_like_it() {
    for text in ["\n", "\n\r", "\n\r\r", "M", "M<", "4", "(", "P", "P*", "P*M", " ", "\n\n", "a", "\t\n\r\n"]
    {
        assert_refused(text.as_bytes());
    }
}

#[test]
fn other_bytes_that_begin_no_magic_are_no_capture() {
    for bytes in
        [&[0][..], &[0xff], &[0xa1, 0], &[0xd4, 0xc3, 0xb3], &[0x1f, 0x8c], &[0x0a, 0x0d, 0x0d, 0x0b]]
    {
        assert_refused(bytes);
    }
}

#[test]
fn a_pcap_cut_within_its_header_is_damaged() {
    for order in [Little, Big] {
        for magic in [MICROS, NANOS, KUZNETZOV] {
            let header = pcap_header(magic, order, 65_535, 1);
            assert_eq!(header.len(), FILE_HEADER);
            for len in 1..FILE_HEADER {
                // "M" and "4" alone are text.
                if header[..len].iter().all(u8::is_ascii_graphic) {
                    assert_refused(&header[..len]);
                } else {
                    assert_reads(&header[..len], &[], &[(CutHeader, 0)]);
                }
            }
            assert_reads(&header, &[], &[]);
        }
    }
}

#[test]
fn a_pcapng_cut_within_its_first_block_is_damaged_once_it_can_be_told_from_text() {
    for order in [Little, Big] {
        let section = section(order);
        for len in 1..4 {
            assert_refused(&section[..len]);
        }
        for len in 4..section.len() {
            assert_reads(&section[..len], &[], &[(CutHeader, 0)]);
        }
        assert_reads(&section, &[], &[]);
    }
}

#[cfg(all(feature = "gzip", feature = "zstd"))]
#[test]
fn compressed_data_cut_within_its_magic_or_behind_it_is_damaged() {
    use huginn_net_core::source::DamageReason::BadCompression;

    // The two bytes of gzip, the four of Zstandard, and those of a skippable frame.
    for (magic, known_from) in [
        (&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], 2),
        (&[0x28, 0xb5, 0x2f, 0xfd, 0, 0], 4),
        (&[0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 1], 4),
    ] {
        for len in 1..=magic.len() {
            let bytes = &magic[..len];
            match len {
                // "(", "P", "P*" and "P*M" are text.
                _ if bytes.iter().all(u8::is_ascii_graphic) => assert_refused(bytes),
                len if len < known_from => assert_reads(bytes, &[], &[(CutHeader, 0)]),
                _ => assert_reads(bytes, &[], &[(BadCompression, 0)]),
            }
        }
    }
}
