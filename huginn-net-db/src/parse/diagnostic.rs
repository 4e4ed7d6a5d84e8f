//! What a signature file has wrong, with the place.

use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use super::columns::columns;
use super::reader::MAX_STATEMENT;

pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// One finding in a signature file.
///
/// Displays as one line, `file:line:column: error[E001]: message`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What kind of finding it is.
    pub code: DiagnosticCode,
    /// Name of the file.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// First byte of the place in its line, from 1.
    pub column: u32,
    /// The place in bytes from the start of the file; within one line, possibly empty.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to write instead, where that is known.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Whether the file is refused because of it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }

    /// How bad it is, which follows from the code.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The finding with the line it is in and a caret below the place, without a line feed at the end.
    ///
    /// `source` is what the file has, which need not be UTF-8. Control characters, also those that turn the direction of
    /// text, are shown as `·`. A line of more than 8,192 bytes, or one that is not in `source`, is left out.
    ///
    /// ```
    /// use huginn_net_db::Database;
    ///
    /// let text = "[mtu]\nlabel = Ethernet\nsig = 15oo\n";
    /// let error = Database::parse(text, "links.fp").unwrap_err();
    /// let rendered = error.diagnostics()[0].render(text);
    /// assert_eq!(
    ///     rendered,
    ///     "links.fp:3:7: error[E001]: an MTU is a number from 1 to 65535\n  |\n3 | sig = 15oo\n  |       ^^^^",
    /// );
    /// ```
    pub fn render(&self, source: impl AsRef<[u8]>) -> String {
        let Some(pieces) = self.pieces(source.as_ref()) else { return self.to_string() };
        let [before, marked, after] = pieces.map(String::from_utf8_lossy);
        // The byte order mark and the CR of a CRLF are not part of what one sees as the line.
        let before = before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&before);
        let after = after.strip_suffix('\r').unwrap_or(&after);
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let (before, marked, after) = (visible(before), visible(&marked), visible(after));
        // Tabs are kept, so that the caret stands below its place at any tab width.
        let room = |c: char| if c == '\t' { "\t".to_owned() } else { " ".repeat(columns(c)) };
        let indent: String = before.chars().map(room).collect();
        let carets = "^".repeat(marked.chars().map(columns).sum::<usize>().max(1));
        let mut text =
            format!("{self}\n{margin} |\n{number} | {before}{marked}{after}\n{margin} | {indent}{carets}");
        if let Some(help) = &self.help {
            text.push_str(&format!("\n{margin} = help: {help}"));
        }
        text
    }

    /// The line in three parts: before the place, the place, and after it.
    fn pieces<'a>(&self, source: &'a [u8]) -> Option<[&'a [u8]; 3]> {
        let (before, rest) = source.split_at_checked(self.span.start)?;
        let (marked, after) = rest.split_at_checked(self.span.end.checked_sub(self.span.start)?)?;
        let before = before.rsplit(|&byte| byte == b'\n').next()?;
        let after = after.split(|&byte| byte == b'\n').next()?;
        let marked = marked.strip_suffix(b"\n").unwrap_or(marked);
        (before.len() + marked.len() + after.len() <= MAX_STATEMENT).then_some([before, marked, after])
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, file, line, column, message, .. } = self;
        write!(f, "{file}:{line}:{column}: {}[{code}]: {message}", self.severity())
    }
}

/// The text without what a terminal would obey.
pub(crate) fn visible(text: &str) -> String {
    /// Separators of lines and paragraphs, and what has the property `Bidi_Control` (Unicode Standard Annex 9).
    const ACTIVE: [char; 14] = [
        '\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{202a}', '\u{202b}', '\u{202c}',
        '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
    ];
    let is_active = |c: char| c == BYTE_ORDER_MARK || c.is_control() && c != '\t' || ACTIVE.contains(&c);
    text.replace(is_active, "·")
}

