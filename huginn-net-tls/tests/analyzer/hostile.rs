//! Traffic made to wear the analyzer out.

use huginn_net_core::PendingLimits;
use huginn_net_tls::{HelloLimits, TlsSettings};
use testkit::alloc::{Allocations, measure};
use testkit::corpus;
use testkit::packet::{IpHeader, Ipv4, Mould, Tcp, Udp, flags};
use testkit::rng::Rng;

use crate::connections::{self, Connection, JA4};
use crate::watch::{MILLISECOND, SECOND, Watch};

const MIB: u64 = 1 << 20;
/// What an analyzer takes that has seen nothing: its filter and its cache of hashes.
const EMPTY: u64 = 176 << 10;
const SERVER: [u8; 4] = [10, 0, 0, 2];

/// Segments to the server from any client.
fn mould_of(flags: u16, payload: &[u8]) -> Mould {
    Mould::new(Ipv4::new([10, 1, 0, 0], SERVER).tcp(&Tcp::new(0, 443).flags(flags).payload(payload)))
}

/// Datagrams to the server from any client.
fn udp_mould(payload: &[u8]) -> Mould {
    Mould::new(Ipv4::new([10, 1, 0, 0], SERVER).udp(&Udp::new(0, 443, payload)))
}

fn hello() -> Vec<u8> {
    std::fs::read(corpus::path("tls/hello/chromium-156.0.8078.79.bin")).unwrap()
}

/// What feeding costs, the watch included.
fn cost(settings: TlsSettings, feed: impl FnOnce(&mut Watch)) -> (Watch, Allocations) {
    measure(|| {
        let mut watch = Watch::new(settings);
        feed(&mut watch);
        watch
    })
}

#[test]
fn a_million_half_open_hellos_stay_within_the_budget() {
    let part = &hello()[..1_900];
    let (watch, allocations) = cost(TlsSettings::default(), |watch| {
        let mut mould = mould_of(flags::ACK, part);
        for number in 0..1_000_000_u32 {
            // A thousand hosts in turn, a hundred thousand hellos a second.
            let (host, port) = (number % 1_000, (number / 1_000) as u16);
            watch.datagram(mould.cast(host, port, 1), u64::from(number) * 10_000);
        }
    });
    assert!(allocations.peak_bytes < EMPTY + 64 * MIB + 32_768 * 180, "{allocations:?}");
    assert!(watch.events.is_empty());
    let given_up = watch.limit("tls_pending") + watch.limit("tls_pending_per_source");
    assert!(given_up > 900_000, "{:?}", watch.stats());
    assert!(watch.limit("tls_flows") > 900_000);
}

#[test]
fn a_smaller_budget_holds_less_and_gives_up_the_oldest() {
    let hello = hello();
    let settings = TlsSettings::default().with_pending(PendingLimits::default().with_max_bytes(100_000));
    let (watch, _) = cost(settings, |watch| {
        let (mut first, mut rest) =
            (mould_of(flags::ACK, &hello[..1_000]), mould_of(flags::ACK, &hello[1_000..]));
        for port in 0..100 {
            watch.datagram(first.cast(1, port, 1), u64::from(port) * MILLISECOND);
        }
        for port in 0..100 {
            watch.datagram(rest.cast(1, port, 1_001), SECOND);
        }
    });
    let complete: Vec<u16> = watch.hellos().iter().map(|seen| seen.origin.source.port()).collect();
    let expected: Vec<u16> = (100 - complete.len() as u16..100).collect();
    assert_eq!(complete, expected, "the youngest");
    assert!((40..80).contains(&complete.len()), "{}", complete.len());
    assert!(watch.limit("tls_pending") >= 100 - complete.len() as u64);
}

