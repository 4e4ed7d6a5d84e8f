//! The clients of `pcaps/http2`, whole and cut anywhere.

use huginn_net_core::Progress;
use huginn_net_http::{
    AkamaiFingerprint, AkamaiReader, FieldForm, HpackError, Http2Error, Http2Limits, Http2Request,
    Http2Settings,
};
use serde_json::{Value, json};
use testkit::alloc::measure;

use crate::stream::{Vector, named, push_all, vectors};

/// What was seen, under the names that `clients.json` uses and as far as it has them.
fn found(seen: &AkamaiFingerprint, expected: &Value) -> Value {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut found = json!({
        "akamai": seen.akamai().to_string(),
        "akamai_n": seen.akamai_n().to_string(),
        "akamai_md5": seen.akamai_hash().to_string(),
        "akamai_sha256_32": seen.akamai_sha256().to_string()[..32],
        "headers_priority": seen
            .headers_priority()
            .map(|priority| (u8::from(priority.exclusive), priority.dependency, priority.weight)),
        "header_order": seen.request.iter().flat_map(|head| head.names().map(text)).collect::<Vec<_>>(),
    });
    for key in expected.as_object().unwrap().keys() {
        let value = match &key[..] {
            "first_stream" => json!(seen.request.as_ref().map(Http2Request::stream)),
            "frame_types" => json!(seen.frame_types.iter().map(|kind| kind.0).collect::<Vec<_>>()),
            "complete" => json!(seen.is_complete()),
            _ => continue,
        };
        found[key] = value;
    }
    found
}

fn is_expected(vector: &Vector, seen: &AkamaiFingerprint) {
    assert_eq!(found(seen, &vector.expected), vector.expected, "{}", vector.name);
}

#[test]
fn every_client_has_the_fingerprint_that_is_expected() {
    let mut complete = 0;
    for vector in vectors().iter().filter(|vector| vector.is_complete()) {
        let (seen, _) = push_all(vector.reader(), [&vector.bytes[..]]).unwrap().unwrap();
        is_expected(vector, &seen);
        complete += 1;
    }
    assert_eq!(complete, 110);
}

#[test]
fn one_byte_at_a_time_gives_the_same_fingerprint() {
    for vector in vectors().iter().filter(|vector| vector.is_complete()) {
        let (seen, last) = push_all(vector.reader(), vector.bytes.chunks(1)).unwrap().unwrap();
        is_expected(vector, &seen);
        let with_frames_behind =
            ["hand-wu-after-headers", "hand-wu-stream-only", "hand-priority-after-headers"];
        if vector.name.starts_with("hand-") && !with_frames_behind.contains(&&vector.name[..]) {
            assert_eq!(last, vector.bytes.len() - 1, "{}", vector.name);
        }
    }
}

#[test]
fn every_split_in_two_gives_the_same_fingerprint() {
    for vector in vectors().iter().filter(|vector| vector.is_complete() && vector.bytes.len() < 300) {
        let whole = push_all(vector.reader(), [&vector.bytes[..]]).unwrap().unwrap().0;
        for cut in 0..vector.bytes.len() {
            let (head, tail) = vector.bytes.split_at(cut);
            let (seen, _) = push_all(vector.reader(), [head, tail]).unwrap().unwrap();
            assert_eq!(seen, whole, "{} at {cut}", vector.name);
        }
    }
}

#[test]
fn a_stream_cut_before_the_end_of_its_request_needs_more() {
    for vector in vectors().iter().filter(|vector| vector.name.starts_with("hand-")) {
        let Ok(Some((_, last))) = push_all(vector.reader(), vector.bytes.chunks(1)) else { continue };
        for cut in 0..=last {
            let mut reader = vector.reader();
            assert_eq!(reader.push(&vector.bytes[..cut]), Ok(Progress::NeedMore), "{} at {cut}", vector.name);
        }
    }
}

#[test]
fn without_a_request_there_is_only_a_partial_fingerprint() {
    let vector = named("hand-no-headers-yet");
    let mut reader = vector.reader();
    assert_eq!(reader.push(&vector.bytes), Ok(Progress::NeedMore));
    let partial = reader.partial().unwrap();
    assert!(!partial.is_complete());
    assert_eq!(partial.akamai().to_string(), "1:65536;2:0;4:6291456;6:262144|15663105|0|");
}

#[test]
fn nothing_is_partial_before_settings_nor_after_the_fingerprint() {
    let vector = named("hand-minimal");
    let mut reader = vector.reader();
    let (preface, frames) = vector.bytes.split_at(24);
    assert_eq!(reader.push(preface), Ok(Progress::NeedMore));
    assert_eq!(reader.partial(), None);
    assert!(matches!(reader.push(frames), Ok(Progress::Done(_))));
    assert_eq!(reader.partial(), None);
    // There is one fingerprint, whatever follows, and nothing is held any more.
    assert_eq!(reader.push(frames), Ok(Progress::NeedMore));
    assert_eq!(reader.held_bytes(), 0);
}

#[test]
fn a_block_that_cannot_be_decoded_gives_no_fingerprint() {
    let vector = named("hand-bad-hpack");
    let mut reader = vector.reader();
    let error = Http2Error::Hpack(HpackError::IntegerOverflow);
    assert_eq!(reader.push(&vector.bytes), Err(error));
    assert_eq!(reader.push(&[0]), Err(error));
    assert_eq!(reader.partial(), None);
    assert_eq!(error.reason(), "hpack_integer_overflow");
    assert_eq!(error.to_string(), "a header block that cannot be decoded");
    let cause = core::error::Error::source(&error).map(ToString::to_string);
    assert_eq!(cause, Some(HpackError::IntegerOverflow.to_string()));
}

