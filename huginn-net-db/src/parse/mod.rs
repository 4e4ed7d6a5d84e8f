//! The file format.

mod coverage;
mod diagnostic;
mod family;
mod field;
mod http;
mod names;
mod problems;
mod reader;
mod signatures;
mod statements;
mod tcp;
mod tree;
pub(crate) mod utf8;

pub use self::diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use self::tree::{Line, LineContent, Section, SignatureFile, Statement};
