//! IPv4 and IPv6.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::layout::Encapsulation;
use super::walk::{End, Fragment, IpPart, Next, Walk};
use super::{IpVersion, Undecoded};
use crate::{Reader, Truncated};

/// What follows an IP header
/// ([IANA registry](https://www.iana.org/assignments/protocol-numbers/)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IpProtocol(pub u8);

impl IpProtocol {
    /// TCP.
    pub const TCP: Self = Self(6);
    /// UDP.
    pub const UDP: Self = Self(17);
    const HOP_BY_HOP: Self = Self(0);
    pub(super) const IPV4: Self = Self(4);
    pub(super) const IPV6: Self = Self(41);
    const ROUTING: Self = Self(43);
    const FRAGMENT: Self = Self(44);
    pub(super) const GRE: Self = Self(47);
    const AUTHENTICATION: Self = Self(51);
    const DESTINATION: Self = Self(60);
    const ETHER_IP: Self = Self(97);
    const L2TP: Self = Self(115);
    const MPLS: Self = Self(137);
    const ETHERNET: Self = Self(143);

    /// Those of headers behind which another header may be.
    pub(crate) const fn carriers(version: IpVersion) -> &'static [Self] {
        match version {
            IpVersion::V4 => &[
                Self::IPV4,
                Self::IPV6,
                Self::GRE,
                Self::AUTHENTICATION,
                Self::ETHER_IP,
                Self::L2TP,
                Self::MPLS,
                Self::ETHERNET,
            ],
            IpVersion::V6 => &[
                Self::HOP_BY_HOP,
                Self::IPV4,
                Self::IPV6,
                Self::ROUTING,
                Self::FRAGMENT,
                Self::GRE,
                Self::AUTHENTICATION,
                Self::DESTINATION,
                Self::ETHER_IP,
                Self::L2TP,
                Self::MPLS,
                Self::ETHERNET,
            ],
        }
    }

    /// `tcp` or `udp`; `None` for the others.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::TCP => Some("tcp"),
            Self::UDP => Some("udp"),
            _ => None,
        }
    }
}

/// An IP header of either version, of which there are two.
#[derive(Clone, Copy, Debug)]
pub enum IpHeader<'a> {
    /// IPv4.
    V4(Ipv4Header<'a>),
    /// IPv6.
    V6(Ipv6Header<'a>),
}

impl IpHeader<'_> {
    /// Source and destination.
    #[inline]
    #[must_use]
    pub fn addresses(&self) -> (IpAddr, IpAddr) {
        match self {
            Self::V4(header) => (header.source().into(), header.destination().into()),
            Self::V6(header) => (header.source().into(), header.destination().into()),
        }
    }
}

/// An IPv4 header without its options ([RFC 791 §3.1](https://www.rfc-editor.org/rfc/rfc791#section-3.1)).
#[derive(Clone, Copy, Debug)]
pub struct Ipv4Header<'a>(&'a [u8; 20]);

impl<'a> Ipv4Header<'a> {
    /// In bytes, without options.
    pub(super) const LEN: usize = 20;

    #[inline]
    pub(super) const fn new(header: &'a [u8; 20]) -> Self {
        Self(header)
    }

