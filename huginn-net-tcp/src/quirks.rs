//! Properties of a packet that most stacks do not have and some always do.

use core::ops::{BitAnd, Not, Sub};

/// A set of quirks, named and ordered as p0f 3.09b prints them.
///
/// Displays as the comma-separated list of a signature, for example `df,id+`; the empty set displays as nothing.
///
/// ```
/// use huginn_net_tcp::Quirks;
///
/// let quirks = Quirks::ID_NONZERO | Quirks::DF;
/// assert_eq!(quirks.to_string(), "df,id+");
/// assert_eq!(Quirks::from_name("df"), Some(Quirks::DF));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Quirks(u32);

macro_rules! quirks {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        quirks!(@bits 0u32; $($(#[$doc])* $name)*);

        /// Names in the order of their bits, which is the order of printing.
        const NAMES: &[(Quirks, &str)] = &[$((Quirks::$name, $text)),*];
    };
    (@bits $bit:expr; $(#[$doc:meta])* $name:ident $($rest:tt)*) => {
        impl Quirks {
            $(#[$doc])*
            pub const $name: Self = Self(1 << ($bit));
        }
        quirks!(@bits $bit + 1; $($rest)*);
    };
    (@bits $bit:expr;) => {};
}

quirks! {
    /// `df`: IPv4 don't-fragment flag set.
    DF = "df";
    /// `id+`: don't-fragment set, yet the IPv4 identification is not zero.
    ID_NONZERO = "id+";
    /// `id-`: don't-fragment clear, yet the IPv4 identification is zero.
    ID_ZERO = "id-";
    /// `ecn`: ECN support, in the IP header (any code point but Not-ECT) or in the TCP header (ECE, CWR or AE).
    ECN = "ecn";
    /// `0+`: the reserved IPv4 flag is set.
    RESERVED_SET = "0+";
    /// `flow`: IPv6 flow label not zero.
    FLOW = "flow";
    /// `seq-`: sequence number zero.
    SEQ_ZERO = "seq-";
    /// `ack+`: acknowledgment number not zero although ACK is clear.
    ACK_NONZERO = "ack+";
    /// `ack-`: acknowledgment number zero although ACK is set.
    ACK_ZERO = "ack-";
    /// `uptr+`: urgent pointer not zero although URG is clear.
    URG_POINTER_NONZERO = "uptr+";
    /// `urgf+`: URG set.
    URG = "urgf+";
    /// `pushf+`: PSH set.
    PUSH = "pushf+";
    /// `ts1-`: own timestamp zero.
    OWN_TIMESTAMP_ZERO = "ts1-";
    /// `ts2+`: peer timestamp not zero on a SYN.
    PEER_TIMESTAMP_NONZERO = "ts2+";
    /// `opt+`: a byte after the end-of-options option is not zero.
    TRAILING_NONZERO = "opt+";
    /// `exws`: window scale over 14.
    EXCESSIVE_SCALE = "exws";
    /// `bad`: malformed TCP options.
    BAD = "bad";
}

huginn_net_core::flag_set!(Quirks, "quirk", NAMES);

impl Quirks {
    /// No quirk.
    pub const NONE: Self = Self(0);
    /// All quirks there are.
    pub const ALL: Self = Self((1 << NAMES.len()) - 1);
    /// Quirks that only an IPv4 header can have.
    pub const IPV4_ONLY: Self =
        Self(Self::DF.0 | Self::ID_NONZERO.0 | Self::ID_ZERO.0 | Self::RESERVED_SET.0);
    /// Quirks that only an IPv6 header can have.
    pub const IPV6_ONLY: Self = Self::FLOW;

    /// The set as bits, in the order of printing from the lowest; for use in keys.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// `quirks` if the condition holds, none otherwise.
    #[inline]
    #[must_use]
    pub const fn when(condition: bool, quirks: Self) -> Self {
        if condition { quirks } else { Self::NONE }
    }
}

impl BitAnd for Quirks {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for Quirks {
    type Output = Self;

    /// The quirks of `self` that are not in `other`.
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for Quirks {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_all_quirks_in_the_order_p0f_does() {
        assert_eq!(
            Quirks::ALL.to_string(),
            "df,id+,id-,ecn,0+,flow,seq-,ack+,ack-,uptr+,urgf+,pushf+,ts1-,ts2+,opt+,exws,bad"
        );
    }

    #[test]
    fn every_name_gives_the_quirk_that_prints_it() {
        for name in Quirks::ALL.names() {
            assert_eq!(Quirks::from_name(name).map(|quirk| quirk.to_string()).as_deref(), Some(name));
        }
        assert_eq!(Quirks::from_name("DF"), None);
    }

    #[test]
    fn subtraction_keeps_what_the_other_lacks() {
        assert_eq!((Quirks::DF | Quirks::ECN) - (Quirks::ECN | Quirks::BAD), Quirks::DF);
    }
}
