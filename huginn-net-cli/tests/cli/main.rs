//! The command as a user meets it: arguments in, bytes and an exit status out.

#![cfg(test)]

mod arguments;
mod bench;
mod databases;
mod failures;
mod goldens;
mod hello;
mod http;
mod inputs;
mod jobs;
mod live;
mod matches;
mod outputs;
mod robustness;
mod run;
mod scanners;
mod streams;
mod tls;
