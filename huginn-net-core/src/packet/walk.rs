//! The walk from the first byte of a frame to the transport header.

use core::num::NonZero;
use std::sync::LazyLock;

use super::captured::Captured;
use super::capwap;
use super::layout::{Encapsulation, EncapsulationPath, Form, Layout, Rare};
use super::link::ether_type;
use super::network::{Ipv4Header, Ipv6Header};
use super::rare_link::RareLink;
use super::transport::ports_as_they_lie;
use super::wireless::{Following, Subframe};
use super::{IpHeader, IpProtocol, IpVersion, Undecoded};
use crate::key::Key;
use crate::{Direction, FlowTag, Frame, Reader};

/// Headers followed in one frame, so that no frame costs more than a fixed amount of work.
pub(super) const MAX_HEADERS: usize = 32;
/// Tunnels followed in one frame: what is in IP or UDP counts, tags, labels and headers of bridges do not.
pub(super) const MAX_TUNNELS: u8 = 4;

/// What address spaces are numbered under, the same for the whole process: without a key, whoever chooses the
/// identifiers of nested tunnels could have them come to the number of another address space.
static DOMAIN_KEYS: LazyLock<[Key; 3]> = LazyLock::new(Key::random);

/// What a walk ends at; the [`Walk`] has the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Packet,
    /// A fragment, which [`Walk::fragment`] describes.
    Fragment,
}

/// How a fragment of an IP datagram, or of what a tunnel carries, fits the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment<'a> {
    /// What every fragment repeats: the IP header, and on IPv6 the extension headers before the fragment header.
    pub(super) header: &'a [u8],
    /// What a tunnel carries, if that was cut. Then the header is no part of it.
    pub(super) carried: Option<capwap::InParts>,
    /// Offset within that header of the byte that says what follows: the protocol, or the last next-header field
    /// before the fragment header.
    pub(super) next_header_at: usize,
    /// What the fragmented payload starts with.
    pub(super) next_header: u8,
    pub(super) identification: u32,
    /// Where the payload of this fragment belongs in the datagram's payload, in bytes.
    pub(super) offset: usize,
    pub(super) more: bool,
}

/// What the bytes at the cursor are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    Ethernet,
    EtherType(u16),
    Llc,
    Ppp,
    PppSerial,
    PppoeSession,
    CiscoHdlc,
    Ieee80211 {
        /// Whether the header is padded to a multiple of 4 bytes.
        padded: bool,
    },
    Radiotap,
    Subframe(Subframe),
    Loopback,
    Sll,
    Sll2,
    Pflog,
    TokenRing,
    Fddi,
    FrameRelay,
    PppWithDirection,
    Mpls,
    /// MPLS in a tunnel that is named already.
    Labels,
    Nsh,
    Captured(Captured),
    RareLink(RareLink),
    /// IP of the version its first nibble gives.
    Ip,
    Gre,
    PartInCapwap(capwap::Part),
    WirelessInCapwap,
    /// What an authentication header stood before.
    Carried(IpProtocol),
    /// The walk is over.
    End(End),
}

/// An IP header that has been passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct IpPart<'a> {
    pub(super) at: usize,
    /// The header and what follows it.
    pub(super) packet: &'a [u8],
    pub(super) version: IpVersion,
    /// Length of options or extension headers.
    pub(super) options_len: u8,
    pub(super) total_length_zero: bool,
    /// Offset of the first byte after the datagram, captured or not.
    pub(super) sent_end: usize,
}

impl Next {
    pub(super) const IPV4: Self = Self::EtherType(ether_type::IPV4);
    pub(super) const IPV6: Self = Self::EtherType(ether_type::IPV6);
}

/// What was passed on the way to the cursor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passed {
    path: EncapsulationPath,
    vlan: Option<u16>,
    /// The last VLAN id other than 0.
    inner_vlan: Option<NonZero<u16>>,
    pub(super) domain: u64,
    tunnels: u8,
    /// Offset of the first IP header, once a tunnel has been entered.
    outer_ip_at: usize,
}

/// A cursor over the headers of one frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk<'a> {
    /// The bytes that belong to the header at the cursor and to what it carries.
    pub(super) rest: &'a [u8],
    /// Offset of the end of `rest`.
    end: usize,
    /// Whether more bytes than `rest` were sent, but not captured.
    pub(super) cut: bool,
    /// The innermost IP header so far.
    pub(super) ip: IpPart<'a>,
    /// Offset of the transport header, once the walk is over; the cursor is at the payload then.
    pub(super) transport_at: usize,
    pub(super) protocol: IpProtocol,
    pub(super) fragment: Option<Fragment<'a>>,
    /// What a frame that aggregates several holds behind the one that was walked, whether that gave a packet or not.
    pub(super) following: Option<Following>,
    pub(super) passed: Passed,
}

impl<'a> Walk<'a> {
    /// At the first byte of a frame.
    #[inline(always)]
    pub(super) fn of_frame(frame: &Frame<'a>) -> Self {
        Self { cut: frame.wire_len as usize > frame.bytes.len(), ..Self::new(frame.bytes, Passed::default()) }
    }

