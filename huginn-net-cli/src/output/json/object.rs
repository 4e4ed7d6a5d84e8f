//! The syntax of JSON, appended to lines without an allocation.

use core::fmt;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;

use super::super::append;

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
    lines.push(b'"');
    lines.extend_from_slice(word.as_bytes());
    lines.push(b'"');
}

/// Any text, without the quotes around it.
fn escape(text: &str, lines: &mut Vec<u8>) {
    if is_plain(text) {
        return lines.extend_from_slice(text.as_bytes());
    }
    let start = lines.len();
    string(text, lines);
    lines.pop();
    lines.remove(start);
}

/// Any text.
pub(super) fn string(text: &str, lines: &mut Vec<u8>) {
    if is_plain(text) {
        return plain(text, lines);
    }
    // A vector takes everything, and a string can always be written.
    let _ = serde_json::to_writer(lines, text);
}

/// Whether nothing needs escaping.
#[inline]
fn is_plain(text: &str) -> bool {
    // Without a way out, which lets processors look at many bytes at a time.
    text.bytes().fold(true, |plain, byte| plain & (byte >= 0x20) & (byte != b'"') & (byte != b'\\'))
}

#[inline]
pub(super) fn number(number: u64, lines: &mut Vec<u8>) {
    match u32::try_from(number) {
        Ok(small @ 0..=EightDigits::MAX) => {
            let digits = EightDigits::of(small);
            digits.append_significant(lines);
        }
        _ => lines.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}

/// The decimal digits of a number below 100,000,000, as characters with zeros in front.
///
/// A number is written with a copy of eight bytes whatever its length, which costs less than a copy of its length.
#[derive(Clone, Copy)]
pub(super) struct EightDigits(u64);

impl EightDigits {
    pub(super) const MAX: u32 = 99_999_999;

    /// All digits at once, within a register: halves the number into four digits each, these into two, and those into
    /// one, the first ones in the lowest bits. Divisions are multiplications by reciprocals that are exact in the
    /// range of each step.
    #[inline]
    pub(super) fn of(number: u32) -> Self {
        let number = u64::from(number);
        let fours = (number / 10_000) | ((number % 10_000) << 32);
        let hundreds = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
        let twos = hundreds | ((fours - 100 * hundreds) << 16);
        let tens = ((twos * 103) >> 10) & 0x0f_000f_000f_000f;
        let ones = tens | ((twos - 10 * tens) << 8);
        Self(ones)
    }

    #[inline]
    pub(super) fn bytes(self) -> [u8; 8] {
        (self.0 | u64::from_le_bytes([b'0'; 8])).to_le_bytes()
    }

    /// Appends the digits without the zeros in front; all of zero is one digit.
    #[inline]
    fn append_significant(self, lines: &mut Vec<u8>) {
        let zeros = (self.0.trailing_zeros() / 8).min(7);
        let characters = (self.0 | u64::from_le_bytes([b'0'; 8])) >> (8 * zeros);
        lines.extend_from_slice(&characters.to_le_bytes());
        lines.truncate(lines.len() - zeros as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: u64) -> String {
        let mut lines = Vec::new();
        number(value, &mut lines);
        String::from_utf8(lines).unwrap()
    }

    #[test]
    fn numbers_are_written_as_they_display() {
        for exponent in 0..20 {
            for value in [-1, 0, 1].map(|step| 10_u64.pow(exponent).wrapping_add_signed(step)) {
                assert_eq!(written(value), value.to_string());
            }
        }
        assert_eq!(written(u64::MAX), u64::MAX.to_string());
    }

    /// Each pair of two digits at each of its four places, which is all that the steps of the division tell apart.
    #[test]
    fn digits_are_right_at_every_place() {
        for four in 0..10_000_u32 {
            for number in [four, four * 10_000, four * 10_000 + 9_999 - four] {
                assert_eq!(EightDigits::of(number).bytes(), format!("{number:08}").as_bytes());
            }
        }
    }

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
}
