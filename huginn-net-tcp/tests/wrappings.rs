//! The same traffic in every link layer, tunnel and file: what is reported must not depend on it.

#![cfg(test)]

use huginn_net_core::{CaptureFile, Encapsulation, EncapsulationPath};
use huginn_net_tcp::{HuginnNetTcp, TcpEvent, TcpSettings};
use testkit::capture::Capture;
use testkit::container::{self, Container, Pcap};
use testkit::corpus;
use testkit::encap::link::link_type;
use testkit::wrap::Wrapping;

/// Recorded captures that are small and differ: IPv4 and IPv6, data on a SYN, options, scanners, offload.
const RECORDED: &[&str] = &[
    "real/ecn1.pcap",
    "real/ecn1_v6.pcap",
    "real/lo4.pcap",
    "real/lo6.pcap",
    "real/mptcp.pcap",
    "real/mptcp6.pcap",
    "real/scan_masscan.pcap",
    "real/scan_nmap_O.pcap",
    "real/tfo.pcap",
    "real/tsoff.pcap",
    "real/tsoff6.pcap",
    "real/v6_mtu1280.pcap",
];

fn analyze(file: Vec<u8>) -> Vec<TcpEvent> {
    let source = CaptureFile::from_bytes(file).expect("a capture");
    HuginnNetTcp::new().analyze(source).map(|event| event.expect("a readable capture")).collect()
}

fn events(capture: &Capture) -> Vec<TcpEvent> {
    analyze(container::pcap(Pcap::Nanos, testkit::capture::Endian::Little, capture))
}

/// The events without what a wrapping may change: the path, the VLAN, the address space, and the number of the frame.
fn apart_from_the_way(mut events: Vec<TcpEvent>) -> Vec<TcpEvent> {
    for event in &mut events {
        let origin = match event {
            TcpEvent::Syn(seen) | TcpEvent::SynAck(seen) => &mut seen.origin,
            TcpEvent::Uptime(uptime) => &mut uptime.origin,
            other => panic!("{other:?}"),
        };
        (origin.path, origin.vlan, origin.domain) = (EncapsulationPath::default(), None, 0);
        origin.frame = 0;
    }
    events
}

/// The Ethernet captures with their names.
fn captures() -> Vec<(String, Capture)> {
    let built = corpus::captures("tcp");
    let recorded = RECORDED.iter().map(|name| corpus::path(name));
    let captures: Vec<_> = built
        .into_iter()
        .chain(recorded)
        .map(|path| (path.display().to_string(), Capture::open(&path)))
        .filter(|(_, capture)| capture.link_type == link_type::ETHERNET)
        .collect();
    assert!(captures.len() > 200);
    captures
}

/// Whether a flow is idle for longer than it is held, and only its next packet shows that time has passed. In pieces,
/// that packet shows it with the first piece, and the flow is gone when it is complete.
fn has_silence(capture: &Capture) -> bool {
    let held = TcpSettings::default().flow_timeout.as_nanos();
    capture.records.windows(2).any(|pair| u128::from(pair[0].ts_nanos.abs_diff(pair[1].ts_nanos)) > held)
}

/// The records for which a wrapping has a place.
fn what_is_left(wrapping: &Wrapping, capture: &Capture) -> Capture {
    let has_place = |record: &&testkit::capture::Record| {
        let alone = Capture { link_type: capture.link_type, records: vec![(*record).clone()] };
        !wrapping.apply(&alone).records.is_empty()
    };
    Capture {
        link_type: capture.link_type,
        records: capture.records.iter().filter(has_place).cloned().collect(),
    }
}

