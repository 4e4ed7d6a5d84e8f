//! Traffic made to wear the analyzer out or to mislead it.

#![cfg(test)]
#![allow(clippy::cast_possible_truncation, reason = "numbers of tests fit")]

mod bursts;
mod floods;
mod misleading;

use huginn_net_core::{Analyzer, AnalyzerStats, Frame, LinkType, Packet, Timestamp};
use huginn_net_tcp::{TcpAnalyzer, TcpEvent, TcpSettings};
use testkit::packet::{IpHeader, Ipv4, Mould, Tcp, TcpOption, flags};

const CLIENT: [u8; 4] = [10, 0, 0, 1];
const SERVER: [u8; 4] = [10, 0, 0, 2];
const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MILLISECOND;
const START: u64 = 1_700_000_000 * SECOND;

/// An analyzer, and what it reported.
struct Watch {
    analyzer: TcpAnalyzer,
    events: Vec<TcpEvent>,
}

impl Watch {
    fn new(settings: TcpSettings) -> Self {
        Self { analyzer: TcpAnalyzer::new(settings), events: Vec::new() }
    }

    /// Feeds a datagram, `nanos` after [`START`].
    fn push(&mut self, datagram: &[u8], nanos: u64) {
        self.push_cut(datagram, 0, nanos);
    }

    /// Feeds a datagram of which the capture left the last bytes out.
    fn push_cut(&mut self, datagram: &[u8], missing: usize, nanos: u64) {
        let captured_at = Timestamp::from_nanos(START + nanos);
        let captured = Frame::new(&datagram[..datagram.len() - missing], LinkType::RAW);
        let frame = Frame { captured_at, wire_len: datagram.len() as u32, ..captured };
        let packet = Packet::decode(&frame).expect("a packet");
        self.analyzer.on_packet(&packet, &mut |event| self.events.push(event));
    }

    fn time(&mut self, nanos: u64) {
        let now = Timestamp::from_nanos(START + nanos);
        self.analyzer.on_time(now, &mut |event| self.events.push(event));
    }

    fn end(&mut self) {
        self.analyzer.on_end(&mut |event| self.events.push(event));
    }

    /// What was reported since the last call, as words.
    fn words(&mut self) -> Vec<&'static str> {
        let word = |event: TcpEvent| match event {
            TcpEvent::Syn(_) => "syn",
            TcpEvent::SynAck(seen) if seen.observation.facts.unpaired => "unpaired",
            TcpEvent::SynAck(_) => "syn+ack",
            TcpEvent::Uptime(_) => "uptime",
            other => panic!("{other:?}"),
        };
        self.events.drain(..).map(word).collect()
    }

    fn stats(&self) -> AnalyzerStats {
        let mut stats = AnalyzerStats::default();
        self.analyzer.count(&mut stats);
        stats
    }

    fn limit(&self, name: &str) -> u64 {
        self.stats().limits_hit.iter().find(|(limit, _)| *limit == name).map_or(0, |(_, count)| *count)
    }
}

fn from_client(segment: &Tcp) -> Vec<u8> {
    Ipv4::new(CLIENT, SERVER).tcp(segment)
}

fn from_server(segment: &Tcp) -> Vec<u8> {
    Ipv4::new(SERVER, CLIENT).tcp(segment)
}

fn options(ticks: u32) -> [TcpOption; 4] {
    [
        TcpOption::Mss(1_460),
        TcpOption::SackPermitted,
        TcpOption::Timestamps(ticks, 0),
        TcpOption::WindowScale(7),
    ]
}

fn syn(isn: u32) -> Tcp {
    Tcp::new(40_000, 80).sequence(isn).options(options(1_000))
}

fn syn_ack(acknowledged: u32) -> Tcp {
    let flags = flags::SYN | flags::ACK;
    Tcp::new(80, 40_000).sequence(9).acknowledgment(acknowledged).flags(flags).options(options(2_000))
}

/// A segment after the handshake, from the client.
fn data(ticks: u32) -> Tcp {
    let timestamps = [TcpOption::Nop, TcpOption::Nop, TcpOption::Timestamps(ticks, 1)];
    Tcp::new(40_000, 80).sequence(2).acknowledgment(10).flags(flags::ACK).options(timestamps).payload(b"data")
}

/// Segments to the server, by the address of who sends them.
fn mould_of(segment: &Tcp) -> Mould {
    Mould::new(Ipv4::new([0; 4], SERVER).tcp(segment))
}
