//! What a TCP signature allows.

use core::fmt;

use huginn_net_core::IpVersion;
use huginn_net_tcp::{OptionLayout, Quirks};

use super::facts::TcpFactSet;

/// A TCP signature; `None` in a field stands for `*`.
///
/// Displays in canonical form: quirks in p0f's order, the TTL as one number, options by name, and facts behind
/// all else if there are some. It has the fields that a line has, and no others, so that whoever writes signatures can build one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TcpSignature {
    /// IP version.
    pub version: Option<IpVersion>,
    /// Initial TTL.
    pub ttl: SignatureTtl,
    /// Length of IPv4 options or IPv6 extension headers, in bytes.
    pub ip_options_len: u8,
    /// Maximum segment size in bytes; 0 for none.
    pub mss: Option<u16>,
    /// Window.
    pub window: WindowPattern,
    /// Window scale; 0 for none.
    pub window_scale: Option<u8>,
    /// Order of the TCP options.
    pub layout: OptionLayout,
    /// Quirks the packet has.
    pub quirks: Quirks,
    /// Whether there is a payload.
    pub has_payload: Option<bool>,
    /// Facts the packet has, perhaps among others, an extension of this project. They are for IPv4 only.
    pub facts: TcpFactSet,
}

/// Initial TTL of a signature, in one of the two forms that p0f 3 has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignatureTtl {
    /// The stack starts from this value.
    Initial(u8),
    /// `N-`: the stack starts from random values up to this one.
    AtMost(u8),
}

impl SignatureTtl {
    /// The highest TTL a packet of this stack can have.
    #[must_use]
    pub const fn highest(self) -> u8 {
        match self {
            Self::Initial(ttl) | Self::AtMost(ttl) => ttl,
        }
    }
}

/// Window of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WindowPattern {
    /// `*`: any.
    Any,
    /// This many bytes, whatever multiple that is.
    Literal(u16),
    /// `%N`: a multiple of N bytes.
    MultipleOf(u16),
    /// `mss*N`.
    Mss(u16),
    /// `mtu*N`.
    Mtu(u16),
    /// `fillS`, an extension of this project: as many whole segments as fit S bytes. Matches nothing where these
    /// are 65,536 bytes, which no window field can hold.
    Fill(u32),
}

impl fmt::Display for WindowPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Literal(window) => write!(f, "{window}"),
            Self::MultipleOf(divisor) => write!(f, "%{divisor}"),
            Self::Mss(count) => write!(f, "mss*{count}"),
            Self::Mtu(count) => write!(f, "mtu*{count}"),
            Self::Fill(space) => write!(f, "fill{space}"),
        }
    }
}

impl fmt::Display for TcpSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &self.layout)
    }
}

impl TcpSignature {
    /// Writes the canonical form with `layout` in the place of the options.
    pub(crate) fn write(&self, f: &mut fmt::Formatter<'_>, layout: &dyn fmt::Display) -> fmt::Result {
        match self.version {
            Some(version) => write!(f, "{version}:")?,
            None => f.write_str("*:")?,
        }
        match self.ttl {
            SignatureTtl::Initial(ttl) => write!(f, "{ttl}:")?,
            SignatureTtl::AtMost(ttl) => write!(f, "{ttl}-:")?,
        }
        write!(f, "{}:", self.ip_options_len)?;
        match self.mss {
            Some(mss) => write!(f, "{mss}:")?,
            None => f.write_str("*:")?,
        }
        write!(f, "{},", self.window)?;
        match self.window_scale {
            Some(scale) => write!(f, "{scale}:")?,
            None => f.write_str("*:")?,
        }
        write!(f, "{layout}:{}:", self.quirks)?;
        f.write_str(match self.has_payload {
            Some(false) => "0",
            Some(true) => "+",
            None => "*",
        })?;
        if self.facts.is_empty() { Ok(()) } else { write!(f, ":{}", self.facts) }
    }
}