#[test]
fn without_its_preface_a_stream_is_refused_at_the_first_byte_unless_asked_for() {
    let vector = named("hand-no-preface");
    assert_eq!(AkamaiReader::new().push(&vector.bytes), Err(Http2Error::NotPreface { at: 0 }));
    assert_eq!(AkamaiReader::new().push(b"PRI * HTTP/1.1\r\n"), Err(Http2Error::NotPreface { at: 11 }));
    let mut reader = AkamaiReader::new();
    assert_eq!(reader.push(b"PR"), Ok(Progress::NeedMore));
    assert_eq!(reader.push(b"IME"), Err(Http2Error::NotPreface { at: 3 }));
}

#[test]
fn an_upgrade_has_its_settings_twice_and_its_request_elsewhere() {
    let mut upgrades = 0;
    for vector in vectors() {
        let Some(request) = &vector.upgrade else { continue };
        let mut reader = vector.reader();
        assert_eq!(reader.push(&vector.bytes), Ok(Progress::NeedMore), "{}", vector.name);
        let partial = reader.partial().unwrap();
        is_expected(&vector, &partial);

        let request = String::from_utf8(request.clone()).unwrap();
        let offered = request
            .lines()
            .filter_map(|line| line.split_once(": "))
            .find(|(name, _)| name.eq_ignore_ascii_case("http2-settings"))
            .map(|(_, value)| {
                Http2Settings::from_upgrade(value.as_bytes(), &Http2Limits::default()).unwrap()
            });
        assert_eq!(offered, partial.settings, "{}", vector.name);

        // The next request is one of HTTP/2.
        let next = crate::stream::frame(crate::stream::HEADERS, crate::stream::END_HEADERS, 3, &[0x82, 0x84]);
        let Ok(Progress::Done(seen)) = reader.push(&next) else { panic!("{}", vector.name) };
        assert_eq!(seen.akamai().to_string(), format!("{}m,p", partial.akamai()));
        upgrades += 1;
    }
    assert_eq!(upgrades, 2);
}

#[test]
fn the_values_that_events_need_are_kept() {
    let vector = named("chromium-156.0.8078.79");
    let (seen, _) = push_all(vector.reader(), [&vector.bytes[..]]).unwrap().unwrap();
    let request = seen.request.unwrap();
    assert_eq!(request.method(), Some(&b"GET"[..]));
    assert_eq!(request.scheme(), Some(&b"https"[..]));
    assert_eq!(request.path(), Some(&b"/"[..]));
    assert_eq!(request.host(), None);
    let text = |bytes: Option<&[u8]>| String::from_utf8(bytes.unwrap().to_vec()).unwrap();
    assert!(text(request.authority()).starts_with("www.example.test"), "{}", text(request.authority()));
    assert!(text(request.user_agent()).contains("Chrome/156.0.0.0"), "{}", text(request.user_agent()));
    assert_eq!(text(request.list().get("accept-language")), "en-US,en;q=0.9");
}

#[test]
fn all_fields_of_languages_are_one_list() {
    let best = |values: &[&str]| {
        let mut block = vec![0x82, 0x84];
        for value in values {
            block.extend([0x51, u8::try_from(value.len()).unwrap()]);
            block.extend(value.as_bytes());
        }
        let settings = crate::stream::frame(crate::stream::SETTINGS, 0, 0, &[]);
        let headers = crate::stream::frame(crate::stream::HEADERS, crate::stream::END_HEADERS, 1, &block);
        let bytes = crate::stream::client(&[settings, headers]);
        let (seen, _) = push_all(AkamaiReader::new(), [&bytes[..]]).unwrap().unwrap();
        let request = seen.request.unwrap();
        let asked = request.accept_language()?;
        asked.best().map(|range| range.language())
    };
    assert_eq!(best(&["de;q=0.1", "fr;q=0.9"]).as_deref(), Some("fr"));
    assert_eq!(best(&["", "fr"]).as_deref(), Some("fr"));
    assert_eq!(best(&[]), None);
}

#[test]
fn how_a_field_was_written_is_kept() {
    let vector = named("hand-hpack-never-indexed");
    let (seen, _) = push_all(vector.reader(), [&vector.bytes[..]]).unwrap().unwrap();
    let request = seen.request.unwrap();
    let fields: Vec<_> = request.fields().collect();
    assert_eq!(fields[0], (&b":method"[..], FieldForm::Indexed));
    assert_eq!(fields[1], (&b":authority"[..], FieldForm::Incremental));
    assert_eq!(fields[5], (&b"cookie"[..], FieldForm::NeverIndexed));
}

#[test]
fn a_client_that_sends_all_at_once_costs_few_allocations_and_holds_nothing() {
    for vector in vectors().iter().filter(|vector| vector.is_complete()) {
        let (held, allocations) = measure(|| {
            let mut reader = vector.reader();
            assert!(matches!(reader.push(&vector.bytes), Ok(Progress::Done(_))));
            reader.held_bytes()
        });
        assert_eq!((held, allocations.kept_bytes), (0, 0), "{}", vector.name);
        assert!(allocations.count <= 32, "{}: {allocations:?}", vector.name);
    }
}
