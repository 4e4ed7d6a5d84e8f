//! Frames of QUIC that prove authentic, which no fuzzer finds by itself.

use std::collections::BTreeMap;

use aes_gcm::aead::AeadInOut;
use aes_gcm::aes::Aes128;
use aes_gcm::aes::cipher::BlockCipherEncrypt;
use aes_gcm::{Aes128Gcm, KeyInit};
use huginn_net_core::{Progress, Reader, Truncated};
use huginn_net_tls::{QuicError, QuicFacts, QuicHello, QuicInitialReader, QuicLimit, QuicLimits};

use crate::tls::{check_hello, each_datagram};

/// Longest hello, and so many bytes behind the latest one are held.
const MAX_BYTES: usize = 4_000;
/// The length of a datagram has 16 bits, and some bytes are before the frames and behind them.
const MAX_FRAMES: usize = 60_000;

/// Reads hellos from the frames of Initial packets, in whatever order they come, as somebody does who looks at each byte alone.
///
/// The first byte says how many packets there are in a datagram. Then come the frames of each packet, after their length in
/// two bytes; the last ones may be fewer than that.
pub fn quic_frames(data: &[u8]) {
    let Some((&first, packets)) = data.split_first() else { return };
    let limits = QuicLimits::default()
        .with_max_packets(usize::MAX)
        .with_max_decryptions(usize::MAX)
        .with_max_crypto_bytes(MAX_BYTES)
        .with_max_crypto_pieces(usize::MAX);
    let mut reader = QuicInitialReader::with_limits(limits);
    let mut plain = PlainReader::default();
    let mut number = 0_u8;
    let mut all = Vec::new();
    each_datagram(packets, |frames| all.push(frames));
    for frames in all.chunks(usize::from(first % 4) + 1) {
        let mut datagram = Vec::new();
        for frames in frames {
            let mut frames = frames.get(..MAX_FRAMES / 4).unwrap_or(frames).to_vec();
            // As many as it takes to protect the header.
            frames.resize(frames.len().max(4), 0);
            datagram.extend(sealed(&frames, number));
            plain.take(&frames);
            number = number.wrapping_add(1);
        }
        assert!(QuicInitialReader::is_initial(&datagram));
        let told = match reader.push(&datagram) {
            Ok(Progress::Done(hello)) => {
                if let Ok(hello) = hello.client_hello() {
                    check_hello(&hello);
                }
                Told::Hello(hello.message.to_vec(), Count::of(&hello))
            }
            Ok(Progress::NeedMore) => Told::NeedMore,
            Err(QuicError::Limit { what: QuicLimit::CryptoBytes, limit: MAX_BYTES }) => Told::Far,
            Err(QuicError::Hello(_)) => Told::NoHello,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(told, plain.tell());
        if told == Told::NoHello {
            return;
        }
    }
}

/// What came of a datagram.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    Hello(Vec<u8>, Count),
    NeedMore,
    /// No hello, and some bytes lay too far behind the latest one.
    Far,
    /// The message that is next is no hello, or too long.
    NoHello,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    index: u8,
    packets: u32,
    pieces: u32,
    in_order: bool,
}

impl Count {
    fn of(hello: &QuicHello<'_>) -> Self {
        let QuicFacts { initials, crypto_pieces, in_order, .. } = hello.facts;
        Self { index: hello.hello_index, packets: initials, pieces: crypto_pieces, in_order }
    }
}

/// Knows each byte by its place.
#[derive(Default)]
struct PlainReader {
    bytes: BTreeMap<u64, u8>,
    front: u64,
    hellos: u8,
    packets: u32,
    pieces: u32,
    next: u64,
    is_shuffled: bool,
    is_far: bool,
}

impl PlainReader {
    fn take(&mut self, frames: &[u8]) {
        self.packets += 1;
        let (known, before) = (self.bytes.len(), (self.pieces, self.next, self.is_shuffled));
        let mut reader = Reader::new(frames);
        // What is cut off ends it.
        while let Ok(true) = self.take_frame(&mut reader) {}
        if self.bytes.len() == known {
            // It brought nothing.
            (self.pieces, self.next, self.is_shuffled) = before;
        }
    }

