//! The options that nearly all SYNs have.

use crate::seen::Ticks;
use crate::{OptionLayout, Timestamps};

/// An order of options, each of its usual length, that systems of today or their scanners send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum CommonLayout {
    /// No options: zmap, masscan, hping3.
    Empty = 1,
    /// `mss`: nmap, and small stacks.
    Mss,
    /// `mss,sok,ts,nop,ws`: Linux and Android.
    Linux,
    /// `mss,nop,nop,sok,nop,ws`: the same without timestamps.
    LinuxWithoutTimestamps,
    /// `mss,nop,ws,nop,nop,sok`: Windows.
    Windows,
    /// `mss,nop,ws,nop,nop,ts,sok,eol+1`: macOS and iOS.
    Apple,
    /// `mss,nop,ws,sok,ts`: FreeBSD.
    Freebsd,
}

impl CommonLayout {
    /// The kinds in order.
    #[inline]
    pub(crate) const fn layout(self) -> &'static OptionLayout {
        const MSS: OptionLayout = OptionLayout::of(&[2], 0);
        const LINUX: OptionLayout = OptionLayout::of(&[2, 4, 8, 1, 3], 0);
        const LINUX_WITHOUT_TIMESTAMPS: OptionLayout = OptionLayout::of(&[2, 1, 1, 4, 1, 3], 0);
        const WINDOWS: OptionLayout = OptionLayout::of(&[2, 1, 3, 1, 1, 4], 0);
        const APPLE: OptionLayout = OptionLayout::of(&[2, 1, 3, 1, 1, 8, 4, 0], 1);
        const FREEBSD: OptionLayout = OptionLayout::of(&[2, 1, 3, 4, 8], 0);
        match self {
            Self::Empty => &OptionLayout::EMPTY,
            Self::Mss => &MSS,
            Self::Linux => &LINUX,
            Self::LinuxWithoutTimestamps => &LINUX_WITHOUT_TIMESTAMPS,
            Self::Windows => &WINDOWS,
            Self::Apple => &APPLE,
            Self::Freebsd => &FREEBSD,
        }
    }

    /// Whether a maximum segment size is among the options.
    #[inline]
    pub(crate) const fn has_mss(self) -> bool {
        !matches!(self, Self::Empty)
    }

    /// Whether a window scale is, and that selective acknowledgments are permitted.
    #[inline]
    pub(crate) const fn has_extensions(self) -> bool {
        !matches!(self, Self::Empty | Self::Mss)
    }

    /// Whether timestamps are.
    #[inline]
    const fn has_timestamps(self) -> bool {
        matches!(self, Self::Linux | Self::Apple | Self::Freebsd)
    }
}

/// The options of a header that has them in a common layout. What the layout has none of is zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommonOptions {
    pub(crate) layout: CommonLayout,
    pub(crate) mss: u16,
    pub(crate) window_scale: u8,
    has_timestamps: bool,
    timestamps: Timestamps,
}

impl CommonOptions {
    /// Compares whole words, as all of these layouts are aligned to them; `None` for any other layout.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the lower bits are the value")]
    pub(crate) fn parse(options: &[u8]) -> Option<Self> {
        const MSS: u32 = 0x0204; // and two bytes of value
        const NOP_WINDOW_SCALE: u32 = 0x01_0303; // and a byte of value
        const NOP_NOP_SACK_PERMITTED: u32 = 0x0101_0402;
        const SACK_PERMITTED_TIMESTAMPS: u32 = 0x0402_080a; // and two words of values
        const NOP_NOP_TIMESTAMPS: u32 = 0x0101_080a; // and two words of values
        const SACK_PERMITTED_EOL: u32 = 0x0402_0000;
        const NO_TIMESTAMPS: [[u8; 4]; 2] = [[0; 4]; 2];

        let (words, []) = options.as_chunks::<4>() else { return None };
        let Some((&first, others)) = words.split_first() else {
            return Some(Self::new(CommonLayout::Empty, 0, 0, NO_TIMESTAMPS));
        };
        let first = u32::from_be_bytes(first);
        if first >> 16 != MSS {
            return None;
        }
        let mss = first as u16;
        let with_scale = |layout, scale: u32, timestamps| {
            (scale >> 8 == NOP_WINDOW_SCALE).then(|| Self::new(layout, mss, scale as u8, timestamps))
        };
        let word = u32::from_be_bytes;
        match *others {
            [] => Some(Self::new(CommonLayout::Mss, mss, 0, NO_TIMESTAMPS)),
            [a, b] if word(b) == NOP_NOP_SACK_PERMITTED => {
                with_scale(CommonLayout::Windows, word(a), NO_TIMESTAMPS)
            }
            [a, b] if word(a) == NOP_NOP_SACK_PERMITTED => {
                with_scale(CommonLayout::LinuxWithoutTimestamps, word(b), NO_TIMESTAMPS)
            }
            [a, own, peer, b] if word(a) == SACK_PERMITTED_TIMESTAMPS => {
                with_scale(CommonLayout::Linux, word(b), [own, peer])
            }
            [a, b, own, peer] if word(b) == SACK_PERMITTED_TIMESTAMPS => {
                with_scale(CommonLayout::Freebsd, word(a), [own, peer])
            }
            [a, b, own, peer, c] if word(b) == NOP_NOP_TIMESTAMPS && word(c) == SACK_PERMITTED_EOL => {
                with_scale(CommonLayout::Apple, word(a), [own, peer])
            }
            _ => None,
        }
    }

    #[inline(always)]
    const fn new(layout: CommonLayout, mss: u16, window_scale: u8, [own, peer]: [[u8; 4]; 2]) -> Self {
        let timestamps = Timestamps { own: u32::from_be_bytes(own), peer: u32::from_be_bytes(peer) };
        Self { layout, mss, window_scale, has_timestamps: layout.has_timestamps(), timestamps }
    }

    /// The timestamps, if there are any.
    #[inline]
    pub(crate) fn timestamps(&self) -> Option<Timestamps> {
        self.has_timestamps.then_some(self.timestamps)
    }
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
