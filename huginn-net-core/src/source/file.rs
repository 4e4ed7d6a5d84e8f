//! Capture files: what format they are in, and one reader for all.

use core::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

use super::ahead::Placed;
use super::buffer::Buffer;
use super::byte_order::ByteOrder;
use super::decompress::{Input, Stored};
use super::pcap::Pcap;
use super::pcapng::{self, Pcapng};
use super::{
    Ahead, Behind, Block, Compression, Container, DamageReason, Format, Read, ReadAt, Source, SourceError,
    SourceStats,
};
use crate::{Frame, LinkType, Timestamp};

/// A capture file or pipe, read front to back.
///
/// The first bytes decide about the format, never a name: pcap in microseconds or nanoseconds, its variants of
/// Kuznetzov, Nokia, Red Hat 6.1 and SuSE 6.3, pcapng, and any of these compressed with gzip or Zstandard. Frames
/// are lent from the buffer they were read into.
///
/// A damaged capture is no error. The frames before the damage and those after it, once records can be told
/// from garbage again, are given; [`SourceStats::damage`] names each place.
///
/// Memory is constant, whatever the file announces: 256 KiB of buffer, which the largest record or block (4
/// MiB) raises to 8 MiB; of what is read ahead, 320 KiB for each piece; 64 KiB of compressed input; for Zstandard a window of at most 32 MiB; and 3 MiB for
/// the interfaces of a pcapng section, of which 65,536 are remembered.
///
/// ```no_run
/// use huginn_net_core::{CaptureFile, Read, Source};
///
/// let mut capture = CaptureFile::open("capture.pcapng")?;
/// while let Read::Frame(frame) = capture.read()? {
///     println!("{} {} bytes", frame.captured_at, frame.bytes.len());
/// }
/// for damage in &capture.stats().damage {
///     eprintln!("{damage}");
/// }
/// # Ok::<(), huginn_net_core::SourceError>(())
/// ```
pub struct CaptureFile {
    buffer: Buffer,
    records: Records,
    stats: SourceStats,
    /// Whether bytes may be long in coming.
    may_wait: bool,
}

enum Records {
    Pcap(Pcap),
    Pcapng(Pcapng),
    Ended,
}

/// A frame that has been found in the buffer and consumed.
pub(super) struct Found {
    /// Where its bytes lie, for [`Buffer::at`].
    pub(super) place: usize,
    pub(super) len: usize,
    pub(super) captured_at: Timestamp,
    pub(super) wire_len: u32,
    pub(super) link_type: LinkType,
}

impl Found {
    /// Checks that the frame lies within the body of its block, and that it was no longer in the file than on
    /// the wire.
    #[inline]
    pub(super) fn within(self, body: &[u8]) -> Result<Self, DamageReason> {
        if body.len().checked_sub(self.place).is_none_or(|room| self.len > room) {
            return Err(DamageReason::BadBlock);
        }
        // A body is shorter than 4 GiB.
        let captured_len = u32::try_from(self.len).unwrap_or(u32::MAX);
        Ok(Self { wire_len: self.wire_len.max(captured_len), ..self })
    }
}

