//! Crates that do one part of the work.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use huginn_net_core::{Decoder, Packet, Progress};
use huginn_net_http::Http1Request;
use huginn_net_tls::ClientHello;

use crate::programs::for_each_frame;
use crate::{Outcome, Row};

/// Bytes of a capture that are held for this.
const MAX_BYTES: usize = 256 << 20;
/// Each part is measured so often; the fastest pass counts, as nothing makes one faster than it is.
const PASSES: usize = 5;

/// What each crate takes for its part, and how often it succeeds; ours first.
pub(crate) fn rows(capture: &Path) -> Outcome<Vec<(&'static str, Vec<Row>)>> {
    let (mut frames, mut hellos, mut requests) = (Vec::new(), Vec::new(), Vec::new());
    let (mut held, mut decoder) = (0, Decoder::default());
    for_each_frame(capture, |frame| {
        held += frame.bytes.len();
        if held > MAX_BYTES {
            return;
        }
        frames.push((frame.bytes.to_vec(), frame.link_type));
        decoder.decode_each(frame, |packet| {
            let Some(segment) = packet.tcp() else { return };
            let payload = segment.payload();
            if ClientHello::from_record(payload).is_ok() {
                hellos.push(payload.to_vec());
            } else if matches!(Http1Request::parse(payload), Ok(Progress::Done(_))) {
                requests.push(payload.to_vec());
            }
        });
    })?;

    let mut parts = vec![(
        "headers of a frame",
        vec![
            measure("huginn-net-core", "packet", &frames, |(bytes, link_type)| {
                Packet::decode(&huginn_net_core::Frame::new(bytes, *link_type)).is_ok()
            }),
            measure("etherparse", "packet", &frames, |(bytes, _)| {
                etherparse::SlicedPacket::from_ethernet(bytes).is_ok()
            }),
        ],
    )];
    if !hellos.is_empty() {
        parts.push((
            "a ClientHello in a segment",
            vec![
                measure("huginn-net-tls", "hello", &hellos, |bytes| ClientHello::from_record(bytes).is_ok()),
                measure("huginn-net-tls with JA4", "hello", &hellos, |bytes| {
                    ClientHello::from_record(bytes)
                        .is_ok_and(|hello| !black_box(hello.ja4()).as_str().is_empty())
                }),
                measure("tls-parser", "hello", &hellos, |bytes| hello_of_tls_parser(bytes)),
            ],
        ));
    }
    if !requests.is_empty() {
        parts.push((
            "the head of a request",
            vec![
                measure("huginn-net-http", "head", &requests, |bytes| {
                    matches!(Http1Request::parse(bytes), Ok(Progress::Done(_)))
                }),
                measure("httparse", "head", &requests, |bytes| {
                    let mut headers = [httparse::EMPTY_HEADER; 128];
                    let mut request = httparse::Request::new(&mut headers);
                    matches!(request.parse(bytes), Ok(httparse::Status::Complete(_)))
                }),
            ],
        ));
    }
    Ok(parts)
}

/// The hello with its list of extensions, which tls-parser leaves for a second call.
fn hello_of_tls_parser(bytes: &[u8]) -> bool {
    use tls_parser::{TlsMessage, TlsMessageHandshake, parse_tls_extensions, parse_tls_plaintext};
    let Ok((_, record)) = parse_tls_plaintext(bytes) else { return false };
    record.msg.iter().any(|message| match message {
        TlsMessage::Handshake(TlsMessageHandshake::ClientHello(hello)) => {
            hello.ext.is_none_or(|extensions| parse_tls_extensions(extensions).is_ok())
        }
        _ => false,
    })
}

fn measure<T>(who: &'static str, unit: &'static str, inputs: &[T], succeeds: impl Fn(&T) -> bool) -> Row {
    let mut fastest = Duration::MAX;
    let mut found = 0;
    for _ in 0..PASSES {
        let started = Instant::now();
        found = inputs.iter().filter(|input| succeeds(black_box(input))).count();
        fastest = fastest.min(started.elapsed());
    }
    #[allow(clippy::cast_precision_loss, reason = "counts of packets")]
    let nanoseconds = fastest.as_secs_f64() * 1e9 / inputs.len().max(1) as f64;
    Row { who, found: format!("{found} of {}", inputs.len()), unit, nanoseconds }
}
