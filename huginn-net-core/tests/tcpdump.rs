//! Filters against tcpdump: which expressions are any, and which frames they take.
//!
//! Not part of `cargo test`, as it needs that program: `cargo test -p huginn-net-core --test tcpdump`.
#![cfg(test)]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use huginn_net_core::{Filter, Frame, LinkType, Packet, Undecoded};
use testkit::capture::{Capture, Endian, Record};
use testkit::container::{self, Pcap};
use testkit::corpus;
use testkit::encap::link::link_type;
use testkit::rng::Rng;

/// Runs tcpdump on a capture.
fn tcpdump(args: &[&str], capture: &[u8]) -> Output {
    let mut child = Command::new("tcpdump")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("tcpdump is needed here: {error}"));
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // It stops reading when an expression is none.
            let _ = stdin.write_all(capture);
        });
        child.wait_with_output().expect("tcpdump ends")
    })
}

/// Frames that both take for the same: Ethernet, IP behind it without extension headers, and no tunnel or fragment,
/// into which tcpdump does not look. SCTP has ports for tcpdump alone.
fn plain_frames() -> Capture {
    let mut records: Vec<Record> = Vec::new();
    for capture in ["tcp", "http", "real", "tls/pcap", "tls/quic-pcap"].into_iter().flat_map(corpus::captures)
    {
        let capture = Capture::open(&capture);
        let is_plain = |record: &&Record| {
            let frame =
                Frame { wire_len: record.wire_len, ..Frame::new(&record.bytes, LinkType(capture.link_type)) };
            let Ok(packet) = Packet::decode(&frame) else { return false };
            let is_behind_link = matches!(record.bytes.get(12..14), Some([0x08, 0x00] | [0x86, 0xdd]));
            let has_extensions = packet.ipv6().is_some() && packet.layout().ip_options_len() > 0;
            let version = record.bytes.get(14).map(|first| first >> 4);
            let is_version_of_type = (version == Some(4)) == (record.bytes.get(12) == Some(&8));
            is_behind_link
                && is_version_of_type
                && packet.layout().path().is_empty()
                && !has_extensions
                && packet.protocol().0 != 132
        };
        if capture.link_type == link_type::ETHERNET {
            records.extend(capture.records.iter().filter(is_plain).cloned());
        }
    }
    Capture { link_type: link_type::ETHERNET, records }
}

/// Addresses and ports as expressions have them, of the packets of a capture and of none.
struct Values {
    hosts: Vec<String>,
    ports: Vec<u16>,
}

impl Values {
    fn of(capture: &Capture) -> Self {
        let (mut hosts, mut ports) = (vec!["192.0.2.77".to_owned()], vec![0, 65_535]);
        for record in capture.records.iter().step_by(37) {
            let frame = Frame::new(&record.bytes, LinkType::ETHERNET);
            let Ok(packet) = Packet::decode(&frame) else { continue };
            hosts.push(packet.addresses().0.to_string());
            ports.extend(packet.ports().map(|(source, destination)| source.min(destination)));
        }
        Self { hosts, ports }
    }

    fn host(&self, rng: &mut Rng) -> &str {
        &self.hosts[rng.below(self.hosts.len())]
    }

    fn port(&self, rng: &mut Rng) -> u16 {
        self.ports[rng.below(self.ports.len())]
    }

