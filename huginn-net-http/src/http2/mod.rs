//! HTTP/2 ([RFC 9113]), as far as a fingerprint needs it.
//!
//! [RFC 9113]: https://www.rfc-editor.org/rfc/rfc9113

mod hpack;

pub use self::hpack::{FieldForm, HpackDecoder, HpackError, HpackField, HpackLimits};
