//! Wrappings of an IP datagram or an Ethernet frame: link layers, tunnels, fragments.

pub mod bridge;
pub mod captured;
pub mod fragment;
pub mod link;
pub mod tunnel;

/// EtherTypes the wrappings write.
pub mod ether_type {
    /// IPv4.
    pub const IPV4: u16 = 0x0800;
    /// IPv6.
    pub const IPV6: u16 = 0x86dd;
    /// 802.1Q tag.
    pub const VLAN: u16 = 0x8100;
    /// 802.1ad service tag.
    pub const SERVICE_VLAN: u16 = 0x88a8;
    /// The service tag of equipment older than 802.1ad.
    pub const OLD_SERVICE_VLAN: u16 = 0x9100;
    /// MPLS.
    pub const MPLS: u16 = 0x8847;
    /// PPPoE, session stage.
    pub const PPPOE_SESSION: u16 = 0x8864;
    /// Cisco metadata.
    pub const CISCO_METADATA: u16 = 0x8909;
    /// An Ethernet frame inside GRE or Geneve.
    pub const ETHERNET: u16 = 0x6558;
    /// ERSPAN type I and II inside GRE.
    pub const ERSPAN: u16 = 0x88be;
    /// ERSPAN type III inside GRE.
    pub const ERSPAN_III: u16 = 0x22eb;
}

/// The EtherType of an IP datagram.
///
/// # Panics
/// If its version is neither 4 nor 6.
#[must_use]
pub fn ether_type_of(datagram: &[u8]) -> u16 {
    match datagram[0] >> 4 {
        4 => ether_type::IPV4,
        6 => ether_type::IPV6,
        version => panic!("an IP datagram of version {version}"),
    }
}

/// The PPP protocol number of an IP datagram (RFC 1332, RFC 5072).
fn ppp_protocol_of(datagram: &[u8]) -> u16 {
    if ether_type_of(datagram) == ether_type::IPV4 { 0x0021 } else { 0x0057 }
}

/// Joins the pieces of a frame.
fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}
