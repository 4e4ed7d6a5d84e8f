//! What is wrong with a file is said with its place.

use huginn_net_db::{Database, DatabaseError, Diagnostic, DiagnosticCode, SignatureFile};

fn findings(text: &str) -> Vec<Diagnostic> {
    SignatureFile::parse(text, "my.fp").1
}

/// Code, line and column of all findings.
fn places(text: &str) -> Vec<String> {
    findings(text).iter().map(|found| format!("{} {}:{}", found.code, found.line, found.column)).collect()
}

/// The findings in a file that has only these lines in its first TCP section, which starts in line 2.
fn in_tcp_section(lines: &str) -> Vec<String> {
    places(&format!("classes = win,unix\n[tcp:request]\n{lines}"))
}

/// The findings with one signature in line 2 of its section, whose text starts in column 7.
fn of_tcp_signature(signature: &str) -> Vec<String> {
    in_tcp_section(&format!("label = s:unix:A:\nsig = {signature}\n"))
}

fn of_http_signature(signature: &str) -> Vec<String> {
    places(&format!("classes = unix\n[http:request]\nlabel = s:unix:A:\nsig = {signature}\n"))
}

const GOOD: &str = "*:64:0:*:mss*4,6:mss,sok,ts,nop,ws:df,id+:0";

#[test]
fn a_class_of_a_file_that_names_none_is_explained() {
    let text = "[tcp:request]\nlabel = s:foo:x:y\n";
    let (_, findings) = SignatureFile::parse(text, "my.fp");
    let help = findings.iter().find(|finding| finding.is_error()).and_then(|finding| finding.help.as_deref());
    assert_eq!(help, Some("a line `classes = …` before the first section names the classes"));
}

#[test]
fn carriage_returns_are_told_once_with_the_number_of_lines() {
    let told = |text| findings(text).into_iter().map(|found| found.message).collect::<Vec<_>>();
    assert_eq!(told("; a\r\n"), ["this line ends with a carriage return"]);
    assert_eq!(told("; a\r\n; b\n; c\r\n"), ["2 lines end with a carriage return, this one first"]);
}

#[test]
fn a_file_without_faults_has_no_findings() {
    assert_eq!(of_tcp_signature(GOOD), [""; 0]);
}

#[test]
fn all_errors_are_collected_also_within_one_line() {
    let text = "\
classes = unix
[tcp:request]
label = x:nix:A':f
sig = 5:0:256:x:mss*0,256:mss,eol:foo,bar:2
nonsense
[tcp]
sig = whatever
[mtu]
sig = 1500
";
    assert_eq!(
        places(text),
        [
            "E001 3:9",
            "E004 3:11",
            "E001 3:16", //
            "E001 4:7",
            "E005 4:9",
            "E005 4:11",
            "E001 4:15",
            "E005 4:21",
            "E005 4:23",
            "E001 4:31",
            "E006 4:35",
            "E006 4:39",
            "E001 4:43", //
            "E001 5:1",
            "E002 6:1",
            "E003 9:1",
        ]
    );
}

#[test]
fn a_wrong_count_of_fields_is_shown_where_it_ends() {
    assert_eq!(of_tcp_signature("*:64:0:*:1,*:mss:df"), ["E001 4:26"]);
    assert_eq!(of_tcp_signature("*:64:0:*:1,*:mss:df:0:0"), ["E001 4:28"]);
    assert_eq!(of_http_signature("1:Host"), ["E001 4:13"]);
    assert_eq!(of_http_signature("1:Host:"), ["E001 4:14"]);
}

#[test]
fn numbers_out_of_range_are_told_from_what_is_no_number() {
    for (signature, expected) in [
        ("*:256:0:*:mss*4,6:mss,nop:df:0", "E005 4:9"),
        ("*:0:0:*:mss*4,6:mss,nop:df:0", "E005 4:9"),
        ("*:64+?:0:*:mss*4,6:mss,nop:df:0", "E001 4:12"),
        ("*:64:-1:*:mss*4,6:mss,nop:df:0", "E001 4:12"),
        ("*:64:0:99999999999999999999:mss*4,6:mss,nop:df:0", "E005 4:14"),
        ("*:64:0:*:mss*1001,6:mss,nop:df:0", "E005 4:20"),
        ("*:64:0:*:mtu*x,6:mss,nop:df:0", "E001 4:20"),
        ("*:64:0:*:%1,6:mss,nop:df:0", "E005 4:17"),
        ("*:64:0:*:65536,6:mss,nop:df:0", "E005 4:16"),
        ("*:64:0:*:mss*4:mss,nop:df:0", "E001 4:16"),
        ("*:64:0:*:mss*4,256:mss,nop:df:0", "E005 4:22"),
        ("*:64:0:*:mss*4,6:mss,?256:df:0", "E005 4:29"),
        ("*:64:0:*:mss*4,6:mss,eol+256:df:0", "E005 4:32"),
        ("*:64:0:*:mss*4,6:mss,,nop:df:0", "E001 4:28"),
        ("*:64:0:*:mss*4,6:mss,?0,nop:df:0", "E001 4:28"),
        ("*:64:0:*:mss*4,6:mss,nop:df,,id+:0", "E001 4:35"),
    ] {
        assert_eq!(of_tcp_signature(signature), [expected], "{signature}");
    }
}

