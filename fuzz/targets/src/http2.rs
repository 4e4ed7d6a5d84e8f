//! HTTP/2: what clients and servers send, and header blocks.

use huginn_net_core::{Progress, Reader};
use huginn_net_http::{
    AkamaiFingerprint, AkamaiReader, HpackDecoder, HpackError, HpackLimits, Http2Error, Http2Limits,
    Http2Settings, ServerSettingsReader,
};

use crate::judgments::check_http2_request;

/// Reads the stream of an HTTP/2 client, whole and in pieces.
///
/// The first byte is the size of the pieces; with its highest bit set the stream begins without a preface. The same bytes
/// are read as those of a server, too, and as the value of `HTTP2-Settings`.
pub fn http2(data: &[u8]) {
    let mut reader = Reader::new(data);
    let Ok(first) = reader.u8("size of pieces") else { return };
    let stream = reader.rest();
    let size = usize::from(first & 0x7f) + 1;
    let limits = Http2Limits::default()
        .with_max_frames(20)
        .with_max_settings(10)
        .with_max_priorities(5)
        .with_max_header_block_bytes(1000)
        .with_max_continuations(3)
        .with_hpack(HpackLimits::default().with_max_fields(50).with_max_decoded_bytes(2000));
    let client = || match AkamaiReader::with_limits(limits) {
        reader if first & 0x80 != 0 => reader.without_preface(),
        reader => reader,
    };
    let whole = read_client(client(), [stream].into_iter());
    assert_eq!(read_client(client(), stream.chunks(size)), whole);
    if let Ok(Some(seen)) = &whole {
        check_fingerprint(seen);
    }
    let whole = read_server(ServerSettingsReader::with_limits(limits), [stream].into_iter());
    assert_eq!(read_server(ServerSettingsReader::with_limits(limits), stream.chunks(size)), whole);
    if let Ok(settings) = Http2Settings::from_upgrade(stream, &limits) {
        assert!(settings.list().len() <= 10);
    }
}

fn read_client<'p>(
    mut reader: AkamaiReader,
    pieces: impl Iterator<Item = &'p [u8]>,
) -> Result<Option<AkamaiFingerprint>, Http2Error> {
    for piece in pieces {
        let read = reader.push(piece);
        if let Some(partial) = reader.partial() {
            assert!(!partial.is_complete() && partial.akamai().to_string().ends_with('|'));
        }
        match read {
            Ok(Progress::NeedMore) => assert!(reader.held_bytes() <= 2_500, "{}", reader.held_bytes()),
            Ok(Progress::Done(seen)) => {
                assert_eq!((reader.held_bytes(), reader.push(piece)), (0, Ok(Progress::NeedMore)));
                return Ok(Some(seen));
            }
            Err(error) => {
                assert_eq!((reader.held_bytes(), reader.push(piece)), (0, Err(error)));
                return Err(error);
            }
        }
    }
    Ok(None)
}

fn check_fingerprint(seen: &AkamaiFingerprint) {
    let text = seen.akamai().to_string();
    assert_eq!(text.split('|').count(), 4, "{text}");
    assert_eq!(seen.akamai_n().to_string() == text, !seen.has_grease(), "{text}");
    assert!(seen.frame_types.len() <= 20 && seen.priorities.len() <= 5);
    assert!(seen.settings.as_ref().is_none_or(|settings| settings.list().len() <= 10));
    let request = seen.request.as_ref().expect("a fingerprint has a request");
    assert!(request.stream() % 2 == 1);
    let names = request.names().count();
    assert!(names <= 50);
    assert!(request.names().map(<[u8]>::len).sum::<usize>() <= 2000);
    assert!(request.pseudo_headers().count() <= names);
    check_http2_request(request, Some(seen));
}

fn read_server<'p>(
    mut reader: ServerSettingsReader,
    pieces: impl Iterator<Item = &'p [u8]>,
) -> Result<Option<Http2Settings>, Http2Error> {
    for piece in pieces {
        if let Progress::Done(settings) = reader.push(piece)? {
            return Ok(Some(settings));
        }
    }
    Ok(None)
}

/// Decodes the header blocks of one connection.
///
/// The first byte limits the table, in units of 64 bytes. Then come blocks, each after its length in two bytes; the last one
/// may be shorter than that.
pub fn hpack(data: &[u8]) {
    let mut reader = Reader::new(data);
    let Ok(units) = reader.u8("size of the table") else { return };
    let limits = HpackLimits::default()
        .with_max_fields(100)
        .with_max_decoded_bytes(4000)
        .with_max_table_bytes(usize::from(units) * 64);
    let (mut decoder, mut again) = (HpackDecoder::with_limits(limits), HpackDecoder::with_limits(limits));
    while let Ok(len) = reader.u16("block length") {
        let len = usize::from(len).min(reader.remaining());
        let Ok(block) = reader.take(len, "block") else { return };
        let decoded = decode(&mut decoder, block);
        assert_eq!(decode(&mut again, block), decoded);
        // Four times the largest table for bytes, and the entries: 32 bytes of each are only counted.
        assert!(decoder.held_bytes() <= 8 * usize::from(units) * 64 + 1024, "{}", decoder.held_bytes());
        match decoded {
            Ok(fields) => {
                assert!(fields.len() <= 100);
                assert!(fields.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>() <= 4000);
            }
            Err(error) => {
                assert_eq!(decode(&mut decoder, &[0x82]), Err(error));
                return;
            }
        }
    }
}

type Fields = Vec<(Vec<u8>, Vec<u8>)>;

fn decode(decoder: &mut HpackDecoder, block: &[u8]) -> Result<Fields, HpackError> {
    let mut fields = Vec::new();
    decoder.decode(block, |field| fields.push((field.name.to_vec(), field.value.to_vec())))?;
    Ok(fields)
}