impl CaptureFile {
    /// Opens a file by its path.
    ///
    /// # Errors
    /// The file cannot be read, is empty, or is no capture.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SourceError> {
        let path = path.as_ref();
        let not_opened = |source| SourceError::Open { path: path.to_owned(), source };
        let file = File::open(path).map_err(not_opened)?;
        let is_regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        let can_be_read_anywhere = is_regular && cfg!(any(unix, windows));
        let capture = if can_be_read_anywhere { Self::from_read_at(file) } else { Self::from_reader(file) };
        capture.map_err(|error| match error {
            // Some things that can be opened cannot be read at all, such as directories.
            SourceError::Read(source) => not_opened(source),
            other => other,
        })
    }

    /// Reads a capture from anything that gives bytes, such as a pipe. Blocks until the file header is there;
    /// a frame is given as soon as its last byte has arrived, except that a Zstandard frame holds back a
    /// window's worth of data, and that a pcap record of doubtful header waits for the header of the next.
    ///
    /// # Errors
    /// The reader fails, gives nothing, or what it gives is no capture.
    pub fn from_reader(reader: impl io::Read + Send + 'static) -> Result<Self, SourceError> {
        Self::start(reader, None)
    }

    /// Reads a capture whose bytes are all there, and can be read at any place, as those of a regular file: of one that is not
    /// compressed several threads can read pieces at a time.
    ///
    /// # Errors
    /// As with [`from_reader`](Self::from_reader).
    pub fn from_read_at(bytes: impl ReadAt + 'static) -> Result<Self, SourceError> {
        let placed = Placed::new(bytes);
        Ok(Self { may_wait: false, ..Self::start(placed.clone(), Some(placed))? })
    }

    fn start(reader: impl io::Read + Send + 'static, placed: Option<Placed>) -> Result<Self, SourceError> {
        let (stored, head) = Stored::new(reader).map_err(SourceError::Read)?;
        if head.is_empty() {
            return Err(SourceError::Empty);
        }
        let compression = match Magic::of(&head) {
            Some(Magic::Compressed(compression)) => compression,
            _ => Compression::None,
        };
        let placed = placed.filter(|_| compression == Compression::None);
        let mut buffer = Buffer::new(Input::new(stored, compression)?, placed);
        let mut stats = SourceStats::default();
        buffer.has(Magic::LEN)?;
        let first = buffer.unread();
        let records = match Magic::of(first) {
            Some(Magic::Pcap(container, order)) => {
                stats.format = Some(Format { container, compression });
                Pcap::open(container, order, &mut buffer, &mut stats)?.map_or(Records::Ended, Records::Pcap)
            }
            Some(Magic::Pcapng) => {
                stats.format = Some(Format { container: Container::Pcapng, compression });
                Records::Pcapng(Pcapng::default())
            }
            _ if buffer.is_broken_off() || Magic::could_begin(first) => {
                buffer.report_end(DamageReason::CutHeader, 0, &mut stats);
                Records::Ended
            }
            _ if first.is_empty() => return Err(SourceError::Empty),
            _ => {
                let found = first.iter().take(Magic::LEN).copied().collect();
                // The longest of the other magics; the answer is an error in any case.
                buffer.has(OTHERS_LEN)?;
                return Err(other_format(buffer.unread()).unwrap_or(SourceError::UnknownFormat { found }));
            }
        };
        stats.input_bytes = buffer.stored_bytes();
        Ok(Self { buffer, records, stats, may_wait: true })
    }

    /// Reads a capture from memory.
    ///
    /// # Errors
    /// There are no bytes, or they are no capture.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, SourceError> {
        Self::from_read_at(bytes.into())
    }

    /// Whether the next frame is there already, so that it is given without a wait for more bytes. Of a record that is
    /// not of the usual kind this is not known before it is read, and not said.
    #[must_use]
    pub fn has_next(&self) -> bool {
        let unread = self.buffer.unread();
        match &self.records {
            Records::Pcap(pcap) => pcap.usual(unread).is_some(),
            Records::Pcapng(pcapng) => pcapng.has_packet(unread),
            Records::Ended => false,
        }
    }
}

impl Source for CaptureFile {
    fn read(&mut self) -> Result<Read<'_>, SourceError> {
        let found = match self.usual() {
            Some(found) => found,
            None => match self.next()? {
                Some(found) => found,
                None => return Ok(Read::End),
            },
        };
        Ok(Read::Frame(self.lend(&found)))
    }

    fn stats(&self) -> &SourceStats {
        &self.stats
    }

    /// What was read ahead stays where it is; other frames are copied, as many as there are without a wait.
    fn read_block(&mut self, block: &mut Block) -> Result<Behind, SourceError> {
        block.clear();
        let behind = if let Some(piece) = block.take_piece() {
            let is_news = self.buffer.go_on_with(block.take_memory(), Block::HEADROOM, piece);
            let behind = self.find_in_piece(block, is_news);
            let memory = self.buffer.leave();
            // Otherwise it may be large for the sake of one record, which was copied.
            if block.has_noted() {
                block.give_memory(memory);
            }
            behind
        } else {
            self.copy_to(block)
        };
        self.stats.input_bytes = self.buffer.stored_bytes();
        behind
    }

    fn ahead(&self) -> Option<Ahead> {
        self.buffer.ahead()
    }

    fn may_wait(&self) -> bool {
        self.may_wait
    }
}

impl CaptureFile {
    /// The next frame of a pcap file, if it is as most are and all of it has been read.
    #[inline]
    fn usual(&mut self) -> Option<Found> {
        match &mut self.records {
            Records::Pcap(pcap) => pcap.next_usual(&mut self.buffer),
            Records::Pcapng(_) | Records::Ended => None,
        }
    }

