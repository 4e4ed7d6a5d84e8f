//! The head of a request.

use std::borrow::Cow;

use huginn_net_core::{BytesKeeper, Progress};

use super::body::{BodyLength, Framing};
use super::head::{Head, OwnedHead, host_of};
use super::signature::{RawSignature, Side};
use super::start_line::{RequestLine, TargetForm, after_scheme};
use super::{
    AcceptLanguage, HeadShape, Header, Headers, Http1Error, Http1Limits, Http1Quirks, Http1Scanner,
    Http1Version,
};
use crate::intermediary::Intermediary;

/// The head of a request ([RFC 9112 §3]), borrowed from the bytes it was read from.
///
/// Everything is as it was sent: any method, any target, any bytes in fields. What most programs do not send is read all
/// the same, and [`quirks`](Self::quirks) tells.
///
/// ```
/// use huginn_net_http::core::Progress;
/// use huginn_net_http::Http1Request;
///
/// let bytes = b"GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n";
/// let Progress::Done(request) = Http1Request::parse(bytes)? else { panic!("it is complete") };
/// assert_eq!(request.method(), b"GET");
/// assert_eq!(request.host().as_deref(), Some(&b"a.example"[..]));
/// assert_eq!(
///     request.signature().unwrap().to_string(),
///     "1:Host,User-Agent,Accept=[*/*]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:curl/7.88.1"
/// );
/// # Ok::<(), huginn_net_http::Http1Error>(())
/// ```
///
/// [RFC 9112 §3]: https://www.rfc-editor.org/rfc/rfc9112#section-3
#[derive(Clone, Copy, Debug)]
pub struct Http1Request<'a> {
    head: Head<'a>,
    line: RequestLine,
}

impl<'a> Http1Request<'a> {
    /// Reads the head at the begin of `bytes`, whatever follows it. Bytes that arrive little by little are better given to
    /// a [`Http1Scanner`] until the head is complete, as this looks at all of them each time.
    ///
    /// # Errors
    /// [`Http1Error`] if the bytes are no request, or one beyond the default limits.
    pub fn parse(bytes: &'a [u8]) -> Result<Progress<Self>, Http1Error> {
        Self::parse_within(bytes, Http1Limits::default())
    }

    /// Reads the head at the begin of `bytes` within other limits.
    ///
    /// # Errors
    /// [`Http1Error`] if the bytes are no request, or one beyond the limits.
    pub fn parse_within(bytes: &'a [u8], limits: Http1Limits) -> Result<Progress<Self>, Http1Error> {
        let mut scanner = Http1Scanner::request(limits);
        match scanner.scan(bytes)? {
            Progress::Done(_) => Self::of_scanned(bytes, &scanner).map(Progress::Done),
            Progress::NeedMore => Ok(Progress::NeedMore),
        }
    }

    /// The head that a scanner of requests has found at the begin of `bytes`.
    pub(crate) fn of_scanned(bytes: &'a [u8], scanner: &Http1Scanner) -> Result<Self, Http1Error> {
        let line = scanner.request_line().ok_or(Http1Error::NotHttp1)?;
        Ok(Self { head: Head::of_scanned(bytes, scanner), line })
    }

    /// The head of which the bytes were copied.
    pub(crate) fn of_owned(owned: &'a OwnedRequest) -> Self {
        let (head, line) = owned.borrowed();
        Self { head, line }
    }

    /// The same with its bytes copied.
    pub(crate) fn into_owned(self, keeper: &mut BytesKeeper) -> OwnedRequest {
        self.head.into_owned(self.line, keeper)
    }

