//! The first frame of a server.

use huginn_net_core::{Progress, Reader};

use super::error::Http2Error;
use super::frame::{Flags, FrameHeader, FrameStream, FrameType, Payload};
use super::limits::Http2Limits;
use super::settings::Settings;

/// Reads the SETTINGS with which a server begins ([RFC 9113 §3.4]), from a stream that arrives in pieces of any size.
///
/// After an upgrade the stream begins behind the response 101.
///
/// ```
/// use huginn_net_core::Progress;
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
    limits: Http2Limits,
    frames: FrameStream,
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
        Self { limits, ..Self::default() }
    }

    /// Takes the next bytes of the stream. What follows the SETTINGS is passed over, then and later.
    ///
    /// # Errors
    /// [`Http2Error::Unexpected`] if the first frame is another one, or [`Http2Error::Limit`]: again on each later push.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Progress<Settings>, Http2Error> {
        if let Some(end) = self.end {
            return end.map(|()| Progress::NeedMore);
        }
        let progress = self.read(bytes);
        self.end = match &progress {
            Ok(Progress::NeedMore) => return progress,
            Ok(Progress::Done(_)) => Some(Ok(())),
            Err(error) => Some(Err(*error)),
        };
        self.frames = FrameStream::default();
        progress
    }

    /// Bytes of memory held besides the reader itself.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.frames.held_bytes()
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Progress<Settings>, Http2Error> {
        let limits = &self.limits;
        let plan = |header: FrameHeader| {
            let FrameHeader { length, kind, flags, stream } = header;
            if kind != FrameType::SETTINGS || flags.contains(Flags::ACK) || stream != 0 {
                return Err(Http2Error::Unexpected { frame: kind, stream });
            }
            Settings::check_length(length, limits)?;
            Ok(Payload::Keep)
        };
        match self.frames.next(&mut Reader::new(bytes), plan)? {
            Some((_, payload)) => Settings::parse(payload, limits).map(Progress::Done),
            None => Ok(Progress::NeedMore),
        }
    }
}
