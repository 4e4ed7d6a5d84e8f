//! What a client of HTTP/2 sends.

use huginn_net_core::Reader;

use super::AkamaiFingerprint;
use crate::http2::frame::{Flags, FrameHeader, FrameStream, Http2FrameType, LOW_31_BITS, Payload};
use crate::http2::{
    CLIENT_PREFACE, HeaderBlocks, HpackDecoder, Http2Error, Http2Limits, Http2Priority, Http2Request,
    Http2Settings, within,
};

/// Reads the requests of a client from its bytes, in pieces of any size: the first one with what was sent before it.
///
/// After an error nothing can be read any more.
#[derive(Debug, Default)]
pub(crate) struct ClientReader {
    state: State,
    frames: FrameStream,
    opening: Opening,
    decoder: HpackDecoder,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// How many bytes of the preface have arrived.
    Preface(usize),
    Frames,
}

impl Default for State {
    fn default() -> Self {
        Self::Preface(0)
    }
}

/// A request.
pub(crate) enum ClientHead {
    /// The first one, in the fingerprint.
    First(AkamaiFingerprint),
    Later(Http2Request),
}

impl ClientReader {
    pub(crate) fn new(limits: Http2Limits) -> Self {
        Self {
            opening: Opening { limits, ..Opening::default() },
            decoder: HpackDecoder::with_limits(limits.hpack),
            ..Self::default()
        }
    }

    pub(super) fn without_preface(self) -> Self {
        Self { state: State::Frames, ..self }
    }

    /// Goes on to the end of the next request, or of the input.
    pub(crate) fn next(&mut self, input: &mut Reader<'_>) -> Result<Option<ClientHead>, Http2Error> {
        if let State::Preface(arrived) = self.state {
            self.state = preface(arrived, input)?;
        }
        // Without the whole preface nothing is left of the input.
        let opening = &mut self.opening;
        while let Some((header, payload)) = self.frames.next(input, |header| opening.plan(header))? {
            if let Some(head) = opening.take(header, payload, &mut self.decoder)? {
                return Ok(Some(head));
            }
        }
        Ok(None)
    }

    /// How many bytes behind those read are passed over. They are no longer expected.
    pub(crate) fn take_skip(&mut self) -> usize {
        self.frames.take_skip()
    }

    /// What is known before the first request is complete.
    pub(crate) fn partial(&self) -> Option<AkamaiFingerprint> {
        self.opening.seen.settings.is_some().then(|| self.opening.seen.clone())
    }

    /// Whether nothing was begun that is not complete: a frame, or a block of header fields.
    pub(crate) fn is_complete(&self) -> bool {
        self.frames.is_between() && !self.opening.blocks.is_open()
    }

    /// Bytes of memory held besides the reader itself.
    pub(crate) fn held_bytes(&self) -> usize {
        self.frames.held_bytes() + self.opening.held_bytes() + self.decoder.held_bytes()
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

/// What a client sends before and with its first request, and the requests behind it.
#[derive(Debug, Default)]
struct Opening {
    limits: Http2Limits,
    seen: AkamaiFingerprint,
    blocks: HeaderBlocks,
    /// The stream of the latest request; 0 before the first.
    last_stream: u32,
}

impl Opening {
    fn held_bytes(&self) -> usize {
        let seen = &self.seen;
        self.blocks.held_bytes()
            + seen.settings.as_ref().map_or(0, |settings| size_of_val(settings.list()))
            + seen.priorities.capacity() * size_of::<(u32, Http2Priority)>()
            + seen.frame_types.capacity() * size_of::<Http2FrameType>()
    }

    /// Decides by its header whether a frame counts, and refuses what may not follow.
    fn plan(&mut self, header: FrameHeader) -> Result<Payload, Http2Error> {
        let FrameHeader { length, kind, flags, stream } = header;
        let limits = self.limits;
        if self.blocks.is_open() {
            return Ok(self.blocks.plan(header, &limits)?.unwrap_or(Payload::Skip));
        }
        let is_first = self.last_stream == 0;
        let seen = &mut self.seen;
        let is_settings = kind == Http2FrameType::SETTINGS && !flags.contains(Flags::ACK) && stream == 0;
        if is_first {
            // RFC 9113 §3.4: SETTINGS is the first frame.
            seen.irregular |= seen.frame_types.is_empty() && !is_settings;
            seen.frame_types.push(kind);
            within("frames", seen.frame_types.len(), limits.max_frames)?;
        }
        match kind {
            // §5.1.1: the streams of clients are odd. §8.4: a client does not push. Both would change how later header
            // blocks are read, as would a CONTINUATION of nothing.
            Http2FrameType::HEADERS if !stream.is_multiple_of(2) => {
                Ok(self.blocks.plan(header, &limits)?.unwrap_or(Payload::Skip))
            }
            Http2FrameType::HEADERS | Http2FrameType::PUSH_PROMISE | Http2FrameType::CONTINUATION => {
                Err(Http2Error::Unexpected { frame: kind, stream })
            }
            _ if !is_first => Ok(Payload::Skip),
            Http2FrameType::SETTINGS => {
                let is_regular =
                    if flags.contains(Flags::ACK) { length == 0 } else { Http2Settings::is_whole(length) };
                seen.irregular |= !is_regular || stream != 0;
                if !is_settings || seen.settings.is_some() {
                    return Ok(Payload::Skip);
                }
                Http2Settings::check_length(length, &limits)?;
                Ok(Payload::Keep)
            }
            Http2FrameType::WINDOW_UPDATE => {
                let is_regular = length == 4;
                seen.irregular |= !is_regular;
                let counts = is_regular && stream == 0 && seen.window_update.is_none();
                Ok(if counts { Payload::Keep } else { Payload::Skip })
            }
            Http2FrameType::PRIORITY => {
                let is_regular = length == Http2Priority::LEN;
                seen.irregular |= !is_regular || stream == 0;
                if !is_regular {
                    return Ok(Payload::Skip);
                }
                within("priorities", seen.priorities.len() + 1, limits.max_priorities)?;
                Ok(Payload::Keep)
            }
            _ => Ok(Payload::Skip),
        }
    }

    /// Takes the payload of a frame that counts; the request, if it is complete.
    fn take(
        &mut self,
        header: FrameHeader,
        payload: &[u8],
        decoder: &mut HpackDecoder,
    ) -> Result<Option<ClientHead>, Http2Error> {
        let mut reader = Reader::new(payload);
        match header.kind {
            Http2FrameType::SETTINGS => {
                self.seen.settings = Some(Http2Settings::parse(payload, &self.limits)?);
            }
            Http2FrameType::WINDOW_UPDATE => {
                let increment = reader.u32("window increment")? & LOW_31_BITS;
                self.seen.irregular |= increment == 0;
                self.seen.window_update = Some(increment);
            }
            Http2FrameType::PRIORITY => {
                self.seen.priorities.push((header.stream, Http2Priority::read(&mut reader)?));
            }
            _ => {
                let Some(block) = self.blocks.take(header, payload, &self.limits)? else { return Ok(None) };
                let request = Http2Request::decode(block.stream, block.priority, &block.bytes, decoder)?;
                let is_first = self.last_stream == 0;
                if block.stream <= self.last_stream {
                    // Fields behind the body of a request.
                    return Ok(None);
                }
                self.last_stream = block.stream;
                if !is_first {
                    return Ok(Some(ClientHead::Later(request)));
                }
                let seen = core::mem::take(&mut self.seen);
                return Ok(Some(ClientHead::First(AkamaiFingerprint { request: Some(request), ..seen })));
            }
        }
        Ok(None)
    }
}
