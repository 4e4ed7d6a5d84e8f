//! `--count`: packets after which a run ends.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use huginn_net::{Decoder, Filter, Frame};

/// Packets that may still be read. As `tcpdump` counts them: with a filter those that it wants, else all.
#[derive(Clone)]
pub(crate) struct Count(Option<Shared>);

/// Several sources may share one count.
#[derive(Clone)]
struct Shared {
    left: Arc<AtomicU64>,
    filter: Option<Filter>,
}

impl Count {
    /// So many packets that the filter wants; `None` for any number.
    pub(crate) fn new(packets: Option<u64>, filter: Option<Filter>) -> Self {
        Self(packets.map(|packets| Shared { left: Arc::new(AtomicU64::new(packets)), filter }))
    }

    /// Whether packets are counted at all.
    pub(crate) fn is_limited(&self) -> bool {
        self.0.is_some()
    }

    /// Whether no packet may be read any more.
    pub(crate) fn is_used_up(&self) -> bool {
        self.0.as_ref().is_some_and(|shared| shared.left.load(Ordering::Relaxed) == 0)
    }

    /// What counts the packets of a source.
    pub(crate) fn counter(&self) -> Counter {
        Counter { count: self.clone(), decoder: Decoder::default() }
    }
}

/// Counts the packets of a source.
pub(crate) struct Counter {
    count: Count,
    /// For the filter, which looks at packets.
    decoder: Decoder,
}

impl Counter {
    /// Whether no packet may be read any more.
    #[inline]
    pub(crate) fn is_used_up(&self) -> bool {
        self.count.is_used_up()
    }

    /// Whether packets are counted at all.
    pub(crate) fn is_limited(&self) -> bool {
        self.count.is_limited()
    }

    /// Counts a frame; whether it may be read.
    #[inline]
    pub(crate) fn takes(&mut self, frame: &Frame<'_>) -> bool {
        self.count.0.is_none() || self.counts(frame)
    }

    /// Counts a frame, if frames are counted.
    #[cold]
    fn counts(&mut self, frame: &Frame<'_>) -> bool {
        let Some(Shared { left, filter }) = &self.count.0 else { return true };
        if let Some(filter) = filter {
            let mut is_wanted = false;
            self.decoder.decode_each(frame, |packet| is_wanted |= filter.matches(packet));
            if !is_wanted {
                return true;
            }
        }
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }
}
