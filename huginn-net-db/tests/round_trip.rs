//! A file comes back byte for byte, and its canonical form says the same.

#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};

use huginn_net_core::IpVersion;
use huginn_net_db::{
    Database, DatabaseError, HttpRecord, ListedSystem, MtuRecord, SignatureFile, SignatureTtl, TcpFactSet,
    TcpRecord, TcpSignature, WindowPattern,
};
use huginn_net_tcp::{OptionKind, OptionLayout, Quirks};
use proptest::prelude::*;

/// What a database is made of, but for the warnings.
type Records =
    (Vec<TcpRecord>, Vec<TcpRecord>, Vec<HttpRecord>, Vec<HttpRecord>, Vec<MtuRecord>, Vec<ListedSystem>);

fn records(text: &str) -> Option<Records> {
    let database = Database::parse(text, "test.fp").ok()?;
    Some((
        database.tcp_requests().to_vec(),
        database.tcp_responses().to_vec(),
        database.http_requests().to_vec(),
        database.http_responses().to_vec(),
        database.mtus().to_vec(),
        database.user_agent_systems().to_vec(),
    ))
}

fn canonical(text: &str) -> String {
    SignatureFile::parse(text, "test.fp").0.canonical()
}

fn assert_round_trip(text: &str) {
    assert_eq!(SignatureFile::parse(text, "test.fp").0.to_string(), text);
    let canonical_text = canonical(text);
    assert_eq!(records(&canonical_text), records(text));
    assert_eq!(canonical(&canonical_text), canonical_text);
}

fn manifest_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn signature_files_in(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "fp")).collect();
    files.sort();
    files
}

/// The files of `pcaps`: small ones with one oddity each, and the database of the matching tests.
fn vectors() -> Vec<String> {
    let pcaps = manifest_dir().join("../pcaps");
    let mut files = signature_files_in(&pcaps.join("db"));
    files.extend(signature_files_in(&pcaps.join("fp")));
    assert!(files.len() >= 65, "{} files", files.len());
    files.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// One statement of each kind, in odd but accepted writing.
const EVERYTHING: &str = "\
; systems
classes = win, unix
classes=other

[mtu]
  label = Ethernet
\tsig = 01500
[x-mtu]
label=lo
sig = 065536

[tcp:request]
label=s:UNIX:Linux:3.x: and more
sig=4:54+10:0:*:mss*10,7:?2,?4,?8,nop,ws,:id+,df,df,:0
sig = 6:64+:040:1440:mtu*4,*:mss,nop,eol+3:flow:*
label = g:win:Windows:
sig = *:128-:0:*:%8192,8:mss,?77,?0:ecn,bad:+
label = s:!:Tool:
sys = @win, @Unix,Linux
sig = *:64:0:*:*,0:::0

[http:request]
ua_os=Linux,iOS=[iPad, or so],Mac OS X=[Mac OS X]
label = s:!:Browser:1
sys = Linux
sig = *:Host,?Cookie,Accept=[,*/*;q=:0.8],X_y=[1],:Via,DNT,: Chrom
[http:response]
label = s:other:Server:
sig = 0:Server=[a: b],Date,Content-Type::
[x-tcp:request]
label = s:unix:Linux:6.x
evidence = M R ; measured
sig = *:64:0:*:fill065536,7:mss,sok,ts,nop,ws:df,id+:0
evidence = K
sig = *:64:0:*:fill33280,7:mss,sok,ts,nop,ws:df,id+:0
[x-tcp:response]
family=linux_2,??8:?2:mss,nop,ws,:mss,sok,ts
label = g:unix:Linux:
sig = *:54+10:0:*:fill065536,7:@linux_2-?8:df:0
";

#[test]
fn one_statement_of_each_kind_goes_round() {
    assert!(records(EVERYTHING).is_some(), "{:?}", SignatureFile::parse(EVERYTHING, "").1);
    assert_round_trip(EVERYTHING);
}

#[test]
fn the_canonical_form_is_written_in_one_way() {
    let expected = "\
; systems
classes = win,unix
classes = other

[mtu]
label = Ethernet
sig   = 1500
[x-mtu]
label = lo
sig   = 65536

[tcp:request]
label = s:unix:Linux:3.x: and more
sig   = 4:64:0:*:mss*10,7:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:40:1440:mtu*4,*:mss,nop,eol+3:flow:*
label = g:win:Windows:
sig   = *:128-:0:*:%8192,8:mss,?77,eol+0:ecn,bad:+
label = s:!:Tool:
sys   = @win,@unix,Linux
sig   = *:64:0:*:*,0:::0

[http:request]
ua_os = Linux,iOS=[iPad, or so],Mac OS X
label = s:!:Browser:1
sys   = Linux
sig   = *:Host,?Cookie,Accept=[,*/*;q=:0.8],X_y=[1]:Via,DNT: Chrom
[http:response]
label = s:other:Server:
sig   = 0:Server=[a: b],Date,Content-Type::
[x-tcp:request]
label = s:unix:Linux:6.x
evidence = M R ; measured
sig   = *:64:0:*:fill65536,7:mss,sok,ts,nop,ws:df,id+:0
evidence = K
sig   = *:64:0:*:fill33280,7:mss,sok,ts,nop,ws:df,id+:0
[x-tcp:response]
family = linux_2,?ts:mss:mss,nop,ws:mss,sok,ts
label = g:unix:Linux:
sig   = *:64:0:*:fill65536,7:@linux_2-ts:df:0
";
    assert_eq!(canonical(EVERYTHING), expected);
}

