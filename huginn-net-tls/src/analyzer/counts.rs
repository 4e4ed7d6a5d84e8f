//! What is counted of the analysis.

use huginn_net_core::{AnalyzerStats, PendingStats};

use crate::error::TlsError;

/// Counts from the start of an analyzer on.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Hellos over TCP in one segment, and in several.
    pub(super) single_segment: u64,
    pub(super) reassembled: u64,
    pub(super) quic: u64,
    pub(super) dtls: u64,
    pub(super) sslv2: u64,
    pub(super) server_hellos: u64,
    pub(super) retry_requests: u64,
    /// Connections whose begin was seen and that brought no hello in the bytes searched.
    pub(super) not_tls: u64,
    /// Segments that arrived before others that belong before them.
    pub(super) out_of_order: u64,
    /// Segments that contradict bytes that arrived before, and hellos of DTLS whose fragments do.
    pub(super) overlap_conflict: u64,
    /// Bytes that would have had to wait for others, beyond what is held of a connection.
    pub(super) out_of_order_limit: u64,
    pub(super) too_long: u64,
    /// Hellos that were not complete when the input ended.
    pub(super) incomplete: u64,
    pub(super) refused_decryptions: u64,
    malformed: AnalyzerStats,
}

impl Counts {
    /// Counts something that began like a hello and is none.
    pub(super) fn malformed(&mut self, error: TlsError) {
        match error {
            TlsError::Limit { .. } => self.too_long += 1,
            error => self.malformed_because(error.reason()),
        }
    }

    pub(super) fn malformed_because(&mut self, reason: &'static str) {
        self.malformed.add_malformed(reason, 1);
    }

    pub(super) fn add_to(&self, stats: &mut AnalyzerStats, pending: PendingStats) {
        for (name, count) in [
            ("tls_single_segment", self.single_segment),
            ("tls_reassembled", self.reassembled),
            ("tls_quic", self.quic),
            ("tls_dtls", self.dtls),
            ("tls_sslv2", self.sslv2),
            ("tls_server_hello", self.server_hellos),
            ("tls_hello_retry_request", self.retry_requests),
            ("tls_not_tls", self.not_tls),
            ("tls_out_of_order", self.out_of_order),
            ("tls_overlap_conflict", self.overlap_conflict),
        ] {
            stats.add_seen(name, count);
        }
        for (name, count) in [
            ("tls_out_of_order", self.out_of_order_limit),
            ("tls_too_long", self.too_long),
            ("tls_incomplete", self.incomplete),
            ("tls_pending", pending.evicted),
            ("tls_pending_time", pending.expired),
            ("tls_pending_per_source", pending.refused),
            ("quic_decryptions", self.refused_decryptions),
        ] {
            stats.add_limit(name, count);
        }
        for &(reason, count) in &self.malformed.malformed {
            stats.add_malformed(reason, count);
        }
    }
}
