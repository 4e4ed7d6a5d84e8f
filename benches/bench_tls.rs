//! What it costs to read a ClientHello, to fingerprint it, and to pass over what is none.
//!
//! `cargo bench -p huginn-net-tls`. Every pass goes over all hellos; Criterion's `elem/s` are hellos per second.

#![allow(
    missing_docs,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a bench fails by panicking"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use huginn_net_core::Progress;
use huginn_net_tls::{
    Carrier, ClientHello, ClientHelloReader, DtlsHelloReader, DtlsLimits, ExtensionType, Ja4Cache,
    Ja4Options, QuicInitialReader, QuicLimits,
};
use serde_json::Value;
use testkit::corpus;
use testkit::rng::Rng;

/// A handshake message, what carried it, and the JA4 that is expected of it.
struct Hello {
    message: Vec<u8>,
    carrier: Carrier,
    ja4: String,
}

impl Hello {
    fn parse(&self) -> ClientHello<'_> {
        match ClientHello::parse(&self.message, self.carrier) {
            Ok(Progress::Done(hello)) => hello,
            other => panic!("{other:?}"),
        }
    }

    /// The hello of this client's next connection: another random, and extensions in another order as browsers send
    /// them, but `pre_shared_key`, which stays the last.
    fn next(&self, rng: &mut Rng) -> Self {
        let hello = self.parse();
        let mut extensions: Vec<_> = hello.extensions().collect();
        let last = extensions.pop_if(|extension| extension.kind == ExtensionType::PRE_SHARED_KEY);
        rng.shuffle(&mut extensions);
        extensions.extend(last);
        let block: Vec<u8> = extensions
            .iter()
            .flat_map(|extension| {
                let len = (extension.body.len() as u16).to_be_bytes();
                [&extension.kind.0.to_be_bytes()[..], &len, extension.body].concat()
            })
            .collect();
        let mut message = self.message.clone();
        let start = message.len() - block.len();
        message[start..].copy_from_slice(&block);
        message[6..38].fill_with(|| rng.below(256) as u8);
        Self { message, carrier: self.carrier, ja4: self.ja4.clone() }
    }

    /// The message in a record of TLS.
    fn record(&self) -> Vec<u8> {
        let len = u16::try_from(self.message.len()).expect("a hello of one record");
        [&[22, 3, 1], &len.to_be_bytes()[..], &self.message].concat()
    }
}

fn read(file: &Value) -> Vec<u8> {
    let file = file.as_str().expect("the name of a file");
    std::fs::read(corpus::path("tls").join(file)).expect("a file of the corpus")
}

fn entries(table: &str) -> Vec<Value> {
    let table: Value = serde_json::from_slice(&read(&Value::from(table))).expect("a table in JSON");
    table["vectors"].as_array().expect("a list").clone()
}

/// The hellos of the corpus, all different, and the next connection of each client that was recorded.
fn hellos() -> Vec<Hello> {
    let mut hellos = Vec::new();
    let mut rng = Rng::new(1);
    for entry in entries("hello.json") {
        let carrier = match entry["transport"].as_str() {
            Some("quic") => Carrier::Quic,
            Some("dtls") => Carrier::Dtls,
            _ => Carrier::Tcp,
        };
        let bytes = read(&entry["file"]);
        let message = match entry["format"].as_str() {
            Some("handshake") => bytes,
            Some("tls-records") => {
                let mut reader = ClientHelloReader::new();
                let Ok(Progress::Done(hello)) = reader.push(&bytes) else { panic!("{entry}") };
                hello.message().to_vec()
            }
            _ => continue,
        };
        let ja4 = entry["expected"]["ja4"].as_str().expect("a JA4").to_owned();
        let hello = Hello { message, carrier, ja4 };
        if entry["origin"] == "recorded" {
            hellos.push(hello.next(&mut rng));
        }
        hellos.push(hello);
    }
    let mut seen = BTreeSet::new();
    hellos.retain(|hello| seen.insert(hello.message.clone()));
    assert!(hellos.len() >= 400, "{} hellos", hellos.len());
    for hello in &hellos {
        assert_eq!(hello.parse().ja4().as_str(), hello.ja4);
    }
    hellos
}

