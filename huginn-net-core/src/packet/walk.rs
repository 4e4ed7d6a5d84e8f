//! The walk from the first byte of a frame to the transport header.

use super::layout::{Encapsulation, EncapsulationPath, Layout};
use super::{IpVersion, Undecoded};
use crate::{Frame, Reader};

/// Headers followed in one frame, so that no frame costs more than a fixed amount of work.
const MAX_HEADERS: usize = 32;
/// Tunnels followed in one frame: IP-in-IP, GRE, VXLAN, Geneve, GTP-U and Teredo count, tags and labels do not.
const MAX_TUNNELS: u8 = 4;

/// What a walk ends at.
pub(super) enum Located {
    Packet(Layout),
    Fragment(Fragment),
}

/// A fragment of an IP datagram, where it lies, and the walk that led to it.
pub(super) struct Fragment {
    pub(super) walk: Walk,
    pub(super) version: IpVersion,
    /// Offset of the IP header.
    pub(super) ip_at: usize,
    /// Length of the part every fragment repeats: the IP header, and on IPv6 the extension headers before the
    /// fragment header.
    pub(super) header_len: usize,
    /// Offset within `ip_at..` of the byte that says what follows: the protocol, or the last next-header field
    /// before the fragment header.
    pub(super) next_header_at: usize,
    /// What the fragmented payload starts with.
    pub(super) next_header: u8,
    pub(super) identification: u32,
    /// Where the payload of this fragment belongs in the datagram's payload, in bytes.
    pub(super) offset: usize,
    pub(super) more: bool,
    pub(super) payload_at: usize,
    pub(super) payload_end: usize,
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
    Loopback,
    Sll,
    Sll2,
    Pflog,
    /// IP of the version its first nibble gives.
    Ip,
    Ipv4,
    Ipv6,
    Gre,
    Done(Layout),
}

/// A cursor over the headers of one frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    /// Offset of the next header.
    pub(super) at: usize,
    /// Offset of the first byte that does not belong to the header at the cursor.
    pub(super) end: usize,
    /// Whether more bytes than up to `end` were sent, but not captured.
    pub(super) cut: bool,
    pub(super) path: EncapsulationPath,
    pub(super) vlan: Option<u16>,
    pub(super) domain: u64,
    tunnels: u8,
}

impl Walk {
    pub(super) fn new(bytes: &[u8], cut: bool) -> Self {
        Self {
            at: 0,
            end: bytes.len(),
            cut,
            path: EncapsulationPath::default(),
            vlan: None,
            domain: 0,
            tunnels: 0,
        }
    }

    /// The walk that goes on at the start of a reassembled datagram.
    pub(super) fn restarted(self, len: usize) -> Self {
        Self { at: 0, end: len, cut: false, ..self }
    }

    /// A reader of what belongs to the header at the cursor.
    #[inline]
    pub(super) fn reader<'a>(&self, bytes: &'a [u8]) -> Reader<'a> {
        Reader::new(bytes.get(self.at..self.end).unwrap_or_default())
    }

    /// What a header that does not fit means: the capture was cut, or the header lies.
    #[inline]
    pub(super) fn missing(&self, malformed: Undecoded) -> Undecoded {
        if self.cut { Undecoded::Cut } else { malformed }
    }

    #[inline]
    pub(super) fn enter(&mut self, layer: Encapsulation) -> Result<(), Undecoded> {
        if self.path.push(layer) { Ok(()) } else { Err(Undecoded::TooDeep) }
    }

    #[inline]
    pub(super) fn enter_tunnel(&mut self, layer: Encapsulation) -> Result<(), Undecoded> {
        if self.tunnels == MAX_TUNNELS {
            return Err(Undecoded::TooDeep);
        }
        self.tunnels += 1;
        self.enter(layer)
    }

    /// Makes an identifier part of the address space.
    #[inline]
    pub(super) fn separate(&mut self, layer: Encapsulation, identifier: u32) {
        let id = (layer as u64) << 32 | u64::from(identifier);
        // Multiplication by an odd number is a bijection, so that no identifier cancels an earlier one.
        self.domain = (self.domain ^ id).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// Walks a frame from its link layer.
#[inline]
pub(super) fn walk_frame(frame: &Frame<'_>) -> Result<Located, Undecoded> {
    let next = Next::of_link_type(frame.link_type).ok_or(Undecoded::UnknownLinkType)?;
    let cut = frame.wire_len as usize > frame.bytes.len();
    walk(frame.bytes, Walk::new(frame.bytes, cut), next)
}

/// Walks on from a cursor.
#[inline]
pub(super) fn walk(bytes: &[u8], mut walk: Walk, next: Next) -> Result<Located, Undecoded> {
    match steps(bytes, &mut walk, next) {
        // The header is too short for its protocol, not for the capture.
        Err(Undecoded::Cut) if !walk.cut => Err(Undecoded::Encapsulation),
        other => other,
    }
}

fn steps(bytes: &[u8], walk: &mut Walk, mut next: Next) -> Result<Located, Undecoded> {
    // Offsets are kept in 32 bits; capture files are held to far shorter frames.
    if u32::try_from(bytes.len()).is_err() {
        return Err(Undecoded::FrameTooLong);
    }
    for _ in 0..MAX_HEADERS {
        next = match next {
            Next::Ethernet => walk.ethernet(bytes)?,
            Next::EtherType(ether_type) => walk.ether_type(bytes, ether_type)?,
            Next::Llc => walk.llc(bytes)?,
            Next::Ppp => walk.ppp(bytes)?,
            Next::PppSerial => walk.ppp_serial(bytes)?,
            Next::PppoeSession => walk.pppoe_session(bytes)?,
            Next::CiscoHdlc => walk.cisco_hdlc(bytes)?,
            Next::Ieee80211 { padded } => walk.ieee80211(bytes, padded)?,
            Next::Radiotap => walk.radiotap(bytes)?,
            Next::Loopback => walk.loopback(bytes)?,
            Next::Sll => walk.sll(bytes)?,
            Next::Sll2 => walk.sll2(bytes)?,
            Next::Pflog => walk.pflog(bytes)?,
            Next::Ip => match walk.reader(bytes).peek().map(|first| first >> 4) {
                Some(4) => Next::Ipv4,
                Some(6) => Next::Ipv6,
                Some(_) => return Err(Undecoded::IpVersion),
                None => return Err(walk.missing(Undecoded::IpLength)),
            },
            Next::Ipv4 => match walk.ipv4(bytes)? {
                Step::Next(next) => next,
                Step::Fragment(fragment) => return Ok(Located::Fragment(fragment)),
            },
            Next::Ipv6 => match walk.ipv6(bytes)? {
                Step::Next(next) => next,
                Step::Fragment(fragment) => return Ok(Located::Fragment(fragment)),
            },
            Next::Gre => walk.gre(bytes)?,
            Next::Done(layout) => return Ok(Located::Packet(layout)),
        };
    }
    Err(Undecoded::TooDeep)
}

/// What a header leads to.
pub(super) enum Step {
    Next(Next),
    Fragment(Fragment),
}