    /// The bytes of the header.
    #[inline]
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8; 20] {
        self.0
    }

    /// Source address.
    #[inline]
    #[must_use]
    pub const fn source(&self) -> Ipv4Addr {
        let &[.., a, b, c, d, _, _, _, _] = self.0;
        Ipv4Addr::new(a, b, c, d)
    }

    /// Destination address.
    #[inline]
    #[must_use]
    pub const fn destination(&self) -> Ipv4Addr {
        let &[.., a, b, c, d] = self.0;
        Ipv4Addr::new(a, b, c, d)
    }

    /// Time to live, in hops.
    #[inline]
    #[must_use]
    pub const fn ttl(&self) -> u8 {
        let &[_, _, _, _, _, _, _, _, ttl, ..] = self.0;
        ttl
    }

    /// DSCP in the upper six bits and ECN in the lower two.
    #[inline]
    #[must_use]
    pub const fn traffic_class(&self) -> u8 {
        let &[_, class, ..] = self.0;
        class
    }

    /// Length of header and payload in bytes, as written.
    #[inline]
    #[must_use]
    pub const fn total_length(&self) -> u16 {
        let &[_, _, high, low, ..] = self.0;
        u16::from_be_bytes([high, low])
    }

    /// Length of header and options in bytes.
    #[inline]
    #[must_use]
    pub const fn header_len(&self) -> u8 {
        let &[version_and_len, ..] = self.0;
        (version_and_len & 0x0f) * 4
    }

    /// Identification.
    #[inline]
    #[must_use]
    pub const fn identification(&self) -> u16 {
        let &[_, _, _, _, high, low, ..] = self.0;
        u16::from_be_bytes([high, low])
    }

    /// Whether the reserved flag is set.
    #[inline]
    #[must_use]
    pub const fn has_reserved_flag(&self) -> bool {
        self.flags_and_offset() & 0x8000 != 0
    }

    /// Whether the packet must not be fragmented.
    #[inline]
    #[must_use]
    pub const fn dont_fragment(&self) -> bool {
        self.flags_and_offset() & 0x4000 != 0
    }

    #[inline]
    const fn flags_and_offset(&self) -> u16 {
        let &[_, _, _, _, _, _, high, low, ..] = self.0;
        u16::from_be_bytes([high, low])
    }

    #[inline]
    pub(super) const fn protocol(&self) -> IpProtocol {
        let &[_, _, _, _, _, _, _, _, _, protocol, ..] = self.0;
        IpProtocol(protocol)
    }
}

/// An IPv6 header without extension headers
/// ([RFC 8200 §3](https://www.rfc-editor.org/rfc/rfc8200#section-3)).
#[derive(Clone, Copy, Debug)]
pub struct Ipv6Header<'a>(&'a [u8; 40]);

impl<'a> Ipv6Header<'a> {
    #[inline]
    pub(super) const fn new(header: &'a [u8; 40]) -> Self {
        Self(header)
    }

    /// The bytes of the header.
    #[inline]
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8; 40] {
        self.0
    }

    /// Source address.
    #[inline]
    #[must_use]
    pub fn source(&self) -> Ipv6Addr {
        let (_, addresses) = self.0.split_at(8);
        addresses.first_chunk().copied().map_or(Ipv6Addr::UNSPECIFIED, Ipv6Addr::from_octets)
    }

    /// Destination address.
    #[inline]
    #[must_use]
    pub fn destination(&self) -> Ipv6Addr {
        self.0.last_chunk().copied().map_or(Ipv6Addr::UNSPECIFIED, Ipv6Addr::from_octets)
    }

    /// Hop limit.
    #[inline]
    #[must_use]
    pub const fn hop_limit(&self) -> u8 {
        let &[_, _, _, _, _, _, _, hops, ..] = self.0;
        hops
    }

    /// DSCP in the upper six bits and ECN in the lower two.
    #[inline]
    #[must_use]
    pub const fn traffic_class(&self) -> u8 {
        let &[first, second, ..] = self.0;
        first << 4 | second >> 4
    }

    /// Flow label, 20 bits.
    #[inline]
    #[must_use]
    pub const fn flow_label(&self) -> u32 {
        let &[_, second, third, fourth, ..] = self.0;
        u32::from_be_bytes([0, second & 0x0f, third, fourth])
    }

    /// Length of extension headers and payload in bytes, as written.
    #[inline]
    #[must_use]
    pub const fn payload_length(&self) -> u16 {
        let &[_, _, _, _, high, low, ..] = self.0;
        u16::from_be_bytes([high, low])
    }

    #[inline]
    pub(super) const fn next_header(&self) -> IpProtocol {
        let &[_, _, _, _, _, _, next, ..] = self.0;
        IpProtocol(next)
    }
}

/// Extension headers followed in one IPv6 packet, and their length in bytes.
const MAX_EXTENSIONS: usize = 8;
const MAX_EXTENSIONS_LEN: usize = 256;

impl<'a> Walk<'a> {
    pub(super) fn ip_of_version(&self) -> Result<Next, Undecoded> {
        match self.reader().peek().map(|first| first >> 4) {
            Some(4) => Ok(Next::IPV4),
            Some(6) => Ok(Next::IPV6),
            Some(_) => Err(Undecoded::IpVersion),
            None => Err(self.missing(Undecoded::IpLength)),
        }
    }

