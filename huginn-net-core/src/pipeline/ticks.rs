//! When analyzers are told the time.

use crate::Timestamp;

/// Capture time between two calls of [`Analyzer::on_time`](crate::Analyzer::on_time), in nanoseconds.
const TICK: u64 = 1_000_000_000;
/// How far from its neighbours the time of a frame is not believed, in nanoseconds.
const FAR: u64 = 60 * 60 * TICK;

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
        // In nanoseconds, as every frame gets here and a `Duration` would have to be divided.
        let distance = |from: Timestamp| now.as_nanos().abs_diff(from.as_nanos());
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
