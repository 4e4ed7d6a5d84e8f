//! Where frames come from.

mod ahead;
mod block;
mod buffer;
mod byte_order;
mod decompress;
mod file;
mod live;
mod memory;
mod pcap;
mod pcapng;

use core::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

pub use self::ahead::{Ahead, ReadAt};
pub(crate) use self::ahead::{Claim, bytes_of};
pub use self::block::{Behind, Block};
pub use self::file::CaptureFile;
pub use self::live::{Interface, LiveCapture, LiveOptions};
pub use self::memory::{FrameStore, MemorySource};
use crate::{Frame, LinkType, Timestamp};

/// Something that lends frames, one at a time.
///
/// ```
/// use huginn_net_core::{Frame, LinkType, Read, Source, SourceError, SourceStats, Timestamp};
///
/// /// IP packets that another part of the program sends.
/// struct Tap {
///     packets: std::sync::mpsc::Receiver<(Timestamp, Vec<u8>)>,
///     /// The packet that is lent.
///     latest: Vec<u8>,
///     stats: SourceStats,
/// }
///
/// impl Source for Tap {
///     fn read(&mut self) -> Result<Read<'_>, SourceError> {
///         // Not for ever: idle, the driver sees to what has waited too long, and whether it is to stop.
///         let captured_at = match self.packets.recv_timeout(core::time::Duration::from_millis(40)) {
///             Ok((captured_at, packet)) => {
///                 self.latest = packet;
///                 captured_at
///             }
///             Err(std::sync::mpsc::RecvTimeoutError::Timeout) => return Ok(Read::Idle),
///             Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return Ok(Read::End),
///         };
///         self.stats.count_frame(self.latest.len(), captured_at);
///         self.stats.see_link_type(LinkType::RAW);
///         let mut frame = Frame::new(&self.latest, LinkType::RAW);
///         (frame.captured_at, frame.number) = (captured_at, self.stats.packets);
///         Ok(Read::Frame(frame))
///     }
///
///     fn stats(&self) -> &SourceStats {
///         &self.stats
///     }
///
///     fn is_live(&self) -> bool {
///         true
///     }
/// }
/// # let (sender, packets) = std::sync::mpsc::channel();
/// # sender.send((Timestamp::from_nanos(1), vec![0x45; 20])).expect("somebody receives");
/// # drop(sender);
/// # let mut tap = Tap { packets, latest: Vec::new(), stats: SourceStats::default() };
/// # assert!(matches!(tap.read()?, Read::Frame(frame) if frame.bytes.len() == 20 && frame.number == 1));
/// # assert_eq!(tap.read()?, Read::End);
/// # assert!(tap.is_live());
/// # Ok::<(), SourceError>(())
/// ```
pub trait Source: Send {
    /// The next frame, which is lent until the next call.
    ///
    /// A live source waits for one, and gives [`Read::Idle`] when it has waited for some milliseconds: whoever takes events from an
    /// iterator, or has workers, asks again at once. Only where [`Events::step`](crate::Events::step) drives the analysis in one thread
    /// may it be idle without a wait, as the caller sees that.
    ///
    /// After [`Read::End`] every further call gives [`Read::End`] again.
    ///
    /// # Errors
    /// The source failed and gives no more frames. Damage that a file reader can pass over is no error; it is
    /// in [`SourceStats::damage`].
    fn read(&mut self) -> Result<Read<'_>, SourceError>;

    /// What has been read so far.
    fn stats(&self) -> &SourceStats;

    /// Whether frames arrive as they happen, so that a slow reader loses them.
    fn is_live(&self) -> bool {
        false
    }

    /// Fills a block with the next frames, of which there are none if nothing but what comes behind them was to be had. Workers get
    /// frames this way. As long as it is not overridden, they are [copied](Block::copy_from) until the block is full; a source that
    /// may wait for long should override it, or be idle in between.
    ///
    /// # Errors
    /// As with [`read`](Self::read); the frames before the failure are in the block.
    fn read_block(&mut self, block: &mut Block) -> Result<Behind, SourceError> {
        block.copy_from(self)
    }

    /// What it has yet to read, if several threads may read that ahead, each piece into a block that is filled afterwards, in the
    /// order of the pieces.
    fn ahead(&self) -> Option<Ahead> {
        None
    }

    /// Whether a call may wait for frames, as with a pipe. Whoever takes events does not read while there are others to come then.
    /// A run that is dropped ends when that call does.
    fn may_wait(&self) -> bool {
        true
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn read(&mut self) -> Result<Read<'_>, SourceError> {
        (**self).read()
    }

    fn stats(&self) -> &SourceStats {
        (**self).stats()
    }

    fn is_live(&self) -> bool {
        (**self).is_live()
    }

    fn read_block(&mut self, block: &mut Block) -> Result<Behind, SourceError> {
        (**self).read_block(block)
    }

    fn ahead(&self) -> Option<Ahead> {
        (**self).ahead()
    }

    fn may_wait(&self) -> bool {
        (**self).may_wait()
    }
}

