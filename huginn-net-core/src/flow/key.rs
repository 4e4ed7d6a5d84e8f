//! Flows and their two directions.

use core::hash::{Hash, Hasher};
use core::net::{IpAddr, Ipv6Addr, SocketAddr};

use crate::{IpProtocol, IpVersion, Packet};

/// What the packets of one flow have in common, in either direction: two endpoints, a transport protocol and the
/// address space (see [`Layout::domain`](crate::Layout::domain)).
///
/// Takes 48 bytes, as a table may hold many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowKey {
    lower: u128,
    higher: u128,
    domain: u64,
    lower_port: u16,
    higher_port: u16,
    protocol: IpProtocol,
    version: IpVersion,
}

/// Addresses as numbers compare and hash fast; an IPv4 address takes the lowest 32 bits.
#[inline]
fn to_number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// Which of the two ways a packet of a flow goes; there is no third.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the endpoint that comes first in some fixed order, or from the only one.
    FromLower,
    /// From the other one.
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
    #[must_use]
    pub fn of(packet: &Packet<'_>) -> Option<(Self, Direction)> {
        let (source_port, destination_port) = packet.ports()?;
        let (source, destination) = packet.addresses();
        let (source, destination) = (to_number(source), to_number(destination));
        let direction = if (source, source_port) <= (destination, destination_port) {
            Direction::FromLower
        } else {
            Direction::FromHigher
        };
        let (lower, higher, lower_port, higher_port) = match direction {
            Direction::FromLower => (source, destination, source_port, destination_port),
            Direction::FromHigher => (destination, source, destination_port, source_port),
        };
        let key = Self {
            lower,
            higher,
            domain: packet.layout().domain(),
            lower_port,
            higher_port,
            protocol: packet.protocol(),
            version: packet.ip_version(),
        };
        Some((key, direction))
    }

    /// The endpoint that packets of this direction come from.
    #[must_use]
    pub fn source(&self, direction: Direction) -> SocketAddr {
        let (address, port) = match direction {
            Direction::FromLower => (self.lower, self.lower_port),
            Direction::FromHigher => (self.higher, self.higher_port),
        };
        #[expect(clippy::cast_possible_truncation, reason = "IPv4 addresses take 32 bits")]
        let address = match self.version {
            IpVersion::V4 => IpAddr::V4((address as u32).into()),
            IpVersion::V6 => IpAddr::V6(Ipv6Addr::from_bits(address)),
        };
        SocketAddr::new(address, port)
    }

    /// The endpoint that packets of this direction go to.
    #[must_use]
    pub fn destination(&self, direction: Direction) -> SocketAddr {
        self.source(direction.reversed())
    }

    /// The transport protocol.
    #[must_use]
    pub const fn protocol(&self) -> IpProtocol {
        self.protocol
    }

    /// The address space.
    #[must_use]
    pub const fn domain(&self) -> u64 {
        self.domain
    }
}

impl Hash for FlowKey {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.lower);
        state.write_u128(self.higher);
        let rest = u64::from(self.lower_port) << 32
            | u64::from(self.higher_port) << 16
            | u64::from(self.protocol.0) << 8
            | self.version as u64;
        state.write_u64(rest);
        state.write_u64(self.domain);
    }
}
