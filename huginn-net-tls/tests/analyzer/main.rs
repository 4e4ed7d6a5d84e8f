//! Hellos found in packets.
#![cfg(test)]
#![allow(clippy::cast_possible_truncation, reason = "numbers in tests are small")]

mod alike;
mod allocations;
mod answers;
mod belonging;
mod captures;
mod carriers;
mod connections;
mod datagrams;
mod dealing;
mod hostile;
mod incomplete;
mod interest;
mod orders;
mod preambles;
mod recut;
mod relayed;
mod snaplen;
mod watch;
mod wrapped;
