//! A quick no to bytes that nobody wants.

use core::fmt;

use super::{FlowFilter, FlowTag};
use crate::{SeqNumber, Timestamp};

/// Says which bytes of flows nobody wants, by a table small enough to stay in the cache: those of a long body, for one,
/// the end of which is known. Who asks about whole packets adds all bytes.
///
/// 1,024 places (32 KiB), each for one direction of a flow, which is told by its [`FlowTag::of_way`]; what finds its place
/// taken takes it over, so that a no is right and a yes may be one too many. A no holds until the next
/// [second](Timestamp::second) of capture time begins at the latest, so that the table of flows still hears of a flow that is in use.
/// It should count such a flow as [touched once a second](super::Expiring::touch_mut_once_a_second_if), or how long it holds a flow
/// would depend on who shares a place here.
pub struct UnwantedBytes {
    /// Once something was added: most captures are small, and have no long bodies.
    places: Option<Box<[Unwanted; Self::PLACES]>>,
}

impl fmt::Debug for UnwantedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnwantedBytes").finish_non_exhaustive()
    }
}

#[derive(Clone, Copy)]
struct Unwanted {
    way: FlowTag,
    /// Nanoseconds since 1970 from which on the no holds.
    since: u64,
    /// For how many nanoseconds.
    holds: u32,
    from: SeqNumber,
    /// How many; 0 if all are wanted.
    bytes: u32,
    /// Whether there is no end to them, nor a begin.
    is_all: bool,
}

/// In nanoseconds.
const SECOND: u32 = 1_000_000_000;

impl UnwantedBytes {
    const PLACES: usize = 1_024;
    /// Most bytes that are remembered at once: sequence numbers stay unambiguous.
    const MOST: u32 = 1 << 28;

    /// A table in which everything is wanted.
    #[must_use]
    pub fn new() -> Self {
        Self { places: None }
    }

    /// Whether nobody wants these bytes of a direction, of which `len` begin at `seq`. False for those that belong before or
    /// behind what was [added](Self::add), even with a part, and for none.
    #[inline]
    #[must_use]
    pub fn contains(&self, way: FlowTag, (seq, len): (SeqNumber, usize), now: Timestamp) -> bool {
        self.known(way, now).is_some_and(|known| {
            let offset = seq.0.wrapping_sub(known.from.0);
            u64::from(offset) + len as u64 <= u64::from(known.bytes) && len > 0
        })
    }

    /// Whether nobody wants any bytes of a direction.
    #[inline]
    #[must_use]
    pub fn contains_all(&self, way: FlowTag, now: Timestamp) -> bool {
        self.known(way, now).is_some_and(|known| known.is_all)
    }

    /// Remembers that nobody wants these bytes, from the next second on again.
    pub fn add(&mut self, way: FlowTag, from: SeqNumber, bytes: u64, now: Timestamp) {
        let bytes = u32::try_from(bytes).map_or(Self::MOST, |bytes| bytes.min(Self::MOST));
        self.put(Unwanted { way, since: begin_of_second(now), holds: SECOND, from, bytes, is_all: false });
    }

    /// Remembers that nobody wants any bytes of a direction, but for what the caller knows by its looks.
    pub fn add_all(&mut self, way: FlowTag, now: Timestamp) {
        let (since, from) = (begin_of_second(now), SeqNumber(0));
        self.put(Unwanted { way, since, holds: SECOND, from, bytes: 0, is_all: true });
    }

    /// As [`add_all`](Self::add_all), from now on and only before another time.
    pub fn add_all_before(&mut self, way: FlowTag, end: Timestamp, now: Timestamp) {
        let end = end.as_nanos().min(begin_of_second(now).saturating_add(SECOND.into()));
        let holds = u32::try_from(end.saturating_sub(now.as_nanos())).unwrap_or(SECOND);
        self.put(Unwanted { way, since: now.as_nanos(), holds, from: SeqNumber(0), bytes: 0, is_all: true });
    }

    /// Forgets what was added of a direction.
    pub fn remove(&mut self, way: FlowTag) {
        let known = self.places.as_mut().and_then(|places| places.get_mut(Self::place(way)));
        if let Some(known) = known.filter(|known| known.way == way) {
            (known.bytes, known.is_all) = (0, false);
        }
    }

    /// What was added of a direction, if it holds now.
    #[inline]
    fn known(&self, way: FlowTag, now: Timestamp) -> Option<&Unwanted> {
        let known = self.places.as_ref()?.get(Self::place(way))?;
        // Seconds are not divided for, as most packets of a capture get here.
        (known.way == way && now.as_nanos().wrapping_sub(known.since) < known.holds.into()).then_some(known)
    }

