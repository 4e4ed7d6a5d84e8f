//! One question each about frames before the request, in streams built here.

use huginn_net_core::Progress;
use huginn_net_http::{AkamaiReader, HpackError, Http2Error, Http2FrameType, Http2Priority};

use crate::stream::{
    ACK, BLOCK, CONTINUATION, DATA, END_HEADERS, HEADERS, ORDER, PADDED, PRIORITY, PUSH_PROMISE, SETTINGS,
    WINDOW_UPDATE, client, frame, push_all, request, seen, settings,
};

fn akamai(frames: &[Vec<u8>]) -> String {
    seen(&client(frames)).akamai().to_string()
}

fn refused(frames: &[Vec<u8>]) -> Http2Error {
    let stream = client(frames);
    let error = push_all(AkamaiReader::new(), [&stream[..]]).unwrap_err();
    assert_eq!(push_all(AkamaiReader::new(), stream.chunks(1)), Err(error));
    error
}

#[test]
fn an_acknowledgment_is_not_the_settings_of_the_client() {
    let ack = frame(SETTINGS, ACK, 0, &[]);
    let seen = seen(&client(&[ack.clone(), settings(), request()]));
    assert_eq!(seen.akamai().to_string(), format!("3:100|00|0|{ORDER}"));
    assert!(seen.irregular);
    assert_eq!(akamai(&[settings(), ack, request()]), format!("3:100|00|0|{ORDER}"));
}

#[test]
fn no_settings_and_empty_settings_differ_only_beside_the_fingerprint() {
    let without = seen(&client(&[request()]));
    let empty = seen(&client(&[frame(SETTINGS, 0, 0, &[]), request()]));
    assert_eq!(without.akamai().to_string(), empty.akamai().to_string());
    assert_eq!((without.settings.is_some(), without.irregular), (false, true));
    assert_eq!((empty.settings.is_some(), empty.irregular), (true, false));
}

#[test]
fn every_id_is_written_in_decimal_and_repeated_ones_are_kept() {
    let payload = [
        [0, 0, 0, 0, 0, 9],
        [0, 7, 0, 0, 0, 1],
        [0, 8, 0, 0, 0, 1],
        [0, 9, 0, 0, 0, 1],
        [0xff, 0xff, 0, 0, 0, 2],
        [0, 7, 0, 0, 0, 3],
    ];
    assert_eq!(
        akamai(&[frame(SETTINGS, 0, 0, &payload.concat()), request()]),
        format!("0:9;7:1;8:1;9:1;65535:2;7:3|00|0|{ORDER}")
    );
}

#[test]
fn grease_is_in_the_fingerprint_and_left_out_of_the_stable_one() {
    let payload = [0x7a, 0x9a, 1, 2, 3, 4, 0, 1, 0, 0, 16, 0, 0xfa, 0x0a, 0, 0, 0, 0];
    let seen = seen(&client(&[frame(SETTINGS, 0, 0, &payload), request()]));
    assert!(seen.has_grease());
    assert_eq!(seen.akamai().to_string(), format!("31386:16909060;1:4096;64010:0|00|0|{ORDER}"));
    assert_eq!(seen.akamai_n().to_string(), format!("1:4096|00|0|{ORDER}"));
}

#[test]
fn settings_of_a_stream_are_not_those_of_the_connection() {
    let seen = seen(&client(&[settings(), frame(SETTINGS, 0, 1, &[0; 6]), request()]));
    assert_eq!(seen.akamai().to_string(), format!("3:100|00|0|{ORDER}"));
    assert!(seen.irregular);
}

#[test]
fn the_first_window_update_of_the_connection_counts_even_if_it_is_zero() {
    let update = |stream, increment: u32| frame(WINDOW_UPDATE, 0, stream, &increment.to_be_bytes());
    let with = |frames: &[Vec<u8>]| {
        let seen = seen(&client(&[&[settings()], frames, &[request()]].concat()));
        (seen.window_update, seen.irregular)
    };
    assert_eq!(with(&[]), (None, false));
    assert_eq!(with(&[update(1, 5)]), (None, false));
    assert_eq!(with(&[update(0, 5), update(0, 6)]), (Some(5), false));
    assert_eq!(with(&[update(0, 0), update(0, 6)]), (Some(0), true));
    assert_eq!(with(&[update(0, u32::MAX)]), (Some((1 << 31) - 1), false));
    // A frame of another length is none.
    assert_eq!(with(&[frame(WINDOW_UPDATE, 0, 0, &[0; 5]), update(0, 6)]), (Some(6), true));
    assert_eq!(with(&[frame(WINDOW_UPDATE, 0, 0, &[0; 3])]), (None, true));
}

