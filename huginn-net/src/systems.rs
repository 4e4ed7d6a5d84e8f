//! What the SYN of a connection shows, for what is said in it later.

use std::sync::Arc;

use huginn_net_core::{
    AnalyzerStats, Direction, Expiring, ExpiringLimits, FlowTag, FlowTagger, Origin, Timestamp,
};
use huginn_net_db::Label;
use huginn_net_tcp::TcpSettings;

use crate::event::Stack;

/// The operating systems of clients, by connection: as many as TCP holds connections, and as long.
pub(crate) struct ClientSystems {
    tagger: FlowTagger,
    connections: Expiring<FlowTag, ClientSystem>,
}

struct ClientSystem {
    label: Arc<Label>,
    /// The way of the SYN.
    client: Direction,
}

impl ClientSystems {
    pub(crate) fn new(settings: &TcpSettings) -> Self {
        let limits =
            ExpiringLimits::default().with_max_entries(settings.max_flows).with_idle(settings.flow_timeout);
        Self { tagger: FlowTagger::random(), connections: Expiring::new(limits) }
    }

    /// Takes what a SYN shows of its sender.
    pub(crate) fn on_syn(&mut self, syn: &Stack) {
        let (tag, client) = self.tagger.flow_of(&syn.origin);
        match &syn.os {
            Some(os) => {
                let system = ClientSystem { label: Arc::clone(&os.label), client };
                self.connections.insert(tag, system, syn.origin.captured_at);
            }
            // Of an earlier connection with the same ports.
            None => _ = self.connections.remove(&tag),
        }
    }

    /// What is known of the sender of a packet.
    pub(crate) fn of_sender(&self, origin: &Origin) -> Option<&Label> {
        let (tag, direction) = self.tagger.flow_of(origin);
        let system = self.connections.get(&tag)?;
        (system.client == direction).then(|| &*system.label)
    }

    pub(crate) fn on_time(&mut self, now: Timestamp) {
        self.connections.expire(now, |_, _| {});
    }

    pub(crate) fn count(&self, stats: &mut AnalyzerStats) {
        stats.add_limit("client_systems", self.connections.stats().evicted);
    }
}