#[test]
fn every_vector_goes_round() {
    for text in vectors() {
        assert_round_trip(&text);
    }
}

#[test]
fn stray_bytes_are_kept_and_gone_in_the_canonical_form() {
    let text = "\u{feff}classes = unix \r\n[tcp:request]\t\r\nlabel = s:unix:A:b \nsig = *:64:0:*:*,*:mss:df:0\t \r\n \t\r\n; c \r";
    assert_round_trip(text);
    assert_eq!(
        canonical(text),
        "classes = unix\n[tcp:request]\nlabel = s:unix:A:b\nsig   = *:64:0:*:*,*:mss:df:0\n\n; c\n"
    );
}

#[test]
fn lines_with_errors_are_kept_as_they_are() {
    let text = "[tcp:request]\n  label = s:nix:A\n[what]\nsig = 1\nfoo = bar\n";
    let (file, _) = SignatureFile::parse(text, "");
    assert_eq!(file.to_string(), text);
    assert_eq!(file.canonical(), text);
}

#[test]
fn the_bundled_files_go_round_without_a_finding_of_an_error() {
    let files = signature_files_in(&manifest_dir().join("data"));
    assert!(files.len() >= 2, "{files:?}");
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        assert!(records(&text).is_some(), "{}: {}", path.display(), Database::parse(&text, "").unwrap_err());
        assert_round_trip(&text);
    }
}

/// The file that p0f installs is not part of this project; on machines that have it, it is tried too.
#[test]
fn the_file_of_p0f_goes_round_where_it_is_installed() {
    let Ok(text) = fs::read_to_string("/etc/p0f/p0f.fp") else { return };
    let database = Database::parse(&text, "p0f.fp").unwrap();
    assert_eq!(database.tcp_requests().len() + database.tcp_responses().len(), 192);
    assert_round_trip(&text);
}

fn quirks(version: Option<IpVersion>) -> impl Strategy<Value = Quirks> {
    let forbidden = match version {
        None => Quirks::NONE,
        Some(IpVersion::V4) => Quirks::IPV6_ONLY,
        Some(IpVersion::V6) => Quirks::IPV4_ONLY,
    };
    let names: Vec<_> = Quirks::ALL.names().collect();
    prop::sample::subsequence(names, 0..5).prop_map(move |names| {
        let quirks = names.into_iter().filter_map(Quirks::from_name).fold(Quirks::NONE, |all, one| all | one);
        quirks - forbidden
    })
}

fn layout() -> impl Strategy<Value = OptionLayout> {
    let kinds = prop::collection::vec(1..=u8::MAX, 0..24);
    (kinds, prop::option::of(any::<u8>())).prop_map(|(kinds, eol)| {
        let mut layout = OptionLayout::EMPTY;
        for kind in kinds {
            layout.push(OptionKind(kind));
        }
        if let Some(padding) = eol {
            layout.push_eol(padding);
        }
        layout
    })
}

fn window() -> impl Strategy<Value = WindowPattern> {
    prop_oneof![
        Just(WindowPattern::Any),
        any::<u16>().prop_map(WindowPattern::Literal),
        (2..=u16::MAX).prop_map(WindowPattern::MultipleOf),
        (1..=1000_u16).prop_map(WindowPattern::Mss),
        (1..=1000_u16).prop_map(WindowPattern::Mtu),
        (1..=65_536_u32).prop_map(WindowPattern::Fill),
    ]
}