#[test]
fn mtus_end_where_the_section_has_room() {
    let mtu = |section: &str, mtu: u32| places(&format!("[{section}]\nlabel = x\nsig = {mtu}\n"));
    for (section, last) in [("mtu", 65_535), ("x-mtu", 65_595)] {
        assert_eq!(mtu(section, last), [""; 0]);
        assert_eq!(mtu(section, last + 1), ["E005 3:7"]);
        assert_eq!(mtu(section, 0), ["E005 3:7"]);
    }
    let help = |text| findings(text).into_iter().find_map(|found| found.help);
    assert!(help("[mtu]\nlabel = x\nsig = 65536\n").is_some_and(|help| help.contains("[x-mtu]")));
    assert_eq!(help("[mtu]\nlabel = x\nsig = 65596\n"), None);
    // Both sections speak of the same links.
    assert_eq!(places("[mtu]\nlabel = x\nsig = 9\n[x-mtu]\nlabel = y\nsig = 9\n"), ["W102 6:7"]);
}

/// The findings in a section of answers, in line 3 and below, with a family `a` above it.
fn with_family(lines: &str) -> Vec<String> {
    places(&format!("classes = unix\n[x-tcp:response]\nfamily = a:mss:mss,sok,nop,nop:ts,nop,nop\n{lines}"))
}

/// The findings with one signature in line 5, whose options are `options` and start in column 21.
fn with_options(options: &str) -> Vec<String> {
    with_family(&format!("label = s:unix:A:\nsig = *:64:0:*:mss*4,6:{options}:df:0\n"))
}

#[test]
fn families_are_told_what_is_wrong_with_them() {
    for (family, expected) in [
        ("b:mss", vec![]),
        ("b_2,?ts,?sok:mss:mss,nop,ws", vec!["W113 4:10"]),
        ("b", vec!["E001 4:10"]),
        (":mss", vec!["E001 4:10"]),
        ("b-c:mss", vec!["E001 4:10"]),
        ("a:mss", vec!["E008 4:10"]),
        ("b:mss:sok,nop,nop:mss", vec!["E008 4:28"]),
        ("b:mss:foo", vec!["E006 4:16"]),
        ("b:mss,nop", vec!["W114 4:12"]),
        ("b,ts:mss", vec!["E001 4:12"]),
        ("b,?mss:mss", vec!["E006 4:13"]),
        ("b,?foo:mss", vec!["E006 4:13"]),
        ("b,??34:mss", vec!["E001 4:13"]),
        ("b:?2", vec!["W113 4:10"]),
    ] {
        let wanted: Vec<_> = expected.iter().copied().chain(["W106 5:1"]).collect();
        assert_eq!(with_family(&format!("family = {family}\nlabel = s:unix:A:\n")), wanted, "{family}");
    }
}

#[test]
fn families_have_their_place() {
    let misplaced = |text: &str| places(text).into_iter().find(|place| place.starts_with('E'));
    for text in [
        "family = a:mss\n",
        "[tcp:response]\nfamily = a:mss\n",
        "[x-tcp:request]\nfamily = a:mss\n",
        "classes = unix\n[x-tcp:response]\nlabel = s:unix:A:\nfamily = a:mss\n",
    ] {
        let line = text.lines().count();
        assert_eq!(misplaced(text), Some(format!("E003 {line}:1")), "{text}");
    }
}

#[test]
fn references_to_families_are_told_what_is_wrong_with_them() {
    for (options, expected) in [
        ("@a", vec![]),
        ("@a-ts+sok", vec!["W113 5:7"]),
        ("@b", vec!["E006 5:25"]),
        ("@", vec!["E006 5:25"]),
        ("@a+ws", vec!["E001 5:24"]),
        ("@a+sok-sok", vec!["E001 5:31"]),
        ("@a+", vec!["E006 5:27"]),
        ("@a+mss", vec!["E006 5:27"]),
        ("@a+?3x", vec!["E001 5:28"]),
        ("@a+sok,ts", vec!["E006 5:27"]),
    ] {
        assert_eq!(with_options(options), expected, "{options}");
    }
    let of_request = "classes = unix\n[x-tcp:request]\nlabel = s:unix:A:\nsig = *:64:0:*:mss*4,6:@a:df:0\n";
    assert_eq!(places(of_request), ["E001 4:24"]);
}

