//! Frames of Initial packets.

use huginn_net_core::{Reader, Truncated};

use super::header::{varint, vector};
use super::version::QuicVersion;

/// Part of the stream of handshake messages ([RFC 9000 §19.6](https://www.rfc-editor.org/rfc/rfc9000#section-19.6)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CryptoFrame<'a> {
    pub(super) offset: u64,
    pub(super) data: &'a [u8],
}

impl CryptoFrame<'_> {
    /// Where what follows it begins.
    pub(super) const fn end(&self) -> u64 {
        self.offset.saturating_add(self.data.len() as u64)
    }
}

/// The CRYPTO frames of an Initial packet, up to the first frame that is cut off or may not occur there
/// ([RFC 9000 §17.2.2](https://www.rfc-editor.org/rfc/rfc9000#section-17.2.2)).
#[derive(Clone, Debug)]
pub(super) struct CryptoFrames<'a> {
    reader: Reader<'a>,
    /// Whether they are those of Google's QUIC.
    are_google: bool,
}

impl<'a> CryptoFrames<'a> {
    pub(super) fn new(version: QuicVersion, frames: &'a [u8]) -> Self {
        Self { reader: Reader::new(frames), are_google: version.has_google_frames() }
    }

    /// Bytes read so far: the data of a frame are the last of them.
    pub(super) const fn position(&self) -> usize {
        self.reader.position()
    }

    #[inline]
    fn read(&mut self) -> Result<Option<CryptoFrame<'a>>, Truncated> {
        if self.are_google {
            return self.read_google();
        }
        let reader = &mut self.reader;
        loop {
            skip_padding(reader)?;
            if let Some(frame) = whole_crypto_frame(reader) {
                return Ok(Some(frame));
            }
            match varint(reader, "frame type")? {
                // PADDING in more bytes than it needs, and PING.
                0x00 | 0x01 => {}
                kind @ (0x02 | 0x03) => skip_ack(reader, kind == 0x03)?,
                0x06 => {
                    let offset = varint(reader, "offset")?;
                    return Ok(Some(CryptoFrame { offset, data: vector(reader, "data")? }));
                }
                0x1c => skip_connection_close(reader)?,
                // A frame that may not be here (RFC 9000 §17.2.2).
                _ => return Ok(None),
            }
        }
    }
}

impl<'a> CryptoFrames<'a> {
    /// Of Google's QUIC with the handshake of TLS, whose frames have other types, of one byte.
    #[cold]
    fn read_google(&mut self) -> Result<Option<CryptoFrame<'a>>, Truncated> {
        let reader = &mut self.reader;
        loop {
            skip_padding(reader)?;
            match reader.u8("frame type")? {
                // PADDING and PING.
                0x00 | 0x07 => {}
                // That of the IETF has no other meaning here.
                0x06 | 0x08 => {
                    let offset = varint(reader, "offset")?;
                    return Ok(Some(CryptoFrame { offset, data: vector(reader, "data")? }));
                }
                kind @ 0x40..=0x7f => skip_google_ack(reader, kind)?,
                _ => return Ok(None),
            }
        }
    }
}

impl<'a> Iterator for CryptoFrames<'a> {
    type Item = CryptoFrame<'a>;

    #[inline]
    fn next(&mut self) -> Option<CryptoFrame<'a>> {
        let frame = self.read().ok().flatten();
        if frame.is_none() {
            self.reader.take_rest();
        }
        frame
    }
}

/// Reads a CRYPTO frame, if it is the next and there are bytes enough for the longest numbers. Which lengths they have nobody
/// foresees: neither is decided on. `None`, and nothing read, for anything else.
#[inline]
fn whole_crypto_frame<'a>(reader: &mut Reader<'a>) -> Option<CryptoFrame<'a>> {
    let ([0x06], rest) = reader.rest().split_first_chunk()? else { return None };
    let numbers = u128::from_be_bytes(*rest.first_chunk()?);
    let (offset, offset_len) = leading_varint(numbers);
    let (len, len_len) = leading_varint(numbers << (8 * offset_len));
    let data_at = offset_len + len_len;
    let data = rest.get(data_at..)?.get(..usize::try_from(len).ok()?)?;
    reader.skip(1 + data_at + data.len(), "data").ok()?;
    Some(CryptoFrame { offset, data })
}

