//! Signatures that ask for how a head is written.

use huginn_net_core::Progress;
use huginn_net_db::{Channel, Database, DiagnosticCode, HttpMatcher, LeftOut, SignatureFile};
use huginn_net_http::{Http1Quirks, Http1Request, Http1Response};

const FILE: &str = "classes = unix
[x-http:request]
label = g:!:Plain:
sys   = @unix
sig   = 1:Host::
label = g:!:Scanner:
sys   = @unix
sig   = 1:Host:::lf_only,no_space
label = g:!:Folder:
sys   = @unix
sig   = *:Host:::obs_fold
[x-http:response]
label = g:!:Device:
sys   = @unix
sig   = 1:Server::dev/:high_bytes
";

fn database() -> Database {
    Database::parse(FILE, "").unwrap()
}

fn request(bytes: &[u8]) -> Http1Request<'_> {
    match Http1Request::parse(bytes) {
        Ok(Progress::Done(request)) => request,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_signature_with_quirks_matches_heads_that_have_all_of_them() {
    let database = database();
    for (bytes, name) in [
        (&b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"[..], "Plain"),
        (b"GET / HTTP/1.1\nHost:a\n\n", "Scanner"),
        (b"GET / HTTP/1.1\nHost:a\nX:\t\xff\n\n", "Scanner"),
        (b"GET / HTTP/1.1\nHost: a\n\n", "Plain"),
        (b"GET / HTTP/1.1\r\nHost:a\r\n\r\n", "Plain"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", "Folder"),
    ] {
        let found = database.match_request(&request(bytes)).map(|found| found.record.label.name.as_str());
        assert_eq!(found, Some(name), "{}", bytes.escape_ascii());
    }
    for (bytes, is_found) in [
        (&b"HTTP/1.1 200 OK\r\nServer: dev/1\r\nX: \xe9\r\n\r\n"[..], true),
        (b"HTTP/1.1 200 OK\r\nServer: dev/1\r\nX: e\r\n\r\n", false),
    ] {
        let Ok(Progress::Done(response)) = Http1Response::parse(bytes) else { panic!() };
        assert_eq!(database.match_response(&response).is_some(), is_found, "{}", bytes.escape_ascii());
    }
}

#[test]
fn heads_that_differ_in_quirks_alone_are_told_from_each_other_every_time() {
    let mut matcher = HttpMatcher::new(database().into());
    for _ in 0..3 {
        for (bytes, name) in [
            (&b"GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n\r\n"[..], "Plain"),
            (b"GET / HTTP/1.1\nHost:a\nX: 1\n\n", "Scanner"),
        ] {
            let judgment = matcher.judge_request(&request(bytes), Channel::Cleartext);
            assert_eq!(judgment.found.unwrap().record.label.name, name);
        }
    }
}

#[test]
fn a_signature_with_quirks_is_written_as_it_is_read() {
    let (file, findings) = SignatureFile::parse(FILE, "");
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(file.canonical(), FILE);
    let database = database();
    let texts: Vec<_> = database.http_requests().iter().map(|record| record.signature.to_string()).collect();
    assert_eq!(texts, ["1:Host::", "1:Host:::lf_only,no_space", "*:Host:::obs_fold"]);
    let quirks = database.http_responses()[0].signature.quirks;
    assert_eq!(
        (quirks, &*database.http_responses()[0].signature.software),
        (Http1Quirks::HIGH_BYTES, "dev/")
    );
}

#[test]
fn quirks_belong_to_extended_sections_and_are_known() {
    let codes = |section: &str, signature: &str| -> Vec<DiagnosticCode> {
        let text = format!("classes = unix\n[{section}]\nlabel = g:!:A:\nsys = @unix\nsig   = {signature}\n");
        let (_, findings) = SignatureFile::parse(&text, "");
        findings.iter().map(|found| found.code).filter(|code| code.as_str() < "W").collect()
    };
    assert_eq!(codes("x-http:request", "1:Host:::lf_only"), []);
    assert_eq!(codes("http:request", "1:Host:::lf_only"), [DiagnosticCode::Syntax]);
    assert_eq!(codes("x-http:request", "1:Host:::"), [DiagnosticCode::Syntax]);
    assert_eq!(codes("x-http:request", "1:Host:::lf_only,"), [DiagnosticCode::Syntax]);
    assert_eq!(codes("x-http:request", "1:Host:::LF"), [DiagnosticCode::UnknownName]);
    assert_eq!(codes("x-http:request", "1:Host:::lf_only:tab"), [DiagnosticCode::UnknownName]);
}

#[test]
fn p0f_is_given_no_signature_with_quirks() {
    let export = database().to_p0f();
    assert_eq!((export.signatures, export.left_out.get(&LeftOut::HttpQuirks)), (1, Some(&3)));
}

#[test]
fn signatures_that_differ_in_quirks_hide_each_other_only_if_the_hidden_one_has_all_of_them() {
    let hides = |first: &str, second: &str| {
        let label = |name: &str| format!("label = s:!:{name}:\nsys   = @unix\n");
        let text = format!(
            "classes = unix\n[x-http:request]\n{}sig   = {first}\n{}sig   = {second}\n",
            label("A"),
            label("B")
        );
        let codes = SignatureFile::parse(&text, "").1.into_iter().map(|found| found.code);
        codes.into_iter().find(|code| matches!(code, DiagnosticCode::Duplicate | DiagnosticCode::Shadowed))
    };
    let with = |quirks: &str| format!("1:Host,A,B,C::{quirks}");
    assert_eq!(hides(&with(":tab"), &with(":tab")), Some(DiagnosticCode::Duplicate));
    // What contains `xy` contains `x`, and neither tells more.
    let valued = "1:Host,A,B,C=[x]:::nul";
    let narrower = "1:Host,A,B,C=[xy]:::";
    assert_eq!(hides(valued, &format!("{narrower}nul")), Some(DiagnosticCode::Shadowed));
    assert_eq!(hides(valued, &format!("{narrower}tab")), None);
    assert_eq!(hides(&with(":tab"), &with("")), None);
    assert_eq!(hides(&with(":tab"), &with(":nul")), None);
}