#[test]
fn a_layout_of_a_family_is_hidden_by_what_is_for_as_many_offers() {
    let sig = |options: &str| format!("sig = *:64:0:*:mss*4,0:{options}:df:0\n");
    let hidden = |first: &str, second: &str| {
        let lines = format!("family = few:mss:mss,nop,ws\nlabel = s:unix:A:\n{}{}", sig(first), sig(second));
        let text =
            format!("classes = unix\n[x-tcp:response]\nfamily = a:mss:mss,sok,nop,nop:ts,nop,nop\n{lines}");
        let found = findings(&text);
        found.iter().map(|found| format!("{} {}", found.code, found.message)).collect::<Vec<_>>()
    };
    assert_eq!(hidden("@a+sok", "@a-sok"), [""; 0]);
    assert_eq!(
        hidden("@a+sok", "@a+sok"),
        ["E008 with the options `mss,sok,nop,nop`, this is the signature of line 6 again"]
    );
    // What is for every offer covers what is for some of them, and not the other way round.
    assert_eq!(
        hidden("mss", "@a-sok-ts"),
        ["W102 with the options `mss`, line 7 never wins: line 6 already matches all of it"]
    );
    assert_eq!(hidden("@a-sok-ts", "mss"), [""; 0]);
    // `few` gives this answer to clients that offer SACK, `a` to those that offer window scaling.
    assert_eq!(hidden("@a-sok-ts", "@few-ws"), [""; 0]);
}

#[test]
fn families_and_what_they_stand_for_are_limited() {
    let families = |count: usize| {
        let lines: String = (0..count).map(|index| format!("family = f{index}:mss\n")).collect();
        places(&format!("classes = unix\n[x-tcp:response]\n{lines}"))
    };
    assert_eq!(families(1_000), [""; 0]);
    assert_eq!(families(1_001), ["E005 1003:10"]);

    // One layout for every choice of five options.
    let options = ["ws,nop", "sok,nop,nop", "ts,nop,nop", "?30", "?34"];
    let layout = |choice: usize| {
        let chosen = options.iter().enumerate().filter(|(index, _)| choice >> index & 1 == 1);
        chosen.map(|(_, option)| *option).collect::<Vec<_>>().join(",")
    };
    let family: String = (0..32).map(|choice| format!(":{}", layout(choice))).collect();
    let expanded = |lines: u32| {
        let sig = |window: u32| format!("sig = *:64:0:*:{},*:@all:df:0\n", window + 1);
        let signatures: String = (0..lines).map(sig).collect();
        let text = format!(
            "classes = unix\n[x-tcp:response]\nfamily = all{family}\nlabel = g:unix:A:\n{signatures}"
        );
        let errors: Vec<_> = findings(&text).into_iter().filter(Diagnostic::is_error).collect();
        errors
            .iter()
            .map(|found| format!("{} {}:{}", found.code, found.line, found.column))
            .collect::<Vec<_>>()
    };
    // 1,562 lines stand for 49,984 signatures.
    assert_eq!(expanded(1_563), ["E005 1567:7"]);
}

#[test]
fn quirks_of_the_other_ip_version_are_refused() {
    for quirk in ["df", "id+", "id-", "0+"] {
        assert_eq!(of_tcp_signature(&format!("6:64:0:*:mss*4,6:mss,nop:{quirk}:0")), ["E007 4:32"]);
    }
    assert_eq!(of_tcp_signature("4:64:0:*:mss*4,6:mss,nop:flow:0"), ["E007 4:32"]);
}

#[test]
fn fields_have_their_place() {
    for (text, expected) in [
        ("label = s:unix:A:\n", "E003 1:1"),
        ("sig = 1\n", "E003 1:1"),
        ("[mtu]\nclasses = unix\n", "E003 2:1"),
        ("[mtu]\nsys = Linux\n", "E003 2:1"),
        ("[mtu]\nlabel = x\nsys = x\nsig = 1\n", "E003 3:1"),
        ("[http:response]\nua_os = Linux\n", "E003 2:1"),
        ("[tcp:request]\nevidence = M\n", "E003 2:1"),
        ("[x-tcp:request]\nevidence = M\n", "E003 2:1"),
        (
            "[x-tcp:request]\nlabel = s:!:A:\nlabel = s:!:A:\nsys = A\nsig = *:9:9:9:9,9:nop:df:0\n",
            "E009 3:1",
        ),
        ("[mtu]\nlabel=\n", "E001 2:7"),
        ("label\n", "E001 1:6"),
        ("label : x\n", "E001 1:7"),
        ("=x\n", "E001 1:1"),
        ("[x-tcp:request]\nlabel = s:!:A:\nevidence = \nsys = A\nsig = *:9:9:9:9,9:nop:df:0\n", "E001 3:12"),
    ] {
        assert_eq!(places(text).first().map(String::as_str), Some(expected), "{text}");
    }
}

#[test]
fn an_error_in_a_label_does_not_blame_the_lines_below_it() {
    assert_eq!(in_tcp_section(&format!("label = s:!:A':\nsys = @win\nsig = {GOOD}\n")), ["E001 3:14"]);
    assert_eq!(in_tcp_section(&format!("label = s:nix:A:\nsig = {GOOD}\n")), ["E004 3:11"]);
}

