//! Packets whose headers have been located once.

mod bridge;
mod captured;
mod capwap;
mod checksum;
mod decoder;
mod fragment;
mod layout;
mod link;
mod network;
mod outer;
mod plausible;
mod rare_link;
mod straight;
mod transport;
mod tunnel;
mod udp_tunnel;
mod undecoded;
mod walk;
mod wireless;

use core::fmt;
use core::net::{IpAddr, Ipv4Addr};

pub use self::checksum::Checksum;
pub use self::decoder::{DecodeLimits, DecodeStats, Decoder};
use self::layout::Form;
pub use self::layout::{Encapsulation, EncapsulationPath, Layout};
pub(crate) use self::link::ether_type;
pub use self::network::{IpHeader, IpProtocol, Ipv4Header, Ipv6Header};
pub use self::transport::{TcpFlags, TcpHeader, TcpSegment, UdpDatagram};
pub(crate) use self::udp_tunnel::port as tunnel_port;
pub use self::undecoded::Undecoded;
use self::walk::{End, Walk};
use crate::{Direction, FlowTag, Frame, NetworkTag, Timestamp};

/// Version of an IP header, of which there are two; displays as `4` or `6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IpVersion {
    /// IPv4 ([RFC 791](https://www.rfc-editor.org/rfc/rfc791)).
    V4,
    /// IPv6 ([RFC 8200](https://www.rfc-editor.org/rfc/rfc8200)).
    V6,
}

impl fmt::Display for IpVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V4 => "4",
            Self::V6 => "6",
        })
    }
}

/// An IP packet: a frame, or a datagram put together from fragments, whose headers have been located.
///
/// Holds offsets, not values: every field is read where it lies and never corrected. When tunnels were passed on the
/// way, addresses, ports and TTL are those of the innermost IP header.
///
/// ```
/// use huginn_net_core::{Frame, LinkType, Packet};
///
/// let datagram = [
///     0x45, 0, 0, 40, 0, 1, 0x40, 0, 64, 6, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2, // IPv4
///     0x9c, 0x40, 0, 80, 0, 0, 0, 7, 0, 0, 0, 0, 0x50, 0x02, 0xff, 0xff, 0, 0, 0, 0, // TCP
/// ];
/// let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW))?;
/// let segment = packet.tcp().expect("protocol 6");
/// assert_eq!((segment.source_port(), segment.destination_port()), (40_000, 80));
/// assert!(segment.flags().is_syn());
/// # Ok::<(), huginn_net_core::Undecoded>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    bytes: &'a [u8],
    captured_at: Timestamp,
    number: u64,
    layout: Layout,
}

impl<'a> Packet<'a> {
    /// Locates the headers of a frame.
    ///
    /// A fragment is reported as [`Undecoded::Fragment`], and of a frame that aggregates several only the first one is
    /// looked at; a [`Decoder`] puts fragments together and gives all packets.
    ///
    /// # Errors
    /// The frame carries no IP packet that can be used; the reason says why.
    #[inline(always)]
    pub fn decode(frame: &Frame<'a>) -> Result<Self, Undecoded> {
        if let Some(layout) = Layout::straight(frame) {
            return Ok(Self::from_layout(frame, layout));
        }
        let mut walk = Walk::of_frame(frame);
        match walk.start(frame)? {
            End::Packet => Ok(Self::from_layout(frame, walk.layout())),
            End::Fragment => Err(Undecoded::Fragment),
        }
    }

    /// A packet whose layout is already known, for example in a copy of its bytes.
    ///
    /// `layout` must come from the same bytes; with others every accessor stays within `frame.bytes`, but what it
    /// gives means nothing.
    #[inline(always)]
    #[must_use]
    pub fn from_layout(frame: &Frame<'a>, layout: Layout) -> Self {
        Self { bytes: frame.bytes, captured_at: frame.captured_at, number: frame.number, layout }
    }

