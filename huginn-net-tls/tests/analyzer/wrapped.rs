//! The same hellos in other link layers, tunnels and versions of IP, cut anew before they are wrapped.

use testkit::capture::{Capture, Record};
use testkit::corpus;
use testkit::encap::{ether_type, link};
use testkit::packet::{IpHeader, Ipv6};
use testkit::recut::recut;
use testkit::rng::Rng;
use testkit::wrap::Wrapping;

use crate::captures::{open, table};
use crate::recut::plans;
use crate::watch::watch;

/// A browser, a second hello after a HelloRetryRequest, a protocol before TLS, data on a SYN, numbers that wrap.
const CAPTURES: [&str; 5] = [
    "pcap/chromium-156.0.8078.79.pcap",
    "pcap/hrr-go-1.26.8.pcap",
    "pcap/starttls-smtp.pcap",
    "tcp/syn-data-tfo.pcap",
    "tcp/seq-wrap.pcap",
];

/// The fingerprints and the messages, in order.
fn hellos(capture: &Capture) -> Vec<(String, Vec<u8>)> {
    let watch = watch(capture);
    let of = |seen: &&huginn_net_tls::ClientHelloSeen| {
        (seen.hello.ja4().to_string(), seen.hello.message().to_vec())
    };
    watch.hellos().iter().map(of).collect()
}

/// The same segments and datagrams over IPv6.
fn over_ipv6(capture: &Capture) -> Capture {
    let convert = |record: &Record| {
        let (header, datagram) = record.bytes.split_at(14);
        assert_eq!(header[12..], ether_type::IPV4.to_be_bytes());
        let (header_len, total) =
            (usize::from(datagram[0] & 0x0f) * 4, u16::from_be_bytes([datagram[2], datagram[3]]));
        let address = |at: usize| {
            let mut address = [0xfd; 16];
            address[12..].copy_from_slice(&datagram[at..at + 4]);
            address
        };
        let ip = Ipv6::new(address(12), address(16));
        Record::whole(
            record.ts_nanos,
            link::ethernet(&ip.carry(datagram[9], &datagram[header_len..usize::from(total)])),
        )
    };
    Capture { link_type: capture.link_type, records: capture.records.iter().map(convert).collect() }
}

#[test]
fn hellos_are_the_same_in_every_wrapping_however_they_are_cut() {
    let (mut wrapped, mut first) = (0, 0);
    for name in CAPTURES {
        let original = open(name);
        let expected = hellos(&original);
        assert!(!expected.is_empty(), "{name}");
        for (capture, ip) in [(over_ipv6(&original), "IPv6"), (original, "IPv4")] {
            for (how, plan) in plans() {
                let cut = recut(&capture, &plan, 11).unwrap();
                assert_eq!(hellos(&cut), expected, "{name} {ip} {how}");
                // Each of them has its turn.
                first = (first + 1) % 8;
                let wrappings = Wrapping::ALL.iter().skip(first).step_by(8);
                for wrapping in wrappings.filter(|wrapping| wrapping.wraps_all(&cut)) {
                    let seen = hellos(&wrapping.apply(&cut));
                    assert_eq!(seen, expected, "{name} {ip} {how} {}", wrapping.name);
                    wrapped += 1;
                }
            }
        }
    }
    assert!(wrapped > 150, "{wrapped}");
}

/// The datagrams in another order, and each of them twice.
fn shuffled_and_repeated(capture: &Capture, rng: &mut Rng) -> Capture {
    let mut records = [&capture.records[..], &capture.records].concat();
    let mut times: Vec<_> = records.iter().map(|record| record.ts_nanos).collect();
    times.sort_unstable();
    rng.shuffle(&mut records);
    for (record, time) in records.iter_mut().zip(times) {
        record.ts_nanos = time;
    }
    Capture { records, ..*capture }
}

#[test]
fn every_hello_of_quic_is_told_once_whatever_the_order_and_number_of_its_datagrams() {
    let mut rng = Rng::new(4);
    for entry in table("tls/quic.json", "vectors") {
        let name = entry["name"].as_str().unwrap();
        let expected: Vec<_> = entry["expected"]["ja4"].as_str().into_iter().collect();
        let of_client: Vec<_> = entry["datagrams"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| std::fs::read(corpus::path("tls").join(file.as_str().unwrap())).unwrap())
            .collect();
        let mut capture = open(&format!("quic-pcap/{name}.pcap"));
        capture.records.retain(|record| of_client.iter().any(|payload| record.bytes.ends_with(payload)));
        let id = |payload: &Vec<u8>| payload[6..6 + usize::from(payload[5])].to_vec();
        let changes_id = of_client.iter().any(|payload| id(payload) != id(&of_client[0]));
        for _ in 0..2 {
            let mut shuffled = shuffled_and_repeated(&capture, &mut rng);
            // A client that was given another id has been answered; keys come from the id before.
            if changes_id {
                shuffled.records.insert(0, capture.records[0].clone());
            }
            assert_eq!(watch(&shuffled).ja4(), expected, "{name}");
            for wrapping in Wrapping::ALL.iter().filter(|wrapping| wrapping.wraps_all(&shuffled)).step_by(16)
            {
                let wrapped = wrapping.apply(&shuffled);
                assert_eq!(watch(&wrapped).ja4(), expected, "{name} {}", wrapping.name);
            }
        }
    }
}

#[test]
fn every_hello_of_dtls_is_told_once_whatever_the_order_and_number_of_its_datagrams() {
    let mut rng = Rng::new(5);
    let mut captures = 0;
    for folder in ["pcap", "pcap-hand"] {
        let all = corpus::captures(&format!("tls/{folder}"));
        for path in all.iter().filter(|path| path.to_string_lossy().contains("dtls")) {
            let capture = Capture::open(path);
            let mut expected = hellos(&capture);
            expected.sort();
            for _ in 0..4 {
                let mut seen = hellos(&shuffled_and_repeated(&capture, &mut rng));
                seen.sort();
                assert_eq!(seen, expected, "{}", path.display());
            }
            captures += 1;
        }
    }
    assert_eq!(captures, 6);
}
