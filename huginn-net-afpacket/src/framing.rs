//! What frames of a link start with.

/// What the frames of a capture start with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Framing {
    /// An Ethernet header.
    Ethernet,
    /// An IP header: the link has no header of its own.
    Ip,
    /// An IP header, with that of the link left out, as it differs between what comes in and what goes out. A program sees
    /// it, so that offsets in a frame mean nothing to it.
    IpBehindLink,
    /// An IEEE 802.11 header.
    Ieee80211,
    /// A radiotap header, and an IEEE 802.11 header behind it.
    Radiotap,
    /// A Cisco HDLC header.
    CiscoHdlc,
    /// Something else.
    Other,
}

impl Framing {
    /// What frames of this type of link (`ARPHRD_`, `linux/if_arp.h`) start with.
    #[must_use]
    pub const fn of(hardware_type: u16) -> Self {
        const RAW_IP: u16 = 519;
        const IP6_GRE: u16 = 823;
        match hardware_type {
            libc::ARPHRD_ETHER | libc::ARPHRD_LOOPBACK => Self::Ethernet,
            libc::ARPHRD_NONE | RAW_IP => Self::Ip,
            libc::ARPHRD_PPP
            | libc::ARPHRD_TUNNEL
            | libc::ARPHRD_TUNNEL6
            | libc::ARPHRD_SIT
            | libc::ARPHRD_IPGRE
            | IP6_GRE => Self::IpBehindLink,
            libc::ARPHRD_IEEE80211 => Self::Ieee80211,
            libc::ARPHRD_IEEE80211_RADIOTAP => Self::Radiotap,
            libc::ARPHRD_CISCO => Self::CiscoHdlc,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_whose_frames_are_understood_have_a_framing() {
        // Numbers of `linux/if_arp.h`: Ethernet, loopback, tun, PPP, 6in4, 802.11 with radiotap.
        for (hardware_type, framing) in [
            (1, Framing::Ethernet),
            (772, Framing::Ethernet),
            (0xfffe, Framing::Ip),
            (512, Framing::IpBehindLink),
            (776, Framing::IpBehindLink),
            (801, Framing::Ieee80211),
            (803, Framing::Radiotap),
            (513, Framing::CiscoHdlc),
        ] {
            assert_eq!(Framing::of(hardware_type), framing, "{hardware_type}");
        }
        // Infiniband, CAN, netlink, void.
        for hardware_type in [32, 280, 824, 0xffff] {
            assert_eq!(Framing::of(hardware_type), Framing::Other, "{hardware_type}");
        }
    }
}
