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
    /// PPP, with or without HDLC framing.
    PPP = 9, "PPP";
    /// Raw IP, as some BSDs number it.
    RAW_BSD = 12, "RAW";
    /// Raw IP, as OpenBSD numbers it.
    RAW_OPENBSD = 14, "RAW";
    /// PPP in HDLC-like framing, or Cisco HDLC.
    PPP_HDLC = 50, "PPP_SERIAL";
    /// A PPPoE session header and what follows it.
    PPP_ETHER = 51, "PPP_ETHER";
    /// Raw IP; the version is in the first nibble.
    RAW = 101, "RAW";
    /// Cisco HDLC.
    C_HDLC = 104, "C_HDLC";
    /// IEEE 802.11.
    IEEE802_11 = 105, "IEEE802_11";
    /// OpenBSD loopback: a 4-byte address family in network byte order.
    LOOP = 108, "LOOP";
    /// Linux cooked capture.
    LINUX_SLL = 113, "LINUX_SLL";
    /// OpenBSD packet filter log.
    PFLOG = 117, "PFLOG";
    /// IEEE 802.11 after a radiotap header.
    IEEE802_11_RADIOTAP = 127, "IEEE802_11_RADIO";
    /// Raw IPv4.
    IPV4 = 228, "IPV4";
    /// Raw IPv6.
    IPV6 = 229, "IPV6";
    /// Linux cooked capture, version 2.
    LINUX_SLL2 = 276, "LINUX_SLL2";
}

impl fmt::Display for LinkType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "LINKTYPE_{}", self.0),
        }
    }
}
