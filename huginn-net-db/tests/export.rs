//! Signature files for p0f. What p0f itself says of them, the differential tests of the command ask.
#![cfg(test)]

mod recorded;

use std::fmt::Write as _;
use std::fs;

use huginn_net_db::{Database, Diagnostic, LeftOut, P0fExport, SignatureFile};
use testkit::corpus::{self, Table};

fn export(text: &str) -> P0fExport {
    Database::parse(text, "my.fp").unwrap().to_p0f()
}

/// The `sig` lines of a file with these lines in its first TCP section.
fn signatures(section: &str, lines: &str) -> Vec<String> {
    let text = format!("classes = unix\n[mtu]\nlabel = a\nsig = 1500\nsig = 1280\n[{section}]\n{lines}");
    let (_, tcp) = export(&text).text.split_once("[tcp:").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    tcp.lines().filter_map(|line| line.strip_prefix("sig   = ")).map(str::to_owned).collect()
}

#[test]
fn the_bundled_signatures_are_read_back_without_an_error() {
    let export = Database::bundled().to_p0f();
    let (file, findings) = SignatureFile::parse(&export.text, "p0f.fp");
    let errors: Vec<_> =
        findings.iter().filter(|finding| finding.is_error()).map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert_eq!(file.canonical(), export.text);
    assert!(!export.text.contains("[x-"));
    let reasons: Vec<_> = export.left_out.keys().copied().collect();
    assert_eq!(
        reasons,
        [LeftOut::TlsClient, LeftOut::Http2Client, LeftOut::LargeMtu, LeftOut::TcpFacts, LeftOut::Covered],
        "nothing else is lost"
    );
}

#[test]
fn an_export_exported_is_the_same() {
    let once = Database::bundled().to_p0f();
    let twice = Database::parse(&once.text, "p0f.fp").unwrap().to_p0f();
    let without_comments = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with(';'));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_comments(&twice.text), without_comments(&once.text));
    assert_eq!((twice.signatures, twice.left_out.len()), (once.signatures, 0));
}

