//! An expression as it was read.

use super::network::Network;
use crate::{IpProtocol, IpVersion};

/// Tests, and how their answers are combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    Test(Test),
    Not(Box<Self>),
    /// All of them hold.
    All(Vec<Self>),
    /// Any of them holds.
    Any(Vec<Self>),
}

/// What can be asked of one IP header, what it carries, and the tags of its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Version(IpVersion),
    Protocol(IpProtocol),
    Address(End, Network),
    /// A port of TCP or UDP from the first to the second.
    Port(End, (u16, u16)),
    /// A tag, of this id.
    Vlan(Option<u16>),
}

/// Which end of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Source,
    Destination,
}
