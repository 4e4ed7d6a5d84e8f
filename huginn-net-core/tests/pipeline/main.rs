//! The driver, with and without threads.

#![cfg(test)]

mod counting;

mod held;
mod joined;
mod pool;
mod relay;
mod script;
mod sequential;
mod shards;
