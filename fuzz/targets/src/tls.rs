//! Hellos: from streams, from datagrams, and what is in them.

use huginn_net_core::{Progress, Reader};
use huginn_net_tls::{
    Carrier, ClientHello, ClientHelloReader, DtlsHelloReader, DtlsLimits, Ja4, Ja4Cache, Ja4Options,
    QuicInitialReader, QuicLimits, ServerHello, TlsError, TransportParameters,
};

/// Reads a stream that may hold ClientHellos, whole and in pieces, and the same bytes as a handshake message.
///
/// The first byte is the length of a piece, and, by its two lowest bits, what carried the message.
pub fn client_hello(data: &[u8]) {
    let Some((&first, stream)) = data.split_first() else { return };
    let piece = usize::from(first).max(1);
    let whole = hellos(stream, stream.len().max(1));
    assert_eq!(hellos(stream, piece), whole, "pieces of {piece} bytes");
    match (ClientHello::from_record(stream), whole.0.first()) {
        (Ok(hello), Some(message)) => assert_eq!(hello.message(), message),
        (Ok(_), None) => panic!("a record holds a hello that the stream does not"),
        (Err(TlsError::SeveralRecords), _) | (Err(_), None) => {}
        (Err(error), Some(_)) => panic!("{error}, but the stream holds a hello"),
    }

    let carrier = match first & 3 {
        0 | 1 => Carrier::Tcp,
        2 => Carrier::Quic,
        _ => Carrier::Dtls,
    };
    if let Ok(Progress::Done(hello)) = ClientHello::parse(stream, carrier) {
        check_hello(&hello);
    }
}

/// The messages of the hellos in a stream that arrives in pieces, and why it ended if it did.
fn hellos(stream: &[u8], piece: usize) -> (Vec<Vec<u8>>, Option<TlsError>) {
    let mut reader = ClientHelloReader::new();
    let mut found = Vec::new();
    for mut piece in stream.chunks(piece) {
        while !piece.is_empty() {
            match reader.push(piece) {
                Ok(Progress::Done(hello)) => {
                    check_hello(&hello);
                    found.push(hello.message().to_vec());
                    assert!(reader.consumed() > 0, "a hello ends with a byte of its own");
                }
                Ok(Progress::NeedMore) => assert_eq!(reader.consumed(), piece.len()),
                Err(error) => {
                    assert_eq!(reader.push(piece).err(), Some(error), "an error stays");
                    return (found, Some(error));
                }
            }
            assert!(reader.held_bytes() <= 2 * stream.len() + 8, "{} bytes held", reader.held_bytes());
            piece = piece.get(reader.consumed()..).expect("no more consumed than pushed");
        }
    }
    (found, None)
}

pub(crate) fn check_hello(hello: &ClientHello<'_>) {
    let forms = hello.ja4_forms(Ja4Options::default());
    let ja4 = forms.ja4();
    assert_eq!(ja4.as_str().parse::<Ja4>(), Ok(ja4));
    let mut cache = Ja4Cache::new(2);
    for _ in 0..2 {
        assert_eq!((cache.ja4(&forms), cache.ja4_s1(&forms)), (ja4, forms.ja4_s1()));
    }
    for text in [forms.ja4_r(), forms.ja4_ro()] {
        let text = text.to_string();
        assert_eq!(text.get(..10), ja4.as_str().get(..10));
        assert!((2..=3).contains(&text.matches('_').count()), "{text}");
    }
    let _ = forms.ja4_s1r().to_string();
    for text in [hello.ja3_full(), hello.ja3n_full()] {
        assert_eq!(text.to_string().matches(',').count(), 4);
    }
    let _ = (hello.ja3(), hello.ja3n());
    assert_eq!(hello.flaws().is_empty(), hello.flaws().names().next().is_none());
    assert!(hello.server_name().is_none() || hello.has_server_name());
    assert!(hello.extensions().count() <= hello.message().len() / 4);
    let _ = (hello.alpn().count(), hello.application_settings().count(), hello.certificate_compressions());
    let _ = (hello.key_share_groups().count(), hello.pre_shared_keys(), hello.newest_version());
    let _ = (hello.session(), hello.encrypted_hello(), hello.has_grease());
    let _ = TransportParameters::of_hello(hello);
}

