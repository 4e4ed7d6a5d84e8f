//! From frames to the packets that are to be analyzed.

use std::sync::Arc;

use crate::packet::{DecodeStats, Decoder};
use crate::{DecodeLimits, Filter, Frame, Packet, Source, Timestamp};

/// What a thread reads.
pub(super) struct Input {
    pub(super) source: Box<dyn Source>,
    pub(super) decoding: Decoding,
}

/// A decoder, and the filter behind it.
pub(super) struct Decoding {
    decoder: Decoder,
    filter: Option<Arc<Filter>>,
    /// Packets that the filter left out.
    filtered: u64,
}

impl Decoding {
    pub(super) fn new(limits: DecodeLimits, filter: Option<Arc<Filter>>) -> Self {
        Self { decoder: Decoder::with_limits(limits), filter, filtered: 0 }
    }

    /// Gives each packet of a frame that the filter wants.
    #[inline(always)]
    pub(super) fn each(&mut self, frame: &Frame<'_>, mut on_packet: impl FnMut(&Packet<'_>)) {
        let (filter, filtered) = (self.filter.as_deref(), &mut self.filtered);
        self.decoder.decode_each(frame, |packet| {
            if filter.is_some_and(|filter| !filter.matches(packet)) {
                *filtered += 1;
            } else {
                on_packet(packet);
            }
        });
    }

    pub(super) fn on_time(&mut self, now: Timestamp) {
        self.decoder.on_time(now);
    }

    /// What was decoded, and how many packets the filter left out.
    pub(super) fn stats(&self) -> (DecodeStats, u64) {
        (self.decoder.stats(), self.filtered)
    }
}
