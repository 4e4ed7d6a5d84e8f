//! Why a frame gave no packet.

use core::fmt;

use crate::Truncated;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $malformed:literal, $text:literal;)*) => {
        /// Why a frame gave no packet.
        ///
        /// Every frame that gives no packet has exactly one reason, as has every part of one that aggregates several;
        /// all of them are counted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Undecoded {
            $($(#[$doc])* $name,)*
        }

        impl Undecoded {
            /// All reasons, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// A short fixed word, for example `not_ip`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            /// Whether the bytes contradict their protocol, rather than being of no interest or not all there.
            pub const fn is_malformed(self) -> bool {
                match self {
                    $(Self::$name => $malformed,)*
                }
            }

            const fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

reasons! {
    /// The frame has a link type that is not decoded.
    UnknownLinkType = "unknown_link_type", false, "a link type that is not decoded";
    /// The frame carries something other than IP, such as ARP.
    NotIp = "not_ip", false, "not IP";
    /// The capture ends within a header.
    Cut = "cut", false, "the capture ends within a header";
    /// The frame is encrypted on the link layer.
    Encrypted = "encrypted", false, "encrypted on the link layer";
    /// The receiver says that the check sequence of the frame does not fit it: its bytes are not those that were sent.
    FrameCheck = "frame_check", false, "a frame that arrived damaged";
    /// A fragment of an IP datagram, of which others are missing, or of an 802.11 frame, which are not put together.
    Fragment = "fragment", false, "a fragment";
    /// A fragment that overlaps another one differently
    /// ([RFC 5722](https://www.rfc-editor.org/rfc/rfc5722), applied to IPv4 as well).
    FragmentOverlap = "fragment_overlap", true, "overlapping fragments";
    /// A fragment of a datagram longer than IP allows, or of a length that only a last fragment may have.
    FragmentLength = "fragment_length", true, "a fragment of an impossible length";
    /// More headers or tunnels than are followed.
    TooDeep = "too_deep", false, "too many headers or tunnels";
    /// A frame of 4 GiB or more.
    FrameTooLong = "frame_too_long", false, "a frame of 4 GiB or more";
    /// An IP header with another version than announced.
    IpVersion = "ip_version", true, "wrong IP version";
    /// An IPv4 header length below 20 bytes or beyond the packet.
    IpHeaderLength = "ip_header_length", true, "impossible IP header length";
    /// An IP length that is shorter than its headers, or longer than what carries it.
    IpLength = "ip_length", true, "impossible IP length";
    /// A TCP header that does not fit its packet, or a data offset below 20 bytes.
    TcpHeader = "tcp_header", true, "impossible TCP header length";
    /// A UDP length below 8 bytes, or a packet too short for a UDP header.
    UdpHeader = "udp_header", true, "impossible UDP length";
    /// A link-layer or tunnel header that contradicts its protocol.
    Encapsulation = "encapsulation", true, "malformed link-layer or tunnel header";
}

impl fmt::Display for Undecoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl core::error::Error for Undecoded {}

/// The bytes ended within a header.
impl From<Truncated> for Undecoded {
    fn from(_: Truncated) -> Self {
        Self::Cut
    }
}
