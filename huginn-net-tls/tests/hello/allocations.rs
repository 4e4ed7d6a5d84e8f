//! What reading a hello allocates.

use huginn_net_core::Progress;
use huginn_net_tls::{Carrier, ClientHello, ClientHelloReader, Ja4Cache, Ja4Options};
use testkit::alloc::{Allocations, measure};

use crate::corpus::{self, named};

#[test]
fn no_recorded_hello_in_one_record_allocates_for_its_ja4() {
    let vectors = corpus::all();
    let recorded = vectors.iter().filter(|vector| vector.is_stream() && vector.entry["origin"] == "recorded");
    for vector in recorded {
        let (ja4, allocations) = measure(|| ClientHello::from_record(&vector.bytes).unwrap().ja4());
        assert_eq!(allocations, Allocations::NONE, "{}", vector.name);
        assert_eq!(ja4.as_str(), vector.entry["expected"]["ja4"], "{}", vector.name);

        let (complete, allocations) = measure(|| {
            let mut reader = ClientHelloReader::new();
            matches!(reader.push(&vector.bytes), Ok(Progress::Done(hello)) if hello.ja4() == ja4)
        });
        assert!(complete, "{}", vector.name);
        assert_eq!(allocations, Allocations::NONE, "{}", vector.name);
    }
}

#[test]
fn up_to_128_numbers_in_a_part_of_a_ja4_need_no_allocation() {
    // Suites are one part; extensions, that of the signature algorithms among them, and those are the other.
    for (suites, extensions, algorithms, allocates) in
        [(128, 127, 0, false), (129, 0, 0, true), (1, 128, 0, true), (1, 63, 64, false), (1, 64, 64, true)]
    {
        let suites: Vec<u16> = (0x1000..0x1000 + suites).collect();
        let algorithms: Vec<u8> = (0..algorithms).flat_map(|number| [3, number]).collect();
        let algorithms = [&u16::try_from(algorithms.len()).unwrap().to_be_bytes()[..], &algorithms].concat();
        let mut sent: Vec<(u16, &[u8])> = (0x1000..0x1000 + extensions).map(|kind| (kind, &[][..])).collect();
        sent.push((13, &algorithms));
        let message = corpus::message(&[], &suites, &sent);
        let hello = corpus::parse(&message, Carrier::Tcp);
        let counts = (
            hello.cipher_suites().without_grease().count(),
            hello.signature_algorithms().without_grease().count(),
        );
        assert_eq!(counts, (suites.len(), algorithms.len() / 2 - 1));
        let (_, allocations) = measure(|| hello.ja4());
        assert_eq!(allocations != Allocations::NONE, allocates, "{counts:?} {extensions}: {allocations:?}");
    }
}

#[test]
fn the_other_hashed_forms_and_ja3_allocate_nothing() {
    let vector = named("chromium-156.0.8078.79");
    let hello = ClientHello::from_record(&vector.bytes).unwrap();
    let (_, allocations) = measure(|| (hello.ja4_o(), hello.ja4_s1(), hello.ja3()));
    assert_eq!(allocations, Allocations::NONE);
}

#[test]
fn a_cache_allocates_once() {
    let mut cache = Ja4Cache::new(256);
    let held = cache.held_bytes();
    for vector in
        corpus::all().iter().filter(|vector| vector.entry["origin"] == "recorded" && vector.is_stream())
    {
        let hello = ClientHello::from_record(&vector.bytes).unwrap();
        let (_, allocations) = measure(|| cache.ja4(&hello.ja4_forms(Ja4Options::default())));
        assert_eq!(allocations, Allocations::NONE, "{}", vector.name);
    }
    assert_eq!(cache.held_bytes(), held);
}

#[test]
fn an_announced_length_reserves_nothing() {
    let (held, allocations) = measure(|| {
        let mut reader = ClientHelloReader::new();
        // 16 KiB of record, 32 000 bytes of hello, 11 bytes of which arrive.
        let pushed = reader.push(&[22, 3, 1, 0x40, 0, 1, 0, 0x7d, 0, 3, 3]);
        assert!(matches!(pushed, Ok(Progress::NeedMore)));
        reader.held_bytes()
    });
    assert!(held <= 64, "{held}");
    assert!(allocations.peak_bytes <= 64, "{allocations:?}");
}
