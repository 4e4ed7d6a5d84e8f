//! What was written down of flows and is seldom asked for.

use core::fmt;
use std::collections::VecDeque;

use super::epochs::{Age, Epochs, is_apart};
use super::{ExpiringLimits, FlowTag};
use crate::Timestamp;

/// The latest records of flows: each is only written behind the others, and they are put in order when somebody asks.
///
/// Of flows that nobody asks for, as most are while a host is flooded, a record costs no search. It goes out when there are
/// [`max_entries`](ExpiringLimits::max_entries) behind it, those included that were taken meanwhile, or when it is idle, by
/// packet time. Tags are the hash by which flows are found, so that nobody can aim at one. Memory grows with the records, up to the limit.
///
/// As in [`Expiring`](super::Expiring), which records are idle depends on when each was written, on what was asked of its flow and on
/// the times that were told, and not on what else is held: flows may be dealt to several logs.
pub struct FlowLog<T> {
    most: usize,
    idle_nanos: u64,
    /// In the order in which they were written.
    records: VecDeque<Record<T>>,
    ages: Ages,
    /// Number of the first of them; they are numbered from 1.
    first: u64,
    /// Number of the first that is in no chain yet.
    unchained: u64,
    /// For flows whose tags end alike, the number of the last record of the chain that they share; 0 for none. A power of
    /// two, and at least as many as there were records when somebody asked last.
    chains: Vec<u64>,
    evicted: u64,
}

impl<T> fmt::Debug for FlowLog<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowLog")
            .field("len", &self.records.len())
            .field("evicted", &self.evicted)
            .finish_non_exhaustive()
    }
}

/// What the records of a flow tell together.
pub trait Follow: Sized {
    /// What is known with this record, when `before` is what was known without it.
    #[must_use]
    fn after(self, before: Self) -> Self;
}

struct Record<T> {
    flow: FlowTag,
    written_at: Timestamp,
    /// Number of the record before it in its chain.
    before: u64,
    /// `None` once it was taken. It is in no chain then.
    value: Option<T>,
}

impl<T> FlowLog<T> {
    /// Nothing was written; allocates nothing.
    #[must_use]
    pub fn new(limits: ExpiringLimits) -> Self {
        let idle_nanos = limits.idle_nanos();
        Self {
            most: limits.max_entries.max(1),
            idle_nanos,
            records: VecDeque::new(),
            ages: Ages { epochs: Epochs::new(idle_nanos), begins: [0; _] },
            first: 1,
            unchained: 1,
            chains: Vec::new(),
            evicted: 0,
        }
    }

    /// Writes a record of a flow. Gives the flow of the oldest one, if that goes out for it and was not taken.
    #[inline]
    pub fn push(&mut self, flow: FlowTag, value: T, now: Timestamp) -> Option<FlowTag> {
        let mut displaced = None;
        if self.records.len() >= self.most {
            let is_idle = self.is_first_idle(now);
            displaced = self.pop_first();
            self.evicted += u64::from(displaced.is_some() && !is_idle);
        }
        self.records.push_back(Record { flow, written_at: now, before: 0, value: Some(value) });
        displaced
    }

    /// The last record of a flow.
    pub fn last(&mut self, flow: FlowTag) -> Option<&T> {
        self.chain();
        let mut number = *self.chains.get(self.place(flow))?;
        // Each record of a chain is older than the one that leads to it, and those that went out are at its end.
        while let Some(record) = self.position(number).and_then(|position| self.records.get(position)) {
            if record.flow == flow && !self.ages.is_idle(number, record.written_at) {
                return record.value.as_ref();
            }
            number = record.before;
        }
        None
    }

    /// Takes out what is known of a flow. Calls `gone` for each record but one; for all of them if they are idle, and nothing is known.
    pub fn take(&mut self, flow: FlowTag, gone: impl FnMut(FlowTag)) -> Option<T>
    where
        T: Follow,
    {
        self.take_if(flow, |_| true, gone)
    }

