//! From the bytes of a client to its fingerprint.

use huginn_net_core::{Progress, Reader};

use super::AkamaiFingerprint;
use super::client::{ClientHead, ClientReader};
use crate::http2::{Http2Error, Http2Limits};

/// Reads the fingerprint of a client from its bytes, in pieces of any size.
///
/// The bytes are those of HTTP/2 in clear, or what a proxy has decrypted. After an upgrade they begin behind the request of
/// HTTP/1.1. Nothing is copied if a frame lies within one push.
///
/// ```
/// use huginn_net_http::core::Progress;
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
    client: ClientReader,
    end: Option<Result<(), Http2Error>>,
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
        Self { client: ClientReader::new(limits), end: None }
    }

    /// The same reader for a stream whose beginning is lost: it begins with a frame in place of the preface. What came before
    /// is missing in the fingerprint.
    #[must_use]
    pub fn without_preface(self) -> Self {
        Self { client: self.client.without_preface(), ..self }
    }

    /// Takes the next bytes of the stream. There is one fingerprint: what follows the request is passed over, then and later.
    ///
    /// # Errors
    /// If the stream is not that of an HTTP/2 client or goes over a limit: again on each later push.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Progress<AkamaiFingerprint>, Http2Error> {
        if let Some(end) = self.end {
            return end.map(|()| Progress::NeedMore);
        }
        let (end, progress) = match self.client.next(&mut Reader::new(bytes)) {
            Ok(Some(ClientHead::First(seen))) => (Ok(()), Ok(Progress::Done(seen))),
            Ok(_) => return Ok(Progress::NeedMore),
            Err(error) => (Err(error), Err(error)),
        };
        *self = Self { end: Some(end), ..Self::default() };
        progress
    }

    /// What is known before the request is complete: for a stream that has ended, or after an upgrade, when there may be no
    /// request of HTTP/2 for a long time. `None` before SETTINGS, after the fingerprint and after an error.
    #[must_use]
    pub fn partial(&self) -> Option<AkamaiFingerprint> {
        self.client.partial()
    }

    /// Bytes of memory held besides the reader itself.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.client.held_bytes()
    }
}
