//! Times.

use std::io::Write;

use huginn_net::Timestamp;

use super::object::EightDigits;

/// Writes times in quotes; most of them fall into the second of the one before.
pub(super) struct Clock {
    second: Option<u64>,
    /// The second as it was written last, from the quote to the point.
    text: [u8; "\"0000-00-00T00:00:00.".len()],
}

impl Default for Clock {
    fn default() -> Self {
        Self { second: None, text: *b"\"0000-00-00T00:00:00." }
    }
}

impl Clock {
    #[inline]
    pub(super) fn write(&mut self, time: Timestamp, lines: &mut Vec<u8>) {
        const NANOS: u64 = 1_000_000_000;
        let second = time.as_nanos() / NANOS;
        if self.second != Some(second) {
            self.set(time);
            self.second = Some(second);
        }
        lines.extend_from_slice(&self.text);
        // Below 1,000,000,000, which is nine digits.
        let nanos = u32::try_from(time.as_nanos() % NANOS).unwrap_or_default();
        lines.extend_from_slice(&EightDigits::of(nanos / 10).bytes());
        let [.., last] = EightDigits::of(nanos % 10).bytes();
        lines.extend_from_slice(&[last, b'Z', b'"']);
    }

    /// Sets date and time of day.
    #[cold]
    fn set(&mut self, time: Timestamp) {
        let [_quote, place @ ..] = &mut self.text;
        let utc = time.to_utc();
        let (year, month, day) = (utc.year, utc.month, utc.day);
        let (hour, minute, second) = (utc.hour, utc.minute, utc.second);
        // Fits: no time has a year of five digits.
        let _ =
            write!(place.as_mut_slice(), "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.");
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
            assert_eq!(String::from_utf8(lines).unwrap(), format!("\"{time}\""));
        }
    }
}
