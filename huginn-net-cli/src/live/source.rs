//! Live captures as the command reads them: limited, interrupted, and idle often enough.

use core::time::Duration;
use std::time::Instant;

use huginn_net::source::Read as Answer;
use huginn_net::{LiveCapture, Source, SourceError, SourceStats, Timestamp};

use crate::signals::Signals;

/// A capture that is stopped by a signal or after a time, and ends after a number of packets.
///
/// It is idle at least every [`PAUSE`] of capture time, so that somebody can look at what has been found and write it.
pub(super) struct Limited {
    capture: LiveCapture,
    left: u64,
    ends_at: Option<Instant>,
    signals: Signals,
    paused_at: Timestamp,
    is_pause_due: bool,
}

const PAUSE: Duration = Duration::from_millis(100);

impl Limited {
    pub(super) fn new(capture: LiveCapture, left: u64, ends_at: Option<Instant>, signals: Signals) -> Self {
        Self { capture, left, ends_at, signals, paused_at: Timestamp::default(), is_pause_due: false }
    }

    fn is_over(&self) -> bool {
        self.signals.interrupted().is_some() || self.ends_at.is_some_and(|end| Instant::now() >= end)
    }
}

impl Source for Limited {
    fn read(&mut self) -> Result<Answer<'_>, SourceError> {
        if self.left == 0 {
            return Ok(Answer::End);
        }
        if self.is_pause_due {
            self.is_pause_due = false;
            if self.is_over() {
                self.capture.stop()?;
            }
            return Ok(Answer::Idle);
        }
        let answer = self.capture.read()?;
        match answer {
            Answer::Frame(frame) => {
                self.left -= 1;
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
