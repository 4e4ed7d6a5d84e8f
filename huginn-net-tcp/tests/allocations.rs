//! What a packet costs the analyzer in memory.

#![cfg(test)]

use huginn_net_core::{Analyzer, Decoder, Frame, LinkType, Timestamp};
use huginn_net_tcp::{TcpAnalyzer, TcpSettings};
use testkit::alloc::{self, Allocations};
use testkit::encap::link;
use testkit::packet::{Extension, IpHeader, Ipv4, Ipv6, Tcp, TcpOption, Udp, flags};

/// Decoder and analyzer, as the driver joins them.
struct Stages {
    decoder: Decoder,
    analyzer: TcpAnalyzer,
    nanos: u64,
}

impl Stages {
    fn new(settings: TcpSettings) -> Self {
        Self {
            decoder: Decoder::default(),
            analyzer: TcpAnalyzer::new(settings),
            nanos: 1_700_000_000_000_000_000,
        }
    }

    /// Takes frames, a millisecond apart, and tells what that allocated.
    fn cost<'a>(&mut self, frames: impl IntoIterator<Item = &'a Vec<u8>>) -> Allocations {
        let ((), allocations) = alloc::measure(|| {
            for bytes in frames {
                self.nanos += 1_000_000;
                let captured_at = Timestamp::from_nanos(self.nanos);
                let frame = Frame { captured_at, ..Frame::new(bytes, LinkType::ETHERNET) };
                if let Ok(packet) = self.decoder.decode(&frame)
                    && self.analyzer.affinity(&packet).is_some()
                {
                    self.analyzer.on_packet(&packet, &mut drop);
                }
                self.analyzer.on_time(captured_at, &mut drop);
            }
        });
        allocations
    }
}

fn header(host: u8) -> Ipv4 {
    Ipv4::new([10, 0, 0, host], [10, 0, 1, 1])
}

fn syn(port: u16) -> Tcp {
    Tcp::new(port, 80).sequence(1).options([TcpOption::Mss(1_460), TcpOption::Timestamps(5, 0)])
}

fn syn_ack(port: u16, options: &[TcpOption]) -> Vec<u8> {
    let flags = flags::SYN | flags::ACK;
    let segment = Tcp::new(80, port).acknowledgment(2).flags(flags).options(options.to_vec());
    link::ethernet(&Ipv4::new([10, 0, 1, 1], [10, 0, 0, 1]).tcp(&segment))
}

#[test]
fn a_packet_that_nobody_wants_costs_no_allocation() {
    let ack = Tcp::new(40_000, 80).flags(flags::ACK).payload(&[7; 1_000]);
    let six = Ipv6::new([1; 8], [2; 8]).extensions([Extension::HopByHop(vec![1, 4])]);
    let frames = [
        link::ethernet_of(0x0806, &[0; 28]),
        link::ethernet(&header(1).udp(&Udp::new(53, 53, &[0; 100]))),
        link::ethernet(&header(1).tcp(&ack)),
        link::ethernet(&six.tcp(&ack)),
        link::ethernet(&header(1).tcp(&Tcp::new(40_000, 80).flags(flags::FIN | flags::ACK))),
        link::ethernet(&header(1).tcp(&Tcp::new(40_000, 80).flags(flags::RST))),
        link::ethernet(&header(1).tcp(&Tcp::new(40_000, 80).flags(flags::SYN | flags::FIN))),
        syn_ack(40_000, &[]),
        link::ethernet(&header(1).carry(1, &[8, 0, 0, 0])),
        vec![0; 10],
    ];
    assert_eq!(Stages::new(TcpSettings::default()).cost(&frames), Allocations::NONE);
}

#[test]
fn syns_cost_what_the_flow_table_grows_by_and_nothing_once_it_is_full() {
    let settings = TcpSettings::default().with_max_flows(1_000);
    let syns = |from: u16| -> Vec<_> {
        (from..from + 1_000).map(|port| link::ethernet(&header(1).tcp(&syn(port)))).collect()
    };
    let mut stages = Stages::new(settings);
    let growth = stages.cost(&syns(1));
    // Two lists that double: 1,000 entries take less than twenty steps.
    assert!(growth.count < 30, "{growth:?}");
    assert_eq!(stages.cost(&syns(1)), Allocations::NONE, "retransmissions");
    assert_eq!(stages.cost(&syns(2_000)), Allocations::NONE, "each takes the place of another one");
}

#[test]
fn a_whole_connection_without_timestamps_costs_nothing_once_there_was_one() {
    let connection = |port| {
        let segment = |flags| Tcp::new(port, 80).flags(flags).payload(b"data");
        [
            link::ethernet(&header(1).tcp(&Tcp::new(port, 80))),
            syn_ack(port, &[TcpOption::Mss(1_460)]),
            link::ethernet(&header(1).tcp(&segment(flags::ACK))),
            link::ethernet(&header(1).tcp(&segment(flags::ACK | flags::FIN))),
        ]
    };
    let mut stages = Stages::new(TcpSettings::default().with_max_flows(1));
    stages.cost(&connection(1));
    assert_eq!(stages.cost(&connection(2)), Allocations::NONE);
}

#[test]
fn an_answer_with_a_clock_costs_no_allocation_as_no_packet_may_follow() {
    let handshake = |port| {
        [
            link::ethernet(&header(1).tcp(&syn(port))),
            syn_ack(port, &[TcpOption::Mss(1_460), TcpOption::Timestamps(9, 5)]),
        ]
    };
    let mut stages = Stages::new(TcpSettings::default().with_max_flows(1));
    stages.cost(&handshake(1));
    assert_eq!(stages.cost(&handshake(2)), Allocations::NONE);
}

#[test]
fn a_connection_whose_clocks_are_measured_costs_one_allocation_and_gives_it_back() {
    let mut frames =
        vec![link::ethernet(&header(1).tcp(&syn(5))), syn_ack(5, &[TcpOption::Timestamps(9, 5)])];
    for step in 1..100 {
        let timestamps = [TcpOption::Timestamps(5 + step, 9)];
        let data = Tcp::new(5, 80).flags(flags::ACK).options(timestamps);
        frames.push(link::ethernet(&header(1).tcp(&data)));
    }
    frames.push(link::ethernet(&header(1).tcp(&Tcp::new(5, 80).flags(flags::RST))));
    let mut stages = Stages::new(TcpSettings::default());
    stages.cost(&frames);
    let again = stages.cost(&frames);
    assert_eq!((again.count, again.kept_bytes), (1, 0), "{again:?}");
}
