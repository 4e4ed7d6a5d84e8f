//! How long nothing touched an entry, where packet time may run back.

use crate::Timestamp;

/// The times that a table was told, which cut what happens into epochs.
///
/// Packets of one capture reach the tables of several workers, each in an order of its own, but all tables are told the
/// same times at the same places. So the age of an entry is made of those times, and of its own: what has passed since the
/// end of the epoch in which it was touched, and how far from that end it was. While time goes on it is the difference of both
/// times; where time runs back, no entry's age depends on which others share its table.
pub(super) struct Epochs {
    idle: u64,
    /// The epoch that has not ended.
    current: u32,
    /// Ends of the last epochs, in order, the first `held` of them.
    ends: [Mark; Self::MAX_HELD],
    held: usize,
    /// What was told last, but for small steps back.
    now: Option<Mark>,
    /// What had passed when entries were to be looked at last.
    looked_at: u64,
}

/// A time that was told.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// As the packets have it.
    at: u64,
    /// What has passed since the first one, back or ahead, modulo its range.
    passed: u64,
}

/// Whether two times are further apart than so many nanoseconds, whichever is first.
#[inline]
pub(super) const fn is_apart(now: Timestamp, then: Timestamp, nanos: u64) -> bool {
    // Without a `Duration`, which would take a division for each entry that is looked at.
    now.as_nanos().abs_diff(then.as_nanos()) > nanos
}

/// Age of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    Idle,
    InUse,
    /// Neither this entry nor one that was touched later is idle.
    Young,
}

impl Epochs {
    /// More than the ends within the idle time, and the one before them.
    pub(super) const MAX_HELD: usize = 16;
    /// An epoch takes more than this part of the idle time, however often the time is told.
    const PER_IDLE: u64 = Self::MAX_HELD as u64 - 2;

    /// Nothing told yet; entries are idle when they are older than `idle` nanoseconds.
    pub(super) fn new(idle: u64) -> Self {
        Self { idle, current: 0, ends: Default::default(), held: 0, now: None, looked_at: 0 }
    }

    /// The epoch of what is touched now.
    #[inline]
    pub(super) const fn current(&self) -> u32 {
        self.current
    }

    /// Takes the time. A step back of no more than the idle time is one between packets that were captured side by side, and
    /// time goes on when it is made up for.
    ///
    /// Says whether to look for entries that are idle: not until a second has passed since, or a small part of the idle time. Where time
    /// goes forth and back it is told often.
    pub(super) fn tell(&mut self, at: Timestamp) -> bool {
        const SECOND: u64 = 1_000_000_000;
        let (at, is_first) = (at.as_nanos(), self.now.is_none());
        let mark = match self.now {
            None => Mark { at, passed: 0 },
            Some(now) if at < now.at && now.at - at <= self.idle => return false,
            Some(now) => {
                // More than the idle time makes no difference, and sums of it would.
                let step = at.abs_diff(now.at).min(self.idle.saturating_add(1));
                Mark { at, passed: now.passed.wrapping_add(step) }
            }
        };
        self.now = Some(mark);
        let idle = self.idle;
        let since = |end: &Mark| mark.passed.wrapping_sub(end.passed);
        // What was touched before the first end is idle when the second one is as old.
        let past = self.ends().iter().skip(1).take_while(|end| since(end) > idle).count();
        self.ends.rotate_left(past);
        self.held -= past;
        let lasts = self.ends().last().is_some_and(|end| since(end) <= idle / Self::PER_IDLE);
        if !lasts && let Some(end) = self.ends.get_mut(self.held) {
            *end = mark;
            self.held += 1;
            self.current = self.current.wrapping_add(1);
        }
        let is_time = is_first || mark.passed.wrapping_sub(self.looked_at) >= SECOND.min(idle / 32);
        if is_time {
            self.looked_at = mark.passed;
        }
        is_time
    }

    fn ends(&self) -> &[Mark] {
        self.ends.get(..self.held).unwrap_or_default()
    }