    /// At the first byte of a reassembled datagram, whose fragments were reached by way of `passed`. What is outside of
    /// it has no place in these bytes.
    #[inline(always)]
    pub(super) fn new(bytes: &'a [u8], passed: Passed) -> Self {
        Self {
            rest: bytes,
            end: bytes.len(),
            cut: false,
            ip: IpPart {
                at: 0,
                packet: &[],
                version: IpVersion::V4,
                options_len: 0,
                total_length_zero: false,
                sent_end: 0,
            },
            transport_at: 0,
            protocol: IpProtocol(0),
            fragment: None,
            following: None,
            passed: Passed { outer_ip_at: 0, ..passed },
        }
    }

    /// At an IP header of a frame that has been walked before.
    pub(super) fn again(bytes: &'a [u8], ip_at: usize) -> Self {
        let rest = bytes.get(ip_at..).unwrap_or_default();
        // Whether the capture cut the frame is not known any more, and matters only to what was not captured.
        Self { rest, cut: true, ..Self::new(bytes, Passed::default()) }
    }

    /// At what follows in a frame that aggregates several, which may be in a datagram; `None` if there is no more, or none of it was
    /// captured.
    pub(super) fn of_following(frame: &Frame<'a>, following: Following) -> Option<Self> {
        let Following { at, end, passed, .. } = following;
        let whole = Self::of_frame(frame);
        let sent_end = if whole.cut { frame.wire_len as usize } else { end };
        let rest = frame.bytes.get(at..end).filter(|rest| !rest.is_empty())?;
        (sent_end.checked_sub(at)? >= Subframe::HEADER_LEN).then_some(Self { rest, end, passed, ..whole })
    }

    /// A reader of what belongs to the header at the cursor.
    #[inline(always)]
    pub(super) fn reader(&self) -> Reader<'a> {
        Reader::new(self.rest)
    }

    /// Moves the cursor to where `reader` stands.
    #[inline(always)]
    pub(super) fn advance(&mut self, reader: &Reader<'a>) {
        self.rest = reader.rest();
    }
}

impl Walk<'_> {
    /// Offset of the cursor.
    #[inline(always)]
    pub(super) fn at(&self) -> usize {
        self.end - self.rest.len()
    }

    /// Offset of the end of what belongs to the cursor.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Shortens what belongs to the cursor to `len` bytes, as the rest is padding; `false` if there are fewer.
    #[inline(always)]
    pub(super) fn shorten(&mut self, len: usize) -> bool {
        match self.rest.get(..len) {
            Some(shorter) => {
                self.end = self.at() + len;
                self.rest = shorter;
                self.cut = false;
                true
            }
            None => false,
        }
    }

    /// Where the headers are, once the walk is over.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a walk refuses frames of 4 GiB or more")]
    pub(super) fn layout(&self) -> Layout {
        let outer_ip_at = if self.passed.tunnels == 0 { self.ip.at } else { self.passed.outer_ip_at };
        // An authentication header is none of the options of IPv4.
        let is_apart = self.ip.version == IpVersion::V4
            && self.transport_at != self.ip.at + Ipv4Header::LEN + usize::from(self.ip.options_len);
        let (flow, way) = self.flow().unwrap_or((FlowTag::ZERO, Direction::FromLower));
        Layout {
            outer_ip_at: outer_ip_at as u32,
            ip_at: self.ip.at as u32,
            transport_at: self.transport_at as u32,
            payload_at: self.at() as u32,
            end: self.end as u32,
            domain: self.passed.domain,
            path: self.passed.path,
            form: Form::new(self.ip.version, self.ip.options_len, self.protocol, is_apart),
            rare: Rare::new(self.passed.vlan, self.passed.inner_vlan, self.cut, self.ip.total_length_zero),
            flow,
            way,
        }
    }

    /// The flow, and the way in it, once the walk is over; `None` without ports.
    fn flow(&self) -> Option<(FlowTag, Direction)> {
        if !matches!(self.protocol, IpProtocol::TCP | IpProtocol::UDP) {
            return None;
        }
        let IpPart { at, packet, version, .. } = self.ip;
        let ip = match version {
            IpVersion::V4 => IpHeader::V4(Ipv4Header::new(packet.first_chunk()?)),
            IpVersion::V6 => IpHeader::V6(Ipv6Header::new(packet.first_chunk()?)),
        };
        let ports = ports_as_they_lie(packet.get(self.transport_at.checked_sub(at)?..)?.first_chunk()?);
        Some(FlowTag::of_headers(&ip, self.protocol, ports, self.passed.domain))
    }

    /// What a header that does not fit means: the capture was cut, or the header lies.
    #[inline]
    pub(super) fn missing(&self, malformed: Undecoded) -> Undecoded {
        if self.cut { Undecoded::Cut } else { malformed }
    }

    #[inline]
    pub(super) fn enter(&mut self, layer: Encapsulation) -> Result<(), Undecoded> {
        if self.passed.path.push(layer) { Ok(()) } else { Err(Undecoded::TooDeep) }
    }

    #[inline]
    pub(super) fn enter_tunnel(&mut self, layer: Encapsulation) -> Result<(), Undecoded> {
        if self.passed.tunnels == MAX_TUNNELS {
            return Err(Undecoded::TooDeep);
        }
        if self.passed.tunnels == 0 {
            self.passed.outer_ip_at = self.ip.at;
        }
        self.passed.tunnels += 1;
        self.enter(layer)
    }

    /// Remembers the outermost VLAN and the innermost. Id 0 is a priority without a VLAN (IEEE 802.1Q §9.6) and gives
    /// way to one.
    pub(super) fn tag(&mut self, vlan: u16) {
        if self.passed.vlan.is_none_or(|known| known == 0) {
            self.passed.vlan = Some(vlan);
        }
        self.passed.inner_vlan = NonZero::new(vlan).or(self.passed.inner_vlan);
    }

    /// Makes the two ends of a tunnel part of the address space, whichever way the packet goes.
    pub(super) fn separate_by_ends(&mut self) {
        let ends = match self.ip.version {
            IpVersion::V4 => self.ip.packet.get(12..20),
            IpVersion::V6 => self.ip.packet.get(8..40),
        };
        let (source, destination) = ends.map_or((&[][..], &[][..]), |ends| ends.split_at(ends.len() / 2));
        let [of_identifiers, of_pairs, of_ends] = &*DOMAIN_KEYS;
        let mix = |address: &[u8]| address.iter().fold(0, |number, &byte| of_ends.fold(number, byte.into()));
        let (source, destination) = (mix(source), mix(destination));
        let both = of_pairs.fold(source.min(destination), source.max(destination));
        self.passed.domain = of_identifiers.fold(self.passed.domain, both);
    }

    /// Makes an identifier part of the address space.
    #[inline]
    pub(super) fn separate(&mut self, layer: Encapsulation, identifier: u32) {
        let [of_identifiers, ..] = &*DOMAIN_KEYS;
        let id = (layer as u64) << 32 | u64::from(identifier);
        self.passed.domain = of_identifiers.fold(self.passed.domain, id);
    }
}

