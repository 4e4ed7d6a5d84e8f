//! Heads of requests.

use std::borrow::Cow;

use super::fields::Http2Fields;
use super::headers::Http2Priority;
use super::hpack::{FieldForm, HpackDecoder, HpackError};
use crate::http1::AcceptLanguage;
use crate::intermediary::Intermediary;

/// The head of a request.
///
/// Names and values are bytes as they were sent. Of a field that is repeated, the methods here tell the first value, if they do not
/// say otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http2Request {
    stream: u32,
    priority: Option<Http2Priority>,
    list: Http2Fields,
}

impl Http2Request {
    /// Decodes a complete header block.
    pub(crate) fn decode(
        stream: u32,
        priority: Option<Http2Priority>,
        block: &[u8],
        decoder: &mut HpackDecoder,
    ) -> Result<Self, HpackError> {
        Ok(Self { stream, priority, list: Http2Fields::decode(block, decoder)? })
    }

    /// A request on stream 1 of which nothing is known but its pseudo-headers: their names in the order sent, without colon.
    /// Their values are empty.
    #[must_use]
    pub fn of_pseudo_headers<'n>(names: impl IntoIterator<Item = &'n [u8]>) -> Self {
        Self { stream: 1, priority: None, list: Http2Fields::of_pseudo_headers(names) }
    }

    /// The stream: odd, 1 to 2^31 - 1.
    #[must_use]
    pub const fn stream(&self) -> u32 {
        self.stream
    }

    /// The priority in the HEADERS frame.
    #[must_use]
    pub const fn priority(&self) -> Option<Http2Priority> {
        self.priority
    }

    /// All fields in the order sent, with their values.
    #[must_use]
    pub const fn list(&self) -> &Http2Fields {
        &self.list
    }

    /// The names of all fields in the order sent, pseudo-headers and repeated ones included.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.list.iter().map(|field| field.name)
    }

    /// The names of all fields in the order sent, and how each field was written.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], FieldForm)> {
        self.list.iter().map(|field| (field.name, field.form))
    }

    /// The names of the pseudo-headers in the order sent, their colon left out.
    pub fn pseudo_headers(&self) -> impl Iterator<Item = &[u8]> {
        self.names().filter_map(|name| name.strip_prefix(b":"))
    }

    /// The value of `:method`.
    #[must_use]
    pub fn method(&self) -> Option<&[u8]> {
        self.list.get(":method")
    }

    /// The value of `:scheme`.
    #[must_use]
    pub fn scheme(&self) -> Option<&[u8]> {
        self.list.get(":scheme")
    }

    /// The value of `:authority`.
    #[must_use]
    pub fn authority(&self) -> Option<&[u8]> {
        self.list.get(":authority")
    }

    /// The value of `:path`.
    #[must_use]
    pub fn path(&self) -> Option<&[u8]> {
        self.list.get(":path")
    }

    /// The value of `host`, which `:authority` replaces in most requests.
    #[must_use]
    pub fn host(&self) -> Option<&[u8]> {
        self.list.get("host")
    }

    /// The first value of `user-agent` that is not empty, if any is.
    #[must_use]
    pub fn user_agent(&self) -> Option<&[u8]> {
        self.list.first_value("user-agent")
    }

    /// The fields `accept-language`, which are one list.
    #[must_use]
    pub fn accept_language(&self) -> Option<AcceptLanguage<'_>> {
        let fields = self.list.iter().filter(|field| field.name == b"accept-language");
        AcceptLanguage::of_fields(fields.map(|field| Cow::Borrowed(field.value)))
    }

    /// Proxies, caches and the like, by what they added.
    pub fn intermediaries(&self) -> impl Iterator<Item = Intermediary<'_>> {
        self.list.iter().filter_map(|field| Intermediary::of_field(field.name, || Cow::Borrowed(field.value)))
    }
}