    /// The age of what was touched at this time of this epoch, by what was told last.
    pub(super) fn age(&self, epoch: u32, touched_at: Timestamp) -> Age {
        let Some(now) = self.now else { return Age::Young };
        let since = |end: &Mark| now.passed.wrapping_sub(end.passed);
        // Counted from the last one, as the first ones are let go.
        let end_of = |epoch: u32| {
            let ended_after = self.current.wrapping_sub(epoch) as usize;
            self.ends().get(self.held.checked_sub(ended_after)?)
        };
        if end_of(epoch.wrapping_sub(1)).is_some_and(|begin| since(begin) <= self.idle) {
            return Age::Young;
        }
        let is_idle = match end_of(epoch) {
            Some(end) => {
                let before_end = end.at.abs_diff(touched_at.as_nanos());
                since(end).saturating_add(before_end) > self.idle
            }
            // The epoch lasts, or it ended before all that is held.
            None => epoch != self.current,
        };
        if is_idle { Age::Idle } else { Age::InUse }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Timestamp {
        Timestamp::from_nanos(nanos)
    }

    #[test]
    fn age_is_the_difference_of_times_while_time_goes_on() {
        for step in [1, 7, 30, 100, 101, 500] {
            let mut epochs = Epochs::new(100);
            let mut touched = Vec::new();
            for now in (0..2_000).step_by(step) {
                touched.push((epochs.current(), now));
                epochs.tell(at(now));
                for &(epoch, then) in &touched {
                    let is_idle = epochs.age(epoch, at(then)) == Age::Idle;
                    assert_eq!(is_idle, now - then > 100, "{then} at {now} in steps of {step}");
                }
            }
        }
    }

    #[test]
    fn what_is_behind_a_young_one_is_not_idle() {
        // Forth and back by steps of all sizes.
        let mut time = 10_000_u64;
        let mut epochs = Epochs::new(100);
        let mut touched = Vec::new();
        for step in 0..3_000_u64 {
            let size = step * 37 % 130;
            time = if step % 3 == 2 { time - size } else { time + size };
            for late in [0, 3] {
                touched.push((epochs.current(), time - late));
            }
            epochs.tell(at(time));
            let ages: Vec<_> = touched.iter().map(|&(epoch, then)| epochs.age(epoch, at(then))).collect();
            let first_young = ages.iter().position(|&age| age == Age::Young).unwrap_or(ages.len());
            assert!(ages.iter().skip(first_young).all(|&age| age == Age::Young), "step {step}");
        }
    }

    #[test]
    fn a_step_back_within_the_idle_time_ages_nothing_and_a_longer_one_all() {
        let mut epochs = Epochs::new(100);
        epochs.tell(at(1_000));
        let epoch = epochs.current();
        epochs.tell(at(1_050));
        epochs.tell(at(950));
        assert_ne!(epochs.age(epoch, at(1_050)), Age::Idle);
        epochs.tell(at(949));
        assert_eq!(epochs.age(epoch, at(1_050)), Age::Idle);
    }

    #[test]
    fn the_first_packet_behind_a_gap_is_in_use_and_those_before_it_are_not() {
        let mut epochs = Epochs::new(100);
        epochs.tell(at(1_000));
        let epoch = epochs.current();
        epochs.tell(at(9_000));
        assert_eq!(epochs.age(epoch, at(1_001)), Age::Idle);
        assert_ne!(epochs.age(epoch, at(9_000)), Age::Idle);
    }

    #[test]
    fn entries_are_looked_at_once_a_second_however_often_time_goes_forth_and_back() {
        const SECOND: u64 = 1_000_000_000;
        let mut epochs = Epochs::new(35 * SECOND);
        assert!(epochs.tell(at(50 * SECOND)), "what was touched before may be of any time");
        // Two clocks, one and a half seconds apart.
        let looks = (0..10_000_u64).filter(|step| {
            let time = 50 * SECOND + step * SECOND / 1_000;
            epochs.tell(at(time - step % 2 * SECOND * 3 / 2))
        });
        assert_eq!(looks.count(), 9);
        assert!(epochs.tell(at(61 * SECOND)) && !epochs.tell(at(61 * SECOND + 1)));
        assert!(epochs.tell(at(10 * SECOND)), "a step back of more than the idle time");
    }

    #[test]
    fn there_is_room_for_all_ends_however_often_the_time_is_told() {
        for idle in [0, 1, 13, 14, 15, 27, 28, 100, 1_000, 1_000_000, u64::MAX] {
            for step in [1, 2, 7, 8, 1_000] {
                let mut epochs = Epochs::new(idle);
                for now in 0..3_000 {
                    epochs.tell(at(now * step));
                    assert!(epochs.held < Epochs::MAX_HELD, "{idle} in steps of {step}");
                }
            }
        }
    }

    #[test]
    fn times_at_both_ends_of_their_range_take_turns() {
        let mut epochs = Epochs::new(100);
        for _ in 0..1_000 {
            for time in [0, u64::MAX] {
                let epoch = epochs.current();
                epochs.tell(at(time));
                assert_ne!(epochs.age(epoch, at(time)), Age::Idle);
            }
        }
    }
}