/// The [`varint`] in front of other bytes, and how many it takes.
#[inline]
fn leading_varint(bytes: u128) -> (u64, usize) {
    let word = (bytes >> 64) as u64;
    let len = 1 << (word >> 62);
    ((word & 0x3fff_ffff_ffff_ffff) >> (64 - 8 * len), len)
}

/// Passes over PADDING frames, of which most first packets are full. Browsers put some between the pieces of a hello, too:
/// where they end in a block is computed, as nobody foresees it.
#[inline]
fn skip_padding(reader: &mut Reader<'_>) -> Result<(), Truncated> {
    const AT_ONCE: usize = 32;
    if reader.peek() != Some(0) {
        return Ok(());
    }
    let (blocks, _) = reader.rest().as_chunks::<AT_ONCE>();
    let zeros = blocks.iter().take_while(|&&block| block == [0; AT_ONCE]).count();
    reader.skip(zeros * AT_ONCE, "padding")?;
    let rest = match reader.rest().first_chunk::<AT_ONCE>() {
        Some(block) => zeros_before_others(block),
        None => reader.rest().iter().take_while(|&&byte| byte == 0).count(),
    };
    reader.skip(rest, "padding")
}

/// How many zeros bytes begin with.
#[inline]
fn zeros_before_others(block: &[u8; 32]) -> usize {
    let (words, _) = block.as_chunks();
    words.iter().rev().fold(0, |behind, &word| match u64::from_le_bytes(word) {
        0 => 8 + behind,
        word => word.trailing_zeros() as usize / 8,
    })
}

/// Passes over an ACK frame ([RFC 9000 §19.3](https://www.rfc-editor.org/rfc/rfc9000#section-19.3)).
fn skip_ack(reader: &mut Reader<'_>, has_ecn: bool) -> Result<(), Truncated> {
    varint(reader, "largest acknowledged")?;
    varint(reader, "delay")?;
    let ranges = varint(reader, "range count")?;
    varint(reader, "first range")?;
    for _ in 0..ranges {
        varint(reader, "gap")?;
        varint(reader, "range length")?;
    }
    if has_ecn {
        for count in ["ECT(0) count", "ECT(1) count", "ECN-CE count"] {
            varint(reader, count)?;
        }
    }
    Ok(())
}

/// Passes over the end of a connection by an error of QUIC
/// ([RFC 9000 §19.19](https://www.rfc-editor.org/rfc/rfc9000#section-19.19)): a proxy or an attacker may have it sent first.
fn skip_connection_close(reader: &mut Reader<'_>) -> Result<(), Truncated> {
    varint(reader, "error code")?;
    varint(reader, "frame type")?;
    vector(reader, "reason").map(|_| ())
}

