//! Streams of both ends of a connection, however they are cut.

use huginn_net_core::{Analyzer, AnalyzerStats, Decoder, Frame, LinkType, Reader, Timestamp};
use huginn_net_http::{
    BodyLength, Http1Error, Http1Limits, Http1Response, Http1Scanner, HttpAnalyzer, HttpEvent, HttpSettings,
};
use huginn_net_tls::{TlsAnalyzer, TlsEvent, TlsSettings};

/// Reads what both ends of a connection say in turns, each in one segment and in several.
///
/// The first byte is the length of the segments. Then come turns, each after a byte that tells by its lowest bit which end it
/// is, and its length in two bytes; the last may be shorter than that.
pub fn streams(data: &[u8]) {
    let mut reader = Reader::new(data);
    let Ok(size) = reader.u8("length of segments") else { return };
    let mut turns = Vec::new();
    while let (Ok(end), Ok(len)) = (reader.u8("end"), reader.u16("length")) {
        let len = usize::from(len).min(MAX_TURN);
        let bytes = reader.take(len, "turn").unwrap_or_else(|_| reader.take_rest());
        turns.push(Turn { is_server: end & 1 == 1, bytes });
    }
    let (whole, cut) = (frames(&turns, MAX_TURN), frames(&turns, usize::from(size) + 1));
    check_hellos(&turns, &whole, &cut);
    if begin_with_heads(&turns) {
        check_heads(&whole, &cut);
    }
}

/// The longest turn: what one segment of IPv4 has room for, and no more than is held of one end that waits.
const MAX_TURN: usize = 30_000;

/// What an end says at a time.
struct Turn<'a> {
    is_server: bool,
    bytes: &'a [u8],
}

