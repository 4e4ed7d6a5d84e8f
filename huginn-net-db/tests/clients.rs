//! Known clients: the bundled ones, and those of users.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that meets something unexpected has failed"
)]

use std::fs;

use huginn_net_db::{Attribution, ClientKey, ClientKind, Database, Fingerprint, Found};
use huginn_net_tls::{Carrier, ClientHello, ClientHelloReader, Ja4Lists};
use serde_json::Value;
use testkit::alloc::{Allocations, measure};

fn table(relative: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(testkit::corpus::path(relative)).unwrap()).unwrap()
}

fn known() -> Vec<Value> {
    let entries = table("tls/known.json").as_array().unwrap().clone();
    assert_eq!(entries.len(), 154);
    entries
}

fn hellos() -> Vec<Value> {
    table("tls/hello.json")["vectors"].as_array().unwrap().clone()
}

fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap()
}

/// The clients of a label such as `git (Debian 13, x; y); gnutls-cli 3.7.9`; one that is cut off with `…` is left out.
fn clients_of(label: &str) -> Vec<String> {
    let mut clients = vec![String::new()];
    let mut depth = 0;
    for c in label.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ';' if depth == 0 => {
                clients.push(String::new());
                continue;
            }
            _ => {}
        }
        clients.last_mut().unwrap().push(c);
    }
    let mut clients: Vec<_> = clients.iter().map(|client| client.trim().to_owned()).collect();
    clients.retain(|client| !client.contains('…'));
    assert!(!clients.is_empty(), "{label}");
    clients
}

/// Whether the evidence speaks of a recording: has all its words.
fn tells_of(attribution: &Attribution, recording: &str) -> bool {
    let separators = |c: char| c == ' ' || c == ',' || c == ';';
    let told: Vec<_> = attribution.provenance.split(separators).collect();
    recording.split(separators).all(|word| told.contains(&word))
}

#[test]
fn every_known_ja4_looks_up_to_all_its_clients() {
    let database = Database::bundled();
    let entries = known();
    let mut count = 0;
    for entry in entries.iter().filter(|entry| entry["kind"] == "ja4") {
        let value = text(entry, "value");
        let found = database.match_ja4(value.parse().unwrap()).unwrap_or_else(|| panic!("{value}"));
        assert_eq!(found.key, ClientKey::Ja4);
        let clients: Vec<_> = found.records().flat_map(|record| record.clients.iter()).collect();
        for recording in clients_of(text(entry, "label")) {
            let told = clients.iter().find(|client| tells_of(client, &recording));
            let client = &told.unwrap_or_else(|| panic!("{value}: {recording}: {clients:?}")).client;
            assert!(
                recording.to_lowercase().contains(&client.name.to_lowercase()),
                "{recording} is {client}"
            );
            let impersonates = recording.contains("impersonate=") && !recording.ends_with("=none")
                || recording.contains("client_identifier=");
            assert_eq!(client.kind == ClientKind::Impersonator, impersonates, "{recording}");
        }

        let stable = text(entry, "ja4_s1").parse().unwrap();
        let by_stable = database.match_ja4_s1(stable).unwrap_or_else(|| panic!("{value}: {stable}"));
        assert!(
            by_stable.records().any(|record| record.signature.ja4().is_some_and(|ja4| ja4.as_str() == value))
        );
        if let Some(ja3) = entry["ja3"].as_str() {
            let by_ja3 = database.match_ja3(ja3.parse().unwrap()).unwrap_or_else(|| panic!("{value}: {ja3}"));
            assert!(
                by_ja3
                    .records()
                    .any(|record| record.signature.ja4().is_some_and(|ja4| ja4.as_str() == value))
            );
        }
        count += 1;
    }
    assert_eq!(count, 126);
}

#[test]
fn every_known_start_of_http2_looks_up_to_all_its_clients() {
    let entries = known();
    let mut count = 0;
    for entry in entries.iter().filter(|entry| entry["kind"] == "akamai") {
        let value = text(entry, "value");
        for written in [value, text(entry, "md5")] {
            let value = Fingerprint::parse(written).unwrap();
            let found = Database::bundled().match_fingerprint(&value);
            let [Found::Http2(found)] = found.as_slice() else { panic!("{written}: {found:?}") };
            let clients: Vec<_> = found.records().flat_map(|record| record.clients.iter()).collect();
            for recording in entry["labels"].as_array().unwrap() {
                let recording = recording.as_str().unwrap();
                assert!(clients.iter().any(|client| tells_of(client, recording)), "{written}: {recording}");
            }
        }
        count += 1;
    }
    assert_eq!(count, 28);
}

