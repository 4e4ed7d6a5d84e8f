//! What p0f prints, found out with p0f 3.09b as Debian ships it, and what it does not.

use std::borrow::Cow;

use huginn_net_core::Progress;
use huginn_net_http::{Headers, Http1Request, Http1Response, RawSignature};

use crate::{request, response, with_fields};

fn signature(fields: &str) -> String {
    request(&with_fields(fields)).signature().unwrap().to_string()
}

#[test]
fn values_are_cut_where_p0f_cuts_them() {
    for (field, printed) in [
        ("Accept: a|b", "Accept=[a]"),
        ("X-U: a|b", "X-U=[a|b]"),
        ("ETag: c|d", "ETag=[c]"),
        ("Accept: z]q", "Accept=[z]"),
        ("Accept: z\tq", "Accept=[z]"),
        ("Accept: a\r", "Accept=[a]"),
        ("Accept: \x7fz", "Accept=[\x7fz]"),
        ("Accept:\t\tb", "Accept"),
        ("Accept: ]", "Accept"),
        ("Accept:  b", "Accept=[ b]"),
        ("Accept:b ", "Accept=[b ]"),
        ("Vary: x", "Vary=[x]"),
        ("etag: c", "etag=[c]"),
        ("Via: c", "?Via"),
    ] {
        let seen = signature(&format!("{field}\r\n"));
        assert_eq!(seen.split(':').nth(1), Some(printed), "{field:?}");
    }
    let long = "v".repeat(300);
    assert!(signature(&format!("X: {long}\r\n")).starts_with(&format!("1:X=[{}]:", "v".repeat(200))));
}

#[test]
fn software_is_the_last_that_is_not_empty_and_ends_at_a_bracket_but_not_at_a_bar() {
    for (fields, software) in [
        ("User-Agent: x|y\r\n", "x|y"),
        ("User-Agent: x]y\r\n", "x"),
        ("User-Agent: one\r\nUser-Agent: \r\nUser-Agent: two\r\n", "two"),
        ("User-Agent: a\r\nUser-Agent: \r\n", "a"),
        ("User-Agent: A\r\nUser-Agent: \x01\r\n", ""),
        ("user-agent: a\r\n", ""),
    ] {
        assert_eq!(signature(fields).rsplit(':').next(), Some(software), "{fields:?}");
    }
    let long = format!("User-Agent: {}\r\n", "u".repeat(250));
    assert!(signature(&long).ends_with(&format!(":{}", "u".repeat(200))));
    assert!(!signature(&long).ends_with(&"u".repeat(201)));
}

#[test]
fn optional_fields_of_responses_lose_their_values_and_others_keep_them() {
    let bytes =
        b"HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nEtag: b\r\nVia: 1.1 c\r\nDate: d\r\ncontent-length: 5\r\n\r\n";
    assert_eq!(
        response(bytes).signature().unwrap().to_string(),
        "1:?Set-Cookie,Etag=[b],Via=[1.1 c],Date,content-length=[5]:Content-Type,Connection,Keep-Alive,Accept-Ranges:"
    );
}

#[test]
fn a_signature_that_could_not_be_read_back_says_so() {
    let reads = |fields: &str| request(&with_fields(fields)).signature().unwrap().can_be_read_back();
    assert!(reads("Host: a\r\nAccept: b:c,d]e|f\r\nUser-Agent: x/1\r\nCookie: a|b\r\n"));
    for fields in [
        "User-Agent: rv:1\r\n",
        "User-Agent: a|b\r\n",
        "X: a|b\r\n",
        "X.Y: a\r\n",
        "no colon\r\n",
        &format!("{}: a\r\n", "N".repeat(33)),
        &"A: b\r\n".repeat(33),
    ] {
        assert!(!reads(fields), "{fields:?}");
    }
    assert!(reads(&"A: b\r\n".repeat(32)));
    assert!(reads(&format!("{}: a\r\n", "N".repeat(32))));
}

