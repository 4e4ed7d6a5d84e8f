//! Packets of TDS ([MS-TDS] §2.2.3.1), in which a client of SQL Server asks for encryption, and which then carry the handshake.
//!
//! [MS-TDS]: https://learn.microsoft.com/openspecs/windows_protocols/ms-tds

use huginn_net_core::{Reader, Truncated};

use super::{Preamble, request};
use crate::event::ViaKind;
use crate::handshake::HandshakeType;

/// Type of a packet with what is agreed on before a login: the request for encryption, and the handshake of both ends.
pub(super) const PRELOGIN: u8 = 0x12;
/// Bytes of a header: type, status, length, process, number, window.
const HEADER: usize = 8;
/// Most that a packet has before another size is agreed on, which takes a login.
const MAX_PACKET: usize = 4096;

/// What a client begins with: its request for encryption, or what stands before its hello.
pub(super) fn of_client(bytes: &[u8]) -> Preamble {
    read(bytes, HandshakeType::ClientHello).unwrap_or(Preamble::NeedMore)
}

/// What stands before the ServerHello, if the handshake is in packets.
pub(in super::super) fn of_server(bytes: &[u8]) -> Preamble {
    read(bytes, HandshakeType::ServerHello).unwrap_or(Preamble::NeedMore)
}

/// How many bytes stand before a hello, of which there are enough to know it.
pub(in super::super) fn before(hello: HandshakeType, bytes: &[u8]) -> Option<usize> {
    match read(bytes, hello) {
        Ok(Preamble::Complete(HEADER, _)) => Some(HEADER),
        _ => None,
    }
}

fn read(bytes: &[u8], hello: HandshakeType) -> Result<Preamble, Truncated> {
    const END_OF_MESSAGE: u8 = 1;
    /// Type of a TLS record of the handshake, and the first byte of every version.
    const HANDSHAKE: [u8; 2] = [22, 3];
    let of_client = hello == HandshakeType::ClientHello;
    let mut reader = Reader::new(bytes);
    if reader.u8("type")? != PRELOGIN {
        return Ok(Preamble::None);
    }
    let status = reader.u8("status")?;
    if status & !END_OF_MESSAGE != 0 {
        return Ok(Preamble::None);
    }
    let length = usize::from(reader.u16("length")?);
    if !(HEADER..=MAX_PACKET).contains(&length) {
        return Ok(Preamble::None);
    }
    reader.skip(3, "process and number")?;
    if reader.u8("window")? != 0 {
        return Ok(Preamble::None);
    }
    let begin = [reader.u8("record or option")?, reader.u8("version or offset")?];
    if begin == HANDSHAKE {
        reader.skip(1, "version")?;
        let record = usize::from(reader.u16("record")?);
        // A record that goes on in another packet has the header of that in its middle. Of a server's only the ServerHello is read,
        // which is at its front.
        let is_readable = !of_client || reader.position() + record <= length;
        let is_hello = reader.u8("message")? == hello as u8;
        return Ok(if is_readable && is_hello { request(HEADER, ViaKind::Tds) } else { Preamble::None });
    }
    let is_request = of_client && status == END_OF_MESSAGE;
    if !is_request || !is_version(begin, reader.u8("offset")?, length - HEADER) {
        return Ok(Preamble::None);
    }
    Ok(bytes.get(..length).map_or(Preamble::NeedMore, |_| request(length, ViaKind::Tds)))
}

/// Whether options begin with that of the version, as they must: its value is behind all of them, within so many bytes.
fn is_version([option, high]: [u8; 2], low: u8, length: usize) -> bool {
    const VERSION: u8 = 0;
    /// Number, offset and length of an option, and the end of the options.
    const ONE_OPTION: usize = 6;
    option == VERSION && (ONE_OPTION..length).contains(&usize::from(u16::from_be_bytes([high, low])))
}
