//! Frames held in memory.

use core::hint::black_box;
use std::sync::Arc;

use super::{Behind, Block, Read, Source, SourceError, SourceStats};
use crate::{Frame, LinkType, Timestamp};

/// Frames in one piece of memory, to be read any number of times.
///
/// ```
/// use huginn_net_core::source::FrameStore;
/// use huginn_net_core::{Frame, LinkType, Read, Source};
/// use std::sync::Arc;
///
/// let mut store = FrameStore::default();
/// store.push(&Frame::new(&[0; 60], LinkType::ETHERNET));
/// let mut source = Arc::new(store).source();
/// assert!(matches!(source.read()?, Read::Frame(frame) if frame.bytes.len() == 60));
/// assert!(matches!(source.read()?, Read::End));
/// # Ok::<(), huginn_net_core::SourceError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FrameStore {
    bytes: Vec<u8>,
    frames: Vec<Stored>,
}

#[derive(Clone, Copy, Debug)]
struct Stored {
    end: usize,
    captured_at: Timestamp,
    number: u64,
    wire_len: u32,
    link_type: LinkType,
}

impl FrameStore {
    /// Appends a copy of a frame.
    pub fn push(&mut self, frame: &Frame<'_>) {
        self.bytes.extend_from_slice(frame.bytes);
        let Frame { captured_at, wire_len, link_type, number, .. } = *frame;
        self.frames.push(Stored { end: self.bytes.len(), captured_at, number, wire_len, link_type });
    }

    /// Number of frames.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Bytes of all frames.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes of memory that the frames take, with what is known of each; an allocation may have up to twice as many.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.bytes.len() + size_of_val(self.frames.as_slice())
    }

    /// The frame at this place, from 0.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<Frame<'_>> {
        let stored = *self.frames.get(index)?;
        let start =
            index.checked_sub(1).and_then(|before| self.frames.get(before)).map_or(0, |frame| frame.end);
        Some(self.lent(start, stored))
    }

    /// A frame that begins there.
    #[inline]
    fn lent(&self, start: usize, stored: Stored) -> Frame<'_> {
        let Stored { end, captured_at, number, wire_len, link_type } = stored;
        let bytes = self.bytes.get(start..end).unwrap_or_default();
        Frame { captured_at, wire_len, number, ..Frame::new(bytes, link_type) }
    }

    /// Reads the frames from the first one on.
    #[must_use]
    pub fn source(self: Arc<Self>) -> MemorySource {
        MemorySource { store: self, next: 0, start: 0, touched: 0, stats: SourceStats::default() }
    }
}

/// Lends the frames of a [`FrameStore`].
#[derive(Clone, Debug)]
pub struct MemorySource {
    store: Arc<FrameStore>,
    next: usize,
    /// Where the next frame begins.
    start: usize,
    /// The first frame that has not been touched.
    touched: usize,
    stats: SourceStats,
}

impl MemorySource {
    /// Frames that are touched together.
    const AHEAD: usize = 64;
    /// Where headers lie in a frame, a line of the cache apart.
    const LINES: [usize; 2] = [0, 64];

    /// Touches the headers of the next frames. Memory that is in no cache takes about 100 ns to come, which is more than most
    /// frames cost; asked for together, the lines come together.
    fn touch(&mut self) {
        let mut start = self.start;
        let mut any = 0;
        for stored in self.store.frames.iter().skip(self.next).take(Self::AHEAD) {
            for line in Self::LINES {
                any |= self.store.bytes.get(start + line).copied().unwrap_or_default();
            }
            start = stored.end;
        }
        black_box(any);
        self.touched = self.next + Self::AHEAD;
    }
}

impl Source for MemorySource {
    #[inline]
    fn read(&mut self) -> Result<Read<'_>, SourceError> {
        if self.next >= self.touched {
            self.touch();
        }
        let Some(&stored) = self.store.frames.get(self.next) else { return Ok(Read::End) };
        let frame = self.store.lent(self.start, stored);
        (self.next, self.start) = (self.next + 1, stored.end);
        self.stats.count_frame(frame.bytes.len(), frame.captured_at);
        self.stats.see_link_type(frame.link_type);
        Ok(Read::Frame(frame))
    }

    fn stats(&self) -> &SourceStats {
        &self.stats
    }

    /// Frames stay in the store.
    fn read_block(&mut self, block: &mut Block) -> Result<Behind, SourceError> {
        block.clear();
        let first = self.next;
        let is_end = loop {
            if self.next - first >= block.max_frames() {
                break false;
            }
            if matches!(self.read()?, Read::End) {
                break true;
            }
        };
        block.lie_in(&self.store, first..self.next);
        Ok(if is_end { Behind::End } else { Behind::More })
    }

    fn may_wait(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_lent_as_they_were_stored_and_as_often_as_wanted() {
        let frames = [
            Frame { number: 7, wire_len: 99, ..Frame::new(b"one", LinkType::ETHERNET) },
            Frame { captured_at: Timestamp::from_nanos(5), ..Frame::new(b"", LinkType::RAW) },
        ];
        let mut store = FrameStore::default();
        frames.iter().for_each(|frame| store.push(frame));
        assert_eq!((store.len(), store.bytes()), (2, 3));
        assert_eq!(store.held_bytes(), 3 + 2 * size_of::<Stored>());
        let store = Arc::new(store);
        for _ in 0..2 {
            let mut source = Arc::clone(&store).source();
            for frame in frames {
                assert_eq!(source.read().unwrap(), Read::Frame(frame));
            }
            assert_eq!(source.read().unwrap(), Read::End);
            assert_eq!(source.read().unwrap(), Read::End);
            assert_eq!((source.stats().packets, source.stats().bytes), (2, 3));
            assert_eq!(source.stats().link_types, [LinkType::ETHERNET, LinkType::RAW]);
        }
    }
}
