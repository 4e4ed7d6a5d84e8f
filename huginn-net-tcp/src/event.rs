//! What is reported of TCP.

use huginn_net_core::{Located, Origin};

use crate::{TcpObservation, Uptime};

/// Something seen of a TCP stack.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TcpEvent {
    /// A SYN, which shows the stack of a client. Retransmissions are not reported while the connection is held.
    Syn(Handshake),
    /// The SYN+ACK that answers it, which shows the stack of a server.
    SynAck(Handshake),
    /// The clock of a host, seen in its TCP timestamps.
    Uptime(Uptime),
}

impl TcpEvent {
    /// Where and when it was seen.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        match self {
            Self::Syn(handshake) | Self::SynAck(handshake) => &handshake.origin,
            Self::Uptime(uptime) => &uptime.origin,
        }
    }
}

impl Located for TcpEvent {
    fn located(&self) -> Option<&Origin> {
        Some(self.origin())
    }
}

/// A SYN or SYN+ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Handshake {
    /// Where and when it was seen; the source is the host whose stack it shows.
    pub origin: Origin,
    /// What it shows.
    pub observation: TcpObservation,
}
