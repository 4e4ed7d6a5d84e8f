//! Filters: which packets are analyzed, in the words of tcpdump.

mod bpf;
mod error;
mod expression;
mod lexer;
mod network;
mod parser;
mod program;

use core::str::FromStr;

pub use self::bpf::{BpfInstruction, Interest};
pub use self::error::{FilterError, FilterReason};
use self::program::{Header, Program};
use crate::{LinkType, Packet};

/// Which packets are wanted, written as for tcpdump.
///
/// ```text
/// expression = operand { ( "and" | "&&" | "or" | "||" ) operand }
/// operand    = ( "not" | "!" ) operand | "(" expression ")" | primitive | value
/// primitive  = [ "ip" | "ip6" ] [ ends ] "host" values     [ "tcp" | "udp" ] [ ends ] "port" values
///            | [ "ip" | "ip6" ] [ ends ] "net" values      [ "tcp" | "udp" ] [ ends ] "portrange" values
///            | [ "ip" | "ip6" ] ends values                [ "ip" | "ip6" ] "proto" ( number | protocol )
///            | "ip" | "ip6" | protocol                     "vlan" [ id ]
/// protocol   = "tcp" | "udp" | "sctp" | "esp" | "icmp" | "igmp" | "icmp6"
/// ends       = "src" | "dst" | "src or dst" | "src and dst"
/// values     = value | "not" values | "(" values { ( "and" | "or" ) values } ")"
/// value      = address | address [ "/" bits | "mask" address ] | port | port "-" port
/// ```
///
/// An empty expression wants every packet. As with tcpdump, `and` and `or` are of equal precedence and are read from
/// left to right, `not` binds closest, without `src` or `dst` either end fits, and a value alone has the keywords of
/// the one before it: `tcp port 80 or 443` is `tcp port 80 or tcp port 443`. A `net` may leave out the last bytes of an
/// IPv4 address, each of which shortens its mask by 8 bits. Keywords are in lower case.
///
/// It differs from tcpdump as follows.
/// - **Tunnels and tags** are looked through. An expression is read for each IP header of a packet and what follows that
///   header, alone, and a packet fits if one of them does: `host 10.0.0.1 and port 443` takes a packet with that
///   address and port inside VXLAN or GRE, or those of the tunnel itself, but not an address of one header and a port
///   of another. `not host 10.0.0.1` leaves out what has that address in each of its headers.
/// - `vlan` is about the frame, wherever it stands, and changes nothing for what follows. `vlan 7` fits if the
///   outermost tag or the innermost one has this id.
/// - **Fragments** are put together first, so that `port` fits the datagram as a whole. Headers outside of a datagram
///   that was put together are not looked at.
/// - `proto` is about what the IP header carries in the end, behind extension headers of IPv6, authentication headers and
///   fragment headers: `proto 51`, `ip6 proto 0` and the like fit no packet.
/// - `port` is about TCP and UDP; tcpdump adds SCTP. ARP has no hosts here, as it has no packets.
/// - Names of hosts, networks and ports are not looked up, and `host 10` is no address.
///
/// ```
/// use huginn_net_core::Filter;
///
/// let filter = Filter::parse("tcp port 443 or 8443 and not src net 10.0.0.0/8")?;
/// let error = Filter::parse("tcp port 99999").expect_err("no port");
/// assert_eq!((error.column(), error.span()), (10, 9..14));
/// # drop(filter);
/// # Ok::<(), huginn_net_core::FilterError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    program: Program,
}

impl Filter {
    /// Bytes of the longest expression.
    pub const MAX_LEN: usize = parser::MAX_LEN;
    /// Levels of the deepest expression: parentheses, `not`, and turns from `and` to `or`.
    pub const MAX_DEPTH: usize = parser::MAX_DEPTH;

    /// Reads an expression.
    ///
    /// # Errors
    /// It is none, or beyond a limit; the error says where.
    pub fn parse(expression: &str) -> Result<Self, FilterError> {
        let parsed = parser::parse(expression)?;
        Ok(Self { program: parsed.map_or(Program::ALL, |parsed| Program::of(&parsed)) })
    }

    /// Whether a packet is wanted.
    #[inline]
    #[must_use]
    pub fn matches(&self, packet: &Packet<'_>) -> bool {
        let layout = packet.layout();
        self.program.accepts(&Header::of(packet, layout))
            || packet.any_outer(|outer| self.program.accepts(&Header::of(outer, layout)))
    }

    /// A program of the classic BSD packet filter (McCanne and Jacobson, 1993) for frames of this link type, which a
    /// kernel can run before it copies them. `None` for link types other than Ethernet, raw IP and loopback, and for a
    /// program of more than 4,096 instructions, which Linux refuses.
    ///
    /// It accepts every frame of a packet that [`matches`](Self::matches), and more: what takes a closer look (tunnels,
    /// fragments, IPv6 extension headers, frames with LLC, PPPoE or MPLS) it lets pass, and tags it takes for any, as
    /// Linux may have removed them. Frames that hold no IP packet are left out.
    #[must_use]
    pub fn to_bpf(&self, link_type: LinkType) -> Option<Vec<BpfInstruction>> {
        self.to_bpf_for(link_type, Interest::Everything)
    }

    /// The same, less what is of no interest to analysis anyway.
    #[must_use]
    pub fn to_bpf_for(&self, link_type: LinkType, interest: Interest) -> Option<Vec<BpfInstruction>> {
        bpf::program(&self.program, link_type, interest)
    }
}

impl Default for Filter {
    /// Wants every packet.
    fn default() -> Self {
        Self { program: Program::ALL }
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(expression: &str) -> Result<Self, FilterError> {
        Self::parse(expression)
    }
}
