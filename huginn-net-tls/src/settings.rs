//! What can be set for the analysis of TLS.

use core::time::Duration;

use crate::dtls::DtlsLimits;
use crate::quic::QuicLimits;
use crate::record::HelloLimits;

/// Limits of the analysis of TLS. They hold for each copy of the analyzer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TlsSettings {
    /// TCP connections known: where their bytes begin, and which hellos were reported. The one that was touched longest
    /// ago is given up for another one. At most 180 bytes each. Twice as many SYNs and SYN+ACKs, at most 75 bytes each.
    /// 1 or more.
    pub max_flows: usize,
    /// Capture time without a packet after which a connection is forgotten; checked about once a second.
    pub flow_timeout: Duration,
    /// Hellos that wait for the rest of their bytes; the oldest is given up for another one. 1 or more.
    pub max_pending: usize,
    /// Bytes of memory for all of them; the oldest are given up for others.
    pub max_pending_bytes: usize,
    /// Hellos of one source that wait, an IPv6 source being a network of 64 bits; further ones are not begun.
    pub max_pending_per_source: u16,
    /// How long a hello may take from its first packet to its last.
    pub max_pending_age: Duration,
    /// How long the next packet of a hello may take.
    pub max_pending_idle: Duration,
    /// Bytes of a connection that are searched for the begin of a hello, at the begin of each segment; in each direction,
    /// and twice as much again after a hello.
    pub max_searched_bytes: u32,
    /// Segments of a client that are searched so until there is a hello.
    pub max_searched_segments: u8,
    /// How much a client may send until its hello is complete.
    pub hello: HelloLimits,
    /// Work and memory for each client of QUIC.
    pub quic: QuicLimits,
    /// Packets of QUIC that are decrypted in each second of capture time, about a microsecond each.
    pub max_decryptions_per_second: u32,
    /// Memory for each end of DTLS, and work for each of its datagrams: `max_records` are those of one, and of the hellos that
    /// were given the last `max_hellos` are remembered.
    pub dtls: DtlsLimits,
}

impl Default for TlsSettings {
    /// 32,768 connections for 30 seconds; 32,768 hellos that wait, 256 of a source, 64 MiB of them, for 10 seconds of
    /// which 3 without a packet; 8 KiB and 12 segments searched; 50,000 packets decrypted a second.
    fn default() -> Self {
        Self {
            max_flows: 32_768,
            flow_timeout: Duration::from_secs(30),
            max_pending: 32_768,
            max_pending_bytes: 64 << 20,
            max_pending_per_source: 256,
            max_pending_age: Duration::from_secs(10),
            max_pending_idle: Duration::from_secs(3),
            max_searched_bytes: 8 << 10,
            max_searched_segments: 12,
            hello: HelloLimits::default(),
            quic: QuicLimits::default(),
            max_decryptions_per_second: 50_000,
            dtls: DtlsLimits::default(),
        }
    }
}

impl TlsSettings {
    /// With this [`max_flows`](Self::max_flows).
    #[must_use]
    pub const fn with_max_flows(self, max_flows: usize) -> Self {
        Self { max_flows, ..self }
    }

    /// With this [`flow_timeout`](Self::flow_timeout).
    #[must_use]
    pub const fn with_flow_timeout(self, flow_timeout: Duration) -> Self {
        Self { flow_timeout, ..self }
    }

    /// With this [`max_pending`](Self::max_pending).
    #[must_use]
    pub const fn with_max_pending(self, max_pending: usize) -> Self {
        Self { max_pending, ..self }
    }

    /// With this [`max_pending_bytes`](Self::max_pending_bytes).
    #[must_use]
    pub const fn with_max_pending_bytes(self, max_pending_bytes: usize) -> Self {
        Self { max_pending_bytes, ..self }
    }

    /// With this [`max_pending_per_source`](Self::max_pending_per_source).
    #[must_use]
    pub const fn with_max_pending_per_source(self, max_pending_per_source: u16) -> Self {
        Self { max_pending_per_source, ..self }
    }

    /// With this [`max_pending_age`](Self::max_pending_age).
    #[must_use]
    pub const fn with_max_pending_age(self, max_pending_age: Duration) -> Self {
        Self { max_pending_age, ..self }
    }

    /// With this [`max_pending_idle`](Self::max_pending_idle).
    #[must_use]
    pub const fn with_max_pending_idle(self, max_pending_idle: Duration) -> Self {
        Self { max_pending_idle, ..self }
    }

    /// With this [`max_searched_bytes`](Self::max_searched_bytes).
    #[must_use]
    pub const fn with_max_searched_bytes(self, max_searched_bytes: u32) -> Self {
        Self { max_searched_bytes, ..self }
    }

    /// With this [`max_searched_segments`](Self::max_searched_segments).
    #[must_use]
    pub const fn with_max_searched_segments(self, max_searched_segments: u8) -> Self {
        Self { max_searched_segments, ..self }
    }

    /// With this [`hello`](Self::hello).
    #[must_use]
    pub const fn with_hello(self, hello: HelloLimits) -> Self {
        Self { hello, ..self }
    }

    /// With this [`quic`](Self::quic).
    #[must_use]
    pub const fn with_quic(self, quic: QuicLimits) -> Self {
        Self { quic, ..self }
    }

    /// With this [`max_decryptions_per_second`](Self::max_decryptions_per_second).
    #[must_use]
    pub const fn with_max_decryptions_per_second(self, max_decryptions_per_second: u32) -> Self {
        Self { max_decryptions_per_second, ..self }
    }

    /// With this [`dtls`](Self::dtls).
    #[must_use]
    pub const fn with_dtls(self, dtls: DtlsLimits) -> Self {
        Self { dtls, ..self }
    }
}
