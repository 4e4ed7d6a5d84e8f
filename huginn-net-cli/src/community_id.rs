//! Community ID version 1, the hash by which tools recognise each other's flows
//! (<https://github.com/corelight/community-id-spec>).

use core::net::IpAddr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use huginn_net::Endpoint;
use sha1::block_api::compress;

/// `1:` and the hash in Base64.
pub(crate) type CommunityId = [u8; 30];

/// Community IDs of flows, the same in both directions; those of recent flows are kept, as most have several records.
pub(crate) struct CommunityIds {
    /// By a hash of the flow. Flows that compete for a place are hashed each time.
    places: Box<[Place]>,
}

/// The [words](Message::words) of a message, and what its ID begins with; no message has no bits, as the one that ends it
/// is among them.
///
/// A tuple of short arrays, as memory of nothing but zeros is not written before it is used only where the standard
/// library sees that it is that.
type Place = ([u128; 3], [[u8; 16]; 2]);

impl Default for CommunityIds {
    fn default() -> Self {
        Self { places: vec![([0; 3], [[0; 16]; 2]); Self::PLACES].into_boxed_slice() }
    }
}

impl CommunityIds {
    /// A power of two.
    const PLACES: usize = 1_024;

    /// Calls `write` with the Community ID, seed 0, of a flow of a protocol with ports.
    #[inline]
    pub(crate) fn with(
        &mut self,
        source: &Endpoint,
        destination: &Endpoint,
        protocol: u8,
        write: impl FnOnce(&CommunityId),
    ) {
        // Numeric order of address and port is their order in network byte order.
        let (low, high) = if source <= destination { (source, destination) } else { (destination, source) };
        let message = Message::of(low, high, protocol);
        let place = self.places.get_mut(message.place());
        let place = place.and_then(|(words, id)| Some((words, id.as_flattened_mut().first_chunk_mut()?)));
        match place {
            Some((words, id)) => {
                if !message.has(words) {
                    (*words, *id) = (message.words, message.id());
                }
                write(id);
            }
            None => write(&message.id()),
        }
    }
}

/// The 128 bits of an address of IPv6, or of one that stands for an address of IPv4.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// What the Community ID of a flow is the hash of, a message of SHA-1 that fits one block with its length
/// ([RFC 3174 §4](https://www.rfc-editor.org/rfc/rfc3174#section-4)).
///
/// A hasher, which has to expect messages of any length in any pieces, takes longer to make this block than to hash it.
struct Message {
    /// The message, the one behind it, and zeros; the first bits are the highest.
    words: [u128; 3],
    /// Length of the message.
    bits: u128,
}

impl Message {
    /// The message of a flow; `low` is the lesser of its ends.
    #[inline]
    fn of(low: &Endpoint, high: &Endpoint, protocol: u8) -> Self {
        let (protocol, ports) =
            (u128::from(protocol), u128::from(low.port()) << 16 | u128::from(high.port()));
        // The seed, which is 0, addresses, protocol, a byte of padding and ports without a gap, the first bits highest;
        // behind them the one that ends every message.
        match (low.ip(), high.ip()) {
            (IpAddr::V4(low), IpAddr::V4(high)) => {
                let addresses = u128::from(low.to_bits()) << 32 | u128::from(high.to_bits());
                Self { words: [addresses << 48 | protocol << 40 | ports, 1 << 127, 0], bits: 128 }
            }
            (low, high) => {
                let (low, high) = (bits(low), bits(high));
                let end = high << 112 | protocol << 104 | ports << 64 | 1 << 63;
                Self { words: [low >> 16, low << 112 | high >> 16, end], bits: 320 }
            }
        }
    }

    /// Whether these are its words. A comparison of arrays would be a call.
    #[inline]
    fn has(&self, words: &[u128; 3]) -> bool {
        let differences = self.words.iter().zip(words).map(|(one, other)| one ^ other);
        differences.fold(0, |all, one| all | one) == 0
    }

    /// Where the flow is kept.
    #[inline]
    fn place(&self) -> usize {
        // An odd number without a pattern, which spreads all bits over the highest ones: 2^64 by the golden ratio.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        const BITS: u32 = CommunityIds::PLACES.ilog2();
        let [first, second, third] = self.words;
        let all = first ^ second ^ third;
        let [high, low] =
            [all >> 64, all & u128::from(u64::MAX)].map(|half| u64::try_from(half).unwrap_or(0));
        let spread = (high.wrapping_mul(SPREAD) ^ low).wrapping_mul(SPREAD);
        (spread >> (u64::BITS - BITS)) as usize
    }

    fn id(&self) -> CommunityId {
        let mut id = *b"1:............................";
        if let Some((_version, encoded)) = id.split_first_chunk_mut::<2>() {
            // 20 bytes are 28 characters.
            let _ = STANDARD.encode_slice(self.sha1(), encoded);
        }
        id
    }

    fn sha1(&self) -> [u8; 20] {
        let [first, second, third] = self.words;
        let mut block = [0; 64];
        for (place, word) in block.as_chunks_mut().0.iter_mut().zip([first, second, third, self.bits]) {
            *place = word.to_be_bytes();
        }
        // RFC 3174 §6.1.
        let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
        compress(&mut state, &[block]);
        let mut digest = [0; 20];
        for (place, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
            *place = word.to_be_bytes();
        }
        digest
    }
}

#[cfg(test)]
mod tests {
    use core::net::SocketAddr;

    use super::*;

    fn endpoint(text: &str) -> Endpoint {
        let address: SocketAddr = text.parse().unwrap();
        Endpoint::new(address.ip(), address.port())
    }

    fn id_of(ids: &mut CommunityIds, source: &Endpoint, destination: &Endpoint, protocol: u8) -> CommunityId {
        let mut copy = None;
        ids.with(source, destination, protocol, |id| copy = Some(*id));
        copy.unwrap()
    }

    fn id(source: &str, destination: &str, protocol: u8) -> String {
        let id = id_of(&mut CommunityIds::default(), &endpoint(source), &endpoint(destination), protocol);
        String::from_utf8(id.to_vec()).unwrap()
    }

    #[test]
    fn a_flow_that_is_kept_is_not_taken_for_another() {
        let mut ids = CommunityIds::default();
        let ends = ["10.0.0.1:1000", "10.0.0.2:1000", "[::1]:1000", "[::2]:1064", "[::ffff:10.0.0.1]:1000"];
        let ends = ends.map(endpoint);
        // More than there are places for, so that several are at each.
        let others = (0..2_000).map(|port| Endpoint::new(ends[0].ip(), port));
        let all: Vec<_> = ends.into_iter().chain(others).collect();
        for _ in 0..2 {
            for (source, destination) in all.iter().flat_map(|one| ends.map(|other| (*one, other))) {
                for protocol in [6, 17] {
                    let (low, high) = (source.min(destination), source.max(destination));
                    let expected = Message::of(&low, &high, protocol).id();
                    assert_eq!(id_of(&mut ids, &source, &destination, protocol), expected);
                    assert_eq!(id_of(&mut ids, &destination, &source, protocol), expected);
                }
            }
        }
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
