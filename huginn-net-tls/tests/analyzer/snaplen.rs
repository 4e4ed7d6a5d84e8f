//! Hellos of which a capture did not keep all bytes.

use huginn_net_core::LinkType;
use huginn_net_tls::TlsSettings;
use testkit::capture::Capture;
use testkit::packet::{IpHeader, Ipv4, Tcp, flags};

use crate::captures::open;
use crate::connections::hello;
use crate::datagrams::dtls;
use crate::watch::{START, Watch};

/// What is counted as malformed, and how many hellos are told, if a client sends these segments, each with its offset,
/// and so many bytes of their payload are kept.
fn counted(segments: &[(usize, &[u8], usize)]) -> (Vec<(&'static str, u64)>, usize) {
    let mut watch = Watch::new(TlsSettings::default());
    for (nanos, &(offset, payload, kept)) in (0..).zip(segments) {
        let segment = Tcp::new(40_000, 443).sequence(1 + offset as u32).flags(flags::ACK).payload(payload);
        let datagram = Ipv4::new([192, 0, 2, 7], [192, 0, 2, 1]).tcp(&segment);
        let len = datagram.len() - payload.len() + kept;
        watch.kept(&datagram[..len], datagram.len(), LinkType::RAW.0, START + nanos);
    }
    (watch.stats().malformed, watch.ja4().len())
}

#[test]
fn a_segment_cut_within_a_hello_is_counted() {
    let hello = hello();
    let cut = [("tls_cut", 1)];
    assert_eq!(counted(&[(0, &hello, 60)]), (cut.to_vec(), 0), "the only one");
    assert_eq!(counted(&[(0, &hello[..50], 50), (50, &hello[50..], 10)]), (cut.to_vec(), 0), "the second");
    let longer = [&hello[..], b"more"].concat();
    assert_eq!(counted(&[(0, &longer, hello.len())]), (vec![], 1), "behind the hello");
    assert_eq!(counted(&[(0, &[b'x'; 80], 10)]), (vec![], 0), "no hello");
    assert_eq!(counted(&[(0, &hello[..50], 50)]), (vec![], 0), "sent in two, and the second is missing");
}

#[test]
fn a_datagram_cut_within_a_hello_is_counted() {
    let counted = |capture: &Capture, kept: usize| {
        let mut watch = Watch::new(TlsSettings::default());
        for record in &capture.records {
            let bytes = &record.bytes[..kept.min(record.bytes.len())];
            watch.kept(bytes, record.bytes.len(), capture.link_type, record.ts_nanos);
        }
        assert!(watch.events.is_empty());
        watch.stats().malformed
    };
    // Those of both ends.
    let quic = counted(&open("quic-pcap/q-quic-go-v1.pcap"), 200);
    assert!(quic.contains(&("quic_truncated", 4)), "{quic:?}");
    for (name, capture) in dtls() {
        let dtls = counted(&capture, 100);
        assert!(matches!(dtls[..], [("dtls_truncated", 2..)]), "{name}: {dtls:?}");
    }
}