#[test]
fn priorities_are_listed_with_every_bit_of_theirs() {
    let frames = [
        settings(),
        frame(PRIORITY, 0, 3, &[0x80, 0, 0, 0, 0]),
        frame(PRIORITY, 0, 5, &[0xff, 0xff, 0xff, 0xff, 255]),
        request(),
    ];
    assert_eq!(akamai(&frames), format!("3:100|00|3:1:0:1,5:1:2147483647:256|{ORDER}"));
    // Of a wrong length, and of no stream.
    for (odd, listed) in
        [(frame(PRIORITY, 0, 3, &[0; 6]), "0"), (frame(PRIORITY, 0, 0x8000_0000, &[0; 5]), "0:0:0:1")]
    {
        let seen = seen(&client(&[settings(), odd, request()]));
        assert_eq!(seen.akamai().to_string(), format!("3:100|00|{listed}|{ORDER}"));
        assert!(seen.irregular, "{listed}");
    }
}

#[test]
fn a_header_block_is_joined_from_any_number_of_fragments() {
    let whole = akamai(&[settings(), request()]);
    for first in 0..=BLOCK.len() {
        for second in first..=BLOCK.len() {
            let stream = client(&[
                settings(),
                frame(HEADERS, 0, 1, &BLOCK[..first]),
                frame(CONTINUATION, 0, 1, &BLOCK[first..second]),
                frame(CONTINUATION, END_HEADERS, 1, &BLOCK[second..]),
            ]);
            assert_eq!(seen(&stream).akamai().to_string(), whole);
            let (seen, last) = push_all(AkamaiReader::new(), stream.chunks(1)).unwrap().unwrap();
            assert_eq!(seen.akamai().to_string(), whole);
            assert_eq!(last, stream.len() - 1);
            assert_eq!(seen.frame_types, [Http2FrameType::SETTINGS, Http2FrameType::HEADERS]);
        }
    }
}

#[test]
fn padding_and_priority_of_headers_are_not_part_of_a_joined_block() {
    let payload = [&[3, 0x80, 0, 0, 7, 219][..], &BLOCK[..2], &[0; 3]].concat();
    let seen = seen(&client(&[
        settings(),
        frame(HEADERS, PADDED | 0x20, 0x8000_0005, &payload),
        frame(CONTINUATION, END_HEADERS, 5, &BLOCK[2..]),
    ]));
    assert_eq!(seen.akamai().to_string(), format!("3:100|00|0|{ORDER}"));
    assert_eq!(seen.headers_priority(), Some(Http2Priority { exclusive: true, dependency: 7, weight: 220 }));
    assert_eq!(seen.request.unwrap().stream(), 5);
}

#[test]
fn only_its_continuation_may_follow_a_header_block_that_has_begun() {
    let begun = frame(HEADERS, 0, 1, &BLOCK[..2]);
    let next = |next: Vec<u8>| refused(&[settings(), begun.clone(), next]);
    let unexpected = |frame, stream| Http2Error::Unexpected { frame: Http2FrameType(frame), stream };
    assert_eq!(next(frame(CONTINUATION, END_HEADERS, 3, &BLOCK[2..])), unexpected(CONTINUATION, 3));
    assert_eq!(next(frame(WINDOW_UPDATE, 0, 0, &[0; 4])), unexpected(WINDOW_UPDATE, 0));
    assert_eq!(next(frame(HEADERS, END_HEADERS, 1, &BLOCK)), unexpected(HEADERS, 1));
    assert_eq!(next(frame(0xbb, 0, 1, &[])), unexpected(0xbb, 1));
}

#[test]
fn what_no_client_may_send_is_refused() {
    let unexpected = |frame, stream| Http2Error::Unexpected { frame: Http2FrameType(frame), stream };
    assert_eq!(refused(&[settings(), frame(CONTINUATION, END_HEADERS, 1, &BLOCK)]), unexpected(9, 1));
    assert_eq!(refused(&[settings(), frame(PUSH_PROMISE, END_HEADERS, 1, &BLOCK)]), unexpected(5, 1));
    assert_eq!(refused(&[settings(), frame(HEADERS, END_HEADERS, 2, &BLOCK)]), unexpected(1, 2));
    assert_eq!(refused(&[settings(), frame(HEADERS, END_HEADERS, 0, &BLOCK)]), unexpected(1, 0));
    let padded = frame(HEADERS, END_HEADERS | PADDED, 1, &[5, 0x82, 0x84]);
    assert_eq!(refused(&[settings(), padded]), Http2Error::Padding(5));
    let short = frame(HEADERS, END_HEADERS | 0x20, 1, &[0, 0, 0]);
    assert_eq!(refused(&[settings(), short]), Http2Error::Truncated { what: "stream dependency", at: 0 });
    let cut = frame(HEADERS, END_HEADERS, 1, &BLOCK[..3]);
    assert_eq!(
        refused(&[settings(), cut]),
        Http2Error::Hpack(HpackError::Truncated { what: "value", at: 3 })
    );
    // The index of a field that only an earlier block could have brought.
    let lost = frame(HEADERS, END_HEADERS, 1, &[0x82, 0xbe]);
    assert_eq!(refused(&[settings(), lost]), Http2Error::Hpack(HpackError::Index(62)));
}

