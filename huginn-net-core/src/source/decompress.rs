//! The stored bytes of a capture and what undoes their compression, in constant memory.

use std::io::{self, Read};

#[cfg(any(feature = "gzip", feature = "zstd"))]
use std::io::{BufRead, BufReader};

#[cfg(feature = "gzip")]
use flate2::{Decompress, FlushDecompress, Status};
#[cfg(feature = "zstd")]
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
#[cfg(feature = "zstd")]
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{Compression, DamageReason, SourceError};

/// Compressed bytes taken from the input at once.
#[cfg(any(feature = "gzip", feature = "zstd"))]
const CHUNK: usize = 64 * 1024;

/// The largest window of a Zstandard frame that is accepted. The decoder keeps the window twice for a moment
/// while it grows, and `zstd` itself asks for more than 8 MiB only with `--ultra` or `--long`.
#[cfg(feature = "zstd")]
const MAX_ZSTD_WINDOW: u64 = 32 * 1024 * 1024;

/// Why no more bytes can be had.
#[derive(Debug)]
pub(super) enum Fault {
    /// The input could not be read.
    Io(io::Error),
    /// The compressed data cannot be read further.
    Compression(DamageReason),
}

/// A decoder cannot go on. If its input failed, the reason is in [`Stored::failure`].
struct Broken(DamageReason);

impl Broken {
    const CORRUPT: Self = Self(DamageReason::BadCompression);
}

impl From<io::Error> for Broken {
    fn from(_: io::Error) -> Self {
        Self::CORRUPT
    }
}

/// The uncompressed bytes of a capture.
pub(super) enum Input {
    Plain(Stored),
    #[cfg(feature = "gzip")]
    Gzip(Box<Gzip>),
    #[cfg(feature = "zstd")]
    Zstd(Box<Zstd>),
}

impl Input {
    pub(super) fn new(stored: Stored, compression: Compression) -> Result<Self, SourceError> {
        match compression {
            Compression::None => Ok(Self::Plain(stored)),
            #[cfg(feature = "gzip")]
            Compression::Gzip => Ok(Self::Gzip(Box::new(Gzip::new(stored)))),
            #[cfg(not(feature = "gzip"))]
            Compression::Gzip => Err(SourceError::Unsupported("gzip")),
            #[cfg(feature = "zstd")]
            Compression::Zstd => Ok(Self::Zstd(Box::new(Zstd::new(stored)))),
            #[cfg(not(feature = "zstd"))]
            Compression::Zstd => Err(SourceError::Unsupported("zstd")),
        }
    }

    /// Reads what is there, at most `into.len()` bytes; 0 at the end.
    pub(super) fn read(&mut self, into: &mut [u8]) -> Result<usize, Fault> {
        let (result, stored) = match self {
            Self::Plain(stored) => (stored.read(into).map_err(Broken::from), stored),
            #[cfg(feature = "gzip")]
            Self::Gzip(gzip) => (gzip.read(into), gzip.stored.get_mut()),
            #[cfg(feature = "zstd")]
            Self::Zstd(zstd) => (zstd.read(into), zstd.stored.get_mut()),
        };
        result.map_err(|Broken(reason)| stored.failure.take().map_or(Fault::Compression(reason), Fault::Io))
    }

    /// Counts bytes of a capture that is not compressed, which somebody else has read.
    pub(super) fn pass(&mut self, len: usize) {
        if let Self::Plain(stored) = self {
            stored.count += len as u64;
        }
    }

    /// Bytes taken from the reader, as stored.
    pub(super) fn stored_bytes(&self) -> u64 {
        match self {
            Self::Plain(stored) => stored.count,
            #[cfg(feature = "gzip")]
            Self::Gzip(gzip) => gzip.stored.get_ref().count,
            #[cfg(feature = "zstd")]
            Self::Zstd(zstd) => zstd.stored.get_ref().count,
        }
    }
}

/// Counts what is read, and reads again after a signal.
pub(super) struct Stored {
    reader: Box<dyn Read + Send>,
    count: u64,
    /// The failure of the reader, kept here because a decoder gives it back wrapped up beyond recognition.
    failure: Option<io::Error>,
}

impl Stored {
    /// Wraps a reader and gives its first bytes as well, which stay unread; fewer than 4 if the input ends
    /// there.
    pub(super) fn new(mut reader: impl Read + Send + 'static) -> io::Result<(Self, Vec<u8>)> {
        let mut head = Vec::with_capacity(4);
        reader.by_ref().take(4).read_to_end(&mut head)?;
        let stored =
            Self { reader: Box::new(io::Cursor::new(head.clone()).chain(reader)), count: 0, failure: None };
        Ok((stored, head))
    }
}

impl Read for Stored {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.reader.read(into) {
                Ok(len) => {
                    self.count += len as u64;
                    return Ok(len);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    self.failure = Some(error);
                    return Err(kind.into());
                }
            }
        }
    }
}

