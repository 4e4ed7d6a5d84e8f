//! The clocks of interfaces.

use crate::source::byte_order::ByteOrder;
use crate::{Reader, Timestamp};

/// How an interface counts time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    tick: Tick,
    /// Seconds to add.
    offset: i64,
}

/// Length of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tick {
    /// This many nanoseconds.
    Nanos(u64),
    /// This part of a nanosecond.
    PartOfNano(u64),
    /// A second divided by this power of two.
    BinaryPartOfSecond(u32),
}

impl Clock {
    /// The options `if_tsresol` and `if_tsoffset` (§4.2); microseconds since the epoch without them.
    pub(super) fn decode(options: &[u8], order: ByteOrder) -> Self {
        const END: u16 = 0;
        const RESOLUTION: u16 = 9;
        const OFFSET: u16 = 14;
        let mut clock = Self { tick: Tick::decode(6), offset: 0 };
        let mut options = Reader::new(options);
        while let (Ok(code), Ok(len)) = (options.array("code"), options.array("length")) {
            let len = usize::from(order.u16(len));
            let Ok(value) = options.take(len, "value") else { break };
            match (order.u16(code), value) {
                (END, _) => break,
                (RESOLUTION, [resolution]) => clock.tick = Tick::decode(*resolution),
                (OFFSET, value) => {
                    if let Ok(offset) = value.try_into() {
                        clock.offset = order.i64(offset);
                    }
                }
                _ => {}
            }
            if options.skip(len.next_multiple_of(4) - len, "padding").is_err() {
                break;
            }
        }
        clock
    }

    /// The time after so many ticks, held within the range of a [`Timestamp`].
    #[inline]
    pub(super) fn time(self, ticks: u64) -> Timestamp {
        let nanos = self.tick.nanos(ticks);
        if self.offset == 0 {
            return Timestamp::from_nanos(nanos);
        }
        let sum = i128::from(nanos) + i128::from(self.offset) * 1_000_000_000;
        Timestamp::from_nanos(u64::try_from(sum.max(0)).unwrap_or(u64::MAX))
    }
}

impl Tick {
    /// `if_tsresol`: a negative power of 2 if the first bit is set, else of 10.
    fn decode(resolution: u8) -> Self {
        const NANO: u32 = 9;
        let exponent = u32::from(resolution & 0x7f);
        if resolution & 0x80 != 0 {
            return Self::BinaryPartOfSecond(exponent);
        }
        match exponent.checked_sub(NANO) {
            None | Some(0) => Self::Nanos(10_u64.pow(NANO - exponent)),
            // Beyond 10^-28 s, all the ticks that 64 bits can count are less than a nanosecond.
            Some(finer) => 10_u64.checked_pow(finer).map_or(Self::Nanos(0), Self::PartOfNano),
        }
    }

    #[inline]
    fn nanos(self, ticks: u64) -> u64 {
        match self {
            Self::Nanos(nanos) => ticks.saturating_mul(nanos),
            Self::PartOfNano(parts) => ticks / parts,
            Self::BinaryPartOfSecond(exponent) => {
                // 64 bits times 30 bits, shifted by at most 127.
                let nanos = (u128::from(ticks) * 1_000_000_000) >> exponent;
                u64::try_from(nanos).unwrap_or(u64::MAX)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_of_any_resolution_stays_in_range() {
        for resolution in 0..=u8::MAX {
            let tick = Tick::decode(resolution);
            let nanos = [0, 1, u64::from(u32::MAX), u64::MAX].map(|ticks| tick.nanos(ticks));
            assert!(nanos.is_sorted(), "{tick:?}");
            for offset in [i64::MIN, -1, 1, i64::MAX] {
                Clock { tick, offset }.time(u64::MAX);
            }
        }
    }

    #[test]
    fn one_second_is_one_second_in_every_resolution_that_can_count_it() {
        for exponent in 0..=19 {
            assert_eq!(
                Tick::decode(exponent).nanos(10_u64.pow(exponent.into())),
                1_000_000_000,
                "10^-{exponent}"
            );
        }
        for exponent in 0..=63 {
            assert_eq!(Tick::decode(0x80 | exponent).nanos(1 << exponent), 1_000_000_000, "2^-{exponent}");
        }
    }

    #[test]
    fn an_offset_before_the_epoch_stops_at_the_epoch() {
        let clock = Clock { tick: Tick::decode(0), offset: -10 };
        assert_eq!(clock.time(15), Timestamp::from_parts(5, 0));
        assert_eq!(clock.time(5), Timestamp::from_nanos(0));
    }

    #[test]
    fn options_after_the_end_or_of_a_wrong_length_are_ignored() {
        let usual = Clock::decode(&[], ByteOrder::Big);
        for options in [
            &[0, 0, 0, 0, 0, 9, 0, 1, 9, 0, 0, 0][..],
            &[0, 9, 0, 2, 9, 9, 0, 0],
            &[0, 14, 0, 4, 0, 0, 0, 1],
            &[0, 9, 0xff, 0xff, 9],
        ] {
            assert_eq!(Clock::decode(options, ByteOrder::Big), usual, "{options:?}");
        }
    }
}
