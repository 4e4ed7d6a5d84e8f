//! What the facade says of a stack beyond its label.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use huginn_net::{CaptureFile, Event, HuginnNet, Link, Quality, Stack};
use testkit::capture::{Capture, Endian};
use testkit::container::{self, Pcap};
use testkit::encap::link::{ethernet, link_type};
use testkit::packet::{IpHeader, Ipv4, Ipv6, Tcp, TcpOption};

const CLIENT: [u8; 4] = [10, 0, 0, 1];
const SERVER: [u8; 4] = [10, 0, 0, 2];

/// A SYN of Linux 6.16 or newer with this MSS and window.
fn linux(mss: u16, window: u16) -> Tcp {
    let options = [
        TcpOption::Mss(mss),
        TcpOption::SackPermitted,
        TcpOption::Timestamps(1, 0),
        TcpOption::Nop,
        TcpOption::WindowScale(10),
    ];
    Tcp::new(40_000, 443).window(window).options(options)
}

/// A SYN of Windows 10 or 11.
fn windows(mss: u16, window: u16) -> Tcp {
    let options = [
        TcpOption::Mss(mss),
        TcpOption::Nop,
        TcpOption::WindowScale(8),
        TcpOption::Nop,
        TcpOption::Nop,
        TcpOption::SackPermitted,
    ];
    Tcp::new(40_000, 443).window(window).options(options)
}

/// What one analysis tells of the SYNs in these datagrams, each of another host.
fn stacks(datagrams: &[Vec<u8>]) -> Vec<Stack> {
    let capture =
        Capture::of_frames(link_type::ETHERNET, datagrams.iter().map(|datagram| ethernet(datagram)));
    let file = container::pcap(Pcap::Nanos, Endian::Little, &capture);
    let events = HuginnNet::new().analyze(CaptureFile::from_bytes(file).expect("a capture"));
    let stack = |event| match event {
        Ok(Event::TcpSyn(stack)) => stack,
        other => panic!("{other:?}"),
    };
    events.map(stack).collect()
}

fn stack(header: &impl IpHeader, segment: &Tcp) -> Stack {
    stacks(&[header.tcp(segment)]).pop().expect("an event")
}

fn v4(segment: &Tcp) -> Stack {
    stack(&Ipv4::new(CLIENT, SERVER), segment)
}

/// MTU and link as seen, and those they were lowered from.
fn mtus(stack: &Stack) -> [(Option<u32>, &str); 2] {
    fn name(link: &Option<Link>) -> &str {
        link.as_ref().map_or("", |link| &link.name)
    }
    let labels = &stack.labels;
    [(labels.mtu, name(&labels.link)), (labels.mtu_origin, name(&labels.link_origin))]
}

#[test]
fn a_lowered_mss_shows_the_mtu_of_the_path_and_that_of_the_link() {
    // 64240 bytes are 44 segments of 1460, and no whole number of 1380.
    let stack = v4(&linux(1380, 64_240));
    assert_eq!(mtus(&stack), [(Some(1420), "WireGuard or a clamped MSS"), (Some(1500), "Ethernet or Wi-Fi")]);
    let os = stack.labels.os.as_ref().expect("a label");
    assert_eq!((os.quality, os.mss_origin), (Quality::Fuzzy, Some(1460)));
}

#[test]
fn a_lowered_mss_on_ipv6_is_counted_with_its_longer_header() {
    let header = Ipv6::new([0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0xfd; 16]).flow_label(1);
    // 64800 bytes are 45 segments of 1440.
    let stack = stack(&header, &linux(1360, 64_800));
    assert_eq!(mtus(&stack), [(Some(1420), "WireGuard or a clamped MSS"), (Some(1500), "Ethernet or Wi-Fi")]);
}

#[test]
fn links_without_a_name_keep_their_number() {
    let stack = v4(&linux(1379, 62_720));
    // 62720 bytes are 7 segments of 8960.
    assert_eq!(mtus(&stack), [(Some(1419), ""), (Some(9000), "Ethernet with jumbo frames")]);
}

