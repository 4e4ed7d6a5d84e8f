//! Programs for the kernel: they accept all that their filters take, and of plain frames no more.

use huginn_net_core::{BpfInstruction, Decoder, Filter, Frame, Interest, LinkType, Packet, Undecoded};
use testkit::bpf;
use testkit::capture::Capture;
use testkit::corpus;
use testkit::encap::link::{self, Tag};
use testkit::packet::{IpHeader, Ipv4, Ipv6, Tcp, Udp};
use testkit::rng::Rng;
use testkit::wrap::Wrapping;

use crate::filter;

/// Addresses and ports are those of the captures, so that each of these takes some of their packets.
const EXPRESSIONS: &[&str] = &[
    "",
    "tcp",
    "not tcp",
    "ip6",
    "udp port 443",
    "tcp port 80 or 443",
    "tcp dst portrange 80-443",
    "not portrange 0-1023",
    "src host 10.0.0.1 or dst host 10.0.0.1",
    "net 10.0.0.0/8 and not (port 443 or port 80)",
    "ip host 127.0.0.1 or ip6 host ::1",
    "not net 127.0.0.0/8 and not net ::1/128",
    "src net 192.168.0.0/16 or src net fd00::/8 or dst net 2001:db8::/32",
    "not (ip and tcp src port 443) and not (ip6 and tcp dst port 443)",
    "vlan",
    "not vlan 7 and tcp",
    "icmp or icmp6 or proto 17",
];

fn program(filter: &Filter, link_type: LinkType, interest: Interest) -> Option<Vec<bpf::Instruction>> {
    let program = filter.to_bpf_for(link_type, interest)?;
    Some(program.iter().map(|&BpfInstruction { code, jt, jf, k }| (code, jt, jf, k)).collect())
}

/// Whether a program can tell what a filter says of a packet: it has no extension or authentication headers, is right behind
/// the link layer, is none of L2TP, and does not go to the port of a tunnel or come from that of Teredo, L2TP or CAPWAP.
fn is_plain(packet: &Packet<'_>, link_type: LinkType) -> bool {
    let ether_type = packet.bytes().get(12..14).unwrap_or_default();
    let is_behind_link =
        link_type != LinkType::ETHERNET || ether_type == [0x08, 0] || ether_type == [0x86, 0xdd];
    let layout = packet.layout();
    let may_be_tunnel = packet.udp().is_some_and(|datagram| {
        matches!(
            datagram.destination_port(),
            1701 | 2152 | 3544 | 4341 | 4754 | 4789 | 4790 | 5247 | 6080 | 6081 | 6635 | 8472 | 37_008
        ) || matches!(datagram.source_port(), 1701 | 3544 | 5247)
    });
    // What an authentication header stands before, and L2TP.
    let is_carrier = packet.ipv4().is_some_and(|header| matches!(header.bytes()[9], 51 | 115))
        || packet.protocol().0 == 115;
    is_behind_link
        && !may_be_tunnel
        && !is_carrier
        && layout.path().is_empty()
        && (packet.ipv4().is_some() || layout.ip_options_len() == 0)
}

/// Compares each filter with its program on each frame. How many frames it accepted, of how many.
fn compare(expressions: &[&str], capture: &Capture) -> (usize, usize) {
    let link_type = LinkType(capture.link_type);
    let (mut accepted, mut all) = (0, 0);
    for expression in expressions {
        let filter = filter(expression);
        let Some(program) = program(&filter, link_type, Interest::Everything) else { return (0, 0) };
        let mut decoder = Decoder::default();
        for record in &capture.records {
            let frame = Frame { wire_len: record.wire_len, ..Frame::new(&record.bytes, link_type) };
            let accepts = bpf::run(&program, &record.bytes) != 0;
            let message = || format!("{expression:?} of {:02x?}", record.bytes);
            let mut takes = false;
            decoder.decode_each(&frame, |packet| takes |= filter.matches(packet));
            assert!(accepts || !takes, "the program rejects: {}", message());
            all += 1;
            accepted += usize::from(accepts);
            match Packet::decode(&frame) {
                Ok(packet) if is_plain(&packet, link_type) && !expression.contains("vlan") => {
                    assert_eq!(accepts, takes, "{}", message());
                }
                Err(Undecoded::Fragment) => assert!(accepts, "the program rejects a fragment: {}", message()),
                Ok(_) | Err(_) => {}
            }
        }
    }
    (accepted, all)
}