/// Every hello of a known client, complete or in records, as it was recorded.
#[test]
fn recorded_hellos_are_matched_by_their_bytes() {
    let known: Vec<String> = known().iter().map(|entry| text(entry, "value").to_owned()).collect();
    let mut count = 0;
    for entry in hellos() {
        let Some(ja4) =
            entry["expected"]["ja4"].as_str().filter(|ja4| known.iter().any(|known| known == ja4))
        else {
            continue;
        };
        if entry["format"] != "tls-records" {
            continue;
        }
        let bytes = fs::read(testkit::corpus::path("tls").join(text(&entry, "file"))).unwrap();
        let mut reader = ClientHelloReader::new();
        let hello = reader.push(&bytes).unwrap().done().unwrap();
        let found = Database::bundled().match_hello(&hello).unwrap();
        assert_eq!((found.key, hello.ja4().as_str()), (ClientKey::Ja4, ja4));
        count += 1;
    }
    assert!(count > 100, "{count}");
}

/// The lists in the table are those of the recordings.
#[test]
fn lists_of_the_table_are_those_of_the_hellos() {
    let mut count = 0;
    for entry in hellos() {
        let Some(raw) = entry["expected"]["ja4_r"].as_str() else { continue };
        let Ok(lists) = Ja4Lists::parse(raw) else { panic!("{raw}") };
        let Some(found) = Database::bundled().match_ja4(lists.ja4()) else { continue };
        let record = found.records().next().unwrap();
        assert_eq!(record.signature.lists(), Some(&lists));
        count += 1;
    }
    assert!(count > 100, "{count}");
}

/// The releases that stand alone in the version of a client: neither the ends of a range nor versions of TLS.
fn lone_releases(version: &str) -> Vec<&str> {
    let is_release =
        |word: &str| word.split('.').all(|part| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit()));
    let words: Vec<_> = version.split([' ', ',']).collect();
    let is_lone = |at: usize| {
        let before = at.checked_sub(1).map_or("", |at| words[at]);
        let after = |by: usize| words.get(at + by).copied().unwrap_or_default();
        let is_end = ["before", "after", "to"].contains(&before)
            || after(1) == "to"
            || (after(1), after(2)) == ("or", "newer");
        let is_of_tls = before == "TLS" && ["1.2", "1.3"].contains(&words[at]);
        is_release(words[at]) && !is_end && !is_of_tls
    };
    (0..words.len()).filter(|&at| is_lone(at)).map(|at| words[at]).collect()
}

#[test]
fn a_release_stands_alone_unless_it_is_the_end_of_a_range() {
    for (version, lone) in [
        ("156", &["156"][..]),
        ("1.3", &["1.3"]),
        ("ssl 3.9", &["3.9"]),
        ("3.9 or 3.10", &["3.9", "3.10"]),
        ("119 or 120 to 131", &["119"]),
        ("with OpenSSL 1.2", &["1.2"]),
        ("with TLS 1.4", &["1.4"]),
        ("17 to 24", &[]),
        ("3.10 or newer ssl", &[]),
        ("before 7.88.1 with OpenSSL", &[]),
        ("after 0.7.6 with TLS 1.2 at most", &[]),
        ("", &[]),
    ] {
        assert_eq!(lone_releases(version), lone, "{version}");
    }
}

/// Other releases send the same hello, so one release is named as the end of a range, or where those before and behind it are
/// known to send another.
#[test]
fn no_client_is_named_by_the_release_that_was_recorded() {
    let database = Database::bundled();
    let tls = database.tls_clients().iter().flat_map(|record| record.clients.iter());
    let http2 = database.http2_clients().iter().flat_map(|record| record.clients.iter());
    let clients: Vec<_> = tls.chain(http2).map(|known| &known.client).collect();
    let is_known_between = |name: &str, release: &str| {
        let Ok(release) = release.parse::<u32>() else { return false };
        let any = |is: &dyn Fn(&str) -> bool| clients.iter().any(|one| one.name == name && is(&one.version));
        any(&|version| version.ends_with(&format!(" to {}", release - 1)))
            && any(&|version| version.starts_with(&format!("{} ", release + 1)))
    };
    for client in &clients {
        for release in lone_releases(&client.version) {
            assert!(is_known_between(&client.name, release), "{client}");
        }
    }
}