/// gzip ([RFC 1952](https://www.rfc-editor.org/rfc/rfc1952)): members one after another, each with its
/// checksum. Zeros behind the last one are padding, as GNU gzip has it: what writes whole blocks fills them up.
#[cfg(feature = "gzip")]
pub(super) struct Gzip {
    stored: BufReader<Stored>,
    inflate: Decompress,
    in_member: bool,
    in_padding: bool,
    corrupt: bool,
}

#[cfg(feature = "gzip")]
impl Gzip {
    /// Base-2 logarithm of the DEFLATE window: 32 KiB.
    const WINDOW_BITS: u8 = 15;

    fn new(stored: Stored) -> Self {
        Self {
            stored: BufReader::with_capacity(CHUNK, stored),
            inflate: Decompress::new_gzip(Self::WINDOW_BITS),
            in_member: false,
            in_padding: false,
            corrupt: false,
        }
    }

    fn read(&mut self, into: &mut [u8]) -> Result<usize, Broken> {
        while !self.corrupt {
            let chunk = self.stored.fill_buf()?;
            let Some(&first) = chunk.first() else {
                self.corrupt = self.in_member;
                break;
            };
            self.in_padding |= !self.in_member && first == 0;
            if self.in_padding {
                self.corrupt = chunk.iter().any(|&byte| byte != 0);
                let len = chunk.len();
                self.stored.consume(len);
                continue;
            }
            let (read_before, written_before) = (self.inflate.total_in(), self.inflate.total_out());
            let status = self.inflate.decompress(chunk, into, FlushDecompress::None);
            // Both counters have moved by no more than the two slices are long.
            let read = usize::try_from(self.inflate.total_in() - read_before).unwrap_or(usize::MAX);
            let written = usize::try_from(self.inflate.total_out() - written_before).unwrap_or(usize::MAX);
            self.stored.consume(read);
            self.in_member = true;
            match status {
                Ok(Status::StreamEnd) => {
                    self.inflate = Decompress::new_gzip(Self::WINDOW_BITS);
                    self.in_member = false;
                }
                Ok(_) => self.corrupt = read == 0 && written == 0,
                Err(_) => self.corrupt = true,
            }
            // What was inflated before the corrupt place is good.
            if written > 0 {
                return Ok(written);
            }
        }
        if self.corrupt { Err(Broken::CORRUPT) } else { Ok(0) }
    }
}

/// Zstandard ([RFC 8878](https://www.rfc-editor.org/rfc/rfc8878)): frames one after another, some of them
/// skippable.
///
/// The decoder holds back a window's worth of data until the frame ends.
#[cfg(feature = "zstd")]
pub(super) struct Zstd {
    stored: BufReader<Stored>,
    frame: FrameDecoder,
    in_frame: bool,
    broken: bool,
}

#[cfg(feature = "zstd")]
impl Zstd {
    fn new(stored: Stored) -> Self {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(MAX_ZSTD_WINDOW);
        Self { stored: BufReader::with_capacity(CHUNK, stored), frame, in_frame: false, broken: false }
    }

    fn read(&mut self, into: &mut [u8]) -> Result<usize, Broken> {
        loop {
            if self.frame.can_collect() > 0 {
                return Ok(self.frame.read(into)?);
            }
            if self.broken {
                return Err(Broken::CORRUPT);
            }
            if !self.in_frame {
                if self.stored.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.begin_frame()?;
            } else if self.frame.is_finished() {
                self.in_frame = false;
                let stated = self.frame.get_checksum_from_data();
                self.broken = stated.is_some() && stated != self.frame.get_calculated_checksum();
            } else if self
                .frame
                .decode_blocks(&mut self.stored, BlockDecodingStrategy::UptoBlocks(1))
                .is_err()
            {
                self.broken = true;
                self.release_window()?;
            }
        }
    }

    fn begin_frame(&mut self) -> Result<(), Broken> {
        match self.frame.reset(&mut self.stored) {
            Ok(()) => self.in_frame = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let mut skipped = self.stored.by_ref().take(length.into());
                if io::copy(&mut skipped, &mut io::sink())? != u64::from(length) {
                    return Err(Broken::CORRUPT);
                }
            }
            Err(FrameDecoderError::WindowSizeTooBig { .. }) => {
                return Err(Broken(DamageReason::LargeWindow));
            }
            Err(_) => return Err(Broken::CORRUPT),
        }
        Ok(())
    }

    /// Ends the frame with an empty raw block (RFC 8878 §3.1.1.2) of our own, so that the decoder gives out
    /// what it decoded before the corrupt place.
    fn release_window(&mut self) -> Result<(), Broken> {
        const LAST_BLOCK_AND_CHECKSUM: [u8; 7] = [0x01, 0, 0, 0, 0, 0, 0];
        self.frame
            .decode_blocks(LAST_BLOCK_AND_CHECKSUM.as_slice(), BlockDecodingStrategy::UptoBlocks(1))
            .map(drop)
            .map_err(|_| Broken::CORRUPT)
    }
}
