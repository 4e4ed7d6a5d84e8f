//! IP fragments.

use crate::packet::{checksum, protocol};

/// Cuts an IPv4 datagram into fragments that carry at most `payload` bytes each (RFC 791 §3.2).
///
/// Every fragment has the whole header, options included, with DF as it was. A datagram that is itself a fragment
/// is cut further.
///
/// # Panics
/// If `payload` is no positive multiple of eight or the datagram is not whole.
#[must_use]
pub fn ipv4(datagram: &[u8], payload: usize) -> Vec<Vec<u8>> {
    assert!(payload > 0 && payload.is_multiple_of(8), "fragments are cut at multiples of eight bytes");
    let header_len = usize::from(datagram[0] & 15) * 4;
    let total_length = usize::from(u16::from_be_bytes([datagram[2], datagram[3]]));
    let (header, body) = datagram[..total_length].split_at(header_len);
    let flags_and_offset = u16::from_be_bytes([header[6], header[7]]);
    let (flags, first_offset) = (flags_and_offset & 0xc000, flags_and_offset & 0x1fff);
    let more_after_all = flags_and_offset & 0x2000;
    let count = body.len().div_ceil(payload);
    let cut = |(index, piece): (usize, &[u8])| {
        let more = if index + 1 == count { more_after_all } else { 0x2000 };
        let offset = first_offset + (index * payload / 8) as u16;
        let mut fragment = header.to_vec();
        fragment[2..4].copy_from_slice(&((header_len + piece.len()) as u16).to_be_bytes());
        fragment[6..8].copy_from_slice(&(flags | more | offset).to_be_bytes());
        fragment[10..12].copy_from_slice(&[0, 0]);
        let sum = checksum(&[&fragment]);
        fragment[10..12].copy_from_slice(&sum.to_be_bytes());
        fragment.extend(piece);
        fragment
    };
    body.chunks(payload).enumerate().map(cut).collect()
}

/// Cuts an IPv6 datagram into fragments that carry at most `payload` bytes each (RFC 8200 §4.5).
///
/// The fragment header goes straight behind the IPv6 header: extension headers are cut with the rest.
///
/// # Panics
/// If `payload` is no positive multiple of eight or the datagram is not whole.
#[must_use]
pub fn ipv6(datagram: &[u8], payload: usize, identification: u32) -> Vec<Vec<u8>> {
    assert!(payload > 0 && payload.is_multiple_of(8), "fragments are cut at multiples of eight bytes");
    let length = usize::from(u16::from_be_bytes([datagram[4], datagram[5]]));
    let (header, body) = datagram[..40 + length].split_at(40);
    let count = body.len().div_ceil(payload);
    let cut = |(index, piece): (usize, &[u8])| {
        let more = u16::from(index + 1 != count);
        let offset = (index * payload) as u16;
        let mut fragment = header.to_vec();
        fragment[4..6].copy_from_slice(&((8 + piece.len()) as u16).to_be_bytes());
        fragment[6] = protocol::FRAGMENT;
        fragment.extend([header[6], 0]);
        fragment.extend((offset | more).to_be_bytes());
        fragment.extend(identification.to_be_bytes());
        fragment.extend(piece);
        fragment
    };
    body.chunks(payload).enumerate().map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{IpHeader, Ipv4, Ipv6};

    #[test]
    fn ipv4_fragments_put_together_are_the_datagram() {
        let body: Vec<u8> = (0..50).collect();
        let datagram = Ipv4::new([1, 2, 3, 4], [5, 6, 7, 8]).options(&[1, 1, 1, 1]).carry(6, &body);
        let fragments = ipv4(&datagram, 24);
        assert_eq!(fragments.len(), 3);
        let fields: Vec<_> = fragments.iter().map(|bytes| (bytes[3], bytes[6], bytes[7])).collect();
        assert_eq!(fields, [(48, 0x60, 0), (48, 0x60, 3), (26, 0x40, 6)]);
        assert_eq!(fragments.iter().flat_map(|bytes| bytes[24..].to_vec()).collect::<Vec<_>>(), body);
        assert!(fragments.iter().all(|bytes| checksum(&[&bytes[..24]]) == 0));
    }

    #[test]
    fn ipv6_fragments_put_together_are_the_datagram() {
        let body: Vec<u8> = (0..50).collect();
        let datagram = Ipv6::new([1; 8], [2; 8]).carry(6, &body);
        let fragments = ipv6(&datagram, 24, 7);
        let fields: Vec<_> =
            fragments.iter().map(|bytes| (bytes[5], bytes[6], bytes[40], bytes[43])).collect();
        assert_eq!(fields, [(32, 44, 6, 1), (32, 44, 6, 24 | 1), (10, 44, 6, 48)]);
        assert_eq!(fragments.iter().flat_map(|bytes| bytes[48..].to_vec()).collect::<Vec<_>>(), body);
    }

    #[test]
    fn padding_behind_the_datagram_is_in_no_fragment() {
        let mut frame = Ipv4::new([1, 2, 3, 4], [5, 6, 7, 8]).carry(6, &[7; 9]);
        frame.extend([0; 17]);
        assert_eq!(ipv4(&frame, 8).concat().len(), 20 + 8 + 20 + 1);
    }
}