    fn primitive(&self, rng: &mut Rng) -> String {
        const ENDS: [&str; 6] = ["", "src ", "dst ", "src or dst ", "src and dst ", "dst or src "];
        let ends = ENDS[rng.below(ENDS.len())];
        match rng.below(9) {
            0 => ["ip", "ip6", "tcp", "udp", "icmp", "icmp6", "sctp", "igmp", "esp"][rng.below(9)].to_owned(),
            1 => format!("{ends}host {}", self.host(rng)),
            2 => format!("{ends}host {} or {}", self.host(rng), self.host(rng)),
            3 => {
                let net = [
                    "10",
                    "10.1",
                    "192.168.0.0/16",
                    "127.0.0.0/8",
                    "10.0.0.0 mask 255.0.0.0",
                    "fe80::/10",
                    "::1",
                ];
                format!("{ends}net {}", net[rng.below(net.len())])
            }
            4 => format!("{ends}port {}", self.port(rng)),
            5 => format!("tcp {ends}port {} or not {}", self.port(rng), self.port(rng)),
            6 => format!("udp {ends}port ({} or {})", self.port(rng), self.port(rng)),
            7 => format!("{ends}portrange {}-{}", self.port(rng), self.port(rng)),
            _ => format!("{}proto {}", ["", "ip ", "ip6 "][rng.below(3)], [1, 6, 17, 58][rng.below(4)]),
        }
    }

    fn expression(&self, rng: &mut Rng, depth: usize) -> String {
        let mut text = String::new();
        for index in 0..=rng.below(3) {
            if index > 0 {
                text += [" and ", " or ", " && ", " || "][rng.below(4)];
            }
            text += ["", "", "not ", "! "][rng.below(4)];
            if depth > 0 && rng.one_in(3) {
                text += &format!("({})", self.expression(rng, depth - 1));
            } else {
                text += &self.primitive(rng);
            }
        }
        text
    }
}

#[test]
fn takes_the_frames_that_tcpdump_takes() {
    let capture = plain_frames();
    let file = container::pcap(Pcap::Nanos, Endian::Little, &capture);
    let values = Values::of(&capture);
    let mut rng = Rng::new(1);
    let mut told_apart = 0;
    for _ in 0..200 {
        let expression = values.expression(&mut rng, 2);
        let filter = Filter::parse(&expression).unwrap_or_else(|error| panic!("{expression:?}: {error}"));
        // Unoptimized, as it refuses what the optimizer finds impossible.
        let output = tcpdump(&["-O", "-r", "-", "-w", "-", "--nano", &expression], &file);
        assert!(output.status.success(), "{expression:?}: {}", String::from_utf8_lossy(&output.stderr));
        let taken = capture.records.iter().filter(|record| {
            let frame = Frame { wire_len: record.wire_len, ..Frame::new(&record.bytes, LinkType::ETHERNET) };
            match Packet::decode(&frame) {
                Ok(packet) => filter.matches(&packet),
                Err(reason) => panic!("{}", Undecoded::name(reason)),
            }
        });
        let (ours, theirs) = (taken.collect::<Vec<_>>(), Capture::parse(&output.stdout).records);
        let is_same = ours.iter().copied().eq(&theirs);
        assert!(is_same, "{expression:?}: {} frames here, {} by tcpdump", ours.len(), theirs.len());
        told_apart += usize::from(!ours.is_empty() && ours.len() < capture.records.len());
    }
    assert!(told_apart > 100, "{told_apart} expressions tell frames apart");
}

#[test]
fn what_is_no_expression_is_none_for_tcpdump() {
    let empty = container::pcap(Pcap::Nanos, Endian::Little, &Capture { link_type: 1, records: Vec::new() });
    for expression in [
        "10.0.0.1",
        "tcp port 99999",
        "port 080",
        "portrange 80-",
        "host 256.1.1.1",
        "host 10.0.0.0/8",
        "src 10.0.0.0/8",
        "net 10.0.0.1/8",
        "net 10.0.0.0/33",
        "ip host ::1",
        "ip6 net 10.0.0.0/8",
        "tcp host 10.0.0.1",
        "ip port 80",
        "icmp host 10.0.0.1",
        "src tcp port 80",
        "vlan 4096",
        "vlan 5 or 6",
        "tcp or 80",
        "(host 10.0.0.1) or 10.0.0.2",
        "TCP",
        "tcp udp",
        "tcp and",
        "and tcp",
        "()",
        "(tcp",
        "tcp)",
    ] {
        assert!(Filter::parse(expression).is_err(), "{expression:?}");
        assert!(!tcpdump(&["-r", "-", "-w", "-", expression], &empty).status.success(), "{expression:?}");
    }
}
