//! The options that nearly all SYNs have.

use crate::TcpOptions;
use crate::seen::Ticks;

/// Whether options are, in their order and each in its usual length, those that systems of today or their scanners send.
///
/// Compares whole words, as all of these layouts are aligned to them.
pub(crate) fn is_common(options: &[u8]) -> bool {
    let (words, rest) = options.as_chunks::<4>();
    let is_known = matches!(
        words,
        // None: zmap, masscan, hping3.
        []
        // `mss`: nmap, and small stacks.
        | [[2, 4, _, _]]
        // `mss,sok,ts,nop,ws`: Linux and Android.
        | [[2, 4, _, _], [4, 2, 8, 10], _, _, [1, 3, 3, _]]
        // `mss,nop,nop,sok,nop,ws`: the same without timestamps.
        | [[2, 4, _, _], [1, 1, 4, 2], [1, 3, 3, _]]
        // `mss,nop,ws,nop,nop,sok`: Windows.
        | [[2, 4, _, _], [1, 3, 3, _], [1, 1, 4, 2]]
        // `mss,nop,ws,nop,nop,ts,sok,eol+1`: macOS and iOS.
        | [[2, 4, _, _], [1, 3, 3, _], [1, 1, 8, 10], _, _, [4, 2, 0, 0]]
        // `mss,nop,ws,sok,ts`: FreeBSD.
        | [[2, 4, _, _], [1, 3, 3, _], [4, 2, 8, 10], _, _]
    );
    rest.is_empty() && is_known
}

/// The options of a header whose length is that of a common layout, as they lie in memory: all that tells two headers of one
/// common layout apart, found without asking whether it is one.
///
/// Timestamps are taken from where the second word and the length say. Where that is wrong, the other words are those of no common
/// layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionWords {
    /// All but the values of timestamps, zero where there is none.
    pub(crate) fixed: [u64; 2],
    pub(crate) ticks: Ticks,
    /// Whether there are timestamps, and that of the sender is zero.
    pub(crate) is_stopped: bool,
}

impl OptionWords {
    /// `None` for a length that no common layout has.
    #[inline(always)]
    pub(crate) fn of(options: &[u8]) -> Option<Self> {
        const SACK_PERMITTED_TIMESTAMPS: [u8; 4] = [4, 2, 8, 10];
        const NONE: [u8; 4] = [0; 4];
        let (words, _) = options.as_chunks::<4>();
        Some(match *words {
            [] => Self::without_ticks([0; 2]),
            [a] => Self::without_ticks([pair(a, NONE), 0]),
            [a, b, c] => Self::without_ticks([pair(a, b), pair(c, NONE)]),
            [a, b, own, peer, c] if b == SACK_PERMITTED_TIMESTAMPS => {
                Self::with_ticks([pair(a, b), pair(c, NONE)], own, peer)
            }
            [a, b, c, own, peer] => Self::with_ticks([pair(a, b), pair(c, NONE)], own, peer),
            [a, b, c, own, peer, d] => Self::with_ticks([pair(a, b), pair(c, d)], own, peer),
            _ => return None,
        })
    }

    /// For options of any layout: words that tell most of them apart.
    pub(crate) fn standing_for(options: &TcpOptions) -> Self {
        let mixed =
            options.layout.to_words().into_iter().fold(0_u64, |mixed, word| mixed.rotate_left(13) ^ word);
        let ticks = Ticks::of(options.timestamps);
        Self {
            fixed: [mixed, options.mss.unwrap_or(0).into()],
            ticks,
            is_stopped: options.timestamps.is_some() && ticks.own() == 0,
        }
    }

    #[inline(always)]
    const fn without_ticks(fixed: [u64; 2]) -> Self {
        Self { fixed, ticks: Ticks::NONE, is_stopped: false }
    }

    #[inline(always)]
    const fn with_ticks(fixed: [u64; 2], own: [u8; 4], peer: [u8; 4]) -> Self {
        let ticks = Ticks::of_words(own, peer);
        Self { fixed, ticks, is_stopped: ticks.own() == 0 }
    }
}

#[inline(always)]
const fn pair([a, b, c, d]: [u8; 4], [e, f, g, h]: [u8; 4]) -> u64 {
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quirks;

    #[test]
    fn options_are_common_only_in_their_order_and_lengths() {
        let common: [(&[u8], &str); 7] = [
            (&[], ""),
            (&[2, 4, 5, 0xb4], "mss"),
            (&[2, 4, 5, 0xb4, 4, 2, 8, 10, 0, 0, 0, 9, 0, 0, 0, 7, 1, 3, 3, 7], "mss,sok,ts,nop,ws"),
            (&[2, 4, 5, 0xb4, 1, 1, 4, 2, 1, 3, 3, 7], "mss,nop,nop,sok,nop,ws"),
            (&[2, 4, 5, 0xb4, 1, 3, 3, 8, 1, 1, 4, 2], "mss,nop,ws,nop,nop,sok"),
            (
                &[2, 4, 5, 0xb4, 1, 3, 3, 6, 1, 1, 8, 10, 1, 2, 3, 4, 0, 0, 0, 0, 4, 2, 0, 0],
                "mss,nop,ws,nop,nop,ts,sok,eol+1",
            ),
            (&[2, 4, 5, 0xb4, 1, 3, 3, 6, 4, 2, 8, 10, 1, 2, 3, 4, 0, 0, 0, 0], "mss,nop,ws,sok,ts"),
        ];
        for (options, layout) in common {
            assert!(is_common(options), "{layout}");
            let known = TcpOptions::parse(options).layout;
            assert_eq!(known.to_string(), layout);
            // Every byte as every value: most of them make another layout, or malformed options.
            for at in 0..options.len() {
                for value in 0..=u8::MAX {
                    let mut options = options.to_vec();
                    options[at] = value;
                    let parsed = TcpOptions::parse(&options);
                    let odd = Quirks::BAD | Quirks::TRAILING_NONZERO;
                    let is_as_before = parsed.layout == known && (parsed.quirks & odd).is_empty();
                    assert_eq!(is_common(&options), is_as_before, "{options:?}");
                }
            }
            let longer = [options, &[1, 1, 1, 1]].concat();
            assert!((1..4).all(|more| !is_common(&longer[..options.len() + more])), "{layout}");
        }
    }
}
