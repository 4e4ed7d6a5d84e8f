//! The Huffman code of HPACK ([RFC 7541 §5.2, Appendix B]).
//!
//! [RFC 7541 §5.2, Appendix B]: https://www.rfc-editor.org/rfc/rfc7541#section-5.2

use super::error::HpackError;

/// The codes of one length. In a canonical code they are consecutive numbers, in the order of the octets they stand for.
struct Codes {
    /// Length of each in bits.
    bits: u32,
    /// The first code.
    first: u32,
    /// The octet of the first code, of the next, and so on.
    octets: &'static [u8],
    /// What is below all longer codes when both are moved to the top of a word.
    end: u32,
}

const fn codes(bits: u32, first: u32, octets: &'static [u8]) -> Codes {
    #[expect(clippy::cast_possible_truncation, reason = "a row has fewer than 256 octets")]
    let count = octets.len() as u32;
    Codes { bits, first, octets, end: (first + count) << (32 - bits) }
}

/// All codes, short ones first. Behind the last one is EOS.
const TABLE: [Codes; 21] = [
    codes(5, 0x0, b"012aceiost"),
    codes(6, 0x14, b" %-./3456789=A_bdfghlmnpru"),
    codes(7, 0x5c, b":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz"),
    codes(8, 0xf8, b"&*,;XZ"),
    codes(10, 0x3f8, b"!\"()?"),
    codes(11, 0x7fa, b"'+|"),
    codes(12, 0xffa, b"#>"),
    codes(13, 0x1ff8, b"\x00$@[]~"),
    codes(14, 0x3ffc, b"^}"),
    codes(15, 0x7ffc, b"<`{"),
    codes(19, 0x7fff0, b"\\\xc3\xd0"),
    codes(20, 0xfffe6, b"\x80\x82\x83\xa2\xb8\xc2\xe0\xe2"),
    codes(21, 0x001f_ffdc, b"\x99\xa1\xa7\xac\xb0\xb1\xb3\xd1\xd8\xd9\xe3\xe5\xe6"),
    codes(
        22,
        0x003f_ffd2,
        b"\x81\x84\x85\x86\x88\x92\x9a\x9c\xa0\xa3\xa4\xa9\xaa\xad\xb2\xb5\xb9\xba\xbb\xbd\xbe\xc4\xc6\xe4\xe8\xe9",
    ),
    codes(
        23,
        0x007f_ffd8,
        b"\x01\x87\x89\x8a\x8b\x8c\x8d\x8f\x93\x95\x96\x97\x98\x9b\x9d\x9e\xa5\xa6\xa8\xae\xaf\xb4\xb6\xb7\xbc\xbf\xc5\xe7\xef",
    ),
    codes(24, 0x00ff_ffea, b"\x09\x8e\x90\x91\x94\x9f\xab\xce\xd7\xe1\xec\xed"),
    codes(25, 0x01ff_ffec, b"\xc7\xcf\xea\xeb"),
    codes(26, 0x03ff_ffe0, b"\xc0\xc1\xc8\xc9\xca\xcd\xd2\xd5\xda\xdb\xee\xf0\xf2\xf3\xff"),
    codes(
        27,
        0x07ff_ffde,
        b"\xcb\xcc\xd3\xd4\xd6\xdd\xde\xdf\xf1\xf4\xf5\xf6\xf7\xf8\xfa\xfb\xfc\xfd\xfe",
    ),
    codes(
        28,
        0x0fff_ffe2,
        b"\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x11\x12\x13\x14\x15\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f\xdc\xf9",
    ),
    codes(30, 0x3fff_fffc, b"\n\r\x16"),
];

/// EOS is this many ones.
const EOS_BITS: u32 = 30;

/// What a string goes on with, by its next eight bits: almost all that headers are made of.
const SHORT: [Short; 256] = short_codes();

/// An octet and the length of its code in bits, which is 0 if it has more than eight.
#[derive(Clone, Copy)]
struct Short {
    octet: u8,
    bits: u32,
}

