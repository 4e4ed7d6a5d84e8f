//! What can be set for the analysis of HTTP.

use core::time::Duration;

use huginn_net_core::PendingLimits;

use crate::http1::Http1Limits;
use crate::http2::Http2Limits;

/// Limits of the analysis of HTTP. They hold for each copy of the analyzer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpSettings {
    /// TCP connections known: where their bytes begin, and how many exchanges were reported. The one that was touched
    /// longest ago is given up for another one. At most 225 bytes each, and 120 while a body comes in chunks. Twice
    /// as many SYNs and SYN+ACKs, at most 75 bytes each. 1 or more.
    pub max_flows: usize,
    /// Capture time without a packet of interest after which a connection is forgotten; checked about once a second. It counts
    /// from the first packet of the second in which there was one last.
    pub flow_timeout: Duration,
    /// Requests of a connection that are reported, and responses; what follows costs no more than a look at whether its
    /// connection is known. 1 to 255.
    pub max_exchanges: u8,
    /// Heads that wait for the rest of their bytes. An IPv6 source is a network of 64 bits. As many connections of HTTP/2 are
    /// followed, with as much memory, and as many of one source.
    pub pending: PendingLimits,
    /// How long a connection of HTTP/2 is followed from its begin.
    pub max_http2_age: Duration,
    /// How much a head of HTTP/1 may have.
    pub http1: Http1Limits,
    /// How much a client or server of HTTP/2 may send until a head is complete.
    pub http2: Http2Limits,
}

impl Default for HttpSettings {
    /// 32,768 connections for 30 seconds, 4 exchanges of each; the default of [`PendingLimits`]; a minute of HTTP/2.
    fn default() -> Self {
        Self {
            max_flows: 32_768,
            flow_timeout: Duration::from_secs(30),
            max_exchanges: 4,
            pending: PendingLimits::default(),
            max_http2_age: Duration::from_secs(60),
            http1: Http1Limits::default(),
            http2: Http2Limits::default(),
        }
    }
}

impl HttpSettings {
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

    /// With this [`max_exchanges`](Self::max_exchanges).
    #[must_use]
    pub const fn with_max_exchanges(self, max_exchanges: u8) -> Self {
        Self { max_exchanges, ..self }
    }

    /// With this [`pending`](Self::pending).
    #[must_use]
    pub const fn with_pending(self, pending: PendingLimits) -> Self {
        Self { pending, ..self }
    }

    /// With this [`max_http2_age`](Self::max_http2_age).
    #[must_use]
    pub const fn with_max_http2_age(self, max_http2_age: Duration) -> Self {
        Self { max_http2_age, ..self }
    }

    /// With these limits of [`http1`](Self::http1).
    #[must_use]
    pub const fn with_http1(self, http1: Http1Limits) -> Self {
        Self { http1, ..self }
    }

    /// With these limits of [`http2`](Self::http2).
    #[must_use]
    pub const fn with_http2(self, http2: Http2Limits) -> Self {
        Self { http2, ..self }
    }
}
