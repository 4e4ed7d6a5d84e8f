//! What is wrong with an expression.

use core::fmt;
use core::ops::Range;

/// Why an expression is no filter, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterError {
    reason: FilterReason,
    start: usize,
    end: usize,
}

impl FilterError {
    pub(super) const fn new(reason: FilterReason, span: Range<usize>) -> Self {
        Self { reason, start: span.start, end: span.end }
    }

    /// What is wrong.
    #[must_use]
    pub const fn reason(&self) -> FilterReason {
        self.reason
    }

    /// Offsets of the bytes that are wrong, on boundaries of characters; empty where something is missing. What stands
    /// before them is ASCII, but for a text that is too long.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Number of the first character that is wrong, from 1.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.start + 1
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at column {}", self.reason, self.column())
    }
}

impl core::error::Error for FilterError {}

/// What is wrong with an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilterReason {
    /// The text has more bytes than this.
    TooLong(usize),
    /// Parentheses, `not`, and turns from `and` to `or` are nested deeper than this.
    TooDeep(usize),
    /// A character that no expression has.
    Character(char),
    /// A value in brackets or an operator on one, which are not supported.
    Bytes,
    /// A primitive was expected: a keyword, or a value after another primitive of its kind.
    Primitive,
    /// A value without a keyword that says what it is.
    Unqualified,
    /// Something other than `and`, `or` or the end after a primitive.
    Operator,
    /// A parenthesis that is not closed.
    Unclosed,
    /// A keyword of other filters that is not supported.
    Unsupported,
    /// A protocol before something that it does not have, such as `tcp host`.
    Qualifier,
    /// No address, where one was expected; names are not looked up.
    Address,
    /// An address of the other version than its qualifier says.
    Version,
    /// A mask after an address that is not that of a `net`.
    Mask,
    /// No network, where one was expected.
    Network,
    /// More bits than an address has, or a mask with bits behind a gap.
    PrefixLength,
    /// A network with bits outside its mask.
    HostBits,
    /// No port number, where one was expected; names are not looked up.
    Port,
    /// No range of port numbers, where one was expected.
    PortRange,
    /// No protocol, where one was expected.
    Protocol,
    /// A VLAN id above 4,095, or none.
    Vlan,
}

impl fmt::Display for FilterReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong(max) => return write!(f, "more than {max} bytes"),
            Self::TooDeep(max) => return write!(f, "nested more than {max} levels deep"),
            Self::Character(character) => return write!(f, "unexpected {character:?}"),
            Self::Bytes => "expressions on bytes and lengths are not supported",
            Self::Primitive => "expected a primitive, such as \"host 192.0.2.1\" or \"tcp port 443\"",
            Self::Unqualified => "a value without a keyword before it, such as \"host\", \"net\" or \"port\"",
            Self::Operator => "expected \"and\", \"or\" or the end",
            Self::Unclosed => "a parenthesis that is not closed",
            Self::Unsupported => "a keyword that is not supported",
            Self::Qualifier => "a qualifier that does not go with what follows",
            Self::Address => "expected an IP address (names are not looked up)",
            Self::Version => "an address of the other IP version",
            Self::Mask => "a mask makes a network, which takes \"net\"",
            Self::Network => "expected a network, such as \"192.0.2.0/24\"",
            Self::PrefixLength => "no length of a prefix, and no mask of one",
            Self::HostBits => "a network with bits outside its mask",
            Self::Port => "expected a port, 0 to 65535 (names are not looked up)",
            Self::PortRange => "expected a range of ports, such as \"6000-6008\"",
            Self::Protocol => "expected a protocol, 0 to 255 or such as \"tcp\"",
            Self::Vlan => "expected a VLAN id, 0 to 4095",
        })
    }
}
