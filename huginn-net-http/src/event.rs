//! What is reported of HTTP.

use core::fmt;
use std::borrow::Cow;

use huginn_net_core::{Located, Origin, Timestamp};

use crate::akamai::AkamaiFingerprint;
use crate::http1::{AcceptLanguage, Http1Request, Http1Response, OwnedRequest, OwnedResponse, http_date};
use crate::http2::{Http2Request, Http2Response, Http2Settings};
use crate::intermediary::Intermediary;

/// Something seen of HTTP.
///
/// Heads of HTTP/1 share pieces of memory of 8 KiB, which stay as long as one of their events.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpEvent {
    /// The head of a request, which shows the program that sent it.
    Request(HttpRequest),
    /// The head of a response, which shows the server.
    Response(HttpResponse),
    /// The begin of a client of HTTP/2 that made no request in its first second, or before its connection was closed.
    Start(HttpStart),
}

impl HttpEvent {
    /// Where and when it was seen.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        match self {
            Self::Request(seen) => &seen.origin,
            Self::Response(seen) => &seen.origin,
            Self::Start(seen) => &seen.origin,
        }
    }

    /// The request, if it is one.
    #[must_use]
    pub const fn request(&self) -> Option<&HttpRequest> {
        match self {
            Self::Request(seen) => Some(seen),
            Self::Response(_) | Self::Start(_) => None,
        }
    }

    /// The response, if it is one.
    #[must_use]
    pub const fn response(&self) -> Option<&HttpResponse> {
        match self {
            Self::Response(seen) => Some(seen),
            Self::Request(_) | Self::Start(_) => None,
        }
    }
}

impl Located for HttpEvent {
    fn located(&self) -> Option<&Origin> {
        Some(self.origin())
    }
}

/// The head of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpRequest {
    /// Where and when it was seen: the packet that completed it. The source is the client.
    pub origin: Origin,
    /// Which request of its connection this is, from 0 on, of those that could be seen.
    pub exchange: u32,
    pub(crate) head: RequestForm,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum RequestForm {
    Http1(OwnedRequest),
    /// The first request of a client of HTTP/2, in its fingerprint.
    First(Box<AkamaiFingerprint>),
    Http2(Box<Http2Request>),
}

impl HttpRequest {
    /// The head, if it is one of HTTP/1. It is not read again.
    #[must_use]
    pub fn http1(&self) -> Option<Http1Request<'_>> {
        match &self.head {
            RequestForm::Http1(head) => Some(Http1Request::of_owned(head)),
            RequestForm::First(_) | RequestForm::Http2(_) => None,
        }
    }

    /// The head, if it is one of HTTP/2.
    #[must_use]
    pub fn http2(&self) -> Option<&Http2Request> {
        match &self.head {
            RequestForm::Http1(_) => None,
            RequestForm::First(seen) => seen.request.as_ref(),
            RequestForm::Http2(head) => Some(head),
        }
    }

    /// What a client of HTTP/2 sent up to this request, if that is its first one.
    #[must_use]
    pub fn fingerprint(&self) -> Option<&AkamaiFingerprint> {
        match &self.head {
            RequestForm::First(seen) => Some(seen),
            RequestForm::Http1(_) | RequestForm::Http2(_) => None,
        }
    }

    /// The version as `1.0`, `1.1`, `2`.
    pub fn version(&self) -> impl fmt::Display {
        Version(self.http1().map(|head| head.version().0))
    }

    /// The method. `None` only over HTTP/2.
    #[must_use]
    pub fn method(&self) -> Option<&[u8]> {
        match self.http1() {
            Some(head) => Some(head.method()),
            None => self.http2()?.method(),
        }
    }

    /// The target, or the path over HTTP/2, as it was sent. `None` only over HTTP/2.
    #[must_use]
    pub fn target(&self) -> Option<&[u8]> {
        match self.http1() {
            Some(head) => Some(head.target()),
            None => self.http2()?.path(),
        }
    }

    /// The host that is asked for, without its port.
    #[must_use]
    pub fn host(&self) -> Option<Cow<'_, [u8]>> {
        match self.http1() {
            Some(head) => head.host(),
            None => {
                let head = self.http2()?;
                let host = crate::http1::host_of(head.authority().or(head.host())?);
                Some(host).filter(|host| !host.is_empty()).map(Cow::Borrowed)
            }
        }
    }

    /// The first field `User-Agent` that is not empty, if any is.
    #[must_use]
    pub fn user_agent(&self) -> Option<Cow<'_, [u8]>> {
        match self.http1() {
            Some(head) => head.user_agent(),
            None => self.http2()?.user_agent().map(Cow::Borrowed),
        }
    }

    /// What stands between the client and this place, by what it added.
    pub fn intermediaries(&self) -> impl Iterator<Item = Intermediary<'_>> {
        let of_http1 = self.http1().into_iter().flat_map(|head| head.intermediaries());
        of_http1.chain(self.http2().into_iter().flat_map(Http2Request::intermediaries))
    }

    /// The fields `Accept-Language`, which are one list.
    #[must_use]
    pub fn accept_language(&self) -> Option<AcceptLanguage<'_>> {
        match self.http1() {
            Some(head) => head.accept_language(),
            None => self.http2()?.accept_language(),
        }
    }
}

