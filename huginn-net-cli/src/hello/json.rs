//! A hello as one JSON object, with the keys of `docs/events.md` and those of `docs/fingerprints.md`.

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use huginn_net::db::{ClientMatch, TlsRecord};
use huginn_net::tls::{Carrier, ClientHello, EncryptedHello, ProtocolVersion};
use serde_json::{Map, Value, json};

use super::explain::{Explanation, Item};
use super::input::Origin;

pub(super) fn hello(
    hello: &ClientHello<'_>,
    origin: Origin,
    explanation: &Explanation,
    found: Option<&ClientMatch<'_, TlsRecord>>,
) -> String {
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
    set("tls.client.ja4", json!(hello.ja4().as_str()));
    set("tls.client.ja3", json!(hello.ja3().to_string()));
    if let Some(name) = hello.server_name() {
        let (text, exact) = wire_text(name);
        set("tls.client.server_name", json!(text));
        if let Some(exact) = exact {
            set("tls.client.server_name_b64", json!(exact));
        }
    }
    let transport = match hello.carrier() {
        Carrier::Tcp => "tcp",
        Carrier::Quic => "quic",
        Carrier::Dtls => "dtls",
    };
    set("huginn.tls.transport", json!(transport));
    set("huginn.tls.ja4_r", json!(hello.ja4_r().to_string()));
    set("huginn.tls.ja4_o", json!(hello.ja4_o().as_str()));
    set("huginn.tls.ja4_ro", json!(hello.ja4_ro().to_string()));
    set("huginn.tls.ja4_s1", json!(hello.ja4_s1().as_str()));
    set("huginn.tls.ja4_s1r", json!(hello.ja4_s1r().to_string()));
    set("huginn.tls.ja3_full", json!(hello.ja3_full().to_string()));
    set("huginn.tls.ja3n", json!(hello.ja3n().to_string()));
    let names: Vec<_> = hello.alpn().map(wire_text).collect();
    set("huginn.tls.alpn", json!(names.iter().map(|(text, _)| text).collect::<Vec<_>>()));
    if names.iter().any(|(_, exact)| exact.is_some()) {
        let exact: Vec<_> = hello.alpn().map(base64).collect();
        set("huginn.tls.alpn_b64", json!(exact));
    }
    let versions: Vec<_> = hello.supported_versions().without_grease().map(|it| it.to_string()).collect();
    set("huginn.tls.versions", json!(versions));
    set("huginn.tls.legacy_version", json!(hello.legacy_version().to_string()));
    set("huginn.tls.bytes", json!(hello.message().len()));
    let session = hello.session();
    let mut told = json!({
        "resumption_offered": session.resumption_offered,
        "early_data": session.early_data,
        "ticket": session.ticket,
    });
    if let (Some(padding), Some(told)) = (session.padding, told.as_object_mut()) {
        told.insert("padding".to_owned(), json!(padding));
    }
    set("huginn.tls.session", told);
    if let Some(ech) = hello.encrypted_hello() {
        let ech = match ech {
            EncryptedHello::Outer => "outer",
            EncryptedHello::Inner => "inner",
            EncryptedHello::Other(_) => "other",
        };
        set("huginn.tls.ech", json!(ech));
    }
    set("huginn.tls.malformed", json!(hello.flaws().names().collect::<Vec<_>>()));
    if let Some(found) = found {
        set("huginn.client.name", json!(found.label.name));
        if !found.label.version.is_empty() {
            set("huginn.client.version", json!(found.label.version));
        }
        set("huginn.client.source", json!(found.key.name()));
    }
    set("huginn.explain", explain(hello, origin, explanation));
    format!("{}\n", Value::Object(object))
}

fn explain(hello: &ClientHello<'_>, origin: Origin, explanation: &Explanation) -> Value {
    let fields: Vec<_> = explanation
        .fields
        .iter()
        .map(|field| json!({ "field": field.name, "text": field.text, "reason": field.reason }))
        .collect();
    json!({
        "from": origin.name(),
        "grease": hello.has_grease(),
        "a": fields,
        "b": { "cipher_suites": items(&explanation.cipher_suites) },
        "c": {
            "extensions": items(&explanation.extensions),
            "counted_only": items(&explanation.counted_only),
            "signature_algorithms": items(&explanation.signature_algorithms),
        },
        "left_out_of_s1": items(&explanation.left_out_of_s1),
    })
}

fn items(items: &[Item]) -> Vec<Value> {
    let item = |item: &Item| match item.name {
        Some(name) => json!({ "value": format!("{:04x}", item.number), "name": name }),
        None => json!({ "value": format!("{:04x}", item.number) }),
    };
    items.iter().map(item).collect()
}

/// Text as it is; other bytes as the characters of the same numbers, and exactly in Base64.
fn wire_text(bytes: &[u8]) -> (String, Option<String>) {
    match str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), None),
        Err(_) => (bytes.iter().copied().map(char::from).collect(), Some(base64(bytes))),
    }
}

fn base64(bytes: &[u8]) -> String {
    Base64Display::new(bytes, &STANDARD).to_string()
}

pub(super) fn sslv2(version: ProtocolVersion, cipher_specs: &[u32]) -> String {
    let specs: Vec<_> = cipher_specs.iter().map(|spec| format!("{spec:06x}")).collect();
    let hello = json!({ "version": version.to_string(), "cipher_specs": specs });
    format!("{}\n", json!({ "huginn.sslv2_hello": hello }))
}