    /// False behind the last frame that an Initial packet may have.
    fn take_frame(&mut self, reader: &mut Reader<'_>) -> Result<bool, Truncated> {
        match varint(reader)? {
            0 | 1 => {}
            kind @ (2 | 3) => {
                varint(reader)?;
                varint(reader)?;
                let ranges = varint(reader)?;
                varint(reader)?;
                for _ in 0..ranges {
                    varint(reader)?;
                    varint(reader)?;
                }
                for _ in 0..if kind == 3 { 3 } else { 0 } {
                    varint(reader)?;
                }
            }
            6 => {
                let (offset, len) = (varint(reader)?, varint(reader)?);
                let data = reader.take(usize::try_from(len).unwrap_or(usize::MAX), "data")?;
                self.take_piece(offset, data);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn take_piece(&mut self, offset: u64, data: &[u8]) {
        self.pieces += 1;
        self.is_shuffled |= offset != self.next;
        self.next = offset.saturating_add(data.len() as u64);
        for (place, byte) in (offset..).zip(data) {
            self.is_far |= place >= self.front + MAX_BYTES as u64;
            if (self.front..self.front + MAX_BYTES as u64).contains(&place) {
                self.bytes.entry(place).or_insert(*byte);
            }
        }
    }

    /// What there is at the end of a datagram.
    fn tell(&mut self) -> Told {
        let is_far = core::mem::take(&mut self.is_far);
        let known = (self.front..).map_while(|place| self.bytes.get(&place).copied());
        let known: Vec<u8> = known.collect();
        let len = match *known {
            [] | [1] | [1, _] | [1, _, _] => None,
            [1, high, middle, low, ..] => {
                Some(4 + usize::from(high) * 65_536 + usize::from(middle) * 256 + usize::from(low))
            }
            _ => return Told::NoHello,
        };
        match len.map(|len| (len, known.get(..len))) {
            Some((len, _)) if len > MAX_BYTES => Told::NoHello,
            Some((len, Some(message))) => {
                self.front += len as u64;
                self.bytes = self.bytes.split_off(&self.front);
                let index = self.hellos;
                self.hellos = self.hellos.saturating_add(1).min(254);
                let in_order = !self.is_shuffled;
                let count = Count { index, packets: self.packets, pieces: self.pieces, in_order };
                Told::Hello(message.to_vec(), count)
            }
            _ if is_far => Told::Far,
            _ => Told::NeedMore,
        }
    }
}

fn varint(reader: &mut Reader<'_>) -> Result<u64, Truncated> {
    let len = 1 << (reader.peek().unwrap_or(0) >> 6);
    let bytes = reader.take(len, "number")?;
    let number = bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
    Ok(number & (u64::MAX >> (66 - 8 * len)))
}

/// An Initial packet of a client with these frames, to the connection ID and with the keys of
/// [RFC 9001 appendix A](https://www.rfc-editor.org/rfc/rfc9001#appendix-A).
fn sealed(frames: &[u8], number: u8) -> Vec<u8> {
    const HEADER: &[u8] = b"\xc0\0\0\0\x01\x08\x83\x94\xc8\xf0\x3e\x51\x57\x08\0\0";
    const KEY: [u8; 16] = 0x1f36_9613_dd76_d546_7730_efcb_e3b1_a22d_u128.to_be_bytes();
    const IV: [u8; 12] = *b"\xfa\x04\x4b\x2f\x42\xa3\xfd\x3b\x46\xfb\x25\x5c";
    const HEADER_KEY: [u8; 16] = 0x9f50_449e_04a0_e810_283a_1e99_33ad_edd2_u128.to_be_bytes();
    const TAG: usize = 16;

    let mut payload = frames.to_vec();
    let len = u32::try_from(1 + payload.len() + TAG).unwrap_or(u32::MAX);
    let header = [HEADER, &(0x8000_0000 | len).to_be_bytes(), &[number]].concat();
    let mut nonce = IV;
    nonce.iter_mut().rev().zip([number]).for_each(|(byte, number)| *byte ^= number);
    let tag = Aes128Gcm::new(&KEY.into())
        .encrypt_inout_detached(&nonce.into(), &header, payload.as_mut_slice().into())
        .expect("a packet is short");
    // The number takes one byte, and the sample is behind the longest that there could be.
    let sample: [u8; 16] =
        [&payload[..], &tag].concat().get(3..).and_then(<[u8]>::first_chunk).copied().expect("long enough");
    let mut mask = sample.into();
    Aes128::new(&HEADER_KEY.into()).encrypt_block(&mut mask);
    let [mask_first, mask_number, ..]: [u8; 16] = mask.into();
    let [first, between @ .., number] = &*header else { return Vec::new() };
    let header = [&[first ^ mask_first & 0x0f], between, &[number ^ mask_number]].concat();
    [&header[..], &payload, &tag].concat()
}
