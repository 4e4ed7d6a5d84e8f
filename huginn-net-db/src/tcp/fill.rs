//! Windows made of as many whole segments as fit a receive buffer.

use huginn_net_core::IpVersion;
use huginn_net_tcp::{IPV4_HEADERS, IPV6_HEADERS, TIMESTAMPS_ROOM, TcpObservation, WindowMultiple};

use crate::WindowPattern;

/// MTUs in bytes of the links that an MSS is lowered from.
const COMMON_MTUS: [u16; 4] = [1500, 1492, 9000, 9001];

/// The largest segment of a link without jumbo frames.
const LARGEST_COMMON: u16 = 1_500;

/// Fewer jumbo segments than these do not tell what they fill: three of them are what Linux opens with, and what fits
/// buffers of very different sizes.
const FEWEST_JUMBO: u16 = 5;

/// What an MSS was before it was lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) mss: u16,
    /// MTU of the sender's link; `None` if the MSS is one of the other IP version.
    pub(crate) mtu: Option<u16>,
}

impl Origin {
    const fn of(mtu: u16, headers: u16) -> Self {
        Self { mss: mtu - headers, mtu: Some(mtu) }
    }

    const fn translated(mtu: u16, headers: u16) -> Self {
        Self { mss: mtu - headers, mtu: None }
    }
}

type Origins = [Origin; 2 * COMMON_MTUS.len()];

/// One link after the other, with the headers of the packet's IP version and with those of the other one, in case a
/// translator has changed it.
const fn common_origins(own: u16, other: u16) -> Origins {
    let [a, b, c, d] = COMMON_MTUS;
    [
        Origin::of(a, own),
        Origin::translated(a, other),
        Origin::of(b, own),
        Origin::translated(b, other),
        Origin::of(c, own),
        Origin::translated(c, other),
        Origin::of(d, own),
        Origin::translated(d, other),
    ]
}

const IPV4_ORIGINS: Origins = common_origins(IPV4_HEADERS, IPV6_HEADERS);
const IPV6_ORIGINS: Origins = common_origins(IPV6_HEADERS, IPV4_HEADERS);

/// Whether a segment opens or answers a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Syn,
    SynAck,
}

/// The window of a packet and the segment sizes that its sender may have measured it in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentedWindow {
    version: IpVersion,
    window: u16,
    multiple: Option<WindowMultiple>,
    /// MSS option of the packet; 0 for none.
    mss: u16,
    /// What every segment has less room than the MSS.
    reduction: u16,
    /// Segment size from the own MSS; 0 when unknown.
    own: u16,
    /// Segment size from the smaller one of both MSS; 0 when unknown.
    agreed: u16,
}

impl SegmentedWindow {
    /// A SYN counts whole segments of its MSS. A SYN+ACK knows whether timestamps are used and takes their room off:
    /// of its own MSS, as Linux 6.18 does whatever the peer's is, or of the smaller one of both.
    #[inline]
    pub(crate) fn new(seen: &TcpObservation, direction: Direction, timestamps: bool) -> Self {
        let mss = seen.mss.unwrap_or(0);
        let reduction = if direction == Direction::SynAck && timestamps { TIMESTAMPS_ROOM } else { 0 };
        let smaller = match (direction, seen.syn_mss) {
            (Direction::SynAck, Some(syn_mss)) => mss.min(syn_mss),
            _ => mss,
        };
        Self {
            version: seen.ip_version,
            window: seen.window,
            multiple: seen.window_multiple,
            mss,
            reduction,
            own: mss.saturating_sub(reduction),
            agreed: smaller.saturating_sub(reduction),
        }
    }

    /// The window as it was seen.
    pub(crate) const fn bytes(&self) -> u16 {
        self.window
    }

    /// The pattern of a multiple that the window is.
    pub(crate) fn multiple(&self) -> Option<WindowPattern> {
        self.multiple.map(|multiple| match multiple {
            WindowMultiple::Mss(count) => WindowPattern::Mss(count),
            WindowMultiple::Mtu(count) => WindowPattern::Mtu(count),
        })
    }

    /// The segment sizes that the window may have been filled with.
    pub(crate) fn segments(&self) -> impl Iterator<Item = u16> + Clone + use<> {
        let agreed = (self.agreed != self.own).then_some(self.agreed);
        core::iter::once(self.own).chain(agreed)
    }

    /// The segment sizes that the window may have been filled with before the MSS was lowered.
    pub(crate) fn segments_of(&self, origins: PossibleOrigins) -> impl Iterator<Item = u16> + Clone + use<> {
        self.lowered(origins).map(|(_, segment)| segment)
    }

