//! What a SYN or SYN+ACK shows of the stack that sent it.

use core::fmt;

use huginn_net_core::{IpVersion, TcpFlags};

use crate::options::{OptionLayout, TcpOptions, Timestamps};
use crate::ttl::TtlGuess;
use crate::{Quirks, WindowMultiple};

/// What was seen of one SYN or SYN+ACK, without any wildcard.
///
/// Displays as p0f 3.09b writes `raw_sig`: `ver:ttl+distance:olen:mss:window,scale:options:quirks:payload`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TcpObservation {
    /// IP version of the header that carried the segment.
    pub ip_version: IpVersion,
    /// TTL (IPv4) or hop limit (IPv6) as captured.
    pub ttl: u8,
    /// Length of the IPv4 options or of all IPv6 extension headers, in bytes; 255 stands for more.
    pub ip_options_len: u8,
    /// Maximum segment size in bytes, when the option is there.
    pub mss: Option<u16>,
    /// Window as captured, in bytes, not scaled.
    pub window: u16,
    /// The window as a multiple of a segment size, when it is one. An accidental multiple is possible: compare
    /// [`TcpObservation::window`] too.
    pub window_multiple: Option<WindowMultiple>,
    /// Window scale as a shift count, when the option is there.
    pub window_scale: Option<u8>,
    /// Order of the TCP options.
    pub layout: OptionLayout,
    /// Unusual properties of the packet.
    pub quirks: Quirks,
    /// Whether bytes follow the TCP header.
    pub has_payload: bool,
    /// The timestamps option.
    pub timestamps: Option<Timestamps>,
    /// MSS of the SYN that a SYN+ACK answers, when that SYN was seen and had one.
    pub syn_mss: Option<u16>,
    /// What the SYN offered that a SYN+ACK answers, when that SYN was seen: a server answers no option that was not
    /// offered, so that its own order of options shows only with all of them.
    pub syn_offer: Option<SynOffer>,
    /// Further facts, which no p0f signature speaks of.
    pub facts: TcpFacts,
}

impl TcpObservation {
    /// An observation of a segment without IP options, TCP options, quirks and payload; set the fields that differ.
    #[must_use]
    pub fn new(ip_version: IpVersion, ttl: u8, window: u16) -> Self {
        Self {
            ip_version,
            ttl,
            ip_options_len: 0,
            mss: None,
            window,
            window_multiple: None,
            window_scale: None,
            layout: OptionLayout::EMPTY,
            quirks: Quirks::NONE,
            has_payload: false,
            timestamps: None,
            syn_mss: None,
            syn_offer: None,
            facts: TcpFacts::default(),
        }
    }

    /// Initial TTL and distance guessed from the TTL alone.
    #[must_use]
    pub fn ttl_guess(&self) -> TtlGuess {
        TtlGuess::of(self.ttl)
    }

    /// MTU of the sender's link in bytes: MSS and the headers it leaves room for, which is 40 bytes on IPv4 and
    /// 60 on IPv6 ([RFC 9293 §3.7.1](https://www.rfc-editor.org/rfc/rfc9293#section-3.7.1)), whatever options there
    /// are. `None` without an MSS.
    #[must_use]
    pub fn mtu(&self) -> Option<u32> {
        let headers = match self.ip_version {
            IpVersion::V4 => IPV4_HEADERS,
            IpVersion::V6 => IPV6_HEADERS,
        };
        self.mss.filter(|&mss| mss != 0).map(|mss| u32::from(mss) + u32::from(headers))
    }
}

impl fmt::Display for TcpObservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = self.ip_version;
        let ttl = self.ttl_guess();
        let (olen, mss) = (self.ip_options_len, self.mss.unwrap_or(0));
        write!(f, "{version}:{ttl}:{olen}:{mss}:")?;
        match self.window_multiple {
            Some(multiple) => write!(f, "{multiple}")?,
            None => write!(f, "{}", self.window)?,
        }
        let scale = self.window_scale.unwrap_or(0);
        let payload = if self.has_payload { '+' } else { '0' };
        write!(f, ",{scale}:{}:{}:{payload}", self.layout, self.quirks)
    }
}

/// Bytes of IP and TCP header that an MSS leaves room for ([RFC 9293 §3.7.1]).
///
/// [RFC 9293 §3.7.1]: https://www.rfc-editor.org/rfc/rfc9293#section-3.7.1
pub const IPV4_HEADERS: u16 = 40;
/// As [`IPV4_HEADERS`], of IPv6.
pub const IPV6_HEADERS: u16 = 60;

