//! Hellos that wait for the rest of their bytes, within one budget.

use huginn_net_core::{Direction, FlowTag, HeldBytes, TagHash};

use super::cut::CutHello;
use super::datagrams::{DtlsEnd, QuicClient};
use super::reading::Reading;

/// A flow and the way the bytes go.
pub(super) type PendingKey = (FlowTag, Direction);

/// All that waits, the oldest given up first.
pub(super) type Pending = huginn_net_core::Pending<PendingKey, Begun, TagHash>;

/// What one sender has begun.
pub(super) enum Begun {
    /// The first segment of a hello that goes on in the next.
    Cut(CutHello),
    /// Anything else of a connection.
    Stream(Box<Reading>),
    Quic(QuicClient),
    Dtls(Box<DtlsEnd>),
}

impl Begun {
    /// Whether a part of a hello is there, and not only what may stand before one.
    pub(super) fn has_hello(&self) -> bool {
        match self {
            Self::Cut(_) => true,
            Self::Stream(reading) => reading.has_hello(),
            Self::Quic(client) => client.has_hello(),
            Self::Dtls(end) => end.has_hello(),
        }
    }
}

impl HeldBytes for Begun {
    fn held_bytes(&self) -> usize {
        match self {
            Self::Cut(hello) => hello.held_bytes(),
            Self::Stream(reading) => reading.held_bytes(),
            Self::Quic(client) => client.held_bytes(),
            Self::Dtls(end) => end.held_bytes(),
        }
    }
}