    #[inline(always)]
    pub(super) fn ipv4(&mut self) -> Result<Next, Undecoded> {
        let Some(fixed) = self.rest.first_chunk() else {
            return Err(self.missing(Undecoded::IpLength));
        };
        let header = Ipv4Header(fixed);
        if fixed.first().is_none_or(|first| first >> 4 != 4) {
            return Err(Undecoded::IpVersion);
        }
        let header_len = usize::from(header.header_len());
        if header_len < 20 {
            return Err(Undecoded::IpHeaderLength);
        }
        let total_length_zero = header.total_length() == 0;
        let len = if total_length_zero { self.rest.len() } else { usize::from(header.total_length()) };
        if len < header_len && !total_length_zero {
            return Err(Undecoded::IpLength);
        }
        self.bound(IpVersion::V4, len, total_length_zero)?;
        let Some((header_bytes, rest)) = self.rest.split_at_checked(header_len) else {
            return Err(self.missing(Undecoded::IpHeaderLength));
        };
        self.rest = rest;
        let fragment_bits = header.flags_and_offset() & 0x3fff;
        if fragment_bits != 0 {
            return self.fragment(Fragment {
                header: header_bytes,
                carried: None,
                next_header_at: 9,
                next_header: header.protocol().0,
                identification: u32::from(header.identification()),
                offset: usize::from(fragment_bits & 0x1fff) * 8,
                more: fragment_bits & 0x2000 != 0,
            });
        }
        // At most 40 bytes of options.
        self.ip.options_len = header.header_len() - 20;
        self.protocol(header.protocol())
    }

    #[inline(never)]
    pub(super) fn ipv6(&mut self) -> Result<Next, Undecoded> {
        let packet = self.rest;
        let Some(fixed) = packet.first_chunk() else {
            return Err(self.missing(Undecoded::IpLength));
        };
        let header = Ipv6Header(fixed);
        if fixed.first().is_none_or(|first| first >> 4 != 6) {
            return Err(Undecoded::IpVersion);
        }
        let total_length_zero = header.payload_length() == 0;
        let len = if total_length_zero { self.rest.len() } else { usize::from(header.payload_length()) + 40 };
        let ip_at = self.at();
        self.bound(IpVersion::V6, len, total_length_zero)?;
        self.rest = self.rest.get(40..).unwrap_or_default();

        let mut next = header.next_header();
        let mut next_header_at = 6;
        let mut extensions_len = 0;
        for _ in 0..=MAX_EXTENSIONS {
            let mut reader = self.reader();
            let passed = match next {
                IpProtocol::HOP_BY_HOP | IpProtocol::ROUTING | IpProtocol::DESTINATION => {
                    extension(&mut reader, |units| (units + 1) * 8)
                }
                // RFC 4302 §2.2 counts in 4 bytes, less two.
                IpProtocol::AUTHENTICATION => extension(&mut reader, |units| (units + 2) * 4),
                IpProtocol::FRAGMENT => {
                    let Ok([following, _, high, low, a, b, c, d]) = reader.array("fragment header") else {
                        return Err(self.missing(Undecoded::IpLength));
                    };
                    let fragment_bits = u16::from_be_bytes([high, low]);
                    if fragment_bits & 0xfff9 != 0 {
                        let header = packet.get(..self.at() - ip_at).unwrap_or_default();
                        self.advance(&reader);
                        return self.fragment(Fragment {
                            header,
                            carried: None,
                            next_header_at,
                            next_header: following,
                            identification: u32::from_be_bytes([a, b, c, d]),
                            offset: usize::from(fragment_bits & 0xfff8),
                            more: fragment_bits & 1 != 0,
                        });
                    }
                    // An atomic fragment is a whole packet (RFC 6946).
                    Ok(IpProtocol(following))
                }
                _ => {
                    self.ip.options_len = u8::try_from(extensions_len).unwrap_or(u8::MAX);
                    return self.protocol(next);
                }
            };
            let Ok(following) = passed else { return Err(self.missing(Undecoded::IpLength)) };
            next_header_at = self.at() - ip_at;
            self.advance(&reader);
            extensions_len = self.at() - ip_at - 40;
            if extensions_len > MAX_EXTENSIONS_LEN {
                return Err(Undecoded::TooDeep);
            }
            next = following;
        }
        Err(Undecoded::TooDeep)
    }