fn signature() -> impl Strategy<Value = TcpSignature> {
    let ttl = prop_oneof![
        (1..=u8::MAX).prop_map(SignatureTtl::Initial),
        (1..=u8::MAX).prop_map(SignatureTtl::AtMost)
    ];
    let version = prop_oneof![Just(None), Just(Some(IpVersion::V4)), Just(Some(IpVersion::V6))];
    version.prop_flat_map(quirks_of_version).prop_flat_map(move |(version, quirks)| {
        (
            ttl.clone(),
            any::<u8>(),
            any::<Option<u16>>(),
            window(),
            any::<Option<u8>>(),
            layout(),
            any::<Option<bool>>(),
            facts(version),
        )
            .prop_map(
                move |(ttl, ip_options_len, mss, window, window_scale, layout, has_payload, facts)| {
                    TcpSignature {
                        version,
                        ttl,
                        ip_options_len,
                        mss,
                        window,
                        window_scale,
                        layout,
                        quirks,
                        has_payload,
                        facts,
                    }
                },
            )
    })
}

/// Those that a packet of the version can have.
fn facts(version: Option<IpVersion>) -> impl Strategy<Value = TcpFactSet> {
    let mut sets = vec![TcpFactSet::NONE];
    if version == Some(IpVersion::V4) {
        let (sequence, zmap) = (TcpFactSet::SEQ_IS_DESTINATION, TcpFactSet::IP_ID_ZMAP);
        sets.extend([sequence, zmap, sequence | zmap, TcpFactSet::IP_ID_MASSCAN]);
    }
    prop::sample::select(sets)
}

fn quirks_of_version(version: Option<IpVersion>) -> impl Strategy<Value = (Option<IpVersion>, Quirks)> {
    (Just(version), quirks(version))
}

/// A vector with a few characters replaced, removed or put in.
fn mutated() -> impl Strategy<Value = String> {
    let texts = vectors().into_iter().chain([EVERYTHING.to_owned()]).collect::<Vec<_>>();
    let edit = (
        any::<prop::sample::Index>(),
        prop::option::of("[-+*?%:,;=@!\\[\\] \t\r\n\u{feff}é0-9a-z]"),
        any::<bool>(),
    );
    (prop::sample::select(texts), prop::collection::vec(edit, 1..6)).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, new, replace) in edits {
            let at = at.index(chars.len() + 1);
            if replace && at < chars.len() {
                chars.remove(at);
            }
            for c in new.iter().flat_map(|new| new.chars()) {
                chars.insert(at, c);
            }
        }
        chars.into_iter().collect()
    })
}

proptest! {
    // What fails belongs into a test of its own, not into a file of seeds.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_tcp_signature_is_read_as_it_is_displayed(signature in signature()) {
        let text = format!("classes = unix\n[x-tcp:request]\nlabel = s:unix:A:\nsig = {signature}\n");
        let database = Database::parse(&text, "test.fp").unwrap();
        prop_assert_eq!(database.tcp_requests()[0].signature, signature);
        assert_round_trip(&text);
    }

    #[test]
    fn any_text_comes_back(text in any::<String>()) {
        assert_round_trip(&text);
    }

    #[test]
    fn any_lines_of_the_characters_of_the_grammar_come_back(
        text in "(\\[(mtu|tcp:request|x-tcp:response|http:request|x-http:response)\\]\n|(label|sig|sys|ua_os|classes|evidence) ?= ?[sg*46:!0-9+,?%=a-z\\[\\]]{0,40}\r?\n){0,12}"
    ) {
        assert_round_trip(&text);
    }

    #[test]
    fn mutated_files_come_back(text in mutated()) {
        assert_round_trip(&text);
    }

    #[test]
    fn any_bytes_give_findings_with_places_in_the_file(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let error = Database::parse_bytes(&bytes, "test.fp").err();
        for finding in error.iter().flat_map(DatabaseError::diagnostics) {
            prop_assert!(finding.span.start <= finding.span.end && finding.span.end <= bytes.len());
            let before = &bytes[..finding.span.start];
            let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            prop_assert_eq!(finding.line as usize, line);
            prop_assert_eq!(finding.column as usize, finding.span.start - line_start + 1);
        }
    }
}