#[test]
fn fill_windows_are_for_extended_sections_only() {
    let fill = "*:64:0:*:fill65536,7:mss,sok,ts,nop,ws:df,id+:0";
    assert_eq!(of_tcp_signature(fill), ["E001 4:16"]);
    let extended = |signature| {
        places(&format!("classes = unix\n[x-tcp:response]\nlabel = s:unix:A:\nsig = {signature}\n"))
    };
    assert_eq!(extended(fill), [""; 0]);
    assert_eq!(extended("*:64:0:*:fill65537,7:mss,sok,ts,nop,ws:df,id+:0"), ["E005 4:20"]);
    assert_eq!(extended("*:64:0:*:fill0,7:mss,sok,ts,nop,ws:df,id+:0"), ["E005 4:20"]);
}

#[test]
fn http_signatures_name_the_character_that_is_wrong() {
    for (signature, expected) in [
        ("2:Host::", "E001 4:7"),
        ("1:Ho st::", "E001 4:11"),
        ("1:,::", "E001 4:9"),
        ("1:Host,?=[a]::", "E001 4:15"),
        ("1:Host=[a]b::", "E001 4:17"),
        ("1:Host=[a::", "E001 4:14"),
        ("1:Host:A,B C:", "E001 4:17"),
        ("1:Host::a:b", "E001 4:16"),
    ] {
        assert_eq!(of_http_signature(signature).first().map(String::as_str), Some(expected), "{signature}");
    }
    let many = |count: usize| (0..count).map(|n| format!("X{n}")).collect::<Vec<_>>().join(",");
    assert_eq!(of_http_signature(&format!("1:{}::", many(32))), [""; 0]);
    assert_eq!(of_http_signature(&format!("1:{}::", many(33))), ["E005 4:127"]);
    assert_eq!(of_http_signature(&format!("1:A,B,C,D:{}:", many(33))), ["E005 4:135"]);
}

#[test]
fn a_statement_has_a_longest_length() {
    let label = |len: usize| format!("[mtu]\nlabel = {}\nsig = 1500\n", "x".repeat(len - "label = ".len()));
    assert_eq!(places(&label(8_192)), [""; 0]);
    assert_eq!(places(&label(8_193)), ["E005 2:1", "E003 3:1"]);
    assert_eq!(places(&format!(";{}\n", " ".repeat(10_000))), [""; 0]);
}

#[test]
fn ten_thousand_findings_of_a_kind_are_kept_and_an_error_is_never_lost() {
    let warnings = "[mtu] \n".repeat(10_001);
    assert_eq!(findings(&warnings).len(), 10_000);
    assert_eq!(findings(&"x\n".repeat(10_001)).len(), 10_000);
    assert_eq!(findings(&(warnings + "x\n")).iter().filter(|finding| finding.is_error()).count(), 1);
}

#[test]
fn a_line_that_is_too_long_to_show_is_left_out() {
    let text = "x".repeat(8_193);
    assert_eq!(findings(&text)[0].render(&text), "my.fp:1:1: error[E005]: more than 8192 bytes in one line");
}

#[test]
fn messages_do_not_steer_the_terminal() {
    let messages = findings("[tcp:request]\nlabel = s:!:A:\nsys = A\nsig = *:64:0:*:1,2:\u{1b}[2J:df:0\n");
    assert_eq!(messages[0].message, "no TCP option is called `·[2J`");
}

#[test]
fn stray_bytes_are_warnings() {
    assert_eq!(places("\u{feff}; nothing\n"), ["W101 1:1"]);
    assert_eq!(places("\u{feff}label = x\n"), ["W101 1:1", "E003 1:4"]);
    assert_eq!(places("; a\r\n\r\n; b\r"), ["W101 1:4"]);
    assert!(findings("; a\r\n\r\n; b\r")[0].message.starts_with("3 lines"));
    assert_eq!(places("[mtu] \nlabel = x\t\nsig = 1500 \t\n"), ["W101 1:6", "W101 2:10", "W101 3:11"]);
    assert_eq!(places("; x \n \t\n"), [""; 0]);
}

#[test]
fn blanks_behind_the_software_of_an_http_signature_stay_part_of_it() {
    let text = "classes = unix\n[http:request]\nlabel = s:unix:A:\nsig = *:A,B,C,D::x \nsig = *:A,B,C,E:: \n";
    assert_eq!(places(text), ["W101 4:19", "W101 5:18"]);
    let database = Database::parse(text, "my.fp").unwrap();
    let software: Vec<_> =
        database.http_requests().iter().map(|record| &*record.signature.software).collect();
    assert_eq!(software, ["x ", ""]);
}

