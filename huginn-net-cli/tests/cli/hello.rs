//! `huginn-net hello`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::run::{command, finish, records, records_of, run, run_with_stdin, without_paths};
use crate::tls::FINGERPRINTS;

fn root(relative: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(relative)
}

fn explained(args: &[&str], stdin: &[u8]) -> Value {
    let args = ["hello", "-o", "json"].iter().chain(args);
    let finished = run_with_stdin(args, stdin);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&finished.stdout).unwrap()
}

#[track_caller]
fn refuses(stdin: &[u8], args: &[&str], status: i32, message: &str) {
    let finished = run_with_stdin(["hello", "-"].iter().chain(args), stdin);
    assert_eq!(finished.stderr, format!("huginn-net: {message}\n"));
    assert_eq!((finished.status, finished.stdout.as_str()), (Some(status), ""));
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Fingerprints of every vector, from its bytes as they are.
#[test]
fn every_hello_of_the_corpus_has_the_fingerprints_that_are_expected() {
    let table: Value = serde_json::from_slice(&fs::read(root("pcaps/tls/hello.json")).unwrap()).unwrap();
    let mut count = 0;
    // Each run is a process of its own; every fifth shows all formats.
    for vector in table["vectors"].as_array().unwrap().iter().step_by(5) {
        let file = format!("pcaps/tls/{}", vector["file"].as_str().unwrap());
        let transport = vector["transport"].as_str().unwrap();
        let expected = &vector["expected"];
        if expected.is_null() {
            continue;
        }
        let carrier = if transport == "tls" { "tcp" } else { transport };
        let seen = explained(&[&file, "--carrier", carrier], b"");
        for (key, form) in FINGERPRINTS {
            assert_eq!(seen[key], expected[form], "{file}: {key}");
        }
        let parts: String = seen["huginn.explain"]["a"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| field["text"].as_str().unwrap())
            .collect();
        assert_eq!(parts, expected["ja4"].as_str().unwrap()[..10], "{file}");
        count += 1;
    }
    assert!(count > 40, "{count}");
}

#[test]
fn quic_datagrams_give_their_hello() {
    let table: Value = serde_json::from_slice(&fs::read(root("pcaps/tls/quic.json")).unwrap()).unwrap();
    for name in ["q-chromium-156.0.8078.79-1", "q-aioquic-1.7.2-v2", "hand-two-datagrams"] {
        let vectors = table["vectors"].as_array().unwrap();
        let vector = vectors.iter().find(|vector| vector["name"] == name).unwrap();
        let files = vector["datagrams"].as_array().unwrap().iter();
        let datagrams: Vec<u8> = files
            .flat_map(|file| fs::read(root("pcaps/tls").join(file.as_str().unwrap())).unwrap())
            .collect();
        let seen = explained(&["-"], &datagrams);
        assert_eq!(seen["tls.client.ja4"], vector["expected"]["ja4"], "{name}");
        assert_eq!(seen["huginn.tls.transport"], "quic");
        assert_eq!(seen["huginn.explain"]["from"], "QUIC Initial packets");
    }
}

#[test]
fn dtls_records_give_their_hello() {
    // A record of DTLS 1.2 with the whole message in one fragment.
    let mut message = vec![1, 0, 0, 42, 0xfe, 0xfd];
    message.extend([7; 32]);
    message.extend([0, 0, 0, 2, 0xc0, 0x2f, 1, 0]);
    let (header, body) = message.split_at(4);
    let fragment = [header, &[0, 0, 0, 0, 0], &header[1..], body].concat();
    let mut record = vec![22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0];
    record.extend(u16::try_from(fragment.len()).unwrap().to_be_bytes());
    record.extend(&fragment);
    let seen = explained(&["-"], &record);
    assert_eq!(
        (&seen["huginn.tls.transport"], &seen["huginn.explain"]["from"]),
        (&json!("dtls"), &json!("DTLS records"))
    );
    let bare = explained(&["-"], &message);
    assert_eq!(bare["tls.client.ja4"], seen["tls.client.ja4"]);
    assert_eq!(bare["huginn.explain"]["from"], "a bare handshake message");
}

#[test]
fn hexadecimal_digits_are_the_same_as_bytes() {
    let bytes = fs::read(root("pcaps/tls/hello/curl-8.14.1-http1.1.bin")).unwrap();
    let from_bytes = explained(&["-"], &bytes);
    let spaced = hex(&bytes).as_bytes().chunks(2).collect::<Vec<_>>().join(&b" "[..]);
    assert_eq!(explained(&["-"], &[&spaced[..], b"\n"].concat()), from_bytes);
    assert_eq!(explained(&["--hex", "-"], hex(&bytes).to_uppercase().as_bytes()), from_bytes);
    assert_eq!(from_bytes["huginn.client.name"], "curl, Python or another program with OpenSSL");
    assert_eq!(from_bytes["huginn.client.source"], "ja4");
    assert_eq!(from_bytes.get("huginn.client.version"), None, "two names share it");
}

#[test]
fn arrays_strings_and_dumps_are_the_same_as_bytes() {
    let bytes = fs::read(root("pcaps/tls/hello/curl-8.14.1-http1.1.bin")).unwrap();
    let expected = explained(&["-"], &bytes);
    let listed = bytes.iter().map(|byte| format!("0x{byte:02X}")).collect::<Vec<_>>().join(", ");
    let array = format!("unsigned char a[] = {{\n {listed}\n}};\nunsigned int a_len = {};\n", bytes.len());
    let escaped: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
    let dump: String = (0..)
        .zip(bytes.chunks(16))
        .map(|(row, bytes)| {
            let text =
                bytes.iter().map(|byte| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '.' });
            let digits = bytes.chunks(2).map(hex).collect::<Vec<_>>().join(" ");
            format!("{:08x}: {digits:<39}  {}\n", row * 16, text.collect::<String>())
        })
        .collect();
    for text in [listed, array, format!("\"{escaped}\""), dump] {
        assert_eq!(explained(&["-"], text.as_bytes()), expected, "{text}");
    }
}