/// Payloads that lead nowhere.
fn uninteresting() -> [(&'static str, Vec<u8>); 4] {
    [
        ("http", b"GET / HTTP/1.1\r\nHost: example.test\r\n\r\n".to_vec()),
        ("tls_data", [&[23, 3, 3, 0x05, 0x00][..], &[0xa5; 0x500]].concat()),
        ("quic_data", [&[0x41][..], &[0xa5; 1_200]].concat()),
        (
            "dns",
            b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01x\x04test\x00\x00\x01\x00\x01".to_vec(),
        ),
    ]
}

fn detection(criterion: &mut Criterion) {
    const TIMES: u64 = 1_000;
    let mut group = criterion.benchmark_group("detection");
    group.throughput(Throughput::Elements(TIMES));
    for (name, payload) in uninteresting() {
        group.bench_function(format!("segment_{name}"), |bencher| {
            bencher.iter(|| {
                for _ in 0..TIMES {
                    assert!(ClientHello::from_record(black_box(&payload)).is_err());
                }
            });
        });
        group.bench_function(format!("datagram_{name}"), |bencher| {
            bencher.iter(|| {
                for _ in 0..TIMES {
                    let payload = black_box(&payload[..]);
                    assert!(!QuicInitialReader::is_initial(payload) && !DtlsHelloReader::is_hello(payload));
                }
            });
        });
    }
    group.finish();
}

fn parse(criterion: &mut Criterion) {
    let hellos = hellos();
    let records: Vec<_> =
        hellos.iter().filter(|hello| hello.message.len() < 16_384).map(Hello::record).collect();
    let mut group = criterion.benchmark_group("parse");
    group.throughput(Throughput::Elements(hellos.len() as u64));
    group.bench_function("message", |bencher| {
        bencher.iter(|| {
            for hello in &hellos {
                black_box(black_box(hello).parse());
            }
        });
    });
    group.throughput(Throughput::Elements(records.len() as u64));
    group.bench_function("record", |bencher| {
        bencher.iter(|| {
            for record in &records {
                // A DTLS hello in a record of TLS has its cookie in the wrong place.
                let _ = black_box(ClientHello::from_record(black_box(record)));
            }
        });
    });
    group.bench_function("record_in_two_pushes", |bencher| {
        bencher.iter(|| {
            for record in &records {
                let (head, tail) = record.split_at(record.len() / 2);
                let mut reader = ClientHelloReader::new();
                assert!(matches!(reader.push(black_box(head)), Ok(Progress::NeedMore)));
                let _ = black_box(reader.push(black_box(tail)));
            }
        });
    });
    group.finish();
}

fn fingerprints(criterion: &mut Criterion) {
    let hellos = hellos();
    let parsed: Vec<_> = hellos.iter().map(Hello::parse).collect();
    let mut group = criterion.benchmark_group("fingerprint");
    group.throughput(Throughput::Elements(hellos.len() as u64));
    group.bench_function("ja4", |bencher| {
        bencher.iter(|| {
            for (parsed, hello) in parsed.iter().zip(&hellos) {
                assert_eq!(black_box(parsed).ja4().as_str(), hello.ja4);
            }
        });
    });
    group.bench_function("ja4_from_message", |bencher| {
        bencher.iter(|| {
            for hello in &hellos {
                assert_eq!(black_box(hello).parse().ja4().as_str(), hello.ja4);
            }
        });
    });
    let mut cache = Ja4Cache::new(2_048);
    group.bench_function("ja4_from_message_with_cache", |bencher| {
        bencher.iter(|| {
            for hello in &hellos {
                let forms = black_box(hello).parse().ja4_forms(Ja4Options::default());
                assert_eq!(cache.ja4(&forms).as_str(), hello.ja4);
            }
        });
    });
    macro_rules! hashed {
        ($($form:ident)*) => {$(
            group.bench_function(stringify!($form), |bencher| {
                bencher.iter(|| {
                    for parsed in &parsed {
                        black_box(black_box(parsed).$form());
                    }
                });
            });
        )*};
    }
    hashed!(ja4_o ja4_s1 ja3 ja3n);
    let mut text = String::new();
    macro_rules! written {
        ($($form:ident)*) => {$(
            group.bench_function(stringify!($form), |bencher| {
                bencher.iter(|| {
                    for parsed in &parsed {
                        text.clear();
                        write!(text, "{}", black_box(parsed).$form()).expect("a string takes all");
                        assert!(black_box(&text).len() > 10);
                    }
                });
            });
        )*};
    }
    written!(ja4_r ja4_ro ja4_s1r ja3_full ja3n_full);
    group.finish();
}

fn quic(criterion: &mut Criterion) {
    let vectors: Vec<Vec<Vec<u8>>> = entries("quic.json")
        .iter()
        .filter(|entry| !entry["expected"].is_null())
        .map(|entry| entry["datagrams"].as_array().expect("a list").iter().map(read).collect())
        .collect();
    let mut group = criterion.benchmark_group("quic");
    for (name, datagrams) in [("one_datagram", 1), ("two_datagrams", 2)] {
        let vectors: Vec<_> = vectors.iter().filter(|vector| vector.len() == datagrams).collect();
        assert!(vectors.len() > 5, "{} of {name}", vectors.len());
        group.throughput(Throughput::Elements(vectors.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for datagrams in &vectors {
                    let mut reader = QuicInitialReader::new(QuicLimits::default());
                    let mut found = 0;
                    for datagram in *datagrams {
                        found +=
                            usize::from(matches!(reader.push(black_box(datagram)), Ok(Progress::Done(_))));
                    }
                    assert_eq!(found, 1);
                }
            });
        });
    }
    group.finish();
}

/// A hello in DTLS records of fragments of this many bytes, each in its own datagram.
fn dtls_datagrams(message: &[u8], size: usize) -> Vec<Vec<u8>> {
    let (header, body) = message.split_at(4);
    let fragments = body.chunks(size).enumerate();
    fragments
        .map(|(index, data)| {
            let [_, offset @ ..] = ((index * size) as u32).to_be_bytes();
            let [_, len @ ..] = (data.len() as u32).to_be_bytes();
            let record_len = (12 + data.len() as u16).to_be_bytes();
            let start = [22, 0xfe, 0xff, 0, 0, 0, 0, 0, 0, 0, index as u8];
            [&start, &record_len[..], header, &[0, 0], &offset, &len, data].concat()
        })
        .collect()
}

fn dtls(criterion: &mut Criterion) {
    let hellos: Vec<_> = hellos().into_iter().filter(|hello| hello.carrier == Carrier::Dtls).collect();
    let mut group = criterion.benchmark_group("dtls");
    group.throughput(Throughput::Elements(hellos.len() as u64));
    for (name, size) in [("whole", usize::MAX), ("fragments_of_100_bytes", 100)] {
        let messages: Vec<_> = hellos.iter().map(|hello| dtls_datagrams(&hello.message, size)).collect();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for datagrams in &messages {
                    let mut reader = DtlsHelloReader::new(DtlsLimits::default());
                    let mut found = 0;
                    for datagram in datagrams {
                        found +=
                            usize::from(matches!(reader.push(black_box(datagram)), Ok(Progress::Done(_))));
                    }
                    assert_eq!(found, 1);
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, detection, parse, fingerprints, quic, dtls);
criterion_main!(benches);