#[test]
fn bytes_that_are_not_utf_8_are_errors_where_they_stand() {
    let bytes = b"classes = unix\n[tcp:request]\nlabel = s:unix:\xe9\xff:x\nsig = \xc3\nsig = 1\nlabel = s:nix:\xc3\xa9:\n";
    let error = Database::parse_bytes(bytes, "my.fp").unwrap_err();
    let places: Vec<_> = error.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(
        places[..2],
        ["my.fp:3:16: error[E001]: byte 0xe9 is not UTF-8", "my.fp:4:7: error[E001]: byte 0xc3 is not UTF-8",]
    );
    let others: Vec<_> = error.diagnostics()[2..]
        .iter()
        .map(|found| (found.code.as_str(), found.line, found.column))
        .collect();
    assert_eq!(others, [("E001", 5, 8), ("E004", 6, 11), ("E001", 6, 15)]);
}

/// Two signatures under labels of these types, the second in line 6.
fn of_two(kinds: [char; 2], signatures: [&str; 2]) -> Vec<String> {
    let [first_kind, second_kind] = kinds;
    let [first, second] = signatures;
    let text = format!(
        "classes = unix\n[x-tcp:request]\nlabel = {first_kind}:unix:A:\nsig = {first}\nlabel = {second_kind}:unix:B:\nsig = {second}\n"
    );
    findings(&text)
        .iter()
        .filter(|found| ["E008", "W102", "W103"].contains(&found.code.as_str()))
        .map(|found| {
            assert_eq!((found.line, found.column), (6, 7), "{found}");
            assert!(found.message.contains("line 4"), "{found}");
            found.code.to_string()
        })
        .collect()
}

#[test]
fn the_same_signature_twice_is_an_error_unless_p0f_takes_it() {
    assert_eq!(of_two(['s', 's'], ["4:64:0:*:1,2:mss:df:0", "4:64:0:*:1,2:mss:df:0"]), ["E008"]);
    assert_eq!(of_two(['s', 's'], ["*:64:0:*:1,2:mss:ecn:0", "*:60+4:0:*:1,2:?2:ecn,:0"]), ["E008"]);
    assert_eq!(of_two(['s', 'g'], ["*:64:0:*:1,2:mss::0", "*:64:0:*:1,2:mss::0"]), ["E008"]);
    // p0f does not see that these two are equal, but it does not read extended sections either.
    assert_eq!(of_two(['s', 's'], ["*:64:0:*:1,2:mss:df:0", "*:64:0:*:1,2:mss:df:0"]), ["E008"]);
    let twice = "label = s:unix:A:\nsig = *:64:0:*:1,2:mss:df:0\nsig = *:64:0:*:1,2:mss:df:0\n";
    assert_eq!(in_tcp_section(twice), ["W102 5:7"]);
    assert_eq!(of_two(['g', 'g'], ["*:64:0:*:1,2:mss::0", "*:64:0:*:1,2:mss::0"]), ["W103"]);
    assert_eq!(of_two(['g', 's'], ["*:64:0:*:1,2:mss::0", "*:64:0:*:1,2:mss::0"]), [""; 0]);
}

#[test]
fn a_wider_signature_above_shadows_a_narrower_one() {
    let shadowed = |first: &str, second: &str| of_two(['s', 's'], [first, second]) == ["W102"];
    for (wide, narrow) in [
        ("*:64:0:*:1,2:mss:df:0", "4:64:0:*:1,2:mss:df:0"),
        ("*:64:0:*:1,2:mss:df,id+:0", "6:64:0:*:1,2:mss::0"),
        ("*:64:0:*:1,2:mss:df,flow:0", "4:64:0:*:1,2:mss:df:0"),
        ("*:64:0:*:1,2:mss:df,flow:0", "6:64:0:*:1,2:mss:flow:0"),
        ("*:64:0:*:1,2:mss:df:0", "*:64:0:1460:1,2:mss:df:0"),
        ("*:64:0:*:1,*:mss:df:0", "*:64:0:*:1,2:mss:df:0"),
        ("*:64:0:*:1,2:mss:df:*", "*:64:0:*:1,2:mss:df:+"),
        ("*:64:0:*:*,2:mss:df:0", "*:64:0:*:mss*4,2:mss:df:0"),
        ("*:64:0:*:*,2:mss:df:0", "*:64:0:*:fill65536,2:mss:df:0"),
        ("*:64:0:*:%512,2:mss:df:0", "*:64:0:*:1024,2:mss:df:0"),
        ("*:64:0:*:%512,2:mss:df:0", "*:64:0:*:%1024,2:mss:df:0"),
        ("*:64:0:*:*,*:mss:df:*", "4:64:0:1460:1,2:mss:df:+"),
        ("*:64:0:*:1,2:mss:df:0", "*:29:0:*:1,2:mss:df:0"),
        ("*:64-:0:*:1,2:mss:df:0", "*:64:0:*:1,2:mss:df:0"),
        ("*:64-:0:*:1,2:mss:df:0", "*:20:0:*:1,2:mss:df:0"),
        ("*:64-:0:*:1,2:mss:df:0", "*:60-:0:*:1,2:mss:df:0"),
    ] {
        assert!(shadowed(wide, narrow), "{wide} above {narrow}");
        assert!(!shadowed(narrow, wide), "{narrow} above {wide}");
    }
    for (one, other) in [
        ("4:64:0:*:1,2:mss::0", "6:64:0:*:1,2:mss::0"),
        ("*:64:0:*:1,2:mss:flow:0", "*:64:0:*:1,2:mss::0"),
        ("*:64:0:*:1,2:mss:df:0", "*:64:0:*:1,2:mss:id-:0"),
        ("*:64:4:*:*,2:mss:df:0", "*:64:0:*:1,2:mss:df:0"),
        ("*:64:0:*:mss*4,2:mss:df:0", "*:64:0:*:mtu*4,2:mss:df:0"),
        ("*:64:0:*:%512,2:mss:df:0", "*:64:0:*:%768,2:mss:df:0"),
        ("*:128:0:*:1,2:mss:df:0", "*:92:0:*:1,2:mss:df:0"),
        ("*:64:0:*:*,2:mss,eol+1:df:0", "*:64:0:*:*,2:mss,eol+2:df:0"),
    ] {
        assert!(!shadowed(one, other) && !shadowed(other, one), "{one} and {other}");
    }
}

