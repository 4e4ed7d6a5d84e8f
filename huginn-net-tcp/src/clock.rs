//! The tick rate of one side of a connection, from its timestamps option.

use huginn_net_core::Timestamp;

// Times are in nanoseconds, as each packet is looked at and a `Duration` would have to be divided.
const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MILLISECOND;
/// Packets further from the first one than this say nothing (a counter of 1000 Hz wraps in 49 days, but idle
/// connections cross suspends and clock steps).
const MAX_SPAN: u64 = 600 * SECOND;
/// A slope over less than this is noise.
const MIN_SPAN: u64 = 250 * MILLISECOND;
/// Fewer ticks than this are noise as well.
const MIN_TICKS: f64 = 5.0;
/// Packets that make a slope: two points always lie on a line.
pub(crate) const MIN_PACKETS: u32 = 3;
/// Packets closer than this to one that counted tell no more than that: it is as long as a packet [may wait](JITTER_SECONDS), and most
/// of them have waited for each other. Once there are [`MIN_PACKETS`], they do not count.
const BURST: u64 = 5 * MILLISECOND;
/// Relative error at which an estimate need not wait for more.
const SETTLED_ERROR: f64 = 0.05;
/// Relative error above which nothing is said at all.
const MAX_ERROR: f64 = 0.25;
/// Slopes outside of this range, in Hz, are not those of a clock of ticks.
const FREQUENCIES: core::ops::RangeInclusive<f64> = 0.7..=1500.0;
/// Rates that stacks really tick at, in Hz.
const KNOWN_RATES: [f64; 8] = [1.0, 2.0, 10.0, 100.0, 250.0, 300.0, 512.0, 1000.0];
/// Time a packet may wait between its sender's clock and the capture, beyond the usual.
const JITTER_SECONDS: f64 = 0.005;
/// Packets that are believed to have come each by itself: those of a burst wait for each other and have the same ticks, so that many
/// of them tell no more than few.
const INDEPENDENT: f64 = 3.0;
/// Student's t for a probability of 95 % on both sides with the one degree of freedom that these leave.
const QUANTILE: f64 = 12.71;
/// Clocks of hosts run this much too fast or slow at most while they are disciplined (RFC 5905 §7.1).
pub(crate) const DRIFT: f64 = 500e-6;

/// Timestamps of one side of a connection: a least-squares line of ticks over time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionClock {
    started_at: Timestamp,
    first: u32,
    last_at: Timestamp,
    last: u32,
    packets: u32,
    /// Sums over all packets, with the first as origin: seconds, ticks, and their products.
    sum_x: f64,
    sum_y: f64,
    sum_xx: f64,
    sum_xy: f64,
    sum_yy: f64,
    /// What tells the last packet from others with the same ticks.
    last_mark: u16,
    broken: bool,
}

/// A tick rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rate {
    /// Ticks per second: a known rate if one lies within the error, the measured one otherwise.
    pub(crate) frequency: f64,
    /// By how much the measured rate may be off, in Hz.
    pub(crate) error: f64,
}

impl ConnectionClock {
    /// Starts at a SYN or SYN+ACK.
    pub(crate) fn new(ticks: u32, at: Timestamp) -> Self {
        Self {
            started_at: at,
            first: ticks,
            last_at: at,
            last: ticks,
            packets: 1,
            sum_x: 0.0,
            sum_y: 0.0,
            sum_xx: 0.0,
            sum_xy: 0.0,
            sum_yy: 0.0,
            last_mark: 0,
            broken: false,
        }
    }

    /// Takes a later packet; says whether it counts. Ticks that go back a little are those of a reordered packet; ticks
    /// that go back far are not those of a clock. One with the ticks and the `mark` of the one before it was captured twice.
    pub(crate) fn push(&mut self, ticks: u32, mark: u16, at: Timestamp) -> bool {
        const REORDERED_TICKS: i32 = 15_000;
        const REORDERED_SPAN: u64 = 100 * MILLISECOND;
        let elapsed = nanos(self.started_at, at);
        if self.broken || elapsed > MAX_SPAN || at < self.wanted_from(at) {
            return false;
        }
        let advance = ticks.wrapping_sub(self.last).cast_signed();
        if advance < 0 {
            let reordered = nanos(self.last_at, at) < REORDERED_SPAN && advance > -REORDERED_TICKS;
            self.broken = !reordered;
            return false;
        }
        if advance == 0 && mark == self.last_mark && self.packets > 1 {
            return false;
        }
        let (x, y) = (seconds(elapsed), f64::from(ticks.wrapping_sub(self.first)));
        self.packets += 1;
        self.sum_x += x;
        self.sum_y += y;
        self.sum_xx += x * x;
        self.sum_xy += x * y;
        self.sum_yy += y * y;
        (self.last, self.last_mark, self.last_at) = (ticks, mark, at);
        true
    }

