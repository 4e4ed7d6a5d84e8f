//! Heads of HTTP/1: what they say, how they are cut, and where they and their bodies end.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod bodies;
mod claims;
mod heads;
mod hostile;
mod oracle;
mod signatures;

use huginn_net_core::Progress;
use huginn_net_http::{Http1Request, Http1Response};

/// The request that `bytes` begin with.
fn request(bytes: &[u8]) -> Http1Request<'_> {
    match Http1Request::parse(bytes) {
        Ok(Progress::Done(request)) => request,
        other => panic!("{other:?} of {}", bytes.escape_ascii()),
    }
}

/// The response that `bytes` begin with.
fn response(bytes: &[u8]) -> Http1Response<'_> {
    match Http1Response::parse(bytes) {
        Ok(Progress::Done(response)) => response,
        other => panic!("{other:?} of {}", bytes.escape_ascii()),
    }
}

/// A request with these fields.
fn with_fields(fields: &str) -> Vec<u8> {
    format!("GET / HTTP/1.1\r\n{fields}\r\n").into_bytes()
}
