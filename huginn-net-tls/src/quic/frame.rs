//! Frames of Initial packets.

use huginn_net_core::{Reader, Truncated};

use super::header::{varint, vector};

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
}

impl<'a> CryptoFrames<'a> {
    pub(super) fn new(frames: &'a [u8]) -> Self {
        Self { reader: Reader::new(frames) }
    }

    #[inline]
    fn read(&mut self) -> Result<Option<CryptoFrame<'a>>, Truncated> {
        let reader = &mut self.reader;
        loop {
            skip_padding(reader)?;
            match varint(reader, "frame type")? {
                // PADDING in more bytes than it needs, and PING.
                0x00 | 0x01 => {}
                kind @ (0x02 | 0x03) => skip_ack(reader, kind == 0x03)?,
                0x06 => {
                    let offset = varint(reader, "offset")?;
                    return Ok(Some(CryptoFrame { offset, data: vector(reader, "data")? }));
                }
                // CONNECTION_CLOSE, after which nothing matters, or a frame that may not be here.
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

/// Passes over PADDING frames, of which most first packets are full.
fn skip_padding(reader: &mut Reader<'_>) -> Result<(), Truncated> {
    const AT_ONCE: usize = 32;
    let (blocks, _) = reader.rest().as_chunks::<AT_ONCE>();
    let whole = blocks.iter().take_while(|&&block| block == [0; AT_ONCE]).count();
    reader.skip(whole * AT_ONCE, "padding")?;
    let rest = reader.rest().iter().take_while(|&&byte| byte == 0).count();
    reader.skip(rest, "padding")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn crypto(frames: &[u8]) -> Vec<(u64, &[u8])> {
        CryptoFrames::new(frames).map(|frame| (frame.offset, frame.data)).collect()
    }

    #[test]
    fn finds_crypto_frames_between_padding_pings_and_acknowledgments() {
        let frames = b"\x00\x00\x01\x06\x05\x02ab\x40\x00\x02\x09\x00\x02\x00\x01\x01\x02\x02\x06\x00\x01c\
                       \x03\x09\x00\x00\x00\x07\x08\x09\x06\x40\x01\x00\x00";
        assert_eq!(crypto(frames), [(5, &b"ab"[..]), (0, b"c"), (1, b"")]);
    }

    #[test]
    fn stops_at_a_frame_that_may_not_be_in_an_initial() {
        for kind in [0x04, 0x08, 0x1c, 0x1d, 0x30] {
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
