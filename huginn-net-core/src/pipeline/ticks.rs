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
    /// The time of the last frame, far from the one before it: a single damaged frame may have such a time.
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
            // Whatever was far is so from what came behind it, too.
            self.doubtful = None;
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
