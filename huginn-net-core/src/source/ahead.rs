//! Bytes that are read ahead of a source.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
use std::fs::File;
use std::io;
use std::sync::Arc;

use super::SourceStats;

/// The most bytes that are read ahead together: they are to lie in the level-2 cache of who goes on with them.
pub(super) const MAX_PIECE: usize = 256 << 10;

/// About how many bytes of a source have so many frames, by what it has given so far: a piece for as many.
pub(crate) fn bytes_of(frames: usize, stats: &SourceStats) -> usize {
    // Of a small frame, and what a file has around each.
    const USUAL: u64 = 100;
    const AROUND: usize = 16;
    const LEAST: usize = 512;
    let mean = stats.bytes.checked_div(stats.packets).unwrap_or(USUAL);
    let mean = usize::try_from(mean).unwrap_or(usize::MAX).saturating_add(AROUND);
    mean.saturating_mul(frames).clamp(LEAST, MAX_PIECE)
}

/// Bytes that can be read at any place, by several threads at a time: see
/// [`CaptureFile::from_read_at`](super::CaptureFile::from_read_at).
pub trait ReadAt: Send + Sync {
    /// Reads bytes from this offset on into the front of the slice, and gives their number: 0 behind the last one.
    ///
    /// # Errors
    /// They cannot be read.
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl<R: ReadAt + ?Sized> ReadAt for Arc<R> {
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        (**self).read_at(into, offset)
    }
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let mut rest = self.get(offset..).unwrap_or_default();
        io::Read::read(&mut rest, into)
    }
}

impl ReadAt for File {
    #[cfg(unix)]
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, into, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, into, offset)
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _: &mut [u8], _: u64) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// What a source has yet to read, of which several threads may read pieces ahead: see [`Source::ahead`](super::Source::ahead).
#[derive(Clone)]
pub struct Ahead {
    bytes: Arc<dyn ReadAt>,
    /// Offset of the first byte that nobody reads.
    next: u64,
}

impl fmt::Debug for Ahead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ahead").field("next", &self.next).finish_non_exhaustive()
    }
}

impl Ahead {
    /// Leaves out what the source has read itself by now.
    pub(crate) fn catch_up(&mut self, source: &Self) {
        self.next = self.next.max(source.next);
    }

    /// Takes the next piece, of so many bytes, for somebody to read it.
    pub(crate) fn take(&mut self, len: usize) -> Claim {
        let offset = self.next;
        self.next += len as u64;
        Claim { bytes: Arc::clone(&self.bytes), offset, len }
    }
}

/// A piece that is yet to be read.
pub(crate) struct Claim {
    bytes: Arc<dyn ReadAt>,
    pub(super) offset: u64,
    pub(super) len: usize,
}

impl Claim {
    /// Reads it. Gives how many bytes there were, fewer than it has only at the end, and why if that is where it cannot be read.
    pub(super) fn read(&self, mut into: &mut [u8]) -> (usize, Option<io::Error>) {
        let mut len = 0;
        while !into.is_empty() {
            match self.bytes.read_at(into, self.offset + len as u64) {
                Ok(0) => break,
                Ok(read) => {
                    len += read;
                    into = into.get_mut(read..).unwrap_or_default();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return (len, Some(error)),
            }
        }
        (len, None)
    }
}

/// Reads such bytes one after the other, from where others have got to.
#[derive(Clone)]
pub(super) struct Placed {
    bytes: Arc<dyn ReadAt>,
    at: Arc<AtomicU64>,
}

impl Placed {
    pub(super) fn new(bytes: impl ReadAt + 'static) -> Self {
        Self { bytes: Arc::new(bytes), at: Arc::default() }
    }

    /// Offset of what it reads next.
    pub(super) fn at(&self) -> u64 {
        self.at.load(Ordering::Relaxed)
    }

    /// Passes over what somebody else has read.
    pub(super) fn pass(&self, len: usize) {
        self.at.fetch_add(len as u64, Ordering::Relaxed);
    }

    pub(super) fn ahead(&self) -> Ahead {
        Ahead { bytes: Arc::clone(&self.bytes), next: self.at() }
    }
}

impl io::Read for Placed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.bytes.read_at(into, self.at())?;
        self.pass(len);
        Ok(len)
    }
}
