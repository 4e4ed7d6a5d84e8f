//! What is written of TCP stacks, kept for the next time.

use huginn_net::Stack;

/// Writes stacks. A capture has few that differ, so that what was written of one is kept for the next like it.
///
/// Memory is bounded: there is one stack at each place, and its text is limited by the number of options that fit a
/// packet and by the label of a signature.
pub(super) struct Stacks {
    /// In each the newest first, [`WAYS`] of them at most.
    sets: [Vec<Written>; Self::SETS],
}

/// Places where a stack may be.
const WAYS: usize = 4;

struct Written {
    stack: Stack,
    text: Vec<u8>,
}

impl Default for Stacks {
    fn default() -> Self {
        Self { sets: [const { Vec::new() }; Self::SETS] }
    }
}

impl Stacks {
    const SETS: usize = 64;

    /// Appends what is written of a stack but its origin, if need be by `write`.
    pub(super) fn write(
        &mut self,
        stack: &Stack,
        lines: &mut Vec<u8>,
        write: impl FnOnce(&Stack, &mut Vec<u8>),
    ) {
        let Some(set) = self.sets.get_mut(set_of(stack)) else { return };
        if let Some(known) = set.iter().find(|known| is_written_alike(&known.stack, stack)) {
            return lines.extend_from_slice(&known.text);
        }
        let start = lines.len();
        write(stack, lines);
        let written = lines.get(start..).unwrap_or_default();
        if set.len() < WAYS {
            return set.insert(0, Written { stack: stack.clone(), text: written.to_vec() });
        }
        set.rotate_right(1);
        if let Some(oldest) = set.first_mut() {
            oldest.stack.clone_from(stack);
            oldest.text.clear();
            oldest.text.extend_from_slice(written);
        }
    }
}

/// The set of a stack. Where a sender makes more compete for one than it has places for, they are written anew each time.
fn set_of(stack: &Stack) -> usize {
    // An odd number without a pattern, which spreads all bits over the highest ones: 2^64 by the golden ratio.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    const BITS: u32 = Stacks::SETS.ilog2();
    let seen = &stack.observation;
    let numbers = u64::from(seen.window)
        | u64::from(seen.mss.unwrap_or(0)) << 16
        | u64::from(seen.ttl) << 32
        | u64::from(seen.window_scale.unwrap_or(0)) << 40
        | u64::from(seen.quirks.bits()) << 48;
    let line = stack.labels.os.as_ref().map_or(0, |os| os.line);
    let spread = (numbers.rotate_left(5) ^ u64::from(line)).wrapping_mul(SPREAD);
    (spread >> (u64::BITS - BITS)) as usize
}

/// Whether all that is written of two stacks is the same.
fn is_written_alike(known: &Stack, stack: &Stack) -> bool {
    let (one, other) = (&known.observation, &stack.observation);
    one.ip_version == other.ip_version
        && one.ttl == other.ttl
        && one.ip_options_len == other.ip_options_len
        && one.mss == other.mss
        && one.window == other.window
        && one.window_multiple == other.window_multiple
        && one.window_scale == other.window_scale
        && one.quirks == other.quirks
        && one.has_payload == other.has_payload
        && one.facts.unpaired == other.facts.unpaired
        && one.layout == other.layout
        && known.distance == stack.distance
        && known.labels == stack.labels
}