#[test]
fn every_wrapping_gives_the_events_of_the_plain_capture() {
    let mut wrong = Vec::new();
    for (name, capture) in captures() {
        let plain = apart_from_the_way(events(&capture));
        for wrapping in Wrapping::ALL {
            if wrapping.name.contains("fragments") && has_silence(&capture) {
                continue;
            }
            let left = what_is_left(wrapping, &capture);
            let expected = if left.records.len() == capture.records.len() {
                plain.clone()
            } else {
                apart_from_the_way(events(&left))
            };
            if apart_from_the_way(events(&wrapping.apply(&capture))) != expected {
                wrong.push(format!("{name} in {}", wrapping.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_kind_of_file_gives_the_same_events_down_to_the_frame_number() {
    for (name, mut capture) in captures() {
        for record in &mut capture.records {
            // Not every kind of file keeps nanoseconds.
            record.ts_nanos -= record.ts_nanos % 1_000;
        }
        let expected = events(&capture);
        for container in Container::ALL {
            // A single record does not tell a variant from what has its magic.
            let is_variant =
                ["nokia", "rh6.1", "suse"].iter().any(|variant| container.name.contains(variant));
            if is_variant && capture.records.len() < 2 {
                continue;
            }
            assert_eq!(analyze(container.write(&capture)), expected, "{name} as {}", container.name);
        }
    }
}

/// A wrapping, the paths of an IPv4 packet and of an IPv6 packet in it, `None` where it has no place for one, and
/// the VLAN.
type Way = (&'static str, Option<&'static str>, Option<&'static str>, Option<u16>);

const WAYS: &[Way] = &[
    ("vlan", Some("vlan"), Some("vlan"), Some(100)),
    ("vlan-priority", Some("vlan"), Some("vlan"), Some(100)),
    ("qinq", Some("vlan vlan"), Some("vlan vlan"), Some(7)),
    ("qinq-9100", Some("vlan vlan"), Some("vlan vlan"), Some(7)),
    ("vlan-four-tags", Some("vlan vlan vlan vlan"), Some("vlan vlan vlan vlan"), Some(1)),
    ("llc-snap", Some(""), Some(""), None),
    ("pppoe", Some("pppoe"), Some("pppoe"), None),
    ("vlan-pppoe", Some("vlan pppoe"), Some("vlan pppoe"), Some(7)),
    ("mpls", Some("mpls"), Some("mpls"), None),
    ("mpls-three-labels", Some("mpls"), Some("mpls"), None),
    ("cisco-metadata", Some(""), Some(""), None),
    ("sll", Some(""), Some(""), None),
    ("sll2", Some(""), Some(""), None),
    ("raw-12", Some(""), Some(""), None),
    ("raw-14", Some(""), Some(""), None),
    ("raw-101", Some(""), Some(""), None),
    ("raw-ipv4", Some(""), None, None),
    ("raw-ipv6", None, Some(""), None),
    ("null-le-netbsd", Some(""), Some(""), None),
    ("null-le-freebsd", Some(""), Some(""), None),
    ("null-le-darwin", Some(""), Some(""), None),
    ("null-be", Some(""), Some(""), None),
    ("loop", Some(""), Some(""), None),
    ("ppp", Some(""), Some(""), None),
    ("ppp-hdlc", Some(""), Some(""), None),
    ("ppp-serial", Some(""), Some(""), None),
    ("ppp-serial-cisco", Some(""), Some(""), None),
    ("ppp-cisco", Some(""), Some(""), None),
    ("ppp-ether", Some("pppoe"), Some("pppoe"), None),
    ("c-hdlc", Some(""), Some(""), None),
    ("c-hdlc-broadcast", Some(""), Some(""), None),
    ("pflog-48", Some(""), Some(""), None),
    ("pflog-61", Some(""), Some(""), None),
    ("pflog-64", Some(""), Some(""), None),
    ("pflog-100", Some(""), Some(""), None),
    ("wifi", Some(""), Some(""), None),
    ("wifi-qos", Some(""), Some(""), None),
    ("wifi-qos-ht", Some(""), Some(""), None),
    ("wifi-four-addresses", Some(""), Some(""), None),
    ("wifi-mesh", Some(""), Some(""), None),
    ("wifi-aggregated", Some(""), Some(""), None),
    ("radiotap", Some(""), Some(""), None),
    ("radiotap-qos-fcs", Some(""), Some(""), None),
    ("token-ring", Some(""), Some(""), None),
    ("token-ring-route", Some(""), Some(""), None),
    ("fddi", Some(""), Some(""), None),
    ("atm", Some(""), Some(""), None),
    ("atm-bridged", Some(""), Some(""), None),
    ("frame-relay", Some(""), Some(""), None),
    ("frame-relay-cisco", Some(""), Some(""), None),
    ("ppp-pppd", Some(""), Some(""), None),
    ("ppp-direction", Some(""), Some(""), None),
    ("mpls-alone", Some("mpls"), Some("mpls"), None),
    ("prism", Some(""), Some(""), None),
    ("prism-avs", Some(""), Some(""), None),
    ("avs", Some(""), Some(""), None),
    ("ppi-ethernet", Some(""), Some(""), None),
    ("ppi-wifi-fcs", Some(""), Some(""), None),
    ("pktap-ethernet", Some(""), Some(""), None),
    ("pktap-raw", Some(""), Some(""), None),
    ("nflog-le", Some(""), Some(""), None),
    ("nflog-be", Some(""), Some(""), None),
    ("enc-le", Some(""), Some(""), None),
    ("enc-be", Some(""), Some(""), None),
    ("netanalyzer", Some(""), Some(""), None),
    ("netanalyzer-transparent", Some(""), Some(""), None),
    ("erf", Some(""), Some(""), None),
    ("erf-extensions", Some(""), Some(""), None),
    ("juniper", Some(""), Some(""), None),
    ("juniper-ip", Some(""), Some(""), None),
    ("slip", Some(""), Some(""), None),
    ("fibre-channel", Some(""), Some(""), None),
    ("sun-atm", Some(""), Some(""), None),
    ("sun-atm-lane", Some(""), Some(""), None),
    ("fire-wire", Some(""), Some(""), None),
    ("solaris-ip", Some(""), Some(""), None),
    ("infiniband", Some(""), Some(""), None),
    ("mpacket", Some(""), Some(""), None),
    ("switch-broadcom", Some(""), Some(""), None),
    ("switch-broadcom-front", Some(""), Some(""), None),
    ("switch-marvell", Some(""), Some(""), None),
    ("switch-marvell-type", Some(""), Some(""), None),
    ("hsr", Some(""), Some(""), None),
    ("arista-time", Some(""), Some(""), None),
    ("arista-time-short", Some(""), Some(""), None),
    ("qinq-9200", Some("vlan vlan"), Some("vlan vlan"), Some(7)),
    ("pbb", Some("vlan pbb vlan"), Some("vlan pbb vlan"), Some(9)),
    ("macsec", Some("macsec"), Some("macsec"), None),
    ("macsec-channel", Some("macsec"), Some("macsec"), None),
    ("vn-tag", Some("vntag"), Some("vntag"), None),
    ("e-tag", Some("etag"), Some("etag"), None),
    ("fabric-path", Some("fabricpath"), Some("fabricpath"), None),
    ("trill", Some("trill"), Some("trill"), None),
    ("trill-options", Some("trill"), Some("trill"), None),
    ("nsh", Some("nsh"), Some("nsh"), None),
    ("pseudowire", Some("mpls"), Some("mpls"), None),
    ("pseudowire-without-word", Some("mpls"), Some("mpls"), None),
    ("ip-in-ipv4", Some("ipip"), Some("6in4"), None),
    ("ip-in-ipv6", Some("4in6"), Some("6in6"), None),
    ("gre", Some("gre"), Some("gre"), None),
    ("gre-over-ipv6", Some("gre"), Some("gre"), None),
    ("gre-all-fields", Some("gre"), Some("gre"), None),
    ("gre-ethernet", Some("gre"), Some("gre"), None),
    ("erspan-i", Some("erspan"), Some("erspan"), None),
    ("erspan-ii", Some("erspan"), Some("erspan"), None),
    ("erspan-iii", Some("erspan"), Some("erspan"), None),
    ("erspan-iii-sub-header", Some("erspan"), Some("erspan"), None),
    ("vxlan", Some("vxlan"), Some("vxlan"), None),
    ("vxlan-8472", Some("vxlan"), Some("vxlan"), None),
    ("vxlan-over-ipv6", Some("vxlan"), Some("vxlan"), None),
    ("vxlan-vlan", Some("vxlan vlan"), Some("vxlan vlan"), Some(5)),
    ("geneve", Some("geneve"), Some("geneve"), None),
    ("geneve-options-ip", Some("geneve"), Some("geneve"), None),
    ("gtp-u", Some("gtpu"), Some("gtpu"), None),
    ("gtp-u-sequence", Some("gtpu"), Some("gtpu"), None),
    ("gtp-u-extension", Some("gtpu"), Some("gtpu"), None),
    // A datagram of the other version stays on Ethernet.
    ("teredo-ipv6", Some(""), Some("teredo"), None),
    ("teredo-indications-ipv6", Some(""), Some("teredo"), None),
    ("pptp", Some("gre"), Some("gre"), None),
    ("pptp-acknowledgment", Some("gre"), Some("gre"), None),
    ("wccp", Some("gre"), Some("gre"), None),
    ("wccp-1", Some("gre"), Some("gre"), None),
    ("ether-ip", Some("etherip"), Some("etherip"), None),
    ("ethernet-in-ipv6", Some("etherip"), Some("etherip"), None),
    ("mpls-in-ip", Some("mpls"), Some("mpls"), None),
    ("l2tp3", Some("l2tp"), Some("l2tp"), None),
    ("l2tp3-cookie", Some("l2tp"), Some("l2tp"), None),
    ("l2tp", Some("l2tp"), Some("l2tp"), None),
    ("l2tp-all-fields", Some("l2tp"), Some("l2tp"), None),
    ("vxlan-gpe", Some("vxlan-gpe"), Some("vxlan-gpe"), None),
    ("vxlan-gpe-nsh", Some("vxlan-gpe nsh"), Some("vxlan-gpe nsh"), None),
    ("gue", Some("gue ipip"), Some("gue 6in4"), None),
    ("gue-fields-gre", Some("gue gre"), Some("gue gre"), None),
    ("gue-1", Some("gue"), Some("gue"), None),
    ("gre-in-udp", Some("gre"), Some("gre"), None),
    ("mpls-in-udp", Some("mpls"), Some("mpls"), None),
    ("lisp", Some("lisp"), Some("lisp"), None),
    ("lisp-instance", Some("lisp"), Some("lisp"), None),
    ("tzsp", Some("tzsp"), Some("tzsp"), None),
    ("tzsp-wifi", Some("tzsp"), Some("tzsp"), None),
    ("capwap", Some("capwap"), Some("capwap"), None),
    ("capwap-ethernet", Some("capwap"), Some("capwap"), None),
    ("ipv4-capwap-fragments", Some("capwap"), Some(""), None),
    ("vxlan-in-gre", Some("gre vxlan"), Some("gre vxlan"), None),
    ("ipv4-fragments", Some(""), Some(""), None),
    ("ipv4-fragments-reversed", Some(""), Some(""), None),
    ("ipv4-fragments-in-gre", Some("gre"), Some(""), None),
    ("ipv4-gre-in-fragments", Some("gre"), Some(""), None),
    ("ipv6-fragments", Some(""), Some(""), None),
];

#[test]
fn every_wrapping_is_recorded_from_the_outside_in_with_its_outermost_vlan() {
    let named: Vec<_> = Wrapping::ALL.iter().map(|wrapping| wrapping.name).collect();
    let listed: Vec<_> = WAYS.iter().map(|&(name, ..)| name).collect();
    assert_eq!(listed, named, "every wrapping is listed, in order");
    let four = Capture::open(&corpus::path("tcp/a01_linux_syn.pcap"));
    let six = Capture::open(&corpus::path("tcp/a05_v6_syn.pcap"));
    for (wrapping, &(name, path4, path6, vlan)) in Wrapping::ALL.iter().zip(WAYS) {
        for (capture, path) in [(&four, path4), (&six, path6)] {
            let seen: Vec<_> = events(&wrapping.apply(capture))
                .iter()
                .map(|event| {
                    let origin = event.origin();
                    let layers: Vec<_> = origin.path.iter().map(Encapsulation::name).collect();
                    (layers.join(" "), origin.vlan)
                })
                .collect();
            let expected: Vec<_> = path.map(|path| (path.to_owned(), vlan)).into_iter().collect();
            assert_eq!(seen, expected, "{name}");
        }
    }
}

#[test]
fn the_number_of_a_reassembled_syn_is_that_of_the_fragment_which_completed_it() {
    let capture = Capture::open(&corpus::path("tcp/a01_linux_syn.pcap"));
    let fragments = Wrapping::ALL.iter().find(|wrapping| wrapping.name == "ipv4-fragments").expect("named");
    let wrapped = fragments.apply(&capture);
    let numbers: Vec<_> = events(&wrapped).iter().map(|event| event.origin().frame).collect();
    assert_eq!(numbers, [wrapped.records.len() as u64]);
}
