//! Every hello of `pcaps/tls/hello.json`, and the ServerHellos beside them.

use core::fmt::Debug;

use huginn_net_core::Progress;
use huginn_net_tls::{
    Carrier, CertificateCompression, CipherSuite, ClientHello, ClientHelloReader, EncryptedHello, Flaws,
    Ja4Cache, Ja4Options, NamedGroup, ProtocolVersion, ServerHello, Sslv2Hello, TlsError,
};

use crate::corpus::{self, Vector, fingerprints, message_of_stream, named, parse};

fn message(vector: &Vector) -> Vec<u8> {
    if vector.is_stream() { message_of_stream(&vector.bytes) } else { vector.bytes.clone() }
}

#[test]
fn every_message_has_the_fingerprints_expected_of_it_in_every_form() {
    let mut seen = 0;
    for vector in corpus::all().iter().filter(|vector| vector.is_stream() || vector.is_message()) {
        let message = message(vector);
        let hello = parse(&message, vector.carrier);
        assert_eq!(fingerprints(&hello, Ja4Options::default()), vector.entry["expected"], "{}", vector.name);
        seen += 1;
    }
    assert_eq!(seen, 252);
}

#[test]
fn texts_are_appended_as_they_display() {
    for vector in corpus::all().iter().filter(|vector| vector.is_stream() || vector.is_message()) {
        let message = message(vector);
        let hello = parse(&message, vector.carrier);
        let mut bytes = Vec::new();
        hello.ja4_r().append_to(&mut bytes);
        hello.ja4_ro().append_to(&mut bytes);
        hello.ja4_s1r().append_to(&mut bytes);
        hello.ja3_full().append_to(&mut bytes);
        hello.ja3n_full().append_to(&mut bytes);
        let (r, ro, s1r) = (hello.ja4_r(), hello.ja4_ro(), hello.ja4_s1r());
        let expected = format!("{r}{ro}{s1r}{}{}", hello.ja3_full(), hello.ja3n_full());
        assert_eq!(String::from_utf8(bytes).unwrap(), expected, "{}", vector.name);
    }
}

#[test]
fn lists_are_those_of_the_text() {
    for vector in corpus::all().iter().filter(|vector| vector.is_stream() || vector.is_message()) {
        let message = message(vector);
        let hello = parse(&message, vector.carrier);
        assert_eq!(hello.ja4_r().to_string().parse(), Ok(hello.ja4_lists()), "{}", vector.name);
        assert_eq!(hello.ja4_lists().ja4(), hello.ja4(), "{}", vector.name);
    }
}

