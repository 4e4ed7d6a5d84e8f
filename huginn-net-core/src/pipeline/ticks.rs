//! When analyzers are told the time.

use core::time::Duration;

use crate::Timestamp;

/// Capture time between two calls of [`Analyzer::on_time`](crate::Analyzer::on_time).
const TICK: Duration = Duration::from_secs(1);

/// When capture time has gone on by [`TICK`], or back by as much, which starts a new count.
#[derive(Default)]
pub(super) struct Ticks {
    last: Option<Timestamp>,
    /// A time far from the last one, which a single damaged frame may have.
    doubtful: Option<Timestamp>,
}

impl Ticks {
    #[inline]
    pub(super) fn is_due(&mut self, now: Timestamp) -> bool {
        const FAR: Duration = Duration::from_secs(60 * 60);
        let distance = |from: Timestamp| now.since(from).max(from.since(now));
        let Some(last) = self.last else {
            self.last = Some(now);
            return true;
        };
        if distance(last) < TICK {
            return false;
        }
        if distance(last) > FAR && self.doubtful.take().is_none_or(|doubtful| distance(doubtful) > FAR) {
            self.doubtful = Some(now);
            return false;
        }
        (self.last, self.doubtful) = (Some(now), None);
        true
    }
}