#[test]
fn one_source_begins_256_hellos_and_no_more() {
    let hello = hello();
    let (watch, _) = cost(TlsSettings::default(), |watch| {
        let mut mould = mould_of(flags::ACK, &hello[..1_000]);
        for port in 0..300 {
            watch.datagram(mould.cast(1, port, 1), 0);
        }
        watch.datagram(mould.cast(2, 1, 1), 0);
        watch.datagram(mould_of(flags::ACK, &hello[1_000..]).cast(2, 1, 1_001), 0);
    });
    assert_eq!(watch.limit("tls_pending_per_source"), 44);
    assert_eq!(watch.hellos().len(), 1, "another source");
}

#[test]
fn announced_lengths_reserve_nothing() {
    let longest = [22, 3, 1, 0x40, 0, 1, 0xff, 0xff, 0xff, 3, 3];
    let (watch, _) = cost(TlsSettings::default(), |watch| {
        watch.datagram(mould_of(flags::ACK, &longest).cast(1, 1, 1), 0);
    });
    assert_eq!(watch.limit("tls_too_long"), 1);

    let hello = HelloLimits::default().with_max_hello_bytes((1 << 24) + 3).with_max_records(4_096);
    let settings = TlsSettings::default().with_hello(hello);
    let (_, few) = cost(settings, |watch| watch.datagram(&segment(1, &[]), 0));
    let (watch, allocations) = cost(settings, |watch| {
        let mut mould = mould_of(flags::ACK, &longest);
        for port in 0..1_000 {
            watch.datagram(mould.cast(port, 1, 1), 0);
        }
    });
    assert_eq!(watch.limit("tls_too_long"), 0);
    assert!(allocations.peak_bytes < few.peak_bytes + 3 * MIB, "{allocations:?}");
}

fn segment(sequence: u32, payload: &[u8]) -> Vec<u8> {
    mould_of(flags::ACK, payload).cast(1, 1, sequence).to_vec()
}

#[test]
fn records_of_one_byte_are_followed_up_to_128() {
    let message = hello()[5..].to_vec();
    let records = |length: usize| -> Vec<u8> {
        message
            .chunks(length)
            .flat_map(|part| [&[22, 3, 1, 0, part.len() as u8][..], part].concat())
            .collect()
    };
    let (watch, allocations) = cost(TlsSettings::default(), |watch| {
        for (index, part) in records(1).chunks(6).enumerate() {
            watch.datagram(&segment(1 + 6 * index as u32, part), index as u64);
        }
    });
    assert!(watch.events.is_empty());
    assert_eq!(watch.limit("tls_too_long"), 1);
    assert!(allocations.peak_bytes < MIB, "{allocations:?}");
    let (watch, _) = cost(TlsSettings::default(), |watch| {
        for (index, part) in records(message.len().div_ceil(128)).chunks(1_000).enumerate() {
            watch.datagram(&segment(1 + 1_000 * index as u32, part), index as u64);
        }
    });
    assert_eq!(watch.hellos().len(), 1);
}

#[test]
fn empty_records_are_passed_over_four_times() {
    let with = |empty: usize| {
        let stream = [[22, 3, 1, 0, 0].repeat(empty), hello()].concat();
        let (watch, _) = cost(TlsSettings::default(), |watch| {
            watch.datagram(mould_of(flags::SYN, b"").cast(1, 1, 0), 0);
            for (index, part) in stream.chunks(100).enumerate() {
                watch.datagram(&segment(1 + 100 * index as u32, part), 0);
            }
        });
        (watch.hellos().len(), watch.limit("tls_too_long"))
    };
    assert_eq!(with(4), (1, 0));
    assert_eq!(with(5), (0, 1));
}

#[test]
fn of_64_gaps_four_are_held() {
    let hello = hello();
    let (watch, allocations) = cost(TlsSettings::default(), |watch| {
        watch.datagram(&segment(1, &hello[..10]), 0);
        for gap in 0..64_u32 {
            let at = 20 + 20 * gap;
            watch.datagram(&segment(1 + at, &hello[at as usize..at as usize + 10]), 0);
        }
    });
    assert_eq!(watch.seen("tls_out_of_order"), 4);
    assert_eq!(watch.limit("tls_out_of_order"), 60);
    assert!(allocations.peak_bytes < MIB, "{allocations:?}");
}

