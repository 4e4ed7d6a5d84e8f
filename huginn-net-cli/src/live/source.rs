//! Live captures as the command reads them: limited, interrupted, and idle often enough.

use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use huginn_net::source::Read as Answer;
use huginn_net::{LiveCapture, Source, SourceError, SourceStats, Timestamp};

use crate::signals::Signals;

/// What ends a run; several captures may share it.
#[derive(Clone)]
pub(super) struct Limits {
    /// Packets that may still be read; `None` for any number.
    left: Option<Arc<AtomicU64>>,
    ends_at: Option<Instant>,
    signals: Signals,
}

impl Limits {
    pub(super) fn new(count: Option<u64>, ends_at: Option<Instant>, signals: Signals) -> Self {
        Self { left: count.map(|count| Arc::new(AtomicU64::new(count))), ends_at, signals }
    }

    /// Whether a packet may be read, which is counted.
    fn takes_packet(&self) -> bool {
        self.left.as_ref().is_none_or(|left| {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
        })
    }

    fn takes_no_more(&self) -> bool {
        self.left.as_ref().is_some_and(|left| left.load(Ordering::Relaxed) == 0)
    }

    fn is_over(&self) -> bool {
        self.signals.interrupted().is_some() || self.ends_at.is_some_and(|end| Instant::now() >= end)
    }
}

/// A capture that is stopped by a signal or after a time, and ends after a number of packets.
///
/// It is idle at least every [`PAUSE`] of capture time, so that somebody can look at what has been found and write it.
pub(super) struct Limited {
    capture: LiveCapture,
    limits: Limits,
    paused_at: Timestamp,
    is_pause_due: bool,
}

const PAUSE: Duration = Duration::from_millis(100);

impl Limited {
    pub(super) fn new(capture: LiveCapture, limits: Limits) -> Self {
        Self { capture, limits, paused_at: Timestamp::default(), is_pause_due: false }
    }
}

impl Source for Limited {
    fn read(&mut self) -> Result<Answer<'_>, SourceError> {
        if self.limits.takes_no_more() {
            return Ok(Answer::End);
        }
        if self.is_pause_due {
            self.is_pause_due = false;
            if self.limits.is_over() {
                self.capture.stop()?;
            }
            return Ok(Answer::Idle);
        }
        let answer = self.capture.read()?;
        match answer {
            Answer::Frame(frame) => {
                if !self.limits.takes_packet() {
                    // Another capture has had the last one in the meantime.
                    return Ok(Answer::End);
                }
                // The clock of the system may be set back.
                let now = frame.captured_at;
                if now.since(self.paused_at).max(self.paused_at.since(now)) >= PAUSE {
                    self.is_pause_due = true;
                    self.paused_at = now;
                }
            }
            Answer::Idle => self.is_pause_due = true,
            Answer::End => {}
        }
        Ok(answer)
    }

    fn stats(&self) -> &SourceStats {
        self.capture.stats()
    }

    fn is_live(&self) -> bool {
        true
    }
}