    /// Lends a frame that was found.
    #[inline]
    fn lend(&mut self, found: &Found) -> Frame<'_> {
        self.stats.count_frame(found.len, found.captured_at);
        Frame {
            bytes: self.buffer.at(found.place, found.len),
            captured_at: found.captured_at,
            wire_len: found.wire_len,
            link_type: found.link_type,
            number: self.stats.packets,
        }
    }

    /// Copies as many frames as there are without a wait, or a further piece.
    fn copy_to(&mut self, block: &mut Block) -> Result<Behind, SourceError> {
        let takes_no_more = self.may_wait || self.buffer.is_read_ahead();
        while !block.is_full() && (block.is_empty() || !takes_no_more || self.has_next()) {
            let Read::Frame(frame) = self.read()? else { return Ok(Behind::End) };
            block.push(&frame);
        }
        Ok(self.behind_piece())
    }

    /// Finds the frames of a piece, but for what there is room for in front of the next one. If the piece was no news, and nothing is
    /// left that was read in its place, the next one goes on.
    fn find_in_piece(&mut self, block: &mut Block, is_news: bool) -> Result<Behind, SourceError> {
        self.note_usual(block);
        // What is of another kind may take more than the piece. Then the buffer leaves what was found before.
        while !self.is_enough(block)
            && (is_news && block.is_empty() || self.buffer.unread().len() > Block::HEADROOM)
        {
            self.buffer.pin(block.has_noted());
            let Some(found) = self.next()? else { return Ok(Behind::End) };
            if block.has_noted() && !self.buffer.has_left() {
                block.note(&self.lend(&found), found.place);
            } else {
                block.push(&self.lend(&found));
            }
            if self.buffer.has_left() {
                break;
            }
            self.note_usual(block);
        }
        Ok(self.behind_piece())
    }

    /// Whether what is left of a piece is for the next block: a piece has no more frames than this, unless they are very short, or
    /// it came behind what was read for the sake of a large record.
    fn is_enough(&self, block: &Block) -> bool {
        block.len() >= 8 * block.max_frames()
    }

    /// Whether the next piece finds room for what is left.
    fn behind_piece(&self) -> Behind {
        let is_rest = self.buffer.is_read_ahead() && self.buffer.unread().len() > Block::HEADROOM;
        if is_rest { Behind::Rest } else { Behind::More }
    }

    /// Finds the frames that can be told without any more bytes.
    fn note_usual(&mut self, block: &mut Block) {
        while !self.is_enough(block) {
            let found = match &mut self.records {
                // What is there is found without a failure.
                Records::Pcapng(pcapng) if pcapng.has_packet(self.buffer.unread()) => {
                    pcapng.next(&mut self.buffer, &mut self.stats).ok().flatten()
                }
                _ => self.usual(),
            };
            let Some(found) = found else { return };
            block.note(&self.lend(&found), found.place);
        }
    }

    /// The next frame, whatever it takes; `None` at the end.
    fn next(&mut self) -> Result<Option<Found>, SourceError> {
        let next = match &mut self.records {
            Records::Pcap(pcap) => pcap.next(&mut self.buffer, &mut self.stats),
            Records::Pcapng(pcapng) => pcapng.next(&mut self.buffer, &mut self.stats),
            Records::Ended => Ok(None),
        };
        self.stats.input_bytes = self.buffer.stored_bytes();
        if !matches!(next, Ok(Some(_))) {
            self.records = Records::Ended;
        }
        next
    }
}

impl fmt::Debug for CaptureFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CaptureFile").field("stats", &self.stats).finish_non_exhaustive()
    }
}

/// What the first bytes of a capture say about it.
#[derive(Clone, Copy)]
pub(super) enum Magic {
    Pcap(Container, ByteOrder),
    Pcapng,
    Compressed(Compression),
}

impl Magic {
    /// Length of the longest magic, in bytes.
    const LEN: usize = 4;