/// The head of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpResponse {
    /// Where and when it was seen: the packet that completed it. The source is the server.
    pub origin: Origin,
    /// The number of the request that this answers, see [`HttpRequest::exchange`].
    pub exchange: u32,
    /// Whether that request was seen, before this. If not, where a body ends was told as for `GET`.
    pub is_answer: bool,
    pub(crate) head: ResponseForm,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum ResponseForm {
    Http1(OwnedResponse),
    Http2 { head: Box<Http2Response>, settings: Option<Http2Settings> },
}

impl HttpResponse {
    /// The head, if it is one of HTTP/1. It is not read again.
    #[must_use]
    pub fn http1(&self) -> Option<Http1Response<'_>> {
        match &self.head {
            ResponseForm::Http1(head) => Some(Http1Response::of_owned(head)),
            ResponseForm::Http2 { .. } => None,
        }
    }

    /// The head, if it is one of HTTP/2.
    #[must_use]
    pub fn http2(&self) -> Option<&Http2Response> {
        match &self.head {
            ResponseForm::Http1(_) => None,
            ResponseForm::Http2 { head, .. } => Some(head),
        }
    }

    /// The SETTINGS with which a server of HTTP/2 began, if this is its first response.
    #[must_use]
    pub const fn server_settings(&self) -> Option<&Http2Settings> {
        match &self.head {
            ResponseForm::Http1(_) => None,
            ResponseForm::Http2 { settings, .. } => settings.as_ref(),
        }
    }

    /// The version as `1.0`, `1.1`, `2`.
    pub fn version(&self) -> impl fmt::Display {
        Version(self.http1().map(|head| head.version().0))
    }

    /// The status code: 0 to 999. `None` if there are not three digits.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self.http1() {
            Some(head) => head.status(),
            None => self.http2()?.status(),
        }
    }

    /// The first field `Server` that is not empty, if any is.
    #[must_use]
    pub fn server(&self) -> Option<Cow<'_, [u8]>> {
        match self.http1() {
            Some(head) => head.server(),
            None => self.http2()?.server().map(Cow::Borrowed),
        }
    }

    /// What stands between the server and this place, by what it added.
    pub fn intermediaries(&self) -> impl Iterator<Item = Intermediary<'_>> {
        let of_http1 = self.http1().into_iter().flat_map(|head| head.intermediaries());
        of_http1.chain(self.http2().into_iter().flat_map(Http2Response::intermediaries))
    }

    /// What the server's clock said, in whole seconds, by the first field `Date`. `None` if that is no date.
    #[must_use]
    pub fn date(&self) -> Option<Timestamp> {
        match self.http1() {
            Some(head) => head.date(),
            None => http_date(self.http2()?.date()?),
        }
    }

    /// By how many seconds the server's clock is ahead of that of the capture, by the first field `Date`; give or take one,
    /// as a date has whole seconds. A cache may have kept the response for any time before.
    #[must_use]
    pub fn clock_offset(&self) -> Option<i64> {
        let seconds = |time: Timestamp| i64::try_from(time.as_nanos() / 1_000_000_000).ok();
        Some(seconds(self.date()?)? - seconds(self.origin.captured_at)?)
    }
}

/// What a client of HTTP/2 sent before its first request of HTTP/2, which did not come within a second of capture time, or before
/// the connection was closed. There is none if the client is known to have sent more than was captured.
///
/// Most of them asked for HTTP/2 with a request of HTTP/1, and have no other one. The request is reported when it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpStart {
    /// The last packet that the client sent until then. The source is the client.
    pub origin: Origin,
    /// The number of the request of HTTP/1 that asked for this, see [`HttpRequest::exchange`].
    pub upgraded: Option<u32>,
    /// What there is of the fingerprint: no pseudo-headers.
    pub fingerprint: Box<AkamaiFingerprint>,
}

/// The digit behind `HTTP/1.`, if it is that.
struct Version(Option<u8>);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(minor) => write!(f, "1.{minor}"),
            None => f.write_str("2"),
        }
    }
}

impl fmt::Debug for RequestForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http1(head) => Http1Request::of_owned(head).fmt(f),
            Self::First(seen) => seen.fmt(f),
            Self::Http2(head) => head.fmt(f),
        }
    }
}

impl fmt::Debug for ResponseForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http1(head) => Http1Response::of_owned(head).fmt(f),
            Self::Http2 { head, .. } => head.fmt(f),
        }
    }
}
