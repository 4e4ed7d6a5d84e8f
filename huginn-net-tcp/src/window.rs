//! The advertised window as a multiple of a segment size.

use core::fmt;

use huginn_net_core::IpVersion;

use crate::observation::{IPV4_HEADERS, IPV6_HEADERS};

/// A window that is a whole number of segments or of packets, as p0f knows no third kind; displays as `mss*N` or `mtu*N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowMultiple {
    /// So many maximum segments.
    Mss(u16),
    /// So many maximum packets.
    Mtu(u16),
}

impl fmt::Display for WindowMultiple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mss(count) => write!(f, "mss*{count}"),
            Self::Mtu(count) => write!(f, "mtu*{count}"),
        }
    }
}

/// What the search for a divisor looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowInputs {
    pub(crate) version: IpVersion,
    pub(crate) window: u16,
    /// 0 when the packet has no MSS option.
    pub(crate) mss: u16,
    pub(crate) has_own_timestamp: bool,
    /// IP and TCP header with options, in bytes.
    pub(crate) header_len: u16,
    /// On a SYN+ACK whose SYN was seen: the MSS of that SYN.
    pub(crate) syn_mss: Option<u16>,
}

/// Room the timestamps option takes from every segment, padding included ([RFC 7323 Appendix A]).
///
/// [RFC 7323 Appendix A]: https://www.rfc-editor.org/rfc/rfc7323#appendix-A
pub const TIMESTAMPS_ROOM: u16 = 12;
/// Below this an MSS says nothing about a window, as in p0f 3.09b.
pub const MIN_MSS: u16 = 100;

impl WindowMultiple {
    /// What p0f 3.09b takes the window of a SYN without timestamps for, if the length of its headers is not known: as it does
    /// with the window of a signature that it holds against others.
    #[must_use]
    pub fn without_timestamps(version: IpVersion, window: u16, mss: u16) -> Option<Self> {
        let has_own_timestamp = false;
        Self::detect(WindowInputs { version, window, mss, has_own_timestamp, header_len: 0, syn_mss: None })
    }

    /// Windows that p0f 3.09b writes like this if it sees such a packet, those of the likeliest divisor first. The length of the
    /// headers and the MSS of a peer, which may be divisors too, are not known.
    pub fn windows(self, version: IpVersion, mss: u16, has_own_timestamp: bool) -> impl Iterator<Item = u16> {
        let v6 = version == IpVersion::V6;
        let (count, divisors) = match self {
            Self::Mss(count) => {
                let behind_timestamps =
                    if has_own_timestamp { mss.checked_sub(TIMESTAMPS_ROOM) } else { None };
                let of_v6 = |divisor| v6.then_some(divisor);
                (count, [Some(mss), behind_timestamps, Some(1460), Some(1448), of_v6(1440), of_v6(1428)])
            }
            Self::Mtu(count) => {
                let of_v6 = if v6 { mss.checked_add(IPV6_HEADERS) } else { None };
                (count, [of_v6, mss.checked_add(IPV4_HEADERS), Some(1500), None, None, None])
            }
        };
        let windows = divisors.into_iter().flatten().filter_map(move |divisor| divisor.checked_mul(count));
        windows.filter(move |&window| {
            let (header_len, syn_mss) = (0, None);
            let inputs = WindowInputs { version, window, mss, has_own_timestamp, header_len, syn_mss };
            Self::detect(inputs) == Some(self)
        })
    }

    /// The first divisor that divides the window exactly, in the order in which p0f 3.09b tries them.
    ///
    /// That a peer's MSS must be at least 100 is ours: with smaller ones nearly any window is a multiple.
    pub(crate) fn detect(inputs: WindowInputs) -> Option<Self> {
        let WindowInputs { version, window, mss, has_own_timestamp, header_len, syn_mss } = inputs;
        if window == 0 || mss < MIN_MSS {
            return None;
        }
        let v6 = version == IpVersion::V6;
        let multiple =
            |divisor: u16| (divisor != 0 && window.is_multiple_of(divisor)).then(|| window / divisor);
        let of_mss = |divisor: u16| multiple(divisor).map(Self::Mss);
        let of_mtu = |divisor: Option<u16>| divisor.and_then(multiple).map(Self::Mtu);
        let syn_mss = syn_mss.filter(|&mss| mss >= MIN_MSS);

        of_mss(mss)
            .or_else(|| has_own_timestamp.then(|| of_mss(mss - TIMESTAMPS_ROOM)).flatten())
            .or_else(|| of_mss(1460))
            .or_else(|| of_mss(1448))
            .or_else(|| v6.then(|| of_mss(1440).or_else(|| of_mss(1428))).flatten())
            .or_else(|| of_mtu(mss.checked_add(IPV4_HEADERS)))
            .or_else(|| of_mtu(mss.checked_add(header_len)))
            .or_else(|| v6.then(|| of_mtu(mss.checked_add(IPV6_HEADERS))).flatten())
            .or_else(|| of_mtu(Some(1500)))
            .or_else(|| {
                syn_mss.and_then(|syn_mss| of_mss(syn_mss).or_else(|| of_mss(syn_mss - TIMESTAMPS_ROOM)))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_is_one_of_those_that_are_written_like_it() {
        for version in [IpVersion::V4, IpVersion::V6] {
            for (mss, has_own_timestamp) in
                [(1_460, true), (1_440, false), (1_400, true), (536, true), (65_495, true)]
            {
                for window in 0..=u16::MAX {
                    let (header_len, syn_mss) = (0, None);
                    let inputs =
                        WindowInputs { version, window, mss, has_own_timestamp, header_len, syn_mss };
                    let Some(multiple) = WindowMultiple::detect(inputs) else { continue };
                    let mut windows = multiple.windows(version, mss, has_own_timestamp);
                    assert!(windows.any(|other| other == window), "{window} {multiple} {mss}");
                }
            }
        }
    }

    #[test]
    fn a_count_of_segments_stands_for_windows_of_each_size_that_no_other_size_divides() {
        let windows =
            |multiple: WindowMultiple, mss| multiple.windows(IpVersion::V4, mss, true).collect::<Vec<_>>();
        assert_eq!(windows(WindowMultiple::Mss(22), 1_460), [32_120, 31_856, 32_120, 31_856]);
        assert_eq!(windows(WindowMultiple::Mss(45), 1_460), [65_160, 65_160]);
        assert_eq!(windows(WindowMultiple::Mtu(4), 1_380), [5_680, 6_000]);
        assert_eq!(windows(WindowMultiple::Mss(4), 99), []);
    }
}