#[test]
fn signatures_shadow_within_their_direction_only() {
    let text = |second: &str| {
        format!(
            "classes = unix\n[tcp:request]\nlabel = s:unix:A:\nsig = {GOOD}\n[{second}]\nlabel = s:unix:A:\nsig = {GOOD}\n"
        )
    };
    assert_eq!(places(&text("tcp:response")), [""; 0]);
    assert_eq!(places(&text("x-tcp:request")), ["E008 7:7"]);
}

#[test]
fn http_signatures_shadow_what_they_match() {
    let of_two = |first: &str, second: &str| {
        let text =
            format!("classes = unix\n[http:request]\nlabel = s:unix:A:\nsig = {first}\nsig = {second}\n");
        let codes =
            findings(&text).into_iter().map(|found| found.code.as_str()).filter(|code| *code != "W111");
        codes.collect::<Vec<_>>()
    };
    assert_eq!(of_two("1:Host,Accept=[a]::x", "1:Host,Accept=[a]::x"), ["E008"]);
    assert_eq!(of_two("*:Host,?Via,Accept=[a]::", "1:Host,Accept=[bab]::y"), ["W102"]);
    // What tells more wins, though it stands below.
    assert_eq!(of_two("*:Host,Accept=[a]::", "1:Host,Accept=[bab]:DNT:"), [""; 0]);
    assert_eq!(of_two("*:Host,Accept=[a]::", "1:Host,?Date,Accept=[bab]::"), [""; 0]);
    assert_eq!(of_two("*:Accept,Host::", "1:Host,Accept::"), [""; 0]);
    assert_eq!(of_two("*:Host:DNT:", "1:Host,Accept::"), [""; 0]);
    assert_eq!(of_two("*:Host,Accept::", "1:Host,?Accept::"), [""; 0]);
    assert_eq!(of_two("*:Host,Accept=[b]::", "1:Host,Accept=[a]::"), [""; 0]);
    assert_eq!(of_two("0:Host::", "*:Host::"), [""; 0]);
    assert_eq!(of_two("*:?Via,Host::", "*:Host,Via::"), [""; 0]);
    assert_eq!(of_two("*:?Via::", "1:?Via::"), ["W102"]);
    assert_eq!(of_two("*:::", "*:Host::"), [""; 0]);
}

#[test]
fn doubtful_names_are_shown_at_their_first_place() {
    let text = "\
classes = unix
[tcp:request]
label = s:unix:Mac OS X:1
sig = 4:64:0:*:1,2:mss:df:0
label = s:unix:MacOS X:2
sig = 4:64:0:*:2,2:mss:df:0
label = s:!:Tool:
sys = mac os x,Linix, @unix
sig = 4:64:0:*:3,2:mss:df:0
label = s:!:Tool:2
sys = Linix,MacOS X
sig = 4:64:0:*:4,2:mss:df:0
";
    assert_eq!(places(text), ["W105 5:16", "W105 8:7", "W104 8:16"]);
    assert_eq!(findings(text)[0].message, "`MacOS X` is written `Mac OS X` in line 3");
    let http =
        "[http:request]\nua_os = Linux,iOS=[iPad]\nlabel = s:!:A:\nsys = Linux,iOS\nsig = *:A,B,C,D::\n";
    assert_eq!(places(http), [""; 0]);
}

#[test]
fn labels_without_signatures_are_shown() {
    assert_eq!(
        in_tcp_section(&format!("label = s:unix:A:\nlabel = s:unix:B:\nsig = {GOOD}\n")),
        ["W106 3:1"]
    );
    assert_eq!(in_tcp_section("label = s:unix:A:\n[mtu]\nlabel = x\n"), ["W106 3:1", "W106 5:1"]);
}

