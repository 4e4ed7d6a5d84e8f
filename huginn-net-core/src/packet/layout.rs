//! Where the headers of a packet are.

use core::fmt;
use core::num::NonZero;

use super::{IpProtocol, IpVersion};
use crate::{Direction, FlowTag};

/// Where the headers of a packet are in its bytes, and how they were reached.
///
/// Holds no reference, so that it can be carried along when the bytes are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Offset of the outermost IP header in these bytes.
    pub(super) outer_ip_at: u32,
    /// Offset of the innermost IP header.
    pub(super) ip_at: u32,
    /// Offset of what follows the IP header and its extension headers.
    pub(super) transport_at: u32,
    /// Offset of the TCP or UDP payload.
    pub(super) payload_at: u32,
    /// Offset of the first byte after the IP datagram, or after the captured bytes where they end earlier.
    pub(super) end: u32,
    pub(super) domain: u64,
    pub(super) path: EncapsulationPath,
    pub(super) form: Form,
    pub(super) rare: Rare,
    /// The flow, and the way of the packet in it; nothing of packets without ports.
    pub(super) flow: FlowTag,
    pub(super) way: Direction,
}

impl Layout {
    /// What the packet was wrapped in, from the outside in.
    #[inline]
    #[must_use]
    pub const fn path(&self) -> EncapsulationPath {
        self.path
    }

    /// Outermost VLAN id, 0 to 4095, when tagged.
    #[inline]
    #[must_use]
    pub const fn vlan(&self) -> Option<u16> {
        self.rare.vlan()
    }

    /// Innermost VLAN id other than 0, when tagged; the outermost one if there is but one.
    #[inline]
    #[must_use]
    pub const fn inner_vlan(&self) -> Option<u16> {
        self.rare.inner_vlan()
    }

    /// A number that differs between address spaces: made, under a key of this process, of the VLAN, PPPoE, GRE and
    /// overlay identifiers that were passed, 0 when there were none. No result may depend on its value or order.
    /// Identifiers that differ between the two directions of a flow (MPLS labels,
    /// GTP-U tunnel endpoints) are not part of it.
    #[inline]
    #[must_use]
    pub const fn domain(&self) -> u64 {
        self.domain
    }

    /// Length of the IPv4 options or of all IPv6 extension headers, in bytes; 255 stands for more.
    #[inline]
    #[must_use]
    pub const fn ip_options_len(&self) -> u8 {
        self.form.ip_options_len()
    }

    /// Whether the capture ends before the IP datagram does.
    #[inline]
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.rare.0 & Rare::CUT != 0
    }

    /// Whether the IP header gives the length as zero, as captures of segmentation offload do; the length of the
    /// frame was used instead.
    #[inline]
    #[must_use]
    pub const fn has_zero_length(&self) -> bool {
        self.rare.0 & Rare::ZERO_LENGTH != 0
    }

    /// Whether it is [cut](Self::is_cut) or [has a length of zero](Self::has_zero_length).
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub const fn is_cut_or_has_zero_length(&self) -> bool {
        self.rare.0 & (Rare::CUT | Rare::ZERO_LENGTH) != 0
    }

    /// Length of IP header, extension headers and, for TCP and UDP, transport header, in bytes.
    #[inline]
    #[must_use]
    pub const fn header_len(&self) -> u32 {
        self.payload_at.saturating_sub(self.ip_at)
    }

    /// Length of the [payload](super::Packet::payload) in bytes, as far as it was captured.
    #[inline]
    #[must_use]
    pub const fn payload_len(&self) -> u32 {
        self.end.saturating_sub(self.payload_at)
    }
}

/// What the innermost IP header is and what follows it, in one word: written in one step, and compared in one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Form(u32);

impl Form {
    /// TCP right behind an IPv4 header.
    pub(super) const TCP_V4: Self = Self::new(IpVersion::V4, 0, IpProtocol::TCP, false);

    /// `is_apart` says whether more than options is between the IP header and what follows it.
    #[inline]
    pub(super) const fn new(
        version: IpVersion,
        ip_options_len: u8,
        protocol: IpProtocol,
        is_apart: bool,
    ) -> Self {
        Self(u32::from_le_bytes([protocol.0, version as u8, ip_options_len, is_apart as u8]))
    }

    #[inline]
    pub(super) const fn protocol(self) -> IpProtocol {
        let [protocol, ..] = self.0.to_le_bytes();
        IpProtocol(protocol)
    }

    #[inline]
    pub(super) const fn ip_version(self) -> IpVersion {
        let [_, version, ..] = self.0.to_le_bytes();
        if version == IpVersion::V4 as u8 { IpVersion::V4 } else { IpVersion::V6 }
    }

