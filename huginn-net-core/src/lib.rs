//! What every protocol of huginn-net stands on: packets whose headers have been located once, flows, the first
//! bytes of a stream, capture files, and the driver that takes packets to analyzers.
//!
//! # Features
//! All on: `capture` for sources and the driver; `gzip` and `zstd` for compressed captures, `live` for interfaces on Linux. `libpcap` is
//! for interfaces by that library.

mod analyzer;
mod bytes;
#[doc(hidden)]
pub mod capacity;
mod filter;
mod flags;
mod flow;
mod frame;
mod key;
mod mapped;
mod origin;
mod packet;
#[cfg(feature = "capture")]
mod pipeline;
mod progress;
mod proxy_header;
mod shared;
#[cfg(feature = "capture")]
pub mod source;
mod stream;
mod time;

pub use self::analyzer::{Affinity, Analyzer, AnalyzerStats, Conclude, Located};
pub use self::bytes::{Reader, Truncated};
pub use self::filter::{BpfInstruction, Filter, FilterError, FilterReason, Interest};
pub use self::flow::{
    Direction, Expiring, ExpiringLimits, ExpiringStats, FlowFilter, FlowKey, FlowTable, FlowTag, HashKeys,
    Held, HeldBytes, KeyedHash, NetworkTag, Pending, PendingLimits, PendingStats,
};
pub use self::frame::{Frame, LinkType};
pub use self::mapped::Mapped;
pub use self::origin::{Endpoint, Origin};
pub use self::packet::{
    Checksum, DecodeLimits, DecodeStats, Decoder, Encapsulation, EncapsulationPath, IpHeader, IpProtocol,
    IpVersion, Ipv4Header, Ipv6Header, Layout, Packet, TcpFlags, TcpHeader, TcpSegment, UdpDatagram,
    Undecoded,
};
#[cfg(feature = "capture")]
pub use self::pipeline::{
    Events, Joined, Pipeline, PoolConfig, PoolStats, Protocol, Stats, Step, Stopper, WorkerStats,
};
pub use self::progress::Progress;
pub use self::proxy_header::ProxyHeader;
#[cfg(feature = "capture")]
pub use self::source::{CaptureFile, Read, Source, SourceError, SourceStats};
pub use self::stream::{Pushed, Segment, SeqNumber, StreamHead, StreamLimit, StreamLimits};
pub use self::time::{Timestamp, Utc};

// For the crates of this repository, which ask for exactly this version: these, `capacity` too, may change with any release.
#[doc(hidden)]
pub use self::flow::{FlowLog, Follow, Opening, SourceCounts, TagHash, UnwantedBytes};
#[doc(hidden)]
pub use self::shared::{BytesKeeper, SharedBytes};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeSnippets;
