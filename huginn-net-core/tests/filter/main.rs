//! Filters: what they say, what they let pass, and the programs made of them.

#![cfg(test)]

mod expressions;
mod packets;
mod programs;

use huginn_net_core::{Filter, Frame, LinkType, Packet};

fn filter(expression: &str) -> Filter {
    Filter::parse(expression).unwrap_or_else(|error| panic!("{expression:?}: {error}"))
}

/// Whether a filter takes the packet of an Ethernet frame.
fn takes(expression: &str, frame: &[u8]) -> bool {
    let frame = Frame::new(frame, LinkType::ETHERNET);
    filter(expression).matches(&Packet::decode(&frame).expect("a packet"))
}

/// Asserts what filters say of an Ethernet frame.
#[track_caller]
fn assert_takes(frame: &[u8], taken: &[&str], left_out: &[&str]) {
    for expression in taken {
        assert!(takes(expression, frame), "{expression:?} leaves it out");
    }
    for expression in left_out {
        assert!(!takes(expression, frame), "{expression:?} takes it");
    }
}