#[test]
fn the_help_names_the_forms_of_digits() {
    for args in [&["hello", "--help"][..], &["man", "hello"]] {
        let help = run(args).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for form in ["xxd", "hexdump \\-C", "od \\-A x \\-t x1z", "escaped string"] {
            let plain = form.replace('\\', "");
            assert!(help.contains(form) || help.contains(&plain), "{form}: {help}");
        }
    }
}

/// JSON objects of all answers.
fn all_explained(args: &[&str], stdin: &[u8]) -> Vec<Value> {
    let finished = run_with_stdin(["hello", "-o", "json"].iter().chain(args), stdin);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    records(&finished.stdout)
}

#[test]
fn datagrams_of_one_hello_may_be_in_several_files() {
    let table: Value = serde_json::from_slice(&fs::read(root("pcaps/tls/quic.json")).unwrap()).unwrap();
    let vectors = table["vectors"].as_array().unwrap();
    let vector = vectors.iter().find(|vector| vector["name"] == "hand-two-datagrams").unwrap();
    let files: Vec<_> = vector["datagrams"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| format!("pcaps/tls/{}", file.as_str().unwrap()))
        .collect();
    let [first, second] = files.as_slice() else { panic!("{files:?}") };
    // Afterwards comes the next hello.
    let other = "pcaps/tls/hello/hand-base-tls13.bin";
    let seen = all_explained(&[first, second, other], b"");
    let ja4: Vec<_> = seen.iter().map(|seen| &seen["tls.client.ja4"]).collect();
    assert_eq!(ja4, [&vector["expected"]["ja4"], &json!("t13d040700_e00fd9ffaebd_8b8b673a840a")]);

    // What cannot be the rest of it is a hello of its own.
    let cut = run(["hello", first, other, second]);
    let incomplete = |file| {
        format!(
            "huginn-net: {file}: the hello is not complete; give all datagrams that carry it, in one file or in several\n"
        )
    };
    assert_eq!((cut.status, cut.stderr), (Some(3), incomplete(first) + &incomplete(second)));
    assert!(cut.stdout.starts_with(&format!("{other}\nClientHello of 197 bytes")), "{}", cut.stdout);
    let missing = run(["hello", other, first]);
    assert!(missing.stderr.starts_with(&format!("huginn-net: {first}: the hello is not complete; ")));
    assert_eq!(missing.status, Some(3));
}

