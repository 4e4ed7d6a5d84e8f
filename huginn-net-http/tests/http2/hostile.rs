//! Streams that are meant to cost memory or time.

use huginn_net_core::Progress;
use huginn_net_http::{AkamaiReader, HpackError, Http2Error, Http2Limits};
use testkit::alloc::measure;

use crate::stream::{
    BLOCK, CONTINUATION, END_HEADERS, HEADERS, PRIORITY, SETTINGS, client, frame, push_all, request, seen,
    settings,
};

fn limit(what: &'static str, limit: usize) -> Http2Error {
    Http2Error::Limit { what, limit }
}

fn read(limits: Http2Limits, frames: &[Vec<u8>]) -> Result<String, Http2Error> {
    let read = push_all(AkamaiReader::with_limits(limits), [&client(frames)[..]])?;
    Ok(read.map_or_else(String::new, |(seen, _)| seen.akamai().to_string()))
}

#[test]
fn a_header_block_longer_than_its_limit_is_refused_by_its_length_alone() {
    let mut reader = AkamaiReader::new();
    // HEADERS of 65 536 bytes, then of one more.
    let header = client(&[settings(), vec![1, 0, 0, HEADERS, 0, 0, 0, 0, 1]]);
    assert_eq!(reader.push(&header), Ok(Progress::NeedMore));
    let mut reader = AkamaiReader::new();
    let header = client(&[settings(), vec![1, 0, 1, HEADERS, 0, 0, 0, 0, 1]]);
    assert_eq!(reader.push(&header), Err(limit("header_block_bytes", 65_536)));
}

#[test]
fn a_header_block_without_end_is_refused_when_its_fragments_are_over_the_limit() {
    let limits = Http2Limits::default().with_max_header_block_bytes(20);
    let fragment = |kind, len| frame(kind, 0, 1, &vec![0x82; len]);
    let mut frames = vec![settings(), fragment(HEADERS, 10), fragment(CONTINUATION, 10)];
    assert_eq!(read(limits, &frames), Ok(String::new()));
    frames.push(fragment(CONTINUATION, 1));
    assert_eq!(read(limits, &frames), Err(limit("header_block_bytes", 20)));
}

#[test]
fn more_continuations_than_the_limit_are_refused_even_if_they_are_empty() {
    let flood = |count| {
        let mut frames = vec![settings(), frame(HEADERS, 0, 1, &BLOCK)];
        frames.extend(vec![frame(CONTINUATION, 0, 1, &[]); count]);
        read(Http2Limits::default(), &frames)
    };
    assert_eq!(flood(32), Ok(String::new()));
    assert_eq!(flood(33), Err(limit("continuations", 32)));
}

#[test]
fn a_hundred_megabytes_of_continuation_over_a_thousand_flows_hold_64_kib_a_flow_and_then_nothing() {
    // 16 KiB in a frame, as far as receivers allow it without being asked: the fifth is too much.
    let fragment = frame(CONTINUATION, 0, 1, &vec![0x82; 16 << 10]);
    let head = client(&[settings(), frame(HEADERS, 0, 1, &BLOCK)]);
    let (most, allocations) = measure(|| {
        let mut most = 0;
        for _ in 0..1_000 {
            let mut reader = AkamaiReader::new();
            assert_eq!(reader.push(&head), Ok(Progress::NeedMore));
            let mut refused = 0;
            for _ in 0..6 {
                for piece in fragment.chunks(1_460) {
                    refused += usize::from(reader.push(piece).is_err());
                    most = most.max(reader.held_bytes());
                }
            }
            assert!(refused > 12, "{refused}");
            assert_eq!(reader.held_bytes(), 0);
        }
        most
    });
    assert!(most <= (64 << 10) + (16 << 10) + 256, "{most}");
    assert!(allocations.peak_bytes <= 160 << 10, "{allocations:?}");
    assert_eq!(allocations.kept_bytes, 0);
}

#[test]
fn one_frame_or_many_a_header_block_takes_at_most_twice_its_limit() {
    let len = 60 << 10;
    for sizes in [vec![len], vec![len / 2, len / 2], vec![len / 20; 20]] {
        let mut frames = vec![settings()];
        for (index, &size) in sizes.iter().enumerate() {
            let kind = if index == 0 { HEADERS } else { CONTINUATION };
            // Literals without names and values, three bytes each, that are never decoded.
            frames.push(frame(kind, 0, 1, &vec![0; size]));
        }
        let stream = client(&frames);
        let (held, allocations) = measure(|| {
            let mut reader = AkamaiReader::new();
            for piece in stream.chunks(1_000) {
                assert_eq!(reader.push(piece), Ok(Progress::NeedMore));
            }
            reader.held_bytes()
        });
        assert!(held <= (128 << 10) + 256, "{held}");
        assert!(allocations.peak_bytes <= 200 << 10, "{allocations:?}");
    }
}

