//! A packet, head or hello is compared with a limited number of signatures, whoever wrote the file.
#![cfg(test)]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use huginn_net_db::Database;

/// Signatures of one file that may be alike.
const MOST: usize = 1_024;

/// The errors of a file with so many signatures, after the three lines before them.
fn errors(section: &str, label: &str, count: usize, signature: impl Fn(usize) -> String) -> Vec<String> {
    let mut text = format!("classes = unix\n[{section}]\nlabel = {label}\n");
    for number in 0..count {
        writeln!(text, "sig = {}", signature(number)).unwrap();
    }
    let Err(error) = Database::parse(&text, "my.fp") else { return Vec::new() };
    let errors = error.diagnostics().iter().filter(|finding| finding.is_error());
    errors.map(ToString::to_string).collect()
}

/// One signature more than [`MOST`] gives an error at its line, with this message.
#[track_caller]
fn check(section: &str, label: &str, message: &str, signature: impl Fn(usize) -> String) {
    assert_eq!(errors(section, label, MOST, &signature), [""; 0]);
    assert_eq!(
        errors(section, label, MOST + 1, &signature),
        [format!("my.fp:1028:7: error[E005]: more than 1024 signatures {message}")]
    );
}

const TCP: &str = "differ in nothing but TTL, scale and quirks that a path changes";

#[test]
fn packets_are_not_compared_with_any_number_of_equal_signatures() {
    check("x-tcp:request", "g:unix:A:", TCP, |_| "4:64:0:*:mss*10,*:mss:df:0".to_owned());
}

#[test]
fn packets_are_not_compared_with_any_number_of_signatures_that_differ_little() {
    let quirks = ["", "df", "df,ecn", "ecn", "id-"];
    let unlike = |number: usize| (1 + number % 250, quirks[number / 250]);
    check("tcp:response", "s:unix:A:", TCP, |number| {
        let (ttl, quirks) = unlike(number);
        format!("4:{ttl}:0:1460:{},*:mss:{quirks}:0", 5_001)
    });
    // Windows tell them apart, before any comparison.
    let windows = |number| format!("4:64:0:1460:{},*:mss:df:0", 5_001 + number);
    assert_eq!(errors("tcp:response", "s:unix:A:", 4 * MOST, windows), [""; 0]);
}

#[test]
fn heads_are_not_compared_with_any_number_of_signatures_of_their_headers() {
    let label = "s:unix:A:";
    let host = "require `Host` and nothing rarer";
    check("http:request", label, host, |number| format!("*:Host=[{number}.]::"));
    check("http:response", label, "require no header", |number| format!("*:?Date,?X-{number}::"));
    // A header that few require tells before any comparison.
    let rare = |number| format!("*:Host=[{number}.],X-{}::", number % 4);
    assert_eq!(errors("http:request", label, 4 * MOST, rare), [""; 0]);
}

#[test]
fn hellos_are_not_of_any_number_of_signatures_without_a_ja4() {
    let (label, message) = ("client:A:", "have this JA3 and no JA4");
    let ja4_o = |number| format!("ja4_o=t13d1516h2_{number:012x}_{number:012x}");
    for name in ["ja3", "ja3n"] {
        let ja3 = format!("{name}=00112233445566778899aabbccddeeff");
        check("x-tls:client", label, message, |number| format!("{} {ja3}", ja4_o(number)));
        let sure = |number| format!("ja4=t13d1516h2_8daaf6152771_{number:012x} {ja3}");
        assert_eq!(errors("x-tls:client", label, 4 * MOST, sure), [""; 0]);
    }
    assert_eq!(errors("x-tls:client", label, 4 * MOST, ja4_o), [""; 0]);
}

#[test]
fn each_crowd_of_a_file_is_named_once() {
    let lines: BTreeSet<_> = errors("x-tcp:request", "g:unix:A:", 6 * MOST, |number| {
        format!("4:64:0:*:{},*:mss:df:0", if number % 2 == 0 { "mss*10" } else { "mss*20" })
    })
    .iter()
    .filter_map(|error| Some(error.split(':').nth(1)?.to_owned()))
    .collect();
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), ["2052", "2053"]);
}
