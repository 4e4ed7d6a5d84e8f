//! What is written of HTTP.

use huginn_net::http::{
    AcceptLanguage, AkamaiFingerprint, Headers, Http2Fields, RawSignature, RequestHead, ResponseHead,
};
use huginn_net::{Application, HttpClient, HttpServer, HttpStart};

use super::super::kept::Kept;
use super::object::{Key, Object, key, plain, twin_keys};

/// Writes requests and responses. What the signature of a head is made of is most of what is written of it, and stays the
/// same from one head of a program to the next more often than not, so that it is kept.
#[derive(Default)]
pub(super) struct Heads {
    kept: Kept<Vec<u8>>,
    /// What the latest signature is made of.
    made_of: Vec<u8>,
}

impl Heads {
    /// Appends the members of a request.
    pub(super) fn request(&mut self, client: &HttpClient, lines: &mut Vec<u8>) {
        let seen = &client.seen;
        let mut object = Object::at_end_of(lines);
        object.displayed(key!("http.version"), seen.version());
        non_empty(&mut object, twin_keys!("http.request.method"), seen.method());
        non_empty(&mut object, twin_keys!("url.original"), seen.target());
        non_empty(&mut object, twin_keys!("url.domain"), seen.host().as_deref());
        let http1 = seen.http1().map(|head| (head.signature(), head.headers()));
        self.fields(http1, lines, |object| {
            non_empty(object, twin_keys!("user_agent.original"), seen.user_agent().as_deref());
            head(object, http1, seen.http2().map(RequestHead::list));
            if let Some(language) = seen.accept_language().as_ref().and_then(AcceptLanguage::best) {
                object.text(key!("huginn.http.language"), &language.language());
            }
        });
        let mut object = Object::at_end_of(lines);
        if let Some(opening) = seen.fingerprint() {
            fingerprint(&mut object, opening);
        }
        application(&mut object, client.app.as_ref());
        flags(&mut object, client.flags());
    }

    /// Appends the members of a response.
    pub(super) fn response(&mut self, server: &HttpServer, lines: &mut Vec<u8>) {
        let seen = &server.seen;
        let mut object = Object::at_end_of(lines);
        object.displayed(key!("http.version"), seen.version());
        if let Some(status) = seen.status() {
            object.number(key!("http.response.status_code"), status);
        }
        let http1 = seen.http1().map(|head| (head.signature(), head.headers()));
        self.fields(http1, lines, |object| {
            head(object, http1, seen.http2().map(ResponseHead::list));
            non_empty(object, twin_keys!("huginn.http.server"), seen.server().as_deref());
        });
        let mut object = Object::at_end_of(lines);
        application(&mut object, server.app.as_ref());
        flags(&mut object, server.flags());
    }

    /// Appends members that depend on nothing but what the signature is made of, if there is one.
    fn fields(&mut self, http1: Option<Http1<'_>>, lines: &mut Vec<u8>, write: impl FnOnce(&mut Object<'_>)) {
        let Some((Some(signature), _)) = http1 else { return write(&mut Object::at_end_of(lines)) };
        self.made_of.clear();
        signature.append_made_of(&mut self.made_of);
        let written = self.kept.get(&self.made_of, |written| {
            written.clear();
            write(&mut Object::at_end_of(written));
        });
        lines.extend_from_slice(written);
    }
}

/// Appends the members of a start of HTTP/2 that brought no request: those of one of which no head is known.
pub(super) fn start(start: &HttpStart, lines: &mut Vec<u8>) {
    let mut object = Object::at_end_of(lines);
    object.word(key!("http.version"), "2");
    fingerprint(&mut object, &start.seen.fingerprint);
    application(&mut object, start.app.as_ref());
}

/// A head of HTTP/1.
type Http1<'a> = (Option<RawSignature<'a>>, Headers<'a>);

/// Signature and names of the fields, of a head of HTTP/1 or of HTTP/2.
fn head(object: &mut Object<'_>, http1: Option<Http1<'_>>, http2: Option<&Http2Fields>) {
    const NAMES: (Key, Key) = twin_keys!("huginn.http.header_names");
    if let Some((signature, headers)) = http1 {
        if let Some(signature) = signature {
            object.displayed_text(key!("huginn.http.signature"), signature);
        }
        object.bytes_list(NAMES, headers.iter().map(|header| header.name()));
    } else if let Some(fields) = http2 {
        object.bytes_list(NAMES, fields.iter().map(|field| field.name));
    }
}

fn non_empty(object: &mut Object<'_>, keys: (Key, Key), text: Option<&[u8]>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        object.bytes(keys, text);
    }
}

fn fingerprint(object: &mut Object<'_>, opening: &AkamaiFingerprint) {
    object.displayed_text(key!("huginn.http.akamai"), opening.akamai());
    object.displayed(key!("huginn.http.akamai_hash"), opening.akamai_hash());
    object.displayed_text(key!("huginn.http.akamai_n"), opening.akamai_n());
    if let Some(priority) = opening.headers_priority() {
        object.displayed(key!("huginn.http.headers_priority"), priority);
    }
}

fn application(object: &mut Object<'_>, app: Option<&Application>) {
    let Some(app) = app else { return };
    object.bytes(twin_keys!("huginn.app.name"), app.name().as_bytes());
    if !app.flavor().is_empty() {
        object.bytes(twin_keys!("huginn.app.flavor"), app.flavor().as_bytes());
    }
    object.word(key!("huginn.app.quality"), app.quality().name());
    object.number(key!("huginn.app.line"), app.line());
}

fn flags(object: &mut Object<'_>, flags: impl Iterator<Item = &'static str>) {
    let mut flags = flags.peekable();
    if flags.peek().is_some() {
        object.list(key!("huginn.flags"), flags, plain);
    }
}
