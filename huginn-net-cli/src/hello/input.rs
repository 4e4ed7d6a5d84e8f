//! From the bytes of a file to the hello in them.

use huginn_net::Progress;
use huginn_net::tls::{
    Carrier, ClientHello, ClientHelloReader, DtlsHelloReader, DtlsLimits, QuicInitialReader, QuicLimits,
    Sslv2Hello, TlsError,
};

/// What the bytes of a hello were wrapped in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Records of TLS.
    Records,
    /// Nothing: a handshake message.
    Message,
    /// Records of DTLS.
    DtlsRecords,
    /// Initial packets of QUIC.
    QuicInitials,
}

impl Origin {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Records => "TLS records",
            Self::Message => "a bare handshake message",
            Self::DtlsRecords => "DTLS records",
            Self::QuicInitials => "QUIC Initial packets",
        }
    }
}

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A handshake message; that of DTLS without what its header has about fragments.
    Hello { message: Vec<u8>, carrier: Carrier, origin: Origin },
    /// A hello in the format of SSL 2.0, which has no fingerprint.
    Sslv2 { version: huginn_net::tls::ProtocolVersion, cipher_specs: Vec<u32> },
}

const HELLO_GOES_ON: &str = "the hello is not complete; give the datagrams that carry it one after the other";

/// Finds the hello, or says why there is none.
///
/// Bytes that begin with a hexadecimal digit or a blank are hexadecimal digits, for nothing that carries a hello begins
/// so. `carrier` is that of a bare handshake message.
pub(super) fn find(bytes: &[u8], hex: bool, carrier: Option<Carrier>) -> Result<Found, String> {
    let is_text = bytes.first().is_some_and(|&byte| byte.is_ascii_hexdigit() || byte.is_ascii_whitespace());
    if hex || is_text {
        return binary(&from_hex(bytes)?, carrier);
    }
    binary(bytes, carrier)
}

fn binary(bytes: &[u8], carrier: Option<Carrier>) -> Result<Found, String> {
    match *bytes {
        [] => Err("empty".to_owned()),
        [0xd4, 0xc3, 0xb2, 0xa1, ..] | [0xa1, 0xb2, 0xc3, 0xd4, ..] | [0x0a, 0x0d, 0x0d, 0x0a, ..] => {
            Err("a capture, where the bytes of one hello are expected; `huginn-net read` reads captures"
                .to_owned())
        }
        [20..=22, 0xfe, ..] => dtls(bytes),
        [20..=22, ..] => records(bytes),
        [1, ..] => message(bytes, carrier),
        _ if QuicInitialReader::is_initial(bytes) => quic(bytes),
        [0x80..=0xff, ..] => sslv2(bytes),
        [first, ..] => Err(format!(
            "not a hello: no TLS or DTLS record, handshake message or QUIC Initial packet begins with {first:#04x}"
        )),
    }
}

fn hello(message: &[u8], carrier: Carrier, origin: Origin) -> Found {
    Found::Hello { message: message.to_vec(), carrier, origin }
}

fn records(bytes: &[u8]) -> Result<Found, String> {
    match ClientHelloReader::new().push(bytes) {
        Ok(Progress::Done(found)) => Ok(hello(found.message(), Carrier::Tcp, Origin::Records)),
        Ok(Progress::NeedMore) => Err(TlsError::Incomplete.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

fn dtls(bytes: &[u8]) -> Result<Found, String> {
    match DtlsHelloReader::new(DtlsLimits::default()).push(bytes) {
        Ok(Progress::Done(found)) => Ok(hello(found.message, Carrier::Dtls, Origin::DtlsRecords)),
        Ok(Progress::NeedMore) => Err(HELLO_GOES_ON.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn quic(bytes: &[u8]) -> Result<Found, String> {
    match QuicInitialReader::new(QuicLimits::default()).push(bytes) {
        Ok(Progress::Done(found)) => Ok(hello(found.message, Carrier::Quic, Origin::QuicInitials)),
        Ok(Progress::NeedMore) => Err(HELLO_GOES_ON.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// A message of DTLS is known by its version, and has a header that tells of fragments, or has it no more.
fn message(bytes: &[u8], carrier: Option<Carrier>) -> Result<Found, String> {
    let mut bytes = bytes.to_vec();
    let mut carrier = carrier;
    if let [_, l0, l1, l2, _, _, 0, 0, 0, f0, f1, f2, 0xfe, ..] = *bytes
        && [l0, l1, l2] == [f0, f1, f2]
    {
        carrier = Some(Carrier::Dtls);
        bytes.drain(4..12);
    } else if let [_, _, _, _, 0xfe, ..] = *bytes {
        carrier = carrier.or(Some(Carrier::Dtls));
    }
    let carrier = carrier.unwrap_or(Carrier::Tcp);
    match ClientHello::parse(&bytes, carrier) {
        Ok(Progress::Done(found)) => Ok(hello(found.message(), carrier, Origin::Message)),
        Ok(Progress::NeedMore) => Err(TlsError::Incomplete.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

fn sslv2(bytes: &[u8]) -> Result<Found, String> {
    match Sslv2Hello::parse(bytes) {
        Ok(Progress::Done(found)) => {
            Ok(Found::Sslv2 { version: found.version, cipher_specs: found.cipher_specs().collect() })
        }
        Ok(Progress::NeedMore) => Err(TlsError::Incomplete.to_string()),
        Err(_) => Err("neither a QUIC Initial packet of a known version nor a hello of SSL 2.0".to_owned()),
    }
}

/// Bytes from pairs of hexadecimal digits; blanks, line ends and colons may stand between the pairs.
fn from_hex(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut high = None;
    for (at, &byte) in (1..).zip(text) {
        let digit = char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        match (high, digit) {
            (None, Some(digit)) => high = Some(digit),
            (Some(first), Some(digit)) => {
                bytes.push(first << 4 | digit);
                high = None;
            }
            (None, None) if byte.is_ascii_whitespace() || byte == b':' => {}
            _ => return Err(format!("byte {at} is not the hexadecimal digit that is expected there")),
        }
    }
    match high {
        None => Ok(bytes),
        Some(_) => Err("the last hexadecimal digit has no partner".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_come_in_pairs_and_are_known_without_being_told() {
        assert_eq!(from_hex(b"16 03\n01:00\t\r\nfF"), Ok(vec![0x16, 3, 1, 0, 0xff]));
        assert_eq!(
            from_hex(b"16 0 3"),
            Err("byte 5 is not the hexadecimal digit that is expected there".to_owned())
        );
        assert_eq!(from_hex(b"160"), Err("the last hexadecimal digit has no partner".to_owned()));
        assert_eq!(find(b"17 03 03 00 01 00", false, None), find(&[0x17, 3, 3, 0, 1, 0], false, None));
        assert!(find(b"\x16\x03\x01", true, None).is_err());
    }

    #[test]
    fn a_message_of_dtls_may_have_the_header_of_its_fragments() {
        let mut body = vec![0xfe, 0xfd];
        body.extend([7; 32]);
        body.extend([0, 0, 0, 2, 0xc0, 0x2f, 1, 0]);
        let header = [1, 0, 0, u8::try_from(body.len()).unwrap()];
        let without = [&header[..], &body].concat();
        let with = [&header[..], &[0, 0, 0, 0, 0], &header[1..], &body].concat();
        let expected =
            Found::Hello { message: without.clone(), carrier: Carrier::Dtls, origin: Origin::Message };
        assert_eq!(find(&without, false, None), Ok(expected));
        assert_eq!(find(&with, false, None), find(&without, false, None));
    }
}