    /// Each MSS that may have been lowered, with its segment size.
    pub(crate) fn lowered(
        &self,
        origins: PossibleOrigins,
    ) -> impl Iterator<Item = (u16, u16)> + Clone + use<> {
        let reduction = self.reduction;
        origins.origins.into_iter().flatten().map(move |origin| (origin.mss, origin.mss - reduction))
    }

    /// Whether the window is one that `pattern` allows.
    #[inline]
    pub(crate) fn follows(&self, pattern: WindowPattern) -> bool {
        match pattern {
            WindowPattern::Any => true,
            WindowPattern::Literal(window) => self.window == window,
            WindowPattern::MultipleOf(divisor) => divisor != 0 && self.window.is_multiple_of(divisor),
            WindowPattern::Mss(count) => self.multiple == Some(WindowMultiple::Mss(count)),
            WindowPattern::Mtu(count) => self.multiple == Some(WindowMultiple::Mtu(count)),
            WindowPattern::Fill(space) => {
                self.fills(space, self.own) || (self.agreed != self.own && self.fills(space, self.agreed))
            }
        }
    }

    /// Divides only where less than one segment of the space is left unused, as a filled window leaves it.
    #[inline]
    fn fills(&self, space: u32, segment: u16) -> bool {
        let could_fill = match space.checked_sub(self.window.into()) {
            Some(unused) => unused < segment.into(),
            None => false,
        };
        could_fill && fill(space, segment) == Some(self.window)
    }

    /// Which of the common MSS, when they are higher than the one seen, divide the window into whole segments.
    ///
    /// The largest window there is is no proof of any: that one a stack sends when it has room for more.
    pub(crate) fn possible_origins(&self) -> PossibleOrigins {
        let common = match self.version {
            IpVersion::V4 => IPV4_ORIGINS,
            IpVersion::V6 => IPV6_ORIGINS,
        };
        let divides = |mss: u16| mss > self.mss && self.window.is_multiple_of(mss - self.reduction);
        let unknown = self.mss == 0 || matches!(self.window, 0 | u16::MAX);
        let origins = common.map(|origin| (!unknown && divides(origin.mss)).then_some(origin));
        PossibleOrigins { origins, any: origins.iter().any(Option::is_some) }
    }

    /// The common MSS with which the window would follow `pattern`: the sender computed its window before the path
    /// lowered the MSS option.
    pub(crate) fn clamped_from(&self, pattern: WindowPattern, origins: &PossibleOrigins) -> Option<Origin> {
        if !origins.any {
            return None;
        }
        origins.origins.into_iter().flatten().find(|origin| {
            let segment = origin.mss - self.reduction;
            match pattern {
                WindowPattern::Fill(space) => {
                    let tells_space = segment <= LARGEST_COMMON || self.window / segment >= FEWEST_JUMBO;
                    tells_space && space > segment.into() && self.fills(space, segment)
                }
                WindowPattern::Mss(count) => segment.checked_mul(count) == Some(self.window),
                _ => false,
            }
        })
    }

    /// That `mss`, the only one that a signature is for, is the one with which the window would follow its `pattern`.
    ///
    /// A window of one segment is no proof: it may be any number.
    pub(crate) fn lowered_from(
        &self,
        mss: u16,
        pattern: WindowPattern,
        origins: &PossibleOrigins,
    ) -> Option<Origin> {
        let WindowPattern::Mss(2..) = pattern else { return None };
        self.clamped_from(pattern, origins).filter(|origin| origin.mss == mss)
    }
}

/// What [`SegmentedWindow::possible_origins`] found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PossibleOrigins {
    origins: [Option<Origin>; 2 * COMMON_MTUS.len()],
    any: bool,
}

impl PossibleOrigins {
    pub(crate) const fn is_empty(&self) -> bool {
        !self.any
    }
}

