//! What is written of TLS.

use huginn_net::db::{ClientKey, ClientLabel};
use huginn_net::tls::{
    Carrier, ClientHello, ClientHelloSeen, EncryptedHello, Ja3, Ja4, QuicFacts, ServerHelloSeen,
    SessionFacts, Sslv2HelloSeen, TransportParameters, Via, ViaTarget,
};
use huginn_net::{KnownClient, TlsClient};

use super::super::append;
use super::super::kept::Kept;
use super::super::number::{four_hex, number, put_number};
use super::super::room::Room;
use super::object::{Object, key, plain, twin_keys};

/// Writes hellos. What their fingerprints are made of is most of what is written, and few kinds of client send most
/// hellos, so that it is kept.
#[derive(Default)]
pub(super) struct Hellos {
    kept: Kept<Written>,
    kept_sorted: Kept<WrittenSorted>,
    /// What is written of ServerHellos, which are few, by all that it is made of.
    kept_of_servers: Kept<Vec<u8>>,
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
    /// Who sent the latest of these hellos; `None` if nothing has been written of that.
    known: Option<Option<KnownClient>>,
    /// That, and the end of the line.
    end: Vec<u8>,
}

/// What does not depend on the order of extensions either, see [`ClientHello::append_fingerprinted_sorted`].
#[derive(Clone, Default)]
struct WrittenSorted {
    before_ja4_o: Vec<u8>,
    before_ja3_full: Vec<u8>,
    behind_ja3_full: Vec<u8>,
}

impl Hellos {
    /// Appends the members of a ClientHello that was seen, and ends the line.
    pub(super) fn client_hello(&mut self, client: &TlsClient, lines: &mut Vec<u8>) {
        let Self { kept, kept_sorted, fingerprinted, fingerprinted_sorted, .. } = self;
        let seen = &client.seen;
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
        lines.extend_from_slice(written.end(client.known.as_ref()));
    }

    /// Appends the members of a ServerHello.
    pub(super) fn server_hello(&mut self, seen: &ServerHelloSeen, lines: &mut Vec<u8>) {
        let ServerHelloSeen { ja3s_full, version, cipher_suite, after_hrr, .. } = seen;
        let made_of = &mut self.fingerprinted;
        made_of.clear();
        made_of.extend_from_slice(&version.0.to_be_bytes());
        made_of.extend_from_slice(&cipher_suite.0.to_be_bytes());
        made_of.push((*after_hrr).into());
        // JA3S is its hash.
        made_of.extend_from_slice(ja3s_full.as_bytes());
        let written = self.kept_of_servers.get(made_of, |written| {
            written.clear();
            let mut object = Object::at_end_of(written);
            object.displayed(key!("tls.server.ja3s"), seen.ja3s);
            object.word(key!("huginn.tls.ja3s_full"), ja3s_full);
            object.displayed(key!("huginn.tls.version"), version);
            object.displayed(key!("huginn.tls.cipher"), cipher_suite);
            object.boolean(key!("huginn.tls.hrr"), *after_hrr);
        });
        lines.extend_from_slice(written);
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
    /// What is known of who sent it, and the end of the line.
    fn end(&mut self, known: Option<&KnownClient>) -> &[u8] {
        if self.known.as_ref().is_none_or(|latest| latest.as_ref() != known) {
            self.end.clear();
            if let Some(known) = known {
                known_client(&known.label, known.key, &mut self.end);
            }
            Object::at_end_of(&mut self.end).end();
            self.known = Some(known.cloned());
        }
        &self.end
    }

    /// Becomes that of a hello.
    fn set(&mut self, hello: &ClientHello<'_>, ja4: Ja4, sorted: &WrittenSorted) {
        self.known = None;
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
        object.word(key!("huginn.tls.transport"), hello.carrier().name());
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
    // The keys have some 170 bytes and the numbers at most 20 each.
    Room::with::<320>(lines, |room| {
        if let Some(seen) = seen {
            room.put(b",\"huginn.tls.packets\":");
            put_number(seen.packets.into(), room);
        }
        room.put(b",\"huginn.tls.bytes\":");
        put_number(hello.message().len() as u64, room);
        if let Some(seen) = seen {
            room.put(b",\"huginn.tls.hello_index\":");
            put_number(seen.hello_index.into(), room);
            room.put(b",\"huginn.tls.after_hrr\":");
            put_boolean(seen.after_hrr, room);
        }
        session(hello.session(), room);
    });
    let mut object = Object::at_end_of(lines);
    if let Some(facts) = seen.and_then(|seen| seen.quic.as_ref()) {
        quic(&mut object, facts, hello);
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
    object.word(key!("huginn.tls.transport"), Carrier::Tcp.name());
    object.displayed(key!("huginn.tls.legacy_version"), seen.version);
    object.number(key!("huginn.tls.packets"), seen.packets);
    if let Some(before) = &seen.via {
        via(&mut object, before);
    }
}

fn session(session: SessionFacts, room: &mut Room<'_>) {
    room.put(b",\"huginn.tls.session\":{\"resumption_offered\":");
    put_boolean(session.resumption_offered, room);
    room.put(b",\"early_data\":");
    put_boolean(session.early_data, room);
    room.put(b",\"ticket\":");
    put_boolean(session.ticket, room);
    if let Some(padding) = session.padding {
        room.put(b",\"padding\":");
        put_number(padding as u64, room);
    }
    room.put(b"}");
}

fn put_boolean(value: bool, room: &mut Room<'_>) {
    match value {
        true => room.put(b"true"),
        false => room.put(b"false"),
    }
}

fn quic(object: &mut Object<'_>, facts: &QuicFacts, hello: &ClientHello<'_>) {
    let lines = object.member(key!("huginn.tls.quic"));
    // The keys have some 60 bytes and the numbers at most 20 each.
    Room::with::<128>(lines, |room| {
        room.put(b"{\"version\":\"0x");
        for half in facts.version.0.to_be_bytes().as_chunks().0 {
            room.put(&four_hex(u16::from_be_bytes(*half)));
        }
        room.put(b"\",\"dcid_len\":");
        put_number(facts.destination_id_len.into(), room);
        room.put(b",\"token_len\":");
        put_number(facts.token_len as u64, room);
        room.put(b",\"crypto_pieces\":");
        put_number(facts.crypto_pieces.into(), room);
    });
    let mut object = Object::at_end_of(lines);
    if let Ok(Some(parameters)) = TransportParameters::of_hello(hello) {
        object.list(key!("transport_parameters"), parameters.all(), |parameter, lines| {
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
