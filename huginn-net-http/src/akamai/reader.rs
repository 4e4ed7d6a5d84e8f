//! From the bytes of a client to its fingerprint.

use huginn_net_core::{Progress, Reader};

use super::AkamaiFingerprint;
use crate::http2::frame::{Flags, FrameHeader, FrameStream, FrameType, LOW_31_BITS, Payload, hold};
use crate::http2::{
    CLIENT_PREFACE, HeadersPayload, HpackDecoder, Http2Error, Http2Limits, Priority, RequestHead, Settings,
};

/// Reads the fingerprint of a client from its bytes, in pieces of any size.
///
/// The bytes are those of HTTP/2 in clear, or what a proxy has decrypted. After an upgrade they begin behind the request of
/// HTTP/1.1. Nothing is copied if a frame lies within one push.
///
/// ```
/// use huginn_net_core::Progress;
/// use huginn_net_http::AkamaiReader;
///
/// let mut reader = AkamaiReader::new();
/// assert!(matches!(reader.push(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Ok(Progress::NeedMore)));
/// // SETTINGS without parameters
/// assert!(matches!(reader.push(&[0, 0, 0, 4, 0, 0, 0, 0, 0]), Ok(Progress::NeedMore)));
/// // HEADERS of stream 1, complete: `:path: /`, `:method: GET`, `:scheme: http`
/// let Progress::Done(seen) = reader.push(&[0, 0, 3, 1, 5, 0, 0, 0, 1, 0x84, 0x82, 0x86])? else { panic!() };
/// assert_eq!(seen.akamai().to_string(), "|00|0|p,m,s");
/// # Ok::<(), huginn_net_http::Http2Error>(())
/// ```
#[derive(Debug, Default)]
pub struct AkamaiReader {
    state: State,
    frames: FrameStream,
    opening: Opening,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// How many bytes of the preface have arrived.
    Preface(usize),
    Frames,
    Done,
    Failed(Http2Error),
}

impl Default for State {
    fn default() -> Self {
        Self::Preface(0)
    }
}

impl AkamaiReader {
    /// A reader with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A reader with limits of one's own.
    #[must_use]
    pub fn with_limits(limits: Http2Limits) -> Self {
        Self { opening: Opening { limits, ..Opening::default() }, ..Self::default() }
    }

    /// The same reader for a stream whose beginning is lost: it begins with a frame in place of the preface. What came before
    /// is missing in the fingerprint.
    #[must_use]
    pub fn without_preface(self) -> Self {
        Self { state: State::Frames, ..self }
    }

    /// Takes the next bytes of the stream. There is one fingerprint: what follows the request is passed over, then and later.
    ///
    /// # Errors
    /// If the stream is not that of an HTTP/2 client or goes over a limit: again on each later push.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Progress<AkamaiFingerprint>, Http2Error> {
        let read = match self.state {
            State::Done => return Ok(Progress::NeedMore),
            State::Failed(error) => return Err(error),
            State::Preface(_) | State::Frames => self.read(bytes),
        };
        match read {
            Ok(None) => Ok(Progress::NeedMore),
            Ok(Some(seen)) => {
                self.end(State::Done);
                Ok(Progress::Done(seen))
            }
            Err(error) => {
                self.end(State::Failed(error));
                Err(error)
            }
        }
    }

    /// What is known before the request is complete: for a stream that has ended, or after an upgrade, when there may be no
    /// request of HTTP/2 for a long time. `None` before SETTINGS, after the fingerprint and after an error.
    #[must_use]
    pub fn partial(&self) -> Option<AkamaiFingerprint> {
        self.opening.seen.settings.is_some().then(|| self.opening.seen.clone())
    }

    /// Bytes of memory held besides the reader itself.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.frames.held_bytes() + self.opening.held_bytes()
    }

    fn end(&mut self, state: State) {
        *self = Self { state, ..Self::default() };
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Option<AkamaiFingerprint>, Http2Error> {
        let mut input = Reader::new(bytes);
        if let State::Preface(arrived) = self.state {
            self.state = preface(arrived, &mut input)?;
        }
        // Without the whole preface nothing is left of the input.
        while let Some((header, payload)) =
            self.frames.next(&mut input, |header| self.opening.plan(header))?
        {
            if let Some(request) = self.opening.take(header, payload)? {
                let seen = core::mem::take(&mut self.opening.seen);
                return Ok(Some(AkamaiFingerprint { request: Some(request), ..seen }));
            }
        }
        Ok(None)
    }
}

/// Compares with as much of the preface as has not arrived before.
fn preface(arrived: usize, input: &mut Reader<'_>) -> Result<State, Http2Error> {
    for (expected, at) in CLIENT_PREFACE.iter().zip(0..).skip(arrived) {
        match input.u8("preface") {
            Ok(byte) if byte == *expected => {}
            Ok(_) => return Err(Http2Error::NotPreface { at }),
            Err(_) => return Ok(State::Preface(at)),
        }
    }
    Ok(State::Frames)
}

/// What a client sends before and with its first request.
#[derive(Debug, Default)]
struct Opening {
    limits: Http2Limits,
    seen: AkamaiFingerprint,
    block: Option<Block>,
}