const GO: &str = "t13d131100_f57a46bbacb6_ab7e3b40a677";

fn with_user_file(text: &str) -> Database {
    let mut database = Database::parse(text, "own.fp").unwrap();
    database.append(Database::bundled());
    database
}

#[test]
fn a_users_file_overrides_what_it_knows_and_leaves_the_rest() {
    let other = "t12i010100_62ed6f6ca7ad_b9a491fefe05";
    let database = with_user_file(&format!(
        "[x-tls:client]\nlabel = client:Our agent:2\nsig = ja4={GO}\nsig = ja4={other}\n"
    ));
    let label = |ja4: &str| database.match_ja4(ja4.parse().unwrap()).map(|found| found.label.to_string());
    assert_eq!(label(GO).as_deref(), Some("Our agent 2"));
    assert_eq!(label(other).as_deref(), Some("Our agent 2"));
    let go_h2 = "t13d1312h2_f57a46bbacb6_ab7e3b40a677";
    assert_eq!(label(go_h2).as_deref(), Some("Go 1.25 or newer"));
    assert_eq!(label("t12i010100_62ed6f6ca7ad_000000000000"), None);
}

#[test]
fn records_of_one_file_with_the_same_key_are_all_named() {
    let database = with_user_file(&format!(
        "[x-tls:client]\nlabel = client:One:1\nlabel = client:Two:\nsig = ja4={GO}\n\
         label = impersonator:Three:3\nsig = ja4={GO} ja3=20b279993ae2e137e62b9647c6d768fb\n"
    ));
    let found = database.match_ja4(GO.parse().unwrap()).unwrap();
    assert_eq!(found.records().map(|record| record.line).collect::<Vec<_>>(), [4, 6]);
    assert_eq!(found.label.to_string(), "One 1 or Two, or an impersonator (Three)");
    assert_eq!(found.label.name, "One or Two, or an impersonator");
}

#[test]
fn a_hello_is_looked_up_by_the_most_telling_fingerprint_first() {
    let bytes = fs::read(testkit::corpus::path("tls/hello/curl-8.14.1-http1.1.bin")).unwrap();
    let hello = ClientHello::from_record(&bytes).unwrap();
    let signatures = [
        (ClientKey::Ja4, format!("ja4={}", hello.ja4())),
        (ClientKey::Ja4Stable, format!("ja4_s1={}", hello.ja4_s1())),
        (ClientKey::Ja3, format!("ja3={}", hello.ja3())),
        (ClientKey::Ja3n, format!("ja3n={}", hello.ja3n())),
    ];
    for first in 0..signatures.len() {
        let mut file = "[x-tls:client]\n".to_owned();
        // The last one stands first, so that the order of the file cannot be what decides.
        for (key, signature) in signatures[first..].iter().rev() {
            file.push_str(&format!("label = client:{key}:\nsig = {signature}\n"));
        }
        let database = Database::parse(&file, "own.fp").unwrap();
        let found = database.match_hello(&hello).unwrap();
        assert_eq!(found.key, signatures[first].0);
        assert_eq!(found.label.name, found.key.name());
    }
    let database = Database::parse(
        "[x-tls:client]\nlabel = client:Other:\nsig = ja4=t12i010100_62ed6f6ca7ad_b9a491fefe05\n",
        "",
    );
    assert!(database.unwrap().match_hello(&hello).is_none());
}

/// A hello of curl with some of its bytes replaced where they are found first.
fn altered_hello(from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut bytes = fs::read(testkit::corpus::path("tls/hello/curl-8.14.1-http1.1.bin")).unwrap();
    let at = memchr::memmem::find(&bytes, from).unwrap();
    bytes[at..at + to.len()].copy_from_slice(to);
    bytes
}

#[test]
fn a_users_file_is_asked_by_all_fingerprints_before_the_bundled_one() {
    let bytes = altered_hello(b"", b"");
    let hello = ClientHello::from_record(&bytes).unwrap();
    assert_eq!(Database::bundled().match_hello(&hello).unwrap().key, ClientKey::Ja4);
    let signatures = [
        format!("ja4_s1={}", hello.ja4_s1()),
        format!("ja3={}", hello.ja3()),
        format!("ja3n={}", hello.ja3n()),
    ];
    for signature in signatures {
        let database = with_user_file(&format!("[x-tls:client]\nlabel = client:Ours:\nsig = {signature}\n"));
        assert_eq!(database.match_hello(&hello).unwrap().label.name, "Ours", "{signature}");
    }
    let others =
        with_user_file("[x-tls:client]\nlabel = client:Ours:\nsig = ja3=00112233445566778899aabbccddeeff\n");
    assert_eq!(others.match_hello(&hello).unwrap().key, ClientKey::Ja4);
}

