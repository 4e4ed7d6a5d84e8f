//! Where an event was seen.

use core::fmt;
use core::net::{IpAddr, SocketAddr};

use crate::{Direction, EncapsulationPath, FlowTag, IpHeader, IpProtocol, Packet, TcpHeader, Timestamp};

/// Where and when an event was seen: that of the packet which completed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// Capture time.
    pub captured_at: Timestamp,
    /// 1-based number of the frame in its capture.
    pub frame: u64,
    /// Sender of the packet, by the innermost IP header.
    pub source: Endpoint,
    /// Receiver of the packet, by the innermost IP header.
    pub destination: Endpoint,
    /// Transport protocol.
    pub protocol: IpProtocol,
    /// Outermost VLAN id, when tagged.
    pub vlan: Option<u16>,
    /// What the packet was wrapped in, from the outside in.
    pub path: EncapsulationPath,
    /// The address space, see [`Layout::domain`](crate::Layout::domain): equal addresses of different ones are
    /// different hosts.
    pub domain: u64,
}

const _: () = assert!(size_of::<Origin>() == 80, "every event has one and is moved with it");

impl Origin {
    /// The origin of an event that `packet` completes. Ports are 0 for protocols without.
    #[inline]
    #[must_use]
    pub fn of(packet: &Packet<'_>) -> Self {
        Self::of_parts(packet, packet.addresses(), packet.ports().unwrap_or_default())
    }

    /// The same of a packet whose headers the caller has.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn of_headers(packet: &Packet<'_>, ip: &IpHeader<'_>, tcp: &TcpHeader<'_>) -> Self {
        Self::of_parts(packet, ip.addresses(), (tcp.source_port(), tcp.destination_port()))
    }

    #[inline(always)]
    fn of_parts(
        packet: &Packet<'_>,
        (source, destination): (IpAddr, IpAddr),
        (source_port, destination_port): (u16, u16),
    ) -> Self {
        Self {
            captured_at: packet.captured_at(),
            frame: packet.number(),
            source: Endpoint::new(source, source_port),
            destination: Endpoint::new(destination, destination_port),
            protocol: packet.protocol(),
            vlan: packet.layout().vlan(),
            path: packet.layout().path(),
            domain: packet.layout().domain(),
        }
    }

    /// The flow of the packet, and the way the packet went, as [`Packet::flow`] tells it.
    #[inline]
    #[must_use]
    pub fn flow(&self) -> (FlowTag, Direction) {
        FlowTag::of_origin(self)
    }

    /// The same, seen from the other end.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { source: self.destination, destination: self.source, ..self }
    }
}

/// An address and a port; displays as a [`SocketAddr`] does, and is in the same order.
///
/// It takes 20 bytes where a `SocketAddr` takes 32, as an IPv6 header tells neither the interface of an address nor that a
/// flow label belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Endpoint {
    ip: IpAddr,
    port: u16,
}

impl Endpoint {
    /// An endpoint of this address and port.
    #[inline]
    #[must_use]
    pub const fn new(ip: IpAddr, port: u16) -> Self {
        Self { ip, port }
    }

    /// The address.
    #[inline]
    #[must_use]
    pub const fn ip(self) -> IpAddr {
        self.ip
    }

    /// The port; 0 for protocols without.
    #[inline]
    #[must_use]
    pub const fn port(self) -> u16 {
        self.port
    }
}

impl From<Endpoint> for SocketAddr {
    #[inline]
    fn from(end: Endpoint) -> Self {
        Self::new(end.ip, end.port)
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SocketAddr::from(*self).fmt(f)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SocketAddr::from(*self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Endpoints whose addresses and ports are in one order as text and in another as numbers.
    const ENDS: [&str; 6] =
        ["10.0.0.2:80", "10.0.0.10:9", "10.0.0.2:443", "[2001:db8::1]:80", "[::ffff:10.0.0.2]:80", "[::1]:0"];

    fn ends() -> impl Iterator<Item = (SocketAddr, Endpoint)> {
        ENDS.into_iter().map(|text| {
            let end: SocketAddr = text.parse().expect("an address with a port");
            (end, Endpoint::new(end.ip(), end.port()))
        })
    }

    #[test]
    fn an_endpoint_reads_as_the_socket_address_that_it_becomes() {
        for (address, end) in ends() {
            assert_eq!(SocketAddr::from(end), address);
            assert_eq!(format!("{end:>22} {end:?}"), format!("{address:>22} {address:?}"));
        }
    }

    #[test]
    fn endpoints_are_in_the_order_of_socket_addresses() {
        for (address, end) in ends() {
            for (other_address, other) in ends() {
                assert_eq!(end.cmp(&other), address.cmp(&other_address), "{end} {other}");
            }
        }
    }
}
