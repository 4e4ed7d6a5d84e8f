//! Hellos that are not complete when the input ends.

use std::sync::Arc;

use huginn_net_core::source::FrameStore;
use huginn_net_core::{
    Analyzer, AnalyzerStats, Events, Frame, LinkType, Located, PoolConfig, SourceError, Timestamp,
};
use huginn_net_tls::{HuginnNetTls, TlsEvent, TlsSettings};
use testkit::packet::{IpHeader, Ipv4, Tcp, Udp, flags};

use crate::connections::{hello, server_hello};
use crate::datagrams::{dtls_fragment, dtls_hello, vector};
use crate::watch::{MILLISECOND, START, Watch};

const SERVER: [u8; 4] = [10, 0, 0, 2];

fn tcp(port: u16, at: usize, payload: &[u8]) -> Vec<u8> {
    let segment = Tcp::new(port, 443).sequence(1 + at as u32).flags(flags::ACK).payload(payload);
    Ipv4::new([10, 0, 0, 1], SERVER).tcp(&segment)
}

fn udp(port: u16, payload: &[u8]) -> Vec<u8> {
    Ipv4::new([10, 0, 0, 1], SERVER).udp(&Udp::new(port, 443, payload))
}

/// How many hellos are said to be incomplete when these datagrams were all.
fn incomplete(datagrams: &[Vec<u8>]) -> u64 {
    let mut watch = Watch::new(TlsSettings::default());
    for (datagram, number) in datagrams.iter().zip(0..) {
        watch.datagram(datagram, number * MILLISECOND);
    }
    assert_eq!(watch.limit("tls_incomplete"), 0, "more may come");
    for _ in 0..2 {
        watch.analyzer.on_end(&mut |_| panic!("half a hello"));
    }
    watch.limit("tls_incomplete")
}

#[test]
fn hellos_that_miss_their_end_are_counted_over_each_transport() {
    let hello = hello();
    for len in 6..hello.len() {
        assert_eq!(incomplete(&[tcp(1, 0, &hello[..len])]), 1, "{len} bytes");
    }
    assert_eq!(incomplete(&[tcp(1, 0, &hello[..100]), tcp(1, 150, &hello[150..])]), 1, "a gap");
    let behind_change_cipher_spec = [&[20, 3, 3, 0, 1, 1][..], &hello[..100]].concat();
    assert_eq!(incomplete(&[tcp(1, 0, &behind_change_cipher_spec)]), 1);
    let records = [&[22, 3, 1, 0, 10][..], &hello[5..15], &[22, 3, 1, 1, 0], &hello[15..100]].concat();
    assert_eq!(incomplete(&[tcp(1, 0, &records)]), 1, "several records");
    let answer = server_hello("openssl-3.0.19-tls1_1-0");
    assert_eq!(incomplete(&[tcp(1, 0, &answer[..50])]), 1, "of a server");
    let (quic, _) = vector("q-chromium-156.0.8078.79-1");
    assert_eq!(incomplete(&[udp(1, &quic[0])]), 1);
    assert_eq!(incomplete(&[udp(1, &dtls_fragment(&dtls_hello(0, b""), 5, 20))]), 1);
}

#[test]
fn what_is_complete_given_up_or_no_hello_is_not_counted_at_the_end() {
    let hello = hello();
    assert_eq!(incomplete(&[tcp(1, 0, &hello)]), 0);
    assert_eq!(incomplete(&[tcp(1, 0, &hello[..100]), tcp(1, 100, &hello[100..])]), 0);
    assert_eq!(incomplete(&[tcp(1, 0, &[22, 3, 1, 0, 200])]), 0, "no byte of a message");
    assert_eq!(incomplete(&[tcp(1, 0, b"CONNECT www.example.test")]), 0);
    let (quic, _) = vector("q-chromium-156.0.8078.79-1");
    assert_eq!(incomplete(&[udp(1, &quic[0]), udp(1, &quic[1])]), 0);
    assert_eq!(incomplete(&[udp(1, &quic[0]), udp(1, &quic[1]), udp(1, &quic[0])]), 0, "sent again");
    assert_eq!(incomplete(&[udp(1, &dtls_hello(0, b""))]), 0);
    let mut watch = Watch::new(TlsSettings::default());
    watch.datagram(&tcp(1, 0, &hello[..100]), 0);
    // Another flow, long after.
    watch.datagram(&tcp(2, 0, b"x"), 20_000 * MILLISECOND);
    watch.analyzer.on_end(&mut drop);
    assert_eq!((watch.limit("tls_incomplete"), watch.limit("tls_pending_time")), (0, 1));
}

fn counted<E: Located>(mut events: Events<E>) -> Result<(AnalyzerStats, usize), SourceError> {
    let told = events.by_ref().collect::<Result<Vec<_>, _>>()?.len();
    let mut counts = events.stats().analysis;
    let AnalyzerStats { malformed, limits_hit, seen, .. } = &mut counts;
    [malformed, limits_hit, seen].into_iter().for_each(|counts| counts.sort_unstable());
    Ok((counts, told))
}

#[test]
fn the_counts_of_hellos_do_not_depend_on_workers_or_shards() -> Result<(), SourceError> {
    let (hello, (quic, _)) = (hello(), vector("q-chromium-156.0.8078.79-1"));
    let dtls = dtls_hello(0, b"");
    let mut datagrams = Vec::new();
    for port in 1..=40 {
        let whole = port % 4 == 0;
        datagrams.push(tcp(port, 0, &hello[..100]));
        datagrams.push(udp(1_000 + port, &quic[0]));
        datagrams.push(udp(2_000 + port, &dtls_fragment(&dtls, 0, 20)));
        if whole {
            datagrams.push(tcp(port, 100, &hello[100..]));
            datagrams.push(udp(1_000 + port, &quic[1]));
            datagrams.push(udp(2_000 + port, &dtls_fragment(&dtls, 20, dtls.len() as u8 - 25)));
        }
    }
    let store_of = |shard: u16, shards: u16| {
        let mut store = FrameStore::default();
        for (datagram, number) in datagrams.iter().zip(1..) {
            let port = u16::from_be_bytes([datagram[20], datagram[21]]);
            if port % shards == shard {
                let captured_at = Timestamp::from_nanos(START + number * MILLISECOND);
                store.push(&Frame { captured_at, number, ..Frame::new(datagram, LinkType::RAW) });
            }
        }
        Arc::new(store).source()
    };
    let expected = counted::<TlsEvent>(HuginnNetTls::new().analyze(store_of(0, 1)))?;
    assert_eq!((&expected.0.limits_hit[..], expected.1), (&[("tls_incomplete", 90)][..], 30));
    for workers in 1..=4 {
        let pool = HuginnNetTls::new().with_pool(PoolConfig::new(workers, 100).with_batch(4, 1_000));
        assert_eq!(counted(pool.analyze(store_of(0, 1)))?, expected, "{workers} workers");
        let shards = (0..workers as u16).map(|shard| store_of(shard, workers as u16));
        assert_eq!(counted(HuginnNetTls::new().analyze_shards(shards))?, expected, "{workers} shards");
    }
    Ok(())
}