#[test]
fn doubtful_tcp_signatures_are_shown() {
    assert_eq!(of_tcp_signature("*:64:0:*:5840,6:mss,sok,ts,nop,ws:df,id+:0"), ["W107 4:16"]);
    assert_eq!(of_tcp_signature("*:64:0:1460:5840,6:mss,sok,ts,nop,ws:df,id+:0"), [""; 0]);
    assert_eq!(of_tcp_signature("*:64:0:*:8192,6:mss,sok,ts,nop,ws:df,id+:0"), [""; 0]);
    assert_eq!(of_tcp_signature("*:64:0:*:mss*4,6:mss,sok,ts,nop,ws:df,flow:0"), ["W108 4:45"]);
    assert_eq!(of_tcp_signature("6:64:0:*:mss*4,6:mss,sok,ts,nop,ws:flow:0"), [""; 0]);
    assert_eq!(of_tcp_signature("*:64:0:*:1,*:mss::0"), ["W109 4:7"]);
    assert_eq!(of_tcp_signature("*:64:0:*:1,*:mss:df:0"), [""; 0]);
    assert_eq!(in_tcp_section("label = g:unix:A:\nsig = *:64:0:*:1,*:mss::0\n"), [""; 0]);
    assert_eq!(of_tcp_signature("*:64:0:*:1,*:mss,ws,nop:id+,df,:0"), ["W113 4:7"]);
}

#[test]
fn options_that_do_not_fill_words_are_shown() {
    let shown = |layout: &str| of_tcp_signature(&format!("*:64:0:*:1,0:{layout}:df:0"));
    for layout in
        ["", "mss", "mss,sok,eol+1", "mss,sok,nop,nop,ts,eol+1", "mss,?34,nop", "sack,nop", "mss,eol+3"]
    {
        assert_eq!(shown(layout), [""; 0], "{layout}");
    }
    for layout in ["nop", "mss,sok,eol+2", "mss,sok,nop,nop,ts,eol+2", "mss,ws", "ts"] {
        assert_eq!(shown(layout), ["W114 4:20"], "{layout}");
    }
    assert_eq!(of_tcp_signature("*:64:0:*:1,0:mss,nop:df,bad:0"), [""; 0]);
}

#[test]
fn a_signature_that_wins_from_far_away_is_not_said_never_to_win() {
    let second = |ttl: &str| {
        let text = format!(
            "classes = unix\n[tcp:request]\nlabel = s:unix:A:\nsig = 4:64:0:*:1,2:mss:df:0\nlabel = s:unix:B:\n\
             sig = 4:{ttl}:0:*:1,2:mss:df:0\n"
        );
        findings(&text).remove(0).message
    };
    let far = "line 6 wins only for packets that came from very far: line 4 already matches the others";
    assert_eq!(second("40"), far);
    assert_eq!(second("64"), "this is the signature of line 4 again");
    let narrower = "classes = unix\n[tcp:request]\nlabel = s:unix:A:\nsig = 4:64:0:*:1,2:mss:df:0\n\
                    sig = 4:64:0:1460:1,2:mss:df:0\n";
    assert_eq!(findings(narrower)[0].message, "line 5 never wins: line 4 already matches all of it");
}

#[test]
fn the_help_of_an_unknown_class_names_only_the_first_known_ones() {
    let help = |classes: usize| {
        let names: Vec<_> = (0..classes).map(|class| format!("c{class}")).collect();
        let text = format!("classes = {},C1\n[tcp:request]\nlabel = s:nix:A:\n", names.join(","));
        findings(&text).remove(0).help.unwrap_or_default()
    };
    assert_eq!(help(2), "known classes: c0, c1");
    assert_eq!(help(10), "known classes: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9");
    assert_eq!(help(1_000), "known classes: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 990 more");
}

#[test]
fn a_file_has_a_largest_number_of_lines_and_keeps_the_rest_as_one() {
    let lines = "\n".repeat(1_000_000);
    assert_eq!(places(&lines), [""; 0]);
    let text = lines + "x\ny\n";
    let (file, found) = SignatureFile::parse(&text, "my.fp");
    assert_eq!(
        found.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["my.fp:1000001:1: error[E005]: more than 1000000 lines"]
    );
    assert_eq!(file.lines().len(), 1_000_001);
    assert!(file.to_string() == text);
}

#[test]
fn the_caret_stands_right_in_files_that_are_not_utf_8() {
    let bytes = b"; \xe9\xe8 caf\xc3\xa9\n[mtu]\nlabel = x\nsig = 15oo\n; \xe9\n[mtu] \xff";
    let error = Database::parse_bytes(bytes, "my.fp").unwrap_err();
    let rendered: Vec<_> = error.diagnostics().iter().map(|found| found.render(bytes)).collect();
    let number = rendered.iter().find(|text| text.contains("an MTU")).unwrap();
    assert!(number.ends_with("\n4 | sig = 15oo\n  |       ^^^^"), "{number}");
    assert!(rendered[0].contains("\n1 | ; \u{fffd}\u{fffd} caf\u{e9}\n  |   ^\n"), "{}", rendered[0]);
}

