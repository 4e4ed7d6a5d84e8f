//! What was found in captures that are read ahead of their turn, until it comes.

use core::time::Duration;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::lock;
use crate::totals::Counted;

/// Lines of each output.
pub(super) type Lines = Vec<Vec<u8>>;

/// Records of a capture, some of those that belong together.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Records {
    pub(super) lines: Lines,
    /// The events that they are of.
    pub(super) counted: Counted,
}

/// Captures, by their numbers, that several threads read at a time, and one more takes from in their order.
///
/// Each is begun by one thread, in order, so that the one whose turn it is has been begun before all that wait for it. How much
/// waits is limited; a thread whose capture has its turn never waits for the others. To wake a thread takes as long as to find a
/// good part of what it waits for, so that is done when there is half of what may wait.
pub(super) struct Turns<E> {
    captures: usize,
    /// Bytes of memory for lines after which those that are ahead of their turn wait for it.
    most_bytes: usize,
    state: Mutex<State<E>>,
    /// Something was taken, or the run is over.
    taken: Condvar,
    /// There is something of the capture whose turn it is, or the run is over.
    come: Condvar,
}

struct State<E> {
    /// Captures that were begun, from the one whose turn it is on.
    parts: VecDeque<Part<E>>,
    /// The capture whose turn it is.
    turn: usize,
    /// Bytes of memory for lines that wait.
    bytes: usize,
    /// No other capture is begun.
    is_stopped: bool,
    /// No records are taken any more.
    is_over: bool,
    /// The end of some capture will never come.
    is_broken: bool,
    /// Emptied.
    spare: Vec<Lines>,
    spare_bytes: usize,
    /// Threads that wait.
    waiting: usize,
}

/// What there is of a capture and was not taken.
struct Part<E> {
    records: VecDeque<Records>,
    bytes: usize,
    /// What comes behind the records.
    end: Option<E>,
}

/// That no records are taken any more.
#[derive(Debug)]
pub(super) struct Over;

/// The answer of [`Turns::next`].
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<E> {
    /// Records of the capture whose turn it is.
    Records(Records),
    /// Its end; it is the turn of the next one.
    End(E),
    /// Nothing yet.
    NotYet,
    /// There is no other capture that was begun.
    Nothing,
}

impl<E> Turns<E> {
    /// Bytes of memory for lines that wait of the capture whose turn it is, at most.
    const OF_TURN: usize = 1 << 20;
    /// Captures that may have been begun, with that whose turn it is: what is told of each at its end takes some memory, too.
    const MOST_BEGUN: usize = 1_024;

    /// For so many captures, of which so many bytes of memory for lines may wait for their turn.
    pub(super) fn new(captures: usize, most_bytes: usize) -> Self {
        let state = State {
            parts: VecDeque::new(),
            turn: 0,
            bytes: 0,
            is_stopped: false,
            is_over: false,
            is_broken: false,
            spare: Vec::new(),
            spare_bytes: 0,
            waiting: 0,
        };
        Self { captures, most_bytes, state: Mutex::new(state), taken: Condvar::new(), come: Condvar::new() }
    }

    /// The next capture that somebody is to read, as soon as not too many are ahead of their turn.
    pub(super) fn begin(&self) -> Option<usize> {
        let mut state = self.state();
        loop {
            let number = state.turn + state.parts.len();
            if number == self.captures || state.is_stopped || state.is_over {
                return None;
            }
            if state.parts.len() < Self::MOST_BEGUN {
                state.parts.push_back(Part { records: VecDeque::new(), bytes: 0, end: None });
                return Some(number);
            }
            state = self.wait(state);
        }
    }

    /// Puts records of a capture behind those that it has, when there is room for them. Gives empty lines.
    pub(super) fn put(&self, number: usize, records: Records) -> Result<Lines, Over> {
        let mut state = self.state();
        loop {
            if state.is_over {
                return Err(Over);
            }
            let is_its_turn = number == state.turn;
            let of_all = state.bytes;
            let Some(part) = state.part(number) else { return Err(Over) };
            let has_room = if is_its_turn { part.bytes < Self::OF_TURN } else { of_all < self.most_bytes };
            if has_room {
                let bytes = memory(&records.lines);
                part.bytes += bytes;
                part.records.push_back(records);
                let is_worth_waking = is_its_turn && part.bytes >= Self::OF_TURN / 2;
                state.bytes += bytes;
                let empty = state.spare.pop().unwrap_or_default();
                state.spare_bytes -= memory(&empty);
                drop(state);
                if is_worth_waking {
                    self.come.notify_one();
                }
                return Ok(empty);
            }
            state = self.wait(state);
        }
    }

