//! Packets that are of interest only while their flow is held: not sent otherwise, none is missing, and no more of them is
//! copied than is wanted.

use std::collections::HashMap;

use huginn_net_core::{
    Affinity, Analyzer, FlowFilter, FlowTag, Joined, Located, Origin, Packet, Pipeline, PoolConfig, Protocol,
};
use testkit::packet::{IpHeader, Ipv4, Udp};

use crate::script::{Script, Step};

/// A datagram of a flow that was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Heard(Origin);

impl Located for Heard {
    fn located(&self) -> Option<&Origin> {
        Some(&self.0)
    }
}

impl Protocol for Heard {
    type Settings = ();

    fn analyzers((): &()) -> Vec<Box<dyn Analyzer<Event = Self>>> {
        vec![Box::new(Listener { left: HashMap::new(), filter: FlowFilter::new() })]
    }
}

/// Reports as many datagrams of a flow as the first one says.
struct Listener {
    left: HashMap<FlowTag, u8>,
    filter: FlowFilter,
}

/// How many datagrams this one wants to be heard from it on, if it begins something.
fn wants(packet: &Packet<'_>) -> Option<u8> {
    packet.udp()?.payload().first().copied().filter(|&count| count > 0)
}

impl Analyzer for Listener {
    type Event = Heard;

    fn affinity(&self, packet: &Packet<'_>) -> Option<Affinity> {
        Some(if wants(packet).is_some() { Affinity::Flow } else { Affinity::HeldFlow })
    }

    fn held(&self) -> Option<FlowFilter> {
        Some(self.filter.clone())
    }

    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Heard)) {
        let Some((flow, _)) = packet.flow() else { return };
        if let Some(count) = wants(packet)
            && self.left.insert(flow, count).is_none()
        {
            self.filter.add(flow);
        }
        let Some(left) = self.left.get_mut(&flow) else { return };
        *left -= 1;
        if *left == 0 {
            self.left.remove(&flow);
            self.filter.remove(flow);
        }
        report(Heard(Origin::of(packet)));
    }
}

/// What of a datagram is there: length of its payload and of its headers, and whether the capture cut it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Measured(Origin, (usize, u32, bool));

impl Located for Measured {
    fn located(&self) -> Option<&Origin> {
        Some(&self.0)
    }
}

/// Measures all datagrams, for which it needs no more than headers.
struct Measurer;

impl Analyzer for Measurer {
    type Event = Measured;

    fn affinity(&self, _: &Packet<'_>) -> Option<Affinity> {
        Some(Affinity::HeldHeaders)
    }

    fn on_packet(&mut self, packet: &Packet<'_>, report: &mut dyn FnMut(Measured)) {
        let layout = packet.layout();
        report(Measured(Origin::of(packet), (packet.payload().len(), layout.header_len(), layout.is_cut())));
    }
}

/// A datagram of a flow, by its port.
fn datagram(port: u16, count: u8) -> Step {
    Step::Raw(Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).udp(&Udp::new(port, 9_000, &[count])), 0)
}

/// Flows that begin, are heard for some time, and go on.
fn conversations() -> impl Iterator<Item = Step> + Send + 'static {
    let mut number = 1_u64;
    (0..20_000).map(move |_| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let [kind, count, port, ..] = number.to_be_bytes();
        datagram(u16::from(port % 100), if kind < 16 { count % 20 } else { 0 })
    })
}

fn origins(pipeline: &Pipeline<Heard>) -> (Vec<Origin>, u64) {
    let mut events = pipeline.analyze(Script::new(conversations()).live());
    let heard = events.by_ref().map(|event| event.expect("a readable source").0).collect();
    let sent = events.stats().pool.map_or(0, |pool| pool.workers.iter().map(|worker| worker.packets).sum());
    (heard, sent)
}

#[test]
fn no_packet_of_a_flow_that_is_held_is_missing() {
    let (expected, _) = origins(&Pipeline::new());
    assert!((2_000..18_000).contains(&expected.len()), "{}", expected.len());
    for config in [
        // Queues that take all, as nothing is to be dropped.
        PoolConfig::new(1, 4_096).with_batch(5, 1_000_000),
        PoolConfig::new(2, 4_096).with_batch(7, 10_000),
        PoolConfig::new(3, 400).with_batch(64, 100_000),
        PoolConfig::new(4, 100),
    ] {
        let (heard, sent) = origins(&Pipeline::new().with_pool(config));
        assert!(heard == expected, "{config:?}");
        assert!(sent >= expected.len() as u64 && sent <= 20_000, "{sent}");
    }
}

#[test]
fn packets_of_flows_that_nobody_holds_are_not_sent() {
    let pool = Pipeline::<Heard>::new().with_pool(PoolConfig::new(2, 2).with_batch(4, 10_000));
    let mut events = pool.analyze(Script::new((0..5_000).map(|number| datagram(number % 50, 0))).live());
    assert_eq!(events.by_ref().count(), 0);
    let workers = events.stats().pool.expect("there are workers").workers;
    assert_eq!(workers.iter().map(|worker| worker.packets).sum::<u64>(), 0);
}

#[test]
fn a_payload_is_copied_only_if_somebody_wants_it_and_headers_and_layout_always() {
    let pool = Pipeline::<Heard>::new().with_analyzer(|| Measurer).with_pool(PoolConfig::new(1, 2));
    // The second begins something, which the third belongs to.
    let steps = [datagram(1, 0), datagram(2, 2), datagram(2, 0), datagram(1, 0)];
    let measured: Vec<_> = pool
        .analyze(Script::new(steps).live())
        .filter_map(|event| match event.expect("a readable source") {
            Joined::Base(_) => None,
            Joined::Added(Measured(origin, lengths)) => Some((origin.source.port(), lengths)),
        })
        .collect();
    let (bare, whole) = ((0, 28, false), (1, 28, false));
    assert_eq!(measured, [(1, bare), (2, whole), (2, whole), (1, bare)]);
}
