//! Parts of a line that know where they stand in it.

use core::ops::Range;

use super::diagnostic::{DiagnosticCode, Problem};

/// A part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) text: &'a str,
    /// First byte, counted from the start of the line.
    pub(crate) at: usize,
}

impl<'a> Field<'a> {
    pub(crate) const fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    pub(crate) const fn range(self) -> Range<usize> {
        self.at..self.end()
    }

    pub(crate) const fn end(self) -> usize {
        self.at + self.text.len()
    }

    pub(crate) fn split(self, separator: char) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        core::iter::from_fn(move || {
            let field = rest?;
            let split = field.split_once(separator);
            rest = split.map(|(_, after)| after);
            Some(split.map_or(field, |(before, _)| before))
        })
    }

    /// Items between commas. One comma after the last item is let pass, as p0f 3.09b does; no text is no item.
    pub(crate) fn items(self) -> impl Iterator<Item = Self> {
        let text = self.text.strip_suffix(',').unwrap_or(self.text);
        let is_list = !text.is_empty() || text.len() != self.text.len();
        is_list.then(|| Self { text, at: self.at }.split(',')).into_iter().flatten()
    }

    pub(crate) fn split_once(self, separator: char) -> Option<(Self, Self)> {
        // Most fields are shorter than what a search that is made for long texts prepares.
        let at = match u8::try_from(separator) {
            Ok(byte) if byte.is_ascii() => self.text.bytes().position(|it| it == byte)?,
            _ => self.text.find(separator)?,
        };
        let (before, after) = (self.text.get(..at)?, self.text.get(at + separator.len_utf8()..)?);
        Some((Self::new(before, self.at), Self::new(after, self.end() - after.len())))
    }

    pub(crate) fn strip_prefix(self, prefix: &str) -> Option<Self> {
        self.text.strip_prefix(prefix).map(|text| Self { text, at: self.at + prefix.len() })
    }

    pub(crate) fn trim_start(self) -> Self {
        let text = self.text.trim_start_matches(BLANKS);
        Self { text, at: self.end() - text.len() }
    }

    /// Cuts off the longest start of which every byte is accepted; those that are not ASCII are so all or not at all.
    pub(crate) fn take_while(self, accepts: impl Fn(u8) -> bool) -> (Self, Self) {
        let end = self.text.bytes().position(|byte| !accepts(byte));
        let (taken, rest) = end.and_then(|end| self.text.split_at_checked(end)).unwrap_or((self.text, ""));
        (Self { text: taken, at: self.at }, Self { text: rest, at: self.at + taken.len() })
    }

    /// The number that the text is; any number of leading zeros.
    pub(crate) fn number<T: TryFrom<u64>>(self, what: &str, allowed: Range<u64>) -> Result<T, Problem> {
        let last = allowed.end.saturating_sub(1);
        let expected = || format!("{what} is a number from {} to {last}", allowed.start);
        if self.is_empty() || !self.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.problem(DiagnosticCode::Syntax, expected()));
        }
        // Nothing but digits fails to parse only when the number is too big.
        self.text
            .parse()
            .ok()
            .filter(|number| allowed.contains(number))
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| self.problem(DiagnosticCode::OutOfRange, expected()))
    }

    /// A problem with the whole field.
    pub(crate) fn problem(self, code: DiagnosticCode, message: impl Into<String>) -> Problem {
        Problem::new(code, self.range(), message)
    }

    /// A problem with the whole field, which is not what the grammar allows.
    pub(crate) fn syntax(self, message: impl Into<String>) -> Problem {
        self.problem(DiagnosticCode::Syntax, message)
    }
}

/// What separates words in a line.
pub(crate) const BLANKS: [char; 2] = [' ', '\t'];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_know_where_they_stand() {
        let field = Field::new("ab,c,,d", 10);
        let parts: Vec<_> = field.split(',').map(|part| (part.text, part.at)).collect();
        assert_eq!(parts, [("ab", 10), ("c", 13), ("", 15), ("d", 16)]);
        let (before, after) = field.split_once(',').unwrap();
        assert_eq!((before.range(), after.range()), (10..12, 13..17));
        assert_eq!(Field::new(" \tx", 4).trim_start().range(), 6..7);
        let (word, rest) = Field::new("ab-c", 2).take_while(|byte| byte.is_ascii_alphanumeric());
        assert_eq!((word.range(), rest.range()), (2..4, 4..6));
    }

    #[test]
    fn a_list_may_end_with_one_comma() {
        let texts = |text| Field::new(text, 0).items().map(|item| item.text).collect::<Vec<_>>();
        assert_eq!(texts(""), Vec::<&str>::new());
        assert_eq!(texts("a"), ["a"]);
        assert_eq!(texts("a,"), ["a"]);
        assert_eq!(texts("a,,"), ["a", ""]);
        assert_eq!(texts(","), [""]);
    }

    #[test]
    fn numbers_keep_to_their_range_however_long_they_are() {
        let number = |text| Field::new(text, 0).number::<u8>("x", 1..256).map_err(|problem| problem.code);
        assert_eq!(number("255"), Ok(255));
        assert_eq!(number("0000000000000000000001"), Ok(1));
        assert_eq!(number("0"), Err(DiagnosticCode::OutOfRange));
        assert_eq!(number("99999999999999999999"), Err(DiagnosticCode::OutOfRange));
        assert_eq!(number("+1"), Err(DiagnosticCode::Syntax));
        assert_eq!(number(""), Err(DiagnosticCode::Syntax));
    }
}
