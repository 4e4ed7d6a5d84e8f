//! What may stand before the hello of a client: headers of proxies, and requests for encryption.

pub(super) mod tds;

use core::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use huginn_net_core::{Progress, ProxyHeader, Reader, Truncated};

use crate::event::{Via, ViaKind, ViaTarget};

/// What the bytes of a client begin with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Preamble {
    /// Something of this length, and what it tells.
    Complete(usize, Option<Via>),
    /// It may become one.
    NeedMore,
    None,
}

/// What is known of the preambles of one connection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Preambles {
    /// A SOCKS 5 greeting was read: what looks like another is a request.
    greeted: bool,
    /// Bytes of an HTTP request that do not hold its end.
    searched: usize,
    /// Those that were complete.
    complete: u8,
}

/// Most of them before one hello: a proxy in front of a proxy takes six at worst.
const MAX_PREAMBLES: u8 = 16;
const MAX_CONNECT: usize = 8 << 10;
/// Longest user and longest host name of SOCKS 4, neither of which has a length of its own.
const MAX_SOCKS4_TEXT: usize = 255;
/// Methods of SOCKS 5 that a client offers; what announces more is another protocol.
const MAX_SOCKS5_METHODS: u8 = 32;

const CONNECT: &[u8] = b"CONNECT ";
/// Requests of PostgreSQL for TLS and for GSSAPI, with their length.
const SSL_REQUEST: &[u8] = &[0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];
const GSS_REQUEST: &[u8] = &[0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x30];
/// Version of a TPKT and a byte of zero.
const TPKT: &[u8] = &[3, 0];

/// Whether bytes begin with a preamble that is like nothing else, so that it is recognised in the middle of a connection.
#[inline]
pub(super) fn is_distinct(bytes: &[u8]) -> bool {
    let begins = |with: &[u8]| bytes.starts_with(with);
    match bytes.first() {
        Some(b'P' | b'\r') => ProxyHeader::begins(bytes),
        Some(b'C') => begins(CONNECT),
        Some(0) => begins(SSL_REQUEST) || begins(GSS_REQUEST),
        Some(&tds::PRELOGIN) => matches!(tds::of_client(bytes), Preamble::Complete(..)),
        Some(32) => matches!(mysql(bytes), Ok(Preamble::Complete(..))),
        _ => false,
    }
}

impl Preambles {
    /// Reads a preamble at the front of what a client sends.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Preamble {
        if self.complete >= MAX_PREAMBLES {
            return Preamble::None;
        }
        let preamble = self.read_next(bytes);
        self.complete += u8::from(matches!(preamble, Preamble::Complete(..)));
        preamble
    }

    /// Forgets how far a request was read whose bytes are no longer held.
    pub(super) fn give_up(&mut self) {
        self.searched = 0;
    }

    fn read_next(&mut self, bytes: &[u8]) -> Preamble {
        let cut_or = |result: Result<Preamble, Truncated>| result.unwrap_or(Preamble::NeedMore);
        match bytes {
            [b'P' | b'\r', ..] => proxy(bytes),
            [b'C', ..] => fixed(bytes, CONNECT, |bytes| self.connect(bytes)),
            [0, ..] => match fixed(bytes, SSL_REQUEST, |_| request(SSL_REQUEST.len(), ViaKind::Postgres)) {
                Preamble::None => {
                    fixed(bytes, GSS_REQUEST, |_| request(SSL_REQUEST.len(), ViaKind::Postgres))
                }
                preamble => preamble,
            },
            [tds::PRELOGIN, ..] => tds::of_client(bytes),
            [32, ..] => cut_or(mysql(bytes)),
            [3, ..] => fixed(bytes, TPKT, |bytes| cut_or(connection_request(bytes))),
            [0x30, ..] => cut_or(start_tls(bytes)),
            [4, ..] => socks4(bytes),
            [5, ..] if self.greeted => cut_or(socks5_request(bytes)),
            [5, ..] => {
                let preamble = cut_or(socks5_greeting(bytes));
                self.greeted = matches!(preamble, Preamble::Complete(..));
                preamble
            }
            [1, ..] if self.greeted => cut_or(socks5_password(bytes)),
            _ => Preamble::None,
        }
    }

    /// A request with the method CONNECT: as long as its head, whose lines may end without a carriage return
    /// ([RFC 9112 §2.2](https://www.rfc-editor.org/rfc/rfc9112#section-2.2)).
    fn connect(&mut self, bytes: &[u8]) -> Preamble {
        // The end may be cut where the bytes ended before.
        let searched = core::mem::take(&mut self.searched);
        let from = if searched > bytes.len() { 0 } else { searched.saturating_sub(MAX_LINE_ENDS - 1) };
        let Some(end) = end_of_head(bytes.get(from..).unwrap_or_default()) else {
            if bytes.len() > MAX_CONNECT {
                return Preamble::None;
            }
            self.searched = bytes.len();
            return Preamble::NeedMore;
        };
        let target = bytes.split(|&byte| matches!(byte, b' ' | b'\r' | b'\n')).nth(1).unwrap_or_default();
        let via = Via { kind: ViaKind::HttpConnect, source: None, destination: Some(authority(target)) };
        Preamble::Complete(from + end, Some(via))
    }
}