#[test]
fn hellos_that_differ_in_a_fingerprint_differ_in_what_it_is_made_of() {
    fn facts(hello: &ClientHello<'_>) -> impl PartialEq + Debug + use<> {
        let options = Ja4Options::default().with_dtls_protocol_order(true);
        let versions: Vec<_> = hello.supported_versions().without_grease().collect();
        let alpn: Vec<_> = hello.alpn().map(<[u8]>::to_vec).collect();
        let forms = [fingerprints(hello, Ja4Options::default()), fingerprints(hello, options)];
        (forms, hello.legacy_version(), versions, alpn)
    }
    fn sorted_facts(hello: &ClientHello<'_>) -> impl PartialEq + Debug + use<> {
        let options = Ja4Options::default().with_dtls_protocol_order(true);
        let forms = [Ja4Options::default(), options].map(|options| {
            let forms = hello.ja4_forms(options);
            (forms.ja4(), forms.ja4_s1(), forms.ja4_r().to_string(), forms.ja4_s1r().to_string())
        });
        let versions: Vec<_> = hello.supported_versions().without_grease().collect();
        let alpn: Vec<_> = hello.alpn().map(<[u8]>::to_vec).collect();
        (forms, hello.ja3n(), hello.ja3n_full().to_string(), hello.legacy_version(), versions, alpn)
    }
    let (mut same, mut other) = (0, 0);
    for name in ["hand-base-tls13", "hand-dtls13", "curl_cffi-0.16.3-chrome120", "openssl-3.0.19-legacy"] {
        let vector = named(name);
        let original = message(&vector);
        let hello = parse(&original, vector.carrier);
        let mut fingerprinted = Vec::new();
        hello.append_fingerprinted(&mut fingerprinted);
        let expected = facts(&hello);
        let mut fingerprinted_sorted = Vec::new();
        hello.append_fingerprinted_sorted(&mut fingerprinted_sorted);
        let expected_sorted = sorted_facts(&hello);
        // The message but its type and length, one bit of each byte.
        for at in 4..original.len() {
            let mut changed = original.clone();
            changed[at] ^= 1 << (at % 8);
            let Ok(Progress::Done(changed)) = ClientHello::parse(&changed, vector.carrier) else { continue };
            let mut of_changed = Vec::new();
            changed.append_fingerprinted(&mut of_changed);
            let mut of_sorted = Vec::new();
            changed.append_fingerprinted_sorted(&mut of_sorted);
            if fingerprinted_sorted == of_sorted {
                assert_eq!(sorted_facts(&changed), expected_sorted, "{name}, byte {at}");
            }
            assert!(fingerprinted != of_changed || fingerprinted_sorted == of_sorted, "{name}, byte {at}");
            if fingerprinted == of_changed {
                assert_eq!(facts(&changed), expected, "{name}, byte {at}");
                same += 1;
            } else {
                other += 1;
            }
        }
    }
    assert!(same > 200 && other > 200, "{same} {other}");
}

#[test]
fn extensions_in_another_order_are_the_same_where_they_are_sorted() {
    // One cipher suite; extensions 0017, ff01 and 0023 in either order.
    let hello = |kinds: [[u8; 2]; 3]| {
        let extensions = kinds.map(|[high, low]| [high, low, 0, 0]);
        let start = [&[1, 0, 0, 55, 3, 3][..], &[7; 32], &[0, 0, 2, 0x13, 1, 1, 0, 0, 12]].concat();
        [&start[..], extensions.as_flattened()].concat()
    };
    let [one, other] = [[[0, 0x17], [0xff, 1], [0, 0x23]], [[0xff, 1], [0, 0x23], [0, 0x17]]].map(hello);
    let [one, other] = [&one, &other].map(|message| {
        let hello = parse(message, Carrier::Tcp);
        let (mut exact, mut sorted) = (Vec::new(), Vec::new());
        hello.append_fingerprinted(&mut exact);
        hello.append_fingerprinted_sorted(&mut sorted);
        (exact, sorted)
    });
    assert_ne!(one.0, other.0);
    assert_eq!(one.1, other.1);
}

#[test]
fn a_cache_changes_no_fingerprint() {
    for lists in [0, 2, 64, 2_048] {
        let mut cache = Ja4Cache::new(lists);
        for _ in 0..2 {
            for vector in corpus::all().iter().filter(|vector| vector.is_stream() || vector.is_message()) {
                let message = message(vector);
                let forms = parse(&message, vector.carrier).ja4_forms(Ja4Options::default());
                let expected = &vector.entry["expected"];
                assert_eq!(cache.ja4(&forms).as_str(), expected["ja4"], "{}", vector.name);
                assert_eq!(cache.ja4_s1(&forms).as_str(), expected["ja4_s1"], "{}", vector.name);
            }
        }
    }
}

#[test]
fn every_stream_has_the_fingerprints_expected_of_it() {
    for vector in corpus::all().iter().filter(|vector| vector.is_stream()) {
        let mut reader = ClientHelloReader::new();
        let Ok(Progress::Done(hello)) = reader.push(&vector.bytes) else { panic!("{}", vector.name) };
        assert_eq!(fingerprints(&hello, Ja4Options::default()), vector.entry["expected"], "{}", vector.name);
    }
}