#[test]
fn no_mtu_is_inferred_where_the_window_follows_the_mss() {
    // Whole segments of 1380, of a system of no known window, and the largest window, which says nothing.
    for (mss, window) in [(1380, 64_860), (1380, 5_000), (1380, 65_535), (1460, 64_240)] {
        let stack = v4(&linux(mss, window));
        assert_eq!(stack.labels.mtu, Some(u32::from(mss) + 40));
        assert_eq!((stack.labels.mtu_origin, &stack.labels.link_origin), (None, &None), "{mss} {window}");
    }
}

#[test]
fn an_mss_that_a_translator_may_have_kept_names_no_link() {
    let stack = v4(&linux(1380, 64_800));
    assert_eq!(stack.labels.os.as_ref().and_then(|os| os.mss_origin), Some(1440));
    assert_eq!((stack.labels.mtu_origin, &stack.labels.link_origin), (None, &None));
}

#[test]
fn a_stack_with_a_foreign_ttl_keeps_its_label_and_says_so() {
    let windows = windows(1460, 64_240);
    for (ttl, is_rewritten, hops) in [(120, false, 8), (60, true, 4), (250, true, 5)] {
        let stack = stack(&Ipv4::new(CLIENT, SERVER).ttl(ttl), &windows);
        let os = stack.labels.os.as_ref().expect("a label");
        assert_eq!((os.label.name.as_str(), os.ttl_rewritten), ("Windows", is_rewritten), "{ttl}");
        assert_eq!(os.quality, if is_rewritten { Quality::Fuzzy } else { Quality::Exact });
        assert_eq!(stack.distance.hops, hops);
    }
}

#[test]
fn labels_do_not_depend_on_stacks_that_were_seen_before() {
    // More answers than are remembered: of three systems, with and without a link, twice.
    let segments: Vec<_> =
        (1_300..1_480).flat_map(|mss| [linux(mss, 64_240), windows(mss, 64_240), linux(mss, 9)]).collect();
    let seen: Vec<_> = segments.iter().chain(&segments).collect();
    let frames = seen.iter().zip(1..).map(|(segment, port)| {
        let mut datagram = Ipv4::new(CLIENT, SERVER).tcp(segment);
        // The source port is behind 20 bytes of IPv4; checksums are not looked at.
        datagram[20..22].copy_from_slice(&u16::to_be_bytes(port));
        ethernet(&datagram)
    });
    let capture = Capture::of_frames(link_type::ETHERNET, frames);
    let file = container::pcap(Pcap::Nanos, Endian::Little, &capture);
    let events = HuginnNet::new().analyze(CaptureFile::from_bytes(file).expect("a capture"));
    let together: Vec<_> = events
        .map(|event| match event.expect("a readable capture") {
            Event::TcpSyn(stack) => stack,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(together.len(), seen.len());
    for (segment, stack) in segments.iter().zip(&together).step_by(7) {
        assert_eq!(stack.labels, v4(segment).labels);
    }
    let (first, second) = together.split_at(segments.len());
    assert!(first.iter().zip(second).all(|(first, second)| first.labels == second.labels));
}

#[test]
fn what_was_told_of_a_stack_is_told_of_no_other_one() {
    let segments = [
        linux(1460, 64_240),
        linux(1380, 64_240),
        windows(1460, 64_240),
        // Of an order of options that is not remembered.
        Tcp::new(40_000, 443).window(64_240).options([TcpOption::SackPermitted, TcpOption::Mss(1460)]),
    ];
    let mut datagrams = Vec::new();
    // Each after each other one, and after itself.
    for host in 0..64_u8 {
        let ttl = [64, 60, 128, 250][usize::from(host / 16)];
        for round in 0..2 {
            let segment = &segments[usize::from(if round == 0 { host % 4 } else { host / 4 % 4 })];
            datagrams.push(Ipv4::new([10, 0, 1 + round, host], SERVER).ttl(ttl).tcp(segment));
            datagrams.push(Ipv4::new([10, 0, 3 + round, host], SERVER).ttl(ttl ^ 1).tcp(segment));
        }
    }
    let together = stacks(&datagrams);
    assert_eq!(together.len(), datagrams.len());
    for (datagram, seen) in datagrams.iter().zip(&together) {
        let alone = stacks(core::slice::from_ref(datagram)).pop().expect("an event");
        assert_eq!(seen.observation, alone.observation);
        assert_eq!((seen.distance, &seen.labels), (alone.distance, &alone.labels), "{}", seen.observation);
    }
}
