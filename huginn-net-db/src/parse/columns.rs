//! How much room text takes in a terminal.

/// Blocks of characters that take two columns: the wide and full-width ones of Unicode Standard Annex 11, without what
/// is rare between them.
const WIDE: &[(char, char)] = &[
    ('\u{1100}', '\u{115f}'),
    ('\u{2e80}', '\u{303e}'),
    ('\u{3041}', '\u{a4cf}'),
    ('\u{a960}', '\u{a97c}'),
    ('\u{ac00}', '\u{d7a3}'),
    ('\u{f900}', '\u{faff}'),
    ('\u{fe30}', '\u{fe6f}'),
    ('\u{ff01}', '\u{ff60}'),
    ('\u{ffe0}', '\u{ffe6}'),
    ('\u{1f300}', '\u{1f64f}'),
    ('\u{1f680}', '\u{1f6ff}'),
    ('\u{1f900}', '\u{1f9ff}'),
    ('\u{20000}', '\u{3fffd}'),
];

/// Blocks of characters that take none: marks that combine with what stands before, joiners, and selectors of variants.
const COMBINING: &[(char, char)] = &[
    ('\u{300}', '\u{36f}'),
    ('\u{591}', '\u{5bd}'),
    ('\u{64b}', '\u{65f}'),
    ('\u{1ab0}', '\u{1aff}'),
    ('\u{1dc0}', '\u{1dff}'),
    ('\u{200b}', '\u{200d}'),
    ('\u{20d0}', '\u{20ff}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{fe20}', '\u{fe2f}'),
];

/// Columns that a character takes, 0 to 2. It is right for what people write, and not for every character there is.
pub(super) fn columns(character: char) -> usize {
    let is_in =
        |blocks: &[(char, char)]| blocks.iter().any(|&(first, last)| (first..=last).contains(&character));
    match character {
        // The first of those that are not of one column.
        ..'\u{300}' => 1,
        _ if is_in(COMBINING) => 0,
        _ if is_in(WIDE) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ideographs_and_pictures_take_two_columns_and_marks_none() {
        let widths = |text: &str| text.chars().map(columns).collect::<Vec<_>>();
        assert_eq!(widths("aé·…"), [1, 1, 1, 1]);
        assert_eq!(widths("漢字かな한글１😀"), [2; 8]);
        assert_eq!(widths("e\u{301}"), [1, 0]);
        assert_eq!(widths("\u{200b}\u{fe0f}"), [0, 0]);
    }
}
