//! TCP and UDP headers.

use core::ops::Deref;

use super::Undecoded;
use super::walk::{End, Next, Walk};

impl Walk<'_> {
    #[inline(always)]
    pub(super) fn tcp(&mut self) -> Result<Next, Undecoded> {
        let Some(&[_, _, _, _, _, _, _, _, _, _, _, _, offset, ..]) = self.rest.first_chunk::<20>() else {
            return Err(self.missing(Undecoded::TcpHeader));
        };
        let header_len = usize::from(offset >> 4) * 4;
        if header_len < 20 || header_len > self.ip.sent_end - self.transport_at {
            return Err(Undecoded::TcpHeader);
        }
        self.rest = self.rest.get(header_len..).ok_or(Undecoded::Cut)?;
        Ok(Next::End(End::Packet))
    }

    #[inline]
    pub(super) fn udp(&mut self) -> Result<Next, Undecoded> {
        let Some(&header) = self.rest.first_chunk() else {
            return Err(self.missing(Undecoded::UdpHeader));
        };
        let header = UdpHeader::new(header);
        let length = usize::from(header.length);
        let mut sent_len = self.ip.sent_end - self.transport_at;
        // 0 stands for "up to the end of the packet" (RFC 2675 §4, and segmentation offload).
        if length != 0 {
            if length < 8 || length > sent_len {
                return Err(Undecoded::UdpHeader);
            }
            sent_len = length;
            // What is missing was cut.
            let _ = self.shorten(length);
        }
        self.rest = self.rest.get(8..).unwrap_or_default();
        let tunnel =
            self.udp_tunnel(header.source_port, header.destination_port, sent_len.saturating_sub(8))?;
        Ok(tunnel.unwrap_or(Next::End(End::Packet)))
    }
}

/// Source and destination port, with which both headers begin, as numbers by which it can only be told whether they are the same.
#[inline(always)]
pub(super) const fn ports_as_they_lie(&[a, b, c, d]: &[u8; 4]) -> (u16, u16) {
    (u16::from_ne_bytes([a, b]), u16::from_ne_bytes([c, d]))
}

/// The flags of a TCP header, including the four bits before CWR
/// ([RFC 9293 §3.1](https://www.rfc-editor.org/rfc/rfc9293#section-3.1),
/// [RFC 9768 §3.1](https://www.rfc-editor.org/rfc/rfc9768#section-3.1)).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TcpFlags(u16);

crate::flag_set!(TcpFlags, "flag", Self::NAMES);

impl TcpFlags {
    /// FIN: the sender is done.
    pub const FIN: Self = Self(0x001);
    /// SYN: the sender opens a connection.
    pub const SYN: Self = Self(0x002);
    /// RST: the connection is aborted.
    pub const RST: Self = Self(0x004);
    /// PSH: deliver at once.
    pub const PSH: Self = Self(0x008);
    /// ACK: the acknowledgment number is valid.
    pub const ACK: Self = Self(0x010);
    /// URG: the urgent pointer is valid.
    pub const URG: Self = Self(0x020);
    /// ECE: congestion experienced, or ECN offered.
    pub const ECE: Self = Self(0x040);
    /// CWR: congestion window reduced, or ECN offered.
    pub const CWR: Self = Self(0x080);
    /// AE: accurate ECN, formerly NS.
    pub const AE: Self = Self(0x100);

    const NAMES: [(Self, &'static str); 9] = [
        (Self::FIN, "fin"),
        (Self::SYN, "syn"),
        (Self::RST, "rst"),
        (Self::PSH, "psh"),
        (Self::ACK, "ack"),
        (Self::URG, "urg"),
        (Self::ECE, "ece"),
        (Self::CWR, "cwr"),
        (Self::AE, "ae"),
    ];

    /// The twelve bits after the data offset.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether this opens a connection: SYN without ACK, FIN or RST.
    #[inline]
    #[must_use]
    pub const fn is_syn(self) -> bool {
        self.kind() == Self::SYN.0
    }

    /// Whether this answers a SYN: SYN and ACK without FIN or RST.
    #[inline]
    #[must_use]
    pub const fn is_syn_ack(self) -> bool {
        self.kind() == Self::SYN.0 | Self::ACK.0
    }

    /// The flags that make the type of a segment.
    #[inline]
    const fn kind(self) -> u16 {
        self.0 & (Self::SYN.0 | Self::ACK.0 | Self::FIN.0 | Self::RST.0)
    }
}

/// A TCP header without its options ([RFC 9293 §3.1](https://www.rfc-editor.org/rfc/rfc9293#section-3.1)).
#[derive(Clone, Copy, Debug)]
pub struct TcpHeader<'a>(&'a [u8; 20]);

