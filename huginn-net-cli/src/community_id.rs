//! Community ID version 1, the hash by which tools recognise each other's flows
//! (<https://github.com/corelight/community-id-spec>).

use core::net::{IpAddr, SocketAddr};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest, Sha1};

/// `1:` and the hash in Base64.
pub(crate) type CommunityId = [u8; 30];

/// The Community ID of a flow of a protocol with ports, the same in both directions.
pub(crate) fn community_id(
    seed: u16,
    source: SocketAddr,
    destination: SocketAddr,
    protocol: u8,
) -> CommunityId {
    // Numeric order of address and port is their order in network byte order.
    let (low, high) = if (source.ip(), source.port()) <= (destination.ip(), destination.port()) {
        (source, destination)
    } else {
        (destination, source)
    };
    let mut hash = Sha1::new();
    hash.update(seed.to_be_bytes());
    for address in [low.ip(), high.ip()] {
        match address {
            IpAddr::V4(address) => hash.update(address.octets()),
            IpAddr::V6(address) => hash.update(address.octets()),
        }
    }
    hash.update([protocol, 0]);
    hash.update(low.port().to_be_bytes());
    hash.update(high.port().to_be_bytes());
    let digest: [u8; 20] = hash.finalize().into();

    let mut id = *b"1:............................";
    if let Some((_version, encoded)) = id.split_first_chunk_mut::<2>() {
        // 20 bytes are 28 characters.
        let _ = STANDARD.encode_slice(digest, encoded);
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(source: &str, destination: &str, protocol: u8) -> String {
        let id = community_id(0, source.parse().unwrap(), destination.parse().unwrap(), protocol);
        String::from_utf8(id.to_vec()).unwrap()
    }

    #[test]
    fn agrees_with_the_published_vectors() {
        // The baseline of the specification's repository, for its tcp, udp and sctp captures.
        for (one, other, protocol, expected) in [
            ("128.232.110.120:34855", "66.35.250.204:80", 6, "1:LQU9qZlK+B5F3KDmev6m5PMibrg="),
            ("192.168.1.52:54585", "8.8.8.8:53", 17, "1:d/FP5EW3wiY1vCndhwleRRKHowQ="),
            ("192.168.170.8:7", "192.168.170.56:80", 132, "1:jQgCxbku+pNGw8WPbEc/TS/uTpQ="),
        ] {
            assert_eq!(id(one, other, protocol), expected);
            assert_eq!(id(other, one, protocol), expected);
        }
    }

    #[test]
    fn addresses_of_ipv6_count_in_full_and_ports_break_ties() {
        // Computed with Python's hashlib.
        assert_eq!(id("[2001:db8::1]:40000", "[2001:db8::2]:80", 6), "1:62cu0uxFAvnY7Tg3u3uFj0zrwAU=");
        assert_eq!(id("[::1]:40000", "[::1]:80", 6), id("[::1]:80", "[::1]:40000", 6));
        assert_ne!(id("[::1]:40000", "[::1]:80", 6), id("[::1]:40001", "[::1]:80", 6));
    }
}
