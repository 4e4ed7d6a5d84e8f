//! The packets that nearly all are, located without a walk.

use super::layout::{EncapsulationPath, Form, Layout, Rare};
use super::link::ether_type;
use super::network::{Ipv4Header, Ipv6Header};
use super::transport::ports_as_they_lie;
use super::{IpHeader, IpProtocol, IpVersion, udp_tunnel};
use crate::{FlowTag, Frame, LinkType};

const ETHERNET_LEN: usize = 14;
const TCP_LEN: usize = 20;
const UDP_LEN: usize = 8;

impl Layout {
    /// Where the headers of a TCP or UDP packet are in an Ethernet frame without tags, captured whole, of IPv4 without
    /// options or fragments or of IPv6 without extension headers; `None` for all others, for what is malformed, and for frames
    /// so short that a TCP header does not fit.
    ///
    /// It gives what a [`Walk`](super::walk::Walk) gives, in a third of the time.
    #[inline(always)]
    pub(super) fn straight(frame: &Frame<'_>) -> Option<Self> {
        // As they lie in memory, as nothing but equality is asked for.
        const IPV4: u16 = ether_type::IPV4.to_be();
        const IPV6: u16 = ether_type::IPV6.to_be();
        if frame.link_type != LinkType::ETHERNET {
            return None;
        }
        let &[.., high, low] = frame.bytes.first_chunk::<ETHERNET_LEN>()?;
        match u16::from_ne_bytes([high, low]) {
            IPV4 => Self::straight_v4(frame.bytes),
            IPV6 => Self::straight_v6(frame.bytes),
            _ => None,
        }
    }

    /// Whether an Ethernet frame carries something other than IP, as an [`ether_type`] says that no walk passes.
    #[inline]
    pub(super) fn is_nowhere(frame: &Frame<'_>) -> bool {
        let ethernet = frame.bytes.first_chunk::<ETHERNET_LEN>();
        ethernet.is_some_and(|&[.., high, low]| {
            frame.link_type == LinkType::ETHERNET
                && !ether_type::may_lead_to_ip(u16::from_be_bytes([high, low]))
        })
    }

    #[inline(always)]
    fn straight_v4(frame: &[u8]) -> Option<Self> {
        const IP_LEN: usize = 20;
        // One look at the length for all headers.
        let headers = frame.first_chunk::<{ ETHERNET_LEN + IP_LEN + TCP_LEN }>()?;
        let (_, headers) = headers.split_first_chunk::<ETHERNET_LEN>()?;
        let (ip, transport) = headers.split_first_chunk::<IP_LEN>()?;
        let &[version_and_len, _, len_high, len_low, _, _, flags, offset, _, protocol, ..] = ip;
        // Version 4 without options; neither MF nor an offset.
        if version_and_len != 0x45 || u16::from_be_bytes([flags, offset]) & 0x3fff != 0 {
            return None;
        }
        let len = usize::from(u16::from_be_bytes([len_high, len_low]));
        let ip = IpHeader::V4(Ipv4Header::new(ip));
        Self::with_transport((ip, IP_LEN), IpProtocol(protocol), transport.first_chunk()?, (frame, len))
    }

    #[inline(always)]
    fn straight_v6(frame: &[u8]) -> Option<Self> {
        const IP_LEN: usize = 40;
        let headers = frame.first_chunk::<{ ETHERNET_LEN + IP_LEN + TCP_LEN }>()?;
        let (_, headers) = headers.split_first_chunk::<ETHERNET_LEN>()?;
        let (ip, transport) = headers.split_first_chunk::<IP_LEN>()?;
        let &[version_and_class, _, _, _, len_high, len_low, next_header, ..] = ip;
        let payload_len = u16::from_be_bytes([len_high, len_low]);
        if version_and_class >> 4 != 6 {
            return None;
        }
        let len = IP_LEN + usize::from(payload_len);
        let ip = IpHeader::V6(Ipv6Header::new(ip));
        Self::with_transport((ip, IP_LEN), IpProtocol(next_header), transport.first_chunk()?, (frame, len))
    }

    /// Of what follows an IP header of this length in a datagram of that length.
    #[inline(always)]
    fn with_transport(
        (ip, ip_len): (IpHeader<'_>, usize),
        protocol: IpProtocol,
        transport: &[u8; TCP_LEN],
        (frame, len): (&[u8], usize),
    ) -> Option<Self> {
        let end = ETHERNET_LEN + len;
        if end > frame.len() {
            return None;
        }
        let transport_len = match protocol {
            IpProtocol::TCP => {
                let &[_, _, _, _, _, _, _, _, _, _, _, _, offset, ..] = transport;
                let header_len = usize::from(offset >> 4) * 4;
                if header_len < TCP_LEN || ip_len + header_len > len {
                    return None;
                }
                header_len
            }
            IpProtocol::UDP => {
                let &[a, b, c, d, e, f, ..] = transport;
                let ports = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
                let udp_len = usize::from(u16::from_be_bytes([e, f]));
                let is_whole = udp_len >= UDP_LEN && ip_len + udp_len == len;
                (is_whole && !udp_tunnel::may_be_on(ports)).then_some(UDP_LEN)?
            }
            _ => return None,
        };
        let transport_at = ETHERNET_LEN + ip_len;
        let ip_version = match ip {
            IpHeader::V4(_) => IpVersion::V4,
            IpHeader::V6(_) => IpVersion::V6,
        };
        let domain = 0;
        let (flow, way) =
            FlowTag::of_headers(&ip, protocol, ports_as_they_lie(transport.first_chunk()?), domain);
        // An IP packet takes 65,575 bytes at most.
        let offset = |at: usize| u32::try_from(at).ok();
        Some(Self {
            outer_ip_at: offset(ETHERNET_LEN)?,
            ip_at: offset(ETHERNET_LEN)?,
            transport_at: offset(transport_at)?,
            payload_at: offset(transport_at + transport_len)?,
            end: offset(end)?,
            domain,
            path: EncapsulationPath::default(),
            form: Form::new(ip_version, 0, protocol, false),
            rare: Rare::default(),
            flow,
            way,
        })
    }
}

#[cfg(test)]
mod tests {
    use testkit::encap::link;
    use testkit::packet::{IpHeader as _, Ipv4, Ipv6, Tcp, TcpOption, Udp, flags};

