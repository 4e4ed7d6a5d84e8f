//! Hellos of both sides, from bytes.
#![cfg(test)]

mod allocations;
mod corpus;
mod extensions;
mod fingerprints;
mod pieces;
