//! Streams that are cut, repeated and reordered, and tables that are used at random.

#![cfg(test)]

use core::time::Duration;

use huginn_net_core::{
    Expiring, ExpiringLimits, SeqNumber, StreamHead, StreamLimit, StreamLimits, Timestamp,
};
use proptest::collection::vec;
use proptest::prelude::*;

const NOW: Timestamp = Timestamp::from_nanos(0);

fn roomy() -> StreamLimits {
    StreamLimits::default().with_max_bytes(4_096).with_max_pieces(4_096).with_max_out_of_order(4_096)
}

/// A stream of `0..len` and an order in which parts of it arrive that covers it, some of it repeatedly.
fn arrivals() -> impl Strategy<Value = (Vec<u8>, Vec<(usize, usize)>)> {
    let stream = vec(any::<u8>(), 1..400);
    (stream, vec(1..40_usize, 1..40), vec((any::<prop::sample::Index>(), 0..60_usize), 0..40)).prop_flat_map(
        |(stream, cuts, repeats)| {
            let mut parts = Vec::new();
            let mut start = 0;
            for len in cuts.iter().cycle() {
                if start >= stream.len() {
                    break;
                }
                let end = stream.len().min(start + len);
                parts.push((start, end));
                start = end;
            }
            for (index, len) in repeats {
                let start = index.index(stream.len());
                parts.push((start, stream.len().min(start + len)));
            }
            (Just(stream), Just(parts).prop_shuffle())
        },
    )
}

/// The most memory that a head which holds this much may take.
fn bound(head: &StreamHead) -> i64 {
    let gaps = if head.gaps() == 0 { 0 } else { 512 + 128 * head.gaps() };
    i64::try_from(4 * head.held() + gaps).unwrap()
}

fn seq_at(start: u32, offset: usize) -> SeqNumber {
    SeqNumber(start) + u32::try_from(offset).unwrap()
}