#[test]
fn a_hello_in_one_record_is_read_where_it_lies() {
    let mut several = Vec::new();
    for vector in corpus::all().iter().filter(|vector| vector.is_stream()) {
        match ClientHello::from_record(&vector.bytes) {
            Ok(hello) => {
                let expected = vector.entry["expected"]["ja4"].as_str().unwrap();
                assert_eq!(hello.ja4().as_str(), expected, "{}", vector.name);
            }
            Err(TlsError::SeveralRecords) => several.push(vector.name.clone()),
            Err(error) => panic!("{}: {error}", vector.name),
        }
    }
    assert_eq!(several, ["hand-record-split-16k"]);
}

#[test]
fn the_newest_version_of_dtls_is_taken_where_asked_for() {
    let vector = named("hand-dtls13");
    let hello = parse(&vector.bytes, vector.carrier);
    assert_eq!(
        fingerprints(&hello, Ja4Options::default().with_dtls_protocol_order(true)),
        vector.entry["expected_protocol_order_option"]
    );
    assert_eq!(hello.version(), ProtocolVersion::DTLS_1_2);
    assert_eq!(hello.newest_version(), ProtocolVersion::DTLS_1_3);
}

#[test]
fn the_newest_version_of_dtls_is_none_of_tls() {
    let newest = |versions: &[u8]| {
        let list = [&[u8::try_from(versions.len()).unwrap()], versions].concat();
        let mut message = corpus::message(&[], &[0x1301], &[(0x002b, &list)]);
        message.insert(4 + 2 + 32 + 1, 0);
        message[3] += 1;
        parse(&message, Carrier::Dtls).newest_version()
    };
    assert_eq!(newest(&[3, 4, 0xfe, 0xfc, 0xfe, 0xfd]), ProtocolVersion::DTLS_1_3);
    assert_eq!(newest(&[0x0a, 0x0a, 0xfe, 0xfd, 3, 3]), ProtocolVersion::DTLS_1_2);
    assert_eq!(newest(&[3, 3]), ProtocolVersion::TLS_1_2);
    assert_eq!(newest(&[]), ProtocolVersion::TLS_1_2, "the legacy version");
}

#[test]
fn hellos_called_malformed_have_flaws_and_others_have_none() {
    for vector in corpus::all().iter().filter(|vector| vector.is_stream() || vector.is_message()) {
        let message = message(vector);
        let flaws = parse(&message, vector.carrier).flaws();
        // These two are read as if they were right by everyone.
        let excused = ["hand-alpn-zero-length", "hand-trailing-bytes"].contains(&vector.name.as_str());
        let malformed = excused || vector.entry["malformed"] == true;
        let names: Vec<_> = flaws.names().collect();
        assert_eq!(!flaws.is_empty(), malformed, "{}: {names:?}", vector.name);
    }
}

#[test]
fn server_name_and_protocols_are_those_recorded() {
    let mut seen = 0;
    for vector in corpus::all().iter().filter(|vector| vector.entry["alpn"].is_array()) {
        let message = message(vector);
        let hello = parse(&message, vector.carrier);
        let names: Vec<_> = hello.alpn().map(|name| String::from_utf8(name.to_vec()).unwrap()).collect();
        assert_eq!(serde_json::json!(names), vector.entry["alpn"], "{}", vector.name);
        let server_name = hello.server_name().map(|name| String::from_utf8(name.to_vec()).unwrap());
        assert_eq!(serde_json::json!(server_name), vector.entry["sni"], "{}", vector.name);
        seen += 1;
    }
    assert_eq!(seen, 184);
}

