//! The command as a user meets it: arguments in, bytes and an exit status out.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that meets something unexpected has failed"
)]

mod arguments;
mod databases;
mod failures;
mod goldens;
mod inputs;
mod outputs;
mod robustness;
mod run;
mod streams;
