//! `huginn-net match`, and the examples of documents.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{records, run, run_with_stdin};

const NEW_LINUX: &str = "Linux 6.16 or newer, or older with a larger limit of the receive buffer";

fn matched(values: &[&str]) -> Vec<Value> {
    let finished = run(["match", "-o", "json"].iter().chain(values));
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    records(&finished.stdout)
}

#[test]
fn one_object_tells_what_a_value_is_whose_it_is_and_why() {
    let answers = matched(&["t13d1312h2_f57a46bbacb6_ab7e3b40a677"]);
    let [answer] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(answer["form"], "JA4, JA4_s1 or JA4_o");
    let keys: Vec<_> = answer["found"].as_array().unwrap().iter().map(|found| &found["key"]).collect();
    assert_eq!(keys, ["ja4", "ja4_s1"]);
    let found = &answer["found"][0];
    assert_eq!(found["label"], "Go 1.25 or newer");
    assert_eq!((&found["name"], &found["version"]), (&"Go".into(), &"1.25 or newer".into()));
    let client = &found["clients"][0];
    assert_eq!(
        (&client["kind"], &client["evidence"]),
        (&"client".into(), &"M: Go 1.26.8 net/http or crypto/tls".into())
    );
    assert!(client["place"].as_str().unwrap().starts_with("clients.fp:"));
    let near = &answer["near"][0];
    assert!(near["signature"].as_str().unwrap().starts_with("ja4"), "{near}");
    assert!(near["distance"].as_u64().unwrap() > 0);
    let distances: Vec<_> =
        answer["near"].as_array().unwrap().iter().map(|it| it["distance"].as_u64()).collect();
    assert!(distances.is_sorted(), "{distances:?}");
}

#[test]
fn every_form_is_recognised() {
    let answers = matched(&[
        "t13d131100_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,002b,0032,0033,ff01",
        "t13d020200_1302,1301_0000,002b",
        "20b279993ae2e137e62b9647c6d768fb",
        "769,47-53-10,,,",
        "4:64+0:0:1460:mss*44,10:mss,sok,ts,nop,ws:df,id+:0",
        "1:Host,User-Agent,Accept=[*/*]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:curl/7.88.1",
        "|00|0|p,m,a,s",
        "38e36840395e07ae27bae1632ddc8b92",
    ]);
    let forms: Vec<_> = answers.iter().map(|answer| answer["form"].as_str().unwrap()).collect();
    assert_eq!(
        forms,
        [
            "JA4_r or JA4_s1r",
            "JA4_ro",
            "JA3, sorted JA3, or MD5 of an Akamai string",
            "text of a JA3",
            "raw TCP signature",
            "raw HTTP signature",
            "Akamai string",
            "JA3, sorted JA3, or MD5 of an Akamai string",
        ]
    );
    let key = |answer: &Value| answer["found"][0]["key"].clone();
    let keys = [2, 4, 5, 6, 7].map(|at: usize| key(&answers[at]));
    assert_eq!(keys, ["ja3", "syn", "http_request", "akamai", "akamai"]);
    assert_eq!(answers[4]["found"][0]["label"], NEW_LINUX);
    assert_eq!(
        (&answers[5]["found"][0]["name"], &answers[5]["found"][0]["score"]),
        (&"curl".into(), &7.5.into())
    );
}

#[test]
fn nobody_known_is_an_answer() {
    let finished = run(["match", "00112233445566778899aabbccddeeff"]);
    let expected =
        "00112233445566778899aabbccddeeff\n  form  JA3, sorted JA3, or MD5 of an Akamai string\n  unknown\n";
    assert_eq!(
        (finished.status, finished.stdout.as_str(), finished.stderr.as_str()),
        (Some(0), expected, "")
    );
}

#[test]
fn of_an_answer_it_is_said_that_the_syn_before_it_is_not_known() {
    let finished = run(["match", "4:64+0:0:1460:mss*45,10:mss,sok,ts,nop,ws:df:0"]);
    let told = |kind: &str| finished.stdout.lines().find(|line| line.trim_start().starts_with(kind));
    let answer = told("SYN+ACK").unwrap_or_else(|| panic!("{}", finished.stdout));
    assert_eq!(answer, format!("  SYN+ACK  {NEW_LINUX}  exact, its SYN not known"));
    let finished = run(["match", "4:64+0:0:1460:mss*44,10:mss,sok,ts,nop,ws:df,id+:0"]);
    assert!(finished.stdout.contains(&format!("  SYN      {NEW_LINUX}  exact\n")), "{}", finished.stdout);
}

#[test]
fn a_head_is_told_with_its_signature() {
    let finished = run(["match", "1:Host,User-Agent,Accept=[*/*]:Connection:curl/7.88.1"]);
    let lines: Vec<_> = finished.stdout.lines().skip(1).collect();
    assert_eq!(
        lines[..2],
        [
            "  form  raw HTTP signature",
            "  request   curl or another program with libcurl  generic  score 7.5"
        ]
    );
    assert!(lines[2].starts_with("            *:Host,User-Agent,Accept=[*/*]:"), "{}", lines[2]);
}

#[test]
fn a_value_of_no_known_form_is_refused_with_its_column_and_the_others_are_answered() {
    let finished = run(["match", "-o", "json", "t13d1516h2_8daaf6152771_02713d6af86x", "|00|0|p,m,a,s"]);
    let message = "huginn-net: \"t13d1516h2_8daaf6152771_02713d6af86x\": column 36: \
                   parts b and c are 12 hexadecimal digits each, in lower case\n";
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(2), message));
    assert_eq!(records(&finished.stdout).len(), 1);
}

