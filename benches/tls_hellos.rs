//! What is sent in the benches of TLS: the hellos of the corpus, and more of the clients that sent them.

use std::collections::BTreeSet;

use huginn_net_core::Progress;
use huginn_net_tls::{Carrier, ClientHello, ClientHelloReader, ExtensionType};
use serde_json::Value;
use testkit::corpus;
use testkit::rng::Rng;

/// A handshake message, what carried it, and the JA4 that is expected of it.
pub(crate) struct Hello {
    pub(crate) message: Vec<u8>,
    pub(crate) carrier: Carrier,
    pub(crate) ja4: String,
}

impl Hello {
    pub(crate) fn parse(&self) -> ClientHello<'_> {
        match ClientHello::parse(&self.message, self.carrier) {
            Ok(Progress::Done(hello)) => hello,
            other => panic!("{other:?}"),
        }
    }

    /// The hello of this client's next connection: another random, and extensions in another order as browsers send
    /// them, but `pre_shared_key`, which stays the last.
    fn next(&self, rng: &mut Rng) -> Self {
        let hello = self.parse();
        let mut extensions: Vec<_> = hello.extensions().collect();
        let last = extensions.pop_if(|extension| extension.kind == ExtensionType::PRE_SHARED_KEY);
        rng.shuffle(&mut extensions);
        extensions.extend(last);
        let block: Vec<u8> = extensions
            .iter()
            .flat_map(|extension| {
                let len = (extension.body.len() as u16).to_be_bytes();
                [&extension.kind.0.to_be_bytes()[..], &len, extension.body].concat()
            })
            .collect();
        let mut message = self.message.clone();
        let start = message.len() - block.len();
        message[start..].copy_from_slice(&block);
        message[6..38].fill_with(|| rng.below(256) as u8);
        Self { message, carrier: self.carrier, ja4: self.ja4.clone() }
    }

    /// The message in a record of TLS.
    pub(crate) fn record(&self) -> Vec<u8> {
        let len = u16::try_from(self.message.len()).expect("a hello of one record");
        [&[22, 3, 1], &len.to_be_bytes()[..], &self.message].concat()
    }
}

fn read(file: &Value) -> Vec<u8> {
    let file = file.as_str().expect("the name of a file");
    std::fs::read(corpus::path("tls").join(file)).expect("a file of the corpus")
}

fn entries(table: &str) -> Vec<Value> {
    let table: Value = serde_json::from_slice(&read(&Value::from(table))).expect("a table in JSON");
    table["vectors"].as_array().expect("a list").clone()
}

/// The hellos of the corpus, all different, and the next two connections of each client that was recorded.
pub(crate) fn hellos() -> Vec<Hello> {
    let mut hellos = Vec::new();
    let mut rng = Rng::new(1);
    for entry in entries("hello.json") {
        let carrier = match entry["transport"].as_str() {
            Some("quic") => Carrier::Quic,
            Some("dtls") => Carrier::Dtls,
            _ => Carrier::Tcp,
        };
        let bytes = read(&entry["file"]);
        let message = match entry["format"].as_str() {
            Some("handshake") => bytes,
            Some("tls-records") => {
                let mut reader = ClientHelloReader::new();
                let Ok(Progress::Done(hello)) = reader.push(&bytes) else { panic!("{entry}") };
                hello.message().to_vec()
            }
            _ => continue,
        };
        let ja4 = entry["expected"]["ja4"].as_str().expect("a JA4").to_owned();
        let hello = Hello { message, carrier, ja4 };
        if entry["origin"] == "recorded" {
            hellos.extend([hello.next(&mut rng), hello.next(&mut rng)]);
        }
        hellos.push(hello);
    }
    let mut seen = BTreeSet::new();
    hellos.retain(|hello| seen.insert(hello.message.clone()));
    assert!(hellos.len() >= 400, "{} hellos", hellos.len());
    for hello in &hellos {
        assert_eq!(hello.parse().ja4().as_str(), hello.ja4);
    }
    hellos
}

/// The datagrams of every hello over QUIC in the corpus, all different.
///
/// Nothing of them can be changed as it is in hellos over TCP: they are sealed under keys that come from their own bytes,
/// and cost the same whatever those are.
pub(crate) fn quic_vectors() -> Vec<Vec<Vec<u8>>> {
    let vectors: BTreeSet<Vec<Vec<u8>>> = entries("quic.json")
        .iter()
        .filter(|entry| !entry["expected"].is_null())
        .map(|entry| entry["datagrams"].as_array().expect("a list").iter().map(read).collect())
        .collect();
    assert_eq!(vectors.len(), 29);
    vectors.into_iter().collect()
}

/// A hello in DTLS records of fragments of this many bytes, each in its own datagram.
pub(crate) fn dtls_datagrams(message: &[u8], size: usize) -> Vec<Vec<u8>> {
    let (header, body) = message.split_at(4);
    let fragments = body.chunks(size).enumerate();
    fragments
        .map(|(index, data)| {
            let [_, offset @ ..] = ((index * size) as u32).to_be_bytes();
            let [_, len @ ..] = (data.len() as u32).to_be_bytes();
            let record_len = (12 + data.len() as u16).to_be_bytes();
            let start = [22, 0xfe, 0xff, 0, 0, 0, 0, 0, 0, 0, index as u8];
            [&start, &record_len[..], header, &[0, 0], &offset, &len, data].concat()
        })
        .collect()
}

/// The answer of a server, in a record.
pub(crate) fn answer() -> Vec<u8> {
    let message = read(&Value::from("server-hello/openssl-3.0.19-tls1_1-0.bin"));
    [&[22, 3, 3, 0, message.len() as u8][..], &message].concat()
}
