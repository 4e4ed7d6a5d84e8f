//! Heads of responses.

use std::borrow::Cow;

use super::fields::Http2Fields;
use super::hpack::{HpackDecoder, HpackError};
use crate::http1::status_code;
use crate::intermediary::Intermediary;

/// The head of a response.
///
/// Names and values are bytes as they were sent. Of a field that is repeated, the methods here tell the first value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http2Response {
    stream: u32,
    list: Http2Fields,
}

impl Http2Response {
    /// Decodes a complete header block.
    pub(crate) fn decode(stream: u32, block: &[u8], decoder: &mut HpackDecoder) -> Result<Self, HpackError> {
        Ok(Self { stream, list: Http2Fields::decode(block, decoder)? })
    }

    /// The stream: that of the request, 1 for the response to one that asked for an upgrade.
    #[must_use]
    pub const fn stream(&self) -> u32 {
        self.stream
    }

    /// All fields in the order sent, with their values.
    #[must_use]
    pub const fn list(&self) -> &Http2Fields {
        &self.list
    }

    /// The status code: 0 to 999. `None` if `:status` is missing or not three digits.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        status_code(self.list.get(":status")?)
    }

    /// The first value of `server` that is not empty, if any is.
    #[must_use]
    pub fn server(&self) -> Option<&[u8]> {
        self.list.first_value("server")
    }

    /// The value of `date`.
    #[must_use]
    pub fn date(&self) -> Option<&[u8]> {
        self.list.get("date")
    }

    /// Proxies, caches and the like, by what they added.
    pub fn intermediaries(&self) -> impl Iterator<Item = Intermediary<'_>> {
        self.list.iter().filter_map(|field| Intermediary::of_field(field.name, || Cow::Borrowed(field.value)))
    }
}
