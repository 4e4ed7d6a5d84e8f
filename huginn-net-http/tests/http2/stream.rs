//! Streams of frames, and the recorded ones of `pcaps/http2`.

use huginn_net_core::Progress;
use huginn_net_http::{AkamaiFingerprint, AkamaiReader, CLIENT_PREFACE, Http2Error};
use serde_json::Value;

pub(crate) const DATA: u8 = 0;
pub(crate) const HEADERS: u8 = 1;
pub(crate) const PRIORITY: u8 = 2;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PUSH_PROMISE: u8 = 5;
pub(crate) const WINDOW_UPDATE: u8 = 8;
pub(crate) const CONTINUATION: u8 = 9;

pub(crate) const ACK: u8 = 0x1;
pub(crate) const END_HEADERS: u8 = 0x4;
pub(crate) const PADDED: u8 = 0x8;

/// `:method: GET`, `:authority: a`, `:scheme: https`, `:path: /`.
pub(crate) const BLOCK: [u8; 6] = [0x82, 0x41, 1, b'a', 0x87, 0x84];
/// What a fingerprint ends with whose request has that block.
pub(crate) const ORDER: &str = "m,a,s,p";

/// One frame.
pub(crate) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut frame = u32::try_from(payload.len()).unwrap().to_be_bytes()[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// The preface and frames.
pub(crate) fn client(frames: &[Vec<u8>]) -> Vec<u8> {
    [&CLIENT_PREFACE[..], &frames.concat()].concat()
}

/// A complete request on stream 1.
pub(crate) fn request() -> Vec<u8> {
    frame(HEADERS, END_HEADERS, 1, &BLOCK)
}

/// A SETTINGS frame of `3:100`.
pub(crate) fn settings() -> Vec<u8> {
    frame(SETTINGS, 0, 0, &[0, 3, 0, 0, 0, 100])
}

/// Pushes pieces to a reader until there is a fingerprint; that, and the number of the piece that completed it.
pub(crate) fn push_all<'p>(
    mut reader: AkamaiReader,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> Result<Option<(AkamaiFingerprint, usize)>, Http2Error> {
    for (index, piece) in pieces.into_iter().enumerate() {
        if let Progress::Done(seen) = reader.push(piece)? {
            return Ok(Some((seen, index)));
        }
    }
    Ok(None)
}

/// The fingerprint of a stream that is complete.
pub(crate) fn seen(stream: &[u8]) -> AkamaiFingerprint {
    push_all(AkamaiReader::new(), [stream]).unwrap().unwrap().0
}

/// One entry of `clients.json`.
pub(crate) struct Vector {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// The request of HTTP/1.1 in front of them, if the client asked for an upgrade.
    pub(crate) upgrade: Option<Vec<u8>>,
    pub(crate) expected: Value,
}

impl Vector {
    /// A reader that takes this stream.
    pub(crate) fn reader(&self) -> AkamaiReader {
        match &self.name[..] {
            "hand-no-preface" => AkamaiReader::new().without_preface(),
            _ => AkamaiReader::new(),
        }
    }

    /// Whether a request is in it.
    pub(crate) fn is_complete(&self) -> bool {
        !self.expected.is_null() && self.upgrade.is_none()
    }
}

/// All of them.
pub(crate) fn vectors() -> Vec<Vector> {
    let folder = testkit::corpus::path("http2");
    let text = std::fs::read_to_string(folder.join("clients.json")).unwrap();
    let mut table: Value = serde_json::from_str(&text).unwrap();
    let Value::Array(entries) = table["vectors"].take() else { panic!("no list of vectors") };
    let vectors: Vec<_> = entries
        .into_iter()
        .map(|mut entry| {
            let name = entry["name"].as_str().unwrap().to_owned();
            let mut bytes = std::fs::read(folder.join(entry["file"].as_str().unwrap())).unwrap();
            let upgrade = entry["upgrade"].as_bool().unwrap_or_default().then(|| {
                let preface = bytes.windows(24).position(|window| window == CLIENT_PREFACE).unwrap();
                let rest = bytes.split_off(preface);
                std::mem::replace(&mut bytes, rest)
            });
            Vector { name, bytes, upgrade, expected: entry["expected"].take() }
        })
        .collect();
    assert_eq!(vectors.len(), 114);
    vectors
}

/// One of them by its name.
pub(crate) fn named(name: &str) -> Vector {
    vectors().into_iter().find(|vector| vector.name == name).unwrap()
}
