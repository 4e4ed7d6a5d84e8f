//! What the SYN of a connection shows, for what is said in it later.

use std::collections::VecDeque;
use std::sync::Arc;

use huginn_net_core::{AnalyzerStats, Direction, FlowTag, FlowTagger, HashKeys, Origin, TagHash, Timestamp};
use huginn_net_db::Label;
use huginn_net_tcp::TcpSettings;

use crate::stacks::{Stack, StackLabels};

/// The operating systems of clients, by connection: the SYNs of the last connections, as many as TCP holds and as long.
///
/// SYNs are many and questions few, so that a SYN is only written behind the others. They are looked through when
/// somebody asks, each of them once.
pub(crate) struct ClientSystems {
    tagger: FlowTagger,
    most: usize,
    idle_nanos: u64,
    /// In the order in which they were seen.
    syns: VecDeque<Syn>,
    /// Number of the first of them; they are numbered from 1.
    first: u64,
    /// Number of the first that is not in `chains`.
    unchained: u64,
    /// Number of the last SYN of those whose tags end alike, which leads to the others; 0 for none. A power of two, and at
    /// least as many as there were SYNs when somebody asked last.
    chains: Vec<u64>,
    evicted: u64,
}

struct Syn {
    tag: FlowTag,
    captured_at: Timestamp,
    /// Number of the SYN before it in its chain.
    before: u64,
    labels: Arc<StackLabels>,
    /// The way of the SYN.
    client: Direction,
}

impl ClientSystems {
    pub(crate) fn new(settings: &TcpSettings) -> Self {
        Self {
            tagger: FlowTagger::random(),
            most: settings.max_flows.max(1),
            idle_nanos: u64::try_from(settings.flow_timeout.as_nanos()).unwrap_or(u64::MAX),
            syns: VecDeque::new(),
            first: 1,
            unchained: 1,
            chains: Vec::new(),
            evicted: 0,
        }
    }

    /// Takes what a SYN shows of its sender.
    #[inline]
    pub(crate) fn on_syn(&mut self, syn: &Stack) {
        if self.syns.len() >= self.most {
            let is_idle = self.is_first_idle(syn.origin.captured_at);
            self.evicted += u64::from(!is_idle);
            self.forget_first();
        }
        let (tag, client) = self.tagger.flow_of(&syn.origin);
        let (captured_at, labels) = (syn.origin.captured_at, Arc::clone(&syn.labels));
        self.syns.push_back(Syn { tag, captured_at, before: 0, labels, client });
    }

    /// What is known of the sender of a packet.
    pub(crate) fn of_sender(&mut self, origin: &Origin) -> Option<&Label> {
        self.chain();
        let (tag, direction) = self.tagger.flow_of(origin);
        let mut number = *self.chains.get(self.chain_of(tag))?;
        // Each SYN of a chain is older than the one that leads to it, and those that were forgotten are at its end.
        while let Some(syn) = self.position(number).and_then(|position| self.syns.get(position)) {
            if syn.tag == tag {
                let os = syn.labels.os.as_ref().filter(|_| syn.client == direction);
                return os.map(|os| &*os.label);
            }
            number = syn.before;
        }
        None
    }

    /// Puts the SYNs that came since the last question into their chains.
    fn chain(&mut self) {
        if self.chains.len() < self.syns.len() {
            self.chains = vec![0; self.syns.len().next_power_of_two()];
            self.unchained = self.first;
        }
        let from = self.unchained.max(self.first);
        // At most the number behind the last SYN, so that the range is one.
        let Some(position) = self.position(from).filter(|&position| position <= self.syns.len()) else {
            return;
        };
        let mask = self.chains.len().wrapping_sub(1);
        for (number, syn) in (from..).zip(self.syns.range_mut(position..)) {
            if let Some(last) = self.chains.get_mut(place(syn.tag, mask)) {
                syn.before = std::mem::replace(last, number);
            }
            self.unchained = number + 1;
        }
    }

    fn chain_of(&self, tag: FlowTag) -> usize {
        place(tag, self.chains.len().wrapping_sub(1))
    }

    /// Where the SYN of this number is, if it has not been forgotten.
    fn position(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.first)?).ok()
    }

    pub(crate) fn on_time(&mut self, now: Timestamp) {
        while self.is_first_idle(now) {
            self.forget_first();
        }
    }

    fn is_first_idle(&self, now: Timestamp) -> bool {
        let first = self.syns.front();
        first.is_some_and(|syn| now.as_nanos().abs_diff(syn.captured_at.as_nanos()) > self.idle_nanos)
    }

    fn forget_first(&mut self) {
        self.syns.pop_front();
        self.first += 1;
    }

    pub(crate) fn count(&self, stats: &mut AnalyzerStats) {
        stats.add_limit("client_systems", self.evicted);
    }
}

/// Which of `mask + 1` chains a tag belongs to.
#[expect(clippy::cast_possible_truncation, reason = "as many bits as the mask has")]
fn place(tag: FlowTag, mask: usize) -> usize {
    TagHash.hash(&tag) as usize & mask
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use huginn_net_core::{Frame, IpVersion, LinkType, Packet};
    use huginn_net_db::{Class, Quality, Specificity};
    use huginn_net_tcp::TcpObservation;
    use testkit::packet::{IpHeader as _, Ipv4, Tcp};

    use super::*;
    use crate::event::Distance;
    use crate::stacks::OperatingSystem;

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
        let os = name.map(|name| OperatingSystem {
            label: Arc::new(Label::new(Specificity::Specific, Class::Os("unix".into()), name, "")),
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
            labels: Arc::new(StackLabels { os, ..StackLabels::default() }),
        }
    }

    /// At most `most` SYNs, for 30 seconds.
    fn systems(most: usize) -> ClientSystems {
        let settings = TcpSettings::default().with_max_flows(most);
        ClientSystems::new(&settings.with_flow_timeout(Duration::from_secs(30)))
    }

    fn name(systems: &mut ClientSystems, port: u16) -> Option<String> {
        systems.of_sender(&origin(port, 0)).map(|label| label.name.clone())
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