    #[inline]
    const fn ip_options_len(self) -> u8 {
        let [_, _, len, _] = self.0.to_le_bytes();
        len
    }
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Form")
            .field("ip_version", &self.ip_version())
            .field("ip_options_len", &self.ip_options_len())
            .field("protocol", &self.protocol())
            .finish()
    }
}

/// What most packets have nothing of, in one word, which is zero for them: a word that is read as it was written need not be
/// waited for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Rare(u64);

impl Rare {
    // Below them, the outermost VLAN id and whether there is one, and the innermost.
    const CUT: u64 = 1 << 48;
    const ZERO_LENGTH: u64 = 1 << 49;

    pub(super) fn new(
        vlan: Option<u16>,
        inner_vlan: Option<NonZero<u16>>,
        is_cut: bool,
        has_zero_length: bool,
    ) -> Self {
        let vlan = vlan.map_or(0, |vlan| 1 << 16 | u64::from(vlan));
        let inner_vlan = u64::from(inner_vlan.map_or(0, NonZero::get));
        let cut = if is_cut { Self::CUT } else { 0 };
        let zero_length = if has_zero_length { Self::ZERO_LENGTH } else { 0 };
        Self(vlan | inner_vlan << 32 | cut | zero_length)
    }

    #[inline]
    const fn vlan(self) -> Option<u16> {
        let [low, high, is_there, ..] = self.0.to_le_bytes();
        if is_there != 0 { Some(u16::from_le_bytes([low, high])) } else { None }
    }

    #[inline]
    const fn inner_vlan(self) -> Option<u16> {
        let [_, _, _, _, low, high, ..] = self.0.to_le_bytes();
        match u16::from_le_bytes([low, high]) {
            0 => None,
            vlan => Some(vlan),
        }
    }
}

impl fmt::Debug for Rare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rare")
            .field("vlan", &self.vlan())
            .field("inner_vlan", &self.inner_vlan())
            .field("is_cut", &(self.0 & Self::CUT != 0))
            .field("has_zero_length", &(self.0 & Self::ZERO_LENGTH != 0))
            .finish()
    }
}

/// Something a packet is wrapped in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Encapsulation {
    /// IEEE 802.1Q or 802.1ad tag.
    Vlan = 1,
    /// A stack of MPLS labels ([RFC 3032](https://www.rfc-editor.org/rfc/rfc3032)).
    Mpls,
    /// PPPoE session ([RFC 2516](https://www.rfc-editor.org/rfc/rfc2516)).
    Pppoe,
    /// IPv4 in IPv4 ([RFC 2003](https://www.rfc-editor.org/rfc/rfc2003)).
    IpIp,
    /// IPv6 in IPv4 ([RFC 4213](https://www.rfc-editor.org/rfc/rfc4213)).
    SixInFour,
    /// IPv4 in IPv6 ([RFC 2473](https://www.rfc-editor.org/rfc/rfc2473)).
    FourInSix,
    /// IPv6 in IPv6 (RFC 2473).
    SixInSix,
    /// GRE ([RFC 2784](https://www.rfc-editor.org/rfc/rfc2784), [RFC 2890](https://www.rfc-editor.org/rfc/rfc2890)).
    Gre,
    /// ERSPAN type I, II or III over GRE (draft-foschiano-erspan).
    Erspan,
    /// VXLAN ([RFC 7348](https://www.rfc-editor.org/rfc/rfc7348)).
    Vxlan,
    /// Geneve ([RFC 8926](https://www.rfc-editor.org/rfc/rfc8926)).
    Geneve,
    /// GTP-U (3GPP TS 29.281).
    GtpU,
    /// Teredo ([RFC 4380](https://www.rfc-editor.org/rfc/rfc4380)).
    Teredo,
    /// Provider backbone bridging (IEEE 802.1ah).
    Pbb,
    /// MACsec that protects and does not encrypt (IEEE 802.1AE).
    Macsec,
    /// VN-Tag of a fabric extender (IEEE 802.1Qbh).
    VnTag,
    /// E-TAG of a bridge port extender (IEEE 802.1BR).
    ETag,
    /// Cisco FabricPath.
    FabricPath,
    /// TRILL ([RFC 6325](https://www.rfc-editor.org/rfc/rfc6325)).
    Trill,
    /// Network service header ([RFC 8300](https://www.rfc-editor.org/rfc/rfc8300)).
    Nsh,
    /// Ethernet in IP: EtherIP ([RFC 3378](https://www.rfc-editor.org/rfc/rfc3378)), and the protocol that SRv6 uses
    /// ([RFC 8986 §10.1](https://www.rfc-editor.org/rfc/rfc8986#section-10.1)).
    EtherIp,
    /// L2TP, version 2 ([RFC 2661](https://www.rfc-editor.org/rfc/rfc2661)) or 3
    /// ([RFC 3931](https://www.rfc-editor.org/rfc/rfc3931)).
    L2tp,
    /// VXLAN with the generic protocol extension (draft-ietf-nvo3-vxlan-gpe).
    VxlanGpe,
    /// Generic UDP encapsulation (draft-ietf-intarea-gue).
    Gue,
    /// LISP ([RFC 9300](https://www.rfc-editor.org/rfc/rfc9300)).
    Lisp,
    /// TZSP, in which sniffers send what they have captured.
    Tzsp,
    /// CAPWAP, in which access points and their controllers send each other the frames of stations
    /// ([RFC 5415](https://www.rfc-editor.org/rfc/rfc5415)).
    Capwap,
}