impl<'a> TcpHeader<'a> {
    /// In bytes.
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

    /// Source port.
    #[inline]
    #[must_use]
    pub const fn source_port(&self) -> u16 {
        let &[high, low, ..] = self.0;
        u16::from_be_bytes([high, low])
    }

    /// Destination port.
    #[inline]
    #[must_use]
    pub const fn destination_port(&self) -> u16 {
        let &[_, _, high, low, ..] = self.0;
        u16::from_be_bytes([high, low])
    }

    /// Sequence number.
    #[inline]
    #[must_use]
    pub const fn sequence(&self) -> u32 {
        let &[_, _, _, _, a, b, c, d, ..] = self.0;
        u32::from_be_bytes([a, b, c, d])
    }

    /// Acknowledgment number, also when ACK is clear.
    #[inline]
    #[must_use]
    pub const fn acknowledgment(&self) -> u32 {
        let &[_, _, _, _, _, _, _, _, a, b, c, d, ..] = self.0;
        u32::from_be_bytes([a, b, c, d])
    }

    /// Flags.
    #[inline]
    #[must_use]
    pub const fn flags(&self) -> TcpFlags {
        let &[_, _, _, _, _, _, _, _, _, _, _, _, high, low, ..] = self.0;
        TcpFlags(u16::from_be_bytes([high & 0x0f, low]))
    }

    /// Window in bytes, not scaled.
    #[inline]
    #[must_use]
    pub const fn window(&self) -> u16 {
        let &[.., high, low, _, _, _, _] = self.0;
        u16::from_be_bytes([high, low])
    }

    /// Urgent pointer, also when URG is clear.
    #[inline]
    #[must_use]
    pub const fn urgent_pointer(&self) -> u16 {
        let &[.., high, low] = self.0;
        u16::from_be_bytes([high, low])
    }
}

/// A TCP segment, which has all that its [header](TcpHeader) has.
#[derive(Clone, Copy, Debug)]
pub struct TcpSegment<'a> {
    header: TcpHeader<'a>,
    options: &'a [u8],
    payload: &'a [u8],
}

impl<'a> Deref for TcpSegment<'a> {
    type Target = TcpHeader<'a>;

    #[inline]
    fn deref(&self) -> &TcpHeader<'a> {
        &self.header
    }
}

impl<'a> TcpSegment<'a> {
    #[inline]
    pub(super) const fn new(header: TcpHeader<'a>, options: &'a [u8], payload: &'a [u8]) -> Self {
        Self { header, options, payload }
    }

    /// The header without options.
    #[inline]
    #[must_use]
    pub const fn header(&self) -> TcpHeader<'a> {
        self.header
    }

    /// The bytes between the fixed header and the payload.
    #[inline]
    #[must_use]
    pub const fn options(&self) -> &'a [u8] {
        self.options
    }

    /// The payload, as far as it was captured.
    #[inline]
    #[must_use]
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
    }

    /// Length of header and options in bytes.
    #[inline]
    #[must_use]
    pub const fn header_len(&self) -> usize {
        self.header.bytes().len() + self.options.len()
    }
}

/// A UDP datagram ([RFC 768](https://www.rfc-editor.org/rfc/rfc768)).
#[derive(Clone, Copy, Debug)]
pub struct UdpDatagram<'a> {
    header: UdpHeader,
    payload: &'a [u8],
}

impl<'a> UdpDatagram<'a> {
    #[inline]
    pub(super) const fn new(header: &'a [u8; 8], payload: &'a [u8]) -> Self {
        Self { header: UdpHeader::new(*header), payload }
    }

    /// Source port.
    #[inline]
    #[must_use]
    pub const fn source_port(&self) -> u16 {
        self.header.source_port
    }

    /// Destination port.
    #[inline]
    #[must_use]
    pub const fn destination_port(&self) -> u16 {
        self.header.destination_port
    }

    /// The payload, as far as it was captured.
    #[inline]
    #[must_use]
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
    }
}

#[derive(Clone, Copy, Debug)]
struct UdpHeader {
    source_port: u16,
    destination_port: u16,
    length: u16,
}

impl UdpHeader {
    #[inline]
    const fn new([a, b, c, d, e, f, _, _]: [u8; 8]) -> Self {
        Self {
            source_port: u16::from_be_bytes([a, b]),
            destination_port: u16::from_be_bytes([c, d]),
            length: u16::from_be_bytes([e, f]),
        }
    }
}