    /// The head as it was sent, from its first byte, empty lines included, to the end of the empty line behind it.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.head.bytes
    }

    /// The method: 1 to 32 characters of a token.
    #[must_use]
    pub fn method(&self) -> &'a [u8] {
        self.line.method(self.head.start_line)
    }

    /// The target as it was sent; not empty.
    #[must_use]
    pub fn target(&self) -> &'a [u8] {
        self.line.target(self.head.start_line)
    }

    /// What the target is.
    #[must_use]
    pub const fn target_form(&self) -> TargetForm {
        self.line.form
    }

    /// The version.
    #[must_use]
    pub const fn version(&self) -> Http1Version {
        self.line.version
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
        quirks |= self.line.quirks(self.head.start_line);
        quirks
    }

    /// What p0f calls `raw_sig`. `None` for a version that does not exist.
    #[must_use]
    pub fn signature(&self) -> Option<RawSignature<'a>> {
        RawSignature::new(Side::Request, self.version(), self.headers())
    }

    /// The host that is asked for, without its port: that of the target if it has one, else that of the field `Host`
    /// ([RFC 9112 §3.3](https://www.rfc-editor.org/rfc/rfc9112#section-3.3)). An IPv6 address has its brackets.
    #[must_use]
    pub fn host(&self) -> Option<Cow<'a, [u8]>> {
        let target = self.target();
        let host = match self.target_form() {
            TargetForm::Authority => Cow::Borrowed(host_of(target)),
            TargetForm::Absolute => {
                let mut parts = after_scheme(target)?.split(|byte| b"/?#".contains(byte));
                Cow::Borrowed(host_of(parts.next()?))
            }
            _ => match self.headers().get("host")?.value() {
                Cow::Borrowed(value) => Cow::Borrowed(host_of(value)),
                Cow::Owned(value) => Cow::Owned(host_of(&value).to_vec()),
            },
        };
        Some(host).filter(|host| !host.is_empty())
    }

    /// The first field `User-Agent` that is not empty, if any is; the case of the name does not count.
    #[must_use]
    pub fn user_agent(&self) -> Option<Cow<'a, [u8]>> {
        self.headers().first_value("user-agent")
    }

    /// The fields `Accept-Language`, which are one list; the case of the name does not count.
    #[must_use]
    pub fn accept_language(&self) -> Option<AcceptLanguage<'a>> {
        AcceptLanguage::of_fields(self.headers().get_all("accept-language").map(|header| header.value()))
    }

    /// What p0f 3.09b prints as language: of the last field written `Accept-Language` that is not empty, see
    /// [`AcceptLanguage::p0f`].
    #[must_use]
    pub fn p0f_language(&self) -> &'static str {
        let asked = self.headers().iter().filter(|header| header.name() == b"Accept-Language");
        let last = asked.map(|header| header.p0f_value()).filter(|value| !value.is_empty()).last();
        last.map_or("none", |value| AcceptLanguage::new(value).p0f())
    }

    /// What all of the following three come from.
    pub(crate) fn framing(&self) -> Framing<'a> {
        Framing::of(self.headers())
    }

    /// How the body is delimited.
    #[must_use]
    pub fn body(&self) -> BodyLength {
        self.framing().of_request()
    }

    /// Whether the client means to send another request.
    #[must_use]
    pub fn is_persistent(&self) -> bool {
        self.framing().is_persistent(self.version())
    }

    /// The protocols the client offers to go on with, as it wrote them
    /// ([RFC 9110 §7.8](https://www.rfc-editor.org/rfc/rfc9110#section-7.8)): `h2c`, `websocket`.
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

    /// What stands between the client and this place, by what it added.
    pub fn intermediaries(&self) -> impl Iterator<Item = Intermediary<'a>> + use<'a> {
        self.headers().iter().filter_map(|field| Intermediary::of_field(field.name(), || field.value()))
    }

    /// Whether somebody else than the client has written the head anew: one of the [`intermediaries`](Self::intermediaries), or
    /// nginx, which puts what it sets, `Connection: close` for one, before what the client sent, as its `User-Agent`.
    #[must_use]
    pub fn is_forwarded(&self) -> bool {
        let is_agent = |field: Header<'_>| field.name().eq_ignore_ascii_case(b"user-agent");
        let is_close = |field: Header<'_>| {
            field.name().eq_ignore_ascii_case(b"connection") && field.value().eq_ignore_ascii_case(b"close")
        };
        let closes_before_agent = || {
            let mut fields = self.headers().iter();
            fields.by_ref().find(|field| is_close(*field) || is_agent(*field)).is_some_and(is_close)
                && fields.any(is_agent)
        };
        self.intermediaries().next().is_some() || closes_before_agent()
    }
}

/// A request with a copy of its bytes.
pub(crate) type OwnedRequest = OwnedHead<RequestLine>;