    /// Takes out what is known of a flow if it is wanted. If it is not, its records are one from now on, as old as the last
    /// of them, so that who asks again and again asks for no long way. Calls `gone` as [`take`](Self::take) does, in any case.
    pub fn take_if(
        &mut self,
        flow: FlowTag,
        is_wanted: impl FnOnce(&T) -> bool,
        gone: impl FnMut(FlowTag),
    ) -> Option<T>
    where
        T: Follow,
    {
        if self.records.is_empty() {
            return None;
        }
        self.chain();
        let oldest = self.unlink(flow)?;
        let known = self.fold(oldest, gone);
        let taken = match known {
            Some((number, value)) if !is_wanted(&value) => {
                self.put_back(flow, number, value);
                None
            }
            known => known.map(|(_, value)| value),
        };
        // Where all flows are asked for soon, as most are, the log stays short and in the cache.
        while self.records.front().is_some_and(|record| record.value.is_none()) {
            self.pop_first();
        }
        taken
    }

    /// Takes the records of a flow out of their chain, and links each to the one behind it: the number of the oldest, or 0.
    fn unlink(&mut self, flow: FlowTag) -> Option<u64> {
        let place = self.place(flow);
        let mut number = *self.chains.get(place)?;
        let (mut behind, mut oldest) = (None, 0);
        while let Some(position) = self.position(number)
            && let Some(record) = self.records.get_mut(position)
        {
            let before = record.before;
            if record.flow == flow {
                // They come in the order from the last to the first, and are linked in the opposite one.
                record.before = std::mem::replace(&mut oldest, number);
                let link = match behind {
                    Some(behind) => self.records.get_mut(behind).map(|record| &mut record.before),
                    None => self.chains.get_mut(place),
                };
                if let Some(link) = link {
                    *link = before;
                }
            } else {
                behind = Some(position);
            }
            number = before;
        }
        Some(oldest)
    }

    /// What the records of a flow tell together, from the oldest on, and the number of the last that is not idle.
    fn fold(&mut self, mut oldest: u64, mut gone: impl FnMut(FlowTag)) -> Option<(u64, T)>
    where
        T: Follow,
    {
        let mut known = None;
        while let Some(position) = self.position(oldest)
            && let Some(record) = self.records.get_mut(position)
        {
            let is_idle = self.ages.is_idle(oldest, record.written_at);
            known = match (record.value.take(), known) {
                (Some(_), known) if is_idle => {
                    gone(record.flow);
                    known
                }
                (Some(value), Some((_, known))) => {
                    gone(record.flow);
                    Some((oldest, value.after(known)))
                }
                (value, known) => value.map(|value| (oldest, value)).or(known),
            };
            oldest = record.before;
        }
        known
    }

    /// Gives a record of a flow that was taken its value again, and its place in its chain.
    fn put_back(&mut self, flow: FlowTag, number: u64, value: T) {
        let place = self.place(flow);
        let Some(&last) = self.chains.get(place) else { return };
        let (mut behind, mut before) = (None, last);
        while before > number
            && let Some(position) = self.position(before)
            && let Some(record) = self.records.get(position)
        {
            (behind, before) = (Some(position), record.before);
        }
        let link = match behind {
            Some(behind) => self.records.get_mut(behind).map(|record| &mut record.before),
            None => self.chains.get_mut(place),
        };
        if let Some(link) = link {
            *link = number;
        }
        if let Some(position) = self.position(number)
            && let Some(record) = self.records.get_mut(position)
        {
            (record.before, record.value) = (before, Some(value));
        }
    }

    /// Takes the time, and lets go of idle records at the old end: gives the flows of those that were not taken to `gone`. Idle ones
    /// behind others are no longer found.
    pub fn expire(&mut self, now: Timestamp, mut gone: impl FnMut(FlowTag)) {
        self.ages.tell(now, self.first + self.records.len() as u64);
        while let Some(first) = self.records.front()
            && self.ages.is_idle(self.first, first.written_at)
        {
            if let Some(flow) = self.pop_first() {
                gone(flow);
            }
        }
    }

    /// Records that made room for others while they were neither taken nor idle.
    #[must_use]
    pub fn evicted(&self) -> u64 {
        self.evicted
    }

    /// Puts the records that came since the last question into their chains.
    fn chain(&mut self) {
        if self.chains.len() < self.records.len() {
            self.chains = vec![0; self.records.len().next_power_of_two()];
            self.unchained = self.first;
        }
        let from = self.unchained.max(self.first);
        // At most the number behind the last record, so that the range is one.
        let Some(position) = self.position(from).filter(|&position| position <= self.records.len()) else {
            return;
        };
        let mask = self.chains.len().wrapping_sub(1);
        for (number, record) in (from..).zip(self.records.range_mut(position..)) {
            if record.value.is_some()
                && let Some(last) = self.chains.get_mut(place(record.flow, mask))
            {
                record.before = std::mem::replace(last, number);
            }
            self.unchained = number + 1;
        }
    }

