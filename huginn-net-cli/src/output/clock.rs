//! Times.

use std::io::Write;

use huginn_net::Timestamp;

use super::number::{put_nine, put_three};
use super::room::Room;

/// Writes times in UTC; most of them fall into the second of the one before.
pub(super) struct Clock {
    second: Option<u64>,
    date: [u8; "0000-00-00T".len()],
    time: [u8; "00:00:00.".len()],
}

impl Default for Clock {
    fn default() -> Self {
        Self { second: None, date: *b"0000-00-00T", time: *b"00:00:00." }
    }
}

impl Clock {
    /// Length of date and time.
    pub(super) const LEN: usize = "0000-00-00T00:00:00.000000000Z".len();

    /// Appends date and time, see [`put`](Self::put).
    pub(super) fn write(&mut self, time: Timestamp, lines: &mut Vec<u8>) {
        Room::with::<{ Self::LEN }>(lines, |room| self.put(time, room));
    }

    /// Writes date and time with nanoseconds, for example `2023-11-14T22:13:20.000000005Z`
    /// ([RFC 3339](https://www.rfc-editor.org/rfc/rfc3339)), which are [`Self::LEN`] bytes.
    #[inline]
    pub(super) fn put(&mut self, time: Timestamp, room: &mut Room<'_>) {
        let nanos = self.begin(time);
        room.put(&self.date);
        room.put(&self.time);
        put_nine(nanos, room);
        room.put(b"Z");
    }

    /// Writes the time of day with milliseconds, for example `09:14:02.118`.
    #[inline]
    pub(super) fn put_time_of_day(&mut self, time: Timestamp, room: &mut Room<'_>) {
        let nanos = self.begin(time);
        room.put(&self.time);
        put_three(nanos / 1_000_000, room);
    }

    /// Sets the second; the nanoseconds within it, which have nine digits.
    #[inline]
    fn begin(&mut self, time: Timestamp) -> u32 {
        const NANOS: u64 = 1_000_000_000;
        let second = time.as_nanos() / NANOS;
        if self.second != Some(second) {
            self.set(time);
            self.second = Some(second);
        }
        u32::try_from(time.as_nanos() % NANOS).unwrap_or_default()
    }

    #[cold]
    fn set(&mut self, time: Timestamp) {
        let utc = time.to_utc();
        let (year, month, day) = (utc.year, utc.month, utc.day);
        let (hour, minute, second) = (utc.hour, utc.minute, utc.second);
        // Both fit: no time has a year of five digits.
        let _ = write!(self.date.as_mut_slice(), "{year:04}-{month:02}-{day:02}T");
        let _ = write!(self.time.as_mut_slice(), "{hour:02}:{minute:02}:{second:02}.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_they_display() {
        let all = [
            Timestamp::default(),
            Timestamp::from_nanos(1),
            Timestamp::from_parts(1_700_000_000, 5),
            Timestamp::from_parts(1_700_000_000, 123_456_789),
            Timestamp::from_parts(1_700_000_000, 999_999_999),
            Timestamp::from_parts(951_782_400, 0),
            Timestamp::MAX,
        ];
        let mut clock = Clock::default();
        for time in all {
            let mut lines = Vec::new();
            clock.write(time, &mut lines);
            assert_eq!(String::from_utf8(lines).unwrap(), time.to_string());
        }
    }

    #[test]
    fn the_time_of_day_has_milliseconds() {
        let mut lines = Vec::new();
        Room::with::<16>(&mut lines, |room| {
            Clock::default().put_time_of_day(Timestamp::from_parts(1_700_000_000, 5_999_999), room);
        });
        assert_eq!(lines, b"22:13:20.005");
    }
}
