//! When analyzers are told the time, and which.

use crate::Timestamp;

/// Capture time between two calls of [`Analyzer::on_time`](crate::Analyzer::on_time), in nanoseconds.
const TICK: u64 = 1_000_000_000;
/// How far from its neighbours the time of a frame is not believed, in nanoseconds.
const FAR: u64 = 60 * 60 * TICK;
/// How far a clock may have gone on since its last frame to be known for the same, in nanoseconds.
const NEAR: u64 = 2 * TICK;

/// When capture time has gone on by [`TICK`], or back by as much, which starts a new count.
///
/// Frames may have the times of several clocks, as those of interfaces that were captured on several machines. When time goes from one
/// clock to another, nothing shows yet that it has not passed; once frames of the clock before come again, what is told is the time of the
/// other clock, ahead of theirs by as much as it was.
#[derive(Default)]
pub(super) struct Ticks {
    /// What was told last.
    last: Option<Timestamp>,
    /// A time far from the last one, which a single damaged frame may have.
    doubtful: Option<Timestamp>,
    /// What other clocks may lack to the times that are told, in nanoseconds and modulo their range; what was seen last first.
    shifts: [u64; Self::MOST_CLOCKS],
    known: usize,
}

impl Ticks {
    /// What may be said of other clocks that is remembered.
    const MOST_CLOCKS: usize = 7;

    /// The time to be told behind a frame of this time, if one is due.
    #[inline]
    pub(super) fn due(&mut self, now: Timestamp) -> Option<Timestamp> {
        // In nanoseconds, as every frame gets here and a `Duration` would have to be divided.
        let Some(last) = self.last else {
            self.last = Some(now);
            return Some(now);
        };
        if apart(now, last) < TICK {
            // Its neighbours are not far away.
            self.doubtful = None;
            return None;
        }
        self.due_apart(now, last)
    }

    #[inline(never)]
    fn due_apart(&mut self, now: Timestamp, last: Timestamp) -> Option<Timestamp> {
        if apart(now, last) >= NEAR {
            if let Some(told) = self.of_other_clock(now, last) {
                self.doubtful = None;
                let is_due = told > last && apart(told, last) >= TICK;
                return is_due.then(|| *self.last.insert(told));
            }
            if !self.is_believed(now, last) {
                return None;
            }
            self.see_clock(now.as_nanos().wrapping_sub(last.as_nanos()));
        }
        (self.last, self.doubtful) = (Some(now), None);
        self.last
    }

    /// Whether a time need not be that of a single damaged frame.
    fn is_believed(&mut self, now: Timestamp, last: Timestamp) -> bool {
        let is_far = apart(now, last) > FAR;
        if is_far && self.doubtful.take().is_none_or(|doubtful| apart(now, doubtful) > FAR) {
            self.doubtful = Some(now);
            return false;
        }
        true
    }

    /// The time of a frame by the clock that tells, if it comes from one that was seen before.
    fn of_other_clock(&mut self, now: Timestamp, last: Timestamp) -> Option<Timestamp> {
        let shifts = self.shifts.get_mut(..self.known)?;
        let told = |shift: &u64| Timestamp::from_nanos(now.as_nanos().wrapping_add(*shift));
        let right = shifts.iter().position(|shift| apart(told(shift), last) < NEAR)?;
        // What has shown to be right is remembered longest.
        shifts.get_mut(..=right)?.rotate_right(1);
        shifts.first().map(told)
    }

    /// Notes that another clock tells from now on, or that time has gone on by as much, which will show: frames of the clock before lack
    /// this then, and those of others this and what they lacked, or only that.
    fn see_clock(&mut self, lack: u64) {
        let before = self.shifts;
        let others = before.iter().take(self.known).flat_map(|&shift| [shift, shift.wrapping_add(lack)]);
        let all = [lack].into_iter().chain(others);
        self.known = self.shifts.iter_mut().zip(all).map(|(shift, new)| *shift = new).count();
    }
}

#[inline]
const fn apart(one: Timestamp, other: Timestamp) -> u64 {
    one.as_nanos().abs_diff(other.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told behind frames of these times, in tenths of a second.
    fn told(times: impl IntoIterator<Item = u64>) -> Vec<Option<u64>> {
        const TENTH: u64 = TICK / 10;
        let mut ticks = Ticks::default();
        let mut due = |time: u64| ticks.due(Timestamp::from_nanos(time * TENTH));
        times.into_iter().map(|time| due(time).map(|told| told.as_nanos() / TENTH)).collect()
    }

    const HOUR: u64 = 36_000;

    #[test]
    fn each_second_is_told_and_so_is_a_step_of_one_clock_ahead_or_back() {
        assert_eq!(
            told([100, 109, 110, 300, 305, 200, 209]),
            [Some(100), None, Some(110), Some(300), None, Some(200), None]
        );
    }

    #[test]
    fn a_far_time_is_told_when_the_next_frame_confirms_it_and_not_when_a_later_one_does() {
        let far = 2 * HOUR;
        assert_eq!(told([0, far, far + 5]), [Some(0), None, Some(far + 5)]);
        assert_eq!(told([0, far, 5, far + 5, 9]), [Some(0), None, None, None, None]);
    }

    #[test]
    fn clocks_that_take_turns_are_told_once_and_then_go_on_together() {
        for apart in [25, 200, 2 * HOUR] {
            let (mut early, mut late) = (0, 0);
            // From one to the other at each half second, with two frames each so that a far one is confirmed.
            let frames = (0..400).flat_map(|half| {
                let time = half * 5;
                let time = if half % 2 == 0 { time } else { time + apart };
                [time, time]
            });
            let told: Vec<_> = told(frames).into_iter().flatten().collect();
            for (index, pair) in told.windows(2).enumerate() {
                let step = pair[1].abs_diff(pair[0]);
                assert!(step < 20 || index < 2, "{apart}: {pair:?}");
                early += u64::from(index < 2 && step >= 20);
                late += step;
            }
            assert!(early <= 1, "{apart}: {early} steps");
            // Two hundred seconds have passed, and once what is between the clocks.
            assert!((1_980..=2_020 + apart).contains(&late), "{apart}: {late}");
        }
    }

    #[test]
    fn clocks_are_told_apart_behind_a_time_without_frames() {
        // One clock is 40 seconds ahead, and half a minute passes now and then.
        let frames = (0..50).flat_map(|minute| {
            let begin = minute * 300;
            [begin + 400, begin, begin + 403, begin + 4]
        });
        let told: Vec<_> = told([0].into_iter().chain(frames)).into_iter().flatten().collect();
        let other_steps = told.windows(2).filter(|pair| pair[1].wrapping_sub(pair[0]) != 300).count();
        assert_eq!((other_steps, told.len()), (1, 51), "{told:?}");
    }

    #[test]
    fn several_clocks_are_told_apart_in_any_order() {
        let mut rng = 1_u64;
        let clocks = [0, 300, 5 * HOUR, 700];
        let times: Vec<_> = (0..5_000_u64)
            .map(|index| {
                rng = rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                index / 10 + 10 * HOUR + clocks[(rng >> 33) as usize % 4]
            })
            .collect();
        let told: Vec<_> = told(times).into_iter().flatten().collect();
        let steps = told.windows(2).filter(|pair| pair[1].abs_diff(pair[0]) >= 20).count();
        assert!(steps <= 6, "{steps} of {}", told.len());
    }
}
