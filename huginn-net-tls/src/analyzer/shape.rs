//! What hellos look like by their first bytes.

use super::preamble;
use crate::handshake::HandshakeType;
use crate::record;

/// Whether a segment can be the begin of a hello, or of what stands before one, in a connection of which nothing is known.
#[inline]
pub(super) fn may_begin(payload: &[u8]) -> bool {
    match *payload {
        [22, ref rest @ ..] => begins_record(rest).is_some(),
        // ChangeCipherSpec for middleboxes (RFC 8446 §D.4), and behind it the second hello that a HelloRetryRequest asked
        // for. Behind another the record is encrypted.
        [20, 3, 0..=4, 0, 1, 1, 22, ref rest @ ..] => begins_record(rest) == Some(Some(1)),
        // An alert that is not encrypted (RFC 8446 §6), and a hello behind it.
        [21, 3, 0..=4, 0, 2, 1 | 2, _, 22, ref rest @ ..] => begins_record(rest) == Some(Some(1)),
        // SSL 2.0: type and version are looked at before anything else is.
        [0x80..=0xff, _, 1, 0, 2, ..] | [0x80..=0xff, _, 1, 3, 0..=3, ..] => true,
        _ => preamble::is_distinct(payload),
    }
}

/// Whether what follows the type of a handshake record fits a hello, as far as there are bytes; the type of the message
/// if it does and is there.
#[inline]
fn begins_record(rest: &[u8]) -> Option<Option<u8>> {
    // Version, length; type, length, version of the hello.
    match *rest {
        [0..=2 | 4..=0xff, ..] | [_, 5..=0xff, ..] => None,
        [_, _, 0, 0, ..] => Some(None),
        [_, _, high, low, kind, ref rest @ ..] => {
            // What stands behind a record of less than five bytes is not the rest of its hello, but the next record.
            let is_short = high == 0 && low < 5;
            let fits = is_short || rest.get(3).is_none_or(|&major| major == 3);
            (fits && matches!(kind, 1 | 2)).then_some(Some(kind))
        }
        _ => Some(None),
    }
}

/// What stands behind the records of ChangeCipherSpec and alerts that bytes begin with; nothing if nothing else has come.
#[inline]
pub(super) fn behind_passed_over(bytes: &[u8]) -> &[u8] {
    record::passed_over(bytes).and_then(|at| bytes.get(at..)).unwrap_or_default()
}

/// Of which end the hello is that bytes begin with, as far as there are any: its type is, and fits what is before and behind.
#[inline]
pub(super) fn hello_of(bytes: &[u8]) -> Option<HandshakeType> {
    let [22, rest @ ..] = bytes else { return None };
    match begins_record(rest)?? {
        1 => Some(HandshakeType::ClientHello),
        _ => Some(HandshakeType::ServerHello),
    }
}

/// Whether a segment begins with the record of a ClientHello: enough bytes to tell it from anything else.
#[inline]
pub(super) fn begins_client_hello(payload: &[u8]) -> bool {
    matches!(payload, [22, rest @ ..] if rest.len() >= 9 && begins_record(rest) == Some(Some(1)))
}

/// Whether a segment begins with the record of a ServerHello.
#[inline]
pub(super) fn begins_server_hello(payload: &[u8]) -> bool {
    matches!(payload, [22, rest @ ..] if begins_record(rest) == Some(Some(2)))
}
