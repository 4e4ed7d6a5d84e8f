//! What can be set for TCP analysis.

use core::time::Duration;

/// Limits and choices of TCP analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TcpSettings {
    /// Connections held from their SYN until they are idle, or end while their clocks are measured; the oldest is given
    /// up for another one. At most 240 bytes each, 410 while the clocks of both ends are measured. 1 or more.
    pub max_flows: usize,
    /// Connections one IPv4 address, or one IPv6 network of 64 bits, may hold between SYN and SYN+ACK; further ones are
    /// reported but not held, so that their SYN+ACK is unpaired and their retransmissions are reported too.
    pub max_pending_per_source: u16,
    /// Capture time without a packet after which a connection is given up; checked about once a second.
    pub flow_timeout: Duration,
    /// Hosts whose clocks are compared; the oldest is given up for another one. About 1 KiB each. 1 or more.
    pub max_hosts: usize,
    /// Whether to report SYN+ACKs whose SYN was not seen, or which acknowledge something else. Their window cannot
    /// be read against the MSS of the client, and anybody can send one. Needed where a capture has one direction.
    /// Those that are not reported are counted, as `tcp_unpaired` in [`AnalyzerStats::seen`](huginn_net_core::AnalyzerStats).
    pub report_unpaired: bool,
}

impl Default for TcpSettings {
    /// 32,768 flows, 8,192 of them pending per source, 30 seconds, 10,000 hosts, unpaired SYN+ACKs not reported.
    fn default() -> Self {
        Self {
            max_flows: 32_768,
            max_pending_per_source: 8_192,
            flow_timeout: Duration::from_secs(30),
            max_hosts: 10_000,
            report_unpaired: false,
        }
    }
}

impl TcpSettings {
    /// With this [`max_flows`](Self::max_flows).
    #[must_use]
    pub const fn with_max_flows(self, max_flows: usize) -> Self {
        Self { max_flows, ..self }
    }

    /// With this [`max_pending_per_source`](Self::max_pending_per_source).
    #[must_use]
    pub const fn with_max_pending_per_source(self, max_pending_per_source: u16) -> Self {
        Self { max_pending_per_source, ..self }
    }

    /// With this [`flow_timeout`](Self::flow_timeout).
    #[must_use]
    pub const fn with_flow_timeout(self, flow_timeout: Duration) -> Self {
        Self { flow_timeout, ..self }
    }

    /// With this [`max_hosts`](Self::max_hosts).
    #[must_use]
    pub const fn with_max_hosts(self, max_hosts: usize) -> Self {
        Self { max_hosts, ..self }
    }

    /// With this [`report_unpaired`](Self::report_unpaired).
    #[must_use]
    pub const fn with_report_unpaired(self, report_unpaired: bool) -> Self {
        Self { report_unpaired, ..self }
    }
}
