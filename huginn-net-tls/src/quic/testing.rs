//! Initial packets for tests.

#![allow(clippy::cast_possible_truncation, reason = "tests pass numbers that fit")]

use super::keys::InitialSecret;
use super::version::QuicVersion;

/// Bytes from hexadecimal digits.
pub(super) fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_hexdigit).collect();
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap() as u8;
    digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// A number in the shortest form up to 4 bytes.
pub(super) fn varint(value: u64) -> Vec<u8> {
    match value {
        0..0x40 => vec![value as u8],
        0x40..0x4000 => (0x4000 | value as u16).to_be_bytes().to_vec(),
        _ => (0x8000_0000 | value as u32).to_be_bytes().to_vec(),
    }
}

pub(super) fn crypto(offset: usize, data: &[u8]) -> Vec<u8> {
    [&[6], &varint(offset as u64)[..], &varint(data.len() as u64), data].concat()
}

/// An Initial packet to be.
#[derive(Clone)]
pub(super) struct Initial {
    pub(super) version: QuicVersion,
    /// What the keys are derived from.
    pub(super) key_id: Vec<u8>,
    /// What stands in the header.
    pub(super) destination: Vec<u8>,
    pub(super) token: Vec<u8>,
    pub(super) number: u8,
    /// The server seals it, not the client.
    pub(super) is_answer: bool,
}

impl Initial {
    /// The first packet of a connection.
    pub(super) fn to(destination: &[u8]) -> Self {
        Self {
            version: QuicVersion::V1,
            key_id: destination.to_vec(),
            destination: destination.to_vec(),
            token: Vec::new(),
            number: 0,
            is_answer: false,
        }
    }

    fn ids(&self) -> Vec<u8> {
        let len = self.destination.len() as u8;
        if self.version.packs_id_lengths() {
            return [&[(len - 3) << 4], &self.destination[..]].concat();
        }
        [&[len], &self.destination[..], &[2, b'S', b'S']].concat()
    }

    /// The packet with these frames, and padding if there are too few to take a sample of.
    pub(super) fn with(&self, frames: &[u8]) -> Vec<u8> {
        let mut frames = frames.to_vec();
        frames.resize(frames.len().max(4), 0);
        let first: u8 = if self.version == QuicVersion::V2 { 0xd0 } else { 0xc0 };
        let header = [
            &[first],
            &self.version.0.to_be_bytes()[..],
            &self.ids(),
            &varint(self.token.len() as u64),
            &self.token,
            &varint(1 + frames.len() as u64 + 16),
            &[self.number],
        ]
        .concat();
        let scheme = self.version.initial().unwrap();
        let secret = InitialSecret::extract(scheme, &self.key_id);
        let keys = if self.is_answer { secret.server_keys(scheme) } else { secret.client_keys(scheme) };
        keys.seal(&header, &frames)
    }
}

/// A ClientHello, as far as this module looks into one: the rest of the message is filled up.
pub(super) fn hello(random: u8, body_len: u16) -> Vec<u8> {
    let [high, low] = body_len.to_be_bytes();
    let mut message = vec![1, 0, high, low, 3, 3];
    message.extend([random; 32]);
    message.extend((message.len()..4 + usize::from(body_len)).map(|at| at as u8));
    message
}