    /// The time before which no packet counts that comes now or later.
    #[inline]
    pub(crate) fn wanted_from(&self, now: Timestamp) -> Timestamp {
        if nanos(self.started_at, now) > MAX_SPAN {
            return Timestamp::MAX;
        }
        let distance = if self.packets < MIN_PACKETS { 0 } else { BURST };
        Timestamp::from_nanos(self.last_at.as_nanos().saturating_add(distance))
    }

    /// Whether no packet will make an estimate of this.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Packets that counted, the first one among them.
    pub(crate) fn packets(&self) -> u32 {
        self.packets
    }

    /// When it was started.
    pub(crate) fn started_at(&self) -> Timestamp {
        self.started_at
    }

    /// When the last packet that counted was captured.
    pub(crate) fn last_at(&self) -> Timestamp {
        self.last_at
    }

    /// The ticks of the last packet that counted.
    pub(crate) fn ticks(&self) -> u32 {
        self.last
    }

    /// The rate, once three packets give it well enough.
    pub(crate) fn settled(&self) -> Option<Rate> {
        let may_be_known = self.packets >= MIN_PACKETS && nanos(self.started_at, self.last_at) >= MIN_SPAN;
        let rate = may_be_known.then(|| self.rate()).flatten()?;
        (rate.error <= SETTLED_ERROR * rate.frequency).then_some(rate)
    }

    /// The rate as well as it is known when no packet will follow; of two packets it takes another connection to
    /// confirm it.
    pub(crate) fn rate(&self) -> Option<Rate> {
        let span = nanos(self.started_at, self.last_at);
        let ticks = f64::from(self.last.wrapping_sub(self.first));
        if self.broken || span < MIN_SPAN || ticks < MIN_TICKS {
            return None;
        }
        let n = f64::from(self.packets);
        let var_x = self.sum_xx - self.sum_x * self.sum_x / n;
        let cov = self.sum_xy - self.sum_x * self.sum_y / n;
        if var_x <= 0.0 {
            return None;
        }
        let slope = cov / var_x;
        if !FREQUENCIES.contains(&slope) {
            return None;
        }
        // Two points leave no residue; their error is that of reading a counter and of the way to the capture.
        let free = self.packets.saturating_sub(2);
        let residue = (self.sum_yy - self.sum_y * self.sum_y / n - slope * cov).max(0.0);
        let variance = if free > 0 { residue / f64::from(free) } else { 0.0 };
        let of_residue = QUANTILE * (variance / var_x * (n / INDEPENDENT)).sqrt();
        let error = of_residue + (1.0 + slope * JITTER_SECONDS) / seconds(span) + slope * DRIFT;
        if error > MAX_ERROR * slope {
            return None;
        }
        Some(Rate::of(slope, error))
    }
}

/// From one time to a later one; zero if it is earlier.
#[inline]
fn nanos(from: Timestamp, until: Timestamp) -> u64 {
    until.as_nanos().saturating_sub(from.as_nanos())
}

#[inline]
#[expect(clippy::cast_precision_loss, reason = "ten minutes have 40 bits")]
fn seconds(nanos: u64) -> f64 {
    nanos as f64 / 1e9
}

/// Whether stacks are known to tick at this rate.
pub(crate) fn is_known(frequency: f64) -> bool {
    KNOWN_RATES.contains(&frequency)
}

