//! The packets that nearly all are, located without a walk.

use super::layout::{EncapsulationPath, Layout};
use super::link::ether_type;
use super::tunnel;
use super::{IpProtocol, IpVersion};
use crate::{Frame, LinkType};

const ETHERNET_LEN: usize = 14;
const TCP_LEN: usize = 20;
const UDP_LEN: usize = 8;

impl Layout {
    /// Where the headers of a TCP or UDP packet are in an Ethernet frame without tags, captured whole, of IPv4 without
    /// options or fragments or of IPv6 without extension headers; `None` for all others, and for what is malformed.
    ///
    /// It gives what a [`Walk`](super::walk::Walk) gives, in a third of the time.
    #[inline(always)]
    pub(super) fn straight(frame: &Frame<'_>) -> Option<Self> {
        if frame.link_type != LinkType::ETHERNET {
            return None;
        }
        let (ethernet, ip) = frame.bytes.split_first_chunk::<ETHERNET_LEN>()?;
        let &[.., high, low] = ethernet;
        match u16::from_be_bytes([high, low]) {
            ether_type::IPV4 => Self::straight_v4(ip),
            ether_type::IPV6 => Self::straight_v6(ip),
            _ => None,
        }
    }

    #[inline(always)]
    fn straight_v4(ip: &[u8]) -> Option<Self> {
        let (header, transport) = ip.split_first_chunk::<20>()?;
        let &[version_and_len, _, len_high, len_low, _, _, flags, offset, _, protocol, ..] = header;
        // Version 4 without options; neither MF nor an offset.
        if version_and_len != 0x45 || u16::from_be_bytes([flags, offset]) & 0x3fff != 0 {
            return None;
        }
        let total_len = u16::from_be_bytes([len_high, len_low]);
        let transport = transport.get(..usize::from(total_len).checked_sub(header.len())?)?;
        Self::with_transport(IpVersion::V4, header.len(), IpProtocol(protocol), transport)
    }

    #[inline(always)]
    fn straight_v6(ip: &[u8]) -> Option<Self> {
        let (header, transport) = ip.split_first_chunk::<40>()?;
        let &[version_and_class, _, _, _, len_high, len_low, next_header, ..] = header;
        let payload_len = u16::from_be_bytes([len_high, len_low]);
        // A length of zero has meanings of its own.
        if version_and_class >> 4 != 6 || payload_len == 0 {
            return None;
        }
        let transport = transport.get(..usize::from(payload_len))?;
        Self::with_transport(IpVersion::V6, header.len(), IpProtocol(next_header), transport)
    }

    #[inline(always)]
    fn with_transport(
        ip_version: IpVersion,
        ip_header_len: usize,
        protocol: IpProtocol,
        transport: &[u8],
    ) -> Option<Self> {
        let transport_header_len = match protocol {
            IpProtocol::TCP => {
                let &[_, _, _, _, _, _, _, _, _, _, _, _, offset, ..] = transport.first_chunk::<TCP_LEN>()?;
                let header_len = usize::from(offset >> 4) * 4;
                (TCP_LEN..=transport.len()).contains(&header_len).then_some(header_len)?
            }
            IpProtocol::UDP => {
                let &[a, b, c, d, e, f, _, _] = transport.first_chunk::<UDP_LEN>()?;
                let ports = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
                let is_whole = usize::from(u16::from_be_bytes([e, f])) == transport.len();
                (is_whole && !tunnel::may_be_on(ports)).then_some(UDP_LEN)?
            }
            _ => return None,
        };
        let transport_at = ETHERNET_LEN + ip_header_len;
        // An IP packet takes 65,575 bytes at most.
        let offset = |at: usize| u32::try_from(at).ok();
        Some(Self {
            ip_at: offset(ETHERNET_LEN)?,
            transport_at: offset(transport_at)?,
            payload_at: offset(transport_at + transport_header_len)?,
            end: offset(transport_at + transport.len())?,
            domain: 0,
            path: EncapsulationPath::default(),
            vlan: None,
            protocol,
            ip_version,
            ip_options_len: 0,
            cut: false,
            total_length_zero: false,
        })
    }
}
