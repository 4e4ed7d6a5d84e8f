//! Problems found in one line.

use core::fmt;

use super::diagnostic::{DiagnosticCode, Problem, Severity};
use super::field::Field;

/// What is looked for in a file beside what it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scrutiny {
    /// All that is doubtful.
    #[default]
    Full,
    /// Nothing but what the grammar does not allow: for files of which it is known that they have no findings.
    Grammar,
}

/// Collects the problems of one line.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    found: Vec<Problem>,
    scrutiny: Scrutiny,
}

impl Problems {
    pub(crate) const fn of(scrutiny: Scrutiny) -> Self {
        Self { found: Vec::new(), scrutiny }
    }

    pub(crate) fn push(&mut self, problem: Problem) {
        self.found.push(problem);
    }

    /// Notes the error, if it is one, and goes on without a value.
    pub(crate) fn keep<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        result.map_err(|problem| self.push(problem)).ok()
    }

    pub(crate) fn has_error(&self) -> bool {
        self.found.iter().any(|problem| problem.code.severity() == Severity::Error)
    }

    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Problem> {
        self.found.drain(..)
    }

    /// Whether it is looked for what is doubtful, too.
    pub(crate) fn takes_doubts(&self) -> bool {
        self.scrutiny == Scrutiny::Full
    }

    /// Notes it if `text` is not what the canonical form would be.
    pub(crate) fn check_canonical(&mut self, text: Field<'_>, canonical: &dyn fmt::Display) {
        if !self.takes_doubts() {
            return;
        }
        let canonical = canonical.to_string();
        if text.text != canonical {
            self.push(
                text.problem(DiagnosticCode::NotCanonical, "not in canonical form")
                    .help(format!("write {canonical}")),
            );
        }
    }
}
