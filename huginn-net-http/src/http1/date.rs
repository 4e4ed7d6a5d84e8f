//! Dates of HTTP.

use huginn_net_core::Timestamp;

const MONTHS: [(&[u8], u64); 12] = [
    (b"Jan", 31),
    (b"Feb", 28),
    (b"Mar", 31),
    (b"Apr", 30),
    (b"May", 31),
    (b"Jun", 30),
    (b"Jul", 31),
    (b"Aug", 31),
    (b"Sep", 30),
    (b"Oct", 31),
    (b"Nov", 30),
    (b"Dec", 31),
];

/// Reads a date in one of the three forms of [RFC 9110 §5.6.7], from 1970 to 2553. The day of the week is not looked at.
///
/// [RFC 9110 §5.6.7]: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
pub(crate) fn http_date(text: &[u8]) -> Option<Timestamp> {
    let mut words = text.split(|byte| b" ,-".contains(byte)).filter(|word| !word.is_empty());
    let mut next = || words.next();
    let (_weekday, second, third, fourth, fifth, sixth) =
        (next()?, next()?, next()?, next()?, next()?, next());
    let (day, month, year, time) = match sixth {
        // `Sun, 06 Nov 1994 08:49:37 GMT`, and `Sunday, 06-Nov-94 08:49:37 GMT`.
        Some(b"GMT" | b"UTC") => (second, third, fourth, fifth),
        // `Sun Nov  6 08:49:37 1994`.
        None => (third, second, fifth, fourth),
        Some(_) => return None,
    };
    if next().is_some() {
        return None;
    }
    let year = match (number(year)?, year.len()) {
        // The years that Unix time has had so far, as there is no clock here to count 50 years from.
        (year @ 70..=99, 2) => 1900 + year,
        (year, 2) => 2000 + year,
        (year @ 1970..=2553, 4) => year,
        _ => return None,
    };
    let month = MONTHS.iter().position(|(name, _)| *name == month)?;
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days_in = |index: usize, days: u64| days + u64::from(index == 1 && is_leap(year));
    let day = number(day).filter(|day| *day >= 1)?;
    let is_day = |&(_, days): &(&[u8], u64)| day <= days_in(month, days);
    if !MONTHS.get(month).is_some_and(is_day) {
        return None;
    }
    let years = (1970..year).map(|year| 365 + u64::from(is_leap(year))).sum::<u64>();
    let months =
        MONTHS.iter().enumerate().take(month).map(|(index, &(_, days))| days_in(index, days)).sum::<u64>();
    let seconds = (years + months + day - 1) * 86_400 + second_of_day(time)?;
    Some(Timestamp::from_parts(seconds, 0))
}

/// `08:49:37`, and a leap second.
fn second_of_day(time: &[u8]) -> Option<u64> {
    let mut parts = time.split(|&byte| byte == b':');
    let (hour, minute, second) = (number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?);
    let is_time = hour < 24 && minute < 60 && second <= 60 && parts.next().is_none();
    is_time.then_some(hour * 3_600 + minute * 60 + second)
}

/// One to four digits.
fn number(digits: &[u8]) -> Option<u64> {
    if !(1..=4).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<u64> {
        http_date(text.as_bytes()).map(|time| time.as_nanos() / 1_000_000_000)
    }

    #[test]
    fn reads_all_three_forms_of_the_example_in_the_standard() {
        for text in
            ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
        {
            assert_eq!(seconds(text), Some(784_111_777), "{text}");
        }
    }

    #[test]
    fn counts_leap_days() {
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(seconds("Tue, 29 Feb 2000 00:00:00 GMT"), Some(951_782_400));
        assert_eq!(seconds("Thu, 29 Feb 2024 23:59:59 GMT"), Some(1_709_251_199));
        assert_eq!(seconds("Mon, 01 Mar 2100 00:00:00 GMT"), Some(4_107_542_400));
        assert_eq!(seconds("Mon, 29 Feb 2100 00:00:00 GMT"), None);
    }

    #[test]
    fn counts_a_leap_second_as_the_first_of_the_next_minute() {
        assert_eq!(seconds("Sat, 31 Dec 2016 23:59:60 GMT"), seconds("Sun, 01 Jan 2017 00:00:00 GMT"));
        assert_eq!(seconds("Sat, 31 Dec 2016 23:59:61 GMT"), None);
        assert_eq!(seconds("Sat, 31 Dec 2016 24:00:00 GMT"), None);
        assert_eq!(seconds("Sat, 31 Dec 2016 23:60:00 GMT"), None);
    }

    #[test]
    fn refuses_what_is_no_date() {
        for text in [
            "",
            "0",
            "now",
            "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 08:49:37 GMT GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:49:37:1 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
