//! What is written of TLS.

use huginn_net::db::{ClientKey, ClientLabel};
use huginn_net::tls::{
    Carrier, ClientHello, ClientHelloSeen, EncryptedHello, Ja3, Ja4, QuicFacts, ServerHelloSeen,
    SessionFacts, Sslv2HelloSeen, Via, ViaTarget,
};

use super::super::append;
use super::super::kept::Kept;
use super::super::number::number;
use super::object::{Object, key, plain, twin_keys};

/// Writes hellos. What their fingerprints are made of is most of what is written, and few kinds of client send most
/// hellos, so that it is kept.
#[derive(Default)]
pub(super) struct Hellos {
    kept: Kept<Written>,
    kept_sorted: Kept<WrittenSorted>,
    /// What the fingerprints of the latest hello are made of.
    fingerprinted: Vec<u8>,
    fingerprinted_sorted: Vec<u8>,
}

/// What depends on that alone, see [`ClientHello::append_fingerprinted`].
#[derive(Clone, Default)]
struct Written {
    before_name: Vec<u8>,
    behind_name: Vec<u8>,
    ja3_full: Vec<u8>,
}

/// What does not depend on the order of extensions either, see [`ClientHello::append_fingerprinted_sorted`].
#[derive(Clone, Default)]
struct WrittenSorted {
    before_ja4_o: Vec<u8>,
    before_ja3_full: Vec<u8>,
    behind_ja3_full: Vec<u8>,
}

impl Hellos {
    /// Appends the members of a ClientHello that was seen.
    pub(super) fn write(&mut self, seen: &ClientHelloSeen, lines: &mut Vec<u8>) {
        let Self { kept, kept_sorted, fingerprinted, fingerprinted_sorted } = self;
        let hello = seen.hello.parsed();
        fingerprinted.clear();
        hello.append_fingerprinted(fingerprinted);
        let written = kept.get(fingerprinted, |written| {
            fingerprinted_sorted.clear();
            hello.append_fingerprinted_sorted(fingerprinted_sorted);
            let sorted = kept_sorted.get(fingerprinted_sorted, |sorted| sorted.set(&hello));
            written.set(&hello, seen.hello.ja4(), sorted);
        });
        lines.extend_from_slice(&written.before_name);
        server_name(&hello, lines);
        lines.extend_from_slice(&written.behind_name);
        delivery(&hello, Some(seen), lines);
    }
}

/// Appends the members of a ClientHello but for how it was delivered.
pub(crate) fn client_hello(hello: &ClientHello<'_>, lines: &mut Vec<u8>) {
    let (mut written, mut sorted) = (Written::default(), WrittenSorted::default());
    sorted.set(hello);
    written.set(hello, hello.ja4(), &sorted);
    lines.extend_from_slice(&written.before_name);
    server_name(hello, lines);
    lines.extend_from_slice(&written.behind_name);
    delivery(hello, None, lines);
}

impl Written {
    /// Becomes that of a hello.
    fn set(&mut self, hello: &ClientHello<'_>, ja4: Ja4, sorted: &WrittenSorted) {
        self.ja3_full.clear();
        hello.ja3_full().append_to(&mut self.ja3_full);

        self.before_name.clear();
        let mut object = Object::at_end_of(&mut self.before_name);
        object.word(key!("tls.client.ja4"), ja4.as_str());
        object.displayed(key!("tls.client.ja3"), Ja3::of_full(&self.ja3_full));

        self.behind_name.clear();
        let mut object = Object::at_end_of(&mut self.behind_name);
        object.members(&sorted.before_ja4_o);
        object.word(key!("huginn.tls.ja4_o"), hello.ja4_o().as_str());
        object.appended(key!("huginn.tls.ja4_ro"), |lines| hello.ja4_ro().append_to(lines));
        object.members(&sorted.before_ja3_full);
        object.appended(key!("huginn.tls.ja3_full"), |lines| lines.extend_from_slice(&self.ja3_full));
        object.members(&sorted.behind_ja3_full);
    }
}

impl WrittenSorted {
    /// Becomes that of a hello.
    fn set(&mut self, hello: &ClientHello<'_>) {
        self.before_ja4_o.clear();
        let mut object = Object::at_end_of(&mut self.before_ja4_o);
        object.word(key!("huginn.tls.transport"), transport(hello.carrier()));
        object.appended(key!("huginn.tls.ja4_r"), |lines| hello.ja4_r().append_to(lines));

        self.before_ja3_full.clear();
        let mut object = Object::at_end_of(&mut self.before_ja3_full);
        object.word(key!("huginn.tls.ja4_s1"), hello.ja4_s1().as_str());
        object.appended(key!("huginn.tls.ja4_s1r"), |lines| hello.ja4_s1r().append_to(lines));

        self.behind_ja3_full.clear();
        let mut object = Object::at_end_of(&mut self.behind_ja3_full);
        object.displayed(key!("huginn.tls.ja3n"), hello.ja3n());
        object.bytes_list(twin_keys!("huginn.tls.alpn"), hello.alpn());
        object.list(
            key!("huginn.tls.versions"),
            hello.supported_versions().without_grease(),
            |version, lines| append(lines, format_args!("\"{version}\"")),
        );
        object.displayed(key!("huginn.tls.legacy_version"), hello.legacy_version());
    }
}

