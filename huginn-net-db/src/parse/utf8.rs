//! Files that are not UTF-8.

use super::diagnostic::{Diagnostic, DiagnosticCode};
use super::reader::{self, MAX_FINDINGS};

/// The findings of a file, of which at least one is that a byte is not UTF-8.
///
/// Of several such bytes in a line the first is named. In lines without them the other findings are there too.
pub(crate) fn diagnose(bytes: &[u8], name: &str) -> Vec<Diagnostic> {
    // One byte for each, so that everything else stays in its place.
    const STAND_IN: char = '?';

    let mut text = String::with_capacity(bytes.len());
    let mut wrong: Vec<Diagnostic> = Vec::new();
    let mut line = 1_u32;
    let mut line_start = 0;
    for chunk in bytes.utf8_chunks() {
        for (at, _) in chunk.valid().match_indices('\n') {
            line = line.saturating_add(1);
            line_start = text.len() + at + 1;
        }
        text.push_str(chunk.valid());
        let start = text.len();
        text.extend(chunk.invalid().iter().map(|_| STAND_IN));
        let is_first_of_line = wrong.last().is_none_or(|last| last.line != line);
        if let Some(first) = chunk.invalid().first()
            && is_first_of_line
            && wrong.len() < MAX_FINDINGS
        {
            wrong.push(Diagnostic {
                code: DiagnosticCode::Syntax,
                file: name.into(),
                line,
                column: u32::try_from(start - line_start + 1).unwrap_or(u32::MAX),
                span: start..text.len(),
                message: format!("byte 0x{first:02x} is not UTF-8"),
                help: Some("save the file as UTF-8".to_owned()),
            });
        }
    }
    let (_, mut others) = reader::read(&text, name);
    others.retain(|other| wrong.binary_search_by_key(&other.line, |wrong| wrong.line).is_err());
    others.extend(wrong);
    others.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
    others
}
