//! A quick no to bytes that nobody wants.

use super::{Direction, FlowTag};
use crate::{SeqNumber, Timestamp};

/// Says which bytes of flows nobody wants, by a table small enough to stay in the cache: those of a long body, for one,
/// the end of which is known.
///
/// 1,024 places (32 KiB), each for one direction of a flow; what finds its place taken takes it over, so that a no is
/// right and a yes may be one too many. A no holds until the next [second](Timestamp::second) of capture time begins, so that
/// the table of flows still hears of a flow that is in use. It should count such a flow as
/// [touched once a second](super::Expiring::touch_mut_once_a_second_if), or how long it holds a flow would depend on who shares
/// a place here.
pub struct UnwantedBytes {
    places: Box<[Option<Unwanted>; Self::PLACES]>,
}

#[derive(Clone, Copy)]
struct Unwanted {
    flow: FlowTag,
    /// Of capture time, in which the no holds.
    second: u64,
    from: SeqNumber,
    /// How many, [`UnwantedBytes::ALL`] for no end.
    bytes: u32,
    direction: Direction,
}

impl UnwantedBytes {
    const BITS: u32 = 10;
    const PLACES: usize = 1 << Self::BITS;
    /// Stands for all bytes of a direction.
    const ALL: u32 = u32::MAX;
    /// Most bytes that are remembered at once: sequence numbers stay unambiguous.
    const MOST: u32 = 1 << 28;

    /// A table in which everything is wanted.
    pub fn new() -> Self {
        Self { places: Box::new([None; Self::PLACES]) }
    }

    /// Whether nobody wants these bytes of a flow, of which `len` begin at `seq`. False for those that belong before or
    /// behind what was [added](Self::add), even with a part.
    #[inline]
    pub fn contains(
        &self,
        flow: FlowTag,
        direction: Direction,
        (seq, len): (SeqNumber, usize),
        now: Timestamp,
    ) -> bool {
        let Some(Some(known)) = self.places.get(Self::place(flow, direction)) else { return false };
        if known.flow != flow || known.direction != direction || now.second() != known.second {
            return false;
        }
        let offset = seq.0.wrapping_sub(known.from.0);
        known.bytes != Self::ALL && u64::from(offset) + len as u64 <= u64::from(known.bytes)
    }

    /// Whether nobody wants any bytes of a direction.
    #[inline]
    pub fn contains_all(&self, flow: FlowTag, direction: Direction, now: Timestamp) -> bool {
        matches!(self.places.get(Self::place(flow, direction)), Some(Some(known))
            if known.flow == flow
                && known.direction == direction
                && known.bytes == Self::ALL
                && now.second() == known.second)
    }

    /// Remembers that nobody wants these bytes, from the next second on again.
    pub fn add(&mut self, flow: FlowTag, direction: Direction, from: SeqNumber, bytes: u64, now: Timestamp) {
        let bytes = u32::try_from(bytes).map_or(Self::MOST, |bytes| bytes.min(Self::MOST));
        self.put(Unwanted { flow, second: now.second(), from, bytes, direction });
    }

    /// Remembers that nobody wants any bytes of a direction, but for what the caller knows by its looks.
    pub fn add_all(&mut self, flow: FlowTag, direction: Direction, now: Timestamp) {
        let from = SeqNumber::default();
        self.put(Unwanted { flow, second: now.second(), from, bytes: Self::ALL, direction });
    }

    /// Forgets what was added of a direction.
    pub fn remove(&mut self, flow: FlowTag, direction: Direction) {
        if let Some(place) = self.places.get_mut(Self::place(flow, direction))
            && place.is_some_and(|known| known.flow == flow && known.direction == direction)
        {
            *place = None;
        }
    }

    fn put(&mut self, unwanted: Unwanted) {
        if let Some(place) = self.places.get_mut(Self::place(unwanted.flow, unwanted.direction)) {
            *place = Some(unwanted);
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "ten bits")]
    const fn place(flow: FlowTag, direction: Direction) -> usize {
        flow.upper_bits(Self::BITS) as usize ^ matches!(direction, Direction::FromHigher) as usize
    }
}

impl Default for UnwantedBytes {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FlowTagger, Frame, LinkType, Packet};

    const WAY: Direction = Direction::FromHigher;

    fn flow() -> FlowTag {
        let datagram = [
            0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, // IPv4
            0, 40, 0, 80, 0, 8, 0, 0, // UDP
        ];
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        FlowTagger::random().flow(&packet).expect("ports").0
    }

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_nanos(millis * 1_000_000)
    }

    #[test]
    fn bytes_are_unwanted_if_all_of_them_are_and_until_the_second_is_over() {
        let (mut unwanted, flow) = (UnwantedBytes::new(), flow());
        let from = SeqNumber(u32::MAX - 9);
        unwanted.add(flow, WAY, from, 100, at(5_100));
        for (offset, len, no) in [(0, 100, true), (40, 60, true), (40, 61, false), (100, 1, false)] {
            assert_eq!(unwanted.contains(flow, WAY, (from + offset, len), at(5_000)), no, "{offset} {len}");
        }
        assert!(!unwanted.contains(flow, WAY, (SeqNumber(u32::MAX - 10), 5), at(5_000)), "one byte before");
        assert!(!unwanted.contains(flow, WAY.reversed(), (from, 1), at(5_000)));
        assert!(unwanted.contains(flow, WAY, (from, 1), at(5_999)));
        assert!(!unwanted.contains(flow, WAY, (from, 1), at(6_000)));
        assert!(!unwanted.contains(flow, WAY, (from, 1), at(4_999)), "time went back");
        assert!(!unwanted.contains_all(flow, WAY, at(5_000)));
    }

    #[test]
    fn all_bytes_of_a_direction_are_unwanted_until_it_is_removed() {
        let (mut unwanted, flow) = (UnwantedBytes::new(), flow());
        unwanted.add_all(flow, WAY, at(0));
        assert!(unwanted.contains_all(flow, WAY, at(999)));
        assert!(!unwanted.contains_all(flow, WAY, at(1_000)));
        assert!(!unwanted.contains_all(flow, WAY.reversed(), at(0)));
        unwanted.remove(flow, WAY.reversed());
        assert!(unwanted.contains_all(flow, WAY, at(0)));
        unwanted.remove(flow, WAY);
        assert!(!unwanted.contains_all(flow, WAY, at(0)));
    }

    #[test]
    fn of_a_body_without_bounds_256_mib_are_remembered() {
        let (mut unwanted, flow) = (UnwantedBytes::new(), flow());
        unwanted.add(flow, WAY, SeqNumber(0), u64::MAX, at(0));
        assert!(unwanted.contains(flow, WAY, (SeqNumber((1 << 28) - 1), 1), at(0)));
        assert!(!unwanted.contains(flow, WAY, (SeqNumber(1 << 28), 1), at(0)));
    }
}