fn server_name(hello: &ClientHello<'_>, lines: &mut Vec<u8>) {
    if let Some(name) = hello.server_name().filter(|name| !name.is_empty()) {
        Object::at_end_of(lines).bytes(twin_keys!("tls.client.server_name"), name);
    }
}

/// What may change from one hello of a client to the next; how it was delivered only if it was `seen` in packets.
fn delivery(hello: &ClientHello<'_>, seen: Option<&ClientHelloSeen>, lines: &mut Vec<u8>) {
    let mut object = Object::at_end_of(lines);
    if let Some(seen) = seen {
        object.number(key!("huginn.tls.packets"), seen.packets);
    }
    object.number(key!("huginn.tls.bytes"), hello.message().len() as u64);
    if let Some(seen) = seen {
        object.number(key!("huginn.tls.hello_index"), seen.hello_index);
        object.boolean(key!("huginn.tls.after_hrr"), seen.after_hrr);
    }
    session(&mut object, hello.session());
    if let Some((seen, facts)) = seen.and_then(|seen| Some((seen, seen.quic.as_ref()?))) {
        quic(&mut object, facts, seen);
    }
    if let Some(encrypted) = hello.encrypted_hello() {
        object.word(
            key!("huginn.tls.ech"),
            match encrypted {
                EncryptedHello::Outer => "outer",
                EncryptedHello::Inner => "inner",
                EncryptedHello::Other(_) => "other",
            },
        );
    }
    if let Some(before) = seen.and_then(|seen| seen.via.as_ref()) {
        via(&mut object, before);
    }
    object.list(key!("huginn.tls.malformed"), hello.flaws().names(), plain);
}

/// Appends the members that say who sends such a hello, and by which fingerprint that is known.
pub(crate) fn known_client(label: &ClientLabel, found_by: ClientKey, lines: &mut Vec<u8>) {
    let mut object = Object::at_end_of(lines);
    object.text(key!("huginn.client.name"), &label.name);
    if !label.version.is_empty() {
        object.text(key!("huginn.client.version"), &label.version);
    }
    object.word(key!("huginn.client.source"), found_by.name());
}

/// Appends the members of a hello in the format of SSL 2.0, of which most is not known.
pub(super) fn sslv2_hello(seen: &Sslv2HelloSeen, lines: &mut Vec<u8>) {
    let mut object = Object::at_end_of(lines);
    object.word(key!("huginn.tls.transport"), transport(Carrier::Tcp));
    object.displayed(key!("huginn.tls.legacy_version"), seen.version);
    object.number(key!("huginn.tls.packets"), seen.packets);
    if let Some(before) = &seen.via {
        via(&mut object, before);
    }
}

/// Appends the members of a ServerHello.
pub(super) fn server_hello(seen: &ServerHelloSeen, lines: &mut Vec<u8>) {
    let mut object = Object::at_end_of(lines);
    object.displayed(key!("tls.server.ja3s"), seen.ja3s);
    object.word(key!("huginn.tls.ja3s_full"), &seen.ja3s_full);
    object.displayed(key!("huginn.tls.version"), seen.version);
    object.displayed(key!("huginn.tls.cipher"), seen.cipher_suite);
    object.boolean(key!("huginn.tls.hrr"), seen.after_hrr);
}

fn transport(carrier: Carrier) -> &'static str {
    match carrier {
        Carrier::Tcp => "tcp",
        Carrier::Quic => "quic",
        Carrier::Dtls => "dtls",
    }
}

fn session(object: &mut Object<'_>, session: SessionFacts) {
    let lines = object.member(key!("huginn.tls.session"));
    lines.push(b'{');
    lines.extend_from_slice(if session.resumption_offered {
        b"\"resumption_offered\":true"
    } else {
        b"\"resumption_offered\":false"
    });
    let mut object = Object::at_end_of(lines);
    object.boolean(key!("early_data"), session.early_data);
    object.boolean(key!("ticket"), session.ticket);
    if let Some(padding) = session.padding {
        object.number(key!("padding"), padding as u64);
    }
    object.members(b"}");
}

fn quic(object: &mut Object<'_>, facts: &QuicFacts, seen: &ClientHelloSeen) {
    let lines = object.member(key!("huginn.tls.quic"));
    append(lines, format_args!("{{\"version\":\"{}\"", facts.version));
    let mut object = Object::at_end_of(lines);
    object.number(key!("dcid_len"), facts.destination_id_len);
    object.number(key!("token_len"), facts.token_len as u64);
    object.number(key!("crypto_pieces"), facts.crypto_pieces);
    if let Some(parameters) = seen.hello.transport_parameters() {
        object.list(key!("transport_parameters"), parameters.iter(), |parameter, lines| {
            number(parameter.id.0, lines);
        });
    }
    object.members(b"}");
}

fn via(object: &mut Object<'_>, via: &Via) {
    let lines = object.member(key!("huginn.tls.via"));
    lines.extend_from_slice(b"{\"kind\":");
    plain(via.kind.name(), lines);
    let mut object = Object::at_end_of(lines);
    if let Some(source) = via.source {
        object.displayed(key!("src"), source);
    }
    match &via.destination {
        None => {}
        Some(ViaTarget::Name { host, port }) => {
            let mut target = host.to_vec();
            if let Some(port) = port {
                append(&mut target, format_args!(":{port}"));
            }
            object.bytes(twin_keys!("dst"), &target);
        }
        Some(address) => object.displayed(key!("dst"), address),
    }
    object.members(b"}");
}
