//! Many datagrams that are nearly the same.

use super::protocol;

/// A datagram of IPv4, without options, from which others are made by overwriting who sends it: quickly, and without right
/// checksums.
///
/// ```
/// use testkit::packet::{IpHeader, Ipv4, Mould, Tcp, flags};
///
/// let syn = Tcp::new(1, 80).flags(flags::SYN);
/// let mut mould = Mould::new(Ipv4::new([10, 1, 0, 0], [10, 0, 0, 2]).tcp(&syn));
/// assert_eq!(mould.cast(257, 40_000, 7)[12..16], [10, 1, 1, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Mould {
    datagram: Vec<u8>,
    first_source: u32,
}

impl Mould {
    /// Of a TCP segment or a UDP datagram; its source address is that of host 0.
    #[must_use]
    pub fn new(datagram: Vec<u8>) -> Self {
        let first_source = u32::from_be_bytes(*datagram[12..].first_chunk().expect("a header of IPv4"));
        Self { datagram, first_source }
    }

    /// The datagram as that host sends it, from this port and, of TCP, with this sequence number.
    pub fn cast(&mut self, host: u32, port: u16, sequence: u32) -> &[u8] {
        let source = self.first_source.wrapping_add(host);
        self.datagram[12..16].copy_from_slice(&source.to_be_bytes());
        self.datagram[20..22].copy_from_slice(&port.to_be_bytes());
        if self.datagram[9] == protocol::TCP {
            self.datagram[24..28].copy_from_slice(&sequence.to_be_bytes());
        }
        &self.datagram
    }
}
