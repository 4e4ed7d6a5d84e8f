//! What is made of what the analyzer sees.

use huginn_net_core::Origin;

use crate::{Handshake, Seen, TcpEvent, Uptime};

/// Makes the events of a [`TcpAnalyzer`](crate::TcpAnalyzer), each where it is reported from: to move an event that has just
/// been written costs as much as to make it.
pub trait MakeEvent: Send {
    /// What is reported.
    type Event;

    /// What may be remembered with observations that are alike.
    ///
    /// Most segments look like one that was seen before. Those that come with one memo, from when it was
    /// [`Default::default`] on, are all SYNs or all SYN+ACKs, and differ in no more than
    /// [`TcpObservation::ttl`](crate::TcpObservation::ttl), the values of
    /// [`TcpObservation::timestamps`](crate::TcpObservation::timestamps), and of the facts, the range of the source port and
    /// whether the SYN was seen. How long a memo is kept is not told, and nothing may depend on it.
    type Memo: Default + Send;

    /// Of a SYN that was seen there.
    fn syn(&mut self, origin: Origin, seen: Seen<'_>, memo: &mut Self::Memo) -> Self::Event;

    /// Of a SYN+ACK that was seen there.
    fn syn_ack(&mut self, origin: Origin, seen: Seen<'_>, memo: &mut Self::Memo) -> Self::Event;

    /// Of the clock of a connection.
    fn uptime(uptime: Uptime) -> Self::Event;
}

/// Makes a [`TcpEvent`] of what was seen, and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsSeen;

impl MakeEvent for AsSeen {
    type Event = TcpEvent;
    type Memo = ();

    #[inline(always)]
    fn syn(&mut self, origin: Origin, seen: Seen<'_>, (): &mut ()) -> TcpEvent {
        TcpEvent::Syn(Handshake { origin, observation: seen.observation() })
    }

    #[inline(always)]
    fn syn_ack(&mut self, origin: Origin, seen: Seen<'_>, (): &mut ()) -> TcpEvent {
        TcpEvent::SynAck(Handshake { origin, observation: seen.observation() })
    }

    fn uptime(uptime: Uptime) -> TcpEvent {
        TcpEvent::Uptime(uptime)
    }
}
