//! Frames ([RFC 9113 §4.1]), from a stream that arrives in pieces of any size.
//!
//! [RFC 9113 §4.1]: https://www.rfc-editor.org/rfc/rfc9113#section-4.1

use core::fmt;

use huginn_net_core::{Reader, Truncated};

/// The type of a frame ([RFC 9113 §6]).
///
/// [RFC 9113 §6]: https://www.rfc-editor.org/rfc/rfc9113#section-6
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Http2FrameType(
    /// The number on the wire.
    pub u8,
);

impl Http2FrameType {
    /// `DATA`.
    pub const DATA: Self = Self(0);
    /// `HEADERS`: the beginning of a request or a response.
    pub const HEADERS: Self = Self(1);
    /// `PRIORITY`, which RFC 9113 calls deprecated.
    pub const PRIORITY: Self = Self(2);
    /// `RST_STREAM`.
    pub const RST_STREAM: Self = Self(3);
    /// `SETTINGS`.
    pub const SETTINGS: Self = Self(4);
    /// `PUSH_PROMISE`.
    pub const PUSH_PROMISE: Self = Self(5);
    /// `PING`.
    pub const PING: Self = Self(6);
    /// `GOAWAY`.
    pub const GOAWAY: Self = Self(7);
    /// `WINDOW_UPDATE`.
    pub const WINDOW_UPDATE: Self = Self(8);
    /// `CONTINUATION`: more of the header block that HEADERS began.
    pub const CONTINUATION: Self = Self(9);
    /// `PRIORITY_UPDATE` ([RFC 9218 §7.1](https://www.rfc-editor.org/rfc/rfc9218#section-7.1)).
    pub const PRIORITY_UPDATE: Self = Self(0x10);
}

impl fmt::Display for Http2FrameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::DATA => f.write_str("DATA"),
            Self::HEADERS => f.write_str("HEADERS"),
            Self::PRIORITY => f.write_str("PRIORITY"),
            Self::RST_STREAM => f.write_str("RST_STREAM"),
            Self::SETTINGS => f.write_str("SETTINGS"),
            Self::PUSH_PROMISE => f.write_str("PUSH_PROMISE"),
            Self::PING => f.write_str("PING"),
            Self::GOAWAY => f.write_str("GOAWAY"),
            Self::WINDOW_UPDATE => f.write_str("WINDOW_UPDATE"),
            Self::CONTINUATION => f.write_str("CONTINUATION"),
            Self::PRIORITY_UPDATE => f.write_str("PRIORITY_UPDATE"),
            Self(other) => write!(f, "frame type {other}"),
        }
    }
}

/// Flags of a frame; what a bit means depends on the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flags(pub(crate) u8);

impl Flags {
    /// Of SETTINGS: an acknowledgment.
    pub(crate) const ACK: Self = Self(0x1);
    /// Of HEADERS and CONTINUATION: the header block ends here.
    pub(crate) const END_HEADERS: Self = Self(0x4);
    /// Of HEADERS: there is padding.
    pub(crate) const PADDED: Self = Self(0x8);
    /// Of HEADERS: there is a priority.
    pub(crate) const PRIORITY: Self = Self(0x20);

    pub(crate) const fn contains(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }
}

/// The header of a frame.
///
/// ```text
///  length (24) | type (8) | flags (8) | reserved (1) stream (31)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameHeader {
    /// Length of the payload in bytes.
    pub(crate) length: usize,
    pub(crate) kind: Http2FrameType,
    pub(crate) flags: Flags,
    pub(crate) stream: u32,
}

/// The bits of a stream identifier, and of a window increment: above them is one that is reserved.
pub(crate) const LOW_31_BITS: u32 = u32::MAX >> 1;

impl FrameHeader {
    pub(crate) const LEN: usize = 9;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Truncated> {
        Ok(Self {
            length: reader.u24("frame length")? as usize,
            kind: Http2FrameType(reader.u8("frame type")?),
            flags: Flags(reader.u8("frame flags")?),
            stream: reader.u32("stream")? & LOW_31_BITS,
        })
    }
}