/// Bytes of the end of a line and of an empty one behind it, from the line feed of the first on.
const MAX_LINE_ENDS: usize = 3;

/// Where the first empty line ends.
fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let mut feeds = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    feeds.find_map(|(at, _)| match bytes.get(at + 1..) {
        Some([b'\n', ..]) => Some(at + 2),
        Some([b'\r', b'\n', ..]) => Some(at + MAX_LINE_ENDS),
        _ => None,
    })
}

/// Reads on if the bytes begin with `with`, as far as there are any.
fn fixed(bytes: &[u8], with: &[u8], read: impl FnOnce(&[u8]) -> Preamble) -> Preamble {
    if bytes.starts_with(with) {
        read(bytes)
    } else if with.starts_with(bytes) {
        Preamble::NeedMore
    } else {
        Preamble::None
    }
}

fn proxy(bytes: &[u8]) -> Preamble {
    match ProxyHeader::parse(bytes) {
        Some(Progress::Done(header)) => {
            let via = Via {
                kind: if header.is_binary { ViaKind::ProxyV2 } else { ViaKind::ProxyV1 },
                source: header.source,
                destination: header.destination.map(ViaTarget::Address),
            };
            Preamble::Complete(header.length, Some(via))
        }
        Some(Progress::NeedMore) => Preamble::NeedMore,
        None => Preamble::None,
    }
}

/// A request for encryption of this length, which names nobody.
fn request(length: usize, kind: ViaKind) -> Preamble {
    Preamble::Complete(length, Some(Via::of(kind)))
}

/// The packet with number 1 and a length of 32, in which the client says that it can do TLS.
fn mysql(bytes: &[u8]) -> Result<Preamble, Truncated> {
    const CLIENT_SSL: u16 = 0x0800;
    let mut reader = Reader::new(bytes);
    for expected in [32, 0, 0, 1] {
        if reader.u8("header")? != expected {
            return Ok(Preamble::None);
        }
    }
    let capabilities = u16::from_le_bytes(reader.array("capabilities")?);
    if capabilities & CLIENT_SSL == 0 {
        return Ok(Preamble::None);
    }
    reader.skip(30, "request")?;
    Ok(request(reader.position(), ViaKind::Mysql))
}

/// Request for a connection of X.224 ([RFC 905 §13.3](https://www.rfc-editor.org/rfc/rfc905)) in a TPKT
/// ([RFC 1006 §6](https://www.rfc-editor.org/rfc/rfc1006#section-6)), with which a client of RDP asks for TLS.
fn connection_request(bytes: &[u8]) -> Result<Preamble, Truncated> {
    const CONNECTION_REQUEST: u8 = 0xe0;
    let mut reader = Reader::at(bytes, TPKT.len());
    let length = usize::from(reader.u16("length")?);
    let indicated = usize::from(reader.u8("length indicator")?);
    // The indicator counts what follows it, the code first, and the length all.
    if indicated == 0 || length != reader.position() + indicated || reader.u8("code")? != CONNECTION_REQUEST {
        return Ok(Preamble::None);
    }
    Ok(bytes.get(..length).map_or(Preamble::NeedMore, |_| request(length, ViaKind::Rdp)))
}

/// A message with the extended request StartTLS ([RFC 4511 §4.14.1](https://www.rfc-editor.org/rfc/rfc4511#section-4.14.1)).
fn start_tls(bytes: &[u8]) -> Result<Preamble, Truncated> {
    /// In text, as RFC 4511 §4.12 has it, behind tag and length of the name of a request.
    const NAME: &[u8] = b"\x80\x161.3.6.1.4.1.1466.20037";
    const MESSAGE_ID: u8 = 0x02;
    const EXTENDED_REQUEST: u8 = 0x77;
    let mut reader = Reader::at(bytes, 1);
    let length = ber_length(&mut reader)?;
    let begin = reader.position();
    if reader.u8("tag")? != MESSAGE_ID {
        return Ok(Preamble::None);
    }
    reader.sub_u8("message ID")?;
    if reader.u8("tag")? != EXTENDED_REQUEST {
        return Ok(Preamble::None);
    }
    if ber_length(&mut reader)? != NAME.len() || reader.take(NAME.len(), "name")? != NAME {
        return Ok(Preamble::None);
    }
    let is_whole = reader.position() - begin == length;
    Ok(if is_whole { request(reader.position(), ViaKind::Ldap) } else { Preamble::None })
}