#[expect(clippy::indexing_slicing, reason = "run by the compiler: a wrong index does not build")]
#[expect(clippy::cast_possible_truncation, reason = "256 places")]
const fn short_codes() -> [Short; 256] {
    let mut short = [Short { octet: 0, bits: 0 }; 256];
    let mut place = 0;
    while place < short.len() {
        let top = (place as u32) << 24;
        let mut row = 0;
        while top >= TABLE[row].end {
            row += 1;
        }
        let Codes { bits, first, octets, .. } = TABLE[row];
        if bits <= 8 {
            short[place] = Short { octet: octets[((top >> (32 - bits)) - first) as usize], bits };
        }
        place += 1;
    }
    short
}

/// Appends what `coded` stands for to `decoded`: at most 8 octets for 5, as the shortest code has five bits.
///
/// # Errors
/// [`HpackError::HuffmanEos`] or [`HpackError::HuffmanPadding`].
pub(super) fn decode(coded: &[u8], decoded: &mut Vec<u8>) -> Result<(), HpackError> {
    decoded.reserve(coded.len() + coded.len() / 2);
    let mut coded = coded.iter();
    // Bits not decoded yet, from the top; below them are ones, as if EOS followed.
    let mut window = u64::MAX;
    let mut available = 0;
    loop {
        if available < EOS_BITS {
            while available <= 56
                && let Some(&byte) = coded.next()
            {
                window ^= u64::from(!byte) << (56 - available);
                available += 8;
            }
            // RFC 7541 §5.2: fewer than eight bits of EOS fill up the last octet.
            if available < 8 && window == u64::MAX {
                return Ok(());
            }
        }
        let (octet, bits) = match SHORT.get((window >> 56) as usize) {
            Some(&Short { octet, bits }) if bits > 0 => (octet, bits),
            _ => long_code((window >> 32) as u32).ok_or(if available < EOS_BITS {
                HpackError::HuffmanPadding
            } else {
                HpackError::HuffmanEos
            })?,
        };
        if bits > available {
            return Err(HpackError::HuffmanPadding);
        }
        decoded.push(octet);
        window = (window << bits) | ((1 << bits) - 1);
        available -= bits;
    }
}

/// The octet that the top of `bits` stands for, and the length of its code; `None` if they begin with EOS.
fn long_code(bits: u32) -> Option<(u8, u32)> {
    let row = TABLE.iter().find(|row| bits < row.end)?;
    let offset = (bits >> (32 - row.bits)) - row.first;
    Some((*row.octets.get(offset as usize)?, row.bits))
}

