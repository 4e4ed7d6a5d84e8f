//! Heads found in packets.
#![cfg(test)]
#![allow(clippy::cast_possible_truncation, reason = "numbers in tests are small")]

mod allocations;
mod belonging;
mod captures;
mod connections;
mod conversation;
mod hostile;
mod http2;
mod lost;
mod vectors;
mod watch;

use huginn_net_core::Progress;
use huginn_net_http::Http1Request;

/// The request that `bytes` begin with.
fn http1_request(bytes: &[u8]) -> Http1Request<'_> {
    match Http1Request::parse(bytes) {
        Ok(Progress::Done(request)) => request,
        other => panic!("{other:?}"),
    }
}
