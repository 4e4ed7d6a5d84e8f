//! The syntax of JSON, appended to lines without an allocation.

use core::fmt;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;

use super::super::append;
use super::super::number::number;
use crate::messages::is_active;

/// A key behind another one, as it is written: comma, quotes and colon included.
#[derive(Clone, Copy)]
pub(super) struct Key(pub(super) &'static str);

/// The [`Key`] of a name.
macro_rules! key {
    ($($name:literal)+) => {
        $crate::output::json::object::Key(concat!(",\"", $($name,)+ "\":"))
    };
}

/// The [`Key`]s of text from outside: of the text itself, and of its exact bytes if it is not UTF-8.
macro_rules! twin_keys {
    ($name:literal) => {
        (
            $crate::output::json::object::key!($name),
            $crate::output::json::object::key!($name "_b64"),
        )
    };
}

pub(super) use {key, twin_keys};

/// An object whose first member has been written, and to which others are added.
///
/// Keys are known when this is compiled: inlined, they are copied by a few moves of fixed size, where a copy of any
/// size would cost a call.
pub(super) struct Object<'a> {
    lines: &'a mut Vec<u8>,
}

impl<'a> Object<'a> {
    /// The object at the end of these lines.
    pub(super) fn at_end_of(lines: &'a mut Vec<u8>) -> Self {
        Self { lines }
    }

    /// Adds a key, whose value is to be appended to what is returned.
    #[inline(always)]
    pub(super) fn member(&mut self, key: Key) -> &mut Vec<u8> {
        self.lines.extend_from_slice(key.0.as_bytes());
        self.lines
    }

    /// Adds members as they are to be written, with a comma in front.
    #[inline(always)]
    pub(super) fn members(&mut self, written: &[u8]) {
        self.lines.extend_from_slice(written);
    }

    #[inline(always)]
    pub(super) fn number(&mut self, key: Key, value: impl Into<u64>) {
        number(value.into(), self.member(key));
    }

    #[inline(always)]
    pub(super) fn boolean(&mut self, key: Key, value: bool) {
        self.member(key).extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// Adds a word of ours, in which nothing needs escaping.
    #[inline(always)]
    pub(super) fn word(&mut self, key: Key, word: &str) {
        plain(word, self.member(key));
    }

    /// Adds any text.
    pub(super) fn text(&mut self, key: Key, text: &str) {
        string(text, self.member(key));
    }

    /// Adds text from outside, whose bytes are kept whatever they are.
    pub(super) fn bytes(&mut self, (key, key_of_bytes): (Key, Key), bytes: &[u8]) {
        if is_plain(bytes) {
            return plain_bytes(bytes, self.member(key));
        }
        match str::from_utf8(bytes) {
            Ok(text) => self.text(key, text),
            Err(_) => {
                let latin1: String = bytes.iter().copied().map(char::from).collect();
                self.text(key, &latin1);
                let encoded = Base64Display::new(bytes, &STANDARD);
                append(self.member(key_of_bytes), format_args!("\"{encoded}\""));
            }
        }
    }

    /// Adds a list of texts from outside. If one is not UTF-8, all are there once more in Base64.
    pub(super) fn bytes_list<'v>(
        &mut self,
        (key, key_of_bytes): (Key, Key),
        values: impl Iterator<Item = &'v [u8]> + Clone,
    ) {
        self.list(key, values.clone(), |value, lines| match str::from_utf8(value) {
            Ok(text) => string(text, lines),
            Err(_) => string(&value.iter().copied().map(char::from).collect::<String>(), lines),
        });
        if values.clone().any(|value| str::from_utf8(value).is_err()) {
            self.list(key_of_bytes, values, |value, lines| {
                append(lines, format_args!("\"{}\"", Base64Display::new(value, &STANDARD)));
            });
        }
    }

    /// Adds a word of ours that `append` appends.
    #[inline]
    pub(super) fn appended(&mut self, key: Key, append: impl FnOnce(&mut Vec<u8>)) {
        let lines = self.member(key);
        lines.push(b'"');
        append(lines);
        lines.push(b'"');
    }

    /// Adds a word of ours by what it displays as.
    pub(super) fn displayed(&mut self, key: Key, word: impl fmt::Display) {
        append(self.member(key), format_args!("\"{word}\""));
    }

