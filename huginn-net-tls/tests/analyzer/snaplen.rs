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
    assert_eq!(counted(&[(0, &hello[..], 60); 3]), (cut.to_vec(), 0), "sent again");
    assert_eq!(counted(&[(0, &hello[..50], 50), (50, &hello[50..], 10)]), (cut.to_vec(), 0), "the second");
    let longer = [&hello[..], b"more"].concat();
    assert_eq!(counted(&[(0, &longer, hello.len())]), (vec![], 1), "behind the hello");
    assert_eq!(counted(&[(0, &[b'x'; 80], 10)]), (vec![], 0), "no hello");
    assert_eq!(counted(&[(0, &hello[..50], 50)]), (vec![], 0), "sent in two, and the second is missing");
}

#[test]
fn a_cut_hello_is_counted_in_several_records_early_and_from_the_byte_on_that_tells_its_type() {
    let hello = hello();
    let cut = (vec![("tls_cut", 1)], 0);
    for kept in 1..20 {
        let expected = if kept < 6 { (vec![], 0) } else { cut.clone() };
        assert_eq!(counted(&[(0, &hello, kept)]), expected, "{kept} bytes");
    }
    let records: Vec<u8> = hello[5..]
        .chunks(20)
        .flat_map(|part| [&[22, 3, 1, 0, u8::try_from(part.len()).unwrap()], part].concat())
        .collect();
    for kept in [24, 25, 26, 30, 49, 50, 60] {
        assert_eq!(counted(&[(0, &records, kept)]), cut, "{kept} bytes of records");
    }
    let behind_change_cipher_spec = [&[20, 3, 3, 0, 1, 1][..], &hello].concat();
    for (kept, expected) in [(3, 0), (6, 0), (11, 0), (12, 1), (13, 1), (80, 1)] {
        let (malformed, told) = counted(&[(0, &behind_change_cipher_spec, kept)]);
        assert_eq!((malformed.len(), told), (expected, 0), "{kept} bytes");
    }
    assert_eq!(counted(&[(0, b"x", 1), (20, &hello, 60)]), cut, "behind a gap");
    let finished = [22, 3, 3, 0, 40, 20, 0, 0, 36, 1, 2, 3];
    assert_eq!(counted(&[(0, &finished, 10)]), (vec![], 0), "another message of a handshake");
    let early_data = [&hello[..], &[23, 3, 3, 0, 90], &[7; 90]].concat();
    assert_eq!(counted(&[(0, &early_data, hello.len() + 20)]), (vec![], 1), "early data behind the hello");
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