/// The largest window of whole segments that `space` bytes hold; `None` without a segment size, or if a window field
/// cannot hold it. Linux then sends 65,535, as it does for any larger space, so that the window does not tell which.
///
/// A segment that does not fit leaves the window as it is: Linux rounds down only when there is room for more than
/// one (`tcp_select_initial_window`).
#[inline]
pub(crate) fn fill(space: u32, segment: u16) -> Option<u16> {
    let segment = u32::from(segment);
    let rounded = if space > segment { space - space.checked_rem(segment)? } else { space };
    if segment == 0 { None } else { u16::try_from(rounded).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(mss: u16, window: u16, direction: Direction, timestamps: bool) -> SegmentedWindow {
        let mut seen = TcpObservation::new(IpVersion::V4, 64, window);
        seen.mss = Some(mss);
        SegmentedWindow::new(&seen, direction, timestamps)
    }

    #[test]
    fn fills_the_window_as_linux_and_windows_were_measured() {
        for (space, mss, expected) in [
            (65_536, 1460, 64_240),
            (65_536, 1380, 64_860),
            (65_536, 8961, 62_727),
            (65_536, 65_495, 65_495),
            (33_280, 1460, 32_120),
            (43_690, 1460, 42_340),
            (65_535, 1366, 64_202),
            (65_535, 1378, 64_766),
        ] {
            assert_eq!(fill(space, mss), Some(expected), "{space} with {mss}");
        }
    }

    #[test]
    fn no_fill_exceeds_the_field_or_the_buffer() {
        assert_eq!(fill(131_072, 1460), None);
        assert_eq!(fill(33_280, 65_495), Some(33_280));
        assert_eq!(fill(65_536, 1024), None);
        assert_eq!(fill(65_536, 0), None);
    }

    #[test]
    fn a_syn_ack_takes_the_timestamps_off_its_own_mss_or_the_agreed_one() {
        let pattern = WindowPattern::Fill(65_536);
        assert!(window(1460, 65_160, Direction::SynAck, true).follows(pattern));
        assert!(!window(1460, 65_160, Direction::Syn, true).follows(pattern));
        assert!(window(1460, 64_240, Direction::SynAck, false).follows(pattern));

        let mut seen = TcpObservation::new(IpVersion::V4, 64, 65_340);
        seen.mss = Some(1460);
        seen.syn_mss = Some(1200);
        assert!(SegmentedWindow::new(&seen, Direction::SynAck, true).follows(pattern));
        seen.window = 65_160;
        assert!(SegmentedWindow::new(&seen, Direction::SynAck, true).follows(pattern));
        seen.window = 64_240;
        assert!(!SegmentedWindow::new(&seen, Direction::SynAck, true).follows(pattern));
    }

    #[test]
    fn names_the_mss_from_before_a_clamp() {
        let clamped = |mss, bytes, pattern| {
            let window = window(mss, bytes, Direction::Syn, true);
            window.clamped_from(pattern, &window.possible_origins()).map(|origin| origin.mss)
        };
        assert_eq!(clamped(1380, 64_240, WindowPattern::Fill(65_535)), Some(1460));
        assert_eq!(clamped(1380, 64_800, WindowPattern::Fill(65_536)), Some(1440));
        assert_eq!(clamped(1380, 62_720, WindowPattern::Fill(65_536)), Some(8960));
        assert_eq!(clamped(1380, 62_720, WindowPattern::Mss(7)), Some(8960));
        assert_eq!(clamped(1380, 26_883, WindowPattern::Mss(3)), Some(8961));
        assert_eq!(clamped(1460, 64_240, WindowPattern::Fill(65_536)), None);
        assert_eq!(clamped(1380, 65_535, WindowPattern::Fill(131_072)), None);
        assert_eq!(clamped(1380, 8_192, WindowPattern::Fill(8_192)), None);
        assert_eq!(clamped(0, 64_240, WindowPattern::Fill(65_536)), None);
    }

    #[test]
    fn few_jumbo_segments_do_not_tell_the_space_that_they_fill() {
        let window = window(1380, 26_883, Direction::Syn, true);
        let origins = window.possible_origins();
        for space in [26_883, 32_768, 33_280] {
            assert_eq!(window.clamped_from(WindowPattern::Fill(space), &origins), None, "{space}");
        }
    }

    #[test]
    fn an_mss_of_the_other_ip_version_names_no_link() {
        let origin = |version, bytes| {
            let mut seen = TcpObservation::new(version, 64, bytes);
            seen.mss = Some(1380);
            let window = SegmentedWindow::new(&seen, Direction::Syn, true);
            window.clamped_from(WindowPattern::Fill(65_536), &window.possible_origins())
        };
        let (v4, v6) = (IpVersion::V4, IpVersion::V6);
        assert_eq!(origin(v4, 64_240), Some(Origin { mss: 1460, mtu: Some(1500) }));
        assert_eq!(origin(v4, 65_340), Some(Origin { mss: 1452, mtu: Some(1492) }));
        assert_eq!(origin(v4, 64_800), Some(Origin { mss: 1440, mtu: None }));
        assert_eq!(origin(v6, 64_800), Some(Origin { mss: 1440, mtu: Some(1500) }));
        assert_eq!(origin(v6, 64_240), Some(Origin { mss: 1460, mtu: None }));
        assert_eq!(origin(v6, 62_587), Some(Origin { mss: 8941, mtu: Some(9001) }));
    }
}
