//! The sections of clients: grammar, findings with their place, and the way back to text.

#![allow(clippy::unwrap_used, reason = "a test that meets something unexpected has failed")]

use huginn_net_db::{Database, DiagnosticCode, SignatureFile};
use proptest::prelude::*;

const FILE: &str = "\
; a comment
[x-tls:client]
label = client:Agent:2.x: and more
evidence = M: recorded
label=impersonator:curl_cffi:
 sig  =  ja3=20B279993AE2E137E62B9647C6D768FB  ja4=t13d131100_f57a46bbacb6_ab7e3b40a677
sig = ja4_r=t12i020100_1301,1302_002b ja4_o=t12i020100_62ed6f6ca7ad_b9a491fefe05 ja3n=00112233445566778899aabbccddeeff
label = client:Other:
sig = ja4_s1=t12i020100_62ed6f6ca7ad_b9a491fefe05

[x-http2:client]
label = client:Agent:2.x: and more
sig = 01:65536;4:131072|12517377|3:0:0:201,5:1:3:1|m,p,a,s
sig = |00|0|
";

const CANONICAL: &str = "\
; a comment
[x-tls:client]
label = client:Agent:2.x: and more
evidence = M: recorded
label = impersonator:curl_cffi:
sig   = ja4=t13d131100_f57a46bbacb6_ab7e3b40a677 ja3=20b279993ae2e137e62b9647c6d768fb
sig   = ja4_r=t12i020100_1301,1302_002b ja4_o=t12i020100_62ed6f6ca7ad_b9a491fefe05 ja3n=00112233445566778899aabbccddeeff
label = client:Other:
sig   = ja4_s1=t12i020100_62ed6f6ca7ad_b9a491fefe05

[x-http2:client]
label = client:Agent:2.x: and more
sig   = 1:65536;4:131072|12517377|3:0:0:201,5:1:3:1|m,p,a,s
sig   = |00|0|
";

#[test]
fn a_file_comes_back_byte_for_byte_and_in_one_way_of_writing() {
    let (file, findings) = SignatureFile::parse(FILE, "own.fp");
    assert_eq!(file.to_string(), FILE);
    assert_eq!(file.canonical(), CANONICAL);
    let codes: Vec<_> = findings.iter().map(|finding| (finding.code, finding.line, finding.column)).collect();
    assert_eq!(codes, [(DiagnosticCode::NotCanonical, 6, 10), (DiagnosticCode::NotCanonical, 13, 7)]);

    let records = |text: &str| {
        let database = Database::parse(text, "own.fp").unwrap();
        (database.tls_clients().to_vec(), database.http2_clients().to_vec())
    };
    assert_eq!(records(FILE), records(CANONICAL));
    assert!(SignatureFile::parse(CANONICAL, "").1.is_empty());
}

/// Every signature looks at all of its clients: many of both would be quadratic work.
#[test]
fn clients_above_one_signature_are_limited() {
    let parse = |count: usize| {
        let labels = "label = client:A:\n".repeat(count);
        let text = format!("[x-tls:client]\n{labels}sig = ja3=20b279993ae2e137e62b9647c6d768fb\n");
        // The labels above another signature do not count.
        let findings =
            SignatureFile::parse(&format!("{text}{}", text.replace("sig = ja3=2", "sig = ja3=3")), "").1;
        findings.iter().map(|finding| (finding.code, finding.line, finding.column)).collect::<Vec<_>>()
    };
    assert_eq!(parse(64), []);
    let code = DiagnosticCode::OutOfRange;
    assert_eq!(parse(65), [(code, 66, 1), (code, 133, 1)]);
}

#[test]
fn labels_one_below_the_other_are_all_clients_of_the_signatures_below() {
    let database = Database::parse(FILE, "own.fp").unwrap();
    let told: Vec<Vec<_>> = database
        .tls_clients()
        .iter()
        .map(|record| record.clients.iter().map(|it| (it.client.to_string(), &*it.provenance)).collect())
        .collect();
    let both = vec![("Agent 2.x: and more".to_owned(), "M: recorded"), ("curl_cffi".to_owned(), "")];
    assert_eq!(told, [both.clone(), both, vec![("Other".to_owned(), "")]]);
    let lines: Vec<_> = database.tls_clients().iter().map(|record| record.line).collect();
    assert_eq!(lines, [6, 7, 9]);
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let (_, findings) = SignatureFile::parse(text, "own.fp");
    let found: Vec<_> = findings
        .iter()
        .map(|finding| format!("{} {}:{}", finding.code, finding.line, finding.column))
        .collect();
    assert_eq!(found.join(", "), expected, "{text}\n{findings:?}");
}