    /// Puts the end of a capture behind its records.
    pub(super) fn end(&self, number: usize, end: E) {
        let mut state = self.state();
        let is_its_turn = number == state.turn;
        if let Some(part) = state.part(number) {
            part.end = Some(end);
        }
        drop(state);
        if is_its_turn {
            self.come.notify_one();
        }
    }

    /// What comes next, if it comes within this time.
    pub(super) fn next(&self, patience: Duration) -> Next<E> {
        let state = self.state();
        let waits = |state: &mut State<E>| {
            let has_begun = !state.parts.is_empty();
            let has_come =
                state.parts.front().is_some_and(|part| !part.records.is_empty() || part.end.is_some());
            // Nobody begins another one.
            let is_last = state.turn == self.captures || state.is_stopped || state.is_over;
            !has_come && !state.is_broken && (has_begun || !is_last)
        };
        let waited = self.come.wait_timeout_while(state, patience, waits);
        let (mut state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() {
            return Next::NotYet;
        }
        let Some(part) = state.parts.front_mut() else { return Next::Nothing };
        let (next, is_worth_waking) = if let Some(records) = part.records.pop_front() {
            let bytes = memory(&records.lines);
            part.bytes -= bytes;
            let has_run_down = part.bytes <= Self::OF_TURN / 2;
            state.bytes -= bytes;
            (Next::Records(records), has_run_down)
        } else if let Some(end) = part.end.take() {
            state.parts.pop_front();
            state.turn += 1;
            (Next::End(end), true)
        } else {
            // Somebody who reads is gone.
            (Next::Nothing, false)
        };
        if is_worth_waking && state.waiting > 0 {
            drop(state);
            self.taken.notify_all();
        }
        next
    }

    /// Gives lines back that were taken, to be filled again.
    pub(super) fn give_back(&self, mut lines: Lines) {
        lines.iter_mut().for_each(Vec::clear);
        let mut state = self.state();
        // What waits and what is spare were all there at once.
        if state.spare_bytes + state.bytes < self.most_bytes {
            state.spare_bytes += memory(&lines);
            state.spare.push(lines);
        }
    }

    /// Begins no other capture; those that were begun are read to their ends.
    pub(super) fn stop(&self) {
        self.state().is_stopped = true;
        self.taken.notify_all();
        self.come.notify_one();
    }

    /// Takes no records any more. The ends of captures still come.
    pub(super) fn end_all(&self) {
        self.end_in(|_| {});
    }

    /// As [`end_all`](Self::end_all), where the end of some capture will never come.
    pub(super) fn give_up(&self) {
        self.end_in(|state| state.is_broken = true);
    }

    fn end_in(&self, change: impl FnOnce(&mut State<E>)) {
        let mut state = self.state();
        state.is_over = true;
        change(&mut state);
        drop(state);
        self.taken.notify_all();
        self.come.notify_one();
    }

    /// Waits until something was taken, or the run is over.
    fn wait<'s>(&self, mut state: MutexGuard<'s, State<E>>) -> MutexGuard<'s, State<E>> {
        state.waiting += 1;
        let mut state = self.taken.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    fn state(&self) -> MutexGuard<'_, State<E>> {
        lock(&self.state)
    }
}

impl<E> State<E> {
    fn part(&mut self, number: usize) -> Option<&mut Part<E>> {
        self.parts.get_mut(number.checked_sub(self.turn)?)
    }
}

