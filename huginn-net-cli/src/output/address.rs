//! IP addresses as text.

use core::array;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::ops::Range;

use huginn_net::Endpoint;

use super::number::{four_hex, put_number};
use super::room::Room;

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
    /// Room for any address, with what a copy of a fixed size writes behind it, and for brackets and a port.
    pub(super) const LONGEST: usize = 64;

    /// Writes an address.
    #[inline]
    pub(super) fn put(&self, address: IpAddr, room: &mut Room<'_>) {
        match address {
            IpAddr::V4(address) => self.put_v4(address, room),
            IpAddr::V6(address) => self.put_v6(address, room),
        }
    }

    /// Writes an address and a port, that of IPv6 in brackets (RFC 5952 §6).
    #[inline]
    pub(super) fn put_with_port(&self, end: Endpoint, room: &mut Room<'_>) {
        match end.ip() {
            IpAddr::V4(address) => self.put_v4(address, room),
            IpAddr::V6(address) => {
                room.put(b"[");
                self.put_v6(address, room);
                room.put(b"]");
            }
        }
        room.put(b":");
        put_number(end.port().into(), room);
    }

    #[inline]
    fn put_v4(&self, address: Ipv4Addr, room: &mut Room<'_>) {
        let [first, second, third, fourth] = address.octets();
        for octet in [first, second, third] {
            if let Some((text, len)) = self.octets.get(usize::from(octet)) {
                room.put_first(text, usize::from(*len));
            }
        }
        if let Some((text, len)) = self.octets.get(usize::from(fourth)) {
            room.put_first(text, usize::from(*len) - 1);
        }
    }

    fn put_v6(&self, address: Ipv6Addr, room: &mut Room<'_>) {
        // RFC 5952 §5: dots where a prefix is known to hold an IPv4 address.
        if let Some(address) = address.to_ipv4_mapped() {
            room.put(b"::ffff:");
            return self.put_v4(address, room);
        }
        let groups = address.segments();
        match longest_zeros(&groups) {
            Some(zeros) => {
                put_groups(groups.get(..zeros.start).unwrap_or_default(), room);
                room.put(b"::");
                put_groups(groups.get(zeros.end..).unwrap_or_default(), room);
            }
            None => put_groups(&groups, room),
        }
    }
}

/// Which groups `::` stands for: the longest run of zeros, the first one of several, and never a single group
/// (RFC 5952 §4.2).
fn longest_zeros(groups: &[u16; 8]) -> Option<Range<usize>> {
    // Bit n says whether group n is zero, and then whether a run of so many zeros begins with it.
    let mut zeros = groups.iter().rev().fold(0, |zeros: u8, &group| zeros << 1 | u8::from(group == 0));
    let mut len = 1;
    while zeros & zeros >> 1 != 0 {
        zeros &= zeros >> 1;
        len += 1;
    }
    let start = zeros.trailing_zeros() as usize;
    (len > 1).then_some(start..start + len)
}

/// Groups in lower case without zeros in front, with colons between them (RFC 5952 §4.1 and §4.3).
#[inline]
fn put_groups(groups: &[u16], room: &mut Room<'_>) {
    let mut colon = 0;
    for &group in groups {
        let zeros = (group.leading_zeros() / 4).min(3);
        let digits = u32::from_le_bytes(four_hex(group)) >> (8 * zeros);
        let text = u64::from(digits) << 8 | u64::from(b':');
        // Without the colon in front of the first one.
        room.put_first(&(text >> (8 - 8 * colon)).to_le_bytes(), 4 - zeros as usize + colon);
        colon = 1;
    }
}

#[cfg(test)]
mod tests {
    use testkit::rng::Rng;

    use super::*;

    #[track_caller]
    fn is_written_as_it_displays(address: IpAddr) {
        let mut lines = Vec::new();
        let end = Endpoint::new(address, 443);
        Room::with::<{ Addresses::LONGEST }>(&mut lines, |room| Addresses::default().put(address, room));
        lines.push(b' ');
        Room::with::<{ Addresses::LONGEST }>(&mut lines, |room| {
            Addresses::default().put_with_port(end, room);
        });
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
