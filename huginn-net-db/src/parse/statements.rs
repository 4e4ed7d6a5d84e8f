//! Grammar of everything but signatures.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::diagnostic::DiagnosticCode as Code;
use super::diagnostic::Problem;
use super::field::Field;
use super::http::bracketed;
use super::problems::Problems;
use crate::{Class, Client, ClientKind, Label, ListedSystem, Specificity, SystemRef};

/// Known classes that the help of an error names.
const MAX_CLASSES_SHOWN: usize = 10;

/// Classes by the names that `classes` lines gave them; their case does not count.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// By name in lower case.
    spellings: HashMap<String, String>,
    /// The first ones, in file order.
    first: Vec<String>,
}

impl Classes {
    pub(crate) fn register(&mut self, class: &str) {
        let Entry::Vacant(vacant) = self.spellings.entry(class.to_ascii_lowercase()) else { return };
        vacant.insert(class.to_owned());
        if self.first.len() < MAX_CLASSES_SHOWN {
            self.first.push(class.to_owned());
        }
    }

    fn find(&self, class: &str) -> Option<&String> {
        // Most are spelled in lower case.
        self.spellings.get(class).or_else(|| self.spellings.get(&class.to_ascii_lowercase()))
    }

    fn require(&self, class: Field<'_>) -> Result<String, Problem> {
        check_chars(class, "a class", "letters and digits", |c| c.is_ascii_alphanumeric())?;
        self.find(class.text).cloned().ok_or_else(|| {
            class
                .problem(Code::UnknownClass, format!("no `classes` line names the class `{}`", class.text))
                .help(self.known())
        })
    }

    fn known(&self) -> String {
        if self.first.is_empty() {
            return "a line `classes = …` before the first section names the classes".to_owned();
        }
        let more = match self.spellings.len() - self.first.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("known classes: {}{more}", self.first.join(", "))
    }
}

/// `a,b`, with blanks after the commas.
pub(crate) fn classes<'a>(value: Field<'a>, problems: &mut Problems) -> Vec<&'a str> {
    let mut classes = Vec::new();
    for item in value.split(',').map(Field::trim_start) {
        let checked = check_chars(item, "a class", "letters and digits", |c| c.is_ascii_alphanumeric());
        if problems.keep(checked).is_some() {
            classes.push(item.text);
        }
    }
    classes
}

/// `type:class:name:flavor`, with the place of the name.
pub(crate) fn label<'a>(
    value: Field<'a>,
    classes: &Classes,
    problems: &mut Problems,
) -> Option<(Label, Field<'a>)> {
    let parts = value
        .split_once(':')
        .and_then(|(kind, rest)| rest.split_once(':').map(|(class, rest)| (kind, class, rest)))
        .and_then(|(kind, class, rest)| {
            rest.split_once(':').map(|(name, flavor)| (kind, class, name, flavor))
        });
    let Some((kind, class, name, flavor)) = parts else {
        problems.push(
            Problem::new(Code::Syntax, value.end()..value.end(), "a label has 4 fields between colons")
                .help("write type:class:name:flavor, where the flavor may be empty"),
        );
        return None;
    };
    let specificity = problems.keep(match kind.text {
        "s" => Ok(Specificity::Specific),
        "g" => Ok(Specificity::Generic),
        _ => Err(kind.syntax("the type of a label is s (specific) or g (generic)")),
    });
    let class = match class.text {
        "!" => Some(Class::Tool),
        _ => problems.keep(classes.require(class)).map(Class::Os),
    };
    problems.keep(check_name(name))?;
    Some((Label::new(specificity?, class?, name.text, flavor.text), name))
}

/// `kind:name:version`, with the place of the name.
pub(crate) fn client<'a>(value: Field<'a>, problems: &mut Problems) -> Option<(Client, Field<'a>)> {
    let parts = value
        .split_once(':')
        .and_then(|(kind, rest)| rest.split_once(':').map(|(name, version)| (kind, name, version)));
    let Some((kind, name, version)) = parts else {
        problems.push(
            Problem::new(Code::Syntax, value.end()..value.end(), "a client has 3 fields between colons")
                .help("write kind:name:version, where the version may be empty"),
        );
        return None;
    };
    let kind = problems.keep(match kind.text {
        "client" => Ok(ClientKind::Genuine),
        "library" => Ok(ClientKind::Library),
        "impersonator" => Ok(ClientKind::Impersonator),
        _ => Err(kind.syntax("the kind of a client is client, library or impersonator")),
    });
    problems.keep(check_name(name))?;
    Some((Client::new(kind?, name.text, version.text), name))
}

/// `@class,name`, with blanks after the commas. Every item comes with its place.
pub(crate) fn systems<'a>(
    value: Field<'a>,
    classes: &Classes,
    problems: &mut Problems,
) -> Vec<(SystemRef, Field<'a>)> {
    let mut systems = Vec::new();
    for item in value.split(',').map(Field::trim_start) {
        let system = match item.strip_prefix("@") {
            Some(class) => classes.require(class).map(SystemRef::Class),
            None => check_name(item).map(|()| SystemRef::Name(item.text.to_owned())),
        };
        systems.extend(problems.keep(system).map(|system| (system, item)));
    }
    systems
}

/// `name,name=[pattern]`. Every item comes with the place of its name.
pub(crate) fn user_agent_systems(value: Field<'_>) -> Result<Vec<(ListedSystem, Field<'_>)>, Problem> {
    let mut systems = Vec::new();
    let mut rest = value;
    loop {
        let (name, after) = rest.take_while(|c| c != b',' && c != b'=');
        check_name(name)?;
        let (pattern, after) = match after.strip_prefix("=") {
            Some(pattern) => bracketed(pattern)?,
            None => (name, after),
        };
        let (name_text, pattern) = (name.text.to_owned(), pattern.text.to_owned());
        systems.push((ListedSystem { name: name_text, pattern }, name));
        if after.is_empty() {
            return Ok(systems);
        }
        rest = after.strip_prefix(",").ok_or_else(|| after.syntax("systems are separated by commas"))?;
    }
}

fn check_name(name: Field<'_>) -> Result<(), Problem> {
    check_chars(name, "a name", "letters, digits, blanks and ./-_!?()", |c| {
        c.is_ascii_alphanumeric() || b" ./-_!?()".contains(&c)
    })
}

fn check_chars(
    field: Field<'_>,
    what: &str,
    allowed: &str,
    is_allowed: impl Fn(u8) -> bool,
) -> Result<(), Problem> {
    if field.is_empty() {
        return Err(field.syntax(format!("{what} is missing here")));
    }
    let (_, rest) = field.take_while(is_allowed);
    let Some(wrong) = rest.text.chars().next() else { return Ok(()) };
    let range = rest.at..rest.at + wrong.len_utf8();
    Err(Problem::new(Code::Syntax, range, format!("{what} is made of {allowed}")))
}