#[test]
fn of_pieces_ahead_of_the_first_two_are_held() {
    let hello = hello();
    let piece = |from: usize, to: usize| segment(1 + from as u32, &hello[from..to]);
    for (pieces, held) in [
        (&[(40, 60), (80, 90)][..], 2),
        (&[(40, 60), (80, 90), (60, 80), (30, 40)], 4),
        (&[(40, 60), (80, 90), (100, 120)], 2),
    ] {
        let (watch, _) = cost(TlsSettings::default(), |watch| {
            watch.datagram(mould_of(flags::SYN, b"").cast(1, 1, 0), 0);
            for &(from, to) in pieces {
                watch.datagram(&piece(from, to), 0);
            }
        });
        assert_eq!(watch.seen("tls_out_of_order"), held, "{pieces:?}");
        assert_eq!(watch.limit("tls_out_of_order"), pieces.len() as u64 - held, "{pieces:?}");
    }
}

#[test]
fn bytes_ahead_of_the_first_are_held_up_to_4_kib() {
    let (watch, _) = cost(TlsSettings::default(), |watch| {
        watch.datagram(mould_of(flags::SYN, b"").cast(1, 1, 0), 0);
        for at in (1_000..9_000).step_by(1_000) {
            watch.datagram(&segment(1 + at, &[7; 1_000]), 0);
        }
    });
    assert_eq!(watch.limit("tls_out_of_order"), 4);
}

#[test]
fn a_flood_of_syns_takes_a_table_of_their_own_and_no_more() {
    let settings = TlsSettings::default().with_max_flows(1_000);
    let (watch, allocations) = cost(settings, |watch| {
        let mut mould = mould_of(flags::SYN, b"");
        for number in 0..100_000_u32 {
            watch.datagram(mould.cast(number >> 8, number as u16, number), u64::from(number));
        }
    });
    assert_eq!(watch.limit("tls_flows"), 98_000);
    assert!(allocations.peak_bytes < EMPTY + 2_000 * 75, "{allocations:?}");
}

/// A datagram that looks like an Initial packet: 1,200 bytes of which nothing is right but the header.
pub(crate) fn forged_initial(rng: &mut Rng) -> Vec<u8> {
    let mut datagram = vec![0xc3, 0, 0, 0, 1, 8];
    datagram.extend(rng.bytes(8));
    datagram.extend([0, 0, 0x44, 0x9e]);
    datagram.extend(rng.bytes(1_200 - datagram.len()));
    datagram
}

#[test]
fn forged_initial_packets_leave_nothing_behind_and_cost_a_limited_number_of_decryptions() {
    let settings = TlsSettings::default().with_max_decryptions_per_second(500);
    let mut rng = Rng::new(5);
    let datagrams: Vec<_> = (0..50).map(|_| forged_initial(&mut rng)).collect();
    let (watch, allocations) = cost(settings, |watch| {
        for number in 0..3_000_u32 {
            let mut mould = udp_mould(&datagrams[number as usize % datagrams.len()]);
            // A thousand a second.
            watch.datagram(mould.cast(number, 7, 0), u64::from(number) * MILLISECOND);
        }
    });
    assert_eq!(watch.malformed("quic_not_authentic"), 1_500);
    assert_eq!(watch.limit("quic_decryptions"), 1_500);
    assert!(allocations.kept_bytes < EMPTY as i64 + 4_096, "{allocations:?}");
}

