//! Pipes, failing readers, and what reading allocates.

use std::io::{self, Cursor, Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use huginn_net_core::{CaptureFile, Read, Source, SourceError};

use super::*;

#[test]
fn a_pipe_that_delivers_single_bytes_gives_the_same_frames() {
    let packets = packets(20);
    for file in [pcap(&packets), pcapng(Little, &packets), pcapng(Big, &packets)] {
        for step in [1, 3, 1000] {
            let open = || CaptureFile::from_reader(Trickle(Cursor::new(file.clone()), step)).unwrap();
            assert_eq!(in_blocks(open(), 7).0, packets);
            assert!(drain(open()).0 == packets);
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

/// Counts how often it is read.
struct Counting<R>(R, Arc<AtomicUsize>);

impl<R: io::Read> io::Read for Counting<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.read(into)
    }
}

/// For each frame of a file that arrives in pieces, whether it was said to be there already; if so, it must be.
fn announced(file: Vec<u8>, piece: usize) -> Vec<bool> {
    let reads = Arc::new(AtomicUsize::new(0));
    let pipe = Trickle(Counting(Cursor::new(file), Arc::clone(&reads)), piece);
    let mut source = CaptureFile::from_reader(pipe).unwrap();
    let mut announced = Vec::new();
    loop {
        let (has_next, before) = (source.has_next(), reads.load(Ordering::Relaxed));
        let is_frame = matches!(source.read().unwrap(), Read::Frame(_));
        assert!(!has_next || is_frame && reads.load(Ordering::Relaxed) == before);
        if !is_frame {
            return announced;
        }
        announced.push(has_next);
    }
}

#[test]
fn a_frame_that_is_announced_is_given_without_a_read() {
    let packets = packets(40);
    for file in
        [pcap(&packets), pcap_of(NANOS, Big, &packets), pcapng(Little, &packets), pcapng(Big, &packets)]
    {
        // The first one is behind headers of the file.
        let all_but_the_first = [&[false][..], &[true; 39]].concat();
        assert_eq!(announced(file.clone(), file.len()), all_but_the_first);
        for piece in 1..200 {
            announced(file.clone(), piece);
        }
        let mut rng = Rng::new(11);
        for _ in 0..500 {
            let mut damaged = file.clone();
            for _ in 0..4 {
                let at = FILE_HEADER + rng.below(damaged.len() - FILE_HEADER);
                damaged[at] ^= 1 << rng.below(8);
            }
            announced(damaged, 1_000);
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

#[test]
fn a_block_holds_what_a_pipe_has_brought_and_waits_for_nothing_behind_it() {
    for file in [pcap(&packets(5)), pcapng(Little, &packets(5))] {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(&file).unwrap();
        let mut source = CaptureFile::from_reader(reader).unwrap();
        let mut block = Block::new(100, usize::MAX);
        let mut found = 0;
        while found < 5 {
            assert_eq!(source.read_block(&mut block).unwrap(), Behind::More);
            found += block.len();
        }
        drop(writer);
        assert_eq!(source.read_block(&mut block).unwrap(), Behind::End);
        assert!(block.is_empty());
    }
}

#[test]
fn what_is_compressed_or_a_pipe_is_not_read_ahead() {
    let file = pcap(&packets(3));
    let pipe = CaptureFile::from_reader(Cursor::new(file.clone())).unwrap();
    assert!(pipe.ahead().is_none() && pipe.may_wait());
    let plain = CaptureFile::from_bytes(file.clone()).unwrap();
    assert!(plain.ahead().is_some() && !plain.may_wait());
    #[cfg(feature = "gzip")]
    {
        let compressed = CaptureFile::from_bytes(compressed::gzip(&file)).unwrap();
        assert!(compressed.ahead().is_none() && !compressed.may_wait());
    }
}