    /// Which chain a flow belongs to.
    fn place(&self, flow: FlowTag) -> usize {
        place(flow, self.chains.len().wrapping_sub(1))
    }

    /// Where the record of this number is, if it did not go out.
    #[inline]
    fn position(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.first)?).ok()
    }

    #[inline]
    fn is_first_idle(&self, now: Timestamp) -> bool {
        self.records.front().is_some_and(|first| is_apart(now, first.written_at, self.idle_nanos))
    }

    /// Lets go of the oldest record, and gives its flow if it was not taken.
    #[inline]
    fn pop_first(&mut self) -> Option<FlowTag> {
        let record = self.records.pop_front()?;
        self.first += 1;
        record.value.map(|_| record.flow)
    }
}

/// How old records are.
struct Ages {
    epochs: Epochs,
    /// Numbers of the first records of the last epochs, the latest first; 0 where there were none.
    begins: [u64; Epochs::MAX_HELD + 1],
}

impl Ages {
    /// Takes the time, before the record of this number is written.
    fn tell(&mut self, now: Timestamp, next: u64) {
        let before = self.epochs.current();
        self.epochs.tell(now);
        if self.epochs.current() != before {
            // What was written before all that are held is idle.
            self.begins.rotate_right(1);
            let [latest, ..] = &mut self.begins;
            *latest = next;
        }
    }

    fn is_idle(&self, number: u64, written_at: Timestamp) -> bool {
        let mut epoch = self.epochs.current();
        for _ in self.begins.iter().take_while(|&&begin| number < begin) {
            epoch = epoch.wrapping_sub(1);
        }
        self.epochs.age(epoch, written_at) == Age::Idle
    }
}