/// Passes over an ACK frame of Google's QUIC: its type tells how long the largest number is and those of the blocks, and whether
/// there are more of these than one.
fn skip_google_ack(reader: &mut Reader<'_>, kind: u8) -> Result<(), Truncated> {
    const LENGTHS: [usize; 4] = [1, 2, 4, 6];
    const DELAY: usize = 2;
    let length = |bits: u8| LENGTHS.get(usize::from(bits & 0b11)).copied().unwrap_or_default();
    let block = length(kind);
    reader.skip(length(kind >> 2) + DELAY, "largest acknowledged")?;
    let more_blocks = if kind & 0b10_0000 != 0 { reader.u8("block count")? } else { 0 };
    // Each behind a gap of one byte.
    reader.skip(block + usize::from(more_blocks) * (1 + block), "blocks")?;
    match usize::from(reader.u8("timestamp count")?) {
        0 => Ok(()),
        // The packet, and the time: of four bytes at first, and of two behind it.
        count => reader.skip(5 + (count - 1) * 3, "timestamps"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crypto(frames: &[u8]) -> Vec<(u64, &[u8])> {
        CryptoFrames::new(QuicVersion::V1, frames).map(|frame| (frame.offset, frame.data)).collect()
    }

    #[test]
    fn frames_of_google_have_types_of_their_own() {
        let google = |frames: &'static [u8]| {
            let frames = CryptoFrames::new(QuicVersion(0x5430_3530), frames);
            frames.map(|frame| (frame.offset, frame.data)).collect::<Vec<_>>()
        };
        let frames = b"\x00\x00\x07\x08\x05\x02ab\x00\x06\x40\x07\x01c\x02\x08\x00\x01d";
        assert_eq!(google(frames), [(5, &b"ab"[..]), (7, b"c")], "up to a frame that may not be here");
        let one_block = b"\x45\x00\x01\x00\x00\x00\x01\x00\x08\x00\x01a";
        assert_eq!(google(one_block), [(0, &b"a"[..])]);
        let two_blocks = b"\x60\x09\x00\x00\x01\x01\x02\x03\x02\x01\x00\x00\x00\x01\x02\x00\x00\x08\x00\x01a";
        assert_eq!(google(two_blocks), [(0, &b"a"[..])]);
    }

    #[test]
    fn finds_crypto_frames_between_padding_pings_and_acknowledgments() {
        let frames = b"\x00\x00\x01\x06\x05\x02ab\x40\x00\x02\x09\x00\x02\x00\x01\x01\x02\x02\x06\x00\x01c\
                       \x03\x09\x00\x00\x00\x07\x08\x09\x06\x40\x01\x00\x00";
        assert_eq!(crypto(frames), [(5, &b"ab"[..]), (0, b"c"), (1, b"")]);
    }

    /// Padding that ends at every place of the blocks it is passed over by, at the end of a packet and before others.
    #[test]
    fn finds_a_frame_behind_padding_of_every_length() {
        for before in 0..100 {
            for behind in 0..40 {
                let frames = [&vec![0; before][..], b"\x06\x05\x02ab", &vec![0; behind]].concat();
                assert_eq!(crypto(&frames), [(5, &b"ab"[..])], "{before} before, {behind} behind");
            }
        }
    }

    #[test]
    fn reads_frames_with_numbers_of_every_length_wherever_they_end() {
        let numbers = |value: u8| {
            [(1_usize, 0), (2, 0x40), (4, 0x80), (8, 0xc0)].map(|(len, bits)| {
                let mut number = vec![0; len];
                number[len - 1] = value;
                number[0] |= bits;
                number
            })
        };
        for offset in numbers(0x25) {
            for len in numbers(3) {
                for behind in 0..20 {
                    let frame = [&b"\x06"[..], &offset, &len, b"abc"].concat();
                    let frames = [&frame[..], &vec![1; behind]].concat();
                    assert_eq!(crypto(&frames), [(0x25, &b"abc"[..])], "{frames:02x?}");
                    assert_eq!(crypto(&frame[..frame.len() - 1]), []);
                }
            }
        }
    }

    #[test]
    fn goes_on_behind_the_end_of_a_connection() {
        assert_eq!(crypto(b"\x1c\x40\x0a\x06\x03bye\x06\x00\x01a"), [(0, &b"a"[..])]);
        assert_eq!(crypto(b"\x1c\x0a\x06\x04bye"), []);
    }

    #[test]
    fn stops_at_a_frame_that_may_not_be_in_an_initial() {
        for kind in [0x04, 0x08, 0x1d, 0x30] {
            assert_eq!(
                crypto(&[&b"\x06\x00\x01a"[..], &[kind], b"\x06\x01\x01b"].concat()),
                [(0, &b"a"[..])]
            );
        }
    }

    #[test]
    fn keeps_what_comes_before_a_frame_that_is_cut_off() {
        let frames = b"\x06\x00\x01a\x02\x09\x00\x01\x00\x01\x01\x06\x01\x02bc";
        for len in 0..frames.len() {
            assert_eq!(crypto(&frames[..len]).len(), usize::from(len >= 4), "{len} bytes");
        }
        assert_eq!(crypto(frames).len(), 2);
    }

    #[test]
    fn an_acknowledgment_of_impossibly_many_ranges_ends_with_the_bytes() {
        assert_eq!(crypto(b"\x02\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00\x06\x00\x01a"), []);
    }
}
