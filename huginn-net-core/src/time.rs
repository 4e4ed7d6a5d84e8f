//! Capture time.

use core::fmt;
use core::time::Duration;
use std::time::SystemTime;

const NANOS_PER_SECOND: u64 = 1_000_000_000;
const SECONDS_PER_DAY: u64 = 86_400;

/// When a frame was captured: nanoseconds since 1970-01-01T00:00:00Z, up to the year 2554.
///
/// Analysis knows no other clock, so that a capture gives the same events on any machine at any speed.
/// Displays as RFC 3339 with nanoseconds.
///
/// ```
/// use huginn_net_core::Timestamp;
///
/// let time = Timestamp::from_parts(1_700_000_000, 5);
/// assert_eq!(time.to_string(), "2023-11-14T22:13:20.000000005Z");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl From<SystemTime> for Timestamp {
    /// A time of the system's clock, for frames that come without one of their own. Stops at 1970 and at [`Timestamp::MAX`].
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self::from_parts(since.as_secs(), since.subsec_nanos().into())
    }
}

impl From<Timestamp> for SystemTime {
    fn from(time: Timestamp) -> Self {
        Self::UNIX_EPOCH + time.since(Timestamp::default())
    }
}

impl Timestamp {
    /// The latest time that can be written.
    pub const MAX: Self = Self(u64::MAX);

    /// A time by its nanoseconds since the epoch.
    #[inline]
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// A time by whole seconds since the epoch and nanoseconds to add; stops at [`Timestamp::MAX`].
    #[inline]
    #[must_use]
    pub const fn from_parts(seconds: u64, nanos: u64) -> Self {
        Self(seconds.saturating_mul(NANOS_PER_SECOND).saturating_add(nanos))
    }

    /// Nanoseconds since the epoch.
    #[inline]
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Whole seconds since 1970.
    #[inline]
    #[must_use]
    pub const fn second(self) -> u64 {
        self.0 / NANOS_PER_SECOND
    }

    /// How long after `earlier` this is; zero if it is before it.
    #[inline]
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// How far apart two times are, whichever is first.
    #[inline]
    #[must_use]
    pub const fn abs_diff(self, other: Self) -> Duration {
        Duration::from_nanos(self.0.abs_diff(other.0))
    }

    /// Year, month, day, hour, minute, second and nanosecond in UTC.
    #[must_use]
    pub fn to_utc(self) -> Utc {
        let seconds = self.0 / NANOS_PER_SECOND;
        let second_of_day = seconds % SECONDS_PER_DAY;
        // Days to date in the proleptic Gregorian calendar, counted in 400-year eras from 0000-03-01.
        let days = seconds / SECONDS_PER_DAY + 719_468;
        let era = days / 146_097;
        let day_of_era = days % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        Utc {
            year: year_of_era + era * 400 + u64::from(month <= 2),
            month,
            day: day_of_year - (153 * shifted_month + 2) / 5 + 1,
            hour: second_of_day / 3_600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
            nanosecond: self.0 % NANOS_PER_SECOND,
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Utc { year, month, day, hour, minute, second, nanosecond } = self.to_utc();
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanosecond:09}Z")
    }
}

/// A [`Timestamp`] taken apart by the calendar, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Utc {
    /// 1970 to 2554.
    pub year: u64,
    /// 1 to 12.
    pub month: u64,
    /// 1 to 31.
    pub day: u64,
    /// 0 to 23.
    pub hour: u64,
    /// 0 to 59.
    pub minute: u64,
    /// 0 to 59: POSIX time has no leap seconds.
    pub second: u64,
    /// 0 to 999,999,999.
    pub nanosecond: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_leap_days_and_the_ends_of_the_range() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.000000000Z"),
            (951_782_400, "2000-02-29T00:00:00.000000000Z"),
            (951_868_800, "2000-03-01T00:00:00.000000000Z"),
            (1_709_251_199, "2024-02-29T23:59:59.000000000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000000000Z"),
        ] {
            assert_eq!(Timestamp::from_parts(seconds, 0).to_string(), text);
        }
        assert_eq!(Timestamp::MAX.to_string(), "2554-07-21T23:34:33.709551615Z");
    }

    #[test]
    fn a_time_of_the_system_stops_at_1970_and_at_the_latest_that_can_be_written() {
        let after = |span| Timestamp::from(SystemTime::UNIX_EPOCH + span);
        assert_eq!(after(Duration::new(1_700_000_000, 5)), Timestamp::from_parts(1_700_000_000, 5));
        assert_eq!(Timestamp::from(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), Timestamp::default());
        assert_eq!(after(Duration::from_secs(1 << 36)), Timestamp::MAX);
        for time in [Timestamp::default(), Timestamp::from_parts(1_700_000_000, 5), Timestamp::MAX] {
            assert_eq!(Timestamp::from(SystemTime::from(time)), time);
        }
    }

    #[test]
    fn a_later_start_gives_no_negative_span() {
        let (early, late) = (Timestamp::from_nanos(1), Timestamp::from_nanos(5));
        assert_eq!(late.since(early), Duration::from_nanos(4));
        assert_eq!(early.since(late), Duration::ZERO);
        assert_eq!([late.abs_diff(early), early.abs_diff(late)], [Duration::from_nanos(4); 2]);
    }
}