#[test]
fn a_malformed_hello_says_what_is_wrong_with_it() {
    for (name, flaw) in [
        ("hand-no-ciphers", Flaws::CIPHER_SUITES_LENGTH),
        ("hand-ext-overrun", Flaws::EXTENSION_OVERRUN),
        ("hand-ext-block-short", Flaws::EXTENSION_OVERRUN),
        ("hand-ext-block-short", Flaws::TRAILING_BYTES),
        ("hand-trailing-bytes", Flaws::TRAILING_BYTES),
        ("hand-alpn-zero-length", Flaws::LIST_LENGTH),
    ] {
        let vector = named(name);
        let flaws = ClientHello::from_record(&vector.bytes).unwrap().flaws();
        assert!(flaws.contains(flaw), "{name}: {:?}", flaws.names().collect::<Vec<_>>());
    }
}

#[test]
fn no_recorded_hello_has_flaws() {
    for vector in corpus::all().iter().filter(|vector| vector.entry["origin"] == "recorded") {
        let message = message(vector);
        let flaws = parse(&message, vector.carrier).flaws();
        assert!(flaws.is_empty(), "{}: {:?}", vector.name, flaws.names().collect::<Vec<_>>());
    }
}

#[test]
fn grease_stays_in_the_lists() {
    let vector = named("hand-grease-everywhere");
    let hello = ClientHello::from_record(&vector.bytes).unwrap();
    assert!(hello.has_grease());
    assert!(hello.cipher_suites().iter().any(CipherSuite::is_grease));
    assert!(!hello.cipher_suites().without_grease().any(CipherSuite::is_grease));
    assert!(hello.signature_algorithms().has_grease());
    assert!(hello.supported_versions().has_grease());
    assert!(hello.supported_groups().has_grease());
    let plain = named("hand-base-tls13");
    assert!(!ClientHello::from_record(&plain.bytes).unwrap().has_grease());
}

#[test]
fn what_a_browser_sends_beside_its_fingerprint_is_told() {
    let vector = named("chromium-156.0.8078.79");
    let hello = ClientHello::from_record(&vector.bytes).unwrap();
    assert_eq!(hello.encrypted_hello(), Some(EncryptedHello::Outer));
    assert_eq!(hello.compression_methods(), [0]);
    assert_eq!(hello.session_id().len(), 32);
    assert!(hello.has_grease());
    let shares: Vec<_> = hello.key_share_groups().filter(|group| !group.is_grease()).collect();
    assert_eq!(shares, [NamedGroup(0x11ec), NamedGroup(0x001d)]);
    assert_eq!(hello.application_settings().collect::<Vec<_>>(), [b"h2"]);
    assert_eq!(hello.certificate_compressions().iter().collect::<Vec<_>>(), [CertificateCompression::BROTLI]);
    let session = hello.session();
    assert!(session.ticket && !session.resumption_offered && !session.early_data);
}

#[test]
fn resumption_early_data_and_padding_are_told() {
    let vector = named("hand-s1-all");
    let session = ClientHello::from_record(&vector.bytes).unwrap().session();
    assert!(session.ticket && session.resumption_offered && session.early_data);
    assert!(session.padding.is_some());

    let vector = named("firefox-esr-153.7.0-resumption__4");
    let hello = ClientHello::from_record(&vector.bytes).unwrap();
    assert!(hello.session().resumption_offered);
    assert_eq!(hello.pre_shared_keys(), 1);
}