/// Codes a string, for tests.
#[cfg(test)]
pub(super) fn encode(octets: &[u8]) -> Vec<u8> {
    let mut bits: Vec<bool> = Vec::new();
    for octet in octets {
        let (row, place) = TABLE
            .iter()
            .find_map(|row| Some((row, row.octets.iter().position(|known| known == octet)?)))
            .unwrap();
        let code = row.first + u32::try_from(place).unwrap();
        bits.extend((0..row.bits).rev().map(|bit| code >> bit & 1 == 1));
    }
    bits.resize(bits.len().next_multiple_of(8), true);
    bits.chunks(8).map(|byte| byte.iter().fold(0, |value, &bit| value << 1 | u8::from(bit))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(coded: &[u8]) -> Result<Vec<u8>, HpackError> {
        let mut decoded = Vec::new();
        decode(coded, &mut decoded).map(|()| decoded)
    }

    #[test]
    fn the_code_is_complete_and_has_every_octet_once() {
        let mut next = 0_u64;
        let mut octets: Vec<u8> = Vec::new();
        for row in &TABLE {
            assert_eq!(u64::from(row.first) << (32 - row.bits), next, "codes of {} bits", row.bits);
            next += (row.octets.len() as u64) << (32 - row.bits);
            assert_eq!(u64::from(row.end), next);
            assert!(row.octets.is_sorted(), "codes of {} bits", row.bits);
            octets.extend(row.octets);
        }
        // EOS is the last code of 30 bits.
        assert_eq!(next + (1 << 2), 1 << 32);
        octets.sort_unstable();
        assert_eq!(octets, (0..=255).collect::<Vec<u8>>());
    }

    #[test]
    fn decodes_every_octet_as_another_encoder_wrote_it() {
        // The octets 0 to 255 in order, by the encoder of hpack 4.2.0 for Python.
        let coded = concat!(
            "ffc7fffd8fffffe2fffffe3fffffe4fffffe5fffffe6fffffe7fffffe8ffffeafffffff3fffffa7fffffabffff",
            "ffdfffffebfffffecfffffedfffffeefffffefffffff0ffffff1ffffff2fffffffbfffffcffffffd3fffffd7ff",
            "fffdbfffffdffffffe3fffffe7fffffebfffffed4fe3f9ffaffcabf1febfafefe7fdfd2cbb00089969b71d79fb",
            "9f7fff20ffbff3ff50ddbd7f061c58f265cd9f469d5af66dddbf871e5f9cff7ff7fffc3ff9ffe45fff4719242c",
            "b34e6e9d68a6a3d7dac426defe3cfaf7fffbfe7ffbffdffffffcfffe6ffff4bfff9ffffa3fffd3ffff53fffd5f",
            "fffb3fffeb7fffdaffffb7ffff73fffeeffffdeffffebffffbfffffd9ffffdbfffebffffe0ffffeeffffc3ffff",
            "8bffff1ffffe4fffee7fffb1ffff97fffd9ffffcdffff9fffffbffffdafffeeffff4ffffb7fffee7fffe8ffffd",
            "3fffdeffffd5fffeeffffbdffffe1fffdfffff7fffff5ffffecffff07fff87fffe0ffff17fffedffff87ffff77",
            "fffeffffeaffff8bfffe3ffff93ffff87fffcbffff37ffff1fffff83ffffe1fffebfffe3ffff3fffff2ffffa3f",
            "fffd9fffff17ffffc7fffff27ffffdefffffbffffff2fffff8fffffb7fff97fff8fffffe6fffffc1fffff87fff",
            "fe7fffffc5ffffe5fffe4ffff2fffffd1fffff4ffffffefffffe3fffffc9fffff97fffb3ffffcffffb7fffcdff",
            "ff4ffff9ffffd1ffffcffffeaffffafffffddffffeffffff4fffff5fffffabffffa7ffffd7fffff9bffffecfff",
            "ffb7fffff3fffffe8fffffd3fffffabfffff5fffffff7ffffecfffffdbfffffbbfffff7ffffff0fffffbbf",
        );
        let coded: Vec<u8> = (0..coded.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&coded[at..at + 2], 16).unwrap())
            .collect();
        assert_eq!(coded.len(), 583);
        assert_eq!(decoded(&coded), Ok((0..=255).collect()));
    }

    #[test]
    fn nothing_is_the_code_of_nothing() {
        assert_eq!(decoded(&[]), Ok(vec![]));
    }

    #[test]
    fn padding_is_at_most_seven_ones() {
        // '0' is five zeros, 'X' is eight bits, '&' too.
        assert_eq!(decoded(&[0b0000_0111]), Ok(b"0".to_vec()));
        assert_eq!(decoded(&[0xf8]), Ok(b"&".to_vec()));
        for wrong in [
            &[0b0000_0110_u8][..], // a zero among them
            &[0b0000_0000],
            &[0xff], // eight
            &[0xf8, 0xff],
            &[0b0000_0111, 0xff],
            &[0xff, 0xff, 0xff],
        ] {
            assert_eq!(decoded(wrong), Err(HpackError::HuffmanPadding), "{wrong:02x?}");
        }
    }

    #[test]
    fn eos_is_refused_wherever_it_is() {
        assert_eq!(decoded(&[0xff, 0xff, 0xff, 0xff]), Err(HpackError::HuffmanEos));
        assert_eq!(decoded(&[0xff, 0xff, 0xff, 0xfc]), Err(HpackError::HuffmanEos));
        assert_eq!(decoded(&[0x07, 0xff, 0xff, 0xff, 0xff]), Err(HpackError::HuffmanEos));
        assert_eq!(decoded(&[0xff, 0xff, 0xff, 0xfc, 0x00]), Err(HpackError::HuffmanEos));
    }
}
