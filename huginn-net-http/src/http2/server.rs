//! What a server sends.

use huginn_net_core::{Progress, Reader};

use super::blocks::HeaderBlocks;
use super::error::Http2Error;
use super::frame::{Flags, FrameHeader, FrameStream, Http2FrameType, Payload};
use super::hpack::HpackDecoder;
use super::limits::Http2Limits;
use super::response::Http2Response;
use super::settings::Http2Settings;

/// Reads the SETTINGS with which a server begins ([RFC 9113 §3.4]), from a stream that arrives in pieces of any size.
///
/// After an upgrade the stream begins behind the response 101.
///
/// ```
/// use huginn_net_http::core::Progress;
/// use huginn_net_http::ServerSettingsReader;
///
/// let mut reader = ServerSettingsReader::new();
/// assert!(matches!(reader.push(&[0, 0, 6, 4, 0, 0, 0, 0, 0]), Ok(Progress::NeedMore)));
/// let Progress::Done(settings) = reader.push(&[0, 3, 0, 0, 0, 128])? else { panic!() };
/// assert_eq!(settings.to_string(), "3:128");
/// assert!(ServerSettingsReader::new().push(b"HTTP/1.1 400 Bad Request").is_err());
/// # Ok::<(), huginn_net_http::Http2Error>(())
/// ```
///
/// [RFC 9113 §3.4]: https://www.rfc-editor.org/rfc/rfc9113#section-3.4
#[derive(Debug, Default)]
pub struct ServerSettingsReader {
    server: ServerReader,
    end: Option<Result<(), Http2Error>>,
}

impl ServerSettingsReader {
    /// A reader with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A reader with limits of one's own.
    #[must_use]
    pub fn with_limits(limits: Http2Limits) -> Self {
        Self { server: ServerReader::new(limits), end: None }
    }

    /// Takes the next bytes of the stream. What follows the SETTINGS is passed over, then and later.
    ///
    /// # Errors
    /// [`Http2Error::Unexpected`] if the first frame is another one, or [`Http2Error::Limit`]: again on each later push.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Progress<Http2Settings>, Http2Error> {
        if let Some(end) = self.end {
            return end.map(|()| Progress::NeedMore);
        }
        let (end, progress) = match self.server.next(&mut Reader::new(bytes)) {
            Ok(Some(ServerHead::Settings(settings))) => (Ok(()), Ok(Progress::Done(settings))),
            Ok(_) => return Ok(Progress::NeedMore),
            Err(error) => (Err(error), Err(error)),
        };
        *self = Self { end: Some(end), ..Self::default() };
        progress
    }

    /// Bytes of memory held besides the reader itself.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.server.held_bytes()
    }
}

/// Reads the SETTINGS of a server and its responses, in pieces of any size.
///
/// After an error nothing can be read any more.
#[derive(Debug, Default)]
pub(crate) struct ServerReader {
    limits: Http2Limits,
    frames: FrameStream,
    blocks: HeaderBlocks,
    decoder: HpackDecoder,
    has_settings: bool,
}

/// Something that a server sent.
pub(crate) enum ServerHead {
    /// The parameters it begins with.
    Settings(Http2Settings),
    /// A response, which may be one of those 1xx.
    Response(Http2Response),
}

impl ServerReader {
    pub(crate) fn new(limits: Http2Limits) -> Self {
        Self { limits, decoder: HpackDecoder::with_limits(limits.hpack), ..Self::default() }
    }

    /// Whether a server of HTTP/2 may begin with these bytes, of which there may be more: SETTINGS of a plausible length.
    pub(crate) fn may_begin(bytes: &[u8]) -> bool {
        let header = [0, 0, 0, Http2FrameType::SETTINGS.0, 0, 0, 0, 0, 0];
        let is_same = |(at, (byte, expected)): (usize, (&u8, u8))| at == 2 || *byte == expected;
        bytes.iter().zip(header).enumerate().all(is_same)
            && bytes.get(2).is_none_or(|&length| Http2Settings::is_whole(length.into()))
    }

    /// Whether these bytes begin with the acknowledgment of SETTINGS, or may.
    pub(crate) fn acknowledges(bytes: &[u8]) -> bool {
        let frame = [0, 0, 0, Http2FrameType::SETTINGS.0, Flags::ACK.0, 0, 0, 0, 0];
        bytes.iter().zip(frame).all(|(byte, expected)| *byte == expected)
    }

    /// Goes on behind the SETTINGS of the server, which were not read.
    pub(crate) fn go_on_behind_settings(&mut self) {
        self.has_settings = true;
    }

    /// Goes on to the end of the next thing that matters, or of the input.
    pub(crate) fn next(&mut self, input: &mut Reader<'_>) -> Result<Option<ServerHead>, Http2Error> {
        let Self { limits, frames, blocks, decoder, has_settings } = self;
        while let Some((header, payload)) = frames.next(input, |header| {
            if *has_settings {
                return Ok(blocks.plan(header, limits)?.unwrap_or(Payload::Skip));
            }
            let FrameHeader { length, kind, flags, stream } = header;
            if kind != Http2FrameType::SETTINGS || flags.contains(Flags::ACK) || stream != 0 {
                return Err(Http2Error::Unexpected { frame: kind, stream });
            }
            Http2Settings::check_length(length, limits)?;
            Ok(Payload::Keep)
        })? {
            if !*has_settings {
                *has_settings = true;
                return Http2Settings::parse(payload, limits).map(ServerHead::Settings).map(Some);
            }
            let Some(block) = blocks.take(header, payload, limits)? else { continue };
            let head = Http2Response::decode(block.stream, &block.bytes, decoder)?;
            // Others are promises of what nobody asked for, or fields behind the body of a response.
            if block.kind == Http2FrameType::HEADERS && head.list().get(":status").is_some() {
                return Ok(Some(ServerHead::Response(head)));
            }
        }
        Ok(None)
    }

    /// How many bytes behind those read are passed over. They are no longer expected.
    pub(crate) fn take_skip(&mut self) -> usize {
        self.frames.take_skip()
    }

    /// Bytes of memory held besides the reader itself.
    pub(crate) fn held_bytes(&self) -> usize {
        self.frames.held_bytes() + self.blocks.held_bytes() + self.decoder.held_bytes()
    }
}