fn folders() -> impl Iterator<Item = Capture> {
    ["tcp", "http", "real", "tls/pcap", "tls/pcap-hand", "tls/quic-pcap", "tls/tcp"]
        .into_iter()
        .flat_map(corpus::captures)
        .map(|path| Capture::open(&path))
}

#[test]
fn a_program_accepts_every_frame_of_the_corpus_that_its_filter_takes_and_of_plain_ones_no_other() {
    let (mut accepted, mut all) = (0, 0);
    for capture in folders() {
        let (more, of) = compare(EXPRESSIONS, &capture);
        (accepted, all) = (accepted + more, all + of);
    }
    assert!(all > 100_000 && accepted > all / 4 && accepted < all / 4 * 3, "{accepted} of {all} accepted");
}

#[test]
fn a_program_accepts_what_its_filter_takes_in_every_wrapping_of_ethernet_raw_ip_and_loopback() {
    let mut compared = 0;
    for capture in ["real/v4.pcap", "real/v6.pcap", "tcp/c06_v6_frag.pcap"] {
        let capture = Capture::open(&corpus::path(capture));
        for wrapping in Wrapping::ALL {
            compared += usize::from(compare(EXPRESSIONS, &wrapping.apply(&capture)).1 > 0);
        }
    }
    assert!(compared > 100, "{compared} captures compared");
}

#[test]
fn a_program_accepts_what_its_filter_takes_of_damaged_frames() {
    let mut rng = Rng::new(5);
    for wrapping in Wrapping::ALL.iter().filter(|wrapping| !wrapping.name.contains("fragments")) {
        let capture = wrapping.apply(&Capture::open(&corpus::path("tcp/a04_synack.pcap")));
        let mut damaged = Capture { link_type: capture.link_type, records: Vec::new() };
        for record in capture.records.iter().cycle().take(100) {
            let mut record = record.clone();
            for _ in 0..=rng.below(3) {
                let at = rng.below(record.bytes.len().min(90));
                record.bytes[at] ^= 1 << rng.below(8);
            }
            damaged.records.push(record);
        }
        compare(EXPRESSIONS, &damaged);
    }
}

#[test]
fn a_program_for_hellos_accepts_tcp_and_what_begins_like_quic_or_dtls() {
    let header = Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]);
    let udp = |port, payload: &[u8]| link::ethernet(&header.udp(&Udp::new(5_000, port, payload)));
    let tcp = link::ethernet(&Ipv6::new([1; 8], [2; 8]).tcp(&Tcp::new(1, 2)));
    let of = |interest, expression: &str, frame: &[u8]| {
        bpf::run(&program(&filter(expression), LinkType::ETHERNET, interest).expect("a program"), frame) != 0
    };
    let verdicts = |frame: &[u8]| {
        [Interest::Everything, Interest::Hellos, Interest::Tcp].map(|interest| of(interest, "", frame))
    };
    assert_eq!(verdicts(&tcp), [true, true, true]);
    assert_eq!(verdicts(&udp(443, &[0xc3, 0, 0, 0, 1])), [true, true, false]);
    // QUIC's fixed bit may be greased (RFC 9287).
    assert_eq!(verdicts(&udp(443, &[0x83, 0, 0, 0, 1])), [true, true, false]);
    assert_eq!(verdicts(&udp(443, &[0x43, 0, 0, 0, 1])), [true, false, false]);
    assert_eq!(verdicts(&udp(443, &[22, 0xfe, 0xfd])), [true, true, false]);
    assert_eq!(verdicts(&udp(443, &[22, 3, 3])), [true, false, false]);
    // What TURN relays.
    assert_eq!(verdicts(&udp(3478, &[0x4f, 0, 0, 60, 22, 0xfe])), [true, true, false]);
    assert_eq!(verdicts(&udp(3478, &[0x7f, 0, 0, 60, 22, 1])), [true, true, false]);
    assert_eq!(verdicts(&udp(3478, &[0x40, 0, 0, 60, 0x80, 96])), [true, false, false]);
    for (kind, is_wanted) in [(0x15, false), (0x16, true), (0x17, true), (0x18, false)] {
        assert_eq!(
            verdicts(&udp(3478, &[0, kind, 0, 0, 0x21, 0x12, 0xa4, 0x42])),
            [true, is_wanted, false],
            "{kind:#x}"
        );
    }
    assert_eq!(verdicts(&udp(3478, &[0, 0x16, 0, 0, 0x21, 0x12, 0xa4, 0x43])), [true, false, false]);
    assert_eq!(verdicts(&udp(53, &[])), [true, false, false]);
    assert_eq!(verdicts(&udp(4789, &[8])), [true, true, true]);
    // Teredo comes from its port as well.
    assert_eq!(verdicts(&link::ethernet(&header.udp(&Udp::new(3544, 5_000, &[0; 8])))), [true, true, true]);
    assert_eq!(verdicts(&link::ethernet(&header.carry(1, &[8, 0]))), [true, false, false]);
    assert_eq!(verdicts(&link::ethernet(&header.carry(47, &[0; 4]))), [true, true, true]);
    let arp = link::ethernet_of(0x0806, &[0; 28]);
    assert_eq!(verdicts(&arp), [false, false, false]);
    assert!(!of(Interest::Hellos, "port 80", &udp(443, &[0xc3, 0, 0, 0, 1])));
}