#[test]
fn clients_of_quic_that_never_finish_stay_within_the_budget() {
    let first = quic_datagram("q-chromium-156.0.8078.79-1", 0);
    let settings = TlsSettings::default().with_pending(PendingLimits::default().with_max_bytes(2 << 20));
    let (watch, allocations) = cost(settings, |watch| {
        let mut mould = udp_mould(&first);
        for number in 0..5_000_u32 {
            watch.datagram(mould.cast(number, 7, 0), u64::from(number) * MILLISECOND);
        }
    });
    assert!(watch.events.is_empty());
    assert!(watch.limit("tls_pending") > 3_000, "{:?}", watch.stats());
    assert!(allocations.peak_bytes < 3 * MIB, "{allocations:?}");
}

#[test]
fn clients_of_quic_that_are_done_do_not_count_for_their_source() {
    let datagram = quic_datagram("q-gtlsclient-ngtcp2-1.11-gnutls", 0);
    let settings = TlsSettings::default().with_pending(PendingLimits::default().with_max_per_source(2));
    let (watch, _) = cost(settings, |watch| {
        let mut mould = udp_mould(&datagram);
        for port in 0..10 {
            watch.datagram(mould.cast(1, port, 0), u64::from(port) * MILLISECOND);
        }
    });
    assert_eq!(watch.hellos().len(), 10);
    assert_eq!(watch.limit("tls_pending_per_source"), 0);
}

fn quic_datagram(name: &str, index: usize) -> Vec<u8> {
    let entries = crate::captures::table("tls/quic.json", "vectors");
    let entry = entries.iter().find(|entry| entry["name"] == name).unwrap();
    std::fs::read(corpus::path("tls").join(entry["datagrams"][index].as_str().unwrap())).unwrap()
}

#[test]
fn random_payloads_bring_no_event_and_no_memory_beyond_the_limits() {
    let mut rng = Rng::new(3);
    let (watch, allocations) = cost(TlsSettings::default(), |watch| {
        for number in 0..20_000_u32 {
            let length = 1 + rng.below(200);
            let mut payload = rng.bytes(length);
            // Half of them begin like something.
            let begins: [&[u8]; 8] = [
                b"\x16\x03",
                b"\x16\x03\x01\x00\xff\x01",
                b"\x80",
                b"\x05",
                b"\x04\x01",
                b"PROXY ",
                b"\x16\xfe",
                b"\xc0",
            ];
            if let Some(begin) = begins.get(rng.below(16)) {
                payload.splice(..begin.len().min(length), begin.iter().copied());
            }
            let (host, port) = (rng.below(50) as u32, rng.below(4) as u16);
            let (tcp, udp) = (rng.one_in(2), rng.one_in(16));
            let flags = if rng.one_in(8) { flags::SYN } else { flags::ACK };
            let mut mould = if udp { udp_mould(&payload) } else { mould_of(flags, &payload) };
            let sequence = if tcp { rng.below(4_000) as u32 } else { rng.next_u64() as u32 };
            watch.datagram(mould.cast(host, port, sequence), u64::from(number) * MILLISECOND);
        }
    });
    assert_eq!(watch.hellos().len(), 0);
    assert!(allocations.peak_bytes < 4 * MIB, "{allocations:?}");
}

/// A datagram of fragments of a ClientHello, a byte each, that do not touch.
fn scattered_dtls_hello() -> Vec<u8> {
    let fragment = |offset: u8| [1, 0, 4, 0, 0, 0, 0, 0, offset, 0, 0, 1, 7];
    let fragments: Vec<u8> = (0..60).flat_map(|index| fragment(1 + 2 * index)).collect();
    let [high, low] = (fragments.len() as u16).to_be_bytes();
    [&[22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, high, low][..], &fragments].concat()
}