#[test]
fn a_ja3_names_nobody_whose_signature_algorithms_are_others() {
    let known = altered_hello(b"", b"");
    let known = ClientHello::from_record(&known).unwrap();
    let with_ja4 =
        format!("[x-tls:client]\nlabel = client:A:\nsig = ja4={} ja3={}\n", known.ja4(), known.ja3());
    let alone = format!("[x-tls:client]\nlabel = client:A:\nsig = ja3={}\n", known.ja3());
    // The name of another protocol, and another algorithm behind the length of the list.
    let (protocol, algorithm) = ((b"http/1.1", b"http/1.0"), ([0, 0x34, 9, 5], [0, 0x34, 11, 11]));
    let protocol = altered_hello(protocol.0, protocol.1);
    let algorithm = altered_hello(&algorithm.0, &algorithm.1);
    for (bytes, fits) in [(&protocol, true), (&algorithm, false)] {
        let hello = ClientHello::from_record(bytes).unwrap();
        assert_eq!((hello.ja3(), hello.ja4() == known.ja4()), (known.ja3(), false));
        let key = |text: &str| Database::parse(text, "").unwrap().match_hello(&hello).map(|found| found.key);
        assert_eq!(key(&with_ja4), fits.then_some(ClientKey::Ja3));
        assert_eq!(key(&alone), Some(ClientKey::Ja3));
    }
}

#[test]
fn a_ja3_of_several_hellos_names_those_alone_that_fit() {
    let hello = |from: &[u8], to: &[u8]| altered_hello(from, to);
    // The name of another protocol, and other algorithms behind the length of the list.
    let (first, protocol) = (hello(b"", b""), hello(b"http/1.1", b"http/1.0"));
    let (algorithm, another) = ([0, 0x34, 9, 5].as_slice(), [0, 0x34, 9, 6].as_slice());
    let (second, third) = (hello(algorithm, &[0, 0x34, 11, 11]), hello(algorithm, another));
    let [first, protocol, second, third] =
        [&first, &protocol, &second, &third].map(|bytes| ClientHello::from_record(bytes).unwrap());
    let ja3 = first.ja3();
    let of_two = format!(
        "[x-tls:client]\nlabel = client:A:\nsig = ja4={} ja3={ja3}\nlabel = client:B:\nsig = ja4={} ja3={ja3}\n",
        first.ja4(),
        second.ja4()
    );
    let of_three = format!("{of_two}label = client:C:\nsig = ja3={ja3}\n");
    let named = |text: &str, hello: &ClientHello<'_>| {
        let database = Database::parse(text, "").unwrap();
        assert_eq!(database.match_ja3(ja3).unwrap().records().count(), text.matches("label").count());
        database.match_hello(hello).map(|found| (found.key, found.label.to_string(), found.records().count()))
    };
    assert_eq!(named(&of_two, &protocol), Some((ClientKey::Ja3, "A".to_owned(), 1)));
    assert_eq!(named(&of_two, &third), None);
    assert_eq!(named(&of_three, &protocol), Some((ClientKey::Ja3, "A or C".to_owned(), 2)));
    assert_eq!(named(&of_three, &third), Some((ClientKey::Ja3, "C".to_owned(), 1)));
}

