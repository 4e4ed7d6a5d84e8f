//! IP addresses as text.

use core::array;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::ops::Range;

use huginn_net::Endpoint;

use super::number::number;

/// Writes addresses: IPv4 in decimals with dots, IPv6 as [RFC 5952](https://www.rfc-editor.org/rfc/rfc5952) recommends
/// it.
pub(super) struct Addresses {
    /// Each octet with a dot behind it, and how long that is.
    octets: [([u8; 4], u8); 256],
}

impl Default for Addresses {
    fn default() -> Self {
        let octets = array::from_fn(|octet| {
            let digit = |number: usize| b'0' + u8::try_from(number % 10).unwrap_or_default();
            let [hundreds, tens, ones] = [octet / 100, octet / 10, octet].map(digit);
            match octet {
                100.. => ([hundreds, tens, ones, b'.'], 4),
                10.. => ([tens, ones, b'.', 0], 3),
                _ => ([ones, b'.', 0, 0], 2),
            }
        });
        Self { octets }
    }
}

impl Addresses {
    /// Appends an address.
    #[inline]
    pub(super) fn write(&self, address: IpAddr, lines: &mut Vec<u8>) {
        match address {
            IpAddr::V4(address) => self.v4(address, lines),
            IpAddr::V6(address) => self.v6(address, lines),
        }
    }

    /// Appends an address and a port, that of IPv6 in brackets (RFC 5952 §6).
    pub(super) fn write_with_port(&self, end: Endpoint, lines: &mut Vec<u8>) {
        match end.ip() {
            IpAddr::V4(address) => self.v4(address, lines),
            IpAddr::V6(address) => {
                lines.push(b'[');
                self.v6(address, lines);
                lines.push(b']');
            }
        }
        lines.push(b':');
        number(end.port().into(), lines);
    }

    #[inline]
    fn v4(&self, address: Ipv4Addr, lines: &mut Vec<u8>) {
        for octet in address.octets() {
            if let Some((text, len)) = self.octets.get(usize::from(octet)) {
                // A copy of a fixed size is cheaper than one of the size it needs.
                lines.extend_from_slice(text);
                lines.truncate(lines.len() - text.len() + usize::from(*len));
            }
        }
        // The last dot.
        lines.pop();
    }

    fn v6(&self, address: Ipv6Addr, lines: &mut Vec<u8>) {
        // RFC 5952 §5: dots where a prefix is known to hold an IPv4 address.
        if let Some(address) = address.to_ipv4_mapped() {
            lines.extend_from_slice(b"::ffff:");
            return self.v4(address, lines);
        }
        let groups = address.segments();
        let zeros = longest_zeros(&groups);
        for (index, group) in groups.into_iter().enumerate() {
            if zeros.contains(&index) {
                if index == zeros.start {
                    lines.extend_from_slice(b"::");
                }
                continue;
            }
            if index > 0 && index != zeros.end {
                lines.push(b':');
            }
            hexadecimal(group, lines);
        }
    }
}

/// Which groups `::` stands for: the longest run of zeros, the first one of several, and never a single group
/// (RFC 5952 §4.2). Empty, behind the last group, if there is none.
fn longest_zeros(groups: &[u16; 8]) -> Range<usize> {
    let mut longest = 0..1;
    let mut start = 0;
    for (index, &group) in groups.iter().enumerate() {
        if group != 0 {
            start = index + 1;
        } else if index + 1 - start > longest.len() {
            longest = start..index + 1;
        }
    }
    if longest.len() > 1 { longest } else { groups.len() + 1..groups.len() + 1 }
}

/// A group in lower case without zeros in front (RFC 5952 §4.1 and §4.3).
#[inline]
fn hexadecimal(group: u16, lines: &mut Vec<u8>) {
    const EACH: u32 = 0x0101_0101;
    // One digit in each byte, the first one in the lowest.
    let [high, low] = group.to_be_bytes().map(u32::from);
    let digits = high >> 4 | (high & 0x0f) << 8 | (low >> 4) << 16 | (low & 0x0f) << 24;
    let letters = ((digits + 6 * EACH) >> 4) & EACH;
    let characters = digits + EACH * u32::from(b'0') + letters * u32::from(b'a' - b'0' - 10);
    let zeros = (group.leading_zeros() / 4).min(3);
    // A copy of a fixed size is cheaper than one of the size it needs.
    lines.extend_from_slice(&(characters >> (8 * zeros)).to_le_bytes());
    lines.truncate(lines.len() - zeros as usize);
}

#[cfg(test)]
mod tests {
    use testkit::rng::Rng;

    use super::*;

    #[track_caller]
    fn is_written_as_it_displays(address: IpAddr) {
        let mut lines = Vec::new();
        Addresses::default().write(address, &mut lines);
        lines.push(b' ');
        let end = Endpoint::new(address, 443);
        Addresses::default().write_with_port(end, &mut lines);
        assert_eq!(String::from_utf8(lines).unwrap(), format!("{address} {end}"));
    }

    #[test]
    fn addresses_are_written_as_they_display() {
        for text in [
            "0.0.0.0",
            "10.200.3.45",
            "255.255.255.255",
            "::",
            "::1",
            "1::",
            "2001:db8::1",
            "2001:db8:0:1:1:1:1:1",
            "2001:0:0:1::1",
            "2001::1:0:0:1",
            "::ffff:1.2.3.4",
            "::fffe:102:304",
            "::1.2.3.4",
            "abcd:ef01:2345:6789:abcd:ef01:2345:6789",
            "a:bc:def:1000:0:1:10:100",
        ] {
            is_written_as_it_displays(text.parse().unwrap());
        }
    }

    #[test]
    fn zeros_are_left_out_wherever_they_are() {
        let mut rng = Rng::new(5952);
        for zeros in 0..=u8::MAX {
            let group = |index: usize| {
                if zeros >> index & 1 == 1 { 0 } else { u16::try_from(1 + rng.below(0xffff)).unwrap() }
            };
            is_written_as_it_displays(IpAddr::from(array::from_fn::<u16, 8, _>(group)));
        }
    }
}