impl Rate {
    /// What was measured, which may be off by so much: a known rate if just one lies within.
    pub(crate) fn of(measured: f64, error: f64) -> Self {
        let mut within = KNOWN_RATES.into_iter().filter(|known| (known - measured).abs() <= error);
        // Of two rates that fit, neither is known.
        let frequency = match (within.next(), within.next()) {
            (Some(known), None) => known,
            _ => measured,
        };
        Self { frequency, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(first: u32, samples: &[(u64, u32)]) -> ConnectionClock {
        let at = |millis: u64| Timestamp::from_nanos(1_700_000_000_000_000_000 + millis * 1_000_000);
        let mut clock = ConnectionClock::new(first, at(0));
        for (mark, &(millis, ticks)) in (0..).zip(samples) {
            let _ = clock.push(ticks, mark, at(millis));
        }
        clock
    }

    #[test]
    fn snaps_to_a_known_rate_within_the_error() {
        let rate = clock(1_000, &[(100, 1_099), (300, 1_301), (600, 1_600)]).settled();
        assert_eq!(rate.map(|rate| rate.frequency), Some(1000.0));
    }

    #[test]
    fn keeps_a_rate_that_no_stack_is_known_for() {
        let rate = clock(0, &[(5_000, 495), (10_000, 990)]).settled().expect("a rate");
        assert!((rate.frequency - 99.0).abs() < 0.1, "{rate:?}");
    }

    #[test]
    fn three_packets_that_lie_near_a_line_by_chance_do_not_rule_a_known_rate_out() {
        // Of 300 Hz, each delayed by 5 ms at most: nearly on a line of 295.8 Hz.
        let rate = clock(0, &[(185, 55), (507, 150)]).settled().expect("a rate");
        assert_eq!(rate.frequency, 300.0, "{rate:?}");
    }

    #[test]
    fn packets_of_a_burst_tell_no_more_than_few() {
        // Of 1000 Hz; a burst waits for 100 ms, and has the ticks of its first packet.
        let burst: Vec<_> = (0..40).map(|packet| (300 + packet / 10, 200)).collect();
        let before = [(10, 10), (20, 20)];
        assert_eq!(clock(0, &[&before[..], &burst].concat()).settled(), None);
        let later = clock(0, &[&before[..], &burst, &[(2_000, 2_000), (4_000, 4_000)]].concat());
        assert_eq!((later.packets(), later.rate().map(|rate| rate.frequency)), (6, Some(1000.0)));
    }

    #[test]
    fn two_packets_give_a_rate_only_at_the_end() {
        let clock = clock(18_384_000, &[(1_000, 18_384_100)]);
        assert_eq!(clock.settled(), None);
        assert_eq!(clock.rate().map(|rate| rate.frequency), Some(100.0));
    }

    #[test]
    fn a_packet_that_was_captured_twice_counts_once() {
        let at = |millis: u64| Timestamp::from_nanos(millis * 1_000_000);
        let mut clock = ConnectionClock::new(1_000, at(0));
        let counts =
            [(500, 1_050, 7), (501, 1_050, 7), (502, 1_050, 8), (1_000, 1_100, 8), (1_005, 1_100, 8)]
                .map(|(millis, ticks, mark)| clock.push(ticks, mark, at(millis)));
        assert_eq!(counts, [true, false, true, true, false]);
        assert_eq!((clock.packets(), clock.last_at()), (4, at(1_000)));
    }

    #[test]
    fn of_three_packets_and_more_one_of_each_burst_counts() {
        let at = |millis: u64| Timestamp::from_nanos(millis * 1_000_000);
        let mut clock = ConnectionClock::new(0, at(0));
        let found = [1, 2, 3, 6, 7, 10, 11, 300, 304, 305].map(|millis| {
            let from = clock.wanted_from(at(millis));
            let counts = clock.push(u32::try_from(millis).expect("few"), 0, at(millis));
            assert_eq!(counts, at(millis) >= from, "{millis} ms");
            counts
        });
        assert_eq!(found, [true, true, false, false, true, false, false, true, false, true]);
        assert_eq!(clock.packets(), 6);
    }

    #[test]
    fn counts_through_the_wrap() {
        let rate = clock(u32::MAX - 499, &[(500, 0), (1_000, 500)]).settled();
        assert_eq!(rate.map(|rate| rate.frequency), Some(1000.0));
    }

    #[test]
    fn a_counter_that_goes_back_is_no_clock() {
        let clock = clock(100_000, &[(1_000, 99_000), (2_000, 101_000), (3_000, 102_000)]);
        assert!(clock.is_broken());
        assert_eq!(clock.rate(), None);
    }

    #[test]
    fn a_reordered_packet_is_passed_over() {
        let clock = clock(0, &[(400, 400), (401, 390), (800, 800)]);
        assert_eq!(clock.settled().map(|rate| rate.frequency), Some(1000.0));
    }

    #[test]
    fn rates_out_of_range_are_not_reported() {
        assert_eq!(clock(0, &[(500, 1_000), (1_000, 2_000)]).rate(), None);
        assert_eq!(clock(0, &[(5_000, 3), (10_000, 6)]).rate(), None);
    }

    #[test]
    fn a_rate_that_packets_do_not_agree_on_is_not_reported() {
        assert_eq!(clock(100_000, &[(300, 100_000), (310, 100_300), (600, 100_300)]).rate(), None);
        assert_eq!(clock(0, &[(100, 260), (260, 261)]).rate(), None);
    }

    #[test]
    fn a_rate_that_may_be_off_by_more_than_a_quarter_is_not_reported() {
        assert!(clock(0, &[(500, 516), (1_000, 1_000)]).rate().is_some());
        assert_eq!(clock(0, &[(500, 517), (1_000, 1_000)]).rate(), None);
    }

    #[test]
    fn a_rate_that_may_be_off_by_more_than_a_twentieth_waits_for_more_packets() {
        assert!(clock(0, &[(500, 502), (1_000, 1_000)]).settled().is_some());
        let clock = clock(0, &[(500, 503), (1_000, 1_000)]);
        assert_eq!(clock.settled(), None);
        assert!(clock.rate().is_some());
    }

    #[test]
    fn two_known_rates_within_the_error_leave_the_measured_one() {
        let rate = clock(0, &[(100, 27), (150, 42), (260, 72)]).rate().expect("a rate");
        let reach = rate.frequency - rate.error..=rate.frequency + rate.error;
        assert!(reach.contains(&250.0) && reach.contains(&300.0), "both rates fit: {rate:?}");
        assert!((277.0..278.0).contains(&rate.frequency), "{rate:?}");
    }

    #[test]
    fn a_span_over_ten_minutes_or_under_a_quarter_second_says_nothing() {
        assert_eq!(clock(0, &[(600_001, 60_000)]).rate(), None);
        assert!(clock(0, &[(600_000, 60_000)]).rate().is_some());
        assert_eq!(clock(0, &[(100, 100), (249, 249)]).rate(), None);
    }
}