#[test]
fn a_client_that_takes_session_tickets_is_none_of_those_that_never_do() {
    // Encrypt-then-MAC, which is empty, becomes a ticket, or padding.
    let [takes, pads] = [[0, 0x23, 0, 0], [0, 0x15, 0, 0]].map(|kind| altered_hello(&[0, 0x16, 0, 0], &kind));
    let [takes, pads] = [&takes, &pads].map(|bytes| ClientHello::from_record(bytes).unwrap());
    assert_eq!(takes.ja4_s1(), pads.ja4_s1());
    let lists = takes.ja4_r().to_string();
    let never = lists.replacen("d3013", "d3012", 1).replacen("0023,", "", 1);
    let resumes = lists.replacen("0023,", "0029,", 1);
    let signature = |name: &str, text: &str| format!("label = client:{name}:\nsig = {text}\n");
    let (never, resumes) =
        (signature("Never", &format!("ja4_r={never}")), signature("Resumes", &format!("ja4_r={resumes}")));
    let (sends, unsure) = (
        signature("Sends", &format!("ja4_r={lists}")),
        signature("Unsure", &format!("ja4_s1={}", takes.ja4_s1())),
    );
    for (records, of_takes, of_pads) in [
        (vec![&never], None, Some("Never")),
        (vec![&resumes], Some("Resumes"), Some("Resumes")),
        (vec![&unsure], Some("Unsure"), Some("Unsure")),
        (vec![&never, &resumes, &unsure], Some("Resumes or Unsure"), Some("Never, Resumes or Unsure")),
        (vec![&never, &unsure], Some("Unsure"), Some("Never or Unsure")),
        (vec![&sends], Some("Sends"), Some("Sends")),
    ] {
        let file = records.iter().fold("[x-tls:client]\n".to_owned(), |file, record| file + record);
        let database = Database::parse(&file, "").unwrap();
        let named = |hello| database.match_hello(hello).map(|found| found.label.to_string());
        assert_eq!((named(&takes).as_deref(), named(&pads).as_deref()), (of_takes, of_pads), "{file}");
    }
}

/// The first one of all reads the signatures, and the first of each client puts it into words.
#[test]
fn a_lookup_of_a_client_that_was_found_before_allocates_nothing() {
    let database = Database::bundled();
    let bytes = fs::read(testkit::corpus::path("tls/hello/curl-8.14.1-http1.1.bin")).unwrap();
    let hello = ClientHello::from_record(&bytes).unwrap();
    assert!(database.match_hello(&hello).is_some());
    let (found, allocations) = measure(|| database.match_hello(&hello).is_some());
    assert_eq!((found, allocations), (true, Allocations::NONE));
    let Ok(Fingerprint::Http2(seen)) = Fingerprint::parse("|00|0|p,m,a,s") else { panic!() };
    assert!(database.match_akamai(&seen).is_some());
    let (found, allocations) = measure(|| database.match_akamai(&seen).is_some());
    assert_eq!((found, allocations), (true, Allocations::NONE));
}

#[test]
fn random_settings_do_not_hide_a_client() {
    let value =
        Fingerprint::parse("1:65536;2:0;4:6291456;6:262144;31386:3814263365|15663105|0|m,a,s,p").unwrap();
    let found = Database::bundled().match_fingerprint(&value);
    let [Found::Http2(found)] = found.as_slice() else { panic!("{found:?}") };
    assert!(found.label.name.starts_with("Chrome, Edge"), "{}", found.label);
}

#[test]
fn impersonators_are_told_beside_whom_they_impersonate() {
    let found = |ja4: &str| Database::bundled().match_ja4(ja4.parse().unwrap()).unwrap().label.to_string();
    assert_eq!(
        found("t13d1516h2_8daaf6152771_02713d6af862"),
        "Chrome 120 to 131 or 119, Edge after 118, or another program with Chromium, or an impersonator (curl_cffi, tls-client)"
    );
    assert_eq!(
        found("t13d1713h2_5b57614c22b0_748f4c70de1c"),
        "tls-client as firefox_120, or what it imitates"
    );
}