#[test]
fn values_of_names_in_a_signature_file_end_at_a_bar_too() {
    let bytes = with_fields("Etag: x|y\r\nX: a|b\r\n");
    let signature = request(&bytes).signature().unwrap();
    let seen = signature.with_names(&|name| name == b"Etag").to_string();
    assert!(seen.starts_with("1:Etag=[x],X=[a|b]:"), "{seen}");
    assert!(signature.to_string().starts_with("1:Etag=[x|y],X=[a|b]:"));
}

#[test]
fn names_that_p0f_does_not_read_are_escaped() {
    assert!(signature("X.Y:a\r\n").starts_with("1:X\\x2eY=[a]:"));
}

#[test]
fn the_escaped_form_leaves_nothing_out_of_values() {
    let bytes =
        with_fields("Accept: a]b:c,d|e\\\u{1}\u{e9} f\r\nUser-Agent: x:y\r\nCookie: secret\r\nX: \r\n");
    assert_eq!(
        request(&bytes).signature().unwrap().escaped().to_string(),
        "1:Accept=[a\\x5db\\x3ac\\x2cd\\x7ce\\x5c\\x01\\xc3\\xa9 f],User-Agent,?Cookie,X:Host,Connection,Accept-Encoding,\
         Accept-Language,Accept-Charset,Keep-Alive:x\\x3ay"
    );
    let long = with_fields(&format!("X: {}\r\n", "v".repeat(300)));
    assert!(request(&long).signature().unwrap().escaped().to_string().contains(&"v".repeat(300)));
}

#[test]
fn heads_that_differ_in_a_signature_differ_in_what_it_is_made_of() {
    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: b/1\r\nuser-agent: c\r\n\
        Accept: */*\r\nCookie: d=e\r\nX-Folded: f\r\n\tg\r\nno colon\r\naccept-language: de\r\nReferer: h\r\n\r\n";
    const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\nDate: a\r\nServer: b\r\nserver: c\r\nETag: d\r\n\
        Content-Type: e\r\nX-Folded: f\r\n g\r\nno colon\r\nConnection: close\r\n\r\n";

    fn made_of(signature: Option<RawSignature<'_>>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        signature?.append_made_of(&mut bytes);
        Some(bytes)
    }
    fn written(signature: Option<RawSignature<'_>>) -> Option<String> {
        signature.map(|signature| format!("{signature} {}", signature.escaped()))
    }
    fn names(headers: Headers<'_>) -> Vec<Vec<u8>> {
        headers.iter().map(|header| header.name().to_vec()).collect()
    }

    let (mut same, mut other) = (0, 0);
    let mut count = |is_same| if is_same { same += 1 } else { other += 1 };
    let facts = |head: &Http1Request<'_>| {
        let language = head.accept_language().and_then(|asked| Some(asked.best()?.tag().to_vec()));
        let software = head.user_agent().map(Cow::into_owned);
        (written(head.signature()), names(head.headers()), software, language)
    };
    let original = request(REQUEST);
    for (at, bit) in (0..REQUEST.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut changed = REQUEST.to_vec();
        changed[at] ^= 1 << bit;
        let Ok(Progress::Done(changed)) = Http1Request::parse(&changed) else { continue };
        let is_same = made_of(changed.signature()) == made_of(original.signature());
        count(is_same);
        assert!(!is_same || facts(&changed) == facts(&original), "byte {at}, bit {bit}");
    }
    let facts = |head: &Http1Response<'_>| {
        (written(head.signature()), names(head.headers()), head.server().map(Cow::into_owned))
    };
    let original = response(RESPONSE);
    for (at, bit) in (0..RESPONSE.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut changed = RESPONSE.to_vec();
        changed[at] ^= 1 << bit;
        let Ok(Progress::Done(changed)) = Http1Response::parse(&changed) else { continue };
        let is_same = made_of(changed.signature()) == made_of(original.signature());
        count(is_same);
        assert!(!is_same || facts(&changed) == facts(&original), "byte {at}, bit {bit}");
    }
    assert!(same > 200 && other > 800, "{same} {other}");
}
