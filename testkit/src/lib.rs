//! What the tests of this workspace share: packets to feed in, captures to read, files to compare with.
//!
//! It knows bytes and link type numbers and nothing of the crates under test, so that every one of them, the
//! core included, can use it, and so that a mistake in a decoder is not repeated here.
//!
//! ```
//! use testkit::encap::link;
//! use testkit::packet::{IpHeader, Ipv4, Tcp, TcpOption, flags};
//!
//! let syn = Tcp::new(40_000, 443).flags(flags::SYN).window(64_240).options([TcpOption::Mss(1_460)]);
//! let frame = link::ethernet(&Ipv4::new([10, 0, 0, 1], [10, 0, 0, 2]).ttl(57).tcp(&syn));
//! assert_eq!(frame.len(), 14 + 20 + 24);
//! ```
#![allow(
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "test code: a wrong argument fails the test that passed it"
)]

pub mod alloc;
pub mod bpf;
pub mod capture;
pub mod container;
pub mod corpus;
pub mod encap;
pub mod golden;
pub mod packet;
pub mod pcapng;
pub mod recut;
pub mod rng;
pub mod shuffle;
pub mod trace;
pub mod wrap;