/// The answer of [`Source::read`]; there is no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read<'a> {
    /// A frame.
    Frame(Frame<'a>),
    /// A live source has had nothing for some milliseconds; ask again.
    Idle,
    /// There will be no more frames.
    End,
}

/// A source could not be opened or failed while it was read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A file could not be opened; the source of this error says why.
    #[error("{}: cannot be opened", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// What was opened could not be read further; the source of this error says why.
    #[error("the capture cannot be read")]
    Read(#[source] io::Error),
    /// The operating system refused what it takes to capture an interface; the source of this error says why, a lack of
    /// permission with [`io::ErrorKind::PermissionDenied`].
    #[error("{doing} failed")]
    Capture {
        /// What was asked for, in a few words.
        doing: &'static str,
        /// What the operating system says.
        source: io::Error,
    },
    /// Interfaces cannot be captured as it was asked for, for this reason.
    #[error("{0}")]
    Refused(String),
    /// A thread of the analysis could not be started; the source of this error says why.
    #[error("a thread of the analysis cannot be started")]
    Thread(#[source] io::Error),
    /// The input holds nothing that could be a capture; `found` are its first bytes (at most 4).
    #[error("not a capture of a known format (first bytes: {})", Hex(found))]
    UnknownFormat {
        /// The first bytes of the input, at most 4.
        found: Vec<u8>,
    },
    /// The input is a capture or a compressed file of a kind that is not read here.
    #[error("{name}, which is not read here: {remedy}")]
    OtherFormat {
        /// What it is, for example `a snoop capture`.
        name: &'static str,
        /// What makes a readable capture of it.
        remedy: &'static str,
    },
    /// The input is empty.
    #[error("empty: not even a capture header")]
    Empty,
    /// The input is compressed in a way this build does not include; the field names the missing feature.
    #[error("compressed capture, but built without the feature `{0}`")]
    Unsupported(&'static str),
    /// A thread that reads or analyzes panicked, with this message: an error in a source or an analyzer.
    #[error("a thread of the analysis panicked: {0}")]
    Panicked(String),
    /// There is no network interface of this name.
    #[error("{name}: there is no such interface")]
    NoInterface {
        /// The name.
        name: String,
    },
    /// The network interface was removed while it was captured; if there were several, the last of them.
    #[error("{name}: the interface was removed")]
    Removed {
        /// Its name.
        name: String,
    },
    /// Frames of this kind of link cannot be decoded.
    #[error("{name}: frames of this type of link (ARPHRD {hardware_type}) cannot be decoded")]
    UnsupportedLink {
        /// Name of the interface.
        name: String,
        /// `ARPHRD_` number of Linux.
        hardware_type: u16,
    },
    /// This build has no such way to capture from interfaces: there is one on Linux with the feature `live`, and one with
    /// the feature `libpcap`.
    #[error("this build cannot capture: that takes the feature `live`, on Linux, or `libpcap`")]
    NoLive,
}

struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            write!(f, "{}{byte:02x}", if index == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// What a source has read so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceStats {
    /// The format of a capture file, once it is known.
    pub format: Option<Format>,
    /// Link types seen, in order of appearance, at most 16.
    pub link_types: Vec<LinkType>,
    /// Frames lent.
    pub packets: u64,
    /// Captured bytes of those frames.
    pub bytes: u64,
    /// Bytes read from the input, as stored (before decompression).
    pub input_bytes: u64,
    /// Capture time of the first frame.
    pub first: Option<Timestamp>,
    /// Capture time of the last frame.
    pub last: Option<Timestamp>,
    /// Damage found, in order, at most [`SourceStats::MAX_DAMAGE`]; the rest is counted in `damage_total`.
    pub damage: Vec<Damage>,
    /// How many times damage was found.
    pub damage_total: u64,
    /// What a live source has missed.
    pub live: LiveStats,
}

/// What a live source has missed so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LiveStats {
    /// Frames that the kernel dropped because its buffer was full.
    pub kernel_dropped: u64,
    /// Frames that the kernel announced in its buffer and that were not there, which no kernel should do.
    pub ring_lost: u64,
    /// How often the kernel's buffer was full.
    pub freezes: u64,
    /// How often the interface went down.
    pub outages: u64,
    /// How many of several interfaces were removed while there were others left.
    pub removed: u64,
}

impl LiveStats {
    /// Adds what another source has missed.
    pub fn add(&mut self, other: &Self) {
        self.kernel_dropped += other.kernel_dropped;
        self.ring_lost += other.ring_lost;
        self.freezes += other.freezes;
        self.outages += other.outages;
        self.removed += other.removed;
    }

    /// Frames that were to be captured and were not.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.kernel_dropped + self.ring_lost
    }
}

impl SourceStats {
    /// How many places of damage are kept.
    pub const MAX_DAMAGE: usize = 64;
    const MAX_LINK_TYPES: usize = 16;

    /// Counts a frame that is about to be lent.
    #[inline]
    pub fn count_frame(&mut self, captured_len: usize, captured_at: Timestamp) {
        self.packets += 1;
        self.bytes += captured_len as u64;
        if self.first.is_none() {
            self.first = Some(captured_at);
        }
        self.last = Some(captured_at);
    }