proptest! {
    #[test]
    fn any_order_of_arrival_gives_the_stream_back(
        (stream, parts) in arrivals(),
        start in prop_oneof![any::<u32>(), u32::MAX - 400..=u32::MAX],
    ) {
        let mut head = StreamHead::new(SeqNumber(start), roomy());
        let mut in_order = 0;
        for (from, to) in parts {
            let pushed = head.push(seq_at(start, from), &stream[from..to]);
            prop_assert_eq!(pushed.limit, None);
            in_order += pushed.in_order;
            prop_assert_eq!(head.bytes(), &stream[..in_order]);
        }
        prop_assert_eq!(head.bytes(), &stream[..]);
        prop_assert_eq!(head.gaps(), 0);
    }

    #[test]
    fn the_first_arrival_of_each_byte_wins((stream, parts) in arrivals(), start in any::<u32>()) {
        let mut head = StreamHead::new(SeqNumber(start), roomy());
        let mut expected = vec![None; stream.len()];
        for (number, (from, to)) in (0..=u8::MAX).cycle().zip(parts) {
            let payload = vec![number; to - from];
            let _ = head.push(seq_at(start, from), &payload);
            for byte in &mut expected[from..to] {
                byte.get_or_insert(number);
            }
        }
        let expected: Option<Vec<u8>> = expected.into_iter().collect();
        prop_assert_eq!(Some(head.bytes()), expected.as_deref());
    }

    #[test]
    fn bytes_passed_over_are_the_front_of_the_stream(
        (stream, parts) in arrivals(),
        start in any::<u32>(),
        skips in vec(0..30_u64, 100),
    ) {
        let mut head = StreamHead::new(SeqNumber(start), roomy());
        let mut front = 0;
        for ((from, to), skip) in parts.into_iter().zip(skips) {
            let _ = head.push(seq_at(start, from), &stream[from..to]);
            let skip = skip.min((stream.len() - front) as u64);
            head.skip(skip);
            front += usize::try_from(skip).unwrap();
            prop_assert!(stream[front..].starts_with(head.bytes()));
        }
        for (offset, byte) in stream.iter().enumerate() {
            let _ = head.push(seq_at(start, offset), &[*byte]);
        }
        prop_assert_eq!(head.bytes(), &stream[front..]);
    }

    #[test]
    fn held_counts_every_byte_once_and_bounds_the_memory(
        (stream, parts) in arrivals(),
        skips in vec(prop_oneof![3 => Just(0), 1 => 1..60_usize], 100),
        scale in prop_oneof![Just(1_usize), Just(10)],
    ) {
        const START: u32 = u32::MAX - 100;
        let stream = stream.repeat(scale);
        let mut head = StreamHead::new(SeqNumber(START), roomy());
        let mut is_held = vec![false; stream.len()];
        let mut front = 0;
        let mut allocated = 0;
        for ((from, to), skip) in parts.into_iter().zip(skips) {
            let (from, to, skip) = (from * scale, to * scale, skip * scale);
            allocated += allocation_counter::measure(|| {
                let _ = head.push(seq_at(START, from), &stream[from..to]);
            })
            .bytes_current;
            is_held[from.max(front).min(to)..to].fill(true);
            let held = is_held.iter().filter(|&&is_held| is_held).count();
            prop_assert_eq!(head.held(), held);
            prop_assert!(allocated <= bound(&head), "{} {:?}", allocated, head);

            let skip = skip.min(stream.len() - front);
            allocated += allocation_counter::measure(|| head.skip(skip as u64)).bytes_current;
            is_held[front..front + skip].fill(false);
            front += skip;
            prop_assert_eq!(head.held(), is_held.iter().filter(|&&is_held| is_held).count());
            prop_assert!(allocated <= bound(&head), "{} {:?}", allocated, head);
        }
        allocated += allocation_counter::measure(|| head.skip(1 << 20)).bytes_current;
        prop_assert_eq!((head.held(), allocated), (0, 0));
    }

    #[test]
    fn no_order_of_arrival_passes_a_limit_or_changes_bytes_in_order(
        segments in vec((0..200_u32, vec(any::<u8>(), 0..40)), 0..100),
    ) {
        let limits = StreamLimits::default().with_max_bytes(64).with_max_pieces(3).with_max_out_of_order(24);
        let mut head = StreamHead::new(SeqNumber(100), limits);
        for (number, payload) in segments {
            let before = head.bytes().to_vec();
            let pushed = head.push(SeqNumber(number), &payload);
            prop_assert!(head.held() <= 64 && head.gaps() <= 3 && head.held() - head.bytes().len() <= 24);
            prop_assert_eq!(pushed.limit.is_some(), pushed.dropped > 0);
            prop_assert!(pushed.waiting + pushed.dropped <= payload.len());
            prop_assert_eq!(before.len() + pushed.in_order, head.bytes().len());
            prop_assert!(head.bytes().starts_with(&before));
        }
    }

    #[test]
    fn expiring_does_what_a_list_searched_from_the_front_does(
        max_entries in 1..20_usize,
        operations in vec((0..8_u8, 0..30_u16, time_step()), 0..300),
    ) {
        let limits = ExpiringLimits::default().with_max_entries(max_entries).with_idle(Duration::from_nanos(50));
        let mut table = Expiring::new(limits);
        let mut model = Model { max_entries, ..Model::default() };
        let mut now = 1_000_u64;
        for (value, (operation, key, step)) in (0_u32..).zip(operations) {
            now = now.saturating_add_signed(step);
            let time = Timestamp::from_nanos(now);
            match operation {
                0 | 1 => prop_assert_eq!(table.insert(key, value, time), model.insert(key, value, now)),
                2 => {
                    let (is_new, displaced) = match model.touch(key, now) {
                        Ok(held) => (held.is_none(), None),
                        Err(idle) => (true, Some(idle)),
                    };
                    let evicted = if is_new { model.insert(key, value, now) } else { None };
                    let held = table.get_or_insert_with(key, time, || value);
                    prop_assert_eq!(held.is_new, is_new);
                    prop_assert_eq!(*held.value, model.newest());
                    prop_assert_eq!(held.displaced, displaced.or(evicted));
                }
                3 => prop_assert_eq!(table.get_mut(&key, time).copied(), model.touch(key, now).unwrap_or(None)),
                4 => prop_assert_eq!(table.remove(&key), model.take(key).map(|(_, value, _)| value)),
                5 => {
                    let mut gone = Vec::new();
                    table.expire(time, |key, value| gone.push((key, value)));
                    prop_assert_eq!(gone, model.expire(now));
                }
                6 => {
                    let touched = table.touch_mut_if(&key, time, |value| value % 2 == 0);
                    let touched = touched.map(|(value, before)| (*value, before.as_nanos()));
                    prop_assert_eq!(touched, model.touch_even(key, now));
                }
                _ => prop_assert_eq!(table.get(&key).copied(), model.peek(key)),
            }
            prop_assert_eq!(table.stats().evicted, model.stats.0);
            prop_assert_eq!(table.stats().expired, model.stats.1);
            let held: Vec<_> = table.iter().map(|(&key, &value)| (key, value)).collect();
            prop_assert_eq!(held, model.pairs());
            prop_assert_eq!(table.len(), model.entries.len());
        }
        prop_assert_eq!(core::iter::from_fn(|| table.pop_oldest()).collect::<Vec<_>>(), model.pairs());
    }
}

