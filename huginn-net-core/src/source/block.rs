//! Frames that are read together.

use core::ops::Range;
use std::io;
use std::sync::Arc;

use super::ahead::{Claim, MAX_PIECE};
use super::memory::FrameStore;
use super::{Read, Source, SourceError};
use crate::{Frame, LinkType, Timestamp};

/// Frames that lie in memory together until the block is filled again, so that several threads can look at them: see
/// [`Source::read_block`].
///
/// ```
/// use huginn_net_core::source::{Behind, Block, FrameStore};
/// use huginn_net_core::{Frame, LinkType, Source};
/// use std::sync::Arc;
///
/// let mut store = FrameStore::default();
/// for len in [60, 61, 62] {
///     store.push(&Frame::new(&vec![0; len], LinkType::ETHERNET));
/// }
/// let mut source = Arc::new(store).source();
/// let mut block = Block::new(2, usize::MAX);
/// assert_eq!(source.read_block(&mut block)?, Behind::More);
/// assert_eq!(block.frames().map(|frame| frame.bytes.len()).collect::<Vec<_>>(), [60, 61]);
/// assert_eq!(source.read_block(&mut block)?, Behind::End);
/// assert_eq!(block.len(), 1);
/// # Ok::<(), huginn_net_core::SourceError>(())
/// ```
#[derive(Debug)]
pub struct Block {
    /// What frames were read to.
    memory: Vec<u8>,
    /// Frames that lie nowhere else.
    copies: Vec<u8>,
    frames: Vec<Noted>,
    has_noted: bool,
    /// Frames that lie in a store: these of it, and no others.
    stored: Option<(Arc<FrameStore>, Range<usize>)>,
    max_frames: usize,
    max_bytes: usize,
    /// What was read ahead into its memory, behind the [headroom](Self::HEADROOM).
    piece: Option<Piece>,
}

/// Bytes that were read ahead.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) offset: u64,
    pub(super) len: usize,
    /// Whether they are the last ones.
    pub(super) is_last: bool,
    /// Why there are no more.
    pub(super) failure: Option<io::Error>,
}

/// A frame, and where it lies.
#[derive(Clone, Copy, Debug)]
struct Noted {
    is_copy: bool,
    start: usize,
    len: usize,
    captured_at: Timestamp,
    number: u64,
    wire_len: u32,
    link_type: LinkType,
}

const _: () = assert!(size_of::<Noted>() <= 48, "a block has as many as frames");

/// What comes behind the frames of a [`Block`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// There may be more of them.
    More,
    /// There are more of them in what has been read: no further piece is [wanted](super::Source::ahead) for the next block.
    Rest,
    /// A source that waits for frames has none for the moment; ask again.
    Idle,
    /// There will be no more frames.
    End,
}

impl Block {
    /// A block that is full with so many frames, or with the frame that reaches so many bytes; one frame fits in any case.
    #[must_use]
    pub fn new(max_frames: usize, max_bytes: usize) -> Self {
        let (memory, copies, frames) = (Vec::new(), Vec::new(), Vec::new());
        Self { memory, copies, frames, has_noted: false, stored: None, max_frames, max_bytes, piece: None }
    }

    /// Whether a frame was noted that lies in its memory.
    pub(super) fn has_noted(&self) -> bool {
        self.has_noted
    }

    /// How many frames fill it.
    pub(super) fn max_frames(&self) -> usize {
        self.max_frames.max(1)
    }

    /// How many frames are in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stored.as_ref().map_or(self.frames.len(), |(_, range)| range.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no more frames are to be put in.
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.frames.len() >= self.max_frames() || self.copies.len() >= self.max_bytes.max(1)
    }

    /// The frames, in order.
    pub fn frames(&self) -> impl Iterator<Item = Frame<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The frame at this place in the order, from 0.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Frame<'_>> {
        if let Some((store, range)) = &self.stored {
            return store.get(range.start + index);
        }
        let Noted { is_copy, start, len, captured_at, number, wire_len, link_type } =
            *self.frames.get(index)?;
        let memory = if is_copy { &self.copies } else { &self.memory };
        let bytes = memory.get(start..).and_then(|bytes| bytes.get(..len)).unwrap_or_default();
        Some(Frame { captured_at, number, wire_len, ..Frame::new(bytes, link_type) })
    }

    /// Takes out all frames. Memory that many or large ones took is given back, but for that which is read to.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.frames.shrink_to(self.max_frames().saturating_mul(2));
        self.has_noted = false;
        self.stored = None;
        self.copies.clear();
        self.copies.shrink_to(self.max_bytes.saturating_mul(2));
    }

    /// Fills it with copies of the frames that a source [reads](Source::read), after which there are others in it no more. If the
    /// source waits for frames without being [idle](Read::Idle) meanwhile, so does this until the block is full.
    ///
    /// # Errors
    /// As with [`Source::read`]; the frames before the failure are in the block.
    pub fn copy_from(&mut self, source: &mut (impl Source + ?Sized)) -> Result<Behind, SourceError> {
        self.clear();
        while !self.is_full() {
            match source.read()? {
                Read::Frame(frame) => self.push(&frame),
                Read::Idle => return Ok(Behind::Idle),
                Read::End => return Ok(Behind::End),
            }
        }
        Ok(Behind::More)
    }

    /// Puts in a copy of a frame.
    pub fn push(&mut self, frame: &Frame<'_>) {
        let start = self.copies.len();
        self.copies.extend_from_slice(frame.bytes);
        self.put(frame, true, start);
    }

    /// Puts in a frame that lies in the memory of the block from `start` on, or will once that is [given](Self::give_memory).
    #[inline]
    pub(super) fn note(&mut self, frame: &Frame<'_>, start: usize) {
        self.has_noted = true;
        self.put(frame, false, start);
    }

    #[inline]
    fn put(&mut self, frame: &Frame<'_>, is_copy: bool, start: usize) {
        let Frame { bytes, captured_at, number, wire_len, link_type } = *frame;
        self.frames.push(Noted {
            is_copy,
            start,
            len: bytes.len(),
            captured_at,
            number,
            wire_len,
            link_type,
        });
    }

    /// Room before a piece, for what the one before it has of the first record.
    pub(super) const HEADROOM: usize = 64 << 10;

    /// Reads a piece ahead, with which it is to be filled next. Whether there may be another one behind that.
    pub(crate) fn read_ahead(&mut self, claim: &Claim) -> bool {
        let end = Self::HEADROOM + claim.len;
        self.memory.resize(end, 0);
        // Memory that was large for the sake of one record is given back.
        self.memory.shrink_to(Self::HEADROOM + MAX_PIECE);
        let (len, failure) = claim.read(self.memory.get_mut(Self::HEADROOM..).unwrap_or_default());
        let is_last = len < claim.len;
        self.piece = Some(Piece { offset: claim.offset, len, is_last, failure });
        !is_last
    }

    pub(super) fn take_piece(&mut self) -> Option<Piece> {
        self.piece.take()
    }

    /// The memory that it has, to be used again; no frame may be noted.
    pub(super) fn take_memory(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.memory)
    }

    /// Gives the memory in which all frames lie that were noted.
    pub(super) fn give_memory(&mut self, bytes: Vec<u8>) {
        self.memory = bytes;
    }

    /// Has these frames of a store in it.
    pub(super) fn lie_in(&mut self, store: &Arc<FrameStore>, range: Range<usize>) {
        self.stored = Some((Arc::clone(store), range));
    }
}
