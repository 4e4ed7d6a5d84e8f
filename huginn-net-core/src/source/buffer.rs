//! The bytes of a capture that have been read and not yet used.

use std::io;
use std::mem;

use super::ahead::{Ahead, Placed};
use super::block::Piece;
use super::decompress::{Fault, Input};
use super::{Damage, DamageReason, SourceError, SourceStats};

/// What the buffer starts with; it holds a few hundred frames and fits a level-2 cache.
const INITIAL_CAPACITY: usize = 256 * 1024;

/// A window that moves over the capture. Frames are lent from it, so it never copies one except when it moves
/// the unread rest to its front.
pub(super) struct Buffer {
    input: Input,
    /// Always filled with something; what has been read lies in `start..end`.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Offset of `bytes[0]` in the capture.
    base: u64,
    ending: Option<Ending>,
    stored_bytes: u64,
    /// Where the input is, if pieces of it may be read ahead.
    placed: Option<Placed>,
    /// Why no more could be read ahead.
    failure: Option<io::Error>,
    /// Whether what has been found is to stay where it is.
    is_pinned: bool,
    /// Memory that was left because of that.
    left: Option<Vec<u8>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Clean,
    /// The compression cannot be undone any further.
    Unreadable(DamageReason),
}

impl Buffer {
    pub(super) fn new(input: Input, placed: Option<Placed>) -> Self {
        let bytes = vec![0; INITIAL_CAPACITY];
        Self {
            input,
            bytes,
            start: 0,
            end: 0,
            base: 0,
            ending: None,
            stored_bytes: 0,
            placed,
            failure: None,
            is_pinned: false,
            left: None,
        }
    }