    /// The bytes that [`Packet::layout`] refers to: those of the frame, or of the reassembled datagram.
    #[inline]
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where the headers are.
    #[inline]
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// When the frame was captured; for a reassembled datagram, the frame that completed it.
    #[inline]
    #[must_use]
    pub const fn captured_at(&self) -> Timestamp {
        self.captured_at
    }

    /// 1-based number of the frame; for a reassembled datagram, of the frame that completed it.
    #[inline]
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Version of the innermost IP header.
    #[inline]
    #[must_use]
    pub const fn ip_version(&self) -> IpVersion {
        self.layout.form.ip_version()
    }

    /// What follows the innermost IP header and its extension headers.
    #[inline]
    #[must_use]
    pub const fn protocol(&self) -> IpProtocol {
        self.layout.form.protocol()
    }

    /// The innermost IP header, if it is IPv4.
    #[inline]
    pub fn ipv4(&self) -> Option<Ipv4Header<'a>> {
        match self.ip_version() {
            IpVersion::V4 => self.bytes_from(self.layout.ip_at)?.first_chunk().map(Ipv4Header::new),
            IpVersion::V6 => None,
        }
    }

    /// The innermost IP header, if it is IPv6.
    #[inline]
    pub fn ipv6(&self) -> Option<Ipv6Header<'a>> {
        match self.ip_version() {
            IpVersion::V4 => None,
            IpVersion::V6 => self.bytes_from(self.layout.ip_at)?.first_chunk().map(Ipv6Header::new),
        }
    }

    /// The innermost IP header. Never `None` but for a layout of other bytes.
    #[inline]
    pub fn ip(&self) -> Option<IpHeader<'a>> {
        match self.ip_version() {
            IpVersion::V4 => self.ipv4().map(IpHeader::V4),
            IpVersion::V6 => self.ipv6().map(IpHeader::V6),
        }
    }

    /// Source and destination of the innermost IP header.
    #[inline]
    #[must_use]
    pub fn addresses(&self) -> (IpAddr, IpAddr) {
        let unspecified = (IpAddr::V4(Ipv4Addr::UNSPECIFIED), IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        self.ip().map_or(unspecified, |header| header.addresses())
    }

    /// Source and destination port of a TCP or UDP packet.
    #[inline]
    #[must_use]
    pub fn ports(&self) -> Option<(u16, u16)> {
        if !matches!(self.protocol(), IpProtocol::TCP | IpProtocol::UDP) {
            return None;
        }
        // Both headers begin with them.
        let &[a, b, c, d] = self.bytes_from(self.layout.transport_at)?.first_chunk()?;
        Some((u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])))
    }

    /// The flow of a TCP or UDP packet and the way the packet goes; `None` for other protocols.
    ///
    /// It was told once for all that ask. Directions are those of tags, not of [`FlowKey::of`](crate::FlowKey::of).
    #[inline]
    #[must_use]
    pub fn flow(&self) -> Option<(FlowTag, Direction)> {
        matches!(self.protocol(), IpProtocol::TCP | IpProtocol::UDP)
            .then_some((self.layout.flow, self.layout.way))
    }

    /// The network that sent the packet, by the innermost IP header: the address for IPv4, its first 64 bits for IPv6, as a host
    /// may use any address of its network ([RFC 4291 §2.5.1](https://www.rfc-editor.org/rfc/rfc4291#section-2.5.1)). Never
    /// `None` but for a layout of other bytes.
    #[inline]
    #[must_use]
    pub fn source_network(&self) -> Option<NetworkTag> {
        Some(self.source_network_of(&self.ip()?))
    }

    /// The same, by the IP header, which the caller has.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn source_network_of(&self, ip: &IpHeader<'_>) -> NetworkTag {
        NetworkTag::of_source(ip, self.layout.domain)
    }

    /// The network that the packet was sent to, as [`source_network`](Self::source_network).
    #[must_use]
    pub fn destination_network(&self) -> Option<NetworkTag> {
        Some(NetworkTag::of_destination(&self.ip()?, self.layout.domain))
    }

    /// The TCP segment, if the protocol is TCP.
    #[inline]
    #[must_use]
    pub fn tcp(&self) -> Option<TcpSegment<'a>> {
        if self.protocol() != IpProtocol::TCP {
            return None;
        }
        let (header, options) =
            self.bytes_between(self.layout.transport_at, self.layout.payload_at)?.split_first_chunk()?;
        Some(TcpSegment::new(TcpHeader::new(header), options, self.payload()))
    }

    /// The IP header and the fixed TCP header, if the protocol is TCP.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn tcp_headers(&self) -> Option<(IpHeader<'a>, TcpHeader<'a>)> {
        if self.protocol() != IpProtocol::TCP {
            return None;
        }
        let header = self.bytes_from(self.layout.transport_at)?.first_chunk()?;
        Some((self.ip()?, TcpHeader::new(header)))
    }

    /// The same of a packet with nothing between an IPv4 header and that of TCP: what most packets are, and found in one step.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn tcp_headers_v4(&self) -> Option<(Ipv4Header<'a>, TcpHeader<'a>)> {
        if self.layout.form != Form::TCP_V4 {
            return None;
        }
        let headers: &[u8; 40] = self.bytes_from(self.layout.ip_at)?.first_chunk()?;
        let (ip, tcp) = headers.split_first_chunk()?;
        Some((Ipv4Header::new(ip), TcpHeader::new(tcp.first_chunk()?)))
    }

    /// The bytes between the fixed TCP header and the payload, if the protocol is TCP.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn tcp_options(&self) -> Option<&'a [u8]> {
        if self.protocol() != IpProtocol::TCP {
            return None;
        }
        let at = (self.layout.transport_at as usize).saturating_add(TcpHeader::LEN);
        self.bytes.get(at..self.layout.payload_at as usize)
    }

    /// The UDP datagram, if the protocol is UDP.
    #[inline]
    #[must_use]
    pub fn udp(&self) -> Option<UdpDatagram<'a>> {
        if self.protocol() != IpProtocol::UDP {
            return None;
        }
        let header = self.bytes_from(self.layout.transport_at)?.first_chunk()?;
        Some(UdpDatagram::new(header, self.payload()))
    }

    /// Whether the TCP or UDP checksum is right. It is only looked at where fragments that arrived seconds apart were put
    /// together, as checksums are often filled in by network cards after the capture.
    #[must_use]
    pub fn checksum(&self) -> Checksum {
        if self.layout.is_cut() {
            return Checksum::Unknown;
        }
        let Some(transport) = self.bytes_between(self.layout.transport_at, self.layout.end) else {
            return Checksum::Unknown;
        };
        match self.addresses() {
            (IpAddr::V4(source), IpAddr::V4(destination)) => {
                Checksum::of(self.protocol(), &source.octets(), &destination.octets(), transport)
            }
            (IpAddr::V6(source), IpAddr::V6(destination)) => {
                Checksum::of(self.protocol(), &source.octets(), &destination.octets(), transport)
            }
            _ => Checksum::Unknown,
        }
    }

    /// What follows the TCP or UDP header (the IP header for other protocols) within the IP datagram: link-layer
    /// padding and trailers are left out. Shorter than what was sent if the capture cut the packet.
    #[inline]
    #[must_use]
    pub fn payload(&self) -> &'a [u8] {
        self.bytes_between(self.layout.payload_at, self.layout.end).unwrap_or_default()
    }

    /// The bytes up to the payload, to which the same [`Packet::layout`] belongs, but for the payload.
    #[inline]
    #[cfg(feature = "capture")]
    pub(crate) fn up_to_payload(&self) -> &'a [u8] {
        self.bytes_between(0, self.layout.payload_at).unwrap_or(self.bytes)
    }

    #[inline]
    fn bytes_from(&self, at: u32) -> Option<&'a [u8]> {
        self.bytes.get(at as usize..)
    }

    #[inline]
    fn bytes_between(&self, from: u32, to: u32) -> Option<&'a [u8]> {
        self.bytes.get(from as usize..to as usize)
    }
}