    const ALL: [(&[u8], Self); 9] = [
        (&[0xd4, 0xc3, 0xb2, 0xa1], Self::Pcap(Container::Pcap, ByteOrder::Little)),
        (&[0xa1, 0xb2, 0xc3, 0xd4], Self::Pcap(Container::Pcap, ByteOrder::Big)),
        (&[0x4d, 0x3c, 0xb2, 0xa1], Self::Pcap(Container::PcapNanos, ByteOrder::Little)),
        (&[0xa1, 0xb2, 0x3c, 0x4d], Self::Pcap(Container::PcapNanos, ByteOrder::Big)),
        (&[0x34, 0xcd, 0xb2, 0xa1], Self::Pcap(Container::PcapKuznetzov, ByteOrder::Little)),
        (&[0xa1, 0xb2, 0xcd, 0x34], Self::Pcap(Container::PcapKuznetzov, ByteOrder::Big)),
        (&pcapng::SECTION_MAGIC, Self::Pcapng),
        (&[0x1f, 0x8b], Self::Compressed(Compression::Gzip)),
        (&[0x28, 0xb5, 0x2f, 0xfd], Self::Compressed(Compression::Zstd)),
    ];

    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        // A Zstandard file may begin with a skippable frame (RFC 8878 §3.1.2).
        if let [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] = bytes {
            return Some(Self::Compressed(Compression::Zstd));
        }
        Self::ALL.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, meaning)| *meaning)
    }

    /// Whether these bytes are the beginning of a magic that was cut. Where they are text they prove nothing: that of
    /// pcapng begins with a line feed, and so does a file that is one empty line.
    fn could_begin(bytes: &[u8]) -> bool {
        let is_text = bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        !is_text && Self::ALL.iter().any(|(magic, _)| magic.starts_with(bytes))
    }
}

/// Captures of other kinds and compressed files, by their first bytes (those of Wireshark's and file's lists that
/// cannot be taken for text).
const OTHERS: &[(&[u8], &str, &str)] = &[
    (b"snoop\0\0\0", "a snoop capture", CONVERT),
    (b"RTSS", "a capture of Network Monitor 1", CONVERT),
    (b"GMBU", "a capture of Network Monitor 2", CONVERT),
    (b"TRSNIFF data    \x1a", "a Sniffer capture", CONVERT),
    (b"XCP\0", "a Sniffer capture", CONVERT),
    (b"ObserverPktBuffe", "an Observer capture", CONVERT),
    (b"\x05VNF", "a Visual Networks capture", CONVERT),
    (b"btsnoop\0", "a Bluetooth capture", "it holds no IP packets"),
    (b"iptrace 1.0", "an iptrace capture", CONVERT),
    (b"iptrace 2.0", "an iptrace capture", CONVERT),
    (b"\x1c\0\x01\xab", "an Ixia capture", CONVERT),
    (b"\x1c\0\x01\xac", "an Ixia capture", CONVERT),
    (b"\xab\x01\0\x1c", "an Ixia capture", CONVERT),
    (b"\xac\x01\0\x1c", "an Ixia capture", CONVERT),
    (b"\xfd7zXZ\0", "a file compressed with xz", DECOMPRESS),
    (b"BZh91AY&SY", "a file compressed with bzip2", DECOMPRESS),
    (b"\x04\x22\x4d\x18", "a file compressed with LZ4", DECOMPRESS),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", EXTRACT),
    (b"PK\x03\x04", "a ZIP archive", EXTRACT),
];

/// Length of the longest of them, in bytes.
const OTHERS_LEN: usize = 17;

/// What stands in the first header of a tar archive, by POSIX and by GNU. It is not waited for: from a pipe
/// that stays silent behind less, what came is refused at once.
const TAR_MAGICS: [&[u8]; 2] = [b"ustar\0", b"ustar  \0"];
const TAR_MAGIC_AT: usize = 257;

const CONVERT: &str = "editcap makes a pcapng file of it";
const DECOMPRESS: &str = "decompress it first";
const EXTRACT: &str = "extract its files first";

/// What a file of an unknown format is known to be.
fn other_format(first: &[u8]) -> Option<SourceError> {
    let header = first.get(TAR_MAGIC_AT..).unwrap_or_default();
    let is_tar = TAR_MAGICS.iter().any(|magic| header.starts_with(magic));
    let (name, remedy) = match OTHERS.iter().find(|(magic, ..)| first.starts_with(magic)) {
        Some(&(_, name, remedy)) => (name, remedy),
        // What is compressed once has been decompressed here.
        None if matches!(Magic::of(first), Some(Magic::Compressed(_))) => {
            ("a file compressed twice", "decompress it once first")
        }
        None if is_tar => ("a tar archive", EXTRACT),
        None => return None,
    };
    Some(SourceError::OtherFormat { name, remedy })
}