/// A handshake of TCP, and segments of at most so many bytes.
fn frames(turns: &[Turn<'_>], size: usize) -> Vec<Vec<u8>> {
    const SYN: u8 = 0x02;
    const ACK: u8 = 0x10;
    let mut next = [1_000, 9_000_u32];
    let mut frames = vec![frame(false, SYN, [999, 0], &[]), frame(true, SYN | ACK, [8_999, 1_000], &[])];
    for Turn { is_server, bytes } in turns {
        for piece in bytes.chunks(size) {
            let [client, server] = next;
            let numbers = if *is_server { [server, client] } else { [client, server] };
            frames.push(frame(*is_server, ACK, numbers, piece));
            let len = u32::try_from(piece.len()).unwrap_or(u32::MAX);
            let [client, server] = &mut next;
            let number = if *is_server { server } else { client };
            *number = number.wrapping_add(len);
        }
    }
    frames
}

/// A packet of IPv4 and TCP between two hosts.
fn frame(is_server: bool, flags: u8, [seq, ack]: [u32; 2], payload: &[u8]) -> Vec<u8> {
    const CLIENT: [u8; 4] = [10, 0, 0, 1];
    const SERVER: [u8; 4] = [10, 0, 0, 2];
    let (from, to) = if is_server { (SERVER, CLIENT) } else { (CLIENT, SERVER) };
    let ports = if is_server { [0, 80, 0x9c, 0x40] } else { [0x9c, 0x40, 0, 80] };
    let len = u16::try_from(40 + payload.len()).unwrap_or(u16::MAX).to_be_bytes();
    let ip = [&[0x45, 0][..], &len, &[0, 0, 0x40, 0, 64, 6, 0, 0], &from, &to].concat();
    let tcp = [&ports[..], &seq.to_be_bytes(), &ack.to_be_bytes(), &[0x50, flags, 0xff, 0xff, 0, 0, 0, 0]];
    [&ip[..], &tcp.concat(), payload].concat()
}

/// Gives frames to an analyzer, all of them at one time.
fn feed<A: Analyzer>(
    frames: &[Vec<u8>],
    analyzer: &mut A,
    mut on_event: impl FnMut(A::Event),
) -> AnalyzerStats {
    let mut decoder = Decoder::default();
    for (number, bytes) in (1..).zip(frames) {
        let captured_at = Timestamp::from_parts(1_700_000_000, 0);
        let frame = Frame { captured_at, number, ..Frame::new(bytes, LinkType::RAW) };
        decoder.decode_each(&frame, |packet| analyzer.offer(packet, &mut on_event));
    }
    analyzer.on_end(&mut on_event);
    let mut stats = AnalyzerStats::default();
    analyzer.count(&mut stats);
    stats
}

/// A hello that the client begins with is the same. What follows bytes that are none is looked for where segments begin.
fn check_hellos(turns: &[Turn<'_>], whole: &[Vec<u8>], cut: &[Vec<u8>]) {
    let told = |frames: &[Vec<u8>]| {
        let mut first = None;
        feed(frames, &mut TlsAnalyzer::new(TlsSettings::default()), |event| {
            if let (TlsEvent::ClientHello(seen), None) = (event, &first) {
                first = Some((seen.first.frame, seen.hello.message().to_vec(), format!("{:?}", seen.via)));
            }
        });
        first
    };
    // Behind the handshake.
    let begin = (3..).zip(turns.iter().filter(|turn| !turn.bytes.is_empty()));
    let begin = begin.into_iter().find(|(_, turn)| !turn.is_server).map(|(number, _)| number);
    let Some((first, message, via)) = told(whole).filter(|(first, ..)| Some(*first) == begin) else { return };
    let again = told(cut).map(|(_, message, via)| (message, via));
    assert_eq!(again, Some((message, via)), "that of frame {first}");
}

/// Whether what each end says begins as a head does, or the server follows a client of HTTP/2.
fn begin_with_heads(turns: &[Turn<'_>]) -> bool {
    let [client, server] = [false, true].map(|is_server| {
        let its = turns.iter().filter(|turn| turn.is_server == is_server);
        its.flat_map(|turn| turn.bytes).copied().collect::<Vec<u8>>()
    });
    let is_first = turns.iter().find(|turn| !turn.bytes.is_empty()).is_some_and(|turn| !turn.is_server);
    let limits = Http1Limits::default();
    match Http1Scanner::request(limits).scan(&client) {
        Ok(_) => Http1Scanner::response(limits).scan(&server).is_ok(),
        Err(error) => error == Http1Error::Http2Preface && is_first,
    }
}

/// Heads are the same where all bytes are those of HTTP. Behind others they are looked for where segments begin.
fn check_heads(whole: &[Vec<u8>], cut: &[Vec<u8>]) {
    let told = |frames: &[Vec<u8>]| {
        let (mut told, mut is_followed) = (Vec::new(), true);
        let stats = feed(frames, &mut HttpAnalyzer::new(HttpSettings::default()), |event| match &event {
            HttpEvent::Request(seen) => {
                is_followed &= seen.http1().is_none_or(|head| head.body() != BodyLength::Unknown);
                told.push(format!(
                    "{} {:?}",
                    seen.exchange,
                    (seen.http1(), seen.http2(), seen.fingerprint())
                ));
            }
            HttpEvent::Response(seen) => {
                let body = |head: Http1Response<'_>| head.body(b"GET") != BodyLength::Unknown;
                is_followed &= seen.is_answer && seen.http1().is_none_or(body);
                let head = (seen.http1(), seen.http2(), seen.server_settings());
                told.push(format!("{} {:?}", seen.exchange, head));
            }
            HttpEvent::Start(seen) => {
                told.push(format!("{:?} {}", seen.upgraded, seen.fingerprint.akamai()));
            }
            other => panic!("{other:?}"),
        });
        let is_none = stats.seen.iter().any(|(name, _)| *name == "http_not_http");
        (told, is_followed && !is_none && stats.malformed.is_empty() && stats.limits_hit.is_empty())
    };
    let (whole, is_followed) = told(whole);
    if is_followed {
        assert_eq!(told(cut), (whole, true));
    }
}
