//! The driver, with and without threads.

#![cfg(test)]

mod counting;
mod forks;
mod held;
mod joined;
mod pool;
mod script;
mod sequential;
mod shards;
