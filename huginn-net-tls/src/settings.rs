//! What can be set for the analysis of TLS.

use core::time::Duration;

use huginn_net_core::PendingLimits;

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
    /// Hellos that wait for the rest of their bytes. An IPv6 source is a network of 64 bits.
    pub pending: PendingLimits,
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
    /// 32,768 connections for 30 seconds; the default of [`PendingLimits`]; 8 KiB and 12 segments searched; 50,000 packets
    /// decrypted a second.
    fn default() -> Self {
        Self {
            max_flows: 32_768,
            flow_timeout: Duration::from_secs(30),
            pending: PendingLimits::default(),
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

    /// With this [`pending`](Self::pending).
    #[must_use]
    pub const fn with_pending(self, pending: PendingLimits) -> Self {
        Self { pending, ..self }
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