/// Which of `mask + 1` chains a flow belongs to.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "as many bits as the mask has")]
const fn place(flow: FlowTag, mask: usize) -> usize {
    flow.bits() as usize & mask
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;
    use crate::{Frame, LinkType, Packet};

    /// Numbers of the records of a flow, oldest first.
    impl Follow for Vec<u32> {
        fn after(self, mut before: Self) -> Self {
            before.extend(self);
            before
        }
    }

    /// The flow from a port.
    fn flow(port: u8) -> FlowTag {
        let datagram = [
            0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, // IPv4
            0, port, 0, 80, 0, 8, 0, 0, // UDP
        ];
        let packet = Packet::decode(&Frame::new(&datagram, LinkType::RAW)).expect("a packet");
        packet.flow().expect("ports").0
    }

    fn at(second: u64) -> Timestamp {
        Timestamp::from_parts(second, 0)
    }

    /// At most `most` records, for 30 seconds.
    fn log(most: usize) -> FlowLog<Vec<u32>> {
        FlowLog::new(ExpiringLimits::default().with_max_entries(most).with_idle(Duration::from_secs(30)))
    }

    #[test]
    fn records_of_a_flow_are_told_together_in_their_order_and_taken_once() {
        let mut log = log(10);
        assert_eq!(log.take(flow(1), |_| {}), None);
        for (number, port) in (0..).zip([1, 2, 1, 1]) {
            assert_eq!(log.push(flow(port), vec![number], at(0)), None);
        }
        let mut gone = Vec::new();
        let all = |known: &Vec<u32>| *known != [0, 2, 3];
        assert_eq!(log.take_if(flow(1), all, |flow| gone.push(flow)), None, "it is asked for all");
        assert_eq!(gone, [flow(1); 2]);
        log.push(flow(1), vec![4], at(0));
        assert_eq!(log.take(flow(1), |flow| gone.push(flow)), Some(vec![0, 2, 3, 4]));
        assert_eq!(gone, [flow(1); 3]);
        assert_eq!(log.take(flow(1), |_| {}), None);
        assert_eq!(log.take(flow(2), |_| {}), Some(vec![1]));
    }

    #[test]
    fn the_oldest_record_makes_room_and_counts_unless_it_was_taken() {
        let mut log = log(2);
        log.push(flow(1), vec![1], at(0));
        log.push(flow(2), vec![2], at(0));
        assert!(log.take(flow(2), |_| {}).is_some());
        assert_eq!((log.push(flow(3), vec![3], at(0)), log.evicted()), (Some(flow(1)), 1));
        assert_eq!((log.push(flow(4), vec![4], at(0)), log.evicted()), (None, 1), "it was taken");
        assert_eq!((log.push(flow(5), vec![5], at(31)), log.evicted()), (Some(flow(3)), 1), "it was idle");
        assert!(log.take(flow(4), |_| {}).is_some());
        assert_eq!(log.push(flow(6), vec![6], at(31)), None, "what was taken at the old end takes no room");
    }

    #[test]
    fn idle_records_go_out_and_are_no_limit() {
        let mut log = log(10);
        for (port, second) in [(1, 0), (2, 0), (3, 2)] {
            log.push(flow(port), vec![0], at(second));
        }
        assert!(log.take(flow(2), |_| {}).is_some());
        let mut gone = Vec::new();
        log.expire(at(31), |flow| gone.push(flow));
        assert_eq!((gone, log.evicted()), (vec![flow(1)], 0));
        assert!(log.last(flow(3)).is_some());
        log.expire(at(1), |_| panic!("a time that went back by no more than the limit ends nothing"));
        log.expire(at(0), |_| {});
        assert!(log.last(flow(3)).is_none(), "a longer step ends all");
    }

    #[test]
    fn an_idle_record_is_forgotten_though_one_before_it_is_not() {
        let (mut log, mut alone) = (log(10), log(10));
        for log in [&mut log, &mut alone] {
            log.expire(at(45), |_| {});
        }
        log.push(flow(1), vec![1], at(50));
        // Time has run back.
        for log in [&mut log, &mut alone] {
            log.push(flow(2), vec![2], at(44));
            log.push(flow(2), vec![3], at(44));
            log.expire(at(76), |_| {});
        }
        let mut gone = 0;
        assert_eq!((log.last(flow(2)), alone.last(flow(2))), (None, None));
        assert_eq!((log.take(flow(2), |_| gone += 1), alone.take(flow(2), |_| {})), (None, None));
        assert_eq!(gone, 2);
        assert_eq!(log.take(flow(1), |_| panic!("it has one record")), Some(vec![1]));
    }

    #[test]
    fn records_of_all_epochs_are_as_old_as_they_are() {
        let mut log = log(1_000);
        for second in 0..200 {
            log.push(flow(1), vec![second], at(second.into()));
            log.push(flow(2), vec![second], at(second.into()));
            log.expire(at(second.into()), |_| {});
            assert_eq!(log.records.len(), usize::min(second as usize + 1, 31) * 2);
        }
        assert_eq!(log.take(flow(1), |_| {}), Some((169..200).collect()));
    }

    #[test]
    fn whenever_somebody_asks_the_answer_is_that_of_a_search_through_all_records() {
        const MOST: usize = 50;
        let (mut log, mut all) = (log(MOST), VecDeque::<(u8, Option<Vec<u32>>)>::new());
        let mut random = 1_u64;
        for number in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let [kind, port, ..] = random.to_be_bytes();
            let (kind, port) = (kind % 16, port % 60);
            // Long times without a question, and some with many.
            if kind < 14 || number % 1_000 < 700 {
                let oldest = if all.len() < MOST { None } else { all.pop_front() };
                let displaced = oldest.and_then(|(port, number)| number.map(|_| flow(port)));
                assert_eq!(log.push(flow(port), vec![number], at(0)), displaced);
                all.push_back((port, Some(vec![number])));
                continue;
            }
            let its = all.iter_mut().filter(|(known, numbers)| *known == port && numbers.is_some());
            let mut its: Vec<_> = its.collect();
            let mut left = its.len();
            assert_eq!(log.last(flow(port)), its.last().and_then(|(_, numbers)| numbers.as_ref()));
            let expected: Vec<u32> =
                its.iter_mut().filter_map(|(_, numbers)| numbers.take()).flatten().collect();
            let expected = (!expected.is_empty()).then_some(expected);
            let is_wanted = kind == 15;
            if !is_wanted && let Some((_, last)) = its.last_mut() {
                last.clone_from(&expected);
            }
            let mut told = None;
            let ask = |known: &Vec<u32>| {
                told = Some(known.clone());
                is_wanted
            };
            let taken = log.take_if(flow(port), ask, |_| left -= 1);
            assert_eq!(told, expected);
            assert_eq!(taken, expected.filter(|_| is_wanted));
            assert_eq!(left, usize::from(told.is_some()), "all but one are told to have gone");
            while all.front().is_some_and(|(_, numbers)| numbers.is_none()) {
                all.pop_front();
            }
        }
    }
}
