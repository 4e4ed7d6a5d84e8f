//! Traffic made to wear the analyzer out.

use huginn_net_core::PendingLimits;
use huginn_net_http::{CLIENT_PREFACE, HttpSettings};
use testkit::alloc::{Allocations, measure};
use testkit::packet::{IpHeader, Ipv4, Mould, Tcp, flags};
use testkit::rng::Rng;

use crate::watch::{MILLISECOND, SECOND, Watch};

const MIB: u64 = 1 << 20;
/// What an analyzer takes that has seen nothing: its filter and its table of unwanted bytes.
const EMPTY: u64 = 56 << 10;
/// What a SYN takes at most, and a connection of which bytes were seen.
const OPENING: u64 = 75;
const CONNECTION: u64 = 235;
const SERVER: [u8; 4] = [10, 0, 0, 2];

/// Segments to the server from any client.
fn mould_of(flags: u16, payload: &[u8]) -> Mould {
    Mould::new(Ipv4::new([10, 1, 0, 0], SERVER).tcp(&Tcp::new(0, 80).flags(flags).payload(payload)))
}

/// Feeds one stream to a connection that begins with a SYN, in segments of so many bytes.
fn stream(watch: &mut Watch, bytes: &[u8], longest: usize) {
    watch.datagram(mould_of(flags::SYN, b"").cast(1, 1, 0), 0);
    for (index, part) in bytes.chunks(longest).enumerate() {
        watch.datagram(mould_of(flags::ACK, part).cast(1, 1, (1 + index * longest) as u32), 0);
    }
}

/// What feeding costs, the watch included.
fn cost(settings: HttpSettings, feed: impl FnOnce(&mut Watch)) -> (Watch, Allocations) {
    measure(|| {
        let mut watch = Watch::new(settings);
        feed(&mut watch);
        watch
    })
}

#[test]
fn a_header_block_without_end_is_refused_at_64_kib() {
    let endless = [&b"GET / HTTP/1.1\r\n"[..], &b"X: y\r\n".repeat(100), &[b'z'; 70_000]].concat();
    for longest in [1, 100, 60_000] {
        let (watch, allocations) = cost(HttpSettings::default(), |watch| stream(watch, &endless, longest));
        assert_eq!((watch.events.len(), watch.limit("http1_limit")), (0, 1), "{longest}");
        // The head, what may follow it in a segment, and both for a moment while memory grows.
        assert!(allocations.peak_bytes < EMPTY + 300 * 1_024, "{allocations:?}");
        assert!(allocations.kept_bytes < EMPTY as i64 + 4_096, "{allocations:?}");
    }
}

#[test]
fn ten_thousand_fields_are_refused_at_129() {
    let many = [&b"GET / HTTP/1.1\r\n"[..], &b"a:\r\n".repeat(10_000), b"\r\n"].concat();
    let (watch, _) = cost(HttpSettings::default(), |watch| stream(watch, &many, 1_460));
    assert_eq!((watch.events.len(), watch.limit("http1_limit")), (0, 1));
    let most = [&b"GET / HTTP/1.1\r\n"[..], &b"a:\r\n".repeat(128), b"\r\n"].concat();
    let (watch, _) = cost(HttpSettings::default(), |watch| stream(watch, &most, 1_460));
    assert_eq!(watch.requests()[0].http1().unwrap().headers().len(), 128);
}

#[test]
fn heads_that_are_all_different_leave_no_more_than_512_shapes_behind() {
    /// Of requests and of responses, 256 of each, and what finds them.
    const SHAPES: i64 = 2 * (256 * 1_280 + 8_192);
    let (watch, allocations) = cost(HttpSettings::default().with_max_flows(1), |watch| {
        for number in 0..2_000_u32 {
            // Of 31 gaps and 1,000 bytes; names tell them apart.
            let fields = format!("N{number}: {}\r\n", "x".repeat(number as usize % 500)).repeat(31);
            let name = format!("p{number}/{}", "y".repeat(500));
            let heads = [
                format!("GET / HTTP/1.1\r\nUser-Agent: {name}\r\n{fields}\r\n"),
                format!("HTTP/1.1 204 x\r\nServer: {name}\r\n{fields}\r\n"),
            ];
            for (host, head) in (1..).zip(&heads) {
                watch.datagram(mould_of(flags::ACK, head.as_bytes()).cast(host, number as u16, 1), 0);
            }
            watch.events.clear();
        }
    });
    assert_eq!((watch.seen("http1_request"), watch.seen("http1_response")), (2_000, 2_000));
    assert!(allocations.kept_bytes < EMPTY as i64 + SHAPES + 32 * 1_024, "{allocations:?}");
    assert!(allocations.kept_bytes > 300 * 1_024, "they are remembered: {allocations:?}");
}