/// Mostly forward a little, at times back or far away.
fn time_step() -> impl Strategy<Value = i64> {
    prop_oneof![8 => 0..30_i64, 2 => -40..0_i64, 1 => -2_000..2_000_i64]
}

/// When an entry was touched, and how many epochs had ended then.
type Touch = (u64, usize);

/// What [`Expiring`] is meant to do: keys, values and times of last touch, oldest first.
#[derive(Default)]
struct Model {
    max_entries: usize,
    entries: Vec<(u16, u32, Touch)>,
    /// Evicted and expired.
    stats: (u64, u64),
    /// The time it was told last, but for steps back of 50 or less, with what had passed since the first.
    now: Option<(u64, u64)>,
    /// Those of these times that ended an epoch.
    told: Vec<(u64, u64)>,
}

impl Model {
    fn is_idle(touched: u64, now: u64) -> bool {
        touched.abs_diff(now) > 50
    }

    fn pairs(&self) -> Vec<(u16, u32)> {
        self.entries.iter().map(|&(key, value, _)| (key, value)).collect()
    }

    fn newest(&self) -> u32 {
        self.entries.last().unwrap().1
    }

    fn peek(&self, key: u16) -> Option<u32> {
        self.entries.iter().find(|entry| entry.0 == key).map(|entry| entry.1)
    }

    fn take(&mut self, key: u16) -> Option<(u16, u32, Touch)> {
        let at = self.entries.iter().position(|entry| entry.0 == key)?;
        Some(self.entries.remove(at))
    }

    /// The value if there is one; the entry that was idle as an error.
    fn touch(&mut self, key: u16, now: u64) -> Result<Option<u32>, (u16, u32)> {
        let Some((_, value, (touched, _))) = self.take(key) else { return Ok(None) };
        if Self::is_idle(touched, now) {
            self.stats.1 += 1;
            return Err((key, value));
        }
        self.entries.push((key, value, (now, self.told.len())));
        Ok(Some(value))
    }

    /// An even value, and when it was touched before, whether it is idle or not.
    fn touch_even(&mut self, key: u16, now: u64) -> Option<(u32, u64)> {
        self.peek(key).filter(|value| value % 2 == 0)?;
        let (_, value, (before, _)) = self.take(key)?;
        self.entries.push((key, value, (now, self.told.len())));
        Some((value, before))
    }

    fn insert(&mut self, key: u16, value: u32, now: u64) -> Option<(u16, u32)> {
        let replaced = self.take(key);
        let full = self.entries.len() == self.max_entries;
        let out = if replaced.is_none() && full { Some(self.entries.remove(0)) } else { replaced };
        if let Some((_, _, (touched, _))) = out {
            let idle = Self::is_idle(touched, now);
            self.stats.1 += u64::from(idle);
            self.stats.0 += u64::from(replaced.is_none() && !idle);
        }
        self.entries.push((key, value, (now, self.told.len())));
        out.map(|(key, value, _)| (key, value))
    }

    fn expire(&mut self, now: u64) -> Vec<(u16, u32)> {
        let (last, mut passed) = self.now.unwrap_or((now, 0));
        if now >= last || last - now > 50 {
            passed += now.abs_diff(last);
            self.now = Some((now, passed));
        }
        // A fourteenth of the idle time, or less, is no epoch of its own.
        if self.told.last().is_none_or(|&(_, until)| passed - until > 3) {
            self.told.push((now, passed));
        }
        let is_idle = |&(_, _, (touched, before)): &(u16, u32, Touch)| {
            // Both sides of the touch; behind all of them, the time is that of another call.
            let is_young = before.checked_sub(1).is_some_and(|before| passed - self.told[before].1 <= 50);
            let idle_by = |&(at, until): &(u64, u64)| passed - until + at.abs_diff(touched) > 50;
            !is_young && self.told.get(before).is_some_and(idle_by)
        };
        let (gone, kept): (Vec<_>, _) = self.entries.iter().partition(|entry| is_idle(entry));
        self.entries = kept;
        self.stats.1 += gone.len() as u64;
        gone.into_iter().map(|(key, value, _)| (key, value)).collect()
    }
}

