//! Problems found in one line.

use super::diagnostic::{DiagnosticCode, Problem, Severity};
use super::field::Field;

/// Collects the problems of one line.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn push(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// Notes the error, if it is one, and goes on without a value.
    pub(crate) fn keep<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        result.map_err(|problem| self.push(problem)).ok()
    }

    pub(crate) fn has_error(&self) -> bool {
        self.0.iter().any(|problem| problem.code.severity() == Severity::Error)
    }

    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Problem> {
        self.0.drain(..)
    }

    /// Notes it if `text` is not what the canonical form would be.
    pub(crate) fn check_canonical(&mut self, text: Field<'_>, canonical: &str) {
        if text.text != canonical {
            self.push(
                text.problem(DiagnosticCode::NotCanonical, "not in canonical form")
                    .help(format!("write {canonical}")),
            );
        }
    }
}