/// A header block that has begun and goes on in CONTINUATION.
#[derive(Debug)]
struct Block {
    stream: u32,
    priority: Option<Priority>,
    bytes: Vec<u8>,
    continuations: usize,
}

impl Opening {
    fn held_bytes(&self) -> usize {
        let seen = &self.seen;
        self.block.as_ref().map_or(0, |block| block.bytes.capacity())
            + seen.settings.as_ref().map_or(0, |settings| size_of_val(settings.list()))
            + seen.priorities.capacity() * size_of::<(u32, Priority)>()
            + seen.frame_types.capacity() * size_of::<FrameType>()
    }

    /// Decides by its header whether a frame counts, and refuses what may not follow.
    fn plan(&mut self, header: FrameHeader) -> Result<Payload, Http2Error> {
        let FrameHeader { length, kind, flags, stream } = header;
        let unexpected = Http2Error::Unexpected { frame: kind, stream };
        // RFC 9113 §4.3: nothing comes between the frames of a header block.
        if let Some(block) = &mut self.block {
            if kind != FrameType::CONTINUATION || stream != block.stream {
                return Err(unexpected);
            }
            block.continuations += 1;
            within("continuations", block.continuations, self.limits.continuations)?;
            within("header_block_bytes", block.bytes.len() + length, self.limits.header_block_bytes)?;
            return Ok(Payload::Keep);
        }
        let seen = &mut self.seen;
        let is_settings = kind == FrameType::SETTINGS && !flags.contains(Flags::ACK) && stream == 0;
        // §3.4: SETTINGS is the first frame.
        seen.irregular |= seen.frame_types.is_empty() && !is_settings;
        seen.frame_types.push(kind);
        within("frames", seen.frame_types.len(), self.limits.frames)?;
        match kind {
            FrameType::HEADERS => {
                // §5.1.1: the streams of clients are odd.
                if stream.is_multiple_of(2) {
                    return Err(unexpected);
                }
                within("header_block_bytes", length, self.limits.header_block_bytes)?;
                Ok(Payload::Keep)
            }
            FrameType::SETTINGS => {
                let is_regular =
                    if flags.contains(Flags::ACK) { length == 0 } else { Settings::is_whole(length) };
                seen.irregular |= !is_regular || stream != 0;
                if !is_settings || seen.settings.is_some() {
                    return Ok(Payload::Skip);
                }
                Settings::check_length(length, &self.limits)?;
                Ok(Payload::Keep)
            }
            FrameType::WINDOW_UPDATE => {
                let is_regular = length == 4;
                seen.irregular |= !is_regular;
                let counts = is_regular && stream == 0 && seen.window_update.is_none();
                Ok(if counts { Payload::Keep } else { Payload::Skip })
            }
            FrameType::PRIORITY => {
                let is_regular = length == Priority::LEN;
                seen.irregular |= !is_regular || stream == 0;
                if !is_regular {
                    return Ok(Payload::Skip);
                }
                within("priorities", seen.priorities.len() + 1, self.limits.priorities)?;
                Ok(Payload::Keep)
            }
            // §8.4: a client does not push. Both would change how later header blocks are read.
            FrameType::PUSH_PROMISE | FrameType::CONTINUATION => Err(unexpected),
            _ => Ok(Payload::Skip),
        }
    }

    /// Takes the payload of a frame that counts; the request, if it is complete.
    fn take(&mut self, header: FrameHeader, payload: &[u8]) -> Result<Option<RequestHead>, Http2Error> {
        let is_last = header.flags.contains(Flags::END_HEADERS);
        let mut reader = Reader::new(payload);
        match header.kind {
            FrameType::SETTINGS => self.seen.settings = Some(Settings::parse(payload, &self.limits)?),
            FrameType::WINDOW_UPDATE => {
                let increment = reader.u32("window increment")? & LOW_31_BITS;
                self.seen.irregular |= increment == 0;
                self.seen.window_update = Some(increment);
            }
            FrameType::PRIORITY => {
                self.seen.priorities.push((header.stream, Priority::read(&mut reader)?));
            }
            FrameType::HEADERS => {
                let HeadersPayload { priority, fragment } = HeadersPayload::parse(header.flags, payload)?;
                if is_last {
                    return self.request(header.stream, priority, fragment).map(Some);
                }
                let bytes = fragment.to_vec();
                self.block = Some(Block { stream: header.stream, priority, bytes, continuations: 0 });
            }
            FrameType::CONTINUATION => {
                let Some(block) = &mut self.block else { return Ok(None) };
                hold(&mut block.bytes, payload, self.limits.header_block_bytes);
                if is_last && let Some(block) = self.block.take() {
                    return self.request(block.stream, block.priority, &block.bytes).map(Some);
                }
            }
            _ => {}
        }
        Ok(None)
    }

    /// The first header block of a connection: nothing has come before it that it could refer to.
    fn request(
        &self,
        stream: u32,
        priority: Option<Priority>,
        block: &[u8],
    ) -> Result<RequestHead, Http2Error> {
        let mut decoder = HpackDecoder::with_limits(self.limits.hpack);
        Ok(RequestHead::decode(stream, priority, block, &mut decoder)?)
    }
}

fn within(what: &'static str, count: usize, limit: usize) -> Result<(), Http2Error> {
    if count > limit { Err(Http2Error::Limit { what, limit }) } else { Ok(()) }
}