#[test]
fn values_come_from_standard_input_line_by_line() {
    let input = b"|00|0|p,m,a,s\n\n  20b279993ae2e137e62b9647c6d768fb  \r\nhuh\n";
    let finished = run_with_stdin(["match", "-o", "json", "-"], input);
    assert_eq!(finished.status, Some(2));
    assert!(
        finished.stderr.starts_with("huginn-net: standard input, line 4: column 1: "),
        "{}",
        finished.stderr
    );
    let values: Vec<_> =
        records(&finished.stdout).into_iter().map(|answer| answer["value"].clone()).collect();
    assert_eq!(values, ["|00|0|p,m,a,s", "20b279993ae2e137e62b9647c6d768fb"]);
    let twice = run(["match", "-", "-"]);
    assert_eq!(
        (twice.status, twice.stderr.as_str()),
        (Some(2), "huginn-net: standard input can be read only once\n")
    );
}

#[test]
fn values_may_be_written_as_tables_and_shells_have_them() {
    let labels = |value: &str| -> Vec<Value> {
        matched(&[value])[0]["found"].as_array().unwrap().iter().map(|found| found["label"].clone()).collect()
    };
    for (written, canonical) in [
        ("T13D1312h2_F57A46BBACB6_AB7E3B40A677", "t13d1312h2_f57a46bbacb6_ab7e3b40a677"),
        ("  \"20B279993AE2E137E62B9647C6D768FB\" ", "20b279993ae2e137e62b9647c6d768fb"),
        (
            "'1:65536;2:0;4:6291456;6:262144¦15663105¦0¦M,A,S,P'",
            "1:65536;2:0;4:6291456;6:262144|15663105|0|m,a,s,p",
        ),
        (
            "4:64+0:0:1460:MSS*44,10:mss,sok,ts,nop,ws:DF,ID+:0",
            "4:64+0:0:1460:mss*44,10:mss,sok,ts,nop,ws:df,id+:0",
        ),
    ] {
        assert_eq!(labels(written), labels(canonical));
        assert!(!labels(canonical).is_empty(), "{canonical}");
    }
    // The case of a protocol's name counts.
    assert_eq!(labels("t13d1312H2_f57a46bbacb6_ab7e3b40a677"), Vec::<Value>::new());
}

#[test]
fn columns_are_those_of_the_characters_that_were_written() {
    let refused = |value: &str| run_with_stdin(["match", "-"], value.as_bytes()).stderr;
    for (value, column) in [
        ("1:1¦00¦0¦m¦p", 11),
        ("  '1:1¦00¦0¦m¦p'", 14),
        ("\t t13d1516h2_8daaf6152771_02713d6af86x", 38),
        ("1:65536;2|00|0|m", 9),
    ] {
        let message = refused(value);
        let expected = format!("huginn-net: standard input, line 1: column {column}: ");
        assert!(message.starts_with(&expected), "{value}: {message}");
    }
    let finished = run_with_stdin(["match", "-o", "json", "-"], b"\xff\xfe\n|00|0|p,m,a,s\n");
    assert!(finished.stderr.starts_with("huginn-net: standard input, line 1: column 1: "));
    assert_eq!((finished.status, records(&finished.stdout).len()), (Some(2), 1));
}

#[test]
fn what_a_value_has_of_control_characters_is_escaped() {
    let finished = run(["match", "\x1b[31m"]);
    assert!(!finished.stderr.contains('\x1b') && finished.stderr.contains("\\u{1b}"), "{}", finished.stderr);
    assert_eq!(finished.status, Some(2));
}

#[test]
fn signature_files_of_users_extend_and_override() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let ours = "[x-tls:client]\nlabel = client:Ours:3\nevidence = M: our lab\nsig = ja3=20b279993ae2e137e62b9647c6d768fb\n\
                [x-http2:client]\nlabel = client:Ours:3\nsig = 9:9|00|0|m\n";
    fs::write(&file, ours).unwrap();
    let answers =
        matched(&["--db", file.path().to_str().unwrap(), "20b279993ae2e137e62b9647c6d768fb", "9:9|00|0|m"]);
    let labels: Vec<_> = answers.iter().map(|answer| &answer["found"][0]["label"]).collect();
    assert_eq!(labels, ["Ours 3", "Ours 3"]);
    assert_eq!(answers[0]["found"][0]["clients"].as_array().unwrap().len(), 1, "ours alone");

    let listed = run(["db", "list", "--db", file.path().to_str().unwrap(), "--no-bundled-db"]).stdout;
    let place = file.path().display();
    let expected = format!(
        "x-tls:client\tclient:Ours:3\tja3=20b279993ae2e137e62b9647c6d768fb\t{place}:4\tM: our lab\n\
         x-http2:client\tclient:Ours:3\t9:9|00|0|m\t{place}:7\t\n"
    );
    assert_eq!(listed, expected);
}

/// Every `$ huginn-net …` in them, with what it prints.
#[test]
fn the_examples_of_the_documents_are_true() {
    let mut count = 0;
    for document in ["docs/fingerprints.md", "README.md"] {
        let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document);
        let document = fs::read_to_string(document).unwrap();
        // Blocks stand between fences, every other part is one.
        for example in
            document.split("```").skip(1).step_by(2).flat_map(|block| block.split("$ huginn-net ").skip(1))
        {
            let (command, expected) = example.split_once('\n').unwrap();
            let finished = run(command.split(' ').map(|arg| arg.trim_matches('\'')));
            assert_eq!((finished.stdout.as_str(), finished.status), (expected, Some(0)), "{command}");
            count += 1;
        }
    }
    assert_eq!(count, 6);
}
