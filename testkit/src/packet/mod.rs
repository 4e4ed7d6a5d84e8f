//! Builders of IP datagrams. Lengths and checksums come out right unless a test sets them wrong on purpose.

mod ip;
mod mould;
mod transport;

pub use ip::{Extension, IpHeader, Ipv4, Ipv6};
pub use mould::Mould;
pub use transport::{Tcp, TcpOption, Udp};

/// The twelve flag bits of a TCP header, as [`Tcp::flags`] takes them (RFC 9293 §3.1, AE from AccECN).
pub mod flags {
    /// No more data from the sender.
    pub const FIN: u16 = 0x001;
    /// Synchronise sequence numbers.
    pub const SYN: u16 = 0x002;
    /// Reset the connection.
    pub const RST: u16 = 0x004;
    /// Push.
    pub const PSH: u16 = 0x008;
    /// The acknowledgment number counts.
    pub const ACK: u16 = 0x010;
    /// The urgent pointer counts.
    pub const URG: u16 = 0x020;
    /// ECN echo.
    pub const ECE: u16 = 0x040;
    /// Congestion window reduced.
    pub const CWR: u16 = 0x080;
    /// Accurate ECN, formerly NS.
    pub const AE: u16 = 0x100;
    /// The three bits still reserved.
    pub const RESERVED: u16 = 0xe00;
}

/// IP protocol numbers the builders write.
pub mod protocol {
    /// IPv6 hop-by-hop options.
    pub const HOP_BY_HOP: u8 = 0;
    /// IPv4 inside.
    pub const IPV4: u8 = 4;
    /// TCP.
    pub const TCP: u8 = 6;
    /// UDP.
    pub const UDP: u8 = 17;
    /// IPv6 inside.
    pub const IPV6: u8 = 41;
    /// IPv6 routing header.
    pub const ROUTING: u8 = 43;
    /// IPv6 fragment header.
    pub const FRAGMENT: u8 = 44;
    /// Generic routing encapsulation.
    pub const GRE: u8 = 47;
    /// Authentication header.
    pub const AUTHENTICATION: u8 = 51;
    /// IPv6 destination options.
    pub const DESTINATION: u8 = 60;
}

