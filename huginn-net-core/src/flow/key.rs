//! Flows and their two directions.

use core::hash::{Hash, Hasher};
use core::net::{IpAddr, Ipv6Addr, SocketAddr};

use crate::{IpProtocol, IpVersion, Packet};

/// What the packets of one flow have in common, in either direction: two endpoints, a transport protocol and the
/// address space (see [`Layout::domain`](crate::Layout::domain)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowKey {
    lower: Endpoint,
    higher: Endpoint,
    protocol: IpProtocol,
    version: IpVersion,
    domain: u64,
}

/// Addresses as numbers compare and hash fast; an IPv4 address takes the lowest 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Endpoint {
    address: u128,
    port: u16,
}

impl Endpoint {
    fn new(address: IpAddr, port: u16) -> Self {
        let address = match address {
            IpAddr::V4(address) => u128::from(address.to_bits()),
            IpAddr::V6(address) => address.to_bits(),
        };
        Self { address, port }
    }

    fn to_socket_addr(self, version: IpVersion) -> SocketAddr {
        #[expect(clippy::cast_possible_truncation, reason = "IPv4 addresses take 32 bits")]
        let address = match version {
            IpVersion::V4 => IpAddr::V4((self.address as u32).into()),
            IpVersion::V6 => IpAddr::V6(Ipv6Addr::from_bits(self.address)),
        };
        SocketAddr::new(address, self.port)
    }
}

/// Which way a packet of a flow goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the endpoint that compares lower to the other.
    FromLower,
    /// From the endpoint that compares higher to the other.
    FromHigher,
}

impl Direction {
    /// The other way.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::FromLower => Self::FromHigher,
            Self::FromHigher => Self::FromLower,
        }
    }
}

impl FlowKey {
    /// The flow of a TCP or UDP packet and the way the packet goes; `None` for other protocols.
    #[inline]
    pub fn of(packet: &Packet<'_>) -> Option<(Self, Direction)> {
        let (source_port, destination_port) = match packet.tcp() {
            Some(segment) => (segment.source_port(), segment.destination_port()),
            None => packet.udp().map(|datagram| (datagram.source_port(), datagram.destination_port()))?,
        };
        let (source, destination) = packet.addresses();
        let source = Endpoint::new(source, source_port);
        let destination = Endpoint::new(destination, destination_port);
        let (lower, higher, direction) = if source <= destination {
            (source, destination, Direction::FromLower)
        } else {
            (destination, source, Direction::FromHigher)
        };
        let key = Self {
            lower,
            higher,
            protocol: packet.protocol(),
            version: packet.ip_version(),
            domain: packet.layout().domain(),
        };
        Some((key, direction))
    }

    /// The endpoint that packets of this direction come from.
    pub fn source(&self, direction: Direction) -> SocketAddr {
        match direction {
            Direction::FromLower => self.lower,
            Direction::FromHigher => self.higher,
        }
        .to_socket_addr(self.version)
    }

    /// The endpoint that packets of this direction go to.
    pub fn destination(&self, direction: Direction) -> SocketAddr {
        self.source(direction.reversed())
    }

    /// The transport protocol.
    pub const fn protocol(&self) -> IpProtocol {
        self.protocol
    }

    /// The address space.
    pub const fn domain(&self) -> u64 {
        self.domain
    }
}

impl Hash for FlowKey {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.lower.address);
        state.write_u128(self.higher.address);
        let rest = u64::from(self.lower.port) << 32
            | u64::from(self.higher.port) << 16
            | u64::from(self.protocol.0) << 8
            | self.version as u64;
        state.write_u64(rest);
        state.write_u64(self.domain);
    }
}
