//! The file format.

mod columns;
pub(crate) mod coverage;
mod diagnostic;
pub(crate) mod family;
pub(crate) mod field;
pub(crate) mod http;
pub(crate) mod http2;
mod names;
pub(crate) mod problems;
mod reader;
pub(crate) mod signatures;
mod statements;
pub(crate) mod tcp;
pub(crate) mod tls;
mod tree;
pub(crate) mod utf8;

pub(crate) use self::diagnostic::Problem;
pub use self::diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub(crate) use self::reader::{MAX_FINDINGS, read_known};
pub use self::tree::{Line, LineContent, Section, SignatureFile, Statement};
