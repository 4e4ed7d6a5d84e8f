//! What is counted of the analysis.

use huginn_net_core::{AnalyzerStats, PendingStats};

use super::flows::Flows;
use crate::http1::Http1Error;
use crate::http2::{HpackError, Http2Error};

/// Counts from the start of an analyzer on.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) http1_requests: u64,
    pub(super) http1_responses: u64,
    /// Responses 1xx that answer nothing.
    pub(super) interim: u64,
    pub(super) http2_requests: u64,
    pub(super) http2_responses: u64,
    /// Connections that became tunnels or went on with another protocol.
    pub(super) switched: u64,
    /// Connections whose begin was seen and that brought no head.
    pub(super) not_http: u64,
    /// Segments that arrived before others that belong before them.
    pub(super) out_of_order: u64,
    /// Segments that contradict bytes that arrived before.
    pub(super) overlap_conflict: u64,
    /// Directions whose bytes could not be followed, because some never came, or had not when the capture ended.
    pub(super) lost: u64,
    /// Segments that would have had to wait for others, beyond what is held of a direction.
    pub(super) out_of_order_limit: u64,
    /// Connections that have as many exchanges as are reported.
    pub(super) exchanges_limit: u64,
    /// Connections with more requests before their responses than are followed.
    pub(super) pipelined_limit: u64,
    refused: AnalyzerStats,
}

impl Counts {
    /// Counts something that began like a head and is none, or goes beyond a limit.
    pub(super) fn refused(&mut self, error: &Http1Error) {
        match error {
            Http1Error::Limit { .. } => self.refused.add_limit(error.reason(), 1),
            _ => self.refused.add_malformed(error.reason(), 1),
        }
    }

    /// Counts an end of HTTP/2 that cannot be read on.
    pub(super) fn refused_http2(&mut self, error: &Http2Error) {
        match error {
            Http2Error::Limit { .. } | Http2Error::Hpack(HpackError::Limit { .. }) => {
                self.refused.add_limit(error.reason(), 1);
            }
            _ => self.refused.add_malformed(error.reason(), 1),
        }
    }

    pub(super) fn add_to(
        &self,
        stats: &mut AnalyzerStats,
        flows: &Flows,
        pending: PendingStats,
        http2: PendingStats,
    ) {
        for (name, count) in [
            ("http1_request", self.http1_requests),
            ("http1_response", self.http1_responses),
            ("http2_request", self.http2_requests),
            ("http2_response", self.http2_responses),
            ("http_interim", self.interim),
            ("http_switched", self.switched),
            ("http_not_http", self.not_http),
            ("http_out_of_order", self.out_of_order),
            ("http_overlap_conflict", self.overlap_conflict),
        ] {
            stats.add_seen(name, count);
        }
        for (name, count) in [
            ("http_flows", flows.evicted()),
            ("http_lost_bytes", self.lost),
            ("http_exchanges", self.exchanges_limit),
            ("http_pipelined", self.pipelined_limit),
            ("http_out_of_order", self.out_of_order_limit),
            ("http_pending", pending.evicted),
            ("http_pending_time", pending.expired),
            ("http_pending_per_source", pending.refused),
            ("http2_connections", http2.evicted),
            ("http2_connection_time", http2.expired),
            ("http2_connections_per_source", http2.refused),
        ] {
            stats.add_limit(name, count);
        }
        for &(name, count) in &self.refused.limits_hit {
            stats.add_limit(name, count);
        }
        for &(reason, count) in &self.refused.malformed {
            stats.add_malformed(reason, count);
        }
    }
}
