//! The head of a response.

use std::borrow::Cow;

use huginn_net_core::{BytesKeeper, Progress, Timestamp};

use super::body::{BodyLength, Framing};
use super::date::http_date;
use super::head::{Head, OwnedHead};
use super::signature::{RawSignature, Side};
use super::start_line::StatusLine;
use super::{HeadShape, Headers, Http1Error, Http1Limits, Http1Quirks, Http1Scanner, Http1Version};
use crate::intermediary::Intermediary;

/// The head of a response ([RFC 9112 §4]), borrowed from the bytes it was read from.
///
/// ```
/// use huginn_net_http::core::Progress;
/// use huginn_net_http::{BodyLength, Http1Response};
///
/// let bytes = b"HTTP/1.1 200 OK\r\nServer: nginx/1.18.0\r\nContent-Length: 5\r\n\r\nhello";
/// let Progress::Done(response) = Http1Response::parse(bytes)? else { panic!("it is complete") };
/// assert_eq!(response.status(), Some(200));
/// assert_eq!(response.body(b"GET"), BodyLength::Known(5));
/// assert_eq!(
///     response.signature().unwrap().to_string(),
///     "1:Server,?Content-Length:Content-Type,Connection,Keep-Alive,Accept-Ranges,Date:nginx/1.18.0"
/// );
/// # Ok::<(), huginn_net_http::Http1Error>(())
/// ```
///
/// [RFC 9112 §4]: https://www.rfc-editor.org/rfc/rfc9112#section-4
#[derive(Clone, Copy, Debug)]
pub struct Http1Response<'a> {
    head: Head<'a>,
    line: StatusLine,
}

impl<'a> Http1Response<'a> {
    /// Reads the head at the begin of `bytes`, whatever follows it. Bytes that arrive little by little are better given to
    /// a [`Http1Scanner`] until the head is complete, as this looks at all of them each time.
    ///
    /// # Errors
    /// [`Http1Error`] if the bytes are no response, or one beyond the default limits.
    pub fn parse(bytes: &'a [u8]) -> Result<Progress<Self>, Http1Error> {
        Self::parse_within(bytes, Http1Limits::default())
    }

    /// Reads the head at the begin of `bytes` within other limits.
    ///
    /// # Errors
    /// [`Http1Error`] if the bytes are no response, or one beyond the limits.
    pub fn parse_within(bytes: &'a [u8], limits: Http1Limits) -> Result<Progress<Self>, Http1Error> {
        let mut scanner = Http1Scanner::response(limits);
        match scanner.scan(bytes)? {
            Progress::Done(_) => Self::of_scanned(bytes, &scanner).map(Progress::Done),
            Progress::NeedMore => Ok(Progress::NeedMore),
        }
    }

    /// The head that a scanner of responses has found at the begin of `bytes`.
    pub(crate) fn of_scanned(bytes: &'a [u8], scanner: &Http1Scanner) -> Result<Self, Http1Error> {
        let line = scanner.status_line().ok_or(Http1Error::NotHttp1)?;
        Ok(Self { head: Head::of_scanned(bytes, scanner), line })
    }

    /// The head of which the bytes were copied.
    pub(crate) fn of_owned(owned: &'a OwnedResponse) -> Self {
        let (head, line) = owned.borrowed();
        Self { head, line }
    }

    /// The same with its bytes copied.
    pub(crate) fn into_owned(self, keeper: &mut BytesKeeper) -> OwnedResponse {
        self.head.into_owned(self.line, keeper)
    }

    /// The head as it was sent, from its first byte to the end of the empty line behind it.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.head.bytes
    }

    /// The version.
    #[must_use]
    pub const fn version(&self) -> Http1Version {
        self.line.version
    }

    /// The status code: 0 to 999. `None` if there are not three digits.
    #[must_use]
    pub const fn status(&self) -> Option<u16> {
        self.line.status
    }

    /// The reason phrase, often empty.
    #[must_use]
    pub fn reason(&self) -> &'a [u8] {
        self.line.reason(self.head.start_line)
    }

    /// Whether another response to the same request follows: all of 1xx but 101
    /// ([RFC 9110 §15.2](https://www.rfc-editor.org/rfc/rfc9110#section-15.2)).
    #[must_use]
    pub fn is_interim(&self) -> bool {
        self.status().is_some_and(|status| matches!(status, 100..=199) && status != 101)
    }

    /// The fields.
    #[must_use]
    pub const fn headers(&self) -> Headers<'a> {
        self.head.headers
    }

    /// How the head is written.
    #[must_use]
    pub fn quirks(&self) -> Http1Quirks {
        let mut quirks = self.head.quirks();
        quirks |= Http1Quirks::of_bytes(self.head.start_line);
        quirks
    }

    /// What p0f calls `raw_sig`. `None` for a version that does not exist.
    #[must_use]
    pub fn signature(&self) -> Option<RawSignature<'a>> {
        RawSignature::new(Side::Response, self.version(), self.headers())
    }

    /// The first field `Server` that is not empty, if any is; the case of the name does not count.
    #[must_use]
    pub fn server(&self) -> Option<Cow<'a, [u8]>> {
        self.headers().first_value("server")
    }

    /// What the server's clock said, in whole seconds, by the first field `Date`. `None` if that is no date.
    #[must_use]
    pub fn date(&self) -> Option<Timestamp> {
        http_date(&self.headers().get("date")?.value())
    }

    /// What all of the following three come from.
    pub(crate) fn framing(&self) -> Framing<'a> {
        Framing::of(self.headers())
    }

    /// How the body is delimited, of a response to a request with this method.
    #[must_use]
    pub fn body(&self, method: &[u8]) -> BodyLength {
        self.framing().of_response(self.status(), method)
    }

    /// Whether the server means to answer another request.
    #[must_use]
    pub fn is_persistent(&self) -> bool {
        self.framing().is_persistent(self.version())
    }

    /// The protocols the server offers or, with status 101, goes on with, as it wrote them.
    #[must_use]
    pub fn upgrade(&self) -> Option<Cow<'a, [u8]>> {
        self.framing().upgrade()
    }

    /// What it shares with others of this process, of which an analyzer remembers some. `None` of one that was parsed alone, and
    /// where nothing is remembered.
    #[doc(hidden)]
    #[must_use]
    pub const fn shape(&self) -> Option<HeadShape> {
        self.head.shape()
    }

    /// What stands between the server and this place, by what it added.
    pub fn intermediaries(&self) -> impl Iterator<Item = Intermediary<'a>> + use<'a> {
        self.headers().iter().filter_map(|field| Intermediary::of_field(field.name(), || field.value()))
    }
}

/// A response with a copy of its bytes.
pub(crate) type OwnedResponse = OwnedHead<StatusLine>;
