//! What the SYN of a connection shows, for what is said in it later.

use huginn_net_core::{AnalyzerStats, Direction, ExpiringLimits, FlowLog, Origin, Timestamp};
use huginn_net_tcp::TcpSettings;

use crate::labels::SharedLabels;
use crate::stacks::{OperatingSystem, Stack};

/// The operating systems of clients, by connection: the SYNs of the last connections, as many as TCP holds and as long.
///
/// SYNs are many and questions few, so that a SYN is only written behind the others.
pub(crate) struct ClientSystems {
    syns: FlowLog<Syn>,
}

struct Syn {
    labels: SharedLabels,
    /// The way of the SYN.
    client: Direction,
}

impl ClientSystems {
    pub(crate) fn new(settings: &TcpSettings) -> Self {
        let limits =
            ExpiringLimits::default().with_max_entries(settings.max_flows).with_idle(settings.flow_timeout);
        Self { syns: FlowLog::new(limits) }
    }

    /// Takes what a SYN shows of its sender.
    #[inline]
    pub(crate) fn on_syn(&mut self, syn: &Stack) {
        let (flow, client) = syn.origin.flow();
        let seen = Syn { labels: syn.labels.clone(), client };
        self.syns.push(flow, seen, syn.origin.captured_at);
    }

    /// What is known of the sender of a packet.
    pub(crate) fn of_sender(&mut self, origin: &Origin) -> Option<&OperatingSystem> {
        let (flow, direction) = origin.flow();
        let syn = self.syns.last(flow).filter(|syn| syn.client == direction)?;
        syn.labels.os.as_ref()
    }

    pub(crate) fn on_time(&mut self, now: Timestamp) {
        self.syns.expire(now, |_| {});
    }

    pub(crate) fn count(&self, stats: &mut AnalyzerStats) {
        stats.add_limit("client_systems", self.syns.evicted());
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;
    use std::sync::Arc;

    use huginn_net_core::{Frame, IpVersion, LinkType, Packet};
    use huginn_net_db::{Class, Label, NamedStacks, Quality, Specificity};
    use huginn_net_tcp::TcpObservation;
    use testkit::packet::{IpHeader as _, Ipv4, Tcp};

    use super::*;
    use crate::event::Distance;
    use crate::stacks::StackLabels;

    const CLIENT: [u8; 4] = [10, 0, 0, 1];
    const SERVER: [u8; 4] = [10, 0, 0, 2];

    /// A packet of the client from this port, at this second.
    fn origin(port: u16, second: u64) -> Origin {
        let datagram = Ipv4::new(CLIENT, SERVER).tcp(&Tcp::new(port, 80));
        let captured_at = Timestamp::from_parts(second, 0);
        let frame = Frame { captured_at, ..Frame::new(&datagram, LinkType::RAW) };
        Origin::of(&Packet::decode(&frame).expect("a packet"))
    }

    /// A SYN from this port, at this second, of a system of this name.
    fn syn(port: u16, second: u64, name: Option<&str>) -> Stack {
        let label = |name| Label::new(Specificity::Specific, Class::Os("unix".into()), name, "");
        let os = name.map(|name| OperatingSystem {
            stacks: NamedStacks::of(&label(name)),
            label: Arc::new(label(name)),
            quality: Quality::Exact,
            line: 1,
            initial_ttl: 64,
            timestamps_stripped: false,
            ttl_rewritten: false,
            mss_origin: None,
        });
        Stack {
            origin: origin(port, second),
            observation: TcpObservation::new(IpVersion::V4, 64, 1024),
            distance: Distance { hops: 0, at_most: false },
            labels: StackLabels { os, ..StackLabels::default() }.into(),
        }
    }

    /// At most `most` SYNs, for 30 seconds.
    fn systems(most: usize) -> ClientSystems {
        let settings = TcpSettings::default().with_max_flows(most);
        ClientSystems::new(&settings.with_flow_timeout(Duration::from_secs(30)))
    }

    fn name(systems: &mut ClientSystems, port: u16) -> Option<String> {
        systems.of_sender(&origin(port, 0)).map(|os| os.label.name.clone())
    }

    fn evicted(systems: &ClientSystems) -> u64 {
        let mut stats = AnalyzerStats::default();
        systems.count(&mut stats);
        stats.limits_hit.iter().map(|(_, count)| count).sum()
    }

    #[test]
    fn the_last_syn_of_a_connection_counts() {
        let mut systems = systems(10);
        assert_eq!(name(&mut systems, 1), None);
        systems.on_syn(&syn(1, 0, Some("Linux")));
        systems.on_syn(&syn(1, 1, Some("Windows")));
        assert_eq!(name(&mut systems, 1).as_deref(), Some("Windows"));
        systems.on_syn(&syn(1, 2, None));
        assert_eq!(name(&mut systems, 1), None);
    }

    #[test]
    fn a_syn_shows_its_sender_and_not_the_other_end() {
        let mut systems = systems(10);
        systems.on_syn(&syn(1, 0, Some("Linux")));
        assert_eq!(systems.of_sender(&origin(1, 0).reversed()), None);
        assert_eq!(name(&mut systems, 1).as_deref(), Some("Linux"));
    }

    #[test]
    fn the_oldest_syn_makes_room_and_is_counted() {
        let mut systems = systems(3);
        for port in 1..=4 {
            systems.on_syn(&syn(port, 0, Some("Linux")));
            assert_eq!(name(&mut systems, port).as_deref(), Some("Linux"));
        }
        assert_eq!((name(&mut systems, 1), evicted(&systems)), (None, 1));
        assert!(name(&mut systems, 2).is_some());
    }

    #[test]
    fn what_is_idle_is_forgotten_and_is_no_limit() {
        let mut systems = systems(3);
        systems.on_syn(&syn(1, 0, Some("Linux")));
        systems.on_syn(&syn(2, 10, Some("Linux")));
        systems.on_time(Timestamp::from_parts(31, 0));
        assert_eq!((name(&mut systems, 1), evicted(&systems)), (None, 0));
        assert!(name(&mut systems, 2).is_some());
    }

    #[test]
    fn whenever_somebody_asks_the_answer_is_that_of_a_search_from_the_last_syn_on() {
        const MOST: usize = 50;
        const NAMES: [Option<&str>; 3] = [None, Some("Linux"), Some("Windows")];
        let (mut systems, mut all) = (systems(MOST), Vec::new());
        let mut number = 1_u64;
        for second in 0..3_000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let [kind, port, ..] = number.to_be_bytes();
            let (port, kind) = (u16::from(port % 80), usize::from(kind >> 4));
            if kind < 12 {
                let name = NAMES[kind % 3];
                systems.on_syn(&syn(port, second / 10, name));
                all.push((port, second / 10, name));
            } else if kind < 13 {
                systems.on_time(Timestamp::from_parts(second / 10, 0));
                all.retain(|&(_, at, _)| second / 10 - at <= 30);
            } else {
                let mut held = all.iter().rev().take(MOST);
                let expected = held.find(|(known, ..)| *known == port).and_then(|(_, _, name)| *name);
                assert_eq!(name(&mut systems, port).as_deref(), expected, "second {second}");
            }
        }
    }
}
