//! The advertised window as a multiple of a segment size.

use core::fmt;

use huginn_net_core::IpVersion;

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

/// Room the timestamps option takes from every segment, padding included.
const TIMESTAMPS_ROOM: u16 = 12;
/// Below this an MSS says nothing about a window.
const MIN_MSS: u16 = 100;

impl WindowMultiple {
    /// What p0f 3.09b takes the window of a SYN without timestamps for, if the length of its headers is not known: as it does
    /// with the window of a signature that it holds against others.
    pub fn without_timestamps(version: IpVersion, window: u16, mss: u16) -> Option<Self> {
        let has_own_timestamp = false;
        Self::detect(WindowInputs { version, window, mss, has_own_timestamp, header_len: 0, syn_mss: None })
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
            .or_else(|| of_mtu(mss.checked_add(40)))
            .or_else(|| of_mtu(mss.checked_add(header_len)))
            .or_else(|| v6.then(|| of_mtu(mss.checked_add(60))).flatten())
            .or_else(|| of_mtu(Some(1500)))
            .or_else(|| {
                syn_mss.and_then(|syn_mss| of_mss(syn_mss).or_else(|| of_mss(syn_mss - TIMESTAMPS_ROOM)))
            })
    }
}
