//! The hellos of `pcaps/tls` and what is expected of them.

use huginn_net_core::Progress;
use huginn_net_tls::{Carrier, ClientHello, Ja4Forms, Ja4Options};
use serde_json::Value;

/// One entry of `hello.json`.
pub(crate) struct Vector {
    pub(crate) name: String,
    pub(crate) format: String,
    pub(crate) carrier: Carrier,
    pub(crate) bytes: Vec<u8>,
    pub(crate) entry: Value,
}

impl Vector {
    pub(crate) fn is_stream(&self) -> bool {
        self.format == "tls-records"
    }

    pub(crate) fn is_message(&self) -> bool {
        self.format == "handshake"
    }
}

/// All of them, those of SSL 2.0 too.
pub(crate) fn all() -> Vec<Vector> {
    let vectors: Vec<_> = entries("tls/hello.json")
        .into_iter()
        .map(|entry| {
            let text = |key: &str| entry[key].as_str().unwrap().to_owned();
            let carrier = match text("transport").as_str() {
                "quic" => Carrier::Quic,
                "dtls" => Carrier::Dtls,
                _ => Carrier::Tcp,
            };
            let bytes = read(&text("file"));
            Vector { name: text("name"), format: text("format"), carrier, bytes, entry }
        })
        .collect();
    assert_eq!(vectors.len(), 254);
    vectors
}

/// One of them by its name.
pub(crate) fn named(name: &str) -> Vector {
    all().into_iter().find(|vector| vector.name == name).unwrap()
}

/// The list in a file of the corpus.
pub(crate) fn entries(relative: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(testkit::corpus::path(relative)).unwrap();
    let mut table: Value = serde_json::from_str(&text).unwrap();
    match table["vectors"].take() {
        Value::Array(entries) => entries,
        other => panic!("{relative}: {other}"),
    }
}

/// The bytes of a file that an entry names.
pub(crate) fn read(file: &str) -> Vec<u8> {
    std::fs::read(testkit::corpus::path("tls").join(file)).unwrap()
}

/// Joins the records of a stream that holds one hello, independently of the crate under test.
pub(crate) fn message_of_stream(stream: &[u8]) -> Vec<u8> {
    let mut message = Vec::new();
    let mut rest = stream;
    while let [content, _, _, high, low, behind @ ..] = rest {
        let (body, next) = behind.split_at(usize::from(u16::from_be_bytes([*high, *low])));
        if *content == 22 {
            message.extend_from_slice(body);
        }
        rest = next;
    }
    message
}

/// Builds a message of TLS 1.2, whose random is all sevens.
pub(crate) fn message(session_id: &[u8], cipher_suites: &[u16], extensions: &[(u16, &[u8])]) -> Vec<u8> {
    let two = |length: usize| u16::try_from(length).unwrap().to_be_bytes();
    let mut body = vec![3, 3];
    body.extend([7; 32]);
    body.push(u8::try_from(session_id.len()).unwrap());
    body.extend(session_id);
    body.extend(two(2 * cipher_suites.len()));
    body.extend(cipher_suites.iter().flat_map(|suite| suite.to_be_bytes()));
    body.extend([1, 0]);
    let block: Vec<u8> = extensions
        .iter()
        .flat_map(|(kind, body)| [&kind.to_be_bytes()[..], &two(body.len()), body].concat())
        .collect();
    body.extend(two(block.len()));
    body.extend(block);
    let mut message = vec![1, 0];
    message.extend(two(body.len()));
    message.extend(body);
    message
}

/// Parses a message that must be complete and right.
pub(crate) fn parse(message: &[u8], carrier: Carrier) -> ClientHello<'_> {
    match ClientHello::parse(message, carrier) {
        Ok(Progress::Done(hello)) => hello,
        other => panic!("{other:?}"),
    }
}

/// All forms of a fingerprint under the names that `hello.json` uses.
pub(crate) fn fingerprints(hello: &ClientHello<'_>, options: Ja4Options) -> Value {
    let forms: Ja4Forms<'_> = hello.ja4_forms(options);
    serde_json::json!({
        "ja4": forms.ja4().to_string(),
        "ja4_r": forms.ja4_r().to_string(),
        "ja4_o": forms.ja4_o().to_string(),
        "ja4_ro": forms.ja4_ro().to_string(),
        "ja4_s1": forms.ja4_s1().to_string(),
        "ja4_s1r": forms.ja4_s1r().to_string(),
        "ja3_full": hello.ja3_full().to_string(),
        "ja3": hello.ja3().to_string(),
        "ja3n_full": hello.ja3n_full().to_string(),
        "ja3n": hello.ja3n().to_string(),
    })
}