#[test]
fn payloads_that_nobody_wants_are_passed_over_however_long_they_are() {
    // 2^24 - 1 bytes of DATA, which come in pieces.
    let mut reader = AkamaiReader::new();
    let head = client(&[settings(), vec![0xff, 0xff, 0xff, DATA, 0, 0, 0, 0, 1]]);
    assert_eq!(reader.push(&head), Ok(Progress::NeedMore));
    let mut left = (1 << 24) - 1;
    while left > 0 {
        let piece = vec![0x55; left.min(100_000)];
        assert_eq!(reader.push(&piece), Ok(Progress::NeedMore));
        left -= piece.len();
    }
    assert!(reader.held_bytes() < 100, "{}", reader.held_bytes());
    let Ok(Progress::Done(seen)) = reader.push(&request()) else { panic!("no fingerprint") };
    assert_eq!(seen.akamai().to_string(), format!("3:100|00|0|{ORDER}"));
    assert_eq!(seen.frame_types, [Http2FrameType::SETTINGS, Http2FrameType::DATA, Http2FrameType::HEADERS]);
}

#[test]
fn pseudo_headers_are_letters_wherever_they_stand_and_question_marks_if_they_have_none() {
    let literal = |name: &[u8]| [&[0, u8::try_from(name.len()).unwrap()], name, &[0]].concat();
    let names: [&[u8]; 7] = [b":path", b"accept", b":method", b":", b":|", b":Path", b":\xc3\xa4"];
    let block: Vec<u8> = names.into_iter().flat_map(literal).collect();
    let seen = seen(&client(&[settings(), frame(HEADERS, END_HEADERS, 1, &block)]));
    assert_eq!(seen.akamai().to_string(), "3:100|00|0|p,m,?,?,?,?");
    let request = seen.request.unwrap();
    assert_eq!(request.names().collect::<Vec<_>>(), names);
    assert_eq!(
        request.pseudo_headers().collect::<Vec<_>>(),
        [&b"path"[..], b"method", b"", b"|", b"Path", b"\xc3\xa4"]
    );
}

#[test]
fn of_a_field_that_is_repeated_the_first_value_counts() {
    let block = [0x04, 1, b'1', 0x04, 1, b'2', 0x0f, 43, 1, b'x', 0x0f, 43, 1, b'y'];
    let request = seen(&client(&[settings(), frame(HEADERS, END_HEADERS, 1, &block)])).request.unwrap();
    assert_eq!(request.path(), Some(&b"1"[..]));
    assert_eq!(request.user_agent(), Some(&b"x"[..]));
    assert_eq!(request.names().count(), 4);
    let block = [0x0f, 43, 0, 0x0f, 43, 1, b'x'];
    let request = seen(&client(&[settings(), frame(HEADERS, END_HEADERS, 1, &block)])).request.unwrap();
    assert_eq!(request.user_agent(), Some(&b"x"[..]));
}

mod properties {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn any_frame() -> impl Strategy<Value = Vec<u8>> {
        let kind = prop_oneof![0..11_u8, Just(HEADERS), Just(CONTINUATION), Just(SETTINGS)];
        let flags = prop_oneof![Just(0), Just(END_HEADERS), any::<u8>()];
        let payload = prop_oneof![
            Just(BLOCK.to_vec()),
            vec(any::<u8>(), 0..20),
            vec(0x82..0x90_u8, 0..6),
            Just(vec![0; 4]),
            Just(vec![0; 5]),
        ];
        (kind, flags, 0..4_u32, payload)
            .prop_map(|(kind, flags, stream, payload)| frame(kind, flags, stream, &payload))
    }

    proptest! {
        #[test]
        fn any_pieces_of_any_frames_are_the_same_as_the_whole(
            frames in vec(any_frame(), 0..8),
            cuts in vec(1..40_usize, 0..20),
        ) {
            let stream = client(&frames);
            let whole = push_all(AkamaiReader::new(), [&stream[..]]);
            let mut rest = &stream[..];
            let mut pieces = Vec::new();
            for cut in cuts {
                let (piece, behind) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = behind;
            }
            pieces.push(rest);
            let cut = push_all(AkamaiReader::new(), pieces);
            prop_assert_eq!(cut.map(|seen| seen.map(|(seen, _)| seen)), whole.map(|seen| seen.map(|(seen, _)| seen)));
        }
    }
}