    /// The bytes that have been read but not consumed.
    #[inline]
    pub(super) fn unread(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// Offset in the capture of the first unread byte.
    #[inline]
    pub(super) fn position(&self) -> u64 {
        self.base.wrapping_add(self.start as u64)
    }

    /// Bytes taken from the input so far, as stored.
    #[inline]
    pub(super) fn stored_bytes(&self) -> u64 {
        self.stored_bytes
    }

    /// Reads until `need` bytes are unread and says whether there are that many. Reads no more often than it
    /// must, so what a pipe has delivered is available at once.
    ///
    /// Callers limit `need`: the buffer grows to twice as much.
    #[inline]
    pub(super) fn has(&mut self, need: usize) -> Result<bool, SourceError> {
        if self.end - self.start >= need { Ok(true) } else { self.refill(need) }
    }

    #[cold]
    fn refill(&mut self, need: usize) -> Result<bool, SourceError> {
        while self.end - self.start < need {
            if self.ending.is_some() {
                return Ok(false);
            }
            if let Some(failure) = self.failure.take() {
                self.ending = Some(Ending::Clean);
                return Err(SourceError::Read(failure));
            }
            self.make_room(need);
            let room = self.bytes.get_mut(self.end..).unwrap_or_default();
            match self.input.read(room) {
                Ok(0) => self.ending = Some(Ending::Clean),
                Ok(len) => self.end += len,
                Err(Fault::Compression(reason)) => self.ending = Some(Ending::Unreadable(reason)),
                Err(Fault::Io(error)) => {
                    self.ending = Some(Ending::Clean);
                    return Err(SourceError::Read(error));
                }
            }
            self.stored_bytes = self.input.stored_bytes();
        }
        Ok(true)
    }

    /// So many unread bytes, or fewer at the end; of what may be long in coming, as many of them as are there.
    pub(super) fn at_hand(&mut self, len: usize) -> Result<&[u8], SourceError> {
        if self.is_read_ahead() {
            self.has(len)?;
        }
        let unread = self.unread();
        Ok(unread.get(..len).unwrap_or(unread))
    }

    /// Twice the room that is needed keeps the work linear when little is consumed between refills: before
    /// the rest is moved again, at least as many bytes as it has must have been consumed.
    fn make_room(&mut self, need: usize) {
        if self.bytes.len() < 2 * need {
            self.bytes.resize(INITIAL_CAPACITY.max(2 * need), 0);
        }
        if self.start == self.end || self.bytes.len() - self.start < need {
            if mem::take(&mut self.is_pinned) {
                let mut bytes = vec![0; INITIAL_CAPACITY.max(2 * need)];
                if let Some(front) = bytes.get_mut(..self.end - self.start) {
                    front.copy_from_slice(self.unread());
                }
                self.left = Some(mem::replace(&mut self.bytes, bytes));
            } else {
                self.bytes.copy_within(self.start..self.end, 0);
            }
            self.move_to_front();
        }
    }

    /// Says whether what has been found is to stay where it is until the memory is [given away](Self::leave).
    pub(super) fn pin(&mut self, is_pinned: bool) {
        self.is_pinned = is_pinned;
    }

    /// Whether it stayed there, and what is found since does not lie with it.
    pub(super) fn has_left(&self) -> bool {
        self.left.is_some()
    }

    /// Says that the unread rest lies at the front.
    fn move_to_front(&mut self) {
        self.base = self.position();
        self.end -= self.start;
        self.start = 0;
    }

    /// Whether pieces may be read ahead.
    pub(super) fn is_read_ahead(&self) -> bool {
        self.placed.is_some()
    }

    /// What may be read ahead.
    pub(super) fn ahead(&self) -> Option<Ahead> {
        self.placed.as_ref().map(Placed::ahead)
    }

    /// Goes on with a piece that was read ahead, in the memory where that lies from `at` on. Whether it brings anything: bytes, or
    /// the end.
    pub(super) fn go_on_with(&mut self, mut memory: Vec<u8>, at: usize, piece: Piece) -> bool {
        let Piece { offset, len, is_last, failure } = piece;
        // One that does not go on where the bytes end is of no use.
        let Some(placed) = self.placed.as_ref().filter(|placed| placed.at() >= offset) else { return false };
        // Some of what it has may have been read in between.
        let passed = usize::try_from(placed.at() - offset).unwrap_or(usize::MAX).min(len);
        placed.pass(len - passed);
        let rest = self.unread();
        let (begin, end) = (at + passed, at + len);
        let start = if let Some(start) = begin.checked_sub(rest.len()) {
            if let Some(before) = memory.get_mut(start..begin) {
                before.copy_from_slice(rest);
            }
            start
        } else {
            // A record larger than most.
            let piece = memory.get(begin..end).unwrap_or_default();
            memory = [rest, piece].concat();
            0
        };
        let rest = rest.len();
        self.base = self.position().wrapping_sub(start as u64);
        (self.bytes, self.start, self.end) = (memory, start, start + rest + len - passed);
        self.input.pass(len - passed);
        self.stored_bytes = self.input.stored_bytes();
        self.failure = failure;
        if is_last && self.failure.is_none() {
            self.ending = Some(Ending::Clean);
        }
        is_last || len > passed
    }

    /// Gives away the memory in which everything lies that was found since it [went on](Self::go_on_with) there.
    pub(super) fn leave(&mut self) -> Vec<u8> {
        let rest = self.unread().to_vec();
        self.move_to_front();
        let memory = mem::replace(&mut self.bytes, rest);
        self.is_pinned = false;
        self.left.take().unwrap_or(memory)
    }

    /// Whether what is unread is all there is, because the compression cannot be undone after it.
    pub(super) fn is_broken_off(&self) -> bool {
        matches!(self.ending, Some(Ending::Unreadable(_)))
    }

    /// Passes over `len` unread bytes, or all if there are fewer, and gives their place for [`Buffer::at`].
    #[inline]
    pub(super) fn consume(&mut self, len: usize) -> usize {
        let place = self.start;
        self.start = self.end.min(place + len);
        place
    }

    /// Passes over everything unread.
    pub(super) fn consume_all(&mut self) {
        self.start = self.end;
    }

    /// The bytes at a place that [`Buffer::consume`] gave, until more is read.
    #[inline]
    pub(super) fn at(&self, place: usize, len: usize) -> &[u8] {
        self.bytes.get(place..).and_then(|bytes| bytes.get(..len)).unwrap_or_default()
    }

    /// Passes over `len` bytes without keeping them; says whether there were as many.
    pub(super) fn skip(&mut self, len: u64) -> Result<bool, SourceError> {
        let mut left = len;
        while left > 0 {
            if !self.has(1)? {
                return Ok(false);
            }
            let step = usize::try_from(left).unwrap_or(usize::MAX).min(self.end - self.start);
            self.consume(step);
            left -= step as u64;
        }
        Ok(true)
    }

    /// Reports how the capture ended: nothing if it ended here, between records; else `cut` at byte `at`, or
    /// the compression that cut it.
    pub(super) fn report_end(&self, cut: DamageReason, at: u64, stats: &mut SourceStats) {
        if let Some(Ending::Unreadable(reason)) = self.ending {
            stats.see_damage(Damage::new(reason, self.base.wrapping_add(self.end as u64)));
        } else if at < self.base.wrapping_add(self.end as u64) {
            stats.see_damage(Damage::new(cut, at));
        }
    }
}