#[test]
fn tags_are_looked_through_and_what_is_asked_of_them_is_taken_to_hold() {
    let frame = link::ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).tcp(&Tcp::new(1, 443)));
    let tagged = |count| link::push_tags(&vec![Tag::vlan(7); count], &frame);
    let accepts = |expression: &str, frame: &[u8]| {
        let program =
            program(&filter(expression), LinkType::ETHERNET, Interest::Everything).expect("a program");
        bpf::run(&program, frame) != 0
    };
    for tags in 0..=2 {
        assert!(accepts("vlan 8 and port 443", &tagged(tags)), "{tags} tags");
        assert!(accepts("not vlan and port 443", &tagged(tags)), "{tags} tags");
        assert!(!accepts("vlan 7 and port 80", &tagged(tags)), "{tags} tags");
    }
    assert!(accepts("vlan 7 and port 80", &tagged(3)), "as deep as it looks");
}

#[test]
fn long_filters_have_programs_with_far_jumps_until_they_are_too_long() {
    let of_hosts = |count: usize| {
        let hosts: Vec<_> = (0..count).map(|index| format!("10.1.{}.{}", index / 250, index % 250)).collect();
        filter(&format!("tcp port 443 and (src host {})", hosts.join(" or ")))
    };
    let segment = |source| link::ethernet(&Ipv4::new(source, [10, 0, 0, 2]).tcp(&Tcp::new(1, 443)));
    let long = program(&of_hosts(1_500), LinkType::ETHERNET, Interest::Hellos).expect("a program");
    assert!(long.len() > 3_000, "{} instructions", long.len());
    for (source, wanted) in [([10, 1, 0, 0], true), ([10, 1, 5, 249], true), ([10, 1, 6, 0], false)] {
        assert_eq!(bpf::run(&long, &segment(source)) != 0, wanted, "{source:?}");
    }
    assert_eq!(of_hosts(3_000).to_bpf(LinkType::ETHERNET), None);
}

#[test]
fn only_ethernet_raw_ip_and_loopback_have_programs() {
    let with_program = [
        LinkType::ETHERNET,
        LinkType::RAW,
        LinkType::RAW_BSD,
        LinkType::RAW_OPENBSD,
        LinkType::IPV4,
        LinkType::IPV6,
        LinkType::NULL,
        LinkType::LOOP,
    ];
    for number in 0..400 {
        let link_type = LinkType(number);
        let is_some = Filter::default().to_bpf(link_type).is_some();
        assert_eq!(is_some, with_program.contains(&link_type), "{link_type}");
    }
}
