//! A hello as one JSON object, with the keys of `docs/events.md` and those of `docs/fingerprints.md`.

use std::path::Path;

use huginn_net::db::{ClientMatch, TlsRecord};
use huginn_net::tls::{ClientHello, ProtocolVersion};
use serde_json::{Value, json};

use super::explain::{Explanation, Item};
use super::input::Origin;
use crate::output;

/// Where a hello was read: the file, if it is not standard input, and what its bytes were.
type Place<'a> = (Option<&'a Path>, Origin);

pub(super) fn hello(
    place @ (_, origin): Place<'_>,
    hello: &ClientHello<'_>,
    explanation: &Explanation,
    found: Option<&ClientMatch<'_, TlsRecord>>,
) -> Vec<u8> {
    let mut line = at(place);
    output::client_hello(hello, &mut line);
    if let Some(found) = found {
        output::known_client(found.label, found.key, &mut line);
    }
    line.extend_from_slice(b",\"huginn.explain\":");
    line.extend_from_slice(explain(hello, origin, explanation).to_string().as_bytes());
    ended(line)
}

/// Members that tell where a hello was read.
fn at((file, origin): Place<'_>) -> Vec<u8> {
    let mut line = Vec::new();
    let packet = if let Origin::Packet(packet) = &origin { Some(packet) } else { None };
    output::where_read(file, packet, &mut line);
    line
}

/// An object of members, each of which has a comma in front: it begins in place of the first one's.
fn ended(mut line: Vec<u8>) -> Vec<u8> {
    line.extend_from_slice(b"}\n");
    if let Some(first) = line.first_mut() {
        *first = b'{';
    }
    line
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

pub(super) fn sslv2(place: Place<'_>, version: ProtocolVersion, cipher_specs: &[u32]) -> Vec<u8> {
    let specs: Vec<_> = cipher_specs.iter().map(|spec| format!("{spec:06x}")).collect();
    let hello = json!({ "version": version.to_string(), "cipher_specs": specs });
    let mut line = at(place);
    line.extend_from_slice(format!(",\"huginn.sslv2_hello\":{hello}").as_bytes());
    ended(line)
}