/// Whether a client pads depends on the length of the server's name.
#[test]
fn a_hello_without_padding_is_that_of_whoever_pads_other_hellos() {
    let found = |ja4: &str| Database::bundled().match_ja4(ja4.parse().unwrap()).unwrap().label.to_string();
    // All that was recorded with exactly this hello is an impersonator.
    assert_eq!(
        found("t13d1515h2_8daaf6152771_f37e75b10bcc"),
        "Chrome 98 to 118, Edge 98 to 118 or another program with Chromium, or an impersonator (tls-client, curl_cffi)"
    );
    assert_eq!(
        found("t13d2013h2_a09f3c656075_7f0f34a4126d"),
        "Safari or another program with Apple TLS, or an impersonator (curl_cffi, tls-client)"
    );
    // Nothing tells that those who were seen without padding would pad.
    let [safari_18, safari_26] =
        ["t13d2014h2_a09f3c656075_e42f34c56612", "t13d2013h2_a09f3c656075_7f0f34a4126d"]
            .map(|ja4| Database::bundled().match_ja4(ja4.parse().unwrap()).unwrap().records().count());
    assert_eq!((safari_18, safari_26), (1, 2));
    let by_hand = |padded: &str| {
        format!(
            "[x-tls:client]\nlabel = client:Short:\nsig = ja4_r=t13d0102h2_1301_002b,002d\n\
             label = client:Pads:\nsig = ja4_r={padded}\n"
        )
    };
    let label = |padded: &str| {
        let database = Database::parse(&by_hand(padded), "").unwrap();
        let ja4 = Ja4Lists::parse("t13d0102h2_1301_002b,002d").unwrap().ja4();
        database.match_ja4(ja4).unwrap().label.to_string()
    };
    assert_eq!(label("t13d0103h2_1301_0015,002b,002d"), "Short or Pads");
    assert_eq!(label("t13d0104h2_1301_0015,0023,002b,002d"), "Short", "a ticket is more than padding");
    assert_eq!(label("t13i0103h2_1301_0015,002b,002d"), "Short");
    assert_eq!(label("t13d0103h2_1301_0015,002b,002d_0403"), "Short");
}

/// A file of one's own comes before others with what it knows of padded hellos, too.
#[test]
fn a_client_of_an_earlier_file_that_pads_comes_before_one_of_a_later_file_that_does_not() {
    let file =
        |name: &str, lists: &str| format!("[x-tls:client]\nlabel = client:{name}:\nsig = ja4_r={lists}\n");
    let pads = file("Pads", "t13d0103h2_1301_0015,002b,002d");
    let short = file("Short", "t13d0102h2_1301_002b,002d");
    let ja4 = Ja4Lists::parse("t13d0102h2_1301_002b,002d").unwrap().ja4();
    let label = |first: &str, second: &str| {
        let mut database = Database::parse(first, "first").unwrap();
        database.append(&Database::parse(second, "second").unwrap());
        database.match_ja4(ja4).map(|found| found.label.to_string())
    };
    assert_eq!(label(&pads, &short).as_deref(), Some("Pads"));
    assert_eq!(label(&short, &pads).as_deref(), Some("Short"));
    assert_eq!(
        label("", &[&*short, &pads.replace("[x-tls:client]", "")].concat()).as_deref(),
        Some("Short or Pads")
    );
    assert_eq!(label(&pads, "").as_deref(), None, "nobody was seen to send it");
}

/// What is known of the hellos of clients that were published, not recorded.
#[test]
fn published_facts_are_in_the_table() {
    for (ja4, label) in [
        ("t13d190900_9dc949149365_97f8aa674fd9", "Go 1.13 to 1.20"),
        ("t13i181000_85036bcba153_d41ae481755e", "Python 3.10 or newer ssl"),
        ("t13d4312h1_c7886603b240_b26ce05bbdd6", "HTTPie"),
        ("t13d1517h2_8daaf6152771_cb7bf5808d99", "Chrome 151 or newer, Chromium, or another"),
        (
            "t13d1717h2_5b57614c22b0_3cbfd9057e0d",
            "Firefox 135 to 147 or another program with Gecko, or an impersonator (curl_cffi)",
        ),
        ("t13d1717h2_5b57614c22b0_e6dcd7ae0a9e", "Firefox 135 to 147 or another program with Gecko"),
    ] {
        let found = Database::bundled().match_ja4(ja4.parse().unwrap()).unwrap();
        assert!(found.label.to_string().starts_with(label), "{ja4}: {}", found.label);
    }
}

#[test]
fn a_label_of_the_table_leaves_nobody_out() {
    let database = Database::bundled();
    for ja4 in database.tls_clients().iter().filter_map(|record| record.signature.ja4()) {
        let found = database.match_ja4(ja4).unwrap();
        let (label, all) =
            (found.label.to_string(), found.records().flat_map(|record| record.clients.iter()));
        assert!(all.map(|one| &one.client.name).all(|name| label.contains(name.as_str())), "{label}");
    }
}

/// Whoever has the same JA3 has the same sorted JA3: a label by the one is no shorter than by the other.
#[test]
fn records_with_one_ja3_have_one_sorted_ja3() {
    let records = Database::bundled().tls_clients();
    for one in records {
        for other in records {
            let (a, b) = (&one.signature, &other.signature);
            assert!(
                a.ja3().is_none() || a.ja3() != b.ja3() || a.ja3n() == b.ja3n(),
                "lines {} and {}",
                one.line,
                other.line
            );
        }
    }
}

