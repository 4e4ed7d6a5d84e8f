//! What is said on standard error.

use core::fmt;
use std::io::{self, Write};
use std::path::Path;

use huginn_net::SourceError;
use huginn_net::source::{Compression, Damage, DamageReason, Format};
use indicatif::ProgressBar;

/// Writes lines to standard error, without disturbing a progress bar.
#[derive(Clone)]
pub(crate) struct Messages {
    bar: ProgressBar,
}

impl Messages {
    /// Messages on standard error, next to this bar.
    pub(crate) fn beside(bar: ProgressBar) -> Self {
        Self { bar }
    }

    /// Writes an error: `huginn-net: ` and what is wrong.
    pub(crate) fn error(&self, what: impl fmt::Display) {
        self.say(format_args!("huginn-net: {what}"));
    }

    /// Writes what failed, and why.
    pub(crate) fn failed(&self, what: impl fmt::Display, error: &io::Error) {
        self.error(format_args!("{what}: {}", describe(error)));
    }

    /// Writes a line. There is nobody to tell if that fails.
    pub(crate) fn say(&self, line: impl fmt::Display) {
        self.beside_bar(|| {
            let _ = writeln!(io::stderr().lock(), "{line}");
        });
    }

    /// Takes the progress bar away for as long as something else is written to the terminal.
    pub(crate) fn beside_bar<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

/// What went wrong in the words of the operating system, without its number.
pub(crate) fn describe(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    let mut text = text.get(..end).unwrap_or(&text).to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    text
}

/// What is wrong with a capture, for a message that names it.
pub(crate) fn describe_damage(damage: &Damage, format: Option<Format>) -> String {
    let is_of_compression = matches!(damage.reason, DamageReason::BadCompression | DamageReason::LargeWindow);
    let is_compressed = format.is_some_and(|format| format.compression != Compression::None);
    if is_of_compression || is_compressed {
        format!("{damage} after decompression")
    } else {
        damage.to_string()
    }
}

/// Why a source failed, for a message that names it.
pub(crate) fn failure_of(error: &SourceError) -> String {
    match error {
        SourceError::Open { source, .. } | SourceError::Read(source) => describe(source),
        SourceError::Thread(source) => format!("{error}: {}", describe(source)),
        SourceError::Capture { doing, source } => format!("{doing}: {}", describe(source)),
        _ => error.to_string(),
    }
}

/// A path for messages.
pub(crate) fn shown(path: &Path) -> String {
    Printable(&path.to_string_lossy()).to_string()
}

/// Text with its control characters escaped, and with those that turn the direction of what follows, so that it can
/// neither drive a terminal nor look like something else.
pub(crate) struct Printable<'a>(pub(crate) &'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nearly all texts are plain, and looking at each character takes longer than writing them.
        if self.0.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return f.write_str(self.0);
        }
        for part in self.0.split_inclusive(is_active) {
            let mut chars = part.chars();
            match chars.next_back() {
                Some(last) if is_active(last) => write!(f, "{}{}", chars.as_str(), last.escape_default())?,
                _ => f.write_str(part)?,
            }
        }
        Ok(())
    }
}

/// A word from the wire in a row of others: as [`Printable`], and with its blanks, backslashes, characters that show nothing and
/// the bytes that are no UTF-8 escaped, so that it does not look like several words. Letters of different scripts may look alike.
pub(crate) struct Word<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = |byte: &u8| matches!(byte, b'!'..=b'~') && *byte != b'\\';
        for chunk in self.0.utf8_chunks() {
            let text = chunk.valid();
            if text.as_bytes().iter().all(is_plain) {
                f.write_str(text)?;
            } else {
                text.chars().try_for_each(|character| match character {
                    '\\' => f.write_str("\\\\"),
                    _ if is_blank(character) || is_active(character) => character.escape_unicode().fmt(f),
                    _ => fmt::Write::write_char(f, character),
                })?;
            }
            chunk.invalid().iter().try_for_each(|byte| write!(f, "\\x{byte:02x}"))?;
        }
        Ok(())
    }
}

/// Whether a character shows nothing, or a gap: white space, and most of those with the property
/// `Default_Ignorable_Code_Point` (Unicode Standard §5.21).
fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Whether a terminal does something for this character: a control character, a line or paragraph separator, or one with
/// the property `Bidi_Control` (Unicode Standard Annex 9).
pub(crate) fn is_active(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(Printable("a\x1b[31mb\u{9b}\n é").to_string(), "a\\u{1b}[31mb\\u{9b}\\n é");
        assert_eq!(Printable("Windows 10").to_string(), "Windows 10");
    }

    #[test]
    fn a_word_of_the_wire_looks_like_one_and_like_no_other() {
        let shown = |bytes: &[u8]| Word(bytes).to_string();
        assert_eq!(shown(b"www.example.test"), "www.example.test");
        assert_eq!(shown("b\u{fc}cher.test".as_bytes()), "b\u{fc}cher.test");
        assert_eq!(shown(b"x  Chrome 120"), "x\\u{20}\\u{20}Chrome\\u{20}120");
        assert_eq!(shown("x\u{3000}\u{202e}\x1b".as_bytes()), "x\\u{3000}\\u{202e}\\u{1b}");
        assert_eq!([shown(b"\xff"), shown(br"\xff")], [r"\xff", r"\\xff"]);
        assert_eq!(shown("a\u{200b}b\u{2800}c\u{feff}".as_bytes()), r"a\u{200b}b\u{2800}c\u{feff}");
    }

    #[test]
    fn what_turns_the_direction_of_text_is_escaped() {
        // Shown as it is, the name would read "elpmaxe.test" and move what stands behind it.
        assert_eq!(Printable("\u{202e}tset.example  Chrome").to_string(), "\\u{202e}tset.example  Chrome");
        assert_eq!(
            Printable("\u{2066}a\u{2069}\u{200f}\u{61c}").to_string(),
            "\\u{2066}a\\u{2069}\\u{200f}\\u{61c}"
        );
        // Text that runs from right to left by itself stays as it is.
        assert_eq!(Printable("דוגמה.test").to_string(), "דוגמה.test");
    }
}
