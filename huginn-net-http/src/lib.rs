//! Passive HTTP fingerprinting; so far the decoder for header blocks of HTTP/2.

mod http2;

pub use self::http2::{FieldForm, HpackDecoder, HpackError, HpackField, HpackLimits};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeSnippets;