#[test]
fn doubtful_http_signatures_are_shown() {
    assert_eq!(of_http_signature("*:A,B,C,?D::"), ["W111 4:7"]);
    assert_eq!(of_http_signature("*:A,B,C,D,host:Content-type:"), ["W112 4:17", "W112 4:22"]);
    assert_eq!(of_http_signature("*:A,B,C,D,::"), ["W113 4:7"]);
    let generic = "classes = unix\n[http:request]\nlabel = g:unix:A:\nsig = *:A,B,C::\n";
    assert_eq!(places(generic), [""; 0]);
}

#[test]
fn a_case_that_was_seen_is_no_slip() {
    let text = |section: &str, evidence: &str| {
        format!(
            "classes = unix\n[{section}]\nlabel = s:unix:A:\n{evidence}sig = *:host,A,B,C::\nlabel = s:unix:B:\nsig = *:date,A,B,C::\n"
        )
    };
    assert_eq!(places(&text("http:request", "")), ["W112 4:9", "W112 6:9"]);
    assert_eq!(places(&text("x-http:request", "evidence = M: recorded\n")), ["W112 7:9"]);
    assert_eq!(
        places(&text("http:request", "evidence = M: recorded\n")),
        ["E003 4:1", "W112 5:9", "W112 7:9"]
    );
}

#[test]
fn a_second_label_for_an_mtu_is_shown() {
    assert_eq!(places("[mtu]\nlabel = x\nsig = 1500\nlabel = y\nsig = 1500\n"), ["W102 5:7"]);
}

#[test]
fn a_finding_is_rendered_with_its_line_and_a_caret() {
    let text = "classes = unix\n[tcp:request]\nlabel = s:unix:A:\n\tsig = *:64:0:*:1,*:mss:df,foo:0\n";
    let findings = findings(text);
    assert_eq!(findings[0].to_string(), "my.fp:4:28: error[E006]: no quirk is called `foo`");
    assert_eq!(&text[findings[0].span.clone()], "foo");
    assert_eq!(
        findings[0].render(text),
        "my.fp:4:28: error[E006]: no quirk is called `foo`\n  \
           |\n\
         4 | \tsig = *:64:0:*:1,*:mss:df,foo:0\n  \
           | \t                          ^^^\n  \
           = help: quirks are df, id+, id-, ecn, 0+, flow, seq-, ack+, ack-, uptr+, urgf+, pushf+, ts1-, ts2+, opt+, exws, bad"
    );
}

#[test]
fn rendering_copes_with_any_text() {
    let text = "\u{feff}[mtu]\r\nlabel = \u{1b}[31m\u{e9}\u{4e16}\r\nsig = \u{e9}x\r\n";
    for finding in findings(text) {
        let rendered = finding.render(text);
        assert!(!rendered.contains(['\u{1b}', '\r', '\u{feff}']), "{rendered:?}");
        assert_eq!(finding.render("").lines().count(), 1);
    }
    assert!(findings(text).last().unwrap().render(text).ends_with("\n3 | sig = éx\n  |       ^^"));
}

#[test]
fn an_error_of_a_database_counts_the_others() {
    let message = |text| Database::parse(text, "my.fp").unwrap_err().to_string();
    assert_eq!(message("[mtu]\nsig = 1\n"), "my.fp:2:1: error[E003]: `sig` must stand below a label");
    assert!(message("x\ny\n").ends_with(" (and 1 more error)"));
    assert!(message("x\ny\nz\n").ends_with(" (and 2 more errors)"));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let error = Database::open("no/such/file.fp").unwrap_err();
    assert!(matches!(error, DatabaseError::Read { .. }));
    assert_eq!(error.to_string(), "no/such/file.fp: cannot be read");
    let cause = core::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
    assert_eq!(cause.map(std::io::Error::kind), Some(std::io::ErrorKind::NotFound));
    assert!(error.diagnostics().is_empty());
}

#[test]
fn codes_are_numbered_in_order_and_start_with_their_severity() {
    let codes: Vec<_> = DiagnosticCode::ALL.iter().map(|code| code.as_str()).collect();
    assert!(codes.is_sorted());
    for code in DiagnosticCode::ALL {
        assert_eq!(code.severity().to_string().starts_with('e'), code.as_str().starts_with('E'));
    }
}

#[test]
fn every_code_is_explained() {
    let explained = include_str!("../../docs/signatures.md");
    for code in DiagnosticCode::ALL {
        assert!(explained.contains(&format!("| {code} |")), "{code}");
    }
}