#[test]
fn pieces_of_one_byte_are_charged_with_what_they_take() {
    let settings = TlsSettings::default()
        .with_pending(PendingLimits::default().with_max_bytes(2 << 20).with_max_per_source(10_000));
    let (watch, allocations) = cost(settings, |watch| {
        let mut mould = udp_mould(&scattered_dtls_hello());
        for number in 0..3_000_u32 {
            watch.datagram(mould.cast(number, 7, 0), u64::from(number));
        }
    });
    assert!(watch.limit("tls_pending") > 1_000, "{:?}", watch.stats());
    assert!(allocations.peak_bytes < 2 * MIB + EMPTY, "{allocations:?}");
    let (watch, allocations) = cost(settings, |watch| {
        let (mut first, mut piece) = (mould_of(flags::SYN, b""), mould_of(flags::ACK, &[22]));
        for number in 0..6_000_u32 {
            watch.datagram(first.cast(number, 7, 0), u64::from(number));
            for at in [3, 5, 7, 9] {
                watch.datagram(piece.cast(number, 7, at), u64::from(number));
            }
        }
    });
    assert!(watch.limit("tls_pending") > 1_000, "{:?}", watch.stats());
    assert!(allocations.peak_bytes < 2 * MIB + EMPTY + 6_000 * (180 + 75), "{allocations:?}");
}

/// What is told of a client whose own hello comes behind others that are ahead of it, whole and cut.
fn told_behind(decoys: &[(usize, &[u8])]) -> Vec<String> {
    let real = connections::hello();
    let told = [real.len(), 100].map(|cut| {
        let mut connection = Connection::opened();
        for &(at, decoy) in decoys {
            connection.sends(at, decoy);
        }
        // Once more, as some captures have everything twice, and senders what is lost.
        for _ in 0..2 {
            connection.sends(0, &real[..cut]);
            connection.sends(cut, &real[cut..]);
            for &(at, decoy) in decoys {
                connection.sends(at, decoy);
            }
        }
        connection.watch.ja4()
    });
    assert_eq!(told[0], told[1], "whole and cut");
    told[0].iter().map(ToString::to_string).collect()
}

#[test]
fn a_hello_sent_ahead_of_one_in_the_name_of_its_client_does_not_hide_it() {
    let decoys = [0, 1, 2].map(|change| {
        let mut decoy = hello();
        decoy[11] ^= change;
        decoy
    });
    let [decoy, other, another] = &decoys;
    let both = told_behind(&[(3_000, decoy)]);
    assert_eq!((both.len(), both[1].as_str()), (2, JA4));
    assert_ne!(both[0], JA4);
    assert_eq!(told_behind(&[(3_000, &decoy[..500]), (3_500, &decoy[500..])]), both, "in pieces");
    assert_eq!(told_behind(&[(2_000, b"x"), (3_000, decoy)]), both, "behind something else");
    assert_eq!(told_behind(&[(3_000, decoy), (6_000, other), (9_000, another)]), both, "of several");
    assert_eq!(told_behind(&[(3_000, &[&decoy[..], other].concat())]), both, "of two in a row");
    let filler = [b'x'; 1_000];
    let fillers = (0..12).map(|number| (10_000 + number * 1_000, &filler[..]));
    let behind: Vec<_> = [(3_000, &decoy[..])].into_iter().chain(fillers).collect();
    assert_eq!(told_behind(&behind), both, "before other bytes");
}

#[test]
fn a_hello_whose_preamble_was_lost_on_the_way_is_told_once() {
    let hello = connections::hello();
    let preamble = b"PROXY TCP4 203.0.113.7 192.0.2.1 1 2\r\n";
    let mut connection = Connection::opened();
    connection.sends(preamble.len(), &hello);
    connection.sends(0, preamble);
    for cut in [hello.len(), 100] {
        connection.sends(preamble.len(), &hello[..cut]);
        connection.sends(preamble.len() + cut, &hello[cut..]);
    }
    assert_eq!(connection.watch.ja4(), [JA4]);
    // The answer to a HelloRetryRequest is another one.
    let mut connection = Connection::opened();
    connection.sends(preamble.len(), &hello);
    connection.answers(0, &connections::retry_request());
    connection.sends(preamble.len(), &hello);
    connection.sends(preamble.len() + hello.len(), &hello);
    let told: Vec<_> = connection.watch.hellos().iter().map(|seen| seen.after_hrr).collect();
    assert_eq!(told, [false, true]);
}