impl Walk<'_> {
    /// Walks a frame from its link layer.
    #[inline(always)]
    pub(super) fn start(&mut self, frame: &Frame<'_>) -> Result<End, Undecoded> {
        match Next::of_link_type(frame.link_type) {
            // Offsets are kept in 32 bits; capture files are held to far shorter frames.
            Some(_) if u32::try_from(frame.bytes.len()).is_err() => Err(Undecoded::FrameTooLong),
            Some(next) => self.go(next),
            None => Err(Undecoded::UnknownLinkType),
        }
    }

    /// Walks on from the cursor.
    #[inline]
    pub(super) fn go(&mut self, next: Next) -> Result<End, Undecoded> {
        match self.follow(next) {
            // The header is too short for its protocol, not for the capture.
            Err(Undecoded::Cut) if !self.cut => Err(Undecoded::Encapsulation),
            end => end,
        }
    }

    fn follow(&mut self, mut next: Next) -> Result<End, Undecoded> {
        for _ in 0..MAX_HEADERS {
            next = match next {
                Next::End(end) => return Ok(end),
                other => self.step(other)?,
            };
        }
        Err(Undecoded::TooDeep)
    }

    /// Passes the header at the cursor.
    #[inline(always)]
    pub(super) fn step(&mut self, next: Next) -> Result<Next, Undecoded> {
        match next {
            Next::Ethernet => self.ethernet(),
            Next::EtherType(ether_type) => self.ether_type(ether_type),
            other => self.seldom(other),
        }
    }

    /// What most captures do not have, apart from the rest so that it does not weigh on it.
    #[inline(never)]
    fn seldom(&mut self, next: Next) -> Result<Next, Undecoded> {
        match next {
            Next::Ip => self.ip_of_version(),
            Next::Llc => self.llc(),
            Next::Ppp => self.ppp(),
            Next::PppSerial => self.ppp_serial(),
            Next::PppoeSession => self.pppoe_session(),
            Next::CiscoHdlc => self.cisco_hdlc(),
            Next::Ieee80211 { padded } => self.ieee80211(padded),
            Next::Radiotap => self.radiotap(),
            Next::Subframe(kind) => self.subframe(kind),
            Next::Loopback => self.loopback(),
            Next::Sll => self.sll(),
            Next::Sll2 => self.sll2(),
            Next::Pflog => self.pflog(),
            Next::TokenRing => self.token_ring(),
            Next::Fddi => self.fddi(),
            Next::FrameRelay => self.frame_relay(),
            Next::PppWithDirection => self.ppp_with_direction(),
            Next::Mpls => self.mpls(),
            Next::Labels => self.labels(),
            Next::Nsh => self.nsh(),
            Next::Captured(by) => self.captured(by),
            Next::RareLink(link) => self.rare_link(link),
            Next::Gre => self.gre(),
            Next::PartInCapwap(part) => self.part_in_capwap(part),
            Next::WirelessInCapwap => self.wireless_in_capwap(),
            Next::Carried(protocol) => self.protocol(protocol),
            Next::Ethernet | Next::EtherType(_) | Next::End(_) => Ok(next),
        }
    }
}
