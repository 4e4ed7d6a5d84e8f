//! Connections that are built rather than recorded.

use crate::encap::link;
use crate::packet::{IpHeader, Ipv4, Tcp, TcpOption, Udp, flags};

/// Who sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    Client,
    Server,
}

/// A TCP connection between two hosts as they are on most links: Linux, with timestamps of 1000 Hz.
pub(super) struct Talk {
    frames: Vec<Vec<u8>>,
    /// What client and server send next.
    next: [u32; 2],
    server_port: u16,
    /// Nanoseconds between two frames.
    wait: u64,
}

/// Bytes of a full segment: an MTU of 1,500 less headers of IPv4 and TCP and timestamps.
pub(super) const FULL: usize = 1_448;

impl Talk {
    /// A connection to a port that has been opened, of frames so far apart.
    pub(super) fn open(server_port: u16, wait: u64) -> Self {
        let mut talk = Self { frames: Vec::new(), next: [0, 0], server_port, wait };
        talk.segment(From::Client, flags::SYN, &[]);
        talk.segment(From::Server, flags::SYN | flags::ACK, &[]);
        talk.acknowledge(From::Client);
        talk
    }

    /// Sends data in segments, and the other end acknowledges every second one and the last.
    pub(super) fn send(&mut self, from: From, data: &[u8]) {
        let segments = data.chunks(FULL);
        let last = segments.len() - 1;
        for (index, segment) in segments.enumerate() {
            let push = if index == last { flags::PSH } else { 0 };
            self.segment(from, flags::ACK | push, segment);
            if index % 2 == 1 || index == last {
                self.acknowledge(if from == From::Client { From::Server } else { From::Client });
            }
        }
    }

    pub(super) fn acknowledge(&mut self, from: From) {
        self.segment(from, flags::ACK, &[]);
    }

    /// Ends the connection, the client first.
    pub(super) fn close(mut self) -> Vec<Vec<u8>> {
        self.segment(From::Client, flags::FIN | flags::ACK, &[]);
        self.segment(From::Server, flags::FIN | flags::ACK, &[]);
        self.acknowledge(From::Client);
        self.frames
    }

    fn segment(&mut self, from: From, flags: u16, payload: &[u8]) {
        const CLIENT: [u8; 4] = [10, 0, 0, 1];
        const SERVER: [u8; 4] = [198, 18, 0, 1];
        const CLIENT_PORT: u16 = 40_000;
        const CLIENT_TICKS: u32 = 100_000;
        const SERVER_TICKS: u32 = 200_000;
        let index = usize::from(from == From::Server);
        let is_syn = flags & flags::SYN != 0;
        let ticks = (self.frames.len() as u64 * self.wait / 1_000_000) as u32;
        let (own, other) = match from {
            From::Client => (CLIENT_TICKS, SERVER_TICKS),
            From::Server => (SERVER_TICKS, CLIENT_TICKS),
        };
        let echo = if flags & flags::ACK == 0 { 0 } else { other + ticks };
        let timestamps = TcpOption::Timestamps(own + ticks, echo);
        let options = if is_syn {
            vec![
                TcpOption::Mss(1_460),
                TcpOption::SackPermitted,
                timestamps,
                TcpOption::Nop,
                TcpOption::WindowScale(7),
            ]
        } else {
            vec![TcpOption::Nop, TcpOption::Nop, timestamps]
        };
        let (source, destination, ports) = match from {
            From::Client => (CLIENT, SERVER, (CLIENT_PORT, self.server_port)),
            From::Server => (SERVER, CLIENT, (self.server_port, CLIENT_PORT)),
        };
        let window = match (from, is_syn) {
            (From::Client, true) => 64_240,
            (From::Server, true) => 65_160,
            (_, false) => 502,
        };
        let acknowledgment = if flags & flags::ACK == 0 { 0 } else { self.next[1 - index] };
        let segment = Tcp::new(ports.0, ports.1)
            .sequence(self.next[index])
            .acknowledgment(acknowledgment)
            .flags(flags)
            .window(window)
            .options(options)
            .payload(payload);
        // Linux sends SYN+ACKs without an identification.
        let is_syn_ack = is_syn && from == From::Server;
        let identification = if is_syn_ack { 0 } else { 1 + self.frames.len() as u16 };
        let header =
            Ipv4::new(source, destination).ttl(64).dont_fragment(true).identification(identification);
        self.frames.push(link::ethernet(&header.tcp(&segment)));
        let counted = u32::from(is_syn || flags & flags::FIN != 0);
        self.next[index] += payload.len() as u32 + counted;
    }
}

/// A question and an answer.
pub(super) fn datagrams(server_port: u16, question: &[u8], answer: &[u8]) -> Vec<Vec<u8>> {
    let (client, server) = ([10, 0, 0, 1], [198, 18, 0, 1]);
    let header = |source: [u8; 4], destination: [u8; 4]| Ipv4::new(source, destination).identification(1);
    let question = header(client, server).udp(&Udp::new(40_000, server_port, question));
    let answer = header(server, client).udp(&Udp::new(server_port, 40_000, answer));
    [question, answer].iter().map(|datagram| link::ethernet(datagram)).collect()
}