/// How bad a finding is: whether the file can be used in spite of it, and there is nothing between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file can be used; displays as `warning`.
    Warning,
    /// The file is refused; displays as `error`.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal $severity:ident;)*) => {
        /// Kind of a finding; displays as its number, for example `E001`. `docs/signatures.md` explains each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum DiagnosticCode {
            $($(#[$doc])* $name,)*
        }

        impl DiagnosticCode {
            /// Every code, in the order of the numbers.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The number, for example `E001`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Whether a finding of this kind refuses the file.
            pub const fn severity(self) -> Severity {
                match self {
                    $(Self::$name => Severity::$severity,)*
                }
            }
        }
    };
}

codes! {
    /// E001: not what the grammar allows here.
    Syntax = "E001" Error;
    /// E002: a section of no known name.
    UnknownSection = "E002" Error;
    /// E003: a line where the ones before it do not allow it.
    Misplaced = "E003" Error;
    /// E004: a class that no `classes` line names.
    UnknownClass = "E004" Error;
    /// E005: a number or count out of its range.
    OutOfRange = "E005" Error;
    /// E006: a TCP option or quirk of no known name.
    UnknownName = "E006" Error;
    /// E007: a quirk that the IP version of the signature cannot have.
    QuirkVersion = "E007" Error;
    /// E008: a signature that stands above already.
    Duplicate = "E008" Error;
    /// E009: the label of a tool without its `sys` line.
    MissingSystems = "E009" Error;
    /// W101: a byte order mark, a carriage return, or blanks at the end of a line.
    StrayBytes = "W101" Warning;
    /// W102: a signature that never wins, because a specific one above it matches the same packets.
    Shadowed = "W102" Warning;
    /// W103: a generic signature that never wins, because a generic one above it matches the same packets.
    Unreachable = "W103" Warning;
    /// W104: a system that only `sys` lines name.
    UnknownSystem = "W104" Warning;
    /// W105: a name that differs from another one only in case or blanks.
    NameVariant = "W105" Warning;
    /// W106: a label without signatures.
    EmptyLabel = "W106" Warning;
    /// W107: a window in bytes that is a multiple of the segment size of a common link.
    LiteralMultiple = "W107" Warning;
    /// W108: the quirk `flow` in a signature for both IP versions.
    FlowForAnyVersion = "W108" Warning;
    /// W109: a TCP signature that tells too little apart.
    WeakTcp = "W109" Warning;
    /// W110: a specific TCP signature that packets match which were recorded of something else.
    Indistinct = "W110" Warning;
    /// W111: an HTTP signature that requires too few headers.
    WeakHttp = "W111" Warning;
    /// W112: a header name in unusual case.
    HeaderCase = "W112" Warning;
    /// W113: a signature that is not in canonical form.
    NotCanonical = "W113" Warning;
    /// W114: TCP options of a length that no packet can have.
    ImpossibleOptions = "W114" Warning;
}

impl fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A finding whose place is still counted within one line.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) code: DiagnosticCode,
    /// Bytes from the start of the line.
    pub(crate) range: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Problem {
    pub(crate) fn new(code: DiagnosticCode, range: Range<usize>, message: impl Into<String>) -> Self {
        Self { code, range, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::Database;

    fn rendered(text: &str) -> String {
        let error = Database::parse(text, "my.fp").unwrap_err();
        error.diagnostics().first().unwrap().render(text)
    }

    #[test]
    fn the_caret_stands_below_its_place_behind_wide_and_combining_characters() {
        let request =
            |header: &str| format!("classes = x\n[http:request]\nlabel = s:x:a:\nsig = 1:{header}::");
        let marked = |header: &str| rendered(&request(header)).lines().last().unwrap().to_owned();
        assert_eq!(marked("Host=[ab],B!"), "  |                    ^");
        assert_eq!(marked("Host=[漢],B!"), "  |                    ^");
        assert_eq!(marked("Host=[e\u{301}e\u{301}],B!"), "  |                    ^");
        // The place itself.
        assert!(rendered("[mtu]\nlabel = a\nsig = 漢字").ends_with("sig = 漢字\n  |       ^^^^"));
    }

    #[test]
    fn what_turns_the_direction_of_text_is_not_shown() {
        assert!(rendered("[mtu]\nlabel = a\nsig = \u{202e}9\u{2066}").contains("| sig = ·9·\n"));
    }
}
