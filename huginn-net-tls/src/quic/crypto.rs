//! The handshake messages of one direction.

use super::frame::{CryptoFrame, CryptoFrames};
use super::pieces::{PieceLimits, Pieces, Refused, SpareMemory};
use super::{QuicError, QuicLimit, QuicLimits, QuicVersion};
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
    /// Whether the last datagram brought bytes that were neither held nor taken.
    pub(super) has_news: bool,
    /// The messages cannot become a hello, and none are held any more.
    pub(super) failed: Option<TlsError>,
}

/// Pieces of one packet that are put in order together before they are held; browsers send about 20.
const MOST_SORTED: usize = 32;
/// Longer is no message of a handshake, whose length has 24 bits, with some behind it.
const LONGEST: usize = 1 << 30;

/// A CRYPTO frame as one number, so that many are soon sorted: its offset, where its data end in the packet, and how long
/// they are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Piece(u64);

impl Piece {
    const NONE: Self = Self(0);

    /// `None` for what lies further behind than the longest datagram reaches.
    #[inline]
    fn new(frame: &CryptoFrame<'_>, end: usize) -> Option<Self> {
        // Further away than [`LONGEST`] is all the same.
        let offset = frame.offset.min(u32::MAX.into());
        let (end, len) = (u16::try_from(end).ok()?, u16::try_from(frame.data.len()).ok()?);
        Some(Self(offset << 32 | u64::from(end) << 16 | u64::from(len)))
    }

    const fn offset(self) -> u64 {
        self.0 >> 32
    }

    /// Where what follows it begins.
    const fn end(self) -> u64 {
        self.offset() + (self.0 & 0xffff)
    }

    /// Where its data end in the packet, which tells in which order pieces were sent.
    const fn data_end(self) -> usize {
        (self.0 >> 16 & 0xffff) as usize
    }

