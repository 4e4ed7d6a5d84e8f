//! Every file of `pcaps/db` gets the verdict of p0f 3.09b, except where this project means to differ.

#![cfg(test)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use huginn_net_db::{Database, Diagnostic};

/// Files that p0f refuses and this crate takes with a warning, and why.
const TAKEN_WITH_WARNING: [(&str, &str, &str); 5] = [
    ("bad_bom.fp", "W101", "a byte order mark says nothing about the signatures"),
    ("bad_section_trailing.fp", "W101", "a blank that nobody sees is no reason to refuse a file"),
    ("bad_trailing_space.fp", "W101", "a blank that nobody sees is no reason to refuse a file"),
    ("bad_covered_ttl.fp", "W102", "the signature never wins, which harms nobody"),
    ("bad_covered_win.fp", "W102", "the signature never wins, which harms nobody"),
];

/// Code, line and column of the only error in each file that is refused.
const ERRORS: [(&str, &str); 39] = [
    ("bad_25opts.fp", "E005 4:116"),
    ("bad_class_space_before_comma.fp", "E001 1:14"),
    ("bad_class_unknown.fp", "E004 3:11"),
    ("bad_dup.fp", "E008 5:7"),
    ("bad_dup_v4.fp", "E008 5:7"),
    ("bad_eol.fp", "E001 4:24"),
    ("bad_eol_mid.fp", "E001 4:20"),
    ("bad_http_33.fp", "E005 5:127"),
    ("bad_http_sw_colon.fp", "E001 5:16"),
    ("bad_http_val.fp", "E001 5:14"),
    ("bad_http_val_empty.fp", "E001 5:14"),
    ("bad_http_val_open.fp", "E001 5:14"),
    ("bad_http_ver.fp", "E001 5:7"),
    ("bad_inline_comment.fp", "E001 4:49"),
    ("bad_label_3fields.fp", "E001 3:17"),
    ("bad_mod1.fp", "E005 4:17"),
    ("bad_mss.fp", "E005 4:14"),
    ("bad_mtu0.fp", "E005 4:7"),
    ("bad_mtu_big.fp", "E005 4:7"),
    ("bad_mtu_txt.fp", "E001 4:7"),
    ("bad_name_apostrophe.fp", "E001 3:26"),
    ("bad_name_empty.fp", "E001 3:16"),
    ("bad_olen.fp", "E005 4:12"),
    ("bad_olen_star.fp", "E001 4:12"),
    ("bad_opt.fp", "E006 4:20"),
    ("bad_quirk.fp", "E006 4:24"),
    ("bad_quirk_v6.fp", "E007 4:24"),
    ("bad_section.fp", "E002 2:1"),
    ("bad_section_dir.fp", "E002 2:1"),
    ("bad_section_nodir.fp", "E002 2:1"),
    ("bad_short.fp", "E001 4:26"),
    ("bad_sys_class.fp", "E004 4:8"),
    ("bad_sys_for_os.fp", "E003 4:1"),
    ("bad_ttl_sum.fp", "E005 4:9"),
    ("bad_ua_os_after_label.fp", "E003 5:1"),
    ("bad_ua_os_place.fp", "E003 4:1"),
    ("bad_ua_os_space.fp", "E001 3:15"),
    ("bad_user_no_sys.fp", "E009 4:1"),
    ("bad_ver.fp", "E001 4:7"),
];

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../pcaps/db")
}

/// File name, description and what p0f says.
fn index() -> Vec<(String, String, String)> {
    let index = fs::read_to_string(directory().join("index.tsv")).unwrap();
    index
        .lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<_> = line.split('\t').map(str::to_owned).collect();
            let [name, description, verdict] = <[String; 3]>::try_from(columns).unwrap();
            (name, description, verdict)
        })
        .collect()
}

fn parse(name: &str) -> Result<Database, Vec<Diagnostic>> {
    let bytes = fs::read(directory().join(name)).unwrap();
    Database::parse_bytes(&bytes, name).map_err(|error| error.diagnostics().to_vec())
}

fn records(database: &Database) -> usize {
    database.tcp_requests().len()
        + database.tcp_responses().len()
        + database.http_requests().len()
        + database.http_responses().len()
        + database.mtus().len()
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|error| format!("{} {}:{}", error.code, error.line, error.column))
        .collect()
}

#[test]
fn every_file_gets_the_verdict_of_p0f_or_a_warning() {
    let warned: BTreeMap<_, _> = TAKEN_WITH_WARNING.iter().map(|&(name, code, _)| (name, code)).collect();
    let mut seen = 0;
    for (name, description, verdict) in index() {
        let ours = parse(&name);
        match (verdict.strip_prefix("OK: "), warned.get(name.as_str())) {
            (Some(count), _) => {
                let count: usize = count.split(' ').next().unwrap().parse().unwrap();
                let database = ours.unwrap_or_else(|errors| panic!("{name} ({description}): {errors:?}"));
                assert_eq!(records(&database), count, "{name}: {description}");
            }
            (None, Some(code)) => {
                let database = ours.unwrap_or_else(|errors| panic!("{name} ({description}): {errors:?}"));
                let codes: Vec<_> = database.warnings().iter().map(|warning| warning.code.as_str()).collect();
                assert!(codes.contains(code), "{name}: {codes:?}");
            }
            (None, None) => {
                let (_, line) = verdict.split_once("in line ").unwrap();
                let line: u32 = line.split([' ', '.']).next().unwrap().parse().unwrap();
                let diagnostics = ours.expect_err(&name);
                let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error()).unwrap();
                assert_eq!(error.line, line, "{name} ({description}): {error}");
            }
        }
        seen += 1;
    }
    assert_eq!(seen, 64);
}

#[test]
fn refused_files_name_code_line_and_column() {
    let expected: BTreeMap<_, _> = ERRORS.into_iter().collect();
    let warned: BTreeMap<_, _> = TAKEN_WITH_WARNING.iter().map(|&(name, code, _)| (name, code)).collect();
    for (name, description, verdict) in index() {
        if verdict.starts_with("OK") || warned.contains_key(name.as_str()) {
            continue;
        }
        let errors = errors(&parse(&name).unwrap_err());
        assert_eq!(errors, [*expected.get(name.as_str()).unwrap_or(&"")], "{name}: {description}");
    }
}

#[test]
fn files_that_p0f_accepts_give_no_errors_whatever_the_lints_say() {
    for (name, ..) in index().iter().filter(|(_, _, verdict)| verdict.starts_with("OK")) {
        let database = parse(name).unwrap();
        assert!(database.warnings().iter().all(|warning| !warning.is_error()), "{name}");
    }
}
