//! Hellos of both sides, from bytes.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod allocations;
mod corpus;
mod fingerprints;
mod pieces;