#[test]
fn every_hello_of_a_capture_is_explained() {
    let seen = all_explained(&["pcaps/tls/pcap/curl-7.88.1-hrr.pcap"], b"");
    let expected = ["curl-7.88.1-hrr.bin", "curl-7.88.1-hrr__2.bin"]
        .map(|file| explained(&[&format!("pcaps/tls/hello/{file}")], b"")["huginn.tls.ja4_ro"].clone());
    let found: Vec<_> = seen.iter().map(|seen| seen["huginn.tls.ja4_ro"].clone()).collect();
    assert_eq!(found, expected);
    let from = seen[0]["huginn.explain"]["from"].as_str().unwrap();
    assert!(from.starts_with("packet ") && from.contains(" of a capture, "), "{from}");

    assert_eq!(seen[0]["log.file.path"], "pcaps/tls/pcap/curl-7.88.1-hrr.pcap");
    let read = run(["read", "-q", "-o", "json", "pcaps/tls/pcap/curl-7.88.1-hrr.pcap"]).stdout;
    let read = records_of(&read, "huginn.tls.client_hello");
    let places =
        ["@timestamp", "source.ip", "source.port", "destination.ip", "destination.port", "huginn.frame"];
    for (hello, record) in seen.iter().zip(&read) {
        for key in places {
            assert_eq!(hello[key], record[key], "{key}");
        }
    }

    let capture = fs::read(root("pcaps/tls/pcap/curl-7.88.1-hrr.pcap")).unwrap();
    let from_stdin = run_with_stdin(["hello", "-o", "json", "-"], &capture).stdout;
    let from_file = run(["hello", "-o", "json", "pcaps/tls/pcap/curl-7.88.1-hrr.pcap"]).stdout;
    assert_eq!(records(&from_stdin), without_paths(&from_file));
    // The header alone.
    let (header, _) = capture.split_at(24);
    refuses(header, &[], 3, "standard input: no hello in this capture");
}

#[test]
fn answers_go_where_they_are_told_to_and_never_into_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (db, out, hello) = (path("own.fp"), path("out"), path("hello.bin"));
    let signatures = "[x-tls:client]\nlabel = client:Ours:\nsig = ja4=t13d040700_e00fd9ffaebd_8b8b673a840a\n";
    fs::write(&db, signatures).unwrap();
    fs::copy(root("pcaps/tls/hello/hand-base-tls13.bin"), &hello).unwrap();
    fs::write(&out, "a longer file that was there before").unwrap();
    let finished = run(["hello", &hello, "--db", &db, "-o", &format!("json:{out}"), "-o", "text"]);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    assert!(finished.stdout.contains("client    Ours, by ja4"), "{}", finished.stdout);
    assert_eq!(records(&fs::read_to_string(&out).unwrap())[0]["huginn.client.name"], "Ours");

    let bytes = fs::read(&hello).unwrap();
    let matched = ["match", "|00|0|p,m,a,s", "--db", &db];
    let captures = ["read", "pcaps/tls/pcap/curl-7.88.1-hrr.pcap", "--db", &db];
    for command in [&["hello", &hello, "--db", &db][..], &matched, &captures] {
        let refused = run(command.iter().chain(&["-o", &format!("text:{db}")]));
        let message = format!("huginn-net: {db}: is a signature file to be read, not an output\n");
        assert_eq!((refused.status, refused.stderr), (Some(2), message));
    }
    let refused = run(["hello", &hello, "-o", &format!("text:{hello}")]);
    let message = format!("huginn-net: {hello}: is a file to be read, not an output\n");
    assert_eq!((refused.status, refused.stderr), (Some(2), message));
    let twice = run(["hello", &hello, "-o", "text", "-o", "json"]);
    assert_eq!(
        (twice.status, twice.stderr.as_str()),
        (Some(2), "huginn-net: standard output: two outputs cannot go to the same place\n")
    );
    assert_eq!((fs::read_to_string(&db).unwrap().as_str(), fs::read(&hello).unwrap()), (signatures, bytes));
    let list = path("list");
    fs::write(&list, "t13d040700_e00fd9ffaebd_8b8b673a840a\n").unwrap();
    let lines = fs::File::open(&list).unwrap();
    let refused =
        finish(command(["match", "-", "-o", &format!("json:{list}")]).stdin(lines).spawn().unwrap());
    let message = format!("huginn-net: {list}: is a list to be read, not an output\n");
    assert_eq!((refused.status, refused.stderr), (Some(2), message));
    assert_eq!(fs::read_to_string(&list).unwrap(), "t13d040700_e00fd9ffaebd_8b8b673a840a\n");
}

