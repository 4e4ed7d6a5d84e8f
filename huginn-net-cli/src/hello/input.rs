//! From the bytes of a file to the hello in them.

use std::borrow::Cow;

use huginn_net::Progress;
use huginn_net::tls::{
    Carrier, ClientHello, ClientHelloReader, DtlsHelloReader, QuicInitialReader, Sslv2Hello, TlsError,
};

use super::hex;

/// What the bytes of a hello were wrapped in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Records of TLS.
    Records,
    /// A record of SSL 2.0.
    Sslv2,
    /// Nothing: a handshake message.
    Message,
    /// Records of DTLS.
    DtlsRecords,
    /// Initial packets of QUIC.
    QuicInitials,
    /// The packets of a capture up to this one.
    Packet(huginn_net::Origin),
}

impl Origin {
    pub(super) fn name(self) -> Cow<'static, str> {
        match self {
            Self::Records => "TLS records".into(),
            Self::Sslv2 => "a record of SSL 2.0".into(),
            Self::Message => "a bare handshake message".into(),
            Self::DtlsRecords => "DTLS records".into(),
            Self::QuicInitials => "QUIC Initial packets".into(),
            Self::Packet(packet) => {
                let huginn_net::Origin { frame, source, destination, .. } = packet;
                format!("packet {frame} of a capture, {source} to {destination}").into()
            }
        }
    }
}

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A handshake message; that of DTLS without what its header has about fragments.
    Hello { message: Vec<u8>, carrier: Carrier, origin: Origin },
    /// A hello in the format of SSL 2.0, which has no fingerprint.
    Sslv2 { version: huginn_net::tls::ProtocolVersion, cipher_specs: Vec<u32>, origin: Origin },
}

/// A hello that its datagrams have not completed.
pub(super) const HELLO_GOES_ON: &str =
    "the hello is not complete; give all datagrams that carry it, in one file or in several";

/// Takes what files have, one after the other.
pub(super) struct Inputs {
    hex: bool,
    carrier: Option<Carrier>,
    begun: Option<Begun>,
}

/// A hello of which more datagrams are to come.
enum Begun {
    Dtls(DtlsHelloReader),
    Quic(QuicInitialReader),
}

impl Inputs {
    /// `hex` if everything is hexadecimal digits; `carrier` is that of a bare handshake message.
    pub(super) const fn new(hex: bool, carrier: Option<Carrier>) -> Self {
        Self { hex, carrier, begun: None }
    }

    /// The bytes of a file.
    ///
    /// Those that begin with a printable character or a blank are hexadecimal digits, for nothing that carries a hello
    /// begins so.
    pub(super) fn bytes_of<'a>(&self, file: &'a [u8]) -> Result<Cow<'a, [u8]>, String> {
        let is_text = file.first().is_some_and(|&byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        if self.hex || is_text || file.starts_with(hex::BYTE_ORDER_MARK) {
            return Ok(hex::decode(file)?.into());
        }
        Ok(file.into())
    }

    /// Whether a hello has been begun that no file has completed.
    pub(super) const fn is_waiting(&self) -> bool {
        self.begun.is_some()
    }

    /// Gives up the hello that has been begun, if these bytes cannot be datagrams of it; whether it did.
    pub(super) fn give_up_before(&mut self, bytes: &[u8]) -> bool {
        let is_other = match (&self.begun, bytes) {
            (None, _)
            | (Some(Begun::Dtls(_)), [20..=22, 0xfe | 1, ..])
            | (Some(Begun::Quic(_)), [0x80..=0xff, ..]) => false,
            (Some(_), _) => true,
        };
        if is_other {
            self.begun = None;
        }
        is_other
    }

    /// Finds the hello, or says why there is none. A hello in datagrams may need further files.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Progress<Found>, String> {
        match (bytes, self.begun.take()) {
            ([20..=22, 0xfe | 1, ..], Some(Begun::Dtls(reader))) => self.dtls(reader, bytes),
            ([0x80..=0xff, ..], Some(Begun::Quic(reader))) => self.quic(reader, bytes),
            ([], _) => Err("empty".to_owned()),
            ([20..=22, 0xfe | 1, ..], _) => self.dtls(DtlsHelloReader::new(), bytes),
            ([20..=22, ..], _) => records(bytes).map(Progress::Done),
            ([1, ..], _) => message(bytes, self.carrier).map(Progress::Done),
            _ if QuicInitialReader::is_initial(bytes) => self.quic(QuicInitialReader::new(), bytes),
            ([0x80..=0xff, ..], _) => sslv2(bytes).map(Progress::Done),
            ([first, ..], _) => Err(format!(
                "not a hello: no TLS or DTLS record, handshake message or QUIC Initial packet begins with {first:#04x}"
            )),
        }
    }

    fn dtls(&mut self, mut reader: DtlsHelloReader, datagrams: &[u8]) -> Result<Progress<Found>, String> {
        if let Progress::Done(found) = reader.push(datagrams).map_err(|error| error.to_string())? {
            return Ok(Progress::Done(hello(found.message, Carrier::Dtls, Origin::DtlsRecords)));
        }
        self.begun = Some(Begun::Dtls(reader));
        Ok(Progress::NeedMore)
    }

    fn quic(&mut self, mut reader: QuicInitialReader, datagrams: &[u8]) -> Result<Progress<Found>, String> {
        if let Progress::Done(found) = reader.push(datagrams).map_err(|error| error.to_string())? {
            return Ok(Progress::Done(hello(found.message, Carrier::Quic, Origin::QuicInitials)));
        }
        self.begun = Some(Begun::Quic(reader));
        Ok(Progress::NeedMore)
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
            let cipher_specs = found.cipher_specs().collect();
            Ok(Found::Sslv2 { version: found.version, cipher_specs, origin: Origin::Sslv2 })
        }
        Ok(Progress::NeedMore) => Err(TlsError::Incomplete.to_string()),
        Err(_) => Err("neither a QUIC Initial packet of a known version nor a hello of SSL 2.0".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(bytes: &[u8], hex: bool) -> Result<Found, String> {
        let mut inputs = Inputs::new(hex, None);
        let bytes = inputs.bytes_of(bytes)?;
        inputs.push(&bytes).map(|found| found.done().unwrap())
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
        assert_eq!(find(&without, false), Ok(expected));
        assert_eq!(find(&with, false), find(&without, false));
    }
}
