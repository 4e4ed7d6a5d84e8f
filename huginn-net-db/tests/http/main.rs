//! Heads of HTTP/1 against signatures.

#![allow(
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that meets something unexpected has failed"
)]

mod browsers;
mod http2;
mod limits;
mod published;
mod quirks;
mod recorded;
mod reference;
mod remembered;
mod stream;
mod vectors;
mod verdicts;
