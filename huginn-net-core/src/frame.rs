//! One captured frame and the link layer it starts with.

use core::fmt;

use crate::Timestamp;

/// The bytes of one frame as a source lends them.
///
/// All fields are independent facts of the capture, so they are public and may be filled in freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The captured bytes; fewer than `wire_len` when the capture cut the frame.
    pub bytes: &'a [u8],
    /// When the frame was captured.
    pub captured_at: Timestamp,
    /// Length of the frame on the wire, in bytes.
    pub wire_len: u32,
    /// What the bytes start with.
    pub link_type: LinkType,
    /// 1 for the first frame of its file or interface.
    pub number: u64,
}

impl<'a> Frame<'a> {
    /// A whole frame of this link type, number 1, captured at the epoch.
    #[inline]
    #[must_use]
    pub fn new(bytes: &'a [u8], link_type: LinkType) -> Self {
        Self {
            bytes,
            captured_at: Timestamp::default(),
            wire_len: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            link_type,
            number: 1,
        }
    }
}

/// What a captured frame starts with: a `LINKTYPE_` number of the
/// [tcpdump registry](https://www.tcpdump.org/linktypes.html).
///
/// Any number can be held; the constants are those that can be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkType(pub u16);

macro_rules! link_types {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $text:literal;)*) => {
        impl LinkType {
            $($(#[$doc])* pub const $name: Self = Self($value);)*

            /// The registry's name without its prefix, for example `EN10MB`; `None` for a type that is not decoded.
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($value => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

link_types! {
    /// BSD loopback: a 4-byte address family in the byte order of the capturing host.
    NULL = 0, "NULL";
    /// Ethernet.
    ETHERNET = 1, "EN10MB";
    /// IEEE 802.5 token ring.
    TOKEN_RING = 6, "IEEE802_5";
    /// IP over a serial line, decompressed, after a header of the capture.
    SLIP = 8, "SLIP";
    /// PPP, with or without HDLC framing.
    PPP = 9, "PPP";
    /// FDDI.
    FDDI = 10, "FDDI";
    /// LLC over ATM, by the number that some systems write.
    ATM_RFC1483_BSD = 11, "ATM_RFC1483";
    /// Raw IP, as some BSDs number it.
    RAW_BSD = 12, "RAW";
    /// Raw IP, as OpenBSD numbers it.
    RAW_OPENBSD = 14, "RAW";
    /// PPP in HDLC-like framing, or Cisco HDLC.
    PPP_HDLC = 50, "PPP_SERIAL";
    /// A PPPoE session header and what follows it.
    PPP_ETHER = 51, "PPP_ETHER";
    /// LLC over ATM ([RFC 2684](https://www.rfc-editor.org/rfc/rfc2684)).
    ATM_RFC1483 = 100, "ATM_RFC1483";
    /// Raw IP; the version is in the first nibble.
    RAW = 101, "RAW";
    /// Cisco HDLC.
    C_HDLC = 104, "C_HDLC";
    /// IEEE 802.11.
    IEEE802_11 = 105, "IEEE802_11";
    /// Frame relay ([RFC 2427](https://www.rfc-editor.org/rfc/rfc2427)).
    FRELAY = 107, "FRELAY";
    /// OpenBSD loopback: a 4-byte address family in network byte order.
    LOOP = 108, "LOOP";
    /// What goes through IPsec on BSD, before encryption or after decryption.
    ENC = 109, "ENC";
    /// Linux cooked capture.
    LINUX_SLL = 113, "LINUX_SLL";
    /// OpenBSD packet filter log.
    PFLOG = 117, "PFLOG";
    /// IEEE 802.11 after a Prism header.
    IEEE802_11_PRISM = 119, "IEEE802_11_PRISM";
    /// IP over Fibre Channel ([RFC 2625](https://www.rfc-editor.org/rfc/rfc2625)).
    IP_OVER_FC = 122, "IP_OVER_FC";
    /// ATM of Solaris.
    SUNATM = 123, "SUNATM";
    /// IEEE 802.11 after a radiotap header.
    IEEE802_11_RADIOTAP = 127, "IEEE802_11_RADIO";
    /// IP over IEEE 1394, as macOS has it.
    APPLE_IP_OVER_IEEE1394 = 138, "APPLE_IP_OVER_IEEE1394";
    /// IEEE 802.11 after an AVS header.
    IEEE802_11_AVS = 163, "IEEE802_11_AVS";
    /// PPP after a direction, as pppd gives it.
    PPP_PPPD = 166, "PPP_PPPD";
    /// Ethernet after a header of Juniper's routers.
    JUNIPER_ETHERNET = 178, "JUNIPER_ETHERNET";
    /// A frame of any link type after a PPI header.
    PPI = 192, "PPI";
    /// A record of Endace's format.
    ERF = 197, "ERF";
    /// PPP after a direction.
    PPP_WITH_DIR = 204, "PPP_WITH_DIR";
    /// A stack of MPLS labels.
    MPLS = 219, "MPLS";
    /// IP after a header of Solaris.
    IPNET = 226, "IPNET";
    /// Raw IPv4.
    IPV4 = 228, "IPV4";
    /// Raw IPv6.
    IPV6 = 229, "IPV6";
    /// Linux netfilter log.
    NFLOG = 239, "NFLOG";
    /// Ethernet after a header of Hilscher's netANALYZER.
    NETANALYZER = 240, "NETANALYZER";
    /// The same, with the preamble.
    NETANALYZER_TRANSPARENT = 241, "NETANALYZER_TRANSPARENT";
    /// IP over InfiniBand ([RFC 4391](https://www.rfc-editor.org/rfc/rfc4391)).
    IPOIB = 242, "IPOIB";
    /// A frame of any link type after a header of Apple's kernel.
    PKTAP = 258, "PKTAP";
    /// Ethernet with its preamble, where frames may be interrupted (IEEE 802.3br).
    ETHERNET_MPACKET = 274, "ETHERNET_MPACKET";
    /// Linux cooked capture, version 2.
    LINUX_SLL2 = 276, "LINUX_SLL2";
    /// Ethernet between Linux and a switch of Broadcom, whose tag is behind the addresses.
    DSA_TAG_BRCM = 281, "DSA_TAG_BRCM";
    /// The same, with the tag in front.
    DSA_TAG_BRCM_PREPEND = 282, "DSA_TAG_BRCM_PREPEND";
    /// Ethernet between Linux and a switch of Marvell.
    DSA_TAG_DSA = 284, "DSA_TAG_DSA";
    /// The same, with an EtherType before the tag.
    DSA_TAG_EDSA = 285, "DSA_TAG_EDSA";
}

impl fmt::Display for LinkType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "LINKTYPE_{}", self.0),
        }
    }
}