/// The ends of a range have been told by somebody, were recorded, or stand beside others that were.
#[test]
fn ranges_of_versions_have_been_told() {
    let told = [
        "Chrome 98 to 118",
        "Chrome 119 to 120",
        "Chrome 120 to 131",
        "Chrome 133 to 149",
        "Chrome 141 to 149 in a field trial",
        "Edge 98 to 118",
        "Firefox 135 to 147",
        "Go 1.13 to 1.20",
        "Node.js 12 to 16",
        "Node.js 12 to 24 with TLS 1.3",
        "Node.js 17 to 24",
        "OpenJDK 17 to 23",
        "Python 3.7 to 3.9 ssl",
        "Python 3.7 to 3.9 ssl with TLS 1.2 at most",
        "Python 3.7 to 3.9 urllib",
        "pyOpenSSL with OpenSSL 3.2 to 3.3",
        "pyOpenSSL with TLS 1.2 at most and OpenSSL 3.2 to 3.3",
        "pyOpenSSL with TLS 1.3 and OpenSSL 3.2 to 3.4",
    ];
    let database = Database::bundled();
    let tls = database.tls_clients().iter().flat_map(|record| record.clients.iter());
    let http2 = database.http2_clients().iter().flat_map(|record| record.clients.iter());
    for client in tls.chain(http2).map(|attribution| attribution.client.to_string()) {
        assert!(!client.contains(" to ") || told.contains(&client.as_str()), "{client}");
    }
}

/// A hello that offers nothing is nobody's.
#[test]
fn a_hello_without_anything_in_it_is_nobodys() {
    let mut message = vec![1, 0, 0, 39, 3, 3];
    message.extend([7; 32]);
    message.extend([0, 0, 0, 1, 0]);
    let parse = |message: &[u8]| -> Option<String> {
        let hello = ClientHello::parse(message, Carrier::Tcp).unwrap().done().unwrap();
        Database::bundled().match_hello(&hello).map(|found| found.label.to_string())
    };
    assert_eq!(parse(&message), None);
    for cipher in [[0x13, 1], [0xc0, 0x2f], [0, 0xff], [0x0a, 0x0a]] {
        let mut tiny = vec![1, 0, 0, 41, 3, 3];
        tiny.extend([7; 32]);
        tiny.extend([0, 0, 2, cipher[0], cipher[1], 1, 0]);
        assert_eq!(parse(&tiny), None);
    }
}

/// A hello of a library as it is belongs to nobody alone: by its JA4, who is named, and the library whose other programs are.
#[test]
fn other_programs_with_a_library_are_not_excluded_by_those_that_were_recorded() {
    for (ja4, named, library) in [
        (
            "t13d041000_16476d049b0b_78f1d400d464",
            &["Node.js 12 to 24 with TLS 1.3", "Python ssl", "s_client"][..],
            "OpenSSL",
        ),
        ("t12i280600_d943125447b4_e7e480e5a997", &["Python 3.7 to 3.9 ssl", "s_client"], "OpenSSL"),
        (
            "t13d3112h2_e8f1e7e78f70_d41ae481755e",
            &["Python 3.7 to 3.9 ssl", "ssl with the cipher suites"],
            "OpenSSL",
        ),
        ("t12d280600_d943125447b4_a44c6288192a", &["curl with OpenSSL"], "OpenSSL"),
        ("t13d781100_ab95583b6d39_d41ae481755e", &["Ncat", "Nmap with a script"], "OpenSSL"),
        ("t13d3112h1_e8f1e7e78f70_b26ce05bbdd6", &["curl with OpenSSL before 3.2"], "OpenSSL"),
        ("t13d291300_723694b0fccc_2cc26d266019", &["APT with GnuTLS", "gnutls-cli"], "GnuTLS"),
        ("t13d2912h2_723694b0fccc_288f874c93d6", &["git with libcurl-gnutls"], "libcurl"),
        (
            "t13d2913h2_723694b0fccc_5671b5df5029",
            &["GStreamer", "Wget2 before 2.2.0"],
            "glib-networking or GnuTLS",
        ),
        ("t13d291300_723694b0fccc_af435d46f2e2", &["aria2"], "GnuTLS"),
        ("t13d291300_723694b0fccc_899037bd0b8c", &["Wget with GnuTLS"], "GnuTLS"),
        ("t13i2913h2_723694b0fccc_2cc26d266019", &["kdig"], "GnuTLS"),
        ("t13d3012h2_1d37bd780c83_882d495ac381", &["curl with OpenSSL 3.5 or newer", "cargo"], "OpenSSL"),
        ("t13d1617h2_86a278354501_3cbfd9057e0d", &["Firefox after 147", "Thunderbird"], "Gecko"),
        ("t13d1011h2_61a7ad8aa9b6_f9531d972513", &["Deno"], "rustls"),
    ] {
        let label = Database::bundled().match_ja4(ja4.parse().unwrap()).unwrap().label.to_string();
        for name in named {
            assert!(label.contains(name), "{ja4}: {label}");
        }
        assert!(label.contains(&format!("another program with {library}")), "{ja4}: {label}");
    }
    // The cipher suites are Python's own, whatever the version.
    let label = |ja4: &str| Database::bundled().match_ja4(ja4.parse().unwrap()).unwrap().label.to_string();
    let versions = "Python aiohttp, httpx, or 3.10 or newer ssl";
    assert_eq!(label("t13d1812h1_85036bcba153_d41ae481755e"), versions);
}