#[test]
fn a_hundred_thousand_open_heads_stay_within_the_budget() {
    let part = [&b"GET / HTTP/1.1\r\nCookie: "[..], &[b'x'; 1_400]].concat();
    let (watch, allocations) = cost(HttpSettings::default(), |watch| {
        let mut mould = mould_of(flags::ACK, &part);
        for number in 0..150_000_u32 {
            // A thousand hosts in turn, a hundred thousand heads a second.
            let (host, port) = (number % 1_000, (number / 1_000) as u16);
            watch.datagram(mould.cast(host, port, 1), u64::from(number) * 10_000);
        }
    });
    assert!(allocations.peak_bytes < EMPTY + 64 * MIB + 32_768 * CONNECTION, "{allocations:?}");
    assert!(watch.events.is_empty());
    assert!(watch.limit("http_flows") > 100_000, "{:?}", watch.stats());
}

#[test]
fn a_smaller_budget_holds_less_and_gives_up_the_oldest() {
    let (watch, _) = cost(
        HttpSettings::default().with_pending(PendingLimits::default().with_max_bytes(100_000)),
        |watch| {
            let first = [&b"GET / HTTP/1.1\r\nCookie: "[..], &[b'x'; 1_000]].concat();
            let mut mould = mould_of(flags::ACK, &first);
            for port in 0..100 {
                watch.datagram(mould.cast(1, port, 1), u64::from(port) * MILLISECOND);
            }
            let mut rest = mould_of(flags::ACK, b"\r\n\r\n");
            for port in 0..100 {
                watch.datagram(rest.cast(1, port, 1 + first.len() as u32), SECOND);
            }
        },
    );
    let complete: Vec<u16> = watch.requests().iter().map(|seen| seen.origin.source.port()).collect();
    let expected: Vec<u16> = (100 - complete.len() as u16..100).collect();
    assert_eq!(complete, expected, "the youngest");
    assert!((40..90).contains(&complete.len()), "{}", complete.len());
    assert_eq!(watch.limit("http_pending"), 100 - complete.len() as u64);
}

#[test]
fn a_hundred_megabytes_of_continuation_over_a_thousand_flows_are_bounded() {
    let headers =
        [&CLIENT_PREFACE[..], &[0, 0, 0, 4, 0, 0, 0, 0, 0], &[0, 0, 1, 1, 0, 0, 0, 0, 1, 0x82]].concat();
    let continuation = [&[0, 0x3f, 0xf7, 9, 0, 0, 0, 0, 1][..], &[0x82; 0x3ff7]].concat();
    let length = continuation.len() as u32;
    let (watch, allocations) = cost(
        HttpSettings::default().with_pending(PendingLimits::default().with_max_bytes(16 << 20)),
        |watch| {
            let (mut first, mut rest) = (mould_of(flags::ACK, &headers), mould_of(flags::ACK, &continuation));
            for host in 0..1_000 {
                watch.datagram(first.cast(host, 1, 1), 0);
            }
            for turn in 0..7 {
                for host in 0..1_000 {
                    let sequence = 1 + headers.len() as u32 + turn * length;
                    watch.datagram(rest.cast(host, 1, sequence), u64::from(turn) * MILLISECOND);
                }
            }
        },
    );
    assert!(watch.events.is_empty());
    assert!(allocations.peak_bytes < EMPTY + 17 * MIB + 1_000 * CONNECTION, "{allocations:?}");
    assert!(watch.limit("http2_connections") > 500, "{:?}", watch.stats());

    // One flow goes on to the limit of its header block, and is let go.
    let endless = [headers, continuation.repeat(5)].concat();
    let (watch, allocations) = cost(HttpSettings::default(), |watch| stream(watch, &endless, 60_000));
    assert_eq!(watch.limit("http2_limit"), 1);
    assert!(allocations.peak_bytes < EMPTY + 300 * 1_024, "{allocations:?}");
    assert!(allocations.kept_bytes < EMPTY as i64 + 4_096, "{allocations:?}");
}

#[test]
fn sixteen_headers_of_proxies_are_passed_over_and_no_more() {
    let header = b"PROXY TCP4 192.0.2.1 198.51.100.2 40000 80\r\n";
    // A method that is known only if it is known where it begins.
    let request = b"ODD / HTTP/1.1\r\n\r\n";
    for (headers, requests) in [(16, 1), (17, 0)] {
        for longest in [header.len(), 7, 60_000] {
            let bytes = [&header.repeat(headers)[..], request].concat();
            let (watch, _) = cost(HttpSettings::default(), |watch| stream(watch, &bytes, longest));
            assert_eq!(watch.requests().len(), requests, "{headers} in segments of {longest}");
        }
    }
}

