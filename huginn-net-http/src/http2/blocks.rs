//! Header blocks, joined from the frames they come in.

use std::borrow::Cow;

use huginn_net_core::Reader;

use super::error::Http2Error;
use super::frame::{Flags, FrameHeader, Http2FrameType, Payload, hold};
use super::headers::{HeadersPayload, Http2Priority};
use super::limits::Http2Limits;

/// Joins the fragments of header blocks ([RFC 9113 §4.3]).
///
/// [RFC 9113 §4.3]: https://www.rfc-editor.org/rfc/rfc9113#section-4.3
#[derive(Debug, Default)]
pub(crate) struct HeaderBlocks {
    open: Option<OpenBlock>,
}

/// A header block that goes on in CONTINUATION.
#[derive(Debug)]
struct OpenBlock {
    kind: Http2FrameType,
    stream: u32,
    priority: Option<Http2Priority>,
    bytes: Vec<u8>,
    continuations: usize,
}

/// A complete header block.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    /// The frame it began with: HEADERS or PUSH_PROMISE.
    pub(crate) kind: Http2FrameType,
    pub(crate) stream: u32,
    pub(crate) priority: Option<Http2Priority>,
    pub(crate) bytes: Cow<'a, [u8]>,
}

impl HeaderBlocks {
    /// Whether a block has begun and not ended: nothing but CONTINUATION may follow.
    pub(crate) const fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Bytes of memory held.
    pub(crate) fn held_bytes(&self) -> usize {
        self.open.as_ref().map_or(0, |block| block.bytes.capacity())
    }

    /// Decides by its header whether a frame is a part of a header block, and refuses what may not follow. `None` if it is
    /// another frame.
    pub(crate) fn plan(
        &mut self,
        header: FrameHeader,
        limits: &Http2Limits,
    ) -> Result<Option<Payload>, Http2Error> {
        let FrameHeader { length, kind, stream, .. } = header;
        let unexpected = Http2Error::Unexpected { frame: kind, stream };
        // RFC 9113 §4.3: nothing comes between the frames of a header block.
        if let Some(block) = &mut self.open {
            if kind != Http2FrameType::CONTINUATION || stream != block.stream {
                return Err(unexpected);
            }
            block.continuations += 1;
            within("continuations", block.continuations, limits.max_continuations)?;
            within("header_block_bytes", block.bytes.len() + length, limits.max_header_block_bytes)?;
            return Ok(Some(Payload::Keep));
        }
        match kind {
            Http2FrameType::HEADERS | Http2FrameType::PUSH_PROMISE => {
                within("header_block_bytes", length, limits.max_header_block_bytes)?;
                Ok(Some(Payload::Keep))
            }
            Http2FrameType::CONTINUATION => Err(unexpected),
            _ => Ok(None),
        }
    }

    /// Takes the payload of a frame that is a part of a block; the block, if it is complete.
    pub(crate) fn take<'p>(
        &mut self,
        header: FrameHeader,
        payload: &'p [u8],
        limits: &Http2Limits,
    ) -> Result<Option<Block<'p>>, Http2Error> {
        let FrameHeader { kind, flags, stream, .. } = header;
        let is_last = flags.contains(Flags::END_HEADERS);
        if let Some(block) = &mut self.open {
            hold(&mut block.bytes, payload, limits.max_header_block_bytes);
            let complete = if is_last { self.open.take() } else { None };
            return Ok(complete.map(|OpenBlock { kind, stream, priority, bytes, .. }| Block {
                kind,
                stream,
                priority,
                bytes: Cow::Owned(bytes),
            }));
        }
        let HeadersPayload { priority, fragment } = match kind {
            Http2FrameType::PUSH_PROMISE => HeadersPayload::of_promise(flags, payload)?,
            _ => HeadersPayload::parse(flags, payload)?,
        };
        if is_last {
            return Ok(Some(Block { kind, stream, priority, bytes: Cow::Borrowed(fragment) }));
        }
        self.open = Some(OpenBlock { kind, stream, priority, bytes: fragment.to_vec(), continuations: 0 });
        Ok(None)
    }
}

pub(crate) fn within(what: &'static str, count: usize, limit: usize) -> Result<(), Http2Error> {
    if count > limit { Err(Http2Error::Limit { what, limit }) } else { Ok(()) }
}

impl<'a> HeadersPayload<'a> {
    /// The payload of a PUSH_PROMISE frame ([RFC 9113 §6.6]), whose block is one of its sender like any other.
    ///
    /// [RFC 9113 §6.6]: https://www.rfc-editor.org/rfc/rfc9113#section-6.6
    fn of_promise(flags: Flags, payload: &'a [u8]) -> Result<Self, Http2Error> {
        let without_priority = Flags(flags.0 & !Flags::PRIORITY.0);
        let Self { fragment, .. } = Self::parse(without_priority, payload)?;
        let mut reader = Reader::new(fragment);
        reader.u32("promised stream")?;
        Ok(Self { priority: None, fragment: reader.rest() })
    }
}
