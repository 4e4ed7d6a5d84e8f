//! Where a body ends, and what follows it.

use std::borrow::Cow;

use super::lines::list;
use super::{Headers, Http1Version};

/// How a body is delimited ([RFC 9112 §6.3]).
///
/// [RFC 9112 §6.3]: https://www.rfc-editor.org/rfc/rfc9112#section-6.3
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyLength {
    /// So many bytes, mostly none.
    Known(u64),
    /// Chunks: a [`ChunkScanner`](crate::ChunkScanner) finds the end.
    Chunked,
    /// All bytes until the connection is closed.
    UntilClose,
    /// No body: from here on the connection is a tunnel, or has another protocol.
    Switched,
    /// The fields contradict each other or cannot be read, so that nobody knows where the next message begins.
    Unknown,
}

pub(super) fn of_request(headers: Headers<'_>) -> BodyLength {
    match (transfer_coding(headers), content_length(headers)) {
        // If both are there, the transfer coding counts.
        (Some(Coding::Chunked), _) => BodyLength::Chunked,
        (Some(Coding::Other), _) => BodyLength::Unknown,
        (None, Ok(length)) => BodyLength::Known(length.unwrap_or(0)),
        (None, Err(Unreadable)) => BodyLength::Unknown,
    }
}

pub(super) fn of_response(status: Option<u16>, headers: Headers<'_>, method: &[u8]) -> BodyLength {
    match status {
        Some(101) => return BodyLength::Switched,
        Some(200..=299) if method == b"CONNECT" => return BodyLength::Switched,
        Some(100..=199 | 204 | 304) => return BodyLength::Known(0),
        _ if method == b"HEAD" => return BodyLength::Known(0),
        _ => {}
    }
    match (transfer_coding(headers), content_length(headers)) {
        (Some(Coding::Chunked), _) => BodyLength::Chunked,
        (Some(Coding::Other), _) | (None, Ok(None)) => BodyLength::UntilClose,
        (None, Ok(Some(length))) => BodyLength::Known(length),
        (None, Err(Unreadable)) => BodyLength::Unknown,
    }
}

/// The last transfer coding, which is the one that delimits.
enum Coding {
    Chunked,
    Other,
}

fn transfer_coding(headers: Headers<'_>) -> Option<Coding> {
    let last = headers.get_all("transfer-encoding").last()?.value();
    match list(&last).last() {
        Some(coding) if coding.eq_ignore_ascii_case(b"chunked") => Some(Coding::Chunked),
        _ => Some(Coding::Other),
    }
}

/// No number of 64 bits, or two that differ.
struct Unreadable;

/// All that is said has to agree ([RFC 9110 §8.6](https://www.rfc-editor.org/rfc/rfc9110#section-8.6)).
fn content_length(headers: Headers<'_>) -> Result<Option<u64>, Unreadable> {
    let mut length = None;
    for header in headers.get_all("content-length") {
        let value = header.value();
        for item in value.split(|&byte| byte == b',') {
            let number = decimal(super::lines::trim(item)).ok_or(Unreadable)?;
            if length.replace(number).is_some_and(|before| before != number) {
                return Err(Unreadable);
            }
        }
    }
    Ok(length)
}

fn decimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |number, byte| match byte {
        b'0'..=b'9' => number.checked_mul(10)?.checked_add(u64::from(byte - b'0')),
        _ => None,
    })
}

/// Whether the connection stays open ([RFC 9112 §9.3](https://www.rfc-editor.org/rfc/rfc9112#section-9.3)).
pub(super) fn is_persistent(version: Http1Version, headers: Headers<'_>) -> bool {
    if headers.lists("connection", "close") {
        return false;
    }
    version >= Http1Version::HTTP_1_1 || headers.lists("connection", "keep-alive")
}

/// The field `Upgrade`, which counts only if `Connection` names it
/// ([RFC 9110 §7.8](https://www.rfc-editor.org/rfc/rfc9110#section-7.8)).
pub(super) fn upgrade(headers: Headers<'_>) -> Option<Cow<'_, [u8]>> {
    headers.get("upgrade").filter(|_| headers.lists("connection", "upgrade")).map(|header| header.value())
}