#[test]
fn ten_thousand_fields_are_refused() {
    let block = [0x82].repeat(10_000);
    assert_eq!(
        read(Http2Limits::default(), &[settings(), frame(HEADERS, END_HEADERS, 1, &block)]),
        Err(Http2Error::Hpack(HpackError::Limit { what: "fields", limit: 512 }))
    );
}

#[test]
fn a_bomb_of_indexes_takes_little_more_than_the_limit_of_what_it_decodes_to() {
    // A table of 64 KiB, a name of 60 000 bytes in it, and that name again and again.
    let mut block = vec![0x3f, 0xe1, 0xff, 0x03, 0x40, 0x7f, 0xe1, 0xd3, 0x03];
    block.resize(block.len() + 60_000, b'n');
    block.push(0);
    block.extend([0xbe; 400]);
    let stream = client(&[settings(), frame(HEADERS, END_HEADERS, 1, &block)]);
    let (read, allocations) = measure(|| AkamaiReader::new().push(&stream));
    let error = HpackError::Limit { what: "decoded_bytes", limit: 256 << 10 };
    assert_eq!(read, Err(Http2Error::Hpack(error)));
    assert!(allocations.peak_bytes <= 1 << 20, "{allocations:?}");
}

#[test]
fn a_flood_of_settings_is_refused_by_its_parameters_or_by_its_frames() {
    let parameters = |count: usize| frame(SETTINGS, 0, 0, &vec![0; 6 * count]);
    let limits = Http2Limits::default();
    assert!(read(limits, &[parameters(128), request()]).is_ok());
    assert_eq!(read(limits, &[parameters(129), request()]), Err(limit("settings", 128)));
    // The length is enough.
    let announced = client(&[vec![0xff, 0xff, 0xff, SETTINGS, 0, 0, 0, 0, 0]]);
    assert_eq!(AkamaiReader::new().push(&announced), Err(limit("settings", 128)));
    // Later ones are only counted.
    assert!(read(limits, &[settings(), parameters(10_000), request()]).is_ok());
    assert!(read(limits, &[vec![settings(); 255], vec![request()]].concat()).is_ok());
    assert_eq!(read(limits, &[vec![settings(); 256], vec![request()]].concat()), Err(limit("frames", 256)));
}

#[test]
fn more_priorities_than_the_limit_are_refused() {
    let flood = |count: usize| {
        let priorities = vec![frame(PRIORITY, 0, 3, &[0, 0, 0, 0, 9]); count];
        read(Http2Limits::default(), &[vec![settings()], priorities, vec![request()]].concat())
    };
    assert!(flood(64).is_ok());
    assert_eq!(flood(65), Err(limit("priorities", 64)));
}

#[test]
fn limits_of_ones_own_are_those_that_hold() {
    let limits = Http2Limits::default().with_max_frames(1).with_max_priorities(0).with_max_continuations(0);
    assert_eq!(read(limits, &[settings(), request()]), Err(limit("frames", 1)));
    let limits = limits.with_max_frames(9);
    assert!(read(limits, &[settings(), request()]).is_ok());
    let priority = frame(PRIORITY, 0, 3, &[0; 5]);
    assert_eq!(read(limits, &[settings(), priority, request()]), Err(limit("priorities", 0)));
    let begun = frame(HEADERS, 0, 1, &BLOCK);
    let end = frame(CONTINUATION, END_HEADERS, 1, &[]);
    assert_eq!(read(limits, &[settings(), begun, end]), Err(limit("continuations", 0)));
}

#[test]
fn an_announced_length_reserves_nothing() {
    let (held, allocations) = measure(|| {
        let mut reader = AkamaiReader::new();
        let head = client(&[settings(), vec![0, 0xff, 0xff, HEADERS, 4, 0, 0, 0, 1, 0x82]]);
        assert_eq!(reader.push(&head), Ok(Progress::NeedMore));
        reader.held_bytes()
    });
    assert!(held <= 64, "{held}");
    assert!(allocations.peak_bytes <= 200, "{allocations:?}");
}

#[test]
fn the_largest_request_that_is_read_is_read_whole() {
    // 511 fields of 128 bytes in 64 KiB, and `:method`.
    let field = [&[0, 8][..], b"x-filler", &[115], &[b'v'; 115]].concat();
    let block = [&[0x82][..], &field.repeat(511)].concat();
    let seen = seen(&client(&[settings(), frame(HEADERS, END_HEADERS, 1, &block)]));
    assert_eq!(seen.request.unwrap().names().count(), 512);
}
