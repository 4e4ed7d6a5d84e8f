//! The words and signs of an expression.

use core::ops::Range;

use super::error::{FilterError, FilterReason};

/// A word or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A keyword, an address or a number.
    Word(&'a str),
    And,
    Or,
    Not,
    Open,
    Close,
    Slash,
}

/// A token and where it is.
#[derive(Clone, Debug)]
pub(super) struct Placed<'a> {
    pub(super) token: Token<'a>,
    pub(super) span: Range<usize>,
}

/// Cuts an expression into its tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed<'_>>, FilterError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_ascii_start();
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let (token, len) = match first {
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            '/' => (Token::Slash, 1),
            '!' if !rest.starts_with("!=") => (Token::Not, 1),
            '&' if rest.starts_with("&&") => (Token::And, 2),
            '|' if rest.starts_with("||") => (Token::Or, 2),
            '[' | ']' | '&' | '|' | '!' | '=' | '<' | '>' | '+' | '*' | '%' | '^' => {
                return Err(FilterError::new(FilterReason::Bytes, start..start + 1));
            }
            _ if is_of_word(first) => {
                let len = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
                let word = rest.get(..len).unwrap_or_default();
                (word_token(word), len)
            }
            _ => {
                let span = start..start + first.len_utf8();
                return Err(FilterError::new(FilterReason::Character(first), span));
            }
        };
        tokens.push(Placed { token, span: start..start + len });
        rest = rest.get(len..).unwrap_or_default().trim_ascii_start();
    }
    Ok(tokens)
}

/// The backslash is what tcpdump has before protocols that are keywords, too.
fn is_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '.' | ':' | '-' | '_' | '\\')
}

fn word_token(word: &str) -> Token<'_> {
    match word {
        "and" => Token::And,
        "or" => Token::Or,
        "not" => Token::Not,
        _ => Token::Word(word),
    }
}
