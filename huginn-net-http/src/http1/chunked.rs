//! Where a body of chunks ends.

use huginn_net_core::Reader;

use super::limits::check;
use super::{Http1Error, Http1Limits};

/// Finds the end of a body in chunks ([RFC 9112 §7.1]) without holding any of it.
///
/// Give it the bytes of the body one after the other. Chunks that a size announces need not be there: what is to be
/// passed over may be more than what was given.
///
/// ```
/// use huginn_net_http::{ChunkScanner, Http1Limits, PassedOver};
///
/// let mut chunks = ChunkScanner::new();
/// // 6 bytes are there, and 998 of the first chunk, of 1000, are not.
/// assert_eq!(chunks.scan(b"3e8\r\nab")?, PassedOver { bytes: 1_005, is_end: false });
/// assert_eq!(chunks.scan(b"\r\n0\r\n\r\nHTTP/1.1 ")?, PassedOver { bytes: 7, is_end: true });
/// # Ok::<(), huginn_net_http::Http1Error>(())
/// ```
///
/// [RFC 9112 §7.1]: https://www.rfc-editor.org/rfc/rfc9112#section-7.1
#[derive(Clone, Debug)]
pub struct ChunkScanner {
    limits: Http1Limits,
    stage: Stage,
    failed: Option<Http1Error>,
}

/// How far a [`ChunkScanner`] has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PassedOver {
    /// Bytes of the body, from the first of those given on. The next call goes on behind them.
    pub bytes: u64,
    /// Whether the body ends there.
    pub is_end: bool,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// In the line before a chunk, of which `line` bytes were read.
    Size {
        size: Option<u64>,
        line: usize,
    },
    /// Behind the digits of that line.
    Extension {
        size: u64,
        line: usize,
    },
    /// Behind a chunk.
    End {
        has_cr: bool,
    },
    /// Behind the last chunk: bytes of fields, and whether the line has any so far.
    Trailer {
        bytes: usize,
        is_empty: bool,
    },
    Done,
}

const FIRST: Stage = Stage::Size { size: None, line: 0 };

impl ChunkScanner {
    /// At the first byte of a body, with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(Http1Limits::default())
    }

    /// At the first byte of a body, with limits of one's own.
    #[must_use]
    pub const fn with_limits(limits: Http1Limits) -> Self {
        Self { limits, stage: FIRST, failed: None }
    }

    /// Reads the next bytes of the body, and tells how much of it is known now.
    ///
    /// # Errors
    /// [`Http1Error`] if they are no chunks, or a line is beyond the limits; the same again on each later call.
    pub fn scan(&mut self, bytes: &[u8]) -> Result<PassedOver, Http1Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let scanned = self.scan_chunks(bytes);
        self.failed = scanned.err();
        scanned
    }

    fn scan_chunks(&mut self, bytes: &[u8]) -> Result<PassedOver, Http1Error> {
        let mut reader = Reader::new(bytes);
        while !matches!(self.stage, Stage::Done) {
            let Ok(byte) = reader.u8("chunk") else { break };
            let (stage, chunk) = self.after(byte)?;
            self.stage = stage;
            let here = usize::try_from(chunk).unwrap_or(usize::MAX).min(reader.remaining());
            let missing = chunk - reader.take(here, "chunk").map_or(0, |data| data.len() as u64);
            if missing > 0 {
                return Ok(PassedOver { bytes: (bytes.len() as u64).saturating_add(missing), is_end: false });
            }
        }
        let is_end = matches!(self.stage, Stage::Done);
        Ok(PassedOver { bytes: reader.position() as u64, is_end })
    }

    /// The stage after a byte, and the size of the chunk that begins behind it.
    fn after(&self, byte: u8) -> Result<(Stage, u64), Http1Error> {
        let same_line = |stage, line| {
            check(line, self.limits.max_chunk_line_bytes, "chunk_line_bytes").map(|()| (stage, 0))
        };
        match self.stage {
            Stage::Size { size, line } => match (char::from(byte).to_digit(16), size) {
                (Some(digit), before) => {
                    let digits = before.unwrap_or(0).checked_mul(16).ok_or(Http1Error::ChunkSize)?;
                    same_line(Stage::Size { size: Some(digits | u64::from(digit)), line: line + 1 }, line + 1)
                }
                (None, Some(size)) if byte == b'\n' => Ok(begin_chunk(size)),
                (None, Some(size)) if matches!(byte, b';' | b' ' | b'\t' | b'\r') => {
                    same_line(Stage::Extension { size, line: line + 1 }, line + 1)
                }
                _ => Err(Http1Error::ChunkSize),
            },
            Stage::Extension { size, .. } if byte == b'\n' => Ok(begin_chunk(size)),
            Stage::Extension { size, line } => same_line(Stage::Extension { size, line: line + 1 }, line + 1),
            Stage::End { has_cr: false } if byte == b'\r' => Ok((Stage::End { has_cr: true }, 0)),
            Stage::End { .. } if byte == b'\n' => Ok((FIRST, 0)),
            Stage::End { .. } => Err(Http1Error::ChunkEnd),
            Stage::Trailer { is_empty: true, .. } if byte == b'\n' => Ok((Stage::Done, 0)),
            Stage::Trailer { bytes, is_empty } => {
                check(bytes + 1, self.limits.max_trailer_bytes, "trailer_bytes")?;
                let is_empty = byte == b'\n' || (is_empty && byte == b'\r');
                Ok((Stage::Trailer { bytes: bytes + 1, is_empty }, 0))
            }
            Stage::Done => Ok((Stage::Done, 0)),
        }
    }
}

impl Default for ChunkScanner {
    fn default() -> Self {
        Self::new()
    }
}

/// Of size 0 is the last one, behind which fields may follow.
const fn begin_chunk(size: u64) -> (Stage, u64) {
    match size {
        0 => (Stage::Trailer { bytes: 0, is_empty: true }, 0),
        _ => (Stage::End { has_cr: false }, size),
    }
}