    use super::*;
    use crate::packet::Undecoded;
    use crate::packet::walk::{End, Walk};

    fn walked(frame: &Frame<'_>) -> Option<Layout> {
        let mut walk = Walk::of_frame(frame);
        matches!(walk.start(frame), Ok(End::Packet)).then(|| walk.layout())
    }

    fn ordinary() -> Vec<Vec<u8>> {
        let segment = Tcp::new(40_000, 443)
            .flags(flags::SYN)
            .options([TcpOption::Mss(1460), TcpOption::Nop, TcpOption::WindowScale(7)])
            .payload(b"more than a dozen");
        let datagram = Udp::new(40_000, 443, b"more than a dozen");
        let v4 = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
        let v6 = Ipv6::new([1; 16], [2; 16]);
        [v4.tcp(&segment), v4.udp(&datagram), v6.tcp(&segment), v6.udp(&datagram)]
            .iter()
            .map(|ip| link::ethernet(ip))
            .collect()
    }

    #[test]
    fn ordinary_packets_are_located_without_a_walk_and_where_a_walk_finds_them() {
        for bytes in ordinary() {
            let frame = Frame::new(&bytes, LinkType::ETHERNET);
            let straight = Layout::straight(&frame);
            assert!(straight.is_some() && straight == walked(&frame), "{bytes:02x?}");
        }
    }

    #[test]
    fn whatever_a_byte_becomes_a_walk_agrees() {
        for original in ordinary() {
            for at in 0..original.len() {
                for value in 0..=u8::MAX {
                    let mut bytes = original.clone();
                    bytes[at] = value;
                    let frame = Frame::new(&bytes, LinkType::ETHERNET);
                    if let Some(straight) = Layout::straight(&frame) {
                        assert_eq!(Some(straight), walked(&frame), "byte {at} is {value}");
                    }
                }
            }
        }
    }

    #[test]
    fn wherever_the_capture_or_the_frame_ends_a_walk_agrees() {
        for original in ordinary() {
            let mut padded = original.clone();
            padded.extend([0; 20]);
            for len in 0..=padded.len() {
                let whole = Frame::new(padded.get(..len).expect("within"), LinkType::ETHERNET);
                let cut = Frame { wire_len: 1_500, ..whole };
                for frame in [whole, cut] {
                    if let Some(straight) = Layout::straight(&frame) {
                        assert_eq!(Some(straight), walked(&frame), "{len} bytes");
                    }
                }
            }
        }
    }

    #[test]
    fn types_that_lead_nowhere_are_those_that_a_walk_does_not_pass() {
        for value in 0..=u16::MAX {
            let mut bytes = link::ethernet_of(value, &[0; 60]);
            let frame = Frame::new(&bytes, LinkType::ETHERNET);
            let is_passed = Walk::of_frame(&frame).start(&frame) != Err(Undecoded::NotIp);
            assert!(!(is_passed && Layout::is_nowhere(&frame)), "{value:04x}");
            bytes.truncate(14);
            let cut = Frame { wire_len: 60, ..Frame::new(&bytes, LinkType::ETHERNET) };
            let ends_here = Walk::of_frame(&cut).start(&cut) == Err(Undecoded::NotIp);
            assert!(ends_here || !Layout::is_nowhere(&cut), "{value:04x}, cut");
        }
        let arp = link::ethernet_of(0x0806, &[0; 28]);
        assert!(Layout::is_nowhere(&Frame::new(&arp, LinkType::ETHERNET)));
        assert!(!Layout::is_nowhere(&Frame::new(&arp, LinkType::RAW)), "no EtherType");
        assert!(!Layout::is_nowhere(&Frame::new(&arp[..13], LinkType::ETHERNET)), "cut within it");
    }

    #[test]
    fn a_udp_datagram_shorter_than_its_header_is_left_to_a_walk() {
        let mut bytes =
            link::ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).udp(&Udp::new(1, 2, &[0; 12])));
        for len in 0..8 {
            // The lengths of IP and of UDP agree.
            (bytes[17], bytes[39]) = (20 + len, len);
            assert_eq!(Layout::straight(&Frame::new(&bytes, LinkType::ETHERNET)), None, "{len}");
        }
    }

    #[test]
    fn a_tunnel_is_not_taken_for_its_datagram() {
        let vxlan = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).udp(&Udp::new(40_000, 4789, &[0; 60]));
        assert_eq!(Layout::straight(&Frame::new(&link::ethernet(&vxlan), LinkType::ETHERNET)), None);
    }
}
