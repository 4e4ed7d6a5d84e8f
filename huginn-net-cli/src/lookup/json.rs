//! Answers as JSON, one object per value.

use huginn_net::db::{
    Attribution, ClientLabel, Found, HttpMatch, HttpRecord, KnownRecord, Label, Quality, TcpMatch, TcpRecord,
};
use serde_json::{Map, Value, json};

use super::Answer;
use super::text::known;

pub(super) fn answer(answer: &Answer<'_>) -> String {
    let found: Vec<_> = answer.found.iter().filter_map(found).collect();
    let near: Vec<_> = answer
        .near
        .iter()
        .map(|neighbour| {
            let (label, place) = known(&neighbour.record);
            let differences: Vec<_> = neighbour
                .differences
                .iter()
                .map(|it| json!({ "part": it.part, "here": it.value, "there": it.record }))
                .collect();
            json!({
                "distance": neighbour.distance,
                "label": label,
                "signature": signature(&neighbour.record),
                "place": place,
                "differences": differences,
            })
        })
        .collect();
    let answer = json!({ "value": answer.value, "form": answer.form, "found": found, "near": near });
    format!("{answer}\n")
}

fn found(found: &Found<'_>) -> Option<Value> {
    match found {
        Found::Tls(found) => {
            let records = found.records().map(|it| (&*it.clients, &*it.source, it.line));
            Some(clients(found.key.name(), found.label, records))
        }
        Found::Http2(found) => {
            let records = found.records().map(|it| (&*it.clients, &*it.source, it.line));
            Some(clients(found.key.name(), found.label, records))
        }
        Found::Syn(found) => Some(stack("syn", found)),
        Found::SynAck(found) => Some(stack("syn_ack", found)),
        Found::HttpRequest(found) => Some(head("http_request", found)),
        Found::HttpResponse(found) => Some(head("http_response", found)),
        // The enum is open for kinds to come; every kind this build can find is above.
        _ => None,
    }
}

fn clients<'a>(
    key: &str,
    label: &ClientLabel,
    records: impl Iterator<Item = (&'a [Attribution], &'a str, u32)>,
) -> Value {
    let mut object = Map::new();
    object.insert("key".to_owned(), json!(key));
    object.insert("label".to_owned(), json!(label.to_string()));
    object.insert("name".to_owned(), json!(label.name));
    if !label.version.is_empty() {
        object.insert("version".to_owned(), json!(label.version));
    }
    let client = |Attribution { client, provenance, .. }: &Attribution, source: &str, line: u32| {
        let mut object = Map::new();
        object.insert("kind".to_owned(), json!(client.kind.name()));
        object.insert("name".to_owned(), json!(client.name));
        if !client.version.is_empty() {
            object.insert("version".to_owned(), json!(client.version));
        }
        if !provenance.is_empty() {
            object.insert("evidence".to_owned(), json!(&**provenance));
        }
        object.insert("place".to_owned(), json!(format!("{source}:{line}")));
        Value::Object(object)
    };
    let clients: Vec<_> = records
        .flat_map(|(clients, source, line)| clients.iter().map(move |it| client(it, source, line)))
        .collect();
    object.insert("clients".to_owned(), json!(clients));
    Value::Object(object)
}

fn stack(key: &str, found: &TcpMatch<'_>) -> Value {
    let TcpRecord { label, signature, provenance, source, line, .. } = found.record;
    let mut object = labelled(key, label, found.quality, provenance, (source, *line));
    object.insert("cost".to_owned(), json!(f64::from(found.cost.in_quarters()) / 4.0));
    object.insert("signature".to_owned(), json!(signature.to_string()));
    Value::Object(object)
}

fn head(key: &str, found: &HttpMatch<'_>) -> Value {
    let HttpRecord { label, signature, provenance, source, line, .. } = found.record;
    let mut object = labelled(key, label, found.quality, provenance, (source, *line));
    object.insert("score".to_owned(), json!(f64::from(found.score.in_quarters()) / 4.0));
    object.insert("signature".to_owned(), json!(signature.to_string()));
    Value::Object(object)
}

/// What records with one label have.
fn labelled(
    key: &str,
    label: &Label,
    quality: Quality,
    evidence: &str,
    (source, line): (&str, u32),
) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("key".to_owned(), json!(key));
    object.insert("label".to_owned(), json!(label.to_string()));
    object.insert("name".to_owned(), json!(label.name));
    object.insert("quality".to_owned(), json!(quality.name()));
    object.insert("place".to_owned(), json!(format!("{source}:{line}")));
    if !evidence.is_empty() {
        object.insert("evidence".to_owned(), json!(evidence));
    }
    object
}

fn signature(record: &KnownRecord<'_>) -> String {
    match record {
        KnownRecord::Tls(record) => record.signature.to_string(),
        KnownRecord::Http2(record) => record.signature.akamai().to_string(),
        KnownRecord::Syn(record) | KnownRecord::SynAck(record) => record.signature.to_string(),
        // The enum is open for kinds to come; every kind this build can compare is above.
        _ => String::new(),
    }
}