#[test]
fn a_session_id_offers_resumption_only_before_tls_1_3() {
    let resumes = |session_id: &[u8], extensions: &[(u16, &[u8])]| {
        let message = corpus::message(session_id, &[0x002f], extensions);
        parse(&message, Carrier::Tcp).session().resumption_offered
    };
    assert!(!resumes(&[], &[]));
    assert!(resumes(&[7; 32], &[]));
    assert!(!resumes(&[7; 32], &[(0x002b, &[2, 3, 4])]));
    assert!(!resumes(&[7; 32], &[(0x002b, &[4, 0x7f, 0x1c, 3, 3])]), "a draft of TLS 1.3");
    assert!(resumes(&[7; 32], &[(0x002b, &[4, 3, 3, 3, 2])]), "TLS 1.2 and 1.1");
    // In DTLS no middlebox is humoured (RFC 9147 §5).
    let mut dtls = corpus::message(&[7; 32], &[0x1301], &[(0x002b, &[4, 0xfe, 0xfc, 0xfe, 0xfd])]);
    dtls.insert(4 + 2 + 32 + 33, 0);
    dtls[3] += 1;
    assert!(parse(&dtls, Carrier::Dtls).session().resumption_offered);
    // QUIC has no session of TLS 1.2, and no middlebox to humour (RFC 9001 §8.4).
    let quic = corpus::message(&[7; 32], &[0x1301], &[(0x002b, &[2, 3, 4])]);
    assert!(!parse(&quic, Carrier::Quic).session().resumption_offered);
    // A ticket to be had, a ticket to be used.
    assert!(!resumes(&[], &[(0x0023, &[])]));
    assert!(resumes(&[], &[(0x0023, &[1, 2, 3])]));
}

#[test]
fn the_published_example_has_its_published_fingerprint() {
    // As sent by the client of the description of JA4; GREASE where it was.
    let ciphers = [
        0x4a4a, 0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014,
        0x009c, 0x009d, 0x002f, 0x0035,
    ];
    let algorithms = [0, 16, 4, 3, 8, 4, 4, 1, 5, 3, 8, 5, 5, 1, 8, 6, 6, 1];
    let extensions = [
        (0x2a2a, &[][..]),
        (0x001b, &[]),
        (0x0000, &[]),
        (0x0033, &[]),
        (0x0010, b"\x00\x0c\x02h2\x08http/1.1"),
        (0x4469, &[]),
        (0x0017, &[]),
        (0x002d, &[]),
        (0x000d, &algorithms),
        (0x0005, &[]),
        (0x0023, &[]),
        (0x0012, &[]),
        (0x002b, &[6, 0x1a, 0x1a, 3, 4, 3, 3]),
        (0xff01, &[]),
        (0x000b, &[]),
        (0x000a, &[]),
        (0x9a9a, &[]),
        (0x0015, &[]),
    ];
    let message = corpus::message(&[7; 32], &ciphers, &extensions);
    let hello = parse(&message, Carrier::Tcp);
    assert_eq!(hello.ja4().as_str(), "t13d1516h2_8daaf6152771_e5627efa2ab1");
    assert_eq!(hello.ja4_o().as_str(), "t13d1516h2_acb858a92679_18f69afefd3d");
    assert_eq!(
        hello.ja4_r().to_string(),
        "t13d1516h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_\
         0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01_\
         0403,0804,0401,0503,0805,0501,0806,0601"
    );
}

#[test]
fn an_extension_that_is_there_twice_counts_twice_and_is_read_once() {
    let extensions: [(u16, &[u8]); 2] = [(0x000d, &[0, 2, 4, 3]), (0x000d, &[0, 2, 8, 4])];
    let message = corpus::message(&[], &[0x1301], &extensions);
    let hello = parse(&message, Carrier::Quic);
    assert_eq!(hello.ja4_r().to_string(), "q12i010200_1301_000d,000d_0403");
    assert_eq!(hello.flaws(), Flaws::REPEATED_EXTENSION);
}

#[test]
fn every_extension_that_is_read_by_name_may_be_there_once() {
    const ENCRYPTED_CLIENT_HELLO: u16 = 0xfe0d;
    let is_repeated = |extensions: &[(u16, &[u8])]| {
        let message = corpus::message(&[], &[0x1301], extensions);
        parse(&message, Carrier::Tcp).flaws().contains(Flaws::REPEATED_EXTENSION)
    };
    for kind in [0, 10, 11, 13, 16, 21, 35, 41, 42, 43, 51, ENCRYPTED_CLIENT_HELLO] {
        assert!(!is_repeated(&[(kind, &[])]), "{kind}");
        assert!(is_repeated(&[(kind, &[]), (kind, &[])]), "{kind}");
    }
    assert!(!is_repeated(&[(23, &[]), (23, &[])]), "nothing is read of extended_master_secret");
    let many: Vec<(u16, &[u8])> = (0xf000..0xf100).map(|kind| (kind, &[][..])).collect();
    let behind_many = |kinds: &[u16]| {
        is_repeated(
            &many.iter().copied().chain(kinds.iter().map(|&kind| (kind, &[][..]))).collect::<Vec<_>>(),
        )
    };
    assert!(!behind_many(&[ENCRYPTED_CLIENT_HELLO]));
    assert!(behind_many(&[ENCRYPTED_CLIENT_HELLO; 2]));
}