    /// Its data, of the frames it is from.
    #[inline]
    fn data(self, frames: &[u8]) -> &[u8] {
        let start = self.data_end() - (self.0 & 0xffff) as usize;
        frames.get(start..self.data_end()).unwrap_or_default()
    }
}

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
            has_news: false,
            failed: None,
        }
    }

    /// Takes the frames of a packet that proved authentic.
    ///
    /// Browsers shuffle the pieces of a hello within a packet. From the lowest to the highest most of them touch the one
    /// before, and are held as one.
    pub(super) fn take(
        &mut self,
        version: QuicVersion,
        frames: &[u8],
        limits: &QuicLimits,
        spare: &mut SpareMemory,
    ) {
        self.packets = self.packets.saturating_add(1);
        let held = self.stream.held();
        let before = (self.pieces, self.in_order, self.next_offset);
        self.stream.borrow(spare);
        let mut rest = CryptoFrames::new(version, frames);
        loop {
            let mut sorted = [Piece::NONE; MOST_SORTED];
            let mut count = 0;
            for place in &mut sorted {
                let Some(frame) = rest.next() else { break };
                self.in_order &= frame.offset == self.next_offset;
                self.next_offset = frame.end();
                let Some(piece) = Piece::new(&frame, rest.position()) else { break };
                *place = piece;
                count += 1;
            }
            let sorted = sorted.get_mut(..count).unwrap_or_default();
            self.pieces = self.pieces.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
            sorted.sort_unstable();
            if !sorted.is_sorted_by(|one, next| one.end() <= next.offset()) {
                // Where pieces overlap, the first to arrive wins.
                sorted.sort_unstable_by_key(|piece| piece.data_end());
            }
            sorted.iter().for_each(|piece| self.hold(piece.offset(), piece.data(frames), limits));
            if count < MOST_SORTED {
                break;
            }
        }
        if self.stream.held() > held {
            self.has_news = true;
        } else {
            // It brought nothing, as one that was sent or captured again.
            (self.pieces, self.in_order, self.next_offset) = before;
        }
    }

    /// Holds a piece, unless a limit forbids that.
    fn hold(&mut self, offset: u64, data: &[u8], limits: &QuicLimits) {
        let max_bytes = limits.max_crypto_bytes.min(LONGEST);
        let limits = PieceLimits { max_bytes, max_gaps: limits.max_crypto_pieces };
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
                    Err(QuicError::Limit { what: QuicLimit::CryptoBytes, limit: limits.max_crypto_bytes })
                }
                Some(Refused::Gaps) => {
                    Err(QuicError::Limit { what: QuicLimit::CryptoPieces, limit: limits.max_crypto_pieces })
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

    /// Whether any of its bytes is held.
    #[cfg(feature = "capture")]
    pub(super) fn holds_any(&self) -> bool {
        self.stream.held() > 0
    }

    /// Bytes of memory held besides itself.
    pub(super) fn memory(&self) -> usize {
        self.stream.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frame in the middle is further away than a piece has bits for; a limit that reaches it changes nothing.
    #[test]
    fn pieces_further_away_than_any_message_are_refused_and_others_held() {
        let frames =
            b"\x06\x04\x02\xaa\xbb\x06\xc0\x00\x00\x01\x00\x00\x00\x00\x02xx\x06\x00\x04\x01\x00\x00\x02";
        for max_crypto_bytes in [32 << 10, usize::MAX] {
            let limits = QuicLimits { max_crypto_bytes, ..QuicLimits::default() };
            let (mut stream, mut spare) = (CryptoStream::new(HandshakeType::ClientHello), SpareMemory::NONE);
            stream.take(QuicVersion::V1, frames, &limits, &mut spare);
            assert_eq!((stream.pieces, stream.in_order), (3, false));
            assert_eq!(stream.dropped, Some(Refused::Bytes));
            let mut message = Vec::new();
            assert_eq!(stream.find_hello(&limits, &mut message, &mut spare), Ok(true));
            assert_eq!(message, b"\x01\x00\x00\x02\xaa\xbb");
        }
    }

    #[test]
    fn a_packet_that_brings_nothing_new_does_not_count_its_pieces() {
        let packets: [&[u8]; 5] = [
            b"\x06\x00\x02\x01\x00",
            b"\x06\x00\x02\x01\x00",
            b"\x06\x02\x02\x00\x02\x06\x04\x01\xaa",
            b"\x06\x02\x02\x00\x02\x06\x04\x01\xaa",
            b"\x06\x05\x01\xbb",
        ];
        let (mut stream, mut spare) = (CryptoStream::new(HandshakeType::ClientHello), SpareMemory::NONE);
        let (limits, mut message) = (QuicLimits::default(), Vec::new());
        for packet in packets {
            assert_eq!(stream.find_hello(&limits, &mut message, &mut spare), Ok(false));
            stream.take(QuicVersion::V1, packet, &limits, &mut spare);
        }
        assert_eq!((stream.packets, stream.pieces, stream.in_order), (5, 4, true));
        assert_eq!(stream.find_hello(&limits, &mut message, &mut spare), Ok(true));
        assert_eq!(message, b"\x01\x00\x00\x02\xaa\xbb");
    }

    #[test]
    fn pieces_in_any_order_make_the_same_message_however_many_a_packet_has() {
        let message: Vec<u8> = [1, 0, 0, 80].into_iter().chain(0..80).collect();
        let byte = |number: usize| u8::try_from(number).expect("few bytes");
        for size in [1, 2, 3, 5, 50] {
            let mut frames: Vec<Vec<u8>> = message
                .chunks(size)
                .enumerate()
                .map(|(index, data)| [&[6, 0x40, byte(index * size), byte(data.len())], data].concat())
                .collect();
            frames.reverse();
            let middle = frames.len() / 3;
            frames.rotate_left(middle);
            let (mut stream, mut spare) = (CryptoStream::new(HandshakeType::ClientHello), SpareMemory::NONE);
            let limits = QuicLimits::default();
            stream.take(QuicVersion::V1, &frames.concat(), &limits, &mut spare);
            assert_eq!(stream.pieces as usize, frames.len());
            let mut found = Vec::new();
            assert_eq!(stream.find_hello(&limits, &mut found, &mut spare), Ok(true));
            assert_eq!(found, message, "pieces of {size}");
        }
    }
}
