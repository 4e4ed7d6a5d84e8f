//! The handshake messages of one direction.

use super::frame::{CryptoFrame, CryptoFrames};
use super::pieces::{PieceLimits, Pieces, Refused, SpareMemory};
use super::{QuicError, QuicLimits};
use crate::error::TlsError;
use crate::handshake::{self, HandshakeType};

/// The stream that the CRYPTO frames of Initial packets are pieces of, and how it came.
#[derive(Debug)]
pub(super) struct CryptoStream {
    /// Which hello is looked for in it.
    kind: HandshakeType,
    stream: Pieces,
    /// Packets that brought frames, and pieces in them.
    pub(super) packets: u32,
    pub(super) pieces: u32,
    /// Whether each piece began where the one before it ended.
    pub(super) in_order: bool,
    /// Where the next piece begins if they are in order.
    next_offset: u64,
    /// Why a piece of the last datagram was dropped.
    dropped: Option<Refused>,
    /// The messages cannot become a hello, and none are held any more.
    pub(super) failed: Option<TlsError>,
}

/// Pieces of one packet that are put in order together before they are held; browsers send about 20.
const MOST_SORTED: usize = 32;

impl CryptoStream {
    pub(super) fn new(kind: HandshakeType) -> Self {
        Self {
            kind,
            stream: Pieces::default(),
            packets: 0,
            pieces: 0,
            in_order: true,
            next_offset: 0,
            dropped: None,
            failed: None,
        }
    }

    /// Takes the frames of a packet that proved authentic.
    ///
    /// Browsers shuffle the pieces of a hello within a packet. From the lowest to the highest most of them touch the one
    /// before, and are held as one.
    pub(super) fn take(&mut self, frames: &[u8], limits: &QuicLimits, spare: &mut SpareMemory) {
        self.packets = self.packets.saturating_add(1);
        self.stream.borrow(spare);
        let mut rest = CryptoFrames::new(frames);
        loop {
            let mut sorted = [CryptoFrame { offset: 0, data: &[] }; MOST_SORTED];
            let mut count = 0;
            for (place, piece) in sorted.iter_mut().zip(&mut rest) {
                self.in_order &= piece.offset == self.next_offset;
                self.next_offset = piece.end();
                *place = piece;
                count += 1;
            }
            let sorted = sorted.get_mut(..count).unwrap_or_default();
            self.pieces = self.pieces.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
            sorted.sort_unstable_by_key(|piece| piece.offset);
            if !sorted.is_sorted_by(|one, next| one.end() <= next.offset) {
                // Where pieces overlap, the first to arrive wins. They lie in memory in the order they were sent in.
                sorted.sort_unstable_by_key(|piece| piece.data.as_ptr());
            }
            sorted.iter().for_each(|piece| self.hold(piece, limits));
            if count < MOST_SORTED {
                return;
            }
        }
    }

    /// Holds a piece, unless a limit forbids that.
    fn hold(&mut self, &CryptoFrame { offset, data }: &CryptoFrame<'_>, limits: &QuicLimits) {
        let limits = PieceLimits { max_bytes: limits.max_crypto_bytes, max_gaps: limits.max_crypto_pieces };
        if let Err(refused) = self.stream.hold(offset, data, limits) {
            self.dropped = Some(refused);
        }
    }

    /// Looks for the next hello, and moves it into `message`.
    pub(super) fn find_hello(
        &mut self,
        limits: &QuicLimits,
        message: &mut Vec<u8>,
        spare: &mut SpareMemory,
    ) -> Result<bool, QuicError> {
        let dropped = self.dropped.take();
        let found = match self.message_len(limits.max_crypto_bytes) {
            Ok(Some(len)) => {
                self.stream.take(len, message);
                Ok(true)
            }
            Ok(None) => match dropped {
                None => Ok(false),
                Some(Refused::Bytes) => {
                    Err(QuicError::Limit { what: "CRYPTO bytes", limit: limits.max_crypto_bytes })
                }
                Some(Refused::Gaps) => {
                    Err(QuicError::Limit { what: "CRYPTO pieces", limit: limits.max_crypto_pieces })
                }
            },
            Err(error) => {
                self.failed = Some(error);
                self.stream.clear();
                Err(error.into())
            }
        };
        self.stream.give_back(spare);
        found
    }

    /// Length of the hello at the front, header included; `None` while it is not complete.
    fn message_len(&self, limit: usize) -> Result<Option<usize>, TlsError> {
        let mut joined = [0; handshake::HEADER];
        let start = match self.stream.in_order().next() {
            Some(start) if start.len() >= joined.len() => start,
            _ => {
                let mut known = 0;
                for (place, byte) in joined.iter_mut().zip(self.stream.in_order().flatten()) {
                    *place = *byte;
                    known += 1;
                }
                joined.get(..known).unwrap_or_default()
            }
        };
        match handshake::length(start, self.kind)? {
            Some(len) if len > limit => Err(TlsError::Limit { what: "hello bytes", limit }),
            len => Ok(len.filter(|&len| len <= self.stream.in_order().map(<[u8]>::len).sum())),
        }
    }

    /// Bytes of memory held besides itself.
    pub(super) fn memory(&self) -> usize {
        self.stream.memory()
    }
}
