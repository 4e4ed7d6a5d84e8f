//! Answers in words.

use core::fmt;

use huginn_net::db::{Attribution, ClientLabel, Difference, Found, HttpMatch, KnownRecord, TcpMatch};

use super::Answer;
use crate::messages::Printable;
use crate::output::line;

pub(super) fn answer(answer: &Answer<'_>) -> String {
    let mut text = String::new();
    line!(text, "{}", Printable(answer.value));
    line!(text, "  form  {}", answer.form);
    if answer.found.is_empty() {
        line!(text, "  unknown");
    }
    for found in &answer.found {
        match found {
            Found::Tls(found) => {
                clients(
                    &mut text,
                    found.key,
                    found.label,
                    found.records().map(|it| (&*it.clients, &*it.source, it.line)),
                );
            }
            Found::Http2(found) => {
                clients(
                    &mut text,
                    found.key,
                    found.label,
                    found.records().map(|it| (&*it.clients, &*it.source, it.line)),
                );
            }
            Found::Syn(found) => stack(&mut text, "SYN", found, ""),
            // What was offered excludes some signatures, and the MSS of the SYN is the unit of some windows.
            Found::SynAck(found) => stack(&mut text, "SYN+ACK", found, ", its SYN not known"),
            Found::HttpRequest(found) => head(&mut text, "request", found),
            Found::HttpResponse(found) => head(&mut text, "response", found),
            // The enum is open for kinds to come; every kind this build can find is above.
            _ => {}
        }
    }
    for neighbour in &answer.near {
        let differences: Vec<_> = neighbour.differences.iter().map(|it| difference(it).to_string()).collect();
        let (name, place) = known(&neighbour.record);
        line!(text, "  near  {}  {}  {}", neighbour.distance, Printable(&name), Printable(&place));
        line!(text, "        {}", Printable(&differences.join("; ")));
    }
    text
}

fn clients<'a>(
    text: &mut String,
    key: impl fmt::Display,
    label: &ClientLabel,
    records: impl Iterator<Item = (&'a [Attribution], &'a str, u32)>,
) {
    line!(text, "  {key:<6}  {}", Printable(&label.to_string()));
    for (clients, source, line) in records {
        for Attribution { client, provenance, .. } in clients {
            let evidence = if provenance.is_empty() { String::new() } else { format!("  {provenance}") };
            let told = format!("{client}  {source}:{line}{evidence}");
            line!(text, "          {:<12}  {}", client.kind.name(), Printable(&told));
        }
    }
}

/// `proviso` is what the answer leaves out.
fn stack(text: &mut String, kind: &str, found: &TcpMatch<'_>, proviso: &str) {
    let record = found.record;
    let cost =
        if found.cost.in_quarters() > 0 { format!(" at a cost of {}", found.cost) } else { String::new() };
    let (label, quality) = (record.label.to_string(), found.quality.name());
    line!(text, "  {kind:<7}  {}  {quality}{cost}{proviso}", Printable(&label));
    let evidence =
        if record.provenance.is_empty() { String::new() } else { format!("  {}", record.provenance) };
    let told = format!("{}  {}:{}{evidence}", record.signature, record.source, record.line);
    line!(text, "           {}", Printable(&told));
}

fn head(text: &mut String, kind: &str, found: &HttpMatch<'_>) {
    let record = found.record;
    let (label, quality) = (record.label.to_string(), found.quality.name());
    line!(text, "  {kind:<8}  {}  {quality}  score {}", Printable(&label), found.score);
    let evidence =
        if record.provenance.is_empty() { String::new() } else { format!("  {}", record.provenance) };
    let told = format!("{}  {}:{}{evidence}", record.signature, record.source, record.line);
    line!(text, "            {}", Printable(&told));
}

/// Who it is and where it is written.
pub(super) fn known(record: &KnownRecord<'_>) -> (String, String) {
    let (label, source, line) = match record {
        KnownRecord::Tls(record) => (record.label().to_string(), &record.source, record.line),
        KnownRecord::Http2(record) => (record.label().to_string(), &record.source, record.line),
        KnownRecord::Syn(record) => (format!("{} (SYN)", record.label), &record.source, record.line),
        KnownRecord::SynAck(record) => (format!("{} (SYN+ACK)", record.label), &record.source, record.line),
        // The enum is open for kinds to come; every kind this build can compare is above.
        _ => return Default::default(),
    };
    (label, format!("{source}:{line}"))
}

/// `alpn h2, there h1`, or what only one side has.
fn difference(difference: &Difference) -> impl fmt::Display {
    let Difference { part, value, record, .. } = difference;
    let nothing = |text: &str| if text.is_empty() { "nothing".to_owned() } else { text.to_owned() };
    format!("{part}: here {}, there {}", nothing(value), nothing(record))
}