    /// Remembers a link type.
    pub fn see_link_type(&mut self, link_type: LinkType) {
        if !self.link_types.contains(&link_type) && self.link_types.len() < Self::MAX_LINK_TYPES {
            self.link_types.push(link_type);
        }
    }

    /// Adds what another source has given, as for the sum of several captures.
    pub fn add(&mut self, other: &Self) {
        let Self { format, link_types, packets, bytes, input_bytes, first, last, damage, damage_total, live } =
            other;
        self.format = self.format.or(*format);
        link_types.iter().for_each(|&link_type| self.see_link_type(link_type));
        self.packets += packets;
        self.bytes += bytes;
        self.input_bytes += input_bytes;
        self.first = [self.first, *first].into_iter().flatten().min();
        self.last = self.last.max(*last);
        let room = Self::MAX_DAMAGE.saturating_sub(self.damage.len());
        self.damage.extend(damage.iter().take(room));
        self.damage_total += damage_total;
        self.live.add(live);
    }

    /// Counts damage and keeps it while there is room.
    pub fn see_damage(&mut self, damage: Damage) {
        self.damage_total += 1;
        if self.damage.len() < Self::MAX_DAMAGE {
            self.damage.push(damage);
        }
    }
}

/// The format of a capture file; displays as `pcap`, `pcapng`, `pcap.gz` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Format {
    /// How frames are stored.
    pub container: Container,
    /// How that is compressed.
    pub compression: Compression,
}

/// How a capture file stores frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Container {
    /// libpcap, times in microseconds.
    Pcap,
    /// libpcap, times in nanoseconds.
    PcapNanos,
    /// libpcap with the longer record header of Alexey Kuznetzov's patch.
    PcapKuznetzov,
    /// libpcap with 4 bytes more in each record header, as Nokia's firewalls write it.
    PcapNokia,
    /// libpcap with 8 bytes more in each record header, and the magic of those without: Red Hat 6.1.
    PcapRedHat,
    /// That of Kuznetzov's patch with 4 bytes more: SuSE 6.3.
    PcapSuse,
    /// pcapng.
    Pcapng,
}

/// How a capture file is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// gzip, one member or several.
    Gzip,
    /// Zstandard, one frame or several.
    Zstd,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.container {
            Container::Pcap => "pcap",
            Container::PcapNanos => "pcap-ns",
            Container::PcapKuznetzov => "pcap-kuznetzov",
            Container::PcapNokia => "pcap-nokia",
            Container::PcapRedHat => "pcap-rh6.1",
            Container::PcapSuse => "pcap-suse6.3",
            Container::Pcapng => "pcapng",
        })?;
        f.write_str(match self.compression {
            Compression::None => "",
            Compression::Gzip => ".gz",
            Compression::Zstd => ".zst",
        })
    }
}

/// A place where a capture file is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Damage {
    /// What is wrong there.
    pub reason: DamageReason,
    /// Byte offset in the (uncompressed) capture.
    pub offset: u64,
}

impl Damage {
    /// Damage of this kind at this byte of the (uncompressed) capture.
    #[must_use]
    pub const fn new(reason: DamageReason, offset: u64) -> Self {
        Self { reason, offset }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.reason, self.offset)
    }
}

/// What is wrong with a capture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DamageReason {
    /// The file ends within a header.
    CutHeader,
    /// The file ends within a record or block.
    CutRecord,
    /// A length no frame can have; reading went on at the next plausible record.
    AbsurdLength,
    /// Bytes that are no record; reading went on at the next plausible one.
    Garbage,
    /// A pcapng block whose two lengths differ, or whose body does not fit it.
    BadBlock,
    /// A pcapng packet of an interface that was never described, or an interface beyond those that are
    /// remembered.
    UnknownInterface,
    /// The compressed data is corrupt or cut.
    BadCompression,
    /// The data was compressed by Zstandard with a window of more than 32 MiB, which is not held; `zstd -d` may read it.
    LargeWindow,
}

impl DamageReason {
    /// A short fixed word, for example `cut_record`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CutHeader => "cut_header",
            Self::CutRecord => "cut_record",
            Self::AbsurdLength => "absurd_length",
            Self::Garbage => "garbage",
            Self::BadBlock => "bad_block",
            Self::UnknownInterface => "unknown_interface",
            Self::BadCompression => "bad_compression",
            Self::LargeWindow => "large_window",
        }
    }
}

impl fmt::Display for DamageReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CutHeader => "the file ends within a header",
            Self::CutRecord => "the file ends within a record",
            Self::AbsurdLength => "a record length no frame can have",
            Self::Garbage => "bytes that are no record",
            Self::BadBlock => "a malformed block",
            Self::UnknownInterface => "a packet of an undescribed interface",
            Self::BadCompression => "corrupt or cut compressed data",
            Self::LargeWindow => {
                "data compressed with a window of more than 32 MiB, for which there is `zstd -d`"
            }
        })
    }
}