#[test]
fn lists_end_where_their_bytes_end() {
    // A length of 6 with 3 bytes behind it.
    let message = corpus::message(&[], &[0x1301], &[(0x000d, &[0, 6, 4, 3, 8])]);
    let hello = parse(&message, Carrier::Tcp);
    assert_eq!(hello.ja4_r().to_string(), "t12i010100_1301_000d_0403");
    assert_eq!(hello.flaws(), Flaws::LIST_LENGTH);
}

#[test]
fn an_odd_list_of_cipher_suites_a_long_session_id_and_a_stray_byte_are_read_and_told() {
    let mut message = vec![1, 0, 0, 75, 3, 3];
    message.extend([7; 32]);
    message.push(33);
    message.extend([9; 33]);
    message.extend([0, 3, 0x13, 0x01, 0x13, 0, 0]);
    let hello = parse(&message, Carrier::Tcp);
    assert_eq!(hello.ja4_r().to_string(), "t12i010000_1301_");
    assert_eq!(
        hello.flaws().names().collect::<Vec<_>>(),
        ["session_id_length", "cipher_suites_length", "no_compression_method", "trailing_bytes"]
    );
}

#[test]
fn an_extension_block_longer_than_the_message_ends_with_it() {
    let mut message = corpus::message(&[], &[0x1301], &[(0x0017, &[]), (0x002b, &[2, 3, 4])]);
    let block = message.len() - 4 - 4 - 3 - 2;
    message[block..block + 2].copy_from_slice(&[0xff, 0xff]);
    let hello = parse(&message, Carrier::Tcp);
    assert_eq!(hello.ja4_r().to_string(), "t13i010200_1301_0017,002b");
    assert_eq!(hello.flaws(), Flaws::EXTENSION_BLOCK_LENGTH);
}

#[test]
fn an_sslv2_hello_is_told_and_has_no_fingerprint() {
    for (name, version) in
        [("hand-sslv2-compat-tls10", ProtocolVersion::TLS_1_0), ("hand-sslv2-pure", ProtocolVersion::SSL_2)]
    {
        let bytes = named(name).bytes;
        assert_eq!(ClientHello::from_record(&bytes).unwrap_err(), TlsError::Sslv2, "{name}");

        let mut reader = ClientHelloReader::new();
        for byte in &bytes[..bytes.len() - 1] {
            assert!(matches!(reader.push(std::slice::from_ref(byte)), Ok(Progress::NeedMore)), "{name}");
            assert_eq!(reader.sslv2_hello(), None, "{name}");
        }
        let last = &bytes[bytes.len() - 1..];
        assert_eq!(reader.push(last).unwrap_err(), TlsError::Sslv2, "{name}");
        assert_eq!(reader.push(last).unwrap_err(), TlsError::Sslv2, "{name}");
        let hello = reader.sslv2_hello().unwrap();
        assert_eq!(hello.version, version, "{name}");
        assert!(hello.cipher_specs().count() > 0, "{name}");
        assert_eq!(Sslv2Hello::parse(&bytes), Ok(Progress::Done(hello)), "{name}");
    }
}

