//! What heads look like by their first bytes.

use super::connection::Role;

/// Methods of requests that are known by their looks in a connection whose begin was not seen: those of
/// [RFC 9110 §9] and [RFC 5789], of WebDAV ([RFC 4918]), and the preface of HTTP/2.
///
/// [RFC 9110 §9]: https://www.rfc-editor.org/rfc/rfc9110#section-9
/// [RFC 5789]: https://www.rfc-editor.org/rfc/rfc5789
/// [RFC 4918]: https://www.rfc-editor.org/rfc/rfc4918
///
/// `GET` and `POST` are known without this list.
const METHODS: [&[u8]; 16] = [
    b"HEAD ",
    b"PUT ",
    b"DELETE ",
    b"OPTIONS ",
    b"CONNECT ",
    b"PATCH ",
    b"TRACE ",
    b"PRI ",
    b"PROPFIND ",
    b"PROPPATCH ",
    b"MKCOL ",
    b"COPY ",
    b"MOVE ",
    b"LOCK ",
    b"UNLOCK ",
    b"REPORT ",
];

/// Whether a segment begins with a known method and something that can be a target.
#[inline]
pub(super) fn begins_request(payload: &[u8]) -> bool {
    matches!(payload, [b'C' | b'D' | b'G' | b'H' | b'L' | b'M' | b'O' | b'P' | b'R' | b'T' | b'U', second, ..]
        if second.is_ascii_uppercase())
        && begins_with_method(payload)
}

fn begins_with_method(payload: &[u8]) -> bool {
    let target = match payload {
        // Most of all requests, told at once.
        [b'G', b'E', b'T', b' ', target @ ..] | [b'P', b'O', b'S', b'T', b' ', target @ ..] => Some(target),
        _ => METHODS.iter().find_map(|method| payload.strip_prefix(*method)),
    };
    target.and_then(<[u8]>::first).is_some_and(u8::is_ascii_graphic)
}

/// Whether a segment begins with a version and a status code.
#[inline]
pub(super) fn begins_response(payload: &[u8]) -> bool {
    matches!(payload, [b'H', b'T', b'T', b'P', b'/', b'1', b'.', b'0'..=b'9', b' ', b'0'..=b'9', ..])
}

/// Who sends a segment that can be the begin of a head in a connection of which nothing is known.
#[inline]
pub(super) fn sender(payload: &[u8]) -> Option<Role> {
    // What is a response is told at once, and what is no request may have to be compared with all methods.
    if begins_response(payload) {
        Some(Role::Server)
    } else {
        begins_request(payload).then_some(Role::Client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_known_by_method_and_target_or_version_and_status() {
        for request in
            ["GET / HTTP/1.1\r\n", "CONNECT a:443 HTTP/1.1", "OPTIONS *", "PRI * HTTP/2.0", "POST h"]
        {
            assert!(begins_request(request.as_bytes()), "{request}");
        }
        for other in
            ["", "G", "GET", "GET ", "GET  /", "get / HTTP/1.1", "GETS /", "HTTP/1.1 200", "\x16\x03\x01"]
        {
            assert!(!begins_request(other.as_bytes()), "{other:?}");
        }
        assert!(begins_response(b"HTTP/1.0 200 OK"));
        for other in ["HTTP/1.1", "HTTP/1.1 ", "HTTP/2 200", "HTTP/1.1 OK", "GET / HTTP/1.1"] {
            assert!(!begins_response(other.as_bytes()), "{other:?}");
        }
    }
}