/// What to do about the payload of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// Pass over it.
    Skip,
    /// Hand it out in one piece: it is as short as the limits ask for.
    Keep,
}

/// Cuts a stream into frames. It holds at most the one frame whose payload is wanted.
#[derive(Debug, Default)]
pub(crate) struct FrameStream {
    /// The header of the next frame, or the payload of this one, as far as it has arrived.
    held: Vec<u8>,
    state: State,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Header,
    /// A payload that is passed over, and how much of it is still to come.
    Skip(usize),
    Keep(FrameHeader),
}

impl FrameStream {
    /// Goes on to the end of the next wanted frame, or of `input`.
    ///
    /// `plan` sees the header of every frame before its payload and decides what is wanted.
    pub(crate) fn next<'s, 'i: 's, E: From<Truncated>>(
        &'s mut self,
        input: &mut Reader<'i>,
        mut plan: impl FnMut(FrameHeader) -> Result<Payload, E>,
    ) -> Result<Option<(FrameHeader, &'s [u8])>, E> {
        if self.is_complete() {
            self.held.clear();
            self.state = State::Header;
        }
        loop {
            match self.state {
                State::Header => {
                    let Some(header) = self.header(input)? else { return Ok(None) };
                    self.state = match plan(header)? {
                        Payload::Skip => State::Skip(header.length),
                        Payload::Keep => State::Keep(header),
                    };
                }
                State::Skip(length) => {
                    let skipped = length.min(input.remaining());
                    input.skip(skipped, "payload")?;
                    if skipped < length {
                        self.state = State::Skip(length - skipped);
                        return Ok(None);
                    }
                    self.state = State::Header;
                }
                State::Keep(header) if self.held.is_empty() && input.remaining() >= header.length => {
                    self.state = State::Header;
                    return Ok(Some((header, input.take(header.length, "payload")?)));
                }
                State::Keep(header) => {
                    let missing = header.length.saturating_sub(self.held.len());
                    hold(
                        &mut self.held,
                        input.take(missing.min(input.remaining()), "payload")?,
                        header.length,
                    );
                    return Ok((self.held.len() == header.length).then_some((header, &self.held)));
                }
            }
        }
    }

    /// How many bytes of a payload behind those read are passed over. They are no longer expected.
    pub(crate) fn take_skip(&mut self) -> usize {
        let State::Skip(length) = self.state else { return 0 };
        self.state = State::Header;
        length
    }

    /// Whether the next byte is the first one of a frame, if none is passed over. To be asked once [`next`](Self::next) has
    /// given none.
    pub(crate) fn is_between(&self) -> bool {
        matches!(self.state, State::Header) && self.held.is_empty()
    }

    /// Bytes of memory held.
    pub(crate) fn held_bytes(&self) -> usize {
        self.held.capacity()
    }

    /// Whether the frame that was handed out last is the one in `held`.
    fn is_complete(&self) -> bool {
        matches!(self.state, State::Keep(header) if header.length == self.held.len())
    }

    fn header(&mut self, input: &mut Reader<'_>) -> Result<Option<FrameHeader>, Truncated> {
        if self.held.is_empty() && input.remaining() >= FrameHeader::LEN {
            return FrameHeader::read(input).map(Some);
        }
        let missing = FrameHeader::LEN.saturating_sub(self.held.len());
        hold(&mut self.held, input.take(missing.min(input.remaining()), "frame header")?, FrameHeader::LEN);
        if self.held.len() < FrameHeader::LEN {
            return Ok(None);
        }
        let header = FrameHeader::read(&mut Reader::new(&self.held))?;
        self.held.clear();
        Ok(Some(header))
    }
}

/// Appends to what is held until it has `limit` bytes: memory grows with what has arrived, by doubling, and never over it.
pub(crate) fn hold(held: &mut Vec<u8>, bytes: &[u8], limit: usize) {
    let needed = held.len() + bytes.len();
    if needed > held.capacity() {
        let capacity = needed.max((2 * held.capacity()).min(limit));
        held.reserve_exact(capacity - held.len());
    }
    held.extend_from_slice(bytes);
}
