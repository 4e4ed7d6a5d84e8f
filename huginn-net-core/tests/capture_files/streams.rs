//! Pipes, failing readers, and what reading allocates.

use std::io::{Cursor, Read as _};

use huginn_net_core::{CaptureFile, Read, Source, SourceError};

use super::*;

#[test]
fn a_pipe_that_delivers_single_bytes_gives_the_same_frames() {
    let packets = packets(20);
    for file in [pcap(&packets), pcapng(Little, &packets), pcapng(Big, &packets)] {
        for step in [1, 3, 1000] {
            let source = CaptureFile::from_reader(Trickle(Cursor::new(file.clone()), step)).unwrap();
            assert!(drain(source).0 == packets);
        }
    }
}

#[test]
fn a_frame_is_lent_before_anything_after_it_is_read() {
    let packets = packets(2);
    for file in [pcap(&packets), pcapng(Big, &packets)] {
        let pipe = Trickle(Cursor::new(file).chain(Failing), 1);
        let mut source = CaptureFile::from_reader(pipe).unwrap();
        for packet in &packets {
            assert!(matches!(source.read(), Ok(Read::Frame(frame)) if frame.bytes == packet.bytes));
        }
    }
}

#[test]
fn a_failing_reader_is_an_error_once_and_then_the_end() {
    let packets = packets(6);
    let files = [
        pcap(&packets),
        pcapng(Big, &packets),
        #[cfg(feature = "gzip")]
        compressed::gzip(&pcap(&packets)),
        #[cfg(feature = "zstd")]
        compressed::zstd(&pcap(&packets)),
    ];
    for file in files {
        let mut source = CaptureFile::from_reader(Cursor::new(file).chain(Failing)).unwrap();
        for packet in &packets {
            assert!(matches!(source.read(), Ok(Read::Frame(frame)) if frame.bytes == packet.bytes));
        }
        let Err(SourceError::Read(cause)) = source.read() else { panic!("the reader fails") };
        assert_eq!(cause.to_string(), "the disk is on fire");
        assert_eq!(source.read().unwrap(), Read::End);
        assert_eq!(source.read().unwrap(), Read::End);
        assert_eq!(source.stats().damage, []);
    }
}

#[test]
fn lending_a_frame_allocates_nothing() {
    let packets = packets(2_000);
    for file in [pcap(&packets), pcapng(Little, &packets)] {
        let mut source = CaptureFile::from_bytes(file).unwrap();
        // A first frame, because the interface in front of it is remembered.
        assert!(matches!(source.read(), Ok(Read::Frame(_))));
        let info = allocation_counter::measure(|| while source.read().unwrap() != Read::End {});
        assert_eq!(info.count_total, 0);
        assert_eq!(source.stats().packets, 2_000);
    }
}

#[test]
fn an_announced_length_of_4_gib_takes_no_memory() {
    let record = Little.words(&[1_700_000_000, 0, 0xffff_fff0, u32::MAX]);
    let mut starts = vec![[pcap_header(MICROS, Little, u32::MAX, 1), record].concat()];
    for block_type in [INTERFACE, ENHANCED_PACKET, STATISTICS, 0x8000_0001, 0x0012_3456] {
        starts.push([section(Little), Little.words(&[block_type, 0xffff_fffc])].concat());
    }
    for mut file in starts {
        file.resize(600_000, 0x77);
        let info = allocation_counter::measure(|| {
            let mut source = CaptureFile::from_bytes(file).unwrap();
            assert_eq!(source.read().unwrap(), Read::End);
            assert_eq!(source.stats().damage_total, 1);
        });
        assert!(info.bytes_max < 300_000, "{info:?}");
    }
}
