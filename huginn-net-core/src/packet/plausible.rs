//! Whether bytes can be what nothing before them says they are.

use super::link::ether_type;
use super::network::{Ipv4Header, Ipv6Header};
use super::{IpProtocol, checksum};

/// Tags looked through.
const MAX_TAGS: usize = 4;

/// Whether an IP packet of fitting version and length is at the front; with `cut`, its end need not be there.
pub(super) fn ip(bytes: &[u8], cut: bool) -> bool {
    len_of_ip(bytes, bytes.len()).is_some_and(|len| len <= bytes.len() || cut)
}

/// Whether an IP packet takes up all bytes; with `cut`, more of them.
pub(super) fn whole_ip(bytes: &[u8], cut: bool) -> bool {
    len_of_ip(bytes, bytes.len()).is_some_and(|len| if cut { len > bytes.len() } else { len == bytes.len() })
}

/// Whether these bytes, and `missing` ones behind them that the capture cut off, are an IP packet and nothing else, but for
/// padding behind one of IPv4 whose checksum is right.
pub(super) fn only_ip(bytes: &[u8], missing: usize) -> bool {
    let sent_len = bytes.len().saturating_add(missing);
    // A datagram that says no length and may have been cut.
    let is_open = missing > usize::from(u16::MAX);
    len_of_ip(bytes, sent_len)
        .is_some_and(|len| len == sent_len || len < sent_len && (is_open || has_right_checksum(bytes)))
}

/// Whether an Ethernet header is at the front that has a type which is known.
pub(super) fn ethernet_header(bytes: &[u8]) -> bool {
    type_of(bytes).is_some_and(|value| value >= ether_type::MIN && ether_type::is_common(value))
}

/// Whether an Ethernet header is at the front that has a tag.
pub(super) fn tagged(bytes: &[u8]) -> bool {
    type_of(bytes).is_some_and(|value| ether_type::TAGS.contains(&value))
}

/// Type or length of the Ethernet header at the front.
fn type_of(bytes: &[u8]) -> Option<u16> {
    bytes.get(12..)?.first_chunk().copied().map(u16::from_be_bytes)
}

/// Whether an Ethernet header is at the front that has a type which is known, and behind it IP of that version; or a length that fits.
pub(super) fn frame(bytes: &[u8], cut: bool) -> bool {
    /// What shorter ones are filled up to.
    const SHORTEST: usize = 46;
    let Some(value) = type_of(bytes) else { return false };
    let carried = bytes.get(14..).unwrap_or_default();
    let is_version = |version| carried.first().map_or(cut, |first| first >> 4 == version);
    match value {
        ether_type::IPV4 => is_version(4),
        ether_type::IPV6 => is_version(6),
        len if len < ether_type::MIN => {
            let len = usize::from(len);
            cut || len == carried.len() || len < carried.len() && carried.len() <= SHORTEST
        }
        value => ether_type::is_common(value),
    }
}

/// Whether an Ethernet frame is at the front that carries IP of fitting version and length, behind tags or not.
pub(super) fn ethernet(bytes: &[u8], cut: bool) -> bool {
    let mut type_at = 12;
    for _ in 0..=MAX_TAGS {
        let Some(&[high, low]) = bytes.get(type_at..).and_then(<[u8]>::first_chunk) else { return false };
        let carried = bytes.get(type_at + 2..).unwrap_or_default();
        let version = carried.first().map(|first| first >> 4);
        match (u16::from_be_bytes([high, low]), version) {
            (ether_type::IPV4, Some(4)) | (ether_type::IPV6, Some(6)) => return ip(carried, cut),
            (ether_type::PPPOE_SESSION, _) => {
                let session = carried.strip_prefix(&[0x11, 0x00]).and_then(|header| header.get(4..));
                return session.is_some_and(|carried| ppp(carried, cut));
            }
            (value, _) if ether_type::TAGS.contains(&value) => type_at += 4,
            _ => return false,
        }
    }
    false
}

/// Whether PPP is at the front that carries IP of fitting version and length.
pub(super) fn ppp(bytes: &[u8], cut: bool) -> bool {
    let behind_address = bytes.strip_prefix(&[0xff, 0x03]).unwrap_or(bytes);
    let (version, carried) = match behind_address {
        [0x00, 0x21, carried @ ..] | [0x21, carried @ ..] => (4, carried),
        [0x00, 0x57, carried @ ..] | [0x57, carried @ ..] => (6, carried),
        _ => return false,
    };
    carried.first().is_some_and(|first| first >> 4 == version) && ip(carried, cut)
}

/// Length of the IP packet at the front. One of zero is that of segmentation offload, which is for TCP, and stands for
/// `all` bytes.
fn len_of_ip(bytes: &[u8], all: usize) -> Option<usize> {
    match bytes.first()? >> 4 {
        4 => {
            let header = Ipv4Header::new(bytes.first_chunk()?);
            let header_len = usize::from(header.header_len());
            let len = match header.total_length() {
                0 if header.protocol() == IpProtocol::TCP => all,
                len => usize::from(len),
            };
            (header_len >= 20 && len >= header_len).then_some(len)
        }
        6 => {
            let header = Ipv6Header::new(bytes.first_chunk()?);
            match header.payload_length() {
                0 => (header.next_header() == IpProtocol::TCP).then_some(all),
                len => Some(usize::from(len) + 40),
            }
        }
        _ => None,
    }
}

/// Whether an IPv4 header is at the front, with the checksum of its bytes.
fn has_right_checksum(bytes: &[u8]) -> bool {
    let header_len =
        bytes.first().filter(|&&first| first >> 4 == 4).map(|first| usize::from(first & 0x0f) * 4);
    let header = header_len.and_then(|len| bytes.get(..len));
    header.is_some_and(|header| checksum::is_right(checksum::sum_of(header)))
}