impl Encapsulation {
    const ALL: [Self; 27] = [
        Self::Vlan,
        Self::Mpls,
        Self::Pppoe,
        Self::IpIp,
        Self::SixInFour,
        Self::FourInSix,
        Self::SixInSix,
        Self::Gre,
        Self::Erspan,
        Self::Vxlan,
        Self::Geneve,
        Self::GtpU,
        Self::Teredo,
        Self::Pbb,
        Self::Macsec,
        Self::VnTag,
        Self::ETag,
        Self::FabricPath,
        Self::Trill,
        Self::Nsh,
        Self::EtherIp,
        Self::L2tp,
        Self::VxlanGpe,
        Self::Gue,
        Self::Lisp,
        Self::Tzsp,
        Self::Capwap,
    ];

    /// A short fixed word, for example `vxlan`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vlan => "vlan",
            Self::Mpls => "mpls",
            Self::Pppoe => "pppoe",
            Self::IpIp => "ipip",
            Self::SixInFour => "6in4",
            Self::FourInSix => "4in6",
            Self::SixInSix => "6in6",
            Self::Gre => "gre",
            Self::Erspan => "erspan",
            Self::Vxlan => "vxlan",
            Self::Geneve => "geneve",
            Self::GtpU => "gtpu",
            Self::Teredo => "teredo",
            Self::Pbb => "pbb",
            Self::Macsec => "macsec",
            Self::VnTag => "vntag",
            Self::ETag => "etag",
            Self::FabricPath => "fabricpath",
            Self::Trill => "trill",
            Self::Nsh => "nsh",
            Self::EtherIp => "etherip",
            Self::L2tp => "l2tp",
            Self::VxlanGpe => "vxlan-gpe",
            Self::Gue => "gue",
            Self::Lisp => "lisp",
            Self::Tzsp => "tzsp",
            Self::Capwap => "capwap",
        }
    }
}

/// What a packet is wrapped in, from the outside in; at most 12 layers, five bits each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct EncapsulationPath(u64);

impl EncapsulationPath {
    const BITS: u32 = 5;
    const MAX_LAYERS: u32 = u64::BITS / Self::BITS;
    const MASK: u64 = (1 << Self::BITS) - 1;

    /// Adds a layer inside the others; `false` if there is no room.
    #[inline]
    pub(super) fn push(&mut self, layer: Encapsulation) -> bool {
        let used = u64::BITS - self.0.leading_zeros();
        let layers = used.div_ceil(Self::BITS);
        if layers >= Self::MAX_LAYERS {
            return false;
        }
        self.0 |= (layer as u64) << (layers * Self::BITS);
        true
    }

    /// Whether there is no layer.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The layers, from the outside in.
    pub fn iter(self) -> impl Iterator<Item = Encapsulation> {
        (0..Self::MAX_LAYERS).map_while(move |index| {
            let code = usize::try_from(self.0 >> (index * Self::BITS) & Self::MASK).ok()?;
            Encapsulation::ALL.get(code.checked_sub(1)?).copied()
        })
    }
}

impl fmt::Debug for EncapsulationPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(Encapsulation::name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_gives_its_layers_back_in_order_and_refuses_a_thirteenth() {
        let (all, _) = Encapsulation::ALL.as_chunks::<12>();
        let last = Encapsulation::ALL.last_chunk::<12>();
        for layers in all.iter().chain(last) {
            let mut path = EncapsulationPath::default();
            assert!(path.is_empty());
            assert!(layers.iter().all(|&layer| path.push(layer)));
            assert!(!path.push(Encapsulation::Gre));
            assert_eq!(path.iter().collect::<Vec<_>>(), layers);
        }
    }
}