#[test]
fn every_server_hello_has_the_ja3s_expected_of_it() {
    let entries = corpus::entries("tls/ja3s.json");
    assert_eq!(entries.len(), 11);
    for entry in entries {
        let bytes = corpus::read(entry["file"].as_str().unwrap());
        let Ok(Progress::Done(hello)) = ServerHello::parse(&bytes) else { panic!("{entry}") };
        assert!(!hello.is_hello_retry_request());
        assert_eq!(hello.ja3s_full().unwrap().to_string(), entry["ja3s_full"].as_str().unwrap());
        assert_eq!(hello.ja3s().unwrap().to_string(), entry["ja3s"].as_str().unwrap());
    }
}

#[test]
fn a_server_hello_cut_anywhere_needs_more() {
    let bytes = corpus::read("server-hello/aria2c-1.36.0-gnutls-0.bin");
    let hello = ServerHello::parse(&bytes).unwrap().done().unwrap();
    assert_eq!(hello.version(), ProtocolVersion::TLS_1_3);
    assert_eq!(hello.legacy_version(), ProtocolVersion::TLS_1_2);
    assert_eq!(hello.cipher_suite(), CipherSuite(0x1302));
    for cut in 0..bytes.len() {
        assert!(matches!(ServerHello::parse(&bytes[..cut]), Ok(Progress::NeedMore)), "{cut}");
    }
}

#[test]
fn a_hello_retry_request_is_no_answer_and_has_no_ja3s() {
    let mut bytes = corpus::read("server-hello/aria2c-1.36.0-gnutls-0.bin");
    // SHA-256 of "HelloRetryRequest", RFC 8446 §4.1.3.
    let random = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";
    for (index, byte) in bytes[6..38].iter_mut().enumerate() {
        *byte = u8::from_str_radix(&random[2 * index..2 * index + 2], 16).unwrap();
    }
    let hello = ServerHello::parse(&bytes).unwrap().done().unwrap();
    assert!(hello.is_hello_retry_request());
    assert_eq!(hello.ja3s(), None);
    assert!(hello.ja3s_full().is_none());
}

#[test]
fn a_server_hello_without_extensions_ends_its_ja3s_in_a_comma() {
    let mut bytes = vec![2, 0, 0, 38, 3, 1];
    bytes.extend([7; 32]);
    bytes.extend([0, 0x00, 0x05, 0]);
    let hello = ServerHello::parse(&bytes).unwrap().done().unwrap();
    assert_eq!(hello.ja3s_full().unwrap().to_string(), "769,5,");
}

/// draft-ietf-tls-tls13-21 §4.1.3, and -22, from which on the message has the form of TLS 1.2.
#[test]
fn a_server_hello_of_an_early_draft_has_neither_session_id_nor_compression() {
    let of_draft = |draft: u8, before: &[u8], behind: &[u8]| {
        let rest = [&[7; 32], before, &[0x13, 0x03], behind, &[0, 4, 0, 40, 0, 0]].concat();
        let len = u8::try_from(2 + rest.len()).unwrap();
        [&[2, 0, 0, len, 0x7f, draft][..], &rest].concat()
    };
    for (draft, before, behind) in
        [(18, &[][..], &[][..]), (21, &[], &[]), (22, &[0], &[0]), (28, &[1, 9], &[0])]
    {
        let bytes = of_draft(draft, before, behind);
        let hello = ServerHello::parse(&bytes).unwrap().done().unwrap();
        let version = 0x7f00 + u32::from(draft);
        assert_eq!(hello.ja3s_full().unwrap().to_string(), format!("{version},4867,40"));
        assert_eq!(hello.session_id(), before.get(1..).unwrap_or_default());
    }
}

#[test]
fn the_other_hello_is_refused() {
    let server = corpus::read("server-hello/aria2c-1.36.0-gnutls-0.bin");
    assert_eq!(ClientHello::parse(&server, Carrier::Tcp).unwrap_err(), TlsError::NotClientHello(2));
    let client = message_of_stream(&named("hand-base-tls13").bytes);
    assert_eq!(ServerHello::parse(&client).unwrap_err(), TlsError::NotServerHello(1));
}
