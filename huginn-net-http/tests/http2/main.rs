//! HTTP/2 clients and servers: what they send, whole and in pieces, right and wrong.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod clients;
mod frames;
mod hostile;
mod servers;
mod stream;