/// Bytes that lines take, with the room behind them.
fn memory(lines: &Lines) -> usize {
    lines.iter().map(Vec::capacity).sum()
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const AT_ONCE: Duration = Duration::ZERO;
    /// Longer than anything here takes.
    const LONG: Duration = Duration::from_secs(60);

    fn line(text: &str) -> Records {
        Records { lines: vec![text.as_bytes().to_vec()], ..Records::default() }
    }

    #[test]
    fn what_is_found_first_in_a_later_capture_waits_for_its_turn() {
        let turns = Turns::new(2, 100);
        assert_eq!([turns.begin(), turns.begin(), turns.begin()], [Some(0), Some(1), None]);
        turns.put(1, line("b")).unwrap();
        turns.end(1, 'B');
        assert_eq!(turns.next(AT_ONCE), Next::NotYet);
        turns.put(0, line("a")).unwrap();
        turns.end(0, 'A');
        assert_eq!(turns.next(LONG), Next::Records(line("a")));
        assert_eq!(turns.next(LONG), Next::End('A'));
        assert_eq!(turns.next(LONG), Next::Records(line("b")));
        assert_eq!(turns.next(LONG), Next::End('B'));
        assert_eq!(turns.next(LONG), Next::Nothing);
    }

    #[test]
    fn no_more_waits_than_may_and_the_capture_whose_turn_it_is_goes_on() {
        const CAPTURES: usize = 5;
        let turns = Turns::new(CAPTURES, 10);
        let read = || {
            while let Some(number) = turns.begin() {
                for _ in 0..50 {
                    assert!(turns.put(number, line("12345")).is_ok());
                }
                turns.end(number, number);
            }
        };
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(read);
            }
            let (mut lines, mut ends) = (0, Vec::new());
            loop {
                {
                    let state = turns.state();
                    let ahead: usize = state.parts.iter().skip(1).map(|part| part.bytes).sum();
                    // What had room when the last of it was put.
                    assert!(ahead < 15, "{ahead} bytes");
                }
                match turns.next(LONG) {
                    Next::Records(taken) => {
                        lines += 1;
                        turns.give_back(taken.lines);
                    }
                    Next::End(end) => ends.push(end),
                    Next::NotYet => panic!("nothing came"),
                    Next::Nothing => break,
                }
            }
            assert_eq!((lines, ends), (50 * CAPTURES, (0..CAPTURES).collect()));
        });
    }

    #[test]
    fn once_stopped_what_was_begun_is_taken_to_its_end() {
        let turns = Turns::new(9, 100);
        assert_eq!(turns.begin(), Some(0));
        turns.stop();
        assert_eq!(turns.begin(), None);
        assert_eq!(turns.next(AT_ONCE), Next::NotYet);
        turns.put(0, line("a")).unwrap();
        turns.end(0, ());
        assert_eq!(turns.next(LONG), Next::Records(line("a")));
        assert_eq!(turns.next(LONG), Next::End(()));
        assert_eq!(turns.next(LONG), Next::Nothing);
    }

    #[test]
    fn when_no_records_are_taken_any_more_nobody_waits_for_room() {
        let turns = Turns::new(3, 0);
        assert_eq!([turns.begin(), turns.begin()], [Some(0), Some(1)]);
        thread::scope(|scope| {
            // There is no room for what is ahead of its turn.
            let waiting = scope.spawn(|| turns.put(1, line("b")).is_err());
            wait_for_threads(&turns, 1);
            turns.end_all();
            assert!(waiting.join().unwrap());
        });
        assert!(turns.put(0, line("a")).is_err());
        assert_eq!(turns.begin(), None);
        for number in [0, 1] {
            turns.end(number, number);
            assert_eq!(turns.next(LONG), Next::End(number));
        }
        assert_eq!(turns.next(LONG), Next::Nothing);
    }

    fn wait_for_threads<E>(turns: &Turns<E>, waiting: usize) {
        while turns.state().waiting < waiting {
            thread::yield_now();
        }
    }

    #[test]
    fn no_more_captures_are_begun_ahead_of_their_turn_than_may() {
        const MOST: usize = Turns::<usize>::MOST_BEGUN;
        let turns = Turns::new(MOST + 2, 0);
        for number in 0..MOST {
            assert_eq!(turns.begin(), Some(number));
            turns.end(number, number);
        }
        thread::scope(|scope| {
            let begun = scope.spawn(|| [turns.begin(), turns.begin()]);
            wait_for_threads(&turns, 1);
            assert_eq!(turns.next(LONG), Next::End(0));
            wait_for_threads(&turns, 1);
            turns.stop();
            assert_eq!(begun.join().unwrap(), [Some(MOST), None]);
        });
    }

    #[test]
    fn nobody_waits_for_a_capture_whose_thread_is_gone() {
        let turns = Turns::<()>::new(2, 100);
        assert_eq!(turns.begin(), Some(0));
        turns.give_up();
        assert_eq!((turns.begin(), turns.next(LONG)), (None, Next::Nothing));
    }
}
