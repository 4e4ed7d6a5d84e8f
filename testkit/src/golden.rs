//! Text compared with a file that says what it should be.

use std::fmt::Write as _;
use std::path::Path;

/// Name of the environment variable that, set to 1, makes [`check`] write files instead of comparing.
pub const BLESS: &str = "HUGINN_BLESS";

/// Lines shown around a difference.
const CONTEXT: usize = 2;
/// Lines of a difference shown at most.
const MOST_SHOWN: usize = 60;
/// Cells of the table in [`common`] at most; a larger difference is shown as one block.
const MOST_CELLS: usize = 4_000_000;

/// Compares text with a golden file; with `HUGINN_BLESS=1` writes it.
///
/// # Panics
/// If they differ or there is no such file; the message shows the lines.
pub fn check(path: &Path, actual: &str) {
    if std::env::var_os(BLESS).is_some_and(|value| value == "1") {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("the folder of a golden file can be made");
        }
        std::fs::write(path, actual).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let path_shown = path.display();
    let expected = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{path_shown}: {error} ({BLESS}=1 writes it)"));
    if let Some(difference) = difference(&expected, actual) {
        panic!("{path_shown} differs (- expected, + actual; {BLESS}=1 rewrites it):\n{difference}");
    }
}

/// The lines in which two texts differ, with some around them; `None` if they are equal.
#[must_use]
pub fn difference(expected: &str, actual: &str) -> Option<String> {
    if expected == actual {
        return None;
    }
    let old: Vec<&str> = expected.split_inclusive('\n').collect();
    let new: Vec<&str> = actual.split_inclusive('\n').collect();
    let edits = edits(&old, &new);
    let changed: Vec<usize> = (0..edits.len()).filter(|&index| edits[index].mark != ' ').collect();
    let mut text = String::new();
    let mut shown = 0;
    let mut next = 0;
    for (index, edit) in edits.iter().enumerate() {
        while changed.get(next).is_some_and(|&change| change + CONTEXT < index) {
            next += 1;
        }
        if changed.get(next).is_none_or(|&change| change > index + CONTEXT) {
            continue;
        }
        if shown == MOST_SHOWN {
            text.push_str("…\n");
            break;
        }
        shown += 1;
        let line = edit.text.strip_suffix('\n').unwrap_or(edit.text);
        let end = if edit.text.ends_with('\n') { "" } else { " (no newline at the end)" };
        writeln!(text, "{:>5} {} {line}{end}", edit.line, edit.mark)
            .expect("writing to a string does not fail");
    }
    Some(text)
}

/// A line of one text or both.
struct Edit<'a> {
    mark: char,
    /// Number of the line, from 1, in the text it comes from.
    line: usize,
    text: &'a str,
}

/// The lines of both texts, as few as possible of them removed or added.
fn edits<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Edit<'a>> {
    let equal = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(new).take_while(equal).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(equal).count();
    let kept = common(&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let kept = kept.into_iter().map(|(i, j)| (head + i, head + j));
    let kept = (0..head).map(|index| (index, index)).chain(kept);
    let kept = kept.chain((1..=tail).rev().map(|back| (old.len() - back, new.len() - back)));
    let (mut i, mut j) = (0, 0);
    let mut edits = Vec::new();
    for (keep_old, keep_new) in kept.chain([(old.len(), new.len())]) {
        edits.extend((i..keep_old).map(|at| Edit { mark: '-', line: at + 1, text: old[at] }));
        edits.extend((j..keep_new).map(|at| Edit { mark: '+', line: at + 1, text: new[at] }));
        if let Some(text) = old.get(keep_old) {
            edits.push(Edit { mark: ' ', line: keep_new + 1, text });
        }
        (i, j) = (keep_old + 1, keep_new + 1);
    }
    edits
}

/// Indexes of a longest common subsequence.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    if width.saturating_mul(old.len() + 1) > MOST_CELLS {
        return Vec::new();
    }
    let mut longest = vec![0_u32; width * (old.len() + 1)];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * width + j] = if old[i] == new[j] {
                1 + longest[(i + 1) * width + j + 1]
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    }

    #[test]
    fn shows_changed_lines_with_their_surroundings() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
        let shown = "    3   3\n    4   4\n    5 - 5\n    5 + five\n    6   6\n    7   7\n";
        assert_eq!(difference(old, new).as_deref(), Some(shown));
    }

    #[test]
    fn shows_added_and_removed_lines_apart() {
        let shown = "    1 - a\n    1   b\n    2   c\n    3 + d\n";
        assert_eq!(difference("a\nb\nc\n", "b\nc\nd\n").as_deref(), Some(shown));
    }

    #[test]
    fn a_missing_last_newline_is_a_difference() {
        let shown = "    1 - a\n    1 + a (no newline at the end)\n";
        assert_eq!(difference("a\n", "a").as_deref(), Some(shown));
    }

    #[test]
    fn long_differences_are_cut() {
        let old: String = (0..500).map(|number| format!("{number}\n")).collect();
        let shown = difference(&old, "").unwrap();
        assert_eq!(shown.lines().count(), MOST_SHOWN + 1);
        assert!(shown.ends_with("…\n"));
    }

    #[test]
    #[should_panic(expected = "1 + other")]
    fn check_fails_with_the_difference() {
        let folder = std::env::temp_dir().join(format!("testkit-golden-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("golden.txt");
        std::fs::write(&path, "text\n").unwrap();
        check(&path, "text\n");
        check(&path, "other\n");
    }
}
