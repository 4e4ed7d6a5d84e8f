//! Layouts that packets had before a middlebox took their timestamps option away.

use huginn_net_tcp::{OptionKind, OptionLayout};

/// Kinds of a Linux SYN that lost its timestamps and was padded anew.
const REPADDED_LINUX: [u8; 6] = [2, 4, 1, 1, 1, 3];

/// Whether [`restored_layouts`] can give anything; most layouts it cannot help.
pub(super) fn may_be_stripped(layout: &OptionLayout) -> bool {
    layout.kinds().len() >= REPADDED_LINUX.len() && !layout.kinds().contains(&OptionKind::TIMESTAMPS.0)
}

/// What the layout may have been before a middlebox took a timestamps option away.
///
/// Some devices overwrite the ten bytes with NOPs; as the option is aligned with NOPs, a run of up to thirteen can
/// hide it, at any place. Others write the remaining options anew with the least padding, which on a Linux SYN gives
/// one NOP more before the window scale than Linux itself sends.
pub(super) fn restored_layouts(layout: &OptionLayout) -> impl Iterator<Item = OptionLayout> + use<> {
    const OVERWRITTEN: usize = 10;
    const MOST_ALIGNMENT: usize = 3;

    let layout = *layout;
    let run = nop_run(layout.kinds(), OVERWRITTEN);
    let alignment =
        run.and_then(|(_, len)| len.checked_sub(OVERWRITTEN)).filter(|&len| len <= MOST_ALIGNMENT);
    let overwritten = run.zip(alignment).into_iter().flat_map(move |((start, _), alignment)| {
        (0..=alignment)
            .map(move |before| replace(&layout, start + before, OVERWRITTEN, &[OptionKind::TIMESTAMPS]))
    });
    let repadded = (layout.kinds() == REPADDED_LINUX)
        .then(|| replace(&layout, 2, 3, &[OptionKind::TIMESTAMPS, OptionKind::NOP]));
    overwritten.chain(repadded)
}

/// Start and length of the first run of at least `min_len` NOPs.
fn nop_run(kinds: &[u8], min_len: usize) -> Option<(usize, usize)> {
    let mut start = 0;
    for run in kinds.chunk_by(|a, b| a == b) {
        if run.first() == Some(&OptionKind::NOP.0) && run.len() >= min_len {
            return Some((start, run.len()));
        }
        start += run.len();
    }
    None
}

/// The layout with `len` kinds from `start` replaced.
fn replace(layout: &OptionLayout, start: usize, len: usize, by: &[OptionKind]) -> OptionLayout {
    let mut replaced = OptionLayout::EMPTY;
    let kinds = layout.kinds().iter().map(|&kind| OptionKind(kind));
    let (before, after) = (kinds.clone().take(start), kinds.skip(start + len));
    for kind in before.chain(by.iter().copied()).chain(after) {
        // What is put in is never longer than what was taken out.
        let _ =
            if kind == OptionKind::EOL { replaced.push_eol(layout.padding()) } else { replaced.push(kind) };
    }
    replaced
}