/// What differs from a known hello in the session only is that of other programs, too.
#[test]
fn a_hello_known_by_its_ja4_s1_is_not_that_of_recorded_programs_alone() {
    for record in Database::bundled().tls_clients() {
        let Some(ja4_s1) = record.signature.ja4_s1() else { continue };
        let is_of_s_client = |client: &Attribution| client.client.version.ends_with("s_client");
        if record.clients.iter().any(is_of_s_client) {
            let found = Database::bundled().match_ja4_s1(ja4_s1).unwrap();
            assert!(found.label.name.contains("another program with OpenSSL"), "{}", found.label);
        }
    }
}

/// The system of Apple writes hellos for its daemons, too, and for a Safari of any version that it has.
#[test]
fn a_hello_of_apples_system_is_not_that_of_one_safari() {
    let database = Database::bundled();
    // Also sent to itunes.apple.com in 2019, and to wdcp.microsoft.com in 2021.
    let found = database.match_ja4("t13d2613h2_2802a3db6c62_845d286b0d67".parse().unwrap()).unwrap();
    let label = "Safari or another program with Apple TLS, or an impersonator (curl_cffi)";
    assert_eq!((found.label.to_string().as_str(), found.label.version.as_str()), (label, ""));
    let tls = database.tls_clients().iter().map(|record| (&record.clients, "Apple TLS"));
    let http2 = database.http2_clients().iter().map(|record| (&record.clients, "CFNetwork"));
    for (clients, library) in tls.chain(http2) {
        let Some(safari) = clients.iter().find(|known| known.client.name == "Safari") else { continue };
        assert_eq!(safari.client.version, "");
        assert!(clients.iter().any(|known| known.client.name == library), "{}", safari.provenance);
    }
}

/// `dnscrypt-proxy` of Go before 1.17 and Android in February 2020 sent what was recorded of newer versions.
#[test]
fn a_hello_of_many_versions_of_a_library_is_not_that_of_the_recorded_one() {
    for (ja4, label) in [
        ("t13d1910h2_9dc949149365_97f8aa674fd9", "Go 1.13 to 1.20"),
        ("t13i190800_9dc949149365_97f8aa674fd9", "Go 1.13 to 1.20"),
        ("t13d1312h2_f57a46bbacb6_ab7e3b40a677", "Go 1.25 or newer"),
        ("t13d171100_5b57614c22b0_3f5d972527c0", "Conscrypt"),
        ("t13d1712h2_5b57614c22b0_3f5d972527c0", "Conscrypt"),
    ] {
        let found = Database::bundled().match_ja4(ja4.parse().unwrap()).unwrap();
        assert_eq!(found.label.to_string(), label, "{ja4}");
    }
    for record in Database::bundled().tls_clients() {
        for Attribution { client, provenance, .. } in record.clients.iter() {
            let is_range =
                client.version.starts_with("1.13 to 1.20") || client.version.starts_with("1.25 or newer");
            assert!(client.name != "Go" || is_range || client.version.is_empty(), "{provenance}");
            assert!(client.name != "Conscrypt" || client.version.is_empty(), "{provenance}");
        }
    }
}