#[test]
fn a_head_allocates_nothing_before_its_first_byte_and_what_arrived_in_order_after() {
    let payload = [b'x'; 1_000];
    let idle = allocation_counter::measure(|| {
        let mut head = StreamHead::new(SeqNumber(1), roomy());
        let _ = head.push(SeqNumber(1), b"");
        head.skip(1_000);
        let _ = head.push(SeqNumber(1), &payload);
    });
    assert_eq!(idle.count_total, 0);

    let mut head = StreamHead::new(SeqNumber(1), roomy());
    let in_order = allocation_counter::measure(|| {
        for offset in 0..5 {
            let _ = head.push(SeqNumber(1) + 1_000 * offset, &payload);
        }
    });
    assert!(head.is_full());
    assert_eq!(
        (in_order.count_current, in_order.bytes_current),
        (1, 4_096),
        "one piece of memory, no larger"
    );

    let read = allocation_counter::measure(|| head.skip(4_096));
    assert_eq!(read.bytes_current, -4_096);
}

#[test]
fn memory_of_a_head_is_bounded_whatever_arrives() {
    let limits = roomy().with_max_bytes(4_096).with_max_pieces(16).with_max_out_of_order(2_048);
    let measured = allocation_counter::measure(|| {
        let mut head = StreamHead::new(SeqNumber(0), limits);
        let mut limits_hit = [0; 3];
        for step in 0..20_000_u32 {
            // Visits all numbers of a range far wider than the window, without the first.
            let seq = SeqNumber(1 + step.wrapping_mul(7_919) % 50_000);
            let hit = match head.push(seq, b"abcde").limit {
                Some(StreamLimit::Window) => &mut limits_hit[0],
                Some(StreamLimit::Pieces) => &mut limits_hit[1],
                Some(StreamLimit::OutOfOrder) => &mut limits_hit[2],
                _ => continue,
            };
            *hit += 1;
        }
        for start in (1..4_096).step_by(100) {
            let hit = head.push(SeqNumber(start), &[0; 100]).limit == Some(StreamLimit::OutOfOrder);
            limits_hit[2] += usize::from(hit);
        }
        assert!(limits_hit.iter().all(|&hits| hits > 0), "{limits_hit:?}");
        assert_eq!(head.bytes(), b"");
    });
    // Four times what may wait out of order, and the tree of pieces.
    assert!(measured.bytes_max <= 4 * 2_048 + 4_096, "{measured:?}");
    assert_eq!(measured.bytes_current, 0);
}

#[test]
fn single_bytes_back_to_front_are_copied_a_logarithmic_number_of_times() {
    const LEN: u32 = 1 << 16;
    let limits = roomy().with_max_bytes(1 << 16).with_max_pieces(1).with_max_out_of_order(1 << 16);
    let mut head = StreamHead::new(SeqNumber(0), limits);
    let measured = allocation_counter::measure(|| {
        for number in (0..LEN).rev() {
            let byte = number.to_be_bytes()[3];
            assert_eq!(head.push(SeqNumber(number), &[byte]).limit, None);
        }
    });
    assert_eq!(head.bytes().len(), 1 << 16);
    assert!(head.bytes().iter().enumerate().all(|(at, &byte)| at % 256 == usize::from(byte)));
    // A short-lived byte and tree node for each, and the doublings of the piece they are put before.
    assert!(measured.bytes_total < u64::from(LEN) * 1_024, "{measured:?}");
    assert!(measured.bytes_max < 4 * u64::from(LEN), "{measured:?}");
}

#[test]
fn a_table_takes_memory_for_its_entries_and_never_more_than_for_its_limit() {
    let limits = ExpiringLimits::default().with_max_entries(1_000).with_idle(Duration::from_secs(1));
    let none = allocation_counter::measure(|| {
        let table = Expiring::<u32, [u64; 4]>::new(limits);
        assert!(table.is_empty());
    });
    assert_eq!(none.count_total, 0);

    let mut table = Expiring::new(limits);
    let few = allocation_counter::measure(|| {
        for key in 0..4_u32 {
            table.insert(key, [0_u64; 4], NOW);
        }
    });
    assert!(few.bytes_current < 1_000, "{few:?}");
    let full = allocation_counter::measure(|| {
        for key in 4..1_000_u32 {
            table.insert(key, [0; 4], NOW);
        }
    });
    assert!(full.bytes_current < 100_000, "{full:?}");
    let flood = allocation_counter::measure(|| {
        for key in 1_000..100_000_u32 {
            table.insert(key, [1; 4], NOW);
        }
    });
    assert_eq!(flood.count_total, 0, "a full table takes no more memory");
    assert_eq!((table.len(), table.stats().evicted), (1_000, 99_000));
}
