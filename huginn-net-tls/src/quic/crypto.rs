//! The handshake messages of one direction.

use core::time::Duration;

use huginn_net_core::{SeqNumber, StreamHead, StreamLimit, StreamLimits, Timestamp};

use super::frame::{CryptoFrame, CryptoFrames};
use super::{QuicError, QuicLimits};
use crate::error::TlsError;
use crate::handshake::{self, HandshakeType};

/// The stream that the CRYPTO frames of Initial packets are pieces of, and how it came.
#[derive(Debug)]
pub(super) struct CryptoStream {
    /// Which hello is looked for in it.
    kind: HandshakeType,
    stream: StreamHead,
    /// Limits of `stream`.
    limits: StreamLimits,
    /// Packets that brought frames, and pieces in them.
    pub(super) packets: u32,
    pub(super) pieces: u32,
    /// Whether each piece began where the one before it ended.
    pub(super) in_order: bool,
    /// Where the next piece begins if they are in order.
    next_offset: u64,
    /// Why a piece of the last datagram was dropped.
    dropped: Option<QuicError>,
    /// Bytes at the front of the stream that were handed out.
    read: usize,
    /// The messages cannot become a hello, and none are held any more.
    pub(super) failed: Option<QuicError>,
}

/// Pieces of one packet that are put in order before they are held; browsers send about 20.
const MOST_SORTED: usize = 32;

impl CryptoStream {
    pub(super) fn new(kind: HandshakeType, limits: &QuicLimits) -> Self {
        let limits = StreamLimits::default()
            .with_max_bytes(limits.max_crypto_bytes)
            .with_max_pieces(limits.max_crypto_pieces)
            .with_max_out_of_order(limits.max_crypto_bytes)
            .with_max_rewind(0)
            .with_max_age(Duration::MAX);
        Self {
            kind,
            stream: StreamHead::new(SeqNumber(0), limits),
            limits,
            packets: 0,
            pieces: 0,
            in_order: true,
            next_offset: 0,
            dropped: None,
            read: 0,
            failed: None,
        }
    }

    /// Takes the frames of a packet that proved authentic.
    ///
    /// Browsers shuffle the pieces of a hello within a packet. From the lowest to the highest most of them touch the one
    /// before: those are joined first, and held as one.
    pub(super) fn take(&mut self, frames: &[u8], joined: &mut Vec<u8>) {
        self.packets = self.packets.saturating_add(1);
        let mut sorted = [CryptoFrame { offset: 0, data: &[] }; MOST_SORTED];
        let mut count = 0;
        for piece in CryptoFrames::new(frames) {
            self.pieces = self.pieces.saturating_add(1);
            self.in_order &= piece.offset == self.next_offset;
            self.next_offset = piece.end();
            if let Some(place) = sorted.get_mut(count) {
                *place = piece;
            }
            count += 1;
        }
        if let Some(sorted) = sorted.get_mut(..count) {
            sorted.sort_unstable_by_key(|piece| piece.offset);
            // Where pieces overlap, the first to arrive wins.
            if sorted.is_sorted_by(|one, next| one.end() <= next.offset) {
                let runs = sorted.chunk_by(|one, next| one.end() == next.offset);
                return runs.for_each(|run| self.hold_run(run, joined));
            }
        }
        CryptoFrames::new(frames).for_each(|piece| self.hold(piece));
    }

    /// Holds pieces each of which begins where the one before it ends.
    fn hold_run(&mut self, run: &[CryptoFrame<'_>], joined: &mut Vec<u8>) {
        let &[first, ref rest @ ..] = run else { return };
        if rest.is_empty() {
            return self.hold(first);
        }
        joined.clear();
        run.iter().for_each(|piece| joined.extend_from_slice(piece.data));
        self.hold(CryptoFrame { data: joined, ..first });
    }

    /// Holds a piece, unless a limit forbids that.
    fn hold(&mut self, CryptoFrame { offset, data }: CryptoFrame<'_>) {
        let StreamLimits { max_bytes, max_pieces, .. } = self.limits;
        let too_far = QuicError::Limit { what: "CRYPTO bytes", limit: max_bytes };
        // A stream tells numbers apart that differ by less than 2^31, far more than it holds.
        let Some(offset) = u32::try_from(offset).ok().filter(|&offset| offset < 1 << 30) else {
            self.dropped = Some(too_far);
            return;
        };
        // The time is always the same: who owns the reader decides how long to wait.
        match self.stream.push(SeqNumber(offset), data, Timestamp::default()).limit {
            None => {}
            Some(StreamLimit::Pieces) => {
                self.dropped = Some(QuicError::Limit { what: "CRYPTO pieces", limit: max_pieces });
            }
            Some(_) => self.dropped = Some(too_far),
        }
    }

    /// Looks for the hello behind those that were handed out.
    pub(super) fn find_hello(&mut self) -> Result<bool, QuicError> {
        self.forget_read();
        let dropped = self.dropped.take();
        match self.message_len() {
            Ok(Some(len)) => {
                self.read = len;
                Ok(true)
            }
            Ok(None) => dropped.map_or(Ok(false), Err),
            Err(error) => {
                self.failed = Some(error.into());
                self.stream = StreamHead::new(SeqNumber(0), self.limits);
                Err(error.into())
            }
        }
    }

    /// Holds the hello that was found no longer.
    pub(super) fn forget_read(&mut self) {
        self.stream.skip(core::mem::take(&mut self.read) as u64);
    }

    /// Length of the hello at the front, header included; `None` while it is not complete.
    fn message_len(&self) -> Result<Option<usize>, TlsError> {
        let (bytes, limit) = (self.stream.bytes(), self.limits.max_bytes);
        match handshake::length(bytes, self.kind)? {
            Some(len) if len > limit => Err(TlsError::Limit { what: "hello bytes", limit }),
            len => Ok(len.filter(|&len| len <= bytes.len())),
        }
    }

    /// The hello that was found.
    pub(super) fn message(&self) -> &[u8] {
        self.stream.bytes().get(..self.read).unwrap_or_default()
    }

    /// Bytes of memory held besides itself.
    pub(super) fn memory(&self) -> usize {
        self.stream.memory()
    }
}
