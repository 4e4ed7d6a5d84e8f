//! A hello in words.

use core::borrow::Borrow;

use huginn_net::db::{ClientMatch, TlsRecord};
use huginn_net::tls::{ClientHello, EncryptedHello, ProtocolVersion};

use super::explain::{Explanation, Item, carrier_name, version_name};
use super::input::Origin;
use crate::messages::Printable;
use crate::output::line;

pub(super) fn hello(
    hello: &ClientHello<'_>,
    origin: Origin,
    explanation: &Explanation,
    found: Option<&ClientMatch<'_, TlsRecord>>,
) -> String {
    let mut text = String::new();
    let (carrier, len) = (carrier_name(hello.carrier()), hello.message().len());
    line!(text, "ClientHello of {len} bytes for {carrier}, from {}", origin.name());
    match found {
        Some(found) => line!(text, "client    {}, by {}", Printable(&found.label.to_string()), found.key),
        None => line!(text, "client    unknown"),
    }
    line!(text);
    ja4(&mut text, hello, explanation);
    line!(text);
    forms(&mut text, hello, explanation);
    line!(text);
    facts(&mut text, hello);
    text
}

fn ja4(text: &mut String, hello: &ClientHello<'_>, explanation: &Explanation) {
    let ja4 = hello.ja4();
    let mut parts = ja4.as_str().split('_');
    let (a, b, c) = (parts.next(), parts.next(), parts.next());
    line!(text, "ja4       {ja4}");
    line!(text, "  a       {}", a.unwrap_or_default());
    for field in &explanation.fields {
        line!(text, "          {:<2}  {}", field.text, field.reason);
    }
    let hash = |list: &[Item]| if list.is_empty() { "nothing to hash" } else { "SHA-256 of" };
    line!(
        text,
        "  b       {}  {} the cipher suites, sorted",
        b.unwrap_or_default(),
        hash(&explanation.cipher_suites)
    );
    items(text, &explanation.cipher_suites);
    line!(
        text,
        "  c       {}  {} the extensions, sorted",
        c.unwrap_or_default(),
        hash(&explanation.extensions)
    );
    items(text, &explanation.extensions);
    if !explanation.counted_only.is_empty() {
        line!(text, "          counted in part a only:");
        items(text, &explanation.counted_only);
    }
    if explanation.signature_algorithms.is_empty() {
        line!(text, "          no signature algorithms");
    } else {
        line!(text, "          then the signature algorithms, in their order:");
        items(text, &explanation.signature_algorithms);
    }
}

fn items(text: &mut String, items: &[Item]) {
    for Item { number, name } in items {
        line!(text, "          {number:04x}  {}", name.unwrap_or("no name"));
    }
}

fn forms(text: &mut String, hello: &ClientHello<'_>, explanation: &Explanation) {
    line!(text, "ja4_r     {}", hello.ja4_r());
    line!(text, "ja4_o     {}  in the order of the hello, nothing left out but GREASE", hello.ja4_o());
    line!(text, "ja4_ro    {}", hello.ja4_ro());
    let left_out: Vec<_> =
        explanation.left_out_of_s1.iter().map(|item| item.name.unwrap_or_default()).collect();
    line!(text, "ja4_s1    {}  {} left out", hello.ja4_s1(), listed(&left_out, "nothing"));
    line!(text, "ja4_s1r   {}", hello.ja4_s1r());
    line!(text, "ja3       {}  MD5 of ja3_full", hello.ja3());
    line!(text, "ja3_full  {}", hello.ja3_full());
    line!(text, "ja3n      {}  with the extensions sorted", hello.ja3n());
}

fn facts(text: &mut String, hello: &ClientHello<'_>) {
    let name = hello.server_name().map_or_else(|| "none".to_owned(), |name| name.escape_ascii().to_string());
    line!(text, "server    {name}");
    let alpn: Vec<_> = hello.alpn().map(|name| name.escape_ascii().to_string()).collect();
    line!(text, "alpn      {}", listed(&alpn, "none"));
    let groups: Vec<_> = hello
        .supported_groups()
        .without_grease()
        .map(|group| group.name().map_or_else(|| group.to_string(), str::to_owned))
        .collect();
    line!(text, "groups    {}", listed(&groups, "none"));
    let session = hello.session();
    let mut told = Vec::new();
    if session.resumption_offered {
        told.push("offers to resume".to_owned());
    }
    if session.early_data {
        told.push("early data".to_owned());
    }
    if session.ticket {
        told.push("session_ticket".to_owned());
    }
    if let Some(padding) = session.padding {
        told.push(format!("{padding} bytes of padding"));
    }
    line!(text, "session   {}", listed(&told, "nothing"));
    let ech = match hello.encrypted_hello() {
        None => "not there",
        Some(EncryptedHello::Outer) => "outer hello, or GREASE",
        Some(EncryptedHello::Inner) => "inner hello",
        Some(EncryptedHello::Other(_)) => "of an unknown type",
    };
    line!(text, "ech       {ech}");
    line!(text, "grease    {}", if hello.has_grease() { "yes" } else { "no" });
    let flaws: Vec<_> = hello.flaws().names().collect();
    line!(text, "flaws     {}", listed(&flaws, "none"));
}

/// Words in a row, or the one for none.
fn listed(words: &[impl Borrow<str>], none: &str) -> String {
    if words.is_empty() { none.to_owned() } else { words.join(", ") }
}

pub(super) fn sslv2(version: ProtocolVersion, cipher_specs: &[u32]) -> String {
    let mut text = String::new();
    line!(text, "hello in the format of SSL 2.0, for which no fingerprint is defined");
    line!(text, "version   {}", version_name(version));
    line!(
        text,
        "ciphers   {}",
        cipher_specs.iter().map(|spec| format!("{spec:06x}")).collect::<Vec<_>>().join(", ")
    );
    text
}