#[test]
fn floods_of_settings_are_refused() {
    let settings = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1].repeat(300);
    let many = [&CLIENT_PREFACE[..], &settings].concat();
    let (watch, _) = cost(HttpSettings::default(), |watch| stream(watch, &many, 1_000));
    assert_eq!(watch.limit("http2_limit"), 1, "so many frames");
    let long = [&CLIENT_PREFACE[..], &[0, 3, 6, 4, 0, 0, 0, 0, 0], &[0; 774]].concat();
    let (watch, _) = cost(HttpSettings::default(), |watch| stream(watch, &long, 1_000));
    assert_eq!(watch.limit("http2_limit"), 1, "so many parameters");
}

#[test]
fn one_source_begins_256_heads_and_no_more() {
    let (watch, _) = cost(HttpSettings::default(), |watch| {
        let mut mould = mould_of(flags::ACK, b"GET / HTTP/1.1\r\n");
        for port in 0..300 {
            watch.datagram(mould.cast(1, port, 1), 0);
        }
        watch.datagram(mould.cast(2, 1, 1), 0);
        watch.datagram(mould_of(flags::ACK, b"\r\n").cast(2, 1, 17), 0);
    });
    assert_eq!(watch.limit("http_pending_per_source"), 44);
    assert_eq!(watch.requests().len(), 1, "another source");
}

#[test]
fn a_head_waits_ten_seconds_and_three_without_a_packet() {
    let run = |times: &[u64]| {
        let mut watch = Watch::new(HttpSettings::default());
        let parts = [&b"GET / HTTP/1.1\r\n"[..], b"a:\r\n", b"b:\r\n", b"c:\r\n", b"\r\n"];
        let mut sequence = 1;
        for (part, at) in parts.into_iter().zip(times) {
            watch.datagram(mould_of(flags::ACK, part).cast(1, 1, sequence), at * MILLISECOND);
            sequence += part.len() as u32;
        }
        (watch.requests().len(), watch.limit("http_pending_time"))
    };
    assert_eq!(run(&[0, 3_000, 6_000, 9_000, 10_000]), (1, 0));
    assert_eq!(run(&[0, 3_000, 6_000, 9_000, 10_001]), (0, 1));
    assert_eq!(run(&[0, 3_001, 3_002, 3_003, 3_004]), (0, 1));
}

#[test]
fn a_flood_of_syns_takes_a_table_of_their_own_and_no_more() {
    let (watch, allocations) = cost(HttpSettings::default(), |watch| {
        let mut syn = mould_of(flags::SYN, b"");
        for number in 0..200_000_u32 {
            watch.datagram(syn.cast(number >> 8, number as u8 as u16, number), 0);
        }
    });
    assert!(allocations.peak_bytes < EMPTY + 65_536 * OPENING, "{allocations:?}");
    assert_eq!(watch.limit("http_flows"), 200_000 - 65_536);
}

#[test]
fn a_flood_of_requests_takes_the_table_of_connections_and_no_more() {
    let (watch, allocations) = cost(HttpSettings::default(), |watch| {
        let mut get = mould_of(flags::ACK, b"GET / HTTP/1.1\r\n\r\n");
        for number in 0..50_000_u32 {
            watch.datagram(get.cast(number >> 8, number as u8 as u16, number), 0);
            watch.events.clear();
        }
    });
    assert!(allocations.peak_bytes < EMPTY + 32_768 * CONNECTION, "{allocations:?}");
    assert_eq!(watch.limit("http_flows"), 50_000 - 32_768);
}

#[test]
fn a_flood_of_syns_gives_up_no_connection_of_which_bytes_were_seen() {
    let mut watch = Watch::new(HttpSettings::default());
    let mut syn = mould_of(flags::SYN, b"");
    watch.datagram(syn.cast(9_999, 1, 0), 0);
    let get = b"GET / HTTP/1.1\r\n\r\n";
    watch.datagram(mould_of(flags::ACK, get).cast(9_999, 1, 1), 0);
    for number in 0..100_000_u32 {
        watch.datagram(syn.cast(number >> 8, number as u8 as u16, number), 0);
    }
    // One that is known only if it is known where it begins.
    let odd = b"ODD / HTTP/1.1\r\n\r\n";
    watch.datagram(mould_of(flags::ACK, odd).cast(9_999, 1, 1 + get.len() as u32), 0);
    let numbers: Vec<_> = watch.requests().iter().map(|seen| seen.exchange).collect();
    assert_eq!(numbers, [0, 1]);
}