#[test]
fn names_of_users_come_first() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(
        &file,
        "[x-tls:client]\nlabel = client:Ours:3\nsig = ja4=t13d040700_e00fd9ffaebd_8b8b673a840a\n",
    )
    .unwrap();
    let db = file.path().to_str().unwrap();
    let seen = explained(&["--db", db, "pcaps/tls/hello/hand-base-tls13.bin"], b"");
    assert_eq!((&seen["huginn.client.name"], &seen["huginn.client.version"]), (&json!("Ours"), &json!("3")));
    let seen = explained(&["--no-bundled-db", "pcaps/tls/hello/curl-8.14.1-http1.1.bin"], b"");
    assert_eq!(seen.get("huginn.client.name"), None);
}

#[test]
fn names_that_are_not_text_are_kept_exactly() {
    let seen = explained(&["pcaps/tls/hello/hand-sni-nonutf8.bin"], b"");
    let exact = seen["tls.client.server_name_b64"].as_str().unwrap();
    assert!(!exact.is_empty());
    let latin1 = seen["tls.client.server_name"].as_str().unwrap();
    assert!(latin1.chars().all(|c| u32::from(c) < 256) && !latin1.is_ascii(), "{latin1}");
    let text = run(["hello", "pcaps/tls/hello/hand-sni-nonutf8.bin"]).stdout;
    assert!(text.is_ascii(), "bytes of the wire are escaped: {text}");
}

#[test]
fn a_hello_of_ssl_2_has_no_fingerprint() {
    let mut bytes = vec![0x80, 31, 1, 0x03, 0x01, 0, 6, 0, 0, 0, 16];
    bytes.extend([0x00, 0x00, 0x2f, 0x07, 0x00, 0xc0]);
    bytes.extend([7; 16]);
    let seen = explained(&["-"], &bytes);
    assert_eq!(
        seen,
        json!({ "huginn.sslv2_hello": { "version": "0301", "cipher_specs": ["00002f", "0700c0"] } })
    );
}

#[test]
fn what_is_no_hello_is_refused_with_the_reason() {
    refuses(b"", &[], 3, "standard input: empty");
    refuses(
        b"\x17\x03\x03\x00\x05",
        &[],
        3,
        "standard input: not a hello: no TLS or DTLS record, handshake message or QUIC Initial packet begins with 0x17",
    );
    refuses(
        b"\x16\x03\x01\x00\x04\x02\x00\x00\x00",
        &[],
        3,
        "standard input: handshake type 2 is no ClientHello",
    );
    refuses(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", &[], 3, "standard input: the hello is not complete");
    refuses(b"\x01\x00\x01\xfc\x03", &[], 3, "standard input: the hello is not complete");
    refuses(b"16 03 0y", &[], 3, "standard input: line 1, column 8: 'y' is no hexadecimal digit");
    refuses(
        b"\xff\x00\x05",
        &[],
        3,
        "standard input: neither a QUIC Initial packet of a known version nor a hello of SSL 2.0",
    );
    refuses(
        b"\x16\x03",
        &["--hex"],
        3,
        "standard input: line 1, column 1: byte 0x16 is no hexadecimal digit",
    );
    let long = vec![b'1'; (1 << 20) + 1];
    refuses(&long, &[], 3, "standard input: longer than 1 MiB");
    let missing = run(["hello", "none.bin"]);
    assert_eq!(
        (missing.status, missing.stderr.as_str()),
        (Some(4), "huginn-net: none.bin: no such file or directory\n")
    );
}

#[test]
fn a_datagram_without_the_rest_of_its_hello_is_refused() {
    let datagram = fs::read(root("pcaps/tls/quic/q-chromium-156.0.8078.79-1-0.bin")).unwrap();
    let message = "standard input: the hello is not complete; give all datagrams that carry it, in one file or in several";
    refuses(&datagram, &[], 3, message);
}
