//! The Internet checksum of TCP and UDP ([RFC 1071](https://www.rfc-editor.org/rfc/rfc1071)).

use super::IpProtocol;

/// Verdict on a TCP or UDP checksum: it is right, it is wrong, or nobody can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Checksum {
    /// It is that of the bytes.
    Valid,
    /// It is not, because of damage or because a network card was to fill it in.
    Invalid,
    /// Bytes are missing, the protocol has none, or the sender gave none (UDP over IPv4).
    Unknown,
}

impl Checksum {
    /// The verdict on a whole TCP segment or UDP datagram between these addresses
    /// ([RFC 9293 §3.1](https://www.rfc-editor.org/rfc/rfc9293#section-3.1),
    /// [RFC 8200 §8.1](https://www.rfc-editor.org/rfc/rfc8200#section-8.1)).
    pub(super) fn of(protocol: IpProtocol, source: &[u8], destination: &[u8], transport: &[u8]) -> Self {
        let has_none = match protocol {
            IpProtocol::TCP => false,
            IpProtocol::UDP => transport.get(6..8) == Some(&[0, 0]),
            _ => true,
        };
        let Ok(len) = u32::try_from(transport.len()) else { return Self::Unknown };
        if has_none {
            return Self::Unknown;
        }
        let pseudo_header = u64::from(len) + u64::from(protocol.0);
        let sum = pseudo_header + sum_of(source) + sum_of(destination) + sum_of(transport);
        if is_right(sum) { Self::Valid } else { Self::Invalid }
    }
}

/// Whether this is the sum of bytes that hold their own checksum: all ones, once carries are added.
pub(super) fn is_right(mut sum: u64) -> bool {
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum == 0xffff
}

/// The sum of the 16-bit words, the last one filled up with zero.
pub(super) fn sum_of(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<2>();
    let last = rest.first().map_or(0, |&byte| u64::from(byte) << 8);
    words.iter().map(|&word| u64::from(u16::from_be_bytes(word))).sum::<u64>() + last
}
