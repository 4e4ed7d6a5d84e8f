//! Names of systems that look like mistakes.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::diagnostic::DiagnosticCode as Code;
use super::reader::Place;

/// A name and where it stands.
#[derive(Debug)]
pub(crate) struct Mention {
    pub(crate) name: String,
    pub(crate) naming: Naming,
    pub(crate) place: Place,
}

/// What mentions a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    Label,
    UserAgent,
    Systems,
}

/// Names that only `sys` lines know (W104), and names that differ only in case or blanks (W105).
pub(crate) fn lint(mentions: &[Mention]) -> Vec<(Place, Code, String)> {
    let mut findings = Vec::new();
    let mut first_spellings: HashMap<String, &Mention> = HashMap::new();
    let mut spellings: HashSet<&str> = HashSet::new();
    let known: HashSet<String> = mentions
        .iter()
        .filter(|mention| mention.naming != Naming::Systems)
        .map(|mention| folded(&mention.name))
        .collect();
    for mention in mentions {
        if !spellings.insert(&mention.name) {
            continue;
        }
        let name = &mention.name;
        let folded = folded(name);
        let is_known = known.contains(&folded);
        match first_spellings.entry(folded) {
            Entry::Occupied(first) => {
                let (other, line) = (&first.get().name, first.get().place.line());
                let message = format!("`{name}` is written `{other}` in line {line}");
                findings.push((mention.place.clone(), Code::NameVariant, message));
            }
            Entry::Vacant(vacant) => {
                vacant.insert(mention);
                if !is_known {
                    let message = format!("no label and no `ua_os` line of this file names `{name}`");
                    findings.push((mention.place.clone(), Code::UnknownSystem, message));
                }
            }
        }
    }
    findings
}

/// The name without case and blanks.
fn folded(name: &str) -> String {
    name.chars().filter(|c| *c != ' ').map(|c| c.to_ascii_lowercase()).collect()
}
