//! Passive TCP/IP fingerprinting: what a SYN or SYN+ACK shows of the stack that sent it.
//!
//! ```no_run
//! use huginn_net_tcp::{HuginnNetTcp, TcpEvent};
//!
//! for event in HuginnNetTcp::new().analyze_pcap("capture.pcapng")? {
//!     match event? {
//!         TcpEvent::Syn(seen) => println!("client {} {}", seen.origin.source, seen.observation),
//!         TcpEvent::SynAck(seen) => println!("server {} {}", seen.origin.source, seen.observation),
//!         TcpEvent::Uptime(clock) => println!("clock  {} {} Hz", clock.origin.source, clock.frequency_hz),
//!         _ => {}
//!     }
//! }
//! # Ok::<(), huginn_net_tcp::core::SourceError>(())
//! ```
//!
//! [`TcpObservation`] is what was *seen*; which system that is, a database says (crate `huginn-net-db`).
//!
//! # Features
//! All on: `capture` for captures and connections, without which only what reads single packets is there; `gzip` and `zstd` for
//! compressed captures, `live` for interfaces on Linux. `libpcap` is for interfaces by that library.

#![cfg_attr(
    not(feature = "capture"),
    allow(dead_code, unused_imports, reason = "what finds SYNs in packets uses them")
)]

#[cfg(feature = "capture")]
mod analyzer;
#[cfg(feature = "capture")]
mod clock;
#[cfg(feature = "capture")]
mod common;
#[cfg(feature = "capture")]
mod connections;
#[cfg(feature = "capture")]
mod event;
#[cfg(feature = "capture")]
mod make;
mod observation;
mod observe;
mod options;
mod quirks;
#[cfg(feature = "capture")]
mod seen;
#[cfg(feature = "capture")]
mod settings;
#[cfg(feature = "capture")]
mod sources;
#[cfg(feature = "capture")]
mod templates;
mod ttl;
#[cfg(feature = "capture")]
mod uptime;
mod window;

pub use huginn_net_core as core;

#[cfg(feature = "capture")]
pub use self::analyzer::{HuginnNetTcp, TcpAnalyzer};
#[cfg(feature = "capture")]
pub use self::event::{Handshake, TcpEvent};
pub use self::observation::{IpIdClass, PortClass, SynOffer, TcpFacts, TcpObservation};
pub use self::options::{OptionKind, OptionLayout, TcpOptions, Timestamps};
pub use self::quirks::Quirks;
#[cfg(feature = "capture")]
pub use self::settings::TcpSettings;
pub use self::ttl::{TtlCandidate, TtlCandidates, TtlGuess};
#[cfg(feature = "capture")]
pub use self::uptime::{Uptime, UptimeState};
pub use self::window::WindowMultiple;

// For the crates `huginn-net` and `huginn-net-db`, which ask for exactly this version: these may change with any release.
#[cfg(feature = "capture")]
#[doc(hidden)]
pub use self::make::{AsSeen, MakeEvent};
#[doc(hidden)]
pub use self::observation::{IPV4_HEADERS, IPV6_HEADERS};
#[cfg(feature = "capture")]
#[doc(hidden)]
pub use self::seen::Seen;
#[doc(hidden)]
pub use self::window::{MIN_MSS, TIMESTAMPS_ROOM};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeSnippets;
