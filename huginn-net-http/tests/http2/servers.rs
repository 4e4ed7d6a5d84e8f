//! The first frame of a server.

use huginn_net_core::Progress;
use huginn_net_http::{Http2Error, Http2FrameType, Http2Limits, Http2Settings, ServerSettingsReader};
use testkit::alloc::measure;

use crate::stream::{ACK, HEADERS, SETTINGS, frame};

/// Recorded: what a server sends first to curl 8.14.1, and its acknowledgment of the client's settings.
const RECORDED: [u8; 60] = [
    0x00, 0x00, 0x2a, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, // SETTINGS
    0x00, 0x01, 0x00, 0x00, 0x10, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, //
    0x00, 0x04, 0x00, 0x00, 0xff, 0xff, 0x00, 0x05, 0x00, 0x00, 0x40, 0x00, //
    0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x64, //
    0x00, 0x06, 0x00, 0x01, 0x00, 0x00, //
    0x00, 0x00, 0x00, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, // SETTINGS, ACK
];

fn push_all(pieces: &[&[u8]]) -> Result<Option<String>, Http2Error> {
    let mut reader = ServerSettingsReader::new();
    for piece in pieces {
        if let Progress::Done(settings) = reader.push(piece)? {
            assert_eq!(reader.held_bytes(), 0);
            assert_eq!(reader.push(&RECORDED), Ok(Progress::NeedMore));
            return Ok(Some(settings.to_string()));
        }
    }
    Ok(None)
}

#[test]
fn the_settings_of_a_server_are_read_at_every_split() {
    let expected = Ok(Some("1:4096;2:0;4:65535;5:16384;8:0;3:100;6:65536".to_owned()));
    assert_eq!(push_all(&[&RECORDED]), expected);
    for cut in 0..RECORDED.len() {
        let (head, tail) = RECORDED.split_at(cut);
        assert_eq!(push_all(&[head, tail]), expected, "{cut}");
        assert_eq!(push_all(&[head]).map(|settings| settings.is_some()), Ok(cut >= 51), "{cut}");
    }
    assert_eq!(push_all(&RECORDED.chunks(1).collect::<Vec<_>>()), expected);
    assert_eq!(push_all(&[&frame(SETTINGS, 0, 0, &[])]), Ok(Some(String::new())));
}

#[test]
fn a_server_that_begins_with_anything_else_is_refused_for_good() {
    for (bytes, kind, stream) in [
        (frame(SETTINGS, ACK, 0, &[]), SETTINGS, 0),
        (frame(SETTINGS, 0, 1, &[]), SETTINGS, 1),
        (frame(HEADERS, 4, 1, &[0x88]), HEADERS, 1),
        (b"HTTP/1.1 200 OK\r\n".to_vec(), b'P', 0x312e_3120),
    ] {
        let error = Http2Error::Unexpected { frame: Http2FrameType(kind), stream };
        let mut reader = ServerSettingsReader::new();
        assert_eq!(reader.push(&bytes), Err(error));
        assert_eq!(reader.push(&RECORDED), Err(error));
    }
}

#[test]
fn more_parameters_than_the_limit_are_refused_by_the_length() {
    let mut reader = ServerSettingsReader::with_limits(Http2Limits::default().with_max_settings(6));
    let error = Http2Error::Limit { what: "settings", limit: 6 };
    let (read, allocations) = measure(|| reader.push(&RECORDED));
    assert_eq!(read, Err(error));
    assert_eq!(allocations.count, 0);
    let mut reader = ServerSettingsReader::with_limits(Http2Limits::default().with_max_settings(7));
    let expected = Http2Settings::parse(&RECORDED[9..51], &Http2Limits::default()).unwrap();
    assert_eq!(reader.push(&RECORDED), Ok(Progress::Done(expected)));
}