    fn put(&mut self, unwanted: Unwanted) {
        let nothing =
            Unwanted { way: FlowTag::ZERO, since: 0, holds: 0, from: SeqNumber(0), bytes: 0, is_all: false };
        let places = self.places.get_or_insert_with(|| Box::new([nothing; Self::PLACES]));
        if let Some(place) = places.get_mut(Self::place(unwanted.way)) {
            *place = unwanted;
        }
    }

    /// Both directions of a flow lie side by side, as in a filter, the place in which the caller has mostly found before.
    #[inline]
    const fn place(way: FlowTag) -> usize {
        FlowFilter::place(way) % Self::PLACES
    }
}

fn begin_of_second(now: Timestamp) -> u64 {
    now.second() * u64::from(SECOND)
}

impl Default for UnwantedBytes {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Direction, Frame, LinkType, Packet};

    /// A direction of a flow, and the other one.
    fn ways() -> [FlowTag; 2] {
        let datagram = [
            0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, // IPv4
            0, 40, 0, 80, 0, 8, 0, 0, // UDP
        ];
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        let (flow, way) = packet.flow().expect("ports");
        [way, way.reversed()].map(|way: Direction| flow.of_way(way))
    }

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_nanos(millis * 1_000_000)
    }

    #[test]
    fn bytes_are_unwanted_if_all_of_them_are_and_until_the_second_is_over() {
        let (mut unwanted, [way, other]) = (UnwantedBytes::new(), ways());
        let from = SeqNumber(u32::MAX - 9);
        unwanted.add(way, from, 100, at(5_100));
        for (offset, len, no) in [(0, 100, true), (40, 60, true), (40, 61, false), (100, 1, false)] {
            assert_eq!(unwanted.contains(way, (from + offset, len), at(5_000)), no, "{offset} {len}");
        }
        assert!(!unwanted.contains(way, (SeqNumber(u32::MAX - 10), 5), at(5_000)), "one byte before");
        assert!(!unwanted.contains(other, (from, 1), at(5_000)));
        assert!(unwanted.contains(way, (from, 1), at(5_999)));
        assert!(!unwanted.contains(way, (from, 1), at(6_000)));
        assert!(!unwanted.contains(way, (from, 1), at(4_999)), "time went back");
        assert!(!unwanted.contains_all(way, at(5_000)));
    }

    #[test]
    fn all_bytes_of_a_direction_are_unwanted_until_it_is_removed() {
        let (mut unwanted, [way, other]) = (UnwantedBytes::new(), ways());
        unwanted.add_all(way, at(0));
        assert!(unwanted.contains_all(way, at(999)));
        assert!(!unwanted.contains_all(way, at(1_000)));
        assert!(!unwanted.contains_all(other, at(0)));
        unwanted.remove(other);
        assert!(unwanted.contains_all(way, at(0)));
        unwanted.remove(way);
        assert!(!unwanted.contains_all(way, at(0)));
    }

    #[test]
    fn all_bytes_before_a_time_are_unwanted_from_now_on_and_until_the_second_is_over_at_the_latest() {
        let (mut unwanted, [way, other]) = (UnwantedBytes::new(), ways());
        unwanted.add_all_before(way, at(5_105), at(5_100));
        let unwanted_at = |unwanted: &UnwantedBytes, way, millis| unwanted.contains_all(way, at(millis));
        let found = [5_099, 5_100, 5_104, 5_105].map(|millis| unwanted_at(&unwanted, way, millis));
        assert_eq!(found, [false, true, true, false]);
        assert!(!unwanted_at(&unwanted, other, 5_100));
        for end in [at(6_003), Timestamp::from_nanos(u64::MAX)] {
            unwanted.add_all_before(way, end, at(5_998));
            assert_eq!([5_999, 6_000].map(|millis| unwanted_at(&unwanted, way, millis)), [true, false]);
        }
        unwanted.add_all_before(way, at(5_997), at(5_998));
        assert!(!unwanted_at(&unwanted, way, 5_998), "the time has passed");
    }

    #[test]
    fn of_a_body_without_bounds_256_mib_are_remembered() {
        let (mut unwanted, [way, _]) = (UnwantedBytes::new(), ways());
        unwanted.add(way, SeqNumber(0), u64::MAX, at(0));
        assert!(unwanted.contains(way, (SeqNumber((1 << 28) - 1), 1), at(0)));
        assert!(!unwanted.contains(way, (SeqNumber(1 << 28), 1), at(0)));
    }
}