/// Facts beside the signature that tell scanners and special stacks apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TcpFacts {
    /// Differentiated services code point, 0 to 63 ([RFC 2474 §3](https://www.rfc-editor.org/rfc/rfc2474#section-3)).
    pub dscp: u8,
    /// IP ECN field, 0 to 3 ([RFC 3168 §5](https://www.rfc-editor.org/rfc/rfc3168#section-5)).
    pub ecn_ip: u8,
    /// AE, CWR and ECE as the bits 4, 2 and 1 ([RFC 3168 §6.1](https://www.rfc-editor.org/rfc/rfc3168#section-6.1)).
    pub ecn_tcp: u8,
    /// The three reserved bits of the TCP header.
    pub reserved: u8,
    /// What range the source port is from; `None` if not known.
    pub source_port: Option<PortClass>,
    /// What the IPv4 identification is; `None` on IPv6.
    pub ip_id: Option<IpIdClass>,
    /// The sequence number equals the destination address, as Mirai and its descendants send it. IPv4 only.
    pub seq_is_destination: bool,
    /// Length of the TCP Fast Open cookie in bytes, 0 for a cookie request.
    pub fast_open_cookie: Option<u8>,
    /// Version of Multipath TCP offered.
    pub mptcp_version: Option<u8>,
    /// The IPv4 total length is zero, as segmentation offload leaves it; the captured length was used.
    pub total_length_zero: bool,
    /// The capture cut the packet after its TCP header, so that the payload is not complete.
    pub truncated: bool,
    /// A SYN+ACK whose SYN was not seen or that acknowledges something else.
    pub unpaired: bool,
}

impl TcpFacts {
    /// Whether a SYN offers Accurate ECN: AE, CWR and ECE all set
    /// ([RFC 9768 §3.1.1](https://www.rfc-editor.org/rfc/rfc9768#section-3.1.1)).
    #[must_use]
    pub const fn accurate_ecn(&self) -> bool {
        self.ecn_tcp == 0b111
    }
}

/// Extensions that a SYN offers, which the SYN+ACK may take up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SynOffer {
    /// Window scale (RFC 7323 §2).
    pub window_scale: bool,
    /// Selective acknowledgments (RFC 2018 §2).
    pub sack: bool,
    /// Timestamps (RFC 7323 §3).
    pub timestamps: bool,
    /// A TCP Fast Open cookie, or the request for one (RFC 7413 §4.1.1).
    pub fast_open: bool,
    /// Multipath TCP (RFC 8684 §3.1).
    pub multipath: bool,
    /// Explicit congestion notification: ECE and CWR both set (RFC 3168 §6.1.1).
    pub ecn: bool,
}

impl SynOffer {
    /// What a SYN offers with these flags and options.
    #[inline]
    pub(crate) fn of(flags: TcpFlags, options: &TcpOptions) -> Self {
        Self {
            window_scale: options.window_scale.is_some(),
            sack: options.sack_permitted,
            timestamps: options.timestamps.is_some(),
            fast_open: options.fast_open_cookie.is_some(),
            multipath: options.mptcp_version.is_some(),
            ecn: flags.contains(TcpFlags::ECE.union(TcpFlags::CWR)),
        }
    }

    /// The same in one byte.
    #[inline]
    pub(crate) fn pack(self) -> PackedOffer {
        let Self { window_scale, sack, timestamps, fast_open, multipath, ecn } = self;
        let flags = [window_scale, sack, timestamps, fast_open, multipath, ecn];
        PackedOffer(flags.into_iter().rev().fold(0, |bits, flag| bits << 1 | u8::from(flag)))
    }
}

/// A [`SynOffer`] of which many are held, its fields as bits from the lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackedOffer(u8);

impl PackedOffer {
    /// That of a byte that [`bits`](Self::bits) gave.
    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The byte, of which the highest two bits are zero.
    #[inline]
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    pub(crate) fn unpack(self) -> SynOffer {
        let has = |bit: u8| self.0 >> bit & 1 == 1;
        SynOffer {
            window_scale: has(0),
            sack: has(1),
            timestamps: has(2),
            fast_open: has(3),
            multipath: has(4),
            ecn: has(5),
        }
    }
}

/// Ranges of port numbers ([RFC 6335 §6](https://www.rfc-editor.org/rfc/rfc6335#section-6)), which are all there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PortClass {
    /// 0 to 1023: assigned; a client needs privileges for them, or is a tool.
    System,
    /// 1024 to 49151: assigned, yet most stacks take some of them for clients.
    User,
    /// 49152 to 65535: for clients.
    Dynamic,
}

impl PortClass {
    /// The range of a port.
    #[must_use]
    pub const fn of(port: u16) -> Self {
        match port {
            0..=1023 => Self::System,
            1024..=49_151 => Self::User,
            49_152.. => Self::Dynamic,
        }
    }
}

/// Classes of IPv4 identifications that give a sender away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IpIdClass {
    /// Zero.
    Zero,
    /// 54321, which zmap sends.
    Zmap,
    /// Destination address, destination port and sequence number folded by exclusive or, which masscan sends.
    Masscan,
    /// Anything else.
    Other,
}
