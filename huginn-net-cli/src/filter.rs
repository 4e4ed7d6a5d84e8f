//! `--filter`: an expression from the command line, or what is wrong with it.

use huginn_net::{Filter, FilterError, FilterReason};

use crate::exit::Outcome;
use crate::messages::{Messages, Printable};

/// Columns of an expression that are shown, and those of them before what is wrong.
const SHOWN: usize = 76;
const SHOWN_BEFORE: usize = 48;

/// Reads an expression. What is wrong has been said when this fails.
pub(crate) fn parse(expression: &str, messages: &Messages) -> Result<Filter, Outcome> {
    Filter::parse(expression).map_err(|error| {
        messages.error(format_args!("--filter: {error}"));
        if let Some(excerpt) = excerpt(expression, &error) {
            messages.say(excerpt);
        }
        Outcome::Usage
    })
}

/// The part of an expression that is wrong, in its place, with marks below it; `None` if that is the length.
fn excerpt(expression: &str, error: &FilterError) -> Option<String> {
    if matches!(error.reason(), FilterReason::TooLong(_)) {
        return None;
    }
    // What stands before is ASCII, so that bytes are columns.
    let span = error.span();
    let from = span.start.saturating_sub(SHOWN_BEFORE);
    let shown: String =
        expression.chars().skip(from).take(SHOWN).map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    let ellipsis = if from > 0 { "…" } else { "" };
    let before = ellipsis.chars().count() + span.start - from;
    let wrong = expression.get(span).map_or(0, |wrong| wrong.chars().count());
    let marks = "^".repeat(wrong.clamp(1, SHOWN - SHOWN_BEFORE));
    Some(format!("  {ellipsis}{}\n  {:before$}{marks}", Printable(shown.trim_end()), ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_excerpt(expression: &str, expected: Option<&str>) {
        let error = Filter::parse(expression).expect_err("no expression");
        assert_eq!(excerpt(expression, &error).as_deref(), expected);
    }

    #[test]
    fn marks_are_below_what_is_wrong() {
        assert_excerpt("tcp port 99999 or udp", Some("  tcp port 99999 or udp\n           ^^^^^"));
        assert_excerpt("tcp\tand\nhost x", Some("  tcp and host x\n               ^"));
        assert_excerpt("tcp and", Some("  tcp and\n         ^"));
        assert_excerpt("ä", Some("  ä\n  ^"));
    }

    #[test]
    fn of_a_long_expression_the_part_that_is_wrong_is_shown() {
        let long = format!("host {}10.0.0.1 and x{}", "10.0.0.1 or ".repeat(100), " or tcp".repeat(100));
        let error = Filter::parse(&long).expect_err("no expression");
        let shown = excerpt(&long, &error).expect("an excerpt");
        let (line, marks) = shown.split_once('\n').expect("two lines");
        assert_eq!(line.chars().position(|c| c == 'x'), marks.find('^'), "{shown}");
        assert!(line.chars().count() <= SHOWN + 3, "{shown}");
        assert_excerpt(&" ".repeat(Filter::MAX_LEN + 1), None);
    }

    #[test]
    fn what_is_behind_the_error_cannot_drive_a_terminal() {
        assert_excerpt("tcp ~\u{1b}[31m", Some("  tcp ~\\u{1b}[31m\n      ^"));
    }
}
