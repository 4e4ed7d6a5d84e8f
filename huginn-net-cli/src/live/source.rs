//! Live captures as the command reads them: limited, interrupted, and idle often enough.

use core::cell::OnceCell;
use core::time::Duration;
use std::time::Instant;

use huginn_net::source::Read as Answer;
use huginn_net::{LiveCapture, Source, SourceError, SourceStats, Timestamp};

use crate::count::{Count, Counter};
use crate::signals::Signals;

/// What ends a run; several captures may share it.
#[derive(Clone)]
pub(super) struct Limits {
    count: Count,
    ends_at: Option<Instant>,
    signals: Signals,
}

impl Limits {
    pub(super) fn new(count: Count, ends_at: Option<Instant>, signals: Signals) -> Self {
        Self { count, ends_at, signals }
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
    counter: Counter,
    paused_at: Timestamp,
    is_pause_due: bool,
    /// When the last frame was captured that was lent.
    last: Option<Timestamp>,
    /// Bytes of a frame that the capture gave when another one had had the last that may be read.
    excess: Option<u64>,
    /// What the capture has counted, without that frame.
    counted: OnceCell<SourceStats>,
}

const PAUSE: Duration = Duration::from_millis(100);

impl Limited {
    pub(super) fn new(capture: LiveCapture, limits: Limits) -> Self {
        Self {
            capture,
            counter: limits.count.counter(),
            limits,
            paused_at: Timestamp::default(),
            is_pause_due: false,
            last: None,
            excess: None,
            counted: OnceCell::new(),
        }
    }
}

/// Statistics without the last frame, which had so many bytes; the one before it was captured at `last`.
fn without_excess(stats: &SourceStats, bytes: u64, last: Option<Timestamp>) -> SourceStats {
    let mut stats = stats.clone();
    stats.packets = stats.packets.saturating_sub(1);
    stats.bytes = stats.bytes.saturating_sub(bytes);
    stats.first = stats.first.filter(|_| last.is_some());
    stats.last = last;
    stats
}

impl Source for Limited {
    fn read(&mut self) -> Result<Answer<'_>, SourceError> {
        if self.excess.is_some() || self.counter.is_used_up() {
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
                if !self.counter.takes(&frame) {
                    self.excess = Some(frame.bytes.len() as u64);
                    return Ok(Answer::End);
                }
                // The clock of the system may be set back.
                let now = frame.captured_at;
                self.last = Some(now);
                if now.abs_diff(self.paused_at) >= PAUSE {
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
        let stats = self.capture.stats();
        match self.excess {
            Some(bytes) => self.counted.get_or_init(|| without_excess(stats, bytes, self.last)),
            None => stats,
        }
    }

    fn is_live(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_was_one_too_many_is_not_counted() {
        let at = Timestamp::from_nanos;
        let mut counted = SourceStats::default();
        counted.count_frame(60, at(1));
        let mut read = counted.clone();
        read.count_frame(1_500, at(2));
        assert_eq!(without_excess(&read, 1_500, Some(at(1))), counted);
        assert_eq!(without_excess(&counted, 60, None), SourceStats::default());
    }
}