#[test]
fn mistakes_are_found_where_they_are() {
    let tls = |lines: &str| format!("[x-tls:client]\n{lines}\n");
    let sig = |value: &str| tls(&format!("label = client:A:\nsig = {value}"));
    check(&tls("label = client:A"), "E001 2:17");
    check(&tls("label = program:A:"), "E001 2:9");
    check(&tls("label = client::1"), "E001 2:16");
    check(&tls("label = client:A:"), "W106 2:1");
    check(&tls("label = client:A:\nlabel = client:B:"), "W106 2:1");
    check(&tls("sig = ja3=00112233445566778899aabbccddeeff"), "E003 2:1");
    check(
        &tls("label = client:A:\nsys = Linux\nsig = ja3=00112233445566778899aabbccddeeff"),
        "E003 3:1, W104 3:7",
    );
    check(&tls("evidence = M: x"), "E003 2:1");
    check(&tls("label = client:A:\nsig = ja3=00112233445566778899aabbccddeeff\nevidence = M: x"), "E003 4:1");
    check(&sig(""), "E001 3:7");
    check(&sig("20b279993ae2e137e62b9647c6d768fb"), "E001 3:7");
    check(&sig("ja5=1"), "E006 3:7");
    check(&sig("ja3=1"), "E001 3:11");
    check(&sig("ja3=20b279993ae2e137e62b9647c6d768fb ja3=20b279993ae2e137e62b9647c6d768fb"), "E001 3:44");
    check(&sig("ja4=t13d131100_f57a46bbacb6_ab7e3b40a67"), "E001 3:11");
    check(&sig("ja4_r=t12i020100_1301,13x2_002b"), "E001 3:31");
    check(&sig("ja4_r=t12i020100_1302,1301_002b"), "E001 3:13");
    check(&sig("ja4_r=t12i020100_1301,1302_002b ja4_s1=t12i020100_62ed6f6ca7ad_b9a491fefe05"), "E001 3:39");
    check(&sig("ja4=t12i020100_62ed6f6ca7ad_b9a491fefe05 ja4_r=t12i020100_1301,1302_002b"), "E001 3:48");
    check(
        &sig(
            "ja3=20b279993ae2e137e62b9647c6d768fb\nlabel = client:B:\nsig = ja3=20b279993ae2e137e62b9647c6d768fb",
        ),
        "E008 5:7",
    );
    check(
        &sig(
            "ja3=20b279993ae2e137e62b9647c6d768fb\nlabel = client:a:\nsig = ja3=00112233445566778899aabbccddeeff",
        ),
        "W105 4:16",
    );

    let http2 = |value: &str| format!("[x-http2:client]\nlabel = client:A:\nsig = {value}\n");
    check(&http2("1:1|00|0"), "E001 3:15");
    check(&http2("1:1|00|0|m|x"), "E001 3:17");
    check(&http2("1|00|0|m"), "E001 3:7");
    check(&http2("65536:1|00|0|m"), "E005 3:7");
    check(&http2("1:4294967296|00|0|m"), "E005 3:9");
    check(&http2("1:1|x|0|m"), "E001 3:11");
    check(&http2("1:1|00|3:2:0:1|m"), "E005 3:16");
    check(&http2("1:1|00|3:1:0:257|m"), "E005 3:20");
    check(&http2("1:1|00|0|method"), "E001 3:16");
    check(&http2("1:1|00|0|m\nsig = 1:1|00|0|m"), "E008 4:7");
}

#[test]
fn lists_of_http2_have_a_limit() {
    let file = |count: usize| {
        let settings = vec!["1:1"; count].join(";");
        format!("[x-http2:client]\nlabel = client:A:\nsig = {settings}|00|0|m\n")
    };
    check(&file(128), "");
    check(&file(129), &format!("E005 3:{}", 7 + 128 * 4));
}

proptest! {
    #[test]
    fn any_text_comes_back(
        text in "(\\[x-(tls|http2):client\\]\n|(label|sig|evidence) ?= ?((client|impersonator):)?[a-z:;|, =_0-9]{0,40}\n|sig = (ja3=[0-9a-f]{32}|ja4_r=t12i020100_1301,1302_002b|1:2;3:4\\|5\\|0\\|m,p)\n){0,12}"
    ) {
        let (file, _) = SignatureFile::parse(&text, "test.fp");
        prop_assert_eq!(file.to_string(), &text[..]);
        let canonical = file.canonical();
        prop_assert_eq!(SignatureFile::parse(&canonical, "test.fp").0.canonical(), canonical);
    }
}