/// Length of a value in the basic encoding rules (ITU-T X.690 §8.1.3), as servers of LDAP take it: definite, of four bytes at most.
fn ber_length(reader: &mut Reader<'_>) -> Result<usize, Truncated> {
    let first = reader.u8("length")?;
    let mut length = usize::from(first);
    if (0x81..=0x84).contains(&first) {
        length = 0;
        for _ in 0x80..first {
            length = length << 8 | usize::from(reader.u8("length")?);
        }
    }
    Ok(length)
}

/// Version, command, port, address, user with an end of zero, and for 4a, marked by an address of `0.0.0.x`, a host name.
fn socks4(bytes: &[u8]) -> Preamble {
    let mut reader = Reader::at(bytes, 1);
    let Ok(command) = reader.u8("command") else { return Preamble::NeedMore };
    if !matches!(command, 1 | 2) {
        return Preamble::None;
    }
    let (Ok(port), Ok(address)) = (reader.u16("port"), reader.array::<4>("address")) else {
        return Preamble::NeedMore;
    };
    let destination = match (text(&mut reader), address) {
        (Err(preamble), _) => return preamble,
        (Ok(_), [0, 0, 0, number]) if number != 0 => match text(&mut reader) {
            Err(preamble) => return preamble,
            Ok(host) => ViaTarget::Name { host: host.into(), port: Some(port) },
        },
        (Ok(_), address) => ViaTarget::Address(SocketAddr::new(Ipv4Addr::from(address).into(), port)),
    };
    let via = Via { kind: ViaKind::Socks4, source: None, destination: Some(destination) };
    Preamble::Complete(reader.position(), Some(via))
}

/// Reads up to a zero, and the zero.
fn text<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Preamble> {
    let rest = reader.rest();
    let within = rest.get(..=MAX_SOCKS4_TEXT).unwrap_or(rest);
    let Some(length) = within.iter().position(|&byte| byte == 0) else {
        return Err(if within.len() > MAX_SOCKS4_TEXT { Preamble::None } else { Preamble::NeedMore });
    };
    let text = reader.take(length, "text");
    let end = reader.skip(1, "end of text");
    text.and_then(|text| end.map(|()| text)).map_err(|_| Preamble::NeedMore)
}

/// Version and a list of methods ([RFC 1928 §3](https://www.rfc-editor.org/rfc/rfc1928#section-3)).
fn socks5_greeting(bytes: &[u8]) -> Result<Preamble, Truncated> {
    let mut reader = Reader::at(bytes, 1);
    if !(1..=MAX_SOCKS5_METHODS).contains(&reader.peek().unwrap_or(1)) {
        return Ok(Preamble::None);
    }
    reader.sub_u8("methods")?;
    Ok(Preamble::Complete(reader.position(), None))
}

/// Name and password ([RFC 1929 §2](https://www.rfc-editor.org/rfc/rfc1929#section-2)).
fn socks5_password(bytes: &[u8]) -> Result<Preamble, Truncated> {
    let mut reader = Reader::at(bytes, 1);
    reader.sub_u8("name")?;
    reader.sub_u8("password")?;
    Ok(Preamble::Complete(reader.position(), None))
}

/// Version, command, zero, address and port ([RFC 1928 §4](https://www.rfc-editor.org/rfc/rfc1928#section-4)).
fn socks5_request(bytes: &[u8]) -> Result<Preamble, Truncated> {
    let mut reader = Reader::at(bytes, 1);
    let command = reader.u8("command")?;
    if !(1..=3).contains(&command) || reader.u8("reserved")? != 0 {
        return Ok(Preamble::None);
    }
    let destination = match reader.u8("address type")? {
        1 => {
            let address = Ipv4Addr::from(reader.array::<4>("address")?);
            ViaTarget::Address(SocketAddr::new(address.into(), reader.u16("port")?))
        }
        3 => {
            let host = reader.sub_u8("name")?.rest().into();
            ViaTarget::Name { host, port: Some(reader.u16("port")?) }
        }
        4 => {
            let address = Ipv6Addr::from(reader.array::<16>("address")?);
            ViaTarget::Address(SocketAddr::new(address.into(), reader.u16("port")?))
        }
        _ => return Ok(Preamble::None),
    };
    let via = Via { kind: ViaKind::Socks5, source: None, destination: Some(destination) };
    Ok(Preamble::Complete(reader.position(), Some(via)))
}

/// Host and port as CONNECT has them.
fn authority(target: &[u8]) -> ViaTarget {
    if let Some(address) = core::str::from_utf8(target).ok().and_then(|text| text.parse().ok()) {
        return ViaTarget::Address(address);
    }
    let colon = target.iter().rposition(|&byte| byte == b':');
    let parts = colon.and_then(|at| target.split_at_checked(at));
    let port = |digits: &[u8]| core::str::from_utf8(digits.get(1..)?).ok()?.parse().ok();
    match parts.and_then(|(host, digits)| Some((host, port(digits)?))) {
        Some((host, port)) => ViaTarget::Name { host: host.into(), port: Some(port) },
        None => ViaTarget::Name { host: target.into(), port: None },
    }
}

#[cfg(test)]
mod tests;