    /// Ends what the cursor may read where the datagram of `len` bytes ends; what follows is padding.
    #[inline]
    fn bound(&mut self, version: IpVersion, len: usize, total_length_zero: bool) -> Result<(), Undecoded> {
        let (at, packet) = (self.at(), self.rest);
        let sent_end = at + len;
        let cut = self.cut;
        if self.shorten(len) {
            // With a length of zero, the end is a guess and the capture may well have cut something.
            self.cut = cut && total_length_zero;
        } else if !cut {
            return Err(Undecoded::IpLength);
        }
        let sent_end = if self.cut && total_length_zero { usize::MAX } else { sent_end };
        self.ip = IpPart { at, packet, version, options_len: 0, total_length_zero, sent_end };
        Ok(())
    }

    /// RFC 4302 §2, behind an IPv4 header; on IPv6 it is one of the extension headers.
    #[cold]
    fn authentication(&mut self) -> Result<Next, Undecoded> {
        let mut reader = self.reader();
        let Ok(following) = extension(&mut reader, |units| (units + 2) * 4) else {
            return Err(self.missing(Undecoded::IpLength));
        };
        self.advance(&reader);
        Ok(Next::Carried(following))
    }

    #[cold]
    pub(super) fn fragment(&mut self, fragment: Fragment<'a>) -> Result<Next, Undecoded> {
        if self.cut {
            return Err(Undecoded::Cut);
        }
        self.fragment = Some(fragment);
        Ok(Next::End(End::Fragment))
    }

    #[inline(always)]
    pub(super) fn protocol(&mut self, protocol: IpProtocol) -> Result<Next, Undecoded> {
        self.protocol = protocol;
        self.transport_at = self.at();
        let outer = self.ip.version;
        match protocol {
            IpProtocol::TCP => self.tcp(),
            IpProtocol::UDP => self.udp(),
            IpProtocol::IPV4 => {
                self.enter_tunnel(match outer {
                    IpVersion::V4 => Encapsulation::IpIp,
                    IpVersion::V6 => Encapsulation::FourInSix,
                })?;
                self.separate_by_ends();
                Ok(Next::IPV4)
            }
            IpProtocol::IPV6 => {
                self.enter_tunnel(match outer {
                    IpVersion::V4 => Encapsulation::SixInFour,
                    IpVersion::V6 => Encapsulation::SixInSix,
                })?;
                Ok(Next::IPV6)
            }
            IpProtocol::GRE => Ok(Next::Gre),
            IpProtocol::AUTHENTICATION => self.authentication(),
            IpProtocol::ETHER_IP | IpProtocol::L2TP | IpProtocol::MPLS | IpProtocol::ETHERNET => {
                self.seldom_tunnel(protocol)
            }
            _ => Ok(Next::End(End::Packet)),
        }
    }

    #[cold]
    fn seldom_tunnel(&mut self, protocol: IpProtocol) -> Result<Next, Undecoded> {
        match protocol {
            IpProtocol::ETHER_IP => self.ether_ip(),
            IpProtocol::L2TP => self.l2tp_over_ip(),
            IpProtocol::MPLS => self.enter_between_ends(Encapsulation::Mpls, Next::Labels),
            IpProtocol::ETHERNET => self.enter_between_ends(Encapsulation::EtherIp, Next::Ethernet),
            _ => Ok(Next::End(End::Packet)),
        }
    }
}

/// Reads an IPv6 extension header of the common form: next header, length in units, body
/// ([RFC 8200 §4](https://www.rfc-editor.org/rfc/rfc8200#section-4)).
fn extension(reader: &mut Reader<'_>, len_of: impl FnOnce(usize) -> usize) -> Result<IpProtocol, Truncated> {
    let [next, units] = reader.array("extension header")?;
    reader.skip(len_of(usize::from(units)) - 2, "extension header")?;
    Ok(IpProtocol(next))
}