#[test]
fn recorded_packets_keep_their_names() {
    // Its MSS is none of a link.
    const WITHOUT_LINK: &str = "maxseg1200";
    let exported = Database::parse(&Database::bundled().to_p0f().text, "p0f.fp").unwrap();
    let mut compared = 0;
    for recorded in recorded::packets("real").iter().filter(|recorded| recorded.capture != WITHOUT_LINK) {
        let seen = &recorded.seen;
        let name = |database: &Database| {
            let found =
                if recorded.is_syn_ack { database.match_syn_ack(seen) } else { database.match_syn(seen) };
            found.map(|found| found.record.label.to_string())
        };
        assert_eq!(name(&exported), name(Database::bundled()), "{}: {seen}", recorded.capture);
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn files_that_p0f_accepts_keep_all_their_signatures() {
    for row in Table::open("db/index.tsv").rows() {
        let Some(count) = row.field("p0f_result").strip_prefix("OK: ") else { continue };
        let path = corpus::path("db").join(row.field("file"));
        let database = Database::parse(&fs::read_to_string(&path).unwrap(), "my.fp").unwrap();
        let export = database.to_p0f();
        assert_eq!(format!("{} signatures", export.signatures), count.trim(), "{}", row.field("file"));
        assert!(export.left_out.is_empty(), "{}: {:?}", row.field("file"), export.left_out);
        let again = Database::parse(&export.text, "my.fp").unwrap();
        let errors: Vec<&Diagnostic> = again.warnings().iter().filter(|found| found.is_error()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn a_fill_window_becomes_a_count_for_each_link() {
    let found = signatures(
        "x-tcp:request",
        "label = s:unix:A:\nsig = 4:64:0:*:fill65536,7:mss,nop,ws::0\nsig = *:64:0:*:fill32768,7:mss,nop,ws:df:0\n\
         sig = 4:64:0:1452:fill65536,8:mss,nop,ws::0\n",
    );
    assert_eq!(
        found,
        [
            "4:64:0:*:mss*44,7:mss,nop,ws::0",
            "4:64:0:*:mss*52,7:mss,nop,ws::0",
            "*:64:0:*:mss*22,7:mss,nop,ws:df:0",
            "*:64:0:*:mss*26,7:mss,nop,ws:df:0",
            // The MSS of IPv6, 1440 and 1220, give no other counts.
            "4:64:0:1452:mss*45,8:mss,nop,ws::0",
        ]
    );
}

#[test]
fn few_segments_are_written_for_one_mss_only() {
    let small = |space: u32| {
        signatures(
            "x-tcp:request",
            &format!("label = s:unix:A:\nsig = 4:64:0:*:fill{space},7:mss,nop,ws::0\n"),
        )
    };
    assert_eq!(small(8_192), ["4:64:0:1240:mss*6,7:mss,nop,ws::0", "4:64:0:1460:mss*5,7:mss,nop,ws::0"]);
    // One that no segment fits is left as it is.
    assert_eq!(small(1_000), ["4:64:0:1240:1000,7:mss,nop,ws::0", "4:64:0:1460:1000,7:mss,nop,ws::0"]);
}

#[test]
fn an_answer_with_timestamps_has_smaller_segments() {
    let found = signatures(
        "x-tcp:response",
        "family = a:mss,nop,ws:mss,sok,ts,nop,ws\nlabel = s:unix:A:\nsig = 4:64:0:*:fill65536,7:@a:df:0\n",
    );
    // 65160 is 45 segments of 1448 bytes, 65108 is 53 of 1228.
    let expected = [
        ("44", "mss,nop,ws"),
        ("52", "mss,nop,ws"),
        ("45", "mss,sok,ts,nop,ws"),
        ("53", "mss,sok,ts,nop,ws"),
    ];
    assert_eq!(found, expected.map(|(count, layout)| format!("4:64:0:*:mss*{count},7:{layout}:df:0")));
}

#[test]
fn what_p0f_cannot_say_is_left_out_and_counted() {
    let export = export(
        "classes = unix\n[x-mtu]\nlabel = lo\nsig = 65536\n[x-tcp:request]\nlabel = s:unix:A:\n\
         sig = 4:64:0:*:fill65536,0:::0\nsig = 4:64-:8:*:*,0:mss::0\nsig = 6:64:0:*:7,0:mss::0\n\
         sig = 4:64:0:*:7,0:mss::0\n[x-http2:client]\nlabel = client:C:\nsig = |00|0|m\n",
    );
    let counts: Vec<_> = export.left_out.into_iter().collect();
    assert_eq!(
        counts,
        [
            (LeftOut::Http2Client, 1),
            (LeftOut::LargeMtu, 1),
            (LeftOut::NoWindow, 1),
            (LeftOut::RandomTtlWithOptions, 1),
            // p0f takes the last one for the one above.
            (LeftOut::Covered, 1),
        ]
    );
    assert_eq!(export.signatures, 1);
}

#[test]
fn labels_classes_systems_and_http_are_kept() {
    let text = "\
classes = unix,WIN

[mtu]

label = Ethernet
sig   = 1500

[tcp:request]

label = s:!:Scanner:a:b
sys   = @WIN,Linux
sig   = *:64-:0:*:%512,*:mss::*

label = g:unix:Linux:
sig   = 4:64:0:*:mtu*3,7:mss,nop,ws:df,id+:0

[http:request]
ua_os = Linux,iOS=[iPad]

label = s:!:curl:
sys   = @unix
sig   = *:Host,User-Agent,Accept=[*/*],?X::curl

[http:response]

label = s:!:nginx:1.x
sys   = @unix
sig   = 1:Server,Date,Content-Type,?Content-Length,Connection::nginx
";
    assert_eq!(export(text).text, text);
}

#[test]
fn what_tells_most_of_http_comes_first_and_what_p0f_refuses_does_not_come() {
    let text = "\
classes = unix
[http:response]
label = s:!:Short:
sys = @unix
sig = *:Server,Date::
label = s:!:Long:
sys = @unix
sig = 1:Server,Date,Content-Type,?Connection:X:
sig = *:Server,?Date,Content-Type:X,Y:
[x-http:response]
label = s:!:Own:
sys = @unix
evidence = M: one
sig = *:Server,Date,ETag=[a]::own
";
    let export = export(text);
    let lines: Vec<_> =
        export.text.lines().filter(|line| !line.is_empty() && !line.starts_with("sys")).collect();
    assert_eq!(
        lines,
        [
            "classes = unix",
            "[http:response]",
            "label = s:!:Own:",
            "; evidence = M: one",
            "sig   = *:Server,Date,ETag=[a]::own",
            "label = s:!:Long:",
            "sig   = 1:Server,Date,Content-Type,?Connection:X:",
            // With Date, which need not be there, this would be what the next one matches; so it comes before it.
            "sig   = *:Server,?Date,Content-Type:X,Y:",
            "label = s:!:Short:",
            "sig   = *:Server,Date::",
        ]
    );
    assert!(export.left_out.is_empty());
    let refused =
        "classes = unix\n[http:request]\nlabel = s:unix:A:\nsig = *:Host,Accept::\nsig = *:Host,?Accept::\n";
    let export = Database::parse(refused, "my.fp").unwrap().to_p0f();
    assert_eq!((export.signatures, export.left_out.get(&LeftOut::Covered)), (1, Some(&1)));
}

#[test]
fn a_file_without_links_takes_the_bundled_ones_but_does_not_write_them() {
    let export =
        export("classes = unix\n[x-tcp:request]\nlabel = s:unix:A:\nsig = 4:64:0:*:fill65536,7:mss::0\n");
    assert!(export.text.contains("mss*44,7") && export.text.contains("mss*46,7"));
    assert!(!export.text.contains("[mtu]"));
}

#[test]
fn a_file_that_would_grow_without_limit_is_cut() {
    const LIMIT: usize = 300_000;
    let mut text = "classes = unix\n[mtu]\nlabel = a\n".to_owned();
    for mtu in 800..1_000 {
        writeln!(text, "sig = {mtu}").unwrap();
    }
    text.push_str("[x-tcp:request]\nlabel = g:unix:A:\n");
    let mut lines = 0;
    // No more of them than may be alike.
    for quirks in ["", "seq-"] {
        for ttl in 1..=20 {
            for scale in 0..=50 {
                writeln!(text, "sig = 4:{ttl}:0:*:fill8000,{scale}:mss,nop,ws:{quirks}:0").unwrap();
                lines += 1;
            }
        }
    }
    let export = export(&text);
    assert_eq!(export.signatures, LIMIT);
    // A count of 8, 9 or 10 for each of 200 links, of which all with 10 are one.
    let with_ten = (800..1_000).filter(|mtu| 8_000 / (mtu - 40) == 10).count();
    assert!(with_ten > 1);
    let of_each = 200 - with_ten + 1;
    // The links come first. Of one signature only some windows are written.
    let whole = (LIMIT - 200) / of_each;
    assert_ne!((LIMIT - 200) % of_each, 0);
    assert_eq!(export.left_out, [(LeftOut::TooMany, lines - whole)].into());
}

#[test]
fn signatures_that_others_cover_are_looked_at_no_further_than_the_limit_either() {
    let mut text = "classes = unix\n[mtu]\nlabel = a\n".to_owned();
    for mtu in 800..1_000 {
        writeln!(text, "sig = {mtu}").unwrap();
    }
    text.push_str("[x-tcp:request]\nlabel = s:unix:A:\n");
    // No more of them than may be alike.
    for chosen in 0..20 {
        let quirks = ["seq-", "ack+", "uptr+", "urgf+", "pushf+"].into_iter().enumerate();
        let quirks: Vec<_> =
            quirks.filter(|(bit, _)| chosen >> bit & 1 == 1).map(|(_, quirk)| quirk).collect();
        let quirks = quirks.join(",");
        for space in 60_000..61_000 {
            writeln!(text, "sig = 4:64:0:*:fill{space},7:mss,nop,ws:{quirks}:0").unwrap();
        }
    }
    let export = export(&text);
    // Some 17 windows of each, which are nearly those of the one above.
    assert!(export.signatures < 1_000, "{}", export.signatures);
    let left_out = &export.left_out;
    assert!(left_out[&LeftOut::TooMany] > 1_000 && left_out[&LeftOut::Covered] > 10_000, "{left_out:?}");
}

#[test]
fn of_more_signatures_of_http_than_the_limit_those_that_tell_least_are_left_out() {
    const LIMIT: usize = 2_000;
    let mut text = "classes = unix\n[http:request]\nlabel = s:unix:A:\n".to_owned();
    for index in 0..LIMIT + 3 {
        writeln!(text, "sig = *:X-{index},Host::").unwrap();
    }
    text.push_str("sig = *:Accept,Host,Via::\n");
    let export = export(&text);
    assert_eq!(export.signatures, LIMIT);
    assert_eq!(export.left_out, [(LeftOut::TooMany, 4)].into());
    assert!(export.text.contains("sig   = *:Accept,Host,Via::\n"));
}
