//! Tells from packets alone who is talking, without sending a byte.
//!
//! All protocols from one decode, with labels from a signature database:
//!
//! ```no_run
//! use huginn_net::{Event, HuginnNet};
//!
//! for event in HuginnNet::new().analyze_pcap("capture.pcapng")? {
//!     if let Event::TcpSyn(syn) = event? {
//!         let name = syn.labels.os.as_ref().map_or("unknown".into(), |os| os.label.to_string());
//!         println!("{} runs {name}", syn.origin.source.ip());
//!     }
//! }
//! # Ok::<(), huginn_net::SourceError>(())
//! ```
//!
//! Each protocol has a crate of its own, which needs no database: `huginn-net-tcp` for TCP, `huginn-net-tls` for TLS,
//! `huginn-net-http` for HTTP. This crate puts them together and has no protocol logic. It has them as modules, and as [`core`] what they
//! share: packets, sources, and the threads that the analysis runs in.
//!
//! # Features
//! All on: `gzip` and `zstd` for compressed captures, `live` for interfaces on Linux. `libpcap` is for interfaces by that library.

mod event;
mod http_events;
mod labels;
mod pipeline;
mod stacks;
mod systems;

pub use huginn_net_core as core;
pub use huginn_net_core::source::{LiveCapture, LiveOptions};
pub use huginn_net_core::{
    Affinity, Analyzer, AnalyzerStats, BpfInstruction, CaptureFile, Conclude, DecodeLimits, DecodeStats,
    Decoder, Encapsulation, EncapsulationPath, Endpoint, Events, Filter, FilterError, FilterReason,
    FlowFilter, Frame, Interest, IpHeader, IpProtocol, IpVersion, Joined, Layout, LinkType, Located, Mapped,
    Origin, Packet, Pipeline, PoolConfig, PoolStats, Progress, Protocol, Read, Source, SourceError,
    SourceStats, Stats, Step, Stopper, TcpSegment, Timestamp, UdpDatagram, Undecoded, WorkerStats, source,
};
pub use huginn_net_db as db;
pub use huginn_net_db::{Database, Label, Quality};
pub use huginn_net_http as http;
pub use huginn_net_http::HttpSettings;
pub use huginn_net_tcp as tcp;
pub use huginn_net_tcp::{TcpObservation, TcpSettings, Uptime, UptimeState};
pub use huginn_net_tls as tls;
pub use huginn_net_tls::TlsSettings;

pub use self::event::{Distance, Event, KnownClient, TlsClient};
pub use self::http_events::{Application, Http2Client, HttpClient, HttpServer};
pub use self::labels::SharedLabels;
pub use self::pipeline::{HuginnNet, Settings};
pub use self::stacks::{Link, OperatingSystem, Stack, StackLabels};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeSnippets;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct RepositoryReadmeSnippets;
