//! What is written of HTTP.

use huginn_net::db::{Assessment, OsCheck};
use huginn_net::http::{
    AcceptLanguage, AkamaiFingerprint, Headers, Http1Version, Http2Fields, Http2Request, Http2Response,
    HttpRequest, HttpResponse, RawSignature,
};
use huginn_net::{Application, Http2Client, HttpClient, HttpServer};

use super::super::kept::Kept;
use super::object::{Key, Object, key, plain, twin_keys};

/// Writes requests and responses.
///
/// Most of what is written of a head of HTTP/1 depends on its fields alone, and a program repeats them from one head to
/// the next more often than not, so that it is kept by them. Where a field changes, such as a cookie, what the signature
/// is made of mostly stays the same, so that what depends on that alone is kept by it.
#[derive(Default)]
pub(super) struct Heads {
    requests: Kept<Written>,
    responses: Kept<Written>,
    by_signature: Kept<Vec<u8>>,
    /// Version and fields of the latest head.
    version_and_fields: Vec<u8>,
    /// What the latest signature is made of.
    made_of: Vec<u8>,
}

/// What depends on version and fields alone.
#[derive(Clone, Default)]
struct Written {
    version: Vec<u8>,
    fields: Vec<u8>,
    /// What the database said of the latest of these heads, if `end` is that.
    judged: Option<Judged>,
    /// What it said and what is unusual, and the end of the line.
    end: Vec<u8>,
}

/// What the database says of a head.
#[derive(Clone, PartialEq, Eq)]
struct Judged {
    app: Option<Application>,
    assessment: Option<Assessment>,
    /// Of a request.
    os_check: Option<OsCheck>,
}

impl Heads {
    /// Appends the members of a request, and ends the line.
    pub(super) fn request(&mut self, client: &HttpClient, lines: &mut Vec<u8>) {
        let HttpClient { seen, app, assessment, os_check, .. } = client;
        let Some(head) = seen.http1() else {
            let mut object = Object::at_end_of(lines);
            object.displayed(key!("http.version"), seen.version());
            asked_for(seen, &mut object);
            request_fields(seen, None, &mut object);
            if let Some(opening) = seen.fingerprint() {
                fingerprint(&mut object, opening);
            }
            return end(app.as_ref(), client.flags(), object);
        };

        set_to_version_and_fields(&mut self.version_and_fields, head.version(), head.headers());
        let written = self.requests.get(&self.version_and_fields, |written| {
            written.set(head.version());
            let signature = head.signature();
            let write = |object: &mut Object<'_>| request_fields(seen, signature, object);
            written_by(signature, &mut self.by_signature, &mut self.made_of, &mut written.fields, write);
        });
        lines.extend_from_slice(&written.version);
        asked_for(seen, &mut Object::at_end_of(lines));
        lines.extend_from_slice(&written.fields);
        let judged = (app, assessment, &Some(*os_check));
        lines.extend_from_slice(written.end(judged, || client.flags()));
    }

    /// Appends the members of a response, and ends the line.
    pub(super) fn response(&mut self, server: &HttpServer, lines: &mut Vec<u8>) {
        let HttpServer { seen, app, assessment, .. } = server;
        let Some(head) = seen.http1() else {
            let mut object = Object::at_end_of(lines);
            object.displayed(key!("http.version"), seen.version());
            answered(seen, &mut object);
            response_fields(seen, None, &mut object);
            return end(app.as_ref(), server.flags(), object);
        };

        set_to_version_and_fields(&mut self.version_and_fields, head.version(), head.headers());
        let written = self.responses.get(&self.version_and_fields, |written| {
            written.set(head.version());
            let signature = head.signature();
            let write = |object: &mut Object<'_>| response_fields(seen, signature, object);
            written_by(signature, &mut self.by_signature, &mut self.made_of, &mut written.fields, write);
        });
        lines.extend_from_slice(&written.version);
        answered(seen, &mut Object::at_end_of(lines));
        lines.extend_from_slice(&written.fields);
        let judged = (app, assessment, &None);
        lines.extend_from_slice(written.end(judged, || server.flags()));
    }
}

fn set_to_version_and_fields(bytes: &mut Vec<u8>, version: Http1Version, fields: Headers<'_>) {
    bytes.clear();
    bytes.push(version.0);
    bytes.extend_from_slice(fields.as_sent());
}