#[test]
fn of_pieces_that_wait_64_are_held_and_64_kib() {
    let scattered = |step: u32, pieces: u32, payload: &[u8]| {
        let (watch, allocations) = cost(HttpSettings::default(), |watch| {
            watch.datagram(mould_of(flags::SYN, b"").cast(1, 1, 0), 0);
            for piece in 0..pieces {
                watch.datagram(mould_of(flags::ACK, payload).cast(1, 1, 10 + piece * step), 0);
            }
        });
        assert!(allocations.peak_bytes < EMPTY + 300 * 1_024, "{allocations:?}");
        (watch.seen("http_out_of_order"), watch.limit("http_out_of_order"))
    };
    assert_eq!(scattered(20, 64, b"x"), (64, 0));
    assert_eq!(scattered(20, 65, b"x"), (64, 1));
    // A gap of one byte before each.
    assert_eq!(scattered(10_001, 4, &[b'x'; 10_000]), (4, 0));
}

#[test]
fn a_body_costs_nothing_to_hold_and_chunks_are_followed_by_one_scanner() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let body = "10000\r\n".to_owned() + &"x".repeat(0x10000) + "\r\n";
    let (watch, allocations) = cost(HttpSettings::default(), |watch| {
        let mut sequence = 1;
        watch.datagram(mould_of(flags::ACK, head.as_bytes()).cast(1, 1, sequence), 0);
        sequence += head.len() as u32;
        for _ in 0..100 {
            for part in body.as_bytes().chunks(1_460) {
                watch.datagram(mould_of(flags::ACK, part).cast(1, 1, sequence), 0);
                sequence += part.len() as u32;
            }
        }
        watch.datagram(mould_of(flags::ACK, b"0\r\n\r\n").cast(1, 1, sequence), 0);
        let next = b"HTTP/1.1 204 x\r\n\r\n";
        watch.datagram(mould_of(flags::ACK, next).cast(1, 1, sequence + 5), 0);
    });
    assert_eq!(watch.responses().len(), 2);
    assert!(allocations.peak_bytes < EMPTY + 16 * 1_024, "{allocations:?}");
}

#[test]
fn how_long_an_ended_connection_is_known_does_not_depend_on_the_others() {
    let get = b"GET / HTTP/1.1\r\n\r\n";
    let run = |others: u16| {
        let settings = HttpSettings::default().with_max_exchanges(1);
        let mut watch = Watch::new(settings);
        watch.datagram(mould_of(flags::SYN, b"").cast(1, 1, 0), 0);
        let response = Tcp::new(80, 1).sequence(0).flags(flags::ACK).payload(b"HTTP/1.1 200 x\r\n\r\n");
        let response = Ipv4::new(SERVER, [10, 1, 0, 1]).tcp(&response);
        watch.datagram(mould_of(flags::ACK, get).cast(1, 1, 1), 0);
        watch.datagram(&response, 0);
        // Nearly every place of the filter is taken.
        let mut syn = mould_of(flags::SYN, b"");
        (0..others).for_each(|port| watch.datagram(syn.cast(2, port, 0), 20 * SECOND));
        watch.datagram(mould_of(flags::ACK, b"of something else").cast(1, 1, 100), 25 * SECOND);
        watch.datagram(mould_of(flags::ACK, get).cast(1, 1, 200), 45 * SECOND);
        watch.requests().len()
    };
    assert_eq!((run(0), run(32_000)), (2, 2));
}

#[test]
fn random_segments_panic_nowhere_and_wait_within_the_limits() {
    let mut rng = Rng::new(11);
    let starts: [&[u8]; 8] = [
        b"GET / HTTP/1.1\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
        b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x09",
        b"\r\n\r\n",
        b"Content-Length: 7\r\n\r\n",
        b"5\r\nhello\r\n0\r\n\r\n",
    ];
    let (watch, allocations) = cost(
        HttpSettings::default()
            .with_max_flows(16)
            .with_pending(PendingLimits::default().with_max_bytes(50_000)),
        |watch| {
            for step in 0..40_000_u64 {
                let mut payload = starts[rng.below(8)].to_vec();
                let random = rng.below(30);
                payload.extend(rng.bytes(random));
                let flags = if rng.one_in(10) { flags::SYN } else { flags::ACK };
                let (host, port, sequence) =
                    (rng.below(2) as u32, rng.below(20) as u16, rng.below(400) as u32);
                let mut datagram = mould_of(flags, &payload).cast(host, port, sequence).to_vec();
                if rng.one_in(2) {
                    // The other way.
                    let (addresses, ports) = (datagram[12..20].to_vec(), datagram[20..24].to_vec());
                    datagram[12..20].copy_from_slice(&[&addresses[4..], &addresses[..4]].concat());
                    datagram[20..24].copy_from_slice(&[&ports[2..], &ports[..2]].concat());
                }
                watch.datagram(&datagram, step * SECOND / 100);
                if watch.events.len() > 100 {
                    watch.events.clear();
                }
            }
        },
    );
    assert!(allocations.peak_bytes < MIB, "{allocations:?}");
    assert!(watch.seen("http1_request") > 50 && watch.seen("http1_response") > 100, "{:?}", watch.stats());
}