/// The internet checksum (RFC 1071) of byte strings of which all but the last have an even length.
#[must_use]
pub fn checksum(parts: &[&[u8]]) -> u16 {
    let mut sum = 0_u64;
    for part in parts {
        for pair in part.chunks(2) {
            sum += u64::from(u16::from_be_bytes([pair[0], pair.get(1).copied().unwrap_or(0)]));
        }
    }
    while sum > 0xffff {
        sum = (sum >> 16) + (sum & 0xffff);
    }
    !(sum as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_is_that_of_the_rfc_1071_example() {
        assert_eq!(checksum(&[&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]]), !0xddf2);
        assert_eq!(checksum(&[&[0x01]]), !0x0100);
    }

    /// The datagram in the first frame of a capture that another packet builder wrote.
    fn recorded(capture: &str) -> Vec<u8> {
        let capture = crate::capture::Capture::open(&crate::corpus::path(capture));
        capture.records[0].bytes[14..].to_vec()
    }

    #[test]
    fn ipv4_syn_has_the_bytes_of_a_recorded_one() {
        let syn = Tcp::new(40_000, 80).sequence(0x1000_0000).window(64_240).options([
            TcpOption::Mss(1_460),
            TcpOption::SackPermitted,
            TcpOption::Timestamps(0x1122_3344, 0),
            TcpOption::Nop,
            TcpOption::WindowScale(7),
        ]);
        let header = Ipv4::new([10, 1, 1, 10], [10, 2, 2, 20]).identification(0x1234);
        assert_eq!(header.tcp(&syn), recorded("tcp/a01_linux_syn.pcap"));
    }

    #[test]
    fn ipv6_syn_has_the_bytes_of_a_recorded_one() {
        let syn = Tcp::new(40_000, 80).sequence(0x1000_0000).window(64_800).options([
            TcpOption::Mss(1_440),
            TcpOption::SackPermitted,
            TcpOption::Timestamps(0x1122_3344, 0),
            TcpOption::Nop,
            TcpOption::WindowScale(7),
        ]);
        let header = Ipv6::new([0x2001, 0xdb8, 1, 0, 0, 0, 0, 0x10], [0x2001, 0xdb8, 2, 0, 0, 0, 0, 0x20]);
        assert_eq!(header.tcp(&syn), recorded("tcp/a05_v6_syn.pcap"));
    }

    #[test]
    fn odd_syn_has_the_bytes_of_a_recorded_one() {
        let syn = Tcp::new(40_000, 80)
            .sequence(0)
            .acknowledgment(0x0100_0000)
            .flags(flags::SYN | flags::PSH | flags::URG | flags::ECE)
            .window(64_240)
            .options([
                TcpOption::Timestamps(0, 5),
                TcpOption::WindowScale(15),
                TcpOption::Eol,
                TcpOption::Raw(vec![1, 0]),
            ]);
        let header = Ipv4::new([10, 1, 1, 10], [10, 2, 2, 20]).tos(2).identification(3).reserved(true);
        assert_eq!(header.tcp(&syn), recorded("tcp/d16_all_quirks.pcap"));
    }

    #[test]
    fn checksums_of_segments_and_headers_sum_to_zero() {
        let tcp = Tcp::new(1, 2).payload(b"odd");
        let udp = Udp::new(1, 2, b"odd");
        let four = Ipv4::new([192, 0, 2, 1], [192, 0, 2, 2]).options(&[1, 1, 1]);
        let six = Ipv6::new([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], [0x2001, 0xdb8, 0, 0, 0, 0, 0, 2])
            .extensions([Extension::HopByHop(vec![1, 4])]);
        assert_eq!(checksum(&[&four.tcp(&tcp)[..24]]), 0);
        assert_eq!(checksum(&[&four.pseudo_header(6, 23), &four.tcp(&tcp)[24..]]), 0);
        assert_eq!(checksum(&[&four.pseudo_header(17, 11), &four.udp(&udp)[24..]]), 0);
        assert_eq!(checksum(&[&six.pseudo_header(6, 23), &six.tcp(&tcp)[48..]]), 0);
        assert_eq!(checksum(&[&six.pseudo_header(17, 11), &six.udp(&udp)[48..]]), 0);
    }

    #[test]
    fn all_twelve_flag_bits_reach_the_header() {
        let all = flags::RESERVED | flags::AE | flags::CWR | flags::ECE | flags::SYN;
        let datagram = Ipv4::new([1, 1, 1, 1], [2, 2, 2, 2]).tcp(&Tcp::new(1, 2).flags(all));
        assert_eq!(datagram[32..34], [0x5f, 0xc2]);
    }

    #[test]
    fn ipv4_flags_and_offset_share_two_bytes() {
        let header = Ipv4::new([1, 1, 1, 1], [2, 2, 2, 2])
            .reserved(true)
            .dont_fragment(false)
            .more_fragments(true)
            .fragment_offset(0x123);
        assert_eq!(header.carry(6, &[])[6..8], [0xa1, 0x23]);
    }

    #[test]
    fn extension_headers_chain_to_the_protocol() {
        let datagram = Ipv6::new([0; 8], [0; 8])
            .flow_label(0xabcde)
            .traffic_class(0x12)
            .extensions([
                Extension::HopByHop(Vec::new()),
                Extension::Destination(vec![1, 12]),
                Extension::Fragment { offset: 1, more: true, identification: 9 },
                Extension::Authentication(vec![0; 12]),
            ])
            .carry(protocol::TCP, b"payload");
        assert_eq!(datagram[..8], [0x61, 0x2a, 0xbc, 0xde, 0, 8 + 8 + 8 + 24 + 7, 0, 64]);
        assert_eq!(datagram[40..42], [protocol::DESTINATION, 0]);
        assert_eq!(datagram[48..50], [protocol::FRAGMENT, 0]);
        assert_eq!(datagram[56..64], [protocol::AUTHENTICATION, 0, 0, 9, 0, 0, 0, 9]);
        assert_eq!(datagram[64..66], [protocol::TCP, 4]);
        assert_eq!(&datagram[88..], b"payload");
    }
}