/// Appends what `write` writes, which depends on nothing but what the signature is made of, if there is one.
fn written_by(
    signature: Option<RawSignature<'_>>,
    kept: &mut Kept<Vec<u8>>,
    made_of: &mut Vec<u8>,
    lines: &mut Vec<u8>,
    write: impl FnOnce(&mut Object<'_>),
) {
    let Some(signature) = signature else { return write(&mut Object::at_end_of(lines)) };
    made_of.clear();
    signature.append_made_of(made_of);
    let written = kept.get(made_of, |written| {
        written.clear();
        write(&mut Object::at_end_of(written));
    });
    lines.extend_from_slice(written);
}

impl Written {
    /// Becomes that of another head, of which fields are to be written.
    fn set(&mut self, version: Http1Version) {
        self.version.clear();
        Object::at_end_of(&mut self.version).displayed(key!("http.version"), version);
        self.fields.clear();
        self.judged = None;
    }

    /// What is written of a judgment; `flags` depend on that and on the fields alone.
    fn end<I: Iterator<Item = &'static str>>(
        &mut self,
        (app, assessment, os_check): (&Option<Application>, &Option<Assessment>, &Option<OsCheck>),
        flags: impl FnOnce() -> I,
    ) -> &[u8] {
        let is_known = self.judged.as_ref().is_some_and(|judged| {
            judged.assessment == *assessment && judged.os_check == *os_check && judged.app == *app
        });
        if !is_known {
            self.end.clear();
            end(app.as_ref(), flags(), Object::at_end_of(&mut self.end));
            self.judged = Some(Judged { app: app.clone(), assessment: *assessment, os_check: *os_check });
        }
        &self.end
    }
}

fn asked_for(seen: &HttpRequest, object: &mut Object<'_>) {
    non_empty(object, twin_keys!("http.request.method"), seen.method());
    non_empty(object, twin_keys!("url.original"), seen.target());
    non_empty(object, twin_keys!("url.domain"), seen.host().as_deref());
}

fn answered(seen: &HttpResponse, object: &mut Object<'_>) {
    if let Some(status) = seen.status() {
        object.number(key!("http.response.status_code"), status);
    }
}

fn request_fields(seen: &HttpRequest, signature: Option<RawSignature<'_>>, object: &mut Object<'_>) {
    non_empty(object, twin_keys!("user_agent.original"), seen.user_agent().as_deref());
    head(object, signature, seen.http1().map(|head| head.headers()), seen.http2().map(Http2Request::list));
    if let Some(language) = seen.accept_language().as_ref().and_then(AcceptLanguage::best) {
        object.text(key!("huginn.http.language"), &language.language());
    }
}

fn response_fields(seen: &HttpResponse, signature: Option<RawSignature<'_>>, object: &mut Object<'_>) {
    head(object, signature, seen.http1().map(|head| head.headers()), seen.http2().map(Http2Response::list));
    non_empty(object, twin_keys!("huginn.http.server"), seen.server().as_deref());
}

/// Appends the members of a start of HTTP/2 that brought no request: those of one of which no head is known.
pub(super) fn start(start: &Http2Client, lines: &mut Vec<u8>) {
    let mut object = Object::at_end_of(lines);
    object.word(key!("http.version"), "2");
    fingerprint(&mut object, &start.seen.fingerprint);
    application(&mut object, start.app.as_ref());
}

/// Signature and names of the fields, of a head of HTTP/1 or of HTTP/2.
fn head(
    object: &mut Object<'_>,
    signature: Option<RawSignature<'_>>,
    http1: Option<Headers<'_>>,
    http2: Option<&Http2Fields>,
) {
    const NAMES: (Key, Key) = twin_keys!("huginn.http.header_names");
    if let Some(signature) = signature {
        object.displayed_text(key!("huginn.http.signature"), signature);
    }
    if let Some(headers) = http1 {
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

/// What the database says of a head and what is unusual, and the end of the line.
fn end(app: Option<&Application>, flags: impl Iterator<Item = &'static str>, mut object: Object<'_>) {
    application(&mut object, app);
    let mut flags = flags.peekable();
    if flags.peek().is_some() {
        object.list(key!("huginn.flags"), flags, plain);
    }
    object.end();
}
