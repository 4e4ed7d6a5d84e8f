//! Grammar of `family` lines and of the references to them.

use std::collections::HashMap;
use std::sync::Arc;

use huginn_net_tcp::{OptionKind, OptionLayout};

use super::diagnostic::DiagnosticCode as Code;
use super::diagnostic::Problem;
use super::field::Field;
use super::problems::Problems;
use super::tcp;
use crate::LayoutFamily;
use crate::tcp::Negotiated;

/// Families of one file, each of which takes memory for up to 32 layouts.
pub(crate) const MAX_FAMILIES: usize = 1_000;

/// The families that lines so far have named.
#[derive(Debug, Default)]
pub(crate) struct Families(HashMap<String, Arc<LayoutFamily>>);

impl Families {
    /// Parses `name,?option:layout:layout…`, and remembers it for the lines below.
    pub(crate) fn parse(&mut self, value: Field<'_>, problems: &mut Problems) -> Option<Arc<LayoutFamily>> {
        let Some((head, layouts)) = value.split_once(':') else {
            problems.push(
                value
                    .syntax("a family has a name and layouts, with colons between them")
                    .help("write for example family = linux:mss:mss,nop,ws"),
            );
            return None;
        };
        let (name, optional) = head.split_once(',').map_or((head, None), |(name, rest)| (name, Some(rest)));
        problems.keep(self.check_name(name))?;
        let layouts = parse_layouts(layouts, problems);
        let optional = optional.map_or(Some(Negotiated::NONE), |list| parse_optional(list, problems));
        let family = LayoutFamily::new(name.text, optional?, layouts);
        if !problems.has_error() {
            problems.check_canonical(value, &family);
        }
        let family = Arc::new(family);
        self.0.insert(name.text.to_owned(), Arc::clone(&family));
        Some(family)
    }

    fn check_name(&self, name: Field<'_>) -> Result<(), Problem> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.text.chars().all(is_allowed) {
            return Err(name.syntax("the name of a family is made of letters, digits and _"));
        }
        if self.0.contains_key(name.text) {
            return Err(name.problem(Code::Duplicate, format!("a family `{}` stands above", name.text)));
        }
        if self.0.len() == MAX_FAMILIES {
            return Err(name.problem(Code::OutOfRange, format!("more than {MAX_FAMILIES} families")));
        }
        Ok(())
    }

    /// Parses what stands for the options of a signature, `@name+option-option`, without the `@`.
    pub(crate) fn reference(
        &self,
        text: Field<'_>,
        problems: &mut Problems,
    ) -> Option<(Arc<LayoutFamily>, Negotiated, Negotiated)> {
        let (name, mut rest) = text.take_while(|c| c != b'+' && c != b'-');
        let family = problems.keep(self.0.get(name.text).cloned().ok_or_else(|| {
            name.problem(Code::UnknownName, format!("no `family` line above names `{}`", name.text))
        }));
        let (mut with, mut without) = (Negotiated::NONE, Negotiated::NONE);
        while !rest.is_empty() {
            let (wanted, list) = match rest.strip_prefix("+") {
                Some(list) => (true, list),
                None => (false, rest.strip_prefix("-").unwrap_or(rest)),
            };
            let option;
            (option, rest) = list.take_while(|c| c != b'+' && c != b'-');
            let set = problems.keep(negotiated(option))?;
            if (with | without).intersects(set) {
                problems.push(option.syntax(format!("`{}` stands here twice", option.text)));
                return None;
            }
            if wanted { with = with | set } else { without = without | set }
        }
        family.map(|family| (family, with, without))
    }
}

/// Layouts between colons, none of which takes up the same options as another.
fn parse_layouts(list: Field<'_>, problems: &mut Problems) -> Vec<OptionLayout> {
    let mut layouts: Vec<OptionLayout> = Vec::new();
    for field in list.split(':') {
        let Some(layout) = problems.keep(tcp::layout(field)) else { continue };
        let taken = Negotiated::in_layout(&layout);
        // At most 32 are kept, as there are no more choices of options.
        if let Some(other) = layouts.iter().find(|known| Negotiated::in_layout(known) == taken) {
            let message = format!("`{other}` already answers the same offer");
            problems.push(field.problem(Code::Duplicate, message));
            continue;
        }
        tcp::check_options_len(&layout, field, problems);
        layouts.push(layout);
    }
    layouts
}

fn parse_optional(list: Field<'_>, problems: &mut Problems) -> Option<Negotiated> {
    let mut optional = Negotiated::NONE;
    for item in list.split(',') {
        let option = item.strip_prefix("?").ok_or_else(|| {
            item.syntax("behind the name stand options that may stay unanswered, for example ?ts")
        });
        let option = problems.keep(option)?;
        let set = problems.keep(negotiated(option))?;
        if !Negotiated::EXPECTED.contains(set) {
            problems.push(option.syntax("every server may leave this option unanswered"));
            return None;
        }
        optional = optional | set;
    }
    Some(optional)
}

fn negotiated(option: Field<'_>) -> Result<Negotiated, Problem> {
    let kind = match option.strip_prefix("?") {
        Some(number) => Some(OptionKind(number.number("the kind of a TCP option", 0..256)?)),
        None => OptionKind::from_name(option.text),
    };
    kind.and_then(Negotiated::of_kind).ok_or_else(|| {
        let message = format!("no answer depends on the offer of `{}`", option.text);
        option
            .problem(Code::UnknownName, message)
            .help("options that clients offer are ws, sok, ts, ?30 (Multipath TCP) and ?34 (Fast Open)")
    })
}