/// Reads a ServerHello, as a handshake message and in a record.
pub fn server_hello(data: &[u8]) {
    let parsed = ServerHello::parse(data).ok().and_then(Progress::done);
    for hello in parsed.into_iter().chain(ServerHello::from_record(data)) {
        let text = hello.ja3s_full().map(|text| text.to_string());
        assert_eq!(text.is_some(), hello.ja3s().is_some());
        assert_eq!(text.is_none(), hello.is_hello_retry_request());
        assert!(text.is_none_or(|text| text.matches(',').count() == 2));
        let _ = (hello.version(), hello.extensions().count());
    }
}

/// Hands over each datagram, which comes after its length in two bytes; the last may be shorter than that.
pub(crate) fn each_datagram<'d>(data: &'d [u8], mut take: impl FnMut(&'d [u8])) {
    let mut reader = Reader::new(data);
    while let Ok(len) = reader.u16("datagram length") {
        let datagram = reader.take(usize::from(len), "datagram").unwrap_or_else(|_| reader.take_rest());
        take(datagram);
    }
}

/// What a reader takes besides the messages, and what keeps the pieces of one of them in order: 64 and a first node.
const READER: usize = 3_072;
const PIECES: usize = 64 * 128 + 1_024;

/// Reads hellos from QUIC Initials.
pub fn quic_initial(data: &[u8]) {
    let limits = QuicLimits::default();
    let mut reader = QuicInitialReader::with_limits(limits);
    each_datagram(data, |datagram| {
        let _ = QuicInitialReader::is_initial(datagram);
        match reader.push(datagram) {
            Ok(Progress::Done(hello)) => {
                assert!(hello.message.len() <= limits.max_crypto_bytes);
                assert!(hello.facts.initials > 0 && hello.facts.crypto_pieces > 0);
                if let Ok(hello) = hello.client_hello() {
                    check_hello(&hello);
                }
            }
            Ok(Progress::NeedMore) => {}
            Err(error) => assert!(!error.reason().contains(' ')),
        }
        let most = (limits.max_keys * limits.max_crypto_bytes).min(data.len());
        // A packet is laid out twice to be opened.
        let scratch = 4 * data.len();
        assert!(reader.held_bytes() <= 4 * most + scratch + READER + limits.max_keys * PIECES);
    });
}

/// Reads hellos from DTLS records.
pub fn dtls_hello(data: &[u8]) {
    let limits = DtlsLimits::default();
    let mut reader = DtlsHelloReader::with_limits(limits);
    let mut found = 0;
    each_datagram(data, |datagram| {
        let _ = DtlsHelloReader::is_hello(datagram);
        match reader.push(datagram) {
            Ok(Progress::Done(hello)) => {
                found += 1;
                assert!(hello.message.len() <= limits.max_hello_bytes);
                if let Ok(hello) = hello.client_hello() {
                    check_hello(&hello);
                }
            }
            Ok(Progress::NeedMore) => {}
            Err(error) => assert!(!error.reason().contains(' ')),
        }
        assert!(reader.held_bytes() <= 4 * data.len() + READER + (limits.max_messages + 1) * PIECES);
    });
    assert!(found <= limits.max_hellos);
}

/// Reads the transport parameters of QUIC.
pub fn transport_parameters(data: &[u8]) {
    let Ok(parameters) = TransportParameters::parse(data) else { return };
    let mut len = 0;
    for parameter in parameters.iter() {
        assert!(!parameter.id.is_grease());
        len += 2 + parameter.value.len();
        assert!(parameter.integer().is_none_or(|value| value < 1 << 62));
        assert!(parameter.versions().all(|version| !version.is_reserved()));
        assert!(parameters.find(parameter.id).is_some());
    }
    assert!(len <= data.len());
    let _ = parameters.has_grease();
}