    /// Adds any text by what it displays as.
    pub(super) fn displayed_text(&mut self, key: Key, text: impl fmt::Display) {
        struct Escaping<'a>(&'a mut Vec<u8>);

        impl fmt::Write for Escaping<'_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                escape(text, self.0);
                Ok(())
            }
        }

        let lines = self.member(key);
        lines.push(b'"');
        // A vector takes everything.
        let _ = fmt::Write::write_fmt(&mut Escaping(lines), format_args!("{text}"));
        lines.push(b'"');
    }

    /// Adds a list, of which `write` appends each value.
    #[inline]
    pub(super) fn list<T>(
        &mut self,
        key: Key,
        values: impl Iterator<Item = T>,
        mut write: impl FnMut(T, &mut Vec<u8>),
    ) {
        let lines = self.member(key);
        lines.push(b'[');
        for (index, value) in values.enumerate() {
            if index > 0 {
                lines.push(b',');
            }
            write(value, lines);
        }
        lines.push(b']');
    }

    /// Adds an object of counts by words of ours.
    pub(super) fn counts<'c>(&mut self, key: Key, counts: impl Iterator<Item = (&'c str, u64)>) {
        let lines = self.member(key);
        lines.push(b'{');
        for (index, (name, count)) in counts.enumerate() {
            if index > 0 {
                lines.push(b',');
            }
            plain(name, lines);
            lines.push(b':');
            number(count, lines);
        }
        lines.push(b'}');
    }

    /// Ends the object and its line.
    #[inline]
    pub(super) fn end(self) {
        self.lines.extend_from_slice(b"}\n");
    }
}

/// A word of ours, in which nothing needs escaping.
#[inline]
pub(super) fn plain(word: &str, lines: &mut Vec<u8>) {
    plain_bytes(word.as_bytes(), lines);
}

#[inline]
fn plain_bytes(word: &[u8], lines: &mut Vec<u8>) {
    lines.push(b'"');
    lines.extend_from_slice(word);
    lines.push(b'"');
}

/// Any text, without the quotes around it.
fn escape(text: &str, lines: &mut Vec<u8>) {
    if is_plain(text.as_bytes()) {
        return lines.extend_from_slice(text.as_bytes());
    }
    // JSON need not escape these, but they end lines for some readers, and drive terminals.
    let is_hidden = |character: char| character >= '\u{7f}' && is_active(character);
    for part in text.split_inclusive(is_hidden) {
        let hidden = part.chars().next_back().filter(|&last| is_hidden(last));
        let visible = hidden.and_then(|hidden| part.strip_suffix(hidden)).unwrap_or(part);
        let start = lines.len();
        // A vector takes everything, and a string can always be written.
        let _ = serde_json::to_writer(&mut *lines, visible);
        lines.pop();
        lines.remove(start);
        if let Some(hidden) = hidden {
            append(lines, format_args!("\\u{:04x}", u32::from(hidden)));
        }
    }
}

/// Any text.
pub(super) fn string(text: &str, lines: &mut Vec<u8>) {
    lines.push(b'"');
    escape(text, lines);
    lines.push(b'"');
}

/// Whether nothing needs escaping, as far as that is seen at once.
#[inline]
fn is_plain(text: &[u8]) -> bool {
    // Without a way out, which lets processors look at many bytes at a time.
    text.iter()
        .fold(true, |plain, &byte| plain & matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_utf8_come_as_latin1_and_in_base64() {
        let mut lines = Vec::new();
        let mut object = Object::at_end_of(&mut lines);
        object.bytes(twin_keys!("a"), b"x\"\n");
        object.bytes(twin_keys!("b"), b"y\"\xff");
        assert_eq!(
            String::from_utf8(lines).unwrap(),
            ",\"a\":\"x\\\"\\n\",\"b\":\"y\\\"ÿ\",\"b_b64\":\"eSL/\""
        );
    }

    #[test]
    fn what_ends_lines_or_drives_terminals_is_escaped() {
        let mut lines = Vec::new();
        string("a\u{7f}\"\u{9b}é\u{2028}\u{202e}", &mut lines);
        assert_eq!(String::from_utf8(lines).unwrap(), r#""a\u007f\"\u009bé\u2028\u202e""#);
    }
}
