//! Where the headers of a packet are.

use core::fmt;
use core::num::NonZero;

use super::{IpProtocol, IpVersion};

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
    pub(super) vlan: Option<u16>,
    pub(super) inner_vlan: Option<NonZero<u16>>,
    pub(super) protocol: IpProtocol,
    pub(super) ip_version: IpVersion,
    pub(super) ip_options_len: u8,
    pub(super) cut: bool,
    pub(super) total_length_zero: bool,
}

impl Layout {
    /// What the packet was wrapped in, from the outside in.
    #[inline]
    pub const fn path(&self) -> EncapsulationPath {
        self.path
    }

    /// Outermost VLAN id, 0 to 4095, when tagged.
    #[inline]
    pub const fn vlan(&self) -> Option<u16> {
        self.vlan
    }

    /// Innermost VLAN id other than 0, when tagged; the outermost one if there is but one.
    #[inline]
    pub fn inner_vlan(&self) -> Option<u16> {
        self.inner_vlan.map(NonZero::get)
    }

    /// A number that differs between address spaces: made, under a key of this process, of the VLAN, PPPoE, GRE and
    /// overlay identifiers that were passed, 0 when there were none. No result may depend on its value or order.
    /// Identifiers that differ between the two directions of a flow (MPLS labels,
    /// GTP-U tunnel endpoints) are not part of it.
    #[inline]
    pub const fn domain(&self) -> u64 {
        self.domain
    }

    /// Length of the IPv4 options or of all IPv6 extension headers, in bytes; 255 stands for more.
    #[inline]
    pub const fn ip_options_len(&self) -> u8 {
        self.ip_options_len
    }

    /// Whether the capture ends before the IP datagram does.
    #[inline]
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether the IP header gives the length as zero, as captures of segmentation offload do; the length of the
    /// frame was used instead.
    #[inline]
    pub const fn has_zero_length(&self) -> bool {
        self.total_length_zero
    }

    /// Length of IP header, extension headers and, for TCP and UDP, transport header, in bytes.
    #[inline]
    pub const fn header_len(&self) -> u32 {
        self.payload_at.saturating_sub(self.ip_at)
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
}

impl Encapsulation {
    const ALL: [Self; 13] = [
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
    ];

    /// A short fixed word, for example `vxlan`.
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
        }
    }
}

/// What a packet is wrapped in, from the outside in; at most 16 layers, four bits each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct EncapsulationPath(u64);

impl EncapsulationPath {
    /// Adds a layer inside the others; `false` if there is no room.
    #[inline]
    pub(super) fn push(&mut self, layer: Encapsulation) -> bool {
        let used = u64::BITS - self.0.leading_zeros();
        let shift = used.next_multiple_of(4);
        if shift >= u64::BITS {
            return false;
        }
        self.0 |= (layer as u64) << shift;
        true
    }

    /// Whether there is no layer.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The layers, from the outside in.
    pub fn iter(self) -> impl Iterator<Item = Encapsulation> {
        (0..u64::BITS).step_by(4).map_while(move |shift| {
            let code = usize::try_from(self.0 >> shift & 0xf).ok()?;
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
    fn a_path_gives_its_layers_back_in_order_and_refuses_a_seventeenth() {
        let mut path = EncapsulationPath::default();
        assert!(path.is_empty());
        for layer in Encapsulation::ALL.into_iter().chain([Encapsulation::Vlan; 3]) {
            assert!(path.push(layer));
        }
        assert!(!path.push(Encapsulation::Gre));
        let expected: Vec<_> = Encapsulation::ALL.into_iter().chain([Encapsulation::Vlan; 3]).collect();
        assert_eq!(path.iter().collect::<Vec<_>>(), expected);
    }
}
